/*
 * Soft reset, clock control, debug signatures and cycle counters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: linux etnaviv_gpu.c etnaviv_hw_reset() for the sequence; AM57xx TRM 13.4 for registers.
 */
#include <gtest/gtest.h>

#include <functional>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

struct Access {
    uint32_t offset, value;
};

void expect_reads(Rig& rig, std::initializer_list<Access> reads) {
    for (const Access& access : reads) {
        EXPECT_EQ(rig.read(access.offset), access.value) << "offset " << std::hex << access.offset;
    }
}

/* Checks the state that etnaviv_hw_reset() and its callers require of every core. */
void expect_after_reset(Rig& rig) {
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070100u);
    EXPECT_EQ(rig.read(reg::kMmuControl), 0u);
    EXPECT_EQ(rig.read(reg::kMmuStatus), 0u);
    EXPECT_EQ(rig.read(reg::kMmuException0), 0u);
    EXPECT_EQ(rig.read(reg::kIntrEnable), 0u);
    EXPECT_EQ(rig.read(reg::kFeStatus), 0u);
    EXPECT_EQ(rig.read(reg::kFeDebugState), 0u);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    EXPECT_FALSE(rig.qemu().interrupt()) << "an old interrupt is pending";
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    rig.run(Commands{}.event(7, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 7) << "the core does not work after the reset";
}

TEST(Reset, PowerOnIdentityIsThatOfTheAm57xx) {
    Rig rig;
    expect_reads(rig, {{0x00, 0x00070100},
                       {0x04, 0x7FFFFFFF},
                       {0x18, 0x14010000},
                       {0x1C, 0xE02CFECA},
                       {0x20, 0x00000320},
                       {0x24, 0x00005301},
                       {0x28, 0x20111103},
                       {0x2C, 0x00140300},
                       {0x34, 0xC9399EFF},
                       {0x74, 0xFE1FB2DB},
                       {0x84, 0x1AFF4080}});
    /* MINOR_FEATURES0.DEFAULT_REG0: registers missing from the core read as 0 */
    expect_reads(rig,
                 {{0x88, 0}, {0x8C, 0}, {0x94, 0}, {0x9C, 0}, {0xA0, 0}, {0xA8, 0}, {0xE8, 0}});
    expect_reads(rig, {{0x100, 0x00140020},
                       {0x414, 0x3C000000},
                       {0x42C, 0x00030000},
                       {0x434, 0x00000102},
                       {0x480, 0x000000A8},
                       {0x558, 0x00800005}});
}

TEST(Reset, OfTheDriverLeavesACoreAtRest) {
    Rig rig;
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070100u);
    rig.write(reg::kClockControl, 0x00070900);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070900u);
}

TEST(Reset, KeepsTheClockControlBitsThatSoftwareWrites) {
    Rig rig;
    rig.write(reg::kClockControl, 0x00081900);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x000F1900u);
    rig.write(reg::kClockControl, 0x00080900);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x000F0900u);
}

TEST(Reset, HoldsTheCoreIdleWhileItsBitIsSet) {
    Rig rig;
    rig.store(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    rig.gc().start(0x2000, 2);
    rig.pass(kMillisecond);
    ASSERT_EQ(rig.read(reg::kIdle), kRunning);
    rig.write(reg::kClockControl, 0x1100);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

/* If the enable bit survived, linux etnaviv_mmu.c would skip all MMU setup. */
TEST(Reset, EndsEverythingOfACoreThatRunsTranslated) {
    Rig rig;
    rig.store(0x84000000, {0x84001001});    /* MTLB[0] */
    rig.store(0x84001000, {2, 0x85000001}); /* STLB: VA 1000 */
    rig.store(0x85000000,
              Commands{}.event(3, kEventFromFe).raw({0x380000C8, 0, 0x40000002, 0x1008}));
    rig.run(Commands{}.load(state::kMmuConfiguration, 0x84000000).end());
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.write(reg::kMmuControl, 1);
    rig.gc().start(0x1000, 3);
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }));
    ASSERT_EQ(rig.read(reg::kIdle), kRunning);
    ASSERT_EQ(rig.read(reg::kMmuControl), 1u);
    rig.gc().driver_reset();
    expect_after_reset(rig);
}

struct Wedge {
    const char* name;
    std::function<void(Rig&)> make;
};

void PrintTo(const Wedge& p, std::ostream* out) {
    *out << p.name;
}

class ResetWhile : public testing::TestWithParam<Wedge> {};

TEST_P(ResetWhile, WedgedLeavesACoreThatWorks) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    GetParam().make(rig);
    rig.pass(10 * kMillisecond);
    ASSERT_FALSE(rig.gc().stopped());
    rig.gc().driver_reset();
    expect_after_reset(rig);
}

void hang(Rig& rig) {
    rig.launch({0, 0});
}

void link_to_itself(Rig& rig) {
    rig.launch(Commands{}.link(kStream, 1));
}

void starve(Rig& rig) {
    rig.launch(Commands{}.event(1, kEventFromPe).nop());
}

void fault_on_fetch(Rig& rig) {
    rig.qemu().fill(0x84000000, 4096, 0);
    rig.store(0x84000000, {2});
    rig.run(Commands{}.load(state::kMmuConfiguration, 0x84000000).end());
    rig.write(reg::kMmuControl, 1);
    rig.gc().start(0x1000, 2);
}

void wait_for_long(Rig& rig) {
    Commands stream;
    for (int i = 0; i < 10000; ++i) {
        stream.wait(0xFFFF);
    }
    rig.launch(stream);
}

INSTANTIATE_TEST_SUITE_P(Core, ResetWhile,
                         testing::Values(Wedge{"Hung", hang},
                                         Wedge{"LinkingToItself", link_to_itself},
                                         Wedge{"Starved", starve},
                                         Wedge{"FaultedOnFetch", fault_on_fetch},
                                         Wedge{"Waiting", wait_for_long}),
                         [](const auto& p) { return std::string(p.param.name); });

TEST(Reset, OfTheHostBusBlockIsTheOneOfASecureCore) {
    Rig rig("gc7000-imx8mq");
    rig.write(reg::kMmuSecControl, 1);
    EXPECT_EQ(rig.read(reg::kMmuSecControl), 1u);
    rig.write(reg::kAhbControl, 1);
    EXPECT_EQ(rig.read(reg::kAhbControl) & 1, 0u);
    EXPECT_EQ(rig.read(reg::kMmuSecControl), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST(MmuEnable, CannotBeTakenBackBeforeAReset) {
    Rig rig;
    EXPECT_EQ(rig.read(reg::kMmuControl), 0u);
    rig.write(reg::kMmuControl, 1);
    rig.write(reg::kMmuControl, 0);
    EXPECT_EQ(rig.read(reg::kMmuControl), 1u);
    rig.qemu().system_reset();
    EXPECT_EQ(rig.read(reg::kMmuControl), 0u);
}

/* Sources: AM57xx TRM tables 13-100 to 13-118; galcore gc_hal_kernel_hardware.c for FE and DE. */
TEST(DebugSignals, ShowTheSignatureOfTheirModuleWhenSelectorFifteenIsSet) {
    Rig rig;
    rig.write(reg::kProfileConfig0, 0x0F0F0F0F);
    expect_reads(
        rig, {{0x450, 0xBABEF00D}, {0x458, 0xBABEF00D}, {0x454, 0xBABEF00D}, {0x45C, 0xDEADBEEF}});
    rig.write(reg::kProfileConfig1, 0x0F0F0F0F);
    expect_reads(
        rig, {{0x460, 0x0000AAAA}, {0x464, 0x5E5E5E5E}, {0x448, 0x12344321}, {0x44C, 0x12211221}});
    rig.write(reg::kProfileConfig2, 0x00000F0F);
    expect_reads(rig, {{0x468, 0x12345678}, {0x46C, 0xAAAAAAAA}});
    rig.write(reg::kProfileConfig0, 0);
    rig.write(reg::kProfileConfig1, 0);
    rig.write(reg::kProfileConfig2, 0);
    for (uint32_t offset = 0x448; offset <= 0x46C; offset += 4) {
        EXPECT_EQ(rig.read(offset), 0u) << std::hex << offset;
    }
}

TEST(DebugSignals, CountThePixelsThatThe2dPipeDraws) {
    Rig rig;
    const Commands draw = Commands{}
                              .select_2d()
                              .load(state::kDestAddress, Words{kDest, 64, 0, 0x00000006})
                              .load(state::kClipTopLeft, Words{0, 0x00100010})
                              .draw({{1, 1, 4, 3}})
                              .end();
    rig.write(reg::kProfileConfig0, 0x000F0000);
    rig.write(reg::kProfileConfig0, 0x000B0000); /* linux etnaviv_perfmon.c PIXELS_RENDERED_2D */
    EXPECT_EQ(rig.read(reg::kProfilePe), 0u);
    rig.run(draw);
    EXPECT_EQ(rig.read(reg::kProfilePe), 6u);
    rig.run(draw);
    EXPECT_EQ(rig.read(reg::kProfilePe), 12u);
    rig.write(reg::kProfileConfig0, 0x000F0000);
    rig.write(reg::kProfileConfig0, 0x000B0000);
    EXPECT_EQ(rig.read(reg::kProfilePe), 0u);
}

/* etnaviv_perfmon.c sums over the pipes selected in CLOCK_CONTROL, so no pipe may count twice. */
TEST(DebugSignals, AreZeroForAPixelPipeThatDoesNotExist) {
    Rig rig;
    rig.write(reg::kProfileConfig0, 0x000B0000);
    rig.run(Commands{}
                .select_2d()
                .load(state::kDestAddress, Words{kDest, 64, 0, 0x00000006})
                .load(state::kClipTopLeft, Words{0, 0x00100010})
                .draw({{0, 0, 4, 4}})
                .end());
    rig.write(reg::kClockControl, 0x00F00100);
    EXPECT_EQ(rig.read(reg::kProfilePe), 0u);
    rig.write(reg::kClockControl, 0x00000100);
    EXPECT_EQ(rig.read(reg::kProfilePe), 16u);
}

/* Source: AM57xx TRM tables 13-34, 13-36 and 13-38. */
TEST(MemoryCounters, CountUntilTheyAreResetAndStopped) {
    Rig rig;
    const Commands draw = Commands{}
                              .select_2d()
                              .load(state::kDestAddress, Words{kDest, 256, 0, 0x00000006})
                              .load(state::kClipTopLeft, Words{0, 0x00100040})
                              .draw({{0, 0, 64, 16}})
                              .end();
    rig.write(reg::kMemoryCounterReset, 1);
    rig.write(reg::kMemoryCounterReset, 0);
    rig.run(draw);
    EXPECT_GE(rig.read(reg::kWriteBytes8), 64u * 16 * 4 / 8);
    rig.write(reg::kMemoryCounterReset, 1);
    EXPECT_EQ(rig.read(reg::kWriteBytes8), 0u);
    rig.run(draw);
    EXPECT_EQ(rig.read(reg::kWriteBytes8), 0u);
    rig.write(reg::kMemoryCounterReset, 0);
    rig.run(draw);
    EXPECT_GE(rig.read(reg::kWriteBytes8), 64u * 16 * 4 / 8);
}

TEST(MemoryCounters, CountWhatACopyReads) {
    Rig rig;
    rig.write(reg::kMemoryCounterReset, 1);
    rig.write(reg::kMemoryCounterReset, 0);
    rig.run(base_block(64, 16, command::kBitBlt).draw({{0, 0, 64, 16}}).end());
    EXPECT_GE(rig.read(reg::kReadBytes8), 64u * 16 * 4 / 8);
    rig.write(reg::kMemoryCounterReset, 1);
    EXPECT_EQ(rig.read(reg::kReadBytes8), 0u);
}

TEST(MemoryCounters, CountWhatTheFrontEndFetches) {
    Rig rig;
    rig.write(reg::kMemoryCounterReset, 1);
    rig.write(reg::kMemoryCounterReset, 0);
    Commands stream;
    for (int i = 0; i < 100; ++i) {
        stream.nop();
    }
    rig.run(stream.end());
    EXPECT_GE(rig.read(reg::kReadBytes8), 101u);
}

TEST(CycleCounters, CountCoreCyclesOfGuestTime) {
    Rig rig;
    rig.write(reg::kCycleCounter, 0);
    rig.write(reg::kTotalCycles, 0);
    rig.pass(kMicrosecond); /* 400 MHz */
    EXPECT_NEAR(rig.read(reg::kCycleCounter), 400, 1);
    EXPECT_NEAR(rig.read(reg::kTotalCycles), 400, 1);
    EXPECT_NEAR(rig.read(reg::kIdleCycles), 400, 1);
}

/* A write resets the total (AM57xx TRM table 13-60) and with it the idle counter (table 13-62). */
TEST(CycleCounters, RestartWithAWriteToTheTotal) {
    Rig rig;
    rig.pass(kMillisecond);
    EXPECT_NE(rig.read(reg::kTotalCycles), 0u);
    EXPECT_NE(rig.read(reg::kIdleCycles), 0u);
    rig.write(reg::kTotalCycles, 0x12345678);
    EXPECT_EQ(rig.read(reg::kTotalCycles), 0u);
    EXPECT_EQ(rig.read(reg::kIdleCycles), 0u);
}

TEST(CycleCounters, WrapAtThirtyTwoBits) {
    Rig rig;
    rig.write(reg::kTotalCycles, 0);
    rig.pass(20'000 * kMillisecond); /* 8e9 cycles */
    EXPECT_NEAR(rig.read(reg::kTotalCycles), 8'000'000'000 - 4'294'967'296, 1);
}

TEST(CycleCounters, SlowDownWithTheClockScale) {
    Rig rig;
    rig.write(reg::kClockControl, 0x10 << 2 | 0x200); /* FSCALE 16 of 64 */
    rig.write(reg::kClockControl, 0x10 << 2);
    rig.write(reg::kCycleCounter, 0);
    rig.pass(kMillisecond);
    EXPECT_NEAR(rig.read(reg::kCycleCounter), 100'000, 1);
}

TEST(CycleCounters, KeepTheOldScaleUntilTheNewOneIsLoaded) {
    Rig rig;
    rig.write(reg::kClockControl, 0x10 << 2); /* FSCALE_CMD_LOAD stays 0 */
    rig.write(reg::kCycleCounter, 0);
    rig.pass(kMillisecond);
    EXPECT_NEAR(rig.read(reg::kCycleCounter), 400'000, 1);
}

} // namespace
} // namespace pixmill::qtest
