/*
 * The WAIT/LINK idle loop. There is no doorbell: linux etnaviv submits work by overwriting the WAIT
 * of this loop (etnaviv_buffer_replace_wait() in etnaviv_buffer.c: word 1, barrier, word 0,
 * barrier).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <set>
#include <thread>

#include "machine.hpp"

namespace pixmill::test {
namespace {

constexpr int64_t kUs = 1000;
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;

Stream idle_loop(uint32_t at) {
    return Stream().wait(200).link(2, at);
}

void park(Machine& m, uint32_t at = 0x2000, int64_t ns = kMs) {
    m.put_stream(at, idle_loop(at));
    m.start(at, 2);
    m.go(ns);
}

void patch(Machine& m, uint32_t at, uint32_t word0, uint32_t word1) {
    m.ram.set_word(at + 4, word1);
    m.ram.set_word(at, word0);
}

TEST(VivanteIdleLoop, ShowsAWaitingFrontEnd) {
    Machine m;
    m.ram.set_words(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    m.start(0x2000, 2);
    std::set<uint32_t> addresses;
    for (int i = 0; i < 400; i++) {
        m.go(1'300);
        EXPECT_EQ(m.peek(reg::kIdle), 0x7FFFFFFEu);
        EXPECT_EQ(m.peek(reg::kFeStatus) & 1, 1u);
        const uint32_t at = m.peek(reg::kFeAddress);
        const uint32_t word = m.peek(reg::kFeLow);
        const uint32_t debug = m.peek(reg::kFeDebugState);
        EXPECT_TRUE(at == 0x2008 || at == 0x2010) << std::hex << at;
        EXPECT_EQ(word, at == 0x2008 ? 0x380000C8u : 0x40000002u);
        EXPECT_EQ(debug, at == 0x2008 ? 0x812u : 0x800u);
        addresses.insert(at);
    }
    EXPECT_EQ(addresses.size(), 2u) << "0x664 must change over time";
}

/* linux 6.12 and galcore read 0x65C to 0x670 twice and ignore the first value. */
TEST(VivanteIdleLoop, AddressAlternatesWithTimeAndNotWithReads) {
    Machine m;
    park(m);
    for (int i = 0; i < 50; i++) {
        m.host.now += 777;
        const uint32_t first = m.get(reg::kFeAddress);
        for (int j = 0; j < 5; j++)
            EXPECT_EQ(m.get(reg::kFeAddress), first);
    }
}

TEST(VivanteIdleLoop, DoubleReadsStillSeeTheAddressMove) {
    Machine m; /* as etnaviv_debugfs detects "is running": 500 pairs of reads */
    park(m);
    std::set<uint32_t> addresses, states;
    for (int i = 0; i < 500; i++) {
        m.host.now += 1'100;
        (void)m.get(reg::kFeAddress);
        addresses.insert(m.get(reg::kFeAddress));
        (void)m.get(reg::kFeDebugState);
        states.insert(m.get(reg::kFeDebugState));
    }
    EXPECT_EQ(addresses.size(), 2u);
    EXPECT_EQ(states, (std::set<uint32_t>{0x800, 0x812}));
}

TEST(VivanteIdleLoop, PatchedEndStopsTheLoop) {
    Machine m;
    park(m);
    patch(m, 0x2000, op::kEnd, 0);
    m.go(2 * kMs);
    EXPECT_EQ(m.peek(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x2008u);
}

TEST(VivanteIdleLoop, PatchedEndIsSeenByReadsWithoutARun) {
    Machine m; /* linux etnaviv_gpu_wait_idle() reads only 0x04 */
    park(m);
    patch(m, 0x2000, op::kEnd, 0);
    (void)m.get(reg::kIdle);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x2008u);
    EXPECT_EQ(m.get(reg::kFeStatus) & 1, 0u);
}

TEST(VivanteIdleLoop, EveryCatchUpRegisterSeesThePatch) {
    for (uint32_t offset : {0x00u, 0x04u, 0x10u, 0x65Cu, 0x660u, 0x664u, 0x668u, 0x66Cu}) {
        Machine m;
        park(m);
        patch(m, 0x2000, op::kEnd, 0x1234);
        (void)m.get(offset);
        (void)m.get(offset);
        EXPECT_EQ(m.peek(reg::kIdle), kIdleAll) << std::hex << offset;
    }
}

/* The driver polls every 5 us for at most 100 ms. That must succeed in any phase of the loop. */
TEST(VivanteIdleLoop, SuspendPollEndsInAnyPhaseOfTheLoop) {
    for (int64_t phase = 0; phase < 60 * kUs; phase += 3 * kUs + 100) {
        Machine m;
        park(m, 0x2000, phase);
        patch(m, 0x2000, op::kEnd, 0);
        int polls = 0;
        while (m.get(reg::kIdle) != kIdleAll && ++polls < 20'000)
            m.host.now += 5 * kUs;
        EXPECT_LE(polls, 20) << phase;
    }
}

TEST(VivanteIdleLoop, PatchedLinkRunsTheJobAndParksAgain) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    m.ram.set_words(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    m.start(0x2000, 2);
    m.go();
    m.ram.set_words(0x3000, {0x08010E01, 0x45, 0x380000C8, 0, 0x40000002, 0x3008});
    patch(m, 0x2000, 0x40000003, 0x3000);
    m.go(2 * kMs);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x20u);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    const uint32_t at = m.get(reg::kFeAddress);
    EXPECT_TRUE(at == 0x3010 || at == 0x3018) << std::hex << at;
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
}

/* ---- Cost and latency --------------------------------------------------- */

TEST(VivanteIdleLoop, OneIdleSecondCostsAbout1000Polls) {
    Machine m;
    park(m);
    const PixmillVivanteCounters before = m.counters();
    const uint64_t steps = m.steps();
    const uint64_t maps = m.host.maps;
    m.go(kSecond);
    EXPECT_LE(m.counters().polls - before.polls, 1100u);
    EXPECT_GE(m.counters().polls - before.polls, 900u) << "the longest poll is 1 ms";
    EXPECT_LE(m.steps() - steps, 1200u);
    EXPECT_LE(m.host.maps - maps, 5000u);
}

TEST(VivanteIdleLoop, NoPollComesLaterThanTheMaximum) {
    Machine m;
    park(m, 0x2000, 3 * kSecond);
    m.put_stream(0x3000, Stream().event(0x41).add(idle_loop(0x3008)));
    patch(m, 0x2000, op::kLink | 3, 0x3000);
    m.go(kMs + 50 * kUs);
    EXPECT_EQ(m.peek(reg::kIntrAck), 2u);
}

TEST(VivanteIdleLoop, PollLimitsAreConfigurable) {
    Machine m({.poll_min_ns = 100'000, .poll_max_ns = 10'000'000});
    park(m, 0x2000, kSecond);
    const uint64_t before = m.counters().polls;
    m.go(kSecond);
    EXPECT_LE(m.counters().polls - before, 110u);
    EXPECT_GE(m.counters().polls - before, 90u);
}

TEST(VivanteIdleLoop, SmallestPollPeriodIsAtLeastTheMinimum) {
    Machine m({.poll_min_ns = 20'000});
    park(m, 0x2000, 0);
    const uint64_t before = m.counters().polls;
    m.go(200 * kUs);
    EXPECT_LE(m.counters().polls - before, 10u);
}

/* Boards that announce stores by barrier() need no short polls. */
TEST(VivanteIdleLoop, ABarrierNeedsNoPolls) {
    Machine m({.poll_min_ns = 1'000'000});
    park(m, 0x2000, 0);
    const uint64_t before = m.counters().polls;
    m.go(10 * kMs);
    EXPECT_LE(m.counters().polls - before, 10u);
    m.put_stream(0x3000, Stream().event(0x41).add(idle_loop(0x3008)));
    patch(m, 0x2000, op::kLink | 3, 0x3000);
    m.barrier();
    m.go(kUs);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* Submits a job to the loop at @at and returns the time until its event. */
int64_t latency(Machine& m, uint32_t at, uint32_t job) {
    m.put_stream(job, Stream().event(0x41).add(idle_loop(job + 8)));
    patch(m, at, op::kLink | 3, job);
    const int64_t begin = m.host.now;
    while (!(m.peek(reg::kIntrAck) & 2) && m.host.now < begin + 10 * kMs)
        m.go(kUs);
    return m.host.now - begin;
}

TEST(VivanteIdleLoop, JobRightAfterAnInterruptIsPickedUpPromptly) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    park(m, 0x2000, kSecond);
    uint32_t loop = 0x2000;
    for (uint32_t job = 0x3000; job < 0x8000; job += 0x100) {
        const int64_t took = latency(m, loop, job);
        EXPECT_LE(took, job == 0x3000 ? kMs + 50 * kUs : 60 * kUs) << std::hex << job;
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
        m.go(10 * kUs);
        loop = job + 8;
    }
}

TEST(VivanteIdleLoop, JobRightAfterASilentJobIsPickedUpPromptly) {
    Machine m; /* without events and register accesses, the patch counts as activity */
    park(m, 0x2000, kSecond);
    m.put_stream(0x3000, Stream().nop().add(idle_loop(0x3008)));
    patch(m, 0x2000, op::kLink | 3, 0x3000);
    while (m.peek(reg::kFeAddress) < 0x3000)
        m.go(kUs);
    EXPECT_LE(latency(m, 0x3008, 0x4000), 60 * kUs);
}

/*
 * The poll period doubles without activity, so a job that is submitted after an idle time t must be
 * found within about t.
 */
TEST(VivanteIdleLoop, LatencyGrowsNoFasterThanIdleTime) {
    for (int64_t idle = 10 * kUs; idle < 2 * kMs; idle += 37 * kUs) {
        Machine m;
        park(m, 0x2000, kSecond);
        (void)m.get(reg::kIdle);
        m.go(idle);
        EXPECT_LE(latency(m, 0x2000, 0x3000), std::min(idle + 60 * kUs, kMs + 50 * kUs)) << idle;
    }
}

TEST(VivanteIdleLoop, JobRightAfterARegisterAccessIsPickedUpPromptly) {
    for (bool write : {true, false}) {
        Machine m;
        park(m, 0x2000, kSecond);
        if (write)
            m.set(reg::kIntrEnable, ~0u);
        else
            (void)m.get(reg::kIdle);
        m.go(kUs);
        EXPECT_LE(latency(m, 0x2000, 0x3000), 60 * kUs) << write;
    }
}

TEST(VivanteIdleLoop, JobThatABarrierAnnouncesIsPickedUpAtOnce) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    park(m, 0x2000, kSecond);
    m.put_stream(0x3000, Stream().event(0x41).add(idle_loop(0x3008)));
    patch(m, 0x2000, op::kLink | 3, 0x3000);
    m.host.run_requested = false;
    m.barrier();
    EXPECT_TRUE(m.host.run_requested);
    m.go(kUs);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteIdleLoop, BarrierWithoutAPatchChangesNothing) {
    Machine m;
    park(m, 0x2000, kSecond);
    m.host.run_requested = false;
    m.barrier();
    EXPECT_FALSE(m.host.run_requested);
    EXPECT_EQ(m.peek(reg::kIdle), kIdleButFe);
}

TEST(VivanteIdleLoop, BarrierDoesNotWakeAFrontEndThatWaitsOrIsStopped) {
    Machine stopped;
    stopped.host.run_requested = false;
    stopped.barrier();
    EXPECT_FALSE(stopped.host.run_requested);

    Machine waiting; /* a WAIT of 65535 cycles, not in a loop */
    waiting.put_stream(0x2000, Stream().wait(0xFFFF).event(0x41).end());
    waiting.start(0x2000, 3);
    waiting.go(kUs);
    waiting.host.run_requested = false;
    waiting.barrier();
    EXPECT_FALSE(waiting.host.run_requested);
}

/* Host pointers are valid only within one entry point, so each barrier must map the loop again. */
TEST(VivanteIdleLoop, BarrierChecksMemoryThatHasMoved) {
    for (int moves = 1; moves < 4; moves++) { /* freed memory may be reused */
        Machine m({.relocate = true});
        m.set(reg::kIntrEnable, ~0u);
        park(m, 0x2000, kSecond);
        for (int i = 0; i < moves; i++)
            m.barrier();
        m.put_stream(0x3000, Stream().event(0x41).add(idle_loop(0x3008)));
        patch(m, 0x2000, op::kLink | 3, 0x3000);
        m.host.run_requested = false;
        m.barrier();
        EXPECT_TRUE(m.host.run_requested) << moves;
        m.go(kUs);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << moves;
    }
}

TEST(VivanteIdleLoop, BackOffStartsAgainAfterActivity) {
    Machine m;
    park(m, 0x2000, kSecond);
    (void)m.get(reg::kIdle);
    const uint64_t before = m.counters().polls;
    m.go(kSecond);
    EXPECT_LE(m.counters().polls - before, 1100u);
}

/* ---- Kinds of loops ----------------------------------------------------- */

TEST(VivanteIdleLoop, GalcoreLoopWithAFlushInItParksToo) {
    Machine m; /* galcore puts LOAD_STATE(0x380C, bit 6) between WAIT and LINK */
    m.put_stream(0x2000, Stream().wait(200).state(state::kFlushCache, 0x40).link(3, 0x2000));
    m.start(0x2000, 3);
    m.go();
    const uint64_t steps = m.steps();
    m.go(kSecond);
    EXPECT_LE(m.steps() - steps, 1300u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    patch(m, 0x2000, op::kEnd, 0);
    m.go(2 * kMs);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x2008u);
}

TEST(VivanteIdleLoop, ChangedLinkAfterTheWaitIsFollowed) {
    Machine m;
    park(m);
    m.put_stream(0x3000, Stream().event(0x41).add(idle_loop(0x3008)));
    m.ram.set_word(0x200C, 0x3000); /* patches the LINK instead of the WAIT */
    m.ram.set_word(0x2008, op::kLink | 3);
    m.go(3 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/*
 * Loops that have more than a WAIT and a LINK. A patch of any of their qwords must be found after
 * some time, by a register read, and by a barrier.
 */
struct Shape {
    const char* name;
    Stream first, second; /* at 0x2000 and 0x2800 */
    std::vector<uint32_t> qwords;
};

std::vector<Shape> shapes() {
    return {
        {"two links",
         Stream().wait(200).link(2, 0x2800),
         Stream().nop().link(2, 0x2000),
         {0x2000, 0x2008, 0x2800, 0x2808}},
        {"call",
         Stream().wait(200).call(2, 0x2800, 1, 0x2018).link(3, 0x2000),
         Stream().nop().ret(),
         {0x2000, 0x2008, 0x2800, 0x2808, 0x2018}},
        {"flush between",
         Stream().wait(200).state(state::kFlushCache, 0x40).link(3, 0x2000),
         Stream(),
         {0x2000, 0x2008, 0x2010}},
    };
}

TEST(VivanteIdleLoop, EveryQwordOfALongLoopIsChecked) {
    for (const Shape& shape : shapes())
        for (const uint32_t patched : shape.qwords)
            for (const char* notice : {"time", "read", "barrier"}) {
                SCOPED_TRACE(testing::Message()
                             << shape.name << ", 0x" << std::hex << patched << ", by " << notice);
                Machine m;
                m.put_stream(0x2000, shape.first);
                m.put_stream(0x2800, shape.second);
                m.start(0x2000, shape.first.qwords());
                m.go(kSecond);
                EXPECT_EQ(m.peek(reg::kIdle), kIdleButFe);
                m.put_stream(0x3000, Stream().event(0x41).end());
                patch(m, patched, op::kLink | 2, 0x3000);
                if (notice[0] == 'r')
                    (void)m.get(reg::kIdle);
                else if (notice[0] == 'b')
                    m.barrier();
                m.go(notice[0] == 't' ? 3 * kMs : kUs);
                EXPECT_EQ(m.get(reg::kIntrAck), 2u);
                EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
            }
}

TEST(VivanteIdleLoop, LongLoopsCostLittle) {
    for (const Shape& shape : shapes()) {
        Machine m;
        m.put_stream(0x2000, shape.first);
        m.put_stream(0x2800, shape.second);
        m.start(0x2000, shape.first.qwords());
        m.go(kSecond);
        const uint64_t steps = m.steps();
        m.go(kSecond);
        EXPECT_LE(m.steps() - steps, 1300u) << shape.name;
    }
}

TEST(VivanteIdleLoop, LoopWithAnEventInItRaisesItEveryTime) {
    Machine m({.core_clock_hz = 100'000'000});
    m.put_stream(0x2000, Stream().wait(10'000).event(0x21).link(3, 0x2000)); /* waits 100 us */
    m.start(0x2000, 3);
    m.go(10 * kMs);
    EXPECT_GE(m.counters().events, 90u);
    EXPECT_LE(m.counters().events, 101u);
}

TEST(VivanteIdleLoop, ChangedDelayKeepsTheLoopRunning) {
    Machine m;
    park(m);
    patch(m, 0x2000, op::kWait | 0xFFFF, 0x1234);
    m.go(5 * kMs);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    patch(m, 0x2000, op::kEnd, 0);
    m.go(5 * kMs);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteIdleLoop, PatchedIllegalOpcodeHangsAtTheWait) {
    Machine m;
    park(m);
    patch(m, 0x2000, 0xF8000000, 0);
    m.go(2 * kMs);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x2008u);
    EXPECT_EQ(m.get(reg::kFeDebugState) & 0x1F, 1u);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteIdleLoop, LoopPrefetchIsEnforcedAfterThePatch) {
    Machine m; /* the loop's LINK prefetches only two qwords, the WAIT and the LINK */
    park(m);
    m.put_stream(0x2000, Stream().nop().nop().event(0x41).end());
    m.go(2 * kMs);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteIdleLoop, MemoryOfTheLoopThatVanishesIsABusError) {
    Machine m({.ram_size = 0});
    m.ram.add(0, 0x1000);
    m.ram.add(0x2000, 0x1000);
    m.put_stream(0x2000, Stream().wait(200).link(1, 0x5000));
    m.start(0x2000, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.get(reg::kFeDebugState) & 0x1F, 1u); /* reads 0, an illegal opcode */
    EXPECT_GE(m.guest_errors(), 1u);
}

TEST(VivanteIdleLoop, StreamFetchedThroughTinyMappingsParks) {
    for (uint64_t grain : {1, 3, 4, 6, 8}) {
        Machine m({.ram_size = 0x8000, .grain = grain});
        park(m);
        EXPECT_EQ(m.get(reg::kIdle), kIdleButFe) << grain;
        patch(m, 0x2000, op::kEnd, 0);
        m.go(2 * kMs);
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll) << grain;
    }
}

TEST(VivanteIdleLoop, HangCheckWindowOfTheKernelIsRespected) {
    Machine m; /* in etnaviv_sched_timedout_job(), a change < 0 or > 16 is progress */
    park(m);
    uint32_t last = m.get(reg::kFeAddress);
    for (int i = 0; i < 100; i++) {
        m.go(500 * kMs + 7 * i * kUs);
        const uint32_t now = m.get(reg::kFeAddress);
        EXPECT_LE(std::abs(static_cast<int32_t>(now - last)), 16);
        last = now;
    }
}

/* ---- The race between the CPU's patch and the front end's poll ---------- */

struct Patcher {
    uint8_t* wait; /* host address of the WAIT */
    std::atomic<bool>* stop;

    void store(size_t word, uint32_t value) const {
        std::atomic_ref(*reinterpret_cast<uint32_t*>(wait + 4 * word))
            .store(value, std::memory_order_release);
    }

    /* Word 1 points to a trap between jobs, so the model must read word 0 before word 1. */
    void operator()() const {
        for (uint32_t i = 0; !*stop; i++) {
            store(1, i & 1 ? 0x3000 : 0x4000);
            store(0, op::kLink | 3);
            std::this_thread::yield();
            store(0, op::kWait | 200);
            store(1, 0x7000);
        }
    }
};

TEST(VivanteIdleLoop, RacingPatchNeverJumpsElsewhere) {
    Machine m({.poll_min_ns = 100, .poll_max_ns = 200});
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.put_stream(0x3000, Stream().event(0x23).wait(200).link(2, 0x2000));
    m.put_stream(0x4000, Stream().event(0x24).wait(200).link(2, 0x2000));
    m.ram.set_words(0x7000, Words(16, 0xF8000000));
    m.start(0x2000, 2);
    m.go(10 * kUs);
    uint64_t len = 0;
    auto* host = static_cast<uint8_t*>(m.ram.map(0x2000, &len, true));
    std::atomic<bool> stop{false};
    std::thread writer(Patcher{host, &stop});
    uint32_t seen = 0;
    for (int i = 0; i < 20000; i++) {
        m.go(100 * kUs);
        seen |= m.peek(reg::kIntrAck);
    }
    stop = true;
    writer.join();
    EXPECT_EQ(seen, 0x18u);
}

} // namespace
} // namespace pixmill::test
