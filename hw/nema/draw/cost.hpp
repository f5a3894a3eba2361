// Cost of drawing, as the number of bytes that could be copied in the same time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "setup.hpp"

namespace pixmill::nema {

inline constexpr uint64_t row_cost = 256;     ///< cost per row, even if it is empty
inline constexpr uint64_t chunk_cost = 512;   ///< cost per chunk, in addition to its pixels
inline constexpr uint64_t coverage_cost = 16; ///< cost per pixel whose coverage is computed

struct DrawCost {
    uint64_t pixel = 0;    ///< approximate cost per pixel
    uint64_t alone = 0;    ///< cost per pixel if pixels are drawn one at a time
    uint32_t accesses = 0; ///< maximum memory accesses per pixel; 0 if rows are accessed in place

    DrawCost() = default;
    /// Computes the cost of `steps` on these surfaces.
    DrawCost(const std::vector<Step>& steps, const std::array<Texture, images>& surface);
    /// Returns the cost of filling or copying pixels in place.
    static DrawCost in_memory();

    /// Returns a chunk width that keeps the cost below PIXMILL_MOST_DRAW_STEP, for bands of `band`
    /// rows. The width is a power of two, so that no chunk splits a tile or needs two runs of the
    /// program.
    uint32_t chunk(uint32_t band) const;
    /// Returns how many rows of `width` pixels to draw between two checks of `stop`.
    uint32_t rows(uint32_t width) const;
};

} // namespace pixmill::nema
