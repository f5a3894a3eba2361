/*
 * The 3D pipes of the GC3000 (HALTI2) and of the GC7000UL (HALTI5), driven by the front end:
 * command streams that Mesa's etnaviv driver writes for them. Expected pixels are calculated by
 * hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sh/assembler.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

using namespace vivante::test;
using vivante::Opcode;
using Code = std::vector<vivante::test::Ins>;

constexpr uint32_t kCode = 0x10000, kPixelCode = 0x11000; /* of the HALTI5 */
constexpr uint32_t kInstances = 0xB000;                   /* the stream with a divisor */
constexpr uint32_t kDescriptor = 0x12000, kTexture = 0x13000;
constexpr uint32_t kClear = 0xFF000080, kRed = 0xFFFF0000;

/* A core, and the places that differ between generations. */
struct Generation {
    const char* model;
    bool halti5;
    uint32_t tiling; /* bits of a stride of the RS */

    [[nodiscard]] uint32_t uniforms() const { return halti5 ? 0x34000 : 0x30000; }
};

constexpr Generation kHalti2 = {"gc3000-imx6qp", false, 0x80000000};
constexpr Generation kHalti5 = {"gc7000-imx8mp", true, 0x88000000};

Stream fill_single(const Generation& g, uint32_t value) {
    return Stream()
        .state(0x16B8, 1)
        .state(0x1604, 0x4606)
        .state(0x160C, 0)
        .state(0x1614, g.tiling | kStride * 4)
        .state(0x16E0, kColor)
        .state(0x16E4, 0x11110000) /* stale */
        .state(0x1700, 0)
        .state(0x1704, 0)
        .state(0x1620, kSide << 16 | kSide)
        .state(0x163C, 0x1FFFF)
        .state(0x1640, value)
        .state(0x16A0, 0)
        .state(0x1600, 0xBEEBBEEB);
}

Stream read_single(const Generation& g) {
    return Stream()
        .state(0x1604, 0x0686)
        .state(0x160C, g.tiling | kStride * 4)
        .state(0x1614, kStride)
        .state(0x16C0, kColor)
        .state(0x16E0, kLinear)
        .state(0x1620, kSide << 16 | kSide)
        .state(0x163C, 0)
        .state(0x1600, 0xBEEBBEEB);
}

/* Loads both programs. On HALTI5 they are in memory, and their registers are linked by tables. */
Stream programs(Machine& m, const Generation& g, const Code& vertex, const Code& pixel) {
    Stream s;
    uint32_t at = 0;
    const auto put = [&](const Code& code, uint32_t address) {
        for (const auto& ins : code) {
            for (const uint32_t word : encode(ins)) {
                if (g.halti5)
                    m.ram.set_word(address, word);
                else
                    s.state(0xC000 + at, word);
                address += 4;
                at += 4;
            }
        }
    };
    put(vertex, kCode);
    put(pixel, kPixelCode);
    const auto first = uint32_t(vertex.size()), all = uint32_t(first + pixel.size());
    if (!g.halti5)
        return s.state(0x085C, (first - 1) << 16).state(0x101C, (all - 1) << 16 | first);
    return s.state(0x0874, 0)
        .state(0x08BC, first)
        .state(0x086C, kCode)
        .state(0x15600, 2)
        .state(0x0868, 1)
        .state(0x15604, first - 1)
        .state(0x087C, 0)
        .state(0x1090, uint32_t(pixel.size()))
        .state(0x1028, kPixelCode)
        .state(0x1094, uint32_t(pixel.size()) - 1);
}

/* Two elements, position and color, in t0 and t1; outputs are t2 and t1. */
Stream vertices(const Generation& g) {
    Stream s;
    if (g.halti5)
        return s.state(0x17800, 0x00003008)
            .state(0x17804, 0x000C0008)
            .state(0x17A00, bits(1))
            .state(0x17A04, bits(1))
            .state(0x17A80, 0x0C)
            .state(0x17A84, 0x81C)
            .state(0x08C0, 0x0100)
            .state(0x08E0, 0x0102)
            .state(0x0A90, 4)
            .state(0x0AA8, 2)
            .state(0x1080, 4)
            .state(0x3888, 0x7F7F7F00)
            .state(0x38C0, 0);
    return s.state(0x0600, 0x0C003008)
        .state(0x0604, 0x1C0C4088)
        .state(0x0780, bits(1))
        .state(0x0784, bits(1))
        .state(0x0820, 0x0100)
        .state(0x0810, 0x0102);
}

Stream scene(Machine& m, const Generation& g, const Code& vertex, const Code& pixel) {
    Stream s = base();
    s.add(vertices(g));
    s.state(0x14600, kVertices).state(0x14640, 28).state(0x14680, 0);
    s.state(0x1460, kColor).state(0x1464, kColor).state(0x142C, 0x00112F06);
    s.state(0x14A4, 0x000E426C);
    s.add(programs(m, g, vertex, pixel));
    return s;
}

const Code kMove = {{Opcode::mov, to(2), {none, none, t(0)}}, {}};
const Code kNothing = {{}};

/* DRAW_INSTANCED (rnndb cmdstream.xml); 4 is triangles. */
Stream draw_instances(uint32_t instances, uint32_t vertices, uint32_t first = 0) {
    return Stream().raw({0x60040000 | instances, vertices, first, 0});
}

class Vivante3dHalti : public testing::TestWithParam<Generation> {
protected:
    const Generation& g = GetParam();
    Machine m{g.model};
};

INSTANTIATE_TEST_SUITE_P(All, Vivante3dHalti, testing::Values(kHalti2, kHalti5),
                         [](const auto& info) {
                             return std::string(info.param.halti5 ? "Halti5" : "Halti2");
                         });

TEST_P(Vivante3dHalti, FillsAndReadsASurfaceOfBothPipes) {
    m.run_stream(Stream().add(fill_single(g, 0xFF996633)).add(read_single(g)));
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++)
            ASSERT_EQ(pixel(m, x, y), 0xFF996633u) << x << ", " << y;
    EXPECT_EQ(m.ram.word(kColor + kSide * kStride), 0u);
    EXPECT_EQ(m.ram.word(kColor - 4), 0u);
}

TEST_P(Vivante3dHalti, DrawsATriangle) {
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream()
                     .add(fill_single(g, kClear))
                     .add(scene(m, g, kMove, kNothing))
                     .add(draw_instances(1, 3))
                     .add(read_single(g)));
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++)
            ASSERT_EQ(pixel(m, x, y), x < y ? kRed : kClear) << x << ", " << y;
    EXPECT_EQ(m.counters().draws, 3u);
}

/* A triangle in a quarter of the target; the shader adds the offset of the instance. */
TEST_P(Vivante3dHalti, DrawsInstances) {
    put_vertices(m, {{-1, -1, 1, 0, 0, 1}, {-1, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 1}});
    const std::array<std::array<float, 2>, 2> offsets = {{{0, 0}, {1, 1}}};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t c = 0; c < 2; c++)
            m.ram.set_word(kInstances + 8 * i + 4 * c, bits(offsets[i][c]));
    const Code code = {{Opcode::mov, to(2), {none, none, t(0)}},
                       {Opcode::add, to(2, "xy"), {t(0, "xy"), none, t(3, "xy")}}};
    Stream s = scene(m, g, code, kNothing);
    s.state(0x0808, 0x103).state(0x080C, 4);
    if (g.halti5)
        s.state(0x17808, 0x00002108)
            .state(0x17A08, bits(1))
            .state(0x17A88, 0x808)
            .state(0x08C0, 0x030100);
    else
        s.state(0x0608, 0x08002188).state(0x0788, bits(1)).state(0x0820, 0x030100);
    s.state(0x14604, kInstances).state(0x14644, 8).state(0x14684, 1);
    m.run_stream(
        Stream().add(fill_single(g, kClear)).add(s).add(draw_instances(2, 3)).add(read_single(g)));
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++) {
            const bool quarter = (x < kSide / 2) == (y < kSide / 2);
            const bool covered = quarter && x % (kSide / 2) < y % (kSide / 2);
            ASSERT_EQ(pixel(m, x, y), covered ? kRed : kClear) << x << ", " << y;
        }
}

TEST_P(Vivante3dHalti, NoInstancesDrawNothing) {
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream()
                     .add(fill_single(g, kClear))
                     .add(scene(m, g, kMove, kNothing))
                     .add(draw_instances(0, 3))
                     .add(read_single(g))
                     .event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(pixel(m, 10, 100), kClear);
}

/* Such a draw reads no program, which may be long and in slow memory. */
TEST(Vivante3dHaltiDraw, OfNothingReadsNoProgram) {
    for (const auto& [instances, vertices] : {std::pair{0u, 3u}, {1u, 0u}}) {
        Machine m(kHalti5.model);
        Stream s = scene(m, kHalti5, kMove, kNothing);
        s.state(0x08BC, 0); // no vertex program, which is logged if a draw asks for it
        m.run_stream(s.add(draw_instances(instances, vertices)).event(0x41));
        EXPECT_EQ(m.get(reg::kIntrAck), 2u);
        EXPECT_EQ(m.guest_errors(), 0u) << m.log_text();
    }
}

/* Both stages address one file of uniforms, from bases on. */
TEST_P(Vivante3dHalti, SharesUniforms) {
    put_vertices(m, kLowerLeft);
    const Code pixel_code = {{Opcode::mov, to(1), {none, none, u(0)}}};
    Stream s = scene(m, g, kMove, pixel_code);
    s.state(0x0864, 0).state(0x1024, 5);
    const std::array<float, 4> color = {0, 1, 0, 1};
    for (uint32_t c = 0; c < 4; c++)
        s.state(g.uniforms() + 5 * 16 + 4 * c, bits(color[c]));
    m.run_stream(
        Stream().add(fill_single(g, kClear)).add(s).add(draw_instances(1, 3)).add(read_single(g)));
    EXPECT_EQ(pixel(m, 10, 100), 0xFF00FF00u);
}

TEST_P(Vivante3dHalti, DrawsAcrossAMigration) {
    put_vertices(m, kLowerLeft);
    const Stream setup = Stream().add(fill_single(g, kClear)).add(scene(m, g, kMove, kNothing));
    m.run_stream(setup);
    m.migrate();
    m.run_stream(Stream().add(draw_instances(1, 3)).add(read_single(g)));
    EXPECT_EQ(pixel(m, 10, 100), kRed);
    EXPECT_EQ(pixel(m, 100, 10), kClear);
}

// ---- HALTI5 -----------------------------------------------------------------

class Vivante3dHalti5 : public testing::Test {
protected:
    const Generation& g = kHalti5;
    Machine m{kHalti5.model};
    /* Runs a stream, and reads the target. */
    void run(Stream s) { m.run_stream(s.add(read_single(g))); }
};

TEST_F(Vivante3dHalti5, RunsTheProgramThatIsInMemory) {
    put_vertices(m, kLowerLeft);
    run(Stream()
            .add(fill_single(g, kClear))
            .add(scene(m, g, kMove, kNothing))
            .add(draw_instances(1, 3)));
    EXPECT_EQ(pixel(m, 10, 100), kRed);
    EXPECT_EQ(pixel(m, 100, 10), kClear);
    const Code turned = {{Opcode::mov, to(2), {none, none, t(0)}},
                         {Opcode::mov, to(2, "xy"), {none, none, -t(0, "xy")}}};
    programs(m, g, turned, kNothing);
    run(Stream().add(fill_single(g, kClear)).state(0x08B0, 0x1F).add(draw_instances(1, 3)));
    EXPECT_EQ(pixel(m, 10, 100), kClear);
    EXPECT_EQ(pixel(m, 100, 10), kRed);
}

TEST_F(Vivante3dHalti5, SamplesATextureOfADescriptor) {
    put_vertices(m, {{-1, -1, 0, 0, 0, 1}, {3, -1, 2, 0, 0, 1}, {-1, 3, 0, 2, 0, 1}});
    /* One tile of 4x4 texels: the blue of a texel is its index. */
    for (uint32_t i = 0; i < 16; i++)
        m.ram.set_word(kTexture + 4 * i, 0xFF000000 | i);
    for (const auto& [offset, value] : {std::pair{0x00u, kTexture},
                                        {0x40u, 0x0000E002u},
                                        {0x44u, 0x00040004u},
                                        {0x48u, 0x10u},
                                        {0x4Cu, 0x00321000u},
                                        {0x68u, 0u},
                                        {0x6Cu, 0x00030000u},
                                        {0x7Cu, 64u},
                                        {0x84u, 1u}})
        m.ram.set_word(kDescriptor + offset, value);
    const Code sample = {{Opcode::texld, to(1), {t(1, "xy"), none, none}}};
    Stream s = scene(m, g, kMove, sample);
    s.state(0x14C40, 1).state(0x15C00, kDescriptor).state(0x15E00, 0x40);
    s.state(0x16C00, 0x00202292).state(0x16E00, 2).state(0x17000, 0xFFF).state(0x17200, 0);
    s.state(0x14C48, 0x20000000);
    run(Stream().add(s).add(draw_instances(1, 3)));
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++)
            ASSERT_EQ(pixel(m, x, y), 0xFF000000 | (y / 32 * 4 + x / 32)) << x << ", " << y;
}

/* A tile of 128 bytes is cleared by a nibble of 1. */
TEST_F(Vivante3dHalti5, ResolvesInPlace) {
    for (uint32_t at = 0; at < 0x400; at += 4)
        m.ram.set_word(kColor + at, 0x12345678);
    m.ram.set_word(kStatus, 0x01000010); /* tiles 1 and 6 */
    m.run_stream(Stream()
                     .state(0x1654, 2)
                     .state(0x1658, kStatus)
                     .state(0x165C, kColor)
                     .state(0x1660, kClear)
                     .state(0x16BC, kClear)
                     .state(0x16A0, 0)
                     .state(0x160C, g.tiling | kStride * 4)
                     .state(0x16B0, 8));
    for (uint32_t at = 0; at < 0x400; at += 4) {
        const uint32_t tile = at / 128;
        ASSERT_EQ(m.ram.word(kColor + at), tile == 1 || tile == 6 ? kClear : 0x12345678u) << at;
    }
}

// ---- Bad input --------------------------------------------------------------

/* A word that is wrong in the scene. */
struct Spoiled {
    const char* name;
    uint32_t address, value;
    uint32_t drawn; /* the color at (10, 100) */
};

class Vivante3dHaltiBadInput : public testing::TestWithParam<Spoiled> {};

INSTANTIATE_TEST_SUITE_P(All, Vivante3dHaltiBadInput,
                         testing::Values(Spoiled{"NoVertexProgram", 0x08BC, 0, kClear},
                                         Spoiled{"BackwardRange", 0x0874, 7, kClear},
                                         Spoiled{"LongRange", 0x08BC, 0x00200000, kClear},
                                         Spoiled{"Dual16", 0x15600, 6, kRed}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Vivante3dHaltiBadInput, IsLoggedOnce) {
    Machine m(kHalti5.model);
    put_vertices(m, kLowerLeft);
    Stream s = scene(m, kHalti5, kMove, kNothing);
    s.state(GetParam().address, GetParam().value);
    m.run_stream(Stream()
                     .add(fill_single(kHalti5, kClear))
                     .add(s)
                     .add(draw_instances(1, 3))
                     .add(draw_instances(1, 3))
                     .add(read_single(kHalti5))
                     .event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u) << "the draw has ended";
    EXPECT_EQ(pixel(m, 10, 100), GetParam().drawn);
    EXPECT_EQ(pixel(m, 100, 10), kClear);
    EXPECT_EQ(m.guest_errors(), 1u) << m.log_text();
}

TEST_P(Vivante3dHalti, DrawsNoPrimitivesOfUnknownTypes) {
    put_vertices(m, kLowerLeft);
    Stream s = Stream().add(fill_single(g, kClear)).add(scene(m, g, kMove, kNothing));
    for (const uint32_t type : {0u, 9u, 15u})
        s.raw({0x60000001 | type << 16, 3, 0, 0});
    m.run_stream(s.add(read_single(g)).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(pixel(m, 10, 100), kClear);
    EXPECT_EQ(m.guest_errors(), 3u) << m.log_text();
}

TEST_F(Vivante3dHalti5, ResolvesNothingInPlaceWithoutTileStatus) {
    m.ram.set_word(kColor, 0x12345678);
    m.run_stream(
        Stream().state(0x1654, 0).state(0x1658, kStatus).state(0x165C, kColor).state(0x16B0, 8));
    EXPECT_EQ(m.ram.word(kColor), 0x12345678u);
}

TEST_F(Vivante3dHalti5, SamplesNothingWithoutDescriptors) {
    put_vertices(m, kLowerLeft);
    const Code sample = {{Opcode::texld, to(1), {t(1, "xy"), none, none}}};
    Stream s = scene(m, g, kMove, sample);
    s.state(0x14C40, 0);
    run(Stream().add(fill_single(g, kClear)).add(s).add(draw_instances(1, 3)));
    EXPECT_EQ(pixel(m, 10, 100), 0xFF000000u);
    EXPECT_EQ(m.guest_errors(), 1u) << m.log_text();
}

} // namespace
} // namespace pixmill::test
