// Instructions of HALTI2 and HALTI5, as words that Mesa's and the vendor's compilers emit (Mesa
// src/etnaviv/isa/tests/disasm.cpp), interpreted and compiled.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <bit>

#include "shader_machine.hpp"
#include "vivante/3d/sh/disassembler.hpp"

namespace pixmill::vivante {
namespace {

using test::ShaderMachine;

struct Cell {
    char file; ///< t or u
    unsigned reg;
    char component;
    uint32_t bits;

    unsigned number() const { return component == 'w' ? 3 : unsigned(component - 'x'); }
};

constexpr uint32_t f(float value) {
    return std::bit_cast<uint32_t>(value);
}

struct Row {
    const char* name;
    std::array<uint32_t, 4> words;
    std::vector<Cell> in, out;
    ShaderIsa isa = ShaderIsa::halti2;
};

constexpr uint32_t ones = 0xFFFFFFFF, nan = 0x7FC00000, minus_infinity = 0xFF800000;

std::ostream& operator<<(std::ostream& to, const Row& row) {
    return to << row.name;
}

/// Opcodes without machine code for any of their loops.
constexpr Opcode interpreted[] = {Opcode::imulhi0,  Opcode::imadlosat0, Opcode::rotate,
                                  Opcode::leadzero, Opcode::popcount,   Opcode::bit_rev,
                                  Opcode::conv,     Opcode::norm_mul,   Opcode::extended};

class HaltiInstruction : public ::testing::TestWithParam<Row> {
protected:
    /// Runs the instruction with `compiled` code or none. Components that are not named hold marks.
    static void check(const Row& row, const jit::CompiledProgram* compiled) {
        ShaderMachine machine;
        machine.isa = row.isa;
        machine.how.compiled = compiled;
        for (unsigned reg = 0; reg < 8; reg++)
            for (unsigned c = 0; c < 4; c++)
                machine.lanes(reg, c).fill(std::bit_cast<float>(0x3F000000 + 16 * reg + c));
        for (const Cell& cell : row.in) {
            const auto value = std::bit_cast<float>(cell.bits);
            if (cell.file == 't')
                machine.lanes(cell.reg, cell.number()).fill(value);
            else
                machine.uniforms[cell.reg][cell.number()] = value;
        }
        machine.run(std::vector<uint32_t>(row.words.begin(), row.words.end()));
        for (const Cell& cell : row.out)
            for (const unsigned lane : {0u, 37u, 63u}) {
                const float value = machine.lanes(cell.reg, cell.number())[lane];
                EXPECT_EQ(std::bit_cast<uint32_t>(value), cell.bits)
                    << cell.file << cell.reg << '.' << cell.component << ", lane " << lane;
            }
    }
};

TEST_P(HaltiInstruction, Computes) {
    const Row& row = GetParam();
    const Instruction instruction = decode(row.words.data(), row.isa);
    EXPECT_TRUE(instruction.is_known()) << disassemble(instruction);
    check(row, nullptr);
    const Program program(row.words, all_components(), row.isa);
    const auto compiled = jit::compile(program);
    const bool compiles =
        std::ranges::none_of(interpreted, [&](Opcode opcode) { return instruction.is(opcode); });
    EXPECT_EQ(compiled != nullptr, compiles && jit::can_compile());
    if (compiled) {
        SCOPED_TRACE("compiled");
        check(row, compiled.get());
    }
}

// clang-format off
const std::vector<Row> rows = {
    {"HI1_equal", {0x00811171, 0x15601804, 0x80000040, 0x76FFDFFA}, {{'t', 1, 'y', 5}, {'u', 0, 'x', 5}}, {{'t', 1, 'x', ones}}},
    {"HI1_unequal", {0x00811171, 0x15601804, 0x80000040, 0x76FFDFFA}, {{'t', 1, 'y', 5}, {'u', 0, 'x', 6}}, {{'t', 1, 'x', 0}}},
    {"HI2", {0x008010B1, 0x00001804, 0x40000140, 0x76FFDFF8}, {{'t', 1, 'x', ones}, {'t', 2, 'x', 1}}, {{'t', 0, 'x', ones}}},
    {"HI3", {0x008010B1, 0x00201804, 0x80000140, 0x76FFDFF8}, {{'t', 1, 'x', ones}, {'t', 2, 'x', 1}}, {{'t', 0, 'x', 0}}},
    {"HI4_nan", {0x008010F1, 0x00001804, 0x00000140, 0x76FFDFF8}, {{'t', 1, 'x', nan}, {'t', 2, 'x', f(1)}}, {{'t', 0, 'x', 0}}},
    {"HI4_equal", {0x008010F1, 0x00001804, 0x00000140, 0x76FFDFF8}, {{'t', 1, 'x', f(1)}, {'t', 2, 'x', f(1)}}, {{'t', 0, 'x', ones}}},
    {"HI5_nan", {0x008011B1, 0x00001804, 0x00000140, 0x76FFDFF8}, {{'t', 1, 'x', nan}, {'t', 2, 'x', nan}}, {{'t', 0, 'x', ones}}},
    {"HI5_zeros", {0x008011B1, 0x00001804, 0x00000140, 0x76FFDFF8}, {{'t', 1, 'x', f(-0.0f)}, {'t', 2, 'x', 0}}, {{'t', 0, 'x', 0}}},
    {"HI6", {0x008012CF, 0x00201804, 0x80000140, 0x00000038}, {{'t', 1, 'x', 0x80000000}, {'t', 2, 'x', 2}, {'t', 3, 'x', 3}}, {{'t', 0, 'x', 2}}},
    {"HI6_float", {0x008012CF, 0x00001804, 0x00000140, 0x00000038}, {{'t', 1, 'x', 0x80000000}, {'t', 2, 'x', 2}, {'t', 3, 'x', 3}}, {{'t', 0, 'x', 3}}},
    {"HI7", {0x0080104F, 0x00001804, 0x40000140, 0x00000018}, {{'t', 1, 'x', 0xFFFFFFFD}, {'t', 2, 'x', 2}}, {{'t', 0, 'x', 0xFFFFFFFD}}},
    {"HI8", {0x0080104F, 0x00201804, 0x80000140, 0x00000018}, {{'t', 1, 'x', 0xFFFFFFFD}, {'t', 2, 'x', 2}}, {{'t', 0, 'x', 2}}},
    {"HI9", {0x0080108F, 0x00201804, 0x80000140, 0x00000018}, {{'t', 1, 'x', ones}, {'t', 2, 'x', 2}}, {{'t', 0, 'x', ones}}},
    {"HI10", {0x07801001, 0x39001804, 0x40000000, 0x00390028},
     {{'t', 1, 'x', 0x7FFFFFFF}, {'t', 2, 'x', 1}, {'t', 1, 'y', 1}, {'t', 2, 'y', 2}, {'t', 1, 'z', ones}, {'t', 2, 'z', ones}, {'t', 1, 'w', 0x7FFFFFFF}, {'t', 2, 'w', 1}},
     {{'t', 0, 'x', 0x80000000}, {'t', 0, 'y', 3}, {'t', 0, 'z', 0xFFFFFFFE}, {'t', 0, 'w', 0x80000000}}},
    {"HI11", {0x00801001, 0x00000804, 0x4000003A, 0x00400018}, {{'t', 1, 'x', 5}}, {{'t', 0, 'x', 0xFFFFFFFB}}},
    {"HI11_least", {0x00801001, 0x00000804, 0x4000003A, 0x00400018}, {{'t', 1, 'x', 0x80000000}}, {{'t', 0, 'x', 0x80000000}}},
    {"HI12", {0x0080103C, 0x00001804, 0x40000140, 0x00000000}, {{'t', 1, 'x', 0x10001}, {'t', 2, 'x', 0x10001}}, {{'t', 0, 'x', 0x00020001}}},
    {"HI13", {0x00801000, 0x00001804, 0x40010140, 0x00000000}, {{'t', 1, 'x', ones}, {'t', 2, 'x', ones}}, {{'t', 0, 'x', 0}}},
    {"HI14", {0x00801000, 0x00201804, 0x80010140, 0x00000000}, {{'t', 1, 'x', ones}, {'t', 2, 'x', ones}}, {{'t', 0, 'x', 0xFFFFFFFE}}},
    {"HI15", {0x0080100C, 0x00001804, 0x40010140, 0x00000038}, {{'t', 1, 'x', 7}, {'t', 2, 'x', 6}, {'t', 3, 'x', 3}}, {{'t', 0, 'x', 0x2D}}},
    {"HI16", {0x0080100E, 0x00001804, 0x40010140, 0x00000038}, {{'t', 1, 'x', 0x40000000}, {'t', 2, 'x', 2}, {'t', 3, 'x', 0}}, {{'t', 0, 'x', 0x7FFFFFFF}}},
    {"HI17", {0x0080103B, 0x00001804, 0x40000000, 0x00400028}, {{'t', 1, 'x', 0x7FFFFFFF}, {'t', 2, 'x', ones}}, {{'t', 0, 'x', 0x7FFFFFFF}}},
    {"HI18", {0x00801019, 0x15400804, 0x40010000, 0x74000028}, {{'t', 0, 'y', 3}}, {{'t', 0, 'x', 0xC}}},
    {"HI19", {0x00801019, 0x00201804, 0x80010000, 0x00000028}, {{'t', 1, 'x', 1}, {'t', 2, 'x', 33}}, {{'t', 0, 'x', 2}}},
    {"HI20", {0x0080101A, 0x00001804, 0x40010000, 0x78000048}, {{'t', 1, 'x', 0x80000000}}, {{'t', 0, 'x', 0xF8000000}}},
    {"HI21", {0x0080101A, 0x00201804, 0x80010000, 0x78000048}, {{'t', 1, 'x', 0x80000000}}, {{'t', 0, 'x', 0x08000000}}},
    {"HI22", {0x0080101B, 0x00001804, 0x40010000, 0x00000008}, {{'t', 1, 'x', 0x80000001}, {'t', 0, 'x', 1}}, {{'t', 0, 'x', 3}}},
    {"HI23_none", {0x00801018, 0x00200004, 0x80010000, 0x00000008}, {{'t', 0, 'x', 0}}, {{'t', 0, 'x', 0x20}}},
    {"HI23_one", {0x00801018, 0x00200004, 0x80010000, 0x00000008}, {{'t', 0, 'x', 1}}, {{'t', 0, 'x', 0x1F}}},
    {"HI23_all", {0x00801018, 0x00200004, 0x80010000, 0x00000008}, {{'t', 0, 'x', ones}}, {{'t', 0, 'x', 0}}},
    {"HI24", {0x00801021, 0x00000004, 0x00010000, 0x00000008}, {{'t', 0, 'x', 0xF0F0}}, {{'t', 0, 'x', 8}}},
    {"HI25_one", {0x0081102D, 0x00001804, 0x40010000, 0x00000000}, {{'t', 1, 'x', 1}}, {{'t', 1, 'x', 0x80000000}}},
    {"HI25", {0x0081102D, 0x00001804, 0x40010000, 0x00000000}, {{'t', 1, 'x', 0x00F0}}, {{'t', 1, 'x', 0x0F000000}}},
    {"HI26_true", {0x0080101D, 0x00201804, 0x80010000, 0x707F0008}, {{'t', 1, 'x', ones}}, {{'t', 0, 'x', 0x3F800000}}},
    {"HI26_false", {0x0080101D, 0x00201804, 0x80010000, 0x707F0008}, {{'t', 1, 'x', 0}}, {{'t', 0, 'x', 0}}},
    {"HI27", {0x0080101D, 0x00201804, 0x80010000, 0x78000018}, {{'t', 1, 'x', ones}}, {{'t', 0, 'x', 1}}},
    {"HI28", {0x0080101F, 0x00200004, 0x80010000, 0x00000018}, {{'t', 1, 'x', 0x0000FFFF}}, {{'t', 0, 'x', 0xFFFF0000}}},
    {"HI29", {0x00801017, 0x00000004, 0x40010000, 0x00000018}, {{'t', 1, 'x', 0xFFFFFFFB}}, {{'t', 0, 'x', 5}}},
    {"HI29_least", {0x00801017, 0x00000004, 0x40010000, 0x00000018}, {{'t', 1, 'x', 0x80000000}}, {{'t', 0, 'x', 0x80000000}}},
    {"HI30_negative", {0x00801027, 0x00000004, 0x40000000, 0x00000018}, {{'t', 1, 'x', 0xFFFFFFF0}}, {{'t', 0, 'x', ones}}},
    {"HI30_zero", {0x00801027, 0x00000004, 0x40000000, 0x00000018}, {{'t', 1, 'x', 0}}, {{'t', 0, 'x', 0}}},
    {"HI30_positive", {0x00801027, 0x00000004, 0x40000000, 0x00000018}, {{'t', 1, 'x', 9}}, {{'t', 0, 'x', 1}}},
    {"HI31", {0x0080102E, 0x00001804, 0x40000000, 0x00000000}, {{'t', 1, 'x', f(-2.7f)}}, {{'t', 0, 'x', 0xFFFFFFFE}}},
    {"HI31_large", {0x0080102E, 0x00001804, 0x40000000, 0x00000000}, {{'t', 1, 'x', f(3e9f)}}, {{'t', 0, 'x', 0x7FFFFFFF}}},
    {"HI31_nan", {0x0080102E, 0x00001804, 0x40000000, 0x00000000}, {{'t', 1, 'x', nan}}, {{'t', 0, 'x', 0}}},
    {"HI31_least", {0x0080102E, 0x00001804, 0x40000000, 0x00000000}, {{'t', 1, 'x', f(-3e9f)}}, {{'t', 0, 'x', 0x80000000}}},
    {"HI32_negative", {0x0080102E, 0x00201804, 0x80000000, 0x00000000}, {{'t', 1, 'x', f(-1.5f)}}, {{'t', 0, 'x', 0}}},
    {"HI32_large", {0x0080102E, 0x00201804, 0x80000000, 0x00000000}, {{'t', 1, 'x', f(5e9f)}}, {{'t', 0, 'x', ones}}},
    {"HI32", {0x0080102E, 0x00201804, 0x80000000, 0x00000000}, {{'t', 1, 'x', f(2.9f)}}, {{'t', 0, 'x', 2}}},
    {"HI32_upper", {0x0080102E, 0x00201804, 0x80000000, 0x00000000}, {{'t', 1, 'x', f(3e9f)}}, {{'t', 0, 'x', 3000000000}}},
    {"HI32_nan", {0x0080102E, 0x00201804, 0x80000000, 0x00000000}, {{'t', 1, 'x', nan}}, {{'t', 0, 'x', 0}}},
    {"HI33_even", {0x0081102F, 0x00000806, 0x40000000, 0x00000000}, {{'t', 0, 'x', f(2.5f)}}, {{'t', 1, 'x', 2}}},
    {"HI33_odd", {0x0081102F, 0x00000806, 0x40000000, 0x00000000}, {{'t', 0, 'x', f(3.5f)}}, {{'t', 1, 'x', 4}}},
    {"HI33_zero", {0x0081102F, 0x00000806, 0x40000000, 0x00000000}, {{'t', 0, 'x', f(-0.5f)}}, {{'t', 1, 'x', 0}}},
    {"HI34", {0x0780102D, 0x39001804, 0x40000000, 0x00000000}, {{'t', 1, 'x', 0x01000001}, {'t', 1, 'y', ones}, {'t', 1, 'z', 0}, {'t', 1, 'w', 7}},
     {{'t', 0, 'x', 0x4B800000}, {'t', 0, 'y', 0xBF800000}, {'t', 0, 'z', 0}, {'t', 0, 'w', f(7)}}},
    {"HI35", {0x0780102D, 0x39201804, 0x80000000, 0x00000000}, {{'t', 1, 'x', ones}, {'t', 1, 'y', 0x80000080}, {'t', 1, 'z', 1}, {'t', 1, 'w', 0}},
     {{'t', 0, 'x', 0x4F800000}, {'t', 0, 'y', 0x4F000000}, {'t', 0, 'z', f(1)}, {'t', 0, 'w', 0}}},
    {"HI36", {0x0080102C, 0x00200804, 0x50001040, 0x00000007}, {{'t', 0, 'x', 0x00018000}}, {{'t', 0, 'x', 0xFFFF8000}}},
    {"HI37", {0x01001032, 0x15600804, 0x10010040, 0x00000007}, {{'t', 0, 'y', f(1)}}, {{'t', 0, 'y', 0x3C00}}},
    {"HI37_large", {0x01001032, 0x15600804, 0x10010040, 0x00000007}, {{'t', 0, 'y', f(65520)}}, {{'t', 0, 'y', 0x7C00}}},
    {"HI37_most", {0x01001032, 0x15600804, 0x10010040, 0x00000007}, {{'t', 0, 'y', f(65519)}}, {{'t', 0, 'y', 0x7BFF}}},
    {"HI37_small", {0x01001032, 0x15600804, 0x10010040, 0x00000007}, {{'t', 0, 'y', f(0x1p-25f)}}, {{'t', 0, 'y', 0}}},
    {"HI37_least", {0x01001032, 0x15600804, 0x10010040, 0x00000007}, {{'t', 0, 'y', f(0x1.8p-25f)}}, {{'t', 0, 'y', 1}}},
    {"HI38", {0x01001032, 0x15400804, 0x100100C0, 0x00000007}, {{'t', 0, 'y', 0x3C00}}, {{'t', 0, 'y', f(1)}}},
    {"HI38_least", {0x01001032, 0x15400804, 0x100100C0, 0x00000007}, {{'t', 0, 'y', 0x0001}}, {{'t', 0, 'y', f(0x1p-24f)}}},
    {"HI39", {0x03001024, 0x00000005, 0x04098040, 0x0015400F}, {{'t', 0, 'y', f(2)}}, {{'t', 0, 'y', f(2.25f)}, {'t', 0, 'z', f(1)}}},
    {"HI40", {0x01801012, 0x00000005, 0x00000000, 0x00000008}, {{'t', 0, 'x', f(8)}}, {{'t', 0, 'x', f(3)}, {'t', 0, 'y', f(1)}}},
    {"HI40_one", {0x01801012, 0x00000005, 0x00000000, 0x00000008}, {{'t', 0, 'x', f(1)}}, {{'t', 0, 'x', 0}, {'t', 0, 'y', f(1)}}},
    {"HI40_zero", {0x01801012, 0x00000005, 0x00000000, 0x00000008}, {{'t', 0, 'x', 0}}, {{'t', 0, 'x', minus_infinity}, {'t', 0, 'y', f(1)}}},
    {"HI41", {0x03001022, 0x00000005, 0x00000000, 0x00154008}, {{'t', 0, 'y', f(0.5f)}}, {{'t', 0, 'y', f(1)}, {'t', 0, 'z', f(1)}}},
    {"HI41_whole", {0x03001022, 0x00000005, 0x00000000, 0x00154008}, {{'t', 0, 'y', f(2)}}, {{'t', 0, 'y', 0}, {'t', 0, 'z', f(1)}}},
    {"HI42", {0x01801023, 0x00000005, 0x00000000, 0x00000008}, {{'t', 0, 'x', f(1)}}, {{'t', 0, 'x', f(-1)}, {'t', 0, 'y', f(1)}}},
    {"HI43", {0x00811033, 0x15002804, 0x00A900C0, 0x00000000}, {{'t', 2, 'x', f(1)}, {'t', 2, 'y', f(2)}, {'t', 1, 'x', f(3)}, {'t', 1, 'y', f(4)}}, {{'t', 1, 'x', f(11)}}},
    {"HI44", {0x00801001, 0x7E000805, 0x00000038, 0x00800008}, {{'t', 0, 'x', f(-1.25f)}}, {{'t', 0, 'x', f(1.75f)}}},
    {"HI45", {0x00801009, 0x00000004, 0x00000000, 0x70FF0008}, {}, {{'t', 0, 'x', 0x7F800000}}},
    {"HI46", {0x00801009, 0x00000004, 0x00000000, 0x7C078008}, {}, {{'t', 0, 'x', 0x3F800000}}},
    {"HI47", {0x00801009, 0x00000004, 0x00000000, 0x78245458}, {}, {{'t', 0, 'x', 0x00012345}}},
    {"HI48", {0x00801009, 0x00000004, 0x00000000, 0x76FFDFE8}, {}, {{'t', 0, 'x', 0xFFFFFFFE}}},
    // A word in memory holds its address here.
    {"HI49", {0x07801032, 0x00201804, 0x80000240, 0x00000002}, {{'t', 1, 'x', 8}, {'u', 4, 'x', 0x1000}},
     {{'t', 0, 'x', 0x1008}, {'t', 0, 'y', 0x100C}, {'t', 0, 'z', 0x1010}, {'t', 0, 'w', 0x1014}}},
    {"HI50", {0x01001032, 0x00201804, 0x80000240, 0x00000002}, {{'t', 1, 'x', 8}, {'u', 4, 'x', 0x1000}},
     {{'t', 0, 'x', 0x3F000000}, {'t', 0, 'y', 0x1008}, {'t', 0, 'z', 0x3F000002}, {'t', 0, 'w', 0x3F000003}}},
    {"HI51", {0x00801032, 0x00000C04, 0x10000050, 0x00000007}, {{'u', 0, 'x', 0x2000}}, {{'t', 0, 'x', 0x2000}}},
    {"HI62", {0x03811037, 0x29000804, 0x01FF0040, 0x00000000}, {{'t', 0, 'x', f(2)}, {'t', 0, 'y', f(4)}, {'t', 0, 'z', f(6)}, {'t', 0, 'w', f(0.5f)}},
     {{'t', 1, 'x', f(1)}, {'t', 1, 'y', f(2)}, {'t', 1, 'z', f(3)}}},
    {"HI63", {0x04011035, 0x29001804, 0x00010000, 0x00000000}, {{'t', 1, 'x', f(2)}, {'t', 1, 'y', f(3)}, {'t', 1, 'z', f(6)}}, {{'t', 1, 'w', f(1.0f / 7)}}},
    {"HI64", {0x0381103F, 0x29201804, 0x80010000, 0x780000B8}, {{'t', 1, 'x', 8}, {'t', 1, 'y', 0}, {'t', 1, 'z', 1}},
     {{'t', 1, 'x', 3}, {'t', 1, 'y', ones}, {'t', 1, 'z', 0}}, ShaderIsa::halti5},
    {"HI65", {0x0081103F, 0x00001804, 0x40010000, 0x780000C8}, {{'t', 1, 'x', 8}}, {{'t', 1, 'x', 3}}, ShaderIsa::halti5},
    {"HI65_zero", {0x0081103F, 0x00001804, 0x40010000, 0x780000C8}, {{'t', 1, 'x', 0}}, {{'t', 1, 'x', ones}}, ShaderIsa::halti5},
    {"HI65_negative", {0x0081103F, 0x00001804, 0x40010000, 0x780000C8}, {{'t', 1, 'x', 0xFFFFFFF0}}, {{'t', 1, 'x', 3}}, ShaderIsa::halti5},
    {"HI67", {0x0081100C, 0x3FC00800, 0x400100D0, 0x20154008}, {{'u', 0, 'w', 0x10}, {'t', 1, 'x', 3}, {'u', 0, 'y', 0x200}}, {{'t', 1, 'x', 0x230}}},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Words, HaltiInstruction, ::testing::ValuesIn(rows),
                         [](const auto& named) { return std::string(named.param.name); });

/// The words of a program, instruction by instruction.
std::vector<uint32_t> joined(std::initializer_list<std::array<uint32_t, 4>> code) {
    std::vector<uint32_t> words;
    for (const auto& instruction : code)
        words.insert(words.end(), instruction.begin(), instruction.end());
    return words;
}

constexpr std::array<uint32_t, 4> move_one_to_t5 = {0x00851009, 0x00000004, 0x00000000, 0x78000018};

TEST(HaltiProgram, BranchesOnBits) {
    for (const auto& [bits, taken] : {std::pair{0u, true}, {0x80000000u, false}}) {
        ShaderMachine machine;
        machine.isa = ShaderIsa::halti2;
        machine.lanes(1, 0).fill(std::bit_cast<float>(bits));
        machine.lanes(5, 0).fill(0);
        machine.run(joined({{0x00000296, 0x00201800, 0x80000000, 0x00000100}, move_one_to_t5}));
        EXPECT_EQ(std::bit_cast<uint32_t>(machine.lanes(5, 0)[0]), taken ? 0u : 1u);
    }
}

TEST(HaltiProgram, KillsOnBits) {
    for (const auto& [bits, killed] : {std::pair{ones, true}, {0u, false}, {0x80000000u, true}}) {
        ShaderMachine machine;
        machine.isa = ShaderIsa::halti2;
        machine.lanes(2, 0).fill(std::bit_cast<float>(bits));
        machine.run(joined({{0x000002D7, 0x00202804, 0x80000000, 0x00000000}}));
        EXPECT_EQ(machine.outcome.killed != 0, killed);
    }
}

/* MOVAI a.z, t1.w, then MOV t5, u0[a.z]: HALTI2 has integers in a0. */
TEST(HaltiProgram, IndexesByIntegers) {
    ShaderMachine machine;
    machine.isa = ShaderIsa::halti2;
    machine.lanes(1, 3).fill(std::bit_cast<float>(300u));
    machine.uniforms[300] = {1, 2, 3, 4};
    machine.run(joined({{0x02000016, 0x00200004, 0x80010000, 0x003FC018},
                        {0x07851009, 0x00000000, 0x00000000, 0x26390008}}));
    EXPECT_EQ(machine.get(5), (test::Value{1, 2, 3, 4}));
}

/* HI58 and HI59: TEXLDLPCF with a level and a depth, and TEXLD with a depth. */
TEST(HaltiProgram, AsksForComparisons) {
    ShaderMachine machine;
    machine.isa = ShaderIsa::halti5;
    machine.set(1, {0.25f, 0.5f, 0.75f, 0.125f});
    machine.set(2, {3, 0, 0, 0});
    machine.run(joined({{0x0081102F, 0x29001800, 0x00010140, 0x003FC018}}));
    machine.set(1, {0.25f, 0.5f, 0.75f, 0.125f});
    machine.run(joined({{0x00811018, 0x15001800, 0x00000000, 0x002A8018}}));
    machine.run(joined({{0x00811018, 0x15001F20, 0x00000000, 0x00000000}})); // TEXLD without one
    const auto& asked = machine.texturing.asked;
    ASSERT_EQ(asked.size(), 3u);
    EXPECT_EQ(asked[0].lod, Lod::given);
    EXPECT_EQ(asked[0].level, 3);
    EXPECT_EQ(asked[0].reference, 0.125f);
    EXPECT_EQ(asked[1].lod, Lod::derivatives);
    EXPECT_EQ(asked[1].reference, 0.75f);
    EXPECT_EQ(asked[2].reference, std::nullopt);
}

/* TEXLDGPCF t1, tex0, t1, t2, t3: gradients are differences, the depth is in the coordinate. */
TEST(HaltiProgram, AsksForComparisonsWithGradients) {
    ShaderMachine machine;
    machine.isa = ShaderIsa::halti5;
    machine.set(1, {0.25f, 0.5f, 0, 0.125f});
    machine.set(2, {0.75f, 0.5f, 0, 0});
    machine.set(3, {0.25f, 0.75f, 0, 0});
    machine.run(joined({{0x07811030, 0x39001F20, 0x01C90140, 0x00390038}}));
    ASSERT_EQ(machine.texturing.asked.size(), 1u);
    const auto& asked = machine.texturing.asked[0];
    EXPECT_EQ(asked.lod, Lod::gradients);
    EXPECT_EQ(asked.reference, 0.125f);
    EXPECT_EQ(asked.dx[0], 0.5f);
    EXPECT_EQ(asked.dx[1], 0);
    EXPECT_EQ(asked.dy[0], 0);
    EXPECT_EQ(asked.dy[1], 0.25f);
}

TEST(HaltiProgram, UnknownOnEarlierCores) {
    for (const std::array<uint32_t, 4>& words :
         {std::array<uint32_t, 4>{0x00801009, 0x00000004, 0x00000000, 0x78245458}, // immediate
          {0x07801032, 0x00201804, 0x80000240, 0x00000002},                        // LOAD
          {0x00811033, 0x15002804, 0x00A900C0, 0x00000000},                        // DP2
          {0x00801024, 0x00000005, 0x04098040, 0x0015400F}}) {                     // DIV
        EXPECT_FALSE(decode(words.data(), ShaderIsa::halti0).is_known());
        EXPECT_TRUE(decode(words.data(), ShaderIsa::halti2).is_known());
    }
    // The extended opcodes exist from HALTI5 on.
    constexpr uint32_t find_lsb[] = {0x0381103F, 0x29201804, 0x80010000, 0x780000B8};
    EXPECT_FALSE(decode(find_lsb, ShaderIsa::halti2).is_known());
}

/* Register group 7, an immediate on HALTI2, reads 0 on earlier cores: OR t0.x, t1.x, -(group 7). */
TEST(HaltiProgram, ReadsZeroAsImmediatesOnEarlierCores) {
    const std::vector<uint32_t> words = {0x0080101C, 0x00201804, 0x80010000, 0x70400008};
    for (const auto& [isa, result] :
         {std::pair{ShaderIsa::halti0, 5u}, {ShaderIsa::halti2, 0x20000005u}}) {
        ShaderMachine machine;
        machine.isa = isa;
        machine.lanes(1, 0).fill(std::bit_cast<float>(5u));
        machine.run(words);
        EXPECT_EQ(std::bit_cast<uint32_t>(machine.lanes(0, 0)[0]), result);
    }
}

/* A LOAD whose x and z are read must still read three words. */
TEST(HaltiProgram, LoadsAllWordsOfAMask) {
    constexpr std::array<uint32_t, 4> load = {0x03801032, 0x00201804, 0x80000240, 0x00000002};
    constexpr std::array<uint32_t, 4> move_z = {0x00851009, 0x00000004, 0x00000000, 0x002A8008};
    Components outputs{};
    outputs[5] = 1;
    const Program program(joined({load, move_z}), outputs, ShaderIsa::halti2);
    ShaderMachine machine;
    Uniforms uniforms{};
    ShaderState& state = machine.state();
    state.temporary(1)[0].f.fill(std::bit_cast<float>(0x100u));
    (void)run(program, uniforms, state, machine.how);
    EXPECT_EQ(std::bit_cast<uint32_t>(state.temporary(5)[0].f[9]), 0x108u);
}

} // namespace
} // namespace pixmill::vivante
