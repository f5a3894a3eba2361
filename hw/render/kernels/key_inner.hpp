// Color keys. See kernels_inner.hpp.
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

template<class Vector>
PIXMILL_INNER bool any(const Vector& vector) {
    uint64_t bits[4];
    std::memcpy(bits, &vector, sizeof bits);
    return bits[0] | bits[1] | bits[2] | bits[3];
}

/// Sets words of *inside to all ones where pixels are inside the key. The result is not a return
/// value, because the ABI for returning vectors depends on whether the target has them.
template<class Pixel, unsigned Fields, class Vector>
PIXMILL_INNER void find_inside(const KeyTest& t, const Vector& pixels, Vector* inside) {
    *inside = ~Vector{};
#pragma GCC unroll 4
    for (unsigned f = 0; f < Fields; f++)
        *inside &= (Vector)((pixels & Pixel(t.field[f].mask)) - Pixel(t.field[f].low) <=
                            Pixel(t.field[f].span));
}

/// Stores the pixels whose word in `skip` is 0, out of `count` pixels. Pixels whose word is all
/// ones are stored to a dummy instead, because a branch would often be mispredicted. The dummy is a
/// separate object, so addresses are computed as integers.
template<unsigned Bytes, class Skip>
PIXMILL_INNER void store_some(std::byte* to, const void* pixels, In<Skip> skip, size_t count) {
    const auto* const from = static_cast<const std::byte*>(pixels);
    std::byte elsewhere[Bytes];
    const auto out = reinterpret_cast<uintptr_t>(to),
               sink = reinterpret_cast<uintptr_t>(&elsewhere);
#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++) {
        const auto skipped = uintptr_t(intptr_t(std::make_signed_t<Skip>(skip[i])));
        const uintptr_t at = out + i * Bytes;
        std::memcpy(reinterpret_cast<void*>(at ^ ((at ^ sink) & skipped)), from + i * Bytes, Bytes);
    }
}

template<class Pixel, unsigned Fields>
PIXMILL_INNER void copy_outside_fields(const KeyTest& test, std::byte* to, const std::byte* from,
                                       size_t count) {
    using Vector = typename Vector32<Pixel>::type;
    constexpr size_t vectors = 4, pixels = 32 / sizeof(Pixel);
    const KeyTest t = test;
    size_t done = 0;
    for (; done + vectors * pixels <= count; done += vectors * pixels) {
        Vector line[vectors], skip[vectors], all{};
#pragma GCC unroll 4
        for (size_t i = 0; i < vectors; i++) {
            std::memcpy(&line[i], from + (done + i * pixels) * sizeof(Pixel), sizeof line[i]);
            find_inside<Pixel, Fields>(t, line[i], &skip[i]);
            all |= skip[i];
        }
        const bool mixed = any(all);
#pragma GCC unroll 4
        for (size_t i = 0; i < vectors; i++) {
            std::byte* const place = to + (done + i * pixels) * sizeof(Pixel);
            if (!mixed || !any(skip[i]))
                std::memcpy(place, &line[i], sizeof line[i]);
            else if (const Vector kept = ~skip[i]; any(kept)) // often no pixel is
                store_some<sizeof(Pixel), Pixel>(place, &line[i], In<Pixel>(&skip[i]), pixels);
        }
    }
    for (size_t step; done < count; done += step) {
        step = count - done < pixels ? count - done : pixels;
        Vector line{}, skip;
        std::memcpy(&line, from + done * sizeof(Pixel), step * sizeof(Pixel));
        find_inside<Pixel, Fields>(t, line, &skip);
        store_some<sizeof(Pixel), Pixel>(to + done * sizeof(Pixel), &line, In<Pixel>(&skip), step);
    }
}

/// Calls `loop` with the number of fields as a constant, so that loops over the fields are
/// unrolled.
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
PIXMILL_INNER void copy_outside(const KeyTest& test, std::byte* to, const std::byte* from,
                                size_t count) {
    with_fields(
        test, [&](auto fields) __attribute__((always_inline)) {
            copy_outside_fields<Pixel, fields>(test, to, from, count);
        });
}

template<class Pixel>
PIXMILL_INNER void merge(std::byte* to, const std::byte* from, ConstRow transparent, size_t count) {
    constexpr size_t bytes = sizeof(Pixel), group = 8;
    size_t i = 0;
    for (; i + group <= count; i += group) {
        Words8 skip;
        std::memcpy(&skip, transparent + i, sizeof skip);
        if (!any(skip))
            std::memcpy(to + i * bytes, from + i * bytes, group * bytes);
        else if (const Words8 kept = ~skip; any(kept))
            store_some<bytes, uint32_t>(to + i * bytes, from + i * bytes, transparent + i, group);
    }
    store_some<bytes, uint32_t>(to + i * bytes, from + i * bytes, transparent + i, count - i);
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
