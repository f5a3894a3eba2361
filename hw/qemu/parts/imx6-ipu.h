/*
 * IPUv3H, the image processing unit of the i.MX6, and its screens.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An IPU has two display interfaces, DI0 and DI1, each of which generates the
 * timing of one picture.  An output of the board (HDMI, LVDS, parallel) chooses
 * a DI, or is off.  Each output has an ImxIpuScreen, which is a device with a
 * console.  Several screens may show the same DI.
 *
 *   sysbus MMIO 0    4 MiB: all blocks of the IPU
 *   sysbus IRQ 0     "sync": frames and other events; level high
 *   sysbus IRQ 1     "error"; level high
 *   refresh          frames per second of each DI, 60 by default.  Linux tunes
 *                    the clocks of all DIs with one PLL, and the resulting rates
 *                    differ from those of the modes, so the model ignores them.
 *   max-width, max-height
 *                    larger pictures are not shown; 4096 and 2160 by default
 *   dma              the memory that the IDMAC reads; by default the system's
 *   stat-rows, stat-bytes
 *                    rows drawn, and bytes of guest memory read for them
 *
 * A board does this, in this order:
 *
 *     for each IPU:     ipu[i] = imx_ipu_create(&place[i], gic, errp);
 *     for each output:  screen = imx_ipu_screen_create("hdmi", errp);
 *                       then "lvds" and "parallel"
 *
 * The consoles have numbers in the order in which the screens are created.
 * Viewers show the first one first, so HDMI comes first.  The screen's name is
 * also its qdev ID, which QMP's screendump takes in its argument "device".
 *
 * Whenever its registers change, and in its reset and post_load, an output
 * calls imx_ipu_screen_show().  @mux is the value of the output's multiplexer
 * in IOMUXC GPR3:
 *
 *     on ? imx_ipu_screen_show(screen, ipu[mux / 2], mux % 2)
 *        : imx_ipu_screen_show(screen, NULL, 0);
 *
 * All functions are called under the BQL, and none of them runs code of a
 * viewer or waits for a vCPU, so a register write may call them.
 */
#ifndef HW_PIXMILL_IMX6_IPU_H
#define HW_PIXMILL_IMX6_IPU_H

#include "qemu/bitmap.h"
#include "qemu/queue.h"
#include "ui/console.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/shell.h"
#include "subprojects/pixmill/include/pixmill/ipuv3.h"

#define TYPE_IMX_IPUV3H "imx.ipuv3h"
OBJECT_DECLARE_SIMPLE_TYPE(ImxIpuState, IMX_IPUV3H)

#define TYPE_IMX_IPU_SCREEN "imx.ipu-screen"
OBJECT_DECLARE_SIMPLE_TYPE(ImxIpuScreen, IMX_IPU_SCREEN)

enum {
    IMX_IPU_WINDOW = PIXMILL_IPUV3_WINDOW,
    IMX_IPU_DIS = PIXMILL_IPUV3_DIS, /* display interfaces per IPU */
};

struct ImxIpuState {
    SysBusDevice parent_obj;

    PixmillShell shell;
    uint32_t refresh;
    uint32_t max_width, max_height;
};

/* Guest RAM that a screen shows: a part of a source of the picture. */
typedef struct ImxIpuSection {
    MemoryRegion *mr; /* referenced, and logged for DIRTY_MEMORY_VGA */
    PixmillIpuv3Source source;
    hwaddr first;  /* guest-physical address of the part */
    hwaddr offset; /* of the part in @mr */
    uint64_t size;
} ImxIpuSection;

struct ImxIpuScreen {
    SysBusDevice parent_obj;

    QemuConsole *console;
    QLIST_ENTRY(ImxIpuScreen) next;

    ImxIpuState *ipu; /* NULL: off */
    unsigned di;
    bool redraw; /* everything, at the next update */

    /* The picture on the console. */
    uint32_t width, height; /* 0 before the first one */
    uint32_t generation, overlay_generation;
    PixmillIpuv3Rows overlay;
    GArray *sections; /* of ImxIpuSection */
    DECLARE_BITMAP(stale, PIXMILL_IPUV3_MAX_HEIGHT); /* rows to redraw */
};

/* An IPU in an SoC. */
typedef struct ImxIpuPlace {
    const char *name; /* QOM: /machine/NAME */
    hwaddr addr;
    int sync_irq; /* inputs of the SoC's interrupt controller */
    int error_irq;
} ImxIpuPlace;

/* Creates, maps and wires an IPU.  Returns NULL if it cannot be realized. */
ImxIpuState *imx_ipu_create(const ImxIpuPlace *place, DeviceState *controller,
                            Error **errp);

/*
 * Creates and realizes a screen, as the child @name of the machine and with
 * @name as its ID.  It shows nothing at first.  Returns NULL if the console
 * cannot be created.
 */
ImxIpuScreen *imx_ipu_screen_create(const char *name, Error **errp);

/*
 * Makes the screen show DI @di of @ipu.  While that DI does not run, the screen
 * is black.  If @ipu is NULL, the output is off, and the console says that it
 * is not active.  The choice is not migrated and survives a reset: the caller
 * must call this again.
 */
void imx_ipu_screen_show(ImxIpuScreen *screen, ImxIpuState *ipu, unsigned di);

/* The timing of a DI, in pixels and lines. */
typedef struct ImxIpuTiming {
    bool running; /* if false, all else is 0 */
    uint32_t width, height; /* active area */
    uint32_t total_width, total_height;
    uint32_t left, top; /* from the start of sync to the active area */
    int64_t frame_ns;
} ImxIpuTiming;

void imx_ipu_get_timing(ImxIpuState *ipu, unsigned di, ImxIpuTiming *out);

#endif
