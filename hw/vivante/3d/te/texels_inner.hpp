// The loops of kernels.hpp that locate and filter texels. They are inlined into functions for
// different instruction sets.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "kernels.hpp"
#include "numbers_inner.hpp"

namespace pixmill::vivante::te::inner {

// ---- Indices ------------------------------------------------------------------------------------

PIXMILL_INNER uint32_t size_at(uint32_t size, int32_t level) {
    const uint32_t n = size >> level;
    return n ? n : 1;
}

PIXMILL_INNER void sizes(const LaneInts& level, uint32_t size, LaneInts& out) {
    for (unsigned l = 0; l < lane_count; l++)
        out.i.data()[l] = int32_t(size_at(size, level.i.data()[l]));
}

/// Rounds coordinates to the nearest layer, halves up.
PIXMILL_INNER void layers(const Lanes& coordinate, uint32_t count, LaneInts& layer) {
    const float last = float(count ? count - 1 : 0);
    for (unsigned l = 0; l < lane_count; l++) {
        const float v = larger(coordinate.f.data()[l], 0.0f);
        layer.i.data()[l] = int32_t(smaller(v + 0.5f, last + 0.5f));
    }
}

/// Reduces a coordinate so that it selects the same texels and no index overflows.
template<Wrap wrap>
PIXMILL_INNER float bounded(float s) {
    if constexpr (wrap == Wrap::repeat) {
        s = with_fraction(s);
        return smaller(s - float(floor_of(s)), 0x1.fffffep-1f);
    } else if constexpr (wrap == Wrap::mirrored_repeat) {
        s = with_fraction(s);
        return smaller(s - 2.0f * float(floor_of(0.5f * s)), 0x1.fffffep0f);
    } else if constexpr (wrap == Wrap::clamp_to_edge) {
        return smaller(larger(s, 0.0f), 1.0f);
    } else {
        return smaller(larger(s, -1.0f), 2.0f);
    }
}

/// Wraps index i of n texels. It may be out of range by one or, with clamp_to_border, by n.
template<Wrap wrap>
PIXMILL_INNER int32_t wrapped(int32_t i, int32_t n) {
    if constexpr (wrap == Wrap::repeat) {
        i += n & i >> 31; // -1 becomes n - 1
        return i & -int32_t(i < n);
    }
    if constexpr (wrap == Wrap::mirrored_repeat) {
        const int32_t back = 2 * n - 1 - i;
        i = i < back ? i : back;
        return i < 0 ? 0 : i;
    }
    i = i < n ? i : n - 1;
    return i < 0 ? 0 : i;
}

template<Wrap wrap, bool linear>
PIXMILL_INNER void axis(const Lanes& coordinate, const LaneInts& size, Axis& out) {
    const float* from = coordinate.f.data();
    const int32_t* sizes_of = size.i.data();
    float* fraction = out.fraction.f.data();
    int32_t *first = out.index[0].i.data(), *second = out.index[1].i.data();
    int32_t *outside0 = out.outside[0].i.data(), *outside1 = out.outside[1].i.data();
    for (unsigned l = 0; l < lane_count; l++) {
        const int32_t n = sizes_of[l];
        float u = bounded<wrap>(from[l]) * float(n);
        if constexpr (linear)
            u -= 0.5f;
        const int32_t i = floor_of(u);
        first[l] = wrapped<wrap>(i, n);
        if constexpr (linear) {
            second[l] = wrapped<wrap>(i + 1, n);
            fraction[l] = u - float(i);
        }
        if constexpr (wrap == Wrap::clamp_to_border) {
            outside0[l] = first[l] != i ? -1 : 0;
            if constexpr (linear)
                outside1[l] = second[l] != i + 1 ? -1 : 0;
        }
    }
}

// ---- Offsets ------------------------------------------------------------------------------------
// Offsets wrap at 32 bits, like addresses. For the layouts see etna_viv doc/hardware.md; layout.cpp
// computes offsets of single samples.

/// Spreads the low four bits to the even bits.
PIXMILL_INNER uint32_t spread(uint32_t v) {
    return (v & 1) | (v & 2) << 1 | (v & 4) << 2 | (v & 8) << 3;
}

template<Order order>
PIXMILL_INNER void column(const LaneInts& x_of, const Pitches& pitches, LaneWords& offset) {
    const unsigned shift = pitches.shift;
    for (unsigned l = 0; l < lane_count; l++) {
        const auto x = uint32_t(x_of.i.data()[l]);
        uint32_t texels = x;
        if constexpr (order == Order::tiled)
            texels = (x >> 2) * 16 + (x & 3);
        if constexpr (order == Order::super_tiled)
            texels = (x >> 6) * 4096 + (x >> 3 & 7) * 128 + (x >> 2 & 1) * 16 + (x & 3);
        if constexpr (order == Order::new_super_tiled)
            texels = (x >> 6) * 4096 + spread(x >> 2) * 16 + (x & 3);
        offset.w.data()[l] = texels << shift;
    }
}

template<Order order>
PIXMILL_INNER void row(const LaneInts& y_of, const LaneInts* layer, const LaneInts& level,
                       const Pitches& pitches, LaneWords& offset) {
    const Pitches p = pitches;
    for (unsigned l = 0; l < lane_count; l++) {
        const auto y = uint32_t(y_of.i.data()[l]);
        if constexpr (order == Order::linear) {
            offset.w.data()[l] = y * p.stride;
        } else {
            const uint32_t w = (size_at(p.width, level.i.data()[l]) + p.align - 1) & -p.align;
            if constexpr (order == Order::tiled)
                offset.w.data()[l] = ((y >> 2) * 4 * w + (y & 3) * 4) << p.shift;
            else if constexpr (order == Order::new_super_tiled)
                offset.w.data()[l] = ((y >> 6) * 64 * w + spread(y >> 2) * 32 + (y & 3) * 4)
                                     << p.shift;
            else
                offset.w.data()[l] =
                    ((y >> 6) * 64 * w + (y >> 4 & 3) * 1024 + (y >> 2 & 3) * 32 + (y & 3) * 4)
                    << p.shift;
        }
    }
    if (!layer)
        return;
    for (unsigned l = 0; l < lane_count; l++) {
        const int32_t at = level.i.data()[l];
        const uint32_t h = (size_at(p.height, at) + p.align_rows - 1) & -p.align_rows;
        const uint32_t w = (size_at(p.width, at) + p.align - 1) & -p.align;
        const uint32_t computed = order == Order::linear ? h * p.stride : (h * w) << p.shift;
        const uint32_t slice = p.slice && !at ? p.slice : computed;
        offset.w.data()[l] += uint32_t(layer->i.data()[l]) * slice;
    }
}

PIXMILL_INNER void pairs(LaneInts& x) {
    for (unsigned l = 0; l < lane_count; l++)
        x.i.data()[l] &= ~1;
}

PIXMILL_INNER void blank(const LaneInts& outside, uint32_t border, LaneWords& words) {
    for (unsigned l = 0; l < lane_count; l++)
        words.w.data()[l] = outside.i.data()[l] ? border : words.w.data()[l];
}

// ---- Values -------------------------------------------------------------------------------------

using Kind = ChannelOf::Kind;

/// Extracts a channel of a word as a number, and applies the curve if there is one.
template<Kind kind>
PIXMILL_INNER float raw(uint32_t word, const ChannelOf& c) {
    const uint32_t bits = word >> c.low & c.mask;
    if constexpr (kind == Kind::curve)
        return c.curve[bits];
    return float(int32_t(bits));
}

/// Converts a number from raw() to the value that the shader sees.
template<Kind kind>
PIXMILL_INNER float scaled(float value, const ChannelOf& c) {
    if constexpr (kind == Kind::curve)
        return value;
    if constexpr (kind == Kind::wide)
        return value / float(c.mask);
    const float v = kind == Kind::snorm ? value - c.bias : value;
    return v * c.high + v * c.rest;
}

template<Kind kind>
PIXMILL_INNER void nearest_channel(const LaneWords& words_of, const ChannelOf c, float* to) {
    const uint32_t* words = words_of.w.data();
    for (unsigned l = 0; l < lane_count; l++)
        to[l] = scaled<kind>(raw<kind>(words[l], c), c);
}

template<Kind kind>
PIXMILL_INNER void bilinear_channel(const std::array<LaneWords, 4>& words, const Lanes& a_of,
                                    const Lanes& b_of, const ChannelOf c, float* to) {
    const uint32_t *w00 = words[0].w.data(), *w10 = words[1].w.data(), *w01 = words[2].w.data(),
                   *w11 = words[3].w.data();
    const float *a = a_of.f.data(), *b = b_of.f.data();
    for (unsigned l = 0; l < lane_count; l++) {
        const float v00 = raw<kind>(w00[l], c), v10 = raw<kind>(w10[l], c);
        const float v01 = raw<kind>(w01[l], c), v11 = raw<kind>(w11[l], c);
        const float upper = v00 + (v10 - v00) * a[l], lower = v01 + (v11 - v01) * a[l];
        to[l] = scaled<kind>(upper + (lower - upper) * b[l], c);
    }
}

/// Calls one.operator()<kind>(channel, to) for each channel that is neither constant nor a copy.
template<class One>
PIXMILL_INNER void each_channel(const Channels& channels, Vector& texel, const One& one) {
    for (unsigned c = 0; c < 4; c++) {
        const ChannelOf& channel = channels[c];
        float* to = texel[c].f.data();
        switch (channel.kind) {
        case Kind::constant:
            for (unsigned l = 0; l < lane_count; l++)
                to[l] = channel.constant;
            break;
        case Kind::same:
            std::memcpy(to, texel[channel.other].f.data(), sizeof(Lanes));
            break;
        case Kind::unorm:
            one.template operator()<Kind::unorm>(channel, to);
            break;
        case Kind::snorm:
            one.template operator()<Kind::snorm>(channel, to);
            break;
        case Kind::wide:
            one.template operator()<Kind::wide>(channel, to);
            break;
        case Kind::curve:
            one.template operator()<Kind::curve>(channel, to);
            break;
        }
    }
}

PIXMILL_INNER void nearest(const LaneWords& words, const Channels& channels, Vector& texel) {
    each_channel(
        channels,
        texel, [&]<Kind kind>(const ChannelOf& channel, float* to) __attribute__((always_inline)) {
            nearest_channel<kind>(words, channel, to);
        });
}

PIXMILL_INNER void bilinear(const std::array<LaneWords, 4>& words, const Lanes& a, const Lanes& b,
                            const Channels& channels, Vector& texel) {
    each_channel(
        channels,
        texel, [&]<Kind kind>(const ChannelOf& channel, float* to) __attribute__((always_inline)) {
            bilinear_channel<kind>(words, a, b, channel, to);
        });
}

PIXMILL_INNER void mix(Vector& to, const Vector& from, const Lanes& fraction) {
    for (unsigned c = 0; c < 4; c++) {
        float* t = to[c].f.data();
        const float* f = from[c].f.data();
        for (unsigned l = 0; l < lane_count; l++)
            t[l] += (f[l] - t[l]) * fraction.f.data()[l];
    }
}

PIXMILL_INNER void choose(Vector& to, const Vector& from, const LaneInts& where) {
    for (unsigned c = 0; c < 4; c++) {
        float* t = to[c].f.data();
        const float* f = from[c].f.data();
        for (unsigned l = 0; l < lane_count; l++)
            t[l] = pick(where.i.data()[l], f[l], t[l]);
    }
}

} // namespace pixmill::vivante::te::inner
