// Where the pixels of a surface lie in memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// Layouts of etna_viv doc/hardware.md ("Tiling"). Pixels of a 4x4 tile follow each other row by
/// row; the other layouts are orders of tiles.
enum class Tiling : uint8_t {
    linear,
    tiled,             ///< 4x4 tiles, one row of tiles after the other
    minor_tiled,       ///< 2x2 pixels, likewise
    super_tiled,       ///< 64x64 pixels made of tiles, the order of GC320 to GC2000
    super_tiled_z,     ///< the same in Morton order (cores with HALTI5)
    super_tiled_y,     ///< and that with rows and columns of tiles exchanged
    multi_tiled,       ///< tiled, in two halves: what a 3D core with two pixel pipes renders
    multi_super_tiled, ///< super_tiled in two halves
};

/// Whether pixels lie in two halves, which have addresses of their own.
constexpr bool has_halves(Tiling tiling) {
    return tiling == Tiling::multi_tiled || tiling == Tiling::multi_super_tiled;
}

/// The place of a pixel: bytes from the start of one of the surface's two halves.
struct Place {
    uint32_t half = 0;
    int64_t offset = 0;
};

/// Coordinates are at most 17 bits and a sign, strides 18 bits, pixels at most 8 bytes: nothing
/// overflows. `stride` counts bytes per row of pixels in all layouts.
Place place(Tiling tiling, uint32_t stride, uint32_t pixel_bytes, int64_t x, int64_t y);

/// How many pixels from x on follow each other in memory.
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

/// Sides, as powers of two, of the blocks of pixels that follow each other in rows of blocks. No
/// pixel of a block lies before the first or behind the last byte of the block.
struct BlockSize {
    uint8_t log_width = 0, log_height = 0;
};
constexpr BlockSize block_size(Tiling tiling) {
    constexpr BlockSize sizes[] = {{0, 0}, {2, 2}, {1, 1}, {6, 6}, {6, 6}, {6, 6}, {3, 3}, {6, 7}};
    return sizes[unsigned(tiling)];
}

} // namespace pixmill::render
