/*
 * NXP LCDIFv2, the display controller of the i.MX RT1170.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), and one level-triggered interrupt,
 * active high, for each of the two domains (sysbus IRQs 0 and 1).  The console
 * shows the layers on the background while the display is on.  A frame ends 60
 * times a second, regardless of the clocks and the panel's timing.
 *
 * The picture can be saved: see picture-file.h.
 */
#ifndef HW_PIXMILL_LCDIFV2_H
#define HW_PIXMILL_LCDIFV2_H

#include "qemu/timer.h"
#include "ui/console.h"
#include "hw/pixmill/compat.h"
#include "picture-file.h"

#define TYPE_LCDIFV2 "lcdifv2"
OBJECT_DECLARE_SIMPLE_TYPE(LCDIFv2State, LCDIFV2)

#define LCDIFV2_WINDOW 0x4000
#define LCDIFV2_LAYERS 8
#define LCDIFV2_DOMAINS 2
#define LCDIFV2_REGISTERS (0x404 / 4)
#define LCDIFV2_DESCRIPTOR 6 /* registers per layer that are loaded together */
#define LCDIFV2_CLUT_ENTRIES 256 /* per layer */
#define LCDIFV2_CLUT_WORDS (LCDIFV2_LAYERS * LCDIFV2_CLUT_ENTRIES)
#define LCDIFV2_CSC_LAYERS 2 /* layers 0 and 1 convert colors */

typedef struct LCDIFv2Layer {
    uint32_t desc[LCDIFV2_DESCRIPTOR]; /* CTRLDESCL1 to 6 */
} LCDIFv2Layer;

struct LCDIFv2State {
    SysBusDevice parent_obj;

    PixmillPictureFile picture;
    MemoryRegion mmio;
    qemu_irq irq[LCDIFV2_DOMAINS];
    QEMUTimer frame; /* expires at the end of a frame */
    QemuConsole *console;
    int master; /* number of this bus master, for watch.h */

    uint32_t reg[LCDIFV2_REGISTERS];
    uint32_t clut[LCDIFV2_CLUT_WORDS];    /* as read and written */
    uint32_t palette[LCDIFV2_CLUT_WORDS]; /* as shown */
    LCDIFv2Layer layer[LCDIFV2_LAYERS]; /* as shown, from the last load */
    uint32_t lost; /* a bit per layer outside of memory; not migrated */
};

#endif
