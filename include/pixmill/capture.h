/*
 * Captures: recordings of all calls between a core and its host, for replay without the guest.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * docs/use/capture.md describes the file format. During a capture the core works on copies of the
 * guest pages that it maps. A page is copied when an entry point first maps it. Data that the core
 * writes goes to guest memory when the core calls dirty(). The capture therefore contains exactly
 * the data that the core read, even if the guest's CPUs write to the same pages meanwhile. Data,
 * registers and interrupts are the same as without a capture.
 *
 * Two things differ: guest time does not advance during an entry point, and draws run in steps of
 * about 1 MiB of work, with a check for interrupt() after each.
 *
 * Without a capture, the overhead is one test per entry point.
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
     * Thread: that of the running entry point; one call at a time.
     */
    bool (*write)(void *user, const void *bytes, size_t length);
} PixmillSink;

/*
 * Starts a capture of @core. The capture begins with the core's state. The core saves that state
 * and loads it again, so that it continues from the same point as a replay. Like load(), this may
 * call set_irq() and request_run(). If the capture fails later, because the host is out of memory
 * or write() returned false, the capture ends and the reason is logged as PIXMILL_LOG_HOST_ERROR;
 * the core continues.
 * @table: the class that created @core.
 * @sink: copied. @sink->user must stay valid until the capture is stopped.
 * Errors: ARGUMENT if a capture is in progress; MEMORY and STATE as for load().
 * Thread: serialized; not during draw().
 */
PixmillResult pixmill_capture_start(const PixmillCoreClass *table, PixmillCore *core,
                                    const PixmillSink *sink);

/*
 * Ends the capture. Records the core's state, which a replay compares with its own. Does nothing if
 * no capture is in progress. destroy() calls this function. The sink is not used afterwards.
 * Thread: serialized; not during draw().
 */
void pixmill_capture_stop(PixmillCore *core);

/*
 * Returns true if a capture is in progress and has not failed.
 * Thread: serialized.
 */
bool pixmill_capture_runs(const PixmillCore *core);

#ifdef __cplusplus
}
#endif

#endif
