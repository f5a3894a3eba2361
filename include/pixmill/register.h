/*
 * Description of a core's registers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_REGISTER_H
#define PIXMILL_REGISTER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PixmillAccess {
    PIXMILL_ACCESS_RO,
    PIXMILL_ACCESS_RW,
    PIXMILL_ACCESS_WO,  /* reads as 0 */
    PIXMILL_ACCESS_RC,  /* cleared by reading */
    PIXMILL_ACCESS_W1S, /* writing 1 sets a bit, 0 does nothing */
    PIXMILL_ACCESS_W1C, /* writing 1 clears a bit, 0 does nothing */
} PixmillAccess;

typedef struct PixmillRegister {
    uint32_t offset;
    const char *name;  /* the vendor's name */
    const char *alias; /* another source's name, or "" */
    PixmillAccess access;
    uint32_t reset; /* reset value for this core's model */
    uint32_t mask;  /* bits that a write changes or acts on */
    const char *note;
} PixmillRegister;

#ifdef __cplusplus
}
#endif

#endif
