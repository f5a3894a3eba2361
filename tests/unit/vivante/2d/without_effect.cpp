/*
 * States that can affect only speed, not pixels. Each picture must be the same for all their
 * values (rnndb DE.BW_*, DE.FILTER_BLIT, PE_CONFIG; BLOCK_SIZE and *_ALIGN_CONFIG of nano2D and
 * th1520-g2d; PE_CONTROL.YUVRGB, which gcbv leaves 0 although YUV must be converted).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

/* A function that draws, with @writes just before the trigger, and checks the picture. */
struct Picture {
    const char* name;
    void (*draw)(Scene& scene, const Writes& writes);
};

void blit(Scene& scene, const Writes& writes) {
    scene.words(kSrcAt, {10, 11, 12, 13, 20, 21, 22, 23})
        .base(4, 2, kCommandBlit, {{state::kSrcOrigin, pack_xy(1, 0)}})
        .set(writes)
        .draw({0, 0, 3, 2})
        .run()
        .expect_words(kDstAt, {11, 12, 13, 0, 21, 22, 23, 0});
}

/* Blits YUY2 pixels: red, red with the luma of green, blue, and blue with the luma of black. */
void yuv_blit(Scene& scene, const Writes& writes) {
    scene.bytes(kSrcAt, {0x51, 0x5A, 0x91, 0xF0, 0x29, 0xF0, 0x10, 0x6E})
        .base(4, 1, kCommandBlit, {{state::kSrcConfig, kYuy2 << 24}})
        .set(writes)
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0xFFFF0000, 0xFFFF4A49, 0xFF0000FF, 0xFF0000E3});
}

/* An overlapping blit: a different walk direction must not read pixels that are already drawn. */
void overlapping_blit(Scene& scene, const Writes& writes) {
    scene.words(kDstAt, {10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33})
        .base(4, 3, kCommandBlit,
              {{state::kSrcAddress, kDstAt},
               {state::kSrcConfig, kA8R8G8B8 << 24 | kSrcRelative},
               {state::kSrcOrigin, pack_xy(-1, -1)}})
        .set(writes)
        .draw({1, 1, 4, 3})
        .run()
        .expect_words(kDstAt, {10, 11, 12, 13, 20, 10, 11, 12, 30, 20, 21, 22});
}

/* A destination rotated by 90 degrees, as in Vivante2dRotation.DestinationCodes: D A, E B, F C. */
void turned_blit(Scene& scene, const Writes& writes) {
    scene.words(kSrcAt, {0xA, 0xB, 0xC, 0, 0xD, 0xE, 0xF, 0})
        .base(4, 4, kCommandBlit,
              {{state::kRotAngle, 4 << 3},
               {state::kDestRotation, 2},
               {state::kDestRotationHeight, 3}})
        .set(writes)
        .draw({0, 0, 3, 2})
        .run()
        .expect_words(kDstAt, {0xD, 0xA, 0, 0, 0xE, 0xB, 0, 0, 0xF, 0xC});
}

/* Stretches two pixels to four. Pixel i shows source pixel round(i / 3). */
void stretch(Scene& scene, const Writes& writes) {
    scene.words(kSrcAt, {1, 2})
        .base(4, 1, kCommandStretch,
              {{state::kSrcSize, pack_xy(2, 1)}, {state::kStretchLow, 0x5555}})
        .set(writes)
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {1, 1, 2, 2});
}

Writes window(int w, int h) {
    return {{state::kStretchLow, 0x10000},
            {state::kStretchHigh, 0x10000},
            {state::kVrSourceLow, 0},
            {state::kVrSourceHigh, pack_xy(w, h)},
            {state::kVrOriginLow, 0x8000}, /* row 16 of the kernel */
            {state::kVrOriginHigh, 0x8000},
            {state::kVrTargetLow, 0},
            {state::kVrTargetHigh, pack_xy(w, h)}};
}

/* Returns a kernel table that averages each pixel and the next one, with taps 4 and 5. */
Words mean_kernel() {
    Words words;
    for (uint32_t i = 0; i < 154; i += 2) {
        const auto tap = [](uint32_t n) { return n % 9 == 4 || n % 9 == 5 ? 0x2000u : 0u; };
        words.push_back(tap(i) | tap(i + 1) << 16);
    }
    return words;
}

void filter_row(Scene& scene, const Writes& writes) {
    scene.words(kSrcAt, {0xFF0A0A0A, 0xFF141414, 0xFF1E1E1E, 0xFF282828})
        .base(4, 1, 0x5000, window(4, 1))
        .table(state::kFilterKernel, mean_kernel())
        .set(writes)
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, {0xFF0F0F0F, 0xFF191919, 0xFF232323, 0xFF282828});
}

/* The source rows are 10 20 and 30 40. Takes means of columns (20 30 and 30 40), then of rows. */
void filter_both(Scene& scene, const Writes& writes) {
    scene.words(kSrcAt, {0xFF0A0A0A, 0xFF141414, 0xFF1E1E1E, 0xFF282828})
        .base(2, 2, 0x7000, window(2, 2))
        .table(state::kHoriKernel, mean_kernel())
        .table(state::kVertiKernel, mean_kernel())
        .set(writes)
        .set(state::kVrConfig, 2)
        .run()
        .expect_words(kDstAt, {0xFF191919, 0xFF1E1E1E, 0xFF232323, 0xFF282828});
}

const Picture kPictures[] = {
    {"blit", blit},           {"YUV blit", yuv_blit}, {"overlapping blit", overlapping_blit},
    {"turned", turned_blit},  {"stretch", stretch},   {"filtered row", filter_row},
    {"filtered", filter_both}};

constexpr uint32_t kFilterBlit = 0x1258, kPeConfig = 0x12B0, kBwBlockSize = 0x12F4,
                   kBwTileSize = 0x12F8, kBwBlockMask = 0x12FC, kBlockSize = 0x1324,
                   kReorderControl = 0x1388;

std::vector<Writes> values() {
    std::vector<Writes> all = {
        {},
        {{state::kPeControl, 0x100}}, /* YUVRGB */
        {{state::kSrcOriginFraction, 0x80008000}},
        {{state::kSrcOriginFraction, ~0u}},
        {{state::kVrConfigEx, 1}}, /* VERTICAL_LINE_WIDTH */
        {{state::kVrConfigEx, 2}},
        {{state::kVrConfigEx, 0xA00}}, /* DISABLE_QUAD_OPF, DISABLE_DUAL_PIPE_OPF */
        /* custom blocks: 32x16 as in th1520-g2d, then one pixel, then no pixels */
        {{state::kBwConfig, 1},
         {kBwBlockSize, 0x00100020},
         {kBwTileSize, 0x00040004},
         {kBwBlockMask, 0xFFFFFFE0}},
        {{state::kBwConfig, 1}, {kBwBlockSize, 0x00010001}, {kBwTileSize, 0x00010001}},
        {{state::kBwConfig, 1}, {kBwBlockSize, 0}, {kBwTileSize, 0}, {kBwBlockMask, 0}},
        {{kBwBlockSize, ~0u}, {kBwTileSize, ~0u}, {kBwBlockMask, ~0u}},
        {{kBlockSize, 0x00030007}},
        {{kBlockSize, ~0u}},
        {{kReorderControl, ~0u}},
    };
    for (const uint32_t size : {1u, 3u, 5u, 9u, 0xFFu})
        all.push_back({{kFilterBlit, size}});
    for (const uint32_t fetch : {0u, 1u, 2u, 3u}) /* DESTINATION_FETCH */
        all.push_back({{kPeConfig, fetch}});
    /* BLOCK_CONFIG; walk directions of blocks, tiles and pixels; LINEAR_ROTATION_OPT; all */
    for (const uint32_t bits : {0x1u, 0x10u, 0x100u, 0x1000u, 0x10000u, 0x11111u})
        all.push_back({{state::kBwConfig, bits}});
    for (const uint32_t value : {1u, 0x1FFFFu, ~0u}) {
        all.push_back({{0x13A0, value}, {0x13A4, value}}); /* DST_PLANEn_ALIGN_CONFIG */
        Writes sources;                                    /* SRC_PLANEn_ALIGN_CONFIG[8] */
        for (uint32_t address = 0x12980; address < 0x129E0; address += 4)
            sources.push_back({address, value});
        all.push_back(sources);
    }
    return all;
}

TEST(Vivante2dWithoutEffect, WhateverTheyHold) {
    for (const Picture& picture : kPictures)
        for (const char* model : {kPe20, kMulti4, kMulti8, kNewest})
            for (const Writes& writes : values()) {
                SCOPED_TRACE(testing::Message() << picture.name << " on " << model);
                std::ostringstream text;
                for (const Write& write : writes)
                    text << std::hex << write.addr << " = " << write.value << ' ';
                SCOPED_TRACE(text.str());
                Scene scene(model);
                picture.draw(scene, writes);
            }
}

} // namespace
} // namespace pixmill::test
