/*
 * Registers of a TI SoC that only software's start-up looks at: clocks, power,
 * resets, control modules, and the OCP registers of modules without a model.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One region (sysbus MMIO 0) from TI_SOC_REGISTERS_BASE on, to be mapped below
 * all other devices.  Its pages of 4 KiB are chosen before realize; they store
 * what is written to them, except where a rule says otherwise.  Elsewhere the
 * region reads as zero, ignores writes and says so under -d unimp.
 *
 * GPIO inputs "standby", one for each ti_soc_registers_add_standby().
 */
#ifndef HW_PIXMILL_TI_SOC_REGISTERS_H
#define HW_PIXMILL_TI_SOC_REGISTERS_H

#include "hw/pixmill/compat.h"

#define TYPE_TI_SOC_REGISTERS "ti-soc-registers"
OBJECT_DECLARE_SIMPLE_TYPE(TISocRegistersState, TI_SOC_REGISTERS)

#define TI_SOC_REGISTERS_BASE 0x40000000
#define TI_SOC_REGISTERS_SIZE 0x20000000

/* What a register does beside storing its writable bits. */
typedef enum TIRegisterRule {
    TI_REGISTER_STORES,
    TI_REGISTER_CLKCTRL,     /* IDLEST and STBYST follow MODULEMODE */
    TI_REGISTER_DPLL_IDLEST, /* follows CLKMODE, the word before */
    TI_REGISTER_RSTCTRL, /* the end of a reset sets a bit of the next word */
    TI_REGISTER_RSTST,       /* a one clears */
} TIRegisterRule;

typedef struct TIRegisterPage TIRegisterPage;

#define TI_SOC_REGISTERS_MAX_STANDBY 32

struct TISocRegistersState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    TIRegisterPage *pages; /* in the order of their addresses */
    uint32_t num_pages;

    uint32_t standby_address[TI_SOC_REGISTERS_MAX_STANDBY];
    uint32_t num_standby;
    uint32_t standby; /* levels of the inputs */
};

/*
 * What follows is for the machine, before realize.  Addresses are physical and
 * inside of the region.
 */

void ti_soc_registers_add_window(TISocRegistersState *s, uint32_t address,
                                 uint32_t size);

/* One register: its page (made if need be), value at reset, writable bits. */
void ti_soc_registers_set(TISocRegistersState *s, uint32_t address,
                          uint32_t reset, uint32_t writable);

void ti_soc_registers_set_rule(TISocRegistersState *s, uint32_t address,
                               uint32_t size, TIRegisterRule rule);

/* The next "standby" input shows in this CLKCTRL register. */
void ti_soc_registers_add_standby(TISocRegistersState *s, uint32_t address);

/*
 * The OCP registers of each module that the tree has: node "ti,sysc".  What is
 * wrong with a node, or outside of the region, is left out.
 */
void ti_soc_registers_add_modules(TISocRegistersState *s, const void *fdt);

#endif
