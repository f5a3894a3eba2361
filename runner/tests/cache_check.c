/*
 * Programs for runner/tests/test_cache_check.py, one for each -DCASE: the GPU of a gr5526 with a
 * Cortex-M7 executes a command list that fills a target, and each program but a few makes one
 * mistake in the maintenance of the data cache. They use the start-up code and linker script of
 * examples/gr5526.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "gr5526.h"

#include "cache_check.h"

#define CMD_ADDR 0x0F0
#define CMD_SIZE 0x0F4
#define STAT 0x0FC

#define BUFFER __attribute__((section(".psram"), aligned(LINE)))

enum { WIDTH = 16, HEIGHT = 8, PAIRS = 16 };

BUFFER static uint32_t list[2 * PAIRS];
/* A target whose last line has another variable. */
BUFFER static struct { uint32_t pixels[HEIGHT][WIDTH]; } target;
BUFFER static struct {
    uint32_t pixels[HEIGHT * WIDTH - 4];
    volatile uint32_t neighbor;
} crowded;

static uint32_t words;

/* ---- The GPU ---------------------------------------------------------------------- */

static void add(uint32_t reg, uint32_t value) {
    list[words++] = reg;
    list[words++] = value;
}

NAMED static void write_list(const void* pixels) {
    words = 0;
    add(TEX0_BASE, (uint32_t)(uintptr_t)pixels);
    add(TEX0_FSTRIDE, 0x01u << 24 | WIDTH * 4);
    add(TEX0_RESXY, HEIGHT << 16 | WIDTH);
    add(CLIPMIN, 0);
    add(CLIPMAX, HEIGHT << 16 | WIDTH);
    add(BLEND_MODE, 1);
    add(MATMULT, 0x90000000);
    add(IMEM_ADDR, 31);
    add(IMEM_DATA_LOW, 0x08000002);
    add(IMEM_DATA_HIGH, 0x80000009);
    add(CODEPTR, 0x141F001F);
    add(DRAW_COLOR, 0xFF2080FF);
    add(DRAW_STARTXY, 0);
    add(DRAW_ENDXY, HEIGHT << 16 | WIDTH);
    add(DRAW_CMD, 2);
}

NAMED static void patch_list(void) {
    *(volatile uint32_t*)&list[23] = 0xFF00FF00;
}

NAMED static void submit(void) {
    REG(GPU_BASE + CMD_ADDR) = (uint32_t)(uintptr_t)list;
    REG(GPU_BASE + CMD_SIZE) = words;
}

static void wait(void) {
    while (REG(GPU_BASE + STAT)) {
    }
}

static void draw(void) {
    submit();
    wait();
}

NAMED static uint32_t read_target(void) {
    return *(volatile uint32_t*)&target.pixels[0][0];
}

NAMED static void clear_target(void) {
    for (uint32_t i = 0; i < HEIGHT * WIDTH; i++)
        ((volatile uint32_t*)target.pixels)[i] = 0x11111111;
}

NAMED static void write_neighbor(void) {
    crowded.neighbor = 1;
}

static void clean_list(void) {
    maintain(DCCMVAC, list, sizeof(list));
}

static void prepare(void) {
    enable_cache();
    write_list(target.pixels);
    clean_list();
}

/* ---- Programs --------------------------------------------------------------------- */

int good(void) { /* the twin of all others */
    prepare();
    clear_target();
    maintain(DCCIMVAC, target.pixels, sizeof(target));
    draw();
    maintain(DCIMVAC, target.pixels, sizeof(target));
    return read_target() != 0xFF2080FF;
}

int good_sweep(void) {
    enable_cache();
    write_list(target.pixels);
    sweep(DCCSW);
    draw();
    return 0;
}

/* Normal memory that is not cached. */
int good_uncached(void) {
    map_region(0x20080000, 19, NOT_CACHED);
    enable_cache();
    write_list(target.pixels);
    barrier();
    draw();
    return read_target() != 0xFF2080FF;
}

int barrier_missing(void) {
    map_region(0x20080000, 19, NOT_CACHED);
    enable_cache();
    write_list(target.pixels);
    draw();
    return 0;
}

int good_cache_off(void) {
    write_list(target.pixels);
    barrier();
    draw();
    return read_target() != 0xFF2080FF;
}

int list_not_cleaned(void) {
    enable_cache();
    write_list(target.pixels);
    draw();
    return 0;
}

int list_patched_after_clean(void) {
    prepare();
    patch_list();
    draw();
    return 0;
}

int target_read_again(void) {
    prepare();
    read_target();
    draw();
    read_target();
    return 0;
}

int target_not_cleaned(void) {
    prepare();
    clear_target();
    draw();
    return 0;
}

int neighbor_lost(void) {
    enable_cache();
    write_list(crowded.pixels);
    clean_list();
    draw();
    write_neighbor();
    maintain(DCIMVAC, crowded.pixels, sizeof(crowded.pixels));
    return 0;
}

int list_rewritten_early(void) {
    prepare();
    submit();
    patch_list();
    wait();
    return 0;
}

int maintenance_with_cache_off(void) {
    write_list(target.pixels);
    clean_list();
    draw();
    return 0;
}

int cleaned_by_another_address(void) {
    enable_cache();
    write_list(target.pixels);
    maintain(DCCMVAC, (const void*)((uintptr_t)list + 0x10000000), sizeof(list));
    draw();
    return 0;
}

/* Returns 0 if the GPU has executed the old list. */
int old_list(void) {
    prepare();
    patch_list();
    draw();
    maintain(DCIMVAC, target.pixels, sizeof(target));
    return read_target() != 0xFF2080FF;
}

/* Draws by the processor alone; docs/use/cache-checker.md says how to measure the cost. */
BUFFER static uint32_t from[4096], to[4096];

NAMED static void blend_picture(void) {
    for (uint32_t i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
        const uint32_t s = from[i], d = to[i], weight = 256 - (s >> 24);
        const uint32_t even = ((d & 0x00FF00FF) * weight >> 8) & 0x00FF00FF;
        const uint32_t odd = (d >> 8 & 0x00FF00FF) * weight & 0xFF00FF00;
        to[i] = s + (even | odd);
    }
}

int blend(void) {
    enable_cache();
    for (int i = 0; i < 10000; i++) {
        blend_picture();
        barrier();
    }
    return 0;
}

int main(void) {
    return CASE();
}
