/*
 * Programs for runner/tests/test_cache_check.py, one for each -DCASE: the GC355 of an i.MX RT1170
 * fills a picture in SDRAM, or the processor draws it, and the display shows it. They use the
 * start-up code and linker script of examples/imxrt1170.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "imxrt1170.h"

#include "cache_check.h"

#define DISPLAY_STATUS 0x20
#define VSYNC 1

#define SDRAM 0x80000000
#define BUFFER __attribute__((section(".sdram"), aligned(64)))

enum { WIDTH = 64, HEIGHT = 32 };

static const uint32_t color = 0xFF402010;

BUFFER static uint32_t picture[HEIGHT][WIDTH];
BUFFER static uint32_t stream[64];

static uint32_t used;

/* ---- The GPU ---------------------------------------------------------------------- */

static void command(uint32_t first, uint32_t second) {
    stream[used++] = first;
    stream[used++] = second;
}

static void state(uint32_t address, uint32_t value) {
    command(0x30010000 | address, value);
}

/* As in examples/imxrt1170. */
NAMED static void write_stream(void) {
    used = 0;
    state(0xA10, 0x00010323);
    state(0xA11, (uint32_t)(uintptr_t)picture);
    state(0xA12, WIDTH * 4);
    state(0xA13, HEIGHT << 16 | WIDTH);
    state(0xA34, 0);
    state(0xA00, 0x10000001);
    state(0xA02, color);
    command(0x40000001, 0);
    command(0, HEIGHT << 16 | WIDTH);
    command(0, 0); /* END with event 0 */
}

NAMED static void patch_stream(void) {
    *(volatile uint32_t*)&stream[13] = 0xFF00FF00; /* the color */
}

NAMED static void submit(void) {
    REG(GPU_BASE + GPU_STREAM) = (uint32_t)(uintptr_t)stream;
    REG(GPU_BASE + GPU_QWORDS) = used / 2;
}

static void wait(void) {
    while (!REG(GPU_BASE + GPU_EVENTS)) {
    }
}

static void draw(void) {
    submit();
    wait();
}

NAMED static uint32_t read_picture(void) {
    return *(volatile uint32_t*)&picture[0][0];
}

/* ---- The display ------------------------------------------------------------------ */

NAMED static void draw_by_processor(void) {
    for (uint32_t i = 0; i < HEIGHT * WIDTH; i++)
        ((volatile uint32_t*)picture)[i] = color;
}

static void show_frames(int count) {
    REG(DISPLAY_BASE + DISPLAY_CTRL) = 0;
    REG(DISPLAY_BASE + DISPLAY_SIZE) = HEIGHT << 16 | WIDTH;
    REG(DISPLAY_BASE + LAYER0_SIZE) = HEIGHT << 16 | WIDTH;
    REG(DISPLAY_BASE + LAYER0_POSITION) = 0;
    REG(DISPLAY_BASE + LAYER0_PITCH) = WIDTH * 4;
    REG(DISPLAY_BASE + LAYER0_ADDRESS) = (uint32_t)(uintptr_t)picture;
    REG(DISPLAY_BASE + LAYER0_CONTROL) = 0xDA000000;
    REG(DISPLAY_BASE + DISPLAY_PARA) = 1u << 31;
    while (count--) {
        REG(DISPLAY_BASE + DISPLAY_STATUS) = VSYNC;
        while (!(REG(DISPLAY_BASE + DISPLAY_STATUS) & VSYNC)) {
        }
    }
}

static void prepare(void) {
    map_region(SDRAM, 26, WRITE_BACK);
    enable_cache();
    write_stream();
}

/* ---- Programs --------------------------------------------------------------------- */

int vg_good(void) {
    prepare();
    maintain(DCCMVAC, stream, sizeof(stream));
    draw();
    maintain(DCIMVAC, picture, sizeof(picture));
    const int failed = read_picture() != color;
    show_frames(3);
    return failed;
}

/* Without the MPU, SDRAM is write-through: the stream needs no clean. */
int vg_good_write_through(void) {
    enable_cache();
    write_stream();
    barrier();
    draw();
    return read_picture() != color;
}

int vg_good_display(void) {
    prepare();
    draw_by_processor();
    maintain(DCCMVAC, picture, sizeof(picture));
    show_frames(3);
    return 0;
}

int vg_stream_not_cleaned(void) {
    prepare();
    draw();
    return 0;
}

int vg_picture_read_again(void) {
    enable_cache();
    read_picture();
    write_stream();
    barrier();
    draw();
    read_picture();
    return 0;
}

int vg_stream_patched_early(void) {
    prepare();
    maintain(DCCMVAC, stream, sizeof(stream));
    submit();
    patch_stream();
    wait();
    return 0;
}

int vg_picture_not_cleaned(void) {
    prepare();
    draw_by_processor();
    show_frames(3);
    return 0;
}

int main(void) {
    return CASE();
}
