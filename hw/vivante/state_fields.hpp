// What a core's state is made of: the names and the order of a migration stream.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/core_class.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

#define STATE(member) PIXMILL_FIELD(PixmillVivanteState, member)

inline constexpr PixmillField state_fields[] = {
    STATE(model),
    STATE(reg),
    STATE(fscale),
    STATE(intr_pending),
    STATE(intr_level),
    STATE(fe_run),
    STATE(fe_address),
    STATE(fe_remaining),
    STATE(fe_latch),
    STATE(fe_latch_fresh),
    STATE(fe_swap),
    STATE(fe_word),
    STATE(fe_loop),
    STATE(fe_loop_remaining),
    STATE(fe_loop_wait),
    STATE(fe_loop_link),
    STATE(fe_loop_end),
    STATE(fe_loop_ns),
    STATE(fe_link_depth),
    STATE(fe_link_address),
    STATE(fe_link_remaining),
    STATE(fe_link_read),
    STATE(fe_semaphore),
    STATE(fe_deadline_ns),
    STATE(fe_activity_ns),
    STATE(mmu_mode),
    STATE(mmu_mtlb),
    STATE(mmu_safe),
    STATE(mmu_safe_set),
    STATE(mmu_extended),
    STATE(mmu_pta_index),
    STATE(mmu_frozen),
    STATE(state),
    STATE(de_brush_config),
    STATE(de_brush_low),
    STATE(de_brush_high),
    STATE(de_brush_bg),
    STATE(de_brush_fg),
    STATE(de_brush_pixel),
    STATE(de_draw_active),
    STATE(de_draw_filter),
    STATE(de_draw_state),
    STATE(de_draw_rects),
    STATE(de_draw_rect),
    STATE(de_draw_data_words),
    STATE(de_draw_data),
    STATE(de_draw_index),
    STATE(de_draw_row),
    STATE(de_draw_column),
    STATE(g3d_job),
    STATE(g3d_command),
    STATE(g3d_place),
    STATE(g3d_place_vertex),
    STATE(g3d_done),
    STATE(g3d_counting),
    STATE(g3d_samples),
    STATE(cycle_base_ns),
    STATE(cycle_offset),
    STATE(busy_ns),
    STATE(busy_since_ns),
    STATE(read_bytes),
    STATE(write_bytes),
    STATE(memory_counters_frozen),
    STATE(profile),
    {},
};

#undef STATE

} // namespace pixmill::vivante
