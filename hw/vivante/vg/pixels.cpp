// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pixmill::vivante::vg {

void fill(Pixels& to, const Color& color, size_t count) {
    for (unsigned c = 0; c < 4; c++)
        std::memset(to[c], color[c], count);
}

void multiply(uint8_t* a, const uint8_t* b, size_t count) {
    for (size_t i = 0; i < count; i++)
        a[i] = mul(a[i], b[i]);
}

void multiply(Pixels& pixels, size_t count) {
    for (const Channel c : colors)
        multiply(pixels[c], pixels[alpha], count);
}

void divide(Pixels& pixels, size_t count) {
    // Exact: quotients that are no integers are 1/255 from the next one at least, and below 2^16.
    const uint8_t* a = pixels[alpha];
    for (const Channel c : colors) {
        uint8_t* to = pixels[c];
        for (size_t i = 0; i < count; i++) {
            const float divisor = a[i] ? float(a[i]) : 1.0f;
            const auto quotient = int(float(to[i] * 255 + (a[i] >> 1)) / divisor);
            to[i] = uint8_t(a[i] == 0 ? 0 : quotient < 255 ? quotient : 255);
        }
    }
}

void look_up(const std::array<uint8_t, 256>& table, Pixels& pixels, size_t count) {
    for (const Channel c : colors)
        for (size_t i = 0; i < count; i++)
            pixels[c][i] = table[pixels[c][i]];
}

// ---- Filters -------------------------------------------------------------------

void mix_two(Taps& taps, const uint8_t* u, Pixels& to, size_t count) {
    for (unsigned c = 0; c < 4; c++) {
        const uint8_t *a = taps.pixels[0][c], *b = taps.pixels[1][c];
        for (size_t i = 0; i < count; i++)
            to[c][i] = uint8_t((a[i] * (256u - u[i]) + b[i] * unsigned(u[i]) + 128) >> 8);
    }
}

void mix_four(Taps& taps, const uint8_t* u, const uint8_t* v, Pixels& to, size_t count) {
    for (unsigned c = 0; c < 4; c++) {
        const uint8_t *a = taps.pixels[0][c], *b = taps.pixels[1][c];
        const uint8_t *d = taps.pixels[2][c], *e = taps.pixels[3][c];
        for (size_t i = 0; i < count; i++) {
            // One rounding: sums of rows are exact.
            const uint32_t upper = a[i] * (256u - u[i]) + b[i] * unsigned(u[i]);
            const uint32_t lower = d[i] * (256u - u[i]) + e[i] * unsigned(u[i]);
            to[c][i] = uint8_t((upper * (256u - v[i]) + lower * v[i] + 32768) >> 16);
        }
    }
}

// ---- Blending ------------------------------------------------------------------

namespace {

constexpr uint8_t at_most_255(int value) {
    return uint8_t(value < 255 ? value : 255);
}

/// A formula of vg_lite.h for a channel: s, d, and their alphas.
template<class Formula>
void each(Pixels& source, const Pixels& destination, size_t count, Formula formula) {
    Plane source_alpha; // which becomes another one at the end
    std::memcpy(source_alpha, source[alpha], count);
    const uint8_t* da = destination[alpha];
    for (unsigned c = 0; c < 4; c++) {
        uint8_t* s = source[c];
        const uint8_t* d = destination[c];
        for (size_t i = 0; i < count; i++)
            s[i] = formula(s[i], d[i], source_alpha[i], da[i]);
    }
}

constexpr uint8_t rest(uint8_t part) {
    return uint8_t(255 - part);
}
constexpr uint8_t src_over(uint8_t s, uint8_t d, uint8_t sa) {
    return at_most_255(s + mul(d, rest(sa)));
}
constexpr uint8_t dst_over(uint8_t s, uint8_t d, uint8_t da) {
    return at_most_255(mul(s, rest(da)) + d);
}

using Blend = void (*)(Pixels&, const Pixels&, size_t);

#define FORMULA(expression)                                                                        \
    [](Pixels& source, const Pixels& destination, size_t count) {                                  \
        each(source, destination, count,                                                           \
             []([[maybe_unused]] uint8_t s, [[maybe_unused]] uint8_t d,                            \
                [[maybe_unused]] uint8_t sa,                                                       \
                [[maybe_unused]] uint8_t da) -> uint8_t { return expression; });                   \
    }

/// By VG_CONTROL 11:8; what is beyond them belongs to other cores and is SRC here.
constexpr uint32_t mode_src_over = 1;
constexpr Blend blends[] = {
    nullptr,                                                               // SRC
    FORMULA(src_over(s, d, sa)),                                           // SRC_OVER
    FORMULA(dst_over(s, d, da)),                                           // DST_OVER
    FORMULA(mul(s, da)),                                                   // SRC_IN
    FORMULA(mul(d, sa)),                                                   // DST_IN
    FORMULA(at_most_255(mul(s, rest(da)) + mul(d, rest(sa)) + mul(s, d))), // MULTIPLY
    FORMULA(at_most_255(s + d - mul(s, d))),                               // SCREEN
    FORMULA(std::min(src_over(s, d, sa), dst_over(s, d, da))),             // DARKEN
    FORMULA(std::max(src_over(s, d, sa), dst_over(s, d, da))),             // LIGHTEN
    FORMULA(at_most_255(s + d)),                                           // ADDITIVE
    FORMULA(mul(d, rest(sa))), // SUBTRACT; older headers of the client say D(1 - S)
};
#undef FORMULA

} // namespace

bool is_blend(uint32_t mode) {
    return mode < std::size(blends);
}

bool ignores_destination(uint32_t mode, uint8_t source_alpha) {
    return !is_blend(mode) || !blends[mode] || (mode == mode_src_over && source_alpha == 255);
}

void blend(uint32_t mode, Pixels& source, const Pixels& destination, size_t count) {
    if (is_blend(mode) && blends[mode])
        blends[mode](source, destination, count);
}

void cover(Pixels& source, const Pixels& destination, const uint8_t* coverage, size_t count) {
    for (unsigned c = 0; c < 4; c++) {
        uint8_t* s = source[c];
        const uint8_t* d = destination[c];
        for (size_t i = 0; i < count; i++) {
            const auto sum = uint16_t(s[i] * coverage[i] + d[i] * (255 - coverage[i]) + 127);
            s[i] = uint8_t(by_255(sum));
        }
    }
}

// ---- Gamma ---------------------------------------------------------------------

namespace {

template<class Curve>
std::array<uint8_t, 256> table_of(Curve curve) {
    std::array<uint8_t, 256> table{};
    for (unsigned i = 0; i < 256; i++)
        table[i] = uint8_t(std::floor(curve(i / 255.0) * 255 + 0.5));
    return table;
}

} // namespace

const std::array<uint8_t, 256>& srgb_to_linear() {
    static const auto table = table_of(
        [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); });
    return table;
}

const std::array<uint8_t, 256>& linear_to_srgb() {
    static const auto table = table_of(
        [](double v) { return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055; });
    return table;
}

} // namespace pixmill::vivante::vg
