/*
 * TI COUNTER_32K: a free-running 32768 Hz counter, reset at power-on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "qemu/log.h"
#include "qemu/timer.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "ti-counter32k.h"
#include "mmio-ops.h"

#define REVISION 0x00
#define OLD_SYSCONFIG 0x04 /* absent, but Linux writes it on all parts */
#define SYSCONFIG 0x10
#define CR 0x30

/*
 * Bits 31:30 mean that the counter is at 0x30; older revisions have it at 0x10
 * (linux drivers/clocksource/timer-ti-32k.c).
 */
#define REVISION_VALUE 0x50000000

#define SYSCONFIG_WRITABLE 0x18 /* IDLEMODE */

static uint64_t ti_counter32k_read(void *opaque, hwaddr addr, unsigned size)
{
    TICounter32kState *s = opaque;

    switch (addr) {
    case REVISION:
        return REVISION_VALUE;
    case SYSCONFIG:
        return s->sysconfig;
    case CR:
        return (uint32_t)muldiv64(qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL), 32768,
                                  NANOSECONDS_PER_SECOND);
    default:
        return 0;
    }
}

static void ti_counter32k_write(void *opaque, hwaddr addr, uint64_t value,
                                unsigned size)
{
    TICounter32kState *s = opaque;

    trace_pixmill_counter32k_write(addr, value);
    if (addr == SYSCONFIG) {
        s->sysconfig = value & SYSCONFIG_WRITABLE;
    } else if (addr != OLD_SYSCONFIG) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_TI_COUNTER32K ": write of 0x%08"
                      PRIx64 " to offset 0x%02" HWADDR_PRIx ", which is not "
                      "writable\n", value, addr);
    }
}

static const MemoryRegionOps ti_counter32k_ops =
    PIXMILL_WORD_OPS(ti_counter32k_read, ti_counter32k_write);

/* Drops bits that the guest could not have written. */
static int ti_counter32k_post_load(void *opaque, int version_id)
{
    TICounter32kState *s = opaque;

    s->sysconfig &= SYSCONFIG_WRITABLE;
    return 0;
}

static const VMStateDescription vmstate_ti_counter32k = {
    .name = TYPE_TI_COUNTER32K,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = ti_counter32k_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(sysconfig, TICounter32kState),
        VMSTATE_END_OF_LIST()
    },
};

/* A reset does not affect the counter: only power-on resets it. */
static void ti_counter32k_reset_enter(Object *obj, ResetType type)
{
    TI_COUNTER32K(obj)->sysconfig = 0;
}

static void ti_counter32k_init(Object *obj)
{
    TICounter32kState *s = TI_COUNTER32K(obj);

    memory_region_init_io(&s->mmio, obj, &ti_counter32k_ops, s,
                          TYPE_TI_COUNTER32K, TI_COUNTER32K_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
}

static void ti_counter32k_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "TI 32 kHz counter";
    dc->vmsd = &vmstate_ti_counter32k;
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = ti_counter32k_reset_enter;
}

static const TypeInfo ti_counter32k_types[] = {
    {
        .name = TYPE_TI_COUNTER32K,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(TICounter32kState),
        .instance_init = ti_counter32k_init,
        .class_init = ti_counter32k_class_init,
    },
};

DEFINE_TYPES(ti_counter32k_types)
