// Textures of all shapes, with all wrap modes and filters, compared with the reference.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <random>

#include "reference.hpp"

namespace pixmill::vivante::te::test {
namespace {

/// A texture of random texels, both in memory and in the reference.
struct Random {
    Scene scene;
    Reference reference;
    std::mt19937 random{1};
    /// By level, z, y and x.
    std::vector<std::vector<uint32_t>> texels;

    static constexpr uint32_t types[] = {type_2d, type_1d, type_2d, type_3d, type_cube, type_3d};

    void make(Shape shape, int width, int height, int depth, int level_count, uint32_t halign) {
        Reference& r = reference;
        r.shape = shape;
        r.width = width;
        r.height = shape == Shape::row ? 1 : height;
        r.depth = shape == Shape::cube                               ? 6
                  : shape == Shape::planes || shape == Shape::volume ? depth
                                                                     : 1;
        uint32_t at = memory_origin;
        for (int level = 0; level < level_count; level++) {
            scene.state(0x2400 + 0x40 * uint32_t(level)) = at;
            at += fill(level, at, halign);
        }
        ASSERT_LE(at, memory_origin + memory_size);
        r.texel = [this](int level, int x, int y, int z) {
            const uint32_t v = texels[size_t(level)][index(level, x, y, z)];
            return Texel{(v & 255) / 255.0, (v >> 8 & 255) / 255.0, (v >> 16 & 255) / 255.0,
                         (v >> 24) / 255.0};
        };
    }
    size_t index(int level, int x, int y, int z) const {
        const Reference& r = reference;
        return (size_t(z) * size_t(r.height_of(level)) + size_t(y)) * size_t(r.width_of(level)) +
               size_t(x);
    }
    /// Stores a level as 4x4 tiles, or supertiles of 16x16 tiles. Returns the number of bytes.
    uint32_t fill(int level, uint32_t at, uint32_t halign) {
        const auto w = uint32_t(reference.width_of(level)),
                   h = uint32_t(reference.height_of(level)),
                   d = uint32_t(reference.depth_of(level));
        const bool super = halign == halign_super;
        const uint32_t align = super ? 64 : halign == halign_16 ? 16 : 4, rows = super ? 64 : 4;
        const uint32_t stride = (w + align - 1) / align * align * 4,
                       slice = stride * ((h + rows - 1) / rows * rows);
        texels.emplace_back(size_t(w * h * d));
        for (uint32_t z = 0; z < d; z++)
            for (uint32_t y = 0; y < h; y++)
                for (uint32_t x = 0; x < w; x++) {
                    const uint32_t v = uint32_t(random());
                    texels.back()[index(level, int(x), int(y), int(z))] = v;
                    const uint32_t a = x / 4 % 16, b = y / 4 % 16;
                    const uint32_t place =
                        super ? y / 64 * 64 * stride + x / 64 * 16384 +
                                    (b / 4 * 64 + a / 2 * 8 + b % 4 * 2 + a % 2) * 64
                              : y / 4 * 4 * stride + x / 4 * 64;
                    scene.memory.poke<uint32_t>(at + z * slice + place + (y % 4 * 4 + x % 4) * 4,
                                                v);
                }
        return d * slice;
    }
    void set(uint32_t wrap_u, uint32_t wrap_v, uint32_t wrap_w, uint32_t min, uint32_t mip,
             uint32_t mag, uint32_t lod, uint32_t halign) {
        Reference& r = reference;
        r.wrap = {wrap_u, wrap_v, wrap_w};
        r.min = min;
        r.mip = mip;
        r.mag = mag;
        r.lod_min = (lod >> 11 & 1023) / 32.0;
        r.lod_max = (lod >> 1 & 1023) / 32.0;
        const bool array = r.shape == Shape::rows || r.shape == Shape::planes;
        const uint32_t address = scene.state(0x2400);
        scene.set(0,
                  types[unsigned(r.shape)] | format(9) | wraps(wrap_u, wrap_v) |
                      filters(min, mip, mag),
                  identity | halign | (array ? array_bit : 0),
                  size_word(uint32_t(r.width), uint32_t(r.height)), lod, address);
        scene.state(0x2180) = uint32_t(r.depth) | wrap_w << 28;
    }
};

struct Tally {
    size_t lanes = 0, exact = 0;
};

double distance(const Texel& a, const Texel& b) {
    double d = 0;
    for (unsigned c = 0; c < 4; c++)
        d = std::max(d, std::abs(a[c] - b[c]));
    return d;
}

constexpr double tolerance = 1.0 / 255;

/// True if the texel equals the reference's, apart from rounding. In single precision, a coordinate
/// near the border of two texels or levels may select either one.
bool near_reference(const Reference& r, const Reference::Point& at, double lod, const Texel& texel,
                    Tally& tally) {
    tally.lanes++;
    if (distance(r.sample(at, lod), texel) <= tolerance) {
        tally.exact++;
        return true;
    }
    const auto rounding = [](double v) { return (std::abs(v) + 1) * 0x1p-21; };
    for (const double l : {0.0, -0x1p-12, 0x1p-12})
        for (const double s : {0.0, -1.0, 1.0})
            for (const double t : {0.0, -1.0, 1.0})
                for (const double q : {0.0, -1.0, 1.0}) {
                    const Reference::Point moved{at.s + s * rounding(at.s),
                                                 at.t + t * rounding(at.t),
                                                 at.r + q * rounding(at.r)};
                    if (distance(r.sample(moved, lod + l), texel) <= tolerance)
                        return true;
                }
    return false;
}

/// Samples random quads with all kinds of level of detail, and compares them with the reference.
void compare(Random& t, unsigned batches, Tally& tally) {
    t.scene.bind();
    std::uniform_real_distribution<float> position(-3, 3), exponent(-10, 1), sign(-1, 1);
    for (unsigned batch = 0; batch < batches; batch++) {
        Vector c;
        for (unsigned l = 0; l < lane_count; l += 4) {
            const float scale = std::exp2(exponent(t.random));
            for (unsigned k = 0; k < 3; k++) {
                const float at = position(t.random), dx = sign(t.random) * scale,
                            dy = sign(t.random) * scale;
                for (unsigned i = 0; i < 4; i++)
                    c[k].f[l + i] = at + (i & 1 ? dx : 0) + (i & 2 ? dy : 0);
            }
            for (unsigned i = 0; i < 4; i++)
                c[3].f[l + i] = position(t.random);
        }
        TextureRequest request;
        request.lod = batch % 3 == 0 ? Lod::derivatives : batch % 3 == 1 ? Lod::bias : Lod::given;
        request.coordinate = &c;
        Vector texel;
        t.scene.units->sample(request, texel);
        for (unsigned l = 0; l < lane_count; l++) {
            const auto point = [&](unsigned lane_number) {
                return Reference::Point{c[0].f[lane_number], c[1].f[lane_number],
                                        c[2].f[lane_number]};
            };
            const auto change = [&](unsigned from, unsigned to) {
                const Reference::Point a = point(from), b = point(to);
                return Reference::Point{b.s - a.s, b.t - a.t, b.r - a.r};
            };
            const unsigned row = l & ~1u, column = l & ~2u;
            double lod =
                t.reference.lod_of(point(l), change(row, row | 1), change(column, column | 2));
            if (request.lod == Lod::bias)
                lod += c[3].f[l];
            if (request.lod == Lod::given)
                lod = c[3].f[l];
            ASSERT_TRUE(near_reference(t.reference, point(l), lod, lane(texel, l), tally))
                << "lane " << l << " (" << c[0].f[l] << ", " << c[1].f[l] << ", " << c[2].f[l]
                << ") level " << lod;
        }
    }
}

/// Compares all combinations of wrap modes and filters with the reference.
void compare_all(Random& t, uint32_t lod, uint32_t halign) {
    Tally tally;
    for (uint32_t u = 0; u < 4; u++)
        for (uint32_t v = 0; v < 4; v++)
            for (uint32_t min = 1; min <= 2; min++)
                for (uint32_t mip = 0; mip <= 2; mip++)
                    for (uint32_t mag = 1; mag <= 2; mag++) {
                        t.set(u, v, (u + v) % 4, min, mip, mag, lod, halign);
                        compare(t, 3, tally);
                        if (testing::Test::HasFatalFailure()) {
                            FAIL() << "wraps " << u << " " << v << ", min " << min << ", mip "
                                   << mip << ", mag " << mag;
                        }
                    }
    EXPECT_GE(tally.exact * 1000, tally.lanes * 995) << tally.exact << " of " << tally.lanes;
}

TEST(TeReference, Planes) {
    Random t;
    t.make(Shape::plane, 20, 13, 1, 5, halign_16);
    compare_all(t, lod_word(0, 4 * 32), halign_16);
}

TEST(TeReference, PowersOfTwoWithLimitedLevels) {
    Random t;
    t.make(Shape::plane, 32, 16, 1, 6, 0);
    compare_all(t, lod_word(32, 3 * 32 + 16), 0);
}

TEST(TeReference, Supertiles) {
    Random t;
    t.make(Shape::plane, 70, 66, 1, 3, halign_super);
    compare_all(t, lod_word(0, 2 * 32), halign_super);
}

TEST(TeReference, OneDimension) {
    Random t;
    t.make(Shape::row, 23, 1, 1, 5, 0);
    compare_all(t, lod_word(0, 4 * 32), 0);
}

TEST(TeReference, ArraysOfRows) {
    Random t;
    t.make(Shape::rows, 23, 5, 1, 5, 0);
    compare_all(t, lod_word(0, 4 * 32), 0);
}

TEST(TeReference, ArraysOfPlanes) {
    Random t;
    t.make(Shape::planes, 12, 10, 3, 4, halign_16);
    compare_all(t, lod_word(0, 3 * 32), halign_16);
}

TEST(TeReference, Volumes) {
    Random t;
    t.make(Shape::volume, 12, 10, 7, 4, 0);
    compare_all(t, lod_word(0, 3 * 32), 0);
}

TEST(TeReference, Cubes) {
    Random t;
    t.make(Shape::cube, 16, 16, 6, 5, halign_16);
    compare_all(t, lod_word(0, 4 * 32), halign_16);
}

TEST(TeCube, ProjectsDirections) {
    struct Row {
        float x, y, z;
        int face;
        float s, t;
    };
    constexpr Row rows[] = {
        {1, 0.5f, -0.25f, 0, 0.625f, 0.25f},
        {-1, 0.5f, -0.25f, 1, 0.375f, 0.25f},
        {0.5f, 2, -1, 2, 0.625f, 0.25f},
        {0.5f, -2, -1, 3, 0.625f, 0.75f},
        {0.5f, 0.25f, 1, 4, 0.75f, 0.375f},
        {0.5f, 0.25f, -1, 5, 0.25f, 0.375f},
        {1, 1, 1, 0, 0, 0},
        {-1, 1, -1, 1, 0, 0},
        {0.5f, 1, -1, 2, 0.75f, 0},
        {0.625f, 0.5f, 0, 0, 0.5f, 0.1f}, /* t must be rounded once: texel 5 or 6 of 60 */
        {0x1p127f, -0x1p126f, 0x1.8p127f, 4, 5 / 6.0f, 2 / 3.0f},
    };
    for (const Row& row : rows) {
        Vector direction, coordinate;
        direction[0].f.fill(row.x);
        direction[1].f.fill(row.y);
        direction[2].f.fill(row.z);
        LaneInts face;
        te_kernels().project(direction, coordinate, face);
        EXPECT_EQ(face.i[7], row.face);
        EXPECT_EQ(coordinate[0].f[7], row.s) << row.face;
        EXPECT_EQ(coordinate[1].f[7], row.t) << row.face;
    }
}

} // namespace
} // namespace pixmill::vivante::te::test
