// SPDX-License-Identifier: GPL-2.0-or-later
#include "source.hpp"

#include <algorithm>

namespace pixmill::geode {
namespace {

enum SourceRead : uint32_t { none, memory, host_port };
enum SourceMode : uint32_t { color, unpacked, byte_packed };

} // namespace

void Source::set_up(const Latched& latched, const render::Format& format, uint32_t width,
                    uint32_t height, bool replaced, const HostSource& host) {
    host_ = &host;
    kernels_ = &render::kernels();
    const uint32_t mode = latched[BLT_MODE], offset = latched[SRC_OFFSET];
    const uint32_t read = blt_mode::source(mode), as = blt_mode::source_mode(mode);
    const bool is_none = replaced || (read != memory && read != host_port);
    const bool mono = as == unpacked || as == byte_packed;
    kind_ = is_none ? Kind::constant : mono ? Kind::mono : Kind::color;
    host_data_ = !is_none && read == host_port;
    packed_ = as == byte_packed;
    inverted_ = raster_mode::invert_source(latched[RASTER_MODE]);
    width_ = width;
    height_ = height;
    bytes_ = format.bytes();
    base_ = latched.source_base();
    first_bit_ = offset::x_lsbs(offset);
    // Byte-packed bits are a stream, which is read forward regardless of the destination's
    // direction.
    left_ = blt_mode::x(mode) && !host_data_ && !packed_;
    const bool up = blt_mode::y(mode);
    const int64_t stride = stride::source(latched[STRIDE]);
    stride_ = mono && packed_ ? line_bytes() : up ? -stride : stride;
    start_ = offset::bytes(offset);
    if (host_data_)
        start_ &= 3;
    else if (!mono)
        start_ &= -int64_t(bytes_);
}

int64_t Source::line(uint32_t row) const {
    return start_ + row * stride_;
}

Extent Source::extent() const {
    const int64_t wide = kind_ == Kind::color ? int64_t(width_) * bytes_ : line_bytes() + 1;
    const int64_t unit = kind_ == Kind::color ? bytes_ : 1;
    const int64_t first = left_ ? start_ + unit - wide : start_, last = (height_ - 1) * stride_;
    return Extent::of(base_, first + std::min<int64_t>(last, 0),
                      first + wide + std::max<int64_t>(last, 0));
}

// ---- Host data ---------------------------------------------------------------

/// Returns the index of the byte of host data in which a pixel, or its bit, begins. Lines start at
/// a word boundary or, if bits are packed, at a byte boundary.
uint64_t Source::host_byte(uint32_t row, uint32_t column) const {
    const auto start = uint32_t(start_);
    if (kind_ == Kind::mono && packed_)
        return start + uint64_t(row) * line_bytes() + (first_bit_ + column) / 8;
    const uint32_t bytes = kind_ == Kind::mono ? line_bytes() : width_ * bytes_;
    const uint32_t within = kind_ == Kind::mono ? (first_bit_ + column) / 8 : column * bytes_;
    return uint64_t(row) * ((start + bytes + 3) / 4 * 4) + start + within;
}

uint32_t Source::words_to(uint32_t row, uint32_t column) const {
    const uint32_t more = kind_ == Kind::mono ? 0 : bytes_ - 1;
    return uint32_t((host_byte(row, column) + more) / 4 + 1);
}

uint32_t Source::words_before(uint32_t row, uint32_t column) const {
    return uint32_t(host_byte(row, column) / 4);
}

// ---- Pixels --------------------------------------------------------------------

const uint32_t* Source::fetch(uint32_t row, uint32_t column, uint32_t count, uint32_t* to,
                              bool in_place) {
    const std::byte* from;
    if (host_data_) {
        from = host_->bytes(Port::hst_src, uint32_t(host_byte(row, column)));
    } else {
        const int64_t at = int64_t(left_ ? column + count - 1 : column) * bytes_;
        from = aperture_.read(line(row) + (left_ ? -at : at), count * bytes_, scratch_.data());
    }
    if (in_place && bytes_ == sizeof(uint32_t) && !left_)
        if (const uint32_t* const found = words_at(from))
            return found;
    kernels_->fetch_raw[bytes_ / 2]({}, to, from, count);
    if (left_)
        std::reverse(to, to + count);
    return to;
}

void Source::fetch_bits(uint32_t row, uint32_t column, uint32_t count, uint32_t* to) {
    // Index of the leftmost bit, counted from the most significant bit of the line's first byte.
    const int64_t first =
        left_ ? int64_t(first_bit_) - column - (count - 1) : int64_t(first_bit_) + column;
    const int64_t byte = first >> 3;
    const auto skip = uint32_t(first & 7);
    const std::byte* from;
    if (host_data_)
        from = host_->bytes(Port::hst_src, uint32_t(host_byte(row, column)));
    else
        from = aperture_.read(line(row) + byte, (skip + count + 7) / 8, scratch_.data());
    kernels_->bits(bits_.data(), from, skip, count);
    std::fill_n(to, count, 0);
    kernels_->match(to, bits_.data(), !inverted_, count);
    if (left_)
        std::reverse(to, to + count);
}

} // namespace pixmill::geode
