/*
 * Tests of the core and master banks: layout, identity, clock gating, resets, events, timers,
 * kicks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Offsets and fields are from TI's chip support library, and from sgx544defs.h and sgxmpdefs.h of
 * the vendor's kernel services. csl.cpp reads and writes every register of the library.
 */
#include <gtest/gtest.h>

#include <algorithm>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace sgx;

TEST(SgxBanks, AreFourAndBankZeroReachesBothCores) {
    Sgx gpu;
    gpu.write(kAll + kNowhere, 0x11111111);
    EXPECT_EQ(gpu.read(kCore0 + kNowhere), 0x11111111u);
    EXPECT_EQ(gpu.read(kCore1 + kNowhere), 0x11111111u);
    EXPECT_EQ(gpu.read(kMaster + kNowhere), 0u);
    gpu.write(kCore0 + kNowhere, 0x22222222);
    EXPECT_EQ(gpu.read(kAll + kNowhere), 0x22222222u) << "bank 0 shows core 0";
    EXPECT_EQ(gpu.read(kCore1 + kNowhere), 0x11111111u);
    gpu.write(kMaster + kNowhere, 0x33333333);
    EXPECT_EQ(gpu.read(kMaster + kNowhere), 0x33333333u);
    EXPECT_EQ(gpu.logged(), 0u);
}

TEST(SgxBanks, EndOfCoreOneIsTheWrapper) {
    Sgx gpu;
    gpu.write(kAll + 0x3E10, 0x12345678); /* SYSCONFIG hides core 1's copy */
    EXPECT_EQ(gpu.read(kCore0 + 0x3E10), 0x12345678u);
    EXPECT_EQ(gpu.read(kSysconfig), 0x28u);
}

TEST(SgxBanks, IdentityIsThatOfTheConfiguration) {
    Sgx gpu;
    for (uint32_t offset : {kAll + kCoreId, kCore0 + kCoreId, kCore1 + kCoreId, kMasterCoreId + 0u})
        EXPECT_EQ(gpu.read(offset), 0x01191201u);
    EXPECT_EQ(gpu.read(kCore0 + kCoreRevision), 0x00010106u);
    EXPECT_EQ(gpu.read(kMasterRevision), 0x00010005u);
    EXPECT_EQ(gpu.read(kMasterCore), 1u) << "two cores";
    Sgx other({.core_id = 0x12345678, .core_revision = 0x9ABCDEF0});
    EXPECT_EQ(other.read(kCore1 + kCoreId), 0x12345678u);
    EXPECT_EQ(other.read(kMasterCoreId), 0x12345678u);
    EXPECT_EQ(other.read(kCore0 + kCoreRevision), 0x9ABCDEF0u);
    EXPECT_EQ(other.read(kMasterRevision), 0x00010005u);
}

/*
 * Tests the fields of CLKGATECTL and CLKGATECTL2 with their bits in CLKGATESTATUS. According to TI,
 * 0 is gated, 1 running, 2 automatic. No unit has work.
 */
TEST(SgxBanks, UnitsRunFromResetUntilAWriteGatesThem) {
    constexpr uint32_t kFirst = 0x011800FF, kSecond = 0x00E3BF00; /* the units of each register */
    constexpr struct {
        uint32_t control, shift, bit;
    } kUnits[] = {
        {kClkgatectl, 0, 0},    {kClkgatectl, 2, 1},    {kClkgatectl, 4, 2},
        {kClkgatectl, 6, 3},    {kClkgatectl, 8, 4},    {kClkgatectl, 10, 5},
        {kClkgatectl, 12, 6},   {kClkgatectl, 14, 7},   {kClkgatectl, 16, 19},
        {kClkgatectl, 18, 20},  {kClkgatectl, 20, 24},  {kClkgatectl2, 0, 8},
        {kClkgatectl2, 2, 9},   {kClkgatectl2, 4, 10},  {kClkgatectl2, 6, 11},
        {kClkgatectl2, 8, 12},  {kClkgatectl2, 10, 13}, {kClkgatectl2, 14, 15},
        {kClkgatectl2, 16, 16}, {kClkgatectl2, 18, 17}, {kClkgatectl2, 22, 21},
        {kClkgatectl2, 24, 23}, {kClkgatectl2, 26, 22},
    };
    for (const auto& unit : kUnits) {
        for (uint32_t code = 0; code < 4; code++) {
            Sgx gpu;
            gpu.write(kCore1 + unit.control, code << unit.shift);
            const uint32_t others = unit.control == kClkgatectl ? kSecond : kFirst;
            EXPECT_EQ(gpu.read(kCore1 + kClkgatestatus),
                      others | (code == 1 ? 1u << unit.bit : 0u));
            EXPECT_EQ(gpu.read(kCore0 + kClkgatestatus), 0x01FBBFFFu);
        }
    }
}

TEST(SgxBanks, UnitsOfTheMasterBankAreGatedAlike) {
    Sgx gpu;
    gpu.write(kMasterClkgatectl2, 0x80000101); /* BIF and PTLA: running */
    EXPECT_EQ(gpu.read(kMasterClkgatestatus2), 0x11u);
    EXPECT_EQ(gpu.read(kMasterClkgatestatus), 0u);
    gpu.write(kMasterClkgatectl2, 0x80000002); /* automatic */
    EXPECT_EQ(gpu.read(kMasterClkgatestatus2), 0u);
    gpu.write(kMasterClkgatectl, 0x00000054); /* cores 1 to 3: running */
    EXPECT_EQ(gpu.read(kMasterClkgatestatus), 0xEu);
    gpu.reset();
    EXPECT_EQ(gpu.read(kMasterClkgatestatus2), 0x1Fu);
}

/*
 * Tests registers of the vendor's header that TI's library does not have, or describes with fewer
 * bits.
 */
TEST(SgxBanks, RegistersOfTheVendorsHeaderStoreTheirFieldsOnly) {
    constexpr struct {
        uint32_t offset, mask;
    } kStorage[] = {
        {kCore0 + 0x0A0C, 0x0FFFFFFF},  {kCore0 + 0x0A48, 0x0FFFFFFF},
        {kCore0 + 0x0F44, 0xFFFFFFF0},  {kCore0 + 0x0F48, 0xFFFFFFF0},
        {kCore0 + 0x0F4C, 0x0000003F},  {kCore0 + 0x0F68, 0xFFFFFFF0},
        {kCore0 + 0x0F70, 0x0000003F},  {kCore0 + 0x0F74, 0xFFFFFFF0},
        {kCore1 + 0x0F88, 0x00000003},  {kCore1 + 0x0F90, 0xFFFFFFFF},
        {kCore1 + 0x0F94, 0x00007FFF},  {kCore1 + 0x0F9C, 0x000003FC},
        {kMasterSoftReset, 0x000007FF}, {kSlcCtrl, 0x00FDFF00},
    };
    Sgx gpu;
    for (const auto& reg : kStorage) {
        for (uint32_t value : {0xFFFFFFFFu, 0x55555555u, 0xAAAAAAAAu, 0u}) {
            gpu.write(reg.offset, value);
            EXPECT_EQ(gpu.read(reg.offset), value & reg.mask) << std::hex << reg.offset;
        }
    }
}

/* csl.cpp writes to all registers that would start a unit. */
TEST(SgxBanks, WhatWouldStartAUnitIsLoggedOnce) {
    for (uint32_t offset : {0x0200u, 0x0428u, 0x0694u}) { /* VDM_START, ISP_START_RENDER, DPM */
        for (uint32_t bank : {kAll, kMaster}) {
            Sgx gpu;
            gpu.write(bank + offset, 0);
            EXPECT_EQ(gpu.logged(), 0u);
            gpu.write(bank + offset, 1);
            gpu.write(bank + offset, 1);
            ASSERT_EQ(gpu.logged(), 1u) << std::hex << offset;
            EXPECT_EQ(gpu.host.logs()[0].kind, PIXMILL_LOG_UNIMPLEMENTED);
            EXPECT_EQ(gpu.read(bank + offset), 0u);
        }
    }
}

TEST(SgxBanks, TimerCountsASixteenthOfTheCoreClock) {
    Sgx gpu({.core_clock_hz = 320'000'000});
    gpu.host.now = 1'000'000'000;
    EXPECT_EQ(gpu.read(kCore0 + kTimer), 20'000'000u);
    gpu.host.now = 1'000'000'050; /* the clock is 20 MHz */
    EXPECT_EQ(gpu.read(kCore1 + kTimer), 20'000'001u);
}

/* ---- Events ---------------------------------------------------------------- */

TEST(SgxEvents, ReachTheInterruptThroughTheWrapper) {
    for (uint32_t core : {0u, 1u}) {
        const uint32_t bank = core ? kCore1 : kCore0;
        Sgx gpu;
        gpu.raise(core, "SW_EVENT");
        EXPECT_EQ(gpu.read(bank + kEventStatus), kSwEvent);
        EXPECT_EQ(gpu.read(kRaw2), 0u);
        gpu.write(bank + kHostEnable, kSwEvent);
        EXPECT_EQ(gpu.read(bank + kEventStatus), kSwEvent | kMasterInterrupt);
        EXPECT_EQ(gpu.read(kRaw2), 0u) << "bit 31 enables the interrupts";
        gpu.write(bank + kHostEnable, kSwEvent | kMasterInterrupt);
        EXPECT_EQ(gpu.read(kRaw2), 1u);
        EXPECT_FALSE(gpu.irq());
        gpu.write(kPageConfig, 0x80000014);
        EXPECT_TRUE(gpu.irq());
        gpu.write(kPageConfig, 0x14);
        EXPECT_FALSE(gpu.irq());
        gpu.write(kEnable2, 1);
        EXPECT_TRUE(gpu.irq());
        gpu.write(kStatus2, 1);
        EXPECT_EQ(gpu.read(kRaw2), 1u) << "the core still asserts";
        EXPECT_TRUE(gpu.irq());
        gpu.write(bank + kHostClear, kSwEvent | kMasterInterrupt);
        EXPECT_EQ(gpu.read(kRaw2), 1u) << "latched";
        gpu.write(kStatus2, 1);
        EXPECT_EQ(gpu.read(bank + kEventStatus), 0u);
        EXPECT_EQ(gpu.read(kRaw2), 0u);
        EXPECT_FALSE(gpu.irq());
    }
}

TEST(SgxEvents, OfBothCoresShowInBankZero) {
    Sgx gpu;
    gpu.raise(1, "SW_EVENT");
    gpu.raise(0, "TIMER");
    gpu.raise(1, "TRIG_TA");
    EXPECT_EQ(gpu.read(kAll + kEventStatus), kSwEvent | kTimerEvent);
    EXPECT_EQ(gpu.read(kAll + kEventStatus2), 1u << 4);
    gpu.raise(1, "DSC_INV3");
    EXPECT_EQ(gpu.read(kAll + kPdsStatus), 1u << 4);
    gpu.write(kAll + kHostEnable, kSwEvent);
    EXPECT_EQ(gpu.read(kCore0 + kHostEnable), kSwEvent);
    EXPECT_EQ(gpu.read(kCore1 + kHostEnable), kSwEvent);
    gpu.write(kAll + kHostClear, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 0u);
    EXPECT_EQ(gpu.read(kCore1 + kEventStatus), 0u);
}

TEST(SgxEvents, MasterInterruptIsClearedOnItsOwnAndComesBackWhileAnotherIsPending) {
    Sgx gpu;
    gpu.write(kCore0 + kHostEnable, kSwEvent);
    gpu.raise(0, "SW_EVENT");
    gpu.write(kCore0 + kHostClear, kMasterInterrupt);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), kSwEvent | kMasterInterrupt);
    gpu.write(kCore0 + kHostClear, kSwEvent);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), kMasterInterrupt);
    gpu.write(kCore0 + kHostClear, kMasterInterrupt);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 0u);
}

/* The names and bits are those of TI's library. */
TEST(SgxEvents, EachHasItsBit) {
    constexpr struct {
        const char* name;
        uint32_t offset, bit;
    } kEvents[] = {
        {"MASTER_INTERRUPT", kEventStatus, 31},
        {"TIMER", kEventStatus, 29},
        {"TA_DPM_FAULT", kEventStatus, 28},
        {"TCU_INVALCOMPLETE", kEventStatus, 26},
        {"DPM_OUT_OF_MEMORY_ZLS", kEventStatus, 25},
        {"DPM_TA_MEM_FREE", kEventStatus, 24},
        {"ISP_END_TILE", kEventStatus, 23},
        {"DPM_INITEND", kEventStatus, 22},
        {"OTPM_LOADED", kEventStatus, 21},
        {"OTPM_INV", kEventStatus, 20},
        {"OTPM_FLUSHED", kEventStatus, 19},
        {"PIXELBE_END_RENDER", kEventStatus, 18},
        {"BREAKPOINT", kEventStatus, 15},
        {"SW_EVENT", kEventStatus, 14},
        {"TA_FINISHED", kEventStatus, 13},
        {"TA_TERMINATE", kEventStatus, 12},
        {"TPC_CLEAR", kEventStatus, 11},
        {"TPC_FLUSH", kEventStatus, 10},
        {"DPM_CONTROL_CLEAR", kEventStatus, 9},
        {"DPM_CONTROL_LOAD", kEventStatus, 8},
        {"DPM_CONTROL_STORE", kEventStatus, 7},
        {"DPM_STATE_CLEAR", kEventStatus, 6},
        {"DPM_STATE_LOAD", kEventStatus, 5},
        {"DPM_STATE_STORE", kEventStatus, 4},
        {"DPM_REACHED_MEM_THRESH", kEventStatus, 3},
        {"DPM_OUT_OF_MEMORY_GBL", kEventStatus, 2},
        {"DPM_OUT_OF_MEMORY_MT", kEventStatus, 1},
        {"DPM_3D_MEM_FREE", kEventStatus, 0},
        {"DATA_BREAKPOINT_UNTRAPPED", kEventStatus2, 11},
        {"DATA_BREAKPOINT_TRAPPED", kEventStatus2, 10},
        {"MTE_CONTEXT_DRAINED", kEventStatus2, 9},
        {"ISP2_ZLS_CSW_FINISHED", kEventStatus2, 8},
        {"DCU_INVALCOMPLETE", kEventStatus2, 7},
        {"MTE_STATE_FLUSHED", kEventStatus2, 6},
        {"TE_RGNHDR_INIT_COMPLETE", kEventStatus2, 5},
        {"TRIG_TA", kEventStatus2, 4},
        {"TRIG_3D", kEventStatus2, 3},
        {"TRIG_DL", kEventStatus2, 2},
        {"DPM_3D_FREE_LOAD", kEventStatus2, 1},
        {"DPM_TA_FREE_LOAD", kEventStatus2, 0},
        {"DSC_INV3", kPdsStatus, 4},
        {"DSC_INV1", kPdsStatus, 2},
        {"DSC_INV0", kPdsStatus, 1},
        {"CSC_INV", kPdsStatus, 0},
    };
    for (const auto& event : kEvents) {
        const uint32_t enable = event.offset == kEventStatus    ? kHostEnable
                                : event.offset == kEventStatus2 ? kHostEnable2
                                                                : kPdsEnable;
        const uint32_t clear = event.offset == kEventStatus    ? kHostClear
                               : event.offset == kEventStatus2 ? kHostClear2
                                                               : kPdsClear;
        const uint32_t bit = 1u << event.bit;
        Sgx gpu;
        gpu.write(kEnable2, 1);
        gpu.raise(0, event.name);
        EXPECT_EQ(gpu.read(kCore0 + event.offset), bit) << event.name;
        EXPECT_FALSE(gpu.irq());
        gpu.write(kCore0 + enable, bit);
        EXPECT_EQ(gpu.irq(), bit == kMasterInterrupt) << event.name << " without the global enable";
        gpu.write(kCore0 + kHostEnable, kMasterInterrupt | (enable == kHostEnable ? bit : 0));
        EXPECT_TRUE(gpu.irq()) << event.name;
        gpu.write(kCore0 + clear, bit);
        gpu.write(kCore0 + kHostClear, kMasterInterrupt);
        EXPECT_EQ(gpu.read(kCore0 + event.offset) & bit, 0u) << event.name;
        gpu.write(kStatus2, 1);
        EXPECT_FALSE(gpu.irq()) << event.name;
    }
    size_t names = 0;
    while (pixmill_sgx_event(names))
        names++;
    EXPECT_EQ(names, std::size(kEvents));
    Sgx gpu;
    EXPECT_EQ(pixmill_sgx_raise(gpu.abi(), 0, "NO_SUCH"), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_sgx_raise(gpu.abi(), 2, "TIMER"), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_sgx_raise(gpu.abi(), 0, nullptr), PIXMILL_ERROR_ARGUMENT);
}

/*
 * According to TI's library, the host may write the status registers, which sets the bits that are
 * 1.
 */
TEST(SgxEvents, OnesThatTheHostWritesArePending) {
    constexpr struct {
        uint32_t status, enable, clear;
    } kWords[] = {{kEventStatus, kHostEnable, kHostClear},
                  {kEventStatus2, kHostEnable2, kHostClear2},
                  {kPdsStatus, kPdsEnable, kPdsClear}};
    for (uint32_t bank : {kCore0, kCore1, kMaster}) {
        for (const auto& word : kWords) {
            Sgx gpu;
            gpu.write(kEnable2, 1);
            gpu.write(bank + kHostEnable, kMasterInterrupt);
            gpu.write(bank + word.enable, kMasterInterrupt | 1 | 4); /* bit 31 exists in one */
            gpu.write(bank + word.status, 2);
            EXPECT_FALSE(gpu.irq()) << "not enabled";
            gpu.write(bank + word.status, 1);
            gpu.write(bank + word.status, 4);
            EXPECT_EQ(gpu.read(bank + word.status) & 7, 7u) << "a 0 clears nothing";
            EXPECT_TRUE(gpu.irq());
            EXPECT_EQ(gpu.counters().events, 0u) << "no unit has raised it";
            gpu.write(bank + word.clear, 7);
            gpu.write(bank + kHostClear, kMasterInterrupt);
            gpu.write(kStatus2, 1);
            EXPECT_FALSE(gpu.irq());
        }
    }
}

TEST(SgxEvents, OfTheMasterBankAreItsOwn) {
    Sgx gpu;
    constexpr uint32_t kTwodComplete = 1u << 27;
    gpu.write(kMaster + kEventStatus, kTwodComplete);
    EXPECT_EQ(gpu.read(kMaster + kEventStatus), kTwodComplete);
    EXPECT_EQ(gpu.read(kAll + kEventStatus), 0u);
    gpu.write(kAll + kHostEnable, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kRaw2), 0u);
    gpu.write(kMaster + kHostEnable, kTwodComplete | kMasterInterrupt);
    EXPECT_EQ(gpu.read(kMaster + kEventStatus), kTwodComplete | kMasterInterrupt);
    EXPECT_EQ(gpu.read(kRaw2), 1u) << "on the cores' line";
    gpu.write(kAll + kHostClear, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kMaster + kEventStatus), kTwodComplete | kMasterInterrupt);
}

/*
 * TI's library has an event for each invalidate request. Memory is coherent, so the requests end
 * immediately.
 */
TEST(SgxEvents, InvalidatesEndWithTheirs) {
    constexpr struct {
        uint32_t offset, status, bit, unit;
    } kInvalidates[] = {
        {kTcuIctrl, kEventStatus, 26, 10}, {kDcuIctrl, kEventStatus2, 7, 18},
        {0x0AD0, kPdsStatus, 1, 8},        {0x0AD4, kPdsStatus, 2, 8},
        {0x0ADC, kPdsStatus, 4, 8},        {0x0AE0, kPdsStatus, 0, 8},
    };
    for (const auto& invalidate : kInvalidates) {
        Sgx gpu;
        gpu.write(kCore1 + invalidate.offset, 0);
        EXPECT_EQ(gpu.read(kCore1 + invalidate.status), 0u);
        gpu.write(kCore1 + kSoftReset, 1u << invalidate.unit);
        gpu.write(kCore1 + invalidate.offset, 1);
        EXPECT_EQ(gpu.read(kCore1 + invalidate.status), 0u) << "its unit is in reset";
        gpu.write(kCore1 + kSoftReset, 0);
        gpu.write(kCore1 + invalidate.offset, 1);
        EXPECT_EQ(gpu.read(kCore1 + invalidate.offset), 0u);
        EXPECT_EQ(gpu.read(kCore1 + invalidate.status), 1u << invalidate.bit);
        EXPECT_EQ(gpu.read(kCore0 + invalidate.status), 0u);
        EXPECT_EQ(gpu.counters().events, 1u);
        gpu.write(kCore1 + kSoftReset, 1u << invalidate.unit);
        EXPECT_EQ(gpu.read(kCore1 + invalidate.status), 0u) << "the unit's reset drops it";
        EXPECT_EQ(gpu.logged(), 0u);
    }
}

TEST(SgxSlc, RequestsEndWithTheirEventAndTheStatusFollowsTheControl) {
    Sgx gpu;
    gpu.write(kSlcInval, 0);
    EXPECT_EQ(gpu.read(kSlcEventStatus), 0u);
    gpu.write(kSlcInval, 1);
    EXPECT_EQ(gpu.read(kSlcEventStatus), 1u);
    gpu.write(kSlcFlush, 0x10);
    EXPECT_EQ(gpu.read(kSlcEventStatus), 3u);
    gpu.write(kSlcFlushInv, 0x80);
    EXPECT_EQ(gpu.read(kSlcEventStatus), 7u);
    gpu.write(kSlcEventClear, 2);
    EXPECT_EQ(gpu.read(kSlcEventStatus), 5u);
    gpu.write(kSlcBypass, 0x04000000); /* the vendor's driver writes this; ALL is 0 */
    EXPECT_EQ(gpu.read(kSlcStatus2), 0u);
    gpu.write(kSlcCtrl, 1u << 8); /* PAUSE */
    EXPECT_EQ(gpu.read(kSlcStatus2), 1u << 28);
    gpu.write(kSlcBypass, 1);
    EXPECT_EQ(gpu.read(kSlcStatus2), 3u << 28);
    EXPECT_FALSE(gpu.irq());
}

TEST(SgxEvents, AnInjectedLossSwallowsOne) {
    Sgx gpu;
    pixmill_sgx.inject(gpu.abi(), PIXMILL_SGX_FAULT_LOST_EVENT);
    gpu.raise(1, "SW_EVENT");
    EXPECT_EQ(gpu.read(kCore1 + kEventStatus), 0u);
    gpu.raise(1, "SW_EVENT");
    EXPECT_EQ(gpu.read(kCore1 + kEventStatus), kSwEvent);
    EXPECT_EQ(gpu.counters().events, 1u);
}

/* ---- EVENT_TIMER ------------------------------------------------------------ */

constexpr uint32_t kTimerEnable = 1u << 24;

TEST(SgxEventTimer, RaisesTimerOnceAPeriodWhileTheGuestTakesIt) {
    Sgx gpu({.core_clock_hz = 100'000'000});
    EXPECT_EQ(gpu.run(), INT64_MAX);
    gpu.host.now = 500;
    gpu.host.run_requested = false;
    gpu.write(kCore1 + kEventTimer, kTimerEnable | 100); /* 100 clocks of 10 ns */
    EXPECT_TRUE(gpu.host.run_requested);
    EXPECT_EQ(gpu.run(), 1500);
    gpu.host.now = 1499;
    EXPECT_EQ(gpu.run(), 1500);
    EXPECT_EQ(gpu.read(kCore1 + kEventStatus), 0u);
    gpu.host.now = 1500;
    EXPECT_EQ(gpu.run(), INT64_MAX) << "no wait while the event is pending";
    EXPECT_EQ(gpu.read(kCore1 + kEventStatus), kTimerEvent);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 0u);
    gpu.host.now = 4700;
    EXPECT_EQ(gpu.run(), INT64_MAX);
    gpu.host.run_requested = false;
    gpu.write(kCore1 + kHostClear, kTimerEvent);
    EXPECT_TRUE(gpu.host.run_requested);
    EXPECT_EQ(gpu.run(), 5500) << "missed periods are not made up";
    gpu.write(kCore1 + kEventTimer, 100);
    EXPECT_EQ(gpu.run(), INT64_MAX) << "disabled";
}

TEST(SgxEventTimer, IsNotLostWhenTheGuestClearsItBeforeItIsRaised) {
    Sgx gpu({.core_clock_hz = 100'000'000});
    gpu.write(kCore0 + kEventTimer, kTimerEnable | 100);
    gpu.host.now = 1'200; /* due, but run() has not been called yet */
    gpu.write(kCore0 + kHostClear, 0xFFFFFFFF);
    gpu.run();
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), kTimerEvent);
}

TEST(SgxEventTimer, WithoutAPeriodDoesNotRunAndWithAShortOneDoesNotStorm) {
    Sgx gpu({.core_clock_hz = 4'000'000'000});
    gpu.write(kCore0 + kEventTimer, kTimerEnable);
    EXPECT_EQ(gpu.run(), INT64_MAX);
    gpu.write(kCore0 + kEventTimer, kTimerEnable | 1);
    EXPECT_EQ(gpu.run(), gpu.host.now + 1);
    gpu.host.now = 1'000'000'000'000;
    EXPECT_EQ(gpu.run(), INT64_MAX);
    EXPECT_EQ(gpu.counters().events, 1u);
}

TEST(SgxEventTimer, StopsInAReset) {
    Sgx gpu;
    gpu.write(kAll + kEventTimer, kTimerEnable | 1000);
    gpu.write(kMasterSoftReset, 3);
    gpu.host.now = 1'000'000'000;
    EXPECT_EQ(gpu.run(), INT64_MAX);
    EXPECT_EQ(gpu.read(kAll + kEventStatus), 0u);
}

/* ---- Resets ------------------------------------------------------------------ */

TEST(SgxSoftReset, IsALevelWithTheUnitsBits) {
    Sgx gpu;
    gpu.write(kCore0 + kSoftReset, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kCore0 + kSoftReset), 0x000FEFFFu);
    EXPECT_EQ(gpu.read(kCore1 + kSoftReset), 0u);
    gpu.write(kCore0 + kSoftReset, 0);
    EXPECT_EQ(gpu.read(kCore0 + kSoftReset), 0u);
}

TEST(SgxSoftReset, OfAUnitDropsItsEvents) {
    Sgx gpu;
    gpu.raise(0, "TA_FINISHED");
    gpu.raise(0, "DPM_TA_MEM_FREE");
    gpu.raise(0, "DPM_TA_FREE_LOAD");
    gpu.write(kCore0 + kSoftReset, 1u << 2); /* DPM */
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 1u << 13);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus2), 0u);
    gpu.raise(0, "DPM_TA_MEM_FREE");
    gpu.write(kCore0 + kSoftReset, 1u << 2 | 1u << 9);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 1u << 13 | 1u << 24) << "only the edge resets";
    gpu.write(kCore0 + kSoftReset, 1u << 17); /* TA */
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 1u << 24);
}

/* Does the accesses of the vendor's kernel services (sgxreset.c, sgxinit.c) in their order. */
TEST(SgxSoftReset, ScriptOfTheVendorsDriver) {
    Sgx gpu;
    gpu.host.trace_mask = 1u << PIXMILL_TRACE_COMMAND;
    gpu.raise(0, "SW_EVENT");
    gpu.raise(1, "TRIG_3D");
    gpu.write(kCore1 + kNowhere, 5);
    gpu.write(kAll + kClkgatectl, 0x002AAAAA);
    gpu.write(kAll + kClkgatectl2, 0x0A8A8AAA);
    gpu.write(kMasterSoftReset, 0x5FF);
    EXPECT_EQ(gpu.read(kMasterSoftReset), 0x5FFu);
    EXPECT_EQ(gpu.read(kAll + kEventStatus), 0u);
    EXPECT_EQ(gpu.read(kAll + kEventStatus2), 0u);
    EXPECT_EQ(gpu.read(kCore1 + kNowhere), 0u) << "the whole bank is reset";
    EXPECT_EQ(gpu.read(kCore1 + kClkgatectl), 0x002AAAAAu) << "except for the clocks";
    EXPECT_EQ(gpu.read(kCore1 + kClkgatectl2), 0x0A8A8AAAu);
    gpu.write(kMasterBifCtrl, 0);
    gpu.write(kSlcCtrl, 0x0004C000);
    EXPECT_EQ(gpu.read(kSlcCtrl), 0x0004C000u);
    gpu.write(kSlcCtrl + 4, 0x04000000);
    EXPECT_EQ(gpu.read(kSlcCtrl + 4), 0x04000000u);
    gpu.write(kMasterSoftReset, 0);
    EXPECT_EQ(gpu.read(kMasterSoftReset), 0u);
    gpu.write(kAll + kBifCtrl, 0);
    gpu.write(kAll + kBankSet, 0);
    gpu.write(kAll + kBank0, 7);
    gpu.write(kAll + kDirList7, 0x80100000);
    for (uint32_t bank : {kCore0, kCore1}) {
        EXPECT_EQ(gpu.read(bank + kBank0), 7u);
        EXPECT_EQ(gpu.read(bank + kDirList7), 0x80100000u);
        EXPECT_EQ(gpu.read(bank + kClkgatestatus), 0u);
    }
    EXPECT_EQ(gpu.read(kMasterClkgatestatus), 0u);
    EXPECT_EQ(gpu.read(kCore0 + kBifIntStat), kFlushComplete);
    EXPECT_EQ(gpu.logged(), 0u);
    gpu.write(0x8AC0, 1);
    EXPECT_EQ(gpu.read(0x8AC0), 0u);
    EXPECT_EQ(gpu.host.kicks, (Kicks{{0, 2}}));
    ASSERT_EQ(gpu.host.traces().size(), 1u);
    EXPECT_EQ(gpu.host.traces()[0].text, "EVENT_KICK2");
    EXPECT_EQ(gpu.host.traces()[0].a, 0u);
}

/* ---- Kicks --------------------------------------------------------------------- */

TEST(SgxKicks, AreToldApartAndLoggedAsUnimplementedOnce) {
    Sgx gpu;
    gpu.write(kCore0 + kKick, 1);
    gpu.write(kCore1 + kKick1, 0x80);
    gpu.write(kAll + kKick3, 1);
    gpu.write(kCore0 + kKick2, 0); /* NOW is 0, so this does not kick */
    EXPECT_EQ(gpu.host.kicks, (Kicks{{0, 0}, {1, 1}, {0, 3}, {1, 3}}));
    EXPECT_EQ(gpu.counters().kicks, 4u);
    ASSERT_EQ(gpu.logged(), 4u);
    for (const LogLine& line : gpu.host.logs())
        EXPECT_EQ(line.kind, PIXMILL_LOG_UNIMPLEMENTED);
    gpu.write(kCore0 + kKick, 1);
    EXPECT_EQ(gpu.logged(), 4u);
    EXPECT_FALSE(gpu.irq());
}

TEST(SgxKicks, AreDroppedWhileTheUseIsInReset) {
    Sgx gpu;
    gpu.write(kCore0 + kSoftReset, 1u << 15);
    gpu.write(kCore0 + kKick2, 1);
    EXPECT_EQ(gpu.logged(), 1u);
    gpu.write(kMasterSoftReset, 2); /* resets core 1 */
    gpu.write(kCore1 + kKick2, 1);
    EXPECT_EQ(gpu.logged(), 2u);
    EXPECT_EQ(gpu.host.kicks, Kicks{});
    gpu.write(kCore0 + kSoftReset, 0);
    gpu.write(kCore0 + kKick2, 1);
    EXPECT_EQ(gpu.host.kicks, (Kicks{{0, 2}}));
}

TEST(SgxKicks, FakeMicrokernelSetsTheWordThatTheDriverWaitsFor) {
    Sgx gpu({.fake_microkernel = true, .init_status = 0x80000010});
    gpu.host.ram.add(0x80000000, 0x1000);
    gpu.host.record_ranges = true;
    gpu.write(kAll + kBifCtrl, 0);
    gpu.write(kCore0 + kKick2, 1);
    EXPECT_EQ(gpu.host.ram.word(0x80000010), 0u)
        << "without a page directory the kick is only traced";
    EXPECT_EQ(gpu.logged(), 1u);
    gpu.write(kAll + kBank0, 7);
    gpu.write(kAll + kDirList7, 0x80000000);
    pixmill_sgx.inject(gpu.abi(), PIXMILL_SGX_FAULT_LOST_KICK);
    gpu.write(kCore0 + kKick2, 1);
    EXPECT_EQ(gpu.host.ram.word(0x80000010), 0u) << "the kick is lost";
    gpu.host.ram.fill(0x80000000, 0xEE, 0x40);
    gpu.write(kCore0 + kKick2, 1);
    EXPECT_EQ(gpu.host.ram.word(0x80000010), 1u);
    EXPECT_EQ(gpu.host.ram.word(0x8000000C), 0xEEEEEEEEu);
    EXPECT_EQ(gpu.host.ram.word(0x80000014), 0xEEEEEEEEu);
    uint64_t dirty = 0;
    for (const Range& range : gpu.host.dirty())
        dirty += range.len;
    EXPECT_EQ(dirty, 4u);
    EXPECT_EQ(gpu.read(kEvent), 0u);
}

TEST(SgxKicks, FakeMicrokernelWithoutMemoryIsABusError) {
    Sgx gpu({.fake_microkernel = true, .init_status = 0x1000});
    gpu.write(kEnable0, 1);
    gpu.write(kCore1 + kDirList0, 0x80000000);
    gpu.write(kCore1 + kKick2, 1);
    EXPECT_EQ(gpu.read(kEvent), 1u << 10);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.counters().bus_errors, 1u);
}

TEST(SgxPtla, DropsCommandsAndSaysSoOnce) {
    Sgx gpu;
    gpu.write(kPtlaCommand0, 0);
    for (uint32_t offset = kPtlaCommand0; offset <= kPtlaCommand31; offset += 4)
        gpu.write(offset, 0x12345678);
    ASSERT_EQ(gpu.logged(), 1u);
    EXPECT_EQ(gpu.host.logs()[0].kind, PIXMILL_LOG_UNIMPLEMENTED);
    EXPECT_EQ(gpu.read(kPtlaStatus), 0u) << "neither busy nor full";
    EXPECT_EQ(gpu.read(kMaster + kEventStatus), 0u) << "no TWOD_COMPLETE is made up";
    EXPECT_EQ(gpu.read(kCore0 + kBlitStatus), 0u);
    gpu.write(kMasterSoftReset, 1u << 10);
    gpu.write(kPtlaCommand0, 1);
    ASSERT_EQ(gpu.logged(), 2u);
    EXPECT_EQ(gpu.host.logs()[1].kind, PIXMILL_LOG_GUEST_ERROR) << "in reset";
}

TEST(SgxPtla, VirtualFifoIsStored) {
    Sgx gpu;
    EXPECT_EQ(gpu.read(kCore0 + kBlitStatus), 0u);
    gpu.write(kCore0 + kVirtualFifo0, 0xFFFE);
    EXPECT_EQ(gpu.logged(), 0u);
    gpu.write(kCore0 + kVirtualFifo0, 1);
    ASSERT_EQ(gpu.logged(), 1u);
    EXPECT_EQ(gpu.host.logs()[0].kind, PIXMILL_LOG_UNIMPLEMENTED);
    EXPECT_EQ(gpu.read(kCore0 + kBlitStatus), 0u);
}

} // namespace
} // namespace pixmill::test
