// A sampler that is ready for use: everything that does not depend on coordinates.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "kernels.hpp"
#include "memory.hpp"
#include "numbers.hpp"
#include "setup.hpp"

namespace pixmill::vivante::te {

/// The meaning of the coordinate that selects a texel in addition to s and t.
enum class Layers : uint8_t {
    none,
    faces,  ///< of a cube
    rows,   ///< t, unfiltered: layers of a 1D texture, stored as rows
    slices, ///< r, unfiltered: layers of a 2D texture
    volume, ///< r, filtered
};

/// A comparison replaces each texel by 1 or 0 before it is filtered (OpenGL ES 3.0, 3.8.15).
struct Comparison {
    uint8_t passes = 0; ///< Sampler::compare
    Channels depth{};   ///< of a word, in the first component
    std::array<Channel, 4> swizzle{};

    void operator()(const TeKernels& kernels, const LaneWords& words, const Lanes& reference,
                    Vector& texels) const;
};

struct Unit {
    bool constant = false; ///< no memory is read, and `channels` are constants
    Channels channels{};
    std::optional<Comparison> comparison;

    Layers layers = Layers::none;
    bool sliced = false; ///< layers are separate slices: faces, slices
    bool seamless = false;
    std::array<Wrap, 3> wrap{};
    std::array<const std::array<TeKernels::AxisKernel, 2>*, 3> axis{}; ///< nearest, linear
    TeKernels::ColumnKernel column = nullptr;
    TeKernels::RowKernel row = nullptr;
    Pitches pitches;
    uint32_t depth = 1; ///< depth of level 0, or layers of an array
    TexelSource source;
    Fetch fetch = nullptr; ///< null if `numbers` are fetched
    NumberDecoder numbers;
    uint32_t border = 0; ///< word that replaces texels outside

    unsigned axes = 2; ///< number of coordinates that determine the level of detail
    std::array<float, 3> size{};
    LodRange range;
    int32_t first_level = 0;
    float bias = 0;
    unsigned most_taps = 1;
    bool linear_min = false, linear_mag = false;
    bool needs_lod = false;
};

/// Returns the constants that an absent sampler reads.
const Channels& unconfigured_channels();

/// The memory of a level, up to the end of its last texel.
struct LevelMemory {
    uint32_t address = 0;
    uint64_t bytes = 0;
};
/// Lists all levels that are used, and the tile status of level 0. Returns their number, which is 0
/// if no memory is read, or nothing if the distance from the surface of the tile status wraps
/// around in level 0.
using LevelMemories = std::array<LevelMemory, level_count + 1>;
std::optional<unsigned> levels_of(const Sampler& sampler, LevelMemories& levels);

/// Prepares a sampler. Maps its levels in `memory`, which does not count as an access.
Unit make_unit(const Sampler& sampler, bool exchanges_t_colors, const TeKernels& kernels,
               Memory& memory);

} // namespace pixmill::vivante::te
