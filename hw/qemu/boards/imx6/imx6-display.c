/*
 * The display of the i.MX6 Quad on boards like sabrelite.
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
#include "imx6-display.h"

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

static bool create_hdmi(const Imx6DisplayPlace *place, Error **errp)
{
    DeviceState *dev = qdev_new(TYPE_DW_HDMI);

    if (!place_device(dev, "pixmill-hdmi", FSL_IMX6_HDMI_ADDR, errp)) {
        return false;
    }
    connect_irq(dev, place->controller, FSL_IMX6_HDMI_MASTER_IRQ);
    return dw_hdmi_attach_monitor(DW_HDMI(dev), place->ddc, errp);
}

static bool create_pwms(const Imx6DisplayPlace *place, Error **errp)
{
    static const struct {
        const char *name;
        hwaddr addr;
        int irq;
    } pwms[] = {
        { "pixmill-pwm1", FSL_IMX6_PWM1_ADDR, FSL_IMX6_PWM1_IRQ },
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
    }
    return true;
}

bool imx6_display_create(const Imx6DisplayPlace *place, Error **errp)
{
    return create_hdmi(place, errp) && create_pwms(place, errp);
}
