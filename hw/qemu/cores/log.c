/*
 * Lines that device cores log.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/log.h"
#include "log.h"

void pixmill_log(const char *device, PixmillLog kind, const char *text)
{
    switch (kind) {
    case PIXMILL_LOG_GUEST_ERROR:
        qemu_log_mask(LOG_GUEST_ERROR, "%s: %s\n", device, text);
        break;
    case PIXMILL_LOG_UNIMPLEMENTED:
        qemu_log_mask(LOG_UNIMP, "%s: %s\n", device, text);
        break;
    case PIXMILL_LOG_HOST_ERROR:
        warn_report("%s: %s", device, text);
        break;
    }
}
