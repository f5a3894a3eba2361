/*
 * Tests with guest input that no driver produces, and with impossible states.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>
#include <functional>

#include "machine.hpp"

namespace pixmill::test {
namespace {

void set_up_fill(GpMachine& gp, uint32_t raster = 0xF0) {
    gp.write(kRaster, raster);
    gp.write(kPattern0, 0x5A5A5A5A);
    gp.write(kStride, 0x00100010);
    gp.write(kSize, 0x00040002);
}

uint64_t written(GpMachine& gp) {
    return static_cast<uint64_t>(std::ranges::count(gp.vram(), 0x5A));
}

TEST(GeodeBadInput, BasesOutsideTheFrameBufferReachNothing) {
    for (const uint32_t base : {0u, 0x02000000u, 0x80000000u, 0xFFC00000u}) {
        GpMachine gp;
        set_up_fill(gp);
        gp.write(kBase, base | 0x4010);
        gp.write(kBlt, 0);
        EXPECT_EQ(written(gp), 0u);
        EXPECT_EQ(gp.status(), kIdle);
        EXPECT_EQ(gp.host.logs().size(), 1u);
        EXPECT_EQ(gp.counters().bus_errors, 1u);
    }
}

TEST(GeodeBadInput, ASourceOutsideTheFrameBufferIsZero) {
    GpMachine gp;
    gp.put(0, {0x11111111, 0x22222222});
    set_up_fill(gp, 0xCC);
    gp.write(kBase, 0x01000000);
    gp.write(kSrc, 0x100);
    gp.write(kBlt, 1);
    EXPECT_EQ(gp.word(0), 0u);
    EXPECT_EQ(gp.word(4), 0x22222222u);
}

TEST(GeodeBadInput, ASizeOfZeroDrawsNothingAndTakesNoData) {
    for (const uint32_t size : {0x00040000u, 0x00000002u, 0u, 0xF000F000u}) {
        for (const uint32_t mode : {0u, 2u}) { /* 2: source from the host */
            GpMachine gp;
            set_up_fill(gp);
            gp.write(kSize, size);
            gp.write(kBlt, mode);
            EXPECT_EQ(written(gp), 0u) << std::hex << size;
            EXPECT_EQ(gp.status(), kIdle) << std::hex << size;
        }
        GpMachine gp;
        set_up_fill(gp);
        gp.write(kSize, size & 0xFFFF);
        gp.write(kVector, 0);
        EXPECT_EQ(written(gp), 0u) << std::hex << size;
        EXPECT_EQ(gp.status(), kIdle) << std::hex << size;
    }
}

TEST(GeodeBadInput, CodesThatDoNotExistAreZero) {
    for (const uint32_t bpp : {1u, 2u, 3u, 7u, 9u, 15u}) {
        GpMachine gp;
        set_up_fill(gp, bpp << 28 | 0x3F0); /* PM 3 is a solid pattern */
        gp.write(kBlt, 0xC3);               /* SR 3 and SM 3 give a constant source */
        EXPECT_EQ(written(gp), 8u) << bpp;
        EXPECT_EQ(gp.status(), kIdle);
    }
}

TEST(GeodeBadInput, AStrideOfZeroDrawsALineAgainAndAgain) {
    GpMachine gp;
    set_up_fill(gp);
    gp.write(kStride, 0);
    gp.write(kSize, 0x00040FFF);
    gp.write(kBlt, 0);
    EXPECT_EQ(written(gp), 4u);
}

TEST(GeodeBadInput, AStrideMayPutRowsBetweenPixels) {
    GpMachine gp;
    set_up_fill(gp, 0x800000F0);
    gp.write(kStride, 0x13);
    gp.write(kSize, 0x00010003);
    gp.write(kBlt, 0);
    EXPECT_EQ(written(gp), 12u);
    for (const uint32_t row : {0x00u, 0x13u, 0x26u})
        EXPECT_EQ(std::ranges::count(gp.vram().subspan(row, 4), 0x5A), 4) << row;
}

/*
 * Runs the largest operation of each kind. The counter of the longest step must be nonzero and
 * within its limit.
 */
TEST(GeodeBadInput, NoStepOfALargeOperationIsLong) {
    static constexpr struct {
        const char* name;
        uint32_t raster, mode, channel_3;
    } operations[] = {
        {"fill", 0x800000F0, 0, 0},
        {"copy", 0x800000CC, 1, 0},
        {"pattern", 0x8000035A, 4, 0},
        {"bits", 0x60000CCC, 0x41, 0},
        {"blend", 0x80EC0000, 4, 0xC8000000},
        {"turned", 0x800000CC, 0, 0xC8800000},
        {"nibbles", 0x800000CC, 0x304, 0xCD000000},
        {"transparent", 0x80000CCC, 5, 0},
    };
    for (const auto& operation : operations) {
        for (const uint32_t stride : {0x40004000u, 0u, 0xFFFCFFFCu}) {
            SCOPED_TRACE(operation.name);
            GpMachine gp(1 << 20);
            gp.bytes = 16 << 20;
            set_up_fill(gp, operation.raster);
            gp.write(kBase, geode_vram_base | 0x04010);
            gp.write(kStride, stride);
            gp.write(kSize, 0x0FFF0FFF);
            gp.write(kCh3Size, 0x0FFF0FFF);
            gp.write(kCh3Mode, operation.channel_3 | (stride & 0xFFFF));
            EXPECT_EQ(gp.counters().draw_step, 0u);
            ASSERT_EQ(gp.try_write(kBlt, operation.mode), PIXMILL_OK);
            ASSERT_TRUE(gp.step());
            EXPECT_GE(gp.counters().draw_step, 1000u) << "nothing is drawn";
            EXPECT_LE(gp.counters().draw_step, PIXMILL_MOST_DRAW_STEP);
            gp.reset();
        }
    }
}

/* 4095 rows of 65535 bytes span sixteen times the range of an offset. */
TEST(GeodeBadInput, TheLargestStridesGoAroundTheRegion) {
    constexpr uint32_t kRegion = 1 << 24;
    GpMachine gp(kRegion);
    set_up_fill(gp);
    gp.write(kStride, 0xFFFF);
    gp.write(kSize, 0x00010FFF);
    gp.write(kBlt, 0);
    EXPECT_EQ(written(gp), 4095u);
    for (uint32_t row = 0; row < 4095; row++)
        ASSERT_EQ(gp.vram()[row * 0xFFFF % kRegion], 0x5A) << row;
}

TEST(GeodeBadInput, PixelsAcrossTheEndAreCutByTheByte) {
    GpMachine gp(0x1002);
    set_up_fill(gp, 0x800000F0);
    gp.write(kDst, 0x1000);
    gp.write(kSize, 0x00010001);
    gp.write(kBlt, 0);
    EXPECT_EQ(written(gp), 2u);
}

TEST(GeodeBadInput, AnEmptyChannel3UnderflowsAtOnce) {
    GpMachine gp;
    set_up_fill(gp, 0xCC);
    gp.write(kCh3Mode, 0xC0000010);
    gp.write(kBlt, 0);
    EXPECT_EQ(gp.status(), kIdle | kUF);
    gp.write(kCh3Mode, 0);
    gp.write(kBlt, 0);
    EXPECT_EQ(gp.status(), kIdle);
}

/* Copies 32-bit pixels through channel 3, from offset @from to @to. */
void copy_by_channel3(GpMachine& gp, uint32_t to, uint32_t size, uint32_t from,
                      uint32_t from_size) {
    gp.write(kRaster, 0x800000CC);
    gp.write(kStride, 0x20);
    gp.write(kDst, to);
    gp.write(kSize, size);
    gp.write(kCh3Offset, from);
    gp.write(kCh3Size, from_size);
    gp.write(kCh3Mode, 0xC8000020);
    gp.write(kBlt, 0);
}

TEST(GeodeBadInput, RectanglesAcross16MiBWrapAlsoInChannel3) {
    constexpr uint32_t kEnd = 1 << 24;
    GpMachine gp(kEnd);
    gp.put(kEnd - 8, {1, 2});
    gp.put(0, {3, 4});
    copy_by_channel3(gp, 0x1000, 0x00040001, kEnd - 8, 0x00040001);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_EQ(gp.word(0x1000 + 4 * i), i + 1);
    copy_by_channel3(gp, kEnd - 4, 0x00040001, 0x1000, 0x00040001);
    EXPECT_EQ(gp.word(kEnd - 4), 1u);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT_EQ(gp.word(4 * i), i + 2);
    EXPECT_EQ(gp.word(12), 0u);
    EXPECT_TRUE(gp.host.logs().empty());
}

TEST(GeodeBadInput, WhatChannel3HasMoreThanTheBltIsCutOff) {
    GpMachine gp;
    gp.put(0x100, {1, 2, 3});
    gp.put(0x120, {4, 5, 6});
    copy_by_channel3(gp, 0x200, 0x00020001, 0x100, 0x00030002);
    EXPECT_EQ(gp.word(0x200), 1u);
    EXPECT_EQ(gp.word(0x204), 2u);
    EXPECT_EQ(gp.word(0x208), 0u);
    EXPECT_EQ(gp.word(0x220), 0u);
    EXPECT_EQ(gp.status(), kIdle);
}

/* Channel 3 is a pixel stream, whose line length may differ from that of the BLT. */
TEST(GeodeBadInput, LinesOfChannel3MayHaveAnotherLengthThanTheBlts) {
    GpMachine gp;
    gp.put(0x100, {1, 2, 3});
    gp.put(0x120, {4, 5, 6});
    copy_by_channel3(gp, 0x200, 0x00020003, 0x100, 0x00030002);
    for (uint32_t i = 0; i < 6; i++)
        EXPECT_EQ(gp.word(0x200 + i / 2 * 0x20 + i % 2 * 4), i + 1);
    EXPECT_EQ(gp.status(), kIdle);
}

TEST(GeodeBadInput, WordsThatChannel3HasLeftOverAreDropped) {
    GpMachine gp;
    gp.write(kRaster, 0x800000CC);
    gp.write(kStride, 0x20);
    gp.write(kSize, 0x00010001);
    gp.write(kCh3Size, 0x00030001);
    gp.write(kCh3Mode, 0xC8040000);
    gp.write(kBlt, 0);
    for (const uint32_t word : {7u, 8u, 9u})
        gp.write(kCh3Hsrc, word);
    EXPECT_EQ(gp.word(0), 7u);
    EXPECT_EQ(gp.word(4), 0u);
    EXPECT_EQ(gp.status(), kIdle);
}

/* Undefined formats act as FMT 0, which is 3:3:2. */
TEST(GeodeBadInput, FormatsOfChannel3ThatDoNotExistAreZero) {
    for (const uint32_t format : {3u, 9u, 10u, 12u, 15u}) {
        GpMachine gp;
        gp.put(0x100, {0xE3});
        gp.write(kRaster, 0x800000CC);
        gp.write(kStride, 0x20);
        gp.write(kSize, 0x00010001);
        gp.write(kCh3Offset, 0x100);
        gp.write(kCh3Size, 0x00010001);
        gp.write(kCh3Mode, 0xC0000020 | format << 24);
        gp.write(kBlt, 0);
        EXPECT_EQ(gp.word(0), 0xFFFF00FFu) << format;
    }
}

/*
 * The width of 24-bit lines counts words. 4095 words hold 5460 pixels, more than any BLT is wide.
 */
TEST(GeodeBadInput, TheLongestLinesOfChannel3HaveAllTheirPixels) {
    constexpr uint32_t kWide = 4095, kFrom = 0x100000, kPitch = 0x4000;
    GpMachine gp;
    const auto color = [](uint32_t line, uint32_t pixel) { return line << 20 | pixel; };
    for (uint32_t line = 0; line < 2; line++) {
        for (uint32_t pixel = 0; pixel < 5460; pixel++) {
            uint8_t* const at = &gp.vram()[kFrom + line * kPitch + 3 * pixel];
            for (uint32_t byte = 0; byte < 3; byte++)
                at[byte] = static_cast<uint8_t>(color(line, pixel) >> 8 * byte);
        }
    }
    gp.write(kRaster, 0x800000CC);
    gp.write(kStride, 4 * kWide);
    gp.write(kSize, kWide << 16 | 2);
    gp.write(kCh3Offset, kFrom);
    gp.write(kCh3Size, kWide << 16 | 2);
    gp.write(kCh3Mode, 0xCB000000 | kPitch);
    gp.write(kBlt, 0);
    for (uint32_t line = 0; line < 2; line++)
        for (uint32_t pixel = 0; pixel < kWide; pixel++)
            ASSERT_EQ(gp.word(4 * (line * kWide + pixel)), 0xFF000000 | color(line, pixel));
    EXPECT_EQ(gp.word(4 * 2 * kWide), 0u);
    EXPECT_EQ(gp.status(), kIdle);
}

/* The error terms are signed 16-bit numbers. Their sum over 4095 steps needs 28 bits. */
TEST(GeodeBadInput, VectorsOfTheLargestErrorsAreStraight) {
    const struct {
        uint32_t initial, errors, step; /* bytes */
    } cases[] = {{0x8000, 0x80008000, 1}, {0x7FFF, 0x7FFF7FFF, 0x41}};
    for (const auto& c : cases) {
        GpMachine gp;
        gp.write(kRaster, 0xF0);
        gp.write(kPattern0, 0x5A);
        gp.write(kStride, 0x40);
        gp.write(kSrc, c.errors);
        gp.write(kSize, 0x0FFF0000 | c.initial);
        gp.write(kVector, 6);
        EXPECT_EQ(written(gp), 4095u);
        for (uint32_t pixel = 0; pixel < 4095; pixel++)
            ASSERT_EQ(gp.vram()[pixel * c.step], 0x5A) << pixel;
    }
}

TEST(GeodeBadInput, UnexpectedWordsAreDropped) {
    GpMachine gp;
    gp.write(kCh3Hsrc, 1);
    gp.write(kHstSrc, 2);
    set_up_fill(gp, 0xCC);
    gp.write(kSize, 0x00040001);
    gp.write(kBlt, 2);
    gp.write(kCh3Hsrc, 3);
    EXPECT_EQ(gp.status(), kStarved);
    gp.write(0x3FC, 0x44332211); /* in the alias range of HST_SRC */
    EXPECT_EQ(gp.word(0), 0x44332211u);
    EXPECT_EQ(gp.status(), kIdle);
}

TEST(GeodeBadInput, AThirdOperationIsDroppedAndLogged) {
    GpMachine gp;
    set_up_fill(gp);
    gp.write(kSize, 0x00010001);
    gp.write(kBlt, 2);
    gp.write(kBlt, 0);
    gp.write(kDst, 8);
    gp.write(kBlt, 0);
    EXPECT_EQ(gp.host.logs().size(), 1u);
    gp.write(kHstSrc, 0);
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.vram()[8], 0);
    EXPECT_EQ(gp.counters().blts, 2u);
}

/* While one port waits for words, words for the other port must be queued up to a limit. */
TEST(GeodeBadInput, AQueueHasAnEnd) {
    GpMachine gp;
    gp.write(kRaster, 0x800000F0);
    gp.write(kStride, 0x4000);
    gp.write(kSize, 0x0FFF0FFF);
    gp.write(kCh3Mode, 0x88040000); /* a pattern through channel 3's port */
    gp.write(kCh3Size, 0x0FFF0FFF);
    gp.write(kBlt, 2);
    for (uint32_t i = 0; i < PIXMILL_GEODE_GP_QUEUE_WORDS + 10; i++)
        gp.try_write(kHstSrc, i);
    EXPECT_EQ(gp.host.logs().size(), 1u);
    EXPECT_EQ(gp.counters().host_words, 20'480u); /* 64 KiB and one line of the maximum length */
    EXPECT_EQ(gp.status(), kStarved);
    gp.write(kStatus, 0x69000000);
    EXPECT_EQ(gp.status(), kIdle);
}

TEST(GeodeBadInput, UnlistedOffsetsHoldNothing) {
    GpMachine gp;
    for (const uint32_t offset : {0x7Cu, 0x80u, 0xFCu, 0x1000u, 0x3FFCu}) {
        gp.write(offset, ~0u);
        EXPECT_EQ(gp.read(offset), 0u);
    }
    EXPECT_EQ(gp.read(0x100), 0u);
    EXPECT_EQ(gp.read(0x400), 0u);
}

TEST(GeodeFaults, ABusErrorIsAHole) {
    GpMachine gp;
    set_up_fill(gp);
    pixmill_geode_gp.inject(gp.core, PIXMILL_GEODE_GP_FAULT_BUS);
    gp.write(kBlt, 0);
    EXPECT_EQ(gp.counters().bus_errors, 1u);
    EXPECT_LT(written(gp), 8u);
}

TEST(GeodeFaults, AnInterruptGetsLost) {
    GpMachine gp;
    gp.write(kInterrupts, 0);
    pixmill_geode_gp.inject(gp.core, PIXMILL_GEODE_GP_FAULT_LOST_IRQ);
    gp.write(kBlt, 0);
    EXPECT_FALSE(gp.interrupt());
    gp.write(kBlt, 0);
    EXPECT_TRUE(gp.interrupt());
}

/* ---- States ---------------------------------------------------------------- */

TEST(GeodeMigration, ABltThatWaitsForDataContinues) {
    GpMachine gp;
    gp.write(kRaster, 0xCC);
    gp.write(kStride, 0x10);
    gp.write(kSize, 0x00080002);
    gp.write(kBlt, 2);
    gp.write(kRaster, 0x55); /* applies to the next operation */
    gp.write(kHstSrc, 0x03020100);
    gp.migrate();
    gp.write(kHstSrc, 0x07060504);
    gp.write(kHstSrc, 0x13121110);
    gp.migrate();
    EXPECT_EQ(gp.status(), kStarved);
    gp.write(kHstSrc, 0x17161514);
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.word(0), 0x03020100u);
    EXPECT_EQ(gp.word(4), 0x07060504u);
    EXPECT_EQ(gp.word(0x10), 0x13121110u);
    EXPECT_EQ(gp.word(0x14), 0x17161514u);
}

TEST(GeodeMigration, APendingOperationFollows) {
    GpMachine gp;
    gp.write(kRaster, 0xCC);
    gp.write(kSize, 0x00010001);
    gp.write(kBlt, 2);
    gp.write(kDst, 4);
    gp.write(kForeground, 0x66);
    gp.write(kBlt, 0);
    gp.migrate();
    gp.write(kHstSrc, 0x55);
    EXPECT_EQ(gp.vram()[0], 0x55);
    EXPECT_EQ(gp.vram()[4], 0x66);
}

struct BadState {
    const char* name;
    std::function<void(PixmillGeodeGpState&)> spoil;
};

TEST(GeodeMigration, StatesThatAreNotPossibleAreRefused) {
    const BadState bad[] = {
        {"a flag of 2", [](auto& s) { s.ce_settled = 2; }},
        {"another device", [](auto& s) { s.msr[0] = 0; }},
        {"an unknown operation", [](auto& s) { s.operation[0] = 3; }},
        {"pending behind nothing", [](auto& s) { s.operation[0] = 0; }},
        {"nothing left to draw", [](auto& s) { s.done_row = 1000; }},
        {"a column beyond the row", [](auto& s) { s.done_column = 9; }},
        {"a queue without an end",
         [](auto& s) { s.queue_count[0] = PIXMILL_GEODE_GP_QUEUE_WORDS + 1; }},
        {"words behind the last", [](auto& s) { s.queue_count[0] = 5; }},
        {"words taken that are still needed", [](auto& s) { s.queue_taken[0] = 1; }},
        {"words of a port that it does not take", [](auto& s) { s.queue_count[1] = 1; }},
        {"a ring beyond its budget", [](auto& s) { s.ring_budget = ~0u; }},
        {"data of no type", [](auto& s) { s.data_type = 5; }},
        {"a bus that is held for longer than any", [](auto& s) { s.held_pixels = ~0u; }},
    };
    for (const BadState& state : bad) {
        GpMachine gp;
        gp.write(kRaster, 0xCC);
        gp.write(kStride, 0x10);
        gp.write(kSize, 0x00080002);
        gp.write(kBlt, 2);
        gp.write(kHstSrc, 0);
        gp.write(kBlt, 0);
        auto saved = gp.save();
        EXPECT_EQ(gp.load(*saved), PIXMILL_OK);
        state.spoil(*saved);
        EXPECT_EQ(gp.load(*saved), PIXMILL_ERROR_STATE) << state.name;
        EXPECT_EQ(gp.read(kStatus), kSHE) << state.name; /* the power-on state */
    }
}

} // namespace
} // namespace pixmill::test
