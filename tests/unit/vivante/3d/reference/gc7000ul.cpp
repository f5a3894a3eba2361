/*
 * Draws in the reference with the states of a GC7000UL: vertex fetch, varyings, programs in memory.
 * Expected pixels are calculated by hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "gc7000ul.hpp"

namespace pixmill::test {
namespace {

using namespace vivante_3d;

class Vivante3dReferenceGc7000ul : public Gc7000ul {
protected:
    /// Stores a strip over the target whose right half is further away, with varyings from
    /// `left` to `right`.
    void receding(const Vector& left, const Vector& right) {
        uint32_t address = vertices;
        for (const float y : {-1.0f, 1.0f})
            for (const float x : {-1.0f, 1.0f}) {
                const Vector& v = x < 0 ? left : right;
                const float w = x < 0 ? 1 : 3;
                put_floats(address, {x * w, y * w, 0, w, v[0], v[1], v[2], v[3]});
                address += 32;
            }
    }
    uint32_t first_pixel() const { return word(color); }
};

TEST_F(Vivante3dReferenceGc7000ul, DrawsTheVaryingOfATriangle) {
    rectangle(0, 0, 4, 4, {1, 0, 0.2f, 1});
    draw();
    EXPECT_EQ(first_pixel(), 0xFFFF0033u);
    EXPECT_EQ(word(color + 0x3C), 0xFFFF0033u);
    EXPECT_EQ(word(color + 0x40), 0u);
}

TEST_F(Vivante3dReferenceGc7000ul, HPR1ProgramsAreReadWithEachDraw) {
    load(0x08C0, 0);
    load(0x08E0, 0x00000001); // position in t1
    load(0x0804, 1);
    load(0x0808, 0x101);
    load(0x0A30, 0);
    output_color({1, 1, 1, 1});
    using namespace shader;
    code(vertex_code, {{.opcode = MOV, .destination = 1, .sources = {Operand{}, {}, t(0)}}});
    rectangle(0, 0, 4, 4, {});
    draw();
    EXPECT_EQ(first_pixel(), 0xFFFFFFFFu);
    put(color, 0);
    Operand negative = t(0);
    negative.negate = true;
    for (uint32_t w = 0; w < 4; w++)
        put(vertex_program + 4 * w,
            encode({.opcode = MOV, .destination = 1, .sources = {Operand{}, {}, negative}})[w]);
    load(0x08B0, 0x1F);
    for (uint32_t v = 0; v < 4; v++)
        put_floats(vertices + 32 * v + 12, {-1}); // w
    draw();
    EXPECT_EQ(first_pixel(), 0u);
    EXPECT_EQ(word(color + 0x3FC0), 0xFFFFFFFFu); // the tile of (60, 60)
}

TEST_F(Vivante3dReferenceGc7000ul, HL2ComponentsHaveModes) {
    // A vec3 and a vec4; the pixel shader shows (smooth x, flat y, no perspective x, 1).
    load(0x0A30, 0x200);
    load(0x0804, 3);
    load(0x08E0, 0x00010100); // both varyings are the second attribute
    load(0x1080, 0x43);
    load(0x0A90, 0x43);
    load(0x38C0, 0x00001020); // x of the first: smooth, y: flat; x of the second: no perspective
    load(0x0A34, 0x402000);   // SHADE_MODEL has no effect
    using namespace shader;
    code(
        pixel_code,
        {{.opcode = MOV, .destination = 1, .components = 4, .sources = {Operand{}, {}, t(2, xxxx)}},
         {.opcode = MOV,
          .destination = 1,
          .components = 8,
          .sources = {Operand{}, {}, immediate_bits(0x3F800, 0)}}});
    receding({0, 0, 0, 0}, {1, 1, 0, 0});
    put_floats(vertices + 2 * 32 + 20, {0.4f}); // y of the first triangle's last vertex
    draw();
    // Pixel (0, 0) is 1 / 128 of the way, a third of which is 1 / 384 seen in perspective.
    const uint32_t p = first_pixel();
    EXPECT_EQ(p >> 24, 255u);
    EXPECT_EQ(p >> 16 & 0xFF, 1u); // 255 / 384 = 0.66
    EXPECT_EQ(p >> 8 & 0xFF, 102u);
    EXPECT_EQ(p & 0xFF, 2u); // 255 / 128 = 1.99
}

TEST_F(Vivante3dReferenceGc7000ul, HL5AFlatComponentKeepsTheBitsOfTheLastVertex) {
    load(0x38C0, 0x00002222);
    receding({0, 0, 0, 0}, {1, 1, 1, 1});
    put(vertices + 2 * 32 + 16, 0x12345678); // red of the third vertex
    put(vertices + 3 * 32 + 16, 0x12345678); // and of the fourth
    load(0x142C, 0x14010F10);                // R32F
    load(0x1030, 2);
    load(0x1010, 0);
    draw();
    EXPECT_EQ(first_pixel(), 0x12345678u);
}

TEST_F(Vivante3dReferenceGc7000ul, HL3TheSizeOfPointsHasASlot) {
    load(0x0804, 3);
    load(0x08E0, 0x00010100); // the size is in t1.x, too
    load(0x3888, 0x7F7F7F08);
    load(0x0A34, 0x412004);
    put_floats(vertices, {-1 + 4 / 32.0f, -1 + 4 / 32.0f, 0, 1, 6, 1, 1, 1});
    load(0x3824, 0x50000);
    engine_.draw({.type = 1, .vertices = 1});
    load(0x3830, 1);
    EXPECT_EQ(word(0x50000), 36u);
    load(0x3888, 0x7F7F7F00); // PA_POINT_SIZE holds half of the size
    load(0x0A1C, bits_of(1));
    load(0x3824, 0x50000);
    engine_.draw({.type = 1, .vertices = 1});
    load(0x3830, 1);
    EXPECT_EQ(word(0x50000), 4u);
}

TEST_F(Vivante3dReferenceGc7000ul, HL4PointCoordinatesReplaceComponents) {
    load(0x0A30, 0x200);
    load(0x0804, 3);
    load(0x08E0, 0x00010100);
    load(0x1080, 0x24);
    load(0x3888, 0x7F7F0400); // components 4 and 5
    load(0x1004, 0x02020202); // the second varying
    load(0x0A34, 0x412010);
    load(0x0A1C, bits_of(2)); // 4 pixels
    put_floats(vertices, {-1 + 2 / 32.0f, -1 + 2 / 32.0f, 0, 1, 1, 1, 1, 1});
    engine_.draw({.type = 1, .vertices = 1});
    EXPECT_EQ(first_pixel(), 0xFF202000u); // (0.125, 0.125, 0, 1)
    put(color, 0);
    load(0x0A34, 0x412000);
    engine_.draw({.type = 1, .vertices = 1});
    EXPECT_EQ(first_pixel(), 0xFFFFFF00u);
}

TEST_F(Vivante3dReferenceGc7000ul, HV9AndHV10NumbersAreWhereTheStateSays) {
    load(0x0808, 0x80000103);
    load(0x08C0, 0x00040100);
    load(0x08E0, 0x00000400);
    load(0x07C4, 0x00111003);
    load(0x38C0, 0x00002222);
    load(0x142C, 0x15010F10); // G32R32F
    load(0x1434, 0x200);
    load(0x1030, 2);
    load(0x1010, 0);
    rectangle(0, 0, 64, 64, {});
    load(0x14600, vertices - 4 * 32);
    engine_.draw({.type = 5, .vertices = 3, .instances = 3, .first = 4});
    EXPECT_EQ(word(color), 6u); // the third vertex
    EXPECT_EQ(word(color + 4), 2u);
    load(0x07C4, 0x00101102); // only the instance, in x
    engine_.draw({.type = 5, .vertices = 3, .instances = 2, .first = 4});
    EXPECT_EQ(word(color), 1u);
    EXPECT_EQ(word(color + 4), 0u);
}

TEST_F(Vivante3dReferenceGc7000ul, SamplesAreOnTheRotatedGrid) {
    load(0x3818, 0xF2);
    load(0x1434, 0x200);
    rectangle(0, 0, 0.25f, 1, {1, 1, 1, 1}); // only the sample at 2/16
    draw();
    EXPECT_EQ(word(color), 0u);
    EXPECT_EQ(word(color + 4), 0u);
    EXPECT_EQ(word(color + 16), 0xFFFFFFFFu);
    EXPECT_EQ(word(color + 20), 0u);
}

TEST_F(Vivante3dReferenceGc7000ul, SupertilesAreInZOrder) {
    rectangle(8, 4, 12, 20, {1, 0, 0.2f, 1});
    draw();
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            ASSERT_EQ(new_pixel(x, y), x >= 8 && x < 12 && y >= 4 && y < 20 ? 0xFFFF0033u : 0u);
    EXPECT_EQ(word(color + 0x180), 0xFFFF0033u); // pixel (8, 4)
}

TEST_F(Vivante3dReferenceGc7000ul, HT9DrawsIntoClearedTiles) {
    constexpr uint32_t status = 0x50000;
    for (const uint32_t bytes : {128u, 256u}) {
        fill(color, 0x200, 0);
        memory_.write(status, 0x11);
        load(0x14BC, bytes == 256 ? 1u << 24 : 0);
        burst(0x1654, {2, status, color, 0x11223344});
        load(0x16BC, 0x11223344);
        rectangle(0, 0, 1, 1, {1, 1, 1, 1});
        draw();
        EXPECT_EQ(word(color), 0xFFFFFFFFu);
        EXPECT_EQ(word(color + 4), 0x11223344u);
        EXPECT_EQ(word(color + bytes - 4), 0x11223344u);
        EXPECT_EQ(word(color + bytes), 0u);
        EXPECT_EQ(memory_.read(status), 0x10);
    }
}

TEST_F(Vivante3dReferenceGc7000ul, HT10ClearsPixelsOf64Bits) {
    constexpr uint32_t status = 0x50000;
    memory_.write(status, 0x01);
    burst(0x1654, {2, status, color, 0x38003C00});
    load(0x16BC, 0x3C003400);
    load(0x142C, 0x13010F10); // A16B16G16R16F
    load(0x1434, 0x200);
    rectangle(0, 0, 1, 1, {1, 1, 1, 1});
    draw();
    EXPECT_EQ(word(color), 0x3C003C00u);
    EXPECT_EQ(word(color + 8), 0x38003C00u);
    EXPECT_EQ(word(color + 12), 0x3C003400u);
}

TEST_F(Vivante3dReferenceGc7000ul, DepthHasTilesOfItsOwnSize) {
    constexpr uint32_t status = 0x50000, depth = 0x140000;
    memory_.write(status, 0x11);
    load(0x14BC, 1u << 26);
    load(0x0E08, 0x31);
    load(0x1400, 0x05051111); // LESS, with both stages in RA
    load(0x140C, 0x4B7FFFFF);
    load(0x1414, 0x100);
    load(0x1480, depth);
    burst(0x1664, {status, depth, 0xFFFFFF5A});
    load(0x1654, 1);
    rectangle(0, 0, 1, 1, {1, 1, 1, 1});
    draw();
    EXPECT_EQ(word(depth), 0x8000005Au);
    EXPECT_EQ(word(depth + 0xFC), 0xFFFFFF5Au);
    EXPECT_EQ(word(depth + 0x100), 0u);
    EXPECT_EQ(memory_.read(status), 0x10);
}

TEST_F(Vivante3dReferenceGc7000ul, TargetsAreBlendedAlone) {
    load(0x1010, 0x106);
    load(0x1004, 0x00000101);
    load(0x14800, color + 0x8000);
    load(0x14900, 0x1C600100);
    load(0x14920, 0x0D0); // no green
    load(0x14960, 0x000000D1);
    load(0x14980, 0x38003C00);
    load(0x149A0, 0x3C003400);
    rectangle(0, 0, 64, 64, {1, 1, 1, 1});
    draw();
    EXPECT_EQ(word(color), 0xFFFFFFFFu);
    EXPECT_EQ(word(color + 0x8000), 0xFFFF0040u);
}

TEST_F(Vivante3dReferenceGc7000ul, HP5Mode1LimitsTo10Bits) {
    load(0x142C, 0x1E010F10); // A2B10G10R10UI
    load(0x1030, 1);
    load(0x1010, 0);
    rectangle(0, 0, 64, 64, {});
    output_words({1024, 512, 1, 7});
    draw();
    EXPECT_EQ(first_pixel(), 0xC01803FFu);
}

TEST_F(Vivante3dReferenceGc7000ul, ThereIsNoAlphaTest) {
    load(0x1420, 0x0001); // NEVER
    rectangle(0, 0, 64, 64, {1, 1, 1, 1});
    draw();
    EXPECT_EQ(first_pixel(), 0xFFFFFFFFu);
}

/* ---- Shaders ------------------------------------------------------------------------------ */

class Vivante3dReferenceHalti5 : public Parts {
protected:
    static constexpr uint32_t code = 0x10000, texture = 0x20000;

    Vivante3dReferenceHalti5() : Parts(vivante_gc7000ul) {
        load(0x14C40, 1);
        load(0x086C, code);
        load(0x08BC, 1);
        load(0x1028, code);
        load(0x1090, 1);
        load(0x08A8, 0x20);
    }
    void put_code(const shader::Words& words) {
        for (uint32_t w = 0; w < 4; w++)
            put(code + 4 * w, words[w]);
    }
    /// Runs one instruction as a vertex shader.
    Register vertex(const shader::Words& words, const std::vector<Register>& temporaries,
                    unsigned result) {
        put_code(words);
        Invocation lane;
        std::copy(temporaries.begin(), temporaries.end(), lane.temporaries.begin());
        EXPECT_TRUE(run(engine_, vivante_3d::vertex_program(engine_), {&lane, 1}));
        return lane.temporaries[result];
    }
    /// Sets up a sampler of levels of 4x4 texels. The red of texel i of level n is 16 n + i.
    void sampler(uint32_t number, uint32_t size) {
        const uint32_t descriptor = 0x8000 + 0x100 * number;
        load(0x15C00 + 4 * number, descriptor);
        load(0x16C00 + 4 * number, 0x00202292 | 1u << 11);
        load(0x17000 + 4 * number, 0x0FFF);
        put(descriptor + 0x40, 0x00012002);
        put(descriptor + 0x44, size << 16 | size);
        put(descriptor + 0x4C, 0x00321000);
        put(descriptor + 0x68, 0x200);
        put(descriptor + 0x84, 1);
        for (uint32_t level = 0; level < 3; level++) {
            put(descriptor + 4 * level, texture + 0x40 * level);
            for (uint32_t i = 0; i < 16; i++)
                put(texture + 0x40 * level + 4 * i, 16 * level + i);
        }
    }
    static float red(const Register& color) { return std::bit_cast<float>(color[0]) * 255; }
};

constexpr uint32_t half = 0x3F000000, ones = 0xFFFFFFFF;

TEST_F(Vivante3dReferenceHalti5, HI64AndHI65FindBits) {
    const shader::Words lsb = {0x0381103F, 0x29201804, 0x80010000, 0x780000B8};
    EXPECT_EQ(vertex(lsb, {{}, {8, 0, 0x80000000, 7}}, 1), (Register{3, ones, 31, 7}));
    const shader::Words msb = {0x0081103F, 0x00001804, 0x40010000, 0x780000C8};
    EXPECT_EQ(vertex(msb, {{}, {8}}, 1)[0], 3u);
    EXPECT_EQ(vertex(msb, {{}, {0}}, 1)[0], ones);
    EXPECT_EQ(vertex(msb, {{}, {0xFFFFFFF0}}, 1)[0], 3u);
}

TEST_F(Vivante3dReferenceHalti5, HI56TexelsByNumber) {
    sampler(16, 4); // sampler 0 with the base of vertex shaders
    load(0x08A8, 0x30);
    for (const uint32_t last : {0x78021008u, 0x74021008u}) {
        const shader::Words txf = {0x07811009, 0x15001F20, 0x01FF00C0, last};
        EXPECT_NEAR(red(vertex(txf, {{}, {1, 2, 0, 0}}, 1)), 9, 1e-4f);
        EXPECT_NEAR(red(vertex(txf, {{}, {1, 1, 0, 0x3F800000}}, 1)), 21, 1e-4f);
    }
}

TEST_F(Vivante3dReferenceHalti5, HI57GathersAlpha) {
    sampler(0, 4);
    load(0x08A8, 0);
    for (uint32_t i = 0; i < 16; i++)
        put(texture + 4 * i, i << 24);
    const shader::Words tg4 = {0x0781103D, 0x15001F20, 0x100101C0, 7};
    const Register alpha = vertex(tg4, {{}, {half, half, 0, 0}}, 1);
    expect_near(std::bit_cast<Vector>(alpha), {9 / 255.0f, 10 / 255.0f, 6 / 255.0f, 5 / 255.0f});
}

TEST_F(Vivante3dReferenceHalti5, HD22AndHI60VertexShadersUseSampler16) {
    sampler(16, 4);
    // TEXLDL t0, tex16, t1.xyyy, lod t2.x
    const shader::Words ldl = {0x8780101B, 0x15001F20, 0x00000140, 0};
    EXPECT_NEAR(red(vertex(ldl, {{}, {half, half, 0, 0}, {0}}, 0)), 10, 1e-4f);
    EXPECT_NEAR(red(vertex(ldl, {{}, {half, half, 0, 0}, {0x3F800000}}, 0)), 16 + 5, 1e-4f);
}

TEST_F(Vivante3dReferenceHalti5, HI61TheBiasIsInTheSecondSource) {
    sampler(3, 4);
    put_code({0x1F801019, 0x15001F20, 0x00000140, 0});
    std::array<Invocation, 4> quad;
    for (unsigned i = 0; i < 4; i++) { // texels of level 0 are pixels
        quad[i].set(
            1, {0.5f + static_cast<float>(i & 1) / 4, 0.5f + static_cast<float>(i >> 1) / 4, 0, 0});
        quad[i].set(2, {1, 0, 0, 0});
    }
    ASSERT_TRUE(run(engine_, vivante_3d::pixel_program(engine_), quad));
    EXPECT_NEAR(red(quad[0].temporaries[0]), 16 + 5, 1e-4f);
}

TEST_F(Vivante3dReferenceHalti5, EmptyProgramsEnd) {
    load(0x08BC, 0);
    EXPECT_EQ(vertex({0x00801009, 4, 0, 0x70FF0008}, {{7}}, 0)[0], 7u);
}

/* ---- Surfaces ----------------------------------------------------------------------------- */

/* The layer has so many bytes of tile status, in multiples of 0x100 for each pipe. */
TEST_F(Vivante3dReferenceHalti5, HT2TheStatusOf256x256Pixels) {
    TileStatus status = vivante_3d::color_status(engine_.states, engine_.features, 0, 4);
    EXPECT_EQ(status.tile_bytes, 128u);
    EXPECT_EQ(status.bits, 4u);
    EXPECT_EQ(0x40000 / status.tile_bytes * status.bits / 8, 0x400u);
    load(0x14BC, 1u << 24);
    status = vivante_3d::color_status(engine_.states, engine_.features, 0, 4);
    EXPECT_EQ(0x40000 / status.tile_bytes * status.bits / 8, 0x200u);
}

} // namespace
} // namespace pixmill::test
