// Analysis of programs before they run, and removal of dead code.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "shader_machine.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;

Components only(unsigned reg, uint8_t mask = 0xF) {
    Components outputs{};
    outputs[reg] = mask;
    return outputs;
}

Program program(const std::vector<Ins>& code, const Components& outputs = all_components()) {
    return Program(encode(code), outputs);
}

Components unwritten(const std::vector<Ins>& code, const Components& outputs) {
    return program(code, outputs).traits().unwritten;
}

TEST(Programs, TraitsOfAPlainOne) {
    const Program plain = program({
        mov(to(3, "xy"), t(1)),
        mad(to(3, "zw"), u(7), t(2), u(7, "x")),
    });
    const Program::Traits& traits = plain.traits();
    EXPECT_EQ(traits.temporaries, 4u);
    EXPECT_EQ(traits.uniforms, 8u);
    EXPECT_EQ(traits.samplers, 0u);
    EXPECT_FALSE(traits.depth || traits.kills || traits.branches || traits.quads ||
                 traits.addresses);
    EXPECT_EQ(traits.unknown_count, 0u);
}

TEST(Programs, TraitsOfEachKind) {
    Ins texld{Opcode::texld, to(1), {t(1), none, none}}, texldl = texld;
    texld.tex = 3;
    texldl.op = Opcode::texldl;
    texldl.tex = 8;
    EXPECT_EQ(program({texld, texldl}).traits().samplers, 0x108u);
    EXPECT_TRUE(program({texld}).traits().quads);
    EXPECT_FALSE(program({texldl}).traits().quads);
    EXPECT_TRUE(program({Ins{Opcode::dsy, to(1), {t(1), none, t(1)}}}).traits().quads);
    texld.tex_amode = 1;
    EXPECT_EQ(program({texld}).traits().samplers, 0xFFFu);
    EXPECT_TRUE(program({texld}).traits().addresses);
    EXPECT_TRUE(program({mov(to(0, "z"), t(1))}).traits().depth);
    EXPECT_FALSE(program({mov(to(0, "xyw"), t(1))}).traits().depth);
    EXPECT_TRUE(program({Ins{Opcode::texkill}}).traits().kills);
    EXPECT_FALSE(program({Ins{Opcode::texkill}}).traits().branches);
    EXPECT_TRUE(program({branch(1)}).traits().branches);
    EXPECT_TRUE(program({Ins{Opcode::ret}}).traits().branches);
    EXPECT_EQ(program({mov(to(1), u(2).at(1))}).traits().uniforms, 256u);
    EXPECT_EQ(program({mov(to(1), Src{true, 3, 5, 0})}).traits().uniforms, 134u);
}

// The words have an opcode of newer cores, an unused opcode, and an operand of newer cores.
TEST(Programs, UnknownOpcodesDoNothingAndAreReported) {
    ShaderMachine machine;
    machine.set(1, {1, 2, 3, 4});
    std::vector<uint32_t> words = {0x07811033,          0x39001800, 0,          0x00390018,
                                   0x07811023,          0,          0x00010000, 0x00390018,
                                   0x0781102F & ~0x3Fu, 0,          0x00010000, 0x00390018};
    words[0] = 0x07811032;
    const Program unknown(words, all_components());
    EXPECT_EQ(unknown.traits().unknown_count, 2u);
    EXPECT_TRUE(unknown.traits().unknown[0x32]);
    EXPECT_TRUE(unknown.traits().unknown[0x63]);
    EXPECT_FALSE(unknown.traits().unknown[0x40]);
    words.resize(8);
    machine.run(words);
    EXPECT_EQ(machine.get(1), (Value{1, 2, 3, 4}));
    EXPECT_EQ(Program(std::vector<uint32_t>{0x07811009, 0, 0, 0x70390018}, all_components())
                  .traits()
                  .unknown_count,
              1u);
}

TEST(Programs, WhatIsReadBeforeItIsWritten) {
    const std::vector<Ins> straight = {
        mov(to(2, "xy"), t(1, "zw")),
        add(to(3), t(2), t(4, "x")),
    };
    Components expected{};
    expected[1] = 0xC;
    expected[2] = 0xC;
    expected[4] = 0x1;
    EXPECT_EQ(unwritten(straight, only(3)), expected);
    expected[9] = 0x2; // never written, but an output
    Components outputs = only(3);
    outputs[9] = 0x2;
    EXPECT_EQ(unwritten(straight, outputs), expected);
}

// A register that is written on only one path counts as unwritten.
TEST(Programs, WritesAfterABranchDoNotCount) {
    const std::vector<Ins> code = {
        mov(to(1), u(0)),
        branch(Condition::nz, u(0, "x"), none, 3),
        mov(to(2), u(1)),
        add(to(3), t(1), t(2)),
    };
    Components expected{};
    expected[2] = 0xF;
    expected[3] = 0xF;
    EXPECT_EQ(unwritten(code, only(3)), expected);
}

TEST(Programs, InputsAreNotCleared) {
    ShaderMachine machine;
    for (unsigned reg = 0; reg < 5; reg++)
        machine.set(reg, {7, 7, 7, 7});
    Components inputs{};
    inputs[1] = 0x4;
    machine.state().clear_unwritten(
        program({mov(to(2, "xy"), t(1, "zw")), add(to(3), t(2), t(4, "x"))}, only(3)), inputs);
    EXPECT_EQ(machine.get(1), (Value{7, 7, 7, 0}));
    EXPECT_EQ(machine.get(2), (Value{7, 7, 0, 0}));
    EXPECT_EQ(machine.get(3), (Value{7, 7, 7, 7}));
    EXPECT_EQ(machine.get(4), (Value{0, 7, 7, 7}));
}

TEST(Programs, DeadCodeIsLeftOut) {
    const std::vector<Ins> code = {
        mul(to(1), t(2), u(0)),
        dp3(to(5, "x"), t(2), t(2)), // only used by dead code
        mov(to(6), t(5, "x")),       // not an output
        mad(to(3), t(1, "x"), u(1), u(2)),
        mov(to(3, "w"), u(3)),
    };
    const Program all = program(code), some = program(code, only(3));
    EXPECT_EQ(all.micro_ops().size(), 5u);
    ASSERT_EQ(some.micro_ops().size(), 3u);
    EXPECT_EQ(some.micro_ops()[0].work.count, 1); // t1.x
    EXPECT_EQ(some.micro_ops()[1].work.count, 3); // without t3.w, which is overwritten
    EXPECT_EQ(program(code, only(3, 8)).micro_ops().size(), 1u);
    EXPECT_TRUE(program(code, {}).micro_ops().empty());
}

TEST(Programs, AMoveOntoItselfOnlyCounts) {
    const std::vector<Ins> code = {mov(to(1), t(1)), mov(to(2, "xyz"), t(2, "xzz"))};
    const Program moves = program(code, all_components());
    ASSERT_EQ(moves.micro_ops().size(), 2u);
    EXPECT_EQ(moves.micro_ops()[0].work.count, 0);
    EXPECT_EQ(moves.micro_ops()[1].work.count, 1); // t2.y
    ShaderMachine machine;
    machine.set(1, {1, 2, 3, 4});
    machine.set(2, {5, 6, 7, 8});
    machine.run(code);
    EXPECT_EQ(machine.get(1), (Value{1, 2, 3, 4}));
    EXPECT_EQ(machine.get(2), (Value{5, 7, 7, 8}));
    EXPECT_EQ(machine.outcome.executed, 2u);
}

TEST(Programs, CodeThatIsNeededInAnotherWayStays) {
    Ins texld{Opcode::texld, to(4), {t(1), none, none}};
    texld.tex_amode = 2;
    EXPECT_EQ(program({one(Opcode::movar, to(0, "xy"), t(1)), texld}, only(4)).micro_ops().size(),
              3u); // includes a move of the texel
    // An operand indexed by a0 may be any register, and a kill has an effect without any output.
    EXPECT_EQ(
        program({mov(to(7), t(1)), one(Opcode::movar, to(0, "x"), t(2)), mov(to(3), t(0).at(1))},
                only(3))
            .micro_ops()
            .size(),
        4u);
    EXPECT_EQ(program({mov(to(7), t(1)), kill(Condition::lt, t(7), t(1))}, Components{})
                  .micro_ops()
                  .size(),
              3u);
    // Nothing is removed from programs with branches.
    EXPECT_EQ(program({mov(to(7), t(1)), branch(2)}, Components{}).micro_ops().size(), 2u);
}

TEST(Programs, SizeIsBounded) {
    const std::vector<uint32_t> nops(4 * 600), nothing;
    EXPECT_TRUE(Program(nops, all_components()).micro_ops().empty());
    EXPECT_TRUE(Program(nothing, all_components()).micro_ops().empty());
    std::vector<Ins> code(9000, add(to(1), t(1), u(0))); // in memory; states hold 512
    ShaderMachine machine;
    machine.uniforms[0] = {1, 1, 1, 1};
    machine.set(1, {});
    machine.run(code);
    EXPECT_EQ(machine.get(1)[0], 8192);
    EXPECT_EQ(machine.outcome.executed, 8192u);
}

} // namespace
} // namespace pixmill::vivante
