// Checks whether a few primitives together cover a tile or a rectangle of tiles.
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

/// The pixels and quads that primitives cover, summed over all primitives.
struct Covered {
    uint64_t pixels = 0, quads = 0;
};

/// Primitives that together cover a rectangle of whole tiles, without a look at its pixels. At most
/// one edge of each primitive crosses the rectangle, and another primitive lies on the other side
/// of that edge, like the triangles of a fan, a strip or a rectangle.
class RectangleCoverage {
public:
    RectangleCoverage(const render::Rect& pixels, const RaSetup& ra) : pixels_(pixels), ra_(ra) {}

    /// Adds a primitive. Returns false if its coverage cannot be determined.
    bool add(const render::Shape& shape) {
        if (shape.bounds().intersect(pixels_).empty())
            return true;
        const std::optional<render::Shape::Part> part = shape.part(pixels_);
        if (!part)
            return false;
        if (part->overlap() == render::Overlap::all)
            add_whole(0);
        // With multisampling, an edge may cross pixels.
        return part->overlap() != render::Overlap::some || (ra_.samples == 1 && add_part(*part));
    }
    /// True if the primitives cover the whole rectangle, and their other parts are known.
    bool is_whole() const { return whole_ && !parts_; }
    const Covered& covered() const { return covered_; } ///< valid if is_whole()

private:
    static constexpr unsigned most_parts = 4;

    bool add_part(const render::Shape::Part& part) {
        for (unsigned n = 0; n < parts_; n++)
            if (part.completes(part_[n])) {
                part_[n] = part_[--parts_];
                add_whole(part.crossed_quads(pixels_, ra_.sample[0]));
                return true;
            }
        if (parts_ == most_parts)
            return false;
        part_[parts_++] = part;
        return true;
    }
    void add_whole(uint64_t crossed_quads) {
        const auto area = uint64_t(pixels_.width()) * uint64_t(pixels_.height());
        covered_.pixels += area;
        covered_.quads += area / 4 + crossed_quads;
        whole_ = true;
    }

    const render::Rect pixels_;
    const RaSetup& ra_;
    bool whole_ = false;
    unsigned parts_ = 0; ///< that miss the primitive on the other side of their edge
    std::array<render::Shape::Part, most_parts> part_;
    Covered covered_;
};

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
            covered_.pixels += area;
            covered_.quads += area / 4;
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
    const Covered& covered() const { return covered_; }

private:
    static constexpr int32_t edge = RenderTile::edge;
    using Rows = std::array<render::RowMask, edge>;

    void add_rows(size_t at, render::RowMask upper, render::RowMask lower) {
        constexpr render::RowMask first_of_quads = 0x5555555555555555;
        const render::RowMask either = upper | lower;
        (*seen_)[at] |= upper;
        (*seen_)[at + 1] |= lower;
        covered_.pixels += count_bits(upper) + count_bits(lower);
        covered_.quads += count_bits((either | either >> 1) & first_of_quads);
    }

    const render::Rect square_;
    const RaSetup& ra_;
    bool whole_ = false;       ///< a single primitive covers the tile
    std::optional<Rows> seen_; ///< pixels covered by the other primitives
    Covered covered_;
};

} // namespace pixmill::vivante
