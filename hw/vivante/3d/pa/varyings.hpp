// Varyings: values that the vertex shader passes to the pixel shader.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "vertex.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// GL_VARYING_COMPONENT_USE: the source of a component.
enum class ComponentUse : uint8_t { generic, color, point_coord_x, point_coord_y };

struct Varyings {
    uint32_t count = 0; ///< at most most_varyings
    /// Defined components of each varying, 0 to 4.
    std::array<uint8_t, most_varyings> components{};
    std::array<std::array<ComponentUse, 4>, most_varyings> use{};

    static Varyings decode(States states);
};

} // namespace pixmill::vivante
