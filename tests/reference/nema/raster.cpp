// The rasterizer of the NEMA|GFX. It finds the pixels that a primitive covers, their coverage and
// their color.
//
// A polygon covers the pixels whose centers pass all edge functions, with no other bounds. The half
// plane of an antialiased edge extends half a pixel further out, even where two edges meet at a
// sharp corner.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>
#include <cmath>
#include <vector>

#include "parts.hpp"

namespace reference::nema {

namespace {

__extension__ using int128 = __int128;

enum Offset : uint32_t {
    reg_start = 0x104,
    reg_end = 0x108,
    reg_clip_min = 0x110,
    reg_clip_max = 0x114,
    reg_matrix_control = 0x118,
    reg_color = 0x12C,
    reg_clip_min1 = 0x158,
    reg_clip_max1 = 0x15C,
    reg_matrix = 0x160,
    reg_gradient_step = 0x1A0, ///< x, y of red, green, blue, alpha
    reg_gradient_init = 0x1C0,
};

constexpr std::array<uint32_t, 4> reg_points{0x120, 0x130, 0x140, 0x150}; ///< of x; y is 4 higher

enum Primitive : uint32_t { line = 1, rectangle = 2, triangle = 4, quad = 5 };

enum CommandBit : uint32_t {
    command_gradient = 1u << 27,
    command_cull_clockwise = 1u << 28,
    command_cull_counter_clockwise = 1u << 29,
};

constexpr uint32_t antialiases(uint32_t command, size_t edge) {
    return command >> (26 - edge) & 1;
}

struct Point {
    int64_t x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

struct Box { ///< right and bottom are exclusive
    int64_t left, top, right, bottom;

    Box operator&(const Box& b) const {
        return {std::max(left, b.left), std::max(top, b.top), std::min(right, b.right),
                std::min(bottom, b.bottom)};
    }
    bool has(const Point& p) const {
        return p.x >= left && p.x < right && p.y >= top && p.y < bottom;
    }
};

Box box_of(uint32_t min, uint32_t max) {
    return {low_half(min), high_half(min), low_half(max), high_half(max)};
}

/* ---- Polygons ----------------------------------------------------------- */

/// An edge between two vertices, in 1/65536 pixels. The polygon's interior is on its right on the
/// screen.
struct Edge {
    Point from, to;
    bool antialiased;

    int64_t dx() const { return to.x - from.x; }
    int64_t dy() const { return to.y - from.y; }
    bool owns_its_points() const { return dy() < 0 || (dy() == 0 && dx() > 0); }
    int128 at(const Point& p) const {
        return int128{dx()} * (p.y - from.y) - int128{dy()} * (p.x - from.x);
    }
    /// Returns 0 to 255.
    int coverage(const Point& p) const {
        const int128 e = at(p);
        if (!antialiased)
            return e > 0 || (e == 0 && owns_its_points()) ? 255 : 0;
        const auto x = static_cast<double>(dx());
        const auto y = static_cast<double>(dy());
        const double d = static_cast<double>(e) / (std::sqrt(x * x + y * y) * 65536.0);
        return static_cast<int>(std::floor(std::clamp(d + 0.5, 0.0, 1.0) * 255 + 0.5));
    }
};

class Polygon {
public:
    Polygon(const Registers& reg, uint32_t command) {
        const size_t count = (command & 7) == quad ? 4 : 3;
        for (size_t i = 0; i < count; i++)
            points_.push_back({static_cast<int32_t>(reg[reg_points[i]]),
                               static_cast<int32_t>(reg[reg_points[i] + 4])});
        int128 area = 0;
        for (size_t i = 0; i < count; i++) {
            const Point& a = points_[i];
            const Point& b = points_[(i + 1) % count];
            area += int128{a.x} * b.y - int128{b.x} * a.y;
        }
        empty_ = area == 0 || (area > 0 && command & command_cull_clockwise) ||
                 (area < 0 && command & command_cull_counter_clockwise);
        for (size_t i = 0; i < count; i++) {
            Edge edge{points_[i], points_[(i + 1) % count], antialiases(command, i) != 0};
            if (area < 0)
                std::swap(edge.from, edge.to);
            if (edge.from != edge.to)
                edges_.push_back(edge);
        }
    }

    bool empty() const { return empty_; }

    int coverage(int64_t x, int64_t y) const {
        const Point center{x * 65536 + 32768, y * 65536 + 32768};
        int result = 255;
        for (const Edge& edge : edges_)
            result = std::min(result, edge.coverage(center));
        return result;
    }

    /// Returns the origin of the gradients: the topmost vertex, or the left one of two, rounded to
    /// a pixel.
    Point origin() const {
        const Point top =
            *std::min_element(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
                return a.y != b.y ? a.y < b.y : a.x < b.x;
            });
        const auto pixel = [](int64_t v) { return std::max<int64_t>(0, (v + 0x8000) >> 16); };
        return {pixel(top.x), pixel(top.y)};
    }

private:
    std::vector<Point> points_;
    std::vector<Edge> edges_;
    bool empty_ = true;
};

/* ---- Lines -------------------------------------------------------------- */

/// Returns one point per step along the longer axis, in row order.
std::vector<Point> points_of_line(const Point& a, const Point& b) {
    const int64_t dx = b.x - a.x;
    const int64_t dy = b.y - a.y;
    const int64_t n = std::max(std::abs(dx), std::abs(dy));
    /* halves are rounded away from the start */
    const auto part = [n](int64_t i, int64_t delta) {
        const int64_t distance = n ? (2 * i * std::abs(delta) + n) / (2 * n) : 0;
        return delta < 0 ? -distance : distance;
    };
    std::vector<Point> points;
    for (int64_t i = 0; i <= n; i++)
        points.push_back({a.x + part(i, dx), a.y + part(i, dy)});
    std::sort(points.begin(), points.end(),
              [](const Point& p, const Point& q) { return p.y != q.y ? p.y < q.y : p.x < q.x; });
    return points;
}

/* ---- Drawing ------------------------------------------------------------ */

class Draw {
public:
    Draw(const Registers& reg, uint32_t command, Bus& bus, Dirty& dirty)
        : reg_(reg), command_(command), output_(reg_, bus, dirty), shader_(reg_, bus, output_),
          clip_(box_of(reg[reg_clip_min], reg[reg_clip_max]) &
                box_of(reg[reg_clip_min1], reg[reg_clip_max1])),
          start_{low_half(reg[reg_start]), high_half(reg[reg_start])}, end_{low_half(reg[reg_end]),
                                                                            high_half(
                                                                                reg[reg_end])},
          origin_(start_) {}

    bool run() {
        switch (command_ & 7) {
        case line:
            for (const Point& p : points_of_line(start_, end_))
                pixel(p, clip_.has(p) ? 255 : 0);
            break;
        case rectangle:
            for_each(clip_ & Box{start_.x, start_.y, end_.x, end_.y},
                     [this](const Point& p) { pixel(p, 255); });
            break;
        case triangle:
        case quad:
            polygon();
            break;
        default:
            return false;
        }
        output_.finish();
        return true;
    }

private:
    template<class Function>
    static void for_each(const Box& box, Function function) {
        for (int64_t y = box.top; y < box.bottom; y++) {
            for (int64_t x = box.left; x < box.right; x++)
                function(Point{x, y});
        }
    }

    void polygon() {
        const Polygon shape(reg_, command_);
        if (shape.empty())
            return;
        origin_ = shape.origin();
        for_each(clip_, [&](const Point& p) { pixel(p, shape.coverage(p.x, p.y)); });
    }

    void pixel(const Point& p, int coverage) {
        if (coverage)
            shader_.run(static_cast<int>(p.x), static_cast<int>(p.y), color_at(p), coverage);
    }

    Color color_at(const Point& p) const {
        if (!(command_ & command_gradient))
            return color_of(reg_[reg_color]);
        Color color;
        for (uint32_t c = 0; c < 4; c++) {
            /* 32-bit arithmetic wraps; only the result is clamped */
            const uint32_t value =
                reg_[reg_gradient_init + 4 * c] +
                reg_[reg_gradient_step + 8 * c] * static_cast<uint32_t>(p.x - origin_.x) +
                reg_[reg_gradient_step + 8 * c + 4] * static_cast<uint32_t>(p.y - origin_.y);
            color[c] = saturate(static_cast<int32_t>(value) >> 16);
        }
        return color;
    }

    const Registers& reg_;
    uint32_t command_;
    Output output_;
    Shader shader_;
    Box clip_;
    Point start_, end_, origin_;
};

float float_of(uint32_t word) {
    return std::bit_cast<float>(word);
}

} // namespace

Surface Registers::surface(uint32_t number) const {
    const uint32_t first = 0x10 * number;
    const uint32_t format = (*this)[first + 4];
    const uint32_t size = (*this)[first + 8];
    return {(*this)[first],
            low_half(format),
            bits(format, 23, 16),
            bits(format, 30, 24),
            format >> 31 != 0,
            static_cast<int>(bits(size, 15, 0)),
            static_cast<int>(bits(size, 31, 16))};
}

Matrix Registers::matrix() const {
    Matrix matrix;
    for (uint32_t i = 0; i < 9; i++)
        matrix.m[i / 3][i % 3] = float_of((*this)[reg_matrix + 4 * i]);
    const uint32_t control = (*this)[reg_matrix_control];
    matrix.no_perspective = control >> 31;
    matrix.corner = control >> 29 & 1;
    matrix.bypass = control >> 28 & 1;
    return matrix;
}

bool draw(const Registers& registers, uint32_t command, Bus& bus, Dirty& dirty) {
    return Draw(registers, command, bus, dirty).run();
}

} // namespace reference::nema
