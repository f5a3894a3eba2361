/*
 * PowerVR SGX544-MP2 as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The core does no work of its own but for two timers, so everything happens
 * under the BQL.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/cutils.h"
#include "qemu/module.h"
#include "qemu/rcu.h"
#include "exec/address-spaces.h"
#include "hw/irq.h"
#include "hw/qdev-properties.h"
#include "migration/vmstate.h"
#include "dma.h"
#include "log.h"
#include "sgx544.h"
#include "hw/pixmill/trace.h"

/* ---- Host of the core --------------------------------------------------- */

static void *sgx544_map(void *user, uint64_t addr, uint64_t *len, bool write)
{
    SGX544State *s = user;

    return pixmill_dma_map(s->as, addr, len, write);
}

static void sgx544_dirty(void *user, uint64_t addr, uint64_t len)
{
    SGX544State *s = user;

    pixmill_dma_dirty(s->as, addr, len);
}

static void sgx544_set_irq(void *user, uint32_t line, bool level)
{
    SGX544State *s = user;

    qemu_set_irq(s->irq, level);
}

static int64_t sgx544_clock_ns(void *user)
{
    return qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
}

static void sgx544_request_run(void *user)
{
    SGX544State *s = user;

    timer_mod(&s->timer, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
}

static void sgx544_log(void *user, PixmillLog kind, const char *text)
{
    pixmill_log(TYPE_SGX544, kind, text);
}

static void sgx544_trace(void *user, PixmillTrace event, uint64_t a,
                         uint64_t b, const char *text)
{
    switch (event) {
    case PIXMILL_TRACE_REG_READ:
        trace_pixmill_sgx544_reg_read(a, b, text);
        break;
    case PIXMILL_TRACE_REG_WRITE:
        trace_pixmill_sgx544_reg_write(a, b, text);
        break;
    case PIXMILL_TRACE_COMMAND:
        trace_pixmill_sgx544_kick(a, b, text);
        break;
    case PIXMILL_TRACE_MMU_FAULT:
        trace_pixmill_sgx544_mmu_fault(a, b, text);
        break;
    case PIXMILL_TRACE_BUS_ERROR:
        trace_pixmill_sgx544_bus_error(a, b, text);
        break;
    case PIXMILL_TRACE_EVENT:
        trace_pixmill_sgx544_event(a, b, text);
        break;
    case PIXMILL_TRACE_IRQ:
        trace_pixmill_sgx544_irq(a, b);
        break;
    case PIXMILL_TRACE_RESET:
        trace_pixmill_sgx544_reset(text);
        break;
    default:
        break;
    }
}

/* The core asks the mask before it calls sgx544_trace(). */
static void sgx544_update_trace_mask(SGX544State *s)
{
#define EVENT(event, name) \
    (trace_event_get_state_backends(TRACE_PIXMILL_SGX544_##name) ? \
     1U << PIXMILL_TRACE_##event : 0)
    s->trace_mask = EVENT(REG_READ, REG_READ) | EVENT(REG_WRITE, REG_WRITE) |
                    EVENT(COMMAND, KICK) | EVENT(MMU_FAULT, MMU_FAULT) |
                    EVENT(BUS_ERROR, BUS_ERROR) | EVENT(EVENT, EVENT) |
                    EVENT(IRQ, IRQ) | EVENT(RESET, RESET);
#undef EVENT
}

static void sgx544_run(void *opaque)
{
    SGX544State *s = opaque;
    int64_t next;

    sgx544_update_trace_mask(s);
    next = pixmill_sgx_run(s->core);
    if (next != INT64_MAX) {
        timer_mod(&s->timer, next);
    }
}

/* ---- Registers ---------------------------------------------------------- */

static MemTxResult sgx544_read(void *opaque, hwaddr addr, uint64_t *data,
                               unsigned size, MemTxAttrs attrs)
{
    SGX544State *s = opaque;
    PixmillResult result;
    uint32_t value = 0;

    sgx544_update_trace_mask(s);
    result = pixmill_sgx_mmio_read(s->core, addr, size, &value);
    *data = value;
    return result == PIXMILL_OK ? MEMTX_OK : MEMTX_ERROR;
}

static MemTxResult sgx544_write(void *opaque, hwaddr addr, uint64_t data,
                                unsigned size, MemTxAttrs attrs)
{
    SGX544State *s = opaque;
    PixmillResult result;

    RCU_READ_LOCK_GUARD();
    sgx544_update_trace_mask(s);
    result = pixmill_sgx_mmio_write(s->core, addr, size, data);
    return result == PIXMILL_OK ? MEMTX_OK : MEMTX_ERROR;
}

/* The core sees accesses as they are made: it has a status bit for bad ones. */
static const MemoryRegionOps sgx544_mmio_ops = {
    .read_with_attrs = sgx544_read,
    .write_with_attrs = sgx544_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = {
        .min_access_size = 1,
        .max_access_size = 8,
        .unaligned = true,
    },
    .impl = {
        .min_access_size = 1,
        .max_access_size = 8,
        .unaligned = true,
    },
};

/* ---- Properties --------------------------------------------------------- */

static const struct {
    const char *name;
    size_t offset;
} sgx544_counters[] = {
#define COUNTER(name, field) \
    { "stat-" name, offsetof(PixmillSgxCounters, field) }
    COUNTER("kicks", kicks),
    COUNTER("events", events),
    COUNTER("mmu-faults", mmu_faults),
    COUNTER("bus-errors", bus_errors),
    COUNTER("bad-accesses", bad_accesses),
#undef COUNTER
};

static void sgx544_get_counter(Object *obj, Visitor *v, const char *name,
                               void *opaque, Error **errp)
{
    SGX544State *s = SGX544(obj);
    PixmillSgxCounters counters = { 0 };
    const size_t *offset = opaque;

    if (s->core) {
        pixmill_sgx_counters(s->core, &counters);
    }
    visit_type_uint64(v, name, (void *)&counters + *offset, errp);
}

static bool sgx544_is_realized(SGX544State *s, const char *name, Error **errp)
{
    if (!s->core) {
        error_setg(errp, "%s works on a realized device only", name);
        return false;
    }
    sgx544_update_trace_mask(s);
    return true;
}

static void sgx544_inject(Object *obj, const char *value, Error **errp)
{
    static const char *const names[] = {
        [PIXMILL_SGX_FAULT_RESPONSE_0] = "bus-error-0",
        [PIXMILL_SGX_FAULT_RESPONSE_1] = "bus-error-1",
        [PIXMILL_SGX_FAULT_LOST_EVENT] = "lost-event",
        [PIXMILL_SGX_FAULT_LOST_KICK] = "lost-kick",
    };
    SGX544State *s = SGX544(obj);

    if (!sgx544_is_realized(s, "x-inject", errp)) {
        return;
    }
    for (int i = 0; i < ARRAY_SIZE(names); i++) {
        if (!strcmp(value, names[i])) {
            pixmill_sgx_inject(s->core, i);
            return;
        }
    }
    error_setg(errp, "x-inject takes 'bus-error-0', 'bus-error-1', "
               "'lost-event' or 'lost-kick', not '%s'", value);
}

/* CORE:NAME, e.g. 0:SW_EVENT */
static void sgx544_raise_event(Object *obj, const char *value, Error **errp)
{
    SGX544State *s = SGX544(obj);
    const char *name;
    unsigned int core;

    if (!sgx544_is_realized(s, "x-event", errp)) {
        return;
    }
    if (qemu_strtoui(value, &name, 10, &core) || *name++ != ':' ||
        pixmill_sgx_raise(s->core, core, name) != PIXMILL_OK) {
        error_setg(errp, "x-event takes CORE:EVENT, e.g. 0:SW_EVENT, not '%s'",
                   value);
    }
}

/* Fields of CORE:REQUESTER:r|w:ADDRESS */
static bool sgx544_parse_walk(char **fields, unsigned int *core,
                              size_t *requester, bool *write, uint32_t *va)
{
    const char *name;
    uint64_t address;

    if (g_strv_length(fields) != 4 ||
        qemu_strtoui(fields[0], NULL, 10, core) ||
        *core >= PIXMILL_SGX_CORES ||
        qemu_strtou64(fields[3], NULL, 0, &address) || address > UINT32_MAX ||
        (strcmp(fields[2], "r") && strcmp(fields[2], "w"))) {
        return false;
    }
    for (*requester = 0; (name = pixmill_sgx_requester(*requester));
         (*requester)++) {
        if (!strcmp(name, fields[1])) {
            *write = *fields[2] == 'w';
            *va = address;
            return true;
        }
    }
    return false;
}

static void sgx544_walk(Object *obj, const char *value, Error **errp)
{
    static const char *const results[] = {
        [PIXMILL_SGX_WALK_FAULT] = "fault",
        [PIXMILL_SGX_WALK_BUS_ERROR] = "bus-error",
        [PIXMILL_SGX_WALK_STOPPED] = "stopped",
    };
    g_auto(GStrv) fields = g_strsplit(value, ":", 0);
    SGX544State *s = SGX544(obj);
    PixmillSgxWalk result;
    unsigned int core;
    size_t requester;
    bool write;
    uint32_t va;
    uint64_t physical;

    if (!sgx544_is_realized(s, "x-walk", errp)) {
        return;
    }
    if (!sgx544_parse_walk(fields, &core, &requester, &write, &va)) {
        error_setg(errp, "x-walk takes CORE:REQUESTER:r|w:ADDRESS, e.g. "
                   "0:EDM:r:0x402000, not '%s'", value);
        return;
    }
    WITH_RCU_READ_LOCK_GUARD() {
        result = pixmill_sgx_walk(s->core, core, requester, va, write,
                                  &physical);
    }
    g_free(s->walk_result);
    s->walk_result = result == PIXMILL_SGX_WALK_OK ?
                     g_strdup_printf("0x%08" PRIx64, physical) :
                     g_strdup(results[result]);
}

static char *sgx544_get_walk(Object *obj, Error **errp)
{
    SGX544State *s = SGX544(obj);

    return g_strdup(s->walk_result ? s->walk_result : "");
}

static const Property sgx544_properties[] = {
    DEFINE_PROP_UINT32("core-id", SGX544State, core_id, 0x01250101),
    DEFINE_PROP_UINT32("core-revision", SGX544State, core_revision,
                       0x00010106),
    DEFINE_PROP_UINT32("core-clock-hz", SGX544State, core_clock_hz, 0),
    DEFINE_PROP_BOOL("debug-config-bypass", SGX544State, header_bypass, true),
    DEFINE_PROP_STRING("fake-microkernel", SGX544State, fake_microkernel),
    DEFINE_PROP_UINT64("fake-microkernel-address", SGX544State,
                       fake_microkernel_address, 0),
    DEFINE_PROP_LINK("dma", SGX544State, dma, TYPE_MEMORY_REGION,
                     MemoryRegion *),
};

/* ---- Migration ---------------------------------------------------------- */

#define CORE_STATE(F)                                                        \
    F(I64_ARRAY, event_timer_ns, PIXMILL_SGX_CORES)                          \
    F(U32, core_id)                                                          \
    F(U32, core_revision)                                                    \
    F(U32_ARRAY, wrapper, PIXMILL_SGX_WRAPPER_WORDS)                         \
    F(U32_ARRAY, master, PIXMILL_SGX_BANK_WORDS)                             \
    F(U32_ARRAY, core0, PIXMILL_SGX_BANK_WORDS)                              \
    F(U32_ARRAY, core1, PIXMILL_SGX_BANK_WORDS)                              \
    F(U32, irq_level)

#define U32(field) VMSTATE_UINT32(field, PixmillSgxState)
#define U32_ARRAY(field, n) VMSTATE_UINT32_ARRAY(field, PixmillSgxState, n)
#define I64_ARRAY(field, n) VMSTATE_INT64_ARRAY(field, PixmillSgxState, n)

/* Finds a field that is not above, unless it hides in the padding. */
#define PADDING 4
#define SIZE(kind, field, ...) + sizeof_field(PixmillSgxState, field)
QEMU_BUILD_BUG_ON(sizeof(PixmillSgxState) != PADDING CORE_STATE(SIZE));

#define VMSTATE(kind, ...) kind(__VA_ARGS__),

static const VMStateDescription vmstate_sgx544_core = {
    .name = "sgx544/core",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        CORE_STATE(VMSTATE)
        VMSTATE_END_OF_LIST()
    },
};

static int sgx544_pre_save(void *opaque)
{
    SGX544State *s = opaque;

    s->snapshot = g_new0(PixmillSgxState, 1);
    pixmill_sgx_save(s->core, s->snapshot);
    return 0;
}

static int sgx544_post_save(void *opaque)
{
    SGX544State *s = opaque;

    g_clear_pointer(&s->snapshot, g_free);
    return 0;
}

static int sgx544_pre_load(void *opaque)
{
    SGX544State *s = opaque;

    /* One that is left of a stream that broke off. */
    g_free(s->snapshot);
    s->snapshot = g_new0(PixmillSgxState, 1);
    return 0;
}

static int sgx544_post_load(void *opaque, int version_id)
{
    SGX544State *s = opaque;
    PixmillResult result = pixmill_sgx_load(s->core, s->snapshot);

    g_clear_pointer(&s->snapshot, g_free);
    return result == PIXMILL_OK ? 0 : -EINVAL;
}

static const VMStateDescription vmstate_sgx544 = {
    .name = TYPE_SGX544,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = sgx544_pre_save,
    .post_save = sgx544_post_save,
    .pre_load = sgx544_pre_load,
    .post_load = sgx544_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_STRUCT_POINTER(snapshot, SGX544State, vmstate_sgx544_core,
                               PixmillSgxState),
        VMSTATE_END_OF_LIST()
    },
};

/* ---- Life cycle --------------------------------------------------------- */

static bool sgx544_check_properties(SGX544State *s, Error **errp)
{
    if (!s->core_id || !s->core_revision) {
        error_setg(errp, TYPE_SGX544 ": core-id and core-revision must not "
                   "be 0");
        return false;
    }
    if (!s->fake_microkernel) {
        s->fake_microkernel = g_strdup("off");
    }
    if (strcmp(s->fake_microkernel, "off") &&
        strcmp(s->fake_microkernel, "init")) {
        error_setg(errp, TYPE_SGX544 ": fake-microkernel must be 'off' or "
                   "'init', not '%s'", s->fake_microkernel);
        return false;
    }
    if (s->fake_microkernel_address % 4) {
        error_setg(errp, TYPE_SGX544 ": fake-microkernel-address must be a "
                   "multiple of 4");
        return false;
    }
    return true;
}

static bool sgx544_create_core(SGX544State *s, Error **errp)
{
    const PixmillSgxConfig config = {
        .core_id = s->core_id,
        .core_revision = s->core_revision,
        .core_clock_hz = s->core_clock_hz,
        .trm_debug_config = !s->header_bypass,
        .fake_microkernel = !strcmp(s->fake_microkernel, "init"),
        .init_status = s->fake_microkernel_address,
    };
    const PixmillHost host = {
        .api_version = PIXMILL_API_VERSION,
        .user = s,
        .map = sgx544_map,
        .dirty = sgx544_dirty,
        .set_irq = sgx544_set_irq,
        .clock_ns = sgx544_clock_ns,
        .request_run = sgx544_request_run,
        .log = sgx544_log,
        .trace = sgx544_trace,
        .trace_mask = &s->trace_mask,
    };
    PixmillResult result = pixmill_sgx_create(&config, &host, &s->core);

    if (result != PIXMILL_OK) {
        error_setg(errp, TYPE_SGX544 ": %s", result == PIXMILL_ERROR_MEMORY ?
                   "not enough memory" : "the core is of another version of "
                   "include/pixmill: build both from one tree");
    }
    return result == PIXMILL_OK;
}

static void sgx544_realize(DeviceState *dev, Error **errp)
{
    SGX544State *s = SGX544(dev);

    timer_init_ns(&s->timer, QEMU_CLOCK_VIRTUAL, sgx544_run, s);
    sgx544_update_trace_mask(s);
    if (!sgx544_check_properties(s, errp) || !sgx544_create_core(s, errp)) {
        timer_del(&s->timer);
        return;
    }
    s->as = &address_space_memory;
    if (s->dma) {
        s->as = g_new(AddressSpace, 1);
        address_space_init(s->as, s->dma, TYPE_SGX544);
    }
    memory_region_set_enabled(&s->mmio, true);
}

static void sgx544_unrealize(DeviceState *dev)
{
    SGX544State *s = SGX544(dev);

    memory_region_set_enabled(&s->mmio, false);
    timer_del(&s->timer);
    pixmill_sgx_destroy(s->core);
    s->core = NULL;
    if (s->dma) {
        address_space_destroy_free(s->as);
    }
    s->as = NULL;
    g_clear_pointer(&s->snapshot, g_free);
    g_clear_pointer(&s->walk_result, g_free);
}

/* Lowers the interrupt, which the enter phase must not do. */
static void sgx544_reset_hold(Object *obj, ResetType type)
{
    SGX544State *s = SGX544(obj);

    sgx544_update_trace_mask(s);
    pixmill_sgx_reset(s->core);
}

static void sgx544_init(Object *obj)
{
    SGX544State *s = SGX544(obj);

    memory_region_init_io(&s->mmio, obj, &sgx544_mmio_ops, s, TYPE_SGX544,
                          PIXMILL_SGX_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
}

static void sgx544_class_init(ObjectClass *oc, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "PowerVR SGX544-MP2: wrapper and registers, no rendering";
    dc->realize = sgx544_realize;
    dc->unrealize = sgx544_unrealize;
    dc->vmsd = &vmstate_sgx544;
    device_class_set_props(dc, sgx544_properties);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.hold = sgx544_reset_hold;

    for (int i = 0; i < ARRAY_SIZE(sgx544_counters); i++) {
        object_class_property_add(oc, sgx544_counters[i].name, "uint64",
                                  sgx544_get_counter, NULL, NULL,
                                  (void *)&sgx544_counters[i].offset);
    }
    object_class_property_add_str(oc, "x-inject", NULL, sgx544_inject);
    object_class_property_set_description(oc, "x-inject",
        "a fault: bus-error-0, bus-error-1, lost-event or lost-kick");
    object_class_property_add_str(oc, "x-event", NULL, sgx544_raise_event);
    object_class_property_set_description(oc, "x-event",
        "raises an event of a core, e.g. 0:SW_EVENT");
    object_class_property_add_str(oc, "x-walk", sgx544_get_walk, sgx544_walk);
    object_class_property_set_description(oc, "x-walk",
        "translates an access, e.g. 0:EDM:r:0x402000; reads as its result");
}

static const TypeInfo sgx544_types[] = {
    {
        .name = TYPE_SGX544,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(SGX544State),
        .instance_init = sgx544_init,
        .class_init = sgx544_class_init,
    },
};

DEFINE_TYPES(sgx544_types)
