/*
 * Saves the picture of a display to a PPM file: when its property "save" is set
 * to a file name, and, by its property "save-at-exit", whenever QEMU exits.
 * (Firmware that exits through semihosting leaves no time to set "save".)
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A display embeds a PixmillPictureFile and lists
 * PIXMILL_PICTURE_FILE_PROPERTY() in its properties.
 */
#ifndef HW_PIXMILL_PICTURE_FILE_H
#define HW_PIXMILL_PICTURE_FILE_H

#include "qemu/notify.h"
#include "hw/pixmill/compat.h"

/* Writes the picture of a display to a file, or sets an error. */
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

/* Call in class_init(): adds the property "save". */
void pixmill_picture_file_add_property(ObjectClass *oc,
                                       PixmillPictureSave *save);

/* Call in realize() and unrealize(). */
void pixmill_picture_file_realize(PixmillPictureFile *s, Object *display,
                                  PixmillPictureSave *save);
void pixmill_picture_file_unrealize(PixmillPictureFile *s);

/* Opens a file for rows of @width RGB triples.  Returns NULL on failure. */
FILE *pixmill_picture_begin(const char *path, uint32_t width, uint32_t height);

/* Closes @file, which may be NULL.  Sets an error if it is incomplete. */
void pixmill_picture_end(FILE *file, const char *path, Error **errp);

#endif
