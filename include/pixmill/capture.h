/*
 * Captures: what a core has seen and done through its host interface, to be replayed without it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/use/capture.md has the format.  While a capture is made the core works on copies of the
 * pages of guest memory that it maps.  A page is copied when it is first mapped in an entry point,
 * and what the core has changed in it is stored to guest memory when it says so with dirty().  So
 * what a draw reads is what the capture has, whatever the guest's processors write meanwhile, and
 * bytes, registers and interrupts are those that the core would have made without it.
 *
 * Also, guest time stands still during an entry point, and draws are done in steps of about
 * 1 MiB, between which they look whether they were interrupted.
 *
 * A core that is not captured pays one test in each entry point.
 */
#ifndef PIXMILL_CAPTURE_H
#define PIXMILL_CAPTURE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a capture goes. */
typedef struct PixmillSink {
    void *user;
    /*
     * False: nothing more can be written, and nothing more will be.  Called inside entry points of
     * the core, by their threads, one at a time.
     */
    bool (*write)(void *user, const void *bytes, size_t length);
} PixmillSink;

/*
 * Begins a capture of @core, which @table has made, with the core's state.  Serialised as save()
 * is.  The core's state is saved and loaded again: what it does next is what a replay does from
 * there.  So it may call set_irq() and request_run() as load() may.
 * Errors: ARGUMENT if there is a capture already; MEMORY, STATE: as load().
 * A capture that fails later (no memory, or write() says so) says it once, as
 * PIXMILL_LOG_HOST_ERROR, and ends; the core goes on.
 */
PixmillResult pixmill_capture_start(const PixmillCoreClass *table, PixmillCore *core,
                                    const PixmillSink *sink);

/*
 * Ends it, with the core's state, to be compared.  Serialised as save() is.  A no-op where there
 * is none; destroy() does so, too.  Afterwards @sink is no longer used.
 */
void pixmill_capture_stop(PixmillCore *core);

/* Whether there is one, and it has not failed. */
bool pixmill_capture_runs(const PixmillCore *core);

#ifdef __cplusplus
}
#endif

#endif
