/*
 * Invalid draws, and draws that the model does not implement.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * State: rnndb state_2d.xml.  The engine's only bounds are the rectangle and the clip, and it
 * writes every pixel in both.  Each cause must be logged once, and QEMU must survive.
 */
#include <gtest/gtest.h>

#include <chrono>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kColor = 0xFF112233;

Commands clear(uint32_t width, uint32_t height) {
    return base_block(width, height, command::kClear).load(state::kClearPixel, kColor);
}

Words row(size_t width, size_t from, size_t to, uint32_t color = kColor) {
    Words words(width);
    for (size_t x = from; x < to; ++x) {
        words[x] = color;
    }
    return words;
}

TEST(BadClip, ThatIsEmptyOrInvertedDrawsNothing) {
    for (const auto& [top_left, bottom_right] :
         {std::pair{point(4, 0), point(4, 4)}, std::pair{point(0, 2), point(8, 2)},
          std::pair{point(6, 0), point(2, 4)}, std::pair{point(0, 3), point(8, 1)}}) {
        Rig rig;
        Buffer dest(rig, kDest, Words(8 * 4));
        rig.run(clear(8, 4)
                    .load(state::kClipTopLeft, Words{top_left, bottom_right})
                    .draw({{0, 0, 8, 4}})
                    .end());
        EXPECT_TRUE(dest.unchanged());
    }
}

TEST(BadClip, ThatWasNeverSetDrawsNothing) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(Commands{}
                .select_2d()
                .load(state::kDestAddress, Words{kDest, 32, 0, 0x00000006})
                .load(state::kClearPixel, kColor)
                .draw({{0, 0, 8, 1}})
                .end());
    EXPECT_TRUE(dest.unchanged());
}

TEST(BadRectangle, OfMaximumSizeIsCutToTheClip) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8 * 4));
    rig.run(clear(8, 4)
                .load(state::kClipTopLeft, Words{point(3, 1), point(5, 3)})
                .draw({{-32768, -32768, 32767, 32767}})
                .end());
    Words expected(8 * 4);
    for (const size_t i : {11u, 12u, 19u, 20u}) {
        expected[i] = kColor;
    }
    EXPECT_TRUE(dest.holds(expected));
    EXPECT_EQ(rig.counter("stat-pixels"), 4u);
}

TEST(BadRectangle, OfMaximumSizeStillPlacesItsSource) {
    Rig rig;
    Words pixels(8 * 4);
    for (size_t i = 0; i < pixels.size(); ++i) {
        pixels[i] = 0x100 + static_cast<uint32_t>(i);
    }
    Buffer source(rig, kSource, pixels);
    Buffer dest(rig, kDest, Words(8 * 4));
    rig.run(base_block(8, 4, command::kBitBlt)
                .load(state::kClipTopLeft, Words{point(2, 1), point(4, 2)})
                .draw({{0, 0, 32767, 32767}})
                .end());
    Words expected(8 * 4);
    expected[10] = 0x10A;
    expected[11] = 0x10B;
    EXPECT_TRUE(dest.holds(expected));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST(BadRectangle, WithAllCoordinatesNegativeDrawsNothing) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(8, 1).draw({{-5, -5, -1, -1}, {-32768, 0, -1, 1}, {0, -10, 8, 0}}).end());
    EXPECT_TRUE(dest.unchanged());
}

TEST(BadSurface, WithStrideZeroMapsAllRowsToTheFirst) {
    Rig rig;
    Buffer source(rig, kSource, Words{1, 2, 3, 4, 5, 6});
    Buffer dest(rig, kDest, Words(4));
    rig.run(
        base_block(2, 3, command::kBitBlt).load(state::kDestStride, 0).draw({{0, 0, 2, 3}}).end());
    EXPECT_TRUE(dest.holds(Words{5, 6, 0, 0})) << "the last row wins";
}

TEST(BadSurface, LosesStrideBitsThatTheRegisterDoesNotHave) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8 * 2));
    rig.run(clear(8, 2).load(state::kDestStride, 0xFFFC0000 | 32 | 3).draw({{0, 1, 8, 2}}).end());
    Words expected(8);
    const Words second = row(8, 0, 8);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_TRUE(dest.holds(expected));
}

TEST(BadSurface, LosesTheLowAddressBits) {
    for (uint32_t low = 1; low < 4; ++low) {
        Rig rig;
        Buffer source(rig, kSource, Words{7, 8, 9, 10});
        Buffer dest(rig, kDest, Words(4));
        rig.run(base_block(4, 1, command::kBitBlt, kDest | low, kSource | low)
                    .draw({{1, 0, 3, 1}})
                    .end());
        EXPECT_TRUE(dest.holds(Words{0, 7, 8, 0}));
    }
}

/* The guest is responsible for the clip, so a row may run into the next one. */
TEST(BadSurface, WithRowsShorterThanTheRectangleIsWrittenPixelByPixel) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(4, 2).load(state::kDestStride, 8).draw({{0, 0, 4, 2}}).end());
    EXPECT_TRUE(dest.holds(row(8, 0, 6)));
}

class UnwritableFormat : public testing::TestWithParam<uint32_t> {};

TEST_P(UnwritableFormat, OfTheDestinationDrawsNothingAndIsLoggedOnce) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(8, 1)
                .load(state::kDestConfig, dest_config(command::kClear, GetParam()))
                .draw({{0, 0, 8, 1}})
                .draw({{0, 0, 8, 1}})
                .event(1, kEventFromPe)
                .end());
    EXPECT_TRUE(dest.unchanged());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

/* INDEX8, MONOCHROME, and two values that have no name on a GC320 */
INSTANTIATE_TEST_SUITE_P(Format, UnwritableFormat, testing::Values(0x09, 0x0A, 0x1F, 0x1C));

class UndefinedFormat : public testing::TestWithParam<uint32_t> {};

TEST_P(UndefinedFormat, OfTheSourceReadsAsZeroAndIsLoggedOnce) {
    Rig rig;
    Buffer source(rig, kSource, Words(8, 0x12345678));
    Buffer dest(rig, kDest, Words(8, 0x0F0F0F0F));
    rig.run(base_block(8, 1, command::kBitBlt)
                .load(state::kSrcConfig, src_config(GetParam()))
                .draw({{0, 0, 4, 1}})
                .draw({{4, 0, 6, 1}})
                .end());
    EXPECT_TRUE(dest.holds(Words{0, 0, 0, 0, 0, 0, 0x0F0F0F0F, 0x0F0F0F0F}));
    EXPECT_TRUE(logged(rig, 1));
}

TEST_P(UndefinedFormat, OfASourceThatIsNotUsedDoesNotMatter) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8, 0x0F0F0F0F));
    rig.run(base_block(8, 1, command::kBitBlt)
                .load(state::kSrcConfig, src_config(GetParam()))
                .load(state::kRop, 0x00305555)
                .draw({{0, 0, 4, 1}})
                .end());
    const uint32_t inverted = ~0x0F0F0F0Fu;
    EXPECT_TRUE(dest.holds(Words{inverted, inverted, inverted, inverted, 0x0F0F0F0F, 0x0F0F0F0F,
                                 0x0F0F0F0F, 0x0F0F0F0F}));
}

INSTANTIATE_TEST_SUITE_P(Format, UndefinedFormat, testing::Values(0x0B, 0x0C, 0x0D, 0x0E, 0x1F));

TEST(BadSource, LeftOfTheSurfaceIsTheMemoryThere) {
    Rig rig;
    Buffer source(rig, kSource, Words{1, 2, 3, 4});
    rig.qemu().write_words(kSource - 8, Words{0xAAAA0001, 0xAAAA0002});
    Buffer dest(rig, kDest, Words(4));
    rig.run(base_block(4, 1, command::kBitBlt)
                .load(state::kSrcOrigin, point(-2, 0))
                .draw({{0, 0, 4, 1}})
                .end());
    EXPECT_TRUE(dest.holds(Words{0xAAAA0001, 0xAAAA0002, 1, 2}));
}

TEST(BadSource, WithoutMemoryReadsAsZeroAndTheDrawContinues) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8, 0x0F0F0F0F));
    rig.run(base_block(8, 1, command::kBitBlt, kDest, kNoRam)
                .draw({{1, 0, 4, 1}})
                .event(1, kEventFromPe)
                .end());
    EXPECT_TRUE(
        dest.holds(Words{0x0F0F0F0F, 0, 0, 0, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F}));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 2u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadDraw, WhileThe3dPipeIsSelectedIsIgnoredAndLoggedOnce) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(Commands{}
                .load(state::kDestAddress, Words{kDest, 32, 0, 0x00000006})
                .load(state::kClipTopLeft, Words{0, point(8, 1)})
                .load(state::kClearPixel, kColor)
                .draw({{0, 0, 8, 1}})
                .draw({{0, 0, 8, 1}})
                .event(1, kEventFromPe)
                .end());
    EXPECT_TRUE(dest.unchanged());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadDraw, SelectingAPipeThatTheCoreLacksIsStoredAndLoggedOnce) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(Commands{}.select_2d().load(state::kPipeSelect, 0).load(state::kPipeSelect, 0).end());
    EXPECT_TRUE(logged(rig, 1));
    rig.run(Commands{}
                .load(state::kDestAddress, Words{kDest, 32, 0, 0x00000006})
                .load(state::kClipTopLeft, Words{0, point(8, 1)})
                .draw({{0, 0, 8, 1}})
                .end());
    EXPECT_TRUE(dest.unchanged());
}

TEST(BadDraw, StateIsStoredWhicheverPipeIsSelected) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(8, 1)
                .load(state::kPipeSelect, 0)
                .load(state::kClearPixel, 0x01020304)
                .load(state::kPipeSelect, 1)
                .draw({{0, 0, 8, 1}})
                .end());
    EXPECT_TRUE(dest.holds(row(8, 0, 8, 0x01020304)));
}

class UndefinedCommand : public testing::TestWithParam<uint32_t> {};

TEST_P(UndefinedCommand, DrawsNothingAndIsLoggedOnce) {
    Rig rig;
    Buffer source(rig, kSource, Words(8, 0x12345678));
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(8, 1)
                .load(state::kDestConfig, dest_config(GetParam() << 12, format::kA8R8G8B8))
                .draw({{0, 0, 8, 1}})
                .draw({{0, 0, 8, 1}})
                .event(1, kEventFromPe)
                .end());
    EXPECT_TRUE(dest.unchanged());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(logged(rig, 1));
}

INSTANTIATE_TEST_SUITE_P(Command, UndefinedCommand, testing::Values(3, 9, 10, 11, 12, 13, 14, 15));

/* Filter blits are started by a state, not by DRAW_2D. */
TEST(BadDraw, OfAFilterBlitDrawsNothing) {
    for (const uint32_t command : {5u, 6u, 7u}) {
        Rig rig;
        Buffer dest(rig, kDest, Words(8));
        rig.run(clear(8, 1)
                    .load(state::kDestConfig, dest_config(command << 12, format::kA8R8G8B8))
                    .draw({{0, 0, 8, 1}})
                    .end());
        EXPECT_TRUE(dest.unchanged());
    }
}

TEST(BadDraw, SkipsUnusedDataWords) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    Commands stream = clear(8, 1);
    stream.draw({{0, 0, 2, 1}}, 3).raw({0, 0, 0, kPad}); /* zeros would be illegal opcodes */
    rig.run(stream.event(1, kEventFromPe).end());
    EXPECT_TRUE(dest.holds(row(8, 0, 2)));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

/* Draws 256 rectangles of 2^30 pixels each. */
TEST(HugeDraw, CanBeInterruptedByASoftReset) {
    for (const bool threaded : {false, true}) {
        Rig rig(RigOptions{.threaded = threaded});
        const Commands stream = Commands{}
                                    .select_2d()
                                    .load(state::kDestAddress, Words{kDest, 0, 0, 0x00000006})
                                    .load(state::kClipTopLeft, Words{0, point(32767, 32767)})
                                    .load(state::kClearPixel, kColor)
                                    .draw(std::vector<Rect>(256, Rect{0, 0, 32767, 32767}))
                                    .event(1, kEventFromPe)
                                    .end();
        const auto start = std::chrono::steady_clock::now();
        rig.store(kStream, stream);
        rig.gc().start(kStream, stream.qwords());
        for (int i = 0; i < 5; ++i) {
            rig.pass(100 * kMicrosecond);
            EXPECT_NE(rig.read(reg::kIdle), kStopped);
        }
        rig.gc().driver_reset();
        EXPECT_EQ(rig.read(reg::kIdle), kStopped);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        std::cout << "interrupted after " << spent.count() << " s\n";
        EXPECT_LT(spent.count(), 10.0);
        rig.qemu().fill(kDest, 4096, 0);
        rig.pass(10 * kMillisecond);
        EXPECT_EQ(rig.qemu().read_words(kDest, 1024), Words(1024))
            << "the core must not draw after the reset";
        rig.run(Commands{}.event(2, kEventFromPe).end());
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    }
}

/* ---- One draw of each kind --------------------------------------------------------- */

struct Operation {
    const char* name;
    Words source;
    Words dest;
    std::vector<std::pair<uint32_t, Words>> states;
    std::vector<Rect> rects;
    Words data; /* words that follow the rectangles in the stream */
    Words expected;
};

void PrintTo(const Operation& p, std::ostream* out) {
    *out << p.name;
}

class Operations : public testing::TestWithParam<Operation> {};

TEST_P(Operations, AreRight) {
    const Operation& p = GetParam();
    Rig rig;
    const auto width = static_cast<uint32_t>(p.dest.size());
    Buffer source(rig, kSource, p.source);
    Buffer dest(rig, kDest, p.dest);
    Commands stream = base_block(width, 1, command::kBitBlt);
    for (const auto& [address, values] : p.states) {
        stream.load(address, values);
    }
    if (!p.rects.empty()) {
        stream.draw(p.rects, static_cast<uint32_t>(p.data.size()));
        for (const uint32_t word : p.data) {
            stream.raw({word});
        }
        if (p.data.size() % 2 != 0) {
            stream.raw({kPad});
        }
    }
    rig.run(stream.event(1, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(dest.holds(p.expected));
    EXPECT_TRUE(logged(rig, 0));
}

constexpr uint32_t kF = 0xFFFFFFFF;

INSTANTIATE_TEST_SUITE_P(
    Of2d, Operations,
    testing::Values(Operation{"Line",
                              Words(8),
                              Words(8),
                              {{state::kDestConfig, {0x00001006}},
                               {state::kRop, {0x0030F0F0}},
                               {state::kPatternFg, {kColor}},
                               {state::kPatternConfig, {0xC0}}},
                              {{0, 0, 4, 0}},
                              {},
                              {kColor, kColor, kColor, kColor, 0, 0, 0, 0}},
                    Operation{"StretchBlit",
                              {0, 1, 2, 3, 4, 5, 6, 7},
                              Words(16, kF),
                              {{state::kDestConfig, {0x00004006}}, {state::kSrcSize, {0x00010004}}},
                              {{0, 0, 8, 1}},
                              {},
                              {0, 0, 1, 1, 2, 2, 3, 3, kF, kF, kF, kF, kF, kF, kF, kF}},
                    Operation{"MonochromeStream",
                              Words(8),
                              Words(8),
                              {{state::kSrcConfig, {0x0A003100}},
                               {state::kSrcColorFg, {kF}},
                               {state::kSrcColorBg, {0xFF000000}}},
                              {{0, 0, 4, 1}},
                              {0x000000A0},
                              {kF, 0xFF000000, kF, 0xFF000000, 0, 0, 0, 0}},
                    Operation{"FlipX",
                              {1, 2, 3, 4},
                              Words(4),
                              {{state::kSrcRotation, {4}},
                               {state::kSrcRotationHeight, {1}},
                               {state::kRotAngle, {1}}},
                              {{0, 0, 4, 1}},
                              {},
                              {4, 3, 2, 1}},
                    Operation{"BlendSourceOver",
                              {0x80402010, 0, 0, 0},
                              Words(4, 0xFF336699),
                              {{state::kAlphaControl, {1}}, {state::kAlphaModes, {0x31000000}}},
                              {{0, 0, 1, 1}},
                              {},
                              {0xFF59535C, 0xFF336699, 0xFF336699, 0xFF336699}},
                    Operation{"SourceKey",
                              {0xFFFF00FF, 0xFFFF00FE, 0xFF00FF00, 0xFFFF00FF},
                              Words(4, 0x11111111),
                              {{state::kSrcColorBg, {0xFFFF00FF}},
                               {state::kSrcColorKeyHigh, {0xFFFF00FF}},
                               {state::kTransparency, {2}},
                               {state::kRop, {0x0030AACC}}},
                              {{0, 0, 4, 1}},
                              {},
                              {0x11111111, 0xFFFF00FE, 0xFF00FF00, 0x11111111}},
                    Operation{"MonochromePattern",
                              Words(8),
                              Words(8),
                              {{state::kRop, {0x0030F0F0}},
                               {0x1240, {0x00000001, 0}},
                               {state::kPatternBg, {0x11111111, 0x99999999}},
                               {state::kPatternConfig, {0x0A0000D0}}},
                              {{0, 0, 8, 1}},
                              {},
                              {0x11111111, 0x11111111, 0x11111111, 0x11111111, 0x11111111,
                               0x11111111, 0x11111111, 0x99999999}},
                    Operation{"Index8Source",
                              {0x01FF0001, 0},
                              Words(4),
                              {{state::kSrcConfig, {0x09000000}},
                               {0x3400, {0xFF000000, 0xFF112233}},
                               {0x37FC, {0x80FFFFFF}}},
                              {{0, 0, 4, 1}},
                              {},
                              {0xFF112233, 0xFF000000, 0x80FFFFFF, 0xFF112233}},
                    Operation{"Yuy2Source",
                              {0xF0915A51, 0x6E10F029},
                              Words(4),
                              {{state::kSrcConfig, {0x07000000}}},
                              {{0, 0, 4, 1}},
                              {},
                              {0xFFFF0000, 0xFFFF4A49, 0xFF0000FF, 0xFF0000E3}},
                    Operation{"MultiSource",
                              {0x80402010, 0, 0, 0},
                              Words(4, 0xFF336699),
                              {{state::kDestConfig, {0x00008006}}, {0x1308, {0}}},
                              {{0, 0, 1, 1}},
                              {},
                              {0x80402010, 0xFF336699, 0xFF336699, 0xFF336699}},
                    Operation{"EndianSwappedSource",
                              {0x11223344, 0, 0, 0},
                              Words(4),
                              {{state::kSrcConfig, {0x86000000}}},
                              {{0, 0, 1, 1}},
                              {},
                              {0x44332211, 0, 0, 0}},
                    Operation{"DitheredClear",
                              Words(4),
                              Words(4),
                              {{state::kDestConfig, {0x00000004}},
                               {state::kClearPixel, {0xFF848484}},
                               {0x12E8, {0x6E4CA280, 0x5D7F91B3}}},
                              {{0, 0, 4, 1}},
                              {},
                              {0x84308C31, 0x84308C31, 0, 0}}),
    [](const auto& p) { return p.param.name; });

} // namespace
} // namespace pixmill::qtest
