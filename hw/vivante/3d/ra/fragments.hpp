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

/// Up to 16 quads of a tile, no two of them at the same place.
struct Fragments {
    struct Place {
        uint8_t x = 0, y = 0; ///< the quad's first pixel in the tile; both are even
    };
    std::array<Place, quad_count> place;
    /// For each sample s, the pixels in which s is covered and not killed.
    std::array<LaneMask, most_samples> covered{};
    LaneMask positive = 0; ///< triangles with a positive area, which use the FRONT stencil fields
    /// Window depth of each sample, 0 to 1. A depth that the shader writes applies to all samples.
    std::array<Lanes, most_samples> depth;
    /// r, g, b, a, as the PE names them, for each target that is drawn.
    std::array<const Vector*, most_targets> color{};
};

} // namespace pixmill::vivante
