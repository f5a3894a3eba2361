/*
 * Maintenance of a Cortex-M7's data cache of 32 KiB, as CMSIS does it (cachel1_armv7.h). Include
 * the header of an example's board before.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef CACHE_CHECK_H
#define CACHE_CHECK_H

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
#define NOT_CACHED (1u << 19)
#define WRITE_BACK (1u << 19 | 3u << 16)

#define LINE 32
#define SETS 256
#define WAYS 4

/* Reports name functions. */
#define NAMED __attribute__((noinline))

static inline void barrier(void) {
    __asm__ volatile("dsb\n isb" ::: "memory");
}

static inline void maintain(uint32_t operation, const void* start, uint32_t size) {
    const uint32_t first = (uint32_t)(uintptr_t)start;
    barrier();
    for (uint32_t at = first & -(uint32_t)LINE; at < first + size; at += LINE)
        REG(operation) = at;
    barrier();
}

static inline void sweep(uint32_t operation) {
    barrier();
    for (uint32_t set = SETS; set-- > 0;)
        for (uint32_t way = WAYS; way-- > 0;)
            REG(operation) = way << 30 | set << 5;
    barrier();
}

static inline void enable_cache(void) {
    sweep(DCISW);
    REG(CCR) |= CCR_DC;
    barrier();
}

/* Makes 2^(log_size) bytes at `address` Normal memory with these bits TEX, C and B of RASR. */
static inline void map_region(uint32_t address, uint32_t log_size, uint32_t attributes) {
    REG(MPU_RBAR) = address | 1 << 4; /* VALID, region 0 */
    REG(MPU_RASR) =
        1u << 28 | 3u << 24 | attributes | (log_size - 1) << 1 | 1; /* XN, full access */
    REG(MPU_CTRL) = 5;
    barrier();
}

#endif
