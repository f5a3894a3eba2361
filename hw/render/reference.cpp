// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Operation means, by the bit. Shares nothing with the pipeline but the
// descriptions.
#include "pipeline.hpp"

namespace pixmill::render {

namespace {

/// The 8 bits of a channel: its field from the top bit on, again and again.
uint32_t expand(Channel channel, uint32_t raw) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 8 && channel.width; i++)
        value = value << 1 | (raw >> (channel.shift + channel.width - 1 - i % channel.width) & 1);
    return value;
}

uint32_t to_argb(const Format& format, uint32_t raw) {
    const uint32_t alpha = format.alpha.width == 0 ? 255 : expand(format.alpha, raw);
    return alpha * 0x1000000 + expand(format.red, raw) * 0x10000 +
           expand(format.green, raw) * 0x100 + expand(format.blue, raw);
}

/// The field of a channel: as many of the 8 bits, from the top, as it is wide.
uint32_t truncate(Channel channel, uint32_t value) {
    uint32_t field = 0;
    for (uint32_t i = 0; i < channel.width; i++)
        field = field << 1 | (value >> (7 - i) & 1);
    return field << channel.shift;
}

uint32_t from_argb(const Format& format, uint32_t argb) {
    return truncate(format.alpha, argb / 0x1000000) + truncate(format.padding, argb / 0x1000000) +
           truncate(format.red, argb / 0x10000 % 256) + truncate(format.green, argb / 0x100 % 256) +
           truncate(format.blue, argb % 256);
}

uint32_t apply(Rop3 rop, uint32_t destination, uint32_t source, uint32_t pattern) {
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        const uint32_t index =
            (destination >> bit & 1) + 2 * (source >> bit & 1) + 4 * (pattern >> bit & 1);
        result |= uint32_t(rop >> index & 1) << bit;
    }
    return result;
}

/// Whether some bit of the truth table changes with bit `operand` of its index.
bool depends(Rop3 rop, uint32_t operand) {
    for (uint32_t index = 0; index < 8; index++)
        if ((rop >> index & 1) != (rop >> (index ^ operand) & 1))
            return true;
    return false;
}

uint64_t address_of(const SurfaceDesc& surface, int64_t x, int64_t y) {
    return surface.base + uint64_t(y * surface.stride + x * surface.format.bytes());
}

/// A pixel, byte by byte. Nothing on a fault.
std::optional<uint32_t> read(Memory& memory, const SurfaceDesc& surface, int64_t x, int64_t y,
                             Access access) {
    uint32_t raw = 0;
    for (uint32_t i = 0; i < surface.format.bytes(); i++) {
        const Run run = memory.map(address_of(surface, x, y) + i, 1, access);
        if (run.mapping == Mapping::fault)
            return {};
        raw |= (run.mapping == Mapping::hole ? run.hole_value : uint32_t(*run.host)) << 8 * i;
    }
    return raw;
}

bool write(Memory& memory, const SurfaceDesc& surface, int64_t x, int64_t y, uint32_t raw) {
    for (uint32_t i = 0; i < surface.format.bytes(); i++) {
        const uint64_t address = address_of(surface, x, y) + i;
        const Run run = memory.map(address, 1, Access::write);
        if (run.mapping == Mapping::fault)
            return false;
        if (run.mapping == Mapping::hole)
            continue;
        *run.host = std::byte(raw >> 8 * i);
        memory.wrote(address, 1);
    }
    return true;
}

using Row = std::vector<std::optional<uint32_t>>;

Row read_source_row(Memory& memory, const Operation& op, int64_t row) {
    Row pixels;
    for (int64_t x = 0; x < op.rect.width(); x++)
        pixels.push_back(
            read(memory, *op.source, op.source_x + x, op.source_y + row, Access::read));
    return pixels;
}

/// False on a fault.
bool draw_row(Memory& memory, const Operation& op, int64_t row, const Row& source) {
    const Format& to = op.destination.format;
    const bool raw = source.empty() || op.source->format == to;
    for (int64_t x = 0; x < op.rect.width(); x++) {
        uint32_t d = 0, s = 0, p = raw ? from_argb(to, op.pattern) : op.pattern;
        if (!source.empty()) {
            if (!source[size_t(x)])
                return false;
            s = raw ? *source[size_t(x)] : to_argb(op.source->format, *source[size_t(x)]);
        }
        const int64_t dx = op.rect.left + x, dy = op.rect.top + row;
        if (depends(op.rop, 1)) {
            const auto pixel = read(memory, op.destination, dx, dy, Access::write);
            if (!pixel)
                return false;
            d = raw ? *pixel : to_argb(to, *pixel);
        }
        const uint32_t result = apply(op.rop, d, s, p);
        if (!write(memory, op.destination, dx, dy, raw ? result : from_argb(to, result)))
            return false;
    }
    return true;
}

} // namespace

Progress reference(Memory& memory, const Operation& op) {
    if (op.rect.empty())
        return {};
    const auto rows = uint32_t(op.rect.height());
    if (op.rop == 0xAA)
        return {rows, false};
    const bool uses_source = depends(op.rop, 2);
    const auto row_bytes = op.rect.width() * op.destination.format.bytes();
    const bool source_first = uses_source && op.source->format == op.destination.format &&
                              op.source->stride == op.destination.stride &&
                              op.destination.stride >= row_bytes;
    std::vector<Row> picture;
    for (uint32_t row = 0; source_first && row < rows; row++)
        picture.push_back(read_source_row(memory, op, row));

    bool bottom_up = false;
    if (source_first) {
        const uint64_t d = address_of(op.destination, op.rect.left, op.rect.top);
        const uint64_t s = address_of(*op.source, op.source_x, op.source_y);
        const uint64_t extent = (rows - 1) * uint64_t(op.destination.stride) + uint64_t(row_bytes);
        bottom_up = d > s && d - s < extent;
    }
    for (uint32_t done = 0; done < rows; done++) {
        const uint32_t row = bottom_up ? rows - 1 - done : done;
        Row source;
        if (uses_source)
            source = source_first ? picture[row] : read_source_row(memory, op, row);
        if (!draw_row(memory, op, row, source))
            return {done, true};
    }
    return {rows, false};
}

} // namespace pixmill::render
