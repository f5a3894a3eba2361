/*
 * Checks the rule for device locks (worker.h), in builds that define
 * PIXMILL_CHECK_LOCKS: the sanitized QEMUs of the tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread that holds a device lock aborts there, even without contention, if
 * it
 *   takes the BQL or another device lock;
 *   waits for a condition, e.g. for work of a vCPU, except one of its lock;
 *   drives an interrupt line, or calls another function listed in lock-check.c.
 * Not checked are I/O of the main loop (blk_*(), qmp_*()), which waits in many
 * ways, and bql_unlock(), which is followed by bql_lock().
 */
#ifndef HW_PIXMILL_LOCK_CHECK_H
#define HW_PIXMILL_LOCK_CHECK_H

#include "qemu/thread.h"

#ifdef PIXMILL_CHECK_LOCKS

/* The calling thread has taken @lock, or is about to release it. */
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
