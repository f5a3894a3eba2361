// SPDX-License-Identifier: GPL-2.0-or-later
#include "target.hpp"

#include <algorithm>
#include <cstring>

#include "opaque_runs.hpp"

namespace pixmill::render {

namespace {

/// Calls store(first, count) for each run of pixels that are not transparent, until one fails.
template<class Store>
bool each_run(const uint32_t* transparent, uint32_t count, Store store) {
    return each_opaque_run(reinterpret_cast<const std::byte*>(transparent), size_t(count) * 4,
                           [&](size_t first, size_t length) {
                               return store(uint32_t(first / 4), uint32_t(length / 4));
                           });
}

} // namespace

std::optional<Error> Target::prepare(Memory& memory, const Kernels& kernels,
                                     const Operation& operation, uint32_t span) {
    kernels_ = &kernels;
    yuv_ = operation.yuv ? &*operation.yuv : nullptr;
    const Format& format = operation.destination.format;
    if (!format.valid())
        return Error::format;
    bytes_.resize(std::max<size_t>(bytes_.size(), size_t(span) * 4));
    packed_.resize(std::max<size_t>(packed_.size(), span));
    for (auto& surface : chroma_)
        surface.reset();
    if (yuv_)
        return prepare_yuv(memory, operation);
    surface_ = Surface::make(memory, operation.destination, operation.rect);
    if (!surface_)
        return Error::destination_extent;
    const bool raw = operation.raw();
    size_ = size_index(format);
    codec_ = Codec(format);
    unpack_ = raw ? kernels.fetch_raw[size_] : kernels.unpack(format);
    pack_ = raw ? kernels.store_raw[size_] : kernels.pack(format);
    words_ = format.bits == 32 && (raw || format == formats::a8r8g8b8);
    return {};
}

void Target::open(bool ahead) {
    surface_->open_anywhere(Access::write, ahead);
    for (auto& surface : chroma_)
        if (surface)
            surface->open_anywhere(Access::write, ahead);
    if (yuv_)
        texels_.open(ahead);
    waiting_begin_ = waiting_end_ = 0;
}

bool Target::close() {
    const bool good = !yuv_ || flush_chroma();
    surface_->close();
    for (auto& surface : chroma_)
        if (surface)
            surface->close();
    return good;
}

// ---- Pixels ------------------------------------------------------------------

uint32_t* Target::in_place(int32_t x, int32_t y, uint32_t count) {
    if (!words_ || yuv_)
        return nullptr;
    std::byte* const pixels = surface_->in_place(x, y, count);
    const bool aligned = reinterpret_cast<uintptr_t>(pixels) % alignof(uint32_t) == 0;
    return aligned ? reinterpret_cast<uint32_t*>(pixels) : nullptr;
}

void Target::stored_in_place(int32_t x, int32_t y, uint32_t count) {
    surface_->wrote_pixels(x, y, count);
}

std::byte* Target::block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                  size_t* pitch) {
    *pitch = surface_->stride();
    return surface_->block(x, y, count, rows);
}

void Target::stored_block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    for (uint32_t r = 0; r < rows; r++)
        surface_->wrote_pixels(x, y + int32_t(r), count);
}

bool Target::load(int32_t x, int32_t y, uint32_t count, uint32_t* values, uint32_t* words) {
    if (yuv_) {
        const std::byte* pixels = texels_.row(x, y, count, bytes_.data());
        if (!pixels)
            return false;
        std::memcpy(values, pixels, size_t(count) * 4);
        if (words)
            std::memcpy(words, pixels, size_t(count) * 4);
        if (yuv_->convert)
            kernels_->convert(yuv_->to_rgb, values, count);
        return true;
    }
    const std::byte* pixels = surface_->load(x, y, count, bytes_.data());
    if (!pixels)
        return false;
    unpack_(codec_, values, pixels, count);
    if (words)
        kernels_->fetch_raw[size_](codec_, words, pixels, count);
    return true;
}

void Target::pack(uint32_t* words, const uint32_t* values, uint32_t count) const {
    if (yuv_) {
        std::copy_n(values, count, words);
        if (yuv_->convert)
            kernels_->convert(yuv_->matrix, words, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        std::byte pixel[4] = {};
        pack_(codec_, pixel, values + i, 1);
        std::memcpy(words + i, pixel, 4);
    }
}

bool Target::store(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                   const uint32_t* transparent) {
    return yuv_ ? store_yuv(x, y, count, values, transparent)
                : store_words(x, y, count, values, transparent);
}

bool Target::store_words(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                         const uint32_t* transparent) {
    const auto* pixels = reinterpret_cast<const std::byte*>(values);
    if (!words_) {
        std::byte* const there = transparent ? nullptr : surface_->in_place(x, y, count);
        pack_(codec_, there ? there : bytes_.data(), values, count);
        if (there) {
            surface_->wrote_pixels(x, y, count);
            return true;
        }
        pixels = bytes_.data();
    }
    const uint32_t bytes = surface_->format().bytes();
    return each_run(transparent, count, [&](uint32_t first, uint32_t run) {
        return surface_->store(x + int32_t(first), y, run, pixels + size_t(first) * bytes);
    });
}

// ---- YUV ---------------------------------------------------------------------

std::optional<Error> Target::prepare_yuv(Memory& memory, const Operation& operation) {
    const YuvLayout& layout = yuv_->layout;
    const Rect& rect = operation.rect;
    source_ = {};
    source_.kind = Source::Kind::yuv;
    source_.layout = layout;
    source_.surface = {operation.destination, yuv_->chroma[0], yuv_->chroma[1]};
    if (texels_.prepare(memory, *kernels_, source_, rect))
        return Error::destination_extent;
    // The same planes, to be written.
    const unsigned x_shift = layout.u.x_shift, y_shift = layout.u.y_shift;
    const bool packed = layout.planes == 1;
    const Rect luma{packed ? rect.left & ~1 : rect.left, rect.top,
                    packed ? (rect.right + 1) & ~1 : rect.right, rect.bottom};
    const Rect cells{rect.left >> x_shift, rect.top >> y_shift, ((rect.right - 1) >> x_shift) + 1,
                     ((rect.bottom - 1) >> y_shift) + 1};
    surface_ = Surface::make(memory, operation.destination, luma);
    if (!surface_)
        return Error::destination_extent;
    for (uint32_t plane = 1; plane < layout.planes; plane++) {
        chroma_[plane - 1] = Surface::make(memory, yuv_->chroma[plane - 1], cells);
        if (!chroma_[plane - 1])
            return Error::destination_extent;
    }
    first_cell_ = cells.left;
    cells_.assign(size_t(cells.width()), {});
    return {};
}

bool Target::store_yuv(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                       const uint32_t* transparent) {
    pack(packed_.data(), values, count);
    const Component& u = yuv_->layout.u;
    const int64_t row = y >> u.y_shift;
    if (waiting_begin_ < waiting_end_ && row != cell_row_ && !flush_chroma())
        return false;
    const int64_t begin = x >> u.x_shift, end = ((int64_t(x) + count - 1) >> u.x_shift) + 1;
    const bool none = waiting_begin_ == waiting_end_;
    cell_row_ = row;
    waiting_begin_ = none ? begin : std::min(waiting_begin_, begin);
    waiting_end_ = none ? end : std::max(waiting_end_, end);
    for (uint32_t i = 0; i < count; i++) {
        if (transparent && transparent[i])
            continue;
        Cell& cell = cells_[size_t(((int64_t(x) + i) >> u.x_shift) - first_cell_)];
        cell.u += packed_[i] >> 8 & 0xFF;
        cell.v += packed_[i] & 0xFF;
        cell.pixels++;
    }
    return each_run(transparent, count, [&](uint32_t first, uint32_t run) {
        return store_luma(x + int32_t(first), y, packed_.data() + first, run);
    });
}

bool Target::store_luma(int32_t x, int32_t y, const uint32_t* values, uint32_t count) {
    const YuvLayout& layout = yuv_->layout;
    if (layout.planes == 1) {
        for (uint32_t i = 0; i < count; i++)
            if (!store_component(layout.y, int64_t(x) + i, y, std::byte(values[i] >> 16)))
                return false;
        return true;
    }
    for (uint32_t i = 0; i < count; i++)
        bytes_[i] = std::byte(values[i] >> 16);
    return surface_->store(x, y, count, bytes_.data());
}

/// Stores one byte: component `c` of its sample number `index` of its row number `row`.
bool Target::store_component(const Component& c, int64_t index, int64_t row, std::byte value) {
    Surface& plane = c.plane ? *chroma_[c.plane - 1] : *surface_;
    const uint32_t bytes = plane.format().bytes();
    const int64_t byte = index * c.step + c.offset;
    const auto x = int32_t(bytes == 2 ? byte >> 1 : byte);
    return plane.store_byte(x, int32_t(row), bytes == 2 ? uint32_t(byte & 1) : 0, value);
}

bool Target::flush_chroma() {
    bool good = true;
    for (int64_t i = waiting_begin_; i < waiting_end_; i++) {
        Cell& cell = cells_[size_t(i - first_cell_)];
        if (cell.pixels && good) {
            const uint32_t n = cell.pixels;
            good = store_component(yuv_->layout.u, i, cell_row_, std::byte((cell.u + n / 2) / n)) &&
                   store_component(yuv_->layout.v, i, cell_row_, std::byte((cell.v + n / 2) / n));
        }
        cell = {};
    }
    waiting_begin_ = waiting_end_ = 0;
    return good;
}

} // namespace pixmill::render
