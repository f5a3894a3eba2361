/*
 * Vivante GC graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/module.h"
#include "exec/address-spaces.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "dma.h"
#include "log.h"
#include "hw/pixmill/trace.h"
#include "vivante.h"

/* ---- Host of the core --------------------------------------------------- */

static void *vivante_map(void *user, uint64_t addr, uint64_t *len, bool write)
{
    VivanteGCState *s = user;

    return pixmill_dma_map(s->as, addr, len, write);
}

static void vivante_dirty(void *user, uint64_t addr, uint64_t len)
{
    VivanteGCState *s = user;

    pixmill_dma_dirty(s->as, addr, len);
}

static void vivante_set_irq(void *user, uint32_t line, bool level)
{
    VivanteGCState *s = user;

    pixmill_engine_set_irq(&s->engine, line, level);
}

static int64_t vivante_clock_ns(void *user)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void vivante_request_run(void *user)
{
    VivanteGCState *s = user;

    pixmill_engine_kick(&s->engine);
}

static void vivante_log(void *user, PixmillLog kind, const char *text)
{
    pixmill_log(TYPE_VIVANTE_GC, kind, text);
}

static void vivante_trace(void *user, PixmillTrace event, uint64_t a,
                          uint64_t b, const char *text)
{
    VivanteGCState *s = user;

    switch (event) {
    case PIXMILL_TRACE_REG_READ:
        trace_pixmill_vivante_reg_read(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_REG_WRITE:
        trace_pixmill_vivante_reg_write(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_COMMAND:
        trace_pixmill_vivante_command(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_STATE:
        trace_pixmill_vivante_state(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_DRAW:
        trace_pixmill_vivante_draw(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_MMU_FAULT:
        trace_pixmill_vivante_mmu_fault(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_BUS_ERROR:
        trace_pixmill_vivante_bus_error(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_EVENT:
        trace_pixmill_vivante_event(s->model, a, b, text);
        break;
    case PIXMILL_TRACE_IRQ:
        trace_pixmill_vivante_irq(s->model, a, b);
        break;
    case PIXMILL_TRACE_RESET:
        trace_pixmill_vivante_reset(s->model, text);
        break;
    case PIXMILL_TRACE_FE_STATE:
        trace_pixmill_vivante_fe_state(s->model, a, text);
        break;
    case PIXMILL_TRACE_COUNT:
        break;
    }
}

/* The core asks the mask before it calls vivante_trace(). */
static void vivante_update_trace_mask(VivanteGCState *s)
{
#define EVENT(name) \
    (trace_event_get_state_backends(TRACE_PIXMILL_VIVANTE_##name) ? \
     1U << PIXMILL_TRACE_##name : 0)
    uint32_t mask = EVENT(REG_READ) | EVENT(REG_WRITE) | EVENT(COMMAND) |
                    EVENT(STATE) | EVENT(DRAW) | EVENT(MMU_FAULT) |
                    EVENT(BUS_ERROR) | EVENT(EVENT) | EVENT(IRQ) |
                    EVENT(RESET) | EVENT(FE_STATE);
#undef EVENT

    if (mask != qatomic_read(&s->trace_mask)) {
        qatomic_set(&s->trace_mask, mask);
    }
}

/* ---- Engine ------------------------------------------------------------- */

static PixmillRun vivante_run(void *opaque, uint32_t budget_words)
{
    VivanteGCState *s = opaque;

    vivante_update_trace_mask(s);
    return pixmill_vivante_run(s->core, budget_words);
}

static void vivante_draw(void *opaque, uint64_t budget_bytes)
{
    VivanteGCState *s = opaque;

    pixmill_vivante_draw(s->core, budget_bytes);
}

static void vivante_interrupt(void *opaque)
{
    VivanteGCState *s = opaque;

    pixmill_vivante_interrupt(s->core);
}

static const PixmillEngineOps vivante_engine_ops = {
    .run = vivante_run,
    .draw = vivante_draw,
    .interrupt = vivante_interrupt,
};

void vivante_gc_barrier(VivanteGCState *s)
{
    if (pixmill_engine_try_enter(&s->engine)) {
        pixmill_vivante_barrier(s->core);
        pixmill_engine_run_slice(&s->engine);
        pixmill_engine_leave(&s->engine);
    }
}

/*
 * A level for the module's clock control.  Whether silicon also waits for the
 * engine to come to rest is not documented.  Under the BQL, which is enough:
 * command streams do not reach the register.
 */
static void vivante_update_standby(VivanteGCState *s)
{
    bool level = pixmill_vivante_standby(s->core);

    if (level != s->standby_level) {
        s->standby_level = level;
        qemu_set_irq(s->standby, level);
    }
}

/* ---- Registers ---------------------------------------------------------- */

static MemTxResult vivante_read(void *opaque, hwaddr addr, uint64_t *data,
                                unsigned size, MemTxAttrs attrs)
{
    VivanteGCState *s = opaque;
    PixmillResult result;
    uint32_t value = 0;

    pixmill_engine_enter(&s->engine);
    vivante_update_trace_mask(s);
    result = pixmill_vivante_mmio_read(s->core, addr, size, &value);
    pixmill_engine_leave(&s->engine);

    *data = value;
    return result == PIXMILL_OK ? MEMTX_OK : MEMTX_ERROR;
}

static MemTxResult vivante_write(void *opaque, hwaddr addr, uint64_t data,
                                 unsigned size, MemTxAttrs attrs)
{
    VivanteGCState *s = opaque;
    PixmillResult result;

    pixmill_engine_enter(&s->engine);
    vivante_update_trace_mask(s);
    result = pixmill_vivante_mmio_write(s->core, addr, size, data);
    if (pixmill_vivante_draining(s->core)) {
        /* A reset: from here on, memory is the guest's again. */
        pixmill_engine_drain(&s->engine);
    }
    pixmill_engine_leave(&s->engine);
    vivante_update_standby(s);

    return result == PIXMILL_OK ? MEMTX_OK : MEMTX_ERROR;
}

static const MemoryRegionOps vivante_mmio_ops = {
    .read_with_attrs = vivante_read,
    .write_with_attrs = vivante_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {
        .min_access_size = 1,
        .max_access_size = 8,
    },
    .impl = {
        .min_access_size = 1,
        .max_access_size = 4,
    },
};

/* ---- Properties --------------------------------------------------------- */

static const struct {
    const char *name;
    size_t offset;
} vivante_counters[] = {
#define COUNTER(name, field) \
    { "stat-" name, offsetof(PixmillVivanteCounters, field) }
    COUNTER("command-words", command_words),
    COUNTER("draws", draws),
    COUNTER("rectangles", rectangles),
    COUNTER("pixels", pixels),
    COUNTER("events", events),
    COUNTER("mmu-faults", mmu_faults),
    COUNTER("bus-errors", bus_errors),
    COUNTER("polls", polls),
#undef COUNTER
};

static void vivante_get_counter(Object *obj, Visitor *v, const char *name,
                                void *opaque, Error **errp)
{
    VivanteGCState *s = VIVANTE_GC(obj);
    PixmillVivanteCounters counters = { 0 };
    const size_t *offset = opaque;

    if (s->core) {
        pixmill_engine_enter(&s->engine);
        pixmill_vivante_counters(s->core, &counters);
        pixmill_engine_leave(&s->engine);
    }
    visit_type_uint64(v, name, (void *)&counters + *offset, errp);
}

static void vivante_inject(Object *obj, const char *value, Error **errp)
{
    static const char *const names[] = {
        [PIXMILL_FAULT_MMU] = "mmu-fault",
        [PIXMILL_FAULT_BUS] = "bus-error",
        [PIXMILL_FAULT_LOST_IRQ] = "lost-irq",
        [PIXMILL_FAULT_HANG] = "hang",
    };
    VivanteGCState *s = VIVANTE_GC(obj);

    for (int i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strcmp(value, names[i])) {
            if (!s->core) {
                error_setg(errp, "x-inject works on a realized device only");
                return;
            }
            pixmill_engine_enter(&s->engine);
            pixmill_vivante_inject(s->core, i);
            pixmill_engine_leave(&s->engine);
            return;
        }
    }
    error_setg(errp, "x-inject takes 'mmu-fault', 'bus-error', 'lost-irq' or "
               "'hang', not '%s'", value);
}

static const Property vivante_properties[] = {
    DEFINE_PROP_STRING("model", VivanteGCState, model),
    DEFINE_PROP_STRING("engine", VivanteGCState, engine_kind),
    DEFINE_PROP_BOOL("x-force-thread", VivanteGCState, force_thread, false),
    DEFINE_PROP_UINT32("core-clock-hz", VivanteGCState, core_clock_hz, 0),
    DEFINE_PROP_UINT32("poll-min-us", VivanteGCState, poll_min_us, 0),
    DEFINE_PROP_UINT32("poll-max-us", VivanteGCState, poll_max_us, 0),
    DEFINE_PROP_UINT32("render-threads", VivanteGCState, render_threads, 0),
    DEFINE_PROP_ON_OFF_AUTO("x-yuv-order-fault", VivanteGCState,
                            yuv_order_fault, ON_OFF_AUTO_AUTO),
    DEFINE_PROP_ON_OFF_AUTO("x-filter-copy", VivanteGCState, filter_copy,
                            ON_OFF_AUTO_AUTO),
    DEFINE_PROP_LINK("dma", VivanteGCState, dma, TYPE_MEMORY_REGION,
                     MemoryRegion *),
};

/* ---- Life cycle --------------------------------------------------------- */

/* The quirks whose property is @choice. */
static uint32_t vivante_quirks(const VivanteGCState *s, OnOffAuto choice)
{
    return (s->yuv_order_fault == choice ? PIXMILL_QUIRK_YUV_ORDER : 0) |
           (s->filter_copy == choice ? PIXMILL_QUIRK_FILTER_COPY : 0);
}

static bool vivante_create_core(VivanteGCState *s, bool threaded, Error **errp)
{
    ERRP_GUARD();
    const PixmillVivanteConfig config = {
        .model = s->model,
        .core_clock_hz = s->core_clock_hz,
        .poll_min_ns = s->poll_min_us * SCALE_US,
        .poll_max_ns = s->poll_max_us * SCALE_US,
        /* A slice of inline work is too small to be shared. */
        .render_threads = threaded ? s->render_threads : 1,
        .quirks_on = vivante_quirks(s, ON_OFF_AUTO_ON),
        .quirks_off = vivante_quirks(s, ON_OFF_AUTO_OFF),
    };
    const PixmillHost host = {
        .api_version = PIXMILL_API_VERSION,
        .user = s,
        .map = vivante_map,
        .dirty = vivante_dirty,
        .set_irq = vivante_set_irq,
        .clock_ns = vivante_clock_ns,
        .request_run = vivante_request_run,
        .log = vivante_log,
        .trace = vivante_trace,
        .trace_mask = &s->trace_mask,
    };

    switch (pixmill_vivante_create(&config, &host, &s->core)) {
    case PIXMILL_OK:
        return true;
    case PIXMILL_ERROR_ARGUMENT:
        error_setg(errp, TYPE_VIVANTE_GC ": the core refuses model '%s' with "
                   "core-clock-hz=%" PRIu32 ", poll-min-us=%" PRIu32
                   ", poll-max-us=%" PRIu32, s->model, s->core_clock_hz,
                   s->poll_min_us, s->poll_max_us);
        break;
    case PIXMILL_ERROR_MEMORY:
        error_setg(errp, TYPE_VIVANTE_GC ": not enough memory for model '%s'",
                   s->model);
        break;
    default:
        error_setg(errp, TYPE_VIVANTE_GC ": the core is of another version of "
                   "include/pixmill: build both from one tree");
        break;
    }
    return false;
}

/* PIXMILL_ERROR_ARGUMENT does not say what is wrong; look ourselves. */
static bool vivante_check_properties(VivanteGCState *s, Error **errp)
{
    ERRP_GUARD();
    const uint32_t max_us = UINT32_MAX / SCALE_US;
    const char *name;

    for (size_t i = 0; (name = pixmill_vivante_model(i)); i++) {
        if (s->model && !strcmp(name, s->model)) {
            break;
        }
    }
    if (!name) {
        error_setg(errp, TYPE_VIVANTE_GC ": no model '%s'",
                   s->model ? s->model : "");
        error_append_hint(errp, "Models are:");
        for (size_t i = 0; (name = pixmill_vivante_model(i)); i++) {
            error_append_hint(errp, " %s", name);
        }
        error_append_hint(errp, "\n");
        return false;
    }
    if (s->poll_min_us > max_us || s->poll_max_us > max_us) {
        error_setg(errp, TYPE_VIVANTE_GC ": poll-min-us and poll-max-us are %"
                   PRIu32 " at most", max_us);
        return false;
    }
    if (s->render_threads > PIXMILL_MAX_RENDER_THREADS) {
        error_setg(errp, TYPE_VIVANTE_GC ": render-threads is %d at most",
                   PIXMILL_MAX_RENDER_THREADS);
        return false;
    }
    return true;
}

static void vivante_realize(DeviceState *dev, Error **errp)
{
    VivanteGCState *s = VIVANTE_GC(dev);
    bool threaded;

    if (!vivante_check_properties(s, errp) ||
        !pixmill_engine_choose(&s->engine_kind, s->force_thread, &threaded,
                               TYPE_VIVANTE_GC, errp) ||
        !pixmill_engine_init(&s->engine, &s->irq, 1, &vivante_engine_ops, s,
                             errp)) {
        return;
    }
    if (!vivante_create_core(s, threaded, errp)) {
        pixmill_engine_cleanup(&s->engine);
        return;
    }
    s->as = &address_space_memory;
    if (s->dma) {
        s->as = g_new(AddressSpace, 1);
        address_space_init(s->as, s->dma, s->model);
    }
    vivante_update_trace_mask(s);
    pixmill_engine_start(&s->engine, dev, threaded, s->model);
    memory_region_set_enabled(&s->mmio, true);
}

static void vivante_unrealize(DeviceState *dev)
{
    VivanteGCState *s = VIVANTE_GC(dev);

    memory_region_set_enabled(&s->mmio, false);
    pixmill_engine_stop(&s->engine);
    pixmill_engine_cleanup(&s->engine);
    pixmill_vivante_destroy(s->core);
    s->core = NULL;
    if (s->dma) {
        address_space_destroy_free(s->as);
    }
    s->as = NULL;
    g_clear_pointer(&s->snapshot, g_free);
}

static void vivante_reset_enter(Object *obj, ResetType type)
{
    VivanteGCState *s = VIVANTE_GC(obj);

    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    pixmill_vivante_reset(s->core);
    pixmill_engine_reset_enter(&s->engine);
    pixmill_engine_leave(&s->engine);
}

static void vivante_reset_hold(Object *obj, ResetType type)
{
    VivanteGCState *s = VIVANTE_GC(obj);

    pixmill_engine_reset_hold(&s->engine);
    vivante_update_standby(s);
}

static void vivante_init(Object *obj)
{
    VivanteGCState *s = VIVANTE_GC(obj);

    memory_region_init_io(&s->mmio, obj, &vivante_mmio_ops, s, TYPE_VIVANTE_GC,
                          VIVANTE_GC_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    qdev_init_gpio_out_named(DEVICE(obj), &s->standby, "standby", 1);
}

static void vivante_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "Vivante GC graphics core (2D, 3D or VG)";
    dc->realize = vivante_realize;
    dc->unrealize = vivante_unrealize;
    dc->vmsd = &vmstate_vivante_gc;
    device_class_set_props(dc, vivante_properties);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.enter = vivante_reset_enter;
    rc->phases.hold = vivante_reset_hold;

    for (int i = 0; i < ARRAY_SIZE(vivante_counters); i++) {
        object_class_property_add(oc, vivante_counters[i].name, "uint64",
                                  vivante_get_counter, NULL, NULL,
                                  (void *)&vivante_counters[i].offset);
    }
    object_class_property_add_str(oc, "x-inject", NULL, vivante_inject);
    object_class_property_set_description(oc, "x-inject",
        "arms a fault once: mmu-fault, bus-error, lost-irq or hang");
}

static const TypeInfo vivante_types[] = {
    {
        .name = TYPE_VIVANTE_GC,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(VivanteGCState),
        .instance_init = vivante_init,
        .class_init = vivante_class_init,
    },
};

DEFINE_TYPES(vivante_types)
