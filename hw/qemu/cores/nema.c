/*
 * NEMA|GFX graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "exec/address-spaces.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "dma.h"
#include "log.h"
#include "nema.h"
#include "hw/pixmill/trace.h"

/* ---- Host of the core --------------------------------------------------- */

static void *nema_map(void *user, uint64_t addr, uint64_t *len, bool write)
{
    NemaGfxState *s = user;

    return pixmill_dma_map(s->as, addr, len, write);
}

static void nema_dirty(void *user, uint64_t addr, uint64_t len)
{
    NemaGfxState *s = user;

    pixmill_dma_dirty(s->as, addr, len);
}

static void nema_set_irq(void *user, uint32_t line, bool level)
{
    NemaGfxState *s = user;

    pixmill_engine_set_irq(&s->engine, line, level);
}

static int64_t nema_clock_ns(void *user)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void nema_request_run(void *user)
{
    NemaGfxState *s = user;

    pixmill_engine_kick(&s->engine);
}

static void nema_log(void *user, PixmillLog kind, const char *text)
{
    pixmill_log(TYPE_NEMA_GFX, kind, text);
}

static void nema_trace(void *user, PixmillTrace event, uint64_t a, uint64_t b,
                       const char *text)
{
    switch (event) {
    case PIXMILL_TRACE_REG_READ:
        trace_pixmill_nema_reg_read(a, b, text);
        break;
    case PIXMILL_TRACE_REG_WRITE:
        trace_pixmill_nema_reg_write(a, b, text);
        break;
    case PIXMILL_TRACE_COMMAND:
        trace_pixmill_nema_command(a, b, text);
        break;
    case PIXMILL_TRACE_STATE:
        trace_pixmill_nema_state(a, b, text);
        break;
    case PIXMILL_TRACE_DRAW:
        trace_pixmill_nema_draw(a, text);
        break;
    case PIXMILL_TRACE_BUS_ERROR:
        trace_pixmill_nema_bus_error(a, b, text);
        break;
    case PIXMILL_TRACE_IRQ:
        trace_pixmill_nema_irq(text, a, b);
        break;
    case PIXMILL_TRACE_RESET:
        trace_pixmill_nema_reset(text);
        break;
    case PIXMILL_TRACE_FE_STATE:
        trace_pixmill_nema_clp_state(a, text);
        break;
    default:
        break;
    }
}

/* The core asks the mask before it calls nema_trace(). */
static void nema_update_trace_mask(NemaGfxState *s)
{
#define EVENT(event, name) \
    (trace_event_get_state_backends(TRACE_PIXMILL_NEMA_##name) ? \
     1U << PIXMILL_TRACE_##event : 0)
    uint32_t mask =
        EVENT(REG_READ, REG_READ) | EVENT(REG_WRITE, REG_WRITE) |
        EVENT(COMMAND, COMMAND) | EVENT(STATE, STATE) | EVENT(DRAW, DRAW) |
        EVENT(BUS_ERROR, BUS_ERROR) | EVENT(IRQ, IRQ) | EVENT(RESET, RESET) |
        EVENT(FE_STATE, CLP_STATE);
#undef EVENT

    if (mask != qatomic_read(&s->trace_mask)) {
        qatomic_set(&s->trace_mask, mask);
    }
}

/* ---- Engine ------------------------------------------------------------- */

static PixmillRun nema_run(void *opaque, uint32_t budget_words)
{
    NemaGfxState *s = opaque;

    nema_update_trace_mask(s);
    return pixmill_nema_run(s->core, budget_words);
}

static void nema_draw(void *opaque, uint64_t budget_bytes)
{
    NemaGfxState *s = opaque;

    pixmill_nema_draw(s->core, budget_bytes);
}

static void nema_interrupt(void *opaque)
{
    NemaGfxState *s = opaque;

    pixmill_nema_interrupt(s->core);
}

static const PixmillEngineOps nema_engine_ops = {
    .run = nema_run,
    .draw = nema_draw,
    .interrupt = nema_interrupt,
};

void nema_gfx_get_target(NemaGfxState *s, NemaGfxTarget *target)
{
    PixmillNemaCounters counters;

    if (!pixmill_engine_try_enter(&s->engine)) {
        return;
    }
    pixmill_nema_counters(s->core, &counters);
    /* STAT; lists set the registers one after the other. */
    if (counters.primitives && !pixmill_nema_peek(s->core, 0x0FC)) {
        *target = (NemaGfxTarget) {
            .base = pixmill_nema_peek(s->core, 0x000),
            .fstride = pixmill_nema_peek(s->core, 0x004),
            .resxy = pixmill_nema_peek(s->core, 0x008),
        };
    }
    pixmill_engine_leave(&s->engine);
}

/* ---- Registers ---------------------------------------------------------- */

static MemTxResult nema_read(void *opaque, hwaddr addr, uint64_t *data,
                             unsigned size, MemTxAttrs attrs)
{
    NemaGfxState *s = opaque;
    PixmillResult result;
    uint32_t value = 0;

    pixmill_engine_enter(&s->engine);
    nema_update_trace_mask(s);
    result = pixmill_nema_mmio_read(s->core, addr, size, &value);
    pixmill_engine_leave(&s->engine);

    *data = value;
    return result == PIXMILL_OK ? MEMTX_OK : MEMTX_ERROR;
}

/*
 * While the core is BUSY the bus stalls, which is: we do its work.  A write
 * that would stall for ever is dropped; a bus error would be another invention,
 * and firmware may not survive it.  So is one of a debugger that takes too
 * long; a vCPU does not get past its write.
 */
static MemTxResult nema_write(void *opaque, hwaddr addr, uint64_t data,
                              unsigned size, MemTxAttrs attrs)
{
    NemaGfxState *s = opaque;
    PixmillEngineStall stall = { 0 };
    PixmillResult result;
    bool again;

    pixmill_engine_enter(&s->engine);
    nema_update_trace_mask(s);
    do {
        result = pixmill_nema_mmio_write(s->core, addr, size, data);
        again = result == PIXMILL_ERROR_BUSY &&
                pixmill_engine_stall(&s->engine, &stall);
    } while (again);
    if (pixmill_nema_draining(s->core)) {
        /* A reset: from here on, memory is the guest's again. */
        pixmill_engine_drain(&s->engine);
    }
    pixmill_engine_leave(&s->engine);

    if (result == PIXMILL_ERROR_BUSY) {
        pixmill_engine_end_stall(&stall);
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_NEMA_GFX ": write to 0x%03"
                      HWADDR_PRIx " dropped: the bus %s\n", addr,
                      stall.idle ? "would stall for ever" :
                      "stalls for longer than the host waits");
        return MEMTX_OK;
    }
    return result == PIXMILL_OK ? MEMTX_OK : MEMTX_ERROR;
}

/* The core sees accesses as they are made, and logs odd ones. */
static const MemoryRegionOps nema_mmio_ops = {
    .read_with_attrs = nema_read,
    .write_with_attrs = nema_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {
        .min_access_size = 1,
        .max_access_size = 4,
        .unaligned = true,
    },
    .impl = {
        .min_access_size = 1,
        .max_access_size = 4,
        .unaligned = true,
    },
};

/* ---- Properties --------------------------------------------------------- */

static const struct {
    const char *name;
    size_t offset;
} nema_counters[] = {
#define COUNTER(name, field) \
    { "stat-" name, offsetof(PixmillNemaCounters, field) }
    COUNTER("command-words", command_words),
    COUNTER("lists", lists),
    COUNTER("primitives", primitives),
    COUNTER("pixels", pixels),
    COUNTER("bus-errors", bus_errors),
    COUNTER("interrupts", interrupts),
#undef COUNTER
};

static void nema_get_counter(Object *obj, Visitor *v, const char *name,
                             void *opaque, Error **errp)
{
    NemaGfxState *s = NEMA_GFX(obj);
    PixmillNemaCounters counters = { 0 };
    const size_t *offset = opaque;

    if (s->core) {
        pixmill_engine_enter(&s->engine);
        pixmill_nema_counters(s->core, &counters);
        pixmill_engine_leave(&s->engine);
    }
    visit_type_uint64(v, name, (void *)&counters + *offset, errp);
}

static void nema_inject(Object *obj, const char *value, Error **errp)
{
    static const char *const names[] = {
        [PIXMILL_NEMA_FAULT_BUS] = "bus-error",
        [PIXMILL_NEMA_FAULT_LOST_IRQ] = "lost-irq",
        [PIXMILL_NEMA_FAULT_HANG] = "hang",
    };
    NemaGfxState *s = NEMA_GFX(obj);

    for (int i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strcmp(value, names[i])) {
            if (!s->core) {
                error_setg(errp, "x-inject works on a realized device only");
                return;
            }
            pixmill_engine_enter(&s->engine);
            pixmill_nema_inject(s->core, i);
            pixmill_engine_leave(&s->engine);
            return;
        }
    }
    error_setg(errp, "x-inject takes 'bus-error', 'lost-irq' or 'hang', not "
               "'%s'", value);
}

/* 0: the GR5526's. */
static const Property nema_properties[] = {
    DEFINE_PROP_STRING("engine", NemaGfxState, engine_kind),
    DEFINE_PROP_BOOL("x-force-thread", NemaGfxState, force_thread, false),
    DEFINE_PROP_UINT32("config", NemaGfxState, config, 0),
    DEFINE_PROP_UINT32("config-h", NemaGfxState, config_h, 0),
    DEFINE_PROP_LINK("dma", NemaGfxState, dma, TYPE_MEMORY_REGION,
                     MemoryRegion *),
};

/* ---- Life cycle --------------------------------------------------------- */

static bool nema_create_core(NemaGfxState *s, Error **errp)
{
    const PixmillNemaConfig config = {
        .config = s->config,
        .config_h = s->config_h,
    };
    const PixmillHost host = {
        .api_version = PIXMILL_API_VERSION,
        .user = s,
        .map = nema_map,
        .dirty = nema_dirty,
        .set_irq = nema_set_irq,
        .clock_ns = nema_clock_ns,
        .request_run = nema_request_run,
        .log = nema_log,
        .trace = nema_trace,
        .trace_mask = &s->trace_mask,
    };

    switch (pixmill_nema_create(&config, &host, &s->core)) {
    case PIXMILL_OK:
        return true;
    case PIXMILL_ERROR_ARGUMENT:
        error_setg(errp, TYPE_NEMA_GFX ": the core refuses config=0x%08" PRIx32
                   ", config-h=0x%08" PRIx32, s->config, s->config_h);
        break;
    case PIXMILL_ERROR_MEMORY:
        error_setg(errp, TYPE_NEMA_GFX ": not enough memory");
        break;
    default:
        error_setg(errp, TYPE_NEMA_GFX ": the core is of another version of "
                   "include/pixmill: build both from one tree");
        break;
    }
    return false;
}

static void nema_realize(DeviceState *dev, Error **errp)
{
    NemaGfxState *s = NEMA_GFX(dev);
    bool threaded;

    if (!pixmill_engine_choose(&s->engine_kind, s->force_thread, &threaded,
                               TYPE_NEMA_GFX, errp) ||
        !pixmill_engine_init(&s->engine, s->irq, NEMA_GFX_LINES,
                             &nema_engine_ops, s, errp)) {
        return;
    }
    if (!nema_create_core(s, errp)) {
        pixmill_engine_cleanup(&s->engine);
        return;
    }
    s->as = &address_space_memory;
    if (s->dma) {
        s->as = g_new(AddressSpace, 1);
        address_space_init(s->as, s->dma, TYPE_NEMA_GFX);
    }
    nema_update_trace_mask(s);
    pixmill_engine_start(&s->engine, dev, threaded, TYPE_NEMA_GFX);
    memory_region_set_enabled(&s->mmio, true);
}

static void nema_unrealize(DeviceState *dev)
{
    NemaGfxState *s = NEMA_GFX(dev);

    memory_region_set_enabled(&s->mmio, false);
    pixmill_engine_stop(&s->engine);
    pixmill_engine_cleanup(&s->engine);
    pixmill_nema_destroy(s->core);
    s->core = NULL;
    if (s->dma) {
        address_space_destroy_free(s->as);
    }
    s->as = NULL;
    g_clear_pointer(&s->snapshot, g_free);
}

static void nema_reset_enter(Object *obj, ResetType type)
{
    NemaGfxState *s = NEMA_GFX(obj);

    pixmill_engine_enter(&s->engine);
    pixmill_engine_drain(&s->engine);
    pixmill_nema_reset(s->core);
    pixmill_engine_reset_enter(&s->engine);
    pixmill_engine_leave(&s->engine);
}

static void nema_reset_hold(Object *obj, ResetType type)
{
    pixmill_engine_reset_hold(&NEMA_GFX(obj)->engine);
}

static void nema_init(Object *obj)
{
    NemaGfxState *s = NEMA_GFX(obj);

    memory_region_init_io(&s->mmio, obj, &nema_mmio_ops, s, TYPE_NEMA_GFX,
                          PIXMILL_NEMA_WINDOW);
    /*
     * While the bus stalls, the BQL is free and others may come in.  DMA never
     * does: it is to and from RAM only.  The engine's lock is all it takes.
     */
    s->mmio.disable_reentrancy_guard = true;
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    for (int line = 0; line < NEMA_GFX_IRQS; line++) {
        sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq[line]);
    }
    qdev_init_gpio_out_named(DEVICE(obj), &s->irq[PIXMILL_NEMA_FREEZE],
                             "freeze", 1);
}

static void nema_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "NEMA|GFX graphics core (2.5D)";
    dc->realize = nema_realize;
    dc->unrealize = nema_unrealize;
    dc->vmsd = &vmstate_nema_gfx;
    device_class_set_props(dc, nema_properties);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.enter = nema_reset_enter;
    rc->phases.hold = nema_reset_hold;

    for (int i = 0; i < ARRAY_SIZE(nema_counters); i++) {
        object_class_property_add(oc, nema_counters[i].name, "uint64",
                                  nema_get_counter, NULL, NULL,
                                  (void *)&nema_counters[i].offset);
    }
    object_class_property_add_str(oc, "x-inject", NULL, nema_inject);
    object_class_property_set_description(oc, "x-inject",
        "arms a fault once: bus-error, lost-irq or hang");
}

static const TypeInfo nema_types[] = {
    {
        .name = TYPE_NEMA_GFX,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(NemaGfxState),
        .instance_init = nema_init,
        .class_init = nema_class_init,
    },
};

DEFINE_TYPES(nema_types)
