// Linkage of HALTI5, where states name the components of all varyings one after another. Words are
// those that Mesa 25.0 writes (etnaviv_shader.c). Fields: rnndb state.xml, state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "pixmill/vivante.h"
#include "vivante/3d/pa/pa.hpp"
#include "vivante/3d/ra/ra.hpp"

namespace pixmill::vivante {
namespace {

using Writes = std::initializer_list<std::pair<uint32_t, uint32_t>>;

struct Linkage {
    explicit Linkage(const Writes& writes) {
        features.halti2 = features.halti5 = true;
        for (const auto& [address, value] : writes)
            words[address / 4] = value;
    }
    Varyings varyings() const { return Varyings::decode(States(words.data()), features); }
    std::optional<uint8_t> point_size(uint32_t count) const {
        return point_size_output(States(words.data()), features, count);
    }

    Features3d features;
    std::vector<uint32_t> words = std::vector<uint32_t>(PIXMILL_VIVANTE_STATE_WORDS);
};

constexpr auto generic = ComponentUse::generic;

TEST(PaLinkage, IsFlatByComponent) {
    // A smooth vec4, a flat vec3, and a smooth vec2 with centroids.
    const Varyings v = Linkage({{0x0A30, 0x300},
                                {0x0A90, 0x234},
                                {0x3888, 0x7F7F7F00},
                                {0x38C0, 0x42220000},
                                {0x38C4, 0x00000004}})
                           .varyings();
    ASSERT_EQ(v.count, 3u);
    EXPECT_EQ(v.components[0], 4);
    EXPECT_EQ(v.components[1], 3);
    EXPECT_EQ(v.components[2], 2);
    EXPECT_EQ(v.flat[0], 0);
    EXPECT_EQ(v.flat[1], 0b111);
    EXPECT_EQ(v.flat[2], 0);
    for (unsigned c = 0; c < 4; c++)
        EXPECT_EQ(v.use[0][c], generic);
}

TEST(PaLinkage, HasRulesOfInterpolation) {
    const Varyings v =
        Linkage({{0x0A30, 0x100}, {0x0A90, 4}, {0x3888, 0x7F7F7F00}, {0x38C0, 0x5140}}).varyings();
    EXPECT_EQ(v.rule[0][0], Varyings::centered);
    EXPECT_EQ(v.rule[0][1], 0);
    EXPECT_EQ(v.rule[0][2], Varyings::linear | Varyings::centered);
    EXPECT_EQ(v.rule[0][3], Varyings::linear);
    EXPECT_EQ(v.rules, 0b1111);
}

/* All four rules: in perspective or linear, at the center or the centroid. */
TEST(PaLinkage, HasNoCentersOfSingleSamples) {
    Linkage linkage({{0x0A30, 0x100}, {0x0A90, 4}, {0x3888, 0x7F7F7F00}, {0x38C0, 0x5140}});
    const auto rules = [&] {
        return RaSetup::decode(States(linkage.words.data()), linkage.features).varyings.rules;
    };
    EXPECT_EQ(rules(), 1 | 1 << Varyings::linear);
    linkage.words[0x3818 / 4] = 2; // four samples
    EXPECT_EQ(rules(), 0b1111);
}

TEST(PaLinkage, NoPointCoordinateIsFlat) {
    Linkage linkage({{0x0A30, 0x100}, {0x0A90, 4}, {0x3888, 0x7F7F0000}, {0x38C0, 0x2222}});
    EXPECT_EQ(linkage.varyings().flat[0], 0b1100);
    linkage = Linkage({{0x0A30, 0x100}, {0x3820, 4}, {0x3828, 0xE}});
    linkage.features.halti5 = false;
    EXPECT_EQ(linkage.varyings().flat[0], 0b1100);
}

TEST(PaLinkage, HasPointCoordinates) {
    const Varyings v = Linkage({{0x0A30, 0x200}, {0x0A90, 0x24}, {0x3888, 0x7F7F0400}}).varyings();
    for (unsigned c = 0; c < 4; c++)
        EXPECT_EQ(v.use[0][c], generic);
    EXPECT_EQ(v.use[1][0], ComponentUse::point_coord_x);
    EXPECT_EQ(v.use[1][1], ComponentUse::point_coord_y);
}

TEST(PaLinkage, IgnoresTheStatesOfEarlierCores) {
    const Varyings v =
        Linkage({{0x0A30, 0x100}, {0x0A90, 4}, {0x3820, 1}, {0x3828, 0xE}, {0x3888, 0x7F7F7F00}})
            .varyings();
    EXPECT_EQ(v.components[0], 4);
    EXPECT_EQ(v.use[0][0], generic);
}

TEST(PaLinkage, NamesThePointSize) {
    EXPECT_EQ(Linkage({{0x3888, 0x7F7F7F08}}).point_size(1), 2);
    EXPECT_EQ(Linkage({{0x3888, 0x7F7F7F00}}).point_size(1), std::nullopt);
    EXPECT_EQ(Linkage({{0x3888, 0x7F7F7F7F}}).point_size(1), std::nullopt) << "not an output";
}

TEST(PaLinkage, CountsOutputsOnEarlierCores) {
    for (const uint32_t outputs : {2u, 3u}) {
        Linkage linkage({{0x0804, outputs}});
        linkage.features.halti5 = false;
        EXPECT_EQ(linkage.point_size(1), outputs == 3 ? std::optional<uint8_t>(2) : std::nullopt);
    }
}

} // namespace
} // namespace pixmill::vivante
