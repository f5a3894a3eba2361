/*
 * Does the work of a device core on a worker thread, or inline, on timers of
 * the virtual clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lock order: BQL, then the device lock.  The worker takes the BQL only
 * where it holds nothing else and is not in draw(), so a thread that holds the
 * BQL may wait for both.  The device lock is held during every entry point
 * of the core but the worker's draw(): a vCPU at a register waits for one short
 * slice of commands at most, and for pixels only where the bus itself stalls.
 * Then it does what the worker does, and as the worker does: without the BQL.
 *
 * The rule for callers: between enter() and leave(), QEMU is not called in a way
 * that takes the BQL or gives it up, waits for a vCPU or for I/O of the main
 * loop, drives an interrupt line, or enters another device.  A vCPU that waits
 * for the device lock holds the BQL, so whoever waits for that vCPU and holds
 * the lock stops the machine for good.  Among the calls that look harmless and
 * do wait:
 *   memory_region_snapshot_and_clear_dirty(), memory_region_set_log(),
 *   framebuffer_update_display()  for vCPUs to leave their translation block
 *   dpy_*(), qemu_console_resize()  for what a viewer's code likes
 *   vm_stop(), blk_*(), qmp_*(), run_on_cpu()
 *   bql_unlock(), bql_lock(), qemu_set_irq()
 * Those that do not: the clocks, timer_mod(), the log, traces, RCU, and a memory
 * transaction, behind which TCG's vCPUs flush when they come to it.
 * Builds with PIXMILL_CHECK_LOCKS abort at most of these (lock-check.h has the
 * list).
 */
#ifndef HW_PIXMILL_WORKER_H
#define HW_PIXMILL_WORKER_H

#include "exec/memattrs.h"
#include "qemu/event_notifier.h"
#include "qemu/thread.h"
#include "qemu/timer.h"
#include "hw/pixmill/compat.h"
#include "subprojects/pixmill/include/pixmill/host.h"

/* A core's side; the meaning is that of PixmillCoreClass. */
typedef struct PixmillWorkerOps {
    PixmillRun (*run)(void *opaque, uint32_t budget_words);
    void (*draw)(void *opaque, uint64_t budget_bytes);
    void (*interrupt)(void *opaque);
} PixmillWorkerOps;

typedef struct PixmillWorker {
    const PixmillWorkerOps *ops;
    void *opaque;
    const char *name;
    bool threaded;

    QemuMutex lock;
    unsigned waiters;  /* threads that the worker must let in; atomic */
    bool yielding;     /* the worker waits for them */
    QemuCond turn;     /* they have been in */
    bool drawing;      /* a thread is in draw(), without the lock */
    QemuCond left;     /* it has left */

    bool kicked;       /* the core has asked to be run */
    bool paused;       /* the VM does not run */
    bool quit;
    bool sleeping;     /* the worker polls wake */
    EventNotifier wake;
    QemuThread thread;
    uint64_t draw_budget;
    QEMUTimer timer;   /* inline: the next activation */

    qemu_irq *irq;       /* by line */
    unsigned irqs;
    uint32_t irq_levels; /* what the core wants, a bit each; atomic */
    bool irq_changed;    /* ... and has not been told to anyone */

    VMChangeStateEntry *vm_state;
} PixmillWorker;

/*
 * Resolves a device's property "worker" (NULL, "thread" or "inline") into
 * *@threaded, and writes the result back to *@kind for 'info qtree'.  There is
 * no worker if nothing is drawn or instructions are counted, nor under qtest
 * unless forced.
 */
bool pixmill_worker_choose(char **kind, bool draws, bool even_under_qtest,
                           bool *threaded, const char *type, Error **errp);

/*
 * init: @irq (of @irqs lines, 32 at most), @ops and @opaque live as long as @w.
 *       The core may be created after it, and may call kick() and set_irq()
 *       then.
 * start: the core exists; work may begin.  @name outlives @w.
 * stop: no more work is done.
 * All under the BQL; init and start in realize, the others in unrealize.
 */
bool pixmill_worker_init(PixmillWorker *w, qemu_irq *irq, unsigned irqs,
                         const PixmillWorkerOps *ops, void *opaque,
                         Error **errp);
void pixmill_worker_start(PixmillWorker *w, DeviceState *dev, bool threaded,
                          const char *name);
void pixmill_worker_stop(PixmillWorker *w);
void pixmill_worker_cleanup(PixmillWorker *w);

/*
 * Around each call into the core, under the BQL; for what may be called in
 * between see the rule above.  In between, pointers of pixmill_dma_map() are
 * good.  leave() passes on what the core has asked for: the interrupt level and
 * the next run.
 */
void pixmill_worker_enter(PixmillWorker *w);
void pixmill_worker_leave(PixmillWorker *w);

/* enter(), unless that would have to wait: false.  draw() may be running. */
bool pixmill_worker_try_enter(PixmillWorker *w);

/*
 * Between enter() and leave(), with a worker: does a slice of what the core has
 * asked for at once, which saves the worker's wake-up.  No pixels.
 */
void pixmill_worker_run_slice(PixmillWorker *w);

/* Between enter() and leave(): returns when draw() is not running. */
void pixmill_worker_drain(PixmillWorker *w);

/*
 * Likewise, where a write has cancelled what is drawn; then the core knows that
 * draw() has returned.  The VM need not run.
 */
void pixmill_worker_cancel(PixmillWorker *w);

/* The core's callbacks request_run() and set_irq(). */
void pixmill_worker_kick(PixmillWorker *w);
void pixmill_worker_set_irq(PixmillWorker *w, uint32_t line, bool level);

/*
 * Reset, in two parts: between enter() and leave(), with the core's reset, and
 * in the hold phase.
 */
void pixmill_worker_reset_enter(PixmillWorker *w);
void pixmill_worker_reset_hold(PixmillWorker *w);

/*
 * Between enter() and leave(), before and after the core loads its state.
 * @irq_levels: of the lines, as that state says; load() may change them.
 */
void pixmill_worker_pre_load(PixmillWorker *w, uint32_t irq_levels);
void pixmill_worker_post_load(PixmillWorker *w);
extern const VMStateDescription vmstate_pixmill_worker;

/* ---- For bus-stall.c ----------------------------------------------------- */

/*
 * Does what the worker does, or lets it, until there is no more to be done for
 * now, somebody wants the lock, or @ns of the host's clock have gone by.  Then
 * the worker, or the timer, does the rest.  The lock is held, the BQL is not;
 * both are free in between.
 */
void pixmill_worker_help(PixmillWorker *w, int64_t ns);

/*
 * The lock is held, and will be until the access has been tried again: what was
 * so before it was taken is no longer true if another vCPU has started work in
 * between.
 */
bool pixmill_worker_is_idle(PixmillWorker *w);

/*
 * leave(), which passes nothing on.  Wakes the worker that yielded to the lock's
 * holder.
 */
void pixmill_worker_let_go(PixmillWorker *w);

#endif
