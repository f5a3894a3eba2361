// PA and SE: turn shaded vertices into primitives in the window.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/raster/shape.hpp"
#include "varyings.hpp"
#include "vertex.hpp"
#include "vivante/3d/draw_counts.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

enum class FillMode : uint8_t { point, wireframe, solid };

/// The decoded states that all primitives of a draw share.
struct PaSetup {
    std::array<float, 3> scale{}, offset{}; ///< viewport: x, y, z
    float w_limit = 0;
    bool convert_z = false;   ///< clip z ranges from -w to w, not from 0 to w
    int32_t pixel_center = 0; ///< added to positions: 128 if pixel centers are at integers
    bool cull_positive = false, cull_negative = false; ///< cull triangles by the sign of their area
    FillMode fill = FillMode::solid;
    render::Shape::LineStyle line;
    bool multisample = false; ///< lines are drawn as polygons
    bool vertex_size = false; ///< each vertex has a point size
    float point_size = 1;     ///< diameter in pixels if vertices have none
    float most_point = 0;     ///< maximum point size, in pixels
    float depth_scale = 0, depth_bias = 0;
    Varyings varyings;
    std::array<uint8_t, most_varyings> flat{}; ///< components, a bit for each
    bool point_coord = false;                  ///< a component is a point coordinate
    bool sprite = false;                       ///< point coordinates are generated; else they are 0

    static PaSetup decode(States states, const Features3d& features);
};

/// Returns the slot of the vertex shader's outputs that holds the point size, if there is one.
std::optional<uint8_t> point_size_output(States states, const Features3d& features,
                                         uint32_t varyings);

/// A point, a line or a triangle in the window, ready to be rasterized.
struct Primitive {
    Primitive() {} // leaves varyings, most of which are unused, uninitialized

    render::Shape shape;
    bool positive = false; ///< part of a triangle of positive area
    bool segment = false;  ///< a line

    /// The barycentric weight of vertex 1 or 2 at position (x, y), in units of 1/256 pixel, is (x
    /// dx + y dy + constant) / total. Vertex 0 has the remaining weight. All values are integers,
    /// except in points, where they are multiples of 2^-16.
    struct Share {
        double dx = 0, dy = 0, constant = 0;
    };
    std::array<Share, 2> share;
    double total = 1, inverse_total = 1;
    void set_total(double value) {
        total = value;
        inverse_total = 1 / value;
    }
    std::array<float, 3> rhw{};

    /// Depth in a segment is z0 + (weight of vertex 1) * z_run. Otherwise it is z0 + ((x - x0) zx +
    /// (y - y0) zy), with x and y in pixels.
    double x0 = 0, y0 = 0, z0 = 0, zx = 0, zy = 0, z_run = 0;
    float z_offset = 0;

    /// The value at vertex 0, and the differences between it and the values at vertices 1 and 2.
    struct Varying {
        std::array<float, 4> value, more_1, more_2;
    };
    std::array<Varying, most_varyings> varying;
};

/// Maximum number of primitives that set_up() appends: a triangle clipped by seven planes has ten
/// corners, and is drawn as a fan of eight triangles.
inline constexpr unsigned most_primitives = 8;

/// Clips, culls and sets up a point, line or triangle, which has one, two or three vertices.
/// Appends the resulting primitives to `out`. Returns whether it was clipped or discarded.
PaCounts set_up(const PaSetup& setup, std::span<const Vertex* const> vertices, unsigned provoking,
                std::vector<Primitive>& out);

} // namespace pixmill::vivante
