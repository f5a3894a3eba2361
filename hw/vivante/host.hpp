// Causes of a Vivante core's log messages.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"

namespace pixmill::vivante {

/// Causes of log messages. A message is logged once per cause and detail.
enum class Cause : uint8_t {
    unknown_register,
    unmodeled_register,
    narrow_access,
    write_read_only,
    start_in_reset,
    start_without_address,
    start_while_running,
    start_while_faulted,
    illegal_opcode,
    unsupported_opcode,
    starved,
    link_stack,
    unknown_state,
    state_out_of_range,
    chip_select,
    unmodeled_pipe,
    unmodeled_kick,
    mmu_state,
    mmu_context,
    mmu_entry,
    mmu_fault,
    bus_error,
    semaphore,
    recipient,
    event_id,
    end_event,
    pipe_select,
    draw_2d_in_3d,
    draw_3d_in_2d,
    draw_command,
    draw_clear,
    draw_extent,
    draw_rotation,
    draw_stream,
    draw_sources,
    draw_source_rectangles,
    draw_planes,
    draw_tiling,
    draw_tile_mode,
    source_format,
    destination_format,
    filter_start,
    filter_image,
    filter_yuv_order,
    unmodeled_field,
    fast_clear,
    endless_shader,
    draw_program,
    draw_texture,
    draw_target,
    draw_vertices,
    draw_primitive,
    tile_status,
    resolve,
    alignment,
};

} // namespace pixmill::vivante
