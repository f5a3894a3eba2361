/*
 * Vivante GC graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "migration/vmstate.h"
#include "vivante.h"

VivanteGCState *vivante_gc_create(const VivanteGCPlace *place,
                                  DeviceState *controller, Error **errp)
{
    DeviceState *dev = qdev_new(TYPE_VIVANTE_GC);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

    object_property_add_child(qdev_get_machine(), place->name, OBJECT(dev));
    qdev_prop_set_string(dev, "model", place->model);
    if (!VIVANTE_GC(dev)->core_clock_hz) {
        qdev_prop_set_uint32(dev, "core-clock-hz", place->clock_hz);
    }
    if (!VIVANTE_GC(dev)->poll_min_us) {
        uint32_t max_us = VIVANTE_GC(dev)->poll_max_us;

        qdev_prop_set_uint32(dev, "poll-min-us",
                             max_us ? MIN(place->poll_min_us, max_us)
                                    : place->poll_min_us);
    }
    if (!sysbus_realize_and_unref(sbd, errp)) {
        return NULL;
    }
    sysbus_mmio_map(sbd, 0, place->addr);
    sysbus_connect_irq(sbd, 0, qdev_get_gpio_in(controller, place->irq));
    return VIVANTE_GC(dev);
}

static void vivante_barrier(VivanteGCState *s)
{
    PixmillWorker *worker = &s->shell.worker;

    pixmill_worker_enter(worker);
    pixmill_vivante_barrier(s->shell.core);
    pixmill_worker_run_slice(worker);
    pixmill_worker_leave(worker);
}

void vivante_gc_barrier(VivanteGCState *s)
{
    if (s->shell.worker.threaded) {
        vivante_barrier(s);
    } else {
        /* An inline worker needs the BQL. */
        BQL_LOCK_GUARD();
        vivante_barrier(s);
    }
}

/*
 * Drives the output for the module's clock control.  Whether silicon also waits
 * for the engine to become idle is undocumented.  The BQL is sufficient here,
 * because command streams cannot write the register.
 */
static void vivante_update_standby(VivanteGCState *s)
{
    qemu_set_irq(s->standby, pixmill_vivante_standby(s->shell.core));
}

static void vivante_set_clock_off(void *opaque, int line, int level)
{
    VIVANTE_GC(opaque)->clock_off = level;
}

static void vivante_check_clock(PixmillShell *shell, hwaddr addr)
{
    VivanteGCState *s = container_of(shell, VivanteGCState, shell);

    if (s->clock_off && !s->clock_off_logged) {
        s->clock_off_logged = true;
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_VIVANTE_GC ": access to 0x%03"
                      HWADDR_PRIx " while the clock gate is shut: silicon "
                      "hangs\n", addr);
    }
}

static MemTxResult vivante_read(void *opaque, hwaddr addr, uint64_t *data,
                                unsigned size, MemTxAttrs attrs)
{
    vivante_check_clock(opaque, addr);
    return pixmill_shell_read(opaque, addr, data, size, attrs);
}

static MemTxResult vivante_write(void *opaque, hwaddr addr, uint64_t data,
                                 unsigned size, MemTxAttrs attrs)
{
    PixmillShell *shell = opaque;
    MemTxResult result;

    vivante_check_clock(shell, addr);
    result = pixmill_shell_write(shell, addr, data, size, attrs);
    vivante_update_standby(container_of(shell, VivanteGCState, shell));
    return result;
}

static const MemoryRegionOps vivante_mmio_ops = {
    .read_with_attrs = vivante_read,
    .write_with_attrs = vivante_write,
    PIXMILL_ACCESS(1, 8),
};

static const Property vivante_properties[] = {
    DEFINE_PIXMILL_SHELL_PROPERTIES(VivanteGCState, shell),
    DEFINE_PROP_STRING("model", VivanteGCState, model),
    DEFINE_PROP_UINT32("core-clock-hz", VivanteGCState, core_clock_hz, 0),
    DEFINE_PROP_UINT32("poll-min-us", VivanteGCState, poll_min_us, 0),
    DEFINE_PROP_UINT32("poll-max-us", VivanteGCState, poll_max_us, 0),
    DEFINE_PROP_UINT32("render-threads", VivanteGCState, render_threads, 0),
    DEFINE_PROP_BOOL("x-jit", VivanteGCState, jit, true),
    DEFINE_PROP_ON_OFF_AUTO("x-yuv-order-fault", VivanteGCState,
                            yuv_order_fault, ON_OFF_AUTO_AUTO),
    DEFINE_PROP_ON_OFF_AUTO("x-solid-triangles", VivanteGCState,
                            solid_triangles, ON_OFF_AUTO_AUTO),
    DEFINE_PROP_ON_OFF_AUTO("x-shared-stencil-masks", VivanteGCState,
                            shared_stencil_masks, ON_OFF_AUTO_AUTO),
    DEFINE_PROP_ON_OFF_AUTO("x-large-points", VivanteGCState, large_points,
                            ON_OFF_AUTO_AUTO),
};

/* Returns the quirks whose property is set to @choice. */
static uint32_t vivante_quirks(const VivanteGCState *s, OnOffAuto choice)
{
    const struct {
        OnOffAuto chosen;
        uint32_t quirk;
    } rows[] = {
        { s->yuv_order_fault, PIXMILL_VIVANTE_QUIRK_YUV_ORDER },
        { s->solid_triangles, PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES },
        { s->shared_stencil_masks, PIXMILL_VIVANTE_QUIRK_SHARED_STENCIL_MASKS },
        { s->large_points, PIXMILL_VIVANTE_QUIRK_LARGE_POINTS },
    };
    uint32_t quirks = 0;

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        quirks |= rows[i].chosen == choice ? rows[i].quirk : 0;
    }
    return quirks;
}

/*
 * Checks the properties here, because the core's PIXMILL_ERROR_ARGUMENT does
 * not tell which one is wrong.
 */
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
    if (s->render_threads > PIXMILL_VIVANTE_MAX_RENDER_THREADS) {
        error_setg(errp, TYPE_VIVANTE_GC ": render-threads is %d at most",
                   PIXMILL_VIVANTE_MAX_RENDER_THREADS);
        return false;
    }
    return true;
}

static void vivante_realize(DeviceState *dev, Error **errp)
{
    VivanteGCState *s = VIVANTE_GC(dev);
    PixmillVivanteConfig config;
    bool threaded;

    if (!vivante_check_properties(s, errp) ||
        !pixmill_shell_choose_worker(&s->shell, &threaded, errp)) {
        return;
    }
    config = (PixmillVivanteConfig) {
        .model = s->model,
        .core_clock_hz = s->core_clock_hz,
        .poll_min_ns = s->poll_min_us * SCALE_US,
        .poll_max_ns = s->poll_max_us * SCALE_US,
        /* A slice of inline work is too small to share among threads. */
        .render_threads = threaded ? s->render_threads : 1,
        .quirks_on = vivante_quirks(s, ON_OFF_AUTO_ON),
        .quirks_off = vivante_quirks(s, ON_OFF_AUTO_OFF),
        .jit = s->jit ? PIXMILL_VIVANTE_JIT_HOT : PIXMILL_VIVANTE_JIT_NEVER,
    };
    pixmill_shell_realize(&s->shell, dev, &config, s->model, errp);
}

static void vivante_reset_hold(Object *obj, ResetType type)
{
    VivanteGCState *s = VIVANTE_GC(obj);

    s->clock_off_logged = false;
    pixmill_shell_reset_hold(&s->shell);
    vivante_update_standby(s);
}

static void vivante_init(Object *obj)
{
    VivanteGCState *s = VIVANTE_GC(obj);

    pixmill_shell_init(&s->shell, obj, &pixmill_vivante, &vivante_mmio_ops);
    pixmill_shell_init_sysbus(&s->shell, SYS_BUS_DEVICE(obj));
    qdev_init_gpio_out_named(DEVICE(obj), &s->standby, "standby", 1);
    qdev_init_gpio_in_named(DEVICE(obj), vivante_set_clock_off,
                            VIVANTE_GC_CLOCK_OFF, 1);
}

static const VMStateField vivante_same[] = {
    PIXMILL_SAME("core-clock-hz", VivanteGCState, core_clock_hz),
    PIXMILL_SAME("x-yuv-order-fault", VivanteGCState, yuv_order_fault),
    PIXMILL_SAME("x-solid-triangles", VivanteGCState, solid_triangles),
    PIXMILL_SAME("x-shared-stencil-masks", VivanteGCState,
                 shared_stencil_masks),
    PIXMILL_SAME("x-large-points", VivanteGCState, large_points),
    VMSTATE_END_OF_LIST()
};

static void vivante_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Vivante GC graphics core (2D, 3D or VG)";
    dc->realize = vivante_realize;
    device_class_set_props(dc, vivante_properties);
    pixmill_shell_class_init(dc, &pixmill_vivante,
                             offsetof(VivanteGCState, shell), 4,
                             vivante_same);
    RESETTABLE_CLASS(oc)->phases.hold = vivante_reset_hold;
}

static const TypeInfo vivante_types[] = {
    {
        .name = TYPE_VIVANTE_GC,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(VivanteGCState),
        .instance_init = vivante_init,
        .class_init = vivante_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_PIXMILL_SHELL_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(vivante_types)
