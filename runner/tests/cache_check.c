/*
 * Programs for runner/tests/test_cache_check.py, one for each -DCASE: the GPU of a gr5526 with a
 * Cortex-M7 executes a command list that fills a target, and each program but a few makes one
 * mistake in the maintenance of the data cache. They use the start-up code and linker script of
 * examples/gr5526.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "gr5526.h"

#define CMD_ADDR 0x0F0
#define CMD_SIZE 0x0F4
#define STAT 0x0FC

#define CCR 0xE000ED14
#define CCR_DC (1u << 16)
#define MPU_CTRL 0xE000ED94
#define MPU_RBAR 0xE000ED9C
#define MPU_RASR 0xE000EDA0
#define DCIMVAC 0xE000EF5C
#define DCISW 0xE000EF60
#define DCCMVAC 0xE000EF68
#define DCCSW 0xE000EF6C
#define DCCIMVAC 0xE000EF70
#define LINE 32
#define SETS 256
#define WAYS 4

#define NAMED __attribute__((noinline))
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

static void barrier(void) {
    __asm__ volatile("dsb\n isb" ::: "memory");
}

/* ---- Maintenance, as CMSIS does it ------------------------------------------------ */

static void maintain(uint32_t operation, const void* start, uint32_t size) {
    const uint32_t first = (uint32_t)(uintptr_t)start;
    barrier();
    for (uint32_t at = first & -(uint32_t)LINE; at < first + size; at += LINE)
        REG(operation) = at;
    barrier();
}

static void sweep(uint32_t operation) {
    barrier();
    for (uint32_t set = SETS; set-- > 0;)
        for (uint32_t way = WAYS; way-- > 0;)
            REG(operation) = way << 30 | set << 5;
    barrier();
}

static void enable_cache(void) {
    sweep(DCISW);
    REG(CCR) |= CCR_DC;
    barrier();
}

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
    REG(MPU_RBAR) = 0x20080000 | 1 << 4;                           /* VALID, region 0 */
    REG(MPU_RASR) = 1u << 28 | 3u << 24 | 1u << 19 | 18u << 1 | 1; /* XN, TEX 1, 512 KiB */
    REG(MPU_CTRL) = 5;
    barrier();
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

int main(void) {
    return CASE();
}
