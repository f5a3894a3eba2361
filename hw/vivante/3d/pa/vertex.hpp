// A vertex behind the vertex shader.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>

namespace pixmill::vivante {

inline constexpr unsigned most_varyings = 16;

struct Vertex {
    std::array<float, 4> position{}; ///< clip coordinates
    std::array<std::array<float, 4>, most_varyings> varying{};
    float point_size = 0; ///< whole, in pixels, if the shader gives it
};

} // namespace pixmill::vivante
