/*
 * Guest memory for device cores: host pointers to RAM only.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_DMA_H
#define HW_PIXMILL_DMA_H

#include "hw/pixmill/compat.h"

/*
 * Implements PixmillHost.map() on @as.  Call it and use its result inside one
 * RCU read section.  May be called on any thread.
 */
void *pixmill_dma_map(AddressSpace *as, hwaddr addr, uint64_t *len, bool write);

/*
 * Implements PixmillHost.dirty() on @as: displays, migration and translated
 * code see the write.  Call it inside an RCU read section, on any thread.
 */
void pixmill_dma_dirty(AddressSpace *as, hwaddr addr, uint64_t len);

#endif
