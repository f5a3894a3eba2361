/*
 * Captures: record what a core does through its host interface, to replay it without the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/use/capture.md describes the file format. During a capture the core works on copies of the
 * guest pages that it maps. A page is copied when an entry point first maps it. Data that the core
 * writes goes to guest memory when the core calls dirty(). The capture therefore contains exactly
 * what the core read, whatever the guest's CPUs write meanwhile. Data, registers and interrupts are
 * the same as without a capture.
 *
 * Two things differ: guest time stands still during an entry point, and draws run in steps of about
 * 1 MiB of work, with a check for interrupt() after each.
 *
 * A core that is not captured pays for one test per entry point.
 */
#ifndef PIXMILL_CAPTURE_H
#define PIXMILL_CAPTURE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Destination of a capture. */
typedef struct PixmillSink {
    void *user;
    /*
     * Writes @length bytes of the capture. On failure, returns false and is not called again.
     * Thread: the running entry point's; one call at a time.
     */
    bool (*write)(void *user, const void *bytes, size_t length);
} PixmillSink;

/*
 * Starts a capture of @core. It begins with the core's state, which is saved and loaded again, so
 * that the core continues as a replay will. set_irq() and request_run() may be called, as by
 * load(). If the capture fails later (out of memory, or write() returned false) it logs that as
 * PIXMILL_LOG_HOST_ERROR and ends; the core continues.
 * @table: the table that created @core.
 * @sink: copied. @sink->user must stay valid until the capture is stopped.
 * Errors: ARGUMENT if a capture is in progress; MEMORY and STATE as for load().
 * Thread: serialised; not during draw().
 */
PixmillResult pixmill_capture_start(const PixmillCoreClass *table, PixmillCore *core,
                                    const PixmillSink *sink);

/*
 * Ends the capture, with the core's state for a replay to compare. Does nothing if there is none.
 * destroy() calls this. The sink is not used afterwards.
 * Thread: serialised; not during draw().
 */
void pixmill_capture_stop(PixmillCore *core);

/*
 * Returns true if a capture is in progress and has not failed.
 * Thread: serialised.
 */
bool pixmill_capture_runs(const PixmillCore *core);

#ifdef __cplusplus
}
#endif

#endif
