/*
 * NXP PWM, as in the i.MX6 Quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Registers: Freescale's i.MX6 Platform SDK,
 * sdk/include/mx6dq/registers/regspwm.h.  Use: linux drivers/pwm/pwm-imx27.c.
 *
 * The model computes the counter and the FIFO from the virtual clock when they
 * are read.  A timer runs only if an interrupt is due.  Not modeled: debug,
 * wait and stop modes; a change of the clock tree while the counter runs.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/bitops.h"
#include "qemu/bswap.h"
#include "qemu/host-utils.h"
#include "qemu/log.h"
#include "qemu/module.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/trace.h"
#include "migration/vmstate.h"
#include "imx-pwm.h"
#include "counted-timer.h"
#include "mmio-ops.h"

enum {
    PWMCR = 0x00,
    PWMSR = 0x04,
    PWMIR = 0x08,
    PWMSAR = 0x0C,
    PWMPR = 0x10,
    PWMCNR = 0x14,
};

#define CR_EN BIT(0)
#define CR_REPEAT(cr) extract32(cr, 1, 2)
#define CR_SWR BIT(3)
#define CR_PRESCALER(cr) extract32(cr, 4, 12)
#define CR_CLKSRC(cr) extract32(cr, 16, 2)
#define CR_POUTC(cr) extract32(cr, 18, 2)
#define CR_HCTR BIT(20)
#define CR_BCTR BIT(21)
#define CR_MODES 0x03C00000 /* DBGEN to STOPEN: survive a software reset */
#define CR_FWM(cr) extract32(cr, 26, 2)
#define CR_WRITABLE 0x0FFFFFF7
#define CR_COUNTER 0x0003FFF1 /* fields that restart the counter */

#define SR_FE BIT(3)
#define SR_ROV BIT(4)
#define SR_CMP BIT(5)
#define SR_FWE BIT(6)
#define SR_FLAGS (SR_FE | SR_ROV | SR_CMP | SR_FWE)
#define SR_IR_SHIFT 3 /* from PWMIR's bits to those of PWMSR */

#define IR_WRITABLE 0x7
#define PR_RESET 0xFFFE
#define MAX_FREQ 1000000000 /* more than any clock of the SoC */

/* ---- Counter ------------------------------------------------------------ */

/* Clock ticks in a period. */
static uint32_t pwm_period(const ImxPwmState *s)
{
    return MIN(s->pr, PR_RESET) + 2;
}

static uint32_t pwm_clock(const ImxPwmState *s)
{
    static const IMXClk sources[] = {
        CLK_NONE, CLK_IPG, CLK_IPG_HIGH, CLK_32k
    };
    IMXClk clock = sources[CR_CLKSRC(s->cr)];

    if (!(s->cr & CR_EN) || clock == CLK_NONE) {
        return 0;
    }
    return MIN(imx_ccm_get_clock_frequency(s->ccm, clock), MAX_FREQ);
}

/* Ticks of the divided clock since start_ns. */
static uint64_t pwm_ticks(const ImxPwmState *s)
{
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    uint64_t elapsed = now > s->start_ns ? now - s->start_ns : 0;

    return muldiv64(elapsed, s->freq, NANOSECONDS_PER_SECOND) /
           (CR_PRESCALER(s->cr) + 1);
}

static void pwm_next_sample(ImxPwmState *s)
{
    s->sample = s->fifo[0];
    s->used--;
    memmove(s->fifo, s->fifo + 1, sizeof(s->fifo) - sizeof(s->fifo[0]));
    s->repeats = 1u << CR_REPEAT(s->cr);
    if (IMX_PWM_FIFO - s->used > CR_FWM(s->cr)) {
        s->sr |= SR_FE;
    }
}

/* Ends @count periods.  The loop ends with the FIFO. */
static void pwm_end_periods(ImxPwmState *s, uint64_t count)
{
    for (; count && s->used; count--) {
        s->repeats -= s->repeats ? 1 : 0;
        if (!s->repeats) {
            pwm_next_sample(s);
        }
    }
}

/* Returns how often the counter has been equal to the sample at @tick. */
static uint64_t pwm_matches(const ImxPwmState *s, uint64_t tick)
{
    uint32_t period = pwm_period(s);

    return s->sample < period ? (tick + period - s->sample) / period : 0;
}

/* Brings the FIFO, the sample and the flags up to date. */
static void pwm_sync(ImxPwmState *s)
{
    uint64_t seen = s->seen;
    uint64_t ticks, ended;

    if (!s->freq) {
        return;
    }
    ticks = pwm_ticks(s);
    if (ticks <= seen) {
        return;
    }
    s->seen = ticks;
    if (pwm_matches(s, ticks) > pwm_matches(s, seen)) {
        s->sr |= SR_CMP;
    }
    ended = ticks / pwm_period(s) - seen / pwm_period(s);
    if (ended) {
        s->sr |= SR_ROV;
        pwm_end_periods(s, ended);
    }
}

/* Starts a period, or stops the counter. */
static void pwm_restart(ImxPwmState *s)
{
    s->start_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    s->seen = 0;
    s->freq = pwm_clock(s);
    if (s->freq && s->used) {
        pwm_next_sample(s);
    }
}

/* ---- Interrupts --------------------------------------------------------- */

/*
 * Returns the tick of the next event that sets a flag whose interrupt is
 * enabled, or 0.
 */
static uint64_t pwm_next_event(const ImxPwmState *s)
{
    uint32_t wanted = s->ir << SR_IR_SHIFT & ~s->sr;
    uint32_t period = pwm_period(s);
    uint64_t next = 0;

    if (!s->freq) {
        return 0;
    }
    if (wanted & SR_ROV || (wanted && s->used)) {
        next = (s->seen / period + 1) * period;
    }
    if (wanted & SR_CMP && s->sample < period) {
        uint64_t match = pwm_matches(s, s->seen) * period + s->sample;

        next = next ? MIN(next, match) : match;
    }
    return next;
}

/*
 * The guest must clear a flag before the timer can expire for it again, so that
 * the shortest period does not flood QEMU with events.
 */
static void pwm_schedule(ImxPwmState *s)
{
    uint64_t ticks = pwm_next_event(s);
    uint64_t clocks = ticks * (CR_PRESCALER(s->cr) + 1);
    uint64_t at;

    if (ticks) {
        at = s->start_ns + 1 +
             muldiv64(clocks, NANOSECONDS_PER_SECOND, s->freq);
        pixmill_timer_mod(&s->event, MIN(at, INT64_MAX));
    } else {
        timer_del(&s->event);
    }
}

static void pwm_drive(ImxPwmState *s)
{
    qemu_set_irq(s->irq, !!(s->ir << SR_IR_SHIFT & s->sr));
    qemu_set_irq(s->enabled, !!s->freq);
}

static void pwm_update(ImxPwmState *s)
{
    pwm_drive(s);
    pwm_schedule(s);
}

static void pwm_event(void *opaque)
{
    ImxPwmState *s = opaque;

    pwm_sync(s);
    pwm_update(s);
}

/* ---- Registers ---------------------------------------------------------- */

static void pwm_reset_registers(ImxPwmState *s)
{
    s->cr &= CR_MODES;
    s->sr = SR_FE;
    s->ir = 0;
    s->pr = PR_RESET;
    s->used = 0;
    s->sample = 0;
    s->repeats = 0;
    memset(s->fifo, 0, sizeof(s->fifo));
    pwm_restart(s);
}

static void pwm_set_control(ImxPwmState *s, uint32_t value)
{
    uint32_t old = s->cr;

    s->cr = value & CR_WRITABLE;
    if (value & CR_SWR) { /* done before the guest can read it */
        pwm_reset_registers(s);
    } else if ((old ^ s->cr) & CR_COUNTER) {
        pwm_restart(s);
    }
}

static void pwm_put_sample(ImxPwmState *s, uint32_t value)
{
    uint16_t sample = s->cr & CR_HCTR ? value >> 16 : value;

    if (s->used == IMX_PWM_FIFO) {
        s->sr |= SR_FWE;
        return;
    }
    s->fifo[s->used++] = s->cr & CR_BCTR ? bswap16(sample) : sample;
    if (IMX_PWM_FIFO - s->used <= CR_FWM(s->cr)) {
        s->sr &= ~SR_FE;
    }
}

static uint32_t pwm_load(ImxPwmState *s, hwaddr addr)
{
    switch (addr) {
    case PWMCR:
        return s->cr;
    case PWMSR:
        return s->sr | s->used;
    case PWMIR:
        return s->ir;
    case PWMSAR: /* readable only while the PWM is enabled */
        return s->freq ? s->sample : 0;
    case PWMPR:
        return s->pr;
    case PWMCNR:
        return s->freq ? pwm_ticks(s) % pwm_period(s) : 0;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_IMX_PWM ": read of offset 0x%04"
                      HWADDR_PRIx ", which is not a register\n", addr);
        return 0;
    }
}

static void pwm_store(ImxPwmState *s, hwaddr addr, uint32_t value)
{
    switch (addr) {
    case PWMCR:
        pwm_set_control(s, value);
        break;
    case PWMSR:
        s->sr &= ~(value & SR_FLAGS);
        break;
    case PWMIR:
        s->ir = value & IR_WRITABLE;
        break;
    case PWMSAR:
        pwm_put_sample(s, value);
        break;
    case PWMPR:
        s->pr = value & 0xFFFF;
        s->start_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
        s->seen = 0;
        break;
    default:
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_IMX_PWM ": write of 0x%08" PRIx32
                      " to offset 0x%04" HWADDR_PRIx ", which is not "
                      "writable\n", value, addr);
    }
}

static uint64_t pwm_read(void *opaque, hwaddr addr, unsigned size)
{
    ImxPwmState *s = opaque;
    uint32_t value;

    pwm_sync(s);
    value = pwm_load(s, addr);
    trace_pixmill_imx_pwm_read(DEVICE(s)->canonical_path, addr, value);
    pwm_drive(s);
    return value;
}

static void pwm_write(void *opaque, hwaddr addr, uint64_t value, unsigned size)
{
    ImxPwmState *s = opaque;

    trace_pixmill_imx_pwm_write(DEVICE(s)->canonical_path, addr, value);
    pwm_sync(s);
    pwm_store(s, addr, value);
    pwm_update(s);
}

static const MemoryRegionOps pwm_ops =
    PIXMILL_MMIO_OPS(pwm_read, pwm_write, 4, 4);

/* ---- Life cycle --------------------------------------------------------- */

/* A sample beyond the period never ends the pulse. */
static void pwm_get_duty(Object *obj, Visitor *v, const char *name,
                         void *opaque, Error **errp)
{
    ImxPwmState *s = IMX_PWM(obj);
    uint32_t duty = 0;

    pwm_sync(s);
    if (s->freq && CR_POUTC(s->cr) < 2) {
        duty = MIN(s->sample, pwm_period(s)) * 1000 / pwm_period(s);
        duty = CR_POUTC(s->cr) ? 1000 - duty : duty;
    }
    visit_type_uint32(v, name, &duty, errp);
}

static void pwm_reset_enter(Object *obj, ResetType type)
{
    ImxPwmState *s = IMX_PWM(obj);

    s->cr = 0;
    pwm_reset_registers(s);
    timer_del(&s->event);
}

static void pwm_reset_hold(Object *obj, ResetType type)
{
    pwm_drive(IMX_PWM(obj));
}

/*
 * Returns whether the time of the next event can be expressed in ns.  If it
 * wrapped, it would be in the past, and QEMU would run the timer forever.
 */
static bool pwm_can_continue(const ImxPwmState *s)
{
    uint64_t clocks, most;

    if (s->start_ns < 0) {
        return false;
    }
    clocks = muldiv64(INT64_MAX - s->start_ns, s->freq, NANOSECONDS_PER_SECOND);
    most = clocks / (CR_PRESCALER(s->cr) + 1);
    return !s->freq ||
           (most > PR_RESET + 2 && s->seen < most - (PR_RESET + 2));
}

static int pwm_post_load(void *opaque, int version_id)
{
    ImxPwmState *s = opaque;
    bool clocked = s->cr & CR_EN && CR_CLKSRC(s->cr);

    if (s->used > IMX_PWM_FIFO || s->freq > MAX_FREQ ||
        (s->freq && !clocked) || !pwm_can_continue(s)) {
        return -EINVAL;
    }
    s->cr &= CR_WRITABLE;
    s->sr &= SR_FLAGS;
    s->ir &= IR_WRITABLE;
    s->pr &= 0xFFFF;
    s->sample &= 0xFFFF;
    s->repeats = MIN(s->repeats, 8);
    for (int i = 0; i < IMX_PWM_FIFO; i++) {
        s->fifo[i] &= 0xFFFF;
    }
    pwm_update(s);
    return 0;
}

static const VMStateDescription vmstate_pwm = {
    .name = TYPE_IMX_PWM,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = pwm_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32(cr, ImxPwmState),
        VMSTATE_UINT32(sr, ImxPwmState),
        VMSTATE_UINT32(ir, ImxPwmState),
        VMSTATE_UINT32(pr, ImxPwmState),
        VMSTATE_UINT32_ARRAY(fifo, ImxPwmState, IMX_PWM_FIFO),
        VMSTATE_UINT32(used, ImxPwmState),
        VMSTATE_UINT32(sample, ImxPwmState),
        VMSTATE_UINT32(repeats, ImxPwmState),
        VMSTATE_INT64(start_ns, ImxPwmState),
        VMSTATE_UINT32(freq, ImxPwmState),
        VMSTATE_UINT64(seen, ImxPwmState),
        VMSTATE_END_OF_LIST()
    },
};

static void pwm_realize(DeviceState *dev, Error **errp)
{
    ImxPwmState *s = IMX_PWM(dev);

    if (!s->ccm) {
        error_setg(errp, TYPE_IMX_PWM ": only machines can create it");
        return;
    }
    timer_init_ns(&s->event, QEMU_CLOCK_VIRTUAL, pwm_event, s);
}

static void pwm_unrealize(DeviceState *dev)
{
    timer_del(&IMX_PWM(dev)->event);
}

static void pwm_init(Object *obj)
{
    ImxPwmState *s = IMX_PWM(obj);

    memory_region_init_io(&s->mmio, obj, &pwm_ops, s, TYPE_IMX_PWM,
                          IMX_PWM_WINDOW);
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
    sysbus_init_irq(SYS_BUS_DEVICE(obj), &s->irq);
    qdev_init_gpio_out_named(DEVICE(obj), &s->enabled, IMX_PWM_ENABLED, 1);
}

static void pwm_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);
    ResettableClass *rc = RESETTABLE_CLASS(oc);

    dc->desc = "NXP PWM";
    dc->realize = pwm_realize;
    dc->unrealize = pwm_unrealize;
    dc->vmsd = &vmstate_pwm;
    dc->user_creatable = false; /* needs the SoC's clocks */
    object_class_property_add(oc, "duty", "uint32", pwm_get_duty, NULL, NULL,
                              NULL);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    rc->phases.enter = pwm_reset_enter;
    rc->phases.hold = pwm_reset_hold;
}

static const TypeInfo pwm_types[] = {
    {
        .name = TYPE_IMX_PWM,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(ImxPwmState),
        .instance_init = pwm_init,
        .class_init = pwm_class_init,
    },
};

DEFINE_TYPES(pwm_types)
