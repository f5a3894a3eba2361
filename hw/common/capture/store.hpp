// Stores to memory that guest CPUs may write at the same time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pixmill::capture {

/// Stores `size` bytes (1, 2, 4 or 8) with a single access. `to` is aligned to `size`.
inline void store_at_once(std::byte* to, const std::byte* from, size_t size) {
    const auto store = [&]<class Word>(Word word) {
        std::memcpy(&word, from, sizeof word);
        std::atomic_ref(*reinterpret_cast<Word*>(to)).store(word, std::memory_order_relaxed);
    };
    switch (size) {
    case 1:
        return store(uint8_t());
    case 2:
        return store(uint16_t());
    case 4:
        return store(uint32_t());
    default:
        return store(uint64_t());
    }
}

/// Stores the bytes in which `now` differs from `before`. If several bytes of an aligned 8-byte
/// word differ, the smallest aligned unit that covers them is stored with a single access. All
/// three pointers must have the same alignment modulo 8.
inline void store_changes(std::byte* to, const std::byte* now, const std::byte* before,
                          size_t length) {
    for (size_t at = 0; at < length;) {
        const size_t lane = uintptr_t(to + at) % 8;
        const size_t count = std::min(8 - lane, length - at);
        if (std::memcmp(now + at, before + at, count) != 0) {
            size_t first = at, last = at + count - 1;
            while (now[first] == before[first])
                first++;
            while (now[last] == before[last])
                last--;
            size_t size = 1;
            while ((uintptr_t(to + first) ^ uintptr_t(to + last)) >= size)
                size *= 2;
            const size_t skip = uintptr_t(to + first) % size;
            if (skip <= first && first - skip + size <= length)
                store_at_once(to + first - skip, now + first - skip, size);
            else // the unit is partly out of range
                std::memcpy(to + first, now + first, last - first + 1);
        }
        at += count;
    }
}

} // namespace pixmill::capture
