// SPDX-License-Identifier: GPL-2.0-or-later
#include "cursor.hpp"

#include <algorithm>
#include <cstring>

#include "display.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {
namespace {

constexpr uint32_t color_columns = 48, mono_columns = 64, image_rows = 64;

/// Returns a * b / 255, rounded as in pixman.
constexpr uint32_t product(uint32_t a, uint32_t b) {
    const uint32_t t = a * b + 0x80;
    return (t + (t >> 8)) >> 8;
}

/// Returns source + destination * (1 - alpha). The databook only says "blended". The model assumes
/// a premultiplied source, which is what clients supply.
constexpr uint32_t over(uint32_t source, uint32_t destination) {
    const uint32_t rest = 0xFF - (source >> 24);
    uint32_t out = destination & 0xFF000000;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        const uint32_t sum = (source >> shift & 0xFF) + product(destination >> shift & 0xFF, rest);
        out |= std::min(sum, 0xFFu) << shift;
    }
    return out;
}

void draw_color(const Cursor& cursor, const std::byte* from, uint32_t* row) {
    for (uint32_t i = 0; i < cursor.width; i++) {
        uint32_t source;
        std::memcpy(&source, from + 4 * (cursor.skip + i), sizeof source);
        row[i] = over(source, row[i]);
    }
}

// Source: databook table 6-33. Each mask has eight bytes per row, with the leftmost pixel in the
// most significant bit.
void draw_mono(const Cursor& cursor, const std::byte* from, std::span<const uint32_t, 2> colors,
               uint32_t* row) {
    uint64_t masks[2];
    std::memcpy(masks, from, sizeof masks);
    for (uint32_t i = 0; i < cursor.width; i++) {
        const uint32_t bit = mono_columns - 1 - (cursor.skip + i);
        const bool keeps = masks[0] >> bit & 1, flips = masks[1] >> bit & 1;
        const uint32_t color = keeps ? row[i] ^ (flips ? 0x00FFFFFF : 0) : colors[flips];
        row[i] = (row[i] & 0xFF000000) | (color & 0x00FFFFFF);
    }
}

} // namespace

PixmillGeodeBytes Cursor::source(uint32_t) const {
    return {start, uint64_t(row_bytes()) * (rows.end - rows.begin)};
}

// Rows above the screen need no offset here: the driver has moved the start address past them.
Cursor cursor_of(const Display& display, const Picture& picture) {
    const uint32_t(&dc)[PIXMILL_GEODE_DC_WORDS] = display.s.dc;
    const uint32_t general = dc[DC_GENERAL_CFG / 4];
    const uint32_t x = dc[DC_CURSOR_X / 4], y = dc[DC_CURSOR_Y / 4];
    const uint32_t top = cursor_position::position(y);
    Cursor cursor;
    cursor.color = general_cfg::clr_cur(general);
    cursor.x = cursor_position::position(x);
    cursor.skip = cursor_position::skip(x);
    cursor.start = dc[DC_CURS_ST_OFFSET / 4];
    const uint32_t columns = cursor.color ? color_columns : mono_columns;
    if (!picture.visible || !general_cfg::cure(general) || cursor.x >= picture.width ||
        top >= picture.height || cursor.skip >= columns)
        return {};
    const uint32_t height = std::min(image_rows - cursor_position::skip(y), picture.height - top);
    if (!in_vram(picture.vram_size, cursor.start, cursor.row_bytes(), height, cursor.row_bytes()))
        return {};
    cursor.width = std::min(columns - cursor.skip, picture.width - cursor.x);
    cursor.rows = {top, top + height};
    cursor.planes = 1;
    return cursor;
}

void draw_cursor(const Cursor& cursor, const std::byte* vram, uint32_t y,
                 std::span<const uint32_t, 2> colors, uint32_t* row) {
    const uint64_t line = y - cursor.rows.begin;
    const std::byte* const from = vram + cursor.start + line * cursor.row_bytes();
    if (cursor.color)
        draw_color(cursor, from, row + cursor.x);
    else
        draw_mono(cursor, from, colors, row + cursor.x);
}

} // namespace pixmill::geode_display
