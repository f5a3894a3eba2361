// Pixel formats as data.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// A field of a pixel word, at most 8 bits wide. Width 0: the format lacks the channel.
struct Channel {
    uint8_t shift = 0;
    uint8_t width = 0;
    constexpr bool operator==(const Channel&) const = default;
};

/// An uncompressed RGB format. Working values are ARGB with 8 bits per channel and A in bits 31:24.
/// Reading widens a channel by replicating its high bits; a missing alpha reads as 255, a missing
/// color as 0. Writing keeps the high bits.
struct Format {
    const char* name = "";
    uint8_t bits = 0; ///< per pixel, at most 32; surfaces have 8, 16 or 32
    Channel alpha, red, green, blue;
    Channel padding; ///< X bits; written from the top bits of alpha

    constexpr uint32_t bytes() const { return bits / 8; }
    constexpr bool valid() const { return bits == 8 || bits == 16 || bits == 32; }
    /// True for surfaces that memory can hold. This includes plane samples of three bytes, which
    /// are not pixels.
    constexpr bool storable() const { return valid() || bits == 24; }
    constexpr bool operator==(const Format& o) const {
        return bits == o.bits && alpha == o.alpha && red == o.red && green == o.green &&
               blue == o.blue && padding == o.padding;
    }
};

/// Returns a format that has a pixel size, but no channels.
constexpr Format plain_format(uint32_t bytes, const char* name = "") {
    Format format;
    format.name = name;
    format.bits = uint8_t(8 * bytes);
    return format;
}

/// Order of the components from the most significant end of a pixel word.
enum class Swizzle : uint8_t { argb, rgba, abgr, bgra };

namespace formats {
inline constexpr Format x4r4g4b4{"X4R4G4B4", 16, {}, {8, 4}, {4, 4}, {0, 4}, {12, 4}};
inline constexpr Format a4r4g4b4{"A4R4G4B4", 16, {12, 4}, {8, 4}, {4, 4}, {0, 4}, {}};
inline constexpr Format x1r5g5b5{"X1R5G5B5", 16, {}, {10, 5}, {5, 5}, {0, 5}, {15, 1}};
inline constexpr Format a1r5g5b5{"A1R5G5B5", 16, {15, 1}, {10, 5}, {5, 5}, {0, 5}, {}};
inline constexpr Format r5g6b5{"R5G6B5", 16, {}, {11, 5}, {5, 6}, {0, 5}, {}};
inline constexpr Format x8r8g8b8{"X8R8G8B8", 32, {}, {16, 8}, {8, 8}, {0, 8}, {24, 8}};
inline constexpr Format a8r8g8b8{"A8R8G8B8", 32, {24, 8}, {16, 8}, {8, 8}, {0, 8}, {}};
inline constexpr Format a8{"A8", 8, {0, 8}, {}, {}, {}, {}};
} // namespace formats

/// Returns `format` with its components in the order of `swizzle`. Field widths move with their
/// components. For formats without alpha or padding, only the order of red and blue matters (argb
/// and rgba: red in the high bits; abgr and bgra: blue in the high bits). Formats without color are
/// returned unchanged.
constexpr Format with_swizzle(Format format, Swizzle swizzle) {
    if (!format.red.width)
        return format;
    const bool alpha_last = swizzle == Swizzle::rgba || swizzle == Swizzle::bgra;
    const bool blue_first = swizzle == Swizzle::abgr || swizzle == Swizzle::bgra;
    Channel* const alpha = format.alpha.width ? &format.alpha : &format.padding;
    Channel* const first = blue_first ? &format.blue : &format.red;
    Channel* const last = blue_first ? &format.red : &format.blue;
    Channel* const order[] = {alpha_last ? first : alpha, alpha_last ? &format.green : first,
                              alpha_last ? last : &format.green, alpha_last ? alpha : last};
    uint32_t below = format.bits;
    for (Channel* channel : order) {
        below -= channel->width;
        channel->shift = channel->width ? uint8_t(below) : 0;
    }
    return format;
}

/// Bit replication as arithmetic: the 8-bit value of a field is `field * multiply >> drop`.
struct Widening {
    uint32_t multiply = 0, drop = 0;
};

constexpr Widening widening(uint32_t width) {
    if (!width)
        return {};
    uint32_t multiply = 0, bits = 0;
    for (; bits < 8; bits += width)
        multiply |= 1u << bits;
    return {multiply, bits - 8};
}

/// Extracts the field `channel` of pixel word `raw`, widened to 8 bits.
constexpr uint32_t widened(Channel channel, uint32_t raw) {
    const uint32_t field = raw >> channel.shift & ((1u << channel.width) - 1);
    const Widening w = widening(channel.width);
    return field * w.multiply >> w.drop;
}

/// Moves the top bits of the 8-bit `value` to the position of `channel`.
constexpr uint32_t narrowed(Channel channel, uint32_t value) {
    return value >> (8 - channel.width) << channel.shift;
}

/// Converts the pixel word `raw` of `format` to ARGB.
constexpr uint32_t unpack(const Format& format, uint32_t raw) {
    const uint32_t alpha = format.alpha.width ? widened(format.alpha, raw) : 0xFF;
    return alpha << 24 | widened(format.red, raw) << 16 | widened(format.green, raw) << 8 |
           widened(format.blue, raw);
}

/// Converts ARGB to a pixel word of `format`.
constexpr uint32_t pack(const Format& format, uint32_t argb) {
    return narrowed(format.alpha, argb >> 24) | narrowed(format.padding, argb >> 24) |
           narrowed(format.red, argb >> 16 & 0xFF) | narrowed(format.green, argb >> 8 & 0xFF) |
           narrowed(format.blue, argb & 0xFF);
}

} // namespace pixmill::render
