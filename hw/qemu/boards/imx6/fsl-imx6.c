/*
 * Graphics cores and display of the i.MX6.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pixmill/compat.h"
#include "fsl-imx6.h"
#include "imx6-display.h"
#include "pl310.h"
#include "hw/pixmill/cores/vivante.h"

/*
 * pl310.c tells when to look at an idle loop.  Polling is only for a guest that
 * does not use the outer cache.
 */
#define POLL_MIN_US 1000

/*
 * The clock rates are those that Linux sets for gpu3d_core and gpu2d_core.
 * The chip determines the models.
 */
static const VivanteGCPlace places[] = {
    { "pixmill-gc2000", NULL, 528000000,
      FSL_IMX6_GPU_3D_ADDR, FSL_IMX6_GPU3D_IRQ, POLL_MIN_US },
    { "pixmill-gc320", NULL, 480000000,
      FSL_IMX6_GPU_2D_ADDR, FSL_IMX6_R2D_IRQ, POLL_MIN_US },
    { "pixmill-gc355", NULL, 480000000,
      FSL_IMX6_OPENVG_ADDR, FSL_IMX6_V2D_IRQ, POLL_MIN_US },
};

/*
 * The chips of the family differ in the models of all cores.  etnaviv refuses
 * cores with different MMUs (linux etnaviv_gpu_init), so no property selects
 * a single core.  The i.MX6DL has no VG core, but the device tree that Debian
 * boots the board with names one.
 */
static const struct {
    const char *name;
    const char *models[ARRAY_SIZE(places)];
} chips[] = {
    { "imx6q", { "gc2000", "gc320-imx6", "gc355" } },
    { "imx6qp", { "gc3000-imx6qp", "gc320-imx6qp", "gc355-imx6qp" } },
    { "imx6dl", { "gc880-imx6dl", "gc320-imx6", "gc355" } },
};

/*
 * Static, because QEMU's machine has no state for it, and there is only one
 * machine.
 */
static unsigned chip;

static char *get_chip(Object *obj, Error **errp)
{
    return g_strdup(chips[chip].name);
}

static void set_chip(Object *obj, const char *value, Error **errp)
{
    for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
        if (g_str_equal(chips[i].name, value)) {
            chip = i;
            return;
        }
    }
    error_setg(errp, "chip: imx6q, imx6qp or imx6dl, not '%s'", value);
}

void sabrelite_pixmill_class_init(MachineClass *mc)
{
    ObjectClass *oc = OBJECT_CLASS(mc);

    object_class_property_add_str(oc, "chip", get_chip, set_chip);
    object_class_property_set_description(oc, "chip",
        "chip whose graphics cores the board has: imx6q (default), imx6qp or "
        "imx6dl");
}

void fsl_imx6_pixmill_realize(FslIMX6State *s, Error **errp)
{
    const Imx6DisplayPlace display = {
        .controller = DEVICE(&s->a9mpcore),
        .ccm = IMX_CCM(&s->ccm),
        .ddc = s->i2c[1].bus,
    };
    g_autofree VivanteGCState **gc = g_new(VivanteGCState *,
                                           ARRAY_SIZE(places));

    for (int i = 0; i < ARRAY_SIZE(places); i++) {
        VivanteGCPlace place = places[i];

        place.model = chips[chip].models[i];
        gc[i] = vivante_gc_create(&place, DEVICE(&s->a9mpcore), errp);
        if (!gc[i]) {
            return;
        }
    }
    pl310_create(FSL_IMX6_PL310_ADDR, g_steal_pointer(&gc), ARRAY_SIZE(places));
    imx6_display_create(&display, errp);
}
