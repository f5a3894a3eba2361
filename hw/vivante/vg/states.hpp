// The states of the VG core, by the addresses of STATE commands. Names are ours: VGLite writes
// numbers only, and rnndb state_vg.xml has offsets without names.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/field.hpp"

namespace pixmill::vivante::vg {

inline constexpr size_t state_count = 0x1000;

enum State : uint32_t {
    VG_CONTROL = 0xA00,
    COLOR = 0xA02,
    RADIAL_XX = 0xA03,
    GRADIENT_CONSTANT = 0xA04, ///< of a pattern: u
    RADIAL_CONSTANT = 0xA05,   ///< of a pattern: v
    GRADIENT_X = 0xA06,
    RADIAL_X = 0xA07,
    GRADIENT_Y = 0xA08,
    RADIAL_Y = 0xA09,
    RADIAL_YY = 0xA0A,
    RADIAL_XY = 0xA0B,
    TRANSFORM = 0xA0C, ///< of red; green, blue, alpha follow
    TARGET_CONFIG = 0xA10,
    TARGET_ADDRESS = 0xA11,
    TARGET_STRIDE = 0xA12,
    TARGET_CLIP = 0xA13,
    MASK_ADDRESS = 0xA14,
    MASK_STRIDE = 0xA15,
    SCISSOR_ADDRESS = 0xA16,
    SCISSOR_STRIDE = 0xA17,
    IMAGE_CONSTANT = 0xA18, ///< of u, v, w
    IMAGE_X = 0xA1C,        ///< change of u, v, w per x
    IMAGE_Y = 0xA20,        ///< per y
    // Of a paint; those of an image follow each.
    SOURCE_CONFIG = 0xA24,
    FILL_COLOR = 0xA26,
    SOURCE_ADDRESS = 0xA28,
    SOURCE_STRIDE = 0xA2A,
    SOURCE_ORIGIN = 0xA2C,
    SOURCE_SIZE = 0xA2E,
    TESSELLATION_CONFIG = 0xA34,
    WINDOW_ORIGIN = 0xA39,
    WINDOW_SIZE = 0xA3A,
    PATH_SCALE = 0xA3B,
    PATH_BIAS = 0xA3C,
    PATH_MATRIX = 0xA40, ///< two rows of three
    DITHER_LOW = 0xA5A,
    DITHER_HIGH = 0xA5B,
    KEY_LOW = 0xA90,
    KEY_HIGH = 0xA94,
    CLUT_1BIT = 0xA98,
    CLUT_2BIT = 0xA9C,
    CLUT_4BIT = 0xAA0,
    CLUT_8BIT = 0xB00,
    EVENT = 0xE01,
};

// VG_CONTROL.
constexpr Field control_primitive{"PRIMITIVE", 1, 0}, control_scissor{"SCISSOR", 4},
    control_blend{"BLEND", 11, 8}, control_image{"IMAGE_MODE", 14, 12},
    control_cull{"BORDER_CULLING", 15}, control_transform{"COLOR_TRANSFORM", 16},
    control_mask{"MASK", 20}, control_paint{"PAINT", 25, 24}, control_as_it_is{"NO_MULTIPLY", 28};
enum class Primitive : uint32_t { scanline, rectangle, path_linear, path_tiled };
enum class ImageMode : uint32_t { none, normal, multiply, stencil, filter };
enum class PaintType : uint32_t { solid, linear, radial, pattern };

// TARGET_CONFIG.
constexpr Field target_format{"FORMAT", 3, 0}, target_swizzle{"SWIZZLE", 5, 4},
    target_as_stored{"AS_STORED", 8}, target_divide{"UNPREMULTIPLY", 9},
    target_gamma{"GAMMA", 13, 12}, target_top_down{"TOP_DOWN", 16};
enum class Gamma : uint32_t { none, to_linear, to_srgb };

// *_STRIDE.
constexpr Field stride_bytes{"STRIDE", 17, 0}, stride_tiled{"TILED", 28};

// SOURCE_CONFIG.
constexpr Field source_format{"FORMAT", 3, 0}, source_swizzle{"SWIZZLE", 5, 4},
    source_as_it_is{"NO_MULTIPLY", 8}, source_extended{"EXTENDED", 11, 9},
    source_tiling{"TILING", 13, 12}, source_index_order{"INDEX_ORDER", 14},
    source_bt709{"BT709", 15}, source_filter{"FILTER", 17, 16}, source_no_divide{"NO_DIVIDE", 24},
    source_packed{"PACKED", 30, 29};
enum class Tiling : uint32_t { fill, pad, repeat, reflect };
enum class Filter : uint32_t { point, linear, bilinear, gaussian };

// TESSELLATION_CONFIG.
constexpr Field tessellation_quality{"QUALITY", 1, 0}, tessellation_even_odd{"EVEN_ODD", 4},
    tessellation_type{"TYPE", 21, 20}, tessellation_enable{"ENABLE", 24};

// KEY_LOW, KEY_HIGH.
constexpr Field key_enable{"ENABLE", 24}, key_alpha{"ALPHA", 31, 24}, key_red{"RED", 23, 16},
    key_green{"GREEN", 15, 8}, key_blue{"BLUE", 7, 0};

// States of two halves.
constexpr Field low_half{"X", 15, 0}, high_half{"Y", 31, 16};

struct Pair {
    uint32_t x = 0, y = 0;
};

/// The cells as something that has been latched by a DATA reads them.
class States {
public:
    explicit States(const uint32_t* cells) : cells_(cells) {}

    uint32_t operator[](uint32_t address) const { return cells_[address]; }
    double real(uint32_t address) const { return std::bit_cast<float>(cells_[address]); }
    Pair pair(uint32_t address) const {
        return {low_half(cells_[address]), high_half(cells_[address])};
    }

private:
    const uint32_t* cells_;
};

/// What the cells hold after a reset.
void reset_states(std::span<uint32_t, state_count> cells);

} // namespace pixmill::vivante::vg
