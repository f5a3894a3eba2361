// The decoded samplers of a draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "formats.hpp"
#include "states.hpp"
#include "vivante/3d/states.hpp"

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
};

const char* name(SamplerError error);

struct Sampler {
    SamplerError error = SamplerError::unconfigured;
    Type type = Type::none;
    bool array = false; ///< array of 1D textures (TYPE 2) or 2D textures (TYPE 3)
    bool srgb = false;
    std::array<Wrap, 3> wrap{}; ///< U, V, and W for 3D textures
    Filter min = Filter::none, mip = Filter::none, mag = Filter::none;
    /// Log2 of the maximum number of taps, in units of 1/32; 0 if anisotropic filtering is off.
    uint8_t anisotropy = 0;
    Addressing addressing = Addressing::tiled;
    Halign halign = Halign::four;
    const TextureFormat* format = nullptr; ///< null if there is an error
    uint8_t format_code = 0, format_ext_code = 0;
    std::array<Channel, 4> swizzle{};
    uint32_t width = 0, height = 0, depth = 0;             ///< of level 0
    uint16_t log_width = 0, log_height = 0, log_depth = 0; ///< in 1/32
    uint16_t lod_min = 0, lod_max = 0;                     ///< in 1/32
    int16_t lod_bias = 0;                                  ///< in 1/32; 0 unless BIAS_ENABLE is set
    uint32_t stride = 0;                                   ///< bytes, for linear textures
    std::array<uint32_t, level_count> level{};             ///< addresses

    /// Levels above this are never accessed: their addresses may belong to a different texture.
    unsigned last_level() const;
    unsigned first_level() const;
};

struct TeSetup {
    std::array<Sampler, sampler_count> sampler{};
    /// Swaps the base colors of ETC2's T mode, as cores before HALTI1 do.
    bool exchanges_t_colors = true;

    /// Decodes `samplers`, a bit mask. The others have no texture.
    static TeSetup decode(States states, uint32_t samplers = ~0u);
};

} // namespace pixmill::vivante::te
