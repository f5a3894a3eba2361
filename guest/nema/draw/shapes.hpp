// Round shapes and thick lines, split into triangles and quadrilaterals as in the libraries.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "canvas.hpp"

namespace nema {

void thick_line(Canvas& canvas, Vector from, Vector to, float width, uint32_t color);
void disc(Canvas& canvas, Vector centre, float radius, uint32_t color);
void rounded_rectangle(Canvas& canvas, Rect rect, float radius, uint32_t color);

/// Angles are in turns, clockwise from straight up; `from` < `to`. The ends are flat.
void arc(Canvas& canvas, Vector centre, float inner, float outer, float from, float to,
         uint32_t color);

/// Draws an arc of `pieces` quadrilaterals, each in the color that color(turns) returns.
template<typename Color>
void shaded_arc(Canvas& canvas, Vector centre, float inner, float outer, float from, float to,
                uint32_t pieces, Color color) {
    const float step = (to - from) / float(pieces);
    for (uint32_t i = 0; i < pieces; ++i) {
        const float begin = from + step * float(i), end = from + step * float(i + 1);
        const std::array<Vector, 4> piece{
            on_circle(centre, inner, begin), on_circle(centre, outer, begin),
            on_circle(centre, outer, end), on_circle(centre, inner, end)};
        canvas.polygon(piece, AA_E1 | AA_E3, color(begin + step / 2));
    }
}

} // namespace nema
