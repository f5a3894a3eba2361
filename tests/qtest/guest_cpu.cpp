/*
 * Accesses made by a guest CPU: qtest splits wide accesses before they reach the device, but a CPU
 * does not.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "rig.hpp"
#include "vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kResult = kLowRam + 0x100000;
constexpr uint32_t kDone = 1;
constexpr uint32_t kAborted = 2;

/*
 * Returns a program that points r0 at the registers and r1 at the result, runs @body, stores kDone
 * in result[0] and sleeps.
 */
Words program(std::initializer_list<uint32_t> body) {
    Words words{0xE3A00459,  /* mov r0, #0x59000000 */
                0xE3A01601}; /* mov r1, #0x00100000 */
    words.insert(words.end(), body);
    for (const uint32_t word : {0xE3A02001u,    /* mov r2, #1 */
                                0xE5812000u,    /* str r2, [r1] */
                                0xE320F003u,    /* wfi */
                                0xEAFFFFFDu}) { /* b to the wfi */
        words.push_back(word);
    }
    return words;
}

class GuestCpu : public testing::Test {
protected:
    /* Runs @body and returns result[0]. */
    uint32_t run(const char* model, std::initializer_list<uint32_t> body) {
        rig = std::make_unique<Rig>(
            RigOptions{.model = model, .arguments = {"-S"}, .accel = "tcg", .threaded = true});
        rig->boot(program(body));
        rig->wait([&] { return rig->qemu().read32(kResult) != 0; }, 5000 * kMillisecond,
                  kMillisecond);
        return rig->qemu().read32(kResult);
    }

    uint32_t result(uint32_t index) { return rig->qemu().read32(kResult + 4 * index); }

    std::unique_ptr<Rig> rig;
};

TEST_F(GuestCpu, ReadsTwoRegistersWithOneWideLoad) {
    ASSERT_EQ(run("gc320-am57xx", {0xE1C021D8,   /* ldrd r2, r3, [r0, #0x18] */
                                   0xE5812008,   /* str r2, [r1, #8] */
                                   0xE581300C}), /* str r3, [r1, #12] */
              kDone);
    EXPECT_EQ(result(2), 0x14010000u);
    EXPECT_EQ(result(3), 0xE02CFECAu);
}

TEST_F(GuestCpu, WritesTwoRegistersWithOneWideStore) {
    ASSERT_EQ(run("gc320-am57xx", {0xE3A02000,   /* mov r2, #0 */
                                   0xE3A030A5,   /* mov r3, #0xA5 */
                                   0xE1C021F0,   /* strd r2, r3, [r0, #0x10] */
                                   0xE5902014,   /* ldr r2, [r0, #0x14] */
                                   0xE5812008}), /* str r2, [r1, #8] */
              kDone);
    EXPECT_EQ(result(2), 0xA5u);
}

TEST_F(GuestCpu, ReadsLanesAndLosesNarrowWrites) {
    ASSERT_EQ(run("gc320-am57xx", {0xE5D02025,   /* ldrb r2, [r0, #0x25] */
                                   0xE5812008,   /* str r2, [r1, #8] */
                                   0xE1D022B4,   /* ldrh r2, [r0, #0x24] */
                                   0xE581200C,   /* str r2, [r1, #12] */
                                   0xE3E03000,   /* mvn r3, #0 */
                                   0xE5C03014,   /* strb r3, [r0, #0x14] */
                                   0xE1C031B4,   /* strh r3, [r0, #0x14] */
                                   0xE5902014,   /* ldr r2, [r0, #0x14] */
                                   0xE5812010}), /* str r2, [r1, #16] */
              kDone);
    EXPECT_EQ(result(2), 0x53u);
    EXPECT_EQ(result(3), 0x5301u);
    EXPECT_EQ(result(4), 0u);
}

/* The SoC's interconnect is 32 bits wide: a 64-bit load arrives as two accesses. */
TEST_F(GuestCpu, ReadsTwoRegistersOfTheSocWithOneWideLoad) {
    ASSERT_EQ(run("gc320-am57xx", {0xE3A0044A,   /* mov r0, #0x4A000000 */
                                   0xE280460E,   /* add r4, r0, #0xE00000 */
                                   0xE2800A05,   /* add r0, r0, #0x5000 */
                                   0xE1C023D8,   /* ldrd r2, r3, [r0, #0x38]: CM_CORE_AON */
                                   0xE2840A18,   /* add r0, r4, #0x18000: TIMER1 */
                                   0xE1C020D0,   /* ldrd r2, r3, [r0] */
                                   0xE5812008,   /* str r2, [r1, #8] */
                                   0xE2840901,   /* add r0, r4, #0x4000: COUNTER_32K */
                                   0xE1C020D0,   /* ldrd r2, r3, [r0] */
                                   0xE581200C}), /* str r2, [r1, #12] */
              kDone);
    EXPECT_EQ(result(2), 0x50002100u); /* TIDR */
    EXPECT_EQ(result(3), 0x50000000u); /* REVISION */
}

/* linux etnaviv_gpu.c never reads these two registers on a GC600 r0x19. */
TEST_F(GuestCpu, GetsAnAbortFromTheTwoRegistersThatAnOldGc600DoesNotDecode) {
    EXPECT_EQ(run("gc600-dove", {0xE59020A8}), kAborted); /* ldr r2, [r0, #0xA8] */
    EXPECT_EQ(run("gc600-dove", {0xE59020E8}), kAborted); /* ldr r2, [r0, #0xE8] */
    EXPECT_EQ(run("gc600-dove", {0xE5902020}), kDone);    /* ldr r2, [r0, #0x20] */
    EXPECT_EQ(run("gc320-am57xx", {0xE59020A8}), kDone);
}

/* ---- Code that a core writes ----------------------------------------------- */

bool comes(const std::function<bool()>& condition) {
    for (int i = 0; i < 30'000; ++i) {
        if (condition()) {
            return true;
        }
        std::this_thread::sleep_for(Milliseconds(1));
    }
    return false;
}

/*
 * The sabrelite's on-chip RAM appears again behind itself (IMX6DQRM, memory map), so a row across
 * the border is in two regions.  The CPU leaves its loop behind the border only if the core has
 * reported its write: TCG would execute the old translation forever.
 */
TEST(GuestCpuCode, IsTranslatedAgainAfterACoreHasWrittenAcrossTwoRegions) {
    constexpr uint32_t kBorder = 0x00940000, kHalf = 0x400; /* bytes of half a row */
    Qemu qemu({.machine = "sabrelite",
               .accel = "tcg",
               .arguments = {"-S", "-device", "loader,addr=0x00940000,cpu-num=0", "-nic",
                             "user,restrict=on"}});
    qemu.write_words(kBorder, Words{0xE3A01201,           /* mov r1, #0x10000000 */
                                    0xE2833001,           /* add r3, r3, #1 */
                                    0xE5813004,           /* str r3, [r1, #4] */
                                    0xEAFFFFFC});         /* b to the add */
    qemu.write_words(kBorder + kHalf, Words{0xE3A01201,   /* mov r1, #0x10000000 */
                                            0xE3A02001,   /* mov r2, #1 */
                                            0xE5812000,   /* str r2, [r1] */
                                            0xEAFFFFFE}); /* b to itself */
    const Commands job = base_block(2 * kHalf / 4, 1, command::kClear, kBorder - kHalf)
                             .load(state::kClearPixel, 0xE1A00000) /* mov r0, r0 */
                             .draw({{0, 0, 2 * kHalf / 4, 1}})
                             .load(state::kFlushCache, 8)
                             .end();
    qemu.write_words(kStream, job.words());
    Gc gc(qemu, 0x00134000);
    gc.driver_reset();
    qemu.resume();
    ASSERT_TRUE(comes([&] { return qemu.read32(kRam + 4) != 0; })) << "the loop runs";
    gc.start(kStream, job.qwords());
    EXPECT_TRUE(comes([&] { return gc.stopped(); }));
    EXPECT_TRUE(comes([&] { return qemu.read32(kRam) == 1; }));
    EXPECT_EQ(qemu.read_words(kBorder - kHalf, 2 * kHalf / 4), Words(2 * kHalf / 4, 0xE1A00000));
    expect_clean_quit(qemu);
}

} // namespace
} // namespace pixmill::qtest
