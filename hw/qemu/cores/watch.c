/*
 * Passes accesses of bus masters to a model that watches the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/thread.h"
#include "hw/core/cpu.h"
#include "watch.h"

#define MANY 65536 /* accesses, which a flush passes on */
#define MOST (64 * MANY) /* accesses that a vCPU that halts leaves */

static struct {
    const PixmillWatcher *watcher; /* NULL: nobody watches */
    QemuMutex lock;
    GArray *noted;
    uint64_t lost; /* accesses that MOST leaves out */
    bool scheduled; /* the vCPU has been asked to take them */
} watch;

void pixmill_watch_start(const PixmillWatcher *watcher)
{
    assert(!watch.watcher);
    qemu_mutex_init(&watch.lock);
    watch.noted = g_array_new(false, false, sizeof(PixmillWatched));
    watch.watcher = watcher;
}

bool pixmill_watch_on(void)
{
    return watch.watcher;
}

int pixmill_watch_add_master(const char *name)
{
    return watch.watcher ?
           watch.watcher->add_master(watch.watcher->opaque, name) : -1;
}

static bool watch_extend(const PixmillWatched *more)
{
    PixmillWatched *last;

    if (!watch.noted->len) {
        return false;
    }
    last = &g_array_index(watch.noted, PixmillWatched, watch.noted->len - 1);
    if (last->master != more->master || last->transfer != more->transfer ||
        last->job != more->job || last->addr + last->len != more->addr) {
        return false;
    }
    last->len += more->len;
    return true;
}

/*
 * Never waits for the vCPU, because one that resets the core waits for the
 * thread that draws.
 */
void pixmill_watch_note(int master, PixmillTransfer transfer, uint32_t job,
                        uint64_t addr, uint64_t len)
{
    const PixmillWatched watched = {
        .master = master,
        .transfer = transfer,
        .job = job,
        .addr = addr,
        .len = len,
    };
    bool many;

    qemu_mutex_lock(&watch.lock);
    if (!watch_extend(&watched)) {
        if (watch.noted->len < MOST) {
            g_array_append_val(watch.noted, watched);
        } else {
            watch.lost++;
        }
    }
    many = watch.noted->len % MANY == 0;
    qemu_mutex_unlock(&watch.lock);
    if (!many) {
        return;
    }
    if (current_cpu) { /* it does a worker's job, and comes back when all is done */
        pixmill_watch_drain();
    } else {
        pixmill_watch_flush();
    }
}

void pixmill_watch_drain(void)
{
    GArray *noted;

    qemu_mutex_lock(&watch.lock);
    noted = watch.noted;
    watch.noted = g_array_new(false, false, sizeof(PixmillWatched));
    watch.scheduled = false;
    qemu_mutex_unlock(&watch.lock);
    for (guint i = 0; i < noted->len; i++) {
        watch.watcher->accessed(watch.watcher->opaque,
                                &g_array_index(noted, PixmillWatched, i));
    }
    g_array_free(noted, true);
}

uint64_t pixmill_watch_lost(void)
{
    QEMU_LOCK_GUARD(&watch.lock);
    return watch.lost;
}

static void watch_work(CPUState *cpu, run_on_cpu_data data)
{
    pixmill_watch_drain();
}

void pixmill_watch_flush(void)
{
    bool schedules;

    if (!watch.watcher) {
        return;
    }
    qemu_mutex_lock(&watch.lock);
    schedules = watch.noted->len && !watch.scheduled;
    watch.scheduled |= schedules;
    qemu_mutex_unlock(&watch.lock);
    if (schedules) {
        async_run_on_cpu(first_cpu, watch_work, RUN_ON_CPU_NULL);
    }
}

/* The vCPU's thread takes what has been noted before, as the order matters. */
void pixmill_watch_submitted(int master, uint32_t job)
{
    if (watch.watcher && current_cpu) {
        pixmill_watch_drain();
        watch.watcher->submitted(watch.watcher->opaque, master, job);
    }
}

void pixmill_watch_seen(int master, uint32_t job)
{
    if (watch.watcher && current_cpu) {
        pixmill_watch_drain();
        watch.watcher->seen(watch.watcher->opaque, master, job);
    }
}

void *pixmill_watch_memory(void *ram)
{
    return watch.watcher && ram ?
           watch.watcher->memory(watch.watcher->opaque, ram) : ram;
}
