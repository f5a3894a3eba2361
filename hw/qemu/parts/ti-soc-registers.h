/*
 * Registers of a TI SoC that only start-up code uses: clocks, power, resets,
 * control modules, and the OCP registers of modules that are not modeled.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One region (sysbus MMIO 0), starting at TI_SOC_REGISTERS_BASE, to be mapped
 * below all other devices.  It contains 4 KiB pages that are chosen before
 * realize; each page is a bank (register-bank.h).  Elsewhere, the region reads
 * as zero, ignores writes and logs accesses under -d unimp.
 *
 * GPIO inputs "standby": the map sets their number, and its rules refer to them
 * as lines.
 */
#ifndef HW_PIXMILL_TI_SOC_REGISTERS_H
#define HW_PIXMILL_TI_SOC_REGISTERS_H

#include "register-bank.h"

#define TYPE_TI_SOC_REGISTERS "ti-soc-registers"
OBJECT_DECLARE_SIMPLE_TYPE(TISocRegistersState, TI_SOC_REGISTERS)

#define TI_SOC_REGISTERS_BASE 0x40000000
#define TI_SOC_REGISTERS_SIZE 0x20000000

typedef struct TISocWindow {
    uint32_t address;
    uint32_t size;
} TISocWindow;

/* Addresses are physical, and inside the region. */
typedef struct TISocMap {
    const TISocWindow *windows; /* ends with an empty one */
    const RegisterRule *rules;
    unsigned standby_inputs;
} TISocMap;

typedef struct TIRegisterPage TIRegisterPage;

struct TISocRegistersState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    const TISocMap *map;
    TIRegisterPage *pages; /* sorted by address */
    uint32_t num_pages;
    uint32_t standby; /* levels of the inputs */
};

/* The machine calls these before realize, this one first. */
void ti_soc_registers_set_map(TISocRegistersState *s, const TISocMap *map);

/*
 * Adds the OCP registers of each module (node "ti,sysc") in the tree.  Skips
 * malformed nodes and those outside the region.
 */
void ti_soc_registers_add_modules(TISocRegistersState *s, const void *fdt);

#endif
