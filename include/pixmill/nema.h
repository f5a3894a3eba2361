/*
 * Think Silicon NEMA|GFX-P, as integrated in Goodix GR5526, Ambiq Apollo4 and ST STM32U5 ("GPU2D"):
 * register file, command list processor, rasterizer, texture map unit, fragment processor, render
 * output unit.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory is allocated by create(), by load() and at the start of a draw, in write() of DRAW_CMD or
 * in run(). If the host runs out of memory, the draw writes nothing: the guest sees a bus error and
 * the end of the draw, and the reason is logged as PIXMILL_LOG_HOST_ERROR.
 */
#ifndef PIXMILL_NEMA_H
#define PIXMILL_NEMA_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIXMILL_NEMA_WINDOW 0x1000u /* size of the register window in bytes */

/* Lines of PixmillHost.set_irq(). FREEZE is not an interrupt; GP_FLAGS 7:4 enable it. */
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
 * Class of the NEMA|GFX core. Uses PixmillNemaConfig, PixmillNemaCounters, PixmillNemaFault and
 * PixmillNemaState.
 * read(), write(): 1, 2 or 4 bytes. The registers support only 32-bit accesses: a narrow access is
 * logged and made to the whole word.
 * write(): BUSY if it would start a draw (DRAW_CMD) while a draw is in flight or a command list
 * runs. A list that waits for a breakpoint or a GP flag does not stall the bus. A hung list stalls
 * it forever.
 * run(): WAIT if the next pair would raise the completion interrupt while the guest is about to
 * acknowledge the previous one.
 */
extern const PixmillCoreClass pixmill_nema;

/* ---- Introspection ------------------------------------------------------ */

typedef struct PixmillNemaCounters {
    uint64_t command_words;
    uint64_t lists;      /* lists that ended, and rings that reached their stop address */
    uint64_t primitives; /* draws started */
    uint64_t pixels;     /* pixels written */
    uint64_t bus_errors;
    uint64_t interrupts;
    uint64_t draw_step; /* PixmillCoreClass.counters_draw_step */
} PixmillNemaCounters;

/* The registers of TEX0, the usual destination. */
typedef struct PixmillNemaTarget {
    uint32_t base;    /* TEX0_BASE */
    uint32_t fstride; /* TEX0_FSTRIDE */
    uint32_t resxy;   /* TEX0_RESXY */
} PixmillNemaTarget;

/*
 * Gets the surface that TEX0 describes, for a display. Returns false if no draw was ever started,
 * or if the core is not idle, because a running list sets the three registers one at a time.
 * @target: receives the surface; unchanged if false is returned.
 * Thread: serialized.
 */
bool pixmill_nema_target(const PixmillCore *core, PixmillNemaTarget *target);

/* ---- Fault injection ---------------------------------------------------- */

typedef enum PixmillNemaFault {
    PIXMILL_NEMA_FAULT_BUS,      /* the next memory access of a list or a draw fails */
    PIXMILL_NEMA_FAULT_LOST_IRQ, /* the next completion interrupt is not raised */
    PIXMILL_NEMA_FAULT_HANG,     /* the list processor hangs, busy, at the next pair */
} PixmillNemaFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_NEMA_REG_WORDS = 0x400,
    PIXMILL_NEMA_DRAW_WORDS = 0x88, /* 0x000 to 0x21f: the registers that a draw uses */
    PIXMILL_NEMA_IMEM_WORDS = 64,   /* 32 slots, low word first */
    PIXMILL_NEMA_STACK = 8,
};

/* The complete state; fixed-width integers only. */
typedef struct PixmillNemaState {
    /* The state can be loaded only by a core with the same values. */
    uint32_t config;
    uint32_t config_h;

    uint32_t reg[PIXMILL_NEMA_REG_WORDS]; /* values as written; MMxx in IEEE-754 */
    uint32_t imem[PIXMILL_NEMA_IMEM_WORDS];
    uint32_t dirty_min, dirty_max; /* values of DIRTYMIN and DIRTYMAX */

    /* Command list processor. */
    uint32_t clp_run;       /* ClpRun in hw/nema/command_list_processor.hpp */
    uint32_t clp_next;      /* CMD_ADDR as last written by a list */
    uint32_t clp_unlimited; /* started by RING_BUF_STORE while CMD_SIZE was 0 */
    uint32_t clp_held_by;   /* GP flags that a pair waits for */
    uint32_t clp_depth;
    uint32_t clp_stack_address[PIXMILL_NEMA_STACK];
    uint32_t clp_stack_left[PIXMILL_NEMA_STACK];
    uint32_t clp_budget; /* pairs left before an endless list is stopped */

    /* Interrupts. */
    uint32_t irq_source_a, irq_source_b;
    uint32_t irq_levels;  /* levels last passed to set_irq(), one bit per line */
    uint32_t irq_seen;    /* reads of CMD_LIST_ID since the completion line rose, at most 4 */
    uint32_t irq_seen_us; /* guest time in us of the first read of CMD_LIST_ID, modulo 2^32 */

    /* The draw in flight: its operands and progress. */
    uint32_t draw_active;
    uint32_t draw_reg[PIXMILL_NEMA_DRAW_WORDS]; /* registers at the start, including DRAW_CMD */
    uint32_t draw_imem[PIXMILL_NEMA_IMEM_WORDS];
    uint32_t draw_row; /* rows done from the top << 16 | chunks done of the next row */
} PixmillNemaState;

#ifdef __cplusplus
}
#endif

#endif
