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
#include "exec/address-spaces.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "system/device_tree.h"
#include "am57xx-soc.h"
#include "hw/pixmill/parts/ti-counter32k.h"
#include "hw/pixmill/parts/ti-dm-timer.h"

#define SYS_CLK_HZ 20000000 /* the crystal of all AM57xx boards */
#define FUNC_32K_HZ 32768

/* ---- Timers ------------------------------------------------------------- */

/* TIMER1 and 12 stand in the wake-up domain; the others get SYS_CLK. */
static const struct {
    uint32_t address;
    int source;
    uint32_t clock_hz;
} timers[] = {
    { 0x4AE18000, 32, FUNC_32K_HZ }, /* TIMER1 */
    { 0x48032000, 33, SYS_CLK_HZ },
    { 0x48034000, 34, SYS_CLK_HZ },
    { 0x48036000, 35, SYS_CLK_HZ },
    { 0x48820000, 36, SYS_CLK_HZ },  /* TIMER5 */
    { 0x48822000, 37, SYS_CLK_HZ },
    { 0x48824000, 38, SYS_CLK_HZ },
    { 0x48826000, 39, SYS_CLK_HZ },
    { 0x4803E000, 40, SYS_CLK_HZ },  /* TIMER9 */
    { 0x48086000, 41, SYS_CLK_HZ },
    { 0x48088000, 42, SYS_CLK_HZ },
    { 0x4AE20000, 90, FUNC_32K_HZ },
    { 0x48828000, 339, SYS_CLK_HZ }, /* TIMER13 */
    { 0x4882A000, 340, SYS_CLK_HZ },
    { 0x4882C000, 341, SYS_CLK_HZ },
    { 0x4882E000, 342, SYS_CLK_HZ }, /* TIMER16 */
};

#define COUNTER32K_ADDRESS 0x4AE04000

/* ---- Registers ---------------------------------------------------------- */

typedef struct Window {
    uint32_t address;
    uint32_t size;
} Window;

static const Window windows[] = {
    { 0x48243000, 0x1000 }, /* PRCM_MPU, with the realtime counter */
    { 0x48281000, 0x1000 }, /* WUGEN: nothing sleeps that it would wake */
    { 0x4844A000, 0x1000 }, /* IO delay configuration */
    { 0x4A002000, 0x2000 }, /* CTRL_MODULE_CORE, pad configuration */
    { 0x4A005000, 0x1000 }, /* CM_CORE_AON */
    { 0x4A008000, 0x2000 }, /* CM_CORE */
    { 0x4AE06000, 0x2000 }, /* PRM */
    { 0x4AE0C000, 0x1000 }, /* CTRL_MODULE_WKUP */
};

static const struct {
    uint32_t address;
    uint32_t reset;
    uint32_t writable;
} values[] = {
    /* CTRL_CORE_STATUS: bits 8:6 are 3, a general purpose device */
    { 0x4A002134, 0x000000C0, 0 },
    /* APLL_PCIE, IDLEST: always locked */
    { 0x4A008220, 0x00000001, 0 },
    /* CM_SYS_CLKSEL: a crystal of 20 MHz */
    { 0x4AE06110, 0x00000002, 0x7 },
    /* Die id, of which there is none, around IDCODE: DRA752 ES2.0 */
    { 0x4AE0C200, 0x00000000, 0 },
    { 0x4AE0C204, 0x2B99002F, 0 },
    { 0x4AE0C208, 0x00000000, 0 },
    { 0x4AE0C20C, 0x00000000, 0 },
    { 0x4AE0C210, 0x00000000, 0 },
};

/* All CLKCTRL registers: linux dra7xx-clocks.dtsi, nodes "ti,clkctrl". */
static const Window clkctrl[] = {
    /* CM_CORE_AON */
    { 0x4A005320, 0x04 }, { 0x4A005420, 0x04 }, { 0x4A005520, 0x04 },
    { 0x4A005550, 0x34 }, { 0x4A005620, 0x04 }, { 0x4A005720, 0x28 },
    { 0x4A005760, 0x0C },
    /* CM_CORE */
    { 0x4A008620, 0x1C }, { 0x4A008720, 0x74 }, { 0x4A008920, 0x04 },
    { 0x4A008A20, 0x04 }, { 0x4A008B20, 0x04 }, { 0x4A008C00, 0x04 },
    { 0x4A008D20, 0x84 }, { 0x4A008E20, 0x0C }, { 0x4A008F20, 0x0C },
    { 0x4A009020, 0x2C }, { 0x4A009120, 0x14 }, { 0x4A009220, 0x04 },
    { 0x4A009320, 0x6C }, { 0x4A0093B0, 0x0C }, { 0x4A0093D0, 0x04 },
    { 0x4A0093E0, 0x14 }, { 0x4A00970C, 0x04 }, { 0x4A009714, 0x04 },
    { 0x4A009718, 0x0C }, { 0x4A009728, 0x64 }, { 0x4A009790, 0x0C },
    { 0x4A0097A0, 0x24 }, { 0x4A0097C4, 0x04 }, { 0x4A0097C8, 0x14 },
    { 0x4A0097F0, 0x3C }, { 0x4A009830, 0x04 }, { 0x4A009838, 0x04 },
    { 0x4A009840, 0x1C }, { 0x4A009860, 0x0C }, { 0x4A009870, 0x04 },
    { 0x4A009878, 0x24 }, { 0x4A0098A0, 0x2C }, { 0x4A0098D0, 0x3C },
    /* PRM */
    { 0x4AE07820, 0x6C },
};

#define CM_DSS_BB2D_CLKCTRL 0x4A009130

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
    { 0x4A005120, 266, 4, /* CORE */
      { [M2] = 2, [M3] = 1, [H12] = 4, [H13] = 62, [H14] = 5, [H22] = 5,
        [H23] = 4, [H24] = 6 } },
    { 0x4A005160, 500, 9, { [M2] = 1 } },                       /* MPU */
    { 0x4A0051A0, 233, 3, { [M2] = 3 } },                       /* IVA */
    { 0x4A0051E0, 16, 1, { [M2] = 1, [M3] = 1 } },              /* ABE */
    { 0x4A005210, 266, 4, { [M2] = 2, [H11] = 8 } },            /* DDR */
    { 0x4A005234, 150, 4, { [M2] = 1, [M3] = 3 } },             /* DSP */
    { 0x4A005284, 265, 9, { [M2] = 1 } },                       /* EVE */
    { 0x4A0052A8, 250, 4,                                       /* GMAC */
      { [M2] = 4, [M3] = 10, [H11] = 40, [H12] = 8, [H13] = 10 } },
    { 0x4A0052D8, 170, 4, { [M2] = 2 } },                       /* GPU */
    { 0x4A008140, 96, 4,                                        /* PER */
      { [M2] = 4, [M3] = 1, [H11] = 3, [H12] = 4, [H13] = 10, [H14] = 2 } },
    { 0x4A008180, 480, 9, { [M2] = 2 } },                       /* USB */
    { 0x4A008200, 750, 9, { [M2] = 15 } },                      /* PCIE_REF */
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
    { 0x4AE06300 },              /* mpu */
    { 0x4AE06400, 0x10, 0x3 },   /* dsp1 */
    { 0x4AE06500, 0x10, 0x7 },   /* ipu */
    { 0x4AE06628 },              /* coreaon */
    { 0x4AE06700, 0x210, 0x7 },  /* core: IPU2 */
    { 0x4AE06F00, 0x10, 0x7 },   /* iva */
    { 0x4AE07000 },              /* cam */
    { 0x4AE07100 },              /* dss */
    { 0x4AE07200 },              /* gpu */
    { 0x4AE07300, 0x10, 0x3 },   /* l3init: PCIe */
    { 0x4AE07400 },              /* l4per */
    { 0x4AE07600 },              /* custefuse */
    { 0x4AE07724 },              /* wkupaon */
    { 0x4AE07900 },              /* emu */
    { 0x4AE07B00, 0x10, 0x3 },   /* dsp2 */
    { 0x4AE07B40, 0x10, 0x3 },   /* eve1 */
    { 0x4AE07B80, 0x10, 0x3 },   /* eve2 */
    { 0x4AE07BC0, 0x10, 0x3 },   /* eve3 */
    { 0x4AE07C00, 0x10, 0x3 },   /* eve4 */
    { 0x4AE07C60 },              /* rtc */
    { 0x4AE07C80 },              /* vpe */
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
    sysbus_mmio_map(SYS_BUS_DEVICE(dev), 0, COUNTER32K_ADDRESS);
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
