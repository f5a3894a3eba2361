// BLTs: rectangles of pixels, drawn in any direction, with all operands.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "channel3.hpp"
#include "pattern.hpp"
#include "raster.hpp"
#include "source.hpp"

namespace pixmill::geode {

class Blt {
public:
    void set_up(const Latched& latched, const HostSource& host);
    void open(PhysicalMemory& memory);

    uint32_t width() const { return width_; }
    uint32_t height() const { return height_; }
    /// Returns the number of pixels to draw, which is less than the size of the rectangle if
    /// channel 3 has too few pixels.
    uint64_t length() const { return length_; }
    bool underflows() const { return length_ < uint64_t(width_) * height_; }

    bool takes(Port port) const;
    /// words_to() returns how many words a port must have received to draw pixels up to and
    /// including `number`. words_before() returns how many words only earlier pixels need.
    uint32_t words_to(Port port, uint64_t number) const;
    uint32_t words_before(Port port, uint64_t number) const;

    /// Draws pixels of a row from `column` on, at most row_pixels. Returns how many it drew.
    uint32_t draw(uint32_t row, uint32_t column);
    /// Draws at most `rows` rows from `row` on, up to the last one whose host data has arrived.
    /// Returns how many it drew, or 0 if draw() must be used instead.
    uint32_t draw_band(uint32_t row, uint32_t rows);

    // Parameters of the BLT, for FastBlt.
    bool left() const { return left_; }
    bool up() const { return up_; }
    int64_t start() const { return start_; } ///< offset of the first pixel
    uint32_t base() const { return base_; }
    uint32_t stride() const { return stride_; }
    Extent extent() const;
    const Raster& raster() const { return raster_; }
    const Source& source() const { return source_; }
    const Channel3& channel3() const { return channel3_; }
    const Channel3Mode& channel3_mode() const { return mode3_; }
    bool tests_transparency() const { return tests_source_ || tests_pattern_; }
    /// True if the BLT may read pixels that it has written.
    bool overlaps() const { return overlaps_; }
    bool has_constant_source() const {
        return !mode3_.replaces_source() && source_.kind() == Source::Kind::constant;
    }
    uint32_t foreground() const { return foreground_; }
    /// Returns the 8x8 pattern, or null if the pattern is a stream from channel 3.
    const Pattern* fixed_pattern() const { return moving_pattern_ ? nullptr : &pattern_; }

private:
    int64_t line(uint32_t row) const;
    bool overlaps_source() const;
    void set_up_pattern(const Latched& latched);
    uint32_t independent(uint32_t row, uint32_t count) const;
    int64_t distance(uint32_t row) const;
    /// True if pixels can be processed in place.
    bool in_place() const { return !overlaps_; }
    bool can_blend_bands() const;
    bool can_upload() const;
    AlphaOperand fetch_band(uint32_t row, uint32_t rows);
    uint32_t blend_band(uint32_t row, uint32_t rows);
    uint32_t upload(uint32_t row, uint32_t rows);
    [[nodiscard]] const uint32_t* fetch_channel3(uint32_t row, uint32_t column, uint32_t count);
    void fill_source(uint32_t count);
    [[nodiscard]] const uint32_t* fetch_source(uint32_t row, uint32_t column, uint32_t count,
                                               const uint32_t* channel3);
    const uint32_t* widen_source(const uint32_t* source, const uint32_t* channel3, uint32_t count);
    [[nodiscard]] const uint32_t* fetch_pattern(uint32_t row, uint32_t column, uint32_t count,
                                                const uint32_t* channel3);
    void find_transparent(uint32_t row, uint32_t column, uint32_t count, const uint32_t* source);
    [[nodiscard]] const std::byte* fetch_destination(int64_t offset, uint32_t count);
    uint32_t place(const Pattern& pattern, uint32_t row, uint32_t column) const;
    void spread(const std::array<uint32_t, 64>& words, const Pattern& pattern, uint32_t row,
                uint32_t column, uint32_t count, uint32_t* to) const;
    void draw_at(int64_t offset, const Raster::Operands& operands, uint32_t count);
    void store(int64_t offset, std::byte* to, const std::byte* pixels, uint32_t count);
    void store_opaque(int64_t offset, std::byte* to, const std::byte* pixels, uint32_t count);

    uint32_t width_ = 0, height_ = 0;
    uint64_t length_ = 0;
    bool left_ = false, up_ = false;
    Aperture aperture_;
    uint32_t base_ = 0, stride_ = 0, bytes_ = 1;
    int64_t start_ = 0; ///< offset of the first pixel
    Raster raster_;
    Source source_;
    Channel3Mode mode3_;
    Channel3 channel3_;
    Pattern pattern_, source_pattern_;
    // Roles of channel 3: an 8x8 pattern as the source, an 8x8 pattern, or a stream as the pattern.
    bool fixed_source_ = false, fixed_pattern_ = false, moving_pattern_ = false;
    bool tests_source_ = false; ///< the source may make pixels transparent
    bool tests_pattern_ = false;
    bool overlaps_ = false; ///< the BLT may read pixels that it has written
    bool banded_ = false;   ///< several rows can be blended at once
    bool uploads_ = false;  ///< host words are copied to memory unchanged
    uint32_t foreground_ = 0, background_ = 0;
    uint32_t constants_ = 0; ///< number of pixels of source_row_ that hold the constant source
    uint32_t own_alpha_ = 0; ///< constant alpha as ARGB, if channel 3 supplies none
    const render::Kernels* kernels_ = nullptr;
    unsigned size_ = 0;

    // Buffers for a row of pixels.
    Words source_row_, wide_row_, channel3_row_, pattern_row_, bits_, transparent_;
    Bytes bytes_row_, scratch_, drawn_, turned_;
};

} // namespace pixmill::geode
