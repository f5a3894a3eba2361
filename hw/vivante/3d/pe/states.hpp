// PE: states of per-fragment operations, and their fields.
//
// Names and bits: rnndb state_3d.xml (PE).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

enum PeState : uint32_t {
    PE_DEPTH_CONFIG = 0x1400,
    PE_DEPTH_NEAR = 0x1404,
    PE_DEPTH_FAR = 0x1408,
    PE_DEPTH_NORMALIZE = 0x140C,
    PE_DEPTH_ADDR = 0x1410, ///< cores with one pipe
    PE_DEPTH_STRIDE = 0x1414,
    PE_STENCIL_OP = 0x1418,
    PE_STENCIL_CONFIG = 0x141C,
    PE_ALPHA_OP = 0x1420,
    PE_ALPHA_BLEND_COLOR = 0x1424,
    PE_ALPHA_CONFIG = 0x1428,
    PE_COLOR_FORMAT = 0x142C,
    PE_COLOR_ADDR = 0x1430, ///< cores with one pipe
    PE_COLOR_STRIDE = 0x1434,
    PE_HDEPTH_CONTROL = 0x1454,
    PE_PIPE_COLOR_ADDR = 0x1460, ///< one per pixel pipe
    PE_PIPE_DEPTH_ADDR = 0x1480,
    PE_STENCIL_CONFIG_EXT = 0x14A0,
    PE_LOGIC_OP = 0x14A4,
    PE_DITHER = 0x14A8,           ///< two words
    PE_ALPHA_COLOR_EXT0 = 0x14B0, ///< HALF_FLOAT
    PE_ALPHA_COLOR_EXT1 = 0x14B4,
    PE_STENCIL_CONFIG_EXT2 = 0x14B8,
    PE_RT_ADDR_4_PIPE = 0x1500,       ///< targets 1 to 3, 0x20 apart; one per pixel pipe
    PE_RT_CONFIG_4 = 0x1580,          ///< targets 1 to 3
    PE_RT_ADDR_8_PIPE = 0x14800,      ///< targets 1 to 7, 0x20 apart; one per pixel pipe; HALTI2
    PE_RT_CONFIG_8 = 0x14900,         ///< targets 1 to 7; HALTI2
    PE_HALTI5_RT_COLORMASK = 0x14920, ///< targets 1 to 7, like all below
    PE_HALTI5_RT_ALPHA_CONFIG = 0x14960,
    PE_HALTI5_RT_ALPHA_COLOR_EXT0 = 0x14980,
    PE_HALTI5_RT_ALPHA_COLOR_EXT1 = 0x149A0,
};

namespace pe::depth_config {
inline constexpr Field mode{"DEPTH_MODE", 1, 0, 3};     ///< none, Z, W
inline constexpr Field format{"DEPTH_FORMAT", 4, 4, 5}; ///< D16, D24S8
inline constexpr Field func{"DEPTH_FUNC", 10, 8, 11};
inline constexpr Field write_enable{"WRITE_ENABLE", 12, 12, 13};
inline constexpr Field early_z{"EARLY_Z", 16, 16, 17};
inline constexpr Field unk18{"UNK18", 18, 18, 19};
inline constexpr Field only_depth{"ONLY_DEPTH", 20, 20, 21};
inline constexpr Field disable_zs{"DISABLE_ZS", 24, 24, 25};
inline constexpr Field super_tiled{"SUPER_TILED", 26, 26, 27};
} // namespace pe::depth_config

namespace pe::stencil_op {
inline constexpr Field func_front{"FUNC_FRONT", 2, 0, 3};
inline constexpr Field pass_front{"PASS_FRONT", 6, 4, 7};
inline constexpr Field fail_front{"FAIL_FRONT", 10, 8, 11};
inline constexpr Field depth_fail_front{"DEPTH_FAIL_FRONT", 14, 12, 15};
inline constexpr Field func_back{"FUNC_BACK", 18, 16, 19};
inline constexpr Field pass_back{"PASS_BACK", 22, 20, 23};
inline constexpr Field fail_back{"FAIL_BACK", 26, 24, 27};
inline constexpr Field depth_fail_back{"DEPTH_FAIL_BACK", 30, 28, 31};
} // namespace pe::stencil_op

namespace pe::stencil_config {
inline constexpr Field mode{"MODE", 1, 0, 4}; ///< off, one-sided, two-sided
inline constexpr Field ref_front{"REF_FRONT", 15, 8, 5};
inline constexpr Field mask_front{"MASK_FRONT", 23, 16, 6};
inline constexpr Field write_mask_front{"WRITE_MASK_FRONT", 31, 24, 7};
} // namespace pe::stencil_config

namespace pe::stencil_config_ext {
inline constexpr Field ref_back{"REF_BACK", 7, 0, 8};
inline constexpr Field extra_alpha_ref{"EXTRA_ALPHA_REF", 31, 16, 9};
} // namespace pe::stencil_config_ext

namespace pe::stencil_config_ext2 {
inline constexpr Field mask_back{"MASK_BACK", 7, 0};
inline constexpr Field write_mask_back{"WRITE_MASK_BACK", 15, 8};
} // namespace pe::stencil_config_ext2

namespace pe::alpha_op {
inline constexpr Field alpha_test{"ALPHA_TEST", 0, 0, 1};
inline constexpr Field alpha_func{"ALPHA_FUNC", 6, 4, 7};
inline constexpr Field alpha_ref{"ALPHA_REF", 15, 8, 16};
} // namespace pe::alpha_op

namespace pe::alpha_blend_color {
inline constexpr Field b{"B", 7, 0}, g{"G", 15, 8}, r{"R", 23, 16}, a{"A", 31, 24};
} // namespace pe::alpha_blend_color

namespace pe::alpha_config {
inline constexpr Field blend_enable_color{"BLEND_ENABLE_COLOR", 0, 0, 1};
inline constexpr Field src_func_color{"SRC_FUNC_COLOR", 7, 4, 2};
inline constexpr Field dst_func_color{"DST_FUNC_COLOR", 11, 8, 3};
inline constexpr Field eq_color{"EQ_COLOR", 14, 12, 15};
inline constexpr Field blend_separate_alpha{"BLEND_SEPARATE_ALPHA", 16, 16, 17};
inline constexpr Field src_func_alpha{"SRC_FUNC_ALPHA", 23, 20, 18};
inline constexpr Field dst_func_alpha{"DST_FUNC_ALPHA", 27, 24, 19};
inline constexpr Field eq_alpha{"EQ_ALPHA", 30, 28, 31};
} // namespace pe::alpha_config

namespace pe::color_format {
inline constexpr Field format{"FORMAT", 3, 0, 4};
inline constexpr Field components{"COMPONENTS", 11, 8, 12}; ///< R, G, B, A from bit 8 on
inline constexpr Field overwrite{"OVERWRITE", 16, 16, 17};
inline constexpr Field super_tiled{"SUPER_TILED", 20, 20, 21};
inline constexpr Field format_ext{"FORMAT_EXT", 30, 24, 31};
} // namespace pe::color_format

namespace pe::logic_op {
inline constexpr Field op{"OP", 3, 0, 4};
inline constexpr Field dither_mode{"DITHER_MODE", 6, 5, 10};
inline constexpr Field single_buffer{"SINGLE_BUFFER", 9, 8, 7};
inline constexpr Field srgb{"SRGB", 31, 31, 30};
} // namespace pe::logic_op

namespace pe::rt_config_4 {
inline constexpr Field stride{"STRIDE", 15, 0};
inline constexpr Field format{"FORMAT", 25, 20};
inline constexpr Field super_tiled_new{"SUPER_TILED_NEW", 26}; ///< PE_RT_CONFIG_8 only
inline constexpr Field super_tiled{"SUPER_TILED", 28};
inline constexpr Field srgb{"SRGB", 30}; ///< PE_RT_CONFIG_8 only
} // namespace pe::rt_config_4

namespace pe::rt_colormask {
inline constexpr Field components{"COMPONENTS", 7, 4}, overwrite{"OVERWRITE", 8};
} // namespace pe::rt_colormask

} // namespace pixmill::vivante
