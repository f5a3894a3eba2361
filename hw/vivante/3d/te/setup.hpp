// The decoded samplers of a draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "formats.hpp"
#include "states.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/states.hpp"
#include "vivante/3d/ts/ts.hpp"

namespace pixmill::vivante::te {

/// Types 4, 6 and 7 crash the hardware (rnndb).
enum class Type : uint8_t { none = 0, one_d = 1, two_d = 2, three_d = 3, cube = 5 };
enum class Wrap : uint8_t { repeat, mirrored_repeat, clamp_to_edge, clamp_to_border };
enum class Filter : uint8_t { none, nearest, linear, anisotropic };
enum class Addressing : uint8_t { tiled = 0, linear = 3 };
enum class Halign : uint8_t { four, sixteen, super_tiled, split_tiled, split_super_tiled };
enum class Channel : uint8_t { red, green, blue, alpha, zero, one };

/// The reason why a sampler has no texture, for the log. Its texels are then constant.
enum class SamplerError : uint8_t {
    none,
    unconfigured, ///< TYPE 0: (0, 0, 0, 1)
    type,         ///< TYPE 4, 6 or 7: zeros
    format,       ///< unknown format: zeros before the swizzle
    layout,       ///< HALIGN selects a split or unknown layout: zeros
    disabled,     ///< descriptors are off: (0, 0, 0, 1), like the two below
    memory,       ///< the descriptor is misaligned, or not in memory
    size,         ///< 0, or more than 16384
};

const char* name(SamplerError error);

struct Sampler {
    SamplerError error = SamplerError::unconfigured;
    Type type = Type::none;
    bool array = false; ///< array of 1D textures (TYPE 2) or 2D textures (TYPE 3)
    bool srgb = false;
    bool signed8 = false, signed16 = false; ///< integers are signed (HALTI5)
    std::array<Wrap, 3> wrap{};             ///< U, V, and W for 3D textures
    Filter min = Filter::none, mip = Filter::none, mag = Filter::none;
    /// Log2 of the maximum number of taps, in units of 1/32; 0 if anisotropic filtering is off.
    uint8_t anisotropy = 0;
    Addressing addressing = Addressing::tiled;
    Halign halign = Halign::four;
    bool new_super_tiles = false;
    bool seamless = false;  ///< filters across the edges of a cube
    bool halves_up = false; ///< of levels of detail, when they are rounded to the nearest level
    uint32_t slice = 0;     ///< bytes of a layer of level 0; 0: as its size requires
    const TextureFormat* format = nullptr; ///< null if there is an error
    uint8_t format_code = 0, format_ext_code = 0;
    std::array<Channel, 4> swizzle{};
    /// The results of comparing a reference with a depth that pass: less 1, equal 2, greater 4.
    std::optional<uint8_t> compare;
    uint32_t width = 0, height = 0, depth = 0;             ///< of level 0
    uint16_t log_width = 0, log_height = 0, log_depth = 0; ///< in 1/32
    uint16_t lod_min = 0, lod_max = 0;                     ///< in 1/32
    /// The exact limits, if texels are magnified up to level 0 instead of `lod_min` (HALTI5).
    std::optional<std::array<float, 2>> limits;
    int16_t lod_bias = 0;                      ///< in 1/32; 0 unless BIAS_ENABLE is set
    uint32_t stride = 0;                       ///< bytes, for linear textures
    std::array<uint32_t, level_count> level{}; ///< addresses
    TsSurface status;                          ///< of level 0, if it is the only one

    /// Levels above this are never accessed: their addresses may belong to a different texture.
    unsigned last_level() const;
    unsigned first_level() const;
};

struct TeSetup {
    std::array<Sampler, sampler_count> sampler{};
    /// Swaps the base colors of ETC2's T mode, as cores before HALTI1 do.
    bool exchanges_t_colors = true;

    /// Decodes `samplers`, a bit mask. The others have no texture. On HALTI5, those that only the
    /// vertex shader has are `of_vertices`, and descriptors are read from `memory`.
    static TeSetup decode(States states, uint32_t samplers = ~0u, const Features3d& features = {},
                          uint32_t of_vertices = 0, Memory* memory = nullptr);
};

} // namespace pixmill::vivante::te
