// Surfaces: a pixel grid in guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/memory/memory.hpp"
#include "format.hpp"
#include "tiling.hpp"

namespace pixmill::render {

/// Half open; coordinates are pixels. Empty when right <= left or bottom <= top.
struct Rect {
    int32_t left = 0, top = 0, right = 0, bottom = 0;
    constexpr bool empty() const { return right <= left || bottom <= top; }
    constexpr int64_t width() const { return int64_t(right) - left; }
    constexpr int64_t height() const { return int64_t(bottom) - top; }
    constexpr Rect intersect(const Rect& o) const {
        return {std::max(left, o.left), std::max(top, o.top), std::min(right, o.right),
                std::min(bottom, o.bottom)};
    }
    constexpr bool operator==(const Rect&) const = default;
};

struct SurfaceDesc {
    Format format;             ///< of planes that are no pixels of their own, only the size matters
    uint64_t base = 0;         ///< address of pixel (0, 0)
    uint32_t stride = 0;       ///< bytes from a row to the next; 0 is legal: all rows are one
    uint8_t address_bits = 32; ///< addresses end at 1 << address_bits; at most 62
    Tiling tiling = Tiling::linear;
    uint8_t swap = 0;         ///< byte order: addresses of bytes are xor 0, 1, 3 or 7
    uint64_t second_base = 0; ///< of the second half, if the tiling has one

    constexpr bool linear() const { return tiling == Tiling::linear && !swap; }
};

/// A surface together with the rectangle of it that an operation may touch.
/// This is the one place where extents are computed, in 64 bits: touch() proves
/// that no byte of `touched` lies outside the address space, and every row()
/// lies inside `touched`.
///
/// Bytes are reached through the span that was mapped last: memory that is
/// contiguous in the host costs one map() for many rows.
class Surface {
public:
    /// Pixels of the longest row: what 16-bit coordinates can express, and twice
    /// that, for bytes that are drawn as pixels. Bounds the scratch memory that a
    /// guest can make an operation take.
    static constexpr int64_t max_width = 1 << 17;

    Surface() = default;
    /// What it is from now on. Not a constructor: a surface is long, and to copy what has just been
    /// stored field by field takes the processor a while.
    void describe(Memory& memory, const SurfaceDesc& desc) {
        memory_ = &memory;
        desc_ = desc;
    }
    /// From now on, `touched` may be, and nothing else. False if a byte of it has
    /// an address below 0 or past the end of the address space, if a row is
    /// longer than max_width, or if the format has no layout: then the surface
    /// is not to be used. An empty `touched` has no bytes.
    bool touch(const Rect& touched);
    /// Both at once; nothing if touch() says no.
    static std::optional<Surface> make(Memory& memory, const SurfaceDesc& desc,
                                       const Rect& touched);

    const Format& format() const { return desc_.format; }
    uint32_t stride() const { return desc_.stride; }
    uint32_t rows() const { return rows_; }
    uint64_t row_bytes() const { return row_bytes_; }
    /// Nothing lies between the rows: they are one long row.
    bool gapless() const { return desc_.stride == row_bytes_; }

    /// Address of the first touched byte of row `index`, counted from the top of `touched`.
    uint64_t row(uint32_t index) const { return first_ + uint64_t(index) * desc_.stride; }
    /// Addresses of the first touched byte and past the last one.
    uint64_t begin() const { return first_; }
    uint64_t end() const { return last_; }
    /// No byte belongs to two rows, as far as is easy to tell.
    bool rows_apart() const { return desc_.linear() && desc_.stride >= row_bytes_; }

    /// Begins a drawing call: nothing is mapped. Rows will be accessed from the
    /// top until `end_row`, or, if that is 0, in another order.
    void open(Access access, uint32_t end_row);
    /// The same for load() and store(). `ahead`: what follows an address will
    /// mostly be accessed soon.
    void open_anywhere(Access access, bool ahead);
    /// What is at `address`, and at most `length` bytes of it.
    [[nodiscard]] HostSpan at(uint64_t address, uint64_t length) {
        if (address - span_address_ >= span_.length)
            map(address, length);
        if (faulted_)
            return {};
        const uint64_t skip = address - span_address_;
        return {span_.mapping, span_.hole_value, span_.host ? span_.host + skip : nullptr,
                std::min(span_.length - skip, length)};
    }
    /// Where the counterpart of what is at `address` lies that will be accessed some page later;
    /// null if memory goes on behind it. `address` is in the span mapped last; `length` bytes from
    /// there on become so many as the answer is good for.
    const std::byte* next(uint64_t address, size_t& length) const {
        constexpr uint64_t page = 4096;
        if (!span_.next)
            return nullptr;
        const uint64_t last = std::max(span_.length, page) - page, skip = address - span_address_;
        if (skip >= last)
            return span_.next + (skip - last);
        length = std::min<size_t>(length, last - skip);
        return nullptr;
    }
    /// Rows from `index` on, at most `rows`, that lie in one span of host memory;
    /// no rows if even the first does not.
    struct Band {
        std::byte* host = nullptr;
        uint32_t rows = 0;
    };
    Band band(uint32_t index, uint32_t rows);
    /// Where `rows` rows from `index` on lie, if they are in one span of memory; else null. It is
    /// no access.
    [[nodiscard]] std::byte* map_contiguous(uint32_t index, uint32_t rows) {
        return map_contiguous(row(index), rows, row_bytes_);
    }
    /// Bytes of a span of at() have been written.
    void mark_dirty(uint64_t address, uint64_t length) {
        if (address == dirty_end_)
            dirty_end_ += length;
        else
            mark_dirty_elsewhere(address, length);
        if (dirty_end_ - dirty_begin_ >= max_dirty)
            flush_dirty();
    }
    /// Rows of a band have been written.
    void mark_dirty_rows(uint32_t index, uint32_t rows);
    /// Ends a drawing call: all that was written is marked dirty in Memory.
    void close();

    /// `length` bytes from `address` on, from all spans that hold them: where
    /// they are if one span holds all, else copied to `scratch`. Null on a fault.
    [[nodiscard]] const std::byte* gather(uint64_t address, uint64_t length, std::byte* scratch);
    /// The reverse. False on a fault.
    [[nodiscard]] bool scatter(uint64_t address, uint64_t length, const std::byte* from);

    /// `count` pixels of row y from x on, all inside `touched`, in any tiling and
    /// byte order: where they are, else copied to `scratch`. Null on a fault.
    [[nodiscard]] const std::byte* load(int32_t x, int32_t y, uint32_t count, std::byte* scratch);
    /// The reverse. False on a fault.
    [[nodiscard]] bool store(int32_t x, int32_t y, uint32_t count, const std::byte* from);
    /// Stores one byte of a pixel; the others stay.
    [[nodiscard]] bool store_byte(int32_t x, int32_t y, uint32_t byte, std::byte value);
    /// The same pixels if they can be changed where they are, else null. What
    /// has been changed is told by mark_dirty_pixels().
    [[nodiscard]] std::byte* in_place(int32_t x, int32_t y, uint32_t count);
    /// `count` pixels of `rows` rows from y on, if they are in one span of memory; else null.
    [[nodiscard]] std::byte* block(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    void mark_dirty_pixels(int32_t x, int32_t y, uint32_t count);

private:
    /// Bytes written that are not yet told: as long as Memory still knows where they lie.
    static constexpr uint64_t max_dirty = 1 << 20;

    [[nodiscard]] std::byte* map_contiguous(uint64_t first, uint32_t rows, uint64_t row_bytes);
    uint64_t address(int32_t x, int32_t y) const;
    [[nodiscard]] const std::byte* load_swapped(uint64_t address, uint64_t length,
                                                std::byte* scratch);
    [[nodiscard]] bool store_swapped(uint64_t address, uint64_t length, const std::byte* from);
    void map(uint64_t address, uint64_t length);
    void mark_dirty_elsewhere(uint64_t address, uint64_t length);
    void flush_dirty();

    Memory* memory_ = nullptr;
    SurfaceDesc desc_;
    uint64_t first_ = 0;
    uint64_t last_ = 0; ///< address past the last byte that may be touched
    uint64_t row_bytes_ = 0;
    uint32_t rows_ = 0;

    // One drawing call.
    Access access_ = Access::read;
    uint64_t ahead_ = 0;                       ///< map up to here, further rows will be accessed
    HostSpan span_;                            ///< mapped last
    uint64_t span_address_ = 0;                ///< of span_
    bool faulted_ = false;                     ///< nothing will be mapped any more
    uint64_t dirty_begin_ = 0, dirty_end_ = 0; ///< addresses not flushed yet
};

} // namespace pixmill::render
