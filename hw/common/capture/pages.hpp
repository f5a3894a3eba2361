// The copies of guest pages that a core works on while it is captured or replayed.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "format.hpp"

namespace pixmill::capture {

/// The core's copy of a guest page. The gap keeps two pages from being contiguous, so that the
/// core's output never depends on where the allocator puts them.
struct Page {
    /// Bytes from `begin` up to, but not including, `end`.
    struct Range {
        uint32_t begin, end;
    };

    alignas(64) std::byte bytes[page_bytes];
    std::byte gap[64];
    alignas(64) std::byte reported[page_bytes]; ///< `bytes` as of the last mark_dirty()

    uint64_t address = 0;     ///< guest address at which it was last mapped
    uint64_t epoch = 0;       ///< epoch in which it was last mapped
    std::vector<Range> fresh; ///< ranges already compared with guest memory in this epoch
    uint64_t entry = 0;       ///< sequence number of the last entry point that wrote to it

    /// Copies a range that the core marked dirty into `reported`. Returns true if any byte of it
    /// changed.
    bool mark_dirty(uint32_t begin, uint32_t end);
    /// Updates the copy with bytes that changed in guest memory.
    void set(uint32_t begin, std::span<const std::byte> from);
};

/// Pages, numbered in the order in which they were first mapped.
class Pages {
public:
    uint32_t count() const { return uint32_t(pages_.size()); }
    Page& operator[](uint32_t number) { return *pages_[number]; }
    const Page& operator[](uint32_t number) const { return *pages_[number]; }
    /// Adds a page and returns its number. The caller enforces most_pages. May throw
    /// std::bad_alloc.
    uint32_t add();

private:
    std::vector<std::unique_ptr<Page>> pages_;
};

/// Finds the page that a guest address is mapped to. A new place replaces the places that it
/// overlaps.
class Places {
public:
    /// Returns null if nothing is recorded for `address`.
    const Place* find(uint64_t address, bool write) const;
    /// Returns the number of bytes from `address` to the next recorded place or the end of the
    /// page.
    uint64_t gap(uint64_t address, bool write) const;
    void add(const Place& place, bool write);

private:
    static uint64_t key_of(uint64_t address, bool write) {
        return address / page_bytes << 1 | write;
    }
    std::unordered_map<uint64_t, std::vector<Place>> places_;
};

} // namespace pixmill::capture
