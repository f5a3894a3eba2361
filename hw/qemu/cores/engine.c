/*
 * Where the work of a device core is done: on a worker thread of its own, or
 * inline, on timers of the virtual clock.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"
#include "qemu/rcu.h"
#include "qemu/units.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "migration/vmstate.h"
#include "system/qtest.h"
#include "system/replay.h"
#include "system/tcg.h"
#include "hw/pixmill/compat.h"
#include "engine.h"
#include "lock-check.h"
#include "hw/pixmill/trace.h"

enum {
    /* A slice of commands on the worker: what a vCPU may have to wait for. */
    WORKER_WORDS = 512,
    /* The budget of a draw(), which is about DRAW_NS long: worth threads. */
    DRAW_BYTES_MIN = 4 * MiB,
    DRAW_BYTES_MAX = 8 * MiB,
    DRAW_NS = 1 * SCALE_MS,
    /* What the main loop, or a stop of the VM, may wait for a stalled bus. */
    STALL_NS = 1000 * SCALE_MS,
    /* A stalled access lets others have the BQL for that long at a time. */
    STALL_SLICE_NS = 1 * SCALE_MS,
    /* The virtual clock of qtest jumps, and tells no thread. */
    QTEST_POLL_NS = 1 * SCALE_MS,
    /* One inline activation, and the guest time that goes by until the next. */
    INLINE_ROUNDS = 16,
    INLINE_WORDS = 4096 / INLINE_ROUNDS,
    INLINE_DRAW_BYTES = 256 * KiB / INLINE_ROUNDS,
    INLINE_STEP_NS = 10 * SCALE_US,
    /* What an activation may take of the main loop's time, and one draw(). */
    INLINE_NS = 2 * SCALE_MS,
};

bool pixmill_engine_choose(char **kind, bool draws, bool even_under_qtest,
                           bool *threaded, const char *type, Error **errp)
{
    if (*kind && strcmp(*kind, "thread") && strcmp(*kind, "inline")) {
        error_setg(errp, "%s: engine must be 'thread' or 'inline', not '%s'",
                   type, *kind);
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

static void engine_lock(PixmillEngine *e)
{
    pixmill_lock_check_free();
    qemu_mutex_lock(&e->lock);
    pixmill_lock_check_taken(&e->lock);
}

static bool engine_try_lock(PixmillEngine *e)
{
    if (qemu_mutex_trylock(&e->lock)) {
        return false;
    }
    pixmill_lock_check_taken(&e->lock);
    return true;
}

static void engine_unlock(PixmillEngine *e)
{
    pixmill_lock_check_left(&e->lock);
    qemu_mutex_unlock(&e->lock);
}

/* ---- The core's callbacks ----------------------------------------------- */

void pixmill_engine_kick(PixmillEngine *e)
{
    e->kicked = true;
}

void pixmill_engine_set_irq(PixmillEngine *e, uint32_t line, bool level)
{
    qatomic_set(&e->irq_levels, deposit32(e->irq_levels, line, 1, level));
    e->irq_changed = true;
}

/*
 * The only place that drives the lines, under the BQL.  Whoever comes last
 * passes on the levels of that moment, so it does not matter how callers and
 * the worker interleave.
 */
static void engine_update_irq(PixmillEngine *e)
{
    uint32_t levels = qatomic_read(&e->irq_levels);

    pixmill_lock_check_free();
    for (unsigned line = 0; line < e->irqs; line++) {
        qemu_set_irq(e->irq[line], extract32(levels, line, 1));
    }
}

/* ---- Entry points under the BQL ----------------------------------------- */

void pixmill_engine_enter(PixmillEngine *e)
{
    rcu_read_lock();
    if (!engine_try_lock(e)) {
        /* QemuMutex is not fair: a busy worker would take it again at once. */
        qatomic_inc(&e->waiters);
        engine_lock(e);
        qatomic_dec(&e->waiters);
    }
}

bool pixmill_engine_try_enter(PixmillEngine *e)
{
    rcu_read_lock();
    if (!engine_try_lock(e)) {
        rcu_read_unlock();
        return false;
    }
    return true;
}

/* Lets the worker go on that has let those in who hold the lock now. */
static void engine_let_go(PixmillEngine *e)
{
    if (e->yielding && !qatomic_read(&e->waiters)) {
        e->yielding = false;
        qemu_cond_signal(&e->turn);
    }
    engine_unlock(e);
    rcu_read_unlock();
}

void pixmill_engine_leave(PixmillEngine *e)
{
    bool irq = e->irq_changed;
    bool wake = false;

    e->irq_changed = false;
    if (e->kicked && !e->paused) {
        if (e->threaded) {
            wake = e->sleeping;
            e->sleeping = false;
        } else {
            e->kicked = false;
            timer_mod_anticipate_ns(&e->timer,
                                    qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
        }
    }
    engine_let_go(e);

    if (wake) {
        event_notifier_set(&e->wake);
    }
    if (irq) {
        engine_update_irq(e);
    }
}

void pixmill_engine_run_slice(PixmillEngine *e)
{
    if (e->threaded && e->kicked && !e->paused && !e->drawing) {
        PixmillRun run = e->ops->run(e->opaque, WORKER_WORDS);

        /* The worker does what is left, or waits for its time. */
        e->kicked = run.action != PIXMILL_RUN_IDLE;
    }
}

void pixmill_engine_drain(PixmillEngine *e)
{
    if (!e->drawing) {
        return;
    }
    trace_pixmill_engine_drain(e->name);
    qatomic_inc(&e->waiters);
    while (e->drawing) {
        /* Again and again: the first may have come before draw() began. */
        e->ops->interrupt(e->opaque);
        qemu_cond_timedwait(&e->left, &e->lock, 1);
    }
    qatomic_dec(&e->waiters);
}

void pixmill_engine_cancel(PixmillEngine *e)
{
    pixmill_engine_drain(e);
    e->ops->run(e->opaque, 0);
}

void pixmill_engine_reset_enter(PixmillEngine *e)
{
    timer_del(&e->timer);
    e->kicked = false;
    e->irq_changed = false;
    qatomic_set(&e->irq_levels, 0);
}

void pixmill_engine_reset_hold(PixmillEngine *e)
{
    engine_update_irq(e);
}

static void engine_vm_state_changed(void *opaque, bool running, RunState state)
{
    PixmillEngine *e = opaque;

    trace_pixmill_engine_pause(e->name, !running);
    pixmill_engine_enter(e);
    e->paused = !running;
    if (running) {
        /* A worker that slept through the stop knows an old clock. */
        e->kicked |= e->threaded;
    } else {
        pixmill_engine_drain(e);
    }
    pixmill_engine_leave(e);

    if (!running) {
        /* The interrupt controller is saved next; it must have heard it. */
        engine_update_irq(e);
    }
}

/* ---- Work: by the worker, or by a thread whose access stalls ------------- */

static void engine_call_draw(PixmillEngine *e, uint64_t budget)
{
    trace_pixmill_engine_draw(e->name, budget, bql_locked());
    e->ops->draw(e->opaque, budget);
}

/*
 * The lock is held, the BQL is not; both are free in between.  Nobody else is
 * in draw().
 */
static void engine_draw(PixmillEngine *e)
{
    int64_t ns;

    e->drawing = true;
    engine_unlock(e);

    ns = get_clock();
    WITH_RCU_READ_LOCK_GUARD() {
        engine_call_draw(e, e->draw_budget);
    }
    ns = get_clock() - ns;
    if (ns > DRAW_NS) {
        e->draw_budget = MAX(e->draw_budget / 2, DRAW_BYTES_MIN);
    } else if (ns < DRAW_NS / 4) {
        e->draw_budget = MIN(e->draw_budget * 2, DRAW_BYTES_MAX);
    }

    engine_lock(e);
    e->drawing = false;
    qemu_cond_broadcast(&e->left);
}

/* Not by a bottom half: waking the main loop takes as long as all the rest. */
static void engine_pass_irq_on(PixmillEngine *e)
{
    e->irq_changed = false;
    engine_unlock(e);
    bql_lock();
    engine_update_irq(e);
    bql_unlock();
    engine_lock(e);
}

/* One run(), and what it asks for.  As engine_draw(). */
static PixmillRun engine_work(PixmillEngine *e)
{
    PixmillRun run;

    e->kicked = false;
    WITH_RCU_READ_LOCK_GUARD() {
        run = e->ops->run(e->opaque, WORKER_WORDS);
    }
    if (e->irq_changed) {
        engine_pass_irq_on(e);
        /* Anything may have happened meanwhile. */
        run.action = PIXMILL_RUN_AGAIN;
    } else if (run.action == PIXMILL_RUN_DRAW) {
        engine_draw(e);
    }
    return run;
}

/* ---- A bus that stalls --------------------------------------------------- */

/*
 * Attributes do not tell who makes an access.  Most DMA has
 * MEMTXATTRS_UNSPECIFIED, as tests have; an MSI and some masters state theirs,
 * as a vCPU does; and so do stores that a vCPU makes on the side, for a page
 * table or SMM's state, for which no instruction can be executed anew.  But
 * accesses nest, and each holds RCU's read lock once more: the loop of TCG for
 * what its code stores, else address_space_write(), and enter().  The loop that
 * executes one instruction alone, while all other vCPUs stand still, does not
 * hold it.
 */
static bool engine_access_is_direct(void)
{
    bool alone = tcg_enabled() && current_cpu &&
                 cpu_in_exclusive_context(current_cpu);

    return get_ptr_rcu_reader()->depth <= (alone ? 1 : 2);
}

bool pixmill_engine_serves_instruction(void)
{
    return tcg_enabled() && current_cpu && current_cpu->running &&
           engine_access_is_direct();
}

/*
 * Who may wait in an access, and let the BQL go meanwhile: a vCPU, a debugger
 * and a test.  DMA may not: it is in the middle of its device's code, which
 * holds guards and has not finished its registers, or of the main loop.
 */
static bool engine_may_wait(MemTxAttrs attrs)
{
    if (tcg_enabled() && current_cpu) {
        return pixmill_engine_serves_instruction();
    }
    return engine_access_is_direct() &&
           (current_cpu || attrs.debug || qtest_driver());
}

/*
 * TCG makes an access anew, so its vCPU goes to its loop at once when it is
 * asked to: for a stop of the VM, an interrupt, or work of another vCPU.  Under
 * record/replay for a stop only: there the order of events is that of
 * instructions, and half an access has no place in it.  Where there is no
 * instruction, but an exception that is being taken, it stays.
 */
static bool engine_vcpu_can_leave(const CPUState *cpu)
{
    return tcg_enabled() && cpu->mem_io_pc &&
           (cpu->stop || (replay_mode == REPLAY_MODE_NONE &&
                          qatomic_read(&cpu->exit_request)));
}

/*
 * A stall ends even if the guest has made up work for hours.  The access of a
 * vCPU of any other accelerator that is to stop will be lost, and so is that of
 * the main loop, which no vCPU is: a debugger or a test.
 */
static bool engine_stall_is_over(PixmillEngineStall *stall)
{
    if (current_cpu && engine_vcpu_can_leave(current_cpu)) {
        stall->restart = true;
        return true;
    }
    if (current_cpu && !current_cpu->stop) {
        return false;
    }
    if (!stall->deadline) {
        stall->deadline = get_clock() + STALL_NS;
    }
    return get_clock() > stall->deadline;
}

/*
 * The lock is held.  Does what the worker does, or lets it, until there is no
 * more to be done for now, somebody wants the lock, or a slice has gone by.
 */
static void engine_stall_slice(PixmillEngine *e)
{
    int64_t end = get_clock() + STALL_SLICE_NS;
    PixmillRun run = { .action = PIXMILL_RUN_AGAIN };

    do {
        if (e->drawing) {
            run.action = PIXMILL_RUN_AGAIN;
            qemu_cond_timedwait(&e->left, &e->lock, 1);
        } else {
            run = engine_work(e);
        }
    } while (run.action != PIXMILL_RUN_IDLE &&
             run.action != PIXMILL_RUN_WAIT &&
             !qatomic_read(&e->waiters) && get_clock() < end);
    /* If the access does not wait, the worker, or the timer, does the rest. */
    e->kicked |= run.action != PIXMILL_RUN_IDLE;
}

/*
 * The lock is held, and will be until the access has been tried again: what was
 * so before it was taken is no longer true where another vCPU has started work
 * in between.
 */
static bool engine_is_idle(PixmillEngine *e)
{
    return !e->drawing && !e->paused &&
           e->ops->run(e->opaque, 0).action == PIXMILL_RUN_IDLE;
}

bool pixmill_engine_stall(PixmillEngine *e, PixmillEngineStall *stall,
                          MemTxAttrs attrs)
{
    stall->refused = !engine_may_wait(attrs);
    if (stall->refused || e->paused || stall->idle || engine_stall_is_over(stall)) {
        return false;
    }
    /*
     * The BQL is free while anything is done, and not just in between: who
     * waits for it takes longer to wake up than we would to take it again.  The
     * lock is held where the BQL is given up, but not where it is taken again.
     */
    bql_unlock();
    engine_stall_slice(e);
    engine_let_go(e);
    bql_lock();
    pixmill_engine_enter(e);
    stall->idle = engine_is_idle(e);
    trace_pixmill_engine_stall(e->name, stall->idle);
    return true;
}

void pixmill_engine_restart_vcpu(void)
{
    cpu_loop_exit_restore(current_cpu, current_cpu->mem_io_pc);
}

/* ---- Worker thread ------------------------------------------------------ */

/* The lock is held, and let go meanwhile.  @ns < 0: until something happens. */
static void worker_sleep(PixmillEngine *e, int64_t ns)
{
    GPollFD fd = { .fd = event_notifier_get_fd(&e->wake), .events = G_IO_IN };

    if (e->quit || (e->kicked && !e->paused)) {
        return;
    }
    if (ns > QTEST_POLL_NS && qtest_enabled()) {
        ns = QTEST_POLL_NS;
    }
    e->sleeping = true;
    engine_unlock(e);
    if (qemu_poll_ns(&fd, 1, ns) > 0) {
        event_notifier_test_and_clear(&e->wake);
    }
    engine_lock(e);
    e->sleeping = false;
}

/* Lets those in who wait for the lock now; whoever comes later has to wait. */
static void worker_yield(PixmillEngine *e)
{
    e->yielding = qatomic_read(&e->waiters);
    while (e->yielding) {
        qemu_cond_wait(&e->turn, &e->lock);
    }
}

static void *engine_worker(void *opaque)
{
    PixmillEngine *e = opaque;

    rcu_register_thread();
    engine_lock(e);
    while (!e->quit) {
        PixmillRun run = { .action = PIXMILL_RUN_IDLE };

        if (e->drawing) {
            /* A thread whose access stalls does our work. */
            qemu_cond_wait(&e->left, &e->lock);
            continue;
        }
        if (!e->paused) {
            run = engine_work(e);
        }
        if (run.action == PIXMILL_RUN_IDLE) {
            worker_sleep(e, -1);
        } else if (run.action == PIXMILL_RUN_WAIT) {
            run.when_ns -= qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
            worker_sleep(e, MAX(run.when_ns, 0));
        }
        worker_yield(e);
    }
    engine_unlock(e);
    rcu_unregister_thread();
    return NULL;
}

/* ---- Inline ------------------------------------------------------------- */

static void engine_activate(void *opaque)
{
    PixmillEngine *e = opaque;
    PixmillRun run = { .action = PIXMILL_RUN_AGAIN };
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    /* A counted budget decides where the guest's time is counted, too. */
    bool real_time = !icount_enabled() && !qtest_enabled();
    int64_t end = get_clock() + INLINE_NS;

    pixmill_engine_enter(e);
    if (e->paused || e->drawing) {
        /*
         * Timers run while the VM is being set up or loaded, too; and a thread
         * whose access stalls looks again when it has drawn.
         */
        e->kicked |= e->paused;
        pixmill_engine_leave(e);
        return;
    }
    e->kicked = false;
    for (int i = 0; i < INLINE_ROUNDS; i++) {
        run = e->ops->run(e->opaque, INLINE_WORDS);
        if (run.action == PIXMILL_RUN_DRAW) {
            engine_call_draw(e, INLINE_DRAW_BYTES);
        } else if (run.action != PIXMILL_RUN_AGAIN) {
            break;
        }
        if (real_time && get_clock() > end) {
            break;
        }
    }
    /*
     * Never at the present instant: without an instruction counter's help the
     * clock stands still here, and the timer list would not get past us.
     */
    if (run.action == PIXMILL_RUN_WAIT && !e->kicked) {
        timer_mod(&e->timer, MAX(run.when_ns, now + 1));
    } else if (run.action != PIXMILL_RUN_IDLE || e->kicked) {
        timer_mod(&e->timer, now + INLINE_STEP_NS);
    }
    e->kicked = false;
    pixmill_engine_leave(e);
}

/* ---- Life cycle --------------------------------------------------------- */

bool pixmill_engine_init(PixmillEngine *e, qemu_irq *irq, unsigned irqs,
                         const PixmillEngineOps *ops, void *opaque,
                         Error **errp)
{
    int ret;

    *e = (PixmillEngine) {
        .ops = ops,
        .opaque = opaque,
        .irq = irq,
        .irqs = irqs,
        .draw_budget = DRAW_BYTES_MIN,
    };
    ret = event_notifier_init(&e->wake, false);
    if (ret < 0) {
        error_setg_errno(errp, -ret, "cannot make an event notifier");
        return false;
    }
    qemu_mutex_init(&e->lock);
    qemu_cond_init(&e->turn);
    qemu_cond_init(&e->left);
    timer_init_ns(&e->timer, QEMU_CLOCK_VIRTUAL, engine_activate, e);
    return true;
}

void pixmill_engine_start(PixmillEngine *e, DeviceState *dev, bool threaded,
                          const char *name)
{
    e->name = name;
    e->threaded = threaded;
    e->paused = !runstate_is_running();
    e->vm_state = qdev_add_vm_change_state_handler(dev, engine_vm_state_changed,
                                                   NULL, e);
    if (threaded) {
        qemu_thread_create(&e->thread, name, engine_worker, e,
                           QEMU_THREAD_JOINABLE);
    }
}

void pixmill_engine_stop(PixmillEngine *e)
{
    qemu_del_vm_change_state_handler(e->vm_state);
    if (e->threaded) {
        pixmill_engine_enter(e);
        e->quit = true;
        e->ops->interrupt(e->opaque);
        pixmill_engine_leave(e);
        event_notifier_set(&e->wake);
        bql_unlock(); /* the worker may want it */
        qemu_thread_join(&e->thread);
        bql_lock();
    }
    timer_del(&e->timer);
}

void pixmill_engine_cleanup(PixmillEngine *e)
{
    qemu_cond_destroy(&e->left);
    qemu_cond_destroy(&e->turn);
    qemu_mutex_destroy(&e->lock);
    event_notifier_cleanup(&e->wake);
}

/* ---- Migration ---------------------------------------------------------- */

void pixmill_engine_pre_load(PixmillEngine *e, uint32_t irq_levels)
{
    /* The interrupt controller has loaded, or will load, the level itself. */
    e->irq_changed = false;
    qatomic_set(&e->irq_levels, irq_levels);
}

void pixmill_engine_post_load(PixmillEngine *e)
{
    /*
     * With a timer that was saved, the next activation is known to the
     * nanosecond.  A worker just looks when the VM runs again.
     */
    if (e->threaded) {
        timer_del(&e->timer);
    } else if (timer_pending(&e->timer)) {
        e->kicked = false;
    }
}

const VMStateDescription vmstate_pixmill_engine = {
    .name = "pixmill-engine",
    .version_id = 2,
    .minimum_version_id = 2,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(irq_levels, PixmillEngine),
        VMSTATE_TIMER(timer, PixmillEngine),
        VMSTATE_END_OF_LIST()
    },
};
