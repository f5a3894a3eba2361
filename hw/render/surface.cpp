// SPDX-License-Identifier: GPL-2.0-or-later
#include "surface.hpp"

#include <cstring>
#include <span>

namespace pixmill::render {

namespace {

/// Maximum gap between rows that one map() may cover. Limits useless translations.
constexpr uint64_t max_gap = 1 << 16;
/// Maximum number of bytes to map ahead, for ordinary surfaces and for surfaces in two halves. Rows
/// that are not drawn from the top often begin before the last mapping, which is then wasted.
constexpr uint64_t max_ahead = 1 << 20, half_ahead = 1 << 12;
/// Maximum number of bytes that map_contiguous() may map for each byte to be accessed.
constexpr uint64_t sparse = 64;

/// Returns the address of pixel (x, y), or nothing if it does not fit in 64 bits. Such an address
/// is far outside any address space.
std::optional<int64_t> address_of(const SurfaceDesc& desc, int64_t x, int64_t y) {
    // The factors have 32 bits each, so products cannot overflow.
    int64_t address = y * int64_t(desc.stride);
    if (__builtin_add_overflow(address, desc.base, &address) ||
        __builtin_add_overflow(address, x * int64_t(desc.format.bytes()), &address))
        return {};
    return address;
}

/// Address range [first, end). `first` is negative if the range does not fit in 64 bits.
struct Extent {
    int64_t first = -1, end = -1;
};

/// Returns the extent of a linear surface. Strides are not negative, so no byte is before the first
/// row or after the last row.
Extent linear_extent(const SurfaceDesc& desc, const Rect& touched) {
    const int64_t first = address_of(desc, touched.left, touched.top).value_or(-1);
    // The factors have 32 bits each, so neither products nor the sum can overflow.
    const uint64_t length = uint64_t(touched.height() - 1) * desc.stride +
                            uint64_t(touched.width()) * desc.format.bytes();
    int64_t end = 0;
    return __builtin_add_overflow(first, length, &end) ? Extent{} : Extent{first, end};
}

/// Returns the extent of the blocks that contain `touched`, in both halves, extended to whole
/// byte-swap units.
Extent tiled_extent(const SurfaceDesc& desc, const Rect& touched) {
    constexpr int64_t limit = int64_t(1) << 17; // see place()
    if (touched.left < -limit || touched.top < -limit || touched.right > limit ||
        touched.bottom > limit || !address_of(desc, touched.left, touched.top) ||
        !address_of(desc, touched.right, int64_t(touched.bottom) - 1))
        return {};
    const BlockSize block = block_size(desc.tiling);
    const auto corner = [&](int64_t x, int64_t y) {
        return place(desc.tiling, desc.stride, desc.format.bytes(),
                     x >> block.log_width << block.log_width,
                     y >> block.log_height << block.log_height)
            .offset;
    };
    const bool halves = has_halves(desc.tiling);
    const int64_t block_bytes = int64_t(desc.format.bytes())
                                << (block.log_width + block.log_height - halves);
    const auto base = int64_t(desc.base), second = halves ? int64_t(desc.second_base) : base;
    const int64_t first = std::min(base, second) + corner(touched.left, touched.top);
    const int64_t end =
        std::max(base, second) + corner(touched.right - 1, touched.bottom - 1) + block_bytes;
    return {first & ~int64_t(desc.swap), (end + desc.swap) & ~int64_t(desc.swap)};
}

/// Copies field by field. Copying the whole struct would load several fields at once just after
/// map() stored them one by one. The processor delays such a load until all earlier stores, up to a
/// page of pixels, are done.
void assign(HostSpan& to, const HostSpan& from) {
    to.mapping = from.mapping;
    to.host = from.host;
    to.length = from.length;
    to.next = from.next;
    if (from.mapping == Mapping::hole)
        to.hole_value = from.hole_value;
}

} // namespace

std::optional<Surface> Surface::make(Memory& memory, const SurfaceDesc& desc, const Rect& touched) {
    std::optional<Surface> surface(std::in_place);
    surface->describe(memory, desc);
    if (!surface->touch(touched))
        surface.reset();
    return surface;
}

bool Surface::touch(const Rect& touched) {
    if (!desc_.format.storable() || desc_.address_bits > 62)
        return false;
    first_ = last_ = row_bytes_ = 0;
    rows_ = 0;
    if (touched.empty())
        return true;
    if (touched.width() > max_width)
        return false;
    const Extent extent =
        desc_.linear() ? linear_extent(desc_, touched) : tiled_extent(desc_, touched);
    if (extent.first < 0 || extent.end > int64_t(1) << desc_.address_bits)
        return false;
    first_ = uint64_t(extent.first);
    last_ = uint64_t(extent.end);
    rows_ = uint32_t(touched.height());
    row_bytes_ = uint64_t(touched.width()) * desc_.format.bytes();
    return true;
}

void Surface::open(Access access, uint32_t end_row) {
    start(access, end_row ? row(end_row - 1) + row_bytes_ : 0);
}

void Surface::open_anywhere(Access access, bool ahead) {
    start(access, ahead ? last_ : 0);
}

/// Begins a series of accesses. map() may map ahead up to `end` if the rows are close together.
void Surface::start(Access access, uint64_t end) {
    access_ = access;
    span_ = {};
    listed_ = 0;
    faulted_ = false;
    dirty_begin_ = dirty_end_ = 0;
    ahead_ = desc_.stride <= row_bytes_ + max_gap && !memory_->watched() ? end : 0;
}

void Surface::map(uint64_t address, uint64_t length) {
    if (faulted_)
        return;
    if (!take_listed(address)) {
        // Accesses alternate between the two halves, and each switch maps again, so map less ahead.
        if (ahead_ > address)
            length = std::max(length, std::min(ahead_ - address,
                                               has_halves(desc_.tiling) ? half_ahead : max_ahead));
        if (!goes_on(address) || !list_pages(address, length)) {
            assign(span_, memory_->map(address, length, access_));
            faulted_ = span_.mapping == Mapping::fault || !span_.length;
        }
    }
    if (span_.next)
        __builtin_prefetch(span_.next); // starts the page walk early
    span_address_ = address;
}

/// True if the access at `address` follows the last span in scattered memory, so that more pages in
/// order are likely to follow.
bool Surface::goes_on(uint64_t address) const {
    return span_.next && address - (span_address_ + span_.length) < Memory::page_bytes;
}

/// Lists pages from `address` on, up to the last one of `length` bytes, and takes the first one.
/// Returns false if fewer than two pages can be listed.
bool Surface::list_pages(uint64_t address, uint64_t length) {
    constexpr uint64_t page = Memory::page_bytes;
    const uint64_t skip = address % page, wanted = (skip + length + page - 1) / page;
    listed_address_ = address - skip;
    listed_ = 0;
    if (wanted > 1)
        listed_ = memory_->map_pages(listed_address_,
                                     std::span(pages_).first(std::min(wanted, max_pages)), access_);
    return take_listed(address);
}

/// Sets span_ to the pages of the list that contain `address` and are contiguous. Returns false if
/// `address` is in the last listed page or outside the list. That page is only prefetched; the next
/// list begins with it.
bool Surface::take_listed(uint64_t address) {
    constexpr uint64_t page = Memory::page_bytes;
    const uint64_t skip = address - listed_address_, first = skip / page;
    if (first + 1 >= listed_)
        return false;
    size_t end = first + 1;
    while (end < listed_ && pages_[end] == pages_[end - 1] + page)
        end++;
    span_.mapping = Mapping::host;
    span_.host = pages_[first] + skip % page;
    span_.length = (end - first) * page - skip % page;
    span_.next = end < listed_ ? pages_[end] : nullptr;
    return true;
}

Surface::Band Surface::band(uint32_t index, uint32_t rows) {
    const uint64_t address = row(index);
    const HostSpan span = at(address, row_bytes_);
    if (span.mapping != Mapping::host || span.length < row_bytes_)
        return {};
    const uint64_t stride = desc_.stride;
    const uint64_t after = span_.length - (address - span_address_) - row_bytes_;
    if (rows * stride > after + stride) // rarely true, which avoids the division
        rows = uint32_t(after / stride) + 1;
    return {span.host, rows};
}

std::byte* Surface::map_contiguous(uint64_t first, uint32_t rows, uint64_t row_bytes) {
    const uint64_t length = (rows - 1) * uint64_t(desc_.stride) + row_bytes;
    const bool dense = length <= std::max(max_ahead, sparse * rows * row_bytes);
    return dense ? memory_->map_contiguous(first, length, access_) : nullptr;
}

void Surface::mark_dirty_elsewhere(uint64_t address, uint64_t length) {
    if (address + length == dirty_begin_) {
        dirty_begin_ = address;
    } else {
        flush_dirty();
        dirty_begin_ = address;
        dirty_end_ = address + length;
    }
}

void Surface::flush_dirty() {
    if (dirty_begin_ < dirty_end_)
        memory_->mark_dirty(dirty_begin_, dirty_end_ - dirty_begin_);
    dirty_begin_ = dirty_end_ = 0;
}

void Surface::mark_dirty_rows(uint32_t index, uint32_t rows) {
    if (gapless())
        return mark_dirty(row(index), rows * row_bytes_);
    flush_dirty();
    memory_->mark_dirty_rows(row(index), row_bytes_, desc_.stride, rows);
}

void Surface::close() {
    flush_dirty();
}

const std::byte* Surface::gather(uint64_t address, uint64_t length, std::byte* scratch) {
    for (uint64_t done = 0; done < length;) {
        const HostSpan span = at(address + done, length - done);
        if (span.mapping == Mapping::fault)
            return nullptr;
        if (span.mapping == Mapping::hole)
            std::memset(scratch + done, span.hole_value, span.length);
        else if (span.length == length)
            return span.host;
        else
            std::memcpy(scratch + done, span.host, span.length);
        done += span.length;
    }
    return scratch;
}

bool Surface::scatter(uint64_t address, uint64_t length, const std::byte* from) {
    for (uint64_t done = 0; done < length;) {
        const HostSpan span = at(address + done, length - done);
        if (span.mapping == Mapping::fault)
            return false;
        if (span.mapping == Mapping::host) {
            std::memcpy(span.host, from + done, span.length);
            mark_dirty(address + done, span.length);
        }
        done += span.length;
    }
    return true;
}

// ---- Pixels ------------------------------------------------------------------

uint64_t Surface::address(int32_t x, int32_t y) const {
    const Place at = place(desc_.tiling, desc_.stride, desc_.format.bytes(), x, y);
    return (at.half ? desc_.second_base : desc_.base) + uint64_t(at.offset);
}

const std::byte* Surface::load(int32_t x, int32_t y, uint32_t count, std::byte* scratch) {
    const uint32_t bytes = desc_.format.bytes();
    if (desc_.linear())
        return gather(address(x, y), uint64_t(count) * bytes, scratch);
    for (uint32_t done = 0; done < count;) {
        const uint32_t step = std::min(count - done, contiguous(desc_.tiling, x + int64_t(done)));
        const uint64_t from = address(x + int32_t(done), y), length = uint64_t(step) * bytes;
        std::byte* const to = scratch + uint64_t(done) * bytes;
        const std::byte* found =
            desc_.swap ? load_swapped(from, length, to) : gather(from, length, to);
        if (!found)
            return nullptr;
        if (found != to)
            std::memcpy(to, found, length);
        done += step;
    }
    return scratch;
}

bool Surface::store(int32_t x, int32_t y, uint32_t count, const std::byte* from) {
    const uint32_t bytes = desc_.format.bytes();
    if (desc_.linear())
        return scatter(address(x, y), uint64_t(count) * bytes, from);
    for (uint32_t done = 0; done < count;) {
        const uint32_t step = std::min(count - done, contiguous(desc_.tiling, x + int64_t(done)));
        const uint64_t to = address(x + int32_t(done), y), length = uint64_t(step) * bytes;
        const std::byte* const pixels = from + uint64_t(done) * bytes;
        if (!(desc_.swap ? store_swapped(to, length, pixels) : scatter(to, length, pixels)))
            return false;
        done += step;
    }
    return true;
}

bool Surface::store_byte(int32_t x, int32_t y, uint32_t byte, std::byte value) {
    return scatter((address(x, y) + byte) ^ desc_.swap, 1, &value);
}

// Byte order modes reverse the bytes in units of 2, 4 or 8 bytes. Units are aligned, so no unit is
// split between two mappings.

namespace {
/// Bytes to reverse at a time.
constexpr uint64_t swap_block = 256;
} // namespace

const std::byte* Surface::load_swapped(uint64_t address, uint64_t length, std::byte* scratch) {
    const uint64_t swap = desc_.swap;
    std::byte units[swap_block];
    for (uint64_t done = 0; done < length;) {
        const uint64_t begin = (address + done) & ~swap, skip = address + done - begin;
        const uint64_t step = std::min(length - done, swap_block - skip);
        const std::byte* const found = gather(begin, (skip + step + swap) & ~swap, units);
        if (!found)
            return nullptr;
        for (uint64_t i = 0; i < step; i++)
            scratch[done + i] = found[(skip + i) ^ swap];
        done += step;
    }
    return scratch;
}

/// Stores bytes in a byte order mode. A unit is stored as a whole if all of its bytes are stored.
bool Surface::store_swapped(uint64_t address, uint64_t length, const std::byte* from) {
    const uint64_t swap = desc_.swap;
    std::byte units[swap_block];
    for (uint64_t done = 0; done < length;) {
        const uint64_t at = address + done;
        const uint64_t whole = at & swap ? 0 : std::min(length - done, swap_block) & ~swap;
        const uint64_t step = std::max<uint64_t>(whole, 1);
        for (uint64_t i = 0; i < step; i++)
            units[whole ? i ^ swap : i] = from[done + i];
        if (!scatter(whole ? at : at ^ swap, step, units))
            return false;
        done += step;
    }
    return true;
}

std::byte* Surface::in_place(int32_t x, int32_t y, uint32_t count) {
    if (!desc_.linear())
        return nullptr;
    const uint64_t length = uint64_t(count) * desc_.format.bytes();
    const HostSpan span = at(address(x, y), length);
    return span.mapping == Mapping::host && span.length == length ? span.host : nullptr;
}

std::byte* Surface::block(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    return desc_.linear()
               ? map_contiguous(address(x, y), rows, uint64_t(count) * desc_.format.bytes())
               : nullptr;
}

void Surface::mark_dirty_pixels(int32_t x, int32_t y, uint32_t count) {
    mark_dirty(address(x, y), uint64_t(count) * desc_.format.bytes());
}

} // namespace pixmill::render
