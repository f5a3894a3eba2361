/*
 * Counters and fault injection of a device core, as properties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "shell.h"

#define COUNTER_PREFIX "stat-"

static void shell_get_counter(Object *obj, Visitor *v, const char *name,
                              void *opaque, Error **errp)
{
    PixmillShell *s = opaque;
    g_autofree void *counters = g_malloc0(s->core_class->counters_size);
    const PixmillField *field = s->core_class->counter_fields;

    while (strcmp(field->name, name + strlen(COUNTER_PREFIX))) {
        field++;
    }
    if (s->core) {
        pixmill_shell_enter(s);
        s->core_class->counters(s->core, counters);
        pixmill_shell_leave(s);
    }
    visit_type_uint64(v, name, counters + field->offset, errp);
}

/* Returns the names of all faults, as in "a, b or c", each in @quote. */
static char *shell_fault_names(const PixmillShell *s, const char *quote)
{
    GString *names = g_string_new(NULL);

    for (const char *const *name = s->core_class->faults; *name; name++) {
        g_string_append_printf(names, "%s%s%s%s",
                               name == s->core_class->faults ? "" :
                               name[1] ? ", " : " or ",
                               quote, *name, quote);
    }
    return g_string_free(names, false);
}

static void shell_inject(Object *obj, Visitor *v, const char *property,
                         void *opaque, Error **errp)
{
    PixmillShell *s = opaque;
    const char *const *faults = s->core_class->faults;
    g_autofree char *known = shell_fault_names(s, "'");
    g_autofree char *value = NULL;

    if (!visit_type_str(v, property, &value, errp)) {
        return;
    }
    for (uint32_t i = 0; faults[i]; i++) {
        if (!strcmp(value, faults[i])) {
            if (!s->core) {
                error_setg(errp, "x-inject works on a realized device only");
                return;
            }
            pixmill_shell_enter(s);
            s->core_class->inject(s->core, i);
            pixmill_shell_leave(s);
            return;
        }
    }
    error_setg(errp, "x-inject takes %s, not '%s'", known, value);
}

void pixmill_shell_add_properties(PixmillShell *s, Object *owner)
{
    g_autofree char *faults = shell_fault_names(s, "");
    g_autofree char *inject = g_strdup_printf("injects a fault once: %s",
                                              faults);

    for (const PixmillField *field = s->core_class->counter_fields;
         field->name; field++) {
        g_autofree char *name = g_strconcat(COUNTER_PREFIX, field->name, NULL);

        object_property_add(owner, name, "uint64", shell_get_counter, NULL,
                            NULL, s);
    }
    object_property_add(owner, "x-inject", "string", NULL, shell_inject, NULL,
                        s);
    object_property_set_description(owner, "x-inject", inject);
}
