/*
 * The cost model (docs/develop/timing.md): with the property work-time, an inline worker continues
 * only after the guest time of its work so far.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr int64_t kStep = kMicrosecond;
constexpr int64_t kWordNs = 5;

Commands fill(int height) {
    return base_block(256, height, command::kClear)
        .load(state::kClearPixel, 0xFF40FF40)
        .draw({{0, 0, 256, height}})
        .event(3, kEventFromPe)
        .end();
}

/* Returns the guest time of fill(): words at 5 ns, bytes written at 0.5 ns. */
int64_t price(int height) {
    return kWordNs * 2 * fill(height).qwords() + int64_t{256} * height * 4 / 2;
}

class WorkTime : public testing::Test {
protected:
    /* Starts a fill. */
    void start(Rig& rig, int height) {
        rig.write(reg::kIntrEnable, 0xFFFFFFFF);
        const Commands stream = fill(height);
        rig.store(kStream, stream);
        rig.gc().start(kStream, stream.qwords());
    }

    /* Lets guest time pass until the interrupt; returns how much. */
    int64_t until_interrupt(Rig& rig) {
        int64_t passed = 0;
        while (!rig.qemu().interrupt() && passed < 100 * kMillisecond) {
            rig.qemu().clock_step(kStep);
            passed += kStep;
        }
        return passed;
    }

    int64_t time_of_fill(const char* percent, int height) {
        Rig rig(RigOptions{.properties = {std::string("work-time=") + percent}});
        start(rig, height);
        return until_interrupt(rig);
    }
};

/* The event is executed at the begin of a slice of commands, whose words are charged after it. */
void expect_time(int64_t passed, int64_t expected) {
    EXPECT_LE(passed, expected + kStep);
    EXPECT_GE(passed, expected - kWordNs * 2 * fill(1).qwords());
}

TEST_F(WorkTime, IsInProportionToTheWork) {
    expect_time(time_of_fill("100", 16), price(16));
    expect_time(time_of_fill("100", 256), price(256));
}

TEST_F(WorkTime, IsAPercentageOfTheModel) {
    expect_time(time_of_fill("200", 256), 2 * price(256));
    expect_time(time_of_fill("50", 256), price(256) / 2);
    EXPECT_LE(time_of_fill("0", 256), 20 * kMicrosecond) << "as before";
}

TEST_F(WorkTime, KeepsTheCoreBusyUntilItHasPassed) {
    Rig rig(RigOptions{.properties = {"work-time=100"}});
    start(rig, 256);
    rig.qemu().clock_step(price(256) / 2);
    EXPECT_NE(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    rig.qemu().clock_step(price(256) / 2 + kStep);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 8u);
}

TEST_F(WorkTime, MigratesTheRest) {
    Rig rig(RigOptions{.properties = {"work-time=100"}});
    rig.qemu().make_snapshot_disk();
    start(rig, 256);
    const int64_t before = price(256) / 3;
    rig.qemu().clock_step(before);
    rig.qemu().save_snapshot();
    rig.qemu().system_reset();
    rig.qemu().load_snapshot();
    EXPECT_FALSE(rig.qemu().interrupt());
    expect_time(before + until_interrupt(rig), price(256));
}

/* A driver that gives up resets the core, and its next job must not wait for the old one. */
TEST_F(WorkTime, EndsWithAReset) {
    Rig rig(RigOptions{.properties = {"work-time=10000"}});
    start(rig, 256);
    rig.qemu().clock_step(kMicrosecond);
    rig.gc().driver_reset();
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    const Commands stream = Commands().event(4, kEventFromFe).end();
    rig.store(kStream, stream);
    rig.gc().start(kStream, stream.qwords());
    EXPECT_LE(until_interrupt(rig), 10 * kMicrosecond);
}

} // namespace
} // namespace pixmill::qtest
