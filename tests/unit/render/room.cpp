// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests that the host memory of an operation has a limit that the guest cannot raise.
#include <gtest/gtest.h>
#include <malloc.h>

#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"

/// AddressSanitizer's count of the bytes that it has allocated. Null without ASan.
extern "C" size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace pixmill::render {
namespace {

using test::TestMemory;

size_t allocated() {
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

constexpr size_t mebibyte = 1 << 20;

TEST(RenderRoom, NoneForASourceThatIsRefused) {
    static constexpr uint32_t colors[2] = {};
    Operation op = test::blit({formats::a8r8g8b8, 0, 256}, {formats::a8, 0, 64}, {0, 0, 64, 1});
    Source& source = op.stages[0].source;
    source.kind = Source::Kind::mono;
    source.palette = colors;
    source.placement.x = {0, 0, false, false, Stretch::gdi, INT32_MAX, 64};
    TestMemory memory(0, 4096, 1);
    Pipeline pipeline;
    const size_t before = allocated();
    EXPECT_EQ(pipeline.prepare(memory, op), Error::source_extent);
    EXPECT_LT(allocated() - before, mebibyte);
}

/// Blocks are as wide as the rectangle. They can be lower here than for other transposed sources,
/// because chroma cells do not cross rows.
TEST(RenderRoom, AFewRowsForATransposedSource) {
    constexpr int32_t width = 32766;
    Operation op =
        test::blit({plain_format(2), 0, width * 2}, {formats::a8r8g8b8, 0, 64}, {0, 0, width, 8});
    op.planar = {planes_of(yuv_layouts::yuy2), {}, true, false, {}, {}};
    op.stages[0].source.placement = {true, {0, 0}, {0, 0}};
    op.stages[0].source.surface[0] = {formats::a8r8g8b8, 0x100000, 32};
    TestMemory memory(0, 0x400000, 1);
    Pipeline pipeline;
    const size_t before = allocated();
    ASSERT_FALSE(pipeline.prepare(memory, op));
    EXPECT_EQ(pipeline.run(0, 8).rows, 8u);
    EXPECT_LT(allocated() - before, 4 * mebibyte);
}

} // namespace
} // namespace pixmill::render
