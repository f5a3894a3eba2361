/*
 * The page table array of cores with the security block (rnndb state_hi, linux
 * etnaviv_iommu_v2.c: etnaviv_iommuv2_restore_sec()).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kMtlb = 0x84000000;
constexpr uint32_t kStlb1 = 0x84001000;
constexpr uint32_t kSafe = 0x84002000;
constexpr uint32_t kLowStlb = 0x84010000; /* identity map of 1 MiB, for the streams */
constexpr uint32_t kData = 0x90000000;
constexpr uint32_t kPta = 0x84003000;

struct Secure {
    Secure() : m("gc7000-imx8mq") {
        m.ram.add(0x84000000, 0x20000);
        m.ram.add(kData, 0x10000);
        m.ram.set_words(kMtlb, Words(1024, 2));
        m.ram.set_words(kStlb1, Words(1024, 2));
        m.ram.set_word(kMtlb, kLowStlb | 1);
        m.ram.set_word(kMtlb + 4, kStlb1 | 1);
        for (uint32_t page = 0; page < 0x100; page++)
            m.ram.set_word(kLowStlb + 4 * page, page << 12 | 1);
        m.ram.set_word(kPta + 8 * 3, kMtlb);
        m.ram.set_word(kPta + 8 * 3 + 4, 0);
        m.ram.set_word(kStlb1 + 4 * 3, 0x90005001);
    }

    void bring_up(uint32_t context = 3) {
        m.set(reg::kPtaLow, kPta);
        m.set(reg::kPtaHigh, 0);
        m.set(reg::kPtaControl, 1);
        m.set(reg::kNonsecSafeLow, kSafe);
        m.set(reg::kSecSafeLow, kSafe);
        m.run_stream(Stream().state(state::kPtaConfig, context));
        m.set(reg::kSecControl, 1);
        m.set(reg::kIntrEnable, ~0u);
    }

    uint32_t run_at(uint32_t va, uint32_t qwords = 2) {
        m.start(va, qwords);
        m.go();
        return m.get(reg::kIntrAck);
    }

    Machine m;
};

TEST(VivanteMmuSecure, ContextComesFromThePageTableArray) {
    Secure rig;
    rig.m.put_stream(0x90005000, Stream().event(0x21).end());
    rig.bring_up();
    EXPECT_EQ(rig.m.save()->mmu_pta_index, 3u);
    EXPECT_EQ(rig.m.save()->mmu_mtlb, kMtlb);
    EXPECT_EQ(rig.run_at(0x00403000), 2u);
}

/* WAIT_FENCE must read through the MMU, like all other commands. */

Stream fence_at(uint32_t va) {
    return Stream()
        .state(state::kFenceLow, 0x5AFE0008)
        .state(state::kFenceHigh, 0x5AFE000C)
        .raw({op::kWaitFence | 100, va})
        .event(0x21)
        .end();
}

TEST(VivanteMmuSecure, WaitFenceThatFaultsFreezesTheFrontEnd) {
    Secure rig;
    rig.m.put_stream(0x90005000, fence_at(0x00800000)); /* not present in the first level */
    rig.bring_up();
    EXPECT_EQ(rig.run_at(0x00403000, 5), kIntrMmu);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(rig.m.counters().mmu_faults, 1u);
    EXPECT_EQ(rig.m.guest_errors(), 1u);
    rig.m.go(10'000'000);
    EXPECT_EQ(rig.m.counters().mmu_faults, 1u);
}

TEST(VivanteMmuSecure, NoStateIsLoadedAfterAFenceOutThatFaults) {
    Secure rig;
    rig.m.put_stream(0x90005000, Stream()
                                     .state(state::kFenceAddress, 0x00800000)
                                     .raw({0x08020000 | 0x3898 / 4, 1, 0x12345678, 0})
                                     .event(0x21)
                                     .end());
    rig.bring_up();
    EXPECT_EQ(rig.run_at(0x00403000, 5), kIntrMmu);
    EXPECT_EQ(rig.m.state(0x3898), 1u);
    EXPECT_EQ(rig.m.state(0x389C), 0u);
    EXPECT_EQ(rig.m.counters().mmu_faults, 1u);
    EXPECT_EQ(rig.m.guest_errors(), 1u);
}

TEST(VivanteMmuSecure, WaitFenceOnTheSafePageReadsIt) {
    Secure rig;
    rig.m.ram.set_words(kSafe + 8, {0x5AFE0008, 0x5AFE000C});
    rig.m.ram.set_word(kMtlb + 4 * 2, 0); /* not present, without an exception */
    rig.m.put_stream(0x90005000, fence_at(0x00800048));
    rig.bring_up();
    EXPECT_EQ(rig.run_at(0x00403000, 5), 2u);
}

TEST(VivanteMmuSecure, ArrayEntryCarriesModeAndFortyBits) {
    Secure rig;
    rig.m.ram.add(0x184000000, 0x1000);
    rig.m.ram.set_word(kPta + 8 * 511, 0x84000001); /* bit 0 selects mode 1 */
    rig.m.ram.set_word(kPta + 8 * 511 + 4, 0x01);
    rig.m.ram.set_word(0x184000000, kLowStlb | 1);
    rig.m.ram.set_word(0x184000000 + 4, kStlb1 | 1); /* maps VA 0x01000000 in mode 1 */
    rig.m.put_stream(0x90005000, Stream().event(0x21).end());
    rig.bring_up(511);
    EXPECT_EQ(rig.run_at(0x01003000), 2u);
}

TEST(VivanteMmuSecure, FlushWithAZeroAddressKeepsTheContext) {
    Secure rig; /* linux etnaviv_buffer_queue() writes 0x18 on secure cores */
    rig.m.put_stream(0x90005000,
                     Stream().state(state::kMmuConfig, 0x18).sync().link(2, 0x00403800));
    rig.m.put_stream(0x90005800, Stream().event(0x22).end());
    rig.bring_up();
    EXPECT_EQ(rig.run_at(0x00403000, 4), 4u);
    EXPECT_EQ(rig.m.save()->mmu_mtlb, kMtlb);
}

TEST(VivanteMmuSecure, MaskedPtaConfigDoesNothing) {
    Secure rig;
    rig.bring_up();
    rig.m.put_stream(0x2000, Stream().state(state::kPtaConfig, 0x10007).event(0x21).end());
    EXPECT_EQ(rig.run_at(0x2000, 3), 2u);
    EXPECT_EQ(rig.m.save()->mmu_pta_index, 3u);
}

TEST(VivanteMmuSecure, PtaIndexOutOfRangeIsIgnoredAndLogged) {
    for (uint32_t index : {512u, 0xFFFFu}) {
        Secure rig;
        rig.bring_up();
        rig.m.put_stream(0x2000, Stream().state(state::kPtaConfig, index).event(0x21).end());
        EXPECT_EQ(rig.run_at(0x2000, 3), 2u);
        EXPECT_EQ(rig.m.save()->mmu_pta_index, 3u);
        EXPECT_EQ(rig.m.guest_errors(), 1u);
    }
}

TEST(VivanteMmuSecure, FaultsShowInTheSecurityBlock) {
    Secure rig;
    rig.bring_up();
    EXPECT_EQ(rig.run_at(0x00C00000), kIntrMmu);
    EXPECT_EQ(rig.m.get(reg::kSecStatus), 1u);
    EXPECT_EQ(rig.m.get(reg::kSecException), 0x00C00000u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(rig.m.guest_errors(), 1u);
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kSecStatus), 0u);
    EXPECT_EQ(rig.m.get(reg::kSecException), 0u);
}

TEST(VivanteMmuSecure, SafePageComesFromTheSecurityBlock) {
    Secure rig;
    rig.m.ram.set_word(kStlb1 + 4 * 9, 0);
    rig.m.put_stream(kSafe, Stream().event(0x21).end());
    rig.bring_up();
    EXPECT_EQ(rig.run_at(0x00409000), 2u);
}

TEST(VivanteMmuSecure, ArrayInAHoleIsSurvivable) {
    Secure rig;
    rig.m.allow_logs();
    rig.m.set(reg::kPtaLow, 0x40000000);
    rig.m.set(reg::kPtaControl, 1);
    rig.m.run_stream(Stream().state(state::kPtaConfig, 3));
    rig.m.set(reg::kSecControl, 1);
    rig.m.start(0x1000, 1);
    rig.m.go();
    EXPECT_NE(rig.m.get(reg::kIntrAck), 0u);
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
}

} // namespace
} // namespace pixmill::test
