// The states of the PA, and those of the SE that tell how primitives are set up.
//
// Names: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

namespace pa {

inline constexpr uint32_t VIEWPORT_SCALE_X = 0x0A00;
inline constexpr uint32_t VIEWPORT_SCALE_Y = 0x0A04;
inline constexpr uint32_t VIEWPORT_SCALE_Z = 0x0A08;
inline constexpr uint32_t VIEWPORT_OFFSET_X = 0x0A0C;
inline constexpr uint32_t VIEWPORT_OFFSET_Y = 0x0A10;
inline constexpr uint32_t VIEWPORT_OFFSET_Z = 0x0A14;
inline constexpr uint32_t LINE_WIDTH = 0x0A18; ///< half of it
inline constexpr uint32_t POINT_SIZE = 0x0A1C; ///< half of it
inline constexpr uint32_t SYSTEM_MODE = 0x0A28;
inline constexpr uint32_t W_CLIP_LIMIT = 0x0A2C;
inline constexpr uint32_t ATTRIBUTE_ELEMENT_COUNT = 0x0A30;
inline constexpr uint32_t CONFIG = 0x0A34;
inline constexpr uint32_t WIDE_LINE_WIDTH0 = 0x0A38;  ///< half of it
inline constexpr uint32_t SHADER_ATTRIBUTES = 0x0A40; ///< of 16 varyings
inline constexpr uint32_t FLAGS = 0x0A88;

inline constexpr Field PROVOKING_VERTEX_LAST{"PROVOKING_VERTEX_LAST", 0};
inline constexpr Field HALF_PIXEL_CENTER{"HALF_PIXEL_CENTER", 4};
inline constexpr Field COUNT{"COUNT", 15, 8};
inline constexpr Field POINT_SIZE_ENABLE{"POINT_SIZE_ENABLE", 2};
inline constexpr Field POINT_SPRITE_ENABLE{"POINT_SPRITE_ENABLE", 4};
inline constexpr Field CULL_FACE_MODE{"CULL_FACE_MODE", 9, 8};
inline constexpr Field FILL_MODE{"FILL_MODE", 13, 12};
inline constexpr Field SHADE_MODEL{"SHADE_MODEL", 17, 16};
inline constexpr Field WIDE_LINE{"WIDE_LINE", 22};
inline constexpr Field BYPASS_FLAT{"BYPASS_FLAT", 0};
inline constexpr Field ZCONVERT_BYPASS{"ZCONVERT_BYPASS", 30};

} // namespace pa

namespace se {

inline constexpr uint32_t SCISSOR_LEFT = 0x0C00;
inline constexpr uint32_t SCISSOR_TOP = 0x0C04;
inline constexpr uint32_t SCISSOR_RIGHT = 0x0C08;
inline constexpr uint32_t SCISSOR_BOTTOM = 0x0C0C;
inline constexpr uint32_t DEPTH_SCALE = 0x0C10;
inline constexpr uint32_t DEPTH_BIAS = 0x0C14;
inline constexpr uint32_t CONFIG = 0x0C18;

inline constexpr Field LAST_PIXEL_ENABLE{"LAST_PIXEL_ENABLE", 0};

} // namespace se

namespace vs {

inline constexpr uint32_t OUTPUT_COUNT = 0x0804;

inline constexpr Field COUNT{"COUNT", 7, 0};

} // namespace vs

} // namespace pixmill::vivante
