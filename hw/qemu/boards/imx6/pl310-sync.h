/*
 * The cache sync registers of a PL310, as a sign that the guest has work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_PIXMILL_PL310_SYNC_H
#define HW_PIXMILL_PL310_SYNC_H

#include "hw/pixmill/cores/vivante.h"

/*
 * Lays itself over the PL310 at @pl310.  What the guest writes there makes
 * @cores look at the loop that they idle in.  The registers read as 0, as those
 * of QEMU's PL310 do.  @cores and what it points at live as long as @owner.
 */
void pl310_sync_create(Object *owner, hwaddr pl310,
                       VivanteGCState *const *cores, size_t count);

#endif
