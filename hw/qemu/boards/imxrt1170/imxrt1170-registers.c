/*
 * Registers of the i.MX RT1170 that start-up code writes and polls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses and bits: NXP MCUXpresso SDK, devices/RT/RT1170,
 * MIMXRT1176_cm7_COMMON.h and periph/PERI_*.h.  Conditions that its drivers
 * wait for: fsl_clock.c and .h, fsl_anatop_ai.c, fsl_pmu.c, fsl_dcdc.h,
 * fsl_gpc.c, fsl_pgmc.c, fsl_soc_src.c, fsl_rtwdog.c, fsl_flexspi.c,
 * fsl_semc.c.
 *
 * Registers without a rule are 0 after reset.  Their values on silicon are not
 * public, and the boot ROM writes many of them before firmware starts.
 */
#include "qemu/osdep.h"
#include "imxrt1170-registers.h"

#define SET_CLEAR_TOGGLE(first, step, count)                 \
    { RULE_SET, (first) + 0x4, (step), (count), 0, -0x4 },   \
    { RULE_CLEAR, (first) + 0x8, (step), (count), 0, -0x8 }, \
    { RULE_TOGGLE, (first) + 0xC, (step), (count), 0, -0xC }

/* ---- Clocks ------------------------------------------------------------- */

#define LPCG_GPU2D (0x6000 + 128 * 0x20) /* LPCG128_DIRECT: 0 ON */

static const RegisterRule ccm_rules[] = {
    /*
     * Roots and groups have CONTROL and AUTHEN; STATUS0 shows DIV, MUX and OFF.
     */
    SET_CLEAR_TOGGLE(0x0000, 0x80, 79),
    SET_CLEAR_TOGGLE(0x0030, 0x80, 79),
    { RULE_READ_ONLY, 0x0020, 0x80, 79, UINT32_MAX },
    { RULE_COPY, 0x0020, 0x80, 79, 0x010007FF, -0x20 },
    SET_CLEAR_TOGGLE(0x4000, 0x80, 2),
    SET_CLEAR_TOGGLE(0x4030, 0x80, 2),
    { RULE_READ_ONLY, 0x4020, 0x80, 2, UINT32_MAX },
    { RULE_COPY, 0x4020, 0x80, 2, 0x01FF000F, -0x20 },
    /* GPR_SHARED and GPR_PRIVATE with their AUTHEN */
    SET_CLEAR_TOGGLE(0x4800, 0x10, 16),
    SET_CLEAR_TOGGLE(0x4C20, 0x10, 14),
    /* Clock sources and gates: STATUS0.ON follows DIRECT.ON. */
    { RULE_READ_ONLY, 0x5010, 0x20, 29, UINT32_MAX },
    { RULE_COPY, 0x5010, 0x20, 29, 0x00000001, -0x10 },
    { RULE_READ_ONLY, 0x6010, 0x20, 138, UINT32_MAX },
    { RULE_COPY, 0x6010, 0x20, 138, 0x00000001, -0x10 },
    { }
};

/* The stable bit of a PFD follows the bit of that PFD in UPDATE. */
#define PFD_BIT(offset, bit, update, n) \
    { RULE_WHEN_ANY, REGISTER(offset), 1u << (bit), (update) - (offset), 1u << (n) }
#define PFD(offset, update)         \
    PFD_BIT(offset, 6, update, 1),  \
    PFD_BIT(offset, 14, update, 2), \
    PFD_BIT(offset, 22, update, 3), \
    PFD_BIT(offset, 30, update, 4)

#define PLL_STABLE (1u << 29)

/* An access to an analog module is complete when TOGGLE_DONE equals TOGGLE. */
#define AI_DONE(offset) { RULE_WHEN_ANY, REGISTER(offset), 1u << 9, 0, 1u << 8 }

static const RegisterRule anadig_rules[] = {
    /* OSC_24M_CTRL */
    { RULE_WHEN_ANY, REGISTER(0x020), 1u << 30, 0, 1u << 4 },
    /* ARM_PLL_CTRL: POWERUP */
    { RULE_WHEN_ANY, REGISTER(0x200), PLL_STABLE, 0, 1u << 13 },
    /* SYS_PLL3_CTRL: POWERUP */
    { RULE_WHEN_ANY, REGISTER(0x210), PLL_STABLE, 0, 1u << 21 },
    /* SYS_PLL2_CTRL: POWERUP */
    { RULE_WHEN_ANY, REGISTER(0x240), PLL_STABLE, 0, 1u << 23 },
    PFD(0x230, 0x220), /* SYS_PLL3_PFD */
    PFD(0x270, 0x250), /* SYS_PLL2_PFD */
    /*
     * Always stable: analog modules, which are not modeled, power these PLLs.
     */
    /* SYS_PLL1_CTRL */
    { RULE_ONES, REGISTER(0x2C0), PLL_STABLE },
    /* PLL_AUDIO_CTRL */
    { RULE_ONES, REGISTER(0x300), PLL_STABLE },
    /* PLL_VIDEO_CTRL */
    { RULE_ONES, REGISTER(0x350), PLL_STABLE },
    /* PMU_BIAS_CTRL2: WB_OK */
    { RULE_WHEN_ANY, REGISTER(0x560), 1u << 26, 0, 1u << 24 },
    AI_DONE(0x850), /* ..._AI_CTRL_1G */
    AI_DONE(0x880), /* ..._AI_CTRL_AUDIO */
    AI_DONE(0x8B0), /* ..._AI_CTRL_VIDEO */
    AI_DONE(0x920), /* VDDLPSR_AI400M_CTRL */
    { }
};

/* ---- Power, resets ------------------------------------------------------ */

static const RegisterRule dcdc_rules[] = {
    /* REG0: STS_DC_OK, XTAL_24M_OK */
    { RULE_ONES, REGISTER(0x08), 0xA0000000 },
    { }
};

static const RegisterRule gpc_rules[] = {
    { RULE_ZEROS, 0x300, 0x800, 2, 0x00000001 }, /* CM_SP_CTRL: CPU_SP_RUN_EN */
    { }
};

static const RegisterRule pgmc_rules[] = {
    /* CPC_CACHE_CM_CTRL: MLPL_SOFT */
    { RULE_ZEROS, 0x1044, 0x400, 2, 0x00010000 },
    /* CPC_LMEM_CM_CTRL: MLPL_SOFT */
    { RULE_ZEROS, 0x10C4, 0x400, 2, 0x00010000 },
    { }
};

static const RegisterRule src_rules[] = {
    { RULE_ZEROS, 0x204, 0x20, 10, 0x00000001 }, /* CTRL: SW_RESET */
    { RULE_ZEROS, 0x210, 0x20, 10, 0x00000001 }, /* STAT: UNDER_RST */
    { }
};

static const RegisterRule rtwdog_rules[] = {
    { RULE_ONES, REGISTER(0x0), 0x00000C00 }, /* CS: ULK, RCS */
    { }
};

/* ---- Memories, pins ----------------------------------------------------- */

static const RegisterRule flexspi_rules[] = {
    { RULE_ZEROS, REGISTER(0x00), 0x00000001 }, /* MCR0: SWRESET */
    { RULE_ONES, REGISTER(0x14), 0x00000001 }, /* INTR: IPCMDDONE */
    { RULE_READ_ONLY, REGISTER(0xE0), UINT32_MAX },
    { RULE_ONES, REGISTER(0xE0), 0x00000003 }, /* STS0: SEQIDLE, ARBIDLE */
    { }
};

static const RegisterRule semc_rules[] = {
    { RULE_ZEROS, REGISTER(0x00), 0x00000001 }, /* MCR: SWRST */
    { RULE_ONES, REGISTER(0x3C), 0x00000001 }, /* INTR: IPCMDDONE */
    { }
};

/* Pins read back the level that they drive: PSR equals DR. */
static const RegisterRule gpio_rules[] = {
    { RULE_READ_ONLY, REGISTER(0x08), UINT32_MAX },
    { RULE_COPY, REGISTER(0x08), 0xFFFFFFFF, -0x08 },
    { RULE_SET, REGISTER(0x84), 0, -0x84 },
    { RULE_CLEAR, REGISTER(0x88), 0, -0x88 },
    { RULE_TOGGLE, REGISTER(0x8C), 0, -0x8C },
    { }
};

static const RegisterRule video_mux_rules[] = {
    SET_CLEAR_TOGGLE(0x00, 0x10, 8),
    { }
};

const RegisterBlock imxrt1170_blocks[] = {
    { "flexram", 0x40028000, 0x4000 },
    { "wdog1", 0x40030000, 0x4000 },
    { "wdog2", 0x40034000, 0x4000 },
    { "rtwdog3", 0x40038000, 0x4000, rtwdog_rules },
    { "flexspi1", 0x400CC000, 0x4000, flexspi_rules },
    { "flexspi2", 0x400D0000, 0x4000, flexspi_rules },
    { "semc", 0x400D4000, 0x4000, semc_rules },
    { "iomuxc-gpr", 0x400E4000, 0x4000 },
    { "iomuxc", 0x400E8000, 0x4000 },
    { "gpio1", 0x4012C000, 0x4000, gpio_rules },
    { "gpio2", 0x40130000, 0x4000, gpio_rules },
    { "gpio3", 0x40134000, 0x4000, gpio_rules },
    { "gpio4", 0x40138000, 0x4000, gpio_rules },
    { "gpio5", 0x4013C000, 0x4000, gpio_rules },
    { "gpio6", 0x40140000, 0x4000, gpio_rules },
    { "video-mux", 0x40818000, 0x1000, video_mux_rules },
    { "gpc", 0x40C00000, 0x4000, gpc_rules },
    { "src", 0x40C04000, 0x4000, src_rules },
    { "iomuxc-lpsr", 0x40C08000, 0x4000 },
    { "iomuxc-lpsr-gpr", 0x40C0C000, 0x4000 },
    { "rtwdog4", 0x40C10000, 0x4000, rtwdog_rules },
    { "gpio7", 0x40C5C000, 0x4000, gpio_rules },
    { "gpio8", 0x40C60000, 0x4000, gpio_rules },
    { "gpio9", 0x40C64000, 0x4000, gpio_rules },
    { "gpio10", 0x40C68000, 0x4000, gpio_rules },
    { "gpio11", 0x40C6C000, 0x4000, gpio_rules },
    { "gpio12", 0x40C70000, 0x4000, gpio_rules },
    { "anadig", 0x40C84000, 0x4000, anadig_rules },
    { "pgmc", 0x40C88000, 0x4000, pgmc_rules },
    { "snvs", 0x40C90000, 0x4000 },
    { "iomuxc-snvs", 0x40C94000, 0x4000 },
    { "iomuxc-snvs-gpr", 0x40C98000, 0x4000 },
    { "gpio13", 0x40CA0000, 0x4000, gpio_rules },
    { "dcdc", 0x40CA8000, 0x4000, dcdc_rules },
    { "ocotp", 0x40CAC000, 0x4000 },
    { "ccm", 0x40CC0000, 0x8000, ccm_rules, LPCG_GPU2D },
    { "cm7-gpio2", 0x42008000, 0x4000, gpio_rules },
    { "cm7-gpio3", 0x4200C000, 0x4000, gpio_rules },
    { }
};
