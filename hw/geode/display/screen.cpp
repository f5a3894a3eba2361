// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen.hpp"

#include <algorithm>
#include <iterator>

#include "display.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t opaque = 0xFF000000;

/// Maps each color component through the same component of `table`. Skips video pixels, whose X
/// bits are 0, and sets the X bits of all pixels.
void look_up(const uint32_t (&table)[256], uint32_t* pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = pixels[i];
        const uint32_t to = (table[from >> 16 & 0xFF] & 0xFF0000) |
                            (table[from >> 8 & 0xFF] & 0x00FF00) | (table[from & 0xFF] & 0x0000FF);
        pixels[i] = opaque | (from >> 24 ? to : from);
    }
}

/// Describes layer `now`, and the rows that have changed since `before`.
template<class Layer>
PixmillGeodeLayer layer_of(const Layer& before, const Layer& now) {
    PixmillGeodeLayer layer{};
    layer.rows = now.rows;
    if (!(before == now)) {
        layer.changed[0] = before.rows;
        layer.changed[1] = now.rows;
    }
    for (uint32_t plane = 0; plane < now.planes; plane++)
        layer.source[plane] = now.source(plane);
    return layer;
}

} // namespace

void Screen::forget() {
    picture_ = {};
    cursor_ = {};
    video_ = {};
    colors_changed_ = true;
    coefficients_changed();
}

void Screen::scan(uint64_t vram_size, PixmillGeodeScanout& out) {
    const Picture picture = picture_of(display_, vram_size);
    const Cursor cursor = cursor_of(display_, picture);
    const Video video = video_of(display_, picture);
    if (picture != picture_ || colors_changed_) {
        generation_ += generation_ == UINT32_MAX ? 2 : 1; // never 0
        colors_changed_ = false;
    }
    out = {};
    out.visible = picture.visible;
    out.width = picture.width;
    out.height = picture.height;
    out.pitch = picture.pitch;
    out.format = picture.format;
    out.start = picture.start;
    out.generation = generation_;
    out.layer[PIXMILL_GEODE_CURSOR] = layer_of(cursor_, cursor);
    out.layer[PIXMILL_GEODE_VIDEO] = layer_of(video_, video);
    // The last row must be inside VRAM up to its full pitch, because console clients read whole
    // rows.
    out.direct = picture.visible && !picture.palette && !picture.gamma && !cursor.planes &&
                 !video.planes && picture.row_bytes() <= picture.pitch && picture.start % 4 == 0 &&
                 in_vram(vram_size, picture.start, picture.pitch, picture.height, picture.pitch);
    picture_ = picture;
    cursor_ = cursor;
    video_ = video;
}

void Screen::draw(const std::byte* vram, uint64_t vram_size, uint32_t begin, uint32_t end,
                  std::byte* pixels, size_t pitch) {
    const bool visible = picture_.visible && vram_size >= picture_.vram_size;
    end = std::min(end, picture_.height);
    if (pitch < size_t(picture_.width) * sizeof(uint32_t) || begin >= end)
        return;
    uint32_t colors[256];
    for (size_t i = 0; i < std::size(colors); i++)
        colors[i] = opaque | display_.s.palette[i];
    if (visible && video_.planes)
        scaler_.begin(video_, vram, display_.s.video_filter);
    for (uint32_t y = begin; y < end; y++) {
        auto* const row = reinterpret_cast<uint32_t*>(pixels + y * pitch);
        if (visible)
            draw_row(vram, y, colors, row);
        else
            std::fill_n(row, picture_.width, opaque);
    }
    display_.counters.rows += end - begin;
}

// The cursor is drawn on top of video as well, and the gamma table applies either to graphics or to
// video (databook 6.5.1.3, 6.7.5).
void Screen::draw_row(const std::byte* vram, uint32_t y, const uint32_t (&colors)[256],
                      uint32_t* row) {
    draw_graphics(vram + picture_.start + uint64_t(y) * picture_.pitch, colors, row);
    if (video_.rows.has(y)) {
        uint32_t* const pixels = scaler_.row(y);
        if (video_.gamma)
            look_up(display_.s.gamma, pixels, video_.end - video_.begin);
        mix_video(video_, y, kind_of(picture_.format).key_bits, pixels, row);
    }
    if (cursor_.rows.has(y))
        draw_cursor(cursor_, vram, y, std::span(display_.s.palette).subspan<256, 2>(), row);
    if (picture_.gamma)
        look_up(display_.s.gamma, row, picture_.width);
    else
        std::for_each(row + video_.begin, row + video_.end,
                      [](uint32_t& pixel) { pixel |= opaque; });
}

void Screen::draw_graphics(const std::byte* from, const uint32_t (&colors)[256],
                           uint32_t* row) const {
    const render::Kernels& kernels = render::kernels();
    const render::Format& format = kind_of(picture_.format).format;
    if (picture_.format == PIXMILL_GEODE_PALETTE8)
        return kernels.palette(row, from, colors, picture_.width);
    kernels.unpack(format)(render::Codec(format), row, from, picture_.width);
    if (picture_.palette)
        look_up(colors, row, picture_.width);
}

} // namespace pixmill::geode_display
