/*
 * Address translation for the front end and the drawing engine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: v1: rnndb state_hi.xml MC, linux etnaviv_iommu.c.  v2: state_hi.xml MMUv2,
 * etnaviv_iommu_v2.c, etnaviv_buffer.c; page modes and sizes: galcore gc_hal_kernel_mmu.c.
 */
#include <gtest/gtest.h>

#include "../tries.hpp"
#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kColor = 0x5A6B7C8D;

/* Returns commands that write one pixel through the drawing engine. */
Commands write_pixel(uint32_t address, uint32_t color) {
    return base_block(1, 1, command::kClear, address)
        .load(state::kClearPixel, color)
        .draw({{0, 0, 1, 1}});
}

/* Returns commands that read one pixel through the drawing engine. */
Commands read_pixel(uint32_t address, uint32_t result) {
    return base_block(1, 1, command::kBitBlt, result, address).draw({{0, 0, 1, 1}});
}

/* ---- v1 -------------------------------------------------------------------- */

class MmuV1 : public testing::Test {
protected:
    Rig rig{"gc320-imx6"};
};

TEST_F(MmuV1, AddsTheBaseOfTheClientBelowTwoGigabytes) {
    rig.write(reg::kBasePe, 0x10000000);
    rig.run(write_pixel(0x02345678, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x12345678), kColor);
}

TEST_F(MmuV1, WrapsTheLinearWindowAtFourGigabytes) {
    rig.write(reg::kBasePe, 0x90001000);
    rig.run(write_pixel(0x70000000, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x00001000), kColor);
}

TEST_F(MmuV1, TranslatesTheUpperHalfByTheTableOfTheClient) {
    rig.write(reg::kPageTablePe, 0x00200000);
    rig.qemu().write32(0x0020000C, 0x02BCD123); /* low bits are not part of the address */
    rig.run(write_pixel(0x80003010, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x02BCD010), kColor);
}

TEST_F(MmuV1, DoesNotAddABaseToTheTableOrToItsEntries) {
    rig.write(reg::kBasePe, 0x10000000);
    rig.write(reg::kPageTablePe, 0x00200000);
    rig.qemu().write32(0x00200000, 0x02BCD000);
    rig.run(write_pixel(0x80000010, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x02BCD010), kColor);
}

TEST_F(MmuV1, KeepsTheBasesOfTheClientsApart) {
    rig.write(reg::kBasePe, 0x10000000);
    rig.run(write_pixel(0x1000, kColor).end(), 0x1000);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x1000 + 8 * (write_pixel(0, 0).qwords() + 1));
    EXPECT_EQ(rig.qemu().read32(0x10001000), kColor);
}

TEST_F(MmuV1, LetsTheFrontEndFetchAboveItsOwnBase) {
    rig.store(0x10002000, Commands{}.event(4, kEventFromFe).end());
    rig.write(reg::kBaseFe, 0x10000000);
    rig.gc().start(0x2000, 2);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 4);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x2010u);
}

TEST_F(MmuV1, LetsTheFrontEndFetchThroughItsTable) {
    rig.write(reg::kPageTableFe, 0x00200000);
    rig.qemu().write32(0x00200004, 0x00345000);
    rig.store(0x00345000, Commands{}.event(4, kEventFromFe).end());
    rig.gc().start(0x80001000, 2);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 4);
}

TEST_F(MmuV1, FollowsATableThatChangesBetweenDraws) {
    rig.write(reg::kPageTablePe, 0x00200000);
    for (const uint32_t page : {0x02000000u, 0x02001000u, 0x02345000u}) {
        rig.qemu().write32(0x00200000, page);
        rig.run(Commands{}
                    .load(state::kFlushMmu, 0x1F)
                    .append(write_pixel(0x80000FFC, kColor ^ page))
                    .end());
        EXPECT_EQ(rig.qemu().read32(page + 0xFFC), kColor ^ page);
    }
}

TEST_F(MmuV1, DrawsASurfaceWhosePagesLieBackwards) {
    constexpr uint32_t kPages = 16;
    constexpr uint32_t kBytes = kPages * 4096;
    rig.write(reg::kPageTablePe, 0x00200000);
    for (uint32_t i = 0; i < kPages; ++i) {
        rig.qemu().write32(0x00200000 + 4 * i, kDest + (kPages - 1 - i) * 4096);
    }
    Buffer dest(rig, kDest, Bytes(kBytes, 0));
    Words pattern(kBytes / 4);
    for (size_t i = 0; i < pattern.size(); ++i) {
        pattern[i] = static_cast<uint32_t>(i * 2654435761u);
    }
    Buffer source(rig, kSource, pattern);
    /* rows of 1028 bytes: pages end within rows */
    rig.run(base_block(257, 63, command::kBitBlt, 0x80000000).draw({{0, 0, 257, 63}}).end());
    Words expected(kBytes / 4);
    for (size_t i = 0; i < 257 * 63; ++i) {
        const size_t page = i / 1024;
        expected[(kPages - 1 - page) * 1024 + i % 1024] = pattern[i];
    }
    EXPECT_TRUE(dest.holds(expected));
}

/*
 * Each page that is not followed by the next one is reported to QEMU separately
 * (pixmill_dma_dirty()). The difference between both figures is the cost of that.
 */
TEST(MmuV1Speed, OfFillsThroughScatteredPages) {
    constexpr uint32_t kTable = 0x00200000, kPages = 1024;
    constexpr Goal kFills = {.wanted = 100, .hopeless = 10'000, .unit = "ms"};
    Rig rig(RigOptions{.model = "gc320-imx6", .threaded = true});
    rig.write(reg::kPageTablePe, kTable);
    for (const uint32_t step : {1u, 37u}) { /* pages from one page to the next, modulo kPages */
        Words table;
        for (uint32_t i = 0; i < kPages; ++i) {
            table.push_back(kDest + i * step % kPages * 4096);
        }
        rig.qemu().write_words(kTable, table);
        const Commands fills = base_block(1024, 1024, command::kClear, 0x80000000)
                                   .load(state::kClearPixel, kColor + step)
                                   .draw(std::vector<Rect>(255, Rect{0, 0, 1024, 1024}))
                                   .end();
        Tries tries(kFills);
        for (int i = 0; i < Tries::count(); ++i) {
            tries.add(milliseconds([&] { rig.run(fills); }));
        }
        tries.judge(step == 1 ? "255 fills of 4 MiB, pages in order"
                              : "255 fills of 4 MiB, scattered pages");
        EXPECT_EQ(rig.qemu().read32(kDest), kColor + step);
        EXPECT_EQ(rig.qemu().read32(kDest + kPages * 4096 - 4), kColor + step);
    }
}

/* ---- v2 -------------------------------------------------------------------- */

constexpr uint32_t kMtlb = 0x84000000;
constexpr uint32_t kStlb = 0x84001000; /* for the pages under test */
constexpr uint32_t kSafe = 0x84002000;
constexpr uint32_t kCodeStlb = 0x84004000; /* VA 0x0000_0000..: commands */
constexpr uint32_t kDataStlb = 0x84005000; /* VA 0x0100_0000..: always writable */
constexpr uint32_t kCode = 0x88000000;
constexpr uint32_t kData = 0x91000000;
constexpr uint32_t kCodeVa = 0x00001000;
constexpr uint32_t kDataVa = 0x01000000;
constexpr uint32_t kConfigStream = 0xBF000000;

/* Empty entries as Linux writes them: not present, with exception. */
constexpr uint32_t kAbsent = 2;
constexpr uint32_t kReadOnly = 1;
constexpr uint32_t kReadWrite = 5;

class MmuV2 : public testing::Test {
protected:
    void SetUp() override {
        fill_words(kMtlb, 1024, kAbsent);
        fill_words(kStlb, 4096 / 4, kAbsent);
        map_fixed(kMtlb, kCodeVa >> 22, kDataVa >> 22);
        rig.qemu().fill(kSafe, 64, 0);
    }

    void fill_words(uint32_t address, size_t count, uint32_t value) {
        rig.qemu().write_words(address, Words(count, value));
    }

    void entry(uint32_t table, uint32_t index, uint32_t value) {
        rig.qemu().write32(table + 4 * index, value);
    }

    /* Maps commands and results in 4 KiB pages at the given first-level indices. */
    void map_fixed(uint32_t mtlb, uint32_t code_index, uint32_t data_index) {
        for (uint32_t page = 0; page < 64; ++page) {
            entry(kCodeStlb, page, (kCode + page * 4096) | kReadOnly);
            entry(kDataStlb, page, (kData + page * 4096) | kReadWrite);
        }
        entry(mtlb, code_index, kCodeStlb | 1);
        entry(mtlb, data_index, kDataStlb | 1);
    }

    /* Configures the MMU as etnaviv_buffer_config_mmuv2() does, then sets the enable bit. */
    void enable(uint32_t configuration = kMtlb) {
        rig.run(Commands{}
                    .select_2d()
                    .load(state::kMmuConfiguration, configuration)
                    .load(state::kMmuSafeAddress, kSafe)
                    .sync()
                    .end(),
                kConfigStream);
        rig.write(reg::kMmuControl, 1);
    }

    void start(const Commands& commands) {
        rig.store(kCode + kCodeVa, commands);
        rig.gc().start(kCodeVa, commands.qwords());
    }

    void run(const Commands& commands) {
        start(commands);
        ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    }

    /* Runs commands that fault before their event, and checks the fault registers. */
    void expect_fault(Commands commands, uint32_t code, uint32_t address) {
        start(commands.event(0, kEventFromPe).end());
        rig.pass(10 * kMillisecond);
        EXPECT_EQ(rig.read(reg::kMmuStatus), code);
        EXPECT_EQ(rig.read(reg::kMmuException0), address);
        EXPECT_NE(rig.read(reg::kIdle), kStopped) << "the client must freeze";
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
        rig.pass(10 * kMillisecond);
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u) << "a frozen client must not fault again";
        EXPECT_EQ(rig.read(reg::kMmuStatus), code);
    }

    uint32_t pixel_at(uint32_t va) {
        run(read_pixel(va, kDataVa).end());
        return rig.qemu().read32(kData);
    }

    Rig rig;
};

/* DRAM of the AM57xx starts at 0x8000_0000, so bit 31 must not select translation with MMU v2. */
TEST_F(MmuV2, IsConfiguredByAStreamThatIsFetchedUntranslated) {
    rig.store(kConfigStream,
              {0x08010E00, 0x00000001, 0x08010061, 0x84000000, 0x08010060, 0x84002000, 0x08010E02,
               0x00000701, 0x48000000, 0x00000701, 0x10000000, 0x00000000});
    rig.gc().start(kConfigStream, 6);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0xBF000030u);
    rig.write(reg::kMmuControl, 1);
    run(Commands{}.event(2, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST_F(MmuV2, TranslatesThroughTwoTables) {
    entry(kMtlb, 1, 0x84001001);
    entry(kStlb, 3, 0x90005005);
    enable();
    run(write_pixel(0x00403ABC, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x90005ABC), kColor);
    EXPECT_EQ(pixel_at(0x00403ABC), kColor);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 0u);
}

/* PA 0x1_9000_5ABC is unassigned on this machine; 0x9000_5ABC is RAM that must not change. */
TEST_F(MmuV2, HasPhysicalAddressesOfFortyBits) {
    entry(kMtlb, 1, 0x84001001);
    entry(kStlb, 3, 0x90005015);
    enable();
    rig.qemu().write32(0x90005ABC, 0);
    run(write_pixel(0x00403ABC, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x90005ABC), 0u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus);
}

TEST_F(MmuV2, FaultsWhereThereIsNoSecondLevelTable) {
    entry(kMtlb, 2, kAbsent);
    enable();
    expect_fault(read_pixel(0x00800000, kDataVa), 1, 0x00800000);
}

TEST_F(MmuV2, FaultsWhereThereIsNoPage) {
    entry(kMtlb, 1, 0x84001001);
    enable();
    expect_fault(read_pixel(0x00405018, kDataVa), 2, 0x00405018);
}

TEST_F(MmuV2, FaultsOnAWriteWhereThereIsNoPage) {
    entry(kMtlb, 1, 0x84001001);
    enable();
    expect_fault(write_pixel(0x00405018, kColor), 2, 0x00405018);
}

TEST_F(MmuV2, FaultsOnAWriteToAReadOnlyPageAndLeavesItAlone) {
    entry(kMtlb, 1, 0x84001001);
    entry(kStlb, 3, 0x90005001);
    enable();
    rig.qemu().write32(0x90005ABC, 0x11111111);
    EXPECT_EQ(pixel_at(0x00403ABC), 0x11111111u);
    expect_fault(write_pixel(0x00403ABC, kColor), 3, 0x00403ABC);
    EXPECT_EQ(rig.qemu().read32(0x90005ABC), 0x11111111u);
}

TEST_F(MmuV2, RaisesTheLineOnAFault) {
    enable();
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    start(write_pixel(0x00800000, kColor).end());
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST_F(MmuV2, KeepsTheFaultUntilAResetAfterWhichItWorksAgain) {
    enable();
    expect_fault(write_pixel(0x00800000, kColor), 1, 0x00800000);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kMmuStatus), 0u);
    EXPECT_EQ(rig.read(reg::kMmuException0), 0u);
    EXPECT_EQ(rig.read(reg::kMmuControl), 0u);
    enable();
    run(write_pixel(kDataVa + 4, kColor).end());
    EXPECT_EQ(rig.qemu().read32(kData + 4), kColor);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST_F(MmuV2, RedirectsToTheSafePageWhereAnEntryAsksForNoException) {
    entry(kMtlb, 1, 0x84001001);
    entry(kStlb, 4, 0);
    rig.qemu().write32(kSafe + 0x34, 0xCAFE0034);
    enable();
    EXPECT_EQ(pixel_at(0x00404034), 0xCAFE0034u);
    EXPECT_EQ(pixel_at(0x00404FF4), 0xCAFE0034u) << "the safe page repeats every 64 bytes";
    run(write_pixel(0x00404034, kColor).end());
    EXPECT_EQ(rig.qemu().read32(kSafe + 0x34), 0xCAFE0034u) << "writes must be dropped";
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 0u);
}

TEST_F(MmuV2, RedirectsWhereAFirstLevelEntryAsksForNoException) {
    entry(kMtlb, 2, 0);
    rig.qemu().write32(kSafe + 8, 0xCAFE0008);
    enable();
    EXPECT_EQ(pixel_at(0x00800008), 0xCAFE0008u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

/* ---- Masked writes to the configuration --------------------------------------- */

class MmuV2Switch : public MmuV2 {
protected:
    static constexpr uint32_t kOtherMtlb = 0x84010000;
    static constexpr uint32_t kOtherStlb = 0x84011000;
    static constexpr uint32_t kVa = 0x00403ABC;
    static constexpr uint32_t kPa = 0x90005ABC;
    static constexpr uint32_t kOtherPa = 0x9000CABC;

    void SetUp() override {
        MmuV2::SetUp();
        entry(kMtlb, 1, kStlb | 1);
        entry(kStlb, 3, 0x90005005);
        fill_words(kOtherMtlb, 1024, kAbsent);
        map_fixed(kOtherMtlb, kCodeVa >> 22, kDataVa >> 22);
        entry(kOtherMtlb, 1, kOtherStlb | 1);
        fill_words(kOtherStlb, 1024, kAbsent);
        entry(kOtherStlb, 3, 0x9000C005);
        rig.qemu().write32(kPa, 0);
        rig.qemu().write32(kOtherPa, 0);
        enable();
    }
};

/* etnaviv_buffer_queue() writes mtlb | FLUSH | MODE_MASK. */
TEST_F(MmuV2Switch, ToAnotherContextTakesEffectInTheStream) {
    run(write_pixel(kVa, 1)
            .load(state::kMmuConfiguration, 0x84010018)
            .append(write_pixel(kVa, 2))
            .end());
    EXPECT_EQ(rig.qemu().read32(kPa), 1u);
    EXPECT_EQ(rig.qemu().read32(kOtherPa), 2u);
}

TEST_F(MmuV2Switch, KeepsFieldsWhoseMaskBitIsSet) {
    fill_words(0x84020000, 1024, kAbsent); /* with this table even the fetch would fault */
    run(Commands{}.load(state::kMmuConfiguration, 0x84020108).append(write_pixel(kVa, 3)).end());
    EXPECT_EQ(rig.qemu().read32(kPa), 3u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST_F(MmuV2Switch, DoesNotMoveTheSafeAddress) {
    entry(kStlb, 4, 0);
    rig.qemu().write32(kSafe + 4, 0xCAFE0004);
    rig.qemu().write32(0x84003004, 0xBADBAD);
    run(Commands{}.load(state::kMmuSafeAddress, 0x84003000).end());
    EXPECT_EQ(pixel_at(0x00404004), 0xCAFE0004u) << "only the first write after reset counts";
}

TEST_F(MmuV2Switch, FlushMakesChangedEntriesVisible) {
    run(write_pixel(kVa, 1).end());
    entry(kStlb, 3, 0x9000C005);
    run(Commands{}.load(state::kMmuConfiguration, kMtlb | 0x18).append(write_pixel(kVa, 2)).end());
    EXPECT_EQ(rig.qemu().read32(kOtherPa), 2u);
}

/* ---- Page sizes ----------------------------------------------------------------- */

TEST_F(MmuV2, HasPagesOf64KiBInTheTableOf1024Entries) {
    entry(kMtlb, 1, kStlb | 1 | 1 << 2);
    entry(kStlb, 5, 0x90070005);
    enable();
    run(write_pixel(0x00453ABC, kColor).end());
    EXPECT_EQ(rig.qemu().read32(0x90073ABC), kColor);
}

struct PageSize {
    const char* name;
    uint32_t size_field, index, stlb_entry, pa;
};

void PrintTo(const PageSize& p, std::ostream* out) {
    *out << p.name;
}

class MmuV2Mode1 : public MmuV2, public testing::WithParamInterface<PageSize> {};

/* The first level has 256 entries of 16 MiB; the test writes to VA 23456788. */
TEST_P(MmuV2Mode1, TranslatesPagesOfEverySize) {
    const PageSize& p = GetParam();
    constexpr uint32_t kBigStlb = 0x84100000; /* up to 4096 entries */
    fill_words(kMtlb, 1024, kAbsent);
    map_fixed(kMtlb, 0, 1); /* indices are VA 31:24 */
    fill_words(kBigStlb, 4096, kAbsent);
    entry(kMtlb, 0x23, kBigStlb | 1 | p.size_field << 2);
    entry(kBigStlb, p.index, p.stlb_entry);
    enable(kMtlb | 1);
    run(write_pixel(0x23456788, kColor).end());
    EXPECT_EQ(rig.qemu().read32(p.pa), kColor);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

INSTANTIATE_TEST_SUITE_P(PageSize, MmuV2Mode1,
                         testing::Values(PageSize{"4K", 0, 0x456, 0x90005005, 0x90005788},
                                         PageSize{"64K", 1, 0x45, 0x90070005, 0x90076788},
                                         PageSize{"1M", 2, 0x4, 0x00500005, 0x00556788},
                                         PageSize{"16M", 3, 0x0, 0x03000005, 0x03456788}),
                         [](const auto& p) { return p.param.name; });

/* ---- The front end ---------------------------------------------------------------- */

TEST_F(MmuV2, FaultsTheFrontEndOnALinkToAnUnmappedPage) {
    entry(kMtlb, 3, kAbsent);
    enable();
    start(Commands{}.link(0x00C00000, 2));
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x00C00000u);
    EXPECT_EQ(rig.read(reg::kFeDebugState), 0x200u);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 1u);
    EXPECT_EQ(rig.read(reg::kMmuException0), 0x00C00000u);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST_F(MmuV2, FaultsTheFrontEndOnAStartAtAnUnmappedPage) {
    enable();
    rig.gc().start(0x00C00000, 2);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 1u);
    EXPECT_EQ(rig.read(reg::kMmuException0), 0x00C00000u);
}

TEST_F(MmuV2, LetsTheFrontEndIdleAndCrossPages) {
    enable();
    const uint32_t edge = kCodeVa + 4096 - 8;
    rig.store(kCode + edge, {0x18000000, 0, 0x380000C8, 0, 0x40000002, edge + 8});
    rig.gc().start(edge, 3);
    rig.pass(5 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    const uint32_t at = rig.read(reg::kFeDmaAddress);
    EXPECT_TRUE(at == edge + 16 || at == edge + 24) << std::hex << at;
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

/* ---- Surfaces across pages ---------------------------------------------------------- */

TEST_F(MmuV2, DrawsASurfaceWhosePagesLieBackwards) {
    constexpr uint32_t kPages = 16;
    constexpr uint32_t kBytes = kPages * 4096;
    constexpr uint32_t kVa = 0x00400000;
    entry(kMtlb, 1, kStlb | 1);
    for (uint32_t i = 0; i < kPages; ++i) {
        entry(kStlb, i, (kDest + (kPages - 1 - i) * 4096) | kReadWrite);
    }
    enable();
    Buffer dest(rig, kDest, Bytes(kBytes, 0));
    run(base_block(257, 63, command::kClear, kVa)
            .load(state::kClearPixel, kColor)
            .draw({{0, 0, 257, 63}})
            .end());
    Words expected(kBytes / 4);
    for (size_t i = 0; i < 257 * 63; ++i) {
        expected[(kPages - 1 - i / 1024) * 1024 + i % 1024] = kColor;
    }
    EXPECT_TRUE(dest.holds(expected));
}

TEST_F(MmuV2, WritesNothingBeyondTheFirstPageThatIsMissing) {
    constexpr uint32_t kVa = 0x00400000;
    entry(kMtlb, 1, kStlb | 1);
    entry(kStlb, 0, kDest | kReadWrite);
    entry(kStlb, 2, (kDest + 0x2000) | kReadWrite);
    enable();
    Buffer dest(rig, kDest, Bytes(3 * 4096, 0));
    expect_fault(base_block(256, 12, command::kClear, kVa)
                     .load(state::kClearPixel, kColor)
                     .draw({{0, 0, 256, 12}}),
                 2, kVa + 4096);
    const Words words = dest.words();
    for (size_t i = 1024; i < words.size(); ++i) {
        ASSERT_EQ(words[i], 0u) << "word " << i;
    }
}

/* ---- Security cores -------------------------------------------------------------------- */

/* Writes the registers as linux etnaviv_iommu_v2.c etnaviv_iommuv2_restore_sec() does. */
TEST(MmuPta, SelectsTheContextOfASecureCore) {
    Rig rig("gc7000-imx8mq");
    constexpr uint32_t kPta = 0x84020000;
    rig.qemu().fill(kPta, 4096, 0);
    rig.qemu().write_words(kPta + 3 * 8, Words{kMtlb, 0});
    rig.qemu().write_words(kMtlb, Words(1024, kAbsent));
    rig.qemu().write32(kMtlb, kCodeStlb | 1);
    rig.qemu().write32(kCodeStlb + 4, (kCode + 0x1000) | kReadOnly);
    rig.write(reg::kMmuPtaLow, kPta);
    rig.write(reg::kMmuPtaHigh, 0);
    rig.write(reg::kMmuPtaControl, 1);
    rig.run(Commands{}.load(state::kMmuPtaConfig, 3).end(), kConfigStream);
    rig.write(reg::kMmuSecControl, 1);
    EXPECT_EQ(rig.read(reg::kMmuSecControl), 1u);
    rig.store(kCode + 0x1000, Commands{}.event(6, kEventFromFe).end());
    rig.gc().start(kCodeVa, 2);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 6);
}

TEST(MmuPta, OfAMissingPageIsReportedInTheSecureRegisters) {
    Rig rig("gc7000-imx8mq");
    constexpr uint32_t kPta = 0x84020000;
    rig.qemu().fill(kPta, 4096, 0);
    rig.qemu().write_words(kPta, Words{kMtlb, 0});
    rig.qemu().write_words(kMtlb, Words(1024, kAbsent));
    rig.write(reg::kMmuPtaLow, kPta);
    rig.write(reg::kMmuPtaControl, 1);
    rig.run(Commands{}.load(state::kMmuPtaConfig, 0).end(), kConfigStream);
    rig.write(reg::kMmuSecControl, 1);
    rig.gc().start(0x00C00000, 2);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_EQ(rig.read(0x384), 1u);          /* MMUv2 SEC_STATUS */
    EXPECT_EQ(rig.read(0x380), 0x00C00000u); /* SEC_EXCEPTION_ADDR */
}

/* ---- No memory ---------------------------------------------------------------------- */

TEST(BusErrors, OfAWriteAreReportedAndTheStreamContinues) {
    Rig rig;
    rig.run(write_pixel(kNoRam, kColor).event(3, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 1u << 3);
    EXPECT_EQ(rig.read(reg::kAxiStatus) & 0x300, 0x100u); /* DET_WR_ERR */
    EXPECT_EQ(rig.read(reg::kAxiStatus) & 0x300, 0x100u) << "reading must not clear it";
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kAxiStatus), 0u);
}

TEST(BusErrors, OfAReadAreReportedAndTheDataIsZero) {
    Rig rig;
    rig.qemu().write32(kDest, 0xFFFFFFFF);
    rig.run(read_pixel(kNoRam, kDest).event(3, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 1u << 3);
    EXPECT_EQ(rig.read(reg::kAxiStatus) & 0x300, 0x200u); /* DET_RD_ERR */
    EXPECT_EQ(rig.qemu().read32(kDest), 0u);
}

} // namespace
} // namespace pixmill::qtest
