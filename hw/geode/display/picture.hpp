// The picture in the frame buffer: the location of its rows in VRAM and the format of its pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/byte_range.hpp"
#include "pixmill/geode_display.h"
#include "render/format.hpp"

namespace pixmill::geode_display {

class Display;

/// Properties of a pixel format.
struct PixelKind {
    render::Format format; ///< 8-bit pixels are palette indices
    uint32_t key_bits;     ///< RGB bits that are compared with a color key
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
    bool palette = false; ///< colors go through the palette
    bool gamma = false;   ///< colors then go through the gamma table
    PixmillGeodeFormat format = PIXMILL_GEODE_PALETTE8;
    uint32_t width = 640, height = 480; ///< default size, for a blank screen
    uint32_t pitch = 0;
    uint64_t start = 0;
    uint64_t vram_size = 0;

    uint32_t row_bytes() const { return width * kind_of(format).format.bytes(); }
    bool operator==(const Picture&) const = default;
};

/// Returns the picture that the registers select in a VRAM of `vram_size` bytes.
Picture picture_of(const Display& display, uint64_t vram_size);

/// True if `rows` rows of `row` bytes, `pitch` bytes apart, are inside VRAM. Returns false for 0
/// rows.
constexpr bool in_vram(uint64_t vram_size, uint64_t start, uint64_t pitch, uint64_t rows,
                       uint64_t row) {
    const auto before = rows ? ByteRange::of(start, rows - 1, pitch) : std::nullopt;
    const auto last = before ? ByteRange::of(before->end(), row) : std::nullopt;
    return last && last->end() <= vram_size;
}

} // namespace pixmill::geode_display
