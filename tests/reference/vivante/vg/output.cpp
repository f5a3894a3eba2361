// Pixel output: scissor, mask, blending, coverage, and storing to the target.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <algorithm>
#include <cmath>

namespace pixmill::reference::vivante_vg {
namespace {

enum Blend : uint32_t {
    blend_src,
    blend_src_over,
    blend_dst_over,
    blend_src_in,
    blend_dst_in,
    blend_multiply,
    blend_screen,
    blend_darken,
    blend_lighten,
    blend_additive,
    blend_subtract
};

enum Gamma : uint32_t { gamma_none, gamma_to_linear, gamma_to_srgb };

int src_over(int s, int d, int sa) {
    return clamp_to_8_bits(s + mul(d, 255 - sa));
}
int dst_over(int s, int d, int da) {
    return clamp_to_8_bits(mul(s, 255 - da) + d);
}

/* VD37: each product is rounded, and the sum is clamped once. The formulas are from vg_lite.h. */
int blended_channel(uint32_t mode, int s, int d, int sa, int da) {
    switch (mode) {
    case blend_src_over:
        return src_over(s, d, sa);
    case blend_dst_over:
        return dst_over(s, d, da);
    case blend_src_in:
        return mul(s, da);
    case blend_dst_in:
        return mul(d, sa);
    case blend_multiply:
        return clamp_to_8_bits(mul(s, 255 - da) + mul(d, 255 - sa) + mul(s, d));
    case blend_screen:
        return clamp_to_8_bits(s + d - mul(s, d));
    case blend_darken:
        return std::min(src_over(s, d, sa), dst_over(s, d, da));
    case blend_lighten:
        return std::max(src_over(s, d, sa), dst_over(s, d, da));
    case blend_additive:
        return clamp_to_8_bits(s + d);
    case blend_subtract: /* D(1 - Sa); older VGLite headers have D(1 - S) */
        return mul(d, 255 - sa);
    default: /* modes of other cores and undefined ones act as SRC */
        return s;
    }
}

/* VD59: applies the 8-bit curve of IEC 61966-2-1. Destinations are not converted back. */
int through_gamma(uint32_t gamma, int value) {
    const double v = value / 255.0;
    double result = v;
    if (gamma == gamma_to_linear)
        result = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    else if (gamma == gamma_to_srgb)
        result = v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    return static_cast<int>(std::floor(result * 255 + 0.5));
}

} // namespace

Color blended(uint32_t mode, const Color& source, const Color& destination) {
    Color result;
    for (unsigned c = 0; c < 4; c++)
        result[c] =
            blended_channel(mode, source[c], destination[c], source[alpha], destination[alpha]);
    return result;
}

Target::Target(Engine& engine)
    : engine_(engine), states_(engine.states), control_(states_[VG_CONTROL]),
      config_(states_[TARGET_CONFIG]),
      layout_(target_layout(bits(config_, 3, 0), bits(config_, 5, 4))),
      address_(states_[TARGET_ADDRESS]), stride_(bits(states_[TARGET_STRIDE], 17, 0)),
      in_tiles_(bit(states_[TARGET_STRIDE], 28)), right_(states_.pair(TARGET_CLIP).x),
      bottom_(states_.pair(TARGET_CLIP).y) {
    if (!exists())
        engine.complaints.insert("a target of a format that there is not");
    if (bits(control_, 11, 8) > blend_subtract)
        engine.complaints.insert("a blend of another core");
}

uint64_t Target::address_of(uint32_t x, uint32_t y) const {
    /* VD58: without bit 16, rows are counted from the bottom. */
    const uint64_t row = bit(config_, 16) ? y : bottom_ - 1 - y;
    if (!in_tiles_)
        return address_ + row * stride_ + uint64_t{x} * layout_.bytes;
    /* VD63: tiles of 4x4 pixels are stored one after another. */
    return address_ + (row >> 2) * 4 * stride_ + uint64_t{x >> 2} * 16 * layout_.bytes +
           ((row & 3) * 4 + (x & 3)) * layout_.bytes;
}

bool Target::has_any(uint32_t y, uint32_t left, uint32_t right) const {
    /* addresses increase to the right, even in tiles */
    return engine_.memory.has_any(address_of(left, y), address_of(right - 1, y) + layout_.bytes);
}

/* VD56, VD57: the mask scales the coverage, rounded to nearest. */
int Target::visible(uint32_t x, uint32_t y, int coverage) const {
    if (coverage && bit(control_, 4)) {
        /* vg_lite_image.c vg_lite_scissor_rects: the lowest bit is the leftmost pixel */
        const uint64_t at =
            states_[SCISSOR_ADDRESS] + uint64_t{y} * bits(states_[SCISSOR_STRIDE], 17, 0) + x / 8;
        if (!bit(engine_.fetch(at, 1), x & 7))
            return 0;
    }
    if (coverage && bit(control_, 20)) {
        const uint64_t at =
            states_[MASK_ADDRESS] + uint64_t{y} * bits(states_[MASK_STRIDE], 17, 0) + x;
        return mul(coverage, static_cast<int>(engine_.fetch(at, 1)));
    }
    return coverage;
}

void Target::output(uint32_t x, uint32_t y, const Color& source, int coverage) {
    const bool as_stored = bit(config_, 8);
    const uint64_t at = address_of(x, y);
    Color destination = unpack(layout_, engine_.fetch(at, layout_.bytes));
    if (!as_stored)
        destination = multiplied_by_alpha(destination);

    /*
     * VD31: partial coverage mixes in the destination even if the blend mode ignores it (as in
     * OpenVG).
     */
    Color color = blended(bits(control_, 11, 8), source, destination);
    for (unsigned c = 0; c < 4; c++)
        color[c] = (color[c] * coverage + destination[c] * (255 - coverage) + 127) / 255;

    if (!as_stored && bit(config_, 9))
        color = divided_by_alpha(color);
    for (const Channel channel : {red, green, blue})
        color[channel] = through_gamma(bits(config_, 13, 12), color[channel]);
    engine_.store(at, layout_.bytes, pack(layout_, keyed(color), dither_threshold(x, y)));
}

/* VD54: the first key whose range contains the color to be stored sets the color's alpha. */
Color Target::keyed(Color color) const {
    for (uint32_t key = 0; key < 4; key++) {
        const uint32_t low = states_[KEY_LOW + key], high = states_[KEY_HIGH + key];
        const auto in_range = [&](Channel channel, unsigned shift) {
            const auto value = static_cast<uint32_t>(color[channel]);
            return bits(low, shift + 7, shift) <= value && value <= bits(high, shift + 7, shift);
        };
        if (bit(low, 24) && in_range(red, 16) && in_range(green, 8) && in_range(blue, 0)) {
            color[alpha] = static_cast<int>(bits(high, 31, 24));
            break;
        }
    }
    return color;
}

/*
 * VD39: the matrix is 4x4 with 4 bits per pixel, from the low end and with two rows per register.
 */
unsigned Target::dither_threshold(uint32_t x, uint32_t y) const {
    const uint32_t rows = states_[y & 2 ? DITHER_HIGH : DITHER_LOW];
    return rows >> ((y & 1) * 16 + (x & 3) * 4) & 15;
}

} // namespace pixmill::reference::vivante_vg
