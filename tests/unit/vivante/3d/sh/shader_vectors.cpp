// Results of encoded instructions, from the test vectors of Mesa's etnaviv ISA
// (src/etnaviv/isa/tests/disasm.cpp), and from code that its compiler emits for a GC2000.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>

#include "shader_machine.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;
using Words = std::vector<uint32_t>;

class ShaderVectors : public testing::Test, public ShaderMachine {
protected:
    /// Expects a register to have this value in every lane.
    void expect(unsigned reg, const Value& value) {
        for (unsigned lane = 0; lane < lane_count; lane++)
            ASSERT_EQ(get(reg, lane), value) << "t" << reg << " of lane " << lane;
    }
};

TEST_F(ShaderVectors, Nop) {
    set(0, {1, 2, 3, 4});
    run(Words{0, 0, 0, 0});
    expect(0, {1, 2, 3, 4});
    EXPECT_FALSE(outcome.endless);
}

TEST_F(ShaderVectors, MovSwizzles) {
    set(1, {1, 2, 3, 4});
    run(Words{0x07821009, 0x00000004, 0x00000000, 0x00318018});
    expect(2, {3, 2, 1, 4});
    run(Words{0x07821009, 0x00000000, 0x00000000, 0x00318018}); // with PMODE 0
    expect(2, {3, 2, 1, 4});
    run(Words{0x07811009, 0x00000000, 0x00000000, 0x00318018}); // to its own source
    expect(1, {3, 2, 1, 4});
}

TEST_F(ShaderVectors, MovNegatesAndTakesTheAbsolute) {
    set(2, {1, -2, 3, 4});
    run(Words{0x01821009, 0x00000004, 0x00000000, 0x00550028});
    expect(2, {-1, 2, 3, 4});
    run(Words{0x01821009, 0x00000004, 0x00000000, 0x00950028});
    expect(2, {1, 2, 3, 4});
}

TEST_F(ShaderVectors, Add) {
    set(0, {0.5f, 9, 9, 9});
    set(1, {2, 7, 9, 9});
    run(Words{0x00801001, 0x00001804, 0x00000000, 0x00000008});
    expect(0, {2.5f, 9, 9, 9});
    uniforms[0] = {0, 0, 0, 10};
    set(2, {1, 1, 1, 1});
    run(Words{0x01021001, 0x3FC00800, 0x00000010, 0x00554018});
    expect(2, {1, 3, 1, 1});
    set(2, {0.5f, 2, 2, 3});
    uniforms[0] = {-2, 2.25f, -1, 3.5f};
    run(Words{0x07811801, 0x79002804, 0x00000000, 0x20B90008});
    expect(1, {1, 0.25f, 0, 0.5f});
}

TEST_F(ShaderVectors, MulAndMad) {
    set(0, {1, 2, 3, 4});
    uniforms[3] = {10, 20, 30, 40};
    run(Words{0x07821003, 0x39000804, 0x01C801C0, 0x00000002});
    expect(2, {10, 40, 90, 160});
    uniforms[1] = {1, 10, 100, 1000};
    set(2, {5, 6, 7, 8});
    run(Words{0x07821002, 0x39001804, 0x00AA0050, 0x00390028});
    expect(2, {7, 26, 207, 2008});
}

TEST_F(ShaderVectors, DotProducts) {
    set(0, {1, 2, 3, 4});
    uniforms[0] = {10, 0, 0, 0};
    run(Words{0x00801005, 0x09000802, 0x00000040, 0x00000002});
    expect(0, {60, 2, 3, 4});
    set(1, {1, 2, 3, 4});
    run(Words{0x00801006, 0x39001804, 0x01C800C0, 0x00000000});
    expect(0, {30, 2, 3, 4});
}

TEST_F(ShaderVectors, Derivatives) {
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(1, 0)[lane] = float(lane * lane); // quad 1: 16 25 36 49
    const Words dsx{0x00811007, 0x00001804, 0x00000000, 0x00000018};
    run(dsx);
    EXPECT_EQ(get(1, 4)[0], 9);
    EXPECT_EQ(get(1, 5)[0], 9);
    EXPECT_EQ(get(1, 6)[0], 13);
    EXPECT_EQ(get(1, 7)[0], 13);
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(1, 0)[lane] = float(lane * lane);
    run(Words{0x00811008, 0x00001804, 0x00000000, 0x00000018}); // DSY: the row below minus this one
    EXPECT_EQ(get(1, 4)[0], 20);
    EXPECT_EQ(get(1, 5)[0], 24);
    EXPECT_EQ(get(1, 6)[0], 20);
    EXPECT_EQ(get(1, 7)[0], 24);
    how.quads = false;
    run(dsx);
    EXPECT_EQ(get(1, 4)[0], 0);
}

TEST_F(ShaderVectors, RcpAndRsq) {
    const Words rcp{0x0081100C, 0x00000000, 0x00000000, 0x00000018};
    set(1, {4, 1, 2, 3});
    run(rcp);
    expect(1, {0.25f, 1, 2, 3});
    set(1, {0, 1, 2, 3});
    run(rcp);
    expect(1, {INFINITY, 1, 2, 3});
    set(0, {4, 1, 2, 3});
    run(Words{0x0080100D, 0x00000004, 0x00000000, 0x00000008});
    expect(0, {0.5f, 1, 2, 3});
}

TEST_F(ShaderVectors, Select) {
    set(1, {1, 7, -8, 0});
    set(2, {5, 6, 5, 0});
    run(Words{0x0783104F, 0x39001804, 0x01C80140, 0x00390018}); // min
    expect(3, {1, 6, -8, 0});
    run(Words{0x0783108F, 0x39001804, 0x01C80140, 0x00390018}); // max
    expect(3, {5, 7, 5, 0});
    run(Words{0x0783108F, 0x39002800, 0x05C800C0, 0x00390028}); // max(t2, |t1|)
    expect(3, {5, 7, 8, 0});
}

TEST_F(ShaderVectors, Set) {
    set(0, {9, 9, 9, 9});
    set(1, {2, 0, 0, 0});
    uniforms[0] = {0, 3, 0, 0};
    const Words ge{0x008010D0, 0x00001804, 0x00AA0040, 0x00000002};
    run(ge);
    expect(0, {0, 9, 9, 9});
    set(1, {3, 0, 0, 0});
    run(ge);
    expect(0, {1, 9, 9, 9});
    for (unsigned lane = 0; lane < lane_count; lane++)
        face()[lane] = float(lane % 2);
    run(Words{0x00821150, 0x00000804, 0x00000048, 0x00000002}); // EQ i0.x, u0.x
    EXPECT_EQ(get(2, 4)[0], 1);
    EXPECT_EQ(get(2, 5)[0], 0);
}

TEST_F(ShaderVectors, Functions) {
    set(0, {0, 3, 0, 0});
    run(Words{0x01001011, 0x00000004, 0x00000000, 0x00154008}); // EXP
    expect(0, {0, 8, 0, 0});
    set(1, {1.5f, -0.1f, 2, -0.25f});
    run(Words{0x07811013, 0x00000004, 0x00000000, 0x000E4018}); // FRC .yzwx
    expect(1, {0.9f, 0, 0.75f, 0.5f});
    const Words sin{0x00811022, 0x00000004, 0x00000000, 0x00000008};
    set(1, {});
    for (const auto& [x, y] : {std::pair{1.f, 1.f}, {2.f, 0.f}, {0.5f, 0.70710678f}}) {
        set(0, {x, 0, 0, 0});
        run(sin);
        EXPECT_NEAR(get(1)[0], y, 1e-6f);
    }
    set(0, {-1.5f, 0, 0, 0});
    run(Words{0x00801025, 0x00000004, 0x00000000, 0x00000008}); // FLOOR
    expect(0, {-2, 0, 0, 0});
    const Words sign{0x00801027, 0x00000004, 0x00000000, 0x00000008};
    for (const auto& [x, y] : {std::pair{-3.f, -1.f}, {0.f, 0.f}, {5.f, 1.f}}) {
        set(0, {x, 0, 0, 0});
        run(sign);
        expect(0, {y, 0, 0, 0});
    }
}

/// Returns `branch` and seven instructions after it. Each of those that runs adds u9.x to t0.x.
Words before_counting(const Words& branch) {
    Words words = branch;
    for (unsigned n = 1; n < 8; n++)
        for (const uint32_t word : encode(add(to(0, "x"), t(0), u(9, "x"))))
            words.push_back(word);
    return words;
}

TEST_F(ShaderVectors, Branches) {
    uniforms[9] = {1, 0, 0, 0};
    set(0, {});
    run(before_counting({0x00000016, 0x00000000, 0x00000000, 0x00001080})); // to 33, past the end
    expect(0, {0, 0, 0, 0});
    const Words gt = before_counting({0x00000056, 0x00000800, 0x000000D0, 0x00000280}); // to 5
    uniforms[0] = {2, 0, 0, 0};
    set(1, {1, 0, 0, 0});
    run(gt);
    expect(0, {3, 0, 0, 0});
    set(0, {});
    set(1, {2, 0, 0, 0});
    run(gt);
    expect(0, {7, 0, 0, 0});
    const Words is_not = before_counting({0x00000296, 0x00201800, 0x80000000, 0x00000380}); // to 7
    set(0, {});
    set(1, {0, 1, 1, 1});
    run(is_not);
    expect(0, {1, 0, 0, 0});
    set(0, {});
    set(1, {1, 0, 0, 0});
    run(is_not);
    expect(0, {7, 0, 0, 0});
    set(0, {});
    run(before_counting({0x00000014, 0x00000000, 0x00000000, 0x00000380})); // CALL 7, the end
    expect(0, {1, 0, 0, 0});
}

TEST_F(ShaderVectors, Texkill) {
    run(Words{0x00000017, 0, 0, 0});
    EXPECT_EQ(outcome.killed, ~LaneMask(0));
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(2, 0)[lane] = float(lane % 4);
    run(Words{0x000002D7, 0x00002804, 0, 0}); // NZ
    EXPECT_EQ(outcome.killed, 0xEEEEEEEEEEEEEEEE);
    uniforms[0] = {1, 0, 0, 0};
    const Words gt{0x00000057, 0x00002800, 0x00000040, 0x00000002};
    run(gt);
    EXPECT_EQ(outcome.killed, 0xCCCCCCCCCCCCCCCC);
    how.live = 0x80F0; // only live lanes can be killed
    run(gt);
    EXPECT_EQ(outcome.killed, 0x80C0u);
}

TEST_F(ShaderVectors, TexturesAreAskedWithTheirLod) {
    set(1, {0.25f, 0.5f, 0.75f, 2});
    set(2, {3, 4, 5, 6});
    set(3, {7, 8, 9, 10});
    run(Words{0x07811018, 0x15001F20, 0, 0}); // TEXLD t1, tex0, t1.xyyy
    expect(1, {0.25f, 0.5f, 0.5f, 0});
    run(Words{0x17811019, 0x39002F20, 0, 0}); // TEXLDB t1, tex2, t2
    expect(1, {3, 4, 5, 2});
    how.quads = false;
    how.live = 0x70;                          // vertices have no quads
    run(Words{0x4780101B, 0x39003F20, 0, 0}); // TEXLDL t0, tex8, t3
    EXPECT_EQ(get(0, 4), (Value{7, 8, 9, 8}));
    how.quads = true;
    set(1, {1, 2, 3, 4});
    run(Words{0x0781101A, 0x15001F20, 0x00A80140, 0x003F8018}); // TEXLDD .., t2.xyyy, t1.zwww
    ASSERT_EQ(texturing.asked.size(), 4u);
    EXPECT_EQ(texturing.asked[0].lod, Lod::derivatives);
    EXPECT_TRUE(texturing.asked[0].quads);
    EXPECT_EQ(texturing.asked[0].live, ~LaneMask(0));
    EXPECT_EQ(texturing.asked[1].lod, Lod::bias);
    EXPECT_EQ(texturing.asked[1].sampler, 2u);
    EXPECT_EQ(texturing.asked[1].coordinate[3], 6);
    EXPECT_EQ(texturing.asked[2].lod, Lod::given);
    EXPECT_EQ(texturing.asked[2].sampler, 8u);
    EXPECT_FALSE(texturing.asked[2].quads);
    EXPECT_EQ(texturing.asked[2].live, 0x70u);
    EXPECT_EQ(texturing.asked[3].lod, Lod::gradients);
    EXPECT_EQ(texturing.asked[3].coordinate, (Value{1, 2, 2, 2}));
    EXPECT_EQ(texturing.asked[3].dx, (Value{3, 4, 4, 4}));
    EXPECT_EQ(texturing.asked[3].dy, (Value{3, 4, 4, 4}));
    EXPECT_EQ(texturing.asked[3].live, 0xF0u); // the whole quad
}

TEST_F(ShaderVectors, AddressesChooseRegisters) {
    Words words{0x0080100A, 0x00000004, 0x00000000, 0x00000018}; // MOVAR a0.x, t1.x
    const Words indexed[] = {
        {0x07821009, 0x00000004, 0x00000000, 0x22390048}, // MOV t2, u4[a.x]
        {0x00823009, 0x00000000, 0x00000000, 0x00000018}, // MOV t2[a.x].x, t1.x
    };
    for (const Words& instruction : indexed)
        words.insert(words.end(), instruction.begin(), instruction.end());
    uniforms[6] = {1, 2, 3, 4};
    uniforms[7] = {5, 6, 7, 8};
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(1, 0)[lane] = 2 + float(lane % 2);
    set(4, {9, 9, 9, 9});
    set(5, {9, 9, 9, 9});
    run(words);
    EXPECT_EQ(get(2, 10), uniforms[6]);
    EXPECT_EQ(get(2, 11), uniforms[7]);
    EXPECT_EQ(get(4, 10), (Value{2, 9, 9, 9}));
    EXPECT_EQ(get(5, 10), (Value{9, 9, 9, 9}));
    EXPECT_EQ(get(5, 11), (Value{3, 9, 9, 9}));
    set(1, {3, 0, 0, 0}); // the same address in all lanes
    run(words);
    expect(2, uniforms[7]);
}

// Mesa 22 emits MOVAR with DST_USE 0 in a program of its gles2 suite. It works on hardware:
// dEQP-GLES2's shaders.indexing tests are not in Mesa's src/etnaviv/ci/etnaviv-gc2000-fails.txt.
TEST_F(ShaderVectors, AddressesNeedNoDestination) {
    uniforms[7] = {5, 6, 7, 8};
    set(1, {3, 0, 0, 0});
    Words words{0x0080000A, 0x00000000, 0x00000000, 0x00000018};   // MOVAR a0.x, t1.x
    for (const uint32_t word : {0x07821009u, 0u, 0u, 0x22390048u}) // MOV t2, u4[a.x]
        words.push_back(word);
    run(words);
    expect(2, uniforms[7]);
}

TEST_F(ShaderVectors, AddressOfAnotherComponent) {
    Words words = encode(std::vector<Ins>{one(Opcode::movar, to(0, "w"), u(0, "w"))});
    for (const uint32_t word : {0x01811001u, 0x15001800u, 0x00000000u, 0x28150018u})
        words.push_back(word); // ADD t1.xy, t1.xyyy, u1[a.w].xyyy
    uniforms[0] = {0, 0, 0, 3};
    uniforms[4] = {10, 20, 30, 40};
    set(1, {1, 2, 3, 4});
    run(words);
    expect(1, {11, 22, 3, 4});
}

TEST_F(ShaderVectors, Cmp) {
    set(1, {-2, 7, 7, 7});
    uniforms[0] = {0, 2, 5, 0};
    const Words le{0x00811131, 0x80001800, 0x00AA0040, 0x202A800A}; // |t1.x| <= u0.y ? u0.z : 0
    run(le);
    expect(1, {5, 7, 7, 7});
    run(le);
    expect(1, {0, 7, 7, 7});
}

TEST_F(ShaderVectors, Imullo) {
    const auto integer = [](uint32_t x) { return std::bit_cast<float>(x); };
    set(2, {integer(100000), 7, 7, 7});
    set(3, {integer(100001), 7, 7, 7});
    run(Words{0x0784103C, 0x39202800, 0x81C801C0, 0x00000000});
    for (unsigned c = 0; c < 4; c++) // 100000 * 100001 modulo 2^32
        EXPECT_EQ(std::bit_cast<uint32_t>(get(4)[c]), 1410165408u);
}

// Mesa's code to multiply a matrix, whose columns are u0 to u3, by a vertex.
TEST_F(ShaderVectors, MatrixTimesVertex) {
    const std::vector<Ins> code = {
        mul(to(1), u(0), t(0, "x")),
        mad(to(1), u(1), t(0, "y"), t(1)),
        mad(to(1), u(2), t(0, "z"), t(1)),
        mad(to(1), u(3), t(0, "w"), t(1)),
    };
    set(0, {5, 6, 7, 8});
    for (unsigned c = 0; c < 4; c++)
        uniforms[c][c] = 1;
    run(code);
    expect(1, {5, 6, 7, 8});
    uniforms[3] = {100, 200, 300, 1};
    run(code);
    expect(1, {805, 1606, 2407, 8});
}

TEST_F(ShaderVectors, TexelOfOneColor) {
    class OneColor : public Texturing {
    public:
        void sample(const TextureRequest&, Vector& texel) override {
            for (unsigned c = 0; c < 4; c++)
                texel[c].f.fill(float(16 * (c + 1)) / 255);
        }
        void load(const LoadRequest&, Vector&) override {}
    } color;
    how.texturing = &color;
    run(Words{0x07811018, 0x15001F20, 0, 0});
    expect(1, {16 / 255.f, 32 / 255.f, 48 / 255.f, 64 / 255.f});
}

} // namespace
} // namespace pixmill::vivante
