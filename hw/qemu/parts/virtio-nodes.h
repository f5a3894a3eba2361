/*
 * Device-tree nodes of virtio-mmio transports, for a board that has none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_VIRTIO_NODES_H
#define HW_PIXMILL_VIRTIO_NODES_H

#include "hw/pixmill/compat.h"

/* Transports in a row, each with an interrupt of its own, in a row, too. */
typedef struct VirtioTransports {
    hwaddr base;
    uint64_t size; /* of each */
    unsigned count;
    unsigned spi;
} VirtioTransports;

/*
 * @parent: "" or a bus; its children's cell counts are given.
 * @controller: phandle of the interrupt controller, whose cells are the GIC's.
 */
void virtio_nodes_add(const VirtioTransports *transports, void *fdt,
                      const char *parent, uint32_t address_cells,
                      uint32_t size_cells, uint32_t controller);

/*
 * To the root of a tree of the user's, whose interrupt controller is compatible
 * with @controller; warns if the tree has none.
 */
void virtio_nodes_add_to(const VirtioTransports *transports, void *fdt,
                         const char *controller);

#endif
