/*
 * The common part of all devices around a PixmillCoreClass.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * This is a part of a device, not a base class, so that a device can be on any
 * bus.  The device embeds a PixmillShell and
 *   - maps its region mmio, and connects irq[], one per line of the core,
 *   - lists DEFINE_PIXMILL_SHELL_PROPERTIES,
 *   - has the interface TYPE_PIXMILL_SHELL_DEVICE,
 *   - calls the functions below from its own functions of the same name.
 * It can then be migrated, and has these properties:
 *   worker        "thread" or "inline": where work is done; "engine" is its old
 *                 name
 *   work-time     percent of the cost model's guest time that inline work takes;
 *                 0, the default, is none
 *   x-seed        varies the latencies of inline work and of interrupts; 0, the
 *                 default, is none
 *   dma           the memory that the core accesses; by default the system's
 *   x-inject      injects faults of PixmillCoreClass.faults
 *   x-capture     the file for a capture of the core; may be set at any time
 *   stat-NAME     one property per counter
 * All functions are called under the BQL.
 */
#ifndef HW_PIXMILL_SHELL_H
#define HW_PIXMILL_SHELL_H

#include "qemu/notify.h"
#include "hw/pixmill/compat.h"
#include "bus-stall.h"
#include "retries.h"
#include "subprojects/pixmill/include/pixmill/core.h"

typedef struct PixmillShellCapture {
    char *file; /* value of x-capture */
    bool runs;
    int fd;
    Notifier exit;
} PixmillShellCapture;

typedef struct PixmillShell {
    const PixmillCoreClass *core_class;
    PixmillCore *core; /* NULL unless realized */
    const char *type;  /* type of the device, in messages */
    const char *name;  /* name of the core, in traces */

    MemoryRegion mmio;
    qemu_irq irq[PIXMILL_MAX_LINES];

    PixmillWorker worker;
    PixmillRetries retries;
    bool refusal_logged; /* a store of another device, since reset */
    AddressSpace *as;
    int master;    /* number of this bus master, for watch.h */
    uint32_t job;  /* that runs; atomic */
    uint32_t draw_job; /* that draw() does, on its thread */
    uint32_t trace_mask;
    /* While migrating: data from the stream, which is not trusted. */
    void *snapshot; /* state of the core */
    PixmillRetries loading;

    char *worker_kind;
    uint32_t work_time;
    uint32_t seed;
    bool force_thread;
    PixmillShellCapture capture;
    char *inject; /* value of x-inject, if set before realize */
    MemoryRegion *dma;

    /*
     * Called between enter() and leave() after the core has loaded its state,
     * for everything that the state does not include.  May be NULL.
     */
    void (*loaded)(struct PixmillShell *shell);
} PixmillShell;

/*
 * Properties without "dma", for devices that set PixmillShell.dma themselves.
 */
#define DEFINE_PIXMILL_WORKER_PROPERTIES(_state, _shell)                    \
    DEFINE_PROP_STRING("worker", _state, _shell.worker_kind),               \
    DEFINE_PROP_UINT32("work-time", _state, _shell.work_time, 0),           \
    DEFINE_PROP_UINT32("x-seed", _state, _shell.seed, 0),                   \
    DEFINE_PROP_BOOL("x-force-thread", _state, _shell.force_thread, false)

#define DEFINE_PIXMILL_SHELL_PROPERTIES(_state, _shell)                     \
    DEFINE_PIXMILL_WORKER_PROPERTIES(_state, _shell),                       \
    DEFINE_PROP_LINK("dma", _state, _shell.dma, TYPE_MEMORY_REGION,         \
                     MemoryRegion *)

/* Interface of a device that has a shell, to find the shell in its struct. */
#define TYPE_PIXMILL_SHELL_DEVICE "pixmill-shell-device"
typedef struct PixmillShellDeviceClass {
    InterfaceClass parent_class;
    size_t shell; /* offset in the struct of the device */
} PixmillShellDeviceClass;
DECLARE_CLASS_CHECKERS(PixmillShellDeviceClass, PIXMILL_SHELL_DEVICE,
                       TYPE_PIXMILL_SHELL_DEVICE)

/* Call in instance_init.  @ops must use pixmill_shell_read() and _write(). */
void pixmill_shell_init(PixmillShell *shell, Object *owner,
                        const PixmillCoreClass *core_class,
                        const MemoryRegionOps *ops);

/*
 * An @ops for little-endian accesses of 4 bytes.  All others are bus errors.
 */
extern const MemoryRegionOps pixmill_shell_word_ops;

/*
 * For a device on the system bus: adds MMIO 0, and one IRQ per line of the
 * core.
 */
void pixmill_shell_init_sysbus(PixmillShell *shell, SysBusDevice *sbd);

/* Determines whether there will be a worker, if realize() must know earlier. */
bool pixmill_shell_choose_worker(PixmillShell *shell, bool *threaded,
                                 Error **errp);

/*
 * Creates the core from @config, the struct of its family.  @name appears in
 * traces and names the core's thread; it must outlive the device.
 */
bool pixmill_shell_realize(PixmillShell *shell, DeviceState *dev,
                           const void *config, const char *name, Error **errp);
void pixmill_shell_unrealize(PixmillShell *shell);

void pixmill_shell_reset_enter(PixmillShell *shell);
void pixmill_shell_reset_hold(PixmillShell *shell);

/*
 * Returns the shell's part of a migration stream: the core's state field by
 * field and, if the core draws, the worker's state.  Never freed.
 */
const VMStateDescription *
pixmill_shell_vmstate(const PixmillCoreClass *core_class);

/*
 * A property, in member @_field of @_state, that must be equal on both sides of
 * a migration, because the guest sees it and the core's state does not include
 * it.  The member is a bool, or has 32 or 64 bits.
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
        .err_hint = "property " _name " differs from the saved value", \
    }

/*
 * Call in class_init of a device that has its shell at @offset in its struct,
 * and that migrates nothing else except @same, a list of PIXMILL_SAME() or
 * NULL.  @version is the version of the section.  Sets vmsd, unrealize, and the
 * reset phases.  A device that must do more there sets its own functions
 * afterwards.
 */
void pixmill_shell_class_init(DeviceClass *dc,
                              const PixmillCoreClass *core_class,
                              size_t offset, int version,
                              const VMStateField *same);

/*
 * These enclose every other call into the core.  In between, pixmill_dma_map()
 * may be called and traces are up to date.  They hold the device lock, so the
 * rule in worker.h applies.
 */
void pixmill_shell_enter(PixmillShell *shell);
void pixmill_shell_leave(PixmillShell *shell);

/* Access a device's registers, up to eight bytes. */
MemTxResult pixmill_shell_read(void *shell, hwaddr addr, uint64_t *data,
                               unsigned size, MemTxAttrs attrs);
MemTxResult pixmill_shell_write(void *shell, hwaddr addr, uint64_t data,
                                unsigned size, MemTxAttrs attrs);

/* ---- Between the files of the shell -------------------------------------- */

/* Implements PixmillHost.trace(). */
void pixmill_shell_trace(void *shell, PixmillTrace event, uint64_t a,
                         uint64_t b, const char *text);
void pixmill_shell_update_trace_mask(PixmillShell *shell);

/* Returns the migration state of a device that consists only of a shell. */
const VMStateDescription *
pixmill_shell_device_vmstate(DeviceClass *dc,
                             const PixmillCoreClass *core_class,
                             size_t offset, int version,
                             const VMStateField *same);

/* Adds x-inject and stat-NAME. */
void pixmill_shell_add_properties(PixmillShell *shell, Object *owner);
/*
 * Call in realize: injects the faults of an x-inject that was set before, and
 * warns if the core cannot have one.
 */
bool pixmill_shell_inject_first(PixmillShell *shell, Error **errp);

/*
 * Adds the property x-capture.  If it is set before realize, the capture
 * starts at realize.
 */
void pixmill_shell_add_capture_property(PixmillShell *shell, Object *owner);
bool pixmill_shell_start_capture(PixmillShell *shell, Error **errp);
void pixmill_shell_stop_capture(PixmillShell *shell);

#endif
