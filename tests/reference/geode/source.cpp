// The source operand of a BLT: color or monochrome, from memory or from the host.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

namespace reference::geode {
namespace {

enum : uint32_t { memory_source = 1, host_source = 2 };
enum : uint32_t { unpacked = 1, packed = 2 };

uint64_t whole_words(uint64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

} // namespace

bool is_color_key(const Operation& op, uint32_t value) {
    const uint32_t difference = (value ^ op[src_color_fg]) & op[src_color_bg];
    return bits(difference, op.bytes_per_pixel() * 8 - 1, 0) == 0;
}

uint32_t Source::origin() const {
    return replaced_ ? 0 : bits(op_[blt_mode], 1, 0);
}

uint32_t Source::mono() const {
    const bool has_bits = origin() == memory_source || origin() == host_source;
    const uint32_t mode = bits(op_[blt_mode], 7, 6);
    return has_bits && mode != 3 ? mode : 0;
}

/// Returns the bytes of a line without padding to a word.
uint64_t Source::packed_bytes_of_line() const {
    return (first_bit() + op_.width() + 7) / 8;
}

/// Returns the bytes of a line of host data. Lines start at word boundaries unless they are packed.
uint64_t Source::host_bytes_of_line() const {
    const uint64_t skipped = bits(op_[src_offset], 1, 0);
    if (mono() == packed)
        return packed_bytes_of_line();
    if (mono() == unpacked)
        return whole_words(skipped + packed_bytes_of_line());
    return whole_words(skipped + uint64_t{op_.width()} * op_.bytes_per_pixel());
}

HostBytes Source::host_bytes(const Position& at) const {
    const uint64_t line = bits(op_[src_offset], 1, 0) + at.line * host_bytes_of_line();
    if (mono())
        return {line + (first_bit() + at.column) / 8, 1};
    return {line + static_cast<uint64_t>(at.column) * op_.bytes_per_pixel(), op_.bytes_per_pixel()};
}

/// Returns a monochrome pixel. The leftmost pixel is the top bit. Directions apply only to unpacked
/// sources in memory.
std::optional<uint32_t> Source::mono_pixel(const Position& at) const {
    uint32_t byte = 0;
    int64_t number = first_bit() + at.column;
    if (origin() == host_source) {
        byte = op_.source_port.read(host_bytes(at));
    } else {
        int64_t line = at.line * static_cast<int64_t>(packed_bytes_of_line());
        if (mono() == unpacked) {
            line = op_.step_y() * at.line * bits(op_[stride], 31, 16);
            number = first_bit() + op_.step_x() * at.column;
        }
        byte =
            memory_.read(op_.source_base(), bits(op_[src_offset], 23, 0) + line + (number >> 3), 1);
    }
    const bool set = bit(byte, 7 - (number & 7)) != bit(op_[raster_mode], 13);
    const bool transparent = bit(op_[raster_mode], 11);
    if (transparent && !set)
        return {};
    return op_[set ? src_color_fg : src_color_bg];
}

std::optional<uint32_t> Source::pixel(const Position& at) const {
    if (mono())
        return mono_pixel(at);
    uint32_t value = op_[src_color_fg];
    const uint32_t bytes = op_.bytes_per_pixel();
    if (origin() == host_source)
        value = op_.source_port.read(host_bytes(at));
    if (origin() == memory_source) {
        const int64_t first = bits(op_[src_offset], 23, 0) & ~(bytes - 1);
        value = memory_.read(op_.source_base(),
                             first + op_.step_y() * at.line * bits(op_[stride], 31, 16) +
                                 op_.step_x() * at.column * bytes,
                             bytes);
    }
    if (bit(op_[raster_mode], 11) && is_color_key(op_, value))
        return {};
    return value;
}

} // namespace reference::geode
