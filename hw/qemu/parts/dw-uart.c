/*
 * DesignWare UART: a 16550 followed by status registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * linux drivers/tty/serial/8250/8250_dw.c and 8250_dwlib.c.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "hw/pixmill/compat.h"
#include "dw-uart.h"

#define STATUS_OFFSET 0x20

#define LSR_DATA_READY 0x01
#define LSR_THR_EMPTY 0x20

enum {
    R_USR = 0x7C,
    R_TFL = 0x80,
    R_RFL = 0x84,

    USR_TX_NOT_FULL = 1 << 1,
    USR_TX_EMPTY = 1 << 2,
    USR_RX_NOT_EMPTY = 1 << 3,
    USR_RX_FULL = 1 << 4,
};

static uint32_t dw_uart_usr(SerialState *serial)
{
    bool full = fifo8_is_full(&serial->recv_fifo);

    return (pixmill_serial_is_full(serial) ? 0 : USR_TX_NOT_FULL) |
           (serial->lsr & LSR_THR_EMPTY ? USR_TX_EMPTY : 0) |
           (serial->lsr & LSR_DATA_READY ? USR_RX_NOT_EMPTY : 0) |
           (full ? USR_RX_FULL : 0);
}

static uint64_t dw_uart_read(void *opaque, hwaddr addr, unsigned size)
{
    SerialState *serial = &DW_UART(opaque)->serial.mm.serial;

    switch (addr + STATUS_OFFSET) {
    case R_USR:
        return dw_uart_usr(serial);
    case R_TFL:
        return fifo8_num_used(&serial->xmit_fifo);
    case R_RFL:
        return fifo8_num_used(&serial->recv_fifo);
    }
    qemu_log_mask(LOG_UNIMP, TYPE_DW_UART ": read of offset 0x%02"
                  HWADDR_PRIx "\n", addr + STATUS_OFFSET);
    return 0;
}

static void dw_uart_write(void *opaque, hwaddr addr, uint64_t value,
                          unsigned size)
{
    qemu_log_mask(LOG_UNIMP, TYPE_DW_UART ": write of 0x%" PRIx64
                  " to offset 0x%02" HWADDR_PRIx "\n", value,
                  addr + STATUS_OFFSET);
}

static const MemoryRegionOps dw_uart_ops = {
    .read = dw_uart_read,
    .write = dw_uart_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {
        .min_access_size = 1,
        .max_access_size = 4,
    },
    .impl = {
        .min_access_size = 4,
        .max_access_size = 4,
    },
};

static void dw_uart_realize(DeviceState *dev, Error **errp)
{
    DWUARTState *s = DW_UART(dev);

    if (pixmill_serial_realize(&s->serial, SYS_BUS_DEVICE(dev), errp)) {
        memory_region_add_subregion(&s->serial.mmio, STATUS_OFFSET,
                                    &s->status_mmio);
    }
}

static void dw_uart_init(Object *obj)
{
    DWUARTState *s = DW_UART(obj);

    pixmill_serial_init(&s->serial, SYS_BUS_DEVICE(obj), DW_UART_WINDOW);
    memory_region_init_io(&s->status_mmio, obj, &dw_uart_ops, s,
                          TYPE_DW_UART ".status",
                          DW_UART_WINDOW - STATUS_OFFSET);
}

/* All state is in the 16550, which has its own section. */
static void dw_uart_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "DesignWare UART";
    dc->realize = dw_uart_realize;
    set_bit(DEVICE_CATEGORY_INPUT, dc->categories);
}

static const TypeInfo dw_uart_types[] = {
    {
        .name = TYPE_DW_UART,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(DWUARTState),
        .instance_init = dw_uart_init,
        .class_init = dw_uart_class_init,
    },
};

DEFINE_TYPES(dw_uart_types)
