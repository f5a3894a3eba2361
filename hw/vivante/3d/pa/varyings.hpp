// Varyings: values that the vertex shader passes to the pixel shader.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "vertex.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// GL_VARYING_COMPONENT_USE: the source of a component.
enum class ComponentUse : uint8_t { generic, color, point_coord_x, point_coord_y };
constexpr bool is_point_coord(ComponentUse use) {
    return use == ComponentUse::point_coord_x || use == ComponentUse::point_coord_y;
}

/// Outputs of the vertex shader: the position, varyings and a point size.
inline constexpr unsigned most_outputs = 2 + most_varyings;

struct Varyings {
    uint32_t count = 0; ///< at most most_varyings
    /// Defined components of each varying, 0 to 4.
    std::array<uint8_t, most_varyings> components{};
    std::array<std::array<ComponentUse, 4>, most_varyings> use{};
    /// Interpolation of components: a sum of `linear` and `centered` (HALTI5), or 0: in
    /// perspective, and at the centroid if the center is not covered.
    std::array<std::array<uint8_t, 4>, most_varyings> rule{};
    static constexpr uint8_t linear = 1, centered = 2;
    uint8_t rules = 1; ///< bit n: rule n is in use; 1/w is interpolated by rule 0
    /// Components that are flat and keep their bits, which may be an integer: a bit for each. Point
    /// coordinates never are. HALTI5 ignores SHADE_MODEL. Empty on cores before HALTI2, which have
    /// no integers.
    std::array<uint8_t, most_varyings> flat{};

    static Varyings decode(States states, const Features3d& features = {});
    /// Removes `centered` from all rules: without multisampling, it makes no difference.
    void ignore_centered();
};

/// Returns the flat components of a varying on cores before HALTI5: all or none.
uint8_t flat_components(States states, uint32_t varying);

} // namespace pixmill::vivante
