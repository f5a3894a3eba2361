/*
 * Draws in the reference with the states of a GC3000: instances, unsplit targets, and up to eight
 * of them. Expected pixels are calculated by hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "gc3000.hpp"

namespace pixmill::test {
namespace {

class Vivante3dReferenceGc3000 : public Gc3000 {};

TEST_F(Vivante3dReferenceGc3000, DrawsToAnUnsplitSurface) {
    rectangle(8, 4, 12, 20, {1, 0, 0.2f, 1});
    draw();
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            ASSERT_EQ(pixel(x, y), x >= 8 && x < 12 && y >= 4 && y < 20 ? 0xFFFF0033u : 0u);
    EXPECT_EQ(word(color + 0x200), 0u);
    EXPECT_EQ(word(color + 0x280), 0xFFFF0033u); // pixel (8, 4)
}

TEST_F(Vivante3dReferenceGc3000, ATargetIsLinearIfSingleBufferIs1) {
    load(0x14A4, 0x000E416C);
    load(0x142C, 0x00010F06);
    rectangle(8, 4, 12, 20, {1, 0, 0.2f, 1});
    draw();
    EXPECT_EQ(word(color + 4 * 0x100 + 4 * 8), 0xFFFF0033u);
    EXPECT_EQ(word(color + 4 * 0x100 + 4 * 7), 0u);
    EXPECT_EQ(word(color + 3 * 0x100 + 4 * 8), 0u);
}

TEST_F(Vivante3dReferenceGc3000, EachInstanceDrawsEverything) {
    load(0x1428, 0x00000111); // ONE, ONE
    rectangle(0, 0, 64, 64, {});
    load(0x14600, vertices); // positions
    burst(0x0600, {0x10000008, 0x10000108});
    burst(0x14604, {0x40000}); // colors, one for three instances
    load(0x14644, 16);
    load(0x14684, 3);
    put_floats(0x40000, {0.2f, 0, 0, 0, 0, 0.2f, 0, 0});
    load(0x3824, 0x50000);
    engine_.draw({.type = 5, .vertices = 4, .instances = 5});
    load(0x3830, 1);
    EXPECT_EQ(pixel(0, 0), 0x00996600u); // three times 51, and twice
    EXPECT_EQ(word(0x50000), 5u * 64 * 64);
}

TEST_F(Vivante3dReferenceGc3000, HC4StripsEndWithTheirInstance) {
    rectangle(0, 0, 64, 64, {1, 1, 1, 1});
    put_floats(vertices + 4 * 32, {1, 1, 0, 1}); // an empty triangle
    load(0x3824, 0x50000);
    engine_.draw({.type = 5, .vertices = 5, .instances = 2});
    load(0x3830, 1);
    EXPECT_EQ(word(0x50000), 2u * 64 * 64);
}

TEST_F(Vivante3dReferenceGc3000, IndicesHaveABias) {
    rectangle(0, 0, 64, 64, {1, 1, 1, 1});
    put(0x50000, 0x00020001);
    put(0x50004, 0x00040003);
    load(0x0644, 0x50000);
    load(0x0648, 1);
    engine_.draw({.type = 5, .vertices = 4, .first = 0xFFFFFFFF, .indexed = true});
    EXPECT_EQ(pixel(0, 0), 0xFFFFFFFFu);
    EXPECT_EQ(pixel(63, 63), 0xFFFFFFFFu);
    put(color, 7);
    engine_.draw({.type = 5, .vertices = 4, .instances = 0});
    EXPECT_EQ(pixel(0, 0), 7u);
}

TEST_F(Vivante3dReferenceGc3000, EightTargets) {
    load(0x1010, 0x71E); // RT_COUNT, SATURATE_RT0 to 3
    // The odd targets show t2, the others t1.
    load(0x1004, 0x02010201);
    load(0x102C, 0x82018201); // only targets 5 and 7 are saturated
    load(0x14A4, 0x000E426C);
    for (uint32_t r = 1; r < 8; r++) {
        load(0x14800 + 0x20 * (r - 1), color + 0x8000 * r);
        load(0x14804 + 0x20 * (r - 1), 0xBAD00000);
        load(0x14900 + 4 * (r - 1), 0x1C600100);
    }
    code(pixel_code, {{.opcode = shader::MOV,
                       .destination = 2,
                       .sources = {shader::Operand{}, {}, shader::t(1, 0xC6)}}}); // t1.zyxw
    rectangle(0, 0, 64, 64, {1, 0.2f, 0, 0.4f});
    draw();
    for (uint32_t r = 0; r < 8; r++)
        EXPECT_EQ(word(color + 0x8000 * r), r % 2 ? 0x660033FFu : 0x66FF3300u) << r;
}

TEST_F(Vivante3dReferenceGc3000, TargetsHaveTileStatus) {
    load(0x1010, 0x106);
    load(0x1004, 0x00000101);
    load(0x14800, color + 0x8000);
    load(0x14804, color + 0x8000);
    load(0x14900, 0x14600100);
    load(0x1654, 0);
    load(0x17A4, 1);
    load(0x17C4, 0x50000);
    load(0x17E4, color + 0x8000);
    load(0x1A04, 0x11223344);
    load(0x1A24, 0x55667788);
    memory_.write(0x50000, 0x55);
    rectangle(0, 0, 1, 1, {1, 1, 1, 1});
    draw();
    EXPECT_EQ(word(color + 0x8000), 0xFFFFFFFFu);
    EXPECT_EQ(word(color + 0x8004), 0x11223344u);
    EXPECT_EQ(memory_.read(0x50000), 0x54);
    EXPECT_EQ(word(color), 0xFFFFFFFFu);
    EXPECT_EQ(word(color + 4), 0u);
}

TEST_F(Vivante3dReferenceGc3000, FourSamplesHaveTilesOf256Bytes) {
    load(0x3818, 0xF2);
    burst(0x0E10, {0xEAA26E26, 0, 0, 0});
    load(0x1434, 0x200);
    burst(0x1654, {2, 0x50000, color, 0x11223344});
    memory_.write(0x50000, 0x55);
    rectangle(0, 0, 1, 1, {1, 1, 1, 1});
    draw();
    EXPECT_EQ(word(color), 0xFFFFFFFFu);
    EXPECT_EQ(word(color + 0xFC), 0x11223344u);
    EXPECT_EQ(word(color + 0x100), 0u);
    EXPECT_EQ(memory_.read(0x50000), 0x54);
}

/* OP is honored, and copying leaves the blender on. */
TEST_F(Vivante3dReferenceGc3000, LogicOperations) {
    load(0x1428, 0x00000111); // ONE, ONE
    rectangle(0, 0, 64, 64, {0.2f, 0.2f, 0.2f, 0.2f});
    put(color, 0x0F0F0F0F);
    draw();
    EXPECT_EQ(pixel(0, 0), 0x42424242u);
    load(0x14A4, 0x000E4266); // XOR
    put(color, 0x0F0F0F0F);
    draw();
    EXPECT_EQ(pixel(0, 0), 0x3C3C3C3Cu);
}

/* ---- Formats ------------------------------------------------------------------------------ */

class Vivante3dReferenceFormats : public Gc3000 {
protected:
    explicit Vivante3dReferenceFormats(const Vivante3d::Features& features = vivante_gc3000)
        : Gc3000(features) {
        rectangle(0, 0, 64, 64, {});
        load(0x1434, 64 * 8);
        load(0x1010, 0);
    }

    /// Draws `before` over with the shader's output, in a format with FORMAT_EXT.
    uint64_t drawn(uint32_t format, uint64_t before = 0) {
        vivante_3d::write(memory_, color, 8, before);
        load(0x142C, 0x00010F10 | format << 24);
        draw();
        return vivante_3d::read(memory_, color, 8);
    }
    static constexpr uint64_t low(uint64_t value, unsigned bytes) {
        return value & ((uint64_t{1} << 8 * bytes) - 1);
    }
};

TEST_F(Vivante3dReferenceFormats, HP17Floats) {
    output_color({1, 0.5f, 0.25f, 1});
    EXPECT_EQ(drawn(19), 0x3C00340038003C00u);
    EXPECT_EQ(low(drawn(18), 4), 0x38003C00u);
    EXPECT_EQ(low(drawn(17), 2), 0x3C00u);
    output_color({1, 0.5f, 2, 1});
    EXPECT_EQ(low(drawn(29), 4), 0x801C03C0u);
    output_color({-1, 65536, 0x1p-20f, 1}); // in the last places of the exponents
    EXPECT_EQ(low(drawn(29), 4), 0u | 31 << 6 << 11);
    EXPECT_EQ(low(drawn(18), 4), 0x7C00BC00u);
}

TEST_F(Vivante3dReferenceFormats, FloatsAreBlendedWithoutLimits) {
    load(0x1428, 0x00000111); // ONE, ONE
    output_color({3, 0, 0, 0});
    EXPECT_EQ(low(drawn(17, 0x4000), 2), 0x4500u); // 2 + 3
}

TEST_F(Vivante3dReferenceFormats, ChannelsOf8Bits) {
    output_color({1, 0.2f, 0, 0.4f});
    EXPECT_EQ(low(drawn(31), 2), 0x33FFu); // G8R8
    EXPECT_EQ(low(drawn(16), 1), 0x66u);   // A8
    EXPECT_EQ(drawn(35), 0u);              // R8, which HALTI5 introduced
}

TEST_F(Vivante3dReferenceFormats, HP8IntegersAreLimitedToTheirType) {
    output_words({300, 0xFFFFFFFB, 7, 255});
    load(0x1030, 5); // I8
    EXPECT_EQ(low(drawn(25), 4), 0x7F07FB7Fu);
    load(0x1030, 3); // U8
    EXPECT_EQ(low(drawn(25), 4), 0xFF07FFFFu);
    output_words({0x12345, 0xFFFF0000, 7, 0x8000});
    load(0x1030, 4); // U16
    EXPECT_EQ(drawn(28), 0x80000007FFFFFFFFu);
    load(0x1030, 6); // I16
    EXPECT_EQ(drawn(28), 0x7FFF000780007FFFu);
}

TEST_F(Vivante3dReferenceFormats, Mode1KeepsTheLowBits) {
    load(0x1030, 1);
    output_words({1023, 512, 1, 3});
    EXPECT_EQ(low(drawn(30), 4), 0xC01803FFu);
    output_words({0x123, 0xFFFFFFFE, 1, 3});
    EXPECT_EQ(low(drawn(25), 4), 0x0301FE23u);
    EXPECT_EQ(low(drawn(23), 1), 0x23u);
    EXPECT_EQ(low(drawn(27), 4), 0xFFFE0123u);
}

TEST_F(Vivante3dReferenceFormats, HP9WordsKeepTheirBits) {
    load(0x1428, 0x00000111); // without effect
    load(0x1030, 2);
    output_words({7, 0x7F800001, 0, 0});
    EXPECT_EQ(low(drawn(20, 0x3F800000), 4), 7u);
    EXPECT_EQ(drawn(21), 0x7F80000100000007u);
    load(0x142C, 0x15010210); // only green
    vivante_3d::write(memory_, color, 8, 0x1111111122222222);
    draw();
    EXPECT_EQ(vivante_3d::read(memory_, color, 8), 0x7F80000122222222u);
}

TEST_F(Vivante3dReferenceFormats, HP10BlendConstantsAreHalfFloats) {
    load(0x142C, 0x00010F06);
    load(0x1424, 0);
    burst(0x14B0, {0x38003C00, 0x3C003400});
    load(0x1428, 0x000000D1); // constant color, ZERO
    output_color({1, 1, 1, 1});
    draw();
    EXPECT_EQ(word(color), 0xFFFF8040u);
}

TEST_F(Vivante3dReferenceFormats, TheAlphaReferenceIsAHalfFloat) {
    load(0x142C, 0x00010F06);
    load(0x1420, 0x0041); // GREATER
    load(0x14A0, 0x38000000);
    for (const float alpha : {0.5f, 0.505f}) { // 8 bits are compared
        put(color, 0);
        output_color({1, 1, 1, alpha});
        draw();
        EXPECT_EQ(word(color) != 0, alpha > 0.5f);
    }
}

constexpr Vivante3d::Features with_halti3 = [] {
    Vivante3d::Features features = vivante_gc3000;
    features.halti = 3;
    return features;
}();

class Vivante3dReferenceSrgb : public Vivante3dReferenceFormats {
protected:
    Vivante3dReferenceSrgb() : Vivante3dReferenceFormats(with_halti3) {
        load(0x142C, 0x00010F06);
        load(0x14A4, 0x800E426C);
    }
};

TEST_F(Vivante3dReferenceSrgb, HP11ColorsAreEncoded) {
    output_color({0.5f, 0.0021f, 0, 0.5f});
    draw();
    EXPECT_EQ(word(color), 0x80BC0700u);
}

TEST_F(Vivante3dReferenceSrgb, BlendsLinearColors) {
    load(0x1428, 0x00000111); // ONE, ONE
    put(color, 0x80808080);   // 0.215861
    output_color({0, 0.1f, 1, 0.25f});
    draw();
    EXPECT_EQ(word(color), 0xC08098FFu);
}

} // namespace
} // namespace pixmill::test
