/*
 * Display controller of the GR5526 (Think Silicon NEMA|DC, "GDC"): registers,
 * the end-of-frame interrupt, and layer 0 on a QEMU console.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bswap.h"
#include "qemu/module.h"
#include "ui/console.h"
#include "hw/display/framebuffer.h"
#include "migration/vmstate.h"
#include "ui/pixel_ops.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/watch.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "gr5526-display.h"
#include "hw/pixmill/trace.h"

#define FRAME_NS (NANOSECONDS_PER_SECOND / 60)
#define MAX_SIDE 4096 /* 64 MiB, so sizes fit in an int */

/* Goodix hal_gdc_regs.h, hal_gdc.h, hal_gdc_intern.h */
enum {
    R_MODE = 0x00 / 4,
    R_LAYER0_MODE = 0x30 / 4,
    R_LAYER0_BASEADDR = 0x3C / 4,
    R_LAYER0_STRIDE = 0x40 / 4,
    R_LAYER0_RESXY = 0x44 / 4, /* x in the upper half, unlike in the GPU */
    R_DBIB_CMD = 0xE8 / 4,
    R_CONFIG = 0xF0 / 4,
    R_IDREG = 0xF4 / 4,
    R_INTERRUPT = 0xF8 / 4,
    R_STATUS = 0xFC / 4,

    MODE_ENABLE = 1U << 31,
    MODE_ONE_FRAME = 1U << 17,
    LAYER_ENABLE = 1U << 31,
    INTERRUPT_FRAME_END = 1U << 4,
    INTERRUPT_COMMAND_END = 1U << 6,
};

/* ---- Formats ------------------------------------------------------------ */

/* Colors are bit fields of a little-endian pixel. */
typedef struct Gr5526DisplayField {
    uint8_t shift;
    uint8_t bits;
} Gr5526DisplayField;

struct Gr5526DisplayFormat {
    const char *name;
    int layer; /* code in a layer's MODE, Goodix hal_gdc_format_t; or -1 */
    int gpu;   /* code in the GPU's FSTRIDE; or -1 */
    uint32_t bytes;
    Gr5526DisplayField r, g, b;
};

/* Alpha is ignored: there is nothing below layer 0. */
static const Gr5526DisplayFormat formats[] = {
    { "rgbx8888", -1, 0x00, 4, { 0, 8 }, { 8, 8 }, { 16, 8 } },
    { "rgba8888", 0x0D, 0x01, 4, { 0, 8 }, { 8, 8 }, { 16, 8 } },
    { "xrgb8888", -1, 0x02, 4, { 8, 8 }, { 16, 8 }, { 24, 8 } },
    { "argb8888", 0x0E, 0x03, 4, { 8, 8 }, { 16, 8 }, { 24, 8 } },
    { "abgr8888", 0x02, 0x0E, 4, { 24, 8 }, { 16, 8 }, { 8, 8 } },
    { "xbgr8888", -1, 0x0F, 4, { 24, 8 }, { 16, 8 }, { 8, 8 } },
    { "bgra8888", 0x06, 0x10, 4, { 16, 8 }, { 8, 8 }, { 0, 8 } },
    { "bgrx8888", -1, 0x11, 4, { 16, 8 }, { 8, 8 }, { 0, 8 } },
    { "rgb565", 0x05, 0x04, 2, { 11, 5 }, { 5, 6 }, { 0, 5 } },
    { "bgr565", -1, 0x13, 2, { 0, 5 }, { 5, 6 }, { 11, 5 } },
    { "rgba5551", 0x01, 0x05, 2, { 11, 5 }, { 6, 5 }, { 1, 5 } },
    { "rgba4444", 0x15, 0x06, 2, { 12, 4 }, { 8, 4 }, { 4, 4 } },
    { "rgb24", 0x0B, 0x3C, 3, { 0, 8 }, { 8, 8 }, { 16, 8 } },
    { "bgr24", -1, 0x39, 3, { 16, 8 }, { 8, 8 }, { 0, 8 } },
    { "rgb332", 0x04, 0x38, 1, { 5, 3 }, { 2, 3 }, { 0, 2 } },
    { "l8", 0x07, 0x09, 1, { 0, 8 }, { 0, 8 }, { 0, 8 } },
};

static const Gr5526DisplayFormat *find_format(int layer, int gpu)
{
    for (int i = 0; i < ARRAY_SIZE(formats); i++) {
        if ((layer >= 0 && formats[i].layer == layer) ||
            (gpu >= 0 && formats[i].gpu == gpu)) {
            return &formats[i];
        }
    }
    return NULL;
}

static const Gr5526DisplayFormat *find_format_by_name(const char *name)
{
    for (int i = 0; i < ARRAY_SIZE(formats); i++) {
        if (!g_strcmp0(name, formats[i].name)) {
            return &formats[i];
        }
    }
    return NULL;
}

/*
 * Widens a field by replicating its high bits, so that full intensity stays
 * full.
 */
static uint8_t display_channel(uint32_t pixel, Gr5526DisplayField field)
{
    uint32_t value = extract32(pixel, field.shift, field.bits);
    uint32_t filled = 0;

    for (int left = 8; left > 0; left -= field.bits) {
        filled |= left >= field.bits ? value << (left - field.bits) :
                  value >> (field.bits - left);
    }
    return filled;
}

static uint32_t display_load(const uint8_t *src, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        return *src;
    case 2:
        return lduw_le_p(src);
    case 3:
        return lduw_le_p(src) | src[2] << 16;
    default:
        return ldl_le_p(src);
    }
}

static void display_draw_row(void *opaque, uint8_t *dest, const uint8_t *src,
                             int width, int dest_pitch)
{
    const Gr5526DisplayFormat *format = opaque;

    for (; width > 0; width--, src += format->bytes, dest += dest_pitch) {
        uint32_t pixel = display_load(src, format->bytes);

        *(uint32_t *)dest = rgb_to_pixel32(display_channel(pixel, format->r),
                                           display_channel(pixel, format->g),
                                           display_channel(pixel, format->b));
    }
}

/* ---- Shown surface ------------------------------------------------------ */

/*
 * Rejects negative strides and overlapping rows, which do not describe a
 * picture.
 */
static bool surface_is_sane(const Gr5526DisplaySurface *surface)
{
    return surface->format &&
           surface->width > 0 && surface->width <= MAX_SIDE &&
           surface->height > 0 && surface->height <= MAX_SIDE &&
           surface->stride >= surface->width * surface->format->bytes &&
           surface->stride <= INT16_MAX;
}

static Gr5526DisplaySurface display_layer(const Gr5526DisplayState *s)
{
    uint32_t mode = s->reg[R_LAYER0_MODE];

    return (Gr5526DisplaySurface) {
        .format = find_format(extract32(mode, 0, 5), -1),
        .address = s->reg[R_LAYER0_BASEADDR],
        .width = extract32(s->reg[R_LAYER0_RESXY], 16, 16),
        .height = extract32(s->reg[R_LAYER0_RESXY], 0, 16),
        .stride = extract32(s->reg[R_LAYER0_STRIDE], 0, 16),
    };
}

static Gr5526DisplaySurface display_target(const PixmillNemaTarget *target)
{
    return (Gr5526DisplaySurface) {
        .format = find_format(-1, extract32(target->fstride, 24, 7)),
        .address = target->base,
        .width = extract32(target->resxy, 0, 16),
        .height = extract32(target->resxy, 16, 16),
        .stride = extract32(target->fstride, 0, 16),
    };
}

static Gr5526DisplaySurface display_choose(Gr5526DisplayState *s)
{
    if (s->reg[R_LAYER0_MODE] & LAYER_ENABLE) {
        return display_layer(s);
    }
    if (s->fixed.format) {
        return s->fixed;
    }
    if (s->gpu) {
        nema_gfx_get_target(s->gpu, &s->target);
    }
    return display_target(&s->target);
}

/* Shows @surface or, if that is not possible, QEMU's placeholder. */
static void display_show(Gr5526DisplayState *s, Gr5526DisplaySurface surface)
{
    if (!memcmp(&surface, &s->shown, sizeof(surface))) {
        return;
    }
    framebuffer_update_memory_section(&s->section, get_system_memory(),
                                      surface.address, surface.height,
                                      surface.stride);
    s->shown = surface;
    s->invalidated = true;
    if (s->section.mr) {
        qemu_console_resize(s->console, surface.width, surface.height);
    } else {
        qemu_console_set_surface(s->console, NULL);
    }
}

static PixmillGfxUpdate display_update(void *opaque)
{
    Gr5526DisplayState *s = opaque;
    Gr5526DisplaySurface surface = display_choose(s);
    DisplaySurface *pixels;
    int first = 0, last = 0;

    display_show(s, surface_is_sane(&surface) ? surface :
                 (Gr5526DisplaySurface) { 0 });
    if (!s->section.mr) {
        PIXMILL_RETURN_UPDATED;
    }
    pixels = qemu_console_surface(s->console);
    framebuffer_update_display(pixels, &s->section, s->shown.width,
                               s->shown.height, s->shown.stride,
                               surface_stride(pixels),
                               surface_bytes_per_pixel(pixels), s->invalidated,
                               display_draw_row, (void *)s->shown.format,
                               &first, &last);
    if (first >= 0) {
        qemu_console_update(s->console, 0, first, s->shown.width,
                            last - first + 1);
    }
    s->invalidated = false;
    PIXMILL_RETURN_UPDATED;
}

static void display_invalidate(void *opaque)
{
    Gr5526DisplayState *s = opaque;

    s->invalidated = true;
}

static const GraphicHwOps display_console_ops = {
    .invalidate = display_invalidate,
    .gfx_update = display_update,
};

/* ---- Saved pictures ----------------------------------------------------- */

/* Returns the pixels, or NULL if they are not in one memory region. */
static const uint8_t *surface_pixels(const Gr5526DisplaySurface *surface)
{
    uint64_t bytes = (uint64_t)surface->height * surface->stride;
    MemoryRegionSection section = memory_region_find(get_system_memory(),
                                                     surface->address, bytes);
    const uint8_t *pixels = NULL;

    if (section.mr && memory_region_is_ram(section.mr) &&
        int128_get64(section.size) >= bytes) {
        pixels = memory_region_get_ram_ptr(section.mr);
        pixels += section.offset_within_region;
    }
    memory_region_unref(section.mr); /* may be NULL */
    return pixmill_watch_memory((void *)pixels);
}

static void display_set_missing(const Gr5526DisplayState *s,
                                const Gr5526DisplaySurface *surface,
                                Error **errp)
{
    bool layer = s->reg[R_LAYER0_MODE] & LAYER_ENABLE;

    if (!layer && !surface->width && !surface->height) {
        error_setg(errp, "no picture: layer 0 of the display is off (bit 31 of "
                   "its MODE is 0), and the GPU has drawn nothing");
        return;
    }
    error_setg(errp, "no picture: %s cannot be shown: format %s, %" PRIu32 "x%"
               PRIu32 " pixels, %" PRIu32 " bytes from row to row, at 0x%08"
               PRIx32, layer ? "layer 0 of the display" :
               "the last target of the GPU",
               surface->format ? surface->format->name : "unknown",
               surface->width, surface->height, surface->stride,
               surface->address);
}

static void display_write_rows(const Gr5526DisplaySurface *surface,
                               const uint8_t *pixels, FILE *file)
{
    const Gr5526DisplayFormat *format = surface->format;
    g_autofree uint8_t *row = g_malloc(3 * surface->width);

    for (uint32_t y = 0; y < surface->height; y++, pixels += surface->stride) {
        for (uint32_t x = 0; x < surface->width; x++) {
            uint32_t pixel = display_load(pixels + x * format->bytes,
                                          format->bytes);

            row[3 * x] = display_channel(pixel, format->r);
            row[3 * x + 1] = display_channel(pixel, format->g);
            row[3 * x + 2] = display_channel(pixel, format->b);
        }
        fwrite(row, 3, surface->width, file);
    }
}

static void display_save(Object *obj, const char *path, Error **errp)
{
    Gr5526DisplayState *s = GR5526_DISPLAY(obj);
    Gr5526DisplaySurface surface = display_choose(s);
    const uint8_t *pixels = NULL;
    FILE *file;

    if (surface_is_sane(&surface)) {
        pixels = surface_pixels(&surface);
    }
    if (!pixels) {
        display_set_missing(s, &surface, errp);
        return;
    }
    file = pixmill_picture_begin(path, surface.width, surface.height);
    if (file) {
        display_write_rows(&surface, pixels, file);
    }
    pixmill_picture_end(file, path, errp);
}

/* ---- Registers ---------------------------------------------------------- */

static void display_update_irq(Gr5526DisplayState *s)
{
    qemu_set_irq(s->irq, (s->pending & s->reg[R_INTERRUPT]) != 0);
}

/* Records an event and updates the interrupt.  Disabled events are ignored. */
static void display_event(Gr5526DisplayState *s, uint32_t event)
{
    s->pending |= s->reg[R_INTERRUPT] & event;
    display_update_irq(s);
}

static bool display_runs(const Gr5526DisplayState *s)
{
    return s->reg[R_MODE] & (MODE_ENABLE | MODE_ONE_FRAME);
}

/* Reports what has been read for a frame. */
static void display_note_frame(Gr5526DisplayState *s)
{
    const Gr5526DisplaySurface surface = display_layer(s);

    if (!pixmill_watch_on() || !surface_is_sane(&surface) ||
        !(s->reg[R_LAYER0_MODE] & LAYER_ENABLE)) {
        return;
    }
    for (uint32_t y = 0; y < surface.height; y++) {
        pixmill_watch_note(s->master, PIXMILL_TRANSFER_SCAN_OUT, 0,
                           surface.address + (uint64_t)y * surface.stride,
                           surface.width * surface.format->bytes);
    }
    pixmill_watch_flush();
}

static void display_frame_end(void *opaque)
{
    Gr5526DisplayState *s = opaque;

    display_note_frame(s);
    s->reg[R_MODE] &= ~MODE_ONE_FRAME;
    if (display_runs(s)) {
        timer_mod(&s->frame,
                  qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + FRAME_NS);
    }
    display_event(s, INTERRUPT_FRAME_END);
}

static void display_set_mode(Gr5526DisplayState *s)
{
    if (!display_runs(s)) {
        timer_del(&s->frame);
    } else if (!timer_pending(&s->frame)) {
        timer_mod(&s->frame,
                  qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL) + FRAME_NS);
    }
}

static uint64_t display_read(void *opaque, hwaddr addr, unsigned size)
{
    Gr5526DisplayState *s = opaque;
    uint32_t value = s->reg[addr / 4];

    trace_pixmill_gr5526_display_read(addr, value);
    return value;
}

static void display_write(void *opaque, hwaddr addr, uint64_t value,
                          unsigned size)
{
    Gr5526DisplayState *s = opaque;
    uint32_t index = addr / 4;

    trace_pixmill_gr5526_display_write(addr, value);
    switch (index) {
    case R_CONFIG:
    case R_IDREG:
    case R_STATUS:
        return;
    }
    s->reg[index] = value;
    switch (index) {
    case R_MODE:
        display_set_mode(s);
        break;
    case R_DBIB_CMD: /* the panel executes all commands at once */
        display_event(s, INTERRUPT_COMMAND_END);
        break;
    case R_INTERRUPT: /* enables events, and clears pending ones */
        s->pending = 0;
        display_update_irq(s);
        break;
    }
}

static const MemoryRegionOps display_ops =
    PIXMILL_MMIO_OPS(display_read, display_write, 4, 4);

/* ---- Life cycle --------------------------------------------------------- */

static void display_reset_enter(Object *obj, ResetType type)
{
    Gr5526DisplayState *s = GR5526_DISPLAY(obj);

    timer_del(&s->frame);
    memset(s->reg, 0, sizeof(s->reg));
    /*
     * CONFIG: layers 0 and 1 with blenders, and a DBI type B panel interface.
     */
    s->reg[R_CONFIG] = 0x00003340;
    s->reg[R_IDREG] = 0x87452365;
    s->pending = 0;
    s->target = (PixmillNemaTarget) { 0 };
}

static void display_reset_hold(Object *obj, ResetType type)
{
    display_update_irq(GR5526_DISPLAY(obj));
}

/* The picture is in RAM, and the GPU's target is determined again. */
static int display_post_load(void *opaque, int version_id)
{
    Gr5526DisplayState *s = opaque;

    if (!display_runs(s)) {
        timer_del(&s->frame);
    }
    display_invalidate(s);
    return 0;
}

static const VMStateDescription vmstate_display = {
    .name = TYPE_GR5526_DISPLAY,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = display_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(reg, Gr5526DisplayState,
                             GR5526_DISPLAY_WINDOW / 4),
        VMSTATE_UINT32(pending, Gr5526DisplayState),
        VMSTATE_UINT32(target.base, Gr5526DisplayState),
        VMSTATE_UINT32(target.fstride, Gr5526DisplayState),
        VMSTATE_UINT32(target.resxy, Gr5526DisplayState),
        VMSTATE_TIMER(frame, Gr5526DisplayState),
        VMSTATE_END_OF_LIST()
    },
};

static bool display_set_fixed(Gr5526DisplayState *s, Error **errp)
{
    ERRP_GUARD();
    const Gr5526DisplayFormat *format = find_format_by_name(s->format_name);

    if (!s->width) {
        return true;
    }
    if (s->width > MAX_SIDE || !s->height || s->height > MAX_SIDE) {
        error_setg(errp, TYPE_GR5526_DISPLAY ": width and height of the "
                   "framebuffer are 1 to %d, not %" PRIu32 "x%" PRIu32,
                   MAX_SIDE, s->width, s->height);
        return false;
    }
    if (!format) {
        error_setg(errp, "no display format '%s'",
                   s->format_name ? s->format_name : "");
        error_append_hint(errp, "Formats are:");
        for (int i = 0; i < ARRAY_SIZE(formats); i++) {
            error_append_hint(errp, " %s", formats[i].name);
        }
        error_append_hint(errp, "\n");
        return false;
    }
    s->fixed = (Gr5526DisplaySurface) {
        .format = format,
        .address = s->address,
        .width = s->width,
        .height = s->height,
        .stride = s->width * format->bytes,
    };
    framebuffer_update_memory_section(&s->section, get_system_memory(),
                                      s->fixed.address, s->fixed.height,
                                      s->fixed.stride);
    if (!s->section.mr) {
        error_setg(errp, "the %" PRIu32 "x%" PRIu32 " pixels of the display at "
                   "0x%08" PRIx32 " are not in RAM", s->width, s->height,
                   s->address);
        return false;
    }
    return true;
}

static void display_realize(DeviceState *dev, Error **errp)
{
    Gr5526DisplayState *s = GR5526_DISPLAY(dev);

    if (!display_set_fixed(s, errp)) {
        return;
    }
    s->master = pixmill_watch_add_master(TYPE_GR5526_DISPLAY);
    timer_init_ns(&s->frame, QEMU_CLOCK_VIRTUAL, display_frame_end, s);
    s->console = qemu_graphic_console_create(dev, 0, &display_console_ops, s);
    pixmill_picture_file_realize(&s->picture, OBJECT(dev), display_save);
}

static void display_unrealize(DeviceState *dev)
{
    Gr5526DisplayState *s = GR5526_DISPLAY(dev);

    pixmill_picture_file_unrealize(&s->picture);
    timer_del(&s->frame);
    display_show(s, (Gr5526DisplaySurface) { 0 });
    qemu_graphic_console_close(s->console);
}

static void display_init(Object *obj)
{
    Gr5526DisplayState *s = GR5526_DISPLAY(obj);

    memory_region_init_io(&s->mmio, obj, &display_ops, s, TYPE_GR5526_DISPLAY,
                          GR5526_DISPLAY_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
}

static const Property display_properties[] = {
    DEFINE_PROP_LINK("gpu", Gr5526DisplayState, gpu, TYPE_NEMA_GFX,
                     NemaGfxState *),
    DEFINE_PROP_UINT32("address", Gr5526DisplayState, address, 0),
    DEFINE_PROP_UINT32("width", Gr5526DisplayState, width, 0),
    DEFINE_PROP_UINT32("height", Gr5526DisplayState, height, 0),
    DEFINE_PROP_STRING("format", Gr5526DisplayState, format_name),
    PIXMILL_PICTURE_FILE_PROPERTY(Gr5526DisplayState, picture),
};

static void display_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "GR5526 display controller: layer 0 on a console";
    dc->realize = display_realize;
    dc->unrealize = display_unrealize;
    dc->vmsd = &vmstate_display;
    device_class_set_props(dc, display_properties);
    pixmill_picture_file_add_property(oc, display_save);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.enter = display_reset_enter;
    rc->phases.hold = display_reset_hold;
}

static const TypeInfo display_types[] = {
    {
        .name = TYPE_GR5526_DISPLAY,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(Gr5526DisplayState),
        .instance_init = display_init,
        .class_init = display_class_init,
    },
};

DEFINE_TYPES(display_types)
