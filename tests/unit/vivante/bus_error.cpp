/*
 * Accesses to addresses without memory, and writes to read-only memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "2d/blit.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kPixel = 0xA1B2C3D4;

TEST(VivanteBusError, WriteIsDroppedReportedAndTheEngineContinues) {
    Machine m;
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(poke_pixel(0x40000000, kPixel).event(0x41));
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x100u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.guest_errors(), 1u);
    EXPECT_EQ(m.counters().bus_errors, 1u);
}

TEST(VivanteBusError, ReadGivesZeroIsReportedAndTheEngineContinues) {
    Machine m;
    m.ram.set_word(kDstAt, 0x77777777);
    m.run_stream(copy_pixel(0x40000000, kDstAt).event(0x41));
    EXPECT_EQ(m.ram.word(kDstAt), 0u);
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x200u);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteBusError, StatusIsStickyUntilReset) {
    Machine m;
    m.run_stream(poke_pixel(0x40000000, kPixel).add(copy_pixel(0x50000000, kDstAt)));
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x300u);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x300u);
    EXPECT_EQ(m.guest_errors(), 2u);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kAxiStatus), 0u);
}

TEST(VivanteBusError, ReadOnlyMemoryIsNotWritten) {
    Machine m;
    m.ram.add(0x50000000, 0x1000, false);
    m.run_stream(poke_pixel(0x50000010, kPixel));
    EXPECT_EQ(m.ram.word(0x50000010), 0u);
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x100u);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteBusError, ReadOnlyMemoryCanBeASource) {
    Machine m;
    m.ram.add(0x50000000, 0x1000, false);
    m.ram.set_word(0x50000010, kPixel);
    m.run_stream(copy_pixel(0x50000010, kDstAt));
    EXPECT_EQ(m.ram.word(kDstAt), kPixel);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

TEST(VivanteBusError, StreamCanBeFetchedFromReadOnlyMemory) {
    Machine m;
    m.ram.add(0x50000000, 0x1000, false);
    m.put_stream(0x50000000, Stream().event(0x41).end());
    m.start(0x50000000, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteBusError, FetchFromAHoleReadsZeroAndHangs) {
    Machine m;
    m.run_stream(Stream().link(4, 0x40000000));
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x200u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(m.get(reg::kFeDebugState) & 0x1F, 1u);
    EXPECT_GE(m.guest_errors(), 1u);
}

TEST(VivanteBusError, FetchHalfOfWhichIsMissingIsABusError) {
    Machine m;
    m.allow_logs();
    m.ram.add(0x50000000, 0x14);
    m.put_stream(0x50000000, Stream().nop().nop());
    m.start(0x50000000, 4);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
}

TEST(VivanteBusError, RepeatedErrorsOfOnePageAreLoggedOnce) {
    Machine m;
    for (int i = 0; i < 10; i++) {
        m.run_stream(poke_pixel(0x40000000, kPixel));
        EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi) << "the pending bit is set each time";
    }
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteBusError, MaskedErrorBitsDoNotRaiseTheLine) {
    Machine m;
    m.set(reg::kIntrEnable, 0x3FFFFFFF);
    m.run_stream(poke_pixel(0x40000000, kPixel));
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.guest_errors(), 1u);
}

} // namespace
} // namespace pixmill::test
