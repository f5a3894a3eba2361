/*
 * AMD Geode LX graphics processor as a QEMU device, with its frame buffer.
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
#include "geode-gp.h"

#define SPACE_SIZE (4 * GiB)

/* ---- Registers ----------------------------------------------------------- */

static const MemoryRegionOps geode_gp_mmio_ops = {
    .read_with_attrs = pixmill_shell_read,
    .write_with_attrs = pixmill_shell_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 8 },
    /*
     * Accesses are not split, because one that stalls halfway must not start
     * over.
     */
    .impl = { .min_access_size = 1, .max_access_size = 8 },
};

static uint64_t geode_gp_msr_read(void *opaque, hwaddr addr, unsigned size)
{
    GeodeGpState *s = opaque;
    uint64_t value;

    pixmill_shell_enter(&s->shell);
    value = pixmill_geode_gp_read_msr(s->shell.core, addr / 8);
    pixmill_shell_leave(&s->shell);
    return extract64(value, 8 * (addr & 4), 32);
}

static void geode_gp_msr_write(void *opaque, hwaddr addr, uint64_t value,
                               unsigned size)
{
    GeodeGpState *s = opaque;
    uint64_t old;

    pixmill_shell_enter(&s->shell);
    old = pixmill_geode_gp_read_msr(s->shell.core, addr / 8);
    pixmill_geode_gp_write_msr(s->shell.core, addr / 8,
                               deposit64(old, 8 * (addr & 4), 32, value));
    pixmill_shell_leave(&s->shell);
}

static const MemoryRegionOps geode_gp_msr_ops =
    PIXMILL_WORD_OPS(geode_gp_msr_read, geode_gp_msr_write);

/* ---- Display timing ------------------------------------------------------ */

void geode_gp_set_timing(GeodeGpState *s, int64_t blank_ns, int64_t frame_ns)
{
    pixmill_shell_enter(&s->shell);
    pixmill_geode_gp_set_timing(s->shell.core, blank_ns, frame_ns);
    pixmill_shell_leave(&s->shell);
}

/* ---- Frame buffer -------------------------------------------------------- */

/*
 * Sets the state that the core does not save.  Call between enter() and
 * leave().
 */
static void geode_gp_update_frame_buffer(PixmillShell *shell)
{
    GeodeGpState *s = container_of(shell, GeodeGpState, shell);

    pixmill_geode_gp_set_frame_buffer(shell->core, s->fb_base,
                                      s->fb_mapped ? s->vram_size : 0);
}

void geode_gp_place_vram(GeodeGpState *s, bool mapped, uint32_t base)
{
    s->fb_mapped = mapped;
    s->fb_base = base;
    memory_region_transaction_begin();
    memory_region_set_enabled(&s->frame_buffer, mapped);
    memory_region_set_address(&s->frame_buffer, base);
    memory_region_transaction_commit();
    geode_gp_update_frame_buffer(&s->shell);
}

/*
 * QEMU names a RAM block after the path of its device, and aborts if the name
 * exists.  Devices on the system bus have no path, so use that of the nearest
 * parent that has one, e.g. a PCI function.
 */
static bool geode_gp_create_vram(GeodeGpState *s, Error **errp)
{
    const char *name = "geode-gp.vram";
    DeviceState *named = DEVICE(s);
    g_autofree char *path = qdev_get_dev_path(named);
    g_autofree char *id = NULL;

    for (Object *obj = OBJECT(s)->parent; obj && !path; obj = obj->parent) {
        if (object_dynamic_cast(obj, TYPE_DEVICE)) {
            named = DEVICE(obj);
            path = qdev_get_dev_path(named);
        }
    }
    id = g_strconcat(path ?: "", path ? "/" : "", name, NULL);
    if (qemu_ram_block_by_name(id)) {
        error_setg(errp, TYPE_GEODE_GP ": there is already a block of RAM "
                   "'%s': a machine has one " TYPE_GEODE_GP " without a path",
                   id);
        return false;
    }
    if (!memory_region_init_ram_nomigrate(&s->vram, OBJECT(s), name,
                                          s->vram_size, errp)) {
        return false;
    }
    vmstate_register_ram(&s->vram, path ? named : NULL);
    return true;
}

/* Creates the regions of VRAM and of the GP's address space. */
static bool geode_gp_create_memory(GeodeGpState *s, Error **errp)
{
    Object *owner = OBJECT(s);

    if (!is_power_of_2(s->vram_size) || s->vram_size < 4 * KiB ||
        s->vram_size > 256 * MiB) {
        error_setg(errp, TYPE_GEODE_GP ": vram-size must be a power of two "
                   "from 4 KiB to 256 MiB, not %" PRIu64, s->vram_size);
        return false;
    }
    if (s->fb_base > SPACE_SIZE - s->vram_size) {
        error_setg(errp, TYPE_GEODE_GP ": VRAM at fb-base 0x%08" PRIx32
                   " would end beyond 4 GiB", s->fb_base);
        return false;
    }
    if (!geode_gp_create_vram(s, errp)) {
        return false;
    }
    memory_region_init(&s->space, owner, "geode-gp.space", SPACE_SIZE);
    memory_region_init_alias(&s->frame_buffer, owner, "geode-gp.frame-buffer",
                             &s->vram, 0, s->vram_size);
    memory_region_add_subregion_overlap(&s->space, s->fb_base,
                                        &s->frame_buffer, 1);
    if (s->memory) {
        memory_region_init_alias(&s->beside, owner, "geode-gp.beside",
                                 s->memory, 0, SPACE_SIZE);
        memory_region_add_subregion(&s->space, 0, &s->beside);
    }
    return true;
}

/* ---- Life cycle ---------------------------------------------------------- */

static void geode_gp_realize(DeviceState *dev, Error **errp)
{
    GeodeGpState *s = GEODE_GP(dev);
    const PixmillGeodeGpConfig config = { .cbase_auto = s->cbase_auto };

    if (!geode_gp_create_memory(s, errp)) {
        return;
    }
    s->fb_base_first = s->fb_base;
    s->shell.dma = &s->space;
    s->shell.loaded = geode_gp_update_frame_buffer;
    if (pixmill_shell_realize(&s->shell, dev, &config, TYPE_GEODE_GP, errp)) {
        pixmill_shell_enter(&s->shell);
        geode_gp_place_vram(s, true, s->fb_base);
        pixmill_shell_leave(&s->shell);
    }
}

static void geode_gp_init(Object *obj)
{
    GeodeGpState *s = GEODE_GP(obj);
    SysBusDevice *sbd = SYS_BUS_DEVICE(obj);

    pixmill_shell_init(&s->shell, obj, &pixmill_geode_gp, &geode_gp_mmio_ops);
    pixmill_shell_init_sysbus(&s->shell, sbd);
    memory_region_init_io(&s->msr, obj, &geode_gp_msr_ops, s, "geode-gp.msr",
                          8 * PIXMILL_GEODE_GP_MSRS);
    sysbus_init_mmio(sbd, &s->msr);
    sysbus_init_mmio(sbd, &s->vram);
}

static const Property geode_gp_properties[] = {
    DEFINE_PIXMILL_WORKER_PROPERTIES(GeodeGpState, shell),
    DEFINE_PROP_LINK("dma", GeodeGpState, memory, TYPE_MEMORY_REGION,
                     MemoryRegion *),
    DEFINE_PROP_SIZE("vram-size", GeodeGpState, vram_size, 2 * MiB),
    DEFINE_PROP_UINT32("fb-base", GeodeGpState, fb_base, 0x01000000),
    DEFINE_PROP_BOOL("cbase-auto", GeodeGpState, cbase_auto, false),
};

static const VMStateField geode_gp_same[] = {
    PIXMILL_SAME("fb-base", GeodeGpState, fb_base_first),
    PIXMILL_SAME("cbase-auto", GeodeGpState, cbase_auto),
    VMSTATE_END_OF_LIST()
};

static void geode_gp_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "AMD Geode LX graphics processor (2D)";
    dc->realize = geode_gp_realize;
    device_class_set_props(dc, geode_gp_properties);
    pixmill_shell_class_init(dc, &pixmill_geode_gp,
                             offsetof(GeodeGpState, shell), 3, geode_gp_same);
}

static const TypeInfo geode_gp_types[] = {
    {
        .name = TYPE_GEODE_GP,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(GeodeGpState),
        .instance_init = geode_gp_init,
        .class_init = geode_gp_class_init,
        .interfaces = (InterfaceInfo[]) {
            { TYPE_PIXMILL_SHELL_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(geode_gp_types)
