// Pixel values of the Vivante 2D engine: fields, keys, raster operations, blending, YUV.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixels.hpp"

#include <algorithm>

namespace reference::vivante {

namespace {

constexpr unsigned blue = 0;
constexpr unsigned green = 1;
constexpr unsigned red = 2;
constexpr unsigned alpha = 3;

struct FormatEntry {
    uint32_t format;
    unsigned bytes;
    std::array<unsigned, 4> widths; ///< blue, green, red, alpha
    bool padding;
    bool swizzled;
};

/// Components from rnndb state_2d.xml; their widths follow from the format names. An INDEX8 pixel
/// has a single blue field, so a key can be compared with its index.
constexpr std::array formats{
    FormatEntry{format_x4r4g4b4, 2, {4, 4, 4, 4}, true, true},
    FormatEntry{format_a4r4g4b4, 2, {4, 4, 4, 4}, false, true},
    FormatEntry{format_x1r5g5b5, 2, {5, 5, 5, 1}, true, true},
    FormatEntry{format_a1r5g5b5, 2, {5, 5, 5, 1}, false, true},
    FormatEntry{format_r5g6b5, 2, {5, 6, 5, 0}, false, true},
    FormatEntry{format_x8r8g8b8, 4, {8, 8, 8, 8}, true, true},
    FormatEntry{format_a8r8g8b8, 4, {8, 8, 8, 8}, false, true},
    FormatEntry{format_yuy2, 2, {8, 8, 8, 0}, false, false},
    FormatEntry{format_uyvy, 2, {8, 8, 8, 0}, false, false},
    FormatEntry{format_index8, 1, {8, 0, 0, 0}, false, false},
    FormatEntry{format_yv12, 1, {8, 8, 8, 0}, false, false},
    FormatEntry{format_a8, 1, {0, 0, 0, 8}, false, false},
    FormatEntry{format_nv12, 1, {8, 8, 8, 0}, false, false},
    FormatEntry{format_nv16, 1, {8, 8, 8, 0}, false, false},
    FormatEntry{format_r8, 1, {0, 0, 8, 0}, false, false},
};

const FormatEntry* find_format(uint32_t format) {
    for (const FormatEntry& entry : formats) {
        if (entry.format == format)
            return &entry;
    }
    return nullptr;
}

/// Order of the components from the most significant end, for each SWIZZLE value.
constexpr std::array<std::array<unsigned, 4>, 4> swizzles{{
    {alpha, red, green, blue},
    {red, green, blue, alpha},
    {alpha, blue, green, red},
    {blue, green, red, alpha},
}};

/// Fills the low bits by repeating the top bits; gcbv and nano2D do this for colors, too ("add
/// lower bits").
uint32_t expand(uint32_t value, unsigned width) {
    if (width == 1)
        return value != 0 ? 0xff : 0;
    if (width == 4)
        return value * 17;
    if (width == 5)
        return (value << 3) | (value >> 2);
    if (width == 6)
        return (value << 2) | (value >> 4);
    return value;
}

/// Drops the low bits of a channel and rounds up if they exceed the dither threshold.
uint32_t quantize(uint32_t value, unsigned width, unsigned threshold) {
    const unsigned dropped = 8 - width;
    const uint32_t kept = value >> dropped;
    const uint32_t rest = value & ((1u << dropped) - 1);
    const uint32_t sixteenths = dropped <= 4 ? rest << (4 - dropped) : rest >> (dropped - 4);
    const uint32_t largest = (1u << width) - 1;
    if (sixteenths > threshold && kept < largest)
        return kept + 1;
    return kept;
}

uint32_t field_of(const Field& field, uint32_t raw) {
    return (raw >> field.shift) & ((1u << field.width) - 1);
}

} // namespace

int clamp8(int64_t value) {
    return static_cast<int>(std::clamp<int64_t>(value, 0, 255));
}

bool is_yuv(uint32_t format) {
    return format == format_yuy2 || format == format_uyvy || format == format_yv12 ||
           format == format_nv12 || format == format_nv16;
}

bool is_direct(uint32_t format) {
    return format <= format_a8r8g8b8 || format == format_a8 || format == format_r8;
}

bool has_alpha(uint32_t format) {
    return format == format_a4r4g4b4 || format == format_a1r5g5b5 || format == format_a8r8g8b8 ||
           format == format_a8 || format == format_index8;
}

bool loses_bits(uint32_t format) {
    return format <= format_r5g6b5;
}

unsigned bytes_per_pixel(uint32_t format) {
    const FormatEntry* entry = find_format(format);
    return entry != nullptr ? entry->bytes : 0;
}

PixelLayout layout_of(uint32_t format, uint32_t swizzle) {
    PixelLayout layout;
    const FormatEntry* entry = find_format(format);
    if (entry == nullptr)
        return layout;
    unsigned shift = 0;
    for (unsigned width : entry->widths)
        shift += width;
    for (unsigned component : swizzles[entry->swizzled ? swizzle : 0]) {
        const unsigned width = entry->widths[component];
        shift -= width;
        layout.fields[component] = {shift, width};
    }
    layout.padding = entry->padding;
    return layout;
}

uint32_t decode(const PixelLayout& layout, uint32_t raw) {
    uint32_t argb = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const Field& field = layout.fields[i];
        uint32_t value = expand(field_of(field, raw), field.width);
        if (i == alpha && (layout.padding || field.width == 0))
            value = 0xff;
        argb |= value << (8 * i);
    }
    return argb;
}

uint32_t pack(const PixelLayout& layout, uint32_t argb, unsigned threshold) {
    uint32_t raw = 0;
    for (unsigned i = 0; i < 4; ++i) {
        const Field& field = layout.fields[i];
        if (field.width == 0)
            continue;
        const bool is_padding = i == alpha && layout.padding;
        const uint32_t value = (argb >> (8 * i)) & 0xff;
        raw |= quantize(value, field.width, is_padding ? 15 : threshold) << field.shift;
    }
    return raw;
}

bool in_range(const PixelLayout& layout, uint32_t raw, uint32_t low, uint32_t high) {
    bool compared = false;
    for (unsigned i = 0; i < 4; ++i) {
        const Field& field = layout.fields[i];
        if (field.width == 0 || (i == alpha && layout.padding))
            continue;
        compared = true;
        const uint32_t value = field_of(field, raw);
        if (value < field_of(field, low) || value > field_of(field, high))
            return false;
    }
    return compared;
}

uint32_t rop3_code(uint32_t type, uint32_t code) {
    if (type == rop3 || type == rop4)
        return code & 0xff;
    uint32_t result = 0;
    for (unsigned index = 0; index < 8; ++index) {
        const unsigned destination = index & 1;
        const unsigned source = (index >> 1) & 1;
        const unsigned pattern = (index >> 2) & 1;
        const unsigned other = type == rop2_pattern ? pattern : source;
        result |= ((code >> (destination + 2 * other)) & 1) << index;
    }
    return result;
}

uint32_t rop(uint32_t code, uint32_t destination, uint32_t source, uint32_t pattern) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned index =
            ((destination >> i) & 1) | (((source >> i) & 1) << 1) | (((pattern >> i) & 1) << 2);
        result |= ((code >> index) & 1) << i;
    }
    return result;
}

namespace {

/// Returns a * b / 255, rounded to nearest. The silicon's rounding is undocumented.
int multiply8(int a, int b) {
    const int t = a * b + 128;
    return (t + (t >> 8)) >> 8;
}

uint32_t prepare(const BlendOperand& how, uint32_t pixel) {
    const int global_alpha = channel(how.global, alpha);
    int a = channel(pixel, alpha);
    if (how.invert_alpha)
        a = 255 - a;
    uint32_t result = 0;
    for (unsigned i = blue; i <= red; ++i) {
        int c = channel(pixel, i);
        if (how.premultiply)
            c = multiply8(c, a);
        if (how.global_multiply == 1)
            c = multiply8(c, global_alpha);
        if (how.global_multiply == 2)
            c = multiply8(c, channel(how.global, i));
        result |= to_channel(c, i);
    }
    if (how.global_mode == 1)
        a = global_alpha;
    if (how.global_mode == 2)
        a = multiply8(a, global_alpha);
    return result | to_channel(a, alpha);
}

/// gcreg.h names the modes. The factor comes from the other operand, which makes ONE / INVERSED the
/// "over" operator in every driver.
int factor(const BlendOperand& how, uint32_t own, uint32_t other, unsigned i) {
    const uint32_t from = how.own_factor ? own : other;
    switch (how.factor) {
    case 0:
        return 0;
    case 1:
        return 255;
    case 2:
        return channel(from, alpha);
    case 3:
        return 255 - channel(from, alpha);
    case 4:
        return channel(from, i);
    case 5:
        return 255 - channel(from, i);
    case 6:
        return i == alpha ? 255 : std::min(channel(own, alpha), 255 - channel(other, alpha));
    default:
        return i == alpha ? 255 : std::min(channel(other, alpha), 255 - channel(own, alpha));
    }
}

uint32_t demultiply(uint32_t argb, bool keeps_zero) {
    const int a = channel(argb, alpha);
    if (a == 0)
        return keeps_zero ? argb : 0;
    uint32_t result = to_channel(a, alpha);
    for (unsigned i = blue; i <= red; ++i)
        result |= to_channel(clamp8((channel(argb, i) * 255 + a / 2) / a), i);
    return result;
}

} // namespace

uint32_t blend(const Blend& how, uint32_t source, uint32_t destination) {
    const uint32_t s = prepare(how.source, source);
    const uint32_t d = prepare(how.destination, destination);
    uint32_t result = 0;
    for (unsigned i = blue; i <= alpha; ++i) {
        const int from_source = multiply8(channel(s, i), factor(how.source, s, d, i));
        const int from_destination = multiply8(channel(d, i), factor(how.destination, d, s, i));
        result |= to_channel(clamp8(from_source + from_destination), i);
    }
    return how.demultiply ? demultiply(result, how.demultiply_keeps_zero) : result;
}

namespace {

/// The rows are for R, G and B and apply to Y - 16, U - 128 and V - 128. Sources: etna_viv
/// doc/2d.md and the tables of the vendor's unit tests. The last matrix, BT.2020, is the usual
/// 8-bit form of that standard.
constexpr std::array<int64_t, 9> rgb_by_601{298, 0, 410, 298, -101, -209, 298, 519, 0};
constexpr std::array<int64_t, 9> rgb_by_709{298, 0, 461, 298, -55, -137, 298, 543, 0};
constexpr std::array<int64_t, 9> rgb_by_2020{298, 0, 430, 298, -48, -167, 298, 548, 0};

/// The rows are for Y, U and V and apply to R, G and B; these are the usual 8-bit forms. The test
/// image of th1520-g2d agrees with the second matrix.
constexpr std::array<int64_t, 9> yuv_by_601{66, 129, 25, -38, -74, 112, 112, -94, -18};
constexpr std::array<int64_t, 9> yuv_by_709{47, 157, 16, -26, -86, 112, 112, -102, -10};

int64_t row(const std::array<int64_t, 9>& matrix, unsigned index, int64_t a, int64_t b, int64_t c) {
    return matrix[3 * index] * a + matrix[3 * index + 1] * b + matrix[3 * index + 2] * c;
}

const std::array<int64_t, 9>& rgb_matrix(Standard standard) {
    if (standard == Standard::bt709)
        return rgb_by_709;
    if (standard == Standard::bt2020)
        return rgb_by_2020;
    return rgb_by_601;
}

uint32_t from_channels(int top, int middle, int bottom) {
    return 0xff000000 | to_channel(top, 2) | to_channel(middle, 1) | to_channel(bottom, 0);
}

} // namespace

uint32_t yuv_to_rgb(const Conversion& how, uint32_t yuv) {
    int y = channel(yuv, 2);
    int u = how.gray ? 128 : channel(yuv, 1);
    int v = how.gray ? 128 : channel(yuv, 0);
    const bool user = how.to_rgb == Standard::user;
    if (!user || how.clamp_user_input) {
        y = std::clamp(y, 16, 235);
        u = std::clamp(u, 16, 240);
        v = std::clamp(v, 16, 240);
    }
    std::array<int, 3> rgb{};
    for (unsigned i = 0; i < 3; ++i) {
        const int64_t sum =
            user ? row(how.user_to_rgb.coefficients, i, y, u, v) + how.user_to_rgb.offsets[i]
                 : row(rgb_matrix(how.to_rgb), i, y - 16, u - 128, v - 128);
        rgb[i] = clamp8((sum + 128) >> 8);
    }
    return from_channels(rgb[0], rgb[1], rgb[2]);
}

uint32_t rgb_to_yuv(const Conversion& how, uint32_t argb) {
    const int r = channel(argb, red);
    const int g = channel(argb, green);
    const int b = channel(argb, blue);
    std::array<int, 3> yuv{};
    for (unsigned i = 0; i < 3; ++i) {
        if (how.to_yuv == Standard::user) {
            // Coefficients are scaled by 1024 and offsets by 4096 (nano2D's tables).
            const int64_t sum = row(how.user_to_yuv.coefficients, i, r, g, b);
            yuv[i] = clamp8((4 * sum + how.user_to_yuv.offsets[i]) >> 12);
            continue;
        }
        const auto& matrix = how.to_yuv == Standard::bt601 ? yuv_by_601 : yuv_by_709;
        yuv[i] = clamp8(((row(matrix, i, r, g, b) + 128) >> 8) + (i == 0 ? 16 : 128));
    }
    return from_channels(yuv[0], yuv[1], yuv[2]);
}

uint32_t exchange_chroma(uint32_t yuv) {
    return (yuv & 0xffff0000) | ((yuv & 0xff) << 8) | ((yuv >> 8) & 0xff);
}

} // namespace reference::vivante
