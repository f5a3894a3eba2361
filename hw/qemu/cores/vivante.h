/*
 * Vivante GC graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0), one interrupt, level high (sysbus
 * IRQ 0), DMA, and the output "standby" for a clock controller.  What is in the
 * window is the business of the core behind include/pixmill/vivante.h.
 */
#ifndef HW_PIXMILL_VIVANTE_H
#define HW_PIXMILL_VIVANTE_H

#include "hw/sysbus.h"
#include "engine.h"
#include "subprojects/pixmill/include/pixmill/vivante.h"

#define TYPE_VIVANTE_GC "vivante-gc"
OBJECT_DECLARE_SIMPLE_TYPE(VivanteGCState, VIVANTE_GC)

#define VIVANTE_GC_WINDOW 0x4000

struct VivanteGCState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    qemu_irq irq;
    qemu_irq standby;
    bool standby_level;

    PixmillVivante *core; /* NULL unless realized */
    PixmillEngine engine;
    AddressSpace *as;
    uint32_t trace_mask;
    PixmillVivanteState *snapshot; /* while migrating */

    char *model;
    char *engine_kind;
    bool force_thread;
    uint32_t core_clock_hz;
    uint32_t poll_min_us;
    uint32_t poll_max_us;
    uint32_t render_threads;
    OnOffAuto yuv_order_fault;
    OnOffAuto filter_copy;
    MemoryRegion *dma;
};

/*
 * The guest's stores have reached memory: a core that idles polls at once.
 * Under the BQL.
 */
void vivante_gc_barrier(VivanteGCState *s);

extern const VMStateDescription vmstate_vivante_gc;

#endif
