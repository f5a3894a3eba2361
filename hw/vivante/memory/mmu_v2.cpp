// SPDX-License-Identifier: GPL-2.0-or-later
#include "mmu_v2.hpp"

#include <algorithm>
#include <cstring>

#include "fields.hpp"
#include "vivante/core.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {
namespace {

/// Returns the translation for an entry that is not present. The EXCEPTION bit of the entry selects
/// a fault or the safe page.
Translation not_present(const Mmu& mmu, uint32_t entry, Fault fault, uint64_t length) {
    Translation t;
    t.length = length;
    if (entry_exception(entry)) {
        t.kind = Translation::Kind::fault;
        t.fault = uint8_t(fault);
    } else {
        t.kind = Translation::Kind::safe;
        t.physical = mmu.safe;
    }
    return t;
}

/// The first-level entry of an address.
struct Master {
    uint64_t slot;     ///< physical address of the entry
    uint32_t in_range; ///< mask of the address bits below the entry's index
};

Master master_of(const Mmu& mmu, uint32_t address) {
    const unsigned shift = mmu.mode ? 24 : 22;
    return {mmu.mtlb + 4 * uint64_t(address >> shift), (1u << shift) - 1};
}

Translation table_hole(uint64_t slot, Fault fault) {
    Translation t;
    t.kind = Translation::Kind::fault;
    t.fault = uint8_t(fault);
    t.table_error = true;
    t.physical = slot;
    t.length = 1;
    return t;
}

bool pta_enabled(const Core& core) {
    return core.chip.pta() && mmu_enable(core.s.reg[MMU_PTA_CONTROL / 4]);
}

/// Loads the root of context `index` from the page-table array. The low word has the MTLB address
/// and the mode, the high word has address bits 39:32.
void select_context(Core& core, Bus& bus, uint32_t index) {
    PixmillVivanteState& s = core.s;
    if (index >= pta_entries) {
        core.host.guest_error(Cause::mmu_context, 0,
                              "PTA_CONFIG index %u: the page-table array has 512 entries", index);
        return;
    }
    s.mmu_pta_index = index;
    if (!pta_enabled(core))
        return;
    const uint64_t entry = address_40(pta_address_high(s.reg[MMU_PTA_ADDRESS_HIGH / 4]),
                                      s.reg[MMU_PTA_ADDRESS_LOW / 4]) +
                           8 * uint64_t(index);
    uint32_t low = 0, high = 0;
    if (!bus.read32(entry, &low) || !bus.read32(entry + 4, &high)) {
        core.bus_error(Client::fe, entry, false);
        return;
    }
    s.mmu_mode = mmu_mode(low);
    s.mmu_mtlb = mtlb_address.only(low);
    s.mmu_extended =
        safe_address_high.only(s.mmu_extended) | mtlb_address_high.put(array_mtlb_high(high));
}

} // namespace

Translation translate_v2(const Mmu& mmu, Bus& bus, uint32_t address, bool write) {
    Translation t;
    if (!mmu.enabled) {
        t.kind = Translation::Kind::memory;
        t.physical = address;
        t.length = (uint64_t(1) << 32) - address;
        return t;
    }
    const auto [first_slot, in_range] = master_of(mmu, address);
    uint32_t master = 0;
    if (!bus.read32(first_slot, &master))
        return table_hole(first_slot, Fault::slave_not_present);
    if (!entry_present(master))
        return not_present(mmu, master, Fault::slave_not_present,
                           uint64_t(in_range) + 1 - (address & in_range));

    // Page sizes: 4 KiB, 64 KiB, 1 MiB, 16 MiB. The two largest are undocumented in mode 0; the
    // model uses 4 KiB.
    constexpr unsigned page_shifts[] = {12, 16, 20, 24};
    unsigned shift = page_shifts[master_page_size(master)];
    t.reserved_entry = !mmu.mode && shift > 16;
    if (t.reserved_entry)
        shift = 12;
    const uint32_t in_page = (1u << shift) - 1;
    const uint64_t length = uint64_t(in_page) + 1 - (address & in_page);
    uint32_t slave = 0;
    const uint64_t slot = master_address.only(master) + 4 * uint64_t((address & in_range) >> shift);
    if (!bus.read32(slot, &slave))
        return table_hole(slot, Fault::page_not_present);
    if (!entry_present(slave))
        return not_present(mmu, slave, Fault::page_not_present, length);
    if (write && !slave_writable(slave)) {
        t.kind = Translation::Kind::fault;
        t.fault = uint8_t(Fault::write_violation);
        t.length = length;
        return t;
    }
    t.kind = Translation::Kind::memory;
    t.physical = address_40(slave_address_high(slave),
                            (slave_address.only(slave) & ~in_page) | (address & in_page));
    t.length = length;
    return t;
}

size_t translate_pages_v2(const Mmu& mmu, Bus& bus, uint32_t address, bool write,
                          std::span<uint64_t> physical) {
    const auto [first_slot, in_range] = master_of(mmu, address);
    uint32_t master = 0;
    if (!mmu.enabled || !bus.read32(first_slot, &master) || !entry_present(master) ||
        master_page_size(master)) // large pages and reserved values are for translate()
        return 0;
    const uint32_t first = (address & in_range) >> 12, end = (in_range >> 12) + 1;
    uint64_t bytes = 0;
    const std::byte* const table =
        bus.map(master_address.only(master) + 4 * uint64_t(first), &bytes, false);
    if (!table)
        return 0;
    const size_t most = std::min<uint64_t>({physical.size(), end - first, bytes / 4});
    for (size_t i = 0; i < most; i++) {
        uint32_t slave = 0;
        std::memcpy(&slave, table + 4 * i, sizeof slave);
        if (!entry_present(slave) || (write && !slave_writable(slave)))
            return i;
        physical[i] = address_40(slave_address_high(slave), slave_address.only(slave));
    }
    return most;
}

bool mmu_state_write(Core& core, Bus& bus, uint32_t address, uint32_t value) {
    PixmillVivanteState& s = core.s;
    if (address != STATE_MMU_SAFE_ADDRESS && address != STATE_MMU_CONFIGURATION &&
        address != STATE_MMU_CONFIGURATION_EXT && address != STATE_MMU_PTA_CONFIG)
        return false;
    if (!core.chip.mmu_v2() || (address == STATE_MMU_PTA_CONFIG && !core.chip.pta())) {
        core.host.guest_error(Cause::mmu_state, address,
                              "MMU state 0x%05x written on a core without it", address);
        return true;
    }
    switch (address) {
    case STATE_MMU_SAFE_ADDRESS: // only the first write after reset takes effect
        if (!s.mmu_safe_set)
            s.mmu_safe = safe_address.only(value);
        s.mmu_safe_set = 1;
        break;
    case STATE_MMU_CONFIGURATION:
        if (mmu_flush(value) && !mmu_flush_mask(value))
            core.tlb.flush(Tlb::all);
        if (pta_enabled(core))
            break; // the page-table array has the context's root
        if (!mmu_mode_mask(value))
            s.mmu_mode = mmu_mode(value);
        if (!mtlb_address_mask(value))
            s.mmu_mtlb = mtlb_address.only(value);
        break;
    case STATE_MMU_CONFIGURATION_EXT:
        s.mmu_extended = safe_address_high.only(value) | mtlb_address_high.only(value);
        break;
    case STATE_MMU_PTA_CONFIG:
        if (!pta_index_mask(value))
            select_context(core, bus, pta_index(value));
        break;
    }
    return true;
}

} // namespace pixmill::vivante
