// MMU v1: linear window below 2 GiB, flat page table above.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "mmu.hpp"

namespace pixmill::vivante {

/// Translates without valid bits, permissions or faults (linux etnaviv_iommu.c).
[[nodiscard]] inline Translation translate_v1(const Mmu& mmu, Bus& bus, uint32_t address) {
    constexpr uint32_t window = 0x80000000, page = 0x1000;
    Translation t;
    t.kind = Translation::Kind::memory;
    if (address < window) {
        // The sum wraps at 32 bits, and the contiguous range ends there.
        t.physical = uint32_t(address + mmu.linear_base);
        const uint64_t to_wrap = (uint64_t(1) << 32) - t.physical;
        t.length = window - address < to_wrap ? window - address : to_wrap;
        return t;
    }
    // The page table is at a physical address below 4 GiB.
    const uint32_t slot = mmu.page_table + 4 * ((address - window) / page);
    uint32_t entry = 0;
    if (!bus.read32(slot, &entry)) {
        t.kind = Translation::Kind::bus_error;
        t.physical = slot;
    } else {
        t.physical = entry / page * page + address % page;
    }
    t.length = page - address % page;
    return t;
}

} // namespace pixmill::vivante
