// SPDX-License-Identifier: GPL-2.0-or-later
#include "reference.hpp"

namespace pixmill::vivante::te::test {

namespace {

int modulo(long long i, int n) {
    return int((i % n + n) % n);
}

/// Applies a wrap mode to texel i of n. Returns -1 for the border.
int wrapped(uint32_t mode, long long i, int n) {
    switch (mode) {
    case repeat:
        return modulo(i, n);
    case mirror: {
        const int j = modulo(i, 2 * n);
        return j < n ? j : 2 * n - 1 - j;
    }
    case edge:
        return int(std::clamp<long long>(i, 0, n - 1));
    default:
        return i < 0 || i >= n ? -1 : int(i);
    }
}

Texel mixed(const Texel& a, const Texel& b, double part) {
    Texel texel;
    for (unsigned c = 0; c < 4; c++)
        texel[c] = a[c] * (1 - part) + b[c] * part;
    return texel;
}

struct Ends {
    int first, second;
    double part;
};

Ends ends(uint32_t mode, double coordinate, int n, bool linear) {
    const double u = coordinate * n;
    if (!linear)
        return {wrapped(mode, (long long)std::floor(u), n), 0, 0};
    const double low = std::floor(u - 0.5);
    return {wrapped(mode, (long long)low, n), wrapped(mode, (long long)low + 1, n), u - 0.5 - low};
}

/// Table 3.21 of OpenGL ES 2.0. For each face, the components (1 to 3) of the direction, with their
/// signs, that are sc, tc and |ma|.
constexpr int face_axes[6][3] = {{-3, -2, 1}, {3, -2, -1}, {1, 3, 2},
                                 {1, -3, -2}, {1, -2, 3},  {-1, -2, -3}};

double component(const Reference::Point& p, int axis) {
    const double v[3] = {p.s, p.t, p.r};
    return axis < 0 ? -v[-axis - 1] : v[axis - 1];
}

int face_of(const Reference::Point& d) {
    const double x = std::abs(d.s), y = std::abs(d.t), z = std::abs(d.r);
    const int major = x >= y && x >= z ? 1 : y >= z ? 2 : 3;
    return 2 * (major - 1) + (component(d, major) < 0);
}

} // namespace

std::array<double, 3> Reference::project(const Point& d) {
    const auto& axes = face_axes[face_of(d)];
    const double major = component(d, axes[2]);
    return {double(face_of(d)), (component(d, axes[0]) / major + 1) / 2,
            (component(d, axes[1]) / major + 1) / 2};
}

Reference::Point Reference::project_change(const Point& d, const Point& change) {
    // Calculates a difference quotient instead of the derivative.
    const auto& axes = face_axes[face_of(d)];
    constexpr double step = 1e-6;
    const auto on_face = [&](int axis, double sign) {
        const Point moved{d.s + sign * step * change.s, d.t + sign * step * change.t,
                          d.r + sign * step * change.r};
        return (component(moved, axis) / component(moved, axes[2]) + 1) / 2;
    };
    return {(on_face(axes[0], 1) - on_face(axes[0], -1)) / (2 * step),
            (on_face(axes[1], 1) - on_face(axes[1], -1)) / (2 * step), 0};
}

double Reference::lod_of(const Point& d, const Point& dx, const Point& dy) const {
    const auto length = [&](Point change) {
        if (shape == Shape::cube)
            change = project_change(d, change);
        const double u = change.s * width;
        const double v = shape == Shape::row || shape == Shape::rows ? 0 : change.t * height;
        const double w = shape == Shape::volume ? change.r * depth : 0;
        return std::sqrt(u * u + v * v + w * w);
    };
    return std::log2(std::max(length(dx), length(dy)));
}

Texel Reference::level(int level, bool linear, const Point& at) const {
    Point p = at;
    int layer = 0;
    if (shape == Shape::cube) {
        const auto [face, s, t] = project(at);
        layer = int(face);
        p = {s, t, 0};
    }
    const Ends x = ends(wrap[0], p.s, width_of(level), linear);
    Ends y{0, 0, 0}, z{layer, layer, 0};
    if (shape == Shape::rows)
        y.first = y.second = std::clamp(int(std::floor(p.t + 0.5)), 0, height - 1);
    else if (shape != Shape::row)
        y = ends(wrap[1], p.t, height_of(level), linear);
    if (shape == Shape::planes)
        z.first = z.second = std::clamp(int(std::floor(p.r + 0.5)), 0, depth - 1);
    if (shape == Shape::volume)
        z = ends(wrap[2], p.r, depth_of(level), linear);
    const auto get = [&](int i, int j, int k) {
        return i < 0 || j < 0 || k < 0 ? Texel{} : texel(level, i, j, k);
    };
    if (!linear)
        return get(x.first, y.first, z.first);
    const auto plane = [&](int k) {
        return mixed(mixed(get(x.first, y.first, k), get(x.second, y.first, k), x.part),
                     mixed(get(x.first, y.second, k), get(x.second, y.second, k), x.part), y.part);
    };
    return mixed(plane(z.first), plane(z.second), z.part);
}

Texel Reference::sample(const Point& at, double lod) const {
    const double threshold = lod_min + (mag == 2 && min == 1 && mip ? 0.5 : 0);
    const bool magnified = lod <= threshold;
    const double l = std::min(std::max(magnified ? lod_min : lod, lod_min), lod_max);
    const bool linear_filter = (magnified ? mag : min) == 2;
    if (mip == 0)
        return level(int(std::floor(std::min(lod_min, lod_max))), linear_filter, at);
    if (mip == 1)
        return level(int(std::ceil(l + 0.5)) - 1, linear_filter, at);
    const int low = int(std::floor(l));
    const Texel a = level(low, linear_filter, at);
    if (low == l)
        return a;
    return mixed(a, level(low + 1, linear_filter, at), l - low);
}

} // namespace pixmill::vivante::te::test
