// Writes the pixels of BLTs and vectors.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "parts.hpp"

#include <algorithm>

namespace reference::geode {
namespace {

uint32_t low_bytes(uint32_t value, uint32_t bytes) {
    return bits(value, bytes * 8 - 1, 0);
}

} // namespace

// ---- Memory and ports ----

/// Returns the byte in VRAM, or nullptr. Offsets wrap at 24 bits, addresses at 32.
uint8_t* Memory::at(uint32_t base, int64_t offset) const {
    const uint32_t address = base + static_cast<uint32_t>(offset & 0xFFFFFF);
    if (address < first_address || address - first_address >= vram.size())
        return nullptr;
    return &vram[address - first_address];
}

uint32_t Memory::read(uint32_t base, int64_t offset, uint32_t bytes) const {
    uint32_t value = 0;
    for (uint32_t n = 0; n < bytes; n++) {
        if (const uint8_t* byte = at(base, offset + n))
            value |= uint32_t{*byte} << 8 * n;
    }
    return value;
}

void Memory::write(uint32_t base, int64_t offset, uint32_t bytes, uint32_t value) const {
    for (uint32_t n = 0; n < bytes; n++) {
        if (uint8_t* byte = at(base, offset + n))
            *byte = static_cast<uint8_t>(value >> 8 * n);
    }
}

uint32_t HostPort::read(const HostBytes& wanted) const {
    uint32_t value = 0;
    for (uint32_t n = 0; n < wanted.count; n++)
        value |= uint32_t{bytes[wanted.first + n]} << 8 * n;
    return value;
}

void HostPort::add(uint32_t word, uint64_t most) {
    if (bytes.size() >= used + most)
        return;
    for (unsigned n = 0; n < 4; n++)
        bytes.push_back(static_cast<uint8_t>(word >> 8 * n));
}

// ---- Pixels ----

Format Operation::format() const {
    const uint32_t bpp = bits((*this)[raster_mode], 31, 28);
    const bool defined = (bpp >= 4 && bpp <= 6) || bpp == 8;
    return defined ? Format{bpp} : rgb332;
}

Pixel pixel_of(Format format, uint32_t value) {
    return {low_bytes(value, bytes_of(format)), widen(format, value)};
}

/// Returns the source pixel in the given format. Its color keeps all bits of red, green and blue,
/// but alpha is reduced to the format's precision.
Pixel converted(Format format, const Color& color) {
    const uint32_t value = narrow(format, color);
    return {value, {widen(format, value).a, color.r, color.g, color.b}};
}

void draw(const Operation& op, const Memory& memory, int64_t offset, const Pixel& source,
          std::optional<uint32_t> pattern, uint32_t alpha) {
    const uint32_t base = op.destination_base();
    const uint32_t bytes = op.bytes_per_pixel();
    const uint32_t raster = op[raster_mode];
    const uint32_t there = op.reads_destination() ? memory.read(base, offset, bytes) : 0;
    if (bits(raster, 23, 22)) {
        const Color color = blend(raster, source.color, widen(op.format(), there), alpha);
        memory.write(base, offset, bytes, narrow(op.format(), color));
    } else if (pattern) {
        memory.write(base, offset, bytes, rop3(bits(raster, 7, 0), *pattern, source.value, there));
    }
}

// ---- BLTs ----

namespace {

void draw_pixel(const Operation& op, const Memory& memory, const Source& source,
                const Channel3& channel_3, const Position& at) {
    Color third{bits(op[raster_mode], 7, 0), 0, 0, 0};
    if (channel_3.on())
        third = channel_3.pixel(op.pixels_done, at);
    Pixel operand = channel_3.is_stream() ? converted(op.format(), third)
                                          : pixel_of(op.format(), narrow(op.format(), third));
    if (!channel_3.is_source()) {
        const std::optional<uint32_t> value = source.pixel(at);
        if (!value)
            return;
        operand = pixel_of(op.format(), *value);
    } else if (bit(op[raster_mode], 11) && is_color_key(op, operand.value)) {
        return;
    }
    const int64_t x = op.step_x() * at.column;
    const int64_t y = op.step_y() * at.line;
    const std::optional<uint32_t> pattern =
        channel_3.is_pattern() ? narrow(op.format(), third) : raster_pattern(op, x, y);
    draw(op, memory, op.destination() + x * op.bytes_per_pixel() + y * op.destination_stride(),
         operand, pattern, third.a);
}

Position position_of(const Operation& op, uint64_t number) {
    return {static_cast<int64_t>(number % op.width()), static_cast<int64_t>(number / op.width())};
}

/// True if all host words of the line that is about to start have arrived. Drops earlier words.
bool has_words(Operation& op, const Source& source, const Channel3& channel_3) {
    const uint64_t first = op.pixels_done;
    uint64_t end = first + op.width();
    if (channel_3.is_stream())
        end = std::min(end, channel_3.stream_length());
    bool all = true;
    const auto check = [&](HostPort& port, const HostBytes& wanted, bool is_first) {
        if (is_first)
            port.used = wanted.first / 4 * 4;
        all &= wanted.first + wanted.count <= port.bytes.size();
    };
    for (uint64_t number = first; number < end; number++) {
        if (source.is_from_host())
            check(op.source_port, source.host_bytes(position_of(op, number)), number == first);
        if (channel_3.is_from_host())
            check(op.channel_3_port, channel_3.host_bytes(number), number == first);
    }
    return all;
}

} // namespace

Outcome work_on_blt(Operation& op, const Memory& memory) {
    const Channel3 channel_3(op, memory);
    const Source source(op, memory, channel_3);
    const uint64_t all = uint64_t{op.width()} * op.height();
    for (; op.pixels_done < all; op.pixels_done++) {
        const Position at = position_of(op, op.pixels_done);
        if (channel_3.is_stream() && op.pixels_done >= channel_3.stream_length())
            return Outcome::underflow;
        if (at.column == 0 && !has_words(op, source, channel_3))
            return Outcome::waits;
        draw_pixel(op, memory, source, channel_3, at);
    }
    return Outcome::finished;
}

} // namespace reference::geode
