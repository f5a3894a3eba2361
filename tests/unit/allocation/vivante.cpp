/*
 * The Vivante core on a host that refuses each allocation in turn. Work that cannot be drawn must
 * be a bus error. Everything else must be correct, and later work must not be affected.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>

#include "../vivante/2d/cases.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

struct Work {
    std::string name;
    MachineOptions options;
    Stream stream;
    bool resets = false; /* reset before the repetition, since the work needs initial states */
};

/* Memory before a piece of work, and the memory that tests/reference produces for it. */
class Picture {
public:
    explicit Picture(const Work& work) : machine_(work.options), twin_(machine_) {
        std::mt19937 random(1);
        scribble(machine_, random, kCaseTarget, work.options.ram_size - kCaseTarget);
        machine_.put_stream(kStreamAt, work.stream);
        before_ = machine_.ram.snapshot();
        twin_.copy(machine_);
        twin_.run(work.stream.words());
    }
    void prepare(Machine& machine) const { machine.ram.put(0, before_.data(), before_.size()); }
    std::string difference(const Machine& machine) const { return twin_.difference(machine); }
    /* True if the work does not change memory. */
    bool empty() const { return twin_.difference(machine_).empty(); }

private:
    Machine machine_;
    Twin twin_;
    Bytes before_;
};

void play(Machine& m, const Work& work) {
    m.start(kStreamAt, work.stream.qwords());
    m.go(20'000'000);
    EXPECT_EQ(m.peek(reg::kIdle) & 0xFF, 0xFFu) << "not idle";
}

/*
 * Checks that refused allocations had no effect or caused a bus error. Returns true if there was a
 * bus error.
 */
bool settled(Machine& m, const Picture& picture) {
    if (m.host_errors()) {
        EXPECT_TRUE(m.get(reg::kAxiStatus) & 1 << 8) << "no write error";
        EXPECT_TRUE(m.get(reg::kIntrAck) & kIntrAxi) << "no interrupt";
        EXPECT_GT(m.counters().bus_errors, 0u);
        return true;
    }
    EXPECT_EQ(picture.difference(m), "") << "wrong pixels without a bus error";
    return false;
}

/* Returns the number of attempts that ended with a bus error. */
uint64_t bus_errors(const Work& work) {
    SCOPED_TRACE(work.name);
    const Picture picture(work);
    EXPECT_FALSE(picture.empty());
    uint64_t errors = 0;
    at_every_request([&](const Refusal& refusal) {
        SCOPED_TRACE(testing::Message() << "request " << refusal.first);
        Machine m(work.options);
        m.allow_logs();
        picture.prepare(m);
        uint64_t refused = 0;
        {
            const ScarceHeap heap(m.host, refusal);
            play(m, work);
            refused = heap.refused();
            EXPECT_EQ(heap.outside_draw(), 0u);
        }
        errors += settled(m, picture);

        /* Allocations succeed again. */
        if (work.resets || refusal.first % 2)
            m.soft_reset();
        picture.prepare(m);
        play(m, work);
        EXPECT_FALSE(settled(m, picture));
        return refused;
    });
    return errors;
}

void expect_survived(const Work& work) {
    EXPECT_GT(bus_errors(work), 0u) << work.name << ": no refusal prevented a draw";
}

/* ---- Scenes ------------------------------------------------------------------ */

Stream with(const Stream& base, const Writes& writes) {
    Stream stream = base;
    for (const Write& write : writes)
        stream.state(write.addr, write.value);
    return stream;
}

Work work(const char* name, Stream stream, MachineOptions options = {}) {
    options.ram_size = Scene::kRam;
    return {name, options, stream.end()};
}

TEST(VivanteAllocation, ConvertedCopyInFragmentedMemory) {
    const Writes small = {{state::kDestConfig, kR5G6B5 | kCommandBlit}};
    expect_survived(work("R5G6B5",
                         with(base_block(48, 20, kCommandBlit), small).draw({0, 0, 48, 20}),
                         {.grain = 0x40}));
}

/* pixman has an image type for neither surface, so rows are copied through scratch memory. */
TEST(VivanteAllocation, ConvertedCopyInContiguousMemory) {
    const Writes small = {{state::kDestConfig, kR5G6B5 | kCommandBlit}};
    expect_survived(
        work("R5G6B5", with(base_block(48, 20, kCommandBlit), small).draw({0, 0, 48, 20})));
}

TEST(VivanteAllocation, OverlappingCopy) {
    const Writes same = {{state::kSrcAddress, kDstAt + 4}, {state::kSrcStride, 4 * 60}};
    expect_survived(
        work("overlap", with(base_block(48, 20, kCommandBlit), same).draw({0, 0, 48, 20})));
}

TEST(VivanteAllocation, SomeRectanglesOfADraw) {
    const Writes turned = {{state::kRotAngle, 4}};
    std::vector<Rect> rects;
    for (int i = 0; i < 6; i++)
        rects.push_back({2 * i, 3 * i, 20 + 7 * i, 10 + 5 * i});
    expect_survived(work("rectangles", with(base_block(64, 64, kCommandBlit), turned).draw(rects)));
}

TEST(VivanteAllocation, Filter) {
    Stream stream = with(base_block(64, 32, 0x7000), {{state::kStretchLow, 0xC000},
                                                      {state::kStretchHigh, 0xA000},
                                                      {state::kVrSourceLow, 0},
                                                      {state::kVrSourceHigh, pack_xy(40, 20)},
                                                      {state::kVrOriginLow, 0x8000},
                                                      {state::kVrOriginHigh, 0x8000},
                                                      {state::kVrTargetLow, 0},
                                                      {state::kVrTargetHigh, pack_xy(50, 30)}});
    for (const uint32_t table : {state::kFilterKernel, state::kHoriKernel, state::kVertiKernel})
        stream.states(table, identity_kernel());
    expect_survived(work("filter", stream.state(state::kVrConfig, 2)));
}

TEST(VivanteAllocation, Nv12) {
    const Writes yuv = {{state::kSrcConfig, kNv12 << 24},
                        {state::kUPlaneAddress, kSrcAt + 0x8000},
                        {state::kUPlaneStride, 256}};
    expect_survived(work("NV12", with(base_block(64, 32, kCommandBlit), yuv).draw({0, 0, 64, 32})));
}

/*
 * If helper threads run out of memory, the other threads must draw their share without a bus error.
 * Written memory must be reported as dirty, even if recording the dirty ranges needs memory.
 */
TEST(VivanteAllocation, BandsOnThreads) {
    const Writes blend = {{state::kAlphaControl, 1}, {state::kAlphaModes, 0}};
    Work bands = work("bands", with(base_block(64, 96, kCommandBlit), blend).draw({1, 0, 63, 96}),
                      {.render_threads = 4, .render_share = 1});
    for (int round = 0; round < 6; round++) { /* repeat, since thread scheduling varies */
        bands.options.audit = round == 0;
        expect_survived(bands);
    }
}

/* Tests every kind of draw: color keys, masks, lines, planes, multiple sources. */
TEST(VivanteAllocation, RandomDraws) {
    std::vector<std::string> seen;
    uint64_t errors = 0;
    for (uint64_t number = 0; number < 60; number++) {
        const Case c = random_case(1, number);
        Stream stream = with(select_2d(), c.states);
        if (!c.kick)
            stream.draw(c.rects, c.data);
        const Work one = {std::string(c.primitive) + ", case " + std::to_string(number),
                          {.model = c.model,
                           .render_threads = number % 3 ? 1u : 3u,
                           .render_share = 1,
                           .ram_size = kCaseRam},
                          stream.end(),
                          true};
        if (Picture(one).empty() || std::count(seen.begin(), seen.end(), c.primitive) == 2)
            continue;
        seen.push_back(c.primitive);
        errors += bus_errors(one);
    }
    EXPECT_GE(seen.size(), 12u);
    EXPECT_GT(errors, 200u);
}

/* ---- Other entry points ------------------------------------------------------ */

TEST(VivanteAllocation, Creation) {
    PixmillVivanteConfig config{};
    config.model = "gc320-imx6";
    expect_creation_or_nothing(pixmill_vivante, &config);
}

TEST(VivanteAllocation, LoadWithADrawInFlight) {
    const Writes small = {{state::kDestConfig, kR5G6B5 | kCommandBlit}};
    const Work copy =
        work("copy", with(base_block(64, 64, kCommandBlit), small).draw({0, 0, 64, 64}),
             {.grain = 0x40, .draw_budget = 2048});
    const Picture picture(copy);
    Machine from(copy.options);
    picture.prepare(from);
    from.start(kStreamAt, copy.stream.qwords());
    ASSERT_TRUE(from.go_to_draw());
    from.draw(copy.options.draw_budget);
    const StatePtr state = from.save();
    ASSERT_TRUE(state->de_draw_active);
    ASSERT_GT(state->de_draw_row, 0u);
    const Bytes half = from.ram.snapshot();
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        Machine m(copy.options);
        uint64_t refused = 0;
        for (const bool scarce : {true, false}) {
            m.ram.put(0, half.data(), half.size());
            const ScarceHeap heap(m.host, scarce ? refusal : Refusal{});
            EXPECT_EQ(m.load(*state), PIXMILL_OK);
            EXPECT_EQ(heap.requests(), 0u);
            m.go();
            EXPECT_EQ(m.peek(reg::kIdle) & 0xFF, 0xFFu);
            if (scarce)
                refused = heap.refused();
        }
        EXPECT_EQ(picture.difference(m), "");
        m.host_errors();
        return refused;
    });
    EXPECT_GT(attempts, 0u);
}

/* Other entry points must not allocate, so that they cannot fail. */
TEST(VivanteAllocation, OnlyCreationAndDrawingAsk) {
    Machine m;
    const ScarceHeap heap(m.host);
    for (uint32_t offset = 0; offset < 0x800; offset += 4) {
        if (offset != reg::kClock)
            m.try_set(offset, 4, 0);
        uint32_t value = 0;
        m.try_get(offset, 4, &value);
        m.peek(offset);
    }
    m.set(reg::kIntrAck + 0x700, 1); /* not a register, so it is logged */
    m.soft_reset();
    m.barrier();
    m.counters();
    auto state = std::make_unique<PixmillVivanteState>();
    m.host.entries++;
    for (const PixmillVivanteFault fault :
         {PIXMILL_VIVANTE_FAULT_MMU, PIXMILL_VIVANTE_FAULT_BUS, PIXMILL_VIVANTE_FAULT_LOST_IRQ,
          PIXMILL_VIVANTE_FAULT_HANG})
        pixmill_vivante.inject(m.gc(), fault);
    pixmill_vivante.interrupt(m.gc());
    pixmill_vivante.draw(m.gc(), 1);
    pixmill_vivante.save(m.gc(), state.get());
    EXPECT_EQ(pixmill_vivante.load(m.gc(), state.get()), PIXMILL_OK);
    pixmill_vivante.reset(m.gc());
    PixmillRegister row;
    for (size_t i = 0; pixmill_vivante.register_at(m.gc(), i, &row); i++) {
    }
    EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
    EXPECT_FALSE(pixmill_vivante_standby(m.gc()));
    m.host.entries--;
    m.start(kStreamAt, 2);
    m.go();
    EXPECT_EQ(heap.requests(), 0u);
    m.allow_logs();
}

} // namespace
} // namespace pixmill::test
