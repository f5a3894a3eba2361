/*
 * A minimal program that draws: the GC355 fills two rectangles, and the display
 * controller shows them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The GPU executes a stream of commands from memory. For paths, gradients and
 * images, see guest/vg/scene.cpp.
 */
#include "imxrt1170.h"

enum { WIDTH = 320, HEIGHT = 240 };

#define SHARED __attribute__((section(".sdram"), aligned(64)))
static SHARED uint32_t screen[HEIGHT][WIDTH]; /* RGBA8888: red in the lowest byte */
static SHARED uint32_t stream[64];
static uint32_t used;

static volatile uint32_t drawn;

/* Called when the GPU has reached an END. Reading the register clears the interrupt. */
void gpu_handler(void) {
    drawn |= REG(GPU_BASE + GPU_EVENTS);
}

static void command(uint32_t first, uint32_t second) {
    stream[used++] = first;
    stream[used++] = second;
}

static void state(uint32_t address, uint32_t value) {
    command(0x30010000 | address, value);
}

/* Adds a rectangle to the stream. From the highest byte down, `color` is alpha, blue, green, red.
 */
static void fill(uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t color) {
    state(0xA00, 0x10000001); /* VG_CONTROL: a rectangle, no blending or multiplication by alpha */
    state(0xA02, color);
    command(0x40000001, 0); /* DATA: one rectangle */
    command(y << 16 | x, height << 16 | width);
}

static void draw(void) {
    state(0xA10, 0x00010323); /* target: RGBA8888 */
    state(0xA11, (uint32_t)(uintptr_t)screen);
    state(0xA12, WIDTH * 4);
    state(0xA13, HEIGHT << 16 | WIDTH);
    state(0xA34, 0); /* no path */
    fill(0, 0, WIDTH, HEIGHT, 0xFF402010);
    fill(40, 60, 240, 120, 0xFF2080FF);
    command(0, 0); /* END with event 0 */

    REG(0xE000E104) = 1 << (GPU_INTERRUPT - 32); /* NVIC_ISER1 */
    REG(GPU_BASE + GPU_ENABLE) = ~0u;
    __asm__ volatile("dsb" ::: "memory"); /* the stream must reach memory before the GPU reads it */
    REG(GPU_BASE + GPU_STREAM) = (uint32_t)(uintptr_t)stream;
    REG(GPU_BASE + GPU_QWORDS) = used / 2;

    /* Mask interrupts. An interrupt that arrives after the check still ends the wfi. */
    __asm__ volatile("cpsid i");
    while (!drawn)
        __asm__ volatile("dsb\n wfi\n cpsie i\n isb\n cpsid i" ::: "memory");
    __asm__ volatile("cpsie i");
}

static void show(void) {
    REG(DISPLAY_BASE + DISPLAY_CTRL) = 0; /* leave the reset state */
    REG(DISPLAY_BASE + DISPLAY_SIZE) = HEIGHT << 16 | WIDTH;
    REG(DISPLAY_BASE + LAYER0_SIZE) = HEIGHT << 16 | WIDTH;
    REG(DISPLAY_BASE + LAYER0_POSITION) = 0;
    REG(DISPLAY_BASE + LAYER0_PITCH) = WIDTH * 4;
    REG(DISPLAY_BASE + LAYER0_ADDRESS) = (uint32_t)(uintptr_t)screen;
    REG(DISPLAY_BASE + LAYER0_CONTROL) = 0xDA000000; /* enable, load, no blending, ABGR8888 */
    REG(DISPLAY_BASE + DISPLAY_PARA) = 1u << 31;     /* enable the display */
}

int main(void) {
    if (REG(GPU_BASE + GPU_CHIP_ID) != 0x355) {
        print("there is no GC355\n");
        return 1;
    }
    draw();
    show();
    print("hello from the i.MX RT1170\n");
    return 0;
}
