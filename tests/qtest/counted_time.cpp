/*
 * Guest time that counts instructions (-icount): timers that a CPU sets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <thread>

#include "rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kResult = kLowRam + 0x100000;

/*
 * A CPU starts 4096 fills of 16 bytes on the toy core and counts its reads of STATUS until each
 * fill has ended. The worker's timer must expire at the same instruction each time.
 */
TEST(CountedTime, AWorkerStartsAtTheSameInstructionEachTime) {
    Qemu qemu({.machine = "pixmill-test",
               .accel = "tcg",
               .arguments = {"-S", "-icount", "shift=0,sleep=off"}});
    boot(qemu, Words{0xE3A0044D, /* mov r0, #0x4D000000: the toy */
                     0xE3A01601, /* mov r1, #0x00100000: the result */
                     0xE3A02102, /* mov r2, #0x80000000 */
                     0xE5802000, /* str r2, [r0]: ADDRESS */
                     0xE3A02010, /* mov r2, #16 */
                     0xE5802004, /* str r2, [r0, #4]: SIZE */
                     0xE3E04000, /* mvn r4, #0: the least count */
                     0xE3A05000, /* mov r5, #0: the greatest count */
                     0xE3A06A01, /* mov r6, #4096 */
                     /* a round: */
                     0xE3A03000, /* mov r3, #0 */
                     0xE5803008, /* str r3, [r0, #8]: FILL */
                     /* a poll: */
                     0xE590200C,   /* ldr r2, [r0, #12]: STATUS */
                     0xE2833001,   /* add r3, r3, #1 */
                     0xE3520000,   /* cmp r2, #0 */
                     0x0AFFFFFB,   /* beq to the poll */
                     0xE3A02001,   /* mov r2, #1 */
                     0xE580200C,   /* str r2, [r0, #12]: STATUS */
                     0xE1530004,   /* cmp r3, r4 */
                     0x31A04003,   /* movlo r4, r3 */
                     0xE1530005,   /* cmp r3, r5 */
                     0x81A05003,   /* movhi r5, r3 */
                     0xE2566001,   /* subs r6, r6, #1 */
                     0x1AFFFFF1,   /* bne to the round */
                     0xE5814004,   /* str r4, [r1, #4] */
                     0xE5815008,   /* str r5, [r1, #8] */
                     0xE5812000,   /* str r2, [r1] */
                     0xEAFFFFFE}); /* b to itself */
    for (int i = 0; i < 60'000 && qemu.read32(kResult) == 0; ++i) {
        std::this_thread::sleep_for(Milliseconds(1));
    }
    ASSERT_EQ(qemu.read32(kResult), 1u);
    EXPECT_GE(qemu.read32(kResult + 4), 1u);
    EXPECT_EQ(qemu.read32(kResult + 4), qemu.read32(kResult + 8));
    expect_clean_quit(qemu);
}

} // namespace
} // namespace pixmill::qtest
