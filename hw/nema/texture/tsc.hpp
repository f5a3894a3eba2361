// TSC: Think Silicon's compressed 4x4 blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pixmill::nema {

enum class Tsc : uint8_t { tsc4, tsc6, tsc6a };

inline constexpr uint32_t tsc_side = 4;

/// Returns the number of bytes per block of 16 pixels.
constexpr uint32_t block_bytes(Tsc tsc) {
    return tsc == Tsc::tsc4 ? 8 : 12;
}

/// Decodes a block of block_bytes() to ARGB, row by row.
void decode(Tsc tsc, const std::byte* from, std::span<uint32_t, 16> argb);
/// Encodes a block, with loss. Silicon's choice of colors is undocumented.
void encode(Tsc tsc, std::span<const uint32_t, 16> argb, std::byte* to);

} // namespace pixmill::nema
