// Pixels on their way from the pixel shader to the PE.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "vivante/3d/lanes.hpp"
#include "vivante/3d/render_tile.hpp"

namespace pixmill::vivante {

inline constexpr unsigned most_samples = 4;

/// Up to 16 quads, of which no two lie at the same place of the tile.
struct Fragments {
    struct Place {
        uint8_t x = 0, y = 0; ///< of the quad's first pixel in the tile, in pixels; both even
    };
    std::array<Place, quad_count> place;
    /// Pixels of which sample s is covered and not killed.
    std::array<LaneMask, most_samples> covered{};
    LaneMask positive = 0; ///< of triangles whose area is: FRONT stencil fields
    /// Window depth of each sample, 0 to 1. One that the shader writes is that of all samples.
    std::array<Lanes, most_samples> depth;
    /// r, g, b, a as the PE names them, of each target that is drawn.
    std::array<const Vector*, most_targets> color{};
};

} // namespace pixmill::vivante
