/*
 * IPUv3H, the image processing unit of the i.MX6: its display path. The image converter, rotator,
 * sensor interfaces and deinterlacer only store their registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A core takes no locks and starts no threads. Only create() allocates memory.
 */
#ifndef PIXMILL_IPUV3_H
#define PIXMILL_IPUV3_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_IPUV3_WINDOW = 0x400000,
    PIXMILL_IPUV3_DIS = 2, /* display interfaces, each of which has a picture */
    /* Largest size of a picture: that of the counters that drivers use. */
    PIXMILL_IPUV3_MAX_WIDTH = 8192,
    PIXMILL_IPUV3_MAX_HEIGHT = 4096,
};

/* Output lines. */
enum {
    PIXMILL_IPUV3_SYNC,  /* interrupts of groups 1 to 4, 7, 8 and 11 to 15 */
    PIXMILL_IPUV3_ERROR, /* interrupts of groups 5, 6, 9 and 10 */
};

typedef struct PixmillIpuv3Config {
    uint32_t refresh_hz; /* frames per second of each DI, 1 to 1000; 0: 60 */
    uint32_t max_width;  /* larger pictures are not shown; 0: 4096 */
    uint32_t max_height; /* 0: 2160 */
} PixmillIpuv3Config;

/*
 * Class of the core. Uses PixmillIpuv3Config, PixmillIpuv3Counters, PixmillIpuv3Fault and
 * PixmillIpuv3State. It has no draw(): see pixmill_ipuv3_rows().
 * create(): ARGUMENT if a member of the configuration exceeds its limit.
 * read(), write(): ARGUMENT unless @size is 1, 2 or 4 and @offset is a multiple of it. A narrow
 * write keeps the register's other bytes, and is logged.
 * run(): ends the frames that are due. Returns WAIT, with the end of the next frame, while a DI
 * runs.
 * register_at(): lists registers, but not the words of memories such as CPMEM.
 */
extern const PixmillCoreClass pixmill_ipuv3;

/* ---- Scan-out ----------------------------------------------------------- */

/* A range of rows, @begin to @end - 1. Empty if @begin equals @end. */
typedef struct PixmillIpuv3Rows {
    uint32_t begin, end;
} PixmillIpuv3Rows;

/*
 * Guest memory that the picture shows: @rows rows of @length bytes, @pitch bytes apart. Row i
 * appears in the @repeat rows of the picture that begin at row @top + i * @step. No range passes
 * the end of 64-bit addresses.
 */
typedef struct PixmillIpuv3Source {
    uint64_t start; /* guest-physical address of row 0 */
    uint32_t length;
    uint32_t pitch; /* may be shorter than a row */
    uint32_t rows;
    uint32_t top, step, repeat;
} PixmillIpuv3Source;

enum {
    PIXMILL_IPUV3_SOURCES = 8, /* background and overlay: three planes and separate alpha each */
};

typedef struct PixmillIpuv3Scanout {
    /* False if the DI does not run. Then only @generation and @overlay_generation are valid. */
    bool running;
    uint32_t width, height; /* at least 1 if running */
    /* All rows must be redrawn when this changes. Never 0. */
    uint32_t generation;
    /* The rows of the overlay, the old and the new ones, must be redrawn when this changes. */
    uint32_t overlay_generation;
    PixmillIpuv3Rows overlay;
    uint32_t sources; /* number of valid elements of @source */
    PixmillIpuv3Source source[PIXMILL_IPUV3_SOURCES];
} PixmillIpuv3Scanout;

/*
 * Describes the picture of a DI as of its last frame. Any number of screens may show it: to update
 * one, call this, then pixmill_ipuv3_rows() for the rows whose source was written, and for those
 * that a new generation affects.
 * @di: 0 or 1.
 * Thread: serialized.
 */
void pixmill_ipuv3_scanout(const PixmillCore *core, uint32_t di, PixmillIpuv3Scanout *out);

/*
 * Draws rows of the picture of a DI, as x8r8g8b8 in host byte order; X bits are undefined. Rows
 * whose source is not RAM read as 0. Does nothing if the DI does not run, or if @pitch is shorter
 * than a row.
 * @di: 0 or 1.
 * @begin, @end: rows @begin to @end - 1; rows outside the picture are ignored.
 * @pixels: receives row y at @pixels + y * @pitch. Aligned to 4 bytes.
 * @pitch: bytes, a multiple of 4.
 * Thread: serialized.
 */
void pixmill_ipuv3_rows(PixmillCore *core, uint32_t di, uint32_t begin, uint32_t end, void *pixels,
                        size_t pitch);

/* ---- Timing ------------------------------------------------------------- */

/* In pixels and lines. */
typedef struct PixmillIpuv3Timing {
    bool running; /* if not, the rest is 0 */
    bool interlaced;
    uint32_t width, height; /* active area */
    uint32_t total_width, total_height;
    uint32_t left, top; /* from the start of sync to the active area */
    int64_t frame_ns;
    int64_t due_ns; /* guest time at which the current frame ends */
} PixmillIpuv3Timing;

/*
 * Describes the timing that DI @di (0 or 1) generates.
 * Thread: serialized.
 */
void pixmill_ipuv3_timing(const PixmillCore *core, uint32_t di, PixmillIpuv3Timing *out);

/* ---- Introspection, fault injection ------------------------------------- */

typedef struct PixmillIpuv3Counters {
    uint64_t frames;     /* frames ended, of both DIs */
    uint64_t flips;      /* changes of the current buffer of a display channel */
    uint64_t rows;       /* rows drawn */
    uint64_t bytes;      /* bytes of guest memory read for these rows */
    uint64_t interrupts; /* rising edges of both lines */
} PixmillIpuv3Counters;

typedef enum PixmillIpuv3Fault {
    PIXMILL_IPUV3_FAULT_LOST_FRAME, /* the next frame of a DI ends without an interrupt status */
    PIXMILL_IPUV3_FAULT_UNDERRUN,   /* immediately: new frame before end of frame, channel 23 */
} PixmillIpuv3Fault;

/* ---- Migration ---------------------------------------------------------- */

/* Sizes in 32-bit words. */
enum {
    PIXMILL_IPUV3_CM_WORDS = 0x290 / 4,
    PIXMILL_IPUV3_IDMAC_WORDS = 0x108 / 4,
    PIXMILL_IPUV3_IC_WORDS = 0x28 / 4,
    PIXMILL_IPUV3_IRT_WORDS = 0x40 / 4,
    PIXMILL_IPUV3_CSI_WORDS = 0x54 / 4,
    PIXMILL_IPUV3_DI_WORDS = 0x178 / 4,
    PIXMILL_IPUV3_SMFC_WORDS = 0x0C / 4,
    PIXMILL_IPUV3_DC_WORDS = 0x1CC / 4,
    PIXMILL_IPUV3_DMFC_WORDS = 0x38 / 4,
    PIXMILL_IPUV3_VDI_WORDS = 0x40 / 4,
    PIXMILL_IPUV3_CPMEM_WORDS = 80 * 16, /* 80 channels, of which 64 to 79 are alternates */
    PIXMILL_IPUV3_LUT_WORDS = 256,
    PIXMILL_IPUV3_SRM_WORDS = 0x1000 / 4,
    PIXMILL_IPUV3_TPM_WORDS = 0x8000 / 4,
    PIXMILL_IPUV3_TEMPLATE_WORDS = 2 * 256,

    PIXMILL_IPUV3_CHANNELS = 5,    /* display channels: 23, 51, 27, 31, 28 */
    PIXMILL_IPUV3_PARAMETERS = 10, /* words of a channel: two of 160 bits */
    PIXMILL_IPUV3_DP_WORDS = 0x5C / 4,
};

/* The complete state. */
typedef struct PixmillIpuv3State {
    int64_t due_ns[PIXMILL_IPUV3_DIS]; /* end of the current frame; INT64_MAX: the DI is off */

    uint32_t cm[PIXMILL_IPUV3_CM_WORDS];
    uint32_t idmac[PIXMILL_IPUV3_IDMAC_WORDS];
    uint32_t ic[PIXMILL_IPUV3_IC_WORDS];
    uint32_t irt[PIXMILL_IPUV3_IRT_WORDS];
    uint32_t csi[2][PIXMILL_IPUV3_CSI_WORDS];
    uint32_t di[PIXMILL_IPUV3_DIS][PIXMILL_IPUV3_DI_WORDS];
    uint32_t smfc[PIXMILL_IPUV3_SMFC_WORDS];
    uint32_t dc[PIXMILL_IPUV3_DC_WORDS];
    uint32_t dmfc[PIXMILL_IPUV3_DMFC_WORDS];
    uint32_t vdi[PIXMILL_IPUV3_VDI_WORDS];
    uint32_t cpmem[PIXMILL_IPUV3_CPMEM_WORDS];
    uint32_t lut[PIXMILL_IPUV3_LUT_WORDS];
    uint32_t srm[PIXMILL_IPUV3_SRM_WORDS];
    uint32_t tpm[PIXMILL_IPUV3_TPM_WORDS];
    uint32_t dc_template[PIXMILL_IPUV3_TEMPLATE_WORDS];

    /* As of the last frame: the parameters of the display channels, in the order of the enum. */
    uint32_t shown[PIXMILL_IPUV3_CHANNELS][PIXMILL_IPUV3_PARAMETERS];
    uint32_t shown_enabled;              /* a bit per channel */
    uint32_t shown_second;               /* channels that show buffer 1 */
    uint32_t shown_alpha;                /* channels whose alpha is in another channel */
    uint32_t dp[PIXMILL_IPUV3_DP_WORDS]; /* registers of the DP's synchronous flow in effect */
    uint32_t dp_pending;                 /* the next frame takes over the SRM's copy */

    uint32_t irq_levels; /* a bit per line */
} PixmillIpuv3State;

#ifdef __cplusplus
}
#endif

#endif
