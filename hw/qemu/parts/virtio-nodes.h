/*
 * Device tree nodes of virtio-mmio transports, for boards that have none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_VIRTIO_NODES_H
#define HW_PIXMILL_VIRTIO_NODES_H

#include "hw/pixmill/compat.h"

/* Transports at consecutive addresses, with consecutive interrupts. */
typedef struct VirtioTransports {
    hwaddr base;
    uint64_t size; /* per transport */
    unsigned count;
    unsigned spi;
} VirtioTransports;

/*
 * @parent is "" or the path of a bus; the cell counts are those of its
 * children.  @controller is the phandle of the interrupt controller, whose
 * cells are as for a GIC.
 */
void virtio_nodes_add(const VirtioTransports *transports, void *fdt,
                      const char *parent, uint32_t address_cells,
                      uint32_t size_cells, uint32_t controller);

/*
 * Adds nodes to the root of a user's tree that has an interrupt controller
 * compatible with @controller.  Warns if the tree has none.
 */
void virtio_nodes_add_to(const VirtioTransports *transports, void *fdt,
                         const char *controller);

#endif
