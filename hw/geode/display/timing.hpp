// Computes the beam position from the timing registers, the dot clock's PLL and guest time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace pixmill::geode_display {

class Timing {
public:
    /// `dc` holds the display controller's registers, `dotpll` the dot clock's MSR.
    Timing(std::span<const uint32_t> dc, uint64_t dotpll);

    bool running;
    uint32_t lines;  ///< lines per frame, including blank lines; at least 2
    uint32_t active; ///< visible lines; fewer than `lines`, so that there is a vertical blank
    uint32_t sync_begin, sync_end;
    int64_t frame_ns;

    uint32_t line_at(int64_t now) const;
    /// Returns the guest time after `now` at which the beam next reaches `line`.
    int64_t next(uint32_t line, int64_t now) const;
};

} // namespace pixmill::geode_display
