/*
 * The IRQ crossbar of the AM57xx: its banks, their addresses and reset values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_AM57XX_CROSSBAR_H
#define HW_PIXMILL_AM57XX_CROSSBAR_H

#include "hw/pixmill/parts/ti-irq-crossbar.h"

/*
 * Number of sources: enough for every chip of the family (I2C6 is 402).  linux
 * dra7.dtsi uses 400.
 */
#define AM57XX_CROSSBAR_SOURCES 420

/* Number of lines of the bank "mpu".  Line n is SPI n of the GIC. */
#define AM57XX_MPU_LINES 160

/*
 * Creates the crossbar as @parent's child "crossbar", with the banks mpu, ipu1,
 * ipu2, dsp1, dsp2, pruss1, pruss2, eve1 ... eve4, and maps these into system
 * memory, on top of the rest of the control module.  The caller connects the
 * inputs "source" of the crossbar, the outputs "line" of
 * ti_irq_crossbar_bank(crossbar, "mpu"), and the lines that bypass the
 * crossbar: 0-3, 5, 6, 131-133, 139, 140.
 */
DeviceState *am57xx_crossbar_create(Object *parent);

#endif
