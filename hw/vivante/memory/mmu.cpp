// SPDX-License-Identifier: GPL-2.0-or-later
#include "mmu.hpp"

#include <algorithm>

#include "fields.hpp"
#include "mmu_v1.hpp"
#include "mmu_v2.hpp"
#include "tlb.hpp"
#include "vivante/chip.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

const char* client_name(Client client) {
    constexpr const char* names[] = {"FE", "TX", "PE", "PEZ", "RA"};
    return names[size_t(client)];
}

Mmu Mmu::read(const Chip& chip, const PixmillVivanteState& s, Client client) {
    // Register offsets by Client (rnndb state_hi.xml, MC).
    constexpr uint32_t table_register[] = {MMU_FE_PAGE_TABLE, MMU_TX_PAGE_TABLE, MMU_PE_PAGE_TABLE,
                                           MMU_PEZ_PAGE_TABLE, MMU_RA_PAGE_TABLE};
    constexpr uint32_t base_register[] = {MEMORY_BASE_ADDR_FE, MEMORY_BASE_ADDR_TX,
                                          MEMORY_BASE_ADDR_PE, MEMORY_BASE_ADDR_PEZ,
                                          MEMORY_BASE_ADDR_RA};
    const auto reg = [&](uint32_t offset) { return s.reg[offset / 4]; };

    Mmu c;
    c.client = client;
    c.v2 = chip.mmu_v2();
    if (!c.v2) {
        c.linear_base = reg(base_register[size_t(client)]);
        c.page_table = reg(table_register[size_t(client)]) / 4 * 4;
        return c;
    }
    const bool secure = chip.secure() && mmu_enable(reg(MMU_SEC_CONTROL));
    c.enabled = secure || mmu_enable(reg(MMU_CONTROL));
    c.mode = s.mmu_mode;
    c.mtlb = address_40(mtlb_address_high(s.mmu_extended), s.mmu_mtlb);
    c.safe = secure ? address_40(nonsec_safe_address_high(reg(MMU_SAFE_ADDRESS_CONFIG)),
                                 reg(MMU_NONSEC_SAFE_ADDR_LOW))
                    : address_40(safe_address_high(s.mmu_extended), s.mmu_safe);
    return c;
}

Translation Mmu::walk(Bus& bus, uint32_t address, bool write) const {
    return v2 ? translate_v2(*this, bus, address, write) : translate_v1(*this, bus, address);
}

/// Translates by what the TLB has kept, even if the tables have changed. Only pages of memory are
/// kept, neither faults nor addresses that are not paged.
Translation Mmu::translate_kept(Bus& bus, uint32_t address, bool write) const {
    constexpr uint32_t page = 0x1000;
    const bool paged = v2 ? enabled : address >= v1::window;
    const uint32_t offset = address % page;
    if (const auto physical = paged ? tlb->find(client, address, write) : std::nullopt) {
        Translation kept;
        kept.kind = Translation::Kind::memory;
        kept.physical = *physical + offset;
        kept.length = page - offset;
        return kept;
    }
    Translation t = walk(bus, address, write);
    if (paged && t.kind == Translation::Kind::memory) {
        tlb->keep(client, address, write, t.physical - offset);
        t.length = std::min<uint64_t>(t.length, page - offset);
    }
    return t;
}

Translation Mmu::translate(Bus& bus, uint32_t address, bool write) const {
    return tlb ? translate_kept(bus, address, write) : walk(bus, address, write);
}

size_t Mmu::translate_pages(Bus& bus, uint32_t address, bool write,
                            std::span<uint64_t> physical) const {
    if (tlb)
        return 0;
    return v2 ? translate_pages_v2(*this, bus, address, write, physical)
              : translate_pages_v1(*this, bus, address, physical);
}

} // namespace pixmill::vivante
