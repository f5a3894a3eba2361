/*
 * What a display shows as a file (PPM): when somebody sets its property "save"
 * to a file's name, and, by its property "save-at-exit", when QEMU comes to its
 * end, however; firmware's semihosting exit leaves no time to ask.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A display embeds a PixmillPictureFile, and has a row
 * PIXMILL_PICTURE_FILE_PROPERTY() among its properties.
 */
#ifndef HW_PIXMILL_PICTURE_FILE_H
#define HW_PIXMILL_PICTURE_FILE_H

#include "qemu/notify.h"
#include "hw/pixmill/compat.h"

/* Writes the picture of a display to a file, or says why there is none. */
typedef void PixmillPictureSave(Object *display, const char *path,
                                Error **errp);

typedef struct PixmillPictureFile {
    char *path; /* property "save-at-exit"; or NULL */
    Object *display;
    PixmillPictureSave *save;
    Notifier exit;
} PixmillPictureFile;

#define PIXMILL_PICTURE_FILE_PROPERTY(state, field) \
    DEFINE_PROP_STRING("save-at-exit", state, field.path)

/* Of a class_init(): the property "save". */
void pixmill_picture_file_add_property(ObjectClass *oc,
                                       PixmillPictureSave *save);

/* Of a realize() and an unrealize(). */
void pixmill_picture_file_realize(PixmillPictureFile *s, Object *display,
                                  PixmillPictureSave *save);
void pixmill_picture_file_unrealize(PixmillPictureFile *s);

/* A file for rows of @width times red, green and blue, or NULL. */
FILE *pixmill_picture_begin(const char *path, uint32_t width, uint32_t height);

/* Closes @file, which may be NULL; an error if not all of it was written. */
void pixmill_picture_end(FILE *file, const char *path, Error **errp);

#endif
