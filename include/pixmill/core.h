/*
 * The interface of a Pixmill device core: a table of functions and names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each family of cores has one PixmillCoreClass. The family's header declares it, together with the
 * functions and types that only this family has. Device shells, tests, fuzzers and tools use cores
 * through the table.
 *
 * Function comments describe, in this order: what the function does and returns; its arguments,
 * with units, ranges and ownership; "Errors"; "Thread"; "Source". Unless a comment says otherwise,
 * pointers must not be NULL, the caller keeps ownership of its arguments, and the function cannot
 * fail. No function throws. Bad input from the guest is not an error unless the function says so.
 *
 * Threads. "Serialized" functions must not run concurrently on the same core: the caller holds a
 * lock. draw() runs without the lock, so that register accesses need not wait for rendering. A
 * worker thread runs a core like this:
 *
 *       lock();
 *       for (;;) {
 *           PixmillRun r = table->run(core, words);
 *           if (r.action == PIXMILL_RUN_DRAW) {
 *               unlock(); table->draw(core, bytes); lock();
 *           } else if (r.action != PIXMILL_RUN_AGAIN) {
 *               break;
 *           }
 *       }
 *       unlock();
 *
 * The family's header says which functions allocate memory, and what the guest sees if an
 * allocation fails.
 */
#ifndef PIXMILL_CORE_H
#define PIXMILL_CORE_H

#include <stddef.h>

#include "host.h"
#include "register.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A core of any family. Its contents are private to the family. */
typedef struct PixmillCore PixmillCore;

enum {
    PIXMILL_MAX_LINES = 8, /* maximum number of output lines of a core */
};

/*
 * Maximum work of draw() between two checks for interrupt(), measured as the number of bytes that
 * could be copied in the same time: 1 ms on a processor that copies 10 GB/s. interrupt() promises 5
 * ms, which leaves room for slower processors. Each core estimates the cost of its work;
 * scripts/bench --latency compares the estimate with the clock.
 */
#define PIXMILL_MOST_DRAW_STEP 10000000u

typedef enum PixmillFieldType {
    PIXMILL_U32,
    PIXMILL_U64,
    PIXMILL_I64,
    /* The types below occur in configurations only. */
    PIXMILL_BOOL,
    PIXMILL_TEXT, /* const char *, may be NULL */
} PixmillFieldType;

/* Describes a struct member: @count elements of type @type, at byte @offset of the struct. */
typedef struct PixmillField {
    const char *name;
    PixmillFieldType type;
    uint32_t count;
    size_t offset;
} PixmillField;

enum {
    PIXMILL_CALL_WORDS = 5,
};

/*
 * A function of one family that changes the core and is not a member of PixmillCoreClass. make()
 * calls it with the arguments in @words, then stores the results there. The family's header
 * documents the function.
 */
typedef struct PixmillCall {
    const char *name;
    void (*make)(PixmillCore *core, uint64_t words[PIXMILL_CALL_WORDS]);
    bool kept; /* the effect is not part of the state: call again after load() */
} PixmillCall;

enum {
    PIXMILL_CHANCE_ALWAYS = 10000, /* PixmillInjection.chance: at each opportunity */
};

/* How a fault can be injected with PixmillCoreClass.arm(). */
typedef struct PixmillFaultKind {
    /*
     * What its opportunities are counted in, separated by spaces: for example "command draw". The
     * first one is the default. "" if the fault has no opportunities, because it lasts.
     */
    const char *units;
    bool lasts;        /* from its first opportunity on */
    int64_t length_ns; /* default of PixmillInjection.length_ns; 0: the fault has no length */
} PixmillFaultKind;

/* When an injected fault occurs. */
typedef struct PixmillInjection {
    uint32_t fault;    /* an index into @faults */
    uint32_t unit;     /* an index into the units of its PixmillFaultKind */
    uint64_t first;    /* the number of the first opportunity that counts, from 1; 0: never */
    uint32_t chance;   /* 0: once; otherwise the chance of each opportunity, in 1/10000 */
    uint64_t seed;     /* of the random numbers for @chance */
    int64_t after_ns;  /* opportunities are counted after this many guest nanoseconds */
    int64_t length_ns; /* how long the fault lasts, if its kind has a length */
} PixmillInjection;

enum {
    PIXMILL_LONGEST_FAULT_S = 60,    /* most length_ns, in seconds */
    PIXMILL_LONGEST_DELAY_S = 86400, /* most after_ns, in seconds */
};

/*
 * Functions and tables of a family. Lists of names end with NULL; lists of calls and fields end
 * with an entry whose name is NULL.
 */
typedef struct PixmillCoreClass {
    const char *name;         /* the family's name, for example "vivante" */
    uint32_t window;          /* size of the register window in bytes */
    uint32_t bus_bytes;       /* largest access, 4 or 8; callers split larger ones */
    const char *const *lines; /* names of the outputs, indexed by line number */

    /* ---- Lifetime ---- */

    /*
     * Creates a core in its power-on state.
     * @config: the family's configuration struct; copied. NULL means all zero.
     * @host: copied. @host->user must outlive the core.
     * @out: receives the core. The caller owns it.
     * Errors: VERSION, ARGUMENT, MEMORY.
     * Thread: serialized.
     */
    PixmillResult (*create)(const void *config, const PixmillHost *host, PixmillCore **out);

    /*
     * Ends the capture, if any, and frees the core.
     * @core: may be NULL.
     * Thread: serialized; not during draw().
     */
    void (*destroy)(PixmillCore *core);
    size_t config_size;
    const PixmillField *config_fields; /* members of @config, except function pointers */

    /*
     * Performs a power-on reset: lowers the lines and drops a draw in flight.
     * Thread: serialized; not during draw().
     */
    void (*reset)(PixmillCore *core);

    /* ---- Registers ---- */

    /*
     * Read or write a register as the guest would.
     * @offset: byte offset in the window.
     * @size: bytes. The family's header says which sizes are allowed.
     * @value: the value to write, or receives the value read (0 on error).
     * Errors:
     *   ARGUMENT  the window does not support such an access;
     *   BUS       the hardware aborts the access; a write is dropped;
     *   BUSY      write() only: the bus stalls, and the write has had no effect. Call run() and
     *             draw(), then repeat the write. If it still returns BUSY after run() has returned
     *             IDLE, the bus stalls forever.
     * Thread: serialized.
     */
    PixmillResult (*read)(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t *value);
    PixmillResult (*write)(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t value);

    /*
     * Returns true while the bus holds the last write: the write has taken effect, but the CPU that
     * made it must not continue yet. Meanwhile, call run() and draw(). Other writes return BUSY,
     * except those that end the hold. NULL in families whose writes complete immediately.
     * Thread: serialized.
     */
    bool (*holding)(const PixmillCore *core);

    /*
     * Returns the value that read() of @offset would return now, without side effects.
     * Thread: serialized.
     */
    uint32_t (*peek)(const PixmillCore *core, uint32_t offset);

    /*
     * Describes a register of this core's model. Returns false if @index is past the last one.
     * @index: position in the list of registers, which is sorted by offset.
     * @out: receives the description. Its strings are static.
     * Thread: serialized.
     */
    bool (*register_at)(const PixmillCore *core, size_t index, PixmillRegister *out);

    /* ---- Work ---- */

    /*
     * Executes the command stream until it stops, waits or starts a draw, and updates the lines.
     * Returns the next step for the caller.
     * @budget_words: approximate limit, in 32-bit words of the stream. Commands are never split.
     * Thread: serialized; not during draw().
     */
    PixmillRun (*run)(PixmillCore *core, uint32_t budget_words);

    /*
     * Renders the draw that run() or a write has prepared, if any. Returns when the draw is done,
     * when the budget is used up, or after interrupt(), possibly in the middle of a row or line.
     * Only the next run() reports whether the draw is complete. In families that draw nothing,
     * draw(), interrupt(), draining() and work_ns() are
     * NULL.
     * @budget_bytes: approximate limit, as the number of bytes that could be copied in the same
     *   time.
     * Thread: any, but not concurrently with draw(), run(), save(), load(), reset() or destroy() of
     * the same core.
     */
    void (*draw)(PixmillCore *core, uint64_t budget_bytes);

    /*
     * Makes a running draw() return within 5 ms of its thread's CPU time, usually much sooner,
     * regardless of the draw. The work between two checks is at most PIXMILL_MOST_DRAW_STEP; the
     * counter at counters_draw_step is the longest step so far.
     * Thread: any, at any time.
     */
    void (*interrupt)(PixmillCore *core);

    /*
     * Returns true from the time a write cancels a draw in flight until the next run(). The caller
     * must wait for draw() to return before the guest continues: until then, draw() may still write
     * to memory that the guest has reclaimed.
     * Thread: any, at any time.
     */
    bool (*draining)(const PixmillCore *core);

    /*
     * Returns the guest time, in nanoseconds, that hardware would need for all work since create():
     * that of run(), and that of draw() even if no run() has reported it yet. Forgets work of a
     * draw that a reset or a write has cancelled. Depends only on the work: neither on budgets,
     * interrupt() and render threads nor on the processor. docs/develop/timing.md has the model.
     * NULL in families that draw nothing. Thread: serialized; not during draw().
     */
    uint64_t (*work_ns)(const PixmillCore *core);

    /* ---- Family functions ---- */

    /*
     * Calls the function @calls[@number]. Replays use this.
     * @number: an index into @calls.
     * @words: holds the arguments, and receives the results.
     * Thread: serialized, unless the function's own comment says otherwise.
     */
    void (*call)(PixmillCore *core, uint32_t number, uint64_t words[PIXMILL_CALL_WORDS]);
    const PixmillCall *calls;

    /* ---- Introspection, fault injection ---- */

    /*
     * Copies the counters to *@out, the family's counters struct. Its members are all uint64_t.
     * Thread: serialized.
     */
    void (*counters)(const PixmillCore *core, void *out);
    size_t counters_size;
    const PixmillField *counter_fields; /* the counters shown to users */
    /*
     * Offset in the counters of the longest step of draw() between two checks for interrupt(), in
     * bytes that could be copied in the same time. 0 in families that draw nothing.
     */
    size_t counters_draw_step;

    /*
     * Injects a fault once. The family's header says whether the fault occurs immediately or at the
     * next opportunity. Unknown faults are ignored.
     * @fault: an index into @faults.
     * Thread: serialized.
     */
    void (*inject)(PixmillCore *core, uint32_t fault);
    const char *const *faults;

    /*
     * Injects a fault as @how describes. Replaces an earlier injection of the same fault that is
     * not over. Resets do not change when the fault occurs. NULL in families whose faults can only
     * be injected once. Errors: ARGUMENT for a value out of range, or a fault that this core's
     * model cannot have. Thread: serialized.
     */
    PixmillResult (*arm)(PixmillCore *core, const PixmillInjection *how);
    const PixmillFaultKind *fault_kinds; /* one per name in @faults, or NULL without arm() */

    /* ---- Migration ---- */

    /*
     * Copies the complete state, including the progress of draw(), to *@out, the family's state
     * struct. Does not call set_irq(): if the last draw() raised an interrupt, the line changes in
     * the next run() of this core, or of the core that loads the state.
     * Thread: serialized; not during draw().
     */
    void (*save)(PixmillCore *core, void *out);

    /*
     * Replaces the state with *@in, which is not trusted. The receivers of the lines restore the
     * levels themselves, so load() and the next run() call set_irq() only for lines whose level
     * must change. Calls request_run() if there is work.
     * Errors: STATE, MEMORY. On error, the core is in its power-on state.
     * Thread: serialized; not during draw().
     */
    PixmillResult (*load)(PixmillCore *core, const void *in);
    size_t state_size;
    const PixmillField *state_fields; /* all members, in order */
    /*
     * Offset in the state of the levels last passed to set_irq(): a PIXMILL_U32 with one bit per
     * line.
     */
    size_t state_levels;
    int state_version; /* incremented whenever state_fields or the meaning of a field changes */
} PixmillCoreClass;

#ifdef __cplusplus
}
#endif

#endif
