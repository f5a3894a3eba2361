/*
 * A 16550 in the register window of a UART, with a transmitter that can be
 * full.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's 16550 overwrites the oldest byte of a full FIFO.  Here, a byte that is
 * written to a full FIFO is lost, as on a DesignWare UART (databook, THR);
 * without a FIFO it replaces the pending byte.  A write never waits for the
 * backend; LSR shows that the transmitter is full.
 */
#ifndef HW_PIXMILL_UART_16550_H
#define HW_PIXMILL_UART_16550_H

#include "hw/char/serial-mm.h"

#define PIXMILL_SERIAL_SHIFT 2 /* registers are four bytes apart */

typedef struct PixmillSerial {
    MemoryRegion mmio; /* the window */
    MemoryRegion data_mmio; /* over RBR and THR, or DLL */
    SerialMM mm;
} PixmillSerial;

/*
 * Call in instance_init() of @sbd.  Adds MMIO 0, a window of @bytes that begins
 * with the 16550, and the property chardev.  Regions must not be nested before
 * realize(), because that is a memory transaction, and "-device TYPE,help"
 * creates an instance before the page size is known.
 */
void pixmill_serial_init(PixmillSerial *s, SysBusDevice *sbd, uint64_t bytes);

/*
 * Call in realize() of @sbd.  Maps the 16550 into the window and connects its
 * interrupt to IRQ 0.
 */
bool pixmill_serial_realize(PixmillSerial *s, SysBusDevice *sbd, Error **errp);

/* Gives a realized 16550 a transmit FIFO of @bytes. */
void pixmill_serial_set_xmit_fifo(SerialState *serial, uint32_t bytes);

/* True if a byte written now would be lost. */
bool pixmill_serial_is_full(SerialState *serial);

/* True if a loaded FIFO is consistent. */
bool pixmill_serial_xmit_is_valid(SerialState *serial);

#endif
