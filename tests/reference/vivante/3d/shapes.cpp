// RA: the samples that triangles, lines and points cover, and the values at those samples.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <cmath>

namespace pixmill::reference::vivante_3d {

namespace {

constexpr int32_t unit = 256; ///< units per pixel

constexpr int64_t floor_division(int64_t a, int64_t b) {
    const int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

double pixels(int32_t units) {
    return units / 256.0;
}

float clamped_depth(double z, float offset) {
    return unit_clamp(static_cast<float>(z) + offset);
}

/* ---- Triangles ---------------------------------------------------------------------------- */

struct DepthPlane {
    double zx, zy;

    explicit DepthPlane(const std::array<WindowVertex, 3>& v) {
        const double x1 = pixels(v[1].x - v[0].x), y1 = pixels(v[1].y - v[0].y);
        const double x2 = pixels(v[2].x - v[0].x), y2 = pixels(v[2].y - v[0].y);
        const double z1 = double{v[1].z} - v[0].z, z2 = double{v[2].z} - v[0].z;
        const double d = x1 * y2 - x2 * y1;
        zx = (z1 * y2 - z2 * y1) / d;
        zy = (z2 * x1 - z1 * x2) / d;
    }
};

class Triangle final : public Shape {
public:
    explicit Triangle(const std::array<WindowVertex, 3>& v) : corners_(v), plane_(v) {
        vertices.assign(v.begin(), v.end());
        front = area(v) > 0;
        first = {std::min({v[0].x, v[1].x, v[2].x}), std::min({v[0].y, v[1].y, v[2].y})};
        last = {std::max({v[0].x, v[1].x, v[2].x}), std::max({v[0].y, v[1].y, v[2].y})};
    }

    bool covers(Place place) const override {
        for (unsigned i = 0; i < 3; i++) {
            // The order is clockwise, so the edge function is positive inside.
            const WindowVertex& a = corners_[front ? i : (i + 1) % 3];
            const WindowVertex& b = corners_[front ? (i + 1) % 3 : i];
            const int64_t value = edge(a, b, place);
            const bool top = a.y == b.y && b.x > a.x;
            const bool left = b.y < a.y;
            if (value < 0 || (value == 0 && !top && !left))
                return false;
        }
        return true;
    }

    std::vector<double> weights(Place place) const override {
        const double whole = static_cast<double>(area(corners_));
        std::vector<double> result;
        for (unsigned i = 0; i < 3; i++)
            result.push_back(
                static_cast<double>(edge(corners_[(i + 1) % 3], corners_[(i + 2) % 3], place)) /
                whole);
        return result;
    }

    float depth(Place place) const override {
        const WindowVertex& v = corners_[0];
        return clamped_depth(
            v.z + (pixels(place.x - v.x) * plane_.zx + pixels(place.y - v.y) * plane_.zy), offset);
    }

private:
    static int64_t edge(const WindowVertex& a, const WindowVertex& b, Place p) {
        return int64_t{b.x - a.x} * (p.y - a.y) - int64_t{b.y - a.y} * (p.x - a.x);
    }

    std::array<WindowVertex, 3> corners_;
    DepthPlane plane_;
};

/* ---- Lines -------------------------------------------------------------------------------- */

class Line final : public Shape {
public:
    Line(const WindowVertex& from, const WindowVertex& to, int32_t width, bool has_last_pixel)
        : along_x_(std::abs(to.x - from.x) >= std::abs(to.y - from.y)), width_(width),
          has_last_pixel_(has_last_pixel) {
        vertices = {from, to};
        major_ = {along_x_ ? from.x : from.y, along_x_ ? to.x : to.y};
        minor_ = {along_x_ ? from.y : from.x, along_x_ ? to.y : to.x};
        const int32_t beyond = (width + 1) * unit;
        first = {std::min(from.x, to.x) - beyond, std::min(from.y, to.y) - beyond};
        last = {std::max(from.x, to.x) + beyond, std::max(from.y, to.y) + beyond};
    }

    bool covers(Place place) const override {
        const int64_t c = center(place);
        const int64_t begin = major_[0], end = major_[1];
        const bool there = end > begin ? begin <= c && (has_last_pixel_ ? c <= end : c < end)
                                       : c <= begin && (has_last_pixel_ ? end <= c : end < c);
        if (!there)
            return false;
        // Computes the exact row where the line crosses this column of pixel centers.
        const int64_t run = end - begin, rise = minor_[1] - minor_[0];
        const int64_t shift = (width_ - 1) * (unit / 2) * run;
        const int64_t r = floor_division(minor_[0] * run + (c - begin) * rise - shift, unit * run);
        const int64_t at = floor_division(along_x_ ? place.y : place.x, unit);
        return r <= at && at < r + width_;
    }

    std::vector<double> weights(Place place) const override {
        const double t = part(place);
        return {1 - t, t};
    }

    float depth(Place place) const override {
        const double z0 = vertices[0].z, z1 = vertices[1].z;
        return clamped_depth(z0 + part(place) * (z1 - z0), offset);
    }

private:
    int64_t center(Place place) const {
        return floor_division(along_x_ ? place.x : place.y, unit) * unit + unit / 2;
    }
    double part(Place place) const {
        return static_cast<double>(center(place) - major_[0]) /
               static_cast<double>(major_[1] - major_[0]);
    }

    bool along_x_;
    int32_t width_;
    bool has_last_pixel_;
    std::array<int64_t, 2> major_{}, minor_{};
};

/// A multisampled line, drawn as two triangles of the rectangle (a, b, c, d). Values vary only
/// along the line.
class ThickLine final : public Shape {
public:
    ThickLine(const WindowVertex& from, const WindowVertex& to, int32_t width)
        : along_x_(std::abs(to.x - from.x) >= std::abs(to.y - from.y)) {
        vertices = {from, to};
        const auto moved = [&](WindowVertex vertex, int32_t by) {
            (along_x_ ? vertex.y : vertex.x) += by * (unit / 2);
            return vertex;
        };
        const WindowVertex a = moved(from, -width), b = moved(to, -width), c = moved(to, width),
                           d = moved(from, width);
        for (const std::array<WindowVertex, 3>& half : {std::array{a, b, c}, std::array{a, c, d}})
            if (area(half))
                halves_.emplace_back(half);
        first = {std::min({a.x, b.x, c.x, d.x}), std::min({a.y, b.y, c.y, d.y})};
        last = {std::max({a.x, b.x, c.x, d.x}), std::max({a.y, b.y, c.y, d.y})};
    }

    bool covers(Place place) const override {
        return std::any_of(halves_.begin(), halves_.end(),
                           [&](const Triangle& half) { return half.covers(place); });
    }

    std::vector<double> weights(Place place) const override {
        const double t = part(place);
        return {1 - t, t};
    }

    float depth(Place place) const override {
        const double z0 = vertices[0].z, z1 = vertices[1].z;
        return clamped_depth(z0 + part(place) * (z1 - z0), offset);
    }

private:
    double part(Place place) const {
        const WindowVertex &from = vertices[0], &to = vertices[1];
        const int32_t way = along_x_ ? place.x - from.x : place.y - from.y;
        const int32_t length = along_x_ ? to.x - from.x : to.y - from.y;
        return static_cast<double>(way) / static_cast<double>(length);
    }

    bool along_x_;
    std::vector<Triangle> halves_;
};

/* ---- Points ------------------------------------------------------------------------------- */

class Point final : public Shape {
public:
    Point(const WindowVertex& vertex, float size)
        : size_(size), half_(static_cast<int32_t>(std::nearbyint(128.0 * size))) {
        vertices = {vertex};
        is_point = true;
        first = {vertex.x - half_, vertex.y - half_};
        last = {vertex.x + half_, vertex.y + half_};
    }

    bool covers(Place place) const override {
        return first.x <= place.x && place.x < last.x && first.y <= place.y && place.y < last.y;
    }
    std::vector<double> weights(Place) const override { return {1}; }
    float depth(Place) const override { return clamped_depth(vertices[0].z, offset); }

    std::array<float, 2> point_coordinate(Place place) const override {
        return {static_cast<float>(0.5 + pixels(place.x - vertices[0].x) / size_),
                static_cast<float>(0.5 + pixels(place.y - vertices[0].y) / size_)};
    }

private:
    float size_;
    int32_t half_;
};

} // namespace

int64_t area(const std::array<WindowVertex, 3>& v) {
    return int64_t{v[1].x - v[0].x} * (v[2].y - v[0].y) -
           int64_t{v[2].x - v[0].x} * (v[1].y - v[0].y);
}

float polygon_offset(const States& states, const std::array<WindowVertex, 3>& v) {
    const DepthPlane plane(v);
    const float slope =
        std::max(std::fabs(static_cast<float>(plane.zx)), std::fabs(static_cast<float>(plane.zy)));
    const float scaled = slope * states.real(SE_DEPTH_SCALE);
    return scaled + states.real(SE_DEPTH_BIAS);
}

int32_t line_width(const States& states) {
    if (!states.bit(PA_CONFIG, 22)) // WIDE_LINE
        return 1;
    const float width = std::floor(2 * states.real(PA_LINE_WIDTH) + 0.5f);
    return width > 1 ? static_cast<int32_t>(std::min(width, 8192.0f)) : 1;
}

std::unique_ptr<Shape> make_triangle(const std::array<WindowVertex, 3>& v) {
    return area(v) ? std::make_unique<Triangle>(v) : nullptr;
}

std::unique_ptr<Shape> make_line(const States& states, const WindowVertex& from,
                                 const WindowVertex& to) {
    if (from.x == to.x && from.y == to.y)
        return nullptr;
    if (sample_count(states) > 1)
        return std::make_unique<ThickLine>(from, to, line_width(states));
    return std::make_unique<Line>(from, to, line_width(states), states.bit(SE_CONFIG, 0));
}

std::unique_ptr<Shape> make_point(const WindowVertex& vertex, float size, float most) {
    return std::make_unique<Point>(vertex, size > 1 ? std::min(size, most) : 1.0f);
}

} // namespace pixmill::reference::vivante_3d
