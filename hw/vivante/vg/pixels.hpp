// Blocks of colors, and arithmetic on them in loops that compilers can vectorize.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::vivante::vg {

/// Number of pixels in a block.
inline constexpr size_t block_pixels = 256;

enum Channel : uint8_t { red, green, blue, alpha };
inline constexpr Channel colors[] = {red, green, blue};

using Plane = uint8_t[block_pixels];

/// A block of colors with 8 bits per channel and one plane per channel.
struct Pixels {
    alignas(64) Plane plane[4];

    uint8_t* operator[](unsigned channel) { return plane[channel]; }
    const uint8_t* operator[](unsigned channel) const { return plane[channel]; }
};

using Color = std::array<uint8_t, 4>;

/// Decodes COLOR or FILL_COLOR, whose bytes are A, B, G, R from the top byte down (COLOR:
/// rt1176-evkb; FILL_COLOR: VD47).
constexpr Color color_of_state(uint32_t word) {
    return {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
}

/// Returns value / 255, rounded down. `value` must be below 65535.
constexpr uint16_t by_255(uint16_t value) {
    return uint16_t((value + 1 + (value >> 8)) >> 8);
}
/// Returns a * b / 255, rounded to nearest (VD35, and for each product of a blend VD37).
constexpr uint8_t mul(uint8_t a, uint8_t b) {
    return uint8_t(by_255(uint16_t(a * b + 127)));
}

/// Sets the first pixel of a block.
inline void put(Pixels& to, const Color& color) {
    for (unsigned c = 0; c < 4; c++)
        to[c][0] = color[c];
}
void fill(Pixels& to, const Color& color, size_t count);
/// Multiplies colors by their alpha.
void multiply(Pixels& pixels, size_t count);
/// Divides colors by their alpha and rounds to nearest. The result is 0 if alpha is 0 (VD36).
void divide(Pixels& pixels, size_t count);
/// Computes a = a * b for each element of a channel.
void multiply(uint8_t* a, const uint8_t* b, size_t count);

/// The two or four texels that a filter mixes for each pixel of a block.
struct Taps {
    Pixels pixels[4];
};

/// Values of VG_CONTROL 11:8. Values above the last blend mode exist on other cores and act as SRC.
inline constexpr uint32_t mode_src = 0, mode_src_over = 1;
/// Blends `source` over `destination` and stores the result in `source`.
void blend(uint32_t mode, Pixels& source, const Pixels& destination, size_t count);
/// True if the result of blending with this source alpha does not depend on the destination.
bool ignores_destination(uint32_t mode, uint8_t source_alpha);
bool is_blend(uint32_t mode);

/// Mixes `source` with `destination` according to the coverage, in all blend modes as in OpenVG
/// (VD31).
void cover(Pixels& source, const Pixels& destination, const uint8_t* coverage, size_t count);

/// Replaces colors by means of a table with 256 values.
void look_up(const std::array<uint8_t, 256>& table, Pixels& pixels, size_t count);
/// Return the tables for TARGET_CONFIG 13:12, with the sRGB curve of IEC 61966-2-1 (VD59).
const std::array<uint8_t, 256>& srgb_to_linear();
const std::array<uint8_t, 256>& linear_to_srgb();

} // namespace pixmill::vivante::vg
