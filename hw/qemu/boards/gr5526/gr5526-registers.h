/*
 * Registers of the GR5526 that only remember: clock gates and the like, with
 * nothing behind them that could be switched off.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0) of property size bytes.  All start
 * as 0.
 */
#ifndef HW_PIXMILL_GR5526_REGISTERS_H
#define HW_PIXMILL_GR5526_REGISTERS_H

#include "hw/pixmill/compat.h"

#define TYPE_GR5526_REGISTERS "gr5526-registers"
OBJECT_DECLARE_SIMPLE_TYPE(Gr5526RegistersState, GR5526_REGISTERS)

#define GR5526_REGISTERS_MAX_SIZE 0x400

struct Gr5526RegistersState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    uint32_t size;
    uint8_t bytes[GR5526_REGISTERS_MAX_SIZE];
};

#endif
