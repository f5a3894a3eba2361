/*
 * Stores that a vCPU has left unfinished and will make again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Under TCG, a vCPU whose store stalls may return to its loop and execute the
 * instruction again.  The device must not repeat the part of the store that it
 * has already taken, whatever interrupt handlers or other vCPUs write
 * meanwhile.  So the store is recorded: its instruction, the registers of the
 * vCPU, and how much of it is done.  The vCPU is not part of the record, as the
 * guest's scheduler may resume the thread on another one.
 */
#ifndef HW_PIXMILL_RETRIES_H
#define HW_PIXMILL_RETRIES_H

#include "migration/vmstate.h"

/*
 * A store of at most eight bytes.  The device has taken the first @done bytes.
 */
typedef struct PixmillStore {
    uint64_t addr;
    uint64_t data;
    uint32_t size;
    uint32_t done;
} PixmillStore;

typedef struct PixmillRetry {
    uint64_t instruction;
    uint64_t context; /* hash of the vCPU's general registers */
    PixmillStore store;
} PixmillRetry;

enum { PIXMILL_RETRIES = 8 };

/*
 * Unfinished stores of several vCPUs, and of handlers that interrupt each
 * other.  The oldest store is the first, and is dropped if there are too many:
 * a process that was killed during its store never repeats it.  All zero: no
 * stores.
 */
typedef struct PixmillRetries {
    uint32_t count;
    PixmillRetry at[PIXMILL_RETRIES];
} PixmillRetries;

/*
 * Records that a vCPU will repeat @store, unless the device has taken none of
 * it.
 */
void pixmill_retries_note(PixmillRetries *retries, const PixmillStore *store);

/*
 * If there is a record of @store, which the current vCPU's instruction makes,
 * continues the store at the recorded byte.
 */
void pixmill_retries_resume(PixmillRetries *retries, PixmillStore *store);

extern const VMStateDescription vmstate_pixmill_retry;
/* Validates a loaded state, which is not trusted. */
bool pixmill_retries_valid(const PixmillRetries *retries);

#endif
