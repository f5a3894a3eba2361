// Primitive assembly. Expected values are calculated by hand from the rules in
// docs/hardware/vivante-3d.md. Windings of the cull modes: Mesa 25.0 etnaviv_rasterizer.c.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/pa/pa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "primitives.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;
using render::BlockMask;

/// Returns states with a viewport where clip coordinates with w = 1 are pixels and z' is z.
DrawStates pixels() {
    DrawStates states;
    states.viewport({1, 1, 1}, {0, 0, 0});
    states.set(0x0A88, 1u << 30); // PA_FLAGS: ZCONVERT_BYPASS
    return states;
}

/// Returns states with a larger viewport, because points must be inside it. Clip coordinates with
/// w = 16 are pixels.
DrawStates small_pixels() {
    DrawStates states = pixels();
    states.viewport({16, 16, 1}, {0, 0, 0});
    return states;
}

/// Returns a vertex with `value` in all four components of varying 0.
Vertex colored(float x, float y, float value, float z = 0.5f, float w = 1) {
    Vertex v = vertex(x * w, y * w, z * w, w);
    v.varying[0] = {value, value, value, value};
    return v;
}

TEST(Pa, PutsVerticesIntoTheWindow) {
    DrawStates states;
    states.viewport({128, -128, 1}, {128, 128, 0});
    struct Case {
        Vertex vertex;
        double x, y, z;
        float rhw;
    };
    const Case cases[] = {
        {vertex(0, 0, 0, 1), 128, 128, 0.5, 1},
        {vertex(1, 1, 1, 2), 192, 64, 0.75, 0.5f},
        {vertex(-1, 1, -1, 1), 0, 0, 0, 1},
    };
    for (const Case& c : cases) {
        const auto out = set_up(states.pa(), {c.vertex});
        ASSERT_EQ(out.size(), 1u);
        EXPECT_EQ(out[0].x0, c.x);
        EXPECT_EQ(out[0].y0, c.y);
        EXPECT_EQ(out[0].z0, c.z);
        EXPECT_EQ(out[0].rhw[0], c.rhw);
        EXPECT_FALSE(out[0].positive);
    }
    // The result must be the same if the core, or the driver's bypass flag, does not convert z.
    EXPECT_EQ(set_up(states.pa({.converts_z = false}), {vertex(1, 1, 1, 2)})[0].z0, 0.5);
    states.set(0x0A88, 1u << 30);
    EXPECT_EQ(set_up(states.pa(), {vertex(1, 1, 1, 2)})[0].z0, 0.5);
}

TEST(Pa, SnapsToTheNearestEven256th) {
    const PaSetup setup = pixels().pa();
    PaSetup moved = setup;
    moved.scale = {1, 1, 1};
    moved.offset = {8, 8, 0};
    const auto x = [&](float units) {
        return set_up(moved, {vertex(units / 256, 0, 0.5f, 1)})[0].x0 * 256 - 8 * 256;
    };
    EXPECT_EQ(x(0.5f), 0);
    EXPECT_EQ(x(1.5f), 2);
    EXPECT_EQ(x(2.5f), 2);
    EXPECT_EQ(x(1.25f), 1);
    EXPECT_EQ(x(-0.5f), 0);
    EXPECT_EQ(x(-1.5f), -2);
    DrawStates corners;
    corners.set(0x0A28, 1); // HALF_PIXEL_CENTER = 0
    EXPECT_EQ(set_up(corners.pa(), {vertex(0, 0, 0, 1)})[0].x0, 128.5);
    EXPECT_EQ(set_up(corners.pa(), {vertex(0, 0, 0, 1)})[0].y0, 128.5);
}

TEST(Pa, CullsByTheSignOfTheArea) {
    DrawStates states = pixels();
    const Vertex a = colored(0, 0, 0), b = colored(10, 0, 0), c = colored(0, 10, 0);
    PaSetup big = states.pa();
    big.scale = {10, 10, 1};
    const auto drawn = [&](uint32_t mode, bool positive) {
        states.set(0x0A34, 0x00412000 | mode << 8);
        const PaSetup setup = states.pa();
        const auto out = positive ? set_up(setup, {a, b, c}) : set_up(setup, {a, c, b});
        EXPECT_TRUE(out.empty() || out[0].positive == positive);
        return !out.empty();
    };
    // The area, 10 * 10, is positive: the winding is clockwise, which mode 1 culls.
    EXPECT_TRUE(drawn(0, true));
    EXPECT_FALSE(drawn(1, true));
    EXPECT_TRUE(drawn(2, true));
    EXPECT_TRUE(drawn(0, false));
    EXPECT_TRUE(drawn(1, false));
    EXPECT_FALSE(drawn(2, false));
    // Triangles with no area are not drawn in any mode.
    states.set(0x0A34, 0x00412000);
    EXPECT_TRUE(set_up(states.pa(), {a, b, b}).empty());
    EXPECT_TRUE(set_up(states.pa(), {a, b, colored(20, 0, 0)}).empty());
    // Two vertices that are closer than the grid are the same point.
    EXPECT_TRUE(set_up(states.pa(), {a, colored(0x1p-10f, 0, 0), c}).empty());
}

// ---- Clipping ----------------------------------------------------------------

/// Returns a vertex whose varying 0 is its clip position after the conversion of z. Clipping
/// interpolates both linearly, so the varying of a new corner must equal the corner's position.
Vertex traced(float x, float y, float z, float w) {
    Vertex v = vertex(x, y, z, w);
    v.varying[0] = {x, y, z, w};
    return v;
}

std::array<float, 4> corner(const Primitive& p, unsigned i) {
    std::array<float, 4> at;
    for (unsigned c = 0; c < 4; c++)
        at[c] = p.varying[0].value[c] + (i == 1   ? p.varying[0].more_1[c]
                                         : i == 2 ? p.varying[0].more_2[c]
                                                  : 0);
    return at;
}

PaSetup traced_setup() {
    DrawStates states = pixels();
    states.varyings({4});
    return states.pa();
}

using Corners3 = std::array<std::array<float, 4>, 3>;

Corners3 corners(const Primitive& p) {
    return {corner(p, 0), corner(p, 1), corner(p, 2)};
}

TEST(Pa, ClipsTrianglesAtEachPlane) {
    const PaSetup setup = traced_setup();
    // Near plane: z' < 0 at one corner, so both of its edges are cut halfway.
    auto out =
        set_up(setup, {traced(0, 0, -0.5f, 1), traced(8, 0, 0.5f, 1), traced(0, 8, 0.5f, 1)});
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(corners(out[0]), (Corners3{{{4, 0, 0, 1}, {8, 0, 0.5f, 1}, {0, 8, 0.5f, 1}}}));
    EXPECT_EQ(corners(out[1]), (Corners3{{{4, 0, 0, 1}, {0, 8, 0.5f, 1}, {0, 4, 0, 1}}}));
    // If two corners are outside, one triangle remains.
    out = set_up(setup, {traced(0, 0, 0.5f, 1), traced(8, 0, -0.5f, 1), traced(0, 8, -0.5f, 1)});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(corners(out[0]), (Corners3{{{0, 0, 0.5f, 1}, {4, 0, 0, 1}, {0, 4, 0, 1}}}));
    // Far plane: z' > w.
    out = set_up(setup, {traced(0, 0, 2, 1), traced(8, 0, 0.5f, 1.5f), traced(0, 8, 0.5f, 1.5f)});
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(corners(out[0]),
              (Corners3{{{4, 0, 1.25f, 1.25f}, {8, 0, 0.5f, 1.5f}, {0, 8, 0.5f, 1.5f}}}));
    // w.
    PaSetup limited = setup;
    limited.w_limit = 0.5f;
    out = set_up(limited, {traced(2, 2, 0, 0), traced(8, 0, 0, 1), traced(0, 8, 0, 1)});
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(corners(out[0]), (Corners3{{{5, 1, 0, 0.5f}, {8, 0, 0, 1}, {0, 8, 0, 1}}}));
    // The guard band on all sides.
    for (const float side : {1.0f, -1.0f}) {
        out =
            set_up(setup, {traced(0, 0, 0, 1), traced(side * 65534, 0, 0, 1), traced(0, 8, 0, 1)});
        ASSERT_EQ(out.size(), 2u);
        EXPECT_EQ(corners(out[0]),
                  (Corners3{{{0, 0, 0, 1}, {side * 32767, 0, 0, 1}, {side * 32767, 4, 0, 1}}}));
        EXPECT_EQ(corners(out[1]),
                  (Corners3{{{0, 0, 0, 1}, {side * 32767, 4, 0, 1}, {0, 8, 0, 1}}}));
        out =
            set_up(setup, {traced(0, 0, 0, 1), traced(0, side * 65534, 0, 1), traced(8, 0, 0, 1)});
        ASSERT_EQ(out.size(), 2u);
        EXPECT_EQ(corners(out[0]),
                  (Corners3{{{0, 0, 0, 1}, {0, side * 32767, 0, 1}, {4, side * 32767, 0, 1}}}));
    }
}

TEST(Pa, DropsWhatIsOutside) {
    const PaSetup setup = traced_setup();
    const float far = 1e6f;
    for (const std::array<float, 4>& offset : {std::array<float, 4>{0, 0, -9, 0},
                                               {0, 0, 9, 0},
                                               {0, 0, 0, -9},
                                               {far, 0, 0, 0},
                                               {-far, 0, 0, 0},
                                               {0, far, 0, 0},
                                               {0, -far, 0, 0}}) {
        const auto at = [&](float x, float y) {
            return traced(x + offset[0], y + offset[1], 0.5f + offset[2], 1 + offset[3]);
        };
        EXPECT_TRUE(set_up(setup, {at(0, 0), at(8, 0), at(0, 8)}).empty());
        EXPECT_TRUE(set_up(setup, {at(0, 0), at(8, 0)}).empty());
        EXPECT_TRUE(set_up(setup, {at(0, 0)}).empty());
    }
    // The corners are not all outside the same plane, but nothing is inside the volume.
    EXPECT_TRUE(
        set_up(setup, {traced(0, 0, -1, 1), traced(0, 0, 2, 1), traced(0, 0, -1, -1)}).empty());
}

TEST(Pa, DropsWhatIsNoNumber) {
    const PaSetup setup = traced_setup();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, infinite, -infinite})
        for (unsigned c = 0; c < 4; c++) {
            Vertex v = traced(1, 1, 0.5f, 1);
            v.position[c] = bad;
            EXPECT_TRUE(set_up(setup, {v}).empty());
            EXPECT_TRUE(set_up(setup, {traced(4, 1, 0.5f, 1), v}).empty());
            EXPECT_TRUE(set_up(setup, {traced(4, 1, 0, 1), traced(4, 4, 0, 1), v}).empty());
        }
    // With w = 0, which this w_limit allows, a vertex has no window coordinates.
    PaSetup any = setup;
    any.w_limit = 0;
    EXPECT_TRUE(set_up(any, {traced(0, 0, 0, 0)}).empty());
    EXPECT_TRUE(set_up(any, {traced(0, 0, 0, 0), traced(4, 0, 0, 1), traced(0, 4, 0, 1)}).empty());
    any.w_limit = -std::numeric_limits<float>::infinity();
    EXPECT_TRUE(set_up(any, {traced(0, 0, 0, 0)}).empty());
}

TEST(Pa, ClipsAllPlanesAtOnce) {
    // Random triangles around the volume, so that some corners are outside many planes.
    PaSetup setup = traced_setup();
    setup.scale = {32767, 32767, 1};
    Random random(7);
    size_t most = 0;
    for (int round = 0; round < 20000; round++) {
        const auto any = [&] {
            return traced(random.real(-3, 3), random.real(-3, 3), random.real(-1.5f, 2.5f),
                          random.real(-0.5f, 2));
        };
        const auto out = set_up(setup, {any(), any(), any()});
        ASSERT_LE(out.size(), most_primitives);
        most = std::max(most, out.size());
        for (const Primitive& p : out)
            for (const auto& [x, y, z, w] : corners(p)) {
                constexpr float slack = 1e-5f;
                ASSERT_GE(w, -slack);
                ASSERT_GE(z, -slack);
                ASSERT_LE(z, w + slack);
                ASSERT_LE(std::abs(x), w + slack);
                ASSERT_LE(std::abs(y), w + slack);
            }
    }
    EXPECT_GE(most, 5u);
}

TEST(Pa, CutsAnEdgeAtTheSamePlaceFromBothEnds) {
    DrawStates states;
    const PaSetup setup = states.pa();
    Random random(10);
    unsigned lines = 0;
    for (int round = 0; round < 1000; round++) {
        const auto any = [&](float low_z, float high_z) {
            return vertex(random.real(-1, 1), random.real(-1, 1), random.real(low_z, high_z),
                          random.real(1, 2));
        };
        const Vertex in = any(-1, 1), out = any(-5, -2), other = any(-1, 1);
        // The new corner is corner 1 of the first result and corner 0 of the other.
        const auto forth = set_up(setup, {in, out, other}), back = set_up(setup, {out, in, other});
        ASSERT_EQ(forth.size(), 2u);
        ASSERT_EQ(back.size(), 2u);
        ASSERT_EQ(forth[0].rhw[1], back[0].rhw[0]);
        const auto line = set_up(setup, {in, out}), turned = set_up(setup, {out, in});
        if (line.empty() || turned.empty())
            continue; // too short for a pixel
        lines++;
        ASSERT_EQ(line[0].rhw[1], turned[0].rhw[0]);
        ASSERT_EQ(line[0].rhw[1], forth[0].rhw[1]);
    }
    EXPECT_GT(lines, 500u);

    // An edge must be interpolated from its inner to its outer end. The opposite order would lose
    // precision near the inner end.
    const PaSetup exact = traced_setup();
    const Vertex inner = vertex(8, 0, 1e-20f, 1), other = vertex(0, 8, 0.5f, 1);
    Vertex outer = vertex(0, 0, -1, 1);
    outer.varying[0] = {1, 1, 1, 1}; // it is 0 in the other vertices
    EXPECT_EQ(set_up(exact, {other, inner, outer})[0].varying[0].more_1[0], 1e-20f);
    EXPECT_EQ(set_up(exact, {outer, inner, other})[0].varying[0].value[0], 1e-20f);
}

TEST(Pa, ClippedNeighboursTile) {
    // After clipping, the two triangles of a quad must cover it without overlaps or holes.
    DrawStates states;
    states.viewport({32, 32, 1}, {32, 32, 0});
    const PaSetup setup = states.pa();
    Random random(8);
    unsigned covered = 0;
    for (int round = 0; round < 3000; round++) {
        // The quad is a parallelogram in space, so that all four corners are in one plane.
        std::array<std::array<float, 4>, 3> at;
        for (auto& p : at) {
            for (float& c : p)
                c = float(random.in(-256, 256)) / 64; // so that sums are exact
            p[3] = float(random.in(-64, 256)) / 64;
        }
        std::array<Vertex, 4> v;
        for (unsigned c = 0; c < 4; c++) {
            v[0].position[c] = at[0][c];
            v[1].position[c] = at[1][c];
            v[2].position[c] = at[1][c] + at[2][c] - at[0][c];
            v[3].position[c] = at[2][c];
        }
        std::vector<Primitive> parts;
        // Each triangle starts at a random end of the shared edge.
        constexpr unsigned halves[2][2][3] = {{{0, 1, 2}, {2, 0, 1}}, {{0, 2, 3}, {2, 3, 0}}};
        for (unsigned half = 0; half < 2; half++) {
            const auto& list = halves[half][round >> half & 1];
            for (const Primitive& p : set_up(setup, {v[list[0]], v[list[1]], v[list[2]]}))
                parts.push_back(p);
        }
        for (int y = 0; y < 64; y += 8)
            for (int x = 0; x < 64; x += 8) {
                BlockMask seen = 0;
                for (const Primitive& p : parts) {
                    const BlockMask mask = p.shape.cover(x, y, {});
                    ASSERT_EQ(seen & mask, 0u) << "round " << round;
                    seen |= mask;
                }
                // The ray through a pixel hits the quad at s at[1] + t at[2] + (1 - s - t) at[0].
                for (int i = 0; i < 64; i++) {
                    const double nx = (x + i % 8 + 0.5 - 32) / 32, ny = (y + i / 8 + 0.5 - 32) / 32;
                    const auto row = [&](const std::array<float, 4>& p) {
                        return std::array<double, 2>{p[0] - nx * p[3], p[1] - ny * p[3]};
                    };
                    const auto a = row(at[0]), b = row(at[1]), c = row(at[2]);
                    const double d = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
                    if (std::abs(d) < 1e-3)
                        continue;
                    const double s = (-a[0] * (c[1] - a[1]) + (c[0] - a[0]) * a[1]) / d;
                    const double t = (-(b[0] - a[0]) * a[1] + a[0] * (b[1] - a[1])) / d;
                    const auto coordinate = [&](unsigned n) {
                        return at[0][n] + s * (at[1][n] - at[0][n]) + t * (at[2][n] - at[0][n]);
                    };
                    const double w = coordinate(3), z = coordinate(2);
                    // Positions are rounded, so pixels near the outline may differ.
                    constexpr double rim = 0.02;
                    if (s > rim && s < 1 - rim && t > rim && t < 1 - rim && w > 0.1 &&
                        z > -w * (1 - rim) && z < w * (1 - rim)) {
                        ASSERT_TRUE(seen >> i & 1)
                            << "round " << round << " " << x + i % 8 << ", " << y + i / 8;
                        covered++;
                    } else if (s < -rim || s > 1 + rim || t < -rim || t > 1 + rim ||
                               z < -w * (1 + rim) || z > w * (1 + rim)) {
                        ASSERT_FALSE(seen >> i & 1)
                            << "round " << round << " " << x + i % 8 << ", " << y + i / 8;
                    }
                }
            }
    }
    EXPECT_GT(covered, 20000u);
}

// ---- Flat shading ------------------------------------------------------------

TEST(Pa, ShadesFlatByTheProvokingVertex) {
    DrawStates states = pixels();
    states.varyings({4, 4});
    states.set(0x0A34, 0x00402000); // SHADE_MODEL: flat
    states.set(0x0A40, 0x200);      // varying 0: color; varying 1: BYPASS_FLAT
    const PaSetup setup = states.pa();
    EXPECT_TRUE(setup.flat[0]);
    EXPECT_FALSE(setup.flat[1]);
    std::array<Vertex, 3> v{colored(0, 0, 1), colored(8, 0, 2), colored(0, 8, 3)};
    for (Vertex& each : v)
        each.varying[1] = each.varying[0];
    for (const int provoking : {0, 1, 2}) {
        const auto out = set_up(setup, {v[0], v[1], v[2]}, provoking);
        ASSERT_EQ(out.size(), 1u);
        EXPECT_EQ(out[0].varying[0].value[0], provoking + 1);
        EXPECT_EQ(out[0].varying[0].more_1[0], 0);
        EXPECT_EQ(out[0].varying[0].more_2[0], 0);
        EXPECT_EQ(out[0].varying[1].value[0], 1);
        EXPECT_EQ(out[0].varying[1].more_1[0], 1);
        EXPECT_EQ(out[0].varying[1].more_2[0], 2);
    }
    for (const int provoking : {0, 1}) {
        const auto out = set_up(setup, {v[0], v[1]}, provoking);
        ASSERT_EQ(out.size(), 1u);
        EXPECT_EQ(out[0].varying[0].value[0], provoking + 1);
        EXPECT_EQ(out[0].varying[0].more_1[0], 0);
    }
    // The provoking vertex may itself be clipped off.
    v[2].position[2] = -0.5f;
    for (const Primitive& p : set_up(setup, {v[0], v[1], v[2]}, 2))
        EXPECT_EQ(p.varying[0].value[0], 3);
    states.set(0x0A34, 0x00412000);
    EXPECT_FALSE(states.pa().flat[0]);
}

// ---- Polygon offset ----------------------------------------------------------

TEST(Pa, OffsetsPolygons) {
    DrawStates states = small_pixels();
    states.real(0x0C10, 1.5f);      // SE_DEPTH_SCALE
    states.set(0x0C14, 0x34800001); // SE_DEPTH_BIAS: about 2^-22
    const float bias = std::bit_cast<float>(0x34800001u);
    // z increases by 1/64 in 8 columns and decreases by 1/32 in 8 rows.
    const Vertex a = colored(0, 0, 0, 0.5f), b = colored(0.5f, 0, 0, 0.515625f),
                 c = colored(0, 0.5f, 0, 0.46875f);
    const auto out = set_up(states.pa(), {a, b, c});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].zx, 1.0 / 512);
    EXPECT_EQ(out[0].zy, -1.0 / 256);
    EXPECT_EQ(out[0].z_offset, 1.5f / 256 + bias);
    // Lines and points have no depth offset, except as the edges and corners of a triangle.
    EXPECT_EQ(set_up(states.pa(), {a, b})[0].z_offset, 0);
    EXPECT_EQ(set_up(states.pa(), {a})[0].z_offset, 0);
    for (const uint32_t fill : {0u, 1u}) {
        states.set(0x0A34, 0x00410000 | fill << 12);
        const auto parts = set_up(states.pa(), {a, b, c});
        EXPECT_EQ(parts.size(), 3u);
        for (const Primitive& p : parts)
            EXPECT_EQ(p.z_offset, 1.5f / 256 + bias);
    }
}

// ---- Fill modes --------------------------------------------------------------

TEST(Pa, DrawsOutlinesAndCorners) {
    DrawStates states = small_pixels();
    // The corners are at the centers of pixels (1, 1), (6, 1) and (1, 4).
    const auto at = [](float x, float y) { return vertex(x, y, 8, 16); };
    const std::initializer_list<Vertex> triangle{at(1.5f, 1.5f), at(6.5f, 1.5f), at(1.5f, 4.5f)};
    const auto covered = [](const std::vector<Primitive>& all) {
        BlockMask mask = 0;
        for (const Primitive& p : all)
            mask |= p.shape.cover(0, 0, {});
        return mask;
    };
    states.set(0x0A34, 0x00411000); // FILL_MODE: wireframe
    auto out = set_up(states.pa(), triangle);
    ASSERT_EQ(out.size(), 3u);
    for (const Primitive& p : out) {
        EXPECT_TRUE(p.segment);
        EXPECT_TRUE(p.positive); // as for the triangle
    }
    // The edges cover columns 1 to 5 of row 1, rows 3, 3, 2, 2, 1 of columns 2 to 6 (the hypotenuse
    // y = 4.5 - 3/5 (x - 1.5)), and column 1 with the corner (1, 4).
    EXPECT_EQ(covered(out), 0x02'0E'32'7E'00u);
    states.set(0x0A34, 0x00410000); // points
    out = set_up(states.pa(), triangle);
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(covered(out), 0x02'00'00'42'00u);
    EXPECT_TRUE(out[0].positive);
    // Culled triangles and triangles with no area must have neither edges nor corners.
    for (const uint32_t fill : {0u, 1u}) {
        states.set(0x0A34, 0x00410100 | fill << 12);
        EXPECT_TRUE(set_up(states.pa(), triangle).empty());
        states.set(0x0A34, 0x00410000 | fill << 12);
        EXPECT_TRUE(set_up(states.pa(), {at(0, 0), at(8, 8), at(4, 4)}).empty());
    }
}

// See docs/hardware/vivante-3d.md, "Fill modes".
TEST(Pa, TrianglesMayBeSolidInEveryMode) {
    DrawStates states = small_pixels();
    states.real(0x0C10, 1.5f);  // SE_DEPTH_SCALE
    states.real(0x0C14, 0.25f); // SE_DEPTH_BIAS
    const Vertex a = colored(0, 0, 0, 0.5f), b = colored(0.5f, 0, 0, 0.5f),
                 c = colored(0, 0.5f, 0, 0.5f);
    const float offsets[] = {0, 0, 0.25f, 0.25f};
    for (uint32_t fill = 0; fill < 4; fill++) {
        states.set(0x0A34, 0x00410000 | fill << 12);
        const auto out = set_up(states.pa({.solid_triangles = true}), {a, b, c});
        ASSERT_EQ(out.size(), 1u);
        EXPECT_FALSE(out[0].segment);
        // The rows have 7 to 1 pixels, as the hypotenuse is a right edge through pixel centers.
        EXPECT_EQ(out[0].shape.cover(0, 0, {}), 0x0001'0307'0F1F'3F7Fu);
        EXPECT_EQ(out[0].z_offset, offsets[fill]) << fill;
    }
}

// ---- Lines -------------------------------------------------------------------

TEST(Pa, DrawsLinesAsWideAsTheStatesSay) {
    DrawStates states = pixels();
    const auto rows = [&](float half_width, uint32_t config) {
        states.real(0x0A18, half_width);
        states.real(0x0A38, half_width);
        states.set(0x0A34, config);
        const auto out = set_up(states.pa(), {colored(0, 4.5f, 0), colored(8, 4.5f, 0)});
        return out.size() == 1 ? int(out[0].shape.bounds().height()) : -1;
    };
    constexpr uint32_t wide = 0x00412000, narrow = 0x00012000; // WIDE_LINE is bit 22
    EXPECT_EQ(rows(0.5f, wide), 1);
    EXPECT_EQ(rows(0, wide), 1);
    EXPECT_EQ(rows(0.74f, wide), 1);
    EXPECT_EQ(rows(0.75f, wide), 2); // rounds 1.5 up
    EXPECT_EQ(rows(2.5f, wide), 5);
    EXPECT_EQ(rows(2.5f, narrow), 1);
    EXPECT_EQ(rows(1e30f, wide), 8192);
    EXPECT_EQ(rows(std::numeric_limits<float>::quiet_NaN(), wide), 1);
    EXPECT_EQ(rows(-3, wide), 1);
}

TEST(Pa, LeavesOutTheLastPixelOfALine) {
    DrawStates states = pixels();
    const auto mask = [&] {
        return set_up(states.pa(), {colored(1.5f, 0.5f, 0), colored(4.5f, 0.5f, 0)})[0].shape.cover(
            0, 0, {});
    };
    EXPECT_EQ(mask(), 0x0Eu);
    states.set(0x0C18, 1); // SE_CONFIG: LAST_PIXEL_ENABLE
    EXPECT_EQ(mask(), 0x1Eu);
}

TEST(Pa, ClipsLines) {
    const PaSetup setup = traced_setup();
    // The line from z' = -0.5 to z' = 1.5 is clipped at both ends.
    auto out = set_up(setup, {traced(0, 0, -0.5f, 1), traced(8, 4, 1.5f, 1)});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(corner(out[0], 0), (std::array<float, 4>{2, 1, 0, 1}));
    EXPECT_EQ(corner(out[0], 1), (std::array<float, 4>{6, 3, 1, 1}));
    EXPECT_EQ(out[0].z0, 0);
    EXPECT_EQ(out[0].z_run, 1);
    out = set_up(setup, {traced(-65534, 4, 0, 1), traced(65534, 4, 0, 1)});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(corner(out[0], 0)[0], -32767);
    EXPECT_EQ(corner(out[0], 1)[0], 32767);
    EXPECT_TRUE(set_up(setup, {traced(4, 4, 0, 1), traced(4, 4, 0, 1)}).empty());
}

TEST(Pa, LinesOfSamplesAreRectangles) {
    DrawStates states = pixels();
    states.multisample(4);
    states.real(0x0A38, 1); // half of a width of two pixels
    const auto covered = [&](Vertex a, Vertex b, render::SamplePosition sample) {
        return set_up(states.pa(), {a, b})[0].shape.cover(0, 0, sample);
    };
    // All samples of rows 1 and 2, from x = 1 to 3.
    EXPECT_EQ(covered(colored(1, 2, 0), colored(3, 2, 0), {32, 32}), 0x060600u);
    EXPECT_EQ(covered(colored(1, 2, 0), colored(3, 2, 0), {224, 224}), 0x060600u);
    EXPECT_EQ(covered(colored(2, 3, 0), colored(2, 1, 0), {32, 32}), 0x060600u);
    // From y = 0.5 to 2.5: lower samples are covered in rows 0 and 1, upper samples in 1 and 2.
    EXPECT_EQ(covered(colored(1, 1.5f, 0), colored(3, 1.5f, 0), {32, 32}), 0x060600u);
    EXPECT_EQ(covered(colored(1, 1.5f, 0), colored(3, 1.5f, 0), {32, 224}), 0x000606u);
}

// ---- Points ------------------------------------------------------------------

TEST(Pa, DrawsPointsAsSquares) {
    DrawStates states = pixels();
    states.real(0x0A1C, 2); // half the point size
    const auto cover = [&](const Vertex& v) {
        const auto out = set_up(states.pa(), {v});
        return out.empty() ? 0 : out[0].shape.cover(8, 8, {});
    };
    PaSetup setup = states.pa();
    EXPECT_EQ(setup.point_size, 4);
    // The point around (10, 10) covers pixels 8 to 11. With w = 16, it is inside the viewport.
    states.viewport({16, 16, 1}, {0, 0, 0});
    const Vertex at = vertex(10, 10, 8, 16);
    EXPECT_EQ(cover(at), 0x0F0F0F0Fu);
    EXPECT_FALSE(set_up(states.pa(), {at})[0].positive);
    // The vertex's point size applies if the states enable it and the shader outputs it.
    Vertex sized = at;
    sized.point_size = 2;
    EXPECT_EQ(cover(sized), 0x0F0F0F0Fu);
    states.set(0x0A34, 0x00412004);
    EXPECT_EQ(cover(sized), 0x0F0F0F0Fu);
    states.set(0x0804, 2);
    EXPECT_EQ(cover(sized), 0x060600u);
    // A point has at least one pixel, and at most 8192 if the core limits the size.
    for (const float small : {0.0f, -5.0f, 0.5f, std::numeric_limits<float>::quiet_NaN()}) {
        sized.point_size = small;
        EXPECT_EQ(set_up(states.pa(), {sized})[0].shape.bounds(), (render::Rect{9, 9, 11, 11}));
        EXPECT_EQ(cover(sized), 0x000200u);
    }
    sized.point_size = std::numeric_limits<float>::infinity();
    EXPECT_EQ(set_up(states.pa(), {sized})[0].shape.bounds().right, 10 + 4096 + 1);
    sized.point_size = 8208;
    EXPECT_EQ(set_up(states.pa(), {sized})[0].shape.bounds().right, 10 + 4096 + 1);
}

// dEQP-GLES2 rasterization.limits.points draws 8 pixels beyond the limit on the i.MX6Q.
TEST(Pa, DrawsPointsOfAnySizeIfTheCoreDoes) {
    DrawStates states = pixels();
    states.viewport({16, 16, 1}, {0, 0, 0});
    states.set(0x0A34, 0x00412004);
    states.set(0x0804, 2);
    Vertex sized = vertex(10, 10, 8, 16);
    const auto right = [&](float size) {
        sized.point_size = size;
        return set_up(states.pa({.large_points = true}), {sized})[0].shape.bounds().right;
    };
    EXPECT_EQ(right(8208), 10 + 4104 + 1);
    // The model limits larger sizes, because its coordinates have a limited range.
    EXPECT_EQ(right(65534), 10 + 32767 + 1);
    EXPECT_EQ(right(std::numeric_limits<float>::infinity()), 10 + 32767 + 1);
}

// OpenGL ES 2.0.25, 2.13. dEQP-GLES2 clipping.point.wide_point_clip* passes on the i.MX6Q.
TEST(Pa, DiscardsPointsOnlyByDepth) {
    DrawStates states;
    const PaSetup setup = states.pa();
    const auto drawn = [&](float x, float y, float z, float w) {
        return !set_up(setup, {vertex(x, y, z, w)}).empty();
    };
    EXPECT_TRUE(drawn(2, 2, 2, 2));
    EXPECT_TRUE(drawn(-2, -2, -2, 2));
    EXPECT_TRUE(drawn(2.001f, 0, 0, 2));
    EXPECT_TRUE(drawn(-2.001f, 0, 0, 2));
    EXPECT_TRUE(drawn(0, 2.001f, 0, 2));
    EXPECT_TRUE(drawn(0, -2.001f, 0, 2));
    EXPECT_FALSE(drawn(0, 0, 2.001f, 2));
    EXPECT_FALSE(drawn(0, 0, -2.001f, 2));
    EXPECT_FALSE(drawn(0, 0, 0, 1e-8f));
    // The viewport extends 128 pixels to either side. At x = 256, a point's position is outside the
    // range of the model's coordinates.
    EXPECT_TRUE(drawn(254, 0, 0, 1));
    EXPECT_FALSE(drawn(256, 0, 0, 1));
}

TEST(Pa, DrawsThePartOfAPointThatReachesIntoTheWindow) {
    DrawStates states = pixels();
    states.real(0x0A1C, 2); // half the size
    states.viewport({16, 16, 1}, {0, 0, 0});
    // The center (17, 10) is right of the viewport. The point has pixels 15 to 18 of rows 8 to 11.
    const auto out = set_up(states.pa(), {vertex(17, 10, 8, 16)});
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].shape.cover(8, 8, {}), 0x80808080u);
}

// ---- Random input ------------------------------------------------------------

TEST(Pa, SurvivesAnyBits) {
    Random random(9);
    uint64_t drawn = 0;
    DrawStates states;
    Inputs inputs;
    for (int round = 0; round < 30000; round++) {
        // Returns random bits, or often a number that is more likely to be valid.
        const auto bits = [&]() -> uint32_t {
            switch (random.in(0, 3)) {
            case 0:
                return random.word();
            case 1:
                return std::bit_cast<uint32_t>(random.real(-2, 2));
            case 2:
                return std::bit_cast<uint32_t>(std::ldexp(random.real(-1, 1), random.in(-40, 40)));
            default:
                return random.word() & 1 ? 0x3F800000 : 0;
            }
        };
        if (round % 8 == 0) {
            states = {};
            for (uint32_t address = 0x0A00; address < 0x0A90; address += 4)
                if (random.in(0, 2) == 0)
                    states.set(address, bits());
            for (const uint32_t address :
                 {0x0C00, 0x0C04, 0x0C08, 0x0C0C, 0x0C10, 0x0C14, 0x0C18, 0x3818, 0x0E10, 0x0E40,
                  0x3820, 0x3828, 0x382C, 0x3834, 0x3838, 0x3854, 0x0804})
                if (random.in(0, 1) == 0)
                    states.set(uint32_t(address), random.in(0, 1) ? random.word() : bits());
        }
        const PaSetup setup = states.pa();
        const RaSetup ra = states.ra();
        ASSERT_LE(setup.varyings.count, most_varyings);
        ASSERT_TRUE(ra.scissor.left >= 0 && ra.scissor.right <= 8192 && ra.scissor.top >= 0 &&
                    ra.scissor.bottom <= 8192);
        std::array<Vertex, 3> v;
        for (Vertex& each : v) {
            for (float& f : each.position)
                f = std::bit_cast<float>(bits());
            for (auto& varying : each.varying)
                for (float& f : varying)
                    f = std::bit_cast<float>(bits());
            each.point_size = std::bit_cast<float>(bits());
        }
        const unsigned count = unsigned(random.in(1, 3));
        std::vector<Primitive> out;
        const Vertex* pointers[] = {&v[0], &v[1], &v[2]};
        set_up(setup, std::span(pointers, count), count - 1, out);
        ASSERT_LE(out.size(), most_primitives);
        for (const Primitive& p : out) {
            const render::Rect bounds = p.shape.bounds();
            ASSERT_TRUE(bounds.left >= -40961 && bounds.top >= -40961 && bounds.right <= 40962 &&
                        bounds.bottom <= 40962);
            QuadRef quad{&p, random.in(0, 4095) * 2, random.in(0, 4095) * 2, {1, 2, 4, 9}};
            (void)p.shape.cover(quad.x, quad.y, {});
            inputs.interpolate(ra, {&quad, 1});
            for (unsigned s = 0; s < ra.samples; s++)
                for (const float z : inputs.depth[s].f)
                    ASSERT_TRUE(z >= 0 && z <= 1);
            drawn++;
        }
    }
    EXPECT_GT(drawn, 2000u);
}

} // namespace
} // namespace pixmill::vivante
