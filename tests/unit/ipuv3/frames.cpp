/*
 * Tests of frames: start and stop, timing, interrupts, buffers, and what takes effect when.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace ipu;
using Row = IpuMachine::Row;

constexpr uint32_t bit(uint32_t channel) {
    return 1u << channel % 32;
}

/* Shows channel 23 from kRam on DI0, double buffered, with its interrupt. */
void show(IpuMachine& m, uint32_t width = 16, uint32_t height = 4) {
    m.mode(0, width, height);
    m.channel(kBackground, IpuParameters(ipu_formats::xrgb8888, width, height, 4 * width, kRam));
    m.write(kDbMode, bit(kBackground));
    m.write(kIntCtrl, bit(kBackground));
    m.start(0);
}

/* A channel enable alone starts nothing: frames follow the DI. */
TEST(Ipuv3Frames, NeedTheDiAndItsCounters) {
    IpuMachine m;
    m.mode(0, 16, 4);
    m.channel(kBackground, IpuParameters(ipu_formats::xrgb8888, 16, 4, 64, kRam));
    m.write(kIntCtrl, bit(kBackground));
    m.frames(3);
    EXPECT_EQ(m.read(kIntStat), 0u);
    m.write(kConf, kDi0Enable);
    m.frames(3);
    EXPECT_EQ(m.read(kIntStat), 0u);
    EXPECT_FALSE(m.host.run_requested);
    EXPECT_FALSE(m.scan().running);
    m.write(kDispGen, kRelease0);
    EXPECT_TRUE(m.host.run_requested);
    EXPECT_TRUE(m.scan().running);
    EXPECT_FALSE(m.host.irq);
    m.frames();
    EXPECT_TRUE(m.host.irq);
    EXPECT_FALSE(m.host.error_irq);
    EXPECT_EQ(m.read(kIntStat), bit(kBackground));
    EXPECT_EQ(m.read(kIntStat + 8), bit(kBackground));                  /* NFACK */
    EXPECT_EQ(m.read(kIntStat + 4 * 14), 1u << 2 | 1u << 3 | 1u << 14); /* DP flow, VSYNC_PRE_0 */
}

TEST(Ipuv3Frames, EndWhenTheDiIsOff) {
    for (const uint32_t reg : {kConf, kDispGen}) {
        IpuMachine m;
        show(m);
        m.frames();
        m.write(kIntStat, 0xFFFFFFFF);
        m.write(reg, 0);
        m.frames(3);
        EXPECT_EQ(m.read(kIntStat), 0u);
        EXPECT_EQ(m.run().action, PIXMILL_RUN_IDLE);
        EXPECT_FALSE(m.scan().running);
        EXPECT_TRUE(m.picture().empty());
    }
}

TEST(Ipuv3Frames, AreSixtyASecondWhateverTheClocks) {
    IpuMachine m;
    show(m);
    const PixmillRun next = m.run();
    EXPECT_EQ(next.action, PIXMILL_RUN_WAIT);
    EXPECT_EQ(next.when_ns, kFrame);
    for (int i = 0; i < 60; i++) {
        m.host.now = m.run().when_ns;
        (void)m.run();
    }
    EXPECT_EQ(m.counters().frames, 60u);
    EXPECT_LE(m.host.now, 1'000'000'000);
}

TEST(Ipuv3Frames, FollowTheProperty) {
    IpuMachine m({50, 0, 0});
    show(m);
    EXPECT_EQ(m.run().when_ns, 20'000'000);
}

/* A host that was stopped does not make up for the frames that it has missed. */
TEST(Ipuv3Frames, ThatWereMissedAreLeftOut) {
    IpuMachine m;
    show(m);
    m.host.now = 10 * kFrame + 5;
    EXPECT_EQ(m.run().when_ns, 11 * kFrame);
    EXPECT_EQ(m.counters().frames, 1u);
}

TEST(Ipuv3Frames, Di1ShowsChannel28) {
    IpuMachine m;
    m.mode(1, 8, 2);
    m.host.ram.fill(kRam, 0x42, 64);
    m.channel(kDirect, IpuParameters(ipu_formats::xrgb8888, 8, 2, 32, kRam));
    m.start(1);
    m.frames();
    EXPECT_EQ(m.read(kIntStat), bit(kDirect));
    EXPECT_EQ(m.read(kIntStat + 4 * 14), 1u << 9 | 1u << 15); /* DC_FC_1, VSYNC_PRE_1 */
    EXPECT_EQ(m.picture(1), (std::vector<Row>(2, Row(8, 0x424242))));
    EXPECT_FALSE(m.scan(0).running);
}

TEST(Ipuv3Frames, EveryEnabledChannelOfTheDiEnds) {
    IpuMachine m;
    m.mode(0, 16, 4);
    for (const uint32_t channel : {kBackground, kOverlay, kOverlayAlpha, kBackgroundAlpha, kDirect})
        m.channel(channel, IpuParameters(ipu_formats::xrgb8888, 16, 4, 64, kRam));
    m.start(0);
    m.frames();
    EXPECT_EQ(m.read(kIntStat), bit(kBackground) | bit(kOverlay) | bit(kOverlayAlpha));
    EXPECT_EQ(m.read(kIntStat + 4), bit(kBackgroundAlpha));
    m.write(kIntStat, 0xFFFFFFFF);
    m.disable(kOverlay);
    m.frames();
    EXPECT_EQ(m.read(kIntStat), bit(kBackground) | bit(kOverlayAlpha));
}

/* linux ipu-plane: reads CUR_BUF, writes the other EBA and its ready bit, waits for the EOF. */
TEST(Ipuv3Frames, AFlipCompletesWithTheFrame) {
    IpuMachine m;
    show(m);
    m.host.ram.fill(kRam, 0x11, 256);
    m.host.ram.fill(kRam + 0x1000, 0x22, 256);
    m.frames();
    m.write(kIntStat, bit(kBackground));
    EXPECT_EQ(m.read(kCurBuf), 0u);
    IpuParameters next(ipu_formats::xrgb8888, 16, 4, 64, kRam);
    next.set(1, 29, 29, (kRam + 0x1000) / 8);
    m.channel(kBackground, next);
    m.write(kBuf1Rdy, bit(kBackground));
    EXPECT_EQ(m.picture()[0][0], 0x111111u);
    EXPECT_FALSE(m.host.irq);
    m.frames();
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.read(kCurBuf), bit(kBackground));
    EXPECT_EQ(m.read(kBuf1Rdy), 0u);
    EXPECT_EQ(m.picture()[0][0], 0x222222u);
    EXPECT_EQ(m.counters().flips, 1u);
    m.frames(3); /* nothing is ready, so it stays */
    EXPECT_EQ(m.read(kCurBuf), bit(kBackground));
    m.write(kCurBuf, bit(kBackground));
    EXPECT_EQ(m.read(kCurBuf), 0u);
}

TEST(Ipuv3Frames, TwoReadyBuffersTakeTurns) {
    IpuMachine m;
    show(m);
    m.write(kBuf0Rdy, bit(kBackground));
    m.write(kBuf1Rdy, bit(kBackground));
    m.frames();
    EXPECT_EQ(m.read(kCurBuf), bit(kBackground));
    EXPECT_EQ(m.read(kBuf0Rdy), bit(kBackground));
    m.frames();
    EXPECT_EQ(m.read(kCurBuf), 0u);
    EXPECT_EQ(m.read(kBuf0Rdy), 0u);
    m.write(kBuf0Rdy, bit(kBackground)); /* the buffer that is shown */
    m.frames(3);
    EXPECT_EQ(m.read(kCurBuf), 0u);
    EXPECT_EQ(m.read(kBuf0Rdy), bit(kBackground));
}

/* Freescale's driver marks its first buffer as ready before it enables the channel. */
TEST(Ipuv3Frames, TheFirstBufferIsNoLongerReadyOnceItIsShown) {
    IpuMachine m;
    m.write(kBuf0Rdy, bit(kBackground) | bit(kDirect));
    show(m);
    EXPECT_EQ(m.read(kBuf0Rdy), bit(kDirect));
    m.write(kBuf1Rdy, bit(kBackground));
    m.frames(3);
    EXPECT_EQ(m.read(kCurBuf), bit(kBackground));
    /* The same when the DI starts again. */
    m.write(kConf, 0);
    m.write(kBuf1Rdy, bit(kBackground));
    m.write(kConf, kDi0Enable);
    EXPECT_EQ(m.read(kBuf1Rdy), 0u);
}

TEST(Ipuv3Frames, ASingleBufferIsTheFirst) {
    IpuMachine m;
    show(m);
    m.host.ram.fill(kRam, 0x11, 256);
    m.write(kDbMode, 0);
    m.write(kBuf1Rdy, bit(kBackground));
    m.frames(2);
    EXPECT_EQ(m.read(kCurBuf), 0u);
    EXPECT_EQ(m.read(kBuf1Rdy), bit(kBackground));
    EXPECT_EQ(m.picture()[0][0], 0x111111u);
}

/* linux ipu-common.c: each interrupt masks itself, acknowledges, and unmasks itself. */
TEST(Ipuv3Frames, TheLineFollowsBothRegisters) {
    IpuMachine m;
    show(m);
    m.frames();
    ASSERT_TRUE(m.host.irq);
    m.write(kIntCtrl, 0);
    EXPECT_FALSE(m.host.irq);
    m.write(kIntCtrl, bit(kBackground));
    EXPECT_TRUE(m.host.irq);
    m.write(kIntStat, bit(kBackground));
    EXPECT_FALSE(m.host.irq);
    m.frames();
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.counters().interrupts, 3u);
}

TEST(Ipuv3Frames, ErrorsHaveTheirOwnLine) {
    IpuMachine m;
    m.write(kIntCtrl + 4 * 4, bit(kBackground));
    pixmill_ipuv3.inject(m.abi(), PIXMILL_IPUV3_FAULT_UNDERRUN);
    EXPECT_TRUE(m.host.error_irq);
    EXPECT_FALSE(m.host.irq);
    m.write(kIntStat + 4 * 4, bit(kBackground));
    EXPECT_FALSE(m.host.error_irq);
}

TEST(Ipuv3Frames, AFrameCanLoseItsInterrupt) {
    IpuMachine m;
    show(m);
    pixmill_ipuv3.inject(m.abi(), PIXMILL_IPUV3_FAULT_LOST_FRAME);
    m.frames();
    EXPECT_EQ(m.read(kIntStat), 0u);
    m.frames();
    EXPECT_EQ(m.read(kIntStat), bit(kBackground));
}

TEST(Ipuv3Frames, ParametersAreReadAtTheStart) {
    IpuMachine m;
    show(m);
    m.host.ram.fill(kRam + 0x1000, 0x33, 256);
    m.channel(kBackground, IpuParameters(ipu_formats::xrgb8888, 16, 4, 64, kRam + 0x1000));
    EXPECT_EQ(m.picture()[0][0], 0u);
    m.frames();
    EXPECT_EQ(m.picture()[0][0], 0x333333u);
    m.disable(kBackground);
    EXPECT_EQ(m.picture()[0][0], 0x333333u);
    m.frames();
    EXPECT_EQ(m.picture()[0][0], 0u);
}

/* IPU_SRM_PRI2 4:3 (linux ipu-common.c, ipu_srm_dp_update()). */
TEST(Ipuv3Frames, TheDpTakesItsRegistersWhenTold) {
    IpuMachine m;
    show(m);
    m.host.ram.fill(kRam + 0x1000, 0x77, 64);
    m.channel(kOverlay, IpuParameters(ipu_formats::xrgb8888, 4, 1, 16, kRam + 0x1000));
    const auto overlaid = [&] { return m.picture()[0][0] == 0x777777; };
    const auto set = [&](uint32_t config) {
        m.write(kDp, config | kGwSel | kGwAm);
        m.write(kDp + 4, 0xFF000000);
    };
    set(kFgEn);
    m.frames(2);
    EXPECT_FALSE(overlaid()); /* hold */
    m.write(kSrmPri2, kNextFrame);
    EXPECT_FALSE(overlaid());
    m.frames();
    EXPECT_TRUE(overlaid());
    EXPECT_EQ(m.read(kSrmPri2), kNextFrame); /* keeps its value */
    set(0);
    m.frames(2);
    EXPECT_TRUE(overlaid()); /* once only */
    m.write(kSrmPri2, kNow);
    EXPECT_FALSE(overlaid());
    m.write(kSrmPri2, kEveryFrame);
    set(kFgEn);
    EXPECT_FALSE(overlaid());
    m.frames();
    EXPECT_TRUE(overlaid());
    set(0);
    m.frames();
    EXPECT_FALSE(overlaid());
}

TEST(Ipuv3Frames, CountersThatDescribeNoPictureStartNothing) {
    const std::pair<uint32_t, uint32_t> spoiled[] = {
        {kDi0 + 0x150, 0},       /* no columns */
        {kDi0 + 0x14C, 0},       /* no lines */
        {kDi0 + 0x0C, 8u << 19}, /* total width 9 */
        {kDi0 + 0x170, 2},       /* total height 3 */
        {kDi0 + 0x150, 0xFFFF},
    };
    for (const auto& [offset, value] : spoiled) {
        IpuMachine m;
        show(m);
        ASSERT_TRUE(m.scan().running);
        const uint32_t good = m.read(offset);
        m.write(offset, value);
        EXPECT_FALSE(m.scan().running) << std::hex << offset;
        EXPECT_EQ(m.host.logs().size(), 1u);
        m.frames(2);
        EXPECT_EQ(m.read(kIntStat), 0u);
        m.write(offset, good);
        EXPECT_TRUE(m.scan().running);
        m.frames();
        EXPECT_EQ(m.read(kIntStat), bit(kBackground));
    }
}

TEST(Ipuv3Frames, TimingIsThatOfTheCounters) {
    IpuMachine m;
    PixmillIpuv3Timing timing;
    pixmill_ipuv3_timing(m.abi(), 0, &timing);
    EXPECT_FALSE(timing.running);
    /* 1280x800 on HDMI, as Linux programs it. */
    const std::pair<uint32_t, uint32_t> words[] = {
        {0x00, 0x00300000},  {0x0C, 0x35F90000},  {0x10, 0x35F90001}, {0x14, 0x19DA0000},
        {0x18, 0x000300C3},  {0x1C, 0x00010401},  {0x30, 0x10000000}, {0x34, 0x304C1000},
        {0x38, 0x30082000},  {0x3C, 0x08000000},  {0x40, 0x0A000000}, {0x14C, 0x03200000},
        {0x150, 0x00000500}, {0x170, 0x0000033B},
    };
    for (const auto& [offset, value] : words)
        m.write(kDi0 + offset, value);
    m.start(0);
    pixmill_ipuv3_timing(m.abi(), 0, &timing);
    EXPECT_TRUE(timing.running);
    EXPECT_FALSE(timing.interlaced);
    EXPECT_EQ(timing.width, 1280u);
    EXPECT_EQ(timing.height, 800u);
    EXPECT_EQ(timing.total_width, 1728u);
    EXPECT_EQ(timing.total_height, 828u);
    EXPECT_EQ(timing.left, 128u);
    EXPECT_EQ(timing.top, 24u);
    EXPECT_EQ(timing.frame_ns, kFrame);
    EXPECT_EQ(timing.due_ns, kFrame);
}

/* Counters 5 and 6, and half of the lines in each field (linux ipu-di.c, interlaced). */
TEST(Ipuv3Frames, InterlacedModesUseOtherCounters) {
    IpuMachine m;
    m.write(kDi0, 1u << 28);
    m.write(kDi0 + 0x10, 857u << 19);
    m.write(kDi0 + 0x170, 261);
    m.write(kDi0 + 0x150, 720u << 16 | 240);
    m.start(0);
    PixmillIpuv3Timing timing;
    pixmill_ipuv3_timing(m.abi(), 0, &timing);
    EXPECT_TRUE(timing.interlaced);
    EXPECT_EQ(timing.width, 720u);
    EXPECT_EQ(timing.height, 480u);
    EXPECT_EQ(timing.total_width, 858u);
    EXPECT_EQ(timing.total_height, 524u);
}

} // namespace
} // namespace pixmill::test
