/*
 * Does the work of a device core, on a worker thread or inline, in timers of
 * the virtual clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lock order: BQL, then the device lock.  The worker takes the BQL only while
 * it holds no other lock and is not in draw(), so a thread that holds the BQL
 * may wait for the device lock and for draw().  The device lock is held in
 * every entry point of the core except the worker's draw().  So a vCPU that
 * accesses a register waits for one short slice of commands at most.  It waits
 * for pixels only if its write resets the core (it keeps the BQL then) or if
 * the bus stalls.  On a stalled bus, the vCPU does the worker's work itself,
 * without the BQL.
 *
 * The rule for callers: between enter() and leave(), do not call any QEMU
 * function that takes or releases the BQL, waits for a vCPU or for I/O of the
 * main loop, drives an interrupt line, or enters another device.  A vCPU that
 * waits for the device lock may hold the BQL, so a thread that holds the lock
 * and waits for that vCPU hangs the machine.  These look harmless, but wait:
 *   memory_region_snapshot_and_clear_dirty(), memory_region_set_log(),
 *   framebuffer_update_display()  for vCPUs to leave their translation block
 *   dpy_*(), qemu_console_resize()  for anything that a viewer's code does
 *   vm_stop(), blk_*(), qmp_*(), run_on_cpu()
 *   bql_lock(), and bql_unlock() because of it; qemu_set_irq()
 * These do not: the clocks, timer_mod(), the log, traces, RCU, and memory
 * transactions, after which TCG's vCPUs flush at their next opportunity.
 * Builds with PIXMILL_CHECK_LOCKS abort on most calls that wait (lock-check.h).
 */
#ifndef HW_PIXMILL_WORKER_H
#define HW_PIXMILL_WORKER_H

#include "exec/memattrs.h"
#include "qemu/event_notifier.h"
#include "qemu/thread.h"
#include "qemu/timer.h"
#include "hw/pixmill/compat.h"
#include "subprojects/pixmill/include/pixmill/host.h"

/* Entry points of the core, as in PixmillCoreClass. */
typedef struct PixmillWorkerOps {
    PixmillRun (*run)(void *opaque, uint32_t budget_words);
    void (*draw)(void *opaque, uint64_t budget_bytes);
    void (*interrupt)(void *opaque);
    uint64_t (*work_ns)(void *opaque); /* 0 if the core does not draw */
} PixmillWorkerOps;

typedef struct PixmillWorker {
    const PixmillWorkerOps *ops;
    void *opaque;
    const char *name;
    bool threaded;

    QemuMutex lock;
    unsigned waiters;  /* threads that wait for the lock; atomic */
    unsigned yielding; /* how many of them the worker still lets go first */
    QemuCond turn;     /* signaled when the last of them has the lock */
    bool drawing;      /* a thread is in draw(), without the lock */
    QemuCond left;     /* signaled when it has left draw() */

    bool kicked;       /* the core has asked to be run */
    bool paused;       /* the VM does not run */
    bool quit;
    bool sleeping;     /* the worker polls wake */
    EventNotifier wake;
    QemuThread thread;
    uint64_t draw_budget;
    QEMUTimer timer;   /* inline: the next activation */
    int64_t due;       /* when the timer expires, or has expired */

    /* The cost model of inline work; guest times in nanoseconds. */
    uint32_t work_time;   /* percent of work_ns() that work takes; 0: none */
    uint64_t charged_ns;  /* the part of this work that busy_until includes */
    int64_t busy_until;   /* when the work done so far ends */

    /* Random latencies of inline work, which a seed determines. */
    uint64_t seed;        /* 0: none */
    uint64_t random;      /* state of the generator */
    QEMUTimer irq_timer;  /* drives the lines that rise */
    uint32_t irq_driven;  /* levels of the lines */

    qemu_irq *irq;       /* by line */
    unsigned irqs;
    uint32_t irq_levels; /* levels that the core wants, one bit each; atomic */
    bool irq_changed;    /* irq_levels have not been passed on */

    VMChangeStateEntry *vm_state;
} PixmillWorker;

/*
 * Resolves the property "worker" of a device (NULL, "thread" or "inline") into
 * *@threaded, and writes the result back to *@kind for 'info qtree'.  Work is
 * always inline if the core does not draw, if instructions are counted, and,
 * unless forced, under qtest.
 */
bool pixmill_worker_choose(char **kind, bool draws, bool even_under_qtest,
                           bool *threaded, const char *type, Error **errp);

/*
 * All of these are called under the BQL: init and start in realize, the others
 * in unrealize.
 * init: @irq (of @irqs lines, 32 at most), @ops and @opaque must outlive @w.
 *       The core may be created after it, and may then call kick() and
 *       set_irq().
 * start: the core exists; work may begin.  @name must outlive @w.  An inline
 *        worker continues only after @work_time percent of the guest time that
 *        hardware would need for its work so far.  If @seed is not 0, inline
 *        work begins late and interrupts rise late, by times that the seed and
 *        the name determine.
 * stop: no more work is done.
 */
bool pixmill_worker_init(PixmillWorker *w, qemu_irq *irq, unsigned irqs,
                         const PixmillWorkerOps *ops, void *opaque,
                         Error **errp);
void pixmill_worker_start(PixmillWorker *w, DeviceState *dev, bool threaded,
                          uint32_t work_time, uint32_t seed, const char *name);
void pixmill_worker_stop(PixmillWorker *w);
void pixmill_worker_cleanup(PixmillWorker *w);

/*
 * These enclose each call into the core.  In between, the rule above applies
 * and pointers from pixmill_dma_map() are valid.  leave() passes on what the
 * core has requested: its interrupt levels and the next run.
 *
 * The caller holds the BQL.  If there is a worker thread, it need not; leave()
 * then takes the BQL if an interrupt level has changed.
 */
void pixmill_worker_enter(PixmillWorker *w);
void pixmill_worker_leave(PixmillWorker *w);

/* Like enter(), but returns false if it would wait.  draw() may be running. */
bool pixmill_worker_try_enter(PixmillWorker *w);

/*
 * Runs a slice of the requested commands immediately, but no draw, which avoids
 * waking the worker.  Call between enter() and leave(), if there is a worker.
 */
void pixmill_worker_run_slice(PixmillWorker *w);

/* Waits until draw() is not running.  Call between enter() and leave(). */
void pixmill_worker_drain(PixmillWorker *w);

/*
 * Waits until draw() is not running, after a write that cancels the draw, and
 * lets the core know that draw() has returned.  Works even if the VM is
 * stopped.
 */
void pixmill_worker_cancel(PixmillWorker *w);

/* Implement the core's callbacks request_run() and set_irq(). */
void pixmill_worker_kick(PixmillWorker *w);
void pixmill_worker_set_irq(PixmillWorker *w, uint32_t line, bool level);

/*
 * Reset in two steps: the first between enter() and leave(), with the core's
 * reset; the second in the hold phase.
 */
void pixmill_worker_reset_enter(PixmillWorker *w);
void pixmill_worker_reset_hold(PixmillWorker *w);

/*
 * Call between enter() and leave(), before and after the core loads its state.
 * @irq_levels are the levels in that state; load() may change them.
 */
void pixmill_worker_pre_load(PixmillWorker *w, uint32_t irq_levels);
void pixmill_worker_post_load(PixmillWorker *w);
extern const VMStateDescription vmstate_pixmill_worker;

/* ---- For bus-stall.c ----------------------------------------------------- */

/*
 * Does the worker's work, or waits while the worker does it, until nothing is
 * left to do for now, another thread wants the lock, the VM is paused, or @ns
 * of host time have passed.  The worker or the timer does the rest.  Called
 * with the device lock but without the BQL, while the VM is not paused;
 * releases the lock in between.
 */
void pixmill_worker_help(PixmillWorker *w, int64_t ns);

/*
 * True if nothing is left to do.  The caller must keep the lock until it has
 * tried its access again, because another vCPU could otherwise start work in
 * between.
 */
bool pixmill_worker_is_idle(PixmillWorker *w);

/* Like leave(), but passes nothing on. */
void pixmill_worker_release(PixmillWorker *w);

#endif
