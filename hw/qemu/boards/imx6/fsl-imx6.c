/*
 * Graphics cores and display of the i.MX6 Quad.
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

void fsl_imx6_pixmill_realize(FslIMX6State *s, Error **errp)
{
    /*
     * The clock rates are those that Linux sets for gpu3d_core and gpu2d_core.
     */
    static const VivanteGCPlace cores[] = {
        { "pixmill-gc2000", "gc2000", 528000000,
          FSL_IMX6_GPU_3D_ADDR, FSL_IMX6_GPU3D_IRQ, POLL_MIN_US },
        { "pixmill-gc320", "gc320-imx6", 480000000,
          FSL_IMX6_GPU_2D_ADDR, FSL_IMX6_R2D_IRQ, POLL_MIN_US },
        { "pixmill-gc355", "gc355", 480000000,
          FSL_IMX6_OPENVG_ADDR, FSL_IMX6_V2D_IRQ, POLL_MIN_US },
    };
    const Imx6DisplayPlace display = {
        .controller = DEVICE(&s->a9mpcore),
        .ccm = IMX_CCM(&s->ccm),
        .ddc = s->i2c[1].bus,
    };
    g_autofree VivanteGCState **gc = g_new(VivanteGCState *,
                                           ARRAY_SIZE(cores));

    for (int i = 0; i < ARRAY_SIZE(cores); i++) {
        gc[i] = vivante_gc_create(&cores[i], DEVICE(&s->a9mpcore), errp);
        if (!gc[i]) {
            return;
        }
    }
    pl310_create(FSL_IMX6_PL310_ADDR, g_steal_pointer(&gc), ARRAY_SIZE(cores));
    imx6_display_create(&display, errp);
}
