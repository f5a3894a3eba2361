/*
 * Vivante GC graphics cores as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0), DMA, and, for a clock controller, the output "standby"
 * and the input "clock-off".
 * The core behind include/pixmill/vivante.h implements the registers.
 */
#ifndef HW_PIXMILL_VIVANTE_H
#define HW_PIXMILL_VIVANTE_H

#include "hw/pixmill/compat.h"
#include "shell.h"
#include "subprojects/pixmill/include/pixmill/vivante.h"

#define TYPE_VIVANTE_GC "vivante-gc"
OBJECT_DECLARE_SIMPLE_TYPE(VivanteGCState, VIVANTE_GC)

/*
 * Input that is high while the SoC's clock gate is shut.  Silicon stalls the
 * bus; the model continues to work and logs the first access.  Not migrated.
 */
#define VIVANTE_GC_CLOCK_OFF "clock-off"

struct VivanteGCState {
    SysBusDevice parent_obj;

    PixmillShell shell;
    qemu_irq standby;
    bool clock_off;
    bool clock_off_logged; /* until reset */

    char *model;
    uint32_t core_clock_hz;
    uint32_t poll_min_us;
    uint32_t poll_max_us;
    uint32_t render_threads;
    bool jit;
    OnOffAuto yuv_order_fault;
    OnOffAuto solid_triangles;
    OnOffAuto shared_stencil_masks;
    OnOffAuto large_points;
};

/* A core in an SoC. */
typedef struct VivanteGCPlace {
    const char *name; /* QOM: /machine/NAME */
    const char *model;
    uint32_t clock_hz; /* unless -global vivante-gc.core-clock-hz is given */
    hwaddr addr;
    int irq; /* input of the SoC's interrupt controller */
    uint32_t poll_min_us; /* unless -global vivante-gc.poll-min-us is given */
} VivanteGCPlace;

/* Creates, maps and wires a core.  Returns NULL if it cannot be realized. */
VivanteGCState *vivante_gc_create(const VivanteGCPlace *place,
                                  DeviceState *controller, Error **errp);

/*
 * Call, with or without the BQL, when the guest's stores have reached memory.
 * Makes an idle core poll immediately, which may raise its interrupt.  Waits
 * for a slice of commands at most.  Raises no exception, and does not change
 * the memory map.
 */
void vivante_gc_barrier(VivanteGCState *s);

#endif
