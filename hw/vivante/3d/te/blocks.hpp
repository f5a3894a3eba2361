// Compressed blocks of textures.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "formats.hpp"

namespace pixmill::vivante {

/// Texels of 4 x 4, row by row: red in the low byte, green, blue, alpha; of 11 bits, red from bit
/// 0 and green from bit 16 on, signed ones plus 1024.
using TexelBlock = std::array<uint32_t, 16>;

/// Decodes the 8 or 16 bytes of a block. `exchanges_t_colors`: the two base colors of ETC2's T mode
/// are taken in the wrong order, as cores before HALTI1 do. (Mesa 25.0 etnaviv_etc2.c patches
/// blocks for them.)
TexelBlock decode_block(Packing packing, const uint8_t* bytes, bool exchanges_t_colors);

} // namespace pixmill::vivante
