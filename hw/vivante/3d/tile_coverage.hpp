// How much of a tile a few primitives cover together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "ra.hpp"
#include "render_tile.hpp"

namespace pixmill::vivante {

/// What primitives cover of a tile.
class TileCoverage {
public:
    TileCoverage(const render::Rect& square, const RaSetup& ra) : square_(square), ra_(ra) {}

    /// False if it covers pixels by some of their samples, perhaps, or it is not worth a look.
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
        for (size_t row = 0; row < edge; row++)
            (*seen_)[row] |= rows[row];
        count(rows);
        return true;
    }
    bool is_whole() const {
        return whole_ || (seen_ && std::ranges::all_of(*seen_, [](render::RowMask row) {
                              return row == ~render::RowMask(0);
                          }));
    }
    uint64_t pixels() const { return pixels_; } ///< of each primitive
    uint64_t quads() const { return quads_; }   ///< likewise

private:
    static constexpr int32_t edge = RenderTile::edge;
    using Rows = std::array<render::RowMask, edge>;

    /// Four sums of 16 bits each, of numbers of four bits.
    static constexpr uint64_t in_words(uint64_t fours) {
        const uint64_t bytes = (fours & 0x0F0F0F0F0F0F0F0F) + (fours >> 4 & 0x0F0F0F0F0F0F0F0F);
        return (bytes & 0x00FF00FF00FF00FF) + (bytes >> 8 & 0x00FF00FF00FF00FF);
    }
    static constexpr uint64_t in_fours(uint64_t twos) {
        return (twos & 0x3333333333333333) + (twos >> 2 & 0x3333333333333333);
    }
    static constexpr uint64_t total(uint64_t words) { return words * 0x0001000100010001 >> 48; }

    /// Bits of all rows. Nothing is multiplied but the sums, so that vectors can do the rows.
    void count(const Rows& rows) {
        constexpr uint64_t ones = 0x5555555555555555; // also the first pixels of quads
        uint64_t pixels = 0, quads = 0;
        for (size_t row = 0; row < edge; row += 2) {
            const uint64_t upper = rows[row], lower = rows[row + 1], either = upper | lower;
            pixels += in_words(in_fours(upper - (upper >> 1 & ones)) +
                               in_fours(lower - (lower >> 1 & ones)));
            quads += in_words(in_fours((either | either >> 1) & ones));
        }
        pixels_ += total(pixels);
        quads_ += total(quads);
    }

    const render::Rect square_;
    const RaSetup& ra_;
    bool whole_ = false;       ///< by one primitive
    std::optional<Rows> seen_; ///< else, by those that cover some of it
    uint64_t pixels_ = 0, quads_ = 0;
};

} // namespace pixmill::vivante
