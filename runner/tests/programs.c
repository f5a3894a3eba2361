/*
 * Programs for runner/tests/test_programs.py, one for each -DCASE; most of them
 * fail. They use the start-up code and linker script of examples/gr5526.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "gr5526.h"

#define NOWHERE 0x60000000 /* an address without memory or a device */

__attribute__((section(".psram"))) static uint32_t screen[4][8]; /* RGBA8888 */

static void show(uint32_t format) {
    REG(DISPLAY_BASE + LAYER0_BASEADDR) = (uint32_t)(uintptr_t)screen;
    REG(DISPLAY_BASE + LAYER0_STRIDE) = sizeof(screen[0]);
    REG(DISPLAY_BASE + LAYER0_RESXY) = 8 << 16 | 4;
    REG(DISPLAY_BASE + LAYER0_MODE) = 1u << 31 | format;
}

/* Sets pixel (x, y) to red 16 * x, green 32 * y and blue 7. */
static void show_picture(void) {
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 8; x++)
            screen[y][x] = 0xFF000000 | 7 << 16 | (32 * y) << 8 | 16 * x;
    show(0x0D);
}

int run_exit(void) {
    return 7;
}

/* Faults after moving the vector table to an unmapped address, so the fault handler cannot be
 * fetched. */
int run_lockup(void) {
    show_picture();
    REG(0xE000ED08) = NOWHERE; /* VTOR */
    return (int)REG(NOWHERE + 0x10);
}

int run_fault(void) {
    show_picture();
    REG(NOWHERE + 0x20) = 1;
    return 0;
}

int run_no_fpu(void) {
    REG(0xE000ED88) = 0; /* CPACR */
    __asm__ volatile("dsb\n isb\n vmov.f32 s0, #1.0");
    return 0;
}

/* Resets the machine, as many fault handlers do. */
int run_reset(void) {
    show_picture();
    REG(0xE000ED0C) = 0x05FA0004; /* AIRCR: SYSRESETREQ */
    for (;;) {
    }
}

/* Executes a permanently undefined instruction. */
int run_undefined(void) {
    __asm__ volatile("udf #0");
    return 0;
}

int run_endless(void) {
    show_picture();
    print("ready\n");
    for (;;)
        __asm__ volatile("wfi");
}

/* Sleeps while the GPU's interrupt, 51, is pending but not enabled. */
int run_asleep(void) {
    REG(0xE000E200 + 4) = 1u << (51 - 32); /* NVIC_ISPR1 */
    for (;;)
        __asm__ volatile("wfi");
}

/* Fills a path as LVGL's library does on cores with vector graphics (docs/hardware/nema.md). */
int run_vector_graphics(void) {
    REG(GPU_BASE + 0x320) = 0x41000000;
    REG(GPU_BASE + 0x324) = 0x41000000;
    REG(GPU_BASE + DRAW_CMD) = 6;
    REG(GPU_BASE + DRAW_CMD) = 6;
    return 0;
}

int run_missing_blocks(void) {
    REG(0x4000A810) = 1; /* PMU */
    REG(0x4000A814) = 2;
    REG(0x4000A818) = 3;
    return (int)REG(0x40010000); /* GPIO0, which reads as 0 */
}

/* Leaves its last line of output without a newline. */
int run_repeated(void) {
    show_picture();
    for (uint32_t value = 1; value < 4; value++)
        REG(0x4000A810) = value; /* PMU */
    REG(0x4000A810) = 1;
    print("done");
    return 0;
}

/* Fills the pipes of its output and of QEMU's log. */
int run_flood(void) {
    for (uint32_t line = 0; line < 3000; line++) {
        REG(0x4000A810) = line; /* PMU */
        print("0123456789012345678901234567890\n");
    }
    return 0;
}

int run_unknown_format(void) {
    show(0x1F);
    return 0;
}

int main(void) {
    return CASE();
}
