/*
 * Registers of the i.MX RT1170 that start-up code writes and polls: clocks,
 * power, resets, pins.  They remember, and what is waited for is there at once;
 * nothing behind them can be switched off.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0).  The property block names which.
 */
#ifndef HW_PIXMILL_IMXRT1170_REGISTERS_H
#define HW_PIXMILL_IMXRT1170_REGISTERS_H

#include "hw/pixmill/compat.h"

#define TYPE_IMXRT1170_REGISTERS "imxrt1170-registers"
OBJECT_DECLARE_SIMPLE_TYPE(Imxrt1170RegistersState, IMXRT1170_REGISTERS)

typedef struct Imxrt1170Rule Imxrt1170Rule;

/* Of the memory map. */
typedef struct Imxrt1170Block {
    const char *name;
    uint32_t base;
    uint32_t size;
    const Imxrt1170Rule *rules; /* or NULL: it only remembers */
} Imxrt1170Block;

/* Ends with a block without a name. */
extern const Imxrt1170Block imxrt1170_blocks[];

struct Imxrt1170RegistersState {
    SysBusDevice parent_obj;

    char *block_name;
    const Imxrt1170Block *block;
    MemoryRegion mmio;
    uint32_t *reg;
    uint32_t count; /* of them; migrates */
};

#endif
