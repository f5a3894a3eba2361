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

/// Products of coordinates of any polygon.
__extension__ typedef __int128 Wide;

/// A point in units of 1/65536 pixel; pixel (0, 0) has its centre at (0.5, 0.5).
struct Vertex {
    int32_t x = 0, y = 0;
    constexpr bool operator==(const Vertex&) const = default;
};

/// Edge i goes from vertex i to vertex i + 1, the last one back to vertex 0.
struct PolygonDesc {
    std::array<Vertex, 4> vertex{};
    uint32_t count = 3;       ///< 3 or 4
    uint32_t antialiased = 0; ///< bit i: edge i
};

/// Of the whole polygon, as seen on a screen whose y points down.
enum class Winding : uint8_t { none, clockwise, counter_clockwise };
Winding winding(const PolygonDesc& polygon);

/// What is inside of all edges. Vertices may be anywhere, in any order: the inside of an edge is
/// where most of the polygon's area is; one without area has no inside.
///
/// An edge that is not antialiased owns the pixels whose centre is inside, or is on it if it is a
/// left or a top edge: polygons that share it tile. An antialiased edge covers a pixel by the
/// distance of its centre from the edge, clamp(distance + 0.5, 0, 1), in 255ths; the least of all
/// edges counts.
class Polygon {
public:
    /// Nothing outside of `clip` will be drawn.
    Polygon(const PolygonDesc& desc, const Rect& clip);

    /// No pixel lies outside; in `clip`, and empty if there is none.
    const Rect& bounds() const { return bounds_; }
    /// Row y of bounds(). `scratch` has room for a byte per column of bounds().
    Span row(int32_t y, std::span<uint8_t> scratch) const;

private:
    /// The distance from an edge times its length, in units of 2^-32 square pixels: of the centre
    /// of pixel (x, y) it is step_x * x + step_y * y + constant, and above 0 inside.
    struct Edge {
        int64_t step_x, step_y;
        Wide constant;
        double length; ///< times 65536: what a pixel's distance has to be divided by
        bool antialiased;
        int64_t some, full; ///< from these on it covers a pixel, and covers it in full
    };
    void add_edge(const Vertex& from, const Vertex& to, int sign, bool antialiased);

    Rect bounds_;
    std::array<Edge, 4> edge_;
    uint32_t edges_ = 0;
    bool antialiased_ = false;
};

/// A pixel for each step along the longer axis, both ends included; the other coordinate is rounded
/// to the nearest, halves away from the start.
class LineShape {
public:
    LineShape(int32_t x0, int32_t y0, int32_t x1, int32_t y1, const Rect& clip);

    const Rect& bounds() const { return bounds_; }
    /// Row y of bounds(); a line covers its pixels in full.
    Span row(int32_t y, std::span<uint8_t> scratch) const;

private:
    int64_t x0_, y0_, dx_, dy_;
    Rect bounds_;
};

} // namespace pixmill::render
