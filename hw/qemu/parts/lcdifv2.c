/*
 * NXP LCDIFv2, the display controller of the i.MX RT1170.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers: NXP MCUXpresso SDK, devices/RT/RT1170/periph/PERI_LCDIFV2.h.
 * Reset values, order of layers, safety and shadow registers, CLUT loads, YCbCr
 * conversion, and which factor applies to which layer: the SDK's driver,
 * fsl_lcdifv2.c.  Address of the CLUT: MIMXRT1176_cm7_features.h.  Porter-Duff
 * fields: figure 41-9 of the i.MX 6ULL reference manual, on the PXP, which has
 * the same fields.
 *
 * Not modeled: test patterns, inverted output, underruns.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bswap.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/watch.h"
#include "lcdifv2.h"
#include "mmio-ops.h"
#include "hw/pixmill/trace.h"

#define FRAME_NS (NANOSECONDS_PER_SECOND / 60)
#define CLUT_BASE 0x2000

enum {
    R_CTRL = 0x00 / 4,
    R_CTRL_SET = 0x04 / 4,
    R_CTRL_CLR = 0x08 / 4,
    R_CTRL_TOG = 0x0C / 4,
    R_DISP_PARA = 0x10 / 4,
    R_DISP_SIZE = 0x14 / 4,
    R_HSYN_PARA = 0x18 / 4,
    R_VSYN_PARA = 0x1C / 4,
    R_INT_STATUS = 0x20 / 4, /* domain 0; followed by ENABLE */
    R_INT_ENABLE = 0x24 / 4,
    R_DOMAIN = 0x10 / 4, /* distance between domains */
    R_LAYER = 0x200 / 4, /* CTRLDESCL1 of layer 0 */
    R_LAYER_STEP = 0x40 / 4,
    R_CSC = 0x18 / 4, /* offset in a layer */
    R_CLUT_LOAD = 0x400 / 4,

    INT_VSYNC = 1 << 0,
    INT_VS_BLANK = 1 << 2,
    INT_DMA_DONE_SHIFT = 16, /* one bit per layer */

    CLUT_LOAD_UPDATE_EN = 1 << 0,
};

#define CLUT_LOAD_NUMBER(load) extract32(load, 4, 3)
#define CSC_YCBCR_MODE (1u << 31)
#define CSC_ENABLE (1u << 30)

#define CTRL_WRITABLE 0x8000001Fu
#define DISP_ON (1u << 31)
#define DISP_MODE(para) extract32(para, 24, 2)
#define INT_ALL 0xFFFFFF07u

/* Fields of CTRLDESCL5. */
#define LAYER_EN (1u << 31)
#define LAYER_SHADOW_LOAD_EN (1u << 30)
#define LAYER_AB_MODE(l5) extract32(l5, 0, 2)
#define LAYER_PD_FACTOR(l5) extract32(l5, 4, 2)
#define LAYER_PD_GLOBAL_ALPHA(l5) extract32(l5, 6, 2)
#define LAYER_PD_INVERTS_ALPHA (1u << 8)
#define LAYER_PD_SCALES_COLOR (1u << 9)
#define LAYER_YUV_FORMAT(l5) extract32(l5, 14, 2)
#define LAYER_GLOBAL_ALPHA(l5) extract32(l5, 16, 8)
#define LAYER_BPP(l5) extract32(l5, 24, 4)

enum { L1, L2, L3, L4, L5, L6 };
enum { AB_NONE, AB_GLOBAL, AB_EMBEDDED, AB_PORTER_DUFF };
enum { FACTOR_ONE, FACTOR_ZERO, FACTOR_ALPHA, FACTOR_INVERSE };
enum { PD_ALPHA_GLOBAL, PD_ALPHA_LOCAL }; /* others: product of both */

/* ---- Formats ------------------------------------------------------------ */

typedef struct LCDIFv2Field {
    uint8_t shift;
    uint8_t bits; /* 0: absent; reads as full */
} LCDIFv2Field;

typedef enum LCDIFv2Kind {
    KIND_NONE,
    KIND_INDEX,
    KIND_RGB,
    KIND_YCBCR, /* layers 0 and 1 only */
} LCDIFv2Kind;

typedef struct LCDIFv2Format {
    LCDIFv2Kind kind;
    uint8_t bits; /* per pixel */
    LCDIFv2Field a, r, g, b;
} LCDIFv2Format;

/* Indexed by BPP. */
static const LCDIFv2Format formats[16] = {
    [0] = { KIND_INDEX, 1 },
    [1] = { KIND_INDEX, 2 },
    [2] = { KIND_INDEX, 4 },
    [3] = { KIND_INDEX, 8 },
    [4] = { KIND_RGB, 16, { 0, 0 }, { 11, 5 }, { 5, 6 }, { 0, 5 } },
    [5] = { KIND_RGB, 16, { 15, 1 }, { 10, 5 }, { 5, 5 }, { 0, 5 } },
    [6] = { KIND_RGB, 16, { 12, 4 }, { 8, 4 }, { 4, 4 }, { 0, 4 } },
    [7] = { KIND_YCBCR, 16 },
    [8] = { KIND_RGB, 24, { 0, 0 }, { 16, 8 }, { 8, 8 }, { 0, 8 } },
    [9] = { KIND_RGB, 32, { 24, 8 }, { 16, 8 }, { 8, 8 }, { 0, 8 } },
    [10] = { KIND_RGB, 32, { 24, 8 }, { 0, 8 }, { 8, 8 }, { 16, 8 } },
};

/* Byte positions in a pair of YCbCr pixels, indexed by YUV_FORMAT. */
static const struct {
    uint8_t y[2], u, v;
} ycbcr_bytes[4] = {
    { { 1, 3 }, 0, 2 },
    { { 1, 3 }, 2, 0 },
    { { 0, 2 }, 1, 3 },
    { { 0, 2 }, 3, 1 },
};

static bool can_show(int layer, uint32_t l5)
{
    const LCDIFv2Kind kind = formats[LAYER_BPP(l5)].kind;

    return kind == KIND_YCBCR ? layer < LCDIFV2_CSC_LAYERS : kind != KIND_NONE;
}

static uint32_t row_bytes(const LCDIFv2Format *format, uint32_t width)
{
    return format->kind == KIND_YCBCR ? DIV_ROUND_UP(width, 2) * 4 :
           DIV_ROUND_UP(width * format->bits, 8);
}

static uint32_t load_pixel(const uint8_t *src, uint32_t bits)
{
    switch (bits) {
    case 16:
        return lduw_le_p(src);
    case 24:
        return lduw_le_p(src) | src[2] << 16;
    default:
        return ldl_le_p(src);
    }
}

/*
 * Widens a field by replicating its high bits, so that full intensity stays
 * full.
 */
static uint32_t channel(uint32_t pixel, LCDIFv2Field field)
{
    uint32_t value = extract32(pixel, field.shift, MAX(field.bits, 1));
    uint32_t filled = 0;

    if (!field.bits) {
        return 0xFF;
    }
    for (int left = 8; left > 0; left -= field.bits) {
        filled |= left >= field.bits ? value << (left - field.bits) :
                  value >> (field.bits - left);
    }
    return filled;
}

/*
 * The order of pixels in a byte is undocumented; the model takes the first
 * pixel from the lowest bits.
 */
static uint32_t load_index(const uint8_t *row, uint32_t bits, uint32_t column)
{
    const uint32_t bit = column * bits;

    return extract32(row[bit / 8], bit % 8, bits);
}

/* Converts a sum whose coefficients are in units of 1/256, rounded down. */
static uint32_t convert(int32_t sum)
{
    return MIN(MAX(sum >> 8, 0), 255);
}

/* See LCDIFV2_SetCscMode() in fsl_lcdifv2.c. */
static uint32_t ycbcr_to_rgb(const uint32_t *csc, int32_t y, int32_t u,
                             int32_t v)
{
    const int32_t offset = sextract32(csc[0], 9, 9);
    int32_t luma;

    if (!(csc[0] & CSC_YCBCR_MODE)) { /* U and V are signed */
        u = sextract32(u, 0, 8);
        v = sextract32(v, 0, 8);
    }
    luma = sextract32(csc[0], 18, 11) * (y + sextract32(csc[0], 0, 9));
    u += offset;
    v += offset;
    return convert(luma + sextract32(csc[1], 16, 11) * v) << 16 |
           convert(luma + sextract32(csc[2], 0, 11) * u +
                   sextract32(csc[2], 16, 11) * v) << 8 |
           convert(luma + sextract32(csc[1], 0, 11) * u);
}

/* ---- Layers ------------------------------------------------------------- */

/* A layer, prepared for display. */
typedef struct LCDIFv2Source {
    const LCDIFv2Format *format;
    MemoryRegion *mr;      /* referenced; NULL: nothing to show */
    const uint8_t *pixels; /* first row */
    const uint32_t *palette;
    const uint32_t *csc; /* coefficients for YCbCr */
    uint32_t address, pitch;
    uint32_t x, y, width, height;
    uint32_t l5;
    uint32_t below; /* FACTOR_ of the layer below that scales this one */
} LCDIFv2Source;

static uint32_t screen_width(const LCDIFv2State *s)
{
    return extract32(s->reg[R_DISP_SIZE], 0, 12);
}

static uint32_t screen_height(const LCDIFv2State *s)
{
    return extract32(s->reg[R_DISP_SIZE], 16, 12);
}

static bool screen_is_on(const LCDIFv2State *s)
{
    return s->reg[R_DISP_PARA] & DISP_ON && screen_width(s) && screen_height(s);
}

static uint32_t *layer_registers(LCDIFv2State *s, int layer)
{
    return &s->reg[R_LAYER + layer * R_LAYER_STEP];
}

/* True if the layer is enabled and its registers describe a picture. */
static bool source_is_wanted(const LCDIFv2Source *source, int number)
{
    return source->l5 & LAYER_EN && can_show(number, source->l5) &&
           source->width && source->height;
}

/* A layer is shown only if all of it is in one memory region. */
static void open_source(LCDIFv2State *s, LCDIFv2Source *source, int number)
{
    const uint32_t *desc = s->layer[number].desc;
    MemoryRegionSection section;
    uint64_t bytes;

    *source = (LCDIFv2Source) {
        .format = &formats[LAYER_BPP(desc[L5])],
        .palette = &s->palette[number * LCDIFV2_CLUT_ENTRIES],
        .csc = layer_registers(s, number) + R_CSC,
        .width = extract32(desc[L1], 0, 12),
        .height = extract32(desc[L1], 16, 12),
        .x = extract32(desc[L2], 0, 12),
        .y = extract32(desc[L2], 16, 12),
        .address = desc[L4],
        .pitch = extract32(desc[L3], 0, 16),
        .l5 = desc[L5],
    };
    if (!source_is_wanted(source, number)) {
        return;
    }
    bytes = (uint64_t)(source->height - 1) * source->pitch +
            row_bytes(source->format, source->width);
    section = memory_region_find(get_system_memory(), source->address, bytes);
    if (section.mr && memory_region_is_ram(section.mr) &&
        int128_get64(section.size) >= bytes) {
        source->mr = section.mr;
        source->pixels = pixmill_watch_memory(
            (uint8_t *)memory_region_get_ram_ptr(section.mr) +
            section.offset_within_region);
    } else {
        memory_region_unref(section.mr); /* may be NULL */
    }
}

static uint32_t load_ycbcr(const LCDIFv2Source *source, const uint8_t *row,
                           uint32_t column)
{
    const uint8_t *pair = row + column / 2 * 4;
    const uint32_t order = LAYER_YUV_FORMAT(source->l5);
    const uint8_t y = pair[ycbcr_bytes[order].y[column % 2]];
    const uint8_t u = pair[ycbcr_bytes[order].u];
    const uint8_t v = pair[ycbcr_bytes[order].v];

    if (!(source->csc[0] & CSC_ENABLE)) { /* undocumented; not converted */
        return 0xFF000000 | v << 16 | y << 8 | u;
    }
    return 0xFF000000 | ycbcr_to_rgb(source->csc, y, u, v);
}

/* A8R8G8B8 */
static uint32_t load_color(const LCDIFv2Source *source, const uint8_t *row,
                           uint32_t column)
{
    const LCDIFv2Format *f = source->format;
    uint32_t pixel;

    switch (f->kind) {
    case KIND_INDEX:
        return source->palette[load_index(row, f->bits, column)];
    case KIND_YCBCR:
        return load_ycbcr(source, row, column);
    default:
        pixel = load_pixel(row + column * (f->bits / 8), f->bits);
        return channel(pixel, f->a) << 24 | channel(pixel, f->r) << 16 |
               channel(pixel, f->g) << 8 | channel(pixel, f->b);
    }
}

/* Returns over * a + under * b, where a and b are in units of 1/255. */
static uint32_t mix(uint32_t over, uint32_t a, uint32_t under, uint32_t b)
{
    return MIN((over * a + under * b + 127) / 255, 255);
}

static uint32_t mix_all(uint32_t over, uint32_t a, uint32_t under, uint32_t b)
{
    uint32_t mixed = 0;

    for (int shift = 0; shift < 32; shift += 8) {
        mixed |= mix(extract32(over, shift, 8), a, extract32(under, shift, 8), b)
                 << shift;
    }
    return mixed;
}

static uint32_t factor(uint32_t mode, uint32_t alpha)
{
    switch (mode) {
    case FACTOR_ONE:
        return 255;
    case FACTOR_ZERO:
        return 0;
    case FACTOR_ALPHA:
        return alpha;
    default:
        return 255 - alpha;
    }
}

/*
 * Blends two layers, each of which is scaled by a factor that depends on the
 * alpha of the other.  Pixels that no layer has drawn have neither alpha nor
 * color.
 */
static uint32_t porter_duff(const LCDIFv2Source *source, uint32_t over,
                            uint32_t under)
{
    const uint32_t global = LAYER_GLOBAL_ALPHA(source->l5);
    uint32_t alpha = over >> 24;

    if (source->l5 & LAYER_PD_INVERTS_ALPHA) {
        alpha = 255 - alpha;
    }
    switch (LAYER_PD_GLOBAL_ALPHA(source->l5)) {
    case PD_ALPHA_GLOBAL:
        alpha = global;
        break;
    case PD_ALPHA_LOCAL:
        break;
    default:
        alpha = mix(alpha, global, 0, 0);
    }
    if (source->l5 & LAYER_PD_SCALES_COLOR) {
        over = mix_all(over, alpha, 0, 0);
    }
    over = deposit32(over, 24, 8, alpha);
    if (!(under >> 24)) {
        under = 0;
    }
    return mix_all(over, factor(source->below, under >> 24), under,
                   factor(LAYER_PD_FACTOR(source->l5), alpha));
}

/*
 * Returns A8R8G8B8 pixels.  Alpha is that of the layers so far, for
 * Porter-Duff.
 */
static uint32_t blend_pixel(const LCDIFv2Source *source, uint32_t over,
                            uint32_t under)
{
    uint32_t alpha;

    switch (LAYER_AB_MODE(source->l5)) {
    case AB_NONE:
        return over | 0xFF000000;
    case AB_GLOBAL:
        alpha = LAYER_GLOBAL_ALPHA(source->l5);
        break;
    case AB_EMBEDDED:
        alpha = over >> 24;
        break;
    default:
        return porter_duff(source, over, under);
    }
    return mix_all(over, alpha, under, 255 - alpha) | 0xFF000000;
}

static void blend_row(const LCDIFv2Source *source, uint32_t y, uint32_t *row,
                      uint32_t width)
{
    const uint8_t *src;

    if (y < source->y || y - source->y >= source->height) {
        return;
    }
    src = source->pixels + (uint64_t)(y - source->y) * source->pitch;
    for (uint32_t column = 0;
         column < source->width && source->x + column < width; column++) {
        uint32_t *pixel = &row[source->x + column];

        *pixel = blend_pixel(source, load_color(source, src, column), *pixel);
    }
}

/* Prepares the enabled layers, from the bottom up. */
static int open_sources(LCDIFv2State *s, LCDIFv2Source *sources)
{
    uint32_t below = FACTOR_ONE;
    int count = 0;

    if (DISP_MODE(s->reg[R_DISP_PARA])) {
        return 0;
    }
    for (int i = 0; i < LCDIFV2_LAYERS; i++) {
        LCDIFv2Source *source = &sources[count];

        open_source(s, source, i);
        if (source->mr) {
            source->below = below;
            below = LAYER_AB_MODE(source->l5) == AB_PORTER_DUFF ?
                    LAYER_PD_FACTOR(source->l5) : FACTOR_ONE;
            count++;
        }
    }
    return count;
}

typedef void (*LCDIFv2RowFn)(void *opaque, uint32_t y, const uint32_t *row);

/* Calls @take for each row, in X8R8G8B8.  Layer 7 is on top. */
static void compose(LCDIFv2State *s, LCDIFv2RowFn take, void *opaque)
{
    const uint32_t width = screen_width(s), height = screen_height(s);
    const uint32_t background = extract32(s->reg[R_DISP_PARA], 0, 24);
    g_autofree uint32_t *row = g_new(uint32_t, width);
    LCDIFv2Source sources[LCDIFV2_LAYERS];
    const int count = open_sources(s, sources);

    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            row[x] = background;
        }
        for (int i = 0; i < count; i++) {
            blend_row(&sources[i], y, row, width);
        }
        for (uint32_t x = 0; x < width; x++) {
            row[x] &= 0xFFFFFF;
        }
        take(opaque, y, row);
    }
    for (int i = 0; i < count; i++) {
        memory_region_unref(sources[i].mr);
    }
}

static void put_row(void *opaque, uint32_t y, const uint32_t *row)
{
    DisplaySurface *surface = opaque;

    uint8_t *pixels = surface_data(surface);

    memcpy(pixels + (size_t)y * surface_stride(surface), row,
           surface_width(surface) * sizeof(*row));
}

static PixmillGfxUpdate lcdifv2_update(void *opaque)
{
    LCDIFv2State *s = opaque;

    if (!screen_is_on(s)) {
        qemu_console_set_surface(s->console, NULL);
        PIXMILL_RETURN_UPDATED;
    }
    qemu_console_resize(s->console, screen_width(s), screen_height(s));
    compose(s, put_row, qemu_console_surface(s->console));
    qemu_console_update_full(s->console);
    PIXMILL_RETURN_UPDATED;
}

static const GraphicHwOps lcdifv2_console_ops = {
    .gfx_update = lcdifv2_update,
};

/* ---- Saved pictures ----------------------------------------------------- */

typedef struct LCDIFv2File {
    FILE *file;
    uint32_t width;
} LCDIFv2File;

static void write_row(void *opaque, uint32_t y, const uint32_t *row)
{
    LCDIFv2File *to = opaque;

    for (uint32_t x = 0; x < to->width; x++) {
        const uint8_t rgb[] = { row[x] >> 16, row[x] >> 8, row[x] };

        fwrite(rgb, sizeof(rgb), 1, to->file);
    }
}

/*
 * Returns false, with an error, if layers are enabled and none can be shown.
 * Without an enabled layer the picture is the background.
 */
static bool lcdifv2_has_picture(LCDIFv2State *s, Error **errp)
{
    LCDIFv2Source sources[LCDIFV2_LAYERS], lost;
    int count = open_sources(s, sources), number = 0;

    for (int i = 0; i < count; i++) {
        memory_region_unref(sources[i].mr);
    }
    while (number < LCDIFV2_LAYERS &&
           !(s->layer[number].desc[L5] & LAYER_EN)) {
        number++;
    }
    if (count || number == LCDIFV2_LAYERS ||
        DISP_MODE(s->reg[R_DISP_PARA])) {
        return true;
    }
    open_source(s, &lost, number);
    error_setg(errp, "no picture: layer %d of the display cannot be shown: "
               "format %" PRIu32 ", %" PRIu32 "x%" PRIu32 " pixels, %" PRIu32
               " bytes from row to row, at 0x%08" PRIx32, number,
               LAYER_BPP(lost.l5), lost.width, lost.height, lost.pitch,
               lost.address);
    return false;
}

static void lcdifv2_save(Object *obj, const char *path, Error **errp)
{
    LCDIFv2State *s = LCDIFV2(obj);
    LCDIFv2File to = { .width = screen_width(s) };

    if (!screen_is_on(s)) {
        error_setg(errp, "no picture: the display is off (bit 31 of DISP_PARA "
                   "is %d, DISP_SIZE is %" PRIu32 "x%" PRIu32 ")",
                   !!(s->reg[R_DISP_PARA] & DISP_ON), screen_width(s),
                   screen_height(s));
        return;
    }
    if (!lcdifv2_has_picture(s, errp)) {
        return;
    }
    to.file = pixmill_picture_begin(path, to.width, screen_height(s));
    if (to.file) {
        compose(s, write_row, &to);
    }
    pixmill_picture_end(to.file, path, errp);
}

/* ---- Frames ------------------------------------------------------------- */

static void lcdifv2_update_irq(LCDIFv2State *s)
{
    for (int i = 0; i < LCDIFV2_DOMAINS; i++) {
        qemu_set_irq(s->irq[i], (s->reg[R_INT_STATUS + i * R_DOMAIN] &
                                 s->reg[R_INT_ENABLE + i * R_DOMAIN]) != 0);
    }
}

/* Loads the selected CLUT if a load is requested. */
static void lcdifv2_load_clut(LCDIFv2State *s)
{
    const uint32_t load = s->reg[R_CLUT_LOAD];
    const size_t first = CLUT_LOAD_NUMBER(load) * LCDIFV2_CLUT_ENTRIES;

    if (load & CLUT_LOAD_UPDATE_EN) {
        memcpy(&s->palette[first], &s->clut[first],
               LCDIFV2_CLUT_ENTRIES * sizeof(*s->clut));
        s->reg[R_CLUT_LOAD] &= ~CLUT_LOAD_UPDATE_EN;
    }
}

/*
 * Logs a layer that cannot be shown, but only once until it can be shown again.
 */
static void lcdifv2_log_lost_layer(LCDIFv2State *s, int number)
{
    LCDIFv2Source source;
    bool lost;

    open_source(s, &source, number);
    lost = source_is_wanted(&source, number) && !source.mr;
    if (lost && !extract32(s->lost, number, 1)) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_LCDIFV2 ": layer %d is not shown: "
                      "%" PRIu32 "x%" PRIu32 " pixels, %" PRIu32 " bytes from "
                      "row to row, at 0x%08" PRIx32 " are not in one memory\n",
                      number, source.width, source.height, source.pitch,
                      source.address);
    }
    s->lost = deposit32(s->lost, number, 1, lost);
    memory_region_unref(source.mr); /* may be NULL */
}

/* Loads the layers that request it, and clears their requests. */
static void lcdifv2_load_layers(LCDIFv2State *s)
{
    for (int i = 0; i < LCDIFV2_LAYERS; i++) {
        uint32_t *desc = layer_registers(s, i);

        if (desc[L5] & LAYER_SHADOW_LOAD_EN) {
            desc[L5] &= ~LAYER_SHADOW_LOAD_EN;
            memcpy(s->layer[i].desc, desc, sizeof(s->layer[i].desc));
            lcdifv2_log_lost_layer(s, i);
        }
    }
    lcdifv2_load_clut(s);
}

/* Reports what has been read for a frame. */
static void lcdifv2_note_frame(LCDIFv2State *s)
{
    LCDIFv2Source sources[LCDIFV2_LAYERS];
    int count;

    if (!pixmill_watch_on()) {
        return;
    }
    count = open_sources(s, sources);
    for (int i = 0; i < count; i++) {
        for (uint32_t y = 0; y < sources[i].height; y++) {
            pixmill_watch_note(s->master, PIXMILL_TRANSFER_SCAN_OUT, 0,
                               sources[i].address +
                               (uint64_t)y * sources[i].pitch,
                               row_bytes(sources[i].format, sources[i].width));
        }
        memory_region_unref(sources[i].mr);
    }
    pixmill_watch_flush();
}

static void lcdifv2_start_frame(LCDIFv2State *s)
{
    timer_mod(&s->frame, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + FRAME_NS);
    lcdifv2_load_layers(s);
}

static void lcdifv2_frame_end(void *opaque)
{
    LCDIFv2State *s = opaque;
    uint32_t status = INT_VSYNC | INT_VS_BLANK;

    lcdifv2_note_frame(s);
    for (int i = 0; i < LCDIFV2_LAYERS; i++) {
        if (s->layer[i].desc[L5] & LAYER_EN) {
            status |= 1u << (INT_DMA_DONE_SHIFT + i);
        }
    }
    for (int i = 0; i < LCDIFV2_DOMAINS; i++) {
        s->reg[R_INT_STATUS + i * R_DOMAIN] |= status;
    }
    lcdifv2_start_frame(s);
    lcdifv2_update_irq(s);
}

/* ---- Registers ---------------------------------------------------------- */

static uint64_t lcdifv2_read(void *opaque, hwaddr addr, unsigned size)
{
    LCDIFv2State *s = opaque;
    uint32_t index = addr / 4, value = 0;

    if (addr >= CLUT_BASE && addr < CLUT_BASE + sizeof(s->clut)) {
        value = s->clut[(addr - CLUT_BASE) / 4];
    } else if (index >= R_CTRL_SET && index <= R_CTRL_TOG) {
        value = s->reg[R_CTRL];
    } else if (index < LCDIFV2_REGISTERS) {
        value = s->reg[index];
    }
    trace_pixmill_lcdifv2_read(addr, value);
    return value;
}

static void lcdifv2_set_para(LCDIFv2State *s, uint32_t value)
{
    bool was_on = s->reg[R_DISP_PARA] & DISP_ON;

    s->reg[R_DISP_PARA] = value;
    if (!(value & DISP_ON)) {
        timer_del(&s->frame);
    } else if (!was_on) {
        lcdifv2_start_frame(s);
    }
}

static void lcdifv2_log_format(uint32_t layer, uint32_t l5)
{
    if (l5 & LAYER_EN && !can_show(layer, l5)) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_LCDIFV2 ": layer %" PRIu32
                      " has format %" PRIu32 ", which it cannot show\n", layer,
                      LAYER_BPP(l5));
    }
}

static void lcdifv2_write_register(LCDIFv2State *s, uint32_t index,
                                   uint32_t value)
{
    switch (index) {
    case R_CTRL:
        s->reg[R_CTRL] = value & CTRL_WRITABLE;
        break;
    case R_CTRL_SET:
        s->reg[R_CTRL] |= value & CTRL_WRITABLE;
        break;
    case R_CTRL_CLR:
        s->reg[R_CTRL] &= ~value;
        break;
    case R_CTRL_TOG:
        s->reg[R_CTRL] ^= value & CTRL_WRITABLE;
        break;
    case R_DISP_PARA:
        lcdifv2_set_para(s, value);
        break;
    case R_INT_STATUS:
    case R_INT_STATUS + R_DOMAIN:
        s->reg[index] &= ~value;
        break;
    case R_INT_ENABLE:
    case R_INT_ENABLE + R_DOMAIN:
        s->reg[index] = value & INT_ALL;
        break;
    default:
        s->reg[index] = value;
        if (index >= R_LAYER && index < R_CLUT_LOAD &&
            (index - R_LAYER) % R_LAYER_STEP == L5) {
            lcdifv2_log_format((index - R_LAYER) / R_LAYER_STEP, value);
        }
    }
    lcdifv2_update_irq(s);
}

/*
 * A write takes effect immediately, or with the next load if one is requested.
 */
static void lcdifv2_write_clut(LCDIFv2State *s, uint32_t index, uint32_t value)
{
    s->clut[index] = value;
    if (!(s->reg[R_CLUT_LOAD] & CLUT_LOAD_UPDATE_EN)) {
        s->palette[index] = value;
    }
}

static void lcdifv2_write(void *opaque, hwaddr addr, uint64_t value,
                          unsigned size)
{
    LCDIFv2State *s = opaque;

    trace_pixmill_lcdifv2_write(addr, value);
    if (addr >= CLUT_BASE && addr < CLUT_BASE + sizeof(s->clut)) {
        lcdifv2_write_clut(s, (addr - CLUT_BASE) / 4, value);
    } else if (addr / 4 < LCDIFV2_REGISTERS) {
        lcdifv2_write_register(s, addr / 4, value);
    }
}

static const MemoryRegionOps lcdifv2_ops =
    PIXMILL_MMIO_OPS(lcdifv2_read, lcdifv2_write, 4, 4);

/* ---- Life cycle --------------------------------------------------------- */

static void lcdifv2_reset_enter(Object *obj, ResetType type)
{
    LCDIFv2State *s = LCDIFV2(obj);

    timer_del(&s->frame);
    memset(s->reg, 0, sizeof(s->reg));
    memset(s->clut, 0, sizeof(s->clut));
    memset(s->palette, 0, sizeof(s->palette));
    memset(s->layer, 0, sizeof(s->layer));
    s->lost = 0;
    s->reg[R_CTRL] = 1u << 31; /* SW_RESET */
    s->reg[R_HSYN_PARA] = 0x00C01803;
    s->reg[R_VSYN_PARA] = 0x00C01803;
    for (int i = 0; i < LCDIFV2_CSC_LAYERS; i++) {
        uint32_t *csc = layer_registers(s, i) + R_CSC;

        csc[0] = 0x04000000;
        csc[1] = 0x01230208;
        csc[2] = 0x076B079C;
    }
}

static void lcdifv2_reset_hold(Object *obj, ResetType type)
{
    lcdifv2_update_irq(LCDIFV2(obj));
}

static int lcdifv2_post_load(void *opaque, int version_id)
{
    LCDIFv2State *s = opaque;

    if (!(s->reg[R_DISP_PARA] & DISP_ON)) {
        timer_del(&s->frame);
    }
    if (version_id < 2) {
        memcpy(s->palette, s->clut, sizeof(s->palette));
    }
    return 0;
}

static const VMStateDescription vmstate_layer = {
    .name = TYPE_LCDIFV2 "-layer",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(desc, LCDIFv2Layer, LCDIFV2_DESCRIPTOR),
        VMSTATE_END_OF_LIST()
    },
};

static const VMStateDescription vmstate_lcdifv2 = {
    .name = TYPE_LCDIFV2,
    .version_id = 2, /* 2 adds the palette */
    .minimum_version_id = 1,
    .post_load = lcdifv2_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(reg, LCDIFv2State, LCDIFV2_REGISTERS),
        VMSTATE_UINT32_ARRAY(clut, LCDIFv2State, LCDIFV2_CLUT_WORDS),
        VMSTATE_UINT32_ARRAY_V(palette, LCDIFv2State, LCDIFV2_CLUT_WORDS, 2),
        VMSTATE_STRUCT_ARRAY(layer, LCDIFv2State, LCDIFV2_LAYERS, 1,
                             vmstate_layer, LCDIFv2Layer),
        VMSTATE_TIMER(frame, LCDIFv2State),
        VMSTATE_END_OF_LIST()
    },
};

static void lcdifv2_realize(DeviceState *dev, Error **errp)
{
    LCDIFv2State *s = LCDIFV2(dev);

    s->master = pixmill_watch_add_master(TYPE_LCDIFV2);
    timer_init_ns(&s->frame, QEMU_CLOCK_VIRTUAL, lcdifv2_frame_end, s);
    s->console = qemu_graphic_console_create(dev, 0, &lcdifv2_console_ops, s);
    pixmill_picture_file_realize(&s->picture, OBJECT(dev), lcdifv2_save);
}

static void lcdifv2_unrealize(DeviceState *dev)
{
    LCDIFv2State *s = LCDIFV2(dev);

    pixmill_picture_file_unrealize(&s->picture);
    timer_del(&s->frame);
    qemu_graphic_console_close(s->console);
}

static void lcdifv2_init(Object *obj)
{
    LCDIFv2State *s = LCDIFV2(obj);

    memory_region_init_io(&s->mmio, obj, &lcdifv2_ops, s, TYPE_LCDIFV2,
                          LCDIFV2_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    for (int i = 0; i < LCDIFV2_DOMAINS; i++) {
        sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq[i]);
    }
}

static const Property lcdifv2_properties[] = {
    PIXMILL_PICTURE_FILE_PROPERTY(LCDIFv2State, picture),
};

static void lcdifv2_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "NXP LCDIFv2 display controller";
    dc->realize = lcdifv2_realize;
    dc->unrealize = lcdifv2_unrealize;
    dc->vmsd = &vmstate_lcdifv2;
    device_class_set_props(dc, lcdifv2_properties);
    pixmill_picture_file_add_property(oc, lcdifv2_save);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.enter = lcdifv2_reset_enter;
    rc->phases.hold = lcdifv2_reset_hold;
}

static const TypeInfo lcdifv2_types[] = {
    {
        .name = TYPE_LCDIFV2,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(LCDIFv2State),
        .instance_init = lcdifv2_init,
        .class_init = lcdifv2_class_init,
    },
};

DEFINE_TYPES(lcdifv2_types)
