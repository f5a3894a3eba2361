/*
 * NEMA|GFX graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0), two interrupts, level high (sysbus
 * IRQ 0: completion, 1: error), a GPIO output "freeze" (GP_FLAGS 7:4), DMA.
 * What is in the window is the business of the core behind
 * include/pixmill/nema.h.
 */
#ifndef HW_PIXMILL_NEMA_H
#define HW_PIXMILL_NEMA_H

#include "hw/sysbus.h"
#include "engine.h"
#include "subprojects/pixmill/include/pixmill/nema.h"

#define TYPE_NEMA_GFX "nema-gfx"
OBJECT_DECLARE_SIMPLE_TYPE(NemaGfxState, NEMA_GFX)

#define NEMA_GFX_IRQS 2
#define NEMA_GFX_LINES (PIXMILL_NEMA_FREEZE + 1)

struct NemaGfxState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    qemu_irq irq[NEMA_GFX_LINES]; /* by line of the core */

    PixmillNema *core; /* NULL unless realized */
    PixmillEngine engine;
    AddressSpace *as;
    uint32_t trace_mask;
    PixmillNemaState *snapshot; /* while migrating */

    char *engine_kind;
    bool force_thread;
    uint32_t config;
    uint32_t config_h;
    MemoryRegion *dma;
};

/* TEX0, the usual destination, as registers. */
typedef struct NemaGfxTarget {
    uint32_t base;
    uint32_t fstride;
    uint32_t resxy;
} NemaGfxTarget;

/*
 * The surface that TEX0 names, if a primitive was ever drawn and the device is
 * found at rest; otherwise *@target stays as it is.  Never waits.  Under the
 * BQL.
 */
void nema_gfx_get_target(NemaGfxState *s, NemaGfxTarget *target);

extern const VMStateDescription vmstate_nema_gfx;

#endif
