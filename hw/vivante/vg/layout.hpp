// How the word of a pixel holds a color, for blocks of them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "kernels.hpp"

namespace pixmill::vivante::vg {

struct Layout {
    struct Bits {
        uint8_t shift = 0, width = 0; ///< without a width: not stored, reads as 255
    };
    uint8_t bytes = 0; ///< of a word; 0: there is no such format
    bool luminance = false;
    std::array<Bits, 4> channel{};
    uint32_t filler = 0; ///< ones where X888 has no alpha (VD66)

    bool lossless() const;
    /// Of words whose channels are bytes.
    ByteOrder byte_order() const;
};

/// TARGET_CONFIG 3:0 and 5:4 (vg_lite.c convert_target_format). YUY2 and the formats of other cores
/// are none.
Layout target_layout(uint32_t format, uint32_t swizzle);

void unpack(const Layout& layout, const Words& words, Pixels& to, size_t count);
/// `threshold`: of the dither, 0 to 15 for each pixel; null: bits are cut off, as 15 does.
void pack(const Layout& layout, const Pixels& pixels, const uint8_t* threshold, Words& to,
          size_t count);

/// Words of `bytes` bytes that follow each other.
void load(const std::byte* from, unsigned bytes, Words& to, size_t count);
void store(const Words& from, unsigned bytes, std::byte* to, size_t count);

} // namespace pixmill::vivante::vg
