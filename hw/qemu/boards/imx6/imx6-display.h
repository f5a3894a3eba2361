/*
 * The display of the i.MX6 Quad on boards like sabrelite: two IPUs, and the
 * outputs HDMI, LVDS and parallel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_IMX6_DISPLAY_H
#define HW_PIXMILL_IMX6_DISPLAY_H

#include "hw/i2c/i2c.h"
#include "hw/misc/imx_ccm.h"
#include "hw/pixmill/compat.h"

typedef struct Imx6DisplayPlace {
    DeviceState *controller; /* interrupts, by SPI */
    IMXCCMState *ccm;
    I2CBus *ddc; /* bus of the HDMI monitor */
} Imx6DisplayPlace;

/* Creates, maps and wires everything.  Returns false if something fails. */
bool imx6_display_create(const Imx6DisplayPlace *place, Error **errp);

#endif
