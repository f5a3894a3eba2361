// Operands of the Vivante 2D engine: source pixels, brush, destination.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "draw.hpp"

namespace reference::vivante {

namespace {

constexpr uint32_t opaque_alpha = 0xff000000;

/// Returns a pixel's dither threshold. The 4x4 matrix has one nibble per position, row by row.
unsigned dither_threshold(const Registers& registers, Point at) {
    const uint32_t rows = registers.get((at.y & 2) == 0 ? pe_dither_low : pe_dither_high);
    const unsigned nibble = static_cast<unsigned>((at.y & 1) * 4 + (at.x & 3));
    return (rows >> (4 * nibble)) & 0xf;
}

/// Row 0 is in the lowest byte. The top bit of a byte is the leftmost pixel.
bool brush_bit(uint64_t rows, Point position) {
    return ((rows >> (8 * position.y + 7 - position.x)) & 1) != 0;
}

} // namespace

bool Painter::has_destination(Point at) const {
    return at.x >= 0 && at.y >= 0;
}

uint32_t Painter::destination_raw(Point at) {
    if (destination_.split.planes == 0)
        return fetch(memory_, destination_, at);
    const uint32_t pixel = fetch_split(memory_, destination_, at);
    return is_yuv(destination_.format) ? pixel & ~opaque_alpha : pack(layout_, pixel);
}

uint32_t Painter::destination_value(uint32_t raw) const {
    if (!is_yuv(destination_.format))
        return decode(layout_, raw);
    const uint32_t yuv =
        opaque_alpha | (destination_.chroma_exchanged ? exchange_chroma(raw) : raw);
    return yuv_to_yuv_ ? yuv : yuv_to_rgb(conversion_, yuv);
}

/// Returns the word that a destination key compares after an earlier source has been drawn.
uint32_t Painter::destination_key_word(uint32_t value) const {
    if (!is_yuv(destination_.format))
        return pack(layout_, value);
    const uint32_t yuv = pack(layout_, rgb_to_yuv(conversion_, value));
    return destination_.chroma_exchanged ? exchange_chroma(yuv) : yuv;
}

void Painter::write(Point at, Point physical, uint32_t value) {
    if (is_yuv(destination_.format)) {
        uint32_t yuv = yuv_to_yuv_ ? value : rgb_to_yuv(conversion_, value);
        if (destination_.chroma_exchanged)
            yuv = exchange_chroma(yuv);
        chroma_.draw(memory_, destination_, physical, opaque_alpha | yuv);
        return;
    }
    const uint32_t raw = pack(layout_, value, dither_threshold(registers_, at));
    if (destination_.split.planes != 0) // the planes store the channels of a pixel in this format
        chroma_.draw(memory_, destination_, physical, decode(layout_, raw));
    else
        store(memory_, destination_, physical, raw);
}

/// Returns the ARGB value of a color register. On PE 1.0 the registers hold a pixel in the
/// destination format.
uint32_t Painter::register_color(uint32_t word, bool is_argb) const {
    return is_argb || !is_direct(destination_.format) ? word : decode(layout_, word);
}

uint32_t Painter::palette(uint32_t index) const {
    const bool pe20 = registers_.features().pe20;
    const uint32_t table = pe20 ? index_color_table32 : index_color_table;
    return register_color(registers_.get(table + 4 * (index & 0xff)), pe20);
}

/// Returns the channels of a source pixel: A, R, G, B, or Y, U, V for a YUV source.
uint32_t Painter::source_value(const Source& source, uint32_t raw) const {
    const Surface& surface = source.surface;
    if (surface.format == format_index8)
        return palette(raw);
    if (surface.format == format_a8)
        return (raw << 24) | (source.global_color & 0xffffff);
    if (is_yuv(surface.format))
        return opaque_alpha | (surface.chroma_exchanged ? exchange_chroma(raw) : raw);
    return is_direct(surface.format) ? decode(source.layout, raw) : 0;
}

uint32_t Painter::working_value(const Source& source, uint32_t value) const {
    if (is_yuv(source.surface.format) && !yuv_to_yuv_)
        return yuv_to_rgb(source.conversion, value);
    return value;
}

/// Reads a source pixel if the operation depends on it.
Sample Painter::sample(const Source& source, const Usage& usage, Point at, bool stream_bit) {
    Sample result;
    if (source.from_stream) {
        result.has_bit = true;
        result.bit = stream_bit;
    }
    const bool tests_bit =
        source.transparency.source == SourceTest::mono && !source.transparency.source_use.ignore;
    if (!usage.source && !tests_bit)
        return result;
    if (source.monochrome) {
        if (!source.from_stream) {
            result.bit = fetch_bit(memory_, source.surface, to_physical(source.surface, at));
            result.has_bit = true;
        }
        result.value = register_color(result.bit ? source.foreground : source.background,
                                      source.colors_are_argb);
        return result;
    }
    result.raw = fetch(memory_, source.surface, to_physical(source.surface, at));
    result.value = working_value(source, source_value(source, result.raw));
    result.has_raw = true;
    return result;
}

/// Returns a pixel's offset within its rectangle, after mirroring.
Point Painter::blit_offset(const Source& source, Rectangle area, Point at) const {
    const Point offset{at.x - area.left, at.y - area.top};
    return {source.mirror_x ? area.width() - 1 - offset.x : offset.x,
            source.mirror_y ? area.height() - 1 - offset.y : offset.y};
}

Sample Painter::blit_sample(const Source& source, Rectangle area, Point at,
                            const StreamBits& stream) {
    const Point offset = blit_offset(source, area, at);
    Point from{source.origin.x + offset.x, source.origin.y + offset.y};
    if (source.relative)
        from = {from.x + area.left, from.y + area.top};
    return sample(source, usage_, from, stream.at(offset));
}

/// Returns the position in the 8x8 brush. The origin fields give the position of the brush's top
/// left corner (aqde.h).
Point Painter::brush_position(Point at) const {
    const int origin_x = static_cast<int>(bits(brush_.config, 18, 16));
    const int origin_y = static_cast<int>(bits(brush_.config, 22, 20));
    return {(at.x - origin_x) & 7, (at.y - origin_y) & 7};
}

bool Painter::brush_mask(Point at) const {
    const uint64_t rows = (static_cast<uint64_t>(registers_.get(pattern_mask_high)) << 32) |
                          registers_.get(pattern_mask_low);
    return brush_bit(rows, brush_position(at));
}

/// Returns the color register that applies to the pixel, or nothing if the brush stores pixel
/// colors.
std::optional<uint32_t> Painter::brush_register(Point at) const {
    if (bits(brush_.config, 4, 4) == 0)
        return registers_.get(pattern_fg_color);
    if (brush_format(registers_, brush_.config) != format_monochrome)
        return std::nullopt;
    return brush_bit(brush_.rows, brush_position(at)) ? brush_.foreground : brush_.background;
}

uint32_t Painter::brush_argb(Point at) const {
    const bool colors_are_argb = registers_.features().pe20 || bits(brush_.config, 5, 5) != 0;
    if (const std::optional<uint32_t> color = brush_register(at))
        return register_color(*color, colors_are_argb);
    const Point position = brush_position(at);
    const uint32_t raw = brush_.pixels[static_cast<unsigned>(8 * position.y + position.x)];
    const uint32_t format = brush_format(registers_, brush_.config);
    if (format == format_index8)
        return palette(raw);
    if (format == format_a8 || !is_direct(format))
        return 0;
    return decode(layout_of(format, bits(brush_.config, 9, 8)), raw);
}

/// Returns the brush pixel as a word in the destination format.
uint32_t Painter::brush_raw(Point at) const {
    const bool colors_are_argb = registers_.features().pe20 || bits(brush_.config, 5, 5) != 0;
    const std::optional<uint32_t> color = brush_register(at);
    if (color && !colors_are_argb)
        return *color;
    return pack(layout_, brush_argb(at));
}

} // namespace reference::vivante
