// The vector type of the shaders, which process 64 pixels or vertices at once.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// In a batch of pixels, lanes 4q to 4q + 3 are quad q: pixels (0, 0), (1, 0), (0, 1), (1, 1).
inline constexpr unsigned lane_count = 64, quad_count = lane_count / 4;

/// One bit per lane.
using LaneMask = uint64_t;

/// Returns the number of set bits. Baseline x86-64 has no POPCNT, so std::popcount() would be a
/// library call.
constexpr unsigned count_bits(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return unsigned(bits * 0x0101010101010101 >> 56);
}

/// Like count_bits(), but faster if all lanes are set, as in most batches.
constexpr unsigned count_lanes(LaneMask lanes) {
    return lanes == ~LaneMask(0) ? lane_count : count_bits(lanes);
}

/// One 32-bit value per lane. Integers are stored as bit patterns.
struct alignas(64) Lanes {
    std::array<float, lane_count> f;
};

/// x, y, z, w.
using Vector = std::array<Lanes, 4>;

} // namespace pixmill::vivante
