/*
 * A window of RAM that a QEMU console shows.
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
#include "simple-framebuffer.h"

#define MAX_SIDE 4096 /* 64 MiB, so sizes fit in an int */

/* ---- Formats ------------------------------------------------------------ */

struct SimpleFramebufferFormat {
    const char *name; /* as in the device tree binding */
    uint32_t bytes;   /* per pixel */
    drawfn draw_row;  /* converts a row to the console's 32-bit pixels */
};

static void draw_x8r8g8b8(void *opaque, uint8_t *dest, const uint8_t *src,
                          int width, int dest_pitch)
{
    for (; width > 0; width--, src += 4, dest += dest_pitch) {
        *(uint32_t *)dest = ldl_le_p(src) & 0xFFFFFF;
    }
}

/*
 * Widens fields by replicating their high bits, so that full intensity stays
 * full.
 */
static void draw_r5g6b5(void *opaque, uint8_t *dest, const uint8_t *src,
                        int width, int dest_pitch)
{
    for (; width > 0; width--, src += 2, dest += dest_pitch) {
        uint32_t pixel = lduw_le_p(src);
        uint32_t r = pixel >> 11, g = (pixel >> 5) & 0x3F, b = pixel & 0x1F;

        *(uint32_t *)dest = rgb_to_pixel32(r << 3 | r >> 2, g << 2 | g >> 4,
                                           b << 3 | b >> 2);
    }
}

static const SimpleFramebufferFormat formats[] = {
    { "x8r8g8b8", 4, draw_x8r8g8b8 },
    { "r5g6b5", 2, draw_r5g6b5 },
};

static const SimpleFramebufferFormat *find_format(const char *name,
                                                  Error **errp)
{
    for (int i = 0; i < ARRAY_SIZE(formats); i++) {
        if (!g_strcmp0(name, formats[i].name)) {
            return &formats[i];
        }
    }
    error_setg(errp, "no framebuffer format '%s': there are 'x8r8g8b8' and "
               "'r5g6b5'", name ? name : "");
    return NULL;
}

bool simple_framebuffer_has_format(const char *name, Error **errp)
{
    return find_format(name, errp) != NULL;
}

uint32_t simple_framebuffer_stride(uint32_t width, uint32_t height,
                                   const char *format, Error **errp)
{
    const SimpleFramebufferFormat *found = find_format(format, errp);

    if (!found) {
        return 0;
    }
    if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE) {
        error_setg(errp, "a framebuffer is 1 to %d pixels wide and high, not "
                   "%" PRIu32 "x%" PRIu32, MAX_SIDE, width, height);
        return 0;
    }
    return width * found->bytes;
}

/* ---- Console ------------------------------------------------------------ */

static PixmillGfxUpdate simple_framebuffer_update(void *opaque)
{
    SimpleFramebufferState *s = opaque;
    DisplaySurface *surface = qemu_console_surface(s->console);
    int first = 0, last = 0;

    framebuffer_update_display(surface, &s->section, s->width, s->height,
                               s->stride, surface_stride(surface),
                               surface_bytes_per_pixel(surface),
                               s->invalidated, s->format->draw_row, s,
                               &first, &last);
    if (first >= 0) {
        qemu_console_update(s->console, 0, first, s->width, last - first + 1);
    }
    s->invalidated = false;
    PIXMILL_RETURN_UPDATED;
}

static void simple_framebuffer_invalidate(void *opaque)
{
    SimpleFramebufferState *s = opaque;

    s->invalidated = true;
}

static const GraphicHwOps simple_framebuffer_console_ops = {
    .invalidate = simple_framebuffer_invalidate,
    .gfx_update = simple_framebuffer_update,
};

/* ---- Life cycle --------------------------------------------------------- */

static void simple_framebuffer_realize(DeviceState *dev, Error **errp)
{
    SimpleFramebufferState *s = SIMPLE_FRAMEBUFFER(dev);

    s->stride = simple_framebuffer_stride(s->width, s->height, s->format_name,
                                          errp);
    if (!s->stride) {
        return;
    }
    if (!s->memory) {
        error_setg(errp, TYPE_SIMPLE_FRAMEBUFFER ": no memory to show");
        return;
    }
    s->format = find_format(s->format_name, &error_abort);
    framebuffer_update_memory_section(&s->section, s->memory, s->offset,
                                      s->height, s->stride);
    if (!s->section.mr) {
        error_setg(errp, TYPE_SIMPLE_FRAMEBUFFER ": %" PRIu32 "x%" PRIu32
                   " pixels at offset 0x%" PRIx64 " of '%s' are not in RAM",
                   s->width, s->height, s->offset,
                   memory_region_name(s->memory));
        return;
    }
    s->invalidated = true;
    s->console = qemu_graphic_console_create(dev, 0,
                                             &simple_framebuffer_console_ops,
                                             s);
    qemu_console_resize(s->console, s->width, s->height);
}

static void simple_framebuffer_unrealize(DeviceState *dev)
{
    SimpleFramebufferState *s = SIMPLE_FRAMEBUFFER(dev);

    qemu_graphic_console_close(s->console);
    memory_region_set_log(s->section.mr, false, DIRTY_MEMORY_VGA);
    memory_region_unref(s->section.mr);
    s->section.mr = NULL;
}

static int simple_framebuffer_post_load(void *opaque, int version_id)
{
    simple_framebuffer_invalidate(opaque);
    return 0;
}

/*
 * The pixels are in RAM.  Both sides of a migration must interpret them alike.
 */
static const VMStateDescription vmstate_simple_framebuffer = {
    .name = TYPE_SIMPLE_FRAMEBUFFER,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = simple_framebuffer_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64_EQUAL(offset, SimpleFramebufferState, NULL),
        VMSTATE_UINT32_EQUAL(width, SimpleFramebufferState, NULL),
        VMSTATE_UINT32_EQUAL(height, SimpleFramebufferState, NULL),
        VMSTATE_UINT32_EQUAL(stride, SimpleFramebufferState, NULL),
        VMSTATE_END_OF_LIST()
    },
};

static const Property simple_framebuffer_properties[] = {
    DEFINE_PROP_LINK("memory", SimpleFramebufferState, memory,
                     TYPE_MEMORY_REGION, MemoryRegion *),
    DEFINE_PROP_UINT64("offset", SimpleFramebufferState, offset, 0),
    DEFINE_PROP_UINT32("width", SimpleFramebufferState, width, 0),
    DEFINE_PROP_UINT32("height", SimpleFramebufferState, height, 0),
    DEFINE_PROP_STRING("format", SimpleFramebufferState, format_name),
};

static void simple_framebuffer_class_init(ObjectClass *oc,
                                          PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Window of RAM shown on a console";
    dc->realize = simple_framebuffer_realize;
    dc->unrealize = simple_framebuffer_unrealize;
    dc->vmsd = &vmstate_simple_framebuffer;
    device_class_set_props(dc, simple_framebuffer_properties);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo simple_framebuffer_types[] = {
    {
        .name = TYPE_SIMPLE_FRAMEBUFFER,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(SimpleFramebufferState),
        .class_init = simple_framebuffer_class_init,
    },
};

DEFINE_TYPES(simple_framebuffer_types)
