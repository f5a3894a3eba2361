/*
 * Addresses and clocks of an AM57xx.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Names are those of AM572x TRM (SPRUHZ6), chapter 2.
 */
#ifndef HW_PIXMILL_AM57XX_MAP_H
#define HW_PIXMILL_AM57XX_MAP_H

/* ---- Addresses ---------------------------------------------------------- */

#define OCMC_RAM1_BASE 0x40300000

#define UART1_BASE 0x4806A000
#define UART2_BASE 0x4806C000
#define UART3_BASE 0x48020000
#define UART4_BASE 0x4806E000

#define TIMER1_BASE 0x4AE18000
#define TIMER2_BASE 0x48032000
#define TIMER3_BASE 0x48034000
#define TIMER4_BASE 0x48036000
#define TIMER5_BASE 0x48820000
#define TIMER6_BASE 0x48822000
#define TIMER7_BASE 0x48824000
#define TIMER8_BASE 0x48826000
#define TIMER9_BASE 0x4803E000
#define TIMER10_BASE 0x48086000
#define TIMER11_BASE 0x48088000
#define TIMER12_BASE 0x4AE20000
#define TIMER13_BASE 0x48828000
#define TIMER14_BASE 0x4882A000
#define TIMER15_BASE 0x4882C000
#define TIMER16_BASE 0x4882E000
#define COUNTER_32K_BASE 0x4AE04000

#define MPU_BASE 0x48210000 /* private region of the A15s */
#define MPU_GIC_DISTRIBUTOR (MPU_BASE + 0x1000)
#define MPU_GIC_CPU (MPU_BASE + 0x2000)
#define PRCM_MPU_BASE 0x48243000
#define MPU_WUGEN_BASE 0x48281000
#define IODELAYCONFIG_BASE 0x4844A000
#define CTRL_MODULE_CORE_BASE 0x4A002000
#define CM_CORE_AON_BASE 0x4A005000
#define CM_CORE_BASE 0x4A008000
#define PRM_BASE 0x4AE06000
#define CTRL_MODULE_WKUP_BASE 0x4AE0C000

#define CTRL_CORE_MPU_IRQ 0xA48 /* IRQ crossbar, in CTRL_MODULE_CORE */
#define CM_DSS_BB2D_CLKCTRL (CM_CORE_BASE + 0x1130)

#define VIRTIO_BASE 0x4C000000 /* a hole in the SoC's memory map */
#define GPU_BASE 0x56000000
#define BB2D_BASE 0x59000000
#define SDRAM_BASE 0x80000000

/* ---- Clocks ------------------------------------------------------------- */

#define SYS_CLK_HZ 20000000 /* the crystal of all AM57xx boards */
#define FUNC_32K_HZ 32768
#define FUNC_48M_HZ 48000000
#define BB2D_CLK_HZ 354666666 /* DPLL_CORE H24: 2128 MHz / 6 */
#define GPU_CLK_HZ 425600000  /* DPLL_CORE H14: 2128 MHz / 5 */

#endif
