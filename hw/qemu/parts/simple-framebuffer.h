/*
 * A window of RAM that a QEMU console shows: the hardware side of the device
 * tree's "simple-framebuffer", for boards whose display controller is not
 * modeled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * CPUs and DMA of devices draw by writing to that RAM.  There are no registers
 * and no interrupts.
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
    MemoryRegion *memory; /* RAM that the board has mapped */
    uint64_t offset;      /* offset of the picture in memory */
    uint32_t width;
    uint32_t height;
    char *format_name;    /* "x8r8g8b8" or "r5g6b5" */

    const SimpleFramebufferFormat *format;
    uint32_t stride; /* bytes from one row to the next */
    MemoryRegionSection section;
    QemuConsole *console;
    bool invalidated; /* redraw everything */
};

/*
 * Returns the number of bytes per row, or 0 with @errp set if the size or
 * format is not supported.  Rows have no gaps.
 */
uint32_t simple_framebuffer_stride(uint32_t width, uint32_t height,
                                   const char *format, Error **errp);

/* True if a format has that name.  Otherwise sets @errp. */
bool simple_framebuffer_has_format(const char *name, Error **errp);

#endif
