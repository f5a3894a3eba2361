// Finds runs of pixels that are drawn.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pixmill::render {

/// Returns the index of the first byte at or after i that is not `value`. All bytes are 0xFF or 0.
inline size_t first_other(const std::byte* bytes, size_t i, size_t length, uint8_t value) {
    const uint64_t all = value * 0x0101010101010101u;
    const auto others = [&](size_t at) {
        uint64_t word;
        std::memcpy(&word, bytes + at, sizeof word);
        return word ^ all;
    };
    while (i + 32 <= length && !(others(i) | others(i + 8) | others(i + 16) | others(i + 24)))
        i += 32;
    for (; i + 8 <= length; i += 8)
        if (const uint64_t word = others(i))
            return i + unsigned(std::countr_zero(word)) / 8;
    while (i < length && uint8_t(bytes[i]) == value)
        i++;
    return i;
}

/// Calls draw(first, length) for each run of bytes that are not transparent, until a call returns
/// false. `transparent` has a byte, 0xFF or 0, for each byte of the pixels; null means that all
/// pixels are opaque.
template<class Draw>
bool each_opaque_run(const std::byte* transparent, size_t length, Draw draw) {
    if (!transparent)
        return draw(size_t(0), length);
    for (size_t i = 0; i < length;) {
        const size_t first = first_other(transparent, i, length, 0xFF);
        i = first_other(transparent, first, length, 0);
        if (i > first && !draw(first, i - first))
            return false;
    }
    return true;
}

} // namespace pixmill::render
