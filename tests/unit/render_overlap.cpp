// SPDX-License-Identifier: GPL-2.0-or-later
//
// Copies onto themselves, and operations that are cut and taken up again.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "render/pipeline.hpp"
#include "render_memory.hpp"
#include "render_operation.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

constexpr int width = 16, height = 12;
constexpr uint32_t stride = width * 4;

Operation move(int dx, int dy, Rop3 rop = 0xCC) {
    const SurfaceDesc surface{formats::a8r8g8b8, 0, stride};
    return test::blit(surface, surface, {3, 3, 13, 9}, 3 - dx, 3 - dy, rop);
}

/// Every pixel its own number.
void number(TestMemory& memory) {
    for (uint32_t i = 0; i < width * height; i++)
        memory.poke<uint32_t>(i * 4, i * 0x01020304u);
}

/// What `op` makes of numbered pixels if everything is read first.
std::vector<uint32_t> expected(const Operation& op) {
    std::vector<uint32_t> before(width * height);
    for (uint32_t i = 0; i < before.size(); i++)
        before[i] = i * 0x01020304u;
    std::vector<uint32_t> after = before;
    for (int y = op.rect.top; y < op.rect.bottom; y++)
        for (int x = op.rect.left; x < op.rect.right; x++) {
            const Placement& from = op.stages[0].source.placement;
            const uint32_t source =
                before[size_t(from.source_y(x, y) * width + from.source_x(x, y))];
            uint32_t& pixel = after[size_t(y * width + x)];
            pixel = op.stages[0].rop == 0xCC ? source : pixel ^ source;
        }
    return after;
}

void expect_pixels(TestMemory& memory, const std::vector<uint32_t>& pixels) {
    for (uint32_t i = 0; i < pixels.size(); i++)
        ASSERT_EQ(memory.peek<uint32_t>(i * 4), pixels[i])
            << "x " << i % width << " y " << i / width;
}

/// In host memory of one piece, and in pages that lie backwards.
std::vector<TestMemory> memories() {
    std::vector<TestMemory> all;
    all.emplace_back(0, width * height * 4, 1);
    for (const uint64_t page : {24, 64, 256}) {
        all.emplace_back(0, page, width * height * 4 / page);
        std::reverse(all.back().pages.begin(), all.back().pages.end());
    }
    return all;
}

TEST(RenderOverlap, EveryDirection) {
    for (TestMemory& memory : memories())
        for (int dy = -2; dy <= 2; dy++)
            for (int dx = -3; dx <= 3; dx++)
                for (const Rop3 rop : {0xCC, 0x66}) {
                    SCOPED_TRACE(testing::Message() << "page " << memory.page_size << " dx " << dx
                                                    << " dy " << dy << " rop " << int(rop));
                    number(memory);
                    const Operation op = move(dx, dy, rop);
                    Pipeline pipeline;
                    ASSERT_FALSE(pipeline.prepare(memory, op));
                    ASSERT_EQ(pipeline.run(0, 6).rows, 6u);
                    expect_pixels(memory, expected(op));
                }
}

TEST(RenderOverlap, FullRows) {
    for (TestMemory& memory : memories())
        for (const int dy : {-3, -1, 1, 3}) {
            number(memory);
            const SurfaceDesc surface{formats::a8r8g8b8, 0, stride};
            const Operation op = test::blit(surface, surface, {0, 3, width, 9}, 0, 3 - dy);
            Pipeline pipeline;
            ASSERT_FALSE(pipeline.prepare(memory, op));
            ASSERT_EQ(pipeline.run(0, 6).rows, 6u);
            expect_pixels(memory, expected(op));
        }
}

/// A saved and loaded operation is continued by another pipeline.
TEST(RenderOverlap, CutAtAnyRow) {
    for (TestMemory& memory : memories())
        for (const auto& [dx, dy] : {std::pair{0, 1}, {0, -1}, {2, 0}, {-2, 0}, {1, 2}, {-1, -2}})
            for (uint32_t first_cut = 0; first_cut <= 6; first_cut++)
                for (uint32_t second_cut = first_cut; second_cut <= 6; second_cut++) {
                    number(memory);
                    const Operation op = move(dx, dy);
                    const uint32_t cuts[] = {0, first_cut, second_cut, 6};
                    for (int i = 0; i < 3; i++) {
                        Pipeline pipeline;
                        ASSERT_FALSE(pipeline.prepare(memory, op));
                        const uint32_t count = cuts[i + 1] - cuts[i];
                        ASSERT_EQ(pipeline.run(cuts[i], count).rows, count);
                    }
                    expect_pixels(memory, expected(op));
                }
}

TEST(RenderOverlap, RowsThatDoNotExistAreNotDrawn) {
    TestMemory memory(0, width * height * 4, 1);
    number(memory);
    const Operation op = move(0, 1);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    EXPECT_EQ(pipeline.run(6, 1).rows, 0u);
    EXPECT_EQ(pipeline.run(UINT32_MAX, UINT32_MAX).rows, 0u);
    expect_pixels(memory, expected(move(0, 0)));
    EXPECT_EQ(pipeline.run(4, UINT32_MAX).rows, 2u);
}

/// Each row reads what the rows above it have written.
TEST(RenderOverlap, OtherFormatsGoFromTheTop) {
    TestMemory memory(0, 64, 1);
    memory.poke<uint32_t>(0, 0x80102030);
    const Operation op = test::blit({with_swizzle(formats::a8r8g8b8, Swizzle::abgr), 4, 4},
                                    {formats::a8r8g8b8, 0, 4}, {0, 0, 1, 4});
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 4).rows, 4u);
    EXPECT_EQ(memory.peek<uint32_t>(4), 0x80302010u);
    EXPECT_EQ(memory.peek<uint32_t>(8), 0x80102030u);
    EXPECT_EQ(memory.peek<uint32_t>(12), 0x80302010u);
    EXPECT_EQ(memory.peek<uint32_t>(16), 0x80102030u);
}

TEST(RenderOverlap, OtherStridesGoFromTheTopARowAtATime) {
    TestMemory memory(0, 64, 1);
    for (uint32_t i = 0; i < 64; i++)
        memory.poke<uint8_t>(i, uint8_t(i));
    const Operation op = test::blit({formats::a8, 1, 4}, {formats::a8, 0, 2}, {0, 0, 3, 2});
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 2).rows, 2u);
    constexpr uint8_t result[] = {0, 0, 1, 2, 4, 1, 2, 4, 8};
    for (uint32_t i = 0; i < std::size(result); i++)
        EXPECT_EQ(memory.peek<uint8_t>(i), result[i]) << i;
}

/// Stride 0: every row is the same, and is drawn each time.
TEST(RenderOverlap, StrideZero) {
    TestMemory memory(0, 64, 1);
    memory.poke<uint32_t>(0, 0x12345678);
    const Operation op = test::fill({formats::a8r8g8b8, 0, 0}, {0, 0, 1, 3}, 0x5A, 0xFFFFFFFF);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 3).rows, 3u);
    EXPECT_EQ(memory.peek<uint32_t>(0), 0xEDCBA987u);
}

} // namespace
} // namespace pixmill::render
