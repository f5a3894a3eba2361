// States of the texture units (TE), named as in rnndb state_3d.xml: the 12 samplers of cores before
// HALTI1. Vertex shaders use samplers 8 to 11.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

/// Addresses for sampler 0. Add 4 s for sampler s.
enum TeState : uint32_t {
    TE_SAMPLER_CONFIG0 = 0x2000,
    TE_SAMPLER_SIZE = 0x2040,
    TE_SAMPLER_LOG_SIZE = 0x2080,
    TE_SAMPLER_LOD_CONFIG = 0x20C0,
    TE_SAMPLER_3D_CONFIG = 0x2180,
    TE_SAMPLER_CONFIG1 = 0x21C0,
};

} // namespace pixmill::vivante

namespace pixmill::vivante::te {

inline constexpr unsigned sampler_count = 12, level_count = 14;

constexpr uint32_t sampler_lod_addr(unsigned sampler, unsigned level) {
    return 0x2400 + 0x40 * level + 4 * sampler;
}
constexpr uint32_t sampler_linear_stride(unsigned sampler, unsigned level) {
    return 0x2C00 + 0x40 * level + 4 * sampler;
}

namespace config0 {
inline constexpr Field type{"TYPE", 2, 0}, uwrap{"UWRAP", 4, 3}, vwrap{"VWRAP", 6, 5},
    min{"MIN", 8, 7}, mip{"MIP", 10, 9}, mag{"MAG", 12, 11}, format{"FORMAT", 17, 13},
    round_uv{"ROUND_UV", 19}, addressing_mode{"ADDRESSING_MODE", 21, 20}, endian{"ENDIAN", 23, 22},
    anisotropy{"ANISOTROPY", 31, 24};
} // namespace config0

namespace size {
inline constexpr Field width{"WIDTH", 15, 0}, height{"HEIGHT", 31, 16};
} // namespace size

namespace log_size { // base 2, in 1/32
inline constexpr Field width{"WIDTH", 9, 0}, height{"HEIGHT", 19, 10}, astc{"ASTC", 28},
    int_filter{"INT_FILTER", 29}, srgb{"SRGB", 31};
} // namespace log_size

namespace lod_config { // in 1/32
inline constexpr Field bias_enable{"BIAS_ENABLE", 0}, max{"MAX", 10, 1}, min{"MIN", 20, 11},
    bias{"BIAS", 30, 21};
} // namespace lod_config

namespace config_3d {
inline constexpr Field depth{"DEPTH", 13, 0}, log_depth{"LOG_DEPTH", 25, 16}, wrap{"WRAP", 29, 28};
} // namespace config_3d

namespace config1 {
inline constexpr Field format_ext{"FORMAT_EXT", 5, 0}, swizzle_r{"SWIZZLE_R", 10, 8},
    swizzle_g{"SWIZZLE_G", 14, 12}, swizzle_b{"SWIZZLE_B", 18, 16}, swizzle_a{"SWIZZLE_A", 22, 20},
    ts_mode{"TS_MODE", 23}, texture_array{"TEXTURE_ARRAY", 24},
    seamless_cube_map{"SEAMLESS_CUBE_MAP", 25}, halign{"HALIGN", 28, 26}, use_ts{"USE_TS", 30};
} // namespace config1

} // namespace pixmill::vivante::te
