/*
 * Does the work of a device core, on a worker thread or inline, in timers of
 * the virtual clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"
#include "qemu/rcu.h"
#include "qemu/units.h"
#include "migration/vmstate.h"
#include "system/qtest.h"
#include "system/replay.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/counted-timer.h"
#include "dma.h"
#include "worker.h"
#include "lock-check.h"
#include "hw/pixmill/trace.h"

enum {
    /* Words per slice of commands.  A vCPU may have to wait for a slice. */
    WORKER_WORDS = 512,
    /*
     * Limits of the budget of a draw(), which aims at DRAW_NS: enough work to
     * share among threads.
     */
    DRAW_BYTES_MIN = 4 * MiB,
    DRAW_BYTES_MAX = 64 * MiB,
    DRAW_NS = 4 * SCALE_MS,
    /* qtest's virtual clock jumps without notifying any thread. */
    QTEST_POLL_NS = 1 * SCALE_MS,
    /*
     * Limits of one inline activation, and the guest time until the next one.
     */
    INLINE_ROUNDS = 16,
    INLINE_WORDS = 4096 / INLINE_ROUNDS,
    INLINE_DRAW_BYTES = 256 * KiB / INLINE_ROUNDS,
    INLINE_STEP_NS = 10 * SCALE_US,
    /*
     * Limit of the guest time until a loaded core works again, so that no
     * stream stops it for good.  One activation's work takes less time, even at
     * a hundred times the cost model; a core that waits longer asks again.
     */
    LOADED_WORK_S = 60,
    /* Maximum host time in the main loop, per activation and per draw(). */
    INLINE_NS = 2 * SCALE_MS,
    /*
     * With a seed, the longest latencies of work and of interrupts: well below
     * the time-outs of drivers, but longer than their handlers.
     */
    LATENCY_OF_WORK_NS = 20 * SCALE_US,
    LATENCY_OF_IRQ_NS = 50 * SCALE_US,
};

bool pixmill_worker_choose(char **kind, bool draws, bool even_under_qtest,
                           bool *threaded, const char *type, Error **errp)
{
    if (*kind && strcmp(*kind, "thread") && strcmp(*kind, "inline")) {
        error_setg(errp, "%s: worker, or engine, its old name, must be 'thread' "
                   "or 'inline', not '%s'", type, *kind);
        return false;
    }
    *threaded = draws && (!*kind || !strcmp(*kind, "thread")) &&
                !icount_enabled() && replay_mode == REPLAY_MODE_NONE &&
                (even_under_qtest || !qtest_enabled());
    g_free(*kind);
    *kind = g_strdup(*threaded ? "thread" : "inline");
    return true;
}

/* ---- The lock ------------------------------------------------------------ */

static void worker_lock(PixmillWorker *w)
{
    pixmill_lock_check_free();
    qemu_mutex_lock(&w->lock);
    pixmill_lock_check_taken(&w->lock);
}

static bool worker_try_lock(PixmillWorker *w)
{
    if (qemu_mutex_trylock(&w->lock)) {
        return false;
    }
    pixmill_lock_check_taken(&w->lock);
    return true;
}

static void worker_unlock(PixmillWorker *w)
{
    pixmill_lock_check_left(&w->lock);
    qemu_mutex_unlock(&w->lock);
}

/*
 * QemuMutex is not fair: a busy worker would immediately take it again.  So
 * threads that need the lock count themselves, and the worker waits until as
 * many of them have got it, worker_yield().  Threads that get it at once do not
 * count; otherwise one that takes it often would use up the others' turns.
 * While yielding is not 0, at least as many threads wait, so the worker cannot
 * wait forever.
 */
static void worker_begin_wait(PixmillWorker *w)
{
    qatomic_inc(&w->waiters);
}

/* Call with the lock. */
static void worker_end_wait(PixmillWorker *w)
{
    qatomic_dec(&w->waiters);
    if (w->yielding && --w->yielding == 0) {
        qemu_cond_signal(&w->turn);
    }
}

/* ---- The core's callbacks ----------------------------------------------- */

void pixmill_worker_kick(PixmillWorker *w)
{
    w->kicked = true;
}

void pixmill_worker_set_irq(PixmillWorker *w, uint32_t line, bool level)
{
    qatomic_set(&w->irq_levels, deposit32(w->irq_levels, line, 1, level));
    w->irq_changed = true;
}

/*
 * Returns a latency below @most, from the generator splitmix64; 0 without a
 * seed.
 */
static int64_t worker_latency(PixmillWorker *w, int64_t most)
{
    uint64_t z;

    if (!w->seed) {
        return 0;
    }
    z = w->random += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (z ^ z >> 31) % most;
}

/*
 * Drives the interrupt lines, which no other function does.  Call under the
 * BQL.
 */
static void worker_drive(PixmillWorker *w, uint32_t levels)
{
    pixmill_lock_check_free();
    w->irq_driven = levels;
    for (unsigned line = 0; line < w->irqs; line++) {
        qemu_set_irq(w->irq[line], extract32(levels, line, 1));
    }
}

/*
 * Each caller passes on the current levels, so the order in which callers and
 * the worker get here does not matter.
 */
static void worker_update_irq(PixmillWorker *w)
{
    worker_drive(w, qatomic_read(&w->irq_levels));
}

static void worker_irq_due(void *opaque)
{
    worker_update_irq(opaque);
}

/*
 * Drives the lines.  With a seed, drives only those that fall; the timer drives
 * those that rise.
 */
static void worker_pass_levels(PixmillWorker *w)
{
    uint32_t levels = qatomic_read(&w->irq_levels);

    worker_drive(w, w->seed ? levels & w->irq_driven : levels);
    if ((levels & ~w->irq_driven) && !timer_pending(&w->irq_timer)) {
        pixmill_timer_mod(&w->irq_timer,
                          qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                          worker_latency(w, LATENCY_OF_IRQ_NS));
    }
}

/* ---- Entry points ------------------------------------------------------- */

void pixmill_worker_enter(PixmillWorker *w)
{
    pixmill_dma_begin();
    if (!worker_try_lock(w)) {
        worker_begin_wait(w);
        worker_lock(w);
        worker_end_wait(w);
    }
}

bool pixmill_worker_try_enter(PixmillWorker *w)
{
    pixmill_dma_begin();
    if (!worker_try_lock(w)) {
        pixmill_dma_end();
        return false;
    }
    return true;
}

void pixmill_worker_release(PixmillWorker *w)
{
    worker_unlock(w);
    pixmill_dma_end();
}

/* Makes an inline worker run at @when, or when its work so far has ended. */
static void worker_run_at(PixmillWorker *w, int64_t when)
{
    w->due = MAX(when, w->busy_until);
    pixmill_timer_mod(&w->timer, w->due);
}

/* Makes it run no later than that. */
static void worker_run_by(PixmillWorker *w, int64_t when)
{
    if (!timer_pending(&w->timer) || when < w->due) {
        worker_run_at(w, when);
    }
}

void pixmill_worker_leave(PixmillWorker *w)
{
    bool irq = w->irq_changed;
    bool wake = false;

    w->irq_changed = false;
    if (w->kicked && !w->paused) {
        if (w->threaded) {
            wake = w->sleeping;
            w->sleeping = false;
        } else {
            w->kicked = false;
            worker_run_by(w, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) +
                             worker_latency(w, LATENCY_OF_WORK_NS));
        }
    }
    pixmill_worker_release(w);

    if (wake) {
        event_notifier_set(&w->wake);
    }
    if (irq) {
        BQL_LOCK_GUARD();
        worker_pass_levels(w);
    }
}

void pixmill_worker_run_slice(PixmillWorker *w)
{
    if (w->threaded && w->kicked && !w->paused && !w->drawing) {
        PixmillRun run = w->ops->run(w->opaque, WORKER_WORDS);

        /* The worker does the rest, or waits until the rest is due. */
        w->kicked = run.action != PIXMILL_RUN_IDLE;
    }
}

void pixmill_worker_drain(PixmillWorker *w)
{
    if (!w->drawing) {
        return;
    }
    trace_pixmill_worker_drain(w->name);
    worker_begin_wait(w);
    while (w->drawing) {
        /*
         * Repeat the call, because an earlier one may have come before draw()
         * began.
         */
        w->ops->interrupt(w->opaque);
        qemu_cond_timedwait(&w->left, &w->lock, 1);
    }
    worker_end_wait(w);
}

/* Returns the guest time of all work so far. */
static uint64_t worker_time(PixmillWorker *w)
{
    return muldiv64(w->ops->work_ns(w->opaque), w->work_time, 100);
}

/*
 * Adds to busy_until the guest time for the work done since the last call.  The
 * work began when the timer was due, or when the work before it ended, so the
 * end depends neither on how the work was divided nor on the clock's steps.
 */
static void worker_charge(PixmillWorker *w)
{
    uint64_t ns;

    if (!w->work_time) {
        return;
    }
    ns = worker_time(w);
    w->busy_until = MAX(w->busy_until, w->due);
    if (ns > w->charged_ns) {
        w->busy_until += ns - w->charged_ns;
    }
    w->charged_ns = ns;
}

/* Ends the time of all work so far, which a reset has canceled. */
static void worker_forget_work(PixmillWorker *w)
{
    worker_charge(w);
    w->busy_until = 0;
}

void pixmill_worker_cancel(PixmillWorker *w)
{
    pixmill_worker_drain(w);
    w->ops->run(w->opaque, 0);
    worker_forget_work(w);
}

void pixmill_worker_reset_enter(PixmillWorker *w)
{
    timer_del(&w->timer);
    w->kicked = false;
    w->irq_changed = false;
    qatomic_set(&w->irq_levels, 0);
    worker_forget_work(w);
    timer_del(&w->irq_timer);
    w->random = w->seed;
}

void pixmill_worker_reset_hold(PixmillWorker *w)
{
    worker_update_irq(w);
}

static void worker_limit_timer(QEMUTimer *timer, int64_t latest)
{
    if (timer_pending(timer) && timer_expire_time_ns(timer) > latest) {
        timer_mod_ns(timer, latest);
    }
}

/*
 * Limits times that came with a stream, which is not trusted.  The clock is
 * right only when the VM starts: it may be loaded after the worker.
 */
static void worker_limit_times(PixmillWorker *w)
{
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    int64_t latest = now + LOADED_WORK_S * NANOSECONDS_PER_SECOND;

    worker_limit_timer(&w->timer, latest);
    w->due = MIN(w->due, latest);
    w->busy_until = MIN(w->busy_until, latest);
    worker_limit_timer(&w->irq_timer, now + LATENCY_OF_IRQ_NS);
}

static void worker_vm_state_changed(void *opaque, bool running, RunState state)
{
    PixmillWorker *w = opaque;

    trace_pixmill_worker_pause(w->name, !running);
    pixmill_worker_enter(w);
    w->paused = !running;
    if (running) {
        worker_limit_times(w);
        /* A worker that slept while the VM was stopped has a stale clock. */
        w->kicked |= w->threaded;
    } else {
        pixmill_worker_drain(w);
    }
    pixmill_worker_leave(w);

    if (!running && !timer_pending(&w->irq_timer)) {
        /* The interrupt controller is saved next; it must have the levels. */
        worker_update_irq(w);
    }
}

/* ---- Work: by the worker, or by a thread whose access stalls ------------- */

static void worker_call_draw(PixmillWorker *w, uint64_t budget)
{
    trace_pixmill_worker_draw(w->name, budget, bql_locked());
    w->ops->draw(w->opaque, budget);
}

/*
 * Call with the device lock but without the BQL, while no other thread is in
 * draw().  Releases the lock in between.
 */
static void worker_draw(PixmillWorker *w)
{
    int64_t ns;

    w->drawing = true;
    worker_unlock(w);

    ns = get_clock();
    pixmill_dma_begin();
    worker_call_draw(w, w->draw_budget);
    pixmill_dma_end();
    ns = get_clock() - ns;
    if (ns > DRAW_NS) {
        w->draw_budget = MAX(w->draw_budget / 2, DRAW_BYTES_MIN);
    } else if (ns < DRAW_NS / 4) {
        w->draw_budget = MIN(w->draw_budget * 2, DRAW_BYTES_MAX);
    }

    worker_lock(w);
    w->drawing = false;
    qemu_cond_broadcast(&w->left);
}

/*
 * Takes the BQL instead of scheduling a bottom half, because waking the main
 * loop takes as long as everything else.
 */
static void worker_pass_irq_on(PixmillWorker *w)
{
    w->irq_changed = false;
    worker_unlock(w);
    bql_lock();
    worker_update_irq(w);
    bql_unlock();
    worker_lock(w);
}

/*
 * Does one run() and the work that it requests.  Call with the device lock but
 * without the BQL, while no other thread is in draw().  Releases the lock in
 * between.
 */
static PixmillRun worker_work(PixmillWorker *w)
{
    PixmillRun run;

    w->kicked = false;
    pixmill_dma_begin();
    run = w->ops->run(w->opaque, WORKER_WORDS);
    pixmill_dma_end();
    if (w->irq_changed) {
        worker_pass_irq_on(w);
        /* The core's state may have changed meanwhile, so run it again. */
        run.action = PIXMILL_RUN_AGAIN;
    } else if (run.action == PIXMILL_RUN_DRAW) {
        worker_draw(w);
    }
    return run;
}

void pixmill_worker_help(PixmillWorker *w, int64_t ns)
{
    int64_t end = get_clock() + ns;
    PixmillRun run = { .action = PIXMILL_RUN_AGAIN };

    do {
        if (w->drawing) {
            run.action = PIXMILL_RUN_AGAIN;
            qemu_cond_timedwait(&w->left, &w->lock, 1);
        } else {
            run = worker_work(w);
        }
    } while (run.action != PIXMILL_RUN_IDLE &&
             run.action != PIXMILL_RUN_WAIT && !w->paused &&
             !qatomic_read(&w->waiters) && get_clock() < end);
    w->kicked |= run.action != PIXMILL_RUN_IDLE;
}

bool pixmill_worker_is_idle(PixmillWorker *w)
{
    return !w->drawing && !w->paused &&
           w->ops->run(w->opaque, 0).action == PIXMILL_RUN_IDLE;
}

/* ---- Worker thread ------------------------------------------------------ */

/*
 * Sleeps for @ns or, if @ns < 0, until the worker is woken.  Releases the lock
 * meanwhile.
 */
static void worker_sleep(PixmillWorker *w, int64_t ns)
{
    GPollFD fd = { .fd = event_notifier_get_fd(&w->wake), .events = G_IO_IN };

    if (w->quit || (w->kicked && !w->paused)) {
        return;
    }
    if (ns > QTEST_POLL_NS && qtest_enabled()) {
        ns = QTEST_POLL_NS;
    }
    w->sleeping = true;
    worker_unlock(w);
    if (qemu_poll_ns(&fd, 1, ns) > 0) {
        event_notifier_test_and_clear(&w->wake);
    }
    worker_lock(w);
    w->sleeping = false;
}

/* Lets as many threads take the lock first as already wait for it. */
static void worker_yield(PixmillWorker *w)
{
    w->yielding = qatomic_read(&w->waiters);
    while (w->yielding) {
        qemu_cond_wait(&w->turn, &w->lock);
    }
}

static void *worker_thread(void *opaque)
{
    PixmillWorker *w = opaque;

    rcu_register_thread();
    worker_lock(w);
    while (!w->quit) {
        PixmillRun run = { .action = PIXMILL_RUN_IDLE };

        if (w->drawing) {
            /* A thread whose access stalls is doing the work. */
            qemu_cond_wait(&w->left, &w->lock);
            continue;
        }
        if (!w->paused) {
            run = worker_work(w);
        }
        if (run.action == PIXMILL_RUN_IDLE) {
            worker_sleep(w, -1);
        } else if (run.action == PIXMILL_RUN_WAIT) {
            run.when_ns -= qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
            worker_sleep(w, MAX(run.when_ns, 0));
        }
        worker_yield(w);
    }
    worker_unlock(w);
    rcu_unregister_thread();
    return NULL;
}

/* ---- Inline ------------------------------------------------------------- */

/* Does one run() and the draw() that it requests. */
static PixmillRun worker_round(PixmillWorker *w)
{
    PixmillRun run = w->ops->run(w->opaque, INLINE_WORDS);

    if (run.action == PIXMILL_RUN_DRAW) {
        worker_call_draw(w, INLINE_DRAW_BYTES *
                            (w->work_time ? INLINE_ROUNDS : 1));
    }
    worker_charge(w);
    return run;
}

static void worker_activate(void *opaque)
{
    PixmillWorker *w = opaque;
    PixmillRun run = { .action = PIXMILL_RUN_AGAIN };
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    /* Under icount and qtest, the budget alone limits the work. */
    bool real_time = !icount_enabled() && !qtest_enabled();
    int64_t end = get_clock() + INLINE_NS;

    pixmill_worker_enter(w);
    if (w->paused || w->drawing) {
        /*
         * Timers also run while the VM is being set up or loaded.  A thread
         * whose access stalls checks again after it has drawn.
         */
        w->kicked |= w->paused;
        pixmill_worker_leave(w);
        return;
    }
    w->kicked = false;
    /* Guest time must pass for work that takes any, so that ends the loop. */
    for (int i = 0; i < INLINE_ROUNDS && w->busy_until <= w->due; i++) {
        run = worker_round(w);
        if (run.action == PIXMILL_RUN_IDLE || run.action == PIXMILL_RUN_WAIT) {
            break;
        }
        if (real_time && get_clock() > end) {
            break;
        }
    }
    /*
     * Do not set the timer to the current time: the timer list compares with
     * the time at which it started, and would run this timer forever.
     */
    if (run.action == PIXMILL_RUN_WAIT && !w->kicked) {
        worker_run_at(w, MAX(run.when_ns, now + 1));
    } else if (run.action != PIXMILL_RUN_IDLE || w->kicked) {
        worker_run_at(w, MAX(now + 1, w->busy_until > w->due ? w->busy_until :
                                      now + INLINE_STEP_NS));
    }
    w->kicked = false;
    pixmill_worker_leave(w);
}

/* ---- Life cycle --------------------------------------------------------- */

bool pixmill_worker_init(PixmillWorker *w, qemu_irq *irq, unsigned irqs,
                         const PixmillWorkerOps *ops, void *opaque,
                         Error **errp)
{
    int ret;

    *w = (PixmillWorker) {
        .ops = ops,
        .opaque = opaque,
        .irq = irq,
        .irqs = irqs,
        .draw_budget = DRAW_BYTES_MIN,
    };
    ret = event_notifier_init(&w->wake, false);
    if (ret < 0) {
        error_setg_errno(errp, -ret, "cannot make an event notifier");
        return false;
    }
    qemu_mutex_init(&w->lock);
    qemu_cond_init(&w->turn);
    qemu_cond_init(&w->left);
    timer_init_ns(&w->timer, QEMU_CLOCK_VIRTUAL, worker_activate, w);
    timer_init_ns(&w->irq_timer, QEMU_CLOCK_VIRTUAL, worker_irq_due, w);
    return true;
}

void pixmill_worker_start(PixmillWorker *w, DeviceState *dev, bool threaded,
                          uint32_t work_time, uint32_t seed, const char *name)
{
    w->name = name;
    w->threaded = threaded;
    w->work_time = work_time;
    /* Cores of a board have the same property, but their own latencies. */
    w->seed = seed ? (uint64_t)seed << 32 | g_str_hash(name) : 0;
    w->random = w->seed;
    w->paused = !runstate_is_running();
    w->vm_state = qdev_add_vm_change_state_handler(dev, worker_vm_state_changed,
                                                   NULL, w);
    if (threaded) {
        qemu_thread_create(&w->thread, name, worker_thread, w,
                           QEMU_THREAD_JOINABLE);
    }
}

void pixmill_worker_stop(PixmillWorker *w)
{
    qemu_del_vm_change_state_handler(w->vm_state);
    if (w->threaded) {
        pixmill_worker_enter(w);
        w->quit = true;
        w->ops->interrupt(w->opaque);
        pixmill_worker_leave(w);
        event_notifier_set(&w->wake);
        bql_unlock(); /* the worker may need it */
        qemu_thread_join(&w->thread);
        bql_lock();
    }
    timer_del(&w->timer);
    timer_del(&w->irq_timer);
}

void pixmill_worker_cleanup(PixmillWorker *w)
{
    qemu_cond_destroy(&w->left);
    qemu_cond_destroy(&w->turn);
    qemu_mutex_destroy(&w->lock);
    event_notifier_cleanup(&w->wake);
}

/* ---- Migration ---------------------------------------------------------- */

void pixmill_worker_pre_load(PixmillWorker *w, uint32_t irq_levels)
{
    /* The interrupt controller has loaded, or will load, its levels itself. */
    w->irq_changed = false;
    qatomic_set(&w->irq_levels, irq_levels);
}

void pixmill_worker_post_load(PixmillWorker *w)
{
    /* load() may have dropped work that the core had not reported. */
    w->charged_ns = worker_time(w);
    if (!w->work_time) {
        w->busy_until = 0;
    }
    /*
     * A saved timer knows the time of the next activation to the nanosecond.  A
     * worker simply checks when the VM runs again.
     */
    if (w->threaded) {
        timer_del(&w->timer);
    } else if (timer_pending(&w->timer)) {
        w->kicked = false;
        w->due = timer_expire_time_ns(&w->timer);
    }
    /* A line that was to rise late does so, even if this worker has no seed. */
    if (!timer_pending(&w->irq_timer)) {
        w->irq_driven = w->irq_levels;
    }
}

static bool worker_is_busy(void *opaque)
{
    PixmillWorker *w = opaque;

    return w->busy_until > qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static const VMStateDescription vmstate_worker_busy = {
    .name = "pixmill-worker/busy",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = worker_is_busy,
    .fields = (const VMStateField[]) {
        VMSTATE_INT64(busy_until, PixmillWorker),
        VMSTATE_END_OF_LIST()
    },
};

static bool worker_varies(void *opaque)
{
    PixmillWorker *w = opaque;

    return w->seed || timer_pending(&w->irq_timer);
}

static const VMStateDescription vmstate_worker_seed = {
    .name = "pixmill-worker/seed",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = worker_varies,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(random, PixmillWorker),
        VMSTATE_TIMER(irq_timer, PixmillWorker),
        VMSTATE_UINT32(irq_driven, PixmillWorker),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription *const worker_subsections[] = {
    &vmstate_worker_busy,
    &vmstate_worker_seed,
    NULL
};

const VMStateDescription vmstate_pixmill_worker = {
    .name = "pixmill-worker",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(irq_levels, PixmillWorker),
        VMSTATE_TIMER(timer, PixmillWorker),
        VMSTATE_END_OF_LIST()
    },
    .subsections = worker_subsections,
};
