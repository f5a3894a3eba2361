/*
 * The cache sync registers of a PL310.  A write to them suggests that the guest
 * has given a core new work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A Vivante core is not notified when its idle loop is patched: silicon fetches
 * the loop again and again.  The model polls the loop, so it may notice a patch
 * late.  But stores of a Cortex-A9 reach the core only after the outer cache
 * has been drained, so the driver's barrier writes CACHE_SYNC (linux
 * arch/arm/mm/flush.c: arm_heavy_mb(), arch/arm/mm/cache-l2x0.c:
 * l2c210_sync()).  From that write on, the core may see the patch.
 */
#include "qemu/osdep.h"
#include "hw/pixmill/compat.h"
#include "pl310-sync.h"

/* PL310 TRM r3p3, 3.3.10; 0x740 is used instead due to erratum 753970. */
#define CACHE_SYNC 0x730
#define CACHE_SYNC_END 0x744

typedef struct PL310Sync {
    MemoryRegion mmio;
    VivanteGCState *const *cores;
    size_t count;
} PL310Sync;

static uint64_t pl310_sync_read(void *opaque, hwaddr addr, unsigned size)
{
    return 0; /* done */
}

static void pl310_sync_write(void *opaque, hwaddr addr, uint64_t data,
                             unsigned size)
{
    PL310Sync *s = opaque;

    for (size_t i = 0; i < s->count; i++) {
        vivante_gc_barrier(s->cores[i]);
    }
}

static const MemoryRegionOps pl310_sync_ops = {
    .read = pl310_sync_read,
    .write = pl310_sync_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
};

void pl310_sync_create(Object *owner, hwaddr pl310,
                       VivanteGCState *const *cores, size_t count)
{
    PL310Sync *s = g_new0(PL310Sync, 1);

    s->cores = cores;
    s->count = count;
    memory_region_init_io(&s->mmio, owner, &pl310_sync_ops, s,
                          "pixmill.pl310-sync", CACHE_SYNC_END - CACHE_SYNC);
    memory_region_add_subregion_overlap(get_system_memory(),
                                        pl310 + CACHE_SYNC, &s->mmio, 1);
}
