// Channel 3: a stream of pixels that takes the place of the source or of the pattern, or gives
// alpha; converted, turned, looked up.
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

/// What is known of channel 3 by its registers.
struct Channel3Mode {
    Channel3Mode() = default;
    explicit Channel3Mode(const Latched& latched);

    bool on = false, has_pattern = false, is_source = false;
    Channel3Format format;

    /// It has pixels, which the BLT takes one by one.
    bool streams() const { return on && !has_pattern; }
    bool reads_lut() const { return on && (has_pattern || format.holds == Holds::index); }
    bool is_alpha_only() const { return format.holds == Holds::alpha; }
    bool replaces_source() const { return on && is_source && (has_pattern || !is_alpha_only()); }
    bool replaces_pattern() const { return on && !is_source && (has_pattern || !is_alpha_only()); }
};

class Channel3 {
public:
    /// `blt_width`: pixels of the lines that it is for.
    void set_up(const Latched& latched, const Channel3Mode& mode, uint32_t blt_width,
                const HostSource& host);
    void open(PhysicalMemory& memory);

    /// Pixels that there are.
    uint64_t length() const { return uint64_t(line_pixels_) * lines_; }
    bool from_host() const { return host_data_; }
    const Channel3Format& format() const { return mode_.format; }
    uint32_t line_pixels() const { return line_pixels_; }
    bool rotates() const { return rotates_; }
    bool leftward() const { return left_; }
    bool upward() const { return up_; }
    uint32_t stride() const { return stride_; }
    /// Of a line's first pixel.
    int64_t line(uint32_t number) const {
        return start_ + (up_ ? -1 : 1) * int64_t(number) * stride_;
    }
    uint32_t base() const { return base_; }
    /// In memory each line is one of a BLT of so many pixels of `bytes`, in the same direction.
    bool is_side_by_side(uint32_t bytes, uint32_t width, bool leftward) const;
    /// Colors in memory, that do not wrap around.
    bool is_picture() const {
        return !host_data_ && format().holds == Holds::color && !extent().wraps;
    }
    /// Bytes that the pixels may touch, in memory.
    Extent extent() const;

    /// Words of host data up to pixel `number`, it included; and those that come before it only.
    uint32_t words_to(uint64_t number) const;
    uint32_t words_before(uint64_t number) const;

    /// `count` pixels from `number` on as ARGB, before they are converted to the destination's
    /// format; of alpha formats only the alpha matters. In `to`, or, with `in_place`, where they
    /// are.
    [[nodiscard]] const uint32_t* fetch(uint64_t number, uint32_t count, uint32_t* to,
                                        bool in_place);

    /// Lines of ARGB values where they are, stride() apart, if that can be; else null.
    [[nodiscard]] const uint32_t* lines_in_place(uint32_t line, uint32_t lines) const;
    /// Whole lines as fetch() makes them, in `to`, if they lie in one piece of memory; else false.
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
    bool u_first_ = false; ///< of YUV
    bool is_argb_ = false; ///< words in memory are what fetch() is asked for
    const HostSource* host_ = nullptr;
    const render::Kernels* kernels_ = nullptr;
    Aperture aperture_;
    uint32_t base_ = 0;
    int64_t start_ = 0;   ///< offset of pixel 0; of host data the bytes that a line begins with
    uint32_t stride_ = 0; ///< in memory
    uint32_t nibble_ = 0; ///< of pixels of four bits: the first of a line
    bool left_ = false, up_ = false, rotates_ = false, host_data_ = false;
    uint32_t line_pixels_ = 0, lines_ = 0, line_words_ = 0;
    Bytes scratch_;
};

} // namespace pixmill::geode
