/*
 * Everything that linux etnaviv 6.1 and 6.12 does with a core: identification,
 * reset, MMU setup, submission, completion, perfmon, hang recovery, suspend.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>

#include "etnaviv.hpp"

namespace pixmill::test {
namespace {

constexpr int64_t kMs = 1'000'000;

struct Core {
    const char* model;
    Mmu mmu;
    bool pipe_2d;
    bool dynamic_frequency;
    uint32_t memory_base;
};

const Core kCores[] = {
    {"gc320-imx6", Mmu::kV1, true, false, 0x10000000},
    {"gc2000-imx6q", Mmu::kV1, false, false, 0x10000000},
    {"gc880-imx6dl", Mmu::kV1, false, false, 0x10000000},
    {"gc860-jz4770", Mmu::kV1, true, false, 0x10000000},
    {"gc400-imx6sx", Mmu::kV1, true, false, 0},
    {"gc600-dove", Mmu::kV1, true, false, 0},
    {"gc320-am57xx", Mmu::kV2, true, true, 0},
    {"gc320-imx6qp", Mmu::kV2, true, false, 0},
    {"gc520-imx8mp", Mmu::kV2, true, false, 0},
    {"gc620-th1520", Mmu::kV2, true, false, 0},
    {"gc3000-imx6qp", Mmu::kV2, false, true, 0},
    {"gc1000-ls7a1000", Mmu::kV2, true, true, 0},
    {"gc400-stm32mp1", Mmu::kV2, false, false, 0},
    {"gc7000-imx8mq", Mmu::kSecure, false, true, 0},
    {"gc7000-imx8mp", Mmu::kSecure, false, true, 0},
};

struct Rig {
    explicit Rig(const Core& core, uint32_t budget = 4096, bool v6_12 = true)
        : m({.model = core.model,
             .ram_base = Etnaviv::kRam,
             .ram_size = Etnaviv::kRamSize,
             .budget = budget}),
          kernel(m, {.mmu = core.mmu,
                     .pipe_2d = core.pipe_2d,
                     .v6_12 = v6_12,
                     .dynamic_frequency = core.dynamic_frequency,
                     .memory_base = core.memory_base}) {}

    Machine m;
    Etnaviv kernel;
};

class VivanteKernel : public testing::TestWithParam<Core> {
protected:
    uint32_t idle(Machine& m) const {
        const bool eight = std::strcmp(m.options.model, "gc600-dove") == 0;
        return eight ? 0xFF : kIdleAll;
    }
};

TEST_P(VivanteKernel, ProbeSucceedsOnBothKernels) {
    for (bool v6_12 : {true, false}) {
        Rig rig(GetParam(), 4096, v6_12);
        rig.kernel.probe();
        EXPECT_FALSE(rig.m.host.irq);
        EXPECT_EQ(rig.m.get(reg::kIdle), idle(rig.m));
    }
}

TEST_P(VivanteKernel, FirstSubmitParksTheFrontEnd) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.first_submit();
    rig.m.go();
    EXPECT_EQ(rig.m.get(reg::kIdle), idle(rig.m) & ~1u);
    const uint32_t at = rig.m.get(reg::kFeAddress) - rig.kernel.ring_va();
    EXPECT_TRUE(at == 8 || at == 16) << at;
}

TEST_P(VivanteKernel, HundredJobsCompleteInOrderAcrossRingWraps) {
    Rig rig(GetParam());
    rig.kernel.probe();
    for (uint32_t job = 0; job < 100; job++) {
        const uint32_t event = job % 30;
        rig.kernel.submit(Stream().nop().nop(), event, job % 3 == 0);
        rig.m.go(3 * kMs);
        ASSERT_TRUE(rig.m.host.irq) << job;
        ASSERT_EQ(rig.kernel.irq(), 1u << event) << job;
        ASSERT_EQ(rig.kernel.irq(), 0u) << job;
        ASSERT_EQ(rig.m.get(reg::kIdle), idle(rig.m) & ~1u) << job;
    }
}

TEST_P(VivanteKernel, FourJobsAheadRaiseFourEvents) {
    Rig rig(GetParam());
    rig.kernel.probe();
    for (uint32_t event = 0; event < 4; event++)
        rig.kernel.submit(Stream().nop(), event);
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 0xFu);
}

TEST_P(VivanteKernel, JobsCompleteWithOneWordSlices) {
    Rig rig(GetParam(), 1);
    rig.kernel.probe();
    for (uint32_t event = 0; event < 4; event++) {
        rig.kernel.submit(Stream().nop(), event);
        rig.m.go(3 * kMs);
        EXPECT_EQ(rig.kernel.irq(), 1u << event);
    }
}

TEST_P(VivanteKernel, SuspendAndResumeRepeat) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.suspend(); /* the front end has not been started yet */
    rig.kernel.resume();
    for (uint32_t round = 0; round < 5; round++) {
        rig.kernel.submit(Stream().nop(), round);
        rig.m.go(3 * kMs);
        EXPECT_EQ(rig.kernel.irq(), 1u << round);
        rig.m.go(200 * kMs);
        rig.kernel.suspend();
        EXPECT_EQ(rig.m.get(reg::kIdle), idle(rig.m));
        EXPECT_FALSE(rig.m.host.irq);
        rig.kernel.resume();
    }
}

/* run() is not called here, so only the driver's reads of 0x04 make the core work. */
TEST_P(VivanteKernel, SuspendPollsCatchUpByThemselves) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.submit(Stream().nop(), 1);
    rig.m.go(50 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 2u);
    rig.kernel.buffer_end();
    int polls = 0;
    while (rig.m.get(reg::kIdle) != idle(rig.m) && ++polls < 1000)
        rig.m.host.now += 5'000;
    EXPECT_LE(polls, 10);
}

TEST_P(VivanteKernel, SyncPointSequence) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.submit(Stream().nop(), 1);
    rig.kernel.sync_point(2);
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 6u);
    EXPECT_EQ(rig.m.get(reg::kIdle), idle(rig.m)); /* the END has stopped it */
    rig.kernel.sync_point_worker();
    rig.kernel.submit(Stream().nop(), 3);
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 8u);
    EXPECT_EQ(rig.m.get(reg::kIdle), idle(rig.m) & ~1u);
}

/* A job is queued after the sync point, before the driver's worker restarts the ring. */
TEST_P(VivanteKernel, SyncPointRestartFollowsALinkThatReplacedTheWait) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.submit(Stream().nop(), 1);
    rig.kernel.sync_point(2);
    rig.kernel.submit(Stream().nop(), 3);
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 6u);
    rig.kernel.sync_point_worker();
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 8u);
}

/* For etnaviv_sched_timedout_job(), a job is stuck if 0x664 changes by 0 to 16. */
TEST_P(VivanteKernel, StuckJobIsRecoveredAndTheNextOneCompletes) {
    const Stream stuck[] = {
        Stream().raw({0, 0}),          /* illegal opcode */
        Stream().raw({0xF8000000, 0}), /* illegal opcode */
        Stream().link(0, 0),           /* starves */
        Stream().ret(),                /* the link stack is empty */
        Stream().end(),                /* stops the ring */
        Stream().link(1, 0x40000000),  /* no memory at the target */
    };
    for (const Stream& job : stuck) {
        Rig rig(GetParam());
        rig.m.allow_logs();
        rig.kernel.probe();
        rig.kernel.submit(job, 1);
        rig.m.go(500 * kMs);
        const uint32_t first = rig.m.get(reg::kFeAddress);
        rig.m.go(500 * kMs);
        const auto change = static_cast<int32_t>(rig.m.get(reg::kFeAddress) - first);
        EXPECT_TRUE(change >= 0 && change <= 16) << change;
        EXPECT_EQ(rig.kernel.irq() & 2, 0u);
        rig.kernel.hw_reset();
        rig.kernel.hw_init();
        EXPECT_FALSE(rig.m.host.irq);
        rig.kernel.submit(Stream().nop(), 4);
        rig.m.go(3 * kMs);
        EXPECT_EQ(rig.kernel.irq(), 0x10u);
    }
}

/*
 * etnaviv_core_dump() reads the registers of a hung core, except 0x10, which is cleared by reads.
 */
TEST_P(VivanteKernel, CoreDumpOfAStuckJobChangesNothing) {
    Rig rig(GetParam());
    rig.m.allow_logs();
    rig.kernel.probe();
    rig.kernel.submit(Stream().event(0x43).raw({0, 0}), 1);
    rig.m.go(10 * kMs);
    for (int round = 0; round < 2; round++) {
        for (uint32_t offset : {0x0Cu, 0x00u, 0x04u, 0x08u, 0x14u, 0x400u, 0x418u, 0x480u, 0x65Cu,
                                0x660u, 0x664u, 0x668u, 0x66Cu, 0x670u})
            (void)rig.m.get(offset);
    }
    EXPECT_EQ(rig.m.get(reg::kFeDebugState) & 0x1F, 1u);
    EXPECT_EQ(rig.kernel.irq(), 8u);
}

TEST_P(VivanteKernel, RecoveryWorksWhileASelfLinkSpins) {
    Rig rig(GetParam());
    rig.kernel.probe();
    rig.kernel.first_submit();
    rig.m.go();
    rig.m.put_stream(Etnaviv::kCmdbuf + 0x800, Stream().link(1, rig.kernel.ring_va() + 0x800));
    rig.m.ram.set_words(Etnaviv::kCmdbuf + 4, {rig.kernel.ring_va() + 0x800});
    rig.m.ram.set_words(Etnaviv::kCmdbuf, {op::kLink | 1});
    rig.m.go(20 * kMs);
    EXPECT_EQ(rig.m.get(reg::kIdle), idle(rig.m) & ~1u);
    rig.kernel.hw_reset();
    rig.kernel.hw_init();
    rig.kernel.submit(Stream().nop(), 4);
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 0x10u);
}

TEST_P(VivanteKernel, ClockScalingWhileRunningDisturbsNothing) {
    Core core = GetParam();
    core.dynamic_frequency = false; /* the driver then writes FSCALE_VAL */
    Rig rig(core);
    rig.kernel.probe();
    rig.kernel.submit(Stream().nop(), 1);
    rig.m.go(3 * kMs);
    for (uint32_t fscale : {32u, 8u, 1u, 64u}) {
        rig.kernel.clock_update(fscale);
        EXPECT_EQ(rig.m.get(reg::kClock) & 0x1FF, fscale << 2);
        rig.kernel.submit(Stream().nop(), 2);
        rig.m.go(3 * kMs);
        EXPECT_EQ(rig.kernel.irq() & 4, 4u) << fscale;
    }
}

INSTANTIATE_TEST_SUITE_P(Cores, VivanteKernel, testing::ValuesIn(kCores), [](const auto& core) {
    std::string name = core.param.model;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
});

/* ---- Tests of single cores ----------------------------------------------- */

const Core& core(const char* model) {
    for (const Core& row : kCores) {
        if (std::strcmp(row.model, model) == 0)
            return row;
    }
    std::abort();
}

struct Access {
    uint32_t offset;
    uint32_t value;
};

void expect_reads(Machine& m, std::initializer_list<Access> list) {
    for (const Access& access : list)
        EXPECT_EQ(m.get(access.offset), access.value) << std::hex << access.offset;
}

TEST(VivanteKernelTrace, Am57xxFromProbeToTheFirstParkedLoop) {
    Rig rig(core("gc320-am57xx"));
    Machine& m = rig.m;
    expect_reads(m, {{0x18, 0x14010000},
                     {0x28, 0x20111103},
                     {0x20, 0x320},
                     {0x24, 0x5301},
                     {0x30, 0},
                     {0xA8, 0},
                     {0xE8, 0},
                     {0x1C, 0xE02CFECA},
                     {0x34, 0xC9399EFF},
                     {0x74, 0xFE1FB2DB},
                     {0x84, 0x1AFF4080},
                     {0x88, 0},
                     {0x94, 0},
                     {0xA0, 0},
                     {0x48, 0},
                     {0x80, 0},
                     {0x8C, 0},
                     {0x9C, 0}});
    for (const Access& w : {Access{0x100, 0},
                            {0x10C, 0x015B0880},
                            {0x10C, 0x015B0881},
                            {0, 0x300},
                            {0, 0x100},
                            {0, 0x80100},
                            {0, 0x81100},
                            {0, 0x80100},
                            {0, 0x100}})
        m.set(w.offset, w.value);
    expect_reads(m, {{0x04, 0x7FFFFFFF}, {0x00, 0x00070100}});
    m.set(0x00, 0x00070900);
    expect_reads(m, {{0x100, 0x00140020}});
    m.set(0x100, 0x00140021);
    expect_reads(m, {{0x104, 0}});
    m.set(0x104, 0x00038000);
    m.set(0x08, 0x2200);
    m.set(0x10C, 0x01590880);
    m.set(0x14, ~0u);
    m.go(200 * kMs);
    expect_reads(m, {{0x04, 0x7FFFFFFF}, {0x100, 0x00140021}, {0x18C, 0}});
    rig.kernel.first_submit();
    m.go();
    EXPECT_EQ(m.get(0x04), 0x7FFFFFFEu);
    EXPECT_FALSE(m.host.irq);
}

TEST(VivanteKernelTrace, IMx6Gc2000Differences) {
    Rig rig(core("gc2000-imx6q"));
    Machine& m = rig.m;
    expect_reads(m, {{0x24, 0x5108},
                     {0x20, 0x2000},
                     {0x1C, 0xE0296CAD},
                     {0x34, 0xC9799EFF},
                     {0x74, 0x2EFBF2D9},
                     {0x84, 0},
                     {0x88, 0},
                     {0x94, 0},
                     {0xA0, 0},
                     {0x48, 0x94410A68},
                     {0x80, 0x00A80000},
                     {0x8C, 0},
                     {0x9C, 0}});
    rig.kernel.hw_reset();
    EXPECT_EQ(m.get(0x00), 0x00070900u);
    m.set(0x00, 0x00070B00);
    m.set(0x00, 0x00070900);
    EXPECT_EQ(m.get(0x00), 0x00070900u);
    m.set(0x104, m.get(0x104) | 0x00038090);
    const uint32_t bus = m.get(0x480);
    m.set(0x480, (bus & 0xFFFFFF00) | 1);
    EXPECT_EQ(m.get(0x480), (bus & 0xFFFFFF00) | 1);
    EXPECT_EQ(m.get(0x104) & 0x90, 0x90u);
}

TEST(VivanteKernelTrace, IMx6Gc320PatchesDebugMemory) {
    Rig rig(core("gc320-imx6"));
    rig.kernel.probe();
    EXPECT_EQ(rig.m.get(reg::kDebugMemory) & 0xFF, 0x0Cu);
}

/* The exact stream with which 6.12 sets up the MMU, in RAM above 2 GiB as on AM57xx. */
TEST(VivanteKernelTrace, Am57xxMmuConfigStreamRunsUntranslatedAbove2GiB) {
    Machine m({.model = "gc320-am57xx", .ram_base = 0xBF000000, .ram_size = 0x10000});
    m.ram.add(0x84000000, 0x10000);
    m.ram.set_words(0xBF000000,
                    {0x08010E00, 0x00000001, 0x08010061, 0x84000000, 0x08010060, 0x84002000,
                     0x08010E02, 0x00000701, 0x48000000, 0x00000701, 0x10000000, 0x00000000});
    m.start(0xBF000000, 6);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kFeAddress), 0xBF000030u);
    const StatePtr s = m.save();
    EXPECT_EQ(s->mmu_mtlb, 0x84000000u);
    EXPECT_EQ(s->mmu_mode, 0u);
    EXPECT_EQ(s->mmu_safe, 0x84002000u);
}

/* The ring, a user buffer and register writes as literals, for a 2D core with MMU v1. */
TEST(VivanteKernelTrace, WholeDriverSmokeSequence) {
    Machine m({.ram_base = 0x10000000, .ram_size = 0x10000});
    m.soft_reset();
    for (uint32_t offset : {0x418u, 0x41Cu, 0x420u, 0x424u, 0x428u})
        m.set(offset, 0x10000000);
    for (uint32_t offset : {0x400u, 0x404u, 0x408u, 0x40Cu, 0x410u})
        m.set(offset, 0x10008000);
    m.set(reg::kIntrEnable, ~0u);
    m.ram.set_words(0x10000000, {0x380000C8, 0x701, 0x40000002, 0});
    m.start(0, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    m.ram.set_words(0x10000010, {0x08010E04, 0x1F, 0x08010E03, 0, 0x08010E02, 0x701, 0x48000000,
                                 0x701, 0x08010E00, 1, 0x40000003, 0x1000});
    m.ram.set_words(0x10001000, {0x18000000, 0, 0x18000000, 0, 0x40000007, 0x40});
    m.ram.set_words(0x10000040, {0x08010E03, 8, 0x08010E02, 0x701, 0x48000000, 0x701, 0x08010E01,
                                 0x40, 0x380000C8, 0xDEAD, 0x40000002, 0x60});
    m.ram.set_word(0x10000004, 0x10);
    m.ram.set_word(0x10000000, 0x40000006);
    m.go(2 * kMs);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 1u);
    const uint32_t at = m.get(reg::kFeAddress);
    EXPECT_TRUE(at == 0x68 || at == 0x70) << std::hex << at;
    m.ram.set_words(0x10000080, {0x08010E02, 0x701, 0x48000000, 0x701, 0x08010E03, 8, 0x08010E02,
                                 0x701, 0x48000000, 0x701, 0x10000000, 0});
    m.ram.set_word(0x10000064, 0x80);
    m.ram.set_word(0x10000060, 0x40000006);
    m.go(2 * kMs);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kFeAddress), 0xB0u);
}

TEST(VivanteKernelTrace, SoftResetWithEverythingUpClearsIt) {
    Rig rig(core("gc320-am57xx")); /* the kernel oopses if 0x18C stays set */
    rig.kernel.probe();
    rig.kernel.submit(Stream().nop(), 5);
    rig.m.go(3 * kMs);
    EXPECT_TRUE(rig.m.host.irq);
    EXPECT_EQ(rig.m.get(reg::kMmuControl), 1u);
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kMmuControl), 0u);
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u);
    EXPECT_FALSE(rig.m.host.irq);
}

TEST(VivanteKernelTrace, ResetWorksInEveryWedgedState) {
    const Stream wedges[] = {Stream().raw({0, 0}), Stream().link(1, kStreamAt),
                             Stream().link(1, 0x00C00000), Stream().wait(0xFFFF)};
    for (const Stream& wedge : wedges) {
        Machine m("gc320-am57xx");
        m.allow_logs();
        m.run_stream(Stream(wedge).nop(), 10'000);
        m.soft_reset();
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
        EXPECT_EQ(m.get(reg::kClock), 0x00070100u);
        EXPECT_EQ(m.get(reg::kFeDebugState), 0u);
        m.go(10 * kMs);
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    }
}

/* ---- Performance counters: linux etnaviv_perfmon.c ----------------------- */

TEST(VivanteKernelPerfmon, PixelsRendered2dIsNotCountedTwice) {
    Rig rig(core("gc320-imx6"));
    rig.kernel.probe();
    rig.kernel.map_bo(0x80000000, 4, true);
    rig.kernel.submit(Stream()
                          .states(state::kDestAddress, {0x80000000, 64, 0, 6})
                          .states(state::kClipTopLeft, {0, 0x00100010})
                          .draw({0, 0, 10, 7}),
                      1);
    rig.m.go(3 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 2u);
    Machine& m = rig.m;
    m.set(reg::kClock, m.get(reg::kClock) & ~0x800u);
    uint32_t sum = 0;
    for (uint32_t pipe = 0; pipe < 2; pipe++) {
        m.set(reg::kClock, (m.get(reg::kClock) & ~0xF00000u) | pipe << 20);
        m.set(reg::kProfileConfig0, 0x0B0000);
        sum += m.get(reg::kProfilePe);
    }
    m.set(reg::kClock, m.get(reg::kClock) & ~0xF00000u);
    EXPECT_EQ(sum, 70u);
    m.set(reg::kProfileConfig0, 0x0F0000);
    m.set(reg::kProfileConfig0, 0x0B0000);
    EXPECT_EQ(m.get(reg::kProfilePe), 0u);
}

TEST(VivanteKernelPerfmon, EverySignalOfTheKernelCanBeSampled) {
    Rig rig(core("gc2000-imx6q"));
    rig.kernel.probe();
    Machine& m = rig.m;
    m.allow_logs(); /* most of the signals are not modeled */
    const Access configs[] = {{0x478, 0x0000},     {0x478, 0x0200},     {0x470, 0x030000},
                              {0x470, 0x0E000000}, {0x474, 8},          {0x474, 0x100},
                              {0x474, 0xB0000},    {0x474, 0x09000000}, {0x478, 3}};
    for (const Access& config : configs) {
        m.set(config.offset, config.value);
        EXPECT_EQ(m.get(config.offset), config.value);
        for (uint32_t offset = 0x448; offset <= 0x46C; offset += 4)
            EXPECT_EQ(m.get(offset), 0u);
    }
    const uint32_t before = m.get(reg::kCycleCounter);
    m.host.now += kMs;
    EXPECT_NEAR(m.get(reg::kCycleCounter) - before, 400'000, 10);
}

/* In etnaviv_gpu.c, bit 11 ("debug registers") only gates clocks, so counters may advance. */
TEST(VivanteKernelPerfmon, CountersAdvanceWithDebugRegistersDisabled) {
    Machine m;
    m.set(reg::kClock, 0x900);
    const uint32_t before = m.get(reg::kTotalCycles);
    m.host.now += 1000;
    EXPECT_GT(m.get(reg::kTotalCycles), before);
}

/* ---- Pictures drawn through the driver ----------------------------------- */

Stream checkerboard(uint32_t dest) {
    Stream s;
    s.states(state::kDestAddress, {dest, 256, 0, 6});
    s.states(state::kClipTopLeft, {0, 0x00400040});
    s.state(state::kRop, 0x0030CCCC).state(state::kClear32, 0xFF40FF40);
    std::vector<Rect> rects;
    for (int i = 0; i < 64; i++) {
        const int x = i % 8 * 8;
        const int y = i / 8 * 8;
        rects.push_back({x, y, x + 4, y + 4});
    }
    return s.draw(rects);
}

class VivanteKernelPicture : public testing::TestWithParam<Core> {};

TEST_P(VivanteKernelPicture, ScatteredBufferObjectGetsTheWholePicture) {
    Rig rig(GetParam());
    rig.kernel.probe();
    const uint32_t bo = rig.kernel.bo_base();
    rig.kernel.map_bo(bo, 4, true);
    rig.kernel.submit(checkerboard(bo), 1);
    rig.m.go(5 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 2u);
    for (uint32_t y = 0; y < 64; y++) {
        for (uint32_t x = 0; x < 64; x++) {
            const uint32_t expected = x % 8 < 4 && y % 8 < 4 ? 0xFF40FF40 : 0;
            ASSERT_EQ(rig.m.ram.word(rig.kernel.bo_address(bo + y * 256 + x * 4)), expected)
                << x << "," << y;
        }
    }
}

/* After an MMU fault (bit 30), 6.12 dumps and resets the core and continues with the next job. */
TEST_P(VivanteKernelPicture, JobAfterAnMmuFaultOrABusErrorRenders) {
    Rig rig(GetParam());
    rig.m.allow_logs();
    rig.kernel.probe();
    const uint32_t bo = rig.kernel.bo_base();
    rig.kernel.map_bo(bo, 4, true);
    const bool v1 = GetParam().mmu == Mmu::kV1; /* v1 has no faults, but a bad page */
    rig.kernel.submit(checkerboard(bo + 0x10000), 1);
    rig.m.go(20 * kMs);
    EXPECT_EQ(rig.kernel.irq(), v1 ? 2u : kIntrMmu);
    if (!v1) {
        EXPECT_EQ(rig.m.get(reg::kMmuStatus), 2u);
        EXPECT_EQ(rig.m.get(reg::kMmuException0) & ~0xFFFu, bo + 0x10000);
        rig.kernel.hw_reset();
        rig.kernel.hw_init();
    }
    rig.kernel.submit(checkerboard(bo), 2);
    rig.m.go(5 * kMs);
    EXPECT_EQ(rig.kernel.irq(), 4u);
    EXPECT_EQ(rig.m.ram.word(rig.kernel.bo_address(bo)), 0xFF40FF40u);
}

std::vector<Core> cores_2d() {
    std::vector<Core> result;
    for (const Core& row : kCores) {
        if (row.pipe_2d && std::strcmp(row.model, "gc600-dove") != 0) /* PE 1.0 clears differ */
            result.push_back(row);
    }
    return result;
}

INSTANTIATE_TEST_SUITE_P(Cores, VivanteKernelPicture, testing::ValuesIn(cores_2d()),
                         [](const auto& core) {
                             std::string name = core.param.model;
                             for (char& c : name)
                                 c = c == '-' ? '_' : c;
                             return name;
                         });

} // namespace
} // namespace pixmill::test
