// Blocks of colors, and the arithmetic on them: loops that compilers vectorise.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::vivante::vg {

/// Pixels that are worked on at a time.
inline constexpr size_t block_pixels = 256;

enum Channel : uint8_t { red, green, blue, alpha };
inline constexpr Channel colors[] = {red, green, blue};

using Plane = uint8_t[block_pixels];

/// 8 bits a channel, a plane for each.
struct Pixels {
    alignas(64) Plane plane[4];

    uint8_t* operator[](unsigned channel) { return plane[channel]; }
    const uint8_t* operator[](unsigned channel) const { return plane[channel]; }
};

using Color = std::array<uint8_t, 4>;

/// COLOR and FILL_COLOR: A, B, G, R from the top byte down (rt1176-evkb; of the fill color VD47).
constexpr Color color_of_state(uint32_t word) {
    return {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
}

/// value / 255, rounded down, for what is below 65535.
constexpr uint16_t by_255(uint16_t value) {
    return uint16_t((value + 1 + (value >> 8)) >> 8);
}
/// a * b / 255, rounded to the nearest (VD35; VD37: each product is).
constexpr uint8_t mul(uint8_t a, uint8_t b) {
    return uint8_t(by_255(uint16_t(a * b + 127)));
}

/// The first pixel.
inline void put(Pixels& to, const Color& color) {
    for (unsigned c = 0; c < 4; c++)
        to[c][0] = color[c];
}
void fill(Pixels& to, const Color& color, size_t count);
/// Colors by their alpha.
void multiply(Pixels& pixels, size_t count);
/// Colors by 1 / alpha, rounded to the nearest; 0 where that is 0 (VD36).
void divide(Pixels& pixels, size_t count);
/// a = a * b in a channel.
void multiply(uint8_t* a, const uint8_t* b, size_t count);

/// The 2 or 4 texels that a filter mixes.
struct Taps {
    Pixels pixels[4];
};

/// VG_CONTROL 11:8. What is beyond the blends belongs to other cores and is SRC here.
inline constexpr uint32_t mode_src = 0, mode_src_over = 1;
/// Blends `source` over `destination`, into `source`.
void blend(uint32_t mode, Pixels& source, const Pixels& destination, size_t count);
/// Whether it leaves an opaque source, or any source, as it is, whatever the destination.
bool ignores_destination(uint32_t mode, uint8_t source_alpha);
bool is_blend(uint32_t mode);

/// What coverage leaves of `source`: OpenVG's rule for all modes (VD31).
void cover(Pixels& source, const Pixels& destination, const uint8_t* coverage, size_t count);

/// Through a table of 256 values.
void look_up(const std::array<uint8_t, 256>& table, Pixels& pixels, size_t count);
/// TARGET_CONFIG 13:12, VD59: the curve of IEC 61966-2-1.
const std::array<uint8_t, 256>& srgb_to_linear();
const std::array<uint8_t, 256>& linear_to_srgb();

} // namespace pixmill::vivante::vg
