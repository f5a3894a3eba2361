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
            std::visit([this](const auto& value) { play(value); }, command);
    }
    const std::vector<uint8_t>& memory() const { return memory_.bytes; }
    bool hung() const { return engine_.hung(); }

private:
    void play(const Burst& burst) {
        for (size_t i = 0; i < burst.words.size(); i++)
            engine_.load_state(burst.address + 4 * static_cast<uint32_t>(i), burst.words[i]);
    }
    void play(const Draw& draw) {
        if (draw.indexed)
            engine_.draw_indexed(draw.type, draw.start, draw.primitives, draw.offset);
        else
            engine_.draw(draw.type, draw.start, draw.primitives);
    }

    Vivante3d::Memory memory_;
    Vivante3d engine_;
};

uint64_t seed_of(const RandomCase& c) {
    return (c.seed << 32) + c.number;
}

TEST(Vivante3dScenes, ASeedIsOneScene) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        const Scene a = random_scene(seed), b = random_scene(seed);
        EXPECT_EQ(stream(a), stream(b));
        EXPECT_EQ(initial_memory(a), initial_memory(b));
        EXPECT_NE(stream(a), stream(random_scene(seed + 1)));
    }
}

TEST(Vivante3dScenes, ScenesFitIntoTheirMemory) {
    RandomCases cases(2000);
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const Scene scene = random_scene(seed);
        ASSERT_FALSE(scene.regions.empty() && scene.features) << seed;
        for (const Region& region : scene.regions)
            ASSERT_LE(region.address + region.bytes, scene.base + scene_bytes) << seed;
        for (const Chunk& chunk : scene.memory)
            ASSERT_LE(chunk.address + chunk.bytes.size(), scene.base + scene_bytes) << seed;
    }
}

TEST(Vivante3dScenes, StreamsAreWholeCommands) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        const Scene scene = random_scene(seed);
        const std::vector<uint32_t> words = stream(scene);
        size_t at = 0, commands = 0;
        for (; at < words.size(); commands++) {
            ASSERT_EQ(at % 2, 0u);
            const uint32_t opcode = words[at] >> 27, count = words[at] >> 16 & 0x3FF;
            ASSERT_TRUE(opcode == 1 || opcode == 5 || opcode == 6) << opcode;
            at += opcode == 1 ? (count + 2) / 2 * 2 : opcode == 5 ? 4 : 6;
        }
        EXPECT_EQ(at, words.size());
        EXPECT_EQ(commands, scene.commands.size());
    }
}

/* Disabling a feature must change the pixels of enough scenes that have it. */
TEST(Vivante3dScenes, FeaturesChangePixels) {
    RandomCases cases(300);
    std::array<unsigned, features> has{}, matters{};
    unsigned hung = 0;
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        Scene scene = random_scene(seed);
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
        const char* name = name_of(static_cast<Feature>(f));
        std::cout << name << ": " << matters[f] << " of " << has[f] << '\n';
        EXPECT_GE(has[f], least(0.01 * static_cast<double>(cases.played()))) << name;
        if (has[f] >= 30) { // with fewer scenes, there may be no effect by chance
            EXPECT_GE(matters[f] * 8, has[f]) << name;
        }
    }
}

TEST(Vivante3dScenes, ManyScenesAreCompared) {
    RandomCases cases(2000);
    uint64_t exact = 0;
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const Scene scene = random_scene(seed);
        const Player player(scene);
        ASSERT_EQ(difference(scene, player.memory(), player.memory()), "");
        ASSERT_FALSE(scene.tolerance.reason.empty()) << seed;
        exact += scene.tolerance.channel == 0;
    }
    const auto scenes = static_cast<double>(cases.played());
    EXPECT_GE(exact, least(0.5 * scenes));
    EXPECT_GE(cases.played() - exact, least(0.25 * scenes));
}

TEST(Vivante3dScenes, DifferencesAreSeen) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        const Scene scene = random_scene(seed);
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
