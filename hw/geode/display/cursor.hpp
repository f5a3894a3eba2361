// The hardware cursor, which the display controller puts on top of its picture.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "picture.hpp"

namespace pixmill::geode_display {

struct Cursor {
    bool color = false; ///< ARGB; else an AND and a XOR mask
    uint32_t x = 0;
    uint32_t skip = 0;  ///< columns of the image that are left of the screen
    uint32_t width = 0; ///< on the screen
    uint64_t start = 0; ///< of the first row shown

    Rows rows;           ///< on the screen
    uint32_t planes = 0; ///< of its image: 1 where it is visible

    bool operator==(const Cursor&) const = default;
    uint32_t row_bytes() const { return color ? 192 : 16; }
    PixmillGeodeBytes source(uint32_t plane) const;
};

Cursor cursor_of(const Display& display, const Picture& picture);

/// Puts row `y` of the screen's on `row`, whose X bits stay. `colors`: of pixels that mask.
void draw_cursor(const Cursor& cursor, const std::byte* vram, uint32_t y,
                 std::span<const uint32_t, 2> colors, uint32_t* row);

} // namespace pixmill::geode_display
