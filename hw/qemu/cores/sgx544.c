/*
 * PowerVR SGX544-MP2 as a QEMU device.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "sgx544.h"

/*
 * Accesses of all sizes are passed to the core, which reports bad ones in a
 * status bit.
 */
static const MemoryRegionOps sgx544_mmio_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = pixmill_shell_write,
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

static bool sgx544_is_realized(SGX544State *s, const char *name, Error **errp)
{
    if (!s->shell.core) {
        error_setg(errp, "%s works on a realized device only", name);
        return false;
    }
    return true;
}

/* Raises an event.  The value is CORE:NAME, e.g. 0:SW_EVENT. */
static void sgx544_raise_event(Object *obj, const char *value, Error **errp)
{
    SGX544State *s = SGX544(obj);
    PixmillResult result = PIXMILL_ERROR_ARGUMENT;
    const char *name;
    unsigned int core;

    if (!sgx544_is_realized(s, "x-event", errp)) {
        return;
    }
    if (!qemu_strtoui(value, &name, 10, &core) && *name++ == ':') {
        pixmill_shell_enter(&s->shell);
        result = pixmill_sgx_raise(s->shell.core, core, name);
        pixmill_shell_leave(&s->shell);
    }
    if (result != PIXMILL_OK) {
        error_setg(errp, "x-event takes CORE:EVENT, e.g. 0:SW_EVENT, not '%s'",
                   value);
    }
}

/* Parses the fields of CORE:REQUESTER:r|w:ADDRESS. */
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
    pixmill_shell_enter(&s->shell);
    result = pixmill_sgx_walk(s->shell.core, core, requester, va, write,
                              &physical);
    pixmill_shell_leave(&s->shell);
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
    DEFINE_PIXMILL_SHELL_PROPERTIES(SGX544State, shell),
    DEFINE_PROP_UINT32("core-id", SGX544State, core_id, PIXMILL_SGX_CORE_ID),
    DEFINE_PROP_UINT32("core-revision", SGX544State, core_revision,
                       PIXMILL_SGX_CORE_REVISION),
    DEFINE_PROP_UINT32("core-clock-hz", SGX544State, core_clock_hz, 0),
    DEFINE_PROP_BOOL("debug-config-bypass", SGX544State, header_bypass, true),
    DEFINE_PROP_STRING("fake-microkernel", SGX544State, fake_microkernel),
    DEFINE_PROP_UINT64("fake-microkernel-address", SGX544State,
                       fake_microkernel_address, 0),
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

static void sgx544_realize(DeviceState *dev, Error **errp)
{
    SGX544State *s = SGX544(dev);
    PixmillSgxConfig config;

    if (!sgx544_check_properties(s, errp)) {
        return;
    }
    s->answers = !strcmp(s->fake_microkernel, "init");
    config = (PixmillSgxConfig) {
        .core_id = s->core_id,
        .core_revision = s->core_revision,
        .core_clock_hz = s->core_clock_hz,
        .trm_debug_config = !s->header_bypass,
        .fake_microkernel = s->answers,
        .init_status = s->fake_microkernel_address,
    };
    pixmill_shell_realize(&s->shell, dev, &config, TYPE_SGX544, errp);
}

static void sgx544_unrealize(DeviceState *dev)
{
    SGX544State *s = SGX544(dev);

    pixmill_shell_unrealize(&s->shell);
    g_clear_pointer(&s->walk_result, g_free);
}

static void sgx544_init(Object *obj)
{
    PixmillShell *shell = &SGX544(obj)->shell;

    pixmill_shell_init(shell, obj, &pixmill_sgx, &sgx544_mmio_ops);
    pixmill_shell_init_sysbus(shell, SYS_BUS_DEVICE(obj));
}

static const VMStateField sgx544_same[] = {
    PIXMILL_SAME("core-id", SGX544State, core_id),
    PIXMILL_SAME("core-revision", SGX544State, core_revision),
    PIXMILL_SAME("core-clock-hz", SGX544State, core_clock_hz),
    PIXMILL_SAME("debug-config-bypass", SGX544State, header_bypass),
    PIXMILL_SAME("fake-microkernel", SGX544State, answers),
    PIXMILL_SAME("fake-microkernel-address", SGX544State,
                 fake_microkernel_address),
    VMSTATE_END_OF_LIST()
};

static void sgx544_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "PowerVR SGX544-MP2: wrapper and registers, no rendering";
    dc->realize = sgx544_realize;
    device_class_set_props(dc, sgx544_properties);
    pixmill_shell_class_init(dc, &pixmill_sgx, offsetof(SGX544State, shell), 2,
                             sgx544_same);
    dc->unrealize = sgx544_unrealize;

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
        .interfaces = (InterfaceInfo[]) {
            { TYPE_PIXMILL_SHELL_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(sgx544_types)
