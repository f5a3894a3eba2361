// The loops of kernels.hpp, for any instruction set: see render/kernels/kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstring>

#include "kernels.hpp"
#include "render/kernels/kernels_inner.hpp"

namespace pixmill::nema::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

/// Returns 0 for finite values and NaN for all others.
PIXMILL_INNER double residue(double value) {
    return value - value;
}

template<bool Divides>
PIXMILL_INNER void project(const Matrix& matrix, int32_t x, int32_t y, double* __restrict tx,
                           double* __restrict ty, size_t count) {
    const Matrix k = matrix;
    const double py = y + k.half;
    const double row[3] = {k.m[1] * py, k.m[4] * py, k.m[7] * py};
    const auto n = int32_t(count);
    for (int32_t i = 0; i < n; i++) {
        const double px = double(x + i) + k.half;
        double u = k.m[0] * px + row[0] + k.m[2], v = k.m[3] * px + row[1] + k.m[5];
        double odd = 0;
        if constexpr (Divides) {
            const double w = k.m[6] * px + row[2] + k.m[8];
            u /= w;
            v /= w;
            odd = residue(w);
        }
        odd += residue(u) + residue(v);
        tx[i] = odd == 0 ? u : 0;
        ty[i] = odd == 0 ? v : 0;
    }
}

PIXMILL_INNER void coordinates(const Matrix& matrix, int32_t x, int32_t y, double* tx, double* ty,
                               size_t count) {
    if (matrix.divides)
        project<true>(matrix, x, y, tx, ty, count);
    else
        project<false>(matrix, x, y, tx, ty, count);
}

template<bool Falling>
PIXMILL_INNER void place_along(const Axis& axis, const double* __restrict t, int32_t* __restrict to,
                               size_t count) {
    constexpr double end = 1 << 24;
    const Axis k = axis;
    for (size_t i = 0; i < count; i++) {
        double value = t[i] * k.scale;
        if constexpr (Falling)
            value = k.size - value;
        value = value > -end ? value : -end;
        value = value < end ? value : end;
        value = (value - k.shift) * k.steps;
        const auto whole = int32_t(value);
        to[i] = whole - (double(whole) > value);
    }
}

PIXMILL_INNER void place(const Axis& axis, const double* t, int32_t* to, size_t count) {
    if (axis.falling)
        place_along<true>(axis, t, to, count);
    else
        place_along<false>(axis, t, to, count);
}

typedef uint16_t Halves __attribute__((vector_size(4 * blend_step)));
typedef uint32_t Fulls __attribute__((vector_size(4 * blend_step)));

PIXMILL_INNER void load(Fulls& to, const void* from) {
    std::memcpy(&to, from, sizeof to);
}

/// Loads words that hold 16-bit values, and copies each value to the upper half of its word.
PIXMILL_INNER void load_twice(Halves& to, const int32_t* from) {
    Fulls words;
    load(words, from);
    words |= words << 16;
    to = Halves(words);
}

PIXMILL_INNER void blend(const Corners& corners, uint32_t* to, size_t count) {
    const Corners c = corners;
    for (size_t i = 0; i < count; i += blend_step) {
        Halves x, y;
        load_twice(x, c.x + i);
        load_twice(y, c.y + i);
        const Halves both = x * y;
        const Halves weight[4] = {256 - 16 * x - 16 * y + both, 16 * x - both, 16 * y - both, both};
        // Sums are at most 255 * 256 + 128.
        Halves even = {}, odd = {};
        even += 128;
        odd += 128;
#pragma GCC unroll 4
        for (unsigned k = 0; k < 4; k++) {
            Fulls texel;
            load(texel, c.texel[k] + i);
            even += Halves(texel & 0x00FF00FF) * weight[k];
            odd += (Halves(texel) >> 8) * weight[k];
        }
        const Fulls result = Fulls(even >> 8) | Fulls(odd & 0xFF00);
        std::memcpy(to + i, &result, sizeof result);
    }
}

/// The most common texture layouts.
constexpr render::Format known[] = {
    render::formats::r5g6b5,
    render::formats::a8,
    {"A4", 4, {0, 4}, {}, {}, {}, {}},
    {"L8", 8, {}, {0, 8}, {0, 8}, {0, 8}, {}},
    {"RGBA8888", 32, {24, 8}, {0, 8}, {8, 8}, {16, 8}, {}},
    {"BGRA8888", 32, {24, 8}, {16, 8}, {8, 8}, {0, 8}, {}},
    {"RGBX8888", 32, {}, {0, 8}, {8, 8}, {16, 8}, {24, 8}},
    {"BGRX8888", 32, {}, {16, 8}, {8, 8}, {0, 8}, {24, 8}},
};

template<template<auto> class Isa>
struct TexelTables {
    template<size_t... Index>
    static constexpr auto convert(std::index_sequence<Index...>) {
        return std::array{WordConversion{
            known[Index],
            Isa<render::inner::unpack_known<uint32_t, render::Codec(known[Index])>>::run}...};
    }
    static constexpr auto conversions = convert(std::make_index_sequence<std::size(known)>());

    static constexpr TexelKernels kernels{
        .coordinates = Isa<coordinates>::run,
        .place = Isa<place>::run,
        .blend = Isa<blend>::run,
        .conversions = conversions,
    };
};

#undef PIXMILL_INNER

} // namespace pixmill::nema::inner
