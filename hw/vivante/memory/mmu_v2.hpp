// MMU v2: two-level page tables with present, exception and write bits. An optional page-table
// array selects the first-level table.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "mmu.hpp"

namespace pixmill::vivante {

class Core;

[[nodiscard]] Translation translate_v2(const Mmu& mmu, Bus& bus, uint32_t address, bool write);
[[nodiscard]] size_t translate_pages_v2(const Mmu& mmu, Bus& bus, uint32_t address, bool write,
                                        std::span<uint64_t> physical);

/// Handles LOAD_STATE of MMU_SAFE_ADDRESS, MMU_CONFIGURATION, MMU_CONFIGURATION_EXT or
/// MMU_PTA_CONFIG. The page-table array is read through `bus`. Returns false if `address` is a
/// different state.
bool mmu_state_write(Core& core, Bus& bus, uint32_t address, uint32_t value);

} // namespace pixmill::vivante
