// SPDX-License-Identifier: GPL-2.0-or-later
// Panels that fill, draw lines and convert formats.
#include "artwork.hpp"
#include "panels.hpp"
#include "surfaces.hpp"

namespace scene {

namespace {

constexpr uint32_t DITHER_LOW = 0x6E4CA280, DITHER_HIGH = 0x5D7F91B3; // as in xf86-video-armada

constexpr uint64_t HATCH = 0x8142241818244281, DOTS = 0x0010387C38100000,
                   WEAVE = 0x8E1F3F7EFDFB7188;

} // namespace

// Draws boxes with XOR over clears at the top, and the sixteen raster operations of source and
// destination at the bottom.
void raster_ops(Painter& painter, const Rectangle& body) {
    for (int i = 0; i < 36; ++i)
        painter.clear(box(body.left + i * 4, body.top, 4, 44), mix(hue(i * 43), 0xFF000000, 96));
    for (int i = 0; i < 5; ++i) {
        if (i % 2)
            painter.rop(ROP2_PATTERN, ROP2_XOR);
        else
            painter.rop(ROP_XOR_PATTERN);
        painter.brush(i % 2 ? 0x00FF8000 : 0x00FFFFFF);
        painter.fill(box(body.left + 6 + i * 26, body.top + 2 + i % 2 * 14, 30, 26));
    }
    painter.source(ARROW);
    for (int i = 0; i < 16; ++i) {
        const Rectangle cell = box(body.left + i % 8 * 18, body.top + 46 + i / 8 * 21, 17, 20);
        painter.clear(cell, 0xFF182838);
        painter.clear({cell.left + 5, cell.top + 5, cell.right - 5, cell.bottom - 5}, 0xFFE8B858);
        if (i < 8)
            painter.rop(uint8_t(i * 0x11));
        else
            painter.rop(ROP2_SOURCE, uint8_t(i));
        painter.copy(cell, {3, 3});
    }
}

void brushes(Painter& painter, const Rectangle& body) {
    const auto cell = [&](int index) {
        return box(body.left + index % 3 * 49, body.top + index / 3 * 45, 46, 43);
    };
    const Point origin{body.left & 7, body.top & 7};
    painter.rop(ROP_PATTERN);
    painter.mono_brush(HATCH, 0xFFF0F0F0, 0xFF2050A0, origin);
    painter.fill(cell(0));
    painter.mono_brush(WEAVE, 0xFF30A890, 0xFF103028, {3, 5});
    painter.fill(cell(1));
    painter.color_brush(Memory::BRUSH, BRUSH_8888, A8R8G8B8, origin);
    painter.fill(cell(3));
    painter.color_brush(Memory::BRUSH, BRUSH_565, R5G6B5, {0, 3});
    painter.fill(cell(4));

    painter.source(PHOTO);
    painter.rop(ROP_SOURCE);
    painter.copy(cell(2), {70, 70});
    painter.copy(cell(5), {180, 85});
    painter.rop(ROP_PATTERN, ROP_DESTINATION);
    painter.set(PE_TRANSPARENCY, PATTERN_MASK);
    painter.set(PATTERN_MASK_LOW, uint32_t(DOTS));
    painter.set(PATTERN_MASK_HIGH, uint32_t(DOTS >> 32));
    painter.brush(0xFFFFD040);
    painter.fill(cell(2));
    painter.set(PE_TRANSPARENCY, 0);
    painter.rop(ROP3, ROP_CHOICE);
    painter.mono_brush(HATCH, ~0U, 0, origin);
    painter.copy(cell(5), {62, 72});
}

// Draws two envelopes of straight lines, a fan, and lines drawn with a brush.
void lines(Painter& painter, const Rectangle& body) {
    constexpr int COUNT = 30;
    painter.clip(body);
    painter.clear(body, 0xFF0C1020);
    painter.rop(ROP_PATTERN);
    for (int i = 0; i <= COUNT; ++i) {
        const int x = i * (BODY_WIDTH - 1) / COUNT, y = i * (BODY_HEIGHT - 1) / COUNT;
        painter.brush(hue(i * 24));
        painter.line({body.left, body.top + y}, {body.left + x, body.bottom - 1});
        painter.brush(hue(768 + i * 24));
        painter.line({body.right - 1, body.bottom - 1 - y}, {body.right - 1 - x, body.top});
    }
    const Point centre{body.left + BODY_WIDTH / 2, body.top + BODY_HEIGHT / 2};
    std::vector<Rectangle> rays;
    for (int angle = 0; angle < 256; angle += 8)
        rays.push_back({centre.x + wave(angle + 64) / 16, centre.y + wave(angle) / 16,
                        centre.x + wave(angle + 64) / 6, centre.y + wave(angle) / 6});
    painter.brush(0xFFFFFFFF);
    painter.lines(rays);
    painter.mono_brush(0x0F0F0F0F0F0F0F0F, 0xFFFFE060, 0xFF604000, {0, 0});
    painter.outline(body);
}

// Converts a ramp to 16-bit formats and back, without dithering on the left and with it on the
// right. The ramp is translucent, so one format of each conversion has no alpha: that of the ramp
// on the left, the 16-bit format on the right.
void dithering(Painter& painter, const Rectangle& body) {
    constexpr struct {
        Format format;
        Swizzle swizzle;
        Format opaque;
        const char* name;
    } ROWS[] = {{R5G6B5, ABGR, R5G6B5, "565"},
                {A1R5G5B5, RGBA, X1R5G5B5, "1555"},
                {A4R4G4B4, BGRA, X4R4G4B4, "4444"}};
    constexpr int WIDTH = 71, HEIGHT = 28, PITCH = 30;
    const auto ramp_as = [&](Format format) { return scratch(0x10000, WIDTH, HEIGHT, format); };
    painter.target(ramp_as(A8R8G8B8));
    for (int i = 0; i < WIDTH; ++i)
        painter.clear(box(i, 0, 1, HEIGHT), mix(0x0020286C, 0x00F09050, i * 256 / WIDTH));
    for (int i = 0; i < 6; ++i) {
        const auto& row = ROWS[i / 2];
        // Do not swizzle formats without alpha, which some cores do wrongly (DE_ENHANCEMENTS1).
        const Surface narrow = i % 2 ? scratch(0, WIDTH, HEIGHT, row.opaque)
                                     : scratch(0, WIDTH, HEIGHT, row.format, row.swizzle);
        const Surface ramp = ramp_as(i % 2 ? A8R8G8B8 : X8R8G8B8);
        painter.set(PE_DITHER_LOW, i % 2 ? DITHER_LOW : ~0U);
        painter.set(PE_DITHER_HIGH, i % 2 ? DITHER_HIGH : ~0U);
        painter.rop(ROP_SOURCE);
        painter.source(ramp);
        painter.target(narrow);
        painter.copy(narrow.bounds(), {0, 0});
        painter.source(narrow);
        painter.target(FRAME);
        const int x = body.left + i % 2 * (WIDTH + 2), y = body.top + i / 2 * PITCH;
        painter.copy(box(x, y, WIDTH, HEIGHT), {0, 0});
        painter.tag({x, y}, i % 2 ? "DITHERED" : row.name);
    }
}

} // namespace scene
