// SPDX-License-Identifier: GPL-2.0-or-later
#include "alpha.hpp"

#include <array>
#include <utility>

#include "fields.hpp"
#include "render/cpu_dispatch.hpp"
#include "render/kernels/blend_inner.hpp"

namespace pixmill::geode {

using namespace render::inner; // vectors of eight pixels

#define PIXMILL_INNER [[gnu::always_inline]] inline

AlphaMode::AlphaMode(uint32_t word)
    : equation(Equation(raster_mode::equation(word))),
      select(AlphaSelect(raster_mode::alpha_select(word))),
      constant(uint8_t(raster_mode::rop(word))),
      destination_is_a(raster_mode::channel_select(word)) {
    constexpr uint32_t by_enable[] = {0, 0x00FFFFFF, 0xFF000000, 0xFFFFFFFF};
    blended = by_enable[raster_mode::enable(word)];
}

namespace {

// The equation and the source of the factor are template arguments, so that each combination
// compiles to a dedicated loop.

template<AlphaSelect select>
PIXMILL_INNER void choose_factor(const AlphaMode& mode, Eight& factor, const Eight& a,
                                 const Eight& b, const render::inner::Words8& channel3) {
    Lanes alpha = Lanes{} + 255;
    Eight own;
    switch (select) {
    case AlphaSelect::alpha_a:
        spread_alpha(alpha, a);
        break;
    case AlphaSelect::alpha_b:
        spread_alpha(alpha, b);
        break;
    case AlphaSelect::constant:
        alpha = Lanes{} + uint16_t(mode.constant);
        break;
    case AlphaSelect::color_a:
        factor = a;
        return;
    case AlphaSelect::color_b:
        factor = b;
        return;
    case AlphaSelect::channel3:
        split(own, channel3);
        spread_alpha(alpha, own);
        break;
    case AlphaSelect::one:
    case AlphaSelect::also_one:
        break;
    }
    everywhere(factor, alpha);
}

PIXMILL_INNER void inverse(Eight& factor) {
    factor.even = 255 - factor.even;
    factor.odd = 255 - factor.odd;
}

/// Computes the equations other than a_plus_b.
template<Equation equation>
PIXMILL_INNER void equate(Eight& a, Eight& b, Eight& factor) {
    if (equation == Equation::a || equation == Equation::both)
        multiply(a, factor);
    if (equation == Equation::a)
        return;
    inverse(factor);
    multiply(b, factor);
    if (equation == Equation::b) {
        a = b;
        return;
    }
    render::inner::add_clamped(a.even, b.even);
    render::inner::add_clamped(a.odd, b.odd);
}

/// Computes A + B * (1 - factor), which is A + B if the factor is the constant 0.
template<AlphaSelect select>
PIXMILL_INNER void add_rest(const AlphaMode& mode, Words8& out, const Words8& word_a,
                            const Words8& word_b, Eight& b, Eight& factor) {
    Words8 rest = word_b;
    if (select != AlphaSelect::constant || mode.constant) {
        inverse(factor);
        multiply(b, factor);
        join(rest, b);
    }
    typedef uint8_t Bytes __attribute__((vector_size(32)));
    const Bytes more = (Bytes)rest, room = ~more, from = (Bytes)word_a;
    out = (Words8)((from < room ? from : room) + more);
}

/// Blends eight pixels. `whole` means that the equation applies to all channels.
template<Equation equation, AlphaSelect select, bool whole>
PIXMILL_INNER void blend_eight(const AlphaMode& mode, Words8& out, const Words8& word_a,
                               const Words8& word_b, const Words8& channel3) {
    Eight a, b, factor;
    split(a, word_a);
    split(b, word_b);
    choose_factor<select>(mode, factor, a, b, channel3);
    if (equation == Equation::a_plus_b) {
        add_rest<select>(mode, out, word_a, word_b, b, factor);
    } else {
        equate<equation>(a, b, factor);
        join(out, a);
    }
    if (whole)
        return;
    const Words8& kept = equation == Equation::b ? word_b : word_a;
    out = (out & mode.blended) | (kept & ~mode.blended);
}

/// Blends up to eight `pixels` from memory to memory.
template<Equation equation, AlphaSelect select, bool whole>
PIXMILL_INNER void blend_pixels(const AlphaMode& mode, render::Row out, render::ConstRow a,
                                render::ConstRow b, render::ConstRow channel3, size_t pixels) {
    Words8 word_a{}, word_b{}, own{}, result;
    load(word_a, a, pixels);
    load(word_b, b, pixels);
    if (select == AlphaSelect::channel3)
        load(own, channel3, pixels);
    blend_eight<equation, select, whole>(mode, result, word_a, word_b, own);
    std::memcpy(out, &result, 4 * pixels);
}

template<Equation equation, AlphaSelect select, bool whole>
PIXMILL_INNER void blend_row(const AlphaMode& given, render::Row out, render::ConstRow a,
                             render::ConstRow b, render::ConstRow channel3, size_t count) {
    const AlphaMode mode = given;
    size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        blend_pixels<equation, select, whole>(mode, out + i, a + i, b + i, channel3 + i, lanes);
    if (i < count)
        blend_pixels<equation, select, whole>(mode, out + i, a + i, b + i, channel3 + i, count - i);
}

template<Equation equation, AlphaSelect select, bool whole>
PIXMILL_INNER void blend_all(const AlphaMode& mode, const AlphaRows& given) {
    AlphaRows row = given;
    for (uint32_t i = 0; i < given.rows; i++) {
        blend_row<equation, select, whole>(mode, row.out, row.a.words, row.b.words,
                                           row.channel3.words, row.count);
        row.out += row.pitch;
        row.a.words += row.a.pitch;
        row.b.words += row.b.pitch;
        row.channel3.words += row.channel3.pitch;
    }
}

template<Equation equation, AlphaSelect select>
PIXMILL_INNER void blend_rows(const AlphaMode& mode, const AlphaRows& rows) {
    if (mode.blended == 0xFFFFFFFF)
        blend_all<equation, select, true>(mode, rows);
    else
        blend_all<equation, select, false>(mode, rows);
}

constexpr size_t selects = 8, modes = 4 * selects;

template<template<auto> class Isa, size_t... number>
constexpr std::array<AlphaKernel, modes> kernels(std::index_sequence<number...>) {
    return {Isa<blend_rows<Equation(number / selects), AlphaSelect(number % selects)>>::run...};
}

} // namespace

#undef PIXMILL_INNER

AlphaKernel alpha_kernel(const AlphaMode& mode) {
    static constexpr auto baseline = kernels<render::Baseline>(std::make_index_sequence<modes>());
    const size_t number = size_t(mode.equation) * selects + size_t(mode.select);
#ifdef __x86_64__
    static constexpr auto avx2 = kernels<render::Avx2>(std::make_index_sequence<modes>());
    if (render::use_avx2())
        return avx2[number];
#endif
    return baseline[number];
}

} // namespace pixmill::geode
