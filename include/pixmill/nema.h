/*
 * Think Silicon NEMA|GFX-P, as Goodix' GR5526, Ambiq's Apollo4 and ST's STM32U5
 * ("GPU2D") integrate it: register file, command list processor, rasteriser,
 * texture map unit, fragment processor, render output unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads: as in vivante.h.  A core's caller serialises all entry points, but
 *   - pixmill_nema_draw() may run while any other entry point but
 *     pixmill_nema_run(), _save(), _load(), _reset() and _destroy() runs;
 *   - pixmill_nema_interrupt() may be called at any time by any thread.
 *
 * Nothing here throws; bad input from the guest is never an error of a call but
 * where it says so.
 * Memory is allocated by create(), by load(), and where a primitive is started:
 * by mmio_write() of DRAW_CMD and by run().  Where these two get none, the
 * primitive is not drawn: the guest sees a bus error and its end, and the log
 * says why (PIXMILL_LOG_HOST_ERROR).
 */
#ifndef PIXMILL_NEMA_H
#define PIXMILL_NEMA_H

#include <stddef.h>

#include "host.h"
#include "register.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PixmillNema PixmillNema;

#define PIXMILL_NEMA_WINDOW 0x1000u /* bytes of registers */

/* Lines of PixmillHost.set_irq().  FREEZE is no interrupt: GP_FLAGS 7:4. */
enum {
    PIXMILL_NEMA_IRQ_COMPLETION = 0,
    PIXMILL_NEMA_IRQ_ERROR = 1,
    PIXMILL_NEMA_FREEZE = 2,
};

typedef struct PixmillNemaConfig {
    uint32_t config;   /* CFG; 0: 0x74030105, the GR5526 */
    uint32_t config_h; /* CFG_H; 0: 0x000000e3 */
} PixmillNemaConfig;

/*
 * Makes a core in its power-on state.  Copies @config (NULL: all zero) and
 * @host; @host->user must outlive the core.  On success *@out is owned by the
 * caller.  Errors: VERSION, ARGUMENT, MEMORY.
 */
PixmillResult pixmill_nema_create(const PixmillNemaConfig *config, const PixmillHost *host,
                                  PixmillNema **out);
void pixmill_nema_destroy(PixmillNema *nema); /* NULL is allowed */

/* Power-on reset.  Lowers the interrupt lines; drops any draw in flight. */
void pixmill_nema_reset(PixmillNema *nema);

/*
 * Guest access of @size (1, 2 or 4) bytes to byte @offset of the 4 KiB window.
 * The registers know 32-bit accesses only: any other is one to the word that
 * holds it, and is logged.
 * mmio_write() returns BUSY, having done nothing, when it would start a
 * primitive (DRAW_CMD) while one is drawn or a command list runs: the hardware
 * stalls the bus.  The caller does what run() and draw() ask for, and writes again;
 * if run() then says IDLE, the bus stalls for ever (FAULT_HANG).  A list that is held
 * by a breakpoint or a GP flag does not stall the bus.
 */
PixmillResult pixmill_nema_mmio_read(PixmillNema *nema, uint32_t offset, uint32_t size,
                                     uint32_t *value);
PixmillResult pixmill_nema_mmio_write(PixmillNema *nema, uint32_t offset, uint32_t size,
                                      uint32_t value);

/* Register @offset as mmio_read() would give it, without any side effect. */
uint32_t pixmill_nema_peek(const PixmillNema *nema, uint32_t offset);

/*
 * Executes command lists until the processor idles, is held or draws, or about
 * @budget_words words are consumed (a pair is never split).  WAIT: the next pair
 * raises the completion interrupt, and the guest is about to acknowledge the last.
 */
PixmillRun pixmill_nema_run(PixmillNema *nema, uint32_t budget_words);

/*
 * Renders the primitive that run() or a write of DRAW_CMD has started, until it
 * is done, as much work as it is to copy @budget_bytes is done, about, or
 * pixmill_nema_interrupt() is called.  Whether it is done only run() knows and
 * acts on.  To be called after run() has returned DRAW, before it is called again.
 */
void pixmill_nema_draw(PixmillNema *nema, uint64_t budget_bytes);

/* Makes a running draw() return within 5 ms of its processor time.  Any thread, any time. */
void pixmill_nema_interrupt(PixmillNema *nema);

/*
 * True from the moment a write of STAT has dropped a primitive that is in flight
 * until run() has been called again.  The caller must let that draw() return
 * before the guest goes on.
 */
bool pixmill_nema_draining(const PixmillNema *nema);

/* ---- Introspection ------------------------------------------------------ */

/* Register @index in rising offset; false past the last. */
bool pixmill_nema_register(const PixmillNema *nema, size_t index, PixmillRegister *out);

typedef struct PixmillNemaCounters {
    uint64_t command_words;
    uint64_t lists; /* that have come to their end, or the ring to its stop address */
    uint64_t primitives;
    uint64_t pixels; /* written */
    uint64_t bus_errors;
    uint64_t interrupts;
} PixmillNemaCounters;

void pixmill_nema_counters(const PixmillNema *nema, PixmillNemaCounters *out);

/* ---- Fault injection ---------------------------------------------------- */

typedef enum PixmillNemaFault {
    PIXMILL_NEMA_FAULT_BUS,      /* the next memory access of a list or a primitive errs */
    PIXMILL_NEMA_FAULT_LOST_IRQ, /* the next completion interrupt is not raised */
    PIXMILL_NEMA_FAULT_HANG,     /* the list processor stops at the next pair, busy */
} PixmillNemaFault;

/* Arms @fault once. */
void pixmill_nema_inject(PixmillNema *nema, PixmillNemaFault fault);

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_NEMA_REG_WORDS = 0x400,
    PIXMILL_NEMA_DRAW_WORDS = 0x88, /* 0x000 to 0x21f: what a primitive depends on */
    PIXMILL_NEMA_IMEM_WORDS = 64,   /* 32 slots, low word first */
    PIXMILL_NEMA_STACK = 8,
};

/* Everything that a core remembers; fixed-width integers only. */
typedef struct PixmillNemaState {
    /* Guard: must equal the loading core's. */
    uint32_t config;
    uint32_t config_h;

    uint32_t reg[PIXMILL_NEMA_REG_WORDS]; /* as written; MMxx as IEEE-754 */
    uint32_t imem[PIXMILL_NEMA_IMEM_WORDS];
    uint32_t dirty_min, dirty_max; /* as DIRTYMIN and DIRTYMAX read */

    /* Command list processor. */
    uint32_t clp_run;       /* ClpRun in hw/nema/command_list_processor.hpp */
    uint32_t clp_next;      /* CMD_ADDR as a list has written it last */
    uint32_t clp_unlimited; /* resumed by RING_BUF_STORE with no words left */
    uint32_t clp_held_by;   /* GP flag lines that a pair waits for */
    uint32_t clp_depth;
    uint32_t clp_stack_address[PIXMILL_NEMA_STACK];
    uint32_t clp_stack_left[PIXMILL_NEMA_STACK];
    uint32_t clp_budget; /* pairs left before an endless list is given up */

    /* Interrupts. */
    uint32_t irq_source_a, irq_source_b;
    uint32_t irq_levels;  /* of the lines, as set_irq() was last told, a bit each */
    uint32_t irq_seen;    /* reads of CMD_LIST_ID since the completion line is up, 4 at most */
    uint32_t irq_seen_us; /* microsecond of guest time of the first, modulo 2^32 */

    /* The primitive in flight: its operands, and how far it has come. */
    uint32_t draw_active;
    uint32_t
        draw_reg[PIXMILL_NEMA_DRAW_WORDS]; /* as they were when it began; DRAW_CMD: the command */
    uint32_t draw_imem[PIXMILL_NEMA_IMEM_WORDS];
    uint32_t draw_row; /* done: rows, from the top, << 12 | pieces of the next row */
} PixmillNemaState;

/*
 * Copies the core's state to *@out, with all that draw() has done so far.  No
 * draw() may be running.
 */
void pixmill_nema_save(PixmillNema *nema, PixmillNemaState *out);

/*
 * Replaces the core's state by *@in, which is not trusted.  Does not call
 * set_irq() for levels that the state says were told; calls request_run() when
 * there is work or a line is to change.  Errors: STATE, MEMORY; the core is then
 * in its power-on state.
 */
PixmillResult pixmill_nema_load(PixmillNema *nema, const PixmillNemaState *in);

#ifdef __cplusplus
}
#endif

#endif
