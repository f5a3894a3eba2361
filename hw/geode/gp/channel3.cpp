// SPDX-License-Identifier: GPL-2.0-or-later
#include "channel3.hpp"

#include <algorithm>
#include <cstring>

#include "render/yuv.hpp"

namespace pixmill::geode {
namespace {

/// Returns 4-bit pixel `number` of a line. The first pixel of each byte is in the high half.
uint32_t nibble_at(const std::byte* from, uint32_t number) {
    return uint32_t(from[number / 2]) >> (number % 2 ? 0 : 4) & 0xF;
}

/// Converts limited-range BT.601 YUV to RGB.
uint32_t rgb_of(int32_t y, int32_t u, int32_t v) {
    const int32_t c = 298 * (y - 16) + 128, d = u - 128, e = v - 128;
    const auto clamped = [](int32_t value) { return uint32_t(std::clamp(value >> 8, 0, 255)); };
    return 0xFF000000 | clamped(c + 409 * e) << 16 | clamped(c - 100 * d - 208 * e) << 8 |
           clamped(c + 516 * d);
}

/// Decodes YUV pixels, which share U and V in pairs. The bytes of a pair are Y U Y V, or U Y V Y if
/// `u_first`.
void decode_yuv(const std::byte* from, bool u_first, uint32_t first, uint32_t count, uint32_t* to) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = first + i;
        const std::byte* const pair = from + 4 * (number / 2);
        const auto byte = [&](uint32_t at) { return int32_t(pair[at]); };
        to[i] =
            rgb_of(byte(2 * (number % 2) + u_first), byte(u_first ? 0 : 1), byte(u_first ? 2 : 3));
    }
}

} // namespace

Channel3Mode::Channel3Mode(const Latched& latched) {
    const uint32_t mode = latched[CH3_MODE_STR];
    on = ch3_mode::enable(mode);
    has_pattern = ch3_mode::pattern(mode);
    is_source = ch3_mode::source(mode);
    format = channel3_format(ch3_mode::format(mode), ch3_mode::bgr(mode));
}

void Channel3::set_up(const Latched& latched, const Channel3Mode& mode, uint32_t blt_width,
                      const HostSource& host) {
    mode_ = mode;
    lut_ = latched.lut.data();
    host_ = &host;
    kernels_ = &render::kernels();
    base_ = latched.channel3_base();
    const uint32_t word = latched[CH3_MODE_STR], size = latched[CH3_WIDHI];
    const uint32_t offset = latched[CH3_OFFSET];
    const uint32_t width = wid_height::width(size), height = wid_height::height(size);
    const bool packed = format().holds == Holds::packed, yuv = format().holds == Holds::yuv;
    is_argb_ = format().holds == Holds::color && format().format == render::formats::a8r8g8b8;
    u_first_ = yuv && ch3_mode::bgr(word);
    host_data_ = ch3_mode::host(word);
    // Host data, packed pixels, YUV and pixels smaller than a byte are not rotated.
    rotates_ = ch3_mode::rotate(word) && !host_data_ && !packed && !yuv && format().bits >= 8;
    left_ = ch3_mode::x(word) && !host_data_;
    up_ = ch3_mode::y(word) && !host_data_;
    stride_ = ch3_mode::stride(word);
    nibble_ = format().bits == 4 ? offset::nibble(offset) : 0;
    // For packed pixels, the width is in words. Leftover bytes of the last word do not form a
    // pixel.
    const uint32_t pixels = packed ? std::min(4 * width / 3, blt_width) : width;
    line_pixels_ = rotates_ ? height : pixels;
    lines_ = rotates_ ? width : height;
    const uint32_t align = yuv ? 4 : packed || format().bits == 4 ? 1 : format().bits / 8;
    start_ = offset::bytes(offset);
    if (!host_data_) {
        start_ &= -int64_t(align);
        return;
    }
    start_ = packed ? 0 : start_ & (yuv ? 0 : 3);
    const uint32_t bits = (nibble_ + pixels) * format().bits;
    line_words_ = packed ? width : (uint32_t(start_) + (bits + 7) / 8 + 3) / 4;
}

void Channel3::open(PhysicalMemory& memory) {
    aperture_ = {memory, base_};
    codec_ = render::Codec(format().format);
}

// ---- Host data ---------------------------------------------------------------

/// Returns the index in a line of the last byte of pixel `column` or, for YUV, of its pair.
uint32_t Channel3::last_byte(uint32_t column) const {
    if (format().holds == Holds::yuv)
        return 4 * (column / 2) + 3;
    return uint32_t(start_) + ((nibble_ + column + 1) * format().bits + 7) / 8 - 1;
}

uint32_t Channel3::words_to(uint64_t number) const {
    const auto line = uint32_t(number / line_pixels_), column = uint32_t(number % line_pixels_);
    return line * line_words_ + last_byte(column) / 4 + 1;
}

uint32_t Channel3::words_before(uint64_t number) const {
    const auto line = uint32_t(number / line_pixels_), column = uint32_t(number % line_pixels_);
    const uint32_t whole = format().holds == Holds::yuv ? column & ~1u : column;
    return line * line_words_ + (uint32_t(start_) + (nibble_ + whole) * format().bits / 8) / 4;
}

// ---- Pixels --------------------------------------------------------------------

Extent Channel3::extent() const {
    // The pixels of a line are side by side in memory or, if rotated, one below the other.
    const int64_t wide = rotates_ ? lines_ : line_pixels_, high = rotates_ ? line_pixels_ : lines_;
    const bool yuv = format().holds == Holds::yuv, groups = yuv || format().bits == 4;
    const int64_t unit = yuv ? 4 : (format().bits + 7) / 8; // bytes per pixel, or per pair for YUV
    const int64_t across = unit * (groups ? wide / 2 + 1 : wide), down = (high - 1) * stride_;
    const int64_t first = left_ ? start_ + unit - across : start_;
    return Extent::of(base_, first - (up_ ? down : 0), first + across + (up_ ? 0 : down));
}

bool Channel3::is_side_by_side(uint32_t bytes, uint32_t width, bool leftward) const {
    return !host_data_ && !rotates_ && format().holds != Holds::yuv && format().bits == 8 * bytes &&
           line_pixels_ == width && left_ == leftward && !extent().wraps;
}

const uint32_t* Channel3::fetch(uint64_t number, uint32_t count, uint32_t* to, bool in_place) {
    for (uint32_t done = 0; done < count;) {
        const auto line = uint32_t((number + done) / line_pixels_);
        const auto column = uint32_t((number + done) % line_pixels_);
        const uint32_t step = std::min(count - done, line_pixels_ - column);
        if (rotates_)
            fetch_turned(line, column, step, to + done);
        else if (step == count)
            return fetch_run(line, column, count, to, in_place);
        else
            (void)fetch_run(line, column, step, to + done, false); // the result is stored in `to`
        done += step;
    }
    return to;
}

const std::byte* Channel3::find_lines(uint32_t line, uint32_t lines, uint32_t row_bytes) const {
    const uint64_t length = uint64_t{lines - 1} * stride_ + row_bytes;
    if (host_data_ || rotates_ || left_ || up_ || length > Aperture::size)
        return nullptr;
    return aperture_.map_contiguous(this->line(line), uint32_t(length), Access::read);
}

const uint32_t* Channel3::lines_in_place(uint32_t line, uint32_t lines) const {
    if (!is_argb_ || stride_ % sizeof(uint32_t))
        return nullptr;
    const std::byte* const found = find_lines(line, lines, line_pixels_ * sizeof(uint32_t));
    return found ? words_at(found) : nullptr;
}

bool Channel3::fetch_lines(uint32_t line, uint32_t lines, uint32_t* to) const {
    const uint32_t bits = (nibble_ + line_pixels_) * format().bits;
    const std::byte* const found =
        format().holds == Holds::yuv ? nullptr : find_lines(line, lines, (bits + 7) / 8);
    for (uint32_t i = 0; found && i < lines; i++)
        decode(found + i * stride_, nibble_, line_pixels_, to + i * line_pixels_);
    return found;
}

const uint32_t* Channel3::fetch_run(uint32_t line, uint32_t column, uint32_t count, uint32_t* to,
                                    bool in_place) {
    const uint32_t bits = format().bits;
    // `first` counts from the first pixel of the line. Pixels that share bytes are fetched in
    // pairs.
    const int64_t first =
        left_ ? int64_t(nibble_) - column - (count - 1) : int64_t(nibble_) + column;
    const bool pairs = format().holds == Holds::yuv || bits == 4;
    const int64_t group = pairs ? first & ~int64_t{1} : first;
    const auto skip = uint32_t(first - group);
    const uint32_t length =
        format().holds == Holds::yuv ? (skip + count + 1) / 2 * 4 : ((skip + count) * bits + 7) / 8;
    const int64_t byte = group * bits / 8;
    const std::byte* from;
    if (host_data_) {
        from = host_->bytes(Port::ch3_hsrc, 4 * line * line_words_ + uint32_t(start_ + byte));
    } else {
        from = aperture_.read(this->line(line) + byte, length, scratch_.data());
    }
    if (in_place && is_argb_ && !left_)
        if (const uint32_t* const found = words_at(from))
            return found;
    decode(from, skip, count, to);
    if (left_)
        std::reverse(to, to + count);
    return to;
}

void Channel3::fetch_turned(uint32_t line, uint32_t column, uint32_t count, uint32_t* to) {
    const uint32_t bytes = format().bits / 8;
    const int64_t across = int64_t(line) * bytes;
    for (uint32_t i = 0; i < count; i++) {
        const int64_t down = int64_t(column + i) * stride_;
        const int64_t at = start_ + (left_ ? -across : across) + (up_ ? -down : down);
        std::byte pixel[4];
        std::memcpy(scratch_.data() + i * bytes, aperture_.read(at, bytes, pixel), bytes);
    }
    decode(scratch_.data(), 0, count, to);
}

/// Decodes `count` pixels of those at `from`, starting with index `first`.
void Channel3::decode(const std::byte* from, uint32_t first, uint32_t count, uint32_t* to) const {
    const bool nibbles = format().bits == 4;
    switch (format().holds) {
    case Holds::color:
        kernels_->unpack(format().format)(codec_, to, from, count);
        break;
    case Holds::index:
        if (!nibbles)
            kernels_->palette(to, from, lut_, count);
        for (uint32_t i = 0; nibbles && i < count; i++)
            to[i] = lut_[nibble_at(from, first + i)];
        break;
    case Holds::alpha:
        for (uint32_t i = 0; i < count; i++)
            to[i] = nibbles ? nibble_at(from, first + i) * 0x11000000 : uint32_t(from[i]) << 24;
        break;
    case Holds::yuv:
        decode_yuv(from, u_first_, first, count, to);
        break;
    case Holds::packed:
        for (uint32_t i = 0; i < count; i++)
            to[i] = 0xFF000000 | uint32_t(from[3 * i + 2]) << 16 | uint32_t(from[3 * i + 1]) << 8 |
                    uint32_t(from[3 * i]);
        break;
    }
}

} // namespace pixmill::geode
