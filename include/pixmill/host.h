/*
 * What a Pixmill device core may ask of the world it runs in.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A core is created with a PixmillHost and reaches guest memory, the interrupt
 * line, the clock and the log through it and through nothing else.  The host is
 * a QEMU device shell, a unit test, a fuzzer or a replay tool.
 *
 * Every callback must be set.  None may call back into the core that called it.
 */
#ifndef PIXMILL_HOST_H
#define PIXMILL_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a struct or a function of include/pixmill changes: tests/unit/api_test.py. */
#define PIXMILL_API_VERSION 13

typedef enum PixmillResult {
    PIXMILL_OK = 0,
    PIXMILL_ERROR_VERSION,  /* PixmillHost.api_version is not PIXMILL_API_VERSION */
    PIXMILL_ERROR_ARGUMENT, /* unknown model, null pointer, value out of range */
    PIXMILL_ERROR_MEMORY,   /* the host is out of memory */
    PIXMILL_ERROR_STATE,    /* a loaded state is not one that a core could be in */
    PIXMILL_ERROR_BUS,      /* the access ends in a bus abort */
    PIXMILL_ERROR_BUSY,     /* the bus stalls: the same write again after work was done */
} PixmillResult;

typedef enum PixmillLog {
    PIXMILL_LOG_GUEST_ERROR,   /* the guest did what the hardware does not allow */
    PIXMILL_LOG_UNIMPLEMENTED, /* the guest used what the model does not have */
    PIXMILL_LOG_HOST_ERROR,    /* the host lacks what the guest's work takes: memory */
} PixmillLog;

/* What the caller of a core's run function is to do next. */
typedef enum PixmillRunAction {
    PIXMILL_RUN_IDLE,  /* nothing to do until request_run() */
    PIXMILL_RUN_AGAIN, /* budget spent: call again at once */
    PIXMILL_RUN_WAIT,  /* call again at guest time when_ns, or after request_run() */
    PIXMILL_RUN_DRAW,  /* call the core's draw function, then run again */
} PixmillRunAction;

typedef struct PixmillRun {
    PixmillRunAction action;
    int64_t when_ns; /* WAIT only */
} PixmillRun;

/* Trace points; the words that go with each are named in PixmillTraceRecord. */
typedef enum PixmillTrace {
    PIXMILL_TRACE_REG_READ,  /* a = offset, b = value; text = register name */
    PIXMILL_TRACE_REG_WRITE, /* a = offset, b = value; text = register name */
    PIXMILL_TRACE_COMMAND,   /* a = address, b = first word; text = opcode name */
    PIXMILL_TRACE_STATE,     /* a = state address, b = value; text = state name */
    PIXMILL_TRACE_DRAW,      /* a = pixels, b = rectangles; text = primitive */
    PIXMILL_TRACE_MMU_FAULT, /* a = address, b = fault code; text = client */
    PIXMILL_TRACE_BUS_ERROR, /* a = address, b = 1 for a write; text = client */
    PIXMILL_TRACE_EVENT,     /* a = event id, b = pending bits; text = source */
    PIXMILL_TRACE_IRQ,       /* a = level, b = pending bits; text = name of the line, or "" if
                              * there is one only */
    PIXMILL_TRACE_RESET,     /* a = 0, b = 0; text = kind of reset */
    PIXMILL_TRACE_FE_STATE,  /* a = address, b = 0; text = new run state */
    PIXMILL_TRACE_COUNT,
} PixmillTrace;

typedef struct PixmillHost {
    uint32_t api_version; /* PIXMILL_API_VERSION */
    void *user;           /* handed to every callback */

    /*
     * Host address of guest-physical @addr.  Returns how many bytes from @addr
     * on are contiguous in host memory in @*len (at least 1; the whole region
     * if the host likes), or NULL if @addr is not RAM; then @*len is the number
     * of bytes known not to be RAM (at least 1).  @write: the bytes may be
     * written (read-only memory returns NULL).
     * The pointer is good until the entry point that is running returns.
     * Thread: that of the running entry point.
     */
    void *(*map)(void *user, uint64_t addr, uint64_t *len, bool write);

    /*
     * [@addr, @addr + @len) of guest-physical memory has been written through
     * pointers of map(), or, where many pieces of a page have, all from the first
     * to the last.  Called after the data is there and before the entry
     * point returns.  Thread: that of the running entry point.
     */
    void (*dirty)(void *user, uint64_t addr, uint64_t len);

    /*
     * Interrupt output @line is now @level; a core with one output calls it 0,
     * the others name theirs.  Called on changes only, after all memory writes
     * of the work that it reports.
     * Thread: that of the running entry point, never inside *_draw().
     */
    void (*set_irq)(void *user, uint32_t line, bool level);

    /* Guest time in nanoseconds; never goes back. */
    int64_t (*clock_ns)(void *user);

    /*
     * The core has work: call its run function soon.  May be called inside any
     * entry point but *_draw(); does not wait for the run.
     */
    void (*request_run)(void *user);

    /* One line of text for the log, no newline.  Called once per cause. */
    void (*log)(void *user, PixmillLog kind, const char *text);

    /*
     * A trace point.  @text lives forever.  Called only for events whose bit
     * (1 << event) is set in *trace_mask; trace_mask may be NULL: no tracing.
     */
    void (*trace)(void *user, PixmillTrace event, uint64_t a, uint64_t b, const char *text);
    const uint32_t *trace_mask;
} PixmillHost;

#ifdef __cplusplus
}
#endif

#endif
