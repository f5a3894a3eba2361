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

/* A new size is a new field: add it to the list below, raise the versions. */
QEMU_BUILD_BUG_ON(sizeof(PixmillVivanteState) != 277816);

#define U32(field) VMSTATE_UINT32(field, PixmillVivanteState)
#define U64(field) VMSTATE_UINT64(field, PixmillVivanteState)
#define I64(field) VMSTATE_INT64(field, PixmillVivanteState)
#define U32_ARRAY(field, n) VMSTATE_UINT32_ARRAY(field, PixmillVivanteState, n)
#define I64_ARRAY(field, n) VMSTATE_INT64_ARRAY(field, PixmillVivanteState, n)

static const VMStateDescription vmstate_vivante_core = {
    .name = "vivante-gc/core",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        U32(model),
        U32_ARRAY(reg, PIXMILL_VIVANTE_REG_WORDS),
        U32(fscale),
        U32(intr_pending),
        U32(intr_level),
        U32(fe_run),
        U32(fe_address),
        U32(fe_remaining),
        U32(fe_latch),
        U32(fe_latch_fresh),
        U32(fe_swap),
        U32_ARRAY(fe_word, 2),
        U32(fe_loop),
        U32(fe_loop_remaining),
        U32_ARRAY(fe_loop_wait, 2),
        U32_ARRAY(fe_loop_link, 2),
        U32(fe_loop_end),
        U32(fe_loop_ns),
        U32(fe_link_depth),
        U32_ARRAY(fe_link_address, PIXMILL_VIVANTE_LINK_STACK),
        U32_ARRAY(fe_link_remaining, PIXMILL_VIVANTE_LINK_STACK),
        U32(fe_link_read),
        U32_ARRAY(fe_semaphore, 32),
        I64(fe_deadline_ns),
        I64(fe_activity_ns),
        U32(mmu_mode),
        U32(mmu_mtlb),
        U32(mmu_safe),
        U32(mmu_safe_set),
        U32(mmu_extended),
        U32(mmu_pta_index),
        U32(mmu_frozen),
        U32_ARRAY(state, PIXMILL_VIVANTE_STATE_WORDS),
        U32(draw_active),
        U32(draw_rects),
        U32_ARRAY(draw_rect, 2 * PIXMILL_VIVANTE_MAX_RECTS),
        U32(draw_data_words),
        U32_ARRAY(draw_data, PIXMILL_VIVANTE_MAX_DATA),
        U32(draw_index),
        U32(draw_row),
        I64_ARRAY(cycle_base_ns, 3),
        U32_ARRAY(cycle_offset, 3),
        I64(busy_ns),
        I64(busy_since_ns),
        U64(read_bytes),
        U64(write_bytes),
        U32(memory_counters_frozen),
        VMSTATE_UINT32_2DARRAY(profile, PixmillVivanteState,
                               PIXMILL_VIVANTE_PROFILE_MODULES,
                               PIXMILL_VIVANTE_PROFILE_SIGNALS),
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
    bool irq_level = s->engine.irq_level;
    PixmillResult result;

    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    result = pixmill_vivante_load(s->core, s->snapshot);
    pixmill_engine_post_load(&s->engine, irq_level);
    pixmill_engine_leave(&s->engine);
    g_clear_pointer(&s->snapshot, g_free);
    return result == PIXMILL_OK ? 0 : -EINVAL;
}

const VMStateDescription vmstate_vivante_gc = {
    .name = TYPE_VIVANTE_GC,
    .version_id = 1,
    .minimum_version_id = 1,
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
