/*
 * NXP LPUART, as the i.MX RT1170 has it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0), one interrupt, level high (sysbus
 * IRQ 0).  Characters of 8 bits, FIFOs of 4; a character takes no time.
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
    guint watch; /* for the other end to take more; 0: none */

    uint32_t reg[NXP_LPUART_REGISTERS]; /* without what the FIFOs say */
    NXPLPUARTFifo tx;
    NXPLPUARTFifo rx;
};

#endif
