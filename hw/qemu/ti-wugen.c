/*
 * TI wake-up generator (WUGEN): the register file next to the MPU's GIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "ti-wugen.h"

/* All offsets are within the window: it is as long as the storage. */
static uint64_t wugen_read(void *opaque, hwaddr addr, unsigned size)
{
    TiWugenState *s = opaque;

    return ldn_le_p(&s->registers[addr], size);
}

static void wugen_write(void *opaque, hwaddr addr, uint64_t data, unsigned size)
{
    TiWugenState *s = opaque;

    stn_le_p(&s->registers[addr], size, data);
}

static const MemoryRegionOps wugen_ops = {
    .read = wugen_read,
    .write = wugen_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {
        .min_access_size = 1,
        .max_access_size = 8, /* arrives as two */
    },
    .impl = {
        .min_access_size = 1,
        .max_access_size = 4,
    },
};

static void wugen_reset_enter(Object *obj, ResetType type)
{
    TiWugenState *s = TI_WUGEN(obj);

    memset(s->registers, 0, sizeof(s->registers));
}

static const VMStateDescription vmstate_wugen = {
    .name = TYPE_TI_WUGEN,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(registers, TiWugenState, TI_WUGEN_WINDOW),
        VMSTATE_END_OF_LIST()
    },
};

static void wugen_init(Object *obj)
{
    TiWugenState *s = TI_WUGEN(obj);

    memory_region_init_io(&s->mmio, obj, &wugen_ops, s, TYPE_TI_WUGEN,
                          TI_WUGEN_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
}

static void wugen_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "TI wake-up generator (register file)";
    dc->vmsd = &vmstate_wugen;
    rc->phases.enter = wugen_reset_enter;
}

static const TypeInfo wugen_types[] = {
    {
        .name = TYPE_TI_WUGEN,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(TiWugenState),
        .instance_init = wugen_init,
        .class_init = wugen_class_init,
    },
};

DEFINE_TYPES(wugen_types)
