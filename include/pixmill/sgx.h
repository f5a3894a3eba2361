/*
 * PowerVR SGX544-MP2 as integrated in TI's AM57xx, DRA7 and OMAP5: wrapper, register banks of the
 * two cores and of the master ("hydra"), events, BIF page walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The USSE is not modeled: microkernels and shaders are not executed. The PTLA drops its commands.
 * See docs/hardware/sgx544.md.
 *
 * A core takes no locks and starts no threads. Only create() allocates memory.
 */
#ifndef PIXMILL_SGX_H
#define PIXMILL_SGX_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_SGX_CORES = 2,
    PIXMILL_SGX_BANK_WORDS = 0x1000,  /* size of a core's bank and of the master bank */
    PIXMILL_SGX_WRAPPER_WORDS = 0x80, /* AM57xx TRM table 12-4: 512 bytes */
};

#define PIXMILL_SGX_WINDOW 0x02000000u /* AM57xx TRM 12.4.1: 32 MiB */

/* Values from TI's chip support library, for an SGX544 with two cores and a system level cache. */
#define PIXMILL_SGX_CORE_ID 0x01191201u
#define PIXMILL_SGX_CORE_REVISION 0x00010106u

typedef struct PixmillSgxConfig {
    uint32_t core_id;       /* CORE_ID and MASTER_CORE_ID; 0: PIXMILL_SGX_CORE_ID */
    uint32_t core_revision; /* CORE_REVISION; 0: PIXMILL_SGX_CORE_REVISION */
    uint32_t core_clock_hz; /* clock of TIMER and EVENT_TIMER; 0: 304.7424 MHz */

    /*
     * Follow the TRM, where DEBUG_CONFIG has no bit 31 and only PAGE_CONFIG has THALIA_INT_BYPASS.
     */
    bool trm_debug_config;

    /*
     * For tests: emulate a microkernel that answers each kick by writing 1 to the word at
     * guest-physical address @init_status.
     */
    bool fake_microkernel;
    uint64_t init_status; /* a multiple of 4 */

    /*
     * Called when the guest writes register EVENT_KICK<@kick> of core @core. May be NULL. Must not
     * call into the core.
     * @user: PixmillHost.user.
     * @core: 0 or 1.
     * @kick: 0 to 3.
     * Thread: that of write().
     */
    void (*kick)(void *user, uint32_t core, uint32_t kick);
} PixmillSgxConfig;

/*
 * Class of the SGX544. Uses PixmillSgxConfig, PixmillSgxCounters, PixmillSgxFault and
 * PixmillSgxState. It draws nothing.
 * read(), write(): BUS unless @size is 4 and @offset is a multiple of 4 (AM57xx TRM 12.4: 32-bit
 * accesses only).
 * run(): raises the timer events that are due. Returns WAIT for the next one.
 * register_at(): lists the bank of core 0, the master bank and the wrapper.
 * load(): drops bits that no register has. STATE if core_id or core_revision differs.
 */
extern const PixmillCoreClass pixmill_sgx;

/* ---- Requesters of the BIF ---------------------------------------------- */

typedef enum PixmillSgxRequester {
    PIXMILL_SGX_EDM, /* event data master: the microkernel */
    PIXMILL_SGX_VDM,
    PIXMILL_SGX_TA,
    PIXMILL_SGX_PBE,
    PIXMILL_SGX_TSPP,
    PIXMILL_SGX_ISP,
    PIXMILL_SGX_PTLA, /* in the master bank; the core number is ignored */
    PIXMILL_SGX_REQUESTERS,
} PixmillSgxRequester;

/*
 * Returns the name of a requester, or NULL past the last.
 * Thread: any.
 */
const char *pixmill_sgx_requester(size_t requester);

typedef enum PixmillSgxWalk {
    PIXMILL_SGX_WALK_OK,
    PIXMILL_SGX_WALK_FAULT,     /* latched in BIF_FAULT and BIF_INT_STAT */
    PIXMILL_SGX_WALK_BUS_ERROR, /* no memory at the physical address or at a page table */
    PIXMILL_SGX_WALK_STOPPED,   /* the BIF is paused or in reset */
} PixmillSgxWalk;

/*
 * Walks the page tables as for an access, but does not access the memory itself. Faults and bus
 * errors have their usual side effects.
 * @core: 0 or 1. STOPPED is returned for other cores and for unknown requesters.
 * @va: virtual address.
 * @physical: receives the physical address; 0 unless OK is returned.
 * Thread: serialized.
 */
PixmillSgxWalk pixmill_sgx_walk(PixmillCore *sgx, uint32_t core, PixmillSgxRequester requester,
                                uint32_t va, bool write, uint64_t *physical);

/* ---- Introspection ------------------------------------------------------ */

typedef struct PixmillSgxCounters {
    uint64_t kicks;
    uint64_t events;
    uint64_t mmu_faults;
    uint64_t bus_errors;
    uint64_t bad_accesses;
} PixmillSgxCounters;

/* ---- Injection ---------------------------------------------------------- */

/*
 * Returns the name of an event of EVENT_STATUS, EVENT_STATUS2 or PDS_CACHE_STATUS, or NULL past the
 * last.
 * Thread: any.
 */
const char *pixmill_sgx_event(size_t index);

/*
 * Raises an event of a core.
 * @core: 0 or 1.
 * @name: see pixmill_sgx_event().
 * Errors: ARGUMENT for an unknown core or event.
 * Thread: serialized.
 */
PixmillResult pixmill_sgx_raise(PixmillCore *sgx, uint32_t core, const char *name);

/* The first two take effect immediately, the others at the next event or kick. */
typedef enum PixmillSgxFault {
    PIXMILL_SGX_FAULT_RESPONSE_0, /* INTERRUPT_EVENT: error response on master port 0 */
    PIXMILL_SGX_FAULT_RESPONSE_1, /* INTERRUPT_EVENT: error response on master port 1 */
    PIXMILL_SGX_FAULT_LOST_EVENT, /* the next event does not reach EVENT_STATUS */
    PIXMILL_SGX_FAULT_LOST_KICK,  /* the next kick is ignored */
} PixmillSgxFault;

/* ---- Migration ---------------------------------------------------------- */

/* The complete state. */
typedef struct PixmillSgxState {
    int64_t event_timer_ns[PIXMILL_SGX_CORES]; /* time at which EVENT_TIMER elapses; -1: never */

    /* The state can be loaded only by a core with the same values. */
    uint32_t core_id;
    uint32_t core_revision;

    /* Register files, including the words between registers. */
    uint32_t wrapper[PIXMILL_SGX_WRAPPER_WORDS];
    uint32_t master[PIXMILL_SGX_BANK_WORDS];
    uint32_t core0[PIXMILL_SGX_BANK_WORDS];
    uint32_t core1[PIXMILL_SGX_BANK_WORDS];

    uint32_t irq_level; /* level last passed to set_irq() */
} PixmillSgxState;

#ifdef __cplusplus
}
#endif

#endif
