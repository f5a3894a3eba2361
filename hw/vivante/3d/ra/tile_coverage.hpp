// Checks whether a few primitives together cover a tile.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "ra.hpp"
#include "vivante/3d/render_tile.hpp"

namespace pixmill::vivante {

/// The pixels of a tile that primitives cover.
class TileCoverage {
public:
    TileCoverage(const render::Rect& square, const RaSetup& ra) : square_(square), ra_(ra) {}

    /// Adds a primitive. Returns false if its coverage cannot be determined: for lines and, with
    /// multisampling, for primitives that cover part of the tile.
    bool add(const render::Shape& shape) {
        const render::Overlap overlap = shape.overlap(square_.left, square_.top, edge);
        if (overlap == render::Overlap::none)
            return true;
        if (overlap == render::Overlap::all) {
            const auto area = uint64_t(square_.width() * square_.height());
            pixels_ += area;
            quads_ += area / 4;
            whole_ = true;
            return true;
        }
        if (ra_.samples > 1 || shape.is_line())
            return false;
        Rows rows;
        shape.cover_rows(square_.left, square_.top, ra_.sample[0], rows);
        if (!seen_)
            seen_.emplace();
        for (size_t row = 0; row < edge; row += 2)
            add_rows(row, rows[row], rows[row + 1]);
        return true;
    }
    bool is_whole() const {
        return whole_ || (seen_ && std::ranges::all_of(*seen_, [](render::RowMask row) {
                              return row == ~render::RowMask(0);
                          }));
    }
    uint64_t pixels() const { return pixels_; } ///< summed over all primitives
    uint64_t quads() const { return quads_; }   ///< summed over all primitives

private:
    static constexpr int32_t edge = RenderTile::edge;
    using Rows = std::array<render::RowMask, edge>;

    void add_rows(size_t at, render::RowMask upper, render::RowMask lower) {
        constexpr render::RowMask first_of_quads = 0x5555555555555555;
        const render::RowMask either = upper | lower;
        (*seen_)[at] |= upper;
        (*seen_)[at + 1] |= lower;
        pixels_ += count_bits(upper) + count_bits(lower);
        quads_ += count_bits((either | either >> 1) & first_of_quads);
    }

    const render::Rect square_;
    const RaSetup& ra_;
    bool whole_ = false;       ///< a single primitive covers the tile
    std::optional<Rows> seen_; ///< pixels covered by the other primitives
    uint64_t pixels_ = 0, quads_ = 0;
};

} // namespace pixmill::vivante
