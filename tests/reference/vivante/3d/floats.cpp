// Half floats, unsigned floats of 10 and 11 bits, and sRGB.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "floats.hpp"

#include <bit>
#include <cmath>

namespace pixmill::reference::vivante_3d {

float from_small_float(uint32_t raw, unsigned mantissa_bits) {
    const auto exponent = static_cast<int>(raw >> mantissa_bits & 31);
    const uint32_t mantissa = raw & ((1u << mantissa_bits) - 1);
    const int last_place = -static_cast<int>(mantissa_bits);
    if (exponent == 31)
        return std::bit_cast<float>(0x7F800000 | mantissa << (23 - mantissa_bits));
    if (exponent == 0)
        return std::ldexp(static_cast<float>(mantissa), last_place - 14);
    return std::ldexp(static_cast<float>(mantissa + (1u << mantissa_bits)),
                      last_place + exponent - 15);
}

uint32_t to_small_float(float value, unsigned mantissa_bits) {
    const uint32_t infinity = 31u << mantissa_bits;
    if (std::isnan(value))
        return infinity | 1u << (mantissa_bits - 1);
    if (value <= 0)
        return 0;
    if (value >= 65536)
        return infinity;
    // In units of the last place. A carry goes to the exponent, at last to infinity.
    const int exponent = value < 0x1p-14f ? -14 : std::ilogb(value);
    const double places = std::ldexp(double{value}, static_cast<int>(mantissa_bits) - exponent);
    return (static_cast<uint32_t>(exponent + 14) << mantissa_bits) +
           static_cast<uint32_t>(std::nearbyint(places));
}

float from_half(uint16_t half) {
    const float size = from_small_float(half & 0x7FFF, 10);
    return std::bit_cast<float>(std::bit_cast<uint32_t>(size) | uint32_t{half} >> 15 << 31);
}

uint16_t to_half(float value) {
    const uint32_t sign = std::bit_cast<uint32_t>(value) >> 31 << 15;
    return static_cast<uint16_t>(sign | to_small_float(std::fabs(value), 10));
}

float from_srgb(float c) {
    const double v = c;
    return static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
}

float to_srgb(float c) {
    const double v = c;
    return static_cast<float>(v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055);
}

} // namespace pixmill::reference::vivante_3d
