/*
 * Stores that a vCPU will make again, because it has left them in the middle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Under TCG a vCPU whose store stalls may go to its loop and execute the
 * instruction anew.  What a device has taken of the store by then must not be
 * done twice, whatever others write in between: handlers of interrupts on this
 * vCPU, and other vCPUs.  So it is noted which store that is, by its instruction
 * and the registers of the vCPU, and how far it has come.  Which vCPU is not
 * noted: the guest's scheduler may let another one execute it again.
 */
#ifndef HW_PIXMILL_RETRIES_H
#define HW_PIXMILL_RETRIES_H

#include "migration/vmstate.h"

/* A store of @size bytes, eight at most; its first @done have been taken. */
typedef struct PixmillStore {
    uint64_t addr;
    uint64_t data;
    uint32_t size;
    uint32_t done;
} PixmillStore;

typedef struct PixmillRetry {
    uint64_t instruction;
    uint64_t context; /* a hash of the vCPU's general registers */
    PixmillStore store;
} PixmillRetry;

enum { PIXMILL_RETRIES = 8 };

/*
 * Of vCPUs, and of handlers that interrupt each other; the oldest first.  Where
 * there are more, the oldest is forgotten: a process that was killed in its
 * store does not come back.  All zero: none.
 */
typedef struct PixmillRetries {
    uint32_t count;
    PixmillRetry at[PIXMILL_RETRIES];
} PixmillRetries;

/* A vCPU is to make @store again; nothing is noted if none is done. */
void pixmill_retries_note(PixmillRetries *retries, const PixmillStore *store);

/*
 * A store of the current vCPU's instruction: if it has been noted, it goes on
 * where that has stopped.
 */
void pixmill_retries_resume(PixmillRetries *retries, PixmillStore *store);

extern const VMStateDescription vmstate_pixmill_retry;
/* Of a loaded state, which is not trusted. */
bool pixmill_retries_plausible(const PixmillRetries *retries);

#endif
