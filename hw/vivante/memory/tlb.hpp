// Translations that an MMU keeps until it is flushed. Used only by an injected fault: otherwise the
// model walks the tables in each slice of work.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "mmu.hpp"

namespace pixmill::vivante {

/// The translations of each client, separate for reads and writes. Size and replacement are
/// undocumented; the model has one entry per page number modulo a power of two.
class Tlb {
public:
    /// Returns the physical address of the page at `address`, if its translation is kept.
    std::optional<uint64_t> find(Client client, uint32_t address, bool write) const {
        const Entry& entry = slot(client, address, write);
        if (entry.key != key_of(address, write) || entry.era != era(client))
            return {};
        return entry.physical;
    }
    void keep(Client client, uint32_t address, bool write, uint64_t physical) {
        slot(client, address, write) = {key_of(address, write), era(client), physical};
    }
    /// Drops the translations of the clients in `mask`, which has a bit per Client. A reset calls
    /// it while another thread draws.
    void flush(uint32_t mask) {
        for (uint32_t client = 0; client < clients; client++)
            if (mask >> client & 1)
                eras_[client].fetch_add(1, std::memory_order_relaxed);
    }

    // Migration.
    void save(PixmillVivanteState& out) const;
    void load(const PixmillVivanteState& in);

    static constexpr uint32_t all = (1u << PIXMILL_VIVANTE_TLB_CLIENTS) - 1;
    static constexpr uint32_t front_end = client_bit(Client::fe);
    static constexpr uint32_t engines = all & ~front_end;

private:
    static constexpr uint32_t clients = PIXMILL_VIVANTE_TLB_CLIENTS,
                              pages = PIXMILL_VIVANTE_TLB_PAGES, page_shift = 12;

    struct Entry {
        uint32_t key = 0;
        uint64_t era = 0; ///< number of flushes before the entry was made
        uint64_t physical = 0;
    };

    /// Bits 31:12: page, bit 1: write, bit 0: valid.
    static uint32_t key_of(uint32_t address, bool write) {
        return address >> page_shift << page_shift | uint32_t(write) << 1 | 1;
    }
    static uint32_t index_of(uint32_t address, bool write) {
        return ((address >> page_shift) * 2 + write) % pages;
    }
    uint64_t era(Client client) const {
        return eras_[unsigned(client)].load(std::memory_order_relaxed);
    }
    const Entry& slot(Client client, uint32_t address, bool write) const {
        return entries_[unsigned(client)][index_of(address, write)];
    }
    Entry& slot(Client client, uint32_t address, bool write) {
        return entries_[unsigned(client)][index_of(address, write)];
    }

    std::array<std::array<Entry, pages>, clients> entries_{};
    std::array<std::atomic<uint64_t>, clients> eras_{};
};

} // namespace pixmill::vivante
