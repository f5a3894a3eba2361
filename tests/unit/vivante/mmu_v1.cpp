/*
 * MMU v1: each client has a linear window and a page table (rnndb state_hi, linux
 * etnaviv_iommu.c).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "2d/blit.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kPixel = 0xA1B2C3D4;

TEST(VivanteMmuV1, LinearWindowAddsTheBaseOfTheClient) {
    Machine m;
    m.ram.add(0x22340000, 0x10000);
    m.set(reg::kBasePe, 0x10000000);
    m.run_stream(poke_pixel(0x12345678, kPixel));
    EXPECT_EQ(m.ram.word(0x22345678), kPixel);
}

TEST(VivanteMmuV1, LinearWindowWrapsAt32Bits) {
    Machine m;
    m.set(reg::kBasePe, 0xF0000000);
    m.run_stream(poke_pixel(0x10081000, kPixel));
    EXPECT_EQ(m.ram.word(0x00081000), kPixel);
}

TEST(VivanteMmuV1, UpperHalfGoesThroughTheTable) {
    Machine m;
    m.ram.add(0x0ABCD000, 0x1000);
    m.ram.add(0x00200000, 0x1000);
    m.set(reg::kPageTablePe, 0x00200000);
    m.ram.set_word(0x0020000C, 0x0ABCD123); /* the low 12 bits are ignored */
    m.run_stream(poke_pixel(0x80003010, kPixel));
    EXPECT_EQ(m.ram.word(0x0ABCD010), kPixel);
}

TEST(VivanteMmuV1, TableIsPhysical) {
    Machine m;
    m.set(reg::kBasePe, 0x10000000);
    m.set(reg::kPageTablePe, 0x00020000);
    m.ram.set_word(0x00020000 + 4 * 5, 0x00081000);
    m.run_stream(poke_pixel(0x80005F00, kPixel));
    EXPECT_EQ(m.ram.word(0x00081F00), kPixel);
}

TEST(VivanteMmuV1, ClientsHaveTheirOwnBases) {
    Machine m;
    m.ram.add(0x10000000, 0x10000);
    m.set(reg::kBaseFe, 0);
    m.set(reg::kBasePe, 0x10000000);
    m.run_stream(poke_pixel(0x1000, kPixel)); /* the FE also fetches from 0x1000 */
    EXPECT_EQ(m.ram.word(0x10001000), kPixel);
    EXPECT_EQ(m.ram.word(0x1000), select_2d().words()[0]);
}

TEST(VivanteMmuV1, FrontEndUsesItsOwnBase) {
    Machine m;
    m.ram.add(0x10000000, 0x10000);
    m.set(reg::kBaseFe, 0x10000000);
    m.put_stream(0x10004000, Stream().event(0x21).end());
    m.start(0x4000, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.get(reg::kFeAddress), 0x4010u);
}

TEST(VivanteMmuV1, FrontEndAbove2GiBGoesThroughItsTable) {
    Machine m;
    m.set(reg::kPageTableFe, 0x20000);
    m.ram.set_word(0x20000, 0x30000);
    m.ram.set_word(0x20004, 0x50000);
    m.put_stream(0x30FF8, Stream().link(2, 0x80001000)); /* the next page is not adjacent */
    m.put_stream(0x50000, Stream().event(0x21).end());
    m.start(0x80000FF8, 1);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteMmuV1, OtherClientsTablesAreNotUsed) {
    Machine m;
    for (uint32_t offset : {0x400u, 0x404u, 0x40Cu, 0x410u})
        m.set(offset, 0x20000);
    m.set(reg::kPageTablePe, 0x21000);
    m.ram.set_word(0x20000, 0x60000);
    m.ram.set_word(0x21000, 0x70000);
    m.run_stream(poke_pixel(0x80000000, kPixel));
    EXPECT_EQ(m.ram.word(0x70000), kPixel);
    EXPECT_EQ(m.ram.word(0x60000), 0u);
}

TEST(VivanteMmuV1, FlushMakesAChangedEntryVisible) {
    Machine m;
    m.set(reg::kPageTablePe, 0x20000);
    m.ram.set_word(0x20000, 0x60000);
    m.run_stream(poke_pixel(0x80000000, 1));
    m.ram.set_word(0x20000, 0x70000);
    m.run_stream(Stream().state(state::kFlushMmu, 0x1F).add(poke_pixel(0x80000000, 2)));
    EXPECT_EQ(m.ram.word(0x60000), 1u);
    EXPECT_EQ(m.ram.word(0x70000), 2u);
}

TEST(VivanteMmuV1, NewTableRegisterIsVisible) {
    Machine m;
    m.set(reg::kPageTablePe, 0x20000);
    m.ram.set_word(0x20000, 0x60000);
    m.ram.set_word(0x21000, 0x70000);
    m.run_stream(poke_pixel(0x80000000, 1));
    m.set(reg::kPageTablePe, 0x21000);
    m.run_stream(Stream().state(state::kFlushMmu, 0x1F).add(poke_pixel(0x80000000, 2)));
    EXPECT_EQ(m.ram.word(0x70000), 2u);
}

TEST(VivanteMmuV1, UnalignedTableBaseIsRoundedDown) {
    Machine m;
    m.allow_logs();
    m.set(reg::kPageTablePe, 0x20003);
    m.ram.set_word(0x20000, 0x60000);
    m.run_stream(poke_pixel(0x80000000, kPixel));
    EXPECT_EQ(m.ram.word(0x60000), kPixel);
}

TEST(VivanteMmuV1, TableInAHoleIsABusErrorAndNoFault) {
    Machine m;
    m.allow_logs();
    m.set(reg::kPageTablePe, 0x40000000);
    m.run_stream(poke_pixel(0x80001000, kPixel));
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

} // namespace
} // namespace pixmill::test
