/*
 * Pixel formats and raster operations of bit blits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../reference.hpp"
#include "../twin.hpp"

namespace pixmill::test {
namespace {

/* ---- Formats ------------------------------------------------------------ */

uint32_t convert(uint32_t from, uint32_t from_swizzle, uint32_t to, uint32_t to_swizzle,
                 uint32_t raw) {
    Machine m;
    m.ram.set_word(kSrcAt, raw);
    run_compared(m, select_2d()
                        .add(source(kSrcAt, 64, src_config(from, from_swizzle)))
                        .add(dest(kDstAt, 64, dest_config(to, kCommandBlit, to_swizzle)))
                        .state(state::kRop, rop4(0xCC))
                        .add(clip(0, 0, 1, 1))
                        .draw({0, 0, 1, 1}));
    return m.ram.word(kDstAt);
}

TEST(VivanteFormats, NarrowChannelsExpandByReplication) {
    const struct {
        uint32_t format, raw, expected;
    } rows[] = {
        {kR5G6B5, 0xF81F, 0xFFFF00FF},   {kR5G6B5, 0x8410, 0xFF848284},
        {kA1R5G5B5, 0xFC00, 0xFFFF0000}, {kA1R5G5B5, 0x7C00, 0x00FF0000},
        {kA4R4G4B4, 0x8F0A, 0x88FF00AA}, {kX4R4G4B4, 0x8F0A, 0xFFFF00AA},
        {kX1R5G5B5, 0x7C00, 0xFFFF0000}, {kX8R8G8B8, 0x12345678, 0xFF345678},
    };
    for (const auto& row : rows)
        EXPECT_EQ(convert(row.format, 0, kA8R8G8B8, 0, row.raw), row.expected)
            << std::hex << row.raw;
}

TEST(VivanteFormats, DestinationSwizzles) {
    const uint32_t argb8888[] = {0x11223344, 0x22334411, 0x11443322, 0x44332211};
    const uint32_t argb4444[] = {0x1234, 0x2341, 0x1432, 0x4321};
    const uint32_t argb1555[] = {0xFC00, 0xF801, 0x801F, 0x003F};
    for (uint32_t s = 0; s < 4; s++) {
        EXPECT_EQ(convert(kA8R8G8B8, 0, kA8R8G8B8, s, 0x11223344), argb8888[s]) << s;
        EXPECT_EQ(convert(kA8R8G8B8, 0, kA4R4G4B4, s, 0x11223344), argb4444[s]) << s;
        EXPECT_EQ(convert(kA8R8G8B8, 0, kA1R5G5B5, s, 0x80FF0000), argb1555[s]) << s;
    }
}

TEST(VivanteFormats, SourceSwizzleAbgr) {
    EXPECT_EQ(convert(kA8R8G8B8, 2, kA8R8G8B8, 0, 0xFFC86428), 0xFF2864C8u);
}

TEST(VivanteFormats, UnusedBitsCarryTheTopOfAlpha) {
    EXPECT_EQ(convert(kA8R8G8B8, 0, kX8R8G8B8, 0, 0x5A112233), 0x5A112233u);
    EXPECT_EQ(convert(kA8R8G8B8, 0, kX4R4G4B4, 0, 0x5A112233), 0x5123u);
    EXPECT_EQ(convert(kA8R8G8B8, 0, kX1R5G5B5, 0, 0x80000000), 0x8000u);
    EXPECT_EQ(convert(kA8R8G8B8, 0, kX1R5G5B5, 0, 0x7F000000), 0u);
    EXPECT_EQ(convert(kX8R8G8B8, 0, kX8R8G8B8, 0, 0x12345678), 0x12345678u) << "a raw copy";
}

class VivanteFormatPairs : public testing::TestWithParam<uint32_t> {};

TEST_P(VivanteFormatPairs, EverySwizzleOfEveryDestinationMatchesTheReference) {
    const uint32_t from = GetParam();
    std::mt19937 random(from);
    Machine m;
    scribble(m, random, kSrcAt, 0x1000);
    for (uint32_t i = 0; i < 4 * 7 * 4; i++) {
        const uint32_t to = i / 4 % 7;
        expect_same_picture(m, {.dst = {kDstAt, 0x80, to, i % 4},
                                .src = {kSrcAt, 0x80, from, i / 28},
                                .clip = {0, 0, 30, 16},
                                .rects = {{1, 0, 30, 16}},
                                .origin_x = pick(random, 0, 2)});
        if (testing::Test::HasFailure())
            FAIL() << "to " << to << " swizzles " << i / 28 << " " << i % 4;
    }
}

INSTANTIATE_TEST_SUITE_P(Sources, VivanteFormatPairs, testing::Range(0u, 7u));

TEST(VivanteFormats, UndefinedSourceFormatReadsZeroAndIsLogged) {
    for (uint32_t format : {0x0Bu, 0x0Cu, 0x0Eu, 0x14u, 0x1Fu}) {
        Machine m;
        m.ram.set_word(kSrcAt, 0xFFFFFFFF);
        m.ram.set_word(kDstAt, 0x77777777);
        run_compared(m, select_2d()
                            .add(source(kSrcAt, 64, format << 24))
                            .add(dest(kDstAt, 64, dest_config(kA8R8G8B8, kCommandBlit)))
                            .state(state::kRop, rop4(0xCC))
                            .add(clip(0, 0, 1, 1))
                            .draw({0, 0, 1, 1}));
        EXPECT_EQ(m.ram.word(kDstAt), 0u) << format;
        EXPECT_EQ(m.guest_errors() + m.unimplemented(), 1u) << format;
    }
}

TEST(VivanteFormats, UndefinedSourceFormatDoesNotMatterWhenTheRopNeedsNoSource) {
    Machine m;
    m.ram.set_word(kDstAt, 0x77777777);
    run_compared(m, select_2d()
                        .add(source(kSrcAt, 64, 0x0B000000))
                        .add(dest(kDstAt, 64, dest_config(kA8R8G8B8, kCommandBlit)))
                        .state(state::kRop, rop4(0x55))
                        .add(clip(0, 0, 1, 1))
                        .draw({0, 0, 1, 1}));
    m.allow_logs();
    EXPECT_EQ(m.ram.word(kDstAt), 0x88888888u);
}

/* ---- Raster operations -------------------------------------------------- */

uint32_t one_rop(uint32_t rop_state) {
    Machine m;
    m.ram.set_word(kDstAt, 0x0F0F0F0F);
    m.ram.set_word(kSrcAt, 0x33333333);
    run_compared(m, base_block(8, 4, kCommandBlit)
                        .state(state::kPatternConfig, 0)
                        .state(state::kPatternFg, 0x55555555)
                        .state(state::kRop, rop_state)
                        .draw({0, 0, 1, 1}));
    return m.ram.word(kDstAt);
}

TEST(VivanteRop, OperandPositions) {
    const struct {
        uint32_t code, result;
    } rows[] = {
        {0xAA, 0x0F0F0F0F}, {0xCC, 0x33333333}, {0xF0, 0x55555555}, {0x55, 0xF0F0F0F0},
        {0xCA, 0x1B1B1B1B}, {0x66, 0x3C3C3C3C}, {0x88, 0x03030303}, {0xEE, 0x3F3F3F3F},
        {0x33, 0xCCCCCCCC}, {0x00, 0x00000000}, {0x5A, 0x5A5A5A5A}, {0xB8, 0x47474747},
        {0xE2, 0x1D1D1D1D}, {0x0F, 0xAAAAAAAA}, {0xFF, 0xFFFFFFFF},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(one_rop(0x00200000 | row.code), row.result) << "ROP3 " << std::hex << row.code;
        EXPECT_EQ(one_rop(rop4(row.code)), row.result) << "ROP4 " << std::hex << row.code;
    }
}

TEST(VivanteRop, Rop2Types) {
    EXPECT_EQ(one_rop(0x00100006), 0x3C3C3C3Cu); /* combines source and destination */
    EXPECT_EQ(one_rop(0x00000006), 0x5A5A5A5Au); /* combines pattern and destination */
    EXPECT_EQ(one_rop(0x001000FC), 0x33333333u) << "only the low four bits count";
    EXPECT_EQ(one_rop(0x000000FC), 0x55555555u);
}

TEST(VivanteRop, All256CodesMatchTheTruthTable) {
    for (uint32_t code = 0; code < 256; code++) {
        const uint32_t expected = rop3(code, 0x0F0F0F0F, 0x33333333, 0x55555555);
        ASSERT_EQ(one_rop(0x00200000 | code), expected) << std::hex << code;
        ASSERT_EQ(one_rop(rop4(code)), expected) << std::hex << code;
    }
}

TEST(VivanteRop, UnusedSourceIsNotFetched) {
    for (uint32_t code : {0xAAu, 0x55u, 0xF0u, 0x5Au, 0x00u, 0xFFu, 0xA0u, 0x0Fu}) {
        Machine m; /* reading SRC_ADDRESS would be a bus error */
        m.ram.set_word(kDstAt, 0x12345678);
        run_compared(m, base_block(8, 4, kCommandBlit)
                            .state(state::kSrcAddress, 0x40000000)
                            .state(state::kPatternFg, 0xFFFF0000)
                            .state(state::kRop, rop4(code))
                            .draw({0, 0, 1, 1}));
        EXPECT_EQ(m.ram.word(kDstAt), rop3(code, 0x12345678, 0, 0xFFFF0000)) << std::hex << code;
        EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    }
}

TEST(VivanteRop, ClearIgnoresTheRop) {
    for (uint32_t code : {0x00u, 0xAAu, 0xF0u, 0xFFu}) {
        Machine m;
        run_compared(m, base_block(8, 4, kCommandClear)
                            .state(state::kRop, rop4(code))
                            .state(state::kClear32, 0x12345678)
                            .draw({0, 0, 1, 1}));
        EXPECT_EQ(m.ram.word(kDstAt), 0x12345678u) << std::hex << code;
    }
}

TEST(VivanteRop, RandomRopsInRandomFormatsMatchTheReference) {
    const uint32_t formats[] = {kA4R4G4B4, kA1R5G5B5, kR5G6B5, kA8R8G8B8};
    std::mt19937 random(11);
    Machine m;
    scribble(m, random, kSrcAt, 0x10000);
    scribble(m, random, kDstAt, 0x10000);
    for (int i = 0; i < 600; i++) {
        RefDraw d{.dst = {kDstAt, 0x100}, .src = {kSrcAt, 0xC0}};
        d.dst.format = formats[pick(random, 0, 3)];
        d.dst.swizzle = static_cast<uint32_t>(pick(random, 0, 3));
        d.src.format = formats[pick(random, 0, 3)];
        d.src.swizzle = static_cast<uint32_t>(pick(random, 0, 3));
        d.clip = {pick(random, 0, 9), pick(random, 0, 9), pick(random, 10, 50), 40};
        d.rects = {{pick(random, -9, 9), pick(random, -9, 9), 45, 30}, {20, 20, 48, 39}};
        d.code = random() & 0xFF;
        d.rop3 = random() & 1;
        d.origin_x = pick(random, 0, 9);
        d.origin_y = pick(random, 10, 19);
        d.relative = random() & 1;
        d.color = random();
        expect_same_picture(m, d);
        if (testing::Test::HasFailure())
            FAIL() << "case " << i << " code " << std::hex << d.code;
    }
}

} // namespace
} // namespace pixmill::test
