/*
 * The common part of all device cores in QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "dma.h"
#include "shell.h"
#include "watch.h"

/* ---- Host of the core --------------------------------------------------- */

static void *shell_map(void *user, uint64_t addr, uint64_t *len, bool write)
{
    PixmillShell *s = user;

    return pixmill_watch_memory(pixmill_dma_map(s->as, addr, len, write));
}

static void shell_dirty(void *user, uint64_t addr, uint64_t len)
{
    PixmillShell *s = user;

    pixmill_dma_dirty(s->as, addr, len);
}

static void shell_set_irq(void *user, uint32_t line, bool level)
{
    PixmillShell *s = user;

    pixmill_worker_set_irq(&s->worker, line, level);
}

static int64_t shell_clock_ns(void *user)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void shell_request_run(void *user)
{
    PixmillShell *s = user;

    pixmill_worker_kick(&s->worker);
}

/*
 * Logs guest errors according to -d, and shortages of the host to standard
 * error.
 */
static void shell_log(void *user, PixmillLog kind, const char *text)
{
    PixmillShell *s = user;

    switch (kind) {
    case PIXMILL_LOG_GUEST_ERROR:
        qemu_log_mask(LOG_GUEST_ERROR, "%s: %s\n", s->type, text);
        break;
    case PIXMILL_LOG_UNIMPLEMENTED:
        qemu_log_mask(LOG_UNIMP, "%s: %s\n", s->type, text);
        break;
    case PIXMILL_LOG_HOST_ERROR:
        warn_report("%s: %s", s->type, text);
        break;
    }
}

/* A register write may start the next job while draw() does one. */
static __thread bool shell_draws;

static void shell_accessed(void *user, PixmillTransfer transfer, uint64_t addr,
                           uint64_t len)
{
    PixmillShell *s = user;

    pixmill_watch_note(s->master, transfer,
                       shell_draws ? s->draw_job : qatomic_read(&s->job),
                       addr, len);
}

static void shell_job(void *user, PixmillJob what, uint32_t number)
{
    PixmillShell *s = user;

    switch (what) {
    case PIXMILL_JOB_STARTED:
        pixmill_watch_submitted(s->master, number);
        break;
    case PIXMILL_JOB_RUNS:
        qatomic_set(&s->job, number);
        break;
    case PIXMILL_JOB_SEEN:
        pixmill_watch_seen(s->master, number);
        break;
    }
}

/* ---- Worker ------------------------------------------------------------- */

static PixmillRun shell_run(void *opaque, uint32_t budget_words)
{
    PixmillShell *s = opaque;
    PixmillRun run;

    pixmill_shell_update_trace_mask(s);
    run = s->core_class->run(s->core, budget_words);
    pixmill_watch_flush();
    return run;
}

static void shell_draw(void *opaque, uint64_t budget_bytes)
{
    PixmillShell *s = opaque;

    s->draw_job = qatomic_read(&s->job);
    shell_draws = true;
    s->core_class->draw(s->core, budget_bytes);
    shell_draws = false;
    pixmill_watch_flush();
}

static void shell_interrupt(void *opaque)
{
    PixmillShell *s = opaque;

    s->core_class->interrupt(s->core);
}

static uint64_t shell_work_ns(void *opaque)
{
    PixmillShell *s = opaque;

    return s->core_class->work_ns ? s->core_class->work_ns(s->core) : 0;
}

static const PixmillWorkerOps shell_worker_ops = {
    .run = shell_run,
    .draw = shell_draw,
    .interrupt = shell_interrupt,
    .work_ns = shell_work_ns,
};

/* ---- Registers ---------------------------------------------------------- */

void pixmill_shell_enter(PixmillShell *s)
{
    pixmill_worker_enter(&s->worker);
    pixmill_shell_update_trace_mask(s);
}

void pixmill_shell_leave(PixmillShell *s)
{
    pixmill_watch_flush();
    pixmill_worker_leave(&s->worker);
}

MemTxResult pixmill_shell_read(void *opaque, hwaddr addr, uint64_t *data,
                               unsigned size, MemTxAttrs attrs)
{
    PixmillShell *s = opaque;
    const unsigned most = s->core_class->bus_bytes;
    MemTxResult result = MEMTX_OK;

    *data = 0;
    pixmill_shell_enter(s);
    for (unsigned done = 0; done < size; done += most) {
        uint32_t value = 0;

        if (s->core_class->read(s->core, addr + done, MIN(size - done, most),
                                &value) != PIXMILL_OK) {
            result = MEMTX_ERROR;
        }
        *data = deposit64(*data, 8 * done, 32, value);
    }
    pixmill_shell_leave(s);
    return result;
}

/*
 * Passes the rest of the store to the core.  Returns true if the bus stalls,
 * either for that rest or for the work that the store has started.
 */
static bool shell_store(PixmillShell *s, PixmillStore *store,
                        MemTxResult *result)
{
    while (store->done < store->size) {
        unsigned size = MIN(store->size - store->done,
                            s->core_class->bus_bytes);

        switch (s->core_class->write(s->core, store->addr + store->done, size,
                                     extract64(store->data, 8 * store->done,
                                               8 * size))) {
        case PIXMILL_OK:
            break;
        case PIXMILL_ERROR_BUSY:
            return true;
        default:
            *result = MEMTX_ERROR;
            break;
        }
        store->done += size;
    }
    return s->core_class->holding && s->core_class->holding(s->core);
}

/*
 * Ends a store for which the bus stalls but the access does not wait.  Does not
 * return if a vCPU will repeat the store.  Work that the store has started
 * continues; bytes that the core has not taken are lost.  A processor gets no
 * bus error, because that would be just as incorrect, and firmware may not
 * survive it.  Another device does get one, as on a bus that aborts the
 * transaction.
 */
static MemTxResult shell_give_up(PixmillShell *s, const PixmillStore *store,
                                 const PixmillBusStall *stall)
{
    if (stall->restart) {
        pixmill_retries_note(&s->retries, store);
        pixmill_bus_restart_vcpu();
    }
    if (store->done == store->size) {
        return MEMTX_OK;
    }
    if (!stall->refused || !s->refusal_logged) {
        qemu_log_mask(LOG_GUEST_ERROR, "%s: write to 0x%03" PRIx64
                      " dropped: the bus %s\n", s->type,
                      store->addr + store->done,
                      stall->refused ? "stalls, and a device cannot wait" :
                      stall->idle ? "would stall forever" :
                      "stalls for longer than the host waits");
    }
    s->refusal_logged |= stall->refused;
    return stall->refused ? MEMTX_ERROR : MEMTX_OK;
}

/* Waits while the bus stalls, and does the core's work in the meantime. */
MemTxResult pixmill_shell_write(void *opaque, hwaddr addr, uint64_t data,
                                unsigned size, MemTxAttrs attrs)
{
    PixmillShell *s = opaque;
    PixmillStore store = { .addr = addr, .data = data, .size = size };
    PixmillBusStall stall = { 0 };
    MemTxResult result = MEMTX_OK;
    bool stalls;

    pixmill_shell_enter(s);
    if (s->retries.count && pixmill_bus_serves_instruction()) {
        pixmill_retries_resume(&s->retries, &store);
    }
    while ((stalls = shell_store(s, &store, &result))) {
        if (!pixmill_bus_stall(&s->worker, &stall, attrs)) {
            break;
        }
    }
    if (s->core_class->draw && s->core_class->draining(s->core)) {
        /* After a reset, memory belongs to the guest again. */
        pixmill_worker_cancel(&s->worker);
    }
    pixmill_shell_leave(s);
    return stalls ? shell_give_up(s, &store, &stall) | result : result;
}

const MemoryRegionOps pixmill_shell_word_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = pixmill_shell_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- Life cycle --------------------------------------------------------- */

static unsigned shell_lines(const PixmillShell *s)
{
    unsigned lines = 0;

    while (s->core_class->lines[lines]) {
        lines++;
    }
    assert(lines <= ARRAY_SIZE(s->irq));
    return lines;
}

void pixmill_shell_init(PixmillShell *s, Object *owner,
                        const PixmillCoreClass *core_class,
                        const MemoryRegionOps *ops)
{
    s->core_class = core_class;
    s->type = object_get_typename(owner);
    memory_region_init_io(&s->mmio, owner, ops, s, s->type, core_class->window);
    /*
     * While the bus stalls, the BQL is free and other accesses may arrive.
     * They do not include DMA of this device, which only accesses RAM.  The
     * device lock is sufficient.
     */
    s->mmio.disable_reentrancy_guard = true;
    object_property_add_alias(owner, "engine", owner, "worker");
    object_property_set_description(owner, "engine",
                                    "the old name of \"worker\"");
    pixmill_shell_add_properties(s, owner);
    pixmill_shell_add_capture_property(s, owner);
}

void pixmill_shell_init_sysbus(PixmillShell *s, SysBusDevice *sbd)
{
    unsigned lines = shell_lines(s);

    sysbus_init_mmio(sbd, &s->mmio);
    for (unsigned i = 0; i < lines; i++) {
        sysbus_init_irq(sbd, &s->irq[i]);
    }
}

bool pixmill_shell_choose_worker(PixmillShell *s, bool *threaded, Error **errp)
{
    return pixmill_worker_choose(&s->worker_kind, s->core_class->draw,
                                 s->force_thread, threaded, s->type, errp);
}

static bool shell_create_core(PixmillShell *s, const void *config,
                              Error **errp)
{
    const PixmillHost host = {
        .api_version = PIXMILL_API_VERSION,
        .user = s,
        .map = shell_map,
        .dirty = shell_dirty,
        .set_irq = shell_set_irq,
        .clock_ns = shell_clock_ns,
        .request_run = shell_request_run,
        .log = shell_log,
        .trace = pixmill_shell_trace,
        .trace_mask = &s->trace_mask,
        .accessed = pixmill_watch_on() ? shell_accessed : NULL,
        .job = shell_job,
    };

    switch (s->core_class->create(config, &host, &s->core)) {
    case PIXMILL_OK:
        return true;
    case PIXMILL_ERROR_ARGUMENT:
        error_setg(errp, "%s: the core refuses the properties of '%s'",
                   s->type, s->name);
        break;
    case PIXMILL_ERROR_MEMORY:
        error_setg(errp, "%s: not enough memory for '%s'", s->type, s->name);
        break;
    default:
        error_setg(errp, "%s: the core is of another version of "
                   "include/pixmill: build both from one tree", s->type);
        break;
    }
    return false;
}

/* A worker that runs beside the CPUs determines its times itself. */
static bool shell_check_times(const PixmillShell *s, bool threaded,
                              Error **errp)
{
    const uint32_t most = 10000;

    if (s->work_time > most) {
        error_setg(errp, "%s: work-time is %" PRIu32 " percent at most",
                   s->type, most);
        return false;
    }
    if (s->work_time && (threaded || !s->core_class->draw)) {
        error_setg(errp, "%s: work-time needs worker=inline and a core that "
                   "draws", s->type);
        return false;
    }
    if (s->seed && threaded) {
        error_setg(errp, "%s: x-seed needs worker=inline", s->type);
        return false;
    }
    return true;
}

bool pixmill_shell_realize(PixmillShell *s, DeviceState *dev,
                           const void *config, const char *name, Error **errp)
{
    bool threaded;

    s->name = name;
    if (!pixmill_shell_choose_worker(s, &threaded, errp) ||
        !shell_check_times(s, threaded, errp) ||
        !pixmill_worker_init(&s->worker, s->irq, shell_lines(s),
                             &shell_worker_ops, s, errp)) {
        return false;
    }
    s->master = pixmill_watch_add_master(s->type);
    pixmill_shell_update_trace_mask(s);
    if (!shell_create_core(s, config, errp)) {
        pixmill_worker_cleanup(&s->worker);
        return false;
    }
    s->as = &address_space_memory;
    if (s->dma) {
        s->as = g_new(AddressSpace, 1);
        address_space_init(s->as, s->dma, name);
    }
    pixmill_worker_start(&s->worker, dev, threaded, s->work_time, s->seed,
                         name);
    if (!pixmill_shell_start_capture(s, errp) ||
        !pixmill_shell_inject_first(s, errp)) {
        pixmill_shell_unrealize(s);
        return false;
    }
    memory_region_set_enabled(&s->mmio, true);
    return true;
}

void pixmill_shell_unrealize(PixmillShell *s)
{
    memory_region_set_enabled(&s->mmio, false);
    pixmill_shell_stop_capture(s);
    pixmill_worker_stop(&s->worker);
    pixmill_worker_cleanup(&s->worker);
    s->core_class->destroy(s->core);
    s->core = NULL;
    if (s->dma) {
        address_space_destroy_free(s->as);
    }
    s->as = NULL;
    g_clear_pointer(&s->snapshot, g_free);
}

void pixmill_shell_reset_enter(PixmillShell *s)
{
    pixmill_shell_enter(s);
    pixmill_worker_drain(&s->worker);
    s->core_class->reset(s->core);
    pixmill_worker_reset_enter(&s->worker);
    pixmill_shell_leave(s);
    s->retries.count = 0;
    s->refusal_logged = false;
}

void pixmill_shell_reset_hold(PixmillShell *s)
{
    pixmill_worker_reset_hold(&s->worker);
}

/* ---- Class -------------------------------------------------------------- */

static PixmillShell *shell_of(void *device)
{
    ObjectClass *oc = object_get_class(OBJECT(device));

    return device + PIXMILL_SHELL_DEVICE_CLASS(oc)->shell;
}

static void shell_device_unrealize(DeviceState *dev)
{
    pixmill_shell_unrealize(shell_of(dev));
}

static void shell_device_reset_enter(Object *obj, ResetType type)
{
    pixmill_shell_reset_enter(shell_of(obj));
}

static void shell_device_reset_hold(Object *obj, ResetType type)
{
    pixmill_shell_reset_hold(shell_of(obj));
}

void pixmill_shell_class_init(DeviceClass *dc,
                              const PixmillCoreClass *core_class,
                              size_t offset, int version,
                              const VMStateField *same)
{
    ObjectClass *oc = OBJECT_CLASS(dc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    PIXMILL_SHELL_DEVICE_CLASS(oc)->shell = offset;
    dc->vmsd = pixmill_shell_device_vmstate(dc, core_class, offset, version,
                                            same);
    dc->unrealize = shell_device_unrealize;
    rc->phases.enter = shell_device_reset_enter;
    rc->phases.hold = shell_device_reset_hold;
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo shell_types[] = {
    {
        .name = TYPE_PIXMILL_SHELL_DEVICE,
        .parent = TYPE_INTERFACE,
        .class_size = sizeof(PixmillShellDeviceClass),
    },
};

DEFINE_TYPES(shell_types)
