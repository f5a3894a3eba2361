// SPDX-License-Identifier: GPL-2.0-or-later
#include "mmu.hpp"

#include "fields.hpp"
#include "mmu_v1.hpp"
#include "mmu_v2.hpp"
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

Translation Mmu::translate(Bus& bus, uint32_t address, bool write) const {
    return v2 ? translate_v2(*this, bus, address, write) : translate_v1(*this, bus, address);
}

size_t Mmu::translate_pages(Bus& bus, uint32_t address, bool write,
                            std::span<uint64_t> physical) const {
    return v2 ? translate_pages_v2(*this, bus, address, write, physical)
              : translate_pages_v1(*this, bus, address, physical);
}

} // namespace pixmill::vivante
