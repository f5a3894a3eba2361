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
