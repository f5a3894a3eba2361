/*
 * Registers of the level 1 caches of a Cortex-M7 or Cortex-M55.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU has no caches, so the operations have no effect; they are counted, and
 * passed to cache-check.h.
 *
 * Properties, which the machine sets, except for the last:
 *   dcache-size, icache-size   0, or a power of two from 4 KiB to 64 KiB
 *   itcm-size, dtcm-size       0, or a power of two from 4 KiB to 16 MiB
 *   ecc                        true if the caches have ECC (Cortex-M7)
 *   stat-NAME                  operations since QEMU has started
 */
#ifndef HW_PIXMILL_CORTEX_M_CACHES_H
#define HW_PIXMILL_CORTEX_M_CACHES_H

#include "hw/arm/armv7m.h"
#include "hw/pixmill/compat.h"
#include "cache-check.h"

#define TYPE_CORTEX_M_CACHES "cortex-m-caches"
OBJECT_DECLARE_SIMPLE_TYPE(CortexMCachesState, CORTEX_M_CACHES)

/* Choices of the SoC, and those of the user for the size of the caches. */
typedef struct CortexMCachesConfig {
    uint32_t itcm_size;
    uint32_t dtcm_size;
    bool ecc;

    uint32_t dcache_size;
    uint32_t icache_size;
    bool has_dcache_size; /* the user has set it */
    bool has_icache_size;
    CacheCheckConfig check;
} CortexMCachesConfig;

/*
 * Adds the properties dcache-size and icache-size, and those of cache-check.h,
 * to @machine, which owns @config.  The default is 32 KiB each.
 */
void cortex_m_caches_add_properties(Object *machine,
                                    CortexMCachesConfig *config);

/*
 * Adds the registers, as the child "caches" of @machine, to the realized
 * @armv7m.  Does nothing if its CPU has no caches.  Exits if the user has set a
 * size that the CPU's caches cannot have.
 */
void cortex_m_caches_create(Object *machine, ARMv7MState *armv7m,
                            const CortexMCachesConfig *config);

#endif
