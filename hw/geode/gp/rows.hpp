// Rows of operands that the loops work on.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/kernels/kernels.hpp"

namespace pixmill::geode {

/// Pixels that are drawn together at most.
constexpr uint32_t row_pixels = 512;

/// Pixel words or ARGB values, in the order in which they are processed.
using Words = std::array<uint32_t, row_pixels>;

/// Pixels as they are in memory.
using Bytes = std::array<std::byte, 4 * row_pixels>;

/// Memory that holds words is worked on where it is; null if they are not aligned.
inline uint32_t* words_at(std::byte* bytes) {
    const bool aligned = reinterpret_cast<uintptr_t>(bytes) % alignof(uint32_t) == 0;
    return aligned ? reinterpret_cast<uint32_t*>(bytes) : nullptr;
}
inline const uint32_t* words_at(const std::byte* bytes) {
    return words_at(const_cast<std::byte*>(bytes));
}

} // namespace pixmill::geode
