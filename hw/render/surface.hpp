// Surfaces: pixel grids in guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/memory/memory.hpp"
#include "format.hpp"
#include "tiling.hpp"

namespace pixmill::render {

/// A half-open rectangle in pixels. Empty if right <= left or bottom <= top.
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
    Format format;             ///< for planes whose samples are not pixels, only the size matters
    uint64_t base = 0;         ///< address of pixel (0, 0)
    uint32_t stride = 0;       ///< bytes between rows; 0 is allowed: all rows are the same
    uint8_t address_bits = 32; ///< addresses end at 1 << address_bits; at most 62
    Tiling tiling = Tiling::linear;
    uint8_t swap = 0;         ///< byte order: byte addresses are XORed with 0, 1, 3 or 7
    uint64_t second_base = 0; ///< address of the second half, if the tiling has one

    constexpr bool linear() const { return tiling == Tiling::linear && !swap; }
};

/// A surface, and the rectangle of it that an operation may touch. All extents are computed here,
/// in 64 bits: touch() proves that no byte of `touched` is outside the address space, and every
/// row() is inside `touched`.
///
/// Bytes are accessed through the most recently mapped span, so memory that is contiguous in the
/// host needs only one map() for many rows. The pages of scattered memory are mapped many at once,
/// so that the next one can be prefetched and needs no call.
class Surface {
public:
    /// Maximum number of pixels per row: the range of 16-bit coordinates, and twice that for bytes
    /// that are drawn as pixels. Limits the scratch memory that a guest can make an operation
    /// allocate.
    static constexpr int64_t max_width = 1 << 17;

    Surface() = default;
    /// Sets the surface. Not a constructor, because copying a large struct that was just stored
    /// field by field is slow.
    void describe(Memory& memory, const SurfaceDesc& desc) {
        memory_ = &memory;
        desc_ = desc;
    }
    /// Sets the rectangle that may be accessed. Returns false if one of its bytes is below address
    /// 0 or past the end of the address space, if a row is longer than max_width, or if the format
    /// is invalid. The surface must not be used then. An empty `touched` has no bytes.
    bool touch(const Rect& touched);
    /// Creates a surface with describe() and touch(). Returns nothing if touch() returns false.
    static std::optional<Surface> make(Memory& memory, const SurfaceDesc& desc,
                                       const Rect& touched);

    const Format& format() const { return desc_.format; }
    uint32_t stride() const { return desc_.stride; }
    uint32_t rows() const { return rows_; }
    uint64_t row_bytes() const { return row_bytes_; }
    /// True if there are no gaps between rows, so that they form one long row.
    bool gapless() const { return desc_.stride == row_bytes_; }

    /// Returns the address of the first touched byte of row `index`, counted from the top of
    /// `touched`.
    uint64_t row(uint32_t index) const { return first_ + uint64_t(index) * desc_.stride; }
    /// Address range [begin, end) of the touched bytes.
    uint64_t begin() const { return first_; }
    uint64_t end() const { return last_; }
    /// True if rows certainly do not overlap. If false, they may or may not overlap.
    bool rows_apart() const { return desc_.linear() && desc_.stride >= row_bytes_; }

    /// Begins a drawing call, with nothing mapped. Rows will be accessed from the top up to
    /// `end_row` or, if that is 0, in another order.
    void open(Access access, uint32_t end_row);
    /// Begins a drawing call for load() and store(). `ahead` is true if memory after an accessed
    /// address will probably be accessed soon.
    void open_anywhere(Access access, bool ahead);
    /// Returns the span at `address`, of at most `length` bytes.
    [[nodiscard]] HostSpan at(uint64_t address, uint64_t length) {
        if (address - span_address_ >= span_.length)
            map(address, length);
        if (faulted_)
            return {};
        const uint64_t skip = address - span_address_;
        return {span_.mapping, span_.hole_value, span_.host ? span_.host + skip : nullptr,
                std::min(span_.length - skip, length)};
    }
    /// Returns the address to prefetch while `address` is accessed: that of the byte to be accessed
    /// a page later, or null if memory continues contiguously. `address` is in the span mapped
    /// last. Reduces `length` to the number of bytes for which the result is valid.
    const std::byte* next(uint64_t address, size_t& length) const {
        constexpr uint64_t page = Memory::page_bytes;
        if (!span_.next)
            return nullptr;
        const uint64_t last = std::max(span_.length, page) - page, skip = address - span_address_;
        if (skip >= last)
            return span_.next + (skip - last);
        length = std::min<size_t>(length, last - skip);
        return nullptr;
    }
    /// Up to `rows` rows, starting at row `index`, that are in a single host span. No rows if even
    /// the first row is not.
    struct Band {
        std::byte* host = nullptr;
        uint32_t rows = 0;
    };
    Band band(uint32_t index, uint32_t rows);
    /// Returns the host address of `rows` rows, starting at `index`, if they are in a single span,
    /// else null. Does not count as an access.
    [[nodiscard]] std::byte* map_contiguous(uint32_t index, uint32_t rows) {
        return map_contiguous(row(index), rows, row_bytes_);
    }
    /// Marks bytes that were written to a span of at() as dirty.
    void mark_dirty(uint64_t address, uint64_t length) {
        if (address == dirty_end_)
            dirty_end_ += length;
        else
            mark_dirty_elsewhere(address, length);
        if (dirty_end_ - dirty_begin_ >= max_dirty)
            flush_dirty();
    }
    /// Marks rows of a band as dirty.
    void mark_dirty_rows(uint32_t index, uint32_t rows);
    /// Ends a drawing call: marks all bytes that were written as dirty in Memory.
    void close();

    /// Returns `length` bytes from `address` on: in place if one span has all of them, else copied
    /// to `scratch`. Returns null on a fault.
    [[nodiscard]] const std::byte* gather(uint64_t address, uint64_t length, std::byte* scratch);
    /// Writes `length` bytes to `address`, in as many spans as needed. Returns false on a fault.
    [[nodiscard]] bool scatter(uint64_t address, uint64_t length, const std::byte* from);

    /// Returns `count` pixels of row y, starting at x, all inside `touched`, for any tiling and
    /// byte order: in place, or copied to `scratch`. Returns null on a fault.
    [[nodiscard]] const std::byte* load(int32_t x, int32_t y, uint32_t count, std::byte* scratch);
    /// Stores `count` pixels to row y, starting at x. Returns false on a fault.
    [[nodiscard]] bool store(int32_t x, int32_t y, uint32_t count, const std::byte* from);
    /// Stores one byte of a pixel and leaves its other bytes unchanged.
    [[nodiscard]] bool store_byte(int32_t x, int32_t y, uint32_t byte, std::byte value);
    /// Returns `count` pixels of row y, starting at x, if they can be changed in place, else null.
    /// Call mark_dirty_pixels() after a change.
    [[nodiscard]] std::byte* in_place(int32_t x, int32_t y, uint32_t count);
    /// Returns `count` pixels of each of `rows` rows, starting at (x, y), if all are in a single
    /// span, else null.
    [[nodiscard]] std::byte* block(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    void mark_dirty_pixels(int32_t x, int32_t y, uint32_t count);

private:
    /// Maximum number of dirty bytes to hold back. Memory should still have their translations when
    /// they are marked.
    static constexpr uint64_t max_dirty = 1 << 20;
    /// Number of pages of scattered memory to map at once. The list makes a Surface larger.
    static constexpr size_t max_pages = 32;

    [[nodiscard]] std::byte* map_contiguous(uint64_t first, uint32_t rows, uint64_t row_bytes);
    uint64_t address(int32_t x, int32_t y) const;
    [[nodiscard]] const std::byte* load_swapped(uint64_t address, uint64_t length,
                                                std::byte* scratch);
    [[nodiscard]] bool store_swapped(uint64_t address, uint64_t length, const std::byte* from);
    void start(Access access, uint64_t end);
    void map(uint64_t address, uint64_t length);
    [[nodiscard]] bool goes_on(uint64_t address) const;
    [[nodiscard]] bool list_pages(uint64_t address, uint64_t length);
    [[nodiscard]] bool take_listed(uint64_t address);
    void mark_dirty_elsewhere(uint64_t address, uint64_t length);
    void flush_dirty();

    Memory* memory_ = nullptr;
    SurfaceDesc desc_;
    uint64_t first_ = 0;
    uint64_t last_ = 0; ///< address past the last byte that may be touched
    uint64_t row_bytes_ = 0;
    uint32_t rows_ = 0;

    // State of a drawing call.
    Access access_ = Access::read;
    uint64_t ahead_ = 0;        ///< map up to here, because more rows will be accessed
    HostSpan span_;             ///< the span mapped last
    uint64_t span_address_ = 0; ///< of span_
    bool faulted_ = false;      ///< nothing more is mapped after a fault
    /// Pages of scattered memory, mapped before they are accessed; the first one is at
    /// listed_address_. All are host memory, so accessing them cannot fault.
    uint64_t listed_address_ = 0;
    size_t listed_ = 0;
    std::array<std::byte*, max_pages> pages_{};
    uint64_t dirty_begin_ = 0, dirty_end_ = 0; ///< pending dirty range
};

} // namespace pixmill::render
