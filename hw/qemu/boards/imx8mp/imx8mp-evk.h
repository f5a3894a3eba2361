/*
 * Additions to QEMU's evaluation kit of the i.MX8M Plus: interface to
 * hw/arm/imx8mp-evk.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_IMX8MP_EVK_H
#define HW_PIXMILL_IMX8MP_EVK_H

#include "hw/pixmill/compat.h"

/* Adds the properties of the machine. */
void imx8mp_evk_pixmill_class_init(MachineClass *mc);

/*
 * Adds graphics cores and virtio-mmio transports, after the SoC has been
 * realized.  @gic is its interrupt controller.
 */
void imx8mp_evk_pixmill_init(DeviceState *gic);

/* Adds nodes for the transports to the board's device tree, unless disabled. */
void imx8mp_evk_pixmill_modify_dtb(void *fdt);

#endif
