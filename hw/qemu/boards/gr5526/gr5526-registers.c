/*
 * Registers of the GR5526 that only remember.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bswap.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "gr5526-registers.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "hw/pixmill/trace.h"

static uint64_t gr5526_registers_read(void *opaque, hwaddr addr, unsigned size)
{
    Gr5526RegistersState *s = opaque;
    uint64_t value = ldn_le_p(&s->bytes[addr], size);

    trace_pixmill_gr5526_registers_read(DEVICE(s)->canonical_path, addr, size,
                                        value);
    return value;
}

static void gr5526_registers_write(void *opaque, hwaddr addr, uint64_t value,
                                   unsigned size)
{
    Gr5526RegistersState *s = opaque;

    trace_pixmill_gr5526_registers_write(DEVICE(s)->canonical_path, addr, size,
                                         value);
    stn_le_p(&s->bytes[addr], size, value);
}

static const MemoryRegionOps gr5526_registers_ops =
    PIXMILL_BYTE_OPS(gr5526_registers_read, gr5526_registers_write);

static void gr5526_registers_reset_enter(Object *obj, ResetType type)
{
    Gr5526RegistersState *s = GR5526_REGISTERS(obj);

    memset(s->bytes, 0, sizeof(s->bytes));
}

static void gr5526_registers_realize(DeviceState *dev, Error **errp)
{
    Gr5526RegistersState *s = GR5526_REGISTERS(dev);

    if (s->size < 4 || s->size > GR5526_REGISTERS_MAX_SIZE || s->size % 4) {
        error_setg(errp, TYPE_GR5526_REGISTERS ": size is a multiple of 4 from "
                   "4 to %d, not %" PRIu32, GR5526_REGISTERS_MAX_SIZE, s->size);
        return;
    }
    memory_region_init_io(&s->mmio, OBJECT(s), &gr5526_registers_ops, s,
                          TYPE_GR5526_REGISTERS, s->size);
    sysbus_init_mmio(SYS_BUS_DEVICE(s), &s->mmio);
}

static const VMStateDescription vmstate_gr5526_registers = {
    .name = TYPE_GR5526_REGISTERS,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(bytes, Gr5526RegistersState,
                            GR5526_REGISTERS_MAX_SIZE),
        VMSTATE_END_OF_LIST()
    },
};

static const Property gr5526_registers_properties[] = {
    DEFINE_PROP_UINT32("size", Gr5526RegistersState, size, 0),
};

static void gr5526_registers_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "GR5526 registers without effect";
    dc->realize = gr5526_registers_realize;
    dc->vmsd = &vmstate_gr5526_registers;
    device_class_set_props(dc, gr5526_registers_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = gr5526_registers_reset_enter;
}

static const TypeInfo gr5526_registers_types[] = {
    {
        .name = TYPE_GR5526_REGISTERS,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(Gr5526RegistersState),
        .class_init = gr5526_registers_class_init,
    },
};

DEFINE_TYPES(gr5526_registers_types)
