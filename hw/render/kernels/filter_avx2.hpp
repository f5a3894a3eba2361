// The loops of filter_inner.hpp with AVX2's multiply-add of 16-bit pairs, which compilers do not
// generate for them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <immintrin.h>

#include "filter_inner.hpp"

namespace pixmill::render::inner {

// Internal linkage, as in cpu_dispatch.hpp.
namespace {

#define PIXMILL_AVX2 [[gnu::target("avx2")]]

template<class Vector>
const Vector* at(const void* address) {
    return static_cast<const Vector*>(address);
}

/// Filters eight columns at a time, four in each half of a vector.
PIXMILL_AVX2 void filter_column_avx2(const FilterTaps& taps, Row out, const ConstRow (&rows)[9],
                                     size_t count) {
    constexpr size_t group = 8;
    if (count < group)
        return filter_column(taps, out, rows, count);
    const __m256i zero = _mm256_setzero_si256();
    for (size_t next = 0; next < count; next += group) {
        const size_t x = std::min(next, count - group); // the last group may overlap the one before
        __m256i sum[4];
        std::fill_n(sum, 4, _mm256_set1_epi32(filter_half));
#pragma GCC unroll 5
        for (unsigned i = 0; i < 5; i++) {
            const __m256i k = _mm256_broadcastsi128_si256(
                _mm_load_si128(at<__m128i>(taps.pair[FilterTaps::place(i)])));
            const __m256i a = _mm256_loadu_si256(at<__m256i>(rows[2 * i] + x));
            const __m256i b = i < 4 ? _mm256_loadu_si256(at<__m256i>(rows[2 * i + 1] + x)) : zero;
            const __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
            const __m256i pairs[4] = {
                _mm256_unpacklo_epi8(low, zero), _mm256_unpackhi_epi8(low, zero),
                _mm256_unpacklo_epi8(high, zero), _mm256_unpackhi_epi8(high, zero)};
#pragma GCC unroll 4
            for (unsigned j = 0; j < 4; j++)
                sum[j] = _mm256_add_epi32(sum[j], _mm256_madd_epi16(pairs[j], k));
        }
#pragma GCC unroll 4
        for (__m256i& pixel : sum)
            pixel = _mm256_srai_epi32(pixel, filter_shift);
        const __m256i pixels = _mm256_packus_epi16(_mm256_packs_epi32(sum[0], sum[1]),
                                                   _mm256_packs_epi32(sum[2], sum[3]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x), pixels);
    }
}

/// Returns the rounded channels of one output.
PIXMILL_AVX2 [[gnu::always_inline]] inline __m128i filtered_avx2(const FilterTaps& taps,
                                                                 ConstRow from) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i interleave = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
    const __m256i pairs = _mm256_shuffle_epi8(_mm256_loadu_si256(at<__m256i>(from)), interleave);
    const __m256i eight =
        _mm256_add_epi32(_mm256_madd_epi16(_mm256_unpacklo_epi8(pairs, zero),
                                           _mm256_load_si256(at<__m256i>(taps.pair[0]))),
                         _mm256_madd_epi16(_mm256_unpackhi_epi8(pairs, zero),
                                           _mm256_load_si256(at<__m256i>(taps.pair[2]))));
    const __m128i ninth = _mm_madd_epi16(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(int(from[8]))),
                                         _mm_load_si128(at<__m128i>(taps.pair[4])));
    const __m128i sum = _mm_add_epi32(
        _mm_add_epi32(_mm256_castsi256_si128(eight), ninth),
        _mm_add_epi32(_mm256_extracti128_si256(eight, 1), _mm_set1_epi32(filter_half)));
    return _mm_srai_epi32(sum, filter_shift);
}

PIXMILL_AVX2 void filter_row_avx2(const FilterTaps* taps, Row out, ConstRow line,
                                  const int32_t* first, const uint8_t* phase, size_t count) {
    constexpr size_t group = 4;
    size_t x = 0;
    for (; x + group <= count; x += group) {
        __m128i pixel[group];
#pragma GCC unroll 4
        for (size_t i = 0; i < group; i++)
            pixel[i] = filtered_avx2(taps[phase[x + i]], line + first[x + i]);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + x),
                         _mm_packus_epi16(_mm_packs_epi32(pixel[0], pixel[1]),
                                          _mm_packs_epi32(pixel[2], pixel[3])));
    }
    filter_row(taps, out + x, line, first + x, phase + x, count - x);
}

#undef PIXMILL_AVX2

} // namespace

} // namespace pixmill::render::inner
