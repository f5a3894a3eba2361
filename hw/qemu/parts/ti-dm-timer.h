/*
 * TI dual-mode timer (DM timer), the "type 2" of OMAP4 and later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One window of registers (sysbus MMIO 0), one interrupt, level high (sysbus
 * IRQ 0).  Property clock-hz is the functional clock; which one that is, the
 * clock multiplexers outside of the timer decide.  Captures, PWM output and the
 * 1 ms tick correction of some instances are registers without effect.
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

    /* TCRR is what the counter was at clock base_tick; see ti_dm_timer_sync */
    uint32_t reg[TI_DM_TIMER_WINDOW / 4];
    uint64_t base_tick;
    uint64_t elapsed; /* while migrating: clocks since base_tick */
};

#endif
