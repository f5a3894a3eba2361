/*
 * General purpose registers of the i.MX6 Quad's IOMUXC, with the LVDS display
 * bridge (LDB) and the multiplexers of the display outputs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fields: linux include/linux/mfd/syscon/imx6q-iomuxc-gpr.h; Freescale's i.MX6
 * Platform SDK, sdk/include/mx6dq/registers/regsldb.h and
 * tools/rvd/registers/mx6dq/iMX6DQ_iomuxc.bcd.  Use: linux
 * drivers/gpu/drm/imx/ipuv3/imx-ldb.c and dw_hdmi-imx.c.
 *
 * Except for these fields, the registers only store: cache attributes, clocks,
 * requests of other modules, and the reset values of such fields, are not
 * modeled.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/bitops.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "hw/pixmill/trace.h"
#include "migration/vmstate.h"
#include "imx6-iomuxc-gpr.h"

#define GPR2 0x08 /* LDB_CTRL */
#define GPR3 0x0C
#define GPR5 0x14
#define WINDOW 0x38

/* Each value of these names a DI: 0, 1 of IPU 1; 2, 3 of IPU 2. */
#define GPR3_HDMI_MUX(gpr3) extract32(gpr3, 2, 2)
#define GPR3_LVDS0_MUX(gpr3) extract32(gpr3, 6, 2)
#define GPR3_LVDS1_MUX(gpr3) extract32(gpr3, 8, 2)

/* Which of the bridge's two inputs channel 0 sends. */
#define GPR2_CH0_MODE(gpr2) extract32(gpr2, 0, 2)
enum { LDB_OFF, LDB_INPUT0, LDB_RESERVED, LDB_INPUT1 };

/* The parallel panel's pins carry DI0 of IPU 1. */
#define PARALLEL_DI 0

static const RegisterRule gpr_rules[] = {
    { RULE_READ_ONLY, REGISTER(GPR3), 0x001E0000 }, /* OCRAM_STATUS */
    { RULE_READ_ONLY, REGISTER(GPR5), 0x000001FF }, /* ARM_WFI, _WFE, L2 */
    { }
};

/* ---- Routes ------------------------------------------------------------- */

/*
 * Returns what the LVDS panel shows.  The panel is on channel 0.  In split
 * mode, each channel sends half of the pixels of one picture, so the panel
 * shows all of it.
 */
static int gpr_lvds_shows(uint32_t gpr2, uint32_t gpr3)
{
    switch (GPR2_CH0_MODE(gpr2)) {
    case LDB_INPUT0:
        return GPR3_LVDS0_MUX(gpr3);
    case LDB_INPUT1:
        return GPR3_LVDS1_MUX(gpr3);
    default:
        return IMX6_SHOWS_NOTHING;
    }
}

static int gpr_shows(const Imx6IomuxcGprState *s, Imx6Output output)
{
    uint32_t gpr2 = register_bank_read(&s->bank, GPR2, 4);
    uint32_t gpr3 = register_bank_read(&s->bank, GPR3, 4);

    switch (output) {
    case IMX6_OUTPUT_HDMI:
        return s->hdmi ? GPR3_HDMI_MUX(gpr3) : IMX6_SHOWS_NOTHING;
    case IMX6_OUTPUT_LVDS:
        return gpr_lvds_shows(gpr2, gpr3);
    default:
        return s->lcd ? PARALLEL_DI : IMX6_SHOWS_NOTHING;
    }
}

static void gpr_show(Imx6IomuxcGprState *s, Imx6Output output, int shown)
{
    trace_pixmill_imx6_output(output, shown);
    s->shown[output] = shown;
    if (shown == IMX6_SHOWS_NOTHING) {
        imx_ipu_screen_show(s->screen[output], NULL, 0);
    } else {
        imx_ipu_screen_show(s->screen[output], s->ipu[shown / IMX_IPU_DIS],
                            shown % IMX_IPU_DIS);
    }
}

/* Routes the outputs whose source has changed. */
static void gpr_update(Imx6IomuxcGprState *s)
{
    for (int i = 0; i < IMX6_OUTPUTS; i++) {
        int shown = gpr_shows(s, i);

        if (shown != s->shown[i]) {
            gpr_show(s, i, shown);
        }
    }
}

static void gpr_update_all(Imx6IomuxcGprState *s)
{
    for (int i = 0; i < IMX6_OUTPUTS; i++) {
        gpr_show(s, i, gpr_shows(s, i));
    }
}

static void gpr_set_hdmi(void *opaque, int n, int level)
{
    Imx6IomuxcGprState *s = opaque;

    s->hdmi = level;
    gpr_update(s);
}

static void gpr_set_lcd(void *opaque, int n, int level)
{
    Imx6IomuxcGprState *s = opaque;

    s->lcd = level;
    gpr_update(s);
}

/* ---- Accesses ----------------------------------------------------------- */

static uint64_t gpr_read(void *opaque, hwaddr addr, unsigned size)
{
    Imx6IomuxcGprState *s = opaque;
    uint32_t value = register_bank_read(&s->bank, addr, size);

    trace_pixmill_registers_read(TYPE_IMX6_IOMUXC_GPR, addr, size, value);
    return value;
}

static void gpr_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    Imx6IomuxcGprState *s = opaque;
    uint32_t gpr2 = register_bank_read(&s->bank, GPR2, 4);

    trace_pixmill_registers_write(TYPE_IMX6_IOMUXC_GPR, addr, size, value);
    register_bank_write(&s->bank, addr, value, size);
    gpr_update(s);
    if (register_bank_read(&s->bank, GPR2, 4) != gpr2 &&
        GPR2_CH0_MODE(register_bank_read(&s->bank, GPR2, 4)) == LDB_RESERVED) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_IMX6_IOMUXC_GPR ": mode 2 of LVDS "
                      "channel 0 is reserved; the channel is off\n");
    }
}

static const MemoryRegionOps gpr_ops = PIXMILL_BYTE_OPS(gpr_read, gpr_write);

/* ---- Life cycle --------------------------------------------------------- */

static void gpr_reset_enter(Object *obj, ResetType type)
{
    register_bank_reset(&IMX6_IOMUXC_GPR(obj)->bank);
}

static void gpr_reset_hold(Object *obj, ResetType type)
{
    gpr_update_all(IMX6_IOMUXC_GPR(obj));
}

static int gpr_post_load(void *opaque, int version_id)
{
    Imx6IomuxcGprState *s = opaque;

    register_bank_post_load(&s->bank);
    gpr_update_all(s);
    return 0;
}

static const VMStateDescription vmstate_gpr = {
    .name = TYPE_IMX6_IOMUXC_GPR,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = gpr_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(bank.count, Imx6IomuxcGprState, NULL),
        VMSTATE_REGISTER_BANK(bank, Imx6IomuxcGprState),
        VMSTATE_END_OF_LIST()
    },
};

static void gpr_realize(DeviceState *dev, Error **errp)
{
    Imx6IomuxcGprState *s = IMX6_IOMUXC_GPR(dev);

    for (int i = 0; i < IMX6_OUTPUTS; i++) {
        if (!s->screen[i] || !s->ipu[i % IMX6_IPUS]) {
            error_setg(errp, TYPE_IMX6_IOMUXC_GPR ": only machines can create "
                       "it");
            return;
        }
    }
}

static void gpr_init(Object *obj)
{
    Imx6IomuxcGprState *s = IMX6_IOMUXC_GPR(obj);
    DeviceState *dev = DEVICE(obj);

    register_bank_init(&s->bank, 0, WINDOW, gpr_rules, NULL);
    memory_region_init_io(&s->mmio, obj, &gpr_ops, s, TYPE_IMX6_IOMUXC_GPR,
                          WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    qdev_init_gpio_in_named(dev, gpr_set_hdmi, IMX6_IOMUXC_GPR_HDMI, 1);
    qdev_init_gpio_in_named(dev, gpr_set_lcd, IMX6_IOMUXC_GPR_LCD, 1);
}

static void gpr_finalize(Object *obj)
{
    register_bank_destroy(&IMX6_IOMUXC_GPR(obj)->bank);
}

static void gpr_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "i.MX6 IOMUXC GPR: LVDS bridge and display multiplexers";
    dc->realize = gpr_realize;
    dc->vmsd = &vmstate_gpr;
    dc->user_creatable = false; /* needs IPUs and screens */
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
    rc->phases.enter = gpr_reset_enter;
    rc->phases.hold = gpr_reset_hold;
}

static const TypeInfo gpr_types[] = {
    {
        .name = TYPE_IMX6_IOMUXC_GPR,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(Imx6IomuxcGprState),
        .instance_init = gpr_init,
        .instance_finalize = gpr_finalize,
        .class_init = gpr_class_init,
    },
};

DEFINE_TYPES(gpr_types)
