/*
 * Brushes: mono and color 8x8 patterns, the pattern mask, and when a pattern is
 * loaded (rnndb DE.PATTERN_*; etna_viv line2d_patterned; Vivante's 2D
 * HAL).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kFg = 0x99999999;
constexpr uint32_t kBg = 0x11111111;
constexpr uint32_t kPatternAt = 0x80000;
constexpr uint32_t kInitAll = 0xC0;
constexpr uint32_t kInitPattern = 0x80;
constexpr uint32_t kInitConfig = 0x40;
constexpr uint32_t kTypePattern = 0x10;
constexpr uint32_t kMonoPattern = kMonochrome << 24 | kTypePattern;

Writes mono_pattern(uint32_t low, uint32_t high, uint32_t config = kMonoPattern | kInitAll) {
    return {{state::kRop, rop4(0xF0)}, {state::kPatternLow, low}, {state::kPatternHigh, high},
            {state::kPatternBg, kBg},  {state::kPatternFg, kFg},  {state::kPatternConfig, config}};
}

/* Returns the pattern's bit for pixel (x, y). Byte j is row j; bit 7 is its leftmost pixel. */
bool pattern_bit(uint64_t bits, int x, int y, uint32_t origin_x = 0, uint32_t origin_y = 0) {
    const uint32_t i = (static_cast<uint32_t>(x) - origin_x) & 7;
    const uint32_t j = (static_cast<uint32_t>(y) - origin_y) & 7;
    return bits >> (8 * j + 7 - i) & 1;
}

constexpr uint32_t origin_config(uint32_t x, uint32_t y) {
    return x << 16 | y << 20;
}

TEST(Vivante2dPatterns, MonoPatternAndItsOrigin) {
    Scene plain;
    Words row(8, kBg);
    row[7] = kFg;
    plain.base(8, 1, kCommandBlit, mono_pattern(1, 0))
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
    Scene moved;
    std::swap(row[0], row[7]);
    moved.base(8, 1, kCommandBlit, mono_pattern(1, 0, 0x0A0100D0))
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
}

TEST(Vivante2dPatterns, MaskChoosesBetweenTheTwoRops) {
    Scene scene;
    Words row(8, 0x22222222);
    scene.words(kDstAt, row)
        .base(8, 1, kCommandBlit,
              {{state::kPatternMaskLow, 0xF0},
               {state::kPatternMaskHigh, 0},
               {state::kPatternFg, kFg},
               {state::kPatternConfig, kInitAll},
               {state::kTransparency, 0x10},
               {state::kRop, 0x0030AAF0}})
        .draw({0, 0, 8, 1})
        .run();
    row[0] = row[1] = row[2] = row[3] = kFg;
    scene.expect_words(kDstAt, row);
}

TEST(Vivante2dPatterns, OpaquePatternIgnoresTheMask) {
    Scene scene;
    scene.base(8, 1, kCommandBlit, solid_brush(kFg))
        .set({{state::kPatternMaskLow, 0}, {state::kPatternMaskHigh, 0}, {state::kRop, 0x0030AAF0}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, Words(8, kFg));
}

TEST(Vivante2dPatterns, EveryOriginOfMonoPatternAndMask) {
    std::mt19937 random(1);
    for (uint32_t origin = 0; origin < 64; origin++) {
        const uint64_t bits = static_cast<uint64_t>(random()) << 32 | random();
        const uint64_t mask = static_cast<uint64_t>(random()) << 32 | random();
        const uint32_t ox = origin & 7;
        const uint32_t oy = origin >> 3;
        Scene scene;
        scene.words(kDstAt, Words(16 * 16, 0x22222222))
            .base(16, 16, kCommandBlit,
                  mono_pattern(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32),
                               kMonoPattern | kInitAll | origin_config(ox, oy)))
            .set({{state::kPatternMaskLow, static_cast<uint32_t>(mask)},
                  {state::kPatternMaskHigh, static_cast<uint32_t>(mask >> 32)},
                  {state::kTransparency, 0x10},
                  {state::kRop, 0x0030AAF0}})
            .draw({1, 2, 15, 13})
            .run();
        Words picture;
        for (int y = 0; y < 16; y++) {
            for (int x = 0; x < 16; x++) {
                const bool inside = x >= 1 && x < 15 && y >= 2 && y < 13;
                const bool drawn = inside && pattern_bit(mask, x, y, ox, oy);
                picture.push_back(!drawn                            ? 0x22222222
                                  : pattern_bit(bits, x, y, ox, oy) ? kFg
                                                                    : kBg);
            }
        }
        scene.expect_words(kDstAt, picture);
    }
}

class Vivante2dColorPattern : public testing::TestWithParam<uint32_t> {};

TEST_P(Vivante2dColorPattern, SixtyFourPixelsInEverySwizzle) {
    const uint32_t format = GetParam();
    for (uint32_t swizzle = 0; swizzle < 4; swizzle++) {
        std::mt19937 random(format * 4 + swizzle);
        Scene scene;
        scene.words(kPatternAt, random_words(random, 64));
        const uint32_t bpp = bytes_per_pixel(format);
        Words picture;
        for (int y = 0; y < 12; y++) {
            for (int x = 0; x < 12; x++) {
                const uint32_t index =
                    ((static_cast<uint32_t>(y) - 5) & 7) * 8 + ((static_cast<uint32_t>(x) - 3) & 7);
                const uint32_t at = kPatternAt + index * bpp;
                const uint32_t raw = bpp == 4 ? scene.m.ram.word(at) : scene.m.ram.half(at);
                picture.push_back(decode_pixel(format, swizzle, raw));
            }
        }
        scene
            .base(12, 12, kCommandBlit,
                  {{state::kRop, rop4(0xF0)},
                   {state::kPatternAddress, kPatternAt},
                   {state::kPatternConfig,
                    format << 24 | swizzle << 8 | origin_config(3, 5) | kTypePattern | kInitAll}})
            .draw({0, 0, 12, 12})
            .run()
            .expect_words(kDstAt, picture);
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Vivante2dColorPattern, testing::Range(0u, 7u));

TEST(Vivante2dPatterns, PaletteImageAsAPattern) {
    Scene scene; /* GC320 r5007 lacks 2D_NO_INDEX8_BRUSH, so INDEX8 brushes work */
    std::vector<uint8_t> pixels(64, 0);
    pixels[1] = 7;
    Words row(8, 0xFF000001);
    row[1] = 0xFF070707;
    scene.bytes(kPatternAt, pixels)
        .base(8, 1, kCommandBlit,
              {{state::kPalette32, 0xFF000001},
               {state::kPalette32 + 7 * 4, 0xFF070707},
               {state::kRop, rop4(0xF0)},
               {state::kPatternAddress, kPatternAt},
               {state::kPatternConfig, kIndex8 << 24 | kTypePattern | kInitAll}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
}

/*
 * On PE 1.0, palette entries are pixels in the destination's format, or ARGB for a YUV destination.
 */
TEST(Vivante2dPatterns, PaletteImageOnYuv) {
    Scene scene(kPe10); /* gray EE has Y 16 + 219 * 238 / 255 = 220.4; integer BT.601 gives 221 */
    scene.bytes(kPatternAt, std::vector<uint8_t>(64, 0))
        .base(4, 1, kCommandBlit,
              {{state::kDestStride, 8},
               {state::kDestConfig, kYuy2 | kCommandBlit},
               {state::kPalette10, 0xFFEEEEEE},
               {state::kRop, rop4(0xF0)},
               {state::kPatternAddress, kPatternAt},
               {state::kPatternConfig, kIndex8 | kTypePattern | kInitAll}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0x80DD80DD, 0x80DD80DD});
}

/* Patterns are aligned to virtual coordinates, not to memory. */
TEST(Vivante2dPatterns, RotatedDestinationCarriesThePatternAlong) {
    Scene scene; /* ROT180 of 8x1 pixels stores virtual x 7, the only set bit, at 0 */
    Words row(8, kBg);
    row[0] = kFg;
    scene.base(8, 1, kCommandBlit, mono_pattern(1, 0))
        .set({{state::kRotAngle, 5 << 3},
              {state::kDestRotation, 8},
              {state::kDestRotationHeight, 1}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
}

TEST(Vivante2dPatterns, RopsMixPatternSourceAndDestination) {
    std::mt19937 random(3);
    for (int i = 0; i < 64; i++) {
        const uint32_t code = random() & 0xFF;
        const Words src = random_words(random, 8);
        const Words dst = random_words(random, 8);
        const uint32_t bits = random() & 0xFF;
        const Words out =
            blit_row(src, dst, mono_pattern(bits, 0) + Writes{{state::kRop, 0x00200000 | code}});
        for (int x = 0; x < 8; x++) {
            const auto n = static_cast<size_t>(x);
            EXPECT_EQ(out[n], rop3(code, dst[n], src[n], pattern_bit(bits, x, 0) ? kFg : kBg))
                << std::hex << code;
        }
    }
}

/* ---- Load time of a pattern ---------------------------------------------- */

Writes color_pattern(uint32_t trigger) {
    return {{state::kPatternConfig, kA8R8G8B8 << 24 | kTypePattern | trigger}};
}

TEST(Vivante2dPatterns, ColorPatternIsReadAtItsTrigger) {
    Scene scene;
    const Words first = count_from(0x1000, 8);
    const Words second = count_from(0x2000, 8);
    scene.words(kPatternAt, first)
        .base(8, 4, kCommandBlit, {{state::kRop, rop4(0xF0)}, {state::kPatternAddress, kPatternAt}})
        .set(color_pattern(kInitAll))
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, first);
    scene.check();
    scene.words(kPatternAt, second)
        .words(kPatternAt + 32, second)
        .draw({0, 0, 8, 1}) /* must use the first pattern */
        .set(color_pattern(kInitPattern))
        .draw({0, 1, 8, 2})
        .run()
        .expect_words(kDstAt, first)
        .expect_words(kDstAt + 32, second);
}

TEST(Vivante2dPatterns, MonoPatternAndColorsAreTakenAtTheirTrigger) {
    Scene scene;
    const Writes other = {{state::kPatternLow, 0x80},
                          {state::kPatternFg, 0x55555555},
                          {state::kPatternBg, 0x44444444}};
    scene.base(8, 2, kCommandBlit, mono_pattern(1, 1 << 8))
        .set(other)
        .draw({0, 0, 8, 1})
        .set({{state::kPatternConfig, kMonoPattern | kInitAll}, {state::kPatternHigh, 0}})
        .draw({8, 0, 8, 1}) /* an empty rectangle draws nothing */
        .draw({0, 1, 8, 2});
    Words row(8, kBg);
    row[7] = kFg;
    scene.run().expect_words(kDstAt, row).expect_words(kDstAt + 32, Words(8, 0x44444444));
}

/*
 * INIT_TRIGGER 2 loads the pattern with the previous configuration, not the one it is written with.
 */
TEST(Vivante2dPatterns, InitPatternKeepsTheOrigin) {
    Scene scene;
    Words row(8, 0x44444444);
    row[2] = 0x55555555; /* the pattern's first pixel, with an origin of 2 */
    scene
        .base(8, 1, kCommandBlit, mono_pattern(1, 0, kMonoPattern | kInitAll | origin_config(2, 0)))
        .set({{state::kPatternLow, 0x80},
              {state::kPatternFg, 0x55555555},
              {state::kPatternBg, 0x44444444},
              {state::kPatternConfig, kMonoPattern | kInitPattern | origin_config(5, 0)}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
}

TEST(Vivante2dPatterns, InitPatternKeepsTheFormat) {
    const uint32_t others[] = {
        kR5G6B5 << 24 | kTypePattern,             /* two bytes per pixel */
        kIndex8 << 24 | kTypePattern,             /* one byte, and a palette */
        kMonoPattern,                             /* not in memory */
        kA8R8G8B8 << 24,                          /* solid */
        kA8R8G8B8 << 24 | kTypePattern | 1 << 8,  /* a different swizzle */
        kA8R8G8B8 << 24 | kTypePattern | 2u << 30 /* a different byte order */
    };
    for (const uint32_t other : others) {
        SCOPED_TRACE(testing::Message() << std::hex << other);
        Scene scene;
        const Words first = count_from(0x11223340, 8), second = count_from(0x55667780, 8);
        scene.words(kPatternAt, first)
            .words(kPatternAt + 0x100, second)
            .base(8, 2, kCommandBlit,
                  {{state::kRop, rop4(0xF0)}, {state::kPatternAddress, kPatternAt}})
            .set(color_pattern(kInitAll))
            .draw({0, 0, 8, 1})
            .set({{state::kPatternAddress, kPatternAt + 0x100 - 32},
                  {state::kPatternConfig, other | kInitPattern}})
            .draw({0, 1, 8, 2}) /* shows row 1 of the brush, which is 32 bytes after row 0 */
            .run()
            .expect_words(kDstAt, first)
            .expect_words(kDstAt + 32, second);
    }
}

/* INIT_TRIGGER 0 and 1 apply the configuration, here the origin, but do not load the pattern. */
TEST(Vivante2dPatterns, InitConfigLoadsNoMonoPattern) {
    for (const uint32_t trigger : {0u, kInitConfig}) {
        SCOPED_TRACE(trigger);
        Scene scene;
        Words row(8, kBg);
        row[2] = kFg; /* the pattern's last pixel, with an origin of 3 */
        scene.base(8, 1, kCommandBlit, mono_pattern(1, 0))
            .set({{state::kPatternLow, 0x81},
                  {state::kPatternFg, 0x55555555},
                  {state::kPatternBg, 0x44444444},
                  {state::kPatternConfig, kMonoPattern | trigger | origin_config(3, 0)}})
            .draw({0, 0, 8, 1})
            .run()
            .expect_words(kDstAt, row);
    }
}

TEST(Vivante2dPatterns, InitConfigLoadsNoColorPattern) {
    for (const uint32_t trigger : {0u, kInitConfig})
        for (const uint32_t address : {kPatternAt, kPatternAt + 0x100}) {
            SCOPED_TRACE(testing::Message() << trigger << std::hex << ' ' << address);
            Scene scene;
            scene.words(kPatternAt, {10, 11, 12, 13, 14, 15, 16, 17})
                .base(8, 1, kCommandBlit,
                      {{state::kRop, rop4(0xF0)}, {state::kPatternAddress, kPatternAt}})
                .set(color_pattern(kInitAll))
                .run()
                .check();
            scene.words(kPatternAt, Words(128, 0x66666666))
                .set(state::kPatternAddress, address)
                .set(color_pattern(trigger | origin_config(3, 0)))
                .draw({0, 0, 8, 1})
                .run()
                .expect_words(kDstAt, {15, 16, 17, 10, 11, 12, 13, 14});
        }
}

/* INIT_TRIGGER 2 loads the pattern with the configuration that a write with 0 or 1 has set. */
TEST(Vivante2dPatterns, InitPatternAfterInitConfig) {
    for (const uint32_t trigger : {0u, kInitConfig}) {
        SCOPED_TRACE(trigger);
        Scene scene;
        scene.halves(kPatternAt, {0x001F, 0x07E0, 0xF800, 0xFFFF, 0, 0, 0, 0})
            .base(8, 1, kCommandBlit,
                  {{state::kRop, rop4(0xF0)}, {state::kPatternAddress, kPatternAt}})
            .set(color_pattern(kInitAll))
            .set({{state::kPatternConfig,
                   kR5G6B5 << 24 | kTypePattern | trigger | origin_config(1, 0)},
                  {state::kPatternConfig, kMonoPattern | kInitPattern}})
            .draw({0, 0, 8, 1})
            .run()
            .expect_words(kDstAt, {0xFF000000, 0xFF0000FF, 0xFF00FF00, 0xFFFF0000, 0xFFFFFFFF,
                                   0xFF000000, 0xFF000000, 0xFF000000});
    }
}

TEST(Vivante2dPatterns, MaskIsLive) {
    Scene scene;
    Words row(8, 0);
    row[0] = kFg;
    scene.base(8, 1, kCommandBlit, solid_brush(kFg))
        .set({{state::kTransparency, 0x10},
              {state::kRop, 0x0030AAF0},
              {state::kPatternMaskLow, 0x80}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
}

/* The loaded pattern must be part of the saved state, because no register contains it. */
TEST(Vivante2dPatterns, LoadedPatternMigrates) {
    Scene scene;
    const Words first = count_from(0x1000, 8);
    scene.words(kPatternAt, first)
        .base(8, 1, kCommandBlit, {{state::kRop, rop4(0xF0)}, {state::kPatternAddress, kPatternAt}})
        .set(color_pattern(kInitAll))
        .run();
    scene.words(kPatternAt, Words(64, 0x66666666));
    scene.forget();
    scene.m.migrate();
    scene.draw({0, 0, 8, 1}).run().expect_words(kDstAt, first);
}

TEST(Vivante2dPatterns, UnusedPatternIsNotRead) {
    EXPECT_EQ(blit_pixel(5, 6,
                         {{state::kPatternAddress, 0x70000000},
                          {state::kPatternConfig, kA8R8G8B8 << 24 | kTypePattern}}),
              5u);
}

} // namespace
} // namespace pixmill::test
