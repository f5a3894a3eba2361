/*
 * A check of the rule for a device lock (worker.h), in builds that define
 * PIXMILL_CHECK_LOCKS: the sanitized QEMUs of the tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * There a thread that holds a device lock aborts, whether or not another
 * thread is in its way this time, if it
 *   takes the BQL, or another device lock;
 *   waits for a condition, as for work of a vCPU, but one of that lock;
 *   drives an interrupt line, or calls another function that lock-check.c lists.
 * Not checked are I/O of the main loop (blk_*(), qmp_*()), which waits in many
 * ways, and bql_unlock(): who gives the BQL up takes it again.
 */
#ifndef HW_PIXMILL_LOCK_CHECK_H
#define HW_PIXMILL_LOCK_CHECK_H

#include "qemu/thread.h"

#ifdef PIXMILL_CHECK_LOCKS

/* The calling thread has taken @lock, or is about to let it go. */
void pixmill_lock_check_taken(const QemuMutex *lock);
void pixmill_lock_check_left(const QemuMutex *lock);

/* Aborts if the calling thread holds a device lock. */
void pixmill_lock_check_free(void);

#else

static inline void pixmill_lock_check_taken(const QemuMutex *lock)
{
}

static inline void pixmill_lock_check_left(const QemuMutex *lock)
{
}

static inline void pixmill_lock_check_free(void)
{
}

#endif

#endif
