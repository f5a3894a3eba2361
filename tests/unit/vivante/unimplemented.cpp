/*
 * Features that the drawing engine does not model. They must log one message and draw nothing,
 * instead of drawing a wrong picture. If a feature is added to the model, replace its row here by
 * tests of the feature.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "reference.hpp"

namespace pixmill::test {
namespace {

struct Feature {
    const char* name;
    uint32_t command;
    std::vector<std::pair<uint32_t, uint32_t>> states;
    Words data{};
    const char* model = "gc320-imx6qp";
};

constexpr uint32_t kBlit = kCommandBlit;

const Feature kFeatures[] = {
    {"own rectangle for each source", kCommandMultiSource, {{0x1308, 1}}, {}, "gc620-th1520"},
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
    Machine m(GetParam().model);
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
    EXPECT_EQ(m.unimplemented(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Features, VivanteUnimplemented, testing::ValuesIn(kFeatures),
                         [](const auto& feature) {
                             std::string name = feature.param.name;
                             for (char& c : name)
                                 c = c == ' ' ? '_' : c;
                             return name;
                         });

TEST(VivanteUnimplementedKick, MaskedKickDoesNothing) {
    Machine m;
    m.run_stream(base_block(8, 8, 0x5000).state(state::kVrConfig, 8));
}

/*
 * Writes that start engines of the 3D pipe (rnndb state_3d.xml, state_blt.xml). Engines that are
 * not modeled must log a message and do nothing.
 */
TEST(VivanteUnimplementedKick, OfEnginesThatAreNotModelledIsLoggedOnce) {
    const struct {
        const char* model;
        uint32_t address;
        size_t logs;
    } rows[] = {{"gc2000-imx6q", 0x1600, 0},  {"gc2000-imx6q", 0x16B0, 1},
                {"gc2000-imx6q", 0x14060, 0}, {"gc3000-imx6qp", 0x1600, 0},
                {"gc7000-imx8mq", 0x1600, 1}, {"gc7000-imx8mq", 0x14060, 1},
                {"gc320-imx6", 0x1600, 0},    {"gc2000-imx6q", 0x1650, 0}};
    for (const auto& row : rows) {
        Machine m(row.model);
        m.run_stream(Stream().state(row.address, 1).state(row.address, 3));
        EXPECT_EQ(m.unimplemented(), row.logs) << row.model << std::hex << ' ' << row.address;
        EXPECT_EQ(m.state(row.address), 3u);
    }
}

TEST(VivanteUnimplementedKick, StoringTheStatesIsSilent) {
    Machine m; /* states are logged only if a draw uses them */
    Stream s = base_block(8, 8, kCommandBlit);
    for (const Feature& feature : kFeatures) {
        for (const auto& [addr, value] : feature.states)
            s.state(addr, value);
    }
    m.run_stream(s);
}

TEST(VivanteUnimplementedKick, FeaturesThatDoNotMatterDoNotStopADraw) {
    const std::vector<std::pair<uint32_t, uint32_t>> harmless[] = {
        {{0x12D4, 0x00000002}, {0x125C, rop4(0xCC)}}, /* a clear ignores keys */
        {{0x12BC, 0xFFFFFCC0}},
        {{0x126C, 0x00000020}}, /* mirror mode, but not enabled */
        {{0x1280, 0x31000000}}, /* blend modes, but not enabled */
        {{0x120C, 0x09000000}}, /* a clear has no source */
        {{0x12BC, 0x00000004}}, /* rotation of an unused source */
        {{0x123C, 0x0A0000D0}}, /* an unused pattern */
        {{0x1214, 0x00010001}, {0x1220, 0x4000}},
        {{0x12E8, 0x6E4CA280}, {0x12EC, 0x5D7F91B3}}, /* 8-bit channels are not dithered */
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

TEST(VivanteUnimplementedKick, EndianControlIsApplied) {
    const struct {
        uint32_t src, dst, expected;
    } rows[] = {
        {0x86000000, kBlit | 6, 0x44332211},
        {0x46000000, kBlit | 6, 0x22114433}, /* swaps in 16-bit units */
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
        EXPECT_EQ(m.ram.word(kDstAt), row.expected) << std::hex << row.src;
    }
}

/* ---- Draws that the core or the pipe does not support -------------------- */

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
    Machine m; /* the prefetch ends before the last rectangle */
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

/*
 * Formats that only the newest cores have and that are not modeled. They are logged as
 * unimplemented on these cores, and as a guest error on others.
 */
TEST(VivanteUnimplemented, FormatsOfTheNewestCores) {
    for (const uint32_t format : {0x0Bu, 0x0Cu, 0x0Du, 0x0Eu, 0x13u, 0x15u, 0x16u, 0x17u, 0x18u,
                                  0x19u, 0x1Au, 0x1Bu, 0x1Cu, 0x1Du, 0x1Eu}) {
        for (const char* model : {"gc620-th1520", "gc320-imx6qp"}) {
            SCOPED_TRACE(testing::Message() << model << " " << format);
            const bool newest = std::string(model) == "gc620-th1520";
            Machine source(model);
            source.ram.set_words(kSrcAt, Words(8, ~0u));
            source.run_stream(base_block(4, 1, kCommandBlit)
                                  .state(state::kSrcConfig, format << 24)
                                  .draw({0, 0, 4, 1}));
            EXPECT_EQ(source.ram.words(kDstAt, 4), Words(4, 0));
            EXPECT_EQ(source.unimplemented(), newest);
            EXPECT_EQ(source.guest_errors(), !newest);
            Machine destination(model);
            destination.run_stream(base_block(4, 1, kCommandClear)
                                       .state(state::kDestConfig, format)
                                       .state(state::kClear32, ~0u)
                                       .draw({0, 0, 4, 1}));
            EXPECT_EQ(destination.ram.words(kDstAt, 4), Words(4, 0));
            EXPECT_EQ(destination.unimplemented(), newest);
            EXPECT_EQ(destination.guest_errors(), !newest);
        }
    }
}

TEST(VivanteUnimplemented, FastClearOfASource) {
    for (const char* model : {"gc520-imx8mp", "gc320-imx6qp"}) {
        Machine m(model);
        m.ram.set_words(kSrcAt, {1, 2});
        m.run_stream(
            base_block(2, 1, kCommandBlit).state(0x12FC0, 4).draw({0, 0, 2, 1}).event(0x41));
        EXPECT_EQ(m.ram.words(kDstAt, 2), (Words{1, 2}));
        EXPECT_EQ(m.unimplemented(), std::string(model) == "gc520-imx8mp");
    }
}

/*
 * Fields that only the newest cores of nano2D have. They are logged once and ignored on these
 * cores, and ignored without a message on others.
 */
TEST(VivanteUnimplemented, FieldsOfTheNewestCores) {
    const struct {
        uint32_t state, value;
    } rows[] = {{state::kSrcConfig, 0x06000000 | 1 << 14},        /* ENDIAN_CONTROL_EX */
                {state::kSrcConfig, 0x06000000 | 1 << 23},        /* DE_GAMMA */
                {state::kDestConfig, kCommandBlit | 6 | 1 << 11}, /* GAMMA */
                {state::kDestConfig, kCommandBlit | 6 | 1 << 19}, /* ENDIAN_CONTROL_EX */
                {0x132C, 0x04000000 | 1 << 25},                   /* CONVERSION_CONFIG */
                {0x132C, 0x04000000 | 1 << 28},                   /* NORMALIZATION */
                {0x132C, 0x04000000 | 1 << 16},                   /* DC_COMPRESSION */
                {state::kSrcExConfig, 1 << 13}};                  /* DC_COMPRESSION */
    for (const auto& row : rows) {
        for (const char* model : {"gc620-th1520", "gc520-imx8mp"}) {
            SCOPED_TRACE(testing::Message()
                         << model << std::hex << ' ' << row.state << ' ' << row.value);
            Machine m(model);
            m.ram.set_words(kSrcAt, {0x11223344, 0x55667788});
            for (int i = 0; i < 2; i++)
                m.run_stream(base_block(2, 1, kCommandBlit)
                                 .state(row.state, row.value)
                                 .draw({0, 0, 2, 1})
                                 .event(0x41));
            EXPECT_EQ(m.ram.words(kDstAt, 2), (Words{0x11223344, 0x55667788}));
            EXPECT_EQ(m.unimplemented(), std::string(model) == "gc620-th1520");
        }
    }
}

/* Surfaces in DEC400 tiles of any shape are treated as 4x4 tiles. */
TEST(VivanteUnimplemented, TilesOfDec400) {
    for (uint32_t shape = 0; shape < 6; shape++)
        for (const bool source : {true, false}) {
            SCOPED_TRACE(testing::Message() << shape << (source ? " source" : " destination"));
            Machine m("gc620-th1520");
            Words tile(16); /* four rows of four */
            for (uint32_t i = 0; i < 16; i++)
                tile[i] = 0x11110000 + i;
            m.ram.set_words(kSrcAt, tile);
            const uint32_t dec400 = 3 << 9;
            Stream stream = base_block(4, 4, kCommandBlit);
            if (source)
                stream.state(state::kSrcConfig, 0x06000080 | dec400 | shape << 17);
            else
                stream.state(state::kDestConfig, kCommandBlit | 0x106 | dec400 | shape << 5);
            for (int i = 0; i < 2; i++)
                m.run_stream(Stream(stream).draw({0, 0, 4, 4}));
            EXPECT_EQ(m.ram.words(kDstAt, 16), tile);
            EXPECT_EQ(m.unimplemented(), 1u);
            EXPECT_EQ(m.state(state::kSrcConfig) >> 17 & 7, source ? shape : 0);
            EXPECT_EQ(m.state(state::kDestConfig) >> 5 & 7, source ? 0 : shape);
        }
}

/* Compression must also be logged for the second source of a blit, but only if it is drawn. */
TEST(VivanteUnimplemented, CompressionOfASource) {
    Machine m("gc620-th1520");
    constexpr uint32_t block8_ex_config = 0x12A00 + 22 * 32, dc_compression = 1 << 13;
    m.run_stream(Stream().state(block8_ex_config + 4, dc_compression));
    EXPECT_EQ(m.unimplemented(), 0u);
    m.run_stream(base_block(2, 1, kCommandMultiSource)
                     .state(0x1380, 1) /* one rectangle for all sources */
                     .state(state::kMultiSource, 1)
                     .draw({0, 0, 2, 1}));
    EXPECT_EQ(m.unimplemented(), 1u);
}

/*
 * The eight-byte pattern of a PE 1.0 clear repeats by address. With a different byte order, its
 * bytes would be scattered.
 */
TEST(VivanteUnimplemented, Pe10ClearOfASurfaceOfAnotherByteOrder) {
    Machine m("gc600-dove");
    m.run_stream(base_block(8, 4, kCommandClear)
                     .state(state::kDestConfig, 0x06 | 1 << 20)
                     .state(state::kClearByteMask, 0xFF)
                     .state(state::kClearLow, 0x33221100)
                     .draw({0, 0, 4, 1}));
    EXPECT_EQ(m.unimplemented(), 1u);
    EXPECT_EQ(m.ram.words(kDstAt, 8), Words(8, 0));
}

} // namespace
} // namespace pixmill::test
