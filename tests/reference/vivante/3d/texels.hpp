// Formats of textures: words and compressed blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "engine.hpp"

namespace pixmill::reference::vivante_3d {

enum class Coding { plain, packed_yuv, shared_exponent, ones, zeros, dxt, etc, eac };

struct TextureFormat {
    Coding coding = Coding::zeros;
    unsigned bytes = 4; ///< of a texel, or of a block of 4 x 4
    /// plain: red, green, blue, alpha; a color without bits is 0, such an alpha 1.
    std::array<Channel, 4> channels{};
    uint32_t code = 0; ///< what tells the compressed ones from one another

    bool is_block() const {
        return coding == Coding::dxt || coding == Coding::etc || coding == Coding::eac;
    }
};

/// Codes of FORMAT_EXT are those from here on.
constexpr uint32_t extended = 32;

/// CONFIG0.FORMAT, and CONFIG1.FORMAT_EXT if that is 0.
TextureFormat texture_format(uint32_t format, uint32_t format_ext);

/// Of a plain texel, or of YUV: `word` is the pair then, `odd` says which of them.
Vector decode_texel(const TextureFormat& format, uint32_t word, bool odd);

using Block = std::array<uint8_t, 16>;
/// Texel (x, y) of a compressed block.
Vector decode_block(const TextureFormat& format, const Block& block, unsigned x, unsigned y,
                    bool t_mode_exchanged);

} // namespace pixmill::reference::vivante_3d
