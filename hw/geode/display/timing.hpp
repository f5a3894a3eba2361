// Where the beam is: a function of the timing registers, the dot clock's PLL and guest time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace pixmill::geode_display {

class Timing {
public:
    /// `dc`: the words of the display controller; `dotpll`: the MSR of the dot clock.
    Timing(std::span<const uint32_t> dc, uint64_t dotpll);

    bool running;
    uint32_t lines;  ///< of a frame, blank ones included; 2 or more
    uint32_t active; ///< lines shown; less than `lines`, so that there is a vertical blank
    uint32_t sync_begin, sync_end;
    int64_t frame_ns;

    uint32_t line_at(int64_t now) const;
    /// Guest time, later than `now`, when the beam next comes to `line`.
    int64_t next(uint32_t line, int64_t now) const;
};

} // namespace pixmill::geode_display
