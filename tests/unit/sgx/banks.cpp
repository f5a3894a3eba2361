/*
 * Core and master banks: layout, identity, clock gating, resets, events, timers, kicks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Offsets and fields: sgx544defs.h and sgxmpdefs.h of the vendor's kernel services.
 */
#include <gtest/gtest.h>

#include <algorithm>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace sgx;

TEST(SgxBanks, AreFourAndBankZeroReachesBothCores) {
    Sgx gpu;
    constexpr uint32_t kNowhere = 0x0500; /* undocumented: plain storage */
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
    gpu.write(kAll + 0x3E10, 0x12345678); /* core 1's copy is hidden by SYSCONFIG */
    EXPECT_EQ(gpu.read(kCore0 + 0x3E10), 0x12345678u);
    EXPECT_EQ(gpu.read(kSysconfig), 0x28u);
}

TEST(SgxBanks, IdentityIsThatOfTheConfiguration) {
    Sgx gpu;
    for (uint32_t offset : {kAll + kCoreId, kCore0 + kCoreId, kCore1 + kCoreId, kMasterCoreId + 0u})
        EXPECT_EQ(gpu.read(offset), 0x01250101u);
    for (uint32_t offset : {kCore0 + kCoreRevision, kMasterCoreId + 4})
        EXPECT_EQ(gpu.read(offset), 0x00010106u);
    EXPECT_EQ(gpu.read(kMasterCore), 1u) << "two cores";
    Sgx other({.core_id = 0x12345678, .core_revision = 0x9ABCDEF0});
    EXPECT_EQ(other.read(kCore1 + kCoreId), 0x12345678u);
    EXPECT_EQ(other.read(kMasterCoreId + 4), 0x9ABCDEF0u);
}

/* A field of CLKGATECTL or CLKGATECTL2, and its bit in CLKGATESTATUS. */
TEST(SgxBanks, ClockGateStatusShowsTheUnitsThatAreForcedOn) {
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
            EXPECT_EQ(gpu.read(kCore1 + kClkgatestatus), code == 1 ? 1u << unit.bit : 0u);
            EXPECT_EQ(gpu.read(kCore0 + kClkgatestatus), 0u);
        }
    }
}

TEST(SgxBanks, RegistersStoreTheirFieldsOnly) {
    constexpr struct {
        uint32_t offset, mask;
    } kStorage[] = {
        {0x0000, 0x113FFFFF}, {0x0004, 0x0FCFCFFF}, {0x000C, 0x113FFFFF}, {0x001C, 0x00000001},
        {0x0080, 0x000FEFFF}, {0x0110, 0x00000FFF}, {0x0130, 0xB7FCFFFF}, {0x0A0C, 0x0FFFFFFF},
        {0x0A48, 0x0FFFFFFF}, {0x0AC4, 0xFFFFFFF0}, {0x0ACC, 0x01FFFFFF}, {0x0C00, 0x000FF613},
        {0x0C0C, 0x0FFFFFFF}, {0x0C30, 0x0FFFFFFF}, {0x0C38, 0xFFFFF000}, {0x0C50, 0xFFFFF000},
        {0x0C74, 0x000003DD}, {0x0C78, 0x000FF0FF}, {0x0C7C, 0x0000F0FF}, {0x0C84, 0xFFFFF000},
        {0x0C90, 0xFFF00000}, {0x0CAC, 0xFFF00000}, {0x0CB0, 0xFFF00000}, {0x0CD0, 0x0000003F},
        {0x0E10, 0x0000FFFF}, {0x0E14, 0xFFFFFFFF}, {0x0F44, 0xFFFFFFF0}, {0x0F48, 0xFFFFFFF0},
        {0x0F4C, 0x0000003F}, {0x0F68, 0xFFFFFFF0}, {0x0F70, 0x0000003F}, {0x0F74, 0xFFFFFFF0},
        {0x0F78, 0x00000003}, {0x0F7C, 0x000003FC}, {0x0F84, 0x00007FFF}, {0x0F9C, 0x000003FC},
    };
    for (uint32_t bank : {kCore0, kCore1}) {
        Sgx gpu;
        for (const auto& reg : kStorage) {
            EXPECT_EQ(gpu.read(bank + reg.offset), 0u) << std::hex << reg.offset;
            for (uint32_t value : {0xFFFFFFFFu, 0x55555555u, 0xAAAAAAAAu, 0u}) {
                gpu.write(bank + reg.offset, value);
                EXPECT_EQ(gpu.read(bank + reg.offset), value & reg.mask) << std::hex << reg.offset;
            }
        }
    }
    constexpr struct {
        uint32_t offset, mask;
    } kMasterStorage[] = {
        {0x0000, 0x00000003}, {0x0080, 0x000007FF}, {0x0C00, 0x000F0013}, {0x0CD0, 0x00000017},
        {0x0D00, 0x00FDFF00}, {0x0D04, 0x0FFFFFFF}, {0x0D08, 0xFFFFFFFF}, {0x0F1C, 0x00000003},
    };
    Sgx gpu;
    for (const auto& reg : kMasterStorage) {
        for (uint32_t value : {0xFFFFFFFFu, 0x55555555u, 0xAAAAAAAAu, 0u}) {
            gpu.write(kMaster + reg.offset, value);
            EXPECT_EQ(gpu.read(kMaster + reg.offset), value & reg.mask) << std::hex << reg.offset;
        }
    }
}

TEST(SgxBanks, TriggersReadAsZero) {
    Sgx gpu;
    for (uint32_t offset : {0x0AB0u, 0x0AC0u, 0x0AC8u, 0x0AD0u, 0x0AD4u, 0x0AD8u, 0x0ADCu, 0x0AE0u,
                            0x0C34u, 0x0114u, 0x0134u}) {
        gpu.write(kCore0 + offset, 0xFFFFFFFF);
        EXPECT_EQ(gpu.read(kCore0 + offset), 0u) << std::hex << offset;
    }
    for (uint32_t offset : {0x4C34u, 0x4D28u, 0x4D2Cu, 0x4D34u}) {
        gpu.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(gpu.read(offset), 0u) << std::hex << offset;
    }
}

TEST(SgxBanks, TimerCountsASixteenthOfTheCoreClock) {
    Sgx gpu({.core_clock_hz = 320'000'000});
    gpu.host.now = 1'000'000'000;
    EXPECT_EQ(gpu.read(kCore0 + kTimer), 20'000'000u);
    gpu.host.now = 1'000'000'050; /* 20 MHz clock */
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

/* Names and bits as in the vendor's header. */
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
    };
    for (const auto& event : kEvents) {
        const bool second = event.offset == kEventStatus2;
        const uint32_t bit = 1u << event.bit;
        Sgx gpu;
        gpu.write(kEnable2, 1);
        gpu.raise(0, event.name);
        EXPECT_EQ(gpu.read(kCore0 + event.offset), bit) << event.name;
        EXPECT_FALSE(gpu.irq());
        gpu.write(kCore0 + (second ? kHostEnable2 : kHostEnable), bit);
        EXPECT_EQ(gpu.irq(), !second && bit == kMasterInterrupt) << event.name;
        gpu.write(kCore0 + kHostEnable, kMasterInterrupt | (second ? 0 : bit));
        EXPECT_TRUE(gpu.irq()) << event.name;
        gpu.write(kCore0 + (second ? kHostClear2 : kHostClear), bit);
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
    gpu.host.now = 1'200; /* due, but run() was not called yet */
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

/* The vendor's kernel services, in their order: sgxreset.c, sgxinit.c. */
TEST(SgxSoftReset, ScriptOfTheVendorsDriver) {
    Sgx gpu;
    gpu.host.trace_mask = 1u << PIXMILL_TRACE_COMMAND;
    gpu.raise(0, "SW_EVENT");
    gpu.raise(1, "TRIG_3D");
    gpu.write(kCore1 + 0x0700, 5);
    gpu.write(kMasterSoftReset, 0x5FF);
    EXPECT_EQ(gpu.read(kMasterSoftReset), 0x5FFu);
    EXPECT_EQ(gpu.read(kAll + kEventStatus), 0u);
    EXPECT_EQ(gpu.read(kAll + kEventStatus2), 0u);
    EXPECT_EQ(gpu.read(kCore1 + 0x0700), 0u) << "the whole bank is reset";
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
    EXPECT_EQ(gpu.read(0x4008), 0u) << "an undocumented status of the master bank";
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
    gpu.write(kCore0 + kKick2, 0); /* NOW is 0, so this is no kick */
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
    gpu.write(kMasterSoftReset, 2); /* core 1 */
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

TEST(SgxPtla, HasAStatusButTakesNoCommands) {
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
