/*
 * DesignWare UART: a 16550 followed by status registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0), and the property chardev.  Never busy: a write of LCR
 * always succeeds.
 */
#ifndef HW_PIXMILL_DW_UART_H
#define HW_PIXMILL_DW_UART_H

#include "uart-16550.h"

#define TYPE_DW_UART "dw-uart"
OBJECT_DECLARE_SIMPLE_TYPE(DWUARTState, DW_UART)

#define DW_UART_WINDOW 0x100

struct DWUARTState {
    SysBusDevice parent_obj;

    PixmillSerial serial;
    MemoryRegion status_mmio;
};

#endif
