// Blocks of colors and arithmetic on them, in loops that compilers vectorise.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::vivante::vg {

/// Pixels processed at a time.
inline constexpr size_t block_pixels = 256;

enum Channel : uint8_t { red, green, blue, alpha };
inline constexpr Channel colors[] = {red, green, blue};

using Plane = uint8_t[block_pixels];

/// 8 bits per channel, a plane for each channel.
struct Pixels {
    alignas(64) Plane plane[4];

    uint8_t* operator[](unsigned channel) { return plane[channel]; }
    const uint8_t* operator[](unsigned channel) const { return plane[channel]; }
};

using Color = std::array<uint8_t, 4>;

/// COLOR and FILL_COLOR: A, B, G, R from the top byte down (rt1176-evkb; for the fill color VD47).
constexpr Color color_of_state(uint32_t word) {
    return {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
}

/// Returns value / 255, rounded down. `value` must be below 65535.
constexpr uint16_t by_255(uint16_t value) {
    return uint16_t((value + 1 + (value >> 8)) >> 8);
}
/// Returns a * b / 255, rounded to nearest (VD35; for each product of a blend: VD37).
constexpr uint8_t mul(uint8_t a, uint8_t b) {
    return uint8_t(by_255(uint16_t(a * b + 127)));
}

/// Sets the first pixel.
inline void put(Pixels& to, const Color& color) {
    for (unsigned c = 0; c < 4; c++)
        to[c][0] = color[c];
}
void fill(Pixels& to, const Color& color, size_t count);
/// Multiplies colors by their alpha.
void multiply(Pixels& pixels, size_t count);
/// Divides colors by their alpha, rounding to nearest; 0 if alpha is 0 (VD36).
void divide(Pixels& pixels, size_t count);
/// Computes a = a * b for a channel.
void multiply(uint8_t* a, const uint8_t* b, size_t count);

/// The 2 or 4 texels that a filter mixes.
struct Taps {
    Pixels pixels[4];
};

/// VG_CONTROL 11:8. Modes beyond the blends belong to other cores and act as SRC.
inline constexpr uint32_t mode_src = 0, mode_src_over = 1;
/// Blends `source` over `destination`, into `source`.
void blend(uint32_t mode, Pixels& source, const Pixels& destination, size_t count);
/// True if the mode keeps a source with this alpha unchanged, whatever the destination.
bool ignores_destination(uint32_t mode, uint8_t source_alpha);
bool is_blend(uint32_t mode);

/// Mixes `source` with `destination` by coverage: OpenVG's rule, for all modes (VD31).
void cover(Pixels& source, const Pixels& destination, const uint8_t* coverage, size_t count);

/// Maps colors through a table of 256 values.
void look_up(const std::array<uint8_t, 256>& table, Pixels& pixels, size_t count);
/// TARGET_CONFIG 13:12, VD59: the curve of IEC 61966-2-1.
const std::array<uint8_t, 256>& srgb_to_linear();
const std::array<uint8_t, 256>& linear_to_srgb();

} // namespace pixmill::vivante::vg
