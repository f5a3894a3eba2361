// SPDX-License-Identifier: GPL-2.0-or-later
// Panels that copy: rotated, keyed, blended, tiled and overlapping.
#include "artwork.hpp"
#include "panels.hpp"
#include "surfaces.hpp"
#include "tiles.hpp"

namespace scene {

namespace {

constexpr uint64_t CHECKER = 0x0F0F0F0FF0F0F0F0;

void checker(Painter& painter, const Rectangle& area) {
    painter.rop(ROP_PATTERN);
    painter.mono_brush(CHECKER, 0xFFB8B8B8, 0xFF787878, {0, 0});
    painter.fill(area);
    painter.rop(ROP_SOURCE);
}

// Converts a rectangle to the coordinates of the rotated surface.
Rectangle turned(const Rectangle& area, Rotation rotation, const Surface& surface) {
    const int width = surface.width, height = surface.height;
    switch (rotation) {
    case FLIP_X:
        return {width - area.right, area.top, width - area.left, area.bottom};
    case FLIP_Y:
        return {area.left, height - area.bottom, area.right, height - area.top};
    case ROT90:
        return {area.top, width - area.right, area.bottom, width - area.left};
    case ROT180:
        return {width - area.right, height - area.bottom, width - area.left, height - area.top};
    case ROT270:
        return {height - area.bottom, area.left, height - area.top, area.right};
    default:
        return area;
    }
}

} // namespace

void orientations(Painter& painter, const Rectangle& body) {
    constexpr struct {
        Turn turn;
        const char* name;
    } CASES[] = {{{ROT0, ROT0, MIRROR_NONE}, "0"},     {{ROT90, ROT0, MIRROR_NONE}, "90"},
                 {{ROT180, ROT0, MIRROR_NONE}, "180"}, {{ROT270, ROT0, MIRROR_NONE}, "270"},
                 {{FLIP_X, ROT0, MIRROR_NONE}, "X"},   {{ROT0, FLIP_Y, MIRROR_NONE}, "Y"},
                 {{ROT0, ROT90, MIRROR_X}, "X+90"},    {{ROT90, ROT270, MIRROR_Y}, "90Y270"}};
    for (int i = 0; i < 8; ++i) {
        const auto& [turn, name] = CASES[i];
        const Rectangle to =
            box(body.left + 2 + i % 4 * 36, body.top + 2 + i / 4 * 44, ARROW.width, ARROW.height);
        painter.source(ARROW);
        painter.turn(turn);
        painter.clip(turned(FRAME.bounds(), turn.destination, FRAME));
        painter.copy(turned(to, turn.destination, FRAME), {0, 0});
        painter.turn({});
        painter.clip(FRAME.bounds());
        painter.text({to.left, to.bottom + 2}, name, 0xFFD0D8F0);
    }
}

// Draws a sprite without a key, with one key color, and with a key range at the top; at the bottom,
// a picture that is copied only where the destination has the key color.
void color_keys(Painter& painter, const Rectangle& body) {
    constexpr uint32_t KEY = 0xFF00B140;
    painter.rop(ROP_PATTERN);
    painter.mono_brush(0xF078'3C1E'0F87'C3E1, 0xFF30587C, 0xFF203850, {0, 0});
    painter.fill(body);
    painter.rop(ROP_SOURCE);
    painter.source(MILL);
    constexpr uint32_t HIGH_ENDS[] = {0, 0xFFF800F8, 0xFFFF00FF};
    for (int i = 0; i < 3; ++i) {
        painter.set(SRC_COLOR_BG, 0xFFF800F8);
        painter.set(SRC_COLOR_KEY_HIGH, HIGH_ENDS[i]);
        painter.set(PE_TRANSPARENCY, i == 0 ? 0 : i == 1 ? SOURCE_KEY : SOURCE_KEY | DFB_COLOR_KEY);
        painter.stretch(box(body.left + 3 + i * 47, body.top + 2, 44, 44), MILL.bounds());
    }
    const Rectangle window{body.left, body.top + 50, body.right, body.bottom};
    painter.clear(window, 0xFF101010);
    painter.set(PE_TRANSPARENCY, 0);
    painter.text({body.left + 12, body.top + 54}, "KEYED", KEY, 4);
    painter.source(PHOTO);
    painter.set(DEST_COLOR_KEY, KEY);
    painter.set(DEST_COLOR_KEY_HIGH, KEY);
    painter.set(PE_TRANSPARENCY, DESTINATION_KEY);
    painter.copy(window, {150, 100});
}

void porter_duff(Painter& painter, const Rectangle& body) {
    constexpr struct {
        Factor source, destination;
    } RULES[] = {{ZERO, ZERO},     {ONE, ZERO},        {ZERO, ONE},        {ONE, INVERSED},
                 {INVERSED, ONE},  {NORMAL, ZERO},     {ZERO, NORMAL},     {INVERSED, ZERO},
                 {ZERO, INVERSED}, {NORMAL, INVERSED}, {INVERSED, NORMAL}, {INVERSED, INVERSED}};
    const Surface cell = scratch(0, RIGHT_DISC.width, RIGHT_DISC.height);
    for (int i = 0; i < 12; ++i) {
        // The targets of the last row are not premultiplied.
        const bool plain = i >= 8;
        const Layer layers[] = {
            {LEFT_DISC, alpha_modes(ONE, ZERO), plain ? DST_DEMULTIPLY : 0},
            {RIGHT_DISC, alpha_modes(RULES[i].source, RULES[i].destination),
             plain ? DST_PREMULTIPLY | DST_DEMULTIPLY : 0},
        };
        painter.target(cell);
        painter.copy_layers(layers, cell.bounds());

        const Rectangle to =
            box(body.left + 1 + i % 4 * 36, body.top + 1 + i / 4 * 29, cell.width, cell.height);
        painter.target(FRAME);
        checker(painter, to);
        painter.source(cell);
        painter.blend_over();
        painter.set(COLOR_MULTIPLY_MODES, plain ? SRC_PREMULTIPLY : 0);
        painter.copy(to, {0, 0});
        painter.do_not_blend();
    }
}

// Draws a sprite that fades at the top; at the bottom, a picture tinted during the copy, one with a
// sprite in "screen" mode, and one tinted after the copy.
void global_alpha(Painter& painter, const Rectangle& body) {
    checker(painter, box(body.left, body.top, BODY_WIDTH, 44));
    painter.source(BALL);
    painter.blend(ONE, INVERSED, GLOBAL_SRC_ALPHA_SCALED);
    painter.set(COLOR_MULTIPLY_MODES, SRC_GLOBAL_ALPHA);
    for (uint32_t i = 0; i < 5; ++i) {
        painter.set(GLOBAL_SRC_COLOR, (255 - i * 51) << 24);
        painter.copy(box(body.left + int(i) * 26, body.top + 2, BALL.width, BALL.height), {0, 0});
    }
    constexpr uint32_t WARM = 0xFFFF6040, COLD = 0xFF60A0FF;
    const auto cell = [&](int index) { return box(body.left + index * 49, body.top + 46, 46, 42); };
    painter.source(PHOTO);
    painter.blend(ONE, ZERO);
    painter.set(COLOR_MULTIPLY_MODES, SRC_GLOBAL_COLOR);
    painter.set(GLOBAL_SRC_COLOR, WARM);
    painter.copy(cell(0), {62, 72});
    painter.set(COLOR_MULTIPLY_MODES, 0);
    painter.copy(cell(1), {62, 72});
    painter.copy(cell(2), {62, 72});
    painter.blend(ZERO, COLOR);
    painter.clear(cell(2), COLD);
    painter.source(BALL);
    painter.blend(ONE, COLOR_INVERSED);
    painter.copy(box(body.left + 52, body.top + 47, BALL.width, BALL.height), {0, 0});
}

// Draws 8-bit masks, each in a different color.
void glyph_masks(Painter& painter, const Rectangle& body) {
    for (int i = 0; i < BODY_HEIGHT / 4; ++i)
        painter.clear(box(body.left, body.top + i * 4, BODY_WIDTH, 4),
                      mix(0xFF18304C, 0xFF4C2848, i * 12));
    painter.source(LOGO_MASK);
    for (int i = 0; i < 3; ++i) {
        if (i == 0)
            painter.blend(NORMAL, INVERSED, SRC_OWN_ALPHA);
        else
            painter.blend_over();
        painter.set(COLOR_MULTIPLY_MODES, i == 0 ? 0 : SRC_PREMULTIPLY);
        painter.set(GLOBAL_SRC_COLOR, hue(100 + i * 420) | 0xFF303030);
        painter.copy(box(body.left + i * 40, body.top + 24, LOGO_MASK.width, LOGO_MASK.height),
                     {0, 0});
    }
    constexpr int BANDS = 16;
    const int width = WORD_MASK.width / BANDS;
    painter.source(WORD_MASK);
    painter.set(GLOBAL_SRC_COLOR, 0xFF000000);
    painter.copy(box(body.left + 12, body.top + 2, WORD_MASK.width, WORD_MASK.height), {0, 0});
    for (int i = 0; i < BANDS; ++i) {
        painter.set(GLOBAL_SRC_COLOR, mix(0xFFFFF0A0, 0xFFFF8030, i * 16));
        painter.copy(box(body.left + 10 + i * width, body.top, width, WORD_MASK.height),
                     {i * width, 0});
    }
}

namespace {

constexpr Surface TILES =
                      scratch(0, PANE_WIDTH + 2, PANE_HEIGHT + 1, A8R8G8B8, ARGB, Tiling::TILED),
                  ROWS = scratch(0, TILES.width, TILES.height);

// Returns half of a surface's memory as a column of tiles, which every core can read and write.
Surface column(const Surface& tiled, bool second_half = false) {
    return {tiled.memory, second_half ? tiled.second_half : tiled.offset, 16, 4,
            tiled.width * tiled.height / 4};
}

// Returns a tile's rectangle in the column.
Rectangle in_column(const Tile& tile) {
    return box(0, int(tile.number) * 4, 4, 4);
}

// Copies a part of the photo to TILES, tile by tile if the engine has no tiled targets.
void write_tiles(Painter& painter, Pane pane) {
    const Point from = pane_of(pane);
    painter.source(PHOTO);
    if (painter.has(Feature::TILES)) {
        painter.target(TILES);
        painter.copy(TILES.bounds(), from);
        return;
    }
    painter.target(column(TILES));
    for (int y = 0; y < TILES.height; y += 4)
        for (int x = 0; x < TILES.width; x += 4)
            painter.copy(in_column(tile_at(TILES, uint32_t(x / 4), uint32_t(y / 4))),
                         {from.x + x, from.y + y});
}

// Returns a surface from which the core can read the pane at `from`. If the core does not support
// the tiling, first copies the pane to a linear surface in the scratch buffer.
Surface readable(Painter& painter, const Surface& surface, Point from) {
    if (surface.tiling == Tiling::LINEAR || painter.has(Feature::TILES))
        return surface;
    const Surface rows = scratch(0x40000, surface.width, surface.height);
    painter.target(rows);
    for (const bool second_half : {false, true}) {
        painter.source(column(surface, second_half));
        for (int y = from.y & ~3; y < from.y + PANE_HEIGHT; y += 4)
            for (int x = from.x & ~3; x < from.x + PANE_WIDTH; x += 4) {
                const Tile tile = tile_at(surface, uint32_t(x / 4), uint32_t(y / 4));
                const Rectangle place = in_column(tile);
                if (tile.in_second_half == second_half)
                    painter.copy(box(x, y, 4, 4), {place.left, place.top});
            }
    }
    return rows;
}

// Copies SWAPPED to words with swapped bytes, then reads the words as BGRA and converts them back.
Surface write_swapped(Painter& painter) {
    const Surface words = scratch(0x10000, PANE_WIDTH, PANE_HEIGHT),
                  as_bgra = scratch(0x10000, PANE_WIDTH, PANE_HEIGHT, A8R8G8B8, BGRA),
                  narrow = with_swap(scratch(0x20000, PANE_WIDTH, PANE_HEIGHT, R5G6B5), SWAP_WORD);
    painter.source(SWAPPED);
    painter.target(with_swap(words, SWAP_DWORD));
    painter.copy(words.bounds(), PANE);
    painter.source(as_bgra);
    painter.target(narrow);
    painter.copy(narrow.bounds(), {0, 0});
    return narrow;
}

} // namespace

// Draws the photo as a window of six panes: 4 x 4 tiles written by the engine, the same memory read
// as rows, three tilings of 3D cores, and swapped bytes. The blocks of a pane are one draw.
void tiling(Painter& painter, const Rectangle& body) {
    if (painter.has(Feature::SUPER_TILE_ORDER))
        painter.set(GENERAL_CONFIG, FIRST_SUPER_TILES);
    write_tiles(painter, ROWS_PANE);
    const auto pane = [&](Pane index, const Surface& tiles, Point from, const char* name) {
        const Surface surface = readable(painter, tiles, from);
        painter.target(FRAME);
        const Rectangle to =
            box(body.left + index % 3 * 49, body.top + index / 3 * 45, PANE_WIDTH, PANE_HEIGHT);
        std::vector<Rectangle> blocks;
        for (int block = 0; block < 9; ++block)
            blocks.push_back(box(to.left + block % 3 * 16, to.top + block / 3 * 15, 14, 13));
        painter.source(surface);
        painter.copy_shifted(blocks, {from.x - to.left, from.y - to.top});
        painter.tag({to.left, to.bottom - 9}, name);
    };
    pane(ROWS_PANE, ROWS, {0, 0}, "AS ROWS");
    write_tiles(painter, TILES_PANE);
    const Surface swapped = write_swapped(painter);
    pane(TILES_PANE, TILES, {0, 0}, "4X4");
    pane(SUPER_PANE, SUPER_TILES, PANE, "SUPER");
    pane(MULTI_PANE, MULTI_TILES, PANE, "MULTI");
    pane(MULTI_SUPER_PANE, MULTI_SUPER_TILES, PANE, "BOTH");
    pane(SWAPPED_PANE, swapped, {0, 0}, "SWAPPED");
    // Draw SWAPPED directly, too, because two errors in the conversion above could cancel each
    // other.
    painter.source(SWAPPED);
    painter.copy(box(body.left + SWAPPED_PANE % 3 * 49, body.top, 14, 13), PANE);
}

// Copies within the frame; source and destination overlap.
void scrolling(Painter& painter, const Rectangle& body) {
    painter.clip(body);
    painter.clear(body, 0xFF202838);
    painter.source(BALL);
    painter.blend_over();
    painter.clear(box(body.left, body.top, 48, 48), 0x60306090);
    painter.copy(box(body.left + 4, body.top + 4, BALL.width, BALL.height), {0, 0});
    painter.do_not_blend();
    painter.source(ARROW);
    painter.copy(box(body.left, body.bottom - 32, 32, 32), {0, 0});
    painter.copy(box(body.right - 32, body.top, 32, 32), {0, 0});
    painter.source(FRAME);
    const auto drag = [&](Rectangle area, int dx, int dy, int times) {
        for (int i = 0; i < times; ++i) {
            const Point from{area.left, area.top};
            area = box(area.left + dx, area.top + dy, area.width(), area.height());
            painter.copy(area, from);
        }
    };
    drag(box(body.left, body.top, 48, 48), 12, 5, 9);
    drag(box(body.left, body.bottom - 32, 32, 32), 7, 0, 5);
    drag(box(body.right - 32, body.top, 32, 32), -9, 0, 6);
}

} // namespace scene
