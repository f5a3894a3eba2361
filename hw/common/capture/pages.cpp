// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages.hpp"

#include <algorithm>

namespace pixmill::capture {

bool Page::mark_dirty(uint32_t begin, uint32_t end) {
    const bool changed = std::memcmp(reported + begin, bytes + begin, end - begin) != 0;
    if (changed)
        std::memcpy(reported + begin, bytes + begin, end - begin);
    return changed;
}

void Page::set(uint32_t begin, std::span<const std::byte> from) {
    std::ranges::copy(from, bytes + begin);
    std::ranges::copy(from, reported + begin);
}

uint32_t Pages::add() {
    pages_.push_back(std::make_unique<Page>());
    return count() - 1;
}

const Place* Places::find(uint64_t address, bool write) const {
    const auto here = places_.find(key_of(address, write));
    if (here == places_.end())
        return nullptr;
    const auto place =
        std::ranges::find_if(here->second, [=](const Place& p) { return p.has(address); });
    return place == here->second.end() ? nullptr : &*place;
}

uint64_t Places::gap(uint64_t address, bool write) const {
    uint64_t length = page_bytes - address % page_bytes;
    if (const auto here = places_.find(key_of(address, write)); here != places_.end())
        for (const Place& place : here->second)
            if (place.address > address)
                length = std::min(length, place.address - address);
    return length;
}

void Places::add(const Place& place, bool write) {
    std::vector<Place>& here = places_[key_of(place.address, write)];
    std::erase_if(here,
                  [&](const Place& p) { return place.has(p.address) || p.has(place.address); });
    here.push_back(place);
}

} // namespace pixmill::capture
