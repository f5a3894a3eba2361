/*
 * AMD Geode LX graphics processor ("GP"): register file, BLTs and vectors, channel 3, LUT, command
 * buffer, GeodeLink MSRs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Memory. The GP accesses 32-bit bus addresses through PixmillHost.map(). Unmapped memory reads as
 * 0, and writes to it are dropped.
 *
 * Time. Drivers access pixels with the CPU as soon as the write that started their operation
 * completes. The bus therefore holds a write that starts work (see holding()) until all work that
 * can be done is done. Work that waits for host data or for a vertical blank does not hold the bus.
 *
 * Memory is allocated by create(), by load() and, for an operation, by run() and draw(). If the
 * last two get none, the operation is drawn by loops that need none; the picture is the same.
 */
#ifndef PIXMILL_GEODE_H
#define PIXMILL_GEODE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_GEODE_GP_WINDOW = 0x4000, /* size of the register window in bytes: BAR1 */
    PIXMILL_GEODE_GP_MSRS = 6,        /* A0002000h to A0002005h */
};

typedef struct PixmillGeodeGpConfig {
    /*
     * Until MSR GP CONFIG is written, assume the command buffer where drivers that cannot write
     * MSRs place it: in the last 2 MiB of the frame buffer. See
     * pixmill_geode_gp_set_frame_buffer().
     */
    uint32_t cbase_auto;
    /*
     * Maximum number of pixels for which a write holds the bus; the rest is drawn afterwards. 0: 64
     * M.
     */
    uint32_t held_pixels;
} PixmillGeodeGpConfig;

/*
 * Class of the graphics processor. Uses PixmillGeodeGpConfig, PixmillGeodeGpCounters,
 * PixmillGeodeGpFault and PixmillGeodeGpState.
 * read(), write(): 1, 2 or 4 bytes within a word, else ARGUMENT. A narrow write keeps the
 * register's other bytes.
 * write(): BUSY while the bus holds another write. Also BUSY for host data, or a third operation,
 * that arrives while the previous operation is being drawn. A write of BLT_STATUS is never BUSY:
 * RESET ends all that.
 */
extern const PixmillCoreClass pixmill_geode_gp;

/* ---- Inputs other than registers ---- */

/*
 * Read and write GeodeLink MSR A0002000h + @index.
 * @index: 0 to PIXMILL_GEODE_GP_MSRS - 1. Others read 0 and ignore writes.
 * Thread: serialised.
 */
uint64_t pixmill_geode_gp_read_msr(const PixmillCore *core, uint32_t index);
void pixmill_geode_gp_write_msr(PixmillCore *core, uint32_t index, uint64_t value);

/*
 * Sets the location of the frame buffer, and so that of the command buffer: see
 * PixmillGeodeGpConfig. Not part of the state: call it again after load(). Kept by reset().
 * @base: bus address.
 * @size: bytes; 0: not mapped.
 * Thread: serialised.
 */
void pixmill_geode_gp_set_frame_buffer(PixmillCore *core, uint32_t base, uint32_t size);

/*
 * Sets the times of vertical blanks: @blank_ns plus or minus multiples of @frame_ns. An operation
 * with the throttle bit starts at the next blank. Without blanks, as after reset(), it starts at
 * once, even if it is waiting already.
 * @blank_ns: guest time of a blank in nanoseconds.
 * @frame_ns: nanoseconds, at most 1 s. 0, or more than 1 s: no blanks.
 * Thread: serialised.
 */
void pixmill_geode_gp_set_timing(PixmillCore *core, int64_t blank_ns, int64_t frame_ns);

/* ---- Introspection ------------------------------------------------------ */

typedef struct PixmillGeodeGpCounters {
    uint64_t command_words; /* of the command buffer, including data */
    uint64_t blts;
    uint64_t vectors;
    uint64_t pixels;     /* of operations, including transparent ones */
    uint64_t host_words; /* taken by operations */
    uint64_t bus_errors; /* operations that left memory */
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
    PIXMILL_GEODE_GP_OPERATION_WORDS = 0x1B, /* 00h to 68h, latched by an operation */
    PIXMILL_GEODE_GP_OPERATIONS = 2,         /* one executing, one pending */
    PIXMILL_GEODE_GP_PORTS = 2,              /* HST_SRC, CH3_HSRC */
    PIXMILL_GEODE_GP_QUEUE_WORDS = 0x5000,   /* the longest line and 64 KiB */
};

/* The complete state; fixed-width integers only. */
typedef struct PixmillGeodeGpState {
    uint64_t msr[PIXMILL_GEODE_GP_MSRS];
    int64_t frame_ns;        /* period of the vertical blank; 0: no blanks */
    int64_t blank_ns;        /* time of a blank */
    int64_t throttle_ns;     /* when the waiting operation may start; 0: it does not wait */
    uint32_t config_written; /* MSR GP CONFIG was written: the base is no longer automatic */

    uint32_t reg[PIXMILL_GEODE_GP_REG_WORDS];
    uint32_t lut[PIXMILL_GEODE_GP_LUT_WORDS];
    uint32_t ce_settled; /* BLT_STATUS.CE is valid; it is not between a reset and the next access */
    uint32_t underflow;  /* BLT_STATUS.UF */

    /* Interrupts. */
    uint32_t completed; /* an operation was completed since the GP was idle */
    uint32_t irq_level; /* as last passed to set_irq() */

    /* The command buffer. */
    uint32_t ring_budget;  /* words left before an endless ring is stopped */
    uint32_t data_awaited; /* the packet's data follows; its BLT is pending */
    uint32_t data_left;    /* words of data left in the current packet */
    uint32_t data_type;    /* destination of the data */
    uint32_t data_taken;   /* words of data transferred */
    uint32_t data_wraps;   /* wrap after this packet */

    uint32_t held_pixels; /* pixels for which the bus still holds the last write; 0: it does not */

    /* The executing and the pending operation. */
    uint32_t operation[PIXMILL_GEODE_GP_OPERATIONS]; /* OperationKind in gp/operations.hpp */
    uint32_t operation_reg[PIXMILL_GEODE_GP_OPERATIONS][PIXMILL_GEODE_GP_OPERATION_WORDS];
    /* 0 if the operation does not use the LUT. */
    uint32_t operation_lut[PIXMILL_GEODE_GP_OPERATIONS][PIXMILL_GEODE_GP_LUT_WORDS];
    uint32_t by_render; /* drawn by hw/render, which defines the order of the next two */
    uint32_t done_row, done_column; /* progress; a vector is one row */

    /* Host data not taken yet, and the number of words taken. */
    uint32_t queue_count[PIXMILL_GEODE_GP_PORTS];
    uint32_t queue_taken[PIXMILL_GEODE_GP_PORTS];
    uint32_t queue[PIXMILL_GEODE_GP_PORTS][PIXMILL_GEODE_GP_QUEUE_WORDS]; /* oldest first */
} PixmillGeodeGpState;

#ifdef __cplusplus
}
#endif

#endif
