// SPDX-License-Identifier: GPL-2.0-or-later
#include "draw.hpp"

#include <bit>

namespace pixmill::nema {

namespace {

enum Offset : uint32_t {
    tex_base = 0x000, // of surface n: 0x10 * n further, as the two that follow
    tex_fstride = 0x004,
    tex_resxy = 0x008,
    tex_color = 0x01C,
    draw_cmd = 0x100,
    draw_startxy = 0x104,
    draw_endxy = 0x108,
    clipmin = 0x110,
    clipmax = 0x114,
    mat_mult = 0x118,
    codeptr = 0x11C,
    draw_pt0_x = 0x120, // of vertex n: 0x10 * n further
    draw_pt0_y = 0x124,
    draw_color = 0x12C,
    clipmin1 = 0x158,
    clipmax1 = 0x15C,
    mm00 = 0x160,
    red_dx = 0x1A0, // then RED_DY, and so on for green, blue, alpha
    red_init = 0x1C0,
    blend_mode = 0x1D0,
    dst_ckey = 0x1D4,
    const_color = 0x1D8,
    c0_reg = 0x200,
};

namespace command {
constexpr uint32_t primitive = 7, line = 1, rectangle = 2, triangle = 4, quad = 5;
constexpr uint32_t gradient = 1u << 27, cull_clockwise = 1u << 28,
                   cull_counter_clockwise = 1u << 29;
/// Of edges 0 to 3.
constexpr uint32_t antialias[] = {1u << 26, 1u << 25, 1u << 24, 1u << 23};
} // namespace command

constexpr uint32_t key_equal = 1u << 31, key_differs = 1u << 25;

struct Point {
    int32_t x, y;
};

/// y in bits 31:16, x in bits 15:0, both signed.
Point point(uint32_t word) {
    return {int16_t(word), int16_t(word >> 16)};
}

class Registers {
public:
    explicit Registers(const DrawState& state) : reg_(state.reg) {}
    uint32_t operator[](uint32_t offset) const { return reg_[offset / 4]; }

private:
    std::span<const uint32_t, PIXMILL_NEMA_DRAW_WORDS> reg_;
};

render::Rect rectangle_of(uint32_t minimum, uint32_t maximum) {
    const Point from = point(minimum), to = point(maximum);
    return {from.x, from.y, to.x, to.y};
}

render::PolygonDesc polygon(const Registers& reg, bool quad) {
    render::PolygonDesc desc;
    desc.count = quad ? 4 : 3;
    for (uint32_t i = 0; i < desc.count; i++) {
        desc.vertex[i] = {int32_t(reg[draw_pt0_x + 0x10 * i]), int32_t(reg[draw_pt0_y + 0x10 * i])};
        if (reg[draw_cmd] & command::antialias[i])
            desc.antialiased |= 1u << i;
    }
    return desc;
}

bool culled(const render::PolygonDesc& desc, uint32_t cmd) {
    const render::Orientation seen = orientation(desc);
    return (seen == render::Orientation::clockwise && cmd & command::cull_clockwise) ||
           (seen == render::Orientation::counter_clockwise &&
            cmd & command::cull_counter_clockwise);
}

/// The pixel that a polygon's gradient starts at: its topmost, then leftmost vertex, rounded to
/// nearest, not above or left of the screen.
Point first_vertex(const render::PolygonDesc& desc) {
    render::Vertex first = desc.vertex[0];
    for (uint32_t i = 1; i < desc.count; i++) {
        const render::Vertex& v = desc.vertex[i];
        if (v.y < first.y || (v.y == first.y && v.x < first.x))
            first = v;
    }
    const auto pixel = [](int32_t v) {
        return int32_t(std::max<int64_t>((int64_t(v) + 0x8000) >> 16, 0));
    };
    return {pixel(first.x), pixel(first.y)};
}

GradientPlane gradient_plane(const Registers& reg, Point origin) {
    constexpr uint32_t from_top[] = {2, 1, 0, 3}; // B, G, R, A of R, G, B, A
    GradientPlane plane;
    for (uint32_t i = 0; i < 4; i++) {
        plane.initial[i] = reg[red_init + 4 * from_top[i]];
        plane.dx[i] = reg[red_dx + 8 * from_top[i]];
        plane.dy[i] = reg[red_dx + 8 * from_top[i] + 4];
    }
    plane.x = origin.x;
    plane.y = origin.y;
    return plane;
}

BlendState blend_state(const Registers& reg) {
    const uint32_t mode = reg[blend_mode];
    BlendState blend;
    blend.factors = {mode & 0xF, mode >> 8 & 0xF, argb(reg[const_color])};
    blend.key_equal = mode & key_equal;
    blend.key_differs = mode & key_differs;
    blend.key = argb(reg[dst_ckey]);
    return blend;
}

} // namespace

Gradient GradientPlane::row(int32_t px, int32_t py) const {
    Gradient row;
    for (unsigned i = 0; i < 4; i++) {
        row.start[i] = initial[i] + dx[i] * uint32_t(px - x) + dy[i] * uint32_t(py - y);
        row.step[i] = dx[i];
    }
    return row;
}

bool Draw::decode(const DrawState& state) {
    const Registers reg(state);
    const uint32_t cmd = reg[draw_cmd];
    const Point start = point(reg[draw_startxy]), end = point(reg[draw_endxy]);
    Point origin = start;
    switch (cmd & command::primitive) {
    case command::rectangle:
        primitive = Rectangle{{start.x, start.y, end.x, end.y}};
        break;
    case command::line:
        primitive = LineEnds{start.x, start.y, end.x, end.y};
        break;
    case command::triangle:
    case command::quad: {
        const auto desc = polygon(reg, (cmd & command::primitive) == command::quad);
        if (culled(desc, cmd))
            return false;
        origin = first_vertex(desc);
        primitive = desc;
        break;
    }
    default:
        return false;
    }
    clip = rectangle_of(reg[clipmin], reg[clipmax])
               .intersect(rectangle_of(reg[clipmin1], reg[clipmax1]));
    if (clip.empty())
        return false;

    for (uint32_t i = 0; i < images; i++) {
        const uint32_t fstride = reg[tex_fstride + 0x10 * i];
        surface[i] =
            texture(reg[tex_base + 0x10 * i], fstride, reg[tex_resxy + 0x10 * i], reg[tex_color]);
        dithers[i] = fstride >> 31;
    }
    for (uint32_t i = 0; i < matrix.size(); i++)
        matrix[i] = std::bit_cast<float>(reg[mm00 + 4 * i]);
    matmult = reg[mat_mult];
    code_pointer = reg[codeptr] & 0xFFFF;
    for (uint32_t i = 0; i < constants.size(); i++)
        constants[i] = argb(reg[c0_reg + 4 * i]);
    color = argb(reg[draw_color]);
    has_gradient = cmd & command::gradient;
    gradient = has_gradient ? gradient_plane(reg, origin) : GradientPlane{};
    blend = blend_state(reg);
    return true;
}

} // namespace pixmill::nema
