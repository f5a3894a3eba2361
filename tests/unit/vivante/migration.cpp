/*
 * Saving and loading at any command boundary and during draws, and loading states
 * that no core would save.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "reference.hpp"

namespace pixmill::test {
namespace {

using State = PixmillVivanteState;

struct Field {
    const char* name;
    size_t offset;
    size_t size;
    size_t unit;
};

#define PIXMILL_FIELD(name)                                                                        \
    {                                                                                              \
#name, offsetof(State, name), sizeof(State::name),                                         \
            sizeof(std::remove_all_extents_t <decltype(State::name)>)                              \
    }

const Field kFields[] = {
    PIXMILL_FIELD(model),
    PIXMILL_FIELD(reg),
    PIXMILL_FIELD(fscale),
    PIXMILL_FIELD(intr_pending),
    PIXMILL_FIELD(intr_level),
    PIXMILL_FIELD(fe_run),
    PIXMILL_FIELD(fe_address),
    PIXMILL_FIELD(fe_remaining),
    PIXMILL_FIELD(fe_latch),
    PIXMILL_FIELD(fe_latch_fresh),
    PIXMILL_FIELD(fe_swap),
    PIXMILL_FIELD(fe_word),
    PIXMILL_FIELD(fe_loop),
    PIXMILL_FIELD(fe_loop_remaining),
    PIXMILL_FIELD(fe_loop_wait),
    PIXMILL_FIELD(fe_loop_link),
    PIXMILL_FIELD(fe_loop_end),
    PIXMILL_FIELD(fe_loop_ns),
    PIXMILL_FIELD(fe_link_depth),
    PIXMILL_FIELD(fe_link_address),
    PIXMILL_FIELD(fe_link_remaining),
    PIXMILL_FIELD(fe_link_read),
    PIXMILL_FIELD(fe_semaphore),
    PIXMILL_FIELD(fe_deadline_ns),
    PIXMILL_FIELD(fe_activity_ns),
    PIXMILL_FIELD(mmu_mode),
    PIXMILL_FIELD(mmu_mtlb),
    PIXMILL_FIELD(mmu_safe),
    PIXMILL_FIELD(mmu_safe_set),
    PIXMILL_FIELD(mmu_extended),
    PIXMILL_FIELD(mmu_pta_index),
    PIXMILL_FIELD(mmu_frozen),
    PIXMILL_FIELD(state),
    PIXMILL_FIELD(de_brush_config),
    PIXMILL_FIELD(de_brush_low),
    PIXMILL_FIELD(de_brush_high),
    PIXMILL_FIELD(de_brush_bg),
    PIXMILL_FIELD(de_brush_fg),
    PIXMILL_FIELD(de_brush_pixel),
    PIXMILL_FIELD(de_draw_active),
    PIXMILL_FIELD(de_draw_filter),
    PIXMILL_FIELD(de_draw_state),
    PIXMILL_FIELD(de_draw_rects),
    PIXMILL_FIELD(de_draw_rect),
    PIXMILL_FIELD(de_draw_data_words),
    PIXMILL_FIELD(de_draw_data),
    PIXMILL_FIELD(de_draw_index),
    PIXMILL_FIELD(de_draw_row),
    PIXMILL_FIELD(de_draw_column),
    PIXMILL_FIELD(cycle_base_ns),
    PIXMILL_FIELD(cycle_offset),
    PIXMILL_FIELD(busy_ns),
    PIXMILL_FIELD(busy_since_ns),
    PIXMILL_FIELD(read_bytes),
    PIXMILL_FIELD(write_bytes),
    PIXMILL_FIELD(memory_counters_frozen),
    PIXMILL_FIELD(profile),
};

#undef PIXMILL_FIELD

uint8_t* at(State& s, const Field& f) {
    return reinterpret_cast<uint8_t*>(&s) + f.offset;
}

void expect_equal(State& a, State& b) {
    for (const Field& f : kFields)
        EXPECT_EQ(std::memcmp(at(a, f), at(b, f), f.size), 0) << f.name;
}

/* ---- Streams ------------------------------------------------------------ */

constexpr uint32_t kCalled = 0x9000;

/* Returns a random valid stream of states, draws, events, waits and calls. */
Stream random_stream(std::mt19937& random) {
    Stream s = base_block(32, 32, kCommandBlit).state(state::kSrcConfig, 0x06000040);
    for (int i = 0; i < 24; i++) {
        switch (pick(random, 0, 7)) {
        case 0:
            s.state(state::kSrcOrigin, pack_xy(pick(random, 0, 8), pick(random, 0, 8)));
            break;
        case 1:
            s.states(state::kVsFirst, Words(static_cast<size_t>(pick(random, 1, 9)), random()));
            break;
        case 2:
            s.event(kEventFromPe | static_cast<uint32_t>(pick(random, 0, 29)));
            break;
        case 3:
            s.wait(static_cast<uint32_t>(pick(random, 0, 2000)));
            break;
        case 4:
            s.sync();
            break;
        case 5:
            s.call(2, kCalled, 0xFFFF, kStreamAt + s.bytes() + 16);
            break;
        default: {
            std::vector<Rect> rects;
            for (int n = pick(random, 1, 4); n; n--) {
                const int x = pick(random, 0, 20);
                const int y = pick(random, 0, 20);
                rects.push_back({x, y, x + pick(random, 1, 12), y + pick(random, 1, 12)});
            }
            s.state(state::kRop, rop4(pick(random, 0, 1) ? 0xCC : 0x66)).draw(rects);
            break;
        }
        }
    }
    return s.end();
}

void prepare(Machine& m, const Stream& stream, uint32_t seed) {
    std::mt19937 random(seed);
    scribble(m, random, kSrcAt, 0x4000);
    scribble(m, random, kDstAt, 0x4000);
    m.put_stream(kStreamAt, stream);
    m.put_stream(kCalled, Stream().state(state::kVsFirst + 64, seed).ret());
    m.set(reg::kIntrEnable, 0x3FFFFFFF);
    m.start(kStreamAt, 0xFFFF);
}

void expect_same_outcome(Machine& a, Machine& b) {
    EXPECT_TRUE(a.ram.snapshot() == b.ram.snapshot()) << "memory differs";
    EXPECT_EQ(a.host.irq, b.host.irq);
    for (uint32_t offset : {0x04u, 0x10u, 0x14u, 0x660u, 0x664u, 0x668u, 0x66Cu})
        EXPECT_EQ(a.peek(offset), b.peek(offset)) << std::hex << offset;
    EXPECT_EQ(a.get(reg::kIntrAck), b.get(reg::kIntrAck));
    const StatePtr x = a.save();
    const StatePtr y = b.save();
    EXPECT_EQ(std::memcmp(x->state, y->state, sizeof x->state), 0);
    EXPECT_EQ(std::memcmp(x->profile, y->profile, sizeof x->profile), 0);
    EXPECT_EQ(x->write_bytes, y->write_bytes);
}

TEST(VivanteMigration, AfterEverySliceEqualsUninterrupted) {
    for (uint32_t seed = 0; seed < 12; seed++) {
        std::mt19937 random(seed);
        const Stream stream = random_stream(random);
        Machine straight;
        prepare(straight, stream, seed);
        straight.go(3'000'000);
        Machine moved({.budget = 1, .draw_budget = 100});
        prepare(moved, stream, seed);
        const int64_t end = moved.host.now + 3'000'000;
        while (moved.step(end)) { /* not after each step: a load stops the clock */
            if (random() % 2)
                moved.migrate();
        }
        moved.host.now = end;
        EXPECT_EQ(straight.get(reg::kIdle), kIdleAll) << seed;
        expect_same_outcome(straight, moved);
        if (testing::Test::HasFailure())
            FAIL() << "seed " << seed;
    }
}

TEST(VivanteMigration, LoadOfASaveIsTheSameSave) {
    std::mt19937 random(5);
    const Stream stream = random_stream(random);
    Machine m({.budget = 3, .draw_budget = 200});
    prepare(m, stream, 5);
    for (int i = 0; i < 60 && m.step(m.host.now + 100'000); i++) {
        const StatePtr before = m.save();
        m.migrate();
        const StatePtr after = m.save();
        expect_equal(*before, *after);
    }
}

TEST(VivanteMigration, SaveChangesNothing) {
    Machine m({.budget = 3});
    m.put_stream(kStreamAt, Stream().event(0x41).nop().nop().end());
    m.start(kStreamAt, 4);
    (void)m.run(2);
    const StatePtr a = m.save();
    const StatePtr b = m.save();
    expect_equal(*a, *b);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteMigration, ParkedFrontEndPollsOn) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.start(0x2000, 2);
    m.go(1'000'000'000);
    m.migrate();
    EXPECT_TRUE(m.host.run_requested);
    m.put_stream(0x3000, Stream().event(0x41).wait(200).link(2, 0x3008));
    m.ram.set_word(0x2004, 0x3000);
    m.ram.set_word(0x2000, op::kLink | 3);
    m.go(2'000'000);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_FALSE(m.host.irq);
}

TEST(VivanteMigration, PendingInterruptKeepsItsLevel) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(Stream().event(0x41));
    EXPECT_TRUE(m.host.irq);
    m.migrate();
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_FALSE(m.host.irq) << "the loaded core knows that the line is up";
}

TEST(VivanteMigration, FrozenHungAndStoppedStatesTravel) {
    const Stream streams[] = {Stream().raw({0, 0}), Stream().ret(), Stream().nop(),
                              Stream().link(1, 0x00C00000)};
    for (const Stream& stream : streams) {
        Machine m("gc320-am57xx");
        m.allow_logs();
        m.ram.set_words(0x20000, Words(1024, 2));
        m.ram.set_word(0x20000, 0x21001);
        for (uint32_t page = 0; page < 256; page++)
            m.ram.set_word(0x21000 + 4 * page, page << 12 | 5);
        m.run_stream(Stream().state(state::kMmuConfig, 0x20000));
        m.set(reg::kMmuControl, 1);
        m.run_stream(stream);
        Words before;
        for (uint32_t offset : {0x04u, 0x188u, 0x18Cu, 0x190u, 0x660u, 0x664u, 0x668u})
            before.push_back(m.peek(offset));
        m.migrate();
        m.go();
        Words after;
        for (uint32_t offset : {0x04u, 0x188u, 0x18Cu, 0x190u, 0x660u, 0x664u, 0x668u})
            after.push_back(m.peek(offset));
        EXPECT_EQ(before, after);
    }
}

/* The result of a draw() that run() has not handled yet must be part of the state. */
TEST(VivanteMigration, BusErrorBetweenDrawAndRunSurvives) {
    Machine m({.ram_size = 0x100000});
    m.ram.add(0x200000, 0x1000);
    m.put_stream(kStreamAt, select_2d()
                                .add(dest(0x200000, 1024, dest_config(kA8R8G8B8, kCommandClear)))
                                .add(clip(0, 0, 256, 8))
                                .state(state::kClear32, 1)
                                .draw({0, 0, 256, 8})
                                .event(0x41)
                                .end());
    m.start(kStreamAt, 100);
    ASSERT_TRUE(m.go_to_draw());
    m.draw(1 << 20);
    m.migrate();
    m.go();
    m.allow_logs();
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x100u);
}

TEST(VivanteMigration, FinishedDrawBetweenDrawAndRunIsNotDrawnAgain) {
    Machine m;
    m.put_stream(kStreamAt, base_block(8, 8, kCommandClear).draw({0, 0, 8, 8}).end());
    m.start(kStreamAt, 100);
    ASSERT_TRUE(m.go_to_draw());
    m.draw(1 << 20);
    m.migrate();
    EXPECT_NE(m.run(4096).action, PIXMILL_RUN_DRAW);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteMigration, CountersRunOn) {
    Machine m;
    m.set(reg::kCycleCounter, 0);
    m.host.now += 1'000'000;
    m.migrate();
    EXPECT_NEAR(m.get(reg::kCycleCounter), 400'000, 1);
    m.host.now += 1'000'000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 800'000, 1);
}

TEST(VivanteMigration, AnotherModelIsRefused) {
    for (const char* model : {"gc320-am57xx", "gc2000-imx6q", "gc320-imx6qp"}) {
        Machine from("gc320-imx6");
        Machine to(model);
        const StatePtr s = from.save();
        EXPECT_EQ(to.load(*s), PIXMILL_ERROR_STATE) << model;
        EXPECT_EQ(to.get(reg::kIdle), kIdleAll);
    }
}

TEST(VivanteMigration, RefusedLoadLeavesAPowerOnCore) {
    Machine m;
    m.set(reg::kIntrEnable, 0x123);
    m.set(reg::kPowerControls, 0x77);
    const StatePtr s = m.save();
    s->model = 0;
    EXPECT_EQ(m.load(*s), PIXMILL_ERROR_STATE);
    EXPECT_EQ(m.get(reg::kIntrEnable), 0u);
    EXPECT_EQ(m.get(reg::kPowerControls), 0x00140020u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    m.run_stream(Stream().event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* ---- Resets ------------------------------------------------------------- */

bool is_time(const Field& f) {
    const std::string name = f.name;
    return name.ends_with("_ns") || name == "cycle_offset";
}

void use_everything(Machine& m) {
    std::mt19937 random(25);
    prepare(m, random_stream(random), 25);
    m.go(3'000'000);
    m.run_stream(Stream().states(0x4000, Words(100, 7)).state(state::kSemaphore, kFeToPe).wait(1));
    for (uint32_t offset : {0x14u, 0x64u, 0x90u, 0x100u, 0x414u, 0x428u, 0x470u, 0x484u})
        m.set(offset, 0x01010101);
    m.set(reg::kClock, 8 << 2 | 0x200);
}

TEST(VivanteReset, PowerOnResetEqualsAFreshCore) {
    Machine fresh;
    Machine used;
    use_everything(used);
    used.reset();
    const StatePtr a = fresh.save();
    const StatePtr b = used.save();
    for (const Field& f : kFields) {
        if (!is_time(f)) {
            EXPECT_EQ(std::memcmp(at(*a, f), at(*b, f), f.size), 0) << f.name;
        }
    }
}

TEST(VivanteReset, SoftResetClearsStatesStreamAndCounters) {
    Machine fresh;
    Machine used;
    use_everything(used);
    used.soft_reset();
    const StatePtr a = fresh.save();
    const StatePtr b = used.save();
    for (const Field& f : kFields) {
        const std::string name = f.name;
        if (!is_time(f) && name != "reg" && name != "fscale") {
            EXPECT_EQ(std::memcmp(at(*a, f), at(*b, f), f.size), 0) << f.name;
        }
    }
}

/* ---- Corrupted state ---------------------------------------------------- */

/* Returns the state of a core in the middle of a draw, in a called stream. */
StatePtr busy_state(const char* model) {
    Machine m({.model = model, .draw_budget = 256});
    m.allow_logs();
    m.put_stream(kStreamAt, Stream().call(100, 0x4000, 1, kStreamAt + 0x10).end());
    m.put_stream(0x4000, base_block(64, 64, kCommandBlit)
                             .state(state::kSemaphore, kFeToPe)
                             .event(0x41)
                             .draw({{0, 0, 64, 64}, {3, 3, 9, 9}})
                             .ret());
    m.start(kStreamAt, 3);
    if (m.go_to_draw())
        m.draw(256);
    return m.save();
}

StatePtr parked_state(const char* model) {
    Machine m(model);
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.start(0x2000, 2);
    m.go();
    return m.save();
}

/* Loads @s and uses the core, even if the load fails. */
void exercise(const char* model, const State& s, const std::string& what) {
    Machine m({.model = model, .grain = 4096, .draw_budget = 4096});
    m.allow_logs();
    m.step_limit = 2000;
    m.put_stream(kStreamAt, Stream().call(100, 0x4000, 1, kStreamAt + 0x10).end());
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    const PixmillResult result = m.load(s);
    EXPECT_TRUE(result == PIXMILL_OK || result == PIXMILL_ERROR_STATE) << what;
    const int64_t end = m.host.now + 50'000;
    for (int i = 0; i < 200 && m.step(end); i++) {
    }
    for (uint32_t offset = 0; offset < 0x680; offset += 4) {
        uint32_t value = 0;
        (void)m.try_get(offset, 4, &value);
    }
    (void)m.save();
    (void)m.counters();
    m.soft_reset();
    m.draw(1 << 20);
    m.run_stream(Stream().event(0x41), 100'000);
    EXPECT_EQ(m.get(reg::kIntrAck) & 0x3FFFFFFF, 2u) << what;
}

void corrupt(const char* model, const State& good, const Field& f, size_t index, uint64_t value) {
    auto bad = std::make_unique<State>(good);
    std::memcpy(at(*bad, f) + index * f.unit, &value, f.unit);
    exercise(model, *bad,
             std::string(f.name) + "[" + std::to_string(index) + "] = " + std::to_string(value));
}

constexpr uint64_t kExtremes[] = {
    0,     1,  0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000,
    ~0ull, 17, 257,        2048};

/*
 * A state with an invalid array index must be rejected. It is not clamped, because no
 * core saves such a state.
 */
TEST(VivanteMigration, IndexesOutOfRangeAreRefused) {
    const struct {
        uint32_t State::*field;
        uint32_t value;
    } rows[] = {
        {&State::fe_run, 8},
        {&State::fe_run, ~0u},
        {&State::fe_link_depth, PIXMILL_VIVANTE_LINK_STACK + 1},
        {&State::fe_link_depth, ~0u},
        {&State::de_draw_rects, PIXMILL_VIVANTE_DE_MAX_RECTS + 1},
        {&State::de_draw_data_words, PIXMILL_VIVANTE_DE_MAX_DATA + 1},
        {&State::de_draw_index, 3}, /* the draw has two rectangles */
        {&State::fscale, 0},
        {&State::fscale, 65},
    };
    const StatePtr good = busy_state("gc320-imx6");
    for (const auto& row : rows) {
        Machine m;
        auto bad = std::make_unique<State>(*good);
        bad.get()->*row.field = row.value;
        EXPECT_EQ(m.load(*bad), PIXMILL_ERROR_STATE) << row.value;
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    }
}

/* The front end executes nothing during a draw, so most of its wait states are impossible then. */
TEST(VivanteMigration, FrontEndStatesDuringADraw) {
    enum Run : uint32_t {
        kStopped,
        kRunning,
        kWaiting,
        kParked,
        kFence,
        kStarved,
        kFaulted,
        kHung
    };
    const struct {
        Run run;
        bool possible;
    } rows[] = {{kStopped, true}, {kRunning, true}, {kWaiting, false}, {kParked, false},
                {kFence, false},  {kStarved, true}, {kFaulted, true},  {kHung, false}};
    const StatePtr good = busy_state("gc320-imx6");
    ASSERT_TRUE(good->de_draw_active);
    for (const auto& row : rows) {
        Machine m;
        auto state = std::make_unique<State>(*good);
        state->fe_run = row.run;
        EXPECT_EQ(m.load(*state), row.possible ? PIXMILL_OK : PIXMILL_ERROR_STATE) << row.run;
        state->de_draw_active = 0;
        EXPECT_EQ(m.load(*state), PIXMILL_OK) << row.run << " without a draw";
    }
}

/*
 * An active draw has at least one rectangle left, or is a filter blit. The pixel engine is stalled
 * only during a draw. Only the pixel engine and the front end can be stalled.
 */
TEST(VivanteMigration, ImpossibleDrawsAreRefused) {
    constexpr uint32_t stalled_fe = 1 << 0, stalled_tx = 1 << 1, stalled_pe = 1 << 2;
    const struct {
        uint32_t active, index, filter, frozen;
        PixmillResult result;
    } rows[] = {{1, 1, 0, 0, PIXMILL_OK},
                {1, 2, 0, 0, PIXMILL_ERROR_STATE},
                {1, 0, 1, 0, PIXMILL_ERROR_STATE},
                {1, 0, 0, stalled_pe, PIXMILL_OK},
                {0, 0, 0, stalled_pe, PIXMILL_ERROR_STATE},
                {0, 0, 0, stalled_fe, PIXMILL_OK},
                {0, 0, 0, stalled_tx, PIXMILL_ERROR_STATE}};
    const StatePtr good = busy_state("gc320-imx6");
    ASSERT_EQ(good->de_draw_rects, 2u);
    for (const auto& row : rows) {
        Machine m;
        auto state = std::make_unique<State>(*good);
        state->de_draw_active = row.active;
        state->de_draw_index = row.index;
        state->de_draw_filter = row.filter;
        state->mmu_frozen = row.frozen;
        EXPECT_EQ(m.load(*state), row.result) << &row - rows;
    }
}

/*
 * These states are possible and must load: a filter blit starts at the end of its LOAD_STATE even
 * if the front end has no more prefetched data there, and a guest may stop the front end.
 */
TEST(VivanteMigration, DrawsBesideAFrontEndThatHasStopped) {
    constexpr uint32_t stopped = 0, starved = 5;
    Stream setup = base_block(4, 4, 0x7000)
                       .state(0x1298, 0) /* VR_SOURCE_IMAGE_LOW */
                       .state(0x129C, pack_xy(4, 4))
                       .state(state::kVrTargetLow, 0)
                       .state(state::kVrTargetHigh, pack_xy(4, 4));
    for (const uint32_t run : {stopped, starved}) {
        Machine m;
        m.allow_logs();
        m.run_stream(setup);
        m.put_stream(0x2000, Stream().states(state::kVrConfig, {2, 0, pack_xy(4, 4)}).end());
        m.start(0x2000, run == starved ? 1 : 4);
        ASSERT_TRUE(m.go_to_draw());
        if (run == stopped)
            m.set(reg::kCommandControl, 0);
        const StatePtr saved = m.save();
        EXPECT_TRUE(saved->de_draw_active);
        EXPECT_EQ(saved->fe_run, run);
        m.migrate();
        m.go();
        EXPECT_FALSE(m.save()->de_draw_active);
    }
}

/* Loading must clear unused bits of states, including those of each source of a blit. */
TEST(VivanteMigration, StatesHaveNoBitsThatDoNotExist) {
    constexpr uint32_t block4_rotation_height = 0x128E4;
    Machine m("gc320-am57xx");
    const auto loaded = std::make_unique<State>(*busy_state("gc320-am57xx"));
    loaded->state[state::kSrcRotationHeight / 4] = loaded->state[block4_rotation_height / 4] =
        0x80000005;
    ASSERT_EQ(m.load(*loaded), PIXMILL_OK);
    const StatePtr saved = m.save();
    EXPECT_EQ(saved->state[state::kSrcRotationHeight / 4], 5u);
    EXPECT_EQ(saved->state[block4_rotation_height / 4], 5u);
}

class VivanteCorruptState : public testing::TestWithParam<const char*> {};

TEST_P(VivanteCorruptState, EveryFieldOutOfRangeIsHarmless) {
    const StatePtr states[] = {busy_state(GetParam()), parked_state(GetParam())};
    std::mt19937 random(22);
    for (const StatePtr& good : states) {
        for (const Field& f : kFields) {
            const size_t count = f.size / f.unit;
            for (uint64_t value : kExtremes) {
                corrupt(GetParam(), *good, f, 0, value);
                if (count > 1)
                    corrupt(GetParam(), *good, f, random() % count, value);
            }
        }
    }
}

TEST_P(VivanteCorruptState, DrawingStatesOutOfRangeAreHarmless) {
    const StatePtr good = busy_state(GetParam());
    const Field states{"state", offsetof(State, state), sizeof(State::state), 4};
    for (uint32_t addr = 0x1200; addr < 0x1400; addr += 4) {
        for (uint64_t value : {0xFFFFFFFFu, 0x80000000u, 0u})
            corrupt(GetParam(), *good, states, addr / 4, value);
    }
    for (uint32_t addr = 0x12800; addr < 0x12D00; addr += 4)
        corrupt(GetParam(), *good, states, addr / 4, 0x80000000);
}

TEST_P(VivanteCorruptState, RandomBytesAreHarmless) {
    const StatePtr good = busy_state(GetParam());
    std::mt19937 random(23);
    for (int round = 0; round < 100; round++) {
        auto bad = std::make_unique<State>(*good);
        for (const Field& f : kFields) {
            for (size_t i = 0; i < f.size; i++) {
                if (random() % 8 == 0)
                    at(*bad, f)[i] = static_cast<uint8_t>(random());
            }
        }
        bad->model = good->model; /* a different test checks the model */
        exercise(GetParam(), *bad, "round " + std::to_string(round));
    }
}

INSTANTIATE_TEST_SUITE_P(Models, VivanteCorruptState,
                         testing::Values("gc320-imx6", "gc320-am57xx", "gc7000-imx8mq"),
                         [](const auto& model) {
                             std::string name = model.param;
                             for (char& c : name)
                                 c = c == '-' ? '_' : c;
                             return name;
                         });

} // namespace
} // namespace pixmill::test
