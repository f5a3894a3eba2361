/*
 * The response time of a busy Vivante core to its driver, and the host CPU time of an idling core.
 * The response of the rest of the machine is measured in hostile_loads.cpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "../loads.hpp"
#include "../rig.hpp"
#include "../tries.hpp"

namespace pixmill::qtest {
namespace {

constexpr Goal kRunaway = {.wanted = 6, .hopeless = 60, .unit = "% of a core"};
/* Goal for an idle guest, whose driver stops the front end after 200 ms. */
constexpr Goal kIdle = {.wanted = 2, .hopeless = 20, .unit = "% of a core"};
/*
 * Goal while the idle loop is still polled, up to 1000 times a second; the cost is that of host
 * timers.
 */
constexpr Goal kPolled = {.wanted = 6, .hopeless = 20, .unit = "% of a core"};

/* Returns a machine whose CPU sleeps while its clocks run. */
std::unique_ptr<Rig> sleeping_machine(bool threaded, const char* model = "gc320-am57xx") {
    auto rig = std::make_unique<Rig>(
        RigOptions{.model = model,
                   .properties = {threaded ? "worker=thread" : "worker=inline"},
                   .arguments = {"-S"},
                   .accel = "tcg"});
    rig->boot({0xE320F003, 0xEAFFFFFD}); /* wfi; b to the wfi */
    return rig;
}

struct Case {
    const char* name;
    void (*start)(Qemu&);
    bool threaded;
    const char* model = "gc320-am57xx";
    uint32_t number = 0x320; /* value of CHIP_MODEL */
};

constexpr const char* k3d = "gc2000-imx6q";
constexpr uint32_t k3dNumber = 0x2000;
constexpr const char* kVg = "gc355-rt1170";
constexpr uint32_t kVgNumber = 0x355;

void PrintTo(const Case& p, std::ostream* out) {
    *out << p.name;
}

class Latency : public testing::TestWithParam<Case> {
protected:
    /* Starts a new machine under load; called for each try. */
    void start() {
        rig.reset();
        rig = sleeping_machine(GetParam().threaded, GetParam().model);
        load();
    }

    void load() {
        GetParam().start(rig->qemu());
        rig->pass(50 * kMillisecond);
        ASSERT_FALSE(rig->gc().stopped());
    }

    void judge(const char* what, Tries& tries) {
        tries.judge(std::string(GetParam().name) + ", " + what);
    }

    /* Measures an @action that ends the load, and then runs @check. */
    void measure(const char* what, const std::function<void()>& action,
                 const std::function<void()>& check) {
        Tries tries(kSoon);
        for (int i = 0; i < Tries::count(); ++i) {
            start();
            tries.add(milliseconds(action));
            check();
        }
        judge(what, tries);
    }

    std::unique_ptr<Rig> rig;
};

TEST_P(Latency, RegisterReadsTakeOneRoundTrip) {
    start();
    Tries any(kSoon);
    Tries idle(kSoon);
    for (int i = 0; i < Tries::count(); ++i) {
        any.add(milliseconds([&] { EXPECT_EQ(rig->read(reg::kChipModel), GetParam().number); }));
        idle.add(milliseconds([&] { EXPECT_NE(rig->read(reg::kIdle), kStopped); }));
    }
    judge("read", any);
    judge("read IDLE", idle);
}

TEST_P(Latency, OfASoftResetIsShort) {
    measure(
        "soft reset", [&] { rig->gc().driver_reset(); },
        [&] { EXPECT_EQ(rig->read(reg::kIdle), kStopped); });
}

INSTANTIATE_TEST_SUITE_P(
    While, Latency,
    testing::Values(
        Case{"IdleThreaded", loop_idly, true}, Case{"LinkLoopThreaded", loop_links, true},
        Case{"BlitListThreaded", blit_for_hours, true}, Case{"IdleInline", loop_idly, false},
        Case{"LinkLoopInline", loop_links, false}, Case{"BlitListInline", blit_for_hours, false},
        Case{"Draw3dThreaded", draw_for_minutes_3d, true, k3d, k3dNumber},
        Case{"LongShader3dThreaded", shade_for_hours_3d, true, k3d, k3dNumber},
        Case{"LongVertexShader3dThreaded", shade_vertices_for_hours_3d, true, k3d, k3dNumber},
        Case{"Draw3dInline", draw_for_minutes_3d, false, k3d, k3dNumber},
        Case{"LongShader3dInline", shade_for_hours_3d, false, k3d, k3dNumber},
        Case{"ImagesVgThreaded", draw_for_days_vg, true, kVg, kVgNumber},
        Case{"PathVgThreaded", fill_for_minutes_vg, true, kVg, kVgNumber},
        Case{"ImagesVgInline", draw_for_days_vg, false, kVg, kVgNumber},
        Case{"PathVgInline", fill_for_minutes_vg, false, kVg, kVgNumber}),
    [](const auto& p) { return p.param.name; });

/* Returns the host CPU time of QEMU's threads so far, in ms (linux sched-stats.rst, schedstat). */
double processor_time(pid_t pid) {
    double sum = 0;
    const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks)) {
        double nanoseconds = 0;
        std::ifstream(task.path() / "schedstat") >> nanoseconds;
        sum += nanoseconds / 1e6;
    }
    return sum;
}

/* Returns the CPU load over a second, in percent of one core. */
double processor_load(Rig& rig) {
    const auto start = Clock::now();
    const double before = processor_time(rig.qemu().pid());
    rig.pass(1000 * kMillisecond);
    return (processor_time(rig.qemu().pid()) - before) / milliseconds_since(start) * 100;
}

class IdleCost : public testing::TestWithParam<bool> {
protected:
    void judge(const char* what, Tries& tries) {
        tries.judge(std::string(GetParam() ? "Threaded, " : "Inline, ") + what);
    }
};

TEST_P(IdleCost, OfAnIdleGuestIsNextToNothing) {
    const auto rig = sleeping_machine(GetParam());
    loop_idly(rig->qemu());
    rig->pass(200 * kMillisecond);
    Tries polled(kPolled);
    for (int i = 0; i < Tries::count(); ++i) {
        polled.add(processor_load(*rig));
    }
    rig->qemu().write32(0x2000, 0x10000000); /* END, which the driver writes before it suspends */
    ASSERT_TRUE(rig->wait([&] { return rig->gc().stopped(); }));
    Tries stopped(kIdle);
    for (int i = 0; i < Tries::count(); ++i) {
        stopped.add(processor_load(*rig));
    }
    judge("WAIT/LINK loop", polled);
    judge("front end stopped", stopped);
}

/*
 * Back-off also limits a spinning guest: once detected, a loop runs only a thousand times a second.
 * The loops here have at most eight words, which bounds the number of words executed.
 */
TEST_P(IdleCost, OfARunawayLoopIsBounded) {
    constexpr struct {
        const char* name;
        void (*start)(Qemu&);
    } loops[] = {{"runaway LINK loop", loop_links}, {"loop of LOAD_STATE and LINK", loop_states}};
    for (const auto& loop : loops) {
        const auto rig = sleeping_machine(GetParam());
        loop.start(rig->qemu());
        rig->pass(200 * kMillisecond);
        Tries running(kRunaway);
        const auto start = Clock::now();
        const uint64_t words = rig->counter("stat-command-words");
        for (int i = 0; i < Tries::count(); ++i) {
            running.add(processor_load(*rig));
        }
        const uint64_t executed = rig->counter("stat-command-words") - words;
        EXPECT_LT(static_cast<double>(executed), milliseconds_since(start) * 8 * 2);
        judge(loop.name, running);
    }
}

INSTANTIATE_TEST_SUITE_P(Worker, IdleCost, testing::Bool(),
                         [](const auto& p) { return p.param ? "Threaded" : "Inline"; });

} // namespace
} // namespace pixmill::qtest
