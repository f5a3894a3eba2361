/*
 * Command streams that violate the hardware's rules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * On cores with MMU v2 the Linux driver passes user streams to the front end unchecked.  Each cause
 * must be logged once, QEMU must survive, and a soft reset must bring the core back.
 */
#include <gtest/gtest.h>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kStateDec = 1; /* DMA_DEBUG_STATE.CMD_STATE */

void expect_hung(Rig& rig) {
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.gc().command_state(), kStateDec);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

void expect_recovery(Rig& rig) {
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    rig.run(Commands{}.event(1, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

/* ---- Opcodes ----------------------------------------------------------------- */

class IllegalOpcode : public testing::TestWithParam<uint32_t> {};

TEST_P(IllegalOpcode, HangsTheFrontEndUntilASoftReset) {
    Rig rig;
    rig.launch(Commands{GetParam() << 27, 0}.event(0, kEventFromFe).end());
    expect_hung(rig);
    EXPECT_TRUE(logged(rig, 1));
    expect_recovery(rig);
    EXPECT_TRUE(logged(rig, 0));
}

INSTANTIATE_TEST_SUITE_P(Opcode, IllegalOpcode,
                         testing::Values(0, 14, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
                                         31));

struct Foreign {
    const char* name;
    const char* model;
    Words words;
};

void PrintTo(const Foreign& p, std::ostream* out) {
    *out << p.name;
}

class ForeignOpcode : public testing::TestWithParam<Foreign> {};

TEST_P(ForeignOpcode, IsSteppedOverWithItsOperands) {
    Rig rig(GetParam().model);
    Commands stream;
    for (const uint32_t word : GetParam().words) {
        stream.raw({word});
    }
    rig.run(stream.event(2, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), kStream + 8 * stream.qwords());
    EXPECT_TRUE(logged(rig, 1));
}

/* The operands are 0 where a front end that executed them as commands would hang. */
INSTANTIATE_TEST_SUITE_P(
    Opcode, ForeignOpcode,
    testing::Values(Foreign{"DrawPrimitivesOn2d", "gc320-am57xx", {0x28000000, 4, 0, 1}},
                    Foreign{"DrawIndexedOn2d", "gc320-am57xx", {0x30000000, 4, 0, 1, 0, 0}},
                    Foreign{"DrawInstancedOn2d", "gc320-am57xx", {0x60040001, 3, 0, 0}},
                    Foreign{"WaitFenceWithoutHalti5", "gc320-am57xx", {0x78000001, kRam}},
                    Foreign{"DrawIndirectWithoutHalti5", "gc320-am57xx", {0x80000004, kRam}},
                    Foreign{"SnapPagesOnAnOldCore", "gc320-am57xx", {0x98000000, 0}},
                    Foreign{"Draw2dOn3d", "gc2000-imx6q", {0x20030200, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
                    Foreign{"DrawInstancedOn3d", "gc600-dove", {0x60040001, 3, 0, 0}}),
    [](const auto& p) { return p.param.name; });

/* 3D engines with a BLT engine are not modeled; their draws are logged and draw nothing. */
TEST(Unimplemented, DrawOfThe3dPipeIsLoggedOnceAndTheStreamContinues) {
    Rig rig("gc7000-imx8mq");
    rig.run(Commands{0x28000000, 4, 0, 1, 0x28000000, 4, 0, 1}.event(2, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    EXPECT_TRUE(logged(rig, 1));
}

/* ---- Prefetch ------------------------------------------------------------------ */

TEST(BadStream, RunningOutOfPrefetchStarvesTheFrontEnd) {
    Rig rig;
    rig.store(kStream, Commands{}.nop().nop().event(0, kEventFromFe).end());
    rig.gc().start(kStream, 2);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.gc().command_state(), kStateDec);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_TRUE(logged(rig, 1));
    expect_recovery(rig);
}

TEST(BadStream, LoadCutShortByThePrefetchDoesNotReadOn) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    /* the second qword of the load, which holds the stride, is beyond the prefetch count */
    const Commands stream = base_block(8, 1, command::kClear);
    rig.store(kStream,
              Commands{}.append(stream).load(state::kDestAddress, Words{kDest, 32, 0}).end());
    rig.gc().start(kStream, stream.qwords() + 1);
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_TRUE(logged(rig, 1));
    EXPECT_TRUE(dest.unchanged());
    expect_recovery(rig);
}

TEST(BadStream, DrawCutShortByThePrefetchDoesNotReadOn) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    Commands stream = base_block(8, 1, command::kClear);
    stream.load(state::kClearPixel, 0xFFFFFFFF);
    const uint32_t before = stream.qwords();
    rig.store(kStream, stream.draw({{0, 0, 1, 1}, {4, 0, 8, 1}}).end());
    rig.gc().start(kStream, before + 2); /* header and first rectangle */
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_TRUE(logged(rig, 1));
    const Words words = dest.words();
    EXPECT_EQ(Words(words.begin() + 1, words.end()), Words(7))
        << "the second rectangle must not be read";
    expect_recovery(rig);
}

TEST(BadStream, LinkWithoutPrefetchStarves) {
    Rig rig;
    rig.store(0x9000, Commands{}.event(0, kEventFromFe).end());
    rig.launch(Commands{}.link(0x9000, 0));
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_TRUE(logged(rig, 1));
    expect_recovery(rig);
}

/* ---- Loads ---------------------------------------------------------------------- */

TEST(BadStream, LoadPastTheLastStateDropsTheRestAndContinues) {
    Rig rig;
    rig.run(Commands{0x0803FFFF, 1, 2, 3}.event(4, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 4);
    EXPECT_TRUE(logged(rig, 1));
}

/* Tests one state in the DE, one in the GL block, and one far beyond all states in rnndb. */
TEST(BadStream, LoadOfAnUnknownStateIsLoggedOnce) {
    for (const uint32_t unknown : {0x13F0u, 0x3BF0u, 0x38000u}) {
        Rig rig;
        rig.run(Commands{}.load(unknown, 1).load(unknown, 2).end());
        EXPECT_TRUE(logged(rig, 1)) << std::hex << unknown;
        rig.run(Commands{}.load(unknown, 3).end());
        EXPECT_TRUE(logged(rig, 0)) << std::hex << unknown;
    }
}

TEST(BadStream, LoadsOfHostStatesAreIgnoredInSilence) {
    Rig rig;
    Commands stream;
    for (uint32_t address = 0; address < 0x600; address += 4) {
        const bool mmu =
            address == 0x180 || address == 0x184 || address == 0x1A0 || address == 0x1AC;
        if (!mmu) {
            stream.load(address, 0xFFFFFFFF);
        }
    }
    rig.run(stream.event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070100u);
    EXPECT_EQ(rig.read(reg::kIntrEnable), 0u);
    EXPECT_EQ(rig.read(reg::kMmuControl), 0u);
    EXPECT_EQ(rig.read(0x414), 0x3C000000u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(BadStream, MmuV2StatesOfACoreWithMmuV1AreIgnoredAndLoggedOnce) {
    Rig rig("gc320-imx6");
    rig.run(
        Commands{}.load(state::kMmuConfiguration, kRam).load(state::kMmuConfiguration, kRam).end());
    EXPECT_TRUE(logged(rig, 1));
}

/* ---- Jumps ------------------------------------------------------------------------ */

TEST(BadStream, LinkWhereThereIsNoMemoryHangsOnAZero) {
    for (const char* model : {"gc320-am57xx", "gc320-imx6"}) {
        Rig rig(model);
        rig.launch(Commands{}.link(kNoRam, 2));
        EXPECT_EQ(rig.read(reg::kIdle), kRunning);
        EXPECT_EQ(rig.gc().command_state(), kStateDec);
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus);
        expect_recovery(rig);
    }
}

TEST(BadStream, LinkIntoItsOwnRegistersIsABusError) {
    Rig rig;
    rig.launch(Commands{}.link(static_cast<uint32_t>(kGcBase), 16));
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus);
    expect_recovery(rig);
}

TEST(BadStream, SeventeenthNestedCallHangs) {
    Rig rig;
    for (uint32_t i = 0; i < 17; ++i) {
        const uint32_t at = kStream + i * 0x100;
        rig.store(at, {0x50000003, at + 0x100, 1, at + 0x10, 0x58000000, 0});
    }
    rig.store(kStream + 17 * 0x100, Commands{}.event(0, kEventFromFe).raw({0x58000000, 0}));
    rig.gc().start(kStream, 2);
    expect_hung(rig);
    EXPECT_TRUE(logged(rig, 1));
    expect_recovery(rig);
}

TEST(BadStream, ReturnWithoutACallHangs) {
    Rig rig;
    rig.launch(Commands{0x58000000, 0}.event(0, kEventFromFe).end());
    expect_hung(rig);
    EXPECT_TRUE(logged(rig, 1));
    expect_recovery(rig);
}

TEST(BadStream, StackIsEmptyAgainAfterASoftReset) {
    Rig rig;
    rig.store(0x5000, {0, 0});
    rig.launch({0x50000001, 0x5000, 1, 0x6000});
    expect_hung(rig);
    rig.gc().driver_reset();
    rig.take_log();
    rig.store(0x6000, Commands{}.end());
    rig.launch({0x58000000, 0});
    expect_hung(rig);
    expect_recovery(rig);
}

/* ---- Events and stalls -------------------------------------------------------------- */

TEST(BadStream, EventsThatAliasTheErrorBitsAreIgnoredAndLogged) {
    for (const uint32_t id : {30u, 31u}) {
        Rig rig;
        rig.run(Commands{}
                    .event(id, kEventFromFe)
                    .event(id, kEventFromPe)
                    .event(1, kEventFromFe)
                    .end());
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
        EXPECT_TRUE(logged(rig, 1));
    }
}

TEST(BadStream, EventOfAnEndIsIgnoredAndLoggedWhereTheCoreHasNone) {
    Rig rig; /* MINOR_FEATURES2 bit 9 is 0 */
    rig.run({0x10000103, 0});
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadStream, StallWithoutItsSemaphorePassesAndIsLogged) {
    Rig rig;
    rig.run(Commands{}.stall(0x701).event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadStream, StallOnAnUnknownModulePassesAndIsLogged) {
    Rig rig;
    rig.run(Commands{}.load(state::kSemaphore, 0x301).stall(0x301).event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadStream, FlushOfUnknownCachesIsAccepted) {
    Rig rig;
    rig.run(Commands{}
                .load(state::kFlushCache, 0)
                .load(state::kFlushCache, 0xFFFFFFFF)
                .event(1, kEventFromFe)
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(BadStream, ChipSelectWithoutTheOnlyChipIsLoggedOnce) {
    Rig rig;
    rig.run(Commands{0x68000002, 0, 0x68000002, 0}.event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadStream, EndBeforeTheRestOfAJobStopsTheFrontEndForGood) {
    Rig rig;
    rig.launch(Commands{}.end().event(1, kEventFromFe).end());
    rig.pass(100 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST(BadStream, PtaIndexBeyondTheTableIsIgnoredAndLogged) {
    Rig rig("gc7000-imx8mq");
    rig.write(reg::kMmuPtaLow, kHighRam);
    rig.write(reg::kMmuPtaControl, 1);
    rig.run(Commands{}.load(state::kMmuPtaConfig, 512).event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadStream, StormOfMmuFlushesIsJustSlow) {
    Rig rig;
    Commands stream;
    for (int i = 0; i < 20000; ++i) {
        stream.load(state::kFlushMmu, 0x1F);
    }
    rig.run(stream.event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

/* The seed is fixed.  The front end may do anything with noise, but QEMU must answer. */
TEST(BadStream, NoiseNeverTakesQemuDown) {
    for (const char* model : {"gc320-am57xx", "gc320-imx6", "gc2000-imx6q", "gc7000-imx8mq"}) {
        Rig rig(model);
        uint32_t random = 0x12345678;
        for (int round = 0; round < 40; ++round) {
            Words words(4096);
            for (uint32_t& word : words) {
                random = random * 1664525 + 1013904223;
                word = random ^ random >> 13;
            }
            /* in half of the rounds, legal opcodes with random operands */
            if (round % 2 == 0) {
                for (size_t i = 0; i < words.size(); i += 2) {
                    constexpr uint32_t kOpcodes[] = {1, 1, 1, 3, 4, 7, 9, 5};
                    words[i] = (words[i] & 0x0003FFFF) | kOpcodes[words[i] >> 29] << 27;
                }
            }
            rig.qemu().write_words(kStream, words);
            rig.gc().start(kStream, 2048);
            rig.pass(kMillisecond);
            rig.gc().driver_reset();
        }
        rig.run(Commands{}.event(1, kEventFromPe).end());
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u) << model;
    }
}

} // namespace
} // namespace pixmill::qtest
