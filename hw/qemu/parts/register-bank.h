/*
 * Banks of registers that start-up code writes and polls: clocks, power,
 * resets, pins.  Banks store what is written.  A table of rules describes the
 * rest, so that every condition that software polls for is already met.
 *
 * QEMU's hw/core/register.h describes registers one by one.  Here, a rule
 * covers many registers, and can make each of them act on another one: a single
 * rule describes STATUS0 of 138 clock gates.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_REGISTER_BANK_H
#define HW_PIXMILL_REGISTER_BANK_H

#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"

typedef enum RegisterRuleKind {
    RULE_END,

    /* Rules for reset values and writable bits. */
    RULE_RESET,     /* these bits are set after reset */
    RULE_READ_ONLY, /* only other rules change these bits */

    /*
     * Rules for writes that do more than store the writable bits.  The first
     * rule for a register applies.  Only RULE_FALL uses bits.
     */
    RULE_SET,    /* sets bits at source; reads return source */
    RULE_CLEAR,  /* clears bits at source; reads return source */
    RULE_TOGGLE, /* toggles bits at source; reads return source */
    RULE_W1C,    /* writing 1 clears the bit */
    RULE_FALL,   /* stores; also sets falling bits at source */

    /* Rules for reads: all rules for a register apply, in order. */
    RULE_COPY,       /* bits are copied from source */
    RULE_WHEN_ANY,   /* bits = any bit of when is set at source */
    RULE_WHEN_ALL,   /* bits = all bits of when are set at source */
    RULE_UNLESS_ANY, /* bits = no bit of when is set at source */
    RULE_UNLESS_ALL, /* bits = any bit of when is clear at source */
    RULE_ONES,       /* bits read as 1 */
    RULE_ZEROS,      /* bits read as 0: a request that has completed */
    RULE_LINE,       /* bits are also set while an input of when is high */
} RegisterRuleKind;

/* A rule; an empty one ends the table. */
typedef struct RegisterRule {
    RegisterRuleKind kind;
    uint32_t first; /* offsets of the registers it applies to */
    uint32_t step;
    uint32_t count;
    uint32_t bits;
    int32_t source; /* offset from each of them to its source */
    uint32_t when;
} RegisterRule;

/* Makes a rule apply to one register. */
#define REGISTER(offset) (offset), 4, 1

typedef struct RegisterBank {
    uint32_t first; /* offset of the first register, as used in rules */
    uint32_t count;
    const RegisterRule *rules;
    const uint32_t *lines; /* levels of the inputs, or NULL */
    uint32_t *word;
    /* Constant after realize. */
    uint32_t *reset;
    uint32_t *writable;
} RegisterBank;

/*
 * @size must be a multiple of four.  @rules may be NULL for plain storage;
 * rules for registers outside the bank are ignored.  @lines may be NULL.
 */
void register_bank_init(RegisterBank *bank, uint32_t first, uint32_t size,
                        const RegisterRule *rules, const uint32_t *lines);
void register_bank_destroy(RegisterBank *bank);

/*
 * Call in realize: sets the reset value and the writable bits of a register,
 * overriding the rules.
 */
void register_bank_set(RegisterBank *bank, uint32_t offset, uint32_t reset,
                       uint32_t writable);

void register_bank_reset(RegisterBank *bank);

/* Access a register: aligned, and up to four bytes. */
uint32_t register_bank_read(const RegisterBank *bank, uint32_t offset,
                            unsigned size);
void register_bank_write(RegisterBank *bank, uint32_t offset, uint32_t value,
                         unsigned size);

/*
 * Saves the registers.  register_bank_post_load() drops bits that no guest
 * could have written.
 */
#define VMSTATE_REGISTER_BANK(_field, _state)                      \
    VMSTATE_VARRAY_UINT32(_field.word, _state, _field.count, 0,    \
                          vmstate_info_uint32, uint32_t)
void register_bank_post_load(RegisterBank *bank);

/* ---- A bank as a device -------------------------------------------------- */

typedef struct RegisterBlock {
    const char *name; /* name of the child of the machine */
    uint32_t base; /* address or offset, as mapped by the board */
    uint32_t size;
    const RegisterRule *rules; /* offsets are relative to base */
    uint32_t gate; /* register whose bit 0 opens a clock gate; 0: none */
} RegisterBlock;

/*
 * GPIO output of a block with a clock gate: high from a write that shuts the
 * gate until a write that opens it, or a reset.  It starts low, because the
 * states of gates after reset are not public.  Not migrated.
 */
#define REGISTER_BLOCK_GATE_SHUT "gate-shut"

/*
 * Creates and realizes a device for a bank, with the registers as sysbus MMIO
 * 0.  The caller maps it.  It becomes a child of @parent, which owns it.
 */
SysBusDevice *register_block_create(Object *parent, const RegisterBlock *block);

#endif
