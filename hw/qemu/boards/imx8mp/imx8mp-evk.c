/*
 * Additions to QEMU's evaluation kit of the i.MX8M Plus: the chip's 3D and 2D
 * cores, and virtio-mmio transports, which the board lacks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Debian's kernels have no driver for the chip's NoC, on which its PCIe depends
 * (linux CONFIG_INTERCONNECT_IMX8MP).  Without virtio-mmio, guests would have
 * SD cards and a network interface, but no shared folders, disk images or
 * consoles.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/error-report.h"
#include "hw/pixmill/cores/vivante.h"
#include "hw/pixmill/parts/virtio-nodes.h"
#include "imx8mp-evk.h"

/*
 * The transports are in a hole of the memory map (i.MX 8M Plus RM: 0x3E000000
 * to 0x3FFFFFFF).  Their interrupts follow the chip's last shared peripheral
 * interrupt, 149.
 */
static const VirtioTransports transports = {
    .base = 0x3F000000,
    .size = 0x200,
    .count = 8,
    .spi = 150,
};

/* Clock rate of both cores (linux imx8mp.dtsi). */
#define CLOCK_HZ 800000000

/*
 * Static, because QEMU's machine has no state for these properties, and there
 * is only one machine.
 */
static bool virtio_nodes = true;

static struct {
    const char *property; /* property whose value is the model */
    const char *description;
    VivanteGCPlace place; /* linux imx8mp.dtsi; with the default model */
    char *model;
} cores[] = {
    { "gpu3d", "model of the vivante-gc at 0x38000000 (default gc7000-imx8mp)",
      { "pixmill-gc7000", "gc7000-imx8mp", CLOCK_HZ, 0x38000000, 3 } },
    { "gpu2d", "model of the vivante-gc at 0x38008000 (default gc520-imx8mp)",
      { "pixmill-gc520", "gc520-imx8mp", CLOCK_HZ, 0x38008000, 25 } },
};

/* ---- Properties --------------------------------------------------------- */

static bool get_virtio_nodes(Object *obj, Error **errp)
{
    return virtio_nodes;
}

static void set_virtio_nodes(Object *obj, bool value, Error **errp)
{
    virtio_nodes = value;
}

static void get_model(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    visit_type_str(v, name, opaque, errp);
}

static void set_model(Object *obj, Visitor *v, const char *name, void *opaque,
                      Error **errp)
{
    char **model = opaque;
    char *value;

    if (visit_type_str(v, name, &value, errp)) {
        g_free(*model);
        *model = value;
    }
}

void imx8mp_evk_pixmill_class_init(MachineClass *mc)
{
    ObjectClass *oc = OBJECT_CLASS(mc);

    object_class_property_add_bool(oc, "virtio-nodes", get_virtio_nodes,
                                   set_virtio_nodes);
    object_class_property_set_description(oc, "virtio-nodes",
        "add the virtio-mmio transports to the loaded -dtb (default on)");
    for (int i = 0; i < ARRAY_SIZE(cores); i++) {
        cores[i].model = g_strdup(cores[i].place.model);
        object_class_property_add(oc, cores[i].property, "string", get_model,
                                  set_model, NULL, &cores[i].model);
        object_class_property_set_description(oc, cores[i].property,
                                              cores[i].description);
    }
}

/* ---- Machine ------------------------------------------------------------ */

void imx8mp_evk_pixmill_init(DeviceState *gic)
{
    for (int i = 0; i < ARRAY_SIZE(cores); i++) {
        VivanteGCPlace place = cores[i].place;
        Error *err = NULL;

        place.model = cores[i].model;
        if (!vivante_gc_create(&place, gic, &err)) {
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
    if (virtio_nodes) {
        virtio_nodes_add_to(&transports, fdt, "arm,gic-v3");
    }
}
