/*
 * Guest memory for device cores: host pointers to RAM only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_DMA_H
#define HW_PIXMILL_DMA_H

#include "hw/pixmill/compat.h"

/*
 * These enclose all calls of the functions below, on any thread, and may be
 * nested.  They are an RCU read section, whose end forgets the regions that
 * dirty() has looked up.
 */
void pixmill_dma_begin(void);
void pixmill_dma_end(void);

/*
 * Implements PixmillHost.map() on @as.  The result is valid until end().
 */
void *pixmill_dma_map(AddressSpace *as, hwaddr addr, uint64_t *len, bool write);

/*
 * Implements PixmillHost.dirty() on @as: displays, migration and translated
 * code see the write.  If the memory map changes before end(), the memory that
 * was at @addr may be marked instead of that which is there now; the bytes from
 * map() are in the former.
 */
void pixmill_dma_dirty(AddressSpace *as, hwaddr addr, uint64_t len);

#endif
