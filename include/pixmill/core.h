/*
 * What every Pixmill device core offers, as one table of functions and of names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each core has one such table, which the header of its family declares together with what this
 * family alone offers.  Shells, tests, fuzzers and tools are written against the table.
 *
 * Threads.  A core's caller serialises all functions, with two exceptions that let a register
 * access overtake pixels:
 *   - draw() may run while any other function but run(), save(), load(), reset() and destroy()
 *     runs;
 *   - interrupt() and draining() may be called at any time by any thread.
 * One caller works a core like this:
 *
 *     lock;
 *     while ((r = table->run(core, budget)).action != IDLE...) {
 *         if (r.action == PIXMILL_RUN_DRAW) {
 *             unlock; table->draw(core, budget); lock;
 *         }
 *     }
 *     unlock;
 *
 * Nothing throws.  Bad input from the guest is not an error of a call unless the call says so.
 * Which functions of a family allocate memory, and what the guest sees where there is none, its
 * header says.
 */
#ifndef PIXMILL_CORE_H
#define PIXMILL_CORE_H

#include <stddef.h>

#include "host.h"
#include "register.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A core of any family; only the family that has made it knows what is inside. */
typedef struct PixmillCore PixmillCore;

enum {
    PIXMILL_MAX_LINES = 8, /* outputs of a core */
};

/*
 * Most work that draw() does between two looks at interrupt(), in bytes that are copied in the same
 * time: 1 ms on a processor that copies 10 GB/s.  The promise of interrupt(), 5 ms, rests on it and
 * leaves room for a slower one.  What things cost is a model of each core's: scripts/bench
 * --latency holds it against the clock.
 */
#define PIXMILL_MOST_DRAW_STEP 10000000u

typedef enum PixmillFieldType {
    PIXMILL_U32,
    PIXMILL_U64,
    PIXMILL_I64,
    /* Of configurations only. */
    PIXMILL_BOOL,
    PIXMILL_TEXT, /* const char *, which may be NULL */
} PixmillFieldType;

/* @count elements of @type, @offset bytes into a struct. */
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
 * A function that a family offers beside this table and that changes the core, as a number and
 * words: its arguments, in whose place its results are put.  The family's header has the function.
 */
typedef struct PixmillCall {
    const char *name;
    void (*make)(PixmillCore *core, uint64_t words[PIXMILL_CALL_WORDS]);
    bool kept; /* what it sets is no part of the state: it is called again after load() */
} PixmillCall;

/* Lists of names, of calls and of fields end with one whose name is NULL. */
typedef struct PixmillCoreClass {
    const char *name;         /* the family's: "vivante", "geode-gp" */
    uint32_t window;          /* bytes of registers */
    uint32_t bus_bytes;       /* of the largest access, 4 or 8; a caller splits larger ones */
    const char *const *lines; /* outputs, by number of PixmillHost.set_irq() */

    /* ---- Life ---- */

    /*
     * Makes a core in its power-on state.  Copies @config, the family's own struct (NULL: all
     * zero), and @host; @host->user must outlive the core.  On success *@out is owned by the
     * caller.  Errors: VERSION, ARGUMENT, MEMORY.
     */
    PixmillResult (*create)(const void *config, const PixmillHost *host, PixmillCore **out);
    void (*destroy)(PixmillCore *core); /* NULL is allowed */
    size_t config_size;
    const PixmillField *config_fields; /* of @config, but for pointers to functions */

    /* Power-on reset.  Lowers the lines; drops any draw in flight. */
    void (*reset)(PixmillCore *core);

    /* ---- Registers ---- */

    /*
     * Guest access of @size bytes to byte @offset of the window.  What sizes there are, and what
     * others do, the family says.  Errors:
     *   ARGUMENT  the window has no such access;
     *   BUS       the hardware aborts; *@value is then 0, a write is dropped;
     *   BUSY      of write() only: the bus stalls, and nothing has been done.  The caller does what
     *             run() and draw() ask for, and makes the same write again; if that is BUSY after
     *             run() has said IDLE, the bus stalls forever.
     */
    PixmillResult (*read)(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t *value);
    PixmillResult (*write)(PixmillCore *core, uint32_t offset, uint32_t size, uint32_t value);

    /*
     * True while the bus holds the last write: it has been made, but whoever has made it is to go
     * on only after this.  The caller does what run() and draw() ask for meanwhile.  Other writes
     * are BUSY, but for those that end it.  NULL in a family whose writes are over at once.
     */
    bool (*holding)(const PixmillCore *core);

    /* What read() of @offset gives where no guest time has gone by; without any side effect. */
    uint32_t (*peek)(const PixmillCore *core, uint32_t offset);

    /* Register @index of this core's model in rising offset; false past the last. */
    bool (*register_at)(const PixmillCore *core, size_t index, PixmillRegister *out);

    /* ---- Work ---- */

    /*
     * Executes commands until the stream stops, waits or draws, or about @budget_words words of
     * it are consumed (a command is never split), and raises what is due.
     */
    PixmillRun (*run)(PixmillCore *core, uint32_t budget_words);

    /*
     * Renders what run(), or a write, has prepared.  Returns when it is done, after about as
     * much work as it takes to copy @budget_bytes, or after interrupt(), also in the middle of
     * a row or of a line.  Only run() tells whether it is done.  A no-op where nothing is
     * prepared.  NULL, and the next two with it, in a family that draws nothing.
     */
    void (*draw)(PixmillCore *core, uint64_t budget_bytes);

    /*
     * Makes a running draw() return within 5 ms of its thread's processor time, whatever the
     * guest draws; mostly within a fraction of one.  No step between two looks is more work than
     * PIXMILL_MOST_DRAW_STEP; the longest is counted (counters_draw_step).
     */
    void (*interrupt)(PixmillCore *core);

    /*
     * True from the moment a write has cancelled a draw that is in flight until run() has been
     * called again.  The caller must let that draw() return before the guest goes on: it may
     * still write memory that the guest has taken back.  Any thread.
     */
    bool (*draining)(const PixmillCore *core);

    /* ---- What the family alone offers ---- */

    /* Makes @calls[@number]; whoever replays a capture has no other way. */
    void (*call)(PixmillCore *core, uint32_t number, uint64_t words[PIXMILL_CALL_WORDS]);
    const PixmillCall *calls;

    /* ---- Introspection, fault injection ---- */

    /* Copies the counters, the family's own struct of uint64_t, to *@out. */
    void (*counters)(const PixmillCore *core, void *out);
    size_t counters_size;
    const PixmillField *counter_fields; /* those for users */
    /*
     * Where in them the most work is that any draw() of this core has done between two looks at
     * interrupt(), in bytes copied meanwhile.  0 in a family that draws nothing.
     */
    size_t counters_draw_step;

    /* Arms a fault once: an index of @faults. */
    void (*inject)(PixmillCore *core, uint32_t fault);
    const char *const *faults;

    /* ---- Migration ---- */

    /*
     * Copies all that the core remembers, with all that draw() has done so far, to *@out, the
     * family's own struct.  No draw() may be running.  Does not call set_irq(): what the last
     * draw() has raised reaches its line with the next run(), here or where the state is loaded.
     */
    void (*save)(PixmillCore *core, void *out);

    /*
     * Replaces the core's state by *@in, which is not trusted.  The receivers of the lines have
     * saved the levels that they had: set_irq() is called, now or by run(), where these are to
     * change.  Calls request_run() when there is work.  Errors: STATE, MEMORY; the core is then
     * in its power-on state.
     */
    PixmillResult (*load)(PixmillCore *core, const void *in);
    size_t state_size;
    const PixmillField *state_fields; /* all of them, in their order */
    /* Where in it, as PIXMILL_U32, the levels are that set_irq() was last told, a bit a line. */
    size_t state_levels;
    int state_version; /* raised whenever state_fields changes */
} PixmillCoreClass;

#ifdef __cplusplus
}
#endif

#endif
