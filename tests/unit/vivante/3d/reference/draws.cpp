/*
 * Complete draws in the reference, with the command streams that Debian's Mesa 25.0.7 sends for
 * a GC2000. Expected pixels are calculated by hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rig.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t color = 0x100000, color_1 = color + 0x20000, depth = 0x140000,
                   depth_1 = depth + 0x20000;
constexpr uint32_t color_status = 0x180000, depth_status = 0x181000, linear = 0x190000,
                   vertices = 0x1E0000, texture = 0x1F0000;

class Vivante3dReferenceDraws : public Rig {
protected:
    explicit Vivante3dReferenceDraws(const Vivante3d::Features& features = {}) : Rig(features) {
        reset();
    }

    /// Loads the states that Mesa sends at the start of each command buffer.
    void reset() {
        load(0x384C, 0);
        load(0x0A2C, 0x34000001);
        load(0x0A88, 0);
        load(0x0A80, 0x38A01404);
        load(0x0A84, 0x46000000);
        load(0x0A8C, 0);
        load(0x0E20, 0x7000);
        load(0x1030, 0);
        load(0x16B8, 0);
        for (uint32_t i = 0; i < 16; i++)
            load(0x0600 + 4 * i, 0);
    }

    void clear_status(uint32_t address, uint32_t size, uint32_t offset) {
        load(0x1604, 0x4606);
        load(0x160C, 0);
        load(0x1614, 0x100);
        load(0x16E0, address);
        burst(0x1700, {0, offset});
        load(0x1620, size);
        burst(0x1630, {0xFFFFFFFF, 0xFFFFFFFF});
        burst(0x163C, {0x0001FFFF, 0x55555555, 0, 0, 0});
        load(0x16A0, 0);
        load(0x1600, 0xBEEBBEEB);
    }

    /// Clears 256x256 pixels to color (0.2, 0.4, 0.6, 1), depth 1 and stencil 0, like glClear().
    void clear() {
        clear_status(color_status, 0x00080010, 0x00080000);
        clear_status(depth_status, 0x00080010, 0x00080000);
    }

    /// Loads the states of a triangle with float3 positions, ubyte4 colors and no depth test.
    void first_triangle() {
        burst(0x0600, {0x0C003008, 0x100C4081});
        load(0x3818, 0xF0);
        load(0x0648, 0);
        load(0x0674, 0);
        load(0x0680, vertices);
        load(0x06A0, 16);
        burst(0x0804, {2, 0x102, 2});
        load(0x0830, 0x0F3F0522);
        fixed(0x0A00, {0x00800000, 0xFF800000});
        load(0x0A08, 0x3F800000);
        fixed(0x0A0C, {0x00800000, 0x00800000});
        load(0x0A14, 0);
        burst(0x0A18, {0x3F000000, 0x3F000000});
        load(0x0A28, 0x11);
        burst(0x0A30, {0x100, 0x412000, 0x3F000000, 0x3F000000});
        fixed(0x0C00, {0, 0, 0x01001119, 0x01001111});
        burst(0x0C10, {0, 0, 0});
        fixed(0x0C20, {0x0100FFFF, 0x0100FFFF});
        load(0x0E00, 1);
        load(0x0E08, 0x30);
        burst(0x1004, {0x02020202, 0x1F02, 3, 2});
        load(0x1030, 0);
        burst(0x1400, {0x05040711, 0, 0x3F800000, 0x4B7FFFFF});
        load(0x1414, 0x400);
        burst(0x1418, {0, 0, 0, 0, 0, 0x00110F06});
        load(0x1434, 0x400);
        load(0x1454, 0);
        burst(0x1460, {color, color_1});
        burst(0x1480, {depth, depth_1});
        burst(0x14A0, {0, 0x000E406C, 0xFFFFFFFF, 0xFFFFFFFF});
        load(0x14B8, 0);
        burst(0x1654, {3, color_status, color, 0xFF996633, depth_status, depth, 0xFFFFFF00});
        load(0x16BC, 0xFF996633);
        load(0x381C, 4);
        load(0x0800, 1);
        burst(0x0810, {0x100, 0, 0, 0});
        burst(0x0820, {0x100, 0, 0, 0});
        load(0x0838, 0);
        load(0x0A40, 0x2F1);
        load(0x0E04, 0);
        burst(0x0E10, {0, 0, 0, 0});
        load(0x1000, 1);
        load(0x1018, 0);
        load(0x3820, 4);
        burst(0x3828, {0, 0});
        burst(0x3834, {0, 0});
        load(0x3854, 0);
        load(0x085C, 0);
        load(0x101C, 0x01000100);
        burst(0xC000, {0, 0, 0, 0});
        burst(0xD000, {0x07821009, 0x00000004, 0x00000000, 0x00318018});
    }

    void vertex(uint32_t number, float x, float y, float z, uint32_t rgba) {
        put_floats(vertices + 16 * number, {x, y, z});
        put(vertices + 16 * number + 12, rgba);
    }
    /// Stores a triangle of one color that covers the lower left half of the target.
    void lower_left(uint32_t rgba, float z = 0) {
        vertex(0, -1, -1, z, rgba);
        vertex(1, 1, -1, z, rgba);
        vertex(2, -1, 1, z, rgba);
    }

    /// Copies to the linear buffer, through the tile status at `status`, like glReadPixels().
    void resolve(uint32_t from, uint32_t from_1, uint32_t status, uint32_t clear_value) {
        load(0x1654, 2);
        burst(0x1658, {status, from, clear_value});
        load(0x16BC, clear_value);
        load(0x1604, 0x686);
        load(0x160C, 0xC0001000);
        load(0x1614, 0x400);
        burst(0x16C0, {from, from_1});
        load(0x16E0, linear);
        burst(0x1700, {0, 0x00800000});
        load(0x1620, 0x00800100);
        burst(0x1630, {0xFFFFFFFF, 0xFFFFFFFF});
        burst(0x163C, {0, 0, 0, 0, 0});
        load(0x16A0, 0);
        load(0x1600, 0xBEEBBEEB);
    }
    void resolve_color() { resolve(color, color_1, color_status, 0xFF996633); }
    uint32_t pixel(uint32_t x, uint32_t y) const { return word(linear + 4 * (256 * y + x)); }
    /// Returns the number of pixels with this value in the linear buffer.
    uint32_t count(uint32_t value) const {
        uint32_t number = 0;
        for (uint32_t i = 0; i < 256 * 256; i++)
            number += word(linear + 4 * i) == value;
        return number;
    }
};

TEST_F(Vivante3dReferenceDraws, AClearIsInTheTileStatus) {
    clear();
    EXPECT_EQ(word(color_status), 0x55555555u);
    EXPECT_EQ(word(color_status + 0x3FC), 0x55555555u);
    EXPECT_EQ(word(color), 0u);
    resolve_color();
    EXPECT_EQ(count(0xFF996633), 65536u);
}

TEST_F(Vivante3dReferenceDraws, TheFirstTriangle) {
    clear();
    first_triangle();
    lower_left(0xFF0000FF);
    engine_.draw(4, 0, 1);
    resolve_color();
    // The hypotenuse, a right edge, goes through the centers of pixels with x = y. They are not
    // covered.
    for (uint32_t y = 0; y < 256; y++)
        for (uint32_t x = 0; x < 256; x++)
            ASSERT_EQ(pixel(x, y), x < y ? 0xFF0000FFu : 0xFF996633u) << x << ' ' << y;
}

TEST_F(Vivante3dReferenceDraws, TrianglesThatShareAnEdgeCoverEachPixelOnce) {
    clear();
    first_triangle();
    load(0x1428, 0x00000111); // ONE, ONE: pixels drawn twice are brighter
    lower_left(0x10101010);
    vertex(3, 1, -1, 0, 0x10101010);
    vertex(4, 1, 1, 0, 0x10101010);
    vertex(5, -1, 1, 0, 0x10101010);
    engine_.draw(4, 0, 2);
    resolve_color();
    EXPECT_EQ(count(0xFFA97643), 65536u);
}

TEST_F(Vivante3dReferenceDraws, ColorsAreInterpolated) {
    clear();
    first_triangle();
    vertex(0, -1, -1, 0, 0xFF0000FF);
    vertex(1, 1, -1, 0, 0xFF00FF00);
    vertex(2, -1, 1, 0, 0xFFFF0000);
    engine_.draw(4, 0, 1);
    resolve_color();
    // The center of pixel (10, 200) is at s = 10.5 / 256 to the right and t = 55.5 / 256 up.
    const float s = 10.5f / 256, t = 55.5f / 256;
    const uint32_t p = pixel(10, 200);
    EXPECT_NEAR(p & 0xFF, 255 * (1 - s - t), 0.51f);
    EXPECT_NEAR(p >> 8 & 0xFF, 255 * s, 0.51f);
    EXPECT_NEAR(p >> 16 & 0xFF, 255 * t, 0.51f);

    load(0x0A34, 0x402000); // flat shading, but this varying is not a color
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(pixel(10, 200), p);
    load(0x0A40, 0x200);
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(pixel(10, 200), 0xFFFF0000u);
}

TEST_F(Vivante3dReferenceDraws, VaryingsArePerspectiveCorrect) {
    clear();
    first_triangle();
    burst(0x0600, {0x10000008, 0x14104081}); // float4 positions, then the color
    load(0x06A0, 20);
    const auto vertex_4 = [this](uint32_t n, float x, float y, float w, uint32_t rgba) {
        put_floats(vertices + 20 * n, {x * w, y * w, 0, w});
        put(vertices + 20 * n + 16, rgba);
    };
    vertex_4(0, -1, 1, 1, 0xFF000000);
    vertex_4(1, 1, 1, 3, 0xFF0000FF);
    vertex_4(2, -1, -1, 1, 0xFF000000);
    engine_.draw(4, 0, 1);
    resolve_color();
    // b is the fraction of the way to vertex 1, where w is 3. Red is b / 3 / (b / 3 + 1 - b).
    const float b = 64.5f / 256;
    EXPECT_NEAR(pixel(64, 0) & 0xFF, 255 * (b / 3) / (b / 3 + 1 - b), 0.51f);
}

TEST_F(Vivante3dReferenceDraws, P5CullsByTheSignOfTheArea) {
    for (const uint32_t mode : {0u, 1u, 2u}) {
        clear();
        first_triangle();
        load(0x0A34, 0x412000 | mode << 8);
        // Window (0, 0), (10, 0), (0, 10): A > 0.
        vertex(0, -1, 1, 0, 0xFF0000FF);
        vertex(1, -1 + 20 / 256.0f, 1, 0, 0xFF0000FF);
        vertex(2, -1, 1 - 20 / 256.0f, 0, 0xFF0000FF);
        engine_.draw(4, 0, 1);
        resolve_color();
        // The rows have 9 to 0 pixels, because centers on the hypotenuse are not covered.
        EXPECT_EQ(count(0xFF0000FF), mode == 1 ? 0u : 45u);
    }
}

TEST_F(Vivante3dReferenceDraws, P5FaceIsTheSignOfTheArea) {
    clear();
    first_triangle();
    burst(0x1004, {0x01010101});
    program(0xD000, {{.opcode = shader::MOV,
                      .destination = 1,
                      .sources = {shader::Operand{}, {}, shader::face()}}});
    lower_left(0);
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(pixel(0, 255), 0u); // the area is negative, as window y points down
    vertex(1, -1, 1, 0, 0);
    vertex(2, 1, -1, 0, 0);
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(pixel(0, 255), 0xFFFFFFFFu);
}

TEST_F(Vivante3dReferenceDraws, P6ScissorMarginsAreCutOff) {
    clear();
    first_triangle();
    fixed(0x0C00, {0x00100000, 0x00F00000, 0x00201119, 0x01001111});
    lower_left(0xFF0000FF);
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(count(0xFF0000FF), 16u * 16);
    EXPECT_EQ(pixel(16, 240), 0xFF0000FFu);
    EXPECT_EQ(pixel(31, 255), 0xFF0000FFu);
}

TEST_F(Vivante3dReferenceDraws, P7AndPointSprites) {
    clear();
    first_triangle();
    burst(0x1004, {0x01010101});
    load(0xD000, 0); // NOP, so t1 is the color
    load(0x0A34, 0x00412010);
    load(0x0A1C, bits_of(2)); // half of the point size
    load(0x3820, 2);
    load(0x3828, 0xE); // varying 0 is gl_PointCoord
    vertex(0, -1 + 20 / 256.0f, 1 - 20 / 256.0f, 0, 0);
    engine_.draw(1, 0, 1);
    resolve_color();
    EXPECT_EQ(count(0xFF996633), 65536u - 16);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++) {
            // 0.125, 0.375, 0.625, 0.875: 255 v + 0.5, truncated
            const uint32_t value[4] = {32, 96, 159, 223};
            EXPECT_EQ(pixel(8 + x, 8 + y), 0xFF000000 | value[x] << 16 | value[y] << 8);
        }
}

TEST_F(Vivante3dReferenceDraws, PointsReachInFromOutside) {
    clear();
    first_triangle();
    load(0x0A34, 0x00412000);
    load(0x0A1C, bits_of(2)); // half of point size 4
    // The point is around (-1, 128), so only column 0 of rows 126 to 129 is visible.
    vertex(0, -1 - 2 / 256.0f, 0, 0, 0xFF0000FF);
    engine_.draw(1, 0, 1);
    resolve_color();
    EXPECT_EQ(count(0xFF0000FF), 4u);
    for (uint32_t y = 126; y < 130; y++)
        EXPECT_EQ(pixel(0, y), 0xFF0000FFu);
}

TEST_F(Vivante3dReferenceDraws, PointSpritesBesideAVarying) {
    clear();
    first_triangle();
    // Varying 0 is gl_PointCoord and varying 1 is a color. The last output is the point size.
    load(0x0804, 4);
    load(0x0810, 0x02010000);
    load(0x0A30, 0x200);
    load(0x0A34, 0x00412014);
    burst(0x0A40, {0x2F1, 0x2F1});
    load(0x3820, 0x42);
    burst(0x3828, {0xE, 0});
    load(0x1008, 0x1F03);
    burst(0x1004, {0x02020202});
    burst(0x0804, {4});
    // The vertex shader sets the size in t2.x to 6 pixels. The pixel shader outputs varying 1.
    program(0xC000, {{.opcode = shader::MOV,
                      .destination = 2,
                      .sources = {shader::Operand{}, {}, shader::u(0)}}});
    load(0x5000, bits_of(6));
    load(0xD000, 0);
    vertex(0, 0, 0, 0, 0xFF0000FF);
    engine_.draw(1, 0, 1);
    resolve_color();
    EXPECT_EQ(count(0xFFFF0000), 36u); // this shader does not swap red and blue
    EXPECT_EQ(pixel(125, 125), 0xFFFF0000u);
    EXPECT_EQ(pixel(130, 130), 0xFFFF0000u);
}

TEST_F(Vivante3dReferenceDraws, LinesStopBeforeTheirLastPixel) {
    clear();
    first_triangle();
    const auto at = [](float p) { return p / 128 - 1; };
    vertex(0, at(10.5f), -at(20.5f), 0, 0xFF0000FF);
    vertex(1, at(15.5f), -at(22.5f), 0, 0xFF0000FF);
    engine_.draw(2, 0, 1);
    resolve_color();
    // Rows 20.5 + 2 (x - 10.5) / 5: 20.5, 20.9, 21.3, 21.7, 22.1
    const uint32_t rows[5] = {20, 20, 21, 21, 22};
    for (uint32_t i = 0; i < 5; i++)
        EXPECT_EQ(pixel(10 + i, rows[i]), 0xFF0000FFu);
    EXPECT_EQ(count(0xFF0000FF), 5u);

    load(0x0C18, 1); // LAST_PIXEL_ENABLE
    engine_.draw(2, 0, 1);
    resolve_color();
    EXPECT_EQ(pixel(15, 22), 0xFF0000FFu);
    EXPECT_EQ(count(0xFF0000FF), 6u);
}

TEST_F(Vivante3dReferenceDraws, WideLinesGoDownBySteps) {
    clear();
    first_triangle();
    burst(0x0A18, {bits_of(2)}); // half of a width of 4 pixels
    const auto at = [](float p) { return p / 128 - 1; };
    vertex(0, at(20.5f), -at(10.5f), 0, 0xFF0000FF);
    vertex(1, at(20.5f), -at(7.5f), 0, 0xFF0000FF);
    engine_.draw(2, 0, 1);
    resolve_color();
    // The line goes up from row 10 to row 8. Its first column is 20 - floor(3 / 2) = 19.
    for (uint32_t y = 8; y < 11; y++)
        for (uint32_t x = 19; x < 23; x++)
            EXPECT_EQ(pixel(x, y), 0xFF0000FFu);
    EXPECT_EQ(count(0xFF0000FF), 12u);
}

class Vivante3dReferenceFillModes : public Vivante3dReferenceDraws {
protected:
    Vivante3dReferenceFillModes() : Vivante3dReferenceDraws({.solid_triangles = false}) {}
};

TEST_F(Vivante3dReferenceFillModes, DrawEdgesAndCorners) {
    clear();
    first_triangle();
    load(0x0A34, 0x410000); // points
    const auto at = [](float p) { return p / 128 - 1; };
    vertex(0, at(10.5f), -at(10.5f), 0, 0xFF0000FF);
    vertex(1, at(20.5f), -at(10.5f), 0, 0xFF0000FF);
    vertex(2, at(10.5f), -at(20.5f), 0, 0xFF0000FF);
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(count(0xFF0000FF), 3u);
    EXPECT_EQ(pixel(20, 10), 0xFF0000FFu);

    load(0x0A34, 0x411000); // lines
    engine_.draw(4, 0, 1);
    resolve_color();
    EXPECT_EQ(count(0xFF0000FF), 30u);
}

TEST_F(Vivante3dReferenceDraws, TrianglesAreSolidWhateverTheirFillMode) {
    for (const uint32_t config : {0x410000u, 0x411000u, 0x412000u}) {
        clear();
        first_triangle();
        load(0x0A34, config);
        lower_left(0xFF0000FF);
        engine_.draw(4, 0, 1);
        resolve_color();
        EXPECT_EQ(count(0xFF0000FF), 255u * 256 / 2) << config;
    }
}

/* ---- PE ----------------------------------------------------------------------------------- */

class Vivante3dReferenceOutput : public Vivante3dReferenceDraws {
protected:
    explicit Vivante3dReferenceOutput(const Vivante3d::Features& features = {})
        : Vivante3dReferenceDraws(features) {
        first_triangle();
        load(0x1654, 0);
    }
    /// Fills the target with `before` and draws the lower left half with `source` as the shader's
    /// output. Returns a covered pixel.
    uint32_t drawn(const Vector& source, uint32_t before) {
        fill_words(color, before);
        for (unsigned c = 0; c < 4; c++)
            load(0x7000 + 4 * c, bits_of(source[c]));
        program(0xD000, {{.opcode = shader::MOV,
                          .destination = 2,
                          .sources = {shader::Operand{}, {}, shader::u(0)}}});
        lower_left(0);
        engine_.draw(4, 0, 1);
        resolve_without_status(color, color_1);
        return pixel(0, 255);
    }
    void fill_words(uint32_t address, uint32_t value) {
        for (uint32_t i = 0; i < 0x40000; i += 4)
            put(address + i, value);
    }
    void resolve_without_status(uint32_t from, uint32_t from_1) { resolve_with(0, from, from_1); }
    void resolve_with(uint32_t mem_config, uint32_t from, uint32_t from_1) {
        load(0x1604, 0x686);
        load(0x1654, mem_config);
        load(0x160C, 0xC0001000);
        load(0x1614, 0x400);
        burst(0x16C0, {from, from_1});
        load(0x16E0, linear);
        burst(0x1700, {0, 0x00800000});
        load(0x1620, 0x00800100);
        burst(0x163C, {0, 0, 0, 0, 0});
        load(0x1600, 1);
    }
    /// Fills the depth buffer with `before` and draws at clip z. Returns a covered pixel's depth
    /// word.
    uint32_t depth_after(float z, uint32_t before) {
        fill_words(depth, before);
        lower_left(0, z);
        engine_.draw(4, 0, 1);
        resolve_without_status(depth, depth_1);
        return pixel(0, 255);
    }
};

TEST_F(Vivante3dReferenceOutput, E1Blends) {
    load(0x1428, 0x00000541); // SRC_ALPHA, ONE_MINUS_SRC_ALPHA
    // Alpha: 0.5 * 0.5 + 1 * 0.5
    EXPECT_EQ(drawn({1, 0, 0, 0.5f}, 0xFF0000FF), 0xBF800080u);
    load(0x1428, 0x01010541); // separate alpha: ZERO, ONE
    EXPECT_EQ(drawn({1, 0, 0, 0.5f}, 0xFF0000FF), 0xFF800080u);
    load(0x1428, 0x00001111); // subtract: 1 - 0, 0 - 0, 0 - 1, 0.5 - 1
    EXPECT_EQ(drawn({1, 0, 0, 0.5f}, 0xFF0000FF), 0x00FF0000u);
    load(0x1428, 0x00004111); // max
    EXPECT_EQ(drawn({1, 0, 0, 0.5f}, 0xFF00007F), 0xFFFF007Fu);
    load(0x1428, 0x000000D1); // constant color, in 1/255
    load(0x1424, 0x20406080);
    EXPECT_EQ(drawn({1, 1, 1, 1}, 0), 0x20406080u);
}

TEST_F(Vivante3dReferenceOutput, E4AndE5MaskChannels) {
    load(0x142C, 0x00110006);
    EXPECT_EQ(drawn({1, 1, 1, 1}, 0x12345678), 0x12345678u);
    load(0x142C, 0x00100806);
    EXPECT_EQ(drawn({1, 1, 1, 0.2f}, 0x12345678), 0x33345678u);
}

TEST_F(Vivante3dReferenceOutput, SaturationAndNaN) {
    EXPECT_EQ(drawn({-1, 2, 0.5f, std::bit_cast<float>(0x7FC00000)}, 0x12345678), 0x0000FF80u);
}

TEST_F(Vivante3dReferenceOutput, SmallerFormatsRoundToNearest) {
    load(0x1434, 0x200);
    const auto stored = [&](uint32_t format, const Vector& source) {
        load(0x142C, 0x00110F00 | format);
        drawn(source, 0);
        const uint32_t address = vivante_3d::address_of(
            {vivante_3d::Layout::multi_supertiled, {color, color_1}, 0x200, 2}, 0, 255);
        return static_cast<uint32_t>(vivante_3d::read(memory_, address, 2));
    };
    // 0.5 of 31, 63 and 15: 16, 32, 8
    EXPECT_EQ(stored(4, {0.5f, 0.5f, 1, 0}), 16u << 11 | 32 << 5 | 31);
    EXPECT_EQ(stored(3, {0.5f, 0, 1, 1}), 0x8000u | 16 << 10 | 31);
    EXPECT_EQ(stored(1, {1, 0.5f, 0.2f, 0.4f}), 0x6F83u);
    EXPECT_EQ(stored(2, {0, 0, 0, 0}), 0x8000u); // X is written as 1
    load(0x1434, 0x400);
    load(0x142C, 0x16110F10); // A2B10G10R10
    EXPECT_EQ(drawn({1, 0.5f, 0, 1 / 3.0f}, 0), 1u << 30 | 512 << 10 | 1023);
}

TEST_F(Vivante3dReferenceOutput, E3DepthRoundsToEven) {
    load(0x1400, 0x04041711);                     // ALWAYS, write
    EXPECT_EQ(depth_after(0, 0x5A), 0x8000005Au); // 8388607.5, a tie
    EXPECT_EQ(depth_after(-1, 0x5A), 0x0000005Au);
    EXPECT_EQ(depth_after(0.5f, 0x5A), 0xBFFFFF5Au); // 0.75 is 12582911.25
}

TEST_F(Vivante3dReferenceOutput, DepthFunctions) {
    // The new depth, 0.5, is less than, equal to and greater than these.
    const uint32_t stored[3] = {0x90000000, 0x80000000, 0x70000000};
    const bool expected[8][3] = {{false, false, false}, {true, false, false}, {false, true, false},
                                 {true, true, false},   {false, false, true}, {true, false, true},
                                 {false, true, true},   {true, true, true}};
    for (uint32_t function = 0; function < 8; function++)
        for (unsigned i = 0; i < 3; i++) {
            load(0x1400, 0x04041011 | function << 8);
            const bool written = depth_after(0, stored[i]) == 0x80000000;
            EXPECT_EQ(written, expected[function][i] || stored[i] == 0x80000000) << function << i;
        }
}

TEST_F(Vivante3dReferenceOutput, DepthOfTheShader) {
    load(0x1400, 0x04041711);
    program(0xD000, {{.opcode = shader::MOV,
                      .destination = 0,
                      .components = 4,
                      .sources = {shader::Operand{}, {}, shader::u(0)}}});
    load(0x7008, bits_of(0.25f)); // as D24: 4194303.75
    EXPECT_EQ(depth_after(0, 0), 0x40000000u);
    load(0x7008, bits_of(2));
    EXPECT_EQ(depth_after(0, 0), 0xFFFFFF00u);
}

TEST_F(Vivante3dReferenceOutput, PolygonOffset) {
    load(0x1400, 0x04041711);
    burst(0x0C10, {bits_of(1.5f), 0x34800001}); // bias 2^-22
    EXPECT_EQ(depth_after(0, 0), 0x80000300u);  // 8388611.49999976
    for (const uint32_t config : {0x410000u, 0x411000u}) {
        load(0x0A34, config); // solid, with no depth offset
        EXPECT_EQ(depth_after(0, 0), 0x80000000u);
    }
    load(0x0A34, 0x412000);
    // The slope of 1/256 per row adds 1.5 / 256, or 98303.994 units. Without it, row 255 has
    // z = 0.5 / 256.
    vertex(0, -1, -1, -1, 0);
    vertex(1, 1, -1, -1, 0);
    vertex(2, -1, 1, 1, 0);
    load(0x0C14, 0);
    engine_.draw(4, 0, 1);
    resolve_without_status(depth, depth_1);
    EXPECT_EQ(pixel(0, 255) >> 8, static_cast<uint32_t>(16777215 * (0.5 / 256 + 1.5 / 256) + 0.5));
}

TEST_F(Vivante3dReferenceOutput, E2StencilOperations) {
    load(0x1400, 0x04040711); // no depth write
    const uint32_t results[8] = {0xFF, 0, 0x5A, 0xFF, 0xFE, 0, 0, 0xFE};
    for (uint32_t operation = 0; operation < 8; operation++) {
        load(0x1418, 0x00070007 | operation << 4 | operation << 20);
        load(0x141C, 0xFFFF5A01); // one-sided: the front
        EXPECT_EQ(depth_after(0, 0x123456FF), 0x12345600u | results[operation]) << operation;
        load(0x141C, 0xFFFF0002); // two-sided: this is the back, as its area is negative
        load(0x14A0, 0x5A);
        load(0x14B8, 0xFFFF);
        EXPECT_EQ(depth_after(0, 0x123456FF), 0x12345600u | results[operation]) << operation;
        load(0x14B8, 0x0FFF); // the back's write mask, which the GC2000 ignores
        EXPECT_EQ(depth_after(0, 0x123456FF), 0x12345600u | results[operation]) << operation;
        load(0x141C, 0x0FFF0002); // the front's write mask
        EXPECT_EQ(depth_after(0, 0x123456FF), 0x123456F0u | (results[operation] & 15)) << operation;
    }
}

class Vivante3dReferenceStencilMasks : public Vivante3dReferenceOutput {
protected:
    Vivante3dReferenceStencilMasks() : Vivante3dReferenceOutput({.shared_stencil_masks = false}) {}
};

TEST_F(Vivante3dReferenceStencilMasks, EachFaceHasItsOwn) {
    load(0x1400, 0x04040711);
    load(0x1418, 0x00570057); // ALWAYS, INVERT
    load(0x141C, 0x3CFF0002); // two-sided; this triangle is the back
    load(0x14B8, 0x0FFF);
    EXPECT_EQ(depth_after(0, 0x123456FF), 0x123456F0u);
    load(0x14B8, 0xC1FF);
    EXPECT_EQ(depth_after(0, 0x123456FF), 0x1234563Eu);
}

TEST_F(Vivante3dReferenceOutput, StencilFailures) {
    load(0x1400, 0x04041111);      // LESS, write
    load(0x1418, 0x0000'2514 | 0); // GREATER; pass: zero, fail: invert, depth fail: replace
    load(0x141C, 0xFFFF3C01);
    EXPECT_EQ(depth_after(0, 0xFFFFFF3C), 0xFFFFFFC3u); // stencil fails: 0x3C > 0x3C
    EXPECT_EQ(depth_after(0, 0x00000001), 0x0000003Cu); // stencil passes, depth fails
    EXPECT_EQ(depth_after(0, 0xFFFFFF01), 0x80000000u); // both pass
}

/*
 * RA_EARLY_DEPTH and PE_DEPTH_CONFIG as Mesa's etnaviv writes them for cores whose early stage only
 * tests (GC880, GC3000) and for cores with RA_WRITE_DEPTH (GC7000).
 */
class Vivante3dReferenceEarlyDepth : public Vivante3dReferenceOutput {
protected:
    explicit Vivante3dReferenceEarlyDepth(const Vivante3d::Features& features = {})
        : Vivante3dReferenceOutput(features) {}

    struct Result {
        bool drawn;
        uint32_t depth; ///< depth and stencil
    };
    /// Draws at depth 0x800000 over `before`.
    Result over(uint32_t before, uint32_t ra_early_depth, uint32_t pe_depth_config) {
        load(0x0E08, ra_early_depth);
        load(0x1400, pe_depth_config);
        fill_words(depth, before);
        const bool covered = drawn({0, 0, 0, 0}, 7) == 0;
        resolve_without_status(depth, depth_1);
        return {covered, pixel(0, 255)};
    }
    void expect(const Result& is, bool was_drawn, uint32_t depth_word) {
        EXPECT_EQ(is.drawn, was_drawn);
        EXPECT_EQ(is.depth, depth_word);
    }
};

class Vivante3dReferenceEarlyWrites : public Vivante3dReferenceEarlyDepth {
protected:
    Vivante3dReferenceEarlyWrites() : Vivante3dReferenceEarlyDepth({.ra_write_depth = true}) {}
};

TEST_F(Vivante3dReferenceEarlyDepth, HP12TestsWithoutTheLateStage) {
    expect(over(0x90000033, 0x31, 0x05050111), true, 0x90000033);
    expect(over(0x70000033, 0x31, 0x05050111), false, 0x70000033);
    expect(over(0x70000033, 0x30, 0x05050111), true, 0x70000033); // neither stage tests
}

TEST_F(Vivante3dReferenceEarlyDepth, HP16DoesNotWriteEarly) {
    load(0x1418, 0x00270027); // ALWAYS, replace
    load(0x141C, 0xFFFF5A02);
    load(0x14A0, 0x5A);
    expect(over(0x90000033, 0x31, 0x05051111), true, 0x90000033);
    expect(over(0x70000033, 0x31, 0x05051111), false, 0x70000033);
    expect(over(0x90000033, 0x31, 0x04051111), true, 0x8000005A); // the late stage does
}

TEST_F(Vivante3dReferenceEarlyWrites, HP13LeavesDepthAlone) {
    expect(over(0x70000033, 0x10000030, 0x05040711), true, 0x70000033);
    expect(over(0x70000033, 0x10000030, 0x05040111), true, 0x70000033);
    expect(over(0x70000033, 0x10000030, 0x05041711), true, 0x70000033);
}

TEST_F(Vivante3dReferenceEarlyWrites, HP14WritesWithoutATest) {
    expect(over(0x70000033, 0x30, 0x05041711), true, 0x80000033);
}

TEST_F(Vivante3dReferenceEarlyWrites, HP15TestsAndUpdatesDepthAndStencil) {
    load(0x1418, 0x20272027); // ALWAYS; pass: replace, depth fail: replace
    load(0x141C, 0xFFFF5A02);
    load(0x14A0, 0x5A);
    expect(over(0x90000033, 0x31, 0x05051111), true, 0x8000005A);
    expect(over(0x70000033, 0x31, 0x05051111), false, 0x7000005A);
}

TEST_F(Vivante3dReferenceOutput, AlphaTest) {
    load(0x1420, 0x8061);                              // alpha >= 0x80
    EXPECT_EQ(drawn({1, 1, 1, 0.5f}, 0), 0x80FFFFFFu); // 128 passes
    EXPECT_EQ(drawn({1, 1, 1, 0.498f}, 7), 7u);        // 127 fails
}

TEST_F(Vivante3dReferenceOutput, KilledPixelsDrawNothing) {
    program(0xD000, {{.opcode = shader::MOV,
                      .destination = 2,
                      .sources = {shader::Operand{}, {}, shader::u(0)}},
                     {.opcode = shader::TEXKILL,
                      .condition = shader::GT,
                      .sources = {shader::t(0, shader::xxxx), shader::u(1, shader::xxxx)}}});
    load(0x101C, 0x01010100);
    load(0x7010, bits_of(100));
    fill_words(color, 7);
    lower_left(0);
    engine_.draw(4, 0, 1);
    resolve_without_status(color, color_1);
    EXPECT_EQ(pixel(99, 255), 0u); // its center is at 99.5
    EXPECT_EQ(pixel(100, 255), 7u);
}

TEST_F(Vivante3dReferenceOutput, OcclusionQueriesCountWhatPasses) {
    lower_left(0);
    put(0x200000 + 4, 0xFFFFFFFF);
    load(0x3824, 0x200000);
    engine_.draw(4, 0, 1);
    engine_.draw(4, 0, 1);
    load(0x3830, 0x01DF5E76);
    EXPECT_EQ(word(0x200000), 2u * 32640);
    EXPECT_EQ(word(0x200004), 0u);
    engine_.draw(4, 0, 1);
    load(0x3824, 0x200008);
    load(0x3824, 0x200010);
    EXPECT_EQ(word(0x200000), 2u * 32640);
    EXPECT_EQ(word(0x200008), 0u);
}

TEST_F(Vivante3dReferenceOutput, TwoTargets) {
    constexpr uint32_t second = 0x200000;
    load(0x1010, 0x106);
    load(0x1004, 0x00000102);
    burst(0x1500, {second, second + 0x20000});
    load(0x1580, 0x10600400);
    load(0x101C, 0x01010100);
    program(0xD000, {{.opcode = shader::MOV,
                      .destination = 2,
                      .sources = {shader::Operand{}, {}, shader::u(0)}},
                     {.opcode = shader::MOV,
                      .destination = 1,
                      .sources = {shader::Operand{}, {}, shader::u(1)}}});
    for (uint32_t i = 0; i < 4; i++) {
        load(0x7000 + 4 * i, bits_of(i == 0));
        load(0x7010 + 4 * i, bits_of(i == 1));
    }
    lower_left(0);
    engine_.draw(4, 0, 1);
    resolve_without_status(color, color_1);
    EXPECT_EQ(pixel(0, 255), 0x00FF0000u);
    resolve_without_status(second, second + 0x20000);
    EXPECT_EQ(pixel(0, 255), 0x0000FF00u);
}

TEST_F(Vivante3dReferenceOutput, AnEndlessShaderIsCut) {
    load(0xD000, 0x00000016);
    for (uint32_t i = 1; i < 4; i++)
        load(0xD000 + 4 * i, 0);
    lower_left(0);
    EXPECT_FALSE(engine_.hung());
    engine_.draw(4, 0, 1);
    EXPECT_TRUE(engine_.hung());
}

/* ---- Textures ----------------------------------------------------------------------------- */

TEST_F(Vivante3dReferenceDraws, ATexturedQuad) {
    clear();
    first_triangle();
    load(0x1720, 0);
    load(0x2000, 0x00093102);
    load(0x2040, 0x00400040);
    load(0x2080, 0x200300C0);
    load(0x20C0, 0);
    load(0x2180, 1);
    load(0x21C0, 0x04321000);
    load(0x2400, texture);
    load(0x2C00, 0);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) {
            const uint32_t offset = (y / 4) * 4 * 256 + (x / 4) * 64 + (y % 4 * 4 + x % 4) * 4;
            put(texture + offset, 0xFF000000 | (x * 4) | (y * 4) << 8);
        }
    // texld t1, tex0, t1.xyyy; mov t2, t1.zyxw
    burst(0xD000, {0x07811018, 0x15001F20, 0, 0, 0x07821009, 4, 0, 0x00318018});
    load(0x101C, 0x01010100);
    // Vertices with positions and texture coordinates, so that each of the 64x64 pixels at (16, 32)
    // shows one texel.
    burst(0x0600, {0x0C003008, 0x140C2088});
    load(0x06A0, 20);
    const auto corner = [this](uint32_t n, float s, float t) {
        put_floats(vertices + 20 * n, {(16 + 64 * s) / 128 - 1, 1 - (32 + 64 * t) / 128, 0, s, t});
    };
    corner(0, 0, 0);
    corner(1, 1, 0);
    corner(2, 0, 1);
    corner(3, 1, 0);
    corner(4, 1, 1);
    corner(5, 0, 1);
    engine_.draw(4, 0, 2);
    resolve_color();
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            ASSERT_EQ(pixel(16 + x, 32 + y), 0xFF000000u | x * 4 | y * 4 << 8) << x << ' ' << y;
    EXPECT_EQ(count(0xFF996633), 65536u - 4096);
}

/* ---- Multisampling ------------------------------------------------------------------------ */

TEST_F(Vivante3dReferenceDraws, FourSamplesArePixelsAverages) {
    constexpr uint32_t samples = 0x200000, samples_1 = samples + 0x80000;
    // 512x512 samples have 0x100000 bytes, and their tile status has 0x1000 bytes.
    clear_status(color_status, 0x00200010, 0x00200000);
    first_triangle();
    load(0x3818, 0xF2);
    load(0x1434, 0x800);
    load(0x1008, 0x1F03);
    burst(0x1460, {samples, samples_1});
    burst(0x1654, {2, color_status, samples, 0xFF000000});
    burst(0x0E10, {0xEAA26E26, 0xE6AE622A, 0xAAA22A22, 0});
    // The rectangle extends from the left edge of the target to x = 100.5.
    const float right = 100.5f / 128 - 1;
    vertex(0, -1, 1, 0, 0xFF0000F0);
    vertex(1, right, 1, 0, 0xFF0000F0);
    vertex(2, -1, -1, 0, 0xFF0000F0);
    vertex(3, right, 1, 0, 0xFF0000F0);
    vertex(4, right, -1, 0, 0xFF0000F0);
    vertex(5, -1, -1, 0, 0xFF0000F0);
    engine_.draw(4, 0, 2);

    burst(0x1654, {0x382, color_status, samples, 0xFF000000});
    load(0x1604, 0x46E6);
    load(0x160C, 0xC0002000);
    load(0x1614, 0xC0001000);
    burst(0x16C0, {samples, samples_1});
    burst(0x16E0, {color, color_1});
    load(0x1620, 0x01000200);
    burst(0x1700, {0, 0x01000000});
    burst(0x163C, {0});
    load(0x1600, 0xBEEBBEEB);

    const vivante_3d::Surface surface{
        vivante_3d::Layout::multi_supertiled, {color, color_1}, 1024, 4};
    for (uint32_t y = 0; y < 256; y++) {
        ASSERT_EQ(word(address_of(surface, 99, y)), 0xFF0000F0u);
        // The samples are at 6, 14, 2 and 10 sixteenths. Two of them are left of the edge.
        ASSERT_EQ(word(address_of(surface, 100, y)), 0xFF000078u);
        ASSERT_EQ(word(address_of(surface, 101, y)), 0xFF000000u);
    }
}

TEST_F(Vivante3dReferenceDraws, TheSampleMaskAndTheCountOfSamples) {
    first_triangle();
    load(0x1654, 0);
    load(0x3818, 0x52); // enables samples 0 and 2
    load(0x1434, 0x800);
    burst(0x0E10, {0xEAA26E26, 0, 0, 0});
    lower_left(0);
    fixed(0x0C00, {0, 0x00FF0000, 0x00101119, 0x01001111}); // clips to 16 pixels of the last row
    load(0x3824, 0x200000);
    engine_.draw(4, 0, 1);
    load(0x3830, 1);
    EXPECT_EQ(word(0x200000), 32u);
}

TEST_F(Vivante3dReferenceDraws, UncoveredCentersUseTheCentroid) {
    first_triangle();
    load(0x1654, 0);
    load(0x3818, 0xF2);
    load(0x1434, 0x800);
    burst(0x1004, {0});
    load(0x101C, 0x01000100);
    program(0xD000, {{.opcode = shader::MUL, // t0 = t1 * u0, where u0 is 1
                      .destination = 0,
                      .components = 3,
                      .sources = {shader::t(1), shader::u(0)}}});
    load(0x7000, bits_of(1));
    burst(0x0E10, {0xEAA26E26, 0, 0, 0});
    load(0x0E40, 0x4A6E2688); // centroids of sample masks 0 to 3
    load(0x0E44, 0x888888A2); // centroid of sample mask 4
    // A sliver at the left of column 100, from x = 100 to 100.25, covers only sample 2, which is at
    // 2/16.
    const float left = 100 / 128.0f - 1, right = 100.25f / 128 - 1;
    burst(0x0600, {0x0C003008, 0x100C1088}); // a float varying: x - 100
    const auto corner = [this](uint32_t n, float x, float y) {
        put_floats(vertices + 16 * n, {x, y, 0, (x + 1) * 128 - 100});
    };
    corner(0, left, 1);
    corner(1, right, 1);
    corner(2, left, -1);
    corner(3, right, 1);
    corner(4, right, -1);
    corner(5, left, -1);
    engine_.draw(4, 0, 2);
    const vivante_3d::Surface surface{
        vivante_3d::Layout::multi_supertiled, {color, color_1}, 0x800, 4};
    // The varying at 2/16 of the pixel is 0.125, which is 31.875 of 255.
    EXPECT_EQ(word(address_of(surface, 200, 101)) >> 16 & 0xFF, 32u);
    EXPECT_EQ(word(address_of(surface, 201, 101)), 0u);
}

} // namespace
} // namespace pixmill::test
