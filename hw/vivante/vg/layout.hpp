// Layout of colors in pixel words, and conversion of blocks of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "kernels.hpp"

namespace pixmill::vivante::vg {

struct Layout {
    struct Bits {
        uint8_t shift = 0, width = 0; ///< a width of 0: not stored, reads as 255
    };
    uint8_t bytes = 0; ///< of a word; 0: the format does not exist
    bool luminance = false;
    std::array<Bits, 4> channel{};
    uint32_t filler = 0; ///< ones in place of X888's missing alpha (VD66)

    bool lossless() const;
    /// Only for words whose channels are bytes.
    ByteOrder byte_order() const;
};

/// Where a surface is, and what these must be multiples of; 1: no known rule.
struct Placement {
    uint32_t address, address_alignment;
    uint32_t stride, stride_alignment;
};

/// Decodes TARGET_CONFIG 3:0 and 5:4 (vg_lite.c convert_target_format). YUY2 and formats of other
/// cores have no layout.
Layout target_layout(uint32_t format, uint32_t swizzle);

void unpack(const Layout& layout, const Words& words, Pixels& to, size_t count);
/// `threshold`: dither threshold of each pixel, 0 to 15. Null truncates, as 15 does.
void pack(const Layout& layout, const Pixels& pixels, const uint8_t* threshold, Words& to,
          size_t count);

/// Load and store contiguous words of `bytes` bytes.
void load(const std::byte* from, unsigned bytes, Words& to, size_t count);
void store(const Words& from, unsigned bytes, std::byte* to, size_t count);

} // namespace pixmill::vivante::vg
