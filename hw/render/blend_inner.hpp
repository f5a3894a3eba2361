// Blending of rows: strips that stay in registers and the first cache, one simple loop after the
// other, each of which the compiler vectorises. See kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernels.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

constexpr size_t strip = 64; ///< pixels

/// A strip of pixels, or of factors for each of their channels.
struct alignas(64) Strip {
    uint32_t pixel[strip];
};

PIXMILL_INNER const uint8_t* channels(const Strip& s) {
    return reinterpret_cast<const uint8_t*>(s.pixel);
}
PIXMILL_INNER uint8_t* channels(Strip& s) {
    return reinterpret_cast<uint8_t*>(s.pixel);
}

PIXMILL_INNER void multiply(Strip& a, const Strip& b) {
    uint8_t* x = channels(a);
    const uint8_t* y = channels(b);
    for (size_t i = 0; i < 4 * strip; i++) {
        const auto t = uint16_t(uint16_t(x[i]) * y[i] + 128);
        x[i] = uint8_t(uint16_t(t + (t >> 8)) >> 8);
    }
}

PIXMILL_INNER void add_clamped(Strip& a, const Strip& b) {
    uint8_t* x = channels(a);
    const uint8_t* y = channels(b);
    for (size_t i = 0; i < 4 * strip; i++) {
        const auto sum = uint16_t(uint16_t(x[i]) + y[i]);
        x[i] = uint8_t(sum > 255 ? 255 : sum);
    }
}

template<class F>
PIXMILL_INNER void each(Strip& to, F f) {
    for (size_t i = 0; i < strip; i++)
        to.pixel[i] = f(i);
}

/// An 8-bit value for every channel.
PIXMILL_INNER uint32_t everywhere(uint32_t value) {
    value |= value << 8;
    return value | value << 16;
}

constexpr uint32_t alpha_bits = 0xFF000000;

PIXMILL_INNER void prepare(const BlendOperand& o, Strip& p) {
    if (o.plain())
        return;
    Strip alpha, by;
    const uint32_t invert = o.inverse ? 0xFF : 0, global = o.global_colour >> 24;
    each(alpha, [&](size_t i) { return p.pixel[i] >> 24 ^ invert; });
    if (o.premultiply) {
        each(by, [&](size_t i) { return everywhere(alpha.pixel[i]) | alpha_bits; });
        multiply(p, by);
    }
    if (o.multiply != GlobalMultiply::off) {
        const uint32_t factor =
            (o.multiply == GlobalMultiply::alpha ? everywhere(global) : o.global_colour) |
            alpha_bits;
        each(by, [&](size_t) { return factor; });
        multiply(p, by);
    }
    if (o.global == GlobalAlpha::replace)
        each(alpha, [&](size_t) { return global; });
    if (o.global == GlobalAlpha::scale)
        each(alpha, [&](size_t i) {
            const uint32_t t = alpha.pixel[i] * global + 128;
            return (t + (t >> 8)) >> 8;
        });
    each(p, [&](size_t i) { return (p.pixel[i] & ~alpha_bits) | alpha.pixel[i] << 24; });
}

/// min(a's alpha, 255 - b's alpha) for the colours, 255 for alpha.
PIXMILL_INNER void saturation(Strip& to, const Strip& a, const Strip& b) {
    each(to, [&](size_t i) {
        const uint32_t x = a.pixel[i] >> 24, y = 255 - (b.pixel[i] >> 24);
        return everywhere(x < y ? x : y) | alpha_bits;
    });
}

/// `own` times its factor, to `to`. `own` and `other` have been prepared.
PIXMILL_INNER void product(const BlendOperand& o, Strip& to, const Strip& own, const Strip& other) {
    const Strip& x = o.own ? own : other;
    Strip factor;
    switch (o.factor) {
    case Factor::zero:
        each(to, [](size_t) { return 0u; });
        return;
    case Factor::one:
        to = own;
        return;
    case Factor::alpha:
        each(factor, [&](size_t i) { return everywhere(x.pixel[i] >> 24); });
        break;
    case Factor::inverse_alpha:
        each(factor, [&](size_t i) { return ~everywhere(x.pixel[i] >> 24); });
        break;
    case Factor::colour:
        factor = x;
        break;
    case Factor::inverse_colour:
        each(factor, [&](size_t i) { return ~x.pixel[i]; });
        break;
    case Factor::saturate:
        saturation(factor, own, other);
        break;
    case Factor::saturate_other:
        saturation(factor, other, own);
        break;
    }
    to = own;
    multiply(to, factor);
}

PIXMILL_INNER uint32_t demultiplied(uint32_t pixel) {
    const uint32_t alpha = pixel >> 24;
    if (alpha == 0)
        return 0;
    uint32_t out = pixel & alpha_bits;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        const uint32_t c = ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha;
        out |= (c > 255 ? 255 : c) << shift;
    }
    return out;
}

PIXMILL_INNER void blend_strip(const Blend& blend, Strip& out, Strip& s, Strip& d) {
    prepare(blend.source, s);
    prepare(blend.destination, d);
    Strip other;
    product(blend.source, out, s, d);
    product(blend.destination, other, d, s);
    add_clamped(out, other);
    if (blend.demultiply)
        for (size_t i = 0; i < strip; i++)
            out.pixel[i] = demultiplied(out.pixel[i]);
}

PIXMILL_INNER void blend_any(const Blend& blend, Row to, ConstRow source, ConstRow destination,
                             size_t count) {
    const auto out = Out<uint32_t>(to);
    const auto from = In<uint32_t>(source), onto = In<uint32_t>(destination);
    for (size_t done = 0; done < count; done += strip) {
        const size_t step = count - done < strip ? count - done : strip;
        Strip s{}, d{}, result;
        std::memcpy(s.pixel, from + done, 4 * step);
        std::memcpy(d.pixel, onto + done, 4 * step);
        blend_strip(blend, result, s, d);
        std::memcpy(out + done, result.pixel, 4 * step);
    }
}

/// The equation of SRC_OVER: source + destination * (255 - source's alpha).
PIXMILL_INNER void blend_over(Row to, ConstRow source, ConstRow destination, size_t count) {
    const auto out = Out<uint32_t>(to);
    const auto from = In<uint32_t>(source), onto = In<uint32_t>(destination);
    constexpr uint32_t even = 0x00FF00FF, half = 0x00800080;
    for (size_t i = 0; i < count; i++) {
        const uint32_t s = from[i], d = onto[i], a = 255 - (s >> 24);
        // Two channels in 16 bits each; mul8() of both at once.
        uint32_t low = (d & even) * a + half, high = (d >> 8 & even) * a + half;
        low = (low + (low >> 8 & even)) >> 8 & even;
        high = (high + (high >> 8 & even)) >> 8 & even;
        // Sums have nine bits: all ones where the ninth is set.
        low += s & even;
        high += s >> 8 & even;
        low |= 0x01000100 - (low >> 8 & even);
        high |= 0x01000100 - (high >> 8 & even);
        out[i] = (low & even) | (high & even) << 8;
    }
}

PIXMILL_INNER void blend(const Blend& blend, Row to, ConstRow source, ConstRow destination,
                         size_t count) {
    const bool plain = blend.source.plain() && blend.destination.plain() && !blend.demultiply;
    if (plain && blend.source.factor == Factor::one && !blend.destination.own &&
        blend.destination.factor == Factor::inverse_alpha)
        blend_over(to, source, destination, count);
    else
        blend_any(blend, to, source, destination, count);
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
