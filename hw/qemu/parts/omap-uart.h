/*
 * UART of OMAP and AM57xx: a 16550 followed by TI's registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0), and the property chardev.  The registers of IrDA, DMA
 * and the FIFO trigger extensions have no effect.
 */
#ifndef HW_PIXMILL_OMAP_UART_H
#define HW_PIXMILL_OMAP_UART_H

#include "uart-16550.h"

#define TYPE_OMAP_UART "omap-uart"
OBJECT_DECLARE_SIMPLE_TYPE(OMAPUARTState, OMAP_UART)

#define OMAP_UART_WINDOW 0x100
#define OMAP_UART_EXTENSION 0x20 /* start of TI's registers */
#define OMAP_UART_EXTENSION_WORDS (0x60 / 4)
#define OMAP_UART_BANKED 0x08 /* start of the registers that LCR can switch */
#define OMAP_UART_BANKED_WORDS ((OMAP_UART_EXTENSION - OMAP_UART_BANKED) / 4)

struct OMAPUARTState {
    SysBusDevice parent_obj;

    PixmillSerial serial;
    MemoryRegion extension_mmio;
    MemoryRegion banked_mmio; /* on top of those of the 16550 */

    uint8_t extension[OMAP_UART_EXTENSION_WORDS]; /* 4 bytes apart */
    uint8_t mode_b[OMAP_UART_BANKED_WORDS]; /* in configuration mode B */
};

#endif
