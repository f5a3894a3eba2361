/*
 * Differences between the QEMU versions of scripts/qemu/bases.  Sources use the
 * names and calls of the newest version; this header maps them to those of
 * older versions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_COMPAT_H
#define HW_PIXMILL_COMPAT_H

#define QEMU_OLDER_THAN(major, minor)                       \
    (QEMU_VERSION_MAJOR < (major) ||                        \
     (QEMU_VERSION_MAJOR == (major) && QEMU_VERSION_MINOR < (minor)))

/* ---- Headers that have moved ------------------------------------------- */

#if __has_include("hw/core/sysbus.h")
#include "hw/core/boards.h"
#include "hw/core/irq.h"
#include "hw/core/loader.h"
#include "hw/core/or-irq.h"
#include "hw/core/qdev.h"
#include "hw/core/qdev-clock.h"
#include "hw/core/qdev-properties.h"
#include "hw/core/qdev-properties-system.h"
#include "hw/core/resettable.h"
#include "hw/core/sysbus.h"
#else
#include "hw/boards.h"
#include "hw/irq.h"
#include "hw/loader.h"
#include "hw/or-irq.h"
#include "hw/qdev-core.h"
#include "hw/qdev-clock.h"
#include "hw/qdev-properties.h"
#include "hw/qdev-properties-system.h"
#include "hw/resettable.h"
#include "hw/sysbus.h"
#endif

#if __has_include("system/memory.h")
#include "system/address-spaces.h"
#include "system/memory.h"
#else
#include "exec/address-spaces.h"
#include "exec/memory.h"
#endif

#if __has_include("exec/icount.h")
#include "exec/icount.h"
#else
#include "system/cpu-timers.h"
#endif

/* Older QEMU versions do not select machines by target. */
#if __has_include("hw/arm/machines-qom.h")
#include "hw/arm/machines-qom.h"
#else
#define arm_machine_interfaces NULL
#endif

/* ---- Types and calls ---------------------------------------------------- */

#include "system/runstate.h"

#if QEMU_OLDER_THAN(10, 1)
typedef void PixmillClassData;
#else
typedef const void PixmillClassData;
#endif

#if QEMU_OLDER_THAN(10, 2)
#define CharFrontend CharBackend
#define load_image_targphys(file, address, size, errp) \
    load_image_targphys(file, address, size)
#define qdev_add_vm_change_state_handler(dev, changed, changed_failing, opaque) \
    qdev_add_vm_change_state_handler(dev, changed, opaque)
#endif

/* ---- Consoles ----------------------------------------------------------- */

#if QEMU_OLDER_THAN(11, 1)
#define qemu_console_set_surface dpy_gfx_replace_surface
#define qemu_console_update dpy_gfx_update
#define qemu_console_update_full dpy_gfx_update_full
#define qemu_graphic_console_close graphic_console_close
#define qemu_graphic_console_create graphic_console_init
typedef void PixmillGfxUpdate; /* result of GraphicHwOps.gfx_update */
#define PIXMILL_RETURN_UPDATED return
#else
typedef bool PixmillGfxUpdate;
#define PIXMILL_RETURN_UPDATED return true
#endif

#endif
