// Memory layouts of 3D surfaces.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// Order of 4x4 tiles in memory. In a multi layout, tiles or pairs of tiles alternate between two
/// pixel pipes, and each pipe's half of the surface has its own address.
///
/// A new supertile has its tiles in Morton order, x first (as in the 2D engine's super tile
/// version 3; Mesa never touches supertiles, so that only a display would see another order).
enum class Layout : uint8_t {
    linear,
    tiled,
    supertiled,
    multi_tiled,
    multi_supertiled,
    new_supertiled,
    count,
};

constexpr bool is_multi(Layout layout) {
    return layout == Layout::multi_tiled || layout == Layout::multi_supertiled;
}
constexpr bool is_supertiled(Layout layout) {
    return layout == Layout::supertiled || layout == Layout::multi_supertiled ||
           layout == Layout::new_supertiled;
}

/// Returns the layout of a tiled surface. `multi` is set if two pipes share it.
constexpr Layout layout_of(bool multi, bool supertiled, bool new_supertiles) {
    if (multi)
        return supertiled ? Layout::multi_supertiled : Layout::multi_tiled;
    if (!supertiled)
        return Layout::tiled;
    return new_supertiles ? Layout::new_supertiled : Layout::supertiled;
}

struct Placed {
    uint32_t pipe = 0;
    uint64_t offset = 0; ///< from the pipe's address
};

/// Returns the location of sample (x, y). `stride` is the bytes per row of samples, in all layouts;
/// `bytes` is the size of a sample. The 16 samples of a tile are contiguous, row by row.
Placed place(Layout layout, uint32_t stride, uint32_t bytes, uint32_t x, uint32_t y);

} // namespace pixmill::vivante
