// Pixel formats as data.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// A field of a pixel word. width 0: the format lacks the channel.
struct Channel {
    uint8_t shift = 0;
    uint8_t width = 0;
    constexpr bool operator==(const Channel&) const = default;
};

/// An uncompressed RGB layout. The working value of the core is ARGB, 8 bits a
/// channel, A in bits 31:24. Reading expands by replicating high bits, a
/// missing alpha reads as 255; writing keeps the high bits.
struct Format {
    const char* name = "";
    uint8_t bits = 0; ///< per pixel: 8, 16 or 32
    Channel alpha, red, green, blue;
    Channel padding; ///< X bits; written from the top bits of alpha

    constexpr uint32_t bytes() const { return bits / 8; }
    constexpr bool operator==(const Format& o) const {
        return bits == o.bits && alpha == o.alpha && red == o.red && green == o.green &&
               blue == o.blue && padding == o.padding;
    }
};

/// Names the components of a pixel word from its most significant end.
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

/// `format` with its components in the order of `swizzle`; field widths move
/// with their components. Formats without alpha or padding only know the order
/// of red and blue (argb and rgba: red on top; abgr and bgra: blue on top).
constexpr Format with_swizzle(Format format, Swizzle swizzle);

/// The pixel word `raw` of `format` as ARGB.
constexpr uint32_t unpack(const Format& format, uint32_t raw);

/// ARGB as a pixel word of `format`.
constexpr uint32_t pack(const Format& format, uint32_t argb);

} // namespace pixmill::render
