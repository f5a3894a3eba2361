// SPDX-License-Identifier: GPL-2.0-or-later
#include "texels.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::render {

using Kind = Source::Kind;

bool BitStream::at(uint32_t x, uint32_t y) const {
    if (x >= width || y >= height)
        return false;
    uint32_t word = 0, byte = x >> 3 & 3;
    switch (pack) {
    case Pack::packed8:
        word = (x >> 3) * ((height + 3) / 4) + (y >> 2);
        byte = y & 3;
        break;
    case Pack::packed16:
        word = (x >> 4) * ((height + 1) / 2) + (y >> 1);
        byte = 2 * (y & 1) + (x >> 3 & 1);
        break;
    case Pack::packed32:
        word = (x >> 5) * height + y;
        break;
    case Pack::unpacked:
        word = y * ((width + 31) / 32) + (x >> 5);
        break;
    }
    return word < words.size() && (words[word] >> (8 * byte + 7 - (x & 7)) & 1);
}

std::optional<Error> Texels::prepare(Memory& memory, const Kernels& kernels, const Source& source,
                                     const Rect& touched) {
    kernels_ = &kernels;
    source_ = &source;
    decoded_ = has_alpha_ = false;
    unpack_ = nullptr;
    for (auto& surface : surface_)
        surface.reset();
    switch (source.kind) {
    case Kind::none:
        return Error::format;
    case Kind::stream:
        bytes_ = 1;
        return {};
    case Kind::yuv:
        bytes_ = 4;
        decoded_ = true;
        return prepare_planes(memory, touched);
    case Kind::mono: {
        bytes_ = 1;
        const Rect bytes{touched.left >> 3, touched.top, ((touched.right - 1) >> 3) + 1,
                         touched.bottom};
        surface_[0] = Surface::make(memory, source.surface[0], bytes);
        if (surface_[0]) // an invalid size must not allocate
            plane_.resize(std::max(plane_.size(), size_t(touched.width() / 8 + 2)));
        break;
    }
    case Kind::index8:
    case Kind::rgb: {
        const Format& format = source.surface[0].format;
        if (!format.valid())
            return Error::format;
        bytes_ = format.bytes();
        surface_[0] = Surface::make(memory, source.surface[0], touched);
        has_alpha_ = source.kind == Kind::index8 || format.alpha.width;
        decoded_ = format == formats::a8r8g8b8;
        codec_ = Codec(format);
        if (!format.red.width)
            codec_.opaque |= source.a8_color & 0xFFFFFF;
        unpack_ = kernels.unpack(format);
        break;
    }
    }
    return surface_[0] ? std::optional<Error>{} : Error::source_extent;
}

/// Computes the range [first, end) of plane pixels that hold components of the pixels [x, x +
/// count).
void Texels::plane_range(uint32_t plane, int32_t x, uint32_t count, int64_t& first,
                         int64_t& end) const {
    const YuvLayout& layout = source_->layout;
    const int64_t bytes = layout.pixel_bytes[plane];
    first = INT64_MAX;
    end = INT64_MIN;
    for (const Component& c : {layout.y, layout.u, layout.v}) {
        if (c.plane != plane)
            continue;
        const auto pixel = [&](int64_t at) {
            const int64_t byte = (at >> c.x_shift) * c.step + c.offset;
            return byte >> (bytes - 1); // `bytes` is 1 or 2
        };
        first = std::min(first, pixel(x));
        end = std::max(end, pixel(int64_t(x) + count - 1) + 1);
    }
}

std::optional<Error> Texels::prepare_planes(Memory& memory, const Rect& touched) {
    const YuvLayout& layout = source_->layout;
    if (touched.width() > Surface::max_width)
        return Error::source_extent;
    size_t room = 0;
    for (uint32_t plane = 0; plane < layout.planes; plane++) {
        int64_t first, end;
        plane_range(plane, touched.left, uint32_t(touched.width()), first, end);
        const unsigned y_shift = plane ? layout.u.y_shift : 0;
        surface_[plane] = Surface::make(memory, source_->surface[plane],
                                        {int32_t(first), touched.top >> y_shift, int32_t(end),
                                         ((touched.bottom - 1) >> y_shift) + 1});
        if (!surface_[plane])
            return Error::source_extent;
        room += size_t(end - first) * layout.pixel_bytes[plane];
    }
    plane_.resize(std::max(plane_.size(), room));
    return {};
}

void Texels::open(bool ahead) {
    for (auto& surface : surface_)
        if (surface)
            surface->open_anywhere(Access::read, ahead);
}

const std::byte* Texels::row(int32_t x, int32_t y, uint32_t count, std::byte* scratch) {
    switch (source_->kind) {
    case Kind::mono:
        return bits(x, y, count, scratch);
    case Kind::stream:
        return stream(x, y, count, scratch);
    case Kind::yuv:
        return yuv(x, y, count, scratch);
    default:
        return surface_[0]->load(x, y, count, scratch);
    }
}

const std::byte* Texels::block(int32_t x, int32_t y, uint32_t count, uint32_t rows, size_t* pitch) {
    const bool pixels = source_->kind == Kind::rgb || source_->kind == Kind::index8;
    if (!pixels)
        return nullptr;
    *pitch = surface_[0]->stride();
    return surface_[0]->block(x, y, count, rows);
}

const std::byte* Texels::bits(int32_t x, int32_t y, uint32_t count, std::byte* scratch) {
    const int32_t first = x >> 3, last = (x + int32_t(count) - 1) >> 3;
    const std::byte* bytes = surface_[0]->load(first, y, uint32_t(last - first + 1), plane_.data());
    if (!bytes)
        return nullptr;
    kernels_->bits(scratch, bytes, size_t(x & 7), count);
    return scratch;
}

const std::byte* Texels::stream(int32_t x, int32_t y, uint32_t count, std::byte* scratch) const {
    for (uint32_t i = 0; i < count; i++) // a negative coordinate becomes a large one
        scratch[i] = std::byte(source_->bits.at(uint32_t(x) + i, uint32_t(y)));
    return scratch;
}

const std::byte* Texels::yuv(int32_t x, int32_t y, uint32_t count, std::byte* scratch) {
    const YuvLayout& layout = source_->layout;
    const std::byte* plane[3] = {}; ///< address of byte 0 of each plane's row
    std::byte* room = plane_.data();
    for (uint32_t i = 0; i < layout.planes; i++) {
        int64_t first, end;
        plane_range(i, x, count, first, end);
        const unsigned y_shift = i ? layout.u.y_shift : 0;
        const std::byte* bytes =
            surface_[i]->load(int32_t(first), y >> y_shift, uint32_t(end - first), room);
        if (!bytes)
            return nullptr;
        plane[i] = bytes - first * layout.pixel_bytes[i];
        room += (end - first) * layout.pixel_bytes[i];
    }
    const auto at = [&](const Component& c, int64_t pixel) {
        return plane[c.plane] + (pixel >> c.x_shift) * c.step + c.offset;
    };
    auto* const out = reinterpret_cast<uint32_t*>(scratch);
    const auto single = [&](uint32_t i) {
        const int64_t pixel = int64_t(x) + i;
        out[i] = yuv_pixel(uint8_t(*at(layout.y, pixel)), uint8_t(*at(layout.u, pixel)),
                           uint8_t(*at(layout.v, pixel)));
    };
    // Pixels 2n and 2n + 1 share chroma in all layouts.
    const uint32_t odd = x & 1, pairs = count > odd ? (count - odd) / 2 : 0;
    if (odd)
        single(0);
    const int64_t even = int64_t(x) + odd;
    kernels_->yuv_pairs[layout.planes - 1](out + odd, at(layout.y, even), at(layout.u, even),
                                           at(layout.v, even), pairs);
    if (odd + 2 * pairs < count)
        single(count - 1);
    return scratch;
}

void Texels::decode(uint32_t* to, const std::byte* from, size_t count) const {
    switch (source_->kind) {
    case Kind::rgb:
        unpack_(codec_, to, from, count);
        break;
    case Kind::index8:
        kernels_->palette(to, from, source_->palette.data(), count);
        break;
    case Kind::mono:
    case Kind::stream:
        kernels_->two_colors(to, from, source_->palette.data(), count);
        break;
    default:
        std::memcpy(to, from, count * 4);
    }
}

void Texels::words(uint32_t* to, const std::byte* from, size_t count) const {
    kernels_->fetch_raw[std::countr_zero(bytes_)](codec_, to, from, count);
}

} // namespace pixmill::render
