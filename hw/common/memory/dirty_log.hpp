// Collects a bus master's writes, so that fewer calls report them to the host.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/host.hpp"

namespace pixmill {

/// Merges small writes to the same page. Without merging, a tiled surface would report every row of
/// a tile. Each byte that a master writes must be passed to mark().
class DirtyLog {
public:
    static constexpr uint64_t small = 512; ///< longer writes are rare enough to report individually

    /// Writes longer than `merged` bytes are reported immediately (0: all writes). Adds `call_cost`
    /// to `*cost` for each call to the host, if `cost` is not null.
    explicit DirtyLog(const Host& host, uint64_t merged = small, uint64_t* cost = nullptr,
                      uint64_t call_cost = 0)
        : host_(host), merged_(merged), cost_(cost), call_cost_(call_cost) {}

    /// Marks `length` bytes at a physical address dirty. Bytes between two dirty ranges of a page
    /// may also be reported as dirty.
    void mark(uint64_t address, uint64_t length) {
        const uint64_t number = address / page, begin = address % page;
        if (length > merged_ || begin + length > page)
            return report(address, length);
        const size_t slot = number % pending_.size();
        Pending& pending = pending_[slot];
        if (!(used_ >> slot & 1) || pending.page != number)
            return begin_page(slot, number, uint32_t(begin), uint32_t(begin + length));
        pending.begin = std::min(pending.begin, uint32_t(begin));
        pending.end = std::max(pending.end, uint32_t(begin + length));
    }
    /// Reports all pending ranges to the host.
    void flush();

private:
    static constexpr uint64_t page = 0x1000;

    struct Pending {
        uint64_t page = 0; ///< page number
        uint32_t begin = 0, end = 0;
    };
    void report(uint64_t address, uint64_t length) {
        host_.dirty(address, length);
        if (cost_)
            *cost_ += call_cost_;
    }
    void begin_page(size_t slot, uint64_t number, uint32_t begin, uint32_t end);
    void flush(size_t slot);

    const Host& host_;
    const uint64_t merged_;
    uint64_t* const cost_;
    const uint64_t call_cost_;
    uint64_t used_ = 0;               ///< bit mask of the entries of pending_ that are in use
    std::array<Pending, 64> pending_; ///< indexed by the low bits of the page number
};

} // namespace pixmill
