/*
 * TI dual-mode timer (DM timer), the "type 2" of OMAP4 and later.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * AM57xx TRM "Timers"; linux drivers/clocksource/timer-ti-dm-systimer.c and
 * include/clocksource/timer-ti-dm.h.
 *
 * Time is counted in whole clocks since guest time 0, in integers only, so a
 * periodic timer never drifts, regardless of its clock.  The counter is updated
 * on demand, in constant time.  A QEMUTimer runs only for the next interrupt
 * that is not pending, so a guest that programs an interrupt for every clock
 * gets the next one only after it has cleared the last one.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/host-utils.h"
#include "qemu/log.h"
#include "qemu/timer.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "ti-dm-timer.h"
#include "counted-timer.h"
#include "mmio-ops.h"

enum {
    R_TIDR = 0x00 / 4,
    R_TIOCP_CFG = 0x10 / 4,
    R_IRQ_EOI = 0x20 / 4,
    R_IRQSTATUS_RAW = 0x24 / 4,
    R_IRQSTATUS = 0x28 / 4,
    R_IRQENABLE_SET = 0x2C / 4,
    R_IRQENABLE_CLR = 0x30 / 4,
    R_IRQWAKEEN = 0x34 / 4,
    R_TCLR = 0x38 / 4,
    R_TCRR = 0x3C / 4,
    R_TLDR = 0x40 / 4,
    R_TTGR = 0x44 / 4,
    R_TWPS = 0x48 / 4,
    R_TMAR = 0x4C / 4,
    R_TCAR1 = 0x50 / 4,
    R_TSICR = 0x54 / 4,
    R_TCAR2 = 0x58 / 4,
    R_TPIR = 0x5C / 4,
    R_TNIR = 0x60 / 4,
    R_TCVR = 0x64 / 4,
    R_TOCR = 0x68 / 4,
    R_TOWR = 0x6C / 4,
};

#define TIOCP_CFG_SOFTRESET BIT(0)
#define TIOCP_CFG_WRITABLE 0xE /* soft reset completes immediately */
#define TSICR_SFT BIT(1)
#define TSICR_WRITABLE 0x1C

#define TCLR_ST BIT(0)
#define TCLR_AR BIT(1)
#define TCLR_PTV(tclr) extract32(tclr, 2, 3)
#define TCLR_PRE BIT(5)
#define TCLR_CE BIT(6)
#define TCLR_WRITABLE 0x7FFF

#define IRQ_MATCH BIT(0)
#define IRQ_OVERFLOW BIT(1)
#define IRQ_ALL 0x7

/* Steps from 0 to the overflow of the counter. */
#define RANGE (1ULL << 32)

/*
 * Limits of the clock.  A deadline of 2^32 steps of 256 clocks must fit in 63
 * bits of nanoseconds.
 */
#define CLOCK_HZ_MIN 1000
#define CLOCK_HZ_MAX 1000000000

/* ---- Counting ----------------------------------------------------------- */

static uint64_t ti_dm_timer_now(TIDMTimerState *s)
{
    return muldiv64(qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL), s->clock_hz,
                    NANOSECONDS_PER_SECOND);
}

/* Returns log2 of the clocks per step of the counter. */
static unsigned ti_dm_timer_shift(uint32_t tclr)
{
    return tclr & TCLR_PRE ? TCLR_PTV(tclr) + 1 : 0;
}

/* Adds @steps to TCRR, without overflow.  @first: TCRR was just loaded. */
static void ti_dm_timer_advance(TIDMTimerState *s, uint32_t steps, bool first)
{
    uint32_t from = s->reg[R_TCRR];
    uint32_t match = s->reg[R_TMAR];

    s->reg[R_TCRR] = from + steps;
    if (s->reg[R_TCLR] & TCLR_CE && match <= s->reg[R_TCRR] &&
        (match > from || (first && match == from))) {
        s->reg[R_IRQSTATUS_RAW] |= IRQ_MATCH;
    }
}

/*
 * Handles overflows and reloads.  Returns the number of steps after the last
 * one.
 */
static uint32_t ti_dm_timer_overflow(TIDMTimerState *s, uint64_t steps)
{
    uint64_t period = RANGE - s->reg[R_TLDR];

    ti_dm_timer_advance(s, UINT32_MAX - s->reg[R_TCRR], false);
    s->reg[R_IRQSTATUS_RAW] |= IRQ_OVERFLOW;
    trace_pixmill_dm_timer_overflow(DEVICE(s)->canonical_path,
                                    s->reg[R_TCLR] & TCLR_AR);
    if (!(s->reg[R_TCLR] & TCLR_AR)) {
        s->reg[R_TCLR] &= ~TCLR_ST;
        s->reg[R_TCRR] = 0;
        return 0;
    }
    s->reg[R_TCRR] = s->reg[R_TLDR];
    if (steps >= period) {
        /* All whole periods have the same effect, so one is enough. */
        ti_dm_timer_advance(s, period - 1, true);
        s->reg[R_TCRR] = s->reg[R_TLDR];
    }
    return steps % period;
}

/* Brings TCRR, TCLR.ST and the interrupt status up to date. */
static void ti_dm_timer_sync(TIDMTimerState *s)
{
    unsigned shift = ti_dm_timer_shift(s->reg[R_TCLR]);
    uint64_t now = ti_dm_timer_now(s);
    uint64_t steps, left;
    bool reloaded = false;

    if (!(s->reg[R_TCLR] & TCLR_ST) || now <= s->base_tick) {
        return;
    }
    steps = (now - s->base_tick) >> shift;
    s->base_tick += steps << shift;
    left = RANGE - s->reg[R_TCRR];
    if (steps >= left) {
        steps = ti_dm_timer_overflow(s, steps - left);
        reloaded = s->reg[R_TCLR] & TCLR_ST;
    }
    if (s->reg[R_TCLR] & TCLR_ST) {
        ti_dm_timer_advance(s, steps, reloaded);
    }
}

/*
 * Returns the number of steps until an interrupt in @wanted; UINT64_MAX: never.
 */
static uint64_t ti_dm_timer_next(TIDMTimerState *s, uint32_t wanted)
{
    uint64_t overflow = RANGE - s->reg[R_TCRR];
    uint64_t next = wanted & IRQ_OVERFLOW ? overflow : UINT64_MAX;
    uint32_t match = s->reg[R_TMAR];

    if (wanted & IRQ_MATCH && s->reg[R_TCLR] & TCLR_CE) {
        if (match > s->reg[R_TCRR]) {
            next = MIN(next, match - s->reg[R_TCRR]);
        } else if (s->reg[R_TCLR] & TCLR_AR && match >= s->reg[R_TLDR]) {
            next = MIN(next, overflow + match - s->reg[R_TLDR]);
        }
    }
    return next;
}

/* Arms the QEMUTimer for the next enabled interrupt that is not pending. */
static void ti_dm_timer_arm(TIDMTimerState *s)
{
    uint32_t wanted = s->reg[R_IRQENABLE_SET] & ~s->reg[R_IRQSTATUS_RAW];
    uint64_t steps = ti_dm_timer_next(s, wanted);
    uint64_t tick;

    if (!(s->reg[R_TCLR] & TCLR_ST) || steps == UINT64_MAX) {
        timer_del(s->timer);
        return;
    }
    tick = s->base_tick + (steps << ti_dm_timer_shift(s->reg[R_TCLR]));
    pixmill_timer_mod(s->timer, muldiv64_round_up(tick, NANOSECONDS_PER_SECOND,
                                                  s->clock_hz));
}

static void ti_dm_timer_update(TIDMTimerState *s)
{
    qemu_set_irq(s->irq,
                 !!(s->reg[R_IRQSTATUS_RAW] & s->reg[R_IRQENABLE_SET]));
    ti_dm_timer_arm(s);
}

static void ti_dm_timer_expired(void *opaque)
{
    TIDMTimerState *s = opaque;

    ti_dm_timer_sync(s);
    ti_dm_timer_update(s);
}

/* ---- Registers ---------------------------------------------------------- */

static void ti_dm_timer_reset_registers(TIDMTimerState *s);

static void ti_dm_timer_soft_reset(TIDMTimerState *s)
{
    uint32_t config = s->reg[R_TIOCP_CFG];

    ti_dm_timer_reset_registers(s);
    s->reg[R_TIOCP_CFG] = config;
}

static void ti_dm_timer_write_config(TIDMTimerState *s, uint32_t value)
{
    s->reg[R_TIOCP_CFG] = value & TIOCP_CFG_WRITABLE;
    if (value & TIOCP_CFG_SOFTRESET) {
        ti_dm_timer_soft_reset(s);
    }
}

static void ti_dm_timer_write_eoi(TIDMTimerState *s, uint32_t value)
{
    /* Only pulse interrupts need EOI; this interrupt is level-triggered. */
}

static void ti_dm_timer_write_raw(TIDMTimerState *s, uint32_t value)
{
    s->reg[R_IRQSTATUS_RAW] |= value & IRQ_ALL;
}

static void ti_dm_timer_write_status(TIDMTimerState *s, uint32_t value)
{
    s->reg[R_IRQSTATUS_RAW] &= ~value;
}

static void ti_dm_timer_write_enable(TIDMTimerState *s, uint32_t value)
{
    s->reg[R_IRQENABLE_SET] |= value & IRQ_ALL;
}

static void ti_dm_timer_write_disable(TIDMTimerState *s, uint32_t value)
{
    s->reg[R_IRQENABLE_SET] &= ~value;
}

/*
 * Starting the timer begins a step.  A write to a running timer must not begin
 * one, because drivers make such writes and would lose the next interrupt
 * (linux timer-ti-dm-systimer.c: dmtimer_set_next_event).
 */
static void ti_dm_timer_write_control(TIDMTimerState *s, uint32_t value)
{
    uint32_t old = s->reg[R_TCLR];

    s->reg[R_TCLR] = value & TCLR_WRITABLE;
    if ((value & ~old & TCLR_ST) ||
        ti_dm_timer_shift(value) != ti_dm_timer_shift(old)) {
        s->base_tick = ti_dm_timer_now(s);
    }
}

static void ti_dm_timer_write_counter(TIDMTimerState *s, uint32_t value)
{
    s->reg[R_TCRR] = value;
    s->base_tick = ti_dm_timer_now(s);
}

static void ti_dm_timer_write_trigger(TIDMTimerState *s, uint32_t value)
{
    ti_dm_timer_write_counter(s, s->reg[R_TLDR]);
}

static void ti_dm_timer_write_interface(TIDMTimerState *s, uint32_t value)
{
    if (value & TSICR_SFT) {
        ti_dm_timer_soft_reset(s);
    } else {
        s->reg[R_TSICR] = value & TSICR_WRITABLE;
    }
}

static uint32_t ti_dm_timer_read_status(TIDMTimerState *s)
{
    return s->reg[R_IRQSTATUS_RAW] & s->reg[R_IRQENABLE_SET];
}

static uint32_t ti_dm_timer_read_enable(TIDMTimerState *s)
{
    return s->reg[R_IRQENABLE_SET];
}

/*
 * A register without functions stores its writable bits.  @writable limits the
 * bits of reg[]; if it is 0, the register keeps its reset value.
 */
static const struct {
    const char *name;
    uint32_t reset;
    uint32_t writable;
    uint32_t (*read)(TIDMTimerState *s);
    void (*write)(TIDMTimerState *s, uint32_t value);
} ti_dm_timer_registers[TI_DM_TIMER_WINDOW / 4] = {
    [R_TIDR] = { "TIDR", 0x50002100 },
    [R_TIOCP_CFG] = { "TIOCP_CFG", .writable = TIOCP_CFG_WRITABLE,
                      .write = ti_dm_timer_write_config },
    [R_IRQ_EOI] = { "IRQ_EOI", .write = ti_dm_timer_write_eoi },
    [R_IRQSTATUS_RAW] = { "IRQSTATUS_RAW", .writable = IRQ_ALL,
                          .write = ti_dm_timer_write_raw },
    [R_IRQSTATUS] = { "IRQSTATUS", .read = ti_dm_timer_read_status,
                      .write = ti_dm_timer_write_status },
    [R_IRQENABLE_SET] = { "IRQENABLE_SET", .writable = IRQ_ALL,
                          .write = ti_dm_timer_write_enable },
    [R_IRQENABLE_CLR] = { "IRQENABLE_CLR", .read = ti_dm_timer_read_enable,
                          .write = ti_dm_timer_write_disable },
    [R_IRQWAKEEN] = { "IRQWAKEEN", .writable = IRQ_ALL },
    [R_TCLR] = { "TCLR", .writable = TCLR_WRITABLE,
                 .write = ti_dm_timer_write_control },
    [R_TCRR] = { "TCRR", .writable = UINT32_MAX,
                 .write = ti_dm_timer_write_counter },
    [R_TLDR] = { "TLDR", .writable = UINT32_MAX },
    [R_TTGR] = { "TTGR", UINT32_MAX, .write = ti_dm_timer_write_trigger },
    [R_TWPS] = { "TWPS" }, /* never pending: writes take effect immediately */
    [R_TMAR] = { "TMAR", .writable = UINT32_MAX },
    [R_TCAR1] = { "TCAR1" },
    [R_TSICR] = { "TSICR", .writable = TSICR_WRITABLE,
                  .write = ti_dm_timer_write_interface },
    [R_TCAR2] = { "TCAR2" },
    [R_TPIR] = { "TPIR", .writable = UINT32_MAX },
    [R_TNIR] = { "TNIR", .writable = UINT32_MAX },
    [R_TCVR] = { "TCVR", .writable = UINT32_MAX },
    [R_TOCR] = { "TOCR", .writable = UINT32_MAX },
    [R_TOWR] = { "TOWR", .writable = UINT32_MAX },
};

static void ti_dm_timer_reset_registers(TIDMTimerState *s)
{
    for (int i = 0; i < ARRAY_SIZE(s->reg); i++) {
        s->reg[i] = ti_dm_timer_registers[i].reset;
    }
}

static const char *ti_dm_timer_name(int i)
{
    return ti_dm_timer_registers[i].name ?: "reserved";
}

static uint64_t ti_dm_timer_read(void *opaque, hwaddr addr, unsigned size)
{
    TIDMTimerState *s = opaque;
    int i = addr / 4;
    uint32_t value;

    ti_dm_timer_sync(s);
    ti_dm_timer_update(s);
    value = ti_dm_timer_registers[i].read ? ti_dm_timer_registers[i].read(s) :
                                            s->reg[i];
    trace_pixmill_dm_timer_read(DEVICE(s)->canonical_path, ti_dm_timer_name(i),
                                value);
    return value;
}

static void ti_dm_timer_write(void *opaque, hwaddr addr, uint64_t value,
                              unsigned size)
{
    TIDMTimerState *s = opaque;
    int i = addr / 4;
    uint32_t writable = ti_dm_timer_registers[i].writable;

    trace_pixmill_dm_timer_write(DEVICE(s)->canonical_path,
                                 ti_dm_timer_name(i), value);
    ti_dm_timer_sync(s);
    if (ti_dm_timer_registers[i].write) {
        ti_dm_timer_registers[i].write(s, value);
    } else if (writable) {
        s->reg[i] = value & writable;
    } else {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_TI_DM_TIMER ": write of 0x%08"
                      PRIx64 " to offset 0x%02" HWADDR_PRIx " (%s), which is "
                      "not writable\n", value, addr, ti_dm_timer_name(i));
    }
    ti_dm_timer_update(s);
}

static const MemoryRegionOps ti_dm_timer_ops =
    PIXMILL_WORD_OPS(ti_dm_timer_read, ti_dm_timer_write);

/* ---- Migration ---------------------------------------------------------- */

/*
 * Saves the elapsed time, so that events that are due but not handled yet cause
 * interrupts after migration.
 */
static int ti_dm_timer_pre_save(void *opaque)
{
    TIDMTimerState *s = opaque;
    uint64_t now = ti_dm_timer_now(s);

    s->elapsed = now > s->base_tick ? now - s->base_tick : 0;
    return 0;
}

static int ti_dm_timer_post_load(void *opaque, int version_id)
{
    TIDMTimerState *s = opaque;
    uint64_t now = ti_dm_timer_now(s);

    for (int i = 0; i < ARRAY_SIZE(s->reg); i++) {
        uint32_t writable = ti_dm_timer_registers[i].writable;

        s->reg[i] = writable ? s->reg[i] & writable :
                               ti_dm_timer_registers[i].reset;
    }
    s->base_tick = now > s->elapsed ? now - s->elapsed : 0;
    ti_dm_timer_arm(s);
    return 0;
}

static const VMStateDescription vmstate_ti_dm_timer = {
    .name = TYPE_TI_DM_TIMER,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = ti_dm_timer_pre_save,
    .post_load = ti_dm_timer_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_EQUAL(clock_hz, TIDMTimerState,
                             "the timer's clock-hz differs"),
        VMSTATE_UINT32_ARRAY(reg, TIDMTimerState, TI_DM_TIMER_WINDOW / 4),
        VMSTATE_UINT64(elapsed, TIDMTimerState),
        VMSTATE_END_OF_LIST()
    },
};

/* ---- Life cycle --------------------------------------------------------- */

static void ti_dm_timer_reset_enter(Object *obj, ResetType type)
{
    TIDMTimerState *s = TI_DM_TIMER(obj);

    ti_dm_timer_reset_registers(s);
    timer_del(s->timer);
}

static void ti_dm_timer_reset_hold(Object *obj, ResetType type)
{
    TIDMTimerState *s = TI_DM_TIMER(obj);

    qemu_irq_lower(s->irq);
}

static void ti_dm_timer_realize(DeviceState *dev, Error **errp)
{
    TIDMTimerState *s = TI_DM_TIMER(dev);

    if (s->clock_hz < CLOCK_HZ_MIN || s->clock_hz > CLOCK_HZ_MAX) {
        error_setg(errp, TYPE_TI_DM_TIMER ": clock-hz must be %d to %d, not %"
                   PRIu32, CLOCK_HZ_MIN, CLOCK_HZ_MAX, s->clock_hz);
        return;
    }
    s->timer = timer_new_ns(QEMU_CLOCK_VIRTUAL, ti_dm_timer_expired, s);
}

static void ti_dm_timer_unrealize(DeviceState *dev)
{
    g_clear_pointer(&TI_DM_TIMER(dev)->timer, timer_free);
}

static void ti_dm_timer_init(Object *obj)
{
    TIDMTimerState *s = TI_DM_TIMER(obj);

    memory_region_init_io(&s->mmio, obj, &ti_dm_timer_ops, s, TYPE_TI_DM_TIMER,
                          TI_DM_TIMER_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
}

static const Property ti_dm_timer_properties[] = {
    DEFINE_PROP_UINT32("clock-hz", TIDMTimerState, clock_hz, 20000000),
};

static void ti_dm_timer_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "TI dual-mode timer";
    dc->realize = ti_dm_timer_realize;
    dc->unrealize = ti_dm_timer_unrealize;
    dc->vmsd = &vmstate_ti_dm_timer;
    device_class_set_props(dc, ti_dm_timer_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    rc->phases.enter = ti_dm_timer_reset_enter;
    rc->phases.hold = ti_dm_timer_reset_hold;
}

static const TypeInfo ti_dm_timer_types[] = {
    {
        .name = TYPE_TI_DM_TIMER,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(TIDMTimerState),
        .instance_init = ti_dm_timer_init,
        .class_init = ti_dm_timer_class_init,
    },
};

DEFINE_TYPES(ti_dm_timer_types)
