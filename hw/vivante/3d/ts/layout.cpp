// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: multi-pipe tables: etna_viv doc/hardware.md; order of tiles in a supertile: Mesa's
// etnaviv_tiling.c.
#include "layout.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t tile = 4, supertile = 64; // edges, in samples

/// Returns the index of tile (a, b) in a supertile of 16x16 tiles.
constexpr uint32_t number_in_supertile(uint32_t a, uint32_t b) {
    return (b >> 2) * 64 + (a >> 1) * 8 + (b & 3) * 2 + (a & 1);
}

/// Spreads four bits to the even bits.
constexpr uint32_t spread(uint32_t bits) {
    return (bits & 1) | (bits & 2) << 1 | (bits & 4) << 2 | (bits & 8) << 3;
}

uint64_t place_tile(Layout layout, uint64_t stride, uint64_t tile_bytes, uint32_t tx, uint32_t ty) {
    if (!is_supertiled(layout))
        return ty * (tile * stride) + tx * tile_bytes;
    const uint32_t x = tx >> 4, y = ty >> 4, a = tx & 15, b = ty & 15;
    const uint32_t number =
        layout == Layout::new_supertiled ? spread(a) | spread(b) << 1 : number_in_supertile(a, b);
    return y * (supertile * stride) + (x * 256u + number) * tile_bytes;
}

} // namespace

Placed place(Layout layout, uint32_t stride, uint32_t bytes, uint32_t x, uint32_t y) {
    if (layout == Layout::linear)
        return {0, uint64_t(y) * stride + uint64_t(x) * bytes};
    uint32_t tx = x / tile, ty = y / tile, pipe = 0;
    if (is_multi(layout)) {
        // Pipes alternate after each tile or, in supertiles, after each pair of tiles. The pipe
        // replaces a bit of the column, so the lowest bit of the row takes that bit's position.
        const uint32_t bit = is_supertiled(layout) ? 1 : 0;
        pipe = ((tx >> bit) ^ ty) & 1;
        tx = (tx & ~(1u << bit)) | (ty & 1) << bit;
        ty >>= 1;
    }
    const uint64_t inside = ((y % tile) * tile + x % tile) * uint64_t(bytes);
    return {pipe, place_tile(layout, stride, 16ull * bytes, tx, ty) + inside};
}

} // namespace pixmill::vivante
