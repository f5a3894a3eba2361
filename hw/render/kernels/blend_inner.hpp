// Blends rows, eight pixels at a time. See kernels_inner.hpp.
//
// Eight pixels are two vectors of 16-bit lanes: blue and red in one, green and alpha in the other.
// The vectors stay in registers. The operation is decoded once per eight pixels, by branches that
// predict well.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "words_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

constexpr size_t lanes = 8;
typedef uint16_t Lanes __attribute__((vector_size(32)));

/// Eight pixels, or a factor for each of their channels.
struct Eight {
    Lanes even, odd; ///< B R B R ..., G A G A ...
};

// Vectors are passed by reference, because passing them by value depends on the instruction set.

PIXMILL_INNER void split(Eight& to, const Words8& pixels) {
    to.even = (Lanes)(pixels & 0x00FF00FF);
    to.odd = (Lanes)(pixels >> 8 & 0x00FF00FF);
}

PIXMILL_INNER void join(Words8& to, const Eight& from) {
    to = (Words8)from.even | (Words8)from.odd << 8;
}

PIXMILL_INNER void multiply(Lanes& a, const Lanes& b) {
    const Lanes t = a * b + 128;
    a = (t + (t >> 8)) >> 8;
}

PIXMILL_INNER void multiply(Eight& a, const Eight& b) {
    multiply(a.even, b.even);
    multiply(a.odd, b.odd);
}

PIXMILL_INNER void add_clamped(Lanes& a, const Lanes& b) {
    a += b;              // sums have nine bits
    a |= 256 - (a >> 8); // set the low eight bits if the ninth is set
    a &= 255;
}

/// Copies alpha to every lane of its pixel.
PIXMILL_INNER void spread_alpha(Lanes& to, const Eight& from) {
    const Words8 alpha = (Words8)from.odd >> 16;
    to = (Lanes)(alpha | alpha << 16);
}

/// Replaces the alpha lanes of `to`.
PIXMILL_INNER void put_alpha(Eight& to, const Lanes& alpha) {
    to.odd = (Lanes)(((Words8)to.odd & 0x0000FFFF) | ((Words8)alpha & 0xFFFF0000));
}

/// Uses the same factor for all channels of a pixel.
PIXMILL_INNER void everywhere(Eight& to, const Lanes& factor) {
    to.even = to.odd = factor;
}

/// Sets the factor of the alpha channel to 255.
PIXMILL_INNER void colors_only(Eight& factor) {
    put_alpha(factor, Lanes{} + 255);
}

PIXMILL_INNER void prepare(const BlendOperand& o, Eight& p) {
    Lanes alpha;
    Eight by;
    spread_alpha(alpha, p);
    if (o.inverse)
        alpha = 255 - alpha;
    if (o.premultiply) {
        everywhere(by, alpha);
        colors_only(by);
        multiply(p, by);
    }
    const Lanes global = Lanes{} + uint16_t(o.global_color >> 24);
    if (o.multiply != GlobalMultiply::off) {
        everywhere(by, global);
        if (o.multiply == GlobalMultiply::color)
            split(by, Words8{} + o.global_color);
        colors_only(by);
        multiply(p, by);
    }
    if (o.global == GlobalAlpha::replace)
        alpha = global;
    if (o.global == GlobalAlpha::scale)
        multiply(alpha, global);
    put_alpha(p, alpha);
}

/// Sets the colors of `to` to min(a.alpha, 255 - b.alpha), and its alpha to 255.
PIXMILL_INNER void saturation(Eight& to, const Eight& a, const Eight& b) {
    Lanes x, y;
    spread_alpha(x, a);
    spread_alpha(y, b);
    y = 255 - y;
    everywhere(to, x < y ? x : y);
    colors_only(to);
}

/// Multiplies `own` by its factor. `other` is the other operand; both are prepared.
PIXMILL_INNER void apply_factor(const BlendOperand& o, Eight& to, const Eight& own,
                                const Eight& other) {
    const Eight& x = o.own ? own : other;
    Eight factor = x;
    Lanes alpha;
    to = own;
    switch (o.factor) {
    case Factor::zero:
        everywhere(to, Lanes{});
        return;
    case Factor::one:
        return;
    case Factor::alpha:
        spread_alpha(alpha, x);
        everywhere(factor, alpha);
        break;
    case Factor::inverse_alpha:
        spread_alpha(alpha, x);
        everywhere(factor, 255 - alpha);
        break;
    case Factor::color:
        break;
    case Factor::inverse_color:
        factor.even = 255 - x.even;
        factor.odd = 255 - x.odd;
        break;
    case Factor::saturate:
        saturation(factor, own, other);
        break;
    case Factor::saturate_other:
        saturation(factor, other, own);
        break;
    }
    multiply(to, factor);
}

PIXMILL_INNER uint32_t demultiplied(uint32_t pixel, bool keep_zero) {
    const uint32_t alpha = pixel >> 24;
    if (alpha == 0)
        return keep_zero ? pixel : 0;
    uint32_t out = pixel & 0xFF000000;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const uint32_t c = ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha;
        out |= (c > 255 ? 255 : c) << shift;
    }
    return out;
}

/// The general blend equation.
struct AnyBlend {
    const Blend& blend;
    bool source_plain = blend.source.plain(), destination_plain = blend.destination.plain();

    PIXMILL_INNER void operator()(Words8& out, const Words8& source,
                                  const Words8& destination) const {
        Eight s, d, result, other;
        split(s, source);
        split(d, destination);
        if (!source_plain)
            prepare(blend.source, s);
        if (!destination_plain)
            prepare(blend.destination, d);
        apply_factor(blend.source, result, s, d);
        apply_factor(blend.destination, other, d, s);
        add_clamped(result.even, other.even);
        add_clamped(result.odd, other.odd);
        join(out, result);
        if (blend.demultiply)
            for (size_t i = 0; i < lanes; i++)
                out[i] = demultiplied(out[i], blend.keep_zero);
    }
};

/// Adds bytes, clamped to 255.
PIXMILL_INNER void add_clamped(Words8& a, const Words8& b) {
    typedef uint8_t Bytes __attribute__((vector_size(32)));
    const Bytes room = ~(Bytes)b;
    Bytes sum = (Bytes)a;
    sum = sum < room ? sum : room;
    a = (Words8)(sum + (Bytes)b);
}

/// SRC_OVER. `Scaled`: the source is first multiplied by a global alpha.
template<bool Scaled>
struct OverBlend {
    uint32_t global = 255;

    PIXMILL_INNER void operator()(Words8& out, const Words8& source,
                                  const Words8& destination) const {
        Words8 above = source;
        if constexpr (Scaled) {
            const Lanes by = Lanes{} + uint16_t(global);
            Eight s;
            split(s, source);
            multiply(s.even, by);
            multiply(s.odd, by);
            join(above, s);
        }
        Eight d;
        split(d, destination);
        const Words8 rest = 255 - (above >> 24);
        const Lanes factor = (Lanes)(rest | rest << 16);
        multiply(d.even, factor);
        multiply(d.odd, factor);
        join(out, d);
        add_clamped(out, above);
    }
};

PIXMILL_INNER void load(Words8& eight, ConstRow from, size_t pixels) {
    std::memcpy(&eight, from, 4 * pixels);
}

template<class Equation>
PIXMILL_INNER void each_eight(const Equation& equation, Row to, ConstRow source,
                              ConstRow destination, size_t count) {
    size_t i = 0;
    Words8 s{}, d{}, out;
    for (; i + lanes <= count; i += lanes) {
        load(s, source + i, lanes);
        load(d, destination + i, lanes);
        equation(out, s, d);
        std::memcpy(to + i, &out, sizeof out);
    }
    if (i < count) {
        load(s, source + i, count - i);
        load(d, destination + i, count - i);
        equation(out, s, d);
        std::memcpy(to + i, &out, 4 * (count - i));
    }
}

/// True if the only step is to multiply all channels by the global alpha.
constexpr bool only_scaled(const BlendOperand& o) {
    return !o.inverse && !o.premultiply && o.multiply == GlobalMultiply::alpha &&
           o.global == GlobalAlpha::scale;
}

PIXMILL_INNER void blend(const Blend& blend, Row to, ConstRow source, ConstRow destination,
                         size_t count) {
    const bool over = blend.source.factor == Factor::one && !blend.destination.own &&
                      blend.destination.factor == Factor::inverse_alpha &&
                      blend.destination.plain() && !blend.demultiply;
    if (over && blend.source.plain())
        each_eight(OverBlend<false>{}, to, source, destination, count);
    else if (over && only_scaled(blend.source))
        each_eight(OverBlend<true>{blend.source.global_color >> 24}, to, source, destination,
                   count);
    else
        each_eight(AnyBlend{blend}, to, source, destination, count);
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
