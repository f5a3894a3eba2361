// SPDX-License-Identifier: GPL-2.0-or-later
#include "setup.hpp"

#include <algorithm>
#include <bit>

#include "nema/offsets.hpp"

namespace pixmill::nema {

namespace {

namespace command {
constexpr uint32_t line = 1, rectangle = 2, triangle = 4, quad = 5;
} // namespace command

struct Point {
    int32_t x, y;
};

Point point(uint32_t word) {
    return {int16_t(xy::x(word)), int16_t(xy::y(word))};
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
        desc.vertex[i] = {int32_t(reg[DRAW_PT0_X + 0x10 * i]), int32_t(reg[DRAW_PT0_Y + 0x10 * i])};
        if (draw_cmd::antialias[i](reg[DRAW_CMD]))
            desc.antialiased |= 1u << i;
    }
    return desc;
}

bool culled(const render::PolygonDesc& desc, uint32_t cmd) {
    const render::Winding seen = winding(desc);
    return (seen == render::Winding::clockwise && draw_cmd::cull_cw(cmd)) ||
           (seen == render::Winding::counter_clockwise && draw_cmd::cull_ccw(cmd));
}

/// Returns the pixel at which a polygon's gradient starts: the topmost, then leftmost vertex,
/// rounded to nearest and clamped to the left and top of the screen.
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
    constexpr uint32_t from_top[] = {2, 1, 0, 3}; // indices of B, G, R, A in register order
    GradientPlane plane;
    for (uint32_t i = 0; i < 4; i++) {
        plane.initial[i] = reg[RED_INIT + 4 * from_top[i]];
        plane.dx[i] = reg[RED_DX + 8 * from_top[i]];
        plane.dy[i] = reg[RED_DX + 8 * from_top[i] + 4];
    }
    plane.x = origin.x;
    plane.y = origin.y;
    return plane;
}

BlendState blend_state(const Registers& reg) {
    const uint32_t mode = reg[BLEND_MODE];
    BlendState blend;
    blend.factors = {blend_mode::source(mode), blend_mode::destination(mode),
                     argb(reg[CONST_COLOR])};
    blend.key_equal = blend_mode::key_equal(mode);
    blend.key_differs = blend_mode::key_differs(mode);
    blend.key = argb(reg[DST_CKEY]);
    return blend;
}

/// Fills `source` in place, because a copy would slow down small draws.
void read_source(const Registers& reg, std::span<const uint32_t> imem, FragmentSource& source) {
    std::copy(imem.begin(), imem.end(), source.imem.begin());
    for (uint32_t i = 0; i < source.constants.size(); i++)
        source.constants[i] = argb(reg[C0_REG + 4 * i]);
    source.code_pointer = codeptr::foreground(reg[CODEPTR]);
    source.has_gradient = draw_cmd::gradient(reg[DRAW_CMD]);
    source.color = source.has_gradient ? 0 : argb(reg[DRAW_COLOR]);
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

bool DrawSetup::decode(const DrawState& state) {
    const Registers reg(state);
    const uint32_t cmd = reg[DRAW_CMD];
    const Point start = point(reg[DRAW_STARTXY]), end = point(reg[DRAW_ENDXY]);
    Point origin = start;
    switch (draw_cmd::primitive(cmd)) {
    case command::rectangle:
        primitive = Rectangle{{start.x, start.y, end.x, end.y}};
        break;
    case command::line:
        primitive = LineEnds{start.x, start.y, end.x, end.y};
        break;
    case command::triangle:
    case command::quad: {
        const auto desc = polygon(reg, draw_cmd::primitive(cmd) == command::quad);
        if (culled(desc, cmd))
            return false;
        origin = first_vertex(desc);
        primitive = desc;
        break;
    }
    default:
        return false;
    }
    clip = rectangle_of(reg[CLIPMIN], reg[CLIPMAX])
               .intersect(rectangle_of(reg[CLIPMIN1], reg[CLIPMAX1]));
    if (clip.empty())
        return false;

    for (uint32_t i = 0; i < images; i++) {
        const uint32_t fstride = reg[TEX0_FSTRIDE + 0x10 * i];
        surface[i] =
            texture(reg[TEX0_BASE + 0x10 * i], fstride, reg[TEX0_RESXY + 0x10 * i], reg[TEX_COLOR]);
        dithers[i] = fstride::dither(fstride);
    }
    for (uint32_t i = 0; i < matrix.size(); i++)
        matrix[i] = std::bit_cast<float>(reg[MM00 + 4 * i]);
    matmult = reg[MATMULT];
    read_source(reg, state.imem, source);
    gradient = source.has_gradient ? gradient_plane(reg, origin) : GradientPlane{};
    blend = blend_state(reg);
    return true;
}

} // namespace pixmill::nema
