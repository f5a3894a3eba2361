// The patterns of RASTER_MODE.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

namespace reference::geode {
namespace {

bool mono_bit(const Operation& op, uint32_t column, uint32_t row) {
    const uint32_t data = op[row < 4 ? pat_data_0 : pat_data_1];
    const uint32_t line = data >> row % 4 * 8;
    return bit(line, 7 - column) != bit(op[raster_mode], 12);
}

/// Returns a pixel of the color pattern. The registers hold as many lines of eight pixels as fit.
/// The leftmost pixels are in the last word of a line.
uint32_t legacy_color(const Operation& op, uint32_t column, uint32_t row) {
    static constexpr Offset words[] = {pat_data_0,  pat_data_1,  pat_color_0, pat_color_1,
                                       pat_color_2, pat_color_3, pat_color_4, pat_color_5};
    const uint32_t bytes = op.bytes_per_pixel();
    const uint32_t words_of_line = 2 * bytes;
    const uint32_t pixels_of_word = 4 / bytes;
    const uint32_t line = row % (8 / words_of_line);
    const uint32_t word = line * words_of_line + words_of_line - 1 - column / pixels_of_word;
    const uint32_t pixels_below = pixels_of_word - 1 - column % pixels_of_word;
    return op[words[word]] >> pixels_below * bytes * 8;
}

} // namespace

std::optional<uint32_t> raster_pattern(const Operation& op, int64_t x, int64_t y) {
    const uint32_t column = (bits(op[dst_offset], 28, 26) + x) & 7;
    const uint32_t row = (bits(op[dst_offset], 31, 29) + y) & 7;
    const uint32_t mode = bits(op[raster_mode], 9, 8);
    if (mode == 2)
        return legacy_color(op, column, row);
    if (mode != 1)
        return op[pat_color_0];
    const bool set = mono_bit(op, column, row);
    const bool transparent = bit(op[raster_mode], 10);
    if (transparent && !set)
        return {};
    return op[set ? pat_color_1 : pat_color_0];
}

} // namespace reference::geode
