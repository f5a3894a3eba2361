/*
 * Arm's L2C-310 (PL310), the level 2 cache controller of the i.MX6 Quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sources: "TRM" is Arm's L2C-310 TRM r3p3 (DDI 0246H); linux
 * arch/arm/mm/cache-l2x0.c and arch/arm/mach-imx/system.c.
 *
 * A write to CACHE_SYNC suggests that the guest has given a core new work.  A
 * Vivante core is not notified when its idle loop is patched: silicon fetches
 * the loop again and again.  The model polls the loop, so it may notice a patch
 * late.  But stores of a Cortex-A9 reach the core only after the outer cache
 * has been drained, so the driver's barrier writes CACHE_SYNC (linux
 * arch/arm/mm/flush.c: arm_heavy_mb(), l2c210_sync()).  From that write on, the
 * core may see the patch.
 *
 * Linux cleans and invalidates a buffer with one store for each line, so the
 * operations on lines and ways take no lock.  The BQL protects all registers
 * that are no operations.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/log.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "migration/vmstate.h"
#include "hw/pixmill/compat.h"
#include "hw/pixmill/parts/mmio-ops.h"
#include "pl310.h"

#define WINDOW 0x1000

/* ---- Registers ---------------------------------------------------------- */

/* Operations, TRM 3.3.10.  They read as 0: done. */
#define CACHE_SYNC 0x730
#define DUMMY 0x740 /* for CACHE_SYNC, due to erratum 753970 (linux) */
#define INV_PA 0x770
#define INV_WAY 0x77C
#define CLEAN_PA 0x7B0
#define CLEAN_INDEX 0x7B8
#define CLEAN_WAY 0x7BC
#define CLEAN_INV_PA 0x7F0
#define CLEAN_INV_INDEX 0x7F8
#define CLEAN_INV_WAY 0x7FC

/* Registers that store nothing. */
#define CACHE_TYPE 0x004
#define INT_CLEAR 0x220 /* write-only */

/* D and I of eight masters */
#define LOCKDOWN 0x900
#define LOCKDOWNS 16

/* Indices of the other registers.  The order is that of the saved state. */
enum {
    R_CACHE_ID,
    R_CONTROL,
    R_AUX_CONTROL,
    R_TAG_RAM_CONTROL,
    R_DATA_RAM_CONTROL,
    R_EV_COUNTER_CTRL,
    R_EV_COUNTER1_CFG,
    R_EV_COUNTER0_CFG,
    R_EV_COUNTER1,
    R_EV_COUNTER0,
    R_INT_MASK,
    R_INT_MASK_STATUS,
    R_INT_RAW_STATUS,
    R_LOCKDOWN,
    R_ADDR_FILTERING_START = R_LOCKDOWN + LOCKDOWNS,
    R_ADDR_FILTERING_END,
    R_DEBUG_CTRL,
    R_PREFETCH_CTRL,
    R_POWER_CTRL,
    REGISTERS
};

/*
 * Offsets and bits: TRM 3.2 and 3.3.  The reset values of CACHE_ID and
 * AUX_CONTROL are inputs of the controller.  Those of the i.MX6 Quad are
 * r3p1-50rel0 (linux imx_init_l2cache()) with 16 ways of 64 KiB, as Linux logs
 * on silicon: "16 ways, CACHE_ID 0x410000c7, AUX_CTRL 0x02070000, Cache size:
 * 1048576 B".  Those of the RAM latencies are undocumented; the model has the
 * TRM's default.
 */
static const struct {
    uint32_t offset;
    uint32_t reset;
    uint32_t writable;
} pl310_registers[REGISTERS] = {
    [R_CACHE_ID] = { 0x000, 0x410000C7, 0 },
    [R_CONTROL] = { 0x100, 0, 0x1 },
    [R_AUX_CONTROL] = { 0x104, 0x02070000, 0x7FFF3C01 },
    [R_TAG_RAM_CONTROL] = { 0x108, 0x777, 0x777 },
    [R_DATA_RAM_CONTROL] = { 0x10C, 0x777, 0x777 },
    [R_EV_COUNTER_CTRL] = { 0x200, 0, 0x1 },
    [R_EV_COUNTER1_CFG] = { 0x204, 0, 0x3F },
    [R_EV_COUNTER0_CFG] = { 0x208, 0, 0x3F },
    [R_EV_COUNTER1] = { 0x20C, 0, UINT32_MAX },
    [R_EV_COUNTER0] = { 0x210, 0, UINT32_MAX },
    [R_INT_MASK] = { 0x214, 0, 0x1FF },
    [R_INT_MASK_STATUS] = { 0x218, 0, 0 },
    [R_INT_RAW_STATUS] = { 0x21C, 0, 0 },
    [R_LOCKDOWN ... R_LOCKDOWN + LOCKDOWNS - 1] = { LOCKDOWN, 0, 0xFFFF },
    [R_ADDR_FILTERING_START] = { 0xC00, 0, 0xFFF00001 },
    [R_ADDR_FILTERING_END] = { 0xC04, 0, 0xFFF00000 },
    [R_DEBUG_CTRL] = { 0xF40, 0, 0x3 },
    [R_PREFETCH_CTRL] = { 0xF60, 0, 0x79A0001F },
    [R_POWER_CTRL] = { 0xF80, 0, 0x3 },
};

#define AUX_CONTROL_ASSOCIATIVITY(aux) extract32(aux, 16, 1)
#define AUX_CONTROL_WAY_SIZE(aux) extract32(aux, 17, 3)

/* AUX_CONTROL and PREFETCH_CTRL share these bits. */
#define PREFETCH_ENABLES 0x30000000

/* Unified, lines of 32 bytes, lockdown by master. */
#define CACHE_TYPE_FIXED 0x1C000000

#define EV_COUNTER_CTRL_RESET0 BIT(1)
#define EV_COUNTER_CTRL_RESET1 BIT(2)
#define EV_COUNTER_CFG_SOURCE 0x3C

struct PL310State {
    SysBusDevice parent_obj;

    MemoryRegion mmio;
    VivanteGCState *const *cores;
    size_t core_count;
    uint32_t reg[REGISTERS];
};

/* Returns the index of the register at @addr, or REGISTERS. */
static int pl310_find(hwaddr addr)
{
    int i = 0;

    if (addr >= LOCKDOWN && addr < LOCKDOWN + 4 * LOCKDOWNS) {
        return R_LOCKDOWN + (addr - LOCKDOWN) / 4;
    }
    while (i < REGISTERS && pl310_registers[i].offset != addr) {
        i++;
    }
    return i;
}

/* Combines fixed fields with the size and the associativity: TRM 3.3.2. */
static uint32_t pl310_cache_type(const PL310State *s)
{
    uint32_t aux = s->reg[R_AUX_CONTROL];
    uint32_t size = AUX_CONTROL_WAY_SIZE(aux) << 8 |
                    AUX_CONTROL_ASSOCIATIVITY(aux) << 6;

    return CACHE_TYPE_FIXED | size << 12 | size;
}

static void pl310_copy_prefetch_enables(PL310State *s, int from, int to)
{
    s->reg[to] = (s->reg[to] & ~PREFETCH_ENABLES) |
                 (s->reg[from] & PREFETCH_ENABLES);
}

/*
 * Silicon answers some writes with a bus error, such as a write of AUX_CONTROL
 * while the cache is enabled.  The model accepts them.
 */
static void pl310_store(PL310State *s, int i, uint32_t value)
{
    uint32_t writable = pl310_registers[i].writable;

    s->reg[i] = (s->reg[i] & ~writable) | (value & writable);
    switch (i) {
    case R_AUX_CONTROL:
        pl310_copy_prefetch_enables(s, R_AUX_CONTROL, R_PREFETCH_CTRL);
        break;
    case R_PREFETCH_CTRL:
        pl310_copy_prefetch_enables(s, R_PREFETCH_CTRL, R_AUX_CONTROL);
        break;
    case R_EV_COUNTER_CTRL:
        if (value & EV_COUNTER_CTRL_RESET0) {
            s->reg[R_EV_COUNTER0] = 0;
        }
        if (value & EV_COUNTER_CTRL_RESET1) {
            s->reg[R_EV_COUNTER1] = 0;
        }
        break;
    }
}

/* A counter is writable while it has no source: TRM 3.3.8. */
static bool pl310_is_writable(const PL310State *s, int i)
{
    switch (i) {
    case R_EV_COUNTER0:
        return !(s->reg[R_EV_COUNTER0_CFG] & EV_COUNTER_CFG_SOURCE);
    case R_EV_COUNTER1:
        return !(s->reg[R_EV_COUNTER1_CFG] & EV_COUNTER_CFG_SOURCE);
    default:
        return pl310_registers[i].writable;
    }
}

static uint32_t pl310_load_register(PL310State *s, hwaddr addr)
{
    int i = pl310_find(addr);

    if (addr == CACHE_TYPE) {
        return pl310_cache_type(s);
    }
    if (i == REGISTERS) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_PL310 ": read of offset 0x%03"
                      HWADDR_PRIx ", which is not readable\n", addr);
        return 0;
    }
    return s->reg[i];
}

static void pl310_store_register(PL310State *s, hwaddr addr, uint32_t value)
{
    int i = pl310_find(addr);

    if (i < REGISTERS && pl310_is_writable(s, i)) {
        pl310_store(s, i, value);
    } else if (addr != INT_CLEAR) {
        qemu_log_mask(LOG_GUEST_ERROR, TYPE_PL310 ": write of 0x%08" PRIx32
                      " to offset 0x%03" HWADDR_PRIx ", which is not "
                      "writable\n", value, addr);
    }
}

/* ---- Accesses ----------------------------------------------------------- */

static bool pl310_is_operation(hwaddr addr)
{
    switch (addr) {
    case CACHE_SYNC:
    case DUMMY:
    case INV_PA:
    case INV_WAY:
    case CLEAN_PA:
    case CLEAN_INDEX:
    case CLEAN_WAY:
    case CLEAN_INV_PA:
    case CLEAN_INV_INDEX:
    case CLEAN_INV_WAY:
        return true;
    default:
        return false;
    }
}

/*
 * If QEMU has patch 0016, vCPUs call these two without the BQL and in the
 * middle of a translation block.  DMA, the monitor and qtest hold the BQL.
 * TCG restarts an instruction that goes on to another region of I/O, so an
 * access may be made twice, and the second one must not change anything.
 */
static uint64_t pl310_read(void *opaque, hwaddr addr, unsigned size)
{
    if (pl310_is_operation(addr)) {
        return 0;
    }
    BQL_LOCK_GUARD();
    return pl310_load_register(opaque, addr);
}

static void pl310_sync(PL310State *s)
{
    for (size_t i = 0; i < s->core_count; i++) {
        vivante_gc_barrier(s->cores[i]);
    }
}

static void pl310_write(void *opaque, hwaddr addr, uint64_t data, unsigned size)
{
    if (addr == CACHE_SYNC || addr == DUMMY) {
        pl310_sync(opaque);
    } else if (!pl310_is_operation(addr)) {
        BQL_LOCK_GUARD();
        pl310_store_register(opaque, addr, data);
    }
}

/* Accesses of other sizes are bus errors: TRM 3.1. */
static const MemoryRegionOps pl310_ops =
    PIXMILL_MMIO_OPS(pl310_read, pl310_write, 4, 4);

/* ---- Life cycle --------------------------------------------------------- */

/* Drops bits that the guest could not have written. */
static int pl310_post_load(void *opaque, int version_id)
{
    PL310State *s = opaque;

    for (int i = 0; i < REGISTERS; i++) {
        uint32_t writable = pl310_registers[i].writable;

        s->reg[i] = (s->reg[i] & writable) |
                    (pl310_registers[i].reset & ~writable);
    }
    pl310_copy_prefetch_enables(s, R_PREFETCH_CTRL, R_AUX_CONTROL);
    return 0;
}

static const VMStateDescription vmstate_pl310 = {
    .name = TYPE_PL310,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = pl310_post_load,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT32_ARRAY(reg, PL310State, REGISTERS),
        VMSTATE_END_OF_LIST()
    },
};

static void pl310_reset_enter(Object *obj, ResetType type)
{
    PL310State *s = PL310(obj);

    for (int i = 0; i < REGISTERS; i++) {
        s->reg[i] = pl310_registers[i].reset;
    }
}

/*
 * A weak reference, which is NULL in a QEMU without patch 0016.  Each access
 * then takes the BQL and leaves its translation block, which only costs time.
 */
static void enable_passive_io(MemoryRegion *mr)
    __attribute__((weakref("memory_region_enable_passive_io")));

static void pl310_init(Object *obj)
{
    PL310State *s = PL310(obj);

    memory_region_init_io(&s->mmio, obj, &pl310_ops, s, TYPE_PL310, WINDOW);
    if (enable_passive_io) {
        enable_passive_io(&s->mmio);
    }
    sysbus_init_mmio(SYS_BUS_DEVICE(obj), &s->mmio);
}

static void pl310_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Arm L2C-310 (PL310) level 2 cache controller";
    dc->vmsd = &vmstate_pl310;
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = pl310_reset_enter;
}

static const TypeInfo pl310_types[] = {
    {
        .name = TYPE_PL310,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(PL310State),
        .instance_init = pl310_init,
        .class_init = pl310_class_init,
    },
};

DEFINE_TYPES(pl310_types)

void pl310_create(hwaddr addr, VivanteGCState *const *cores, size_t count)
{
    DeviceState *dev = qdev_new(TYPE_PL310);
    SysBusDevice *sbd = SYS_BUS_DEVICE(dev);
    PL310State *s = PL310(dev);

    s->cores = cores;
    s->core_count = count;
    object_property_add_child(qdev_get_machine(), "pixmill-pl310", OBJECT(dev));
    sysbus_realize_and_unref(sbd, &error_fatal);
    sysbus_mmio_map(sbd, 0, addr);
}
