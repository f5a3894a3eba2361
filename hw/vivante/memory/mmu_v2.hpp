// MMU v2: two-level tables with present, exception and write bits; optionally
// a page-table array above them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "mmu.hpp"

namespace pixmill::vivante {

class Core;

Translation translate_v2(const MmuConfig& config, Bus& bus, uint32_t address, bool write);

/// LOAD_STATE to one of the four MMU states (0x180, 0x184, 0x1A0, 0x1AC). `bus` reads the
/// page-table array. Returns false if `address` is not one of them.
bool mmu_state_write(Core& core, Bus& bus, uint32_t address, uint32_t value);

} // namespace pixmill::vivante
