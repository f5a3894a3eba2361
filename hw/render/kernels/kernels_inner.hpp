// The loops of kernels.hpp, for any instruction set: each is inlined into a function that selects
// the target. They may call only functions that are inlined as well, and the C library.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

#include "blend_inner.hpp"
#include "filter_inner.hpp"
#include "key_inner.hpp"
#include "porter_duff_inner.hpp"
#include "rop_inner.hpp"
#include "turn_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

// ---- Pixels to working values and back ---------------------------------------

PIXMILL_INNER uint32_t widen(const Codec::Field& f, uint32_t raw) {
    return (raw >> f.shift & f.mask) * f.multiply >> f.drop;
}

PIXMILL_INNER uint32_t narrow(const Codec::Field& f, uint32_t value) {
    return (value >> f.lost & f.mask) << f.shift;
}

template<class Pixel>
PIXMILL_INNER void unpack(const Codec& codec, uint32_t* __restrict to, const std::byte* from,
                          size_t count) {
    const Codec c = codec;
    const auto pixels = In<Pixel>(from);
    for (size_t i = 0; i < count; i++) {
        const uint32_t raw = pixels[i];
        to[i] = c.opaque | widen(c.alpha, raw) << 24 | widen(c.red, raw) << 16 |
                widen(c.green, raw) << 8 | widen(c.blue, raw);
    }
}

template<class Pixel>
PIXMILL_INNER void pack(const Codec& codec, std::byte* __restrict to, const uint32_t* from,
                        size_t count) {
    const Codec c = codec;
    const auto pixels = Out<Pixel>(to);
    for (size_t i = 0; i < count; i++) {
        const uint32_t argb = from[i];
        pixels[i] =
            Pixel(narrow(c.alpha, argb >> 24) | narrow(c.padding, argb >> 24) |
                  narrow(c.red, argb >> 16) | narrow(c.green, argb >> 8) | narrow(c.blue, argb));
    }
}

/// True if pixels are ARGB, except for the bits of a missing alpha.
constexpr bool in_place(const Codec& c) {
    const auto at = [](const Codec::Field& f, uint32_t shift) {
        return f.shift == shift && f.mask == 0xFF;
    };
    return at(c.red, 16) && at(c.green, 8) && at(c.blue, 0) && (c.opaque || at(c.alpha, 24));
}

/// Like the generic conversion, with all constants known at compile time.
template<class Pixel, Codec Known>
PIXMILL_INNER void unpack_known(const Codec&, uint32_t* __restrict to, const std::byte* from,
                                size_t count) {
    constexpr Codec c = Known;
    const auto pixels = In<Pixel>(from);
    if constexpr (in_place(c)) {
        for (size_t i = 0; i < count; i++)
            to[i] = c.opaque | pixels[i];
    } else if constexpr (sizeof(Pixel) == 2) {
        // Keep 16-bit words throughout, because a vector holds twice as many.
        for (size_t i = 0; i < count; i++) {
            const Pixel raw = pixels[i];
            const auto alpha = Pixel(c.opaque >> 24 | widen(c.alpha, raw));
            const auto red = Pixel(widen(c.red, raw)), green = Pixel(widen(c.green, raw)),
                       blue = Pixel(widen(c.blue, raw));
            const auto high = Pixel(alpha << 8 | red), low = Pixel(green << 8 | blue);
            to[i] = uint32_t(high) << 16 | low;
        }
    } else {
        unpack<Pixel>(c, to, from, count);
    }
}

template<class Pixel, Codec Known>
PIXMILL_INNER void pack_known(const Codec&, std::byte* __restrict to, const uint32_t* from,
                              size_t count) {
    constexpr Codec c = Known;
    if constexpr (sizeof(Pixel) == 2) {
        // Split words into 16-bit halves first, because a vector holds twice as many of them.
        const auto pixels = Out<Pixel>(to);
        for (size_t i = 0; i < count; i++) {
            const auto high = Pixel(from[i] >> 16), low = Pixel(from[i]);
            const auto alpha = Pixel(high >> 8), red = Pixel(high & 0xFF), green = Pixel(low >> 8),
                       blue = Pixel(low & 0xFF);
            pixels[i] = Pixel(narrow(c.alpha, alpha) | narrow(c.padding, alpha) |
                              narrow(c.red, red) | narrow(c.green, green) | narrow(c.blue, blue));
        }
    } else {
        pack<Pixel>(c, to, from, count);
    }
}

/// Fetches pixels for processing in memory format.
template<class Pixel>
PIXMILL_INNER void fetch_raw(const Codec&, uint32_t* __restrict to, const std::byte* from,
                             size_t count) {
    const auto pixels = In<Pixel>(from);
    for (size_t i = 0; i < count; i++)
        to[i] = pixels[i];
}

template<class Pixel>
PIXMILL_INNER void store_raw(const Codec&, std::byte* __restrict to, const uint32_t* from,
                             size_t count) {
    const auto pixels = Out<Pixel>(to);
    for (size_t i = 0; i < count; i++)
        pixels[i] = Pixel(from[i]);
}

// ---- Rows of working values --------------------------------------------------

PIXMILL_INNER void select(Row to, ConstRow mask, ConstRow where_set, ConstRow where_clear,
                          size_t count) {
    const auto out = Out<uint32_t>(to);
    const auto set = In<uint32_t>(where_set), clear = In<uint32_t>(where_clear);
    for (size_t i = 0; i < count; i++)
        out[i] = (mask[i] & set[i]) | (~mask[i] & clear[i]);
}

PIXMILL_INNER void dither(const DitherRow& dither, Row pixels, size_t count) {
    const DitherRow row = dither;
    for (size_t i = 0; i < count; i++) {
        const uint32_t pixel = pixels[i], threshold = row.thresholds[i & 3];
        uint32_t out = 0;
        for (unsigned channel = 0; channel < 4; channel++) {
            const uint32_t lost = 8 - row.width[channel], value = pixel >> 8 * channel & 0xFF;
            const uint32_t sixteenths = (value << (8 - lost) & 0xFF) >> 4;
            const bool last = value >> lost == (1u << row.width[channel]) - 1;
            const uint32_t up = sixteenths > threshold && !last ? 1u << lost : 0;
            out |= (value + up) << 8 * channel;
        }
        pixels[i] = out;
    }
}

PIXMILL_INNER int32_t at_most(int32_t a, int32_t b) {
    return a < b ? a : b;
}
PIXMILL_INNER int32_t at_least(int32_t a, int32_t b) {
    return a > b ? a : b;
}

template<bool Clamp>
PIXMILL_INNER void matrix(const ColorMatrix& m, Row pixels, size_t count) {
    const ColorMatrix k = m;
    for (size_t i = 0; i < count; i++) {
        const uint32_t pixel = pixels[i];
        auto a = int32_t(pixel >> 16 & 0xFF), b = int32_t(pixel >> 8 & 0xFF),
             c = int32_t(pixel & 0xFF);
        if constexpr (Clamp) {
            a = at_least(16, at_most(a, 235));
            b = at_least(16, at_most(b, 240));
            c = at_least(16, at_most(c, 240));
        }
        uint32_t out = pixel & 0xFF000000;
        for (unsigned j = 0; j < 3; j++) {
            const int32_t sum = k.c[3 * j] * a + k.c[3 * j + 1] * b + k.c[3 * j + 2] * c + k.d[j];
            out |= uint32_t(at_least(0, at_most(sum >> k.shift, 255))) << (16 - 8 * j);
        }
        pixels[i] = out;
    }
}

PIXMILL_INNER void convert_row(const ColorMatrix& m, Row pixels, size_t count) {
    if (m.clamp)
        matrix<true>(m, pixels, count);
    else
        matrix<false>(m, pixels, count);
}

// ---- Reordering -------------------------------------------------------------

template<class Pixel>
PIXMILL_INNER void pick(std::byte* to, const std::byte* from, const int32_t* index, size_t count) {
    const auto out = Out<Pixel>(to);
    const auto in = In<Pixel>(from);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const Pixel a = in[index[i]], b = in[index[i + 1]], c = in[index[i + 2]],
                    d = in[index[i + 3]];
        out[i] = a;
        out[i + 1] = b;
        out[i + 2] = c;
        out[i + 3] = d;
    }
    for (; i < count; i++)
        out[i] = in[index[i]];
}

template<unsigned YStep, unsigned ChromaStep>
PIXMILL_INNER void yuv_pairs(Row to, const std::byte* y, const std::byte* u, const std::byte* v,
                             size_t pairs) {
    const auto ys = In<uint8_t>(y), us = In<uint8_t>(u), vs = In<uint8_t>(v);
    const auto out = Out<uint64_t>(to);
    for (size_t i = 0; i < pairs; i++) {
        const uint32_t chroma =
            0xFF000000 | uint32_t(us[i * ChromaStep]) << 8 | uint32_t(vs[i * ChromaStep]);
        const uint32_t first = chroma | uint32_t(ys[2 * i * YStep]) << 16;
        const uint32_t second = chroma | uint32_t(ys[(2 * i + 1) * YStep]) << 16;
        out[i] = uint64_t(second) << 32 | first;
    }
}

PIXMILL_INNER void palette(Row to, const std::byte* from, const uint32_t* palette, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = palette[uint8_t(from[i])];
}

PIXMILL_INNER void two_colors(Row to, const std::byte* from, const uint32_t* palette,
                              size_t count) {
    const uint32_t clear = palette[0], change = palette[0] ^ palette[1];
    const auto bits = In<uint8_t>(from);
    for (size_t i = 0; i < count; i++)
        to[i] = clear ^ (change & (0u - bits[i]));
}

PIXMILL_INNER void bits(std::byte* to, const std::byte* from, size_t skip, size_t count) {
    const auto single = [=](size_t i) {
        to[i] = from[(skip + i) >> 3] >> (7 - ((skip + i) & 7)) & std::byte(1);
    };
    size_t i = 0;
    for (; i < count && (skip + i) & 7; i++)
        single(i);
    for (; i + 8 <= count; i += 8) {
        // Copy i of the byte is shifted left by i, so bit 7 of byte i is pixel i.
        const uint64_t copies = uint64_t(from[(skip + i) >> 3]) * 0x8040201008040201;
        const uint64_t bytes = copies >> 7 & 0x0101010101010101;
        std::memcpy(to + i, &bytes, sizeof bytes);
    }
    for (; i < count; i++)
        single(i);
}

PIXMILL_INNER void match(Row mask, const std::byte* bytes, uint8_t value, size_t count) {
    const auto in = In<uint8_t>(bytes);
    for (size_t i = 0; i < count; i++)
        mask[i] |= in[i] == value ? ~0u : 0;
}

// ---- Tables ------------------------------------------------------------------

/// Formats with dedicated conversions: those that displays and drivers use.
constexpr Format known[] = {
    formats::a8r8g8b8,
    formats::x8r8g8b8,
    formats::r5g6b5,
    formats::a1r5g5b5,
    formats::x1r5g5b5,
    formats::a4r4g4b4,
    formats::x4r4g4b4,
    with_swizzle(formats::a8r8g8b8, Swizzle::abgr),
    with_swizzle(formats::x8r8g8b8, Swizzle::abgr),
    with_swizzle(formats::a8r8g8b8, Swizzle::bgra),
    with_swizzle(formats::x8r8g8b8, Swizzle::bgra),
};

template<unsigned Bits>
using PixelOf =
    std::conditional_t<Bits == 8, uint8_t, std::conditional_t<Bits == 16, uint16_t, uint32_t>>;

/// Kernels with every loop inlined into a function of `Isa`: a template Isa<loop> that has a static
/// function run() of the loop's type. `Vector` is the vector size in bytes.
template<template<auto> class Isa, unsigned Vector>
struct Tables {
    template<size_t... Index>
    static constexpr auto convert(std::index_sequence<Index...>) {
        return std::array{Conversion{
            known[Index], Isa<unpack_known<PixelOf<known[Index].bits>, Codec(known[Index])>>::run,
            Isa<pack_known<PixelOf<known[Index].bits>, Codec(known[Index])>>::run}...};
    }

    static constexpr bool wide = Vector > 16;

    template<Factor source, Factor destination, class To = Argb, bool solid = false,
             bool scaled = false>
    static constexpr MemoryBlendKernel blends =
        Isa<blend_rows<PorterDuff<source, destination>, To, solid, scaled>>::run;

    /// In the order of MemoryBlend.
    static constexpr auto memory_blends() {
        using enum Factor;
        decltype(Kernels::memory_blend) all{};
        if constexpr (wide)
            all = {nullptr,
                   blends<one, inverse_alpha>,
                   blends<one, inverse_alpha, Rgb565>,
                   blends<one, inverse_alpha, Argb, true>,
                   blends<one, inverse_alpha, Rgb565, true>,
                   blends<one, inverse_alpha, Argb, false, true>,
                   blends<inverse_alpha, one>,
                   blends<alpha, zero>,
                   blends<zero, alpha>,
                   blends<inverse_alpha, zero>,
                   blends<zero, inverse_alpha>,
                   blends<alpha, inverse_alpha>,
                   blends<inverse_alpha, alpha>,
                   blends<inverse_alpha, inverse_alpha>,
                   blends<one, one>};
        return all;
    }

    static constexpr auto conversions = convert(std::make_index_sequence<std::size(known)>());

    static constexpr Kernels kernels = {
        .fill = Isa<rows<fill>>::run,
        .copy = Isa<rows<copy>>::run,
        .map = Isa<rows<combine<false, true>>>::run,
        .modify = Isa<rows<combine<true, false>>>::run,
        .rop3 = Isa<rows<combine<true, true>>>::run,
        .fetch_raw = {Isa<fetch_raw<uint8_t>>::run, Isa<fetch_raw<uint16_t>>::run,
                      Isa<fetch_raw<uint32_t>>::run},
        .unpack_any = {Isa<unpack<uint8_t>>::run, Isa<unpack<uint16_t>>::run,
                       Isa<unpack<uint32_t>>::run},
        .store_raw = {Isa<store_raw<uint8_t>>::run, Isa<store_raw<uint16_t>>::run,
                      Isa<store_raw<uint32_t>>::run},
        .pack_any = {Isa<pack<uint8_t>>::run, Isa<pack<uint16_t>>::run, Isa<pack<uint32_t>>::run},
        .conversions = conversions,
        .rop_row = Isa<rop_row>::run,
        .blend = Isa<blend>::run,
        .key = {Isa<key<uint8_t>>::run, Isa<key<uint16_t>>::run, Isa<key<uint32_t>>::run},
        .copy_outside = {Isa<copy_outside<uint8_t>>::run, Isa<copy_outside<uint16_t>>::run,
                         Isa<copy_outside<uint32_t>>::run},
        .merge = {Isa<merge<uint8_t>>::run, Isa<merge<uint16_t>>::run, Isa<merge<uint32_t>>::run},
        .select = Isa<select>::run,
        .dither = Isa<dither>::run,
        .convert = Isa<convert_row>::run,
        .pick = {Isa<pick<uint8_t>>::run, Isa<pick<uint16_t>>::run, Isa<pick<uint32_t>>::run},
        .reverse = {Isa<reverse<uint8_t>>::run, Isa<reverse<uint16_t>>::run,
                    Isa<reverse<uint32_t>>::run},
        .column = {Isa<column<uint8_t>>::run, Isa<column<uint16_t>>::run,
                   Isa<column<uint32_t>>::run},
        .turn = {Isa<turn<uint8_t, Vector>>::run, Isa<turn<uint16_t, Vector>>::run,
                 Isa<turn<uint32_t, Vector>>::run},
        .yuv_pairs = {Isa<yuv_pairs<2, 4>>::run, Isa<yuv_pairs<1, 2>>::run,
                      Isa<yuv_pairs<1, 1>>::run},
        .palette = Isa<palette>::run,
        .two_colors = Isa<two_colors>::run,
        .bits = Isa<bits>::run,
        .match = Isa<match>::run,
        .filter_column = Isa<filter_column>::run,
        .filter_row = Isa<filter_row>::run,
        .memory_blend = memory_blends(),
        .wide = wide,
    };
};

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
