// GL states that several blocks of the 3D engine read: varyings and multisampling.
//
// Names and bits: rnndb state_3d.xml and state.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "common/field.hpp"
#include "states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante::gl {

inline constexpr std::array varying_num_components{GL_VARYING_NUM_COMPONENTS,
                                                   GL_VARYING_NUM_COMPONENTS2};
inline constexpr std::array varying_component_use{
    GL_VARYING_COMPONENT_USE0, GL_VARYING_COMPONENT_USE1, GL_VARYING_COMPONENT_USE2,
    GL_VARYING_COMPONENT_USE3};

/// HALTI5. The first is 4 * slot of the vertex shader's outputs, the second an index of packed
/// components.
namespace sh_specials {
inline constexpr Field vs_psize_out{"VS_PSIZE_OUT", 6, 0}, ps_pcoord_in{"PS_PCOORD_IN", 14, 8};
inline constexpr uint32_t no_pcoord = 0x7F;
} // namespace sh_specials

/// Four bits of GL_HALTI5_SHADER_ATTRIBUTES per packed component.
namespace shader_attributes {
inline constexpr Field mode{"MODE", 1, 0}; ///< 0: in perspective
inline constexpr Field centroid{"CENTROID", 2};
inline constexpr uint32_t linear = 1, flat = 2; ///< 3 is undocumented; the model treats it as flat
} // namespace shader_attributes

namespace multi_sample_config {
inline constexpr Field msaa_samples{"MSAA_SAMPLES", 1, 0, 3};
inline constexpr Field msaa_enables{"MSAA_ENABLES", 7, 4, 8};
inline constexpr Field unk12{"UNK12", 14, 12, 15}, unk16{"UNK16", 17, 16, 19};
} // namespace multi_sample_config

/// Returns the samples per pixel: 1, 2 or 4. MSAA_SAMPLES = 3 is undocumented; the model uses one
/// sample.
constexpr uint32_t sample_count(States states) {
    constexpr uint32_t counts[] = {1, 2, 4, 1};
    return counts[multi_sample_config::msaa_samples(states[GL_MULTI_SAMPLE_CONFIG])];
}

} // namespace pixmill::vivante::gl
