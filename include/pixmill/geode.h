/*
 * AMD Geode LX graphics processor ("GP"): register file, BLTs and vectors, channel 3, LUT, command
 * buffer, GeodeLink MSRs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory.  The GP sees 32-bit bus addresses through PixmillHost.map(): what is not mapped reads as
 * 0, and writes to it are dropped.
 *
 * Time.  Drivers touch pixels with the processor as soon as the write that has started their
 * drawing is over.  So the bus holds a write that starts work (holding() tells) until all is done
 * that can be done.  What waits for host data or for a vertical blank does not hold the bus.
 *
 * Memory is allocated by create(), by load(), and for an operation by run() and draw(): where these
 * two get none the picture is the same, drawn with loops that need none.
 */
#ifndef PIXMILL_GEODE_H
#define PIXMILL_GEODE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_GEODE_GP_WINDOW = 0x4000, /* bytes of registers: BAR1 */
    PIXMILL_GEODE_GP_MSRS = 6,        /* A0002000h to A0002005h */
};

typedef struct PixmillGeodeGpConfig {
    /*
     * Until MSR GP CONFIG is written, the command buffer is where drivers place it that cannot
     * reach MSRs: in the last 2 MiB of the frame buffer, see
     * pixmill_geode_gp_set_frame_buffer().
     */
    uint32_t cbase_auto;
    /* Pixels that a write holds the bus for at most; then the rest is drawn behind it.  0: 64 M. */
    uint32_t held_pixels;
} PixmillGeodeGpConfig;

/*
 * Creates from a PixmillGeodeGpConfig; counts in PixmillGeodeGpCounters, injects
 * PixmillGeodeGpFault, saves and loads PixmillGeodeGpState.
 * read(), write(): 1, 2 or 4 bytes that do not cross a word; ARGUMENT for others.  The lanes of a
 * register that a write does not have keep their value.
 * write(): BUSY while the bus holds another, and where a word of host data or a third operation
 * comes while the operation before is being drawn.  A write of BLT_STATUS is never BUSY: RESET ends
 * all that.
 */
extern const PixmillCoreClass pixmill_geode_gp;

/* ---- What is around the registers: callers serialise these as write() ---- */

/* GeodeLink MSR A0002000h + @index; 0 past the last. */
uint64_t pixmill_geode_gp_read_msr(const PixmillCore *core, uint32_t index);
void pixmill_geode_gp_write_msr(PixmillCore *core, uint32_t index, uint64_t value);

/*
 * The frame buffer is @size bytes at bus address @base now (@size 0: it is not mapped).  Where the
 * command buffer is follows from it, see PixmillGeodeGpConfig.  Not part of the state: to be
 * called again after load(), and kept by reset().
 */
void pixmill_geode_gp_set_frame_buffer(PixmillCore *core, uint32_t base, uint32_t size);

/*
 * Vertical blanks begin at guest time @blank_ns and each @frame_ns before and behind it; 0, as
 * after reset(): there are none.  Operations with the throttle bit start with the next one, or
 * where there are none at once, those that wait already included.  Both are up to a second; more
 * counts as none.
 */
void pixmill_geode_gp_set_timing(PixmillCore *core, int64_t blank_ns, int64_t frame_ns);

/* ---- Introspection ------------------------------------------------------ */

typedef struct PixmillGeodeGpCounters {
    uint64_t command_words; /* of the command buffer, data included */
    uint64_t blts;
    uint64_t vectors;
    uint64_t pixels;     /* of operations, transparent ones included */
    uint64_t host_words; /* that operations have taken */
    uint64_t bus_errors; /* operations that have left memory */
    uint64_t interrupts;
    uint64_t draw_step; /* PixmillCoreClass.counters_draw_step */
} PixmillGeodeGpCounters;

/* ---- Fault injection ---------------------------------------------------- */

typedef enum PixmillGeodeGpFault {
    PIXMILL_GEODE_GP_FAULT_BUS,      /* the next memory access hits no memory */
    PIXMILL_GEODE_GP_FAULT_LOST_IRQ, /* the next interrupt is not raised */
} PixmillGeodeGpFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_GEODE_GP_REG_WORDS = 0x20,
    PIXMILL_GEODE_GP_LUT_WORDS = 0x200,
    PIXMILL_GEODE_GP_OPERATION_WORDS = 0x1B, /* 00h to 68h: what an operation latches */
    PIXMILL_GEODE_GP_OPERATIONS = 2,         /* one executes, one is pending */
    PIXMILL_GEODE_GP_PORTS = 2,              /* HST_SRC, CH3_HSRC */
    PIXMILL_GEODE_GP_QUEUE_WORDS = 0x5000,   /* the longest line and 64 KiB */
};

/* Everything that a core remembers; fixed-width integers only. */
typedef struct PixmillGeodeGpState {
    uint64_t msr[PIXMILL_GEODE_GP_MSRS];
    int64_t frame_ns;        /* between vertical blanks; 0: there are none */
    int64_t blank_ns;        /* the first one */
    int64_t throttle_ns;     /* the operation waits until then; 0: it does not */
    uint32_t config_written; /* MSR GP CONFIG has been: the base is no longer automatic */

    uint32_t reg[PIXMILL_GEODE_GP_REG_WORDS];
    uint32_t lut[PIXMILL_GEODE_GP_LUT_WORDS];
    uint32_t ce_settled; /* BLT_STATUS.CE tells; it does not between a reset and the next access */
    uint32_t underflow;  /* BLT_STATUS.UF */

    /* Interrupts. */
    uint32_t completed; /* an operation has been since the GP was idle */
    uint32_t irq_level; /* as set_irq() was last told */

    /* The command buffer. */
    uint32_t ring_budget;  /* words left before an endless ring is given up */
    uint32_t data_awaited; /* the packet's data follows, for its BLT, which is pending */
    uint32_t data_left;    /* words of data of the packet that is being read */
    uint32_t data_type;    /* where they go */
    uint32_t data_taken;   /* words that have gone there */
    uint32_t data_wraps;   /* the packet wraps behind them */

    uint32_t held_pixels; /* that the bus still holds the last write for; 0: it does not */

    /* The operation that executes, and the pending one. */
    uint32_t operation[PIXMILL_GEODE_GP_OPERATIONS]; /* OperationKind in gp/operations.hpp */
    uint32_t operation_reg[PIXMILL_GEODE_GP_OPERATIONS][PIXMILL_GEODE_GP_OPERATION_WORDS];
    /* 0 where it does not look at it. */
    uint32_t operation_lut[PIXMILL_GEODE_GP_OPERATIONS][PIXMILL_GEODE_GP_LUT_WORDS];
    uint32_t by_render;             /* it is drawn by hw/render: what follows is in its order */
    uint32_t done_row, done_column; /* how far it has come; a vector is a row */

    /* Host data that it has not taken yet, and words that it has. */
    uint32_t queue_count[PIXMILL_GEODE_GP_PORTS];
    uint32_t queue_taken[PIXMILL_GEODE_GP_PORTS];
    uint32_t queue[PIXMILL_GEODE_GP_PORTS][PIXMILL_GEODE_GP_QUEUE_WORDS]; /* oldest first */
} PixmillGeodeGpState;

#ifdef __cplusplus
}
#endif

#endif
