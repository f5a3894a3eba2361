// Position of the beam, from the timing registers, the dot clock's PLL and guest time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace pixmill::geode_display {

class Timing {
public:
    /// `dc`: the display controller's words; `dotpll`: the dot clock's MSR.
    Timing(std::span<const uint32_t> dc, uint64_t dotpll);

    bool running;
    uint32_t lines;  ///< per frame, including blank ones; 2 or more
    uint32_t active; ///< visible lines; fewer than `lines`, so there is a vertical blank
    uint32_t sync_begin, sync_end;
    int64_t frame_ns;

    uint32_t line_at(int64_t now) const;
    /// Returns the guest time, later than `now`, at which the beam next reaches `line`.
    int64_t next(uint32_t line, int64_t now) const;
};

} // namespace pixmill::geode_display
