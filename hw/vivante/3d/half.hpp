// Half-precision numbers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace pixmill::vivante {

/// Converts a half-precision number exactly. Infinities and NaNs keep their fraction bits.
constexpr float from_half(uint32_t half) {
    const uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7FFF;
    if (magnitude < 0x0400) // denormal: units of 2^-24
        return std::bit_cast<float>(std::bit_cast<uint32_t>(float(magnitude) * 0x1p-24f) | sign);
    const uint32_t bias = magnitude < 0x7C00 ? 127 - 15 : 255 - 31;
    return std::bit_cast<float>(sign | ((magnitude << 13) + (bias << 23)));
}

/// Rounds to nearest, ties to even. Numbers from 65520 on become infinite, and NaNs stay NaNs.
constexpr uint32_t to_half(float number) {
    const auto bits = std::bit_cast<uint32_t>(number);
    const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
    constexpr uint32_t infinity = 0x7F800000, half = 0x3F000000, least_normal = 0x38800000;
    if (magnitude > infinity)
        return sign | 0x7E00 | (magnitude >> 13 & 0x3FF);
    if (magnitude >= 0x477FF000)
        return sign | 0x7C00;
    if (magnitude < least_normal) // the sum has units of 2^-24
        return sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - half);
    constexpr uint32_t bias = (127u - 15) << 23;
    return sign | ((magnitude - bias + 0xFFF + (magnitude >> 13 & 1)) >> 13);
}

} // namespace pixmill::vivante
