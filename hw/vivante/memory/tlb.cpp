// SPDX-License-Identifier: GPL-2.0-or-later
#include "tlb.hpp"

namespace pixmill::vivante {

void Tlb::save(PixmillVivanteState& out) const {
    for (uint32_t client = 0; client < clients; client++)
        for (uint32_t page = 0; page < pages; page++) {
            const Entry& entry = entries_[client][page];
            const bool kept = entry.key && entry.era == era(Client(client));
            out.tlb_key[client][page] = kept ? entry.key : 0;
            out.tlb_physical[client][page] = kept ? entry.physical : 0;
        }
}

/// Takes over the entries that are possible at their place.
void Tlb::load(const PixmillVivanteState& in) {
    for (uint32_t client = 0; client < clients; client++)
        for (uint32_t page = 0; page < pages; page++) {
            const uint32_t key = in.tlb_key[client][page];
            const uint64_t physical = in.tlb_physical[client][page];
            const bool write = key >> 1 & 1;
            const bool possible = key == key_of(key, write) && index_of(key, write) == page &&
                                  physical % (1u << page_shift) == 0 && physical >> 40 == 0;
            entries_[client][page] = possible ? Entry{key, era(Client(client)), physical} : Entry{};
        }
}

} // namespace pixmill::vivante
