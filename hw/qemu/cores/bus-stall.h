/*
 * A bus that stalls until the core's work in flight is done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_BUS_STALL_H
#define HW_PIXMILL_BUS_STALL_H

#include "worker.h"

/*
 * Returns true if the current access is made by an instruction that TCG can
 * execute again.  Call between enter() and leave().
 */
bool pixmill_bus_serves_instruction(void);

/* State of a stalled access.  Must be all zero at first. */
typedef struct PixmillBusStall {
    bool idle;        /* nothing was left to do at the last try */
    bool restart;     /* the vCPU must return to its loop and then retry */
    bool refused;     /* another device makes the access */
    int64_t deadline; /* host clock; for accesses that cannot restart */
} PixmillBusStall;

/*
 * Waits for about a millisecond in a register access of a core whose bus stalls
 * until its work in flight is done, and does some of that work.  Returns false
 * if the core has nothing left to do, or if the access must not wait: DMA of
 * another device never waits, because it is in the middle of that device's
 * code.
 *
 * Call between enter() and leave().  Releases the BQL for the whole time, and
 * the device lock while drawing, so the region of the registers needs
 * disable_reentrancy_guard.
 */
bool pixmill_bus_stall(PixmillWorker *w, PixmillBusStall *stall,
                       MemTxAttrs attrs);

/*
 * Call after leave() if PixmillBusStall.restart is set.  Does not return: the
 * vCPU returns to its loop and executes the instruction again, from its first
 * access.
 */
G_NORETURN void pixmill_bus_restart_vcpu(void);

#endif
