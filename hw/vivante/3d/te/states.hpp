// States of the texture units, named as in rnndb state_3d.xml: TE with the 12 samplers of cores
// before HALTI1, of which vertex shaders use 8 to 11, and NTE with 32, of which they use 16 to 31.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

/// Addresses for sampler 0. Add 4 s for sampler s, except to NTE_SAMPLER_LOD_ADDR.
enum TeState : uint32_t {
    TE_SAMPLER_CONFIG0 = 0x2000,
    TE_SAMPLER_SIZE = 0x2040,
    TE_SAMPLER_LOG_SIZE = 0x2080,
    TE_SAMPLER_LOD_CONFIG = 0x20C0,
    TE_SAMPLER_3D_CONFIG = 0x2180,
    TE_SAMPLER_CONFIG1 = 0x21C0,
    TE_SAMPLER_LOD_ADDR = 0x2400,      ///< 0x40 apart for each level
    TE_SAMPLER_LINEAR_STRIDE = 0x2C00, ///< 0x40 apart for each level
    NTE_SAMPLER_CONFIG0 = 0x10000,
    NTE_SAMPLER_SIZE = 0x10080,
    NTE_SAMPLER_LOG_SIZE = 0x10100,
    NTE_SAMPLER_LOD_CONFIG = 0x10180,
    NTE_SAMPLER_LINEAR_STRIDE = 0x10280,
    NTE_SAMPLER_3D_CONFIG = 0x10300,
    NTE_SAMPLER_CONFIG1 = 0x10380,
    NTE_SAMPLER_BASELOD = 0x10700,
    NTE_SAMPLER_LOD_ADDR = 0x10800, ///< 0x40 apart for each sampler, 4 for each level

    // HALTI5
    NTE_DESCRIPTOR_CONTROL = 0x14C40, ///< not one per sampler, like the next two
    NTE_DESCRIPTOR_FLUSH = 0x14C44,
    NTE_DESCRIPTOR_INVALIDATE = 0x14C48,
    NTE_DESCRIPTOR_ADDR = 0x15C00,
    NTE_DESCRIPTOR_TX_CTRL = 0x15E00,
    NTE_DESCRIPTOR_SAMP_CTRL0 = 0x16C00,
    NTE_DESCRIPTOR_SAMP_CTRL1 = 0x16E00,
    NTE_DESCRIPTOR_SAMP_LOD_MINMAX = 0x17000,
    NTE_DESCRIPTOR_SAMP_LOD_BIAS = 0x17200,
    NTE_DESCRIPTOR_SAMP_ANISOTROPY = 0x17400,
};

} // namespace pixmill::vivante

namespace pixmill::vivante::te {

inline constexpr unsigned sampler_count = 32, level_count = 14;

/// Locations of the samplers' states.
struct SamplerBank {
    unsigned count;
    uint32_t config0, size, log_size, lod_config, config_3d, config1;
    uint32_t base_lod; ///< 0 if the bank lacks it
    uint32_t lod_addr, lod_addr_of_sampler, lod_addr_of_level;
    uint32_t linear_stride;
    /// Mesa swaps the indices of this state, which has an entry for each level. It writes the
    /// stride of sampler s to the entry for level s of sampler 0.
    bool exchanged_strides;
};
inline constexpr SamplerBank te_bank{12,
                                     TE_SAMPLER_CONFIG0,
                                     TE_SAMPLER_SIZE,
                                     TE_SAMPLER_LOG_SIZE,
                                     TE_SAMPLER_LOD_CONFIG,
                                     TE_SAMPLER_3D_CONFIG,
                                     TE_SAMPLER_CONFIG1,
                                     0,
                                     TE_SAMPLER_LOD_ADDR,
                                     4,
                                     0x40,
                                     TE_SAMPLER_LINEAR_STRIDE,
                                     true};
inline constexpr SamplerBank nte_bank{32,
                                      NTE_SAMPLER_CONFIG0,
                                      NTE_SAMPLER_SIZE,
                                      NTE_SAMPLER_LOG_SIZE,
                                      NTE_SAMPLER_LOD_CONFIG,
                                      NTE_SAMPLER_3D_CONFIG,
                                      NTE_SAMPLER_CONFIG1,
                                      NTE_SAMPLER_BASELOD,
                                      NTE_SAMPLER_LOD_ADDR,
                                      0x40,
                                      4,
                                      NTE_SAMPLER_LINEAR_STRIDE,
                                      false};

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

namespace descriptor_control {
inline constexpr Field enable{"ENABLE", 0};
} // namespace descriptor_control

namespace tx_ctrl {
inline constexpr Field ts_mode{"TS_MODE", 0}, ts_enable{"TS_ENABLE", 1}, ts_index{"TS_INDEX", 4, 2},
    compression{"COMPRESSION", 5}, tile_128b{"128B_TILE", 6};
} // namespace tx_ctrl

namespace samp_ctrl0 {
inline constexpr Field uwrap{"UWRAP", 2, 0}, vwrap{"VWRAP", 5, 3}, wwrap{"WWRAP", 8, 6},
    min{"MIN", 10, 9}, mip{"MIP", 12, 11}, mag{"MAG", 14, 13},
    stencil_mode{"DEPTH_STENCIL_MODE", 16}, compare_enable{"COMPARE_ENABLE", 17},
    compare_func{"COMPARE_FUNC", 20, 18}, int_filter{"INT_FILTER", 23};
} // namespace samp_ctrl0

namespace samp_ctrl1 {
inline constexpr Field srgb{"SRGB", 2};
} // namespace samp_ctrl1

namespace samp_lod_minmax { // 8.8, signed
inline constexpr Field max{"MAX", 15, 0}, min{"MIN", 31, 16};
} // namespace samp_lod_minmax

namespace samp_lod_bias { // 8.8, signed
inline constexpr Field bias{"BIAS", 15, 0}, enable{"ENABLE", 16};
} // namespace samp_lod_bias

/// Words of a texture descriptor in memory, by byte offset. The first are the addresses of levels.
/// Words that are not listed, and other fields of CONFIG0, hold anything.
namespace descriptor {
inline constexpr uint32_t bytes = 256, alignment = 64, config0 = 0x40, size = 0x44,
                          linear_stride = 0x48, config1 = 0x4C, base_lod = 0x68, config2 = 0x6C,
                          slice = 0x7C, config_3d = 0x84;
} // namespace descriptor

namespace descriptor_config2 {
inline constexpr Field signed_int8{"SIGNED_INT8", 18}, signed_int16{"SIGNED_INT16", 19};
} // namespace descriptor_config2

namespace base_lod { // of whole levels
inline constexpr Field base{"BASELOD", 3, 0}, max{"MAXLOD", 11, 8},
    compare_enable{"COMPARE_ENABLE", 16}, compare_func{"COMPARE_FUNC", 22, 20},
    enable{"BASELOD_ENABLE", 23};
} // namespace base_lod

} // namespace pixmill::vivante::te
