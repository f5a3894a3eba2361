/*
 * AMD Geode LX: the PCI function with graphics processor and display.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ids and BARs: linux drivers/video/fbdev/geode/lxfb_ops.c and lxfb_core.c;
 * xserver-xorg-video-geode src/lx_driver.c.
 *
 * This is function 01.1 on real boards.  Drivers find it by its IDs at any
 * address, and do not need the processor's VGA, which is not modeled.  They use
 * GeodeLink MSRs if the processor has them; otherwise they place the GP's
 * command buffer where cbase-auto expects it.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bitops.h"
#include "qemu/module.h"
#include "qemu/range.h"
#include "qemu/units.h"
#include "hw/pci/pci_device.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/cores/geode-display.h"
#include "hw/pixmill/cores/geode-gp.h"
#include "migration/vmstate.h"

#define TYPE_GEODE_LX_VIDEO "geode-lx-video"
OBJECT_DECLARE_SIMPLE_TYPE(GeodeLxVideoState, GEODE_LX_VIDEO)

enum {
    BAR_VRAM,
    BAR_GP,
    BAR_DC, /* VP and VIP follow */
};

enum {
    IRQ_GP,
    IRQ_DISPLAY,
    IRQS,
};

struct GeodeLxVideoState {
    PCIDevice parent_obj;

    GeodeGpState gp;
    GeodeDisplayState display;
    uint32_t irq_levels; /* one bit each */

    bool dma;
};

/* ---- Interrupt ----------------------------------------------------------- */

static void geode_lx_video_set_irq(void *opaque, int n, int level)
{
    GeodeLxVideoState *s = opaque;

    s->irq_levels = deposit32(s->irq_levels, n, 1, !!level);
    pci_set_irq(&s->parent_obj, s->irq_levels != 0);
}

/* ---- Display timing ------------------------------------------------------ */

static void geode_lx_video_update_timing(GeodeDisplayState *display)
{
    GeodeLxVideoState *s = container_of(display, GeodeLxVideoState, display);
    PixmillGeodeBeam beam;

    pixmill_shell_enter(&display->shell);
    pixmill_geode_display_beam(display->shell.core, &beam);
    pixmill_shell_leave(&display->shell);
    geode_gp_set_timing(&s->gp, beam.blank_ns,
                        beam.running ? beam.frame_ns : 0);
}

/* ---- Address of VRAM ----------------------------------------------------- */

/*
 * Enters the GP and pauses its drawing.  Drawing continues at the new addresses
 * after leave().
 */
static void geode_lx_video_enter_gp(GeodeLxVideoState *s)
{
    pixmill_shell_enter(&s->gp.shell);
    pixmill_worker_drain(&s->gp.shell.worker);
}

static void geode_lx_video_leave_gp(GeodeLxVideoState *s)
{
    pixmill_shell_leave(&s->gp.shell);
}

/*
 * Moves VRAM in the GP's address space to where its BAR is.  Call between enter
 * and leave.
 */
static void geode_lx_video_move_vram(GeodeLxVideoState *s)
{
    pcibus_t base = pci_get_bar_addr(&s->parent_obj, BAR_VRAM);
    bool mapped = base != PCI_BAR_UNMAPPED;

    if (mapped != s->gp.fb_mapped || (mapped && base != s->gp.fb_base)) {
        geode_gp_place_vram(&s->gp, mapped, mapped ? base : 0);
    }
}

static void geode_lx_video_place_vram(GeodeLxVideoState *s)
{
    geode_lx_video_enter_gp(s);
    geode_lx_video_move_vram(s);
    geode_lx_video_leave_gp(s);
}

/*
 * The write may move a BAR or disable bus mastering, so it must not overlap a
 * draw.  The upper byte of PCI_COMMAND does neither, but its INTX_DISABLE
 * drives the interrupt line, which worker.h forbids between enter and leave.
 * That byte is therefore written afterwards.
 */
static void geode_lx_video_config_write(PCIDevice *pci, uint32_t address,
                                        uint32_t value, int length)
{
    GeodeLxVideoState *s = GEODE_LX_VIDEO(pci);
    const unsigned upper = PCI_COMMAND + 1;
    bool has_upper = range_covers_byte(address, length, upper);
    unsigned shift = has_upper ? (upper - address) * 8 : 0;
    uint32_t first = has_upper ?
                     deposit32(value, shift, 8, pci->config[upper]) : value;

    geode_lx_video_enter_gp(s);
    pci_default_write_config(pci, address, first, length);
    geode_lx_video_move_vram(s);
    geode_lx_video_leave_gp(s);
    if (has_upper) {
        pci_default_write_config(pci, upper, extract32(value, shift, 8), 1);
    }
}

/* The devices lower their lines when they are reset, before or after this. */
static void geode_lx_video_reset_enter(Object *obj, ResetType type)
{
    GEODE_LX_VIDEO(obj)->irq_levels = 0;
}

/*
 * Runs in the exit phase because a reset of the bus unmaps the BARs only after
 * the hold phase of its devices.
 */
static void geode_lx_video_reset_exit(Object *obj, ResetType type)
{
    geode_lx_video_place_vram(GEODE_LX_VIDEO(obj));
}

static int geode_lx_video_post_load(void *opaque, int version_id)
{
    GeodeLxVideoState *s = opaque;

    if (s->irq_levels >> IRQS) {
        s->irq_levels = 0; /* nothing would lower these lines */
        return -EINVAL;
    }
    geode_lx_video_place_vram(s);
    return 0;
}

static const VMStateDescription vmstate_geode_lx_video = {
    .name = TYPE_GEODE_LX_VIDEO,
    .version_id = 2,
    .minimum_version_id = 2,
    .post_load = geode_lx_video_post_load,
    .fields = (const VMStateField[]) {
        /* First, so that nothing else is loaded if the values differ. */
        PIXMILL_SAME("dma", GeodeLxVideoState, dma),
        VMSTATE_PCI_DEVICE(parent_obj, GeodeLxVideoState),
        VMSTATE_UINT32(irq_levels, GeodeLxVideoState),
        VMSTATE_END_OF_LIST()
    },
};

/* ---- Life cycle ---------------------------------------------------------- */

static bool geode_lx_video_realize_parts(GeodeLxVideoState *s, Error **errp)
{
    SysBusDevice *gp = SYS_BUS_DEVICE(&s->gp);
    SysBusDevice *display = SYS_BUS_DEVICE(&s->display);
    DeviceState *dev = DEVICE(s);

    if (s->dma) {
        s->gp.memory = &s->parent_obj.bus_master_container_region;
    }
    if (!sysbus_realize(gp, errp)) {
        return false;
    }
    s->display.vram = sysbus_mmio_get_region(gp, GEODE_GP_MMIO_VRAM);
    s->display.shown_by = dev;
    s->display.written = geode_lx_video_update_timing;
    if (!sysbus_realize(display, errp)) {
        return false;
    }
    qdev_init_gpio_in(dev, geode_lx_video_set_irq, IRQS);
    sysbus_connect_irq(gp, 0, qdev_get_gpio_in(dev, IRQ_GP));
    sysbus_connect_irq(display, 0, qdev_get_gpio_in(dev, IRQ_DISPLAY));
    return true;
}

static void geode_lx_video_realize(PCIDevice *pci, Error **errp)
{
    GeodeLxVideoState *s = GEODE_LX_VIDEO(pci);
    SysBusDevice *gp = SYS_BUS_DEVICE(&s->gp);
    SysBusDevice *display = SYS_BUS_DEVICE(&s->display);

    /*
     * Drivers keep only bits 31:24 of the address of VRAM.  VSA reports 254 MiB
     * at most.
     */
    if (s->gp.vram_size < 16 * MiB || s->gp.vram_size > 128 * MiB) {
        error_setg(errp, TYPE_GEODE_LX_VIDEO ": vram-size must be 16 MiB to "
                   "128 MiB");
        return;
    }
    if (!geode_lx_video_realize_parts(s, errp)) {
        return;
    }
    pci_config_set_interrupt_pin(pci->config, 1);
    pci_register_bar(pci, BAR_VRAM, PCI_BASE_ADDRESS_MEM_PREFETCH,
                     sysbus_mmio_get_region(gp, GEODE_GP_MMIO_VRAM));
    pci_register_bar(pci, BAR_GP, PCI_BASE_ADDRESS_SPACE_MEMORY,
                     sysbus_mmio_get_region(gp, GEODE_GP_MMIO_REGISTERS));
    for (int i = 0; i < GEODE_DISPLAY_BLOCKS; i++) {
        pci_register_bar(pci, BAR_DC + i, PCI_BASE_ADDRESS_SPACE_MEMORY,
                         sysbus_mmio_get_region(display, i));
    }
    if (s->display.vsa) {
        memory_region_add_subregion(pci_address_space_io(pci),
                                    PIXMILL_GEODE_VSA_PORT,
                                    &s->display.vsa_ports);
    }
    geode_lx_video_place_vram(s);
}

static void geode_lx_video_init(Object *obj)
{
    static const char *const of_gp[] = {
        "worker", "engine", "vram-size", "cbase-auto"
    };
    static const char *const of_display[] = { "output", "panel", "vsa" };
    GeodeLxVideoState *s = GEODE_LX_VIDEO(obj);

    object_initialize_child(obj, "gp", &s->gp, TYPE_GEODE_GP);
    object_initialize_child(obj, "display", &s->display, TYPE_GEODE_DISPLAY);
    qdev_prop_set_uint64(DEVICE(&s->gp), "vram-size", 64 * MiB);
    qdev_prop_set_bit(DEVICE(&s->gp), "cbase-auto", true);
    for (int i = 0; i < ARRAY_SIZE(of_gp); i++) {
        object_property_add_alias(obj, of_gp[i], OBJECT(&s->gp), of_gp[i]);
    }
    for (int i = 0; i < ARRAY_SIZE(of_display); i++) {
        object_property_add_alias(obj, of_display[i], OBJECT(&s->display),
                                  of_display[i]);
    }
}

/* dma: lets the GP access the system's memory around VRAM. */
static const Property geode_lx_video_properties[] = {
    DEFINE_PROP_BOOL("dma", GeodeLxVideoState, dma, false),
};

static void geode_lx_video_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    PCIDeviceClass *pc = PCI_DEVICE_CLASS(oc);

    dc->desc = "AMD Geode LX graphics";
    dc->vmsd = &vmstate_geode_lx_video;
    dc->hotpluggable = false;
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    device_class_set_props(dc, geode_lx_video_properties);
    RESETTABLE_CLASS(oc)->phases.enter = geode_lx_video_reset_enter;
    RESETTABLE_CLASS(oc)->phases.exit = geode_lx_video_reset_exit;
    pc->realize = geode_lx_video_realize;
    pc->config_write = geode_lx_video_config_write;
    pc->vendor_id = PCI_VENDOR_ID_AMD;
    pc->device_id = 0x2081;
    pc->subsystem_vendor_id = PCI_VENDOR_ID_AMD;
    pc->subsystem_id = 0x2081;
    pc->class_id = PCI_CLASS_DISPLAY_VGA;
}

static const TypeInfo geode_lx_video_types[] = {
    {
        .name = TYPE_GEODE_LX_VIDEO,
        .parent = TYPE_PCI_DEVICE,
        .instance_size = sizeof(GeodeLxVideoState),
        .instance_init = geode_lx_video_init,
        .class_init = geode_lx_video_class_init,
        .interfaces = (InterfaceInfo[]) {
            { INTERFACE_CONVENTIONAL_PCI_DEVICE },
            { }
        },
    },
};

DEFINE_TYPES(geode_lx_video_types)
