/*
 * Tests of save and load, including states that no core would save.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace sgx;

Words window(Sgx& gpu) {
    Words words;
    for (uint32_t offset = 0; offset < 0x10000; offset += 4)
        words.push_back(gpu.read(offset));
    return words;
}

/* Sets the host's line to the level that it had when the state was saved. */
void take_over(Sgx& gpu, const Sgx& from) {
    gpu.host.irq = from.host.irq.load();
    gpu.host.now = from.host.now.load();
}

TEST(SgxMigration, KeepsEveryRegisterAndAPendingInterrupt) {
    Sgx gpu;
    for (uint32_t offset = 0; offset < 0xFE00; offset += 4) {
        if ((offset & 0x3FFF) != kEventTimer && offset != kMasterSoftReset)
            gpu.write(offset, 0x5A5A5A5A ^ offset * 0x01010101);
    }
    gpu.write(kAll + kBifCtrl, 0);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_VDM, 0x12345678, false), PIXMILL_SGX_WALK_BUS_ERROR);
    gpu.write(kCore1 + kHostEnable, kSwEvent | kMasterInterrupt);
    gpu.raise(1, "SW_EVENT");
    gpu.write(kEnable2, 1);
    EXPECT_TRUE(gpu.irq());

    Sgx copy;
    take_over(copy, gpu);
    EXPECT_EQ(copy.load(gpu.save()), PIXMILL_OK);
    EXPECT_EQ(window(copy), window(gpu));
    EXPECT_EQ(copy.host.irq_changes, 0u) << "no pulse";
    copy.write(kCore1 + kHostEnable, 0);
    copy.write(kCore0 + kHostEnable, 0);
    copy.write(kMaster + kHostEnable, 0);
    copy.write(kStatus2, 1);
    EXPECT_FALSE(copy.irq());
}

TEST(SgxMigration, KeepsTheEventTimerGoing) {
    Sgx gpu({.core_clock_hz = 1'000'000});
    gpu.host.now = 5000;
    gpu.write(kCore1 + kEventTimer, 1u << 24 | 100);
    gpu.host.now = 55'000;
    Sgx copy({.core_clock_hz = 1'000'000});
    take_over(copy, gpu);
    copy.host.run_requested = false;
    EXPECT_EQ(copy.load(gpu.save()), PIXMILL_OK);
    EXPECT_TRUE(copy.host.run_requested);
    EXPECT_EQ(copy.run(), 105'000);
}

TEST(SgxMigration, RefusesAnotherChip) {
    Sgx gpu;
    gpu.write(kSysconfig, 0);
    for (int guard = 0; guard < 2; guard++) {
        PixmillSgxState state = gpu.save();
        (guard ? state.core_revision : state.core_id) ^= 1;
        state.irq_level = 1;
        Sgx copy;
        copy.host.irq = true;
        copy.write(kPageConfig, 0);
        EXPECT_EQ(copy.load(state), PIXMILL_ERROR_STATE);
        EXPECT_EQ(copy.read(kSysconfig), 0x28u) << "power-on state";
        EXPECT_EQ(copy.read(kPageConfig), 0x14u);
        EXPECT_FALSE(copy.irq());
    }
}

/* Loading must drop bits that neither a guest nor the hardware can set. */
TEST(SgxMigration, DropsBitsThatNoRegisterHas) {
    const auto state = std::make_unique<PixmillSgxState>();
    std::memset(state.get(), 0xFF, sizeof *state);
    state->core_id = 0x01191201;
    state->core_revision = 0x00010106;
    state->irq_level = 0x80000000;
    Sgx gpu;
    gpu.host.irq = true;
    EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.host.irq_changes, 0u);
    constexpr struct {
        uint32_t offset, value;
    } kExpected[] = {
        {kRevision, 0x40000000},
        {kHwinfo, 5},
        {kSysconfig, 0x3C},
        {kRaw0, 1},
        {kRaw2, 1},
        {kStatus1, 1},
        {kEnable1, 1},
        {kPageConfig, 0x8000001F},
        {kEvent, 0x00073F3F},
        {kDebugConfig, 0x8000003F},
        {kDebugStatus0, 1u << 26},
        {kDebugStatus1, 0},
        {kWrapper + 0x8, 0},
        {kMasterSoftReset, 0x7FF},
        {kMasterBifFault, 0xFFFFF1FF},
        {kMasterRevision, 0x00010005},
        {kMasterClkgatestatus, 0xF},
        {kMasterClkgatestatus2, 0x1F},
        {kMaster + kEventStatus, 0xFFFFFFFF}, /* the master has separate events */
        {kMaster + kBank0, 0x000FF0F0},
        {kPtlaStatus, 0},
        {kPtlaCommand0, 0},
        {kSlcEventStatus, 7},
        {kCore0 + kEventStatus, 0xB7FCFFFF},
        {kCore1 + kEventStatus2, 0x00000FFF},
        {kCore1 + kHostClear, 0},
        {kCore1 + kPdsStatus, 0x17},
        {kCore1 + kClkgatestatus, 0x01FBBFFF},
        {kCore1 + kSoftReset, 0x000FEFFF},
        {kCore0 + kBifIntStat, 0x000F3FFF},
        {kCore0 + kDirList7, 0xFFFFF000},
        {kCore0 + kBlitStatus, 0},
        {kCore0 + kNowhere, 0xFFFFFFFF}, /* undocumented: all bits are stored */
    };
    for (const auto& reg : kExpected)
        EXPECT_EQ(gpu.read(reg.offset), reg.value) << std::hex << reg.offset;
    for (const uint32_t word :
         {gpu.save().wrapper[2], gpu.save().core0[kHostClear / 4], gpu.save().core1[kBifInval / 4]})
        EXPECT_EQ(word, 0u);
}

TEST(SgxMigration, OfALevelThatTheRegistersContradictCorrectsTheLine) {
    Sgx gpu;
    PixmillSgxState state = gpu.save();
    state.irq_level = 1;
    gpu.host.irq = true;
    EXPECT_EQ(gpu.load(state), PIXMILL_OK);
    EXPECT_FALSE(gpu.irq());
    state.irq_level = 0;
    state.core0[kEventStatus / 4] = kSwEvent;
    state.core0[kHostEnable / 4] = kSwEvent | kMasterInterrupt;
    state.wrapper[(kEnable2 - kWrapper) / 4] = 1; /* so IRQSTATUS_RAW_2 should be 1 too */
    EXPECT_EQ(gpu.load(state), PIXMILL_OK);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.read(kRaw2), 1u);
    EXPECT_EQ(gpu.read(kCore0 + kEventStatus), kSwEvent | kMasterInterrupt);
}

TEST(SgxMigration, ImplausibleTimesAreCorrected) {
    for (int64_t when : {INT64_MIN, int64_t{-1}, int64_t{0}, INT64_MAX}) {
        Sgx gpu({.core_clock_hz = 1'000'000});
        gpu.host.now = 1'000'000'000;
        PixmillSgxState state = gpu.save();
        state.event_timer_ns[0] = state.event_timer_ns[1] = when;
        state.core1[kEventTimer / 4] = 1u << 24 | 1000; /* a period of 1 ms */
        EXPECT_EQ(gpu.load(state), PIXMILL_OK);
        const int64_t next = gpu.run();
        EXPECT_TRUE(next == INT64_MAX || (next > gpu.host.now && next <= 1'001'000'000)) << next;
        EXPECT_EQ(gpu.read(kCore0 + kEventStatus), 0u);
    }
}

TEST(SgxMigration, WithoutTheHeadersBypassDropsItsBit) {
    Sgx gpu;
    gpu.write(kDebugConfig, 0x80000001);
    Sgx manual({.trm_debug_config = true});
    EXPECT_EQ(manual.load(gpu.save()), PIXMILL_OK);
    EXPECT_EQ(manual.read(kDebugConfig), 1u);
}

} // namespace
} // namespace pixmill::test
