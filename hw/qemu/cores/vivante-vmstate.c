/*
 * Vivante GC graphics cores: migration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The stream has the core's PixmillVivanteState field by field, so that
 * scripts/analyze-migration.py shows it.  A stream is not trusted: the core
 * checks every field when it loads.
 */
#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "vivante.h"

#define CORE_STATE(F)                                                        \
    F(U32, model)                                                            \
    F(U32_ARRAY, reg, PIXMILL_VIVANTE_REG_WORDS)                             \
    F(U32, fscale)                                                           \
    F(U32, intr_pending)                                                     \
    F(U32, intr_level)                                                       \
    F(U32, fe_run)                                                           \
    F(U32, fe_address)                                                       \
    F(U32, fe_remaining)                                                     \
    F(U32, fe_latch)                                                         \
    F(U32, fe_latch_fresh)                                                   \
    F(U32, fe_swap)                                                          \
    F(U32_ARRAY, fe_word, 2)                                                 \
    F(U32, fe_loop)                                                          \
    F(U32, fe_loop_remaining)                                                \
    F(U32_ARRAY, fe_loop_wait, 2)                                            \
    F(U32_ARRAY, fe_loop_link, 2)                                            \
    F(U32, fe_loop_end)                                                      \
    F(U32, fe_loop_ns)                                                       \
    F(U32, fe_link_depth)                                                    \
    F(U32_ARRAY, fe_link_address, PIXMILL_VIVANTE_LINK_STACK)                \
    F(U32_ARRAY, fe_link_remaining, PIXMILL_VIVANTE_LINK_STACK)              \
    F(U32, fe_link_read)                                                     \
    F(U32_ARRAY, fe_semaphore, 32)                                           \
    F(I64, fe_deadline_ns)                                                   \
    F(I64, fe_activity_ns)                                                   \
    F(U32, mmu_mode)                                                         \
    F(U32, mmu_mtlb)                                                         \
    F(U32, mmu_safe)                                                         \
    F(U32, mmu_safe_set)                                                     \
    F(U32, mmu_extended)                                                     \
    F(U32, mmu_pta_index)                                                    \
    F(U32, mmu_frozen)                                                       \
    F(U32_ARRAY, state, PIXMILL_VIVANTE_STATE_WORDS)                         \
    F(U32, brush_config)                                                     \
    F(U32, brush_low)                                                        \
    F(U32, brush_high)                                                       \
    F(U32, brush_bg)                                                         \
    F(U32, brush_fg)                                                         \
    F(U32_ARRAY, brush_pixel, 64)                                            \
    F(U32, draw_active)                                                      \
    F(U32, draw_filter)                                                      \
    F(U32_ARRAY, draw_state, PIXMILL_VIVANTE_DRAW_STATES)                    \
    F(U32, draw_rects)                                                       \
    F(U32_ARRAY, draw_rect, 2 * PIXMILL_VIVANTE_MAX_RECTS)                   \
    F(U32, draw_data_words)                                                  \
    F(U32_ARRAY, draw_data, PIXMILL_VIVANTE_MAX_DATA)                        \
    F(U32, draw_index)                                                       \
    F(U32, draw_row)                                                         \
    F(U32, draw_column)                                                      \
    F(I64_ARRAY, cycle_base_ns, 3)                                           \
    F(U32_ARRAY, cycle_offset, 3)                                            \
    F(I64, busy_ns)                                                          \
    F(I64, busy_since_ns)                                                    \
    F(U64, read_bytes)                                                       \
    F(U64, write_bytes)                                                      \
    F(U32, memory_counters_frozen)                                           \
    F(U32_2D, profile, PIXMILL_VIVANTE_PROFILE_MODULES,                      \
      PIXMILL_VIVANTE_PROFILE_SIGNALS)

#define U32(field) VMSTATE_UINT32(field, PixmillVivanteState)
#define U64(field) VMSTATE_UINT64(field, PixmillVivanteState)
#define I64(field) VMSTATE_INT64(field, PixmillVivanteState)
#define U32_ARRAY(field, n) VMSTATE_UINT32_ARRAY(field, PixmillVivanteState, n)
#define I64_ARRAY(field, n) VMSTATE_INT64_ARRAY(field, PixmillVivanteState, n)
#define U32_2D(field, n1, n2) \
    VMSTATE_UINT32_2DARRAY(field, PixmillVivanteState, n1, n2)

/* Finds a field that is not above, unless it hides in the padding. */
#define PADDING (2 * 4)
#define SIZE(kind, field, ...) + sizeof_field(PixmillVivanteState, field)
QEMU_BUILD_BUG_ON(sizeof(PixmillVivanteState) != PADDING CORE_STATE(SIZE));

#define VMSTATE(kind, ...) kind(__VA_ARGS__),

static const VMStateDescription vmstate_vivante_core = {
    .name = "vivante-gc/core",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        CORE_STATE(VMSTATE)
        VMSTATE_END_OF_LIST()
    },
};

static int vivante_pre_save(void *opaque)
{
    VivanteGCState *s = opaque;

    s->snapshot = g_new0(PixmillVivanteState, 1);
    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    pixmill_vivante_save(s->core, s->snapshot);
    pixmill_engine_leave(&s->engine);
    return 0;
}

static int vivante_post_save(void *opaque)
{
    VivanteGCState *s = opaque;

    g_clear_pointer(&s->snapshot, g_free);
    return 0;
}

static int vivante_pre_load(void *opaque)
{
    VivanteGCState *s = opaque;

    /* One that is left of a stream that broke off. */
    g_free(s->snapshot);
    s->snapshot = g_new0(PixmillVivanteState, 1);
    return 0;
}

static int vivante_post_load(void *opaque, int version_id)
{
    VivanteGCState *s = opaque;
    uint32_t irq_levels = s->engine.irq_levels;
    PixmillResult result;

    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    result = pixmill_vivante_load(s->core, s->snapshot);
    pixmill_engine_post_load(&s->engine, irq_levels);
    s->standby_level = pixmill_vivante_standby(s->core);
    pixmill_engine_leave(&s->engine);
    g_clear_pointer(&s->snapshot, g_free);
    return result == PIXMILL_OK ? 0 : -EINVAL;
}

const VMStateDescription vmstate_vivante_gc = {
    .name = TYPE_VIVANTE_GC,
    .version_id = 2,
    .minimum_version_id = 2, /* the engine's is not in the stream */
    .pre_save = vivante_pre_save,
    .post_save = vivante_post_save,
    .pre_load = vivante_pre_load,
    .post_load = vivante_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(snapshot, VivanteGCState, vmstate_vivante_core,
                               PixmillVivanteState),
        VMSTATE_STRUCT(engine, VivanteGCState, 0, vmstate_pixmill_engine,
                       PixmillEngine),
        VMSTATE_END_OF_LIST()
    },
};
