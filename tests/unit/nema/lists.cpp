/*
 * Tests of command lists: which pairs are executed, in which order, and where lists stop.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

constexpr uint32_t kListA = kSram + 0x4000, kListB = kSram + 0x4100, kList = kSram + 0x5000;
constexpr uint32_t kRingBase = kRingRam + 0x40;

/* A list that binds a 4x4 surface at kSram and sets a color. The last pair is a NOP. */
const Words kBind = {0x000, kSram, 0x004,      0x01000010, 0x008,      0x00040004, 0x110,
                     0,     0x114, 0x00040004, 0x12C,      0x80402010, 0x10000,    0x10000};
/* A list that fills the surface's first row. */
const Words kFill = {0x1D0, 1, 0x118, 0x90000000, 0x11C,         0x141F001F,
                     0x104, 0, 0x108, 0x00010004, kHold | 0x100, 2};
const Words kRow(4, 0x80402010);

/* Bits of STAT and CMD_STAT in the GR5526 manual. */
constexpr uint32_t kSystemBusy = 1u << 31, kBusInterface = 1u << 30, kListBus = 1u << 29,
                   kProcessor = 1u << 28, kDrawingUnits = 0x0F001111;
constexpr uint32_t kBusy = 1u << 31, kInMemory = 1u << 30, kFetches = 1u << 0;

class NemaLists : public testing::Test {
protected:
    NemaLists() {
        /* every library loads this instruction into slot 31 */
        gpu.set({{kImemAddr, 31}, {kImemLow, 0x08000002}, {kImemHigh, 0x80000009}});
        gpu.host.ram.set_words(kListA, kBind);
        gpu.host.ram.set_words(kListB, kFill);
    }
    void bind() {
        gpu.start(kListA, uint32_t(kBind.size()));
        gpu.go();
    }
    Words row() const { return gpu.host.ram.words(kSram, 4); }
    void expect_idle() {
        EXPECT_EQ(gpu.read(kStat), 0u);
        EXPECT_EQ(gpu.read(kCmdStat), 0u);
    }
    /* Sets up the ring as the vendor's rb_init() does. */
    void set_up_ring() {
        gpu.set({{kClid, 0}, {kRing, kRingBase + 6}, {kCmdAddr, kRingBase}, {kCmdSize, 0x400}});
    }

    Nema gpu;
};

TEST_F(NemaLists, WriteRegisters) {
    bind();
    EXPECT_EQ(gpu.read(0x000), kSram);
    EXPECT_EQ(gpu.read(0x004), 0x01000010u);
    EXPECT_EQ(gpu.read(0x008), 0x00040004u);
    EXPECT_EQ(gpu.read(0x110), 0u);
    EXPECT_EQ(gpu.read(0x114), 0x00040004u);
    EXPECT_EQ(gpu.read(0x12C), 0x80402010u);
    EXPECT_EQ(gpu.counters().primitives, 0u);
    EXPECT_EQ(gpu.counters().command_words, 14u);
    EXPECT_EQ(gpu.read(kCmdAddr), kListA + 4 * 14);
    EXPECT_EQ(gpu.read(kCmdSize), 0u);
    expect_idle();
}

TEST_F(NemaLists, Draw) {
    bind();
    const uint64_t before = pixmill_nema.work_ns(gpu.abi());
    gpu.start(kListB, 12);
    gpu.go();
    EXPECT_EQ(row(), kRow);
    EXPECT_EQ(gpu.host.ram.words(kSram + 16, 4), Words(4, 0));
    EXPECT_EQ(gpu.counters().primitives, 1u);
    EXPECT_EQ(gpu.counters().pixels, 4u);
    EXPECT_EQ(pixmill_nema.work_ns(gpu.abi()) - before, 10u * 12 + 10u * 4); /* words, pixels */
    expect_idle();
}

/*
 * A display may show the target only after a draw, and not while a list may be halfway through a
 * frame.
 */
TEST_F(NemaLists, TargetOfADisplay) {
    PixmillNemaTarget target{1, 2, 3};
    bind();
    EXPECT_FALSE(pixmill_nema_target(gpu.abi(), &target)); // nothing was drawn
    gpu.start(kListB, 12);
    EXPECT_FALSE(pixmill_nema_target(gpu.abi(), &target)); // STAT is busy
    EXPECT_EQ(target.base, 1u);
    gpu.go();
    ASSERT_TRUE(pixmill_nema_target(gpu.abi(), &target));
    EXPECT_EQ(target.base, kSram);
    EXPECT_EQ(target.fstride, 0x01000010u);
    EXPECT_EQ(target.resxy, 0x00040004u);
}

TEST_F(NemaLists, CallsReturn) {
    bind();
    gpu.play({kCmdAddr, kListB, kPush | kCmdSize, 12, kClid, 7, kIntCtrl, 1}, kList);
    EXPECT_EQ(row(), kRow);
    EXPECT_EQ(gpu.read(kClid), 7u);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 32);
    EXPECT_EQ(gpu.counters().lists, 2u) << "a called list counts as part of its caller";
}

TEST_F(NemaLists, JumpsDoNot) {
    bind();
    gpu.play({kCmdAddr, kListB, kCmdSize, 12, kClid, 7, kIntCtrl, 1}, kList);
    EXPECT_EQ(row(), kRow);
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.read(kCmdAddr), kListB + 48);
}

TEST_F(NemaLists, CmdAddrAloneChangesNothingYet) {
    gpu.play({kCmdAddr, kListB, kClid, 7}, kList);
    EXPECT_EQ(gpu.read(kClid), 7u);
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 16);
}

TEST_F(NemaLists, ReturnLeavesACalledListEarly) {
    bind();
    Words early = kFill;
    early.insert(early.end() - 2, {kReturn | kNop, 0});
    gpu.host.ram.set_words(kListB, early);
    gpu.play({kCmdAddr, kListB, kPush | kCmdSize, 14, kClid, 7}, kList);
    EXPECT_EQ(row(), Words(4, 0));
    EXPECT_EQ(gpu.read(kEndXy), 0x00010004u) << "entries before the return are executed";
    EXPECT_EQ(gpu.read(kClid), 7u);
}

TEST_F(NemaLists, ReturnWithoutCallerStops) {
    gpu.set(kIntCtrl, 2);
    gpu.play({kClid, 1, kReturn | kNop, 0, kClid, 2}, kList);
    EXPECT_EQ(gpu.read(kClid), 1u);
    expect_idle();
}

TEST_F(NemaLists, AbortForgetsTheCallers) {
    gpu.host.ram.set_words(kListB, {kAbort | kNop, 0, kClid, 3});
    gpu.play({kCmdAddr, kListB, kPush | kCmdSize, 4, kClid, 2}, kList);
    EXPECT_EQ(gpu.read(kClid), 0u);
    expect_idle();
    EXPECT_EQ(gpu.save()->clp_depth, 0u);
    gpu.play({kClid, 5}, kList);
    EXPECT_EQ(gpu.read(kClid), 5u);
}

TEST_F(NemaLists, EightCallsDeep) {
    /* List n writes n, calls list n + 1, and marks a register when that list returns. */
    const auto at = [](uint32_t n) { return kSram + 0x6000 + 0x100 * n; };
    for (uint32_t n = 0; n < 8; n++)
        gpu.host.ram.set_words(at(n), {kClid, n, kCmdAddr, at(n + 1), kPush | kCmdSize,
                                       n == 7 ? 6u : 8u, 0x3C0 + 4 * n, 0x100 + n});
    gpu.host.ram.set_words(at(8), {kClid, 8, kBreakpoint, 1, 0x3C0 + 4 * 8, 0x108});
    gpu.set(kBreakpointMask, 1);
    gpu.start(at(0), 8);
    gpu.go();
    EXPECT_EQ(gpu.read(kClid), 8u);
    EXPECT_EQ(gpu.save()->clp_depth, 8u);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | 7u << 9)
        << "the field has three bits; the last list has no pair left";
    gpu.set(kBreakpoint, 0);
    for (uint32_t n = 0; n <= 8; n++)
        EXPECT_EQ(gpu.read(0x3C0 + 4 * n), 0x100 + n);
    expect_idle();
}

TEST_F(NemaLists, DepthShowsInCmdStat) {
    gpu.host.ram.set_words(kListB, {kBreakpoint, 1, kClid, 1, kClid, 2});
    gpu.set(kBreakpointMask, 0xFFFF);
    gpu.play({kCmdAddr, kListB, kPush | kCmdSize, 6, kClid, 3}, kList);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | kInMemory | 1u << 9);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kProcessor) << "a held list fetches nothing";
    EXPECT_EQ(gpu.read(kClid), 1u);
    gpu.set(kBreakpoint, 0);
    EXPECT_EQ(gpu.read(kClid), 3u);
}

/* Tests the whole sequence: pairs are fetched, a primitive is drawn, and the list continues. */
TEST_F(NemaLists, StatShowsBusyUnits) {
    bind();
    gpu.host.ram.set_words(kListB + 4 * kFill.size(), {kClid, 1});
    gpu.start(kListB, uint32_t(kFill.size()) + 2);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kListBus | kProcessor);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | kInMemory | kFetches);
    EXPECT_EQ(gpu.run(4096).action, PIXMILL_RUN_DRAW);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kProcessor | kDrawingUnits);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | kInMemory);
    gpu.draw(1 << 20);
    EXPECT_EQ(gpu.run(2).action, PIXMILL_RUN_AGAIN);
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kProcessor);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy) << "only its end is left";
    gpu.go();
    expect_idle();
    gpu.write(kDrawCmd, 2);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kDrawingUnits)
        << "a primitive of the host";
    EXPECT_EQ(gpu.read(kCmdStat), 0u);
    gpu.go();
    expect_idle();
}

/* The manual documents all 32 address bits, but list fetches ignore the low ones. */
TEST_F(NemaLists, LowBitsOfAnAddressAreNotFetchedBy) {
    gpu.expected_logs = 1;
    gpu.host.ram.set_words(kList, {kClid, 1, kClid, 2});
    gpu.write(kCmdAddr, kList + 7);
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 7);
    gpu.set(kRing, (kList + 8) | 4);
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 8) << "it stops before the stop address";
    gpu.set({{kCmdAddr, kList + 9}, {kRing, (kList + 8) | 4}});
    EXPECT_EQ(gpu.read(kClid), 1u) << "it is at the stop address already";
    expect_idle();
}

/* Odd sizes must be rounded down. */
TEST_F(NemaLists, SizeIsInWords) {
    gpu.start(kListA, 3);
    gpu.go();
    EXPECT_EQ(gpu.read(0x000), kSram);
    EXPECT_EQ(gpu.read(0x004), 0u);
    EXPECT_EQ(gpu.counters().command_words, 2u);
    expect_idle();
    gpu.start(kListA, 1);
    gpu.go();
    EXPECT_EQ(gpu.counters().command_words, 2u);
    expect_idle();
    gpu.play({kCmdAddr, kListA + 8, kPush | kCmdSize, 3, kClid, 3}, kList);
    EXPECT_EQ(gpu.read(0x004), 0x01000010u);
    EXPECT_EQ(gpu.read(0x008), 0u);
    EXPECT_EQ(gpu.read(kClid), 3u);
}

TEST_F(NemaLists, NeitherAddressNorZeroStarts) {
    gpu.set({{kCmdAddr, kListA}, {kCmdSize, 0}});
    EXPECT_FALSE(gpu.host.run_requested);
    EXPECT_EQ(gpu.counters().command_words, 0u);
    EXPECT_EQ(gpu.read(kCmdAddr), kListA);
}

TEST_F(NemaLists, OtherBitsOfTheFirstWordAreNoPartOfTheOffset) {
    gpu.play({0xF000 | kClid, 4, 0xF7000000 | kDrawColor, 5, 0x00F00000 - 0x00F00000, 6}, kList);
    EXPECT_EQ(gpu.read(kClid), 4u);
    EXPECT_EQ(gpu.read(kDrawColor), 5u);
    EXPECT_EQ(gpu.read(0x000), 6u);
    gpu.expected_logs = 1; /* no client sets these bits */
}

TEST_F(NemaLists, NopWritesNothing) {
    gpu.play({kNop | kClid, 4, kHold | kNop, 0, kNop | kCmdSize | kPush, 100, kDrawColor, 1},
             kList);
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.read(kDrawColor), 1u);
    expect_idle();
}

/* ---- Ring ---- */

TEST_F(NemaLists, RingRunsToItsStopAddress) {
    bind();
    set_up_ring();
    EXPECT_EQ(gpu.counters().command_words, 14u) << "setting up fetches nothing";
    gpu.host.ram.set_words(kRingBase, {kCmdAddr, kListB, kPush | kCmdSize, 12});
    gpu.set(kRing, kRingBase + 0x14);
    EXPECT_EQ(row(), kRow);
    EXPECT_EQ(gpu.read(kCmdAddr), kRingBase + 0x10);
    EXPECT_FALSE(gpu.irq());
    expect_idle();

    gpu.host.ram.set_words(kRingBase + 0x10, {kClid, 1, kIntCtrl, 1, kHold | kCmdAddr,
                                              kRingBase + 0x30, kHold | kCmdSize, 0x400});
    gpu.set(kRing, kRingBase + 0x34);
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kCmdAddr), kRingBase + 0x30);
    EXPECT_EQ(gpu.read(kCmdSize), 0x400u);
    expect_idle();
}

/* At the end of a 1 KiB ring, the vendor's library pads the ring and continues at its start. */
TEST_F(NemaLists, RingWraps) {
    const uint32_t near_end = kRingBase + 4 * 244;
    gpu.set({{kRing, near_end + 6}, {kCmdAddr, near_end}, {kCmdSize, 0x400}});
    gpu.host.ram.set_words(near_end, {kClid, 3, kDrawColor, 4, kNop, kNop, kNop, kNop,
                                      kHold | kCmdAddr, kRingBase, kHold | kCmdSize, 0x400});
    gpu.host.ram.set_words(kRingBase,
                           {kHold | kCmdAddr, kRingBase + 0x10, kHold | kCmdSize, 0x400, kClid, 9});
    gpu.set(kRing, kRingBase + 0x14);
    EXPECT_EQ(gpu.read(kCmdAddr), kRingBase + 0x10);
    EXPECT_EQ(gpu.read(kDrawColor), 4u);
    EXPECT_EQ(gpu.read(kClid), 3u) << "entries after the stop address are stale";
    expect_idle();
}

TEST_F(NemaLists, NotriggerWaitsForTheNextTrigger) {
    set_up_ring();
    gpu.host.ram.set_words(kRingBase, {kClid, 1});
    gpu.set(kRing, (kRingBase + 8) | 6);
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.read(kCmdAddr), kRingBase);
    gpu.set(kRing, (kRingBase + 8) | 4);
    EXPECT_EQ(gpu.read(kClid), 1u);
}

TEST_F(NemaLists, WithoutEnableTheRingDoesNotTrigger) {
    gpu.host.ram.set_words(kRingBase, {kClid, 1, kClid, 2});
    gpu.set({{kCmdAddr, kRingBase}, {kRing, kRingBase + 8}});
    EXPECT_EQ(gpu.counters().command_words, 0u);
}

TEST_F(NemaLists, ASizeStartsARingAtItsStopAddress) {
    gpu.host.ram.set_words(kRingBase, {kClid, 1});
    gpu.set({{kRing, kRingBase | 6}, {kCmdAddr, kRingBase}, {kCmdSize, 2}});
    EXPECT_EQ(gpu.read(kClid), 0u);
    gpu.set({{kRing, (kRingBase + 8) | 6}, {kCmdSize, 2}});
    EXPECT_EQ(gpu.read(kClid), 1u) << "a size starts it despite NOTRIGGER";
}

/* A ring whose CMD_SIZE is used up must still run to the stop address, even across calls. */
TEST_F(NemaLists, RingWithoutWordsLeftContinues) {
    set_up_ring();
    gpu.set(kCmdSize, 0);
    gpu.host.ram.set_words(kListB, {kClid, 5});
    gpu.host.ram.set_words(kRingBase,
                           {kCmdAddr, kListB, kPush | kCmdSize, 2, kDrawColor, 6, 0x1C0, 7});
    gpu.set(kRing, kRingBase + 0x1C);
    EXPECT_EQ(gpu.read(kClid), 5u);
    EXPECT_EQ(gpu.read(kDrawColor), 6u);
    EXPECT_EQ(gpu.read(0x1C0), 0u);
    EXPECT_EQ(gpu.read(kCmdSize), 0u);
    gpu.set(kRing, kRingBase + 0x24);
    EXPECT_EQ(gpu.read(0x1C0), 7u);
    expect_idle();
}

/* The stop address applies only to the ring. A called list must run past it. */
TEST_F(NemaLists, StopAddressIsNotForCalledLists) {
    set_up_ring();
    gpu.host.ram.set_words(
        kRingBase, {kCmdAddr, kRingBase + 0x10, kPush | kCmdSize, 4, kClid, 1, kDrawColor, 2});
    gpu.set(kRing, (kRingBase + 0x10) | 4);
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_EQ(gpu.read(kDrawColor), 2u);
    EXPECT_EQ(gpu.read(kCmdAddr), kRingBase + 0x10);
}

TEST_F(NemaLists, TwoSubmissionsWhileTheFirstRuns) {
    set_up_ring();
    gpu.host.ram.set_words(kRingBase, {kClid, 1, kClid, 2, kClid, 3, kClid, 4});
    gpu.write(kRing, (kRingBase + 0x10) | 4);
    gpu.run(2);
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kListBus | kProcessor);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | kInMemory | kFetches);
    gpu.run(2);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kProcessor) << "waiting at the stop address";
    EXPECT_EQ(gpu.read(kCmdStat), kBusy);
    gpu.write(kRing, (kRingBase + 0x20) | 4);
    gpu.go();
    EXPECT_EQ(gpu.read(kClid), 4u);
    expect_idle();
}

/* ---- Breakpoints ---- */

TEST_F(NemaLists, BreakpointStopsAfterTheNextPair) {
    gpu.set(kBreakpointMask, 0xFFFF);
    gpu.play({kHold | kBreakpoint, 5, 0xFF800000 | kIntCtrl, 1, kDrawColor, 0x12345678}, kList);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kBreakpoint), 5u);
    EXPECT_EQ(gpu.read(kDrawColor), 0u);
    gpu.set(kBreakpoint, 7);
    EXPECT_EQ(gpu.read(kDrawColor), 0u);
    gpu.set(kBreakpoint, 0);
    EXPECT_EQ(gpu.read(kDrawColor), 0x12345678u);
    expect_idle();
}

TEST_F(NemaLists, BreakpointsThatTheMaskLeavesOutAreStorage) {
    gpu.set(kBreakpointMask, 2);
    gpu.play({kBreakpoint, 5, kIntCtrl, 1, kDrawColor, 1}, kList);
    EXPECT_EQ(gpu.read(kBreakpoint), 5u);
    EXPECT_EQ(gpu.read(kDrawColor), 1u);
    expect_idle();
}

TEST_F(NemaLists, ABreakpointOfTheHostStopsNothing) {
    gpu.set({{kBreakpointMask, 0xFFFF}, {kBreakpoint, 1}});
    gpu.play({kClid, 1, kClid, 2, kClid, 3}, kList);
    EXPECT_EQ(gpu.read(kClid), 3u);
}

TEST_F(NemaLists, ABreakpointAtTheEndHoldsThere) {
    gpu.set({{kBreakpointMask, 1}, {kIntCtrl, 2}});
    gpu.play({kBreakpoint, 1}, kList);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy) << "no pair is left";
    EXPECT_FALSE(gpu.irq());
    gpu.set(kBreakpoint, 0);
    EXPECT_TRUE(gpu.irq());
    expect_idle();
}

TEST_F(NemaLists, AListThatLeavesItsBreakpointIsNotHeld) {
    gpu.set(kBreakpointMask, 1);
    gpu.play({kBreakpoint, 1, kBreakpoint, 0, kClid, 1, kClid, 2}, kList);
    EXPECT_EQ(gpu.read(kClid), 2u);
}

TEST_F(NemaLists, CmdStatReleasesABreakpointForGood) {
    gpu.set(kBreakpointMask, 1);
    gpu.play({kBreakpoint, 1, kClid, 1, kClid, 2}, kList);
    gpu.set(kCmdStat, 0);
    expect_idle();
    gpu.set(kBreakpoint, 0);
    EXPECT_EQ(gpu.read(kClid), 1u) << "the list was aborted";
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 16);
    EXPECT_EQ(gpu.read(kCmdSize), 2u);
}

/* ---- GP flags ---- */

TEST_F(NemaLists, HeldByAFlagUntilTheHostLowersIt) {
    gpu.play({kHoldGpFlags | kGpFlags, 0x00020002, kDrawColor, 0x11111111}, kList);
    EXPECT_EQ(gpu.read(kDrawColor), 0u);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | kInMemory);
    gpu.set(kGpFlags, gpu.read(kGpFlags) | 1);
    EXPECT_EQ(gpu.read(kDrawColor), 0u);
    gpu.set(kGpFlags, gpu.read(kGpFlags) & ~2u);
    EXPECT_EQ(gpu.read(kDrawColor), 0x11111111u) << "line 0 did not hold it";
    expect_idle();
}

/* A list that the host paces is not endless. Each release must refill its budget of pairs. */
TEST_F(NemaLists, AReleaseRefillsTheBudget) {
    struct Pace {
        uint32_t hold, value, release;
    };
    for (const auto [hold, value, release] :
         {Pace{kHoldGpFlags | kGpFlags, 0x00010001, kGpFlags}, Pace{kBreakpoint, 1, kBreakpoint}}) {
        gpu.set(kBreakpointMask, 1);
        gpu.play({hold, value, kNop, 0, kDrawColor, 1, kNop, 0}, kList);
        PixmillNemaState state = *gpu.save();
        state.clp_budget = 1;
        EXPECT_EQ(gpu.load(state), PIXMILL_OK);
        gpu.set(release, 0);
        EXPECT_EQ(gpu.read(kDrawColor), 1u);
        EXPECT_EQ(gpu.read(kSysInt), 0u);
        gpu.set({{kDrawColor, 0}, {kBreakpointMask, 0}});
    }
}

TEST_F(NemaLists, FlagsWithoutBit27DoNotHold) {
    gpu.play({kGpFlags, 0x00020002, kHold | kDrawColor, 1}, kList);
    EXPECT_EQ(gpu.read(kDrawColor), 1u);
}

TEST_F(NemaLists, BreakpointAndFlagHoldBoth) {
    gpu.set(kBreakpointMask, 1);
    gpu.play({kBreakpoint, 1, kHoldGpFlags | kGpFlags, 0x00010001, kDrawColor, 1}, kList);
    gpu.set(kBreakpoint, 0);
    EXPECT_EQ(gpu.read(kDrawColor), 0u);
    gpu.set(kGpFlags, 0);
    EXPECT_EQ(gpu.read(kDrawColor), 1u);
}

/*
 * The bus may stall only while the list processor works, since a held list may be waiting for the
 * host's draw.
 */
TEST_F(NemaLists, AHeldListLetsTheHostDraw) {
    bind();
    gpu.play({kHoldGpFlags | kGpFlags, 0x00010001, kDrawColor, 0x11111111}, kList);
    gpu.set({{0x1D0, 1},
             {0x118, 0x90000000},
             {0x11C, 0x141F001F},
             {0x104, 0},
             {0x108, 0x00010004},
             {0x100, 2}});
    EXPECT_EQ(row(), kRow);
    gpu.set(kGpFlags, 0);
    EXPECT_EQ(gpu.read(kDrawColor), 0x11111111u);
}

/* ---- Slices ---- */

TEST_F(NemaLists, BudgetCutsAnyList) {
    Words list;
    for (uint32_t i = 1; i <= 100; i++)
        list.insert(list.end(), {kClid, i});
    gpu.host.ram.set_words(kList, list);
    gpu.start(kList, 200);
    for (uint32_t i = 1; i < 100; i += 3) {
        EXPECT_EQ(gpu.read(kClid), i == 1 ? 0 : i - 1);
        EXPECT_EQ(gpu.run(6).action, PIXMILL_RUN_AGAIN);
    }
    EXPECT_EQ(gpu.read(kClid), 99u);
    EXPECT_EQ(gpu.run(6).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kClid), 100u);
}

TEST_F(NemaLists, APrimitiveSuspendsTheList) {
    bind();
    Words list = kFill;
    list.insert(list.end(), {kClid, 1});
    gpu.host.ram.set_words(kList, list);
    gpu.start(kList, 14);
    EXPECT_EQ(gpu.run(1000).action, PIXMILL_RUN_DRAW);
    EXPECT_EQ(gpu.run(1000).action, PIXMILL_RUN_DRAW) << "run() repeats it until draw() is called";
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kProcessor | kDrawingUnits);
    gpu.draw(1 << 20);
    EXPECT_EQ(row(), kRow);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kProcessor | kDrawingUnits)
        << "only run() notices the end";
    EXPECT_EQ(gpu.run(1000).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.read(kClid), 1u);
    expect_idle();
}

TEST_F(NemaLists, HostsPrimitiveStallsTheBusForTheNext) {
    bind();
    gpu.set(
        {{0x1D0, 1}, {0x118, 0x90000000}, {0x11C, 0x141F001F}, {0x104, 0}, {0x108, 0x00010004}});
    gpu.write(kDrawCmd, 2);
    EXPECT_TRUE(gpu.host.run_requested);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kBusInterface | kDrawingUnits);
    EXPECT_EQ(gpu.try_write(kDrawCmd, 4, 2), PIXMILL_ERROR_BUSY);
    gpu.write(kDrawColor, 0x55555555); /* applies to the next primitive */
    gpu.go();
    EXPECT_EQ(row(), kRow);
    gpu.start(kListA, 2);
    EXPECT_EQ(gpu.try_write(kDrawCmd, 4, 2), PIXMILL_ERROR_BUSY) << "a list runs";
    EXPECT_EQ(gpu.counters().primitives, 1u);
    gpu.go();
    gpu.set(kDrawCmd, 2);
    EXPECT_EQ(row(), Words(4, 0x55555555));
}

TEST_F(NemaLists, StatDropsThePrimitiveInFlight) {
    gpu.target(kSram, 64, 64, 0x01010101);
    gpu.set({{kStartXy, 0}, {kEndXy, 64u << 16 | 64}, {kIntCtrl, 4}});
    gpu.write(kDrawCmd, 2);
    EXPECT_EQ(gpu.run(100).action, PIXMILL_RUN_DRAW);
    gpu.draw(1);
    EXPECT_FALSE(pixmill_nema.draining(gpu.abi()));
    gpu.write(kStat, 0);
    EXPECT_TRUE(pixmill_nema.draining(gpu.abi()));
    EXPECT_EQ(gpu.read(kStat), 0u);
    EXPECT_EQ(gpu.try_write(kDrawCmd, 4, 2), PIXMILL_ERROR_BUSY) << "draw() may still be running";
    gpu.draw(1 << 20);
    EXPECT_EQ(gpu.run(100).action, PIXMILL_RUN_IDLE);
    EXPECT_FALSE(pixmill_nema.draining(gpu.abi()));
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.host.ram.word(kSram + 4 * 64 * 63), 0u);
    gpu.set(kDrawCmd, 2);
    EXPECT_EQ(gpu.host.ram.word(kSram + 4 * 64 * 63), 0x01010101u);
    EXPECT_TRUE(gpu.irq());
}

TEST_F(NemaLists, InterruptEndsADrawEarly) {
    gpu.target(kSram, 64, 64, 0x01010101);
    gpu.set({{kStartXy, 0}, {kEndXy, 64u << 16 | 64}});
    gpu.write(kDrawCmd, 2);
    pixmill_nema.interrupt(gpu.abi());
    gpu.draw(1 << 20);
    EXPECT_EQ(gpu.run(100).action, PIXMILL_RUN_DRAW);
    EXPECT_EQ(gpu.host.ram.word(kSram + 4 * 64 * 63), 0u);
    gpu.draw(1 << 20);
    EXPECT_EQ(gpu.run(100).action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gpu.host.ram.word(kSram + 4 * 64 * 63), 0x01010101u);
}

TEST_F(NemaLists, CanBeMadeToHang) {
    gpu.inject(PIXMILL_NEMA_FAULT_HANG);
    gpu.play({kClid, 1, kClid, 2}, kList);
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.read(kCmdStat), kBusy | kInMemory);
    EXPECT_EQ(gpu.read(kStat), kSystemBusy | kProcessor);
    EXPECT_EQ(gpu.try_write(kDrawCmd, 4, 2), PIXMILL_ERROR_BUSY);
    EXPECT_EQ(gpu.run(100).action, PIXMILL_RUN_IDLE) << "forever";
    gpu.set(kCmdStat, 0);
    expect_idle();
    gpu.play({kClid, 1, kClid, 2}, kList);
    EXPECT_EQ(gpu.read(kClid), 2u);
}

/* The list's host memory is split into spans of 12 bytes. */
TEST(NemaListMemory, IsFetchedInRuns) {
    Nema gpu({.grain = 12});
    Words list;
    for (uint32_t i = 1; i <= 40; i++)
        list.insert(list.end(), {kClid, i, kDrawColor, 0x01010101 * i});
    gpu.play(list);
    EXPECT_EQ(gpu.read(kClid), 40u);
    EXPECT_EQ(gpu.read(kDrawColor), 0x28282828u);
    Nema whole;
    whole.play(list);
    EXPECT_EQ(whole.host.maps, 1u) << "one mapping for all entries";
}

TEST(NemaListMemory, EndsWithTheAddressSpace) {
    Nema gpu;
    gpu.host.ram.add(0xFFFFF000, 0x1000);
    gpu.host.ram.add(0, 0x1000);
    gpu.host.ram.set_words(0xFFFFFFF8, {kClid, 1});
    gpu.host.ram.set_words(0, {kClid, 2});
    gpu.start(0xFFFFFFF8, 4);
    gpu.go();
    EXPECT_EQ(gpu.read(kClid), 2u) << "the list continues at address 0";
}

TEST(NemaListTrace, NamesRegistersAndFlags) {
    Nema gpu;
    gpu.host.trace_mask = 1u << PIXMILL_TRACE_COMMAND | 1u << PIXMILL_TRACE_STATE |
                          1u << PIXMILL_TRACE_FE_STATE | 1u << PIXMILL_TRACE_IRQ;
    gpu.play({kClid, 1, kHold | kNop, 0, kCmdAddr, kListB, kPush | kCmdSize, 0, kIntCtrl, 1,
              kReturn | kNop, 0},
             kList);
    const auto traces = gpu.host.traces();
    constexpr struct {
        PixmillTrace event;
        uint64_t a, b;
        const char* text;
    } kExpected[] = {
        {PIXMILL_TRACE_FE_STATE, kList, 0, "running"},
        {PIXMILL_TRACE_COMMAND, kList, kClid, "CMD_LIST_ID"},
        {PIXMILL_TRACE_STATE, kClid, 1, "CMD_LIST_ID"},
        {PIXMILL_TRACE_COMMAND, kList + 8, kHold | kNop, "HOLD"},
        {PIXMILL_TRACE_COMMAND, kList + 16, kCmdAddr, "CMD_ADDR"},
        {PIXMILL_TRACE_STATE, kCmdAddr, kListB, "CMD_ADDR"},
        {PIXMILL_TRACE_COMMAND, kList + 24, kPush | kCmdSize, "CALL"},
        {PIXMILL_TRACE_STATE, kCmdSize, 0, "CMD_SIZE"},
        {PIXMILL_TRACE_COMMAND, kList + 32, kIntCtrl, "INT_CTRL"},
        {PIXMILL_TRACE_STATE, kIntCtrl, 1, "INT_CTRL"},
        {PIXMILL_TRACE_COMMAND, kList + 40, kReturn | kNop, "RETURN"},
        {PIXMILL_TRACE_FE_STATE, kList + 48, 0, "idle"},
        {PIXMILL_TRACE_IRQ, 1, 1, "completion"},
    };
    ASSERT_EQ(traces.size(), std::size(kExpected));
    for (size_t i = 0; i < traces.size(); i++) {
        EXPECT_EQ(traces[i].event, kExpected[i].event) << i;
        EXPECT_EQ(traces[i].a, kExpected[i].a) << i;
        EXPECT_EQ(traces[i].b, kExpected[i].b) << i;
        EXPECT_EQ(traces[i].text, kExpected[i].text) << i;
    }
}

} // namespace
} // namespace pixmill::test
