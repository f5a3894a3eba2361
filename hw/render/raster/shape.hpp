// What the primitives of a 3D core cover, sample by sample.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "render/surface.hpp"

namespace pixmill::render {

/// Units in a pixel: all positions here are integers, and what is covered is exact.
inline constexpr int32_t subpixels = 256;
/// Coordinates of corners are within -farthest .. farthest.
inline constexpr int32_t farthest = 1 << 24;

/// On the plane of the window, y growing with the row of the memory.
struct Position {
    int32_t x = 0, y = 0;
    constexpr bool operator==(const Position&) const = default;
};

/// Twice the signed area: above 0 if a, b, c run clockwise on a screen whose y points down.
constexpr int64_t doubled_area(Position a, Position b, Position c) {
    return (int64_t(b.x) - a.x) * (int64_t(c.y) - a.y) -
           (int64_t(c.x) - a.x) * (int64_t(b.y) - a.y);
}

/// Where in its pixel a sample lies: 0 to 255 from the corner that is up and to the left.
struct SamplePosition {
    uint8_t x = 128, y = 128;
    constexpr bool operator==(const SamplePosition&) const = default;
};

/// What a shape covers of a square of pixels.
enum class Overlap : uint8_t { none, some, all };

/// 8 x 8 pixels: bit 8 * row + column.
using BlockMask = uint64_t;
/// 64 pixels side by side: bit `column`.
using RowMask = uint64_t;

/// A convex polygon of three or four corners, or a line that is a pixel for each step along its
/// longer axis. A polygon covers a sample that is inside of all edges, or on an edge that is a top
/// edge (horizontal, the inside below) or a left edge (not horizontal, the inside to the right):
/// polygons that share an edge tile.
class Shape {
public:
    /// Covers nothing.
    Shape() = default;

    /// `corners`: three or four, in the order of the outline, clockwise or not. One without area
    /// covers nothing.
    static Shape polygon(std::span<const Position> corners);

    struct LineStyle {
        int32_t width = 1; ///< pixels along the minor axis, 1 to 8192
        bool last = false; ///< whether a centre at the very end of the line is covered
    };
    /// The longer axis is major, x if they are equal. A column, if x is it, is covered if its
    /// centre is from the start on and before the end; in `width` rows from that on where the line
    /// is there, when it has been moved up by half of `width` - 1. Samples make no difference.
    static Shape line(Position from, Position to, LineStyle style);

    /// Pixels outside are not covered, wherever the sample. Empty if none is.
    const Rect& bounds() const { return bounds_; }

    /// For the square of `edge` pixels, 1 to 8192, whose first one is (x, y). `none` and `all`
    /// hold wherever the sample; `some` may be any. |x| and |y| are at most 65536, here and below.
    Overlap overlap(int32_t x, int32_t y, int32_t edge) const;

    /// The pixels of the block at (x, y), which may be any, whose sample is covered.
    BlockMask cover(int32_t x, int32_t y, SamplePosition sample) const;

    bool is_line() const { return !edges_; }
    /// The same of a polygon in rows of 64 pixels, the first of which begins at (x, y).
    void cover_rows(int32_t x, int32_t y, SamplePosition sample, std::span<RowMask, 64> rows) const;

private:
    static constexpr unsigned most_edges = 4;

    /// Above or equal 0 at a sample that is not outside of the edge: the distance times a length.
    struct Edge {
        int32_t x = 0, y = 0;
        int64_t constant = 0;
        constexpr int64_t at(int64_t px, int64_t py) const { return x * px + y * py + constant; }
    };
    void add_edge(Position from, Position to, bool positive);

    /// Columns [first, end) of a line along x, seen with x and y exchanged if it is along y.
    struct Line {
        bool along_y = false;
        int32_t first = 0, end = 0, width = 1;
        int64_t run = 1, rise = 0, start = 0; ///< the row of centre c: (start + c rise) / run
        int32_t row(int32_t column) const;    ///< the lowest one that is covered
    };
    Overlap line_overlap(int32_t x, int32_t y, int32_t edge) const;
    BlockMask line_cover(int32_t x, int32_t y) const;

    Rect bounds_;
    uint32_t edges_ = 0; ///< 0: a line
    std::array<Edge, most_edges> edge_;
    Line line_;
};

} // namespace pixmill::render
