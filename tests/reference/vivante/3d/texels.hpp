// Texture formats: plain words and compressed blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "engine.hpp"

namespace pixmill::reference::vivante_3d {

enum class Coding { plain, packed_yuv, shared_exponent, ones, zeros, dxt, etc, eac };

struct TextureFormat {
    Coding coding = Coding::zeros;
    unsigned bytes = 4; ///< per texel, or per 4x4 block
    /// Channels of plain formats: red, green, blue, alpha. A missing color reads as 0, a missing
    /// alpha as 1, which is an integer in formats of integers.
    std::array<Channel, 4> channels{};
    Numbers numbers = Numbers::unorm; ///< of plain formats
    bool is_signed = false;           ///< extends the sign of integers
    uint32_t code = 0;                ///< distinguishes the compressed formats
    unsigned least_halti = 0;

    bool is_integer() const { return coding == Coding::plain && numbers == Numbers::integers; }

    bool is_block() const {
        return coding == Coding::dxt || coding == Coding::etc || coding == Coding::eac;
    }
};

/// Offset of FORMAT_EXT codes.
constexpr uint32_t extended = 32;
constexpr uint32_t depth_stencil = extended + 34; ///< D24S8

/// Returns the format of the stencil in D24S8.
TextureFormat stencil_format();

/// Returns the format in CONFIG0.FORMAT, or in CONFIG1.FORMAT_EXT if the former is 0.
TextureFormat texture_format(uint32_t format, uint32_t format_ext, unsigned halti = 0);

/// Returns what a missing alpha and the swizzle ONE are.
float one_of(const TextureFormat& format);

/// Decodes a plain texel or one texel of a YUV pair. For YUV, `word` holds the pair and `odd`
/// selects the texel.
Vector decode_texel(const TextureFormat& format, uint64_t word, bool odd);

using Block = std::array<uint8_t, 16>;
/// Decodes texel (x, y) of a compressed block.
Vector decode_block(const TextureFormat& format, const Block& block, unsigned x, unsigned y,
                    bool t_mode_exchanged);

} // namespace pixmill::reference::vivante_3d
