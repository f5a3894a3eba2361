// Uncompressed texture formats.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "texels.hpp"

#include <bit>
#include <cmath>

namespace pixmill::reference::vivante_3d {

namespace {

constexpr Channel none{};

struct Row {
    uint32_t code;
    TextureFormat format;
};

constexpr TextureFormat plain(unsigned bytes, Channel r, Channel g, Channel b, Channel a) {
    return {.coding = Coding::plain, .bytes = bytes, .channels = {r, g, b, a}};
}
constexpr TextureFormat compressed(Coding coding, unsigned bytes, uint32_t code) {
    return {.coding = coding, .bytes = bytes, .code = code};
}
/// Channels of `width` bits, from the low end of the word.
constexpr TextureFormat uniform(unsigned channels, unsigned width, Numbers numbers,
                                unsigned least_halti) {
    TextureFormat format{.coding = Coding::plain, .bytes = channels * width / 8};
    for (unsigned c = 0; c < channels; c++)
        format.channels[c] = {width * c, width};
    format.numbers = numbers;
    format.least_halti = least_halti;
    return format;
}
constexpr TextureFormat special(Numbers numbers, Channel r, Channel g, Channel b, Channel a) {
    TextureFormat format = plain(4, r, g, b, a);
    format.numbers = numbers;
    format.least_halti = 2;
    return format;
}
constexpr TextureFormat d24s8() {
    TextureFormat format = plain(4, {8, 24}, {8, 24}, {8, 24}, none);
    format.code = depth_stencil;
    format.least_halti = 5;
    return format;
}
constexpr TextureFormat x8_snorm() {
    TextureFormat format = uniform(4, 8, Numbers::snorm, 1);
    format.channels[3] = {};
    return format;
}

constexpr Row rows[] = {
    {1, plain(1, none, none, none, {0, 8})},                    // A8
    {2, plain(1, {0, 8}, {0, 8}, {0, 8}, none)},                // L8
    {3, plain(1, {0, 8}, {0, 8}, {0, 8}, {0, 8})},              // I8
    {4, plain(2, {0, 8}, {0, 8}, {0, 8}, {8, 8})},              // A8L8
    {5, plain(2, {8, 4}, {4, 4}, {0, 4}, {12, 4})},             // A4R4G4B4
    {6, plain(2, {8, 4}, {4, 4}, {0, 4}, none)},                // X4R4G4B4
    {7, plain(4, {16, 8}, {8, 8}, {0, 8}, {24, 8})},            // A8R8G8B8
    {8, plain(4, {16, 8}, {8, 8}, {0, 8}, none)},               // X8R8G8B8
    {9, plain(4, {0, 8}, {8, 8}, {16, 8}, {24, 8})},            // A8B8G8R8
    {10, plain(4, {0, 8}, {8, 8}, {16, 8}, none)},              // X8B8G8R8
    {11, plain(2, {11, 5}, {5, 6}, {0, 5}, none)},              // R5G6B5
    {12, plain(2, {10, 5}, {5, 5}, {0, 5}, {15, 1})},           // A1R5G5B5
    {13, plain(2, {10, 5}, {5, 5}, {0, 5}, none)},              // X1R5G5B5
    {14, compressed(Coding::packed_yuv, 2, 14)},                // YUY2
    {15, compressed(Coding::packed_yuv, 2, 15)},                // UYVY
    {16, plain(2, {0, 16}, {0, 16}, {0, 16}, none)},            // D16
    {17, plain(4, {8, 24}, {8, 24}, {8, 24}, none)},            // D24X8
    {18, compressed(Coding::ones, 4, 18)},                      //
    {19, compressed(Coding::dxt, 8, 19)},                       // DXT1
    {20, compressed(Coding::dxt, 16, 20)},                      // DXT2_DXT3
    {21, compressed(Coding::dxt, 16, 21)},                      // DXT4_DXT5
    {29, compressed(Coding::shared_exponent, 4, 29)},           // E5B9G9R9
    {30, compressed(Coding::etc, 8, 30)},                       // ETC1
    {extended + 0, compressed(Coding::etc, 8, extended + 0)},   // RGB8_ETC2
    {extended + 1, compressed(Coding::etc, 8, extended + 1)},   // PUNCHTHROUGH
    {extended + 2, compressed(Coding::etc, 16, extended + 2)},  // RGBA8_ETC2_EAC
    {extended + 3, compressed(Coding::eac, 8, extended + 3)},   // R11_EAC
    {extended + 4, compressed(Coding::eac, 16, extended + 4)},  // RG11_EAC
    {extended + 5, compressed(Coding::eac, 16, extended + 5)},  // SIGNED_RG11_EAC
    {extended + 13, compressed(Coding::eac, 8, extended + 13)}, // SIGNED_R11_EAC
    {extended + 7, uniform(1, 16, Numbers::half_float, 2)},     // R16F
    {extended + 8, uniform(2, 16, Numbers::half_float, 2)},     // G16R16F
    {extended + 9, uniform(4, 16, Numbers::half_float, 2)},     // A16B16G16R16F
    {extended + 10, uniform(1, 32, Numbers::words, 2)},         // R32F
    {extended + 11, uniform(2, 32, Numbers::words, 2)},         // G32R32F
    {extended + 14, uniform(1, 8, Numbers::snorm, 1)},          // R8_SNORM
    {extended + 15, uniform(2, 8, Numbers::snorm, 1)},          // G8R8_SNORM
    {extended + 16, x8_snorm()},                                // X8B8G8R8_SNORM
    {extended + 17, uniform(4, 8, Numbers::snorm, 1)},          // A8B8G8R8_SNORM
    {extended + 21, uniform(1, 8, Numbers::integers, 2)},       // R8I
    {extended + 22, uniform(2, 8, Numbers::integers, 2)},       // G8R8I
    {extended + 23, uniform(4, 8, Numbers::integers, 2)},       // A8B8G8R8I
    {extended + 24, uniform(1, 16, Numbers::integers, 2)},      // R16I
    {extended + 25, uniform(2, 16, Numbers::integers, 2)},      // G16R16I
    {extended + 26, uniform(4, 16, Numbers::integers, 2)},      // A16B16G16R16I
    {extended + 27, special(Numbers::small_float, {0, 11}, {11, 11}, {22, 10}, none)}, // B10G11R11F
    {extended + 28,
     special(Numbers::integers, {0, 10}, {10, 10}, {20, 10}, {30, 2})}, // 2_10_10_10UI
    {extended + 33, uniform(1, 8, Numbers::unorm, 5)},                  // R8
    {depth_stencil, d24s8()},                                           // D24S8
    {extended + 35, uniform(1, 32, Numbers::integers, 5)},              // R32I
    {extended + 36, uniform(2, 32, Numbers::integers, 5)},              // G32R32I
    {extended + 6, plain(2, {0, 8}, {8, 8}, none, none)},               // G8R8
    {extended + 12, plain(4, {0, 10}, {10, 10}, {20, 10}, {30, 2})},    // A2B10G10R10
};

/// Extends the sign of an integer.
uint32_t with_sign(uint32_t raw, unsigned width) {
    return static_cast<uint32_t>(static_cast<int32_t>(raw << (32 - width)) >> (32 - width));
}

Vector decode_plain(const TextureFormat& format, uint64_t word) {
    Vector color = {0, 0, 0, one_of(format)};
    for (unsigned c = 0; c < 4; c++)
        if (const Channel& channel = format.channels[c]; channel.width) {
            const auto raw = static_cast<uint32_t>(word >> channel.shift & largest(channel.width));
            color[c] =
                decoded(format.numbers, format.is_signed ? with_sign(raw, channel.width) : raw,
                        channel.width);
        }
    return color;
}

/// Uses BT.601 with range 16 to 235. Undocumented; the sampler may use a different matrix.
Vector decode_yuv(const TextureFormat& format, uint32_t pair, bool odd) {
    const unsigned luma = format.code == 14 ? 0 : 8, chroma = 8 - luma;
    const double y = 1.164 * (static_cast<double>(bits(pair >> luma >> (odd ? 16 : 0), 7, 0)) - 16);
    const double u = static_cast<double>(bits(pair >> chroma, 7, 0)) - 128;
    const double v = static_cast<double>(bits(pair >> chroma >> 16, 7, 0)) - 128;
    const auto channel = [](double value) { return static_cast<float>(unit_clamp(value / 255)); };
    return {channel(y + 1.596 * v), channel(y - 0.391 * u - 0.813 * v), channel(y + 2.018 * u), 1};
}

Vector decode_shared_exponent(uint32_t word) {
    const int exponent = static_cast<int>(bits(word, 31, 27)) - 15 - 9;
    const auto channel = [&](unsigned shift) {
        return std::ldexp(static_cast<float>(word >> shift & 0x1FF), exponent);
    };
    return {channel(0), channel(9), channel(18), 1};
}

} // namespace

TextureFormat stencil_format() {
    TextureFormat format = plain(4, {0, 8}, none, none, none);
    format.numbers = Numbers::integers;
    return format;
}

float one_of(const TextureFormat& format) {
    return format.is_integer() ? std::bit_cast<float>(1u) : 1.0f;
}

TextureFormat texture_format(uint32_t format, uint32_t format_ext, unsigned halti) {
    const uint32_t code = format ? format : extended + format_ext;
    for (const Row& row : rows)
        if (row.code == code && halti >= row.format.least_halti)
            return row.format;
    return {};
}

Vector decode_texel(const TextureFormat& format, uint64_t word, bool odd) {
    switch (format.coding) {
    case Coding::plain:
        return decode_plain(format, word);
    case Coding::packed_yuv:
        return decode_yuv(format, static_cast<uint32_t>(word), odd);
    case Coding::shared_exponent:
        return decode_shared_exponent(static_cast<uint32_t>(word));
    case Coding::ones:
        return {1, 1, 1, 1};
    default:
        return {0, 0, 0, 0};
    }
}

} // namespace pixmill::reference::vivante_3d
