/*
 * TI dual-mode timer (DM timer), the "type 2" of OMAP4 and later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One register window (sysbus MMIO 0), one level-triggered interrupt, active
 * high (sysbus IRQ 0).  The property clock-hz is the functional clock, which
 * clock multiplexers outside the timer select.  The registers for captures, PWM
 * output and the 1 ms tick correction of some instances have no effect.
 */
#ifndef HW_PIXMILL_TI_DM_TIMER_H
#define HW_PIXMILL_TI_DM_TIMER_H

#include "hw/pixmill/compat.h"

#define TYPE_TI_DM_TIMER "ti-dm-timer"
OBJECT_DECLARE_SIMPLE_TYPE(TIDMTimerState, TI_DM_TIMER)

#define TI_DM_TIMER_WINDOW 0x80

struct TIDMTimerState {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    qemu_irq irq;
    QEMUTimer *timer;

    uint32_t clock_hz;

    /*
     * TCRR is the counter's value at clock base_tick: see ti_dm_timer_sync().
     */
    uint32_t reg[TI_DM_TIMER_WINDOW / 4];
    uint64_t base_tick;
    uint64_t elapsed; /* while migrating: clocks since base_tick */
};

#endif
