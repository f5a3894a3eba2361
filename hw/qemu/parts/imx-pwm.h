/*
 * NXP PWM, as in the i.MX6 Quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   sysbus MMIO 0    the registers
 *   sysbus IRQ 0     level, active high
 *   gpio-out         "enabled": high while the PWM is enabled and has a clock
 *   duty             QOM property, read-only: the part of a period, in 1/1000,
 *                    during which the output is high; 0 while it is off
 */
#ifndef HW_PIXMILL_IMX_PWM_H
#define HW_PIXMILL_IMX_PWM_H

#include "qemu/timer.h"
#include "hw/misc/imx_ccm.h"
#include "hw/pixmill/compat.h"

#define TYPE_IMX_PWM "imx-pwm"
OBJECT_DECLARE_SIMPLE_TYPE(ImxPwmState, IMX_PWM)

#define IMX_PWM_WINDOW 0x4000
#define IMX_PWM_FIFO 4
#define IMX_PWM_ENABLED "enabled" /* GPIO output */

struct ImxPwmState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    qemu_irq irq;
    qemu_irq enabled;
    QEMUTimer event; /* the next one that raises an interrupt */
    IMXCCMState *ccm; /* set by the board before realize */

    uint32_t cr, sr, ir, pr;
    uint32_t fifo[IMX_PWM_FIFO]; /* the oldest sample first */
    uint32_t used; /* entries of the FIFO */
    uint32_t sample; /* in use */
    uint32_t repeats; /* periods, with the current one, that still use it */

    /* The counter runs from start_ns on with freq, divided by the prescaler. */
    int64_t start_ns;
    uint32_t freq; /* 0: stopped */
    uint64_t seen; /* ticks since start_ns that the flags take into account */
};

#endif
