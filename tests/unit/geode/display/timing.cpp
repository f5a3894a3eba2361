/*
 * Tests of the scan line at a given guest time, and of the display controller's interrupts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace geode;

constexpr uint32_t kVna = 1u << 30;
constexpr uint32_t kDna = 1u << 31;
constexpr uint32_t kVsa = 1u << 29;
constexpr int64_t k60Hz = 16666666;
constexpr uint32_t kDotPll = 0x4C000015;

TEST(GeodeTiming, VerticalBlankComesAndGoes) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    g.host.now = k60Hz / 2;
    bool active = false, blank = false;
    int changes = 0;
    bool was = g.read(kLineCnt) & kVna;
    for (int i = 0; i < 2000; i++) {
        g.host.now += 2 * k60Hz / 2000;
        const bool is = g.read(kLineCnt) & kVna;
        changes += is != was;
        was = is;
        (is ? blank : active) = true;
    }
    EXPECT_TRUE(active && blank);
    EXPECT_EQ(changes, 4);
}

/* The reset values give 525 lines, of which 480 are visible, with sync in lines 490 and 491. */
TEST(GeodeTiming, LinesAreInTheirPlaces) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    const struct {
        uint32_t line, bits;
    } expected[] = {{0, 0},
                    {479, 0},
                    {480, kVna | kDna},
                    {489, kVna | kDna},
                    {490, kVna | kDna | kVsa},
                    {491, kVna | kDna | kVsa},
                    {492, kVna | kDna},
                    {524, kVna | kDna}};
    for (const auto& [line, bits] : expected) {
        g.host.now = k60Hz * (2 * line + 1) / (2 * 525) + 10 * k60Hz;
        const uint32_t value = g.read(kLineCnt);
        EXPECT_EQ(value >> 16 & 0x7FF, line);
        EXPECT_EQ(value & 0x7FF, line);
        EXPECT_EQ(value & (kVna | kDna | kVsa), bits) << line;
        EXPECT_EQ(value & (1 << 27 | 1 << 15),
                  1u << 27 | 1u << 15); /* no latched values are pending */
    }
}

TEST(GeodeTiming, ThereIsABlankWhateverTheRegistersSay) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    for (const uint32_t vertical : {0u, 0x07FF07FFu, 0x000007FFu, 0x00010000u}) {
        g.set(kVActive, vertical);
        bool seen[2] = {};
        for (int i = 0; i < 5000; i++) {
            g.host.now += k60Hz / 4999;
            seen[g.read(kLineCnt) >> 30 & 1] = true;
        }
        EXPECT_TRUE(seen[0] && seen[1]) << std::hex << vertical;
    }
}

TEST(GeodeTiming, WithoutGeneratorNothingIsShown) {
    Geode g;
    EXPECT_EQ(g.read(kLineCnt) & (kVna | kDna), kVna | kDna);
    PixmillGeodeBeam beam;
    pixmill_geode_display_beam(g.abi(), &beam);
    EXPECT_FALSE(beam.running);
}

/*
 * 0x215D (25.175 MHz in linux lxfb_ops.c) is M = 2, N = 21, P = 13. The clock is 48 MHz * 22 / (3 *
 * 14) = 25142857 Hz, so a frame of 800 * 525 pixels takes 16704545.45 ns.
 */
TEST(GeodeTiming, FrameTimeIsThePlls) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    PixmillGeodeBeam beam;
    pixmill_geode_display_beam(g.abi(), &beam);
    EXPECT_EQ(beam.frame_ns, k60Hz);
    g.wrmsr(kDotPll, uint64_t{0x215D} << 32);
    pixmill_geode_display_beam(g.abi(), &beam);
    EXPECT_EQ(beam.frame_ns, 16704545);
    g.wrmsr(kDotPll, uint64_t{0x1215D} << 32); /* a quarter of the frequency */
    pixmill_geode_display_beam(g.abi(), &beam);
    EXPECT_EQ(beam.frame_ns, 66818181);
    g.set(kHActive, 0); /* 1 * 525 pixels would take 83523 ns, too short for a frame */
    pixmill_geode_display_beam(g.abi(), &beam);
    EXPECT_EQ(beam.frame_ns, k60Hz);
}

TEST(GeodeTiming, BeamReportsTheNextBlank) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    PixmillGeodeBeam beam;
    for (int i = 0; i < 3000; i++) {
        g.host.now += 7777;
        pixmill_geode_display_beam(g.abi(), &beam);
        ASSERT_GT(beam.blank_ns, g.host.now);
        ASSERT_LE(beam.blank_ns, g.host.now + k60Hz);
        ASSERT_EQ(beam.blank, (g.read(kLineCnt) & kVna) != 0);
    }
    g.host.now = beam.blank_ns - 1;
    EXPECT_FALSE(g.read(kLineCnt) & kVna);
    g.host.now = beam.blank_ns;
    EXPECT_TRUE(g.read(kLineCnt) & kVna);
}

TEST(GeodeTiming, TheClockMayBeAtItsEnd) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    g.write(kIrq, 0);
    g.host.now = INT64_MAX - 5;
    g.write(kIrq, 0x10000);
    PixmillGeodeBeam beam;
    pixmill_geode_display_beam(g.abi(), &beam);
    EXPECT_EQ(beam.blank_ns, INT64_MAX);
    EXPECT_LT(beam.line, 525u);
    EXPECT_EQ(g.run().action, PIXMILL_RUN_IDLE);
}

/* ---- Interrupt ---- */

TEST(GeodeInterrupt, AnIdleDisplayNeverWakesTheHost) {
    Geode g;
    g.host.run_requested = false;
    g.set(kDisplayCfg, kTgen | kGden);
    g.set(kGeneralCfg, kDfle);
    for (int i = 0; i < 100; i++)
        g.read(kLineCnt);
    EXPECT_FALSE(g.host.run_requested);
    EXPECT_EQ(g.run().action, PIXMILL_RUN_IDLE);
    g.host.now += 10 * k60Hz;
    EXPECT_EQ(g.run().action, PIXMILL_RUN_IDLE);
    EXPECT_FALSE(g.host.irq);
}

TEST(GeodeInterrupt, StatusSetsWithoutBeingRead) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    EXPECT_EQ(g.read(kIrq), 3u);
    g.host.now += k60Hz;
    EXPECT_EQ(g.read(kIrq), 0x10003u);
    g.write(kIrq, 0x10003);
    EXPECT_EQ(g.read(kIrq), 3u);
    g.host.now += k60Hz;
    EXPECT_EQ(g.read(kIrq), 0x10003u);
    EXPECT_FALSE(g.host.irq);
}

TEST(GeodeInterrupt, RaisesAtTheFirstBlankLine) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    g.host.run_requested = false;
    g.write(kIrq, 2);
    EXPECT_TRUE(g.host.run_requested);
    PixmillGeodeBeam beam;
    pixmill_geode_display_beam(g.abi(), &beam);
    const PixmillRun next = g.run();
    ASSERT_EQ(next.action, PIXMILL_RUN_WAIT);
    EXPECT_EQ(next.when_ns, beam.blank_ns);
    g.host.now = next.when_ns - 1;
    EXPECT_EQ(g.run().when_ns, next.when_ns);
    EXPECT_FALSE(g.host.irq);
    g.host.now = next.when_ns;
    /*
     * The line stays high until the guest clears it, so the core need not wait for the next
     * interrupt.
     */
    EXPECT_EQ(g.run().action, PIXMILL_RUN_IDLE);
    EXPECT_TRUE(g.host.irq);
    g.host.now += 5 * k60Hz;
    EXPECT_EQ(g.run().action, PIXMILL_RUN_IDLE);
    g.write(kIrq, 0x10002);
    EXPECT_FALSE(g.host.irq);
    EXPECT_EQ(g.run().action, PIXMILL_RUN_WAIT);
    EXPECT_EQ(g.host.irq_changes, 2u);
    EXPECT_EQ(g.counters().interrupts, 1u);
}

TEST(GeodeInterrupt, RaisesAtTheComparedLine) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    g.set(kIrqFilt, 100 << 16);
    g.write(kIrq, 2);
    const PixmillRun next = g.run();
    ASSERT_EQ(next.action, PIXMILL_RUN_WAIT);
    g.host.now = next.when_ns - 1;
    EXPECT_EQ(g.read(kLineCnt) & 0x7FF, 99u);
    g.host.now = next.when_ns;
    EXPECT_EQ(g.read(kLineCnt) & 0x7FF, 100u);
}

TEST(GeodeInterrupt, MaskedStatusRaisesWhenItIsUnmasked) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    g.host.now += k60Hz;
    g.write(kIrq, 0);
    EXPECT_TRUE(g.host.irq);
    g.write(kIrq, 1);
    EXPECT_FALSE(g.host.irq);
    EXPECT_EQ(g.read(kIrq), 0x10001u);
}

TEST(GeodeInterrupt, ANarrowWriteOfMasksClearsNoStatus) {
    Geode g;
    g.set(kDisplayCfg, kTgen);
    g.host.now += k60Hz;
    g.write(kIrq, 0, 1);
    EXPECT_EQ(g.read(kIrq), 0x10000u);
    g.write(kIrq + 2, 1, 1);
    EXPECT_EQ(g.read(kIrq), 0u);
}

TEST(GeodeInterrupt, ALineThatHasPassedIsNotLostWithTheMode) {
    Geode g;
    g.write(kUnlock, kKey);
    g.write(kDisplayCfg, kTgen);
    g.host.now += k60Hz;
    g.write(kVActive, 0x02570257); /* the status has not been read before */
    g.write(kDisplayCfg, 0);
    EXPECT_EQ(g.read(kIrq), 0x10003u);
    g.write(kIrq, 0x10000);
    g.host.now += 10 * k60Hz;
    EXPECT_EQ(g.read(kIrq), 0u);
    EXPECT_EQ(g.run().action, PIXMILL_RUN_IDLE);
}

TEST(GeodeInterrupt, LossOfSyncIsInjected) {
    Geode g;
    pixmill_geode_display.inject(g.abi(), PIXMILL_GEODE_FAULT_VSYNC_LOSS);
    EXPECT_EQ(g.read(kIrq), 0x20003u);
    EXPECT_FALSE(g.host.irq);
    g.write(kIrq, 1);
    EXPECT_TRUE(g.host.irq);
    g.write(kIrq, 0x20001);
    EXPECT_FALSE(g.host.irq);
}

} // namespace
} // namespace pixmill::test
