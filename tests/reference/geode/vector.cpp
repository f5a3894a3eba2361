// Vectors: Bresenham lines.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

#include <bit>

namespace reference::geode {
namespace {

int64_t signed_half(uint32_t value) {
    return static_cast<int16_t>(value & 0xFFFF);
}

/// The dash pattern that channel 3 applies to a vector, one bit per pixel.
class Dash {
public:
    explicit Dash(const Operation& op) : bits_(op.lut[0x100]) {
        const bool on = bit(op[ch3_mode_str], 31) && bit(op[ch3_mode_str], 21);
        const auto ones = static_cast<uint32_t>(std::popcount(op.lut[0x101]));
        length_ = !on ? 0 : ones ? ones : 32;
    }
    bool shows(uint32_t pixel) const { return !length_ || bit(bits_, pixel % length_); }

private:
    uint32_t bits_;
    uint32_t length_; /* 0: a solid line */
};

} // namespace

void draw_vector(const Operation& op, const Memory& memory) {
    const uint32_t mode = op[vector_mode];
    const int64_t major = bit(mode, 1) ? 1 : -1;
    const int64_t minor = bit(mode, 2) ? 1 : -1;
    const bool y_is_major = bit(mode, 0);
    const Pixel source = pixel_of(op.format(), op[src_color_fg]);
    const uint32_t alpha = bits(op[raster_mode], 7, 0);
    const Dash dash(op);
    int64_t x = 0, y = 0;
    int64_t error = signed_half(op[vec_len]);
    for (uint32_t pixel = 0; pixel < bits(op[vec_len], 27, 16); pixel++) {
        if (dash.shows(pixel))
            draw(op, memory,
                 op.destination() + x * op.bytes_per_pixel() + y * op.destination_stride(), source,
                 raster_pattern(op, x, y), alpha);
        const bool diagonal = error >= 0;
        (y_is_major ? y : x) += major;
        if (diagonal)
            (y_is_major ? x : y) += minor;
        error += signed_half(diagonal ? op[vec_err] : op[vec_err] >> 16);
    }
}

} // namespace reference::geode
