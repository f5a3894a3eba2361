// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include <immintrin.h>

#include "kernels_inner.hpp"
#include "render/isa.hpp"

namespace pixmill::vivante::vg {

namespace {

[[gnu::target("avx2")]] __m256i load(const uint32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// Compilers make no gathers of bytes' addresses. What is outside reads the first texel.
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

constexpr Kernels with_gather() {
    Kernels all = inner::Tables<render::Avx2>::kernels;
    all.gather = gather;
    return all;
}

} // namespace

const Kernels& avx2_kernels() {
    static constexpr Kernels all = with_gather();
    return all;
}

} // namespace pixmill::vivante::vg
#endif
