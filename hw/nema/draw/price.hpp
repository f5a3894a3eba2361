// What drawing costs, in bytes that could be copied in the same time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "setup.hpp"

namespace pixmill::nema {

inline constexpr uint64_t row_cost = 256;     ///< of a row without pixels
inline constexpr uint64_t chunk_cost = 512;   ///< beside that of its pixels
inline constexpr uint64_t coverage_cost = 16; ///< of finding how much of a pixel is covered

struct Price {
    uint64_t pixel = 0;    ///< about
    uint64_t alone = 0;    ///< of one that the program is run for alone, since it reads another
    uint32_t accesses = 0; ///< to memory, of a pixel at most; 0: rows are accessed as they are

    /// Of `steps` with these surfaces.
    Price() = default;
    Price(const std::vector<Step>& steps, const std::array<Texture, images>& surface);
    /// Pixels are filled or copied where they are.
    static Price in_memory();

    /// How many pixels of a band of so many rows are drawn without looking up, so that they cost
    /// less than PIXMILL_MOST_DRAW_STEP. A power of two: no chunk cuts a tile or passes the edge of
    /// what a program is run for.
    uint32_t chunk(uint32_t band) const;
    /// Rows of `width` pixels that are drawn without looking up.
    uint32_t rows(uint32_t width) const;
};

} // namespace pixmill::nema
