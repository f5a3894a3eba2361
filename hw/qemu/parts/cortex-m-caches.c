/*
 * Registers of the level 1 caches of a Cortex-M7 or Cortex-M55.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Sources: "TRM" is Arm's Cortex-M7 TRM r1p2 (DDI 0489F), "GUG" its Generic
 * User Guide (DUI 0646C); CMSIS core_cm7.h and core_cm55.h.
 *
 * QEMU's NVIC reports that there are no caches: CLIDR and CCSIDR read 0, and DC
 * and IC of CCR cannot be set.  Firmware that asks whether the data cache is
 * on, or how large it is, then does less than on silicon.  This device covers
 * the last KiB of the System Control Space.  It implements the registers of the
 * caches and of the memory interfaces, and forwards all other accesses to the
 * NVIC.  The window is a whole page of QEMU's Cortex-M, so an access to an
 * operation takes no longer than without this device.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "qemu/error-report.h"
#include "qemu/host-utils.h"
#include "qemu/log.h"
#include "qemu/units.h"
#include "migration/vmstate.h"
#include "target/arm/cpu.h"
#include "hw/pixmill/cores/shell.h"
#include "cortex-m-caches.h"

#define SCS_WINDOW 0xC00 /* offset in the System Control Space */
#define SCS_WINDOW_SIZE 0x400
#define SCS_BASE 0xE000E000
#define SCS_NS_BASE 0xE002E000 /* Armv8-M: the registers of non-secure state */
#define ITCM_BASE 0x00000000 /* TRM table 1-1 */
#define DTCM_BASE 0x20000000
#define MEMSYSCTL_BASE 0xE001E000
#define MEMSYSCTL_SIZE 0x20

#define DEFAULT_SIZE (32 * KiB)
#define LINE 32
#define DATA_WAYS 4
#define INSTRUCTION_WAYS 2

/* ---- Registers ---------------------------------------------------------- */

/* Offsets in the System Control Space: TRM table 3-1. */
#define A_CCR 0xD14
#define A_CLIDR 0xD78
#define A_CTR 0xD7C
#define A_CCSIDR 0xD80
#define A_CSSELR 0xD84
#define A_MPU_CTRL 0xD94
#define A_MPU_RNR 0xD98
#define A_MPU_RASR_A3 0xDB8

#define CCR_CACHES (R_V7M_CCR_DC_MASK | R_V7M_CCR_IC_MASK | R_V7M_CCR_BP_MASK)

#define CLIDR_INSTRUCTION 1
#define CLIDR_DATA 2

#define CTR 0x8303C003 /* lines of 8 words; TRM table 3-1 */
#define CCSIDR_POLICIES 0xF0000000 /* TRM table 3-6 */
#define CCSIDR_LINE 1 /* 32 bytes */

#define TCMCR_EN 0x1
#define TCMCR_WRITABLE 0x7 /* RETEN, RMW, EN */
#define AHBPCR_EN 0x1
#define CACR_SIWT 0x1
#define CACR_ECCDIS 0x2
#define CACR_FORCEWT 0x4
#define AHBSCR_RESET 0x0800 /* INITCOUNT */
#define AHBSCR_WRITABLE 0xFFFF

#define MSCR_FORCEWT 0x4
#define MSCR_DCACTIVE 0x1000
#define MSCR_ICACTIVE 0x2000
#define MSCR_DCCLEAN 0x10000
#define PFCR_RESET 0x165 /* MAX_OS 2, MAX_LA 6, MIN_LA 2, ENABLE */
#define PFCR_WRITABLE 0x3FF

/*
 * Indices of the registers that store something.  CCR and CSSELR are banked
 * between the security states; the secure bank follows the other one.  The
 * order is that of the saved state.
 */
enum {
    R_CCR, /* only CCR_CACHES; the NVIC has the other bits */
    R_CCR_S,
    R_CSSELR,
    R_CSSELR_S,
    R_ITCMCR,
    R_DTCMCR,
    R_AHBPCR,
    R_CACR,
    R_AHBSCR,
    R_ABFSR,
    R_MSCR,
    R_PFCR,
    REGISTERS
};

typedef struct CacheSlot {
    uint32_t offset;
    int index;
} CacheSlot;

/* Tables end with a row whose index is REGISTERS. */
static const CacheSlot m7_slots[] = {
    { A_CSSELR, R_CSSELR },
    { 0xF90, R_ITCMCR },
    { 0xF94, R_DTCMCR },
    { 0xF98, R_AHBPCR },
    { 0xF9C, R_CACR },
    { 0xFA0, R_AHBSCR },
    { 0xFA8, R_ABFSR },
    { 0, REGISTERS },
};

static const CacheSlot m55_slots[] = {
    { A_CSSELR, R_CSSELR },
    { 0, REGISTERS },
};

/* Offsets in MEMSYSCTL. */
static const CacheSlot m55_memsysctl[] = {
    { 0x00, R_MSCR },
    { 0x04, R_PFCR },
    { 0x10, R_ITCMCR },
    { 0x14, R_DTCMCR },
    { 0x18, R_AHBPCR }, /* PAHBCR */
    { 0, REGISTERS },
};

/* Differences between the CPUs. */
typedef struct CacheModel {
    const char *cpu_type;
    uint32_t clidr;       /* levels: LoUU, LoC, LoUIS */
    uint32_t ccr_ones;    /* bits of CCR that read as one */
    uint32_t tcmcr;       /* writable bits of ITCMCR and DTCMCR */
    const CacheSlot *scs;
    const CacheSlot *memsysctl; /* NULL: there is none */
} CacheModel;

/*
 * CLIDR: GUG table 4-40; that of the Cortex-M55 is not in a public page, so the
 * model has the levels of a Cortex-M85 (that of an RA8M2 reads 0x09200003).
 * BP of the Cortex-M7 always reads as one: GUG table 4.20.
 */
static const CacheModel cache_models[] = {
    {
        .cpu_type = ARM_CPU_TYPE_NAME("cortex-m7"),
        .clidr = 0x09000000,
        .ccr_ones = R_V7M_CCR_BP_MASK,
        .tcmcr = TCMCR_WRITABLE,
        .scs = m7_slots,
    }, {
        .cpu_type = ARM_CPU_TYPE_NAME("cortex-m55"),
        .clidr = 0x09200000,
        .tcmcr = TCMCR_EN,
        .scs = m55_slots,
        .memsysctl = m55_memsysctl,
    },
};

/* ---- Operations --------------------------------------------------------- */

typedef enum CacheCounter {
    COUNT_CLEANS,
    COUNT_INVALIDATES,
    COUNT_CLEAN_INVALIDATES,
    COUNT_ICACHE_INVALIDATES,
    COUNTERS
} CacheCounter;

static const char *const cache_counter_names[COUNTERS] = {
    [COUNT_CLEANS] = "stat-cleans",
    [COUNT_INVALIDATES] = "stat-invalidates",
    [COUNT_CLEAN_INVALIDATES] = "stat-clean-invalidates",
    [COUNT_ICACHE_INVALIDATES] = "stat-icache-invalidates",
};

#define OPERATIONS_FIRST 0xF50
#define OPERATIONS_LAST 0xF78

/* Write-only registers: TRM table 3-1. */
static const struct {
    uint32_t offset;
    CacheCounter counter; /* COUNTERS: none */
    PixmillCacheOperation data; /* on the data cache; 0: none */
    bool by_way;
} cache_operations[] = {
    { 0xF50, COUNT_ICACHE_INVALIDATES }, /* ICIALLU */
    { 0xF58, COUNT_ICACHE_INVALIDATES }, /* ICIMVAU */
    { 0xF5C, COUNT_INVALIDATES, PIXMILL_CACHE_INVALIDATE }, /* DCIMVAC */
    { 0xF60, COUNT_INVALIDATES, PIXMILL_CACHE_INVALIDATE, true }, /* DCISW */
    { 0xF64, COUNT_CLEANS, PIXMILL_CACHE_CLEAN }, /* DCCMVAU */
    { 0xF68, COUNT_CLEANS, PIXMILL_CACHE_CLEAN }, /* DCCMVAC */
    { 0xF6C, COUNT_CLEANS, PIXMILL_CACHE_CLEAN, true }, /* DCCSW */
    { 0xF70, COUNT_CLEAN_INVALIDATES,
      PIXMILL_CACHE_CLEAN_INVALIDATE }, /* DCCIMVAC */
    { 0xF74, COUNT_CLEAN_INVALIDATES, PIXMILL_CACHE_CLEAN_INVALIDATE,
      true }, /* DCCISW */
    { 0xF78, COUNTERS }, /* BPIALL */
};

struct CortexMCachesState {
    SysBusDevice parent_obj;

    const CacheModel *model;
    MemoryRegion *nvic;
    MemoryRegion scs;
    MemoryRegion scs_ns;
    MemoryRegion memsysctl;

    uint32_t dcache_size;
    uint32_t icache_size;
    uint32_t itcm_size;
    uint32_t dtcm_size;
    bool ecc;
    CacheCheck *check; /* NULL: none */
    uint32_t reset[REGISTERS];
    uint32_t writable[REGISTERS];

    uint32_t reg[REGISTERS];
    uint64_t counters[COUNTERS];
};

/* Returns false if the register is not an operation. */
static bool caches_operate(CortexMCachesState *s, uint32_t offset,
                           uint32_t value)
{
    if (offset < OPERATIONS_FIRST || offset > OPERATIONS_LAST) {
        return false;
    }
    for (int i = 0; i < ARRAY_SIZE(cache_operations); i++) {
        if (cache_operations[i].offset == offset) {
            if (cache_operations[i].counter != COUNTERS) {
                s->counters[cache_operations[i].counter]++;
            }
            if (s->check && cache_operations[i].data) {
                cache_check_operate(s->check, cache_operations[i].data,
                                    cache_operations[i].by_way, value);
            }
            return true;
        }
    }
    return false;
}

/* ---- Identification ----------------------------------------------------- */

static uint32_t caches_clidr(const CortexMCachesState *s)
{
    uint32_t types = (s->dcache_size ? CLIDR_DATA : 0) |
                     (s->icache_size ? CLIDR_INSTRUCTION : 0);

    return types ? s->model->clidr | types : 0;
}

/* Encodes the size of a cache: TRM tables 3-6 and 3-7. */
static uint32_t caches_size_id(uint32_t size, uint32_t ways)
{
    uint32_t sets = size / LINE / ways;

    if (!size) {
        return 0;
    }
    return CCSIDR_POLICIES | (sets - 1) << 13 | (ways - 1) << 3 |
           CCSIDR_LINE;
}

static uint32_t caches_ccsidr(const CortexMCachesState *s, bool secure)
{
    return s->reg[R_CSSELR + secure] ?
           caches_size_id(s->icache_size, INSTRUCTION_WAYS) :
           caches_size_id(s->dcache_size, DATA_WAYS);
}

/* ---- Accesses ----------------------------------------------------------- */

/* Returns the register's index, or REGISTERS. */
static int caches_find(const CacheSlot *slot, uint32_t offset, bool secure)
{
    while (slot->index != REGISTERS && slot->offset != offset) {
        slot++;
    }
    return slot->index + (secure && slot->index <= R_CSSELR);
}

static void caches_store(CortexMCachesState *s, int i, uint32_t value)
{
    s->reg[i] = (s->reg[i] & ~s->writable[i]) | (value & s->writable[i]);
}

static MemTxResult caches_forward_read(CortexMCachesState *s, uint32_t offset,
                                       uint64_t *data, unsigned size,
                                       MemTxAttrs attrs)
{
    return memory_region_dispatch_read(s->nvic, offset, data,
                                       size_memop(size) | MO_LE, attrs);
}

static MemTxResult caches_forward_write(CortexMCachesState *s, uint32_t offset,
                                        uint64_t data, unsigned size,
                                        MemTxAttrs attrs)
{
    return memory_region_dispatch_write(s->nvic, offset, data,
                                        size_memop(size) | MO_LE, attrs);
}

/* Tells the checker which memory is cached. */
static void caches_update_check(CortexMCachesState *s)
{
    if (s->check) {
        cache_check_control(s->check, s->reg[R_CCR] & R_V7M_CCR_DC_MASK,
                            s->reg[R_CACR] & CACR_SIWT,
                            s->reg[R_CACR] & CACR_FORCEWT);
    }
}

/* RNR only selects a region. */
static bool caches_changes_mpu(uint32_t offset)
{
    return offset >= A_MPU_CTRL && offset <= A_MPU_RASR_A3 &&
           offset != A_MPU_RNR;
}

/*
 * The NVIC logs reads of operations and accesses that are not of a word, and
 * answers accesses of unprivileged code with a BusFault.
 */
static MemTxResult caches_scs_read(void *opaque, hwaddr addr, uint64_t *data,
                                   unsigned size, MemTxAttrs attrs)
{
    CortexMCachesState *s = opaque;
    uint32_t offset = SCS_WINDOW + addr;
    MemTxResult result;
    int i;

    if (size != 4 || attrs.user) {
        return caches_forward_read(s, offset, data, size, attrs);
    }
    switch (offset) {
    case A_CCR:
        result = caches_forward_read(s, offset, data, size, attrs);
        *data |= s->reg[R_CCR + attrs.secure];
        return result;
    case A_CLIDR:
        *data = caches_clidr(s);
        return MEMTX_OK;
    case A_CTR:
        *data = CTR;
        return MEMTX_OK;
    case A_CCSIDR:
        *data = caches_ccsidr(s, attrs.secure);
        return MEMTX_OK;
    }
    i = caches_find(s->model->scs, offset, attrs.secure);
    if (i == REGISTERS) {
        return caches_forward_read(s, offset, data, size, attrs);
    }
    *data = s->reg[i];
    return MEMTX_OK;
}

/* The NVIC logs writes of read-only registers, too. */
static MemTxResult caches_scs_write(void *opaque, hwaddr addr, uint64_t data,
                                    unsigned size, MemTxAttrs attrs)
{
    CortexMCachesState *s = opaque;
    uint32_t offset = SCS_WINDOW + addr;
    MemTxResult result;
    int i;

    if (size != 4 || attrs.user) {
        return caches_forward_write(s, offset, data, size, attrs);
    }
    if (caches_operate(s, offset, data)) {
        return MEMTX_OK;
    }
    i = caches_find(s->model->scs, offset, attrs.secure);
    if (i != REGISTERS) {
        caches_store(s, i, data);
        caches_update_check(s);
        return MEMTX_OK;
    }
    if (offset == A_CCR) {
        caches_store(s, R_CCR + attrs.secure, data);
        caches_update_check(s);
        data &= ~(uint64_t)CCR_CACHES;
    }
    result = caches_forward_write(s, offset, data, size, attrs);
    if (caches_changes_mpu(offset)) {
        caches_update_check(s);
    }
    return result;
}

/*
 * The alias gives secure code the registers of non-secure state.  It reads as
 * zero in non-secure state, as in QEMU's armv7m.c.
 */
static MemTxResult caches_scs_ns_read(void *opaque, hwaddr addr,
                                      uint64_t *data, unsigned size,
                                      MemTxAttrs attrs)
{
    if (!attrs.secure) {
        *data = 0;
        return attrs.user ? MEMTX_ERROR : MEMTX_OK;
    }
    attrs.secure = 0;
    return caches_scs_read(opaque, addr, data, size, attrs);
}

static MemTxResult caches_scs_ns_write(void *opaque, hwaddr addr,
                                       uint64_t data, unsigned size,
                                       MemTxAttrs attrs)
{
    if (!attrs.secure) {
        return attrs.user ? MEMTX_ERROR : MEMTX_OK;
    }
    attrs.secure = 0;
    return caches_scs_write(opaque, addr, data, size, attrs);
}

static const MemoryRegionOps caches_scs_ops = {
    .read_with_attrs = caches_scs_read,
    .write_with_attrs = caches_scs_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
};

static const MemoryRegionOps caches_scs_ns_ops = {
    .read_with_attrs = caches_scs_ns_read,
    .write_with_attrs = caches_scs_ns_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
};

static void caches_log_no_register(const char *access, hwaddr addr)
{
    qemu_log_mask(LOG_GUEST_ERROR, TYPE_CORTEX_M_CACHES ": %s 0x%08x, where "
                  "there is no register\n", access,
                  (uint32_t)(MEMSYSCTL_BASE + addr));
}

static MemTxResult caches_memsysctl_read(void *opaque, hwaddr addr,
                                         uint64_t *data, unsigned size,
                                         MemTxAttrs attrs)
{
    CortexMCachesState *s = opaque;
    int i = caches_find(s->model->memsysctl, addr, false);

    *data = 0;
    if (attrs.user) {
        return MEMTX_ERROR;
    }
    if (i == REGISTERS) {
        caches_log_no_register("read of", addr);
        return MEMTX_OK;
    }
    *data = s->reg[i];
    return MEMTX_OK;
}

static MemTxResult caches_memsysctl_write(void *opaque, hwaddr addr,
                                          uint64_t data, unsigned size,
                                          MemTxAttrs attrs)
{
    CortexMCachesState *s = opaque;
    int i = caches_find(s->model->memsysctl, addr, false);

    if (attrs.user) {
        return MEMTX_ERROR;
    }
    if (i == REGISTERS) {
        caches_log_no_register("write to", addr);
        return MEMTX_OK;
    }
    caches_store(s, i, data);
    return MEMTX_OK;
}

static const MemoryRegionOps caches_memsysctl_ops = {
    .read_with_attrs = caches_memsysctl_read,
    .write_with_attrs = caches_memsysctl_write,
    .endianness = DEVICE_LITTLE_ENDIAN,
    .valid = { .min_access_size = 4, .max_access_size = 4 },
};

/* ---- Life cycle --------------------------------------------------------- */

static void caches_define(CortexMCachesState *s, int i, uint32_t reset,
                          uint32_t writable)
{
    s->reset[i] = reset;
    s->writable[i] = writable;
}

/* SZ is 0 if there is no TCM, and 3 for 4 KiB: TRM table 3-9. */
static void caches_define_tcm(CortexMCachesState *s, int i, uint32_t size)
{
    if (size) {
        caches_define(s, i, (ctz32(size / KiB) + 1) << 3 | TCMCR_EN,
                      s->model->tcmcr);
    }
}

/*
 * Bits of a cache that does not exist are RAZ/WI: TRM 3.3.8.  The reset value
 * of CSSELR is unpredictable on silicon.  The sizes of the AHB peripheral ports
 * are undocumented and read as 0: none.  Firmware that CMSIS alone sets up does
 * not write DCACTIVE and ICACTIVE, so they are set after reset.
 */
static void caches_define_registers(CortexMCachesState *s)
{
    bool data = s->dcache_size, instructions = s->icache_size;
    bool ecc = s->ecc && (data || instructions);
    uint32_t enables = (data ? R_V7M_CCR_DC_MASK : 0) |
                       (instructions ? R_V7M_CCR_IC_MASK : 0);
    uint32_t active = (data ? MSCR_DCACTIVE : 0) |
                      (instructions ? MSCR_ICACTIVE : 0);
    bool any = data || instructions;

    for (int bank = 0; bank < M_REG_NUM_BANKS; bank++) {
        caches_define(s, R_CCR + bank, s->model->ccr_ones, enables);
        caches_define(s, R_CSSELR + bank, 0, any ? 1 : 0); /* InD */
    }
    caches_define_tcm(s, R_ITCMCR, s->itcm_size);
    caches_define_tcm(s, R_DTCMCR, s->dtcm_size);
    caches_define(s, R_AHBPCR, 0, AHBPCR_EN);
    caches_define(s, R_CACR, ecc ? 0 : CACR_ECCDIS,
                  (data ? CACR_FORCEWT | CACR_SIWT : 0) |
                  (ecc ? CACR_ECCDIS : 0));
    caches_define(s, R_AHBSCR, AHBSCR_RESET, AHBSCR_WRITABLE);
    caches_define(s, R_MSCR, MSCR_DCCLEAN | active,
                  active | (data ? MSCR_FORCEWT : 0));
    caches_define(s, R_PFCR, PFCR_RESET, PFCR_WRITABLE);
}

static bool caches_is_size(uint32_t size, uint32_t largest)
{
    return !size || (is_power_of_2(size) && size >= 4 * KiB && size <= largest);
}

static void caches_realize(DeviceState *dev, Error **errp)
{
    CortexMCachesState *s = CORTEX_M_CACHES(dev);

    if (!s->model || !s->nvic) {
        error_setg(errp, TYPE_CORTEX_M_CACHES " needs a CPU");
        return;
    }
    if (!caches_is_size(s->dcache_size, 64 * KiB) ||
        !caches_is_size(s->icache_size, 64 * KiB)) {
        error_setg(errp, "dcache-size and icache-size are 0, or a power of two "
                   "from 4K to 64K");
        return;
    }
    if (!caches_is_size(s->itcm_size, 16 * MiB) ||
        !caches_is_size(s->dtcm_size, 16 * MiB)) {
        error_setg(errp, "itcm-size and dtcm-size are 0, or a power of two "
                   "from 4K to 16M");
        return;
    }
    caches_define_registers(s);
}

static void caches_reset_enter(Object *obj, ResetType type)
{
    CortexMCachesState *s = CORTEX_M_CACHES(obj);

    memcpy(s->reg, s->reset, sizeof(s->reg));
}

/* The checker forgets what it knows of the caches. */
static void caches_restart_check(CortexMCachesState *s)
{
    if (s->check) {
        cache_check_reset(s->check);
        caches_update_check(s);
    }
}

/* The CPU has its reset values then, too. */
static void caches_reset_exit(Object *obj, ResetType type)
{
    caches_restart_check(CORTEX_M_CACHES(obj));
}

/* Drops bits that the guest could not have written. */
static int caches_post_load(void *opaque, int version_id)
{
    CortexMCachesState *s = opaque;

    for (int i = 0; i < REGISTERS; i++) {
        s->reg[i] = (s->reg[i] & s->writable[i]) |
                    (s->reset[i] & ~s->writable[i]);
    }
    caches_restart_check(s);
    return 0;
}

static const VMStateDescription vmstate_caches = {
    .name = TYPE_CORTEX_M_CACHES,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = caches_post_load,
    .fields = (const VMStateField[]) {
        PIXMILL_SAME("dcache-size", CortexMCachesState, dcache_size),
        PIXMILL_SAME("icache-size", CortexMCachesState, icache_size),
        VMSTATE_UINT32_ARRAY(reg, CortexMCachesState, REGISTERS),
        VMSTATE_END_OF_LIST()
    },
};

static void caches_init(Object *obj)
{
    CortexMCachesState *s = CORTEX_M_CACHES(obj);

    memory_region_init_io(&s->scs, obj, &caches_scs_ops, s,
                          TYPE_CORTEX_M_CACHES, SCS_WINDOW_SIZE);
    memory_region_init_io(&s->scs_ns, obj, &caches_scs_ns_ops, s,
                          TYPE_CORTEX_M_CACHES ".ns", SCS_WINDOW_SIZE);
    memory_region_init_io(&s->memsysctl, obj, &caches_memsysctl_ops, s,
                          TYPE_CORTEX_M_CACHES ".memsysctl", MEMSYSCTL_SIZE);
    for (int i = 0; i < COUNTERS; i++) {
        object_property_add_uint64_ptr(obj, cache_counter_names[i],
                                       &s->counters[i], OBJ_PROP_FLAG_READ);
    }
}

static const Property caches_properties[] = {
    DEFINE_PROP_UINT32("dcache-size", CortexMCachesState, dcache_size,
                       DEFAULT_SIZE),
    DEFINE_PROP_UINT32("icache-size", CortexMCachesState, icache_size,
                       DEFAULT_SIZE),
    DEFINE_PROP_UINT32("itcm-size", CortexMCachesState, itcm_size, 0),
    DEFINE_PROP_UINT32("dtcm-size", CortexMCachesState, dtcm_size, 0),
    DEFINE_PROP_BOOL("ecc", CortexMCachesState, ecc, false),
};

static void caches_class_init(ObjectClass *oc, PixmillClassData *data)
{
    DeviceClass *dc = DEVICE_CLASS(oc);

    dc->desc = "Registers of the caches of a Cortex-M";
    dc->realize = caches_realize;
    dc->vmsd = &vmstate_caches;
    device_class_set_props(dc, caches_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
    RESETTABLE_CLASS(oc)->phases.enter = caches_reset_enter;
    RESETTABLE_CLASS(oc)->phases.exit = caches_reset_exit;
}

static const TypeInfo caches_types[] = {
    {
        .name = TYPE_CORTEX_M_CACHES,
        .parent = TYPE_SYS_BUS_DEVICE,
        .instance_size = sizeof(CortexMCachesState),
        .instance_init = caches_init,
        .class_init = caches_class_init,
    },
};

DEFINE_TYPES(caches_types)

/* ---- In a machine ------------------------------------------------------- */

static bool caches_names_data(const char *name)
{
    return name[0] == 'd';
}

static void caches_get_size(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    const CortexMCachesConfig *c = opaque;
    uint64_t size = caches_names_data(name) ? c->dcache_size : c->icache_size;

    visit_type_size(v, name, &size, errp);
}

static void caches_set_size(Object *obj, Visitor *v, const char *name,
                            void *opaque, Error **errp)
{
    CortexMCachesConfig *c = opaque;
    uint64_t size;

    if (!visit_type_size(v, name, &size, errp)) {
        return;
    }
    size = MIN(size, UINT32_MAX); /* realize refuses that */
    if (caches_names_data(name)) {
        c->dcache_size = size;
        c->has_dcache_size = true;
    } else {
        c->icache_size = size;
        c->has_icache_size = true;
    }
}

void cortex_m_caches_add_properties(Object *machine,
                                    CortexMCachesConfig *config)
{
    static const struct {
        const char *name;
        const char *description;
    } properties[] = {
        { "dcache-size", "size of a Cortex-M7's or Cortex-M55's data cache: "
          "0, 4K, 8K, 16K, 32K (default) or 64K" },
        { "icache-size", "size of its instruction cache" },
    };

    config->dcache_size = DEFAULT_SIZE;
    config->icache_size = DEFAULT_SIZE;
    for (int i = 0; i < ARRAY_SIZE(properties); i++) {
        object_property_add(machine, properties[i].name, "size",
                            caches_get_size, caches_set_size, NULL, config);
        object_property_set_description(machine, properties[i].name,
                                        properties[i].description);
    }
    cache_check_add_properties(machine, &config->check);
}

static const CacheModel *caches_model_of(ARMCPU *cpu)
{
    for (int i = 0; i < ARRAY_SIZE(cache_models); i++) {
        if (object_dynamic_cast(OBJECT(cpu), cache_models[i].cpu_type)) {
            return &cache_models[i];
        }
    }
    return NULL;
}

/* Covers parts of the NVIC and of what armv7m.c has for the rest. */
static void caches_map(CortexMCachesState *s, ARMv7MState *armv7m)
{
    memory_region_add_subregion_overlap(&armv7m->container,
                                        SCS_BASE + SCS_WINDOW, &s->scs, 1);
    if (arm_feature(&armv7m->cpu->env, ARM_FEATURE_V8)) {
        memory_region_add_subregion_overlap(&armv7m->container,
                                            SCS_NS_BASE + SCS_WINDOW,
                                            &s->scs_ns, 1);
    }
    if (s->model->memsysctl) {
        memory_region_add_subregion_overlap(&armv7m->container,
                                            MEMSYSCTL_BASE, &s->memsysctl, 1);
    }
}

static CacheCheck *caches_start_check(const CortexMCachesConfig *config,
                                      ARMCPU *cpu)
{
    const CacheCheckTcm tcms[] = {
        { ITCM_BASE, config->itcm_size }, { DTCM_BASE, config->dtcm_size },
    };

    return cache_check_create(&config->check, cpu, config->dcache_size, tcms,
                              ARRAY_SIZE(tcms));
}

void cortex_m_caches_create(Object *machine, ARMv7MState *armv7m,
                            const CortexMCachesConfig *config)
{
    const CacheModel *model = caches_model_of(armv7m->cpu);
    CortexMCachesState *s;
    DeviceState *dev;

    if (!model) {
        if ((config->has_dcache_size && config->dcache_size) ||
            (config->has_icache_size && config->icache_size)) {
            error_report("dcache-size and icache-size are at most 0, unless the "
                         "CPU is a cortex-m7 or a cortex-m55");
            exit(1);
        }
        caches_start_check(config, armv7m->cpu); /* says what it needs */
        return;
    }
    dev = qdev_new(TYPE_CORTEX_M_CACHES);
    s = CORTEX_M_CACHES(dev);
    s->model = model;
    s->nvic = sysbus_mmio_get_region(SYS_BUS_DEVICE(&armv7m->nvic), 0);
    s->dcache_size = config->dcache_size;
    s->icache_size = config->icache_size;
    s->itcm_size = config->itcm_size;
    s->dtcm_size = config->dtcm_size;
    s->ecc = config->ecc;
    object_property_add_child(machine, "caches", OBJECT(dev));
    sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
    s->check = caches_start_check(config, armv7m->cpu);
    caches_map(s, armv7m);
}
