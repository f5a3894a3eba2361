/*
 * The display side of an AMD Geode LX as a QEMU device, on a console.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/module.h"
#include "qemu/units.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "migration/vmstate.h"
#include "geode-display.h"

/*
 * Limits of VSA's registers: numbers have three bits, and the VRAM size is in
 * units of 2 MiB.
 */
#define MAX_NUMBER 7
#define VRAM_UNIT (2 * MiB)
#define MAX_VRAM (254 * MiB)

/* ---- Registers ----------------------------------------------------------- */

static MemTxResult geode_display_write(void *opaque, hwaddr addr, uint64_t data,
                                       unsigned size, MemTxAttrs attrs)
{
    PixmillShell *shell = opaque;
    GeodeDisplayState *s = container_of(shell, GeodeDisplayState, shell);
    MemTxResult result = pixmill_shell_write(shell, addr, data, size, attrs);

    if (s->written) {
        s->written(s);
    }
    return result;
}

static const MemoryRegionOps geode_display_mmio_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = geode_display_write,
    PIXMILL_ACCESS(1, 8),
};

static uint64_t geode_vsa_read(void *opaque, hwaddr addr, unsigned size)
{
    GeodeDisplayState *s = opaque;
    uint32_t value;

    pixmill_shell_enter(&s->shell);
    value = pixmill_geode_vsa_read(s->shell.core, addr, size);
    pixmill_shell_leave(&s->shell);
    return value;
}

static void geode_vsa_write(void *opaque, hwaddr addr, uint64_t value,
                            unsigned size)
{
    GeodeDisplayState *s = opaque;

    pixmill_shell_enter(&s->shell);
    pixmill_geode_vsa_write(s->shell.core, addr, size, value);
    pixmill_shell_leave(&s->shell);
}

static const MemoryRegionOps geode_vsa_ops =
    PIXMILL_BYTE_OPS(geode_vsa_read, geode_vsa_write);

/* ---- Dirty tracking ------------------------------------------------------ */

/* A picture to show, and the pages of VRAM written since the last one. */
typedef struct GeodeFrame {
    PixmillGeodeScanout picture;
    MemoryRegion *vram;
    DirtyBitmapSnapshot *written;
    uint32_t row_bytes;
    bool all; /* redraw all rows */
    bool any_row_written;
    bool layer_written[PIXMILL_GEODE_LAYERS];
} GeodeFrame;

static bool frame_is_written(const GeodeFrame *f, uint64_t start,
                             uint64_t length)
{
    return length && memory_region_snapshot_get_dirty(f->vram, f->written,
                                                      start, length);
}

static bool row_is_in(const PixmillGeodeRows *rows, uint32_t row)
{
    return row >= rows->begin && row < rows->end;
}

static bool frame_layer_changed(const GeodeFrame *f, int index, uint32_t row)
{
    const PixmillGeodeLayer *layer = &f->picture.layer[index];

    return row_is_in(&layer->changed[0], row) ||
           row_is_in(&layer->changed[1], row) ||
           (f->layer_written[index] && row_is_in(&layer->rows, row));
}

static bool frame_row_changed(const GeodeFrame *f, uint32_t row)
{
    const PixmillGeodeScanout *p = &f->picture;

    if (f->all) {
        return true;
    }
    for (int i = 0; p->visible && i < PIXMILL_GEODE_LAYERS; i++) {
        if (frame_layer_changed(f, i, row)) {
            return true;
        }
    }
    return f->any_row_written &&
           frame_is_written(f, p->start + (uint64_t)p->pitch * row,
                            f->row_bytes);
}

/*
 * Must be called before the registers are read, so that writes in between are
 * seen next time.  Layers may share pages with the frame buffer, so this takes
 * the written pages of all of VRAM.  It waits for vCPUs, which may wait for the
 * core, so the device lock must not be held (worker.h).
 */
static void frame_take_written_pages(GeodeFrame *f)
{
    f->written = memory_region_snapshot_and_clear_dirty(
        f->vram, 0, memory_region_size(f->vram), DIRTY_MEMORY_VGA);
}

static void frame_find_what_is_written(GeodeFrame *f)
{
    const PixmillGeodeScanout *p = &f->picture;

    if (!p->visible) {
        return;
    }
    f->row_bytes = p->width * (p->format == PIXMILL_GEODE_PALETTE8 ? 1 :
                               p->format == PIXMILL_GEODE_X8R8G8B8 ? 4 : 2);
    f->any_row_written = frame_is_written(
        f, p->start, (uint64_t)p->pitch * (p->height - 1) + f->row_bytes);
    for (int i = 0; i < PIXMILL_GEODE_LAYERS; i++) {
        for (int n = 0; n < ARRAY_SIZE(p->layer[i].source); n++) {
            const PixmillGeodeBytes *bytes = &p->layer[i].source[n];

            f->layer_written[i] |= frame_is_written(f, bytes->start,
                                                    bytes->length);
        }
    }
}

/* ---- Console ------------------------------------------------------------- */

/* Returns the format in which the console can show VRAM directly, or 0. */
static pixman_format_code_t geode_direct_format(const PixmillGeodeScanout *p)
{
    static const pixman_format_code_t formats[] = {
        [PIXMILL_GEODE_R5G6B5] = PIXMAN_r5g6b5,
        [PIXMILL_GEODE_X1R5G5B5] = PIXMAN_x1r5g5b5,
        [PIXMILL_GEODE_X8R8G8B8] = PIXMAN_x8r8g8b8,
    };

    return p->visible && p->direct && !HOST_BIG_ENDIAN &&
           p->format < ARRAY_SIZE(formats) ? formats[p->format] : 0;
}

static void geode_display_set_surface(GeodeDisplayState *s,
                                      const PixmillGeodeScanout *p)
{
    pixman_format_code_t format = geode_direct_format(p);

    s->direct = format != 0;
    if (s->direct) {
        uint8_t *vram = memory_region_get_ram_ptr(s->vram);

        qemu_console_set_surface(s->console, qemu_create_displaysurface_from(
            p->width, p->height, format, p->pitch, vram + p->start));
    } else {
        qemu_console_resize(s->console, p->width, p->height);
    }
}

static void geode_display_draw(GeodeDisplayState *s, const GeodeFrame *f,
                               uint32_t begin, uint32_t end)
{
    if (!s->direct) {
        DisplaySurface *surface = qemu_console_surface(s->console);

        pixmill_shell_enter(&s->shell);
        pixmill_geode_display_rows(s->shell.core,
                                   memory_region_get_ram_ptr(s->vram),
                                   memory_region_size(s->vram), begin, end,
                                   surface_data(surface),
                                   surface_stride(surface));
        pixmill_shell_leave(&s->shell);
    }
    qemu_console_update(s->console, 0, begin, f->picture.width, end - begin);
}

static void geode_display_draw_changes(GeodeDisplayState *s,
                                       const GeodeFrame *f)
{
    uint32_t height = f->picture.height;

    for (uint32_t begin = 0, end; begin < height; begin = end + 1) {
        for (end = begin; end < height && frame_row_changed(f, end); end++) {
        }
        if (end > begin) {
            geode_display_draw(s, f, begin, end);
        }
    }
}

static PixmillGfxUpdate geode_display_update(void *opaque)
{
    GeodeDisplayState *s = opaque;
    GeodeFrame f = { .vram = s->vram };

    frame_take_written_pages(&f);
    pixmill_shell_enter(&s->shell);
    pixmill_geode_display_scanout(s->shell.core, memory_region_size(s->vram),
                                  &f.picture);
    pixmill_shell_leave(&s->shell);
    frame_find_what_is_written(&f);
    f.all = s->redraw || f.picture.generation != s->generation ||
            s->direct != (geode_direct_format(&f.picture) != 0);
    if (f.all) {
        geode_display_set_surface(s, &f.picture);
        s->generation = f.picture.generation;
        s->redraw = false;
    }
    geode_display_draw_changes(s, &f);
    g_free(f.written);
    PIXMILL_RETURN_UPDATED;
}

static void geode_display_invalidate(void *opaque)
{
    GEODE_DISPLAY(opaque)->redraw = true;
}

static const GraphicHwOps geode_display_console_ops = {
    .invalidate = geode_display_invalidate,
    .gfx_update = geode_display_update,
};

/* ---- Life cycle ---------------------------------------------------------- */

/*
 * Checks the properties here, because the core's PIXMILL_ERROR_ARGUMENT does
 * not tell which value VSA cannot report.
 */
static bool geode_display_check_properties(GeodeDisplayState *s, Error **errp)
{
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        { "output", s->output },
        { "panel", s->panel },
    };
    uint64_t bytes;

    for (int i = 0; i < ARRAY_SIZE(numbers); i++) {
        if (numbers[i].value > MAX_NUMBER) {
            error_setg(errp, TYPE_GEODE_DISPLAY ": %s is 0 to %d, not %"
                       PRIu32, numbers[i].name, MAX_NUMBER, numbers[i].value);
            return false;
        }
    }
    if (!s->vram) {
        error_setg(errp, TYPE_GEODE_DISPLAY ": no 'vram' to show");
        return false;
    }
    bytes = memory_region_size(s->vram);
    if (bytes > MAX_VRAM || (s->vsa && (!bytes || bytes % VRAM_UNIT))) {
        error_setg(errp, TYPE_GEODE_DISPLAY ": vram is a multiple of %d MiB with "
                   "vsa, %d MiB at most, not %" PRIu64 " bytes",
                   (int)(VRAM_UNIT / MiB), (int)(MAX_VRAM / MiB), bytes);
        return false;
    }
    return true;
}

static void geode_display_realize(DeviceState *dev, Error **errp)
{
    GeodeDisplayState *s = GEODE_DISPLAY(dev);
    PixmillGeodeDisplayConfig config = {
        .output = s->output,
        .panel = s->panel,
        .no_vsa = !s->vsa,
    };

    if (!geode_display_check_properties(s, errp)) {
        return;
    }
    config.vram_mib = memory_region_size(s->vram) / MiB;
    if (!pixmill_shell_realize(&s->shell, dev, &config, TYPE_GEODE_DISPLAY,
                               errp)) {
        return;
    }
    memory_region_set_log(s->vram, true, DIRTY_MEMORY_VGA);
    s->redraw = true;
    s->console = qemu_graphic_console_create(s->shown_by ?: dev, 0,
                                             &geode_display_console_ops, s);
}

static void geode_display_unrealize(DeviceState *dev)
{
    GeodeDisplayState *s = GEODE_DISPLAY(dev);

    qemu_graphic_console_close(s->console);
    memory_region_set_log(s->vram, false, DIRTY_MEMORY_VGA);
    pixmill_shell_unrealize(&s->shell);
}

static void geode_display_init(Object *obj)
{
    static const struct {
        const char *name;
        hwaddr offset;
    } blocks[GEODE_DISPLAY_BLOCKS] = {
        { "geode-dc", PIXMILL_GEODE_DC },
        { "geode-vp", PIXMILL_GEODE_VP },
        { "geode-vip", PIXMILL_GEODE_VIP },
    };
    GeodeDisplayState *s = GEODE_DISPLAY(obj);
    SysBusDevice *sbd = SYS_BUS_DEVICE(obj);

    pixmill_shell_init(&s->shell, obj, &pixmill_geode_display,
                       &geode_display_mmio_ops);
    for (int i = 0; i < GEODE_DISPLAY_BLOCKS; i++) {
        memory_region_init_alias(&s->block[i], obj, blocks[i].name,
                                 &s->shell.mmio, blocks[i].offset,
                                 PIXMILL_GEODE_BLOCK_BYTES);
        sysbus_init_mmio(sbd, &s->block[i]);
    }
    sysbus_init_irq(sbd, &s->shell.irq[0]);
    memory_region_init_io(&s->vsa_ports, obj, &geode_vsa_ops, s, "geode-vsa",
                          4);
}

static const Property geode_display_properties[] = {
    DEFINE_PIXMILL_WORKER_PROPERTIES(GeodeDisplayState, shell),
    DEFINE_PROP_LINK("vram", GeodeDisplayState, vram, TYPE_MEMORY_REGION,
                     MemoryRegion *),
    DEFINE_PROP_UINT32("output", GeodeDisplayState, output, PIXMILL_GEODE_CRT),
    DEFINE_PROP_UINT32("panel", GeodeDisplayState, panel, 3),
    DEFINE_PROP_BOOL("vsa", GeodeDisplayState, vsa, true),
};

static const VMStateField geode_display_same[] = {
    PIXMILL_SAME("output", GeodeDisplayState, output),
    PIXMILL_SAME("panel", GeodeDisplayState, panel),
    PIXMILL_SAME("vsa", GeodeDisplayState, vsa),
    VMSTATE_END_OF_LIST()
};

static void geode_display_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "AMD Geode LX display controller and video processor";
    dc->realize = geode_display_realize;
    device_class_set_props(dc, geode_display_properties);
    pixmill_shell_class_init(dc, &pixmill_geode_display,
                             offsetof(GeodeDisplayState, shell), 2,
                             geode_display_same);
    dc->unrealize = geode_display_unrealize;
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo geode_display_types[] = {
    {
        .name = TYPE_GEODE_DISPLAY,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(GeodeDisplayState),
        .instance_init = geode_display_init,
        .class_init = geode_display_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_PIXMILL_SHELL_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(geode_display_types)
