/*
 * NXP i.MX RT1170: Cortex-M7, memories, LPUARTs, timers, GC355, display.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_IMXRT1170_H
#define HW_PIXMILL_IMXRT1170_H

#include "hw/arm/armv7m.h"
#include "hw/misc/imx_ccm.h"
#include "hw/timer/imx_gpt.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/vivante.h"
#include "hw/pixmill/parts/cortex-m-caches.h"
#include "hw/pixmill/parts/firmware.h"
#include "hw/pixmill/parts/lcdifv2.h"
#include "hw/pixmill/parts/lpuart.h"
#include "imxrt1170-registers.h"

#define TYPE_IMXRT1170_MACHINE MACHINE_TYPE_NAME("imxrt1170")
OBJECT_DECLARE_SIMPLE_TYPE(Imxrt1170MachineState, IMXRT1170_MACHINE)

#define TYPE_IMXRT1170_CLOCKS "imxrt1170-clocks"

#define IMXRT1170_LPUARTS 12
#define IMXRT1170_GPTS 6

struct Imxrt1170MachineState {
    MachineState parent_obj;

    PixmillFirmware firmware; /* vector_table is a property */
    CortexMCachesConfig caches;

    Clock *cpuclk;
    Clock *systick;
    ARMv7MState armv7m;
    MemoryRegion itcm;
    MemoryRegion dtcm;
    MemoryRegion ocram;
    MemoryRegion flash;

    IMXCCMState clocks;
    IMXGPTState gpt[IMXRT1170_GPTS];
    NXPLPUARTState lpuart[IMXRT1170_LPUARTS];
    DeviceState *gpu_gate; /* the block with its clock gate */
    VivanteGCState gpu;
    LCDIFv2State display;
    OrIRQState display_irq;
};

#endif
