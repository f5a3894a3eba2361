/*
 * Additions to QEMU's evaluation kit of the i.MX8M Plus: the chip's 3D and 2D
 * cores, and transports for devices of virtio, which it does not have.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Debian's kernels have no driver for the chip's NoC, on which its PCIe
 * depends (linux CONFIG_INTERCONNECT_IMX8MP).  So the guest would have SD cards
 * and a network interface only; folders, images and consoles come by
 * virtio-mmio.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "hw/pixmill/cores/vivante.h"
#include "hw/pixmill/parts/virtio-nodes.h"
#include "imx8mp-evk.h"

/*
 * In a hole of the memory map (i.MX 8M Plus RM: 0x3E000000 to 0x3FFFFFFF),
 * after the last shared interrupt of the chip, 149.
 */
static const VirtioTransports transports = {
    .base = 0x3F000000,
    .size = 0x200,
    .count = 8,
    .spi = 150,
};

/* QEMU's machine has no state that holds its properties; there is only one. */
static struct {
    bool virtio_nodes;
    char *gpu3d;
    char *gpu2d;
} properties = { .virtio_nodes = true };

/* ---- Properties --------------------------------------------------------- */

static bool get_virtio_nodes(Object *obj, Error **errp)
{
    return properties.virtio_nodes;
}

static void set_virtio_nodes(Object *obj, bool value, Error **errp)
{
    properties.virtio_nodes = value;
}

static char *get_gpu3d(Object *obj, Error **errp)
{
    return g_strdup(properties.gpu3d);
}

static void set_gpu3d(Object *obj, const char *value, Error **errp)
{
    g_free(properties.gpu3d);
    properties.gpu3d = g_strdup(value);
}

static char *get_gpu2d(Object *obj, Error **errp)
{
    return g_strdup(properties.gpu2d);
}

static void set_gpu2d(Object *obj, const char *value, Error **errp)
{
    g_free(properties.gpu2d);
    properties.gpu2d = g_strdup(value);
}

void imx8mp_evk_pixmill_class_init(MachineClass *mc)
{
    ObjectClass *oc = OBJECT_CLASS(mc);

    properties.gpu3d = g_strdup("gc7000-imx8mp");
    properties.gpu2d = g_strdup("gc520-imx8mp");
    object_class_property_add_bool(oc, "virtio-nodes", get_virtio_nodes,
                                   set_virtio_nodes);
    object_class_property_set_description(oc, "virtio-nodes",
        "add the virtio-mmio transports to a -dtb, in memory (default on)");
    object_class_property_add_str(oc, "gpu3d", get_gpu3d, set_gpu3d);
    object_class_property_set_description(oc, "gpu3d",
        "model of the vivante-gc at 0x38000000 (default gc7000-imx8mp)");
    object_class_property_add_str(oc, "gpu2d", get_gpu2d, set_gpu2d);
    object_class_property_set_description(oc, "gpu2d",
        "model of the vivante-gc at 0x38008000 (default gc520-imx8mp)");
}

/* ---- Machine ------------------------------------------------------------ */

void imx8mp_evk_pixmill_init(DeviceState *gic)
{
    const uint32_t clock_hz = 800000000; /* linux imx8mp.dtsi: both cores */
    const struct {
        const char *property;
        VivanteGCPlace place;
    } cores[] = { /* linux imx8mp.dtsi */
        { "gpu3d", { "pixmill-gc7000", properties.gpu3d, clock_hz,
                     0x38000000, 3 } },
        { "gpu2d", { "pixmill-gc520", properties.gpu2d, clock_hz,
                     0x38008000, 25 } },
    };

    for (int i = 0; i < ARRAY_SIZE(cores); i++) {
        Error *err = NULL;

        if (!vivante_gc_create(&cores[i].place, gic, &err)) {
            error_reportf_err(err, "%s: ", cores[i].property);
            exit(1);
        }
    }
    for (unsigned i = 0; i < transports.count; i++) {
        sysbus_create_simple("virtio-mmio",
                             transports.base + i * transports.size,
                             qdev_get_gpio_in(gic, transports.spi + i));
    }
}

void imx8mp_evk_pixmill_modify_dtb(void *fdt)
{
    if (properties.virtio_nodes) {
        virtio_nodes_add_to(&transports, fdt, "arm,gic-v3");
    }
}
