// Colors and pixel formats (vg_lite.c convert_target_format, vg_lite_image.c readPixel).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <algorithm>

namespace pixmill::reference::vivante_vg {
namespace {

enum TargetFormat : uint32_t {
    target_a8,
    target_565,
    target_x888,
    target_8888,
    target_4444,
    target_5551,
    target_l8,
    target_2222
};

/* Order of the channels from the lowest bit up, for each swizzle. */
constexpr std::array<std::array<Channel, 4>, 4> orders = {{{blue, green, red, alpha},
                                                           {alpha, blue, green, red},
                                                           {red, green, blue, alpha},
                                                           {alpha, red, green, blue}}};

/* Widths of red, green, blue and alpha. */
using Widths = std::array<unsigned, 4>;

Layout color_layout(const Widths& widths, uint32_t swizzle) {
    Layout layout;
    unsigned shift = 0;
    for (const Channel channel : orders[swizzle]) {
        layout.channels[channel] = {shift, widths[channel]};
        shift += widths[channel];
    }
    layout.bytes = shift / 8;
    return layout;
}

/* Like 8888, but alpha is not read and its bits are filled with ones. */
Layout without_alpha(Layout layout) {
    layout.filler = 0xFFu << layout.channels[alpha].shift;
    layout.channels[alpha].width = 0;
    return layout;
}

Layout one_byte() {
    Layout layout;
    layout.bytes = 1;
    return layout;
}

Layout alpha_layout() {
    Layout layout = one_byte();
    layout.channels[alpha] = {0, 8};
    return layout;
}

Layout luminance_layout() {
    Layout layout = one_byte();
    layout.luminance = true;
    return layout;
}

/* Widens a value to 8 bits by repeating its bits. */
int expanded(uint32_t value, unsigned width) {
    uint32_t result = 0;
    for (int shift = 8 - static_cast<int>(width); shift > -static_cast<int>(width);
         shift -= static_cast<int>(width))
        result |= shift >= 0 ? value << shift : value >> -shift;
    return static_cast<int>(result);
}

/*
 * VD38: without dither, low bits are dropped. VD39: with dither, the top four dropped bits round up
 * if they exceed the threshold; 15 never rounds up.
 */
uint32_t reduced(int value, unsigned width, unsigned threshold) {
    const uint32_t v = static_cast<uint32_t>(value);
    const unsigned lost = 8 - width;
    const uint32_t kept = v >> lost;
    const uint32_t most = (1u << width) - 1;
    const uint32_t cut = v & ((1u << lost) - 1);
    const uint32_t four = lost <= 4 ? cut << (4 - lost) : cut >> (lost - 4);
    return four > threshold ? std::min(kept + 1, most) : kept;
}

/* VD40: uses the weights of the client's software path, 0.2126, 0.7152 and 0.0722. */
uint32_t luminance_of(const Color& color) {
    return static_cast<uint32_t>((54 * color[red] + 183 * color[green] + 19 * color[blue] + 128) >>
                                 8);
}

} // namespace

Color color_of_register(uint32_t word) {
    return {static_cast<int>(bits(word, 7, 0)), static_cast<int>(bits(word, 15, 8)),
            static_cast<int>(bits(word, 23, 16)), static_cast<int>(bits(word, 31, 24))};
}

Layout target_layout(uint32_t format, uint32_t swizzle) {
    switch (format) {
    case target_a8: /* VD41: reads as white */
        return alpha_layout();
    case target_565: /* has no alpha, so the position of alpha does not matter */
        return color_layout({5, 6, 5, 0}, swizzle & 2);
    case target_x888:
        return without_alpha(color_layout({8, 8, 8, 8}, swizzle));
    case target_8888:
        return color_layout({8, 8, 8, 8}, swizzle);
    case target_4444:
        return color_layout({4, 4, 4, 4}, swizzle);
    case target_5551:
        return color_layout({5, 5, 5, 1}, swizzle);
    case target_l8:
        return luminance_layout();
    case target_2222:
        return color_layout({2, 2, 2, 2}, swizzle);
    default: /* YUY2, which no source describes as a target format, and formats of later cores */
        return {};
    }
}

Color unpack(const Layout& layout, uint32_t word) {
    if (layout.luminance) {
        const int luminance = static_cast<int>(word & 0xFF);
        return {luminance, luminance, luminance, 255};
    }
    Color color;
    for (const Channel channel : {red, green, blue, alpha}) {
        const Bits& where = layout.channels[channel];
        color[channel] =
            where.width
                ? expanded(bits(word, where.shift + where.width - 1, where.shift), where.width)
                : 255;
    }
    return color;
}

uint32_t pack(const Layout& layout, const Color& color, unsigned threshold) {
    if (layout.luminance)
        return luminance_of(color);
    uint32_t word = layout.filler;
    for (const Channel channel : {red, green, blue, alpha}) {
        const Bits& where = layout.channels[channel];
        if (where.width)
            word |= reduced(color[channel], where.width, threshold) << where.shift;
    }
    return word;
}

int mul(int a, int b) {
    return (a * b + 127) / 255;
}

int div(int c, int a) {
    return a ? std::min(255, (c * 255 + a / 2) / a) : 0;
}

Color multiplied_by_alpha(Color color) {
    for (const Channel channel : {red, green, blue})
        color[channel] = mul(color[channel], color[alpha]);
    return color;
}

Color divided_by_alpha(Color color) {
    for (const Channel channel : {red, green, blue})
        color[channel] = div(color[channel], color[alpha]);
    return color;
}

int clamp_to_8_bits(int64_t value) {
    return static_cast<int>(std::clamp<int64_t>(value, 0, 255));
}

} // namespace pixmill::reference::vivante_vg
