/*
 * Migration of a device core.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The stream contains the core's state field by field, so that
 * scripts/analyze-migration.py can show it.  It is not trusted: the core
 * validates every field on load.
 */
#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "shell.h"

static int shell_pre_save(void *opaque)
{
    PixmillShell *s = opaque;

    s->snapshot = g_malloc0(s->core_class->state_size);
    pixmill_worker_enter(&s->worker);
    pixmill_worker_drain(&s->worker);
    s->core_class->save(s->core, s->snapshot);
    pixmill_worker_leave(&s->worker);
    return 0;
}

static int shell_post_save(void *opaque)
{
    PixmillShell *s = opaque;

    g_clear_pointer(&s->snapshot, g_free);
    return 0;
}

/* Resets all parts, because the stream may lack some of them. */
static int shell_pre_load(void *opaque)
{
    PixmillShell *s = opaque;

    /* The snapshot is left over if an earlier stream broke off. */
    g_free(s->snapshot);
    s->snapshot = g_malloc0(s->core_class->state_size);
    pixmill_worker_enter(&s->worker);
    pixmill_worker_drain(&s->worker);
    pixmill_worker_reset_enter(&s->worker);
    pixmill_worker_leave(&s->worker);
    memset(&s->loading, 0, sizeof(s->loading));
    return 0;
}

static int shell_post_load(void *opaque, int version_id)
{
    PixmillShell *s = opaque;
    PixmillResult result;

    pixmill_worker_enter(&s->worker);
    pixmill_worker_pre_load(&s->worker, *(uint32_t *)
                            (s->snapshot + s->core_class->state_levels));
    result = s->core_class->load(s->core, s->snapshot);
    s->retries.count = 0;
    if (!pixmill_retries_valid(&s->loading)) {
        result = PIXMILL_ERROR_STATE;
    } else if (result == PIXMILL_OK) {
        s->retries = s->loading;
    }
    if (s->loaded) {
        s->loaded(s);
    }
    pixmill_worker_post_load(&s->worker);
    pixmill_worker_leave(&s->worker);
    g_clear_pointer(&s->snapshot, g_free);
    return result == PIXMILL_OK ? 0 : -EINVAL;
}

static bool shell_has_retries(void *opaque)
{
    PixmillShell *s = opaque;

    return s->retries.count != 0;
}

static int shell_retries_pre_save(void *opaque)
{
    PixmillShell *s = opaque;

    s->loading = s->retries;
    return 0;
}

static const VMStateDescription vmstate_shell_retries = {
    .name = "pixmill-shell/retries",
    .version_id = 1,
    .minimum_version_id = 1,
    .needed = shell_has_retries,
    .pre_save = shell_retries_pre_save,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(loading.count, PixmillShell),
        VMSTATE_STRUCT_ARRAY(loading.at, PixmillShell, PIXMILL_RETRIES, 0,
                             vmstate_pixmill_retry, PixmillRetry),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription *const shell_subsections[] = {
    &vmstate_shell_retries,
    NULL
};

static const VMStateDescription *
vmstate_of_core(const PixmillCoreClass *core_class)
{
    static const struct {
        const VMStateInfo *info;
        size_t size;
    } types[] = {
        [PIXMILL_U32] = { &vmstate_info_uint32, sizeof(uint32_t) },
        [PIXMILL_U64] = { &vmstate_info_uint64, sizeof(uint64_t) },
        [PIXMILL_I64] = { &vmstate_info_int64, sizeof(int64_t) },
    };
    const PixmillField *from = core_class->state_fields;
    g_autoptr(GArray) fields = g_array_new(false, false,
                                           sizeof(VMStateField));
    VMStateField end = VMSTATE_END_OF_LIST();
    VMStateDescription *vmsd = g_new(VMStateDescription, 1);

    for (; from->name; from++) {
        VMStateField field = {
            .name = from->name,
            .offset = from->offset,
            .info = types[from->type].info,
            .size = types[from->type].size,
            .num = from->count > 1 ? from->count : 0,
            .flags = from->count > 1 ? VMS_ARRAY : VMS_SINGLE,
        };

        g_array_append_val(fields, field);
    }
    g_array_append_val(fields, end);
    *vmsd = (VMStateDescription) {
        .name = "pixmill-core",
        .version_id = core_class->state_version,
        .minimum_version_id = core_class->state_version,
        .fields = (VMStateField *)g_array_steal(fields, NULL),
    };
    return vmsd;
}

const VMStateDescription *
pixmill_shell_vmstate(const PixmillCoreClass *core_class)
{
    const VMStateField fields[] = {
        {
            .name = "snapshot",
            .vmsd = vmstate_of_core(core_class),
            .size = sizeof(void *),
            .flags = VMS_STRUCT | VMS_POINTER,
            .offset = offsetof(PixmillShell, snapshot),
        },
        VMSTATE_STRUCT(worker, PixmillShell, 0, vmstate_pixmill_worker,
                       PixmillWorker),
        VMSTATE_END_OF_LIST()
    };
    /*
     * If the core does not draw, the next activation follows from the core's
     * state, and the worker has no state to save.
     */
    const VMStateField fields_without_worker[] = {
        fields[0],
        VMSTATE_END_OF_LIST()
    };
    VMStateDescription *vmsd = g_new(VMStateDescription, 1);

    *vmsd = (VMStateDescription) {
        .name = "pixmill-shell",
        .version_id = 1,
        .minimum_version_id = 1,
        .pre_save = shell_pre_save,
        .post_save = shell_post_save,
        .pre_load = shell_pre_load,
        .post_load = shell_post_load,
        .fields = core_class->draw ?
                  g_memdup2(fields, sizeof(fields)) :
                  g_memdup2(fields_without_worker,
                            sizeof(fields_without_worker)),
        .subsections = shell_subsections,
    };
    return vmsd;
}

const VMStateDescription *
pixmill_shell_device_vmstate(DeviceClass *dc,
                             const PixmillCoreClass *core_class,
                             size_t offset, int version,
                             const VMStateField *same)
{
    const VMStateField rest[] = {
        {
            .name = "shell",
            .vmsd = pixmill_shell_vmstate(core_class),
            .size = sizeof(PixmillShell),
            .flags = VMS_STRUCT,
            .offset = offset,
        },
        VMSTATE_END_OF_LIST()
    };
    g_autoptr(GArray) fields = g_array_new(false, false,
                                           sizeof(VMStateField));
    VMStateDescription *vmsd = g_new(VMStateDescription, 1);

    /* These come first, so that nothing else is loaded if they differ. */
    for (; same && same->name; same++) {
        g_array_append_val(fields, *same);
    }
    g_array_append_vals(fields, rest, ARRAY_SIZE(rest));
    *vmsd = (VMStateDescription) {
        .name = object_class_get_name(OBJECT_CLASS(dc)),
        .version_id = version,
        .minimum_version_id = version,
        .fields = (VMStateField *)g_array_steal(fields, NULL),
    };
    return vmsd;
}
