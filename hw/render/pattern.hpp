// Brushes and dither matrices: small images that repeat over the destination.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "format.hpp"

namespace pixmill::render {

/// An 8x8 brush. Destination pixel (x, y) uses its pixel (x & 7, y & 7).
struct Pattern {
    bool solid = true;                ///< all pixels are color[0]
    bool packed = false;              ///< colors are pixel words of the destination, not ARGB
    std::array<uint32_t, 64> color{}; ///< rows of 8
    uint64_t mask = ~uint64_t(0);     ///< bit 8 * row + column is 1 if the pixel is opaque

    constexpr bool opaque(int32_t x, int32_t y) const {
        return mask >> ((y & 7) * 8 + (x & 7)) & 1;
    }
};

/// Ordered dither with a 4x4 matrix of thresholds, 0 to 15. A channel that loses bits is rounded up
/// if the lost part, in sixteenths, is above the threshold at (x & 3, y & 3) and the channel is not
/// at its maximum.
struct Dither {
    bool enabled = false;
    std::array<uint8_t, 16> threshold{};

    constexpr uint32_t at(int32_t x, int32_t y) const {
        return threshold[size_t(y & 3) * 4 + size_t(x & 3)];
    }
};

} // namespace pixmill::render
