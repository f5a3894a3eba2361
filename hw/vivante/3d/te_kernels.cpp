// SPDX-License-Identifier: GPL-2.0-or-later
#include "te_kernels.hpp"

#include <bit>
#include <cstring>

#include "render/isa.hpp"

namespace pixmill::vivante::te {

namespace {

using render::Baseline;
#ifdef __x86_64__
using render::Avx2;
#endif

#define PIXMILL_INNER [[gnu::always_inline]] inline

// ---- Numbers -----------------------------------------------------------------------------------
// Conversions to integers only see what fits; what is no number fails the comparison before.

// With ?: of floats GCC makes branches, and no vectors.

/// All bits or none.
PIXMILL_INNER uint32_t mask_of(bool condition) {
    return 0u - uint32_t(condition);
}
/// a or b.
PIXMILL_INNER float pick_by(uint32_t mask, float a, float b) {
    return std::bit_cast<float>((std::bit_cast<uint32_t>(a) & mask) |
                                (std::bit_cast<uint32_t>(b) & ~mask));
}
PIXMILL_INNER float pick(bool first, float a, float b) {
    return pick_by(mask_of(first), a, b);
}
PIXMILL_INNER float larger(float a, float b) {
    return pick(a > b, a, b); // b, if a is no number
}
PIXMILL_INNER float smaller(float a, float b) {
    return pick(a < b, a, b);
}
/// Of |v| < 2^31.
PIXMILL_INNER int32_t floor_of(float v) {
    const auto t = int32_t(v);
    return t - int32_t(float(t) > v);
}
/// v, or 0 where it has no fraction or is no number.
PIXMILL_INNER float with_fraction(float v) {
    return pick((v < 0x1p23f) & (v > -0x1p23f), v, 0.0f);
}

/// log2(1 + t) / t between the square roots of 1/2 and 2, error 2^-17.9: Chebyshev nodes.
constexpr float log_terms[] = {1.44270039f,   -0.721195757f, 0.479925573f,
                               -0.366925776f, 0.316898197f,  -0.202289268f};

/// log2 of v >= 0; exact at powers of two. About -127 of 0.
PIXMILL_INNER float log2_of(float v) {
    const auto bits = std::bit_cast<uint32_t>(v);
    const uint32_t mantissa = bits & 0x7FFFFF;
    const uint32_t upper = mantissa > 0x3504F3 ? 1 : 0; // above the square root of 2: halved
    const float t = std::bit_cast<float>(mantissa | (127 - upper) << 23) - 1.0f;
    const auto exponent = int32_t(bits >> 23) - 127 + int32_t(upper);
    float p = log_terms[5];
    for (int i = 4; i >= 0; i--)
        p = p * t + log_terms[i];
    return float(exponent) + p * t;
}

// ---- Level of detail ---------------------------------------------------------------------------

PIXMILL_INNER void differences(const Vector& of, unsigned count, Vector& dx, Vector& dy) {
    using Quad [[gnu::vector_size(16)]] = float;
    for (unsigned c = 0; c < count; c++) {
        const float* from = of[c].f.data();
        float *to_x = dx[c].f.data(), *to_y = dy[c].f.data();
        for (unsigned l = 0; l < lane_count; l += 4) {
            Quad v;
            std::memcpy(&v, from + l, sizeof v);
            const Quad x = __builtin_shufflevector(v, v, 1, 1, 3, 3) -
                           __builtin_shufflevector(v, v, 0, 0, 2, 2);
            const Quad y = __builtin_shufflevector(v, v, 2, 3, 2, 3) -
                           __builtin_shufflevector(v, v, 0, 1, 0, 1);
            std::memcpy(to_x + l, &x, sizeof x);
            std::memcpy(to_y + l, &y, sizeof y);
        }
    }
}

/// The axes of the face: table of the OpenGL ES 2.0 specification, 3.7.5; of equal magnitudes the
/// first wins.
struct Face {
    uint32_t x, y, negative; ///< masks
    float a, b, major;       ///< sc, tc, |ma|
};

PIXMILL_INNER Face face_of(float x, float y, float z) {
    const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
    Face f{};
    f.x = mask_of(ax >= ay) & mask_of(ax >= az);
    f.y = ~f.x & mask_of(ay >= az);
    f.negative = mask_of(pick_by(f.x, x, pick_by(f.y, y, z)) < 0);
    return f;
}

/// What the face makes of a direction, or of a change of one.
PIXMILL_INNER Face on(Face f, float x, float y, float z) {
    const float major = pick_by(f.x, x, pick_by(f.y, y, z));
    f.major = pick_by(f.negative, -major, major);
    const float a = pick_by(f.x, -z, x); // of the positive faces
    f.a = pick_by(f.negative & ~f.y, -a, a);
    f.b = pick_by(f.y, pick_by(f.negative, -z, z), -y);
    return f;
}

PIXMILL_INNER void project(const Vector& direction, Vector& coordinate, LaneInts& face) {
    const float *x = direction[0].f.data(), *y = direction[1].f.data(), *z = direction[2].f.data();
    float* __restrict s = coordinate[0].f.data(), * __restrict t = coordinate[1].f.data();
    int32_t* __restrict number = face.i.data();
    for (unsigned l = 0; l < lane_count; l++) {
        const Face f = on(face_of(x[l], y[l], z[l]), x[l], y[l], z[l]);
        number[l] = int32_t((~f.x & (4 - (f.y & 2))) + (f.negative & 1));
        s[l] = (f.a / f.major + 1.0f) * 0.5f;
        t[l] = (f.b / f.major + 1.0f) * 0.5f;
    }
}

PIXMILL_INNER void project_change(const Vector& direction, Vector& d) {
    const float *x = direction[0].f.data(), *y = direction[1].f.data(), *z = direction[2].f.data();
    float *dx = d[0].f.data(), *dy = d[1].f.data();
    const float* dz = d[2].f.data();
    for (unsigned l = 0; l < lane_count; l++) {
        const Face f = on(face_of(x[l], y[l], z[l]), x[l], y[l], z[l]);
        const Face c = on(f, dx[l], dy[l], dz[l]);
        const float scale = 0.5f / (f.major * f.major);
        dx[l] = (c.a * f.major - f.a * c.major) * scale;
        dy[l] = (c.b * f.major - f.b * c.major) * scale;
    }
}

template<unsigned count>
PIXMILL_INNER void square_of(const Vector& d, const std::array<float, 3>& size_of, Lanes& out) {
    const std::array<float, 3> size = size_of;
    float* __restrict to = out.f.data();
    for (unsigned l = 0; l < lane_count; l++) {
        float sum = 0;
        for (unsigned c = 0; c < count; c++) {
            const float v = d[c].f.data()[l] * size[c];
            sum += v * v;
        }
        to[l] = sum;
    }
}

PIXMILL_INNER void square(const Vector& d, unsigned count, const std::array<float, 3>& size,
                          Lanes& out) {
    if (count == 1)
        square_of<1>(d, size, out);
    else if (count == 2)
        square_of<2>(d, size, out);
    else
        square_of<3>(d, size, out);
}

constexpr float longest = 1e38f; // squared; infinite ones, too, and what is no number

PIXMILL_INNER void lod(const Lanes& x, const Lanes& y, Lanes& out) {
    const float *from_x = x.f.data(), *from_y = y.f.data();
    float* to = out.f.data();
    for (unsigned l = 0; l < lane_count; l++)
        to[l] = 0.5f * log2_of(larger(smaller(from_x[l], longest), smaller(from_y[l], longest)));
}

/// The smallest count with count * shorter >= longer, if there is one.
PIXMILL_INNER void taps(const Lanes& x, const Lanes& y, unsigned most, const Vector& dx,
                        const Vector& dy, LaneInts& count, Vector& along, Lanes& out) {
    for (unsigned l = 0; l < lane_count; l++) {
        const float a = smaller(x.f.data()[l], longest), b = smaller(y.f.data()[l], longest);
        const bool along_x = a > b;
        const float high = pick(along_x, a, b), low = pick(along_x, b, a);
        int32_t n = 1;
        for (unsigned i = 1; i < most; i++)
            n += int32_t(high > low * float(i * i));
        count.i.data()[l] = n;
        for (unsigned c = 0; c < 2; c++)
            along[c].f.data()[l] = pick(along_x, dx[c].f.data()[l], dy[c].f.data()[l]);
        out.f.data()[l] = 0.5f * log2_of(high / float(n * n));
    }
}

PIXMILL_INNER void step(const Vector& c, const Vector& along, const LaneInts& count, int32_t number,
                        Vector& out) {
    for (unsigned l = 0; l < lane_count; l++) {
        const float at = (float(number) + 0.5f) / float(count.i.data()[l]) - 0.5f;
        for (unsigned k = 0; k < 2; k++)
            out[k].f.data()[l] = c[k].f.data()[l] + along[k].f.data()[l] * at;
    }
}

PIXMILL_INNER void add_tap(Vector& sum, const Vector& texel, const LaneInts& count,
                           int32_t number) {
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < lane_count; l++)
            sum[c].f.data()[l] += pick(number < count.i.data()[l], texel[c].f.data()[l], 0.0f);
}

PIXMILL_INNER void average(Vector& sum, const LaneInts& count) {
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < lane_count; l++)
            sum[c].f.data()[l] /= float(count.i.data()[l]);
}

PIXMILL_INNER void add(Lanes& to, const Lanes& lanes) {
    for (unsigned l = 0; l < lane_count; l++)
        to.f.data()[l] += lanes.f.data()[l];
}

PIXMILL_INNER void add_constant(Lanes& to, float value) {
    for (unsigned l = 0; l < lane_count; l++)
        to.f.data()[l] += value;
}

template<Filter mip>
PIXMILL_INNER Selected select_by(const LodRange& range, const Lanes& lod, LaneInts& level,
                                 Lanes& fraction, LaneInts& magnified) {
    const LodRange r = range;
    const float* from = lod.f.data();
    int32_t *to = level.i.data(), *mag = magnified.i.data();
    float* part = fraction.f.data();
    int32_t count = 0, mixed = 0;
    for (unsigned l = 0; l < lane_count; l++) {
        float v = smaller(larger(from[l], -1000.0f), 1000.0f);
        const int32_t m = -int32_t(v <= r.threshold);
        v = smaller(larger(pick(m, r.min, v), r.min), r.max);
        mag[l] = m;
        count -= m;
        if constexpr (mip == Filter::nearest) { // the next level from a fraction above 1/2 on
            const int32_t t = -floor_of(-(v + 0.5f)) - 1;
            to[l] = t < r.last ? t : r.last;
        } else {
            const auto t = int32_t(v);
            const bool between = t < r.last;
            to[l] = between ? t : r.last;
            part[l] = pick(between, v - float(t), 0.0f);
            mixed |= int32_t(part[l] > 0);
        }
    }
    return {unsigned(count), mip == Filter::linear && mixed};
}

PIXMILL_INNER Selected select(const LodRange& range, const Lanes& lod, LaneInts& level,
                              Lanes& fraction, LaneInts& magnified) {
    if (range.mip == Filter::nearest)
        return select_by<Filter::nearest>(range, lod, level, fraction, magnified);
    if (range.mip == Filter::linear)
        return select_by<Filter::linear>(range, lod, level, fraction, magnified);
    return select_by<Filter::none>(range, lod, level, fraction, magnified);
}

PIXMILL_INNER void next(const LaneInts& level, int32_t last, LaneInts& out) {
    for (unsigned l = 0; l < lane_count; l++) {
        const int32_t n = level.i.data()[l] + 1;
        out.i.data()[l] = n < last ? n : last;
    }
}

// ---- Which texels ------------------------------------------------------------------------------

PIXMILL_INNER uint32_t size_at(uint32_t size, int32_t level) {
    const uint32_t n = size >> level;
    return n ? n : 1;
}

PIXMILL_INNER void sizes(const LaneInts& level, uint32_t size, LaneInts& out) {
    for (unsigned l = 0; l < lane_count; l++)
        out.i.data()[l] = int32_t(size_at(size, level.i.data()[l]));
}

/// Rounded, halves up.
PIXMILL_INNER void layers(const Lanes& coordinate, uint32_t count, LaneInts& layer) {
    const float last = float(count ? count - 1 : 0);
    for (unsigned l = 0; l < lane_count; l++) {
        const float v = larger(coordinate.f.data()[l], 0.0f);
        layer.i.data()[l] = int32_t(smaller(v + 0.5f, last + 0.5f));
    }
}

/// Brings a coordinate to where it selects the same texels and every index fits.
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

/// Index i of n texels: at most one outside or, of clamped coordinates, one period.
template<Wrap wrap>
PIXMILL_INNER int32_t wrapped(int32_t i, int32_t n) {
    if constexpr (wrap == Wrap::repeat) {
        i += n & i >> 31; // -1: the last one
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

// ---- Where they lie ----------------------------------------------------------------------------
// Offsets are modulo 2^32, as addresses are. Layouts: etna_viv doc/hardware.md; layout.cpp has them
// for single samples.

enum Order { linear_order, tiled_order, super_tiled_order };

template<Order order>
PIXMILL_INNER void column(const LaneInts& x_of, const Pitches& pitches, LaneWords& offset) {
    const unsigned shift = pitches.shift;
    for (unsigned l = 0; l < lane_count; l++) {
        const auto x = uint32_t(x_of.i.data()[l]);
        uint32_t texels = x;
        if constexpr (order == tiled_order)
            texels = (x >> 2) * 16 + (x & 3);
        if constexpr (order == super_tiled_order)
            texels = (x >> 6) * 4096 + (x >> 3 & 7) * 128 + (x >> 2 & 1) * 16 + (x & 3);
        offset.w.data()[l] = texels << shift;
    }
}

template<Order order>
PIXMILL_INNER void row(const LaneInts& y_of, const LaneInts* layer, const LaneInts& level,
                       const Pitches& pitches, LaneWords& offset) {
    const Pitches p = pitches;
    for (unsigned l = 0; l < lane_count; l++) {
        const auto y = uint32_t(y_of.i.data()[l]);
        if constexpr (order == linear_order) {
            offset.w.data()[l] = y * p.stride;
        } else {
            const uint32_t w = (size_at(p.width, level.i.data()[l]) + p.align - 1) & -p.align;
            if constexpr (order == tiled_order)
                offset.w.data()[l] = ((y >> 2) * 4 * w + (y & 3) * 4) << p.shift;
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
        const uint32_t slice = order == linear_order ? h * p.stride : (h * w) << p.shift;
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

// ---- Their values ------------------------------------------------------------------------------

using Kind = ChannelOf::Kind;

/// A word's channel as a number: that of the bits, or what the curve makes of it.
template<Kind kind>
PIXMILL_INNER float raw(uint32_t word, const ChannelOf& c) {
    const uint32_t bits = word >> c.low & c.mask;
    if constexpr (kind == Kind::curve)
        return c.curve[bits];
    return float(int32_t(bits));
}

/// And as the shader sees it.
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

/// Calls one.operator()<kind>(channel, to) for each channel that is neither constant nor known
/// already.
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

// ---- Tables ------------------------------------------------------------------------------------

template<template<auto> class Isa, Wrap wrap>
constexpr std::array<TeKernels::AxisKernel, 2> axes{Isa<axis<wrap, false>>::run,
                                                    Isa<axis<wrap, true>>::run};

template<template<auto> class Isa>
constexpr TeKernels kernels_for{
    Isa<differences>::run,
    Isa<project>::run,
    Isa<project_change>::run,
    Isa<square>::run,
    Isa<lod>::run,
    Isa<taps>::run,
    Isa<step>::run,
    Isa<add_tap>::run,
    Isa<average>::run,
    Isa<add>::run,
    Isa<add_constant>::run,
    Isa<select>::run,
    Isa<next>::run,
    Isa<sizes>::run,
    Isa<layers>::run,
    {axes<Isa, Wrap::repeat>, axes<Isa, Wrap::mirrored_repeat>, axes<Isa, Wrap::clamp_to_edge>,
     axes<Isa, Wrap::clamp_to_border>},
    {Isa<column<linear_order>>::run, Isa<column<tiled_order>>::run,
     Isa<column<super_tiled_order>>::run},
    {Isa<row<linear_order>>::run, Isa<row<tiled_order>>::run, Isa<row<super_tiled_order>>::run},
    Isa<pairs>::run,
    Isa<blank>::run,
    Isa<nearest>::run,
    Isa<bilinear>::run,
    Isa<mix>::run,
    Isa<choose>::run,
};

// ---- Constants ---------------------------------------------------------------------------------

/// The fifth root, by Newton's method from above.
constexpr double fifth_root(double v) {
    double x = 1;
    for (int i = 0; i < 100; i++)
        x -= (x - v / (x * x * x * x)) / 5;
    return x;
}

constexpr std::array<float, 256> make_srgb_curve() {
    std::array<float, 256> curve{};
    for (int i = 0; i < 256; i++) {
        const double c = i / 255.0, base = (c + 0.055) / 1.055;
        curve[unsigned(i)] =
            float(c <= 0.04045 ? c / 12.92 : base * base * fifth_root(base * base)); // base^2.4
    }
    return curve;
}

constexpr std::array<float, 256> srgb = make_srgb_curve();

} // namespace

const float* srgb_curve() {
    return srgb.data();
}

void set_scale(ChannelOf& channel, uint32_t largest) {
    // The bits of 1 / largest, whose first one has the weight 2^-width, down to 2^-23 leave room
    // for a product with `width` bits in a float's 24.
    constexpr double unit = 0x1p23;
    const double scale = 1.0 / largest, high = double(uint32_t(scale * unit)) / unit;
    channel.high = float(high);
    channel.rest = float(scale - high);
}

const TeKernels& te_kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return kernels_for<Avx2>;
#endif
    return kernels_for<Baseline>;
}

} // namespace pixmill::vivante::te
