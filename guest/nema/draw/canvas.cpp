// SPDX-License-Identifier: GPL-2.0-or-later
#include "canvas.hpp"

namespace nema {

GpuCanvas::GpuCanvas(Painter& painter, const Surface& target) : painter_(painter) {
    painter_.bind_destination(target);
    painter_.clip({0, 0, target.width, target.height});
}

// Sets up the pipeline if the kind of drawing has changed.
void GpuCanvas::enter(Mode mode) {
    if (mode == mode_)
        return;
    mode_ = mode;
    switch (mode) {
    case Mode::NONE:
        break;
    case Mode::FILL:
        painter_.blend_fill(SIMPLE);
        break;
    case Mode::STAMP:
        painter_.blend_blit(SIMPLE);
        break;
    case Mode::TRANSLUCENT_STAMP:
    case Mode::SPRITE:
        painter_.blend_blit(SIMPLE | MODULATE_A);
        break;
    }
}

void GpuCanvas::fill(Rect rect, uint32_t color) {
    enter(Mode::FILL);
    painter_.color(color);
    painter_.rectangle(rect);
}

void GpuCanvas::polygon(std::span<const Vector> corners, uint32_t smooth, uint32_t color) {
    enter(Mode::FILL);
    painter_.color(color);
    if (corners.size() == 3)
        painter_.triangle({corners[0], corners[1], corners[2]}, smooth);
    else
        painter_.quad({corners[0], corners[1], corners[2], corners[3]}, smooth);
}

void GpuCanvas::shaded(const std::array<Vector, 3>& corners,
                       const std::array<uint32_t, 3>& colors) {
    enter(Mode::FILL);
    painter_.shaded_triangle(corners, colors);
}

void GpuCanvas::stamp(const Surface& alpha, int32_t x, int32_t y, uint32_t color) {
    const bool opaque = color >> 24 == 255;
    enter(opaque ? Mode::STAMP : Mode::TRANSLUCENT_STAMP);
    if (!opaque)
        painter_.constant_color(color);
    painter_.text_color(color);
    painter_.bind(1, alpha);
    painter_.blit(alpha, x, y);
}

void GpuCanvas::sprite(const Surface& picture, Vector centre, Vector pivot, float turns,
                       uint32_t opacity) {
    enter(Mode::SPRITE);
    painter_.constant_color(rgba(255, 255, 255, opacity));
    painter_.bind(1, picture, BILINEAR | BORDER);
    painter_.blit_rotated(picture, centre, pivot, turns, 1.0f, AA_ALL);
}

} // namespace nema
