/*
 * Banks of registers that start-up code writes and polls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bitops.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "mmio-ops.h"
#include "register-bank.h"

/* ---- Rules -------------------------------------------------------------- */

static bool rule_is_about(const RegisterRule *rule, uint32_t offset)
{
    uint32_t distance = offset - rule->first;

    return distance < rule->step * rule->count && distance % rule->step == 0;
}

static uint32_t index_of(const RegisterBank *bank, uint32_t offset)
{
    return (offset - bank->first) / 4;
}

/* Returns @value with @bits set, or cleared. */
static uint32_t with_bits(uint32_t value, uint32_t bits, bool set)
{
    return set ? value | bits : value & ~bits;
}

/* Applies a rule to @value; @source is the value of its source register. */
static uint32_t rule_show(const RegisterRule *r, uint32_t value, uint32_t source,
                          uint32_t lines)
{
    uint32_t found = source & r->when;

    switch (r->kind) {
    case RULE_SET:
    case RULE_CLEAR:
    case RULE_TOGGLE:
        return source;
    case RULE_COPY:
        return (value & ~r->bits) | (source & r->bits);
    case RULE_WHEN_ANY:
        return with_bits(value, r->bits, found);
    case RULE_WHEN_ALL:
        return with_bits(value, r->bits, found == r->when);
    case RULE_UNLESS_ANY:
        return with_bits(value, r->bits, !found);
    case RULE_UNLESS_ALL:
        return with_bits(value, r->bits, found != r->when);
    case RULE_ONES:
        return with_bits(value, r->bits, true);
    case RULE_ZEROS:
        return with_bits(value, r->bits, false);
    case RULE_LINE:
        return lines & r->when ? value | r->bits : value;
    default:
        return value;
    }
}

static void store(uint32_t *reg, uint32_t value, uint32_t lanes)
{
    *reg = (*reg & ~lanes) | (value & lanes);
}

/*
 * Applies a rule to a write.  Returns false if the rule does not affect writes.
 */
static bool rule_write(RegisterBank *bank, const RegisterRule *r,
                       uint32_t offset, uint32_t value, uint32_t lanes)
{
    uint32_t *reg = &bank->word[index_of(bank, offset)];
    uint32_t i = index_of(bank, offset + r->source);
    uint32_t *source = &bank->word[i];
    uint32_t there = value & lanes & bank->writable[i];
    uint32_t old = *reg;

    lanes &= bank->writable[index_of(bank, offset)];
    switch (r->kind) {
    case RULE_SET:
        *source |= there;
        return true;
    case RULE_CLEAR:
        *source &= ~there;
        return true;
    case RULE_TOGGLE:
        *source ^= there;
        return true;
    case RULE_W1C:
        *reg &= ~(value & lanes);
        return true;
    case RULE_FALL:
        store(reg, value, lanes);
        *source |= old & ~*reg & r->bits & bank->writable[i];
        return true;
    default:
        return false;
    }
}

/* ---- Banks -------------------------------------------------------------- */

static const RegisterRule no_rules[] = { { } };

static void apply_at_first(RegisterBank *bank, const RegisterRule *r,
                           uint32_t offset)
{
    uint32_t i = index_of(bank, offset);

    if (i >= bank->count) {
        return;
    }
    assert(index_of(bank, offset + r->source) < bank->count);
    /* These rules act on whole registers and ignore bits. */
    assert(!r->bits || r->kind < RULE_SET || r->kind > RULE_W1C);
    if (r->kind == RULE_RESET) {
        bank->reset[i] |= r->bits;
    } else if (r->kind == RULE_READ_ONLY) {
        bank->writable[i] &= ~r->bits;
    }
}

void register_bank_init(RegisterBank *bank, uint32_t first, uint32_t size,
                        const RegisterRule *rules, const uint32_t *lines)
{
    *bank = (RegisterBank) {
        .first = first,
        .count = size / 4,
        .rules = rules ? rules : no_rules,
        .lines = lines,
        .word = g_new0(uint32_t, size / 4),
        .reset = g_new0(uint32_t, size / 4),
        .writable = g_new(uint32_t, size / 4),
    };
    memset(bank->writable, 0xFF, size);
    for (const RegisterRule *r = bank->rules; r->kind; r++) {
        for (uint32_t n = 0; n < r->count; n++) {
            apply_at_first(bank, r, r->first + n * r->step);
        }
    }
}

void register_bank_destroy(RegisterBank *bank)
{
    g_free(bank->word);
    g_free(bank->reset);
    g_free(bank->writable);
}

void register_bank_set(RegisterBank *bank, uint32_t offset, uint32_t reset,
                       uint32_t writable)
{
    uint32_t i = index_of(bank, offset);

    bank->reset[i] = reset;
    bank->writable[i] = writable;
}

void register_bank_reset(RegisterBank *bank)
{
    memcpy(bank->word, bank->reset, bank->count * sizeof(*bank->word));
}

static uint32_t read_word(const RegisterBank *bank, uint32_t offset)
{
    uint32_t value = bank->word[index_of(bank, offset)];
    uint32_t lines = bank->lines ? *bank->lines : 0;

    for (const RegisterRule *r = bank->rules; r->kind; r++) {
        if (rule_is_about(r, offset)) {
            value = rule_show(r, value,
                              bank->word[index_of(bank, offset + r->source)],
                              lines);
        }
    }
    return value;
}

static void write_word(RegisterBank *bank, uint32_t offset, uint32_t value,
                       uint32_t lanes)
{
    uint32_t i = index_of(bank, offset);

    for (const RegisterRule *r = bank->rules; r->kind; r++) {
        if (rule_is_about(r, offset) &&
            rule_write(bank, r, offset, value, lanes)) {
            return;
        }
    }
    store(&bank->word[i], value, lanes & bank->writable[i]);
}

uint32_t register_bank_read(const RegisterBank *bank, uint32_t offset,
                            unsigned size)
{
    return extract32(read_word(bank, offset & ~3), offset % 4 * 8, size * 8);
}

void register_bank_write(RegisterBank *bank, uint32_t offset, uint32_t value,
                         unsigned size)
{
    unsigned shift = offset % 4 * 8;

    write_word(bank, offset & ~3, value << shift,
               MAKE_64BIT_MASK(shift, size * 8));
}

void register_bank_post_load(RegisterBank *bank)
{
    for (uint32_t i = 0; i < bank->count; i++) {
        bank->word[i] = (bank->word[i] & bank->writable[i]) |
                        (bank->reset[i] & ~bank->writable[i]);
    }
}

/* ---- A window of the memory map ------------------------------------------ */

#define TYPE_REGISTER_BLOCK "register-block"
OBJECT_DECLARE_SIMPLE_TYPE(RegisterBlockState, REGISTER_BLOCK)

struct RegisterBlockState {
    SysBusDevice parent_obj;

    const RegisterBlock *block;
    uint32_t base; /* base of the block, for migration */
    MemoryRegion mmio;
    RegisterBank bank;
    qemu_irq gate_shut;
};

/* Reads a register.  Accesses are aligned; QEMU splits others. */
static uint64_t block_read(void *opaque, hwaddr addr, unsigned size)
{
    RegisterBlockState *s = opaque;
    uint32_t value = register_bank_read(&s->bank, addr, size);

    trace_pixmill_registers_read(s->block->name, addr, size, value);
    return value;
}

static void block_write(void *opaque, hwaddr addr, uint64_t value,
                        unsigned size)
{
    RegisterBlockState *s = opaque;

    trace_pixmill_registers_write(s->block->name, addr, size, value);
    register_bank_write(&s->bank, addr, value, size);
    if (s->block->gate && (addr & ~3) == s->block->gate) {
        qemu_set_irq(s->gate_shut, !(read_word(&s->bank, s->block->gate) & 1));
    }
}

static const MemoryRegionOps block_ops =
    PIXMILL_BYTE_OPS(block_read, block_write);

SysBusDevice *register_block_create(Object *parent, const RegisterBlock *block)
{
    DeviceState *dev = qdev_new(TYPE_REGISTER_BLOCK);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

    REGISTER_BLOCK(dev)->block = block;
    object_property_add_child(parent, block->name, OBJECT(dev));
    sysbus_realize_and_unref(sbd, &error_fatal);
    return sbd;
}

static void block_realize(DeviceState *dev, Error **errp)
{
    RegisterBlockState *s = REGISTER_BLOCK(dev);

    if (!s->block) {
        error_setg(errp, TYPE_REGISTER_BLOCK ": only machines can create it");
        return;
    }
    s->base = s->block->base;
    register_bank_init(&s->bank, 0, s->block->size, s->block->rules, NULL);
    memory_region_init_io(&s->mmio, OBJECT(s), &block_ops, s, s->block->name,
                          s->block->size);
    sysbus_init_mmio(SYS_BUS_DEVICE(s), &s->mmio);
}

static void block_instance_init(Object *obj)
{
    qdev_init_gpio_out_named(DEVICE(obj), &REGISTER_BLOCK(obj)->gate_shut,
                             REGISTER_BLOCK_GATE_SHUT, 1);
}

static void block_finalize(Object *obj)
{
    register_bank_destroy(&REGISTER_BLOCK(obj)->bank);
}

static void block_reset_enter(Object *obj, ResetType type)
{
    register_bank_reset(&REGISTER_BLOCK(obj)->bank);
}

static void block_reset_hold(Object *obj, ResetType type)
{
    qemu_set_irq(REGISTER_BLOCK(obj)->gate_shut, 0);
}

static int block_post_load(void *opaque, int version_id)
{
    RegisterBlockState *s = opaque;

    register_bank_post_load(&s->bank);
    return 0;
}

static const VMStateDescription vmstate_block = {
    .name = TYPE_REGISTER_BLOCK,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = block_post_load,
    .fields = (const VMStateField[]) {
        /*
         * Sections are numbered in creation order, so check that the blocks
         * match.
         */
        VMSTATE_UINT32_EQUAL(base, RegisterBlockState,
                             "the machines have different register blocks"),
        VMSTATE_UINT32_EQUAL(bank.count, RegisterBlockState, NULL),
        VMSTATE_REGISTER_BANK(bank, RegisterBlockState),
        VMSTATE_END_OF_LIST()
    },
};

static void block_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Registers for clocks, power, resets and pins";
    dc->realize = block_realize;
    dc->vmsd = &vmstate_block;
    dc->user_creatable = false; /* only machines know the layout */
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = block_reset_enter;
    RESETTABLE_CLASS(oc)->phases.hold = block_reset_hold;
}

static const TypeInfo block_types[] = {
    {
        .name = TYPE_REGISTER_BLOCK,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(RegisterBlockState),
        .instance_init = block_instance_init,
        .instance_finalize = block_finalize,
        .class_init = block_class_init,
    },
};

DEFINE_TYPES(block_types)
