/*
 * Multi-source blits, which compose up to four or eight sources in one pass. Source 0
 * uses the registers of ordinary blits, the others use register blocks (gcbv, nano2D;
 * rnndb DE.MULTI_SOURCE, BLOCK4, BLOCK8).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

/* The layout of the register blocks of sources 1 and up. */
struct Block {
    const char* model;
    uint32_t base, pitch, group; /* address of the first group, bytes per entry, bytes per group */
    uint32_t sources;

    uint32_t at(uint32_t reg, uint32_t n) const {
        static constexpr uint32_t order[] = {state::kSrcAddress,        state::kSrcStride,
                                             state::kSrcRotation,       state::kSrcConfig,
                                             state::kSrcOrigin,         state::kSrcSize,
                                             state::kSrcColorBg,        state::kRop,
                                             state::kAlphaControl,      state::kAlphaModes,
                                             state::kUPlaneAddress,     state::kUPlaneStride,
                                             state::kVPlaneAddress,     state::kVPlaneStride,
                                             state::kSrcRotationHeight, state::kRotAngle,
                                             state::kGlobalSrcColor,    state::kGlobalDestColor,
                                             state::kColorMultiply,     state::kTransparency,
                                             state::kPeControl,         state::kSrcColorKeyHigh,
                                             state::kSrcExConfig,       state::kSrcExAddress};
        if (n == 0)
            return reg;
        const auto* found = std::find(std::begin(order), std::end(order), reg);
        return base + static_cast<uint32_t>(found - std::begin(order)) * group + n * pitch;
    }
};

constexpr Block kBlocks[] = {{kMulti4, state::kBlock4, 4, 0x10, 4},
                             {kMulti8, state::kBlock8, 4, 0x20, 8}};

constexpr uint32_t source_at(uint32_t n) {
    return kSrcAt + n * 0x4000;
}

class Vivante2dMultiSource : public testing::TestWithParam<Block> {
protected:
    /* Returns @states for source @n, after the states of a plain copy. */
    Writes source(uint32_t n, const Writes& states) const {
        const Block& block = GetParam();
        Writes result = {{block.at(state::kSrcAddress, n), source_at(n)},
                         {block.at(state::kSrcStride, n), 32},
                         {block.at(state::kSrcConfig, n), 0x06000000},
                         {block.at(state::kSrcOrigin, n), 0},
                         {block.at(state::kSrcSize, n), 0x7FFF7FFF},
                         {block.at(state::kRop, n), rop4(0xCC)}};
        for (const Write& w : states)
            result.push_back({block.at(w.addr, n), w.value});
        return result;
    }
    Scene& base(Scene& scene, uint32_t sources, const Writes& states = {}) const {
        return scene.base(8, 4, kCommandMultiSource, states).set(state::kMultiSource, sources - 1);
    }
};

const Writes kOver = {{state::kAlphaControl, 1}, {state::kAlphaModes, 0x31000000}};

TEST_P(Vivante2dMultiSource, TwoSourcesOverOneDestination) {
    Scene scene(GetParam().model);
    scene.words(source_at(0), {0x80402010})
        .words(source_at(1), {0x40200000})
        .words(kDstAt, {0xFF336699});
    base(scene, 2)
        .set(source(0, kOver))
        .set(source(1, kOver))
        .draw({0, 0, 1, 1})
        .run()
        .expect_words(kDstAt, {0xFF633E45});
}

/* Sources are blended in RGB. In BT.601, (81, 90, 240) is red, but red becomes (82, 90, 240). */
TEST_P(Vivante2dMultiSource, OneYuvSourceOntoYuvGoesThroughRgb) {
    Scene scene(GetParam().model);
    scene.bytes(kSrcAt, {81, 90, 81, 240})
        .base(2, 1, kCommandMultiSource,
              {{state::kSrcConfig, kYuy2 << 24},
               {state::kDestConfig, dest_config(kYuy2, kCommandMultiSource)},
               {state::kMultiSource, 0}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_bytes(kDstAt, {82, 90, 82, 240});
}

TEST_P(Vivante2dMultiSource, EveryStageHasItsOwnStates) {
    Scene scene(GetParam().model);
    scene.words(source_at(0), count_from(0x10, 8))
        .halves(source_at(1), {0xF800, 0x07E0, 0x001F, 0xF800, 0, 0, 0, 0})
        .words(source_at(2), count_from(0xFF000000, 8))
        .words(kDstAt, Words(8, 0x77777777));
    base(scene, 3)
        .set(source(0, {}))
        .set(source(1, {{state::kSrcConfig, 0x04000000},
                        {state::kSrcColorBg, 0xF800},
                        {state::kSrcColorKeyHigh, 0xF800},
                        {state::kTransparency, 2},
                        {state::kRop, 0x0030AACC}}))
        .set(
            source(2, {{state::kRotAngle, 1}, {state::kSrcRotation, 8}, {state::kRop, rop4(0x66)}}))
        .draw({0, 0, 4, 1})
        .run();
    /* Source 0 is copied, then source 1 except where it is red. Source 2 is mirrored and XORed. */
    scene.expect_words(kDstAt, {0x10u ^ 0xFF000007, 0xFF00FF00u ^ 0xFF000006,
                                0xFF0000FFu ^ 0xFF000005, 0x13u ^ 0xFF000004, 0x77777777});
}

/* A source is read at the destination's coordinates plus the source's origin. */
TEST_P(Vivante2dMultiSource, SourcesLieUnderTheDestination) {
    Scene scene(GetParam().model);
    scene.words(source_at(0), count_from(0x100, 32)).words(source_at(1), count_from(0x8000, 32));
    base(scene, 2)
        .set(source(0, {}))
        .set(source(1, {{state::kSrcOrigin, pack_xy(1, -1)}, {state::kRop, rop4(0xEE)}}))
        .draw(std::vector<Rect>{{2, 1, 4, 2}, {6, 3, 7, 4}})
        .run()
        .expect_words(kDstAt + 32 + 8, {0x10A | 0x8003, 0x10B | 0x8004})
        .expect_words(kDstAt + 96 + 24, {0x11E | 0x8017});
}

TEST_P(Vivante2dMultiSource, AsManySourcesAsTheCoreHas) {
    const uint32_t sources = GetParam().sources;
    Scene scene(GetParam().model);
    base(scene, sources);
    for (uint32_t n = 0; n < sources; n++) {
        scene.words(source_at(n), {1u << n});
        scene.set(source(n, {{state::kRop, rop4(n ? 0xEE : 0xCC)}}));
    }
    scene.draw({0, 0, 1, 1}).run().expect_words(kDstAt, {(1u << sources) - 1});
}

TEST_P(Vivante2dMultiSource, EntryZeroOfTheBlockIsIgnored) {
    Scene scene(GetParam().model);
    scene.words(source_at(0), {5});
    base(scene, 1);
    for (uint32_t group = 0; group < 24; group++)
        scene.set(GetParam().base + group * GetParam().group, 0x13579BDF);
    scene.set(source(0, {})).draw({0, 0, 1, 1}).run().expect_words(kDstAt, {5});
}

TEST_P(Vivante2dMultiSource, MoreSourcesThanTheCoreHas) {
    Scene scene(GetParam().model);
    scene.m.allow_logs();
    base(scene, GetParam().sources);
    for (uint32_t n = 0; n < GetParam().sources; n++) {
        scene.words(source_at(n), {1u << n});
        scene.set(source(n, {{state::kRop, rop4(n ? 0xEE : 0xCC)}}));
    }
    scene.set(state::kMultiSource, 7).draw({0, 0, 1, 1}).run();
    scene.expect_words(kDstAt, {(1u << GetParam().sources) - 1});
}

TEST_P(Vivante2dMultiSource, BlockSizesDoNotChangeThePicture) {
    for (uint32_t blocks : {0x00000000u, 0x00070500u, 0x00030200u}) {
        Scene scene(GetParam().model);
        const Words picture = count_from(0x100, 32);
        scene.words(source_at(0), picture).words(source_at(1), Words(32, 0));
        base(scene, 2)
            .set(state::kMultiSource, blocks | 1)
            .set(source(0, {}))
            .set(source(1, {{state::kRop, rop4(0xEE)}}))
            .draw({0, 0, 8, 4})
            .run()
            .expect_words(kDstAt, picture);
    }
}

TEST_P(Vivante2dMultiSource, StagesKeepEightBitsForA565Destination) {
    Scene scene(GetParam().model); /* blue is 4 + 4 = 8, the lowest value that RGB565 can store */
    scene.words(source_at(0), {0xFF000004}).words(source_at(1), {0xFF000004});
    base(scene, 2)
        .set({{state::kDestConfig, dest_config(kR5G6B5, kCommandMultiSource)},
              {state::kDestStride, 16}})
        .set(source(0, {}))
        .set(source(1, {{state::kAlphaControl, 1}, {state::kAlphaModes, 0x11000000}}))
        .draw({0, 0, 1, 1})
        .run()
        .expect_halves(kDstAt, {0x0001});
}

TEST_P(Vivante2dMultiSource, StagesWithoutOperandsRewriteTheDestination) {
    Scene scene(GetParam().model);
    scene.words(kDstAt, {0x12345678});
    base(scene, 2)
        .set(source(0, {{state::kRop, rop4(0xAA)}, {state::kSrcAddress, 0x70000000}}))
        .set(source(1, {{state::kRop, rop4(0xAA)}, {state::kSrcAddress, 0x70000000}}))
        .draw({0, 0, 1, 1})
        .run();
}

TEST_P(Vivante2dMultiSource, PlanarYuvSourceAboveAnRgbOne) {
    Scene scene(GetParam().model);
    const uint32_t u = source_at(1) + 0x1000;
    scene.words(source_at(0), Words(8, 0xFF112233))
        .bytes(source_at(1), {81, 81, 81, 81})
        .bytes(u, {90, 240, 90, 240});
    base(scene, 2)
        .set(source(0, {}))
        .set(source(1, {{state::kSrcConfig, kNv12 << 24},
                        {state::kUPlaneAddress, u},
                        {state::kUPlaneStride, 32},
                        {state::kRop, rop4(0xCC)}}))
        .draw({1, 0, 3, 1})
        .run()
        .expect_words(kDstAt, {0, 0xFFFF0000, 0xFFFF0000, 0});
}

TEST_P(Vivante2dMultiSource, MigrationBetweenAllSlices) {
    std::mt19937 random(3);
    Scene scene(
        {.model = GetParam().model, .ram_size = Scene::kRam, .budget = 5, .draw_budget = 32});
    const Words a = random_words(random, 32);
    const Words b = random_words(random, 32);
    scene.words(source_at(0), a).words(source_at(1), b);
    base(scene, 2)
        .set(source(0, {}))
        .set(source(1, {{state::kRop, rop4(0x66)}}))
        .draw({0, 0, 8, 4})
        .run_migrating();
    Words expected;
    for (size_t i = 0; i < 32; i++)
        expected.push_back(a[i] ^ b[i]);
    scene.expect_words(kDstAt, expected);
}

INSTANTIATE_TEST_SUITE_P(Cores, Vivante2dMultiSource, testing::ValuesIn(kBlocks),
                         [](const auto& block) {
                             return block.param.sources == 4 ? "Block4" : "Block8";
                         });

} // namespace
} // namespace pixmill::test
