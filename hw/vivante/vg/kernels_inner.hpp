// The loops of kernels.hpp, compiled for the instruction set of the function that they are inlined
// into. They are plain C++ that compilers can vectorize: conditions select values, and no element
// is skipped.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels.hpp"

#define PIXMILL_INNER [[gnu::always_inline]] inline

namespace pixmill::vivante::vg::inner {

// ---- Places --------------------------------------------------------------------

PIXMILL_INNER double at(const Linear& line, uint32_t x, double y) {
    return line.constant + double(int32_t(x)) * line.x + y * line.y;
}

PIXMILL_INNER void along(const Linear& of, uint32_t x, uint32_t y, double scale, double* to,
                         size_t count) {
    const Linear line = of;
    for (size_t i = 0; i < count; i++)
        to[i] = at(line, x + uint32_t(i), y) * scale;
}

PIXMILL_INNER void project(const double* w, double scale, double* to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double place = to[i] / w[i] * scale;
        to[i] = w[i] > 0 ? place : std::numeric_limits<double>::quiet_NaN();
    }
}

PIXMILL_INNER void add_root(const Quadratic& of, uint32_t x, uint32_t y, double scale, double* to,
                            size_t count) {
    const Quadratic q = of;
    const double py = y;
    for (size_t i = 0; i < count; i++) {
        const auto px = double(int32_t(x + uint32_t(i)));
        const double square =
            at(q.linear, x + uint32_t(i), py) + px * px * q.xx + py * py * q.yy + px * py * q.xy;
        to[i] = (to[i] + std::sqrt(square > 0 ? square : 0)) * scale;
    }
}

/// Rounds down. The result must fit in an int32_t.
PIXMILL_INNER int32_t floor_of(double value) {
    double whole = int32_t(value);
    whole -= value < whole ? 1.0 : 0.0;
    return int32_t(whole);
}

PIXMILL_INNER void find(const double* texels, int32_t* to, size_t count) {
    constexpr double none = nowhere, end = 0x1p31;
    Reals kept; // with a single loop, compilers branch on `none`
    for (size_t i = 0; i < count; i++) {
        const double fixed = texels[i] * 256 + 0.5;
        const double above = fixed >= none + 1 ? fixed : none; // also replaces NaN with `none`
        kept[i] = above < end ? above : none;
    }
    for (size_t i = 0; i < count; i++)
        to[i] = floor_of(kept[i]);
}

PIXMILL_INNER double fixed_at(const Linear& line, uint32_t x, double y, double scale) {
    return at(line, x, y) * scale * 256 + 0.5;
}

/// True if all positions are valid. Checks only the first and the last pixel: each rounding step is
/// monotonic, so the positions of all other pixels are between these two.
PIXMILL_INNER bool all_valid(const Linear& line, uint32_t x, double y, double scale, size_t count) {
    constexpr double least = nowhere + 1.0, end = 0x1p31;
    const double first = fixed_at(line, x, y, scale);
    const double last = fixed_at(line, x + uint32_t(count) - 1, y, scale);
    return first >= least && first < end && last >= least && last < end;
}

PIXMILL_INNER void find_along(const Linear& of, uint32_t x, uint32_t y, double scale, int32_t* to,
                              size_t count) {
    const Linear line = of;
    if (all_valid(line, x, y, scale, count)) {
        for (size_t i = 0; i < count; i++)
            to[i] = floor_of(fixed_at(line, x + uint32_t(i), y, scale));
        return;
    }
    Reals all;
    along(line, x, y, scale, all, count);
    find(all, to, count);
}

PIXMILL_INNER uint32_t within(int32_t at, uint32_t size) {
    return uint32_t(at) < size ? uint32_t(at) : outside;
}
PIXMILL_INNER uint32_t nearest(int32_t at, uint32_t size) {
    const auto last = int32_t(size - 1);
    const int32_t raised = at < 0 ? 0 : at;
    return uint32_t(raised < last ? raised : last);
}
/// Returns `value` modulo `period`. The result is exact: because 0.5 is added, each quotient
/// differs from every integer by at least 0.5 / period, which is at least 2^-18, and the rounding
/// error is below 2^-28.
PIXMILL_INNER int32_t modulo(int32_t value, int32_t period) {
    const double inverse = 1.0 / period; // computed once, outside the caller's loop
    return value - floor_of((double(value) + 0.5) * inverse) * period;
}
PIXMILL_INNER uint32_t masked(int32_t at, uint32_t size) {
    return uint32_t(at) & (size - 1);
}
PIXMILL_INNER uint32_t repeated(int32_t at, uint32_t size) {
    return uint32_t(modulo(at, int32_t(size)));
}
PIXMILL_INNER uint32_t reflected(int32_t at, uint32_t size) {
    const auto end = int32_t(size);
    const int32_t in_period = modulo(at, 2 * end);
    return uint32_t(in_period < end ? in_period : 2 * end - 1 - in_period);
}

template<auto Tile>
PIXMILL_INNER void tile(const int32_t* places, int32_t step, uint32_t size, uint32_t* to,
                        size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t texel = Tile((places[i] >> 8) + step, size);
        to[i] = places[i] == nowhere ? outside : texel;
    }
}

PIXMILL_INNER void gather(const Texels& texels, const uint32_t* column, const uint32_t* row,
                          uint32_t* to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t word = texels.none;
        if (column[i] != outside && row[i] != outside) {
            std::memcpy(&word, texels.base + uint64_t(row[i]) * texels.stride + column[i] * 4ull,
                        sizeof word);
            word |= texels.filler;
        }
        to[i] = word;
    }
}

// ---- Words ---------------------------------------------------------------------

PIXMILL_INNER void unpack_bytes(const ByteOrder& order, const uint32_t* words, Pixels& to,
                                size_t count) {
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t shift = order.shift[c], filler = order.filler;
        uint8_t* plane = to[c];
        for (size_t i = 0; i < count; i++)
            plane[i] = uint8_t((words[i] | filler) >> shift);
    }
}

PIXMILL_INNER void pack_bytes(const ByteOrder& order, const Pixels& pixels, uint32_t* to,
                              size_t count) {
    const uint32_t r = order.shift[red], g = order.shift[green], b = order.shift[blue],
                   a = order.shift[alpha], filler = order.filler;
    for (size_t i = 0; i < count; i++)
        to[i] = uint32_t(pixels[red][i]) << r | uint32_t(pixels[green][i]) << g |
                uint32_t(pixels[blue][i]) << b | uint32_t(pixels[alpha][i]) << a | filler;
}

/// Factor and shift, by width of a channel, that expand it to 8 bits by repeating its bits. The
/// result is (value * factor) >> shift.
struct Replication {
    uint32_t factor;
    uint32_t shift;
};
constexpr Replication replication[] = {{0, 0},  {255, 0}, {85, 0}, {0, 0}, {17, 0},
                                       {33, 2}, {65, 4},  {0, 0},  {1, 0}};

PIXMILL_INNER void unpack_bits(const uint32_t* words, uint32_t shift, uint32_t width, uint8_t* to,
                               size_t count) {
    const uint32_t mask = (1u << width) - 1;
    const auto [factor, down] = replication[width];
    for (size_t i = 0; i < count; i++)
        to[i] = uint8_t((words[i] >> shift & mask) * factor >> down);
}

/// VD38: truncates.
PIXMILL_INNER void pack_bits(const uint8_t* from, uint32_t shift, uint32_t width, uint32_t* to,
                             size_t count) {
    const uint32_t lost = 8 - width;
    for (size_t i = 0; i < count; i++)
        to[i] |= uint32_t(from[i]) >> lost << shift;
}

// ---- Filters -------------------------------------------------------------------

PIXMILL_INNER uint32_t mixed(uint32_t a, uint32_t b, uint32_t part) {
    return a * (256 - part) + b * part;
}

PIXMILL_INNER void mix_two(const Taps& taps, const int32_t* u, Pixels& to, size_t count) {
    for (unsigned c = 0; c < 4; c++) {
        const uint8_t *a = taps.pixels[0][c], *b = taps.pixels[1][c];
        uint8_t* plane = to[c];
        for (size_t i = 0; i < count; i++)
            plane[i] = uint8_t((mixed(a[i], b[i], uint8_t(u[i])) + 128) >> 8);
    }
}

/// Mixes four taps. Rounds only once, because the sums of the rows are exact.
PIXMILL_INNER void mix_four(const Taps& taps, const int32_t* u, const int32_t* v, Pixels& to,
                            size_t count) {
    for (unsigned c = 0; c < 4; c++) {
        const uint8_t *a = taps.pixels[0][c], *b = taps.pixels[1][c];
        const uint8_t *d = taps.pixels[2][c], *e = taps.pixels[3][c];
        uint8_t* plane = to[c];
        for (size_t i = 0; i < count; i++) {
            const uint32_t part = uint8_t(u[i]);
            plane[i] = uint8_t(
                (mixed(mixed(a[i], b[i], part), mixed(d[i], e[i], part), uint8_t(v[i])) + 32768) >>
                16);
        }
    }
}

PIXMILL_INNER void mix_two_words(const ByteOrder& order, const Words* taps, const int32_t* u,
                                 Pixels& to, size_t count) {
    const uint32_t *a = taps[0], *b = taps[1];
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t shift = order.shift[c];
        uint8_t* plane = to[c];
        for (size_t i = 0; i < count; i++)
            plane[i] = uint8_t(
                (mixed(a[i] >> shift & 0xFF, b[i] >> shift & 0xFF, u[i] & 0xFF) + 128) >> 8);
    }
}

PIXMILL_INNER void mix_four_words(const ByteOrder& order, const Words* taps, const int32_t* u,
                                  const int32_t* v, Pixels& to, size_t count) {
    const uint32_t *a = taps[0], *b = taps[1], *d = taps[2], *e = taps[3];
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t shift = order.shift[c];
        uint8_t* plane = to[c];
        for (size_t i = 0; i < count; i++) {
            const uint32_t part = u[i] & 0xFF;
            const uint32_t upper = mixed(a[i] >> shift & 0xFF, b[i] >> shift & 0xFF, part);
            const uint32_t lower = mixed(d[i] >> shift & 0xFF, e[i] >> shift & 0xFF, part);
            plane[i] = uint8_t((mixed(upper, lower, v[i] & 0xFF) + 32768) >> 16);
        }
    }
}

// ---- Colors --------------------------------------------------------------------

PIXMILL_INNER void multiply(uint8_t* a, const uint8_t* b, size_t count) {
    for (size_t i = 0; i < count; i++)
        a[i] = mul(a[i], b[i]);
}

/// Divides colors. Float division is exact enough: quotients are below 2^16, and a quotient that is
/// not an integer is at least 1/255 below the next integer.
PIXMILL_INNER void divide(uint8_t* color, const uint8_t* by, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const float divisor = by[i] ? float(by[i]) : 1.0f;
        const auto quotient = int(float(color[i] * 255 + (by[i] >> 1)) / divisor);
        color[i] = uint8_t(by[i] == 0 ? 0 : quotient < 255 ? quotient : 255);
    }
}

PIXMILL_INNER void transform(uint8_t* channel, int32_t scale, int32_t offset, size_t count) {
    for (size_t i = 0; i < count; i++)
        channel[i] = uint8_t(std::clamp((channel[i] * scale + offset) >> 8, 0, 255));
}

PIXMILL_INNER uint8_t at_most_255(int value) {
    return uint8_t(value < 255 ? value : 255);
}
PIXMILL_INNER uint8_t rest(uint8_t part) {
    return uint8_t(255 - part);
}

// Blend equations of vg_lite.h for one channel. The arguments are source, destination, and their
// alphas.

PIXMILL_INNER uint8_t src_over(uint8_t s, uint8_t d, uint8_t sa, uint8_t) {
    return at_most_255(s + mul(d, rest(sa)));
}
PIXMILL_INNER uint8_t dst_over(uint8_t s, uint8_t d, uint8_t, uint8_t da) {
    return at_most_255(mul(s, rest(da)) + d);
}
PIXMILL_INNER uint8_t src_in(uint8_t s, uint8_t, uint8_t, uint8_t da) {
    return mul(s, da);
}
PIXMILL_INNER uint8_t dst_in(uint8_t, uint8_t d, uint8_t sa, uint8_t) {
    return mul(d, sa);
}
PIXMILL_INNER uint8_t multiplied(uint8_t s, uint8_t d, uint8_t sa, uint8_t da) {
    return at_most_255(mul(s, rest(da)) + mul(d, rest(sa)) + mul(s, d));
}
PIXMILL_INNER uint8_t screen(uint8_t s, uint8_t d, uint8_t, uint8_t) {
    return at_most_255(s + d - mul(s, d));
}
PIXMILL_INNER uint8_t darken(uint8_t s, uint8_t d, uint8_t sa, uint8_t da) {
    return std::min(src_over(s, d, sa, da), dst_over(s, d, sa, da));
}
PIXMILL_INNER uint8_t lighten(uint8_t s, uint8_t d, uint8_t sa, uint8_t da) {
    return std::max(src_over(s, d, sa, da), dst_over(s, d, sa, da));
}
PIXMILL_INNER uint8_t additive(uint8_t s, uint8_t d, uint8_t, uint8_t) {
    return at_most_255(s + d);
}
/// Computes D(1 - Sa). Older client headers have D(1 - S).
PIXMILL_INNER uint8_t subtract(uint8_t, uint8_t d, uint8_t sa, uint8_t) {
    return mul(d, rest(sa));
}

template<auto Formula>
PIXMILL_INNER void blend(Pixels& source, const Pixels& destination, size_t count) {
    Plane source_alpha; // a copy, because the last iteration overwrites alpha
    std::memcpy(source_alpha, source[alpha], count);
    const uint8_t* da = destination[alpha];
    for (unsigned c = 0; c < 4; c++) {
        uint8_t* s = source[c];
        const uint8_t* d = destination[c];
        for (size_t i = 0; i < count; i++)
            s[i] = Formula(s[i], d[i], source_alpha[i], da[i]);
    }
}

PIXMILL_INNER void cover(uint8_t* source, const uint8_t* destination, const uint8_t* coverage,
                         size_t count) {
    for (size_t i = 0; i < count; i++)
        source[i] = uint8_t(
            by_255(uint16_t(source[i] * coverage[i] + destination[i] * (255 - coverage[i]) + 127)));
}

// Process two channels at a time, each in one half of a word.
constexpr uint32_t low_bytes = 0x00FF00FF;

/// Computes (half + 127) / 255 for both halves. Each half must be a sum of products that is at most
/// 255 * 255.
PIXMILL_INNER uint32_t halves_by_255(uint32_t halves) {
    const uint32_t sum = halves + 0x007F007F;
    return (sum + 0x00010001 + (sum >> 8 & low_bytes)) >> 8 & low_bytes;
}
/// Clamps both halves to 255. Each half must be below 512.
PIXMILL_INNER uint32_t saturated(uint32_t halves) {
    const uint32_t over = halves & 0x01000100;
    return (halves | (over - (over >> 8))) & 0x00FF00FF;
}

PIXMILL_INNER void cover_words(std::byte* words, uint32_t word, const uint8_t* coverage,
                               size_t count) {
    const uint32_t even = word & low_bytes, odd = word >> 8 & low_bytes;
    for (size_t i = 0; i < count; i++) {
        uint32_t d;
        std::memcpy(&d, words + 4 * i, 4);
        const uint32_t part = coverage[i], kept = 255 - part;
        d = halves_by_255(even * part + (d & low_bytes) * kept) |
            halves_by_255(odd * part + (d >> 8 & low_bytes) * kept) << 8;
        std::memcpy(words + 4 * i, &d, 4);
    }
}

PIXMILL_INNER void fill_words(std::byte* words, uint32_t word, size_t count) {
    for (size_t i = 0; i < count; i++)
        std::memcpy(words + 4 * i, &word, 4);
}

PIXMILL_INNER void over_words(std::byte* words, const uint32_t* source, uint32_t alpha_shift,
                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t d;
        std::memcpy(&d, words + 4 * i, 4);
        const uint32_t s = source[i], part = 255 - (s >> alpha_shift & 0xFF);
        const uint32_t even = (s & low_bytes) + halves_by_255((d & low_bytes) * part);
        const uint32_t odd = (s >> 8 & low_bytes) + halves_by_255((d >> 8 & low_bytes) * part);
        d = saturated(even) | saturated(odd) << 8;
        std::memcpy(words + 4 * i, &d, 4);
    }
}

template<template<auto> class For>
struct Tables {
    static constexpr Kernels kernels = {
        For<&along>::run,
        For<&project>::run,
        For<&add_root>::run,
        For<&find>::run,
        For<&find_along>::run,
        {For<&tile<within>>::run, For<&tile<nearest>>::run, For<&tile<repeated>>::run,
         For<&tile<reflected>>::run},
        For<&tile<masked>>::run,
        For<&gather>::run,
        For<&unpack_bytes>::run,
        For<&pack_bytes>::run,
        For<&unpack_bits>::run,
        For<&pack_bits>::run,
        For<&mix_two>::run,
        For<&mix_four>::run,
        For<&mix_two_words>::run,
        For<&mix_four_words>::run,
        For<&multiply>::run,
        For<&divide>::run,
        For<&transform>::run,
        {nullptr, // SRC
         For<&blend<src_over>>::run, For<&blend<dst_over>>::run, For<&blend<src_in>>::run,
         For<&blend<dst_in>>::run, For<&blend<multiplied>>::run, For<&blend<screen>>::run,
         For<&blend<darken>>::run, For<&blend<lighten>>::run, For<&blend<additive>>::run,
         For<&blend<subtract>>::run},
        For<&cover>::run,
        For<&cover_words>::run,
        For<&fill_words>::run,
        For<&over_words>::run,
    };
};

} // namespace pixmill::vivante::vg::inner

#undef PIXMILL_INNER
