// SPDX-License-Identifier: GPL-2.0-or-later
#include "target.hpp"

#include <algorithm>
#include <cstring>

#include "opaque_runs.hpp"

namespace pixmill::render {

namespace {

/// Calls store(first, count) for each run of pixels that are not transparent, until a call returns
/// false.
template<class Store>
bool each_run(const uint32_t* transparent, uint32_t count, Store store) {
    return each_opaque_run(reinterpret_cast<const std::byte*>(transparent), size_t(count) * 4,
                           [&](size_t first, size_t length) {
                               return store(uint32_t(first / 4), uint32_t(length / 4));
                           });
}

bool is_of_cells(const Component& c) {
    return c.x_shift || c.y_shift;
}

/// Position of a component's samples in a row of its plane. Steps are whole pixels.
struct Spot {
    Spot(const Component& c, uint32_t bytes)
        : step(c.step / bytes), first(c.offset / bytes), byte(c.offset % bytes), shift(c.x_shift) {}
    int64_t pixel(int64_t sample) const { return sample * step + first; }
    /// Returns the plane pixel for pixel x of the image.
    int64_t pixel_of(int64_t x) const { return pixel(x >> shift); }

    int64_t step, first;
    uint32_t byte; ///< within the pixel
    unsigned shift;
};

/// Returns the pixels of a plane that hold data of the image pixels in `rect`.
Rect touched(const PlaneLayout& layout, uint32_t plane, const Rect& rect) {
    Rect pixels{INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (const auto& [at, channel] : layout.outputs()) {
        if (at.plane != plane)
            continue;
        const Spot spot(at, layout.pixel_bytes[plane]);
        pixels = {std::min(pixels.left, int32_t(spot.pixel_of(rect.left))),
                  std::min(pixels.top, rect.top >> at.y_shift),
                  std::max(pixels.right, int32_t(spot.pixel_of(int64_t(rect.right) - 1) + 1)),
                  std::max(pixels.bottom, ((rect.bottom - 1) >> at.y_shift) + 1)};
    }
    return pixels;
}

} // namespace

std::optional<Error> Target::prepare(Memory& memory, const Kernels& kernels,
                                     const Operation& operation, uint32_t span) {
    kernels_ = &kernels;
    planar_ = operation.planar ? &*operation.planar : nullptr;
    bytes_.resize(std::max<size_t>(bytes_.size(), size_t(span) * 4));
    packed_.resize(std::max<size_t>(packed_.size(), span));
    for (auto& surface : more_)
        surface.reset();
    if (planar_)
        return prepare_planes(memory, operation);
    const Format& format = operation.destination.format;
    if (!format.valid())
        return Error::format;
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
    for (auto& surface : more_)
        if (surface)
            surface->open_anywhere(Access::write, ahead);
    waiting_begin_ = waiting_end_ = 0;
}

bool Target::close() {
    const bool good = !planar_ || flush_cells();
    surface_->close();
    for (auto& surface : more_)
        if (surface)
            surface->close();
    return good;
}

// ---- Pixels ------------------------------------------------------------------

uint32_t* Target::in_place(int32_t x, int32_t y, uint32_t count) {
    if (!words_ || planar_)
        return nullptr;
    std::byte* const pixels = surface_->in_place(x, y, count);
    const bool aligned = reinterpret_cast<uintptr_t>(pixels) % alignof(uint32_t) == 0;
    return aligned ? reinterpret_cast<uint32_t*>(pixels) : nullptr;
}

void Target::stored_in_place(int32_t x, int32_t y, uint32_t count) {
    surface_->mark_dirty_pixels(x, y, count);
}

std::byte* Target::block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                  size_t* pitch) {
    *pitch = surface_->stride();
    return surface_->block(x, y, count, rows);
}

void Target::stored_block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    for (uint32_t r = 0; r < rows; r++)
        surface_->mark_dirty_pixels(x, y + int32_t(r), count);
}

bool Target::load(int32_t x, int32_t y, uint32_t count, uint32_t* values, uint32_t* words) {
    if (planar_)
        return load_planes(x, y, count, values, words);
    const std::byte* pixels = surface_->load(x, y, count, bytes_.data());
    if (!pixels)
        return false;
    unpack_(codec_, values, pixels, count);
    if (words)
        kernels_->fetch_raw[size_](codec_, words, pixels, count);
    return true;
}

void Target::pack(uint32_t* words, const uint32_t* values, uint32_t count) const {
    if (planar_) {
        components(words, values, count);
        for (uint32_t i = 0; i < count && !planar_->yuv; i++)
            words[i] = render::pack(format_, words[i]);
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
    return planar_ ? store_planes(x, y, count, values, transparent)
                   : store_words(x, y, count, values, transparent);
}

bool Target::store_words(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                         const uint32_t* transparent) {
    const auto* pixels = reinterpret_cast<const std::byte*>(values);
    if (!words_) {
        std::byte* const there = transparent ? nullptr : surface_->in_place(x, y, count);
        pack_(codec_, there ? there : bytes_.data(), values, count);
        if (there) {
            surface_->mark_dirty_pixels(x, y, count);
            return true;
        }
        pixels = bytes_.data();
    }
    const uint32_t bytes = surface_->format().bytes();
    if (transparent && merge_words(x, y, count, pixels, transparent))
        return true;
    return each_run(transparent, count, [&](uint32_t first, uint32_t run) {
        return surface_->store(x + int32_t(first), y, run, pixels + size_t(first) * bytes);
    });
}

/// Stores the pixels that are not transparent if all pixels from the first of them on are in a
/// single span. Otherwise returns false, having done nothing.
bool Target::merge_words(int32_t x, int32_t y, uint32_t count, const std::byte* pixels,
                         const uint32_t* transparent) {
    const auto first = uint32_t(
        first_other(reinterpret_cast<const std::byte*>(transparent), 0, size_t(count) * 4, 0xFF) /
        4);
    if (first == count) // pixels that are not drawn must not fault
        return true;
    x += int32_t(first);
    count -= first;
    std::byte* const place = surface_->in_place(x, y, count);
    if (!place)
        return false;
    kernels_->merge[size_](place, pixels + size_t(first) * surface_->format().bytes(),
                           transparent + first, count);
    surface_->mark_dirty_pixels(x, y, count);
    return true;
}

// ---- Planes ------------------------------------------------------------------

std::optional<Error> Target::prepare_planes(Memory& memory, const Operation& operation) {
    const PlaneLayout& layout = planar_->layout;
    const Rect& rect = operation.rect;
    format_ = operation.destination.format;
    if (!planar_->yuv && !format_.valid())
        return Error::format;
    for (uint32_t number = 0; number < layout.planes; number++) {
        SurfaceDesc desc = number ? planar_->more[number - 1] : operation.destination;
        desc.format = plain_format(layout.pixel_bytes[number]);
        auto& surface = number ? more_[number - 1] : surface_;
        surface = Surface::make(memory, desc, touched(layout, number, rect));
        if (!surface)
            return Error::destination_extent;
    }
    first_cell_ = rect.left >> layout.x_shift;
    cells_.assign(size_t(((int64_t(rect.right) - 1) >> layout.x_shift) + 1 - first_cell_), {});
    return {};
}

/// Reduces pixels to the precision with which they are stored.
void Target::quantize(uint32_t* components, uint32_t count) const {
    for (uint32_t i = 0; i < count; i++)
        components[i] = planar_->yuv
                            ? components[i] | 0xFF000000
                            : render::unpack(format_, render::pack(format_, components[i]));
}

/// Converts working values to the components to be stored.
void Target::components(uint32_t* to, const uint32_t* values, uint32_t count) const {
    std::copy_n(values, count, to);
    if (planar_->yuv && planar_->convert)
        kernels_->convert(planar_->matrix, to, count);
    quantize(to, count);
}

/// Reads pixels from the planes. Returns false on a fault.
bool Target::gather(int32_t x, int32_t y, uint32_t count, uint32_t* components) {
    const PlaneLayout& layout = planar_->layout;
    std::fill_n(components, count, planar_->neutral());
    uint32_t found = 0; // channels found, one bit each
    for (const auto& [at, channel] : layout.outputs()) {
        if (found >> channel & 1)
            continue;
        found |= 1u << channel;
        const Spot spot(at, layout.pixel_bytes[at.plane]);
        const int64_t first = spot.pixel_of(x), end = spot.pixel_of(int64_t(x) + count - 1) + 1;
        const std::byte* row = plane(at.plane).load(int32_t(first), y >> at.y_shift,
                                                    uint32_t(end - first), bytes_.data());
        if (!row)
            return false;
        row += spot.byte;
        const uint32_t odd = uint32_t(x) & ((1u << at.x_shift) - 1), step = at.step;
        const unsigned x_shift = at.x_shift, to = 8 * channel;
        for (uint32_t i = 0; i < count; i++)
            components[i] = (components[i] & ~(0xFFu << to)) |
                            uint32_t(row[((i + odd) >> x_shift) * step]) << to;
    }
    quantize(components, count);
    return true;
}

bool Target::load_planes(int32_t x, int32_t y, uint32_t count, uint32_t* values, uint32_t* words) {
    if (!begin_cells(y) || !gather(x, y, count, values))
        return false;
    for (uint32_t i = 0; words && i < count; i++)
        words[i] = planar_->yuv ? values[i] : render::pack(format_, values[i]);
    if (planar_->yuv && planar_->convert)
        kernels_->convert(planar_->to_rgb, values, count);
    return true;
}

bool Target::store_planes(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                          const uint32_t* transparent) {
    const PlaneLayout& layout = planar_->layout;
    components(packed_.data(), values, count);
    if (!collect_cells(x, y, count, transparent))
        return false;
    return each_run(transparent, count, [&](uint32_t first, uint32_t run) {
        for (uint32_t number = 0; number < layout.planes; number++)
            if (!store_samples(number, x + int32_t(first), y, packed_.data() + first, run))
                return false;
        return true;
    });
}

bool Target::begin_row(int32_t y) {
    return !planar_ || begin_cells(y);
}

/// Stores the last row of cells before the next one is touched, so that a fault in the next one
/// cannot lose it.
bool Target::begin_cells(int32_t y) {
    const int64_t row = y >> planar_->layout.y_shift;
    const bool good = row == cell_row_ || flush_cells();
    cell_row_ = row;
    return good;
}

/// Adds pixels to their cells.
bool Target::collect_cells(int32_t x, int32_t y, uint32_t count, const uint32_t* transparent) {
    const unsigned x_shift = planar_->layout.x_shift;
    if (!x_shift && !planar_->layout.y_shift)
        return true;
    if (!begin_cells(y))
        return false;
    const int64_t begin = x >> x_shift, end = ((int64_t(x) + count - 1) >> x_shift) + 1;
    const bool none = waiting_begin_ == waiting_end_;
    waiting_begin_ = none ? begin : std::min(waiting_begin_, begin);
    waiting_end_ = none ? end : std::max(waiting_end_, end);
    for (uint32_t i = 0; i < count; i++) {
        if (transparent && transparent[i])
            continue;
        Cell& cell = cells_[size_t(((int64_t(x) + i) >> x_shift) - first_cell_)];
        cell.even += packed_[i] & 0xFF00FF;
        cell.odd += packed_[i] >> 8 & 0xFF00FF;
        cell.pixels++;
    }
    return true;
}

/// Stores a plane's samples of each pixel.
bool Target::store_samples(uint32_t number, int32_t x, int32_t y, const uint32_t* from,
                           uint32_t count) {
    uint32_t bytes = 0;
    for (const Output& output : planar_->layout.outputs())
        bytes += output.at.plane == number && !is_of_cells(output.at);
    if (bytes == planar_->layout.pixel_bytes[number])
        return store_pixels_of(number, x, y, from, count);
    for (const auto& [at, channel] : planar_->layout.outputs()) {
        if (at.plane != number || is_of_cells(at))
            continue;
        const Spot spot(at, planar_->layout.pixel_bytes[number]);
        for (uint32_t i = 0; i < count; i++)
            if (!plane(number).store_byte(int32_t(spot.pixel(int64_t(x) + i)), y, spot.byte,
                                          std::byte(from[i] >> 8 * channel)))
                return false;
    }
    return true;
}

/// Stores a plane's samples of each pixel, if the plane holds nothing else.
bool Target::store_pixels_of(uint32_t number, int32_t x, int32_t y, const uint32_t* from,
                             uint32_t count) {
    for (const auto& [at, channel] : planar_->layout.outputs()) {
        if (at.plane != number)
            continue;
        std::byte* const to = bytes_.data() + at.offset;
        const uint32_t step = at.step, shift = 8 * channel;
        for (uint32_t i = 0; i < count; i++)
            to[i * step] = std::byte(from[i] >> shift);
    }
    return plane(number).store(x, y, count, bytes_.data());
}

bool Target::flush_cells() {
    bool good = true;
    for (const auto& [at, channel] : planar_->layout.outputs()) {
        if (!is_of_cells(at))
            continue;
        const Spot spot(at, planar_->layout.pixel_bytes[at.plane]);
        for (int64_t i = waiting_begin_; i < waiting_end_ && good; i++)
            if (const Cell& cell = cells_[size_t(i - first_cell_)]; cell.pixels)
                good = plane(at.plane).store_byte(int32_t(spot.pixel(i)), int32_t(cell_row_),
                                                  spot.byte, cell.mean(channel));
    }
    if (waiting_begin_ < waiting_end_)
        std::fill(cells_.begin() + (waiting_begin_ - first_cell_),
                  cells_.begin() + (waiting_end_ - first_cell_), Cell{});
    waiting_begin_ = waiting_end_ = 0;
    return good;
}

} // namespace pixmill::render
