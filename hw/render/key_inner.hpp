// Colour keys. See kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>
#include <type_traits>

#include "words_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

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

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
