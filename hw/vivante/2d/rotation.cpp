// SPDX-License-Identifier: GPL-2.0-or-later
#include "rotation.hpp"

#include <algorithm>

namespace pixmill::vivante {

using render::Axis;
using render::Placement;
using render::Rect;

namespace {

/// Mapping from a physical coordinate to a virtual one.
struct FromPhysical {
    bool from_y;
    bool flip;
    int32_t last;
};

FromPhysical virtual_from(const Orientation& o, bool y) {
    // Without transposition, virtual x depends on physical x, and virtual y on physical y.
    const bool from_y = o.transpose != y;
    return from_y ? FromPhysical{true, o.flip_y, o.last_y}
                  : FromPhysical{false, o.flip_x, o.last_x};
}

/// Returns how the index of a source pixel along the side [begin, end) of a rectangle depends on a
/// physical coordinate.
Axis indices(const FromPhysical& v, int32_t begin, int32_t end, const SourceAxis& axis) {
    Axis a;
    a.backward = v.flip != axis.mirror;
    if (a.backward)
        a.begin = axis.mirror ? end - 1 : v.last - begin;
    else
        a.begin = axis.mirror ? v.last - end + 1 : begin;
    a.stretch = axis.stretch;
    a.source = axis.size;
    a.target = uint32_t(end - begin);
    return a;
}

Axis physical(Axis a, int32_t origin, bool flip, int32_t last) {
    a.first = flip ? last - origin : origin;
    a.downward = flip;
    return a;
}

} // namespace

Orientation Orientation::of(uint32_t code, uint32_t width, uint32_t height) {
    struct Row {
        bool transpose, flip_x, flip_y;
    };
    constexpr Row rows[8] = {
        {false, false, false}, // ROT0
        {false, true, false},  // FLIP_X
        {false, false, true},  // FLIP_Y
        {false, false, false}, // reserved
        {true, true, false},   // ROT90: (W - 1 - vy, vx)
        {false, true, true},   // ROT180
        {true, false, true},   // ROT270: (vy, H - 1 - vx)
        {false, false, false}, // reserved
    };
    const Row& row = rows[code & 7];
    return {row.transpose, row.flip_x, row.flip_y, int32_t(width) - 1, int32_t(height) - 1};
}

Orientation Orientation::flipped(bool x, bool y, uint32_t width, uint32_t height) const {
    return {transpose, flip_x != x, flip_y != y, int32_t(width) - 1, int32_t(height) - 1};
}

int64_t Orientation::x(int64_t vx, int64_t vy) const {
    const int64_t v = transpose ? vy : vx;
    return flip_x ? last_x - v : v;
}

int64_t Orientation::y(int64_t vx, int64_t vy) const {
    const int64_t v = transpose ? vx : vy;
    return flip_y ? last_y - v : v;
}

Rect Orientation::rect(const Rect& r) const {
    const int64_t x0 = x(r.left, r.top), x1 = x(r.right - 1, r.bottom - 1);
    const int64_t y0 = y(r.left, r.top), y1 = y(r.right - 1, r.bottom - 1);
    return {int32_t(std::min(x0, x1)), int32_t(std::min(y0, y1)), int32_t(std::max(x0, x1) + 1),
            int32_t(std::max(y0, y1) + 1)};
}

int32_t Orientation::virtual_x(int32_t px, int32_t py) const {
    const FromPhysical v = virtual_from(*this, false);
    const int32_t p = v.from_y ? py : px;
    return v.flip ? v.last - p : p;
}

int32_t Orientation::virtual_y(int32_t px, int32_t py) const {
    const FromPhysical v = virtual_from(*this, true);
    const int32_t p = v.from_y ? py : px;
    return v.flip ? v.last - p : p;
}

Placement place(const Orientation& destination, const Rect& rect, const Orientation& source,
                const SourceAxis& x, const SourceAxis& y) {
    // If the source is transposed, its physical x depends on its virtual y.
    const FromPhysical vx = virtual_from(destination, false), vy = virtual_from(destination, true);
    const Axis along_x = indices(vx, rect.left, rect.right, x);
    const Axis along_y = indices(vy, rect.top, rect.bottom, y);
    Placement p;
    p.transpose = (source.transpose ? vy : vx).from_y;
    p.x = physical(source.transpose ? along_y : along_x, source.transpose ? y.origin : x.origin,
                   source.flip_x, source.last_x);
    p.y = physical(source.transpose ? along_x : along_y, source.transpose ? x.origin : y.origin,
                   source.flip_y, source.last_y);
    return p;
}

Placement place(const Orientation& source) {
    Placement p;
    p.transpose = source.transpose;
    p.x = physical({}, 0, source.flip_x, source.last_x);
    p.y = physical({}, 0, source.flip_y, source.last_y);
    return p;
}

} // namespace pixmill::vivante
