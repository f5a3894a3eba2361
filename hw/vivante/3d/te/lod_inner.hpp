// The loops of kernels.hpp that compute levels of detail. They are inlined into functions for
// different instruction sets.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "kernels.hpp"
#include "numbers_inner.hpp"

namespace pixmill::vivante::te::inner {

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

/// Axes of a cube face: table of the OpenGL ES 2.0 specification, 3.7.5. If magnitudes are equal,
/// the first axis wins.
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

/// Projects a direction, or a derivative of one, onto the face.
PIXMILL_INNER Face on(Face f, float x, float y, float z) {
    const float major = pick_by(f.x, x, pick_by(f.y, y, z));
    f.major = pick_by(f.negative, -major, major);
    const float a = pick_by(f.x, -z, x); // for positive faces
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
        // (a / major + 1) / 2, with few roundings so that points between two texels stay there.
        const float half = 0.5f * f.major;
        s[l] = (0.5f * f.a + half) / f.major;
        t[l] = (0.5f * f.b + half) / f.major;
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

constexpr float longest = 1e38f; // squared; also stands for infinity and NaN

PIXMILL_INNER void lod(const Lanes& x, const Lanes& y, Lanes& out) {
    const float *from_x = x.f.data(), *from_y = y.f.data();
    float* to = out.f.data();
    for (unsigned l = 0; l < lane_count; l++)
        to[l] = 0.5f * log2_of(larger(smaller(from_x[l], longest), smaller(from_y[l], longest)));
}

/// Takes the smallest number of taps for which count * shorter >= longer, but at most `most`.
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

/// Clamps to the range. Sets `magnified` to all ones or 0.
PIXMILL_INNER float limited(const LodRange& r, float lod, int32_t& magnified) {
    const float v = smaller(larger(lod, -1000.0f), 1000.0f);
    magnified = -int32_t(v <= r.threshold);
    return smaller(larger(pick(magnified, r.min, v), r.min), r.max);
}

/// Rounds to the nearest level.
PIXMILL_INNER int32_t nearest_level(const LodRange& r, float v) {
    const int32_t t = -floor_of(-(v + r.half)) - 1;
    return t < r.last ? t : r.last;
}

PIXMILL_INNER Lengths lengths(const Lanes& x, const Lanes& y) {
    // Squares are not negative, so comparing their bits as integers orders them.
    const float *from_x = x.f.data(), *from_y = y.f.data();
    int32_t least = std::bit_cast<int32_t>(longest), most = 0;
    for (unsigned l = 0; l < lane_count; l++) {
        const auto bits = std::bit_cast<int32_t>(
            larger(smaller(from_x[l], longest), smaller(from_y[l], longest)));
        least = bits < least ? bits : least;
        most = bits > most ? bits : most;
    }
    return {std::bit_cast<float>(least), std::bit_cast<float>(most)};
}

PIXMILL_INNER bool one_level(const Lengths& of, const LodRange& range, float bias, int32_t& level,
                             bool& magnified) {
    // log2_of() is monotonic, except for errors of about 2^-17.
    constexpr float margin = 0x1p-13f;
    const float low = 0.5f * log2_of(of.least) + bias - margin;
    const float high = 0.5f * log2_of(of.most) + bias + margin;
    int32_t low_magnified = 0, high_magnified = 0;
    const float first = limited(range, low, low_magnified);
    const float last = limited(range, high, high_magnified);
    const auto level_of = [&](float v) {
        const auto whole = int32_t(v);
        return range.mip == Filter::nearest ? nearest_level(range, v)
               : whole < range.last         ? whole
                                            : range.last;
    };
    level = level_of(first);
    magnified = low_magnified != 0;
    return low_magnified == high_magnified && level == level_of(last);
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
        int32_t m = 0;
        const float v = limited(r, from[l], m);
        mag[l] = m;
        count -= m;
        if constexpr (mip == Filter::nearest) {
            to[l] = nearest_level(r, v);
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

} // namespace pixmill::vivante::te::inner
