/*
 * The bus must hold a write exactly until the work that it started is done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>

#include "machine.hpp"

namespace pixmill::test {
namespace {

void set_up_fill(GpMachine& gp, uint32_t size = 0x00100010) {
    gp.write(kRaster, 0x5A); /* pattern xor destination, which reveals drawing twice */
    gp.write(kPattern0, 0xFF);
    gp.write(kStride, 0x1000);
    gp.write(kSize, size);
}

TEST(GeodeHeldWrite, EndsWithTheWorkAndStartsItOnce) {
    GpMachine gp;
    set_up_fill(gp);
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    EXPECT_TRUE(gp.holding());
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB);
    gp.work();
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.vram()[0], 0xFF);
    EXPECT_EQ(gp.run().action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gp.counters().blts, 1u);
    gp.write(kBlt, 4); /* the same write again starts another BLT */
    EXPECT_EQ(gp.vram()[0], 0);
}

TEST(GeodeHeldWrite, MovesToAnotherMachineWithItsVcpu) {
    GpMachine gp;
    set_up_fill(gp);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    gp.migrate();
    EXPECT_TRUE(gp.holding());
    gp.work();
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.vram()[0], 0xFF);
}

/* While a write is held, a write by an interrupt handler or another CPU must wait. */
TEST(GeodeHeldWrite, LetsAnotherWait) {
    GpMachine gp;
    set_up_fill(gp);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    EXPECT_EQ(gp.try_write(kForeground, 1), PIXMILL_ERROR_BUSY);
    EXPECT_TRUE(gp.holding());
    gp.work();
    EXPECT_EQ(gp.try_write(kForeground, 1), PIXMILL_OK);
    EXPECT_EQ(gp.read(kForeground), 1u);
    EXPECT_EQ(gp.counters().blts, 1u);
}

TEST(GeodeHeldWrite, DiffersFromAnEqualWrite) {
    GpMachine gp;
    set_up_fill(gp);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_ERROR_BUSY);
    gp.work();
    EXPECT_EQ(gp.counters().blts, 1u);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    EXPECT_TRUE(gp.holding());
    gp.work();
    EXPECT_EQ(gp.counters().blts, 2u);
    EXPECT_EQ(gp.vram()[0], 0);
}

TEST(GeodeHeldWrite, DoesNotWaitForHostData) {
    GpMachine gp;
    set_up_fill(gp);
    EXPECT_EQ(gp.try_write(kBlt, 2), PIXMILL_OK);
    EXPECT_EQ(gp.run().action, PIXMILL_RUN_IDLE);
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.read(kStatus), kStarved);
}

TEST(GeodeHeldWrite, EndsAfterTheConfiguredPixels) {
    PixmillGeodeGpConfig config{};
    config.held_pixels = 64;
    GpMachine gp(0x200000, config);
    gp.bytes = 1;
    set_up_fill(gp, 0x00100100);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    for (int steps = 0; gp.holding(); steps++) {
        ASSERT_TRUE(gp.step());
        ASSERT_LT(steps, 20);
    }
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB);

    /* The second operation becomes pending. Only the third one stalls the bus. */
    EXPECT_EQ(gp.try_write(kBlt, 0), PIXMILL_OK);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB | kPP);
    EXPECT_EQ(gp.try_write(kBlt, 0), PIXMILL_ERROR_BUSY);
    gp.work();
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.counters().blts, 2u);
}

/* docs/develop/timing.md: a pixel takes 5 ns. */
TEST(GeodeHeldWrite, TakesTheTimeOfItsPixels) {
    GpMachine gp;
    gp.bytes = 1;
    set_up_fill(gp, 0x00100100);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    gp.work();
    EXPECT_EQ(pixmill_geode_gp.work_ns(gp.core), 5u * 0x10 * 0x100);
}

TEST(GeodeHeldWrite, EndsWithAReset) {
    GpMachine gp;
    gp.bytes = 1;
    set_up_fill(gp);
    EXPECT_EQ(gp.try_write(kBlt, 4), PIXMILL_OK);
    gp.step();
    EXPECT_EQ(gp.try_write(kStatus, 0x69000000), PIXMILL_OK);
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.read(kStatus), kSHE);
    EXPECT_TRUE(gp.host.run_requested);
    const std::vector<uint8_t> vram(gp.vram().begin(), gp.vram().end());
    gp.work();
    EXPECT_TRUE(std::ranges::equal(gp.vram(), vram));
    EXPECT_EQ(gp.status(), kIdle);
    gp.write(kRaster, 0xF0);
    gp.write(kPattern0, 0x33);
    gp.write(kSize, 0x00010001);
    gp.write(kDst, 0x1000);
    gp.write(kBlt, 0);
    EXPECT_EQ(gp.vram()[0x1000], 0x33);
}

/* Expects that run() waits for guest time @when. */
void expect_wait(GpMachine& gp, int64_t when) {
    const PixmillRun next = gp.run();
    EXPECT_EQ(next.action, PIXMILL_RUN_WAIT);
    EXPECT_EQ(next.when_ns, when);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB);
}

TEST(GeodeThrottle, WaitsForTheNextVerticalBlank) {
    GpMachine gp;
    gp.set_timing(20'300, 10'000);
    set_up_fill(gp);
    gp.host.now = 40'300; /* time within a blank */
    gp.host.run_requested = false;
    EXPECT_EQ(gp.try_write(kBlt, 0x404), PIXMILL_OK);
    EXPECT_TRUE(gp.host.run_requested);
    expect_wait(gp, 50'300);
    gp.migrate();
    EXPECT_TRUE(gp.host.run_requested);
    gp.host.now = 50'299;
    expect_wait(gp, 50'300);
    EXPECT_EQ(gp.vram()[0], 0);
    gp.host.now = 50'300;
    gp.work();
    EXPECT_EQ(gp.vram()[0], 0xFF);
    EXPECT_EQ(gp.status(), kIdle);
}

/* When a blank starts the throttled operation, its write must be released. */
TEST(GeodeThrottle, HoldsNothingWhenItStarts) {
    GpMachine gp;
    set_up_fill(gp);
    gp.write(kBlt, 4);
    gp.set_timing(5, 10'000);
    gp.write(kBlt, 0x404);
    gp.host.now = 5;
    EXPECT_EQ(gp.run().action, PIXMILL_RUN_DRAW);
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.try_write(kForeground, 1), PIXMILL_OK);
}

TEST(GeodeThrottle, HasNothingToWaitForWithoutADisplay) {
    GpMachine gp;
    set_up_fill(gp);
    gp.write(kBlt, 0x404);
    EXPECT_EQ(gp.vram()[0], 0xFF);
    gp.set_timing(5, 10'000);
    gp.write(kBlt, 0x404);
    EXPECT_EQ(gp.vram()[0], 0xFF);
    gp.set_timing(0, 0); /* this releases the waiting operation */
    gp.work();
    EXPECT_EQ(gp.vram()[0], 0);
}

TEST(GeodeThrottle, EndsAnOperationWithoutPixels) {
    GpMachine gp;
    gp.set_timing(5, 10'000);
    gp.write(kBlt, 0x400);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB);
    gp.migrate();
    gp.host.now = 5;
    gp.work();
    EXPECT_EQ(gp.read(kStatus), kIdle);
}

TEST(GeodeThrottle, HoldsUpWhatFollows) {
    GpMachine gp;
    gp.set_timing(5, 10'000);
    set_up_fill(gp);
    gp.write(kBlt, 0x404);
    gp.write(kBlt, 4);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB | kPP);
    gp.host.now = 5;
    gp.work();
    EXPECT_EQ(gp.counters().blts, 2u);
    EXPECT_EQ(gp.status(), kIdle);
}

TEST(GeodeThrottle, IsEndedByAReset) {
    GpMachine gp;
    gp.set_timing(5, 10'000);
    set_up_fill(gp);
    gp.write(kBlt, 0x404);
    gp.write(kStatus, 0x69000000);
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.run().action, PIXMILL_RUN_IDLE);
    set_up_fill(gp);
    gp.write(kBlt, 0x404); /* blanks continue after the reset */
    expect_wait(gp, 5);
}

TEST(GeodeThrottle, TakesNoOtherTimes) {
    for (const auto& [blank, frame] :
         {std::pair<int64_t, int64_t>{0, 1'000'000'001}, {0, INT64_MAX}, {0, -1}, {-1, 10'000}}) {
        GpMachine gp;
        gp.set_timing(blank, frame);
        set_up_fill(gp);
        gp.write(kBlt, 0x404);
        EXPECT_EQ(gp.vram()[0], 0xFF) << blank << ' ' << frame;
    }
}

TEST(GeodeThrottle, RefusesStatesWithOtherTimes) {
    GpMachine gp;
    gp.set_timing(5, 10'000);
    const auto good = gp.save();
    const auto refused = [&](int64_t PixmillGeodeGpState::*member, int64_t value) {
        PixmillGeodeGpState bad = *good;
        bad.*member = value;
        return gp.load(bad) == PIXMILL_ERROR_STATE;
    };
    EXPECT_TRUE(refused(&PixmillGeodeGpState::frame_ns, -1));
    EXPECT_TRUE(refused(&PixmillGeodeGpState::frame_ns, 1'000'000'001));
    EXPECT_TRUE(refused(&PixmillGeodeGpState::blank_ns, 10'000));
    EXPECT_TRUE(refused(&PixmillGeodeGpState::blank_ns, -1));
    EXPECT_TRUE(refused(&PixmillGeodeGpState::throttle_ns, 1)); /* no operation is waiting */
    EXPECT_EQ(gp.load(*good), PIXMILL_OK);
    set_up_fill(gp);
    gp.write(kBlt, 0x404);
    PixmillGeodeGpState waits = *gp.save();
    EXPECT_NE(waits.throttle_ns, 0);
    EXPECT_EQ(gp.load(waits), PIXMILL_OK);
    waits.frame_ns = waits.blank_ns = 0; /* no blanks occur */
    EXPECT_EQ(gp.load(waits), PIXMILL_ERROR_STATE);
}

} // namespace
} // namespace pixmill::test
