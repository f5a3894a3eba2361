/*
 * PowerVR SGX544-MP2 as TI's AM57xx, DRA7 and OMAP5 integrate it: wrapper, register
 * banks of two cores and of the master ("hydra"), events, BIF page walks.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * There is no USSE behind the registers: nothing executes a microkernel or a
 * shader, and the PTLA has no command port.  See docs/hardware/sgx544.md.
 *
 * A core has no locks and starts no threads.  Nothing but create() allocates memory.
 */
#ifndef PIXMILL_SGX_H
#define PIXMILL_SGX_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_SGX_CORES = 2,
    PIXMILL_SGX_BANK_WORDS = 0x1000,  /* of one core, or of the master bank */
    PIXMILL_SGX_WRAPPER_WORDS = 0x80, /* AM57xx TRM table 12-4: 512 bytes */
};

#define PIXMILL_SGX_WINDOW 0x02000000u /* AM57xx TRM 12.4.1: 32 MiB */

/*
 * Neither value is public for the AM57xx: an ID that says "two cores", and the revision that its
 * builds of the vendor's driver are for (sgx544_116).
 */
#define PIXMILL_SGX_CORE_ID 0x01250101u
#define PIXMILL_SGX_CORE_REVISION 0x00010106u

typedef struct PixmillSgxConfig {
    uint32_t core_id;       /* CORE_ID; 0: PIXMILL_SGX_CORE_ID */
    uint32_t core_revision; /* CORE_REVISION; 0: PIXMILL_SGX_CORE_REVISION */
    uint32_t core_clock_hz; /* clock of TIMER and EVENT_TIMER; 0: 304.7424 MHz */

    /* DEBUG_CONFIG has no bit 31: that of PAGE_CONFIG alone is THALIA_INT_BYPASS. */
    bool trm_debug_config;

    /*
     * Answers kicks in place of a microkernel by writing 1 to the word at
     * guest-physical @init_status.  For tests only.
     */
    bool fake_microkernel;
    uint64_t init_status; /* a multiple of 4 */

    /*
     * Kick register EVENT_KICK@kick of core @core has been written.  May be NULL.
     * Must not call back into the core.
     */
    void (*kick)(void *user, uint32_t core, uint32_t kick);
} PixmillSgxConfig;

/*
 * Creates from a PixmillSgxConfig; counts in PixmillSgxCounters, injects PixmillSgxFault, saves and
 * loads PixmillSgxState.  Draws nothing.
 * read(), write(): BUS unless the size is 4 and the offset a multiple of 4 (AM57xx TRM 12.4:
 * 32-bit accesses only).
 * run(): raises the timer events that are due, and waits for the next.
 * register_at(): the core bank where bank 0 shows it, the master bank, the wrapper.
 * load(): bits that no register has are dropped; STATE for one of another core_id or core_revision.
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
    PIXMILL_SGX_PTLA, /* of the master bank: the core's number does not matter */
    PIXMILL_SGX_REQUESTERS,
} PixmillSgxRequester;

/* Name of @requester; NULL past the last. */
const char *pixmill_sgx_requester(size_t requester);

typedef enum PixmillSgxWalk {
    PIXMILL_SGX_WALK_OK,
    PIXMILL_SGX_WALK_FAULT,     /* latched in BIF_FAULT and BIF_INT_STAT */
    PIXMILL_SGX_WALK_BUS_ERROR, /* no memory at the physical address or at a table */
    PIXMILL_SGX_WALK_STOPPED,   /* the BIF is paused or in reset */
} PixmillSgxWalk;

/*
 * Does what an access of @requester of core @core to virtual address @va does up
 * to the memory, which is left alone.  *@physical is where it leads, 0 unless OK.
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

/* Name of event @index of EVENT_STATUS and EVENT_STATUS2; NULL past the last. */
const char *pixmill_sgx_event(size_t index);

/*
 * Core @core raises the event called @name.
 * Errors: ARGUMENT (no such core or event).
 */
PixmillResult pixmill_sgx_raise(PixmillCore *sgx, uint32_t core, const char *name);

/* The first two happen at once, the others are armed for one time. */
typedef enum PixmillSgxFault {
    PIXMILL_SGX_FAULT_RESPONSE_0, /* INTERRUPT_EVENT: error response on master port 0 */
    PIXMILL_SGX_FAULT_RESPONSE_1, /* ... on master port 1 */
    PIXMILL_SGX_FAULT_LOST_EVENT, /* the next event does not reach EVENT_STATUS */
    PIXMILL_SGX_FAULT_LOST_KICK,  /* the next kick goes unnoticed */
} PixmillSgxFault;

/* ---- Migration ---------------------------------------------------------- */

/* Everything that a core remembers. */
typedef struct PixmillSgxState {
    int64_t event_timer_ns[PIXMILL_SGX_CORES]; /* when EVENT_TIMER elapses; -1: never */

    /* Guard: must equal the loading core's. */
    uint32_t core_id;
    uint32_t core_revision;

    /* Register files: what the registers hold, and the words between them. */
    uint32_t wrapper[PIXMILL_SGX_WRAPPER_WORDS];
    uint32_t master[PIXMILL_SGX_BANK_WORDS];
    uint32_t core0[PIXMILL_SGX_BANK_WORDS];
    uint32_t core1[PIXMILL_SGX_BANK_WORDS];

    uint32_t irq_level; /* of the line, as set_irq() was last told */
} PixmillSgxState;

#ifdef __cplusplus
}
#endif

#endif
