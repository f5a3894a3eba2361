/*
 * What the stock device trees of AM57xx boards need of the SoC: DM timers,
 * COUNTER_32K, and the registers of clocks, power, control and modules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_AM57XX_SOC_H
#define HW_PIXMILL_AM57XX_SOC_H

#include "hw/pixmill/parts/ti-soc-registers.h"

/*
 * Makes @parent's children "timer1" ... "timer16", "counter32k" and
 * "registers", and maps them into the system memory.  Timers interrupt inputs
 * "source" of @crossbar (NULL: nothing).  @dtb: the file of the tree that will
 * be booted, as -dtb has it, which says where modules are (NULL: none).  Exits
 * with a message if it is none.
 *
 * Returns "registers"; its input "standby" 0 is BB2D's.
 */
DeviceState *am57xx_soc_create(Object *parent, DeviceState *crossbar,
                               const char *dtb);

#endif
