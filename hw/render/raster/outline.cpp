// SPDX-License-Identifier: GPL-2.0-or-later
#include "outline.hpp"

#include <algorithm>
#include <cmath>

namespace pixmill::render {

namespace {

int32_t to_subpixel(double value) {
    constexpr double most = farthest_subpixel;
    const double above = value * 256 + 0.5; // to be rounded down
    if (above >= most)
        return farthest_subpixel;
    if (!(above > -most))
        return -farthest_subpixel;
    const auto whole = int32_t(above);
    return whole - (above < whole);
}

/// Second difference of three control points: 0 if they are equally spaced on a line.
double second_difference(PathPoint a, PathPoint b, PathPoint c) {
    return std::max(std::abs(a.x - 2 * b.x + c.x), std::abs(a.y - 2 * b.y + c.y));
}

size_t count_of(double wanted) {
    return wanted < double(most_chords) ? std::max<size_t>(size_t(std::ceil(wanted)), 1)
                                        : most_chords;
}

/// Sets the `count` ends of chords. `at` computes all but the last, for parameters between 0 and 1.
template<class At>
std::span<const PathPoint> cut(Chords& chords, size_t count, PathPoint end, At at) {
    for (size_t i = 1; i < count; i++)
        chords[i - 1] = at(double(i) / double(count));
    chords[count - 1] = end;
    return std::span(chords).first(count);
}

} // namespace

FillPoint to_fill_point(PathPoint point) {
    return {to_subpixel(point.x), to_subpixel(point.y)};
}

// With n chords the error is at most (1/n)^2 / 8 times the second derivative. For a quadratic with
// second difference d, the derivative is 2 d and the error d / (4 n^2), which is below 1/16 from n
// = 2 sqrt(d) on. For a cubic it is 6 d: from n = sqrt(12 d) on.
std::span<const PathPoint> quadratic_chords(const PathPoint (&p)[3], Chords& chords) {
    const double d = second_difference(p[0], p[1], p[2]);
    return cut(chords, count_of(2 * std::sqrt(d)), p[2], [&p](double t) {
        const double s = 1 - t;
        const double a = s * s, b = 2 * s * t, c = t * t;
        return PathPoint{a * p[0].x + b * p[1].x + c * p[2].x,
                         a * p[0].y + b * p[1].y + c * p[2].y};
    });
}

std::span<const PathPoint> cubic_chords(const PathPoint (&p)[4], Chords& chords) {
    const double d =
        std::max(second_difference(p[0], p[1], p[2]), second_difference(p[1], p[2], p[3]));
    return cut(chords, count_of(std::sqrt(12 * d)), p[3], [&p](double t) {
        const double s = 1 - t;
        const double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, e = t * t * t;
        return PathPoint{a * p[0].x + b * p[1].x + c * p[2].x + e * p[3].x,
                         a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y};
    });
}

} // namespace pixmill::render
