// The source operand, unless it is channel 3: a constant, or pixels or bits from memory or from the
// host port.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "aperture.hpp"
#include "host_source.hpp"
#include "latched.hpp"
#include "rows.hpp"

namespace pixmill::geode {

class Source {
public:
    enum class Kind : uint8_t { constant, color, mono };

    /// Sets up the source of a `width` x `height` BLT. `replaced` means that channel 3 replaces the
    /// source.
    void set_up(const Latched& latched, const render::Format& format, uint32_t width,
                uint32_t height, bool replaced, const HostSource& host);
    void open(PhysicalMemory& memory) { aperture_ = {memory, base_}; }

    Kind kind() const { return kind_; }
    bool from_host() const { return host_data_; }
    bool from_memory() const { return kind_ != Kind::constant && !host_data_; }
    Extent extent() const;
    /// Returns the offset of a line's first pixel, for colors in memory.
    int64_t line(uint32_t row) const;
    uint32_t base() const { return base_; }
    uint32_t stride() const { return uint32_t(stride_ < 0 ? -stride_ : stride_); }

    /// words_to() returns the number of words of host data up to and including a pixel.
    /// words_before() returns how many words only earlier pixels need.
    uint32_t words_to(uint32_t row, uint32_t column) const;
    uint32_t words_before(uint32_t row, uint32_t column) const;

    /// For pixels from the host, these return the number of lines that have arrived, the bytes per
    /// line including the padding of its last word, and the address of a line.
    uint32_t lines_come() const { return host_->received(Port::hst_src) / (host_pitch() / 4); }
    uint32_t host_pitch() const { return (uint32_t(start_) + width_ * bytes_ + 3) / 4 * 4; }
    const std::byte* host_line(uint32_t row) const {
        return host_->bytes(Port::hst_src, uint32_t(host_byte(row, 0)));
    }

    /// Returns color pixels as words. With `in_place`, may return a pointer to the words in memory,
    /// else stores them in `to`.
    [[nodiscard]] const uint32_t* fetch(uint32_t row, uint32_t column, uint32_t count, uint32_t* to,
                                        bool in_place);
    /// Expands bits to words: all ones for a set bit, else 0.
    void fetch_bits(uint32_t row, uint32_t column, uint32_t count, uint32_t* to);

private:
    uint32_t line_bytes() const { return (first_bit_ + width_ + 7) / 8; }
    uint64_t host_byte(uint32_t row, uint32_t column) const;

    const HostSource* host_ = nullptr;
    const render::Kernels* kernels_ = nullptr;
    Kind kind_ = Kind::constant;
    Aperture aperture_;
    uint32_t base_ = 0, bytes_ = 1; ///< bytes per pixel
    int64_t start_ = 0; ///< for host data, bytes before the first pixel of a line, or of the stream
    int64_t stride_ = 0; ///< bytes to the next line in memory
    uint32_t first_bit_ = 0, width_ = 0, height_ = 0;
    bool left_ = false, host_data_ = false, packed_ = false, inverted_ = false;
    Bytes scratch_;
    std::array<std::byte, row_pixels + 8> bits_; ///< bits expanded to one byte each
};

} // namespace pixmill::geode
