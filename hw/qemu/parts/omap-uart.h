/*
 * UART of OMAP and AM57xx: a 16550 and TI's registers behind it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0), one interrupt, level high (sysbus
 * IRQ 0), property chardev.  IrDA, DMA and the FIFO's trigger extensions are
 * registers without effect.
 */
#ifndef HW_PIXMILL_OMAP_UART_H
#define HW_PIXMILL_OMAP_UART_H

#include "uart-16550.h"

#define TYPE_OMAP_UART "omap-uart"
OBJECT_DECLARE_SIMPLE_TYPE(OMAPUARTState, OMAP_UART)

#define OMAP_UART_WINDOW 0x100
#define OMAP_UART_EXTENSION 0x20 /* where TI's registers begin */
#define OMAP_UART_EXTENSION_WORDS (0x60 / 4)
#define OMAP_UART_BANKED 0x08 /* registers that LCR can exchange, up to there */
#define OMAP_UART_BANKED_WORDS ((OMAP_UART_EXTENSION - OMAP_UART_BANKED) / 4)

struct OMAPUARTState {
    SysBusDevice parent_obj;

    PixmillSerial serial;
    MemoryRegion extension_mmio;
    MemoryRegion banked_mmio; /* over those of the 16550 */

    uint8_t extension[OMAP_UART_EXTENSION_WORDS]; /* 8 bits, 4 bytes apart */
    uint8_t mode_b[OMAP_UART_BANKED_WORDS]; /* in configuration mode B */
};

#endif
