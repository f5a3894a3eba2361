/*
 * Goodix GR5526: Cortex-M4F, memories, timers, UARTs, NEMA|GFX, display.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_GR5526_H
#define HW_PIXMILL_GR5526_H

#include "hw/arm/armv7m.h"
#include "hw/timer/cmsdk-apb-dualtimer.h"
#include "hw/timer/cmsdk-apb-timer.h"
#include "hw/watchdog/cmsdk-apb-watchdog.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/cortex-m-caches.h"
#include "hw/pixmill/parts/dw-uart.h"
#include "hw/pixmill/parts/firmware.h"
#include "gr5526-display.h"
#include "hw/pixmill/cores/nema.h"

#define TYPE_GR5526_MACHINE MACHINE_TYPE_NAME("gr5526")
OBJECT_DECLARE_SIMPLE_TYPE(Gr5526MachineState, GR5526_MACHINE)

#define GR5526_UARTS 6
#define GR5526_TIMERS 2

struct Gr5526MachineState {
    MachineState parent_obj;

    /* Properties. */
    uint64_t gpu_base; /* 0: that of the GR5526 */
    char *framebuffer; /* ADDRESS:WIDTHxHEIGHT:FORMAT or NULL */

    PixmillFirmware firmware; /* vector_table is a property */
    CortexMCachesConfig caches;

    Clock *sysclk;
    ARMv7MState armv7m;
    MemoryRegion flash;
    MemoryRegion sram;
    MemoryRegion sram_alias;
    MemoryRegion psram_alias;
    MemoryRegion peripherals;
    MemoryRegion peripherals_alias;
    MemoryRegion gpu_alias;
    MemoryRegion test_exit;

    CMSDKAPBTimer timer[GR5526_TIMERS];
    CMSDKAPBDualTimer dual_timer;
    CMSDKAPBWatchdog watchdog;
    DWUARTState uart[GR5526_UARTS];
    NemaGfxState gpu;
    Gr5526DisplayState display;
};

#endif
