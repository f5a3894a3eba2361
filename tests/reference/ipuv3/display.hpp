// A second model of the IPU's display path, for tests: it computes one pixel at a time, and shares
// no code with hw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>

namespace pixmill::reference::ipuv3 {

/// Parameters of an IDMAC channel: two words of 160 bits.
using Parameters = std::array<uint32_t, 10>;

struct Channel {
    bool enabled = false;
    bool second = false;   ///< shows buffer 1
    bool separate = false; ///< its bit in IDMAC_SEP_ALPHA
    Parameters parameters{};
};

struct Display {
    uint32_t width = 0, height = 0; ///< active area
    Channel background, background_alpha, overlay, overlay_alpha;
    std::array<uint32_t, 23> dp{}; ///< registers of the synchronous flow
    bool through_dp = true;        ///< false for the second DI, which shows `background` alone
    /// Returns the byte at an address, or a negative number if there is no memory.
    std::function<int(uint64_t)> byte;
};

/// Returns the color of a pixel in the active area, as R8G8B8.
uint32_t pixel(const Display& display, uint32_t x, uint32_t y);

} // namespace pixmill::reference::ipuv3
