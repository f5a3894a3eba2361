// The frame buffer as a picture: where its rows are in VRAM, and what their pixels mean.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/byte_range.hpp"
#include "pixmill/geode_display.h"
#include "render/format.hpp"

namespace pixmill::geode_display {

class Display;

/// What is known of a pixel.
struct PixelKind {
    render::Format format; ///< of 8 bits: an index of the palette
    uint32_t key_bits;     ///< of RGB, that a color key can tell apart
};

const PixelKind& kind_of(PixmillGeodeFormat format);

struct Rows {
    uint32_t begin = 0, end = 0;

    bool operator==(const Rows&) const = default;
    bool has(uint32_t y) const { return y >= begin && y < end; }
    operator PixmillGeodeRows() const { return {begin, end}; }
};

struct Picture {
    bool visible = false;
    bool palette = false; ///< colors go through it
    bool gamma = false;   ///< and then through that
    PixmillGeodeFormat format = PIXMILL_GEODE_PALETTE8;
    uint32_t width = 640, height = 480; ///< of a screen that is black and has no size
    uint32_t pitch = 0;
    uint64_t start = 0;
    uint64_t vram_size = 0;

    uint32_t row_bytes() const { return width * kind_of(format).format.bytes(); }
    bool operator==(const Picture&) const = default;
};

/// What the registers show of a VRAM of so many bytes.
Picture picture_of(const Display& display, uint64_t vram_size);

/// Whether `rows` rows of `row` bytes, `pitch` bytes apart, are inside of VRAM; none are not.
constexpr bool in_vram(uint64_t vram_size, uint64_t start, uint64_t pitch, uint64_t rows,
                       uint64_t row) {
    const auto before = rows ? ByteRange::of(start, rows - 1, pitch) : std::nullopt;
    const auto last = before ? ByteRange::of(before->end(), row) : std::nullopt;
    return last && last->end() <= vram_size;
}

} // namespace pixmill::geode_display
