/*
 * TI IRQ crossbar: routes any interrupt source to any line of a consumer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * There are two types.  The crossbar has the sources: GPIO inputs "source",
 * with the numbers that selectors use; 0 means "none" and is never routed.  A
 * bank serves one consumer.  It has GPIO outputs "line", with the consumer's
 * numbers, and a window of selector registers (sysbus MMIO 0), one per line
 * that has a register, without gaps.  ti_irq_crossbar_new_bank() adds a bank to
 * a crossbar; all banks see the same sources.
 *
 * Properties of the crossbar:
 *   num-sources               inputs, including 0
 *   unrouted-raises           read-only: raises of a source that no line of
 *                             any bank selects
 *
 * Properties of a bank:
 *   crossbar                  link; ti_irq_crossbar_new_bank() sets it
 *   num-lines                 outputs
 *   reg-size                  bytes per register: 1, 2 or 4
 *   select-mask               implemented bits of a register (default: all)
 *   lines-without-register    array of lines
 *   bypass                    array of pairs: a line, and the source (0: none)
 *                             that drives it regardless of its register
 *   reset-map                 array: the selectors after reset, in the order of
 *                             registers; empty: all 0
 *   unrouted-raises           read-only: raises of a source that no line of
 *                             this bank selects
 */
#ifndef HW_PIXMILL_TI_IRQ_CROSSBAR_H
#define HW_PIXMILL_TI_IRQ_CROSSBAR_H

#include "qemu/queue.h"
#include "hw/pixmill/compat.h"

#define TYPE_TI_IRQ_CROSSBAR "ti-irq-crossbar"
OBJECT_DECLARE_SIMPLE_TYPE(TiIrqCrossbarState, TI_IRQ_CROSSBAR)

#define TYPE_TI_IRQ_CROSSBAR_BANK "ti-irq-crossbar-bank"
OBJECT_DECLARE_SIMPLE_TYPE(TiIrqCrossbarBankState, TI_IRQ_CROSSBAR_BANK)

typedef struct TiIrqCrossbarLine {
    TiIrqCrossbarBankState *bank;
    uint32_t source; /* source of the line, 0: none */
    bool bypassed;   /* no register changes the source */
    bool level;      /* level when last driven */
    QLIST_ENTRY(TiIrqCrossbarLine) next; /* other lines of the same source */
} TiIrqCrossbarLine;

typedef struct TiIrqCrossbarSource {
    bool level;
    QLIST_HEAD(, TiIrqCrossbarLine) lines; /* lines of all banks */
} TiIrqCrossbarSource;

struct TiIrqCrossbarState {
    SysBusDevice parent_obj;

    uint32_t num_sources;
    TiIrqCrossbarSource *source;
    uint64_t raises; /* raises of all sources so far */
    uint64_t unrouted_raises;
};

struct TiIrqCrossbarBankState {
    SysBusDevice parent_obj;

    TiIrqCrossbarState *crossbar;
    uint32_t num_lines;
    uint8_t reg_size;
    uint32_t select_mask;
    uint32_t num_lines_without_register;
    uint32_t *lines_without_register;
    uint32_t num_bypass;
    uint32_t *bypass;
    uint32_t num_reset_map;
    uint32_t *reset_map;

    MemoryRegion mmio;
    TiIrqCrossbarLine *line;
    qemu_irq *irq;         /* one per line */
    uint32_t num_registers;
    uint32_t *line_of;     /* one per register */
    uint32_t *selector;    /* one per register */
    uint64_t routed_raises; /* raises that reached a line of this bank */
    uint64_t last_raise;    /* crossbar's raises at the last of them */
};

/*
 * Adds a bank to @crossbar, which must be realized, as its QOM child @name.
 * The caller sets the bank's properties, realizes it, maps it and connects its
 * lines.
 */
DeviceState *ti_irq_crossbar_new_bank(DeviceState *crossbar, const char *name);

/* Returns the bank that was created with the name @name. */
DeviceState *ti_irq_crossbar_bank(DeviceState *crossbar, const char *name);

/* Sets the array property @name. */
void ti_irq_crossbar_set_array(DeviceState *bank, const char *name,
                               const uint32_t *values, size_t count);

#endif
