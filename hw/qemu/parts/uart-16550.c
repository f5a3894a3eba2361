/*
 * A 16550 in the register window of a UART, with a transmitter that can be
 * full.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pixmill/compat.h"
#include "mmio-ops.h"
#include "uart-16550.h"

/* Bits of the 16550 that QEMU's header does not define. */
#define UART_FCR_FE 0x01
#define UART_LCR_DLAB 0x80
#define UART_LSR_THRE 0x20

bool pixmill_serial_is_full(SerialState *serial)
{
    return serial->fcr & UART_FCR_FE ? fifo8_is_full(&serial->xmit_fifo)
                                     : !(serial->lsr & UART_LSR_THRE);
}

/* QEMU assumes that data is pending if and only if THRE is clear. */
bool pixmill_serial_xmit_is_valid(SerialState *serial)
{
    const Fifo8 *fifo = &serial->xmit_fifo;
    bool waits = !(serial->lsr & UART_LSR_THRE);

    return fifo->head < fifo->capacity && fifo->num <= fifo->capacity &&
           (fifo->num != 0) == (waits && serial->fcr & UART_FCR_FE) &&
           (!waits || serial->tsr_retry);
}

void pixmill_serial_set_xmit_fifo(SerialState *serial, uint32_t bytes)
{
    fifo8_destroy(&serial->xmit_fifo);
    fifo8_create(&serial->xmit_fifo, bytes);
}

static uint64_t serial_data_read(void *opaque, hwaddr addr, unsigned size)
{
    return addr ? 0 : serial_io_ops.read(opaque, 0, 1);
}

static void serial_data_write(void *opaque, hwaddr addr, uint64_t value,
                              unsigned size)
{
    SerialState *serial = opaque;
    bool lost = !(serial->lcr & UART_LCR_DLAB) && serial->fcr & UART_FCR_FE &&
                fifo8_is_full(&serial->xmit_fifo);

    /* The register has eight bits; higher bytes are ignored. */
    if (!addr && !lost) {
        serial_io_ops.write(serial, 0, value & 0xFF, 1);
    }
}

static const MemoryRegionOps serial_data_ops =
    PIXMILL_BYTE_OPS(serial_data_read, serial_data_write);

void pixmill_serial_init(PixmillSerial *s, SysBusDevice *sbd, uint64_t bytes)
{
    Object *obj = OBJECT(sbd);

    object_initialize_child(obj, "serial", &s->mm, TYPE_SERIAL_MM);
    qdev_prop_set_uint8(DEVICE(&s->mm), "regshift", PIXMILL_SERIAL_SHIFT);
    qdev_prop_set_uint8(DEVICE(&s->mm), "endianness", DEVICE_LITTLE_ENDIAN);
    object_property_add_alias(obj, "chardev", OBJECT(&s->mm), "chardev");

    memory_region_init(&s->mmio, obj, object_get_typename(obj), bytes);
    memory_region_init_io(&s->data_mmio, obj, &serial_data_ops, &s->mm.serial,
                          "serial-data", 4);
    sysbus_init_mmio(sbd, &s->mmio);
}

bool pixmill_serial_realize(PixmillSerial *s, SysBusDevice *sbd, Error **errp)
{
    SysBusDevice *serial = SYS_BUS_DEVICE(&s->mm);

    if (!sysbus_realize(serial, errp)) {
        return false;
    }
    memory_region_add_subregion(&s->mmio, 0,
                                sysbus_mmio_get_region(serial, 0));
    memory_region_add_subregion_overlap(&s->mmio, 0, &s->data_mmio, 1);
    sysbus_pass_irq(sbd, serial);
    return true;
}
