/*
 * The display of the i.MX6 Quad on boards like sabrelite: two IPUs, and the
 * outputs HDMI, LVDS and parallel.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Wiring: linux arch/arm/boot/dts/nxp/imx/imx6qdl-sabrelite.dtsi: PWM1 and PWM4
 * are the backlights of the parallel and the LVDS panel, and I2C2 is the DDC of
 * HDMI.  Addresses and interrupts: QEMU's hw/arm/fsl-imx6.h.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/arm/fsl-imx6.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/dw-hdmi.h"
#include "hw/pixmill/parts/imx-pwm.h"
#include "hw/pixmill/parts/imx6-ipu.h"
#include "imx6-display.h"
#include "imx6-iomuxc-gpr.h"

/* Realizes @dev as a child of the machine, and maps its registers. */
static bool place_device(DeviceState *dev, const char *name, hwaddr addr,
                         Error **errp)
{
    object_property_add_child(qdev_get_machine(), name, OBJECT(dev));
    if (!sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), errp)) {
        return false;
    }
    sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, addr);
    return true;
}

static void connect_irq(DeviceState *dev, DeviceState *controller, int irq)
{
    sysbus_connect_irq(SYS_BUS_DEVICE(dev), 0,
                       qdev_get_gpio_in(controller, irq));
}

/* Viewers show the first console first, so HDMI comes first. */
static bool create_screens(Imx6IomuxcGprState *gpr, Error **errp)
{
    static const char *const names[IMX6_OUTPUTS] = {
        [IMX6_OUTPUT_HDMI] = "hdmi",
        [IMX6_OUTPUT_LVDS] = "lvds",
        [IMX6_OUTPUT_PARALLEL] = "parallel",
    };

    for (int i = 0; i < IMX6_OUTPUTS; i++) {
        gpr->screen[i] = imx_ipu_screen_create(names[i], errp);
        if (!gpr->screen[i]) {
            return false;
        }
    }
    return true;
}

static bool create_ipus(Imx6IomuxcGprState *gpr, DeviceState *controller,
                        Error **errp)
{
    static const ImxIpuPlace places[IMX6_IPUS] = {
        { "pixmill-ipu1", FSL_IMX6_IPU_1_ADDR, FSL_IMX6_IPU1_SYNC_IRQ,
          FSL_IMX6_IPU1_ERROR_IRQ },
        { "pixmill-ipu2", FSL_IMX6_IPU_2_ADDR, FSL_IMX6_IPU2_SYNC_IRQ,
          FSL_IMX6_IPU2_ERROR_IRQ },
    };

    for (int i = 0; i < IMX6_IPUS; i++) {
        gpr->ipu[i] = imx_ipu_create(&places[i], controller, errp);
        if (!gpr->ipu[i]) {
            return false;
        }
    }
    return true;
}

/* Returns the routing of the outputs, or NULL. */
static DeviceState *create_routing(DeviceState *controller, Error **errp)
{
    DeviceState *dev = qdev_new(TYPE_IMX6_IOMUXC_GPR);
    Imx6IomuxcGprState *gpr = IMX6_IOMUXC_GPR(dev);

    if (!create_ipus(gpr, controller, errp) || !create_screens(gpr, errp)) {
        object_unref(OBJECT(dev));
        return NULL;
    }
    return place_device(dev, "pixmill-iomuxc-gpr", FSL_IMX6_IOMUXC_ADDR,
                        errp) ? dev : NULL;
}

static bool create_hdmi(const Imx6DisplayPlace *place, DeviceState *routing,
                        Error **errp)
{
    DeviceState *dev = qdev_new(TYPE_DW_HDMI);

    if (!place_device(dev, "pixmill-hdmi", FSL_IMX6_HDMI_ADDR, errp)) {
        return false;
    }
    connect_irq(dev, place->controller, FSL_IMX6_HDMI_MASTER_IRQ);
    qdev_connect_gpio_out_named(dev, DW_HDMI_ACTIVE, 0,
        qdev_get_gpio_in_named(routing, IMX6_IOMUXC_GPR_HDMI, 0));
    return dw_hdmi_attach_monitor(DW_HDMI(dev), place->ddc, errp);
}

/*
 * The parallel panel's pins always carry a picture, so its backlight decides
 * when there is something to see.
 */
static bool create_pwms(const Imx6DisplayPlace *place, DeviceState *routing,
                        Error **errp)
{
    static const struct {
        const char *name;
        hwaddr addr;
        int irq;
        bool lcd;
    } pwms[] = {
        { "pixmill-pwm1", FSL_IMX6_PWM1_ADDR, FSL_IMX6_PWM1_IRQ, true },
        { "pixmill-pwm2", FSL_IMX6_PWM2_ADDR, FSL_IMX6_PWM2_IRQ },
        { "pixmill-pwm3", FSL_IMX6_PWM3_ADDR, FSL_IMX6_PWM3_IRQ },
        { "pixmill-pwm4", FSL_IMX6_PWM4_ADDR, FSL_IMX6_PWM4_IRQ },
    };

    for (int i = 0; i < ARRAY_SIZE(pwms); i++) {
        DeviceState *dev = qdev_new(TYPE_IMX_PWM);

        IMX_PWM(dev)->ccm = place->ccm;
        if (!place_device(dev, pwms[i].name, pwms[i].addr, errp)) {
            return false;
        }
        connect_irq(dev, place->controller, pwms[i].irq);
        if (pwms[i].lcd) {
            qdev_connect_gpio_out_named(dev, IMX_PWM_ENABLED, 0,
                qdev_get_gpio_in_named(routing, IMX6_IOMUXC_GPR_LCD, 0));
        }
    }
    return true;
}

bool imx6_display_create(const Imx6DisplayPlace *place, Error **errp)
{
    DeviceState *routing = create_routing(place->controller, errp);

    return routing && create_hdmi(place, routing, errp) &&
           create_pwms(place, routing, errp);
}
