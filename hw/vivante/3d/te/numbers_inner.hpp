// Arithmetic of the texture units' loops that GCC makes vectors of.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace pixmill::vivante::te::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

// Conversions to integers only see what fits; what is no number fails a comparison before. With ?:
// of floats GCC makes branches, and no vectors.

/// All bits or none.
PIXMILL_INNER uint32_t mask_of(bool condition) {
    return 0u - uint32_t(condition);
}
/// a or b.
PIXMILL_INNER float pick_by(uint32_t mask, float a, float b) {
    return std::bit_cast<float>((std::bit_cast<uint32_t>(a) & mask) |
                                (std::bit_cast<uint32_t>(b) & ~mask));
}
PIXMILL_INNER float pick(bool first, float a, float b) {
    return pick_by(mask_of(first), a, b);
}
PIXMILL_INNER float larger(float a, float b) {
    return pick(a > b, a, b); // b, if a is no number
}
PIXMILL_INNER float smaller(float a, float b) {
    return pick(a < b, a, b);
}
/// Of |v| < 2^31.
PIXMILL_INNER int32_t floor_of(float v) {
    const auto t = int32_t(v);
    return t - int32_t(float(t) > v);
}
/// v, or 0 where it has no fraction or is no number.
PIXMILL_INNER float with_fraction(float v) {
    return pick((v < 0x1p23f) & (v > -0x1p23f), v, 0.0f);
}

/// log2(1 + t) / t between the square roots of 1/2 and 2, error 2^-17.9: Chebyshev nodes.
constexpr float log_terms[] = {1.44270039f,   -0.721195757f, 0.479925573f,
                               -0.366925776f, 0.316898197f,  -0.202289268f};

/// log2 of v >= 0; exact at powers of two. About -127 of 0.
PIXMILL_INNER float log2_of(float v) {
    const auto bits = std::bit_cast<uint32_t>(v);
    const uint32_t mantissa = bits & 0x7FFFFF;
    const uint32_t upper = mantissa > 0x3504F3 ? 1 : 0; // above the square root of 2: halved
    const float t = std::bit_cast<float>(mantissa | (127 - upper) << 23) - 1.0f;
    const auto exponent = int32_t(bits >> 23) - 127 + int32_t(upper);
    float p = log_terms[5];
    for (int i = 4; i >= 0; i--)
        p = p * t + log_terms[i];
    return float(exponent) + p * t;
}

} // namespace pixmill::vivante::te::inner
