// The sRGB curve.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace pixmill::vivante {

/// Computes the fifth root by Newton's method, starting from above.
constexpr double fifth_root(double v) {
    double x = 1;
    for (int i = 0; i < 100; i++)
        x -= (x - v / (x * x * x * x)) / 5;
    return x;
}

/// Decodes a channel in 0 .. 1.
constexpr double srgb_to_linear(double c) {
    const double base = (c + 0.055) / 1.055;
    return c <= 0.04045 ? c / 12.92 : base * base * fifth_root(base * base); // base^2.4
}

} // namespace pixmill::vivante
