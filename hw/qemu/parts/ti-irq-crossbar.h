/*
 * TI IRQ crossbar: any interrupt source to any line of an interrupt consumer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two types.  The crossbar takes the sources: GPIO inputs "source", numbered
 * as its selectors number them; 0 means "none" and never gets anywhere.  A bank
 * serves one consumer: GPIO outputs "line", numbered as the consumer does, and
 * a window of selector registers (sysbus MMIO 0), one register for each line
 * that has any, without gaps.  A crossbar has as many banks as are made for it
 * with ti_irq_crossbar_new_bank(); all of them see the same sources.
 *
 * Properties of the crossbar:
 *   num-sources               inputs, 0 included
 *   unrouted-raises           read-only: raises of a source that no line of
 *                             any bank selects
 *
 * Properties of a bank:
 *   crossbar                  link; ti_irq_crossbar_new_bank() sets it
 *   num-lines                 outputs
 *   reg-size                  bytes of a register: 1, 2 or 4
 *   select-mask               bits of a register that are there (default: all)
 *   lines-without-register    array of lines
 *   bypass                    array of pairs: a line, and the source (0: none)
 *                             that drives it whatever its register says
 *   reset-map                 array: the selector of each register after a
 *                             reset, in the order of registers; empty: all 0
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
    uint32_t source; /* what drives the line, 0: nothing */
    bool bypassed;   /* ... and no register changes that */
    bool level;      /* as last driven */
    QLIST_ENTRY(TiIrqCrossbarLine) next; /* line of the same source */
} TiIrqCrossbarLine;

typedef struct TiIrqCrossbarSource {
    bool level;
    QLIST_HEAD(, TiIrqCrossbarLine) lines; /* of all banks */
} TiIrqCrossbarSource;

struct TiIrqCrossbarState {
    SysBusDevice parent_obj;

    uint32_t num_sources;
    TiIrqCrossbarSource *source;
    uint64_t raises; /* of any source, so far */
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
    qemu_irq *irq;         /* one for each line */
    uint32_t num_registers;
    uint32_t *line_of;     /* one for each register */
    uint32_t *selector;    /* one for each register */
    uint64_t routed_raises; /* raises that got to a line of this bank */
    uint64_t last_raise;    /* the last of them */
};

/*
 * A bank of @crossbar, which is realized, as its QOM child @name.  The caller
 * sets its properties, realizes it, maps it and connects its lines.
 */
DeviceState *ti_irq_crossbar_new_bank(DeviceState *crossbar, const char *name);

/* The bank that was made under that name. */
DeviceState *ti_irq_crossbar_bank(DeviceState *crossbar, const char *name);

/* Sets the array property @name. */
void ti_irq_crossbar_set_array(DeviceState *bank, const char *name,
                               const uint32_t *values, size_t count);

#endif
