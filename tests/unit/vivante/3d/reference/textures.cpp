/*
 * Samplers of the reference.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rig.hpp"

#include <limits>

#include "../../../../reference/vivante/3d/texels.hpp"

namespace pixmill::test {
namespace {

using namespace vivante_3d;

enum Wrap : uint32_t { repeat, mirror, clamp, border };
enum FilterCode : uint32_t { off, nearest_filter, linear_filter };

constexpr uint32_t identity = 0x00321000, halign_16 = 1u << 26;
constexpr uint32_t base = 0x10000;

class Vivante3dReferenceTextures : public Parts {
protected:
    explicit Vivante3dReferenceTextures(const Vivante3d::Features& features = {})
        : Parts(features) {}

    void texture(uint32_t type, uint32_t format, uint32_t width, uint32_t height,
                 uint32_t config_1 = identity | halign_16) {
        type_ = type;
        format_ = format;
        load(0x2040, width | height << 16);
        load(0x21C0, config_1);
        load(0x2400, base);
        filters(nearest_filter, off, nearest_filter);
    }
    void filters(uint32_t min, uint32_t mip, uint32_t mag) {
        filters_ = min << 7 | mip << 9 | mag << 11;
        configure();
    }
    void wraps(uint32_t mode) {
        wrap_ = mode << 3 | mode << 5;
        configure();
    }
    void lods(float min, float max, float bias = 0) {
        const auto field = [](float v) { return static_cast<uint32_t>(static_cast<int>(v * 32)); };
        load(0x20C0,
             (bias != 0) | field(max) << 1 | field(min) << 11 | (field(bias) & 0x3FF) << 21);
    }
    Vector at(float s, float t = 0.5f, float r = 0) {
        return sample(engine_, 0, {.at = {s, t, r}, .gradients = {}, .lod = {}});
    }
    Vector at_lod(float lod) {
        return sample(engine_, 0, {.at = {0.5f, 0.5f, 0}, .gradients = {}, .lod = lod});
    }
    Vector with_gradients(const Gradients& gradients) {
        return sample(engine_, 0, {.at = {0.5f, 0.5f, 0}, .gradients = gradients, .lod = {}});
    }
    /// Sets up `count` levels. The red of level n is n.
    void numbered_levels(unsigned count, uint32_t size) {
        texture(2, 2, size, size);
        load(0x21C0, identity);
        for (unsigned level = 0; level < count; level++) {
            load(0x2400 + 0x40 * level, base + 0x4000 * level);
            for (uint32_t i = 0; i < 0x4000; i++)
                memory_.write(base + 0x4000 * level + i, static_cast<uint8_t>(level));
        }
    }
    static float level(float number) { return number / 255.0f; }

private:
    void configure() { load(0x2000, type_ | wrap_ | filters_ | format_ << 13); }

    uint32_t type_ = 0, format_ = 0, filters_ = 0, wrap_ = clamp << 3 | clamp << 5;
};

TEST_F(Vivante3dReferenceTextures, X1ToX4Addresses) {
    texture(2, 9, 64, 64);
    put(base + 0x464, 0x04030201);
    expect_near(at(5.5f / 64, 6.5f / 64), {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f});

    texture(2, 11, 20, 20);
    put(base + 0x98, 0xF81F0000); // the pixel is at 0x9A
    expect_near(at(17.5f / 20, 3.5f / 20), {1, 0, 1, 1});

    texture(2, 11, 20, 20, identity);
    put(base + 0xA0, 0x0000F800);
    expect_near(at(0.5f / 20, 4.5f / 20), {1, 0, 0, 1});

    texture(5, 7, 8, 8); // face 2 is +y; its first texel is at x = -1, z = -1
    put(base + 0x400, 0xFF112233);
    expect_near(at(-0.9f, 1, -0.9f), {17 / 255.0f, 34 / 255.0f, 51 / 255.0f, 1});
}

TEST_F(Vivante3dReferenceTextures, X5To7LevelsOfDetail) {
    numbered_levels(8, 128);
    filters(nearest_filter, nearest_filter, nearest_filter);
    load(0x20C0, 0x180); // X6: at most 6.0
    EXPECT_EQ(at_lod(100)[0], level(6));
    EXPECT_EQ(at_lod(-3)[0], level(0));
    load(0x20C0, 0x7C000001 | 0x180); // X7: -1.0
    EXPECT_EQ(at_lod(3)[0], level(2));
}

TEST_F(Vivante3dReferenceTextures, X8AndX9Filter) {
    texture(2, 2, 2, 1);
    filters(linear_filter, off, linear_filter);
    memory_.write(base + 1, 255);
    EXPECT_FLOAT_EQ(at(0.5f)[0], 0.5f);
    EXPECT_EQ(at(0.25f)[0], 0);
    EXPECT_EQ(at(0.75f)[0], 1);
    EXPECT_EQ(at(0)[0], 0);
    wraps(repeat);
    EXPECT_FLOAT_EQ(at(0)[0], 0.5f);
    wraps(border); // the border is transparent black
    EXPECT_FLOAT_EQ(at(1)[0], 0.5f);
    EXPECT_FLOAT_EQ(at(1)[3], 0.5f);
}

TEST_F(Vivante3dReferenceTextures, X10AndX11Wrap) {
    texture(2, 2, 4, 1);
    for (uint32_t x = 0; x < 4; x++)
        memory_.write(base + x, static_cast<uint8_t>(x));
    wraps(repeat);
    EXPECT_EQ(at(-0.1f)[0], level(3));
    EXPECT_EQ(at(1.3f)[0], level(1));
    wraps(mirror);
    EXPECT_EQ(at(1.1f)[0], level(3));
    EXPECT_EQ(at(-0.3f)[0], level(1));
    EXPECT_EQ(at(2.3f)[0], level(1));
    wraps(clamp);
    EXPECT_EQ(at(1.1f)[0], level(3));
    EXPECT_EQ(at(-5)[0], level(0));
}

struct TexelCase {
    const char* name;
    uint32_t format, format_ext, word;
    Vector color;
};

constexpr float half_of_31 = 16 / 31.0f;

const TexelCase texels[] = {
    {"A8", 1, 0, 0x80, {0, 0, 0, 128 / 255.0f}},
    {"L8", 2, 0, 0x80, {128 / 255.0f, 128 / 255.0f, 128 / 255.0f, 1}},
    {"I8", 3, 0, 0x33, {0.2f, 0.2f, 0.2f, 0.2f}},
    {"A8L8", 4, 0, 0xFF33, {0.2f, 0.2f, 0.2f, 1}},
    {"A4R4G4B4", 5, 0, 0x3F06, {1, 0, 0.4f, 0.2f}},
    {"X4R4G4B4", 6, 0, 0x3F06, {1, 0, 0.4f, 1}},
    {"A8R8G8B8", 7, 0, 0x0033FF66, {0.2f, 1, 0.4f, 0}},
    {"X8R8G8B8", 8, 0, 0x0033FF66, {0.2f, 1, 0.4f, 1}},
    {"A8B8G8R8", 9, 0, 0x0033FF66, {0.4f, 1, 0.2f, 0}},
    {"X8B8G8R8", 10, 0, 0x0033FF66, {0.4f, 1, 0.2f, 1}},
    {"X12 R5G6B5", 11, 0, 0xF81F, {1, 0, 1, 1}},
    {"X13 A1R5G5B5", 12, 0, 0x8210, {0, half_of_31, half_of_31, 1}},
    {"A1R5G5B5 without alpha", 12, 0, 0x7C00, {1, 0, 0, 0}},
    {"X1R5G5B5", 13, 0, 0x7C00, {1, 0, 0, 1}},
    {"D16", 16, 0, 0x8000, {32768 / 65535.0f, 32768 / 65535.0f, 32768 / 65535.0f, 1}},
    {"X20 D24X8",
     17,
     0,
     0x80000000,
     {8388608 / 16777215.0f, 8388608 / 16777215.0f, 8388608 / 16777215.0f, 1}},
    {"18", 18, 0, 0, {1, 1, 1, 1}},
    {"G8R8", 0, 6, 0x33FF, {1, 0.2f, 0, 1}},
    {"A2B10G10R10", 0, 12, 0x400003FF, {1, 0, 0, 1 / 3.0f}},
    {"unknown", 25, 0, 0xFFFFFFFF, {0, 0, 0, 0}},
};

TEST_F(Vivante3dReferenceTextures, X12X13X20Formats) {
    for (const TexelCase& c : texels) {
        SCOPED_TRACE(c.name);
        texture(2, c.format, 1, 1, identity | c.format_ext);
        put(base, c.word);
        expect_near(at(0.5f), c.color);
    }
}

TEST_F(Vivante3dReferenceTextures, X21SwizzlesAfterTheFormat) {
    texture(2, 2, 1, 1, 0x00344000);
    put(base, 0x80);
    expect_near(at(0.5f), {128 / 255.0f, 0, 0, 1});
    texture(2, 9, 1, 1, 0x00512300); // alpha, blue, green, one
    put(base, 0x99336600);
    expect_near(at(0.5f), {0.6f, 0.2f, 0.4f, 1});
}

TEST_F(Vivante3dReferenceTextures, SrgbIsDecodedBeforeFilters) {
    texture(2, 9, 1, 1);
    load(0x2080, 0x80000000);
    put(base, 0x80FF0ABC);
    // 188: 0.5029; 10: 10 / 255 / 12.92 (IEC 61966-2-1)
    expect_near(at(0.5f), {0.50289f, 0.0030353f, 1, 128 / 255.0f}, 1e-5f);
}

/* ---- Compressed blocks -------------------------------------------------------------------- */

Vector texel_of(uint32_t format, uint32_t format_ext, std::initializer_list<uint8_t> bytes,
                unsigned x, unsigned y, bool exchanged = true) {
    Block block{};
    std::copy(bytes.begin(), bytes.end(), block.begin());
    return decode_block(texture_format(format, format_ext), block, x, y, exchanged);
}

constexpr Vector rgb(float r, float g, float b, float a = 255) {
    return {r / 255, g / 255, b / 255, a / 255};
}

TEST(Vivante3dReferenceBlocks, X14AndX15Etc1) {
    for (unsigned i = 0; i < 16; i++)
        expect_near(texel_of(30, 0, {0, 0, 0, 0, 0, 0, 0, 0}, i % 4, i / 4), rgb(2, 2, 2));
    expect_near(texel_of(30, 0, {0xF0, 0xF0, 0xF0, 0, 0, 0, 0, 0}, 1, 3), rgb(255, 255, 255));
    expect_near(texel_of(30, 0, {0xF0, 0xF0, 0xF0, 0, 0, 0, 0, 0}, 2, 0), rgb(2, 2, 2));
}

TEST(Vivante3dReferenceBlocks, Etc1Differential) {
    // R 16 and 15, G 0, B 31. Tables 1 (5, 17) and 2 (9, 29). Flipped. All indices are 3: minus the
    // second value.
    const std::initializer_list<uint8_t> block = {0x87, 0x00, 0xF8, 0x2B, 0xFF, 0xFF, 0xFF, 0xFF};
    expect_near(texel_of(30, 0, block, 3, 1), rgb(132 - 17, 0, 255 - 17));
    expect_near(texel_of(30, 0, block, 0, 2), rgb(123 - 29, 0, 255 - 29));
}

TEST(Vivante3dReferenceBlocks, X16Dxt1) {
    const std::initializer_list<uint8_t> four = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0};
    expect_near(texel_of(19, 0, four, 0, 0), rgb(255, 0, 0));
    expect_near(texel_of(19, 0, four, 1, 0), rgb(0, 0, 255));
    expect_near(texel_of(19, 0, four, 2, 0), rgb(170, 0, 85));
    expect_near(texel_of(19, 0, four, 3, 0), rgb(85, 0, 170));
    const std::initializer_list<uint8_t> three = {0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0};
    expect_near(texel_of(19, 0, three, 2, 0), rgb(127.5f, 0, 127.5f), 0.5f / 255 + 1e-6f);
    expect_near(texel_of(19, 0, three, 3, 0), rgb(0, 0, 0, 0));
}

TEST(Vivante3dReferenceBlocks, Dxt3AndDxt5HaveAlpha) {
    const std::initializer_list<uint8_t> dxt3 = {0x21, 0x43, 0, 0, 0, 0, 0, 0,
                                                 0xFF, 0xFF, 0, 0, 0, 0, 0, 0};
    expect_near(texel_of(20, 0, dxt3, 0, 0), rgb(255, 255, 255, 17));
    expect_near(texel_of(20, 0, dxt3, 3, 0), rgb(255, 255, 255, 68));
    // In 8 steps from 70 to 0, index 2 is 60 and index 7 is 10.
    const std::initializer_list<uint8_t> eight = {70, 0, 2 | 7 << 3, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    expect_near(texel_of(21, 0, eight, 0, 0), rgb(255, 255, 255, 60));
    expect_near(texel_of(21, 0, eight, 1, 0), rgb(255, 255, 255, 10));
    // In 6 steps from 0 to 50, index 2 is 10. Index 7 is 255.
    const std::initializer_list<uint8_t> six = {0, 50, 2 | 7 << 3, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    expect_near(texel_of(21, 0, six, 0, 0), rgb(255, 255, 255, 10));
    expect_near(texel_of(21, 0, six, 1, 0), rgb(255, 255, 255, 255));
}

TEST(Vivante3dReferenceBlocks, Etc2TModeExchangesItsColorsWithoutHalti1) {
    // R 0 - 4 overflows. b0 = 0x04: R1 = 0; G1 B1 = 0xF 0; C2 = 8 8 8, d = 3.
    const std::initializer_list<uint8_t> block = {0x04, 0xF0, 0x88, 0x82, 0, 0, 0, 0};
    expect_near(texel_of(0, 0, block, 0, 0, false), rgb(0, 255, 0));
    expect_near(texel_of(0, 0, block, 0, 0, true), rgb(136, 136, 136));
    const std::initializer_list<uint8_t> index_1 = {0x04, 0xF0, 0x88, 0x82, 0, 0, 0, 1};
    expect_near(texel_of(0, 0, index_1, 0, 0, false), rgb(139, 139, 139));
    expect_near(texel_of(0, 0, index_1, 0, 0, true), rgb(3, 255, 3));
}

TEST(Vivante3dReferenceBlocks, Etc2Planar) {
    // B 0 - 4 overflows, so this is planar mode. O and V are black, H is red.
    const std::initializer_list<uint8_t> block = {0, 0, 0x04, 0x7F, 0, 0, 0, 0};
    // O blue: b2[4:3] = 0, b2[1:0] = 0, b3[7] = 0: 0. H red: b3[6:2] = 31, b3[0] = 1: 63.
    expect_near(texel_of(0, 0, block, 0, 0), rgb(0, 0, 0));
    expect_near(texel_of(0, 0, block, 2, 0), rgb(128, 0, 0)); // (2 * 255 + 2) >> 2
    expect_near(texel_of(0, 0, block, 3, 3), rgb(191, 0, 0)); // (3 * 255 + 2) >> 2
}

TEST(Vivante3dReferenceBlocks, EacAlphaAndR11) {
    // Base 100, multiplier 2, table 0, where index 0 is -3 and index 7 is 14.
    const std::initializer_list<uint8_t> low = {100, 0x20, 0, 0, 0, 0, 0, 0};
    const std::initializer_list<uint8_t> high = {100, 0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    EXPECT_NEAR(texel_of(0, 2, low, 2, 2)[3], (100 - 6) / 255.0f, 1e-6f);
    EXPECT_NEAR(texel_of(0, 2, high, 2, 2)[3], (100 + 28) / 255.0f, 1e-6f);
    EXPECT_NEAR(texel_of(0, 3, low, 1, 3)[0], (804 - 48) / 2047.0f, 1e-6f);
    EXPECT_NEAR(texel_of(0, 13, low, 1, 3)[0], (800 - 48) / 1023.0f, 1e-6f);
    // In R11 with multiplier 0, the modifier is not scaled.
    EXPECT_NEAR(texel_of(0, 3, {100, 0, 0, 0, 0, 0, 0, 0}, 0, 0)[0], 801 / 2047.0f, 1e-6f);
}

TEST(Vivante3dReferenceBlocks, PunchThroughHasHoles) {
    // If bit 1 of b3 is 0, the block is not opaque: index 2 (only the MSB is set) is a hole, index
    // 0 the base color.
    expect_near(texel_of(0, 1, {0x80, 0x80, 0x80, 0, 0xFF, 0xFF, 0, 0}, 0, 0), rgb(0, 0, 0, 0));
    expect_near(texel_of(0, 1, {0x80, 0x80, 0x80, 0, 0, 0, 0, 0}, 0, 0), rgb(132, 132, 132));
    expect_near(texel_of(0, 1, {0x80, 0x80, 0x80, 2, 0, 0, 0, 0}, 0, 0), rgb(134, 134, 134));
}

/* ---- Levels, faces, slices ---------------------------------------------------------------- */

TEST_F(Vivante3dReferenceTextures, X17CubeFaces) {
    texture(5, 2, 8, 8, identity);
    for (uint32_t face = 0; face < 6; face++)
        for (uint32_t i = 0; i < 64; i++)
            memory_.write(base + 64 * face + i, static_cast<uint8_t>(10 * face));
    // s = 0.625 and t = 0.25 of face 0 are texel (5, 2), which is (1, 2) of tile 1.
    memory_.write(base + 16 + 9, 77);
    EXPECT_EQ(at(1, 0.5f, -0.25f)[0], level(77));
    const Vector directions[6] = {{1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}};
    for (unsigned face = 0; face < 6; face++)
        EXPECT_EQ(at(directions[face][0], directions[face][1], directions[face][2])[0],
                  level(10.0f * static_cast<float>(face)));
}

TEST_F(Vivante3dReferenceTextures, X18AndX19GradientsChooseTheLevel) {
    numbered_levels(7, 64);
    filters(nearest_filter, nearest_filter, nearest_filter);
    lods(0, 6);
    EXPECT_EQ(with_gradients({{1 / 64.0, 0, 0}, {}})[0], level(0));
    EXPECT_EQ(with_gradients({{4 / 64.0, 0, 0}, {}})[0], level(2));
    EXPECT_EQ(with_gradients({{}, {0, 8 / 64.0, 0}})[0], level(3));
    filters(nearest_filter, linear_filter, nearest_filter);
    EXPECT_NEAR(at_lod(1.25f)[0], level(1.25f), 1e-6f);
    filters(nearest_filter, nearest_filter, nearest_filter);
    EXPECT_EQ(at_lod(1.5f)[0], level(1)); // ties round down
    EXPECT_EQ(at_lod(1.51f)[0], level(2));
}

TEST_F(Vivante3dReferenceTextures, MagnificationHasAFilterOfItsOwn) {
    texture(2, 2, 2, 1, identity);
    memory_.write(base + 1, 255);
    filters(nearest_filter, off, linear_filter);
    lods(0, 1 / 32.0f);
    EXPECT_NEAR(sample(engine_, 0, {{0.5f, 0.5f, 0}, {}, 0.0f})[0], 0.5f, 1e-6f);
    EXPECT_EQ(sample(engine_, 0, {{0.5f, 0.5f, 0}, {}, 0.1f})[0], 1);
}

TEST_F(Vivante3dReferenceTextures, SlicesAndLayers) {
    texture(3, 2, 4, 4, identity);
    load(0x2180, 4);
    for (uint32_t i = 0; i < 64; i++)
        memory_.write(base + i, static_cast<uint8_t>(i / 16));
    EXPECT_EQ(at(0.5f, 0.5f, 0.6f)[0], level(2));
    filters(linear_filter, off, linear_filter);
    EXPECT_NEAR(at(0.5f, 0.5f, 0.5f)[0], level(1.5f), 1e-6f);
    load(0x21C0, identity | 1u << 24); // depth is in layers: nearest integer
    EXPECT_EQ(at(0.5f, 0.5f, 2.4f)[0], level(2));
    EXPECT_EQ(at(0.5f, 0.5f, 9)[0], level(3));
    EXPECT_EQ(at(0.5f, 0.5f, -1)[0], level(0));
}

TEST_F(Vivante3dReferenceTextures, LinearTexturesFindTheirStrideWhereMesaWritesIt) {
    load(0x2004, 2 | 2u << 13 | 3u << 20 | 1u << 7 | 1u << 11);
    load(0x2044, 0x00020002);
    load(0x2404, base);
    load(0x2C40, 32); // sampler 1's stride is that of level 1 of sampler 0
    memory_.write(base + 33, 200);
    EXPECT_EQ(sample(engine_, 1, {{0.75f, 0.75f, 0}, {}, {}})[0], level(200));
    load(0x2C04, 64);
    EXPECT_EQ(sample(engine_, 1, {{0.75f, 0.75f, 0}, {}, {}})[0], level(0));
}

/* The NTE bank of HALTI1 to HALTI4. */
class Vivante3dReferenceNte : public Parts {
protected:
    Vivante3dReferenceNte() : Parts(vivante_gc3000) {}

    static constexpr uint32_t sampler = 5, at_sampler = 4 * sampler;

    void texture(uint32_t type, uint32_t format, uint32_t size, uint32_t config_1,
                 uint32_t filters) {
        load(0x10000 + at_sampler,
             type | format << 13 | clamp << 3 | clamp << 5 | filters << 7 | filters << 11);
        load(0x10080 + at_sampler, size | size << 16);
        load(0x10300 + at_sampler, 1);
        load(0x10380 + at_sampler, identity | config_1);
        load(0x10800 + 64 * sampler, base);
    }
    Vector at(float s, float t = 0.5f, float r = 0, std::optional<float> reference = {}) {
        return sample(engine_, sampler, {.at = {s, t, r}, .reference = reference});
    }
    Vector at_lod(float lod) {
        return sample(engine_, sampler, {.at = {0.5f, 0.5f, 0}, .gradients = {}, .lod = lod});
    }
    static constexpr uint32_t supertiled = 2u << 26;
};

TEST_F(Vivante3dReferenceNte, HasSupertiles) {
    texture(2, 9, 64, supertiled, nearest_filter);
    put(base + 0x200, 0x04030201); // pixel (8, 0)
    expect_near(at(8.5f / 64, 0.5f / 64), {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f});
    load(0x10000 + at_sampler, 0);
    EXPECT_EQ(at(0.5f), (Vector{0, 0, 0, 1}));
    EXPECT_EQ(sampler_count(engine_), 32u);
}

TEST_F(Vivante3dReferenceNte, LinearTexturesHaveAStride) {
    texture(2, 9, 4, 0, nearest_filter);
    load(0x10000 + at_sampler, engine_.states[0x10000 + at_sampler] | 3u << 20);
    load(0x10280 + at_sampler, 64);
    put(base + 64 + 4, 0xFF);
    EXPECT_EQ(at(1.5f / 4, 1.5f / 4)[0], 1);
}

TEST_F(Vivante3dReferenceNte, BaselodLimitsLevels) {
    texture(2, 2, 64, supertiled, nearest_filter);
    load(0x10000 + at_sampler, engine_.states[0x10000 + at_sampler] | nearest_filter << 9);
    load(0x10180 + at_sampler, 0x180); // MAX is 6
    for (uint32_t level = 0; level < 7; level++) {
        load(0x10800 + 64 * sampler + 4 * level, base + 0x1000 * level);
        for (uint32_t i = 0; i < 0x1000; i++)
            memory_.write(base + 0x1000 * level + i, static_cast<uint8_t>(level));
    }
    EXPECT_EQ(at_lod(1)[0], 1 / 255.0f);
    EXPECT_EQ(at_lod(5)[0], 5 / 255.0f);
    load(0x10700 + at_sampler, 0x00800402);
    EXPECT_EQ(at_lod(1)[0], 2 / 255.0f);
    EXPECT_EQ(at_lod(3)[0], 3 / 255.0f);
    EXPECT_EQ(at_lod(5)[0], 4 / 255.0f);
}

TEST_F(Vivante3dReferenceNte, ReadsThroughTheTileStatus) {
    texture(2, 9, 64, supertiled | 1u << 30, nearest_filter);
    load(0x1720 + at_sampler, 1);
    load(0x1740 + at_sampler, 0x8000);
    load(0x1760 + at_sampler, 0xFF0000FF);
    load(0x1780 + at_sampler, 0xFF0000FF);
    memory_.write(0x8000, 1 << 2); // tile 1
    EXPECT_EQ(at(4.5f / 64, 0.5f / 64), (Vector{1, 0, 0, 1}));
    EXPECT_EQ(at(0.5f / 64, 0.5f / 64), (Vector{0, 0, 0, 0}));
    load(0x10380 + at_sampler, identity | supertiled);
    EXPECT_EQ(at(4.5f / 64, 0.5f / 64), (Vector{0, 0, 0, 0}));
}

TEST_F(Vivante3dReferenceNte, ComparesDepths) {
    texture(2, 16, 2, 0, linear_filter);
    put(base, 0xFFFF8000);     // depths 0.5 and 1
    put(base + 8, 0xFFFF8000); // and in the next row
    constexpr float half = 0x8000 / 65535.0f;
    const bool expected[8][3] = {{true, true, false},  {false, true, true},  {true, false, false},
                                 {false, false, true}, {false, true, false}, {true, false, true},
                                 {true, true, true},   {false, false, false}};
    for (uint32_t function = 0; function < 8; function++)
        for (unsigned i = 0; i < 3; i++) {
            load(0x10700 + at_sampler, 1u << 16 | function << 20);
            const float reference[3] = {0.25f, half, 0.75f};
            EXPECT_EQ(at(0.25f, 0.5f, 0, reference[i])[0], expected[function][i]) << function << i;
        }
    load(0x10700 + at_sampler, 1u << 16); // LEQUAL
    EXPECT_EQ(at(0.5f, 0.5f, 0, 0.75f), (Vector{0.5f, 0.5f, 0.5f, 0.5f}));
    EXPECT_EQ(at(0.75f, 0.5f, 0, 7.0f)[0], 1); // clamped to 1
    EXPECT_EQ(at(0.25f)[0], half);             // without a reference
}

struct FormatCase {
    const char* name;
    uint32_t format, format_ext;
    std::array<uint32_t, 2> data;
    Register color;
};

const FormatCase float_and_integer_formats[] = {
    {"R16F", 0, 7, {0x3800}, {bits_of(0.5f), 0, 0, bits_of(1)}},
    {"G16R16F", 0, 8, {0xC0003C00}, {bits_of(1), bits_of(-2), 0, bits_of(1)}},
    {"A16B16G16R16F",
     0,
     9,
     {0x38003C00, 0x3C003400},
     {bits_of(1), bits_of(0.5f), bits_of(0.25f), bits_of(1)}},
    {"R32F", 0, 10, {0x7F800001}, {0x7F800001, 0, 0, bits_of(1)}},
    {"G32R32F", 0, 11, {0x12345678, 0x80000001}, {0x12345678, 0x80000001, 0, bits_of(1)}},
    {"R8_SNORM", 0, 14, {0x80}, {bits_of(-1), 0, 0, bits_of(1)}},
    {"G8R8_SNORM", 0, 15, {0x7F81}, {bits_of(-1), bits_of(1), 0, bits_of(1)}},
    {"X8B8G8R8_SNORM",
     0,
     16,
     {0x00817F40},
     {bits_of(64 / 127.0f), bits_of(1), bits_of(-1), bits_of(1)}},
    {"A8B8G8R8_SNORM", 0, 17, {0x81007F40}, {bits_of(64 / 127.0f), bits_of(1), 0, bits_of(-1)}},
    {"R8I", 0, 21, {0x80}, {0x80, 0, 0, 1}},
    {"G8R8I", 0, 22, {0x0180}, {0x80, 1, 0, 1}},
    {"A8B8G8R8I", 0, 23, {0xFF030201}, {1, 2, 3, 0xFF}},
    {"R16I", 0, 24, {0x8001}, {0x8001, 0, 0, 1}},
    {"G16R16I", 0, 25, {0x00028001}, {0x8001, 2, 0, 1}},
    {"A16B16G16R16I", 0, 26, {0x00020001, 0xFFFF0003}, {1, 2, 3, 0xFFFF}},
    {"B10G11R11F", 0, 27, {0x801C03C0}, {bits_of(1), bits_of(0.5f), bits_of(2), bits_of(1)}},
    {"A2B10G10R10UI", 0, 28, {0xC01803FF}, {1023, 512, 1, 3}},
    {"E5B9G9R9", 29, 0, {0x81010100}, {bits_of(1), bits_of(0.5f), bits_of(0.25f), bits_of(1)}},
    {"R8, of HALTI5", 0, 33, {0xFF}, {0, 0, 0, 0}},
};

TEST_F(Vivante3dReferenceNte, FloatAndIntegerFormats) {
    for (const FormatCase& c : float_and_integer_formats) {
        SCOPED_TRACE(c.name);
        texture(2, c.format, 1, c.format_ext, nearest_filter);
        put(base, c.data[0]);
        put(base + 4, c.data[1]);
        EXPECT_EQ(std::bit_cast<Register>(at(0.5f)), c.color);
    }
}

TEST_F(Vivante3dReferenceNte, IntegersAreNotFiltered) {
    texture(2, 0, 2, 24, linear_filter); // R16I
    put(base, 0x00030001);
    EXPECT_EQ(std::bit_cast<Register>(at(0.5f, 0.25f)), (Register{3, 0, 0, 1}));
    EXPECT_EQ(std::bit_cast<Register>(at(0.4f, 0.25f)), (Register{1, 0, 0, 1}));
    load(0x10380 + at_sampler, 0x00555500 | 24); // ONE
    EXPECT_EQ(std::bit_cast<Register>(at(0.4f, 0.25f)), (Register{1, 1, 1, 1}));
}

/* Faces of 2x2 texels; red is 10 f + 2 y + x. */
class Vivante3dReferenceSeams : public Vivante3dReferenceNte {
protected:
    Vivante3dReferenceSeams() {
        texture(5, 2, 2, 1u << 25, linear_filter);
        for (uint32_t face = 0; face < 6; face++)
            for (uint32_t i = 0; i < 4; i++)
                memory_.write(base + 16 * face + i / 2 * 4 + i % 2,
                              static_cast<uint8_t>(10 * face + i));
    }
    float red(float x, float y, float z) { return at(x, y, z)[0] * 255; }
};

TEST_F(Vivante3dReferenceSeams, EdgesAreFiltered) {
    // On the edge of +x and +z at y = -0.5 meet texel (0, 1) of +x and texel (1, 1) of +z.
    EXPECT_NEAR(red(1, -0.5f, 0.99999f), (2 + 43) / 2.0f, 0.01f);
    EXPECT_NEAR(red(0.99999f, -0.5f, 1), (2 + 43) / 2.0f, 0.01f);
    // +y and -z at x = 0.5: texel (1, 0) of +y and texel (0, 0) of -z.
    EXPECT_NEAR(red(0.5f, 1, -0.99999f), (21 + 50) / 2.0f, 0.01f);
    load(0x10380 + at_sampler, identity);
    EXPECT_NEAR(red(1, -0.5f, 0.99999f), 2, 0.01f);
}

TEST_F(Vivante3dReferenceSeams, CornersAreMeansOfThreeTexels) {
    // +x (0, 0), +y (1, 1) and +z (1, 0)
    constexpr float mean = (0 + 23 + 41) / 3.0f;
    EXPECT_NEAR(red(1, 0.99999f, 0.99999f), (0 + 23 + 41 + mean) / 4, 0.01f);
}

/* ---- Descriptors of HALTI5 ---------------------------------------------------------------- */

class Vivante3dReferenceDescriptors : public Parts {
protected:
    static constexpr uint32_t unit = 3, descriptor = 0x8000;
    static constexpr uint32_t nearest_edge = 0x00202292; // HD14

    Vivante3dReferenceDescriptors() : Parts(vivante_gc7000ul) {
        load(0x14C40, 1);
        load(0x15C00 + 4 * unit, descriptor);
        load(0x15E00 + 4 * unit, 0x4C); // HD20
        load(0x16C00 + 4 * unit, nearest_edge);
        load(0x16E00 + 4 * unit, 2);
        load(0x17000 + 4 * unit, 0x00000FFF); // HD18
    }
    /// Words from offset 0x40 on: CONFIG0, SIZE, LINEAR_STRIDE and CONFIG1.
    void describe(std::array<uint32_t, 4> words, uint32_t base_lod = 0, uint32_t config_2 = 0x30000,
                  uint32_t slice = 0, uint32_t depth = 1) {
        for (uint32_t i = 0; i < 4; i++)
            put(descriptor + 0x40 + 4 * i, words[i]);
        put(descriptor + 0x68, base_lod);
        put(descriptor + 0x6C, config_2);
        put(descriptor + 0x7C, slice);
        put(descriptor + 0x84, depth);
        put(descriptor, base);
    }
    /// A view of levels from `first` of a 64x64 texture. The red of level n is n.
    void numbered_levels(uint32_t first, uint32_t size) {
        describe({0x00012002, size << 16 | size, 0x100, 0x08321000}, 0x600 | first);
        for (uint32_t level = 0; level < 7; level++) {
            put(descriptor + 4 * level, base + 0x4000 * level);
            for (uint32_t i = 0; i < 0x4000; i += 4)
                put(base + 0x4000 * level + i, level);
        }
    }
    Vector at(float s, float t = 0.5f, float r = 0, std::optional<float> reference = {}) {
        return sample(engine_, unit, {.at = {s, t, r}, .reference = reference});
    }
    Register bits_at(float s, float t = 0.5f, float r = 0) {
        return std::bit_cast<Register>(at(s, t, r));
    }
    float level_at(float lod) {
        return sample(engine_, unit, {.at = {0.5f, 0.5f, 0}, .lod = lod})[0] * 255;
    }
};

TEST_F(Vivante3dReferenceDescriptors, HD1ATextureOfNewSupertiles) {
    describe({0x00012002, 0x00400040, 0x100, 0x08321000}, 0x600, 0x30000, 0x4000);
    put(base + 0x100, 0x04030201); // pixel (8, 0)
    expect_near(at(8.5f / 64, 0.5f / 64), {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f});
}

TEST_F(Vivante3dReferenceDescriptors, HD4ALinearTextureOfIntegers) {
    describe({0x00300002, 0x00100010, 0x10, 0x00321015});
    memory_.write(base + 0x10 * 2 + 1, 200);
    EXPECT_EQ(bits_at(1.5f / 16, 2.5f / 16), (Register{200, 0, 0, 1}));
}

TEST_F(Vivante3dReferenceDescriptors, HD5AndHD25AnArrayOfSignedIntegers) {
    describe({0x00000003, 0x00200020, 0x200, 0x0932101A}, 0, 0x000B0000, 0x8000, 4);
    put(base + 3 * 0x8000, 0x7FFFFFFE);
    put(base + 3 * 0x8000 + 4, 0x00018000);
    EXPECT_EQ(bits_at(0.5f / 32, 0.5f / 32, 2.5f), (Register{0xFFFFFFFE, 0x7FFF, 0xFFFF8000, 1}));
    put(descriptor + 0x7C, 0x4000); // SLICE is the distance of layers
    EXPECT_EQ(bits_at(0.5f / 32, 0.5f / 32, 2.5f), (Register{0, 0, 0, 0}));
}

TEST_F(Vivante3dReferenceDescriptors, HD26SignsOfIntegers) {
    describe({0x00000002, 0x00010001, 4, 0x00321015}, 0, 0x00070000);
    memory_.write(base, 0x80);
    EXPECT_EQ(bits_at(0.5f), (Register{0xFFFFFF80, 0, 0, 1}));
    put(descriptor + 0x6C, 0x00030000);
    EXPECT_EQ(bits_at(0.5f), (Register{0x80, 0, 0, 1}));
}

TEST_F(Vivante3dReferenceDescriptors, HD8Swizzles) {
    describe({0x00004002, 0x00010001, 4, 0x00344000}); // L8
    memory_.write(base, 0x33);
    expect_near(at(0.5f), {0.2f, 0, 0, 1});
}

TEST_F(Vivante3dReferenceDescriptors, HD10AndHD24ViewsBeginAtTheirBaseLevel) {
    numbered_levels(2, 16);
    load(0x16C00 + 4 * unit, nearest_edge | 1u << 11);
    EXPECT_NEAR(level_at(0), 2, 1e-4f);
    EXPECT_NEAR(level_at(1), 3, 1e-4f);
    EXPECT_NEAR(level_at(9), 6, 1e-4f);              // MAXLOD
    const Gradients gradients{{2 / 16.0, 0, 0}, {}}; // in texels of the base level
    EXPECT_NEAR(sample(engine_, unit, {.at = {0.5f, 0.5f, 0}, .gradients = gradients})[0] * 255, 3,
                1e-4f);
}

TEST_F(Vivante3dReferenceDescriptors, HD23LevelsHaveFiveBitsOfFraction) {
    numbered_levels(0, 64);
    load(0x16C00 + 4 * unit, nearest_edge | 1u << 11);
    EXPECT_NEAR(level_at(0.49f), 0, 1e-4f);
    EXPECT_NEAR(level_at(0.5f), 1, 1e-4f);
    EXPECT_NEAR(level_at(1.53125f), 2, 1e-4f);
    load(0x16C00 + 4 * unit, nearest_edge | 2u << 11);
    EXPECT_NEAR(level_at(1.28125f), 1.28125f, 1e-4f);
}

TEST_F(Vivante3dReferenceDescriptors, HD17AndHD18LimitsAndBiases) {
    numbered_levels(0, 64);
    load(0x16C00 + 4 * unit, nearest_edge | 1u << 11);
    load(0x17000 + 4 * unit, 0x01000300); // 1 to 3
    EXPECT_NEAR(level_at(0), 1, 1e-4f);
    EXPECT_NEAR(level_at(5), 3, 1e-4f);
    load(0x17000 + 4 * unit, 0xFF000FFF); // a minimum of -1
    EXPECT_NEAR(level_at(-5), 0, 1e-4f);
    load(0x17200 + 4 * unit, 0x0001FE80); // -1.5
    EXPECT_NEAR(level_at(4), 3, 1e-4f);   // 2.5, rounded up
    load(0x17200 + 4 * unit, 0x00010240); // 2.25
    EXPECT_NEAR(level_at(1), 3, 1e-4f);
    load(0x17200 + 4 * unit, 0x00000240);
    EXPECT_NEAR(level_at(1), 1, 1e-4f);
}

TEST_F(Vivante3dReferenceDescriptors, FiltersChangeAtTheLevelOfTheBase) {
    describe({0x00004002, 0x00010002, 4, 0x00321000}); // L8, 2x1
    memory_.write(base + 1, 255);
    load(0x16C00 + 4 * unit, 0x00204292); // nearest, and linear if magnified
    load(0x17000 + 4 * unit, 4);          // HD18
    EXPECT_NEAR(level_at(0), 127.5f, 1e-3f);
    EXPECT_NEAR(level_at(0.5f), 255, 1e-3f);
    load(0x16C00 + 4 * unit, 0x00204A92); // with levels, magnified up to 0.5
    load(0x17000 + 4 * unit, 0x0FFF);
    EXPECT_NEAR(level_at(0.5f), 127.5f, 1e-3f);
    EXPECT_NEAR(level_at(0.6f), 255, 1e-3f);
}

TEST_F(Vivante3dReferenceDescriptors, HD15ComparesDepths) {
    describe({0x00020002, 0x00010001, 4, 0x00321000}); // D16
    put(base, 0x8000);
    load(0x16C00 + 4 * unit, 0x00224492); // LEQUAL
    EXPECT_EQ(at(0.5f, 0.5f, 0, 0.5f)[0], 1);
    EXPECT_EQ(at(0.5f, 0.5f, 0, 0.6f)[0], 0);
    load(0x16C00 + 4 * unit, 0x00264492); // GEQUAL
    EXPECT_EQ(at(0.5f, 0.5f, 0, 0.6f)[0], 1);
    EXPECT_EQ(at(0.5f, 0.5f, 0, 0.5f)[0], 0);
}

TEST_F(Vivante3dReferenceDescriptors, DepthOrStencil) {
    describe({0x00000002, 0x00010001, 4, 0x00321022}); // D24S8
    put(base, 0x8000005A);
    EXPECT_EQ(at(0.5f)[0], 8388608 / 16777215.0f);
    load(0x16C00 + 4 * unit, nearest_edge | 1u << 16);
    EXPECT_EQ(bits_at(0.5f), (Register{0x5A, 0, 0, 1}));
}

TEST_F(Vivante3dReferenceDescriptors, SrgbIsInTheSampler) {
    describe({0x00012002, 0x00010001, 4, 0x00321000});
    put(base, 0x80FF0ABC);
    load(0x16E00 + 4 * unit, 6);
    expect_near(at(0.5f), {0.50289f, 0.0030353f, 1, 128 / 255.0f}, 1e-5f);
}

TEST_F(Vivante3dReferenceDescriptors, HD20AUnitOfTileStatus) {
    describe({0x00012002, 0x00400040, 0x100, 0x08321000}, 0, 0x30000, 0x4000);
    constexpr uint32_t status = 0x9000;
    memory_.write(status, 0x10);
    load(0x15E00 + 4 * unit, 0x46); // unit 1, tiles of 128 bytes
    load(0x1724, 1);
    load(0x1744, status);
    load(0x1764, 0xFF0000FF);
    load(0x1784, 0xFF0000FF);
    load(0x1A84, base);
    EXPECT_EQ(at(0.5f / 64, 4.5f / 64), (Vector{1, 0, 0, 1}));
    EXPECT_EQ(at(8.5f / 64, 0.5f / 64), (Vector{0, 0, 0, 0}));
    load(0x15E00 + 4 * unit, 0x07); // tiles of 256 bytes
    EXPECT_EQ(at(0.5f / 64, 4.5f / 64), (Vector{0, 0, 0, 0}));
    EXPECT_EQ(at(8.5f / 64, 0.5f / 64), (Vector{1, 0, 0, 1}));
}

TEST_F(Vivante3dReferenceDescriptors, BadDescriptorsAreBlack) {
    describe({0x00012002, 0x00010001, 4, 0x00321000});
    put(base, 0xFFFFFFFF);
    EXPECT_EQ(at(0.5f), (Vector{1, 1, 1, 1}));
    for (const uint32_t address : {0u, descriptor + 4, 0xBAD00000u}) {
        load(0x15C00 + 4 * unit, address);
        EXPECT_EQ(at(0.5f), (Vector{0, 0, 0, 1})) << address;
    }
    load(0x15C00 + 4 * unit, descriptor);
    put(descriptor + 0x44, 0x00000001);
    EXPECT_EQ(at(0.5f), (Vector{0, 0, 0, 1}));
    put(descriptor + 0x44, 0x00010001);
    load(0x14C40, 0);
    EXPECT_EQ(at(0.5f), (Vector{0, 0, 0, 1}));
}

TEST_F(Vivante3dReferenceDescriptors, HD27FetchesTexelsByNumber) {
    numbered_levels(1, 32);
    put(base + 0x4000 + 0x40, 0x04030201); // (4, 0) of level 1
    const auto fetched = [this](int32_t x, int32_t y, float lod) {
        return fetch_texel(engine_, unit, {x, y, 0}, lod);
    };
    expect_near(fetched(4, 0, 0), {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 4 / 255.0f});
    EXPECT_EQ(fetched(0, 0, 2)[0] * 255, 3);
    EXPECT_EQ(fetched(31, 31, 0)[0] * 255, 1);
    EXPECT_EQ(fetched(32, 0, 0), (Vector{0, 0, 0, 0}));
    EXPECT_EQ(fetched(0, -1, 0), (Vector{0, 0, 0, 0}));
    EXPECT_EQ(fetched(0, 0, -5)[0] * 255, 1); // limited to BASELOD
}

TEST_F(Vivante3dReferenceDescriptors, GathersTheTexelsOfAFilter) {
    describe({0x00012002, 0x00040004, 16, 0x00321000});
    for (uint32_t i = 0; i < 16; i++)
        put(base + 4 * i, i << 24 | 0xFF);
    const Lookup lookup{.at = {0.5f, 0.5f, 0}};
    const Vector alpha = gather(engine_, unit, lookup, 3);
    expect_near(alpha, {9 / 255.0f, 10 / 255.0f, 6 / 255.0f, 5 / 255.0f});
    expect_near(gather(engine_, unit, lookup, 0), {1, 1, 1, 1});
}

TEST_F(Vivante3dReferenceTextures, AnisotropyTakesSeveralTapsOfAFinerLevel) {
    numbered_levels(7, 64);
    filters(linear_filter, nearest_filter, linear_filter);
    lods(0, 6);
    const Gradients steep{{8 / 64.0, 0, 0}, {0, 2 / 64.0, 0}};
    EXPECT_EQ(with_gradients(steep)[0], level(3));
    load(0x2000, engine_.states[0x2000] | 0x40u << 24); // 4 taps, so level log2(8 / 4) = 1
    EXPECT_EQ(with_gradients(steep)[0], level(1));
}

TEST_F(Vivante3dReferenceTextures, BadSamplers) {
    EXPECT_EQ(at(0.5f), (Vector{0, 0, 0, 1}));
    texture(4, 9, 1, 1);
    put(base, 0xFFFFFFFF);
    EXPECT_EQ(at(0.5f), (Vector{0, 0, 0, 0}));
    texture(2, 9, 1, 1);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(at(nan, 1e30f), (Vector{1, 1, 1, 1}));
}

} // namespace
} // namespace pixmill::test
