// SPDX-License-Identifier: GPL-2.0-or-later
#include "mmu_v2.hpp"

#include "vivante/core.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {
namespace {

// Entries (linux etnaviv_iommu_v2.c, galcore gc_hal_kernel_mmu.c).
constexpr uint32_t present = 1 << 0;
constexpr uint32_t exception = 1 << 1;
constexpr uint32_t writable = 1 << 2; // second level only

/// An entry that is not present: its EXCEPTION bit chooses between a fault and the safe page.
Translation not_present(uint32_t entry, Fault fault, uint64_t length) {
    Translation t;
    t.length = length;
    if (entry & exception) {
        t.kind = Translation::Kind::fault;
        t.fault = fault;
    } else {
        t.kind = Translation::Kind::safe;
    }
    return t;
}

Translation table_hole(uint64_t slot, Fault fault) {
    Translation t;
    t.kind = Translation::Kind::fault;
    t.fault = fault;
    t.table_error = true;
    t.physical = slot;
    t.length = 1;
    return t;
}

// MMU_CONFIGURATION, of which the first two are an array entry's, too, and MMU_PTA_CONFIG (rnndb
// state.xml). The masks leave their field alone.
constexpr Field mode{"MODE", 0}, mtlb_address{"ADDRESS", 31, 10};
constexpr Field mode_mask{"MODE_MASK", 3}, address_mask{"ADDRESS_MASK", 8};
constexpr Field pta_index{"INDEX", 15, 0}, pta_index_mask{"INDEX_MASK", 16};

bool pta_enabled(const Core& core) {
    return core.chip.pta() && core.s.reg[MMU_PTA_CONTROL / 4] & 1;
}

/// Takes the context's root from the page-table array: low word MTLB base and mode, high word
/// address bits 39:32.
void select_context(Core& core, Bus& bus, uint32_t index) {
    constexpr uint32_t contexts = 512;
    PixmillVivanteState& s = core.s;
    if (index >= contexts) {
        core.host.guest_error(Cause::mmu_context, 0,
                              "PTA_CONFIG index %u: the page-table array has 512 entries", index);
        return;
    }
    s.mmu_pta_index = index;
    if (!pta_enabled(core))
        return;
    const uint64_t entry =
        (s.reg[MMU_PTA_ADDRESS_LOW / 4] | uint64_t(s.reg[MMU_PTA_ADDRESS_HIGH / 4] & 0xFF) << 32) +
        8 * uint64_t(index);
    uint32_t low = 0, high = 0;
    if (!bus.read32(entry, &low) || !bus.read32(entry + 4, &high)) {
        core.bus_error(Client::fe, entry, false);
        return;
    }
    s.mmu_mode = mode(low);
    s.mmu_mtlb = low & mtlb_address.mask();
    s.mmu_extended = (s.mmu_extended & 0xFF) | (high & 0xFF) << 16;
}

} // namespace

Translation translate_v2(const MmuConfig& c, Bus& bus, uint32_t address, bool write) {
    Translation t;
    if (!c.enabled) {
        t.kind = Translation::Kind::memory;
        t.physical = address;
        t.length = (uint64_t(1) << 32) - address;
        return t;
    }
    const unsigned first_shift = c.mode ? 24 : 22;
    uint32_t master = 0;
    uint64_t slot = c.mtlb + 4 * uint64_t(address >> first_shift);
    if (!bus.read32(slot, &master))
        return table_hole(slot, Fault::slave_not_present);
    const uint32_t below_first = (1u << first_shift) - 1;
    if (!(master & present))
        return not_present(master, Fault::slave_not_present,
                           uint64_t(below_first) + 1 - (address & below_first));

    // Page sizes 4 K, 64 K, 1 M, 16 M. What mode 0 does with the two large ones is unknown: 4 K.
    constexpr unsigned page_shifts[] = {12, 16, 20, 24};
    unsigned shift = page_shifts[master >> 2 & 3];
    t.reserved_size = !c.mode && shift > 16;
    if (t.reserved_size)
        shift = 12;
    const uint32_t in_page = (1u << shift) - 1;
    const uint64_t length = uint64_t(in_page) + 1 - (address & in_page);
    uint32_t slave = 0;
    slot = (master & 0xFFFFFFC0) + 4 * uint64_t((address & below_first) >> shift);
    if (!bus.read32(slot, &slave))
        return table_hole(slot, Fault::page_not_present);
    if (!(slave & present))
        return not_present(slave, Fault::page_not_present, length);
    if (write && !(slave & writable)) {
        t.kind = Translation::Kind::fault;
        t.fault = Fault::write_violation;
        t.length = length;
        return t;
    }
    t.kind = Translation::Kind::memory;
    t.physical = ((slave & 0xFFFFF000) & ~uint64_t(in_page)) | uint64_t(slave >> 4 & 0xFF) << 32 |
                 (address & in_page);
    t.length = length;
    return t;
}

bool mmu_state_write(Core& core, Bus& bus, uint32_t address, uint32_t value) {
    PixmillVivanteState& s = core.s;
    if (address != STATE_MMU_SAFE_ADDRESS && address != STATE_MMU_CONFIGURATION &&
        address != STATE_MMU_EXTENDED && address != STATE_MMU_PTA_CONFIG)
        return false;
    if (!core.chip.mmu_v2() || (address == STATE_MMU_PTA_CONFIG && !core.chip.pta())) {
        core.host.guest_error(Cause::mmu_state, address,
                              "MMU state 0x%05x written on a core without it", address);
        return true;
    }
    switch (address) {
    case STATE_MMU_SAFE_ADDRESS: // only the first write after reset counts
        if (!s.mmu_safe_set)
            s.mmu_safe = value & ~0x3Fu;
        s.mmu_safe_set = 1;
        break;
    case STATE_MMU_CONFIGURATION: // FLUSH: translations are never kept between slices
        if (pta_enabled(core))
            break; // the context's root comes from the array
        if (!mode_mask(value))
            s.mmu_mode = mode(value);
        if (!address_mask(value))
            s.mmu_mtlb = value & mtlb_address.mask();
        break;
    case STATE_MMU_EXTENDED:
        s.mmu_extended = value & 0x00FF00FF;
        break;
    case STATE_MMU_PTA_CONFIG:
        if (!pta_index_mask(value))
            select_context(core, bus, pta_index(value));
        break;
    }
    return true;
}

} // namespace pixmill::vivante
