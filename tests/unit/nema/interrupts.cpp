/*
 * Tests of the completion line and the error line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

TEST(NemaInterrupts, IrqIdInterruptsUntilBit3IsWritten) {
    for (uint32_t id : {1u, 0u}) {
        Nema gpu;
        gpu.set(kIrqId, id);
        EXPECT_TRUE(gpu.irq());
        EXPECT_EQ(gpu.read(kIntCtrl), 1u);
        EXPECT_EQ(gpu.read(kIrqId), id);
        gpu.set(kIntCtrl, 8);
        EXPECT_FALSE(gpu.irq());
        EXPECT_EQ(gpu.read(kIntCtrl), 0u) << "pollers wait for 0";
    }
}

/* The GR5526's handler writes 0 regardless of the interrupt's source. */
TEST(NemaInterrupts, ZeroClearsBothSources) {
    Nema gpu;
    gpu.set({{kIrqId, 1}, {kIntCtrl, 1}});
    EXPECT_TRUE(gpu.irq());
    gpu.set(kIntCtrl, 0);
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.host.irq_changes, 2u);
    EXPECT_EQ(gpu.counters().interrupts, 2u);
}

/* The handler of ST's HAL writes back the value that it read with bit 0 cleared. */
TEST(NemaInterrupts, FlagWrittenBackAsZeroClearsBothSources) {
    for (uint32_t enable : {2u, 4u, 0xC8000000u}) {
        Nema gpu;
        gpu.set({{kIntCtrl, enable}, {kIrqId, 1}});
        EXPECT_TRUE(gpu.irq());
        EXPECT_EQ(gpu.read(kIntCtrl), enable | 1);
        gpu.set(kIntCtrl, enable);
        EXPECT_FALSE(gpu.irq());
        EXPECT_EQ(gpu.read(kIntCtrl), enable);
    }
}

TEST(NemaInterrupts, CompletionFlagIsTheLine) {
    Nema gpu;
    gpu.set(kIntCtrl, 1);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kIntCtrl), 1u);
    gpu.set(kIntCtrl, 0);
    EXPECT_FALSE(gpu.irq());
    gpu.set(kIntCtrl, 0xC8000001);
    EXPECT_EQ(gpu.read(kIntCtrl), 0xC8000001u);
    gpu.set(kIntCtrl, 0xC8000000);
    EXPECT_FALSE(gpu.irq());
}

TEST(NemaInterrupts, Bit3LeavesTheFlagOfTheSameWrite) {
    Nema gpu;
    gpu.set({{kIrqId, 1}, {kIntCtrl, 9}});
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.save()->irq_source_b, 0u);
    EXPECT_EQ(gpu.save()->irq_source_a, 1u);
}

TEST(NemaInterrupts, EndOfEveryPrimitive) {
    Nema gpu;
    gpu.target(kSram, 4, 4, 0xFFFFFFFF);
    gpu.set({{kStartXy, 0}, {kEndXy, 1u << 16 | 1}, {kIntCtrl, 4}});
    gpu.write(kDrawCmd, 2);
    EXPECT_FALSE(gpu.irq()) << "not before the pixels are drawn";
    gpu.go();
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.host.ram.word(kSram), 0xFFFFFFFFu);
    EXPECT_EQ(gpu.read(kIntCtrl), 5u);
    gpu.set(kIntCtrl, 4 | 8);
    EXPECT_FALSE(gpu.irq());
    gpu.set({{kEndXy, 0}, {kDrawCmd, 2}});
    EXPECT_TRUE(gpu.irq()) << "an empty primitive completes, too";
}

/*
 * If the dirty region is restarted during a primitive, it must include the current slice and
 * everything after it.
 */
TEST(NemaInterrupts, DirtyRegionRestartsBetweenSlices) {
    Nema gpu({.draw_budget = 16});
    gpu.target(kSram, 16, 16, 0x11223344);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00100010}});
    gpu.write(kDrawCmd, 2);
    for (int i = 0; i < 8 && gpu.read(kDirtyMax) < 0x00040000; i++) {
        EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_DRAW);
        gpu.draw(16);
    }
    const uint32_t last = gpu.read(kDirtyMax) >> 16;
    ASSERT_GE(last, 4u);
    gpu.write(kDirtyMin, 0);
    EXPECT_EQ(gpu.read(kDirtyMin), 0x00100010u) << "TEX0's size";
    EXPECT_EQ(gpu.read(kDirtyMax), 0u);
    gpu.go();
    EXPECT_EQ(gpu.read(kDirtyMin), (last + 1) << 16);
    EXPECT_EQ(gpu.read(kDirtyMax), 0x000F000Fu);
}

/*
 * A guest cannot tell which of a slice's pixels were drawn before its write, so all of them must be
 * included.
 */
TEST(NemaInterrupts, DirtyRegionLosesNothingOfASlice) {
    Nema gpu;
    gpu.target(kSram, 16, 16, 0x11223344);
    gpu.set({{kStartXy, 0x00020001}, {kEndXy, 0x00100010}});
    gpu.write(kDrawCmd, 2);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_DRAW);
    gpu.draw(1 << 20);
    gpu.write(kDirtyMin, 0);
    gpu.go();
    EXPECT_EQ(gpu.read(kDirtyMin), 0x00020001u);
    EXPECT_EQ(gpu.read(kDirtyMax), 0x000F000Fu);
}

TEST(NemaInterrupts, EndOfAList) {
    Nema gpu;
    gpu.set(kIntCtrl, 2);
    gpu.play({kDrawColor, 1});
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kIntCtrl), 3u);
    gpu.set(kIntCtrl, 0);
    gpu.play({kDrawColor, 2});
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.counters().lists, 2u);
}

/* The list's interrupt must come after its last pixel is drawn. */
TEST(NemaInterrupts, EndOfAListComesAfterItsDrawing) {
    Nema gpu({.draw_budget = 16});
    gpu.target(kSram, 16, 16, 0x11223344);
    gpu.set(kIntCtrl, 2);
    gpu.host.ram.set_words(kSram + 0x8000, {kStartXy, 0, kEndXy, 0x00100010, kHold | kDrawCmd, 2});
    gpu.start(kSram + 0x8000, 6);
    int rounds = 0;
    while (!gpu.irq() && rounds++ < 1000) {
        EXPECT_EQ(gpu.read(kStat) >> 31, 1u) << "busy";
        gpu.run(64);
        if (!gpu.irq())
            gpu.draw(16);
    }
    EXPECT_EQ(gpu.host.ram.words(kSram, 256), Words(256, 0x11223344));
    EXPECT_GT(rounds, 8);
    EXPECT_EQ(gpu.read(kStat), 0u);
}

TEST(NemaInterrupts, GpFlagLinesRaiseTheErrorLine) {
    for (uint32_t line = 0; line < 4; line++) {
        Nema gpu;
        gpu.set(kGpFlags, 1u << line);
        EXPECT_FALSE(gpu.error_irq()) << "not enabled";
        gpu.set(kGpFlags, 0x100u << line | 1u << line);
        EXPECT_FALSE(gpu.error_irq()) << "no rising edge";
        gpu.set(kGpFlags, 0x10000u << line);
        gpu.set(kGpFlags, 0x10000u << line | 1u << line);
        EXPECT_TRUE(gpu.error_irq());
        EXPECT_EQ(gpu.read(kSysInt), 1u << line);
        gpu.set(kSysInt, ~(1u << line));
        EXPECT_TRUE(gpu.error_irq());
        gpu.set(kSysInt, 1u << line);
        EXPECT_FALSE(gpu.error_irq());
        EXPECT_EQ(gpu.read(kSysInt), 0u);
        EXPECT_FALSE(gpu.irq());
    }
}

TEST(NemaInterrupts, GpFlagsOfNamedLinesOnly) {
    Nema gpu;
    gpu.set(kGpFlags, 0x20);
    gpu.set(kGpFlags, 0x00020002);
    EXPECT_EQ(gpu.read(kGpFlags) & 0xFF, 0x22u);
    gpu.set(kGpFlags, 0x00020000);
    EXPECT_EQ(gpu.read(kGpFlags) & 0xFF, 0x20u);
    gpu.set(kGpFlags, 0x000100FF);
    EXPECT_EQ(gpu.read(kGpFlags) & 0xFFF, 0x21u);
    gpu.set(kGpFlags, 0xF5A);
    EXPECT_EQ(gpu.read(kGpFlags), 0xF5Au);
}

/* All bits that can be pending at once are a bus error and four lines. */
TEST(NemaInterrupts, EachBitOfSysIntIsClearedByAOneOnly) {
    for (uint32_t bit = 0; bit < 32; bit++) {
        Nema gpu;
        gpu.expected_logs = 1;
        gpu.start(0x70000000, 2);
        gpu.go();
        gpu.set(kGpFlags, 0xF0F);
        EXPECT_EQ(gpu.read(kSysInt), 0x80Fu);
        gpu.set(kSysInt, 0);
        EXPECT_EQ(gpu.read(kSysInt), 0x80Fu);
        gpu.set(kSysInt, 1u << bit);
        EXPECT_EQ(gpu.read(kSysInt), 0x80F & ~(1u << bit));
        EXPECT_TRUE(gpu.error_irq());
    }
}

/* In the GR5526 manual, GP_FLAGS[7:4] selects the lines that drive the FREEZE output. */
TEST(NemaInterrupts, GpFlagLinesFreezeAsTheMaskSays) {
    for (uint32_t line = 0; line < 4; line++) {
        Nema gpu;
        gpu.set(kGpFlags, (0xF & ~(1u << line)) | 0x10u << line);
        EXPECT_FALSE(gpu.freeze()) << "other lines";
        gpu.set(kGpFlags, 0x10000u << line | 1u << line);
        EXPECT_TRUE(gpu.freeze());
        gpu.set(kGpFlags, 0x10000u << line);
        EXPECT_FALSE(gpu.freeze());
        gpu.play({kGpFlags, 0x10000u << line | 1u << line});
        EXPECT_TRUE(gpu.freeze()) << "raised by a list";
        gpu.set(kGpFlags, 0xF);
        EXPECT_FALSE(gpu.freeze()) << "without the mask";
        gpu.set(kGpFlags, 0x11u << line);
        EXPECT_TRUE(gpu.freeze());
        gpu.reset();
        EXPECT_FALSE(gpu.freeze());
        EXPECT_FALSE(gpu.error_irq());
        EXPECT_FALSE(gpu.irq());
    }
}

/*
 * A list outside memory causes a bus error. NuttX's driver acknowledges it by writing SYS_INT back.
 */
TEST(NemaInterrupts, BusErrorsAsTheMaskSays) {
    Nema gpu;
    gpu.expected_logs = 1;
    gpu.start(0x70000000, 2);
    gpu.go();
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    EXPECT_FALSE(gpu.error_irq());
    for (uint32_t mask : {8u, 0x7Eu, 0x40u}) {
        gpu.set(kBusErrorMask, mask);
        EXPECT_TRUE(gpu.error_irq()) << mask;
        gpu.set(kBusErrorMask, 6); /* read and write errors, but no master */
        EXPECT_FALSE(gpu.error_irq());
    }
    gpu.set(kBusErrorMask, 0x7E);
    gpu.set(kSysInt, gpu.read(kSysInt));
    EXPECT_EQ(gpu.read(kSysInt), 0u);
    EXPECT_FALSE(gpu.error_irq());
    EXPECT_EQ(gpu.counters().bus_errors, 1u);
}

/* The second of two submissions completes while the handler of the first one runs. */
class NemaHandlers : public testing::Test {
protected:
    NemaHandlers() {
        gpu.host.ram.set_words(kSram, lists);
        gpu.start(kSram, 10);
        EXPECT_EQ(gpu.run(4).action, PIXMILL_RUN_AGAIN);
        EXPECT_TRUE(gpu.irq());
        EXPECT_EQ(gpu.read(kClid), 1u);
        EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_WAIT);
        EXPECT_EQ(gpu.read(kDrawColor), 0u);
    }

    const Words lists{kClid, 1, kIntCtrl, 1, kClid, 2, kIntCtrl, 1, kDrawColor, 7};
    Nema gpu;
};

/*
 * Goodix's and Ambiq's handlers read CLID first. A completion between this read and the clear would
 * be lost.
 */
TEST_F(NemaHandlers, SeeNoCompletionBetweenReadAndClear) {
    EXPECT_EQ(gpu.read(kCmdStat), 0xC0000001u);
    EXPECT_EQ(gpu.counters().interrupts, 1u);
    gpu.host.run_requested = false;
    gpu.write(kIntCtrl, 0);
    EXPECT_FALSE(gpu.irq());
    EXPECT_TRUE(gpu.host.run_requested);
    gpu.go();
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kClid), 2u);
    EXPECT_EQ(gpu.counters().interrupts, 2u);
    EXPECT_EQ(gpu.read(kDrawColor), 7u);
}

TEST_F(NemaHandlers, DelayTheListForATenthOfASecond) {
    EXPECT_EQ(gpu.run(64).when_ns, gpu.host.now + 100'000'000);
    gpu.host.now += 99'999'000;
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_WAIT);
    gpu.host.now += 1'000;
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kDrawColor), 7u);
    EXPECT_EQ(gpu.counters().interrupts, 2u);
    gpu.write(kIntCtrl, 0);
    EXPECT_FALSE(gpu.irq()) << "one clear is enough for both";
}

/* If a guest polls CLID and never clears the interrupt, the list must be delayed only once. */
TEST_F(NemaHandlers, ThatNeverEndDelayTheListOnce) {
    gpu.go();
    const int64_t then = gpu.host.now;
    for (uint32_t i = 3; i < 6; i++) {
        gpu.play({kClid, i, kIntCtrl, 1, kIrqId, i, kIntCtrl, 1});
        EXPECT_EQ(gpu.read(kClid), i);
        gpu.host.now += int64_t{1} << 32; /* these steps wrap the 32-bit microseconds ten times */
        gpu.host.now += 9 * 4'294'967'296'000;
    }
    EXPECT_EQ(gpu.host.now, then + 3 * (4'294'967'296 + 9 * 4'294'967'296'000));
    EXPECT_EQ(gpu.counters().interrupts, 11u);
}

/*
 * The handler has read CLID once, in the constructor, and a program may read it once more. A third
 * read means polling, which must end the wait.
 */
TEST_F(NemaHandlers, ThatPollEndTheWait) {
    gpu.read(kClid);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_WAIT);
    gpu.read(kClid);
    gpu.host.run_requested = false;
    EXPECT_EQ(gpu.read(kClid), 2u);
    EXPECT_TRUE(gpu.host.run_requested);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kDrawColor), 7u);
}

TEST_F(NemaHandlers, ThatSubmitEndTheWait) {
    gpu.host.run_requested = false;
    gpu.write(kRing, kRingRam | 6); /* NOTRIGGER: the current list continues */
    EXPECT_TRUE(gpu.host.run_requested);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kDrawColor), 7u);
}

/* The new list must replace the pair that waits. */
TEST_F(NemaHandlers, ThatStartAListEndTheWait) {
    gpu.write(kCmdAddr, kSram + 32);
    gpu.host.run_requested = false;
    gpu.write(kCmdSize, 2);
    EXPECT_TRUE(gpu.host.run_requested);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kDrawColor), 7u);
    EXPECT_EQ(gpu.counters().interrupts, 1u);
}

TEST_F(NemaHandlers, DoNotDelayAListThatStallsTheBus) {
    EXPECT_EQ(gpu.try_write(kDrawCmd, 4, 2), PIXMILL_ERROR_BUSY);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kDrawColor), 7u);
}

TEST_F(NemaHandlers, DelayIrqIdToo) {
    gpu.go();
    gpu.write(kIntCtrl, 0);
    gpu.host.ram.set_words(kSram, {kIrqId, 1, kIrqId | kNop, 2, kIrqId, 3});
    gpu.start(kSram, 6);
    EXPECT_EQ(gpu.run(2).action, PIXMILL_RUN_AGAIN);
    EXPECT_EQ(gpu.read(kClid), 2u);
    EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_WAIT);
    EXPECT_EQ(gpu.read(kCmdAddr), kSram + 16) << "a NOP does not interrupt";
    EXPECT_EQ(gpu.read(kIrqId), 1u);
    gpu.write(kIntCtrl, 8);
    gpu.go();
    EXPECT_EQ(gpu.read(kIrqId), 3u);
}

TEST_F(NemaHandlers, DelayTheListAfterMigration) {
    gpu.host.now += 60'000'000;
    const auto state = gpu.save();
    Nema other;
    other.host.now = gpu.host.now.load();
    other.host.irq = true;
    other.host.ram.set_words(kSram, lists);
    ASSERT_EQ(other.load(*state), PIXMILL_OK);
    EXPECT_EQ(other.run(64).when_ns, gpu.host.now + 40'000'000);
    other.write(kIntCtrl, 0);
    other.go();
    EXPECT_EQ(other.read(kDrawColor), 7u);
    EXPECT_TRUE(other.irq());
}

/*
 * ST's handler clears the interrupt before it reads CLID, so completions until then may be merged:
 * it reads the last ID.
 */
TEST(NemaInterrupts, CompletionsMergeUntilTheIdIsRead) {
    Nema gpu;
    gpu.play({kIntCtrl, 0});
    const int64_t then = gpu.host.now;
    EXPECT_EQ(gpu.read(kClid), 0u) << "nothing is pending";
    gpu.play({kClid, 1, kIntCtrl, 1, kClid, 2, kIntCtrl, 1});
    EXPECT_EQ(gpu.read(kIntCtrl), 1u);
    gpu.play({kClid, 3, kIntCtrl, 1});
    gpu.set(kIntCtrl, 0);
    EXPECT_EQ(gpu.read(kClid), 3u);
    gpu.play({kClid, 4, kIntCtrl, 1, kIntCtrl, 1});
    EXPECT_EQ(gpu.host.now, then);
}

TEST(NemaInterrupts, OneCanBeLost) {
    Nema gpu;
    gpu.inject(PIXMILL_NEMA_FAULT_LOST_IRQ);
    gpu.play({kClid, 1, kIntCtrl, 1});
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.read(kIntCtrl), 0u);
    EXPECT_EQ(gpu.read(kClid), 1u);
    gpu.play({kClid, 2, kIntCtrl, 1});
    EXPECT_TRUE(gpu.irq());
}

TEST(NemaInterrupts, ResetLowersBothLines) {
    Nema gpu;
    gpu.set({{kIntCtrl, 1}, {kIrqId, 1}, {kGpFlags, 0x100}, {kGpFlags, 0x101}});
    EXPECT_TRUE(gpu.irq());
    EXPECT_TRUE(gpu.error_irq());
    gpu.reset();
    EXPECT_FALSE(gpu.irq());
    EXPECT_FALSE(gpu.error_irq());
    EXPECT_EQ(gpu.read(kIntCtrl), 0u);
    EXPECT_EQ(gpu.read(kSysInt), 0u);
}

} // namespace
} // namespace pixmill::test
