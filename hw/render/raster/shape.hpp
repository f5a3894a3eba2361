// Sample coverage of the primitives of a 3D core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "render/surface.hpp"

namespace pixmill::render {

/// Units per pixel. All positions are integers, so coverage is exact.
inline constexpr int32_t subpixels = 256;
/// Corners have coordinates within -farthest .. farthest.
inline constexpr int32_t farthest = 1 << 24;

/// A position in the window; y grows with the row in memory.
struct Position {
    int32_t x = 0, y = 0;
    constexpr bool operator==(const Position&) const = default;
};

/// Twice the signed area; positive if a, b, c are clockwise on a screen with y pointing down.
constexpr int64_t doubled_area(Position a, Position b, Position c) {
    return (int64_t(b.x) - a.x) * (int64_t(c.y) - a.y) -
           (int64_t(c.x) - a.x) * (int64_t(b.y) - a.y);
}

/// Position of a sample in its pixel, 0 to 255 from the upper left corner.
struct SamplePosition {
    uint8_t x = 128, y = 128;
    constexpr bool operator==(const SamplePosition&) const = default;
};

/// Coverage of a square of pixels by a shape.
enum class Overlap : uint8_t { none, some, all };

/// 8 x 8 pixels: bit 8 * row + column.
using BlockMask = uint64_t;
/// 64 pixels of a row: bit `column`.
using RowMask = uint64_t;

/// A convex polygon of three or four corners, or a line with a pixel for each step along its longer
/// axis. A polygon covers a sample that is inside all edges, or on a top edge (horizontal, with the
/// inside below it) or a left edge (not horizontal, with the inside to its right), so polygons that
/// share an edge have neither gaps nor overlaps.
class Shape {
public:
    /// Covers nothing.
    Shape() = default;

    /// Takes three or four corners in the order of the outline, in either direction. A polygon with
    /// zero area covers nothing.
    static Shape polygon(std::span<const Position> corners);

    struct LineStyle {
        int32_t width = 1; ///< pixels along the minor axis, 1 to 8192
        bool last = false; ///< also cover a center exactly at the end
    };
    /// The longer axis is the major axis; x if both are equal. If x is major, a column is covered
    /// if its center is at or after the start and before the end. `width` rows are covered,
    /// starting at the row of the line after the line is moved up by half of `width` - 1. Sample
    /// positions have no effect.
    static Shape line(Position from, Position to, LineStyle style);

    /// Contains all pixels that are covered for any sample position; empty if there are none.
    const Rect& bounds() const { return bounds_; }

    /// Classifies the square of `edge` pixels, 1 to 8192, whose first pixel is (x, y). `none` and
    /// `all` hold for any sample position; `some` is conservative. Here and below, |x| and |y| are
    /// at most 65536.
    Overlap overlap(int32_t x, int32_t y, int32_t edge) const;

    /// Returns the pixels of the block at (x, y) whose sample is covered. The block need not be
    /// aligned.
    BlockMask cover(int32_t x, int32_t y, SamplePosition sample) const;

    class Part;
    /// Returns the part of a rectangle of even size, at even coordinates, that the polygon covers.
    /// Returns nothing if more than one edge may cross the rectangle, and for lines.
    std::optional<Part> part(const Rect& pixels) const;

    bool is_line() const { return !edges_; }
    /// Sets `rows` to the covered pixels of 64 rows of 64 pixels, beginning at (x, y). Polygons
    /// only.
    void cover_rows(int32_t x, int32_t y, SamplePosition sample, std::span<RowMask, 64> rows) const;

private:
    static constexpr unsigned most_edges = 4;

    /// An edge function. at() is a distance times a length. It is not negative for samples that the
    /// edge covers.
    struct Edge {
        int32_t x = 0, y = 0;
        int64_t constant = 0;
        constexpr int64_t at(int64_t px, int64_t py) const { return x * px + y * py + constant; }
    };
    void add_edge(Position from, Position to, bool positive);

    /// Columns [first, end) of a line along x. For a line along y, x and y are exchanged.
    struct Line {
        bool along_y = false;
        int32_t first = 0, end = 0, width = 1;
        int64_t run = 1, rise = 0, start = 0; ///< the row at center c: (start + c * rise) / run
        int32_t row(int32_t column) const;    ///< returns the first row that is covered
    };
    Overlap line_overlap(int32_t x, int32_t y, int32_t edge) const;
    BlockMask line_cover(int32_t x, int32_t y) const;

    Rect bounds_;
    uint32_t edges_ = 0; ///< 0: a line
    std::array<Edge, most_edges> edge_;
    Line line_;
};

/// The part of a rectangle of pixels that a polygon covers, if at most one edge crosses it.
class Shape::Part {
public:
    /// `some`: an edge may cross the rectangle. For `none` and `all` see Shape::overlap().
    Overlap overlap() const { return overlap_; }
    /// True if this and another part have the same edge and different sides of it, so that each
    /// sample is in exactly one of them. Both must overlap `some` of the same rectangle.
    bool completes(const Part& other) const {
        return edge_.x == -other.edge_.x && edge_.y == -other.edge_.y &&
               edge_.constant == -other.edge_.constant - 1;
    }
    /// Returns the number of quads with pixels on both sides of the edge.
    uint64_t crossed_quads(const Rect& pixels, SamplePosition sample) const;

private:
    friend class Shape;

    Overlap overlap_ = Overlap::all;
    Edge edge_;
};

} // namespace pixmill::render
