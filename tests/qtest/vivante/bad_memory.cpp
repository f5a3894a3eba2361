/*
 * Page tables that are malformed or not in memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Layouts: rnndb state_hi.xml MMUv2, linux etnaviv_iommu.c and etnaviv_iommu_v2.c.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kColor = 0x5A6B7C8D;
constexpr uint32_t kMtlb = 0x84000000;
constexpr uint32_t kStlb = 0x84001000;
constexpr uint32_t kCodeStlb = 0x84004000;
constexpr uint32_t kCode = 0x88000000;
constexpr uint32_t kCodeVa = 0x00001000;

Commands write_pixel(uint32_t address) {
    return base_block(1, 1, command::kClear, address)
        .load(state::kClearPixel, kColor)
        .draw({{0, 0, 1, 1}});
}

Commands read_pixel(uint32_t address, uint32_t result) {
    return base_block(1, 1, command::kBitBlt, result, address).draw({{0, 0, 1, 1}});
}

/* Translation is enabled and commands run at kCodeVa; each test writes the tables it needs. */
class BadTables : public testing::Test {
protected:
    void SetUp() override {
        rig.qemu().write_words(kMtlb, Words(1024, 2));
        rig.qemu().write_words(kStlb, Words(1024, 2));
        rig.qemu().write32(kMtlb, kCodeStlb | 1);
        for (uint32_t page = 0; page < 16; ++page) {
            rig.qemu().write32(kCodeStlb + 4 * page, (kCode + page * 4096) | 1);
        }
    }

    void enable(uint32_t safe = 0x84002000) {
        Commands stream = Commands{}.load(state::kMmuConfiguration, kMtlb);
        if (safe != 0) {
            stream.load(state::kMmuSafeAddress, safe);
        }
        rig.run(stream.end());
        rig.write(reg::kMmuControl, 1);
        rig.take_log();
    }

    /* Event 0 arrives unless the core freezes. */
    void launch(Commands commands) {
        rig.store(kCode + kCodeVa, commands.event(0, kEventFromPe).end());
        rig.gc().start(kCodeVa, commands.qwords());
        rig.pass(10 * kMillisecond);
    }

    Rig rig;
};

TEST_F(BadTables, SecondLevelTableWithoutMemoryIsABusErrorAndAFault) {
    rig.qemu().write32(kMtlb + 4, kNoRam | 1);
    enable();
    launch(write_pixel(0x00400000));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | kIntrMmu);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 2u);
    EXPECT_EQ(rig.read(reg::kMmuException0), 0x00400000u);
    EXPECT_EQ(rig.read(reg::kAxiStatus) & 0x300, 0x200u);
}

TEST_F(BadTables, FirstLevelTableWithoutMemoryIsABusErrorAndAFault) {
    rig.run(Commands{}.load(state::kMmuConfiguration, kNoRam).end());
    rig.write(reg::kMmuControl, 1);
    rig.gc().start(kCodeVa, 2);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | kIntrMmu);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 1u);
    EXPECT_EQ(rig.read(reg::kMmuException0), kCodeVa);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST_F(BadTables, PageWithoutMemoryIsABusErrorOnly) {
    rig.qemu().write32(kMtlb + 4, kStlb | 1);
    rig.qemu().write32(kStlb, kNoRam | 5);
    enable();
    launch(write_pixel(0x00400000));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 1u);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

/* Page sizes 2 and 3 exist only in the mode whose tables have 256 entries. */
TEST_F(BadTables, PageSizeThatTheModeDoesNotHaveIsTakenAsFourKilobytesAndLogged) {
    for (const uint32_t size : {2u, 3u}) {
        Rig other;
        other.qemu().write_words(kMtlb, Words(1024, 2));
        other.qemu().write32(kMtlb, kCodeStlb | 1);
        other.qemu().write32(kCodeStlb + 4, (kCode + 4096) | 1);
        other.qemu().write32(kMtlb + 4, kStlb | 1 | size << 2);
        other.qemu().write_words(kStlb, Words(1024, 2));
        other.qemu().write32(kStlb + 4 * 3, 0x90005005);
        other.run(Commands{}.load(state::kMmuConfiguration, kMtlb).end());
        other.write(reg::kMmuControl, 1);
        const Commands stream = write_pixel(0x00403ABC).event(0, kEventFromPe).end();
        other.store(kCode + kCodeVa, stream);
        other.gc().start(kCodeVa, stream.qwords());
        other.pass(10 * kMillisecond);
        EXPECT_EQ(other.read(reg::kIntrAcknowledge), 1u);
        EXPECT_EQ(other.qemu().read32(0x90005ABC), kColor);
        EXPECT_TRUE(logged(other, 1));
    }
}

TEST_F(BadTables, SafeAddressThatWasNeverSetIsZero) {
    rig.qemu().write_words(0, Words{0x11111111, 0x22222222});
    rig.qemu().write32(kMtlb + 4, 0); /* not present, no exception */
    rig.qemu().write32(kMtlb + 8, kStlb | 1);
    rig.qemu().write32(kStlb, kDest | 5);
    enable(0);
    launch(read_pixel(0x00400004, 0x00800000).append(write_pixel(0x00400000)));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u);
    EXPECT_EQ(rig.qemu().read32(kDest), 0x22222222u);
    EXPECT_EQ(rig.qemu().read32(0), 0x11111111u) << "a redirected write must be dropped";
}

TEST_F(BadTables, FaultIsLoggedOnce) {
    enable();
    launch(write_pixel(0x00800000));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadTablesV1, BaseThatIsNotAlignedIsRoundedDown) {
    Rig rig("gc320-imx6");
    rig.write(reg::kPageTablePe, 0x00200003);
    rig.qemu().write32(0x0020000C, 0x02BCD000);
    rig.run(write_pixel(0x80003010).end());
    EXPECT_EQ(rig.qemu().read32(0x02BCD010), kColor);
}

TEST(BadTablesV1, TableWithoutMemoryIsABusError) {
    Rig rig("gc320-imx6");
    rig.write(reg::kPageTablePe, kNoRam);
    rig.run(write_pixel(0x80003010).event(0, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 1u);
}

TEST(BadTablesV1, TableMayBeWrittenThroughItself) {
    Rig rig("gc320-imx6");
    rig.write(reg::kPageTablePe, 0x00200000);
    rig.qemu().write32(0x00200000, 0x00200000); /* VA 80000000 maps the table */
    rig.qemu().write32(0x00200004, 0x02BCD000);
    rig.run(write_pixel(0x80000008).end());
    EXPECT_EQ(rig.qemu().read32(0x00200008), kColor);
}

/* ---- DMA to addresses without memory --------------------------------------------- */

TEST(BadDma, BusErrorIsLoggedOnceAPage) {
    Rig rig;
    rig.run(base_block(64, 4, command::kClear, kNoRam)
                .load(state::kClearPixel, kColor)
                .draw({{0, 0, 64, 4}})
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadDma, WriteToTheRegistersOfTheCoreItselfIsABusError) {
    Rig rig;
    rig.run(write_pixel(static_cast<uint32_t>(kGcBase) + reg::kIntrEnable)
                .event(1, kEventFromPe)
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 2u);
    EXPECT_EQ(rig.read(reg::kIntrEnable), 0u);
}

TEST(BadDma, SurfaceThatRunsOutOfMemoryIsWrittenUpToItsEnd) {
    Rig rig;
    constexpr uint32_t kEnd = kRam + 0x10000000; /* end of the 256 MiB at 0x1000_0000 */
    constexpr uint32_t kStart = kEnd - 0x1000;
    rig.qemu().fill(kStart, 0x1000, 0);
    rig.run(base_block(256, 8, command::kClear, kStart)
                .load(state::kClearPixel, kColor)
                .draw({{0, 0, 256, 8}})
                .event(0, kEventFromPe)
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 1u);
    EXPECT_EQ(rig.qemu().read_words(kStart, 1024), Words(1024, kColor));
}

/* The bus has 32 address bits: the first row has no memory, and the others wrap to address 0. */
TEST(BadDma, SurfaceAcrossTheTopOfTheAddressSpaceWraps) {
    Rig rig;
    rig.qemu().fill(0, 0x1000, 0x77);
    rig.run(base_block(64, 5, command::kClear, 0xFFFFFF00)
                .load(state::kClearPixel, kColor)
                .draw({{0, 0, 64, 5}})
                .event(0, kEventFromPe)
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 1u);
    Words expected(1024, 0x77777777);
    std::fill_n(expected.begin(), 4 * 64, kColor);
    EXPECT_EQ(rig.qemu().read_words(0, 1024), expected);
}

/*
 * The worker uses host pointers during a slice, without the BQL.  Writes that come too late are
 * lost or are bus errors; the next job draws as usual.
 */
TEST(BadDma, SurvivesRamThatVanishesDuringADraw) {
    constexpr uint32_t kSide = 1024;
    Rig rig(RigOptions{.threaded = true});
    const auto fills = [](uint32_t color, size_t count) {
        return base_block(kSide, kSide, command::kClear, kHighRam)
            .load(state::kClearPixel, color)
            .draw(std::vector<Rect>(count, Rect{0, 0, kSide, kSide}))
            .load(state::kFlushCache, 8)
            .end();
    };
    const auto map = [&](bool mapped) {
        rig.qemu().set_property("/machine", "x-high-ram", mapped ? "true" : "false");
    };
    const Commands job = fills(kColor, 255);
    rig.store(kStream, job);
    rig.gc().start(kStream, job.qwords());
    for (int i = 0; i < 100 && !rig.gc().stopped(); ++i) {
        map(false);
        map(true);
    }
    EXPECT_TRUE(rig.wait([&] { return rig.gc().stopped(); }, 10'000 * kMillisecond, kMillisecond));
    rig.run(fills(~kColor, 1));
    for (const uint32_t row : {0u, kSide / 2, kSide - 1}) {
        EXPECT_EQ(rig.qemu().read_words(kHighRam + row * 4 * kSide, kSide), Words(kSide, ~kColor));
    }
}

} // namespace
} // namespace pixmill::qtest
