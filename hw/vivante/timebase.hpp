// Guest time in core clock cycles, and free-running cycle counters.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "host.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

class Timebase {
public:
    /// Index into PixmillVivanteState.cycle_*.
    enum Counter : size_t { total, debug, idle };

    Timebase(Host& host, PixmillVivanteState& state, uint32_t core_clock_hz)
        : host_(host), s_(state), core_clock_hz_(core_clock_hz) {}

    /// Core clock x FSCALE / 64.
    uint64_t hz() const { return std::max<uint64_t>(1, uint64_t(core_clock_hz_) * s_.fscale / 64); }

    int64_t to_ns(uint32_t cycles) const { return int64_t(uint64_t(cycles) * 1000000000u / hz()); }

    uint32_t read(Counter counter) const {
        const int64_t now = host_.now();
        int64_t elapsed = now - s_.cycle_base_ns[counter];
        if (counter == idle)
            elapsed -= s_.busy_ns + (s_.busy_since_ns < 0 ? 0 : now - s_.busy_since_ns);
        return s_.cycle_offset[counter] + to_cycles(std::max<int64_t>(elapsed, 0));
    }

    void set(Counter counter, uint32_t value) {
        s_.cycle_base_ns[counter] = host_.now();
        s_.cycle_offset[counter] = value;
        if (counter == idle) {
            s_.busy_ns = 0;
            if (s_.busy_since_ns >= 0)
                s_.busy_since_ns = host_.now();
        }
    }

    /// Loads FSCALE_VAL into the clock divider. The counters keep their values.
    void set_divider(uint32_t fscale) {
        const uint32_t values[] = {read(total), read(debug), read(idle)};
        s_.fscale = std::clamp(fscale, 1u, 64u);
        for (Counter counter : {total, debug, idle})
            set(counter, values[counter]);
    }

    void engine_starts() { s_.busy_since_ns = host_.now(); }
    void engine_stops() {
        if (s_.busy_since_ns >= 0)
            s_.busy_ns += host_.now() - s_.busy_since_ns;
        s_.busy_since_ns = -1;
    }

    void reset() {
        s_.busy_since_ns = -1;
        for (Counter counter : {total, debug, idle})
            set(counter, 0);
    }

private:
    uint32_t to_cycles(int64_t ns) const {
        // Convert seconds and the remainder separately, because the full product would overflow 64
        // bits.
        const auto seconds = uint64_t(ns) / 1000000000u, rest = uint64_t(ns) % 1000000000u;
        return uint32_t(seconds * hz() + rest * hz() / 1000000000u);
    }

    Host& host_;
    PixmillVivanteState& s_;
    uint32_t core_clock_hz_;
};

} // namespace pixmill::vivante
