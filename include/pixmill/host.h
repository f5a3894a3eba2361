/*
 * The services that a Pixmill device core needs from its environment.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A core is created with a PixmillHost. The core accesses guest memory, the interrupt lines, the
 * clock and the log only through its callbacks. The host is a QEMU device shell, a unit test, a
 * fuzzer or the replay tool.
 *
 * All callbacks must be set, except accessed() and job(). A callback must not call into the core
 * that called it.
 */
#ifndef PIXMILL_HOST_H
#define PIXMILL_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Incremented whenever a struct or function in include/pixmill changes. Checked by
 * tests/unit/api_test.py.
 */
#define PIXMILL_API_VERSION 18

typedef enum PixmillResult {
    PIXMILL_OK = 0,
    PIXMILL_ERROR_VERSION,  /* PixmillHost.api_version is not PIXMILL_API_VERSION */
    PIXMILL_ERROR_ARGUMENT, /* unknown model, null pointer or value out of range */
    PIXMILL_ERROR_MEMORY,   /* the host is out of memory */
    PIXMILL_ERROR_STATE,    /* the loaded state is invalid */
    PIXMILL_ERROR_BUS,      /* the access ends in a bus abort */
    PIXMILL_ERROR_BUSY,     /* the bus stalls: call run() and draw(), then repeat the write */
} PixmillResult;

typedef enum PixmillLog {
    PIXMILL_LOG_GUEST_ERROR,   /* the guest did something that the hardware does not allow */
    PIXMILL_LOG_UNIMPLEMENTED, /* the guest used something that is not modeled */
    PIXMILL_LOG_HOST_ERROR,    /* the host lacks a resource, such as memory */
} PixmillLog;

/* The next step for the caller of run(). */
typedef enum PixmillRunAction {
    PIXMILL_RUN_IDLE,  /* no work until request_run() */
    PIXMILL_RUN_AGAIN, /* budget used up: call run() again immediately */
    PIXMILL_RUN_WAIT,  /* call run() at guest time when_ns or after request_run() */
    PIXMILL_RUN_DRAW,  /* call draw(), then run() */
} PixmillRunAction;

typedef struct PixmillRun {
    PixmillRunAction action;
    int64_t when_ns; /* guest time for WAIT */
} PixmillRun;

/* Trace points, and the meaning of the arguments of trace(). */
typedef enum PixmillTrace {
    PIXMILL_TRACE_REG_READ,  /* a = offset, b = value; text = register name */
    PIXMILL_TRACE_REG_WRITE, /* a = offset, b = value; text = register name */
    PIXMILL_TRACE_COMMAND,   /* a = address, b = first word; text = opcode name */
    PIXMILL_TRACE_STATE,     /* a = state address, b = value; text = state name */
    PIXMILL_TRACE_DRAW,      /* a = pixels, b = rectangles; text = primitive */
    PIXMILL_TRACE_MMU_FAULT, /* a = address, b = fault code; text = client */
    PIXMILL_TRACE_BUS_ERROR, /* a = address, b = 1 for a write; text = client */
    PIXMILL_TRACE_EVENT,     /* a = event id, b = pending bits; text = source */
    PIXMILL_TRACE_IRQ,       /* a = level, b = pending bits; text = line name or "" */
    PIXMILL_TRACE_RESET,     /* a = 0, b = 0; text = kind of reset */
    PIXMILL_TRACE_FE_STATE,  /* a = address, b = 0; text = new run state */
    PIXMILL_TRACE_COUNT,
} PixmillTrace;

/* What a core accesses memory for. */
typedef enum PixmillTransfer {
    PIXMILL_TRANSFER_COMMANDS, /* reads of commands */
    PIXMILL_TRANSFER_READ,     /* reads of anything else, such as texels */
    PIXMILL_TRANSFER_WRITE,
    PIXMILL_TRANSFER_SCAN_OUT, /* reads of a picture, once a frame */
} PixmillTransfer;

/* What job() reports about a job, which is work that one register write has started. */
typedef enum PixmillJob {
    PIXMILL_JOB_STARTED, /* the write in progress has started it */
    PIXMILL_JOB_RUNS,    /* it makes the accesses that follow */
    PIXMILL_JOB_SEEN,    /* the read in progress shows that it and all before it are done */
} PixmillJob;

typedef struct PixmillHost {
    uint32_t api_version; /* PIXMILL_API_VERSION */
    void *user;           /* passed to every callback */

    /*
     * Maps guest-physical memory. Returns the host address of @addr, or NULL if @addr is not RAM.
     * The pointer is valid until the running entry point returns.
     * @addr: guest-physical address.
     * @len: receives the number of bytes from @addr that are contiguous in host memory or, if NULL
     *   is returned, known not to be RAM. At least 1.
     * @write: true if the core may write the bytes; the result is then NULL for read-only memory.
     * Thread: that of the running entry point.
     */
    void *(*map)(void *user, uint64_t addr, uint64_t *len, bool write);

    /*
     * Reports that the core has written to [@addr, @addr + @len) through pointers returned by
     * map(). If several parts of a page were written, one call may cover them and the bytes
     * between. Called after the data is stored and before the entry point returns.
     * @addr: guest-physical address.
     * @len: bytes.
     * Thread: that of the running entry point.
     */
    void (*dirty)(void *user, uint64_t addr, uint64_t len);

    /*
     * Sets interrupt output @line to @level. Called only on changes, and after all memory writes of
     * the work that the interrupt reports.
     * @line: an index into PixmillCoreClass.lines.
     * Thread: that of the running entry point; never inside draw().
     */
    void (*set_irq)(void *user, uint32_t line, bool level);

    /*
     * Returns guest time in nanoseconds. It never decreases.
     * Thread: that of the running entry point.
     */
    int64_t (*clock_ns)(void *user);

    /*
     * Reports that the core has work: call run() soon. Does not wait for it.
     * Thread: that of the running entry point; never inside draw().
     */
    void (*request_run)(void *user);

    /*
     * Logs one line. Called once per cause.
     * @text: has no newline; valid during the call.
     * Thread: that of the running entry point.
     */
    void (*log)(void *user, PixmillLog kind, const char *text);

    /*
     * Reports a trace point. Called only if the bit (1 << @event) of *trace_mask is set. If
     * trace_mask is NULL, there is no tracing.
     * @a, @b, @text: see PixmillTrace. @text has static lifetime.
     * Thread: that of the running entry point.
     */
    void (*trace)(void *user, PixmillTrace event, uint64_t a, uint64_t b, const char *text);
    const uint32_t *trace_mask;

    /*
     * Reports that the core has accessed [@addr, @addr + @len). Unlike dirty(), it names no byte
     * that has not been accessed, except between two pixels of a row that a draw writes. A core
     * that reads pixels in order to blend reports only that it writes them. Cores with an MMU
     * report nothing but commands. NULL if nobody watches; otherwise draws take several times as
     * long.
     * @addr: guest-physical address.
     * Thread: that of the running entry point.
     */
    void (*accessed)(void *user, PixmillTransfer transfer, uint64_t addr, uint64_t len);
    /*
     * Reports about a job of the core. Called only if accessed() is not NULL. Jobs that were
     * started before load() are unknown.
     * @number: of the job, from 1.
     * Thread: that of the running entry point; never inside draw().
     */
    void (*job)(void *user, PixmillJob what, uint32_t number);
} PixmillHost;

#ifdef __cplusplus
}
#endif

#endif
