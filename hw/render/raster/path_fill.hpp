// Fills arbitrary polygons by winding number. Counts samples and returns rows of spans.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "outline.hpp"
#include "render/surface.hpp"
#include "span.hpp"

namespace pixmill::render {

/// The samples of a pixel: a regular grid of 1, 2 or 4 columns and rows. In each direction, sample
/// i of n is at i / n of the pixel's size, plus the offset of the first one.
struct SampleGrid {
    uint8_t columns, rows;
    uint8_t first_x, first_y; ///< in subpixels, less than 256 / n
    constexpr unsigned samples() const { return columns * rows; }
};

enum class FillRule : uint8_t { non_zero, even_odd };

/// Fills the area enclosed by directed edges. An edge affects rows of samples from its upper end
/// (inclusive) to its lower end (exclusive). In each row it affects the samples on it and to its
/// right, so shapes that share edges have neither gaps nor overlaps. Coverage is the fraction of
/// samples that are inside, in 255ths, rounded to nearest.
///
/// Call begin(), then add() for each edge, then next() until it returns `end`. The caller must
/// close outlines; an area that is open to the right stays open.
class PathFill {
public:
    /// Begins a fill limited to `window`, whose coordinates are from 0 to 65536.
    void begin(const Rect& window, SampleGrid grid, FillRule rule);
    /// Adds an edge. May throw std::bad_alloc.
    void add(FillPoint from, FillPoint to);

    enum class Next : uint8_t {
        row,  ///< row() and spans() are valid
        more, ///< budget used up: call again
        end   ///< no more rows
    };
    /// Advances to the next row in which anything is covered. Subtracts about 1 from `budget` per
    /// edge and row. May throw std::bad_alloc.
    Next next(int64_t& budget);

    int32_t row() const { return row_; }
    /// Returns the row's spans in ascending order, valid until next(). They contain no pixel with
    /// coverage 0.
    std::span<const Span> spans() const { return spans_; }

    /// Sets the number of edges in a row at which crossings are no longer sorted, but counted per
    /// sample.
    void set_dense_from(size_t edges) { dense_from_ = edges; }

private:
    /// The edge crosses a row of samples at x + error / height, rounded up. Stepping to the next
    /// row of samples adds no rounding error.
    struct Edge {
        int32_t x = 0;                ///< x of the crossing at `first`
        int32_t step = 0;             ///< per row of samples
        uint32_t error = 0, part = 0; ///< numerators; the denominator is `height`
        uint32_t height = 1;
        uint32_t first = 0; ///< first remaining row of samples
        uint32_t left = 0;  ///< number of remaining rows of samples
        uint32_t below = none;
        int32_t winding = 0;
    };
    /// Crossing of an edge with a row of samples.
    struct Place {
        int32_t x;
        uint32_t error;
        /// Steps to the next row of samples. The result is meaningless after the last one.
        void step(const Edge& edge) {
            const uint32_t sum = error + edge.part; // both are < height <= 2^31
            const bool carry = sum >= edge.height;
            error = sum - (carry ? edge.height : 0);
            x = int32_t(uint32_t(x) + uint32_t(edge.step) + carry);
        }
    };
    static constexpr uint32_t none = 0xFFFFFFFF;
    static constexpr unsigned chunk_bits = 10;
    using Chunk = std::array<Edge, 1 << chunk_bits>;

    Edge& edge(uint32_t index) {
        return (*chunks_[index >> chunk_bits])[index & ((1u << chunk_bits) - 1)];
    }
    uint32_t new_edge();
    [[nodiscard]] bool take_up(int64_t& budget);
    void begin_crossings();
    bool cross(int64_t& budget);
    void cross(Edge& edge);
    int32_t column_of(int32_t x) const;
    bool skip_rows(int64_t& budget);
    void begin_row();
    /// The crossings of a row of samples.
    std::span<int32_t> crossings(unsigned row) {
        return {&crossings_[row * room_], crossing_count_[row]};
    }
    void resolve();
    using Columns = std::array<int32_t, 4>; ///< a column for each row of samples
    bool resolve_pair();
    bool resolve_in_step();
    bool add_interval(const Columns& begins, const Columns& ends);
    void resolve_sorted();
    void resolve_counted();
    void cover(uint32_t begin, uint32_t end);
    void touch(uint32_t column, int change);
    void make_spans();
    bool inside(int32_t winding) const {
        return rule_ == FillRule::even_odd ? winding & 1 : winding != 0;
    }

    Rect window_;
    SampleGrid grid_{};
    FillRule rule_ = FillRule::non_zero;
    unsigned column_shift_ = 8, row_shift_ = 8; ///< log2 of the sample distance in subpixels
    uint32_t columns_ = 0;                      ///< number of columns of samples
    std::array<uint8_t, 17> coverage_of_{};
    size_t dense_from_ = 4096;

    std::vector<std::unique_ptr<Chunk>> chunks_;
    uint32_t edges_ = 0;
    std::vector<uint32_t> begins_; ///< first edge that begins in each row, linked by `below`
    std::vector<uint32_t> active_;

    // The current row.
    enum class Phase : uint8_t { idle, take_up, cross };
    Phase phase_ = Phase::idle;
    int32_t row_ = 0;
    bool dense_ = false;
    size_t crossed_ = 0, kept_ = 0;  ///< progress through active_
    std::vector<int32_t> crossings_; ///< 2 * column + (winding > 0), room_ per row of samples
    size_t room_ = 0;
    std::array<uint32_t, 4> crossing_count_{};
    std::array<std::vector<int32_t>, 4> windings_; ///< winding changes by column
    std::vector<int16_t> change_;                  ///< changes of the number of samples, by pixel
    std::vector<uint64_t> touched_;                ///< pixels with a change, one bit each
    std::vector<uint8_t> coverage_;
    std::vector<Span> spans_;
};

} // namespace pixmill::render
