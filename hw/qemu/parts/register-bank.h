/*
 * Banks of registers that software's start-up writes and polls: clocks, power,
 * resets, pins.  They remember what is written, and a table says what else they
 * do: what is waited for is there at once.
 *
 * QEMU's hw/core/register.h describes registers one by one.  Here a row is about
 * many of them, and has one act on another: STATUS0 of 138 clock gates is a row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_REGISTER_BANK_H
#define HW_PIXMILL_REGISTER_BANK_H

#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"

typedef enum RegisterRuleKind {
    RULE_END,

    /* Reset values and writable bits. */
    RULE_RESET,     /* bits are set after a reset */
    RULE_READ_ONLY, /* bits change by other rules only */

    /*
     * Writes that do not simply store the writable bits: the first row of a
     * register does it all.  Only RULE_FALL has bits.
     */
    RULE_SET,    /* sets bits of the register at source, which is read here */
    RULE_CLEAR,  /* likewise: clears them */
    RULE_TOGGLE, /* likewise: toggles them */
    RULE_W1C,    /* a one clears its bit */
    RULE_FALL,   /* stores; those of bits that fall are set at source */

    /* Reads: all rows of a register apply, one after the other. */
    RULE_COPY,       /* bits are those of the register at source */
    RULE_WHEN_ANY,   /* bits are set while any of when is set at source */
    RULE_WHEN_ALL,   /* ... all of them are; else bits are clear */
    RULE_UNLESS_ANY, /* bits are clear while any of when is set at source */
    RULE_UNLESS_ALL, /* ... all of them are; else bits are set */
    RULE_ONES,       /* bits are set */
    RULE_ZEROS,      /* bits are clear: a request that has been met */
    RULE_LINE,       /* bits are set, too, while an input of when is high */
} RegisterRuleKind;

/* A row of a table that ends with an empty one. */
typedef struct RegisterRule {
    RegisterRuleKind kind;
    uint32_t first; /* offsets of the registers that it is about */
    uint32_t step;
    uint32_t count;
    uint32_t bits;
    int32_t source; /* offset from each of them to another of the bank */
    uint32_t when;
} RegisterRule;

/* One register, for a row. */
#define REGISTER(offset) (offset), 4, 1

typedef struct RegisterBank {
    uint32_t first; /* offset of its first register, as rules count */
    uint32_t count;
    const RegisterRule *rules;
    const uint32_t *lines; /* levels of inputs, or NULL */
    uint32_t *word;
    /* Not changed after realize. */
    uint32_t *reset;
    uint32_t *writable;
} RegisterBank;

/*
 * @size: a multiple of four.  @rules may be NULL: it only remembers.  Rows about
 * other registers than the bank's do not matter.  @lines may be NULL.
 */
void register_bank_init(RegisterBank *bank, uint32_t first, uint32_t size,
                        const RegisterRule *rules, const uint32_t *lines);
void register_bank_destroy(RegisterBank *bank);

/*
 * In realize: the value of a register at reset, and its writable bits, whatever
 * rows say of these.
 */
void register_bank_set(RegisterBank *bank, uint32_t offset, uint32_t reset,
                       uint32_t writable);

void register_bank_reset(RegisterBank *bank);

/* An aligned access of up to four bytes. */
uint32_t register_bank_read(const RegisterBank *bank, uint32_t offset,
                            unsigned size);
void register_bank_write(RegisterBank *bank, uint32_t offset, uint32_t value,
                         unsigned size);

/* The words; register_bank_post_load() undoes what no guest could write. */
#define VMSTATE_REGISTER_BANK(_field, _state)                      \
    VMSTATE_VARRAY_UINT32(_field.word, _state, _field.count, 0,    \
                          vmstate_info_uint32, uint32_t)
void register_bank_post_load(RegisterBank *bank);

/* ---- A window of the memory map ------------------------------------------ */

typedef struct RegisterBlock {
    const char *name; /* of the child of the machine */
    uint32_t base; /* an address or an offset, as the board maps it */
    uint32_t size;
    const RegisterRule *rules; /* offsets are from base */
} RegisterBlock;

/*
 * A bank as a device, with its registers as sysbus MMIO 0, realized and not
 * mapped.  A child of @parent, which owns it.
 */
SysBusDevice *register_block_create(Object *parent, const RegisterBlock *block);

#endif
