/*
 * The cache sync registers of a PL310.  A write to them suggests that the guest
 * has given a core new work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_PL310_SYNC_H
#define HW_PIXMILL_PL310_SYNC_H

#include "hw/pixmill/cores/vivante.h"

/*
 * Overlays the registers of the PL310 at @pl310.  A guest write to them makes
 * idle @cores poll their loops.  The registers read as 0, as in QEMU's PL310.
 * @cores, and the cores that it points to, must outlive @owner.
 */
void pl310_sync_create(Object *owner, hwaddr pl310,
                       VivanteGCState *const *cores, size_t count);

#endif
