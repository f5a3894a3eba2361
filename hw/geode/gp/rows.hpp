// Buffers for rows of operands.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/kernels/kernels.hpp"

namespace pixmill::geode {

/// Maximum number of pixels that are drawn together.
constexpr uint32_t row_pixels = 512;

/// Pixel words or ARGB values, in drawing order.
using Words = std::array<uint32_t, row_pixels>;

/// Pixels in the format that they have in memory.
using Bytes = std::array<std::byte, 4 * row_pixels>;

/// Returns a pointer to `bytes` as words, or null if they are not aligned.
inline uint32_t* words_at(std::byte* bytes) {
    const bool aligned = reinterpret_cast<uintptr_t>(bytes) % alignof(uint32_t) == 0;
    return aligned ? reinterpret_cast<uint32_t*>(bytes) : nullptr;
}
inline const uint32_t* words_at(const std::byte* bytes) {
    return words_at(const_cast<std::byte*>(bytes));
}

} // namespace pixmill::geode
