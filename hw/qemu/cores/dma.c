/*
 * Guest memory for device cores: host pointers to RAM only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/rcu.h"
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

/* ---- Dirty memory ------------------------------------------------------- */

/*
 * The region that the thread has last written.  A draw reports each page, but
 * few regions, so most reports do not have to look up theirs.  The cache
 * belongs to the thread, because register accesses may run the front end, which
 * writes fences, while another thread is in draw().
 */
static __thread struct {
    unsigned sections; /* begin() without end() */
    const AddressSpace *as;
    MemoryRegionCache region; /* or empty */
    hwaddr base;              /* address of its first byte */
} written;

void pixmill_dma_begin(void)
{
    rcu_read_lock();
    written.sections++;
}

/*
 * This does not need the BQL, because it finalizes no device: the flat view,
 * which is released after the region, refers to the region, too, and RCU's
 * thread destroys the view.
 */
static void dma_forget(void)
{
    address_space_cache_destroy(&written.region);
    written.as = NULL;
}

void pixmill_dma_end(void)
{
    assert(written.sections);
    dma_forget();
    written.sections--;
    rcu_read_unlock();
}

static bool dma_knows(const AddressSpace *as, hwaddr addr)
{
    return written.as == as && addr - written.base < written.region.len;
}

static void dma_remember(AddressSpace *as, hwaddr addr)
{
    const hwaddr most = 1ULL << 40; /* no region of RAM is larger */

    dma_forget();
    address_space_cache_init(&written.region, as, addr, most, true);
    written.as = as;
    written.base = addr;
}

/*
 * Finds the region at @addr.  The cache begins where the region does, because
 * draws that go backwards would otherwise miss it at each page.  If the memory
 * map changes between the two calls, the cache may not contain @addr.
 */
static void dma_find(AddressSpace *as, hwaddr addr)
{
    hwaddr start;

    dma_remember(as, addr);
    start = written.region.mrs.offset_within_address_space;
    if (written.region.ptr && start < addr) {
        dma_remember(as, start);
    }
}

/*
 * Marks memory that is not the RAM of the cache, and returns the number of
 * bytes: the RAM behind an IOMMU, or a hole if the guest has unmapped the RAM
 * since it was mapped; the data is lost then.
 */
static uint64_t dma_dirty_other(AddressSpace *as, hwaddr addr, uint64_t len)
{
    hwaddr xlat, l = len;
    MemoryRegion *mr = dma_translate(as, addr, &xlat, &l, true);

    if (!mr) {
        return MIN(len, dma_hole_length(as, addr));
    }
    /*
     * Take the reference that address_space_map() would take.  Calling it could
     * return a bounce buffer, if the region has become MMIO since the check
     * above, and the unmap would then write to that MMIO.
     */
    memory_region_ref(mr);
    address_space_unmap(as, (uint8_t *)memory_region_get_ram_ptr(mr) + xlat, l,
                        true, l);
    return l;
}

void pixmill_dma_dirty(AddressSpace *as, hwaddr addr, uint64_t len)
{
    assert(written.sections);
    while (len) {
        uint64_t l;

        if (!dma_knows(as, addr)) {
            dma_find(as, addr);
        }
        if (dma_knows(as, addr) && written.region.ptr) {
            hwaddr offset = addr - written.base;

            l = MIN(len, written.region.len - offset);
            address_space_cache_invalidate(&written.region, offset, l);
        } else {
            l = dma_dirty_other(as, addr, len);
        }
        addr += l;
        len -= l;
    }
}
