// SPDX-License-Identifier: GPL-2.0-or-later
#include "software_canvas.hpp"

#include <algorithm>
#include <utility>

namespace nema::scenes {

namespace {

// Blends two channels at a time, in the halves of a word.
uint32_t blend(uint32_t under, uint32_t over, uint32_t alpha) {
    const uint32_t a = alpha + (alpha >> 7), b = 256 - a;
    const uint32_t even = ((over & 0xFF00FF) * a + (under & 0xFF00FF) * b) >> 8 & 0xFF00FF;
    const uint32_t odd = (over >> 8 & 0xFF) * a + (under >> 8 & 0xFF) * b;
    return even | (odd & 0xFF00) | 0xFF000000;
}

void put(uint32_t& pixel, uint32_t color, uint32_t alpha) {
    if (alpha == 255)
        pixel = color | 0xFF000000;
    else if (alpha != 0)
        pixel = blend(pixel, color, alpha);
}

// An edge of a polygon. a * x + b * y + c is the distance from the edge, positive inside the
// polygon.
struct Edge {
    float a, b, c;
    bool smooth;

    float distance(int32_t x, int32_t y) const {
        return a * (float(x) + 0.5f) + b * (float(y) + 0.5f) + c;
    }
    // A pixel exactly on a shared edge belongs to only one of the two polygons.
    bool owns(float d) const { return d > 0 || (d == 0 && (a > 0 || (a == 0 && b > 0))); }
};

std::array<Edge, 4> edges_of(std::span<const Vector> corners, uint32_t smooth) {
    std::array<Edge, 4> edges{};
    float area = 0;
    for (size_t i = 0; i < corners.size(); ++i) {
        const Vector p = corners[i], q = corners[(i + 1) % corners.size()];
        area += p.x * q.y - q.x * p.y;
    }
    for (size_t i = 0; i < corners.size(); ++i) {
        // Order the ends so that both polygons at an edge compute the same distance, with opposite
        // signs.
        Vector p = corners[i], q = corners[(i + 1) % corners.size()];
        const bool swap = p.y > q.y || (p.y == q.y && p.x > q.x);
        if (swap)
            std::swap(p, q);
        const Vector d = q - p;
        const float length = length_of(d);
        const float f = length > 0 ? ((area < 0) != swap ? -1.0f : 1.0f) / length : 0.0f;
        edges[i] = {-d.y * f, d.x * f, (d.y * p.x - d.x * p.y) * f, (smooth & AA_E0 >> i) != 0};
    }
    return edges;
}

} // namespace

SoftwareCanvas::Box SoftwareCanvas::box_of(std::span<const Vector> corners) const {
    Box box{target_.width, target_.height, 0, 0};
    for (Vector v : corners) {
        box.left = std::min(box.left, floor_of(v.x) - 1);
        box.top = std::min(box.top, floor_of(v.y) - 1);
        box.right = std::max(box.right, floor_of(v.x) + 2);
        box.bottom = std::max(box.bottom, floor_of(v.y) + 2);
    }
    return {std::max(box.left, int32_t(0)), std::max(box.top, int32_t(0)),
            std::min(box.right, int32_t(target_.width)),
            std::min(box.bottom, int32_t(target_.height))};
}

void SoftwareCanvas::fill(Rect r, uint32_t color) {
    for (int32_t y = r.y; y < r.y + r.height; ++y)
        std::fill_n(target_.row32(uint32_t(y)) + r.x, r.width, color);
}

void SoftwareCanvas::polygon(std::span<const Vector> corners, uint32_t smooth, uint32_t color) {
    const auto edges = edges_of(corners, smooth);
    const Box box = box_of(corners);
    const uint32_t alpha = color >> 24;
    for (int32_t y = box.top; y < box.bottom; ++y) {
        uint32_t* row = target_.row32(uint32_t(y));
        for (int32_t x = box.left; x < box.right; ++x) {
            float coverage = 1;
            for (size_t i = 0; i < corners.size() && coverage > 0; ++i) {
                const Edge& e = edges[i];
                const float d = e.distance(x, y);
                coverage = std::min(coverage, e.smooth ? d + 0.5f : e.owns(d) ? 1.0f : 0.0f);
            }
            if (coverage > 0)
                put(row[x], color, uint32_t(coverage * float(alpha)));
        }
    }
}

void SoftwareCanvas::shaded(const std::array<Vector, 3>& corners,
                            const std::array<uint32_t, 3>& colors) {
    const auto edges = edges_of(corners, 0);
    const Box box = box_of(corners);
    const Vector u = corners[1] - corners[0], v = corners[2] - corners[0];
    const float area = u.x * v.y - u.y * v.x;
    for (int32_t y = box.top; y < box.bottom; ++y) {
        uint32_t* row = target_.row32(uint32_t(y));
        for (int32_t x = box.left; x < box.right; ++x) {
            const Vector p{float(x) + 0.5f, float(y) + 0.5f};
            const bool inside = std::ranges::all_of(
                std::span(edges).first(3), [&](const Edge& e) { return e.owns(e.distance(x, y)); });
            if (!inside)
                continue;
            const Vector d = p - corners[0];
            const float t1 = (d.x * v.y - d.y * v.x) / area, t2 = (u.x * d.y - u.y * d.x) / area;
            uint32_t color = 0xFF000000;
            for (uint32_t shift = 0; shift < 24; shift += 8) {
                const auto channel = [&](uint32_t n) { return float(colors[n] >> shift & 0xFF); };
                const float c =
                    channel(0) + (channel(1) - channel(0)) * t1 + (channel(2) - channel(0)) * t2;
                color |= uint32_t(c < 0 ? 0 : c > 255 ? 255 : c) << shift;
            }
            row[x] = color;
        }
    }
}

void SoftwareCanvas::stamp(const Surface& s, int32_t left, int32_t top, uint32_t color) {
    const uint32_t opacity = color >> 24;
    for (uint32_t y = 0; y < s.height; ++y) {
        const uint8_t* from = s.bytes + y * uint32_t(s.stride);
        uint32_t* to = target_.row32(uint32_t(top) + y) + left;
        for (uint32_t x = 0; x < s.width; ++x) {
            const uint32_t nibble = (x % 2 ? from[x / 2] : from[x / 2] >> 4) & 15u; // A4
            put(to[x], color, nibble * 0x11 * opacity / 255);
        }
    }
}

void SoftwareCanvas::sprite(const Surface& s, Vector centre, Vector pivot, float turns,
                            uint32_t opacity) {
    const Matrix m = Matrix::rotation(centre, pivot, turns, 1);
    const float c = cosine(turns), sn = sine(turns);
    const auto place = [&](float x, float y) {
        return Vector{centre.x + c * (x - pivot.x) - sn * (y - pivot.y),
                      centre.y + sn * (x - pivot.x) + c * (y - pivot.y)};
    };
    const float width = s.width, height = s.height;
    const Box box =
        box_of(std::array{place(0, 0), place(width, 0), place(width, height), place(0, height)});
    // In 16.16 fixed point, one pixel in x is a constant step in the texture.
    const auto fixed = [](float f) { return floor_of(f * 65536.0f); };
    const int32_t du = fixed(m.m[0]), dv = fixed(m.m[3]);
    for (int32_t y = box.top; y < box.bottom; ++y) {
        const float px = float(box.left) + 0.5f, py = float(y) + 0.5f;
        int32_t u = fixed(m.m[0] * px + m.m[1] * py + m.m[2] - 0.5f);
        int32_t v = fixed(m.m[3] * px + m.m[4] * py + m.m[5] - 0.5f);
        uint32_t* row = target_.row32(uint32_t(y));
        for (int32_t x = box.left; x < box.right; ++x, u += du, v += dv) {
            const int32_t i = u >> 16, j = v >> 16;
            if (i < 0 || j < 0 || i + 1 >= s.width || j + 1 >= s.height)
                continue;
            const uint32_t fx = uint32_t(u) >> 12 & 15, fy = uint32_t(v) >> 12 & 15;
            const uint32_t *above = s.row32(uint32_t(j)) + i, *below = s.row32(uint32_t(j) + 1) + i;
            uint32_t color = 0;
            for (uint32_t shift = 0; shift < 32; shift += 8) {
                const auto channel = [shift](uint32_t pixel) { return pixel >> shift & 0xFF; };
                const uint32_t sum =
                    (channel(above[0]) * (16 - fx) + channel(above[1]) * fx) * (16 - fy) +
                    (channel(below[0]) * (16 - fx) + channel(below[1]) * fx) * fy;
                color |= sum >> 8 << shift;
            }
            put(row[x], color, (color >> 24) * opacity / 255);
        }
    }
}

} // namespace nema::scenes
