/*
 * Command lists of the NEMA|GFX, fetched through the bus: jumps, calls, ring, breakpoints, holds,
 * interrupts up to the NVIC, bus stalls, and malformed lists.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The lists are modeled on those of Goodix hal_gfx and of LVGL's and Ambiq's NemaGFX.
 */
#include <gtest/gtest.h>

#include <array>

#include "../rig.hpp"
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kDest = kSram;
constexpr uint32_t kListA = kSram + 0x4000;
constexpr uint32_t kListB = kSram + 0x4100;
constexpr uint32_t kOwn = kSram + 0x5000;
constexpr uint32_t kRingBase = 0x30000040; /* in the second window of the same RAM */
constexpr uint32_t kUnmapped = 0x60000000;

/* Together these lists draw four pixels at kDest: A sets the target, B draws. */
const Words kWordsA{0x00000000, 0x20000000, 0x00000004, 0x01000010, 0x00000008,
                    0x00010004, 0x00000110, 0x00000000, 0x00000114, 0x00010004,
                    0x0000012C, 0x80402010, 0x00010000, 0x00010000};
const Words kWordsB{0x000001D0, 0x00000001, 0x00000118, 0x90000000, 0x0000011C, 0x141F001F,
                    0x00000104, 0x00000000, 0x00000108, 0x00010004, 0xFF000100, 0x00000002};
const Words kNothing(4, 0);
const Words kDrawn(4, 0x80402010);
const Words kCallB{0x000000F0, kListB, nema::kCall, 12};
const Words kFinish{0x00000148, 7, 0x000000F8, 1};

class NemaLists : public testing::Test {
protected:
    void SetUp() override {
        rig.write_all(common_state());
        rig.qemu().write_words(kDest, kNothing);
        rig.qemu().write_words(kListA, kWordsA);
        rig.qemu().write_words(kListB, kWordsB);
    }
    void run(uint32_t address, uint32_t words) {
        rig.kick(address, words);
        ASSERT_TRUE(rig.settle());
    }
    void run(const Words& list) {
        rig.qemu().write_words(kOwn, list);
        run(kOwn, static_cast<uint32_t>(list.size()));
    }
    void run_list_a() { run(kListA, 14); }
    Words dest() { return rig.qemu().read_words(kDest, 4); }
    void start_ring() {
        rig.write_all(
            {nema::kRing, kRingBase + 6, nema::kCmdAddr, kRingBase, nema::kCmdSize, 0x400});
        rig.pass(kMillisecond);
    }
    void ring(uint32_t offset, const Words& words) {
        rig.qemu().write_words(kRingBase + offset, words);
    }
    void submit(uint32_t end) {
        rig.write(nema::kRing, (kRingBase + end) | 4);
        rig.pass(kMillisecond);
    }
    void inject(const char* what) {
        rig.qemu().set_property(nema::kPath, "x-inject", std::string("\"") + what + "\"");
    }

    NemaRig rig;
};

TEST_F(NemaLists, AListWritesRegisters) {
    run_list_a();
    const std::array<uint32_t, 6> offsets{0x000, 0x004, 0x008, 0x110, 0x114, 0x12C};
    for (size_t i = 0; i < offsets.size(); ++i) {
        EXPECT_EQ(rig.read(offsets[i]), kWordsA[2 * i + 1]) << std::hex << offsets[i];
    }
    EXPECT_EQ(dest(), kNothing);
    EXPECT_FALSE(rig.completion());
}

TEST_F(NemaLists, AListDraws) {
    run_list_a();
    run(kListB, 12);
    EXPECT_EQ(dest(), kDrawn);
}

TEST_F(NemaLists, ACallReturnsAndAJumpDoesNot) {
    run_list_a();
    run(joined({kCallB, kFinish}));
    EXPECT_EQ(dest(), kDrawn);
    EXPECT_EQ(rig.read(nema::kListId), 7u);
    EXPECT_TRUE(rig.completion());

    rig.write(nema::kIntCtrl, 0);
    rig.write(nema::kListId, 0);
    rig.qemu().write_words(kDest, kNothing);
    run(joined({{0x000000F0, kListB, 0x000000F4, 12}, kFinish}));
    EXPECT_EQ(dest(), kDrawn);
    EXPECT_EQ(rig.read(nema::kListId), 0u);
    EXPECT_FALSE(rig.completion());
}

TEST_F(NemaLists, AReturnLeavesTheListEarly) {
    run_list_a();
    Words b = kWordsB;
    b.insert(b.begin() + 10, {0x00050000, 0});
    rig.qemu().write_words(kListB, b);
    run(joined({{0x000000F0, kListB, nema::kCall, 14}, kFinish}));
    EXPECT_EQ(dest(), kNothing);
    EXPECT_EQ(rig.read(nema::kListId), 7u);
}

/* There are nine lists; each but the last calls the next and then writes its mark. */
TEST_F(NemaLists, EightCallsNestAndReturn) {
    const std::array<uint32_t, 9> marks{0x104, 0x108, 0x110, 0x114, 0x11C,
                                        0x120, 0x124, 0x130, 0x134};
    for (uint32_t depth = 0; depth < marks.size(); ++depth) {
        const uint32_t at = kOwn + 0x40 * depth;
        const bool deepest = depth + 1 == marks.size();
        const Words call =
            deepest ? Words{}
                    : Words{0xF0, at + 0x40, nema::kCall, depth + 2 == marks.size() ? 2u : 6u};
        rig.qemu().write_words(at, joined({call, {marks[depth], 0x100 + depth}}));
    }
    run(kOwn, 6);
    for (uint32_t depth = 0; depth < marks.size(); ++depth) {
        EXPECT_EQ(rig.read(marks[depth]), 0x100 + depth);
    }
    EXPECT_EQ(rig.read(nema::kCmdStat) >> 9 & 7, 0u);
}

TEST_F(NemaLists, TheRingRunsToItsStopAddress) {
    run_list_a();
    start_ring();
    EXPECT_TRUE(rig.idle());
    ring(0, kCallB);
    ring(0x10, {0x00000148, 1, 0x000000F8, 1, 0xFF0000F0, 0x30000070, 0xFF0000F4, 0x400});
    submit(0x10);
    EXPECT_EQ(dest(), kDrawn);
    EXPECT_EQ(rig.read(nema::kCmdAddr), kRingBase + 0x10);
    EXPECT_EQ(rig.read(nema::kListId), 0u);
    EXPECT_FALSE(rig.completion());
    submit(0x30);
    EXPECT_EQ(rig.read(nema::kListId), 1u);
    EXPECT_TRUE(rig.completion());
    EXPECT_EQ(rig.read(nema::kCmdAddr), 0x30000070u);
    EXPECT_TRUE(rig.idle());
}

TEST_F(NemaLists, TheRingWraps) {
    start_ring();
    for (uint32_t at = 0; at < 0x3F0; at += 8) {
        ring(at, {0x00010000, 0x00010000});
    }
    ring(0x3F0, {0xFF0000F0, kRingBase, 0xFF0000F4, 0x400});
    submit(0x3E0);
    EXPECT_EQ(rig.read(nema::kCmdAddr), kRingBase + 0x3E0);
    ring(0x3E0, {nema::kDrawColor, 0xAABBCCDD});
    ring(0, {0xFF0000F0, kRingBase + 0x10, 0xFF0000F4, 0x400, nema::kDrawColor, 1});
    submit(0x10);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0xAABBCCDDu);
    EXPECT_EQ(rig.read(nema::kCmdAddr), kRingBase + 0x10);
    EXPECT_TRUE(rig.idle());
}

TEST_F(NemaLists, TheRingWaitsForATrigger) {
    start_ring();
    ring(0, {nema::kDrawColor, 0x12345678});
    rig.write(nema::kRing, (kRingBase + 8) | 6);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0u);
    submit(8);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0x12345678u);
}

TEST_F(NemaLists, ABreakpointHoldsUntilTheHostTakesItBack) {
    rig.write(nema::kBreakpointMask, 0xFFFF);
    rig.kick(kOwn, Words{0xFF000080, 5, 0xFF8000F8, 1, nema::kDrawColor, 0x12345678});
    rig.pass(kMillisecond);
    EXPECT_TRUE(rig.completion());
    EXPECT_EQ(rig.read(nema::kBreakpoint), 5u);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0u);
    EXPECT_NE(rig.read(nema::kCmdStat) & 1u << 31, 0u);
    rig.write(nema::kBreakpoint, 0);
    ASSERT_TRUE(rig.settle());
    EXPECT_EQ(rig.read(nema::kDrawColor), 0x12345678u);
}

TEST_F(NemaLists, AGpFlagHoldsUntilTheHostLowersIt) {
    rig.kick(kOwn, Words{0x08000FF4, 0x00020002, nema::kDrawColor, 0x11111111});
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0u);
    rig.write(nema::kGpFlags, 0x00020000);
    ASSERT_TRUE(rig.settle());
    EXPECT_EQ(rig.read(nema::kDrawColor), 0x11111111u);
}

TEST_F(NemaLists, TheEndOfAListInterruptsIfAskedTo) {
    rig.write(nema::kIntCtrl, 2);
    run_list_a();
    EXPECT_TRUE(rig.completion());
}

TEST_F(NemaLists, AnOddSizeLeavesTheLastWord) {
    run(kListA, 3);
    EXPECT_EQ(rig.read(nema::kTex0Base), kWordsA[1]);
    EXPECT_EQ(rig.read(nema::kTex0Fstride), 0u);
}

/* ---- Interrupts ------------------------------------------------------------------ */

/* True if interrupt @number is pending in the NVIC (Armv7-M ARM, NVIC_ISPR). */
bool pending(NemaRig& rig, unsigned number) {
    return (rig.qemu().read32(0xE000E200 + number / 32 * 4) >> number % 32 & 1) != 0;
}

TEST_F(NemaLists, CompletionIsInterrupt51AndErrorInterrupt64) {
    EXPECT_FALSE(pending(rig, 51));
    EXPECT_FALSE(pending(rig, 64));
    run(kFinish);
    EXPECT_TRUE(pending(rig, 51));
    EXPECT_FALSE(pending(rig, 64));
    rig.write(nema::kBusErrorMask, 0x7E);
    run(kUnmapped, 2);
    EXPECT_TRUE(rig.error());
    EXPECT_TRUE(pending(rig, 64));
}

TEST_F(NemaLists, ALostInterruptIsLostOnce) {
    inject("lost-irq");
    run(kFinish);
    EXPECT_EQ(rig.read(nema::kListId), 7u);
    EXPECT_FALSE(rig.completion());
    rig.write(nema::kIntCtrl, 0);
    run(kFinish);
    EXPECT_TRUE(rig.completion());
}

/* ---- A stalled bus --------------------------------------------------------------- */

constexpr uint32_t kSide = 1024;
const Surface kLarge{kPsram, kSide, kSide};

uint32_t pixel(NemaRig& rig, uint32_t x, uint32_t y) {
    return rig.qemu().read32(kLarge.base + 4 * (y * kSide + x));
}

TEST_F(NemaLists, TheHostsNextPrimitiveWaitsForTheLast) {
    rig.write_all(fill_state(kLarge, 0x11111111));
    rig.write_all(rectangle(0, 0, kSide, kSide));
    EXPECT_NE(rig.read(nema::kStat) & 1u << 31, 0u);
    EXPECT_EQ(pixel(rig, kSide - 1, kSide - 1), 0u) << "the host draws too fast for this test";
    rig.write(nema::kDrawColor, 0x22222222);
    rig.write_all(rectangle(5, 6, 6, 7));
    /* The second draw must have waited for the first, although no guest time has passed. */
    EXPECT_EQ(pixel(rig, kSide - 1, kSide - 1), 0x11111111u);
    ASSERT_TRUE(rig.settle());
    EXPECT_EQ(pixel(rig, 5, 6), 0x22222222u);
    EXPECT_EQ(pixel(rig, 6, 6), 0x11111111u);
    EXPECT_EQ(rig.counter("stat-primitives"), 2u);
    EXPECT_EQ(rig.counter("stat-pixels"), uint64_t{kSide} * kSide + 1);
}

TEST_F(NemaLists, AHostsPrimitiveThatWouldWaitForEverIsDropped) {
    run_list_a();
    inject("hang");
    rig.kick(kListB, 12);
    rig.pass(kMillisecond);
    EXPECT_FALSE(rig.idle());
    rig.write(nema::kDrawCmd, 2);
    EXPECT_FALSE(rig.qemu().log().empty());
    EXPECT_EQ(dest(), kNothing);
    rig.write(nema::kCmdStat, 0);
    rig.write(nema::kStat, 0);
    EXPECT_TRUE(rig.settle());
    run(kListB, 12);
    EXPECT_EQ(dest(), kDrawn);
}

/* A pipeline reset must drop the draw in flight, which must not write to memory afterwards. */
TEST_F(NemaLists, WritingStatDropsAPrimitive) {
    rig.write_all(fill_state(kLarge, 0x11111111));
    rig.write_all(rectangle(0, 0, kSide, kSide));
    rig.write(nema::kStat, 0);
    rig.qemu().fill(kPsram, kSide * kSide * 4, 0);
    ASSERT_TRUE(rig.settle());
    rig.pass(kMillisecond);
    EXPECT_EQ(pixel(rig, 0, 0), 0u);
    EXPECT_EQ(pixel(rig, kSide - 1, kSide - 1), 0u);
}

/* ---- Bad input ------------------------------------------------------------------- */

TEST_F(NemaLists, AListOutsideOfMemoryIsABusError) {
    run(kUnmapped, 16);
    EXPECT_EQ(rig.read(nema::kSysInt) & 0x800, 0x800u);
    EXPECT_FALSE(rig.error()) << "the bus error is masked";
    EXPECT_GE(rig.counter("stat-bus-errors"), 1u);
    rig.write(nema::kSysInt, 0x800);
    EXPECT_EQ(rig.read(nema::kSysInt) & 0x800, 0u);
    rig.write(nema::kBusErrorMask, 0x78);
    run(kUnmapped, 16);
    EXPECT_TRUE(rig.error());
    rig.write(nema::kSysInt, rig.read(nema::kSysInt));
    EXPECT_FALSE(rig.error());
    run_list_a();
    EXPECT_EQ(rig.read(nema::kTex0Base), kWordsA[1]);
}

TEST_F(NemaLists, ABusErrorCanBeInjectedOnce) {
    inject("bus-error");
    run_list_a();
    EXPECT_EQ(rig.read(nema::kSysInt) & 0x800, 0x800u);
    EXPECT_EQ(rig.counter("stat-bus-errors"), 1u);
    run_list_a();
    EXPECT_EQ(rig.counter("stat-bus-errors"), 1u);
}

TEST_F(NemaLists, AReturnWithoutACallStops) {
    run({0x00050000, 0, nema::kDrawColor, 1});
    EXPECT_EQ(rig.read(nema::kDrawColor), 0u);
}

TEST_F(NemaLists, UnknownRegistersAndPrimitivesAreIgnored) {
    run_list_a();
    run({0x00000054, 0xFFFFFFFF, 0x00000FEC, 0xFFFFFFFF, nema::kStartXy, 0, nema::kEndXy, 0x10004,
         nema::kHeldDraw, 0, nema::kHeldDraw, 3, nema::kHeldDraw, 6, nema::kHeldDraw, 7,
         nema::kListId, 9});
    EXPECT_EQ(dest(), kNothing);
    EXPECT_EQ(rig.read(nema::kListId), 9u);
    EXPECT_EQ(rig.counter("stat-pixels"), 0u);
}

TEST_F(NemaLists, ATargetOutsideOfMemoryIsABusErrorAndNothingElse) {
    rig.write(nema::kBusErrorMask, 0x7E);
    rig.write_all(fill_state({kUnmapped, 8, 8}, 0xFFFFFFFF));
    rig.write_all(rectangle(0, 0, 8, 8));
    ASSERT_TRUE(rig.settle());
    EXPECT_EQ(rig.read(nema::kSysInt) & 0x800, 0x800u);
    EXPECT_TRUE(rig.error());
}

TEST_F(NemaLists, ATargetWithoutSizeOrOfAnUnknownFormatTakesNothing) {
    run_list_a();
    rig.write(nema::kTex0Resxy, 0);
    run(kListB, 12);
    EXPECT_EQ(dest(), kNothing);
    rig.write(nema::kTex0Resxy, 0x10004);
    for (const uint32_t format : {0x7Fu, 0x0Bu, 0x29u, 0x0Du}) {
        rig.write(nema::kTex0Fstride, format << 24 | 16);
        run(kListB, 12);
        EXPECT_EQ(dest(), kNothing) << std::hex << format;
    }
    EXPECT_FALSE(rig.qemu().log().empty());
}

/* The list never ends, but the machine must answer, reset and quit. */
TEST_F(NemaLists, AnEndlessListLeavesTheMachineAlive) {
    rig.kick(kOwn, Words{0x000000F0, kOwn, 0x000000F4, 4});
    for (int i = 0; i < 50; ++i) {
        rig.pass(kMillisecond);
        static_cast<void>(rig.read(nema::kStat));
    }
    rig.write(nema::kCmdStat, 0);
    EXPECT_TRUE(rig.settle());
    run_list_a();
    EXPECT_EQ(rig.read(nema::kTex0Base), kWordsA[1]);
    rig.kick(kOwn, 4);
    rig.qemu().system_reset();
    EXPECT_TRUE(rig.idle());
}

/* ---- Counters -------------------------------------------------------------------- */

TEST_F(NemaLists, CountersCountWhatWasDone) {
    for (const char* name : {"stat-command-words", "stat-lists", "stat-primitives", "stat-pixels",
                             "stat-bus-errors", "stat-interrupts"}) {
        EXPECT_EQ(rig.counter(name), 0u) << name;
    }
    run_list_a();
    run(joined({kCallB, kFinish}));
    EXPECT_EQ(rig.counter("stat-command-words"), 14u + 8u + 12u);
    EXPECT_EQ(rig.counter("stat-lists"), 2u);
    EXPECT_EQ(rig.counter("stat-primitives"), 1u);
    EXPECT_EQ(rig.counter("stat-pixels"), 4u);
    EXPECT_EQ(rig.counter("stat-interrupts"), 1u);
}

TEST_F(NemaLists, FaultsHaveNames) {
    const auto refused = [&](const std::string& value) {
        return rig.qemu().qmp_error("qom-set", R"({"path": "/machine/gpu", "property": "x-inject",
                                                 "value": ")" +
                                                   value + "\"}");
    };
    EXPECT_NE(refused("mmu-fault"), "");
    EXPECT_NE(refused(""), "");
    EXPECT_EQ(refused("bus-error"), "");
}

} // namespace
} // namespace pixmill::qtest
