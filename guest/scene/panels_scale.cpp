// SPDX-License-Identifier: GPL-2.0-or-later
// Panels with scaling, video and palettes.
#include "artwork.hpp"
#include "panels.hpp"
#include "surfaces.hpp"

namespace scene {

namespace {

constexpr int HALF = 71; // width of half a body; the gap is 2 pixels wide

Rectangle left_half(const Rectangle& body) {
    return box(body.left, body.top, HALF, BODY_HEIGHT);
}

Rectangle right_half(const Rectangle& body) {
    return box(body.right - HALF, body.top, HALF, BODY_HEIGHT);
}

// Draws with nearest sampling on the left and with the filter on the right.
void compare(Painter& painter, const Rectangle& body, const Surface& surface, const Rectangle& from,
             double kernel_scale) {
    painter.source(surface);
    painter.stretch(left_half(body), from, true);
    painter.filter_at_once();
    painter.filter_kernel(kernel_scale);
    painter.filter(surface, from, scratch(0, from.width(), BODY_HEIGHT), FRAME, right_half(body));
    painter.tag({body.left, body.bottom - 9}, "NEAREST");
    painter.tag({body.right - HALF, body.bottom - 9}, "LANCZOS");
}

void palette(Painter& painter, uint32_t (*color)(int)) {
    for (int i = 0; i < 256; ++i)
        painter.set(State(INDEX_COLOR_TABLE32 + i * 4), color(i));
}

// Splits the photo into planes of red, green and blue, then adds them up as masks.
void add_planes(Painter& painter, const Rectangle& to) {
    const auto plane = [&](uint32_t index) {
        return Surface{Memory::SCRATCH, index * 0x1000, 64, to.width(), to.height(), A8};
    };
    painter.target_planes(plane(0), plane(1), plane(2));
    painter.source(PHOTO);
    painter.stretch(plane(0).bounds(), PHOTO.bounds());
    painter.set(DEYUV_CONVERSION, 0);
    painter.target(FRAME);
    painter.clear(to, 0xFF000000);
    painter.blend(ONE, ONE);
    painter.set(COLOR_MULTIPLY_MODES, SRC_PREMULTIPLY);
    for (uint32_t i = 0; i < 3; ++i) {
        painter.set(GLOBAL_SRC_COLOR, 0xFF000000 | 0xFF0000 >> i * 8);
        painter.source(plane(i));
        painter.copy(to, {0, 0});
    }
    painter.set(COLOR_MULTIPLY_MODES, 0);
    painter.do_not_blend();
}

uint32_t fire(int index) {
    constexpr uint32_t STOPS[] = {0xFF100010, 0xFF901020, 0xFFF08020, 0xFFFFF0A0, 0xFF100010};
    return mix(STOPS[index / 64], STOPS[index / 64 + 1], index % 64 * 4);
}

uint32_t rainbow(int index) {
    return hue(index * 6);
}

} // namespace

void stretching(Painter& painter, const Rectangle& body) {
    painter.source(MILL);
    painter.set(SRC_COLOR_BG, 0xFFF800F8);
    painter.set(SRC_COLOR_KEY_HIGH, 0xFFFF00FF);
    painter.set(PE_TRANSPARENCY, SOURCE_KEY);
    painter.rop(ROP3, ROP_SOURCE);
    painter.stretch(box(body.left + 2, body.top + 4, 80, 80), MILL.bounds());
    painter.rop(ROP_SOURCE, ROP_PATTERN); // the brush replaces transparent pixels
    painter.brush(0xFF30587C);
    painter.stretch(box(body.left + 86, body.top + 60, 24, 24), MILL.bounds());
    painter.rop(ROP_SOURCE);
    painter.stretch(box(body.left + 112, body.top + 58, 28, 28), MILL.bounds(), true);
    painter.set(PE_TRANSPARENCY, 0);
    const Rectangle window = box(body.left + 84, body.top + 3, 60, 45);
    painter.source(PHOTO);
    if (painter.has(Feature::PLANES))
        add_planes(painter, window);
    else
        painter.stretch(window, PHOTO.bounds());
}

void filter_up(Painter& painter, const Rectangle& body) {
    compare(painter, body, PHOTO, box(66, 76, 32, 40), 1);
    constexpr int SIZE = 29;
    painter.filter(BALL, BALL.bounds(), scratch(0, BALL.width, SIZE), FRAME,
                   box(body.right - SIZE - 2, body.bottom - SIZE - 2, SIZE, SIZE), true);
}

void filter_down(Painter& painter, const Rectangle& body) {
    compare(painter, body, ZONE, ZONE.bounds(), 2);
}

// Copies NV21 and NV61 (NV12 and NV16 with V first) and YUY2, the latter with color bars below it.
// Filters YV12 and UYVY through an intermediate surface in YUV, as drivers do.
void video(Painter& painter, const Rectangle& body) {
    const auto cell = [&](int index, int width, int height) {
        return box(body.left + index % 2 * (HALF + 2), body.top + index / 2 * 45, width, height);
    };
    painter.source(VIDEO_NV21);
    painter.set(PE_CONTROL, UV_SWIZZLE_VU);
    constexpr int MIDDLE = VIDEO_WIDTH / 2;
    const Rectangle first = cell(0, VIDEO_WIDTH, VIDEO_HEIGHT);
    painter.copy({first.left, first.top, first.left + MIDDLE, first.bottom}, {0, 0});
    painter.source(VIDEO_NV61);
    painter.copy({first.left + MIDDLE, first.top, first.right, first.bottom}, {MIDDLE, 0});
    painter.set(PE_CONTROL, 0);
    painter.source(VIDEO_YUY2);
    painter.copy(cell(1, VIDEO_WIDTH, VIDEO_HEIGHT), {0, 0});
    const Rectangle below = cell(1, VIDEO_WIDTH, VIDEO_HEIGHT);
    painter.source(painter.has(Feature::BT709) ? BARS_709 : BARS_601);
    painter.set(PE_CONTROL, painter.has(Feature::BT709) ? YUV_709 : 0);
    painter.copy({below.left, below.bottom - BARS_HEIGHT, below.right, below.bottom}, {0, 0});
    painter.set(PE_CONTROL, 0);
    painter.filter_kernel(1);
    painter.filter(VIDEO_YV12, VIDEO_YV12.bounds(), scratch(0, VIDEO_WIDTH, 43, YUY2), FRAME,
                   cell(2, HALF, 43));
    painter.filter(VIDEO_UYVY, VIDEO_UYVY.bounds(), scratch(0, VIDEO_WIDTH, 43, UYVY), FRAME,
                   cell(3, HALF, 43));
    painter.tag({first.left + MIDDLE, first.top}, "NV61");
    constexpr const char* NAMES[] = {"NV21", "YUY2", "YV12", "UYVY"};
    for (int i = 0; i < 4; ++i) {
        const Rectangle at = cell(i, 0, 0);
        painter.tag({at.left, at.top}, NAMES[i]);
    }
}

void palettes(Painter& painter, const Rectangle& body) {
    constexpr int MIDDLE = BODY_WIDTH / 2;
    painter.source(PLASMA);
    palette(painter, rainbow);
    painter.copy({body.left, body.top, body.left + MIDDLE, body.bottom}, {0, 0});
    palette(painter, fire);
    painter.copy({body.left + MIDDLE, body.top, body.right, body.bottom}, {MIDDLE, 0});
}

} // namespace scene
