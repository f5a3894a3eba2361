// The PA and the SE: from vertices behind the vertex shader to primitives in the window.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
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

/// What the states say of all primitives of a draw.
struct PaSetup {
    std::array<float, 3> scale{}, offset{}; ///< viewport: x, y, z
    float w_limit = 0;
    bool convert_z = false;   ///< z of clip coordinates is -w to w, not 0 to w
    int32_t pixel_centre = 0; ///< added to positions: 128 if integers are centres of pixels
    bool cull_positive = false, cull_negative = false; ///< triangles, by the sign of their area
    FillMode fill = FillMode::solid;
    render::Shape::LineStyle line;
    bool multisample = false; ///< lines are polygons
    bool vertex_size = false; ///< points have the size of their vertex
    float point_size = 1;     ///< if they do not
    float depth_scale = 0, depth_bias = 0;
    Varyings varyings;
    std::array<bool, most_varyings> flat{};
    bool point_coord = false; ///< some component is a coordinate within a point,
    bool sprite = false;      ///< which is 0 without this

    static PaSetup decode(States states, const Features3d& features);
};

/// What the window sees of a point, a line or a triangle.
struct Primitive {
    Primitive() {} // the varyings, most of which nobody needs, are not initialised

    render::Shape shape;
    bool positive = false; ///< part of a triangle whose area is above 0
    bool segment = false;  ///< a line

    /// The share of vertex 1 or 2 in position (x, y), in units of 1/256, is (x dx + y dy +
    /// constant) / total; vertex 0 has the rest. All are integers, or in points multiples of 2^-16.
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

    /// Of a segment z0 + share of vertex 1 * z_run; else z0 + ((x - x0) zx + (y - y0) zy), in
    /// pixels.
    double x0 = 0, y0 = 0, z0 = 0, zx = 0, zy = 0, z_run = 0;
    float z_offset = 0;

    /// Of vertex 0, and what the others have more.
    struct Varying {
        std::array<float, 4> value, more_1, more_2;
    };
    std::array<Varying, most_varyings> varying;
};

/// How many primitives one of the draw can become: a triangle that is cut by seven planes has ten
/// corners, and is drawn as a fan.
inline constexpr unsigned most_primitives = 8;

/// Appends what is to be drawn of the point, line or triangle with these one, two or three
/// vertices. Says what has become of it.
PaCounts set_up(const PaSetup& setup, std::span<const Vertex* const> vertices, unsigned provoking,
                std::vector<Primitive>& out);

} // namespace pixmill::vivante
