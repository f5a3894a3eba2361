/*
 * Bit blits: origins, overlap, client sequences, scattered memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../reference.hpp"
#include "../twin.hpp"

namespace pixmill::test {
namespace {

Words count_up(uint32_t first, size_t count) {
    Words result;
    for (size_t i = 0; i < count; i++)
        result.push_back(first + static_cast<uint32_t>(i));
    return result;
}

/* ---- Copies within one surface (X11 CopyArea) ---------------------------- */

Stream self_copy(int w, int h, uint32_t origin, const Rect& rect) {
    return base_block(w, h, kCommandBlit)
        .state(state::kSrcAddress, kDstAt)
        .state(state::kSrcConfig, 0x06000040)
        .state(state::kSrcOrigin, origin)
        .draw(rect);
}

TEST(VivanteCopy, OverlapToTheRightAndLeft) {
    const struct {
        uint32_t origin;
        Rect rect;
        Words expected;
    } rows[] = {
        {0x0000FFFF, {1, 0, 5, 1}, {0, 0, 1, 2, 3, 5, 6, 7}},
        {0x00000001, {0, 0, 4, 1}, {1, 2, 3, 4, 4, 5, 6, 7}},
    };
    for (const auto& row : rows) {
        Machine m;
        m.ram.set_words(kDstAt, count_up(0, 8));
        run_compared(m, self_copy(8, 1, row.origin, row.rect));
        EXPECT_EQ(m.ram.words(kDstAt, 8), row.expected);
    }
}

TEST(VivanteCopy, OverlapDownUpAndDiagonal) {
    Machine down;
    down.ram.set_words(kDstAt, count_up(0, 32));
    run_compared(down, self_copy(8, 4, 0xFFFF0000, {0, 1, 1, 4}));
    Machine up;
    up.ram.set_words(kDstAt, count_up(0, 32));
    run_compared(up, self_copy(8, 4, 0x00010000, {0, 0, 1, 3}));
    const uint32_t down_column[] = {0, 0, 8, 0x10};
    const uint32_t up_column[] = {8, 0x10, 0x18, 0x18};
    for (uint32_t y = 0; y < 4; y++) {
        EXPECT_EQ(down.ram.word(kDstAt + 32 * y), down_column[y]) << y;
        EXPECT_EQ(up.ram.word(kDstAt + 32 * y), up_column[y]) << y;
    }
    Machine diagonal;
    diagonal.ram.set_words(kDstAt, count_up(0, 32));
    run_compared(diagonal, self_copy(8, 4, 0xFFFFFFFF, {1, 1, 4, 4}));
    EXPECT_EQ(diagonal.ram.words(kDstAt, 8), count_up(0, 8));
    EXPECT_EQ(diagonal.ram.words(kDstAt + 32, 8), (Words{8, 0, 1, 2, 0xC, 0xD, 0xE, 0xF}));
    EXPECT_EQ(diagonal.ram.words(kDstAt + 64, 8), (Words{0x10, 8, 9, 0xA, 0x14, 0x15, 0x16, 0x17}));
    EXPECT_EQ(diagonal.ram.words(kDstAt + 96, 8),
              (Words{0x18, 0x10, 0x11, 0x12, 0x1C, 0x1D, 0x1E, 0x1F}));
}

TEST(VivanteCopy, AbsoluteRestartsAtTheOriginAndRelativeTracks) {
    const struct {
        uint32_t config;
        Words expected;
    } rows[] = {
        {0x06000000, {0x10, 0x11, 0, 0, 0x10, 0x11, 0, 0}},
        {0x06000040, {0x10, 0x11, 0, 0, 0x14, 0x15, 0, 0}},
    };
    for (const auto& row : rows) {
        Machine m;
        m.ram.set_words(kSrcAt, count_up(0x10, 8));
        run_compared(m, base_block(8, 1, kCommandBlit)
                            .state(state::kSrcConfig, row.config)
                            .state(state::kSrcOrigin, 0)
                            .draw({{0, 0, 2, 1}, {4, 0, 6, 1}}));
        EXPECT_EQ(m.ram.words(kDstAt, 8), row.expected);
    }
}

TEST(VivanteCopy, WithoutRotationThePictureIsTheSame) {
    Machine m;
    m.ram.set_words(kSrcAt, {0xA, 0xB, 0xC});
    m.ram.set_words(kSrcAt + 32, {0xD, 0xE, 0xF});
    run_compared(m, base_block(8, 8, kCommandBlit)
                        .state(state::kSrcRotation, 3)
                        .state(state::kSrcRotationHeight, 2)
                        .state(state::kRotAngle, 0)
                        .draw({0, 0, 3, 2}));
    EXPECT_EQ(m.ram.words(kDstAt, 4), (Words{0xA, 0xB, 0xC, 0}));
    EXPECT_EQ(m.ram.words(kDstAt + 32, 4), (Words{0xD, 0xE, 0xF, 0}));
}

TEST(VivanteCopy, MaskedRotationWriteOfArmadaMeansNoRotation) {
    Machine m; /* sets source rotation 4, then 0 with a masked write */
    m.ram.set_words(kSrcAt, {0xA, 0xB, 0xC});
    m.ram.set_words(kSrcAt + 32, {0xD, 0xE, 0xF});
    run_compared(m, base_block(8, 8, kCommandBlit)
                        .state(state::kSrcRotation, 3)
                        .state(state::kSrcRotationHeight, 2)
                        .state(state::kRotAngle, 4)
                        .state(state::kRotAngle, 0xFFFFFCC0)
                        .draw({0, 0, 3, 2}));
    EXPECT_EQ(m.ram.words(kDstAt, 4), (Words{0xA, 0xB, 0xC, 0}));
    EXPECT_EQ(m.ram.words(kDstAt + 32, 4), (Words{0xD, 0xE, 0xF, 0}));
}

TEST(VivanteCopy, MaskedFieldsKeepTheirValue) {
    Machine m; /* the second write masks SRC and sets DST */
    run_compared(m, Stream().state(state::kRotAngle, 4).state(state::kRotAngle, 0x00000120));
    EXPECT_EQ(m.state(state::kRotAngle), 0x24u);
}

/* ---- Origins ------------------------------------------------------------ */

TEST(VivanteCopy, ClippingNeverMovesTheSource) {
    std::mt19937 random(2);
    for (bool relative : {false, true}) {
        Machine m;
        scribble(m, random, kSrcAt, 0x4000);
        expect_same_picture(m, {.dst = {kDstAt, 128},
                                .src = {kSrcAt, 128},
                                .clip = {5, 3, 9, 7},
                                .rects = {{2, 1, 20, 20}},
                                .origin_x = 3,
                                .origin_y = 2,
                                .relative = relative});
    }
}

TEST(VivanteCopy, PartlyNegativeDestinationKeepsTheSourceInStep) {
    std::mt19937 random(3);
    Machine m;
    scribble(m, random, kSrcAt, 0x4000);
    for (bool relative : {false, true}) {
        expect_same_picture(m, {.dst = {kDstAt, 128},
                                .src = {kSrcAt, 128},
                                .clip = {0, 0, 32, 32},
                                .rects = {{-7, -3, 9, 9}},
                                .origin_x = 8,
                                .origin_y = 8,
                                .relative = relative});
    }
}

TEST(VivanteCopy, NegativeSourceCoordinatesReadBeforeTheSurface) {
    std::mt19937 random(4);
    Machine m;
    scribble(m, random, kSrcAt, 0x8000);
    expect_same_picture(m, {.dst = {kDstAt, 128},
                            .src = {kSrcAt + 0x2000, 128},
                            .clip = {0, 0, 32, 32},
                            .rects = {{0, 0, 16, 16}},
                            .origin_x = -5,
                            .origin_y = -9});
}

TEST(VivanteCopy, SourceSizeAndStretchFactorsAreIgnored) {
    Machine m;
    m.ram.set_words(kSrcAt, count_up(1, 8));
    run_compared(m, base_block(8, 1, kCommandBlit)
                        .state(state::kSrcSize, 0x00010001)
                        .state(state::kStretchLow, 0x4000)
                        .state(state::kStretchHigh, 0x4000)
                        .draw({0, 0, 8, 1}));
    EXPECT_EQ(m.ram.words(kDstAt, 8), count_up(1, 8));
}

TEST(VivanteCopy, SourceStrideZeroRepeatsOneRow) {
    std::mt19937 random(5);
    Machine m;
    scribble(m, random, kSrcAt, 0x100);
    expect_same_picture(m, {.dst = {kDstAt, 64},
                            .src = {kSrcAt, 0},
                            .clip = {0, 0, 16, 16},
                            .rects = {{0, 0, 16, 16}}});
}

/* ---- Overlap ------------------------------------------------------------ */

RefDraw random_move(std::mt19937& random) {
    RefDraw d;
    const auto format = static_cast<uint32_t>(pick(random, 0, 6));
    d.dst = {kDstAt, 0x100, format, 0};
    d.src = d.dst;
    d.clip = {pick(random, 0, 8), pick(random, 0, 8), pick(random, 16, 60), pick(random, 16, 60)};
    d.relative = pick(random, 0, 1);
    for (int n = pick(random, 1, 3); n; n--) {
        const int x = pick(random, 0, 40);
        const int y = pick(random, 0, 40);
        d.rects.push_back({x, y, x + pick(random, 1, 24), y + pick(random, 1, 24)});
    }
    d.origin_x = pick(random, -8, 8);
    d.origin_y = pick(random, -8, 8);
    if (!d.relative) {
        d.origin_x += d.rects[0].left;
        d.origin_y += d.rects[0].top;
    }
    return d;
}

TEST(VivanteCopy, OverlappingCopiesBehaveLikeMemmove) {
    std::mt19937 random(6);
    Machine m;
    for (int i = 0; i < 600; i++) {
        scribble(m, random, kDstAt - 0x1000, 0x8000);
        expect_same_picture(m, random_move(random));
        if (testing::Test::HasFailure())
            FAIL() << "case " << i;
    }
}

TEST(VivanteCopy, OverlapThroughDifferentBaseAddressesBehavesLikeMemmove) {
    std::mt19937 random(7);
    Machine m;
    for (int i = 0; i < 300; i++) {
        scribble(m, random, kDstAt - 0x1000, 0x8000);
        RefDraw d = random_move(random);
        d.src.addr += static_cast<uint32_t>(pick(random, -40, 40) * 4);
        expect_same_picture(m, d);
        if (testing::Test::HasFailure())
            FAIL() << "case " << i;
    }
}

TEST(VivanteCopy, OverlappingCopiesInSmallSlicesBehaveLikeMemmove) {
    for (uint64_t draw_budget : {1, 33, 200, 1000}) {
        std::mt19937 random(8);
        Machine m({.budget = 2, .draw_budget = draw_budget});
        for (int i = 0; i < 60; i++) {
            scribble(m, random, kDstAt - 0x1000, 0x8000);
            expect_same_picture(m, random_move(random));
            if (testing::Test::HasFailure())
                FAIL() << "budget " << draw_budget << " case " << i;
        }
    }
}

TEST(VivanteCopy, OverlappingRopsReadEachPixelOnce) {
    std::mt19937 random(9);
    Machine m;
    for (int i = 0; i < 200; i++) {
        scribble(m, random, kDstAt - 0x1000, 0x8000);
        RefDraw d = random_move(random);
        d.dst.format = d.src.format = kA8R8G8B8;
        d.code = 0x66;
        expect_same_picture(m, d);
        if (testing::Test::HasFailure())
            FAIL() << "case " << i;
    }
}

TEST(VivanteCopy, OverlapWithDifferentFormatsRunsRowByRowFromTheTop) {
    std::mt19937 random(10);
    Machine m;
    for (int i = 0; i < 100; i++) {
        scribble(m, random, kDstAt - 0x1000, 0x8000);
        RefDraw d = random_move(random);
        d.dst.format = kR5G6B5;
        d.src.format = kA1R5G5B5;
        expect_same_picture(m, d);
        if (testing::Test::HasFailure())
            FAIL() << "case " << i;
    }
}

/* ---- Client sequences --------------------------------------------------- */

/* nano2D sends this blit before every flush. It must not cause an error. */
TEST(VivanteCopy, DummyBlitOfNano2dIsHarmless) {
    Machine m;
    run_compared(m, select_2d()
                        .states(state::kSrcAddress, {kSrcAt, 0x20, 0x10, 0x04000000, 0})
                        .states(state::kDestAddress, {kDstAt, 0x20, 0x10, 0x00002004})
                        .state(state::kRop, 0x0030CCCC)
                        .states(state::kClipTopLeft, {0, 0x00100002})
                        .state(state::kAlphaControl, 0)
                        .state(state::kRotAngle, 0x00000CC0)
                        .state(state::kColorMultiply, 0)
                        .state(state::kTransparency, 0)
                        .draw({0, 0, 1, 1})
                        .state(state::kFlushCache, 8));
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(m.counters().pixels, 1u);
}

/* xf86-video-armada sends this blit as a workaround for GC320 r5007. */
TEST(VivanteCopy, WorkaroundBlitOfArmadaIsHarmless) {
    Machine m;
    Stream s = select_2d()
                   .states(state::kSrcAddress, {kSrcAt, 64, 0, 0x03000043, 0xFFFF0000})
                   .states(state::kDestAddress, {kDstAt, 64, 0, 0x00002003})
                   .state(state::kAlphaControl, 0)
                   .states(state::kRop, {0x0030CCCC, 0x00010000, 0x00020001})
                   .states(state::kSrcRotationHeight, {0, 0xFFFFFCC0})
                   .draw({0, 1, 1, 2})
                   .state(state::kFlushCache, 8)
                   .sync();
    for (int i = 0; i < 20; i++)
        s.nop();
    run_compared(m, s);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

/* viv2d sets the format fields of both PE versions and clips to the whole destination. */
TEST(VivanteCopy, CopyOfViv2d) {
    std::mt19937 random(12);
    Machine m;
    scribble(m, random, kSrcAt, 0x1000);
    run_compared(m, select_2d()
                        .states(state::kSrcAddress, {kSrcAt, 0x80, 0, 0x05000005, 0x00020003})
                        .state(state::kSrcSize, 0x00040008)
                        .states(state::kDestAddress, {kDstAt, 0x80, 0, 0x00002005})
                        .state(state::kAlphaControl, 0)
                        .states(state::kRop, {0x0030CCCC, 0, 0x00200020})
                        .draw({1, 1, 9, 5})
                        .state(state::kFlushCache, 8));
    for (uint32_t y = 0; y < 4; y++) {
        EXPECT_EQ(m.ram.words(kDstAt + (y + 1) * 0x80 + 4, 8),
                  m.ram.words(kSrcAt + (y + 2) * 0x80 + 12, 8));
    }
}

/* ---- Memory ------------------------------------------------------------- */

RefDraw grain_case(int index) {
    RefDraw d{.dst = {0x8000, 0x94},
              .src = {0x4000, 0x74},
              .clip = {1, 1, 30, 20},
              .rects = {{0, 0, 18, 12}, {7, 9, 29, 22}},
              .origin_x = 2,
              .origin_y = 1};
    const uint32_t formats[] = {kA8R8G8B8, kR5G6B5, kA4R4G4B4, kX8R8G8B8};
    d.dst.format = formats[index % 4];
    d.src.format = formats[index / 4 % 4];
    d.code = index / 16 ? 0x6A : 0xCC;
    if (index / 16) {
        d.dst.format = kA8R8G8B8;
        d.src.format = index % 2 ? kA1R5G5B5 : kA8R8G8B8;
    }
    d.color = 0xC0FFEE11;
    return d;
}

TEST(VivanteCopy, TinyMappingsGiveTheSamePicture) {
    for (uint64_t grain : {1, 2, 3, 4, 6, 8, 31, 64, 100}) {
        std::mt19937 random(13);
        Machine m({.ram_size = 0x10000, .grain = grain});
        scribble(m, random, 0x4000, 0x4000);
        for (int i = 0; i < 20; i++) {
            expect_same_picture(m, grain_case(i));
            if (testing::Test::HasFailure())
                FAIL() << "grain " << grain << " case " << i;
        }
    }
}

TEST(VivanteCopy, OverlapInTinyMappingsGivesTheSamePicture) {
    for (uint64_t grain : {1, 4, 6, 64, 100}) {
        std::mt19937 random(14);
        Machine m({.ram_size = 0x10000, .grain = grain, .draw_budget = 500});
        for (int i = 0; i < 20; i++) {
            scribble(m, random, 0x4000, 0x8000);
            RefDraw d = random_move(random);
            d.dst.addr = d.src.addr = 0x8000;
            expect_same_picture(m, d);
            if (testing::Test::HasFailure())
                FAIL() << "grain " << grain << " case " << i;
        }
    }
}

/* host.h does not guarantee any alignment of mapped memory. */
TEST(VivanteCopy, UnalignedHostMemoryGivesTheSamePicture) {
    for (uint64_t skew : {1, 2, 3}) {
        std::mt19937 random(26);
        Machine m({.ram_size = 0x10000, .grain = 0x1000, .skew = skew});
        scribble(m, random, 0x4000, 0x4000);
        for (int i = 0; i < 20; i++)
            expect_same_picture(m, grain_case(i));
    }
}

/* Fails if the core keeps a host pointer between entry points, because that memory is freed. */
TEST(VivanteCopy, MovedHostMemoryGivesTheSamePicture) {
    std::mt19937 random(15);
    Machine m({.ram_size = 0x10000, .relocate = true, .budget = 7, .draw_budget = 150});
    scribble(m, random, 0x4000, 0x4000);
    for (int i = 0; i < 20; i++)
        expect_same_picture(m, grain_case(i));
}

TEST(VivanteCopy, EveryWrittenByteIsMarkedDirtyAndOnlyMappedForWriting) {
    std::mt19937 random(16);
    for (uint64_t grain : {0, 48}) {
        Machine m({.ram_size = 0x10000, .grain = grain, .audit = true, .draw_budget = 700});
        scribble(m, random, 0x4000, 0x4000);
        for (int i = 0; i < 20; i++)
            expect_same_picture(m, grain_case(i));
    }
}

TEST(VivanteCopy, RowsLongerThanAPageCopyWhole) {
    std::mt19937 random(17);
    Machine m;
    scribble(m, random, kSrcAt, 0x40000);
    expect_same_picture(m, {.dst = {kDstAt, 0x8000},
                            .src = {kSrcAt, 0x8000},
                            .clip = {0, 0, 0x2000, 8},
                            .rects = {{3, 0, 0x1FF0, 8}}});
}

/* ---- Page-scattered surfaces --------------------------------------------- */

constexpr uint32_t kTable = 0x1C0000; /* the PE's page table (MMU v1), after the pages */

/* Maps @count pages from @va_page on to shuffled pages from @first_page on. */
void scatter(Machine& m, uint32_t first_page, uint32_t count, uint32_t va_page) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t page = first_page + (i * 7 + 3) % count;
        m.ram.set_word(kTable + 4 * (va_page + i), page << 12);
    }
}

uint32_t physical(Machine& m, uint32_t va) {
    return (m.ram.word(kTable + 4 * ((va - 0x80000000u) >> 12)) & ~0xFFFu) | (va & 0xFFF);
}

TEST(VivanteCopy, ScatteredPagesGiveTheSamePictureAsContiguousOnes) {
    std::mt19937 random(18);
    Machine m;
    m.set(reg::kPageTablePe, kTable);
    scatter(m, 0x40, 16, 0);
    scatter(m, 0x80, 16, 16);
    for (int i = 0; i < 40; i++) {
        scribble(m, random, 0x40000, 0x10000);
        scribble(m, random, 0x80000, 0x10000);
        RefDraw d = random_move(random);
        d.dst = {0x122000, 0x1F4, static_cast<uint32_t>(pick(random, 0, 6)), 0};
        d.src = {0x102000, 0x1F4, static_cast<uint32_t>(pick(random, 0, 6)), 0};
        for (uint32_t at = 0; at < 0x10000; at += 4) { /* copies the pages to contiguous memory */
            m.ram.set_word(0x100000 + at, m.ram.word(physical(m, 0x80000000 + at)));
            m.ram.set_word(0x120000 + at, m.ram.word(physical(m, 0x80010000 + at)));
        }
        expect_same_picture(m, d);
        d.src.addr = 0x80002000;
        d.dst.addr = 0x80012000;
        m.run_stream(program(d), 10'000'000); /* the reference has no MMU */
        for (uint32_t at = 0; at < 0x10000; at += 4)
            ASSERT_EQ(m.ram.word(physical(m, 0x80010000 + at)), m.ram.word(0x120000 + at)) << at;
    }
}

TEST(VivanteCopy, OverlapInScatteredPagesBehavesLikeMemmove) {
    std::mt19937 random(19);
    Machine m;
    m.set(reg::kPageTablePe, kTable);
    scatter(m, 0x80, 16, 0);
    for (int i = 0; i < 60; i++) {
        scribble(m, random, 0x80000, 0x10000);
        for (uint32_t at = 0; at < 0x10000; at += 4)
            m.ram.set_word(0x120000 + at, m.ram.word(physical(m, 0x80000000 + at)));
        RefDraw d = random_move(random);
        d.dst.stride = d.src.stride = 0x1F4;
        d.dst.addr = d.src.addr = 0x122000;
        expect_same_picture(m, d);
        d.dst.addr = d.src.addr = 0x80002000;
        m.run_stream(program(d), 10'000'000); /* the reference has no MMU */
        for (uint32_t at = 0; at < 0x10000; at += 4)
            ASSERT_EQ(m.ram.word(physical(m, 0x80000000 + at)), m.ram.word(0x120000 + at))
                << "case " << i << " at " << at;
    }
}

} // namespace
} // namespace pixmill::test
