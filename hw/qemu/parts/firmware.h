/*
 * Firmware of a board with a Cortex-M: how its image gets in, and where the
 * processor starts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * An image is an ELF file, or a raw one of the flash.  The processor starts
 * with the vector table at the lowest address of the image at which one can be:
 * a stack in RAM, followed by a Thumb function in the image.  So headers in
 * front of it, those of linkers and of boot loaders, do no harm.
 */
#ifndef HW_PIXMILL_FIRMWARE_H
#define HW_PIXMILL_FIRMWARE_H

#include "hw/arm/armv7m.h"
#include "hw/pixmill/compat.h"

#define PIXMILL_VECTORS_ALIGN 128 /* of VTOR */

typedef struct PixmillFirmwareRange {
    uint32_t base;
    uint32_t size;
} PixmillFirmwareRange;

typedef struct PixmillFirmware {
    /* Of the board. */
    const PixmillFirmwareRange *stacks; /* RAM; ends with size 0 */
    uint32_t flash_base;                /* of raw images, and without a table */
    uint32_t flash_size;
    uint32_t vector_table; /* 0: found in the image */

    /* Set by pixmill_firmware_load(). */
    ARMCPU *cpu;
    const char *file; /* or NULL */
    uint32_t low;     /* addresses of what was loaded */
    uint32_t high;
} PixmillFirmware;

/* Of a machine's init(); ends QEMU if the file is not for it. */
void pixmill_firmware_load(PixmillFirmware *s, ARMv7MState *armv7m,
                           const char *file);

/* A machine's reset(). */
void pixmill_firmware_reset(PixmillFirmware *s, ResetType type);

#endif
