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

/* A store of at most eight bytes; the device has taken the first @done. */
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
 * Stores of several vCPUs, and of handlers that interrupt each other; the
 * oldest comes first and is dropped if there are too many. (A process that was
 * killed during its store never repeats it.) All zero: none.
 */
typedef struct PixmillRetries {
    uint32_t count;
    PixmillRetry at[PIXMILL_RETRIES];
} PixmillRetries;

/* Records that a vCPU will make @store again, unless nothing of it is done. */
void pixmill_retries_note(PixmillRetries *retries, const PixmillStore *store);

/*
 * Continues @store, made by the current vCPU's instruction, where its record
 * left off, if there is one.
 */
void pixmill_retries_resume(PixmillRetries *retries, PixmillStore *store);

extern const VMStateDescription vmstate_pixmill_retry;
/* Validates a loaded state, which is not trusted. */
bool pixmill_retries_valid(const PixmillRetries *retries);

#endif
