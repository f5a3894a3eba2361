/*
 * The parts of the SoC that stock device trees of AM57xx boards rely on: DM
 * timers, COUNTER_32K, and the registers of clocks, power, control and modules.
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

/* TIMER1 and TIMER12 are in the wake-up domain; the others get SYS_CLK. */
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

static const TISocWindow windows[] = {
    { PRCM_MPU_BASE, 0x1000 }, /* includes the realtime counter */
    { MPU_WUGEN_BASE, 0x1000 }, /* nothing sleeps, so nothing to wake */
    { IODELAYCONFIG_BASE, 0x1000 },
    { CTRL_MODULE_CORE_BASE, 0x2000 }, /* includes pad configuration */
    { CM_CORE_AON_BASE, 0x1000 },
    { CM_CORE_BASE, 0x2000 },
    { PRM_BASE, 0x2000 },
    { CTRL_MODULE_WKUP_BASE, 0x1000 },
    { }
};

#define VALUE(address, reset, writable)         \
    { RULE_RESET, REGISTER(address), reset },   \
    { RULE_READ_ONLY, REGISTER(address), ~(uint32_t)(writable) }

/*
 * IDLEST and STBYST follow MODULEMODE: a module immediately enters the state
 * that its clock control requests.
 */
#define CLKCTRL_MODULEMODE 0x3
#define CLKCTRL_STBYST (1 << 18)
#define CLKCTRL_STATUS (3 << 16 | CLKCTRL_STBYST)
#define CLKCTRL(address, size)                                        \
    { RULE_READ_ONLY, address, 4, (size) / 4, CLKCTRL_STATUS },       \
    { RULE_UNLESS_ANY, address, 4, (size) / 4, CLKCTRL_STATUS, 0,     \
      CLKCTRL_MODULEMODE }

/*
 * DPLLs are locked at 20 MHz * m / (n + 1), as a boot loader leaves them.  The
 * values for DSP, EVE, GPU and PCIE_REF are arbitrary; the others are those of
 * u-boot (arch/arm/mach-omap2/omap5/hw_data.c).  Dividers that are not listed
 * are 0, and Linux reports an error for each of those that it uses.  IDLEST
 * follows CLKMODE.
 */
#define DPLL_LOCK 7
#define DPLL(clkmode, m, n)                                                    \
    { RULE_RESET, REGISTER(clkmode), DPLL_LOCK },                              \
    { RULE_READ_ONLY, REGISTER((clkmode) + 0x4), UINT32_MAX },                 \
    { RULE_WHEN_ALL, REGISTER((clkmode) + 0x4), 0x001, -0x4, DPLL_LOCK },      \
    { RULE_UNLESS_ALL, REGISTER((clkmode) + 0x4), 0x100, -0x4, DPLL_LOCK },    \
    { RULE_RESET, REGISTER((clkmode) + 0xC), (m) << 8 | (n) } /* CLKSEL */

enum { M2, M3, H11, H12, H13, H14, H21 = 8, H22, H23, H24 };
#define DIVIDER(clkmode, which, value)                                         \
    { RULE_RESET, REGISTER((clkmode) + 0x10 + 4 * (which)), value }

/*
 * Power domains of the PRM, identified by PWRSTCTRL: linux
 * drivers/pmdomain/ti/omap_prm.c.  A domain, its logic and its five memories
 * are always on.
 */
#define POWER_DOMAIN(pwrstctrl) VALUE((pwrstctrl) + 0x4, 0x3FF7, 0)

/*
 * RSTCTRL asserts resets, and RSTST records which of them have ended.
 * Processors and PCIe are held in reset until software releases them.
 */
#define RESETS(rstctrl, bits)                                                  \
    VALUE(rstctrl, bits, bits),                                                \
    { RULE_FALL, REGISTER(rstctrl), UINT32_MAX, 0x4 },                         \
    { RULE_W1C, REGISTER((rstctrl) + 0x4) }

static const RegisterRule rules[] = {
    /* CTRL_CORE_STATUS: bits 8:6 = 3, a general purpose device */
    VALUE(CTRL_MODULE_CORE_BASE + 0x134, 0x000000C0, 0),
    /* APLL_PCIE, IDLEST: always locked */
    VALUE(CM_CORE_BASE + 0x220, 0x00000001, 0),
    /* CM_SYS_CLKSEL: a 20 MHz crystal */
    VALUE(PRM_BASE + 0x110, 0x00000002, 0x7),
    /* Die ID: 0, except for IDCODE (DRA752 ES2.0) in the middle */
    VALUE(CTRL_MODULE_WKUP_BASE + 0x200, 0x00000000, 0),
    VALUE(CTRL_MODULE_WKUP_BASE + 0x204, 0x2B99002F, 0),
    VALUE(CTRL_MODULE_WKUP_BASE + 0x208, 0x00000000, 0),
    VALUE(CTRL_MODULE_WKUP_BASE + 0x20C, 0x00000000, 0),
    VALUE(CTRL_MODULE_WKUP_BASE + 0x210, 0x00000000, 0),

    /* All CLKCTRL registers: linux dra7xx-clocks.dtsi, nodes "ti,clkctrl". */
    CLKCTRL(CM_CORE_AON_BASE + 0x320, 0x04),
    CLKCTRL(CM_CORE_AON_BASE + 0x420, 0x04),
    CLKCTRL(CM_CORE_AON_BASE + 0x520, 0x04),
    CLKCTRL(CM_CORE_AON_BASE + 0x550, 0x34),
    CLKCTRL(CM_CORE_AON_BASE + 0x620, 0x04),
    CLKCTRL(CM_CORE_AON_BASE + 0x720, 0x28),
    CLKCTRL(CM_CORE_AON_BASE + 0x760, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0x620, 0x1C),
    CLKCTRL(CM_CORE_BASE + 0x720, 0x74),
    CLKCTRL(CM_CORE_BASE + 0x920, 0x04),
    CLKCTRL(CM_CORE_BASE + 0xA20, 0x04),
    CLKCTRL(CM_CORE_BASE + 0xB20, 0x04),
    CLKCTRL(CM_CORE_BASE + 0xC00, 0x04),
    CLKCTRL(CM_CORE_BASE + 0xD20, 0x84),
    CLKCTRL(CM_CORE_BASE + 0xE20, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0xF20, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0x1020, 0x2C),
    CLKCTRL(CM_CORE_BASE + 0x1120, 0x14),
    CLKCTRL(CM_CORE_BASE + 0x1220, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x1320, 0x6C),
    CLKCTRL(CM_CORE_BASE + 0x13B0, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0x13D0, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x13E0, 0x14),
    CLKCTRL(CM_CORE_BASE + 0x170C, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x1714, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x1718, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0x1728, 0x64),
    CLKCTRL(CM_CORE_BASE + 0x1790, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0x17A0, 0x24),
    CLKCTRL(CM_CORE_BASE + 0x17C4, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x17C8, 0x14),
    CLKCTRL(CM_CORE_BASE + 0x17F0, 0x3C),
    CLKCTRL(CM_CORE_BASE + 0x1830, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x1838, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x1840, 0x1C),
    CLKCTRL(CM_CORE_BASE + 0x1860, 0x0C),
    CLKCTRL(CM_CORE_BASE + 0x1870, 0x04),
    CLKCTRL(CM_CORE_BASE + 0x1878, 0x24),
    CLKCTRL(CM_CORE_BASE + 0x18A0, 0x2C),
    CLKCTRL(CM_CORE_BASE + 0x18D0, 0x3C),
    CLKCTRL(PRM_BASE + 0x1820, 0x6C),
    { RULE_LINE, REGISTER(CM_DSS_BB2D_CLKCTRL), CLKCTRL_STBYST, 0, 1 << 0 },

    DPLL(CM_CORE_AON_BASE + 0x120, 266, 4), /* CORE */
    DIVIDER(CM_CORE_AON_BASE + 0x120, M2, 2),
    DIVIDER(CM_CORE_AON_BASE + 0x120, M3, 1),
    DIVIDER(CM_CORE_AON_BASE + 0x120, H12, 4),
    DIVIDER(CM_CORE_AON_BASE + 0x120, H13, 62),
    DIVIDER(CM_CORE_AON_BASE + 0x120, H14, 5),
    DIVIDER(CM_CORE_AON_BASE + 0x120, H22, 5),
    DIVIDER(CM_CORE_AON_BASE + 0x120, H23, 4),
    DIVIDER(CM_CORE_AON_BASE + 0x120, H24, 6),
    DPLL(CM_CORE_AON_BASE + 0x160, 500, 9), /* MPU */
    DIVIDER(CM_CORE_AON_BASE + 0x160, M2, 1),
    DPLL(CM_CORE_AON_BASE + 0x1A0, 233, 3), /* IVA */
    DIVIDER(CM_CORE_AON_BASE + 0x1A0, M2, 3),
    DPLL(CM_CORE_AON_BASE + 0x1E0, 16, 1), /* ABE */
    DIVIDER(CM_CORE_AON_BASE + 0x1E0, M2, 1),
    DIVIDER(CM_CORE_AON_BASE + 0x1E0, M3, 1),
    DPLL(CM_CORE_AON_BASE + 0x210, 266, 4), /* DDR */
    DIVIDER(CM_CORE_AON_BASE + 0x210, M2, 2),
    DIVIDER(CM_CORE_AON_BASE + 0x210, H11, 8),
    DPLL(CM_CORE_AON_BASE + 0x234, 150, 4), /* DSP */
    DIVIDER(CM_CORE_AON_BASE + 0x234, M2, 1),
    DIVIDER(CM_CORE_AON_BASE + 0x234, M3, 3),
    DPLL(CM_CORE_AON_BASE + 0x284, 265, 9), /* EVE */
    DIVIDER(CM_CORE_AON_BASE + 0x284, M2, 1),
    DPLL(CM_CORE_AON_BASE + 0x2A8, 250, 4), /* GMAC */
    DIVIDER(CM_CORE_AON_BASE + 0x2A8, M2, 4),
    DIVIDER(CM_CORE_AON_BASE + 0x2A8, M3, 10),
    DIVIDER(CM_CORE_AON_BASE + 0x2A8, H11, 40),
    DIVIDER(CM_CORE_AON_BASE + 0x2A8, H12, 8),
    DIVIDER(CM_CORE_AON_BASE + 0x2A8, H13, 10),
    DPLL(CM_CORE_AON_BASE + 0x2D8, 170, 4), /* GPU */
    DIVIDER(CM_CORE_AON_BASE + 0x2D8, M2, 2),
    DPLL(CM_CORE_BASE + 0x140, 96, 4), /* PER */
    DIVIDER(CM_CORE_BASE + 0x140, M2, 4),
    DIVIDER(CM_CORE_BASE + 0x140, M3, 1),
    DIVIDER(CM_CORE_BASE + 0x140, H11, 3),
    DIVIDER(CM_CORE_BASE + 0x140, H12, 4),
    DIVIDER(CM_CORE_BASE + 0x140, H13, 10),
    DIVIDER(CM_CORE_BASE + 0x140, H14, 2),
    DPLL(CM_CORE_BASE + 0x180, 480, 9), /* USB */
    DIVIDER(CM_CORE_BASE + 0x180, M2, 2),
    DPLL(CM_CORE_BASE + 0x200, 750, 9), /* PCIE_REF */
    DIVIDER(CM_CORE_BASE + 0x200, M2, 15),

    POWER_DOMAIN(PRM_BASE + 0x0300), /* mpu */
    POWER_DOMAIN(PRM_BASE + 0x0400), /* dsp1 */
    RESETS(PRM_BASE + 0x0400 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x0500), /* ipu */
    RESETS(PRM_BASE + 0x0500 + 0x10, 0x7),
    POWER_DOMAIN(PRM_BASE + 0x0628), /* coreaon */
    POWER_DOMAIN(PRM_BASE + 0x0700), /* core: IPU2 */
    RESETS(PRM_BASE + 0x0700 + 0x210, 0x7),
    POWER_DOMAIN(PRM_BASE + 0x0F00), /* iva */
    RESETS(PRM_BASE + 0x0F00 + 0x10, 0x7),
    POWER_DOMAIN(PRM_BASE + 0x1000), /* cam */
    POWER_DOMAIN(PRM_BASE + 0x1100), /* dss */
    POWER_DOMAIN(PRM_BASE + 0x1200), /* gpu */
    POWER_DOMAIN(PRM_BASE + 0x1300), /* l3init: PCIe */
    RESETS(PRM_BASE + 0x1300 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x1400), /* l4per */
    POWER_DOMAIN(PRM_BASE + 0x1600), /* custefuse */
    POWER_DOMAIN(PRM_BASE + 0x1724), /* wkupaon */
    POWER_DOMAIN(PRM_BASE + 0x1900), /* emu */
    POWER_DOMAIN(PRM_BASE + 0x1B00), /* dsp2 */
    RESETS(PRM_BASE + 0x1B00 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x1B40), /* eve1 */
    RESETS(PRM_BASE + 0x1B40 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x1B80), /* eve2 */
    RESETS(PRM_BASE + 0x1B80 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x1BC0), /* eve3 */
    RESETS(PRM_BASE + 0x1BC0 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x1C00), /* eve4 */
    RESETS(PRM_BASE + 0x1C00 + 0x10, 0x3),
    POWER_DOMAIN(PRM_BASE + 0x1C60), /* rtc */
    POWER_DOMAIN(PRM_BASE + 0x1C80), /* vpe */
    { }
};

static const TISocMap map = {
    .windows = windows,
    .rules = rules,
    .standby_inputs = 1, /* BB2D */
};

static DeviceState *create_registers(Object *parent, const void *fdt)
{
    TISocRegistersState *s = TI_SOC_REGISTERS(qdev_new(TYPE_TI_SOC_REGISTERS));

    object_property_add_child(parent, "registers", OBJECT(s));
    ti_soc_registers_set_map(s, &map);
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

/* Loads a device tree from the file that QEMU's loader would find. */
static void *load_tree(const char *dtb)
{
    g_autofree char *file = qemu_find_file(QEMU_FILE_TYPE_BIOS, dtb);
    int size;
    void *fdt = file ? load_device_tree(file, &size) : NULL;

    if (!fdt) {
        error_report("%s is not a device tree", dtb);
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
