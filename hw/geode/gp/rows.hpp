// Rows of operands that the loops work on.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/kernels.hpp"

namespace pixmill::geode {

/// Pixels that are drawn together at most.
constexpr uint32_t row_pixels = 512;

/// Pixel words or ARGB values, in the order in which they are processed.
using Words = std::array<uint32_t, row_pixels>;

/// Pixels as they are in memory.
using Bytes = std::array<std::byte, 4 * row_pixels>;

} // namespace pixmill::geode
