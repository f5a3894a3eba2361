// The pages of guest memory that a captured core works on, here and when it is replayed.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "format.hpp"

namespace pixmill::capture {

/// A page as the core has it. Pages never follow each other in memory: what is drawn must not
/// depend on how they happen to lie.
struct Page {
    /// For whom a range is known: bytes from `begin` up to `end`.
    struct Range {
        uint32_t begin, end;
    };

    alignas(64) std::byte bytes[page_bytes];
    std::byte gap[64];
    alignas(64) std::byte told[page_bytes]; ///< without what the core has not reported yet

    uint64_t address = 0;     ///< the guest's, where it was found last
    uint64_t epoch = 0;       ///< that it was found in
    std::vector<Range> fresh; ///< what has been compared with guest memory since that began
    uint64_t entry = 0;       ///< the last entry point that has written to it

    /// The core reports a range; true if it has changed anything there.
    bool tell(uint32_t begin, uint32_t end);
    /// The outside has changed.
    void set(uint32_t begin, std::span<const std::byte> from);
};

/// By number, in the order in which they were first met.
class Pages {
public:
    uint32_t count() const { return uint32_t(pages_.size()); }
    Page& operator[](uint32_t number) { return *pages_[number]; }
    const Page& operator[](uint32_t number) const { return *pages_[number]; }
    /// The next number; most_pages are allowed. May throw std::bad_alloc.
    uint32_t add();

private:
    std::vector<std::unique_ptr<Page>> pages_;
};

/// What the core has found at guest addresses; what is found later replaces what was there.
class Places {
public:
    /// Null: nothing is known of this address.
    const Place* find(uint64_t address, bool write) const;
    /// Bytes from `address` on, in its page, of which nothing is known.
    uint64_t gap(uint64_t address, bool write) const;
    void add(const Place& place, bool write);

private:
    static uint64_t key_of(uint64_t address, bool write) {
        return address / page_bytes << 1 | write;
    }
    std::unordered_map<uint64_t, std::vector<Place>> places_;
};

} // namespace pixmill::capture
