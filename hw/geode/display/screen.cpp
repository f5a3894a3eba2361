// SPDX-License-Identifier: GPL-2.0-or-later
#include "screen.hpp"

#include <algorithm>
#include <iterator>

#include "display.hpp"
#include "render/kernels.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t opaque = 0xFF000000;

} // namespace

void Screen::forget() {
    picture_ = {};
    colors_changed_ = true;
}

void Screen::scan(uint64_t vram_size, PixmillGeodeScanout& out) {
    const Picture picture = picture_of(display_, vram_size);
    if (picture != picture_ || colors_changed_) {
        generation_ += generation_ == UINT32_MAX ? 2 : 1; // never 0
        picture_ = picture;
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
    out.direct = picture.visible && !picture.palette && !picture.gamma &&
                 picture.row_bytes() <= picture.pitch && picture.start % 4 == 0;
}

void Screen::draw(const std::byte* vram, uint64_t vram_size, uint32_t begin, uint32_t end,
                  std::byte* pixels, size_t pitch) {
    const uint32_t width = uint32_t(std::min<size_t>(picture_.width, pitch / sizeof(uint32_t)));
    const bool visible = picture_.visible && vram_size >= picture_.vram_size;
    uint32_t colors[256];
    for (size_t i = 0; i < std::size(colors); i++)
        colors[i] = opaque | display_.s.palette[i];
    end = std::min(end, picture_.height);
    for (uint32_t y = begin; y < end; y++) {
        uint32_t* const to = reinterpret_cast<uint32_t*>(pixels + y * pitch);
        if (visible)
            draw_row(vram + picture_.start + uint64_t(y) * picture_.pitch, to, width, colors);
        else
            std::fill_n(to, width, opaque);
    }
    display_.counters.rows += begin < end ? end - begin : 0;
}

void Screen::draw_row(const std::byte* from, uint32_t* to, uint32_t width,
                      const uint32_t (&colors)[256]) const {
    const render::Kernels& kernels = render::kernels();
    const render::Format& format = kind_of(picture_.format).format;
    if (picture_.format == PIXMILL_GEODE_PALETTE8)
        kernels.palette(to, from, colors, width);
    else
        kernels.unpack(format)(render::Codec(format), to, from, width);
    if (picture_.palette && picture_.format != PIXMILL_GEODE_PALETTE8)
        look_up(colors, to, width);
    if (picture_.gamma)
        look_up(display_.s.gamma, to, width);
}

void Screen::look_up(const uint32_t (&table)[256], uint32_t* pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t from = pixels[i];
        pixels[i] = opaque | (table[from >> 16 & 0xFF] & 0xFF0000) |
                    (table[from >> 8 & 0xFF] & 0x00FF00) | (table[from & 0xFF] & 0x0000FF);
    }
}

} // namespace pixmill::geode_display
