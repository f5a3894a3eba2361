/*
 * The IRQ crossbar of the AM57xx: its banks, their addresses and reset values.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * AM57xx TRM, control module, CTRL_CORE_*_IRQ_* registers.  Lines without a
 * register, and lines that bypass their register, are as in linux dra7.dtsi.
 * Reset values that no public source gives are 0 here: MPU lines 134-159, and
 * all of EVE.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pixmill/compat.h"
#include "am57xx-crossbar.h"
#include "am57xx-map.h"

#define SELECT_MASK 0x1FF

/* Priority of banks, which cover a model of the rest of the control module. */
#define OVERLAP_PRIORITY 1

#define MAX_LINES AM57XX_MPU_LINES

/*
 * A run of @count lines, starting at @line.  They select consecutive sources,
 * starting at @source.
 */
typedef struct {
    uint16_t line;
    uint16_t count;
    uint16_t source;
} Run;

/* An empty run ends a table. */
static const Run mpu_without[] = { { 0, 4 }, { 5, 2 }, { 131, 2 }, { 0 } };
static const Run mpu_reset[] = { { 4, 1, 1 }, { 7, 124, 2 }, { 0 } };

static const Run ipu_without[] = { { 0, 23 }, { 0 } };
static const Run ipu_reset[] = {
    { 23, 1, 20 },  { 26, 1, 96 },  { 34, 4, 7 },   { 38, 1, 132 },
    { 39, 2, 98 },  { 41, 2, 51 },  { 43, 2, 56 },  { 45, 1, 69 },
    { 46, 1, 5 },   { 47, 1, 133 }, { 50, 1, 134 }, { 51, 2, 24 },
    { 53, 2, 34 },  { 55, 1, 40 },  { 56, 1, 42 },  { 57, 2, 60 },
    { 64, 1, 108 }, { 65, 1, 120 }, { 66, 1, 78 },  { 67, 1, 81 },
    { 68, 1, 89 },  { 73, 2, 72 },  { 76, 2, 87 },  { 0 }
};

static const Run dsp_pruss_without[] = { { 0, 32 }, { 0 } };
static const Run dsp_reset[] = { { 32, 64, 1 }, { 0 } };
static const Run pruss_reset[] = { { 32, 32, 1 }, { 0 } };

static const Run none[] = { { 0 } };

/*
 * Pairs of a line and its source.  Line 10 is the L3 application error; the
 * others are the external NMI and the watchdogs, which are not crossbar
 * sources.
 */
static const uint32_t mpu_bypass[] = { 10, 5, 133, 0, 139, 0, 140, 0 };

static const struct {
    const char *name;
    hwaddr offset; /* within CTRL_MODULE_CORE */
    uint32_t lines;
    const Run *without_register;
    const Run *reset;
    const uint32_t *bypass;
    size_t bypass_length;
} banks[] = {
    { "mpu", CTRL_CORE_MPU_IRQ, AM57XX_MPU_LINES, mpu_without, mpu_reset,
      mpu_bypass, ARRAY_SIZE(mpu_bypass) },
    { "ipu1", 0x7E0, 80, ipu_without, ipu_reset },
    { "ipu2", 0x854, 80, ipu_without, ipu_reset },
    { "dsp1", 0x948, 96, dsp_pruss_without, dsp_reset },
    { "dsp2", 0x9C8, 96, dsp_pruss_without, dsp_reset },
    { "pruss1", 0x8C8, 64, dsp_pruss_without, pruss_reset },
    { "pruss2", 0x908, 64, dsp_pruss_without, pruss_reset },
    { "eve1", 0x7A0, 8, none, none },
    { "eve2", 0x7B0, 8, none, none },
    { "eve3", 0x7C0, 8, none, none },
    { "eve4", 0x7D0, 8, none, none },
};

static const Run *find_run(const Run *runs, uint32_t line)
{
    for (; runs->count; runs++) {
        if (line >= runs->line && line < runs->line + runs->count) {
            return runs;
        }
    }
    return NULL;
}

/* Sets "lines-without-register" and, for all other lines, "reset-map". */
static void set_registers(DeviceState *bank, uint32_t lines,
                          const Run *without_register, const Run *reset)
{
    uint32_t without[MAX_LINES], map[MAX_LINES];
    size_t num_without = 0, num_registers = 0;

    assert(lines <= MAX_LINES);
    for (uint32_t line = 0; line < lines; line++) {
        if (find_run(without_register, line)) {
            without[num_without++] = line;
        } else {
            const Run *run = find_run(reset, line);

            map[num_registers++] = run ? run->source + line - run->line : 0;
        }
    }
    ti_irq_crossbar_set_array(bank, "lines-without-register", without,
                              num_without);
    ti_irq_crossbar_set_array(bank, "reset-map", map, num_registers);
}

DeviceState *am57xx_crossbar_create(Object *parent)
{
    DeviceState *crossbar = qdev_new(TYPE_TI_IRQ_CROSSBAR);

    object_property_add_child(parent, "crossbar", OBJECT(crossbar));
    qdev_prop_set_uint32(crossbar, "num-sources", AM57XX_CROSSBAR_SOURCES);
    sysbus_realize_and_unref(SYS_BUS_DEVICE(crossbar), &error_fatal);

    for (size_t i = 0; i < ARRAY_SIZE(banks); i++) {
        DeviceState *bank = ti_irq_crossbar_new_bank(crossbar, banks[i].name);

        qdev_prop_set_uint32(bank, "num-lines", banks[i].lines);
        qdev_prop_set_uint8(bank, "reg-size", 2);
        qdev_prop_set_uint32(bank, "select-mask", SELECT_MASK);
        ti_irq_crossbar_set_array(bank, "bypass", banks[i].bypass,
                                  banks[i].bypass_length);
        set_registers(bank, banks[i].lines, banks[i].without_register,
                      banks[i].reset);
        sysbus_realize_and_unref(SYS_BUS_DEVICE(bank), &error_fatal);
        sysbus_mmio_map_overlap(SYS_BUS_DEVICE(bank), 0,
                                CTRL_MODULE_CORE_BASE + banks[i].offset,
                                OVERLAP_PRIORITY);
    }
    return crossbar;
}
