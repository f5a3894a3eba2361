/*
 * Arm's L2C-310 (PL310), the level 2 cache controller of the i.MX6 Quad.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The registers are sysbus MMIO 0.  There is no cache, so operations have no
 * effect.  No interrupt is ever pending.
 */
#ifndef HW_PIXMILL_PL310_H
#define HW_PIXMILL_PL310_H

#include "hw/pixmill/cores/vivante.h"

#define TYPE_PL310 "pl310"
OBJECT_DECLARE_SIMPLE_TYPE(PL310State, PL310)

/*
 * Creates a PL310 and maps it at @addr.  A guest write to CACHE_SYNC makes idle
 * @cores poll their loops.  @cores, and the cores that it points to, must
 * outlive the machine.
 */
void pl310_create(hwaddr addr, VivanteGCState *const *cores, size_t count);

#endif
