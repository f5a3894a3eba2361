// Where rows of pixels come from, and how they are turned.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "operation.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::render {

/// Rows of pixels of 1, 2 or 4 bytes each.
class RowSource {
public:
    virtual uint32_t pixel_bytes() const = 0;
    /// `count` pixels of row y from x on: where they are, or in `scratch`, which has room for
    /// them. Null on a fault. Good until the next call.
    [[nodiscard]] virtual const std::byte* row(int32_t x, int32_t y, uint32_t count,
                                               std::byte* scratch) = 0;
    /// The same pixels of `rows` rows, `*pitch` bytes apart, if all are where they are in memory;
    /// else null.
    [[nodiscard]] virtual const std::byte* block(int32_t /*x*/, int32_t /*y*/, uint32_t /*count*/,
                                                 uint32_t /*rows*/, size_t* /*pitch*/) {
        return nullptr;
    }

protected:
    ~RowSource() = default;
};

/// A RowSource seen through a Placement: blocks of destination pixels.
class PlacedRows {
public:
    /// Most rows of a block, if the placement turns them: lines of the cache, of which each source
    /// row has one, are used up before they are lost.
    static constexpr uint32_t turned_rows = 64;

    /// Destination pixels of `rect` will be asked for, in blocks of at most `width` pixels and
    /// `rows` rows, which are no more than turned_rows.
    void prepare(const Kernels& kernels, RowSource& from, const Placement& placement,
                 const Rect& rect, uint32_t width, uint32_t rows);
    /// Those source pixels that a placement takes for `rect`.
    static Rect touched(const Placement& placement, const Rect& rect);
    /// Whether source rows are asked for in rising order, or mostly.
    bool rising() const { return !placement_.y.falling(); }

    /// Fetches the pixels (x, y) to (x + count, y + rows); more than one row only if the
    /// placement is a transposition. False on a fault.
    [[nodiscard]] bool fetch(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    /// The same, to any memory, of a placement that turns(). Any number of pixels.
    [[nodiscard]] bool fetch_turned(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                    std::byte* to, size_t pitch);
    /// The same of any number of rows, if the source has them in one piece of memory; else false,
    /// and nothing is done.
    [[nodiscard]] bool turn_whole(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                  std::byte* to, size_t pitch);
    /// Transposes, and does not stretch.
    bool turns() const {
        return placement_.transpose && placement_.x.unit() && placement_.y.unit();
    }
    /// Row `index` of the block fetched last; the only one, if it is not a transposition.
    const std::byte* operator[](uint32_t index) const {
        return rows_[placement_.transpose ? index : 0];
    }
    /// Whether a row is not where its pixels are in memory. What is, stays until the drawing call
    /// returns; a copy, until the next fetch.
    bool is_copy(const std::byte* row) const {
        return std::less_equal<>()(block_.data(), row) &&
               std::less<>()(row, block_.data() + block_.size());
    }
    /// Forgets what it has, because memory may have changed.
    void forget() { cached_ = false; }

private:
    [[nodiscard]] const std::byte* fetch_row(int32_t x, int32_t sy, uint32_t count);
    [[nodiscard]] bool fetch_picked(int32_t x, int32_t sy, uint32_t count);
    [[nodiscard]] bool fetch_columns(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    bool turn_square(int32_t x, int32_t y, uint32_t count, uint32_t rows, std::byte* to,
                     size_t pitch);
    Rect turned_from(int32_t x, int32_t y, uint32_t count, uint32_t rows) const;

    const Kernels* kernels_ = nullptr;
    RowSource* from_ = nullptr;
    Placement placement_;
    unsigned size_ = 0; ///< size_index of a pixel
    uint32_t bytes_ = 0, pitch_ = 0;
    int32_t left_ = 0;
    std::vector<int32_t> index_; ///< by destination x from left_ on, if it is stretched: source x
    std::vector<int32_t> step_;  ///< the same of the span fetched last, from its first pixel on
    int32_t step_x_ = 0;         ///< and where the span begins
    uint32_t step_count_ = 0;    ///< 0: not valid
    std::vector<std::byte> block_, scratch_;
    const std::byte* rows_[turned_rows] = {};
    // The row fetched last; stretching repeats rows.
    bool cached_ = false;
    int32_t cached_x_ = 0, cached_y_ = 0;
    uint32_t cached_count_ = 0;
};

} // namespace pixmill::render
