// Memory layouts of surfaces.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// Layouts of etna_viv doc/hardware.md ("Tiling"). Pixels of a 4x4 tile are stored row by row;
/// super tiled layouts differ in the order of their tiles.
enum class Tiling : uint8_t {
    linear,
    tiled,             ///< 4x4 tiles, in rows of tiles
    minor_tiled,       ///< 2x2 tiles, in rows of tiles
    super_tiled,       ///< 64x64 pixels in 4x4 tiles, in the order of GC320 to GC2000
    super_tiled_z,     ///< 64x64 pixels, tiles in Morton order (cores with HALTI5)
    super_tiled_y,     ///< Morton order with the coordinates of tiles exchanged
    multi_tiled,       ///< tiled, in two halves: the target of a 3D core with two pixel pipes
    multi_super_tiled, ///< super_tiled in two halves
};

/// True if pixels are stored in two halves with separate addresses.
constexpr bool has_halves(Tiling tiling) {
    return tiling == Tiling::multi_tiled || tiling == Tiling::multi_super_tiled;
}

/// Location of a pixel, in bytes from the start of one half of the surface.
struct Place {
    uint32_t half = 0;
    int64_t offset = 0;
};

/// Coordinates have at most 17 bits and a sign, strides 18 bits and pixels 8 bytes, so nothing
/// overflows. `stride` is in bytes per row of pixels for all layouts.
Place place(Tiling tiling, uint32_t stride, uint32_t pixel_bytes, int64_t x, int64_t y);

/// Returns the number of pixels, starting at x, that are contiguous in memory.
constexpr uint32_t contiguous(Tiling tiling, int64_t x) {
    switch (tiling) {
    case Tiling::linear:
        return UINT32_MAX;
    case Tiling::minor_tiled:
        return uint32_t(2 - (x & 1));
    default:
        return uint32_t(4 - (x & 3));
    }
}

/// Log2 of the sides of the blocks that are stored in rows of blocks. All pixels of a block are
/// between its first and last byte.
struct BlockSize {
    uint8_t log_width = 0, log_height = 0;
};
constexpr BlockSize block_size(Tiling tiling) {
    constexpr BlockSize sizes[] = {{0, 0}, {2, 2}, {1, 1}, {6, 6}, {6, 6}, {6, 6}, {3, 3}, {6, 7}};
    return sizes[unsigned(tiling)];
}

} // namespace pixmill::render
