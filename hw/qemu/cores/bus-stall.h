/*
 * A bus that stalls until the core's work in flight is done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_BUS_STALL_H
#define HW_PIXMILL_BUS_STALL_H

#include "worker.h"

/*
 * Between enter() and leave(): whether the access is one that TCG's code makes,
 * and could make again.
 */
bool pixmill_bus_serves_instruction(void);

/* A bus that stalls; all zero at first. */
typedef struct PixmillBusStall {
    bool idle;        /* nothing was left to do when it was tried again */
    bool restart;     /* a vCPU must go to its loop, and will come back */
    bool refused;     /* the access is another device's */
    int64_t deadline; /* of the host's clock, for anyone else */
} PixmillBusStall;

/*
 * Between enter() and leave(), in a register access of a core whose bus stalls
 * until its work in flight is done: does some of it here, for about a
 * millisecond.  False: the core has no more that can be done, or whoever makes
 * the access cannot wait for it.  Lets the BQL go for all of that time, and the
 * lock while it draws: the region of the registers must have
 * disable_reentrancy_guard.  Never for DMA of another device, in the middle of
 * whose code that would be.
 */
bool pixmill_bus_stall(PixmillWorker *w, PixmillBusStall *stall,
                       MemTxAttrs attrs);

/*
 * After leave(), if the stall says restart.  Does not return: the vCPU goes to
 * its loop and executes the instruction anew, from its first access.
 */
G_NORETURN void pixmill_bus_restart_vcpu(void);

#endif
