// Wraps, filters, levels of detail, layouts and shapes of textures.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <random>

#include "te_reference.hpp"

namespace pixmill::vivante::te::test {
namespace {

// ---- Layouts -----------------------------------------------------------------------------------
// Offsets worked by hand from etna_viv doc/hardware.md ("Tiling").

/// Samples a texel after one byte at `offset` was set; what is there, if it is the texel's.
struct LayoutRow {
    const char* what;
    uint32_t config0, config1, size, offset, x, y;
};

TEST(TeLayout, PutsTexelsWhereTheyAre) {
    constexpr uint32_t abgr = format(9), rgb565 = format(11);
    const LayoutRow rows[] = {
        {"64 x 64, S = 256", abgr, halign_16, size_word(64, 64), 0x464, 5, 6},
        {"20 x 20 is 32 wide: S = 64", rgb565, halign_16, size_word(20, 20), 0x9A, 17, 3},
        {"20 x 20, S = 40", rgb565, 0, size_word(20, 20), 0xA0, 0, 4},
        {"linear", abgr | linear_addressing, 0, size_word(20, 20), 0x814 - 0x10, 1, 16},
        {"supertiled: 128 wide", abgr, halign_super, size_word(100, 70), 0x8000, 0, 64},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x4000, 64, 0},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x1000, 0, 16},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x80, 0, 4},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x200 + 0x40 + 0x14, 13, 1},
        {"supertiled, 16 bits", rgb565, halign_super, size_word(100, 70), 0x2000 + 0x800, 64, 16},
    };
    for (const LayoutRow& row : rows) {
        Scene scene;
        scene.set(0, type_2d | nearest | row.config0, identity | row.config1, row.size);
        scene.state(0x2C00) = 0x80;
        scene.memory.poke<uint8_t>(memory_origin + row.offset, 0x1F);
        const uint32_t width = row.size & 0xFFFF, height = row.size >> 16;
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x += 64) {
                Vector c{};
                for (unsigned l = 0; l < lane_count; l++) {
                    c[0].f[l] = (float(std::min(x + l, width - 1)) + 0.5f) / float(width);
                    c[1].f[l] = (float(y) + 0.5f) / float(height);
                }
                const Vector v = scene.sample(0, c);
                for (unsigned l = 0; l < lane_count && x + l < width; l++)
                    EXPECT_EQ(v[0].f[l] + v[2].f[l] > 0, x + l == row.x && y == row.y)
                        << row.what << " " << x + l << ", " << y;
            }
        }
    }
}

TEST(TeLayout, FacesAndSlicesFollowEachOther) {
    // 8 x 8 with HALIGN sixteen: S = 64 bytes, 0x200 a face; levels of 4 x 4: S = 64, 0x100.
    Scene scene;
    scene.set(0, type_cube | nearest | format(7), identity | halign_16, size_word(8, 8));
    scene.memory.poke<uint32_t>(memory_origin + 0x400, 0xFFFFFFFF);
    // Face +Y, texel (0, 0): sc = x, tc = z, both near -1.
    EXPECT_EQ(scene.at(-0.9f, 1, -0.9f), (Texel{1, 1, 1, 1}));
    EXPECT_EQ(scene.at(-0.9f, -1, -0.9f), (Texel{0, 0, 0, 0}));
    scene.set(0, type_cube | filters(1, 1, 1) | format(7), identity | halign_16, size_word(8, 8),
              lod_word(32, 32));
    scene.state(0x2440) = memory_origin + 0x1000;
    scene.memory.poke<uint32_t>(memory_origin + 0x1000 + 5 * 0x100, 0xFFFFFFFF);
    EXPECT_EQ(scene.at(0.9f, 0.9f, -1), (Texel{1, 1, 1, 1})) << "face -Z: sc = -x, tc = -y";
}

// ---- Single lines of texels --------------------------------------------------------------------

Scene line_of(std::initializer_list<uint8_t> texels, uint32_t config0) {
    Scene scene;
    uint32_t at = memory_origin;
    for (const uint8_t texel : texels)
        scene.memory.poke<uint8_t>(at++, texel);
    scene.set(0, type_2d | format(2) | config0, identity, size_word(uint32_t(texels.size()), 1));
    return scene;
}

TEST(TeFilters, MixesTwoTexels) {
    Scene scene = line_of({0, 255}, linear | wraps(edge, edge));
    EXPECT_EQ(scene.at(0.5f, 0.5f)[0], 0.5);
    EXPECT_EQ(scene.at(0.25f, 0.5f)[0], 0);
    EXPECT_EQ(scene.at(0.75f, 0.5f)[0], 1);
    EXPECT_EQ(scene.at(0.625f, 0.5f)[0], 0.75);
    EXPECT_EQ(scene.at(-7, 0.5f)[0], 0);
    EXPECT_EQ(scene.at(1e30f, 0.5f)[0], 1);
}

TEST(TeFilters, WrapsNearestTexels) {
    Scene repeated = line_of({10, 20, 30, 40}, nearest | wraps(repeat, edge));
    EXPECT_EQ(repeated.at(-0.1f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(repeated.at(-1e-10f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(repeated.at(1000.3f, 0)[0], double(20 / 255.0f));
    EXPECT_EQ(repeated.at(-1000.7f, 0)[0], double(20 / 255.0f));
    Scene mirrored = line_of({10, 20, 30, 40}, nearest | wraps(mirror, edge));
    EXPECT_EQ(mirrored.at(1.1f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(mirrored.at(-0.1f, 0)[0], double(10 / 255.0f));
    EXPECT_EQ(mirrored.at(-1.1f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(mirrored.at(1.9f, 0)[0], double(10 / 255.0f));
    Scene clamped = line_of({10, 20, 30, 40}, nearest | wraps(edge, edge));
    EXPECT_EQ(clamped.at(-3, 0)[0], double(10 / 255.0f));
    EXPECT_EQ(clamped.at(1, 0)[0], double(40 / 255.0f));
    Scene bordered = line_of({10, 20, 30, 40}, nearest | wraps(border, edge));
    EXPECT_EQ(bordered.at(-0.01f, 0), (Texel{0, 0, 0, 1})) << "L8 has no alpha";
    EXPECT_EQ(bordered.at(1.01f, 0)[0], 0);
    EXPECT_EQ(bordered.at(0.99f, 0)[0], double(40 / 255.0f));
}

TEST(TeFilters, WrapsMixedTexels) {
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(repeat, edge)).at(0, 0)[0],
              double(150 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(repeat, edge)).at(1, 0)[0],
              double(150 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(mirror, edge)).at(0, 0)[0],
              double(100 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(border, edge)).at(0, 0)[0],
              double(50 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(border, edge)).at(1, 0)[0],
              double(100 / 255.0f));
}

// ---- Level of detail ---------------------------------------------------------------------------

/// A texture whose level n is all of gray 10 n + 10, with up to 9 levels of 256 x 256.
struct Levels : Scene {
    Levels(uint32_t config0, uint32_t lod, uint32_t type = type_2d) : Scene(4096) {
        uint32_t at = memory_origin;
        set(0, type | format(2) | config0, identity, size_word(256, 256), lod);
        for (uint32_t level = 0; level < 9; level++) {
            state(0x2400 + 0x40 * level) = at;
            const uint32_t bytes = std::max(256u >> level, 4u) * std::max(256u >> level, 4u);
            for (uint32_t i = 0; i < bytes; i++)
                memory.poke<uint8_t>(at++, uint8_t(10 * level + 10));
        }
    }
    /// With s = texels / 256 from pixel to pixel, and t likewise; the level, counted from 0.
    double level(double dsdx, double dtdx, double dsdy, double dtdy, Lod lod = Lod::derivatives,
                 double w = 0) {
        Vector c, dx, dy;
        for (unsigned l = 0; l < lane_count; l++) {
            const double x = l & 1, y = l >> 1 & 1;
            c[0].f[l] = float((dsdx * x + dsdy * y) / 256 + 0.25);
            c[1].f[l] = float((dtdx * x + dtdy * y) / 256 + 0.25);
            c[3].f[l] = float(w);
            dx[0].f[l] = float(dsdx / 256);
            dx[1].f[l] = float(dtdx / 256);
            dy[0].f[l] = float(dsdy / 256);
            dy[1].f[l] = float(dtdy / 256);
        }
        if (lod == Lod::gradients) {
            c[0].f.fill(0.25f);
            c[1].f.fill(0.25f);
        }
        bind();
        TextureRequest request;
        request.lod = lod;
        request.coordinate = &c;
        request.dx = &dx;
        request.dy = &dy;
        request.quads = quads;
        Vector texel;
        units->sample(request, texel);
        for (unsigned l = 1; l < lane_count; l++)
            EXPECT_EQ(texel[0].f[l], texel[0].f[0]) << l;
        return (double(texel[0].f[0]) * 255 - 10) / 10;
    }
    bool quads = true;
};

constexpr double close = 1e-3;

TEST(TeLod, MixesLevels) {
    Levels t(filters(2, 2, 2), lod_word(0, 8 * 32));
    EXPECT_NEAR(t.level(1, 0, 0, 1), 0, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1), 2, close);
    EXPECT_NEAR(t.level(0, 0, 8, 0), 3, close);
    EXPECT_NEAR(t.level(3, 4, 0, 0), std::log2(5), close);
    EXPECT_NEAR(t.level(-3, 4, 0, 0), std::log2(5), close);
    EXPECT_NEAR(t.level(3, 0, 0, 5), std::log2(5), close) << "the longer one";
    EXPECT_NEAR(t.level(3, 4, 0, 0, Lod::gradients), std::log2(5), close);
    EXPECT_NEAR(t.level(0, 0, 0, 1000, Lod::gradients), 8, close) << "MAX";
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::bias, 1.25), 3.25, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::bias, -1.25), 0.75, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::given, 5.5), 5.5, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::given, -3), 0, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::given, 1e30), 8, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::given, NAN), 0, close);
}

TEST(TeLod, VerticesHaveNoDerivatives) {
    Levels t(filters(2, 2, 2), lod_word(0, 8 * 32));
    t.quads = false;
    EXPECT_NEAR(t.level(4, 0, 0, 1), 0, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::bias, 2), 2, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::given, 3), 3, close);
    EXPECT_NEAR(t.level(4, 0, 0, 1, Lod::gradients), 2, close);
}

TEST(TeLod, BiasAndLimitsOfTheSampler) {
    Levels biased(filters(2, 2, 2), lod_word(0, 8 * 32) | 1 | 0x3D0u << 21); // -1.5
    EXPECT_NEAR(biased.level(8, 0, 0, 1), 1.5, close);
    EXPECT_NEAR(biased.level(8, 0, 0, 1, Lod::bias, 0.25), 1.75, close);
    EXPECT_NEAR(biased.level(8, 0, 0, 1, Lod::given, 4), 2.5, close);
    Levels off(filters(2, 2, 2), lod_word(0, 8 * 32) | 0x3D0u << 21);
    EXPECT_NEAR(off.level(8, 0, 0, 1), 3, close) << "BIAS_ENABLE is 0";
    Levels limited(filters(2, 2, 2), lod_word(2 * 32 + 8, 4 * 32));
    EXPECT_NEAR(limited.level(1, 0, 0, 1), 2.25, close);
    EXPECT_NEAR(limited.level(100, 0, 0, 1), 4, close);
    Levels exchanged(filters(2, 2, 2), lod_word(5 * 32, 4 * 32));
    EXPECT_NEAR(exchanged.level(1, 0, 0, 1), 4, close) << "MAX wins";
}

TEST(TeLod, NearestLevelTiesDown) {
    Levels t(filters(2, 1, 2), lod_word(0, 8 * 32));
    EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 0.5), 0, close);
    EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 0.51), 1, close);
    EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 1.5), 1, close);
    EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 2.49), 2, close);
    EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 7.75), 8, close);
    EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 12), 8, close);
}

TEST(TeLod, LevelsAboveTheLastAreNeverTouched) {
    for (const uint32_t mip : {1u, 2u}) {
        Levels t(filters(2, mip, 2), lod_word(0, 2 * 32 + 31));
        for (uint32_t level = 3; level < 14; level++)
            t.state(0x2400 + 0x40 * level) = 0; // outside of the memory: a fault
        EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 2.9), 2, close);
        EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 9), 2, close);
        EXPECT_FALSE(t.units->faulted());
        EXPECT_EQ(t.memory.strays, 0u);
    }
}

TEST(TeLod, LevelIsTheFirstWithoutMipmaps) {
    Levels t(filters(2, 0, 1), lod_word(3 * 32, 3 * 32));
    EXPECT_NEAR(t.level(1, 0, 0, 1), 3, close);
    EXPECT_NEAR(t.level(50, 0, 0, 1), 3, close);
    Levels other(filters(2, 0, 1), lod_word(0, 1)); // MAX is 1/32: the filters differ
    EXPECT_NEAR(other.level(1, 0, 0, 1), 0, close);
    EXPECT_NEAR(other.level(50, 0, 0, 1), 0, close);
}

TEST(TeLod, OneDimensionIgnoresT) {
    Levels t(filters(2, 2, 2), lod_word(0, 8 * 32), type_1d);
    EXPECT_NEAR(t.level(4, 100, 0, 50), 2, close);
}

/// Whether columns of 0 and 255 are mixed at a place between them.
bool mixes(uint32_t min, uint32_t mip, uint32_t mag, double lod, uint32_t range) {
    Scene scene;
    for (uint32_t level = 0; level < 4; level++) {
        for (uint32_t i = 0; i < 64 * 64; i++)
            scene.memory.poke<uint8_t>(memory_origin + 0x1000 * level + i, i & 1 ? 255 : 0);
    }
    scene.set(0, type_2d | format(2) | filters(min, mip, mag), identity, size_word(64, 64), range);
    for (uint32_t level = 0; level < 4; level++)
        scene.state(0x2400 + 0x40 * level) = memory_origin + 0x1000 * level;
    scene.bind();
    Vector c;
    c[0].f.fill(0.5f);
    c[1].f.fill(0.5f);
    c[3].f.fill(float(lod));
    TextureRequest request;
    request.lod = Lod::given;
    request.coordinate = &c;
    Vector texel;
    scene.units->sample(request, texel);
    const float v = texel[0].f[0];
    EXPECT_TRUE(v == 0 || v == 1 || v == 0.5f) << v;
    return v == 0.5f;
}

TEST(TeLod, MagnifiedUpToTheFirstLevel) {
    const uint32_t all = lod_word(0, 3 * 32);
    EXPECT_TRUE(mixes(1, 0, 2, 0, lod_word(0, 1)));
    EXPECT_FALSE(mixes(1, 0, 2, 0.01, lod_word(0, 1)));
    EXPECT_FALSE(mixes(2, 0, 1, 0, lod_word(0, 1)));
    EXPECT_TRUE(mixes(2, 0, 1, 0.01, lod_word(0, 1)));
    EXPECT_FALSE(mixes(2, 1, 1, 0, all));
    EXPECT_TRUE(mixes(2, 1, 1, 0.01, all));
    EXPECT_FALSE(mixes(2, 1, 1, 1, lod_word(32, 3 * 32)));
    EXPECT_TRUE(mixes(2, 1, 1, 1.01, lod_word(32, 3 * 32)));
    // OpenGL ES 2.0, 3.7.8: 0.5 for these.
    EXPECT_TRUE(mixes(1, 1, 2, 0.5, all));
    EXPECT_FALSE(mixes(1, 1, 2, 0.51, all));
    EXPECT_TRUE(mixes(1, 2, 2, 0.5, all));
    EXPECT_FALSE(mixes(1, 2, 2, 0.51, all));
}

TEST(TeLod, LogarithmIsExactForPowersOfTwo) {
    const TeKernels& k = te_kernels();
    for (int e = -60; e <= 60; e++) {
        Lanes x, y, lod;
        y.f.fill(0);
        for (unsigned l = 0; l < lane_count; l++)
            x.f[l] = std::ldexp(1 + float(l) / 64, 2 * e + int(l & 1));
        k.lod(x, y, lod);
        EXPECT_EQ(lod.f[0], float(e));
        for (unsigned l = 0; l < lane_count; l++)
            EXPECT_NEAR(lod.f[l], 0.5 * std::log2(double(x.f[l])), 0x1p-12) << l;
    }
}

// ---- Everything against the reference ----------------------------------------------------------

/// A texture of random texels, in memory and for the reference.
struct Random {
    Scene scene;
    Reference reference;
    std::mt19937 random{1};
    /// By level, z, y, x
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
    /// Tiles of 4 x 4 row by row, or supertiles of 16 x 16 of these. Returns the bytes.
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

/// Whether the reference gives the texel, or does a rounding away: single precision may select the
/// other one of two texels or levels at whose limit a coordinate is.
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

/// Random quads of all kinds.
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

/// Each wrap mode with each filter.
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

// ---- Cubes, arrays, anisotropy -----------------------------------------------------------------

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

TEST(TeAnisotropy, KeepsWhatIsSharpAcrossTheLongerAxis) {
    // Rows of 0 and 255 in level 0, gray in all others. A pixel is 8 x 1 texels: level 3 without
    // anisotropy, level 0 with 8 taps, all in one row.
    Scene scene;
    uint32_t at = memory_origin;
    for (uint32_t level = 0; level < 7; level++) {
        scene.state(0x2400 + 0x40 * level) = at;
        const uint32_t size = 64 >> level, padded = std::max(size, 4u);
        for (uint32_t i = 0; i < padded * padded;
             i++) // rows of tiles: row y is i / 4 % 4 in a tile
            scene.memory.poke<uint8_t>(at++, level ? 128 : i / 4 % 2 ? 255 : 0);
    }
    const auto sampled = [&](uint32_t anisotropy) {
        scene.set(0, type_2d | format(2) | filters(2, 1, 2) | anisotropy << 24, identity,
                  size_word(64, 64), lod_word(0, 6 * 32), memory_origin);
        scene.bind();
        Vector c;
        for (unsigned l = 0; l < lane_count; l++) {
            c[0].f[l] = (16 + 8 * float(l & 1)) / 64;
            c[1].f[l] = (20.5f + float(l >> 1 & 1)) / 64;
        }
        TextureRequest request;
        request.coordinate = &c;
        Vector texel;
        scene.units->sample(request, texel);
        return texel;
    };
    const Vector without = sampled(0), with = sampled(0x60);
    for (unsigned l = 0; l < lane_count; l++) {
        EXPECT_EQ(without[0].f[l], 128 / 255.0f);
        EXPECT_EQ(with[0].f[l], l >> 1 & 1 ? 1.0f : 0.0f);
    }
    // Two taps: a pixel of 8 texels is two of 4: level 2.
    EXPECT_EQ(sampled(0x20)[0].f[0], 128 / 255.0f);
    // With 16, as many as the footprint is long: 8.
    EXPECT_EQ(sampled(0x80)[0].f[0], 0.0f);
    EXPECT_EQ(sampled(0xFF)[0].f[2], 1.0f);
}

TEST(TeAnisotropy, AveragesAlongTheLongerAxis) {
    // Columns: 0 for x < 32, 255 behind. A pixel of 8 x 1 around x = 32 has half of each; 8 taps
    // are a texel apart, none of them across the limit by more than half a texel.
    Scene scene;
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            scene.memory.poke<uint8_t>(memory_origin + y / 4 * 256 + x / 4 * 16 + y % 4 * 4 + x % 4,
                                       x < 32 ? 0 : 255);
    scene.set(0, type_2d | format(2) | filters(2, 0, 2) | 0x60u << 24, identity, size_word(64, 64));
    scene.bind();
    const auto at = [&](float u) {
        Vector c;
        for (unsigned l = 0; l < lane_count; l++) {
            c[0].f[l] = (u + 8 * float(l & 1)) / 64;
            c[1].f[l] = (20.5f + float(l >> 1 & 1)) / 64;
        }
        TextureRequest request;
        request.coordinate = &c;
        Vector texel;
        scene.units->sample(request, texel);
        return texel[0].f[0];
    };
    EXPECT_NEAR(at(32), 0.5, 1e-6);
    EXPECT_NEAR(at(34), 0.75, 1e-6);
    EXPECT_NEAR(at(30), 0.25, 1e-6);
    EXPECT_EQ(at(40), 1);
}

} // namespace
} // namespace pixmill::vivante::te::test
