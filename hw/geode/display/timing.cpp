// SPDX-License-Identifier: GPL-2.0-or-later
#include "timing.hpp"

#include <algorithm>

#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {
namespace {

constexpr int64_t default_frame_ns = 1'000'000'000 / 60;
/// Limits of the frame time. A time outside them is replaced by the default: either the guest set a
/// wrong mode, or the machine does not emulate the PLL's MSR.
constexpr uint64_t least_frame_ns = 1'000'000, most_frame_ns = 1'000'000'000;

/// Returns the frame time. The dot clock is 48 MHz * (N + 1) / ((M + 1) * (P + 1)), and a quarter
/// of that if bit 16 is set (databook, GLCP_DOTPLL). If the PLL was never programmed, returns the
/// default.
int64_t frame_time(uint64_t pixels, uint64_t dotpll) {
    const auto high = uint32_t(dotpll >> 32);
    const uint64_t m = dotpll::m(high), n = dotpll::n(high), p = dotpll::p(high);
    if (!(m | n | p))
        return default_frame_ns;
    const uint64_t divisor = (m + 1) * (p + 1) * (dotpll::divide_by_4(high) ? 4 : 1);
    // 1e9 ns / 48 MHz = 125 / 6
    const uint64_t ns = pixels * divisor * 125 / (6 * (n + 1));
    return ns < least_frame_ns || ns > most_frame_ns ? default_frame_ns : int64_t(ns);
}

} // namespace

Timing::Timing(std::span<const uint32_t> dc, uint64_t dotpll) {
    const uint32_t horizontal = dc[DC_H_ACTIVE_TIMING / 4], vertical = dc[DC_V_ACTIVE_TIMING / 4],
                   sync = dc[DC_V_SYNC_TIMING / 4];
    running = display_cfg::tgen(dc[DC_DISPLAY_CFG / 4]);
    lines = std::max(v_timing::second(vertical) + 1, 2u);
    active = std::min(v_timing::first(vertical) + 1, lines - 1);
    sync_begin = v_timing::first(sync) + 1;
    sync_end = v_timing::second(sync) + 1;
    frame_ns = frame_time(uint64_t(h_timing::second(horizontal) + 1) * lines, dotpll);
}

uint32_t Timing::line_at(int64_t now) const {
    const uint64_t since = uint64_t(std::max<int64_t>(now, 0)) % uint64_t(frame_ns);
    return uint32_t(since * lines / uint64_t(frame_ns));
}

int64_t Timing::next(uint32_t line, int64_t now) const {
    now = std::max<int64_t>(now, 0);
    if (now > INT64_MAX - 2 * frame_ns)
        return INT64_MAX;
    // Time in the frame of the first nanosecond at which line_at() returns `line`.
    const auto start = int64_t((uint64_t(line) * uint64_t(frame_ns) + lines - 1) / lines);
    const int64_t due = now - now % frame_ns + start;
    return due > now ? due : due + frame_ns;
}

} // namespace pixmill::geode_display
