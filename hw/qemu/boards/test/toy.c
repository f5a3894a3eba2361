/*
 * The toy core as a QEMU device: MMIO 0, IRQ 0, DMA.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/shell.h"
#include "subprojects/pixmill/tests/toy/toy.h"

#define TYPE_PIXMILL_TOY "pixmill-toy"
OBJECT_DECLARE_SIMPLE_TYPE(ToyState, PIXMILL_TOY)

struct ToyState {
    SysBusDevice parent_obj;
    PixmillShell shell;
};

OBJECT_DEFINE_SIMPLE_TYPE_WITH_INTERFACES(ToyState, toy, PIXMILL_TOY,
                                          SYS_BUS_DEVICE,
                                          { TYPE_PIXMILL_SHELL_DEVICE }, { })

static const Property toy_properties[] = {
    DEFINE_PIXMILL_SHELL_PROPERTIES(ToyState, shell),
};

static void toy_realize(DeviceState *dev, Error **errp)
{
    pixmill_shell_realize(&PIXMILL_TOY(dev)->shell, dev, NULL, "toy", errp);
}

static void toy_init(Object *obj)
{
    PixmillShell *shell = &PIXMILL_TOY(obj)->shell;

    pixmill_shell_init(shell, obj, &pixmill_toy, &pixmill_shell_word_ops);
    pixmill_shell_init_sysbus(shell, SYS_BUS_DEVICE(obj));
}

static void toy_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->realize = toy_realize;
    device_class_set_props(dc, toy_properties);
    pixmill_shell_class_init(dc, &pixmill_toy, offsetof(ToyState, shell), 1,
                             NULL);
}

static void toy_finalize(Object *obj)
{
}
