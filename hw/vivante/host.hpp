// What a Vivante core writes to the log.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"

namespace pixmill::vivante {

/// Causes of log lines. A line is written once per cause and detail.
enum class Cause : uint8_t {
    narrow_access,
    write_read_only,
    start_in_reset,
    start_without_address,
    start_while_running,
    illegal_opcode,
    unsupported_opcode,
    starved,
    link_stack,
    state_out_of_range,
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
    draw_planes,
    draw_tiling,
};

} // namespace pixmill::vivante
