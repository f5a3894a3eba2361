// Pixel formats of NEMA|GFX, and rows of their pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "nema/rows/kernels.hpp"
#include "render/format.hpp"
#include "tsc.hpp"

namespace pixmill::nema {

struct Format {
    enum class Kind : uint8_t {
        words, ///< a texel is a word of `layout.bits` bits
        uyvy,
        tsc,
    };
    uint8_t code = 0; ///< xxx_FSTRIDE[30:24]
    Kind kind = Kind::words;
    /// Luminance is red, green and blue in the same bits. Texels of less than a byte follow each
    /// other in bytes, those of three are little-endian, too.
    render::Format layout;
    bool destination = false;  ///< can be written, too
    bool first_on_top = false; ///< the first of several texels in a byte is in its highest bits
    Tsc tsc = Tsc::tsc4;

    constexpr const char* name() const { return layout.name; }
    constexpr uint32_t bits() const { return layout.bits; }
    /// Color comes from TEX_COLOR.
    constexpr bool alpha_only() const { return layout.alpha.width && !layout.red.width; }
    constexpr bool luminance() const {
        return layout.red.width && layout.red == layout.green && layout.red == layout.blue;
    }
    /// FSTRIDE[31] has an effect.
    constexpr bool dithers() const { return code >= 0x04 && code <= 0x06; }
};

/// How its pixels are words; nothing: in no way that a loop knows.
std::optional<WordOrder> word_order(const Format& format);

/// The format of `code`, or null if it is not known: then a texel is `unknown_texel`, and what is
/// written is dropped.
const Format* find_format(uint32_t code);
inline constexpr uint32_t unknown_texel = 0xFFFF00FF;

/// Texels as words of format.bits(), of UYVY 255, V, U and Y, to ARGB; for any format but TSC.
/// Colors that the format lacks altogether are those of `color`, an ARGB word.
void unpack(const Format& format, uint32_t color, uint32_t* to, const uint32_t* words,
            size_t count);
/// The word of a pixel of UYVY's four bytes, the second one if `odd`.
constexpr uint32_t uyvy_word(const std::byte* pair, bool odd) {
    return 0xFF000000 | uint32_t(pair[2]) << 16 | uint32_t(pair[0]) << 8 |
           uint32_t(pair[odd ? 3 : 1]);
}

/// `count` texels of a row, from number `first` of those that begin at `from` on, likewise.
void fetch(const Format& format, uint32_t color, uint32_t* to, const std::byte* from,
           uint64_t first, size_t count);

/// Adds to `pixels` of row y from x on what makes store() dither them. For formats that do.
void dither(const Format& format, uint32_t* pixels, size_t count, int32_t x, int32_t y);

/// Packs `count` pixels: keeps the high bits. For destinations but TSC.
void store(const Format& format, std::byte* to, const uint32_t* from, size_t count);

} // namespace pixmill::nema
