/*
 * Injected faults: when they occur, and what the guest then sees.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <vector>

#include "../splitmix64.hpp"
#include "expect.hpp"
#include "reference.hpp"

namespace pixmill::test {
namespace {

constexpr int64_t kMs = 1'000'000;
constexpr uint32_t kHangDraw = 1; /* the unit "draw" of "hang" */

struct When {
    uint32_t unit = 0;
    uint64_t first = 1;
    uint32_t chance = 0;
    uint64_t seed = 0;
    int64_t after_ns = 0;
    int64_t length_ns = -1; /* the kind's default */
};

class Injected : public testing::Test {
protected:
    PixmillResult try_arm(PixmillVivanteFault fault, const When& when = {}) {
        const int64_t usual =
            fault < PIXMILL_VIVANTE_FAULTS ? pixmill_vivante.fault_kinds[fault].length_ns : 0;
        const PixmillInjection how{fault,
                                   when.unit,
                                   when.first,
                                   when.chance,
                                   when.seed,
                                   when.after_ns,
                                   when.length_ns < 0 ? usual : when.length_ns};
        m.host.entries++;
        const PixmillResult result = pixmill_vivante.arm(m.gc(), &how);
        m.host.entries--;
        return result;
    }
    void arm(PixmillVivanteFault fault, const When& when = {}) {
        ASSERT_EQ(try_arm(fault, when), PIXMILL_OK);
    }
    void raise(uint32_t id) { m.run_stream(Stream().event(kEventFromPe | id)); }
    /* Raises an event and returns true if it is pending afterwards. */
    bool event_arrives() {
        raise(1);
        return m.get(reg::kIntrAck) == 2;
    }
    void hang() {
        arm(PIXMILL_VIVANTE_FAULT_HANG);
        m.run_stream(Stream().nop());
        ASSERT_EQ(m.get(reg::kIdle), kIdleButFe);
    }

    Machine m;
};

/* ---- When --------------------------------------------------------------- */

TEST_F(Injected, OccursAtTheNthOpportunityOnce) {
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.first = 3});
    std::vector<bool> seen;
    for (int i = 0; i < 6; i++)
        seen.push_back(event_arrives());
    EXPECT_EQ(seen, (std::vector<bool>{true, true, false, true, true, true}));
}

TEST_F(Injected, OccursWithTheProbabilityOfTheSeed) {
    for (const uint64_t seed : {0u, 1u, 77u}) {
        arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.chance = 3000, .seed = seed});
        SplitMix64 random(seed);
        int lost = 0;
        for (int i = 0; i < 200; i++) {
            const bool arrives = random.next() % 10000 >= 3000;
            ASSERT_EQ(event_arrives(), arrives) << seed << ", event " << i;
            lost += !arrives;
        }
        EXPECT_TRUE(lost > 30 && lost < 90) << lost << " of 200 at 30 percent";
    }
}

TEST_F(Injected, AProbabilityBeginsAtTheNthOpportunity) {
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.first = 4, .chance = 10000});
    for (int i = 1; i <= 8; i++)
        EXPECT_EQ(event_arrives(), i < 4) << i;
}

TEST_F(Injected, OccursAfterATime) {
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.after_ns = 10 * kMs});
    EXPECT_TRUE(event_arrives());
    m.go(11 * kMs);
    EXPECT_FALSE(event_arrives());
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injected, SurvivesResetsAndCanBeSwitchedOff) {
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.chance = 10000});
    m.soft_reset();
    m.reset();
    EXPECT_FALSE(event_arrives());
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.first = 0});
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injected, RefusesValuesOutOfRange) {
    constexpr auto kArgument = PIXMILL_ERROR_ARGUMENT;
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULTS), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.unit = 1}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_HANG, {.unit = 2}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_HANG, {.chance = 10001}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_HANG, {.first = uint64_t{1} << 48}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_HANG, {.after_ns = -1}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_HANG, {.after_ns = INT64_MAX}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_HANG, {.length_ns = 1}), kArgument) << "has no length";
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_STALL, {.length_ns = 0}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_STALL, {.length_ns = INT64_MAX}), kArgument);
    EXPECT_EQ(try_arm(PIXMILL_VIVANTE_FAULT_FUSED_OFF, {.chance = 1}), kArgument) << "lasts";
    EXPECT_TRUE(event_arrives());
}

TEST(InjectedVg, HasNoFetchThatStalls) {
    Machine m("gc355");
    const PixmillInjection how{PIXMILL_VIVANTE_FAULT_STALL, 0, 1, 0, 0, 0, kMs};
    EXPECT_EQ(pixmill_vivante.arm(m.gc(), &how), PIXMILL_ERROR_ARGUMENT);
}

/* ---- Front end and memory ----------------------------------------------- */

TEST_F(Injected, HangAtACommand) {
    arm(PIXMILL_VIVANTE_FAULT_HANG, {.first = 3});
    m.run_stream(Stream().event(0x41).event(0x42).event(0x43));
    EXPECT_EQ(m.get(reg::kIntrAck), 6u) << "the third command is not executed";
    expect_hung(m);
    expect_soft_reset_recovers(m);
}

TEST_F(Injected, HangAtADraw) {
    arm(PIXMILL_VIVANTE_FAULT_HANG, {.unit = kHangDraw, .first = 2});
    m.run_stream(poke_pixel(kDstAt, 7).add(poke_pixel(kDstAt + 4, 8)).event(0x41));
    EXPECT_EQ(m.ram.word(kDstAt), 7u);
    EXPECT_EQ(m.ram.word(kDstAt + 4), 0u);
    expect_hung(m);
    expect_soft_reset_recovers(m);
}

TEST_F(Injected, HangAtATime) {
    arm(PIXMILL_VIVANTE_FAULT_HANG, {.after_ns = 5 * kMs});
    EXPECT_TRUE(event_arrives());
    m.go(5 * kMs);
    m.run_stream(Stream().event(0x41));
    expect_hung(m);
}

TEST_F(Injected, AFetchThatStallsGoesOn) {
    arm(PIXMILL_VIVANTE_FAULT_STALL, {.first = 2, .length_ns = 50 * kMs});
    m.run_stream(Stream().event(0x41).event(0x42).event(0x43), kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 6u);
    m.go(45 * kMs);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe) << "reads of registers do not end the stall";
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    m.go(10 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
    expect_stopped(m);
}

TEST_F(Injected, EveryFetchStallsOnce) {
    arm(PIXMILL_VIVANTE_FAULT_STALL, {.chance = 10000, .length_ns = kMs});
    m.run_stream(Stream().nop().nop().nop().event(0x41), 5 * kMs / 2);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    m.go(2 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* Each draw makes the same accesses, so a later access belongs to the same or a later draw. */
TEST_F(Injected, BusErrorAtAnAccess) {
    constexpr uint32_t kDraws = 6;
    uint32_t before = 0;
    for (uint32_t access = 1; access <= kDraws; access++) {
        Stream stream;
        for (uint32_t i = 0; i < kDraws; i++)
            stream.add(poke_pixel(kDstAt + 4 * i, 7));
        m.ram.set_words(kDstAt, Words(kDraws, 0));
        arm(PIXMILL_VIVANTE_FAULT_BUS, {.first = access});
        m.run_stream(stream.event(0x41));
        EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2) << access;
        const Words pixels = m.ram.words(kDstAt, kDraws);
        const auto missing =
            static_cast<uint32_t>(std::find(pixels.begin(), pixels.end(), 0u) - pixels.begin());
        EXPECT_EQ(std::count(pixels.begin(), pixels.end(), 0u), 1) << access;
        if (access == 1) {
            EXPECT_EQ(missing, 0u);
        }
        EXPECT_GE(missing, before);
        before = missing;
        m.allow_logs();
    }
    EXPECT_GT(before, 0u);
}

/* ---- Interrupts --------------------------------------------------------- */

TEST_F(Injected, AnEventThatIsLate) {
    m.set(reg::kIntrEnable, ~0u);
    arm(PIXMILL_VIVANTE_FAULT_LATE_IRQ, {.length_ns = 20 * kMs});
    raise(3);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll) << "the core is idle before the event";
    m.go(18 * kMs);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    m.go(2 * kMs);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injected, AResetDropsALateEvent) {
    arm(PIXMILL_VIVANTE_FAULT_LATE_IRQ, {.length_ns = 20 * kMs});
    raise(3);
    m.soft_reset();
    m.go(30 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

TEST_F(Injected, AnEventThatComesTwice) {
    m.set(reg::kIntrEnable, ~0u);
    arm(PIXMILL_VIVANTE_FAULT_DOUBLE_IRQ, {.length_ns = 5 * kMs});
    raise(3);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
    EXPECT_FALSE(m.host.irq);
    m.go(5 * kMs);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
    m.go(20 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

TEST_F(Injected, AnInterruptOfAnotherDevice) {
    m.set(reg::kIntrEnable, ~0u);
    arm(PIXMILL_VIVANTE_FAULT_FOREIGN_IRQ, {.length_ns = kMs});
    m.go(5 * kMs);
    EXPECT_FALSE(m.host.irq) << "it follows an interrupt of the core";
    raise(3);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_TRUE(m.host.irq);
    m.go(kMs);
    EXPECT_FALSE(m.host.irq);
    EXPECT_TRUE(event_arrives());
    EXPECT_FALSE(m.host.irq);
}

TEST_F(Injected, IdleBitsThatAreEarly) {
    m.put_stream(kStreamAt, Stream().wait(200).link(2, kStreamAt));
    m.start(kStreamAt, 2);
    m.go();
    arm(PIXMILL_VIVANTE_FAULT_EARLY_IDLE, {.first = 2});
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(m.peek(reg::kIdle), kIdleAll) << "what the next read returns";
    EXPECT_EQ(m.peek(reg::kIdle), kIdleAll) << "a peek is no opportunity";
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
}

TEST_F(Injected, IdleBitsThatAreLate) {
    arm(PIXMILL_VIVANTE_FAULT_LATE_IDLE);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

/* ---- Power and reset ---------------------------------------------------- */

TEST_F(Injected, AWriteLandsAfterTheNextRead) {
    const uint32_t usual = m.get(reg::kPowerControls);
    arm(PIXMILL_VIVANTE_FAULT_POSTED);
    m.set(reg::kPowerControls, usual | 1);
    EXPECT_EQ(m.get(reg::kPowerControls), usual);
    EXPECT_EQ(m.get(reg::kPowerControls), usual | 1);
    m.set(reg::kPowerControls, usual);
    EXPECT_EQ(m.get(reg::kPowerControls), usual);
}

TEST_F(Injected, PostedWritesStayInOrder) {
    arm(PIXMILL_VIVANTE_FAULT_POSTED);
    m.set(reg::kPulseEater, 1);
    m.set(reg::kPulseEater, 2);
    EXPECT_EQ(m.get(reg::kPulseEater), 2u);
    EXPECT_EQ(m.get(reg::kPulseEater), 2u);
}

TEST_F(Injected, OnlyPowerAndClockRegistersArePosted) {
    arm(PIXMILL_VIVANTE_FAULT_POSTED);
    m.set(reg::kIntrEnable, 5);
    EXPECT_EQ(m.get(reg::kIntrEnable), 5u);
    raise(1);
    m.set(reg::kClock, 0x1100); /* SOFT_RESET */
    EXPECT_EQ(m.get(reg::kIntrAck), 0u) << "a reset is never late";
}

TEST_F(Injected, AResetThatDoesNotTake) {
    hang();
    arm(PIXMILL_VIVANTE_FAULT_RESET_FAILS);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_TRUE(event_arrives());
}

TEST(InjectedMmu, StaysOnIfAResetDoesNotTake) {
    Machine m("gc320-am57xx");
    m.set(reg::kMmuControl, 1);
    const PixmillInjection how{PIXMILL_VIVANTE_FAULT_RESET_FAILS, 0, 1, 0, 0, 0, 0};
    m.host.entries++;
    ASSERT_EQ(pixmill_vivante.arm(m.gc(), &how), PIXMILL_OK);
    m.host.entries--;
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kMmuControl), 1u);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kMmuControl), 0u);
}

TEST_F(Injected, ModulesThatStayBusyAfterAReset) {
    constexpr uint32_t kDeAndPe = 0x6; /* rnndb IDLE_STATE */
    hang();
    arm(PIXMILL_VIVANTE_FAULT_RESET_BUSY);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll & ~kDeAndPe);
    EXPECT_EQ(m.get(reg::kClock) & 0x30000, 0x30000u) << "the idle bits of 2D and 3D";
    m.go(1000 * kMs);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll & ~kDeAndPe);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST_F(Injected, ACoreThatIsFusedOff) {
    const uint32_t enabled = m.get(reg::kIntrEnable);
    arm(PIXMILL_VIVANTE_FAULT_FUSED_OFF, {.first = 2});
    EXPECT_NE(m.get(reg::kModel), 0u) << "the first access";
    for (uint32_t offset = 0; offset < 0x700; offset += 4)
        EXPECT_EQ(m.get(offset), 0u) << std::hex << offset;
    EXPECT_EQ(m.peek(reg::kModel), 0u);
    m.set(reg::kIntrEnable, ~enabled);
    arm(PIXMILL_VIVANTE_FAULT_FUSED_OFF, {.first = 0});
    EXPECT_EQ(m.get(reg::kModel), 0x320u);
    EXPECT_EQ(m.get(reg::kIntrEnable), enabled) << "the write is ignored";
}

/* ---- Migration ---------------------------------------------------------- */

TEST_F(Injected, CountsOnAfterAMigration) {
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.first = 3});
    EXPECT_TRUE(event_arrives());
    m.migrate();
    EXPECT_TRUE(event_arrives());
    m.migrate();
    EXPECT_FALSE(event_arrives());
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injected, RandomNumbersGoOnAfterAMigration) {
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.chance = 5000, .seed = 9});
    SplitMix64 random(9);
    for (int i = 0; i < 60; i++) {
        ASSERT_EQ(event_arrives(), random.next() % 10000 >= 5000) << i;
        if (i % 7 == 0)
            m.migrate();
    }
}

TEST_F(Injected, AccessesCountOnAfterAMigration) {
    const auto draw = [this](uint32_t at) {
        m.ram.set_word(at, 0);
        m.run_stream(poke_pixel(at, 7).event(0x41));
        return m.get(reg::kIntrAck) == 2;
    };
    m.allow_logs();
    std::vector<bool> expected;
    for (const bool migrates : {false, true}) {
        std::vector<bool> seen;
        arm(PIXMILL_VIVANTE_FAULT_BUS, {.first = 7});
        for (int i = 0; i < 12; i++) {
            seen.push_back(draw(kDstAt));
            if (migrates)
                m.migrate();
        }
        EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 1);
        if (migrates) {
            EXPECT_EQ(seen, expected);
        }
        expected = seen;
    }
}

TEST_F(Injected, EffectsInProgressSurviveAMigration) {
    m.set(reg::kIntrEnable, ~0u);
    arm(PIXMILL_VIVANTE_FAULT_RESET_BUSY);
    m.soft_reset();
    arm(PIXMILL_VIVANTE_FAULT_LATE_IRQ, {.length_ns = 20 * kMs});
    arm(PIXMILL_VIVANTE_FAULT_POSTED);
    m.set(reg::kIntrEnable, ~0u);
    raise(3);
    m.set(reg::kPulseEater, 1);
    m.migrate();
    EXPECT_NE(m.get(reg::kPulseEater), 1u);
    EXPECT_EQ(m.get(reg::kPulseEater), 1u);
    EXPECT_EQ(m.get(reg::kIdle) & 6, 0u);
    m.go(25 * kMs);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
}

TEST_F(Injected, AStallSurvivesAMigration) {
    arm(PIXMILL_VIVANTE_FAULT_STALL, {.length_ns = 5000 * kMs});
    m.run_stream(Stream().nop().event(0x41));
    m.migrate();
    m.go(4900 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    m.go(200 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST_F(Injected, AForeignInterruptEndsAfterAMigration) {
    m.set(reg::kIntrEnable, ~0u);
    arm(PIXMILL_VIVANTE_FAULT_FOREIGN_IRQ, {.length_ns = 5 * kMs});
    raise(3);
    m.get(reg::kIntrAck);
    m.migrate();
    EXPECT_TRUE(m.host.irq);
    m.go(6 * kMs);
    EXPECT_FALSE(m.host.irq);
}

TEST_F(Injected, RefusesImpossibleStates) {
    const auto refuses = [this](auto change) {
        const StatePtr state = m.save();
        state->inject_left[PIXMILL_VIVANTE_FAULT_STALL] = 1;
        state->inject_length_ns[PIXMILL_VIVANTE_FAULT_STALL] = kMs;
        EXPECT_EQ(m.load(*state), PIXMILL_OK);
        change(*state);
        return m.load(*state) == PIXMILL_ERROR_STATE;
    };
    constexpr auto kStall = PIXMILL_VIVANTE_FAULT_STALL;
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) { s.inject_unit[kStall] = 1; }));
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) { s.inject_chance[kStall] = 10001; }));
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) { s.inject_length_ns[kStall] = -1; }));
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) { s.inject_length_ns[kStall] = INT64_MAX; }));
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) { s.posted = 2; }));
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) {
        s.posted = 1;
        s.posted_register = 0xFFFFFFFC;
    }));
    EXPECT_TRUE(refuses([](PixmillVivanteState& s) {
        s.posted = 1;
        s.posted_register = reg::kClock;
        s.posted_value = 0x1000; /* SOFT_RESET */
    }));
    EXPECT_TRUE(event_arrives()) << "nothing is injected after a refusal";
}

/* The core finds that a draw in progress is impossible only after it has taken over the state. */
TEST_F(Injected, ARefusedDrawLeavesNothingInjected) {
    constexpr uint32_t kDestConfigIndex = (state::kDestConfig - 0x1200) / 4;
    constexpr uint32_t kUndefinedCommand = 0xF000;
    m.allow_logs();
    arm(PIXMILL_VIVANTE_FAULT_LOST_IRQ, {.chance = 10000});
    arm(PIXMILL_VIVANTE_FAULT_BUS, {.first = 100});
    const Stream stream = poke_pixel(kDstAt, 7).end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    ASSERT_TRUE(m.go_to_draw());
    const StatePtr bad = m.save();
    ASSERT_EQ(bad->de_draw_active, 1u);
    bad->de_draw_state[kDestConfigIndex] |= kUndefinedCommand;
    EXPECT_EQ(m.load(*bad), PIXMILL_ERROR_STATE);
    const StatePtr left = m.save();
    for (unsigned fault = 0; fault < PIXMILL_VIVANTE_FAULTS; fault++)
        EXPECT_EQ(left->inject_left[fault], 0u) << fault;
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injected, ClampsTimesOfAStream) {
    const StatePtr state = m.save();
    state->late_events = 8;
    state->late_ns = INT64_MAX;
    state->foreign_ns = INT64_MAX;
    ASSERT_EQ(m.load(*state), PIXMILL_OK);
    m.go(61'000 * kMs);
    EXPECT_EQ(m.get(reg::kIntrAck), 8u);
    EXPECT_FALSE(m.host.irq);
}

} // namespace
} // namespace pixmill::test
