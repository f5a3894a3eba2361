// Inputs of the pixel shader and the PE. Expected values are calculated by hand, or by a reference
// in long double, from the rules in docs/hardware/vivante-3d.md. Sample tables: Mesa 25.0
// etnaviv_emit.c.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/ra/ra.hpp"
#include "tests/processor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "../pa/primitives.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;
using render::Position;
using render::SamplePosition;

TEST(Ra, RoundsTheScissorDown) {
    DrawStates states;
    const auto scissor = [&](float left, float top, float right, float bottom) {
        states.scissor(left, top, right, bottom);
        return states.ra().scissor;
    };
    // Mesa sets 0x00100000, 0, 0x00201119 and 0x00201111 in 16.16, including its margins.
    EXPECT_EQ(scissor(16, 0, float(0x201119) / 65536, float(0x201111) / 65536),
              (render::Rect{16, 0, 32, 32}));
    EXPECT_EQ(scissor(0.999f, 7.5f, 8191.99f, 8193), (render::Rect{0, 7, 8191, 8192}));
    EXPECT_EQ(scissor(-3, -0.5f, 1e30f, std::numeric_limits<float>::infinity()),
              (render::Rect{0, 0, 8192, 8192}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(scissor(0, 0, nan, 9).empty());
    EXPECT_TRUE(scissor(9, 0, 9, 9).empty());
    EXPECT_TRUE(scissor(10, 0, 9, 9).empty());
}

TEST(Ra, ReadsTheTablesOfSamples) {
    DrawStates states;
    EXPECT_EQ(states.ra().samples, 1u);
    EXPECT_EQ(states.ra().enabled, 1);
    EXPECT_EQ(states.ra().sample[0], (SamplePosition{128, 128}));

    const auto at = [](int x, int y) { return SamplePosition{uint8_t(16 * x), uint8_t(16 * y)}; };
    states.multisample(4);
    RaSetup ra = states.ra();
    EXPECT_EQ(ra.samples, 4u);
    EXPECT_EQ(ra.enabled, 15);
    EXPECT_EQ(ra.sample, (std::array{at(6, 2), at(14, 6), at(2, 10), at(10, 14)}));
    EXPECT_EQ(ra.centroid[1], at(6, 2));
    EXPECT_EQ(ra.centroid[2], at(14, 6));
    EXPECT_EQ(ra.centroid[3], at(10, 4));
    EXPECT_EQ(ra.centroid[4], at(2, 10));
    EXPECT_EQ(ra.centroid[8], at(10, 14));
    EXPECT_EQ(ra.centroid[12], at(6, 12));
    EXPECT_EQ(ra.centroid[15], at(8, 8));

    states.multisample(2);
    ra = states.ra();
    EXPECT_EQ(ra.samples, 2u);
    EXPECT_EQ(ra.enabled, 3);
    EXPECT_EQ(ra.sample[0], at(2, 2));
    EXPECT_EQ(ra.sample[1], at(10, 10));
    EXPECT_EQ(ra.centroid[1], at(2, 2));
    EXPECT_EQ(ra.centroid[2], at(10, 10));
    EXPECT_EQ(ra.centroid[3], at(6, 6));

    states.set(0x3818, 0x52); // MSAA_ENABLES
    EXPECT_EQ(states.ra().enabled, 5);
    EXPECT_TRUE(states.pa().multisample);
}

TEST(Ra, CountsComponents) {
    DrawStates states;
    states.varyings({2, 4});
    states.set(0x3828, 0xE); // point coordinates in packed components 0 and 1
    Varyings varyings = Varyings::decode(states.states());
    EXPECT_EQ(varyings.count, 2u);
    EXPECT_EQ(varyings.components[0], 2);
    EXPECT_EQ(varyings.components[1], 4);
    EXPECT_EQ(varyings.use[0][0], ComponentUse::point_coord_x);
    EXPECT_EQ(varyings.use[0][1], ComponentUse::point_coord_y);
    EXPECT_EQ(varyings.use[1][0], ComponentUse::generic);
    // Nine varyings have up to 36 packed components, whose uses are in three words.
    states.varyings({4, 4, 4, 4, 4, 4, 4, 4});
    states.set(0x0A30, 9 << 8);
    states.set(0x3834, 3); // GL_VARYING_NUM_COMPONENTS2
    states.set(0x3828, 0);
    states.set(0x382C, 1u << 30); // packed component 31 is a color
    states.set(0x3838, 2u << 4);  // packed component 34 is point_coord_x
    varyings = Varyings::decode(states.states());
    EXPECT_EQ(varyings.count, 9u);
    EXPECT_EQ(varyings.components[8], 3);
    EXPECT_EQ(varyings.use[7][3], ComponentUse::color);
    EXPECT_EQ(varyings.use[8][2], ComponentUse::point_coord_x);
    EXPECT_EQ(varyings.use[8][1], ComponentUse::generic);
    // Counts above the maximum are clamped.
    states.set(0x0A30, 0xFF00);
    states.set(0x3820, 0xFFFFFFFF);
    states.set(0x3834, 0xFFFFFFFF);
    varyings = Varyings::decode(states.states());
    EXPECT_EQ(varyings.count, 16u);
    EXPECT_EQ(varyings.components[15], 4);
}

// ---- Interpolation -----------------------------------------------------------

/// Runs each test with the portable and with the native loops.
class RaTest : public testing::TestWithParam<bool> {
protected:
    const processor::Portable portable_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Isa, RaTest, testing::Bool(), [](const auto& portable) {
    return portable.param ? "portable" : "native";
});

/// A corner with an exact window position. w must be a power of two.
struct Placed {
    Position at; ///< in units of 1/256 pixel
    float z, w;
    std::array<float, 4> varying;

    Vertex vertex() const {
        Vertex v = test::vertex(float(at.x) / 256 * w, float(at.y) / 256 * w, z * w, w);
        v.varying[1] = varying;
        return v;
    }
};

DrawStates exact_window() {
    DrawStates states;
    states.viewport({1, 1, 1}, {0, 0, 0});
    states.set(0x0A88, 1u << 30); // PA_FLAGS: ZCONVERT_BYPASS
    states.varyings({0, 3});
    return states;
}

struct Reference {
    float z; ///< without the depth offset
    long double rhw;
    std::array<long double, 4> varying;
};

/// Returns the inputs at a window position, by the formulas of the documentation. It specifies
/// double precision for z; the rest is calculated in long double.
Reference at_position(const std::array<Placed, 3>& v, int32_t x, int32_t y) {
    std::array<double, 3> px, py, vz;
    std::array<long double, 3> b, rhw;
    for (int i = 0; i < 3; i++) {
        px[i] = v[i].at.x / 256.0;
        py[i] = v[i].at.y / 256.0;
        vz[i] = v[i].z;
        rhw[i] = 1 / (long double)(v[i].w);
    }
    const double X1 = px[1] - px[0], Y1 = py[1] - py[0], Z1 = vz[1] - vz[0];
    const double X2 = px[2] - px[0], Y2 = py[2] - py[0], Z2 = vz[2] - vz[0];
    const double D = X1 * Y2 - X2 * Y1;
    const double zx = (Z1 * Y2 - Z2 * Y1) / D, zy = (Z2 * X1 - Z1 * X2) / D;
    Reference r;
    r.z = float(vz[0] + ((x / 256.0 - px[0]) * zx + (y / 256.0 - py[0]) * zy));
    long double sum = 0;
    for (int i = 0; i < 3; i++) {
        const Placed &p = v[(i + 1) % 3], &q = v[(i + 2) % 3];
        b[i] = (long double)(render::doubled_area(p.at, q.at, {x, y})) /
               (long double)(render::doubled_area(v[0].at, v[1].at, v[2].at));
        sum += rhw[i] * b[i];
    }
    r.rhw = sum;
    for (int c = 0; c < 4; c++) {
        long double a = 0;
        for (int i = 0; i < 3; i++)
            a += v[i].varying[c] * rhw[i] * b[i];
        r.varying[c] = a / sum;
    }
    return r;
}

Placed random_corner(Random& random, int32_t range) {
    return {{random.in(0, range), random.in(0, range)},
            random.real(0, 1),
            std::ldexp(1.0f, random.in(-4, 4)),
            {random.real(-1, 1), random.real(0, 1000), float(random.in(-3, 3)), 0}};
}

TEST_P(RaTest, InterpolatesWithPerspective) {
    const DrawStates states = exact_window();
    const PaSetup pa = states.pa();
    const RaSetup ra = states.ra();
    Random random(1);
    Inputs in;
    unsigned pixels = 0;
    for (int round = 0; round < 3000; round++) {
        const int32_t range = round % 3 ? 32 * 256 : 8191 * 256;
        std::array<Placed, 3> v{random_corner(random, range), random_corner(random, range),
                                random_corner(random, range)};
        const auto out = set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()});
        if (out.empty())
            continue;
        ASSERT_EQ(out.size(), 1u);
        // 16 random quads inside the triangle or on its outline.
        std::vector<QuadRef> quads;
        for (unsigned q = 0; q < quad_count; q++) {
            const float s = random.real(0, 1), t = random.real(0, 1 - s);
            const auto mixed = [&](int a, int b, int c) {
                return (int32_t(a + s * float(b - a) + t * float(c - a)) >> 8) & ~1;
            };
            quads.push_back({&out[0],
                             std::clamp(mixed(v[0].at.x, v[1].at.x, v[2].at.x), 0, 8190),
                             std::clamp(mixed(v[0].at.y, v[1].at.y, v[2].at.y), 0, 8190),
                             {15}});
        }
        in.interpolate(ra, quads);
        for (unsigned lane = 0; lane < lane_count; lane++) {
            const QuadRef& quad = quads[lane / 4];
            const int32_t x = quad.x + int32_t(lane & 1), y = quad.y + int32_t(lane >> 1 & 1);
            ASSERT_EQ(in.t[0][0].f[lane], float(x) + 0.5f);
            ASSERT_EQ(in.t[0][1].f[lane], float(y) + 0.5f);
            const bool covered = out[0].shape.cover(x, y, {}) & 1;
            if (!covered)
                continue;
            pixels++;
            const Reference r = at_position(v, x * 256 + 128, y * 256 + 128);
            const float z = std::clamp(r.z, 0.0f, 1.0f);
            ASSERT_EQ(in.t[0][2].f[lane], z);
            ASSERT_EQ(in.depth[0].f[lane], z);
            ASSERT_NEAR(in.t[0][3].f[lane], double(r.rhw), double(r.rhw) * 0x1p-20);
            for (unsigned c = 0; c < 3; c++) {
                float largest = 0;
                for (const Placed& p : v)
                    largest = std::max(largest, std::abs(p.varying[c]));
                ASSERT_NEAR(in.t[2][c].f[lane], double(r.varying[c]), largest * 0x1p-18);
            }
            // Components that are in no varying have defaults.
            ASSERT_EQ(in.t[2][3].f[lane], 1);
            ASSERT_EQ(in.t[1][0].f[lane], 0);
            ASSERT_EQ(in.t[1][2].f[lane], 0);
            ASSERT_EQ(in.t[1][3].f[lane], 1);
        }
    }
    EXPECT_GT(pixels, 50000u);
}

TEST_P(RaTest, SliversAndConstantsAreExactEnough) {
    const DrawStates states = exact_window();
    const PaSetup pa = states.pa();
    const RaSetup ra = states.ra();
    Inputs in;
    // A diagonal sliver of 8000 pixels in x and y, one unit thick, through pixel centers.
    const std::array<Placed, 3> v{
        Placed{{128, 128}, 0, 1, {-5, 3, 0, 0}},
        Placed{{128 + 8000 * 256, 128 + 8000 * 256}, 1, 4, {5, 3, 1, 0}},
        Placed{{128 + 4000 * 256, 127 + 4000 * 256}, 0.5f, 2, {1, 3, 0, 0}}};
    const auto out = set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()});
    ASSERT_EQ(out.size(), 1u);
    unsigned pixels = 0;
    for (int32_t at = 0; at < 8000; at += 2) {
        const QuadRef quad{&out[0], at, at, {15}};
        in.interpolate(ra, {&quad, 1});
        for (unsigned lane = 0; lane < 4; lane++) {
            const int32_t x = at + int32_t(lane & 1), y = at + int32_t(lane >> 1);
            if (!(out[0].shape.cover(x, y, {}) & 1))
                continue;
            pixels++;
            const Reference r = at_position(v, x * 256 + 128, y * 256 + 128);
            ASSERT_NEAR(in.t[2][0].f[lane], double(r.varying[0]), 5 * 0x1p-18) << at;
            ASSERT_EQ(in.t[2][1].f[lane], 3); // all corners have 3, so this is exact
            ASSERT_EQ(in.depth[0].f[lane], r.z);
        }
    }
    EXPECT_GT(pixels, 100u);
}

TEST_P(RaTest, ClippingLeavesVaryingsWhereTheyWere) {
    DrawStates states;
    states.viewport({32, 32, 1}, {32, 32, 0});
    states.varyings({2});
    const PaSetup pa = states.pa();
    const RaSetup ra = states.ra();
    Random random(3);
    Inputs in;
    unsigned pixels = 0;
    for (int round = 0; round < 4000; round++) {
        std::array<Vertex, 3> v;
        for (Vertex& each : v) {
            each = vertex(random.real(-3, 3), random.real(-3, 3), random.real(-3, 3),
                          random.real(-1, 3));
            each.varying[0] = {random.real(-1, 1), random.real(0, 9), 0, 0};
        }
        // Returns the varying, or 1 / w, at the point where the ray through a window position
        // intersects the triangle's plane.
        const auto meet = [&](double x, double y, unsigned component) {
            std::array<double, 2> row[3];
            for (int i = 0; i < 3; i++)
                row[i] = {v[i].position[0] - (x - 32) / 32 * v[i].position[3],
                          v[i].position[1] - (y - 32) / 32 * v[i].position[3]};
            const auto cross = [&](int i, int j) {
                return row[i][0] * row[j][1] - row[j][0] * row[i][1];
            };
            const double b[3] = {cross(1, 2), cross(2, 0), cross(0, 1)};
            double value = 0, sum = 0;
            for (int i = 0; i < 3; i++) {
                const Vertex& from = v[i];
                value += b[i] * (component == 2 ? from.position[3] : from.varying[0][component]);
                sum += b[i];
            }
            return component == 2 ? sum / value : value / sum;
        };
        const auto parts = set_up(pa, {v[0], v[1], v[2]});
        if (parts.size() < 2)
            continue; // the triangle is not clipped
        for (const Primitive& p : parts)
            for (int i = 0; i < 20; i++) {
                const QuadRef quad{&p, random.in(0, 31) * 2, random.in(0, 31) * 2, {15}};
                if (!(p.shape.cover(quad.x, quad.y, {}) & 1))
                    continue;
                in.interpolate(ra, {&quad, 1});
                pixels++;
                for (unsigned component = 0; component < 3; component++) {
                    // Corners are rounded to 1/256 pixel, so accept values of nearby positions.
                    double low = 1e30, high = -1e30;
                    for (const double dx : {-0.01, 0.0, 0.01})
                        for (const double dy : {-0.01, 0.0, 0.01}) {
                            const double at = meet(quad.x + 0.5 + dx, quad.y + 0.5 + dy, component);
                            low = std::min(low, at);
                            high = std::max(high, at);
                        }
                    const float got = component == 2 ? in.t[0][3].f[0] : in.t[1][component].f[0];
                    const double slack = 1e-3 * (std::abs(low) + std::abs(high)) + 1e-4;
                    ASSERT_TRUE(got >= low - slack && got <= high + slack)
                        << "round " << round << ": " << got << ", not " << low << " to " << high;
                }
            }
    }
    EXPECT_GT(pixels, 2000u);
}

/// A block must give the same inputs as its sixteen quads, unless w is the same at all vertices,
/// and inputs not requested are not written.
TEST_P(RaTest, ABlockIsItsQuads) {
    for (const uint32_t samples : {1u, 2u, 4u}) {
        DrawStates states = exact_window();
        if (samples > 1)
            states.multisample(samples);
        const PaSetup pa = states.pa();
        const RaSetup ra = states.ra();
        Random random(7);
        for (int round = 0; round < 20; round++) {
            const Placed v[] = {random_corner(random, 8192), random_corner(random, 8192),
                                random_corner(random, 8192)};
            for (const Primitive& p : set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()})) {
                const BlockRef block{&p, random.in(0, 3) * 8, random.in(0, 3) * 8};
                std::vector<QuadRef> quads;
                for (int32_t q = 0; q < int32_t(quad_count); q++)
                    quads.push_back(
                        {&p, block.x + q % 4 * 2, block.y + q / 4 * 2, {15, 15, 15, 15}});
                Inputs expected, whole, part;
                expected.interpolate(ra, quads);
                PixelInputs all{whole.t.data(), &whole.face, whole.depth.data(), 0};
                interpolate(ra, block, all);
                EXPECT_EQ(all.positive, expected.positive);
                EXPECT_EQ(std::memcmp(&whole.face, &expected.face, sizeof whole.face), 0);
                EXPECT_EQ(std::memcmp(&whole.t, &expected.t, sizeof whole.t), 0);
                EXPECT_EQ(std::memcmp(&whole.depth, &expected.depth, sizeof whole.depth), 0);

                const std::array<uint8_t, 2 + most_varyings> wanted{1, 0, 2};
                PixelInputs some{part.t.data(), &part.face, nullptr, 0, wanted};
                interpolate(ra, block, some);
                EXPECT_EQ(std::memcmp(&part.t[0][0], &expected.t[0][0], sizeof(Lanes)), 0);
                EXPECT_EQ(std::memcmp(&part.t[2][1], &expected.t[2][1], sizeof(Lanes)), 0);
                EXPECT_EQ(part.t[2][0].f[5], 0);
                EXPECT_EQ(part.t[0][1].f[5], 0);
            }
        }
    }
}

/// If w is the same at all vertices, varyings are planes inside blocks.
TEST_P(RaTest, ABlockWithoutPerspectiveIsExactEnough) {
    const DrawStates states = exact_window();
    const PaSetup pa = states.pa();
    const RaSetup ra = states.ra();
    Random random(11);
    Inputs in;
    unsigned blocks = 0;
    for (int round = 0; round < 3000; round++) {
        const int32_t range = round % 3 ? 64 * 256 : 8191 * 256;
        std::array<Placed, 3> v{random_corner(random, range), random_corner(random, range),
                                random_corner(random, range)};
        v[1].w = v[2].w = v[0].w;
        const auto out = set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()});
        if (out.empty())
            continue;
        const auto middle = [&](int a, int b, int c) { return ((a + b + c) / 3 >> 8) & ~7; };
        const BlockRef block{&out[0], middle(v[0].at.x, v[1].at.x, v[2].at.x),
                             middle(v[0].at.y, v[1].at.y, v[2].at.y)};
        if (~out[0].shape.cover(block.x, block.y, {}))
            continue;
        blocks++;
        PixelInputs all{in.t.data(), &in.face, in.depth.data(), 0};
        interpolate(ra, block, all);
        for (unsigned lane = 0; lane < lane_count; lane++) {
            const unsigned quad = lane / 4;
            const int32_t x = block.x + int32_t(quad % 4 * 2 + lane % 2);
            const int32_t y = block.y + int32_t(quad / 4 * 2 + lane / 2 % 2);
            const Reference r = at_position(v, x * 256 + 128, y * 256 + 128);
            ASSERT_NEAR(in.t[0][3].f[lane], double(r.rhw), double(r.rhw) * 0x1p-20);
            for (unsigned c = 0; c < 3; c++) {
                float largest = 0;
                for (const Placed& p : v)
                    largest = std::max(largest, std::abs(p.varying[c]));
                ASSERT_NEAR(in.t[2][c].f[lane], double(r.varying[c]), largest * 0x1p-21);
            }
        }
    }
    EXPECT_GT(blocks, 500u);
}

/// Positions and depths do not depend on w, and varyings do not depend on which other inputs are
/// requested.
TEST_P(RaTest, ABlockWithoutPerspectiveHasThePositionsOfItsQuads) {
    unsigned blocks = 0;
    for (const uint32_t samples : {1u, 4u}) {
        DrawStates states = exact_window();
        if (samples > 1)
            states.multisample(samples);
        const PaSetup pa = states.pa();
        const RaSetup ra = states.ra();
        Random random(13);
        for (int round = 0; round < 20; round++) {
            std::array<Placed, 3> v{random_corner(random, 8192), random_corner(random, 8192),
                                    random_corner(random, 8192)};
            v[1].w = v[2].w = v[0].w;
            for (const Primitive& p : set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()})) {
                const BlockRef block{&p, random.in(0, 3) * 8, random.in(0, 3) * 8};
                std::vector<QuadRef> quads;
                for (int32_t q = 0; q < int32_t(quad_count); q++)
                    quads.push_back(
                        {&p, block.x + q % 4 * 2, block.y + q / 4 * 2, {15, 15, 15, 15}});
                Inputs expected, whole, part;
                expected.interpolate(ra, quads);
                PixelInputs all{whole.t.data(), &whole.face, whole.depth.data(), 0};
                interpolate(ra, block, all);
                EXPECT_EQ(std::memcmp(&whole.t[0], &expected.t[0], 3 * sizeof(Lanes)), 0);
                EXPECT_EQ(std::memcmp(&whole.depth, &expected.depth, sizeof whole.depth), 0);

                const std::array<uint8_t, 2 + most_varyings> wanted{0, 0, 0xF};
                PixelInputs some{part.t.data(), nullptr, nullptr, 0, wanted};
                interpolate(ra, block, some);
                EXPECT_EQ(std::memcmp(&part.t[2], &whole.t[2], sizeof(Vector)), 0);
                EXPECT_EQ(part.t[0][0].f[5], 0);
                blocks++;
            }
        }
    }
    EXPECT_GT(blocks, 20u);
}

/// Sixteen blocks from one preparation must be the blocks interpolated alone, for all inputs that
/// are planes.
TEST_P(RaTest, PlanesOfAPrimitiveAreThoseOfItsBlocks) {
    unsigned blocks = 0, refused = 0;
    BlockPlanes planes;
    for (const uint32_t samples : {1u, 4u}) {
        DrawStates states = exact_window();
        if (samples > 1)
            states.multisample(samples);
        const PaSetup pa = states.pa();
        const RaSetup ra = states.ra();
        Random random(17);
        for (int round = 0; round < 20; round++) {
            std::array<Placed, 3> v{random_corner(random, 8192), random_corner(random, 8192),
                                    random_corner(random, 8192)};
            if (round % 4)
                v[1].w = v[2].w = v[0].w;
            const bool linear = v[1].w == v[0].w && v[2].w == v[0].w;
            for (const Primitive& p : set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()})) {
                // Everything but positions, and one of the three varyings' components.
                for (const std::array<uint8_t, 2 + most_varyings>& wanted :
                     {std::array<uint8_t, 2 + most_varyings>{8, 15, 15, 15}, {0, 0, 2}, {0, 9}}) {
                    Inputs together, alone;
                    const PixelInputs out{together.t.data(), &together.face, nullptr, 0, wanted};
                    const bool constant = wanted[0] == 0 && wanted[2] == 0;
                    ASSERT_EQ(planes.prepare(ra, p, out), linear || constant);
                    refused += !(linear || constant);
                    if (!(linear || constant))
                        continue;
                    for (int32_t n = 0; n < 16; n++) {
                        const int32_t x = n % 4 * 8, y = n / 4 * 8;
                        planes.interpolate(x, y);
                        PixelInputs in{alone.t.data(), &alone.face, nullptr, 0, wanted};
                        interpolate(ra, BlockRef{&p, x, y}, in);
                        ASSERT_EQ(std::memcmp(&together.t, &alone.t, sizeof alone.t), 0);
                        ASSERT_EQ(std::memcmp(&together.face, &alone.face, sizeof(Lanes)), 0);
                        blocks++;
                    }
                }
                Inputs in;
                PixelInputs depth{in.t.data(), nullptr, in.depth.data(), 0};
                EXPECT_FALSE(planes.prepare(ra, p, depth));
                depth.depth = nullptr;
                EXPECT_FALSE(planes.prepare(ra, p, depth)) << "the position is needed";
            }
        }
    }
    EXPECT_GT(blocks, 500u);
    EXPECT_GT(refused, 4u);
}

TEST_P(RaTest, QuadsOfSeveralTrianglesShareABatch) {
    DrawStates states = exact_window();
    states.real(0x0C14, 0.125f); // SE_DEPTH_BIAS
    const PaSetup pa = states.pa();
    const RaSetup ra = states.ra();
    Random random(2);
    std::vector<Primitive> primitives;
    while (primitives.size() < 5) {
        const Placed v[] = {random_corner(random, 8192), random_corner(random, 8192),
                            random_corner(random, 8192)};
        for (const Primitive& p : set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()}))
            primitives.push_back(p);
    }
    for (const unsigned run : {1u, 2u, 3u, 7u, 10u, 11u}) { // quads of one primitive
        SCOPED_TRACE(run);
        std::vector<QuadRef> quads;
        for (unsigned q = 0; q < 11; q++)
            quads.push_back(
                {&primitives[q / run % 5], random.in(0, 15) * 2, random.in(0, 15) * 2, {15}});
        Inputs together, alone;
        together.interpolate(ra, quads);
        for (unsigned q = 0; q < quad_count; q++) {
            const QuadRef& quad = quads[std::min(q, 10u)]; // unused lanes must repeat the last quad
            alone.interpolate(ra, {&quad, 1});
            for (unsigned i = 0; i < 4; i++) {
                const unsigned lane = 4 * q + i;
                for (unsigned t = 0; t < 3; t++)
                    for (unsigned c = 0; c < 4; c++)
                        ASSERT_EQ(std::bit_cast<uint32_t>(together.t[t][c].f[lane]),
                                  std::bit_cast<uint32_t>(alone.t[t][c].f[i]));
                ASSERT_EQ(together.depth[0].f[lane], alone.depth[0].f[i]);
                ASSERT_EQ(together.face.f[lane], quad.primitive->positive ? 1 : 0);
                ASSERT_EQ(together.positive >> lane & 1, quad.primitive->positive ? 1u : 0u);
            }
        }
    }
}

TEST_P(RaTest, TheFaceIsThatOfPositiveArea) {
    const DrawStates states = exact_window();
    const Placed a{{0, 0}, 0, 1, {}}, b{{2560, 0}, 0, 1, {}}, c{{0, 2560}, 0, 1, {}};
    Inputs in;
    for (const bool positive : {true, false}) {
        const auto out = positive ? set_up(states.pa(), {a.vertex(), b.vertex(), c.vertex()})
                                  : set_up(states.pa(), {a.vertex(), c.vertex(), b.vertex()});
        ASSERT_EQ(out.size(), 1u);
        const QuadRef quad{&out[0], 0, 0, {15}};
        in.interpolate(states.ra(), {&quad, 1});
        EXPECT_EQ(in.face.f[0], positive ? 1 : 0);
        EXPECT_EQ(in.face.f[63], positive ? 1 : 0);
        EXPECT_EQ(in.positive, positive ? ~LaneMask(0) : 0);
    }
    const auto line = set_up(states.pa(), {a.vertex(), b.vertex()});
    const QuadRef quad{&line[0], 0, 0, {3}};
    in.interpolate(states.ra(), {&quad, 1});
    EXPECT_EQ(in.face.f[0], 0);
}

TEST_P(RaTest, AddsTheOffsetAndClamps) {
    DrawStates states = exact_window();
    const auto depth = [&](float z, float bias) {
        states.real(0x0C14, bias);
        const Placed a{{0, 0}, z, 1, {}}, b{{2560, 0}, z, 1, {}}, c{{0, 2560}, z, 1, {}};
        const auto out = set_up(states.pa(), {a.vertex(), b.vertex(), c.vertex()});
        const QuadRef quad{&out[0], 0, 0, {15}};
        Inputs in;
        in.interpolate(states.ra(), {&quad, 1});
        EXPECT_EQ(in.t[0][2].f[0], in.depth[0].f[0]);
        return in.depth[0].f[0];
    };
    EXPECT_EQ(depth(0.5f, 0), 0.5f);
    EXPECT_EQ(depth(0.5f, 0.25f), 0.75f);
    EXPECT_EQ(depth(0.5f, 0x1p-26f), 0.5f);
    EXPECT_EQ(depth(0.75f, 0.5f), 1);
    EXPECT_EQ(depth(0.25f, -0.5f), 0);
    EXPECT_EQ(depth(0.25f, std::numeric_limits<float>::infinity()), 1);
    EXPECT_EQ(depth(0.25f, std::numeric_limits<float>::quiet_NaN()), 0);
}

// ---- Lines and points --------------------------------------------------------

TEST_P(RaTest, InterpolatesAlongLines) {
    const DrawStates states = exact_window();
    // The line goes 8 columns to the left, with z from 1 to 0 and w from 1 to 4.
    const Placed a{{9 * 256, 300}, 1, 1, {0, 8, 0, 0}}, b{{256, 1000}, 0, 4, {1, 0, 0, 0}};
    const auto out = set_up(states.pa(), {a.vertex(), b.vertex()});
    ASSERT_EQ(out.size(), 1u);
    Inputs in;
    for (int32_t x = 0; x < 10; x += 2) {
        const QuadRef quad{&out[0], x, 2, {15}};
        in.interpolate(states.ra(), {&quad, 1});
        for (unsigned lane = 0; lane < 4; lane++) {
            const int32_t c = (x + int32_t(lane & 1)) * 256 + 128;
            if (c < 256 || c > 9 * 256)
                continue;
            const double t = double(c - 9 * 256) / (-8 * 256);
            EXPECT_EQ(in.depth[0].f[lane], float(1 + t * -1.0));
            const double rhw = (1 - t) + t / 4;
            EXPECT_NEAR(in.t[0][3].f[lane], rhw, 1e-6);
            EXPECT_NEAR(in.t[2][0].f[lane], t / 4 / rhw, 1e-6);
            EXPECT_NEAR(in.t[2][1].f[lane], 8 * (1 - t) / rhw, 8e-6);
        }
    }
    // The same along y.
    const auto steep = set_up(states.pa(), {Placed{{300, 256}, 0, 1, {0}}.vertex(),
                                            Placed{{400, 9 * 256}, 1, 1, {8}}.vertex()});
    const QuadRef quad{&steep[0], 0, 4, {15}};
    in.interpolate(states.ra(), {&quad, 1});
    EXPECT_EQ(in.depth[0].f[0], 0.4375f);
    EXPECT_EQ(in.depth[0].f[2], 0.5625f);
    EXPECT_EQ(in.t[2][0].f[0], 3.5f);
}

TEST_P(RaTest, GivesPointsTheirCoordinates) {
    DrawStates states;
    states.viewport({16, 16, 1}, {0, 0, 0});
    states.real(0x0A1C, 2);
    states.set(0x0A34, 0x00412010); // POINT_SPRITE_ENABLE
    states.varyings({2, 4});
    states.set(0x3828, 0xE);
    Vertex v = vertex(10, 10, 0, 16);
    v.varying[0] = {7, 7, 7, 7};
    v.varying[1] = {1, 2, 3, std::numeric_limits<float>::infinity()};
    auto out = set_up(states.pa(), {v});
    ASSERT_EQ(out.size(), 1u);
    Inputs in;
    const QuadRef quads[] = {{&out[0], 8, 8, {15}}, {&out[0], 10, 10, {15}}};
    in.interpolate(states.ra(), quads);
    // (8.5 - 8) / 4, and so on.
    EXPECT_EQ(in.t[1][0].f[0], 0.125f);
    EXPECT_EQ(in.t[1][1].f[0], 0.125f);
    EXPECT_EQ(in.t[1][0].f[1], 0.375f);
    EXPECT_EQ(in.t[1][1].f[1], 0.125f);
    EXPECT_EQ(in.t[1][0].f[2], 0.125f);
    EXPECT_EQ(in.t[1][1].f[2], 0.375f);
    EXPECT_EQ(in.t[1][0].f[7], 0.875f);
    EXPECT_EQ(in.t[1][1].f[7], 0.875f);
    EXPECT_EQ(in.t[1][2].f[0], 0);
    EXPECT_EQ(in.t[1][3].f[0], 1);
    for (unsigned lane = 0; lane < 8; lane++) {
        EXPECT_EQ(in.t[0][3].f[lane], 0x1p-4f);
        EXPECT_EQ(in.t[0][2].f[lane], 0.5f);
        for (unsigned c = 0; c < 4; c++)
            EXPECT_EQ(in.t[2][c].f[lane], v.varying[1][c]);
    }
    // Without point sprites, or for other primitives, there are no point coordinates.
    states.set(0x0A34, 0x00412000);
    out = set_up(states.pa(), {v});
    const QuadRef plain{&out[0], 8, 8, {15}};
    in.interpolate(states.ra(), {&plain, 1});
    EXPECT_EQ(in.t[1][0].f[0], 0);
    EXPECT_EQ(in.t[2][0].f[0], 1);
    states.set(0x0A34, 0x00412010);
    out = set_up(states.pa(), {v, vertex(0, 0, 0, 16)});
    const QuadRef line{&out[0], 8, 8, {15}};
    in.interpolate(states.ra(), {&line, 1});
    EXPECT_EQ(in.t[1][1].f[0], 0);
}

// ---- Multisampling -----------------------------------------------------------

TEST_P(RaTest, ShadesAtTheCentroidWhereTheCenterIsNotCovered) {
    DrawStates states = exact_window();
    states.multisample(4);
    const RaSetup ra = states.ra();
    // The varyings are x and y in pixels, and z is 1/2 + x / 256. The triangle covers everything
    // left of x = 2.25 pixels.
    const auto corner = [](int32_t x, int32_t y) {
        return Placed{{x, y}, 0.5f + float(x) / 65536, 1, {float(x) / 256, float(y) / 256, 0, 0}};
    };
    const Placed a = corner(576, -25600), b = corner(576, 25600), c = corner(-25600, 0);
    const auto out = set_up(states.pa(), {a.vertex(), b.vertex(), c.vertex()});
    ASSERT_EQ(out.size(), 1u);
    QuadRef quads[2];
    for (int i = 0; i < 2; i++) {
        quads[i] = {&out[0], 2 * i, 2, {}};
        for (unsigned s = 0; s < 4; s++) {
            const render::BlockMask mask = out[0].shape.cover(2 * i, 2, ra.sample[s]);
            quads[i].covered[s] = uint8_t((mask & 3) | (mask >> 6 & 12));
        }
    }
    // Columns 0 and 1 are fully covered, column 2 only at sample 2 (x = 2/16), column 3 not at all.
    EXPECT_EQ(quads[0].covered, (std::array<uint8_t, 4>{15, 15, 15, 15}));
    EXPECT_EQ(quads[1].covered, (std::array<uint8_t, 4>{0, 0, 5, 0}));
    Inputs in;
    in.t[3][0].f[5] = 9;
    in.interpolate(ra, quads);
    constexpr float slack = 1e-5f;
    for (unsigned lane = 0; lane < 8; lane++) {
        const float x = float(lane / 4 * 2 + (lane & 1)), y = float(2 + (lane >> 1 & 1));
        const bool moved = lane == 4 || lane == 6;
        EXPECT_NEAR(in.t[2][0].f[lane], x + (moved ? 0.125f : 0.5f), slack) << lane;
        EXPECT_NEAR(in.t[2][1].f[lane], y + (moved ? 0.625f : 0.5f), slack) << lane;
        EXPECT_EQ(in.t[0][0].f[lane], x + 0.5f);
        EXPECT_EQ(in.t[0][1].f[lane], y + 0.5f);
        EXPECT_NEAR(in.t[0][2].f[lane], 0.5f + (x + (moved ? 0.125f : 0.5f)) / 256, 1e-7f);
        // The depth of each sample is that of its position: x is 6, 14, 2 and 10 sixteenths.
        constexpr float sample_x[] = {0.375f, 0.875f, 0.125f, 0.625f};
        for (unsigned s = 0; s < 4; s++)
            EXPECT_NEAR(in.depth[s].f[lane], 0.5f + (x + sample_x[s]) / 256, 1e-7f) << lane;
        for (unsigned c2 = 0; c2 < 4; c2++)
            EXPECT_EQ(in.t[3][c2].f[lane], 0); // no driver uses this input
    }
}

/* HALTI5 has rules for each component: the first is at the centroid, the second at the center. */
TEST_P(RaTest, SomeComponentsStayAtTheCenter) {
    DrawStates states = exact_window();
    states.multisample(4);
    RaSetup ra = states.ra();
    ra.varyings.rule[1] = {0, Varyings::centered, 0, 0};
    ra.varyings.rules |= 1 << Varyings::centered;
    const auto corner = [](int32_t x, int32_t y) {
        return Placed{{x, y}, 0, 1, {float(x) / 256, float(x) / 256, 0, 0}};
    };
    // Covers everything left of x = 2.25: in column 2, only sample 2, whose x is 2/16.
    const Placed a = corner(576, -25600), b = corner(576, 25600), c = corner(-25600, 0);
    const auto out = set_up(states.pa(), {a.vertex(), b.vertex(), c.vertex()});
    const QuadRef quad{&out[0], 2, 2, {0, 0, 5, 0}};
    Inputs in;
    in.interpolate(ra, {&quad, 1});
    EXPECT_NEAR(in.t[2][0].f[0], 2.125f, 1e-5f);
    EXPECT_NEAR(in.t[2][1].f[0], 2.5f, 1e-5f);
}

TEST_P(RaTest, InterpolatesWithoutPerspective) {
    const DrawStates states = exact_window();
    RaSetup ra = states.ra();
    ra.varyings.rule[1] = {0, Varyings::linear, 0, 0};
    ra.varyings.rules |= 1 << Varyings::linear;
    const auto corner = [](int32_t x, int32_t y, float w, float value) {
        return Placed{{x, y}, 0, w, {value, value, 0, 0}};
    };
    const std::array<Placed, 3> v{corner(0, 0, 1, 0), corner(16 * 256, 0, 4, 16),
                                  corner(0, 16 * 256, 2, 64)};
    const auto out = set_up(states.pa(), {v[0].vertex(), v[1].vertex(), v[2].vertex()});
    ASSERT_EQ(out.size(), 1u);
    const QuadRef quad{&out[0], 4, 6, {15}};
    Inputs in;
    in.interpolate(ra, {&quad, 1});
    const Reference r = at_position(v, 4 * 256 + 128, 6 * 256 + 128);
    EXPECT_NEAR(in.t[2][0].f[0], double(r.varying[0]), 1e-4);
    EXPECT_NEAR(in.t[2][1].f[0], 4.5f + 4 * 6.5f, 1e-4f); // the value is x + 4 y
    EXPECT_GT(std::abs(in.t[2][0].f[0] - in.t[2][1].f[0]), 1);
    EXPECT_NEAR(in.t[0][3].f[0], double(r.rhw), 1e-6);
}

/* Integers in flat varyings keep their bits: 0x80000000 is not -0, and 0x7F800001 is no NaN. */
TEST_P(RaTest, FlatComponentsKeepTheirBits) {
    DrawStates states = exact_window();
    states.set(0x0A34, 0x00402000); // PA_CONFIG, SHADE_MODEL: flat
    states.set(0x0A44, 0);          // the first varying stays smooth
    Features3d features;
    features.halti2 = true;
    const PaSetup pa = states.pa(features);
    const RaSetup ra = states.ra(features);
    constexpr std::array<uint32_t, 3> bits = {0x80000000, 0x7F800001, 0xFF800001};
    std::array<float, 4> flat{};
    std::memcpy(flat.data(), bits.data(), sizeof bits);
    const auto expect_bits = [&](const Inputs& in, const char* path) {
        for (unsigned c = 0; c < bits.size(); c++)
            for (unsigned lane = 0; lane < lane_count; lane++)
                ASSERT_EQ(std::bit_cast<uint32_t>(in.t[2][c].f[lane]), bits[c])
                    << path << ", component " << c << ", lane " << lane;
    };
    for (const float w : {1.0f, 2.0f}) { // of one of the vertices
        SCOPED_TRACE(w);
        const std::array<Placed, 3> v{Placed{{0, 0}, 0, 1, {1, 2, 3, 0}},
                                      Placed{{64 * 256, 0}, 0, w, {4, 5, 6, 0}},
                                      Placed{{0, 64 * 256}, 0, 1, flat}};
        const auto out = set_up(pa, {v[0].vertex(), v[1].vertex(), v[2].vertex()});
        ASSERT_EQ(out.size(), 1u);
        Inputs of_quads, of_block, of_planes;
        const QuadRef quad{&out[0], 4, 6, {15}};
        of_quads.interpolate(ra, {&quad, 1});
        expect_bits(of_quads, "quads");
        PixelInputs block{of_block.t.data(), nullptr, nullptr, 0};
        interpolate(ra, BlockRef{&out[0], 8, 8}, block);
        expect_bits(of_block, "block");
        const std::array<uint8_t, 2 + most_varyings> wanted{8, 15, 15, 15};
        BlockPlanes planes;
        const bool linear =
            planes.prepare(ra, out[0], {of_planes.t.data(), nullptr, nullptr, 0, wanted});
        EXPECT_EQ(linear, w == 1);
        if (linear) {
            planes.interpolate(8, 8);
            expect_bits(of_planes, "planes");
        }
    }
}

TEST(Ra, HasConstantsForAllFlatComponents) {
    DrawStates states = exact_window();
    states.set(0x0A34, 0x00402000);
    states.set(0x0A30, 16 << 8);
    for (uint32_t v = 0; v < 16; v++)
        states.set(0x0A40 + 4 * v, 0);
    states.set(0x3820, 0x44444444);
    states.set(0x3834, 0x44444444);
    states.multisample(4);
    Features3d features;
    features.halti2 = true;
    const PaSetup pa = states.pa(features);
    const RaSetup ra = states.ra(features);
    ASSERT_EQ(ra.varyings.count, most_varyings);
    std::array<Vertex, 3> v{vertex(0, 0, 0, 1), vertex(64, 0, 0, 1), vertex(0, 64, 0, 1)};
    for (unsigned n = 0; n < most_varyings; n++)
        for (unsigned c = 0; c < 4; c++)
            v[2].varying[n][c] = float(4 * n + c + 1);
    const auto out = set_up(pa, {v[0], v[1], v[2]});
    ASSERT_EQ(out.size(), 1u);
    std::array<uint8_t, 2 + most_varyings> wanted;
    wanted.fill(15);
    wanted[0] = 8;
    Inputs in;
    BlockPlanes planes;
    ASSERT_TRUE(planes.prepare(ra, out[0], {in.t.data(), &in.face, nullptr, 0, wanted}));
    planes.interpolate(8, 8);
    for (unsigned n = 0; n < most_varyings; n++)
        for (unsigned c = 0; c < 4; c++)
            EXPECT_EQ(in.t[1 + n][c].f[9], float(4 * n + c + 1));
    EXPECT_EQ(in.t[0][3].f[9], 1);
    EXPECT_EQ(in.t[1 + most_varyings][3].f[9], 0);
}

TEST_P(RaTest, CentersThatAreCoveredStay) {
    DrawStates states = exact_window();
    states.multisample(4);
    const RaSetup ra = states.ra();
    const auto corner = [](int32_t x, int32_t y) {
        return Placed{{x, y}, 0, 1, {float(x) / 256, 0, 0, 0}};
    };
    // The triangle covers everything left of x = 2.75: in column 2, samples 0, 2, 3 and the center.
    const Placed a = corner(704, -25600), b = corner(704, 25600), c = corner(-25600, 0);
    const auto out = set_up(states.pa(), {a.vertex(), b.vertex(), c.vertex()});
    QuadRef quad{&out[0], 2, 2, {5, 0, 5, 5}};
    Inputs in;
    in.interpolate(ra, {&quad, 1});
    EXPECT_NEAR(in.t[2][0].f[0], 2.5f, 1e-5f);
    // The center is used even if the sample mask leaves only one sample.
    quad.covered = {5, 0, 0, 0};
    in.interpolate(ra, {&quad, 1});
    EXPECT_NEAR(in.t[2][0].f[0], 2.5f, 1e-5f);
}

} // namespace
} // namespace pixmill::vivante
