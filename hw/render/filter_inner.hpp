// Weighted sums of nine pixels. See kernels_inner.hpp.
//
// x86 has an instruction for this: pairs of 16-bit products, added. It is part of SSE2, which
// every x86-64 has; the compiler does not find it for these loops.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "kernels.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

constexpr int32_t filter_half = 0x2000, filter_shift = 14;

#ifdef __x86_64__

/// Taps 2i and 2i + 1, for every channel.
PIXMILL_INNER __m128i tap_pair(const FilterTaps& taps, unsigned i) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(taps.pair[i]));
}

PIXMILL_INNER __m128i four_pixels(ConstRow row) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(row));
}

/// The four channels of one pixel from sums of 32 bits, in the lowest four bytes.
PIXMILL_INNER __m128i rounded(__m128i sum) {
    const __m128i shifted =
        _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(filter_half)), filter_shift);
    return _mm_packs_epi32(shifted, shifted);
}

PIXMILL_INNER void filter_column(const FilterTaps& taps, Row out, const ConstRow (&rows)[9],
                                 size_t count) {
    const __m128i zero = _mm_setzero_si128();
    // Whole groups of four only: rows end where their pixels end.
    size_t x = 0;
    for (; x + 4 <= count; x += 4) {
        __m128i sum[4] = {zero, zero, zero, zero}; // of a pixel each
        for (unsigned i = 0; i < 5; i++) {
            const __m128i k = tap_pair(taps, i);
            const __m128i a = four_pixels(rows[2 * i] + x);
            const __m128i b = i < 4 ? four_pixels(rows[2 * i + 1] + x) : zero;
            const __m128i low = _mm_unpacklo_epi8(a, b), high = _mm_unpackhi_epi8(a, b);
            sum[0] = _mm_add_epi32(sum[0], _mm_madd_epi16(_mm_unpacklo_epi8(low, zero), k));
            sum[1] = _mm_add_epi32(sum[1], _mm_madd_epi16(_mm_unpackhi_epi8(low, zero), k));
            sum[2] = _mm_add_epi32(sum[2], _mm_madd_epi16(_mm_unpacklo_epi8(high, zero), k));
            sum[3] = _mm_add_epi32(sum[3], _mm_madd_epi16(_mm_unpackhi_epi8(high, zero), k));
        }
        const __m128i first = _mm_unpacklo_epi64(rounded(sum[0]), rounded(sum[1]));
        const __m128i second = _mm_unpacklo_epi64(rounded(sum[2]), rounded(sum[3]));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + x), _mm_packus_epi16(first, second));
    }
    for (; x < count; x++) {
        __m128i sum = zero;
        for (unsigned i = 0; i < 5; i++) {
            const __m128i a = _mm_cvtsi32_si128(int(rows[2 * i][x]));
            const __m128i b = i < 4 ? _mm_cvtsi32_si128(int(rows[2 * i + 1][x])) : zero;
            const __m128i pair = _mm_unpacklo_epi8(_mm_unpacklo_epi8(a, b), zero);
            sum = _mm_add_epi32(sum, _mm_madd_epi16(pair, tap_pair(taps, i)));
        }
        const __m128i packed = rounded(sum);
        out[x] = uint32_t(_mm_cvtsi128_si32(_mm_packus_epi16(packed, packed)));
    }
}

/// Sum of four pixels, beginning with `pixels`, times the tap pairs `i` and `i` + 1.
PIXMILL_INNER __m128i sum_of_four(const FilterTaps& taps, unsigned i, __m128i pixels) {
    const __m128i zero = _mm_setzero_si128(), next = _mm_srli_si128(pixels, 4);
    const __m128i first = _mm_unpacklo_epi8(_mm_unpacklo_epi8(pixels, next), zero);
    const __m128i second = _mm_unpacklo_epi8(_mm_unpackhi_epi8(pixels, next), zero);
    return _mm_add_epi32(_mm_madd_epi16(first, tap_pair(taps, i)),
                         _mm_madd_epi16(second, tap_pair(taps, i + 1)));
}

PIXMILL_INNER void filter_row(const FilterTaps* taps, Row out, ConstRow line, const int32_t* first,
                              const uint8_t* phase, size_t count) {
    const __m128i zero = _mm_setzero_si128();
    for (size_t x = 0; x < count; x++) {
        const FilterTaps& k = taps[phase[x]];
        const ConstRow from = line + first[x];
        const __m128i last =
            _mm_unpacklo_epi8(_mm_unpacklo_epi8(_mm_cvtsi32_si128(int(from[8])), zero), zero);
        const __m128i sum = _mm_add_epi32(_mm_add_epi32(sum_of_four(k, 0, four_pixels(from)),
                                                        sum_of_four(k, 2, four_pixels(from + 4))),
                                          _mm_madd_epi16(last, tap_pair(k, 4)));
        const __m128i packed = rounded(sum);
        out[x] = uint32_t(_mm_cvtsi128_si32(_mm_packus_epi16(packed, packed)));
    }
}

#else

PIXMILL_INNER uint32_t rounded(int32_t sum) {
    const int32_t value = (sum + filter_half) >> filter_shift;
    return uint32_t(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// The weighted sum of nine pixels; `pixel(k)` gives them.
template<class Pixel>
PIXMILL_INNER uint32_t weighted(const FilterTaps& taps, Pixel pixel) {
    int32_t sum[4] = {};
    for (unsigned k = 0; k < 9; k++) {
        const uint32_t value = pixel(k);
        for (unsigned channel = 0; channel < 4; channel++)
            sum[channel] += taps[k] * int32_t(value >> 8 * channel & 0xFF);
    }
    return rounded(sum[0]) | rounded(sum[1]) << 8 | rounded(sum[2]) << 16 | rounded(sum[3]) << 24;
}

PIXMILL_INNER void filter_column(const FilterTaps& taps, Row out, const ConstRow (&rows)[9],
                                 size_t count) {
    for (size_t x = 0; x < count; x++)
        out[x] = weighted(taps, [&](unsigned k) { return rows[k][x]; });
}

PIXMILL_INNER void filter_row(const FilterTaps* taps, Row out, ConstRow line, const int32_t* first,
                              const uint8_t* phase, size_t count) {
    for (size_t x = 0; x < count; x++)
        out[x] = weighted(taps[phase[x]], [&](unsigned k) { return line[first[x] + int32_t(k)]; });
}

#endif

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
