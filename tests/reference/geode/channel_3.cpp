// Channel 3 of the Geode LX: a pixel stream in any format, or a pattern in the LUT.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

#include <algorithm>
#include <utility>

namespace reference::geode {
namespace {

/// Values of FMT in CH3_MODE_STR that are not destination formats.
enum : uint32_t {
    index8 = 0x1,
    alpha8 = 0x2,
    yuv422 = 0x7,
    rgb888 = 0xB,
    index4 = 0xD,
    alpha4 = 0xE
};

uint32_t clamped(int32_t value) {
    return static_cast<uint32_t>(std::clamp(value, 0, 255));
}

} // namespace

uint32_t Channel3::format() const {
    const uint32_t format = bits(mode(), 27, 24);
    const bool defined =
        format != 0x3 && format != 0x9 && format != 0xA && format != 0xC && format != 0xF;
    return defined ? format : rgb332;
}

uint32_t Channel3::bits_per_pixel() const {
    switch (format()) {
    case index4:
    case alpha4:
        return 4;
    case argb4444:
    case argb1555:
    case rgb565:
    case yuv422:
        return 16;
    case rgb888:
        return 24;
    case argb8888:
        return 32;
    default:
        return 8;
    }
}

bool Channel3::has_colors() const {
    return on() && (is_pattern_8x8() || (format() != alpha8 && format() != alpha4));
}

/// RO is undefined for some formats. The model does not rotate them.
bool Channel3::is_rotated() const {
    return bit(mode(), 23) && !is_from_host() && bits_per_pixel() != 4 && format() != rgb888 &&
           format() != yuv422;
}

/// For packed 24-bit pixels, the width field counts the words of a line. A BLT uses at most as many
/// pixels of the line as it is wide.
uint64_t Channel3::pixels_of_line() const {
    if (format() == rgb888)
        return std::min<uint64_t>(width() * 4 / 3, op_.width());
    return width();
}

uint64_t Channel3::stream_length() const {
    return pixels_of_line() * height();
}

/// Returns the position of pixel @number. Each line of a rotated stream is a column. Host data has
/// no direction.
Channel3::Spot Channel3::spot(uint64_t number) const {
    const auto line = static_cast<int64_t>(number / (is_rotated() ? height() : pixels_of_line()));
    const auto column = static_cast<int64_t>(number % (is_rotated() ? height() : pixels_of_line()));
    const Spot spot = is_rotated() ? Spot{line, column} : Spot{column, line};
    if (is_from_host())
        return spot;
    return {bit(mode(), 29) ? -spot.x : spot.x, bit(mode(), 28) ? -spot.y : spot.y};
}

/// Returns the number of half bytes between the start of the line and the pixel.
int64_t Channel3::nibbles_before(const Spot& spot) const {
    if (format() == yuv422)
        return (spot.x >> 1) * 8;
    const int64_t second = bits_per_pixel() == 4 && bit(op_[ch3_offset], 25) ? 1 : 0;
    return second + spot.x * static_cast<int64_t>(bits_per_pixel() / 4);
}

/// A YUV 4:2:2 pixel needs all four bytes of its pair.
uint32_t Channel3::bytes_of_pixel() const {
    return format() == yuv422 ? 4 : std::max(bits_per_pixel() / 8, 1u);
}

uint32_t Channel3::bytes_skipped() const {
    const bool starts_with_a_word = format() == rgb888 || format() == yuv422;
    return starts_with_a_word ? 0 : bits(op_[ch3_offset], 1, 0);
}

uint64_t Channel3::host_bytes_of_line() const {
    uint64_t nibbles = width() * bits_per_pixel() / 4;
    if (bits_per_pixel() == 4 && bit(op_[ch3_offset], 25))
        nibbles++;
    if (format() == rgb888)
        nibbles = width() * 8;
    const uint64_t bytes = bytes_skipped() + (nibbles + 1) / 2;
    return (bytes + 3) / 4 * 4;
}

HostBytes Channel3::host_bytes(uint64_t number) const {
    const Spot at = spot(number);
    const int64_t first = at.y * static_cast<int64_t>(host_bytes_of_line()) + bytes_skipped() +
                          (nibbles_before(at) >> 1);
    return {static_cast<uint64_t>(first), bytes_of_pixel()};
}

uint32_t Channel3::fetch(uint64_t number) const {
    if (is_from_host())
        return op_.channel_3_port.read(host_bytes(number));
    const Spot at = spot(number);
    const uint32_t alignment = format() == rgb888 ? 1 : bytes_of_pixel();
    const int64_t first = bits(op_[ch3_offset], 23, 0) & ~(alignment - 1);
    return memory_.read(op_.channel_3_base(),
                        first + at.y * bits(mode(), 15, 0) + (nibbles_before(at) >> 1),
                        bytes_of_pixel());
}

/// BT.601, limited range.
Color Channel3::yuv(uint32_t pair, bool second) const {
    const auto byte = [&](unsigned n) { return static_cast<int32_t>(pair >> 8 * n & 0xFF); };
    const bool u_first = bit(mode(), 22);
    const int32_t c = byte((second ? 2 : 0) + (u_first ? 1 : 0)) - 16;
    const int32_t d = byte(u_first ? 0 : 1) - 128;
    const int32_t e = byte(u_first ? 2 : 3) - 128;
    return {0xFF, clamped((298 * c + 409 * e + 128) >> 8),
            clamped((298 * c - 100 * d - 208 * e + 128) >> 8),
            clamped((298 * c + 516 * d + 128) >> 8)};
}

/// BGR swaps red and blue in formats where both are stored with the same width.
Color Channel3::color_of(uint32_t format, uint32_t value) const {
    switch (format) {
    case index8:
    case index4:
        return widen(argb8888, op_.lut[value]);
    case alpha8:
        return {value, 0, 0, 0};
    case alpha4:
        return {value * 0x11, 0, 0, 0};
    case rgb888:
        return widen(argb8888, 0xFF000000 | value);
    default:
        break;
    }
    Color color = widen(Format{format}, value);
    if (bit(mode(), 22) && format != rgb332)
        std::swap(color.r, color.b);
    return color;
}

/// Only the destination formats are defined for patterns.
Color Channel3::pattern_8x8(const Position& at) const {
    const uint32_t column = (bits(op_[ch3_offset], 28, 26) + op_.step_x() * at.column) & 7;
    const uint32_t row = (bits(op_[ch3_offset], 31, 29) + op_.step_y() * at.line) & 7;
    uint32_t format = this->format();
    if (format == yuv422 || format == rgb888)
        format = argb8888;
    else if (format != argb4444 && format != argb1555 && format != rgb565 && format != argb8888)
        format = rgb332;
    const uint32_t bytes = bytes_of(Format{format});
    const uint32_t byte = (row * 8 + column) * bytes;
    const uint32_t pixel = op_.lut[0x100 + byte / 4] >> byte % 4 * 8;
    return color_of(format, pixel);
}

Color Channel3::pixel(uint64_t number, const Position& at) const {
    if (is_pattern_8x8())
        return pattern_8x8(at);
    uint32_t value = fetch(number);
    const Spot there = spot(number);
    if (format() == yuv422)
        return yuv(value, there.x & 1);
    if (bits_per_pixel() == 4)
        value = nibbles_before(there) & 1 ? value & 0xF : value >> 4;
    return color_of(format(), value);
}

} // namespace reference::geode
