/*
 * Graphics cores and display of the i.MX6: interface to hw/arm/fsl-imx6.c and
 * hw/arm/sabrelite.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_FSL_IMX6_H
#define HW_PIXMILL_FSL_IMX6_H

#include "hw/arm/fsl-imx6.h"
#include "hw/pixmill/compat.h"

/* Adds the properties of the machine. */
void sabrelite_pixmill_class_init(MachineClass *mc);

/*
 * Called at the end of the SoC's realize, when the interrupt controller exists.
 */
void fsl_imx6_pixmill_realize(FslIMX6State *s, Error **errp);

#endif
