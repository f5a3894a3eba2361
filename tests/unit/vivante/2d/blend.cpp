/*
 * Alpha blending: every factor, global alphas, premultiplication, and the modes that X drivers
 * and compositors use (rnndb DE.ALPHA_*, COLOR_MULTIPLY_MODES; xf86-video-armada, weston's
 * renderer-etna, gcbv, the "no cross" modes of nano2D).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <array>

#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

const Writes kOn = {{state::kAlphaControl, 1}};

Writes modes(uint32_t value, uint32_t multiply = 0, uint32_t src_global = 0,
             uint32_t dst_global = 0) {
    return kOn + Writes{{state::kAlphaModes, value},
                        {state::kColorMultiply, multiply},
                        {state::kGlobalSrcColor, src_global},
                        {state::kGlobalDestColor, dst_global}};
}

/* ---- Expected results of the equations --------------------------------------- */

uint32_t product(uint32_t a, uint32_t b) { /* a * b / 255, rounded to nearest */
    return (2 * a * b + 255) / 510;
}

struct Operand {
    std::array<uint32_t, 4> c; /* B G R A */
};

Operand split(uint32_t argb) {
    return {{argb & 0xFF, argb >> 8 & 0xFF, argb >> 16 & 0xFF, argb >> 24}};
}

struct Side {
    uint32_t inverse, global_mode, global, premultiply, global_premultiply;
};

Operand prepare(uint32_t argb, const Side& side) {
    Operand p = split(argb);
    const Operand g = split(side.global);
    uint32_t alpha = side.inverse ? 255 - p.c[3] : p.c[3];
    for (size_t i = 0; i < 3; i++) {
        if (side.premultiply)
            p.c[i] = product(p.c[i], alpha);
        if (side.global_premultiply)
            p.c[i] = product(p.c[i], side.global_premultiply == 1 ? g.c[3] : g.c[i]);
    }
    if (side.global_mode == 1)
        alpha = g.c[3];
    else if (side.global_mode == 2)
        alpha = product(alpha, g.c[3]);
    p.c[3] = alpha;
    return p;
}

uint32_t factor(uint32_t mode, const Operand& own, const Operand& other, bool no_cross, size_t i) {
    const Operand& x = no_cross ? own : other;
    switch (mode) {
    case 0:
        return 0;
    case 1:
        return 255;
    case 2:
        return x.c[3];
    case 3:
        return 255 - x.c[3];
    case 4:
        return x.c[i];
    case 5:
        return 255 - x.c[i];
    case 6:
        return i == 3 ? 255 : std::min(own.c[3], 255 - other.c[3]);
    default:
        return i == 3 ? 255 : std::min(other.c[3], 255 - own.c[3]);
    }
}

uint32_t blend(uint32_t src, uint32_t dst, uint32_t mode, uint32_t multiply, uint32_t src_global,
               uint32_t dst_global) {
    const Operand s =
        prepare(src, {mode & 1, mode >> 8 & 3, src_global, multiply & 1, multiply >> 8 & 3});
    const Operand d =
        prepare(dst, {mode >> 4 & 1, mode >> 12 & 3, dst_global, multiply >> 4 & 1, 0});
    std::array<uint32_t, 4> out{};
    for (size_t i = 0; i < 4; i++) {
        const uint32_t fs = factor(mode >> 24 & 7, s, d, mode >> 27 & 1, i);
        const uint32_t fd = factor(mode >> 28 & 7, d, s, mode >> 31, i);
        out[i] = std::min(255u, product(s.c[i], fs) + product(d.c[i], fd));
    }
    for (size_t i = 0; i < 3 && (multiply >> 20 & 1); i++)
        out[i] = out[3] ? std::min(255u, (out[i] * 255 + out[3] / 2) / out[3]) : 0;
    return out[3] << 24 | out[2] << 16 | out[1] << 8 | out[0];
}

/* Source and destination pixels: all pairs of extreme values, then random pairs. */
struct Samples {
    Words src, dst;

    explicit Samples(uint32_t seed, size_t count = 64) {
        std::mt19937 random(seed);
        const uint32_t ends[] = {0, 0xFFFFFFFF, 0x80808080, 0xFF000000, 0x00FFFFFF, 0x7F010203};
        for (const uint32_t s : ends) {
            for (const uint32_t d : ends) {
                src.push_back(s);
                dst.push_back(d);
            }
        }
        for (size_t i = 0; i < count; i++) {
            src.push_back(static_cast<uint32_t>(random()));
            dst.push_back(static_cast<uint32_t>(random()));
        }
    }
};

void expect_blend(uint32_t mode, uint32_t multiply, uint32_t src_global, uint32_t dst_global,
                  uint32_t seed) {
    const Samples samples(seed);
    const Words out =
        blit_row(samples.src, samples.dst, modes(mode, multiply, src_global, dst_global));
    for (size_t i = 0; i < out.size(); i++)
        ASSERT_EQ(out[i],
                  blend(samples.src[i], samples.dst[i], mode, multiply, src_global, dst_global))
            << std::hex << samples.src[i] << " over " << samples.dst[i] << ", ALPHA_MODES " << mode
            << " multiply " << multiply << " globals " << src_global << " " << dst_global;
}

/* ---- Vectors ------------------------------------------------------------ */

TEST(Vivante2dBlend, PorterDuffRules) {
    const struct {
        uint32_t mode, over_opaque, over_translucent;
    } rows[] = {
        {0x00000000, 0x00000000, 0x00000000}, /* CLEAR */
        {0x01000000, 0x80402010, 0x80402010}, /* SRC */
        {0x10000000, 0xFF336699, 0x40201008}, /* DST */
        {0x31000000, 0xFF59535C, 0xA0502814}, /* OVER */
        {0x13000000, 0xFF336699, 0xA0502814}, /* DST_OVER */
        {0x02000000, 0x80402010, 0x20100804}, /* IN */
        {0x20000000, 0x801A334D, 0x20100804}, /* DST_IN */
        {0x03000000, 0x00000000, 0x6030180C}, /* OUT */
        {0x30000000, 0x7F19334C, 0x20100804}, /* DST_OUT */
        {0x32000000, 0xFF59535C, 0x40201008}, /* ATOP */
        {0x23000000, 0x801A334D, 0x80402010}, /* DST_ATOP */
        {0x33000000, 0x7F19334C, 0x80402010}, /* XOR */
        {0x11000000, 0xFF7386A9, 0xC0603018}, /* ADD */
        {0x16000000, 0xFF336699, 0xC0402010}, /* SATURATE */
    };
    for (const auto& row : rows)
        EXPECT_EQ(blit_row({0x80402010, 0x80402010}, {0xFF336699, 0x40201008}, modes(row.mode)),
                  (Words{row.over_opaque, row.over_translucent}))
            << std::hex << row.mode;
    EXPECT_EQ(blit_pixel(0x80402010, 0x40201008, modes(0x17000000)), 0xC030180Cu);
    EXPECT_EQ(blit_pixel(0x80402010, 0xFF336699, modes(0x04000000)), 0x800D0D0Au);
    EXPECT_EQ(blit_pixel(0x80402010, 0xFF336699, modes(0x40000000)), 0x800D0D0Au);
    EXPECT_EQ(blit_pixel(0x80402010, 0xFF336699, modes(0x51000000)), 0xFF66799Fu);
}

TEST(Vivante2dBlend, GlobalAlphasAndMultiplication) {
    const struct {
        uint32_t modes, multiply, src_global, dst_global, src, dst, expected;
    } rows[] = {
        {0x3A000000, 0, 0, 0, 0x80FF0000, 0xFF0000FF, 0xBF80007F},
        {0x31000000, 0x00000001, 0, 0, 0x80FF0000, 0xFF0000FF, 0xFF80007F},
        {0x31000200, 0x00000100, 0x80000000, 0, 0x80402010, 0xFF336699, 0xFF465C7B},
        {0x31000001, 0, 0, 0, 0x80402010, 0xFF336699, 0xFF5A535D},
        {0x01000000, 0x00000200, 0x80FF8040, 0, 0xFFFFFFFF, 0, 0xFFFF8040},
        {0x31000000, 0x00100011, 0, 0, 0x80FF0000, 0x800000FF, 0xC0AA0055},
        {0x31000000, 0x00100001, 0, 0, 0x40FF8000, 0x00000000, 0x40FF8000},
        {0x13001000, 0, 0, 0xFF000000, 0x80402010, 0x40201008, 0xFF201008},
    };
    for (const auto& r : rows)
        EXPECT_EQ(blit_pixel(r.src, r.dst, modes(r.modes, r.multiply, r.src_global, r.dst_global)),
                  r.expected)
            << std::hex << r.modes << " " << r.expected;
}

TEST(Vivante2dBlend, OpaqueFormatWithAGlobalAlpha) {
    EXPECT_EQ(blit_pixel(0x5500FF00, 0xFF0000FF,
                         Writes{{state::kSrcConfig, 0x05000000}} +
                             modes(0x31000100, 0x00000100, 0x40000000)),
              0xFF0040BFu);
}

TEST(Vivante2dBlend, A8SourceIsAMask) {
    Scene scene;
    scene.bytes(kSrcAt, {0x80, 0xFF, 0x00})
        .words(kDstAt, Words(3, 0xFF336699))
        .base(3, 1, kCommandBlit, modes(0x20000000))
        .set(state::kSrcConfig, kA8 << 24)
        .draw({0, 0, 3, 1})
        .run()
        .expect_words(kDstAt, {0x801A334D, 0xFF336699, 0x00000000});
}

/* ---- Clears: viv2d, weston's solid nodes ----------------------------------- */

TEST(Vivante2dBlend, ClearBlends) {
    Scene scene;
    Words row(8, 0xFF0000FF);
    scene.words(kDstAt, row)
        .base(8, 1, kCommandClear, modes(0x31000000))
        .set(state::kClear32, 0x80800000)
        .draw({0, 0, 2, 1})
        .run();
    row[0] = row[1] = 0xFF80007F;
    scene.expect_words(kDstAt, row);
}

TEST(Vivante2dBlend, TranslucentSolidNode) {
    Scene scene;
    scene.words(kDstAt, {~0u})
        .base(1, 1, kCommandClear, modes(0x31000100, 0x00000100, 0x40000000))
        .set(state::kClear32, 0xFF000000)
        .draw({0, 0, 1, 1})
        .run()
        .expect_words(kDstAt, {0xFFBFBFBF});
}

TEST(Vivante2dBlend, EveryModeOfAClear) {
    for (uint32_t mode = 0; mode < 64; mode++) {
        const Samples samples(mode);
        const uint32_t value = (mode & 7) << 24 | (mode >> 3) << 28;
        Scene scene;
        Words expected;
        for (const uint32_t d : samples.dst)
            expected.push_back(blend(0x90604020, d, value, 0, 0, 0));
        const auto w = static_cast<int>(samples.dst.size());
        scene.words(kDstAt, samples.dst)
            .base(w, 1, kCommandClear, modes(value))
            .set({{state::kClear32, 0x90604020}, {state::kRop, 0}})
            .draw({0, 0, w, 1})
            .run()
            .expect_words(kDstAt, expected);
    }
}

/* ---- Everything --------------------------------------------------------- */

TEST(Vivante2dBlend, EveryPairOfFactors) {
    for (uint32_t pair = 0; pair < 256; pair++)
        expect_blend(pair << 24, 0, 0, 0, pair);
}

TEST(Vivante2dBlend, EveryAlphaMode) {
    std::mt19937 random(1);
    for (uint32_t i = 0; i < 36; i++) {
        const uint32_t mode = (i & 1) | (i >> 1 & 1) << 4 | i / 4 % 3 << 8 | i / 12 << 12;
        for (const uint32_t factors : {0x31u, 0x33u, 0x22u, 0xBAu, 0x67u, 0x45u})
            expect_blend(mode | factors << 24, 0, static_cast<uint32_t>(random()),
                         static_cast<uint32_t>(random()), i);
    }
}

TEST(Vivante2dBlend, EveryMultiplication) {
    std::mt19937 random(2);
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t multiply = (i & 1) | (i >> 1 & 1) << 4 | (i >> 2 & 1) << 20 | i / 8 << 8;
        for (const uint32_t mode : {0x31000000u, 0x31000200u, 0x33001001u, 0x11000010u})
            expect_blend(mode, multiply, static_cast<uint32_t>(random()),
                         static_cast<uint32_t>(random()), i);
    }
}

TEST(Vivante2dBlend, RandomStates) {
    std::mt19937 random(3);
    for (uint32_t i = 0; i < 400; i++) {
        const uint32_t mode = (random() & 0xFF000011) |
                              static_cast<uint32_t>(pick(random, 0, 2)) << 8 |
                              static_cast<uint32_t>(pick(random, 0, 2)) << 12;
        const uint32_t multiply =
            (random() & 0x00100011) | static_cast<uint32_t>(pick(random, 0, 2)) << 8;
        expect_blend(mode, multiply, static_cast<uint32_t>(random()),
                     static_cast<uint32_t>(random()), i);
        if (HasFatalFailure())
            return;
    }
}

TEST(Vivante2dBlend, SingleProductsAreRoundedExactly) {
    /* source mode NORMAL, no cross: tests all 65536 products S.a * S.c / 255, 256 per blit */
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        Words src, expected;
        for (uint32_t c = 0; c < 256; c++) {
            src.push_back(alpha << 24 | c << 16);
            expected.push_back(product(alpha, alpha) << 24 | product(alpha, c) << 16);
        }
        ASSERT_EQ(blit_row(src, Words(256, 0), modes(0x0A000000)), expected) << alpha;
    }
}

/* ---- Formats ------------------------------------------------------------ */

TEST(Vivante2dBlend, FormatsAreExpandedBlendedAndTruncated) {
    for (uint32_t from = 0; from <= 6; from++) {
        for (uint32_t to = 0; to <= 6; to++) {
            std::mt19937 random(from * 7 + to);
            Scene scene;
            scene.words(kSrcAt, random_words(random, 16)).words(kDstAt, random_words(random, 16));
            Words narrow;
            const uint32_t from_bytes = bytes_per_pixel(from);
            const uint32_t to_bytes = bytes_per_pixel(to);
            for (uint32_t i = 0; i < 16; i++) {
                const auto load = [&](uint32_t at, uint32_t bpp) {
                    return bpp == 4 ? scene.m.ram.word(at + 4 * i) : scene.m.ram.half(at + 2 * i);
                };
                const uint32_t s = decode_pixel(from, 0, load(kSrcAt, from_bytes));
                const uint32_t d = decode_pixel(to, 2, load(kDstAt, to_bytes));
                narrow.push_back(encode_pixel(to, 2, blend(s, d, 0x31000000, 0, 0, 0)));
            }
            scene.base(16, 1, kCommandBlit, modes(0x31000000))
                .set({{state::kSrcConfig, src_config(from)},
                      {state::kDestConfig, dest_config(to, kCommandBlit, 2)}})
                .draw({0, 0, 16, 1})
                .run();
            if (to_bytes == 4)
                scene.expect_words(kDstAt, narrow);
            else
                scene.expect_halves(kDstAt, {narrow.begin(), narrow.end()});
        }
    }
}

/* ---- Operands ----------------------------------------------------------- */

TEST(Vivante2dBlend, BrushBlendsWhenTheRopNamesThePattern) {
    /* as viv2d draws with a brush: ROP F0, solid brush, blending enabled */
    EXPECT_EQ(blit_pixel(0x12345678, 0xFF0000FF, solid_brush(0x80800000) + modes(0x31000000)),
              0xFF80007Fu);
}

TEST(Vivante2dBlend, RopCodeDoesNotChangeABlend) {
    /* All these codes use the source as an operand; the function itself does not matter. */
    for (uint32_t code : {0xCCu, 0x33u, 0x66u, 0x88u})
        EXPECT_EQ(blit_pixel(0x80402010, 0xFF336699,
                             modes(0x31000000) + Writes{{state::kRop, rop4(code)}}),
                  0xFF59535Cu)
            << std::hex << code;
}

TEST(Vivante2dBlend, ModesWithoutTheEnableDoNothing) {
    EXPECT_EQ(blit_pixel(0x80402010, 0xFF336699,
                         {{state::kAlphaModes, 0x31000000},
                          {state::kColorMultiply, 0x00100311},
                          {state::kGlobalSrcColor, 0x40404040}}),
              0x80402010u);
}

TEST(Vivante2dBlend, Pe20IgnoresTheGlobalAlphasOfPe10) {
    EXPECT_EQ(blit_pixel(0x80402010, 0xFF336699,
                         modes(0x31110200, 0x00000100, 0x80000000) +
                             Writes{{state::kAlphaControl, 0x13570001}}),
              0xFF465C7Bu); /* the same result as in GlobalAlphasAndMultiplication; PE 1.0 uses
                               ALPHA_CONTROL 31:16 and ALPHA_MODES 16 and 20 */
}

/* DST_DEMULTIPLY_ZERO of the newest cores: colors are not divided by an alpha of 0. */
TEST(Vivante2dBlend, DemultiplyKeepsZero) {
    const auto demultiplied = [](const char* model, uint32_t multiply, uint32_t source) {
        return blit_pixel(source, 0xFF336699,
                          {{state::kAlphaControl, 1},
                           {state::kAlphaModes, 0x01000000},
                           {state::kColorMultiply, multiply}},
                          model);
    };
    EXPECT_EQ(demultiplied(kNewest, 0x00300000, 0x00102030), 0x00102030u);
    EXPECT_EQ(demultiplied(kNewest, 0x00100000, 0x00102030), 0u);
    EXPECT_EQ(demultiplied(kPe20, 0x00300000, 0x00102030), 0u);
    EXPECT_EQ(demultiplied(kNewest, 0x00300000, 0x80102030), 0x80204060u);
}

/* ---- PE_TRANSPARENCY.USE_*_OVERRIDE ----------------------------------------- */

constexpr uint32_t kUseSource = 1 << 16, kNoSource = 2 << 16, kUsePattern = 1 << 20,
                   kNoPattern = 2 << 20, kUseDestination = 1 << 24, kNoDestination = 2 << 24;

/*
 * The engine blends the source if it is in use, else the brush if that is in use, else 0. The
 * overrides decide which are in use, not the ROP. With factors one and zero, the result is the
 * operand itself.
 */
TEST(Vivante2dBlend, OverridesChooseTheOperandOfABlend) {
    constexpr uint32_t source = 0x80402010, brush = 0x7F123456;
    const struct {
        uint32_t code, overrides, result;
    } rows[] = {
        {0xF0, 0, brush},
        {0xF0, kUseSource, source},
        {0xF0, kNoPattern, 0},
        {0xF0, kUseSource | kNoPattern, source},
        {0xCC, 0, source},
        {0xCC, kUsePattern, source},
        {0xCC, kNoSource, 0},
        {0xCC, kNoSource | kUsePattern, brush},
        {0xFC, 0, source}, /* S | P */
        {0xFC, kNoSource, brush},
        {0xFC, kNoPattern, source},
        {0x55, 0, 0}, /* ~D */
        {0x55, kUseSource, source},
        {0x55, kUsePattern, brush},
        {0x55, kUseSource | kUsePattern, source},
    };
    for (const auto& row : rows)
        EXPECT_EQ(blit_pixel(source, 0xA1B2C3D4,
                             solid_brush(brush, row.code) + modes(0x01000000) +
                                 Writes{{state::kTransparency, row.overrides}}),
                  row.result)
            << std::hex << row.code << ' ' << row.overrides;
}

/* If an override disables the destination, it is 0 in the sum and in the factors. */
TEST(Vivante2dBlend, OverridesOfTheDestinationOfABlend) {
    const struct {
        uint32_t modes, overrides, result;
    } rows[] = {
        {0x11000000, 0, 0x11223344}, /* S + D */
        {0x11000000, kUseDestination, 0x11223344},
        {0x11000000, kNoDestination, 0x10203040},
        {0x03000000, 0, 0x0F1E2D3C}, /* S (1 - 1/16): 15, 30, 45, 60 */
        {0x03000000, kNoDestination, 0x10203040},
    };
    for (const auto& row : rows) {
        const uint32_t destination = row.modes == 0x11000000 ? 0x01020304 : 0x11000000;
        EXPECT_EQ(blit_pixel(0x10203040, destination,
                             modes(row.modes) + Writes{{state::kTransparency, row.overrides}}),
                  row.result)
            << std::hex << row.modes << ' ' << row.overrides;
    }
}

/*
 * An operand that an override disables is 0 in the ROP. Enabling an unused operand has no effect.
 */
TEST(Vivante2dBlend, OverridesOfARop) {
    constexpr uint32_t s = 0x00FF00FF, d = 0x0000FFFF, p = 0x0F0F0F0F;
    const struct {
        uint32_t code, overrides, result;
    } rows[] = {
        {0x66, 0, 0x00FFFF00}, /* D ^ S */
        {0x66, kNoDestination, s},
        {0x66, kNoSource, d},
        {0x66, kNoSource | kNoDestination, 0},
        {0x5A, 0, 0x0F0FF0F0}, /* D ^ P */
        {0x5A, kNoPattern, d},
        {0x5A, kNoDestination, p},
        {0x5A, kUseSource, 0x0F0FF0F0},
        {0x3C, kNoPattern, s}, /* S ^ P */
        {0x3C, kNoSource, p},
        {0x3C, kNoSource | kNoPattern, 0},
        {0x96, kNoSource | kNoPattern, d}, /* D ^ S ^ P */
        {0x33, kNoSource, 0xFFFFFFFF},     /* ~S */
        {0x0F, kNoPattern, 0xFFFFFFFF},    /* ~P */
        {0x55, kNoDestination, 0xFFFFFFFF},
        {0xCC, kUsePattern | kUseDestination, s},
        {0xF0, kUseSource | kUseDestination, p},
    };
    for (const auto& row : rows)
        EXPECT_EQ(
            blit_pixel(s, d,
                       solid_brush(p, row.code) + Writes{{state::kTransparency, row.overrides}}),
            row.result)
            << std::hex << row.code << ' ' << row.overrides;
}

/* Each pixel where two rectangles overlap is blended twice, in the order of the rectangles. */
TEST(Vivante2dBlend, RectanglesBlendInOrder) {
    Scene scene;
    scene.words(kDstAt, {0xFF336699, 0xFF336699})
        .base(2, 1, kCommandClear, modes(0x31000000))
        .set(state::kClear32, 0x80402010)
        .draw(std::vector<Rect>{{0, 0, 1, 1}, {0, 0, 2, 1}})
        .run();
    const uint32_t once = blend(0x80402010, 0xFF336699, 0x31000000, 0, 0, 0);
    scene.expect_words(kDstAt, {blend(0x80402010, once, 0x31000000, 0, 0, 0), once});
}

} // namespace
} // namespace pixmill::test
