// Where the samples of a surface of the 3D engine lie.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// How tiles of 4 x 4 samples follow each other. "Multi": every other tile, or pair of tiles,
/// belongs to the other of two pixel pipes, whose halves of a surface have an address each.
enum class Layout : uint8_t { linear, tiled, supertiled, multi_tiled, multi_supertiled };

constexpr bool is_multi(Layout layout) {
    return layout == Layout::multi_tiled || layout == Layout::multi_supertiled;
}
constexpr bool is_supertiled(Layout layout) {
    return layout == Layout::supertiled || layout == Layout::multi_supertiled;
}

struct Placed {
    uint32_t pipe = 0;
    uint64_t offset = 0; ///< from the pipe's address
};

/// Where sample (x, y) lies. `stride`: bytes of a row of samples, in all layouts; `bytes`: of a
/// sample. The 16 samples of a tile follow each other row by row; rows of a linear surface do not.
Placed place(Layout layout, uint32_t stride, uint32_t bytes, uint32_t x, uint32_t y);

} // namespace pixmill::vivante
