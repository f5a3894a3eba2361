// Primitives of the Vivante 2D engine that a DRAW_2D command starts.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "draw.hpp"

#include <algorithm>
#include <cstdlib>

namespace reference::vivante {

namespace {

/// True if the truth table depends on the operand whose index bit is `step` (1: destination, 2:
/// source, 4: pattern).
bool depends_on(uint32_t code, unsigned step) {
    for (unsigned index = 0; index < 8; ++index) {
        if (((code >> index) & 1) != ((code >> (index ^ step)) & 1))
            return true;
    }
    return false;
}

/// True if the result always equals the destination, with unused operands taken as 0.
bool keeps_destination(uint32_t code, const Usage& usage) {
    for (unsigned index = 0; index < 8; ++index) {
        const unsigned unused = (usage.source ? 0 : 2) | (usage.pattern ? 0 : 4);
        if (!(index & unused) && ((code >> index) & 1) != (index & 1))
            return false;
    }
    return true;
}

int sign(int value) {
    return (value > 0) - (value < 0);
}

uint32_t round_up(uint32_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Size in pixels of the area that one stream word covers, as selected by PACK.
struct PackUnit {
    uint32_t width;
    uint32_t height;
};
constexpr std::array<PackUnit, 4> pack_units{{{8, 4}, {16, 2}, {32, 1}, {32, 1}}};
constexpr uint32_t unpacked = 3;

} // namespace

bool Rectangle::contains(Point at) const {
    return at.x >= left && at.x < right && at.y >= top && at.y < bottom;
}

StreamBits::StreamBits(std::span<const uint32_t> words, uint32_t pack, int width, int height)
    : words_(words), pack_(pack), width_(static_cast<uint32_t>(width)),
      height_(static_cast<uint32_t>(height)) {}

size_t StreamBits::word_count() const {
    const auto [width, height] = pack_units[pack_];
    return size_t{round_up(width_, width)} * round_up(height_, height) / 32;
}

/// The words form strips, ordered from left to right, and each strip holds its words from top to
/// bottom; with UNPACKED, words are stored row by row (etna_viv attic/test2d bitblt2d_from_stream).
/// Bits missing at the end are 0.
bool StreamBits::at(Point offset) const {
    const uint32_t x = static_cast<uint32_t>(offset.x);
    const uint32_t y = static_cast<uint32_t>(offset.y);
    const auto [width, height] = pack_units[pack_];
    const size_t words_down = round_up(height_, height) / height;
    const size_t words_across = round_up(width_, width) / width;
    const size_t column = x / width;
    const size_t row = y / height;
    const size_t word = pack_ == unpacked ? row * words_across + column : column * words_down + row;
    if (word >= words_.size())
        return false;
    const uint32_t byte = (y % height) * (width / 8) + (x % width) / 8;
    return ((words_[word] >> (8 * byte + 7 - x % 8)) & 1) != 0;
}

Usage usage_of(const Source& source) {
    const uint32_t front = source.rop.foreground;
    const uint32_t back = source.rop.background;
    const Transparency& transparency = source.transparency;
    Usage usage;
    usage.pattern = transparency.pattern_use.apply(depends_on(front, 4) || depends_on(back, 4));
    usage.source = transparency.source_use.apply(depends_on(front, 2) || depends_on(back, 2) ||
                                                 transparency.uses_source);
    usage.destination =
        transparency.destination_use.apply(depends_on(front, 1) || depends_on(back, 1) ||
                                           transparency.destination_key || source.blend.enabled);
    return usage;
}

Painter::Painter(const Registers& registers, const Brush& brush, Memory& memory)
    : registers_(registers), brush_(brush), memory_(memory), source_(source_of(registers, 0)),
      destination_(destination_of(registers)),
      layout_(layout_of(destination_.format, destination_.swizzle)),
      conversion_(destination_conversion(registers)) {
    const uint32_t top_left = registers.get(clip_top_left);
    const uint32_t bottom_right = registers.get(clip_bottom_right);
    clip_.left = static_cast<int>(bits(top_left, 14, 0));
    clip_.top = static_cast<int>(bits(top_left, 30, 16));
    clip_.right = static_cast<int>(bits(bottom_right, 14, 0));
    clip_.bottom = static_cast<int>(bits(bottom_right, 30, 16));
}

bool Painter::writable() const {
    return is_direct(destination_.format) || is_yuv(destination_.format);
}

StreamBits Painter::stream_of(Rectangle area, std::span<const uint32_t> data) const {
    if (!source_.from_stream)
        return {};
    return StreamBits(data, source_.pack, area.width(), area.height());
}

Rectangle Painter::visible(Rectangle area) const {
    return {std::max(area.left, clip_.left), std::max(area.top, clip_.top),
            std::min(area.right, clip_.right), std::min(area.bottom, clip_.bottom)};
}

/// Decides which operands a single-source draw uses.
void Painter::begin(const Source& source) {
    usage_ = usage_of(source);
    yuv_to_yuv_ = usage_.source && is_yuv(source.surface.format) && is_yuv(destination_.format);
    raw_ = works_raw(source);
}

/// True if the operation combines raw pixel words, which preserves X bits. A source must have the
/// destination's format.
bool Painter::works_raw(const Source& source) const {
    const bool dithers =
        (registers_.get(pe_dither_low) & registers_.get(pe_dither_high)) != 0xffffffff;
    if (destination_.split.planes != 0)
        return false;
    if (source.blend.enabled || (dithers && loses_bits(destination_.format)))
        return false;
    if (!is_direct(destination_.format))
        return false;
    if (!usage_.source)
        return true;
    return source.surface.format == destination_.format &&
           source.surface.swizzle == destination_.swizzle;
}

void Painter::clear(Rectangle area) {
    const bool pe20 = registers_.features().pe20;
    const uint32_t color = registers_.get(clear_pixel_value32);
    const Rectangle region = visible(area);
    for (int y = region.top; y < region.bottom; ++y) {
        for (int x = region.left; x < region.right; ++x) {
            const Point physical = to_physical(destination_, {x, y});
            if (!has_destination(physical))
                continue;
            if (!pe20) {
                clear_bytes(physical);
                continue;
            }
            uint32_t value = color;
            // CLEAR also blends: viv2d and weston use it to draw translucent colors.
            if (source_.blend.enabled)
                value = blend(source_.blend, color, destination_value(destination_raw(physical)));
            write({x, y}, physical, value);
        }
    }
    chroma_.flush(memory_, destination_);
}

/// Clears a pixel on PE 1.0, where the clear value is an eight-byte pattern that repeats in memory
/// and has byte enables.
void Painter::clear_bytes(Point physical) {
    const uint64_t pattern = (static_cast<uint64_t>(registers_.get(clear_pixel_value_high)) << 32) |
                             registers_.get(clear_pixel_value_low);
    const uint32_t enabled = registers_.get(clear_byte_mask);
    const unsigned bytes = bytes_per_pixel(destination_.format);
    const uint32_t first = address_of(destination_.tiling, destination_.planes[0], physical, bytes);
    for (unsigned i = 0; i < bytes; ++i) {
        const uint32_t address = (first + i) ^ destination_.address_swap;
        const unsigned index = address & 7;
        if (((enabled >> index) & 1) != 0)
            memory_.write(address, static_cast<uint8_t>((pattern >> (8 * index)) & 0xff));
    }
}

/// Does not draw the last point. Of two equally near pixels, takes the one farther along the minor
/// axis.
void Painter::line(Point from, Point to) {
    begin(source_);
    const int64_t across = std::abs(to.x - from.x);
    const int64_t down = std::abs(to.y - from.y);
    const int64_t major = std::max(across, down);
    const int64_t minor = std::min(across, down);
    const Rectangle box{std::min(from.x, to.x), std::min(from.y, to.y), std::max(from.x, to.x) + 1,
                        std::max(from.y, to.y) + 1};
    for (int64_t i = 0; i < major; ++i) {
        const int along = static_cast<int>(i);
        const int aside = static_cast<int>((2 * i * minor + major) / (2 * major));
        const bool flat = across >= down;
        const Point at{from.x + sign(to.x - from.x) * (flat ? along : aside),
                       from.y + sign(to.y - from.y) * (flat ? aside : along)};
        if (clip_.contains(at))
            draw_pixel(source_, at, blit_sample(source_, box, at, {}));
    }
    chroma_.flush(memory_, destination_);
}

void Painter::bit_blit(Rectangle area, const StreamBits& stream) {
    begin(source_);
    const Rectangle region = visible(area);
    if (moves()) {
        blit_region(area, region, stream);
    } else {
        for (int y = region.top; y < region.bottom; ++y)
            blit_region(area, {region.left, y, region.right, y + 1}, stream);
    }
    chroma_.flush(memory_, destination_);
}

/// True if the engine picks a walk order that is safe for overlapping areas, on which X11's
/// CopyArea relies. Otherwise it draws rows from the top.
bool Painter::moves() const {
    const Surface& from = source_.surface;
    const auto upright = [](const Surface& surface) {
        return surface.rotation == 0 && surface.flip == 0;
    };
    return from.format == destination_.format &&
           from.planes[0].stride == destination_.planes[0].stride && upright(from) &&
           upright(destination_) && !source_.mirror_y;
}

/// Reads the whole source before writing anything.
void Painter::blit_region(Rectangle area, Rectangle region, const StreamBits& stream) {
    std::vector<Sample> samples;
    for (int y = region.top; y < region.bottom; ++y) {
        for (int x = region.left; x < region.right; ++x)
            samples.push_back(blit_sample(source_, area, {x, y}, stream));
    }
    size_t next = 0;
    for (int y = region.top; y < region.bottom; ++y) {
        for (int x = region.left; x < region.right; ++x)
            draw_pixel(source_, {x, y}, samples[next++]);
    }
}

namespace {

/// Maps a target index to its source pixel, with the same result as nano2D's error terms. Uses the
/// sizes rather than the factors, because some clients write factors that do not match the sizes.
int stretched(int index, int target, uint32_t size, uint32_t factor, bool gdi) {
    if (target <= 1)
        return 0;
    const int64_t i = index;
    const int64_t d = target;
    int64_t s = size;
    if (s == 0)
        s = ((static_cast<int64_t>(factor) * (d - 1)) >> 16) + 1;
    if (gdi)
        return static_cast<int>(i * s / d);
    return static_cast<int>((2 * i * (s - 1) + (d - 1)) / (2 * (d - 1)));
}

} // namespace

void Painter::stretch_blit(Rectangle area) {
    begin(source_);
    const bool gdi = bits(registers_.get(dest_config), 24, 24) != 0;
    const uint32_t factor_x = bits(registers_.get(stretch_factor_low), 30, 0);
    const uint32_t factor_y = bits(registers_.get(stretch_factor_high), 30, 0);
    const Rectangle region = visible(area);
    for (int y = region.top; y < region.bottom; ++y) {
        for (int x = region.left; x < region.right; ++x) {
            const Point offset = blit_offset(source_, area, {x, y});
            const Point from{source_.origin.x +
                                 stretched(offset.x, area.width(), source_.size_x, factor_x, gdi),
                             source_.origin.y +
                                 stretched(offset.y, area.height(), source_.size_y, factor_y, gdi)};
            draw_pixel(source_, {x, y}, sample(source_, usage_, from, false));
        }
    }
    chroma_.flush(memory_, destination_);
}

void Painter::multi_source_blit(Rectangle area) {
    const uint32_t most = registers_.features().multi_source_ex ? 8 : 4;
    const uint32_t count = std::min(bits(registers_.get(de_multi_source), 2, 0) + 1, most);
    std::vector<Source> sources;
    for (unsigned i = 0; i < count; ++i)
        sources.push_back(source_of(registers_, i));
    raw_ = false;
    yuv_to_yuv_ = false;
    const Rectangle region = visible(area);
    for (int y = region.top; y < region.bottom; ++y) {
        for (int x = region.left; x < region.right; ++x)
            draw_layers(sources, area, {x, y});
    }
    chroma_.flush(memory_, destination_);
}

void Painter::draw_layers(const std::vector<Source>& sources, Rectangle area, Point at) {
    const Point physical = to_physical(destination_, at);
    if (!has_destination(physical))
        return;
    uint32_t key_word = destination_raw(physical);
    uint32_t value = destination_value(key_word);
    for (const Source& source : sources) {
        const Usage usage = usage_of(source);
        // gcbv offsets the addresses so that the source and the destination have the same
        // coordinates.
        const Point offset = blit_offset(source, area, at);
        const Point from{source.origin.x + area.left + offset.x,
                         source.origin.y + area.top + offset.y};
        const Sample pixel = sample(source, usage, from, false);
        const bool is_opaque = opaque(source, pixel, at, key_word);
        const uint32_t pattern = usage.pattern ? brush_argb(at) : 0;
        const uint32_t below = usage.destination ? value : 0;
        const std::optional<uint32_t> result =
            combine(source, usage, pixel, is_opaque, below, pattern);
        if (result)
            value = *result;
        key_word = destination_key_word(value);
    }
    write(at, physical, value);
}

void Painter::draw_pixel(const Source& source, Point at, const Sample& sample) {
    const Point physical = to_physical(destination_, at);
    if (!has_destination(physical))
        return;
    const uint32_t raw = destination_raw(physical);
    const bool is_opaque = opaque(source, sample, at, raw);
    if (raw_) {
        Sample word = sample;
        word.value = sample.raw;
        const std::optional<uint32_t> result =
            combine(source, usage_, word, is_opaque, usage_.destination ? raw : 0,
                    usage_.pattern ? brush_raw(at) : 0);
        if (result)
            store(memory_, destination_, physical, *result);
        return;
    }
    uint32_t pattern = usage_.pattern ? brush_argb(at) : 0;
    if (yuv_to_yuv_ && usage_.pattern)
        pattern = rgb_to_yuv(conversion_, pattern);
    const uint32_t below = usage_.destination ? destination_value(raw) : 0;
    const std::optional<uint32_t> result =
        combine(source, usage_, sample, is_opaque, below, pattern);
    if (result)
        write(at, physical, *result);
}

/// Returns the result, or nothing if the destination keeps its value.
std::optional<uint32_t> Painter::combine(const Source& source, const Usage& usage,
                                         const Sample& sample, bool is_opaque, uint32_t destination,
                                         uint32_t pattern) const {
    if (!is_opaque &&
        (source.blend.enabled || source.transparency.never_written || !source.rop.has_background))
        return std::nullopt;
    if (source.blend.enabled) {
        const uint32_t over = usage.source ? sample.value : usage.pattern ? pattern : 0;
        return blend(source.blend, over, destination);
    }
    const uint32_t code = is_opaque ? source.rop.foreground : source.rop.background;
    // X bits and dithering must not change pixels that the client wants to keep.
    if (usage.destination && keeps_destination(code, usage))
        return std::nullopt;
    return rop(code, destination, sample.value, pattern);
}

bool Painter::opaque(const Source& source, const Sample& sample, Point at,
                     uint32_t destination) const {
    const Transparency& tests = source.transparency;
    if (tests.source == SourceTest::mono && sample.has_bit && sample.bit == source.transparent_bit)
        return false;
    if (tests.source == SourceTest::stream && source.from_stream && !sample.bit)
        return false;
    if (tests.source == SourceTest::key && sample.has_raw) {
        const unsigned bytes = bytes_per_pixel(source.surface.format);
        const unsigned width = is_yuv(source.surface.format) ? 24 : 8 * bytes;
        const bool equal = width != 0 && sample.raw == bits(source.background, width - 1, 0);
        const bool within = in_range(source.layout, sample.raw, source.background, source.key_high);
        if (tests.key_is_equality ? equal : within)
            return false;
    }
    if (tests.pattern_mask && !brush_mask(at))
        return false;
    if (!tests.destination_key || tests.destination_use.ignore)
        return true;
    return in_range(layout_, destination, registers_.get(dest_color_key),
                    registers_.get(dest_color_key_high));
}

} // namespace reference::vivante
