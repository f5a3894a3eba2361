/*
 * A core that fills memory. It is for tests of the code that all cores share, and is the example of
 * docs/develop/adding-a-device.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once
#include "../../include/pixmill/core.h"
#ifdef __cplusplus
extern "C" {
#endif

/*
 * Needs no configuration.  Accesses must be aligned and 4 bytes wide.  Only create() allocates
 * memory.
 */
extern const PixmillCoreClass pixmill_toy;

#ifdef __cplusplus
}
#endif
