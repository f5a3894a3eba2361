// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests which memory surfaces may access, and which they do access.
#include <gtest/gtest.h>

#include <climits>

#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

/// Memory for surfaces that are never accessed.
class NoMemory final : public Memory {
public:
    HostSpan map(uint64_t, uint64_t, Access) override {
        ADD_FAILURE() << "mapped";
        return {};
    }
    void mark_dirty(uint64_t, uint64_t) override { ADD_FAILURE() << "wrote"; }
};

bool fits(const SurfaceDesc& desc, const Rect& touched) {
    NoMemory memory;
    return Surface::make(memory, desc, touched).has_value();
}

constexpr Format argb = formats::a8r8g8b8;

TEST(RenderSurface, EndOfTheAddressSpace) {
    EXPECT_TRUE(fits({argb, 0xFFFFFFFC, 4}, {0, 0, 1, 1}));
    EXPECT_FALSE(fits({argb, 0xFFFFFFFD, 4}, {0, 0, 1, 1}));
    EXPECT_FALSE(fits({argb, 0xFFFFFFFC, 4}, {0, 0, 2, 1}));
    EXPECT_FALSE(fits({argb, 0xFFFFFFFC, 4}, {0, 0, 1, 2}));
    EXPECT_TRUE(fits({argb, 0xFFFFFFFC, 0}, {0, 0, 1, 2}));
    EXPECT_TRUE(fits({argb, 0xFFFFFFFC, 4, 33}, {0, 0, 1, 2}));
    EXPECT_TRUE(fits({argb, 0xFFFFF000, 0x1000}, {0, 0, 1024, 1}));
    EXPECT_FALSE(fits({argb, 0xFFFFF000, 0x1000}, {1, 0, 1025, 1}));
}

TEST(RenderSurface, AddressesBelowZero) {
    EXPECT_FALSE(fits({argb, 0, 64}, {-1, 0, 1, 1}));
    EXPECT_FALSE(fits({argb, 0, 64}, {0, -1, 1, 1}));
    EXPECT_TRUE(fits({argb, 64, 64}, {0, -1, 1, 1}));
    EXPECT_TRUE(fits({argb, 68, 64}, {-1, -1, 1, 1}));
    EXPECT_FALSE(fits({argb, 67, 64}, {-1, -1, 1, 1}));
    EXPECT_TRUE(fits({argb, 0, 64}, {-16, 1, 1, 2})); // row 1 starts at 64, its pixel -16 at 0
    EXPECT_FALSE(fits({argb, 0, 64}, {-17, 1, 1, 2}));
}

TEST(RenderSurface, ExtentsBeyond32Bits) {
    // 16384 rows of 256 KiB are 4 GiB, so the last byte is at the end of the address space.
    EXPECT_TRUE(fits({argb, 0, 0x40000}, {0, 0, 0x10000, 0x4000}));
    EXPECT_FALSE(fits({argb, 0, 0x40000}, {0, 0, 0x10000, 0x4001}));
    EXPECT_FALSE(fits({argb, 4, 0x40000}, {0, 0, 0x10000, 0x4000}));
    // These offsets would be 0 in 32-bit arithmetic.
    EXPECT_FALSE(fits({argb, 0, 0x80000000}, {0, 2, 1, 3}));
    EXPECT_FALSE(fits({argb, 0, 0x10000}, {0, 0x10000, 1, 0x10001}));
    EXPECT_FALSE(fits({argb, 0xFFFFFFFF, 0xFFFFFFFF}, {0, 0, 1, INT_MAX}));
    EXPECT_TRUE(fits({argb, 0, 0xFFFFFFFF, 62}, {0, 0, 1, 1 << 29}));
}

TEST(RenderSurface, ExtentsBeyond64Bits) {
    EXPECT_FALSE(fits({argb, 0, 0xFFFFFFFF, 62}, {0, INT_MAX - 1, 1, INT_MAX}));
    EXPECT_FALSE(fits({argb, 0, 0xFFFFFFFF, 62}, {INT_MIN, INT_MIN, INT_MIN + 1, INT_MIN + 1}));
    EXPECT_FALSE(fits({argb, UINT64_MAX, 4, 62}, {0, 0, 1, 1}));
    EXPECT_FALSE(fits({argb, UINT64_MAX - 3, 4, 62}, {1, 0, 2, 1})); // wraps to address 0
    EXPECT_FALSE(fits({argb, uint64_t(INT64_MAX), 0xFFFFFFFF, 62}, {0, 1, 1, 2}));
    EXPECT_FALSE(fits({argb, 0, 4, 63}, {0, 0, 1, 1}));
}

TEST(RenderSurface, LayoutsAndSizes) {
    EXPECT_FALSE(fits({Format{}, 0, 4}, {0, 0, 1, 1}));
    Format odd = argb;
    for (const uint8_t bits : {4, 12, 40}) {
        odd.bits = bits;
        EXPECT_FALSE(fits({odd, 0, 4}, {0, 0, 1, 1}));
    }
    EXPECT_TRUE(fits({plain_format(3), 0xFFFFFFFD, 4}, {0, 0, 1, 1}));
    EXPECT_FALSE(fits({plain_format(3), 0xFFFFFFFE, 4}, {0, 0, 1, 1}));
    EXPECT_TRUE(fits({formats::a8, 0, 0}, {0, 0, int32_t(Surface::max_width), 1}));
    EXPECT_FALSE(fits({formats::a8, 0, 0}, {0, 0, int32_t(Surface::max_width) + 1, 1}));
    EXPECT_FALSE(fits({formats::a8, 0, 0, 40}, {INT_MIN, 0, INT_MAX, 1}));
    EXPECT_TRUE(fits({argb, 0xFFFFFFFF, 4}, {5, 5, 5, 9})); // an empty rectangle
}

TEST(RenderSurface, ErrorsNameTheSurface) {
    NoMemory memory;
    Pipeline pipeline;
    Operation op = test::blit({argb, 0, 64}, {argb, 0xFFFFFF00, 64}, {0, 0, 4, 4});
    Source& source = op.stages[0].source;
    EXPECT_FALSE(pipeline.prepare(memory, op));
    source.placement.y.first = 1;
    EXPECT_EQ(pipeline.prepare(memory, op), Error::source_extent);
    EXPECT_EQ(pipeline.rows(), 0u);
    source.placement.y.first = INT_MAX;
    EXPECT_EQ(pipeline.prepare(memory, op), Error::source_extent);
    source.surface[0].format = {};
    EXPECT_EQ(pipeline.prepare(memory, op), Error::format);
    op.stages[0].rop = 0xF0;
    EXPECT_FALSE(pipeline.prepare(memory, op));
    EXPECT_EQ(pipeline.rows(), 4u);
    EXPECT_EQ(pipeline.row_work(), 256u + 16u / 4);
    op.rect.top = -1;
    EXPECT_EQ(pipeline.prepare(memory, op), Error::destination_extent);
    op.destination.format = {};
    EXPECT_EQ(pipeline.prepare(memory, op), Error::format);
    op.destination.format = plain_format(3); // a format for planes only
    EXPECT_EQ(pipeline.prepare(memory, op), Error::format);
}

TEST(RenderSurface, EmptyRectanglesDrawNothing) {
    NoMemory memory;
    for (const Rect& rect : {Rect{2, 0, 2, 1}, Rect{4, 0, 2, 1}, Rect{0, 3, 1, 3}}) {
        const Operation op = test::fill({argb, 0, 64}, rect, 0xF0);
        Pipeline pipeline;
        EXPECT_FALSE(pipeline.prepare(memory, op));
        EXPECT_EQ(pipeline.rows(), 0u);
        EXPECT_EQ(pipeline.run(0, 7).rows, 0u);
    }
}

TEST(RenderSurface, Intersection) {
    EXPECT_EQ((Rect{0, 0, 8, 8}.intersect({-2, 3, 5, 20})), (Rect{0, 3, 5, 8}));
    EXPECT_TRUE((Rect{0, 0, 8, 8}.intersect({8, 0, 9, 8})).empty());
}

// ---- Mappings and reports ----------------------------------------------------

struct Range {
    uint64_t begin, end;
};

Range only_report(const TestMemory& memory) {
    EXPECT_EQ(memory.reports, 1u);
    EXPECT_EQ(memory.strays, 0u);
    const auto first = std::find(memory.dirty.begin(), memory.dirty.end(), 1);
    const auto last = std::find(memory.dirty.rbegin(), memory.dirty.rend(), 1).base();
    EXPECT_EQ(std::count(first, last, 1), last - first);
    return {memory.origin + uint64_t(first - memory.dirty.begin()),
            memory.origin + uint64_t(last - memory.dirty.begin())};
}

void draw(Memory& memory, const Operation& op) {
    Pipeline pipeline;
    ASSERT_FALSE(pipeline.prepare(memory, op));
    const Progress progress = pipeline.run(0, pipeline.rows());
    EXPECT_EQ(progress.rows, pipeline.rows());
    EXPECT_FALSE(progress.faulted);
}

TEST(RenderSurface, RowsWithoutGapsAreOneMappingAndOneReport) {
    TestMemory memory(0x1000, 0x1000, 4);
    draw(memory, test::fill({formats::r5g6b5, 0x1000, 64}, {0, 2, 32, 12}, 0xF0));
    const auto report = only_report(memory);
    EXPECT_EQ(report.begin, 0x1000 + 2 * 64u);
    EXPECT_EQ(report.end, 0x1000 + 12 * 64u);
    EXPECT_EQ(memory.maps, 1u);
}

TEST(RenderSurface, ScrollingDownIsOneReport) {
    TestMemory memory(0x1000, 0x1000, 4);
    const SurfaceDesc surface{formats::r5g6b5, 0x1000, 64};
    draw(memory, test::blit(surface, surface, {0, 2, 32, 12}));
    const auto report = only_report(memory);
    EXPECT_EQ(report.begin, 0x1000 + 2 * 64u);
    EXPECT_EQ(report.end, 0x1000 + 12 * 64u);
    EXPECT_EQ(memory.maps, 0u); // all rows are translated at once
}

TEST(RenderSurface, GapsAreNeitherReportedNorMappedAnew) {
    TestMemory memory(0, 0x1000, 1);
    draw(memory, test::fill({argb, 0, 64}, {1, 1, 3, 4}, 0x55));
    for (uint64_t address = 0; address < memory.pool.size(); address++) {
        const uint64_t row = address / 64, column = address % 64;
        const bool inside = row >= 1 && row < 4 && column >= 4 && column < 12;
        EXPECT_EQ(memory.dirty[address], inside) << address;
        EXPECT_EQ(uint8_t(memory.pool[address]), inside ? 0xFF : 0) << address;
    }
    EXPECT_EQ(memory.maps, 1u);
}

TEST(RenderSurface, RowsFarApartAreMappedOneByOne) {
    TestMemory memory(0, 0x1000, 64);
    draw(memory, test::fill({argb, 0, 0x20000}, {0, 0, 1, 2}, 0xFF));
    EXPECT_EQ(memory.maps, 2u);
    EXPECT_EQ(std::count(memory.writable.begin(), memory.writable.end(), 1), 8);
}

TEST(RenderSurface, UnusedSourceIsNotMapped) {
    TestMemory memory(0, 0x100, 1); // has no source: a read would be a stray access
    for (const Rop3 rop : {0x00, 0x05, 0x0F, 0x50, 0x55, 0x5A, 0xA0, 0xF0, 0xFF})
        draw(memory, test::blit({argb, 0, 16}, {formats::r5g6b5, 0xFFFFFFF0, 0x1000}, {0, 0, 4, 4},
                                0, 0, rop));
    EXPECT_EQ(memory.strays, 0u);
}

TEST(RenderSurface, NothingToDoTouchesNothing) {
    NoMemory memory;
    draw(memory, test::fill({argb, 0, 16}, {0, 0, 4, 4}, 0xAA));
}

// ---- Holes and faults ----------------------------------------------------------

TEST(RenderSurface, HolesReadTheirValueAndDropWrites) {
    TestMemory memory(0, 16, 8);
    for (size_t i = 0; i < memory.pool.size(); i++)
        memory.pool[i] = std::byte(i);
    memory.pages[1] = {Mapping::hole, 0x5C, 0}; // source bytes 16 to 31
    memory.pages[5] = {Mapping::hole, 0, 0};    // destination bytes 80 to 95
    Operation op = test::blit({argb, 64, 64}, {argb, 0, 64}, {0, 0, 16, 1});
    draw(memory, op);
    EXPECT_EQ(memory.peek<uint32_t>(64), 0x03020100u);
    EXPECT_EQ(memory.peek<uint32_t>(76), 0x0F0E0D0Cu);
    EXPECT_EQ(memory.peek<uint32_t>(96), 0x23222120u); // from 32, beyond both holes
    EXPECT_EQ(memory.pool[0x50], std::byte(0x50));     // holes do not store writes
    EXPECT_EQ(std::count(memory.dirty.begin() + 80, memory.dirty.begin() + 96, 0), 16);

    memory.pages[5] = {Mapping::host, 0, 80};
    for (const Rop3 rop : {0xCC, 0x66}) {
        memory.poke<uint32_t>(80, 0xFF00FF00);
        op.stages[0].rop = rop;
        draw(memory, op);
        EXPECT_EQ(memory.peek<uint32_t>(80), rop == 0xCC ? 0x5C5C5C5Cu : 0xA35CA35Cu);
    }
}

TEST(RenderSurface, PixelAcrossTheEdgeOfAHole) {
    TestMemory memory(0, 6, 8);
    memory.pages[1] = {Mapping::hole, 0xEE, 0}; // bytes 6 to 11
    memory.poke<uint32_t>(12, 0x44332211);
    // The pixel at 3 ends in the hole, the one at 7 lies entirely in it, and the one at 11 starts
    // in it.
    Operation op = test::blit({argb, 24, 16}, {argb, 3, 16}, {0, 0, 3, 1});
    draw(memory, op);
    EXPECT_EQ(memory.peek<uint32_t>(24), 0xEE000000u);
    EXPECT_EQ(memory.peek<uint32_t>(28), 0xEEEEEEEEu);
    EXPECT_EQ(memory.peek<uint32_t>(32), 0x332211EEu);
    op.destination.format = with_swizzle(argb, Swizzle::abgr);
    draw(memory, op);
    EXPECT_EQ(memory.peek<uint32_t>(32), 0x33EE1122u);
}

TEST(RenderSurface, AFaultStopsAfterTheRowsBefore) {
    for (const uint32_t stride : {8, 12}) // without and with gaps
        for (const bool in_source : {false, true}) {
            TestMemory memory(0, 4, 64);
            memory.pages[(in_source ? 32u : 0u) + 3 * stride / 4 + 1].mapping = Mapping::fault;
            const Operation op =
                test::blit({argb, 0, stride}, {argb, 128, stride}, {0, 0, 2, 6}, 0, 0, 0x33);
            Pipeline pipeline;
            ASSERT_FALSE(pipeline.prepare(memory, op));
            const Progress before = pipeline.run(0, 2);
            EXPECT_EQ(before.rows, 2u);
            EXPECT_FALSE(before.faulted);
            const Progress progress = pipeline.run(2, 4);
            EXPECT_EQ(progress.rows, 1u);
            EXPECT_TRUE(progress.faulted);
            EXPECT_EQ(memory.peek<uint32_t>(2 * stride + 4), 0xFFFFFFFFu);
            EXPECT_EQ(memory.peek<uint32_t>(4 * stride), 0u);
            EXPECT_TRUE(memory.dirty[2 * stride + 7]);
            EXPECT_EQ(memory.strays, 0u);
        }
}

class FaultsOnce final : public Memory {
public:
    HostSpan map(uint64_t, uint64_t length, Access) override {
        return maps++ ? HostSpan{Mapping::host, 0, bytes.data(), length} : HostSpan{};
    }
    void mark_dirty(uint64_t, uint64_t) override { ADD_FAILURE() << "wrote"; }
    int maps = 0;
    std::vector<std::byte> bytes = std::vector<std::byte>(256);
};

/// An injected fault happens only once, so a second translation would not see it.
TEST(RenderSurface, AFaultIsAskedForOnce) {
    for (const Rop3 rop : {0xF0, 0xCC})
        for (const uint32_t stride : {8, 12})
            for (const Format& from : {argb, formats::x8r8g8b8}) {
                FaultsOnce memory;
                const Operation op =
                    test::blit({argb, 0, stride}, {from, 128, stride}, {0, 0, 2, 2}, 0, 0, rop);
                Pipeline pipeline;
                ASSERT_FALSE(pipeline.prepare(memory, op));
                const Progress progress = pipeline.run(0, 2);
                EXPECT_TRUE(progress.faulted);
                EXPECT_EQ(progress.rows, 0u);
                EXPECT_EQ(memory.maps, 1);
            }
}

TEST(RenderSurface, AFaultBetweenRowsHasNoEffect) {
    TestMemory memory(0, 4, 64);
    memory.pages[2].mapping = Mapping::fault;
    memory.pages[5].mapping = Mapping::fault;
    draw(memory, test::fill({argb, 0, 12}, {0, 0, 2, 6}, 0xFF));
    EXPECT_EQ(memory.peek<uint32_t>(16), 0xFFFFFFFFu);
}

} // namespace
} // namespace pixmill::render
