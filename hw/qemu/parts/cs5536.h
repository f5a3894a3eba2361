/*
 * The ISA bridge function of the AMD CS5536, the companion chip of a Geode LX.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Six I/O BARs.  BAR 1 (GPIO) has the I2C bus of a monitor on two of its pins.
 * The other BARs are storage, or read as zero.
 */
#ifndef HW_PIXMILL_CS5536_H
#define HW_PIXMILL_CS5536_H

#include "hw/i2c/bitbang_i2c.h"
#include "hw/pci/pci_device.h"
#include "subprojects/pixmill/include/pixmill/geode_display.h"

#define TYPE_CS5536 "cs5536"
OBJECT_DECLARE_SIMPLE_TYPE(CS5536State, CS5536)

enum {
    CS5536_BARS = 6,
};

struct CS5536State {
    PCIDevice parent_obj;

    MemoryRegion bar[CS5536_BARS];
    bitbang_i2c_interface i2c;

    PixmillCs5536Gpio gpio;
    uint8_t smb[8];
    uint8_t irq[32];
    uint8_t acpi[64];
};

#endif
