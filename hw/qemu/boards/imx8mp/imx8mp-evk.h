/*
 * Additions to QEMU's evaluation kit of the i.MX8M Plus: what
 * hw/arm/imx8mp-evk.c calls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_IMX8MP_EVK_H
#define HW_PIXMILL_IMX8MP_EVK_H

#include "hw/pixmill/compat.h"

/* Properties of the machine. */
void imx8mp_evk_pixmill_class_init(MachineClass *mc);

/*
 * The SoC, whose interrupt controller is @gic, is realized: adds graphics cores
 * and transports for devices of virtio.
 */
void imx8mp_evk_pixmill_init(DeviceState *gic);

/* Adds the transports' nodes to the board's tree, unless a property is off. */
void imx8mp_evk_pixmill_modify_dtb(void *fdt);

#endif
