// Declarations shared by the parts of the reference: engine, vertices, shapes, fragments.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "floats.hpp"
#include "states.hpp"
#include "surfaces.hpp"
#include "vivante_3d.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pixmill::reference::vivante_3d {

/// Components are x, y, z, w or red, green, blue, alpha.
using Vector = std::array<float, 4>;
constexpr Vector vector_default = {0, 0, 0, 1};

/// The state of GL_OCCLUSION_QUERY, which counts the samples that pass.
struct Query {
    bool active = false;
    uint32_t address = 0;
    uint64_t count = 0;
};

struct Engine {
    Memory& memory;
    Features features;
    States states;
    Query query;
    bool hung = false;
};

/// NaN becomes 0.
template<typename T>
T unit_clamp(T value) {
    return value > 0 ? std::min<T>(value, 1) : 0;
}

/// `function` is 0 never, 1 less, 2 equal, 3 lequal, 4 greater, 5 notequal, 6 gequal or 7 always.
template<typename T>
bool passes(uint32_t function, T incoming, T stored) {
    return (function & 1 && incoming < stored) || (function & 2 && incoming == stored) ||
           (function & 4 && incoming > stored);
}

/* ---- RS, resolve.cpp ---------------------------------------------------------------------- */

/// Executes the job that a write of RS_KICKER starts.
void resolve(Engine& engine);
/// Executes the job that a write of RS_KICKER_INPLACE starts: stores the clear value in the cleared
/// ones of the color target's first tiles, and leaves the tile status.
void resolve_in_place(Engine& engine, uint32_t tiles);

/* ---- FE, vertices.cpp --------------------------------------------------------------------- */

struct DrawCommand {
    uint32_t type = 0, start = 0, primitives = 0;
    bool indexed = false;
    int32_t offset = 0;
    std::optional<uint32_t> vertices = {}; ///< DRAW_INSTANCED counts vertices, not primitives
    uint32_t instances = 1;
};

/// The indices of a primitive's one to three vertices and of its provoking vertex.
struct Primitive {
    std::vector<uint32_t> vertices;
    uint32_t provoking = 0;
};

std::vector<Primitive> assemble(const Engine& engine, const DrawCommand& command);

struct VertexNumber {
    uint32_t vertex = 0, instance = 0;
};

/// Returns the address of the states that describe the vertex elements.
uint32_t element_states(const Engine& engine);
/// Fetches vertex element `element`.
Vector attribute(const Engine& engine, unsigned element, VertexNumber number);

/* ---- Samplers, textures.cpp --------------------------------------------------------------- */

struct Gradients {
    std::array<double, 3> x{}, y{}; ///< change per pixel to the right and down
};

struct Lookup {
    std::array<float, 3> at{};
    std::optional<Gradients> gradients = {}; ///< without gradients, the level of detail is 0
    std::optional<float> lod = {};           ///< overrides the gradients
    float bias = 0;
    std::optional<float> reference = {}; ///< compared with the depth if the sampler compares
};

/// Returns the number of samplers.
unsigned sampler_count(const Engine& engine);
Vector sample(const Engine& engine, unsigned sampler, const Lookup& lookup);
/// Returns the texel at whole coordinates, in the level that is closest to `lod`.
Vector fetch_texel(const Engine& engine, unsigned sampler, const std::array<int32_t, 3>& at,
                   float lod);
/// Returns one component of the four texels that a linear filter takes from the first level.
Vector gather(const Engine& engine, unsigned sampler, const Lookup& lookup, unsigned component);

/* ---- SH, shader.cpp ----------------------------------------------------------------------- */

using Register = std::array<uint32_t, 4>; ///< components as raw bits

struct Source {
    bool used = false;
    unsigned number = 0, swizzle = 0, address_mode = 0, group = 0;
    bool negate = false, absolute = false;
};

struct Instruction {
    unsigned opcode = 0, condition = 0, type = 0, rounding = 0;
    bool saturate = false, writes = false;
    unsigned destination = 0, components = 0, destination_mode = 0;
    unsigned sampler = 0, sampler_mode = 0, sampler_swizzle = 0;
    unsigned left_shift = 0; ///< of LOAD and STORE
    std::array<Source, 3> sources;
    unsigned target = 0;
};

Instruction decode(const std::array<uint32_t, 4>& words);

struct Program {
    std::vector<Instruction> code;
    uint32_t uniforms = 0; ///< address of u0
    uint32_t uniform_count = 0;
    unsigned sampler_base = 0; ///< added to sampler numbers, modulo 32 (HALTI5)

    bool may_write(unsigned reg, unsigned component) const;
};

Program vertex_program(const Engine& engine);
Program pixel_program(const Engine& engine);

/// One vertex, or one pixel of a quad.
struct Invocation {
    std::array<Register, 64> temporaries{};
    std::array<int32_t, 4> address{}; ///< register a0
    float face = 0;                   ///< register i0.x
    bool live = true;                 ///< false for pixels that are shaded only for their neighbors
    bool killed = false;
    unsigned pc = 0;
    std::vector<unsigned> calls;

    Vector vector(unsigned reg) const;
    void set(unsigned reg, const Vector& value);
    void write(unsigned reg, const Register& value);
};

/// Runs one vertex, or the pixels (0,0), (1,0), (0,1), (1,1) of a quad. Returns false if the
/// instruction limit was reached.
bool run(const Engine& engine, const Program& program, std::span<Invocation> lanes);

/* ---- PA and SE, primitives.cpp ------------------------------------------------------------ */

constexpr unsigned most_varyings = 16;

struct Vertex {
    Vector position{}; ///< clip coordinates, with z already converted
    std::array<Vector, most_varyings> varyings{};
    std::optional<float> size; ///< point size, if the shader writes it

    bool finite() const;
};

/// Runs the vertex shader and collects position and varyings.
std::optional<Vertex> shade(Engine& engine, const Program& program, VertexNumber number);

/// A vertex in window coordinates; x and y are in units of 1/256 pixel.
struct WindowVertex {
    int32_t x = 0, y = 0;
    float z = 0, rhw = 0;
    std::array<Vector, most_varyings> varyings{};
};

/// Returns nothing if a coordinate is not finite or more than 32768 pixels away.
std::optional<WindowVertex> to_window(const States& states, const Vertex& vertex);
std::vector<Vertex> clip_polygon(const States& states, std::vector<Vertex> polygon);
std::vector<Vertex> clip_line(const States& states, Vertex from, Vertex to);
bool point_is_visible(const States& states, const Vertex& vertex);

/// A point in 1/256 pixel.
struct Place {
    int32_t x = 0, y = 0;
};

class Shape {
public:
    virtual ~Shape() = default;

    virtual bool covers(Place place) const = 0;
    /// Returns one weight per vertex; the weights sum to 1.
    virtual std::vector<double> weights(Place place) const = 0;
    virtual float depth(Place place) const = 0;
    /// Returns the point sprite coordinates s and t.
    virtual std::array<float, 2> point_coordinate(Place) const { return {0, 0}; }

    std::vector<WindowVertex> vertices;
    std::array<Vector, most_varyings> flat{}; ///< varyings of the provoking vertex
    bool is_point = false;
    bool front = false; ///< the area is positive
    float offset = 0;   ///< polygon offset, in window depth
    Place first, last;  ///< bounds of the covered points, inclusive
};

/// Shades and clips the vertices and draws the remaining triangles, lines and points.
void draw(Engine& engine, const DrawCommand& command);

/* ---- RA, shapes.cpp, raster.cpp ----------------------------------------------------------- */

/// Returns null if the triangle's area is zero.
std::unique_ptr<Shape> make_triangle(const std::array<WindowVertex, 3>& v);
/// Returns null if the line's length is zero. With multisampling, the line is drawn as a rectangle.
std::unique_ptr<Shape> make_line(const States& states, const WindowVertex& from,
                                 const WindowVertex& to);
std::unique_ptr<Shape> make_point(const WindowVertex& vertex, float size, float most);

/// Returns the polygon offset of a triangle with a nonzero area.
float polygon_offset(const States& states, const std::array<WindowVertex, 3>& v);
/// Returns twice the area in (1/256 pixel)^2; it is positive for what the hardware calls clockwise.
int64_t area(const std::array<WindowVertex, 3>& v);

/// In pixels.
int32_t line_width(const States& states);

/// Returns the number of samples per pixel: 1, 2 or 4.
unsigned sample_count(const States& states);

void rasterize(Engine& engine, const Shape& shape, const Program& program);

/* ---- PE, output.cpp ----------------------------------------------------------------------- */

constexpr unsigned most_targets = 8;

struct Fragment {
    uint32_t x = 0, y = 0;
    uint32_t coverage = 0;        ///< one bit per sample
    std::array<float, 4> depth{}; ///< per sample, 0 to 1
    std::array<Vector, most_targets> colors{};
    bool front = false;
};

void output(Engine& engine, const Fragment& fragment);

} // namespace pixmill::reference::vivante_3d
