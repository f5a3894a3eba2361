/*
 * Vivante GC device core: host interface, front end, MMU, drawing engines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * For large draws a core starts threads, which sleep outside of draw() until destroy() ends them.
 * They access memory that the caller's thread has mapped, and make no callbacks. The number of
 * threads does not affect the result.
 *
 * Memory is allocated by create(), load(), draw() and, for 3D draws, by run(). If draw() or run()
 * cannot allocate memory, it drops the 2D rectangle, 3D draw or VG draw: the guest sees a write
 * error on the bus, the reason is logged as PIXMILL_LOG_HOST_ERROR, and execution continues.
 */
#ifndef PIXMILL_VIVANTE_H
#define PIXMILL_VIVANTE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PIXMILL_VIVANTE_WINDOW 0x4000u /* size of the register window in bytes */

enum {
    PIXMILL_VIVANTE_MAX_RENDER_THREADS = 16,
};

/*
 * Known or reported differences between silicon and the documents that the model follows, one bit
 * each. Sources: docs/hardware/vivante-2d.md and docs/hardware/vivante-3d.md.
 */
typedef enum PixmillVivanteQuirk {
    /* Filter blits between UYVY and YUY2 write zeros. Set for gc320-imx6 and gc320-imx6qp. */
    PIXMILL_VIVANTE_QUIRK_YUV_ORDER = 1 << 0,
    /*
     * Triangles are always drawn solid. PA_CONFIG.FILL_MODE affects only the depth offset, which
     * applies only if FILL_MODE is SOLID. Set for gc2000-imx6q.
     */
    PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES = 1 << 1,
    /*
     * PE_STENCIL_CONFIG_EXT2 has no effect: the masks of PE_STENCIL_CONFIG apply to both faces. Set
     * for gc2000-imx6q.
     */
    PIXMILL_VIVANTE_QUIRK_SHARED_STENCIL_MASKS = 1 << 2,
    /* Points can be larger than 8192 pixels. Set for gc2000-imx6q. */
    PIXMILL_VIVANTE_QUIRK_LARGE_POINTS = 1 << 3,

    PIXMILL_VIVANTE_QUIRKS = (1 << 4) - 1, /* all quirks */
} PixmillVivanteQuirk;

typedef enum PixmillVivanteJit {
    PIXMILL_VIVANTE_JIT_HOT, /* only programs that have shaded many pixels or vertices */
    PIXMILL_VIVANTE_JIT_NEVER,
    PIXMILL_VIVANTE_JIT_ALWAYS,
    PIXMILL_VIVANTE_JIT_COUNT,
} PixmillVivanteJit;

typedef struct PixmillVivanteConfig {
    const char *model;      /* "gc320-imx6", "gc2000", ...; see pixmill_vivante_model() */
    uint32_t core_clock_hz; /* clock of WAIT and the cycle counters; 0: 400 MHz */
    uint32_t poll_min_ns;   /* shortest poll interval of an idle WAIT/LINK loop; 0: 20 us */
    uint32_t poll_max_ns;   /* longest poll interval; 0: 1 ms */
    /*
     * Threads for a large draw, including the caller's: 1 to PIXMILL_VIVANTE_MAX_RENDER_THREADS. 0:
     * one per host processor, at most 4.
     */
    uint32_t render_threads;
    /*
     * Minimum work per thread, as the number of bytes that could be copied in the same time: at
     * most 2 MiB. 0: 1 MiB.
     */
    uint32_t render_share;
    /* PixmillVivanteQuirk bits to set and to clear, regardless of the model. */
    uint32_t quirks_on, quirks_off;
    /*
     * PixmillVivanteJit: selects the 3D shader programs to compile to machine code. Results do not
     * depend on it. Needs x86-64 with AVX2, and support in the build; otherwise programs are
     * interpreted.
     */
    uint32_t jit;
} PixmillVivanteConfig;

/*
 * Returns the name of model @index, or NULL past the last. Short names come last.
 * Thread: any.
 */
const char *pixmill_vivante_model(size_t index);

/*
 * Class of the Vivante cores. Uses PixmillVivanteConfig, which must name a model,
 * PixmillVivanteCounters, PixmillVivanteFault and PixmillVivanteState.
 * create(): ARGUMENT for an unknown model or JIT mode, too many threads, or a quirk that is unknown
 * or both on and off.
 * read(), write(): 1, 2 or 4 bytes, naturally aligned. Narrow reads have no side effects, narrow
 * writes are dropped (AM57xx TRM 13.4: 32-bit accesses only).
 */
extern const PixmillCoreClass pixmill_vivante;

/*
 * Returns true if software has set GCHOLD, which requests that the core's clock be stopped. Only
 * register writes and resets change the result.
 * Thread: serialized.
 * Source: AM57xx TRM, GCGPOUT0.
 */
bool pixmill_vivante_standby(const PixmillCore *core);

/*
 * Tells the core that the guest's earlier stores have reached memory, as after a write barrier for
 * devices. An idle front end then polls its loop immediately instead of after the poll interval,
 * and calls request_run() if the loop has changed. Costs a few loads. Only affects how soon a job
 * begins.
 * Thread: serialized.
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

/* The comments tell what happens when the fault occurs. */
typedef enum PixmillVivanteFault {
    PIXMILL_VIVANTE_FAULT_MMU,        /* a memory access of a drawing engine faults */
    PIXMILL_VIVANTE_FAULT_BUS,        /* a memory access of a drawing engine fails */
    PIXMILL_VIVANTE_FAULT_LOST_IRQ,   /* an event does not become pending */
    PIXMILL_VIVANTE_FAULT_HANG,       /* the front end hangs at a command or draw */
    PIXMILL_VIVANTE_FAULT_LATE_IRQ,   /* an event becomes pending later */
    PIXMILL_VIVANTE_FAULT_DOUBLE_IRQ, /* an event becomes pending again later */
    /* After INTR_ACKNOWLEDGE has been read, the line stays up for a while, for no reason. */
    PIXMILL_VIVANTE_FAULT_FOREIGN_IRQ,
    PIXMILL_VIVANTE_FAULT_EARLY_IDLE,  /* IDLE_STATE reads as idle while the core works */
    PIXMILL_VIVANTE_FAULT_LATE_IDLE,   /* IDLE_STATE reads as busy while the core is idle */
    PIXMILL_VIVANTE_FAULT_POSTED,      /* a write of a clock or power register is posted */
    PIXMILL_VIVANTE_FAULT_RESET_FAILS, /* a soft reset has no effect */
    PIXMILL_VIVANTE_FAULT_RESET_BUSY,  /* modules read as busy from a soft reset to the next */
    PIXMILL_VIVANTE_FAULT_STALL,       /* the front end waits after a command, then goes on */
    PIXMILL_VIVANTE_FAULT_FUSED_OFF,   /* all registers read as 0 and ignore writes */
    PIXMILL_VIVANTE_FAULT_STALE,       /* the MMU keeps translations until a flush */
    PIXMILL_VIVANTE_FAULTS,
} PixmillVivanteFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_VIVANTE_REG_WORDS = 0x210, /* words of the register window that can hold state */
    PIXMILL_VIVANTE_STATE_WORDS = 0x10000,
    PIXMILL_VIVANTE_LINK_STACK = 16,
    PIXMILL_VIVANTE_VG_CALLS = 4,
    PIXMILL_VIVANTE_DE_MAX_RECTS = 256,
    PIXMILL_VIVANTE_DE_MAX_DATA = 2047,
    PIXMILL_VIVANTE_DE_DRAW_STATES = 128, /* states 0x1200 to 0x13ff */
    PIXMILL_VIVANTE_PROFILE_MODULES = 11,
    PIXMILL_VIVANTE_PROFILE_SIGNALS = 64,
    PIXMILL_VIVANTE_TLB_CLIENTS = 5,
    PIXMILL_VIVANTE_TLB_PAGES = 128,
};

/*
 * The complete state; fixed-width integers only. Everything else is derived. Times are guest
 * nanoseconds.
 */
typedef struct PixmillVivanteState {
    /* The state can be loaded only by a core with the same value. */
    uint32_t model; /* chip model and revision: model << 16 | (revision & 0xffff) */

    /* Register window: RW registers that only store their value. */
    uint32_t reg[PIXMILL_VIVANTE_REG_WORDS];
    uint32_t fscale; /* current clock rate in 64ths of core_clock_hz: 1 to 64 */

    /* Interrupts. */
    uint32_t intr_pending;
    uint32_t intr_level; /* level last passed to set_irq() */

    /* Front end. */
    uint32_t fe_run;       /* FeRun in hw/vivante/fe/front_end.hpp */
    uint32_t fe_address;   /* address of the next qword to fetch */
    uint32_t fe_remaining; /* number of qwords left to prefetch */
    uint32_t fe_latch;     /* COMMAND_ADDRESS */
    uint32_t fe_latch_fresh;
    uint32_t fe_swap;           /* ENDIAN_CONTROL of the running stream */
    uint32_t fe_word[2];        /* last qword fetched */
    uint32_t fe_loop;           /* address of the WAIT in the idle loop */
    uint32_t fe_loop_remaining; /* fe_remaining at the loop's WAIT */
    uint32_t fe_loop_wait[2];   /* the loop's WAIT, as fetched */
    uint32_t fe_loop_link[2];   /* the LINK that closes the loop */
    uint32_t fe_loop_end;       /* address after the loop's LINK */
    uint32_t fe_loop_ns;        /* duration of the loop's WAIT */
    uint32_t fe_link_depth;
    uint32_t fe_link_address[PIXMILL_VIVANTE_LINK_STACK];
    uint32_t fe_link_remaining[PIXMILL_VIVANTE_LINK_STACK];
    uint32_t fe_link_read;     /* debug read pointer */
    uint32_t fe_semaphore[32]; /* armed recipients per source module, one bit each */
    int64_t fe_deadline_ns;    /* end of a WAIT, or time of the next poll */
    int64_t fe_activity_ns;    /* time of the last activity, from which polling backs off */

    /* MMU v2. MMU v1 has only registers. */
    uint32_t mmu_mode;
    uint32_t mmu_mtlb;
    uint32_t mmu_safe;
    uint32_t mmu_safe_set;
    uint32_t mmu_extended;
    uint32_t mmu_pta_index;
    uint32_t mmu_frozen; /* clients stalled by a fault or an endless shader, one bit each */

    /* GPU state space; only LOAD_STATE writes it. */
    uint32_t state[PIXMILL_VIVANTE_STATE_WORDS];

    /* 2D engine: the brush loaded by PATTERN_CONFIG.INIT_TRIGGER. */
    uint32_t de_brush_config; /* current PATTERN_CONFIG */
    uint32_t de_brush_low, de_brush_high;
    uint32_t de_brush_bg, de_brush_fg;
    uint32_t de_brush_pixel[64]; /* pixels at PATTERN_ADDRESS: 8, 16 or 32-bit words */

    /* 2D engine: the draw in flight, its operands and progress. */
    uint32_t de_draw_active;
    uint32_t de_draw_filter;                                /* 1: filter blit, 0: DRAW_2D */
    uint32_t de_draw_state[PIXMILL_VIVANTE_DE_DRAW_STATES]; /* states at the start of the draw */
    uint32_t de_draw_rects;                                 /* rectangles in de_draw_rect */
    uint32_t de_draw_rect[2 * PIXMILL_VIVANTE_DE_MAX_RECTS];
    uint32_t de_draw_data_words;
    uint32_t de_draw_data[PIXMILL_VIVANTE_DE_MAX_DATA];
    uint32_t de_draw_index;  /* current rectangle */
    uint32_t de_draw_row;    /* rows done of the current rectangle, in drawing order */
    uint32_t de_draw_column; /* columns done of the next row, or pixels done of a line */

    /* 3D engine: the work in flight, and its progress. Its states are in @state. */
    uint32_t g3d_job;        /* Engine3d::Job */
    uint32_t g3d_command[6]; /* the draw: header, type, start, count, offset, instances */
    uint64_t g3d_place[4];   /* start of the current batch of primitives (Assembler::Place) */
    uint32_t g3d_place_vertex[5];
    uint32_t g3d_done[2]; /* tiles and pixel batches done of a draw; rows done of a resolve */
    /* 3D engine: the occlusion query. */
    uint32_t g3d_counting;
    uint64_t g3d_samples; /* samples passed since OCCLUSION_QUERY_ADDR was written */

    /* Front end 2.0 of VG cores. Its run state is fe_run. */
    uint64_t vg_fe_address; /* address of the next qword to fetch */
    uint32_t vg_fe_left;    /* qwords left before the stream must end or jump */
    uint32_t vg_fe_read;    /* qwords of this stream read so far */
    uint32_t vg_fe_next;    /* CMDBUF_CURRENT: address after the last command */
    uint32_t vg_fe_queued;  /* qwords of the queued stream; 0: none */
    uint32_t vg_fe_depth;   /* depth of the CALL stack */
    uint64_t vg_fe_call_address[PIXMILL_VIVANTE_VG_CALLS];
    uint32_t vg_fe_call_left[PIXMILL_VIVANTE_VG_CALLS];
    /* VG engine: the DATA command in flight, and its progress. Its states are in @state. */
    uint32_t vg_draw_active;
    uint64_t vg_data_address;
    uint32_t vg_data_qwords;
    uint32_t vg_draw_index; /* current rectangle */
    uint32_t vg_draw_row;   /* rows done of the rectangle or the path's window */
    uint32_t vg_draw_column;

    /* Counters. */
    int64_t cycle_base_ns[3]; /* times at which 0x78, 0x438 and 0x7c were last set */
    uint32_t cycle_offset[3]; /* values of 0x78, 0x438 and 0x7c at cycle_base_ns */
    int64_t busy_ns;          /* time that engines were busy since 0x7c was last set */
    int64_t busy_since_ns;    /* -1 if no engine is busy */
    uint64_t read_bytes;
    uint64_t write_bytes;
    uint32_t memory_counters_frozen;
    uint32_t profile[PIXMILL_VIVANTE_PROFILE_MODULES][PIXMILL_VIVANTE_PROFILE_SIGNALS];

    /* Injected faults, by PixmillVivanteFault: see PixmillInjection. */
    uint32_t inject_unit[PIXMILL_VIVANTE_FAULTS];
    uint32_t inject_chance[PIXMILL_VIVANTE_FAULTS];
    uint64_t inject_left[PIXMILL_VIVANTE_FAULTS];   /* opportunities to the fault; 0: none */
    uint64_t inject_random[PIXMILL_VIVANTE_FAULTS]; /* state of the random number generator */
    int64_t inject_after_ns[PIXMILL_VIVANTE_FAULTS];
    int64_t inject_length_ns[PIXMILL_VIVANTE_FAULTS];
    /* Injected faults: the effects in progress. */
    uint32_t late_events; /* events that become pending at late_ns */
    int64_t late_ns;
    int64_t foreign_ns;     /* end of the interrupt that is not the core's; 0: none */
    uint32_t stuck_modules; /* IDLE_STATE bits that read as 0 until the next reset */
    uint32_t posted;        /* 1: posted_value has not reached posted_register */
    uint32_t posted_register;
    uint32_t posted_value;
    /* Translations that are kept: bits 31:12 page, bit 1 for writes, bit 0 valid. */
    uint32_t tlb_key[PIXMILL_VIVANTE_TLB_CLIENTS][PIXMILL_VIVANTE_TLB_PAGES];
    uint64_t tlb_physical[PIXMILL_VIVANTE_TLB_CLIENTS][PIXMILL_VIVANTE_TLB_PAGES];
} PixmillVivanteState;

#ifdef __cplusplus
}
#endif

#endif
