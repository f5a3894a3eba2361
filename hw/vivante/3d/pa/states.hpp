// States of the PA, and those of the SE that control primitive setup.
//
// Names and bits: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

enum PaState : uint32_t {
    PA_VIEWPORT_SCALE_X = 0x0A00,
    PA_VIEWPORT_SCALE_Y = 0x0A04,
    PA_VIEWPORT_SCALE_Z = 0x0A08,
    PA_VIEWPORT_OFFSET_X = 0x0A0C,
    PA_VIEWPORT_OFFSET_Y = 0x0A10,
    PA_VIEWPORT_OFFSET_Z = 0x0A14,
    PA_LINE_WIDTH = 0x0A18, ///< half the width
    PA_POINT_SIZE = 0x0A1C, ///< half the size
    PA_SYSTEM_MODE = 0x0A28,
    PA_W_CLIP_LIMIT = 0x0A2C,
    PA_ATTRIBUTE_ELEMENT_COUNT = 0x0A30,
    PA_CONFIG = 0x0A34,
    PA_WIDE_LINE_WIDTH0 = 0x0A38,  ///< half the width
    PA_SHADER_ATTRIBUTES = 0x0A40, ///< of 16 varyings
    PA_FLAGS = 0x0A88,
    PA_VARYING_NUM_COMPONENTS = 0x0A90, ///< four words; HALTI5
};

enum SeState : uint32_t {
    SE_SCISSOR_LEFT = 0x0C00,
    SE_SCISSOR_TOP = 0x0C04,
    SE_SCISSOR_RIGHT = 0x0C08,
    SE_SCISSOR_BOTTOM = 0x0C0C,
    SE_DEPTH_SCALE = 0x0C10,
    SE_DEPTH_BIAS = 0x0C14,
    SE_CONFIG = 0x0C18,
};

namespace pa::system_mode {
inline constexpr Field provoking_vertex_last{"PROVOKING_VERTEX_LAST", 0};
inline constexpr Field half_pixel_center{"HALF_PIXEL_CENTER", 4};
} // namespace pa::system_mode

namespace pa::attribute_element_count {
inline constexpr Field count{"COUNT", 15, 8};
} // namespace pa::attribute_element_count

namespace pa::config {
inline constexpr Field point_size_enable{"POINT_SIZE_ENABLE", 2, 2, 3};
inline constexpr Field point_sprite_enable{"POINT_SPRITE_ENABLE", 4, 4, 5};
inline constexpr Field cull_face_mode{"CULL_FACE_MODE", 9, 8, 10};
inline constexpr Field fill_mode{"FILL_MODE", 13, 12, 14};
inline constexpr Field shade_model{"SHADE_MODEL", 17, 16, 18};
inline constexpr Field wide_line{"WIDE_LINE", 22, 22, 23};
} // namespace pa::config

namespace pa::shader_attributes {
inline constexpr Field bypass_flat{"BYPASS_FLAT", 0};
} // namespace pa::shader_attributes

namespace pa::flags {
inline constexpr Field zconvert_bypass{"ZCONVERT_BYPASS", 30};
} // namespace pa::flags

namespace se::config {
inline constexpr Field last_pixel_enable{"LAST_PIXEL_ENABLE", 0};
} // namespace se::config

} // namespace pixmill::vivante
