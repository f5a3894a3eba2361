/*
 * Tests of the registers, BLT_STATUS, RESET, and the MSRs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */

#include "machine.hpp"

namespace pixmill::test {
namespace {

TEST(GeodeRegisters, ThereAreThirtyOne) {
    GpMachine gp;
    PixmillRegister reg{};
    size_t count = 0;
    while (pixmill_geode_gp.register_at(gp.core, count, &reg))
        count++;
    EXPECT_EQ(count, 31u);
    EXPECT_EQ(reg.offset, 0x78u);
}

TEST(GeodeRegisters, PlainOnesHoldAllBits) {
    GpMachine gp;
    for (uint32_t offset = kDst; offset <= kRaster; offset += 4) {
        gp.write(offset, 0xA5A50000 | offset);
        EXPECT_EQ(gp.read(offset), 0xA5A50000 | offset);
    }
    for (const uint32_t offset : {kBase, kCh3Offset, kCh3Mode, kCh3Size}) {
        gp.write(offset, 0x7F5A0000 | offset);
        EXPECT_EQ(gp.read(offset), 0x7F5A0000 | offset);
    }
}

TEST(GeodeRegisters, PointersHaveTheirBitsOnly) {
    GpMachine gp;
    for (const uint32_t offset : {kTop, kBot}) {
        gp.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(gp.read(offset), 0x00FFFFE0u);
    }
    gp.write(kRead, 0xFFFFFFFF);
    EXPECT_EQ(gp.read(kRead), 0x00FFFFFCu);
    EXPECT_EQ(gp.read(kWrite), 0x00FFFFFCu);
}

TEST(GeodeRegisters, NarrowWritesLeaveTheOtherLanes) {
    GpMachine gp;
    gp.write(kForeground, 0x11223344);
    gp.write(kForeground + 1, 1, 0xAA);
    gp.write(kForeground + 2, 2, 0xBBCC);
    EXPECT_EQ(gp.read(kForeground), 0xBBCCAA44u);
    EXPECT_EQ(gp.read(kForeground + 1, 1), 0xAAu);
    EXPECT_EQ(gp.read(kForeground + 2, 2), 0xBBCCu);
}

TEST(GeodeRegisters, AccessesThatCrossAWordAreNone) {
    GpMachine gp;
    uint32_t value = 0;
    EXPECT_EQ(pixmill_geode_gp.read(gp.core, 2, 4, &value), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(gp.try_write(3, 0, 2), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(gp.try_write(0, 0, 8), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(gp.try_write(PIXMILL_GEODE_GP_WINDOW, 0), PIXMILL_ERROR_ARGUMENT);
}

TEST(GeodeRegisters, AModeStartsWithItsLowestByteOnly) {
    GpMachine gp;
    gp.write(kRaster, 0xF0);
    gp.write(kPattern0, 0x5A);
    gp.write(kSize, 0x00010001);
    gp.write(kBlt + 1, 1, 0);
    EXPECT_EQ(gp.vram()[0], 0);
    gp.write(kBlt, 1, 0);
    EXPECT_EQ(gp.vram()[0], 0x5A);
    EXPECT_EQ(gp.read(kBlt), 0u);
}

/* 33234H, 6.4.2.14: reset value 00000008h. lxfb polls for CE without ever writing a pointer. */
TEST(GeodeStatus, FollowsThePointersFromTheSecondReadOn) {
    GpMachine gp;
    EXPECT_EQ(pixmill_geode_gp.peek(gp.core, kStatus), kSHE);
    EXPECT_EQ(gp.read(kStatus), kSHE);
    EXPECT_EQ(gp.read(kStatus), kIdle);
}

TEST(GeodeStatus, FollowsThePointersFromTheFirstWriteOn) {
    GpMachine gp;
    gp.write(kStatus, 0x6A000000); /* a wrong key must neither reset nor write */
    EXPECT_EQ(pixmill_geode_gp.peek(gp.core, kStatus), kSHE);
    gp.write(kDst, 0);
    EXPECT_EQ(gp.read(kStatus), kIdle);
}

TEST(GeodeReset, TakesTheKeyInByteThreeOnly) {
    GpMachine gp;
    gp.write(kDst, 0x123);
    for (const uint32_t value : {0x00000069u, 0x00690000u, 0x68000000u}) {
        gp.write(kStatus, value);
        EXPECT_EQ(gp.read(kDst), 0x123u) << std::hex << value;
    }
    gp.write(kStatus + 3, 1, 0x69);
    EXPECT_EQ(gp.read(kDst), 0u);
}

TEST(GeodeReset, KeepsTheLutAndTheMsrs) {
    GpMachine gp;
    gp.write(kLutIndex, 7);
    gp.write(kLutData, 0xCAFE);
    gp.write_msr(1, 0x00100000);
    gp.write(kStatus, 0x69000000);
    gp.write(kLutIndex, 7);
    EXPECT_EQ(gp.read(kLutData), 0xCAFEu);
    EXPECT_EQ(gp.read_msr(1), 0x00100000u);
    gp.reset();
    gp.write(kLutIndex, 7);
    EXPECT_EQ(gp.read(kLutData), 0u);
    EXPECT_EQ(gp.read_msr(1), 0u);
}

TEST(GeodeMsr, HaveTheirBits) {
    GpMachine gp;
    for (uint32_t number = 0; number < PIXMILL_GEODE_GP_MSRS; number++)
        gp.write_msr(number, ~uint64_t{0});
    EXPECT_EQ(gp.read_msr(0) >> 8 & 0xFFFF, 0x03D4u); /* the device ID that drivers look for */
    EXPECT_EQ(gp.read_msr(3) & 0x30000, 0u);          /* flags that a 1 clears */
    EXPECT_EQ(gp.read_msr(4) >> 32 & 1, 0u);          /* read only */
    EXPECT_EQ(gp.read_msr(5), ~uint64_t{0});
    EXPECT_EQ(gp.read_msr(6), 0u);
}

TEST(GeodeLut, AdvancesByReadingAndWriting) {
    GpMachine gp;
    gp.write(kLutIndex, 0xFFFFFFFF);
    EXPECT_EQ(gp.read(kLutIndex), 0x1FFu);
    gp.write(kLutData, 1);
    gp.write(kLutData + 3, 1, 0x22);
    EXPECT_EQ(gp.read(kLutIndex), 1u);
    gp.write(kLutIndex, 0x1FF);
    EXPECT_EQ(pixmill_geode_gp.peek(gp.core, kLutData), 1u);
    EXPECT_EQ(gp.read(kLutData), 1u);
    EXPECT_EQ(gp.read(kLutData), 0x22000000u);
}

TEST(GeodeInterrupts, AreMaskedAfterAReset) {
    GpMachine gp;
    gp.write(kSize, 0x00010001);
    gp.write(kBlt, 0);
    EXPECT_FALSE(gp.interrupt());
    EXPECT_EQ(gp.read(kInterrupts), 0xFFFFu);
}

TEST(GeodeInterrupts, ComeWhenTheLastOperationIsDoneAndStayUntilTheyAreCleared) {
    GpMachine gp;
    gp.write(kInterrupts, 0);
    gp.write(kSize, 0x00010001);
    gp.write(kBlt, 2); /* waits for a host word */
    gp.write(kBlt, 0);
    EXPECT_FALSE(gp.interrupt());
    gp.write(kHstSrc, 0);
    EXPECT_TRUE(gp.interrupt());
    EXPECT_EQ(gp.read(kInterrupts), 0x0002FFFCu);
    EXPECT_EQ(gp.status(), kIdle | kIN);
    gp.write(kInterrupts, 1, 3); /* writes only masks; the flags are kept */
    EXPECT_TRUE(gp.interrupt());
    gp.write(kInterrupts, 0x00020003);
    EXPECT_FALSE(gp.interrupt());
    EXPECT_EQ(gp.counters().interrupts, 1u);
}

} // namespace
} // namespace pixmill::test
