// Writes to states with mask bits, which preserve masked fields. Bits: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/state_table.hpp"

#include <gtest/gtest.h>

namespace pixmill::vivante {
namespace {

/// A field and its mask bit.
struct Group {
    uint32_t address, bits;
    unsigned mask_bit;
};

constexpr Group groups[] = {
    {0x0A34, 0x00000004, 3},  {0x0A34, 0x00000010, 5},  {0x0A34, 0x00000300, 10},
    {0x0A34, 0x00003000, 14}, {0x0A34, 0x00030000, 18}, {0x0A34, 0x00400000, 23},
    {0x1054, 0x0000000F, 7},  {0x1054, 0x00000100, 11}, {0x1054, 0x00001000, 15},
    {0x1054, 0x00010000, 19}, {0x1054, 0x01F00000, 27}, {0x1054, 0x10000000, 31},
    {0x1400, 0x00000003, 3},  {0x1400, 0x00000010, 5},  {0x1400, 0x00000700, 11},
    {0x1400, 0x00001000, 13}, {0x1400, 0x00010000, 17}, {0x1400, 0x00040000, 19},
    {0x1400, 0x00100000, 21}, {0x1400, 0x01000000, 25}, {0x1400, 0x04000000, 27},
    {0x1418, 0x00000007, 3},  {0x1418, 0x00000070, 7},  {0x1418, 0x00000700, 11},
    {0x1418, 0x00007000, 15}, {0x1418, 0x00070000, 19}, {0x1418, 0x00700000, 23},
    {0x1418, 0x07000000, 27}, {0x1418, 0x70000000, 31}, {0x141C, 0x00000003, 4},
    {0x141C, 0x0000FF00, 5},  {0x141C, 0x00FF0000, 6},  {0x141C, 0xFF000000, 7},
    {0x1420, 0x00000001, 1},  {0x1420, 0x00000070, 7},  {0x1420, 0x0000FF00, 16},
    {0x1428, 0x00000001, 1},  {0x1428, 0x000000F0, 2},  {0x1428, 0x00000F00, 3},
    {0x1428, 0x00007000, 15}, {0x1428, 0x00010000, 17}, {0x1428, 0x00F00000, 18},
    {0x1428, 0x0F000000, 19}, {0x1428, 0x70000000, 31}, {0x142C, 0x0000000F, 4},
    {0x142C, 0x00000F00, 12}, {0x142C, 0x00010000, 17}, {0x142C, 0x00100000, 21},
    {0x142C, 0x7F000000, 31}, {0x14A0, 0x000000FF, 8},  {0x14A0, 0xFFFF0000, 9},
    {0x14A4, 0x0000000F, 4},  {0x14A4, 0x00000060, 10}, {0x14A4, 0x00000300, 7},
    {0x14A4, 0x80000000, 30}, {0x3818, 0x00000003, 3},  {0x3818, 0x000000F0, 8},
    {0x3818, 0x00007000, 15}, {0x3818, 0x00030000, 19},
};

uint32_t mask_bits(uint32_t address) {
    uint32_t bits = 0;
    for (const Group& group : groups)
        if (group.address == address)
            bits |= 1u << group.mask_bit;
    return bits;
}

TEST(MaskedStates, KeepWhatAMaskBitProtects) {
    for (const Group& group : groups) {
        const uint32_t masks = mask_bits(group.address), mask = 1u << group.mask_bit;
        const uint32_t old = 0x5A5AA5A5 & ~masks, others = 0xA5A55A5A & ~masks & ~group.bits;
        for (const uint32_t value : {0u, group.bits}) {
            EXPECT_EQ(masked_write(group.address, old, others | value | mask),
                      (old & group.bits) | others)
                << std::hex << group.address << " bit " << group.mask_bit;
            EXPECT_EQ(masked_write(group.address, old, others | value), others | value)
                << std::hex << group.address << " bit " << group.mask_bit;
        }
    }
}

TEST(MaskedStates, KeepAllGroupsTogether) {
    for (const Group& group : groups) {
        uint32_t fields = 0;
        for (const Group& other : groups)
            fields |= other.address == group.address ? other.bits : 0;
        EXPECT_EQ(masked_write(group.address, 0x12345678 & fields, 0xFFFFFFFF) & fields,
                  0x12345678 & fields);
    }
}

TEST(MaskedStates, AreTheOnlyOnes) {
    for (uint32_t address = 0; address < 0x40000; address += 4)
        if (!mask_bits(address)) {
            ASSERT_EQ(masked_write(address, 0x12345678, 0xFFFFFFFF), 0xFFFFFFFFu) << address;
        }
    EXPECT_EQ(masked_write(0xFFFFFFFC, 1, 2), 2u);
}

// Mesa 25 writes this to draw to R10G10B10A2 between draws to A8R8G8B8.
TEST(MaskedStates, TakeFormatExtBesideAMaskedFormat) {
    const uint32_t ext = masked_write(0x142C, 0x00100F06, 0x16110F10);
    EXPECT_EQ(ext, 0x16110F06u);
    EXPECT_EQ(masked_write(0x142C, ext, 0x00100F05), 0x00100F05u);
}

} // namespace
} // namespace pixmill::vivante
