/*
 * The toy core as a QEMU device: MMIO 0, IRQ 0, DMA.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "hw/qdev-properties.h"
#include "hw/sysbus.h"
#include "hw/pixmill/cores/shell.h"
#include "subprojects/pixmill/tests/toy/toy.h"

#define TYPE_PIXMILL_TOY "pixmill-toy"
OBJECT_DECLARE_SIMPLE_TYPE(ToyState, PIXMILL_TOY)

struct ToyState {
    SysBusDevice parent_obj;
    PixmillShell shell;
};

static const MemoryRegionOps toy_mmio_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = pixmill_shell_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

static const Property toy_properties[] = {
    DEFINE_PIXMILL_SHELL_PROPERTIES(ToyState, shell),
};

static void toy_realize(DeviceState *dev, Error **errp)
{
    pixmill_shell_realize(&PIXMILL_TOY(dev)->shell, dev, NULL, "toy", errp);
}

static void toy_reset_enter(Object *obj, ResetType type)
{
    pixmill_shell_reset_enter(&PIXMILL_TOY(obj)->shell);
}

static void toy_reset_hold(Object *obj, ResetType type)
{
    pixmill_shell_reset_hold(&PIXMILL_TOY(obj)->shell);
}

static void toy_init(Object *obj)
{
    PixmillShell *shell = &PIXMILL_TOY(obj)->shell;

    pixmill_shell_init(shell, obj, &pixmill_toy, &toy_mmio_ops);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &shell->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &shell->irq[0]);
}

static void toy_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->realize = toy_realize;
    device_class_set_props(dc, toy_properties);
    pixmill_shell_class_init(dc, &pixmill_toy, offsetof(ToyState, shell), 1);
    RESETTABLE_CLASS(oc)->phases.enter = toy_reset_enter;
    RESETTABLE_CLASS(oc)->phases.hold = toy_reset_hold;
}

static const TypeInfo toy_types[] = {
    {
        .name = TYPE_PIXMILL_TOY,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(ToyState),
        .instance_init = toy_init,
        .class_init = toy_class_init,
    },
};

DEFINE_TYPES(toy_types)
