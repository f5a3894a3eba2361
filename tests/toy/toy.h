/*
 * A core that fills memory: for tests of what all cores share, and docs/develop/adding-a-device.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#pragma once
#include "../../include/pixmill/core.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Needs no configuration.  read(), write(): 4 bytes, aligned.  Only create() allocates. */
extern const PixmillCoreClass pixmill_toy;

#ifdef __cplusplus
}
#endif
