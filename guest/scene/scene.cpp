// SPDX-License-Identifier: GPL-2.0-or-later
#include "scene.hpp"
#include "artwork.hpp"
#include "panels.hpp"
#include "surfaces.hpp"

#include <fstream>

namespace scene {

namespace {

constexpr struct {
    const char* label;
    void (*draw)(Painter& painter, const Rectangle& body);
} PANELS[] = {
    {"CLEAR, XOR, 16 ROPS", raster_ops},
    {"BRUSHES", brushes},
    {"LINES", lines},
    {"DITHER, SWIZZLE", dithering},
    {"ROTATE, MIRROR", orientations},
    {"COLOR KEYS", color_keys},
    {"PORTER-DUFF", porter_duff},
    {"GLOBAL ALPHA, TINT", global_alpha},
    {"STRETCH", stretching},
    {"FILTER UP", filter_up},
    {"FILTER DOWN", filter_down},
    {"YUV", video},
    {"PALETTES", palettes},
    {"A8 MASKS", glyph_masks},
    {"TILES, BYTE ORDER", tiling},
    {"OVERLAPPING COPIES", scrolling},
};

constexpr int MARGIN = 8, TITLE_HEIGHT = 32;
constexpr int PANEL_WIDTH = 150, PANEL_HEIGHT = 104;
constexpr uint32_t TITLE_COLOR = 0xFFD0D8F0;
constexpr uint32_t SHADE = 0xB0060A14; // premultiplied

void background(Painter& painter) {
    painter.filter_kernel(1);
    painter.filter(PHOTO, PHOTO.bounds(), scratch(0, PHOTO.width, FRAME.height), FRAME,
                   FRAME.bounds());
}

// Draws text at the far end of the widest possible surface, then copies it from there.
void far_text(Painter& painter, Point at, std::string_view text) {
    constexpr int MOST = 32767; // coordinates are signed 16-bit numbers
    constexpr Surface WIDE = scratch(0, MOST, LETTER_HEIGHT);
    const int width = LETTER_PITCH * int(text.size());
    painter.target(WIDE);
    painter.clear(box(MOST - width, 0, width, LETTER_HEIGHT), 0);
    painter.text({MOST - width, 0}, text, TITLE_COLOR);
    painter.target(FRAME);
    painter.source(WIDE);
    painter.blend_over();
    painter.copy(box(at.x, at.y, width, LETTER_HEIGHT), {MOST - width, 0});
    painter.do_not_blend();
}

void title(Painter& painter) {
    painter.target(FRAME);
    for (int i = 0; i < 80; ++i)
        painter.clear(box(i * 8, 0, 8, TITLE_HEIGHT - MARGIN), mix(0xFF102040, 0xFF803060, i * 3));
    painter.text({MARGIN, 4}, "PIXMILL", 0xFFFFE8B0, 2);
    painter.text({MARGIN + 100, 8}, "VIVANTE GC320, 640 X 480,", TITLE_COLOR);
    far_text(painter, {MARGIN + 256, 8}, "ALL BY ITS 2D ENGINE");
}

void panel(Painter& painter, const Rectangle& area, const char* label) {
    painter.target(FRAME);
    painter.blend_over();
    painter.clear(area, SHADE);
    painter.do_not_blend();
    painter.rop(ROP_PATTERN);
    painter.brush(0xFF8898B8);
    painter.outline(area);
    painter.text({area.left + 4, area.top + 3}, label, 0xFFFFFFFF);
}

} // namespace

void draw(Sink& sink) {
    {
        Painter painter(sink);
        background(painter);
        title(painter);
    }
    for (int i = 0; i < int(std::size(PANELS)); ++i) {
        Painter painter(sink);
        const Rectangle area =
            box(MARGIN + i % 4 * (PANEL_WIDTH + MARGIN),
                TITLE_HEIGHT + i / 4 * (PANEL_HEIGHT + MARGIN), PANEL_WIDTH, PANEL_HEIGHT);
        panel(painter, area, PANELS[i].label);
        PANELS[i].draw(painter, box(area.left + 3, area.top + 13, BODY_WIDTH, BODY_HEIGHT));
    }
}

bool write_bmp(const std::string& path, std::span<const uint32_t> words) {
    constexpr uint32_t HEADER = 54;
    std::string bytes(HEADER, '\0');
    const auto put = [&](uint32_t offset, uint32_t value, int count) {
        for (int i = 0; i < count; ++i)
            bytes[offset + i] = char(value >> 8 * i);
    };
    put(0, 'B' | 'M' << 8, 2);
    put(2, HEADER + words.size_bytes(), 4);
    put(10, HEADER, 4);
    put(14, 40, 4); // BITMAPINFOHEADER
    put(18, WIDTH, 4);
    put(22, HEIGHT, 4);
    put(26, 1, 2);
    put(28, 32, 2);
    bytes.append(reinterpret_cast<const char*>(words.data()), words.size_bytes());
    std::ofstream file(path, std::ios::binary);
    file << bytes;
    file.close();
    return file.good();
}

} // namespace scene
