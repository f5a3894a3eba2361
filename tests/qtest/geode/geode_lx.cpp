/*
 * The PCI functions of a Geode LX and its companion, as used by firmware and drivers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "../saved_machine.hpp"
#include "../screen.hpp"
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kMiB = 1 << 20;

/*
 * IDs and BARs are those that linux drivers/video/fbdev/geode/lxfb_core.c and
 * xserver-xorg-video-geode expect.
 */
TEST(GeodeLx, IsTheFunctionThatDriversProbe) {
    GeodeRig rig;
    PciFunction& video = rig.video();
    EXPECT_EQ(video.read(0x00), 0x20811022u);
    EXPECT_EQ(video.read(0x08), 0x03000000u);
    EXPECT_EQ(video.read(0x2C), 0x20811022u);
    EXPECT_EQ(video.read(0x3C) >> 8 & 0xFF, 1u); /* INTA# */
    EXPECT_EQ(video.bar_mask(0), 0xFC000008u);   /* 64 MiB, prefetchable */
    for (uint32_t bar = 1; bar < 5; ++bar) {
        EXPECT_EQ(video.bar_mask(bar), 0xFFFFC000u) << "BAR " << bar;
    }
    EXPECT_EQ(video.bar_mask(5), 0u);
}

TEST(GeodeLx, HasTheCompanionThatDriversProbe) {
    GeodeRig rig;
    PciFunction& companion = rig.companion();
    EXPECT_EQ(companion.read(0x00), 0x20901022u);
    EXPECT_EQ(companion.read(0x08) >> 8, 0x060100u);
    constexpr std::array<uint32_t, 6> kBytes{8, 256, 64, 32, 128, 64};
    for (uint32_t bar = 0; bar < kBytes.size(); ++bar) {
        EXPECT_EQ(companion.bar_mask(bar), (0u - kBytes[bar]) | 1) << "BAR " << bar;
    }
}

TEST(GeodeLx, VramSizeIsReportedAndDecoded) {
    GeodeRig rig(",vram-size=16M");
    EXPECT_EQ(rig.video().bar_mask(0), 0xFF000008u);
    rig.qemu().out32(0xAC1C, 0xFC530200);
    EXPECT_EQ(rig.qemu().in16(0xAC1E), 0x0010u);
}

/* VRAM must not contain another guest's pictures. */
TEST(GeodeLx, VramIsZeroAtPowerOn) {
    constexpr uint32_t kSize = 16 * kMiB, kPiece = 256 << 10;
    GeodeRig rig(",vram-size=16M");
    for (uint32_t at = 0; at < kSize; at += kPiece) {
        ASSERT_EQ(rig.qemu().read(kVram + at, kPiece), Bytes(kPiece)) << at;
    }
}

TEST(GeodeLx, RefusesVramThatDriversCannotFind) {
    for (const char* size : {"8M", "24M", "256M"}) {
        EXPECT_THROW(GeodeRig(std::string(",vram-size=") + size), QemuError) << size;
    }
}

/* ---- VSA: linux include/linux/cs5535.h ------------------------------------ */

TEST(GeodeLx, VsaIsUnlockedByWordsOrAtOnce) {
    GeodeRig rig;
    Qemu& q = rig.qemu();
    q.out16(0xAC1C, 0xFC53);
    q.out16(0xAC1C, 0x0003);
    EXPECT_EQ(q.in16(0xAC1E), 0x4132u);
    q.out16(0xAC1C, 0xFC53);
    q.out16(0xAC1C, 0x0200);
    EXPECT_EQ(q.in16(0xAC1E), 0x0040u); /* 64 MiB, CRT */
    q.out32(0xAC1C, 0xFC530003);
    EXPECT_EQ(q.in16(0xAC1E), 0x4132u);
    q.out16(0xAC1C, 0x0200); /* locked, so the index stays */
    EXPECT_EQ(q.in16(0xAC1E), 0x4132u);
}

TEST(GeodeLx, VsaReadsItsFirstRegisterWithoutAnIndex) {
    GeodeRig rig;
    EXPECT_EQ(rig.qemu().in16(0xAC1E), 0u);
}

TEST(GeodeLx, PortsFloatWithoutVsa) {
    GeodeRig rig(",vsa=off");
    rig.qemu().out32(0xAC1C, 0xFC530003);
    EXPECT_EQ(rig.qemu().in16(0xAC1E), 0xFFFFu);
}

/* ---- Display registers -------------------------------------------------- */

TEST(GeodeLx, DcIgnoresWritesWhileLocked) {
    GeodeRig rig;
    rig.set_dc(0x10, 0x1234);
    EXPECT_EQ(rig.dc(0x10), 0u);
    rig.unlock();
    rig.set_dc(0x10, 0x1234);
    EXPECT_EQ(rig.dc(0x10), 0x1234u);
}

TEST(GeodeLx, PaletteIsNotLocked) {
    GeodeRig rig;
    rig.set_dc(0x70, 5);
    rig.set_dc(0x74, 0x112233);
    rig.set_dc(0x74, 0x445566);
    rig.set_dc(0x70, 5);
    EXPECT_EQ(rig.dc(0x74), 0x112233u);
    EXPECT_EQ(rig.dc(0x74), 0x445566u);
}

TEST(GeodeLx, PanelPowerReportsItsState) {
    GeodeRig rig;
    EXPECT_EQ(rig.vp(0x410) & 0xF, 2u);
    rig.set_vp(0x410, 0x01000000);
    EXPECT_EQ(rig.vp(0x410), 0x01000001u);
}

/* X polls this after each mode set (xserver-xorg-video-geode cim_vg.c). */
TEST(GeodeLx, LineCountComesToVerticalBlanksAndLeavesThem) {
    GeodeRig rig;
    rig.unlock();
    rig.set_dc(0x08, 0x00000009); /* TGEN, GDEN */
    bool blank = false, active = false;
    for (int i = 0; i < 400; ++i) {
        (rig.dc(0x6C) >> 30 & 1 ? blank : active) = true;
        rig.qemu().clock_step(100'000);
    }
    EXPECT_TRUE(blank);
    EXPECT_TRUE(active);
}

/* ---- GPIO and the monitor ------------------------------------------------ */

constexpr uint32_t kOutVal = 0x00, kOutEn = 0x04, kReadBack = 0x30;
constexpr uint32_t kScl = 1 << 3, kSda = 1 << 4;

TEST(GeodeLx, GpioDrivesTheLinesOfTheMonitor) {
    GeodeRig rig;
    rig.set_gpio(kOutEn, kScl | kSda);
    rig.set_gpio(kOutVal, (kScl | kSda) << 16);
    EXPECT_EQ(rig.gpio(kReadBack) & (kScl | kSda), 0u);
    rig.set_gpio(kOutVal, kScl | kSda);
    EXPECT_EQ(rig.gpio(kReadBack) & (kScl | kSda), kScl | kSda);
}

/* An I2C master on the GPIO pins. */
class I2c {
public:
    explicit I2c(GeodeRig& rig) : rig_(rig) {
        rig_.set_gpio(kOutVal, kScl | kSda);
        rig_.set_gpio(kOutEn, kScl | kSda);
    }
    void start() {
        set(kSda, true);
        set(kScl, true);
        set(kSda, false);
        set(kScl, false);
    }
    void stop() {
        set(kSda, false);
        set(kScl, true);
        set(kSda, true);
    }
    bool send(uint8_t byte) { /* true if acknowledged */
        for (int bit = 7; bit >= 0; --bit) {
            clock((byte >> bit & 1) != 0);
        }
        return !clock(true);
    }
    uint8_t receive(bool last) {
        uint8_t byte = 0;
        for (int bit = 0; bit < 8; ++bit) {
            byte = static_cast<uint8_t>(byte << 1 | clock(true));
        }
        clock(last);
        return byte;
    }

private:
    void set(uint32_t line, bool level) { rig_.set_gpio(kOutVal, level ? line : line << 16); }
    bool clock(bool data) {
        set(kSda, data);
        set(kScl, true);
        const bool seen = (rig_.gpio(kReadBack) & kSda) != 0;
        set(kScl, false);
        return seen;
    }
    GeodeRig& rig_;
};

/* Each half of OUT_VAL sets and clears bits, and can be written as a separate port. */
TEST(GeodeLx, GpioHasBytesAndHalves) {
    GeodeRig rig;
    Qemu& q = rig.qemu();
    q.out16(kGpio, 0x0018);
    EXPECT_EQ(q.in32(kGpio), 0xFFE70018u);
    q.out16(kGpio + 2, 0x0008);
    EXPECT_EQ(q.in16(kGpio), 0x0010u);
    EXPECT_EQ(q.in8(kGpio + 2), 0xEFu);
    q.out8(kGpio + 2, 0x10);
    EXPECT_EQ(q.in8(kGpio), 0u);
    q.out8(kGpio + 1, 0x01);
    EXPECT_EQ(q.in16(kGpio), 0x0100u);
}

TEST(GeodeLx, MonitorSendsItsEdid) {
    GeodeRig rig;
    I2c i2c(rig);
    i2c.start();
    EXPECT_FALSE(i2c.send(0x60)); /* no such device */
    i2c.stop();
    i2c.start();
    ASSERT_TRUE(i2c.send(0xA0));
    ASSERT_TRUE(i2c.send(0x00));
    i2c.start();
    ASSERT_TRUE(i2c.send(0xA1));
    Bytes edid;
    uint8_t sum = 0;
    for (int i = 0; i < 128; ++i) {
        edid.push_back(i2c.receive(i == 127));
        sum = static_cast<uint8_t>(sum + edid.back());
    }
    i2c.stop();
    EXPECT_EQ(Bytes(edid.begin(), edid.begin() + 8),
              (Bytes{0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00}));
    EXPECT_EQ(sum, 0);
}

TEST(GeodeLx, ResetEndsATransferWithTheMonitor) {
    GeodeRig rig;
    I2c before(rig);
    before.start();
    ASSERT_TRUE(before.send(0xA0));
    rig.qemu().system_reset();
    rig.map();
    I2c after(rig);
    after.start();
    EXPECT_FALSE(after.send(0x60)); /* no such device */
}

/* ---- The picture --------------------------------------------------------- */

enum class Depth : uint32_t { k8 = 0, k16 = 1, k32 = 2 };

/* Shows 640x480 with the timing after reset; @pitch is in bytes. */
void show(GeodeRig& rig, Depth depth, uint32_t pitch, uint32_t start = 0) {
    rig.unlock();
    rig.set_dc(0x10, start);
    rig.set_dc(0x30, pitch / 8);
    rig.set_dc(0x34, pitch / 8);
    rig.set_dc(0x08, 0x00000009 | static_cast<uint32_t>(depth) << 8 |
                         (depth == Depth::k8 ? 0 : 1u << 25)); /* palette bypassed */
    rig.set_dc(0x04, 0x00000001);                              /* DFLE */
    rig.set_vp(0x008, 0x0000000F);                             /* CRT on */
    rig.set_vp(0x050, 0x00000001);                             /* no gamma */
}

TEST(GeodeLx, ScreenIsBlackUntilItIsSwitchedOn) {
    GeodeRig rig;
    rig.qemu().fill(kVram, kMiB, 0xFF);
    const Screen screen = screendump(rig.qemu());
    EXPECT_EQ(screen.width, 640u);
    EXPECT_EQ(screen.height, 480u);
    EXPECT_EQ(screen.pixels, Words(size_t{640} * 480, 0));
}

TEST(GeodeLx, ScreenShowsVramInAllDepths) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    rig.set_dc(0x70, 0x21);
    rig.set_dc(0x74, 0x123456);
    qemu.write8(kVram + 3 * 640 + 7, 0x21);
    show(rig, Depth::k8, 640);
    EXPECT_EQ(screendump(qemu).pixels[3 * 640 + 7], 0x123456u);

    qemu.write16(kVram + 2 * 2048 + 2 * 9, 0xF81F);
    show(rig, Depth::k16, 2048);
    EXPECT_EQ(screendump(qemu).pixels[2 * 640 + 9], 0xFF00FFu);

    qemu.write32(kVram + kMiB + 479 * 4096 + 4 * 639, 0xAA654321);
    show(rig, Depth::k32, 4096, kMiB);
    EXPECT_EQ(screendump(qemu).pixels[479 * 640 + 639], 0x654321u);
}

TEST(GeodeLx, ScreenFollowsWhatIsWritten) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    show(rig, Depth::k32, 2560);
    for (const uint32_t color : {0x00FF00u, 0x0000FFu, 0x123456u}) {
        qemu.write32(kVram + 100 * 2560 + 400, color);
        EXPECT_EQ(screendump(qemu).pixels[100 * 640 + 100], color);
    }
}

TEST(GeodeLx, PictureBeyondVramIsBlack) {
    GeodeRig rig;
    rig.qemu().fill(kVram + 63 * kMiB, kMiB, 0xFF);
    show(rig, Depth::k32, 2560, 63 * kMiB); /* the picture has 1.2 MB */
    EXPECT_EQ(screendump(rig.qemu()).pixels, Words(size_t{640} * 480, 0));
}

constexpr uint32_t kGeneralCfg = 0x04, kShowCursor = 1 << 1, kShowVideo = 1 << 3;
constexpr uint32_t kGround = 0x406080;

/* Returns the color of the pixel at (@x, @y). */
uint32_t pixel(const Screen& screen, uint32_t x, uint32_t y) {
    return screen.pixels.at(size_t{y} * screen.width + x);
}

void show_ground(GeodeRig& rig) {
    show(rig, Depth::k32, 2560);
    rig.qemu().write_words(kVram, Words(size_t{640} * 480, kGround));
}

/*
 * Shows a 64x64 cursor made of two masks; its first row has all four kinds of pixels (33234H, table
 * 6-33).
 */
TEST(GeodeLx, CursorIsOnTheScreenAndMoves) {
    constexpr uint32_t kImage = 4 * kMiB;
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    show_ground(rig);
    rig.set_dc(0x70, 0x100);
    rig.set_dc(0x74, 0x111111);
    rig.set_dc(0x74, 0x222222);
    for (uint32_t row = 0; row < 64; ++row) {
        qemu.write64(kVram + kImage + 16 * row, row == 0 ? 0x3FFFFFFFFFFFFFFF : ~uint64_t{0});
        qemu.write64(kVram + kImage + 16 * row + 8, row == 0 ? 0x5000000000000000 : 0);
    }
    rig.set_dc(0x18, kImage);
    rig.set_dc(0x60, 100);
    rig.set_dc(0x64, 50);
    EXPECT_EQ(pixel(screendump(qemu), 100, 50), kGround);
    rig.set_dc(kGeneralCfg, 1 | kShowCursor);
    Screen screen = screendump(qemu);
    EXPECT_EQ(pixel(screen, 99, 50), kGround);
    EXPECT_EQ(pixel(screen, 100, 50), 0x111111u);
    EXPECT_EQ(pixel(screen, 101, 50), 0x222222u);
    EXPECT_EQ(pixel(screen, 102, 50), kGround);
    EXPECT_EQ(pixel(screen, 103, 50), 0xBF9F7Fu);
    EXPECT_EQ(pixel(screen, 100, 51), kGround);
    rig.set_dc(0x60, 300);
    rig.set_dc(0x64, 200);
    screen = screendump(qemu);
    EXPECT_EQ(pixel(screen, 100, 50), kGround);
    EXPECT_EQ(pixel(screen, 300, 200), 0x111111u);
}

/*
 * Shows a 16x16 UYVY picture with red on the left and gray on the right.  With BT.601, in units of
 * 1/256, gray is 298 * 110 and red is
 * (298 * 65 + 409 * 112, 298 * 65 + 100 * 38 - 208 * 112, 298 * 65 - 516 * 38).
 */
TEST(GeodeLx, VideoIsOnTheScreenAndMoves) {
    constexpr uint32_t kSource = 4 * kMiB, kRed = 0xFF0000, kGray = 0x808080;
    /*
     * The X driver's library (cim_df.c) adds these offsets to columns and lines; they are for the
     * timing after reset.
     */
    constexpr uint32_t kRight = 800 - 752 - 14, kDown = 525 - 492 + 1;
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    show_ground(rig);
    for (uint32_t row = 0; row < 16; ++row) {
        Words line(8, 0x51F0515A);
        std::fill(line.begin() + 4, line.end(), 0x7E807E80);
        qemu.write_words(kVram + kSource + 32 * row, line);
    }
    const auto place = [&](uint32_t x, uint32_t y) {
        rig.set_vp(0x10, (x + 16 + kRight) << 16 | (x + kRight));
        rig.set_vp(0x18, (y + 16 + kDown) << 16 | (y + kDown));
    };
    const auto expect_at = [&](uint32_t x, uint32_t y) {
        const Screen screen = screendump(qemu);
        for (const uint32_t row : {0u, 15u}) {
            EXPECT_EQ(pixel(screen, x - 1, y + row), kGround);
            EXPECT_EQ(pixel(screen, x, y + row), kRed);
            EXPECT_EQ(pixel(screen, x + 7, y + row), kRed);
            EXPECT_EQ(pixel(screen, x + 8, y + row), kGray);
            EXPECT_EQ(pixel(screen, x + 15, y + row), kGray);
            EXPECT_EQ(pixel(screen, x + 16, y + row), kGround);
        }
        EXPECT_EQ(pixel(screen, x, y - 1), kGround);
        EXPECT_EQ(pixel(screen, x, y + 16), kGround);
        EXPECT_EQ(std::ranges::count(screen.pixels, kRed), 128);
    };
    rig.set_dc(0x20, kSource);
    rig.set_dc(0x38, 32 / 8);
    rig.set_dc(0x30, (32 / 8) << 20);
    rig.set_vp(0x20, 16);
    rig.set_vp(0x00, 1 | 1 << 5);
    place(100, 50);
    EXPECT_EQ(pixel(screendump(qemu), 100, 50), kGround);
    rig.set_dc(kGeneralCfg, 1 | kShowVideo);
    expect_at(100, 50);
    place(300, 200);
    expect_at(300, 200);
}

/* ---- The graphics processor behind its BAR -------------------------------- */

constexpr uint32_t kThrottled = 0x400;

/* Draws one 32-bit pixel at @base + 40h in the GP's address space. */
void draw_pixel(GeodeRig& rig, uint32_t base, uint32_t color, uint32_t mode = 0) {
    rig.set_gp(0x4C, base);
    rig.set_gp(0x38, 0x800000F0);
    rig.set_gp(0x18, color);
    rig.set_gp(0x08, 0x10);
    rig.set_gp(0x0C, 0x00010001);
    rig.set_gp(0x00, 0x40);
    rig.set_gp(0x40, mode);
}

TEST(GeodeLx, GpFindsVramWhereBar0Is) {
    constexpr uint32_t kElsewhere = 0xD0000000;
    GeodeRig rig;
    draw_pixel(rig, kVram, 0x111111);
    EXPECT_EQ(rig.qemu().read32(kVram + 0x40), 0x111111u);
    rig.video().set_bar(0, kElsewhere);
    draw_pixel(rig, kVram, 0x222222);
    EXPECT_EQ(rig.qemu().read32(kElsewhere + 0x40), 0x111111u);
    draw_pixel(rig, kElsewhere, 0x333333);
    EXPECT_EQ(rig.qemu().read32(kElsewhere + 0x40), 0x333333u);
}

TEST(GeodeLx, GpReachesMemoryOfTheSystemOnlyWhereItMay) {
    constexpr uint32_t kRam = 0x00400000;
    for (const bool dma : {false, true}) {
        GeodeRig rig(dma ? ",dma=on" : "");
        draw_pixel(rig, kRam, 0x123456);
        EXPECT_EQ(rig.qemu().read32(kRam + 0x40), dma ? 0x123456u : 0u) << dma;
    }
}

/*
 * DMA must reach only memory, not registers (not even the GP's), and only while bus mastering is
 * enabled.
 */
TEST(GeodeLx, GpReachesNoRegistersAndNothingWithoutMasteringTheBus) {
    constexpr uint32_t kRam = 0x00400000;
    GeodeRig rig(",dma=on");
    const auto errors = [&] {
        return rig.qemu().get_counter("/machine/peripheral/geode/gp", "stat-bus-errors");
    };
    draw_pixel(rig, kGp, 0xFFFFFFFF);
    EXPECT_EQ(rig.gp(0x40), 0u);
    EXPECT_EQ(errors(), 1u);
    rig.video().write(0x04, 0x3); /* I/O and memory, but no bus mastering */
    draw_pixel(rig, kRam, 0x123456);
    EXPECT_EQ(rig.qemu().read32(kRam + 0x40), 0u);
    EXPECT_EQ(errors(), 2u);
    draw_pixel(rig, kVram, 0x123456); /* VRAM needs no bus mastering */
    EXPECT_EQ(rig.qemu().read32(kVram + 0x40), 0x123456u);
    rig.video().write(0x04, 0x7);
    draw_pixel(rig, kRam, 0x123456);
    EXPECT_EQ(rig.qemu().read32(kRam + 0x40), 0x123456u);
    EXPECT_EQ(errors(), 2u);
}

TEST(GeodeLx, DecodesNothingThatCommandSwitchesOff) {
    GeodeRig rig;
    draw_pixel(rig, kVram, 0x123456);
    rig.video().write(0x04, 0x5); /* memory decoding disabled */
    EXPECT_NE(rig.qemu().read32(kVram + 0x40), 0x123456u);
    rig.set_gp(0x10, 0x55);
    rig.qemu().write32(kVram + 0x40, 0);
    rig.video().write(0x04, 0x7);
    EXPECT_EQ(rig.gp(0x10), 0u);
    EXPECT_EQ(rig.qemu().read32(kVram + 0x40), 0x123456u);
    draw_pixel(rig, kVram, 0x654321);
    EXPECT_EQ(rig.qemu().read32(kVram + 0x40), 0x654321u);
}

TEST(GeodeLx, WhatTheGpDrawsIsOnTheScreen) {
    GeodeRig rig;
    show(rig, Depth::k32, 2560);
    for (const uint32_t color : {0x00FF00u, 0x0000FFu}) {
        draw_pixel(rig, kVram, color);
        EXPECT_EQ(screendump(rig.qemu()).pixels[0x40 / 4], color);
    }
}

/* While the PLL is unprogrammed, a frame takes 1/60 s; line 0 starts at guest time 0. */
TEST(GeodeLx, ThrottledOperationsWaitForTheVerticalBlank) {
    constexpr int64_t kFrame = 1'000'000'000 / 60;
    constexpr int64_t kBlank = kFrame * 480 / 525 + 1; /* 640x480 with the reset timing */
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    qemu.make_snapshot_disk();
    const auto pixel = [&] { return qemu.read32(kVram + 0x40); };
    draw_pixel(rig, kVram, 0x111111, kThrottled); /* no vertical blanks, so no wait */
    EXPECT_EQ(pixel(), 0x111111u);

    rig.unlock();
    rig.set_dc(0x08, 0x00000001); /* TGEN */
    draw_pixel(rig, kVram, 0x222222, kThrottled);
    EXPECT_EQ(rig.gp(0x44) & 1, 1u);
    qemu.clock_set(kBlank - 1000);
    EXPECT_EQ(pixel(), 0x111111u);
    qemu.save_snapshot();
    qemu.clock_set(kBlank);
    EXPECT_EQ(pixel(), 0x222222u);
    EXPECT_EQ(rig.gp(0x44) & 1, 0u);

    draw_pixel(rig, kVram, 0x333333, kThrottled);
    qemu.clock_set(kBlank + kFrame - 1000);
    EXPECT_EQ(pixel(), 0x222222u);
    qemu.clock_set(kBlank + kFrame);
    EXPECT_EQ(pixel(), 0x333333u);

    draw_pixel(rig, kVram, 0x444444, kThrottled);
    rig.set_dc(0x08, 0); /* no more vertical blanks */
    qemu.clock_step(1);
    EXPECT_EQ(pixel(), 0x444444u);

    qemu.load_snapshot(); /* saved before a vertical blank that is over by now */
    qemu.clock_step(1);
    EXPECT_EQ(pixel(), 0x222222u);
}

/* X puts the buffer there (xserver-xorg-video-geode src/lx_memory.c); no MSR gives its address. */
TEST(GeodeLx, CommandBufferIsInTheLast2MiBOfVram) {
    const Words packet{0x0000D09B, 0x600000F0, 0x400, 0, 0x20, 0x00020001, 0,     0, 0xBEEF,
                       0,          0,          0,     0, 0,    0,          kVram, 0};
    for (const bool automatic : {true, false}) {
        GeodeRig rig(automatic ? "" : ",cbase-auto=off");
        rig.qemu().write_words(kVram + 62 * kMiB, packet);
        rig.set_gp(0x50, 0);
        rig.set_gp(0x54, 2 * kMiB);
        rig.set_gp(0x58, 0);
        rig.set_gp(0x5C, 0x44);
        EXPECT_EQ(rig.gp(0x58), 0x44u);
        EXPECT_EQ(rig.qemu().read32(kVram + 0x400), automatic ? 0xBEEFBEEFu : 0u) << automatic;
    }
}

TEST(GeodeLx, InterruptsOfBothPartsAreInta) {
    GeodeRig rig;
    const auto asserted = [&] { return (rig.video().read(0x04) >> 19 & 1) != 0; };
    rig.set_gp(0x78, 0);
    draw_pixel(rig, kVram, 1);
    EXPECT_TRUE(asserted());
    rig.unlock();
    rig.set_dc(0x08, 0x00000009);
    rig.set_dc(0xC8, 0x00000002); /* line compare unmasked */
    rig.qemu().clock_step(40'000'000);
    rig.set_gp(0x78, 0x00030003);
    EXPECT_TRUE(asserted());
    rig.set_dc(0xC8, 0x00010003);
    EXPECT_FALSE(asserted());
}

/*
 * Command bit 10 disables INTx (PCI 3.0, 6.2.2).  The test reads the request register (8259A, OCW3)
 * at input 11, to which the south bridge's PIRQRC routes INTx (82371SB, 2.3.4), level-triggered
 * (ELCR). A QEMU built with sanitizers also checks the order of locks and line changes.
 */
TEST(GeodeLx, IntxDisableKeepsInterruptsFromTheLine) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    PciFunction bridge(qemu, 1);
    bridge.write(0x60, 0x0B0B0B0B);
    qemu.out8(0x4D1, 1 << 3);
    const auto line = [&] {
        qemu.out8(0xA0, 0x0A);
        return (qemu.in8(0xA0) >> 3 & 1) != 0;
    };
    EXPECT_FALSE(line());
    rig.set_gp(0x78, 0);
    draw_pixel(rig, kVram, 1);
    EXPECT_TRUE(line());
    rig.video().write(0x04, 0x407);
    EXPECT_FALSE(line());
    EXPECT_EQ(rig.video().read(0x04) & 0x000807FF, 0x00080407u); /* interrupt status is still set */
    EXPECT_EQ(rig.qemu().read32(kVram + 0x40), 1u);
    rig.video().write(0x04, 0x405); /* memory decoding disabled, INTx disabled */
    EXPECT_NE(rig.qemu().read32(kVram + 0x40), 1u);
    EXPECT_FALSE(line());
    rig.video().write(0x04, 0x007);
    EXPECT_TRUE(line());
    EXPECT_EQ(rig.qemu().read32(kVram + 0x40), 1u);
    rig.set_gp(0x78, 0x00030003);
    EXPECT_FALSE(line());
}

/* ---- Reset, migration ---------------------------------------------------- */

TEST(GeodeLx, ResetUnmapsVramAndKeepsIt) {
    GeodeRig rig;
    rig.qemu().write32(kVram, 0x12345678);
    rig.unlock();
    rig.set_dc(0x10, 0x1234);
    rig.qemu().system_reset();
    EXPECT_NE(rig.qemu().read32(kVram), 0x12345678u);
    rig.map();
    EXPECT_EQ(rig.qemu().read32(kVram), 0x12345678u);
    EXPECT_EQ(rig.dc(0x10), 0u);
}

TEST(GeodeLx, SnapshotHasRegistersAndPicture) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    qemu.make_snapshot_disk();
    qemu.write32(kVram + 5 * 2560, 0xABCDEF);
    show(rig, Depth::k32, 2560);
    rig.set_gpio(kOutEn, kScl | kSda);
    rig.set_gpio(kOutVal, kSda);
    qemu.out32(0xAC1C, 0xFC530200);
    const Screen before = screendump(qemu);
    qemu.save_snapshot();
    qemu.write32(kVram + 5 * 2560, 0);
    qemu.system_reset();
    qemu.load_snapshot();
    EXPECT_EQ(screendump(qemu).pixels, before.pixels);
    EXPECT_EQ(before.pixels[5 * 640], 0xABCDEFu);
    EXPECT_EQ(rig.gpio(kReadBack) & (kScl | kSda), kSda);
    EXPECT_EQ(qemu.in16(0xAC1E), 0x0040u);
}

/* A line that does not exist would stay high forever, so its level must be refused. */
TEST(GeodeLx, SnapshotWithLevelsOfOtherLinesIsRefused) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    qemu.make_snapshot_disk();
    ASSERT_EQ(qemu.qmp_error("stop"), "");
    qemu.save_snapshot();
    SavedMachine saved(qemu.snapshot_file(), {"geode-lx-video"});
    ASSERT_EQ(saved.sections().size(), 1u);
    const auto& fields = saved.sections()[0].fields;
    const auto levels = std::ranges::find(fields, std::string("irq_levels"), &SavedField::name);
    ASSERT_NE(levels, fields.end());
    saved.write(levels->at, levels->size, 0x80000000);
    EXPECT_NE(qemu.load_snapshot_error(), "");
    saved.restore();
    EXPECT_EQ(qemu.load_snapshot_error(), "");
}

/*
 * A reset must clear levels that no part drives, since QEMU aborts if INTx is high while the bus is
 * reset.
 */
TEST(GeodeLx, ResetClearsLevelsThatNoPartDrives) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    const auto asserted = [&] { return (rig.video().read(0x04) >> 19 & 1) != 0; };
    qemu.make_snapshot_disk();
    qemu.stop();
    qemu.save_snapshot();
    SavedMachine saved(qemu.snapshot_file(), {"geode-lx-video"});
    const auto& fields = saved.sections().at(0).fields;
    const auto levels = std::ranges::find(fields, std::string("irq_levels"), &SavedField::name);
    ASSERT_NE(levels, fields.end());
    for (const uint32_t lines :
         {0x80000000u, 0x00000002u}) { /* an unknown line, which is refused; the display's line */
        saved.write(levels->at, levels->size, lines);
        qemu.load_snapshot_error();
        saved.restore();
        qemu.resume();
        qemu.system_reset();
        rig.map();
        rig.set_gp(0x78, 0);
        draw_pixel(rig, kVram, 1);
        EXPECT_TRUE(asserted());
        rig.set_gp(0x78, 0x00030003);
        EXPECT_FALSE(asserted()) << std::hex << lines;
    }
    EXPECT_EQ(qemu.load_snapshot_error(), "");
}

/* The BLT has two lines with one host word each. */
TEST(GeodeLx, SnapshotHasABltThatWaitsForHostData) {
    GeodeRig rig;
    Qemu& qemu = rig.qemu();
    qemu.make_snapshot_disk();
    rig.set_gp(0x4C, kVram);
    rig.set_gp(0x38, 0x600000CC);
    rig.set_gp(0x08, 0x20);
    rig.set_gp(0x0C, 0x00020002);
    rig.set_gp(0x00, 0x400);
    rig.set_gp(0x40, 2);
    rig.set_gp(0x48, 0x22221111);
    EXPECT_EQ(rig.gp(0x44) & 0x21, 0x21u); /* busy, waiting for host data */
    qemu.save_snapshot();
    qemu.fill(kVram, 0x1000, 0);
    qemu.system_reset();
    qemu.load_snapshot();
    EXPECT_EQ(rig.gp(0x44) & 0x21, 0x21u);
    rig.set_gp(0x48, 0x44443333);
    EXPECT_EQ(rig.gp(0x44) & 0x21, 0u);
    EXPECT_EQ(qemu.read32(kVram + 0x400), 0x22221111u);
    EXPECT_EQ(qemu.read32(kVram + 0x420), 0x44443333u);
}

} // namespace
} // namespace pixmill::qtest
