// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fields of the parameters: linux ipu-cpmem.c. Registers of the DP: linux ipu-dp.c.
#include "display.hpp"

#include <optional>

namespace pixmill::reference::ipuv3 {
namespace {

uint64_t bits(const Parameters& parameters, uint32_t word, uint32_t first, uint32_t count) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t bit = first + i;
        value |= uint64_t(parameters[5 * word + bit / 32] >> bit % 32 & 1) << i;
    }
    return value;
}

int64_t two_complement(uint64_t value, uint32_t width) {
    return value >> (width - 1) ? int64_t(value) - (int64_t(1) << width) : int64_t(value);
}

struct Color {
    int component[3]; ///< R, G, B or Y, U, V
    int alpha;
};

constexpr uint64_t end_of_addresses = 0x100000000;

/// Reads byte `at` of a row of `length` bytes. The whole row reads as 0 if part of it is missing.
int read(const Display& display, int64_t row, uint64_t length, uint64_t at) {
    for (uint64_t i = 0; i < length; i++) {
        const int64_t address = row + int64_t(i);
        if (address < 0 || address >= int64_t(end_of_addresses) ||
            display.byte(uint64_t(address)) < 0)
            return 0;
    }
    return display.byte(uint64_t(row) + at);
}

/// A plane: its channel, and the number of its columns that are shown.
struct Plane {
    const Display& display;
    const Channel& channel;
    uint32_t columns;

    uint64_t get(uint32_t word, uint32_t first, uint32_t count) const {
        return bits(channel.parameters, word, first, count);
    }
    uint32_t width() const { return uint32_t(get(0, 125, 13)) + 1; }
    uint32_t height() const { return uint32_t(get(0, 138, 12)) + 1; }
    int64_t base() const { return int64_t(8 * get(1, channel.second ? 29 : 0, 29)); }
    bool fields() const { return get(0, 113, 1); }

    int64_t luma_row(uint32_t y) const {
        const auto stride = int64_t(get(1, 102, 14) + 1);
        if (!fields())
            return base() + y * stride;
        return base() + y / 2 * stride + y % 2 * 8 * two_complement(get(1, 58, 20), 20);
    }

    /// A component of an RGB pixel, widened to 8 bits, or `absent`.
    int component(uint64_t raw, uint32_t pixel_bits, uint32_t i, int absent) const {
        const auto width = uint32_t(get(1, 116 + 3 * i, 3)) + 1;
        const auto from_top = uint32_t(get(1, 128 + 5 * i, 5));
        if (from_top + width > pixel_bits)
            return absent;
        int value = 0;
        for (uint32_t out = 0; out < 8; out++) { // from the top: replicate
            const uint32_t bit = pixel_bits - 1 - from_top - out % width;
            value = value << 1 | int(raw >> bit & 1);
        }
        return value;
    }

    Color rgb(uint32_t x, uint32_t y, uint32_t pixel_bits) const {
        const uint32_t bytes = pixel_bits / 8;
        uint64_t raw = 0;
        for (uint32_t i = 0; i < bytes; i++)
            raw |= uint64_t(read(display, luma_row(y), columns * bytes, x * bytes + i)) << 8 * i;
        return {{component(raw, pixel_bits, 0, 0), component(raw, pixel_bits, 1, 0),
                 component(raw, pixel_bits, 2, 0)},
                component(raw, pixel_bits, 3, 255)};
    }

    Color packed(uint32_t x, uint32_t y, bool luma_first) const {
        const uint32_t pairs = (columns + 1) / 2;
        const auto at = [&](uint32_t byte) {
            return read(display, luma_row(y), 4 * pairs, x / 2 * 4 + byte);
        };
        const uint32_t luma = x % 2 * 2;
        return luma_first ? Color{{at(luma), at(1), at(3)}, 255}
                          : Color{{at(luma + 1), at(0), at(2)}, 255};
    }

    Color planar(uint32_t x, uint32_t y, bool half_x, bool half_y, bool interleaved) const {
        const uint32_t cx = half_x ? x / 2 : x, cy = half_y ? y / 2 : y;
        const uint32_t samples = half_x ? (columns + 1) / 2 : columns;
        const uint32_t step = interleaved ? 2 : 1;
        const auto chroma = [&](uint64_t offset, uint32_t byte) {
            const int64_t row = base() + int64_t(8 * offset) + cy * int64_t(get(1, 128, 14) + 1);
            return read(display, row, step * samples, step * cx + byte);
        };
        const uint64_t u = get(0, 46, 22), v = get(0, 68, 22);
        return {{read(display, luma_row(y), columns, x), chroma(u, 0),
                 interleaved ? chroma(u, 1) : chroma(v, 0)},
                255};
    }

    Color at(uint32_t x, uint32_t y) const {
        constexpr Color black{{0, 0, 0}, 255};
        constexpr uint32_t rgb_bits[8] = {32, 24, 0, 16, 0, 8, 0, 0};
        const uint64_t bpp = get(0, 107, 3), pfs = get(1, 85, 4);
        if (bpp > 5 || (fields() && pfs < 5))
            return black;
        switch (pfs) {
        case 0:
            return planar(x, y, false, false, false);
        case 1:
            return planar(x, y, true, false, false);
        case 2:
            return planar(x, y, true, true, false);
        case 3:
            return planar(x, y, true, false, true);
        case 4:
            return planar(x, y, true, true, true);
        case 7:
            return rgb_bits[bpp] ? rgb(x, y, rgb_bits[bpp]) : black;
        case 8:
            return packed(x, y, true);
        case 10:
            return packed(x, y, false);
        default:
            return black;
        }
    }
};

/// The color conversion with the registers CSC_A_0 to CSC_1.
Color convert(const Display& display, const Color& in) {
    const auto word = [&](uint32_t offset) { return uint64_t(display.dp[offset / 4]); };
    const auto a = [&](uint32_t i) {
        const uint64_t value = i == 8 ? word(0x54) : word(0x44 + i / 2 * 4) >> (i % 2 ? 16 : 0);
        return two_complement(value & 0x3FF, 10);
    };
    const uint64_t b[3] = {word(0x54) >> 16, word(0x58), word(0x58) >> 16};
    const uint64_t s[3] = {word(0x54) >> 30, word(0x58) >> 14, word(0x58) >> 30};
    Color out = in;
    for (uint32_t i = 0; i < 3; i++) {
        const auto shift = 6 + (s[i] & 3);
        int64_t sum = two_complement(b[i] & 0x3FFF, 14) * 64 + (int64_t(1) << (shift - 1));
        for (uint32_t k = 0; k < 3; k++)
            sum += a(3 * i + k) * in.component[k];
        sum >>= shift;
        out.component[i] = int(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
    return out;
}

uint32_t packed(const Color& color) {
    return uint32_t(color.component[0]) << 16 | uint32_t(color.component[1]) << 8 |
           uint32_t(color.component[2]);
}

Color mix(const Color& over, const Color& under, int alpha) {
    const int weight = alpha + (alpha >> 7);
    Color out = under;
    for (int i = 0; i < 3; i++)
        out.component[i] = (over.component[i] * weight + under.component[i] * (256 - weight)) >> 8;
    return out;
}

/// The alpha of the plane that decides.
int alpha_of(const Display& display, const Plane& plane, const Channel& channel, const Color& color,
             uint32_t x, uint32_t y) {
    if (!channel.separate || !plane.get(1, 89, 1))
        return color.alpha;
    const bool overlay = &channel == &display.overlay;
    const Channel& from = overlay ? display.overlay_alpha : display.background_alpha;
    Plane bytes{display, from, plane.columns};
    if (!from.enabled || bytes.get(0, 107, 3) != 5 || bytes.get(1, 85, 4) != 6 || bytes.fields())
        return 255;
    if (x >= bytes.width() || y >= bytes.height())
        return 255;
    bytes.columns = bytes.width() < plane.columns ? bytes.width() : plane.columns;
    return read(display, bytes.luma_row(y), bytes.columns, x);
}

std::optional<Color> background_at(const Display& display, const Plane& plane, uint32_t x,
                                   uint32_t y) {
    if (!display.background.enabled || x >= plane.width() || y >= plane.height())
        return std::nullopt;
    return plane.at(x, y);
}

uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

} // namespace

uint32_t pixel(const Display& display, uint32_t x, uint32_t y) {
    const uint32_t config = display.through_dp ? display.dp[0] : 0;
    const uint32_t window = display.dp[1], position = display.dp[2];
    const uint32_t conversion = config >> 8 & 3;
    Plane below{display, display.background, 0};
    below.columns = smaller(below.width(), display.width);
    std::optional<Color> bottom = background_at(display, below, x, y);
    const int bottom_alpha =
        bottom ? alpha_of(display, below, display.background, *bottom, x, y) : 0;
    if (bottom && conversion == 2)
        bottom = convert(display, *bottom);

    const uint32_t left = position >> 16 & 0x7FF, top = position & 0x7FF;
    std::optional<Color> result = bottom;
    Plane above{display, display.overlay, 0};
    if (config & 1 && display.overlay.enabled && x >= left && y >= top &&
        x - left < above.width() && y - top < above.height()) {
        above.columns = smaller(above.width(), display.width - left);
        const uint32_t fx = x - left, fy = y - top;
        Color front = above.at(fx, fy);
        const int front_alpha = alpha_of(display, above, display.overlay, front, fx, fy);
        if (conversion == 3)
            front = convert(display, front);
        const bool overlay_decides = config >> 1 & 1;
        result = front;
        if (bottom) {
            const Color& over = overlay_decides ? front : *bottom;
            const Color& under = overlay_decides ? *bottom : front;
            const int own = overlay_decides ? front_alpha : bottom_alpha;
            const bool hidden = config >> 3 & 1 && packed(over) == (window & 0xFFFFFF);
            result = hidden ? under : mix(over, under, config >> 2 & 1 ? int(window >> 24) : own);
        }
    }
    if (!result)
        return 0;
    return packed(conversion == 1 ? convert(display, *result) : *result);
}

} // namespace pixmill::reference::ipuv3
