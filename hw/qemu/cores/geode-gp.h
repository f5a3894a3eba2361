/*
 * AMD Geode LX graphics processor as a QEMU device, with its frame buffer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   sysbus MMIO 0   registers, 16 KiB
 *   sysbus MMIO 1   GeodeLink MSRs, 30h bytes: A0002000h + n at 8 * n
 *   sysbus MMIO 2   VRAM
 *   sysbus IRQ 0    level high
 *   vram-size       bytes of VRAM, a power of two
 *   fb-base         address of VRAM in the GP, until geode_gp_place_vram()
 *   cbase-auto      the command buffer is in the last 2 MiB of VRAM until MSR
 *                   GP CONFIG moves it
 *   dma             the memory around VRAM; none if not set
 *
 * The core behind include/pixmill/geode.h implements the registers.
 */
#ifndef HW_PIXMILL_GEODE_GP_H
#define HW_PIXMILL_GEODE_GP_H

#include "hw/pixmill/compat.h"
#include "shell.h"
#include "subprojects/pixmill/include/pixmill/geode.h"

#define TYPE_GEODE_GP "geode-gp"
OBJECT_DECLARE_SIMPLE_TYPE(GeodeGpState, GEODE_GP)

struct GeodeGpState {
    SysBusDevice parent_obj;

    PixmillShell shell;
    MemoryRegion msr;
    MemoryRegion vram;

    MemoryRegion space; /* address space of the GP */
    MemoryRegion frame_buffer;
    MemoryRegion beside;

    uint64_t vram_size;
    uint32_t fb_base;
    uint32_t fb_base_first; /* value of the property */
    bool fb_mapped;
    bool cbase_auto;
    MemoryRegion *memory;
};

enum {
    GEODE_GP_MMIO_REGISTERS,
    GEODE_GP_MMIO_MSRS,
    GEODE_GP_MMIO_VRAM,
};

/*
 * Moves VRAM to @base in the GP's address space, or removes it unless @mapped.
 * Call between pixmill_shell_enter() and leave(), while nothing is being drawn.
 */
void geode_gp_place_vram(GeodeGpState *s, bool mapped, uint32_t base);

/* Sets the time of vertical blanks: see pixmill_geode_gp_set_timing(). */
void geode_gp_set_timing(GeodeGpState *s, int64_t blank_ns, int64_t frame_ns);

#endif
