/*
 * NXP LPUART of the i.MX RT1170.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0).  Characters have 8 bits and take no time; FIFOs have 4
 * entries.
 */
#ifndef HW_PIXMILL_LPUART_H
#define HW_PIXMILL_LPUART_H

#include "chardev/char-fe.h"
#include "hw/pixmill/compat.h"

#define TYPE_NXP_LPUART "nxp-lpuart"
OBJECT_DECLARE_SIMPLE_TYPE(NXPLPUARTState, NXP_LPUART)

#define NXP_LPUART_WINDOW 0x4000
#define NXP_LPUART_REGISTERS (0x30 / 4)
#define NXP_LPUART_FIFO 4

typedef struct NXPLPUARTFifo {
    uint8_t bytes[NXP_LPUART_FIFO];
    uint32_t used;
} NXPLPUARTFifo;

struct NXPLPUARTState {
    SysBusDevice parent_obj;

    CharFrontend chr;
    MemoryRegion mmio;
    qemu_irq irq;
    guint watch; /* waits until the backend takes more data; 0: none */

    uint32_t reg[NXP_LPUART_REGISTERS]; /* except FIFO status bits */
    NXPLPUARTFifo tx;
    NXPLPUARTFifo rx;
};

#endif
