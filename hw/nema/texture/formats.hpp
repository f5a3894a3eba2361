// Pixel formats of NEMA|GFX, and conversion of their rows.
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
    /// Luminance is described as red, green and blue in the same bits. Texels smaller than a byte
    /// are packed, and three-byte texels are little-endian.
    render::Format layout;
    bool destination = false;  ///< format can also be written
    bool first_on_top = false; ///< the first texel in a byte is in its highest bits
    Tsc tsc = Tsc::tsc4;

    constexpr const char* name() const { return layout.name; }
    constexpr uint32_t bits() const { return layout.bits; }
    /// True if color comes from TEX_COLOR.
    constexpr bool alpha_only() const { return layout.alpha.width && !layout.red.width; }
    constexpr bool luminance() const {
        return layout.red.width && layout.red == layout.green && layout.red == layout.blue;
    }
    /// True if FSTRIDE[31] has an effect.
    constexpr bool dithers() const { return code >= 0x04 && code <= 0x06; }
};

/// Returns the channel order of the format's words, or nothing if no blend loop supports the
/// format.
std::optional<WordOrder> word_order(const Format& format);

/// Returns the layout of a format that MaskKernel supports, or nothing for all others.
std::optional<MaskFormat> mask_format(const Format& format);

/// Returns the format with code `code`, or null if it is unknown. Texels of an unknown format read
/// as `unknown_texel`, and writes to it are dropped.
const Format* find_format(uint32_t code);
inline constexpr uint32_t unknown_texel = 0xFFFF00FF;

/// Converts words of format.bits() to ARGB, for all formats except TSC. UYVY words hold 255, V, U
/// and Y. If the format has no color channels, the result has the color of `color`, an ARGB word.
void unpack(const Format& format, uint32_t color, uint32_t* to, const uint32_t* words,
            size_t count);
/// Returns the word of the first pixel of a UYVY pair, or of the second pixel if `odd`.
constexpr uint32_t uyvy_word(const std::byte* pair, bool odd) {
    return 0xFF000000 | uint32_t(pair[2]) << 16 | uint32_t(pair[0]) << 8 |
           uint32_t(pair[odd ? 3 : 1]);
}

/// Converts `count` texels of the row at `from` to ARGB, starting with texel `first`.
void fetch(const Format& format, uint32_t color, uint32_t* to, const std::byte* from,
           uint64_t first, size_t count);

/// Adds dither to `pixels`, which start at (x, y), before store() truncates them. Requires
/// format.dithers().
void dither(const Format& format, uint32_t* pixels, size_t count, int32_t x, int32_t y);

/// Packs `count` pixels, keeping the high bits of each channel. For destination formats except TSC.
void store(const Format& format, std::byte* to, const uint32_t* from, size_t count);

} // namespace pixmill::nema
