// SPDX-License-Identifier: GPL-2.0-or-later
#include "tiling.hpp"

namespace pixmill::render {

namespace {

/// The order of the 256 tiles of a super tile: each bit of a tile's index is taken from a bit of a
/// pixel coordinate (etna_viv tools/detiler.py, layouts 0 and 1).
struct TileBit {
    bool y;
    uint8_t bit;
};
constexpr TileBit super_tile_order[8] = {{false, 2}, {true, 2},  {true, 3}, {false, 3},
                                         {false, 4}, {false, 5}, {true, 4}, {true, 5}};
constexpr TileBit morton_order[8] = {{false, 2}, {true, 2}, {false, 3}, {true, 3},
                                     {false, 4}, {true, 4}, {false, 5}, {true, 5}};
constexpr TileBit exchanged_order[8] = {{true, 2}, {false, 2}, {true, 3}, {false, 3},
                                        {true, 4}, {false, 4}, {true, 5}, {false, 5}};

int64_t tile_number(const TileBit (&order)[8], int64_t x, int64_t y) {
    int64_t number = 0;
    for (unsigned i = 0; i < 8; i++)
        number |= ((order[i].y ? y : x) >> order[i].bit & 1) << i;
    return number;
}

/// Returns the index of a pixel in its tile.
int64_t in_tile(int64_t x, int64_t y) {
    return (y & 3) * 4 + (x & 3);
}

} // namespace

Place place(Tiling tiling, uint32_t stride, uint32_t bytes, int64_t x, int64_t y) {
    const auto pixels = [=](int64_t rows, int64_t count) {
        return rows * int64_t(stride) + count * int64_t(bytes);
    };
    switch (tiling) {
    case Tiling::linear:
        break;
    case Tiling::tiled:
        return {0, pixels((y >> 2) * 4, (x >> 2) * 16 + in_tile(x, y))};
    case Tiling::minor_tiled:
        return {0, pixels((y >> 1) * 2, (x >> 1) * 4 + (y & 1) * 2 + (x & 1))};
    case Tiling::super_tiled:
    case Tiling::super_tiled_z:
    case Tiling::super_tiled_y: {
        const auto& order = tiling == Tiling::super_tiled     ? super_tile_order
                            : tiling == Tiling::super_tiled_z ? morton_order
                                                              : exchanged_order;
        return {0, pixels((y >> 6) * 64,
                          (x >> 6) * 4096 + tile_number(order, x, y) * 16 + in_tile(x, y))};
    }
    case Tiling::multi_tiled: {
        // The two pipes take alternate tiles, like the squares of a chessboard.
        const int64_t tx = x >> 2, ty = y >> 2;
        return {uint32_t((tx ^ ty) & 1),
                pixels((ty >> 1) * 4, ((tx & ~int64_t(1)) | (ty & 1)) * 16 + in_tile(x, y))};
    }
    case Tiling::multi_super_tiled: {
        const int64_t tx = x >> 2 & 15, ty = y >> 2 & 31;
        const int64_t sx = (tx & 1) | (ty & 1) << 1 | (tx & 12);
        return {uint32_t((tx >> 1 ^ ty) & 1),
                pixels((y >> 7) * 64,
                       (x >> 6) * 4096 + tile_number(super_tile_order, sx << 2, ty >> 1 << 2) * 16 +
                           in_tile(x, y))};
    }
    }
    return {0, pixels(y, x)};
}

} // namespace pixmill::render
