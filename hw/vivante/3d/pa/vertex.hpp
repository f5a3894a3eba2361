// A shaded vertex.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>

namespace pixmill::vivante {

inline constexpr unsigned most_varyings = 16;

struct Vertex {
    std::array<float, 4> position{}; ///< clip coordinates
    std::array<std::array<float, 4>, most_varyings> varying{};
    float point_size = 0; ///< diameter in pixels, if the shader writes one
};

} // namespace pixmill::vivante
