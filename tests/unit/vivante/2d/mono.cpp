/*
 * Monochrome expansion and masked blits, with bits from the command stream in
 * all four packings and from memory (etna_viv bitblt2d_from_stream, rnndb
 * DE.SRC_CONFIG).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <numeric>

#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kMono = kMonochrome << 24;
constexpr uint32_t kWhite = 0xFFFFFFFF;
constexpr uint32_t kBlack = 0xFF000000;
constexpr uint32_t kOld = 0x22222222;
constexpr uint32_t kDiagonal = 0x10204080; /* a PACKED8 word with pixels (0,0) to (3,3) set */

Writes mono_stream(uint32_t pack) {
    return {{state::kSrcConfig, kMono | kSrcStream | pack},
            {state::kSrcColorBg, kBlack},
            {state::kSrcColorFg, kWhite}};
}

const Writes kMasked = {{state::kTransparency, 1}, {state::kRop, 0x0030AACC}};

Words diagonal_picture(uint32_t on, uint32_t off) {
    Words picture(8 * 4, off);
    for (size_t i = 0; i < 4; i++)
        picture[i * 8 + i] = on;
    return picture;
}

/* The bits of a picture, which can be packed into stream words. */
struct Bits {
    int w, h;
    std::vector<bool> set;

    Bits(std::mt19937& random, int width, int height) : w(width), h(height) {
        for (int i = 0; i < w * h; i++)
            set.push_back(random() & 1);
    }
    bool at(int x, int y) const { return x < w && y < h && set[static_cast<size_t>(y * w + x)]; }
    uint32_t block(int x0, int y0, int bw) const {
        uint32_t word = 0;
        for (int i = 0; i < 32; i++) { /* low byte first, but high bit first in a byte */
            if (at(x0 + i % bw, y0 + i / bw))
                word |= 1u << (i / 8 * 8 + 7 - i % 8);
        }
        return word;
    }
    Words packed(uint32_t pack) const {
        Words words;
        if (pack == kUnpacked) {
            for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x += 32)
                    words.push_back(block(x, y, 32));
            }
            return words;
        }
        const int bw = pack == kPacked8 ? 8 : pack == kPacked16 ? 16 : 32;
        for (int x = 0; x < w; x += bw) {
            for (int y = 0; y < h; y += 32 / bw)
                words.push_back(block(x, y, bw));
        }
        return words;
    }
};

/* ---- Vectors ------------------------------------------------------------ */

TEST(Vivante2dMono, Packed8ExpandsToTwoColors) {
    Scene scene;
    scene.base(8, 4, kCommandBlit, mono_stream(kPacked8)).draw({0, 0, 8, 4}, {kDiagonal}).run();
    scene.expect_words(kDstAt, diagonal_picture(kWhite, kBlack));
}

TEST(Vivante2dMono, OneOfTheColorsCanBeTransparent) {
    for (bool foreground : {false, true}) {
        Scene scene;
        scene.words(kDstAt, Words(32, kOld))
            .base(8, 4, kCommandBlit, mono_stream(kPacked8) + kMasked)
            .set(state::kSrcConfig, kMono | kSrcStream | (foreground ? kMonoForeground : 0))
            .draw({0, 0, 8, 4}, {kDiagonal})
            .run();
        scene.expect_words(kDstAt, foreground ? diagonal_picture(kOld, kBlack)
                                              : diagonal_picture(kWhite, kOld));
    }
}

TEST(Vivante2dMono, UnpackedAndPacked16Vectors) {
    const uint32_t f = kWhite;
    Scene unpacked;
    unpacked.base(8, 2, kCommandBlit, mono_stream(kUnpacked) + Writes{{state::kSrcColorBg, 0}})
        .draw({0, 0, 4, 2}, {0xA0, 0x50})
        .run()
        .expect_words(kDstAt, {f, 0, f, 0, 0, 0, 0, 0, 0, f, 0, f, 0, 0, 0, 0});
    Scene packed;
    Words picture(32, kBlack);
    picture[0] = picture[14] = picture[16] = picture[31] = f;
    packed.base(16, 2, kCommandBlit, mono_stream(kPacked16))
        .draw({0, 0, 16, 2}, {0x01800280})
        .run()
        .expect_words(kDstAt, picture);
}

TEST(Vivante2dMono, MaskOfAColorSource) {
    Scene scene;
    scene.words(kDstAt, Words(32, kOld))
        .words(kSrcAt, Words(32, 0x33333333))
        .base(8, 4, kCommandBlit, kMasked)
        .set(state::kSrcConfig, 0x06000000 | kSrcStream)
        .draw({0, 0, 8, 4}, {kDiagonal})
        .run()
        .expect_words(kDstAt, diagonal_picture(0x33333333, kOld));
}

const Writes kMonoMemory = {{state::kSrcConfig, kMono},
                            {state::kSrcStride, 4},
                            {state::kSrcColorBg, kBlack},
                            {state::kSrcColorFg, kWhite}};

Words expand(std::initializer_list<uint8_t> bytes) {
    Words words;
    for (const uint8_t byte : bytes) {
        for (int bit = 7; bit >= 0; bit--)
            words.push_back(byte >> bit & 1 ? kWhite : kBlack);
    }
    return words;
}

TEST(Vivante2dMono, BitsInMemoryStartAtTheMostSignificant) {
    Scene scene;
    scene.bytes(kSrcAt, {0xC1, 0, 0, 0, 0x3C})
        .base(8, 2, kCommandBlit, kMonoMemory)
        .draw({0, 0, 8, 2})
        .run()
        .expect_words(kDstAt, expand({0xC1, 0x3C}));
}

/* ---- Streams of every size ----------------------------------------------- */

constexpr int kWide = 80;

void expect_stream(const Bits& bits, uint32_t pack, const Writes& extra, bool mirror_x,
                   bool mirror_y) {
    SCOPED_TRACE(testing::Message() << bits.w << "x" << bits.h << " pack " << (pack >> 12));
    Scene scene;
    scene.base(kWide, 20, kCommandBlit, mono_stream(pack) + extra)
        .draw({3, 2, 3 + bits.w, 2 + bits.h}, bits.packed(pack))
        .run();
    Words picture(kWide * 20, 0);
    for (int y = 0; y < bits.h; y++) {
        for (int x = 0; x < bits.w; x++) {
            const bool on = bits.at(mirror_x ? bits.w - 1 - x : x, mirror_y ? bits.h - 1 - y : y);
            picture[static_cast<size_t>((y + 2) * kWide + x + 3)] = on ? kWhite : kBlack;
        }
    }
    scene.expect_words(kDstAt, picture);
}

TEST(Vivante2dMono, EveryPackingOfEverySize) {
    std::mt19937 random(1);
    for (uint32_t pack : {kPacked8, kPacked16, kPacked32, kUnpacked}) {
        for (int w : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 70}) {
            for (int h : {1, 2, 3, 4, 5, 9})
                expect_stream(Bits(random, w, h), pack, {}, false, false);
        }
    }
}

TEST(Vivante2dMono, MirrorsTurnTheStream) {
    std::mt19937 random(2);
    for (uint32_t pack : {kPacked8, kPacked16, kPacked32, kUnpacked}) {
        const Bits bits(random, 19, 6);
        for (uint32_t mirror : {1u, 2u, 3u})
            expect_stream(bits, pack, {{state::kRotAngle, mirror << 12}}, mirror & 1, mirror & 2);
    }
}

TEST(Vivante2dMono, OriginAndRotationOfTheSourceDoNotMoveTheStream) {
    std::mt19937 random(3);
    expect_stream(Bits(random, 21, 5), kUnpacked,
                  {{state::kSrcOrigin, pack_xy(7, -3)},
                   {state::kSrcRotation, 21},
                   {state::kSrcRotationHeight, 5},
                   {state::kRotAngle, 5}},
                  false, false);
}

TEST(Vivante2dMono, ClipDoesNotMoveTheStream) {
    std::mt19937 random(4);
    for (uint32_t pack : {kPacked8, kPacked16, kPacked32, kUnpacked}) {
        const Bits bits(random, 40, 12);
        Scene scene;
        scene.base(64, 16, kCommandBlit, mono_stream(pack))
            .add(clip(9, 3, 30, 10))
            .draw({-5, -1, 35, 11}, bits.packed(pack))
            .run();
        Words picture(64 * 16, 0);
        for (int y = 3; y < 10; y++) {
            for (int x = 9; x < 30; x++)
                picture[static_cast<size_t>(y * 64 + x)] = bits.at(x + 5, y + 1) ? kWhite : kBlack;
        }
        scene.expect_words(kDstAt, picture);
    }
}

/* The FIFO holds 2047 words, so a draw has at most that much mask data. */
TEST(Vivante2dMono, LargestStream) {
    std::mt19937 random(5);
    const Bits bits(random, 32, 2047);
    Scene scene;
    const Words data = bits.packed(kUnpacked);
    ASSERT_EQ(data.size(), 2047u);
    scene.base(32, 2047, kCommandBlit, mono_stream(kUnpacked))
        .set(state::kDestConfig, dest_config(kA4R4G4B4, kCommandBlit))
        .set(state::kDestStride, 32 * 2)
        .set(state::kDestAddress, 0xE0000)
        .draw({0, 0, 32, 2047}, data)
        .run(50'000'000);
    std::vector<uint16_t> picture;
    for (const bool on : bits.set)
        picture.push_back(on ? 0xFFFF : 0xF000);
    scene.expect_halves(0xE0000, picture);
}

TEST(Vivante2dMono, MaskedBlitKeepsPixelsAndMaskInStepWhenMirrored) {
    std::mt19937 random(6);
    const Bits bits(random, 13, 5);
    Scene scene;
    scene.words(kDstAt, Words(16 * 8, kOld))
        .words(kSrcAt, count_from(0x100, 16 * 8))
        .base(16, 8, kCommandBlit, kMasked)
        .set({{state::kSrcConfig, 0x06000000 | kSrcStream | kUnpacked},
              {state::kSrcOrigin, pack_xy(2, 1)},
              {state::kRotAngle, 1u << 12}})
        .draw({1, 2, 14, 7}, bits.packed(kUnpacked))
        .run();
    Words picture(16 * 8, kOld);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 13; x++) {
            const int from = 12 - x;
            if (bits.at(from, y))
                picture[static_cast<size_t>((y + 2) * 16 + x + 1)] =
                    0x100 + static_cast<uint32_t>((y + 1) * 16 + 2 + from);
        }
    }
    scene.expect_words(kDstAt, picture);
}

/* ---- Memory -------------------------------------------------------------- */

TEST(Vivante2dMono, OriginCountsBits) {
    Scene scene; /* the picture starts at bit 11 of C1 3C A5 */
    scene.bytes(kSrcAt + 4, {0xC1, 0x3C, 0xA5})
        .base(8, 1, kCommandBlit, kMonoMemory)
        .set(state::kSrcOrigin, pack_xy(11, 1))
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, expand({0xE5}));
}

TEST(Vivante2dMono, RelativeOriginFollowsTheRectangles) {
    Scene scene;
    scene.bytes(kSrcAt, {0xC1, 0x3C, 0xA5, 0x0F})
        .base(32, 1, kCommandBlit, kMonoMemory)
        .set(state::kSrcConfig, kMono | kSrcRelative)
        .draw(std::vector<Rect>{{0, 0, 8, 1}, {8, 0, 16, 1}, {24, 0, 32, 1}})
        .run()
        .expect_words(kDstAt, expand({0xC1, 0x3C}))
        .expect_words(kDstAt + 24 * 4, expand({0x0F}));
}

TEST(Vivante2dMono, PackDoesNotMatterInMemory) {
    for (uint32_t pack : {kPacked16, kPacked32, kUnpacked}) {
        Scene scene;
        scene.bytes(kSrcAt, {0xC1, 0x3C, 0xA5, 0x0F})
            .base(32, 1, kCommandBlit, kMonoMemory)
            .set(state::kSrcConfig, kMono | pack)
            .draw({0, 0, 32, 1})
            .run()
            .expect_words(kDstAt, expand({0xC1, 0x3C, 0xA5, 0x0F}));
    }
}

TEST(Vivante2dMono, SourceInMemoryRotates) {
    Scene scene; /* FLIP_X reverses the eight bits */
    scene.bytes(kSrcAt, {0xC1})
        .base(8, 1, kCommandBlit, kMonoMemory)
        .set({{state::kRotAngle, 1}, {state::kSrcRotation, 8}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, expand({0x83}));
}

TEST(Vivante2dMono, TransparentColorInMemory) {
    Scene scene;
    scene.bytes(kSrcAt, {0xF0})
        .words(kDstAt, Words(8, kOld))
        .base(8, 1, kCommandBlit, kMonoMemory + kMasked)
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, {kWhite, kWhite, kWhite, kWhite, kOld, kOld, kOld, kOld});
}

TEST(Vivante2dMono, KeyOfAMonoSourceIsItsTransparency) {
    Scene scene;
    scene.bytes(kSrcAt, {0xF0})
        .words(kDstAt, Words(8, kOld))
        .base(8, 1, kCommandBlit, kMonoMemory + kMasked)
        .set(state::kTransparency, 2)
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, {kWhite, kWhite, kWhite, kWhite, kOld, kOld, kOld, kOld});
}

TEST(Vivante2dMono, ColorsAreArgbWhateverTheDestination) {
    Scene scene;
    scene.bytes(kSrcAt, {0x80})
        .base(8, 1, kCommandBlit, kMonoMemory)
        .set({{state::kSrcColorFg, 0xFF123456},
              {state::kSrcColorBg, 0x00FF0000},
              {state::kDestConfig, dest_config(kR5G6B5, kCommandBlit, 2)}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_halves(kDstAt, {0x51A2, 0x001F}); /* 123456 and FF0000 as BGR565 */
}

/* Even if both colors are equal, the bits must be read: they say which pixels are transparent. */
TEST(Vivante2dMono, TransparencyOfBitsWithEqualColors) {
    for (uint32_t foreground : {0u, 1u}) { /* MONO_TRANSPARENCY */
        Scene scene;
        scene.bytes(kSrcAt, {0xA0})
            .words(kDstAt, {9, 9, 9, 9})
            .base(4, 1, kCommandBlit,
                  {{state::kSrcConfig, kMonochrome << 24 | foreground << 15},
                   {state::kSrcStride, 4},
                   {state::kSrcColorFg, 0xFF000007},
                   {state::kSrcColorBg, 0xFF000007},
                   {state::kTransparency, 1},
                   {state::kRop, 0x0030AACC}})
            .draw({0, 0, 4, 1})
            .run();
        if (foreground)
            scene.expect_words(kDstAt, {9, 0xFF000007, 9, 0xFF000007});
        else
            scene.expect_words(kDstAt, {0xFF000007, 9, 0xFF000007, 9});
    }
}

} // namespace
} // namespace pixmill::test
