// Decoding and disassembling. The words and their meanings are from the test vectors of Mesa's
// etnaviv ISA (src/etnaviv/isa/tests/disasm.cpp), and from code that its compiler emits for a
// GC2000.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/sh/disassembler.hpp"

#include <gtest/gtest.h>

namespace pixmill::vivante {
namespace {

struct Case {
    uint32_t words[4];
    const char* text;
};

std::string text_of(const uint32_t (&words)[4]) {
    return disassemble(decode(words));
}

TEST(Instructions, AreNamedAsMesaNamesThem) {
    constexpr Case cases[] = {
        {{0x00000000, 0x00000000, 0x00000000, 0x00000000}, "nop"},
        {{0x07821009, 0x00000004, 0x00000000, 0x00318018}, "mov t2, t1.zyxw"},
        {{0x07811009, 0x00000000, 0x00000000, 0x00318018}, "mov t1, t1.zyxw"},
        {{0x01821009, 0x00000000, 0x00000000, 0x00550028}, "mov t2.xy__, -t2.xyyy"},
        {{0x01821009, 0x00000000, 0x00000000, 0x00950028}, "mov t2.xy__, |t2.xyyy|"},
        {{0x00801001, 0x00001804, 0x00000000, 0x00000008}, "add t0.x___, t1.x, t0.x"},
        {{0x01021001, 0x3FC00800, 0x00000010, 0x00554018}, "add t2._y__, u0.w, -t1.y"},
        {{0x07811801, 0x79002804, 0x00000000, 0x20B90008}, "add.sat t1, -t2, |u0|"},
        {{0x07821003, 0x39000804, 0x01C801C0, 0x00000002}, "mul t2, t0, u3"},
        {{0x07821002, 0x39001804, 0x00AA0050, 0x00390028}, "mad t2, u1, t0.y, t2"},
        {{0x00801005, 0x09000802, 0x00000040, 0x00000002}, "dp3.rtne t0.x___, t0.xyzx, u0.x"},
        {{0x00801006, 0x39001804, 0x01C800C0, 0x00000000}, "dp4 t0.x___, t1, t1"},
        {{0x00811007, 0x00001804, 0x00000000, 0x00000018}, "dsx t1.x___, t1.x, t1.x"},
        {{0x0081100C, 0x00000000, 0x00000000, 0x00000018}, "rcp t1.x___, t1.x"},
        {{0x0080100D, 0x00000004, 0x00000000, 0x00000008}, "rsq t0.x___, t0.x"},
        {{0x0783104F, 0x39001804, 0x01C80140, 0x00390018}, "select.gt t3, t1, t2, t1"},
        {{0x0783108F, 0x39001804, 0x01C80140, 0x00390018}, "select.lt t3, t1, t2, t1"},
        {{0x0783108F, 0x39002800, 0x05C800C0, 0x00390028}, "select.lt t3, t2, |t1|, t2"},
        {{0x008010D0, 0x00001804, 0x00AA0040, 0x00000002}, "set.ge t0.x___, t1.x, u0.y"},
        {{0x00821150, 0x00000804, 0x00000048, 0x00000002}, "set.eq t2.x___, i0.x, u0.x"},
        {{0x01001011, 0x00000004, 0x00000000, 0x00154008}, "exp t0._y__, t0.y"},
        {{0x07811013, 0x00000004, 0x00000000, 0x000E4018}, "frc t1, t1.yzwx"},
        {{0x00811022, 0x00000004, 0x00000000, 0x00000008}, "sin t1.x___, t0.x"},
        {{0x00801025, 0x00000004, 0x00000000, 0x00000008}, "floor t0.x___, t0.x"},
        {{0x00801027, 0x00000004, 0x00000000, 0x00000008}, "sign t0.x___, t0.x"},
        {{0x00000016, 0x00000000, 0x00000000, 0x00001080}, "branch 33"},
        {{0x00000056, 0x00000800, 0x000000D0, 0x00000280}, "branch.gt u0.x, t1.x, 5"},
        {{0x00000296, 0x00201800, 0x80000000, 0x00000380}, "branch.not.u32 t1.x, void, 7"},
        {{0x00000017, 0x00000000, 0x00000000, 0x00000000}, "texkill"},
        {{0x000002D7, 0x00002804, 0x00000000, 0x00000000}, "texkill.nz t2.x, void"},
        {{0x00000057, 0x00002800, 0x00000040, 0x00000002}, "texkill.gt t2.x, u0.x"},
        {{0x07811018, 0x15001F20, 0x00000000, 0x00000000}, "texld t1, tex0, t1.xyyy"},
        {{0x17811019, 0x39002F20, 0x00000000, 0x00000000}, "texldb t1, tex2, t2"},
        {{0x4780101B, 0x39003F20, 0x00000000, 0x00000000}, "texldl t0, tex8, t3"},
        {{0x0781101A, 0x15001F20, 0x00A80140, 0x003F8018},
         "texldd t1, tex0, t1.xyyy, t2.xyyy, t1.zwww"},
        {{0x0080100A, 0x00000004, 0x00000000, 0x00000018}, "movar a.x___, t1.x"},
        {{0x0080000A, 0x00000000, 0x00000000, 0x00000018}, "movar a.x___, t1.x"}, // Mesa 22
        {{0x07821009, 0x00000004, 0x00000000, 0x22390048}, "mov t2, u4[a.x]"},
        {{0x00823009, 0x00000000, 0x00000000, 0x00000018}, "mov t2[a.x].x___, t1.x"},
        {{0x01811001, 0x15001800, 0x00000000, 0x28150018}, "add t1.xy__, t1.xyyy, u1[a.w].xyyy"},
        {{0x00811131, 0x80001800, 0x00AA0040, 0x202A800A}, "cmp.le t1.x___, |t1.x|, u0.y, u0.z"},
        {{0x00000014, 0x00000000, 0x00000000, 0x00000380}, "call 7"},
        {{0x0784103C, 0x39202800, 0x81C801C0, 0x00000000}, "imullo0.u32 t4, t2, t3"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(text_of(c.words), c.text);
        EXPECT_TRUE(decode(c.words).is_known()) << c.text;
    }
}

// Opcodes, an operand and conditions that a GC2000 does not have.
TEST(Instructions, UnknownOnesAreShownByNumber) {
    constexpr Case cases[] = {
        {{0x07811023 | 0x40, 0x00000004, 0x00010000, 0x00390018}, "op63.gt t1, t1"},
        {{0x07811033, 0, 0, 0}, "store t1"},
        {{0x07811009, 0, 0, 0x70390018}, "mov t1, g7:1"},
        {{0x00000016 | 17 << 6, 0x00001800, 0, 0x00000280}, "branch.cond17 t1.x, void, 5"},
        {{0x00000016 | 22 << 6, 0x00001800, 0, 0x00000280}, "branch.selmsb t1.x, void, 5"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(text_of(c.words), c.text);
        EXPECT_FALSE(decode(c.words).is_known()) << c.text;
    }
}

// The words have TEX_AMODE and TEX_SWIZ, and RGROUP 3, which is the second bank of 128 uniforms.
TEST(Instructions, ShowSamplersAndHighUniforms) {
    constexpr Case cases[] = {
        {{0x07811018, 0x15001E31, 0, 0}, "texld t1, tex0[a.x].zyxw, t1.xyyy"},
        {{0x07811009, 0, 0, 0x30390058}, "mov t1, u133"},
        {{0x07811009, 0, 0, 0x40390058}, "mov t1, th5"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(text_of(c.words), c.text);
}

TEST(Instructions, FieldsAreWhereTheTableSays) {
    constexpr uint32_t add[] = {0x07811801, 0x79002804, 0x00000000, 0x20B90008};
    const Instruction i = decode(add);
    EXPECT_TRUE(i.is(Opcode::add));
    EXPECT_EQ(i.destination.reg, 1);
    EXPECT_EQ(i.destination.mask, 0xF);
    EXPECT_TRUE(i.destination.saturate);
    EXPECT_EQ(i.source[0].group, Group::temporary);
    EXPECT_EQ(i.source[0].reg, 2);
    EXPECT_TRUE(i.source[0].negate);
    EXPECT_FALSE(i.source[1].use);
    EXPECT_EQ(i.source[2].group, Group::uniform);
    EXPECT_TRUE(i.source[2].absolute);
    EXPECT_EQ(i.source[2].swizzle, identity_swizzle);
    // Bit 6 of the opcode is in word 2, and bit 2 of the type is in word 1.
    constexpr uint32_t imulhi[] = {0x00801000, 0x00200800, 0x40010040, 0x00000000};
    EXPECT_TRUE(decode(imulhi).is(Opcode::imulhi0));
    EXPECT_EQ(decode(imulhi).type, Type::s16);
}

} // namespace
} // namespace pixmill::vivante
