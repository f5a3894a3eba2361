/*
 * Vivante GC device core: host interface, front end, MMU, drawing engines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For large draws a core starts threads of its own, which are idle outside of
 * draw() and gone after destroy().  They touch memory that map() has given to
 * the caller's thread, and call no callback; the bytes are the same.
 *
 * Memory is allocated by create() and draw() alone.  Where draw() gets none, a
 * rectangle is not drawn: the guest sees a write error on the bus, the log says
 * why (PIXMILL_LOG_HOST_ERROR), and the draw goes on with the next one.
 */
#ifndef PIXMILL_VIVANTE_H
#define PIXMILL_VIVANTE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIXMILL_VIVANTE_WINDOW 0x4000u /* bytes of registers */

enum {
    PIXMILL_VIVANTE_MAX_RENDER_THREADS = 16,
};

/*
 * Where silicon is known, or said, to do otherwise than the model's documents:
 * docs/hardware/vivante-2d.md and docs/hardware/vivante-3d.md ("Fill modes") have the sources.  A
 * bit each.
 */
typedef enum PixmillVivanteQuirk {
    /* A filter blit from UYVY to YUY2, or back, writes zeros.  gc320-imx6 and gc320-imx6qp do. */
    PIXMILL_VIVANTE_QUIRK_YUV_ORDER = 1 << 0,
    /*
     * Triangles are solid whatever PA_CONFIG's FILL_MODE is, and have a depth offset only where it
     * is solid.  gc2000-imx6q does.
     */
    PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES = 1 << 1,

    PIXMILL_VIVANTE_QUIRKS = (1 << 2) - 1, /* all of them */
} PixmillVivanteQuirk;

typedef enum PixmillVivanteJit {
    PIXMILL_VIVANTE_JIT_HOT, /* for those that have drawn much */
    PIXMILL_VIVANTE_JIT_NEVER,
    PIXMILL_VIVANTE_JIT_ALWAYS,
    PIXMILL_VIVANTE_JIT_COUNT,
} PixmillVivanteJit;

typedef struct PixmillVivanteConfig {
    const char *model;      /* "gc320-imx6", "gc2000", ...: see pixmill_vivante_model() */
    uint32_t core_clock_hz; /* clock of WAIT and of the cycle counters; 0: 400 MHz */
    uint32_t poll_min_ns;   /* shortest poll of an idling WAIT/LINK loop; 0: 20 us */
    uint32_t poll_max_ns;   /* longest; 0: 1 ms */
    /*
     * Threads that work on a large draw, the caller's included: 1 to
     * PIXMILL_VIVANTE_MAX_RENDER_THREADS; 0: as many as the host has processors, 4 at
     * most.
     */
    uint32_t render_threads;
    /* Least work of each, in bytes that are copied meanwhile, 2 MiB at most; 0: 1 MiB. */
    uint32_t render_share;
    /* PixmillVivanteQuirk bits that the core has, or has not, whatever the model says. */
    uint32_t quirks_on, quirks_off;
    /*
     * PixmillVivanteJit: machine code for programs of 3D shaders. The bytes are the same.
     * Where the build or the host has none (x86-64 with AVX2), programs are interpreted.
     */
    uint32_t jit;
} PixmillVivanteConfig;

/* Name of model @index, short names last; NULL past the end.  Any thread. */
const char *pixmill_vivante_model(size_t index);

/*
 * Creates from a PixmillVivanteConfig, which must name a model; counts in PixmillVivanteCounters,
 * injects PixmillVivanteFault, saves and loads PixmillVivanteState.
 * create(): ARGUMENT for an unknown model or way to compile, too many threads, a quirk unknown or
 * both on and off.
 * read(), write(): 1, 2 or 4 bytes, naturally aligned.  Narrow reads have no side effect, narrow
 * writes are dropped (AM57xx TRM 13.4: 32-bit accesses only).
 */
extern const PixmillCoreClass pixmill_vivante;

/*
 * Whether the core asks for its clock to be stopped: software has said so with
 * GCHOLD (AM57xx TRM, GCGPOUT0).  Register writes and resets change it.
 */
bool pixmill_vivante_standby(const PixmillCore *core);

/*
 * The guest's stores have reached memory (a write barrier that a device sees).
 * A front end that idles polls at once, instead of at its time, and asks to be
 * run if the loop has changed.  Costs a few loads.  Nothing depends on it but
 * how soon a job begins.
 */
void pixmill_vivante_barrier(PixmillCore *core);

typedef struct PixmillVivanteCounters {
    uint64_t command_words;
    uint64_t draws;
    uint64_t rectangles;
    uint64_t pixels;
    uint64_t events;
    uint64_t mmu_faults;
    uint64_t bus_errors;
    uint64_t polls;
    uint64_t draw_step; /* PixmillCoreClass.counters_draw_step */
} PixmillVivanteCounters;

/* ---- Fault injection ---------------------------------------------------- */

typedef enum PixmillVivanteFault {
    PIXMILL_VIVANTE_FAULT_MMU,      /* the next page walk of the drawing engine faults */
    PIXMILL_VIVANTE_FAULT_BUS,      /* the next memory access of the drawing engine errs */
    PIXMILL_VIVANTE_FAULT_LOST_IRQ, /* the next event does not become pending */
    PIXMILL_VIVANTE_FAULT_HANG,     /* the front end hangs at the next command */
} PixmillVivanteFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_VIVANTE_REG_WORDS = 0x210, /* register window words that can hold state */
    PIXMILL_VIVANTE_STATE_WORDS = 0x10000,
    PIXMILL_VIVANTE_LINK_STACK = 16,
    PIXMILL_VIVANTE_VG_CALLS = 4,
    PIXMILL_VIVANTE_DE_MAX_RECTS = 256,
    PIXMILL_VIVANTE_DE_MAX_DATA = 2047,
    PIXMILL_VIVANTE_DE_DRAW_STATES = 128, /* 0x1200 to 0x13ff */
    PIXMILL_VIVANTE_PROFILE_MODULES = 11,
    PIXMILL_VIVANTE_PROFILE_SIGNALS = 64,
};

/*
 * Everything that a core remembers.  Fixed-width integers only; what is not
 * here is derived.  Times are guest nanoseconds.
 */
typedef struct PixmillVivanteState {
    /* Guard: must equal the loading core's. */
    uint32_t model; /* chip model and revision: model << 16 | (revision & 0xffff) */

    /* Register window: RW registers whose value is just stored. */
    uint32_t reg[PIXMILL_VIVANTE_REG_WORDS];
    uint32_t fscale; /* clock divider in force, 1..64 of 64 */

    /* Interrupts. */
    uint32_t intr_pending;
    uint32_t intr_level; /* of the line, as set_irq() was last told */

    /* Front end. */
    uint32_t fe_run;       /* FeRun in hw/vivante/fe/front_end.hpp */
    uint32_t fe_address;   /* next qword to fetch */
    uint32_t fe_remaining; /* qwords left to prefetch */
    uint32_t fe_latch;     /* COMMAND_ADDRESS */
    uint32_t fe_latch_fresh;
    uint32_t fe_swap;           /* ENDIAN_CONTROL of the running stream */
    uint32_t fe_word[2];        /* last qword fetched */
    uint32_t fe_loop;           /* parked: address of the WAIT that it loops over */
    uint32_t fe_loop_remaining; /* prefetch budget there */
    uint32_t fe_loop_wait[2];   /* the WAIT as fetched */
    uint32_t fe_loop_link[2];   /* the LINK that closes the loop */
    uint32_t fe_loop_end;       /* address past that LINK */
    uint32_t fe_loop_ns;        /* duration of the WAIT */
    uint32_t fe_link_depth;
    uint32_t fe_link_address[PIXMILL_VIVANTE_LINK_STACK];
    uint32_t fe_link_remaining[PIXMILL_VIVANTE_LINK_STACK];
    uint32_t fe_link_read;     /* debug read pointer */
    uint32_t fe_semaphore[32]; /* armed recipients per source module, a bit each */
    int64_t fe_deadline_ns;    /* end of a WAIT or next poll */
    int64_t fe_activity_ns;    /* last sign of life, for the poll back-off */

    /* MMU v2 (v1 has registers only). */
    uint32_t mmu_mode;
    uint32_t mmu_mtlb;
    uint32_t mmu_safe;
    uint32_t mmu_safe_set;
    uint32_t mmu_extended;
    uint32_t mmu_pta_index;
    uint32_t
        mmu_frozen; /* clients stalled by a fault, or by a shader that never ends, a bit each */

    /* GPU state space, written by LOAD_STATE only. */
    uint32_t state[PIXMILL_VIVANTE_STATE_WORDS];

    /* Drawing engine (2D): the brush that PATTERN_CONFIG.INIT_TRIGGER has loaded. */
    uint32_t de_brush_config; /* PATTERN_CONFIG in force */
    uint32_t de_brush_low, de_brush_high;
    uint32_t de_brush_bg, de_brush_fg;
    uint32_t de_brush_pixel[64]; /* words of 8, 16 or 32 bits at PATTERN_ADDRESS */

    /* Drawing engine: the draw in flight, its operands, and how far it has come. */
    uint32_t de_draw_active;
    uint32_t de_draw_filter;                                /* a filter blit; else DRAW_2D */
    uint32_t de_draw_state[PIXMILL_VIVANTE_DE_DRAW_STATES]; /* as they were when it began */
    uint32_t de_draw_rects;                                 /* rectangles in de_draw_rect */
    uint32_t de_draw_rect[2 * PIXMILL_VIVANTE_DE_MAX_RECTS];
    uint32_t de_draw_data_words;
    uint32_t de_draw_data[PIXMILL_VIVANTE_DE_MAX_DATA];
    uint32_t de_draw_index;  /* rectangle being drawn */
    uint32_t de_draw_row;    /* rows of it that are done, in walking order */
    uint32_t de_draw_column; /* columns of the next row, or pixels of the line, that are done */

    /* 3D engine: the work in flight, whose states stay in @state, and how far it has come. */
    uint32_t g3d_job;        /* Engine3d::Job */
    uint32_t g3d_command[5]; /* the draw: header, type, start, count, offset */
    uint64_t g3d_place[3];   /* where the batch of primitives in work begins: Assembler::Place */
    uint32_t g3d_place_vertex[5];
    uint32_t g3d_done[2]; /* of it: tiles of the target, batches of pixels; of a resolve: rows */
    /* 3D engine: the occlusion query. */
    uint32_t g3d_counting;
    uint64_t g3d_samples; /* that have passed since OCCLUSION_QUERY_ADDR was written */

    /* Front end 2.0 of VG cores; fe_run is its run state, too. */
    uint64_t vg_fe_address; /* next qword to fetch */
    uint32_t vg_fe_left;    /* qwords until the stream has to have ended or jumped */
    uint32_t vg_fe_read;    /* qwords of this stream so far */
    uint32_t vg_fe_next;    /* CMDBUF_CURRENT: behind the last command */
    uint32_t vg_fe_queued;  /* qwords of the stream that waits for its start; 0: none */
    uint32_t vg_fe_depth;   /* of CALL */
    uint64_t vg_fe_call_address[PIXMILL_VIVANTE_VG_CALLS];
    uint32_t vg_fe_call_left[PIXMILL_VIVANTE_VG_CALLS];
    /* VG engine: the DATA in flight, whose states stay in @state, and how far it has come. */
    uint32_t vg_draw_active;
    uint64_t vg_data_address;
    uint32_t vg_data_qwords;
    uint32_t vg_draw_index; /* rectangle being drawn */
    uint32_t vg_draw_row;   /* rows of it, or of the path's window, that are done */
    uint32_t vg_draw_column;

    /* Counters. */
    int64_t cycle_base_ns[3]; /* zero points of 0x78, 0x438, 0x7c */
    uint32_t cycle_offset[3]; /* their values there */
    int64_t busy_ns;          /* engine time since the zero point of 0x7c */
    int64_t busy_since_ns;    /* -1 while no engine works */
    uint64_t read_bytes;
    uint64_t write_bytes;
    uint32_t memory_counters_frozen;
    uint32_t profile[PIXMILL_VIVANTE_PROFILE_MODULES][PIXMILL_VIVANTE_PROFILE_SIGNALS];
} PixmillVivanteState;

#ifdef __cplusplus
}
#endif

#endif
