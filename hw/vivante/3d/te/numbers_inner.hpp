// Arithmetic for the loops of the texture units, in a form that GCC vectorizes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace pixmill::vivante::te::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

// Values are clamped before they are converted to integers, and comparisons are written so that
// they handle NaNs. GCC compiles ?: on floats to branches, which it does not vectorize.

/// Returns all ones or 0.
PIXMILL_INNER uint32_t mask_of(bool condition) {
    return 0u - uint32_t(condition);
}
/// Returns a where the mask is set, else b.
PIXMILL_INNER float pick_by(uint32_t mask, float a, float b) {
    return std::bit_cast<float>((std::bit_cast<uint32_t>(a) & mask) |
                                (std::bit_cast<uint32_t>(b) & ~mask));
}
PIXMILL_INNER float pick(bool first, float a, float b) {
    return pick_by(mask_of(first), a, b);
}
PIXMILL_INNER float larger(float a, float b) {
    return pick(a > b, a, b); // b if a is NaN
}
PIXMILL_INNER float smaller(float a, float b) {
    return pick(a < b, a, b);
}
/// Requires |v| < 2^31.
PIXMILL_INNER int32_t floor_of(float v) {
    const auto t = int32_t(v);
    return t - int32_t(float(t) > v);
}
/// Returns v, or 0 if it is NaN or too large to have a fraction.
PIXMILL_INNER float with_fraction(float v) {
    return pick((v < 0x1p23f) & (v > -0x1p23f), v, 0.0f);
}

/// log2(1 + t) / t, for 1 + t from sqrt(1/2) to sqrt(2). Chebyshev nodes, error 2^-17.9.
constexpr float log_terms[] = {1.44270039f,   -0.721195757f, 0.479925573f,
                               -0.366925776f, 0.316898197f,  -0.202289268f};

/// Returns log2(v) for v >= 0. Exact for powers of two; about -127 for 0.
PIXMILL_INNER float log2_of(float v) {
    const auto bits = std::bit_cast<uint32_t>(v);
    const uint32_t mantissa = bits & 0x7FFFFF;
    const uint32_t upper = mantissa > 0x3504F3 ? 1 : 0; // above the square root of 2, so halved
    const float t = std::bit_cast<float>(mantissa | (127 - upper) << 23) - 1.0f;
    const auto exponent = int32_t(bits >> 23) - 127 + int32_t(upper);
    float p = log_terms[5];
    for (int i = 4; i >= 0; i--)
        p = p * t + log_terms[i];
    return float(exponent) + p * t;
}

} // namespace pixmill::vivante::te::inner
