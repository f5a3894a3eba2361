// SPDX-License-Identifier: GPL-2.0-or-later
#include "pattern.hpp"

#include <algorithm>

namespace pixmill::geode {
namespace {

enum PatternMode : uint32_t { solid, mono, colored };

/// LUT index of channel 3's pattern.
constexpr uint32_t lut_pattern = 0x100;

uint32_t mask_of_pixel(const render::Format& format) {
    return ~0u >> (32 - format.bits);
}

/// Expands a mono pattern. The leftmost pixel of a row is the most significant bit of the row's
/// byte.
void make_mono(Pattern& pattern, const Latched& latched, uint32_t pixel_mask) {
    const uint32_t mode = latched[RASTER_MODE];
    const uint32_t invert = raster_mode::invert_pattern(mode) ? ~0u : 0;
    for (uint32_t i = 0; i < pattern.word.size(); i++) {
        const uint32_t data = latched[i < 32 ? PAT_DATA_0 : PAT_DATA_1] ^ invert;
        const bool set = data >> (i % 32 / 8 * 8 + 7 - i % 8) & 1;
        pattern.word[i] = latched[set ? PAT_COLOR_1 : PAT_COLOR_0] & pixel_mask;
        if (!set && raster_mode::pattern_transparency(mode))
            pattern.transparent |= uint64_t{1} << i;
    }
}

/// Expands a colored pattern. As on the GX2 (xf86-video-geode: rndr_gu2.c), 256 bits hold one row
/// of 32-bit pixels, two rows of 16-bit pixels or four rows of 8-bit pixels. The first pixel of a
/// row is the most significant one of the row's last register.
void make_colored(Pattern& pattern, const Latched& latched, const render::Format& format) {
    constexpr Offset registers[] = {PAT_DATA_0,  PAT_DATA_1,  PAT_COLOR_0, PAT_COLOR_1,
                                    PAT_COLOR_2, PAT_COLOR_3, PAT_COLOR_4, PAT_COLOR_5};
    const uint32_t row_words = format.bits / 4, rows = 8 / row_words; // registers per row; rows
    const uint32_t pixels = 32 / format.bits;                         // pixels per register
    for (uint32_t i = 0; i < pattern.word.size(); i++) {
        const uint32_t row = i / 8 % rows, column = i % 8;
        const uint32_t number = row * row_words + row_words - 1 - column / pixels;
        const uint32_t shift = (pixels - 1 - column % pixels) * format.bits;
        pattern.word[i] = latched[registers[number]] >> shift & mask_of_pixel(format);
    }
}

Pattern with_origin(uint32_t offset) {
    Pattern pattern;
    pattern.column = offset::x_lsbs(offset);
    pattern.row = offset::y_lsbs(offset);
    return pattern;
}

/// Returns the format of channel 3's pattern. Formats that are not colors are treated as colors of
/// the same size.
render::Format pattern_format(const Latched& latched) {
    const Channel3Format format = Channel3Mode(latched).format;
    if (format.holds == Holds::color)
        return format.format;
    const bool bgr = ch3_mode::bgr(latched[CH3_MODE_STR]);
    return channel3_format(format.bits <= 8 ? 0 : 8, bgr).format;
}

} // namespace

Pattern Pattern::of_raster_mode(const Latched& latched, const render::Format& destination) {
    Pattern pattern = with_origin(latched[DST_OFFSET]);
    switch (raster_mode::pattern_mode(latched[RASTER_MODE])) {
    case mono:
        make_mono(pattern, latched, mask_of_pixel(destination));
        break;
    case colored:
        make_colored(pattern, latched, destination);
        break;
    default:
        pattern.solid = true;
        pattern.word.fill(latched[PAT_COLOR_0] & mask_of_pixel(destination));
    }
    return pattern;
}

/// The leftmost pixel is the least significant one of a word.
Pattern Pattern::of_channel3(const Latched& latched, const render::Format& destination) {
    Pattern pattern = with_origin(latched[CH3_OFFSET]);
    const render::Format format = pattern_format(latched);
    const uint32_t pixels = 32 / format.bits;
    for (uint32_t i = 0; i < pattern.word.size(); i++) {
        const uint32_t word = latched.lut[lut_pattern + i / pixels];
        const uint32_t raw = word >> i % pixels * format.bits & mask_of_pixel(format);
        pattern.argb[i] = render::unpack(format, raw);
        pattern.word[i] = render::pack(destination, pattern.argb[i]);
    }
    return pattern;
}

} // namespace pixmill::geode
