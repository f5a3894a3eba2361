// Address translation of the memory controller, for its clients.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/address_space.hpp"
#include "pixmill/vivante.h"
#include "vivante/host.hpp"

namespace pixmill::vivante {

struct Chip;
class Tlb;

/// Clients of the memory controller. With MMU v1, each has its own linear window and page table.
enum class Client : uint8_t { fe, tx, pe, pez, ra };

const char* client_name(Client client);
/// Returns the client's bit in PixmillVivanteState.mmu_frozen.
constexpr uint32_t client_bit(Client client) {
    return 1u << unsigned(client);
}

/// MMU_STATUS codes (AM57xx TRM GCREGMMUSTATUS; galcore gc_hal_kernel_mmu.c).
enum class Fault : uint8_t {
    none = 0,
    slave_not_present = 1,
    page_not_present = 2,
    write_violation = 3,
};

/// Copy of the registers that control the translation for one client.
struct Mmu final : AddressSpace {
    Client client = Client::fe;
    bool v2 = false;
    bool enabled = false;                     ///< v2 only; v1 is always enabled
    uint32_t linear_base = 0, page_table = 0; ///< v1 only
    uint32_t mode = 0;                        ///< v2 only: 0 for a 4 KiB MTLB, 1 for a 1 KiB MTLB
    uint64_t mtlb = 0, safe = 0;              ///< v2 only
    Tlb* tlb = nullptr;                       ///< if it keeps translations; see Core::mmu()

    static Mmu read(const Chip& chip, const PixmillVivanteState& state, Client client);
    /// Translates an address, reading at most two table entries.
    [[nodiscard]] Translation translate(Bus& bus, uint32_t address, bool write) const override;
    /// Finds the table of the first page once, and reads its entries in place.
    [[nodiscard]] size_t translate_pages(Bus& bus, uint32_t address, bool write,
                                         std::span<uint64_t> physical) const override;

private:
    [[nodiscard]] Translation walk(Bus& bus, uint32_t address, bool write) const;
    [[nodiscard]] Translation translate_kept(Bus& bus, uint32_t address, bool write) const;
};

} // namespace pixmill::vivante
