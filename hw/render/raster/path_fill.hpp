// Any polygons, by winding, as rows of spans: what is inside is counted in samples.
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

/// The samples of a pixel: a regular grid of 1, 2 or 4 columns and rows. Sample i of n in a
/// direction is (2 i + 1) / (2 n) of a pixel from its edge.
struct SampleGrid {
    uint8_t columns = 1, rows = 1;
    constexpr unsigned samples() const { return columns * rows; }
};

enum class FillRule : uint8_t { non_zero, even_odd };

/// Fills what directed edges enclose. An edge counts for the rows of samples from its upper end on,
/// before its lower end, and there for the samples on it and to its right: shapes that share edges
/// tile. Coverage is the part of the samples that are inside, in 255ths, rounded to the nearest.
///
/// Use: begin(), add() for each edge, then next() until it says `end`. Whoever adds is in charge of
/// closing; what is open to the right stays open.
class PathFill {
public:
    /// Rows and columns of `window` are looked at, all between 0 and 65536; nothing else is kept.
    void begin(const Rect& window, SampleGrid grid, FillRule rule);
    /// std::bad_alloc where there is no memory.
    void add(FillPoint from, FillPoint to);

    enum class Next : uint8_t {
        row,  ///< row() and spans() are there
        more, ///< the budget is spent: again
        end   ///< there are no further rows
    };
    /// Goes on to the next row in which anything is covered. An edge in a row costs about 1 of
    /// `budget`, which it counts down. std::bad_alloc where there is no memory.
    Next next(int64_t& budget);

    int32_t row() const { return row_; }
    /// In rising order, good until next(); no pixel in them has coverage 0.
    std::span<const Span> spans() const { return spans_; }

    /// From this many edges in a row on, crossings are counted per sample instead of sorted.
    void set_dense_from(size_t edges) { dense_from_ = edges; }

private:
    /// A crossing is a sum of whole and broken subpixels, stepped from one row of samples to the
    /// next without rounding: x + error / height, rounded up.
    struct Edge {
        int32_t x = 0;                ///< where it counts from, at `first`
        int32_t step = 0;             ///< per row of samples
        uint32_t error = 0, part = 0; ///< in 1 / height
        uint32_t height = 1;
        uint32_t first = 0; ///< row of samples
        uint32_t left = 0;  ///< rows of samples
        uint32_t below = none;
        int32_t winding = 0;
    };
    /// Of an edge in a row of samples.
    struct Place {
        int32_t x;
        uint32_t error;
        /// To the next row; behind the last one it is nowhere.
        void step(const Edge& edge) {
            const uint32_t sum = error + edge.part; // each is below the height, 2^31 at most
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
    /// Of a row of samples.
    std::span<int32_t> crossings(unsigned row) {
        return {&crossings_[row * room_], crossing_count_[row]};
    }
    void resolve();
    using Columns = std::array<int32_t, 4>; ///< of samples, in the rows of a pixel
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
    SampleGrid grid_;
    FillRule rule_ = FillRule::non_zero;
    unsigned column_shift_ = 8, row_shift_ = 8; ///< of the distance between samples, in subpixels
    uint32_t columns_ = 0;                      ///< of samples
    std::array<uint8_t, 17> coverage_of_{};
    size_t dense_from_ = 4096;

    std::vector<std::unique_ptr<Chunk>> chunks_;
    uint32_t edges_ = 0;
    std::vector<uint32_t> begins_; ///< the first edge that begins in each row, the others below it
    std::vector<uint32_t> active_;

    // The row in work.
    enum class Phase : uint8_t { idle, take_up, cross };
    Phase phase_ = Phase::idle;
    int32_t row_ = 0;
    bool dense_ = false;
    size_t crossed_ = 0, kept_ = 0;  ///< of active_
    std::vector<int32_t> crossings_; ///< 2 * column + (winding > 0); room for all in each row
    size_t room_ = 0;
    std::array<uint32_t, 4> crossing_count_{};
    std::array<std::vector<int32_t>, 4> windings_; ///< changes, by column
    std::vector<int16_t> change_;                  ///< of the number of samples, by pixel
    std::vector<uint64_t> touched_;                ///< pixels with a change, a bit each
    std::vector<uint8_t> coverage_;
    std::vector<Span> spans_;
};

} // namespace pixmill::render
