// SPDX-License-Identifier: GPL-2.0-or-later
#include "artwork.hpp"
#include "font.hpp"
#include "surfaces.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace scene {

namespace {

// ---- canvases ------------------------------------------------------------------------------

// Accesses the bytes of a buffer as pixels of a surface.
template<typename Pixel>
class Canvas {
public:
    Canvas(std::span<uint8_t> bytes, const Surface& surface)
        : m_bytes(bytes.subspan(surface.offset)), m_stride(surface.stride), m_width(surface.width),
          m_height(surface.height) {}

    void put(int x, int y, Pixel value) {
        std::memcpy(&m_bytes[y * m_stride + x * sizeof value], &value, sizeof value);
    }

    template<typename Function>
    void each(Function function) {
        for (int y = 0; y < m_height; ++y)
            for (int x = 0; x < m_width; ++x)
                put(x, y, function(x, y));
    }

private:
    std::span<uint8_t> m_bytes;
    uint32_t m_stride;
    int m_width, m_height;
};

using Words = Canvas<uint32_t>;
using Bytes = Canvas<uint8_t>;

int red(uint32_t color) {
    return color >> 16 & 0xFF;
}

int green(uint32_t color) {
    return color >> 8 & 0xFF;
}

int blue(uint32_t color) {
    return color & 0xFF;
}

uint32_t opaque(int r, int g, int b) {
    const auto byte = [](int value) { return uint32_t(std::clamp(value, 0, 255)); };
    return 0xFF000000 | byte(r) << 16 | byte(g) << 8 | byte(b);
}

// Premultiplies a color by an alpha of 0 to 255.
uint32_t premultiplied(uint32_t color, int alpha) {
    return uint32_t(alpha) << 24 | (opaque(red(color) * alpha / 255, green(color) * alpha / 255,
                                           blue(color) * alpha / 255) &
                                    0xFFFFFF);
}

// Returns a shape's coverage of a pixel, 0 to 255. The arguments of inside(x, y) are in sixteenths
// of a pixel.
template<typename Shape>
int coverage(int x, int y, Shape inside) {
    int hits = 0;
    for (int dy = 2; dy < 16; dy += 4)
        for (int dx = 2; dx < 16; dx += 4)
            hits += inside(x * 16 + dx, y * 16 + dy);
    return hits * 255 / 16;
}

int square(int value) {
    return value * value;
}

// ---- the photo: a mill by a lake at dusk ---------------------------------------------------

// The photo is computed at 640 x 480; each of its pixels is the mean of 2 x 2 points.
constexpr int HORIZON = 300;

int ridge(int x, int height, int phase) {
    return HORIZON - height -
           (wave(x / 3 + phase) * 26 + wave(x * 5 / 7 + phase * 3) * 13 + wave(x * 2 + phase) * 4) /
               128;
}

uint32_t sky(int x, int y) {
    const uint32_t high = mix(0xFF101840, 0xFF5A3F86, y * 256 / 170);
    const uint32_t low = mix(0xFF5A3F86, 0xFFFFB060, (y - 170) * 256 / (HORIZON - 170));
    const uint32_t plain = y < 170 ? high : low;
    const int distance = square(x - 450) + square(y - 215);
    if (distance < square(34))
        return mix(0xFFFFFFE8, 0xFFFFE8A0, distance * 256 / square(34));
    return mix(0xFFFFD890, plain, std::min(256, 90 + (distance - square(34)) / 120));
}

// True if the point is in the blades, a slightly rotated cross with sails on one side of each arm.
bool in_blades(int x, int y) {
    const int along = (x * 12 + y * 5) / 13, across = (y * 12 - x * 5) / 13;
    const auto arm = [](int a, int b) {
        const bool beam = std::abs(b) <= 2 && std::abs(a) <= 104;
        const int side = a > 0 ? b : -b;
        const bool sail = std::abs(a) > 22 && std::abs(a) < 104 && side > 0 && side < 20;
        return beam || (sail && a % 14 != 0 && side % 10 != 0);
    };
    return arm(along, across) || arm(across, -along);
}

constexpr int MILL_X = 170, HUB_Y = 190;

bool in_mill(int x, int y) {
    const int from_axis = std::abs(x - MILL_X);
    const bool tower = y >= HUB_Y - 4 && y < 366 && from_axis <= 18 + (y - HUB_Y) / 9;
    const bool cap = y < HUB_Y && square(x - MILL_X) + square(y - HUB_Y) <= square(20);
    return tower || cap;
}

uint32_t land(int x, int y) {
    const int bank =
        352 + (wave(x / 2 + 90) * 10 + wave(x * 3) * 2) / 128 - (x < 300 ? 0 : (x - 300) / 4);
    if (in_blades(x - MILL_X, y - HUB_Y))
        return 0xFFF0E6D2;
    if (in_mill(x, y)) {
        if (std::abs(x - MILL_X) < 5 && (y / 24) % 2 == 0 && y > 230 && y < 340)
            return 0xFFFFE080;
        return mix(0xFF8A4A3C, 0xFF3A2030, (x - MILL_X + 40) * 256 / 80);
    }
    if (y >= bank && x < 520 - (y - bank) * 2)
        return mix(0xFF3E6A2E, 0xFF10240F, std::min(256, (y - bank) * 2 + (x * 7 + y * 13) % 23));
    return 0;
}

uint32_t distance_view(int x, int y) {
    if (y >= ridge(x, 18, 150))
        return mix(0xFF3A2B50, 0xFF54405C, (HORIZON - y) * 6);
    if (y >= ridge(x, 50, 20))
        return mix(0xFF6C4C78, 0xFF8A6088, (HORIZON - y) * 3);
    return sky(x, y);
}

uint32_t view(int x, int y) {
    if (const uint32_t near = land(x, y))
        return near;
    if (y < HORIZON)
        return distance_view(x, y);
    const int depth = y - HORIZON;
    const int ripple = wave(depth * depth / 24 + x / 5) * (2 + depth / 12) / 128;
    const uint32_t mirrored = distance_view(std::clamp(x + ripple, 0, 639), HORIZON - 1 - depth);
    return mix(mirrored, 0xFF0C1430, 60 + depth / 2);
}

uint32_t photo(int x, int y) {
    int sum[3]{};
    for (int i = 0; i < 4; ++i) {
        const uint32_t color = view(x * 2 + i % 2, y * 2 + i / 2);
        sum[0] += red(color);
        sum[1] += green(color);
        sum[2] += blue(color);
    }
    return opaque(sum[0] / 4, sum[1] / 4, sum[2] / 4);
}

// ---- sprites -------------------------------------------------------------------------------

// Draws an arrow to the top left on a tile with four different corners, so that all orientations
// differ.
uint32_t arrow(int x, int y) {
    const uint32_t top = mix(0xFFE04848, 0xFFE0C040, x * 8),
                   bottom = mix(0xFF3868D8, 0xFF38B070, x * 8);
    const bool edge = x == 0 || y == 0 || x == 31 || y == 31;
    const bool head = x >= 5 && y >= 5 && x + y < 25;
    const bool shaft = x >= 8 && y >= 8 && std::abs(x - y) < 4 && x < 27;
    const bool tail = x >= 20 && x < 27 && y >= 23 && y < 27;
    return edge || head || shaft || tail ? 0xFFFFFFFF : mix(top, bottom, y * 8);
}

constexpr const char* MILL_PICTURE[] = {
    "mm............mm", "mwm..........mwm", "mwwm........mwwm", ".mwwm......mwwm.",
    "..mwwm.mm.mwwm..", "...mwwmrrmwwm...", "....mwrrrrwm....", ".....rryyrr.....",
    ".....rryyrr.....", "....mwrrrrwm....", "...mwwmbbmwwm...", "..mwwmbbbbmwwm..",
    ".mwwm.bddb.mwwm.", "mwwm.bbddbb.mwwm", "mwm..bbddbb..mwm", "mm...bbddbb...mm",
};

// Draws a mill on the key colors, magenta in eight shades.
uint32_t mill(int x, int y) {
    switch (MILL_PICTURE[y][x]) {
    case 'm':
        return 0xFF303848;
    case 'w':
        return 0xFFF4F0E0;
    case 'r':
        return 0xFFC83030;
    case 'y':
        return 0xFFFFD840;
    case 'b':
        return 0xFFA87048;
    case 'd':
        return 0xFF503020;
    default:
        return 0xFFF800F8 + ((x + y) & 7) * 0x00010001;
    }
}

template<int CENTRE_X>
int disc_coverage(int x, int y) {
    return coverage(x, y, [](int px, int py) {
        return square(px - CENTRE_X * 16) + square(py - 13 * 16) <= square(11 * 16);
    });
}

uint32_t ball(int x, int y) {
    const int alpha = coverage(x, y, [](int px, int py) {
        return square(px - 320) + square(py - 320) <= square(19 * 16);
    });
    const int light = square(x - 13) + square(y - 12);
    return premultiplied(mix(0xFFFFFFFF, 0xFF1858C8, std::min(256, light)), alpha);
}

void paint_sprites(std::span<uint8_t> bytes) {
    Words(bytes, ARROW).each(arrow);
    Words(bytes, MILL).each(mill);
    Words(bytes, LEFT_DISC).each([](int x, int y) {
        return premultiplied(0xFFF8A020, disc_coverage<12>(x, y));
    });
    Words(bytes, RIGHT_DISC).each([](int x, int y) {
        return premultiplied(0xFF2080F0, disc_coverage<22>(x, y));
    });
    Words(bytes, BALL).each(ball);
}

// ---- letters and masks ---------------------------------------------------------------------

const Letter* letter_of(char name) {
    const auto* found = std::ranges::find(LETTERS, name, &Letter::name);
    return found == std::end(LETTERS) ? nullptr : found;
}

bool letter_bit(char name, int x, int y) {
    const Letter* letter = letter_of(name);
    return letter && x >= 0 && x < 5 && y >= 0 && y < 7 && letter->rows[y] >> (4 - x) & 1;
}

void paint_font(std::span<uint8_t> bytes) {
    for (const Letter& letter : LETTERS) {
        const Point corner = glyph_of(letter.name);
        for (int y = 0; y < 7; ++y)
            bytes[(corner.y + y) * FONT.stride + corner.x / 8] = letter.rows[y] << 3;
    }
}

// Returns the mask of a word at three times the font's size, with soft edges.
int word_mask(int x, int y) {
    constexpr char WORD[] = "PIXMILL";
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const int px = x + dx, py = y + dy - 4;
            const int index = px / 18;
            if (px >= 0 && py >= 0 && index < 7)
                sum += letter_bit(WORD[index], px % 18 / 3, py / 3);
        }
    return sum * 255 / 9;
}

int logo_mask(int x, int y) {
    return coverage(x, y, [](int px, int py) {
        const int dx = px - 32 * 16, dy = py - 26 * 16;
        return in_blades(dx * 4 / 16, dy * 4 / 16) ||
               (dy > 0 && std::abs(dx) < 56 + dy / 6 && dy < 36 * 16);
    });
}

void paint_masks(std::span<uint8_t> bytes) {
    Bytes(bytes, WORD_MASK).each(word_mask);
    Bytes(bytes, LOGO_MASK).each(logo_mask);
}

int plasma(int x, int y) {
    return (wave(x * 2) + wave(y * 3 + 64) + wave((x + y) * 2) +
            wave((square(x - 72) + square(y - 44)) / 16)) /
           2;
}

// Draws a zone plate, rings that get finer toward the outside.
uint32_t zone(int x, int y) {
    const int light = 128 + wave((square(x - 72) + square(y - 88)) * 10 / 13 + 64) * 127 / 128;
    return opaque(light, light, light * 7 / 8 + 24);
}

// ---- video: the photo over color bars -----------------------------------------------------

uint32_t video(int x, int y) {
    constexpr uint32_t BARS[] = {0xFFFFFFFF, 0xFFFFFF00, 0xFF00FFFF, 0xFF00FF00,
                                 0xFFFF00FF, 0xFFFF0000, 0xFF0000FF, 0xFF000000};
    return y < 28 ? photo(40 + x * 3, 40 + y * 5) : BARS[x / 8];
}

struct Yuv {
    int y, u, v;
};

// Converts to YUV by ITU-R BT.601, studio swing.
Yuv yuv_of(uint32_t color) {
    const int r = red(color), g = green(color), b = blue(color);
    return {(66 * r + 129 * g + 25 * b + 128) / 256 + 16,
            (-38 * r - 74 * g + 112 * b + 128 * 257) / 256,
            (112 * r - 94 * g - 18 * b + 128 * 257) / 256};
}

// YUV values that the engine converts exactly to white, yellow, cyan, green, magenta, red, blue and
// black.
constexpr Yuv BARS_BY_601[] = {{235, 128, 128}, {210, 16, 146}, {170, 166, 16}, {145, 54, 34},
                               {106, 202, 222}, {81, 90, 240},  {41, 240, 110}, {16, 128, 128}},
              BARS_BY_709[] = {{235, 128, 128}, {220, 16, 138}, {188, 154, 16}, {173, 42, 26},
                               {78, 214, 230},  {63, 102, 240}, {32, 240, 117}, {16, 128, 128}};

void paint_bars(std::span<uint8_t> bytes, const Surface& surface, const Yuv* bars) {
    Canvas<uint16_t>(bytes, surface).each([&](int x, int) {
        const Yuv& bar = bars[x / 8];
        return uint16_t(bar.y | (x & 1 ? bar.v : bar.u) << 8);
    });
}

void paint_video(std::span<uint8_t> bytes) {
    paint_bars(bytes, BARS_601, BARS_BY_601);
    paint_bars(bytes, BARS_709, BARS_BY_709);
    for (int y = 0; y < VIDEO_HEIGHT; ++y)
        for (int x = 0; x < VIDEO_WIDTH; ++x) {
            const Yuv here = yuv_of(video(x, y)), even = yuv_of(video(x & ~1, y & ~1));
            const auto put = [&](uint32_t offset, uint32_t stride, int column, int row, int value) {
                bytes[offset + row * stride + column] = uint8_t(value);
            };
            const int chroma = x & 1 ? even.v : even.u;
            put(VIDEO_NV21.offset, VIDEO_NV21.stride, x, y, here.y);
            put(VIDEO_NV21.u.offset, VIDEO_NV21.u.stride, x ^ 1, y / 2, chroma);
            put(VIDEO_NV61.offset, VIDEO_NV61.stride, x, y, here.y);
            put(VIDEO_NV61.u.offset, VIDEO_NV61.u.stride, x ^ 1, y, chroma);
            put(VIDEO_YV12.offset, VIDEO_YV12.stride, x, y, here.y);
            put(VIDEO_YV12.u.offset, VIDEO_YV12.u.stride, x / 2, y / 2, even.u);
            put(VIDEO_YV12.v.offset, VIDEO_YV12.v.stride, x / 2, y / 2, even.v);
            put(VIDEO_YUY2.offset, VIDEO_YUY2.stride, x * 2, y, here.y);
            put(VIDEO_YUY2.offset, VIDEO_YUY2.stride, x * 2 + 1, y, chroma);
            put(VIDEO_UYVY.offset, VIDEO_UYVY.stride, x * 2, y, chroma);
            put(VIDEO_UYVY.offset, VIDEO_UYVY.stride, x * 2 + 1, y, here.y);
        }
}

// ---- tiles ---------------------------------------------------------------------------------

uint32_t pane_color(Pane pane, int x, int y) {
    const Point corner = pane_of(pane);
    return photo(corner.x + x, corner.y + y);
}

void paint_tiles(std::span<uint8_t> bytes, const Surface& surface, Pane pane) {
    for (int row = 0; row < PANE_HEIGHT; ++row)
        for (int column = 0; column < PANE_WIDTH; ++column) {
            const int x = PANE.x + column, y = PANE.y + row;
            const Tile tile = tile_at(surface, uint32_t(x / 4), uint32_t(y / 4));
            const uint32_t half = tile.in_second_half ? surface.second_half : surface.offset;
            const uint32_t color = pane_color(pane, column, row);
            std::memcpy(&bytes[half + (tile.number * 16 + uint32_t(y % 4 * 4 + x % 4)) * 4], &color,
                        sizeof color);
        }
}

void paint_swapped(std::span<uint8_t> bytes) {
    Canvas<uint16_t> canvas(bytes, SWAPPED);
    for (int y = 0; y < PANE_HEIGHT; ++y)
        for (int x = 0; x < PANE_WIDTH; ++x) {
            const uint32_t color = pane_color(SWAPPED_PANE, x, y);
            const int word = red(color) >> 3 << 11 | green(color) >> 2 << 5 | blue(color) >> 3;
            canvas.put(PANE.x + x, PANE.y + y, uint16_t(word >> 8 | word << 8));
        }
}

void paint_panes(std::span<uint8_t> bytes) {
    paint_tiles(bytes, SUPER_TILES, SUPER_PANE);
    paint_tiles(bytes, MULTI_TILES, MULTI_PANE);
    paint_tiles(bytes, MULTI_SUPER_TILES, MULTI_SUPER_PANE);
    paint_swapped(bytes);
}

// ---- brushes -------------------------------------------------------------------------------

void paint_brushes(std::span<uint8_t> bytes) {
    constexpr Surface WIDE{Memory::BRUSH, BRUSH_8888, 32, 8, 8},
        NARROW{Memory::BRUSH, BRUSH_565, 16, 8, 8, R5G6B5};
    Words(bytes, WIDE).each([](int x, int y) {
        const int distance = square(2 * x - 7) + square(2 * y - 7);
        return mix(0xFFFFE070, 0xFF7028A0, std::min(256, distance * 4));
    });
    Canvas<uint16_t>(bytes, NARROW).each([](int x, int y) {
        const bool brick = y % 4 != 3 && (x + (y / 4) * 4) % 8 != 7;
        return uint16_t(brick ? 0xB2A6 - (y % 4) * 0x1020 : 0xD69A);
    });
}

void paint_nothing(std::span<uint8_t>) {}

template<const Surface& SURFACE, auto FUNCTION, typename Surfaces = Words>
void paint_with(std::span<uint8_t> bytes) {
    Surfaces(bytes, SURFACE).each(FUNCTION);
}

constexpr size_t whole(const Surface& surface) {
    return surface.stride * size_t(surface.height);
}

struct Content {
    size_t bytes;
    void (*paint)(std::span<uint8_t>);
};

// Indexed by Memory.
constexpr Content CONTENTS[MEMORY_COUNT] = {
    {whole(FRAME), paint_nothing},
    {whole(PHOTO), paint_with<PHOTO, photo>},
    {whole(ZONE), paint_with<ZONE, zone>},
    {SPRITES_BYTES, paint_sprites},
    {whole(FONT), paint_font},
    {LOGO_MASK.offset + whole(LOGO_MASK), paint_masks},
    {whole(PLASMA), paint_with<PLASMA, plasma, Bytes>},
    {VIDEO_BYTES, paint_video},
    {0x1000, paint_brushes},
    {TILES_BYTES, paint_panes},
    {SCRATCH_BYTES, paint_nothing},
};

} // namespace

size_t bytes_of(Memory memory) {
    return CONTENTS[size_t(memory)].bytes;
}

void paint(Memory memory, std::span<uint8_t> bytes) {
    std::ranges::fill(bytes, 0);
    CONTENTS[size_t(memory)].paint(bytes);
}

Point glyph_of(char letter) {
    const int index = letter - ' ';
    return {index % 16 * 8, index / 16 * 8};
}

uint32_t mix(uint32_t a, uint32_t b, int share) {
    share = std::clamp(share, 0, 256);
    uint32_t result = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const int from = a >> shift & 0xFF, to = b >> shift & 0xFF;
        result |= uint32_t(from + (to - from) * share / 256) << shift;
    }
    return result;
}

uint32_t hue(int position) {
    constexpr uint32_t CORNERS[] = {0xFFFF0000, 0xFFFFFF00, 0xFF00FF00, 0xFF00FFFF,
                                    0xFF0000FF, 0xFFFF00FF, 0xFFFF0000};
    position = (position % 1536 + 1536) % 1536;
    return mix(CORNERS[position / 256], CORNERS[position / 256 + 1], position % 256);
}

int wave(int angle) {
    const int half = angle & 127;
    const int height = half * (128 - half) / 32;
    return angle & 128 ? -height : height;
}

} // namespace scene
