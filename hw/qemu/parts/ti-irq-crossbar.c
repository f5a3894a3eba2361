/*
 * TI IRQ crossbar: routes any interrupt source to any line of a consumer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every line has a multiplexer (AM57xx TRM, control module, IRQ_CROSSBAR).  The
 * line follows the level of the source that its selector names; several lines
 * may select the same source, and a line is low if its selector does not name a
 * source.  The layout of the registers is what linux irq-crossbar.c expects.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qobject/qlist.h"
#include "qom/qom-qobject.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "mmio-ops.h"
#include "ti-irq-crossbar.h"
#include "hw/pixmill/trace.h"

/* Far more than any chip has.  These limits keep sizes within 32 bits. */
#define MAX_SOURCES 65536
#define MAX_LINES 65536

/* ---- Lines -------------------------------------------------------------- */

/* Returns the name in the QOM tree, for messages. */
static const char *name_of(void *device)
{
    return object_get_canonical_path_component(OBJECT(device)) ?: "?";
}

static bool line_input(const TiIrqCrossbarLine *line)
{
    return line->source && line->bank->crossbar->source[line->source].level;
}

static void line_drive(TiIrqCrossbarLine *line)
{
    TiIrqCrossbarBankState *bank = line->bank;
    uint32_t n = line - bank->line;

    line->level = line_input(line);
    trace_pixmill_crossbar_output(name_of(bank), n, line->level);
    qemu_set_irq(bank->irq[n], line->level);
}

/* Makes @line follow @source, but does not drive it yet. */
static void line_follow(TiIrqCrossbarLine *line, uint32_t source)
{
    TiIrqCrossbarState *crossbar = line->bank->crossbar;

    if (line->source) {
        QLIST_REMOVE(line, next);
    }
    line->source = source < crossbar->num_sources ? source : 0;
    if (line->source) {
        QLIST_INSERT_HEAD(&crossbar->source[line->source].lines, line, next);
    }
}

/* ---- Sources ------------------------------------------------------------ */

static void crossbar_count_raise(TiIrqCrossbarState *s,
                                 TiIrqCrossbarSource *source)
{
    TiIrqCrossbarLine *line;

    s->raises++;
    s->unrouted_raises += QLIST_EMPTY(&source->lines);
    QLIST_FOREACH(line, &source->lines, next) {
        TiIrqCrossbarBankState *bank = line->bank;

        bank->routed_raises += bank->last_raise != s->raises;
        bank->last_raise = s->raises;
    }
}

static void crossbar_set_source(void *opaque, int n, int level)
{
    TiIrqCrossbarState *s = opaque;
    TiIrqCrossbarSource *source = &s->source[n];
    TiIrqCrossbarLine *line;

    if (source->level == !!level) {
        return;
    }
    source->level = level;
    trace_pixmill_crossbar_input(name_of(s), n, source->level);
    if (source->level) {
        crossbar_count_raise(s, source);
    }
    QLIST_FOREACH(line, &source->lines, next) {
        if (line->level != source->level) {
            line_drive(line);
        }
    }
}

/* Does not drive any lines, because receivers load the levels that they had. */
static int crossbar_post_load(void *opaque, int version_id)
{
    TiIrqCrossbarState *s = opaque;
    TiIrqCrossbarLine *line;

    for (uint32_t i = 0; i < s->num_sources; i++) {
        QLIST_FOREACH(line, &s->source[i].lines, next) {
            line->level = line_input(line);
        }
    }
    return 0;
}

static const VMStateDescription vmstate_source = {
    .name = TYPE_TI_IRQ_CROSSBAR "/source",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_BOOL(level, TiIrqCrossbarSource),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_crossbar = {
    .name = TYPE_TI_IRQ_CROSSBAR,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = crossbar_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(num_sources, TiIrqCrossbarState,
                             "property num-sources differs"),
        VMSTATE_STRUCT_VARRAY_POINTER_UINT32(source, TiIrqCrossbarState,
                                             num_sources, vmstate_source,
                                             TiIrqCrossbarSource),
        VMSTATE_END_OF_LIST()
    },
};

static const Property crossbar_properties[] = {
    DEFINE_PROP_UINT32("num-sources", TiIrqCrossbarState, num_sources, 420),
};

static void crossbar_realize(DeviceState *dev, Error **errp)
{
    TiIrqCrossbarState *s = TI_IRQ_CROSSBAR(dev);

    if (s->num_sources < 1 || s->num_sources > MAX_SOURCES) {
        error_setg(errp, TYPE_TI_IRQ_CROSSBAR ": num-sources is 1 to %d, "
                   "not %" PRIu32, MAX_SOURCES, s->num_sources);
        return;
    }
    s->source = g_new0(TiIrqCrossbarSource, s->num_sources);
    qdev_init_gpio_in_named(dev, crossbar_set_source, "source",
                            s->num_sources);
}

static void crossbar_init(Object *obj)
{
    TiIrqCrossbarState *s = TI_IRQ_CROSSBAR(obj);

    object_property_add_uint64_ptr(obj, "unrouted-raises", &s->unrouted_raises,
                                   OBJ_PROP_FLAG_READ);
}

static void crossbar_finalize(Object *obj)
{
    g_free(TI_IRQ_CROSSBAR(obj)->source);
}

/* The crossbar has no reset function, because levels belong to the sources. */
static void crossbar_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "TI IRQ crossbar: its sources";
    dc->realize = crossbar_realize;
    dc->vmsd = &vmstate_crossbar;
    device_class_set_props(dc, crossbar_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

/* ---- Selectors ---------------------------------------------------------- */

static void bank_select(TiIrqCrossbarBankState *s, uint32_t reg,
                        uint32_t selector)
{
    TiIrqCrossbarLine *line = &s->line[s->line_of[reg]];

    s->selector[reg] = selector;
    if (!line->bypassed) {
        line_follow(line, selector);
    }
}

/* Drives the lines that have changed, falling lines first. */
static void bank_drive(TiIrqCrossbarBankState *s, uint32_t first, uint32_t end)
{
    for (int level = 0; level <= 1; level++) {
        for (uint32_t reg = first; reg < end; reg++) {
            TiIrqCrossbarLine *line = &s->line[s->line_of[reg]];

            if (line->level != level && line_input(line) == level) {
                line_drive(line);
            }
        }
    }
}

/* ---- Registers ---------------------------------------------------------- */

/*
 * An access and a register overlap in whole bytes, and either may begin first.
 * These functions shift the bits of an access at @addr to register @reg, and
 * back.
 */
static int bank_shift(TiIrqCrossbarBankState *s, hwaddr addr, uint32_t reg)
{
    return 8 * ((int)addr - (int)(reg * s->reg_size));
}

static uint64_t shift(uint64_t bits, int left)
{
    return left >= 0 ? bits << left : bits >> -left;
}

/*
 * Returns the end of the registers in an access.  Padding may follow the last
 * one.
 */
static uint32_t bank_end(TiIrqCrossbarBankState *s, hwaddr addr, unsigned size)
{
    return MIN(DIV_ROUND_UP(addr + size, s->reg_size), s->num_registers);
}

static uint64_t bank_read(void *opaque, hwaddr addr, unsigned size)
{
    TiIrqCrossbarBankState *s = opaque;
    uint32_t end = bank_end(s, addr, size);
    uint64_t data = 0;

    for (uint32_t reg = addr / s->reg_size; reg < end; reg++) {
        data |= shift(s->selector[reg], -bank_shift(s, addr, reg));
    }
    return data & MAKE_64BIT_MASK(0, 8 * size);
}

static void bank_write_register(TiIrqCrossbarBankState *s, uint32_t reg,
                                uint64_t bits, uint64_t lanes)
{
    uint32_t old = s->selector[reg];
    uint32_t selector = ((old & ~lanes) | (bits & lanes)) & s->select_mask;
    uint32_t line = s->line_of[reg];

    trace_pixmill_crossbar_select(name_of(s), line, old, selector);
    if (selector >= s->crossbar->num_sources) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_TI_IRQ_CROSSBAR ": %s line %"
                      PRIu32 ": there is no source %" PRIu32 ", the last is %"
                      PRIu32 "\n", name_of(s), line, selector,
                      s->crossbar->num_sources - 1);
    }
    bank_select(s, reg, selector);
}

static void bank_write(void *opaque, hwaddr addr, uint64_t data, unsigned size)
{
    TiIrqCrossbarBankState *s = opaque;
    uint32_t first = addr / s->reg_size;
    uint32_t end = bank_end(s, addr, size);

    for (uint32_t reg = first; reg < end; reg++) {
        int left = bank_shift(s, addr, reg);

        bank_write_register(s, reg, shift(data, left),
                            shift(MAKE_64BIT_MASK(0, 8 * size), left));
    }
    bank_drive(s, first, end);
}

/* The interconnect is 32 bits wide, so a 64-bit access arrives as two. */
static const MemoryRegionOps bank_mmio_ops =
    PIXMILL_MMIO_OPS(bank_read, bank_write, 1, 8);

/* ---- Migration ---------------------------------------------------------- */

/*
 * The stream is not trusted: selectors keep only bits that a write could set.
 * Levels are correct once the crossbar and all banks have been loaded, in any
 * order.  No line is driven.
 */
static int bank_post_load(void *opaque, int version_id)
{
    TiIrqCrossbarBankState *s = opaque;

    for (uint32_t reg = 0; reg < s->num_registers; reg++) {
        bank_select(s, reg, s->selector[reg] & s->select_mask);
    }
    for (uint32_t i = 0; i < s->num_lines; i++) {
        s->line[i].level = line_input(&s->line[i]);
    }
    return 0;
}

static const VMStateDescription vmstate_bank = {
    .name = TYPE_TI_IRQ_CROSSBAR_BANK,
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = bank_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(num_lines, TiIrqCrossbarBankState,
                             "property num-lines differs"),
        VMSTATE_UINT8_EQUAL(reg_size, TiIrqCrossbarBankState,
                            "property reg-size differs"),
        VMSTATE_UINT32_EQUAL(select_mask, TiIrqCrossbarBankState,
                             "property select-mask differs"),
        VMSTATE_UINT32_EQUAL(num_registers, TiIrqCrossbarBankState, NULL),
        VMSTATE_VARRAY_UINT32(selector, TiIrqCrossbarBankState, num_registers,
                              1, vmstate_info_uint32, uint32_t),
        VMSTATE_END_OF_LIST()
    },
};

/* ---- Life cycle --------------------------------------------------------- */

static const Property bank_properties[] = {
    DEFINE_PROP_LINK("crossbar", TiIrqCrossbarBankState, crossbar,
                     TYPE_TI_IRQ_CROSSBAR, TiIrqCrossbarState *),
    DEFINE_PROP_UINT32("num-lines", TiIrqCrossbarBankState, num_lines, 1),
    DEFINE_PROP_UINT8("reg-size", TiIrqCrossbarBankState, reg_size, 2),
    DEFINE_PROP_UINT32("select-mask", TiIrqCrossbarBankState, select_mask,
                       UINT32_MAX),
    DEFINE_PROP_ARRAY("lines-without-register", TiIrqCrossbarBankState,
                      num_lines_without_register, lines_without_register,
                      qdev_prop_uint32, uint32_t),
    DEFINE_PROP_ARRAY("bypass", TiIrqCrossbarBankState, num_bypass, bypass,
                      qdev_prop_uint32, uint32_t),
    DEFINE_PROP_ARRAY("reset-map", TiIrqCrossbarBankState, num_reset_map,
                      reset_map, qdev_prop_uint32, uint32_t),
};

/* Checks the properties that are not arrays. */
static bool bank_check_shape(TiIrqCrossbarBankState *s, Error **errp)
{
    if (!s->crossbar || !s->crossbar->source) {
        error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": 'crossbar' must be a "
                   "realized " TYPE_TI_IRQ_CROSSBAR);
        return false;
    }
    if (s->num_lines < 1 || s->num_lines > MAX_LINES) {
        error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": num-lines is 1 to %d, "
                   "not %" PRIu32, MAX_LINES, s->num_lines);
        return false;
    }
    if (s->reg_size != 1 && s->reg_size != 2 && s->reg_size != 4) {
        error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": reg-size is 1, 2 or 4, "
                   "not %u", s->reg_size);
        return false;
    }
    return true;
}

static bool bank_check_arrays(TiIrqCrossbarBankState *s, Error **errp)
{
    for (uint32_t i = 0; i < s->num_lines_without_register; i++) {
        if (s->lines_without_register[i] >= s->num_lines) {
            error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": lines-without-"
                       "register: there is no line %" PRIu32,
                       s->lines_without_register[i]);
            return false;
        }
    }
    if (s->num_bypass % 2) {
        error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": bypass: not pairs of "
                   "line and source");
        return false;
    }
    for (uint32_t i = 0; i < s->num_bypass; i += 2) {
        if (s->bypass[i] >= s->num_lines ||
            s->bypass[i + 1] >= s->crossbar->num_sources) {
            error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": bypass: there is no "
                       "line %" PRIu32 " or no source %" PRIu32,
                       s->bypass[i], s->bypass[i + 1]);
            return false;
        }
    }
    return true;
}

/* Called once the number and size of the registers are known. */
static bool bank_check_reset_map(TiIrqCrossbarBankState *s, Error **errp)
{
    if (s->num_reset_map && s->num_reset_map != s->num_registers) {
        error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": reset-map has %" PRIu32
                   " values for %" PRIu32 " registers",
                   s->num_reset_map, s->num_registers);
        return false;
    }
    for (uint32_t i = 0; i < s->num_reset_map; i++) {
        if (s->reset_map[i] & ~s->select_mask) {
            error_setg(errp, TYPE_TI_IRQ_CROSSBAR_BANK ": reset-map: 0x%"
                       PRIx32 " does not fit a register", s->reset_map[i]);
            return false;
        }
    }
    return true;
}

/* Assigns registers, in ascending order, to the lines that have a register. */
static void bank_lay_out(TiIrqCrossbarBankState *s)
{
    g_autofree bool *without = g_new0(bool, s->num_lines);

    for (uint32_t i = 0; i < s->num_lines_without_register; i++) {
        without[s->lines_without_register[i]] = true;
    }
    s->select_mask &= MAKE_64BIT_MASK(0, 8 * s->reg_size);
    s->line = g_new0(TiIrqCrossbarLine, s->num_lines);
    s->irq = g_new0(qemu_irq, s->num_lines);
    s->line_of = g_new0(uint32_t, s->num_lines);
    s->selector = g_new0(uint32_t, s->num_lines);
    s->num_registers = 0;
    for (uint32_t i = 0; i < s->num_lines; i++) {
        s->line[i].bank = s;
        if (!without[i]) {
            s->line_of[s->num_registers++] = i;
        }
    }
}

static void bank_wire_bypass(TiIrqCrossbarBankState *s)
{
    for (uint32_t i = 0; i < s->num_bypass; i += 2) {
        TiIrqCrossbarLine *line = &s->line[s->bypass[i]];

        line->bypassed = true;
        line_follow(line, s->bypass[i + 1]);
    }
}

static void bank_free(TiIrqCrossbarBankState *s)
{
    g_clear_pointer(&s->line, g_free);
    g_clear_pointer(&s->irq, g_free);
    g_clear_pointer(&s->line_of, g_free);
    g_clear_pointer(&s->selector, g_free);
}

static void bank_realize(DeviceState *dev, Error **errp)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(dev);

    if (!bank_check_shape(s, errp) || !bank_check_arrays(s, errp)) {
        return;
    }
    bank_lay_out(s);
    if (!bank_check_reset_map(s, errp)) {
        bank_free(s);
        return;
    }
    bank_wire_bypass(s);
    s->routed_raises = s->crossbar->raises;
    qdev_init_gpio_out_named(dev, s->irq, "line", s->num_lines);
    memory_region_init_io(&s->mmio, OBJECT(dev), &bank_mmio_ops, s,
                          TYPE_TI_IRQ_CROSSBAR_BANK,
                          ROUND_UP(s->num_registers * s->reg_size, 4));
    sysbus_init_mmio(SYS_BUS_DEVICE(dev), &s->mmio);
}

static void bank_unrealize(DeviceState *dev)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(dev);

    for (uint32_t i = 0; i < s->num_lines; i++) {
        line_follow(&s->line[i], 0);
    }
}

static void bank_reset_enter(Object *obj, ResetType type)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(obj);

    for (uint32_t reg = 0; reg < s->num_registers; reg++) {
        bank_select(s, reg, s->num_reset_map ? s->reset_map[reg] : 0);
    }
}

/*
 * Skipped before a snapshot is loaded, because receivers load the levels that
 * they had, and this reset must not show them other levels.
 */
static void bank_reset_hold(Object *obj, ResetType type)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(obj);

    if (type != RESET_TYPE_SNAPSHOT_LOAD) {
        bank_drive(s, 0, s->num_registers);
    }
}

/*
 * A source may stay high during reset.  The receiver, which is reset after this
 * bank, forgets that level, so drive it again.
 */
static void bank_reset_exit(Object *obj, ResetType type)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(obj);

    for (uint32_t i = 0; i < s->num_lines; i++) {
        if (s->line[i].level && type != RESET_TYPE_SNAPSHOT_LOAD) {
            line_drive(&s->line[i]);
        }
    }
}

static void bank_get_unrouted_raises(Object *obj, Visitor *v, const char *name,
                                     void *opaque, Error **errp)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(obj);
    uint64_t value = s->crossbar ? s->crossbar->raises - s->routed_raises : 0;

    visit_type_uint64(v, name, &value, errp);
}

static void bank_finalize(Object *obj)
{
    TiIrqCrossbarBankState *s = TI_IRQ_CROSSBAR_BANK(obj);

    bank_free(s);
    g_free(s->lines_without_register);
    g_free(s->bypass);
    g_free(s->reset_map);
}

static void bank_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "TI IRQ crossbar: selectors and lines of one consumer";
    dc->realize = bank_realize;
    dc->unrealize = bank_unrealize;
    dc->vmsd = &vmstate_bank;
    device_class_set_props(dc, bank_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    rc->phases.enter = bank_reset_enter;
    rc->phases.hold = bank_reset_hold;
    rc->phases.exit = bank_reset_exit;
    object_class_property_add(oc, "unrouted-raises", "uint64",
                              bank_get_unrouted_raises, NULL, NULL, NULL);
}

static const TypeInfo crossbar_types[] = {
    {
        .name = TYPE_TI_IRQ_CROSSBAR,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(TiIrqCrossbarState),
        .instance_init = crossbar_init,
        .instance_finalize = crossbar_finalize,
        .class_init = crossbar_class_init,
    },
    {
        .name = TYPE_TI_IRQ_CROSSBAR_BANK,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(TiIrqCrossbarBankState),
        .instance_finalize = bank_finalize,
        .class_init = bank_class_init,
    },
};

DEFINE_TYPES(crossbar_types)

/* ---- For machines ------------------------------------------------------- */

DeviceState *ti_irq_crossbar_new_bank(DeviceState *crossbar, const char *name)
{
    DeviceState *bank = qdev_new(TYPE_TI_IRQ_CROSSBAR_BANK);

    object_property_add_child(OBJECT(crossbar), name, OBJECT(bank));
    object_property_set_link(OBJECT(bank), "crossbar", OBJECT(crossbar),
                             &error_abort);
    return bank;
}

DeviceState *ti_irq_crossbar_bank(DeviceState *crossbar, const char *name)
{
    return DEVICE(object_resolve_path_component(OBJECT(crossbar), name));
}

void ti_irq_crossbar_set_array(DeviceState *bank, const char *name,
                               const uint32_t *values, size_t count)
{
    QList *list = qlist_new();

    for (size_t i = 0; i < count; i++) {
        qlist_append_int(list, values[i]);
    }
    /*
     * qdev_prop_set_array() would abort if -global has set the property
     * already.
     */
    object_property_set_qobject(OBJECT(bank), name, QOBJECT(list),
                                &error_fatal);
    qobject_unref(list);
}
