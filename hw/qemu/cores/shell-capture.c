/*
 * Captures of a device core: the property x-capture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qapi/visitor.h"
#include "system/system.h"
#include "shell.h"
#include "subprojects/pixmill/include/pixmill/capture.h"

static bool capture_write(void *user, const void *bytes, size_t length)
{
    PixmillShellCapture *c = user;

    return qemu_write_full(c->fd, bytes, length) == length;
}

static bool capture_has_size(int fd, off_t size)
{
    struct stat st;

    return !ftruncate(fd, size) && !fstat(fd, &st) && st.st_size == size;
}

/*
 * True for a regular file that keeps its data.  A pipe is rejected, because its
 * slow reader would stop the machine.  Files in /proc and /sys claim to be
 * regular, but a write to /proc/self/mem would overwrite QEMU.  They are
 * rejected because their size cannot be set.
 */
static bool capture_is_file(int fd)
{
    struct stat st;

    return !fstat(fd, &st) && S_ISREG(st.st_mode) &&
           capture_has_size(fd, 1) && capture_has_size(fd, 0);
}

/*
 * Opens and locks the file, because several devices, or QEMUs, must not write
 * to it.  O_NONBLOCK avoids waiting for a pipe that nobody reads.
 */
static int capture_open(const char *name, Error **errp)
{
    int fd = qemu_open_old(name, O_WRONLY | O_CREAT | O_NONBLOCK, 0666);

    if (fd < 0) {
        error_setg_errno(errp, errno, "x-capture: cannot open '%s'", name);
        return -1;
    }
    if (qemu_lock_fd(fd, 0, 0, true) < 0) {
        error_setg(errp, "x-capture: '%s' is in use", name);
    } else if (!capture_is_file(fd)) {
        error_setg(errp, "x-capture: '%s' is not a regular file on a disk or "
                   "in memory", name);
    } else {
        return fd;
    }
    qemu_close(fd);
    return -1;
}

void pixmill_shell_stop_capture(PixmillShell *s)
{
    PixmillShellCapture *c = &s->capture;

    if (!c->runs) {
        return;
    }
    pixmill_shell_enter(s);
    pixmill_worker_drain(&s->worker);
    pixmill_capture_stop(s->core);
    pixmill_shell_leave(s);
    qemu_remove_exit_notifier(&c->exit);
    qemu_close(c->fd);
    c->runs = false;
}

/*
 * Closes the capture at exit, because devices of a board are never unrealized.
 */
static void capture_exit(Notifier *notifier, void *data)
{
    pixmill_shell_stop_capture(container_of(notifier, PixmillShell,
                                            capture.exit));
}

bool pixmill_shell_start_capture(PixmillShell *s, Error **errp)
{
    PixmillShellCapture *c = &s->capture;
    const PixmillSink sink = { .user = c, .write = capture_write };
    g_auto(GStrv) parts = NULL;
    g_autofree char *name = NULL;
    PixmillResult result;

    if (!c->file || !*c->file) {
        return true;
    }
    parts = g_strsplit(c->file, "%n", -1);
    name = g_strjoinv(s->name, parts);
    c->fd = capture_open(name, errp);
    if (c->fd < 0) {
        return false;
    }
    pixmill_shell_enter(s);
    pixmill_worker_drain(&s->worker);
    result = pixmill_capture_start(s->core_class, s->core, &sink);
    pixmill_shell_leave(s);
    if (result != PIXMILL_OK) {
        error_setg(errp, "x-capture: the core cannot be captured");
        qemu_close(c->fd);
        return false;
    }
    c->exit.notify = capture_exit;
    qemu_add_exit_notifier(&c->exit);
    c->runs = true;
    return true;
}

static void shell_get_capture(Object *obj, Visitor *v, const char *name,
                              void *opaque, Error **errp)
{
    PixmillShell *s = opaque;
    char *value = s->capture.file ?: (char *)"";

    visit_type_str(v, name, &value, errp);
}

static void shell_set_capture(Object *obj, Visitor *v, const char *name,
                              void *opaque, Error **errp)
{
    PixmillShell *s = opaque;
    char *value;

    if (!visit_type_str(v, name, &value, errp)) {
        return;
    }
    pixmill_shell_stop_capture(s);
    g_free(s->capture.file);
    s->capture.file = value;
    if (s->core && !pixmill_shell_start_capture(s, errp)) {
        g_clear_pointer(&s->capture.file, g_free);
    }
}

static void shell_release_capture(Object *obj, const char *name, void *opaque)
{
    PixmillShell *s = opaque;

    g_clear_pointer(&s->capture.file, g_free);
}

void pixmill_shell_add_capture_property(PixmillShell *s, Object *owner)
{
    object_property_add(owner, "x-capture", "string", shell_get_capture,
                        shell_set_capture, shell_release_capture, s);
    object_property_set_description(owner, "x-capture",
        "file to which the core's accesses are captured; %n in its name stands "
        "for the core's name; empty: ends the capture");
}
