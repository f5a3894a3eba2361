// MMU v1: linear window below 2 GiB, flat page table above.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstring>

#include "mmu.hpp"

namespace pixmill::vivante {

namespace v1 {

constexpr uint32_t window = 0x80000000, page = 0x1000;

/// Returns the physical address of a page's table entry, which is below 4 GiB.
inline uint32_t slot(const Mmu& mmu, uint32_t address) {
    return mmu.page_table + 4 * ((address - window) / page);
}

} // namespace v1

/// Translates without valid bits, permissions or faults (linux etnaviv_iommu.c).
[[nodiscard]] inline Translation translate_v1(const Mmu& mmu, Bus& bus, uint32_t address) {
    using namespace v1;
    Translation t;
    t.kind = Translation::Kind::memory;
    if (address < window) {
        // The sum wraps at 32 bits, and the contiguous range ends there.
        t.physical = uint32_t(address + mmu.linear_base);
        const uint64_t to_wrap = (uint64_t(1) << 32) - t.physical;
        t.length = window - address < to_wrap ? window - address : to_wrap;
        return t;
    }
    uint32_t entry = 0;
    if (!bus.read32(slot(mmu, address), &entry)) {
        t.kind = Translation::Kind::bus_error;
        t.physical = slot(mmu, address);
    } else {
        t.physical = entry / page * page + address % page;
    }
    t.length = page - address % page;
    return t;
}

/// See AddressSpace::translate_pages(). The linear window needs no table.
[[nodiscard]] inline size_t translate_pages_v1(const Mmu& mmu, Bus& bus, uint32_t address,
                                               std::span<uint64_t> physical) {
    using namespace v1;
    if (address < window)
        return 0;
    const uint64_t first = slot(mmu, address), to_wrap = (uint64_t(1) << 32) - first;
    uint64_t bytes = 0;
    const std::byte* const table = bus.map(first, &bytes, false);
    const uint64_t to_end = ((uint64_t(1) << 32) - address + page - 1) / page;
    const size_t most =
        table ? std::min<uint64_t>({physical.size(), to_end, std::min(bytes, to_wrap) / 4}) : 0;
    for (size_t i = 0; i < most; i++) {
        uint32_t entry = 0;
        std::memcpy(&entry, table + 4 * i, sizeof entry);
        physical[i] = entry / page * page;
    }
    return most;
}

} // namespace pixmill::vivante
