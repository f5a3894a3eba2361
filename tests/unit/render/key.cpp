// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests rows in which a color key makes few pixels transparent, with sizes around the kernels'
// block size, and copies and fills with sizes around the limit below which plain code is used.
#include <gtest/gtest.h>

#include "memory.hpp"
#include "operation.hpp"
#include "render/cpu_dispatch.hpp"
#include "render/pipeline.hpp"
#include "tests/processor.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

constexpr uint32_t key_color = 0x3C3C3C3C;

/// Returns pages of `page_size` bytes. The first half is a destination of zeros, the second half a
/// source of noise that does not contain the key.
TestMemory memory_of(size_t bytes, size_t page_size) {
    const size_t half = (bytes + page_size - 1) / page_size;
    TestMemory memory(0, page_size, 2 * half);
    for (size_t i = 0; i < half; i++) // these pages are in reverse order
        memory.pages[i].host = (half - 1 - i) * page_size;
    for (uint64_t i = half * page_size; i < 2 * half * page_size; i++)
        memory.byte(i) = std::byte(0x80 | (i * 2654435761u >> 13 & 0x7F));
    return memory;
}

void expect_key(const Format& format, int32_t width, std::vector<int32_t> transparent,
                size_t page_size, const Kernels& kernels) {
    const uint32_t bytes = format.bytes();
    const uint64_t row = uint64_t(width) * bytes;
    TestMemory memory = memory_of(row, page_size);
    const uint64_t source = memory.pool.size() / 2;
    for (const int32_t x : transparent)
        for (uint32_t i = 0; i < bytes; i++)
            memory.byte(source + uint64_t(x) * bytes + i) = std::byte(key_color);
    Operation op =
        test::blit({format, 0, uint32_t(row)}, {format, source, uint32_t(row)}, {0, 0, width, 1});
    op.stages[0].source_key = ColorKey(format, key_color, key_color);
    Pipeline pipeline(kernels);
    ASSERT_FALSE(pipeline.prepare(memory, op));
    ASSERT_EQ(pipeline.run(0, 1).rows, 1u);
    for (uint64_t i = 0; i < row; i++) {
        const bool stays = std::ranges::count(transparent, int32_t(i / bytes)) != 0;
        ASSERT_EQ(memory.byte(i), stays ? std::byte(0) : memory.byte(source + i)) << i;
        if (stays) { // a report for an earlier pixel may include it
            ASSERT_FALSE(memory.begun[i]) << i;
        } else {
            ASSERT_EQ(memory.dirty[i], 1) << i;
        }
    }
    for (uint64_t i = row; i < memory.dirty.size(); i++)
        ASSERT_EQ(memory.dirty[i], 0) << i;
}

/// Fuzzers disable AVX2, so that both kinds of kernels are run.
TEST(RenderKernels, BaselineOnRequest) {
    const Kernels& best = kernels();
    {
        const processor::Portable portable;
        EXPECT_FALSE(use_avx2());
        EXPECT_EQ(&kernels(), &baseline_kernels());
    }
    EXPECT_EQ(&kernels(), &best);
    EXPECT_EQ(use_avx2(), &best != &baseline_kernels());
}

TEST(RenderKey, LeavesSinglePixelsAlone) {
    for (const Format& format : {formats::a8, formats::r5g6b5, formats::a8r8g8b8})
        for (const Kernels* kernels : {&render::kernels(), &baseline_kernels()})
            for (const size_t page_size : {size_t(1) << 16, size_t(4096), size_t(61)})
                for (const int32_t width : {1, 31, 127, 128, 129, 700, 5000}) {
                    SCOPED_TRACE(testing::Message()
                                 << format.name << ' ' << width << " pages of " << page_size);
                    expect_key(format, width, {}, page_size, *kernels);
                    for (const int32_t x : {0, width / 3, width / 2, width - 1})
                        expect_key(format, width, {x}, page_size, *kernels);
                    expect_key(format, width, {0, width / 2, width - 1}, page_size, *kernels);
                    if (HasFatalFailure())
                        return;
                }
}

/// A page of the destination that would fault must not be accessed if no pixel in it is drawn.
TEST(RenderKey, TouchesNoPageOfTransparentPixels) {
    constexpr int32_t width = 2048;
    TestMemory memory = memory_of(width * 4, 4096);
    memory.pages[0].mapping = Mapping::fault;
    const uint64_t source = memory.pool.size() / 2;
    for (uint64_t i = 0; i < 4096; i++)
        memory.byte(source + i) = std::byte(key_color);
    Operation op = test::blit({formats::a8r8g8b8, 0, width * 4},
                              {formats::a8r8g8b8, source, width * 4}, {0, 0, width, 1});
    op.stages[0].source_key = ColorKey(formats::a8r8g8b8, key_color, key_color);
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    const Progress progress = pipeline.run(0, 1);
    EXPECT_FALSE(progress.faulted);
    for (uint64_t i = 4096; i < 8192; i++)
        ASSERT_EQ(memory.byte(i), memory.byte(source + i)) << i;
}

TEST(RenderKey, StringsOfAnyLength) {
    for (const Kernels* kernels : {&render::kernels(), &baseline_kernels()})
        for (const int32_t width : {2047, 2048, 2049, 2111, 4096, 8191, 8192, 8200, 20001})
            for (const int32_t distance : {-65, -1, 1, 33, 3000, 30000}) {
                TestMemory memory(0, 1 << 16, 1);
                for (size_t i = 0; i < memory.pool.size(); i++)
                    memory.pool[i] = std::byte(i * 2654435761u >> 13);
                const TestMemory before = memory;
                const uint64_t to = 70, from = uint64_t(70 + distance);
                const Rect rect{0, 0, width, 1};
                Pipeline pipeline(*kernels);
                ASSERT_FALSE(
                    pipeline.prepare(memory, test::blit({formats::a8, to, 65536},
                                                        {formats::a8, from, 65536}, rect)));
                pipeline.run(0, 1);
                for (uint64_t i = 0; i < memory.pool.size(); i++) {
                    const bool in = i >= to && i < to + uint64_t(width);
                    ASSERT_EQ(memory.pool[i], before.pool[in ? i - to + from : i])
                        << width << ' ' << distance << " at " << i;
                }
            }
}

} // namespace
} // namespace pixmill::render
