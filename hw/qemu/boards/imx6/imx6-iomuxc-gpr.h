/*
 * General purpose registers of the i.MX6 Quad's IOMUXC, with the LVDS display
 * bridge (LDB) and the multiplexers of the display outputs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   sysbus MMIO 0    GPR0 to GPR13
 *   gpio-in          "hdmi", "lcd": high while that output is on; the registers
 *                    decide this for LVDS
 *
 * The outputs that are on show a display interface (DI) of an IPU each.  The
 * levels of the inputs are not migrated: whoever drives them does so again
 * after loading.
 */
#ifndef HW_PIXMILL_IMX6_IOMUXC_GPR_H
#define HW_PIXMILL_IMX6_IOMUXC_GPR_H

#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/imx6-ipu.h"
#include "hw/pixmill/parts/register-bank.h"

#define TYPE_IMX6_IOMUXC_GPR "imx6-iomuxc-gpr"
OBJECT_DECLARE_SIMPLE_TYPE(Imx6IomuxcGprState, IMX6_IOMUXC_GPR)

#define IMX6_IOMUXC_GPR_HDMI "hdmi" /* GPIO inputs */
#define IMX6_IOMUXC_GPR_LCD "lcd"

#define IMX6_IPUS 2

typedef enum Imx6Output {
    IMX6_OUTPUT_HDMI,
    IMX6_OUTPUT_LVDS,
    IMX6_OUTPUT_PARALLEL,
    IMX6_OUTPUTS,
} Imx6Output;

/* An output shows DI (value % 2) of IPU (value / 2), or nothing. */
#define IMX6_SHOWS_NOTHING (-1)

struct Imx6IomuxcGprState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    RegisterBank bank;
    bool hdmi, lcd; /* inputs */
    int shown[IMX6_OUTPUTS];

    /* Set by the board before realize. */
    ImxIpuState *ipu[IMX6_IPUS];
    ImxIpuScreen *screen[IMX6_OUTPUTS];
};

#endif
