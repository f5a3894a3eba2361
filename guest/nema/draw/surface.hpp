// Pixel formats and surfaces.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace nema {

enum class Format : uint8_t {
    RGBX8888 = 0x00,
    RGBA8888 = 0x01,
    XRGB8888 = 0x02,
    ARGB8888 = 0x03,
    RGB565 = 0x04,
    RGBA5551 = 0x05,
    RGBA4444 = 0x06,
    A8 = 0x08,
    L8 = 0x09,
    L1 = 0x0B,
    A1 = 0x0C,
    UYVY = 0x0D,
    ABGR8888 = 0x0E,
    XBGR8888 = 0x0F,
    BGRA8888 = 0x10,
    BGRX8888 = 0x11,
    TSC4 = 0x12,
    BGR565 = 0x13,
    TSC6 = 0x16,
    TSC6A = 0x17,
    RV = 0x18,
    GU = 0x19,
    BY = 0x1A,
    A1LE = 0x27,
    A2LE = 0x28,
    A4LE = 0x29,
    L1LE = 0x2A,
    L2LE = 0x2B,
    L4LE = 0x2C,
    A2 = 0x30,
    L2 = 0x31,
    A4 = 0x34,
    L4 = 0x35,
    RGB332 = 0x38,
    BGR24 = 0x39,
    RGB24 = 0x3C,
};

struct FormatInfo {
    Format format;
    const char* name;
    uint8_t bits;     // per pixel; for TSC, per column of four pixels
    bool destination; // true if the GPU can draw into it
};

std::span<const FormatInfo> formats();
const FormatInfo& info_of(Format format);
inline bool is_tsc(Format f) {
    return f == Format::TSC4 || f == Format::TSC6 || f == Format::TSC6A;
}

/// Texture mode bits.
inline constexpr uint8_t BILINEAR = 0x01;
inline constexpr uint8_t REPEAT = 0x04;
inline constexpr uint8_t BORDER = 0x08;
inline constexpr uint8_t MIRROR = 0x0C;
inline constexpr uint8_t MORTON = 0x10;
inline constexpr uint8_t UNIT = 0x20;
inline constexpr uint8_t BOTTOM_UP = 0x40;

struct Surface {
    uint32_t address = 0; // GPU address
    uint8_t* bytes = nullptr;
    Format format = Format::RGBA8888;
    uint16_t width = 0, height = 0;
    int32_t stride = 0; // in bytes; for TSC, of a row of blocks

    uint32_t rows() const { return is_tsc(format) ? (height + 3u) / 4 : height; }
    uint32_t size() const { return rows() * uint32_t(stride); }
    std::span<uint8_t> span() const { return {bytes, size()}; }
    uint32_t* row32(uint32_t y) const {
        return reinterpret_cast<uint32_t*>(bytes + y * uint32_t(stride));
    }
};

/// Returns the libraries' default stride.
int32_t natural_stride(Format format, uint32_t width);

constexpr uint32_t rgba(uint32_t r, uint32_t g, uint32_t b, uint32_t a = 255) {
    return r | g << 8 | b << 16 | a << 24;
}

} // namespace nema
