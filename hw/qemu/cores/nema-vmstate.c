/*
 * NEMA|GFX graphics cores: migration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The stream has the core's PixmillNemaState field by field, so that
 * scripts/analyze-migration.py shows it.  A stream is not trusted: the core
 * checks every field when it loads.
 */
#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "nema.h"

#define CORE_STATE(F)                                                        \
    F(U32, config)                                                           \
    F(U32, config_h)                                                         \
    F(U32_ARRAY, reg, PIXMILL_NEMA_REG_WORDS)                                \
    F(U32_ARRAY, imem, PIXMILL_NEMA_IMEM_WORDS)                              \
    F(U32, dirty_min)                                                        \
    F(U32, dirty_max)                                                        \
    F(U32, clp_run)                                                          \
    F(U32, clp_next)                                                         \
    F(U32, clp_unlimited)                                                    \
    F(U32, clp_held_by)                                                      \
    F(U32, clp_depth)                                                        \
    F(U32_ARRAY, clp_stack_address, PIXMILL_NEMA_STACK)                      \
    F(U32_ARRAY, clp_stack_left, PIXMILL_NEMA_STACK)                         \
    F(U32, clp_budget)                                                       \
    F(U32, irq_source_a)                                                     \
    F(U32, irq_source_b)                                                     \
    F(U32, irq_levels)                                                       \
    F(U32, irq_seen)                                                         \
    F(U32, irq_seen_us)                                                      \
    F(U32, draw_active)                                                      \
    F(U32_ARRAY, draw_reg, PIXMILL_NEMA_DRAW_WORDS)                          \
    F(U32_ARRAY, draw_imem, PIXMILL_NEMA_IMEM_WORDS)                         \
    F(U32, draw_row)

#define U32(field) VMSTATE_UINT32(field, PixmillNemaState)
#define U32_ARRAY(field, n) VMSTATE_UINT32_ARRAY(field, PixmillNemaState, n)

/* Finds a field that is not above: all are of 32 bits, there is no padding. */
#define SIZE(kind, field, ...) + sizeof_field(PixmillNemaState, field)
QEMU_BUILD_BUG_ON(sizeof(PixmillNemaState) != 0 CORE_STATE(SIZE));

#define VMSTATE(kind, ...) kind(__VA_ARGS__),

static const VMStateDescription vmstate_nema_core = {
    .name = "nema-gfx/core",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        CORE_STATE(VMSTATE)
        VMSTATE_END_OF_LIST()
    },
};

static int nema_pre_save(void *opaque)
{
    NemaGfxState *s = opaque;

    s->snapshot = g_new0(PixmillNemaState, 1);
    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    pixmill_nema_save(s->core, s->snapshot);
    pixmill_engine_leave(&s->engine);
    return 0;
}

static int nema_post_save(void *opaque)
{
    NemaGfxState *s = opaque;

    g_clear_pointer(&s->snapshot, g_free);
    return 0;
}

static int nema_pre_load(void *opaque)
{
    NemaGfxState *s = opaque;

    /* One that is left of a stream that broke off. */
    g_free(s->snapshot);
    s->snapshot = g_new0(PixmillNemaState, 1);
    return 0;
}

static int nema_post_load(void *opaque, int version_id)
{
    NemaGfxState *s = opaque;
    uint32_t irq_levels = s->engine.irq_levels;
    PixmillResult result;

    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    result = pixmill_nema_load(s->core, s->snapshot);
    pixmill_engine_post_load(&s->engine, irq_levels);
    pixmill_engine_leave(&s->engine);
    g_clear_pointer(&s->snapshot, g_free);
    return result == PIXMILL_OK ? 0 : -EINVAL;
}

const VMStateDescription vmstate_nema_gfx = {
    .name = TYPE_NEMA_GFX,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = nema_pre_save,
    .post_save = nema_post_save,
    .pre_load = nema_pre_load,
    .post_load = nema_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(snapshot, NemaGfxState, vmstate_nema_core,
                               PixmillNemaState),
        VMSTATE_STRUCT(engine, NemaGfxState, 0, vmstate_pixmill_engine,
                       PixmillEngine),
        VMSTATE_END_OF_LIST()
    },
};
