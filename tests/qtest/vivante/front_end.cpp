/*
 * The front end: the effect of each command, and the values that DMA_ADDRESS, DMA_DEBUG_STATE and
 * IDLE_STATE have while it executes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Commands: rnndb cmdstream.xml; the idle loop and its patching: linux etnaviv_buffer.c; registers
 * read back by etnaviv and galcore: etnaviv_gpu.c.
 */
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kDebugWait = 0x812; /* DMA_DEBUG_STATE: WAIT, fetch valid */
constexpr uint32_t kDebugLink = 0x800;
constexpr uint32_t kStateDec = 1;
constexpr uint32_t kWait200 = 0x380000C8;
constexpr uint32_t kLink2 = 0x40000002;

/* Returns the idle loop that etnaviv_buffer_init() writes to @address. */
Commands idle_loop(uint32_t address) {
    return {kWait200, 0, kLink2, address};
}

/* Writes word 1 before word 0, as etnaviv_buffer_replace_wait() does. */
void patch(Rig& rig, uint32_t address, uint32_t word0, uint32_t word1) {
    rig.qemu().write32(address + 4, word1);
    rig.qemu().write32(address, word0);
}

void start_idle_loop(Rig& rig, uint32_t address) {
    rig.store(address, idle_loop(address));
    rig.gc().start(address, 2);
    rig.pass(kMillisecond);
    ASSERT_EQ(rig.read(reg::kIdle), kRunning);
}

bool parked_at(Rig& rig, uint32_t wait) {
    const uint32_t at = rig.read(reg::kFeDmaAddress);
    return at == wait + 8 || at == wait + 16;
}

TEST(FrontEnd, ShowsNothingBeforeItsFirstStart) {
    Rig rig;
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0u);
    EXPECT_EQ(rig.read(reg::kFeStatus), 0u);
    EXPECT_EQ(rig.read(reg::kFeDebugState), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST(FrontEnd, StopsAtEndPointingPastIt) {
    Rig rig;
    rig.run({0x10000000, 0}, 0x1000);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x1008u);
    EXPECT_EQ(rig.read(reg::kFeStatus), 0u);
    EXPECT_EQ(rig.read(reg::kFeDebugState), 0u);
    EXPECT_EQ(rig.read(reg::kFeDmaLow), 0x10000000u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST(FrontEnd, IdlesInWaitLinkForeverAndShowsThatItMoves) {
    Rig rig;
    start_idle_loop(rig, 0x2000);
    std::set<uint32_t> addresses;
    for (int i = 0; i < 200; ++i) {
        rig.qemu().clock_step(137);
        EXPECT_EQ(rig.read(reg::kIdle), kRunning);
        EXPECT_EQ(rig.read(reg::kFeStatus) & 1, 1u);
        const uint32_t address = rig.read(reg::kFeDmaAddress);
        addresses.insert(address);
        if (address == 0x2008) {
            EXPECT_EQ(rig.read(reg::kFeDmaLow), kWait200);
            EXPECT_EQ(rig.read(reg::kFeDmaHigh), 0u);
            EXPECT_EQ(rig.read(reg::kFeDebugState), kDebugWait);
        } else {
            EXPECT_EQ(rig.read(reg::kFeDmaLow), kLink2);
            EXPECT_EQ(rig.read(reg::kFeDmaHigh), 0x2000u);
            EXPECT_EQ(rig.read(reg::kFeDebugState), kDebugLink);
        }
    }
    EXPECT_EQ(addresses, (std::set<uint32_t>{0x2008, 0x2010}));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

/*
 * Linux 6.12 and galcore read the address twice and ignore the first value, so a read must not
 * change it.
 */
TEST(FrontEnd, ShowsTheSameAddressOnEveryReadAtOneMoment) {
    Rig rig;
    start_idle_loop(rig, 0x2000);
    const uint32_t address = rig.read(reg::kFeDmaAddress);
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(rig.read(reg::kFeDmaAddress), address);
    }
}

TEST(FrontEnd, PollsAnIdleLoopAtMostOnceAMillisecondInTheLongRun) {
    Rig rig;
    start_idle_loop(rig, 0x2000);
    rig.pass(10 * kMillisecond);
    const uint64_t before = rig.counter("stat-polls");
    rig.pass(100 * kMillisecond);
    const uint64_t polls = rig.counter("stat-polls") - before;
    EXPECT_GE(polls, 50u);
    EXPECT_LE(polls, 110u);
}

TEST(FrontEnd, PollsAsOftenAsItsPropertiesSay) {
    Rig rig(RigOptions{.properties = {"poll-min-us=50", "poll-max-us=200"}});
    start_idle_loop(rig, 0x2000);
    rig.pass(10 * kMillisecond);
    const uint64_t before = rig.counter("stat-polls");
    rig.pass(100 * kMillisecond);
    const uint64_t polls = rig.counter("stat-polls") - before;
    EXPECT_GE(polls, 400u);
    EXPECT_LE(polls, 550u);
}

/* Runtime suspend calls etnaviv_buffer_end() and then polls IDLE_STATE. */
TEST(FrontEnd, TakesAnEndPatchedIntoTheLoopAtTheNextReadOfIdle) {
    Rig rig;
    start_idle_loop(rig, 0x2000);
    patch(rig, 0x2000, 0x10000000, 0);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x2008u);
}

TEST(FrontEnd, TakesAnEndPatchedIntoTheLoopWithinAMillisecondUnread) {
    Rig rig;
    start_idle_loop(rig, 0x2000);
    rig.pass(50 * kMillisecond);
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    const Commands job = Commands{}.event(3, kEventFromPe).end();
    rig.store(0x3000, job);
    rig.pass(50 * kMillisecond);
    patch(rig, 0x2000, 0x40000000 | job.qwords(), 0x3000);
    rig.pass(1100 * kMicrosecond);
    EXPECT_TRUE(rig.qemu().interrupt());
}

TEST(FrontEnd, FollowsALinkPatchedIntoTheLoopAndParksInTheNextLoop) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    start_idle_loop(rig, 0x2000);
    rig.store(0x3000, {0x08010E01, 0x00000045, kWait200, 0, kLink2, 0x3008});
    patch(rig, 0x2000, 0x40000003, 0x3000);
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }));
    EXPECT_TRUE(parked_at(rig, 0x3008));
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0x20u);
    EXPECT_FALSE(rig.qemu().interrupt());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

/* sync_point_worker() reads DMA_ADDRESS after the interrupt. */
TEST(FrontEnd, HasRetiredTheEndWhenTheEventBeforeItInterrupts) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.store(0x6000, {0x08010E01, 0x00000047, 0x10000000, 0});
    rig.gc().start(0x6000, 2);
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }, kMillisecond, 1));
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x6010u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0x80u);
}

/* sync_point_worker() restarts at DMA_ADDRESS + 2. */
TEST(FrontEnd, RestartsAfterAnEndWithTheLowAddressBitsIgnored) {
    Rig rig;
    rig.run({0x08010E01, 0x00000047, 0x10000000, 0}, 0x6000);
    rig.store(0x6010, idle_loop(0x6010));
    rig.gc().start(rig.read(reg::kFeDmaAddress) + 2, 2);
    rig.pass(kMillisecond);
    EXPECT_TRUE(parked_at(rig, 0x6010));
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
}

/* WAIT_FENCE compares memory with the states 0x7E8 and 0x7F4, so tests can see loaded values. */
TEST(FrontEnd, ConvertsFixedPointLoadsToFloat) {
    struct Case {
        uint32_t fixed, floating;
    };
    /* 1.5; -1.0; 512 + 3/65536, which is rounded up to the next float; 0 */
    constexpr Case kCases[] = {{0x00018000, 0x3FC00000},
                               {0xFFFF0000, 0xBF800000},
                               {0x02000003, 0x44000001},
                               {0x00000000, 0x00000000}};
    for (const Case& c : kCases) {
        Rig rig("gc7000-imx8mq");
        const uint32_t fence = kRam + 0x8000;
        rig.qemu().write_words(fence, Words{c.floating, 0});
        rig.run(Commands{0x08010000 | state::kFenceWaitHigh / 4, 0,
                         0x0C010000 | state::kFenceWaitLow / 4, c.fixed, 0x78000010, fence}
                    .end());
        EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 0x20) << std::hex << c.fixed;
    }
}

/* The DE has no float states, so FIXP changes nothing. */
TEST(FrontEnd, StoresFixedPointLoadsOfTheDrawingEngineUnchanged) {
    Rig rig;
    rig.qemu().fill(kDest, 64, 0);
    rig.run(Commands{}
                .select_2d()
                .load(state::kDestAddress, Words{kDest, 64, 0, 0x00000006})
                .load(state::kClipTopLeft, Words{0, 0x00040004})
                .raw({0x0C010000 | state::kClearPixel / 4, 0x00018000})
                .draw({{0, 0, 1, 1}})
                .end());
    EXPECT_EQ(rig.qemu().read32(kDest), 0x00018000u);
}

TEST(FrontEnd, SkipsThePadWordOfAnEvenLoad) {
    Rig rig;
    rig.qemu().fill(kDest, 256, 0);
    rig.run(Commands{}
                .select_2d()
                .load(state::kDestConfig, 0x00000006)
                .load(state::kClipTopLeft, Words{0, 0x00040004})
                .load(state::kClearPixel, 0x11223344)
                .raw({0x08020000 | state::kDestAddress / 4, kDest + 16, 32, 0xDEADDEAD})
                .draw({{0, 1, 1, 2}})
                .end());
    EXPECT_EQ(rig.qemu().read32(kDest + 16 + 32), 0x11223344u);
}

TEST(FrontEnd, ReadsThreeLoadedWordsWithoutAPad) {
    Rig rig;
    rig.qemu().fill(kDest, 256, 0);
    rig.run(Commands{}
                .select_2d()
                .load(state::kDestConfig, 0x00000006)
                .load(state::kClipTopLeft, Words{0, 0x00040004})
                .load(state::kClearPixel, 0x11223344)
                .raw({0x08030000 | state::kDestAddress / 4, kDest + 16, 32, 0})
                .draw({{0, 1, 1, 2}})
                .end());
    EXPECT_EQ(rig.qemu().read32(kDest + 16 + 32), 0x11223344u);
}

TEST(FrontEnd, LoadsOneThousandTwentyFourWordsWhenTheCountFieldIsZero) {
    Rig rig;
    Commands stream{0x08000000 | 0x4000 / 4};
    for (int i = 0; i < 1024; ++i) {
        stream.raw({0}); /* illegal if executed as an opcode */
    }
    stream.raw({kPad}).event(1, kEventFromFe).end();
    rig.run(stream);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + stream.qwords() * 8);
}

/* galcore pads PE events of old cores with a load of five zeros to state 0x400. */
TEST(FrontEnd, DoesNotLetLoadsReachTheRegistersOfTheHost) {
    Rig rig("gc320-imx6");
    for (uint32_t offset = 0x400; offset <= 0x410; offset += 4) {
        rig.write(offset, 0x12345000);
    }
    rig.run({0x08050100, 0, 0, 0, 0, 0, 0x10000000, 0});
    for (uint32_t offset = 0x400; offset <= 0x410; offset += 4) {
        EXPECT_EQ(rig.read(offset), 0x12345000u);
    }
    EXPECT_TRUE(logged(rig, 0));
}

TEST(FrontEnd, ReturnsFromACallToTheAddressThatTheCallGave) {
    Rig rig;
    rig.store(0x5000, {0x0801FFFF, 0, 0x58000000, 0});
    rig.store(0x4000, {0x50000002, 0x5000, 1, 0x4010, 0x10000000, 0});
    rig.gc().start(0x4000, 2);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x4018u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(FrontEnd, NestsCallsSixteenDeep) {
    Rig rig;
    constexpr uint32_t kStep = 0x100;
    constexpr unsigned kDepth = 16;
    for (unsigned i = 0; i < kDepth; ++i) {
        const uint32_t at = kStream + i * kStep;
        rig.store(at,
                  {0x50000003, at + kStep, 1, at + 0x10, i == 0 ? 0x10000000u : 0x58000000u, 0});
    }
    rig.store(kStream + kDepth * kStep, Commands{}.event(9, kEventFromFe).raw({0x58000000, 0}));
    rig.gc().start(kStream, 2);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 9);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 0x18);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(FrontEnd, FetchesNothingBeyondItsPrefetchCount) {
    Rig rig;
    rig.store(0x1000, {0x18000000, 0, 0x10000000, 0});
    rig.gc().start(0x1000, 1);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_TRUE(logged(rig, 1));
    rig.gc().start(0x1008, 1);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x1010u);
}

TEST(FrontEnd, RaisesTheEventOfAnEndWhereTheCoreHasEndEvents) {
    Rig rig("gc880-imx6dl"); /* MINOR_FEATURES2 bit 9 */
    rig.run({0x10000103, 0});
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 3);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST(FrontEnd, PassesRectanglesWithExclusiveRightAndBottom) {
    Rig rig;
    constexpr uint32_t kStride = 128 * 4;
    rig.qemu().fill(kDest, kStride * 96, 0);
    rig.run(Commands{}
                .select_2d()
                .load(state::kDestAddress, Words{kDest, kStride, 0, 0x00000006})
                .load(state::kClipTopLeft, Words{0, 0x00600080})
                .load(state::kClearPixel, 0xFFFFFFFF)
                .raw({0x20000100, 0xDEADDEED, 0x00100020, 0x00500060})
                .end());
    const Words pixels = rig.qemu().read_words(kDest, 128 * 96);
    unsigned wrong = 0;
    for (unsigned y = 0; y < 96; ++y) {
        for (unsigned x = 0; x < 128; ++x) {
            const bool inside = x >= 32 && x <= 95 && y >= 16 && y <= 79;
            wrong += pixels[y * 128 + x] != (inside ? 0xFFFFFFFF : 0u) ? 1 : 0;
        }
    }
    EXPECT_EQ(wrong, 0u);
}

TEST(FrontEnd, DropsTheLowBitsOfALinkAddress) {
    Rig rig;
    rig.store(0x7000, Commands{}.end());
    rig.run({0x40000001, 0x00007006}, 0x6800);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x7008u);
}

TEST(FrontEnd, SpinsInALinkToItselfUntilASoftReset) {
    Rig rig;
    rig.store(0x8000, {0x40000001, 0x8000});
    rig.gc().start(0x8000, 1);
    for (int i = 0; i < 20; ++i) {
        rig.pass(10 * kMillisecond);
        EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    }
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    rig.run({0x10000000, 0}, 0x1000);
}

TEST(FrontEnd, SpinsInAPairOfLinksUntilASoftReset) {
    Rig rig;
    rig.store(0x8000, {0x40000001, 0x9000});
    rig.store(0x9000, {0x40000001, 0x8000});
    rig.gc().start(0x8000, 1);
    for (int i = 0; i < 20; ++i) {
        rig.pass(10 * kMillisecond);
        EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    }
    rig.gc().driver_reset();
    rig.run({0x10000000, 0}, 0x1000);
}

TEST(FrontEnd, StartsOnceWhenBothStartRegistersOfASecureCoreAreWritten) {
    Rig rig("gc7000-imx8mq");
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.store(0x1000, Commands{}.event(2, kEventFromFe).end());
    rig.write(reg::kFeAddress, 0x1000);
    rig.write(reg::kFeControl, kFeEnable | 2);
    rig.write(reg::kFeSecControl, kFeEnable | 2);
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.qemu().interrupt_rises(), 1u);
    EXPECT_EQ(rig.counter("stat-events"), 1u);
}

TEST(FrontEnd, WaitsTheGivenCoreCyclesInGuestTime) {
    Rig rig;
    rig.store(kStream, Commands{}.wait(0xFFFF).end()); /* 163.8 us at 400 MHz */
    rig.gc().start(kStream, 2);
    rig.pass(10 * kMicrosecond);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 8);
    EXPECT_EQ(rig.read(reg::kFeDebugState), kDebugWait);
    rig.pass(140 * kMicrosecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 8);
    rig.pass(20 * kMicrosecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 16);
}

TEST(FrontEnd, WaitsLongerWhenTheClockIsScaledDown) {
    Rig rig;
    rig.write(reg::kClockControl, 0x20 << 2 | 0x200); /* FSCALE 32 of 64 */
    rig.write(reg::kClockControl, 0x20 << 2);
    rig.store(kStream, Commands{}.wait(0xFFFF).end()); /* 327.7 us */
    rig.gc().start(kStream, 2);
    rig.pass(300 * kMicrosecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    rig.pass(30 * kMicrosecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST(FrontEnd, SwapsCommandWordsWhenEndianControlSaysSo) {
    Rig rig;
    rig.store(0x1000, {0x010E0108, 0x45000000, 0x00000010, 0}); /* EVENT 5, END, bytes reversed */
    rig.write(reg::kFeAddress, 0x1000);
    rig.write(reg::kFeControl, 2u << 20 | kFeEnable | 2);
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 5);
}

TEST(FrontEnd, StopsWithoutAnEventWhenItsEnableIsTakenAway) {
    Rig rig;
    start_idle_loop(rig, 0x2000);
    rig.write(reg::kFeControl, 0);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    patch(rig, 0x2000, 0x08010E01, 0x45);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST(FrontEnd, CannotBeStartedByALoadOfItsOwnRegisters) {
    Rig rig;
    rig.store(0x3000, Commands{}.event(4, kEventFromFe).end());
    rig.run(Commands{}.load(reg::kFeAddress, Words{0x3000, kFeEnable | 2}).end());
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 24);
}

TEST(FrontEnd, AcceptsChipSelect) {
    Rig rig;
    rig.run(Commands{0x68000001, 0}.event(0, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(FrontEnd, HoldsAFenceUntilMemoryHasItsValue) {
    Rig rig("gc7000-imx8mq");
    const uint32_t fence = kRam + 0x8000;
    rig.qemu().write_words(fence, Words{0, 0});
    rig.store(kStream, Commands{}
                           .load(state::kFenceWaitLow, 0x1234)
                           .load(state::kFenceWaitHigh, 0x5678)
                           .raw({0x78000010, fence})
                           .end());
    rig.gc().start(kStream, 4);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    rig.qemu().write32(fence, 0x1234);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    rig.qemu().write32(fence + 4, 0x5678);
    EXPECT_TRUE(rig.wait([&] { return rig.gc().stopped(); }, 10 * kMillisecond));
}

/* Runs etnaviv_buffer_replace_wait() while the worker thread polls. */
TEST(FrontEnd, NeverSeesHalfAPatch) {
    Rig rig(RigOptions{.threaded = true});
    const uint32_t loops[] = {0x2000, 0x3000};
    start_idle_loop(rig, loops[0]);
    for (int hop = 0; hop < 500; ++hop) {
        const uint32_t from = loops[hop % 2];
        const uint32_t to = loops[(hop + 1) % 2];
        rig.store(to, idle_loop(to));
        patch(rig, from, 0x40000002, to);
        ASSERT_TRUE(rig.wait([&] { return parked_at(rig, to); })) << "hop " << hop;
    }
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_TRUE(logged(rig, 0));
}

} // namespace
} // namespace pixmill::qtest
