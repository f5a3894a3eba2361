// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests copies within a surface, and operations that stop and resume.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "../../reference/render.hpp"
#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

constexpr int width = 16, height = 12;
constexpr uint32_t stride = width * 4;

Operation move(int dx, int dy, Rop3 rop = 0xCC) {
    const SurfaceDesc surface{formats::a8r8g8b8, 0, stride};
    return test::blit(surface, surface, {3, 3, 13, 9}, 3 - dx, 3 - dy, rop);
}

/// Writes a different number to each pixel.
void number(TestMemory& memory) {
    for (uint32_t i = 0; i < width * height; i++)
        memory.poke<uint32_t>(i * 4, i * 0x01020304u);
}

/// Returns the result of `op` on numbered pixels if the whole source is read first.
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

/// Returns contiguous host memory, and pages in reverse order.
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

/// A new pipeline must be able to continue an operation at any row, as after a migration.
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

/// In other formats, each row must read the result of the rows above it.
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

/// With a stride of 0, all rows are the same memory and must be drawn one after another.
TEST(RenderOverlap, StrideZero) {
    TestMemory memory(0, 64, 1);
    memory.poke<uint32_t>(0, 0x12345678);
    const Operation op = test::fill({formats::a8r8g8b8, 0, 0}, {0, 0, 1, 3}, 0x5A, 0xFFFFFFFF);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 3).rows, 3u);
    EXPECT_EQ(memory.peek<uint32_t>(0), 0xEDCBA987u);
}

// ---- Planes ------------------------------------------------------------------

/// Returns a blit to an NV12 picture that is two pixels wide: `rows` rows of Y at address 0, then
/// the rows of U and V. Values are Y, U, V without conversion. One-byte sources give only Y; U and
/// V are 0.
Operation to_nv12(int32_t rows, const SurfaceDesc& source, const Axis& y) {
    Operation op;
    op.rect = {0, 0, 2, rows};
    op.destination = {plain_format(1), 0, 2};
    auto& planar = op.planar.emplace();
    planar.layout = planes_of(yuv_layouts::nv12);
    planar.convert = false;
    planar.more[0] = {plain_format(2), uint64_t(rows) * 2, 2};
    op.stages[0].source.kind = Source::Kind::rgb;
    op.stages[0].source.surface[0] = source;
    op.stages[0].source.placement = {false, {}, y};
    return op;
}

constexpr Format r8{"R8", 8, {}, {0, 8}, {}, {}, {}};

void count_up(TestMemory& memory) {
    for (uint32_t i = 0; i < memory.pool.size(); i++)
        memory.poke<uint8_t>(i, uint8_t(i + 1));
}

void expect_bytes(TestMemory& memory, uint64_t from, std::initializer_list<int> values) {
    for (const int value : values) {
        EXPECT_EQ(int(memory.byte(from)), value) << "at " << from;
        from++;
    }
}

/// Draws all rows at once and checks the result, then does the same row by row.
template<class Expect>
void draw(const Operation& op, size_t bytes, const Expect& expect) {
    for (const uint32_t step : {UINT32_MAX, 1u}) {
        TestMemory memory(0, bytes, 1);
        count_up(memory);
        Pipeline pipeline;
        ASSERT_FALSE(pipeline.prepare(memory, op));
        for (uint32_t row = 0; row < pipeline.rows();)
            row += pipeline.run(row, step).rows;
        expect(memory);
    }
}

/// The two rows share chroma, so both must be read before either is written.
TEST(RenderOverlap, RowsOfACellChangePlaces) {
    const Axis upside_down{.begin = 0, .first = 1, .downward = true};
    draw(to_nv12(2, {r8, 0, 2}, upside_down), 16, [](TestMemory& memory) {
        expect_bytes(memory, 0, {3, 4, 1, 2, 0, 0});
    });
}

/// Rows 0 and 1 are copied from addresses 12 and 10. Row 2 is copied from 8, which is the chroma of
/// rows 0 and 1 and must have been written.
TEST(RenderOverlap, ChromaIsThereBeforeTheNextCellIsRead) {
    const Axis upside_down{.begin = 0, .first = 3, .downward = true};
    draw(to_nv12(4, {r8, 6, 2}, upside_down), 16, [](TestMemory& memory) {
        expect_bytes(memory, 0, {13, 14, 11, 12, 0, 0, 7, 8, 0, 0, 0, 0, 13});
    });
}

// ---- Sources that are smaller than their coordinates suggest ----

/// Returns a copy of part of a source row, which starts at pixel (x, y), to a column of `rows`
/// pixels. Each row must read the result of the row above, although the pipeline fetches columns
/// for many rows at a time.
Operation column(const SurfaceDesc& destination, Source::Kind kind, int32_t rows, int32_t x,
                 int32_t y) {
    Operation op;
    op.rect = {0, 0, 1, rows};
    op.destination = destination;
    op.stages[0].source.kind = kind;
    op.stages[0].source.placement = {true, {0, x}, {0, y}};
    return op;
}

/// Source bits 40 to 47 are in byte 5, which is the first pixel that is drawn.
TEST(RenderOverlap, BitsLieEightInAByte) {
    constexpr uint32_t colors[] = {0, 0xFF000000};
    Operation op = column({formats::a8, 5, 1}, Source::Kind::mono, 8, 40, 0);
    op.stages[0].source.surface[0] = {formats::a8, 0, 16};
    op.stages[0].source.palette = colors;
    TestMemory memory(0, 64, 1);
    memory.poke<uint8_t>(5, 0x80);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 8).rows, 8u);
    expect_bytes(memory, 5, {255, 255, 255, 255, 255, 255, 255, 255, 0});
}

/// The U of row 40 is in row 20 of plane 1, at address 420, which is the third byte of the first
/// drawn pixel.
TEST(RenderOverlap, ChromaHasFewerRows) {
    Operation op = column({formats::a8r8g8b8, 418, 4}, Source::Kind::yuv, 2, 0, 40);
    Source& source = op.stages[0].source;
    source.layout = yuv_layouts::yv12;
    source.surface = {SurfaceDesc{plain_format(1), 2000, 1},
                      {plain_format(1), 400, 1},
                      {plain_format(1), 1000, 1}};
    TestMemory memory(0, 4096, 1);
    memory.poke<uint16_t>(2040, 0x2211);
    memory.poke<uint8_t>(420, 0x33);
    memory.poke<uint8_t>(1020, 0x44);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 2).rows, 2u);
    EXPECT_EQ(memory.peek<uint32_t>(418), 0xFF113344);
    EXPECT_EQ(memory.peek<uint32_t>(422), 0xFF221144);
}

/// Packed pixels 2n and 2n + 1 share chroma, so the V of pixel 0 is among the bytes of pixel 1.
/// Both rows show pixel 0. The first one overwrites this V with its U.
TEST(RenderOverlap, ChromaIsBesideItsPixel) {
    Operation op = column({formats::a8r8g8b8, 2, 4}, Source::Kind::yuv, 2, 0, 0);
    op.stages[0].source.layout = yuv_layouts::yuy2;
    op.stages[0].source.surface[0] = {plain_format(2), 0, 0};
    op.stages[0].source.placement.y = {0, 0, false, false, Stretch::gdi, 1, 1};
    op.stages[0].source.placement.x = {0, 0, false, false, Stretch::gdi, 1, 2};
    TestMemory memory(0, 64, 1);
    memory.poke<uint32_t>(0, 0x44332211); // Y 11, U 22, Y 33, V 44
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 2).rows, 2u);
    EXPECT_EQ(memory.peek<uint32_t>(2), 0xFF112244);
    EXPECT_EQ(memory.peek<uint32_t>(6), 0xFF112222);
}

/// In a surface of two halves, row 1000 is row 500 of the first half, so its pixels 0 to 3 are
/// bytes 4000 to 4003.
TEST(RenderOverlap, HalvesHaveHalfTheRows) {
    Operation op = column({formats::a8, 4001, 1}, Source::Kind::rgb, 3, 0, 1000);
    op.stages[0].source.surface[0] = {.format = formats::a8,
                                      .base = 0,
                                      .stride = 8,
                                      .tiling = Tiling::multi_tiled,
                                      .second_base = 16384};
    TestMemory memory(0, 32768, 1);
    memory.poke<uint32_t>(4000, 0x44332211);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 3).rows, 3u);
    EXPECT_EQ(memory.peek<uint32_t>(4000), 0x11111111u);
}

/// Pixels (0, 4) and (0, 5) of the destination are bytes 16 and 20 of its second half. The source's
/// second pixel is at byte 16 too.
TEST(RenderOverlap, SecondHalfOfTheDestination) {
    constexpr uint64_t second = 16384;
    const SurfaceDesc halves{.format = formats::a8,
                             .base = 0,
                             .stride = 8,
                             .tiling = Tiling::multi_tiled,
                             .second_base = second};
    Operation op = column(halves, Source::Kind::rgb, 2, 0, 0);
    op.rect = {0, 4, 1, 6};
    op.stages[0].source.surface[0] = {formats::a8, second + 15, 16};
    op.stages[0].source.placement = {true, {4, 0}, {0, 0}};
    TestMemory memory(0, 32768, 1);
    memory.poke<uint16_t>(second + 15, 0x2211);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 2).rows, 2u);
    EXPECT_EQ(memory.peek<uint8_t>(second + 16), 0x11);
    EXPECT_EQ(memory.peek<uint8_t>(second + 20), 0x11);
}

/// A row of 750 consecutive tiles of 64 bytes covers far more memory than the stride suggests.
TEST(RenderOverlap, TilesInARow) {
    constexpr int32_t width = 3000;
    constexpr uint64_t length = width * 4 * 4, lower = 38400;
    for (const uint64_t from : {uint64_t(0), 2 * lower}) {
        const Operation op =
            test::blit({formats::a8r8g8b8, lower, 16, 32, Tiling::tiled},
                       {formats::x8r8g8b8, from, 16, 32, Tiling::tiled}, {0, 0, width, 4});
        TestMemory memory(0, 2 * lower + length, 1);
        for (size_t i = 0; i < memory.pool.size(); i++)
            memory.pool[i] = std::byte(i * 2654435761u >> 13);
        TestMemory expected = memory;
        ASSERT_EQ(reference(expected, op).rows, 4u);
        Pipeline pipeline;
        ASSERT_FALSE(pipeline.prepare(memory, op));
        ASSERT_EQ(pipeline.run(0, 4).rows, 4u);
        for (size_t i = 0; i < memory.pool.size(); i++)
            ASSERT_EQ(memory.pool[i], expected.pool[i]) << "from " << from << " at " << i;
    }
}

} // namespace
} // namespace pixmill::render
