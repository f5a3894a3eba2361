/*
 * Passes accesses of bus masters to a model that watches the machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The watcher runs on the vCPU's thread, between two translation blocks, and
 * never together with the vCPU's own accesses.  A master hands over its
 * accesses before it shows that they are done, so the watcher has seen them
 * when software can know of them.
 */
#ifndef HW_PIXMILL_WATCH_H
#define HW_PIXMILL_WATCH_H

#include "hw/pixmill/compat.h"
#include "subprojects/pixmill/include/pixmill/host.h"

typedef struct PixmillWatched {
    int master;
    PixmillTransfer transfer;
    uint32_t job;
    uint64_t addr;
    uint64_t len;
} PixmillWatched;

typedef struct PixmillWatcher {
    /* Returns the number of a new master, which is not negative. */
    int (*add_master)(void *opaque, const char *name);
    /* On the vCPU's thread, or any thread when the machine has ended. */
    void (*accessed)(void *opaque, const PixmillWatched *watched);
    /* The current vCPU's store has started job @job. */
    void (*submitted)(void *opaque, int master, uint32_t job);
    /* The current vCPU has learned that jobs up to @job are done. */
    void (*seen)(void *opaque, int master, uint32_t job);
    /* Returns the byte that masters find at @ram, in the RAM of the guest. */
    uint8_t *(*memory)(void *opaque, uint8_t *ram);
    void *opaque;
} PixmillWatcher;

/* Call once, before the masters are realized.  @watcher is never freed. */
void pixmill_watch_start(const PixmillWatcher *watcher);
bool pixmill_watch_on(void);

/* Returns -1 if nobody watches. */
int pixmill_watch_add_master(const char *name);
/* Notes an access, on any thread.  Merges it with the last if it adjoins. */
void pixmill_watch_note(int master, PixmillTransfer transfer, uint32_t job,
                        uint64_t addr, uint64_t len);
/*
 * Passes what has been noted to the watcher soon.  Does not wait for it, so a
 * device lock may be held.
 */
void pixmill_watch_flush(void);
/* Passes it to the watcher now, when no vCPU runs any more. */
void pixmill_watch_drain(void);
/* Returns the number of accesses that were too many to keep. */
uint64_t pixmill_watch_lost(void);

void pixmill_watch_submitted(int master, uint32_t job);
void pixmill_watch_seen(int master, uint32_t job);

/* Returns the byte that masters find at @ram, which may be NULL. */
void *pixmill_watch_memory(void *ram);

#endif
