// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml; winding of cull modes, offsets and sizes: Mesa 25.0
// etnaviv_rasterizer.c and etnaviv_emit.c. For undocumented behavior see
// docs/hardware/vivante-3d.md.
#include "pa.hpp"

#include <algorithm>
#include <cmath>

#include "states.hpp"
#include "vivante/3d/gl_states.hpp"
#include "vivante/3d/sh/states.hpp"

namespace pixmill::vivante {

namespace {

using render::Position;
using render::Shape;

constexpr float most_width = 8192;   ///< maximum line width, in pixels
constexpr float point_limit = 8192;  ///< maximum point size, in pixels, if the core limits it
constexpr float most_window = 32768; ///< maximum window coordinate in either direction, in pixels
/// Maximum point size if the core does not limit it: its corners stay within render::farthest at
/// every window position.
constexpr float large_point_limit =
    2 * (float(render::farthest) / render::subpixels - most_window - 1);

/// Clamps to 1 .. `most`. NaN becomes 1.
float clamp_size(float size, float most) {
    return !(size > 1) ? 1 : std::min(size, most);
}

// ---- Clip coordinates --------------------------------------------------------

using VaryingValues = decltype(Vertex::varying);

struct Corner {
    float x, y, z, w; ///< z ranges from 0 to w
    const VaryingValues* varying;
};

enum Plane : unsigned { w_plane, near_plane, far_plane, right, left, bottom, top, planes };
constexpr double guard_band = 32767;

using Distances = std::array<double, planes>;

Distances distances(const PaSetup& setup, const Corner& c) {
    const double x = double(setup.scale[0]) * c.x, y = double(setup.scale[1]) * c.y, w = c.w;
    return {w - setup.w_limit,
            c.z,
            w - c.z,
            (guard_band - setup.offset[0]) * w - x,
            (guard_band + setup.offset[0]) * w + x,
            (guard_band - setup.offset[1]) * w - y,
            (guard_band + setup.offset[1]) * w + y};
}

/// Returns the clip planes that the corner is outside of, as a bit mask.
unsigned outside(const PaSetup& setup, const Corner& corner) {
    const Distances distance = distances(setup, corner);
    unsigned bits = 0;
    for (unsigned plane = 0; plane < planes; plane++)
        bits |= unsigned(!(distance[plane] >= 0)) << plane;
    return bits;
}

bool cuts_depth(unsigned outside_bits) {
    return outside_bits & (1u << near_plane | 1u << far_plane);
}

/// Storage for the corners that clipping creates. Each plane cuts a convex polygon at most twice.
class Crossings {
public:
    explicit Crossings(uint32_t varyings) : varyings_(varyings) {}

    bool full() const { return count_ == made_.size(); }
    /// Returns the corner where the edge from `in` to `out` crosses a plane, given their distances
    /// from it.
    Corner make(const Corner& in, double in_distance, const Corner& out, double out_distance) {
        const double t = in_distance / (in_distance - out_distance);
        const auto mix = [t](float a, float b) { return float(a + t * (double(b) - a)); };
        VaryingValues& varying = made_[count_++];
        for (uint32_t v = 0; v < varyings_; v++)
            for (unsigned c = 0; c < 4; c++)
                varying[v][c] = mix((*in.varying)[v][c], (*out.varying)[v][c]);
        return {mix(in.x, out.x), mix(in.y, out.y), mix(in.z, out.z), mix(in.w, out.w), &varying};
    }

private:
    uint32_t varyings_, count_ = 0;
    std::array<VaryingValues, 2 * planes> made_;
};

class Polygon {
public:
    static constexpr unsigned most_corners = 3 + planes;

    explicit Polygon(std::span<const Corner, 3> corners) : count_(3) {
        std::copy(corners.begin(), corners.end(), corner_.begin());
    }
    std::span<const Corner> corners() const { return {corner_.data(), count_}; }

    /// Cuts off the part outside the plane. Returns false if nothing is left, or if rounding made
    /// the polygon so concave that it exceeds the arrays.
    bool clip(const PaSetup& setup, unsigned plane, Crossings& crossings) {
        const std::array<Corner, most_corners> from = corner_;
        const unsigned count = count_;
        count_ = 0;
        for (unsigned i = 0; i < count; i++) {
            const Corner &a = from[i], &b = from[i + 1 < count ? i + 1 : 0];
            const double da = distances(setup, a)[plane], db = distances(setup, b)[plane];
            if (da >= 0 && !keep(a))
                return false;
            if ((da >= 0) == (db >= 0))
                continue;
            if (crossings.full() ||
                !keep(da >= 0 ? crossings.make(a, da, b, db) : crossings.make(b, db, a, da)))
                return false;
        }
        return count_ >= 3;
    }

private:
    bool keep(const Corner& corner) {
        if (count_ == most_corners)
            return false;
        corner_[count_++] = corner;
        return true;
    }

    std::array<Corner, most_corners> corner_;
    unsigned count_;
};

// ---- The window --------------------------------------------------------------

struct WindowCorner {
    Position at;
    float z, rhw;
    const VaryingValues* varying;
};

/// Rounds to the nearest subpixel. |v| must be at most most_window.
int32_t snap(float v) {
    constexpr double integers = 0x1.8p52; // at this magnitude a double holds only integers
    return int32_t(double(v * render::subpixels) + integers - integers);
}

/// Returns false if the position is out of range, because viewport states are NaN or huge.
bool to_window(const PaSetup& setup, const Corner& c, WindowCorner& out) {
    const float rhw = 1 / c.w;
    const float x = c.x * rhw * setup.scale[0] + setup.offset[0];
    const float y = c.y * rhw * setup.scale[1] + setup.offset[1];
    const float z = c.z * rhw * setup.scale[2] + setup.offset[2];
    if (!(std::abs(x) <= most_window && std::abs(y) <= most_window))
        return false;
    out = {{snap(x) + setup.pixel_center, snap(y) + setup.pixel_center}, z, rhw, c.varying};
    return true;
}

struct Slope {
    double x, y; ///< change of z per pixel
};

Slope slope(const WindowCorner& a, const WindowCorner& b, const WindowCorner& c) {
    constexpr double unit = 1.0 / render::subpixels;
    const double x1 = (b.at.x - a.at.x) * unit, y1 = (b.at.y - a.at.y) * unit;
    const double x2 = (c.at.x - a.at.x) * unit, y2 = (c.at.y - a.at.y) * unit;
    const double z1 = double(b.z) - a.z, z2 = double(c.z) - a.z;
    const double d = x1 * y2 - x2 * y1;
    return {(z1 * y2 - z2 * y1) / d, (z2 * x1 - z1 * x2) / d};
}

float polygon_offset(const PaSetup& setup, const Slope& s) {
    const float steepest = std::max(std::abs(float(s.x)), std::abs(float(s.y)));
    return steepest * setup.depth_scale + setup.depth_bias;
}

// ---- Primitives --------------------------------------------------------------

/// Properties that points and lines inherit from their triangle.
struct Origin {
    bool positive = false;
    float z_offset = 0;
};

/// Clears the point coordinates of a primitive. Points with sprites set them afterwards.
void clear_point_coord(const Varyings& varyings, Primitive& p) {
    for (uint32_t v = 0; v < varyings.count; v++)
        for (unsigned c = 0; c < varyings.components[v]; c++)
            if (is_point_coord(varyings.use[v][c]))
                p.varying[v].value[c] = p.varying[v].more_1[c] = p.varying[v].more_2[c] = 0;
}

/// Makes components the same everywhere. They may be integers, with the bits of any NaN.
void flatten(uint8_t components, const std::array<float, 4>& value, Primitive::Varying& varying) {
    for (unsigned i = 0; i < 4; i++)
        if (components >> i & 1) {
            varying.value[i] = value[i];
            varying.more_1[i] = varying.more_2[i] = 0;
        }
}

class Primitives {
public:
    Primitives(const PaSetup& setup, const Vertex& provoking, std::vector<Primitive>& out)
        : setup_(setup), provoking_(provoking.varying), out_(out) {}

    void point(const Corner& corner, float size, Origin origin);
    void line(Corner from, Corner to, Origin origin);
    /// Returns the counts for the primitive: at most one is set. `drawn` tells whether any part of
    /// it was drawn.
    PaCounts summary(bool drawn) const {
        PaCounts one = fate_;
        one.depth_clipped = drawn && fate_.depth_clipped;
        one.culled = !drawn && fate_.culled; // even if clipping cut it first
        one.rejected = !drawn && !fate_.culled && fate_.rejected;
        one.dropped = !drawn && !fate_.culled && !fate_.rejected && fate_.dropped;
        return one;
    }

    /// `vertices` are the vertices of `corners`.
    void triangle(std::span<const Corner, 3> corners, std::span<const Vertex* const> vertices);

private:
    bool culled(bool positive) const {
        return positive ? setup_.cull_positive : setup_.cull_negative;
    }
    Shape line_shape(Position from, Position to) const;
    Primitive& add(const Shape& shape, Origin origin, const WindowCorner& a, const WindowCorner& b,
                   const WindowCorner& c);
    void solid(const WindowCorner& a, const WindowCorner& b, const WindowCorner& c);
    void outline(std::span<const WindowCorner> polygon, std::span<const Corner, 3> corners,
                 std::span<const Vertex* const> vertices);

    const PaSetup& setup_;
    const VaryingValues& provoking_;
    std::vector<Primitive>& out_;
    PaCounts fate_; ///< counts that apply to any part of the primitive
};

Primitive& Primitives::add(const Shape& shape, Origin origin, const WindowCorner& a,
                           const WindowCorner& b, const WindowCorner& c) {
    constexpr double unit = 1.0 / render::subpixels;
    Primitive& p = out_.emplace_back();
    p.shape = shape;
    p.positive = origin.positive;
    p.z_offset = origin.z_offset;
    p.rhw = {a.rhw, b.rhw, c.rhw};
    p.x0 = a.at.x * unit;
    p.y0 = a.at.y * unit;
    p.z0 = a.z;
    for (uint32_t v = 0; v < setup_.varyings.count; v++) {
        Primitive::Varying& varying = p.varying[v];
        const auto &of_a = (*a.varying)[v], &of_b = (*b.varying)[v], &of_c = (*c.varying)[v];
        for (unsigned i = 0; i < 4; i++) { // equal values, including infinities, differ by 0
            varying.value[i] = of_a[i];
            varying.more_1[i] = of_b[i] == of_a[i] ? 0 : of_b[i] - of_a[i];
            varying.more_2[i] = of_c[i] == of_a[i] ? 0 : of_c[i] - of_a[i];
        }
        if (setup_.flat[v])
            flatten(setup_.flat[v], provoking_[v], varying);
    }
    if (setup_.point_coord)
        clear_point_coord(setup_.varyings, p);
    return p;
}

void Primitives::point(const Corner& corner, float size, Origin origin) {
    // OpenGL ES 2.0.25, 2.13: only the near and the far plane discard a point.
    WindowCorner at;
    if (!(corner.z >= 0 && corner.z <= corner.w && corner.w >= setup_.w_limit)) {
        fate_.rejected = 1;
        return;
    }
    if (!to_window(setup_, corner, at)) {
        fate_.dropped = 1;
        return;
    }
    const float s = clamp_size(size, setup_.most_point), middle = s * render::subpixels / 2;
    const int32_t half = snap(middle / render::subpixels);
    const auto [x, y] = at.at;
    const std::array<Position, 4> square{
        {{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}}};
    Primitive& p = add(Shape::polygon(square), origin, at, at, at);
    if (!setup_.point_coord || !setup_.sprite)
        return;
    // Point coordinates are encoded as the weights of two vertices, one to the right and one below.
    p.share[0] = {1, 0, double(middle) - x};
    p.share[1] = {0, 1, double(middle) - y};
    p.set_total(2 * double(middle));
    for (uint32_t v = 0; v < setup_.varyings.count; v++)
        for (unsigned c = 0; c < setup_.varyings.components[v]; c++) {
            const ComponentUse use = setup_.varyings.use[v][c];
            if (use == ComponentUse::point_coord_x)
                p.varying[v].more_1[c] = 1;
            else if (use == ComponentUse::point_coord_y)
                p.varying[v].more_2[c] = 1;
        }
}

Shape Primitives::line_shape(Position from, Position to) const {
    if (!setup_.multisample)
        return Shape::line(from, to, setup_.line);
    const int32_t half = setup_.line.width * (render::subpixels / 2);
    const bool along_x = std::abs(to.x - from.x) >= std::abs(to.y - from.y);
    const int32_t x = along_x ? 0 : half, y = along_x ? half : 0;
    const std::array<Position, 4> rectangle{{{from.x - x, from.y - y},
                                             {to.x - x, to.y - y},
                                             {to.x + x, to.y + y},
                                             {from.x + x, from.y + y}}};
    return Shape::polygon(rectangle);
}

void Primitives::line(Corner from, Corner to, Origin origin) {
    const unsigned from_out = outside(setup_, from), to_out = outside(setup_, to);
    Crossings crossings(setup_.varyings.count);
    for (unsigned plane = 0; (from_out | to_out) && plane < planes; plane++) {
        const double a = distances(setup_, from)[plane], b = distances(setup_, to)[plane];
        if (!(a >= 0) && !(b >= 0)) {
            fate_.rejected = 1;
            return;
        }
        if (!(b >= 0))
            to = crossings.make(from, a, to, b);
        else if (!(a >= 0))
            from = crossings.make(to, b, from, a);
    }
    WindowCorner a, b;
    if (!to_window(setup_, from, a) || !to_window(setup_, to, b)) {
        fate_.dropped = 1;
        return;
    }
    fate_.depth_clipped = cuts_depth(from_out | to_out);
    const Shape shape = line_shape(a.at, b.at);
    if (shape.bounds().empty())
        return;
    Primitive& p = add(shape, origin, a, b, a);
    p.segment = true;
    p.z_run = double(b.z) - a.z;
    const int32_t dx = b.at.x - a.at.x, dy = b.at.y - a.at.y;
    const bool along_x = std::abs(dx) >= std::abs(dy);
    p.share[0] =
        along_x ? Primitive::Share{1, 0, -double(a.at.x)} : Primitive::Share{0, 1, -double(a.at.y)};
    p.set_total(along_x ? dx : dy);
}

void Primitives::solid(const WindowCorner& a, const WindowCorner& b, const WindowCorner& c) {
    const int64_t area = doubled_area(a.at, b.at, c.at);
    if (!area || culled(area > 0)) {
        fate_.culled = 1;
        return;
    }
    const Slope z = slope(a, b, c);
    const std::array<Position, 3> corners{a.at, b.at, c.at};
    Primitive& p = add(Shape::polygon(corners), {area > 0, polygon_offset(setup_, z)}, a, b, c);
    p.zx = z.x;
    p.zy = z.y;
    const double x1 = b.at.x - a.at.x, y1 = b.at.y - a.at.y;
    const double x2 = c.at.x - a.at.x, y2 = c.at.y - a.at.y;
    p.share[0] = {y2, -x2, x2 * a.at.y - y2 * a.at.x};
    p.share[1] = {-y1, x1, y1 * a.at.x - x1 * a.at.y};
    p.set_total(double(area));
}

void Primitives::outline(std::span<const WindowCorner> polygon, std::span<const Corner, 3> corners,
                         std::span<const Vertex* const> vertices) {
    int64_t area = 0;
    Slope z{};
    for (size_t i = 2; i < polygon.size(); i++) {
        const int64_t part = doubled_area(polygon[0].at, polygon[i - 1].at, polygon[i].at);
        if (part && !z.x && !z.y)
            z = slope(polygon[0], polygon[i - 1], polygon[i]);
        area += part;
    }
    if (!area || culled(area > 0)) {
        fate_.culled = 1;
        return;
    }
    const Origin origin{area > 0, polygon_offset(setup_, z)};
    for (unsigned i = 0; i < 3; i++)
        if (setup_.fill == FillMode::point)
            point(corners[i], setup_.vertex_size ? vertices[i]->point_size : setup_.point_size,
                  origin);
        else
            line(corners[i], corners[i < 2 ? i + 1 : 0], origin);
}

void Primitives::triangle(std::span<const Corner, 3> corners,
                          std::span<const Vertex* const> vertices) {
    unsigned some = 0, all = ~0u;
    for (const Corner& corner : corners) {
        const unsigned bits = outside(setup_, corner);
        some |= bits;
        all &= bits;
    }
    if (all) {
        fate_.rejected = 1;
        return;
    }
    Polygon polygon(corners);
    Crossings crossings(setup_.varyings.count);
    if (some)
        for (unsigned plane = 0; plane < planes; plane++)
            if (!polygon.clip(setup_, plane, crossings)) {
                fate_.rejected = 1;
                return;
            }
    std::array<WindowCorner, Polygon::most_corners> window;
    size_t count = 0;
    for (const Corner& corner : polygon.corners())
        if (!to_window(setup_, corner, window[count++])) {
            fate_.dropped = 1;
            return;
        }
    fate_.depth_clipped = cuts_depth(some);
    if (setup_.fill != FillMode::solid) {
        outline({window.data(), count}, corners, vertices);
        return;
    }
    for (size_t i = 2; i < count; i++)
        solid(window[0], window[i - 1], window[i]);
}

/// Returns false if a coordinate is not finite.
bool to_clip(const PaSetup& setup, const Vertex& vertex, Corner& out) {
    const auto [x, y, z, w] = vertex.position;
    out = {x, y, setup.convert_z ? (z + w) * 0.5f : z, w, &vertex.varying};
    return std::isfinite(x) && std::isfinite(y) && std::isfinite(z) && std::isfinite(w) &&
           std::isfinite(out.z);
}

int32_t line_width(States states) {
    if (!pa::config::wide_line(states[PA_CONFIG]))
        return 1;
    return int32_t(std::floor(clamp_size(2 * states.real(PA_WIDE_LINE_WIDTH0), most_width) + 0.5f));
}

} // namespace

std::optional<uint8_t> point_size_output(States states, const Features3d& features,
                                         uint32_t varyings) {
    if (features.halti5) {
        const uint32_t slot = gl::sh_specials::vs_psize_out(states[GL_HALTI5_SH_SPECIALS]) / 4;
        return slot && slot < most_outputs ? std::optional(uint8_t(slot)) : std::nullopt;
    }
    const bool exists = vs::output_count::count(states[VS_OUTPUT_COUNT]) == varyings + 2;
    return exists ? std::optional(uint8_t(1 + varyings)) : std::nullopt;
}

PaSetup PaSetup::decode(States states, const Features3d& features) {
    const uint32_t config = states[PA_CONFIG], mode = states[PA_SYSTEM_MODE];
    PaSetup s;
    s.scale = {states.real(PA_VIEWPORT_SCALE_X), states.real(PA_VIEWPORT_SCALE_Y),
               states.real(PA_VIEWPORT_SCALE_Z)};
    s.offset = {states.real(PA_VIEWPORT_OFFSET_X), states.real(PA_VIEWPORT_OFFSET_Y),
                states.real(PA_VIEWPORT_OFFSET_Z)};
    s.w_limit = states.real(PA_W_CLIP_LIMIT);
    s.convert_z = features.converts_z && !pa::flags::zconvert_bypass(states[PA_FLAGS]);
    s.pixel_center = pa::system_mode::half_pixel_center(mode) ? 0 : render::subpixels / 2;
    s.cull_positive = pa::config::cull_face_mode(config) == 1;
    s.cull_negative = pa::config::cull_face_mode(config) == 2;
    const auto asked = FillMode(std::min(pa::config::fill_mode(config), uint32_t(FillMode::solid)));
    s.fill = features.solid_triangles ? FillMode::solid : asked;
    s.line = {line_width(states), se::config::last_pixel_enable(states[SE_CONFIG]) != 0};
    s.multisample = gl::sample_count(states) > 1;
    s.varyings = Varyings::decode(states, features);
    s.vertex_size = pa::config::point_size_enable(config) &&
                    point_size_output(states, features, s.varyings.count);
    s.point_size = 2 * states.real(PA_POINT_SIZE);
    s.most_point = features.large_points ? large_point_limit : point_limit;
    s.sprite = pa::config::point_sprite_enable(config);
    for (uint32_t v = 0; v < s.varyings.count; v++) {
        s.flat[v] = features.halti2 ? s.varyings.flat[v] : flat_components(states, v);
        for (const ComponentUse use : s.varyings.use[v])
            s.point_coord |= is_point_coord(use);
    }
    if (s.fill == asked) {
        s.depth_scale = states.real(SE_DEPTH_SCALE);
        s.depth_bias = states.real(SE_DEPTH_BIAS);
    }
    return s;
}

PaCounts set_up(const PaSetup& setup, std::span<const Vertex* const> vertices, unsigned provoking,
                std::vector<Primitive>& out) {
    std::array<Corner, 3> corner;
    for (size_t i = 0; i < vertices.size(); i++)
        if (!to_clip(setup, *vertices[i], corner[i])) {
            PaCounts one;
            one.dropped = 1;
            return one;
        }
    const size_t before = out.size();
    Primitives primitives(setup, *vertices[provoking], out);
    if (vertices.size() == 1)
        primitives.point(corner[0], setup.vertex_size ? vertices[0]->point_size : setup.point_size,
                         {});
    else if (vertices.size() == 2)
        primitives.line(corner[0], corner[1], {});
    else
        primitives.triangle(corner, vertices);
    return primitives.summary(out.size() > before);
}

} // namespace pixmill::vivante
