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

/// A word of pixels anywhere in memory.
template<class T>
struct Anywhere {
    using type [[gnu::aligned(1), gnu::may_alias]] = T;
};
template<class T>
using In = const typename Anywhere<T>::type*;
template<class T>
using Out = typename Anywhere<T>::type*;

} // namespace pixmill::render::inner

#include "blend_inner.hpp"
#include "filter_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

// ---- Raster operations on bytes ----------------------------------------------

/// Terms of as many bytes as a word of any type has.
template<class Word>
struct SpanTerms {
    Word constant, destination, source, both;

    PIXMILL_INNER SpanTerms(const RopRow& row, size_t first_byte) {
        load(constant, row.constant, first_byte);
        load(destination, row.destination, first_byte);
        load(source, row.source, first_byte);
        load(both, row.both, first_byte);
    }
    PIXMILL_INNER static void load(Word& word, const RopRow::Term& term, size_t first_byte) {
        std::memcpy(&word, reinterpret_cast<const std::byte*>(term.data()) + first_byte,
                    sizeof word);
    }
};

/// The word at byte `i`.
template<bool UsesD, bool UsesS, class Word>
PIXMILL_INNER void rop_word(const SpanTerms<Word>& terms, std::byte* destination,
                            const std::byte* source, size_t i) {
    Word d{}, s{}, result = terms.constant;
    if constexpr (UsesD) {
        std::memcpy(&d, destination + i, sizeof d);
        result ^= d & terms.destination;
    }
    if constexpr (UsesS) {
        std::memcpy(&s, source + i, sizeof s);
        result ^= s & terms.source;
    }
    if constexpr (UsesD && UsesS)
        result ^= d & s & terms.both;
    std::memcpy(destination + i, &result, sizeof result);
}

/// A span whose fields have been loaded one by one. A copy in one go would load what has just been
/// stored one by one, which the processor delays until all stores before, a page of pixels, are
/// done. Null pointers of what comes next have become those of what is worked on.
struct Loaded {
    std::byte* const destination;
    const std::byte* const source;
    const size_t length, phase;
    const std::byte *const next_destination, *const next_source;

    PIXMILL_INNER explicit Loaded(const ByteSpan& s)
        : destination(s.destination), source(s.source), length(s.length), phase(s.phase),
          next_destination(s.next_destination ? s.next_destination : destination),
          next_source(s.next_source ? s.next_source : source) {}
};

/// Takes a line of what comes next to the cache. To find a page costs the processor the time of a
/// thousand bytes, and only within it does it read ahead by itself.
template<bool UsesS>
PIXMILL_INNER void expect_next(const Loaded& span, size_t i) {
    __builtin_prefetch(span.next_destination + i, 1);
    if constexpr (UsesS)
        __builtin_prefetch(span.next_source + i);
}

template<bool UsesD, bool UsesS>
PIXMILL_INNER void rop(const RopRow& row, const ByteSpan& given) {
    constexpr size_t period = RopRow::period, line = 2 * period;
    static_assert(sizeof(Words8) == period);
    const Loaded span(given);
    const SpanTerms<Words8> terms(row, span.phase);
    size_t i = 0;
#pragma GCC unroll 2
    for (; i + line <= span.length; i += line) {
        expect_next<UsesS>(span, i);
        rop_word<UsesD, UsesS>(terms, span.destination, span.source, i);
        rop_word<UsesD, UsesS>(terms, span.destination, span.source, i + period);
    }
    for (; i + 8 <= span.length; i += 8)
        rop_word<UsesD, UsesS>(SpanTerms<uint64_t>(row, span.phase + i % period), span.destination,
                               span.source, i);
    for (; i < span.length; i++)
        rop_word<UsesD, UsesS>(SpanTerms<uint8_t>(row, span.phase + i % period), span.destination,
                               span.source, i);
}

#ifdef __x86_64__
/// x86 stores long strings without reading the cache lines that they overwrite.
PIXMILL_INNER void fill_long(std::byte* destination, uint64_t word, size_t words) {
    asm volatile("rep stosq" : "+D"(destination), "+c"(words) : "a"(word) : "memory");
}
#endif

/// Strings from this length on are left to the processor and to the C library. Both take a while to
/// begin with one, too long for a page.
constexpr size_t long_string = 8192;

PIXMILL_INNER void fill(const RopRow& row, const ByteSpan& span) {
    size_t done = 0;
#ifdef __x86_64__
    if (span.length >= long_string) {
        uint64_t words[RopRow::period / 8];
        std::memcpy(words, reinterpret_cast<const std::byte*>(row.constant.data()) + span.phase,
                    sizeof words);
        const uint64_t word = words[0];
        if (words[1] == word && words[2] == word && words[3] == word) {
            done = span.length / 8 * 8;
            fill_long(span.destination, word, done / 8);
        }
    }
#endif
    if (done)
        rop<false, false>(row, {span.destination + done, nullptr, span.length - done, span.phase});
    else
        rop<false, false>(row, span);
}

/// As memmove, because two addresses of a guest may be the same host memory.
PIXMILL_INNER void copy(const RopRow&, const ByteSpan& given) {
    constexpr size_t short_string = 2048; // the C library is good at these
    const Loaded span(given);
    const bool ahead = size_t(span.destination - span.source) < span.length;
    size_t done = 0;
    if (!ahead && span.length >= short_string && span.length < long_string)
        for (Words8 a, b; done + sizeof a + sizeof b <= span.length; done += sizeof a + sizeof b) {
            expect_next<true>(span, done);
            std::memcpy(&a, span.source + done, sizeof a);
            std::memcpy(&b, span.source + done + sizeof a, sizeof b);
            std::memcpy(span.destination + done, &a, sizeof a);
            std::memcpy(span.destination + done + sizeof a, &b, sizeof b);
        }
    std::memmove(span.destination + done, span.source + done, span.length - done);
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

// ---- Rows of working values --------------------------------------------------

PIXMILL_INNER void rop_row(const RopPolynomial& rop, Row to, ConstRow destination, ConstRow source,
                           ConstRow pattern, size_t count) {
    const RopPolynomial k = rop;
    const auto out = Out<uint32_t>(to);
    const auto d = In<uint32_t>(destination), s = In<uint32_t>(source), p = In<uint32_t>(pattern);
    for (size_t i = 0; i < count; i++) {
        const uint32_t without =
            k.term[0] ^ (k.term[1] & d[i]) ^ (k.term[2] & s[i]) ^ (k.term[3] & d[i] & s[i]);
        const uint32_t with =
            k.term[4] ^ (k.term[5] & d[i]) ^ (k.term[6] & s[i]) ^ (k.term[7] & d[i] & s[i]);
        out[i] = without ^ (with & p[i]);
    }
}

template<class Pixel, unsigned Fields>
PIXMILL_INNER void key_fields(const KeyTest& test, bool outside, std::byte* __restrict transparent,
                              const std::byte* __restrict raw, size_t count) {
    const KeyTest t = test;
    const auto invert = Pixel(outside ? ~0u : 0);
    const auto out = Out<Pixel>(transparent);
    const auto pixels = In<Pixel>(raw);
    for (size_t i = 0; i < count; i++) {
        auto inside = Pixel(~0u);
        for (unsigned f = 0; f < Fields; f++) {
            const auto above = Pixel((pixels[i] & t.field[f].mask) - t.field[f].low);
            inside = Pixel(inside & (above <= Pixel(t.field[f].span) ? ~0u : 0));
        }
        out[i] = Pixel(out[i] | (inside ^ invert));
    }
}

template<class Pixel, unsigned Fields>
PIXMILL_INNER size_t copy_outside_fields(const KeyTest& test, std::byte* to, const std::byte* from,
                                         size_t count) {
    typedef Pixel Vector __attribute__((vector_size(32)));
    constexpr size_t vectors = 4, pixels = 32 / sizeof(Pixel);
    const KeyTest t = test;
    size_t done = 0;
    for (; done + vectors * pixels <= count; done += vectors * pixels) {
        Vector line[vectors], any{};
#pragma GCC unroll 4
        for (size_t i = 0; i < vectors; i++) {
            std::memcpy(&line[i], from + (done + i * pixels) * sizeof(Pixel), sizeof line[i]);
            Vector inside = ~Vector{};
#pragma GCC unroll 4
            for (unsigned f = 0; f < Fields; f++)
                inside &= (Vector)((line[i] & Pixel(t.field[f].mask)) - Pixel(t.field[f].low) <=
                                   Pixel(t.field[f].span));
            any |= inside;
        }
        uint64_t bits[4];
        std::memcpy(bits, &any, sizeof bits);
        if (bits[0] | bits[1] | bits[2] | bits[3])
            break;
#pragma GCC unroll 4
        for (size_t i = 0; i < vectors; i++)
            std::memcpy(to + (done + i * pixels) * sizeof(Pixel), &line[i], sizeof line[i]);
    }
    return done;
}

/// Calls `loop` with the number of the test's fields, for a loop over them to be unrolled.
template<class Loop>
PIXMILL_INNER auto with_fields(const KeyTest& test, Loop loop) {
    switch (test.fields) {
    case 1:
        return loop(std::integral_constant<unsigned, 1>());
    case 2:
        return loop(std::integral_constant<unsigned, 2>());
    case 3:
        return loop(std::integral_constant<unsigned, 3>());
    default:
        return loop(std::integral_constant<unsigned, 4>());
    }
}

template<class Pixel>
PIXMILL_INNER void key(const KeyTest& test, bool outside, std::byte* transparent,
                       const std::byte* raw, size_t count) {
    with_fields(
        test, [&](auto fields) __attribute__((always_inline)) {
            key_fields<Pixel, fields>(test, outside, transparent, raw, count);
        });
}

template<class Pixel>
PIXMILL_INNER size_t copy_outside(const KeyTest& test, std::byte* to, const std::byte* from,
                                  size_t count) {
    return with_fields(
        test, [&](auto fields) __attribute__((always_inline)) {
            return copy_outside_fields<Pixel, fields>(test, to, from, count);
        });
}

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
PIXMILL_INNER void matrix(const ColourMatrix& m, Row pixels, size_t count) {
    const ColourMatrix k = m;
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

PIXMILL_INNER void convert_row(const ColourMatrix& m, Row pixels, size_t count) {
    if (m.clamp)
        matrix<true>(m, pixels, count);
    else
        matrix<false>(m, pixels, count);
}

// ---- Pixels in another order -------------------------------------------------

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

template<class Pixel>
PIXMILL_INNER void reverse(std::byte* __restrict to, const std::byte* from, size_t count) {
    const auto out = Out<Pixel>(to);
    const auto in = In<Pixel>(from);
    for (size_t i = 0; i < count; i++)
        out[i] = in[count - 1 - i];
}

template<class Pixel>
PIXMILL_INNER void column(std::byte* to, size_t pitch, const std::byte* from, const int32_t* index,
                          size_t count) {
    const auto in = In<Pixel>(from);
    for (size_t i = 0; i < count; i++)
        *Out<Pixel>(to + i * pitch) = in[index[i]];
}

/// A row of a tile, in one vector of `Bytes`. What moves pixels within vectors does so within their
/// halves of 16 bytes.
template<class Pixel, unsigned Bytes>
struct TileRow {
    typedef Pixel Half __attribute__((vector_size(16)));
    typedef Pixel type __attribute__((vector_size(Bytes)));
    static constexpr unsigned half = 16 / sizeof(Pixel), pixels = Bytes / sizeof(Pixel);
};

template<class Row, class Half, size_t... I>
PIXMILL_INNER void join(Row& to, const Half& a, const Half& b, std::index_sequence<I...>) {
    to = __builtin_shufflevector(a, b, I...);
}

/// Half a vector from each of the rows that a vector's halves belong to.
template<class Vectors>
PIXMILL_INNER void load_tile_row(typename Vectors::type& row, const std::byte* from,
                                 ptrdiff_t pitch) {
    if constexpr (Vectors::half == Vectors::pixels) {
        std::memcpy(&row, from, sizeof row);
    } else {
        typename Vectors::Half first, second;
        std::memcpy(&first, from, sizeof first);
        std::memcpy(&second, from + Vectors::half * pitch, sizeof second);
        join(row, first, second, std::make_index_sequence<Vectors::pixels>());
    }
}

/// Pixels of two rows in turns, in each half: those that the halves begin with, or the others.
template<bool Others, size_t Half, class Row, size_t... I>
PIXMILL_INNER void interleave(Row& to, const Row& a, const Row& b, std::index_sequence<I...>) {
    constexpr size_t first = Others ? Half / 2 : 0;
    to = __builtin_shufflevector(
        a, b, (I / Half * Half + first + I % Half / 2 + I % 2 * sizeof...(I))...);
}

/// Transposes a tile: its rows are whole vectors, those of the source half ones. To interleave the
/// first half of the rows with the second half shifts a bit of the row's number into the column's.
template<class Pixel, unsigned Bytes>
PIXMILL_INNER void turn_tile(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                             ptrdiff_t from_pitch) {
    using Vectors = TileRow<Pixel, Bytes>;
    constexpr unsigned n = Vectors::half;
    constexpr std::make_index_sequence<Vectors::pixels> all;
    typename Vectors::type rows[n], next[n];
#pragma GCC unroll 16
    for (unsigned i = 0; i < n; i++)
        load_tile_row<Vectors>(rows[i], from + ptrdiff_t(i) * from_pitch, from_pitch);
#pragma GCC unroll 4
    for (unsigned bit = 1; bit < n; bit *= 2) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < n / 2; i++) {
            interleave<false, n>(next[2 * i], rows[i], rows[i + n / 2], all);
            interleave<true, n>(next[2 * i + 1], rows[i], rows[i + n / 2], all);
        }
#pragma GCC unroll 16
        for (unsigned i = 0; i < n; i++)
            rows[i] = next[i];
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i < n; i++)
        std::memcpy(to + ptrdiff_t(i) * to_pitch, &rows[i], sizeof rows[i]);
}

/// Pixels that are left over beside the tiles.
template<class Pixel>
PIXMILL_INNER void turn_rest(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                             ptrdiff_t from_pitch, uint32_t rows, uint32_t columns) {
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            Out<Pixel>(to + ptrdiff_t(r) * to_pitch)[c] =
                In<Pixel>(from + ptrdiff_t(c) * from_pitch)[r];
}

/// Tiles side by side, down all `rows`: along rows of the source. Each of these has a load
/// instruction of its own, for that is what processors foresee the next address by.
template<class Pixel, unsigned Bytes, unsigned Tiles>
PIXMILL_INNER void turn_tiles(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                              ptrdiff_t from_pitch, uint32_t rows) {
    using Vectors = TileRow<Pixel, Bytes>;
    for (uint32_t r = 0; r < rows; r += Vectors::half)
#pragma GCC unroll 4
        for (unsigned i = 0; i < Tiles; i++)
            turn_tile<Pixel, Bytes>(to + r * to_pitch + i * Bytes, to_pitch,
                                    from + i * Vectors::pixels * from_pitch + r * sizeof(Pixel),
                                    from_pitch);
}

template<class Pixel, unsigned Bytes>
PIXMILL_INNER void turn(std::byte* to, size_t to_pitch, const std::byte* from, size_t from_pitch,
                        const Turn& t) {
    constexpr uint32_t size = sizeof(Pixel), line = 64, half = line / 2;
    // The fewer rows are read at a time the better, but where the destination's rows share a set of
    // the cache, their lines have to be complete when they are lost.
    const bool whole_lines = to_pitch % 4096 == 0;
    auto down = ptrdiff_t(to_pitch), along = ptrdiff_t(from_pitch);
    if (t.falling_y) {
        to += ptrdiff_t(t.rows - 1) * down;
        down = -down;
    }
    if (t.falling_x) {
        from += ptrdiff_t(t.columns - 1) * along;
        along = -along;
    }
    const uint32_t rows = t.rows - t.rows % TileRow<Pixel, Bytes>::half;
    uint32_t c = 0;
    for (; whole_lines && c + line / size <= t.columns; c += line / size)
        turn_tiles<Pixel, Bytes, line / Bytes>(to + c * size, down, from + c * along, along, rows);
    for (; c + half / size <= t.columns; c += half / size)
        turn_tiles<Pixel, Bytes, half / Bytes>(to + c * size, down, from + c * along, along, rows);
    turn_rest<Pixel>(to + rows * down, down, from + rows * size, along, t.rows - rows, c);
    turn_rest<Pixel>(to + c * size, down, from + c * along, along, t.rows, t.columns - c);
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
/// Isa<loop> that has a static function run() of the loop's type. `Vector`: bytes of its vectors.
template<template<auto> class Isa, unsigned Vector>
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
        .rop_row = Isa<rop_row>::run,
        .blend = Isa<blend>::run,
        .key = {Isa<key<uint8_t>>::run, Isa<key<uint16_t>>::run, Isa<key<uint32_t>>::run},
        .copy_outside = {Isa<copy_outside<uint8_t>>::run, Isa<copy_outside<uint16_t>>::run,
                         Isa<copy_outside<uint32_t>>::run},
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
        .filter_column = Isa<filter_column>::run,
        .filter_row = Isa<filter_row>::run,
    };
};

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
