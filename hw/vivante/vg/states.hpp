// States of VG cores, by their address in STATE commands. The names are chosen by the model,
// because VGLite uses only numbers and rnndb state_vg.xml has offsets without names.
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
    GRADIENT_CONSTANT = 0xA04, ///< also u of a pattern
    RADIAL_CONSTANT = 0xA05,   ///< also v of a pattern
    GRADIENT_X = 0xA06,
    RADIAL_X = 0xA07,
    GRADIENT_Y = 0xA08,
    RADIAL_Y = 0xA09,
    RADIAL_YY = 0xA0A,
    RADIAL_XY = 0xA0B,
    TRANSFORM = 0xA0C, ///< red; green, blue and alpha follow
    TARGET_CONFIG = 0xA10,
    TARGET_ADDRESS = 0xA11,
    TARGET_STRIDE = 0xA12,
    TARGET_CLIP = 0xA13,
    MASK_ADDRESS = 0xA14,
    MASK_STRIDE = 0xA15,
    SCISSOR_ADDRESS = 0xA16,
    SCISSOR_STRIDE = 0xA17,
    IMAGE_CONSTANT = 0xA18, ///< three words: u, v and w
    IMAGE_X = 0xA1C,        ///< change of u, v and w per pixel in x
    IMAGE_Y = 0xA20,        ///< change of u, v and w per pixel in y
    // States of the paint. Each is followed by the same state of the image.
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
    PATH_MATRIX = 0xA40, ///< two rows of three coefficients
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

namespace control { // fields of VG_CONTROL
inline constexpr Field primitive{"PRIMITIVE", 1, 0}, scissor{"SCISSOR", 4}, blend{"BLEND", 11, 8},
    image_mode{"IMAGE_MODE", 14, 12}, border_culling{"BORDER_CULLING", 15},
    color_transform{"COLOR_TRANSFORM", 16}, mask{"MASK", 20}, paint{"PAINT", 25, 24},
    no_multiply{"NO_MULTIPLY", 28};
} // namespace control
enum class Primitive : uint32_t { scanline, rectangle, path_linear, path_tiled };
enum class ImageMode : uint32_t { none, normal, multiply, stencil, filter };
enum class PaintType : uint32_t { solid, linear, radial, pattern };

namespace target_config {
inline constexpr Field format{"FORMAT", 3, 0}, swizzle{"SWIZZLE", 5, 4}, as_stored{"AS_STORED", 8},
    unpremultiply{"UNPREMULTIPLY", 9}, gamma{"GAMMA", 13, 12}, top_down{"TOP_DOWN", 16};
} // namespace target_config
enum class Gamma : uint32_t { none, to_linear, to_srgb };

namespace surface_stride { // fields of *_STRIDE
inline constexpr Field stride{"STRIDE", 17, 0}, tiled{"TILED", 28};
} // namespace surface_stride

namespace source_config {
inline constexpr Field format{"FORMAT", 3, 0}, swizzle{"SWIZZLE", 5, 4},
    no_multiply{"NO_MULTIPLY", 8}, extended{"EXTENDED", 11, 9}, tiling{"TILING", 13, 12},
    index_order{"INDEX_ORDER", 14}, bt709{"BT709", 15}, filter{"FILTER", 17, 16},
    no_divide{"NO_DIVIDE", 24}, packed{"PACKED", 30, 29};
} // namespace source_config
enum class Tiling : uint32_t { fill, pad, repeat, reflect };
enum class Filter : uint32_t { point, linear, bilinear, gaussian };

namespace tessellation_config {
inline constexpr Field quality{"QUALITY", 1, 0}, even_odd{"EVEN_ODD", 4}, type{"TYPE", 21, 20},
    enable{"ENABLE", 24};
} // namespace tessellation_config

namespace key { // fields of KEY_LOW and KEY_HIGH
inline constexpr Field enable{"ENABLE", 24}, alpha{"ALPHA", 31, 24}, red{"RED", 23, 16},
    green{"GREEN", 15, 8}, blue{"BLUE", 7, 0};
} // namespace key

namespace halves { // fields of states that hold two values
inline constexpr Field x{"X", 15, 0}, y{"Y", 31, 16};
} // namespace halves

struct Pair {
    uint32_t x = 0, y = 0;
};

/// Typed access to the states that a DATA command uses.
class States {
public:
    explicit States(const uint32_t* cells) : cells_(cells) {}

    uint32_t operator[](uint32_t address) const { return cells_[address]; }
    double real(uint32_t address) const { return std::bit_cast<float>(cells_[address]); }
    Pair pair(uint32_t address) const {
        return {halves::x(cells_[address]), halves::y(cells_[address])};
    }

private:
    const uint32_t* cells_;
};

/// Sets all states to their reset values.
void reset_states(std::span<uint32_t, state_count> cells);

} // namespace pixmill::vivante::vg
