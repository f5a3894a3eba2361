/*
 * Where the work of a device core is done: on a worker thread of its own, or
 * inline, on timers of the virtual clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Lock order: BQL, then the engine's lock.  The worker takes the BQL only
 * where it holds nothing else and is not in draw(), so a thread that holds the
 * BQL may wait for both.  The engine's lock is held during every entry point
 * of the core but the worker's draw(): a vCPU at a register waits for one short
 * slice of commands at most, and for pixels only where the bus itself stalls.
 * Then it does what the worker does, and as the worker does: without the BQL.
 *
 * The rule for callers: between enter() and leave(), QEMU is not called in a way
 * that takes the BQL or gives it up, waits for a vCPU or for I/O of the main
 * loop, drives an interrupt line, or enters another engine.  A vCPU that waits
 * for the engine's lock holds the BQL, so whoever waits for that vCPU and holds
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
#ifndef HW_PIXMILL_ENGINE_H
#define HW_PIXMILL_ENGINE_H

#include "exec/memattrs.h"
#include "qemu/event_notifier.h"
#include "qemu/thread.h"
#include "qemu/timer.h"
#include "hw/pixmill/compat.h"
#include "subprojects/pixmill/include/pixmill/host.h"

/* A core's side; the meaning is that of PixmillCoreClass. */
typedef struct PixmillEngineOps {
    PixmillRun (*run)(void *opaque, uint32_t budget_words);
    void (*draw)(void *opaque, uint64_t budget_bytes);
    void (*interrupt)(void *opaque);
} PixmillEngineOps;

typedef struct PixmillEngine {
    const PixmillEngineOps *ops;
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
} PixmillEngine;

/*
 * What a device's property "engine" (NULL, "thread" or "inline") comes to, in
 * *@threaded and in *@kind itself, so that 'info qtree' shows what is: no
 * worker where nothing is drawn or instructions are counted, nor under qtest
 * unless forced.
 */
bool pixmill_engine_choose(char **kind, bool draws, bool even_under_qtest,
                           bool *threaded, const char *type, Error **errp);

/*
 * init: @irq (of @irqs lines, 32 at most), @ops and @opaque live as long as @e.
 *       The core may be created after it, and may call kick() and set_irq()
 *       then.
 * start: the core exists; work may begin.  @name outlives @e.
 * stop: no more work is done.
 * All under the BQL; init and start in realize, the others in unrealize.
 */
bool pixmill_engine_init(PixmillEngine *e, qemu_irq *irq, unsigned irqs,
                         const PixmillEngineOps *ops, void *opaque,
                         Error **errp);
void pixmill_engine_start(PixmillEngine *e, DeviceState *dev, bool threaded,
                          const char *name);
void pixmill_engine_stop(PixmillEngine *e);
void pixmill_engine_cleanup(PixmillEngine *e);

/*
 * Around each call into the core, under the BQL; for what may be called in
 * between see the rule above.  In between, pointers of pixmill_dma_map() are
 * good.  leave() passes on what the core has asked for: the interrupt level and
 * the next run.
 */
void pixmill_engine_enter(PixmillEngine *e);
void pixmill_engine_leave(PixmillEngine *e);

/* enter(), unless that would have to wait: false.  draw() may be running. */
bool pixmill_engine_try_enter(PixmillEngine *e);

/*
 * Between enter() and leave(), with a worker: does a slice of what the core has
 * asked for at once, which saves the worker's wake-up.  No pixels.
 */
void pixmill_engine_run_slice(PixmillEngine *e);

/*
 * Between enter() and leave(): whether the access is one that TCG's code makes,
 * and could make again.
 */
bool pixmill_engine_serves_instruction(void);

/* A bus that stalls; all zero at first. */
typedef struct PixmillEngineStall {
    bool idle;        /* nothing was left to do when it was tried again */
    bool restart;     /* a vCPU must go to its loop, and will come back */
    bool refused;     /* the access is another device's */
    int64_t deadline; /* of the host's clock, for anyone else */
} PixmillEngineStall;

/*
 * Between enter() and leave(), in a register access of a core whose bus stalls
 * until its work in flight is done: does some of it here, for about a
 * millisecond.  False: the core has no more that can be done, or whoever makes
 * the access cannot wait for it.  Lets the BQL go for all of that time, and the
 * lock while it draws: the region of the registers must have
 * disable_reentrancy_guard.  Never for DMA of another device, in the middle of
 * whose code that would be.
 */
bool pixmill_engine_stall(PixmillEngine *e, PixmillEngineStall *stall,
                          MemTxAttrs attrs);

/*
 * After leave(), if the stall says restart.  Does not return: the vCPU goes to
 * its loop and executes the instruction anew, from its first access.
 */
G_NORETURN void pixmill_engine_restart_vcpu(void);

/* Between enter() and leave(): returns when draw() is not running. */
void pixmill_engine_drain(PixmillEngine *e);

/*
 * Likewise, where a write has cancelled what is drawn; then the core knows that
 * draw() has returned.  The VM need not run.
 */
void pixmill_engine_cancel(PixmillEngine *e);

/* The core's callbacks request_run() and set_irq(). */
void pixmill_engine_kick(PixmillEngine *e);
void pixmill_engine_set_irq(PixmillEngine *e, uint32_t line, bool level);

/*
 * Reset, in two parts: between enter() and leave(), with the core's reset, and
 * in the hold phase.
 */
void pixmill_engine_reset_enter(PixmillEngine *e);
void pixmill_engine_reset_hold(PixmillEngine *e);

/*
 * Between enter() and leave(), before and after the core loads its state.
 * @irq_levels: of the lines, as that state says; load() may change them.
 */
void pixmill_engine_pre_load(PixmillEngine *e, uint32_t irq_levels);
void pixmill_engine_post_load(PixmillEngine *e);
extern const VMStateDescription vmstate_pixmill_engine;

#endif
