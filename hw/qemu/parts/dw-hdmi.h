/*
 * Synopsys DesignWare HDMI transmitter with its PHY, as in the i.MX6 Quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   sysbus MMIO 0    the registers, which have one byte each
 *   sysbus IRQ 0     level, active high
 *   gpio-out         "active": high while the PHY drives a plugged monitor
 *   connected        QOM property, can be changed at any time: a monitor is
 *                    plugged; on by default
 *   xres, yres       preferred mode of the monitor, 1280x800 by default
 *
 * The monitor is an I2C slave on a bus of the board's choice, and is silent
 * while it is unplugged.
 */
#ifndef HW_PIXMILL_DW_HDMI_H
#define HW_PIXMILL_DW_HDMI_H

#include "hw/display/i2c-ddc.h"
#include "hw/i2c/i2c.h"
#include "hw/pixmill/compat.h"

#define TYPE_DW_HDMI "dw-hdmi"
OBJECT_DECLARE_SIMPLE_TYPE(DwHdmiState, DW_HDMI)

#define TYPE_DW_HDMI_MONITOR "dw-hdmi-monitor"
OBJECT_DECLARE_SIMPLE_TYPE(DwHdmiMonitor, DW_HDMI_MONITOR)

#define DW_HDMI_WINDOW 0x9000
#define DW_HDMI_REGISTERS 0x7F01 /* bytes up to the last register */
#define DW_HDMI_PHY_REGISTERS 0x100
#define DW_HDMI_ACTIVE "active" /* GPIO output */

struct DwHdmiMonitor {
    I2CDDCState parent_obj;

    const DwHdmiState *hdmi;
};

struct DwHdmiState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    qemu_irq irq;
    qemu_irq active;

    uint8_t reg[DW_HDMI_REGISTERS];
    uint16_t phy[DW_HDMI_PHY_REGISTERS];
    bool connected;

    uint32_t xres, yres;
};

/*
 * Plugs the monitor of a realized transmitter into @bus.  Returns false and
 * sets an error if it cannot be realized.
 */
bool dw_hdmi_attach_monitor(DwHdmiState *s, I2CBus *bus, Error **errp);

#endif
