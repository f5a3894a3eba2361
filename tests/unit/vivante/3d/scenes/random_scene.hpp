// Random scenes to compare two 3D engines: meaningful states, memory and draws. Independent of the
// device.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "../../../../reference/vivante/3d/vivante_3d.hpp"

namespace pixmill::test {

/// A LOAD_STATE command that writes consecutive states, starting at byte address `address`. The
/// words have the format of the states.
struct Burst {
    uint32_t address = 0;
    std::vector<uint32_t> words;
};

/// A DRAW_PRIMITIVES or DRAW_INDEXED_PRIMITIVES command, or, with instances, DRAW_INSTANCED.
struct Draw {
    uint32_t type = 0, start = 0, primitives = 0;
    bool indexed = false;
    int32_t offset = 0;
    uint32_t vertices = 0, instances = 0; ///< instead of `primitives`
};

using Command = std::variant<Burst, Draw>;

struct Chunk {
    uint32_t address = 0;
    std::vector<uint8_t> bytes;
    bool is_code = false;
};

/// Features of scenes. Tests count how many scenes have each feature.
enum class Feature : unsigned {
    rs_fill,
    rs_copy,
    rs_convert,
    rs_flip,
    rs_downsample,
    color_status,
    depth_status,
    points,
    lines,
    triangles,
    strips,
    fans,
    indexed,
    restart,
    vertex_formats,
    matrix,
    clipped,
    culling,
    fill_modes,
    scissor,
    depth,
    stencil,
    polygon_offset,
    alpha_test,
    blend,
    color_mask,
    targets,
    samples,
    sample_mask,
    query,
    flat,
    smooth,
    point_sprite,
    arithmetic,
    tiny,
    kill,
    branch,
    loop,
    derivatives,
    indirect,
    face,
    shader_depth,
    texture_2d,
    texture_cube,
    texture_3d,
    texture_array,
    linear_texture,
    compressed,
    mipmaps,
    srgb,
    vertex_texture,
    one_color,
    instances, // from here on, only of cores with HALTI2
    numbers,
    integers,
    memory_loads,
    float_targets,
    integer_targets,
    early_depth,
    shadow,
    sampler_status,
    rs_in_place,
    srgb_targets, // of cores with HALTI5
    count,
};
const char* name_of(Feature feature);
/// Returns a mask of the features that scenes of a core have.
uint64_t possible_features(const reference::Vivante3dFeatures& core);

struct ChannelBits {
    unsigned shift = 0, width = 0;
};

/// A range of memory that is compared after the scene.
struct Region {
    std::string name;
    uint32_t address = 0, bytes = 0;
    unsigned pixel_bytes = 4;
    uint32_t mask = 0xFFFFFFFF;        ///< bits of a pixel to compare
    std::vector<ChannelBits> channels; ///< channels to which a tolerance applies
    uint32_t width = 0;                ///< pixels per row, used in messages
};

/// The allowed difference between two engines, and its reason.
struct Tolerance {
    double channel = 0;  ///< fraction of a channel's range; 0: bit-exact
    double outliers = 0; ///< fraction of a region's pixels that may differ more
    std::string reason;  ///< why results may differ
};

struct Scene {
    uint64_t seed = 0;
    uint32_t base = 0;
    reference::Vivante3dFeatures core; ///< the core that the commands are for
    std::vector<Chunk> memory;         ///< all other memory is 0
    std::vector<Command> commands;
    std::vector<Region> regions;
    Tolerance tolerance;
    uint64_t features = 0;
    bool solid_triangles = true; ///< the core's quirks of these names
    bool shared_stencil_masks = true;
    bool large_points = true;

    bool has(Feature feature) const { return features >> static_cast<unsigned>(feature) & 1; }
};
static_assert(static_cast<unsigned>(Feature::count) <= 64);

/// The size of a scene's memory, which starts at its base.
constexpr uint32_t scene_bytes = 4 << 20;

/// Returns the same scene for the same seed and core on every host. `base` must be 64 KiB aligned.
Scene random_scene(uint64_t seed, const reference::Vivante3dFeatures& core = {},
                   uint32_t base = 0x10000000);

/// Returns the core's quirks with which the reference must play the scene.
inline reference::Vivante3dFeatures reference_features(const Scene& scene) {
    reference::Vivante3dFeatures features = scene.core;
    features.solid_triangles = scene.solid_triangles;
    features.shared_stencil_masks = scene.shared_stencil_masks;
    features.large_points = scene.large_points;
    return features;
}

/// Plays a command on the reference.
inline void play(reference::Vivante3d& engine, const Command& command) {
    if (const auto* burst = std::get_if<Burst>(&command)) {
        uint32_t address = burst->address;
        for (const uint32_t word : burst->words) {
            engine.load_state(address, word);
            address += 4;
        }
        return;
    }
    const auto& draw = std::get<Draw>(command);
    if (draw.instances)
        engine.draw({.type = draw.type,
                     .vertices = draw.vertices,
                     .instances = draw.instances,
                     .first = draw.indexed ? static_cast<uint32_t>(draw.offset) : draw.start,
                     .indexed = draw.indexed});
    else if (draw.indexed)
        engine.draw_indexed(draw.type, draw.start, draw.primitives, draw.offset);
    else
        engine.draw(draw.type, draw.start, draw.primitives);
}

/// Returns the contents of memory before the scene.
std::vector<uint8_t> initial_memory(const Scene& scene);

/// Returns the command words of the scene, without an END. Each burst is one LOAD_STATE.
std::vector<uint32_t> stream(const Scene& scene);

/// Compares scene_bytes of memory from two engines. Returns the differences, or an empty string.
std::string difference(const Scene& scene, std::span<const uint8_t> expected,
                       std::span<const uint8_t> is);

/// Removes a feature from the scene, to find out whether it has an effect. Returns false if that is
/// not possible.
bool without(Scene& scene, Feature feature);

} // namespace pixmill::test
