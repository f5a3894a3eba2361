/*
 * Input that hangs or crashes a real core, makes it overwrite memory, or is undocumented. The
 * model draws what it can, logs the reason and continues. docs/hardware/vivante-3d.md, "Bad
 * input", names the test for each row.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "sh/assembler.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

using namespace vivante::test;
using vivante::Opcode;

constexpr uint32_t kNowhere = 0x70000000;
constexpr uint32_t kBehind = 0xFF000080, kRed = 0xFFFF0000;

/* Draws a triangle on a blue target, with additional states, and checks pixels and the log. */
class Bad {
public:
    Bad() { put_vertices(m, kLowerLeft); }

    Bad& play(const Stream& more, const Stream& what = draw(1)) {
        m.run_stream(Stream()
                         .add(fill(kBehind))
                         .add(base())
                         .add(more)
                         .add(what)
                         .add(read_back())
                         .event(0x41));
        EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu) << m.log_text();
        const uint32_t pending = m.get(reg::kIntrAck);
        EXPECT_EQ(pending & ~kBusError, 2u);
        bus_error = pending & kBusError;
        return *this;
    }
    void expect_triangle() {
        EXPECT_EQ(pixel(m, 3, 100), kRed);
        EXPECT_EQ(pixel(m, 100, 3), kBehind);
    }
    void expect_nothing() {
        EXPECT_EQ(pixel(m, 3, 100), kBehind);
        EXPECT_EQ(pixel(m, 100, 3), kBehind);
    }
    void expect_log(const std::string& part) {
        EXPECT_NE(m.log_text().find(part), std::string::npos) << m.log_text();
        EXPECT_EQ(m.guest_errors() + m.unimplemented(), 1u);
    }

    static constexpr uint32_t kBusError = 1u << 31;
    Machine m = machine();
    bool bus_error = false;
};

Stream pixel_program(const std::vector<Ins>& code) {
    Stream s;
    const std::vector<uint32_t> words = encode(code);
    for (uint32_t i = 0; i < words.size(); i++)
        s.state(0xD000 + 4 * i, words[i]);
    return s.state(0x101C, uint32_t(0x100 + code.size() - 1) << 16 | 0x100);
}

Stream vertex_program(const std::vector<Ins>& code) {
    Stream s;
    const std::vector<uint32_t> words = encode(code);
    for (uint32_t i = 0; i < words.size(); i++)
        s.state(0xC000 + 4 * i, words[i]);
    return s.state(0x085C, uint32_t(code.size() - 1) << 16);
}

Ins texld() {
    return {Opcode::texld, to(1), {t(1), none, none}};
}

TEST(Vivante3dBadInput, FewerInputsThanElements) {
    Bad bad;
    bad.play(Stream().state(0x0808, 0x101)); /* the color is not an input, so it is 0 */
    EXPECT_EQ(pixel(bad.m, 3, 100), 0u);
    EXPECT_EQ(pixel(bad.m, 100, 3), kBehind);
}

TEST(Vivante3dBadInput, MoreInputsThanElements) {
    /*
     * The additional inputs are elements that were never set: bytes of stream 0, in registers that
     * VS_INPUT does not name.
     */
    Bad().play(Stream().state(0x0808, 0x103).state(0x0820, 0x00050100)).expect_triangle();
    Bad().play(Stream().state(0x0808, 0x110));
    Bad bad;
    bad.play(Stream().state(0x0808, 0x11F));
    bad.expect_log("only 16 exist");
}

TEST(Vivante3dBadInput, TooFewTemporariesOrInputs) {
    Bad().play(Stream().state(0x080C, 0).state(0x100C, 0).state(0x1008, 0)).expect_triangle();
}

TEST(Vivante3dBadInput, ProgramsWithoutAnEnd) {
    Bad().play(Stream().state(0x101C, 0xFFFF0100)).expect_triangle(); /* ends past program memory */
    Bad().play(Stream().state(0x101C, 0x00000100)).expect_triangle(); /* ends before its start */
    Bad().play(Stream().state(0x101C, 0xFFFFFFFF)).expect_triangle(); /* starts past its end */
    Bad().play(Stream().state(0x085C, 0xFFFF0000)).expect_triangle();
}

TEST(Vivante3dBadInput, UnknownInstructions) {
    Bad bad;
    bad.play(Stream().state(0xD000, 0x0000003F).state(0xD008, 1u << 16)).expect_triangle();
    bad.expect_log("0x7f");
}

TEST(Vivante3dBadInput, VertexProgramsThatKill) {
    Stream red;
    for (uint32_t c = 0; c < 4; c++)
        red.state(0x5000 + 4 * c, bits(c % 3 ? 0.0f : 1.0f));
    const std::vector<Corner> green = {
        {-1, -1, 0, 1, 0, 1}, {-1, 1, 0, 1, 0, 1}, {1, 1, 0, 1, 0, 1}};
    const Ins branch{.op = Opcode::branch, .target = 3};
    for (const std::vector<Ins>& code :
         {std::vector<Ins>{Ins{Opcode::texkill}, mov(to(1), u(0))},
          std::vector<Ins>{Ins{Opcode::texkill}, mov(to(1), u(0)), branch}}) {
        Bad bad;
        put_vertices(bad.m, green); /* the color of the first triangle */
        bad.play(Stream());
        EXPECT_EQ(pixel(bad.m, 3, 100), 0xFF00FF00u);
        bad.play(Stream(red).add(vertex_program(code))).expect_triangle();
    }
}

/* The first draw sets i0.x of its pixels: to 1 if the triangle's area is positive. */
TEST(Vivante3dBadInput, VertexProgramsThatReadTheFace) {
    constexpr Src face{true, 1, 0, swizzle_of("x")};
    for (const bool positive : {false, true}) {
        Bad bad;
        std::vector<Corner> corners = kLowerLeft;
        if (positive)
            std::swap(corners[1], corners[2]);
        put_vertices(bad.m, corners);
        bad.play(pixel_program({mov(to(1), face)}));
        const uint32_t faces = pixel(bad.m, 3, 100);
        EXPECT_TRUE(faces == 0 || faces == 0xFFFFFFFF);
        bad.play(vertex_program({mov(to(1), face)}));
        EXPECT_EQ(pixel(bad.m, 3, 100), 0u);
        EXPECT_EQ(pixel(bad.m, 100, 3), kBehind);
    }
}

TEST(Vivante3dBadInput, SamplersWithoutATexture) {
    Bad bad;
    bad.play(Stream().add(pixel_program({texld()})));
    EXPECT_EQ(pixel(bad.m, 3, 100), 0xFF000000u);
    bad.expect_log("sampler 0");
}

TEST(Vivante3dBadInput, TexturesOfTypesThatCrash) {
    for (const uint32_t type : {4u, 6u, 7u}) {
        Bad bad;
        bad.play(Stream().state(0x2000, type | 7 << 13).add(pixel_program({texld()})));
        EXPECT_EQ(pixel(bad.m, 3, 100), 0u) << type;
        bad.expect_log("sampler 0");
    }
}

TEST(Vivante3dBadInput, AddressesWithoutMemory) {
    const Stream texture = Stream()
                               .state(0x2000, 7 << 13 | 1 << 11 | 1 << 7 | 2)
                               .state(0x2040, 4 << 16 | 4)
                               .state(0x21C0, 0x00321000)
                               .state(0x2400, kNowhere)
                               .add(pixel_program({texld()}));
    const Stream status = Stream().state(0x1654, 2).state(0x1658, kNowhere).state(0x165C, kColor);
    const Stream target = Stream().state(0x1460, kNowhere).state(0x1464, kNowhere);
    const Stream depth = Stream()
                             .state(0x1400, 0x04041111)
                             .state(0x1414, kStride)
                             .state(0x1480, kNowhere)
                             .state(0x1484, kNowhere);
    const Stream vertices = Stream().state(0x0680, kNowhere);
    for (const Stream& where : {texture, status, target, depth, vertices}) {
        Bad bad;
        bad.m.allow_logs();
        EXPECT_TRUE(bad.play(where).bus_error);
        EXPECT_EQ(pixel(bad.m, 100, 3) & 0xFFFFFF, kBehind & 0xFFFFFF);
    }
}

TEST(Vivante3dBadInput, DrawsInThe2dPipe) {
    Bad bad;
    bad.m.allow_logs(); /* the core has no 2D pipe */
    bad.play(Stream().state(0x3800, 1), draw(1).state(0x3800, 0)).expect_nothing();
    EXPECT_NE(bad.m.log_text().find("3D draw while PIPE_SELECT is 2D"), std::string::npos);
}

TEST(Vivante3dBadInput, ResolvesOfOtherWidthsThan16) {
    Bad bad;
    bad.m.run_stream(fill(0x11111111)
                         .state(0x1640, 0x22222222)
                         .state(0x1620, kSide / 2 << 16 | 20)
                         .state(0x1600, 1)
                         .add(read_back()));
    EXPECT_EQ(pixel(bad.m, 19, 5), 0x22222222u) << "the exact window";
    EXPECT_EQ(pixel(bad.m, 20, 5), 0x11111111u);
    bad.expect_log("not a multiple of 16");
}

TEST(Vivante3dBadInput, TilesInAnImpossibleState) {
    Bad bad;
    bad.m.ram.fill(kStatus, 0xFE, 0x100); /* tile states 2, 3, 3, 3 */
    bad.play(Stream()
                 .state(0x1654, 2)
                 .state(0x1658, kStatus)
                 .state(0x165C, kColor)
                 .state(0x1660, 0x12345678))
        .expect_triangle();
    bad.expect_log("compressed");
}

TEST(Vivante3dBadInput, FlushesInAnyOrder) {
    Bad().play(Stream().state(0x1650, 1).state(0x380C, 0x17).state(0x380C, 0x10)).expect_triangle();
}

TEST(Vivante3dBadInput, ScissorsBetweenPixels) {
    Bad bad;
    bad.play(Stream()
                 .state(0x0C00, bits(3.7f))
                 .state(0x0C04, bits(90.9f))
                 .state(0x0C08, bits(10.9f))
                 .state(0x0C0C, bits(101.3f)));
    EXPECT_EQ(pixel(bad.m, 3, 90), kRed);
    EXPECT_EQ(pixel(bad.m, 9, 100), kRed);
    for (const auto& [x, y] : {std::pair{2u, 95u}, {10u, 95u}, {5u, 89u}, {5u, 101u}})
        EXPECT_EQ(pixel(bad.m, x, y), kBehind) << x << ", " << y;
}

TEST(Vivante3dBadInput, ScissorsOfNothingOrNoNumber) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    Bad().play(Stream().state(0x0C00, bits(50)).state(0x0C08, bits(40))).expect_nothing();
    Bad().play(Stream().state(0x0C08, bits(kNan))).expect_nothing();
    Bad().play(Stream().state(0x0C08, bits(-1e30f))).expect_nothing();
}

TEST(Vivante3dBadInput, DrawsOfNoPrimitives) {
    Bad().play(Stream(), draw(0)).expect_nothing();
    Bad().play(Stream(), Stream().raw({0x30000000, 4, 0, 0, 0, 0})).expect_nothing();
}

TEST(Vivante3dBadInput, IndicesAfterTheVertices) {
    Bad bad;
    bad.m.allow_logs(); /* bus errors */
    for (uint32_t i = 0; i < 3; i++)
        bad.m.ram.set_word(kQuery + 4 * i, 0x04000000 + i);
    bad.play(Stream().state(0x0644, kQuery).state(0x0648, 2),
             Stream().raw({0x30000000, 4, 0, 1, 0, 0}))
        .expect_nothing();
    EXPECT_TRUE(bad.bus_error);
}

TEST(Vivante3dBadInput, StreamsThatAreNotSet) {
    /* The color is read from stream 5, which has address 0 and stride 0. That memory is 0. */
    Bad bad;
    bad.play(Stream().state(0x0604, 0x1C0C4508));
    EXPECT_EQ(pixel(bad.m, 3, 100), 0u);
    EXPECT_EQ(pixel(bad.m, 100, 3), kBehind);
}

TEST(Vivante3dBadInput, PrimitivesOfUnknownTypes) {
    for (const uint32_t type : {0u, 9u, 0xFFu}) {
        Bad bad;
        bad.play(Stream(), Stream().raw({0x28000000, type, 0, 1})).expect_nothing();
        bad.expect_log("unknown type");
    }
}

TEST(Vivante3dBadInput, TargetsThatAreNotWritten) {
    /* The target has no color components, a stride of 0, and an address without memory. */
    Bad bad;
    bad.play(Stream().state(0x142C, 0x00110006).state(0x1434, 0).state(0x1460, kNowhere),
             draw(1).state(0x1460, kColor));
    bad.expect_nothing();
    EXPECT_FALSE(bad.bus_error);
}

TEST(Vivante3dBadInput, TargetsOfUnknownFormats) {
    Bad bad;
    bad.play(Stream().state(0x142C, 0x00110F0F)).expect_nothing();
    bad.expect_log("unknown format 15");
}

TEST(Vivante3dBadInput, CallsTooDeepAndReturnsWithoutACall) {
    Ins call{Opcode::call};
    call.target = 0;
    Bad().play(pixel_program({call})).expect_triangle();
    Bad().play(pixel_program({Ins{Opcode::ret}})).expect_triangle();
}

TEST(Vivante3dBadInput, RegistersOutsideOfTheirFile) {
    const Ins address = one(Opcode::movar, to(0, "x"), u(0, "x"));
    Bad bad;
    bad.play(pixel_program({address, mov(to(1), u(250).at(1))}).state(0x7000, bits(1000)));
    EXPECT_EQ(pixel(bad.m, 3, 100), 0u);
}

TEST(Vivante3dBadInput, VerticesThatAreNoNumbers) {
    for (const float value :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Bad bad;
        bad.m.ram.set_word(kVertices, bits(value));
        bad.play(Stream()).expect_nothing();
    }
}

TEST(Vivante3dBadInput, TrianglesOfAnySize) {
    /* One triangle has no area. The others are far larger than the target. */
    Bad line;
    put_vertices(line.m, {{-1, -1, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 1}});
    line.play(Stream()).expect_nothing();
    for (const float size : {1e4f, 1e9f}) {
        Bad giant;
        put_vertices(giant.m, {{-size, -size, 1, 0, 0, 1},
                               {-size, 3 * size, 1, 0, 0, 1},
                               {3 * size, -size, 1, 0, 0, 1}});
        giant.play(Stream());
        EXPECT_EQ(pixel(giant.m, 3, 100), kRed) << size;
        EXPECT_EQ(pixel(giant.m, 100, 3), kRed) << size;
    }
    for (const float size : {1e18f, 3e38f}) { /* too large to clip correctly, but must not fail */
        Bad giant;
        put_vertices(
            giant.m,
            {{-size, -size, 1, 0, 0, 1}, {-size, size, 1, 0, 0, 1}, {size, -size, 1, 0, 0, 1}});
        giant.play(Stream());
    }
}

/* The target has 256 MiB, but only its start is in memory. */
TEST(Vivante3dBadInput, TheLargestTarget) {
    Bad bad;
    bad.m.allow_logs(); /* bus errors */
    bad.m.draw_budget = 1 << 26;
    bad.m.run_stream(Stream()
                         .add(base())
                         .state(0x1434, 4 * 8192)
                         .state(0x1464, kNowhere)
                         .state(0x0A00, bits(4096))
                         .state(0x0A04, bits(4096))
                         .state(0x0A0C, bits(4096))
                         .state(0x0A10, bits(4096))
                         .state(0x0C00, bits(8000))
                         .state(0x0C04, bits(8000))
                         .state(0x0C08, bits(1e9f))
                         .state(0x0C0C, bits(1e9f))
                         .add(draw(1))
                         .event(0x41),
                     1'000'000'000);
    EXPECT_EQ(bad.m.get(reg::kIntrAck), Bad::kBusError | 2);
    EXPECT_EQ(bad.m.counters().pixels, 192u * 191 / 2);
}

/* The sampled texture is also the target. The pixels are undefined, but the draw must end. */
TEST(Vivante3dBadInput, TargetsThatAreTextures) {
    Bad bad;
    bad.play(Stream()
                 .state(0x2000, 7 << 13 | 1 << 11 | 1 << 7 | 2)
                 .state(0x2040, 128 << 16 | 128)
                 .state(0x2080, 7 * 32 << 10 | 7 * 32)
                 .state(0x21C0, 0x00321000)
                 .state(0x2400, kColor)
                 .add(pixel_program({texld()})));
    EXPECT_EQ(pixel(bad.m, 100, 3), kBehind);
}

} // namespace
} // namespace pixmill::test
