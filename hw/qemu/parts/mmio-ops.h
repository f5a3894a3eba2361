/*
 * Registers as QEMU's memory API takes them: what accesses there may be, and
 * in what sizes they arrive.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_MMIO_OPS_H
#define HW_PIXMILL_MMIO_OPS_H

#include "hw/pixmill/compat.h"

/* What is larger than four bytes arrives as words, one after the other. */
#define PIXMILL_ACCESS(smallest, largest)                                    \
    .endianness = DEVICE_LITTLE_ENDIAN,                                      \
    .valid = { .min_access_size = smallest, .max_access_size = largest },    \
    .impl = { .min_access_size = smallest, .max_access_size = 4 }

#define PIXMILL_MMIO_OPS(read_, write_, smallest, largest) \
    { .read = read_, .write = write_, PIXMILL_ACCESS(smallest, largest) }

/* Each byte can be accessed, up to four of them at once. */
#define PIXMILL_BYTE_OPS(read_, write_) PIXMILL_MMIO_OPS(read_, write_, 1, 4)

/* Words only, or two of them. */
#define PIXMILL_WORD_OPS(read_, write_) PIXMILL_MMIO_OPS(read_, write_, 4, 8)

#endif
