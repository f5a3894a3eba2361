// SPDX-License-Identifier: GPL-2.0-or-later
#include "target.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::nema {

namespace {

/// Maximum number of bytes to map at once.
constexpr uint64_t max_ahead = 1 << 20;
constexpr uint64_t address_space = uint64_t(1) << 32;
constexpr uint32_t max_pixel_bytes = 4;

} // namespace

// ---- Bytes -----------------------------------------------------------------------

void WrittenBytes::open(Memory& memory, uint64_t extent) {
    memory_ = &memory;
    watched_ = memory.watched();
    extent_ = std::min(extent, max_ahead);
    span_ = {};
    faulted_ = false;
    dirty_begin_ = dirty_end_ = 0;
}

void WrittenBytes::close() {
    if (dirty_begin_ < dirty_end_)
        memory_->mark_dirty(dirty_begin_, dirty_end_ - dirty_begin_);
    dirty_begin_ = dirty_end_ = 0;
}

HostSpan WrittenBytes::at(uint32_t address, uint64_t length) {
    if (address - span_address_ >= span_.length) {
        if (faulted_)
            return {};
        const uint64_t wanted = std::max(length, extent_);
        span_ = memory_->map(address, std::min(wanted, address_space - address), Access::write);
        span_address_ = address;
        faulted_ = span_.mapping == Mapping::fault || !span_.length;
        if (faulted_)
            span_ = {};
    }
    HostSpan span = span_;
    const uint64_t skip = address - span_address_;
    span.length = std::min<uint64_t>(span.length - skip, length);
    if (span.mapping == Mapping::host)
        span.host += skip;
    return span;
}

/// Errors are those of the access that follows.
void WrittenBytes::report_read(uint32_t address, uint64_t length) {
    while (length) {
        const HostSpan span = at(address, length);
        if (span.mapping == Mapping::fault)
            return;
        if (span.mapping == Mapping::host)
            (void)memory_->map(address, span.length, Access::read);
        address += uint32_t(span.length);
        length -= span.length;
    }
}

std::byte* WrittenBytes::in_place(uint32_t address, uint64_t length) {
    const HostSpan span = at(address, length);
    return span.mapping == Mapping::host && span.length == length ? span.host : nullptr;
}

void WrittenBytes::mark_dirty(uint32_t address, uint64_t length) {
    if (address != dirty_end_) {
        close();
        dirty_begin_ = address;
    }
    dirty_end_ = uint64_t(address) + length;
}

bool WrittenBytes::gather(uint32_t address, uint32_t length, std::byte* to) {
    while (length) {
        const HostSpan span = at(address, length);
        if (span.mapping == Mapping::fault)
            return false;
        if (span.mapping == Mapping::host)
            std::memcpy(to, span.host, span.length);
        else
            std::memset(to, 0, span.length);
        to += span.length;
        address += uint32_t(span.length);
        length -= uint32_t(span.length);
    }
    return true;
}

bool WrittenBytes::scatter(uint32_t address, uint32_t length, const std::byte* from) {
    while (length) {
        const HostSpan span = at(address, length);
        if (span.mapping == Mapping::fault)
            return false;
        if (span.mapping == Mapping::host) {
            std::memcpy(span.host, from, span.length);
            mark_dirty(address, uint32_t(span.length));
        }
        from += span.length;
        address += uint32_t(span.length);
        length -= uint32_t(span.length);
    }
    return true;
}

// ---- Pixels ------------------------------------------------------------------------

bool Target::prepare(const Texture& surface, bool dithers) {
    surface_ = surface;
    format_ = find_format(surface.format);
    if (!format_ || !format_->destination)
        return false;
    dithers_ = dithers && format_->dithers();
    packed_.resize(size_t(row_pixels) * max_pixel_bytes);
    return true;
}

void Target::open(Memory& memory) {
    const uint64_t stride = uint64_t(std::abs(int64_t(surface_.stride)));
    bytes_.open(memory, surface_.stride >= 0 ? stride * surface_.height : 0);
    tiles_ = &own_tiles_;
    tiles_->loaded.fill(false);
    tiles_->changed.fill(false);
}

void Target::close() {
    bytes_.close();
}

uint32_t Target::address(int32_t x, int32_t y) const {
    return surface_.base + uint32_t(y) * uint32_t(surface_.stride) +
           uint32_t(x) * (format_->bits() / 8);
}

ByteRange Target::extent(const render::Rect& pixels) const {
    const int64_t side = compressed() ? tsc_side : 1;
    const int64_t unit = compressed() ? block_bytes(format_->tsc) : format_->bits() / 8;
    const int64_t stride = surface_.stride;
    const int64_t top = pixels.top / side * stride, bottom = (pixels.bottom - 1) / side * stride;
    const int64_t begin = surface_.base + std::min(top, bottom) + pixels.left / side * unit;
    const int64_t end =
        surface_.base + std::max(top, bottom) + ((pixels.right - 1) / side + 1) * unit;
    if (begin < 0 || end > int64_t(address_space))
        return ByteRange::between(0, address_space);
    return ByteRange::between(uint64_t(begin), uint64_t(end));
}

bool Target::gapless() const {
    return !compressed() && int64_t(surface_.width) * (format_->bits() / 8) == surface_.stride;
}

std::byte* Target::in_place(int32_t x, int32_t y, uint64_t count) {
    if (compressed())
        return nullptr;
    return bytes_.in_place(address(x, y), count * (format_->bits() / 8));
}

std::byte* Target::rows_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    const int64_t row = int64_t(count) * (format_->bits() / 8);
    if (compressed() || surface_.stride < row)
        return nullptr;
    return bytes_.in_place(address(x, y), uint64_t(int64_t(rows - 1) * surface_.stride + row));
}

void Target::mark_dirty(int32_t x, int32_t y, uint64_t count) {
    bytes_.mark_dirty(address(x, y), count * (format_->bits() / 8));
}

void Target::watch(int32_t x, int32_t y, uint32_t count) {
    if (!compressed())
        bytes_.report_read(address(x, y), uint64_t{count} * (format_->bits() / 8));
}

bool Target::load(int32_t x, int32_t y, uint32_t count, uint32_t* to) {
    if (compressed()) {
        for (uint32_t i = 0; i < count; i++) {
            const int32_t px = x + int32_t(i);
            const auto* pixels = tile(px, y, false);
            if (!pixels)
                return false;
            to[i] = (*pixels)[size_t(y & 3) * 4 + size_t(px & 3)];
        }
        return true;
    }
    const std::byte* from = in_place(x, y, count);
    if (!from) {
        if (!bytes_.gather(address(x, y), count * (format_->bits() / 8), packed_.data()))
            return false;
        from = packed_.data();
    }
    fetch(*format_, surface_.color, to, from, 0, count);
    return true;
}

bool Target::store(int32_t x, int32_t y, uint32_t count, const uint32_t* from) {
    if (compressed()) {
        for (uint32_t i = 0; i < count; i++) {
            const int32_t px = x + int32_t(i);
            auto* const pixels = tile(px, y, true);
            if (!pixels)
                return false;
            (*pixels)[size_t(y & 3) * 4 + size_t(px & 3)] = from[i];
        }
        return true;
    }
    if (dithers_) {
        std::copy_n(from, count, dithered_.data());
        dither(*format_, dithered_.data(), count, x, y);
        from = dithered_.data();
    }
    if (std::byte* const to = in_place(x, y, count)) {
        nema::store(*format_, to, from, count);
        mark_dirty(x, y, count);
        return true;
    }
    nema::store(*format_, packed_.data(), from, count);
    return bytes_.scatter(address(x, y), count * (format_->bits() / 8), packed_.data());
}

// ---- Compressed surfaces ---------------------------------------------------------------

uint32_t Target::tile_address(uint32_t tile) const {
    const uint32_t column = uint32_t(tiles_->x) / tsc_side + tile;
    const uint32_t row = uint32_t(tiles_->y) / tsc_side;
    return surface_.base + row * uint32_t(surface_.stride) + column * block_bytes(format_->tsc);
}

/// Returns the tile of pixel (x, y), which the caller will read or, if `change` is set, modify.
std::array<uint32_t, 16>* Target::tile(int32_t x, int32_t y, bool change) {
    const int32_t left = x & ~int32_t(row_pixels - 1), top = y & ~3;
    if (left != tiles_->x || top != tiles_->y) {
        if (!flush())
            return nullptr;
        tiles_->x = left;
        tiles_->y = top;
    }
    const uint32_t index = uint32_t(x - left) / tsc_side;
    if (!tiles_->loaded[index]) {
        std::byte block[16] = {};
        if (!bytes_.gather(tile_address(index), block_bytes(format_->tsc), block))
            return nullptr;
        decode(format_->tsc, block, tiles_->pixels[index]);
        tiles_->loaded[index] = true;
    }
    tiles_->changed[index] |= change;
    return &tiles_->pixels[index];
}

bool Target::flush() {
    if (!compressed())
        return true;
    bool stored = true;
    for (uint32_t i = 0; i < Tiles::count && stored; i++) {
        if (!tiles_->changed[i])
            continue;
        std::byte block[16];
        encode(format_->tsc, tiles_->pixels[i], block);
        stored = bytes_.scatter(tile_address(i), block_bytes(format_->tsc), block);
    }
    tiles_->loaded.fill(false);
    tiles_->changed.fill(false);
    return stored;
}

} // namespace pixmill::nema
