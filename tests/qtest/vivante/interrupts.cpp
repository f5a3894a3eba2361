/*
 * Events, INTR_ACKNOWLEDGE, INTR_ENBL and the interrupt line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: AM57xx TRM tables 13-14 and 13-16; linux etnaviv_gpu.c irq_handler(); rnndb state.xml
 * GL.EVENT.
 */
#include <gtest/gtest.h>

#include "../rig.hpp"
#include "vg_streams.hpp"

namespace pixmill::qtest {
namespace {

TEST(Interrupts, EveryEventSetsItsOwnBit) {
    Rig rig;
    for (uint32_t id = 0; id < 30; ++id) {
        for (const uint32_t source : {kEventFromFe, kEventFromPe}) {
            rig.run(Commands{}.event(id, source).end());
            EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << id) << "source " << source;
        }
    }
    EXPECT_TRUE(logged(rig, 0));
}

TEST(Interrupts, EventsAddUpUntilTheyAreRead) {
    Rig rig;
    rig.run(Commands{}
                .event(0, kEventFromFe)
                .event(5, kEventFromPe)
                .event(29, kEventFromPe)
                .event(5, kEventFromPe)
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 0 | 1u << 5 | 1u << 29);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST(Interrupts, AnEventWithoutASourceIsRaisedAtOnce) {
    Rig rig;
    rig.run(Commands{}.event(6, 0).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 6);
}

TEST(Interrupts, LineFollowsPendingAndEnabledBits) {
    Rig rig;
    rig.write(reg::kIntrEnable, 1u << 4);
    rig.run(Commands{}.event(3, kEventFromPe).end());
    EXPECT_FALSE(rig.qemu().interrupt()) << "not enabled";
    rig.run(Commands{}.event(4, kEventFromPe).end());
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.write(reg::kIntrEnable, 0);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.write(reg::kIntrEnable, 1u << 3);
    EXPECT_TRUE(rig.qemu().interrupt()) << "events are latched whether enabled or not";
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 3 | 1u << 4);
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST(Interrupts, LineIsALevelThatStaysUntilTheRead) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.run(Commands{}.event(1, kEventFromPe).event(2, kEventFromPe).end());
    rig.pass(100 * kMillisecond);
    EXPECT_TRUE(rig.qemu().interrupt());
    EXPECT_EQ(rig.qemu().interrupt_rises(), 1u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 6u);
    EXPECT_FALSE(rig.qemu().interrupt());
}

/* irq_handler() returns IRQ_NONE for 0, and Linux disables a line after too many of those. */
TEST(Interrupts, LineIsNeverHighWithNothingPending) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    for (int i = 0; i < 50; ++i) {
        rig.run(Commands{}.event(static_cast<uint32_t>(i) % 30, kEventFromPe).end());
        EXPECT_TRUE(rig.qemu().interrupt());
        EXPECT_NE(rig.read(reg::kIntrAcknowledge), 0u);
        EXPECT_FALSE(rig.qemu().interrupt());
    }
}

TEST(Interrupts, ComeAfterTheLastWriteOfTheWorkBeforeThem) {
    Rig rig;
    constexpr uint32_t kRows = 512;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.qemu().fill(kDest, kRows * 2048, 0);
    const Commands stream = Commands{}
                                .select_2d()
                                .load(state::kDestAddress, Words{kDest, 2048, 0, 0x00000006})
                                .load(state::kClipTopLeft, Words{0, kRows << 16 | 512})
                                .load(state::kClearPixel, 0xFFFFFFFF)
                                .draw({{0, 0, 512, kRows}})
                                .load(state::kFlushCache, 8)
                                .event(0, kEventFromPe)
                                .end();
    rig.store(kStream, stream);
    rig.gc().start(kStream, stream.qwords());
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }, 200 * kMillisecond, 100));
    EXPECT_EQ(rig.qemu().read32(kDest + kRows * 2048 - 4), 0xFFFFFFFFu);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST(Interrupts, LineDropsOnSystemReset) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.run(Commands{}.event(1, kEventFromPe).end());
    ASSERT_TRUE(rig.qemu().interrupt());
    rig.qemu().system_reset();
    EXPECT_FALSE(rig.qemu().interrupt());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

/*
 * True if SPI @spi is pending in the distributor (ISPENDR) of the A9 MPCore.  The monitor reads in
 * secure state, like the CPU after reset; a plain qtest read is non-secure and does not see group
 * 0.
 */
bool gic_pending(Qemu& qemu, unsigned spi) {
    const unsigned number = 32 + spi; /* GIC interrupt ID */
    const std::string text = qemu.monitor("x /1wx " + std::to_string(0x00A01200 + number / 32 * 4));
    const size_t colon = text.find(": ");
    if (colon == std::string::npos) {
        throw QemuError("the monitor does not show memory: " + text);
    }
    return (std::stoul(text.substr(colon + 2), nullptr, 16) >> number % 32 & 1) != 0;
}

/*
 * i.MX6 Quad: SPI 9 is the 3D core, SPI 10 the 2D core (linux imx6qdl.dtsi), SPI 11 the VG core
 * (imx6q.dtsi).  SPI n is GIC interrupt 32 + n.
 */
struct SabreliteCore {
    uint64_t base;
    unsigned spi;
    bool vg; /* has a VG front end */
};

class SabreliteInterrupts : public testing::TestWithParam<SabreliteCore> {};

TEST_P(SabreliteInterrupts, ReachTheGic) {
    const auto [base, spi, vg] = GetParam();
    Qemu qemu({.machine = "sabrelite"});
    Gc gc(qemu, base);
    EXPECT_FALSE(gic_pending(qemu, spi));
    if (vg) {
        qemu.write_words(kRam, Words{vg::kEnd | 2, 0});
        gc.write(vg::kAddress, kRam);
        gc.write(vg::kSize, 1);
    } else {
        const Commands stream = Commands{}.event(2, kEventFromFe).end();
        qemu.write_words(kRam, stream.words());
        gc.start(kRam, stream.qwords());
    }
    qemu.clock_step(kMillisecond);
    EXPECT_FALSE(gic_pending(qemu, spi)) << "the interrupt is not enabled yet";
    gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    EXPECT_TRUE(gic_pending(qemu, spi));
    for (const unsigned other : {9u, 10u, 11u}) {
        EXPECT_EQ(gic_pending(qemu, other), other == spi);
    }
    EXPECT_EQ(gc.read(reg::kIntrAcknowledge), 4u);
    EXPECT_FALSE(gic_pending(qemu, spi));
    expect_clean_quit(qemu);
}

INSTANTIATE_TEST_SUITE_P(Core, SabreliteInterrupts,
                         testing::Values(SabreliteCore{0x00130000, 9, false},
                                         SabreliteCore{0x00134000, 10, false},
                                         SabreliteCore{0x02204000, 11, true}),
                         [](const auto& p) { return "Spi" + std::to_string(p.param.spi); });

TEST(Sabrelite, HasItsThreeCoresWhereTheDeviceTreeSays) {
    Qemu qemu({.machine = "sabrelite"});
    EXPECT_EQ(qemu.read32(0x00130020), 0x2000u);
    EXPECT_EQ(qemu.read32(0x00130024), 0x5108u);
    EXPECT_EQ(qemu.read32(0x00134020), 0x0320u);
    EXPECT_EQ(qemu.read32(0x00134024), 0x5007u);
    EXPECT_EQ(qemu.read32(0x02204020), 0x0355u);
    EXPECT_EQ(qemu.read32(0x02204024), 0x1215u);
    for (const char* path :
         {"/machine/pixmill-gc2000", "/machine/pixmill-gc320", "/machine/pixmill-gc355"}) {
        EXPECT_EQ(qemu.get_property(path, "type"), "\"vivante-gc\"") << path;
    }
    expect_clean_quit(qemu);
}

/*
 * Writes PL310 CACHE_SYNC, or the register that replaces it for erratum 753970 (linux
 * cache-l2x0.c).
 */
TEST(Sabrelite, CacheSyncMakesAnIdlingCorePoll) {
    Qemu qemu({.machine = "sabrelite"});
    Gc gc(qemu, 0x00134000);
    const Commands job = Commands{}.event(2, kEventFromFe).end();
    qemu.write_words(kRam + 0x1000, job.words());
    for (const uint32_t sync : {0u, 0x00A02730u, 0x00A02740u}) {
        gc.driver_reset();
        gc.write(reg::kIntrEnable, 0xFFFFFFFF);
        qemu.write_words(kRam, Words{0x380000C8, 0, 0x40000002, kRam});
        gc.start(kRam, 2);
        /* From now on it is polled only once per millisecond, and half a millisecond from now. */
        qemu.clock_step(kMillisecond * 1000 + kMicrosecond * 500);
        qemu.write_words(kRam, Words{0x40000000 | job.qwords(), kRam + 0x1000});
        if (sync) {
            qemu.write32(sync, 0);
            EXPECT_EQ(qemu.read32(sync), 0u);
        }
        qemu.clock_step(20 * kMicrosecond);
        EXPECT_EQ(gic_pending(qemu, 10), sync != 0) << std::hex << sync;
        EXPECT_EQ(gc.read(reg::kIntrAcknowledge), 4u) << "reading it makes the core poll as well";
    }
    expect_clean_quit(qemu);
}

/*
 * A read of IDLE runs the core up to this moment, and the second one finds the loop idle.  Guest
 * time stands still from then on, so the worker does not poll until the guest writes CACHE_SYNC.
 */
TEST(Sabrelite, CacheSyncReachesACoreWithAWorker) {
    Qemu qemu({.machine = "sabrelite", .arguments = {"-global", "vivante-gc.x-force-thread=on"}});
    Gc gc(qemu, 0x00134000);
    const Commands job = Commands{}.event(2, kEventFromFe).end();
    qemu.write_words(kRam + 0x1000, job.words());
    gc.driver_reset();
    gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    qemu.write_words(kRam, Words{0x380000C8, 0, 0x40000002, kRam});
    gc.start(kRam, 2);
    EXPECT_EQ(gc.read(reg::kIdle), kRunning);
    qemu.clock_step(20 * kMicrosecond);
    EXPECT_EQ(gc.read(reg::kIdle), kRunning);
    qemu.write_words(kRam, Words{0x40000000 | job.qwords(), kRam + 0x1000});
    EXPECT_FALSE(gic_pending(qemu, 10));
    qemu.write32(0x00A02730, 0);
    EXPECT_TRUE(gic_pending(qemu, 10));
    EXPECT_EQ(gc.read(reg::kIntrAcknowledge), 4u);
    expect_clean_quit(qemu);
}

/* CACHE_SYNC tells when to look at a loop, so polls are rare, unless the user wants them. */
TEST(Sabrelite, PollsOnceAMillisecond) {
    const auto property = [](const std::vector<std::string>& arguments) {
        Qemu qemu({.machine = "sabrelite", .arguments = arguments});
        return qemu.get_property("/machine/pixmill-gc2000", "poll-min-us");
    };
    EXPECT_EQ(property({}), "1000");
    EXPECT_EQ(property({"-global", "vivante-gc.poll-min-us=50"}), "50");
    EXPECT_EQ(property({"-global", "vivante-gc.poll-max-us=200"}), "200");
}

/*
 * The private timer runs at half the CPU rate (linux clk-imx6q.c: "twd"), which the clock
 * controller derives from 24 MHz (IMX6DQRM, CCM_ANALOG_PLL_ARM.DIV_SELECT, CCM_CACRR.ARM_PODF).
 * Linux trusts these registers; at any other rate its sleeps would be wrong.
 */
TEST(Sabrelite, PrivateTimersHaveTheRateOfTheClockTree) {
    constexpr uint64_t kPllArm = 0x020C8000, kCacrr = 0x020C4010;
    constexpr uint64_t kLoad = 0x00A00600, kCounter = 0x00A00604, kControl = 0x00A00608;
    Qemu qemu({.machine = "sabrelite"});
    const uint32_t pll = 24'000'000 / 2 * (qemu.read32(kPllArm) & 0x7F);
    const uint32_t ticks = pll / ((qemu.read32(kCacrr) & 7) + 1) / 2 / 1000; /* per millisecond */
    EXPECT_EQ(ticks, 396'000u);
    for (const uint32_t prescaler : {0u, 1u, 7u}) {
        qemu.write32(kControl, 0);
        qemu.write32(kLoad, 0xFFFFFFFF);
        qemu.write32(kControl, prescaler << 8 | 1);
        qemu.clock_step(kMillisecond);
        EXPECT_NEAR(0xFFFFFFFF - qemu.read32(kCounter), ticks / (prescaler + 1), 2) << prescaler;
    }
    expect_clean_quit(qemu);
}

TEST(Sabrelite, RunsItsTwoEnginesIndependently) {
    Qemu qemu({.machine = "sabrelite"});
    Gc gc3d(qemu, 0x00130000);
    Gc gc2d(qemu, 0x00134000);
    qemu.write_words(kRam, Commands{}.event(1, kEventFromFe).end().words());
    qemu.write_words(kRam + 0x1000, Words{0, 0});
    gc3d.start(kRam + 0x1000, 1); /* hangs the 3D core */
    gc2d.start(kRam, 2);
    qemu.clock_step(kMillisecond);
    EXPECT_EQ(gc3d.read(reg::kIdle), kRunning);
    EXPECT_EQ(gc2d.read(reg::kIdle), kStopped);
    EXPECT_EQ(gc2d.read(reg::kIntrAcknowledge), 2u);
    EXPECT_EQ(gc3d.read(reg::kIntrAcknowledge), 0u);
    gc3d.driver_reset();
    gc3d.start(kRam, 2);
    qemu.clock_step(kMillisecond);
    EXPECT_EQ(gc3d.read(reg::kIntrAcknowledge), 2u);
    EXPECT_EQ(gc2d.read(reg::kIntrAcknowledge), 0u);
    expect_clean_quit(qemu);
}

} // namespace
} // namespace pixmill::qtest
