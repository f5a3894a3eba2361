// SPDX-License-Identifier: GPL-2.0-or-later
#include "polygon.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pixmill::render {

namespace {

constexpr int64_t one = 65536, half = one / 2;

bool fits(Wide value) {
    return value == int64_t(value);
}

/// a / b rounded down; b > 0.
Wide divide_down(Wide a, int64_t b) {
    if (fits(a)) {
        const auto small = int64_t(a);
        return small / b - (small % b < 0);
    }
    return a / b - (a % b < 0);
}

Wide divide_up(Wide a, int64_t b) {
    return -divide_down(-a, b);
}

/// Twice the area, in units of 2^-32 square pixels; positive if clockwise.
Wide signed_area(const PolygonDesc& polygon) {
    Wide area = 0;
    for (uint32_t i = 0; i < polygon.count; i++) {
        const Vertex &a = polygon.vertex[i], &b = polygon.vertex[(i + 1) % polygon.count];
        area += Wide(a.x) * b.y - Wide(b.x) * a.y;
    }
    return area;
}

/// Returns the coverage in 255ths for a value of an edge function.
int coverage(double value, double length) {
    const double part = value / length + 0.5;
    return int((part < 0 ? 0 : part > 1 ? 1 : part) * 255 + 0.5);
}

/// Returns the least value with a coverage of `wanted` 255ths. The estimate is off only by rounding
/// errors, so the exact value is next to it.
int64_t least_value(int wanted, double length) {
    auto value = int64_t(std::ceil(((wanted - 0.5) / 255 - 0.5) * length));
    while (coverage(double(value), length) < wanted)
        value++;
    while (coverage(double(value - 1), length) >= wanted)
        value--;
    return value;
}

/// Pixels [left, right) of a row.
struct Range {
    int32_t left, right;

    /// Drops pixels where step * x + value < least. They are all at one end of the range.
    void cut(int64_t step, Wide value, int64_t least) {
        if (step == 0) {
            if (value < least)
                right = left;
        } else if (step > 0) {
            if (Wide(step) * left + value < least)
                left = int32_t(std::min(divide_up(least - value, step), Wide(right)));
        } else if (Wide(step) * (int64_t(right) - 1) + value < least) {
            right = int32_t(std::max(divide_down(value - least, -step) + 1, Wide(left)));
        }
    }
};

/// Reduces `to` to the coverage of an edge that covers none of these pixels fully. The edge's
/// values are below 2^50 here, so a double holds them exactly.
void lower(uint8_t* to, int32_t count, double value, double step, double length) {
    for (int32_t i = 0; i < count; i++) {
        const int covered = coverage(value + step * i, length);
        to[i] = uint8_t(covered < to[i] ? covered : to[i]);
    }
}

// ---- Bounds of a polygon -----------------------------------------------------

struct Point {
    double x, y;
};

/// The line through an edge: points p with n * p = n * start + out.
struct Side {
    Point start; ///< in pixels
    Point n;     ///< outward, of length 1
    double out;  ///< pixels by which antialiasing moves it outward
};

/// Returns the corner of two sides that share the start of `b`; at infinity if they are almost
/// parallel.
Point corner(const Side& a, const Side& b) {
    const double sine = a.n.x * b.n.y - a.n.y * b.n.x;
    const double cosine = a.n.x * b.n.x + a.n.y * b.n.y;
    Point moved{HUGE_VAL, HUGE_VAL};
    if (std::abs(sine) > 1e-6)
        moved = {(a.out * b.n.y - b.out * a.n.y) / sine, (b.out * a.n.x - a.out * b.n.x) / sine};
    else if (cosine > 0 && a.out == b.out)
        moved = {a.out * a.n.x, a.out * a.n.y};
    return {b.start.x + moved.x, b.start.y + moved.y};
}

struct Sides {
    std::array<Side, 4> side;
    uint32_t count = 0;

    Sides(const PolygonDesc& polygon, int sign) {
        for (uint32_t i = 0; i < polygon.count; i++) {
            const Vertex &a = polygon.vertex[i], &b = polygon.vertex[(i + 1) % polygon.count];
            const double dx = double(b.x) - a.x, dy = double(b.y) - a.y;
            const double length = std::sqrt(dx * dx + dy * dy);
            if (length > 0)
                side[count++] = {{double(a.x) / one, double(a.y) / one},
                                 {sign * dy / length, -sign * dx / length},
                                 polygon.antialiased >> i & 1 ? 0.5 : 0};
        }
    }
    const Side& before(uint32_t i) const { return side[(i + count - 1) % count]; }
};

/// True if no corner turns against `sign`. The area inside all edges then ends at the corners;
/// otherwise it may extend anywhere.
bool convex(const PolygonDesc& polygon, int sign) {
    const Vertex* corners[4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < polygon.count; i++)
        if (polygon.vertex[i] != polygon.vertex[(i + 1) % polygon.count])
            corners[count++] = &polygon.vertex[i];
    for (uint32_t i = 0; i < count; i++) {
        const Vertex &a = *corners[i], &b = *corners[(i + 1) % count],
                     &c = *corners[(i + 2) % count];
        const Wide turn = Wide(int64_t(b.x) - a.x) * (int64_t(c.y) - b.y) -
                          Wide(int64_t(b.y) - a.y) * (int64_t(c.x) - b.x);
        if (sign > 0 ? turn < 0 : turn > 0)
            return false;
    }
    return true;
}

int32_t to_pixel(double value) {
    constexpr double low = std::numeric_limits<int32_t>::min(),
                     high = std::numeric_limits<int32_t>::max();
    return int32_t(value > low ? value < high ? value : high : low);
}

/// Returns a rectangle that contains all pixels that may be covered.
Rect reach(const PolygonDesc& polygon, int sign, bool antialiased, const Rect& clip) {
    if (!convex(polygon, sign))
        return clip;
    const Sides sides(polygon, sign);
    Point low{HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL};
    bool endless = false;
    for (uint32_t i = 0; i < sides.count; i++) {
        const Point p = corner(sides.before(i), sides.side[i]);
        endless |= !std::isfinite(p.x) || !std::isfinite(p.y);
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    if (endless)
        return clip;
    const double margin = antialiased ? 1 : 0; // for rounding errors of moved corners
    return clip.intersect(
        {to_pixel(std::ceil(low.x - 0.5 - margin)), to_pixel(std::ceil(low.y - 0.5 - margin)),
         to_pixel(std::floor(high.x + 0.5 + margin)), to_pixel(std::floor(high.y + 0.5 + margin))});
}

Span part(Range range, const uint8_t* coverage_bytes = nullptr) {
    return {range.left, std::max(range.left, range.right), coverage_bytes};
}

} // namespace

// ---- Polygon -----------------------------------------------------------------

Winding winding(const PolygonDesc& polygon) {
    const Wide area = signed_area(polygon);
    return area > 0 ? Winding::clockwise : area < 0 ? Winding::counter_clockwise : Winding::none;
}

Polygon::Polygon(const PolygonDesc& desc, const Rect& clip) {
    const Winding turn = winding(desc);
    if (turn == Winding::none || clip.empty())
        return;
    const int sign = turn == Winding::clockwise ? 1 : -1;
    for (uint32_t i = 0; i < desc.count; i++)
        add_edge(desc.vertex[i], desc.vertex[(i + 1) % desc.count], sign,
                 desc.antialiased >> i & 1);
    bounds_ = reach(desc, sign, antialiased_, clip);
    if (bounds_.empty())
        bounds_ = {};
}

void Polygon::add_edge(const Vertex& from, const Vertex& to, int sign, bool antialiased) {
    if (from == to)
        return;
    const int64_t dx = sign * (int64_t(to.x) - from.x), dy = sign * (int64_t(to.y) - from.y);
    Edge& edge = edge_[edges_++];
    edge.step_x = -dy * one;
    edge.step_y = dx * one;
    edge.constant = Wide(dx) * (half - from.y) - Wide(dy) * (half - from.x);
    edge.antialiased = antialiased;
    if (antialiased) {
        antialiased_ = true;
        edge.length = std::sqrt(double(dx) * double(dx) + double(dy) * double(dy)) * one;
        edge.some = least_value(1, edge.length);
        edge.full = least_value(255, edge.length);
    } else {
        const bool left_or_top = dy < 0 || (dy == 0 && dx > 0);
        edge.some = edge.full = left_or_top ? 0 : 1;
    }
}

Span Polygon::row(int32_t y, std::span<uint8_t> scratch) const {
    Range covered{bounds_.left, bounds_.right};
    std::array<Wide, 4> value;
    for (uint32_t i = 0; i < edges_; i++) {
        value[i] = Wide(edge_[i].step_y) * y + edge_[i].constant;
        covered.cut(edge_[i].step_x, value[i], edge_[i].some);
    }
    const Span all = part(covered);
    if (!antialiased_ || all.left == all.right)
        return all;

    const auto width = size_t(all.right - all.left);
    bool full = true;
    for (uint32_t i = 0; i < edges_; i++) {
        const Edge& edge = edge_[i];
        Range inside = covered;
        inside.cut(edge.step_x, value[i], edge.full);
        if (inside.left == covered.left && inside.right == covered.right)
            continue;
        if (full)
            std::memset(scratch.data(), 255, width);
        full = false;
        // At most one end of the row is not fully covered.
        const Range fading = inside.left > covered.left ? Range{covered.left, inside.left}
                                                        : Range{inside.right, covered.right};
        const auto first = double(int64_t(Wide(edge.step_x) * fading.left + value[i]));
        lower(scratch.data() + (fading.left - covered.left), fading.right - fading.left, first,
              double(edge.step_x), edge.length);
    }
    return part(covered, full ? nullptr : scratch.data());
}

// ---- Line --------------------------------------------------------------------

LineShape::LineShape(int32_t x0, int32_t y0, int32_t x1, int32_t y1, const Rect& clip)
    : x0_(x0), y0_(y0), dx_(int64_t(x1) - x0), dy_(int64_t(y1) - y0) {
    constexpr int32_t last = std::numeric_limits<int32_t>::max() - 1;
    bounds_ =
        clip.intersect({std::min(x0, x1), std::min(y0, y1), std::min(std::max(x0, x1), last) + 1,
                        std::min(std::max(y0, y1), last) + 1});
    if (bounds_.empty())
        bounds_ = {};
}

Span LineShape::row(int32_t y, std::span<uint8_t>) const {
    const int64_t across = std::abs(dx_), down = std::abs(dy_), step = std::abs(y - y0_);
    // Range of steps along x that are in this row.
    Wide first = 0, last = across;
    if (down > across) {
        first = last = (2 * Wide(step) * across + down) / (2 * down);
    } else if (down > 0) {
        first = std::max(first, divide_up((2 * Wide(step) - 1) * across, 2 * down));
        last = std::min(last, divide_up((2 * Wide(step) + 1) * across, 2 * down) - 1);
    }
    const Wide left = dx_ < 0 ? x0_ - last : x0_ + first;
    const Wide right = dx_ < 0 ? x0_ - first : x0_ + last;
    return part({int32_t(std::clamp(left, Wide(bounds_.left), Wide(bounds_.right))),
                 int32_t(std::clamp(right + 1, Wide(bounds_.left), Wide(bounds_.right)))});
}

} // namespace pixmill::render
