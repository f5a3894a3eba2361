/*
 * Invalid programs for the drawing engine. The engine draws the valid part, logs a message where
 * that is useful, and never hangs. ../bad_input.cpp covers clears, copies and the front end.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kNowhere = 0x70000000;

/* ---- Stream data ---------------------------------------------------------- */

const Writes kMono = {{state::kSrcConfig, kMonochrome << 24 | kSrcStream | kUnpacked},
                      {state::kSrcColorBg, 1},
                      {state::kSrcColorFg, 2}};

TEST(Vivante2dBadInput, MissingStreamBitsAreZero) {
    Scene scene;
    scene.base(4, 3, kCommandBlit, kMono).draw({0, 0, 4, 3}, {0xF0}).run();
    scene.expect_words(kDstAt, {2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1});
    EXPECT_EQ(scene.m.guest_errors(), 1u);
}

TEST(Vivante2dBadInput, NoStreamDataAtAllIsZero) {
    Scene scene;
    scene.base(4, 1, kCommandBlit, kMono).draw({0, 0, 4, 1}).run();
    scene.expect_words(kDstAt, {1, 1, 1, 1});
    EXPECT_EQ(scene.m.guest_errors(), 1u);
}

TEST(Vivante2dBadInput, ExcessStreamDataIsSkipped) {
    Scene scene;
    scene.m.allow_logs();
    scene.base(4, 2, kCommandBlit, kMono)
        .draw({0, 0, 4, 1}, {0xA0, 0xFF, 0xFF})
        .set(state::kSrcColorFg, 3)
        .draw({0, 1, 4, 2}, {0x50})
        .run()
        .expect_words(kDstAt, {2, 1, 2, 1, 1, 3, 1, 3});
}

TEST(Vivante2dBadInput, SecondRectangleOfAStreamTakesTheRest) {
    Scene scene;
    scene.m.allow_logs();
    scene.base(4, 2, kCommandBlit, kMono)
        .draw(std::vector<Rect>{{0, 0, 4, 1}, {0, 1, 4, 2}}, {0xA0, 0x50})
        .run()
        .expect_words(kDstAt, {2, 1, 2, 1, 1, 2, 1, 2});
}

/* ---- Geometry ------------------------------------------------------------- */

/* Draws 256 rectangles of the maximum size. The clip must limit the work. */
TEST(Vivante2dBadInput, LargestRectanglesWithASmallClip) {
    const Writes turned = {{state::kRotAngle, 0x5 << 3 | 5},
                           {state::kSrcRotation, 8},
                           {state::kSrcRotationHeight, 8},
                           {state::kDestRotation, 8},
                           {state::kDestRotationHeight, 8}};
    const struct {
        uint32_t command;
        Writes states;
    } rows[] = {
        {kCommandStretch, {{state::kSrcSize, pack_xy(8, 8)}}},
        {kCommandBlit, solid_brush(5)},
        {kCommandClear, turned},
        {kCommandLine, solid_brush(5)},
    };
    for (const auto& row : rows) {
        Scene scene;
        scene.base(8, 8, row.command, row.states)
            .draw(std::vector<Rect>(256, Rect{-32768, -32768, 32767, 32767}))
            .run();
        scene.forget();
        EXPECT_LE(scene.m.counters().pixels, 256u * 64) << row.command;
    }
}

TEST(Vivante2dBadInput, StretchFromNegativeCoordinates) {
    Scene scene; /* stretches 4 pixels to 8; 3 of them are left of the surface */
    scene.words(kSrcAt, count_from(0x10, 4))
        .base(8, 1, kCommandStretch, {{state::kSrcSize, pack_xy(4, 1)}})
        .draw({-3, 0, 5, 1})
        .run()
        .expect_words(kDstAt, {0x11, 0x12, 0x12, 0x13, 0x13});
}

TEST(Vivante2dBadInput, Rot180OfASizeZeroSourceReadsBeforeIt) {
    Scene scene; /* pixel (x, y) is read at (-1 - x, -1 - y), before the surface */
    scene.words(kSrcAt - 32 - 16, {1, 2, 3, 4})
        .base(8, 1, kCommandBlit, {{state::kRotAngle, 5}})
        .draw({0, 0, 4, 1});
    scene.m.allow_logs();
    scene.run().expect_words(kDstAt, {4, 3, 2, 1});
}

TEST(Vivante2dBadInput, Rot180OfASizeZeroDestinationDrawsNothing) {
    Scene scene;
    scene.m.allow_logs();
    scene.base(8, 8, kCommandClear, {{state::kRotAngle, 5 << 3}, {state::kClear32, ~0u}})
        .draw({0, 0, 8, 8})
        .run();
}

TEST(Vivante2dBadInput, ReservedDestinationRotationMeansNone) {
    for (uint32_t code : {3u, 7u}) {
        Scene scene;
        scene.base(4, 1, kCommandClear, {{state::kRotAngle, code << 3}, {state::kClear32, 5}})
            .draw({1, 0, 2, 1})
            .run()
            .expect_words(kDstAt, {0, 5, 0});
        EXPECT_EQ(scene.m.guest_errors(), 1u);
    }
}

TEST(Vivante2dBadInput, SourceOverItsOwnDestinationEnds) {
    for (uint32_t command : {kCommandStretch, kCommandLine, kCommandMultiSource}) {
        Scene scene(kMulti8);
        scene
            .without_reference() /* the drawn pixels are undefined */
            .words(kDstAt, count_from(1, 64))
            .base(8, 8, command, {{state::kSrcAddress, kDstAt}, {state::kSrcSize, pack_xy(3, 3)}})
            .draw({0, 0, 8, 8})
            .run();
        scene.forget();
        EXPECT_EQ(scene.m.ram.words(kDstAt + 256, 64), Words(64, 0));
    }
}

TEST(Vivante2dBadInput, ExtremeSizesAndFactorsOfAStretchEnd) {
    for (uint32_t size : {0xFFFFFFFFu, 0x80008000u, 0x00010000u, 0x00000001u}) {
        for (uint32_t factor : {0xFFFFFFFFu, 0u}) {
            Machine m({.ram_size = Scene::kRam});
            m.allow_logs();
            m.run_stream(base_block(8, 8, kCommandStretch)
                             .state(state::kSrcSize, size)
                             .state(state::kStretchLow, factor)
                             .state(state::kStretchHigh, factor)
                             .draw({0, 0, 8, 8})
                             .event(0x41),
                         20'000'000);
            EXPECT_EQ(m.get(reg::kIntrAck) & ~kIntrAxi, 2u) << std::hex << size;
            EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
            EXPECT_EQ(m.ram.words(kDstAt + 256, 64), Words(64, 0)) << "after the destination";
        }
    }
}

/* ---- Filter kicks --------------------------------------------------------- */

Scene& filter_row(Scene& scene, const Writes& states) {
    return scene.words(kSrcAt, {1, 2, 3, 4})
        .base(4, 1, 0x5000,
              {{state::kStretchLow, 0x10000},
               {state::kVrSourceLow, 0},
               {state::kVrSourceHigh, pack_xy(4, 1)},
               {state::kVrOriginLow, 0x8000},
               {state::kVrTargetLow, 0},
               {state::kVrTargetHigh, pack_xy(4, 1)}})
        .table(state::kFilterKernel, identity_kernel())
        .set(states);
}

TEST(Vivante2dBadInput, EmptyFilterWindowsDrawNothing) {
    for (const Rect& r : {Rect{0, 0, 0, 1}, Rect{0, 0, 4, 0}, Rect{3, 0, 1, 1}, Rect{0, 1, 4, 0}}) {
        Scene scene;
        filter_row(scene, {{state::kVrTargetLow, pack_xy(r.left, r.top)},
                           {state::kVrTargetHigh, pack_xy(r.right, r.bottom)},
                           {state::kVrConfig, 0}})
            .run();
    }
}

/* A monochrome source cannot be filtered: it reads as 0, and no key makes it transparent. */
TEST(Vivante2dBadInput, FilterOfAMonochromeSourceReads0) {
    for (uint32_t transparency : {0u, 1u, 2u}) {
        for (uint32_t stream : {0u, 0x100u}) {
            Scene scene;
            scene.words(kDstAt, {9, 9, 9, 9});
            filter_row(scene, {{state::kSrcConfig, kMonochrome << 24 | stream},
                               {state::kTransparency, transparency},
                               {state::kVrConfig, 0}})
                .run()
                .expect_words(kDstAt, {0, 0, 0, 0});
        }
    }
}

TEST(Vivante2dBadInput, FilterWindowsAreSigned) {
    Scene scene;
    filter_row(scene, {{state::kVrTargetLow, pack_xy(-2, -1)},
                       {state::kVrTargetHigh, pack_xy(2, 1)},
                       {state::kVrConfig, 0}})
        .run()
        .expect_words(kDstAt, {3, 4});
}

/*
 * Pixels at negative virtual coordinates are dropped, even if the rotation would map them to the
 * last row or column, or past it.
 */
TEST(Vivante2dBadInput, NegativeFilterWindowsOfTurnedDestinations) {
    const struct {
        const char* name;
        const char* model;
        Rect window;
        Writes turned;
        Words result; /* 4 x 4 pixels */
    } rows[] = {
        {"FLIP_Y", kPe20, {0, -2, 4, 1}, {{state::kRotAngle, 2 << 3}}, {0, 0, 0, 0, 1, 2, 3, 4}},
        {"DST_FLIP", kPe20, {0, -2, 4, 1}, {{state::kRotAngle, 1 << 24}}, {0, 0, 0, 0, 1, 2, 3, 4}},
        {"FLIP_X", kPe20, {-2, 0, 2, 1}, {{state::kRotAngle, 1 << 3}}, {0, 0, 4, 3}},
        {"ROT180", kPe20, {-2, -1, 2, 1}, {{state::kRotAngle, 5 << 3}}, {0, 0, 0, 0, 0, 0, 4, 3}},
        {"ROT270", kPe20, {-2, 0, 2, 1}, {{state::kRotAngle, 6 << 3}}, {4, 0, 0, 0, 3}},
        {"the bit of PE 1.0", /* maps (x, y) to (W - 1 - y, x) */
         kPe10,
         {0, -1, 3, 1},
         {{state::kSrcConfig, 6}, {state::kDestRotation, 0x10002}},
         {0, 1, 0, 0, 0, 2, 0, 0, 0, 3}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        Scene scene(row.model);
        filter_row(scene, {{state::kDestRotation, 4}, {state::kDestRotationHeight, 2}})
            .set(row.turned)
            .set({{state::kVrTargetLow, pack_xy(row.window.left, row.window.top)},
                  {state::kVrTargetHigh, pack_xy(row.window.right, row.window.bottom)},
                  {state::kVrConfig, 0}})
            .run()
            .expect_words(kDstAt, row.result);
    }
}

TEST(Vivante2dBadInput, FilterWindowsEndWithTheRow) {
    for (const int right : {5, 0x7FFF}) { /* rows are four pixels long */
        Scene scene;
        filter_row(scene, {{state::kVrTargetLow, pack_xy(2, 0)},
                           {state::kVrTargetHigh, pack_xy(right, 1)},
                           {state::kVrConfig, 0}})
            .run()
            .expect_words(kDstAt, {0, 0, 1, 2, 0});
    }
}

/* The drawn pixels are undefined, but no other memory may change. */
TEST(Vivante2dBadInput, FilterOfItsOwnDestinationEnds) {
    for (const uint32_t start : {0u, 1u, 2u}) {
        Scene scene;
        scene.words(kDstAt, count_from(1, 8))
            .base(4, 2, 0x5000, {{state::kSrcAddress, kDstAt}})
            .set({{state::kStretchLow, 0x8000},
                  {state::kStretchHigh, 0x18000},
                  {state::kVrSourceHigh, pack_xy(4, 2)},
                  {state::kVrTargetHigh, pack_xy(4, 2)},
                  {state::kVrConfig, start}})
            .run();
        scene.forget();
        EXPECT_EQ(scene.m.ram.words(kDstAt - 64, 16), Words(16, 0));
        EXPECT_EQ(scene.m.ram.words(kDstAt + 32, 16), Words(16, 0));
    }
}

/* The sums 9 * 255 * 0x7FFF and 9 * 255 * -0x8000 must be clamped to 255 and 0, and not wrap. */
TEST(Vivante2dBadInput, KernelSumsAtTheirExtremes) {
    for (const uint32_t tap : {0x7FFFu, 0x8000u}) {
        for (const uint32_t start : {0u, 1u, 2u}) {
            Scene scene;
            filter_row(scene, {{state::kStretchHigh, 0x10000}})
                .words(kSrcAt, Words(4, 0xFFFFFFFF))
                .words(kDstAt, Words(4, 7))
                .table(state::kFilterKernel, Words(77, tap | tap << 16))
                .table(state::kHoriKernel, Words(77, tap | tap << 16))
                .table(state::kVertiKernel, Words(77, tap | tap << 16))
                .set(state::kVrConfig, start)
                .run()
                .expect_words(kDstAt, Words(4, tap == 0x7FFF ? 0xFFFFFFFF : 0));
        }
    }
}

TEST(Vivante2dBadInput, EmptyImageBoxIsOnePixel) {
    Scene scene;
    filter_row(scene, {{state::kVrSourceLow, pack_xy(2, 0)},
                       {state::kVrSourceHigh, pack_xy(2, 0)},
                       {state::kVrConfig, 0}})
        .run()
        .expect_words(kDstAt, {3, 3, 3, 3});
    EXPECT_EQ(scene.m.guest_errors(), 1u);
}

/* An image box of zero width or height is treated as its top left pixel. */
TEST(Vivante2dBadInput, ImageBoxEmptyInOneAxisIsOnePixel) {
    const struct {
        Rect box;
        uint32_t start, result;
    } rows[] = {
        {{2, 0, 2, 2}, 0, 3}, {{2, 0, 2, 2}, 1, 3}, {{2, 0, 2, 2}, 2, 3}, {{3, 0, 1, 2}, 1, 4},
        {{1, 1, 3, 1}, 0, 6}, {{1, 1, 3, 1}, 1, 6}, {{1, 1, 3, 1}, 2, 6}, {{0, 1, 4, 0}, 2, 5},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << row.box.left << "," << row.box.top << " " << row.start);
        Scene scene;
        filter_row(scene, {{state::kStretchHigh, 0x10000},
                           {state::kVrOriginHigh, 0x8000},
                           {state::kVrSourceLow, pack_xy(row.box.left, row.box.top)},
                           {state::kVrSourceHigh, pack_xy(row.box.right, row.box.bottom)},
                           {state::kVrTargetHigh, pack_xy(2, 2)}})
            .words(kSrcAt + 16, {5, 6, 7, 8})
            .table(state::kHoriKernel, identity_kernel())
            .table(state::kVertiKernel, identity_kernel())
            .set(state::kVrConfig, row.start)
            .run()
            .expect_words(kDstAt, {row.result, row.result, 0, 0, row.result, row.result});
        EXPECT_EQ(scene.m.guest_errors(), 1u);
    }
}

TEST(Vivante2dBadInput, UndefinedStartIsIgnoredAndLogged) {
    Scene scene;
    filter_row(scene, {{state::kVrConfig, 3}}).run();
    EXPECT_EQ(scene.m.guest_errors(), 1u);
}

TEST(Vivante2dBadInput, FactorZeroRepeatsTheOrigin) {
    Scene scene;
    filter_row(scene,
               {{state::kStretchLow, 0}, {state::kVrOriginLow, 0x18000}, {state::kVrConfig, 0}})
        .run()
        .expect_words(kDstAt, {2, 2, 2, 2});
}

TEST(Vivante2dBadInput, KickOnThe3dPipeIsIgnoredAndLogged) {
    Scene scene;
    scene.without_reference(); /* the reference does not model 3D */
    filter_row(scene, {{state::kPipeSelect, 0}, {state::kVrConfig, 0}}).run();
    EXPECT_EQ(scene.m.guest_errors(), 2u) << "the missing pipe, and the kick";
}

TEST(Vivante2dBadInput, FilterIntoAFormatThatCannotBeWritten) {
    for (uint32_t format : {uint32_t{kIndex8}, uint32_t{kMonochrome}, 0x1Fu}) {
        Scene scene;
        filter_row(scene, {{state::kDestConfig, format | 0x5000}, {state::kVrConfig, 0}}).run();
        EXPECT_EQ(scene.m.guest_errors(), 1u);
    }
}

TEST(Vivante2dBadInput, LargestFilterCanBeResetBetweenSlices) {
    Machine m({.draw_budget = 4096});
    m.allow_logs();
    m.put_stream(kStreamAt, base_block(8, 8, 0x5000)
                                .state(state::kDestStride, 0)
                                .state(state::kVrSourceHigh, pack_xy(0x7FFF, 0x7FFF))
                                .state(state::kVrTargetLow, 0)
                                .state(state::kVrTargetHigh, pack_xy(0x7FFF, 0x7FFF))
                                .state(state::kStretchLow, 0x7FFFFFFF)
                                .state(state::kVrConfig, 2)
                                .end());
    m.start(kStreamAt, 200);
    ASSERT_TRUE(m.go_to_draw());
    for (int i = 0; i < 10; i++)
        m.draw(4096);
    EXPECT_EQ(m.get(reg::kIdle) & 4, 0u) << "a gigapixel is left";
    m.soft_reset();
    m.draw(4096);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(Vivante2dBadInput, BurstOverTheWholeKernelStartsNothing) {
    Scene scene;
    scene.m.allow_logs();
    scene.words(kDstAt, Words(16, 7))
        .base(4, 4, 0x5000)
        .table(state::kFilterKernel, Words(1023, 0x12345678))
        .run();
    EXPECT_EQ(scene.m.state(state::kFilterKernel + 4 * 1022), 0x12345678u) << "a state of a kernel";
}

/*
 * The vertical kernel's states follow those of the horizontal kernel, so a long burst loads both.
 */
TEST(Vivante2dBadInput, BurstOverTheEndOfAKernelLoadsTheNext) {
    Words both = identity_kernel();
    both.resize(0x200 / 4, 0x7777);
    const Words kernel = identity_kernel();
    both.insert(both.end(), kernel.begin(), kernel.end());
    Scene scene;
    scene.words(kSrcAt, {1, 2, 3, 4})
        .base(2, 2, 0x5000)
        .set({{state::kStretchLow, 0x10000},
              {state::kStretchHigh, 0x10000},
              {state::kVrSourceLow, 0},
              {state::kVrSourceHigh, pack_xy(2, 2)},
              {state::kVrTargetLow, 0},
              {state::kVrTargetHigh, pack_xy(2, 2)}})
        .table(state::kHoriKernel, both)
        .set(state::kVrConfig, 2)
        .run()
        .expect_words(kDstAt, {1, 2, 3, 4});
}

/* ---- Missing memory ---------------------------------------------------------- */

TEST(Vivante2dBadInput, PatternThatIsNotThereIsZero) {
    Scene scene({.ram_size = Scene::kRam});
    scene.words(kDstAt, Words(4, 7));
    scene.m.allow_logs();
    scene.m.run_stream(base_block(4, 1, kCommandBlit)
                           .state(state::kPatternAddress, kNowhere)
                           .state(state::kPatternConfig, kA8R8G8B8 << 24 | 0xD0)
                           .state(state::kRop, rop4(0xF0))
                           .draw({0, 0, 4, 1})
                           .event(0x41));
    EXPECT_EQ(scene.m.get(reg::kIntrAck), kIntrAxi | 2) << "the stream goes on";
    EXPECT_EQ(scene.m.get(reg::kAxiStatus) & 0x300, 0x200u);
    EXPECT_EQ(scene.m.ram.words(kDstAt, 4), Words(4, 0));
}

/* A source or destination without memory causes a bus error, but the stream continues. */
TEST(Vivante2dBadInput, EveryPrimitiveEndsWithoutMemory) {
    const uint32_t formats[] = {kA8R8G8B8, kYv12, kNv12, kIndex8, kMonochrome, kYuy2};
    for (uint32_t command : {0x2000u, 0x4000u, 0x5000u, 0x8000u}) {
        for (const uint32_t format : formats) {
            for (const uint32_t reg :
                 {uint32_t{state::kSrcAddress}, uint32_t{state::kDestAddress}}) {
                SCOPED_TRACE(testing::Message() << command << " " << format << " " << reg);
                Scene scene({.model = kMulti8, .ram_size = Scene::kRam});
                scene.m.allow_logs();
                Stream stream = base_block(8, 8, command)
                                    .state(state::kSrcConfig, format << 24)
                                    .state(state::kSrcSize, pack_xy(4, 4))
                                    .state(state::kUPlaneAddress, kNowhere)
                                    .state(state::kVPlaneAddress, kNowhere)
                                    .state(reg, kNowhere)
                                    .state(state::kVrSourceHigh, pack_xy(8, 8))
                                    .state(state::kVrTargetHigh, pack_xy(8, 8));
                if (command == 0x5000)
                    stream.state(state::kVrConfig, 2);
                else
                    stream.draw({0, 0, 8, 8});
                scene.m.run_stream(stream.event(0x41));
                EXPECT_EQ(scene.m.get(reg::kIntrAck) & ~kIntrAxi, 2u);
                EXPECT_EQ(scene.m.get(reg::kIdle), kIdleAll);
            }
        }
    }
}

/* ---- Values ------------------------------------------------------------------ */

TEST(Vivante2dBadInput, FixedPointFlagDoesNotChangeDrawingStates) {
    Machine m;
    m.run_stream(Stream()
                     .states(state::kClear32, {0x12345678}, kFixp)
                     .states(state::kFilterKernel, {0x89ABCDEF}, kFixp));
    EXPECT_EQ(m.state(state::kClear32), 0x12345678u);
    EXPECT_EQ(m.state(state::kFilterKernel), 0x89ABCDEFu);
}

/*
 * Writes all ones to every state except addresses, sizes and the pipe, then draws each primitive.
 */
TEST(Vivante2dBadInput, AllOnesInEveryState) {
    for (const char* model : {kPe20, kPe10, kMulti4, kMulti8, kNewest}) {
        for (uint32_t command = 0; command < 16; command++) {
            for (uint32_t value : {~0u, 0x55555555u, 0xAAAAAAAAu}) {
                Machine m({.model = model, .ram_size = Scene::kRam, .draw_budget = 1 << 16});
                m.allow_logs();
                Stream stream = select_2d();
                for (uint32_t addr = 0x1200; addr < 0x13B0; addr += 4) {
                    if (addr != state::kVrConfig)
                        stream.state(addr, value);
                }
                stream.add(base_block(8, 8, 0))
                    .state(state::kDestConfig, (value & ~0xF01Fu) | command << 12 | kA8R8G8B8)
                    .state(state::kVrTargetLow, 0)
                    .state(state::kVrTargetHigh, pack_xy(8, 8))
                    .draw({0, 0, 8, 8})
                    .state(state::kVrConfig, command & 3);
                m.run_stream(stream.event(0x41), 50'000'000);
                EXPECT_EQ(m.get(reg::kIntrAck) & ~kIntrAxi, 2u) << model << " " << command;
            }
        }
    }
}

} // namespace
} // namespace pixmill::test
