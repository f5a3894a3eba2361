// The host callbacks, with the log's "once each" and the trace's "cheap when off".
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "pixmill/host.h"

namespace pixmill::vivante {

/// Causes of log lines. A line is written once per cause and detail.
enum class Cause : uint8_t {
    narrow_access,
    write_read_only,
    unknown_register,
    start_in_reset,
    start_without_address,
    start_while_running,
    illegal_opcode,
    unsupported_opcode,
    starved,
    link_stack,
    state_out_of_range,
    unknown_state,
    mmu_state,
    mmu_entry,
    mmu_fault,
    bus_error,
    semaphore,
    recipient,
    event_id,
    end_event,
    pipe_select,
    draw_command,
    draw_format,
    draw_extent,
    draw_rotation,
    draw_filter,
    draw_stream,
    draw_sources,
    unimplemented,
};

class Host {
public:
    explicit Host(const PixmillHost& host) : host_(host) {}

    void* map(uint64_t address, uint64_t* length, bool write) const {
        return host_.map(host_.user, address, length, write);
    }
    void dirty(uint64_t address, uint64_t length) const {
        host_.dirty(host_.user, address, length);
    }
    void set_irq(bool level) const { host_.set_irq(host_.user, level); }
    int64_t now() const { return host_.clock_ns(host_.user); }
    void request_run() const { host_.request_run(host_.user); }

    bool tracing(PixmillTrace event) const {
        return host_.trace_mask && *host_.trace_mask >> event & 1;
    }
    void trace(PixmillTrace event, uint64_t a, uint64_t b, const char* text) const {
        if (tracing(event))
            host_.trace(host_.user, event, a, b, text);
    }

    /// Logs unless the same `cause` and `detail` has been logged since forget().
    [[gnu::format(printf, 4, 5)]] void guest_error(Cause cause, uint32_t detail, const char* format,
                                                   ...);
    [[gnu::format(printf, 3, 4)]] void unimplemented(uint32_t detail, const char* format, ...);

    /// Power-on: everything may be logged again.
    void forget() { seen_.fill(0); }

private:
    bool first(Cause cause, uint32_t detail);

    PixmillHost host_;
    /// Keys of what has been logged; open addressing. When it is full, nothing
    /// new is logged: a guest cannot flood the log.
    std::array<uint64_t, 1024> seen_{};
};

} // namespace pixmill::vivante
