/*
 * Checks the rule for device locks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU takes locks and waits for conditions through function pointers, which
 * exist for its profiler (util/qsp.c) and are replaced here.  The check thus
 * covers do_run_on_cpu(), which waits for a vCPU without the BQL, regardless of
 * its caller.  Functions that do not always wait are wrapped by the linker.
 */
#include "qemu/osdep.h"
#include "ui/console.h"
#include "hw/pixmill/compat.h"
#include "lock-check.h"

#ifdef PIXMILL_CHECK_LOCKS

static __thread const QemuMutex *held;

void pixmill_lock_check_taken(const QemuMutex *lock)
{
    pixmill_lock_check_free();
    held = lock;
}

void pixmill_lock_check_left(const QemuMutex *lock)
{
    assert(held == lock);
    held = NULL;
}

void pixmill_lock_check_free(void)
{
    assert(!held);
}

static void check_bql_lock(QemuMutex *bql, const char *file, int line)
{
    pixmill_lock_check_free();
    qemu_mutex_lock_impl(bql, file, line);
}

static void check_cond_wait(QemuCond *cond, QemuMutex *mutex, const char *file,
                            int line)
{
    assert(!held || held == mutex);
    qemu_cond_wait_impl(cond, mutex, file, line);
}

static bool check_cond_timedwait(QemuCond *cond, QemuMutex *mutex, int ms,
                                 const char *file, int line)
{
    assert(!held || held == mutex);
    return qemu_cond_timedwait_impl(cond, mutex, ms, file, line);
}

/*
 * scripts/qemu/sanitized.py finds the names here and makes the linker redirect
 * all calls from other files to __wrap_NAME. compat.h may map NAME to another
 * one.
 */
#define CHECKED(...) CHECKED_BY_ITS_NAME(__VA_ARGS__)
#define CHECKED_BY_ITS_NAME(type, name, parameters, arguments)  \
    type __real_##name parameters;                              \
    type __wrap_##name parameters;                              \
    type __wrap_##name parameters                               \
    {                                                           \
        pixmill_lock_check_free();                              \
        return __real_##name arguments;                         \
    }

CHECKED(void, qemu_set_irq, (qemu_irq irq, int level), (irq, level))
CHECKED(void, qemu_console_resize, (QemuConsole *c, int w, int h), (c, w, h))
CHECKED(void, qemu_console_update, (QemuConsole *c, int x, int y, int w, int h),
        (c, x, y, w, h))
CHECKED(void, qemu_console_update_full, (QemuConsole *c), (c))
CHECKED(void, qemu_console_set_surface, (QemuConsole *c, DisplaySurface *s),
        (c, s))
CHECKED(void, memory_region_set_log, (MemoryRegion *mr, bool log, unsigned n),
        (mr, log, n))
CHECKED(DirtyBitmapSnapshot *, memory_region_snapshot_and_clear_dirty,
        (MemoryRegion *mr, hwaddr at, hwaddr size, unsigned n),
        (mr, at, size, n))
CHECKED(int, vm_stop, (RunState state), (state))

static void __attribute__((constructor)) install(void)
{
    qatomic_set(&bql_mutex_lock_func, check_bql_lock);
    qatomic_set(&qemu_cond_wait_func, check_cond_wait);
    qatomic_set(&qemu_cond_timedwait_func, check_cond_timedwait);
}

#endif
