/*
 * The IPUv3H in QEMU, on the system bus of `pixmill-test`: registers, interrupts, screens, dirty
 * rows, migration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../register_sweep.hpp"
#include "../rig.hpp"
#include "../screen.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kBase = 0x5A000000;
constexpr const char* kPath = "/machine/ipu";
constexpr int64_t kFrame = 16'666'666; /* at most */
constexpr unsigned kSync = 0, kError = 1;

enum Offset : uint32_t {
    kConf = 0x200000,
    kIntCtrl = 0x20003C,
    kSrmPri2 = 0x2000A4,
    kDispGen = 0x2000C4,
    kDbMode = 0x200150,
    kIntStat = 0x200200,
    kCurBuf = 0x20023C,
    kBuf1Rdy = 0x200270,
    kChaEn = 0x208004,
    kDi0 = 0x240000,
    kDi1 = 0x248000,
    kCpmem = 0x300000,
    kDp = 0x340000,
};

class Ipu {
public:
    explicit Ipu(std::vector<std::string> arguments = {})
        : qemu_({.machine = "pixmill-test",
                 .arguments = std::move(arguments),
                 .interrupt_of = kPath}) {}

    Qemu& qemu() { return qemu_; }
    uint32_t read(uint32_t offset) { return qemu_.read32(kBase + offset); }
    void write(uint32_t offset, uint32_t value) { qemu_.write32(kBase + offset, value); }
    void set(std::initializer_list<std::pair<uint32_t, uint32_t>> writes) {
        for (const auto& [offset, value] : writes) {
            write(offset, value);
        }
    }
    uint64_t counter(const char* name) { return qemu_.get_counter(kPath, name); }

    /*
     * Starts a DI with a picture of 64 by @height pixels: channel 23 or 28, X8R8G8B8, at @address.
     */
    void show(uint32_t di, uint32_t address, uint32_t height = 32) {
        const uint32_t base = di != 0 ? kDi1 : kDi0, channel = di != 0 ? 28 : 23;
        const uint32_t parameters = kCpmem + 64 * channel;
        set({{base + 0x0C, 159 << 19 | 1 << 16},
             {base + 0x170, height + 9},
             {base + 0x14C, height << 16},
             {base + 0x150, 64},
             {parameters + 0x0C, 63u << 29},
             {parameters + 0x10, 63u >> 3 | (height - 1) << 10},
             {parameters + 0x20, address / 8 | address / 8 << 29},
             {parameters + 0x24, address / 8 >> 3},
             {parameters + 0x28, 7 << 21},
             {parameters + 0x2C, 0xFFF00000 | 255 << 6},
             {parameters + 0x30, 8 | 16 << 5 | 24 << 10}});
        write(kChaEn, read(kChaEn) | 1u << channel);
        write(kConf, read(kConf) | 0x40u << di);
        write(kDispGen, read(kDispGen) | 0x01000000u << di);
    }

private:
    Qemu qemu_;
};

TEST(Ipuv3RegisterData, IsInOrderAndFieldsComposeTheResetValues) {
    uint32_t behind = 0;
    for (const Register& r : ipuv3_registers()) {
        EXPECT_GE(r.offset, behind) << title(r);
        EXPECT_EQ(r.wrong_fields(), "");
        behind = r.offset + 4;
    }
    EXPECT_LE(behind, 0x400000u);
    EXPECT_GE(ipuv3_registers().size(), 450u);
}

TEST(Ipuv3OnSystemBus, RegistersReadAsLinuxExpects) {
    Ipu ipu;
    expect_reset_values(ipu, ipuv3_registers());
    expect_fields_as_written(ipu, ipuv3_registers());
    EXPECT_TRUE(ipu.qemu().log().empty());
}

TEST(Ipuv3OnSystemBus, WideAndNarrowAccesses) {
    Ipu ipu;
    ipu.qemu().write64(kBase + kCpmem, 0x1122334455667788);
    EXPECT_EQ(ipu.read(kCpmem), 0x55667788u);
    EXPECT_EQ(ipu.read(kCpmem + 4), 0x11223344u);
    EXPECT_EQ(ipu.qemu().read64(kBase + kCpmem), 0x1122334455667788u);
    ipu.qemu().write8(kBase + kCpmem + 2, 0xAA);
    EXPECT_EQ(ipu.read(kCpmem), 0x55AA7788u);
    EXPECT_EQ(ipu.qemu().log().size(), 1u);
}

/* The interrupt rises within one frame, and never while the DI is off. */
TEST(Ipuv3OnSystemBus, OneInterruptAFrame) {
    Ipu ipu;
    ipu.write(kIntCtrl, 1 << 23);
    ipu.write(kChaEn, 1 << 23);
    ipu.qemu().clock_step(5 * kFrame);
    EXPECT_FALSE(ipu.qemu().interrupt(kSync));
    ipu.show(0, kRam);
    EXPECT_FALSE(ipu.qemu().interrupt(kSync));
    for (int frame = 0; frame < 10; ++frame) {
        ipu.qemu().clock_step(kFrame + 1);
        EXPECT_TRUE(ipu.qemu().interrupt(kSync)) << frame;
        ipu.write(kIntStat, 1 << 23);
        EXPECT_FALSE(ipu.qemu().interrupt(kSync)) << frame;
    }
    EXPECT_EQ(ipu.counter("stat-frames"), 10u);
    ipu.write(kIntCtrl + 16, 1 << 23);
    ipu.qemu().set_property(kPath, "x-inject", R"("underrun")");
    EXPECT_TRUE(ipu.qemu().interrupt(kError));
}

/* Page flips as Linux makes them: 300 in five seconds of guest time, none lost. */
TEST(Ipuv3OnSystemBus, FlipsSixtyTimesASecond) {
    Ipu ipu;
    ipu.set({{kDbMode, 1 << 23}, {kIntCtrl, 1 << 23}});
    ipu.show(0, kRam);
    const int64_t begin = ipu.qemu().now();
    for (int flip = 0; flip < 300; ++flip) {
        const bool second = (ipu.read(kCurBuf) >> 23 & 1) != 0;
        ipu.write(kBuf1Rdy - (second ? 8 : 0), 1 << 23);
        ipu.qemu().clock_step(begin + int64_t{1'000'000'000} * (flip + 1) / 60 - ipu.qemu().now());
        ASSERT_TRUE(ipu.qemu().interrupt(kSync)) << flip;
        ipu.write(kIntStat, 1 << 23);
        ASSERT_EQ((ipu.read(kCurBuf) >> 23 & 1) != 0, !second) << flip;
    }
    EXPECT_EQ(ipu.counter("stat-flips"), 300u);
    EXPECT_EQ(ipu.counter("stat-frames"), 300u);
}

/* ---- Screens ---- */

TEST(Ipuv3OnSystemBus, EachDiHasAScreen) {
    Ipu ipu;
    ipu.qemu().fill(kRam, 64 * 32 * 4, 0x11);
    ipu.qemu().fill(kRam + 0x100000, 64 * 16 * 4, 0x22);
    ipu.show(0, kRam);
    ipu.show(1, kRam + 0x100000, 16);
    const Screen first = screendump(ipu.qemu(), "ipu-di0");
    EXPECT_EQ(first.width, 64u);
    EXPECT_EQ(first.height, 32u);
    EXPECT_EQ(first.pixels, Words(64 * 32, 0x111111));
    const Screen second = screendump(ipu.qemu(), "ipu-di1");
    EXPECT_EQ(second.height, 16u);
    EXPECT_EQ(second.pixels, Words(64 * 16, 0x222222));
    ipu.write(kConf, 0); /* black, of the last size */
    EXPECT_EQ(screendump(ipu.qemu(), "ipu-di0").pixels, Words(64 * 32, 0));
}

TEST(Ipuv3OnSystemBus, AnUnchangedScreenReadsNothing) {
    Ipu ipu;
    ipu.show(0, kRam);
    (void)screendump(ipu.qemu(), "ipu-di0");
    const uint64_t bytes = ipu.counter("stat-bytes");
    EXPECT_EQ(bytes, 64u * 32 * 4);
    for (int i = 0; i < 5; ++i) {
        ipu.qemu().clock_step(kFrame);
        (void)screendump(ipu.qemu(), "ipu-di0");
    }
    EXPECT_EQ(ipu.counter("stat-bytes"), bytes);
    ipu.qemu().write32(kRam + 0x800000, 1); /* memory that it does not show */
    (void)screendump(ipu.qemu(), "ipu-di0");
    EXPECT_EQ(ipu.counter("stat-bytes"), bytes);
}

/* A row has 256 bytes, so a page of QEMU's has 4 or 16 rows, depending on the CPU. */
TEST(Ipuv3OnSystemBus, OnlyWrittenRowsAreDrawn) {
    Ipu ipu;
    ipu.show(0, kRam, 64);
    (void)screendump(ipu.qemu(), "ipu-di0");
    const uint64_t rows = ipu.counter("stat-rows");
    ipu.qemu().write32(kRam + 20 * 256 + 8, 0x123456);
    const Screen screen = screendump(ipu.qemu(), "ipu-di0");
    EXPECT_EQ(screen.pixels[20 * 64 + 2], 0x123456u);
    EXPECT_GT(ipu.counter("stat-rows"), rows);
    EXPECT_LE(ipu.counter("stat-rows"), rows + 16);
}

/* QEMU has one set of dirty bits, so a screen must not take those of another one. */
TEST(Ipuv3OnSystemBus, ScreensShareMemory) {
    Ipu ipu;
    ipu.show(0, kRam);
    ipu.show(1, kRam);
    (void)screendump(ipu.qemu(), "ipu-di0");
    (void)screendump(ipu.qemu(), "ipu-di1");
    ipu.qemu().write32(kRam, 0xABCDEF);
    EXPECT_EQ(screendump(ipu.qemu(), "ipu-di0").pixels[0], 0xABCDEFu);
    EXPECT_EQ(screendump(ipu.qemu(), "ipu-di1").pixels[0], 0xABCDEFu);
    /* Different pages of one word of the bitmap. */
    ipu.write(kCpmem + 64 * 28 + 0x20, (kRam + 0x3000) / 8);
    ipu.qemu().clock_step(2 * kFrame);
    (void)screendump(ipu.qemu(), "ipu-di1");
    ipu.qemu().write32(kRam + 0x3000, 0x012345);
    (void)screendump(ipu.qemu(), "ipu-di0");
    EXPECT_EQ(screendump(ipu.qemu(), "ipu-di1").pixels[0], 0x012345u);
}

TEST(Ipuv3OnSystemBus, AnOverlayThatMovesLeavesNothingBehind) {
    Ipu ipu;
    const uint32_t overlay = kCpmem + 64 * 27;
    ipu.qemu().fill(kRam + 0x10000, 4 * 4 * 4, 0x77);
    ipu.show(0, kRam);
    ipu.set({{overlay + 0x0C, 3u << 29},
             {overlay + 0x10, 3u >> 3 | 3 << 10},
             {overlay + 0x20, (kRam + 0x10000) / 8},
             {overlay + 0x28, 7 << 21},
             {overlay + 0x2C, 0xFFF00000 | 15 << 6},
             {overlay + 0x30, 8 | 16 << 5 | 24 << 10},
             {kChaEn, 1 << 23 | 1 << 27}});
    const auto at = [&](uint32_t x, uint32_t y) {
        ipu.set({{kDp, 7}, {kDp + 4, 0xFF000000}, {kDp + 8, x << 16 | y}, {kSrmPri2, 8}});
        ipu.qemu().clock_step(kFrame + 1);
        Words expected(64 * 32, 0);
        for (uint32_t i = 0; i < 16; ++i) {
            expected[(y + i / 4) * 64 + x + i % 4] = 0x777777;
        }
        EXPECT_EQ(screendump(ipu.qemu(), "ipu-di0").pixels, expected);
    };
    at(16, 3);
    const uint64_t rows = ipu.counter("stat-rows");
    at(48, 20);
    EXPECT_EQ(ipu.counter("stat-rows"), rows + 8);
}

/* ---- Life cycle ---- */

TEST(Ipuv3OnSystemBus, ASystemResetStopsIt) {
    Ipu ipu;
    ipu.write(kIntCtrl, 1 << 23);
    ipu.show(0, kRam);
    ipu.qemu().clock_step(2 * kFrame);
    EXPECT_TRUE(ipu.qemu().interrupt(kSync));
    ipu.qemu().system_reset();
    EXPECT_FALSE(ipu.qemu().interrupt(kSync));
    ipu.qemu().clock_step(3 * kFrame);
    EXPECT_EQ(ipu.read(kIntStat), 0u);
    expect_reset_values(ipu, ipuv3_registers());
}

/* Saved in the middle of a flip. */
TEST(Ipuv3OnSystemBus, ASnapshotContinues) {
    Ipu ipu;
    ipu.qemu().make_snapshot_disk();
    ipu.qemu().fill(kRam, 64 * 32 * 4, 0x11);
    ipu.qemu().fill(kRam + 0x8000, 64 * 32 * 4, 0x22);
    ipu.set({{kDbMode, 1 << 23}, {kIntCtrl, 1 << 23}});
    ipu.show(0, kRam);
    const uint32_t next = (kRam + 0x8000) / 8;
    ipu.write(kCpmem + 64 * 23 + 0x20, kRam / 8 | next << 29);
    ipu.write(kCpmem + 64 * 23 + 0x24, next >> 3);
    ipu.write(kBuf1Rdy, 1 << 23);
    ipu.qemu().save_snapshot();
    ipu.qemu().clock_step(2 * kFrame);
    ipu.qemu().system_reset();
    ipu.qemu().load_snapshot();
    EXPECT_EQ(screendump(ipu.qemu(), "ipu-di0").pixels, Words(64 * 32, 0x111111));
    EXPECT_EQ(ipu.read(kBuf1Rdy), 1u << 23);
    ipu.qemu().clock_step(kFrame + 1);
    EXPECT_TRUE(ipu.qemu().interrupt(kSync));
    EXPECT_EQ(ipu.read(kBuf1Rdy), 0u);
    EXPECT_EQ(ipu.read(kCurBuf), 1u << 23);
    EXPECT_EQ(screendump(ipu.qemu(), "ipu-di0").pixels, Words(64 * 32, 0x222222));
}

TEST(Ipuv3OnSystemBus, TheRateIsAProperty) {
    Ipu ipu({"-global", "driver=imx.ipuv3h,property=refresh,value=100"});
    ipu.show(0, kRam);
    ipu.qemu().clock_step(1'000'000'000);
    EXPECT_EQ(ipu.counter("stat-frames"), 100u);
}

} // namespace
} // namespace pixmill::qtest
