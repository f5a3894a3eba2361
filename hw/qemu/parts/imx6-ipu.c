/*
 * IPUv3H, the image processing unit of the i.MX6, and its screens.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The core behind include/pixmill/ipuv3.h implements the registers and draws
 * pixels.  This file finds out which rows must be drawn.
 *
 * Several screens often show the same memory: Linux's console is one buffer for
 * all outputs.  QEMU has only one set of dirty bits for displays, so a screen
 * that takes and clears them passes them on to all screens.
 */
#include "qemu/osdep.h"
#include "exec/target_page.h"
#include "qapi/error.h"
#include "qemu/module.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "imx6-ipu.h"

/* ---- Screens: written memory ---------------------------------------------- */

/* All screens of the machine.  Protected by the BQL. */
static QLIST_HEAD(, ImxIpuScreen) all_screens =
    QLIST_HEAD_INITIALIZER(all_screens);

/* A part of a memory region whose dirty bits have been taken. */
typedef struct ImxIpuWritten {
    MemoryRegion *mr;
    uint64_t begin, end; /* offsets in @mr */
    DirtyBitmapSnapshot *bits;
} ImxIpuWritten;

static bool is_written(const ImxIpuWritten *w, uint64_t begin, uint64_t end)
{
    begin = MAX(begin, w->begin);
    end = MIN(end, w->end);
    return begin < end && memory_region_snapshot_get_dirty(w->mr, w->bits,
                                                           begin, end - begin);
}

static void mark_rows(ImxIpuScreen *s, uint32_t first, uint32_t count)
{
    if (first < PIXMILL_IPUV3_MAX_HEIGHT) {
        bitmap_set(s->stale, first,
                   MIN(count, PIXMILL_IPUV3_MAX_HEIGHT - first));
    }
}

/* Marks the rows of @s that show written memory of a section. */
static void screen_mark_section(ImxIpuScreen *s, const ImxIpuSection *section,
                                const ImxIpuWritten *w)
{
    const PixmillIpuv3Source *source = &section->source;
    const hwaddr last = section->first + section->size;

    if (section->mr != w->mr ||
        !is_written(w, section->offset, section->offset + section->size)) {
        return;
    }
    for (uint32_t row = 0; row < source->rows; row++) {
        hwaddr begin = source->start + (uint64_t)row * source->pitch;
        hwaddr end = MIN(begin + source->length, last);

        begin = MAX(begin, section->first);
        if (begin < end &&
            is_written(w, begin - section->first + section->offset,
                       end - section->first + section->offset)) {
            mark_rows(s, source->top + row * source->step, source->repeat);
        }
    }
}

static void screens_mark(const ImxIpuWritten *w)
{
    ImxIpuScreen *s;

    QLIST_FOREACH(s, &all_screens, next) {
        for (guint i = 0; i < s->sections->len; i++) {
            screen_mark_section(s, &g_array_index(s->sections, ImxIpuSection,
                                                  i), w);
        }
    }
}

/*
 * Takes the dirty bits of all memory that @s shows.  QEMU clears them in whole
 * words of its bitmap, so this takes whole words too, lest it clear bits that
 * nobody has seen.  Waits for vCPUs, so the device lock must not be held
 * (worker.h).
 */
static void screen_take_written(ImxIpuScreen *s)
{
    const uint64_t word = BITS_PER_LONG * (uint64_t)qemu_target_page_size();

    for (guint i = 0; i < s->sections->len; i++) {
        const ImxIpuSection *section = &g_array_index(s->sections,
                                                      ImxIpuSection, i);
        ImxIpuWritten w = {
            .mr = section->mr,
            .begin = QEMU_ALIGN_DOWN(section->offset, word),
            .end = MIN(QEMU_ALIGN_UP(section->offset + section->size, word),
                       memory_region_size(section->mr)),
        };

        w.bits = memory_region_snapshot_and_clear_dirty(w.mr, w.begin,
                                                        w.end - w.begin,
                                                        DIRTY_MEMORY_VGA);
        screens_mark(&w);
        g_free(w.bits);
    }
}

/* ---- Screens: the memory of a picture ------------------------------------- */

/*
 * The most sections of a screen.  QEMU counts the users of a region's log in
 * eight bits.  Memory beyond these sections is shown, but writes to it are not
 * noticed; no picture in the RAM of a board has so many parts.
 */
#define MAX_SECTIONS 32

/* Adds the parts of @source that are RAM. */
static void add_sections(GArray *sections, MemoryRegion *memory,
                         const PixmillIpuv3Source *source)
{
    hwaddr at = source->start;
    uint64_t left = (uint64_t)(source->rows - 1) * source->pitch +
                    source->length;

    while (left && sections->len < MAX_SECTIONS) {
        MemoryRegionSection found = memory_region_find(memory, at, left);
        uint64_t size = int128_get64(found.size);
        uint64_t skipped;

        if (!found.mr) {
            return;
        }
        skipped = found.offset_within_address_space - at;
        if (memory_region_is_ram(found.mr)) {
            ImxIpuSection section = {
                .mr = found.mr,
                .source = *source,
                .first = found.offset_within_address_space,
                .offset = found.offset_within_region,
                .size = size,
            };

            memory_region_set_log(found.mr, true, DIRTY_MEMORY_VGA);
            g_array_append_val(sections, section);
        } else {
            memory_region_unref(found.mr);
        }
        at += skipped + size;
        left -= skipped + size;
    }
}

static void drop_section(void *data)
{
    ImxIpuSection *section = data;

    memory_region_set_log(section->mr, false, DIRTY_MEMORY_VGA);
    memory_region_unref(section->mr);
}

static GArray *new_sections(void)
{
    GArray *sections = g_array_new(false, false, sizeof(ImxIpuSection));

    g_array_set_clear_func(sections, drop_section);
    return sections;
}

/*
 * Replaces the sections.  The old ones are dropped last, because logging of a
 * region that is still shown should not be switched off and on.
 */
static void screen_set_sections(ImxIpuScreen *s, GArray *sections)
{
    GArray *old = s->sections;

    s->sections = sections;
    g_array_unref(old);
}

static void screen_find_sections(ImxIpuScreen *s, ImxIpuState *ipu,
                                 const PixmillIpuv3Scanout *picture)
{
    MemoryRegion *memory = ipu->shell.dma ?: get_system_memory();
    GArray *sections = new_sections();

    for (uint32_t i = 0; i < picture->sources; i++) {
        add_sections(sections, memory, &picture->source[i]);
    }
    screen_set_sections(s, sections);
}

/* ---- Screens: console ----------------------------------------------------- */

static void screen_draw_rows(ImxIpuScreen *s, ImxIpuState *ipu, unsigned di,
                             uint32_t begin, uint32_t end)
{
    DisplaySurface *surface = qemu_console_surface(s->console);

    pixmill_shell_enter(&ipu->shell);
    pixmill_ipuv3_rows(ipu->shell.core, di, begin, end, surface_data(surface),
                       surface_stride(surface));
    pixmill_shell_leave(&ipu->shell);
    qemu_console_update(s->console, 0, begin, s->width, end - begin);
}

/*
 * Draws the stale rows.  A vCPU may have changed the picture since it was
 * described; the core then draws what fits, and the next update draws it again.
 */
static void screen_draw_stale(ImxIpuScreen *s, ImxIpuState *ipu, unsigned di)
{
    uint32_t begin = find_first_bit(s->stale, s->height);

    while (begin < s->height) {
        uint32_t end = find_next_zero_bit(s->stale, s->height, begin);

        bitmap_clear(s->stale, begin, end - begin);
        screen_draw_rows(s, ipu, di, begin, end);
        begin = find_next_bit(s->stale, s->height, end);
    }
}

static bool screen_is_new(const ImxIpuScreen *s,
                          const PixmillIpuv3Scanout *picture)
{
    return picture->generation != s->generation ||
           picture->width != s->width || picture->height != s->height;
}

/* Prepares the console and the list of stale rows for another picture. */
static void screen_take_picture(ImxIpuScreen *s, ImxIpuState *ipu, bool all,
                                const PixmillIpuv3Scanout *picture)
{
    const PixmillIpuv3Rows *rows[] = { &s->overlay, &picture->overlay };

    if (all) {
        qemu_console_resize(s->console, picture->width, picture->height);
        bitmap_zero(s->stale, PIXMILL_IPUV3_MAX_HEIGHT);
        mark_rows(s, 0, picture->height);
    }
    for (int i = 0; !all && i < ARRAY_SIZE(rows); i++) {
        mark_rows(s, rows[i]->begin, rows[i]->end - rows[i]->begin);
    }
    s->width = picture->width;
    s->height = picture->height;
    s->generation = picture->generation;
    s->overlay_generation = picture->overlay_generation;
    s->overlay = picture->overlay;
    screen_find_sections(s, ipu, picture);
}

/* Shows black, or that the output is off. */
static void screen_show_nothing(ImxIpuScreen *s, bool off)
{
    s->generation = 0;
    screen_set_sections(s, new_sections());
    if (off) {
        qemu_console_set_surface(s->console, NULL);
        return;
    }
    if (!s->width) {
        s->width = 640;
        s->height = 480;
    }
    qemu_console_resize(s->console, s->width, s->height);
    memset(surface_data(qemu_console_surface(s->console)), 0,
           (size_t)surface_stride(qemu_console_surface(s->console)) *
           s->height);
    qemu_console_update_full(s->console);
}

static void screen_show_picture(ImxIpuScreen *s, ImxIpuState *ipu, unsigned di,
                                bool redraw, const PixmillIpuv3Scanout *picture)
{
    const bool all = redraw || screen_is_new(s, picture);

    if (all || picture->overlay_generation != s->overlay_generation) {
        screen_take_picture(s, ipu, all, picture);
    }
    screen_take_written(s);
    screen_draw_stale(s, ipu, di);
}

static PixmillGfxUpdate imx_ipu_screen_update(void *opaque)
{
    ImxIpuScreen *s = opaque;
    ImxIpuState *ipu = s->ipu;
    const unsigned di = s->di;
    const bool redraw = s->redraw;
    PixmillIpuv3Scanout picture = { 0 };

    /* Below, vCPUs may run and choose another picture. */
    s->redraw = false;
    if (ipu) {
        pixmill_shell_enter(&ipu->shell);
        pixmill_ipuv3_scanout(ipu->shell.core, di, &picture);
        pixmill_shell_leave(&ipu->shell);
    }
    if (picture.running) {
        screen_show_picture(s, ipu, di, redraw, &picture);
    } else if (redraw || s->generation) {
        screen_show_nothing(s, !ipu);
    }
    PIXMILL_RETURN_UPDATED;
}

static void imx_ipu_screen_invalidate(void *opaque)
{
    IMX_IPU_SCREEN(opaque)->redraw = true;
}

static const GraphicHwOps imx_ipu_screen_console_ops = {
    .invalidate = imx_ipu_screen_invalidate,
    .gfx_update = imx_ipu_screen_update,
};

/* ---- Screens: life cycle -------------------------------------------------- */

void imx_ipu_screen_show(ImxIpuScreen *s, ImxIpuState *ipu, unsigned di)
{
    di = ipu ? di % IMX_IPU_DIS : 0;
    if (s->ipu == ipu && s->di == di) {
        return;
    }
    s->ipu = ipu;
    s->di = di;
    s->redraw = true;
}

ImxIpuScreen *imx_ipu_screen_create(const char *name, Error **errp)
{
    DeviceState *dev = qdev_new(TYPE_IMX_IPU_SCREEN);

    object_property_add_child(qdev_get_machine(), name, OBJECT(dev));
    dev->id = g_strdup(name);
    if (!sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), errp)) {
        return NULL;
    }
    return IMX_IPU_SCREEN(dev);
}

static void imx_ipu_screen_realize(DeviceState *dev, Error **errp)
{
    ImxIpuScreen *s = IMX_IPU_SCREEN(dev);

    s->sections = new_sections();
    s->redraw = true;
    s->console = qemu_graphic_console_create(dev, 0,
                                             &imx_ipu_screen_console_ops, s);
    QLIST_INSERT_HEAD(&all_screens, s, next);
}

static void imx_ipu_screen_unrealize(DeviceState *dev)
{
    ImxIpuScreen *s = IMX_IPU_SCREEN(dev);

    QLIST_REMOVE(s, next);
    qemu_graphic_console_close(s->console);
    g_array_unref(s->sections);
    s->sections = NULL;
}

static void imx_ipu_screen_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Screen of an i.MX6 display output";
    dc->realize = imx_ipu_screen_realize;
    dc->unrealize = imx_ipu_screen_unrealize;
    dc->user_creatable = false;
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

/* ---- IPU ------------------------------------------------------------------ */

static const MemoryRegionOps imx_ipu_mmio_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = pixmill_shell_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

void imx_ipu_get_timing(ImxIpuState *s, unsigned di, ImxIpuTiming *out)
{
    PixmillIpuv3Timing timing;

    pixmill_shell_enter(&s->shell);
    pixmill_ipuv3_timing(s->shell.core, di % IMX_IPU_DIS, &timing);
    pixmill_shell_leave(&s->shell);
    *out = (ImxIpuTiming) {
        .running = timing.running,
        .width = timing.width,
        .height = timing.height,
        .total_width = timing.total_width,
        .total_height = timing.total_height,
        .left = timing.left,
        .top = timing.top,
        .frame_ns = timing.frame_ns,
    };
}

ImxIpuState *imx_ipu_create(const ImxIpuPlace *place, DeviceState *controller,
                            Error **errp)
{
    DeviceState *dev = qdev_new(TYPE_IMX_IPUV3H);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);

    object_property_add_child(qdev_get_machine(), place->name, OBJECT(dev));
    if (!sysbus_realize_and_unref(sbd, errp)) {
        return NULL;
    }
    sysbus_mmio_map(sbd, 0, place->addr);
    sysbus_connect_irq(sbd, PIXMILL_IPUV3_SYNC,
                       qdev_get_gpio_in(controller, place->sync_irq));
    sysbus_connect_irq(sbd, PIXMILL_IPUV3_ERROR,
                       qdev_get_gpio_in(controller, place->error_irq));
    return IMX_IPUV3H(dev);
}

/* Checks here, because the core's refusal does not tell which property it is. */
static bool imx_ipu_check_properties(const ImxIpuState *s, Error **errp)
{
    const struct {
        const char *name;
        uint32_t value, most;
    } numbers[] = {
        { "refresh", s->refresh, 1000 },
        { "max-width", s->max_width, PIXMILL_IPUV3_MAX_WIDTH },
        { "max-height", s->max_height, PIXMILL_IPUV3_MAX_HEIGHT },
    };

    for (int i = 0; i < ARRAY_SIZE(numbers); i++) {
        if (!numbers[i].value || numbers[i].value > numbers[i].most) {
            error_setg(errp, TYPE_IMX_IPUV3H ": %s is 1 to %" PRIu32 ", not %"
                       PRIu32, numbers[i].name, numbers[i].most,
                       numbers[i].value);
            return false;
        }
    }
    return true;
}

static void imx_ipu_realize(DeviceState *dev, Error **errp)
{
    ImxIpuState *s = IMX_IPUV3H(dev);
    const PixmillIpuv3Config config = {
        .refresh_hz = s->refresh,
        .max_width = s->max_width,
        .max_height = s->max_height,
    };

    if (imx_ipu_check_properties(s, errp)) {
        /* The name tells the IPUs of a board apart. */
        pixmill_shell_realize(
            &s->shell, dev, &config,
            object_get_canonical_path_component(OBJECT(dev)) ?: TYPE_IMX_IPUV3H,
            errp);
    }
}

static void imx_ipu_unrealize(DeviceState *dev)
{
    ImxIpuState *s = IMX_IPUV3H(dev);
    ImxIpuScreen *screen;

    QLIST_FOREACH(screen, &all_screens, next) {
        if (screen->ipu == s) {
            imx_ipu_screen_show(screen, NULL, 0);
        }
    }
    pixmill_shell_unrealize(&s->shell);
}

static void imx_ipu_init(Object *obj)
{
    ImxIpuState *s = IMX_IPUV3H(obj);

    pixmill_shell_init(&s->shell, obj, &pixmill_ipuv3, &imx_ipu_mmio_ops);
    pixmill_shell_init_sysbus(&s->shell, SYS_BUS_DEVICE(obj));
}

static const Property imx_ipu_properties[] = {
    DEFINE_PIXMILL_SHELL_PROPERTIES(ImxIpuState, shell),
    DEFINE_PROP_UINT32("refresh", ImxIpuState, refresh, 60),
    DEFINE_PROP_UINT32("max-width", ImxIpuState, max_width, 4096),
    DEFINE_PROP_UINT32("max-height", ImxIpuState, max_height, 2160),
};

static const VMStateField imx_ipu_same[] = {
    PIXMILL_SAME("refresh", ImxIpuState, refresh),
    VMSTATE_END_OF_LIST()
};

static void imx_ipu_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "i.MX6 IPUv3H image processing unit";
    dc->realize = imx_ipu_realize;
    device_class_set_props(dc, imx_ipu_properties);
    pixmill_shell_class_init(dc, &pixmill_ipuv3, offsetof(ImxIpuState, shell),
                             1, imx_ipu_same);
    dc->unrealize = imx_ipu_unrealize;
}

static const TypeInfo imx_ipu_types[] = {
    {
        .name = TYPE_IMX_IPUV3H,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(ImxIpuState),
        .instance_init = imx_ipu_init,
        .class_init = imx_ipu_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_PIXMILL_SHELL_DEVICE },
            { }
        },
    },
    {
        .name = TYPE_IMX_IPU_SCREEN,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(ImxIpuScreen),
        .class_init = imx_ipu_screen_class_init,
    },
};

DEFINE_TYPES(imx_ipu_types)
