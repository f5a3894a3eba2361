// The timing that a display interface generates.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace pixmill::ipuv3 {

/// In pixels and lines.
struct Timing {
    /// `di` holds the registers of a DI, programmed as Linux does (ipu-di.c): counters 4 and 5
    /// generate the active area or, in interlaced modes, counters 5 and 6.
    explicit Timing(std::span<const uint32_t> di);

    bool interlaced;
    uint32_t width, height; ///< active area
    uint32_t total_width, total_height;
    uint32_t left, top; ///< from the start of sync to the active area

    /// False if there is no active area, or if it does not fit in the frame.
    bool valid() const { return width && height && width <= total_width && height <= total_height; }
};

} // namespace pixmill::ipuv3
