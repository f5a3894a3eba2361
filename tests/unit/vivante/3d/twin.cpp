/*
 * Compares the 3D engine with reference::Vivante3d on random scenes. All memory regions of a scene
 * must be equal, however the device splits its work. Also checks that each feature affects the
 * compared memory.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../../../random_setting.hpp"
#include "../../../reference/vivante/3d/vivante_3d.hpp"
#include "../machine.hpp"
#include "scenes/random_scene.hpp"
#include "tests/processor.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kScenes = 2000;

struct TwinCore {
    const char* name;
    const char* model;
    reference::Vivante3dFeatures features;
    /* Scenes that once failed, with the cause. Any change of random_scene() changes them, too. */
    std::vector<RandomCase> once_failed;
};
std::ostream& operator<<(std::ostream& to, const TwinCore& core) {
    return to << core.name;
}

const TwinCore kCores[] = {
    {"Gc2000",
     "gc2000-imx6q",
     {},
     {
         {71, 24050}, /* positions on a cube face were rounded twice */
         {72, 35592}, /* an alpha of almost 1 flushed tiny numbers to zero */
         {81, 39499}, /* samples were on the borders of texels */
         {87, 5208},  /* a program took the derivative of a constant */
     }},
    {"Gc3000", "gc3000-imx6qp", reference::vivante_gc3000, {}},
    {"Gc7000ul",
     "gc7000-imx8mp",
     reference::vivante_gc7000ul,
     {
         {1, 235}, /* threads lost the rest of a cleared unit of tile status */
     }},
};

constexpr uint32_t kCommands = 0x40000000; /* address of the stream, far from any scene */

/* Options for running a scene on the device, which must not change the result. */
struct Ways {
    explicit Ways(uint64_t number)
        : portable(number % 4 == 3), scattered(number % 3 == 1), migrates(number % 16 == 5),
          threads(number % 2 ? 3 : 1),
          jit(number % 4 == 1 || number % 4 == 2 ? PIXMILL_VIVANTE_JIT_ALWAYS
                                                 : PIXMILL_VIVANTE_JIT_NEVER),
          budget(number % 5 == 2 || migrates ? 20'000 : 1 << 24) {}
    bool portable, scattered, migrates;
    uint32_t threads;
    uint32_t jit;
    uint64_t budget;
};

std::vector<uint8_t> on_device(const char* model, const Scene& scene, const Ways& ways) {
    const processor::Portable portable(ways.portable);
    Machine m(MachineOptions{
        .model = model,
        .render_threads = ways.threads,
        .render_share = 1,
        .quirks_off =
            (scene.solid_triangles ? 0u : PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES) |
            (scene.shared_stencil_masks ? 0u : PIXMILL_VIVANTE_QUIRK_SHARED_STENCIL_MASKS) |
            (scene.large_points ? 0u : PIXMILL_VIVANTE_QUIRK_LARGE_POINTS),
        .jit = ways.jit,
        .ram_base = scene.base,
        .ram_size = scene_bytes,
        .grain = ways.scattered ? 0x1000u : 0u,
        .draw_budget = ways.budget});
    m.allow_logs(); /* random shaders may do invalid things */
    const std::vector<uint8_t> before = initial_memory(scene);
    m.ram.put(scene.base, before.data(), before.size());
    Words words = stream(scene);
    words.insert(words.end(), {0x10000000, 0});
    m.ram.add(kCommands, (4 * words.size() + 0xFFFF) & ~uint64_t(0xFFFF));
    /* A start prefetches at most 65,535 qwords. */
    m.ram.set_words(kCommands, words);
    EXPECT_LT(words.size() / 2, 0x10000u);
    m.start(kCommands, uint32_t(words.size() / 2));
    for (int i = 0; i < 2'000'000 && m.step(INT64_MAX); i++)
        if (ways.migrates && i % 23 == 22)
            m.migrate();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu) << m.log_text();
    std::vector<uint8_t> after(scene_bytes);
    m.ram.get(scene.base, after.data(), after.size());
    return after;
}

std::vector<uint8_t> on_reference(const Scene& scene) {
    reference::Vivante3d::Memory memory{scene.base, initial_memory(scene)};
    reference::Vivante3d engine(memory, reference_features(scene));
    for (const Command& command : scene.commands)
        play(engine, command);
    return memory.bytes;
}

std::string features_of(const Scene& scene) {
    std::string names;
    for (unsigned f = 0; f < unsigned(Feature::count); f++)
        if (scene.has(Feature(f)))
            names += std::string(" ") + name_of(Feature(f));
    return names;
}

/// Returns the features without which a scene that differs does not.
std::string causes(const char* model, const Scene& scene, const Ways& ways) {
    Scene cause;
    for (unsigned f = 0; f < unsigned(Feature::count); f++) {
        Scene other = scene;
        if (scene.has(Feature(f)) && without(other, Feature(f)) &&
            difference(other, on_reference(other), on_device(model, other, ways)).empty())
            cause.features |= uint64_t(1) << f;
    }
    return features_of(cause);
}

/// Records which features have had an effect on the compared memory.
class Shown {
public:
    void look(const Scene& scene, const std::vector<uint8_t>& expected) {
        for (unsigned f = 0; f < unsigned(Feature::count); f++) {
            if (shown_ >> f & 1 || !scene.has(Feature(f)))
                continue;
            Scene other = scene;
            if (without(other, Feature(f)) &&
                !difference(scene, expected, on_reference(other)).empty())
                shown_ |= uint64_t(1) << f;
        }
    }
    /// Returns the features of a core's scenes that had no effect.
    std::string missing(const reference::Vivante3dFeatures& core) const {
        Scene none;
        none.features = ~shown_ & possible_features(core);
        return features_of(none);
    }

private:
    uint64_t shown_ = 0;
};

class Vivante3dTwin : public testing::TestWithParam<TwinCore> {};

INSTANTIATE_TEST_SUITE_P(Cores, Vivante3dTwin, testing::ValuesIn(kCores),
                         [](const auto& core) { return std::string(core.param.name); });

TEST_P(Vivante3dTwin, DrawsWhatTheReferenceDraws) {
    const TwinCore& core = GetParam();
    RandomCases cases(kScenes, core.once_failed);
    uint64_t differ = 0;
    Shown shown;
    for (const auto [seed, number] : cases) {
        const Scene scene = random_scene(seed * 1'000'003 + number, core.features);
        const std::vector<uint8_t> expected = on_reference(scene);
        shown.look(scene, expected);
        const std::string seen =
            difference(scene, expected, on_device(core.model, scene, Ways(number)));
        if (seen.empty())
            continue;
        ADD_FAILURE() << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << ":"
                      << features_of(scene) << "\n"
                      << seen << "equal without one of:" << causes(core.model, scene, Ways(number));
        if (++differ == setting("PIXMILL_MOST", 10))
            break;
    }
    constexpr uint64_t enough = 1000; // this many scenes include every feature
    if (cases.played() >= enough) {
        EXPECT_EQ(shown.missing(core.features), "");
    }
}

} // namespace
} // namespace pixmill::test
