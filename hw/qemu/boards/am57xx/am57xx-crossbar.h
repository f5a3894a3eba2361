/*
 * The IRQ crossbar of the AM57xx: its banks, their places and reset values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_AM57XX_CROSSBAR_H
#define HW_PIXMILL_AM57XX_CROSSBAR_H

#include "hw/pixmill/parts/ti-irq-crossbar.h"

/*
 * What some chip of the family routes (I2C6 is 402); linux dra7.dtsi uses 400.
 */
#define AM57XX_CROSSBAR_SOURCES 420

/* Lines of the bank "mpu"; a line's number is the GIC's SPI. */
#define AM57XX_MPU_LINES 160

/*
 * Makes the crossbar as @parent's child "crossbar", its banks mpu, ipu1, ipu2,
 * dsp1, dsp2, pruss1, pruss2, eve1 ... eve4, and maps these into the system
 * memory, on top of what else there is of the control module.  The caller
 * connects inputs "source" of the crossbar and outputs "line" of
 * ti_irq_crossbar_bank(crossbar, "mpu"), and by itself those lines that go
 * around the crossbar: 0-3, 5, 6, 131-133, 139, 140.
 */
DeviceState *am57xx_crossbar_create(Object *parent);

#endif
