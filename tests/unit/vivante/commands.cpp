/*
 * Opcodes, semaphores, events, waits and endless streams; traces and counters. Encodings: rnndb
 * cmdstream and common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>

#include "expect.hpp"

namespace pixmill::test {
namespace {

/* ---- Opcodes ------------------------------------------------------------ */

TEST(VivanteFrontEnd, UndefinedOpcodesHang) {
    for (uint32_t opcode = 0; opcode < 32; opcode++) {
        if (!(opcode == 0 || opcode == 14 || opcode == 17 || opcode == 18 || opcode >= 20))
            continue;
        Machine m;
        m.ram.set_words(0x1000, {opcode << 27, 0});
        m.start(0x1000, 8);
        m.go();
        SCOPED_TRACE(opcode);
        expect_hung(m);
        EXPECT_EQ(m.get(reg::kFeAddress), 0x1008u);
        EXPECT_EQ(m.guest_errors(), 1u);
        expect_soft_reset_recovers(m);
    }
}

TEST(VivanteFrontEnd, UndefinedOpcodeInMidStreamKeepsWhatCameBefore) {
    Machine m;
    m.put_stream(0x1000, Stream()
                             .state(state::kSrcStride, 0x40)
                             .event(kEventFromFe | 1)
                             .raw({0xF8000000, 0})
                             .event(kEventFromFe | 2)
                             .end());
    m.start(0x1000, 8);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.state(state::kSrcStride), 0x40u);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x1018u);
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteFrontEnd, HungStreamCanBeRestarted) {
    Machine m;
    m.run_stream(Stream().raw({0, 0}));
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
    m.run_stream(Stream().event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    expect_stopped(m);
}

struct Unsupported {
    const char* model;
    std::initializer_list<uint32_t> words;
};

/* Unsupported opcodes must consume their operands, log one message, and draw nothing. */
TEST(VivanteFrontEnd, OpcodesTheCoreLacksConsumeTheirOperands) {
    const uint32_t kTrap = 0xF8000000; /* an operand executed as a command would hang */
    const Unsupported rows[] = {
        {"gc2000-imx6q", {op::kDraw2d | 2 << 8, kTrap, kTrap, kTrap, kTrap, kTrap}},
        {"gc2000-imx6q", {op::kDraw2d | 3 << 16 | 1 << 8, 0, kTrap, kTrap, kTrap, kTrap, kTrap, 0}},
        {"gc320-imx6", {op::kDrawPrimitives, 4, kTrap, kTrap}},
        {"gc320-imx6", {op::kDrawIndexed, 4, kTrap, kTrap, kTrap, kTrap}},
        {"gc320-imx6", {op::kDrawInstanced | 4 << 16, kTrap, kTrap, kTrap}},
        {"gc320-imx6", {op::kWaitFence, kTrap}},
        {"gc320-imx6", {op::kDrawIndirect | 4, kTrap}},
        {"gc320-imx6", {op::kSnapPages, kTrap}},
        {"gc860-jz4770", {op::kDrawInstanced | 4 << 16, kTrap, kTrap, kTrap}},
        {"gc2000-imx6q", {op::kWaitFence, kTrap}},
        {"gc2000-imx6q", {op::kDrawIndirect | 4, kTrap}},
    };
    for (const Unsupported& row : rows) {
        Machine m(row.model);
        m.run_stream(Stream().raw(row.words).event(kEventFromFe | 1));
        SCOPED_TRACE(row.model);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << std::hex << *row.words.begin();
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
        EXPECT_EQ(m.counters().draws, 0u);
        EXPECT_EQ(m.guest_errors(), 1u) << std::hex << *row.words.begin();
    }
}

TEST(VivanteFrontEnd, DrawsOfPipesThatAreNotModelledAreReportedAsUnimplemented) {
    const uint32_t kTrap = 0xF8000000;
    const Unsupported rows[] = {
        {"gc7000-imx8mq", {op::kDrawPrimitives, 4, 0, 1}},
        {"gc7000-imx8mq", {op::kDrawIndexed, 4, 0, 1, 0, kTrap}},
        {"gc7000-imx8mq", {op::kDrawInstanced | 4 << 16 | 1, 3, 0, kTrap}},
        {"gc2000-imx6q", {op::kDrawInstanced | 4 << 16 | 1, 3, 0, kTrap}},
    };
    for (const Unsupported& row : rows) {
        Machine m(row.model);
        for (int i = 0; i < 2; i++) {
            m.run_stream(Stream().raw(row.words).event(kEventFromFe | 1));
            EXPECT_EQ(m.get(reg::kIntrAck), 2u) << std::hex << *row.words.begin();
        }
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
        EXPECT_EQ(m.unimplemented(), 1u) << std::hex << *row.words.begin();
    }
}

/* On hardware, 3D commands in the 2D pipe hang (etna_viv). The model skips them. */
TEST(VivanteFrontEnd, ThreeDimensionalDrawInThe2dPipeIsSkippedAndLogged) {
    Machine m("gc860-jz4770");
    m.run_stream(Stream()
                     .state(state::kPipeSelect, 1)
                     .raw({op::kDrawPrimitives, 4, 0xF8000000, 0xF8000000})
                     .event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.guest_errors() + m.unimplemented(), 1u);
}

TEST(VivanteFrontEnd, ChipSelectIsAcceptedEverywhere) {
    Machine m;
    m.run_stream(Stream().raw({op::kChipSelect | 0xFFFF, kPadWord}).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, ChipSelectWithoutChipZeroIsLoggedOnce) {
    Machine m;
    const Stream select = Stream().raw({op::kChipSelect | 0xFFFE, kPadWord});
    m.run_stream(Stream().add(select).add(select).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.guest_errors() + m.unimplemented(), 1u);
}

TEST(VivanteFrontEnd, SnapPagesIsANopWhereItExists) {
    Machine m("gc7000-imx8mq");
    m.run_stream(Stream().raw({op::kSnapPages, kPadWord}).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* ---- Semaphores --------------------------------------------------------- */

TEST(VivanteFrontEnd, SemaphoreAndStallWithIdleEnginesPass) {
    for (uint32_t token : {0x701u, 0x501u, 0xB01u, 0x101u, 0x30000701u}) {
        Machine m("gc2000-imx6q");
        m.run_stream(Stream().sync(token).event(kEventFromFe | 1));
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << std::hex << token;
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    }
}

TEST(VivanteFrontEnd, BltSemaphoreInItsBracketPasses) {
    Machine m("gc7000-imx8mq"); /* as linux etnaviv_buffer_queue() does on BLT cores */
    m.run_stream(Stream()
                     .state(state::kBltEnable, 1)
                     .state(state::kBltCommand, 1)
                     .state(state::kBltEnable, 0)
                     .state(state::kBltEnable, 1)
                     .sync(0x30001001)
                     .state(state::kBltEnable, 0)
                     .event(kEventFromPe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, RegisterFormOfStallIsANop) {
    Machine m;
    m.run_stream(Stream().state(state::kStallToken, 0x701).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, StallWithoutSemaphorePassesAndIsLogged) {
    Machine m;
    m.run_stream(Stream().stall(kFeToPe).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteFrontEnd, StallConsumesTheSemaphore) {
    Machine m;
    m.run_stream(Stream().sync().stall(kFeToPe).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteFrontEnd, StallOnAnUnknownRecipientPassesAndIsLogged) {
    for (uint32_t token : {0x1F01u, 0x001u, 0x601u}) {
        Machine m;
        m.run_stream(Stream().sync(token).event(kEventFromFe | 1));
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << std::hex << token;
        EXPECT_GE(m.guest_errors(), 1u) << std::hex << token;
    }
}

/* ---- Events ------------------------------------------------------------- */

TEST(VivanteFrontEnd, EventsSetTheirBit) {
    Machine m;
    for (uint32_t id = 0; id < 30; id++) {
        for (uint32_t from : {0x00u, 0x20u, 0x40u, 0x60u}) {
            m.run_stream(Stream().event(from | id));
            EXPECT_EQ(m.get(reg::kIntrAck), 1u << id) << from;
        }
    }
}

TEST(VivanteFrontEnd, BltEventSetsItsBit) {
    Machine m("gc7000-imx8mq");
    m.run_stream(Stream().state(state::kBltEnable, 1).event(0x82).state(state::kBltEnable, 0));
    EXPECT_EQ(m.get(reg::kIntrAck), 4u);
}

TEST(VivanteFrontEnd, EventSourceFieldOfGc320IsAccepted) {
    Machine m("gc320-am57xx");
    for (uint32_t source : {1u, 7u, 0xBu}) {
        m.run_stream(Stream().event(source << 8 | 5));
        EXPECT_EQ(m.get(reg::kIntrAck), 0x20u) << source;
    }
}

TEST(VivanteFrontEnd, EventIds30And31AreIgnoredAndLogged) {
    for (uint32_t id : {30u, 31u}) {
        Machine m;
        m.set(reg::kIntrEnable, ~0u);
        m.run_stream(Stream().event(kEventFromPe | id));
        EXPECT_FALSE(m.host.irq);
        EXPECT_EQ(m.get(reg::kIntrAck), 0u);
        EXPECT_EQ(m.guest_errors(), 1u);
    }
}

TEST(VivanteFrontEnd, PendingEventsMerge) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(Stream().event(0x45).event(0x45).event(0x46));
    EXPECT_EQ(m.host.irq_changes, 1u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x60u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

struct IrqView {
    Machine* machine;
    uint32_t address_at_irq;
    uint32_t idle_at_irq;
};

TEST(VivanteFrontEnd, EventBecomesVisibleAfterTheEndThatFollows) {
    Machine m; /* the interrupt handler reads 0x664 immediately */
    IrqView view{&m, 0, 0};
    m.set(reg::kIntrEnable, ~0u);
    m.put_stream(0x6000, Stream().event(0x47).end());
    m.start(0x6000, 2);
    /* With any slice size, 0x664 must be correct as soon as the line is high. */
    const int64_t end = m.host.now + 1'000'000;
    m.budget = 1;
    while (!m.host.irq && m.step(end)) {
    }
    ASSERT_TRUE(m.host.irq);
    view.address_at_irq = m.get(reg::kFeAddress);
    view.idle_at_irq = m.get(reg::kIdle);
    EXPECT_EQ(view.address_at_irq, 0x6010u);
    EXPECT_EQ(view.idle_at_irq, kIdleAll);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x80u);
}

TEST(VivanteFrontEnd, SyncPointRestartsAtTheWaitAfterTheEnd) {
    Machine m; /* as linux sync_point_worker() does */
    m.put_stream(0x6000, Stream().event(0x47).end().wait(200).link(2, 0x6010));
    m.start(0x6000, 2);
    m.go();
    m.set(reg::kCommandAddress, m.get(reg::kFeAddress) + 2);
    m.set(reg::kCommandControl, 0x10002);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    const uint32_t at = m.get(reg::kFeAddress);
    EXPECT_TRUE(at == 0x6018 || at == 0x6020) << std::hex << at;
}

TEST(VivanteFrontEnd, EndEventIsRaisedWhereTheCoreHasIt) {
    for (const char* model : {"gc880-imx6dl", "gc3000-imx6qp", "gc7000-imx8mq"}) {
        Machine m(model);
        put_bytes(m, 0x1000, {0x03, 0x01, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00});
        m.start(0x1000, 1);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 8u) << model;
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    }
}

TEST(VivanteFrontEnd, EndEventIsIgnoredAndLoggedElsewhere) {
    for (const char* model : {"gc320-imx6", "gc320-am57xx", "gc2000-imx6q"}) {
        Machine m(model);
        m.ram.set_words(0x1000, {0x10000103, 0});
        m.start(0x1000, 1);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 0u) << model;
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
        EXPECT_EQ(m.guest_errors(), 1u) << model;
    }
}

TEST(VivanteFrontEnd, EndWithoutEventEnableRaisesNothing) {
    Machine m("gc880-imx6dl");
    m.ram.set_words(0x1000, {0x10000003, 0});
    m.start(0x1000, 1);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

/* ---- WAIT --------------------------------------------------------------- */

TEST(VivanteFrontEnd, WaitLastsItsCyclesOfVirtualTime) {
    Machine m({.core_clock_hz = 100'000'000});
    m.put_stream(0x1000, Stream().wait(10'000).event(kEventFromFe | 1).end());
    m.start(0x1000, 3);
    m.go(90'000);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x1008u);
    EXPECT_EQ(m.get(reg::kFeDebugState), 0x812u);
    EXPECT_EQ(m.get(reg::kFeLow), op::kWait | 10'000);
    EXPECT_EQ(m.get(reg::kFeHigh), kPadWord);
    m.go(20'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, WaitScalesWithTheClockDivider) {
    Machine m({.core_clock_hz = 100'000'000});
    m.set(reg::kClock, 16 << 2 | 0x200);
    m.put_stream(0x1000, Stream().wait(10'000).event(kEventFromFe | 1).end());
    m.start(0x1000, 3);
    m.go(390'000);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    m.go(20'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, WaitZeroTakesNoTimeToSpeakOf) {
    Machine m;
    m.run_stream(Stream().wait(0).wait(0).wait(0).event(kEventFromFe | 1), 10'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, LongWaitInAUserStreamIsHonoured) {
    Machine m({.core_clock_hz = 100'000'000});
    m.put_stream(0x1000, Stream().wait(0xFFFF).wait(0xFFFF).event(kEventFromFe | 1).end());
    m.start(0x1000, 4);
    m.go(1'300'000);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    m.go(20'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* ---- WAIT_FENCE --------------------------------------------------------- */

TEST(VivanteFrontEnd, WaitFenceBlocksUntilMemoryHoldsTheValue) {
    Machine m("gc7000-imx8mq");
    m.put_stream(0x1000, Stream()
                             .state(state::kFenceLow, 0x89ABCDEF)
                             .state(state::kFenceHigh, 0x01234567)
                             .raw({op::kWaitFence | 100, 0x9000})
                             .event(kEventFromFe | 1)
                             .end());
    m.start(0x1000, 5);
    m.go(5'000'000);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    m.ram.set_word(0x9000, 0x89ABCDEF);
    m.go(5'000'000);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    m.ram.set_word(0x9004, 0x01234567);
    m.go(5'000'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* Another core may store the value, which no barrier announces. */
TEST(VivanteFrontEnd, WaitFenceIsPolledOftenWhateverTheMinimum) {
    Machine m({.model = "gc7000-imx8mq", .poll_min_ns = 1'000'000});
    m.put_stream(0x1000, Stream()
                             .state(state::kFenceLow, 1)
                             .raw({op::kWaitFence | 1, 0x9000})
                             .event(kEventFromFe | 1)
                             .end());
    m.start(0x1000, 4);
    m.go(200'000);
    m.ram.set_word(0x9000, 1);
    m.go(50'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, WaitFenceThatNeverComesCostsLittle) {
    Machine m("gc7000-imx8mq");
    m.put_stream(0x1000,
                 Stream().state(state::kFenceLow, 1).raw({op::kWaitFence | 1, 0x9000}).end());
    m.start(0x1000, 3);
    m.go(1'000'000'000);
    EXPECT_LE(m.steps(), 1300u);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteFrontEnd, WaitFenceOnNothingIsABusErrorAndCanBeReset) {
    Machine m("gc7000-imx8mq");
    m.allow_logs();
    m.put_stream(0x1000,
                 Stream().state(state::kFenceLow, 1).raw({op::kWaitFence | 1, 0x40000000}).end());
    m.start(0x1000, 3);
    m.go(10'000'000);
    EXPECT_EQ(m.get(reg::kIntrAck) & kIntrAxi, kIntrAxi);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

/* ---- Fences out --------------------------------------------------------- */

/* According to rnndb, writing the high half probably stores both halves at the address. */
TEST(VivanteFrontEnd, FenceOutStoresItsDataInMemory) {
    Machine m("gc7000-imx8mq");
    m.run_stream(Stream()
                     .state(state::kFenceAddress, 0x9000)
                     .state(state::kFenceAddress + 4, 0x89ABCDEF)
                     .state(0x3898, 0x01234567)
                     .event(kEventFromPe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.ram.words(0x9000, 3), (Words{0x89ABCDEF, 0x01234567, 0}));
}

/* ---- Endless streams ---------------------------------------------------- */

TEST(VivanteFrontEnd, SelfLinkStaysBusyAndCostsLittle) {
    Machine m;
    m.put_stream(0x8000, Stream().link(1, 0x8000));
    m.start(0x8000, 1);
    m.go(1'000'000'000);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_LE(m.steps(), 5000u);
    expect_soft_reset_recovers(m);
}

TEST(VivanteFrontEnd, LinkPingPongStaysBusyAndCostsLittle) {
    Machine m;
    m.put_stream(0x8000, Stream().nop().link(2, 0x9000));
    m.put_stream(0x9000, Stream().nop().link(2, 0x8000));
    m.start(0x8000, 2);
    m.go(1'000'000'000);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_LE(m.steps(), 5000u);
    expect_soft_reset_recovers(m);
}

/* Streams that loop forever and no longer change anything after the second round. */
struct Loop {
    const char* name;
    Stream at_8000, at_9000;
    uint32_t patched; /* address of a qword executed in each round */
};

std::vector<Loop> idle_rounds() {
    Stream many;
    for (uint32_t i = 0; i < 3000; i++)
        many.state(state::kSrcOrigin, i);
    many.link(3001, 0x8000);
    return {
        {"link", Stream().link(1, 0x8000), Stream(), 0x8000},
        {"state", Stream().state(state::kSrcOrigin, 7).link(2, 0x8000), Stream(), 0x8008},
        {"two values",
         Stream().state(state::kSrcOrigin, 7).state(state::kSrcOrigin, 8).link(3, 0x8000), Stream(),
         0x8008},
        {"many states", many, Stream(), 0x8000 + 8 * 1500},
        {"two links", Stream().state(state::kSrcOrigin, 7).link(2, 0x9000 + 0x8000),
         Stream().nop().link(2, 0x8000), 0x9000 + 0x8008},
        {"calls of one routine",
         Stream()
             .call(2, 0x9000 + 0x8000, 4, 0x8010)
             .call(2, 0x9000 + 0x8000, 1, 0x8020)
             .link(5, 0x8000),
         Stream().state(state::kSrcOrigin, 7).ret(), 0x8020},
        {"wait for nothing", Stream().wait(0).state(state::kSrcOrigin, 7).link(3, 0x8000), Stream(),
         0x8008},
        {"semaphore and stall",
         Stream().state(state::kSemaphore, 0x701).stall(0x701).link(3, 0x8000), Stream(), 0x8008},
    };
}

void start_loop(Machine& m, const Loop& loop) {
    m.put_stream(0x8000, loop.at_8000);
    if (loop.at_9000.qwords() != 0)
        m.put_stream(0x9000 + 0x8000, loop.at_9000);
    m.start(0x8000, loop.at_8000.qwords());
}

/* No barrier announces a patch of such a loop. */
TEST(VivanteFrontEnd, ARoundIsRepeatedSoonWhateverTheMinimum) {
    Machine m({.poll_min_ns = 1'000'000});
    m.put_stream(0x8000, Stream().state(state::kSrcOrigin, 7).link(2, 0x8000));
    m.start(0x8000, 2);
    m.go(30'000);
    m.ram.set_word(0x8000, op::kEnd);
    m.go(200'000);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteFrontEnd, RoundsThatChangeNothingCostLittle) {
    for (const Loop& loop : idle_rounds()) {
        SCOPED_TRACE(loop.name);
        Machine m;
        start_loop(m, loop);
        m.go(100'000'000); /* until the loop is detected and its poll period is at the maximum */
        const uint64_t steps = m.steps();
        const uint64_t words = m.counters().command_words;
        m.go(1'000'000'000);
        /* Expects about a thousand rounds per second, each with as many slices as it needs. */
        const uint64_t in_a_round = loop.at_8000.qwords() + loop.at_9000.qwords() * 2;
        EXPECT_GE(m.counters().command_words - words, 2 * 800 * uint64_t{loop.at_8000.qwords()});
        EXPECT_LE(m.counters().command_words - words, 2 * 1200 * in_a_round);
        EXPECT_LE(m.steps() - steps, 1200 * (2 + 2 * in_a_round / m.budget));
        EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    }
}

TEST(VivanteFrontEnd, APatchIsFoundWithinTheLongestPoll) {
    for (const Loop& loop : idle_rounds()) {
        SCOPED_TRACE(loop.name);
        Machine m;
        start_loop(m, loop);
        m.go(1'000'000'000);
        m.put_stream(0x1000, Stream().event(0x41).end());
        m.ram.set_word(loop.patched + 4, 0x1000);
        m.ram.set_word(loop.patched, op::kLink | 2);
        m.go(1'100'000);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    }
}

TEST(VivanteFrontEnd, RoundsBackOffAnewAfterAPatch) {
    Machine m;
    m.put_stream(0x8000, Stream().state(state::kSrcOrigin, 7).link(2, 0x8000));
    m.start(0x8000, 2);
    m.go(1'000'000'000);
    m.ram.set_word(0x8004, 8); /* a different value in the same loop */
    for (int i = 0; i < 1100 && m.state(state::kSrcOrigin) != 8; i++)
        m.go(1'000);
    EXPECT_EQ(m.state(state::kSrcOrigin), 8u);
    const uint64_t words = m.counters().command_words;
    m.go(100'000); /* several rounds; before the patch there was one per millisecond */
    EXPECT_GE(m.counters().command_words - words, 8u);
}

TEST(VivanteFrontEnd, RoundsThatDoSomethingAreNotSlowed) {
    Machine m;
    m.put_stream(0x8000, Stream().event(0x41).link(2, 0x8000));
    m.start(0x8000, 2);
    for (int i = 0; i < 1000; i++)
        EXPECT_EQ(m.run(64).action, PIXMILL_RUN_AGAIN);
    EXPECT_GE(m.counters().events, 1000u * 16);

    Machine draws;
    Stream loop = Stream()
                      .state(0x3800, 1) /* PIPE_SELECT: 2D */
                      .state(state::kDestAddress, 0x2000)
                      .state(state::kDestStride, 0x40)
                      .state(state::kDestConfig, 0x06)
                      .state(state::kClipBottomRight, 0x00040004)
                      .draw({0, 0, 4, 4});
    loop.link(loop.qwords() + 1, 0x8000);
    draws.put_stream(0x8000, loop);
    draws.start(0x8000, loop.qwords());
    int drawn = 0;
    for (int i = 0; i < 1000; i++) {
        const PixmillRun next = draws.run(64);
        EXPECT_NE(next.action, PIXMILL_RUN_WAIT);
        if (next.action != PIXMILL_RUN_DRAW)
            continue;
        draws.draw(1 << 20);
        drawn++;
    }
    EXPECT_GT(drawn, 300);
}

/* A long stream of NOPs is not a loop, so it must run without pauses. */
TEST(VivanteFrontEnd, ALongStreamWithoutEffectIsNotSlowed) {
    Machine m;
    Stream stream;
    for (uint32_t i = 0; i < 4000; i++)
        stream.nop();
    m.put_stream(0x1000, stream.end());
    m.start(0x1000, stream.qwords());
    for (int i = 0; i < 4000 * 2 / 100; i++)
        EXPECT_EQ(m.run(100).action, PIXMILL_RUN_AGAIN);
    EXPECT_EQ(m.run(100).action, PIXMILL_RUN_IDLE);
}

TEST(VivanteFrontEnd, RunHonoursItsBudget) {
    Machine m;
    Stream stream;
    for (uint32_t i = 0; i < 2000; i++)
        stream.state(state::kSrcOrigin, i);
    m.put_stream(0x1000, stream.end());
    m.start(0x1000, stream.qwords());
    const uint64_t before = m.counters().command_words;
    EXPECT_EQ(m.run(100).action, PIXMILL_RUN_AGAIN);
    const uint64_t used = m.counters().command_words - before;
    EXPECT_GE(used, 50u);
    EXPECT_LE(used, 110u);
    m.go();
    EXPECT_EQ(m.counters().command_words - before, stream.words().size());
}

/* ---- Traces and counters ------------------------------------------------ */

size_t count_traces(Machine& m, PixmillTrace event) {
    size_t count = 0;
    for (const TraceLine& line : m.host.traces())
        count += line.event == event;
    return count;
}

TEST(VivanteFrontEnd, TracesFollowTheMask) {
    Machine m;
    m.run_stream(Stream().event(kEventFromFe | 1));
    EXPECT_TRUE(m.host.traces().empty());
    (void)m.get(reg::kIntrAck);
    m.host.trace_mask = (1u << PIXMILL_TRACE_COUNT) - 1;
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(Stream().event(kEventFromFe | 1));
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_REG_WRITE), 3u);
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_COMMAND), 2u);
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_STATE), 1u);
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_EVENT), 1u);
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_IRQ), 1u);
    EXPECT_GE(count_traces(m, PIXMILL_TRACE_FE_STATE), 2u);
    m.host.clear_traces();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_REG_READ), 1u);
    EXPECT_EQ(count_traces(m, PIXMILL_TRACE_IRQ), 1u);
}

TEST(VivanteFrontEnd, CommandTraceNamesAddressAndWord) {
    Machine m;
    m.host.trace_mask = 1u << PIXMILL_TRACE_COMMAND;
    m.put_stream(0x1000, Stream().nop().end());
    m.start(0x1000, 2);
    m.go();
    const std::vector<TraceLine> traces = m.host.traces();
    ASSERT_EQ(traces.size(), 2u);
    EXPECT_EQ(traces[0].a, 0x1000u);
    EXPECT_EQ(traces[0].b, 0x18000000u);
    EXPECT_EQ(traces[0].text, "NOP");
    EXPECT_EQ(traces[1].a, 0x1008u);
    EXPECT_EQ(traces[1].text, "END");
}

TEST(VivanteFrontEnd, EveryStateHasANameOrNoneInItsTrace) {
    Machine m("gc7000-imx8mq"); /* FakeHost fails the test if a text is null */
    m.allow_logs();
    m.host.trace_mask = 1u << PIXMILL_TRACE_STATE;
    for (uint32_t addr = 0x600; addr < 0x40000; addr += 1024 * 4) {
        m.host.clear_traces();
        m.run_stream(Stream().states(addr, Words(1024, 0)));
        EXPECT_EQ(m.host.traces().size(), std::min(1024u, (0x40000 - addr) / 4))
            << std::hex << addr;
    }
}

TEST(VivanteFrontEnd, CountersCountWordsAndEvents) {
    Machine m;
    m.run_stream(Stream().nop().event(kEventFromFe | 1).event(kEventFromFe | 1));
    EXPECT_EQ(m.counters().command_words, 8u);
    EXPECT_EQ(m.counters().events, 2u);
    EXPECT_EQ(m.counters().mmu_faults, 0u);
    EXPECT_EQ(m.counters().bus_errors, 0u);
}

} // namespace
} // namespace pixmill::test
