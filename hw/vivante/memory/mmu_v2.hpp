// MMU v2: two-level tables with present, exception and write bits, and an optional page-table array
// above them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "mmu.hpp"

namespace pixmill::vivante {

class Core;

[[nodiscard]] Translation translate_v2(const Mmu& mmu, Bus& bus, uint32_t address, bool write);

/// Handles LOAD_STATE to MMU_SAFE_ADDRESS, MMU_CONFIGURATION, MMU_CONFIGURATION_EXT or
/// MMU_PTA_CONFIG. `bus` reads the page-table array. Returns false if `address` is none of them.
bool mmu_state_write(Core& core, Bus& bus, uint32_t address, uint32_t value);

} // namespace pixmill::vivante
