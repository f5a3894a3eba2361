/*
 * AMD Geode LX display: display controller (DC), video processor (VP, with its flat panel and video
 * output blocks), video input port (VIP), GeodeLink MSRs, the VSA virtual registers that drivers
 * read, and the GPIO block of the CS5536 companion chip.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A core takes no locks and starts no threads. Only create() allocates memory.
 */
#ifndef PIXMILL_GEODE_DISPLAY_H
#define PIXMILL_GEODE_DISPLAY_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Register window: three blocks of 16 KiB, which the PCI function maps with BARs 2, 3 and 4. */
enum {
    PIXMILL_GEODE_DC = 0x0000,
    PIXMILL_GEODE_VP = 0x4000,
    PIXMILL_GEODE_VIP = 0x8000,
    PIXMILL_GEODE_BLOCK_BYTES = 0x4000,
};

/* Connected outputs, numbered as in VSA. */
typedef enum PixmillGeodeOutput {
    PIXMILL_GEODE_CRT = 0,
    PIXMILL_GEODE_PANEL = 1,
    PIXMILL_GEODE_TV = 2,
    PIXMILL_GEODE_CRT_AND_PANEL = 4,
} PixmillGeodeOutput;

typedef struct PixmillGeodeDisplayConfig {
    uint32_t vram_mib; /* frame buffer size to report in MiB: even, 2 to 254; 0: 64 */
    uint32_t output;   /* PixmillGeodeOutput */
    uint32_t panel;    /* panel resolution code, 0 to 7; the X driver uses 1024x768 for 3 */
    bool no_vsa;       /* no VSA: its ports read as all ones */
} PixmillGeodeDisplayConfig;

/*
 * Class of the display core. Uses PixmillGeodeDisplayConfig, PixmillGeodeDisplayCounters,
 * PixmillGeodeDisplayFault and PixmillGeodeDisplayState. It has no draw(): see
 * pixmill_geode_display_rows().
 * read(), write(): ARGUMENT unless @size is 1, 2 or 4 and @offset is a multiple of it. A narrow
 * write keeps the register's other bytes.
 * run(): updates the DC's interrupt. Returns WAIT, with the time of the next line compare, only
 * while that interrupt is unmasked.
 * register_at(): lists the registers of DC, VP and VIP, but not palettes and filter coefficients.
 * load(): drops bits that no register has. STATE if vram_mib differs from the configuration.
 */
extern const PixmillCoreClass pixmill_geode_display;

/* ---- Scan-out ----------------------------------------------------------- */

/* Maximum picture size, the limit of the timing registers. Larger pictures are not shown. */
enum {
    PIXMILL_GEODE_MAX_WIDTH = 4096,
    PIXMILL_GEODE_MAX_HEIGHT = 2048,
};

typedef enum PixmillGeodeFormat {
    PIXMILL_GEODE_PALETTE8,
    PIXMILL_GEODE_R5G6B5,
    PIXMILL_GEODE_X1R5G5B5,
    PIXMILL_GEODE_X4R4G4B4,
    PIXMILL_GEODE_X8R8G8B8,
} PixmillGeodeFormat;

/* A range of rows, @begin to @end - 1. Empty if @begin equals @end. */
typedef struct PixmillGeodeRows {
    uint32_t begin, end;
} PixmillGeodeRows;

/* A range of @length bytes at offset @start, entirely inside VRAM. */
typedef struct PixmillGeodeBytes {
    uint64_t start, length;
} PixmillGeodeBytes;

/* Layers on top of the frame buffer. */
enum {
    PIXMILL_GEODE_CURSOR,
    PIXMILL_GEODE_VIDEO,
    PIXMILL_GEODE_LAYERS,
};

typedef struct PixmillGeodeLayer {
    PixmillGeodeRows rows; /* rows that the layer covers */
    /*
     * Rows to redraw because the layer changed since the last pixmill_geode_display_scanout(): its
     * old and its new rows. The two ranges may overlap.
     */
    PixmillGeodeRows changed[2];
    /*
     * Sources of the layer in VRAM, one range per plane; unused ranges have length 0. After a guest
     * write to a source, @rows must be redrawn.
     */
    PixmillGeodeBytes source[3];
} PixmillGeodeLayer;

typedef struct PixmillGeodeScanout {
    /*
     * False if the picture is blanked, disabled or extends beyond VRAM. The screen is then black,
     * and only @width, @height and @generation are valid.
     */
    bool visible;
    /*
     * True if the picture can be shown directly from VRAM in @format: it has no palette, gamma or
     * layers, no row is longer than @pitch, and @start is a multiple of 4.
     */
    bool direct;
    uint32_t width, height; /* at least 1, even if not visible */
    uint32_t pitch;         /* bytes from row to row; may be 0, or less than a row */
    PixmillGeodeFormat format;
    uint64_t start; /* offset of the first row in VRAM */
    /* All rows must be redrawn when this changes. Never 0. */
    uint32_t generation;
    PixmillGeodeLayer layer[PIXMILL_GEODE_LAYERS];
} PixmillGeodeScanout;

/*
 * Describes the current picture. Costs no more than a few register reads. Reports the changed rows
 * of layers only once, so there must be only one caller. To update a screen, call this, then
 * pixmill_geode_display_rows() for the dirty rows: all rows if @out->generation changed, else the
 * changed rows of the layers and the rows whose VRAM was written. Returns @out->visible.
 * @vram_size: size of VRAM in bytes.
 * @out: receives the description.
 * Thread: serialized.
 */
bool pixmill_geode_display_scanout(PixmillCore *core, uint64_t vram_size, PixmillGeodeScanout *out);

/*
 * Draws rows of the picture that the last pixmill_geode_display_scanout() described, as x8r8g8b8 in
 * host byte order with all X bits set. Draws black if the picture is not visible. Does nothing if
 * @pitch is shorter than a row.
 * @vram: contents of VRAM. No other memory is read.
 * @vram_size: size of VRAM in bytes. If it is smaller than at the scan-out, the rows are black.
 * @begin, @end: rows @begin to @end - 1; rows outside the picture are ignored.
 * @pixels: receives row y at @pixels + y * @pitch. Aligned to 4 bytes.
 * @pitch: bytes, a multiple of 4.
 * Thread: serialized.
 */
void pixmill_geode_display_rows(PixmillCore *core, const void *vram, uint64_t vram_size,
                                uint32_t begin, uint32_t end, void *pixels, size_t pitch);

/* ---- Timing ------------------------------------------------------------- */

typedef struct PixmillGeodeBeam {
    bool running;     /* the timing generator is enabled; if not, the rest is invalid */
    bool blank;       /* in vertical blank */
    uint32_t line;    /* current line; 0 is the first visible one */
    int64_t frame_ns; /* time between vertical blanks */
    int64_t blank_ns; /* guest time at which the next vertical blank begins */
} PixmillGeodeBeam;

/*
 * Stores the current beam position in *@out, for operations that wait for the vertical blank.
 * Thread: serialized.
 */
void pixmill_geode_display_beam(const PixmillCore *core, PixmillGeodeBeam *out);

/* ---- GeodeLink MSRs ----------------------------------------------------- */

/*
 * Perform the CPU's RDMSR or WRMSR of the GeodeLink register @msr. Return false if there is no such
 * MSR; RDMSR then stores 0 in *@value. The graphics processor's own MSRs (A0002000h to A0002005h)
 * are in geode.h.
 * Thread: serialized.
 */
bool pixmill_geode_display_rdmsr(const PixmillCore *core, uint32_t msr, uint64_t *value);
bool pixmill_geode_display_wrmsr(PixmillCore *core, uint32_t msr, uint64_t value);

/* ---- VSA virtual registers ---------------------------------------------- */

#define PIXMILL_GEODE_VSA_PORT 0xAC1Cu /* first of four byte ports */

/*
 * Perform a guest access to port PIXMILL_GEODE_VSA_PORT + @offset.
 * @offset: 0 to 3.
 * @size: 1, 2 or 4 bytes.
 * Thread: serialized.
 * Source: coreboot vr.h, linux cs5535.h.
 */
uint32_t pixmill_geode_vsa_read(const PixmillCore *core, uint32_t offset, uint32_t size);
void pixmill_geode_vsa_write(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t value);

/* ---- GPIO of the CS5536 ------------------------------------------------- */

enum {
    PIXMILL_CS5536_GPIO_BYTES = 0x100, /* size of the block's I/O ports */
    PIXMILL_CS5536_GPIO_SCL = 3,       /* pins of the display's I2C bus */
    PIXMILL_CS5536_GPIO_SDA = 4,
};

/*
 * Complete state of the block. The device that embeds it migrates it, and sets it to zero on reset.
 */
typedef struct PixmillCs5536Gpio {
    uint32_t reg[PIXMILL_CS5536_GPIO_BYTES / 4];
} PixmillCs5536Gpio;

/*
 * Perform a guest access to the GPIO block. Accesses outside the block and misaligned accesses read
 * 0 and write nothing.
 * @offset: byte offset.
 * @size: 1, 2 or 4 bytes.
 * @pins: levels of the 32 pins as driven by other devices; 1 for a pin that none of them drives.
 * Thread: serialized per @gpio.
 * Source: linux cs5535.h.
 */
uint32_t pixmill_cs5536_gpio_read(const PixmillCs5536Gpio *gpio, uint32_t offset, uint32_t size,
                                  uint32_t pins);
void pixmill_cs5536_gpio_write(PixmillCs5536Gpio *gpio, uint32_t offset, uint32_t size,
                               uint32_t value);
/*
 * Returns the levels that the block drives, 1 for pins that it does not drive.
 * Thread: serialized per @gpio.
 */
uint32_t pixmill_cs5536_gpio_pins(const PixmillCs5536Gpio *gpio);

/* ---- Introspection, fault injection ------------------------------------- */

typedef struct PixmillGeodeDisplayCounters {
    uint64_t locked_writes; /* writes dropped because DC_UNLOCK did not hold the key */
    uint64_t rows;          /* rows drawn */
    uint64_t interrupts;    /* rising edges of the line */
} PixmillGeodeDisplayCounters;

typedef enum PixmillGeodeDisplayFault {
    PIXMILL_GEODE_FAULT_VSYNC_LOSS, /* immediately sets VSYNC_LOSS_STATUS in DC_IRQ */
} PixmillGeodeDisplayFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_GEODE_DC_WORDS = 0xF0 / 4,
    PIXMILL_GEODE_VP_WORDS = 0x810 / 4,
    PIXMILL_GEODE_VIP_WORDS = 0x84 / 4,
    PIXMILL_GEODE_PALETTE = 261, /* 256 colors, 2 of the cursor, 2 of the icon, border */
    PIXMILL_GEODE_MSRS = 25,
    PIXMILL_GEODE_VSA_REGISTERS = 5,
};

/* The complete state. */
typedef struct PixmillGeodeDisplayState {
    uint64_t msr[PIXMILL_GEODE_MSRS]; /* in the order of the table in msrs.cpp */
    int64_t line_ns;                  /* next time of the line compare; INT64_MAX: never */

    /* The state can be loaded only by a core with the same value. */
    uint32_t vram_mib;

    uint32_t dc[PIXMILL_GEODE_DC_WORDS];
    uint32_t vp[PIXMILL_GEODE_VP_WORDS];
    uint32_t vip[PIXMILL_GEODE_VIP_WORDS];

    uint32_t palette[PIXMILL_GEODE_PALETTE];
    uint32_t gamma[256];
    uint32_t graphics_filter[3 * 256]; /* DC: 256 pairs of horizontal words, 256 vertical words */
    uint32_t video_filter[1024];       /* coefficients of the VP */

    uint32_t vsa[PIXMILL_GEODE_VSA_REGISTERS]; /* in the order of the table in vsa.cpp */
    uint32_t vsa_index;
    uint32_t vsa_unlocked; /* the next write to the index port selects a register */

    uint32_t irq_level; /* level last passed to set_irq() */
} PixmillGeodeDisplayState;

#ifdef __cplusplus
}
#endif

#endif
