// States of the texture units (TE), as rnndb's state_3d.xml names them: the bank of 12 samplers
// that cores before HALTI1 have. Samplers 8 to 11 are the vertex shaders'.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante::te {

inline constexpr unsigned sampler_count = 12, level_count = 14;

// Addresses of sampler 0; those of sampler s are 4 s behind.
inline constexpr uint32_t sampler_config0 = 0x2000, sampler_size = 0x2040,
                          sampler_log_size = 0x2080, sampler_lod_config = 0x20C0,
                          sampler_3d_config = 0x2180, sampler_config1 = 0x21C0;

constexpr uint32_t sampler_lod_addr(unsigned sampler, unsigned level) {
    return 0x2400 + 0x40 * level + 4 * sampler;
}
constexpr uint32_t sampler_linear_stride(unsigned sampler, unsigned level) {
    return 0x2C00 + 0x40 * level + 4 * sampler;
}

namespace CONFIG0 {
inline constexpr Field TYPE{"TYPE", 2, 0}, UWRAP{"UWRAP", 4, 3}, VWRAP{"VWRAP", 6, 5},
    MIN{"MIN", 8, 7}, MIP{"MIP", 10, 9}, MAG{"MAG", 12, 11}, FORMAT{"FORMAT", 17, 13},
    ROUND_UV{"ROUND_UV", 19}, ADDRESSING_MODE{"ADDRESSING_MODE", 21, 20}, ENDIAN{"ENDIAN", 23, 22},
    ANISOTROPY{"ANISOTROPY", 31, 24};
} // namespace CONFIG0

namespace SIZE {
inline constexpr Field WIDTH{"WIDTH", 15, 0}, HEIGHT{"HEIGHT", 31, 16};
} // namespace SIZE

namespace LOG_SIZE { // logarithms to base 2, in units of 1/32
inline constexpr Field WIDTH{"WIDTH", 9, 0}, HEIGHT{"HEIGHT", 19, 10}, ASTC{"ASTC", 28},
    INT_FILTER{"INT_FILTER", 29}, SRGB{"SRGB", 31};
} // namespace LOG_SIZE

namespace LOD_CONFIG { // in units of 1/32
inline constexpr Field BIAS_ENABLE{"BIAS_ENABLE", 0}, MAX{"MAX", 10, 1}, MIN{"MIN", 20, 11},
    BIAS{"BIAS", 30, 21};
} // namespace LOD_CONFIG

namespace CONFIG_3D {
inline constexpr Field DEPTH{"DEPTH", 13, 0}, LOG_DEPTH{"LOG_DEPTH", 25, 16}, WRAP{"WRAP", 29, 28};
} // namespace CONFIG_3D

namespace CONFIG1 {
inline constexpr Field FORMAT_EXT{"FORMAT_EXT", 5, 0}, SWIZZLE_R{"SWIZZLE_R", 10, 8},
    SWIZZLE_G{"SWIZZLE_G", 14, 12}, SWIZZLE_B{"SWIZZLE_B", 18, 16}, SWIZZLE_A{"SWIZZLE_A", 22, 20},
    TS_MODE{"TS_MODE", 23}, TEXTURE_ARRAY{"TEXTURE_ARRAY", 24},
    SEAMLESS_CUBE_MAP{"SEAMLESS_CUBE_MAP", 25}, HALIGN{"HALIGN", 28, 26}, USE_TS{"USE_TS", 30};
} // namespace CONFIG1

} // namespace pixmill::vivante::te
