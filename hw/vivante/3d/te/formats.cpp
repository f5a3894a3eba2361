// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml (TEXTURE_FORMAT, TEXTURE_FORMAT_EXT); missing channels: Mesa 25.0
// etnaviv_format.c, which swizzles none of these.
#include "formats.hpp"

#include <iterator>

namespace pixmill::vivante {

namespace {

constexpr Component zero{}, one{0, 0, 1};
constexpr Component low8{0, 8}, second8{8, 8}, third8{16, 8}, high8{24, 8};

using Components = std::array<Component, 4>;

constexpr Components rgba8888{low8, second8, third8, high8}, rgbx8888{low8, second8, third8, one};

constexpr TextureFormat texels(const char* name, uint8_t bytes, Components rgba) {
    return {name, bytes, Packing::words, rgba};
}

constexpr TextureFormat unknown{};

constexpr TextureFormat formats[] = {
    unknown, // 0 selects FORMAT_EXT
    texels("A8", 1, {zero, zero, zero, low8}),
    texels("L8", 1, {low8, low8, low8, one}),
    texels("I8", 1, {low8, low8, low8, low8}),
    texels("A8L8", 2, {low8, low8, low8, second8}),
    texels("A4R4G4B4", 2, {{{8, 4}, {4, 4}, {0, 4}, {12, 4}}}),
    texels("X4R4G4B4", 2, {{{8, 4}, {4, 4}, {0, 4}, one}}),
    texels("A8R8G8B8", 4, {third8, second8, low8, high8}),
    texels("X8R8G8B8", 4, {third8, second8, low8, one}),
    texels("A8B8G8R8", 4, rgba8888),
    texels("X8B8G8R8", 4, rgbx8888),
    texels("R5G6B5", 2, {{{11, 5}, {5, 6}, {0, 5}, one}}),
    texels("A1R5G5B5", 2, {{{10, 5}, {5, 5}, {0, 5}, {15, 1}}}),
    texels("X1R5G5B5", 2, {{{10, 5}, {5, 5}, {0, 5}, one}}),
    {"YUY2", 2, Packing::yuy2, rgbx8888},
    {"UYVY", 2, Packing::uyvy, rgbx8888},
    // Undocumented which channels besides red return depth. In the model green and blue do.
    texels("D16", 2, {{{0, 16}, {0, 16}, {0, 16}, one}}),
    texels("D24X8", 4, {{{8, 24}, {8, 24}, {8, 24}, one}}),
    {"18", 0, Packing::words, {one, one, one, one}},
    {"DXT1", 8, Packing::dxt1, rgba8888},
    {"DXT2_DXT3", 16, Packing::dxt3, rgba8888},
    {"DXT4_DXT5", 16, Packing::dxt5, rgba8888},
    unknown,
    unknown,
    unknown,
    unknown,
    unknown,
    unknown,
    unknown,
    unknown, // E5B9G9R9 of HALTI1
    {"ETC1", 8, Packing::etc1, rgbx8888},
};

constexpr uint8_t eac_width = 11;
constexpr uint16_t eac_bias = 1024;

constexpr TextureFormat extended[] = {
    {"RGB8_ETC2", 8, Packing::etc2, rgbx8888},
    {"RGB8_PUNCHTHROUGH_ALPHA1_ETC2", 8, Packing::etc2_punch, rgba8888},
    {"RGBA8_ETC2_EAC", 16, Packing::etc2_eac, rgba8888},
    {"R11_EAC", 8, Packing::r11, {{{0, eac_width}, zero, zero, one}}},
    {"RG11_EAC", 16, Packing::rg11, {{{0, eac_width}, {16, eac_width}, zero, one}}},
    {"SIGNED_RG11_EAC",
     16,
     Packing::signed_rg11,
     {{{0, eac_width}, {16, eac_width}, zero, one}},
     eac_bias},
    texels("G8R8", 2, {low8, second8, zero, one}),
    unknown, // 7 to 11: floating-point formats of HALTI2
    unknown,
    unknown,
    unknown,
    unknown,
    texels("A2B10G10R10", 4, {{{0, 10}, {10, 10}, {20, 10}, {30, 2}}}),
    {"SIGNED_R11_EAC", 8, Packing::signed_r11, {{{0, eac_width}, zero, zero, one}}, eac_bias},
};

constexpr TextureFormat numbers(const char* name, uint8_t bytes, TexelNumber number,
                                Components rgba) {
    return {name, bytes, Packing::numbers, rgba, 0, number};
}

constexpr Component low16{0, 16}, second16{16, 16}, third16{32, 16}, high16{48, 16};
constexpr Component low32{0, 32}, high32{32, 32};

/// Formats of HALTI2, by their code: FORMAT, or FORMAT_EXT plus 32.
constexpr struct {
    uint8_t code;
    TextureFormat format;
} halti2_formats[] = {
    {29, numbers("E5B9G9R9", 4, TexelNumber::shared_exponent, {{{0, 9}, {9, 9}, {18, 9}, one}})},
    {32 + 7, numbers("R16F", 2, TexelNumber::half, {low16, zero, zero, one})},
    {32 + 8, numbers("G16R16F", 4, TexelNumber::half, {low16, second16, zero, one})},
    {32 + 9, numbers("A16B16G16R16F", 8, TexelNumber::half, {low16, second16, third16, high16})},
    {32 + 10, numbers("R32F", 4, TexelNumber::single, {low32, zero, zero, one})},
    {32 + 11, numbers("G32R32F", 8, TexelNumber::single, {low32, high32, zero, one})},
    {32 + 14, numbers("R8_SNORM", 1, TexelNumber::snorm, {low8, zero, zero, one})},
    {32 + 15, numbers("G8R8_SNORM", 2, TexelNumber::snorm, {low8, second8, zero, one})},
    {32 + 16, numbers("X8B8G8R8_SNORM", 4, TexelNumber::snorm, {low8, second8, third8, one})},
    {32 + 17, numbers("A8B8G8R8_SNORM", 4, TexelNumber::snorm, {low8, second8, third8, high8})},
    {32 + 21, numbers("R8I", 1, TexelNumber::integer, {low8, zero, zero, one})},
    {32 + 22, numbers("G8R8I", 2, TexelNumber::integer, {low8, second8, zero, one})},
    {32 + 23, numbers("A8B8G8R8I", 4, TexelNumber::integer, {low8, second8, third8, high8})},
    {32 + 24, numbers("R16I", 2, TexelNumber::integer, {low16, zero, zero, one})},
    {32 + 25, numbers("G16R16I", 4, TexelNumber::integer, {low16, second16, zero, one})},
    {32 + 26,
     numbers("A16B16G16R16I", 8, TexelNumber::integer, {low16, second16, third16, high16})},
    {32 + 27,
     numbers("B10G11R11F", 4, TexelNumber::small_float, {{{0, 11}, {11, 11}, {22, 10}, one}})},
    {32 + 28,
     numbers("A2B10G10R10UI", 4, TexelNumber::integer, {{{0, 10}, {10, 10}, {20, 10}, {30, 2}}})},
    {32 + 33, texels("R8", 1, {low8, zero, zero, one})},
    {32 + 34, texels("D24S8", 4, {{{8, 24}, {8, 24}, {8, 24}, one}})},
    {32 + 35, numbers("R32I", 4, TexelNumber::integer, {low32, zero, zero, one})},
    {32 + 36, numbers("G32R32I", 8, TexelNumber::integer, {low32, high32, zero, one})},
};
constexpr TextureFormat stencil = numbers("S8", 4, TexelNumber::integer, {low8, low8, low8, one});

} // namespace

const TextureFormat& stencil_format() {
    return stencil;
}

const TextureFormat& texture_format(uint32_t format, uint32_t format_ext, bool halti2) {
    if (halti2)
        for (const auto& more : halti2_formats)
            if (more.code == (format ? format : 32 + format_ext))
                return more.format;
    if (format)
        return format < std::size(formats) ? formats[format] : unknown;
    return format_ext < std::size(extended) ? extended[format_ext] : unknown;
}

} // namespace pixmill::vivante
