// SPDX-License-Identifier: GPL-2.0-or-later
// Panels of copies: turned, keyed, blended, tiled, overlapping.
#include "artwork.hpp"
#include "panels.hpp"
#include "surfaces.hpp"

namespace scene {

namespace {

constexpr uint64_t CHECKER = 0x0F0F0F0FF0F0F0F0;

void checker(Painter& painter, const Rectangle& area) {
    painter.rop(ROP_PATTERN);
    painter.mono_brush(CHECKER, 0xFFB8B8B8, 0xFF787878, {0, 0});
    painter.fill(area);
    painter.rop(ROP_SOURCE);
}

// Where the engine finds an area of a turned surface: the rectangle in turned coordinates.
Rectangle turned(const Rectangle& area, Rotation rotation, const Surface& surface) {
    const int width = surface.width, height = surface.height;
    switch (rotation) {
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
                 {{ROT0, ROT0, MIRROR_X}, "X"},        {{ROT0, ROT0, MIRROR_Y}, "Y"},
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

// Above: a sprite without key, with one colour as key, with a range. Below: a picture where the
// destination has the key colour.
void colour_keys(Painter& painter, const Rectangle& body) {
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
        painter.target(cell);
        painter.source(LEFT_DISC);
        painter.copy(cell.bounds(), {0, 0});
        painter.source(RIGHT_DISC);
        painter.blend(RULES[i].source, RULES[i].destination);
        painter.copy(cell.bounds(), {0, 0});
        painter.do_not_blend();

        const Rectangle to =
            box(body.left + 1 + i % 4 * 36, body.top + 1 + i / 4 * 29, cell.width, cell.height);
        painter.target(FRAME);
        checker(painter, to);
        painter.source(cell);
        painter.blend_over();
        painter.copy(to, {0, 0});
        painter.do_not_blend();
    }
}

// Above: a sprite that fades. Below: a picture that is tinted while it is copied, one with light
// added, one that is tinted afterwards.
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
    painter.blend(ONE, ONE);
    painter.copy(box(body.left + 52, body.top + 47, BALL.width, BALL.height), {0, 0});
}

// Masks of 8 bits, each with a colour of its own.
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

// A picture in tiles of 4 x 4: read as it was written, and as if its memory were rows. Its blocks
// are one draw.
void tiling(Painter& painter, const Rectangle& body) {
    static constexpr Surface TILES = scratch(0, 64, 64, A8R8G8B8, ARGB, true);
    static constexpr Surface ROWS = scratch(0, 64, 64);
    painter.source(PHOTO);
    painter.target(TILES);
    painter.copy(TILES.bounds(), {54, 66});
    painter.target(FRAME);
    constexpr struct {
        const Surface& surface;
        const char* name;
    } VIEWS[] = {{TILES, "AS TILES"}, {ROWS, "AS ROWS"}};
    for (int i = 0; i < 2; ++i) {
        const Rectangle to = box(body.left + 5 + i * 70, body.top + 8, 64, 64);
        std::vector<Rectangle> blocks;
        for (int block = 0; block < 16; ++block)
            blocks.push_back(box(to.left + block % 4 * 16, to.top + block / 4 * 16, 15, 15));
        painter.source(VIEWS[i].surface);
        painter.copy_shifted(blocks, {-to.left, -to.top});
        painter.text({to.left, to.bottom + 4}, VIEWS[i].name, 0xFFD0D8F0);
    }
}

// Copies within the picture whose source and destination overlap.
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
