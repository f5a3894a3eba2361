// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests a case that the property test does not reach: pixman continues within a row that another
// painter has begun.
#include <gtest/gtest.h>

#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"
#include "render/pixman_painter.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

constexpr uint32_t width = 16, stride = width * 4, source_base = 0x400;
constexpr uint32_t before = 0x40302010, above = 0x80402008;
constexpr uint32_t over = 0xA0583010; // above + before * 127 / 255, rounded

Operation over_two_rows() {
    Operation op =
        test::blit({formats::a8r8g8b8, 0, stride}, {formats::a8r8g8b8, source_base, stride},
                   {0, 0, width, 2}, 0, 0, copy_source, 0);
    op.stages[0].blend = Blend{{}, {.factor = Factor::inverse_alpha}};
    return op;
}

/// Returns the destination's words after pixman has continued at `from`.
std::vector<uint32_t> drawn_from(Reached from) {
    TestMemory memory(0, 0x800, 1);
    for (uint32_t i = 0; i < 2 * width; i++) {
        memory.poke(4 * i, before);
        memory.poke(source_base + 4 * i, above);
    }
    const Operation op = over_two_rows();
    PixmanPainter painter(kernels());
    EXPECT_TRUE(painter.choose(memory, op) && painter.place(op));
    const Progress progress = painter.run(from, 2, UINT64_MAX);
    EXPECT_EQ(progress.rows, 2u);
    EXPECT_EQ(memory.strays, 0u);
    std::vector<uint32_t> words;
    for (uint32_t i = 0; i < 2 * width; i++)
        words.push_back(memory.peek<uint32_t>(4 * i));
    return words;
}

std::vector<uint32_t> words(uint32_t kept) {
    std::vector<uint32_t> words(2 * width, over);
    std::fill_n(words.begin(), kept, before);
    return words;
}

TEST(Pixman, DrawsAllOfARow) {
    EXPECT_EQ(drawn_from({0, 0}), words(0));
}

TEST(Pixman, ContinuesWithinARow) {
    EXPECT_EQ(drawn_from({0, 5}), words(5));
}

TEST(Pixman, AColumnAfterTheRowIsItsEnd) {
    EXPECT_EQ(drawn_from({0, 1000}), words(width));
}

/// pixman's coordinates have 16 bits, and it looks one pixel beyond the last.
TEST(Pixman, DrawsTheHighestAndTheWidestSurface) {
    for (const bool high : {true, false}) {
        constexpr int32_t last = INT16_MAX, source_at = 0x40000;
        const uint32_t pitch = high ? 4 : 0x20000;
        TestMemory memory(0, 0x80000, 1);
        Operation op =
            test::blit({formats::a8r8g8b8, 0, pitch}, {formats::a8r8g8b8, source_at, pitch},
                       {0, 0, high ? 1 : last, high ? last : 1}, 0, 0, copy_source, 0);
        op.stages[0].blend = Blend{{}, {.factor = Factor::inverse_alpha}};
        for (int32_t i = 0; i < last; i++) {
            memory.poke(uint64_t(4 * i), before);
            memory.poke(uint64_t(source_at + 4 * i), above);
        }
        Pipeline pipeline;
        ASSERT_FALSE(pipeline.prepare(memory, op));
        EXPECT_EQ(pipeline.run(0, pipeline.rows()).rows, pipeline.rows());
        for (const int32_t at : {0, 1, last / 2, last - 3, last - 2, last - 1})
            EXPECT_EQ(memory.peek<uint32_t>(uint64_t(4 * at)), over) << at;
    }
}

} // namespace
} // namespace pixmill::render
