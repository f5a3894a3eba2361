// Formats of textures, as data.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// How texels lie in memory; what is not `words` becomes words of 32 bits when it is fetched.
enum class Packing : uint8_t {
    words,       ///< one of 8, 16 or 32 bits for each texel
    yuy2,        ///< two texels in 32 bits
    uyvy,        ///
    dxt1,        ///< and all that follow: blocks of 4 x 4
    dxt3,        ///
    dxt5,        ///
    etc1,        ///
    etc2,        ///
    etc2_punch,  ///< with one bit of alpha
    etc2_eac,    ///
    r11,         ///< EAC
    rg11,        ///
    signed_r11,  ///
    signed_rg11, ///
};

constexpr bool is_block(Packing packing) {
    return packing >= Packing::dxt1;
}

/// A channel of a texel: `width` bits of the word from bit `low` on; width 0: a constant.
struct Component {
    uint8_t low = 0, width = 0, constant = 0;
};

struct TextureFormat {
    const char* name = nullptr; ///< null: nothing that the GC2000 knows
    uint8_t bytes = 0;          ///< of a texel or a block; 0: memory is not read
    Packing packing = Packing::words;
    std::array<Component, 4> rgba{};
    /// Components are this much too large (values with a sign), and their largest value is as much
    /// smaller than the bits allow.
    uint16_t bias = 0;
};

/// The format of CONFIG0.FORMAT and CONFIG1.FORMAT_EXT.
const TextureFormat& texture_format(uint32_t format, uint32_t format_ext);

} // namespace pixmill::vivante
