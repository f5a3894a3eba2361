/*
 * PixmillHost.log() as QEMU's users know it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_LOG_H
#define HW_PIXMILL_LOG_H

#include "subprojects/pixmill/include/pixmill/host.h"

/*
 * What the guest has done goes to where -d says, what the host lacks to
 * standard error.  @device: the type's name; any thread.
 */
void pixmill_log(const char *device, PixmillLog kind, const char *text);

#endif
