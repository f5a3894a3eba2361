/*
 * How soon stop, system_reset, quit and saving take effect, whatever the guest
 * runs, and what an idling core costs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs in real time.  The figures are printed; the goal is 100 ms, and since a loaded machine must
 * not decide tests, only something of another order of magnitude fails.
 */
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr double kHopeless = 2000; /* ms */

double milliseconds(const std::function<void()>& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    return spent.count();
}

/* The guest's CPU sleeps; the clocks run. */
std::unique_ptr<Rig> sleeping_machine(bool threaded) {
    auto rig = std::make_unique<Rig>(
        RigOptions{.properties = {threaded ? "engine=thread" : "engine=inline"},
                   .arguments = {"-S"},
                   .accel = "tcg"});
    rig->boot({0xE320F003, 0xEAFFFFFD}); /* wfi; b to the wfi */
    return rig;
}

void idle(Rig& rig) {
    rig.store(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    rig.gc().start(0x2000, 2);
}

void run_away(Rig& rig) {
    rig.store(0x8000, {0x40000001, 0x8000});
    rig.gc().start(0x8000, 1);
}

/* 4096 x 4096 pixels of 32 bits, 255 x 200 times. */
void blit(Rig& rig) {
    constexpr uint32_t kSide = 4096;
    Commands stream = base_block(kSide, kSide, command::kBitBlt, kDest, kDest + kSide * kSide * 4);
    for (int i = 0; i < 200; ++i) {
        stream.draw(std::vector<Rect>(255, Rect{0, 0, kSide, kSide}));
    }
    stream.end();
    rig.store(kStream, stream);
    rig.gc().start(kStream, stream.qwords());
}

struct Load {
    const char* name;
    void (*start)(Rig&);
    bool threaded;
};

void PrintTo(const Load& p, std::ostream* out) {
    *out << p.name;
}

class Latency : public testing::TestWithParam<Load> {
protected:
    void SetUp() override {
        rig = sleeping_machine(GetParam().threaded);
        GetParam().start(*rig);
        rig->pass(50 * kMillisecond);
        ASSERT_FALSE(rig->gc().stopped());
    }

    void measure(const char* what, const std::function<void()>& action) {
        const double spent = milliseconds(action);
        std::printf("  %-34s %-12s %8.1f ms\n", GetParam().name, what, spent);
        EXPECT_LT(spent, kHopeless) << what;
    }

    std::unique_ptr<Rig> rig;
};

TEST_P(Latency, OfARegisterReadIsThatOfARoundTrip) {
    measure("read", [&] { EXPECT_EQ(rig->read(reg::kChipModel), 0x320u); });
    measure("read IDLE", [&] { EXPECT_NE(rig->read(reg::kIdle), kStopped); });
}

TEST_P(Latency, OfStopIsShortAndNothingMovesAfterIt) {
    measure("stop", [&] { rig->qemu().stop(); });
    const uint64_t pixels = rig->counter("stat-pixels");
    const uint64_t words = rig->counter("stat-command-words");
    rig->pass(50 * kMillisecond);
    EXPECT_EQ(rig->counter("stat-pixels"), pixels);
    EXPECT_EQ(rig->counter("stat-command-words"), words);
    measure("cont", [&] { rig->qemu().resume(); });
    rig->pass(20 * kMillisecond);
    EXPECT_FALSE(rig->gc().stopped());
}

TEST_P(Latency, OfASystemResetIsShort) {
    measure("system_reset", [&] { rig->qemu().system_reset(); });
    EXPECT_EQ(rig->read(reg::kIdle), kStopped);
    EXPECT_EQ(rig->read(reg::kFeDmaAddress), 0u);
}

TEST_P(Latency, OfASoftResetIsShort) {
    measure("soft reset", [&] { rig->gc().driver_reset(); });
    EXPECT_EQ(rig->read(reg::kIdle), kStopped);
}

TEST_P(Latency, OfQuitIsShort) {
    measure("quit", [&] { EXPECT_EQ(rig->qemu().quit(), "exit 0"); });
}

/* Stopped first, so that what is measured does not grow with the memory that the draws dirty. */
TEST_P(Latency, OfSavingIsThatOfTheMemory) {
    measure("stop, save", [&] {
        rig->qemu().stop();
        rig->qemu().migrate_to(rig->qemu().directory().file("machine"));
    });
}

INSTANTIATE_TEST_SUITE_P(
    While, Latency,
    testing::Values(Load{"IdleThreaded", idle, true}, Load{"LinkLoopThreaded", run_away, true},
                    Load{"BlitListThreaded", blit, true}, Load{"IdleInline", idle, false},
                    Load{"LinkLoopInline", run_away, false}, Load{"BlitListInline", blit, false}),
    [](const auto& p) { return p.param.name; });

/* Host CPU time of QEMU so far, in seconds. */
double cpu_seconds(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i) {
        fields >> skipped;
    }
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

/* Goal: 2 % of a core. */
TEST(IdleCost, OfAWaitLinkLoopIsNextToNothing) {
    for (const bool threaded : {true, false}) {
        const auto rig = sleeping_machine(threaded);
        const auto share = [&] {
            const double before = cpu_seconds(rig->qemu().pid());
            rig->pass(1000 * kMillisecond);
            return (cpu_seconds(rig->qemu().pid()) - before) * 100;
        };
        rig->pass(200 * kMillisecond);
        const double stopped = share();
        idle(*rig);
        rig->pass(200 * kMillisecond);
        const double parked = share();
        std::printf("  %-8s front end stopped %5.1f %%, idling %5.1f %% of a core\n",
                    threaded ? "thread" : "inline", stopped, parked);
        EXPECT_LT(parked - stopped, 20);
    }
}

/* Back-off must make a spinning guest bearable, too. */
TEST(IdleCost, OfARunawayLinkLoopIsBounded) {
    for (const bool threaded : {true, false}) {
        const auto rig = sleeping_machine(threaded);
        run_away(*rig);
        rig->pass(200 * kMillisecond);
        const double before = cpu_seconds(rig->qemu().pid());
        rig->pass(1000 * kMillisecond);
        const double share = (cpu_seconds(rig->qemu().pid()) - before) * 100;
        std::printf("  %-8s runaway LINK loop %5.1f %% of a core\n", threaded ? "thread" : "inline",
                    share);
        EXPECT_LT(share, 90);
    }
}

} // namespace
} // namespace pixmill::qtest
