// SPDX-License-Identifier: GPL-2.0-or-later
// Positions of 4 x 4 tiles in tiled surfaces.
#pragma once

#include "painter.hpp"

namespace scene {

// Returns the index of a tile in its super tile, which interleaves bits of x and y (etna_viv
// tools/detiler.py).
constexpr uint32_t tile_in_super_tile(uint32_t x, uint32_t y) {
    const auto bit = [](uint32_t value, int from, int to) { return (value >> from & 1) << to; };
    return bit(x, 0, 0) | bit(y, 0, 1) | bit(y, 1, 2) | bit(x, 1, 3) | bit(x, 2, 4) | bit(x, 3, 5) |
           bit(y, 2, 6) | bit(y, 3, 7);
}

// A tile of 16 pixels. `number` is the number of tiles before it in memory.
struct Tile {
    uint32_t number;
    bool in_second_half = false;
};

// Returns the tile at column x and row y of the surface. etna_viv doc/hardware.md describes the two
// halves.
constexpr Tile tile_at(const Surface& surface, uint32_t x, uint32_t y) {
    const uint32_t across = uint32_t(surface.width) / 4;
    switch (surface.tiling) {
    case Tiling::SUPER_TILED:
        return {(y / 16 * (across / 16) + x / 16) * 256 + tile_in_super_tile(x % 16, y % 16)};
    case Tiling::MULTI_TILED:
        return {y / 2 * across + (x & ~1U) + y % 2, ((x ^ y) & 1) != 0};
    case Tiling::MULTI_SUPER_TILED:
        return {(y / 32 * (across / 16) + x / 16) * 256 +
                    tile_in_super_tile((x & 1) | (y & 1) << 1 | (x & 12), y % 32 / 2),
                ((x >> 1 ^ y) & 1) != 0};
    default:
        return {y * across + x};
    }
}

} // namespace scene
