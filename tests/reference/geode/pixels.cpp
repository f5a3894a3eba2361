// Pixel formats, raster operations and alpha of the Geode LX.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

#include <algorithm>

namespace reference::geode {
namespace {

struct Field {
    unsigned low, width;
};
struct Layout {
    uint32_t bytes;
    Field a, r, g, b;
};

Layout layout_of(Format format) {
    switch (format) {
    case argb4444:
        return {2, {12, 4}, {8, 4}, {4, 4}, {0, 4}};
    case argb1555:
        return {2, {15, 1}, {10, 5}, {5, 5}, {0, 5}};
    case rgb565:
        return {2, {0, 0}, {11, 5}, {5, 6}, {0, 5}};
    case argb8888:
        return {4, {24, 8}, {16, 8}, {8, 8}, {0, 8}};
    default:
        return {1, {0, 0}, {5, 3}, {2, 3}, {0, 2}};
    }
}

/// Expands a field to eight bits by repeating its top bits below it.
uint32_t widen_field(uint32_t pixel, Field field) {
    if (!field.width)
        return 0xFF;
    uint32_t result = 0;
    for (unsigned n = 0; n < 8; n++) {
        const unsigned from = field.width - 1 - n % field.width;
        result = result << 1 | bit(pixel, field.low + from);
    }
    return result;
}

uint32_t narrow_field(uint32_t component, Field field) {
    return component >> (8 - field.width) << field.low;
}

/// Returns a component times an alpha, rounded. The result is exact for alpha 00 and FF.
uint32_t product(uint32_t a, uint32_t b) {
    const uint32_t t = a * b + 0x80;
    return (t + (t >> 8)) >> 8;
}

/// Blends one component. @os is OS of RASTER_MODE.
uint32_t equation(uint32_t os, uint32_t alpha, uint32_t a, uint32_t b) {
    switch (os) {
    case 0:
        return product(alpha, a);
    case 1:
        return product(0xFF - alpha, b);
    case 2:
        return std::min(0xFFu, a + product(0xFF - alpha, b));
    default:
        return std::min(0xFFu, product(alpha, a) + product(0xFF - alpha, b));
    }
}

/// Returns the alpha for each component, which AS of RASTER_MODE selects.
Color alphas(uint32_t raster, const Color& a, const Color& b, uint32_t channel_3) {
    const auto same = [](uint32_t alpha) { return Color{alpha, alpha, alpha, alpha}; };
    switch (bits(raster, 19, 17)) {
    case 0:
        return same(a.a);
    case 1:
        return same(b.a);
    case 2:
        return same(bits(raster, 7, 0));
    case 4:
        return a;
    case 5:
        return b;
    case 6:
        return same(channel_3);
    default:
        return same(0xFF);
    }
}

} // namespace

uint32_t bytes_of(Format format) {
    return layout_of(format).bytes;
}

Color widen(Format format, uint32_t pixel) {
    const Layout layout = layout_of(format);
    return {widen_field(pixel, layout.a), widen_field(pixel, layout.r),
            widen_field(pixel, layout.g), widen_field(pixel, layout.b)};
}

uint32_t narrow(Format format, const Color& color) {
    const Layout layout = layout_of(format);
    return narrow_field(color.a, layout.a) | narrow_field(color.r, layout.r) |
           narrow_field(color.g, layout.g) | narrow_field(color.b, layout.b);
}

uint32_t rop3(uint32_t code, uint32_t pattern, uint32_t source, uint32_t destination) {
    uint32_t result = 0;
    for (unsigned n = 0; n < 32; n++) {
        const unsigned row =
            bit(pattern, n) * 4u + bit(source, n) * 2u + (bit(destination, n) ? 1u : 0u);
        if (bit(code, row))
            result |= 1u << n;
    }
    return result;
}

Color blend(uint32_t raster, const Color& source, const Color& destination, uint32_t channel_3) {
    const bool swapped = bit(raster, 16);
    const Color& a = swapped ? destination : source;
    const Color& b = swapped ? source : destination;
    const uint32_t os = bits(raster, 21, 20);
    const Color alpha = alphas(raster, a, b, channel_3);
    Color result = os == 1 ? b : a;
    const uint32_t enable = bits(raster, 23, 22);
    if (enable != 2) {
        result.r = equation(os, alpha.r, a.r, b.r);
        result.g = equation(os, alpha.g, a.g, b.g);
        result.b = equation(os, alpha.b, a.b, b.b);
    }
    if (enable != 1)
        result.a = equation(os, alpha.a, a.a, b.a);
    return result;
}

} // namespace reference::geode
