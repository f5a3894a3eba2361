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
 * completes. The bus therefore holds a write that starts work (see holding()) until that work is
 * done. Work that waits for host data or for a vertical blank does not hold the bus.
 *
 * Memory is allocated by create(), by load() and, for an operation, by run() and draw(). If run()
 * or draw() cannot allocate memory, the operation is drawn by loops that need none, with the same
 * result.
 */
#ifndef PIXMILL_GEODE_H
#define PIXMILL_GEODE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_GEODE_GP_WINDOW = 0x4000, /* size of the register window in bytes: BAR1 */
    PIXMILL_GEODE_GP_MSRS = 6,        /* MSRs A0002000h to A0002005h */
};

typedef struct PixmillGeodeGpConfig {
    /*
     * Until MSR GP CONFIG is written, assume that the command buffer is in the last 2 MiB of the
     * frame buffer, where drivers that cannot write MSRs place it. See
     * pixmill_geode_gp_set_frame_buffer().
     */
    uint32_t cbase_auto;
    /*
     * Maximum number of pixels for which a write holds the bus; the rest are drawn later. 0: 2^26.
     */
    uint32_t held_pixels;
} PixmillGeodeGpConfig;

/*
 * Class of the graphics processor. Uses PixmillGeodeGpConfig, PixmillGeodeGpCounters,
 * PixmillGeodeGpFault and PixmillGeodeGpState.
 * read(), write(): 1, 2 or 4 bytes within a word, else ARGUMENT. A narrow write keeps the
 * register's other bytes.
 * write(): BUSY while the bus holds another write. Writes of host data and of a third operation are
 * also BUSY while the previous operation is being drawn. A write of BLT_STATUS is a RESET and never
 * BUSY.
 */
extern const PixmillCoreClass pixmill_geode_gp;

/* ---- Inputs other than registers ---- */

/*
 * Read and write GeodeLink MSR A0002000h + @index.
 * @index: 0 to PIXMILL_GEODE_GP_MSRS - 1. Others read 0 and ignore writes.
 * Thread: serialized.
 */
uint64_t pixmill_geode_gp_read_msr(const PixmillCore *core, uint32_t index);
void pixmill_geode_gp_write_msr(PixmillCore *core, uint32_t index, uint64_t value);

/*
 * Sets the location of the frame buffer. With PixmillGeodeGpConfig.cbase_auto, it also determines
 * the location of the command buffer. Not part of the state: call it again after load(). Kept by
 * reset().
 * @base: bus address.
 * @size: bytes; 0: not mapped.
 * Thread: serialized.
 */
void pixmill_geode_gp_set_frame_buffer(PixmillCore *core, uint32_t base, uint32_t size);

/*
 * Sets the times of vertical blanks: @blank_ns plus or minus multiples of @frame_ns. An operation
 * with the throttle bit starts at the next blank. If there are no blanks, as after reset(), it
 * starts immediately, even if it is already waiting.
 * @blank_ns: guest time of a blank in nanoseconds.
 * @frame_ns: nanoseconds, at most 1 s. 0, or more than 1 s: no blanks.
 * Thread: serialized.
 */
void pixmill_geode_gp_set_timing(PixmillCore *core, int64_t blank_ns, int64_t frame_ns);

/* ---- Introspection ------------------------------------------------------ */

typedef struct PixmillGeodeGpCounters {
    uint64_t command_words; /* words of the command buffer, including data */
    uint64_t blts;
    uint64_t vectors;
    uint64_t pixels;     /* pixels drawn, including transparent ones */
    uint64_t host_words; /* words of host data that operations took */
    uint64_t bus_errors; /* operations that accessed unmapped memory */
    uint64_t interrupts;
    uint64_t draw_step; /* PixmillCoreClass.counters_draw_step */
} PixmillGeodeGpCounters;

/* ---- Fault injection ---------------------------------------------------- */

typedef enum PixmillGeodeGpFault {
    PIXMILL_GEODE_GP_FAULT_BUS,      /* the next memory access fails */
    PIXMILL_GEODE_GP_FAULT_LOST_IRQ, /* the next interrupt is not raised */
} PixmillGeodeGpFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_GEODE_GP_REG_WORDS = 0x20,
    PIXMILL_GEODE_GP_LUT_WORDS = 0x200,
    PIXMILL_GEODE_GP_OPERATION_WORDS = 0x1B, /* registers 00h to 68h, latched by an operation */
    PIXMILL_GEODE_GP_OPERATIONS = 2,         /* one executing, one pending */
    PIXMILL_GEODE_GP_PORTS = 2,              /* HST_SRC, CH3_HSRC */
    PIXMILL_GEODE_GP_QUEUE_WORDS = 0x5000,   /* room for the longest line and 64 KiB */
};

/* The complete state; fixed-width integers only. */
typedef struct PixmillGeodeGpState {
    uint64_t msr[PIXMILL_GEODE_GP_MSRS];
    int64_t frame_ns;        /* time between vertical blanks; 0: no blanks */
    int64_t blank_ns;        /* time of a blank */
    int64_t throttle_ns;     /* time of the blank that an operation waits for; 0: none */
    uint32_t config_written; /* MSR GP CONFIG was written: cbase_auto has no effect */

    uint32_t reg[PIXMILL_GEODE_GP_REG_WORDS];
    uint32_t lut[PIXMILL_GEODE_GP_LUT_WORDS];
    uint32_t ce_settled; /* BLT_STATUS.CE is valid; 0 from a reset to the next access */
    uint32_t underflow;  /* BLT_STATUS.UF */

    /* Interrupts. */
    uint32_t completed; /* an operation has completed since the GP was last idle */
    uint32_t irq_level; /* level last passed to set_irq() */

    /* The command buffer. */
    uint32_t ring_budget;  /* words left before the ring counts as endless */
    uint32_t data_awaited; /* data follows the packet's BLT, which is still pending */
    uint32_t data_left;    /* words of data left in the current packet */
    uint32_t data_type;    /* destination of the data */
    uint32_t data_taken;   /* words of data transferred */
    uint32_t data_wraps;   /* CMD_READ wraps after this packet */

    uint32_t held_pixels; /* pixels for which the bus holds the last write; 0: not held */

    /* The executing and the pending operation. */
    uint32_t operation[PIXMILL_GEODE_GP_OPERATIONS]; /* OperationKind in gp/operations.hpp */
    uint32_t operation_reg[PIXMILL_GEODE_GP_OPERATIONS][PIXMILL_GEODE_GP_OPERATION_WORDS];
    /* All zero if the operation does not use the LUT. */
    uint32_t operation_lut[PIXMILL_GEODE_GP_OPERATIONS][PIXMILL_GEODE_GP_LUT_WORDS];
    uint32_t by_render;             /* drawn by hw/render, in the order of hw/render */
    uint32_t done_row, done_column; /* progress of the operation; a vector is one row */

    /* Host data: numbers of queued words and of words already taken, and the queued words. */
    uint32_t queue_count[PIXMILL_GEODE_GP_PORTS];
    uint32_t queue_taken[PIXMILL_GEODE_GP_PORTS];
    uint32_t queue[PIXMILL_GEODE_GP_PORTS][PIXMILL_GEODE_GP_QUEUE_WORDS]; /* oldest first */
} PixmillGeodeGpState;

#ifdef __cplusplus
}
#endif

#endif
