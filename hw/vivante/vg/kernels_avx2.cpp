// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels_inner.hpp"
#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante::vg {

namespace {

[[gnu::target("avx2")]] __m256i load(const uint32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// Gathers texels with AVX2, because compilers do not generate gathers from byte addresses. Lanes
/// outside the source read the first texel and discard it.
[[gnu::target("avx2")]] void gather(const Texels& texels, const uint32_t* column,
                                    const uint32_t* row, uint32_t* to, size_t count) {
    const __m256i none = _mm256_set1_epi32(int(texels.none)), all = _mm256_set1_epi32(-1);
    const __m256i stride = _mm256_set1_epi32(int(texels.stride));
    const __m256i filler = _mm256_set1_epi32(int(texels.filler));
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i x = load(column + i), y = load(row + i);
        const __m256i out = _mm256_or_si256(_mm256_cmpeq_epi32(x, all), _mm256_cmpeq_epi32(y, all));
        const __m256i place = _mm256_andnot_si256(
            out, _mm256_add_epi32(_mm256_mullo_epi32(y, stride), _mm256_slli_epi32(x, 2)));
        const __m256i words =
            _mm256_i32gather_epi32(reinterpret_cast<const int*>(texels.base), place, 1);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                            _mm256_blendv_epi8(_mm256_or_si256(words, filler), none, out));
    }
    baseline_kernels().gather(texels, column + i, row + i, to + i, count - i);
}

/// Replaces the portable find_along(), because compilers need more instructions to round down.
/// Including the factor 256 in the scale does not change the rounding of the product.
[[gnu::target("avx2")]] void find_along(const Linear& line, uint32_t x, uint32_t y, double scale,
                                        int32_t* to, size_t count) {
    size_t i = 0;
    if (inner::all_valid(line, x, y, scale, count)) {
        const __m256d constant = _mm256_set1_pd(line.constant), per_x = _mm256_set1_pd(line.x);
        const __m256d of_y = _mm256_set1_pd(y * line.y), factor = _mm256_set1_pd(scale * 256);
        const __m256d half = _mm256_set1_pd(0.5), four = _mm256_set1_pd(4);
        __m256d at = _mm256_add_pd(_mm256_set1_pd(x), _mm256_set_pd(3, 2, 1, 0));
        for (; i + 4 <= count; i += 4, at = _mm256_add_pd(at, four)) {
            const __m256d along =
                _mm256_add_pd(_mm256_add_pd(constant, _mm256_mul_pd(at, per_x)), of_y);
            const __m256d fixed = _mm256_add_pd(_mm256_mul_pd(along, factor), half);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                             _mm256_cvttpd_epi32(_mm256_floor_pd(fixed)));
        }
    }
    if (i < count)
        inner::Tables<render::Avx2>::kernels.find_along(line, x + uint32_t(i), y, scale, to + i,
                                                        count - i);
}

/// Uses rep stosl for long fills, because it does not read the cache lines that it overwrites.
void fill_words(std::byte* words, uint32_t word, size_t count) {
    constexpr size_t long_run = 1024;
    if (count < long_run)
        inner::Tables<render::Avx2>::kernels.fill_words(words, word, count);
    else
        asm volatile("rep stosl" : "+D"(words), "+c"(count) : "a"(word) : "memory");
}

constexpr Kernels with_own_loops() {
    Kernels all = inner::Tables<render::Avx2>::kernels;
    all.gather = gather;
    all.find_along = find_along;
    all.fill_words = fill_words;
    return all;
}

} // namespace

const Kernels& avx2_kernels() {
    static constexpr Kernels all = with_own_loops();
    return all;
}

} // namespace pixmill::vivante::vg
#endif
