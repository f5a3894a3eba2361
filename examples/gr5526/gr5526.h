/*
 * Registers of the machine gr5526 that the example uses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef GR5526_H
#define GR5526_H

#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(uintptr_t)(address))

/* See docs/use/gr5526.md, "Memory map". */
#define UART0_BASE 0x4000C500
#define GPU_BASE 0x40028000
#define DISPLAY_BASE 0x43FF4000

/* See docs/hardware/registers/nema-gr5526.md. */
enum {
    TEX0_BASE = 0x000, /* the destination */
    TEX0_FSTRIDE = 0x004,
    TEX0_RESXY = 0x008,
    IMEM_ADDR = 0x0C4,
    IMEM_DATA_LOW = 0x0C8,
    IMEM_DATA_HIGH = 0x0CC,
    INT_CTRL = 0x0F8,
    DRAW_CMD = 0x100,
    DRAW_STARTXY = 0x104,
    DRAW_ENDXY = 0x108,
    CLIPMIN = 0x110,
    CLIPMAX = 0x114,
    MATMULT = 0x118,
    CODEPTR = 0x11C,
    DRAW_COLOR = 0x12C,
    BLEND_MODE = 0x1D0,
    IDREG = 0x1EC,
};

/* See docs/use/gr5526.md, "Registers of the display controller". */
enum {
    LAYER0_MODE = 0x30,
    LAYER0_BASEADDR = 0x3C,
    LAYER0_STRIDE = 0x40,
    LAYER0_RESXY = 0x44,
};

/* startup.c */
void print(const char* text);
void exit_program(int status) __attribute__((noreturn));

#endif
