// SPDX-License-Identifier: GPL-2.0-or-later
#include "scanner.hpp"

#include <algorithm>
#include <cstring>

#include "blend.hpp"
#include "log.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::ipuv3 {
namespace {

constexpr unsigned address_bits = 32;
constexpr uint32_t black = 0xFF000000;

/// True if pixels in memory are those of the console, except for bits 31:24.
bool is_console_format(const Plane& plane) {
    constexpr auto at = [](const render::Channel& channel, uint32_t shift) {
        return channel.shift == shift && channel.width == 8;
    };
    const render::Format& format = plane.format;
    return plane.layout == Layout::rgb && format.bits == 32 && at(format.red, 16) &&
           at(format.green, 8) && at(format.blue, 0);
}

void convert(const render::ColorMatrix& matrix, uint32_t* pixels, uint32_t count) {
    render::kernels().convert(matrix, pixels, count);
}

} // namespace

Scanner::Scanner(Host& host, uint32_t max_width)
    : host_(host), memory_(host, address_bits), overlay_(max_width), words_(max_width) {
    for (auto& scratch : scratch_)
        scratch.resize(size_t(max_width) * 4 + 4);
}

uint64_t Scanner::draw(const Picture& picture, uint32_t begin, uint32_t end, std::byte* pixels,
                       size_t pitch) {
    bytes_ = 0;
    memory_.begin();
    if (picture.base.converts)
        base_matrix_ = matrix_of(picture.base.conversion);
    if (picture.overlay.converts)
        overlay_matrix_ = matrix_of(picture.overlay.conversion);
    if (!copy(picture, begin, end, pixels, pitch))
        for (uint32_t y = begin; y < end; y++)
            draw_row(picture, y, reinterpret_cast<uint32_t*>(pixels + y * pitch));
    memory_.end();
    if (const AccessErrors errors = memory_.take_errors(); errors.read)
        host_.no_memory(Cause::no_memory, "IDMAC", errors.read_address, false);
    return bytes_;
}

/// Copies whole rows if that is all there is to do. Returns false if it is not.
bool Scanner::copy(const Picture& picture, uint32_t begin, uint32_t end, std::byte* pixels,
                   size_t pitch) {
    const Base& base = picture.base;
    const Plane& plane = base.plane;
    const Overlay& overlay = picture.overlay;
    const bool overlaid =
        overlay.shown() && begin < overlay.top + overlay.rows && end > overlay.top;
    if (!plane.enabled || !is_console_format(plane) || plane.interlaced || base.converts ||
        overlaid || plane.width < base.width || plane.height < end)
        return false;
    const size_t row = size_t(base.width) * sizeof(uint32_t);
    const uint64_t length = uint64_t(end - begin - 1) * plane.pitch + row;
    const std::byte* const from =
        memory_.map_contiguous(plane.address(0, begin), length, Access::read);
    if (!from)
        return false;
    bytes_ += uint64_t(end - begin) * row;
    std::byte* const to = pixels + begin * pitch;
    if (plane.pitch == row && pitch == row) {
        std::memcpy(to, from, length);
        return true;
    }
    for (uint32_t y = 0; y < end - begin; y++)
        std::memcpy(to + y * pitch, from + size_t(y) * plane.pitch, row);
    return true;
}

void Scanner::draw_row(const Picture& picture, uint32_t y, uint32_t* row) {
    const Base& base = picture.base;
    const bool covers = base.plane.enabled && y < base.plane.height;
    const uint32_t background = covers ? std::min(base.plane.width, base.width) : 0;
    if (background)
        decode(base.plane, y, background, row);
    std::fill(row + background, row + base.width, black);
    if (base.alpha.enabled && background)
        replace_alpha(base.alpha, y, background, row);
    if (base.converts && !base.converts_after)
        convert(base_matrix_, row, background);
    const Overlay& overlay = picture.overlay;
    if (y - overlay.top < overlay.rows) // false if y < top, because the difference wraps
        blend_overlay(picture, y - overlay.top, row, background);
    if (base.converts_after)
        convert(base_matrix_, row, background);
}

/// Adds row `y` of the overlay to `row`, whose first `background` pixels are those of the
/// background.
void Scanner::blend_overlay(const Picture& picture, uint32_t y, uint32_t* row,
                            uint32_t background) {
    const Overlay& overlay = picture.overlay;
    uint32_t* const from = overlay_.data();
    const uint32_t left = overlay.left, count = overlay.columns;
    decode(overlay.plane, y, count, from);
    if (overlay.alpha.enabled)
        replace_alpha(overlay.alpha, y, count, from);
    const bool after = picture.base.converts_after;
    if (overlay.converts && !after)
        convert(overlay_matrix_, from, count);
    const uint32_t both = background > left ? std::min(background - left, count) : 0;
    combine_row(overlay, row + left, from, both);
    uint32_t* const alone = row + left + both;
    std::copy(from + both, from + count, alone);
    if (after)
        convert(overlay_matrix_, alone, count - both);
}

/// Returns `count` pixels of row `y`, or their samples in an area, in place or as a copy that is
/// valid until the next fetch from the same area. A row that is not in memory reads as 0.
const std::byte* Scanner::fetch(const Plane& plane, uint32_t area, uint32_t y, uint32_t count) {
    const uint64_t address = plane.address(area, y);
    const uint32_t length = plane.row_bytes(area, count);
    bytes_ += length;
    if (const std::byte* host = memory_.map_contiguous(address, length, Access::read))
        return host;
    std::byte* const copy = scratch_[area].data();
    memory_.read_or_zero(address, copy, length);
    return copy;
}

/// Converts pixels to working values: ARGB, or opaque YUV.
void Scanner::decode(const Plane& plane, uint32_t y, uint32_t count, uint32_t* out) {
    if (plane.layout == Layout::none || plane.layout == Layout::alpha) {
        std::fill_n(out, count, black);
        return;
    }
    const std::byte* const from = fetch(plane, 0, y, count);
    if (plane.layout == Layout::rgb)
        decode_rgb(plane, from, count, out);
    else
        decode_yuv(plane, from, y, count, out);
}

void Scanner::decode_rgb(const Plane& plane, const std::byte* from, uint32_t count, uint32_t* out) {
    const render::Kernels& kernels = render::kernels();
    render::Format format = plane.format;
    if (format.bits == 24) {
        uint32_t* const words = words_.data(); // indexing the vector would check each index
        for (uint32_t i = 0; i < count; i++)
            words[i] = uint32_t(from[3 * i]) | uint32_t(from[3 * i + 1]) << 8 |
                       uint32_t(from[3 * i + 2]) << 16;
        from = reinterpret_cast<const std::byte*>(words);
        format.bits = 32;
    }
    kernels.unpack(format)(render::Codec(format), out, from, count);
}

void Scanner::decode_yuv(const Plane& plane, const std::byte* luma, uint32_t y, uint32_t count,
                         uint32_t* out) {
    const render::Kernels& kernels = render::kernels();
    const std::byte *u = luma, *v = luma;
    uint32_t y_step = 1, chroma_step = 1, kernel = 2;
    if (plane.layout == Layout::yuyv || plane.layout == Layout::uyvy) {
        const uint32_t first = plane.layout == Layout::yuyv; // chroma follows luma
        u = luma + first;
        v = u + 2;
        luma += !first;
        y_step = 2, chroma_step = 4, kernel = 0;
    } else if (plane.semiplanar()) {
        u = fetch(plane, 1, y, count);
        v = u + 1;
        chroma_step = 2, kernel = 1;
    } else {
        u = fetch(plane, 1, y, count);
        v = fetch(plane, 2, y, count);
    }
    const auto single = [&](uint32_t i, uint32_t chroma) {
        out[i] = render::yuv_pixel(uint8_t(luma[i * y_step]), uint8_t(u[chroma * chroma_step]),
                                   uint8_t(v[chroma * chroma_step]));
    };
    if (plane.layout == Layout::planar_444) {
        for (uint32_t i = 0; i < count; i++)
            single(i, i);
        return;
    }
    kernels.yuv_pairs[kernel](out, luma, u, v, count / 2);
    if (count % 2)
        single(count - 1, count / 2);
}

/// Replaces the alpha of `pixels` by the bytes of `alpha`. Pixels without such a byte are opaque.
void Scanner::replace_alpha(const Plane& alpha, uint32_t y, uint32_t count, uint32_t* pixels) {
    const uint32_t covered = y < alpha.height ? std::min(alpha.width, count) : 0;
    const std::byte* const from = covered ? fetch(alpha, 0, y, covered) : nullptr;
    for (uint32_t i = 0; i < covered; i++)
        pixels[i] = (pixels[i] & 0xFFFFFF) | uint32_t(from[i]) << 24;
    for (uint32_t i = covered; i < count; i++)
        pixels[i] |= black;
}

} // namespace pixmill::ipuv3
