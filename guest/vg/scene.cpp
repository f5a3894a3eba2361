// SPDX-License-Identifier: GPL-2.0-or-later
// An animated scene of paths, gradients, an image, and text drawn as paths.
//
// It is computed with only + - * /, so that the firmware and the reference produce the same words.
#include "canvas.hpp"

#include <array>
#include <cstddef>

namespace vg {

namespace {

constexpr float CENTER = SIDE / 2;
constexpr Ramp WARM{SCENE_AT}, COLD{SCENE_AT + 0x400};
constexpr uint32_t TILE_AT = SCENE_AT + 0x1000, TILE_SIDE = 32;

// ---- Numbers ---------------------------------------------------------------------------------

// The angle is in turns. Approximates the sine with a parabola through its zeros and peaks,
// corrected with the parabola's square.
float sine(float turn) {
    float t = turn - float(int32_t(turn));
    if (t < 0)
        t += 1;
    const bool lower = t >= 0.5f;
    const float half = lower ? t - 0.5f : t;
    const float y = 16 * half * (0.5f - half);
    const float s = 0.225f * (y * y - y) + y;
    return lower ? -s : s;
}

float cosine(float turn) {
    return sine(turn + 0.25f);
}

// ---- Letters ---------------------------------------------------------------------------------

// Strokes on a grid 4 wide and 6 high. Each point is two digits, x and y. Spaces separate strokes.
struct Letter {
    char letter;
    const char* strokes;
};

constexpr Letter LETTERS[] = {
    {'C', "411030010536164645"}, {'G', "41301001051636454323"}, {'V', "002640"}, {'L', "000646"},
    {'M', "0600234046"},         {'P', "0600304142330303"},     {'I', "2026"},   {'X', "0046 4006"},
    {'3', "0040224344364606"},   {'5', "400003334445360605"},
};

const char* strokes_of(char letter) {
    for (const Letter& l : LETTERS) {
        if (l.letter == letter)
            return l.strokes;
    }
    return "";
}

} // namespace

// ---- Memory ----------------------------------------------------------------------------------

Scene::Scene(Machine& machine) : machine_(machine) {
    make_ramp(WARM, 0xFFC040, 0x802010);
    make_ramp(COLD, 0x40E0FF, 0x102080);
    make_tile();
}

void Scene::put_word(uint32_t offset, uint32_t word) {
    for (int i = 0; i < 4; ++i)
        machine_.memory()[offset + uint32_t(i)] = uint8_t(word >> 8 * i);
}

// Colors are R8G8B8.
void Scene::make_ramp(Ramp ramp, uint32_t first, uint32_t last) {
    for (uint32_t i = 0; i < RAMP_TEXELS; ++i) {
        uint32_t word = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            const uint32_t a = first >> shift & 255, b = last >> shift & 255;
            word = word << 8 | (a * (255 - i) + b * i) / 255;
        }
        put_word(ramp.offset + 4 * i, word << 8 | 255);
    }
}

// Makes a BGRA8888 checkerboard with a translucent border.
void Scene::make_tile() {
    for (uint32_t y = 0; y < TILE_SIDE; ++y) {
        for (uint32_t x = 0; x < TILE_SIDE; ++x) {
            const bool border = x < 2 || y < 2 || x >= TILE_SIDE - 2 || y >= TILE_SIDE - 2;
            const bool light = ((x >> 3) + (y >> 3)) % 2 != 0;
            put_word(TILE_AT + (y * TILE_SIDE + x) * 4, border  ? 0x80404040
                                                        : light ? 0xFFE0E8F0
                                                                : 0xFF000000 | x * 8 << 16 | y * 8);
        }
    }
}

// ---- The scene -------------------------------------------------------------------------------

void Scene::draw(Canvas& canvas, uint32_t frame) {
    const float turn = float(frame) / FRAMES;
    canvas.clear(0xFF301810); // dark blue
    draw_rays(canvas, turn);
    draw_disc(canvas, turn);
    draw_tile(canvas, turn);
    draw_bar(canvas, turn);
    draw_text(canvas, "PIXMILL", {52, 330}, 8, 0xFFFFFFFF);
    draw_text(canvas, "GC355", {122 + 24 * sine(turn), 28}, 6, 0xFF80FFC0);
}

// Draws translucent rays that rotate.
void Scene::draw_rays(Canvas& canvas, float turn) {
    path_.clear();
    for (int i = 0; i < 12; ++i) {
        const float a = turn / 12 + float(i) / 12, b = a + 1.0f / 24;
        const Point points[] = {{CENTER, CENTER},
                                {CENTER + 260 * cosine(a), CENTER + 260 * sine(a)},
                                {CENTER + 260 * cosine(b), CENTER + 260 * sine(b)}};
        path_.polygon(points);
    }
    canvas.fill(path_, 0x60603C24); // premultiplied
}

// Draws a circle as four curves, with a radial gradient and a pulsating radius.
void Scene::draw_disc(Canvas& canvas, float turn) {
    const float r = 110 + 15 * sine(turn), k = r * 0.5523f, c = CENTER;
    path_.clear();
    path_.move({c + r, c});
    path_.cubic({c + r, c + k}, {c + k, c + r}, {c, c + r});
    path_.cubic({c - k, c + r}, {c - r, c + k}, {c - r, c});
    path_.cubic({c - r, c - k}, {c - k, c - r}, {c, c - r});
    path_.cubic({c + k, c - r}, {c + r, c - k}, {c + r, c});
    canvas.fill_radial(path_, {c, c}, r, WARM);
}

// Draws the image at three times its size, rotating about the center.
void Scene::draw_tile(Canvas& canvas, float turn) {
    const float scale = 1.0f / (3 * TILE_SIDE), c = cosine(turn) * scale, s = sine(turn) * scale;
    canvas.image({TILE_AT,
                  TILE_SIDE,
                  {0.5f - CENTER * (c + s), 0.5f - CENTER * (c - s)},
                  {c, -s},
                  {s, c},
                  {120, 120, 160, 160}});
}

// Draws a progress bar with round ends and a linear gradient.
void Scene::draw_bar(Canvas& canvas, float turn) {
    const float left = 40, right = 80 + 280 * turn, top = 288, bottom = 312, k = 16;
    path_.clear();
    path_.move({left, top});
    path_.line({right, top});
    path_.cubic({right + k, top}, {right + k, bottom}, {right, bottom});
    path_.line({left, bottom});
    path_.cubic({left - k, bottom}, {left - k, top}, {left, top});
    canvas.fill_linear(path_, left, 320, COLD);
}

// Draws text with strokes that are one grid unit wide. The pen is a diamond, so that strokes join
// without gaps.
void Scene::draw_text(Canvas& canvas, std::string_view text, Point at, float unit, uint32_t color) {
    path_.clear();
    for (const char letter : text) {
        bool down = false;
        Point last{};
        for (const char* p = strokes_of(letter); *p;) {
            if (*p == ' ') {
                down = false;
                ++p;
                continue;
            }
            const Point next{at.x + float(p[0] - '0') * unit, at.y + float(p[1] - '0') * unit};
            if (down)
                stroke(last, next, unit / 2);
            last = next;
            down = true;
            p += 2;
        }
        at.x += 5.5f * unit;
    }
    canvas.fill(path_, color);
}

// Adds the area that the pen covers between two points, as a polygon that always runs clockwise.
void Scene::stroke(Point a, Point b, float r) {
    const bool swap = a.y > b.y || (a.y == b.y && a.x > b.x);
    const Point p = swap ? b : a, q = swap ? a : b;
    if (q.x >= p.x && q.x - p.x >= q.y - p.y) { // goes mostly to the right
        const Point points[] = {{p.x - r, p.y}, {p.x, p.y - r}, {q.x, q.y - r},
                                {q.x + r, q.y}, {q.x, q.y + r}, {p.x, p.y + r}};
        path_.polygon(points);
    } else if (p.x - q.x > q.y - p.y) { // goes mostly to the left
        const Point points[] = {{q.x - r, q.y}, {q.x, q.y - r}, {p.x, p.y - r},
                                {p.x + r, p.y}, {p.x, p.y + r}, {q.x, q.y + r}};
        path_.polygon(points);
    } else { // goes mostly down
        const Point points[] = {{p.x, p.y - r}, {p.x + r, p.y}, {q.x + r, q.y},
                                {q.x, q.y + r}, {q.x - r, q.y}, {p.x - r, p.y}};
        path_.polygon(points);
    }
}

} // namespace vg
