/*
 * The data register of a 16550 whose transmitter can be full.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's 16550 overwrites the oldest byte of a full FIFO.  Here a byte that
 * finds it full is lost, as on DesignWare's (databook, THR); without a FIFO it
 * replaces the one that waits.  Nobody waits for the backend: while that takes
 * nothing, LSR says so.
 */
#ifndef HW_PIXMILL_SERIAL_DATA_H
#define HW_PIXMILL_SERIAL_DATA_H

#include "hw/char/serial.h"

/* RBR and THR, and with the divisor latch DLL: four bytes to lie over those of
 * @serial. */
void pixmill_serial_data_init(MemoryRegion *mr, Object *owner,
                              SerialState *serial);

/* A realized 16550 transmits through a FIFO of @bytes from now on. */
void pixmill_serial_set_xmit_fifo(SerialState *serial, uint32_t bytes);

/* A byte that is written now has no place. */
bool pixmill_serial_is_full(SerialState *serial);

/* Whether a loaded FIFO is one that there can be. */
bool pixmill_serial_xmit_is_valid(SerialState *serial);

#endif
