// Level of detail and anisotropy of textures.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>
#include <random>

#include "te.hpp"

namespace pixmill::vivante::te::test {
namespace {

/// A texture with 9 levels, of which level 0 has 256x256 texels. Level n has gray 10 n + 10.
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
    /// Returns the level that is sampled. Derivatives are in texels of level 0 per pixel.
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

/// Returns quads whose lengths are 2^`octave` texels, times or divided by at most 2^`spread`.
Vector quads_near(std::mt19937& random, double octave, double spread) {
    std::uniform_real_distribution<double> some(-1, 1);
    Vector c;
    for (unsigned l = 0; l < lane_count; l += 4) {
        const double length = std::exp2(octave + spread * some(random)) / 256, turn = some(random);
        for (unsigned i = 0; i < 4; i++) {
            const double x = i & 1, y = i >> 1 & 1;
            c[0].f[l + i] = float(length * (x * std::cos(turn) - y * std::sin(turn)));
            c[1].f[l + i] = float(length * (x * std::sin(turn) + y * std::cos(turn)));
            c[3].f[l + i] = 0;
        }
    }
    return c;
}

// If all lanes have the same level, it is computed only once. With a bias of 0 in each lane, which
// disables that, the result must be the same.
TEST(TeLod, OneLevelForAllIsTheLevelOfEach) {
    constexpr uint32_t mips[] = {filters(2, 1, 2), filters(1, 1, 2), filters(2, 1, 1),
                                 filters(2, 0, 1)};
    std::mt19937 random(1);
    for (const uint32_t filter : mips)
        for (const uint32_t bias : {0u, 0x3D0u << 21 | 1}) { // no bias, or -1.5
            Levels t(filter, lod_word(16, 6 * 32) | bias);
            t.bind();
            for (unsigned n = 0; n < 500; n++) {
                const double octave = double(random() % 20) / 2 - 1, spread = n % 2 ? 1e-5 : 0.4;
                const Vector c = quads_near(random, octave, spread);
                TextureRequest request;
                request.coordinate = &c;
                Vector together, each;
                t.units->sample(request, together);
                request.lod = Lod::bias;
                t.units->sample(request, each);
                for (unsigned l = 0; l < lane_count; l++)
                    ASSERT_EQ(lane(together, l), lane(each, l)) << n << ", lane " << l;
            }
        }
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
    Levels biased(filters(2, 2, 2), lod_word(0, 8 * 32) | 1 | 0x3D0u << 21); // bias -1.5
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
    constexpr uint32_t most[] = {2 * 32 + 31, 2 * 32 + 16, 2 * 32};
    for (const uint32_t mip : {0u, 1u, 2u}) {
        Levels t(filters(2, mip, 2), lod_word(mip ? 0 : 2 * 32, most[mip]));
        for (uint32_t level = 3; level < 14; level++)
            t.state(0x2400 + 0x40 * level) = 0; // outside memory, so a read faults
        EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 2.9), 2, close);
        EXPECT_NEAR(t.level(0, 0, 0, 0, Lod::given, 9), 2, close);
        EXPECT_FALSE(t.units->faulted());
        EXPECT_EQ(t.memory.strays, 0u);
    }
}

/// OpenGL clamps the level of detail before it selects the levels to read.
TEST(TeLod, MaximumBetweenLevelsReadsTheNext) {
    Levels linear(filters(2, 2, 2), lod_word(0, 2 * 32 + 16));
    EXPECT_NEAR(linear.level(0, 0, 0, 0, Lod::given, 2.25), 2.25, close);
    EXPECT_NEAR(linear.level(0, 0, 0, 0, Lod::given, 9), 2.5, close);
    Levels nearest(filters(2, 1, 2), lod_word(0, 2 * 32 + 17));
    EXPECT_NEAR(nearest.level(0, 0, 0, 0, Lod::given, 9), 3, close);
}

TEST(TeLod, GradientsThatAreNoNumberAreInfinite) {
    Levels t(filters(2, 2, 2), lod_word(0, 4 * 32));
    EXPECT_NEAR(t.level(NAN, 0, 0, 1, Lod::gradients), 4, close);
    EXPECT_NEAR(t.level(1, 0, 0, NAN, Lod::gradients), 4, close);
    EXPECT_NEAR(t.level(1, 0, 0, INFINITY, Lod::gradients), 4, close);
}

TEST(TeLod, LevelIsTheFirstWithoutMipmaps) {
    Levels t(filters(2, 0, 1), lod_word(3 * 32, 3 * 32));
    EXPECT_NEAR(t.level(1, 0, 0, 1), 3, close);
    EXPECT_NEAR(t.level(50, 0, 0, 1), 3, close);
    Levels other(filters(2, 0, 1), lod_word(0, 1)); // MAX of 1/32 enables both filters
    EXPECT_NEAR(other.level(1, 0, 0, 1), 0, close);
    EXPECT_NEAR(other.level(50, 0, 0, 1), 0, close);
}

TEST(TeLod, OneDimensionIgnoresT) {
    Levels t(filters(2, 2, 2), lod_word(0, 8 * 32), type_1d);
    EXPECT_NEAR(t.level(4, 100, 0, 50), 2, close);
}

/// Samples between columns of 0 and 255. True if the result is a mix of both.
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
    // OpenGL ES 2.0, 3.7.8: for these filters, magnification ends at a level of detail of 0.5.
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

TEST(TeAnisotropy, KeepsWhatIsSharpAcrossTheLongerAxis) {
    // Level 0 has rows of 0 and 255, all other levels are gray. A pixel covers 8x1 texels. Without
    // anisotropy it uses level 3. With anisotropy it uses 8 taps in a row of level 0.
    Scene scene;
    uint32_t at = memory_origin;
    for (uint32_t level = 0; level < 7; level++) {
        scene.state(0x2400 + 0x40 * level) = at;
        const uint32_t size = 64 >> level, padded = std::max(size, 4u);
        for (uint32_t i = 0; i < padded * padded;
             i++) // tiles: texel i is in row i / 4 % 4 of its tile
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
    // With two taps, each covers 4 of the 8 texels, so they use level 2.
    EXPECT_EQ(sampled(0x20)[0].f[0], 128 / 255.0f);
    // Up to 16 taps are allowed, but the footprint has a length of only 8.
    EXPECT_EQ(sampled(0x80)[0].f[0], 0.0f);
    EXPECT_EQ(sampled(0xFF)[0].f[2], 1.0f);
}

TEST(TeAnisotropy, AveragesAlongTheLongerAxis) {
    // Columns are 0 for x < 32, and 255 otherwise. A pixel of 8x1 texels around x = 32 covers four
    // columns of each. The 8 taps are one texel apart, and none crosses the border by more than
    // half a texel.
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
