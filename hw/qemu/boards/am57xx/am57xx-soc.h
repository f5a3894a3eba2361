/*
 * The parts of the SoC that stock device trees of AM57xx boards rely on: DM
 * timers, COUNTER_32K, and the registers of clocks, power, control and modules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_AM57XX_SOC_H
#define HW_PIXMILL_AM57XX_SOC_H

#include "hw/pixmill/parts/ti-soc-registers.h"

/*
 * Creates @parent's children "timer1" ... "timer16", "counter32k" and
 * "registers", and maps them into system memory.  Timer interrupts go to the
 * inputs "source" of @crossbar (NULL: unconnected).  @dtb is the file given to
 * -dtb, from which the modules are read (NULL: none).  Exits with a message if
 * it is not a device tree.
 *
 * Returns "registers"; its input "standby" 0 belongs to BB2D.
 */
DeviceState *am57xx_soc_create(Object *parent, DeviceState *crossbar,
                               const char *dtb);

#endif
