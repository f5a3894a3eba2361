/*
 * What Linux's imx-drm writes: a mode-set of 1024x768 on DI0 with an overlay, flips, a move of the
 * overlay, and switching both off. The values result from the code of linux 6.12 ipu-di.c,
 * ipu-dc.c, ipu-dp.c, ipu-cpmem.c and ipuv3-plane.c, in the order of its writes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace ipu;

constexpr uint64_t kFirst = 0x20000000, kSecond = 0x20400000, kOverlayBuffer = 0x21000000;
constexpr uint32_t kWidth = 1024, kHeight = 768, kOverlayWidth = 256, kOverlayHeight = 128;
constexpr uint32_t kPrimary = kCpmem + 64 * kBackground, kPartial = kCpmem + 64 * kOverlay;
constexpr uint32_t kBgBit = 1u << kBackground, kFgBit = 1u << kOverlay;

class Ipuv3Linux : public testing::Test {
protected:
    using Writes = std::initializer_list<std::pair<uint32_t, uint32_t>>;

    Ipuv3Linux() {
        m.host.ram.add(kFirst, 4 * kWidth * kHeight);
        m.host.ram.add(kSecond, 4 * kWidth * kHeight);
        m.host.ram.add(kOverlayBuffer, 4 * kOverlayWidth * kOverlayHeight);
        m.host.ram.fill(kFirst, 0x11, 4 * kWidth * kHeight);
        m.host.ram.fill(kSecond, 0x22, 4 * kWidth * kHeight);
        m.host.ram.fill(kOverlayBuffer, 0xFF, 4 * kOverlayWidth * kOverlayHeight);
    }

    void play(Writes writes) {
        for (const auto& [offset, value] : writes)
            m.write(offset, value);
    }

    /* Writes everything up to the start of the DI. */
    void set_mode() {
        /* DC: links and microcode */
        play({{0x258064, 0x02030000},
              {0x25806C, 0x00000302},
              {0x258074, 0x00000101},
              {0x380010, 0x00020885},
              {0x380014, 0x00000380},
              {0x380018, 0x00020845},
              {0x38001C, 0x00000180},
              {0x380020, 0x00000000},
              {0x380024, 0x00000280},
              {0x380008, 0x00020805},
              {0x38000C, 0x00000380},
              {0x2580E8, 0x00000400}});
        /* DI */
        play({{0x240004, 0x00000010}, {0x240008, 0x00010000}, {0x240000, 0x00300000},
              {0x240058, 0x00000300}, {0x240118, 0x00020000}, {0x240170, 0x00000325},
              {0x24000C, 0x29F90000}, {0x240030, 0x10000000}, {0x240010, 0x29F90001},
              {0x240034, 0x30781000}, {0x240014, 0x192A0000}, {0x240038, 0x30142000},
              {0x240018, 0x000300FB}, {0x24003C, 0x08000000}, {0x24014C, 0x03000000},
              {0x24001C, 0x000108C1}, {0x240040, 0x0A000000}, {0x240150, 0x00000400},
              {0x240054, 0x00004002}, {0x240164, 0x00000010}});
        /* the primary plane */
        play({{kConf, 0x00000420},
              {kDp, 0x00000004},
              {kSrmPri2, 0x00000008},
              {kPrimary + 0x0C, 0xE0000000},
              {kPrimary + 0x10, 0x000BFC7F},
              {kPrimary + 0x20, 0x04000000},
              {kPrimary + 0x24, 0x00800000},
              {kPrimary + 0x28, 0x00E3C000},
              {kPrimary + 0x2C, 0xFFF3FFC0},
              {kPrimary + 0x30, 0x00006208},
              {kDbMode, kBgBit},
              {kChaEn, kBgBit}});
        /* the overlay */
        play({{kDp + 8, 0x00100020},
              {kSrmPri2, 0x00000008},
              {kDp, 0x00000002},
              {kSrmPri2, 0x00000008},
              {kPartial + 0x0C, 0xE0000000},
              {kPartial + 0x10, 0x0001FC1F},
              {kPartial + 0x20, 0x04200000},
              {kPartial + 0x24, 0x00840000},
              {kPartial + 0x28, 0x00E3C000},
              {kPartial + 0x2C, 0xFFF0FFC0},
              {kPartial + 0x30, 0x00006208},
              {kDbMode, kBgBit | kFgBit},
              {kChaEn, kBgBit | kFgBit},
              {kDp, 0x00000003},
              {kSrmPri2, 0x00000008}});
        play({{kIntCtrl, kBgBit}, {kConf, 0x00000620}, {0x25805C, 0x00000082}});
    }
    void start_di() { play({{kDispGen, 0x01600000}, {kConf, 0x00000660}}); }

    /* A frame ends; the driver acknowledges its interrupt. */
    void vblank() {
        m.frames();
        EXPECT_TRUE(m.host.irq);
        play({{kIntCtrl, 0}, {kIntStat, kBgBit}, {kIntCtrl, kBgBit}});
        EXPECT_FALSE(m.host.irq);
    }

    /* Writes the primary plane's half of a commit that leaves it below the overlay. */
    void commit_primary(uint64_t address) {
        const bool second = m.read(kCurBuf) & kBgBit;
        play({{kDp, 0x00000001}, {kDp + 4, 0}, {kDp, 0x00000005}, {kSrmPri2, 0x00000008}});
        set_eba(kPrimary, !second, address);
        m.write(second ? kBuf0Rdy : kBuf1Rdy, kBgBit);
    }
    void set_eba(uint32_t channel, bool second, uint64_t address) {
        const auto eba = uint32_t(address / 8);
        if (second) {
            m.write(channel + 0x20, (m.read(channel + 0x20) & 0x1FFFFFFF) | eba << 29);
            m.write(channel + 0x24, (m.read(channel + 0x24) & 0xFC000000) | eba >> 3);
        } else {
            m.write(channel + 0x20, (m.read(channel + 0x20) & 0xE0000000) | eba);
        }
    }

    /* Switches a channel off (linux ipu-common.c, ipu_idmac_disable_channel()). */
    void disable(uint32_t channel) {
        const uint32_t bit = 1u << channel;
        EXPECT_EQ(m.read(kChaBusy) & bit, 0u);
        play({{kChaEn, m.read(kChaEn) & ~bit}, {kCurBuf, bit}, {kGpr, 0xF0000000}});
        for (const uint32_t ready : {kBuf0Rdy, kBuf1Rdy})
            if (m.read(ready) & bit)
                m.write(ready, bit);
        play({{kGpr, 0}, {kDbMode, m.read(kDbMode) & ~bit}});
        EXPECT_EQ((m.read(kBuf0Rdy) | m.read(kBuf1Rdy) | m.read(kCurBuf)) & bit, 0u);
    }

    /* Expects a background of one color, and a white overlay at (x, y), or none. */
    void expect_picture(uint32_t background, bool overlay, uint32_t x = 0, uint32_t y = 0) {
        const auto picture = m.picture();
        ASSERT_EQ(picture.size(), kHeight);
        uint64_t wrong = 0;
        for (uint32_t row = 0; row < kHeight; row++) {
            ASSERT_EQ(picture[row].size(), kWidth);
            for (uint32_t column = 0; column < kWidth; column++) {
                const bool inside =
                    overlay && column - x < kOverlayWidth && row - y < kOverlayHeight;
                wrong += picture[row][column] != (inside ? 0xFFFFFF : background);
            }
        }
        EXPECT_EQ(wrong, 0u);
    }

    IpuMachine m;
};

TEST_F(Ipuv3Linux, AModeSetEndsWithTheDi) {
    set_mode();
    m.frames(2);
    for (uint32_t group = 0; group < 15; group++)
        EXPECT_EQ(m.read(kIntStat + 4 * group), 0u);
    EXPECT_FALSE(m.scan().running);
    start_di();
    EXPECT_EQ(m.scan().width, kWidth);
    EXPECT_EQ(m.scan().height, kHeight);
    vblank();
    expect_picture(0x111111, true, 16, 32);
    PixmillIpuv3Timing timing;
    pixmill_ipuv3_timing(m.abi(), 0, &timing);
    EXPECT_EQ(timing.total_width, 1344u);
    EXPECT_EQ(timing.total_height, 806u);
    EXPECT_EQ(timing.left, 280u);
    EXPECT_EQ(timing.top, 31u);
    EXPECT_TRUE(m.host.logs().empty());
}

TEST_F(Ipuv3Linux, AFlip) {
    set_mode();
    start_di();
    vblank();
    EXPECT_EQ(m.read(kCurBuf), 0u);
    play({{kPrimary + 0x20, 0x04000000}, {kPrimary + 0x24, 0x00810000}, {kBuf1Rdy, kBgBit}});
    expect_picture(0x111111, true, 16, 32);
    vblank();
    EXPECT_EQ(m.read(kCurBuf), kBgBit);
    EXPECT_EQ(m.read(kBuf1Rdy), 0u);
    expect_picture(0x222222, true, 16, 32);
}

TEST_F(Ipuv3Linux, TheOverlayMoves) {
    set_mode();
    start_di();
    vblank();
    commit_primary(kFirst);
    play({{kDp + 8, 0x00300040}, {kSrmPri2, 0x08}, {kDp, 0x07}, {kDp, 0x03}, {kSrmPri2, 0x08}});
    set_eba(kPartial, true, kOverlayBuffer);
    m.write(kBuf1Rdy, kFgBit);
    expect_picture(0x111111, true, 16, 32);
    const uint32_t generation = m.scan().generation;
    vblank();
    expect_picture(0x111111, true, 48, 64);
    EXPECT_EQ(m.scan().generation, generation); /* only the overlay's rows have changed */
    EXPECT_EQ(m.read(kCurBuf), kBgBit | kFgBit);
}

TEST_F(Ipuv3Linux, TheOverlayIsSwitchedOff) {
    set_mode();
    start_di();
    vblank();
    commit_primary(kFirst);
    play({{kDp, 0x00000004}, {kDp + 8, 0}, {kSrmPri2, 0x00000008}});
    expect_picture(0x111111, true, 16, 32);
    vblank();
    expect_picture(0x111111, false);
    disable(kOverlay);
    disable(kOverlayAlpha); /* never used */
    vblank();
    expect_picture(0x111111, false);
    EXPECT_EQ(m.read(kIntStat) & kFgBit, kFgBit); /* from before; nobody enables it */
}

/* ipu_crtc_atomic_disable(): the DI stops first. */
TEST_F(Ipuv3Linux, TheCrtcIsSwitchedOff) {
    set_mode();
    start_di();
    vblank();
    play({{0x25805C, 0x00000002}, {kConf, 0x00000620}, {kDispGen, 0x00600000}});
    EXPECT_FALSE(m.scan().running);
    play({{kDp, 0x00000002}, {kDp + 8, 0}, {kSrmPri2, 0x00000018}});
    disable(kOverlay);
    disable(kBackground);
    m.write(kConf, 0);
    m.write(kIntStat, 0xFFFFFFFF);
    m.frames(3);
    EXPECT_EQ(m.read(kIntStat), 0u);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.run().action, PIXMILL_RUN_IDLE);
    EXPECT_TRUE(m.picture().empty());
    EXPECT_TRUE(m.host.logs().empty());
}

/* linux ipuv3-crtc.c enables an interrupt again over an old status: one early vblank. */
TEST_F(Ipuv3Linux, AnOldStatusRaisesTheLine) {
    set_mode();
    start_di();
    vblank();
    m.write(kIntCtrl, 0);
    m.frames(3);
    EXPECT_FALSE(m.host.irq);
    m.write(kIntCtrl, kBgBit);
    EXPECT_TRUE(m.host.irq);
}

} // namespace
} // namespace pixmill::test
