// A square of the render targets while the PE works on it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

inline constexpr unsigned most_targets = 4;

/// 64 x 64 samples, row by row, as words of memory hold them: a pixel of 16 bits is the low half of
/// its word. Layouts, tile status and pipes are behind whoever loads and stores the tile.
struct RenderTile {
    static constexpr unsigned edge = 64;
    using Plane = std::array<uint32_t, edge * edge>;

    std::array<Plane, most_targets> color;
    Plane depth; ///< D24S8: depth in the high bits
};

} // namespace pixmill::vivante
