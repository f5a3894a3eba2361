// VS, PA and SE, which turn vertices into shapes in the window.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <cmath>
#include <map>

namespace pixmill::reference::vivante_3d {

/* ---- Vertices ----------------------------------------------------------------------------- */

bool Vertex::finite() const {
    return std::all_of(position.begin(), position.end(), [](float c) { return std::isfinite(c); });
}

namespace {

unsigned varying_count(const States& states) {
    return std::min(states.field(PA_ATTRIBUTE_ELEMENT_COUNT, 15, 8), uint32_t{most_varyings});
}

unsigned input_register(const Engine& engine, unsigned input) {
    return engine.states.byte(engine.features.halti >= 5 ? VS_HALTI5_INPUT : VS_INPUT, input);
}

unsigned output_register(const Engine& engine, unsigned slot) {
    const States& states = engine.states;
    if (engine.features.halti >= 5)
        return states.byte(VS_HALTI5_OUTPUT, slot);
    if (slot < 16)
        return states.byte(VS_OUTPUT, slot);
    return states.byte(VS_OUTPUT_COUNT, slot - 15); // OUTPUT16_REG, OUTPUT17_REG
}

/// Returns the output that is the point size, if there is one.
std::optional<unsigned> size_slot(const Engine& engine) {
    const States& states = engine.states;
    if (!states.bit(PA_CONFIG, 2)) // POINT_SIZE_ENABLE
        return std::nullopt;
    if (engine.features.halti >= 5) {
        const unsigned slot = states.field(GL_HALTI5_SH_SPECIALS, 6, 0) / 4; // VS_PSIZE_OUT
        return slot ? std::optional(slot) : std::nullopt;
    }
    const unsigned last = varying_count(states) + 1;
    return states.field(VS_OUTPUT_COUNT, 7, 0) == last + 1 ? std::optional(last) : std::nullopt;
}

/// Passes the numbers of vertex and instance in register `reg`.
void set_numbers(const Engine& engine, Invocation& invocation, unsigned reg, VertexNumber number) {
    if (engine.features.halti < 5) { // which component holds which number is undocumented
        invocation.write(reg, {number.vertex, number.instance, 0, 0});
        return;
    }
    const uint32_t config = engine.states[FE_HALTI5_ID_CONFIG];
    const auto component = [&](unsigned place) -> uint32_t& {
        return invocation.temporaries[place / 4][place % 4];
    };
    invocation.write(reg, {});
    if (bits(config, 0, 0))
        component(bits(config, 15, 8)) = number.vertex;
    if (bits(config, 1, 1))
        component(bits(config, 23, 16)) = number.instance;
}

} // namespace

std::optional<Vertex> shade(Engine& engine, const Program& program, VertexNumber number) {
    const States& states = engine.states;
    Invocation invocation;
    const bool has_ids = engine.features.halti >= 2 && states.bit(VS_INPUT_COUNT, 31);
    const unsigned inputs = std::min(states.field(VS_INPUT_COUNT, 4, 0), 16u);
    const unsigned elements = inputs - (has_ids && inputs > 0);
    const unsigned active = states.vertex_elements(element_states(engine));
    for (unsigned n = 0; n < elements; n++)
        invocation.set(input_register(engine, n),
                       n < active ? attribute(engine, n, number) : vector_default);
    if (has_ids)
        set_numbers(engine, invocation, input_register(engine, elements), number);
    if (!run(engine, program, {&invocation, 1})) {
        engine.hung = true;
        return std::nullopt;
    }
    Vertex vertex;
    vertex.position = invocation.vector(output_register(engine, 0));
    if (engine.features.converts_z && !states.bit(PA_FLAGS, 30))
        vertex.position[2] = (vertex.position[2] + vertex.position[3]) * 0.5f;
    const unsigned varyings = varying_count(states);
    for (unsigned k = 0; k < varyings; k++)
        vertex.varyings[k] = invocation.vector(output_register(engine, k + 1));
    if (const auto slot = size_slot(engine))
        vertex.size = invocation.vector(output_register(engine, *slot))[0];
    return vertex;
}

std::optional<WindowVertex> to_window(const States& states, const Vertex& vertex) {
    const auto& [x, y, z, w] = vertex.position;
    const float rhw = 1.0f / w;
    const auto window = [&](float clip, uint32_t scale, uint32_t offset) {
        const float ndc = clip * rhw;
        const float scaled = ndc * states.real(scale);
        return scaled + states.real(offset);
    };
    const int32_t center = states.bit(PA_SYSTEM_MODE, 4) ? 0 : 128;
    const float x_win = window(x, PA_VIEWPORT_SCALE_X, PA_VIEWPORT_OFFSET_X);
    const float y_win = window(y, PA_VIEWPORT_SCALE_Y, PA_VIEWPORT_OFFSET_Y);
    const auto is_far = [](float pixels) { return !(std::fabs(pixels) <= 32768); };
    if (is_far(x_win) || is_far(y_win))
        return std::nullopt;
    const auto snap = [&](float pixels) {
        return static_cast<int32_t>(std::nearbyint(double{pixels} * 256)) + center;
    };
    return WindowVertex{snap(x_win), snap(y_win),
                        window(z, PA_VIEWPORT_SCALE_Z, PA_VIEWPORT_OFFSET_Z), rhw, vertex.varyings};
}

/* ---- Clipping ----------------------------------------------------------------------------- */

namespace {

constexpr unsigned planes = 7;

/// Returns the distance from a clip plane, which is negative outside.
double distance(const States& states, unsigned plane, const Vertex& vertex) {
    const double x = vertex.position[0], y = vertex.position[1], z = vertex.position[2],
                 w = vertex.position[3];
    const double scale_x = states.real(PA_VIEWPORT_SCALE_X),
                 scale_y = states.real(PA_VIEWPORT_SCALE_Y);
    const double offset_x = states.real(PA_VIEWPORT_OFFSET_X),
                 offset_y = states.real(PA_VIEWPORT_OFFSET_Y);
    const double guard = 32767;
    switch (plane) {
    case 0:
        return w - states.real(PA_W_CLIP_LIMIT);
    case 1:
        return z;
    case 2:
        return w - z;
    case 3:
        return (guard - offset_x) * w - scale_x * x;
    case 4:
        return (guard + offset_x) * w + scale_x * x;
    case 5:
        return (guard - offset_y) * w - scale_y * y;
    default:
        return (guard + offset_y) * w + scale_y * y;
    }
}

float between(float a, float b, double t) {
    return static_cast<float>(a + t * (double{b} - a));
}

/// Returns the point where an edge from inside to outside crosses the plane.
Vertex crossing(const Vertex& inside, double d_inside, const Vertex& outside, double d_outside) {
    const double t = d_inside / (d_inside - d_outside);
    Vertex vertex = inside;
    for (unsigned c = 0; c < 4; c++)
        vertex.position[c] = between(inside.position[c], outside.position[c], t);
    for (unsigned k = 0; k < most_varyings; k++)
        for (unsigned c = 0; c < 4; c++)
            vertex.varyings[k][c] = between(inside.varyings[k][c], outside.varyings[k][c], t);
    return vertex;
}

} // namespace

std::vector<Vertex> clip_polygon(const States& states, std::vector<Vertex> polygon) {
    for (unsigned plane = 0; plane < planes; plane++) {
        std::vector<Vertex> kept;
        for (size_t i = 0; i < polygon.size(); i++) {
            const Vertex& a = polygon[i];
            const Vertex& b = polygon[(i + 1) % polygon.size()];
            const double da = distance(states, plane, a), db = distance(states, plane, b);
            if (da >= 0)
                kept.push_back(a);
            if (da >= 0 && db < 0)
                kept.push_back(crossing(a, da, b, db));
            if (da < 0 && db >= 0)
                kept.push_back(crossing(b, db, a, da));
        }
        polygon = std::move(kept);
    }
    return polygon;
}

std::vector<Vertex> clip_line(const States& states, Vertex a, Vertex b) {
    for (unsigned plane = 0; plane < planes; plane++) {
        const double da = distance(states, plane, a), db = distance(states, plane, b);
        if (da < 0 && db < 0)
            return {};
        if (db < 0)
            b = crossing(a, da, b, db);
        else if (da < 0)
            a = crossing(b, db, a, da);
    }
    return {a, b};
}

/// A point outside the view volume in x or y is still drawn (OpenGL ES 2.0.25, 2.13).
bool point_is_visible(const States& states, const Vertex& vertex) {
    const float z = vertex.position[2], w = vertex.position[3];
    return z >= 0 && z <= w && w >= states.real(PA_W_CLIP_LIMIT);
}

/* ---- Primitives --------------------------------------------------------------------------- */

namespace {

enum FillMode { fill_point, fill_wireframe, fill_solid };

class Drawing {
public:
    explicit Drawing(Engine& engine) : engine_(engine), pixels_(pixel_program(engine)) {}

    void draw(const Primitive& primitive, const std::map<uint32_t, Vertex>& all) {
        std::vector<Vertex> vertices;
        for (const uint32_t number : primitive.vertices)
            vertices.push_back(all.at(number));
        if (!std::all_of(vertices.begin(), vertices.end(),
                         [](const Vertex& vertex) { return vertex.finite(); }))
            return;
        flat_ = all.at(primitive.provoking).varyings;
        switch (vertices.size()) {
        case 1:
            point(vertices[0], {});
            break;
        case 2:
            line(vertices[0], vertices[1], {});
            break;
        default:
            triangle(vertices);
        }
    }

private:
    const States& states() const { return engine_.states; }

    /// Properties that points and lines inherit from an unfilled triangle.
    struct Origin {
        bool front = false;
        float offset = 0;
    };

    void rasterize(std::unique_ptr<Shape> shape, Origin origin) {
        if (!shape)
            return;
        shape->flat = flat_;
        shape->front = origin.front;
        shape->offset = origin.offset;
        vivante_3d::rasterize(engine_, *shape, pixels_);
    }

    void point(const Vertex& vertex, Origin origin) {
        if (!point_is_visible(states(), vertex))
            return;
        const float size = vertex.size.value_or(2 * states().real(PA_POINT_SIZE));
        if (const auto place = to_window(states(), vertex))
            rasterize(make_point(*place, size, engine_.features.large_points ? 65534.0f : 8192.0f),
                      origin);
    }

    void line(const Vertex& from, const Vertex& to, Origin origin) {
        const std::vector<Vertex> clipped = clip_line(states(), from, to);
        if (clipped.empty())
            return;
        const auto a = to_window(states(), clipped[0]), b = to_window(states(), clipped[1]);
        if (a && b)
            rasterize(make_line(states(), *a, *b), origin);
    }

    bool is_culled(int64_t twice_area) const {
        const uint32_t mode = states().field(PA_CONFIG, 9, 8);
        return twice_area == 0 || (mode == 1 && twice_area > 0) || (mode == 2 && twice_area < 0);
    }

    void triangle(const std::vector<Vertex>& vertices) {
        std::vector<WindowVertex> polygon;
        for (const Vertex& vertex : clip_polygon(states(), vertices)) {
            const auto place = to_window(states(), vertex);
            if (!place)
                return;
            polygon.push_back(*place);
        }
        std::vector<std::array<WindowVertex, 3>> fan;
        for (size_t i = 1; i + 1 < polygon.size(); i++)
            fan.push_back({polygon[0], polygon[i], polygon[i + 1]});
        std::erase_if(fan, [](const auto& part) { return area(part) == 0; });
        const bool solid = states().field(PA_CONFIG, 13, 12) >= fill_solid;
        if (!solid && !engine_.features.solid_triangles) {
            outline(vertices, fan);
            return;
        }
        for (const auto& part : fan)
            if (!is_culled(area(part)))
                rasterize(make_triangle(part),
                          {area(part) > 0, solid ? polygon_offset(states(), part) : 0});
    }

    /// Draws an unfilled triangle's edges as lines or its vertices as points. `fan` is the triangle
    /// after clipping.
    void outline(const std::vector<Vertex>& v,
                 const std::vector<std::array<WindowVertex, 3>>& fan) {
        int64_t whole = 0;
        for (const auto& part : fan)
            whole += area(part);
        if (is_culled(whole))
            return;
        const Origin origin{whole > 0, polygon_offset(states(), fan.front())};
        for (size_t i = 0; i < 3; i++)
            if (states().field(PA_CONFIG, 13, 12) == fill_wireframe)
                line(v[i], v[(i + 1) % 3], origin);
            else
                point(v[i], origin);
    }

    Engine& engine_;
    const Program pixels_;
    std::array<Vector, most_varyings> flat_{};
};

void draw_instance(Engine& engine, const std::vector<Primitive>& primitives, const Program& program,
                   uint32_t instance) {
    std::map<uint32_t, Vertex> vertices;
    for (const Primitive& primitive : primitives)
        for (const uint32_t number : primitive.vertices) {
            if (vertices.count(number))
                continue;
            const std::optional<Vertex> vertex = shade(engine, program, {number, instance});
            if (!vertex)
                return;
            vertices[number] = *vertex;
        }
    Drawing drawing(engine);
    for (const Primitive& primitive : primitives)
        if (!engine.hung)
            drawing.draw(primitive, vertices);
}

} // namespace

void draw(Engine& engine, const DrawCommand& command) {
    const std::vector<Primitive> primitives = assemble(engine, command);
    if (primitives.empty())
        return;
    const Program program = vertex_program(engine);
    for (uint32_t instance = 0; instance < command.instances && !engine.hung; instance++)
        draw_instance(engine, primitives, program, instance);
}

} // namespace pixmill::reference::vivante_3d
