// A tile of the render targets while the PE works on it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

inline constexpr unsigned most_targets = 4;

/// 64 x 64 samples in rows, one word per sample, in the target's pixel format: an 8 or 16-bit pixel
/// occupies the low bits of its word, and a 64-bit pixel has a second word. RenderSurface loads and
/// stores it, and handles layouts, tile status and pipes.
struct RenderTile {
    static constexpr unsigned edge = 64;
    using Plane = std::array<uint32_t, edge * edge>;

    std::array<Plane, most_targets> color, high; ///< `high` is used for 64-bit pixels
    Plane depth;                                 ///< D24S8: depth in the high bits
};

} // namespace pixmill::vivante
