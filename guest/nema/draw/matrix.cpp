// SPDX-License-Identifier: GPL-2.0-or-later
#include "matrix.hpp"

namespace nema {

Matrix Matrix::fit(Rect from, Rect to) {
    const float sx = float(from.width) / float(to.width);
    const float sy = float(from.height) / float(to.height);
    return {{sx, 0, float(from.x) - float(to.x) * sx, 0, sy, float(from.y) - float(to.y) * sy, 0, 0,
             1}};
}

Matrix Matrix::turn(Turn turn, int32_t x, int32_t y, uint32_t width, uint32_t height) {
    // Coefficients of texture x and y per step in x and y on the screen. -1 counts from the far
    // end.
    struct Axes {
        float xx, xy, yx, yy;
    };
    static constexpr Axes AXES[] = {
        {1, 0, 0, 1},  {0, -1, 1, 0}, {-1, 0, 0, -1}, {0, 1, -1, 0},
        {1, 0, 0, -1}, {0, 1, 1, 0},  {-1, 0, 0, 1},  {0, -1, -1, 0},
    };
    const Axes a = AXES[unsigned(turn) % 8];
    const float left = float(x), top = float(y);
    const float from_x = a.xx + a.xy < 0 ? float(width) : 0.0f;
    const float from_y = a.yx + a.yy < 0 ? float(height) : 0.0f;
    return {{a.xx, a.xy, from_x - a.xx * left - a.xy * top, a.yx, a.yy,
             from_y - a.yx * left - a.yy * top, 0, 0, 1}};
}

Matrix Matrix::rotation(Vector centre, Vector pivot, float turns, float scale) {
    const float c = cosine(turns) / scale, s = sine(turns) / scale;
    return {{c, s, pivot.x - c * centre.x - s * centre.y, -s, c,
             pivot.y + s * centre.x - c * centre.y, 0, 0, 1}};
}

// Maps the unit square to the quad (Heckbert's thesis, 2.2.3), scales it to texels and inverts the
// result. The adjugate is enough, since homogeneous coordinates need no division by the
// determinant.
Matrix Matrix::quad(const std::array<Vector, 4>& corners, float width, float height) {
    const auto [p0, p1, p2, p3] = corners;
    const Vector sum = p0 - p1 + p2 - p3, d1 = p1 - p2, d2 = p3 - p2;
    const float area = d1.x * d2.y - d2.x * d1.y;
    if (area == 0)
        return {};
    const float g = (sum.x * d2.y - d2.x * sum.y) / area / width;
    const float h = (d1.x * sum.y - sum.x * d1.y) / area / height;
    const float a = (p1.x - p0.x) / width + g * p1.x, b = (p3.x - p0.x) / height + h * p3.x;
    const float d = (p1.y - p0.y) / width + g * p1.y, e = (p3.y - p0.y) / height + h * p3.y;
    const float c = p0.x, f = p0.y;
    const float scale = 1.0f / (a * e - b * d);
    return {{(e - f * h) * scale, (c * h - b) * scale, (b * f - c * e) * scale, (f * g - d) * scale,
             (a - c * g) * scale, (c * d - a * f) * scale, (d * h - e * g) * scale,
             (b * g - a * h) * scale, (a * e - b * d) * scale}};
}

} // namespace nema
