// The pattern of 8x8 pixels: solid, mono, small colored ones, and that of channel 3.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "channel3.hpp"
#include "latched.hpp"

namespace pixmill::geode {

struct Pattern {
    std::array<uint32_t, 64> word{}; ///< of the destination's format; rows of 8
    std::array<uint32_t, 64> argb{}; ///< of channel 3 only: before it was converted
    uint64_t transparent = 0;        ///< bit 8 * row + column
    bool solid = false;              ///< all are word[0], none is transparent
    uint32_t column = 0, row = 0;    ///< of the pixel that is processed first

    /// The index of the pixel `right` and `down` of the first one.
    uint32_t at(int32_t right, int32_t down) const {
        return 8 * ((row + uint32_t(down)) & 7) + ((column + uint32_t(right)) & 7);
    }

    static Pattern of_raster_mode(const Latched& latched, const render::Format& destination);
    static Pattern of_channel3(const Latched& latched, const render::Format& destination);
};

} // namespace pixmill::geode
