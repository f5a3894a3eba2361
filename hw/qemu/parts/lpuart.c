/*
 * NXP LPUART of the i.MX RT1170.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers: NXP MCUXpresso SDK, devices/RT/RT1170/periph/PERI_LPUART.h.
 * Behavior that the driver relies on: fsl_lpuart.c.  Reset values: NXP's SVD
 * file of the MKE15Z4, whose LPUART has the same FIFOs (mcux-soc-svd).
 *
 * Not modeled: 7, 9 and 10 bits, parity, addresses, breaks, loopback,
 * handshake.
 */
#include "qemu/osdep.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "lpuart.h"
#include "hw/pixmill/trace.h"

enum {
    R_VERID = 0x00 / 4,
    R_PARAM = 0x04 / 4,
    R_GLOBAL = 0x08 / 4,
    R_PINCFG = 0x0C / 4,
    R_BAUD = 0x10 / 4,
    R_STAT = 0x14 / 4,
    R_CTRL = 0x18 / 4,
    R_DATA = 0x1C / 4,
    R_MATCH = 0x20 / 4,
    R_MODIR = 0x24 / 4,
    R_FIFO = 0x28 / 4,
    R_WATER = 0x2C / 4,

    GLOBAL_RST = 1 << 1,

    STAT_ERRORS = 0xF << 16, /* PF, FE, NF, OR */
    STAT_IDLE = 1 << 20,
    STAT_RDRF = 1 << 21,
    STAT_TC = 1 << 22,
    STAT_TDRE = 1 << 23,

    CTRL_RE = 1 << 18,
    CTRL_TE = 1 << 19,
    /*
     * From the flags PF, FE, NF, OR in STAT to PEIE, FEIE, NEIE, ORIE in CTRL.
     */
    CTRL_ERRORS_SHIFT = 24 - 16,

    DATA_RXEMPT = 1 << 12,
    DATA_FRETSC = 1 << 13, /* an idle character or a break */

    FIFO_RXFE = 1 << 3,
    FIFO_TXFE = 1 << 7,
    /* From the enable bits RXUFE, TXOFE to the flags RXUF, TXOF. */
    FIFO_ENABLES_SHIFT = 16 - 8,
    FIFO_RXIDEN = 7 << 10,
    FIFO_RXFLUSH = 1 << 14,
    FIFO_TXFLUSH = 1 << 15,
    FIFO_RXUF = 1 << 16,
    FIFO_TXOF = 1 << 17,
    FIFO_RXEMPT = 1 << 22,
    FIFO_TXEMPT = 1 << 23,
};

#define STAT_MATCHES 0x0000C000u /* MA1F, MA2F */

static const struct {
    uint32_t reset;
    uint32_t writable;
    uint32_t clears; /* bits that a write of 1 clears */
} lpuart_registers[NXP_LPUART_REGISTERS] = {
    [R_VERID] = { 0x04010003 },
    [R_PARAM] = { 0x00000202 },
    [R_GLOBAL] = { 0, GLOBAL_RST },
    [R_PINCFG] = { 0, 0x00000003 },
    [R_BAUD] = { 0x0F000004, 0xFFAFFFFF },
    [R_STAT] = { 0, 0x3E000000, 0xC01FC000 },
    [R_CTRL] = { 0, 0xFFFFCFFF },
    [R_MATCH] = { 0, 0x03FF03FF },
    [R_MODIR] = { 0, 0x0007033F },
    [R_FIFO] = { 0x00000011, 0x00001F88, FIFO_RXUF | FIFO_TXOF },
    [R_WATER] = { 0, 0x00030003 },
};

/* ---- FIFOs -------------------------------------------------------------- */

static uint32_t lpuart_depth(const NXPLPUARTState *s, uint32_t enable)
{
    return s->reg[R_FIFO] & enable ? NXP_LPUART_FIFO : 1;
}

static uint32_t lpuart_room(const NXPLPUARTState *s, const NXPLPUARTFifo *fifo,
                            uint32_t enable)
{
    uint32_t depth = lpuart_depth(s, enable);

    return fifo->used < depth ? depth - fifo->used : 0;
}

static void fifo_drop(NXPLPUARTFifo *fifo, uint32_t count)
{
    fifo->used -= count;
    memmove(fifo->bytes, fifo->bytes + count, fifo->used);
}

/* ---- Flags -------------------------------------------------------------- */

static uint32_t lpuart_stat(const NXPLPUARTState *s)
{
    uint32_t stat = s->reg[R_STAT];
    uint32_t water = s->reg[R_WATER];

    if (s->tx.used <= extract32(water, 0, 2) * !!(s->reg[R_FIFO] & FIFO_TXFE)) {
        stat |= STAT_TDRE;
    }
    if (!s->tx.used) {
        stat |= STAT_TC;
    }
    /* The line is idle as soon as a character has arrived. */
    if (s->rx.used > extract32(water, 16, 2) * !!(s->reg[R_FIFO] & FIFO_RXFE) ||
        (s->rx.used && s->reg[R_FIFO] & FIFO_RXIDEN)) {
        stat |= STAT_RDRF;
    }
    return stat;
}

static uint32_t lpuart_fifo(const NXPLPUARTState *s)
{
    return s->reg[R_FIFO] | (s->rx.used ? 0 : FIFO_RXEMPT) |
           (s->tx.used ? 0 : FIFO_TXEMPT);
}

static void lpuart_update_irq(NXPLPUARTState *s)
{
    const uint32_t alike = STAT_MATCHES | STAT_IDLE | STAT_RDRF | STAT_TC |
                           STAT_TDRE; /* the same bits of CTRL enable them */
    uint32_t stat = lpuart_stat(s), ctrl = s->reg[R_CTRL];
    uint32_t fifo = s->reg[R_FIFO];

    qemu_set_irq(s->irq,
                 (stat & ctrl & alike) ||
                 (stat & STAT_ERRORS & ctrl >> CTRL_ERRORS_SHIFT) ||
                 (fifo & (FIFO_RXUF | FIFO_TXOF) & fifo << FIFO_ENABLES_SHIFT));
}

/* ---- Characters --------------------------------------------------------- */

static void lpuart_send(NXPLPUARTState *s);

static gboolean lpuart_writable(void *do_not_use, GIOCondition condition,
                                void *opaque)
{
    NXPLPUARTState *s = opaque;

    s->watch = 0;
    lpuart_send(s);
    lpuart_update_irq(s);
    return G_SOURCE_REMOVE;
}

/*
 * Keeps data that the backend cannot take yet.  Drops all data if there is no
 * backend.
 */
static void lpuart_send(NXPLPUARTState *s)
{
    int sent;

    if (!(s->reg[R_CTRL] & CTRL_TE) || !s->tx.used || s->watch) {
        return;
    }
    if (!qemu_chr_fe_backend_connected(&s->chr)) {
        s->tx.used = 0;
        return;
    }
    sent = qemu_chr_fe_write(&s->chr, s->tx.bytes, s->tx.used);
    if (sent > 0) {
        fifo_drop(&s->tx, sent);
    }
    if (s->tx.used) {
        s->watch = qemu_chr_fe_add_watch(&s->chr, G_IO_OUT | G_IO_HUP,
                                         lpuart_writable, s);
        if (!s->watch) {
            s->tx.used = 0;
        }
    }
}

static void lpuart_put(NXPLPUARTState *s, uint32_t data)
{
    if (data & DATA_FRETSC) {
        return;
    }
    if (!lpuart_room(s, &s->tx, FIFO_TXFE)) {
        s->reg[R_FIFO] |= FIFO_TXOF;
        return;
    }
    s->tx.bytes[s->tx.used++] = data;
    lpuart_send(s);
}

static uint32_t lpuart_take(NXPLPUARTState *s)
{
    uint32_t data;

    if (!s->rx.used) {
        if (s->reg[R_FIFO] & FIFO_RXFE) {
            s->reg[R_FIFO] |= FIFO_RXUF;
        }
        return DATA_RXEMPT;
    }
    data = s->rx.bytes[0];
    fifo_drop(&s->rx, 1);
    qemu_chr_fe_accept_input(&s->chr);
    return data;
}

static int lpuart_can_receive(void *opaque)
{
    NXPLPUARTState *s = opaque;

    return s->reg[R_CTRL] & CTRL_RE ? lpuart_room(s, &s->rx, FIFO_RXFE) : 0;
}

static void lpuart_receive(void *opaque, const uint8_t *bytes, int size)
{
    NXPLPUARTState *s = opaque;

    memcpy(s->rx.bytes + s->rx.used, bytes, size);
    s->rx.used += size;
    s->reg[R_STAT] |= STAT_IDLE;
    lpuart_update_irq(s);
}

/* ---- Registers ---------------------------------------------------------- */

static void lpuart_stop_watching(NXPLPUARTState *s)
{
    g_clear_handle_id(&s->watch, g_source_remove);
}

/*
 * Resets all registers except GLOBAL, a write to which triggers the software
 * reset.
 */
static void lpuart_reset_registers(NXPLPUARTState *s)
{
    uint32_t global = s->reg[R_GLOBAL];

    for (int i = 0; i < NXP_LPUART_REGISTERS; i++) {
        s->reg[i] = lpuart_registers[i].reset;
    }
    s->reg[R_GLOBAL] = global;
    s->tx.used = 0;
    s->rx.used = 0;
    lpuart_stop_watching(s);
}

static uint64_t lpuart_read(void *opaque, hwaddr addr, unsigned size)
{
    NXPLPUARTState *s = opaque;
    uint32_t index = addr / 4;
    uint32_t value = index < NXP_LPUART_REGISTERS ? s->reg[index] : 0;

    switch (index) {
    case R_STAT:
        value = lpuart_stat(s);
        break;
    case R_DATA:
        value = lpuart_take(s);
        lpuart_update_irq(s);
        break;
    case R_FIFO:
        value = lpuart_fifo(s);
        break;
    case R_WATER:
        value |= s->tx.used << 8 | s->rx.used << 24;
        break;
    }
    trace_pixmill_lpuart_read(DEVICE(s)->canonical_path, addr, value);
    return value;
}

static void lpuart_write(void *opaque, hwaddr addr, uint64_t value,
                         unsigned size)
{
    NXPLPUARTState *s = opaque;
    uint32_t index = addr / 4;
    uint32_t writable;

    trace_pixmill_lpuart_write(DEVICE(s)->canonical_path, addr, value);
    if (index >= NXP_LPUART_REGISTERS ||
        (s->reg[R_GLOBAL] & GLOBAL_RST && index != R_GLOBAL)) {
        return;
    }
    writable = lpuart_registers[index].writable;
    s->reg[index] &= ~(lpuart_registers[index].clears & value);
    s->reg[index] = (s->reg[index] & ~writable) | (value & writable);
    switch (index) {
    case R_GLOBAL:
        if (value & GLOBAL_RST) {
            lpuart_reset_registers(s);
        }
        break;
    case R_CTRL:
        lpuart_send(s);
        qemu_chr_fe_accept_input(&s->chr);
        break;
    case R_DATA:
        lpuart_put(s, value);
        break;
    case R_FIFO:
        if (value & FIFO_RXFLUSH) {
            s->rx.used = 0;
        }
        if (value & FIFO_TXFLUSH) {
            s->tx.used = 0;
            lpuart_stop_watching(s);
        }
        qemu_chr_fe_accept_input(&s->chr);
        break;
    }
    lpuart_update_irq(s);
}

/* A byte access acts on the whole register, with the other bytes 0. */
static const MemoryRegionOps lpuart_ops = {
    .read = lpuart_read,
    .write = lpuart_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 1, .max_access_size = 4 },
    .impl = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- Life cycle --------------------------------------------------------- */

static void lpuart_reset_enter(Object *obj, ResetType type)
{
    NXPLPUARTState *s = NXP_LPUART(obj);

    s->reg[R_GLOBAL] = 0;
    lpuart_reset_registers(s);
}

static void lpuart_reset_hold(Object *obj, ResetType type)
{
    lpuart_update_irq(NXP_LPUART(obj));
}

static int lpuart_post_load(void *opaque, int version_id)
{
    NXPLPUARTState *s = opaque;

    if (s->tx.used > NXP_LPUART_FIFO || s->rx.used > NXP_LPUART_FIFO) {
        return -EINVAL;
    }
    for (int i = 0; i < NXP_LPUART_REGISTERS; i++) {
        uint32_t own = lpuart_registers[i].writable |
                       lpuart_registers[i].clears;

        s->reg[i] = (s->reg[i] & own) | (lpuart_registers[i].reset & ~own);
    }
    lpuart_stop_watching(s);
    lpuart_send(s);
    return 0;
}

static const VMStateDescription vmstate_lpuart = {
    .name = TYPE_NXP_LPUART,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = lpuart_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(reg, NXPLPUARTState, NXP_LPUART_REGISTERS),
        VMSTATE_UINT8_ARRAY(tx.bytes, NXPLPUARTState, NXP_LPUART_FIFO),
        VMSTATE_UINT32(tx.used, NXPLPUARTState),
        VMSTATE_UINT8_ARRAY(rx.bytes, NXPLPUARTState, NXP_LPUART_FIFO),
        VMSTATE_UINT32(rx.used, NXPLPUARTState),
        VMSTATE_END_OF_LIST()
    },
};

static void lpuart_realize(DeviceState *dev, Error **errp)
{
    NXPLPUARTState *s = NXP_LPUART(dev);

    qemu_chr_fe_set_handlers(&s->chr, lpuart_can_receive, lpuart_receive, NULL,
                             NULL, s, NULL, true);
}

static void lpuart_init(Object *obj)
{
    NXPLPUARTState *s = NXP_LPUART(obj);

    memory_region_init_io(&s->mmio, obj, &lpuart_ops, s, TYPE_NXP_LPUART,
                          NXP_LPUART_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
}

static const Property lpuart_properties[] = {
    DEFINE_PROP_CHR("chardev", NXPLPUARTState, chr),
};

static void lpuart_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "NXP LPUART";
    dc->realize = lpuart_realize;
    dc->vmsd = &vmstate_lpuart;
    device_class_set_props(dc, lpuart_properties);
    set_bit(DEVICE_CATEGORY_INPUT, dc->categories);
    rc->phases.enter = lpuart_reset_enter;
    rc->phases.hold = lpuart_reset_hold;
}

static const TypeInfo lpuart_types[] = {
    {
        .name = TYPE_NXP_LPUART,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(NXPLPUARTState),
        .instance_init = lpuart_init,
        .class_init = lpuart_class_init,
    },
};

DEFINE_TYPES(lpuart_types)
