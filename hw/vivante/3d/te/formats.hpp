// Texture formats.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// Storage of texels. All texels but `words` and `numbers` are converted to 32-bit words when
/// fetched.
enum class Packing : uint8_t {
    words,   ///< 8, 16 or 32 bits per texel
    numbers, ///< 8 to 64 bits per texel, with channels of TextureFormat::number; see numbers.hpp
    yuy2,    ///< two texels in 32 bits
    uyvy,
    dxt1, ///< 4x4 blocks, like all below
    dxt3,
    dxt5,
    etc1,
    etc2,
    etc2_punch, ///< with one bit of alpha
    etc2_eac,
    r11, ///< EAC, like all below
    rg11,
    signed_r11,
    signed_rg11,
};

constexpr bool is_block(Packing packing) {
    return packing >= Packing::dxt1;
}

/// A channel of a texel: `width` bits of the word, starting at bit `low`, or a constant if `width`
/// is 0.
struct Component {
    uint8_t low = 0, width = 0, constant = 0;
};

/// Meaning of a channel's bits, for Packing::numbers.
enum class TexelNumber : uint8_t {
    snorm,
    half,
    single,          ///< 32 bits, raw
    small_float,     ///< 5 bits of exponent, no sign
    shared_exponent, ///< 9-bit fractions, and 5 bits of exponent in the highest bits
    integer,         ///< signed or unsigned, as Sampler tells
};

struct TextureFormat {
    const char* name = nullptr; ///< null if the core does not have the format
    uint8_t bytes = 0;          ///< per texel or block; 0 if memory is not read
    Packing packing = Packing::words;
    std::array<Component, 4> rgba{};
    /// Bias of signed components. Their largest value is bias - 1.
    uint16_t bias = 0;
    TexelNumber number = TexelNumber::snorm; ///< for Packing::numbers

    bool is_integer() const {
        return packing == Packing::numbers && number == TexelNumber::integer;
    }
};

/// Returns the format that CONFIG0.FORMAT and CONFIG1.FORMAT_EXT select.
const TextureFormat& texture_format(uint32_t format, uint32_t format_ext, bool halti2 = false);
/// The stencil of D24S8 textures, as an integer.
const TextureFormat& stencil_format();

} // namespace pixmill::vivante
