/*
 * A 16550 in the window of a UART, and whose transmitter can be full.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's 16550 overwrites the oldest byte of a full FIFO.  Here a byte that
 * finds it full is lost, as on DesignWare's (databook, THR); without a FIFO it
 * replaces the one that waits.  Nobody waits for the backend: while that takes
 * nothing, LSR says so.
 */
#ifndef HW_PIXMILL_UART_16550_H
#define HW_PIXMILL_UART_16550_H

#include "hw/char/serial-mm.h"

#define PIXMILL_SERIAL_SHIFT 2 /* registers are four bytes apart */

typedef struct PixmillSerial {
    MemoryRegion mmio; /* the window */
    MemoryRegion data_mmio; /* over RBR and THR, and with the divisor latch DLL */
    SerialMM mm;
} PixmillSerial;

/*
 * In instance_init() of @sbd: MMIO 0, a window of @bytes that begins with the
 * 16550, and property chardev.  No region is put into another before realize():
 * that is a memory transaction, and "-device TYPE,help" makes an instance before
 * there is a page size.
 */
void pixmill_serial_init(PixmillSerial *s, SysBusDevice *sbd, uint64_t bytes);

/* In its realize(): the 16550 lies there, and its interrupt is IRQ 0. */
bool pixmill_serial_realize(PixmillSerial *s, SysBusDevice *sbd, Error **errp);

/* A realized 16550 transmits through a FIFO of @bytes from now on. */
void pixmill_serial_set_xmit_fifo(SerialState *serial, uint32_t bytes);

/* A byte that is written now has no place. */
bool pixmill_serial_is_full(SerialState *serial);

/* Whether a loaded FIFO is one that there can be. */
bool pixmill_serial_xmit_is_valid(SerialState *serial);

#endif
