/*
 * The bus holds a write until what it has started is done, and no longer than that.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>

#include "machine.hpp"

namespace pixmill::test {
namespace {

void set_up_fill(GpMachine& gp, uint32_t size = 0x00100010) {
    gp.write(kRaster, 0x5A); /* pattern xor destination: twice is not once */
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
    gp.write(kBlt, 4); /* the next one is another */
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

/* Of an interrupt handler or of another processor. */
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

TEST(GeodeHeldWrite, IsNotAnEqualOneOfAnother) {
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

TEST(GeodeHeldWrite, LastsForSoManyPixels) {
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

    /* The next one waits in its place, and only the one behind it for the bus. */
    EXPECT_EQ(gp.try_write(kBlt, 0), PIXMILL_OK);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB | kPP);
    EXPECT_EQ(gp.try_write(kBlt, 0), PIXMILL_ERROR_BUSY);
    gp.work();
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.counters().blts, 2u);
}

TEST(GeodeHeldWrite, IsNoneOfAReset) {
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

TEST(GeodeThrottle, WaitsForAVerticalBlank) {
    GpMachine gp;
    gp.set_timing(true);
    set_up_fill(gp);
    EXPECT_EQ(gp.try_write(kBlt, 0x404), PIXMILL_OK);
    EXPECT_EQ(gp.run().action, PIXMILL_RUN_IDLE);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB);
    gp.migrate();
    gp.vblank();
    EXPECT_TRUE(gp.host.run_requested);
    gp.work();
    EXPECT_EQ(gp.vram()[0], 0xFF);
    EXPECT_EQ(gp.status(), kIdle);
}

/* No write has started it. */
TEST(GeodeThrottle, HoldsNothingWhenItStarts) {
    GpMachine gp;
    set_up_fill(gp);
    gp.write(kBlt, 4);
    gp.set_timing(true);
    gp.write(kBlt, 0x404);
    gp.vblank();
    EXPECT_FALSE(gp.holding());
    EXPECT_EQ(gp.try_write(kForeground, 1), PIXMILL_OK);
}

TEST(GeodeThrottle, HasNothingToWaitForWithoutADisplay) {
    GpMachine gp;
    set_up_fill(gp);
    gp.write(kBlt, 0x404);
    EXPECT_EQ(gp.vram()[0], 0xFF);
    gp.set_timing(true);
    gp.write(kBlt, 0x404);
    EXPECT_EQ(gp.vram()[0], 0xFF);
    gp.set_timing(false); /* nor does one that waits already */
    gp.work();
    EXPECT_EQ(gp.vram()[0], 0);
}

TEST(GeodeThrottle, EndsAnOperationWithoutPixels) {
    GpMachine gp;
    gp.set_timing(true);
    gp.write(kBlt, 0x400);
    EXPECT_EQ(gp.read(kStatus), kIdle | kPB);
    gp.migrate();
    gp.vblank();
    EXPECT_EQ(gp.read(kStatus), kIdle);
}

} // namespace
} // namespace pixmill::test
