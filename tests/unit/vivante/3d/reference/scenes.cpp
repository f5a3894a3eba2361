/*
 * Checks of the random scenes, with the reference: they are reproducible, their features
 * affect pixels, and the comparison detects differences.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <iostream>

#include "../../../../random_setting.hpp"
#include "../../../../reference/vivante/3d/vivante_3d.hpp"
#include "../scenes/random_scene.hpp"

namespace pixmill::test {
namespace {

using reference::Vivante3d;

constexpr unsigned features = static_cast<unsigned>(Feature::count);

class Player {
public:
    explicit Player(const Scene& scene)
        : memory_{scene.base, initial_memory(scene)}, engine_(memory_, reference_features(scene)) {
        for (const Command& command : scene.commands)
            play(engine_, command);
    }
    const std::vector<uint8_t>& memory() const { return memory_.bytes; }
    bool hung() const { return engine_.hung(); }

private:
    Vivante3d::Memory memory_;
    Vivante3d engine_;
};

uint64_t seed_of(const RandomCase& c) {
    return (c.seed << 32) + c.number;
}

struct Core {
    const char* name;
    reference::Vivante3dFeatures features;
};

class Vivante3dScenes : public testing::TestWithParam<Core> {
protected:
    static Scene scene_of(uint64_t seed) { return random_scene(seed, GetParam().features); }
};

INSTANTIATE_TEST_SUITE_P(Cores, Vivante3dScenes,
                         testing::Values(Core{"Gc2000", {}},
                                         Core{"Gc3000", reference::vivante_gc3000},
                                         Core{"Gc7000ul", reference::vivante_gc7000ul}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Vivante3dScenes, ASeedIsOneScene) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        const Scene a = scene_of(seed), b = scene_of(seed);
        EXPECT_EQ(stream(a), stream(b));
        EXPECT_EQ(initial_memory(a), initial_memory(b));
        EXPECT_NE(stream(a), stream(scene_of(seed + 1)));
    }
}

TEST_P(Vivante3dScenes, ScenesFitIntoTheirMemory) {
    RandomCases cases(2000);
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const Scene scene = scene_of(seed);
        ASSERT_FALSE(scene.regions.empty() && scene.features) << seed;
        for (const Region& region : scene.regions)
            ASSERT_LE(region.address + region.bytes, scene.base + scene_bytes) << seed;
        for (const Chunk& chunk : scene.memory)
            ASSERT_LE(chunk.address + chunk.bytes.size(), scene.base + scene_bytes) << seed;
    }
}

TEST_P(Vivante3dScenes, StreamsAreWholeCommands) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        const Scene scene = scene_of(seed);
        const std::vector<uint32_t> words = stream(scene);
        size_t at = 0, commands = 0;
        for (; at < words.size(); commands++) {
            ASSERT_EQ(at % 2, 0u);
            const uint32_t opcode = words[at] >> 27, count = words[at] >> 16 & 0x3FF;
            ASSERT_TRUE(opcode == 1 || opcode == 5 || opcode == 6 || opcode == 12) << opcode;
            at += opcode == 1 ? (count + 2) / 2 * 2 : opcode == 6 ? 6 : 4;
        }
        EXPECT_EQ(at, words.size());
        EXPECT_EQ(commands, scene.commands.size());
    }
}

/* Disabling a feature must change the pixels of enough scenes that have it. */
TEST_P(Vivante3dScenes, FeaturesChangePixels) {
    RandomCases cases(300);
    std::array<unsigned, features> has{}, matters{};
    unsigned hung = 0;
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        Scene scene = scene_of(seed);
        const Player whole(scene);
        hung += whole.hung();
        scene.tolerance = {};
        for (unsigned f = 0; f < features; f++) {
            const Feature feature = static_cast<Feature>(f);
            if (!scene.has(feature))
                continue;
            has[f]++;
            Scene other = scene;
            ASSERT_TRUE(without(other, feature)) << name_of(feature) << " of seed " << seed;
            matters[f] += !difference(scene, whole.memory(), Player(other).memory()).empty();
        }
    }
    EXPECT_EQ(hung, 0u);
    for (unsigned f = 0; f < features; f++) {
        if (!(possible_features(GetParam().features) >> f & 1)) {
            EXPECT_EQ(has[f], 0u);
            continue;
        }
        const char* name = name_of(static_cast<Feature>(f));
        std::cout << name << ": " << matters[f] << " of " << has[f] << '\n';
        EXPECT_GE(has[f], least(0.01 * static_cast<double>(cases.played()))) << name;
        if (has[f] >= 30) { // with fewer scenes, there may be no effect by chance
            EXPECT_GE(matters[f] * 8, has[f]) << name;
        }
    }
}

TEST_P(Vivante3dScenes, ManyScenesAreCompared) {
    RandomCases cases(2000);
    uint64_t exact = 0;
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const Scene scene = scene_of(seed);
        const Player player(scene);
        ASSERT_EQ(difference(scene, player.memory(), player.memory()), "");
        ASSERT_FALSE(scene.tolerance.reason.empty()) << seed;
        exact += scene.tolerance.channel == 0;
    }
    const auto scenes = static_cast<double>(cases.played());
    EXPECT_GE(exact, least(0.5 * scenes));
    EXPECT_GE(cases.played() - exact, least(0.25 * scenes));
}

TEST_P(Vivante3dScenes, DifferencesAreSeen) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        const Scene scene = scene_of(seed);
        const std::vector<uint8_t> before = initial_memory(scene);
        for (const Region& region : scene.regions) {
            const auto changed = [&](uint32_t by, uint32_t step) {
                std::vector<uint8_t> memory = before;
                for (uint32_t i = 0; i < region.bytes; i += step) {
                    uint8_t& byte = memory[region.address - scene.base + i];
                    byte = static_cast<uint8_t>(byte < 128 ? byte + by : byte - by);
                }
                return !difference(scene, before, memory).empty();
            };
            // A difference of 64 in the low byte of every pixel exceeds any tolerance and any
            // number of outliers.
            EXPECT_TRUE(changed(64, region.pixel_bytes)) << seed << ' ' << region.name;
            if (scene.tolerance.channel == 0 && scene.tolerance.outliers == 0) {
                EXPECT_TRUE(changed(1, region.bytes)) << seed << ' ' << region.name;
            }
        }
    }
}

} // namespace
} // namespace pixmill::test
