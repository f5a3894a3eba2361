/*
 * What the stock device trees of AM57xx boards need of the SoC: DM timers,
 * COUNTER_32K, and the registers of clocks, power, control and modules.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * AM572x TRM (SPRUHZ6); linux arch/arm/boot/dts/ti/omap/dra7*.dtsi.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/datadir.h"
#include "qemu/error-report.h"
#include "system/device_tree.h"
#include "hw/pixmill/compat.h"
#include "am57xx-map.h"
#include "am57xx-soc.h"
#include "hw/pixmill/parts/ti-counter32k.h"
#include "hw/pixmill/parts/ti-dm-timer.h"

/* ---- Timers ------------------------------------------------------------- */

/* TIMER1 and 12 stand in the wake-up domain; the others get SYS_CLK. */
static const struct {
    uint32_t address;
    int source;
    uint32_t clock_hz;
} timers[] = {
    { TIMER1_BASE, 32, FUNC_32K_HZ },
    { TIMER2_BASE, 33, SYS_CLK_HZ },
    { TIMER3_BASE, 34, SYS_CLK_HZ },
    { TIMER4_BASE, 35, SYS_CLK_HZ },
    { TIMER5_BASE, 36, SYS_CLK_HZ },
    { TIMER6_BASE, 37, SYS_CLK_HZ },
    { TIMER7_BASE, 38, SYS_CLK_HZ },
    { TIMER8_BASE, 39, SYS_CLK_HZ },
    { TIMER9_BASE, 40, SYS_CLK_HZ },
    { TIMER10_BASE, 41, SYS_CLK_HZ },
    { TIMER11_BASE, 42, SYS_CLK_HZ },
    { TIMER12_BASE, 90, FUNC_32K_HZ },
    { TIMER13_BASE, 339, SYS_CLK_HZ },
    { TIMER14_BASE, 340, SYS_CLK_HZ },
    { TIMER15_BASE, 341, SYS_CLK_HZ },
    { TIMER16_BASE, 342, SYS_CLK_HZ },
};

/* ---- Registers ---------------------------------------------------------- */

typedef struct Window {
    uint32_t address;
    uint32_t size;
} Window;

static const Window windows[] = {
    { PRCM_MPU_BASE, 0x1000 }, /* with the realtime counter */
    { MPU_WUGEN_BASE, 0x1000 }, /* nothing sleeps that it would wake */
    { IODELAYCONFIG_BASE, 0x1000 },
    { CTRL_MODULE_CORE_BASE, 0x2000 }, /* and pad configuration */
    { CM_CORE_AON_BASE, 0x1000 },
    { CM_CORE_BASE, 0x2000 },
    { PRM_BASE, 0x2000 },
    { CTRL_MODULE_WKUP_BASE, 0x1000 },
};

static const struct {
    uint32_t address;
    uint32_t reset;
    uint32_t writable;
} values[] = {
    /* CTRL_CORE_STATUS: bits 8:6 are 3, a general purpose device */
    { CTRL_MODULE_CORE_BASE + 0x134, 0x000000C0, 0 },
    /* APLL_PCIE, IDLEST: always locked */
    { CM_CORE_BASE + 0x220, 0x00000001, 0 },
    /* CM_SYS_CLKSEL: a crystal of 20 MHz */
    { PRM_BASE + 0x110, 0x00000002, 0x7 },
    /* Die id, of which there is none, around IDCODE: DRA752 ES2.0 */
    { CTRL_MODULE_WKUP_BASE + 0x200, 0x00000000, 0 },
    { CTRL_MODULE_WKUP_BASE + 0x204, 0x2B99002F, 0 },
    { CTRL_MODULE_WKUP_BASE + 0x208, 0x00000000, 0 },
    { CTRL_MODULE_WKUP_BASE + 0x20C, 0x00000000, 0 },
    { CTRL_MODULE_WKUP_BASE + 0x210, 0x00000000, 0 },
};

/* All CLKCTRL registers: linux dra7xx-clocks.dtsi, nodes "ti,clkctrl". */
static const Window clkctrl[] = {
    { CM_CORE_AON_BASE + 0x320, 0x04 }, { CM_CORE_AON_BASE + 0x420, 0x04 },
    { CM_CORE_AON_BASE + 0x520, 0x04 }, { CM_CORE_AON_BASE + 0x550, 0x34 },
    { CM_CORE_AON_BASE + 0x620, 0x04 }, { CM_CORE_AON_BASE + 0x720, 0x28 },
    { CM_CORE_AON_BASE + 0x760, 0x0C },
    { CM_CORE_BASE + 0x620, 0x1C }, { CM_CORE_BASE + 0x720, 0x74 },
    { CM_CORE_BASE + 0x920, 0x04 }, { CM_CORE_BASE + 0xA20, 0x04 },
    { CM_CORE_BASE + 0xB20, 0x04 }, { CM_CORE_BASE + 0xC00, 0x04 },
    { CM_CORE_BASE + 0xD20, 0x84 }, { CM_CORE_BASE + 0xE20, 0x0C },
    { CM_CORE_BASE + 0xF20, 0x0C }, { CM_CORE_BASE + 0x1020, 0x2C },
    { CM_CORE_BASE + 0x1120, 0x14 }, { CM_CORE_BASE + 0x1220, 0x04 },
    { CM_CORE_BASE + 0x1320, 0x6C }, { CM_CORE_BASE + 0x13B0, 0x0C },
    { CM_CORE_BASE + 0x13D0, 0x04 }, { CM_CORE_BASE + 0x13E0, 0x14 },
    { CM_CORE_BASE + 0x170C, 0x04 }, { CM_CORE_BASE + 0x1714, 0x04 },
    { CM_CORE_BASE + 0x1718, 0x0C }, { CM_CORE_BASE + 0x1728, 0x64 },
    { CM_CORE_BASE + 0x1790, 0x0C }, { CM_CORE_BASE + 0x17A0, 0x24 },
    { CM_CORE_BASE + 0x17C4, 0x04 }, { CM_CORE_BASE + 0x17C8, 0x14 },
    { CM_CORE_BASE + 0x17F0, 0x3C }, { CM_CORE_BASE + 0x1830, 0x04 },
    { CM_CORE_BASE + 0x1838, 0x04 }, { CM_CORE_BASE + 0x1840, 0x1C },
    { CM_CORE_BASE + 0x1860, 0x0C }, { CM_CORE_BASE + 0x1870, 0x04 },
    { CM_CORE_BASE + 0x1878, 0x24 }, { CM_CORE_BASE + 0x18A0, 0x2C },
    { CM_CORE_BASE + 0x18D0, 0x3C },
    { PRM_BASE + 0x1820, 0x6C },
};

/*
 * DPLLs as a boot loader leaves them: locked, 20 MHz * m / (n + 1).  Values for
 * DSP, EVE, GPU and PCIE_REF are ours; u-boot's, of the other ones, are in
 * arch/arm/mach-omap2/omap5/hw_data.c.  Dividers not named are 0; linux takes
 * that for a mistake where it uses one.
 */
enum { M2, M3, H11, H12, H13, H14, H21 = 8, H22, H23, H24, DPLL_DIVIDERS };

static const struct {
    uint32_t address; /* of CLKMODE */
    uint16_t m;
    uint8_t n;
    uint8_t divider[DPLL_DIVIDERS];
} dplls[] = {
    { CM_CORE_AON_BASE + 0x120, 266, 4, /* CORE */
      { [M2] = 2, [M3] = 1, [H12] = 4, [H13] = 62, [H14] = 5, [H22] = 5,
        [H23] = 4, [H24] = 6 } },
    { CM_CORE_AON_BASE + 0x160, 500, 9, { [M2] = 1 } }, /* MPU */
    { CM_CORE_AON_BASE + 0x1A0, 233, 3, { [M2] = 3 } }, /* IVA */
    { CM_CORE_AON_BASE + 0x1E0, 16, 1, { [M2] = 1, [M3] = 1 } }, /* ABE */
    { CM_CORE_AON_BASE + 0x210, 266, 4, { [M2] = 2, [H11] = 8 } }, /* DDR */
    { CM_CORE_AON_BASE + 0x234, 150, 4, { [M2] = 1, [M3] = 3 } }, /* DSP */
    { CM_CORE_AON_BASE + 0x284, 265, 9, { [M2] = 1 } }, /* EVE */
    { CM_CORE_AON_BASE + 0x2A8, 250, 4, /* GMAC */
      { [M2] = 4, [M3] = 10, [H11] = 40, [H12] = 8, [H13] = 10 } },
    { CM_CORE_AON_BASE + 0x2D8, 170, 4, { [M2] = 2 } }, /* GPU */
    { CM_CORE_BASE + 0x140, 96, 4, /* PER */
      { [M2] = 4, [M3] = 1, [H11] = 3, [H12] = 4, [H13] = 10, [H14] = 2 } },
    { CM_CORE_BASE + 0x180, 480, 9, { [M2] = 2 } }, /* USB */
    { CM_CORE_BASE + 0x200, 750, 9, { [M2] = 15 } }, /* PCIE_REF */
};

#define DPLL_CLKMODE 0x00
#define DPLL_IDLEST 0x04
#define DPLL_CLKSEL 0x0C
#define DPLL_DIVIDER 0x10

#define DPLL_CLKMODE_LOCK 7

/*
 * Power domains of the PRM, and their resets: linux
 * drivers/pmdomain/ti/omap_prm.c.  A domain is on, whatever is asked for.
 */
static const struct {
    uint32_t address;  /* of PWRSTCTRL */
    uint32_t rstctrl;  /* offset; RSTST follows it */
    uint32_t resets;   /* bits of RSTCTRL */
} power_domains[] = {
    { PRM_BASE + 0x0300 },              /* mpu */
    { PRM_BASE + 0x0400, 0x10, 0x3 },   /* dsp1 */
    { PRM_BASE + 0x0500, 0x10, 0x7 },   /* ipu */
    { PRM_BASE + 0x0628 },              /* coreaon */
    { PRM_BASE + 0x0700, 0x210, 0x7 },  /* core: IPU2 */
    { PRM_BASE + 0x0F00, 0x10, 0x7 },   /* iva */
    { PRM_BASE + 0x1000 },              /* cam */
    { PRM_BASE + 0x1100 },              /* dss */
    { PRM_BASE + 0x1200 },              /* gpu */
    { PRM_BASE + 0x1300, 0x10, 0x3 },   /* l3init: PCIe */
    { PRM_BASE + 0x1400 },              /* l4per */
    { PRM_BASE + 0x1600 },              /* custefuse */
    { PRM_BASE + 0x1724 },              /* wkupaon */
    { PRM_BASE + 0x1900 },              /* emu */
    { PRM_BASE + 0x1B00, 0x10, 0x3 },   /* dsp2 */
    { PRM_BASE + 0x1B40, 0x10, 0x3 },   /* eve1 */
    { PRM_BASE + 0x1B80, 0x10, 0x3 },   /* eve2 */
    { PRM_BASE + 0x1BC0, 0x10, 0x3 },   /* eve3 */
    { PRM_BASE + 0x1C00, 0x10, 0x3 },   /* eve4 */
    { PRM_BASE + 0x1C60 },              /* rtc */
    { PRM_BASE + 0x1C80 },              /* vpe */
};

#define PRM_PWRSTST 0x4
#define PRM_PWRSTST_ON 0x3FF7 /* domain, logic and five memories */

static void add_dplls(TISocRegistersState *s)
{
    for (int i = 0; i < ARRAY_SIZE(dplls); i++) {
        uint32_t address = dplls[i].address;

        ti_soc_registers_set(s, address + DPLL_CLKMODE, DPLL_CLKMODE_LOCK,
                             UINT32_MAX);
        ti_soc_registers_set_rule(s, address + DPLL_IDLEST, 4,
                                  TI_REGISTER_DPLL_IDLEST);
        ti_soc_registers_set(s, address + DPLL_CLKSEL,
                             dplls[i].m << 8 | dplls[i].n, UINT32_MAX);
        for (int d = 0; d < DPLL_DIVIDERS; d++) {
            if (dplls[i].divider[d]) {
                ti_soc_registers_set(s, address + DPLL_DIVIDER + 4 * d,
                                     dplls[i].divider[d], UINT32_MAX);
            }
        }
    }
}

static void add_power_domains(TISocRegistersState *s)
{
    for (int i = 0; i < ARRAY_SIZE(power_domains); i++) {
        uint32_t address = power_domains[i].address;
        uint32_t rstctrl = address + power_domains[i].rstctrl;
        uint32_t resets = power_domains[i].resets;

        ti_soc_registers_set(s, address + PRM_PWRSTST, PRM_PWRSTST_ON, 0);
        if (resets) {
            ti_soc_registers_set_rule(s, rstctrl, 4, TI_REGISTER_RSTCTRL);
            ti_soc_registers_set_rule(s, rstctrl + 4, 4, TI_REGISTER_RSTST);
            /* Processors and PCIe are held in reset until software lets go. */
            ti_soc_registers_set(s, rstctrl, resets, resets);
        }
    }
}

static DeviceState *create_registers(Object *parent, const void *fdt)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(qdev_new(TYPE_TI_SOC_REGISTERS));

    object_property_add_child(parent, "registers", OBJECT(s));
    for (int i = 0; i < ARRAY_SIZE(windows); i++) {
        ti_soc_registers_add_window(s, windows[i].address, windows[i].size);
    }
    for (int i = 0; i < ARRAY_SIZE(clkctrl); i++) {
        ti_soc_registers_set_rule(s, clkctrl[i].address, clkctrl[i].size,
                                  TI_REGISTER_CLKCTRL);
    }
    for (int i = 0; i < ARRAY_SIZE(values); i++) {
        ti_soc_registers_set(s, values[i].address, values[i].reset,
                             values[i].writable);
    }
    add_dplls(s);
    add_power_domains(s);
    ti_soc_registers_add_standby(s, CM_DSS_BB2D_CLKCTRL);
    if (fdt) {
        ti_soc_registers_add_modules(s, fdt);
    }
    sysbus_realize_and_unref(SYS_BUS_DEVICE(s), &error_fatal);
    sysbus_mmio_map_overlap(SYS_BUS_DEVICE(s), 0, TI_SOC_REGISTERS_BASE, -1);
    return DEVICE(s);
}

static void create_timer(Object *parent, int number, DeviceState *crossbar)
{
    DeviceState *dev = qdev_new(TYPE_TI_DM_TIMER);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);
    g_autofree char *name = g_strdup_printf("timer%d", number);
    int i = number - 1;

    object_property_add_child(parent, name, OBJECT(dev));
    qdev_prop_set_uint32(dev, "clock-hz", timers[i].clock_hz);
    sysbus_realize_and_unref(sbd, &error_fatal);
    sysbus_mmio_map(sbd, 0, timers[i].address);
    if (crossbar) {
        sysbus_connect_irq(sbd, 0, qdev_get_gpio_in_named(crossbar, "source",
                                                          timers[i].source));
    }
}

static void create_counter(Object *parent)
{
    DeviceState *dev = qdev_new(TYPE_TI_COUNTER32K);

    object_property_add_child(parent, "counter32k", OBJECT(dev));
    sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
    sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, COUNTER_32K_BASE);
}

/* Looks where the loader will. */
static void *load_tree(const char *dtb)
{
    g_autofree char *file = qemu_find_file(QEMU_FILE_TYPE_BIOS, dtb);
    int size;
    void *fdt = file ? load_device_tree(file, &size) : NULL;

    if (!fdt) {
        error_report("%s is no device tree", dtb);
        exit(1);
    }
    return fdt;
}

DeviceState *am57xx_soc_create(Object *parent, DeviceState *crossbar,
                               const char *dtb)
{
    g_autofree void *fdt = dtb ? load_tree(dtb) : NULL;

    for (int number = 1; number <= ARRAY_SIZE(timers); number++) {
        create_timer(parent, number, crossbar);
    }
    create_counter(parent);
    return create_registers(parent, fdt);
}
