// A reference sampler, which samples one texel at a time in double precision. It follows OpenGL ES
// 2.0, 3.7.5 to 3.7.8, and the sampler registers (rnndb state_3d.xml, Mesa 25.0
// etnaviv_texture_state.c). It shares no code with the texture units.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <vector>

#include "te.hpp"

namespace pixmill::vivante::te::test {

enum class Shape { plane, row, rows, planes, cube, volume }; ///< rows and planes are arrays

struct Reference {
    Shape shape = Shape::plane;
    int width = 1, height = 1, depth = 1; ///< depth includes layers and the faces of a cube
    std::array<uint32_t, 3> wrap{};
    uint32_t min = 1, mip = 0, mag = 1;
    double lod_min = 0, lod_max = 0, bias = 0;
    unsigned most_taps = 1;
    /// A texel of a level.
    std::function<Texel(int level, int x, int y, int z)> texel;

    struct Point {
        double s = 0, t = 0, r = 0;
    };

    int width_of(int level) const { return std::max(width >> level, 1); }
    int height_of(int level) const {
        return shape == Shape::rows ? height : std::max(height >> level, 1);
    }
    int depth_of(int level) const {
        return shape == Shape::volume ? std::max(depth >> level, 1) : depth;
    }

    /// The face, s and t.
    static std::array<double, 3> project(const Point& d);
    /// Returns the change of s and t on the face of `d` for a change of the direction.
    static Point project_change(const Point& d, const Point& change);

    /// Returns the level of detail without bias.
    double lod_of(const Point& d, const Point& dx, const Point& dy) const;
    /// Samples at a level of detail that includes all biases, but is not yet clamped.
    Texel sample(const Point& at, double lod) const;

private:
    Texel level(int level, bool linear, const Point& at) const;
};

} // namespace pixmill::vivante::te::test
