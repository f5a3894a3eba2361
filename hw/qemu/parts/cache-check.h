/*
 * Checks the cache maintenance of firmware on a Cortex-M7: feeds the model of
 * pixmill/cache_check.h.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The CPU's accesses come from translated code (tcg/tcg-watch.h), those of
 * other masters from watch.h, and maintenance from cortex-m-caches.c.  The
 * report is written when QEMU exits.
 */
#ifndef HW_PIXMILL_CACHE_CHECK_H
#define HW_PIXMILL_CACHE_CHECK_H

#include "hw/arm/armv7m.h"
#include "hw/pixmill/compat.h"
#include "subprojects/pixmill/include/pixmill/cache_check.h"

typedef struct CacheCheck CacheCheck;

/* The user's choices, as properties of the machine. */
typedef struct CacheCheckConfig {
    char *mode; /* NULL, "off", "report" or "act" */
    char *file; /* of the report */
} CacheCheckConfig;

/*
 * Adds the properties cache-check and cache-check-file to @machine, which owns
 * @config.
 */
void cache_check_add_properties(Object *machine, CacheCheckConfig *config);

/*
 * Starts the check of @cpu, whose data cache has @dcache_size bytes.  All RAM
 * of the system is cached, except TCMs, the @tcm_count ranges of @tcms.
 * Returns NULL if the user has not asked for it.  Exits if it is impossible.
 */
typedef struct CacheCheckTcm {
    uint32_t base;
    uint32_t size;
} CacheCheckTcm;
CacheCheck *cache_check_create(const CacheCheckConfig *config, ARMCPU *cpu,
                               uint32_t dcache_size, const CacheCheckTcm *tcms,
                               unsigned tcm_count);

/* The registers have their values after reset; forgets all lines. */
void cache_check_reset(CacheCheck *check);
/*
 * CCR.DC, CACR or a register of the MPU may have changed.  Call on the vCPU's
 * thread, or while it does not run.
 */
void cache_check_control(CacheCheck *check, bool enabled, bool siwt,
                         bool forcewt);
/*
 * The current vCPU's store makes the cache do this.  @value is what it stores:
 * an address or, if @by_way, a set and a way.
 */
void cache_check_operate(CacheCheck *check, PixmillCacheOperation operation,
                         bool by_way, uint32_t value);

#endif
