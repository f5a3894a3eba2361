/*
 * TI COUNTER_32K: a free-running 32768 Hz counter, reset at power-on.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_TI_COUNTER32K_H
#define HW_PIXMILL_TI_COUNTER32K_H

#include "hw/pixmill/compat.h"

#define TYPE_TI_COUNTER32K "ti-counter32k"
OBJECT_DECLARE_SIMPLE_TYPE(TICounter32kState, TI_COUNTER32K)

#define TI_COUNTER32K_WINDOW 0x40

struct TICounter32kState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    uint32_t sysconfig;
};

#endif
