/*
 * Display controller of the GR5526 (Think Silicon NEMA|DC, "GDC"): registers,
 * the end-of-frame interrupt, and layer 0 on a QEMU console.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0).  The console shows the first of these that exists:
 *
 *   1. layer 0, while its MODE enables it;
 *   2. the surface of the properties address, width, height and format;
 *   3. the surface in TEX0 of the linked GPU, read whenever the GPU is found
 *      idle after its first primitive.
 *
 * The picture can be saved: see picture-file.h.
 *
 * Goodix GR5526.SDK drivers hal_gdc.h and hal_gdc_regs.h.
 */
#ifndef HW_PIXMILL_GR5526_DISPLAY_H
#define HW_PIXMILL_GR5526_DISPLAY_H

#include "qemu/timer.h"
#include "ui/console.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/nema.h"
#include "hw/pixmill/parts/picture-file.h"

#define TYPE_GR5526_DISPLAY "gr5526-display"
OBJECT_DECLARE_SIMPLE_TYPE(Gr5526DisplayState, GR5526_DISPLAY)

#define GR5526_DISPLAY_WINDOW 0x2000

typedef struct Gr5526DisplayFormat Gr5526DisplayFormat;

/* A picture in memory; format is NULL if there is none. */
typedef struct Gr5526DisplaySurface {
    const Gr5526DisplayFormat *format;
    uint32_t address;
    uint32_t width;
    uint32_t height;
    uint32_t stride; /* bytes from one row to the next */
} Gr5526DisplaySurface;

struct Gr5526DisplayState {
    SysBusDevice parent_obj;

    /* Properties. */
    NemaGfxState *gpu; /* or NULL */
    uint32_t address;
    uint32_t width; /* 0: no such surface */
    uint32_t height;
    char *format_name;
    PixmillPictureFile picture;

    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer frame; /* expires at the end of a frame */
    uint32_t reg[GR5526_DISPLAY_WINDOW / 4];
    uint32_t pending; /* events, as in INTERRUPT */

    int master; /* number of this bus master, for watch.h */
    QemuConsole *console;
    PixmillNemaTarget target;
    Gr5526DisplaySurface fixed;
    Gr5526DisplaySurface shown;
    MemoryRegionSection section; /* memory of the shown surface */
    bool invalidated;            /* redraw everything */
};

#endif
