/*
 * The display side of an AMD Geode LX as a QEMU device, on a console.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   sysbus MMIO 0 to 2   registers of DC, VP and VIP, 16 KiB each
 *   sysbus IRQ 0         level high
 *   vram                 the memory to show
 *   output, panel        what VSA reports as connected: PixmillGeodeOutput,
 *                        and the resolution of the panel
 *   vsa                  true if VSA's virtual registers exist
 *
 * The core behind include/pixmill/geode_display.h implements the registers.
 */
#ifndef HW_PIXMILL_GEODE_DISPLAY_H
#define HW_PIXMILL_GEODE_DISPLAY_H

#include "ui/console.h"
#include "hw/pixmill/compat.h"
#include "shell.h"
#include "subprojects/pixmill/include/pixmill/geode_display.h"

#define TYPE_GEODE_DISPLAY "geode-display"
OBJECT_DECLARE_SIMPLE_TYPE(GeodeDisplayState, GEODE_DISPLAY)

enum {
    GEODE_DISPLAY_BLOCKS = 3,
};

struct GeodeDisplayState {
    SysBusDevice parent_obj;

    PixmillShell shell;
    MemoryRegion block[GEODE_DISPLAY_BLOCKS]; /* parts of the shell's window */
    MemoryRegion vsa_ports;

    QemuConsole *console;
    DeviceState *shown_by; /* owner of the console; NULL: this device */
    bool redraw;
    bool direct;           /* the surface of the console is VRAM */
    uint32_t generation;   /* generation of the picture on the console */

    MemoryRegion *vram;
    uint32_t output;
    uint32_t panel;
    bool vsa;

    /*
     * Called after each register write, if not NULL, because timing may have
     * changed.
     */
    void (*written)(GeodeDisplayState *s);
};

#endif
