/*
 * The data register of a 16550 whose transmitter can be full.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "mmio-ops.h"
#include "serial-data.h"

/* Bits of the 16550 that QEMU keeps to itself. */
#define UART_FCR_FE 0x01
#define UART_LCR_DLAB 0x80
#define UART_LSR_THRE 0x20

bool pixmill_serial_is_full(SerialState *serial)
{
    return serial->fcr & UART_FCR_FE ? fifo8_is_full(&serial->xmit_fifo)
                                     : !(serial->lsr & UART_LSR_THRE);
}

/* QEMU takes it that bytes wait exactly while THRE is clear. */
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

    /* The register has eight bits; nothing is above them. */
    if (!addr && !lost) {
        serial_io_ops.write(serial, 0, value & 0xFF, 1);
    }
}

static const MemoryRegionOps serial_data_ops =
    PIXMILL_BYTE_OPS(serial_data_read, serial_data_write);

void pixmill_serial_data_init(MemoryRegion *mr, Object *owner,
                              SerialState *serial)
{
    memory_region_init_io(mr, owner, &serial_data_ops, serial, "serial-data",
                          4);
}
