// The rasterizer: finds the pixels of a draw and the order in which they are drawn.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "nema/texture/tsc.hpp"
#include "setup.hpp"

namespace pixmill::nema {

/// A rectangle with the interface of polygons and lines: rows of spans.
class Box {
public:
    explicit Box(const render::Rect& bounds = {}) : bounds_(bounds) {}
    const render::Rect& bounds() const { return bounds_; }
    render::Span row(int32_t, std::span<uint8_t>) const {
        return {bounds_.left, bounds_.right, nullptr};
    }

private:
    render::Rect bounds_;
};

/// Walks bands of rows from top to bottom, and splits each band into chunks of equal width.
class Rasterizer {
public:
    /// Number of bytes that are readable past the end of any coverage array.
    static constexpr uint32_t full_run = 8;

    /// Begins with the pixels of `primitive` inside `clip`. Bands have `band` rows (1 or tsc_side)
    /// and start at multiples of `band`.
    void begin(const Primitive& primitive, const render::Rect& clip, uint32_t band);
    /// Sets the width of chunks, a power of two.
    void cut(uint32_t chunk) { chunk_ = chunk; }
    /// Continues from `progress`. Returns false if nothing is left to draw.
    bool seek(uint32_t progress);
    /// Returns 65536 times the number of rows done, plus the chunks done of the next row. A row is
    /// divided into chunks because a single row of a long program can take too long.
    uint32_t progress() const { return row_ << chunk_bits | chunks_done_; }

    const render::Rect& bounds() const { return bounds_; }
    bool is_rectangle() const { return std::holds_alternative<Box>(shape_); }
    uint32_t band() const { return band_; }
    uint32_t width() const { return uint32_t(bounds_.width()); }
    /// Chunks per row.
    uint32_t chunks() const;

    bool done() const { return row_ >= uint32_t(bounds_.height()); }
    int32_t y() const { return bounds_.top + int32_t(row_); }
    uint32_t rows_left() const { return uint32_t(bounds_.height()) - row_; }
    /// True if no chunk of row y() is done.
    bool at_row() const { return chunks_done_ == 0; }
    /// Advances past rows that have been drawn.
    void skip_rows(uint32_t rows) { row_ += rows; }

    uint32_t rows_of_band() const;
    /// Finds the spans of a new band. Returns false if the band was entered before.
    bool enter_band();
    /// Returns the number of pixels of the band whose coverage was computed.
    uint64_t coverages() const;
    /// True if the band has another chunk with pixels.
    bool has_chunk() const { return chunks_done_ < chunks_end_; }
    /// Calls visit(render::Span, y) for the part of each span that is in the current chunk.
    template<class Visit>
    void each_span(Visit visit) const {
        const int64_t left = int64_t(grid_left_) + int64_t(chunks_done_) * chunk_;
        for (uint32_t i = 0; i < rows_of_band(); i++) {
            render::Span part = spans_[i];
            part.left = int32_t(std::max<int64_t>(part.left, left));
            part.right = int32_t(std::min<int64_t>(part.right, left + chunk_));
            if (part.left >= part.right)
                continue;
            if (part.coverage)
                part.coverage += part.left - spans_[i].left;
            visit(part, y() + int32_t(i));
        }
    }
    /// Advances past the current chunk.
    void advance();

private:
    static constexpr uint32_t chunk_bits = 16; ///< in progress(); enough for four-pixel chunks

    void find_chunks();

    std::variant<Box, render::LineShape, render::Polygon> shape_;
    render::Rect bounds_;
    int32_t grid_left_ = 0; ///< left edge of the first chunk
    uint32_t chunk_ = 1, band_ = 1;

    uint32_t row_ = 0;         ///< rows of bounds_ done
    uint32_t chunks_done_ = 0; ///< chunks done of the band at row_
    uint32_t chunks_end_ = 0;  ///< end of the last chunk with pixels in the band
    bool in_band_ = false;
    std::array<render::Span, tsc_side> spans_;
    std::vector<uint8_t> coverage_;
};

} // namespace pixmill::nema
