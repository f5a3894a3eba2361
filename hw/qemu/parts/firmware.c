/*
 * Firmware of a board with a Cortex-M.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "elf.h"
#include "qemu/error-report.h"
#include "qemu/units.h"
#include "hw/arm/boot.h"
#include "system/reset.h"
#include "target/arm/cpu.h"
#include "hw/pixmill/compat.h"
#include "firmware.h"

#define VECTORS_FAR (64 * KiB)

static bool firmware_is_stack(const PixmillFirmware *s, uint32_t sp)
{
    for (const PixmillFirmwareRange *r = s->stacks; r->size; r++) {
        if (sp % 4 == 0 && sp > r->base && sp - r->base <= r->size) {
            return true;
        }
    }
    return false;
}

static bool firmware_find_vectors(PixmillFirmware *s, uint32_t *vectors)
{
    const uint64_t low = s->low, high = s->high;
    const uint64_t end = MIN(high, low + VECTORS_FAR);

    for (uint64_t at = ROUND_UP(low, PIXMILL_VECTORS_ALIGN); at + 8 <= end;
         at += PIXMILL_VECTORS_ALIGN) {
        uint32_t reset = ldl_le_phys(&address_space_memory, at + 4);

        if (firmware_is_stack(s, ldl_le_phys(&address_space_memory, at)) &&
            reset & 1 && reset >= low && reset < high) {
            *vectors = at;
            return true;
        }
    }
    return false;
}

/*
 * Loads an ELF file, which must be for this machine, or any other file, which
 * goes to flash.
 */
static void firmware_load_image(PixmillFirmware *s)
{
    uint64_t low, high;
    ssize_t size = load_elf(s->file, NULL, NULL, NULL, NULL, &low, &high, NULL,
                            ELFDATA2LSB, EM_ARM, 1, 0);

    if (size == ELF_LOAD_NOT_ELF) {
        size = load_image_targphys(s->file, s->flash_base, s->flash_size,
                                   NULL);
        low = s->flash_base;
        high = s->flash_base + MAX(size, 0);
    }
    if (size < 0) {
        error_report("could not load kernel '%s': %s", s->file,
                     load_elf_strerror(size));
        exit(1);
    }
    if (low >= high || high > UINT32_MAX) {
        error_report("kernel '%s' has no segments, or some that are not below "
                     "4 GiB", s->file);
        exit(1);
    }
    s->low = low;
    s->high = high;
}

/*
 * Sets the initial vector table.  A CPU with TrustZone starts in secure state,
 * which has a separate VTOR.
 */
static void firmware_set_vectors(PixmillFirmware *s, uint32_t vectors)
{
    static const char *const names[] = { "init-nsvtor", "init-svtor" };
    Object *cpu = OBJECT(s->cpu);

    for (int i = 0; i < ARRAY_SIZE(names); i++) {
        if (object_property_find(cpu, names[i])) {
            object_property_set_uint(cpu, names[i], vectors, &error_abort);
        }
    }
}

void pixmill_firmware_load(PixmillFirmware *s, ARMv7MState *armv7m,
                           const char *file)
{
    s->cpu = armv7m->cpu;
    s->file = file;
    if (file) {
        firmware_load_image(s);
    }
    firmware_set_vectors(s, s->vector_table ? s->vector_table : s->flash_base);
    armv7m_load_kernel(s->cpu, NULL, 0, 0); /* adds a reset handler */
}

/*
 * Restarts the CPU from its vector table, because the image is loaded only
 * after the CPU's own reset.
 */
void pixmill_firmware_reset(PixmillFirmware *s, ResetType type)
{
    uint32_t vectors;

    qemu_devices_reset(type);
    if (s->vector_table || !s->file || runstate_check(RUN_STATE_INMIGRATE)) {
        return;
    }
    if (!firmware_find_vectors(s, &vectors)) {
        warn_report_once("no vector table found in '%s'; the property "
                         "vector-table says where it is", s->file);
        vectors = s->flash_base;
    }
    firmware_set_vectors(s, vectors);
    cpu_reset(CPU(s->cpu));
}
