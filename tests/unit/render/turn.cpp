// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests copies in all eight orientations, with sizes around the kernels' block sizes.
#include <gtest/gtest.h>

#include "../../reference/render.hpp"
#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

struct Orientation {
    bool transpose, falling_x, falling_y;
};

/// Returns the source coordinate for coordinate `t` of `n`.
int32_t at(int32_t t, int32_t n, bool falling) {
    return falling ? n - 1 - t : t;
}

Axis axis(int32_t n, bool falling) {
    Axis axis;
    axis.first = falling ? n - 1 : 0;
    axis.downward = falling;
    return axis;
}

/// Checks a copy. `gap` is the number of bytes between destination rows, `page` the size of
/// contiguous memory (0: all).
void check(const Format& format, int32_t width, int32_t height, Orientation o, uint32_t gap = 4,
           uint64_t page = 0, const Kernels& kernels = render::kernels()) {
    const uint32_t bytes = format.bytes();
    const int32_t source_width = o.transpose ? height : width;
    const int32_t source_height = o.transpose ? width : height;
    const uint32_t stride = uint32_t(width) * bytes + gap;
    const uint32_t source_stride = uint32_t(source_width) * bytes + 8;
    const uint64_t base = uint64_t(stride) * uint64_t(height);
    const uint64_t size = base + uint64_t(source_stride) * uint64_t(source_height);
    TestMemory memory(0, page ? page : size, page ? (size + page - 1) / page : 1);
    for (size_t i = 0; i + 1 < memory.pages.size(); i += 2) // swaps neighbors
        std::swap(memory.pages[i].host, memory.pages[i + 1].host);
    for (size_t i = 0; i < memory.pool.size(); i++)
        memory.pool[i] = std::byte((i * 2654435761u) >> 13);
    TestMemory before = memory;

    Operation op =
        test::blit({format, 0, stride}, {format, base, source_stride}, {0, 0, width, height});
    Placement& p = op.stages[0].source.placement;
    p.transpose = o.transpose;
    p.x = axis(source_width, o.falling_x);
    p.y = axis(source_height, o.falling_y);
    Pipeline pipeline(kernels);
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, pipeline.rows()).rows, uint32_t(height));

    for (int32_t y = 0; y < height; y++)
        for (uint32_t i = 0; i < stride; i++) {
            const auto x = int32_t(i / bytes);
            const size_t to = size_t(y) * stride + i;
            size_t from = to; // bytes between the rows must not change
            if (x < width)
                from = base +
                       size_t(at(o.transpose ? x : y, source_height, o.falling_y)) * source_stride +
                       size_t(at(o.transpose ? y : x, source_width, o.falling_x)) * bytes +
                       i % bytes;
            ASSERT_EQ(memory.byte(to), before.byte(from))
                << width << " x " << height << ", x " << x << ", y " << y;
            ASSERT_EQ(memory.dirty[to], x < width) << "x " << x << ", y " << y;
        }
}

TEST(RenderTurn, EveryOrientationOfEverySize) {
    for (const Format& format : {formats::a8, formats::r5g6b5, formats::a8r8g8b8})
        for (const int32_t width : {1, 15, 16, 64, 65, 257, 300})
            for (const int32_t height : {1, 7, 16, 63, 64, 66, 130})
                for (unsigned i = 0; i < 8; i++)
                    check(format, width, height, {(i & 1) != 0, (i & 2) != 0, (i & 4) != 0});
}

/// Tests copies with more rows than a strip, to rows that map to the same cache set, with each set
/// of kernels.
TEST(RenderTurn, Strips) {
    for (const Format& format : {formats::a8, formats::r5g6b5, formats::a8r8g8b8})
        for (const Kernels* kernels : {&render::kernels(), &baseline_kernels()})
            for (unsigned i = 0; i < 4; i++) {
                const Orientation o{true, (i & 1) != 0, (i & 2) != 0};
                check(format, 83, 1030, o, 4, 0, *kernels);
                check(format, 83, 519, o, 4096 - 83 * format.bytes(), 0, *kernels);
            }
}

/// Tests the same copies from and to scattered memory.
TEST(RenderTurn, Pieces) {
    for (const Format& format : {formats::a8, formats::r5g6b5, formats::a8r8g8b8})
        for (unsigned i = 0; i < 4; i++)
            for (const uint64_t page : {4096u, 65536u})
                check(format, 131, 570, {true, (i & 1) != 0, (i & 2) != 0}, 4, page);
}

/// Source rows that are columns in memory must be fetched together, so that each page is mapped
/// once for all nine taps of a filter.
TEST(RenderTurn, FilteredColumns) {
    constexpr uint32_t width = 64, page = 4096;
    TestMemory memory(0, page, 1 + width);
    for (size_t i = 1; i + 1 < memory.pages.size(); i += 2)
        std::swap(memory.pages[i].host, memory.pages[i + 1].host);
    Operation op =
        test::blit({formats::a8r8g8b8, 0, page}, {formats::a8r8g8b8, page, page}, {0, 0, width, 1});
    Filter filter;
    filter.vertical = true;
    filter.vertical_table[4] = 0x4000;
    filter.origin_y = 100 << 16;
    filter.image = {0, 0, width, 400};
    filter.surface.transpose = true;
    op.stages[0].source.filter = filter;
    for (uint32_t x = 0; x < width; x++)
        memory.poke<uint32_t>((1 + x) * page + 100 * 4, 0xFF000000 + x);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    memory.maps = 0;
    ASSERT_EQ(pipeline.run(0, 1).rows, 1u);
    for (uint32_t x = 0; x < width; x++)
        ASSERT_EQ(memory.peek<uint32_t>(x * 4), 0xFF000000 + x);
    EXPECT_LT(memory.maps, 2 * width);
}

/// Blocks of rows must not split chroma cells, regardless of the first row.
TEST(RenderTurn, StreamToTwoByTwoChroma) {
    std::vector<uint32_t> words(130 * 5);
    for (size_t i = 0; i < words.size(); i++)
        words[i] = uint32_t(i * 2654435761u);
    const std::vector<uint32_t> colors{0xFF102030, 0xFFF0C040};
    const uint32_t stride = 256;
    const uint64_t chroma = 140 * stride;
    Operation op = test::fill({formats::a8, 0, stride}, {0, 1, 130, 131}, 0xCC);
    Source& source = op.stages[0].source;
    source.kind = Source::Kind::stream;
    source.palette = colors;
    source.bits = {words, Pack::packed32, 130, 130};
    source.placement.transpose = true;
    source.placement.x.begin = 1;
    op.planar = PlanarTarget{planes_of(yuv_layouts::nv12),
                             {SurfaceDesc{formats::a8, chroma, stride}},
                             true,
                             true,
                             rgb_to_bt601,
                             bt601_to_rgb};
    TestMemory plain(0, chroma + 70 * stride, 1), memory = plain;
    reference(plain, op);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, pipeline.rows()).rows, 130u);
    EXPECT_EQ(memory.pool, plain.pool);
}

} // namespace
} // namespace pixmill::render
