/*
 * Transparency: source and destination color keys, the background ROP, DirectFB's key (rnndb
 * PE_TRANSPARENCY; TItest ColorKey cases of the 2D HAL).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

using Halves = std::vector<uint16_t>;

constexpr uint32_t kSourceKey = 0x002;
constexpr uint32_t kDestKey = 0x200;
constexpr uint32_t kDfb = 0x20000000;
constexpr uint32_t kKeepRop = 0x0030AACC; /* ROP4: copies, but keeps transparent pixels */

Writes source_key(uint32_t low, uint32_t high, uint32_t rop = kKeepRop) {
    return {{state::kSrcColorBg, low},
            {state::kSrcColorKeyHigh, high},
            {state::kTransparency, kSourceKey},
            {state::kRop, rop}};
}

Writes dest_key(uint32_t low, uint32_t high, uint32_t rop = kKeepRop) {
    return {{state::kDestColorKey, low},
            {state::kDestColorKeyHigh, high},
            {state::kTransparency, kDestKey},
            {state::kRop, rop}};
}

void expect_565(const Writes& states, const Halves& expected) {
    Scene scene;
    Halves row(8, 0x1111);
    scene.halves(kSrcAt, {0xF81F, 0xF81E, 0x07E0, 0xF81F})
        .halves(kDstAt, row)
        .base(8, 1, kCommandBlit,
              {{state::kSrcConfig, 0x04000000},
               {state::kSrcStride, 16},
               {state::kDestConfig, 0x2004},
               {state::kDestStride, 16}})
        .set(states)
        .draw({0, 0, 4, 1})
        .run();
    std::copy(expected.begin(), expected.end(), row.begin());
    scene.expect_halves(kDstAt, row);
}

TEST(Vivante2dKeys, SourceKeyLeavesPixelsAlone) {
    expect_565(source_key(0xF81F, 0xF81F), {0x1111, 0xF81E, 0x07E0, 0x1111});
}

TEST(Vivante2dKeys, SourceKeyIsARange) {
    expect_565(source_key(0xF81E, 0xF81F), {0x1111, 0x1111, 0x07E0, 0x1111});
}

TEST(Vivante2dKeys, RangeWithItsEndsExchangedMatchesNothing) {
    expect_565(source_key(0xF81F, 0xF81E), {0xF81F, 0xF81E, 0x07E0, 0xF81F});
}

TEST(Vivante2dKeys, DestinationKeyNamesThePixelsToDrawOn) {
    const Words old = {0xFF00FF00, 0xFF00FE00, 0xFF00FF00, 0xFFFFFFFF};
    EXPECT_EQ(blit_row({1, 2, 3, 4}, old, dest_key(0xFF00FF00, 0xFF00FF00)),
              (Words{1, 0xFF00FE00, 3, 0xFFFFFFFF}));
    EXPECT_EQ(blit_row({1, 2, 3, 4}, old, dest_key(0xFF00FE00, 0xFF00FFFF)),
              (Words{1, 2, 3, 0xFFFFFFFF}));
    EXPECT_EQ(blit_row({1, 2, 3, 4}, old, dest_key(0xFF00FF00, 0xFF00FE00)), old);
}

/* A pixel matches the key if every component is in its range. X bits are not compared. */
TEST(Vivante2dKeys, RangesAreComparedByComponent) {
    const Words src = {0x80203040, 0x80504040, 0x80206040, 0x80203070,
                       0x10203040, 0x80102030, 0x80405060, 0xFF203040};
    const Words old(8, 0x5A5A5A5A);
    const Words argb = blit_row(src, old, source_key(0x20102030, 0xC0405060));
    const bool key[] = {true, false, false, false, false, true, true, false};
    for (size_t i = 0; i < 8; i++)
        EXPECT_EQ(argb[i], key[i] ? old[i] : src[i]) << i;
    const Words xrgb =
        blit_row(src, old,
                 source_key(0x20102030, 0xC0405060) + Writes{{state::kSrcConfig, kX8R8G8B8 << 24}});
    for (size_t i = 0; i < 8; i++)
        EXPECT_EQ(xrgb[i], key[i] || i == 4 || i == 7 ? old[i] : src[i] | 0xFF000000) << i;
}

TEST(Vivante2dKeys, KeyIsComparedWithTheStoredPixel) {
    /* ABGR stores red in 7:0. The key must be compared with the stored word. */
    const Writes abgr = {{state::kSrcConfig, src_config(kA8R8G8B8, 2)}};
    EXPECT_EQ(blit_row({0xFF0000FF, 0xFFFF0000}, {7, 7}, source_key(0xFF0000FF, 0xFF0000FF) + abgr),
              (Words{7, 0xFF0000FF}));
    const Writes rgba5551 = {{state::kSrcConfig, src_config(kA1R5G5B5, 1)}};
    /* The ranges are R 10 to 1F, G 0 to 1, B 0 to 1F and A 0 to 1. */
    const Words out =
        blit_row({0xF8018001, 0x7801F8C1}, {7, 7, 7, 7}, source_key(0x8000, 0xF87F) + rgba5551);
    EXPECT_EQ(out, (Words{7, 7, 0xFFFF1800, 0xFF7B0000}));
}

TEST(Vivante2dKeys, KeyOfAPaletteImageIsTheIndex) {
    Scene scene;
    scene.bytes(kSrcAt, {3, 4, 5, 3})
        .words(kDstAt, Words(4, 7))
        .base(4, 1, kCommandBlit, source_key(4, 5))
        .set({{state::kSrcConfig, kIndex8 << 24}, {state::kPalette32 + 4 * 3, 0x04040404}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0x04040404, 7, 7, 0x04040404});
}

/*
 * A key is in the source's format, so it is compared with Y, U and V before UV_SWIZZLE applies. The
 * colors are those of Vivante2dYuv.Nv12AndNv21.
 */
TEST(Vivante2dKeys, KeyOfAYuvImageIsComparedWithTheStoredChroma) {
    constexpr uint32_t old = 0xFF222222;
    constexpr uint32_t grey = 0xFF4C4C4C;
    const struct {
        uint32_t key, uv_swizzle, color;
    } rows[] = {{0x515AF0, 0, old},
                {0x515AF0, 0x10, old},
                {0x51F05A, 0, 0xFFFF0000},
                {0x51F05A, 0x10, 0xFF0F3FFF}};
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << std::hex << row.key << ' ' << row.uv_swizzle);
        Scene scene;
        scene.bytes(kSrcAt, {0x51, 0x5A, 0x51, 0xF0, 0x51, 0x80, 0x51, 0x80})
            .words(kDstAt, Words(4, old))
            .base(4, 1, kCommandBlit, source_key(row.key, row.key))
            .set({{state::kSrcConfig, kYuy2 << 24}, {state::kPeControl, row.uv_swizzle}})
            .draw({0, 0, 4, 1})
            .run()
            .expect_words(kDstAt, {row.color, row.color, grey, grey});
    }
}

TEST(Vivante2dKeys, DestinationKeyIsComparedWithTheStoredPixel) {
    Scene scene; /* RGB565 with R and B swapped; the key is in the stored order */
    scene.halves(kDstAt, {0xF800, 0x001F})
        .words(kSrcAt, {0xFF00FF00, 0xFF00FF00})
        .base(2, 1, kCommandBlit, dest_key(0xF800, 0xF800))
        .set(state::kDestConfig, dest_config(kR5G6B5, kCommandBlit, 2))
        .draw({0, 0, 2, 1})
        .run()
        .expect_halves(kDstAt, {0x07E0, 0x001F});
}

/* ---- Effect on transparent pixels ---------------------------------------- */

TEST(Vivante2dKeys, BackgroundRopDrawsTransparentPixels) {
    /* ROP 55CC copies opaque pixels and inverts the destination of transparent ones. */
    EXPECT_EQ(blit_row({1, 2}, {0x0F, 0x0F}, source_key(1, 1, 0x003055CC)), (Words{0xFFFFFFF0, 2}));
    EXPECT_EQ(blit_row({1, 2}, {0x0F, 0x0F}, source_key(1, 1, 0x0030FFCC)), (Words{~0u, 2}));
    EXPECT_EQ(blit_row({1, 2}, {0x0F, 0x0F}, dest_key(0x10, 0x10, 0x0030CC33)), (Words{1, 2}));
}

TEST(Vivante2dKeys, AllBackgroundRops) {
    std::mt19937 random(1);
    for (uint32_t code = 0; code < 256; code++) {
        const Words src = random_words(random, 2);
        const Words dst = random_words(random, 2);
        const auto brush = static_cast<uint32_t>(random());
        const uint32_t fore = random() & 0xFF;
        Writes states = solid_brush(brush);
        states = states + source_key(src[0], src[0], 0x00300000 | code << 8 | fore);
        EXPECT_EQ(blit_row(src, dst, states),
                  (Words{rop3(code, dst[0], src[0], brush), rop3(fore, dst[1], src[1], brush)}))
            << std::hex << code << " " << fore;
    }
}

TEST(Vivante2dKeys, RopsWithoutABackgroundLeaveTransparentPixelsAlone) {
    for (uint32_t rop : {0x002000CCu, 0x0020FFCCu, 0x0010000Cu})
        EXPECT_EQ(blit_row({1, 2}, {0x0F, 0x0F}, source_key(1, 1, rop)), (Words{0x0F, 2}))
            << std::hex << rop;
}

TEST(Vivante2dKeys, DirectFbKeyNeverWritesTransparentPixels) {
    for (uint32_t rop : {0x0030CCCCu, 0x003000CCu, 0x0030FFCCu})
        EXPECT_EQ(
            blit_row({1, 2}, {0x0F, 0x0F},
                     source_key(1, 1, rop) + Writes{{state::kTransparency, kSourceKey | kDfb}}),
            (Words{0x0F, 2}))
            << std::hex << rop;
}

TEST(Vivante2dKeys, BlendingDoesNotWriteTransparentPixels) {
    const Writes blend = {{state::kAlphaControl, 1}, {state::kAlphaModes, 0x11000000}};
    EXPECT_EQ(blit_row({1, 2}, {0x10, 0x10}, source_key(1, 1) + blend), (Words{0x10, 0x12}));
    EXPECT_EQ(blit_row({1, 2}, {0x10, 0x20}, dest_key(0x20, 0x20) + blend), (Words{0x10, 0x22}));
}

TEST(Vivante2dKeys, EitherKeyMakesAPixelTransparent) {
    const Writes both = source_key(1, 1) + dest_key(0x10, 0x1F) +
                        Writes{{state::kTransparency, kSourceKey | kDestKey}};
    EXPECT_EQ(blit_row({1, 2, 1, 2}, {0x10, 0x10, 0x20, 0x20}, both), (Words{0x10, 2, 0x20, 0x20}));
}

TEST(Vivante2dKeys, SourceKeyReadsTheSourceThoughTheRopDoesNot) {
    const Writes states = solid_brush(0x77) + source_key(1, 1, 0x0030AAF0);
    EXPECT_EQ(blit_row({1, 2}, {5, 6}, states), (Words{5, 0x77}));
}

TEST(Vivante2dKeys, KeysDoNotConcernClears) {
    Scene scene;
    scene.words(kDstAt, {1, 2})
        .base(2, 1, kCommandClear, source_key(9, 9) + dest_key(1, 1))
        .set({{state::kTransparency, kSourceKey | kDestKey | kDfb}, {state::kClear32, 9}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_words(kDstAt, {9, 9});
}

/*
 * A filter looks up the colors first. Key 1 must not match index 1, and key 5 must not match its
 * color, whose blue is 5.
 */
TEST(Vivante2dKeys, FilteredIndicesHaveNoKey) {
    for (const uint32_t key : {1u, 5u}) {
        Scene scene;
        scene.bytes(kSrcAt, {1, 2})
            .base(2, 1, 0x5000, source_key(key, key))
            .table(state::kFilterKernel, identity_kernel())
            .table(state::kPalette32 + 4, {0xFF112205, 0xFF334406})
            .set({{state::kSrcConfig, kIndex8 << 24},
                  {state::kTransparency, kSourceKey | kDfb}, /* a filter blit ignores the ROP */
                  {state::kStretchLow, 0x10000},
                  {state::kVrSourceLow, 0},
                  {state::kVrSourceHigh, pack_xy(2, 1)},
                  {state::kVrOriginLow, 0x8000},
                  {state::kVrOriginHigh, 0},
                  {state::kVrTargetLow, 0},
                  {state::kVrTargetHigh, pack_xy(2, 1)},
                  {state::kVrConfig, 0}})
            .run()
            .expect_words(kDstAt, {0xFF112205, 0xFF334406});
    }
}

/* A write that masks the key's fields in PE_TRANSPARENCY leaves the key enabled. */
TEST(Vivante2dKeys, MaskedFieldsKeepTheKey) {
    EXPECT_EQ(
        blit_row({1, 2}, {5, 6}, source_key(1, 1) + Writes{{state::kTransparency, 0xFFFFFCCC}}),
        (Words{5, 2}));
    EXPECT_EQ(
        blit_row({1, 2}, {5, 6}, source_key(1, 1) + Writes{{state::kTransparency, 0xFFFFECCC}}),
        (Words{1, 2}))
        << "mask bit 12 is clear: the fields are written";
}

} // namespace
} // namespace pixmill::test
