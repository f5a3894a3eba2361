// The rasteriser: which pixels a draw has, and in which order they are drawn.
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

/// A rectangle as polygons and lines are: rows of spans.
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

/// Goes from the top to the bottom in bands of rows, and in a band from chunk to chunk, each as
/// many pixels wide.
class Rasterizer {
public:
    /// The longest coverage is followed by as many bytes that can be read.
    static constexpr uint32_t full_run = 8;

    /// Takes the pixels of `primitive` in `clip`. Bands have `band` rows, and begin at its
    /// multiples: 1, or tsc_side.
    void begin(const Primitive& primitive, const render::Rect& clip, uint32_t band);
    /// Says how wide chunks are, a power of two.
    void cut(uint32_t chunk) { chunk_ = chunk; }
    /// Goes on where progress() was. False: nothing is left there.
    bool seek(uint32_t progress);
    /// How far it has come: rows that are done, from the top, times 65536, plus the chunks that are
    /// done of the next one. (A row of a long program can take too long to be waited for.)
    uint32_t progress() const { return row_ << chunk_bits | chunks_done_; }

    const render::Rect& bounds() const { return bounds_; }
    bool is_rectangle() const { return std::holds_alternative<Box>(shape_); }
    uint32_t band() const { return band_; }
    uint32_t width() const { return uint32_t(bounds_.width()); }
    /// Chunks of a row.
    uint32_t chunks() const;

    bool done() const { return row_ >= uint32_t(bounds_.height()); }
    int32_t y() const { return bounds_.top + int32_t(row_); }
    uint32_t rows_left() const { return uint32_t(bounds_.height()) - row_; }
    /// Nothing of row y() is done.
    bool at_row() const { return chunks_done_ == 0; }
    /// They are drawn.
    void skip_rows(uint32_t rows) { row_ += rows; }

    uint32_t rows_of_band() const;
    /// Where it comes to a band it finds its spans, and says so.
    bool enter_band();
    /// Pixels of it of which it had to find how much is covered.
    uint64_t coverages() const;
    /// The band has another chunk with pixels.
    bool has_chunk() const { return chunks_done_ < chunks_end_; }
    /// The parts of spans in that chunk: visit(render::Span, y).
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
    /// The chunk is drawn.
    void advance();

private:
    static constexpr uint32_t chunk_bits = 16; ///< of progress(), for chunks of four pixels

    void find_chunks();

    std::variant<Box, render::LineShape, render::Polygon> shape_;
    render::Rect bounds_;
    int32_t grid_left_ = 0; ///< chunks begin every `chunk_` pixels from here on
    uint32_t chunk_ = 1, band_ = 1;

    uint32_t row_ = 0;         ///< of bounds_, done
    uint32_t chunks_done_ = 0; ///< of the band that begins there
    uint32_t chunks_end_ = 0;  ///< no later chunk of the band has pixels
    bool in_band_ = false;
    std::array<render::Span, tsc_side> spans_;
    std::vector<uint8_t> coverage_;
};

} // namespace pixmill::nema
