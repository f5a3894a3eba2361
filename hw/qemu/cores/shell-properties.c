/*
 * Counters and fault injection of a device core, as properties.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/timer.h"
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

/* ---- Fault injection ----------------------------------------------------- */

/*
 * A value of x-inject is "off", or faults joined by "+":
 *
 *     NAME[=TIME][@UNIT:N][%PERCENT[:SEED]]
 *
 * TIME is the length of the fault.  The fault occurs once, at opportunity N;
 * or, with PERCENT, at each one from N on with that probability.  UNIT is one
 * of the fault's units, or "time": then N is a TIME from now, and the fault
 * occurs at the first opportunity after it.
 */
#define INJECT_GRAMMAR "NAME[=TIME][@UNIT:N][%PERCENT[:SEED]]"

/* Returns the names in @list, as in "a, b or c", each in @quote. */
static char *shell_join(const char *const *list, const char *quote)
{
    GString *names = g_string_new(NULL);

    for (const char *const *name = list; *name; name++) {
        g_string_append_printf(names, "%s%s%s%s",
                               name == list ? "" : name[1] ? ", " : " or ",
                               quote, *name, quote);
    }
    return g_string_free(names, false);
}

/* Cuts @text at the last @mark.  Returns the part behind it, or NULL. */
static char *shell_cut(char *text, char mark)
{
    char *at = strrchr(text, mark);

    if (at) {
        *at++ = '\0';
    }
    return at;
}

/* Reads a number with a unit, such as "20ms", as nanoseconds. */
static bool shell_parse_time(const char *text, int64_t most_s, int64_t *ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {
        { "ns", 1 },
        { "us", SCALE_US },
        { "ms", SCALE_MS },
        { "s", NANOSECONDS_PER_SECOND },
    };
    const char *end;
    uint64_t number;

    if (!g_ascii_isdigit(*text) || qemu_strtou64(text, &end, 10, &number)) {
        return false;
    }
    for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
        if (!strcmp(end, units[i].name)) {
            *ns = number * units[i].ns;
            return number && number <= most_s * NANOSECONDS_PER_SECOND /
                                       units[i].ns;
        }
    }
    return false;
}

static bool shell_parse_number(const char *text, uint64_t most, uint64_t *out)
{
    return g_ascii_isdigit(*text) && !qemu_strtou64(text, NULL, 10, out) &&
           *out <= most;
}

/* Reads a percentage with at most two decimals, as 1/10000. */
static bool shell_parse_percent(const char *text, uint32_t *chance)
{
    g_auto(GStrv) parts = g_strsplit(text, ".", 2);
    const char *decimals = parts[0] && parts[1] ? parts[1] : "0";
    uint64_t whole, rest;

    if (!parts[0] || strlen(decimals) > 2 ||
        !shell_parse_number(parts[0], 100, &whole) ||
        !shell_parse_number(decimals, 99, &rest)) {
        return false;
    }
    *chance = whole * 100 + rest * (strlen(decimals) == 1 ? 10 : 1);
    return *chance && *chance <= PIXMILL_CHANCE_ALWAYS;
}

/* Reads "UNIT:N". */
static bool shell_parse_when(const PixmillFaultKind *kind, const char *name,
                             char *when, PixmillInjection *how, Error **errp)
{
    g_autofree char *all = g_strconcat("time ", kind->units, NULL);
    g_auto(GStrv) units = g_strsplit(g_strchomp(all), " ", 0);
    g_autofree char *known = shell_join((const char *const *)units, "'");
    char *number = strchr(when, ':');

    if (!number) {
        error_setg(errp, "x-inject: '%s' takes '@UNIT:N', not '@%s'", name,
                   when);
        return false;
    }
    *number++ = '\0';
    for (unsigned i = 0; units[i]; i++) {
        if (strcmp(units[i], when)) {
            continue;
        }
        if (i == 0 && shell_parse_time(number, PIXMILL_LONGEST_DELAY_S,
                                       &how->after_ns)) {
            return true;
        }
        if (i != 0 && shell_parse_number(number, UINT32_MAX, &how->first) &&
            how->first) {
            how->unit = i - 1;
            return true;
        }
        if (i == 0) {
            error_setg(errp, "x-inject: '@time:' takes a time up to %ds, such "
                       "as 20ms, not '%s'", PIXMILL_LONGEST_DELAY_S, number);
        } else {
            error_setg(errp, "x-inject: '@%s:' takes a number from 1 to %"
                       PRIu32 ", not '%s'", when, UINT32_MAX, number);
        }
        return false;
    }
    error_setg(errp, "x-inject: '%s' counts %s, not '%s'", name, known, when);
    return false;
}

/* Reads "PERCENT[:SEED]". */
static bool shell_parse_chance(const PixmillFaultKind *kind, const char *name,
                               char *chance, PixmillInjection *how,
                               Error **errp)
{
    char *seed = shell_cut(chance, ':');

    if (kind->lasts) {
        error_setg(errp, "x-inject: '%s' lasts, so it takes no probability",
                   name);
        return false;
    }
    if (!shell_parse_percent(chance, &how->chance)) {
        error_setg(errp, "x-inject: '%%' takes a percentage from 0.01 to 100, "
                   "not '%s'", chance);
        return false;
    }
    if (seed && !shell_parse_number(seed, UINT64_MAX, &how->seed)) {
        error_setg(errp, "x-inject: a seed is a number, not '%s'", seed);
        return false;
    }
    return true;
}

static bool shell_parse_fault(const PixmillCoreClass *core_class, char *text,
                              PixmillInjection *how, Error **errp)
{
    static const PixmillFaultKind once = { .units = "" };
    const char *const *faults = core_class->faults;
    const PixmillFaultKind *kind = &once;
    char *chance = shell_cut(text, '%');
    char *when = shell_cut(text, '@');
    char *length = shell_cut(text, '=');

    *how = (PixmillInjection) { .first = 1 };
    while (faults[how->fault] && strcmp(faults[how->fault], text)) {
        how->fault++;
    }
    if (!faults[how->fault]) {
        g_autofree char *known = shell_join(faults, "'");

        error_setg(errp, "x-inject takes %s, not '%s'", known, text);
        return false;
    }
    if (core_class->fault_kinds) {
        kind = &core_class->fault_kinds[how->fault];
    } else if (chance || when || length) {
        error_setg(errp, "x-inject: '%s' occurs at once, and takes nothing "
                   "else", text);
        return false;
    }
    how->length_ns = kind->length_ns;
    if (length && !kind->length_ns) {
        error_setg(errp, "x-inject: '%s' takes no time", text);
        return false;
    }
    if (length && !shell_parse_time(length, PIXMILL_LONGEST_FAULT_S,
                                    &how->length_ns)) {
        error_setg(errp, "x-inject: '=' takes a time up to %ds, such as 20ms, "
                   "not '%s'", PIXMILL_LONGEST_FAULT_S, length);
        return false;
    }
    return (!when || shell_parse_when(kind, text, when, how, errp)) &&
           (!chance || shell_parse_chance(kind, text, chance, how, errp));
}

/* Returns an array of PixmillInjection, or NULL. */
static GArray *shell_parse_faults(const PixmillCoreClass *core_class,
                                  const char *value, Error **errp)
{
    g_autoptr(GArray) all = g_array_new(false, false,
                                        sizeof(PixmillInjection));
    g_auto(GStrv) faults = g_strsplit(value, "+", 0);
    PixmillInjection how = { 0 };

    if (!strcmp(value, "off") && core_class->arm) {
        for (; core_class->faults[how.fault]; how.fault++) {
            how.length_ns = core_class->fault_kinds[how.fault].length_ns;
            g_array_append_val(all, how);
        }
        return g_steal_pointer(&all);
    }
    if (!*value) {
        char none[] = "";

        shell_parse_fault(core_class, none, &how, errp);
        return NULL;
    }
    for (char **fault = faults; *fault; fault++) {
        if (!shell_parse_fault(core_class, *fault, &how, errp)) {
            return NULL;
        }
        g_array_append_val(all, how);
    }
    return g_steal_pointer(&all);
}

static PixmillResult shell_arm(PixmillShell *s, const PixmillInjection *how)
{
    if (s->core_class->arm) {
        return s->core_class->arm(s->core, how);
    }
    s->core_class->inject(s->core, how->fault);
    return PIXMILL_OK;
}

/* Returns the name of a fault in @all that the core cannot have, or NULL. */
static const char *shell_arm_all(PixmillShell *s, const GArray *all)
{
    const char *refused = NULL;

    for (guint i = 0; i < all->len; i++) {
        PixmillInjection *how = &g_array_index(all, PixmillInjection, i);

        if (shell_arm(s, how) != PIXMILL_OK && how->first) {
            refused = s->core_class->faults[how->fault];
        }
    }
    return refused;
}

/* Injects all faults in @all, or none. */
static void shell_inject_now(PixmillShell *s, GArray *all, Error **errp)
{
    const char *refused;

    pixmill_shell_enter(s);
    refused = shell_arm_all(s, all);
    if (refused) {
        for (guint i = 0; i < all->len; i++) {
            g_array_index(all, PixmillInjection, i).first = 0;
        }
        shell_arm_all(s, all);
        error_setg(errp, "x-inject: this core cannot have the fault '%s'",
                   refused);
    }
    pixmill_shell_leave(s);
}

static void shell_inject(Object *obj, Visitor *v, const char *property,
                         void *opaque, Error **errp)
{
    PixmillShell *s = opaque;
    g_autofree char *value = NULL;
    g_autoptr(GArray) all = NULL;

    if (!visit_type_str(v, property, &value, errp)) {
        return;
    }
    all = shell_parse_faults(s->core_class, value, errp);
    if (!all) {
        return;
    }
    if (s->core) {
        shell_inject_now(s, all, errp);
    } else {
        g_free(s->inject);
        s->inject = g_steal_pointer(&value);
    }
}

static void shell_release_inject(Object *obj, const char *name, void *opaque)
{
    PixmillShell *s = opaque;

    g_free(s->inject);
}

bool pixmill_shell_inject_first(PixmillShell *s, Error **errp)
{
    g_autoptr(GArray) all = NULL;
    const char *refused;

    if (!s->inject) {
        return true;
    }
    all = shell_parse_faults(s->core_class, s->inject, errp);
    if (!all) {
        return false;
    }
    /* "-global" sets the property of all cores, so each takes what it can. */
    pixmill_shell_enter(s);
    refused = shell_arm_all(s, all);
    pixmill_shell_leave(s);
    if (refused) {
        warn_report("x-inject: %s cannot have the fault '%s'", s->name,
                    refused);
    }
    return true;
}

void pixmill_shell_add_properties(PixmillShell *s, Object *owner)
{
    g_autofree char *faults = shell_join(s->core_class->faults, "");
    g_autofree char *inject = s->core_class->arm ?
        g_strconcat("injects faults: off or " INJECT_GRAMMAR "+...; names: ",
                    faults, NULL) :
        g_strconcat("injects a fault once: ", faults, NULL);

    for (const PixmillField *field = s->core_class->counter_fields;
         field->name; field++) {
        g_autofree char *name = g_strconcat(COUNTER_PREFIX, field->name, NULL);

        object_property_add(owner, name, "uint64", shell_get_counter, NULL,
                            NULL, s);
    }
    object_property_add(owner, "x-inject", "string", NULL, shell_inject,
                        shell_release_inject, s);
    object_property_set_description(owner, "x-inject", inject);
}
