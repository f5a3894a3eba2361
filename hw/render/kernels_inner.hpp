// The loops behind kernels.hpp, for any instruction set: the function that they
// are inlined into decides. Nothing here may call what is not inlined into it,
// other than the C library.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include "kernels.hpp"

namespace pixmill::render::inner {

static_assert(std::endian::native == std::endian::little, "pixels are little-endian words");

#define PIXMILL_INNER [[gnu::always_inline]] inline

/// A word of pixels anywhere in memory.
template<class T>
struct Anywhere {
    using type [[gnu::aligned(1), gnu::may_alias]] = T;
};
template<class T>
using In = const typename Anywhere<T>::type*;
template<class T>
using Out = typename Anywhere<T>::type*;

// ---- Raster operations on bytes ----------------------------------------------

PIXMILL_INNER uint64_t twice(uint32_t word) {
    return uint64_t(word) << 32 | word;
}

template<bool UsesD, bool UsesS>
PIXMILL_INNER void rop(const RopTerms& terms, std::byte* destination, const std::byte* source,
                       size_t length) {
    const uint64_t k = twice(terms.constant), kd = twice(terms.destination),
                   ks = twice(terms.source), kds = twice(terms.both);
    const size_t words = length / 8;
    const auto d = Out<uint64_t>(destination);
    const auto s = In<uint64_t>(source);
    for (size_t i = 0; i < words; i++) {
        uint64_t result = k;
        if constexpr (UsesD)
            result ^= d[i] & kd;
        if constexpr (UsesS)
            result ^= s[i] & ks;
        if constexpr (UsesD && UsesS)
            result ^= d[i] & s[i] & kds;
        d[i] = result;
    }
    for (size_t i = words * 8; i < length; i++) {
        const unsigned lane = i % 8 * 8;
        uint64_t result = k >> lane;
        if constexpr (UsesD)
            result ^= uint64_t(destination[i]) & kd >> lane;
        if constexpr (UsesS)
            result ^= uint64_t(source[i]) & ks >> lane;
        if constexpr (UsesD && UsesS)
            result ^= uint64_t(destination[i]) & uint64_t(source[i]) & kds >> lane;
        destination[i] = std::byte(result);
    }
}

#ifdef __x86_64__
/// x86 stores long strings without reading the cache lines that they overwrite.
PIXMILL_INNER void fill_long(std::byte* destination, uint64_t word, size_t words) {
    asm volatile("rep stosq" : "+D"(destination), "+c"(words) : "a"(word) : "memory");
}
constexpr size_t long_fill = 2048;
#endif

PIXMILL_INNER void fill(const RopTerms& terms, std::byte* destination, const std::byte* source,
                        size_t length) {
    if (terms.constant == (terms.constant & 0xFF) * 0x01010101u) {
        std::memset(destination, int(terms.constant & 0xFF), length);
        return;
    }
#ifdef __x86_64__
    if (length >= long_fill) {
        const size_t words = length / 8;
        fill_long(destination, twice(terms.constant), words);
        destination += words * 8;
        length -= words * 8;
    }
#endif
    rop<false, false>(terms, destination, source, length);
}

/// memmove, because two addresses of a guest may be the same host memory.
PIXMILL_INNER void copy(const RopTerms&, std::byte* destination, const std::byte* source,
                        size_t length) {
    std::memmove(destination, source, length);
}

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

/// The same with all constants known to the compiler.
template<class Pixel, Codec Known>
PIXMILL_INNER void unpack_known(const Codec&, uint32_t* __restrict to, const std::byte* from,
                                size_t count) {
    unpack<Pixel>(Known, to, from, count);
}

template<class Pixel, Codec Known>
PIXMILL_INNER void pack_known(const Codec&, std::byte* __restrict to, const uint32_t* from,
                              size_t count) {
    pack<Pixel>(Known, to, from, count);
}

/// Pixels that are worked on as they are.
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

// ---- Tables ------------------------------------------------------------------

/// The formats that get conversions of their own: those that screens and drivers use.
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

/// Kernels with every loop inlined into a function of `Isa`: a template
/// Isa<loop> that has a static function run() of the loop's type.
template<template<auto> class Isa>
struct Tables {
    template<size_t... Index>
    static constexpr auto convert(std::index_sequence<Index...>) {
        return std::array{Conversion{
            known[Index], Isa<unpack_known<PixelOf<known[Index].bits>, Codec(known[Index])>>::run,
            Isa<pack_known<PixelOf<known[Index].bits>, Codec(known[Index])>>::run}...};
    }

    static constexpr auto conversions = convert(std::make_index_sequence<std::size(known)>());

    static constexpr Kernels kernels = {
        .fill = Isa<fill>::run,
        .copy = Isa<copy>::run,
        .map = Isa<rop<false, true>>::run,
        .modify = Isa<rop<true, false>>::run,
        .rop3 = Isa<rop<true, true>>::run,
        .fetch_raw = {Isa<fetch_raw<uint8_t>>::run, Isa<fetch_raw<uint16_t>>::run,
                      Isa<fetch_raw<uint32_t>>::run},
        .unpack_any = {Isa<unpack<uint8_t>>::run, Isa<unpack<uint16_t>>::run,
                       Isa<unpack<uint32_t>>::run},
        .store_raw = {Isa<store_raw<uint8_t>>::run, Isa<store_raw<uint16_t>>::run,
                      Isa<store_raw<uint32_t>>::run},
        .pack_any = {Isa<pack<uint8_t>>::run, Isa<pack<uint16_t>>::run, Isa<pack<uint32_t>>::run},
        .conversions = conversions,
    };
};

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
