/*
 * Timers of the virtual clock that a CPU may set.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_COUNTED_TIMER_H
#define HW_PIXMILL_COUNTED_TIMER_H

#include "qemu/timer.h"
#include "hw/pixmill/compat.h"

/*
 * Like timer_mod(), but repeatable if instructions are counted.  QEMU's main
 * loop may expire a timer that is already due while the CPU that has set it
 * still executes the rest of its translation block, so the number of
 * instructions before the expiry would depend on the host.  A timer that is due
 * later makes the CPU leave its loop first, at an instruction that the counter
 * determines.
 */
static inline void pixmill_timer_mod(QEMUTimer *timer, int64_t at)
{
    if (icount_enabled()) {
        at = MAX(at, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + 1);
    }
    timer_mod_ns(timer, at);
}

#endif
