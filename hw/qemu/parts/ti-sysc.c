/*
 * Finds the modules in a TI device tree: nodes "ti,sysc".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * linux Documentation/devicetree/bindings/bus/ti-sysc.yaml.  Position of the
 * soft reset bit: linux drivers/bus/ti-sysc.c, struct sysc_regbits.
 */
#include "qemu/osdep.h"
#include "qemu/bitops.h"
#include "ti-sysc.h"
#include <libfdt.h>

#define MAX_DEPTH 16 /* of nodes; stock trees have 7 levels */

/* A node whose children have addresses. */
typedef struct Bus {
    const struct Bus *parent;
    int address_cells, size_cells;
    const fdt32_t *ranges; /* NULL: addresses cannot be translated further */
    int num_ranges;        /* 0: addresses are the same on the parent */
} Bus;

static uint64_t read_cells(const fdt32_t *cells, int count)
{
    uint64_t value = 0;

    for (int i = 0; i < count; i++) {
        value = value << 32 | fdt32_to_cpu(cells[i]);
    }
    return value;
}

static int cells_per_range(const Bus *bus)
{
    return bus->address_cells + bus->parent->address_cells + bus->size_cells;
}

static void make_bus(const void *fdt, int node, const Bus *parent, Bus *bus)
{
    int length = 0;

    *bus = (Bus) {
        .parent = parent,
        .address_cells = fdt_address_cells(fdt, node),
        .size_cells = fdt_size_cells(fdt, node),
        .ranges = fdt_getprop(fdt, node, "ranges", &length),
    };
    /* The accessors return errors below 0.  Every bus has address cells. */
    bus->address_cells = MAX(bus->address_cells, 1);
    bus->size_cells = MAX(bus->size_cells, 0);
    if (parent && bus->ranges) {
        bus->num_ranges = length / (4 * cells_per_range(bus));
    }
}

/* Translates @address from @bus to its parent. */
static bool translate_once(const Bus *bus, uint64_t *address)
{
    int cells = cells_per_range(bus);

    for (int i = 0; i < bus->num_ranges; i++) {
        const fdt32_t *range = bus->ranges + i * cells;
        const fdt32_t *there = range + bus->address_cells;
        const fdt32_t *size = there + bus->parent->address_cells;
        uint64_t offset = *address - read_cells(range, bus->address_cells);

        if (offset < read_cells(size, bus->size_cells)) {
            *address = read_cells(there, bus->parent->address_cells) + offset;
            return true;
        }
    }
    return bus->ranges && !bus->num_ranges;
}

/* Returns the address of entry @name in the properties reg and reg-names. */
static uint64_t register_address(const void *fdt, int node, const Bus *bus,
                                 const char *name)
{
    int entry = fdt_stringlist_search(fdt, node, "reg-names", name);
    int cells = bus->address_cells + bus->size_cells;
    int length = 0;
    const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &length);
    uint64_t address;

    if (!reg || entry < 0 || entry >= length / (4 * cells)) {
        return TI_SYSC_NO_REGISTER;
    }
    address = read_cells(reg + entry * cells, bus->address_cells);
    for (; bus->parent; bus = bus->parent) {
        if (!translate_once(bus, &address)) {
            return TI_SYSC_NO_REGISTER;
        }
    }
    return address;
}

static uint32_t soft_reset_of(const void *fdt, int node)
{
    static const struct {
        const char *compatible;
        uint32_t soft_reset;
    } layouts[] = {
        { "ti,sysc-omap2", BIT(1) },
        { "ti,sysc-omap2-timer", BIT(1) },
        { "ti,sysc-omap3-sham", BIT(1) },
        { "ti,sysc-omap3-aes", BIT(1) },
        { "ti,sysc-omap4", BIT(0) },
        { "ti,sysc-omap4-timer", BIT(0) },
        { "ti,sysc-dra7-mcan", BIT(0) },
    };

    for (int i = 0; i < ARRAY_SIZE(layouts); i++) {
        if (!fdt_node_check_compatible(fdt, node, layouts[i].compatible)) {
            return layouts[i].soft_reset;
        }
    }
    return 0;
}

typedef struct Walk {
    const void *fdt;
    void (*fn)(void *opaque, const TISysc *module);
    void *opaque;
} Walk;

static void visit(const Walk *walk, int node, const Bus *parent, int depth)
{
    Bus bus;
    int child;

    if (parent && !fdt_node_check_compatible(walk->fdt, node, "ti,sysc")) {
        walk->fn(walk->opaque, &(TISysc) {
            .name = fdt_get_name(walk->fdt, node, NULL),
            .rev = register_address(walk->fdt, node, parent, "rev"),
            .sysc = register_address(walk->fdt, node, parent, "sysc"),
            .syss = register_address(walk->fdt, node, parent, "syss"),
            .soft_reset = soft_reset_of(walk->fdt, node),
        });
    }
    if (depth == MAX_DEPTH) {
        return;
    }
    make_bus(walk->fdt, node, parent, &bus);
    fdt_for_each_subnode(child, walk->fdt, node) {
        visit(walk, child, &bus, depth + 1);
    }
}

void ti_sysc_for_each(const void *fdt,
                      void (*fn)(void *opaque, const TISysc *module),
                      void *opaque)
{
    visit(&(Walk) { .fdt = fdt, .fn = fn, .opaque = opaque }, 0, NULL, 0);
}
