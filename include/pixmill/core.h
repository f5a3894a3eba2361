/*
 * The interface of a Pixmill device core: a table of functions and names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each family of cores has one PixmillCoreClass. The family's header declares it, together with the
 * functions and types that only this family has. Device shells, tests, fuzzers and tools use cores
 * through the table.
 *
 * Function comments say, in this order: what the function does and returns; its arguments, with
 * units, ranges and ownership; "Errors"; "Thread"; "Source". Unless a comment says otherwise,
 * pointers must not be NULL, the caller keeps ownership of its arguments, and the function cannot
 * fail. No function throws. Bad input from the guest is not an error unless the function says so.
 *
 * Threads. "Serialised" functions of a core must not run at the same time: the caller holds a lock.
 * draw() is the exception, so that register accesses need not wait for pixels. A worker thread runs
 * a core like this:
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
    PIXMILL_MAX_LINES = 8, /* output lines of a core */
};

/*
 * The maximum work of draw() between two checks for interrupt(), in bytes that could be copied in
 * the same time: 1 ms on a processor that copies 10 GB/s. interrupt() promises 5 ms, which leaves
 * room for slower processors. Each core estimates the cost of its work; scripts/bench --latency
 * compares the estimate with the clock.
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

/* @count elements of type @type, @offset bytes into a struct. */
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
 * A function that a family offers in addition to this table and that changes the core. make() takes
 * its arguments from @words and replaces them with its results. The family's header documents the
 * function.
 */
typedef struct PixmillCall {
    const char *name;
    void (*make)(PixmillCore *core, uint64_t words[PIXMILL_CALL_WORDS]);
    bool kept; /* its effect is not part of the state: call it again after load() */
} PixmillCall;

/* Lists of names, calls and fields end with an entry whose name is NULL. */
typedef struct PixmillCoreClass {
    const char *name;         /* the family's name: "vivante", "geode-gp" */
    uint32_t window;          /* size of the register window in bytes */
    uint32_t bus_bytes;       /* largest access, 4 or 8; the caller splits larger ones */
    const char *const *lines; /* names of the outputs, indexed by line number */

    /* ---- Lifetime ---- */

    /*
     * Creates a core in its power-on state.
     * @config: the family's configuration struct; copied. NULL means all zero.
     * @host: copied. @host->user must outlive the core.
     * @out: receives the core. The caller owns it.
     * Errors: VERSION, ARGUMENT, MEMORY.
     * Thread: serialised.
     */
    PixmillResult (*create)(const void *config, const PixmillHost *host, PixmillCore **out);

    /*
     * Frees a core and ends its capture.
     * @core: may be NULL.
     * Thread: serialised; not during draw().
     */
    void (*destroy)(PixmillCore *core);
    size_t config_size;
    const PixmillField *config_fields; /* of @config, except function pointers */

    /*
     * Performs a power-on reset: lowers the lines and drops a draw in flight.
     * Thread: serialised; not during draw().
     */
    void (*reset)(PixmillCore *core);

    /* ---- Registers ---- */

    /*
     * Access a register as the guest does.
     * @offset: byte offset in the window.
     * @size: bytes. The family's header says which sizes are allowed.
     * @value: the value to write, or receives the value read (0 on error).
     * Errors:
     *   ARGUMENT  the window has no such access;
     *   BUS       the hardware aborts the access; a write is dropped;
     *   BUSY      write() only: the bus stalls, and nothing has been done. Serve run() and draw(),
     *             then repeat the write. If it is still BUSY after run() has returned IDLE, the bus
     *             stalls forever.
     * Thread: serialised.
     */
    PixmillResult (*read)(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t *value);
    PixmillResult (*write)(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t value);

    /*
     * Returns true while the bus holds the last write: the write has taken effect, but the CPU that
     * made it must not continue yet. Meanwhile, serve run() and draw(). Other writes return BUSY,
     * except those that end the hold. NULL in families whose writes complete at once.
     * Thread: serialised.
     */
    bool (*holding)(const PixmillCore *core);

    /*
     * Returns what read() of @offset would return at this moment. Has no side effects.
     * Thread: serialised.
     */
    uint32_t (*peek)(const PixmillCore *core, uint32_t offset);

    /*
     * Describes a register of this core's model. Returns false if @index is past the last one.
     * @index: position in order of rising offsets.
     * @out: receives the description. Its strings are static.
     * Thread: serialised.
     */
    bool (*register_at)(const PixmillCore *core, size_t index, PixmillRegister *out);

    /* ---- Work ---- */

    /*
     * Executes the command stream until it stops, waits or starts a draw, and updates the lines.
     * Returns what to do next.
     * @budget_words: approximate limit in 32-bit words of the stream. Commands are never split.
     * Thread: serialised; not during draw().
     */
    PixmillRun (*run)(PixmillCore *core, uint32_t budget_words);

    /*
     * Renders what run() or a write has prepared; does nothing if nothing is prepared. Returns when
     * it is done, when the budget is used up, or after interrupt(), possibly in the middle of a row
     * or line. Only the next run() tells whether the draw is complete. In families that draw
     * nothing, draw(), interrupt() and draining() are NULL.
     * @budget_bytes: approximate limit, as the number of bytes that could be copied in the same
     *   time.
     * Thread: any, but not at the same time as draw(), run(), save(), load(), reset() or destroy()
     * of the same core.
     */
    void (*draw)(PixmillCore *core, uint64_t budget_bytes);

    /*
     * Makes a running draw() return within 5 ms of its thread's CPU time, usually much sooner,
     * whatever the guest draws. The work between two checks is at most PIXMILL_MOST_DRAW_STEP;
     * counters_draw_step has the longest step so far.
     * Thread: any, at any time.
     */
    void (*interrupt)(PixmillCore *core);

    /*
     * Returns true from the time a write cancels a draw in flight until the next run(). The caller
     * must wait for that draw() to return before the guest continues: it may still write to memory
     * that the guest has taken back.
     * Thread: any, at any time.
     */
    bool (*draining)(const PixmillCore *core);

    /* ---- Family functions ---- */

    /*
     * Calls a function of @calls. Used by replays.
     * @number: an index into @calls.
     * @words: the arguments; receives the results.
     * Thread: serialised, unless the function's own comment says otherwise.
     */
    void (*call)(PixmillCore *core, uint32_t number, uint64_t words[PIXMILL_CALL_WORDS]);
    const PixmillCall *calls;

    /* ---- Introspection, fault injection ---- */

    /*
     * Copies the counters to *@out, the family's struct of uint64_t.
     * Thread: serialised.
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
     * Injects a fault, once. The family's header says if it happens at once or at the next
     * opportunity. Unknown faults are ignored.
     * @fault: an index into @faults.
     * Thread: serialised.
     */
    void (*inject)(PixmillCore *core, uint32_t fault);
    const char *const *faults;

    /* ---- Migration ---- */

    /*
     * Copies the complete state, with everything that draw() has done so far, to *@out, the
     * family's state struct. Does not call set_irq(): an interrupt that the last draw() raised
     * reaches its line in the next run(), of this core or of the one that loads the state.
     * Thread: serialised; not during draw().
     */
    void (*save)(PixmillCore *core, void *out);

    /*
     * Replaces the state with *@in, which is not trusted. The receivers of the lines restore their
     * levels themselves, so set_irq() is called, now or by run(), only for lines that must change.
     * Calls request_run() if there is work.
     * Errors: STATE, MEMORY. The core is then in its power-on state.
     * Thread: serialised; not during draw().
     */
    PixmillResult (*load)(PixmillCore *core, const void *in);
    size_t state_size;
    const PixmillField *state_fields; /* all members, in order */
    /*
     * Offset in the state of the levels last passed to set_irq(): a PIXMILL_U32 with a bit per
     * line.
     */
    size_t state_levels;
    int state_version; /* incremented whenever state_fields changes */
} PixmillCoreClass;

#ifdef __cplusplus
}
#endif

#endif
