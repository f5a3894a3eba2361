/*
 * Guest memory for device cores: host pointers to RAM only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "dma.h"

/*
 * Returns the RAM at @addr, or NULL.  For reads, ROM counts as RAM.  ROM
 * devices never count as RAM, nor do RAM devices, which may be MMIO of the
 * host.
 */
static MemoryRegion *dma_translate(AddressSpace *as, hwaddr addr, hwaddr *xlat,
                                   hwaddr *len, bool write)
{
    MemoryRegion *mr = address_space_translate(as, addr, xlat, len, write,
                                               MEMTXATTRS_UNSPECIFIED);

    if (!memory_region_is_ram(mr) || memory_region_is_ram_device(mr) ||
        (write && mr->readonly)) {
        return NULL;
    }
    return mr;
}

typedef struct DmaHole {
    Int128 addr;
    Int128 len;
} DmaHole;

static bool dma_hole_step(Int128 start, Int128 len, const MemoryRegion *mr,
                          hwaddr offset, void *opaque)
{
    DmaHole *hole = opaque;
    Int128 end = int128_add(start, len);

    if (int128_le(end, hole->addr)) {
        return false;
    }
    hole->len = int128_sub(int128_gt(start, hole->addr) ? start : end,
                           hole->addr);
    return true;
}

/*
 * Returns the number of bytes from @addr, which is not RAM, to the next address
 * that may be RAM.
 */
static uint64_t dma_hole_length(AddressSpace *as, hwaddr addr)
{
    DmaHole hole = {
        .addr = int128_make64(addr),
        .len = int128_sub(int128_2_64(), int128_make64(addr)),
    };

    flatview_for_each_range(address_space_to_flatview(as), dma_hole_step,
                            &hole);
    return int128_get64(int128_min(hole.len, int128_make64(UINT64_MAX)));
}

void *pixmill_dma_map(AddressSpace *as, hwaddr addr, uint64_t *len, bool write)
{
    hwaddr xlat, l = UINT64_MAX;
    MemoryRegion *mr = dma_translate(as, addr, &xlat, &l, write);

    if (!mr) {
        *len = dma_hole_length(as, addr);
        return NULL;
    }
    *len = l;
    return (uint8_t *)memory_region_get_ram_ptr(mr) + xlat;
}

void pixmill_dma_dirty(AddressSpace *as, hwaddr addr, uint64_t len)
{
    while (len) {
        hwaddr xlat, l = len;
        MemoryRegion *mr = dma_translate(as, addr, &xlat, &l, true);

        if (!mr) {
            /*
             * The guest has unmapped the RAM since it was mapped; the data is
             * lost.
             */
            l = MIN(len, dma_hole_length(as, addr));
        } else {
            /*
             * Take the reference that address_space_map() would take.  Calling
             * it could return a bounce buffer, if the region has become MMIO
             * since the check above, and the unmap would then write to that
             * MMIO.
             */
            memory_region_ref(mr);
            address_space_unmap(as,
                                (uint8_t *)memory_region_get_ram_ptr(mr) + xlat,
                                l, true, l);
        }
        addr += l;
        len -= l;
    }
}
