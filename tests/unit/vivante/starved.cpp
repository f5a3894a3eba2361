/*
 * If the worker never runs, all polls of linux etnaviv that have a timeout must still end.
 * docs/develop/timing.md lists them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "etnaviv.hpp"

namespace pixmill::test {
namespace {

constexpr int64_t kMs = 1'000'000;

struct Core {
    const char* model;
    Mmu mmu;
    bool pipe_2d;
};

constexpr Core kCores[] = {
    {"gc320-imx6", Mmu::kV1, true},         {"gc2000-imx6q", Mmu::kV1, false},
    {"gc600-dove", Mmu::kV1, true},         {"gc320-am57xx", Mmu::kV2, true},
    {"gc3000-imx6qp", Mmu::kV2, false},     {"gc620-th1520", Mmu::kV2, true},
    {"gc7000-imx8mq", Mmu::kSecure, false},
};

/* A core and its driver. The core works only during the driver's register accesses. */
struct Rig {
    explicit Rig(const Core& core)
        : m({.model = core.model, .ram_base = Etnaviv::kRam, .ram_size = Etnaviv::kRamSize}),
          kernel(m, {.mmu = core.mmu,
                     .pipe_2d = core.pipe_2d,
                     .memory_base = core.mmu == Mmu::kV1 && std::strcmp(core.model, "gc600-dove")
                                        ? Etnaviv::kRam
                                        : 0}) {
        m.budget = 0;
    }

    /* Runs a job with the worker, which then stops running. */
    void complete_job(uint32_t event) {
        m.budget = 4096;
        kernel.submit(Stream().nop(), event);
        m.go(3 * kMs);
        EXPECT_EQ(kernel.irq(), 1u << event);
        m.budget = 0;
    }

    Machine m;
    Etnaviv kernel;
};

class VivanteStarved : public testing::TestWithParam<Core> {};

/* etnaviv_hw_reset() polls IDLE_STATE and CLOCK_CONTROL for a second. */
TEST_P(VivanteStarved, ResetEnds) {
    Rig rig(GetParam());
    rig.kernel.probe();
}

/* etnaviv_iommuv2_restore() polls IDLE_STATE for 100 ms, then enables the MMU regardless. */
TEST_P(VivanteStarved, StreamOfTheMmuIsExecutedBeforeItIsEnabled) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.first_submit();
    rig.complete_job(3);
    EXPECT_EQ(rig.m.counters().mmu_faults, 0u);
    EXPECT_EQ(rig.m.counters().bus_errors, 0u);
}

/* etnaviv_gpu_recover_hang() resets the core during a job and starts it again. */
TEST_P(VivanteStarved, RecoveryAndRestartEnd) {
    Rig rig(GetParam());
    rig.kernel.probe();
    for (uint32_t round = 0; round < 3; round++) {
        rig.complete_job(2 * round);
        rig.kernel.submit(Stream().wait(0xFFFF), 2 * round + 1); /* is never executed */
        rig.kernel.hw_reset();
        rig.kernel.hw_init();
    }
    rig.complete_job(9);
}

/* etnaviv_gpu_hw_suspend() polls IDLE_STATE for 100 ms. */
TEST_P(VivanteStarved, SuspendEnds) {
    Rig rig(GetParam());
    rig.kernel.probe();
    for (uint32_t round = 0; round < 3; round++) {
        rig.complete_job(round);
        rig.kernel.suspend();
        rig.kernel.resume();
        rig.kernel.first_submit(); /* the worker does not execute this start, either */
        rig.kernel.suspend();
        rig.kernel.resume();
    }
}

/* sync_point_worker() reads FE_DMA_ADDRESS once. The value must be the address after the END. */
TEST_P(VivanteStarved, SyncPointIsFoundByTheReadsOfItsInterrupt) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.complete_job(1);
    rig.kernel.sync_point(2);
    EXPECT_EQ(rig.kernel.irq(), 1u << 2);
    rig.kernel.sync_point_worker();
    rig.complete_job(3);
}

/*
 * etnaviv_sched_timedout_job() reads FE_DMA_ADDRESS. If it has changed by less than 0 or more than
 * 16, the job has made progress. Only after this does the driver check whether the fence has been
 * signaled.
 */
TEST_P(VivanteStarved, WatchdogSeesAJobWithoutPixelsMoveAndEnd) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.complete_job(1);
    const uint32_t before = rig.m.get(reg::kFeAddress);
    rig.kernel.submit(Stream().nop().nop(), 2);
    rig.m.go(500 * kMs);
    const auto change = static_cast<int32_t>(rig.m.get(reg::kFeAddress) - before);
    EXPECT_TRUE(change < 0 || change > 16) << change;
    EXPECT_TRUE(rig.m.host.irq);
    EXPECT_EQ(rig.kernel.irq(), 1u << 2);
}

INSTANTIATE_TEST_SUITE_P(Cores, VivanteStarved, testing::ValuesIn(kCores), [](const auto& core) {
    std::string name = core.param.model;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
});

/* ---- Work done by reads ------------------------------------------------------ */

constexpr uint32_t kShowing[] = {reg::kClock,        reg::kIdle,      reg::kIntrAck, reg::kFeStatus,
                                 reg::kFeDebugState, reg::kFeAddress, reg::kFeLow,   reg::kFeHigh};

TEST(VivanteStarvedRead, ExecutesWhatWasStarted) {
    for (const uint32_t offset : kShowing) {
        Machine m;
        m.budget = 0;
        m.put_stream(kStreamAt, Stream().event(0x45).end());
        m.start(kStreamAt, 2);
        (void)m.get(offset);
        EXPECT_EQ(m.peek(reg::kIdle), kIdleAll) << std::hex << offset;
    }
}

TEST(VivanteStarvedRead, SeesTheEventAndTheInterruptLine) {
    Machine m;
    m.budget = 0;
    m.set(reg::kIntrEnable, ~0u);
    m.put_stream(kStreamAt, Stream().event(0x45).end());
    m.start(kStreamAt, 2);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x20u);
    EXPECT_FALSE(m.host.irq);
}

TEST(VivanteStarvedRead, ExecutesNothingForARegisterThatDoesNotShowIt) {
    Machine m;
    m.budget = 0;
    m.put_stream(kStreamAt, Stream().end());
    m.start(kStreamAt, 1);
    (void)m.get(reg::kModel);
    EXPECT_EQ(m.peek(reg::kIdle), kIdleButFe);
}

/* A read may execute at most 512 words, plus the rest of a command and an event. */
TEST(VivanteStarvedRead, IsBounded) {
    Machine m;
    m.budget = 0;
    Stream long_stream;
    for (int i = 0; i < 4000; i++)
        long_stream.nop();
    m.put_stream(0x10000, long_stream.end());
    m.start(0x10000, long_stream.qwords());
    int reads = 0;
    for (uint64_t before = 0; m.get(reg::kIdle) != kIdleAll; reads++) {
        EXPECT_LE(m.counters().command_words - before, 600u);
        before = m.counters().command_words;
        EXPECT_TRUE(m.host.run_requested) << "the worker does the rest";
        ASSERT_LT(reads, 100);
    }
    EXPECT_GE(reads, 8000 / 600);
}

/* The same limit as in IsBounded applies to an endless loop. */
TEST(VivanteStarvedRead, OfALoopIsBounded) {
    Machine m;
    m.budget = 0;
    m.put_stream(kStreamAt, Stream().state(state::kClear32, 1).link(2, kStreamAt));
    m.start(kStreamAt, 2);
    for (int i = 0; i < 100; i++)
        EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_LE(m.counters().command_words, 100u * 600);
}

/* A read must not draw, and must not touch a draw that another thread may be executing. */
TEST(VivanteStarvedRead, LeavesPixelsToTheWorker) {
    Machine m;
    const uint32_t target = 0x100000;
    m.budget = 0;
    m.put_stream(kStreamAt, Stream()
                                .state(state::kPipeSelect, 1)
                                .states(state::kDestAddress, {target, 64, 0, 6})
                                .states(state::kClipTopLeft, {0, 0x00100010})
                                .state(state::kRop, 0x0030CCCC)
                                .state(state::kClear32, 0x12345678)
                                .draw({0, 0, 4, 4})
                                .event(0x41)
                                .end());
    m.start(kStreamAt, 64);
    for (int i = 0; i < 10; i++)
        EXPECT_NE(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.counters().draws, 1u);
    EXPECT_EQ(m.counters().pixels, 0u);
    EXPECT_EQ(m.ram.word(target), 0u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_TRUE(m.host.run_requested);
    m.budget = 4096;
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.counters().pixels, 16u);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* run() must not be called between a reset and the return of the canceled draw(). */
TEST(VivanteStarvedRead, ExecutesNothingWhileACancelledDrawMayRun) {
    Machine m;
    m.put_stream(kStreamAt, Stream()
                                .state(state::kPipeSelect, 1)
                                .states(state::kDestAddress, {0x100000, 64, 0, 6})
                                .states(state::kClipTopLeft, {0, 0x00100010})
                                .draw({0, 0, 4, 4})
                                .end());
    m.start(kStreamAt, 64);
    ASSERT_TRUE(m.go_to_draw());
    m.soft_reset();
    ASSERT_TRUE(pixmill_vivante.draining(m.gc()));
    m.put_stream(kStreamAt, Stream().end());
    m.start(kStreamAt, 1);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    (void)m.run(0);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

} // namespace
} // namespace pixmill::test
