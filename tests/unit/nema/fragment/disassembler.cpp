/*
 * Tests of the disassembly of command lists.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "nema/fragment/disassembler.hpp"

namespace pixmill::test {
namespace {

using nema::describe_pair;

TEST(NemaDisassembler, TakesValuesForWhatTheyAre) {
    constexpr struct {
        uint32_t word, value;
        const char* text;
    } kCases[] = {
        {0x00000000, 0x20000000, "TEX0_BASE = 0x20000000"},
        {0x00000004, 0x01000190, "TEX0_FSTRIDE = RGBA8888, stride 400"},
        {0x00000014, 0x8409FFF0,
         "TEX1_FSTRIDE = RGB565, stride -16, with border, bilinear, dithered"},
        {0x00000024, 0x7F040000, "TEX2_FSTRIDE = format 0x7f, stride 0, repeated"},
        {0x00000034, 0x127C0008,
         "TEX3_FSTRIDE = TSC4, stride 8, mirrored, Morton order, coordinates 0 to 1, bottom up"},
        {0x00000008, 0x00320064, "TEX0_RESXY = 100 x 50"},
        {0x00000104, 0xFFFF0003, "DRAW_STARTXY = (3, -1)"},
        {0x0000015C, 0x7FFF7FFF, "CLIPMAX1 = (32767, 32767)"},
        {0x0000012C, 0x80402010, "DRAW_COLOR = red 16, green 32, blue 64, alpha 128"},
        {0x0000020C, 0xFF000001, "C3_REG = red 1, green 0, blue 0, alpha 255"},
        {0x00000120, 0xFFFE8000, "DRAW_PT0_X = -1.5"},
        {0x00000154, 0x00018000, "DRAW_PT3_Y = 1.5"},
        {0x000001CC, 0x00FF0000, "ALF_INIT = 255"},
        {0x00000168, 0x42280000, "MM02 = 42"},
        {0x00000174, 0xBF000000, "MM12 = -0.5"},
        {0x0000011C, 0x141F801F, "CODEPTR = foreground 0x801f, background 0x141f"},
        {0x000000C8, 0x08000002, "IMEM_DATA_LOW = 0x08000002"},
        {0x00000148, 7, "CMD_LIST_ID = 0x00000007"},
        {0x0000002C, 5, "0x02c = 0x00000005"},
        {0x0000F005, 0x01000190, "TEX0_FSTRIDE = RGBA8888, stride 400"},
    };
    for (const auto& c : kCases)
        EXPECT_EQ(describe_pair(c.word, c.value), c.text);
}

TEST(NemaDisassembler, ShowsFlags) {
    constexpr struct {
        uint32_t word, value;
        const char* text;
    } kCases[] = {
        {0xFF000100, 0x00000002, "HOLD DRAW_CMD_NOHOLD = rectangle"},
        {0xFF000100, 0x07800005,
         "HOLD DRAW_CMD_NOHOLD = quadrilateral, edge 0 smooth, edge 1 smooth, edge 2 smooth, edge "
         "3 "
         "smooth"},
        {0x00000100, 0x78000004,
         "DRAW_CMD_NOHOLD = triangle, gradient, not if clockwise, not if anticlockwise, in tiles"},
        {0x00000100, 0x00000001, "DRAW_CMD_NOHOLD = line"},
        {0x00000100, 0x00000007, "DRAW_CMD_NOHOLD = nothing"},
        {0x00010000, 0x00010000, "NOP"},
        {0xFF010000, 0, "HOLD NOP"},
        {0x00050000, 0, "RETURN NOP"},
        {0x000900F8, 1, "ABORT NOP"},
        {0x000800F8, 1, "ABORT INT_CTRL = 0x00000001"},
        {0x000200F4, 12, "PUSH CMD_SIZE = 12 words"},
        {0xFF0000F4, 0x400, "HOLD CMD_SIZE = 1024 words"},
        {0x08000FF4, 0x00020002, "HOLD(GP_FLAGS) GP_FLAGS = 0x00020002"},
        {0xF7000148, 1, "HOLD(0xf7) CMD_LIST_ID = 0x00000001"},
    };
    for (const auto& c : kCases)
        EXPECT_EQ(describe_pair(c.word, c.value), c.text);
}

} // namespace
} // namespace pixmill::test
