/*
 * The command parser: starts, LOAD_STATE, jumps, prefetch, slices. Encodings: rnndb cmdstream and
 * common. Registers: AM57xx TRM (tables 13-142 to 13-148) and their use in linux etnaviv.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "expect.hpp"

namespace pixmill::test {
namespace {

/* ---- Start and stop ----------------------------------------------------- */

TEST(VivanteFrontEnd, BeforeTheFirstStartEverythingReadsZero) {
    Machine m;
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0u);
    EXPECT_EQ(m.get(reg::kFeLow), 0u);
    EXPECT_EQ(m.get(reg::kFeHigh), 0u);
}

TEST(VivanteFrontEnd, EndStopsAtItsAddressPlusEight) {
    Machine m;
    put_bytes(m, 0x1000, {0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00});
    m.start(0x1000, 1);
    m.go();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x1008u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kFeLow), 0x10000000u);
    EXPECT_EQ(m.get(reg::kFeHigh), 0u);
}

TEST(VivanteFrontEnd, StartOnlySchedulesAndAsksToBeRun) {
    Machine m;
    m.put_stream(0x1000, Stream().event(kEventFromFe | 1).end());
    m.host.run_requested = false;
    m.start(0x1000, 2);
    EXPECT_TRUE(m.host.run_requested);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
    EXPECT_EQ(m.peek(reg::kFeAddress), 0x1000u); /* the start address, until the first fetch */
    EXPECT_EQ(m.peek(reg::kIdle), kIdleButFe);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, StartAddressLosesItsLowBits) {
    for (uint32_t low = 0; low < 8; low++) {
        Machine m; /* linux sync_point_worker() writes address + 2 */
        m.put_stream(0x1000, Stream().event(kEventFromFe | 1).end());
        m.start(0x1000 + low, 2);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << low;
        EXPECT_EQ(m.get(reg::kFeAddress), 0x1010u) << low;
    }
}

TEST(VivanteFrontEnd, ControlWriteWithoutANewAddressIsIgnored) {
    Machine m;
    m.run_stream(Stream().event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    m.set(reg::kCommandControl, kEnable | 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    expect_stopped(m);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteFrontEnd, ControlWriteWithoutEnableStopsARunningStream) {
    Machine m;
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.start(0x2000, 2);
    m.go();
    m.set(reg::kCommandControl, 0);
    expect_stopped(m);
    m.go();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

TEST(VivanteFrontEnd, StartDuringSoftResetIsIgnored) {
    Machine m;
    m.put_stream(0x1000, Stream().event(kEventFromFe | 1).end());
    m.set(reg::kClock, 0x1100);
    m.start(0x1000, 2);
    m.go();
    EXPECT_GE(m.guest_errors(), 1u);
    m.set(reg::kClock, 0x100);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    expect_stopped(m);
}

TEST(VivanteFrontEnd, StreamCanBeRestartedAnywhere) {
    Machine m;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t at = 0x1000 + i * 0x100;
        m.put_stream(at, Stream().event(kEventFromFe | i).end());
        m.start(at, 2);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 1u << i);
        EXPECT_EQ(m.get(reg::kFeAddress), at + 0x10);
    }
}

TEST(VivanteFrontEnd, SecureCoreStartsOnceThroughTwoRegisters) {
    Machine m("gc7000-imx8mq"); /* the kernel writes both 0x658 and 0x3A4 */
    m.put_stream(0x1000, Stream().event(kEventFromFe | 1).end());
    m.set(reg::kCommandAddress, 0x1000);
    m.set(reg::kCommandControl, kEnable | 2);
    m.set(reg::kSecCommandControl, kEnable | 2);
    m.go();
    EXPECT_EQ(m.counters().events, 1u);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteFrontEnd, SecureCoreStartsThroughEitherRegister) {
    for (uint32_t control : {reg::kCommandControl, reg::kSecCommandControl}) {
        Machine m("gc7000-imx8mq");
        m.put_stream(0x1000, Stream().event(kEventFromFe | 1).end());
        m.set(reg::kCommandAddress, 0x1000);
        m.set(control, kEnable | 2);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    }
}

/* ---- LOAD_STATE --------------------------------------------------------- */

TEST(VivanteFrontEnd, FixpConvertsSigned16Dot16ToFloat) {
    Machine m("gc2000-imx6q");
    put_bytes(m, 0x1000,
              {0x00, 0x03, 0x03, 0x0C, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0x03, 0x00,
               0x00, 0x02});
    m.put_stream(0x1010, Stream().end());
    m.start(0x1000, 3);
    m.go();
    const StatePtr s = m.save();
    EXPECT_EQ(s->state[0xC00 / 4], 0x3FC00000u);
    EXPECT_EQ(s->state[0xC04 / 4], 0xBF800000u);
    EXPECT_EQ(s->state[0xC08 / 4], 0x44000001u);
    expect_stopped(m);
}

TEST(VivanteFrontEnd, FixpEdgeValues) {
    const struct {
        uint32_t fixed, ieee;
    } rows[] = {
        {0x00000000, 0x00000000},     {0x00010000, 0x3F800000}, {0x00000001, 0x37800000},
        {0x80000000, 0xC7000000},     {0x7FFFFFFF, 0x47000000}, {0xFFFFFFFF, 0xB7800000},
        {0x01000001, 0x43800000},     /* a tie, rounded down to even */
        {0x01000003, 0x43800001 + 1}, /* a tie, rounded up to even */
    };
    Machine m("gc2000-imx6q");
    for (const auto& row : rows) {
        m.run_stream(Stream().states(0xC00, {row.fixed}, kFixp));
        EXPECT_EQ(m.state(0xC00), row.ieee) << std::hex << row.fixed;
    }
}

TEST(VivanteFrontEnd, FixpLeavesDrawingEngineStatesUnchanged) {
    Machine m;
    m.run_stream(Stream().states(state::kSrcOrigin, {0x00018000}, kFixp));
    EXPECT_EQ(m.state(state::kSrcOrigin), 0x00018000u);
}

TEST(VivanteFrontEnd, EvenCountIsPaddedByOneIgnoredWord) {
    Machine m;
    m.ram.set_words(0x1000, {0x08020480, 0x11111110, 0x22222220, 0xDEADDEAD, 0x10000000, 0});
    m.start(0x1000, 3);
    m.go();
    const StatePtr s = m.save();
    EXPECT_EQ(s->state[0x1200 / 4], 0x11111110u);
    EXPECT_EQ(s->state[0x1204 / 4] & 0x3FFFC, 0x22222220u & 0x3FFFC);
    EXPECT_EQ(s->state[0x1208 / 4], 0u);
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x1018u);
}

TEST(VivanteFrontEnd, OddCountHasNoPad) {
    Machine m;
    m.ram.set_words(0x1000, {0x08030480, 0xA0, 0xB0, 0xC, 0x10000000, 0});
    m.start(0x1000, 3);
    m.go();
    const StatePtr s = m.save();
    EXPECT_EQ(s->state[0x1200 / 4], 0xA0u);
    EXPECT_EQ(s->state[0x1204 / 4], 0xB0u);
    EXPECT_EQ(s->state[0x1208 / 4], 0xCu);
    expect_stopped(m);
}

TEST(VivanteFrontEnd, EveryCountConsumesItsOwnLength) {
    Machine m("gc2000-imx6q");
    for (uint32_t count = 1; count <= 1023; count += count < 20 ? 1 : 101) {
        Words values;
        for (uint32_t i = 0; i < count; i++)
            values.push_back(count << 16 | i);
        m.run_stream(Stream().states(0x4000, values).event(kEventFromFe | 2));
        ASSERT_EQ(m.get(reg::kIntrAck), 4u) << count;
        const StatePtr s = m.save();
        EXPECT_EQ(s->state[0x4000 / 4], count << 16);
        EXPECT_EQ(s->state[0x4000 / 4 + count - 1], count << 16 | (count - 1));
    }
}

TEST(VivanteFrontEnd, CountZeroLoads1024Words) {
    Machine m("gc2000-imx6q");
    Words values;
    for (uint32_t i = 0; i < 1024; i++)
        values.push_back(0x5000 + i);
    m.run_stream(Stream().states(0x4000, values).event(kEventFromFe | 2));
    EXPECT_EQ(m.get(reg::kIntrAck), 4u);
    const StatePtr s = m.save();
    for (uint32_t i = 0; i < 1024; i++)
        ASSERT_EQ(s->state[0x4000 / 4 + i], 0x5000 + i) << i;
    EXPECT_EQ(s->state[0x5000 / 4], 0u);
}

TEST(VivanteFrontEnd, DelayIdiomDoesNotReachThePageTableRegisters) {
    Machine m("gc600-dove"); /* galcore pads events by writing 0 to states 0x400 to 0x410 */
    for (uint32_t offset = 0x400; offset <= 0x410; offset += 4)
        m.set(offset, 0x12345000);
    m.run_stream(Stream().states(0x400, {0, 0, 0, 0, 0}));
    for (uint32_t offset = 0x400; offset <= 0x410; offset += 4)
        EXPECT_EQ(m.get(offset), 0x12345000u);
}

TEST(VivanteFrontEnd, LowStatesDoNotAliasRegisters) {
    Machine m("gc320-am57xx");
    const uint32_t offsets[] = {0x00,  0x08,  0x14,  0x64,  0x100, 0x104, 0x10C, 0x18C,
                                0x190, 0x400, 0x41C, 0x414, 0x438, 0x470, 0x480, 0x558};
    Stream stream;
    for (uint32_t offset : offsets)
        stream.state(offset, 0xFFFFFFFF);
    Words before;
    for (uint32_t offset : offsets)
        before.push_back(offset == 0x438 ? 0 : m.get(offset));
    m.run_stream(stream);
    for (size_t i = 0; i < std::size(offsets); i++) {
        if (offsets[i] != 0x438) {
            EXPECT_EQ(m.get(offsets[i]), before[i]) << std::hex << offsets[i];
        }
    }
}

TEST(VivanteFrontEnd, CommandRegistersCannotBeLoadedFromTheStream) {
    Machine m;
    m.put_stream(0x3000, Stream().event(kEventFromFe | 9).end());
    m.run_stream(Stream().state(0x654, 0x3000).state(0x658, kEnable | 2));
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    m.allow_logs();
    m.set(reg::kCommandControl, kEnable | 2); /* must not start at 0x3000 */
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

TEST(VivanteFrontEnd, DummyStateIsDiscarded) {
    Machine m;
    m.run_stream(Stream().state(state::kDummy, 0x12345678).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.state(state::kDummy), 0u);
}

TEST(VivanteFrontEnd, CompanionDummiesOfEveryClientAreSilent) {
    Machine m; /* libdrm writes address 0 three times, armada address 4 */
    for (uint32_t addr : {0u, 4u})
        m.run_stream(Stream().state(addr, 0).state(addr, 0).state(addr, 0));
}

/* ---- LINK, CALL, RETURN ------------------------------------------------- */

TEST(VivanteFrontEnd, CallAndReturn) {
    Machine m;
    m.ram.set_words(0x4000, {0x50000002, 0x5000, 1, 0x4010, 0x10000000, 0});
    m.ram.set_words(0x5000, {0x0801FFFF, 0, 0x58000000, 0});
    m.start(0x4000, 2);
    m.go();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x4018u);
}

TEST(VivanteFrontEnd, LinkTargetLosesItsLowBits) {
    Machine m;
    m.ram.set_words(0x1000, {0x40000001, 0x7006});
    m.put_stream(0x7000, Stream().end());
    m.start(0x1000, 1);
    m.go();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x7008u);
}

TEST(VivanteFrontEnd, CallAndReturnAddressesLoseTheirLowBits) {
    Machine m;
    m.put_stream(0x4000, Stream().call(1, 0x5005, 1, 0x4017).end());
    m.put_stream(0x5000, Stream().ret());
    m.start(0x4000, 2);
    m.go();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x4018u);
}

TEST(VivanteFrontEnd, PrefetchBeyondATakenJumpIsHarmless) {
    Machine m;
    m.put_stream(0x1000, Stream().link(1, 0x2000));
    m.put_stream(0x2000, Stream().end());
    m.start(0x1000, 0xFFFF);
    m.go();
    expect_stopped(m);
}

/* Subroutine i, at 0x8000 + i * 0x100, calls subroutine i + 1 and then returns. */
void put_call_chain(Machine& m, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++) {
        const uint32_t at = 0x8000 + i * 0x100;
        if (i + 1 < depth)
            m.put_stream(at, Stream().call(3, at + 0x100, 1, at + 0x10).ret());
        else
            m.put_stream(at, Stream().state(state::kVsFirst, depth).ret());
    }
}

TEST(VivanteFrontEnd, SixteenCallsNest) {
    Machine m("gc2000-imx6q");
    put_call_chain(m, 16);
    m.run_stream(Stream().call(3, 0x8000, 2, kStreamAt + 0x10).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.state(state::kVsFirst), 16u);
    expect_stopped(m);
}

TEST(VivanteFrontEnd, SeventeenCallsHang) {
    Machine m("gc2000-imx6q");
    put_call_chain(m, 17);
    m.run_stream(Stream().call(3, 0x8000, 2, kStreamAt + 0x10).event(kEventFromFe | 1));
    expect_hung(m);
    EXPECT_EQ(m.state(state::kVsFirst), 0u);
    EXPECT_EQ(m.guest_errors(), 1u);
    expect_soft_reset_recovers(m);
}

TEST(VivanteFrontEnd, ReturnWithoutCallHangs) {
    Machine m;
    m.run_stream(Stream().ret());
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
    expect_soft_reset_recovers(m);
}

TEST(VivanteFrontEnd, LinkInsideACalledBodyKeepsTheStack) {
    Machine m;
    m.put_stream(0x5000, Stream().link(1, 0x6000));
    m.put_stream(0x6000, Stream().ret());
    m.run_stream(Stream().call(1, 0x5000, 2, kStreamAt + 0x10).event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    expect_stopped(m);
}

/* ---- Prefetch ----------------------------------------------------------- */

TEST(VivanteFrontEnd, NothingIsFetchedPastThePrefetchCount) {
    Machine m;
    m.put_stream(0x1000, Stream().nop().end());
    m.start(0x1000, 1);
    m.go();
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
    m.start(0x1008, 1);
    m.go();
    expect_stopped(m);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x1010u);
}

TEST(VivanteFrontEnd, PrefetchZeroStarves) {
    Machine m;
    m.put_stream(0x2000, Stream().event(kEventFromFe | 1).end());
    m.put_stream(0x1000, Stream().link(0, 0x2000));
    m.start(0x1000, 1);
    m.go();
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
    expect_soft_reset_recovers(m);
}

TEST(VivanteFrontEnd, ReturnPrefetchIsExact) {
    Machine m;
    m.put_stream(0x5000, Stream().ret());
    m.put_stream(0x4000, Stream().call(1, 0x5000, 1, 0x4010).nop().event(kEventFromFe | 1).end());
    m.start(0x4000, 2);
    m.go();
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteFrontEnd, CommandCutByThePrefetchCountStarves) {
    Machine m; /* only the first qword of the LOAD_STATE is prefetched */
    m.put_stream(0x1000, Stream().states(0xC00, {1, 2, 3}).end());
    m.start(0x1000, 1);
    m.go();
    expect_hung(m);
    EXPECT_EQ(m.guest_errors(), 1u);
    expect_soft_reset_recovers(m);
}

/* ---- Endianness --------------------------------------------------------- */

uint32_t swap32(uint32_t v) {
    return __builtin_bswap32(v);
}
uint32_t swap16(uint32_t v) {
    return (v & 0xFF00FF00) >> 8 | (v & 0x00FF00FF) << 8;
}

TEST(VivanteFrontEnd, EndianControlSwapsEveryFetchedWord) {
    const struct {
        uint32_t control;
        uint32_t (*swap)(uint32_t);
    } rows[] = {{1u << 20, swap16}, {2u << 20, swap32}};
    for (const auto& row : rows) {
        Machine m;
        Words first, second;
        for (uint32_t w : Stream().state(state::kSrcStride, 0x1234).link(2, 0x3000).words())
            first.push_back(row.swap(w));
        for (uint32_t w : Stream().event(kEventFromFe | 1).end().words())
            second.push_back(row.swap(w));
        m.ram.set_words(0x1000, first);
        m.ram.set_words(0x3000, second);
        m.start(0x1000, 2, row.control);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
        EXPECT_EQ(m.state(state::kSrcStride), 0x1234u);
        expect_stopped(m);
    }
}

TEST(VivanteFrontEnd, NextStartWithoutEndianControlIsLittleEndian) {
    Machine m;
    Words swapped;
    for (uint32_t w : Stream().end().words())
        swapped.push_back(swap32(w));
    m.ram.set_words(0x1000, swapped);
    m.start(0x1000, 1, 2u << 20);
    m.go();
    m.run_stream(Stream().event(kEventFromFe | 1));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

/* ---- Slices ------------------------------------------------------------- */

Stream varied_stream() {
    return Stream()
        .state(state::kSrcStride, 0x40)
        .states(state::kSrcAddress, {0x100, 0x200, 0x300, 0x400})
        .nop()
        .sync()
        .states(0x4000, Words(300, 0x77))
        .event(kEventFromPe | 3)
        .wait(50)
        .state(state::kFlushCache, 8)
        .call(2, 0x9000, 3, 0xA000)
        .end();
}

void put_varied(Machine& m) {
    m.put_stream(0x1000, varied_stream());
    m.put_stream(0x9000, Stream().state(state::kRop, 0x30CCCC).ret());
    m.put_stream(0xA000, Stream().event(kEventFromFe | 5).link(2, 0xB000));
    m.put_stream(0xB000, Stream().event(kEventFromFe | 6).end());
    m.start(0x1000, varied_stream().qwords());
}

TEST(VivanteFrontEnd, SliceSizeDoesNotChangeTheOutcome) {
    Machine big("gc2000-imx6q");
    put_varied(big);
    big.go();
    EXPECT_EQ(big.peek(reg::kIntrAck), 0x68u);
    for (uint32_t budget : {1u, 2u, 3u, 7u, 64u}) {
        Machine m("gc2000-imx6q");
        m.budget = budget;
        put_varied(m);
        m.go();
        const StatePtr a = big.save();
        const StatePtr b = m.save();
        EXPECT_TRUE(std::equal(std::begin(a->state), std::end(a->state), std::begin(b->state)));
        EXPECT_EQ(m.counters().command_words, big.counters().command_words) << budget;
        EXPECT_EQ(m.get(reg::kFeAddress), big.get(reg::kFeAddress));
        EXPECT_EQ(m.get(reg::kIntrAck), 0x68u);
    }
}

TEST(VivanteFrontEnd, TinyMappingsGiveTheSameStream) {
    for (uint64_t grain : {1, 2, 3, 4, 5, 8, 12, 64}) {
        Machine m({.model = "gc2000-imx6q", .ram_size = 0x10000, .grain = grain});
        put_varied(m);
        m.go();
        EXPECT_EQ(m.get(reg::kIntrAck), 0x68u) << grain;
        EXPECT_EQ(m.state(0x4000 + 299 * 4), 0x77u) << grain;
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll) << grain;
    }
}

TEST(VivanteFrontEnd, MovedHostMemoryGivesTheSameStream) {
    Machine m({.model = "gc2000-imx6q", .ram_size = 0x10000, .relocate = true, .budget = 3});
    put_varied(m);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 0x68u);
}

} // namespace
} // namespace pixmill::test
