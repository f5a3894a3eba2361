// Pages of a Memory, found by their addresses without a call for each access.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "memory.hpp"

namespace pixmill {

/// Addresses are 32 bits wide and wrap. Pages are good as long as what Memory::map() answers.
///
/// A `Note` is what its user keeps of a page. It says how many `slots` there are, and which one the
/// number of a page takes (`slot`); `enter` and `leave` are called when a page comes, with its
/// bytes of host memory, and goes. Not initialized unless the cache is.
template<class Note>
class PageCache {
public:
    static constexpr uint32_t page_size = 0x1000;

    /// At most a page. No host memory: a hole.
    struct Page {
        uint32_t address, length;
        std::byte* host;
        Note note;
        uint8_t hole_value;

        bool holds(uint32_t at, uint64_t count) const {
            const uint32_t skip = at - address;
            return skip < length && count <= length - skip;
        }
    };

    /// The page that has `address`; a hole from the first access on that faults.
    [[nodiscard]] Page& find(Memory& memory, uint32_t address, Access access) {
        const uint32_t slot = Note::slot(address / page_size);
        Page& page = pages_[slot];
        const bool known = known_[slot / 64] >> slot % 64 & 1;
        return known && !faulted_ && page.holds(address, 1) ? page
                                                            : refill(memory, address, access, slot);
    }
    /// The slot of `address`. Whether it has that page, its note tells.
    const Page& slot_of(uint32_t address) const { return pages_[Note::slot(address / page_size)]; }
    /// find() returns this from a fault on.
    Page& nothing() { return nothing_; }

    /// Copies `count` bytes from `address` on.
    void read(Memory& memory, uint32_t address, Access access, void* to, uint32_t count) {
        for (auto* bytes = static_cast<std::byte*>(to); count;) {
            const Page& page = find(memory, address, access);
            const uint32_t skip = address - page.address;
            const uint32_t part = std::min(count, page.length - skip);
            if (page.host)
                std::memcpy(bytes, page.host + skip, part);
            else
                std::memset(bytes, page.hole_value, part);
            bytes += part;
            address += part;
            count -= part;
        }
    }

    /// All pages go.
    void forget(Memory& memory) {
        for (size_t i = 0; i < known_.size(); i++)
            for (uint64_t left = std::exchange(known_[i], 0); left; left &= left - 1) {
                Page& page = pages_[64 * i + size_t(std::countr_zero(left))];
                page.note.leave(memory, page.address);
            }
        faulted_ = false;
    }
    [[nodiscard]] bool faulted() const { return faulted_; }

private:
    /// Maps the page around `address`, or what there is from `address` on: only what is accessed
    /// may fault.
    Page& refill(Memory& memory, uint32_t address, Access access, uint32_t slot) {
        nothing_ = {address, page_size, nullptr, {}, 0};
        if (faulted_)
            return nothing_;
        const uint32_t start = address & -page_size, rest = page_size - (address - start);
        Page found{start, page_size, memory.map_contiguous(start, page_size, access), {}, 0};
        if (!found.host) {
            const HostSpan span = memory.map(address, rest, access);
            faulted_ = span.mapping == Mapping::fault;
            if (faulted_)
                return nothing_;
            found = {address,
                     uint32_t(std::min<uint64_t>(span.length, rest)),
                     span.mapping == Mapping::host ? span.host : nullptr,
                     {},
                     span.hole_value};
        }
        uint64_t& known = known_[slot / 64];
        const uint64_t bit = uint64_t(1) << slot % 64;
        Page& page = pages_[slot];
        if (known & bit)
            page.note.leave(memory, page.address);
        known |= bit;
        page = found;
        page.note.enter(page.host ? page.length : 0);
        return page;
    }

    bool faulted_ = false;
    std::array<uint64_t, (Note::slots + 63) / 64>
        known_{}; ///< a bit for each of pages_ that is one
    std::array<Page, Note::slots> pages_;
    Page nothing_{}; ///< after a fault
};

} // namespace pixmill
