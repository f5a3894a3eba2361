/*
 * Registers of the i.MX RT1170 that start-up code writes and polls.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses and bits: NXP MCUXpresso SDK, devices/RT/RT1170,
 * MIMXRT1176_cm7_COMMON.h and periph/PERI_*.h.  What its drivers wait for:
 * fsl_clock.c and .h, fsl_anatop_ai.c, fsl_pmu.c, fsl_dcdc.h, fsl_gpc.c,
 * fsl_pgmc.c, fsl_soc_src.c, fsl_rtwdog.c, fsl_flexspi.c, fsl_semc.c.
 *
 * Registers without a rule are 0 after reset: their values on silicon are not
 * public, and the boot ROM has written many of them before firmware starts.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "imxrt1170-registers.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "hw/pixmill/trace.h"

typedef enum RuleKind {
    RULE_END,
    READ_ONLY, /* but for what other rules read there */
    SET,       /* writes set, clear or toggle bits of the register at source */
    CLEAR,
    TOGGLE,
    COPY,  /* bits are those of the register at source */
    WHEN,  /* bits are set while one of when is, in the register at source */
    ONES,  /* bits are always set */
    ZEROS, /* ... clear: a request that has been met */
} RuleKind;

struct Imxrt1170Rule {
    RuleKind kind;
    uint32_t first; /* offsets of the registers that it is about */
    uint32_t step;
    uint32_t count;
    uint32_t bits;
    int32_t source; /* offset from each of them to another */
    uint32_t when;
};

#define ONE(offset) (offset), 4, 1
#define SET_CLEAR_TOGGLE(first, step, count)            \
    { SET, (first) + 0x4, (step), (count), 0, -0x4 },   \
    { CLEAR, (first) + 0x8, (step), (count), 0, -0x8 }, \
    { TOGGLE, (first) + 0xC, (step), (count), 0, -0xC }

/* ---- Clocks ------------------------------------------------------------- */

static const Imxrt1170Rule ccm_rules[] = {
    /* Roots and groups: CONTROL, AUTHEN; STATUS0 has DIV, MUX and OFF. */
    SET_CLEAR_TOGGLE(0x0000, 0x80, 79),
    SET_CLEAR_TOGGLE(0x0030, 0x80, 79),
    { READ_ONLY, 0x0020, 0x80, 79 },
    { COPY, 0x0020, 0x80, 79, 0x010007FF, -0x20 },
    SET_CLEAR_TOGGLE(0x4000, 0x80, 2),
    SET_CLEAR_TOGGLE(0x4030, 0x80, 2),
    { READ_ONLY, 0x4020, 0x80, 2 },
    { COPY, 0x4020, 0x80, 2, 0x01FF000F, -0x20 },
    /* GPR_SHARED and GPR_PRIVATE with their AUTHEN */
    SET_CLEAR_TOGGLE(0x4800, 0x10, 16),
    SET_CLEAR_TOGGLE(0x4C20, 0x10, 14),
    /* Sources and gates: STATUS0.ON follows DIRECT.ON. */
    { READ_ONLY, 0x5010, 0x20, 29 },
    { COPY, 0x5010, 0x20, 29, 0x00000001, -0x10 },
    { READ_ONLY, 0x6010, 0x20, 138 },
    { COPY, 0x6010, 0x20, 138, 0x00000001, -0x10 },
    { }
};

/* A PFD is stable anew whenever its bit of UPDATE changes. */
#define PFD(offset, update)                                      \
    { WHEN, ONE(offset), 1u << 6, (update) - (offset), 1u << 1 },  \
    { WHEN, ONE(offset), 1u << 14, (update) - (offset), 1u << 2 }, \
    { WHEN, ONE(offset), 1u << 22, (update) - (offset), 1u << 3 }, \
    { WHEN, ONE(offset), 1u << 30, (update) - (offset), 1u << 4 }

#define PLL_STABLE (1u << 29)

/* An access to an analog module is done when TOGGLE_DONE is TOGGLE again. */
#define AI_DONE(offset) { WHEN, ONE(offset), 1u << 9, 0, 1u << 8 }

static const Imxrt1170Rule anadig_rules[] = {
    { WHEN, ONE(0x020), 1u << 30, 0, 1u << 4 },     /* OSC_24M_CTRL */
    { WHEN, ONE(0x200), PLL_STABLE, 0, 1u << 13 },  /* ARM_PLL_CTRL: POWERUP */
    { WHEN, ONE(0x210), PLL_STABLE, 0, 1u << 21 },  /* SYS_PLL3_CTRL: POWERUP */
    { WHEN, ONE(0x240), PLL_STABLE, 0, 1u << 23 },  /* SYS_PLL2_CTRL: POWERUP */
    PFD(0x230, 0x220),                              /* SYS_PLL3_PFD */
    PFD(0x270, 0x250),                              /* SYS_PLL2_PFD */
    /* These are powered by the analog modules, whose registers are not here. */
    { ONES, ONE(0x2C0), PLL_STABLE },               /* SYS_PLL1_CTRL */
    { ONES, ONE(0x300), PLL_STABLE },               /* PLL_AUDIO_CTRL */
    { ONES, ONE(0x350), PLL_STABLE },               /* PLL_VIDEO_CTRL */
    { WHEN, ONE(0x560), 1u << 26, 0, 1u << 24 },    /* PMU_BIAS_CTRL2: WB_OK */
    AI_DONE(0x850),                                 /* ..._AI_CTRL_1G */
    AI_DONE(0x880),                                 /* ..._AI_CTRL_AUDIO */
    AI_DONE(0x8B0),                                 /* ..._AI_CTRL_VIDEO */
    AI_DONE(0x920),                                 /* VDDLPSR_AI400M_CTRL */
    { }
};

/* ---- Power, resets ------------------------------------------------------ */

static const Imxrt1170Rule dcdc_rules[] = {
    { ONES, ONE(0x08), 0xA0000000 }, /* REG0: STS_DC_OK, XTAL_24M_OK */
    { }
};

static const Imxrt1170Rule gpc_rules[] = {
    { ZEROS, 0x300, 0x800, 2, 0x00000001 }, /* CM_SP_CTRL: CPU_SP_RUN_EN */
    { }
};

static const Imxrt1170Rule pgmc_rules[] = {
    { ZEROS, 0x1044, 0x400, 2, 0x00010000 }, /* CPC_CACHE_CM_CTRL: MLPL_SOFT */
    { ZEROS, 0x10C4, 0x400, 2, 0x00010000 }, /* CPC_LMEM_CM_CTRL: MLPL_SOFT */
    { }
};

static const Imxrt1170Rule src_rules[] = {
    { ZEROS, 0x204, 0x20, 10, 0x00000001 }, /* CTRL: SW_RESET */
    { ZEROS, 0x210, 0x20, 10, 0x00000001 }, /* STAT: UNDER_RST */
    { }
};

static const Imxrt1170Rule rtwdog_rules[] = {
    { ONES, ONE(0x0), 0x00000C00 }, /* CS: ULK, RCS */
    { }
};

/* ---- Memories, pins ----------------------------------------------------- */

static const Imxrt1170Rule flexspi_rules[] = {
    { ZEROS, ONE(0x00), 0x00000001 }, /* MCR0: SWRESET */
    { ONES, ONE(0x14), 0x00000001 },  /* INTR: IPCMDDONE */
    { READ_ONLY, ONE(0xE0) },
    { ONES, ONE(0xE0), 0x00000003 },  /* STS0: SEQIDLE, ARBIDLE */
    { }
};

static const Imxrt1170Rule semc_rules[] = {
    { ZEROS, ONE(0x00), 0x00000001 }, /* MCR: SWRST */
    { ONES, ONE(0x3C), 0x00000001 },  /* INTR: IPCMDDONE */
    { }
};

/* Pins read what is put out: PSR is DR. */
static const Imxrt1170Rule gpio_rules[] = {
    { READ_ONLY, ONE(0x08) },
    { COPY, ONE(0x08), 0xFFFFFFFF, -0x08 },
    { SET, ONE(0x84), 0, -0x84 },
    { CLEAR, ONE(0x88), 0, -0x88 },
    { TOGGLE, ONE(0x8C), 0, -0x8C },
    { }
};

static const Imxrt1170Rule video_mux_rules[] = {
    SET_CLEAR_TOGGLE(0x00, 0x10, 8),
    { }
};

const Imxrt1170Block imxrt1170_blocks[] = {
    { "flexram", 0x40028000, 0x4000 },
    { "wdog1", 0x40030000, 0x4000 },
    { "wdog2", 0x40034000, 0x4000 },
    { "rtwdog3", 0x40038000, 0x4000, rtwdog_rules },
    { "flexspi1", 0x400CC000, 0x4000, flexspi_rules },
    { "flexspi2", 0x400D0000, 0x4000, flexspi_rules },
    { "semc", 0x400D4000, 0x4000, semc_rules },
    { "iomuxc-gpr", 0x400E4000, 0x4000 },
    { "iomuxc", 0x400E8000, 0x4000 },
    { "gpio1", 0x4012C000, 0x4000, gpio_rules },
    { "gpio2", 0x40130000, 0x4000, gpio_rules },
    { "gpio3", 0x40134000, 0x4000, gpio_rules },
    { "gpio4", 0x40138000, 0x4000, gpio_rules },
    { "gpio5", 0x4013C000, 0x4000, gpio_rules },
    { "gpio6", 0x40140000, 0x4000, gpio_rules },
    { "video-mux", 0x40818000, 0x1000, video_mux_rules },
    { "gpc", 0x40C00000, 0x4000, gpc_rules },
    { "src", 0x40C04000, 0x4000, src_rules },
    { "iomuxc-lpsr", 0x40C08000, 0x4000 },
    { "iomuxc-lpsr-gpr", 0x40C0C000, 0x4000 },
    { "rtwdog4", 0x40C10000, 0x4000, rtwdog_rules },
    { "gpio7", 0x40C5C000, 0x4000, gpio_rules },
    { "gpio8", 0x40C60000, 0x4000, gpio_rules },
    { "gpio9", 0x40C64000, 0x4000, gpio_rules },
    { "gpio10", 0x40C68000, 0x4000, gpio_rules },
    { "gpio11", 0x40C6C000, 0x4000, gpio_rules },
    { "gpio12", 0x40C70000, 0x4000, gpio_rules },
    { "anadig", 0x40C84000, 0x4000, anadig_rules },
    { "pgmc", 0x40C88000, 0x4000, pgmc_rules },
    { "snvs", 0x40C90000, 0x4000 },
    { "iomuxc-snvs", 0x40C94000, 0x4000 },
    { "iomuxc-snvs-gpr", 0x40C98000, 0x4000 },
    { "gpio13", 0x40CA0000, 0x4000, gpio_rules },
    { "dcdc", 0x40CA8000, 0x4000, dcdc_rules },
    { "ocotp", 0x40CAC000, 0x4000 },
    { "ccm", 0x40CC0000, 0x8000, ccm_rules },
    { "cm7-gpio2", 0x42008000, 0x4000, gpio_rules },
    { "cm7-gpio3", 0x4200C000, 0x4000, gpio_rules },
    { }
};

/* ---- Accesses ----------------------------------------------------------- */

static const Imxrt1170Rule no_rules[] = { { } };

static const Imxrt1170Rule *
registers_rules(const Imxrt1170RegistersState *s)
{
    return s->block->rules ? s->block->rules : no_rules;
}

static bool rule_is_about(const Imxrt1170Rule *rule, uint32_t offset)
{
    return offset >= rule->first &&
           (offset - rule->first) % rule->step == 0 &&
           (offset - rule->first) / rule->step < rule->count;
}

static uint32_t *rule_source(Imxrt1170RegistersState *s,
                             const Imxrt1170Rule *rule, uint32_t offset)
{
    return &s->reg[(offset + rule->source) / 4];
}

static uint32_t registers_word(Imxrt1170RegistersState *s, uint32_t offset)
{
    uint32_t value = s->reg[offset / 4];

    for (const Imxrt1170Rule *r = registers_rules(s); r->kind; r++) {
        if (!rule_is_about(r, offset)) {
            continue;
        }
        switch (r->kind) {
        case SET:
        case CLEAR:
        case TOGGLE:
            value = *rule_source(s, r, offset);
            break;
        case COPY:
            value = (value & ~r->bits) | (*rule_source(s, r, offset) & r->bits);
            break;
        case WHEN:
            value = (value & ~r->bits) |
                    (*rule_source(s, r, offset) & r->when ? r->bits : 0);
            break;
        case ONES:
            value |= r->bits;
            break;
        case ZEROS:
            value &= ~r->bits;
            break;
        default:
            break;
        }
    }
    return value;
}

static void registers_set_word(Imxrt1170RegistersState *s, uint32_t offset,
                               uint32_t value, uint32_t mask)
{
    uint32_t *reg = &s->reg[offset / 4];

    for (const Imxrt1170Rule *r = registers_rules(s); r->kind; r++) {
        if (!rule_is_about(r, offset)) {
            continue;
        }
        switch (r->kind) {
        case READ_ONLY:
            return;
        case SET:
            *rule_source(s, r, offset) |= value & mask;
            return;
        case CLEAR:
            *rule_source(s, r, offset) &= ~(value & mask);
            return;
        case TOGGLE:
            *rule_source(s, r, offset) ^= value & mask;
            return;
        default:
            break;
        }
    }
    *reg = (*reg & ~mask) | (value & mask);
}

/* Accesses are aligned: QEMU splits others. */
static uint64_t registers_read(void *opaque, hwaddr addr, unsigned size)
{
    Imxrt1170RegistersState *s = opaque;
    uint64_t value = extract32(registers_word(s, addr & ~3), addr % 4 * 8,
                               size * 8);

    trace_pixmill_imxrt1170_registers_read(s->block->name, addr, size, value);
    return value;
}

static void registers_write(void *opaque, hwaddr addr, uint64_t value,
                            unsigned size)
{
    Imxrt1170RegistersState *s = opaque;
    unsigned shift = addr % 4 * 8;

    trace_pixmill_imxrt1170_registers_write(s->block->name, addr, size, value);
    registers_set_word(s, addr & ~3, (uint32_t)value << shift,
                       MAKE_64BIT_MASK(shift, size * 8));
}

static const MemoryRegionOps registers_ops =
    PIXMILL_BYTE_OPS(registers_read, registers_write);

/* ---- Life cycle --------------------------------------------------------- */

static void registers_reset_enter(Object *obj, ResetType type)
{
    Imxrt1170RegistersState *s = IMXRT1170_REGISTERS(obj);

    memset(s->reg, 0, s->count * sizeof(*s->reg));
}

static void registers_realize(DeviceState *dev, Error **errp)
{
    Imxrt1170RegistersState *s = IMXRT1170_REGISTERS(dev);

    for (const Imxrt1170Block *b = imxrt1170_blocks; b->name; b++) {
        if (!g_strcmp0(s->block_name, b->name)) {
            s->block = b;
        }
    }
    if (!s->block) {
        error_setg(errp, TYPE_IMXRT1170_REGISTERS ": no block '%s'",
                   s->block_name ? s->block_name : "");
        return;
    }
    s->count = s->block->size / 4;
    s->reg = g_new0(uint32_t, s->count);
    memory_region_init_io(&s->mmio, OBJECT(s), &registers_ops, s,
                          s->block->name, s->block->size);
    sysbus_init_mmio(SYS_BUS_DEVICE(s), &s->mmio);
}

static void registers_finalize(Object *obj)
{
    g_free(IMXRT1170_REGISTERS(obj)->reg);
}

static const VMStateDescription vmstate_registers = {
    .name = TYPE_IMXRT1170_REGISTERS,
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(count, Imxrt1170RegistersState, NULL),
        VMSTATE_VARRAY_UINT32(reg, Imxrt1170RegistersState, count, 1,
                              vmstate_info_uint32, uint32_t),
        VMSTATE_END_OF_LIST()
    },
};

static const Property registers_properties[] = {
    DEFINE_PROP_STRING("block", Imxrt1170RegistersState, block_name),
};

static void registers_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "i.MX RT1170 registers for clocks, power and pins";
    dc->realize = registers_realize;
    dc->vmsd = &vmstate_registers;
    dc->user_creatable = false; /* the machine knows where they are */
    device_class_set_props(dc, registers_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = registers_reset_enter;
}

static const TypeInfo registers_types[] = {
    {
        .name = TYPE_IMXRT1170_REGISTERS,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(Imxrt1170RegistersState),
        .instance_finalize = registers_finalize,
        .class_init = registers_class_init,
    },
};

DEFINE_TYPES(registers_types)
