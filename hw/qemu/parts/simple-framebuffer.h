/*
 * A window of RAM shown on a QEMU console: the hardware side of the device
 * tree's "simple-framebuffer", for boards whose display controller is not
 * modelled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whoever writes to that RAM draws: CPUs, and devices by DMA.  Neither
 * registers nor interrupts.
 */
#ifndef HW_PIXMILL_SIMPLE_FRAMEBUFFER_H
#define HW_PIXMILL_SIMPLE_FRAMEBUFFER_H

#include "ui/console.h"
#include "hw/pixmill/compat.h"

#define TYPE_SIMPLE_FRAMEBUFFER "simple-framebuffer"
OBJECT_DECLARE_SIMPLE_TYPE(SimpleFramebufferState, SIMPLE_FRAMEBUFFER)

typedef struct SimpleFramebufferFormat SimpleFramebufferFormat;

struct SimpleFramebufferState {
    SysBusDevice parent_obj;

    /* Properties. */
    MemoryRegion *memory; /* RAM, mapped somewhere */
    uint64_t offset;      /* in memory */
    uint32_t width;
    uint32_t height;
    char *format_name;    /* "x8r8g8b8" or "r5g6b5" */

    const SimpleFramebufferFormat *format;
    uint32_t stride; /* bytes from row to row */
    MemoryRegionSection section;
    QemuConsole *console;
    bool invalidated; /* everything is to be drawn anew */
};

/*
 * Bytes from one row to the next, which follow each other without a gap; 0
 * and @errp for a size or format that there is not.
 */
uint32_t simple_framebuffer_stride(uint32_t width, uint32_t height,
                                   const char *format, Error **errp);

/* Whether there is a format of that name. */
bool simple_framebuffer_has_format(const char *name, Error **errp);

#endif
