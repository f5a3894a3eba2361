// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixels.hpp"

#include <cmath>
#include <cstring>
#include <iterator>

#include "kernels.hpp"

namespace pixmill::vivante::vg {

void fill(Pixels& to, const Color& color, size_t count) {
    for (unsigned c = 0; c < 4; c++)
        std::memset(to[c], color[c], count);
}

void multiply(uint8_t* a, const uint8_t* b, size_t count) {
    kernels().multiply(a, b, count);
}

void multiply(Pixels& pixels, size_t count) {
    for (const Channel c : colors)
        multiply(pixels[c], pixels[alpha], count);
}

void divide(Pixels& pixels, size_t count) {
    for (const Channel c : colors)
        kernels().divide(pixels[c], pixels[alpha], count);
}

void look_up(const std::array<uint8_t, 256>& table, Pixels& pixels, size_t count) {
    for (const Channel c : colors)
        for (size_t i = 0; i < count; i++)
            pixels[c][i] = table[pixels[c][i]];
}

// ---- Blending ------------------------------------------------------------------

bool is_blend(uint32_t mode) {
    return mode < std::size(Kernels{}.blend);
}

bool ignores_destination(uint32_t mode, uint8_t source_alpha) {
    return !is_blend(mode) || mode == mode_src || (mode == mode_src_over && source_alpha == 255);
}

void blend(uint32_t mode, Pixels& source, const Pixels& destination, size_t count) {
    if (is_blend(mode) && mode != mode_src)
        kernels().blend[mode](source, destination, count);
}

void cover(Pixels& source, const Pixels& destination, const uint8_t* coverage, size_t count) {
    for (unsigned c = 0; c < 4; c++)
        kernels().cover(source[c], destination[c], coverage, count);
}

// ---- Gamma ---------------------------------------------------------------------

namespace {

template<class Curve>
std::array<uint8_t, 256> table_of(Curve curve) {
    std::array<uint8_t, 256> table{};
    for (unsigned i = 0; i < 256; i++)
        table[i] = uint8_t(std::floor(curve(i / 255.0) * 255 + 0.5));
    return table;
}

} // namespace

const std::array<uint8_t, 256>& srgb_to_linear() {
    static const auto table = table_of(
        [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); });
    return table;
}

const std::array<uint8_t, 256>& linear_to_srgb() {
    static const auto table = table_of(
        [](double v) { return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055; });
    return table;
}

} // namespace pixmill::vivante::vg
