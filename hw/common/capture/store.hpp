// Stores to memory that others write at the same time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pixmill::capture {

/// Stores `size` bytes, a power of two up to 8, at once; `to` is aligned to it.
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

/// Stores those of `length` bytes in which `now` and `before` differ; where several of a word do,
/// the least aligned part that has them all, at once. All three lie alike modulo 8.
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
            else // a part of it is not ours
                std::memcpy(to + first, now + first, last - first + 1);
        }
        at += count;
    }
}

} // namespace pixmill::capture
