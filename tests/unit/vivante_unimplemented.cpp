/*
 * What the drawing engine does not have yet is said once and draws nothing:
 * never a wrong picture in silence.  A row leaves this file when its feature
 * arrives, and its vectors come instead.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "vivante_reference.hpp"

namespace pixmill::test {
namespace {

struct Feature {
    const char* name;
    uint32_t command;
    std::vector<std::pair<uint32_t, uint32_t>> states;
    Words data{};
    size_t features = 1; /* some pictures need two of them */
};

constexpr uint32_t kBlit = kCommandBlit;
constexpr uint32_t kClearCmd = kCommandClear;
constexpr uint32_t kDestCfg = state::kDestConfig;

const Feature kFeatures[] = {
    {"blend of a blit", kBlit, {{0x127C, 1}, {0x1280, 0x31000000}}},
    {"blend of a clear", kClearCmd, {{0x127C, 1}, {0x1280, 0x31000000}}},
    {"source key", kBlit, {{0x12D4, 0x00000002}, {0x125C, 0x0030AACC}}},
    {"destination key", kBlit, {{0x12D4, 0x00000200}, {0x125C, 0x0030AACC}}},
    {"pattern mask", kBlit, {{0x12D4, 0x00000010}, {0x1248, 0xF0}, {0x125C, 0x0030AAF0}}},
    {"mono source in memory", kBlit, {{0x120C, 0x0A000000}}},
    {"mono source in the stream", kBlit, {{0x120C, 0x0A000100}}, {0x00040008, 0x10204080}},
    {"masked blit", kBlit, {{0x120C, 0x06000100}, {0x12D4, 1}}, {0x00040008, 0x10204080}, 2},
    {"stretch", kCommandStretch, {{0x1214, 0x00040004}}},
    {"line", kCommandLine, {{0x125C, 0x0030F0F0}}},
    {"source flip x", kBlit, {{0x12BC, 1}, {0x1208, 8}, {0x12B8, 8}}},
    {"source flip y", kBlit, {{0x12BC, 2}, {0x1208, 8}, {0x12B8, 8}}},
    {"source rot 90", kBlit, {{0x12BC, 4}, {0x1208, 8}, {0x12B8, 8}}},
    {"source rot 180", kBlit, {{0x12BC, 5}, {0x1208, 8}, {0x12B8, 8}}},
    {"source rot 270", kBlit, {{0x12BC, 6}, {0x1208, 8}, {0x12B8, 8}}},
    {"destination rot 90", kBlit, {{0x12BC, 0x20}, {0x1230, 8}, {0x12B4, 8}}},
    {"destination rot 270 of a clear", kClearCmd, {{0x12BC, 0x30}, {0x1230, 8}, {0x12B4, 8}}},
    {"source mirror x", kBlit, {{0x12BC, 0x1000}}},
    {"source mirror y", kBlit, {{0x12BC, 0x2000}}},
    {"destination mirror x", kBlit, {{0x12BC, 0x10000}}},
    {"old mirror", kBlit, {{0x126C, 0x21}}},
    {"tiled source", kBlit, {{0x120C, 0x06000080}}},
    {"tiled destination", kBlit, {{kDestCfg, 0x2106}}},
    {"tiled destination of a clear", kClearCmd, {{kDestCfg, 0x0106}}},
    {"supertiled source", kBlit, {{0x120C, 0x06000080}, {0x1300, 8}}, {}, 2},
    {"index source", kBlit, {{0x120C, 0x09000000}}},
    {"YUY2 source", kBlit, {{0x120C, 0x07000000}}},
    {"UYVY source", kBlit, {{0x120C, 0x08000000}}},
    {"YV12 source", kBlit, {{0x120C, 0x0F000000}}},
    {"NV12 source", kBlit, {{0x120C, 0x11000000}}},
    {"NV16 source", kBlit, {{0x120C, 0x12000000}}},
    {"YUY2 destination", kBlit, {{kDestCfg, 0x2007}}},
    {"UYVY destination of a clear", kClearCmd, {{kDestCfg, 0x0008}}},
    {"mono pattern", kBlit, {{0x125C, 0x0030F0F0}, {0x1240, 1}, {0x1244, 0}, {0x123C, 0x0A0000D0}}},
    {"colour pattern", kBlit, {{0x125C, 0x0030F0F0}, {0x1238, kSrcAt}, {0x123C, 0x060000D0}}},
    {"multi source", kCommandMultiSource, {{0x1308, 1}}},
    {"dither of a clear",
     kClearCmd,
     {{kDestCfg, 0x0004}, {0x12E8, 0x6E4CA280}, {0x12EC, 0x5D7F91B3}}},
    {"dither of a blit", kBlit, {{kDestCfg, 0x2004}, {0x12E8, 0x6E4CA280}, {0x12EC, 0x5D7F91B3}}},
};

Stream stream_of(const Feature& feature) {
    Stream s = base_block(8, 8, feature.command)
                   .state(state::kClear32, 0xFF445566)
                   .state(state::kPatternFg, 0xFF778899)
                   .state(state::kPatternBg, 0xFF112233);
    for (const auto& [addr, value] : feature.states)
        s.state(addr, value);
    return s.draw({{0, 0, 4, 4}}, feature.data).event(0x41);
}

class VivanteUnimplemented : public testing::TestWithParam<Feature> {};

TEST_P(VivanteUnimplemented, IsLoggedOnceAndDrawsNothing) {
    std::mt19937 random(1);
    Machine m("gc320-imx6qp");
    scribble(m, random, kSrcAt, 0x1000);
    scribble(m, random, kDstAt, 0x1000);
    const Stream stream = stream_of(GetParam());
    m.put_stream(kStreamAt, Stream(stream).end());
    Shadow before(m);
    for (int i = 0; i < 2; i++) {
        m.run_stream(stream);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << "the stream goes on";
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    }
    before.expect_equal(m);
    EXPECT_EQ(m.counters().pixels, 0u);
    const size_t logged = m.unimplemented();
    EXPECT_GE(logged, 1u);
    EXPECT_LE(logged, GetParam().features);
}

INSTANTIATE_TEST_SUITE_P(Features, VivanteUnimplemented, testing::ValuesIn(kFeatures),
                         [](const auto& feature) {
                             std::string name = feature.param.name;
                             for (char& c : name)
                                 c = c == ' ' ? '_' : c;
                             return name;
                         });

TEST(VivanteUnimplementedKick, FilterBlitIsLoggedOnceAndDrawsNothing) {
    for (uint32_t start : {0u, 1u, 2u}) {
        Machine m("gc320-imx6qp");
        const Stream kick = base_block(8, 8, 0x5000)
                                .states(state::kVrTargetLow, {0, 0x00040004})
                                .state(state::kVrConfig, start)
                                .event(0x41);
        m.put_stream(kStreamAt, Stream(kick).end());
        Shadow before(m);
        m.run_stream(kick);
        m.run_stream(kick);
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
        before.expect_equal(m);
        EXPECT_EQ(m.unimplemented(), 1u) << start;
    }
}

TEST(VivanteUnimplementedKick, MaskedKickIsNoKick) {
    Machine m;
    m.run_stream(base_block(8, 8, 0x5000).state(state::kVrConfig, 8));
}

TEST(VivanteUnimplementedKick, StoringTheStatesIsSilent) {
    Machine m; /* only using them is reported */
    Stream s = base_block(8, 8, kCommandBlit);
    for (const Feature& feature : kFeatures) {
        for (const auto& [addr, value] : feature.states)
            s.state(addr, value);
    }
    m.run_stream(s);
}

TEST(VivanteUnimplementedKick, FeaturesThatDoNotMatterDoNotStopADraw) {
    const std::vector<std::pair<uint32_t, uint32_t>> harmless[] = {
        {{0x12D4, 0x00000002}, {0x125C, rop4(0xCC)}}, /* keys do not affect a clear */
        {{0x12BC, 0xFFFFFCC0}},
        {{0x126C, 0x00000020}}, /* mirror mode without the enable */
        {{0x1280, 0x31000000}}, /* blend modes without the enable */
        {{0x120C, 0x09000000}}, /* a clear has no source */
        {{0x12BC, 0x00000004}}, /* rotation of a source that is not used */
        {{0x123C, 0x0A0000D0}}, /* nor a pattern */
        {{0x1214, 0x00010001}, {0x1220, 0x4000}},
        {{0x12E8, 0x6E4CA280}, {0x12EC, 0x5D7F91B3}}, /* eight bit channels lose nothing */
        {{0x1320, 1}, {0x12F0, 0}, {0x12E4, 0}, {0x12B0, 0}},
    };
    for (const auto& states : harmless) {
        Machine m("gc320-imx6qp");
        Stream s = base_block(8, 8, kCommandClear).state(state::kClear32, 0xFF445566);
        for (const auto& [addr, value] : states)
            s.state(addr, value);
        m.run_stream(s.draw({0, 0, 1, 1}));
        EXPECT_EQ(m.ram.word(kDstAt), 0xFF445566u) << std::hex << states[0].first;
    }
}

/* Swapped bytes are either right or refused. */
TEST(VivanteUnimplementedKick, EndianControlIsAppliedOrRefused) {
    const struct {
        uint32_t src, dst, expected;
    } rows[] = {
        {0x86000000, kBlit | 6, 0x44332211}, /* T107 */
        {0x46000000, kBlit | 6, 0x22114433}, /* 16-bit units */
        {0x06000000, kBlit | 6 | 2 << 20, 0x44332211},
        {0x06000000, kBlit | 6 | 1 << 20, 0x22114433},
        {0x86000000, kBlit | 6 | 2 << 20, 0x11223344},
    };
    for (const auto& row : rows) {
        Machine m;
        m.ram.set_word(kSrcAt, 0x11223344);
        m.run_stream(base_block(8, 8, kCommandBlit)
                         .state(state::kSrcConfig, row.src)
                         .state(state::kDestConfig, row.dst)
                         .draw({0, 0, 1, 1}));
        if (m.unimplemented())
            EXPECT_EQ(m.ram.word(kDstAt), 0u);
        else
            EXPECT_EQ(m.ram.word(kDstAt), row.expected) << std::hex << row.src;
    }
}

/* ---- Draws of the wrong kind -------------------------------------------- */

TEST(VivanteWrongDraw, Draw2dOnThe3dPipeIsIgnoredAndLogged) {
    for (const char* model : {"gc320-imx6", "gc320-am57xx", "gc600-dove", "gc1000-ls7a1000"}) {
        Machine m(model);
        m.run_stream(Stream()
                         .add(dest(kDstAt, 64, dest_config(kA8R8G8B8, kCommandClear)))
                         .add(clip(0, 0, 8, 8))
                         .state(state::kClear32, ~0u)
                         .draw({0, 0, 8, 8})
                         .event(0x41));
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << model;
        EXPECT_EQ(m.ram.words(kDstAt, 16), Words(16, 0)) << model;
        EXPECT_EQ(m.guest_errors(), 1u) << model;
    }
}

TEST(VivanteWrongDraw, ResetSelectsThe3dPipeAgain) {
    Machine m;
    m.run_stream(select_2d());
    m.soft_reset();
    m.run_stream(Stream()
                     .add(dest(kDstAt, 64, dest_config(kA8R8G8B8, kCommandClear)))
                     .add(clip(0, 0, 8, 8))
                     .state(state::kClear32, ~0u)
                     .draw({0, 0, 8, 8}));
    EXPECT_EQ(m.ram.word(kDstAt), 0u);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteWrongDraw, UndefinedCommandsAreIgnoredAndLogged) {
    for (uint32_t command : {3u, 5u, 6u, 7u, 9u, 12u, 15u}) {
        Machine m("gc320-imx6qp");
        m.run_stream(base_block(8, 8, command << 12)
                         .state(state::kClear32, ~0u)
                         .draw({0, 0, 8, 8})
                         .event(0x41));
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << command;
        EXPECT_EQ(m.ram.words(kDstAt, 16), Words(16, 0)) << command;
        EXPECT_LE(m.unimplemented(), 1u);
        if (command == 3 || command >= 9) {
            EXPECT_EQ(m.guest_errors(), 1u) << command;
        }
        m.allow_logs();
    }
}

TEST(VivanteWrongDraw, UnwritableDestinationFormatsAreIgnoredAndLogged) {
    for (uint32_t format : {0x09u, 0x0Au, 0x0Bu, 0x13u, 0x1Fu}) {
        Machine m("gc320-imx6qp");
        Shadow before(m);
        m.run_stream(base_block(8, 8, kCommandClear)
                         .state(state::kDestConfig, format)
                         .state(state::kClear32, ~0u)
                         .draw({0, 0, 8, 8})
                         .event(0x41));
        EXPECT_EQ(m.get(reg::kIntrAck), 2u) << format;
        m.ram.fill(kStreamAt, 0, 0x1000);
        before.expect_equal(m);
        EXPECT_EQ(m.guest_errors() + m.unimplemented(), 1u) << format;
    }
}

TEST(VivanteWrongDraw, ReservedRotationCodesMeanNoRotationAndAreLogged) {
    for (uint32_t code : {3u, 7u}) {
        Machine m("gc320-imx6qp");
        m.ram.set_words(kSrcAt, {1, 2, 3, 4});
        m.run_stream(
            base_block(8, 8, kCommandBlit).state(state::kRotAngle, code).draw({0, 0, 4, 1}));
        EXPECT_EQ(m.ram.words(kDstAt, 4), (Words{1, 2, 3, 4})) << code;
        EXPECT_EQ(m.guest_errors(), 1u) << code;
    }
}

TEST(VivanteWrongDraw, UnneededStreamDataIsConsumed) {
    Machine m;
    m.run_stream(base_block(8, 8, kCommandClear)
                     .state(state::kClear32, 5)
                     .draw({{0, 0, 1, 1}}, Words(2047, 0xF8000000))
                     .event(0x41));
    m.allow_logs();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.ram.word(kDstAt), 5u);
}

TEST(VivanteWrongDraw, CutDrawDrawsNothingAndStarves) {
    Machine m; /* the prefetch count ends among the rectangles */
    const Stream whole = base_block(8, 8, kCommandClear)
                             .state(state::kClear32, ~0u)
                             .draw({{0, 0, 8, 8}, {0, 0, 8, 8}});
    m.put_stream(kStreamAt, whole);
    m.start(kStreamAt, whole.qwords() - 1);
    m.go();
    EXPECT_EQ(m.get(reg::kFeDebugState) & 0x1F, 1u);
    EXPECT_EQ(m.guest_errors(), 1u);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

/* GC600's PE 1.0 has other registers for formats, clears and brushes. */
TEST(VivanteUnimplemented, Pe10IsSaidOnceAndDrawsNothing) {
    for (uint32_t command : {kCommandClear, kCommandBlit}) {
        Machine m("gc600-dove");
        m.run_stream(base_block(8, 4, command)
                         .state(state::kClearByteMask, 0xFF)
                         .state(state::kClearLow, 0x33221100)
                         .state(state::kClearHigh, 0x77665544)
                         .draw({{0, 0, 4, 1}, {0, 1, 4, 2}})
                         .draw({0, 0, 4, 1}));
        EXPECT_EQ(m.unimplemented(), 1u);
        EXPECT_EQ(m.counters().pixels, 0u);
        EXPECT_EQ(m.ram.words(kDstAt, 8), Words(8, 0));
    }
}

} // namespace
} // namespace pixmill::test
