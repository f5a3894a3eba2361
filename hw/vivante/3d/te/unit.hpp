// A sampler, made ready: everything that does not depend on coordinates.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "kernels.hpp"
#include "memory.hpp"
#include "setup.hpp"

namespace pixmill::vivante::te {

/// What else than s and t selects a texel.
enum class Layers : uint8_t {
    none,
    faces,  ///< of a cube
    rows,   ///< not t: layers of a 1D texture are rows of a 2D one
    slices, ///< r: layers of a 2D texture
    volume, ///< r: filtered
};

struct Unit {
    bool constant = false; ///< no memory is read: `channels` are constants
    Channels channels{};

    Layers layers = Layers::none;
    bool sliced = false; ///< the layer is a slice of its own: faces, slices
    std::array<Wrap, 3> wrap{};
    std::array<const std::array<TeKernels::AxisKernel, 2>*, 3> axis{}; ///< nearest, linear
    TeKernels::ColumnKernel column = nullptr;
    TeKernels::RowKernel row = nullptr;
    Pitches pitches;
    uint32_t depth = 1; ///< of level 0; layers of an array
    TexelSource source;
    Fetch fetch = nullptr;
    uint32_t border = 0; ///< a texel outside, as a word

    unsigned axes = 2; ///< how many coordinates count for the level of detail
    std::array<float, 3> size{};
    LodRange range;
    int32_t first_level = 0;
    float bias = 0;
    unsigned most_taps = 1;
    bool linear_min = false, linear_mag = false;
    bool needs_lod = false;
};

/// What a sampler reads that is none.
const Channels& unconfigured_channels();

/// The memory of a level, from its first texel to behind its last one.
struct LevelMemory {
    uint32_t address = 0;
    uint64_t bytes = 0;
};
/// Of all levels that are used; the number of them. None if no memory is read.
unsigned levels_of(const Sampler& sampler, std::array<LevelMemory, level_count>& levels);

/// `memory` is asked where levels lie, which is no access.
Unit make_unit(const Sampler& sampler, bool exchanges_t_colors, const TeKernels& kernels,
               Memory& memory);

} // namespace pixmill::vivante::te
