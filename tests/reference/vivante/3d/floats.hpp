// Half floats, unsigned floats of 10 and 11 bits, and sRGB.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::reference::vivante_3d {

/// Converts an unsigned float with 5 bits of exponent.
float from_small_float(uint32_t raw, unsigned mantissa_bits);
/// Rounds to the nearest, or to even. Negative numbers become 0.
uint32_t to_small_float(float value, unsigned mantissa_bits);

float from_half(uint16_t half);
uint16_t to_half(float value);

/// The transfer functions of IEC 61966-2-1.
float from_srgb(float c);
float to_srgb(float c);

} // namespace pixmill::reference::vivante_3d
