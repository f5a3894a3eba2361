// The hardware cursor, which the display controller draws on top of the picture.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "picture.hpp"

namespace pixmill::geode_display {

struct Cursor {
    bool color = false; ///< true: ARGB image, false: AND and XOR masks
    uint32_t x = 0;
    uint32_t skip = 0;  ///< image columns beyond the screen's left edge
    uint32_t width = 0; ///< number of visible columns
    uint64_t start = 0; ///< VRAM offset of the first visible row

    Rows rows;           ///< visible rows of the screen
    uint32_t planes = 0; ///< 1 if visible, else 0

    bool operator==(const Cursor&) const = default;
    uint32_t row_bytes() const { return color ? 192 : 16; }
    PixmillGeodeBytes source(uint32_t plane) const;
};

Cursor cursor_of(const Display& display, const Picture& picture);

/// Draws the cursor's part of screen row `y` on top of `row`, without changing the X bits. `colors`
/// is used by monochrome cursors.
void draw_cursor(const Cursor& cursor, const std::byte* vram, uint32_t y,
                 std::span<const uint32_t, 2> colors, uint32_t* row);

} // namespace pixmill::geode_display
