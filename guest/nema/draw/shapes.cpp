// SPDX-License-Identifier: GPL-2.0-or-later
#include "shapes.hpp"

namespace nema {

namespace {

// Returns a number of chords that stay within about 0.1 pixels of the circle.
uint32_t pieces_of(float radius, float turns) {
    return 2 + uint32_t(turns * 7.0f * root_of(radius + 1.0f));
}

// Draws a shape with a vertical axis of symmetry, from top to bottom. level() gives its half width
// at y.
class Bands {
public:
    Bands(Canvas& canvas, float centre, uint32_t color)
        : canvas_(canvas), centre_(centre), color_(color) {}

    /// Draws the band from the previous level to this one. Its left and right edges are smooth.
    void level(float y, float half) {
        if (begun_ && y > y_)
            band(y, half);
        begun_ = true;
        y_ = y;
        half_ = half;
    }

private:
    void band(float y, float half) {
        const Vector left{centre_ - half_, y_}, right{centre_ + half_, y_};
        const Vector next_left{centre_ - half, y}, next_right{centre_ + half, y};
        if (half_ == 0)
            canvas_.polygon(std::array{left, next_left, next_right}, AA_E0 | AA_E2 | AA_E3, color_);
        else if (half == 0)
            canvas_.polygon(std::array{next_left, right, left}, AA_E0 | AA_E2 | AA_E3, color_);
        else
            canvas_.polygon(std::array{left, next_left, next_right, right}, AA_E0 | AA_E2, color_);
    }

    Canvas& canvas_;
    float centre_;
    uint32_t color_;
    bool begun_ = false;
    float y_ = 0, half_ = 0;
};

// Adds the levels of the two top (or bottom) quarter circles, whose centers are `inset` away from
// the axis.
void corner(Bands& bands, float y, float radius, float inset, bool top) {
    const uint32_t pieces = pieces_of(radius, 0.25f);
    for (uint32_t i = 0; i <= pieces; ++i) {
        const float t = 0.25f * float(top ? i : pieces - i) / float(pieces);
        const bool tip = top ? i == 0 : i == pieces;
        const float rise = radius * cosine(t);
        bands.level(top ? y - rise : y + rise, inset + (tip ? 0.0f : radius * sine(t)));
    }
}

} // namespace

void thick_line(Canvas& canvas, Vector from, Vector to, float width, uint32_t color) {
    const Vector along = to - from;
    const float length = length_of(along);
    if (length == 0)
        return;
    const Vector across = Vector{-along.y, along.x} * (width / 2 / length);
    canvas.polygon(std::array{from - across, to - across, to + across, from + across}, AA_ALL,
                   color);
}

void disc(Canvas& canvas, Vector centre, float radius, uint32_t color) {
    Bands bands(canvas, centre.x, color);
    corner(bands, centre.y, radius, 0, true);
    corner(bands, centre.y, radius, 0, false);
}

void rounded_rectangle(Canvas& canvas, Rect r, float radius, uint32_t color) {
    const float half = float(r.width) / 2;
    Bands bands(canvas, float(r.x) + half, color);
    corner(bands, float(r.y) + radius, radius, half - radius, true);
    corner(bands, float(r.y + r.height) - radius, radius, half - radius, false);
}

void arc(Canvas& canvas, Vector centre, float inner, float outer, float from, float to,
         uint32_t color) {
    shaded_arc(canvas, centre, inner, outer, from, to, pieces_of(outer, to - from),
               [color](float) { return color; });
}

} // namespace nema
