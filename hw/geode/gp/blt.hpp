// BLTs: rectangles of pixels, drawn in any direction from all operands.
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
    /// Pixels to draw: fewer than the rectangle has if channel 3 runs out.
    uint64_t length() const { return length_; }
    bool underflows() const { return length_ < uint64_t(width_) * height_; }

    bool takes(Port port) const;
    /// words_to(): words that a port must have received to draw pixels up to and including
    /// `number`. words_before(): words that only earlier pixels need.
    uint32_t words_to(Port port, uint64_t number) const;
    uint32_t words_before(Port port, uint64_t number) const;

    /// Draws pixels of a row from `column` on, at most as many as a row buffer holds. Returns how
    /// many.
    uint32_t draw(uint32_t row, uint32_t column);
    /// Draws at most `rows` rows from `row` on, as far as their host data has arrived. Returns how
    /// many; 0 if draw() has to be used.
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
    /// True if written pixels may be read later.
    bool overlaps() const { return overlaps_; }
    bool has_constant_source() const {
        return !mode3_.replaces_source() && source_.kind() == Source::Kind::constant;
    }
    uint32_t foreground() const { return foreground_; }
    /// Returns the 8x8 pattern, or null if channel 3 streams the pattern.
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
    // Roles of channel 3: the source as a pattern, the pattern, the pattern as a stream.
    bool fixed_source_ = false, fixed_pattern_ = false, moving_pattern_ = false;
    bool tests_source_ = false; ///< the source may make pixels transparent
    bool tests_pattern_ = false;
    bool overlaps_ = false; ///< written pixels may be read later
    bool banded_ = false;   ///< several rows can be blended at once
    bool uploads_ = false;  ///< host words are copied to memory unchanged
    uint32_t foreground_ = 0, background_ = 0;
    uint32_t constants_ = 0; ///< pixels of source_row_ that hold the constant source
    uint32_t own_alpha_ = 0; ///< ARGB alpha if channel 3 has none
    const render::Kernels* kernels_ = nullptr;
    unsigned size_ = 0;

    // Buffers for a row of pixels.
    Words source_row_, wide_row_, channel3_row_, pattern_row_, bits_, transparent_;
    Bytes bytes_row_, scratch_, drawn_, turned_;
};

} // namespace pixmill::geode
