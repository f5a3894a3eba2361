/*
 * A minimal program that draws: the NEMA|GFX fills two rectangles, and the
 * display controller shows them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * It writes registers directly. Programs that draw more use command lists; see guest/nema/ring.cpp.
 *
 */
#include "gr5526.h"

enum { WIDTH = 320, HEIGHT = 240 };

__attribute__((section(
    ".psram"))) static uint32_t screen[HEIGHT][WIDTH]; /* RGBA8888: red in the lowest byte */

static volatile uint32_t drawn;

/* Called when a primitive has ended. Bit 3 clears the interrupt, bit 2 enables the next one. */
void gpu_handler(void) {
    REG(GPU_BASE + INT_CTRL) = 1 << 3 | 1 << 2;
    drawn = drawn + 1;
}

static void gpu(uint32_t reg, uint32_t value) {
    REG(GPU_BASE + reg) = value;
}

static uint32_t xy(uint32_t x, uint32_t y) {
    return y << 16 | x;
}

static void set_up_gpu(void) {
    gpu(TEX0_BASE, (uint32_t)(uintptr_t)screen);
    gpu(TEX0_FSTRIDE, 0x01u << 24 | WIDTH * 4); /* RGBA8888, stride in bytes */
    gpu(TEX0_RESXY, xy(WIDTH, HEIGHT));
    gpu(CLIPMIN, xy(0, 0));
    gpu(CLIPMAX, xy(WIDTH, HEIGHT));
    gpu(BLEND_MODE, 1);       /* factors: source one, destination zero */
    gpu(MATMULT, 0x90000000); /* no texture, no matrix */

    /* The fragment program outputs the color unchanged. Libraries also put it in slot 31. */
    gpu(IMEM_ADDR, 31);
    gpu(IMEM_DATA_LOW, 0x08000002);
    gpu(IMEM_DATA_HIGH, 0x80000009);
    gpu(CODEPTR, 0x141F001F);

    REG(0xE000E104) = 1 << (51 - 32); /* NVIC_ISER1 */
    gpu(INT_CTRL, 1 << 2);            /* raise an interrupt at the end of each primitive */
}

static void fill(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom, uint32_t color) {
    const uint32_t before = drawn;

    gpu(DRAW_COLOR, color);
    gpu(DRAW_STARTXY, xy(left, top));
    gpu(DRAW_ENDXY, xy(right, bottom)); /* exclusive end */
    gpu(DRAW_CMD, 2);                   /* draw a rectangle */

    /* Mask interrupts. An interrupt that arrives after the check still ends the wfi. */
    __asm__ volatile("cpsid i");
    while (drawn == before)
        __asm__ volatile("dsb\n wfi\n cpsie i\n isb\n cpsid i" ::: "memory");
    __asm__ volatile("cpsie i");
}

static void show(void) {
    REG(DISPLAY_BASE + LAYER0_BASEADDR) = (uint32_t)(uintptr_t)screen;
    REG(DISPLAY_BASE + LAYER0_STRIDE) = WIDTH * 4;
    REG(DISPLAY_BASE + LAYER0_RESXY) = (uint32_t)WIDTH << 16 | HEIGHT; /* unlike TEX0_RESXY */
    REG(DISPLAY_BASE + LAYER0_MODE) = 1u << 31 | 0x0D;                 /* on, RGBA8888 */
}

int main(void) {
    if (REG(GPU_BASE + IDREG) != 0x86362000) {
        print("there is no NEMA|GFX\n");
        return 1;
    }
    set_up_gpu();
    fill(0, 0, WIDTH, HEIGHT, 0xFF402010);
    fill(40, 60, 280, 180, 0xFF2080FF);
    show();
    print("hello from the GR5526\n");
    return 0;
}
