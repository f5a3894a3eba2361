/*
 * Clears and solid fills: PE 2.0 and PE 1.0, clipping, rectangle lists, and the programs of
 * libdrm's etnaviv_2d_test and the X drivers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../reference.hpp"
#include "../twin.hpp"

namespace pixmill::test {
namespace {

const char* const k2dModels[] = {"gc320-imx6",   "gc320-am57xx", "gc320-imx6qp",
                                 "gc320-imx8mm", "gc520-imx8mp", "gc620-th1520",
                                 "gc860-jz4770", "gc400-imx6sx", "gc1000-ls7a1000"};

Words row(Machine& m, uint32_t y, uint32_t width) {
    return m.ram.words(kDstAt + y * width * 4, width);
}

Words repeat(uint32_t value, size_t count) {
    return Words(count, value);
}

/* ---- Vectors ------------------------------------------------------------ */

TEST(VivanteFill, ClearCoversTheRectangleAndNothingElse) {
    for (const char* model : k2dModels) {
        Machine m(model);
        SCOPED_TRACE(model);
        run_compared(
            m,
            base_block(8, 4, kCommandClear).state(state::kClear32, 0xFF112233).draw({1, 1, 4, 3}));
        const uint32_t c = 0xFF112233;
        EXPECT_EQ(row(m, 0, 8), repeat(0, 8));
        EXPECT_EQ(row(m, 1, 8), (Words{0, c, c, c, 0, 0, 0, 0}));
        EXPECT_EQ(row(m, 2, 8), (Words{0, c, c, c, 0, 0, 0, 0}));
        EXPECT_EQ(row(m, 3, 8), repeat(0, 8));
    }
}

TEST(VivanteFill, ClipIsInclusiveTopLeftAndExclusiveBottomRight) {
    Machine m;
    run_compared(m, base_block(8, 4, kCommandClear)
                        .state(state::kClear32, 0xFF112233)
                        .state(state::kClipTopLeft, 0x00000002)
                        .state(state::kClipBottomRight, 0x00040003)
                        .draw({1, 1, 4, 3}));
    EXPECT_EQ(row(m, 1, 8), (Words{0, 0, 0xFF112233, 0, 0, 0, 0, 0}));
    EXPECT_EQ(row(m, 2, 8), (Words{0, 0, 0xFF112233, 0, 0, 0, 0, 0}));
    EXPECT_EQ(row(m, 0, 8), repeat(0, 8));
    EXPECT_EQ(row(m, 3, 8), repeat(0, 8));
}

/* Returns the 592 words that gen_cmd_stream() of libdrm's etnaviv_2d_test.c writes. */
Stream libdrm_program(uint32_t dest) {
    const struct {
        uint32_t addr, value;
    } states[] = {
        {0x1204, 0},    {0x1208, 0},          {0x120C, 0},          {0x1210, 0},
        {0x1214, 0},    {0x1218, 0},          {0x121C, 0},          {0x1220, 0},
        {0x1224, 0},    {0x1228, dest},       {0x122C, 0x400},      {0x1230, 0},
        {0x1234, 6},    {0x125C, 0x0030CCCC}, {0x1260, 0},          {0x1264, 0x01000100},
        {0x126C, 0},    {0x1278, 0},          {0x127C, 0},          {0x1280, 0},
        {0x12B4, 0},    {0x12B8, 0},          {0x12BC, 0},          {0x12C0, 0xFF40FF40},
        {0x1268, 0xFF}, {0x1270, 0xFF40FF40}, {0x1274, 0xFF40FF40}, {0x12C4, 0},
        {0x12C8, 0},    {0x12CC, 0},          {0x12D0, 0},          {0x12D4, 0},
        {0x12D8, 0},    {0x12E8, ~0u},        {0x12EC, ~0u},
    };
    Stream s;
    for (const auto& entry : states)
        s.raw({0x08010000 | entry.addr / 4, entry.value});
    s.raw({0x20000000, 0});
    for (uint32_t k = 0; k < 256; k++) {
        const uint32_t x = 8 * (k % 16);
        const uint32_t y = 8 * (k / 16);
        s.raw({y << 16 | x, (y + 4) << 16 | (x + 4)});
    }
    for (int i = 0; i < 3; i++)
        s.raw({0x08010000, 0});
    return s.raw({0x08010E03, 8});
}

void expect_libdrm_picture(const FakeMemory& ram, uint32_t dest) {
    for (uint32_t y = 0; y < 256; y++) {
        for (uint32_t x = 0; x < 256; x++) {
            const bool set = x < 128 && y < 128 && x % 8 < 4 && y % 8 < 4;
            ASSERT_EQ(ram.word(dest + y * 0x400 + x * 4), set ? 0xFF40FF40 : 0) << x << "," << y;
        }
    }
}

TEST(VivanteFill, LibdrmTestPaintsItsPicture) {
    ASSERT_EQ(libdrm_program(0).words().size(), 592u);
    for (const char* model : k2dModels) {
        SCOPED_TRACE(model);
        Machine m(model);
        run_compared(m, select_2d().add(libdrm_program(kDstAt)).event(0x41));
        expect_libdrm_picture(m.ram, kDstAt);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    }
}

TEST(VivanteFill, LibdrmTestPaintsItsPictureInPieces) {
    for (uint64_t draw_budget : {1, 16, 100, 4096}) {
        Machine m({.budget = 5, .draw_budget = draw_budget});
        run_compared(m, select_2d().add(libdrm_program(kDstAt)).event(0x41), 50'000'000);
        expect_libdrm_picture(m.ram, kDstAt);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    }
}

TEST(VivanteFill, ClearConvertsToTheDestinationFormat) {
    const struct {
        uint32_t format, color, expected, bytes;
    } rows[] = {
        {kR5G6B5, 0xFF123456, 0x11AA, 2},
        {kA1R5G5B5, 0x80123456, 0x88CA, 2},
        {kA4R4G4B4, 0x7F123456, 0x7135, 2},
        {kA8, 0x7F123456, 0x7F, 1},
    };
    for (const auto& r : rows) {
        Machine m;
        run_compared(m, base_block(8, 4, kCommandClear)
                            .state(state::kDestConfig, dest_config(r.format, kCommandClear))
                            .state(state::kDestStride, 32)
                            .state(state::kClear32, r.color)
                            .draw({0, 0, 1, 1}));
        EXPECT_EQ(m.ram.word(kDstAt), r.expected) << r.format;
    }
}

TEST(VivanteFill, Pe20IgnoresTheRegistersOfPe10) {
    Machine m; /* libdrm and armada write the registers of both PE versions */
    run_compared(m, base_block(8, 4, kCommandClear)
                        .state(state::kClearByteMask, 0)
                        .state(state::kClearLow, 0x11111111)
                        .state(state::kClearHigh, 0x22222222)
                        .state(state::kClear32, 0xFF112233)
                        .draw({0, 0, 2, 1}));
    EXPECT_EQ(m.ram.words(kDstAt, 3), (Words{0xFF112233, 0xFF112233, 0}));
}

/* ---- Rectangles --------------------------------------------------------- */

TEST(VivanteFill, EmptyAndInvertedRectanglesDrawNothing) {
    Machine m;
    Shadow before(m);
    run_compared(m, base_block(8, 4, kCommandClear)
                        .state(state::kClear32, ~0u)
                        .draw({{2, 0, 2, 1}, {4, 0, 2, 1}, {0, 2, 4, 2}, {0, 3, 4, 1}}));
    m.ram.fill(kStreamAt, 0, 0x1000);
    before.expect_equal(m);
    EXPECT_EQ(m.counters().pixels, 0u);
}

TEST(VivanteFill, CoordinatesAreSigned16Bit) {
    Machine m;
    run_compared(m, base_block(8, 1, kCommandClear).state(state::kClear32, 5).draw({-2, 0, 2, 1}));
    EXPECT_EQ(row(m, 0, 8), (Words{5, 5, 0, 0, 0, 0, 0, 0}));
}

TEST(VivanteFill, NegativeCoordinatesNeverReachMemory) {
    const Rect rects[] = {
        {-32768, -32768, 0, 0}, {-5, 0, 0, 8}, {0, -5, 8, 0}, {-32768, -32768, -32767, -32767}};
    for (const Rect& r : rects) {
        Machine m;
        Shadow before(m);
        run_compared(m, base_block(8, 8, kCommandClear).state(state::kClear32, ~0u).draw(r));
        m.ram.fill(kStreamAt, 0, 0x1000);
        before.expect_equal(m);
    }
}

TEST(VivanteFill, ClipLargerThanTheSurfaceIsTheGuestsContract) {
    Machine m; /* the draw is limited by the rectangle and the clip, not by the surface */
    RefDraw d{.clear = true,
              .dst = {kDstAt, 32},
              .clip = {0, 0, 100, 100},
              .rects = {{6, 2, 11, 4}},
              .color = 0xFF00FF00};
    expect_same_picture(m, d);
}

TEST(VivanteFill, UnprogrammedClipDrawsNothing) {
    Machine m;
    Shadow before(m);
    run_compared(m, select_2d()
                        .add(dest(kDstAt, 64, dest_config(kA8R8G8B8, kCommandClear)))
                        .state(state::kClear32, ~0u)
                        .draw({0, 0, 8, 8}));
    m.ram.fill(kStreamAt, 0, 0x1000);
    before.expect_equal(m);
}

TEST(VivanteFill, InvertedClipDrawsNothing) {
    const Rect clips[] = {{4, 0, 4, 8}, {5, 0, 4, 8}, {0, 4, 8, 4}, {0, 5, 8, 4}};
    for (const Rect& c : clips) {
        Machine m;
        Shadow before(m);
        run_compared(m, base_block(8, 8, kCommandClear)
                            .add(clip(c.left, c.top, c.right, c.bottom))
                            .state(state::kClear32, ~0u)
                            .draw({0, 0, 8, 8}));
        m.ram.fill(kStreamAt, 0, 0x1000);
        before.expect_equal(m);
    }
}

TEST(VivanteFill, CountZeroMeans256Rectangles) {
    Machine m;
    std::vector<Rect> rects;
    for (int i = 0; i < 256; i++)
        rects.push_back({i, i % 8, i + 1, i % 8 + 1});
    expect_same_picture(m, {.clear = true,
                            .dst = {kDstAt, 1024},
                            .clip = {0, 0, 256, 8},
                            .rects = rects,
                            .color = 0x12345678});
    EXPECT_EQ(m.counters().rectangles, 256u);
    EXPECT_EQ(m.counters().pixels, 256u);
    EXPECT_EQ(m.counters().draws, 1u);
}

TEST(VivanteFill, LaterRectanglesLieOnTop) {
    Machine m; /* XOR shows how often each pixel is drawn */
    expect_same_picture(m, {.dst = {kDstAt, 64},
                            .clip = {0, 0, 16, 16},
                            .rects = {{0, 0, 8, 8}, {4, 4, 12, 12}, {4, 4, 8, 8}},
                            .code = 0x5A,
                            .color = 0xFFFF00FF});
}

TEST(VivanteFill, StrideZeroMapsAllRowsToOne) {
    Machine m;
    expect_same_picture(m, {.clear = true,
                            .dst = {kDstAt, 0},
                            .clip = {0, 0, 16, 16},
                            .rects = {{2, 3, 9, 14}},
                            .color = 0xFF008800});
}

TEST(VivanteFill, AddressAndStrideLoseTheirLowBits) {
    Machine m;
    run_compared(m, base_block(8, 4, kCommandClear)
                        .state(state::kDestAddress, kDstAt + 3)
                        .state(state::kDestStride, 0xFFFC0000 | 35)
                        .state(state::kClear32, 7)
                        .draw({0, 0, 1, 2}));
    EXPECT_EQ(m.ram.word(kDstAt), 7u);
    EXPECT_EQ(m.ram.word(kDstAt + 32), 7u);
}

TEST(VivanteFill, HugeRectangleWithASmallClipIsCheap) {
    Machine m;
    std::vector<Rect> rects(256, Rect{-32768, -32768, 32767, 32767});
    expect_same_picture(m, {.clear = true,
                            .dst = {kDstAt, 64},
                            .clip = {3, 3, 9, 9},
                            .rects = rects,
                            .color = 0xFFAA5500});
    EXPECT_EQ(m.counters().pixels, 256u * 36);
}

TEST(VivanteFill, RandomClearsInEveryFormatMatchTheReference) {
    std::mt19937 random(1);
    Machine m;
    scribble(m, random, kDstAt, 0x10000);
    for (int i = 0; i < 400; i++) {
        RefDraw d{.clear = true, .dst = {kDstAt, 0x100}, .clip = {}};
        d.dst.format = static_cast<uint32_t>(pick(random, 0, 6));
        d.dst.swizzle = static_cast<uint32_t>(pick(random, 0, 3));
        d.dst.addr += static_cast<uint32_t>(pick(random, 0, 64)) * 4;
        d.clip = {pick(random, 0, 20), pick(random, 0, 20), pick(random, 10, 60),
                  pick(random, 10, 60)};
        for (int n = pick(random, 1, 5); n; n--) {
            const int x = pick(random, -10, 50);
            const int y = pick(random, -10, 50);
            d.rects.push_back({x, y, x + pick(random, -3, 40), y + pick(random, -3, 40)});
        }
        d.color = random();
        expect_same_picture(m, d);
        if (testing::Test::HasFailure())
            FAIL() << "case " << i;
    }
}

/* ---- Solid brush -------------------------------------------------------- */

TEST(VivanteFill, SolidXorBrushOfX11) {
    Machine m;
    m.ram.set_word(kDstAt, 0x0F0F0F0F);
    run_compared(m, base_block(8, 4, kCommandBlit)
                        .states(state::kPatternMaskLow, {~0u, ~0u, 0, 0xFF00FF00})
                        .state(state::kPatternConfig, 0x000000C0)
                        .state(state::kRop, 0x00305A5A)
                        .draw({0, 0, 1, 1}));
    EXPECT_EQ(m.ram.word(kDstAt), 0xF00FF00Fu);
}

TEST(VivanteFill, SolidBrushNeedsNoTrigger) {
    Machine m; /* a solid brush always has the current PATTERN_FG */
    run_compared(m, base_block(8, 4, kCommandBlit)
                        .state(state::kPatternConfig, 0)
                        .state(state::kPatternFg, 0x11223344)
                        .state(state::kRop, rop4(0xF0))
                        .draw({0, 0, 1, 1})
                        .state(state::kPatternFg, 0x55667788)
                        .draw({1, 0, 2, 1}));
    EXPECT_EQ(m.ram.words(kDstAt, 3), (Words{0x11223344, 0x55667788, 0}));
}

TEST(VivanteFill, BrushIsConvertedToTheDestinationFormat) {
    for (uint32_t format = 0; format <= 6; format++) {
        Machine m;
        expect_same_picture(m, {.dst = {kDstAt, 64, format, 1},
                                .clip = {0, 0, 16, 16},
                                .rects = {{0, 0, 3, 3}},
                                .code = 0xF0,
                                .color = 0xFF5A3C96});
    }
}

/* All states that xf86-video-armada's FillRect writes on a GC320, in its order. */
TEST(VivanteFill, ArmadaFillRect) {
    Machine m;
    run_compared(m, select_2d()
                        .states(state::kDestAddress, {kDstAt, 0x40, 0, 0x2004})
                        .state(state::kAlphaControl, 0)
                        .states(state::kPatternMaskLow, {~0u, ~0u, 0, 0xFF884422})
                        .state(state::kPatternConfig, 0xC0)
                        .states(state::kRop, {0x0030F0F0, 0, 0x00080010})
                        .states(state::kSrcRotationHeight, {0, 0xFFFFFCC0})
                        .draw({{0, 0, 2, 1}, {4, 2, 6, 3}})
                        .state(4, 0)
                        .state(4, 0)
                        .state(4, 0)
                        .state(state::kFlushCache, 8)
                        .sync());
    EXPECT_EQ(m.ram.words(kDstAt, 2), (Words{0x8A248A24, 0}));
    EXPECT_EQ(m.ram.word(kDstAt + 2 * 0x40 + 8), 0x8A248A24u);
}

/* A draw uses the current states and does not change them. */
TEST(VivanteFill, StatesPersistFromDrawToDraw) {
    Machine m;
    run_compared(m, base_block(8, 4, kCommandClear)
                        .state(state::kClear32, 9)
                        .draw({0, 0, 1, 1})
                        .draw({1, 1, 2, 2}));
    EXPECT_EQ(m.ram.word(kDstAt), 9u);
    EXPECT_EQ(m.ram.word(kDstAt + 32 + 4), 9u);
    m.run_stream(Stream().draw({2, 2, 3, 3}));
    EXPECT_EQ(m.ram.word(kDstAt + 64 + 8), 9u);
}

TEST(VivanteFill, EventFollowsTheLastPixelOfADraw) {
    Machine m({.budget = 3, .draw_budget = 64});
    m.set(reg::kIntrEnable, ~0u);
    m.put_stream(kStreamAt, base_block(64, 64, kCommandClear)
                                .state(state::kClear32, ~0u)
                                .draw({0, 0, 64, 64})
                                .state(state::kFlushCache, 8)
                                .event(0x41)
                                .end());
    m.start(kStreamAt, 200);
    while (!m.host.irq && m.step(m.host.now + 1'000'000)) {
    }
    ASSERT_TRUE(m.host.irq);
    EXPECT_EQ(m.ram.words(kDstAt, 64 * 64), repeat(~0u, 64 * 64));
}

TEST(VivanteFill, EnginesAreBusyWhileADrawIsOutstanding) {
    Machine m;
    m.put_stream(kStreamAt, base_block(64, 64, kCommandClear).draw({0, 0, 64, 64}).end());
    m.start(kStreamAt, 200);
    ASSERT_TRUE(m.go_to_draw());
    EXPECT_EQ(m.get(reg::kIdle) & 7, 0u) << "FE, DE and PE";
    EXPECT_EQ(m.get(reg::kIdle) & 0xFF8, 0xFF8u);
    EXPECT_EQ(m.get(reg::kClock) & 0x70000, 0u);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteFill, DrawWithoutAPreparedDrawIsANop) {
    Machine m;
    Shadow before(m);
    m.draw(1 << 20);
    before.expect_equal(m);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteFill, EveryWrittenByteIsMarkedDirty) {
    Machine m({.ram_size = 0x20000, .audit = true, .draw_budget = 300});
    m.put_stream(kStreamAt, select_2d()
                                .add(dest(0x10000, 0x100, dest_config(kA8R8G8B8, kCommandClear)))
                                .add(clip(0, 0, 64, 64))
                                .state(state::kRop, rop4(0xCC))
                                .state(state::kClear32, 0x01020304)
                                .draw({{1, 1, 30, 20}, {40, 5, 41, 60}})
                                .end());
    m.start(kStreamAt, 100);
    m.go();
    EXPECT_EQ(m.ram.word(0x10000 + 0x100 + 4), 0x01020304u);
}

} // namespace
} // namespace pixmill::test
