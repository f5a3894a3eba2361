/*
 * NEMA|GFX graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "nema.h"

void nema_gfx_get_target(NemaGfxState *s, PixmillNemaTarget *target)
{
    if (pixmill_worker_try_enter(&s->shell.worker)) {
        pixmill_nema_target(s->shell.core, target);
        pixmill_worker_leave(&s->shell.worker);
    }
}

/* Accesses of all sizes are passed to the core, which logs unusual ones. */
static const MemoryRegionOps nema_mmio_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = pixmill_shell_write,
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

/* A value of 0 selects that of the GR5526. */
static const Property nema_properties[] = {
    DEFINE_PIXMILL_SHELL_PROPERTIES(NemaGfxState, shell),
    DEFINE_PROP_UINT32("config", NemaGfxState, config, 0),
    DEFINE_PROP_UINT32("config-h", NemaGfxState, config_h, 0),
};

static void nema_realize(DeviceState *dev, Error **errp)
{
    NemaGfxState *s = NEMA_GFX(dev);
    const PixmillNemaConfig config = {
        .config = s->config,
        .config_h = s->config_h,
    };

    pixmill_shell_realize(&s->shell, dev, &config, TYPE_NEMA_GFX, errp);
}

static void nema_init(Object *obj)
{
    PixmillShell *shell = &NEMA_GFX(obj)->shell;
    SysBusDevice *sbd = SYS_BUS_DEVICE(obj);

    pixmill_shell_init(shell, obj, &pixmill_nema, &nema_mmio_ops);
    sysbus_init_mmio(sbd, &shell->mmio);
    sysbus_init_irq(sbd, &shell->irq[PIXMILL_NEMA_IRQ_COMPLETION]);
    sysbus_init_irq(sbd, &shell->irq[PIXMILL_NEMA_IRQ_ERROR]);
    qdev_init_gpio_out_named(DEVICE(obj), &shell->irq[PIXMILL_NEMA_FREEZE],
                             "freeze", 1);
}

static const VMStateField nema_same[] = {
    PIXMILL_SAME("config", NemaGfxState, config),
    PIXMILL_SAME("config-h", NemaGfxState, config_h),
    VMSTATE_END_OF_LIST()
};

static void nema_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "NEMA|GFX graphics core (2.5D)";
    dc->realize = nema_realize;
    device_class_set_props(dc, nema_properties);
    pixmill_shell_class_init(dc, &pixmill_nema, offsetof(NemaGfxState, shell),
                             2, nema_same);
}

static const TypeInfo nema_types[] = {
    {
        .name = TYPE_NEMA_GFX,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(NemaGfxState),
        .instance_init = nema_init,
        .class_init = nema_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_PIXMILL_SHELL_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(nema_types)
