/*
 * If strides and formats are equal and nothing is rotated, overlapping BIT_BLTs act as if the whole
 * source were read before the first write, for all pixel operations. xf86-video-armada and viv2d
 * rely on it for X11 CopyArea.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>

#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

Words rows_of(const std::vector<Words>& rows) {
    Words all;
    for (const Words& row : rows)
        all.insert(all.end(), row.begin(), row.end());
    return all;
}

/* A blit within a surface of 16-byte rows, which are given before and after it. */
struct Move {
    const char* name;
    Writes states;
    Rect rect;
    std::vector<Words> before, after;
};

void check(const Move& move) {
    SCOPED_TRACE(move.name);
    Scene scene(kMulti4); /* this core supports tiling */
    scene.words(kDstAt, rows_of(move.before))
        .base(4, 8, kCommandBlit, {{state::kSrcAddress, kDstAt}, {state::kSrcConfig, 0x06000040}})
        .set(move.states)
        .draw(move.rect)
        .run()
        .expect_words(kDstAt, rows_of(move.after));
}

constexpr uint32_t kDown = pack_xy(0, -1), kUp = pack_xy(0, 1);
const Words kA = {0xA0, 0xA1, 0xA2, 0xA3}, kB = {0xB0, 0xB1, 0xB2, 0xB3},
            kC = {0xC0, 0xC1, 0xC2, 0xC3}, kD = {0xD0, 0xD1, 0xD2, 0xD3};

/* Blending with source factor one and destination factor zero is a copy. */
const Writes kBlend = {{state::kAlphaControl, 1}, {state::kAlphaModes, 0x01000000}};

TEST(Vivante2dOverlap, Blended) {
    check({"down",
           kBlend + Writes{{state::kSrcOrigin, kDown}},
           {0, 1, 4, 4},
           {kA, kB, kC, kD},
           {kA, kA, kB, kC}});
    check({"up",
           kBlend + Writes{{state::kSrcOrigin, kUp}},
           {0, 0, 4, 3},
           {kA, kB, kC, kD},
           {kB, kC, kD, kD}});
    check({"diagonal",
           kBlend + Writes{{state::kSrcOrigin, pack_xy(-1, -2)}},
           {1, 2, 4, 4},
           {kA, kB, kC, kD},
           {kA, kB, {0xC0, 0xA0, 0xA1, 0xA2}, {0xD0, 0xB0, 0xB1, 0xB2}}});
}

/* nano2D leaves dither thresholds set. Dithering does not change channels of 0 or all ones. */
TEST(Vivante2dOverlap, Dithered) {
    const Words black(4, 0), red(4, 0xF800F800), green(4, 0x07E007E0), white(4, 0xFFFFFFFF);
    check({"down",
           {{state::kSrcConfig, 0x04000040},
            {state::kDestConfig, kR5G6B5 | kCommandBlit},
            {state::kDitherLow, 0x6E4CA280},
            {state::kDitherHigh, 0x5D7F91B3},
            {state::kClipBottomRight, pack_xy(8, 8)},
            {state::kSrcOrigin, kDown}},
           {0, 1, 8, 4},
           {black, red, green, white},
           {black, black, red, green}});
}

TEST(Vivante2dOverlap, Mirrored) {
    check({"in its rows",
           {{state::kRotAngle, 0x1000}, {state::kSrcOrigin, kDown}},
           {0, 1, 4, 4},
           {kA, kB, kC, kD},
           {kA, {0xA3, 0xA2, 0xA1, 0xA0}, {0xB3, 0xB2, 0xB1, 0xB0}, {0xC3, 0xC2, 0xC1, 0xC0}}});
    check({"in place",
           {{state::kRotAngle, 0x1000}},
           {1, 0, 4, 2},
           {kA, kB},
           {{0xA0, 0xA3, 0xA2, 0xA1}, {0xB0, 0xB3, 0xB2, 0xB1}}});
}

/*
 * Two 4x4 tiles, one below the other, which are consecutive in memory. Row 4 is the first row of
 * the second tile and gets row 3, the last row of the first tile.
 */
TEST(Vivante2dOverlap, Tiled) {
    check({"down",
           {{state::kSrcConfig, 0x060000C0},
            {state::kDestConfig, kA8R8G8B8 | kCommandBlit | kDestTiled},
            {state::kSrcOrigin, kDown}},
           {0, 1, 4, 6},
           {kA, kB, kC, kD, kA, kB},
           {kA, kA, kB, kC, kD, kA}});
}

TEST(Vivante2dOverlap, OtherByteOrder) {
    check({"down",
           {{state::kSrcConfig, 0x86000040},
            {state::kDestConfig, (kA8R8G8B8 | kCommandBlit) + 0x200000u},
            {state::kSrcOrigin, kDown}},
           {0, 1, 4, 4},
           {kA, kB, kC, kD},
           {kA, kA, kB, kC}});
}

TEST(Vivante2dOverlap, Yuy2) {
    check({"down",
           {{state::kSrcConfig, 0x07000040},
            {state::kDestConfig, kYuy2 | kCommandBlit},
            {state::kClipBottomRight, pack_xy(8, 8)},
            {state::kSrcOrigin, kDown}},
           {0, 1, 8, 4},
           {kA, kB, kC, kD},
           {kA, kA, kB, kC}});
}

/*
 * Two rows share a row of chroma. If the picture moves by two rows, chroma moves by one. If the
 * picture moves by one row, each chroma sample becomes the mean of two.
 */
TEST(Vivante2dOverlap, Nv12) {
    const struct {
        int down;
        Rect rect;
        std::vector<uint8_t> luma, chroma; /* expected rows; all bytes of a row are equal */
    } rows[] = {
        {2, {0, 2, 4, 8}, {1, 2, 1, 2, 3, 4, 5, 6}, {10, 10, 20, 30}},
        {-2, {0, 0, 4, 6}, {3, 4, 5, 6, 7, 8, 7, 8}, {20, 30, 40, 40}},
        {1, {0, 1, 4, 8}, {1, 1, 2, 3, 4, 5, 6, 7}, {10, 15, 25, 35}},
        {-1, {0, 0, 4, 7}, {2, 3, 4, 5, 6, 7, 8, 8}, {15, 25, 35, 40}},
    };
    const auto wide = [](const std::vector<uint8_t>& values) {
        std::vector<uint8_t> all;
        for (const uint8_t value : values)
            all.insert(all.end(), 4, value);
        return all;
    };
    constexpr uint32_t chroma = kDstAt + 0x100;
    for (const bool cut : {false, true})
        for (const auto& row : rows) {
            SCOPED_TRACE(testing::Message() << row.down << (cut ? " in slices" : ""));
            Scene scene({.ram_size = Scene::kRam,
                         .budget = cut ? 7u : 4096u,
                         .draw_budget = cut ? 64u : 1u << 20});
            scene.bytes(kDstAt, wide({1, 2, 3, 4, 5, 6, 7, 8}))
                .bytes(chroma, wide({10, 20, 30, 40}))
                .base(4, 8, kCommandBlit,
                      {{state::kSrcAddress, kDstAt},
                       {state::kSrcStride, 4},
                       {state::kUPlaneAddress, chroma},
                       {state::kUPlaneStride, 4},
                       {state::kSrcConfig, kNv12 << 24 | kSrcRelative},
                       {state::kSrcOrigin, pack_xy(0, -row.down)},
                       {state::kDestStride, 4},
                       {state::kPlane2Address, chroma},
                       {state::kPlane2Stride, 4},
                       {state::kDestConfig, kNv12 | kCommandBlit}})
                .draw(row.rect);
            if (cut)
                scene.run_migrating();
            else
                scene.run();
            scene.expect_bytes(kDstAt, wide(row.luma)).expect_bytes(chroma, wide(row.chroma));
        }
}

/*
 * If the strides differ, rows are drawn in order from the top, so a row may read the result of the
 * rows above it.
 */
TEST(Vivante2dOverlap, OtherStridesGoFromTheTop) {
    check({"down",
           {{state::kDestStride, 32}},
           {0, 0, 4, 3},
           {kA, kB, kC, kD, kA, kD},
           {kA, kB, kB, kD, kB, kD}});
}

Words reversed(Words row) {
    std::reverse(row.begin(), row.end());
    return row;
}

/*
 * A rotated or flipped source, but an upright destination. Rows are drawn from the top. Each reads
 * its source completely before it is written, and sees the rows that are already drawn.
 */
TEST(Vivante2dOverlap, TurnedByHalfATurn) {
    const Writes four = {
        {state::kRotAngle, 5}, {state::kSrcRotation, 4}, {state::kSrcRotationHeight, 4}};
    check({"in place", four, {0, 0, 4, 4}, {kA, kB, kC, kD}, {reversed(kD), reversed(kC), kC, kD}});
    check({"the lower rows",
           four,
           {0, 1, 4, 4},
           {kA, kB, kC, kD},
           {kA, reversed(kC), kC, reversed(kA)}});
    check({"a row that is its own source",
           {{state::kRotAngle, 5}, {state::kSrcRotation, 4}, {state::kSrcRotationHeight, 3}},
           {0, 0, 4, 3},
           {kA, kB, kC, kD},
           {reversed(kC), reversed(kB), kC, kD}});
    check({"upside down",
           {{state::kRotAngle, 2}, {state::kSrcRotationHeight, 4}},
           {0, 0, 4, 4},
           {kA, kB, kC, kD},
           {kD, kC, kC, kD}});
}

/* ROT90: row y shows column 3 - y from top to bottom. ROT270: column y from bottom to top. */
TEST(Vivante2dOverlap, TurnedByAQuarter) {
    check({"ROT90",
           {{state::kRotAngle, 4}, {state::kSrcRotation, 4}},
           {0, 0, 4, 4},
           {kA, kB, kC, kD},
           {{0xA3, 0xB3, 0xC3, 0xD3},
            {0xC3, 0xB2, 0xC2, 0xD2},
            {0xB3, 0xB2, 0xC1, 0xD1},
            {0xA3, 0xC3, 0xB3, 0xD0}}});
    check({"ROT270",
           {{state::kRotAngle, 6}, {state::kSrcRotationHeight, 4}},
           {0, 0, 4, 4},
           {kA, kB, kC, kD},
           {{0xD0, 0xC0, 0xB0, 0xA0},
            {0xD1, 0xC1, 0xB1, 0xC0},
            {0xD2, 0xC2, 0xB1, 0xB0},
            {0xD3, 0xB0, 0xC0, 0xA0}}});
}

} // namespace
} // namespace pixmill::test
