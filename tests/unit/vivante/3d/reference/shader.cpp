/*
 * The instruction set in the reference: results of instruction words on which Mesa's assembler
 * and disassembler agree (mesa src/etnaviv/isa).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rig.hpp"

#include <cmath>
#include <limits>

namespace pixmill::test {
namespace {

using namespace vivante_3d;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A register's value before or after an instruction.
struct Value {
    char file; ///< 't', 'u', 'i' (i0.x) or 'a' (a0)
    unsigned number;
    Vector value;
};

struct InstructionCase {
    const char* name;
    shader::Words words;
    std::vector<Value> before;
    Value after;
};

const InstructionCase instruction_cases[] = {
    {"I1 NOP", {0, 0, 0, 0}, {{'t', 0, {1, 2, 3, 4}}}, {'t', 0, {1, 2, 3, 4}}},
    {"I2 MOV t2, t1.zyxw",
     {0x07821009, 0x00000004, 0, 0x00318018},
     {{'t', 1, {1, 2, 3, 4}}},
     {'t', 2, {3, 2, 1, 4}}},
    {"I3 MOV t1, t1.zyxw",
     {0x07811009, 0, 0, 0x00318018},
     {{'t', 1, {1, 2, 3, 4}}},
     {'t', 1, {3, 2, 1, 4}}},
    {"I4 MOV t2.xy, -t2.xyyy",
     {0x01821009, 0, 0, 0x00550028},
     {{'t', 2, {1, 2, 3, 4}}},
     {'t', 2, {-1, -2, 3, 4}}},
    {"I5 MOV t2.xy, |t2.xyyy|",
     {0x01821009, 0, 0, 0x00950028},
     {{'t', 2, {-1, 2, -3, 4}}},
     {'t', 2, {1, 2, -3, 4}}},
    {"I6 ADD t0.x, t1.x, t0.x",
     {0x00801001, 0x00001804, 0, 0x00000008},
     {{'t', 0, {1, 2, 3, 4}}, {'t', 1, {10, 0, 0, 0}}},
     {'t', 0, {11, 2, 3, 4}}},
    {"I7 ADD t2.y, u0.w, -t1.y",
     {0x01021001, 0x3FC00800, 0x00000010, 0x00554018},
     {{'u', 0, {0, 0, 0, 5}}, {'t', 1, {0, 2, 0, 0}}},
     {'t', 2, {0, 3, 0, 0}}},
    {"I8 ADD.sat t1, -t2, |u0|",
     {0x07811801, 0x79002804, 0, 0x20B90008},
     {{'t', 2, {0.5f, 1.75f, 2.5f, -1}}, {'u', 0, {-2, -2, -2, -2}}},
     {'t', 1, {1, 0.25f, 0, 1}}},
    {"I9 MUL t2, t0, u3",
     {0x07821003, 0x39000804, 0x01C801C0, 0x00000002},
     {{'t', 0, {1, 2, 3, 4}}, {'u', 3, {2, 3, 4, 5}}},
     {'t', 2, {2, 6, 12, 20}}},
    {"I10 MAD t2, u1, t0.yyyy, t2",
     {0x07821002, 0x39001804, 0x00AA0050, 0x00390028},
     {{'u', 1, {1, 2, 3, 4}}, {'t', 0, {0, 10, 0, 0}}, {'t', 2, {1, 1, 1, 1}}},
     {'t', 2, {11, 21, 31, 41}}},
    {"I11 DP3 t0.x, t0.xyzx, u0.xxxx",
     {0x00801005, 0x09000802, 0x00000040, 0x00000002},
     {{'t', 0, {1, 2, 3, 4}}, {'u', 0, {2, 9, 9, 9}}},
     {'t', 0, {12, 2, 3, 4}}},
    {"I12 DP4 t0.x, t1, t1",
     {0x00801006, 0x39001804, 0x01C800C0, 0x00000000},
     {{'t', 1, {1, 2, 3, 4}}},
     {'t', 0, {30, 0, 0, 0}}},
    {"I14 RCP t1.x", {0x0081100C, 0, 0, 0x00000018}, {{'t', 1, {4, 0, 0, 0}}}, {'t', 1, {0.25f}}},
    {"I14 RCP of 0", {0x0081100C, 4, 0, 0x00000018}, {{'t', 1, {}}}, {'t', 1, {infinity}}},
    {"I15 RSQ t0.x", {0x0080100D, 4, 0, 0x00000008}, {{'t', 0, {4}}}, {'t', 0, {0.5f}}},
    {"I16 SELECT.GT: min",
     {0x0783104F, 0x39001804, 0x01C80140, 0x00390018},
     {{'t', 1, {1, 5, 3, nan}}, {'t', 2, {5, 1, 3, 2}}},
     {'t', 3, {1, 1, 3, nan}}},
    {"I17 SELECT.LT: max",
     {0x0783108F, 0x39001804, 0x01C80140, 0x00390018},
     {{'t', 1, {1, 5, 3, 2}}, {'t', 2, {5, 1, 3, nan}}},
     {'t', 3, {5, 5, 3, 2}}},
    {"I18 SELECT.LT t3, t2, |t1|, t2",
     {0x0783108F, 0x39002800, 0x05C800C0, 0x00390028},
     {{'t', 1, {-7, -1, 3, 0}}, {'t', 2, {5, 1, 4, -2}}},
     {'t', 3, {7, 1, 4, 0}}},
    {"I19 SET.GE t0.x, t1.x, u0.y",
     {0x008010D0, 0x00001804, 0x00AA0040, 0x00000002},
     {{'t', 0, {9, 9, 9, 9}}, {'t', 1, {2}}, {'u', 0, {0, 3}}},
     {'t', 0, {0, 9, 9, 9}}},
    {"I20 SET.EQ t2.x, i0.x, u0.x, A < 0",
     {0x00821150, 0x00000804, 0x00000048, 0x00000002},
     {{'i', 0, {0}}, {'u', 0, {0}}},
     {'t', 2, {1}}},
    {"I20 SET.EQ t2.x, i0.x, u0.x, A > 0",
     {0x00821150, 0x00000804, 0x00000048, 0x00000002},
     {{'i', 0, {1}}, {'u', 0, {0}}, {'t', 2, {5}}},
     {'t', 2, {0}}},
    {"I21 EXP t0.y, t0.yyyy", {0x01001011, 4, 0, 0x00154008}, {{'t', 0, {0, 3}}}, {'t', 0, {0, 8}}},
    {"I22 FRC t1, t1.yzwx",
     {0x07811013, 0, 0, 0x000E4018},
     {{'t', 1, {1.25f, -0.1f, 2, 3.5f}}},
     {'t', 1, {1 - 0.1f, 0, 0.5f, 0.25f}}},
    {"I23 SIN of 1", {0x00811022, 4, 0, 8}, {{'t', 0, {1}}}, {'t', 1, {1}}},
    {"I23 SIN of 2", {0x00811022, 4, 0, 8}, {{'t', 0, {2}}}, {'t', 1, {0}}},
    {"I23 SIN of 0.5", {0x00811022, 4, 0, 8}, {{'t', 0, {0.5f}}}, {'t', 1, {0.70710678f}}},
    {"COS of 0.5", {0x00811023, 4, 0, 8}, {{'t', 0, {0.5f}}}, {'t', 1, {0.70710678f}}},
    {"COS of 2", {0x00811023, 4, 0, 8}, {{'t', 0, {2}}}, {'t', 1, {-1}}},
    {"I24 FLOOR t0.x", {0x00801025, 4, 0, 8}, {{'t', 0, {-1.5f}}}, {'t', 0, {-2}}},
    {"CEIL t0.x", {0x00801026, 4, 0, 8}, {{'t', 0, {-1.5f}}}, {'t', 0, {-1}}},
    {"I25 SIGN of -3", {0x00801027, 4, 0, 8}, {{'t', 0, {-3}}}, {'t', 0, {-1}}},
    {"I25 SIGN of 0", {0x00801027, 4, 0, 8}, {{'t', 0, {0, 7}}}, {'t', 0, {0, 7}}},
    {"LOG of 8", {0x00801012, 4, 0, 8}, {{'t', 0, {8}}}, {'t', 0, {3}}},
    {"LOG of 0", {0x00801012, 4, 0, 8}, {{'t', 0, {0}}}, {'t', 0, {-infinity}}},
    {"SQRT of 9", {0x00801021, 4, 0, 8}, {{'t', 0, {9}}}, {'t', 0, {3}}},
    {"SQRT of -1", {0x00801021, 4, 0, 8}, {{'t', 0, {-1}}}, {'t', 0, {nan}}},
    {"I36 MOVAR a0.x, t1.x",
     {0x0080100A, 4, 0, 0x00000018},
     {{'t', 1, {2}}},
     {'a', 0, {2, 0, 0, 0}}},
    {"I36 MOVAR leaves t0",
     {0x0080100A, 4, 0, 0x00000018},
     {{'t', 1, {2}}, {'t', 0, {5, 6, 7, 8}}},
     {'t', 0, {5, 6, 7, 8}}},
    {"I37 MOV t2, u4[a.x]",
     {0x07821009, 0, 0, 0x22390048},
     {{'a', 0, {2}}, {'u', 6, {1, 2, 3, 4}}},
     {'t', 2, {1, 2, 3, 4}}},
    {"I37 outside of the file",
     {0x07821009, 0, 0, 0x22390048},
     {{'a', 0, {-5}}, {'t', 2, {1, 2, 3, 4}}},
     {'t', 2, {}}},
    {"I38 MOV t2[a.x].x, t1.x",
     {0x00823009, 0, 0, 0x00000018},
     {{'a', 0, {3}}, {'t', 1, {6}}},
     {'t', 5, {6}}},
    {"I39 ADD t1.xy, t1.xyyy, u1[a.w].xyyy",
     {0x01811001, 0x15001800, 0, 0x28150018},
     {{'a', 0, {0, 0, 0, 4}}, {'t', 1, {1, 2}}, {'u', 5, {10, 20}}},
     {'t', 1, {11, 22}}},
    {"I40 CMP.LE t1.x, |t1.x|, u0.y, u0.z",
     {0x00811131, 0x80001800, 0x00AA0040, 0x202A800A},
     {{'t', 1, {-2}}, {'u', 0, {0, 2, 7}}},
     {'t', 1, {7}}},
};

class Vivante3dReferenceShader : public Parts {
protected:
    void code(std::initializer_list<shader::Words> words) {
        uint32_t address = 0xC000;
        for (const shader::Words& instruction : words)
            for (const uint32_t word : instruction) {
                load(address, word);
                address += 4;
            }
        load(0x085C, static_cast<uint32_t>(words.size() - 1) << 16);
    }
    void set(Invocation& lane, const Value& value) {
        switch (value.file) {
        case 't':
            lane.set(value.number, value.value);
            break;
        case 'i':
            lane.face = value.value[0];
            break;
        case 'a':
            for (unsigned c = 0; c < 4; c++)
                lane.address[c] = static_cast<int32_t>(value.value[c]);
            break;
        default:
            for (unsigned c = 0; c < 4; c++)
                load(0x5000 + 16 * value.number + 4 * c, bits_of(value.value[c]));
        }
    }
    static Vector get(const Invocation& lane, const Value& value) {
        if (value.file == 't')
            return lane.vector(value.number);
        Vector result;
        for (unsigned c = 0; c < 4; c++)
            result[c] = static_cast<float>(lane.address[c]);
        return result;
    }
    bool run_one(Invocation& lane) { return run(engine_, vertex_program(engine_), {&lane, 1}); }
    /// Runs the code with t0 = 0 and returns t0.x.
    float run_flow() {
        Invocation lane;
        EXPECT_TRUE(run_one(lane));
        return lane.vector(0)[0];
    }
};

void expect_same(const Vector& is, const Vector& expected, float tolerance) {
    for (unsigned c = 0; c < 4; c++)
        if (std::isnan(expected[c]))
            EXPECT_TRUE(std::isnan(is[c])) << "component " << c;
        else if (std::isinf(expected[c]))
            EXPECT_EQ(is[c], expected[c]) << "component " << c;
        else
            EXPECT_NEAR(is[c], expected[c], tolerance) << "component " << c;
}

/* From HALTI1, both stages read one file of uniforms. */
class Vivante3dReferenceUniforms : public Parts {
protected:
    Vivante3dReferenceUniforms() : Parts(vivante_gc3000) {
        const shader::Words move =
            shader::encode({.opcode = shader::MOV,
                            .destination = 1,
                            .sources = {shader::Operand{}, {}, shader::u(0)}});
        for (uint32_t w = 0; w < 4; w++)
            load(0x9000 + 4 * w, move[w]); // a mirror of 0xD000
        load(0x101C, 0x01000100);
    }
    float u0_x() {
        Invocation lane;
        EXPECT_TRUE(run(engine_, pixel_program(engine_), {&lane, 1}));
        return lane.vector(1)[0];
    }
};

TEST_F(Vivante3dReferenceUniforms, HL6AndHL7WindowsShowOneFile) {
    load(0x1024, 5);
    load(0x36050, bits_of(3));
    EXPECT_EQ(u0_x(), 3);
    load(0x34050, bits_of(4));
    EXPECT_EQ(u0_x(), 4);
    load(0x30050, bits_of(5));
    EXPECT_EQ(u0_x(), 5);
    load(0x1024, 4);
    EXPECT_EQ(u0_x(), 0);
}

TEST_F(Vivante3dReferenceUniforms, TheFileHas512Vectors) {
    load(0x31FF0, bits_of(7));
    load(0x1024, 511);
    EXPECT_EQ(u0_x(), 7);
    load(0x1024, 512);
    EXPECT_EQ(u0_x(), 0);
}

TEST_F(Vivante3dReferenceUniforms, ProgramsAreInMemoryWithTheInstructionCache) {
    const shader::Words move = shader::encode({.opcode = shader::MOV,
                                               .destination = 1,
                                               .sources = {shader::Operand{}, {}, shader::u(1)}});
    for (uint32_t w = 0; w < 4; w++)
        put(0x8000 + 0x10 + 4 * w, move[w]);
    load(0x30000, bits_of(1));
    load(0x30010, bits_of(2));
    load(0x1028, 0x8000);
    load(0x0868, 0x21);
    load(0x101C, 0x00010001); // only the second instruction
    EXPECT_EQ(u0_x(), 2);
    load(0x0868, 0x30);
    load(0x101C, 0x01000100);
    EXPECT_EQ(u0_x(), 1);
}

bool is_alu(uint32_t opcode) {
    return opcode != 0 && (opcode < 0x14 || opcode > 0x1B);
}

TEST_F(Vivante3dReferenceShader, InstructionsWithAndWithoutPMode) {
    for (const InstructionCase& c : instruction_cases)
        for (const uint32_t pmode : {0u, 4u}) {
            SCOPED_TRACE(c.name);
            engine_.states = {};
            shader::Words words = c.words;
            if (is_alu(words[0] & 63))
                words[1] = (words[1] & ~4u) | pmode;
            code({words});
            Invocation lane;
            for (const Value& value : c.before)
                set(lane, value);
            ASSERT_TRUE(run_one(lane));
            expect_same(get(lane, c.after), c.after.value, 1e-7f);
        }
}

/* ---- HALTI2 ------------------------------------------------------------------------------- */

/// The bits of a register before or after an instruction.
struct Bits {
    char file; ///< 't' or 'u'
    unsigned number;
    Register value;
};

struct BitsCase {
    const char* name;
    shader::Words words;
    std::vector<Bits> before;
    Bits after;
};

constexpr uint32_t ones = 0xFFFFFFFF;

const BitsCase bits_cases[] = {
    {"HI1 CMP.EQ.u32 t1.x, t1.y, u0.x, -1",
     {0x00811171, 0x15601804, 0x80000040, 0x76FFDFFA},
     {{'t', 1, {0, 5}}, {'u', 0, {5}}},
     {'t', 1, {ones, 5}}},
    {"HI1 not equal",
     {0x00811171, 0x15601804, 0x80000040, 0x76FFDFFA},
     {{'t', 1, {9, 5}}, {'u', 0, {6}}},
     {'t', 1, {0, 5}}},
    {"HI2 CMP.LT.s32 t0.x, t1.x, t2.x, -1",
     {0x008010B1, 0x00001804, 0x40000140, 0x76FFDFF8},
     {{'t', 1, {ones}}, {'t', 2, {1}}},
     {'t', 0, {ones}}},
    {"HI3 CMP.LT.u32",
     {0x008010B1, 0x00201804, 0x80000140, 0x76FFDFF8},
     {{'t', 0, {9}}, {'t', 1, {ones}}, {'t', 2, {1}}},
     {'t', 0, {0}}},
    {"HI4 CMP.GE.f32 of NaN",
     {0x008010F1, 0x00001804, 0x00000140, 0x76FFDFF8},
     {{'t', 1, {0x7FC00000}}, {'t', 2, {0x3F800000}}},
     {'t', 0, {0}}},
    {"HI4 CMP.GE.f32 of equals",
     {0x008010F1, 0x00001804, 0x00000140, 0x76FFDFF8},
     {{'t', 1, {0x3F800000}}, {'t', 2, {0x3F800000}}},
     {'t', 0, {ones}}},
    {"HI5 CMP.NE.f32 of NaN",
     {0x008011B1, 0x00001804, 0x00000140, 0x76FFDFF8},
     {{'t', 1, {0x7FC00000}}, {'t', 2, {0x7FC00000}}},
     {'t', 0, {ones}}},
    {"HI5 CMP.NE.f32 of zeros",
     {0x008011B1, 0x00001804, 0x00000140, 0x76FFDFF8},
     {{'t', 1, {0x80000000}}, {'t', 2, {0}}},
     {'t', 0, {0}}},
    {"HI6 SELECT.NZ.u32 t0.x, t1.x, t2.x, t3.x",
     {0x008012CF, 0x00201804, 0x80000140, 0x00000038},
     {{'t', 1, {0x80000000}}, {'t', 2, {2}}, {'t', 3, {3}}},
     {'t', 0, {2}}},
    {"HI7 SELECT.GT.s32: minimum",
     {0x0080104F, 0x00001804, 0x40000140, 0x00000018},
     {{'t', 1, {0xFFFFFFFD}}, {'t', 2, {2}}},
     {'t', 0, {0xFFFFFFFD}}},
    {"HI8 SELECT.GT.u32: minimum",
     {0x0080104F, 0x00201804, 0x80000140, 0x00000018},
     {{'t', 1, {0xFFFFFFFD}}, {'t', 2, {2}}},
     {'t', 0, {2}}},
    {"HI9 SELECT.LT.u32: maximum",
     {0x0080108F, 0x00201804, 0x80000140, 0x00000018},
     {{'t', 1, {ones}}, {'t', 2, {2}}},
     {'t', 0, {ones}}},
    {"HI10 ADD.s32 t0, t1, t2",
     {0x07801001, 0x39001804, 0x40000000, 0x00390028},
     {{'t', 1, {0x7FFFFFFF, 1, 2, 3}}, {'t', 2, {1, 10, 20, 30}}},
     {'t', 0, {0x80000000, 11, 22, 33}}},
    {"HI11 ADD.s32 t0.x, 0, -t1.x",
     {0x00801001, 0x00000804, 0x4000003A, 0x00400018},
     {{'t', 1, {5}}},
     {'t', 0, {0xFFFFFFFB}}},
    {"HI11 of the least number",
     {0x00801001, 0x00000804, 0x4000003A, 0x00400018},
     {{'t', 1, {0x80000000}}},
     {'t', 0, {0x80000000}}},
    {"HI12 IMULLO0.s32",
     {0x0080103C, 0x00001804, 0x40000140, 0},
     {{'t', 1, {0x10001}}, {'t', 2, {0x10001}}},
     {'t', 0, {0x00020001}}},
    {"HI13 IMULHI0.s32",
     {0x00801000, 0x00001804, 0x40010140, 0},
     {{'t', 0, {9}}, {'t', 1, {ones}}, {'t', 2, {ones}}},
     {'t', 0, {0}}},
    {"HI14 IMULHI0.u32",
     {0x00801000, 0x00201804, 0x80010140, 0},
     {{'t', 1, {ones}}, {'t', 2, {ones}}},
     {'t', 0, {0xFFFFFFFE}}},
    {"HI15 IMADLO0.s32",
     {0x0080100C, 0x00001804, 0x40010140, 0x00000038},
     {{'t', 1, {7}}, {'t', 2, {6}}, {'t', 3, {3}}},
     {'t', 0, {0x2D}}},
    {"HI16 IMADLOSAT0.s32",
     {0x0080100E, 0x00001804, 0x40010140, 0x00000038},
     {{'t', 1, {0x40000000}}, {'t', 2, {2}}},
     {'t', 0, {0x7FFFFFFF}}},
    {"HI17 IADDSAT.s32 t0.x, t1.x, -t2.x",
     {0x0080103B, 0x00001804, 0x40000000, 0x00400028},
     {{'t', 1, {0x7FFFFFFF}}, {'t', 2, {ones}}},
     {'t', 0, {0x7FFFFFFF}}},
    {"HI18 LSHIFT.s32 t0.x, t0.y, 2",
     {0x00801019, 0x15400804, 0x40010000, 0x74000028},
     {{'t', 0, {0, 3}}},
     {'t', 0, {0xC, 3}}},
    {"HI19 LSHIFT.u32 t0.x, t1.x, t2.x",
     {0x00801019, 0x00201804, 0x80010000, 0x00000028},
     {{'t', 1, {1}}, {'t', 2, {33}}},
     {'t', 0, {2}}},
    {"HI20 RSHIFT.s32 t0.x, t1.x, 4",
     {0x0080101A, 0x00001804, 0x40010000, 0x78000048},
     {{'t', 1, {0x80000000}}},
     {'t', 0, {0xF8000000}}},
    {"HI21 RSHIFT.u32",
     {0x0080101A, 0x00201804, 0x80010000, 0x78000048},
     {{'t', 1, {0x80000000}}},
     {'t', 0, {0x08000000}}},
    {"HI22 ROTATE.s32 t0.x, t1.x, t0.x",
     {0x0080101B, 0x00001804, 0x40010000, 0x00000008},
     {{'t', 0, {1}}, {'t', 1, {0x80000001}}},
     {'t', 0, {3}}},
    {"HI23 LEADZERO.u32 of 0", {0x00801018, 0x00200004, 0x80010000, 8}, {}, {'t', 0, {0x20}}},
    {"HI23 LEADZERO.u32 of 1",
     {0x00801018, 0x00200004, 0x80010000, 8},
     {{'t', 0, {1}}},
     {'t', 0, {0x1F}}},
    {"HI24 POPCOUNT t0.x",
     {0x00801021, 0x00000004, 0x00010000, 8},
     {{'t', 0, {0xF0F0}}},
     {'t', 0, {8}}},
    {"HI25 BIT_REV.s32 t1.x",
     {0x0081102D, 0x00001804, 0x40010000, 0},
     {{'t', 1, {0x00F0}}},
     {'t', 1, {0x0F000000}}},
    {"HI26 AND.u32 t0.x, t1.x, 1.0",
     {0x0080101D, 0x00201804, 0x80010000, 0x707F0008},
     {{'t', 1, {ones}}},
     {'t', 0, {0x3F800000}}},
    {"HI27 AND.u32 t0.x, t1.x, 1",
     {0x0080101D, 0x00201804, 0x80010000, 0x78000018},
     {{'t', 1, {ones}}},
     {'t', 0, {1}}},
    {"HI28 NOT.u32",
     {0x0080101F, 0x00200004, 0x80010000, 0x00000018},
     {{'t', 1, {0x0000FFFF}}},
     {'t', 0, {0xFFFF0000}}},
    {"HI29 IABS.s32",
     {0x00801017, 0x00000004, 0x40010000, 0x00000018},
     {{'t', 1, {0xFFFFFFFB}}},
     {'t', 0, {5}}},
    {"HI29 IABS.s32 of the least number",
     {0x00801017, 0x00000004, 0x40010000, 0x00000018},
     {{'t', 1, {0x80000000}}},
     {'t', 0, {0x80000000}}},
    {"HI30 SIGN.s32",
     {0x00801027, 0x00000004, 0x40000000, 0x00000018},
     {{'t', 1, {0xFFFFFFF0}}},
     {'t', 0, {ones}}},
    {"HI30 SIGN.s32 of 9",
     {0x00801027, 0x00000004, 0x40000000, 0x00000018},
     {{'t', 1, {9}}},
     {'t', 0, {1}}},
    {"HI31 F2I.s32 of -2.7",
     {0x0080102E, 0x00001804, 0x40000000, 0},
     {{'t', 1, {bits_of(-2.7f)}}},
     {'t', 0, {0xFFFFFFFE}}},
    {"HI31 F2I.s32 of 3e9",
     {0x0080102E, 0x00001804, 0x40000000, 0},
     {{'t', 1, {bits_of(3e9f)}}},
     {'t', 0, {0x7FFFFFFF}}},
    {"HI31 F2I.s32 of NaN",
     {0x0080102E, 0x00001804, 0x40000000, 0},
     {{'t', 0, {9}}, {'t', 1, {0x7FC00000}}},
     {'t', 0, {0}}},
    {"HI32 F2I.u32 of -1.5",
     {0x0080102E, 0x00201804, 0x80000000, 0},
     {{'t', 0, {9}}, {'t', 1, {bits_of(-1.5f)}}},
     {'t', 0, {0}}},
    {"HI32 F2I.u32 of 5e9",
     {0x0080102E, 0x00201804, 0x80000000, 0},
     {{'t', 1, {bits_of(5e9f)}}},
     {'t', 0, {ones}}},
    {"HI33 F2IRND.s32.rtne t1.x, t0.x",
     {0x0081102F, 0x00000806, 0x40000000, 0},
     {{'t', 0, {bits_of(2.5f)}}},
     {'t', 1, {2}}},
    {"HI33 F2IRND.s32.rtne of 3.5",
     {0x0081102F, 0x00000806, 0x40000000, 0},
     {{'t', 0, {bits_of(3.5f)}}},
     {'t', 1, {4}}},
    {"HI34 I2F.s32",
     {0x0780102D, 0x39001804, 0x40000000, 0},
     {{'t', 1, {0x01000001, ones, 0, 2}}},
     {'t', 0, {0x4B800000, 0xBF800000, 0, 0x40000000}}},
    {"HI35 I2F.u32",
     {0x0780102D, 0x39201804, 0x80000000, 0},
     {{'t', 1, {ones}}},
     {'t', 0, {0x4F800000}}},
    {"HI36 I2I.s16 t0.x, t0.x, 32",
     {0x0080102C, 0x00200804, 0x50001040, 7},
     {{'t', 0, {0x00018000}}},
     {'t', 0, {0xFFFF8000}}},
    {"HI37 CONV.f16 t0.y, t0.y, 0",
     {0x01001032, 0x15600804, 0x10010040, 7},
     {{'t', 0, {0, 0x3F800000}}},
     {'t', 0, {0, 0x3C00}}},
    {"HI37 CONV.f16 of 65520",
     {0x01001032, 0x15600804, 0x10010040, 7},
     {{'t', 0, {0, bits_of(65520)}}},
     {'t', 0, {0, 0x7C00}}},
    {"HI37 CONV.f16 of 2^-25",
     {0x01001032, 0x15600804, 0x10010040, 7},
     {{'t', 0, {0, bits_of(0x1p-25f)}}},
     {'t', 0, {0, 0}}},
    {"HI38 CONV t0.y, t0.y, 1",
     {0x01001032, 0x15400804, 0x100100C0, 7},
     {{'t', 0, {0, 0x3C00}}},
     {'t', 0, {0, 0x3F800000}}},
    {"HI38 CONV of a denormal",
     {0x01001032, 0x15400804, 0x100100C0, 7},
     {{'t', 0, {0, 0x0001}}},
     {'t', 0, {0, bits_of(0x1p-24f)}}},
    {"HI43 DP2 t1.x, t2.xyyy, t1.xyyy",
     {0x00811033, 0x15002804, 0x00A900C0, 0},
     {{'t', 1, {bits_of(3), bits_of(4)}}, {'t', 2, {bits_of(1), bits_of(2)}}},
     {'t', 1, {bits_of(11), bits_of(4)}}},
    {"HI44 ADD t0.x, 0.5, |t0.x|",
     {0x00801001, 0x7E000805, 0x00000038, 0x00800008},
     {{'t', 0, {bits_of(-1.25f)}}},
     {'t', 0, {bits_of(1.75f)}}},
    {"HI45 MOV t0.x, infinity", {0x00801009, 4, 0, 0x70FF0008}, {}, {'t', 0, {0x7F800000}}},
    {"HI46 MOV t0.x, half 1.0", {0x00801009, 4, 0, 0x7C078008}, {}, {'t', 0, {0x3F800000}}},
    {"HI47 MOV t0.x, 0x12345", {0x00801009, 4, 0, 0x78245458}, {}, {'t', 0, {0x00012345}}},
    {"HI48 MOV t0.x, -2", {0x00801009, 4, 0, 0x76FFDFE8}, {}, {'t', 0, {0xFFFFFFFE}}},
    {"HI49 LOAD.u32 t0, [t1.x + u4.x]",
     {0x07801032, 0x00201804, 0x80000240, 2},
     {{'t', 1, {8}}, {'u', 4, {0x1000}}},
     {'t', 0, {0x1008, 0x100C, 0x1010, 0x1014}}},
    {"HI50 LOAD.u32 t0.y",
     {0x01001032, 0x00201804, 0x80000240, 2},
     {{'t', 0, {1, 2, 3, 4}}, {'t', 1, {8}}, {'u', 4, {0x1000}}},
     {'t', 0, {1, 0x1008, 3, 4}}},
    {"LOAD.u32 t0.yw",
     {0x05001032, 0x00201804, 0x80000240, 2},
     {{'t', 1, {8}}, {'u', 4, {0x1000}}},
     {'t', 0, {0, 0x1008, 0, 0x100C}}},
    {"HI51 LOAD.denorm t0.x, u0.x, 0",
     {0x00801032, 0x00000C04, 0x10000050, 7},
     {{'u', 0, {0x1000}}},
     {'t', 0, {0x1000}}},
    {"HI62 NORM_MUL t1.xyz, t0.xyzz, t0.w",
     {0x03811037, 0x29000804, 0x01FF0040, 0},
     {{'t', 0, {bits_of(2), bits_of(4), bits_of(6), bits_of(0.5f)}}},
     {'t', 1, {bits_of(1), bits_of(2), bits_of(3)}}},
    {"HI63 NORM_DP3 t1.w, t1.xyzz",
     {0x04011035, 0x29001804, 0x00010000, 0},
     {{'t', 1, {bits_of(2), bits_of(3), bits_of(6)}}},
     {'t', 1, {bits_of(2), bits_of(3), bits_of(6), bits_of(1 / 7.0f)}}},
    {"HI67 IMADLO0.s32 t1.x, u0.w, t1.x, u0.y",
     {0x0081100C, 0x3FC00800, 0x400100D0, 0x20154008},
     {{'t', 1, {3}}, {'u', 0, {0, 0x200, 0, 0x10}}},
     {'t', 1, {0x230}}},
};

class Vivante3dReferenceHalti2 : public Parts {
protected:
    explicit Vivante3dReferenceHalti2(const Vivante3d::Features& features = vivante_gc3000)
        : Parts(features) {}

    void code(std::initializer_list<shader::Words> words) {
        uint32_t address = 0xC000;
        for (const shader::Words& instruction : words)
            for (const uint32_t word : instruction) {
                load(address, word);
                address += 4;
            }
        load(0x085C, static_cast<uint32_t>(words.size() - 1) << 16);
    }
    void run_one(Invocation& lane) {
        EXPECT_TRUE(run(engine_, vertex_program(engine_), {&lane, 1}));
    }
    uint32_t word(uint32_t address) const {
        return static_cast<uint32_t>(read(memory_, address, 4));
    }
    void uniform(unsigned number, const Register& value) {
        for (uint32_t c = 0; c < 4; c++)
            load(0x30000 + 16 * number + 4 * c, value[c]);
    }
};

TEST_F(Vivante3dReferenceHalti2, BitsOfResults) {
    for (uint32_t address = 0x1000; address < 0x1020; address += 4)
        put(address, address);
    for (const BitsCase& c : bits_cases) {
        SCOPED_TRACE(c.name);
        code({c.words});
        Invocation lane;
        for (const Bits& value : c.before)
            if (value.file == 't')
                lane.temporaries[value.number] = value.value;
            else
                uniform(value.number, value.value);
        run_one(lane);
        EXPECT_EQ(lane.temporaries[c.after.number], c.after.value);
    }
}

/* The narrow types: operands and results are extended to 32 bits. */
TEST_F(Vivante3dReferenceHalti2, NarrowTypes) {
    const auto sum = [this](uint32_t type, uint32_t a, uint32_t b) {
        code({encode(shader::Instruction{
            .opcode = shader::ADD, .type = type, .sources = {shader::t(0), {}, shader::t(1)}})});
        Invocation lane;
        lane.temporaries[0][0] = a;
        lane.temporaries[1][0] = b;
        run_one(lane);
        return lane.temporaries[0][0];
    };
    constexpr uint32_t s8 = 2, u16 = 3, s16 = 5, u8 = 7;
    EXPECT_EQ(sum(s8, 0x7F, 1), 0xFFFFFF80u);
    EXPECT_EQ(sum(u8, 0xFF, 2), 1u);
    EXPECT_EQ(sum(s16, 0x18000, 0x8000), 0u);
    EXPECT_EQ(sum(u16, 0xFFFF, 0), 0xFFFFu);
}

/* Mesa multiplies the two components of the result. */
TEST_F(Vivante3dReferenceHalti2, HI39ToHI42ResultsInTwoFactors) {
    const auto product = [this](const shader::Words& words, const Register& t0, unsigned first) {
        code({words});
        Invocation lane;
        lane.temporaries[0] = t0;
        run_one(lane);
        return lane.vector(0)[first] * lane.vector(0)[first + 1];
    };
    const shader::Words div = {0x03001024, 0x00000005, 0x04098040, 0x0015400F};
    const shader::Words log = {0x01801012, 5, 0, 8}, cos = {0x01801023, 5, 0, 8};
    const shader::Words sin = {0x03001022, 5, 0, 0x00154008};
    EXPECT_EQ(product(div, {0, bits_of(2)}, 1), 2.25f);
    EXPECT_EQ(product(log, {bits_of(8)}, 0), 3);
    EXPECT_EQ(product(log, {bits_of(1)}, 0), 0);
    EXPECT_EQ(product(log, {}, 0), -infinity);
    EXPECT_EQ(product(sin, {0, bits_of(0.5f)}, 1), 1);
    EXPECT_EQ(product(sin, {0, bits_of(1)}, 1), 0);
    EXPECT_EQ(product(cos, {bits_of(1)}, 0), -1);
}

TEST_F(Vivante3dReferenceHalti2, HI52HI53HI68Store) {
    uniform(0, {0x2000, 0, 0x1000});
    Invocation lane;
    lane.temporaries[0][0] = 3;
    lane.temporaries[1] = {0x230, 2, 3, 4};
    lane.temporaries[2] = {5, 6, 7, 8};
    code({{0x07800033, 0x00200C34, 0x80000050, 0x00390018},
          {0x00800033, 0x00000804, 0x10000050, 0x0000000F},
          {0x07820033, 0x00001800, 0x01540040, 0x0039002A}});
    run_one(lane);
    const uint32_t addresses[9] = {0x20C0, 0x20C4, 0x20C8, 0x20CC, 0x2000,
                                   0x1230, 0x1234, 0x1238, 0x123C};
    const uint32_t words[9] = {0x230, 2, 3, 4, 3, 5, 6, 7, 8};
    for (unsigned n = 0; n < 9; n++)
        EXPECT_EQ(word(addresses[n]), words[n]) << n;
    EXPECT_EQ(word(0x2004), 0u);
}

TEST_F(Vivante3dReferenceHalti2, PixelsThatAreNotDrawnStoreNothing) {
    uniform(0, {0x2000});
    code({{0x00800033, 0x00000804, 0x10000050, 0x0000000F}});
    for (const bool killed : {false, true}) {
        Invocation lane;
        lane.temporaries[0][0] = 7;
        lane.killed = killed;
        lane.live = killed;
        run_one(lane);
        EXPECT_EQ(word(0x2000), 0u);
    }
}

TEST_F(Vivante3dReferenceHalti2, HI54AndHI55TestBits) {
    const shader::Words branch = {0x00000296, 0x00201800, 0x80000000, 2 << 7};
    const shader::Words kill = {0x000002D7, 0x00202804, 0x80000000, 0};
    code({branch, kill});
    for (const uint32_t condition : {0u, 0x80000000u})
        for (const uint32_t kills : {0u, ones}) {
            Invocation lane;
            lane.temporaries[1][0] = condition;
            lane.temporaries[2][0] = kills;
            run_one(lane);
            EXPECT_EQ(lane.killed, condition && kills);
        }
}

TEST_F(Vivante3dReferenceHalti2, HI66AddressesAreIntegers) {
    code({{0x02000016, 0x00200004, 0x80010000, 0x003FC018}, // MOVAI.u32 a.z, t1.w
          {0x0080100A, 4, 0, 0x00000018}});                 // MOVAR a.x, t1.x
    Invocation lane;
    lane.temporaries[1] = {0xFFFFFFFE, 0, 0, 5};
    run_one(lane);
    EXPECT_EQ(lane.address, (std::array<int32_t, 4>{-2, 0, 5, 0}));
}

TEST_F(Vivante3dReferenceHalti2, HPR2SumsAnArrayInMemory) {
    using namespace shader;
    for (uint32_t i = 0; i < 16; i++)
        put(0x1000 + 4 * i, bits_of(static_cast<float>(i % 4 + 1)));
    uniform(0, {0x1000});
    const auto branch = [](uint32_t target) {
        return encode({.opcode = BRANCH, .target = target});
    };
    code({encode({.opcode = MOV, .destination = 1, .sources = {Operand{}, {}, whole(0)}}),
          encode({.opcode = MOV, .destination = 2, .sources = {Operand{}, {}, whole(0)}}),
          encode({.opcode = CMP,
                  .condition = GE,
                  .type = s32,
                  .destination = 3,
                  .components = 1,
                  .sources = {t(2, xxxx), whole(4), whole(-1)}}),
          encode({.opcode = BRANCH,
                  .condition = NOT,
                  .type = u32,
                  .sources = {t(3, xxxx)},
                  .target = 5}),
          branch(10),
          encode({.opcode = LSHIFT,
                  .type = s32,
                  .destination = 3,
                  .components = 2,
                  .sources = {t(2, xxxx), {}, whole(4)}}),
          encode(
              {.opcode = LOAD, .type = u32, .destination = 4, .sources = {t(3, yyyy), u(0, xxxx)}}),
          encode({.opcode = ADD, .destination = 1, .sources = {t(1), {}, t(4)}}),
          encode({.opcode = ADD,
                  .type = s32,
                  .destination = 2,
                  .components = 1,
                  .sources = {t(2), {}, whole(1)}}),
          branch(2)});
    Invocation lane;
    run_one(lane);
    EXPECT_EQ(lane.vector(1), (Vector{4, 8, 12, 16}));
}

/* A GC2000 does not know these instructions. */
class Vivante3dReferenceHalti0 : public Vivante3dReferenceHalti2 {
protected:
    Vivante3dReferenceHalti0() : Vivante3dReferenceHalti2(Vivante3d::Features{}) {}
};

TEST_F(Vivante3dReferenceHalti0, NewInstructionsDoNothing) {
    for (const shader::Words& words : {shader::Words{0x00811033, 0x15002804, 0x00A900C0, 0},
                                       {0x07801032, 0x00201804, 0x80000240, 2},
                                       {0x0080102C, 0x00200804, 0x50001040, 7}}) {
        code({words});
        Invocation lane;
        lane.temporaries[0] = lane.temporaries[1] = {7, 7, 7, 7};
        run_one(lane);
        EXPECT_EQ(lane.temporaries[0], (Register{7, 7, 7, 7}));
        EXPECT_EQ(lane.temporaries[1], (Register{7, 7, 7, 7}));
    }
}

/* ---- Shadow samplers and gradients, on the NTE bank ---- */

class Vivante3dReferenceShadows : public Vivante3dReferenceHalti2 {
protected:
    /// A depth texture of one texel, 0.5, which the sampler compares with LEQUAL.
    Vivante3dReferenceShadows() {
        load(0x10000, 2 | 2u << 3 | 2u << 5 | 1u << 7 | 1u << 11 | 16u << 13);
        load(0x10080, 0x00010001);
        load(0x10300, 1);
        load(0x10700, 1u << 16);
        load(0x10800, 0x4000);
        put(0x4000, 0x8000);
    }
    float result(const shader::Words& words, const Vector& coordinates) {
        code({words});
        std::array<Invocation, 4> quad;
        for (Invocation& lane : quad)
            lane.set(1, coordinates);
        EXPECT_TRUE(run(engine_, vertex_program(engine_), quad));
        return quad[0].vector(1)[0];
    }
};

TEST_F(Vivante3dReferenceShadows, HI58ReferencesInTheThirdSource) {
    // TEXLDLPCF t1.x, tex0.xxxx, t1.xyzz, lod t2.x, ref t1.w
    const shader::Words lod = {0x0081102F, 0x29001800, 0x00010140, 0x003FC018};
    EXPECT_EQ(result(lod, {0.5f, 0.5f, 0, 0.5f}), 1);
    EXPECT_EQ(result(lod, {0.5f, 0.5f, 0, 0.6f}), 0);
}

TEST_F(Vivante3dReferenceShadows, HI59ReferencesWithGradients) {
    // TEXLD t1.x, tex0.xxxx, t1.xyyy, ref t1.z
    const shader::Words ld = {0x00811018, 0x15001800, 0, 0x002A8018};
    EXPECT_EQ(result(ld, {0.5f, 0.5f, 0.5f, 0}), 1);
    EXPECT_EQ(result(ld, {0.5f, 0.5f, 0.6f, 0}), 0);
    const shader::Words plain = {0x00811018, 0x15001800, 0, 0};
    EXPECT_EQ(result(plain, {0.5f, 0.5f, 0.6f, 0}), 0x8000 / 65535.0f);
}

/* TEXLDD takes coordinates plus gradients. The red of level n is n. */
TEST_F(Vivante3dReferenceShadows, GradientsAreAddedToCoordinates) {
    load(0x10000, 2 | 2u << 3 | 2u << 5 | 1u << 7 | 1u << 9 | 1u << 11 | 2u << 13);
    load(0x10080, 0x00400040);
    load(0x10180, 0x180); // MAX is 6
    for (uint32_t level = 0; level < 7; level++) {
        load(0x10800 + 4 * level, 0x8000 + 0x1000 * level);
        for (uint32_t i = 0; i < 0x1000; i++)
            memory_.write(0x8000 + 0x1000 * level + i, static_cast<uint8_t>(level));
    }
    code({shader::encode({.opcode = shader::TEXLDD,
                          .destination = 1,
                          .sources = {shader::t(1), shader::t(2), shader::t(3)}})});
    std::array<Invocation, 4> quad;
    for (Invocation& lane : quad) {
        lane.set(1, {0.5f, 0.25f, 0, 0});
        lane.set(2, {0.5f + 4 / 64.0f, 0.25f, 0, 0});
        lane.set(3, {0.5f, 0.25f + 8 / 64.0f, 0, 0});
    }
    EXPECT_TRUE(run(engine_, vertex_program(engine_), quad));
    EXPECT_FLOAT_EQ(quad[0].vector(1)[0], 3 / 255.0f);
}

/* ---- Single precision ---------------------------------------------------------------------- */

TEST_F(Vivante3dReferenceShader, I42IntegerProduct) {
    code({{0x0784103C, 0x39202800, 0x81C801C0, 0}});
    Invocation lane;
    lane.temporaries[2] = {0x10001, 9, 9, 9};
    lane.temporaries[3] = {0x10003, 8, 8, 8};
    ASSERT_TRUE(run_one(lane));
    EXPECT_EQ(lane.temporaries[4], (Register{0x40003, 0x40003, 0x40003, 0x40003}));
}

TEST_F(Vivante3dReferenceShader, MovesKeepBits) {
    code({{0x07821009, 0x00000004, 0, 0x00318018}});
    Invocation lane;
    lane.temporaries[1] = {0x00000001, 0x7F800001, 0xFFFFFFFF, 0x80000000};
    ASSERT_TRUE(run_one(lane));
    EXPECT_EQ(lane.temporaries[2], (Register{0xFFFFFFFF, 0x7F800001, 0x00000001, 0x80000000}));
}

/* Numbers below 2^-126 count as zero. 0x00800000 is 2^-126, and 0x00400000 is half of it. */
TEST_F(Vivante3dReferenceShader, TinyNumbersAreZeros) {
    const auto of = [&](shader::Instruction i, const Register& a, const Register& b) {
        i.destination = 2;
        code({encode(i)});
        Invocation lane;
        lane.temporaries[0] = a;
        lane.temporaries[1] = b;
        EXPECT_TRUE(run_one(lane));
        return lane.temporaries[2];
    };
    const shader::Operand a = shader::t(0), b = shader::t(1);
    constexpr uint32_t half = 0x3F000000;
    /*
     * Results below 2^-126 are zero, too, even (1 - 2^-24) 2^-126, which needs no rounding. In the
     * last product, (1 + 2^-23) (1 - 2^-23) rounds to 1.
     */
    EXPECT_EQ(of({.opcode = shader::MUL, .sources = {a, b}},
                 {0x00800000, 0x80800000, 0x00FFFFFF, 0x00800001}, {half, half, half, 0x3F7FFFFE}),
              (Register{0, 0x80000000, 0, 0x00800000}));
    EXPECT_EQ(of({.opcode = shader::ADD, .sources = {a, {}, b}},
                 {0x00C00000, 0x00800000, 0x00400000, 0x80000001},
                 {0x80800000, 0x80C00000, 0x00400000, 0x80000001}),
              (Register{0, 0x80000000, 0, 0x80000000}));
    EXPECT_EQ(of({.opcode = shader::RCP, .sources = {shader::Operand{}, {}, a}},
                 {0x7E800000, 0xFF7FFFFF, 0x00000001, 0x80400000}, {}),
              (Register{0x00800000, 0x80000000, 0x7F800000, 0xFF800000}));
    EXPECT_EQ(of({.opcode = shader::SET, .condition = 13, .sources = {a, b}},
                 {0x00000001, 0x00400000, 0x00800000, 0}, {}),
              (Register{0, 0, 0x3F800000, 0}));
    EXPECT_EQ(of({.opcode = shader::MOV, .saturate = true, .sources = {shader::Operand{}, {}, a}},
                 {0x00000001, 0x00400000, 0x00800000, 0x80000001}, {}),
              (Register{0, 0, 0x00800000, 0}));
}

/* ---- Flow --------------------------------------------------------------------------------- */

constexpr shader::Instruction add_one(uint32_t to) {
    return {.opcode = shader::ADD,
            .destination = to,
            .components = 1,
            .sources = {shader::t(to), {}, shader::u(0, shader::xxxx)}};
}

TEST_F(Vivante3dReferenceShader, I26BranchesAlways) {
    load(0x5000, bits_of(1));
    shader::Words branch = {0x00000016, 0, 0, 2 << 7};
    code({branch, encode(add_one(0)), encode(add_one(0))});
    EXPECT_EQ(run_flow(), 1);
    EXPECT_EQ(decode({0x00000016, 0, 0, 0x00001080}).target, 33u);
}

TEST_F(Vivante3dReferenceShader, I27BranchesWhereAUniformIsGreater) {
    // BRANCH.GT u0.x, t1.x to instruction 5, which skips four additions.
    const shader::Words branch = {0x00000056, 0x00000800, 0x000000D0, 0x00000280};
    const shader::Words one = encode(add_one(0));
    load(0x5000, bits_of(1));
    code({branch, one, one, one, one, one});
    EXPECT_EQ(run_flow(), 1); // branches, as 1 > 0
    load(0x5000, bits_of(-1));
    EXPECT_EQ(run_flow(), -5);
}

TEST_F(Vivante3dReferenceShader, I28BranchesOnZeroBits) {
    const shader::Words branch = {0x00000296, 0x00201800, 0x80000000, 0x00000380};
    const Instruction decoded = decode(branch);
    EXPECT_EQ(decoded.target, 7u);
    EXPECT_EQ(decoded.type, 6u);
    const shader::Words one = encode(add_one(0));
    load(0x5000, bits_of(1));
    code({branch, one, one, one, one, one, one});
    for (const float condition : {0.0f, 1.0f}) {
        Invocation lane;
        lane.set(1, {condition, 0, 0, 0});
        ASSERT_TRUE(run_one(lane));
        EXPECT_EQ(lane.vector(0)[0], condition == 0 ? 0 : 6); // 7 is the program's end
    }
}

TEST_F(Vivante3dReferenceShader, I29ToI31Kill) {
    Invocation lane;
    code({{0x00000017, 0, 0, 0}});
    ASSERT_TRUE(run_one(lane));
    EXPECT_TRUE(lane.killed);

    for (const float value : {0.0f, -0.0f, 2.0f, nan}) {
        lane = {};
        lane.set(2, {value, 1, 1, 1});
        code({{0x000002D7, 0x00002804, 0, 0}}); // NZ t2.x
        ASSERT_TRUE(run_one(lane));
        EXPECT_EQ(lane.killed, value != 0);
        lane.killed = false;
        lane.pc = 0;
        load(0x5000, bits_of(1.5f));
        code({{0x00000057, 0x00002800, 0x00000040, 0x00000002}}); // GT t2.x, u0.x
        ASSERT_TRUE(run_one(lane));
        EXPECT_EQ(lane.killed, value > 1.5f);
    }
}

TEST_F(Vivante3dReferenceShader, I41CallsAndReturns) {
    load(0x5000, bits_of(1));
    EXPECT_EQ(decode({0x00000014, 0, 0, 0x00000380}).target, 7u);
    const shader::Words call = {0x00000014, 0, 0, 3 << 7}, ret = {0x00000015, 0, 0, 0};
    const shader::Words one = encode(add_one(0));
    code({call, one, ret, one, one, ret}); // the outer RET has no CALL, so it ends the program
    EXPECT_EQ(run_flow(), 3);
}

TEST_F(Vivante3dReferenceShader, CallsDeeperThan16End) {
    load(0x5000, bits_of(1));
    code({encode(add_one(0)), {0x00000014, 0, 0, 0}});
    EXPECT_EQ(run_flow(), 17);
}

TEST_F(Vivante3dReferenceShader, AnEndlessProgramIsCut) {
    code({{0x00000016, 0, 0, 0}});
    Invocation lane;
    EXPECT_FALSE(run_one(lane));
}

TEST_F(Vivante3dReferenceShader, UnknownOpcodesDoNothing) {
    load(0x5000, bits_of(1));
    code({{0x0780103F, 0, 0x00010000, 0}, encode(add_one(0))});
    EXPECT_EQ(run_flow(), 1);
}

/* ---- Quads -------------------------------------------------------------------------------- */

TEST_F(Vivante3dReferenceShader, I13DifferencesGoRightAndDown) {
    code({{0x00811007, 0x00001804, 0, 0x00000018}, // DSX t1.x, t1.x
          shader::encode({.opcode = shader::DSY,
                          .destination = 2,
                          .sources = {shader::t(2), {}, shader::t(2)}})});
    std::array<Invocation, 4> quad;
    const float values[4] = {1, 4, 16, 64};
    for (unsigned i = 0; i < 4; i++) {
        quad[i].set(1, {values[i], 0, 0, 0});
        quad[i].set(2, {values[i], 0, 0, -values[i]});
    }
    ASSERT_TRUE(run(engine_, vertex_program(engine_), quad));
    const float dx[4] = {3, 3, 48, 48}, dy[4] = {15, 60, 15, 60};
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_EQ(quad[i].vector(1)[0], dx[i]);
        EXPECT_EQ(quad[i].vector(2), (Vector{dy[i], 0, 0, -dy[i]}));
    }
}

TEST_F(Vivante3dReferenceShader, LanesThatPartMeetAgain) {
    // if (t1.x != 0) { t0.x += 1 } t2 = dsx t0
    load(0x5000, bits_of(1));
    code({{0x00000296, 0x00201800, 0x80000000, 2 << 7},
          encode(add_one(0)),
          shader::encode({.opcode = shader::DSX,
                          .destination = 2,
                          .sources = {shader::t(0), {}, shader::t(0)}})});
    std::array<Invocation, 4> quad;
    quad[1].set(1, {1, 0, 0, 0});
    ASSERT_TRUE(run(engine_, vertex_program(engine_), quad));
    for (unsigned i = 0; i < 4; i++)
        EXPECT_EQ(quad[i].vector(2)[0], i < 2 ? 1 : 0);
}

/* ---- Texture instructions and programs ---------------------------------------------------- */

TEST_F(Vivante3dReferenceShader, I32ToI35TextureOperands) {
    const Instruction ld = decode({0x07811018, 0x15001F20, 0, 0});
    EXPECT_EQ(ld.sampler, 0u);
    EXPECT_EQ(ld.sampler_swizzle, 0xE4u);
    EXPECT_EQ(ld.sources[0].number, 1u);
    EXPECT_EQ(ld.sources[0].swizzle, 0x54u);
    const Instruction ldb = decode({0x17811019, 0x39002F20, 0, 0});
    EXPECT_EQ(ldb.sampler, 2u);
    EXPECT_EQ(ldb.sources[0].number, 2u);
    const Instruction ldl = decode({0x4780101B, 0x39003F20, 0, 0});
    EXPECT_EQ(ldl.sampler, 8u);
    EXPECT_EQ(ldl.destination, 0u);
    const Instruction ldd = decode({0x0781101A, 0x15001F20, 0x00A80140, 0x003F8018});
    EXPECT_EQ(ldd.sources[1].number, 2u);
    EXPECT_EQ(ldd.sources[1].swizzle, 0x54u);
    EXPECT_EQ(ldd.sources[2].number, 1u);
    EXPECT_EQ(ldd.sources[2].swizzle, 0xFEu); // zwww
}

TEST_F(Vivante3dReferenceShader, P1MultipliesByAMatrix) {
    using namespace shader;
    const float columns[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
    for (unsigned i = 0; i < 16; i++)
        load(0x5000 + 4 * i, bits_of(columns[i / 4][i % 4]));
    const auto mad = [](uint32_t column, uint32_t swizzle) {
        return encode(
            {.opcode = MAD, .destination = 1, .sources = {u(column), t(0, swizzle), t(1)}});
    };
    code({encode({.opcode = MUL, .destination = 1, .sources = {u(0), t(0, xxxx)}}), mad(1, yyyy),
          mad(2, zzzz), mad(3, wwww)});
    Invocation lane;
    lane.set(0, {1, 10, 100, 1000});
    ASSERT_TRUE(run_one(lane));
    EXPECT_EQ(lane.vector(1), (Vector{13951, 15062, 16173, 17284}));
}

TEST_F(Vivante3dReferenceShader, P2SamplesOneTexel) {
    code({{0x07811018, 0x15001F20, 0, 0}});
    load(0x2000, 2 | 2u << 7 | 2u << 11 | 9u << 13); // 2D, linear, A8B8G8R8
    load(0x2040, 0x00010001);
    load(0x2400, 0x1000);
    put(0x1000, 0x40302010);
    std::array<Invocation, 4> quad;
    ASSERT_TRUE(run(engine_, vertex_program(engine_), quad));
    expect_near(quad[0].vector(1), {16 / 255.0f, 32 / 255.0f, 48 / 255.0f, 64 / 255.0f});
}

/* ---- The tests' assembler ------------------------------------------------------------------ */

TEST(Vivante3dAssembler, WritesTheWordsThatMesaDoes) {
    using namespace shader;
    EXPECT_EQ(encode({.opcode = MOV, .destination = 2, .sources = {Operand{}, {}, t(1, 0xC6)}}),
              (Words{0x07821009, 0x00000004, 0x00000000, 0x00318018}));
    EXPECT_EQ(encode({.opcode = MAD, .destination = 2, .sources = {u(1), t(0, yyyy), t(2)}}),
              (Words{0x07821002, 0x39001804, 0x00AA0050, 0x00390028}));
    EXPECT_EQ(encode({.opcode = SET,
                      .condition = GE,
                      .destination = 0,
                      .components = 1,
                      .sources = {t(1, xxxx), u(0, yyyy)}}),
              (Words{0x008010D0, 0x00001804, 0x00AA0040, 0x00000002}));
    EXPECT_EQ(encode({.opcode = TEXLDL, .destination = 0, .sources = {t(3)}, .sampler = 8}),
              (Words{0x4780101B, 0x39003F20, 0x00000000, 0x00000000}));
    EXPECT_EQ(encode({.opcode = BRANCH,
                      .condition = NOT,
                      .type = u32,
                      .sources = {t(1, xxxx)},
                      .target = 7}),
              (Words{0x00000296, 0x00201800, 0x80000000, 0x00000380}));
    EXPECT_EQ(encode({.opcode = TEXKILL, .condition = GT, .sources = {t(2, xxxx), u(0, xxxx)}}),
              (Words{0x00000057, 0x00002800, 0x00000040, 0x00000002}));
    EXPECT_EQ(encode({.opcode = CMP,
                      .condition = EQ,
                      .type = u32,
                      .destination = 1,
                      .components = 1,
                      .sources = {t(1, yyyy), u(0, xxxx), whole(-1)}}),
              (Words{0x00811171, 0x15601804, 0x80000040, 0x76FFDFFA}));
    EXPECT_EQ(
        encode(
            {.opcode = LOAD, .type = u32, .destination = 0, .sources = {t(1, xxxx), u(4, xxxx)}}),
        (Words{0x07801032, 0x00201804, 0x80000240, 0x00000002}));
    EXPECT_EQ(encode({.opcode = DIV,
                      .destination = 0,
                      .components = 6,
                      .sources = {Operand{}, immediate_bits(0x40900, 0), t(0, yyyy)},
                      .rounding = 1}),
              (Words{0x03001024, 0x00000005, 0x04098040, 0x0015400F}));
}

} // namespace
} // namespace pixmill::test
