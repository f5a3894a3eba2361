// The states of the RA, and those of GL that tell what it interpolates.
//
// Names: rnndb state_3d.xml and state.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "common/field.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

namespace ra {

inline constexpr uint32_t MULTISAMPLE_UNK00E10 = 0x0E10; ///< of four patterns of positions
inline constexpr uint32_t CENTROID_TABLE = 0x0E40;       ///< four words for each of four patterns

} // namespace ra

namespace gl {

inline constexpr uint32_t MULTI_SAMPLE_CONFIG = 0x3818;
inline constexpr std::array<uint32_t, 2> VARYING_NUM_COMPONENTS{0x3820, 0x3834};
inline constexpr std::array<uint32_t, 4> VARYING_COMPONENT_USE{0x3828, 0x382C, 0x3838, 0x3854};

inline constexpr Field MSAA_SAMPLES{"MSAA_SAMPLES", 1, 0};
inline constexpr Field MSAA_ENABLES{"MSAA_ENABLES", 7, 4};

/// Samples of a pixel: 1, 2 or 4. What MSAA_SAMPLES = 3 does is unknown; here there is one.
constexpr uint32_t sample_count(States states) {
    constexpr uint32_t counts[] = {1, 2, 4, 1};
    return counts[MSAA_SAMPLES(states[MULTI_SAMPLE_CONFIG])];
}

} // namespace gl

} // namespace pixmill::vivante
