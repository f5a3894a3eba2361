// Layout of colors in the words of pixels, and conversion of blocks of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "kernels.hpp"

namespace pixmill::vivante::vg {

struct Layout {
    struct Bits {
        uint8_t shift = 0, width = 0; ///< width 0: not stored, reads as 255
    };
    uint8_t bytes = 0; ///< bytes per word; 0 if the format does not exist
    bool luminance = false;
    std::array<Bits, 4> channel{};
    uint32_t filler = 0; ///< bits that are always set, in place of the missing alpha of X888 (VD66)

    bool lossless() const;
    /// Must be called only if all channels of a word are bytes.
    ByteOrder byte_order() const;
};

/// Address and stride of a surface, and their required alignments in bytes. An alignment of 1 means
/// that no rule is known.
struct Placement {
    uint32_t address, address_alignment;
    uint32_t stride, stride_alignment;
};

/// Returns the layout for TARGET_CONFIG 3:0 and 5:4 (vg_lite.c convert_target_format). YUY2, and
/// formats of other cores, have no layout.
Layout target_layout(uint32_t format, uint32_t swizzle);

void unpack(const Layout& layout, const Words& words, Pixels& to, size_t count);
/// Converts pixels to words. `threshold` has the dither threshold of each pixel, 0 to 15. If it is
/// null, colors are truncated, as with a threshold of 15.
void pack(const Layout& layout, const Pixels& pixels, const uint8_t* threshold, Words& to,
          size_t count);

/// Load and store contiguous words of `bytes` bytes each.
void load(const std::byte* from, unsigned bytes, Words& to, size_t count);
void store(const Words& from, unsigned bytes, std::byte* to, size_t count);

} // namespace pixmill::vivante::vg
