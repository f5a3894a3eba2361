// Pixels that are passed from the pixel shader to the PE.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "vivante/3d/lanes.hpp"
#include "vivante/3d/render_tile.hpp"

namespace pixmill::vivante {

inline constexpr unsigned most_samples = 4;

/// Up to 16 quads of a tile, all at different positions.
struct Fragments {
    struct Place {
        uint8_t x = 0, y = 0; ///< position of the quad's first pixel in the tile; both are even
    };
    std::array<Place, quad_count> place;
    /// The quads are a block of 8x8 pixels, row by row. Without multisampling, only place[0] is
    /// set.
    bool block = false;
    /// For each sample s, the pixels in which s is covered and not killed.
    std::array<LaneMask, most_samples> covered{};
    LaneMask positive = 0; ///< in triangles of positive area, which use the FRONT stencil fields
    std::array<Lanes, most_samples> depth;
    /// The color of each target that is drawn, with components in the PE's order: r, g, b, a.
    std::array<const Vector*, most_targets> color{};
};

} // namespace pixmill::vivante
