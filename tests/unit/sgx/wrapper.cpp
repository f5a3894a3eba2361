/*
 * Tests of the wrapper: interrupt lines, events, debug registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The values are from the AM57xx TRM, tables 12-6 to 12-44. REVISION and the writes to SYSCONFIG
 * are from linux ti-sysc.c.
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace sgx;

TEST(SgxWrapper, HoldsTheManualsValuesAfterPowerOn) {
    Sgx gpu;
    EXPECT_EQ(gpu.read(kRevision), 0x40000000u);
    EXPECT_EQ(gpu.read(kHwinfo), 5u);
    EXPECT_EQ(gpu.read(kSysconfig), 0x28u);
    for (uint32_t offset = kRaw0; offset <= kDisable2; offset += 4)
        EXPECT_EQ(gpu.read(offset), 0u) << std::hex << offset;
    EXPECT_EQ(gpu.read(kPageConfig), 0x14u);
    for (uint32_t offset : {kEvent, kDebugConfig, kDebugStatus0, kDebugStatus1})
        EXPECT_EQ(gpu.read(offset), 0u) << std::hex << offset;
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.logged(), 0u);
}

TEST(SgxWrapper, SysconfigStoresItsModesAndIgnoresTheSoftResetBitInSilence) {
    Sgx gpu;
    gpu.write(kPageConfig, 0x1F);
    gpu.write(kSysconfig, 0x2C);
    EXPECT_EQ(gpu.read(kSysconfig), 0x2Cu);
    gpu.write(kSysconfig, 0x2D);
    EXPECT_EQ(gpu.read(kSysconfig), 0x2Cu);
    EXPECT_EQ(gpu.read(kPageConfig), 0x1Fu) << "nothing is reset";
    EXPECT_EQ(gpu.logged(), 0u);
    gpu.write(kSysconfig, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kSysconfig), 0x3Cu);
    EXPECT_EQ(gpu.logged(), 1u);
    gpu.write(kSysconfig, 0);
    EXPECT_EQ(gpu.read(kSysconfig), 0u);
}

class SgxLine : public testing::TestWithParam<uint32_t> {
protected:
    uint32_t raw() { return gpu.read(kRaw0 + at); }
    uint32_t status() { return gpu.read(kStatus0 + at); }
    void others_are_silent() {
        for (uint32_t other : {0u, 4u, 8u}) {
            if (other != at) {
                EXPECT_EQ(gpu.read(kRaw0 + other), 0u);
                EXPECT_EQ(gpu.read(kStatus0 + other), 0u);
                EXPECT_EQ(gpu.read(kEnable0 + other), 0u);
                EXPECT_EQ(gpu.read(kDisable0 + other), 0u);
            }
        }
    }

    const uint32_t at = 4 * GetParam();
    Sgx gpu;
};

TEST_P(SgxLine, IsSetEnabledDisabledAndCleared) {
    gpu.write(kRaw0 + at, 1);
    EXPECT_EQ(raw(), 1u);
    EXPECT_EQ(status(), 0u);
    EXPECT_FALSE(gpu.irq());
    others_are_silent();

    gpu.write(kEnable0 + at, 1);
    EXPECT_EQ(gpu.read(kEnable0 + at), 1u);
    EXPECT_EQ(gpu.read(kDisable0 + at), 1u);
    EXPECT_EQ(status(), 1u);
    EXPECT_TRUE(gpu.irq());
    others_are_silent();

    gpu.write(kEnable0 + at, 0);
    EXPECT_EQ(gpu.read(kEnable0 + at), 1u);
    EXPECT_TRUE(gpu.irq());

    gpu.write(kDisable0 + at, 0);
    EXPECT_EQ(gpu.read(kEnable0 + at), 1u) << "writing 0 does nothing";
    gpu.write(kDisable0 + at, 1);
    EXPECT_EQ(gpu.read(kEnable0 + at), 0u);
    EXPECT_EQ(gpu.read(kDisable0 + at), 0u);
    EXPECT_EQ(status(), 0u);
    EXPECT_EQ(raw(), 1u);
    EXPECT_FALSE(gpu.irq());

    gpu.write(kEnable0 + at, 1);
    gpu.write(kStatus0 + at, 0);
    gpu.write(kRaw0 + at, 0);
    EXPECT_EQ(raw(), 1u) << "writing 0 does nothing";
    EXPECT_TRUE(gpu.irq());

    gpu.write(kStatus0 + at, 1);
    EXPECT_EQ(raw(), 0u);
    EXPECT_EQ(status(), 0u);
    EXPECT_FALSE(gpu.irq());
    others_are_silent();
    EXPECT_EQ(gpu.logged(), 0u);
}

TEST_P(SgxLine, HasNoBitsButTheLowest) {
    for (uint32_t offset : {kRaw0 + at, kStatus0 + at, kEnable0 + at, kDisable0 + at}) {
        gpu.write(offset, 0xFFFFFFFE);
        EXPECT_EQ(gpu.read(offset), 0u);
    }
    EXPECT_EQ(gpu.logged(), 4u);
    EXPECT_FALSE(gpu.irq());
}

INSTANTIATE_TEST_SUITE_P(All, SgxLine, testing::Values(0u, 1u, 2u));

TEST(SgxInterruptEvent, IsSetByOnesAndClearedByZeros) {
    Sgx gpu;
    gpu.write(kEnable0, 1);
    gpu.write(kEvent, 0x00000004);
    EXPECT_EQ(gpu.read(kEvent), 4u);
    EXPECT_EQ(gpu.read(kRaw0), 1u);
    EXPECT_TRUE(gpu.irq());
    gpu.write(kStatus0, 1);
    EXPECT_EQ(gpu.read(kRaw0), 0u);
    EXPECT_EQ(gpu.read(kEvent), 4u);
    EXPECT_FALSE(gpu.irq());
    gpu.write(kEvent, 0x00000004);
    EXPECT_EQ(gpu.read(kRaw0), 0u) << "setting an event again raises nothing";
    gpu.write(kEvent, 0x00010404);
    EXPECT_EQ(gpu.read(kEvent), 0x00010404u);
    EXPECT_EQ(gpu.read(kRaw0), 1u);
    EXPECT_EQ(gpu.read(kRaw1), 1u);
    EXPECT_TRUE(gpu.irq());
    gpu.write(kEvent, 0x00010000);
    EXPECT_EQ(gpu.read(kEvent), 0x00010000u);
    gpu.write(kEvent, 0);
    EXPECT_EQ(gpu.read(kEvent), 0u);
    EXPECT_EQ(gpu.read(kRaw0), 1u);
    EXPECT_EQ(gpu.read(kRaw1), 1u);
    EXPECT_EQ(gpu.logged(), 0u);
}

TEST(SgxInterruptEvent, OfAllOnesSetsItsFifteenEventsAndBothPorts) {
    Sgx gpu;
    gpu.write(kEvent, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kEvent), 0x00073F3Fu);
    EXPECT_EQ(gpu.read(kRaw0), 1u);
    EXPECT_EQ(gpu.read(kRaw1), 1u);
    EXPECT_EQ(gpu.read(kRaw2), 0u);
    EXPECT_EQ(gpu.logged(), 1u) << "reserved bits are logged";
}

/* Table 12-38 of the AM57xx TRM lists the port of each event. */
TEST(SgxInterruptEvent, EachRaisesTheLineOfItsPort) {
    for (uint32_t bit = 0; bit < 32; bit++) {
        Sgx gpu;
        gpu.write(kEvent, 1u << bit);
        const bool master = bit <= 5 || (bit >= 8 && bit <= 13);
        const bool slave = bit >= 16 && bit <= 18;
        EXPECT_EQ(gpu.read(kRaw0), master) << bit;
        EXPECT_EQ(gpu.read(kRaw1), slave) << bit;
        EXPECT_EQ(gpu.read(kRaw2), 0u) << bit;
        EXPECT_EQ(gpu.read(kEvent), master || slave ? 1u << bit : 0) << bit;
    }
}

TEST(SgxWrapper, PageAndDebugConfigStoreTheirBits) {
    Sgx gpu;
    gpu.write(kPageConfig, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kPageConfig), 0x8000001Fu);
    gpu.write(kDebugConfig, 0xFFFFFFFF);
    EXPECT_EQ(gpu.read(kDebugConfig), 0x8000003Fu);
    EXPECT_FALSE(gpu.irq());

    Sgx manual({.trm_debug_config = true});
    manual.write(kDebugConfig, 0xFFFFFFFF);
    EXPECT_EQ(manual.read(kDebugConfig), 0x0000003Fu);
}

/*
 * Forced idle sets TARGET_IDLE (bit 29) and TARGET_SIDLEACK (bits 7:6) to all ones, and forced
 * standby sets INIT_MSTANDBY (17) and INIT_MDISCACK (14:13).
 */
TEST(SgxWrapper, DebugStatusShowsForcedIdleness) {
    Sgx gpu;
    for (uint32_t config : {0u, 2u, 3u, 0x8u, 0xCu, 0x30u}) {
        gpu.write(kDebugConfig, config);
        EXPECT_EQ(gpu.read(kDebugStatus0), 0u) << config;
    }
    gpu.write(kDebugConfig, 1);
    EXPECT_EQ(gpu.read(kDebugStatus0), 0x200000C0u);
    EXPECT_EQ(gpu.read(kDebugStatus1), 0x200000C0u);
    gpu.write(kDebugConfig, 4);
    EXPECT_EQ(gpu.read(kDebugStatus0), 0x00026000u);
}

TEST(SgxWrapper, BypassOfEitherBitShowsTheCoresInterruptWhateverItsEnable) {
    for (uint32_t offset : {kPageConfig, kDebugConfig}) {
        Sgx gpu;
        gpu.write(offset, 0x80000000);
        EXPECT_FALSE(gpu.irq());
        gpu.write(kRaw2, 1);
        EXPECT_FALSE(gpu.irq()) << "a line set by a write is not the core's";
        gpu.write(kCore0 + kHostEnable, kSwEvent | kMasterInterrupt);
        gpu.raise(0, "SW_EVENT");
        EXPECT_TRUE(gpu.irq());
        gpu.write(offset, 0);
        EXPECT_FALSE(gpu.irq());
    }
    Sgx manual({.trm_debug_config = true});
    manual.write(kDebugConfig, 0x80000000);
    manual.write(kCore0 + kHostEnable, kSwEvent | kMasterInterrupt);
    manual.raise(0, "SW_EVENT");
    EXPECT_FALSE(manual.irq());
}

/* Does the writes of the DRM shim of openpvrsgx (pvr-drv.c) when it probes, in their order. */
TEST(SgxWrapper, TheKernelShimProbes) {
    Sgx gpu;
    gpu.write(kDebugConfig, 0x80000000);
    gpu.write(kStatus2, 1);
    gpu.write(kEnable2, 1);
    EXPECT_EQ(gpu.read(kDebugConfig), 0x80000000u);
    EXPECT_EQ(gpu.read(kStatus2), 0u);
    EXPECT_EQ(gpu.read(kEnable2), 1u);
    EXPECT_FALSE(gpu.irq());
    EXPECT_EQ(gpu.logged(), 0u);
    gpu.write(kCore0 + kHostEnable, kSwEvent | kMasterInterrupt);
    gpu.raise(0, "SW_EVENT");
    EXPECT_TRUE(gpu.irq());
}

TEST(SgxWrapper, InjectedResponseErrorsRaiseTheirEvents) {
    Sgx gpu;
    gpu.write(kEnable0, 1);
    pixmill_sgx.inject(gpu.abi(), PIXMILL_SGX_FAULT_RESPONSE_0);
    EXPECT_EQ(gpu.read(kEvent), 1u << 2);
    EXPECT_TRUE(gpu.irq());
    pixmill_sgx.inject(gpu.abi(), PIXMILL_SGX_FAULT_RESPONSE_1);
    EXPECT_EQ(gpu.read(kEvent), 1u << 2 | 1u << 10);
    EXPECT_EQ(gpu.counters().bus_errors, 2u);
}

TEST(SgxWrapper, ResetPutsEverythingBackAndLowersTheLine) {
    Sgx gpu;
    gpu.write(kEvent, 0x73F3F);
    gpu.write(kEnable0, 1);
    gpu.write(kEnable1, 1);
    gpu.write(kDebugConfig, 0x3F);
    gpu.write(kSysconfig, 0);
    EXPECT_TRUE(gpu.irq());
    gpu.reset();
    EXPECT_FALSE(gpu.irq());
    Sgx fresh;
    for (uint32_t offset = kWrapper; offset < kWrapper + 0x200; offset += 4)
        EXPECT_EQ(gpu.read(offset), fresh.read(offset)) << std::hex << offset;
}

} // namespace
} // namespace pixmill::test
