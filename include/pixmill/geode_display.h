/*
 * The display side of an AMD Geode LX: display controller (DC), video processor (VP, with its flat
 * panel and video output blocks), video input port (VIP), the GeodeLink MSRs and VSA virtual
 * registers that drivers read; and the GPIO block of its companion CS5536.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A core has no locks and starts no threads.  Nothing but create() allocates memory.
 */
#ifndef PIXMILL_GEODE_DISPLAY_H
#define PIXMILL_GEODE_DISPLAY_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The register window: 16 KiB each of what the PCI function shows as BARs 2, 3 and 4. */
enum {
    PIXMILL_GEODE_DC = 0x0000,
    PIXMILL_GEODE_VP = 0x4000,
    PIXMILL_GEODE_VIP = 0x8000,
    PIXMILL_GEODE_BLOCK_BYTES = 0x4000,
};

/* What VSA says is connected; its numbers. */
typedef enum PixmillGeodeOutput {
    PIXMILL_GEODE_CRT = 0,
    PIXMILL_GEODE_PANEL = 1,
    PIXMILL_GEODE_TV = 2,
    PIXMILL_GEODE_CRT_AND_PANEL = 4,
} PixmillGeodeOutput;

typedef struct PixmillGeodeDisplayConfig {
    uint32_t vram_mib; /* the frame buffer that is reported: even, 2 to 254; 0: 64 */
    uint32_t output;   /* PixmillGeodeOutput */
    uint32_t panel;    /* resolution of the panel, 0 to 7: X takes 3 for 1024x768 */
    bool no_vsa;       /* the VSA ports float */
} PixmillGeodeDisplayConfig;

/*
 * Creates from a PixmillGeodeDisplayConfig; counts in PixmillGeodeDisplayCounters, injects
 * PixmillGeodeDisplayFault, saves and loads PixmillGeodeDisplayState.  Draws nothing by itself:
 * pixmill_geode_display_rows().
 * read(), write(): ARGUMENT unless the size is 1, 2 or 4 and the offset a multiple of it.  A narrow
 * write leaves the register's other bytes as they are.
 * run(): raises the DC's interrupt, and waits for a line only where that interrupt is unmasked.
 * register_at(): DC, VP, VIP.  Palettes and coefficients are not listed.
 * load(): bits that no register has are dropped; STATE for one of another vram_mib.
 */
extern const PixmillCoreClass pixmill_geode_display;

/* ---- Scan-out ----------------------------------------------------------- */

/* Larger pictures are not shown: as many pixels and lines as the timing registers can count. */
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

/* Rows from @begin up to @end; none where they are equal. */
typedef struct PixmillGeodeRows {
    uint32_t begin, end;
} PixmillGeodeRows;

/* @length bytes of VRAM from @start on; inside of VRAM. */
typedef struct PixmillGeodeBytes {
    uint64_t start, length;
} PixmillGeodeBytes;

/* What is shown on top of the frame buffer. */
enum {
    PIXMILL_GEODE_CURSOR,
    PIXMILL_GEODE_VIDEO,
    PIXMILL_GEODE_LAYERS,
};

typedef struct PixmillGeodeLayer {
    PixmillGeodeRows rows; /* that it covers */
    /* Rows to draw anew, those that it has left among them, since it is not as it was at the last
     * pixmill_geode_display_scanout(); two ranges, which may overlap. */
    PixmillGeodeRows changed[2];
    /* VRAM that it shows: whoever writes there changes @rows.  Planes; length 0: none. */
    PixmillGeodeBytes source[3];
} PixmillGeodeLayer;

typedef struct PixmillGeodeScanout {
    /* False: blanked, not enabled, or beyond VRAM.  The screen is then black, and no more than
     * @width, @height and @generation mean anything. */
    bool visible;
    /* Rows of VRAM are the picture, in @format: no palette, no gamma, no layer; a row is not
     * longer than @pitch, and @start is a multiple of 4. */
    bool direct;
    uint32_t width, height; /* 1 or more, also where nothing is visible */
    uint32_t pitch;         /* bytes from a row to the next; may be less than a row, or 0 */
    PixmillGeodeFormat format;
    uint64_t start; /* of the first row, in VRAM */
    /* All rows are to be drawn anew when this changes; never 0. */
    uint32_t generation;
    PixmillGeodeLayer layer[PIXMILL_GEODE_LAYERS];
} PixmillGeodeScanout;

/*
 * What is on the screen, of a VRAM of @vram_size bytes; as cheap as a look at some registers.
 * Whoever shows the picture calls this, then pixmill_geode_display_rows() for the rows that have
 * changed: all if the generation has, else those of the layers, and those whose bytes of VRAM were
 * written.  The caller is one: a call takes the changes off.
 * Returns @out->visible.
 */
bool pixmill_geode_display_scanout(PixmillCore *core, uint64_t vram_size, PixmillGeodeScanout *out);

/*
 * Draws rows @begin to @end of the picture that the last pixmill_geode_display_scanout() has
 * described, as far as it has so many: x8r8g8b8 in the host's byte order, X bits all 1.  Row y
 * goes to @pixels + y * @pitch, both multiples of 4; nothing is drawn if a row has no
 * room in it.  A picture that is not visible is black.
 * Reads nothing but the @vram_size bytes at @vram, which are those of the scan-out; fewer are
 * black.
 */
void pixmill_geode_display_rows(PixmillCore *core, const void *vram, uint64_t vram_size,
                                uint32_t begin, uint32_t end, void *pixels, size_t pitch);

/* ---- Timing ------------------------------------------------------------- */

typedef struct PixmillGeodeBeam {
    bool running;     /* the timing generator is enabled; else nothing below means anything */
    bool blank;       /* vertically */
    uint32_t line;    /* now, from 0, the first that is shown */
    int64_t frame_ns; /* between two blanks */
    int64_t blank_ns; /* guest time of the next start of a vertical blank, in the future */
} PixmillGeodeBeam;

/* Where the beam is at this moment: for operations that wait for the vertical blank. */
void pixmill_geode_display_beam(const PixmillCore *core, PixmillGeodeBeam *out);

/* ---- GeodeLink MSRs ----------------------------------------------------- */

/*
 * RDMSR and WRMSR of @msr, as the CPU sees GeodeLink.  False: there is none here, *@value is 0.
 * The graphics processor's own (A0002000h to A0002005h) are not among them.
 */
bool pixmill_geode_display_rdmsr(const PixmillCore *core, uint32_t msr, uint64_t *value);
bool pixmill_geode_display_wrmsr(PixmillCore *core, uint32_t msr, uint64_t value);

/* ---- VSA virtual registers ---------------------------------------------- */

#define PIXMILL_GEODE_VSA_PORT 0xAC1Cu /* four bytes of ports */

/* Access of @size bytes (1, 2, 4) to port PIXMILL_GEODE_VSA_PORT + @offset. */
uint32_t pixmill_geode_vsa_read(const PixmillCore *core, uint32_t offset, uint32_t size);
void pixmill_geode_vsa_write(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t value);

/* ---- GPIO of the CS5536 ------------------------------------------------- */

enum {
    PIXMILL_CS5536_GPIO_BYTES = 0x100, /* of I/O ports */
    PIXMILL_CS5536_GPIO_SCL = 3,       /* pins of the display's I2C bus */
    PIXMILL_CS5536_GPIO_SDA = 4,
};

/* All of its state: the device that has one keeps, resets (all zero) and migrates it. */
typedef struct PixmillCs5536Gpio {
    uint32_t reg[PIXMILL_CS5536_GPIO_BYTES / 4];
} PixmillCs5536Gpio;

/*
 * Access of @size bytes (1, 2, 4) to byte @offset; others read 0 and write nothing.  @pins: the
 * levels of the 32 pins as far as others than the block drive them, 1 where nobody does.
 */
uint32_t pixmill_cs5536_gpio_read(const PixmillCs5536Gpio *gpio, uint32_t offset, uint32_t size,
                                  uint32_t pins);
void pixmill_cs5536_gpio_write(PixmillCs5536Gpio *gpio, uint32_t offset, uint32_t size,
                               uint32_t value);
/* The levels that the block drives, 1 where it drives none. */
uint32_t pixmill_cs5536_gpio_pins(const PixmillCs5536Gpio *gpio);

/* ---- Introspection, fault injection ------------------------------------- */

typedef struct PixmillGeodeDisplayCounters {
    uint64_t locked_writes; /* dropped, for DC_UNLOCK did not hold the key */
    uint64_t rows;          /* drawn */
    uint64_t interrupts;    /* rising edges of the line */
} PixmillGeodeDisplayCounters;

typedef enum PixmillGeodeDisplayFault {
    PIXMILL_GEODE_FAULT_VSYNC_LOSS, /* at once: status of the DC's second interrupt */
} PixmillGeodeDisplayFault;

/* ---- Migration ---------------------------------------------------------- */

enum {
    PIXMILL_GEODE_DC_WORDS = 0xF0 / 4,
    PIXMILL_GEODE_VP_WORDS = 0x810 / 4,
    PIXMILL_GEODE_VIP_WORDS = 0x84 / 4,
    PIXMILL_GEODE_PALETTE = 261, /* colors, cursor, icon, border */
    PIXMILL_GEODE_MSRS = 25,
    PIXMILL_GEODE_VSA_REGISTERS = 5,
};

/* Everything that a core remembers. */
typedef struct PixmillGeodeDisplayState {
    uint64_t msr[PIXMILL_GEODE_MSRS]; /* in the order of the table */
    int64_t line_ns; /* when the compared line is due that sets the interrupt's status; INT64_MAX:
                      * never */

    /* Guard: must equal the loading core's. */
    uint32_t vram_mib;

    uint32_t dc[PIXMILL_GEODE_DC_WORDS];
    uint32_t vp[PIXMILL_GEODE_VP_WORDS];
    uint32_t vip[PIXMILL_GEODE_VIP_WORDS];

    uint32_t palette[PIXMILL_GEODE_PALETTE];
    uint32_t gamma[256];
    uint32_t graphics_filter[3 * 256]; /* DC: horizontal, two words each; vertical */
    uint32_t video_filter[1024];       /* VP */

    uint32_t vsa[PIXMILL_GEODE_VSA_REGISTERS]; /* in the order of the table */
    uint32_t vsa_index;
    uint32_t vsa_unlocked; /* the next write to the index port is an index */

    uint32_t irq_level; /* of the line, as set_irq() was last told */
} PixmillGeodeDisplayState;

#ifdef __cplusplus
}
#endif

#endif
