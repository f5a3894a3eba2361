/*
 * Saves the picture of a display to a file.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "system/system.h"
#include "hw/pixmill/compat.h"
#include "picture-file.h"

void pixmill_picture_file_add_property(ObjectClass *oc,
                                       PixmillPictureSave *save)
{
    object_class_property_add_str(oc, "save", NULL, save);
    object_class_property_set_description(oc, "save",
        "file (PPM) to which the current picture is saved when this is set");
}

static void save_at_exit(Notifier *notifier, void *data)
{
    PixmillPictureFile *s = container_of(notifier, PixmillPictureFile, exit);
    Error *err = NULL;

    if (runstate_check(RUN_STATE_PRELAUNCH)) {
        return; /* the guest has not run */
    }
    s->save(s->display, s->path, &err);
    if (err) {
        warn_report_err(err);
    }
}

void pixmill_picture_file_realize(PixmillPictureFile *s, Object *display,
                                  PixmillPictureSave *save)
{
    if (s->path) {
        s->display = display;
        s->save = save;
        s->exit.notify = save_at_exit;
        qemu_add_exit_notifier(&s->exit);
    }
}

void pixmill_picture_file_unrealize(PixmillPictureFile *s)
{
    if (s->path) {
        qemu_remove_exit_notifier(&s->exit);
    }
}

FILE *pixmill_picture_begin(const char *path, uint32_t width, uint32_t height)
{
    FILE *file = fopen(path, "wb");

    if (file) {
        fprintf(file, "P6\n%" PRIu32 " %" PRIu32 "\n255\n", width, height);
    }
    return file;
}

void pixmill_picture_end(FILE *file, const char *path, Error **errp)
{
    bool written = file && !ferror(file);

    if ((file && fclose(file)) || !written) {
        error_setg_errno(errp, errno, "no picture: '%s'", path);
    }
}
