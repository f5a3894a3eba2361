// What a master has written and the host does not know of yet.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/host.hpp"

namespace pixmill {

/// Merges small writes to a page: pieces of tiles are too many to report each. All that a master
/// writes passes mark(), by the byte.
class DirtyLog {
public:
    explicit DirtyLog(const Host& host) : host_(host) {}

    /// `length` bytes from a physical address on have been written; returns how often the host was
    /// called. Of a page, bytes between two that are marked may be reported too.
    unsigned mark(uint64_t address, uint64_t length);
    /// The host knows of all after this; returns how often it was called.
    unsigned flush();

private:
    static constexpr uint64_t page = 0x1000;

    struct Pending {
        uint64_t page = 0;           ///< its number
        uint32_t begin = 0, end = 0; ///< none if the end is 0
    };
    unsigned flush(Pending& pending);

    const Host& host_;
    std::array<Pending, 64> pending_; ///< by the low bits of the page's number
};

} // namespace pixmill
