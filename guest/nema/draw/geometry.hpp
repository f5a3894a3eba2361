// Floating-point geometry that gives the same results on every machine: it uses only operations
// that IEEE 754 requires to be correctly rounded.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace nema {

inline int32_t floor_of(float v) {
    const int32_t i = int32_t(v);
    return float(i) > v ? i - 1 : i;
}

inline float root_of(float v) {
    return __builtin_sqrtf(v);
}

inline float magnitude(float v) {
    return v < 0 ? -v : v;
}

/// The angle is in turns.
float sine(float turns);
inline float cosine(float turns) {
    return sine(turns + 0.25f);
}

struct Vector {
    float x, y;
    Vector operator+(Vector o) const { return {x + o.x, y + o.y}; }
    Vector operator-(Vector o) const { return {x - o.x, y - o.y}; }
    Vector operator*(float f) const { return {x * f, y * f}; }
};

inline float length_of(Vector v) {
    return root_of(v.x * v.x + v.y * v.y);
}

/// Angles run clockwise on the screen from straight up, as on a clock: an hour is 1/12 turn.
inline Vector on_circle(Vector centre, float radius, float turns) {
    return {centre.x + radius * sine(turns), centre.y - radius * cosine(turns)};
}

struct Rect {
    int32_t x, y, width, height;
};

/// A vertex in the rasterizer's format, signed 16.16.
struct Point {
    int32_t x, y;
};

inline Point point(Vector v) {
    return {floor_of(v.x * 65536.0f + 0.5f), floor_of(v.y * 65536.0f + 0.5f)};
}

} // namespace nema
