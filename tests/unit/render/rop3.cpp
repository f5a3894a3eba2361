// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

constexpr uint32_t D = 0x0F0F0F0F, S = 0x33333333, P = 0x55555555;

/// Draws one A8R8G8B8 pixel with the pipeline.
uint32_t draw_pixel(Rop3 rop, const Format& source_format = formats::a8r8g8b8) {
    TestMemory memory(0, 64, 2);
    memory.poke<uint32_t>(4, D);
    memory.poke<uint32_t>(64, S);
    const Operation op =
        test::blit({formats::a8r8g8b8, 4, 16}, {source_format, 64, 16}, {0, 0, 1, 1}, 0, 0, rop, P);
    Pipeline pipeline;
    EXPECT_FALSE(pipeline.prepare(memory, op));
    EXPECT_EQ(pipeline.run(0, 1).rows, 1u);
    return memory.peek<uint32_t>(4);
}

TEST(RenderRop3, NamedCodes) {
    constexpr struct {
        Rop3 rop;
        uint32_t result;
    } table[] = {
        {0xAA, 0x0F0F0F0F}, {0xCC, 0x33333333}, {0xF0, 0x55555555}, {0x55, 0xF0F0F0F0},
        {0xCA, 0x1B1B1B1B}, {0x66, 0x3C3C3C3C}, {0x88, 0x03030303}, {0xEE, 0x3F3F3F3F},
        {0x33, 0xCCCCCCCC}, {0x00, 0x00000000}, {0x5A, 0x5A5A5A5A}, {0xB8, 0x47474747},
        {0xE2, 0x1D1D1D1D}, {0x0F, 0xAAAAAAAA}, {0xFF, 0xFFFFFFFF},
    };
    for (const auto& row : table)
        EXPECT_EQ(draw_pixel(row.rop), row.result) << std::hex << int(row.rop);
}

/// In every byte, the bits of D, S and P have all eight combinations, so each result byte is the
/// ROP's code with its bits in the order of these combinations.
TEST(RenderRop3, EveryCodeIsItsTruthTable) {
    for (unsigned rop = 0; rop < 256; rop++) {
        uint32_t expected = 0;
        for (unsigned bit = 0; bit < 32; bit++) {
            const unsigned d = D >> bit & 1, s = S >> bit & 1, p = P >> bit & 1;
            if (rop & 1u << (d + 2 * s + 4 * p))
                expected |= 1u << bit;
        }
        EXPECT_EQ(draw_pixel(Rop3(rop)), expected) << std::hex << rop;
    }
}

/// Between formats, the ROP must work on ARGB. X8R8G8B8 reads as alpha 255, so S is FF333333.
TEST(RenderRop3, WorksOnArgbBetweenFormats) {
    EXPECT_EQ(draw_pixel(0xCC, formats::x8r8g8b8), 0xFF333333u);
    EXPECT_EQ(draw_pixel(0x66, formats::x8r8g8b8), 0xF03C3C3Cu);
    EXPECT_EQ(draw_pixel(0x33, formats::x8r8g8b8), 0x00CCCCCCu);
    EXPECT_EQ(draw_pixel(0xB8, formats::x8r8g8b8), 0x0F474747u);
}

TEST(RenderRop3, OperandsInUse) {
    for (unsigned rop = 0; rop < 256; rop++) {
        bool uses[3] = {};
        for (unsigned index = 0; index < 8; index++)
            for (unsigned operand = 0; operand < 3; operand++)
                uses[operand] |= (rop >> index & 1) != (rop >> (index ^ 1u << operand) & 1);
        EXPECT_EQ(uses_destination(Rop3(rop)), uses[0]) << std::hex << rop;
        EXPECT_EQ(uses_source(Rop3(rop)), uses[1]) << std::hex << rop;
        EXPECT_EQ(uses_pattern(Rop3(rop)), uses[2]) << std::hex << rop;
    }
}

} // namespace
} // namespace pixmill::render
