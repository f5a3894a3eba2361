// Caches the pages of a Memory, to avoid a virtual call per access.
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

/// Maps 32-bit addresses, which wrap, to pages. Pages are valid as long as the spans of
/// Memory::map().
///
/// `Note` is the user's data for each page. `Note::slots` is the number of slots, and `Note::slot`
/// maps a page number to a slot. `enter` is called with the number of bytes of host memory when a
/// page is filled; `leave` is called when it is evicted. Pages are uninitialized unless the cache
/// is value-initialized.
template<class Note>
class PageCache {
public:
    static constexpr uint32_t page_size = 0x1000;

    /// A page or part of one. If `host` is null, it is a hole.
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

    /// Returns the page that contains `address`. After the first fault, returns a hole.
    [[nodiscard]] Page& find(Memory& memory, uint32_t address, Access access) {
        const uint32_t slot = Note::slot(address / page_size);
        Page& page = pages_[slot];
        const bool known = known_[slot / 64] >> slot % 64 & 1;
        return known && !faulted_ && page.holds(address, 1) ? page
                                                            : refill(memory, address, access, slot);
    }
    /// Returns the slot for `address`. The slot may hold a different page; check its note.
    const Page& slot_of(uint32_t address) const { return pages_[Note::slot(address / page_size)]; }
    /// Returns the hole that find() returns after a fault.
    Page& nothing() { return nothing_; }

    /// Copies `count` bytes from `address`.
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

    /// Evicts all pages.
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
    /// Maps the whole page if it is contiguous. Otherwise maps only the bytes from `address` on,
    /// because bytes before it are not accessed and must not fault.
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
    std::array<uint64_t, (Note::slots + 63) / 64> known_{}; ///< valid bits of pages_
    std::array<Page, Note::slots> pages_;
    Page nothing_{}; ///< the hole that find() returns after a fault
};

} // namespace pixmill
