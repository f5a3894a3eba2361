/*
 * Address translation by MMU v2: walks, page sizes, faults, flushes, the safe page. Table formats:
 * rnndb state_hi, linux etnaviv_iommu*.c; galcore for mode 1.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "2d/blit.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kPixel = 0xA1B2C3D4;
constexpr uint32_t kIdlePe = 1u << 2;

bool pe_busy(Machine& m) {
    return !(m.get(reg::kIdle) & kIdlePe);
}

/* ---- MMU v2 ------------------------------------------------------------- */

constexpr uint32_t kMtlb = 0x84000000;
constexpr uint32_t kStlb1 = 0x84001000;
constexpr uint32_t kSafe = 0x84002000;
constexpr uint32_t kLowStlb = 0x84010000; /* identity map of 1 MiB, for the streams */
constexpr uint32_t kData = 0x90000000;

/* A core with MMU v2 tables. enable() enables translation. */
struct V2 {
    explicit V2(const char* model = "gc320-am57xx") : m(model) {
        m.ram.add(0x84000000, 0x20000);
        m.ram.add(kData, 0x10000);
        m.ram.set_words(kMtlb, Words(1024, 2));
        m.ram.set_words(kStlb1, Words(1024, 2));
        m.ram.set_word(kMtlb, kLowStlb | 1);
        for (uint32_t page = 0; page < 0x100; page++)
            m.ram.set_word(kLowStlb + 4 * page, page << 12 | 1); /* read-only */
        m.ram.set_word(kMtlb + 4, kStlb1 | 1);
    }

    Stream config(uint32_t value = kMtlb) {
        return Stream().state(state::kMmuConfig, value).state(state::kMmuSafe, kSafe).sync();
    }

    void enable(uint32_t value = kMtlb) {
        m.run_stream(config(value));
        m.set(reg::kMmuControl, 1);
        m.set(reg::kIntrEnable, ~0u);
    }

    void map(uint32_t stlb_index, uint32_t entry) {
        m.ram.set_word(kStlb1 + 4 * stlb_index, entry);
    }

    void expect_fault(uint32_t code, uint32_t va) {
        EXPECT_TRUE(m.host.irq);
        EXPECT_EQ(m.get(reg::kIntrAck), kIntrMmu);
        EXPECT_EQ(m.get(reg::kMmuStatus), code);
        EXPECT_EQ(m.get(reg::kMmuException0), va);
        EXPECT_EQ(m.counters().mmu_faults, 1u);
        EXPECT_EQ(m.guest_errors(), 1u);
    }

    Machine m;
};

TEST(VivanteMmuV2, OffMeansIdentityAndIgnoresTheV1Bases) {
    V2 rig;
    rig.m.set(reg::kBasePe, 0x10000000);
    rig.m.set(reg::kBaseFe, 0x10000000);
    rig.m.run_stream(poke_pixel(0x90001000, kPixel)); /* bit 31 is an ordinary address bit */
    EXPECT_EQ(rig.m.ram.word(0x90001000), kPixel);
}

TEST(VivanteMmuV2, WalkOfTwoLevels) {
    V2 rig;
    rig.map(3, 0x90005005);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    EXPECT_EQ(rig.m.ram.word(0x90005ABC), kPixel);
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u);
}

TEST(VivanteMmuV2, EntriesReachFortyBits) {
    V2 rig;
    rig.m.ram.add(0x190000000, 0x10000);
    rig.map(3, 0x90005015);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    EXPECT_EQ(rig.m.ram.word(0x190005ABC), kPixel);
    EXPECT_EQ(rig.m.ram.word(0x90005ABC), 0u);
}

TEST(VivanteMmuV2, TopmostPhysicalAddressBits) {
    V2 rig;
    rig.m.ram.add(0xFF90005000, 0x1000);
    rig.map(3, 0x90005FF5);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    EXPECT_EQ(rig.m.ram.word(0xFF90005ABC), kPixel);
}

TEST(VivanteMmuV2, MissingSecondLevelFaults) {
    V2 rig;
    rig.enable();
    rig.m.run_stream(copy_pixel(0x00800000, 0x00403000));
    EXPECT_TRUE(pe_busy(rig.m));
    EXPECT_FALSE(rig.m.get(reg::kIdle) & 1);
    rig.expect_fault(1, 0x00800000);
}

TEST(VivanteMmuV2, MissingPageFaults) {
    V2 rig;
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    EXPECT_TRUE(pe_busy(rig.m));
    rig.expect_fault(2, 0x00403ABC);
}

TEST(VivanteMmuV2, WriteToAReadOnlyPageFaults) {
    V2 rig; /* without an EXCEPTION bit, as etnaviv maps command buffers */
    rig.map(3, 0x90005001);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    rig.expect_fault(3, 0x00403ABC);
    EXPECT_EQ(rig.m.ram.word(0x90005ABC), 0u);
}

TEST(VivanteMmuV2, WriteToAReadOnlyPageWithExceptionFaults) {
    V2 rig;
    rig.map(3, 0x90005003);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    rig.expect_fault(3, 0x00403ABC);
}

TEST(VivanteMmuV2, ReadOfAReadOnlyPageSucceeds) {
    V2 rig;
    rig.map(3, 0x90005001);
    rig.map(4, 0x90006005);
    rig.m.ram.set_word(0x90005ABC, kPixel);
    rig.enable();
    rig.m.run_stream(copy_pixel(0x00403ABC, 0x00404010));
    EXPECT_EQ(rig.m.ram.word(0x90006010), kPixel);
}

TEST(VivanteMmuV2, StatusStaysUntilReset) {
    V2 rig;
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    rig.expect_fault(2, 0x00403ABC);
    rig.m.go(10'000'000);
    EXPECT_EQ(rig.m.get(reg::kMmuStatus), 2u);
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u) << "a frozen client faults once";
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kMmuStatus), 0u);
    EXPECT_EQ(rig.m.get(reg::kMmuException0), 0u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
    rig.m.run_stream(poke_pixel(0x90001000, kPixel));
    EXPECT_EQ(rig.m.ram.word(0x90001000), kPixel);
}

TEST(VivanteMmuV2, WritingTheExceptionRegisterIsSurvivable) {
    V2 rig; /* galcore resumes after a fault with this write; a core need not support it */
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    rig.expect_fault(2, 0x00403ABC);
    rig.m.set(reg::kMmuException0, 0x90005005);
    rig.m.go();
    EXPECT_TRUE(rig.m.ram.word(0x90005ABC) == kPixel || pe_busy(rig.m));
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteMmuV2, SafePageServesReadsAndSwallowsWrites) {
    V2 rig;
    rig.map(3, 0);
    rig.map(4, 0x90006005);
    for (uint32_t i = 0; i < 64; i += 4)
        rig.m.ram.set_word(kSafe + i, 0x5AFE0000 + i);
    rig.enable();
    rig.m.run_stream(copy_pixel(0x00403ABC, 0x00404010)
                         .add(copy_pixel(0x00403034, 0x00404014))
                         .add(poke_pixel(0x00403034, kPixel)));
    EXPECT_EQ(rig.m.ram.word(0x90006010), 0x5AFE003Cu);
    EXPECT_EQ(rig.m.ram.word(0x90006014), 0x5AFE0034u);
    EXPECT_EQ(rig.m.ram.word(kSafe + 0x34), 0x5AFE0034u);
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteMmuV2, SafePageServesMissingSecondLevels) {
    V2 rig;
    rig.m.ram.set_word(kMtlb + 8, 0);
    rig.map(4, 0x90006005);
    rig.m.ram.set_word(kSafe + 8, 0x5AFE0008);
    rig.enable();
    rig.m.run_stream(copy_pixel(0x00812348, 0x00404010).add(poke_pixel(0x00812348, kPixel)));
    EXPECT_EQ(rig.m.ram.word(0x90006010), 0x5AFE0008u);
    EXPECT_EQ(rig.m.ram.word(kSafe + 8), 0x5AFE0008u);
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u);
}

TEST(VivanteMmuV2, UnsetSafeAddressIsPageZero) {
    V2 rig;
    rig.map(3, 0);
    rig.map(4, 0x90006005);
    rig.m.ram.set_word(0x34, 0x00C0FFEE);
    rig.m.run_stream(Stream().state(state::kMmuConfig, kMtlb));
    rig.m.set(reg::kMmuControl, 1);
    rig.m.run_stream(copy_pixel(0x00403034, 0x00404010).add(poke_pixel(0x00403034, kPixel)));
    EXPECT_EQ(rig.m.ram.word(0x90006010), 0x00C0FFEEu);
    EXPECT_EQ(rig.m.ram.word(0x34), 0x00C0FFEEu);
}

/* ---- MMU CONFIGURATION, a state with mask bits --------------------------- */

TEST(VivanteMmuV2, FlushKeepsTheModeAndSwitchesTheTable) {
    V2 rig; /* linux etnaviv_buffer_queue() writes mtlb | 0x18 */
    rig.m.run_stream(rig.config(kMtlb | 1));
    EXPECT_EQ(rig.m.save()->mmu_mode, 1u);
    rig.m.run_stream(Stream().state(state::kMmuConfig, 0x84010018));
    EXPECT_EQ(rig.m.save()->mmu_mtlb, 0x84010000u);
    EXPECT_EQ(rig.m.save()->mmu_mode, 1u);
}

TEST(VivanteMmuV2, MaskedAddressIsKept) {
    V2 rig;
    rig.m.run_stream(rig.config());
    rig.m.run_stream(Stream().state(state::kMmuConfig, 0x84020108));
    EXPECT_EQ(rig.m.save()->mmu_mtlb, kMtlb);
    EXPECT_EQ(rig.m.save()->mmu_mode, 0u);
}

TEST(VivanteMmuV2, SafeAddressIsWriteOnceUntilReset) {
    V2 rig;
    rig.m.run_stream(rig.config());
    rig.m.run_stream(Stream().state(state::kMmuSafe, 0x84003000));
    EXPECT_EQ(rig.m.save()->mmu_safe, kSafe);
    rig.m.soft_reset();
    rig.m.run_stream(Stream().state(state::kMmuSafe, 0x84003000));
    EXPECT_EQ(rig.m.save()->mmu_safe, 0x84003000u);
}

TEST(VivanteMmuV2, FlushMakesAChangedPageVisible) {
    V2 rig;
    rig.map(3, 0x90005005);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403000, 1));
    rig.map(3, 0x90007005);
    rig.m.run_stream(
        Stream().state(state::kMmuConfig, kMtlb | 0x18).sync().add(poke_pixel(0x00403000, 2)));
    EXPECT_EQ(rig.m.ram.word(0x90005000), 1u);
    EXPECT_EQ(rig.m.ram.word(0x90007000), 2u);
}

TEST(VivanteMmuV2, FlushMakesAnUnmappedPageFault) {
    V2 rig;
    rig.map(3, 0x90005005);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403000, 1));
    rig.map(3, 2);
    rig.m.run_stream(
        Stream().state(state::kMmuConfig, kMtlb | 0x18).add(poke_pixel(0x00403000, 2)));
    rig.expect_fault(2, 0x00403000);
    EXPECT_EQ(rig.m.ram.word(0x90005000), 1u);
}

TEST(VivanteMmuV2, PageMappedAfterAFaultFreeMissIsFoundAfterAFlush) {
    V2 rig;
    rig.map(3, 0);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403000, 1)); /* goes to the safe page */
    rig.map(3, 0x90005005);
    rig.m.run_stream(
        Stream().state(state::kMmuConfig, kMtlb | 0x18).add(poke_pixel(0x00403000, 2)));
    EXPECT_EQ(rig.m.ram.word(0x90005000), 2u);
}

TEST(VivanteMmuV2, ReadsOfASafePageWithoutMemoryAreZerosAndABusError) {
    V2 rig;
    rig.m.run_stream(Stream().state(state::kMmuSafe, 0xA0000000)); /* without memory */
    rig.map(3, 0);
    rig.map(4, 0x90005005);
    rig.m.ram.set_word(0x90005000, kPixel);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403000, 1)); /* is dropped without any access */
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u);
    rig.m.run_stream(copy_pixel(0x00403000, 0x00404000));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 1u << 31);
    EXPECT_EQ(rig.m.ram.word(0x90005000), 0u);
    EXPECT_NE(rig.m.log_text().find("0xa0000000"), std::string::npos) << rig.m.log_text();
    EXPECT_EQ(rig.m.guest_errors(), 1u);
}

TEST(VivanteMmuV2, ContextSwitchUsesTheNewTable) {
    V2 rig;
    const uint32_t other = 0x84018000;
    rig.map(3, 0x90005005);
    rig.m.ram.set_words(other, rig.m.ram.words(kMtlb, 1024));
    rig.m.ram.set_word(other + 4, 0x84019001);
    rig.m.ram.set_word(0x84019000 + 4 * 3, 0x90007005);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403000, 1)
                         .state(state::kMmuConfig, other | 0x18)
                         .add(poke_pixel(0x00403000, 2))
                         .state(state::kMmuConfig, kMtlb | 0x18)
                         .add(poke_pixel(0x00403004, 3)));
    EXPECT_EQ(rig.m.ram.word(0x90005000), 1u);
    EXPECT_EQ(rig.m.ram.word(0x90007000), 2u);
    EXPECT_EQ(rig.m.ram.word(0x90005004), 3u);
}

/* ---- Page sizes --------------------------------------------------------- */

struct Size {
    const char* name;
    uint32_t mode;
    uint32_t mtlb_index;
    uint32_t size_bits;
    uint32_t stlb_index;
    uint32_t entry;
    uint32_t va;
    uint64_t pa;
};

const Size kSizes[] = {
    {"mode 0, 4 K", 0, 0x08D, 0, 0x056, 0x30005005, 0x23456788, 0x30005788},
    {"mode 0, 64 K", 0, 0x08D, 1, 0x05, 0x30010005, 0x23456788, 0x30016788},
    {"mode 0, 64 K, low bits of the entry come from the VA", 0, 0x08D, 1, 0x05, 0x3001F005,
     0x23456788, 0x30016788},
    {"mode 1, 4 K", 1, 0x23, 0, 0x456, 0x30005005, 0x23456788, 0x30005788},
    {"mode 1, 64 K", 1, 0x23, 1, 0x45, 0x30010005, 0x23456788, 0x30016788},
    {"mode 1, 1 M", 1, 0x23, 2, 0x4, 0x00500005, 0x23456788, 0x00556788},
    {"mode 1, 16 M", 1, 0x23, 3, 0, 0x07000005, 0x23456788, 0x07456788},
    {"mode 1, 16 M, entry 0 serves the whole page", 1, 0x23, 3, 0, 0x07000005, 0x23FF0000,
     0x07FF0000},
};

TEST(VivanteMmuV2, PageSizes) {
    for (const Size& row : kSizes) {
        SCOPED_TRACE(row.name);
        Machine m("gc320-am57xx");
        m.ram.add(0x84000000, 0x20000);
        m.ram.add(row.pa & ~0xFFFull, 0x1000);
        m.ram.set_words(kMtlb, Words(row.mode ? 256 : 1024, 2));
        m.ram.set_words(0x84008000, Words(4096, 2));
        m.ram.set_word(kMtlb, kLowStlb | 1);
        for (uint32_t page = 0; page < 0x100; page++)
            m.ram.set_word(kLowStlb + 4 * page, page << 12 | 1);
        m.ram.set_word(kMtlb + 4 * row.mtlb_index, 0x84008000 | row.size_bits << 2 | 1);
        m.ram.set_word(0x84008000 + 4 * row.stlb_index, row.entry);
        m.run_stream(Stream().state(state::kMmuConfig, kMtlb | row.mode));
        m.set(reg::kMmuControl, 1);
        m.run_stream(poke_pixel(row.va, kPixel));
        EXPECT_EQ(m.get(reg::kMmuStatus), 0u);
        EXPECT_EQ(m.ram.word(row.pa), kPixel);
    }
}

TEST(VivanteMmuV2, ReservedPageSizesOfMode0AreFourKilobytesAndLogged) {
    for (uint32_t size : {2u, 3u}) {
        V2 rig;
        rig.m.ram.set_word(kMtlb + 4, kStlb1 | size << 2 | 1);
        rig.map(3, 0x90005005);
        rig.enable();
        rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
        EXPECT_EQ(rig.m.ram.word(0x90005ABC), kPixel) << size;
        EXPECT_EQ(rig.m.guest_errors(), 1u) << size;
    }
}

/* ---- The front end as a client ------------------------------------------ */

TEST(VivanteMmuV2, FrontEndLogsReservedPageSizesToo) {
    V2 rig;
    rig.m.ram.set_word(kMtlb + 4, kStlb1 | 2 << 2 | 1);
    rig.map(3, 0x90005001);
    rig.m.put_stream(0x90005000, Stream().event(0x41).end());
    rig.enable();
    rig.m.start(0x00403000, 2);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(rig.m.guest_errors(), 1u);
}

TEST(VivanteMmuV2, FrontEndFaultFreezesTheFrontEnd) {
    V2 rig;
    rig.enable();
    rig.m.run_stream(Stream().link(1, 0x00C00000));
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(rig.m.get(reg::kFeAddress), 0x00C00000u);
    EXPECT_EQ(rig.m.get(reg::kFeDebugState), 0x200u);
    rig.expect_fault(1, 0x00C00000);
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteMmuV2, StartAtAnUnmappedAddressFaults) {
    V2 rig;
    rig.enable();
    rig.m.start(0x00C00000, 1);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleButFe);
    rig.expect_fault(1, 0x00C00000);
}

TEST(VivanteMmuV2, OnlyAResetEndsAFrontEndFault) {
    V2 rig;
    rig.enable();
    rig.m.start(0x00C00000, 1);
    rig.m.go();
    rig.expect_fault(1, 0x00C00000);
    rig.m.put_stream(0x2000, Stream().event(0x21).end());
    rig.m.start(0x2000, 2);
    rig.m.go();
    rig.m.allow_logs();
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleButFe);
    rig.m.soft_reset();
    rig.m.start(0x2000, 2);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
}

TEST(VivanteMmuV2, FrontEndFaultsWhereItCrossesIntoAnUnmappedPage) {
    V2 rig;
    rig.map(3, 0x90005001);
    rig.m.put_stream(0x90005FF0, Stream().nop().nop());
    rig.enable();
    rig.m.start(0x00403FF0, 8);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kFeAddress), 0x00404000u);
    rig.expect_fault(2, 0x00404000);
}

TEST(VivanteMmuV2, FrontEndFollowsScatteredPages) {
    V2 rig;
    rig.map(3, 0x90005001);
    rig.map(4, 0x90009001);
    rig.m.put_stream(0x90005FF8, Stream().nop());
    rig.m.put_stream(0x90009000, Stream().event(0x21).end());
    rig.enable();
    rig.m.start(0x00403FF8, 3);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
}

TEST(VivanteMmuV2, FrontEndReadsTheSafePageWhereNothingIsMapped) {
    V2 rig;
    rig.map(3, 0);
    rig.m.put_stream(kSafe + 8, Stream().event(0x21).end());
    rig.enable();
    rig.m.start(0x00403008, 2);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteMmuV2, ParkedFrontEndFollowsAPatchThroughTheMmu) {
    V2 rig;
    rig.map(3, 0x90005001);
    rig.m.put_stream(0x90005000, Stream().event(0x21).end());
    rig.enable();
    rig.m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    rig.m.start(0x2000, 2);
    rig.m.go();
    rig.m.ram.set_word(0x2004, 0x00403000);
    rig.m.ram.set_word(0x2000, op::kLink | 2);
    rig.m.go(3'000'000);
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
}

/* ---- Tables without memory ---------------------------------------------- */

/* The draw fills its own page table with entries that fault, as a TLB would let it. */
TEST(VivanteMmuV2, ADrawThatOverwritesItsTableUsesOldTranslations) {
    constexpr uint32_t kAbsent = 2; /* not present, with exception */
    const auto data = [](uint32_t page) { return kData + 2 * page * 0x1000; };
    V2 rig;
    rig.map(0, kStlb1 | 5);
    for (uint32_t page = 1; page < 8; page++)
        rig.map(page, data(page) | 5);
    rig.enable();
    rig.m.run_stream(select_2d()
                         .add(dest(0x00400000, 0x1000, dest_config(kA8R8G8B8, kCommandClear)))
                         .add(clip(0, 0, 1024, 8))
                         .state(state::kRop, rop4(0xCC))
                         .state(state::kClear32, kAbsent)
                         .draw({0, 0, 1024, 8}));
    EXPECT_EQ(rig.m.counters().mmu_faults, 0u);
    EXPECT_EQ(rig.m.ram.word(kStlb1 + 4 * 7), kAbsent);
    for (uint32_t page = 1; page < 8; page++)
        EXPECT_EQ(rig.m.ram.word(data(page) + 0xFFC), kAbsent) << page;
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    rig.expect_fault(2, 0x00403ABC);
}

TEST(VivanteMmuV2, FirstLevelInAHoleIsABusErrorAndAFault) {
    V2 rig;
    rig.m.allow_logs();
    rig.m.run_stream(Stream().state(state::kMmuConfig, 0x40000000));
    rig.m.set(reg::kMmuControl, 1);
    rig.m.start(0x1000, 1);
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIntrAck), kIntrAxi | kIntrMmu);
    EXPECT_EQ(rig.m.get(reg::kMmuStatus), 1u);
    EXPECT_EQ(rig.m.get(reg::kAxiStatus) & 0x300, 0x200u);
}

TEST(VivanteMmuV2, SecondLevelInAHoleIsABusErrorAndAFault) {
    V2 rig;
    rig.m.allow_logs();
    rig.m.ram.set_word(kMtlb + 4, 0x40000001);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), kIntrAxi | kIntrMmu);
    EXPECT_EQ(rig.m.get(reg::kMmuStatus), 2u);
}

TEST(VivanteMmuV2, PageInAHoleIsABusErrorOnly) {
    V2 rig;
    rig.map(3, 0x40000005);
    rig.enable();
    rig.m.run_stream(poke_pixel(0x00403ABC, kPixel));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(rig.m.get(reg::kAxiStatus) & 0x300, 0x100u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(rig.m.guest_errors(), 1u);
}

TEST(VivanteMmuV2, StatesOnAV1CoreAreIgnoredAndLogged) {
    Machine m("gc320-imx6");
    m.run_stream(Stream().state(state::kMmuConfig, 0x84000000));
    EXPECT_EQ(m.guest_errors(), 1u);
    m.run_stream(Stream().state(state::kMmuSafe, 0x84002000));
    EXPECT_EQ(m.guest_errors(), 1u);
    EXPECT_EQ(m.save()->mmu_mtlb, 0u);
    EXPECT_EQ(m.save()->mmu_safe, 0u);
}

TEST(VivanteMmuV2, ExtendedConfigReachesTablesAbove4GiB) {
    Machine m("gc620-th1520"); /* galcore: bits 7:0 are safe 39:32, bits 23:16 MTLB 39:32 */
    m.ram.add(0x184000000, 0x20000);
    m.ram.add(kData, 0x10000);
    m.ram.set_word(0x184000000, 0x84010001);
    m.ram.add(0x84010000, 0x1000);
    m.ram.set_word(0x84010000 + 4, 0x1001);
    m.ram.set_word(0x84010000 + 4 * 0x100, 0x90005005);
    m.run_stream(Stream()
                     .state(state::kMmuConfig, 0x84000000)
                     .state(state::kMmuSafe, kSafe)
                     .state(state::kMmuExtended, 0x00010000));
    m.set(reg::kMmuControl, 1);
    m.run_stream(poke_pixel(0x00100ABC, kPixel));
    EXPECT_EQ(m.ram.word(0x90005ABC), kPixel);
}

} // namespace
} // namespace pixmill::test
