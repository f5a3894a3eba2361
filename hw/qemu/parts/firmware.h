/*
 * Firmware of a board with a Cortex-M: loads the image and starts the
 * processor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An image is an ELF file or a raw flash image.  The processor starts with the
 * vector table at the lowest address in the image that can hold one: a stack
 * pointer into RAM, followed by a Thumb function in the image.  Linkers and
 * boot loaders may therefore put headers before it.
 */
#ifndef HW_PIXMILL_FIRMWARE_H
#define HW_PIXMILL_FIRMWARE_H

#include "hw/arm/armv7m.h"
#include "hw/pixmill/compat.h"

#define PIXMILL_VECTORS_ALIGN 128 /* alignment in VTOR */

typedef struct PixmillFirmwareRange {
    uint32_t base;
    uint32_t size;
} PixmillFirmwareRange;

typedef struct PixmillFirmware {
    /* Set by the board. */
    const PixmillFirmwareRange *stacks; /* RAM; ends with size 0 */
    uint32_t flash_base;                /* raw images; default vector table */
    uint32_t flash_size;
    uint32_t vector_table; /* 0: found in the image */

    /* Set by pixmill_firmware_load(). */
    ARMCPU *cpu;
    const char *file; /* or NULL */
    uint32_t low;     /* address range that was loaded */
    uint32_t high;
} PixmillFirmware;

/*
 * Called by a machine's init().  Exits QEMU if the file does not fit the
 * machine.
 */
void pixmill_firmware_load(PixmillFirmware *s, ARMv7MState *armv7m,
                           const char *file);

/* Called by a machine's reset(). */
void pixmill_firmware_reset(PixmillFirmware *s, ResetType type);

#endif
