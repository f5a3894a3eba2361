/*
 * NXP LCDIFv2, the display controller of the i.MX RT1170.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0), an interrupt for each of its two
 * domains, level high (sysbus IRQs 0 and 1).  The console shows the layers on
 * the background while the display is on.  A frame ends 60 times a second,
 * whatever the clocks and the panel's timing are.
 *
 * What is shown can be saved: picture-file.h.
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
#define LCDIFV2_DESCRIPTOR 6 /* registers of a layer that are loaded at once */
#define LCDIFV2_CLUT_ENTRIES 256 /* of a layer */
#define LCDIFV2_CLUT_WORDS (LCDIFV2_LAYERS * LCDIFV2_CLUT_ENTRIES)
#define LCDIFV2_CSC_LAYERS 2 /* from 0 on: with a color space conversion */

typedef struct LCDIFv2Layer {
    uint32_t desc[LCDIFV2_DESCRIPTOR]; /* CTRLDESCL1 to 6 */
} LCDIFv2Layer;

struct LCDIFv2State {
    SysBusDevice parent_obj;

    PixmillPictureFile picture;
    MemoryRegion mmio;
    qemu_irq irq[LCDIFV2_DOMAINS];
    QEMUTimer frame; /* its end */
    QemuConsole *console;

    uint32_t reg[LCDIFV2_REGISTERS];
    uint32_t clut[LCDIFV2_CLUT_WORDS];    /* as it is read and written */
    uint32_t palette[LCDIFV2_CLUT_WORDS]; /* as it is shown */
    LCDIFv2Layer layer[LCDIFV2_LAYERS]; /* what is shown, of the last load */
};

#endif
