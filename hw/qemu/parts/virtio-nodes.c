/*
 * Device tree nodes of virtio-mmio transports, for boards that have none.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "system/device_tree.h"
#include <libfdt.h>
#include "virtio-nodes.h"

/* Values of cells in "interrupts", as defined by the GIC's binding. */
enum { SPI = 0, LEVEL_HIGH = 4 };

void virtio_nodes_add(const VirtioTransports *transports, void *fdt,
                      const char *parent, uint32_t address_cells,
                      uint32_t size_cells, uint32_t controller)
{
    /* libfdt inserts new nodes first, so add the last transport first. */
    for (unsigned i = transports->count; i--;) {
        hwaddr base = transports->base + i * transports->size;
        g_autofree char *node = g_strdup_printf("%s/virtio_mmio@%" PRIx64,
                                                parent, base);

        qemu_fdt_add_subnode(fdt, node);
        qemu_fdt_setprop_string(fdt, node, "compatible", "virtio,mmio");
        qemu_fdt_setprop_sized_cells(fdt, node, "reg", address_cells, base,
                                     size_cells, transports->size);
        qemu_fdt_setprop_cell(fdt, node, "interrupt-parent", controller);
        qemu_fdt_setprop_cells(fdt, node, "interrupts",
                               SPI, transports->spi + i, LEVEL_HIGH);
        qemu_fdt_setprop(fdt, node, "dma-coherent", NULL, 0);
    }
}

void virtio_nodes_add_to(const VirtioTransports *transports, void *fdt,
                         const char *controller)
{
    int node = fdt_node_offset_by_compatible(fdt, -1, controller);
    uint32_t phandle = node < 0 ? 0 : fdt_get_phandle(fdt, node);

    if (!phandle) {
        warn_report("the device tree has no %s that others refer to: no "
                    "virtio-mmio nodes are added", controller);
        return;
    }
    virtio_nodes_add(transports, fdt, "",
                     qemu_fdt_getprop_cell(fdt, "/", "#address-cells", NULL,
                                           &error_fatal),
                     qemu_fdt_getprop_cell(fdt, "/", "#size-cells", NULL,
                                           &error_fatal),
                     phandle);
}
