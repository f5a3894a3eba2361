/*
 * A device core in QEMU, whichever it is: what all devices around a
 * PixmillCoreClass have in common.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A part of a device, not a base class, so that a device can be on any bus.
 * The device embeds a PixmillShell and
 *   - maps its region mmio, and connects irq[], which go by the core's lines,
 *   - lists DEFINE_PIXMILL_SHELL_PROPERTIES,
 *   - has the interface TYPE_PIXMILL_SHELL_DEVICE,
 *   - calls the functions below from those of its own that are named likewise.
 * So it has
 *   worker        "thread" or "inline": where work is done; "engine" is its old
 *                 name
 *   dma           what the core's addresses lead to; the system's memory if
 *                 not set
 *   x-inject      arms a fault of PixmillCoreClass.faults
 *   x-capture     a file that gets a capture of the core, at any time
 *   stat-NAME     a counter each
 * and migrates.  All functions are called under the BQL.
 */
#ifndef HW_PIXMILL_SHELL_H
#define HW_PIXMILL_SHELL_H

#include "qemu/notify.h"
#include "hw/pixmill/compat.h"
#include "bus-stall.h"
#include "retries.h"
#include "subprojects/pixmill/include/pixmill/core.h"

typedef struct PixmillShellCapture {
    char *file; /* as x-capture has it */
    bool runs;
    int fd;
    Notifier exit;
} PixmillShellCapture;

typedef struct PixmillShell {
    const PixmillCoreClass *core_class;
    PixmillCore *core; /* NULL unless realized */
    const char *type;  /* the device's, in messages */
    const char *name;  /* the core's, in traces */

    MemoryRegion mmio;
    qemu_irq irq[PIXMILL_MAX_LINES];

    PixmillWorker worker;
    PixmillRetries retries;
    bool refusal_logged; /* the first of another device's, since a reset */
    AddressSpace *as;
    uint32_t trace_mask;
    /* While migrating; of a stream, which is not trusted. */
    void *snapshot; /* the core's state */
    PixmillRetries loading;

    char *worker_kind;
    bool force_thread;
    PixmillShellCapture capture;
    MemoryRegion *dma;

    /*
     * Between enter() and leave(), when the core has loaded its state: for what
     * is no part of that.  May be NULL.
     */
    void (*loaded)(struct PixmillShell *shell);
} PixmillShell;

/* Without "dma", for a device that sets PixmillShell.dma itself. */
#define DEFINE_PIXMILL_WORKER_PROPERTIES(_state, _shell)                    \
    DEFINE_PROP_STRING("worker", _state, _shell.worker_kind),               \
    DEFINE_PROP_BOOL("x-force-thread", _state, _shell.force_thread, false)

#define DEFINE_PIXMILL_SHELL_PROPERTIES(_state, _shell)                     \
    DEFINE_PIXMILL_WORKER_PROPERTIES(_state, _shell),                       \
    DEFINE_PROP_LINK("dma", _state, _shell.dma, TYPE_MEMORY_REGION,         \
                     MemoryRegion *)

/* Finds the shell of a device. */
#define TYPE_PIXMILL_SHELL_DEVICE "pixmill-shell-device"
typedef struct PixmillShellDeviceClass {
    InterfaceClass parent_class;
    size_t shell; /* bytes into the device's struct */
} PixmillShellDeviceClass;
DECLARE_CLASS_CHECKERS(PixmillShellDeviceClass, PIXMILL_SHELL_DEVICE,
                       TYPE_PIXMILL_SHELL_DEVICE)

/* instance_init.  @ops has pixmill_shell_read() and _write(). */
void pixmill_shell_init(PixmillShell *shell, Object *owner,
                        const PixmillCoreClass *core_class,
                        const MemoryRegionOps *ops);

/* For @ops: accesses of 4 bytes, little-endian; any other is a bus error. */
extern const MemoryRegionOps pixmill_shell_word_ops;

/* Then, on the system bus: MMIO 0, and an IRQ for each line of the core. */
void pixmill_shell_init_sysbus(PixmillShell *shell, SysBusDevice *sbd);

/* Whether there will be a worker: for a realize() that must know before. */
bool pixmill_shell_choose_worker(PixmillShell *shell, bool *threaded,
                                 Error **errp);

/*
 * Creates the core from @config, the family's.  @name: of the core in traces
 * and of its thread; lives as long as the device.
 */
bool pixmill_shell_realize(PixmillShell *shell, DeviceState *dev,
                           const void *config, const char *name, Error **errp);
void pixmill_shell_unrealize(PixmillShell *shell);

void pixmill_shell_reset_enter(PixmillShell *shell);
void pixmill_shell_reset_hold(PixmillShell *shell);

/*
 * What a shell's part of a migration stream is: the core's state field by
 * field, and, if it draws, its worker's.  Lives forever.
 */
const VMStateDescription *
pixmill_shell_vmstate(const PixmillCoreClass *core_class);

/*
 * A property, in member @_field of @_state, that must be the same where a stream
 * is saved and where it is loaded: the guest sees it, and it is no part of the
 * core's state.  Of a bool, or of 32 or 64 bits.
 */
#define PIXMILL_SAME(_name, _state, _field)                                  \
    {                                                                        \
        .name = _name,                                                       \
        .info = sizeof_field(_state, _field) == 1 ?                          \
                &vmstate_info_uint8_equal :                                  \
                sizeof_field(_state, _field) == 4 ?                          \
                &vmstate_info_uint32_equal : &vmstate_info_uint64_equal,     \
        .size = sizeof_field(_state, _field),                                \
        .flags = VMS_SINGLE,                                                 \
        .offset = offsetof(_state, _field),                                  \
        .err_hint = "property " _name " is another than where this was saved", \
    }

/*
 * class_init of a device whose shell is @offset bytes into its struct, and that
 * migrates nothing else but @same, a list of PIXMILL_SAME(), or NULL.
 * @version: of its section.  Sets vmsd, and unrealize and the phases of reset to
 * the shell's; a device that has more to do there sets its own afterwards.
 */
void pixmill_shell_class_init(DeviceClass *dc,
                              const PixmillCoreClass *core_class,
                              size_t offset, int version,
                              const VMStateField *same);

/*
 * Around each other call into the core; pixmill_dma_map() is good, and traces
 * are up to date in between.  They hold the device lock: little of QEMU may be
 * called there (the rule in worker.h).
 */
void pixmill_shell_enter(PixmillShell *shell);
void pixmill_shell_leave(PixmillShell *shell);

/* A device's access to its registers, of up to eight bytes. */
MemTxResult pixmill_shell_read(void *shell, hwaddr addr, uint64_t *data,
                               unsigned size, MemTxAttrs attrs);
MemTxResult pixmill_shell_write(void *shell, hwaddr addr, uint64_t data,
                                unsigned size, MemTxAttrs attrs);

/* ---- Between the files of the shell -------------------------------------- */

/* PixmillHost.trace() */
void pixmill_shell_trace(void *shell, PixmillTrace event, uint64_t a,
                         uint64_t b, const char *text);
void pixmill_shell_update_trace_mask(PixmillShell *shell);

/* All that a device migrates which has nothing but a shell. */
const VMStateDescription *
pixmill_shell_device_vmstate(DeviceClass *dc,
                             const PixmillCoreClass *core_class,
                             size_t offset, int version,
                             const VMStateField *same);

/* x-inject and stat-* */
void pixmill_shell_add_properties(PixmillShell *shell, Object *owner);

/* x-capture: what it says is begun when the device is realized. */
void pixmill_shell_add_capture_property(PixmillShell *shell, Object *owner);
bool pixmill_shell_start_capture(PixmillShell *shell, Error **errp);
void pixmill_shell_stop_capture(PixmillShell *shell);

#endif
