/*
 * Think Silicon NEMA|GFX-P, as Goodix' GR5526, Ambiq's Apollo4 and ST's STM32U5
 * ("GPU2D") integrate it: register file, command list processor, rasteriser,
 * texture map unit, fragment processor, render output unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory is allocated by create(), by load(), and where a draw is started: by
 * write() of DRAW_CMD and by run().  Where these two get none, nothing is
 * drawn: the guest sees a bus error and the end of the draw, and the log says
 * why (PIXMILL_LOG_HOST_ERROR).
 */
#ifndef PIXMILL_NEMA_H
#define PIXMILL_NEMA_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

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
 * Creates from a PixmillNemaConfig; counts in PixmillNemaCounters, injects PixmillNemaFault, saves
 * and loads PixmillNemaState.
 * read(), write(): 1, 2 or 4 bytes.  The registers know 32-bit accesses only: any other is one to
 * the word that holds it, and is logged.
 * write(): BUSY when it would start a draw (DRAW_CMD) while one is in flight or a command list
 * runs.  A list that is held by a breakpoint or a GP flag does not stall the bus; a hung one does,
 * forever.
 * run(): WAIT where the next pair raises the completion interrupt, and the guest is about to
 * acknowledge the last.
 */
extern const PixmillCoreClass pixmill_nema;

/* ---- Introspection ------------------------------------------------------ */

typedef struct PixmillNemaCounters {
    uint64_t command_words;
    uint64_t lists;      /* that have come to their end, or the ring to its stop address */
    uint64_t primitives; /* draws begun */
    uint64_t pixels;     /* written */
    uint64_t bus_errors;
    uint64_t interrupts;
    uint64_t draw_step; /* PixmillCoreClass.counters_draw_step */
} PixmillNemaCounters;

/* TEX0, the usual destination, as registers. */
typedef struct PixmillNemaTarget {
    uint32_t base;    /* TEX0_BASE */
    uint32_t fstride; /* TEX0_FSTRIDE */
    uint32_t resxy;   /* TEX0_RESXY */
} PixmillNemaTarget;

/*
 * The surface that TEX0 names, for a display: true if anything was ever drawn and the core is idle
 * (lists set the three registers one after the other); otherwise *@target stays as it is.
 */
bool pixmill_nema_target(const PixmillCore *core, PixmillNemaTarget *target);

/* ---- Fault injection ---------------------------------------------------- */

typedef enum PixmillNemaFault {
    PIXMILL_NEMA_FAULT_BUS,      /* the next memory access of a list or a draw errs */
    PIXMILL_NEMA_FAULT_LOST_IRQ, /* the next completion interrupt is not raised */
    PIXMILL_NEMA_FAULT_HANG,     /* the list processor stops at the next pair, busy */
} PixmillNemaFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_NEMA_REG_WORDS = 0x400,
    PIXMILL_NEMA_DRAW_WORDS = 0x88, /* 0x000 to 0x21f: what a draw depends on */
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

    /* The draw in flight: its operands, and how far it has come. */
    uint32_t draw_active;
    uint32_t
        draw_reg[PIXMILL_NEMA_DRAW_WORDS]; /* as they were when it began; DRAW_CMD: the command */
    uint32_t draw_imem[PIXMILL_NEMA_IMEM_WORDS];
    uint32_t draw_row; /* done: rows, from the top, << 16 | pieces of the next row */
} PixmillNemaState;

#ifdef __cplusplus
}
#endif

#endif
