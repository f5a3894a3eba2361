// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests which memory surfaces may access, and which they do access.
#include <gtest/gtest.h>

#include <climits>
#include <random>

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

// ---- Lists of pages ------------------------------------------------------------

constexpr uint64_t page = Memory::page_bytes;

/// Memory whose odd pages are in reverse order, so that no page is followed by the next.
TestMemory scattered(size_t page_count) {
    TestMemory memory(0, page, page_count);
    for (size_t i = 1; i < page_count; i += 2)
        memory.pages[i].host = (page_count / 2 * 2 - i) * page;
    memory.lists = true;
    return memory;
}

TEST(RenderSurface, ScatteredPagesAreMappedManyAtOnce) {
    TestMemory memory = scattered(100);
    const SurfaceDesc surface{argb, 0, 4096};
    draw(memory, test::fill(surface, {0, 0, 1024, 100}, 0xF0, 0x12345678));
    EXPECT_LE(memory.maps, 5u); // 31 pages a list
    for (uint64_t address = 0; address < 100 * page; address += 4)
        ASSERT_EQ(memory.peek<uint32_t>(address), 0x12345678u) << address;
    const auto report = only_report(memory);
    EXPECT_EQ(report.begin, 0u);
    EXPECT_EQ(report.end, 100 * page);
    memory.maps = 0;
    draw(memory, test::blit(surface, {argb, 50 * page, 4096}, {0, 0, 1024, 50}));
    EXPECT_LE(memory.maps, 2u * 3);
}

TEST(RenderSurface, AListEndsBeforeAFault) {
    for (const size_t bad : {1, 2, 3, 20, 31, 32, 33, 63}) {
        TestMemory memory = scattered(64);
        memory.pages[bad].mapping = Mapping::fault;
        const Operation op = test::fill({argb, 0, 2048}, {0, 0, 512, 128}, 0xFF);
        Pipeline pipeline;
        ASSERT_FALSE(pipeline.prepare(memory, op));
        const Progress progress = pipeline.run(0, 128);
        EXPECT_TRUE(progress.faulted);
        EXPECT_EQ(progress.rows, 2 * bad);
        EXPECT_EQ(std::count(memory.dirty.begin(), memory.dirty.end(), 1), ptrdiff_t(bad * page));
        EXPECT_EQ(memory.strays, 0u);
    }
}

/// Draws on the same memory with and without lists of pages.
class Twin {
public:
    explicit Twin(uint64_t seed) : random_(seed) {
        for (size_t i = 0; i < page_count; i++)
            std::swap(listed_.pages[i].host, listed_.pages[below(page_count)].host);
        for (size_t i = 0; i < 4; i++) {
            TestMemory::Page& bad = listed_.pages[below(page_count)];
            bad.hole_value = uint8_t(random_());
            bad.mapping = seed % 2 ? Mapping::hole : Mapping::fault;
        }
        for (std::byte& byte : listed_.pool)
            byte = std::byte(random_());
        plain_ = listed_;
        listed_.lists = true;
    }
    void draw_alike() {
        const Operation op = operation();
        const Progress with = draw(listed_, op), without = draw(plain_, op);
        EXPECT_EQ(with.rows, without.rows);
        EXPECT_EQ(with.faulted, without.faulted);
        EXPECT_TRUE(listed_.pool == plain_.pool);
        for (size_t i = 0; i < listed_.dirty.size(); i++)
            ASSERT_EQ(!listed_.dirty[i], !plain_.dirty[i]) << i;
        EXPECT_EQ(listed_.strays + plain_.strays, 0u);
    }
    size_t saved_maps() const { return plain_.maps - std::min(plain_.maps, listed_.maps); }

private:
    static constexpr size_t page_count = 100;

    size_t below(size_t end) { return size_t(random_() % end); }
    Operation operation() {
        constexpr uint32_t strides[] = {2000, 2048, 4096, 4100, 8192};
        constexpr Rop3 rops[] = {0xF0, 0xCC, 0xCC, 0x66, 0x5A};
        const auto surface = [&](uint64_t base) {
            return SurfaceDesc{below(4) ? argb : formats::r5g6b5, base + 4 * below(300),
                               strides[below(5)]};
        };
        const SurfaceDesc to = surface(0), from = surface(below(3) ? 50 * page : 0);
        Operation op = test::blit(to, from, {0, 0, 1 + int32_t(below(500)), 20}, 0, 0,
                                  rops[below(5)], 0x80402010);
        if (!below(4))
            op.stages[0].blend = {{}, {.factor = Factor::inverse_alpha}, false};
        if (!below(4)) {
            op.stages[0].source.placement.y.first = 19;
            op.stages[0].source.placement.y.downward = true;
        }
        return op;
    }
    static Progress draw(Memory& memory, const Operation& op) {
        Pipeline pipeline;
        EXPECT_FALSE(pipeline.prepare(memory, op));
        return pipeline.run(0, pipeline.rows());
    }

    std::mt19937 random_;
    TestMemory listed_{0, page, page_count}, plain_{listed_};
};

TEST(RenderSurface, ListsOfPagesDrawTheSamePictures) {
    size_t saved = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        SCOPED_TRACE(seed);
        Twin twin(seed);
        for (int i = 0; i < 4; i++)
            twin.draw_alike();
        saved += twin.saved_maps();
    }
    EXPECT_GT(saved, 2'000u);
}

} // namespace
} // namespace pixmill::render
