// Decodes compressed blocks of textures.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "formats.hpp"

namespace pixmill::vivante {

/// 4x4 texels in rows, with red in the low byte, then green, blue and alpha. In 11-bit texels red
/// starts at bit 0 and green at bit 16, biased by 1024 if signed.
using TexelBlock = std::array<uint32_t, 16>;

/// Decodes the 8 or 16 bytes of a block. `exchanges_t_colors` swaps the two base colors of ETC2's T
/// mode, as cores before HALTI1 do (Mesa 25.0 etnaviv_etc2.c patches blocks for them).
TexelBlock decode_block(Packing packing, const uint8_t* bytes, bool exchanges_t_colors);

} // namespace pixmill::vivante
