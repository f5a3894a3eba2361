// The loops of kernels.hpp. The instruction set is that of the function that inlines them. Eight
// pixels are stored in two vectors of 16-bit lanes, as in render/kernels/blend_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "kernels.hpp"
#include "render/kernels/blend_inner.hpp"

#define PIXMILL_INNER [[gnu::always_inline]] inline

namespace pixmill::nema::inner {

using render::inner::Eight;
using render::inner::everywhere;
using render::inner::join;
using render::inner::Lanes;
using render::inner::lanes;
using render::inner::split;
using render::inner::spread_alpha;
using render::inner::Words8;

constexpr uint32_t colors = 0x00FFFFFF, alpha = 0xFF000000;

// Vectors are passed by reference, because their calling convention depends on the instruction set.

/// Computes t / 255, rounded down, for t < 65535.
PIXMILL_INNER void divide_by_255(Lanes& t) {
    t = (t + 1 + (t >> 8)) >> 8;
}

PIXMILL_INNER void product(Lanes& a, const Lanes& b) {
    a = a * b + 127;
    divide_by_255(a);
}

// ---- Operations of the fragment processor ------------------------------------

/// Applies a lane operation to both halves of eight pixels.
template<class OnLanes>
struct ByLanes {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b,
                                    const Words8& c) {
        Eight x, y, z;
        split(x, a);
        split(y, b);
        split(z, c);
        OnLanes::apply(x.even, y.even, z.even);
        OnLanes::apply(x.odd, y.odd, z.odd);
        join(out, x);
    }
};

struct MultiplyAdd {
    PIXMILL_INNER static void apply(Lanes& a, const Lanes& b, const Lanes& c) {
        product(a, b);
        render::inner::add_clamped(a, c);
    }
};

struct MultiplySubtract {
    PIXMILL_INNER static void apply(Lanes& a, const Lanes& b, const Lanes& c) {
        product(a, b);
        a = (a - c) & (Lanes)(a > c);
    }
};

struct Multiply {
    PIXMILL_INNER static void apply(Lanes& a, const Lanes& b, const Lanes&) { product(a, b); }
};

struct Add {
    PIXMILL_INNER static void apply(Lanes& a, const Lanes& b, const Lanes&) {
        render::inner::add_clamped(a, b);
    }
};

struct Minimum {
    PIXMILL_INNER static void apply(Lanes& a, const Lanes& b, const Lanes&) { a = a < b ? a : b; }
};

struct Maximum {
    PIXMILL_INNER static void apply(Lanes& a, const Lanes& b, const Lanes&) { a = a > b ? a : b; }
};

struct Conjunction {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b, const Words8&) {
        out = a & b;
    }
};

struct ColorAndAlpha {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b, const Words8&) {
        out = (a & colors) | (b & alpha);
    }
};

template<unsigned Shift>
struct Spread {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8&, const Words8&) {
        const Words8 one = a >> Shift & 0xFF, two = one | one << 8;
        out = two | two << 16;
    }
};

struct RotateGbr {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8&, const Words8&) {
        out = (a & alpha) | (a << 8 & 0xFFFF00) | (a >> 16 & 0xFF);
    }
};

struct RotateBrg {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8&, const Words8&) {
        out = (a & alpha) | (a << 16 & 0xFF0000) | (a >> 8 & 0xFFFF);
    }
};

struct Invert {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8&, const Words8&) {
        out = ~a;
    }
};

typedef int32_t Signed8 __attribute__((vector_size(32)));

/// Converts millionths to integers, rounded to nearest and clamped to 0..255.
PIXMILL_INNER void to_channel(Signed8& millionths) {
    constexpr int32_t million = 1000000, below_all = 400;
    const Words8 rounded = (Words8)(millionths + million / 2 + below_all * million);
    millionths = (Signed8)(rounded / uint32_t(million)) - below_all;
    millionths &= millionths > 0;
    millionths = millionths > 255 ? (Signed8{} + 255) : millionths;
}

/// Converts full-range BT.601 YUV to RGB.
struct YuvToRgb {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8&, const Words8&) {
        const Signed8 v = (Signed8)(a >> 16 & 0xFF) - 128, u = (Signed8)(a >> 8 & 0xFF) - 128;
        const Signed8 y = (Signed8)(a & 0xFF) * 1000000;
        Signed8 red = y + v * 1402000, green = y - u * 344136 - v * 714136, blue = y + u * 1772000;
        to_channel(red);
        to_channel(green);
        to_channel(blue);
        out = (a & alpha) | (Words8)red << 16 | (Words8)green << 8 | (Words8)blue;
    }
};

struct Choose {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b,
                                    const Words8& c) {
        out = (a & ~c) | (b & c);
    }
};

template<uint32_t Channels>
struct Equal {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b,
                                    const Words8& c) {
        out = c | (Words8)(((a ^ b) & Channels) == 0);
    }
};

template<uint32_t Channels>
struct Differs {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b,
                                    const Words8& c) {
        out = c | (Words8)(((a ^ b) & Channels) != 0);
    }
};

struct ColorLess {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b,
                                    const Words8& c) {
        Words8 less = ~Words8{};
        for (unsigned shift = 0; shift < 24; shift += 8)
            less &= (Words8)((a >> shift & 0xFF) < (b >> shift & 0xFF));
        out = c | less;
    }
};

struct AlphaLess {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b,
                                    const Words8& c) {
        out = c | (Words8)(a >> 24 < b >> 24);
    }
};

struct AlphaExtreme {
    PIXMILL_INNER static void apply(Words8& out, const Words8& a, const Words8& b, const Words8&) {
        out = (Words8)(((a ^ b) & alpha) == 0) | (Words8)((a & alpha) == 0);
    }
};

template<class Operation>
PIXMILL_INNER void each(Row out, ConstRow a, ConstRow b, ConstRow c, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        Words8 x, y, z, result;
        std::memcpy(&x, a + i, sizeof x);
        std::memcpy(&y, b + i, sizeof y);
        std::memcpy(&z, c + i, sizeof z);
        Operation::apply(result, x, y, z);
        std::memcpy(out + i, &result, sizeof result);
    }
}

// ---- Render output unit --------------------------------------------------------

/// Computes the blend factor with code `code` for source `s` and destination `d`.
PIXMILL_INNER void factor(Eight& to, uint32_t code, const Eight& s, const Eight& d,
                          const Eight& constant) {
    Lanes one;
    switch (code) {
    default:
        everywhere(to, Lanes{});
        return;
    case 1:
        everywhere(to, Lanes{} + 255);
        return;
    case 2:
    case 3:
        to = s;
        break;
    case 4:
    case 5:
        spread_alpha(one, s);
        everywhere(to, one);
        break;
    case 6:
    case 7:
        spread_alpha(one, d);
        everywhere(to, one);
        break;
    case 8:
    case 9:
        to = d;
        break;
    case 10:
        to = constant;
        return;
    case 11:
        spread_alpha(one, constant);
        everywhere(to, one);
        return;
    }
    if (code & 1) {
        to.even = 255 - to.even;
        to.odd = 255 - to.odd;
    }
}

/// Computes s * sf + d * df, rounded once and clamped.
PIXMILL_INNER void blend_lanes(Lanes& s, const Lanes& sf, const Lanes& d, const Lanes& df) {
    s = s * sf + 127;
    const Lanes room = 65279 - s; // 65279 is the largest value whose quotient is 255
    Lanes other = d * df;
    other = other < room ? other : room;
    s += other;
    divide_by_255(s);
}

PIXMILL_INNER void blend_any(const BlendFactors& factors, Row out, ConstRow source,
                             ConstRow destination, size_t count) {
    Eight constant;
    split(constant, Words8{} + factors.constant);
    for (size_t i = 0; i < count; i += 8) {
        Words8 from, to;
        std::memcpy(&from, source + i, sizeof from);
        std::memcpy(&to, destination + i, sizeof to);
        Eight s, d, sf, df;
        split(s, from);
        split(d, to);
        factor(sf, factors.source, s, d, constant);
        factor(df, factors.destination, s, d, constant);
        blend_lanes(s.even, sf.even, d.even, df.even);
        blend_lanes(s.odd, sf.odd, d.odd, df.odd);
        join(to, s);
        std::memcpy(out + i, &to, sizeof to);
    }
}

// The most common blends, whose factors are known at compile time.

struct Replace {
    static constexpr uint32_t source = 1, destination = 0;
    PIXMILL_INNER static void apply(Lanes&, const Lanes&, const Lanes&) {}
};

struct SourceOver {
    static constexpr uint32_t source = 1, destination = 5;
    PIXMILL_INNER static void apply(Lanes& s, const Lanes& opacity, const Lanes& d) {
        Lanes rest = d; // s * 255 / 255 is exact, so only this product is rounded
        product(rest, 255 - opacity);
        s += rest;
        s = s < 255 ? s : Lanes{} + 255;
    }
};

struct Simple {
    static constexpr uint32_t source = 4, destination = 5;
    PIXMILL_INNER static void apply(Lanes& s, const Lanes& opacity, const Lanes& d) {
        s = s * opacity + d * (255 - opacity) + 127; // sum is at most 255 * 255 + 127
        divide_by_255(s);
    }
};

template<class Known>
PIXMILL_INNER void blend_eight(Words8& from, const Words8& to) {
    Eight s, d;
    Lanes opacity;
    split(s, from);
    split(d, to);
    spread_alpha(opacity, s);
    Known::apply(s.even, opacity, d.even);
    Known::apply(s.odd, opacity, d.odd);
    join(from, s);
}

template<class Known>
PIXMILL_INNER void blend_rows(const BlendFactors&, Row out, ConstRow source, ConstRow destination,
                              size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        Words8 from, to;
        std::memcpy(&from, source + i, sizeof from);
        std::memcpy(&to, destination + i, sizeof to);
        blend_eight<Known>(from, to);
        std::memcpy(out + i, &from, sizeof from);
    }
}

/// Blends `bytes` of pixel words, at most eight pixels.
template<class Known, bool Swaps>
PIXMILL_INNER void blended_words(Words8& from, const WordBlend& blend, const std::byte* destination,
                                 const std::byte* source, size_t bytes) {
    Words8 to{};
    from = Words8{};
    std::memcpy(&from, source, bytes);
    std::memcpy(&to, destination, bytes);
    if constexpr (Swaps)
        from = (from & 0xFF00FF00) | (from >> 16 & 0xFF) | (from & 0xFF) << 16;
    from |= blend.source_set;
    blend_eight<Known>(from, to);
    from |= blend.set;
}

template<class Known, bool Swaps>
PIXMILL_INNER void blend_words_in_order(const WordBlend& blend, std::byte* destination,
                                        const std::byte* source, size_t count) {
    constexpr size_t step = sizeof(Words8);
    const WordBlend b = blend;
    const size_t bytes = count * 4;
    Words8 out, end;
    if (bytes < step) {
        blended_words<Known, Swaps>(out, b, destination, source, bytes);
        std::memcpy(destination, &out, bytes);
        return;
    }
    // The last group of eight pixels may overlap the group before it, so it is computed first and
    // stored last.
    const size_t last = bytes - step;
    blended_words<Known, Swaps>(end, b, destination + last, source + last, step);
    for (size_t i = 0; i < last; i += step) {
        blended_words<Known, Swaps>(out, b, destination + i, source + i, step);
        std::memcpy(destination + i, &out, step);
    }
    std::memcpy(destination + last, &end, step);
}

template<class Known>
PIXMILL_INNER void blend_words(const WordBlend& blend, std::byte* destination,
                               const std::byte* source, size_t count) {
    if (blend.swaps)
        blend_words_in_order<Known, true>(blend, destination, source, count);
    else
        blend_words_in_order<Known, false>(blend, destination, source, count);
}

// ---- Pixels of one color with the alpha of texels ---------------------------------

/// Copies up to seven words. The C library's function would take longer than the copy.
PIXMILL_INNER void copy_few(void* to, const void* from, size_t count) {
    auto* out = static_cast<std::byte*>(to);
    const auto* in = static_cast<const std::byte*>(from);
    if (count & 4) {
        std::memcpy(out, in, 16);
        out += 16;
        in += 16;
    }
    if (count & 2) {
        std::memcpy(out, in, 8);
        out += 8;
        in += 8;
    }
    if (count & 1)
        std::memcpy(out, in, 4);
}

/// Reads `count` bytes, at most eight, as a little-endian number.
PIXMILL_INNER uint64_t number_at(const std::byte* from, size_t count) {
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number |= uint64_t(from[i]) << 8 * i;
    return number;
}

// read() returns `count` texels, at most eight, from texel `first` of a row on, the first one in
// the lowest bits. spread() moves each of them to the alpha of its pixel. It multiplies,
// because not all instruction sets can shift each word by a different count.

struct A8 {
    PIXMILL_INNER static uint64_t read(const std::byte* row, size_t first, size_t count) {
        if (count < 8)
            return number_at(row + first, count);
        uint64_t texels;
        std::memcpy(&texels, row + first, sizeof texels);
        return texels;
    }
    PIXMILL_INNER static void spread(Words8& alphas, uint64_t texels) {
        constexpr Words8 to_top = {1 << 24, 1 << 16, 1 << 8, 1, 1 << 24, 1 << 16, 1 << 8, 1};
        const auto low = uint32_t(texels), high = uint32_t(texels >> 32);
        alphas = (Words8{low, low, low, low, high, high, high, high} * to_top) & alpha;
    }
};

template<bool TopFirst>
struct A4 {
    PIXMILL_INNER static uint64_t read(const std::byte* row, size_t first, size_t count) {
        const std::byte* const from = row + first / 2;
        const size_t odd = first % 2;
        uint64_t texels = 0;
        if (count < 8) {
            texels = number_at(from, (odd + count + 1) / 2);
        } else {
            std::memcpy(&texels, from, 4);
            if (odd)
                texels |= uint64_t(from[4]) << 32;
        }
        constexpr uint64_t low = 0x0F0F0F0F0F;
        if constexpr (TopFirst)
            texels = (texels & low) << 4 | (texels >> 4 & low);
        return texels >> 4 * odd;
    }
    PIXMILL_INNER static void spread(Words8& alphas, uint64_t texels) {
        constexpr Words8 to_top = {1 << 28, 1 << 24, 1 << 20, 1 << 16, 1 << 12, 1 << 8, 1 << 4, 1};
        const Words8 top = (uint32_t(texels) * to_top) & 0xF0000000;
        alphas = top | top >> 4;
    }
};

/// Computes `count` pixels of a row, at most eight, from pixel `x` on.
template<class Known, class Texels>
PIXMILL_INNER void masked_pixels(Words8& out, const WordBlend& blend, const MaskedRows& row,
                                 size_t x, size_t count) {
    Words8 before{};
    if (count < lanes)
        copy_few(&before, row.destination + 4 * x, count);
    else
        std::memcpy(&before, row.destination + 4 * x, sizeof before);
    Texels::spread(out, Texels::read(row.texels, row.first + x, count));
    out |= row.color;
    blend_eight<Known>(out, before);
    out |= blend.set;
}

template<class Known, class Texels>
PIXMILL_INNER void blend_masked_row(const WordBlend& blend, const MaskedRows& row) {
    Words8 out, end;
    if (row.width < lanes) {
        masked_pixels<Known, Texels>(out, blend, row, 0, row.width);
        copy_few(row.destination, &out, row.width);
        return;
    }
    const size_t last = row.width - lanes; // see blend_words_in_order()
    masked_pixels<Known, Texels>(end, blend, row, last, lanes);
    for (size_t x = 0; x < last; x += lanes) {
        masked_pixels<Known, Texels>(out, blend, row, x, lanes);
        std::memcpy(row.destination + 4 * x, &out, sizeof out);
    }
    std::memcpy(row.destination + 4 * last, &end, sizeof end);
}

template<class Known, class Texels>
PIXMILL_INNER void blend_masked(const WordBlend& blend, const MaskedRows& rows) {
    const WordBlend b = blend;
    MaskedRows row = rows;
    if (b.swaps)
        row.color = row.color >> 16 | (row.color & 0xFF00) | (row.color & 0xFF) << 16;
    for (uint32_t i = 0; i < rows.rows; i++) {
        blend_masked_row<Known, Texels>(b, row);
        row.destination += row.pitch;
        row.texels += row.texel_pitch;
    }
}

PIXMILL_INNER void cover_lanes(Lanes& out, const Lanes& destination, const Lanes& coverage) {
    out = out * coverage + destination * (255 - coverage) + 127;
    divide_by_255(out);
}

PIXMILL_INNER void cover(Row out, ConstRow destination, const uint8_t* coverage, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        Words8 result, before, share;
        std::memcpy(&result, out + i, sizeof result);
        std::memcpy(&before, destination + i, sizeof before);
        for (unsigned k = 0; k < 8; k++)
            share[k] = coverage[i + k] * 0x00010001u;
        Eight o, d;
        split(o, result);
        split(d, before);
        cover_lanes(o.even, d.even, (Lanes)share);
        cover_lanes(o.odd, d.odd, (Lanes)share);
        join(result, o);
        std::memcpy(out + i, &result, sizeof result);
    }
}

PIXMILL_INNER void affine_lanes(Lanes& value, const Lanes& factor, const Lanes& offset) {
    const Lanes room = 65279 - offset;
    value *= factor;
    value = (value < room ? value : room) + offset;
    divide_by_255(value);
}

PIXMILL_INNER void affine(const Affine& affine, std::byte* pixels, size_t count) {
    Eight factor, offset;
    for (unsigned lane = 0; lane < 16; lane++) {
        factor.even[lane] = affine.factor[2 * (lane % 2)];
        factor.odd[lane] = affine.factor[2 * (lane % 2) + 1];
        offset.even[lane] = affine.offset[2 * (lane % 2)];
        offset.odd[lane] = affine.offset[2 * (lane % 2) + 1];
    }
    for (size_t i = 0; i < count; i += 8) {
        const size_t left = count - i;
        const size_t bytes = (left < 8 ? left : 8) * 4;
        Words8 words{};
        if (left >= 8)
            std::memcpy(&words, pixels + i * 4, sizeof words);
        else
            std::memcpy(&words, pixels + i * 4, bytes);
        Eight p;
        split(p, words);
        affine_lanes(p.even, factor.even, offset.even);
        affine_lanes(p.odd, factor.odd, offset.odd);
        join(words, p);
        if (left >= 8)
            std::memcpy(pixels + i * 4, &words, sizeof words);
        else
            std::memcpy(pixels + i * 4, &words, bytes);
    }
}

PIXMILL_INNER void gradient(const Gradient& gradient, Row out, size_t count) {
    constexpr Words8 index = {0, 1, 2, 3, 4, 5, 6, 7};
    Words8 value[4];
    for (unsigned channel = 0; channel < 4; channel++)
        value[channel] = gradient.start[channel] + gradient.step[channel] * index;
    for (size_t i = 0; i < count; i += 8) {
        Words8 pixels{};
        for (unsigned channel = 0; channel < 4; channel++) {
            Signed8 whole = (Signed8)value[channel] >> 16;
            whole &= whole > 0;
            whole = whole > 255 ? (Signed8{} + 255) : whole;
            pixels |= (Words8)whole << 8 * channel;
            value[channel] += gradient.step[channel] * 8;
        }
        std::memcpy(out + i, &pixels, sizeof pixels);
    }
}

// ---- The tables -----------------------------------------------------------------

template<template<auto> class For>
struct Tables {
    template<class Known>
    static constexpr KnownBlend blend{Known::source,
                                      Known::destination,
                                      For<&blend_rows<Known>>::run,
                                      For<&blend_words<Known>>::run,
                                      {For<&blend_masked<Known, A8>>::run,
                                       For<&blend_masked<Known, A4<false>>>::run,
                                       For<&blend_masked<Known, A4<true>>>::run}};

    template<class Operation>
    static constexpr RowKernel op = For<&each<Operation>>::run;

    static constexpr RowKernels kernels = {
        {op<ByLanes<MultiplyAdd>>,
         op<ByLanes<MultiplySubtract>>,
         op<ByLanes<Multiply>>,
         op<ByLanes<Add>>,
         op<ByLanes<Minimum>>,
         op<ByLanes<Maximum>>,
         op<Conjunction>,
         op<ColorAndAlpha>,
         op<Spread<24>>,
         op<Spread<16>>,
         op<Spread<8>>,
         op<Spread<0>>,
         op<RotateGbr>,
         op<RotateBrg>,
         op<Invert>,
         op<YuvToRgb>,
         op<Choose>,
         op<Equal<colors>>,
         op<Differs<colors>>,
         op<ColorLess>,
         op<Equal<alpha>>,
         op<Differs<alpha>>,
         op<AlphaLess>,
         op<AlphaExtreme>},
        For<&blend_any>::run,
        {blend<Simple>, blend<SourceOver>, blend<Replace>},
        For<&cover>::run,
        For<&affine>::run,
        For<&gradient>::run,
    };
};

} // namespace pixmill::nema::inner

#undef PIXMILL_INNER
