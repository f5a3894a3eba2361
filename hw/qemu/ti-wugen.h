/*
 * TI wake-up generator (WUGEN): the register file next to the MPU's GIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0).  The wake-up generator watches the
 * interrupt lines while the MPU's power domain sleeps; that sleep is not
 * modelled, so enables, AuxCoreBoot and the like are storage.
 */
#ifndef HW_PIXMILL_TI_WUGEN_H
#define HW_PIXMILL_TI_WUGEN_H

#include "hw/sysbus.h"

#define TYPE_TI_WUGEN "ti-wugen"
OBJECT_DECLARE_SIMPLE_TYPE(TiWugenState, TI_WUGEN)

#define TI_WUGEN_WINDOW 0x1000

struct TiWugenState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    uint8_t registers[TI_WUGEN_WINDOW]; /* little-endian words */
};

#endif
