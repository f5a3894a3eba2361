// What the shaders work on: 64 pixels or vertices at once.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// Lanes 4q to 4q + 3 are quad q of a batch of pixels: (0, 0), (1, 0), (0, 1), (1, 1).
inline constexpr unsigned lane_count = 64, quad_count = lane_count / 4;

/// A bit for each lane.
using LaneMask = uint64_t;

/// One 32-bit value of each lane; what is no number is a bit pattern.
struct alignas(64) Lanes {
    std::array<float, lane_count> f;
};

/// x, y, z, w.
using Vector = std::array<Lanes, 4>;

} // namespace pixmill::vivante
