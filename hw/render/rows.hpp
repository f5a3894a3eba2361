// Sources of pixel rows, and their rotation.
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
    /// Returns `count` pixels of row y, starting at x: in place, or in `scratch`, which has room
    /// for them. Valid until the next call. Returns null on a fault.
    [[nodiscard]] virtual const std::byte* row(int32_t x, int32_t y, uint32_t count,
                                               std::byte* scratch) = 0;
    /// Returns `count` pixels of each of `rows` rows, starting at (x, y) and *pitch bytes apart, if
    /// all can be used in place. Otherwise returns null.
    [[nodiscard]] virtual const std::byte* block(int32_t /*x*/, int32_t /*y*/, uint32_t /*count*/,
                                                 uint32_t /*rows*/, size_t* /*pitch*/) {
        return nullptr;
    }

protected:
    ~RowSource() = default;
};

/// A RowSource seen through a Placement. Returns blocks of destination pixels.
class PlacedRows {
public:
    /// Maximum number of rows of a block if the placement transposes: each source row uses up its
    /// cache line before that line is evicted.
    static constexpr uint32_t turned_rows = 64;

    /// Blocks of destination pixels in `rect` will be requested, of at most `width` columns and
    /// `rows` rows. `rows` is at most turned_rows.
    void prepare(const Kernels& kernels, RowSource& from, const Placement& placement,
                 const Rect& rect, uint32_t width, uint32_t rows);
    /// Returns the source pixels that a placement uses for the destination pixels in `rect`.
    static Rect touched(const Placement& placement, const Rect& rect);
    /// True if source rows are requested in ascending, or mostly ascending, order.
    bool rising() const { return !placement_.y.falling(); }

    /// Fetches the pixels from (x, y) to (x + count - 1, y + rows - 1). More than one row is
    /// allowed only if the placement transposes. Returns false on a fault.
    [[nodiscard]] bool fetch(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    /// Like fetch(), but to any memory and for any number of pixels. Requires turns().
    [[nodiscard]] bool fetch_turned(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                    std::byte* to, size_t pitch);
    /// Like fetch_turned(), but for any number of rows, if they are contiguous in the source's
    /// memory. Otherwise returns false, having done nothing.
    [[nodiscard]] bool turn_whole(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                  std::byte* to, size_t pitch);
    /// True if the placement transposes and does not stretch.
    bool turns() const {
        return placement_.transpose && placement_.x.unit() && placement_.y.unit();
    }
    /// Returns row `index` of the block fetched last. There is only one unless the placement
    /// transposes.
    const std::byte* operator[](uint32_t index) const {
        return rows_[placement_.transpose ? index : 0];
    }
    /// True if `row` is a copy, which is valid until the next fetch. Pixels used in place are valid
    /// until the drawing call returns.
    bool is_copy(const std::byte* row) const {
        return std::less_equal<>()(block_.data(), row) &&
               std::less<>()(row, block_.data() + block_.size());
    }
    /// Drops cached rows, because memory may have changed.
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
    std::vector<int32_t> index_; ///< source x for destination x, from left_ on, if stretched
    std::vector<int32_t> step_;  ///< index_ for the span fetched last, relative to its first pixel
    int32_t step_x_ = 0;         ///< first destination x of that span
    uint32_t step_count_ = 0;    ///< 0: not valid
    std::vector<std::byte> block_, scratch_;
    const std::byte* rows_[turned_rows] = {};
    // The row fetched last, kept because stretching repeats rows.
    bool cached_ = false;
    int32_t cached_x_ = 0, cached_y_ = 0;
    uint32_t cached_count_ = 0;
};

} // namespace pixmill::render
