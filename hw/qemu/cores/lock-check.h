/*
 * Checks the rule for device locks (worker.h), in builds that define
 * PIXMILL_CHECK_LOCKS: the sanitized QEMUs of the tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In these builds, a thread that holds a device lock aborts, even without
 * contention, if it
 *   takes the BQL or another device lock;
 *   waits for a condition variable that does not belong to that lock, such as
 *   that of run_on_cpu();
 *   drives an interrupt line, or calls another function listed in lock-check.c.
 * Main-loop I/O (blk_*(), qmp_*()) is not checked, because it waits in many
 * ways; neither is bql_unlock(), because bql_lock() follows it.
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
