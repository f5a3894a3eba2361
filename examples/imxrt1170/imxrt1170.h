/*
 * Registers of the machine imxrt1170 that the example uses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef IMXRT1170_H
#define IMXRT1170_H

#include <stdint.h>

#define REG(address) (*(volatile uint32_t*)(uintptr_t)(address))

/* See docs/use/imxrt1170.md, "Memory map". */
#define LPUART1_BASE 0x4007C000
#define DISPLAY_BASE 0x40808000
#define GPU_BASE 0x41800000
#define GPU_INTERRUPT 60

/* See docs/hardware/vivante-vg.md. */
enum {
    GPU_EVENTS = 0x010, /* cleared by reading it */
    GPU_ENABLE = 0x014,
    GPU_CHIP_ID = 0x020,
    GPU_STREAM = 0x500, /* address of the stream, a multiple of 64 */
    GPU_QWORDS = 0x504, /* starts the stream */
};

/* See docs/use/imxrt1170.md, "Display". */
enum {
    DISPLAY_CTRL = 0x00,
    DISPLAY_PARA = 0x10,
    DISPLAY_SIZE = 0x14,
    LAYER0_SIZE = 0x200,
    LAYER0_POSITION = 0x204,
    LAYER0_PITCH = 0x208,
    LAYER0_ADDRESS = 0x20C,
    LAYER0_CONTROL = 0x210,
};

/* startup.c */
void print(const char* text);
void exit_program(int status) __attribute__((noreturn));

#endif
