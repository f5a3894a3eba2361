/*
 * MemoryRegionOps for registers: the accesses that are valid, and the sizes in
 * which they arrive.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_MMIO_OPS_H
#define HW_PIXMILL_MMIO_OPS_H

#include "hw/pixmill/compat.h"

/* An access of more than four bytes arrives as one word after the other. */
#define PIXMILL_ACCESS(smallest, largest)                                    \
    .endianness = DEVICE_LITTLE_ENDIAN,                                      \
    .valid = { .min_access_size = smallest, .max_access_size = largest },    \
    .impl = { .min_access_size = smallest, .max_access_size = 4 }

#define PIXMILL_MMIO_OPS(read_, write_, smallest, largest) \
    { .read = read_, .write = write_, PIXMILL_ACCESS(smallest, largest) }

/* Accesses of one to four bytes. */
#define PIXMILL_BYTE_OPS(read_, write_) PIXMILL_MMIO_OPS(read_, write_, 1, 4)

/* Accesses of one or two words. */
#define PIXMILL_WORD_OPS(read_, write_) PIXMILL_MMIO_OPS(read_, write_, 4, 8)

#endif
