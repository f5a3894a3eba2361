// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes brushes: PATTERN_* and the brush cache, which PATTERN_CONFIG.INIT_TRIGGER fills (rnndb
// state_2d.xml).
#include "draw_setup.hpp"

namespace pixmill::vivante {

namespace {

struct BrushFormat {
    uint32_t code;
    render::Format rgb;
    bool known;
};

BrushFormat decode_format(const DrawStates& states, uint32_t config) {
    const uint32_t code = brush_format(states.chip, config);
    const PixelFormat& format = pixel_format(states.chip, code);
    if (!format.rgb || !format.rgb->red.width)
        return {code, {}, false};
    return {code,
            render::with_swizzle(*format.rgb, render::Swizzle(de::pattern_config::swizzle(config))),
            true};
}

/// Returns the color of the pixel in column `i` and row `j` of the loaded brush.
uint32_t brush_pixel(const DrawStates& states, const DrawSetup& setup, uint32_t config, unsigned i,
                     unsigned j) {
    const PixmillVivanteState& s = states.s;
    const BrushFormat format = decode_format(states, config);
    const unsigned at = 8 * j + i;
    if (format.code == format_monochrome) {
        // Byte j holds row j. The least significant bit of a row is its rightmost pixel.
        const uint64_t bits = uint64_t(s.de_brush_high) << 32 | s.de_brush_low;
        return bits >> (8 * j + 7 - i) & 1 ? s.de_brush_fg : s.de_brush_bg;
    }
    if (format.code == format_index8)
        return palette_color(states, setup, s.de_brush_pixel[at] & 0xFF);
    return format.known ? render::unpack(format.rgb, s.de_brush_pixel[at]) : 0;
}

} // namespace

/// Decodes the brush and converts it to physical coordinates. It repeats every eight pixels in
/// physical coordinates, too.
void decode_brush(const DrawStates& states, DrawSetup& setup) {
    const uint32_t config = states.s.de_brush_config;
    render::Pattern& pattern = setup.operation.pattern;
    pattern.solid = !de::pattern_config::type(config);
    pattern.packed = holds_pixels(states, setup, de::pattern_config::color_convert(config)) &&
                     (pattern.solid || brush_format(states.chip, config) == format_monochrome);
    pattern.color[0] = states[DE_PATTERN_FG_COLOR];
    const uint64_t mask =
        uint64_t(states[DE_PATTERN_MASK_HIGH]) << 32 | states[DE_PATTERN_MASK_LOW];
    pattern.mask = mask;
    if (pattern.solid && mask == ~uint64_t(0))
        return;
    pattern.mask = 0;
    const uint32_t origin_x = de::pattern_config::origin_x(config),
                   origin_y = de::pattern_config::origin_y(config);
    for (int32_t y = 0; y < 8; y++)
        for (int32_t x = 0; x < 8; x++) {
            const auto i = (uint32_t(setup.destination.virtual_x(x, y)) - origin_x) & 7;
            const auto j = (uint32_t(setup.destination.virtual_y(x, y)) - origin_y) & 7;
            const auto at = size_t(8 * y + x);
            if (!pattern.solid)
                pattern.color[at] = brush_pixel(states, setup, config, i, j);
            pattern.mask |= (mask >> (8 * j + 7 - i) & 1) << at;
        }
}

} // namespace pixmill::vivante
