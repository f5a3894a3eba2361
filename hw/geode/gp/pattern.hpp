// The 8x8 pattern: solid, mono, colored, or from channel 3.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "channel3.hpp"
#include "latched.hpp"

namespace pixmill::geode {

struct Pattern {
    std::array<uint32_t, 64> word{}; ///< pixels in the destination's format, in rows of 8
    std::array<uint32_t, 64> argb{}; ///< channel 3 only: pixels before conversion
    uint64_t transparent = 0;        ///< bit 8 * row + column: the pixel is transparent
    bool solid = false;              ///< all pixels are word[0], and none is transparent
    uint32_t column = 0, row = 0;    ///< position in the pattern of the first pixel drawn

    /// Returns the index of the pixel that is `right` columns and `down` rows from the first pixel
    /// drawn.
    uint32_t at(int32_t right, int32_t down) const {
        return 8 * ((row + uint32_t(down)) & 7) + ((column + uint32_t(right)) & 7);
    }

    static Pattern of_raster_mode(const Latched& latched, const render::Format& destination);
    static Pattern of_channel3(const Latched& latched, const render::Format& destination);
};

} // namespace pixmill::geode
