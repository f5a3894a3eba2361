/*
 * UART of OMAP and AM57xx: a 16550 followed by TI's registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * AM57xx TRM "UART/IrDA/CIR"; linux drivers/tty/serial/omap-serial.c.
 */
#include "qemu/osdep.h"
#include "qemu/log.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "omap-uart.h"
#include "mmio-ops.h"

#define BAUD_BASE (48000000 / 16)
#define XMIT_FIFO_BYTES 64 /* drivers fill it whenever it becomes empty */

#define SYSC_SOFTRESET 0x02
#define LCR_MODE_B 0xBF
#define R_LCR 3
#define SSR_TX_FIFO_FULL 0x01

/* Offsets from OMAP_UART_EXTENSION, divided by four. */
enum {
    R_MDR1 = (0x20 - OMAP_UART_EXTENSION) / 4,
    R_MDR2 = (0x24 - OMAP_UART_EXTENSION) / 4,
    R_SCR = (0x40 - OMAP_UART_EXTENSION) / 4,
    R_SSR = (0x44 - OMAP_UART_EXTENSION) / 4,
    R_EBLR = (0x48 - OMAP_UART_EXTENSION) / 4,
    R_MVER = (0x50 - OMAP_UART_EXTENSION) / 4,
    R_SYSC = (0x54 - OMAP_UART_EXTENSION) / 4,
    R_SYSS = (0x58 - OMAP_UART_EXTENSION) / 4,
    R_WER = (0x5C - OMAP_UART_EXTENSION) / 4,
    R_CFPS = (0x60 - OMAP_UART_EXTENSION) / 4,
};

/*
 * MDR1 selects UART mode, as after a boot loader.  MVER is 0: for the real
 * revision, ti-sysc has workarounds that the model does not support.
 */
static const struct {
    const char *name;
    uint8_t reset;
    uint8_t writable;
} omap_uart_registers[OMAP_UART_EXTENSION_WORDS] = {
    [R_MDR1] = { "MDR1", 0x00, 0xFF },
    [R_MDR2] = { "MDR2", 0x00, 0xFF },
    [R_SCR] = { "SCR", 0x00, 0xFF },
    [R_SSR] = { "SSR", 0x00, 0x04 },
    [R_EBLR] = { "EBLR", 0x00, 0xFF },
    [R_MVER] = { "MVER" },
    [R_SYSC] = { "SYSC", 0x00, 0x1D },
    [R_SYSS] = { "SYSS", 0x01 }, /* reset done */
    [R_WER] = { "WER", 0xFF, 0xFF },
    [R_CFPS] = { "CFPS", 0x69, 0xFF },
};

static void omap_uart_reset_extension(OMAPUARTState *s)
{
    memset(s->mode_b, 0, sizeof(s->mode_b));
    for (int i = 0; i < ARRAY_SIZE(s->extension); i++) {
        s->extension[i] = omap_uart_registers[i].reset;
    }
}

/* Resets the 16550 for a soft reset; QEMU's model has no reset function. */
static void omap_uart_reset_16550(OMAPUARTState *s)
{
    static const struct {
        uint8_t reg;
        uint8_t value;
    } writes[] = {
        { 3, 0x00 }, /* LCR: unmap the divisor latch from IER */
        { 1, 0x00 }, /* IER */
        { 2, 0x07 }, /* FCR: empty both FIFOs */
        { 2, 0x00 },
        { 4, 0x00 }, /* MCR */
    };

    for (int i = 0; i < ARRAY_SIZE(writes); i++) {
        serial_io_ops.write(&s->serial.mm.serial, writes[i].reg, writes[i].value,
                            1);
    }
}

static uint64_t omap_uart_read(void *opaque, hwaddr addr, unsigned size)
{
    OMAPUARTState *s = opaque;
    uint8_t value = addr % 4 ? 0 : s->extension[addr / 4];

    if (addr == 4 * R_SSR && pixmill_serial_is_full(&s->serial.mm.serial)) {
        value |= SSR_TX_FIFO_FULL;
    }
    trace_pixmill_omap_uart_read(DEVICE(s)->canonical_path,
                                 OMAP_UART_EXTENSION + addr, value);
    return value;
}

static void omap_uart_write(void *opaque, hwaddr addr, uint64_t value,
                            unsigned size)
{
    OMAPUARTState *s = opaque;
    int i = addr / 4;
    uint8_t writable = omap_uart_registers[i].writable;

    trace_pixmill_omap_uart_write(DEVICE(s)->canonical_path,
                                  OMAP_UART_EXTENSION + addr, value);
    if (addr % 4) {
        return; /* not in the low eight bits of a register */
    }
    if (!omap_uart_registers[i].name) {
        qemu_log_mask(LOG_UNIMP, TYPE_OMAP_UART ": write of 0x%" PRIx64
                      " to offset 0x%02" HWADDR_PRIx "\n", value,
                      OMAP_UART_EXTENSION + addr);
    }
    s->extension[i] = (s->extension[i] & ~writable) | (value & writable);
    if (i == R_SYSC && value & SYSC_SOFTRESET) {
        omap_uart_reset_16550(s);
        omap_uart_reset_extension(s);
    }
}

static const MemoryRegionOps omap_uart_ops =
    PIXMILL_BYTE_OPS(omap_uart_read, omap_uart_write);

/*
 * With LCR = 0xBF (configuration mode B), EFR, XON1, XON2, XOFF1 and XOFF2
 * replace the 16550's FCR, MCR, LSR, MSR and SPR (linux serial_reg.h:
 * UART_LCR_CONF_MODE_B).  They are plain storage.  A write of EFR must not
 * reach FCR: it would disable the FIFO, which the driver (omap-serial.c) then
 * fills.
 */
static bool omap_uart_in_mode_b(OMAPUARTState *s, unsigned reg)
{
    return reg != R_LCR && s->serial.mm.serial.lcr == LCR_MODE_B;
}

static uint64_t omap_uart_banked_read(void *opaque, hwaddr addr, unsigned size)
{
    OMAPUARTState *s = opaque;
    unsigned reg = (OMAP_UART_BANKED + addr) >> PIXMILL_SERIAL_SHIFT;

    if (addr % 4) {
        return 0;
    }
    return omap_uart_in_mode_b(s, reg)
               ? s->mode_b[addr / 4]
               : serial_io_ops.read(&s->serial.mm.serial, reg, 1);
}

static void omap_uart_banked_write(void *opaque, hwaddr addr, uint64_t value,
                                   unsigned size)
{
    OMAPUARTState *s = opaque;
    unsigned reg = (OMAP_UART_BANKED + addr) >> PIXMILL_SERIAL_SHIFT;

    if (addr % 4) {
        return;
    }
    if (omap_uart_in_mode_b(s, reg)) {
        s->mode_b[addr / 4] = value;
    } else {
        serial_io_ops.write(&s->serial.mm.serial, reg, value & 0xFF, 1);
    }
}

static const MemoryRegionOps omap_uart_banked_ops =
    PIXMILL_BYTE_OPS(omap_uart_banked_read, omap_uart_banked_write);

static int omap_uart_post_load(void *opaque, int version_id)
{
    OMAPUARTState *s = opaque;

    for (int i = 0; i < ARRAY_SIZE(s->extension); i++) {
        uint8_t writable = omap_uart_registers[i].writable;

        s->extension[i] = (s->extension[i] & writable) |
                          (omap_uart_registers[i].reset & ~writable);
    }
    return pixmill_serial_xmit_is_valid(&s->serial.mm.serial) ? 0 : -EINVAL;
}

/* The 16550 has its own section, which is loaded first. */
static const VMStateDescription vmstate_omap_uart = {
    .name = TYPE_OMAP_UART,
    .version_id = 2, /* 2: 64-byte FIFO in the 16550, and mode B */
    .minimum_version_id = 2,
    .post_load = omap_uart_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT8_ARRAY(extension, OMAPUARTState,
                            OMAP_UART_EXTENSION_WORDS),
        VMSTATE_UINT8_ARRAY(mode_b, OMAPUARTState, OMAP_UART_BANKED_WORDS),
        VMSTATE_END_OF_LIST()
    },
};

static void omap_uart_reset_enter(Object *obj, ResetType type)
{
    omap_uart_reset_extension(OMAP_UART(obj));
}

static void omap_uart_realize(DeviceState *dev, Error **errp)
{
    OMAPUARTState *s = OMAP_UART(dev);

    if (!pixmill_serial_realize(&s->serial, SYS_BUS_DEVICE(dev), errp)) {
        return;
    }
    pixmill_serial_set_xmit_fifo(&s->serial.mm.serial, XMIT_FIFO_BYTES);
    memory_region_add_subregion(&s->serial.mmio, OMAP_UART_EXTENSION,
                                &s->extension_mmio);
    memory_region_add_subregion_overlap(&s->serial.mmio, OMAP_UART_BANKED,
                                        &s->banked_mmio, 1);
}

static void omap_uart_init(Object *obj)
{
    OMAPUARTState *s = OMAP_UART(obj);

    pixmill_serial_init(&s->serial, SYS_BUS_DEVICE(obj), OMAP_UART_WINDOW);
    qdev_prop_set_uint32(DEVICE(&s->serial.mm), "baudbase", BAUD_BASE);
    memory_region_init_io(&s->extension_mmio, obj, &omap_uart_ops, s,
                          TYPE_OMAP_UART ".extension",
                          4 * OMAP_UART_EXTENSION_WORDS);
    memory_region_init_io(&s->banked_mmio, obj, &omap_uart_banked_ops, s,
                          TYPE_OMAP_UART ".banked",
                          4 * OMAP_UART_BANKED_WORDS);
}

static void omap_uart_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "TI OMAP UART";
    dc->realize = omap_uart_realize;
    dc->vmsd = &vmstate_omap_uart;
    set_bit(DEVICE_CATEGORY_INPUT, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = omap_uart_reset_enter;
}

static const TypeInfo omap_uart_types[] = {
    {
        .name = TYPE_OMAP_UART,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(OMAPUARTState),
        .instance_init = omap_uart_init,
        .class_init = omap_uart_class_init,
    },
};

DEFINE_TYPES(omap_uart_types)
