// Convex polygons and lines as rows of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "render/surface.hpp"
#include "span.hpp"

namespace pixmill::render {

/// Wide enough for products of coordinates of any polygon.
__extension__ typedef __int128 Wide;

/// A point in units of 1/65536 pixel. The center of pixel (0, 0) is at (0.5, 0.5).
struct Vertex {
    int32_t x = 0, y = 0;
    constexpr bool operator==(const Vertex&) const = default;
};

/// Edge i goes from vertex i to vertex i + 1, and the last edge goes back to vertex 0.
struct PolygonDesc {
    std::array<Vertex, 4> vertex{};
    uint32_t count = 3;       ///< 3 or 4
    uint32_t antialiased = 0; ///< bit i: edge i
};

/// Winding of the whole polygon, on a screen with y pointing down.
enum class Winding : uint8_t { none, clockwise, counter_clockwise };
Winding winding(const PolygonDesc& polygon);

/// The area inside all edges. Vertices may be anywhere, in any order. The inside of an edge is the
/// side with most of the polygon's area; a polygon with zero area has no inside.
///
/// An edge without antialiasing covers pixels whose center is inside, or on the edge if that is a
/// left or top edge, so polygons that share an edge have neither gaps nor overlaps. An antialiased
/// edge covers a pixel by clamp(distance + 0.5, 0, 1), in 255ths, where `distance` is the distance
/// of the pixel's center from the edge. The coverage of a pixel is the minimum over all edges.
class Polygon {
public:
    /// Nothing is drawn outside `clip`.
    Polygon(const PolygonDesc& desc, const Rect& clip);

    /// Contains all covered pixels and is inside `clip`; empty if there are none.
    const Rect& bounds() const { return bounds_; }
    /// Returns row y of bounds(). `scratch` has a byte per column of bounds().
    Span row(int32_t y, std::span<uint8_t> scratch) const;

private:
    /// For the center of pixel (x, y), step_x * x + step_y * y + constant is the distance from the
    /// edge times the edge's length, in units of 2^-32 square pixels. Positive inside.
    struct Edge {
        int64_t step_x, step_y;
        Wide constant;
        double length; ///< divisor that converts such a value to a distance in pixels
        bool antialiased;
        int64_t some, full; ///< least values that cover a pixel partially, and fully
    };
    void add_edge(const Vertex& from, const Vertex& to, int sign, bool antialiased);

    Rect bounds_;
    std::array<Edge, 4> edge_;
    uint32_t edges_ = 0;
    bool antialiased_ = false;
};

/// Draws a pixel for each step along the longer axis, both ends included. The other coordinate is
/// rounded to the nearest integer, with halves rounded away from the start.
class LineShape {
public:
    LineShape(int32_t x0, int32_t y0, int32_t x1, int32_t y1, const Rect& clip);

    const Rect& bounds() const { return bounds_; }
    /// Returns row y of bounds(). Coverage is always full.
    Span row(int32_t y, std::span<uint8_t> scratch) const;

private:
    int64_t x0_, y0_, dx_, dy_;
    Rect bounds_;
};

} // namespace pixmill::render
