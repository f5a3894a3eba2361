// Operations of the Vivante 2D engine on pixel values: format fields, color keys, raster
// operations, blending, and conversion between RGB and YUV. Nothing here accesses memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace reference::vivante {

/// Format codes shared by SRC_CONFIG, DEST_CONFIG and PATTERN_CONFIG (rnndb state_2d.xml,
/// DE_FORMAT).
enum Format : uint32_t {
    format_x4r4g4b4 = 0x00,
    format_a4r4g4b4 = 0x01,
    format_x1r5g5b5 = 0x02,
    format_a1r5g5b5 = 0x03,
    format_r5g6b5 = 0x04,
    format_x8r8g8b8 = 0x05,
    format_a8r8g8b8 = 0x06,
    format_yuy2 = 0x07,
    format_uyvy = 0x08,
    format_index8 = 0x09,
    format_monochrome = 0x0a,
    format_yv12 = 0x0f,
    format_a8 = 0x10,
    format_nv12 = 0x11,
    format_nv16 = 0x12,
    format_r8 = 0x14,
    format_undefined = 0x1f,
};

/// Returns bits high:low of a word.
constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return (word >> low) & static_cast<uint32_t>((uint64_t{1} << (high - low + 1)) - 1);
}

/// Return the low or high half of a word as a signed number.
constexpr int low_half(uint32_t word) {
    return static_cast<int16_t>(word & 0xffff);
}
constexpr int high_half(uint32_t word) {
    return static_cast<int16_t>(word >> 16);
}

/// Returns channel 0 to 3 of an ARGB word: blue, green, red, alpha.
constexpr int channel(uint32_t argb, unsigned index) {
    return static_cast<int>((argb >> (8 * index)) & 0xff);
}
constexpr uint32_t to_channel(int value, unsigned index) {
    return static_cast<uint32_t>(value) << (8 * index);
}
int clamp8(int64_t value);

struct Field {
    unsigned shift = 0;
    unsigned width = 0;
};

/// Positions of the channels in a pixel word, in the order of channel(). YUV formats have Y in red,
/// U in green and V in blue.
struct PixelLayout {
    std::array<Field, 4> fields{};
    bool padding = false; ///< the alpha field holds the X bits of a format without alpha
};

bool is_yuv(uint32_t format);
/// True if one memory word holds the color, which applies to the seven RGB formats, A8 and R8.
bool is_direct(uint32_t format);
bool has_alpha(uint32_t format);
bool loses_bits(uint32_t format);
/// Returns the bytes per pixel in the first plane, or 0 for undefined formats.
unsigned bytes_per_pixel(uint32_t format);
PixelLayout layout_of(uint32_t format, uint32_t swizzle);

uint32_t decode(const PixelLayout& layout, uint32_t raw);
/// With a `threshold` of 15, channels are never rounded up.
uint32_t pack(const PixelLayout& layout, uint32_t argb, unsigned threshold = 15);
/// True if every field of `raw` is between those of `low` and `high`.
bool in_range(const PixelLayout& layout, uint32_t raw, uint32_t low, uint32_t high);

enum RopType : uint32_t { rop2_pattern = 0, rop2_source = 1, rop3 = 2, rop4 = 3 };

/// Converts the truth table of a code to a ROP3 table.
uint32_t rop3_code(uint32_t type, uint32_t code);
uint32_t rop(uint32_t code, uint32_t destination, uint32_t source, uint32_t pattern);

/// Describes how to prepare one operand for blending.
struct BlendOperand {
    bool invert_alpha = false;
    uint32_t global_mode = 0; ///< 1: the alpha of `global` replaces the pixel's alpha; 2: scales it
    uint32_t global = 0;
    bool premultiply = false;
    uint32_t global_multiply = 0; ///< 1: by the alpha of `global`; 2: by its color
    uint32_t factor = 0;
    bool own_factor = false; ///< the factor is derived from this operand, not the other
};

struct Blend {
    bool enabled = false;
    BlendOperand source;
    BlendOperand destination;
    bool demultiply = false;
    bool demultiply_keeps_zero = false;
};

uint32_t blend(const Blend& how, uint32_t source, uint32_t destination);

enum class Standard { bt601, bt709, user, bt2020 };

struct Matrix {
    std::array<int64_t, 9> coefficients{};
    std::array<int64_t, 3> offsets{};
};

struct Conversion {
    Standard to_rgb = Standard::bt601;
    Standard to_yuv = Standard::bt601;
    bool clamp_user_input = false;
    bool gray = false;
    Matrix user_to_rgb;
    Matrix user_to_yuv;
};

/// Words have the layout that PixelLayout describes. Alpha is FF after a conversion from YUV.
uint32_t yuv_to_rgb(const Conversion& how, uint32_t yuv);
uint32_t rgb_to_yuv(const Conversion& how, uint32_t argb);
/// Swaps U and V.
uint32_t exchange_chroma(uint32_t yuv);

} // namespace reference::vivante
