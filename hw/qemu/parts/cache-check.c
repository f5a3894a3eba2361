/*
 * Checks the cache maintenance of firmware on a Cortex-M7.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/error-report.h"
#include "exec/translation-block.h"
#include "migration/blocker.h"
#include "system/replay.h"
#include "system/system.h"
#include "system/tcg.h"
#include "target/arm/cpu.h"
#include "tcg/tcg-watch.h"
#include "hw/pixmill/cores/dma.h"
#include "hw/pixmill/cores/watch.h"
#include "cache-check.h"

/* A register write of the instruction whose report from TCG is next. */
typedef struct CacheCheckPending {
    enum { PENDING_NONE, PENDING_LINE, PENDING_WAY, PENDING_SUBMIT } kind;
    PixmillCacheOperation operation;
    uint32_t value; /* or the job */
    int master;
} CacheCheckPending;

typedef struct CacheCheckRegions {
    PixmillCacheRegion region[PIXMILL_CACHE_MAX_REGIONS];
    unsigned count;
} CacheCheckRegions;

struct CacheCheck {
    PixmillCacheCheck *model;
    CacheCheckRegions regions;
    ARMCPU *cpu;
    Error *blocker; /* of migration */
    char *file;
    Notifier exit;
    PixmillWatcher watcher;
    CacheCheckPending pending;
};

static CacheCheck *cache_check; /* TCG calls without an opaque pointer */

/* ---- The CPU ------------------------------------------------------------- */

/* Link registers and other globals are up to date after a store. */
static void cache_check_complete(CacheCheck *s, uint32_t pc)
{
    const CacheCheckPending pending = s->pending;
    uint32_t lr = s->cpu->env.regs[14];

    s->pending.kind = PENDING_NONE;
    switch (pending.kind) {
    case PENDING_LINE:
        pixmill_cache_check_operate(s->model, pending.operation, pc, lr,
                                    pending.value);
        break;
    case PENDING_WAY:
        pixmill_cache_check_operate_way(s->model, pending.operation, pc, lr,
                                        pending.value);
        break;
    case PENDING_SUBMIT:
        pixmill_cache_check_submit(s->model, pending.master, pending.value, pc);
        break;
    default:
        g_assert_not_reached();
    }
}

/* Its instruction has caused no report, such as a store that a fault ended. */
static void cache_check_complete_old(CacheCheck *s)
{
    if (s->pending.kind) {
        cache_check_complete(s, 0);
    }
}

static bool cache_check_is_ram(const CacheCheck *s, uint64_t addr)
{
    for (unsigned i = 0; i < s->regions.count; i++) {
        const PixmillCacheRegion *region = &s->regions.region[i];

        if (addr - region->address < region->size) {
            return true;
        }
    }
    return false;
}

static void cache_check_access(uint64_t pc, uint64_t addr, uint32_t size,
                               uint32_t kind)
{
    CacheCheck *s = cache_check;

    switch (kind) {
    case TCG_WATCH_LOAD:
        pixmill_cache_check_load(s->model, pc, addr, size);
        break;
    case TCG_WATCH_STORE:
        pixmill_cache_check_store(s->model, pc, addr, size);
        if (unlikely(s->pending.kind) && !cache_check_is_ram(s, addr)) {
            cache_check_complete(s, pc);
        }
        break;
    case TCG_WATCH_BARRIER:
        pixmill_cache_check_barrier(s->model);
        break;
    }
}

/* A debugger's store has no instruction, and does nothing to a cache. */
void cache_check_operate(CacheCheck *s, PixmillCacheOperation operation,
                         bool by_way, uint32_t value)
{
    if (current_cpu) {
        cache_check_complete_old(s);
        s->pending = (CacheCheckPending) {
            .kind = by_way ? PENDING_WAY : PENDING_LINE,
            .operation = operation,
            .value = value,
        };
    }
}

/* In HardFault and NMI, HFNMIENA is taken as set. */
void cache_check_control(CacheCheck *s, bool enabled, bool siwt, bool forcewt)
{
    const CPUARMState *env = &s->cpu->env;
    PixmillCacheControl control = {
        .enabled = enabled,
        .siwt = siwt,
        .forcewt = forcewt,
        .mpu_ctrl = env->v7m.mpu_ctrl[M_REG_NS],
        .mpu_regions = MIN(s->cpu->pmsav7_dregion, PIXMILL_CACHE_MPU_REGIONS),
    };

    for (int i = 0; i < control.mpu_regions; i++) {
        control.rbar[i] = env->pmsav7.drbar[i];
        control.rasr[i] = env->pmsav7.dracr[i] << 16 | env->pmsav7.drsr[i];
    }
    pixmill_cache_check_control(s->model, &control);
}

/* ---- Other masters ------------------------------------------------------- */

static int cache_check_add_master(void *opaque, const char *name)
{
    CacheCheck *s = opaque;
    int number = pixmill_cache_check_add_master(s->model, name);

    if (number < 0) {
        error_report("cache-check: there are more than %d bus masters",
                     PIXMILL_CACHE_MAX_MASTERS);
        exit(1);
    }
    return number;
}

static void cache_check_accessed(void *opaque, const PixmillWatched *watched)
{
    CacheCheck *s = opaque;

    pixmill_cache_check_access(s->model, watched->master, watched->transfer,
                               watched->addr, watched->len, watched->job, 0);
}

static void cache_check_submitted(void *opaque, int master, uint32_t job)
{
    CacheCheck *s = opaque;

    cache_check_complete_old(s);
    s->pending = (CacheCheckPending) {
        .kind = PENDING_SUBMIT,
        .master = master,
        .value = job,
    };
}

static void cache_check_seen(void *opaque, int master, uint32_t job)
{
    CacheCheck *s = opaque;

    pixmill_cache_check_seen(s->model, master, job);
}

static uint8_t *cache_check_memory(void *opaque, uint8_t *ram)
{
    CacheCheck *s = opaque;

    return pixmill_cache_check_memory(s->model, ram);
}

/* ---- The report ---------------------------------------------------------- */

static void cache_check_put(void *user, const char *text, size_t len)
{
    fwrite(text, 1, len, user);
}

static void cache_check_exit(Notifier *notifier, void *data)
{
    CacheCheck *s = container_of(notifier, CacheCheck, exit);
    FILE *file = fopen(s->file, "w");
    uint64_t lost;
    bool written;

    pixmill_watch_drain();
    lost = pixmill_watch_lost();
    if (lost) {
        warn_report("cache-check: %" PRIu64 " accesses of bus masters are "
                    "missing in the report", lost);
    }
    if (file) {
        pixmill_cache_check_write(s->model, cache_check_put, file);
    }
    written = file && !ferror(file);
    if ((file && fclose(file)) || !written) {
        warn_report("cache-check: no report: '%s': %s", s->file,
                    strerror(errno));
    }
}

/* ---- Life cycle ---------------------------------------------------------- */

typedef struct CacheCheckSearch {
    CacheCheckRegions *to;
    const CacheCheckTcm *tcms;
    unsigned tcm_count;
} CacheCheckSearch;

static bool cache_check_is_tcm(const CacheCheckSearch *to, uint64_t base)
{
    for (unsigned i = 0; i < to->tcm_count; i++) {
        if (base - to->tcms[i].base < to->tcms[i].size) {
            return true;
        }
    }
    return false;
}

/* Collects RAM.  ROM is never dirty, and no master writes it. */
static bool cache_check_add_region(Int128 start, Int128 len,
                                   const MemoryRegion *mr, hwaddr offset,
                                   void *opaque)
{
    const CacheCheckSearch *search = opaque;
    CacheCheckRegions *to = search->to;
    uint64_t base = int128_get64(start), size = int128_getlo(len);
    MemoryRegion *ram = (MemoryRegion *)mr;

    if (!memory_region_is_ram(ram) || mr->readonly || mr->rom_device ||
        cache_check_is_tcm(search, base)) {
        return false;
    }
    if (to->count == PIXMILL_CACHE_MAX_REGIONS) {
        error_report("cache-check: there are more than %d pieces of RAM",
                     PIXMILL_CACHE_MAX_REGIONS);
        exit(1);
    }
    to->region[to->count++] = (PixmillCacheRegion) {
        .address = base,
        .size = size,
        .ram = (uint8_t *)memory_region_get_ram_ptr(ram) + offset,
    };
    return false;
}

/* Translated code and displays may depend on memory that has changed. */
static void cache_check_changed(void *user, uint32_t address, uint32_t len)
{
    pixmill_dma_begin();
    pixmill_dma_dirty(&address_space_memory, address, len);
    pixmill_dma_end();
}

static void cache_check_find_regions(CacheCheckRegions *to,
                                     const CacheCheckTcm *tcms,
                                     unsigned tcm_count)
{
    CacheCheckSearch search = { to, tcms, tcm_count };

    WITH_RCU_READ_LOCK_GUARD() {
        flatview_for_each_range(address_space_to_flatview(
            &address_space_memory), cache_check_add_region, &search);
    }
}

static PixmillCacheCheck *cache_check_create_model(
    const CacheCheckRegions *regions, uint32_t dcache_size, bool act)
{
    const PixmillCacheConfig config = {
        .api_version = PIXMILL_API_VERSION,
        .size = dcache_size,
        .act = act,
        .seed = 1,
        .regions = regions->region,
        .region_count = regions->count,
        .changed = cache_check_changed,
    };

    return pixmill_cache_check_create(&config);
}

/* Exits if @mode is invalid.  Returns false if it is "off". */
static bool cache_check_is_on(const CacheCheckConfig *config, bool *act)
{
    *act = !g_strcmp0(config->mode, "act");
    if (!config->mode || !strcmp(config->mode, "off")) {
        return false;
    }
    if (!*act && strcmp(config->mode, "report")) {
        error_report("cache-check is off, report or act, not '%s'",
                     config->mode);
        exit(1);
    }
    return true;
}

static void cache_check_require(bool good, const char *what)
{
    if (!good) {
        error_report("cache-check needs %s", what);
        exit(1);
    }
}

CacheCheck *cache_check_create(const CacheCheckConfig *config, ARMCPU *cpu,
                               uint32_t dcache_size, const CacheCheckTcm *tcms,
                               unsigned tcm_count)
{
    CacheCheck *s;
    bool act;

    if (!cache_check_is_on(config, &act)) {
        return NULL;
    }
    cache_check_require(config->file, "cache-check-file=FILE for the report");
    cache_check_require(tcg_enabled(), "TCG");
    cache_check_require(object_dynamic_cast(OBJECT(cpu),
                                            ARM_CPU_TYPE_NAME("cortex-m7")),
                        "a cortex-m7");
    cache_check_require(replay_mode == REPLAY_MODE_NONE,
                        "a run that is neither recorded nor replayed");
    s = g_new0(CacheCheck, 1);
    s->cpu = cpu;
    s->file = g_strdup(config->file);
    cache_check_find_regions(&s->regions, tcms, tcm_count);
    s->model = cache_check_create_model(&s->regions, dcache_size, act);
    cache_check_require(s->model, "more memory of the host");
    s->watcher = (PixmillWatcher) {
        .add_master = cache_check_add_master,
        .accessed = cache_check_accessed,
        .submitted = cache_check_submitted,
        .seen = cache_check_seen,
        .memory = cache_check_memory,
        .opaque = s,
    };
    /* The state of lines and jobs is not in a snapshot. */
    error_setg(&s->blocker, "cache-check has state that is not saved");
    migrate_add_blocker(&s->blocker, &error_fatal);
    /* Code at two addresses is translated twice: reports have the PC of each. */
    CPU(cpu)->tcg_cflags &= ~CF_PCREL;
    cache_check = s;
    pixmill_watch_start(&s->watcher);
    tcg_watch_memory(cache_check_access);
    s->exit.notify = cache_check_exit;
    qemu_add_exit_notifier(&s->exit);
    return s;
}

void cache_check_reset(CacheCheck *s)
{
    pixmill_watch_drain();
    pixmill_cache_check_reset(s->model);
    s->pending.kind = PENDING_NONE;
}

/* ---- Properties of the machine ------------------------------------------- */

static void cache_check_get(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    char *value = *(char **)opaque ?: (char *)"";

    visit_type_str(v, name, &value, errp);
}

static void cache_check_set(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    char *value, **to = opaque;

    if (visit_type_str(v, name, &value, errp)) {
        g_free(*to);
        *to = value;
    }
}

void cache_check_add_properties(Object *machine, CacheCheckConfig *config)
{
    struct {
        const char *name;
        const char *description;
        char **value;
    } properties[] = {
        { "cache-check", "finds wrong cache maintenance of a Cortex-M7: off "
          "(default), report, or act (with old bytes where a cache has them)",
          &config->mode },
        { "cache-check-file", "file (JSON) for the report", &config->file },
    };

    for (int i = 0; i < ARRAY_SIZE(properties); i++) {
        object_property_add(machine, properties[i].name, "string",
                            cache_check_get, cache_check_set, NULL,
                            properties[i].value);
        object_property_set_description(machine, properties[i].name,
                                        properties[i].description);
    }
}
