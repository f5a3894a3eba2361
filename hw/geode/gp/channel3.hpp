// Channel 3: a stream of pixels that replaces the source or the pattern, or supplies alpha. Channel
// 3 can convert pixels, rotate them and map them through the LUT.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "aperture.hpp"
#include "formats.hpp"
#include "host_source.hpp"
#include "latched.hpp"
#include "rows.hpp"

namespace pixmill::geode {

/// Channel 3's mode, decoded from its registers.
struct Channel3Mode {
    Channel3Mode() = default;
    explicit Channel3Mode(const Latched& latched);

    bool on = false, has_pattern = false, is_source = false;
    Channel3Format format;

    /// True if channel 3 supplies a stream of pixels.
    bool streams() const { return on && !has_pattern; }
    bool reads_lut() const { return on && (has_pattern || format.holds == Holds::index); }
    bool is_alpha_only() const { return format.holds == Holds::alpha; }
    bool replaces_source() const { return on && is_source && (has_pattern || !is_alpha_only()); }
    bool replaces_pattern() const { return on && !is_source && (has_pattern || !is_alpha_only()); }
};

class Channel3 {
public:
    /// Sets up channel 3 for a BLT. `blt_width` is the number of pixels in a line of the BLT.
    void set_up(const Latched& latched, const Channel3Mode& mode, uint32_t blt_width,
                const HostSource& host);
    void open(PhysicalMemory& memory);

    /// Returns the number of pixels in the stream.
    uint64_t length() const { return uint64_t(line_pixels_) * lines_; }
    bool from_host() const { return host_data_; }
    const Channel3Format& format() const { return mode_.format; }
    uint32_t line_pixels() const { return line_pixels_; }
    bool rotates() const { return rotates_; }
    bool leftward() const { return left_; }
    bool upward() const { return up_; }
    uint32_t stride() const { return stride_; }
    /// Returns the offset of a line's first pixel.
    int64_t line(uint32_t number) const {
        return start_ + (up_ ? -1 : 1) * int64_t(number) * stride_;
    }
    uint32_t base() const { return base_; }
    /// True if each line in memory is a line of the BLT: `width` pixels of `bytes` bytes in the
    /// same direction.
    bool is_side_by_side(uint32_t bytes, uint32_t width, bool leftward) const;
    /// True if the pixels are colors in memory and no address wraps.
    bool is_picture() const {
        return !host_data_ && format().holds == Holds::color && !extent().wraps;
    }
    /// Returns the address range of the pixels.
    Extent extent() const;

    /// words_to() returns the number of words of host data up to and including pixel `number`.
    /// words_before() returns how many words only earlier pixels need.
    uint32_t words_to(uint64_t number) const;
    uint32_t words_before(uint64_t number) const;

    /// Returns `count` pixels from `number` on as ARGB, not yet converted to the destination's
    /// format. For alpha formats, only the alpha is valid. With `in_place`, may return a pointer to
    /// the pixels in memory, else stores them in `to`.
    [[nodiscard]] const uint32_t* fetch(uint64_t number, uint32_t count, uint32_t* to,
                                        bool in_place);

    /// Returns a pointer to lines of ARGB values in memory, stride() apart, or null if that is not
    /// possible.
    [[nodiscard]] const uint32_t* lines_in_place(uint32_t line, uint32_t lines) const;
    /// Stores whole lines in `to`, converted as in fetch(). Returns false if the lines are not
    /// contiguous in memory.
    [[nodiscard]] bool fetch_lines(uint32_t line, uint32_t lines, uint32_t* to) const;

private:
    [[nodiscard]] const uint32_t* fetch_run(uint32_t line, uint32_t column, uint32_t count,
                                            uint32_t* to, bool in_place);
    void fetch_turned(uint32_t line, uint32_t column, uint32_t count, uint32_t* to);
    [[nodiscard]] const std::byte* find_lines(uint32_t line, uint32_t lines,
                                              uint32_t row_bytes) const;
    uint32_t last_byte(uint32_t column) const;
    void decode(const std::byte* from, uint32_t first, uint32_t count, uint32_t* to) const;

    Channel3Mode mode_;
    const uint32_t* lut_ = nullptr;
    render::Codec codec_;
    bool u_first_ = false; ///< YUV: U comes first
    bool is_argb_ = false; ///< pixels in memory are the ARGB values that fetch() returns
    const HostSource* host_ = nullptr;
    const render::Kernels* kernels_ = nullptr;
    Aperture aperture_;
    uint32_t base_ = 0;
    int64_t start_ = 0;   ///< offset of pixel 0; for host data, bytes before the line's first pixel
    uint32_t stride_ = 0; ///< bytes between lines in memory
    uint32_t nibble_ = 0; ///< 4-bit pixels: 1 if lines start in the middle of a byte
    bool left_ = false, up_ = false, rotates_ = false, host_data_ = false;
    uint32_t line_pixels_ = 0, lines_ = 0, line_words_ = 0;
    Bytes scratch_;
};

} // namespace pixmill::geode
