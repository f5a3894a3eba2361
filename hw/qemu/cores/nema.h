/*
 * NEMA|GFX graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), two level-triggered interrupts, active
 * high (sysbus IRQ 0: completion, 1: error), a GPIO output "freeze" (GP_FLAGS
 * 7:4), and DMA.  The core behind include/pixmill/nema.h implements the
 * registers.
 */
#ifndef HW_PIXMILL_NEMA_H
#define HW_PIXMILL_NEMA_H

#include "hw/pixmill/compat.h"
#include "shell.h"
#include "subprojects/pixmill/include/pixmill/nema.h"

#define TYPE_NEMA_GFX "nema-gfx"
OBJECT_DECLARE_SIMPLE_TYPE(NemaGfxState, NEMA_GFX)

struct NemaGfxState {
    SysBusDevice parent_obj;

    PixmillShell shell;

    uint32_t config;
    uint32_t config_h;
};

/*
 * Calls pixmill_nema_target(), but leaves *@target unchanged if another thread
 * is using the core.  Never waits.  Call under the BQL.
 */
void nema_gfx_get_target(NemaGfxState *s, PixmillNemaTarget *target);

#endif
