// Machine code for shaders must give the same bits as the interpreter. Random programs are in
// random_programs.cpp, complete scenes in twin.cpp and threads.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "assembler.hpp"
#include "tests/processor.hpp"
#include "vivante/3d/sh/jit/code_memory.hpp"
#include "vivante/3d/sh/jit/compiled_program.hpp"
#include "vivante/3d/sh/shader.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;

Ins unary(Opcode op, Dst dst, Src from) {
    return {.op = op, .dst = dst, .src = {none, none, from}};
}
Ins binary(Opcode op, Dst dst, Src a, Src b) {
    return {.op = op, .dst = dst, .src = {a, b, none}};
}

class VivanteJit : public testing::Test {
protected:
    void SetUp() override {
        if (!jit::can_compile())
            GTEST_SKIP() << "no compiler for this host, or in this build";
    }

    /// Returns the temporaries after a program that starts with `inputs`. The program is
    /// interpreted if `compiled` is null.
    std::vector<uint32_t> after(const Program& program, const std::vector<uint32_t>& inputs,
                                const jit::CompiledProgram* compiled, Outcome* outcome = nullptr) {
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (unsigned c = 0; c < 4; c++)
                for (unsigned lane = 0; lane < lane_count; lane++)
                    state_->temporary(reg)[c].f[lane] = std::bit_cast<float>(
                        inputs[((reg * 4 + c) * lane_count + lane) % inputs.size()]);
        Uniforms uniforms{};
        for (unsigned n = 0; n < 64; n++)
            uniforms[n / 4][n % 4] = float(n) / 8 - 3;
        Batch how;
        how.compiled = compiled;
        const Outcome seen = run(program, uniforms, *state_, how);
        if (outcome)
            *outcome = seen;
        std::vector<uint32_t> bits;
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (const Lanes& lanes : state_->temporary(reg))
                for (const float value : lanes.f)
                    bits.push_back(std::bit_cast<uint32_t>(value));
        return bits;
    }
    void expect_same(const std::vector<Ins>& code, const std::vector<uint32_t>& inputs) {
        const Program program(encode(code), all_components());
        const auto compiled = jit::compile(program);
        ASSERT_TRUE(compiled);
        Outcome interpreted, run;
        ASSERT_EQ(after(program, inputs, nullptr, &interpreted),
                  after(program, inputs, compiled.get(), &run));
        EXPECT_EQ(run.executed, interpreted.executed);
        EXPECT_EQ(run.killed, interpreted.killed);
    }

    const std::unique_ptr<ShaderState> state_ = std::make_unique<ShaderState>();
};

/// Returns 16384 numbers. All parts together are spread over all bit patterns.
std::vector<uint32_t> patterns(uint32_t part) {
    std::vector<uint32_t> all;
    for (uint32_t n = 0; n < temporary_count * 4 * lane_count; n++)
        all.push_back((part * temporary_count * 4 * lane_count + n) * 4099u);
    return all;
}

TEST_F(VivanteJit, FunctionsOfAMillionNumbers) {
    constexpr Opcode functions[] = {Opcode::rcp,   Opcode::rsq,  Opcode::sqrt, Opcode::exp,
                                    Opcode::log,   Opcode::sin,  Opcode::cos,  Opcode::frc,
                                    Opcode::floor, Opcode::ceil, Opcode::sign};
    for (uint32_t part = 0; part < 64; part++) {
        const std::vector<uint32_t> inputs = patterns(part);
        for (const Opcode op : functions) {
            std::vector<Ins> code;
            for (unsigned reg = 0; reg < temporary_count; reg++)
                for (const char* const component : {"x", "y", "z", "w"})
                    code.push_back(unary(op, to(reg, component), t(reg, component)));
            const Program program(encode(code), all_components());
            const auto compiled = jit::compile(program);
            ASSERT_TRUE(compiled);
            ASSERT_EQ(after(program, inputs, nullptr), after(program, inputs, compiled.get()))
                << opcode_info(uint8_t(op)).name << " " << part;
        }
    }
}

// Machine code may keep any NaN until its bits are used. Then they must be canonical.
TEST_F(VivanteJit, NansBecomeCanonicalWhereBitsAreSeen) {
    const std::vector<uint32_t> odd = {0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0x80000000,
                                       0x7F800000, 0xFF800000, 0x3F800000, 0x00000001};
    Ins greater{.op = Opcode::select, .dst = to(5), .src = {t(2), t(3), t(1)}};
    greater.cond = Condition::gt;
    Ins bits_and{.op = Opcode::select, .dst = to(6), .src = {t(2), t(2), t(1)}};
    bits_and.cond = Condition::bitwise_and;
    Ins saturated = unary(Opcode::mov, to(7), -t(2));
    saturated.sat = true;
    expect_same({binary(Opcode::mul, to(2), t(0), t(1)),
                 unary(Opcode::mov, to(3), -t(2)),
                 unary(Opcode::mov, to(4), absolute(t(2))),
                 greater,
                 bits_and,
                 saturated,
                 binary(Opcode::mul, to(8), -t(2), absolute(t(3))),
                 {.op = Opcode::mad, .dst = to(9), .src = {-t(0), -t(1), -t(2)}},
                 {.op = Opcode::add, .dst = to(10), .src = {-t(0), none, -t(2)}}},
                odd);
}

TEST_F(VivanteJit, RegistersThatChangePlaces) {
    std::vector<uint32_t> numbers;
    for (uint32_t n = 0; n < 16384; n++)
        numbers.push_back(std::bit_cast<uint32_t>(float(n)));
    // Rotates t0 to t31, with more moves than there are machine registers.
    std::vector<Ins> code = {unary(Opcode::mov, to(40), t(0))};
    for (unsigned reg = 0; reg + 1 < 32; reg++)
        code.push_back(unary(Opcode::mov, to(reg), t(reg + 1, "wzyx")));
    code.push_back(unary(Opcode::mov, to(31), t(40)));
    expect_same(code, numbers);
}

TEST_F(VivanteJit, MoreValuesThanMachineRegisters) {
    std::vector<uint32_t> numbers;
    for (uint32_t n = 0; n < 16384; n++)
        numbers.push_back(std::bit_cast<uint32_t>(1 + float(n) / 1024));
    std::vector<Ins> code;
    for (unsigned reg = 0; reg < 30; reg++) // all 30 are live
        code.push_back(binary(Opcode::mul, to(30 + reg), t(reg), t((reg + 7) % 30)));
    for (unsigned reg = 0; reg < 30; reg++)
        code.push_back({.op = Opcode::mad,
                        .dst = to(reg),
                        .src = {t(59 - reg), u(reg % 16), t(30 + (reg * 11) % 30)}});
    for (unsigned reg = 0; reg < 30; reg++)
        code.push_back(binary(Opcode::dp4, to(reg, "yw"), t(29 - reg), t(30 + reg)));
    expect_same(code, numbers);
}

TEST_F(VivanteJit, WhatIsInterpretedInBetween) {
    std::vector<uint32_t> numbers;
    for (uint32_t n = 0; n < 16384; n++)
        numbers.push_back(std::bit_cast<uint32_t>(float(n % 7) - 2));
    Ins kill{.op = Opcode::texkill, .src = {t(3, "x"), u(0, "x"), none}};
    kill.cond = Condition::gt;
    expect_same({binary(Opcode::mul, to(3), t(0), t(1)),
                 kill,
                 unary(Opcode::movar, {true, 0, mask_of("x"), 0}, t(1, "x")),
                 {.op = Opcode::add, .dst = to(4), .src = {t(3).at(1), none, u(8).at(1)}},
                 {.op = Opcode::texld, .dst = to(5), .src = {t(4), none, none}},
                 binary(Opcode::mul, to(6), t(5), t(4)),
                 {.op = Opcode::dsx, .dst = to(7), .src = {t(6), none, none}},
                 {.op = Opcode::dsy, .dst = to(8), .src = {t(4), none, none}}},
                numbers);
}

// Adjacent vertex lanes are not neighbors, so the compiled differences do not apply.
TEST_F(VivanteJit, DerivativesOfVerticesAreInterpreted) {
    const Program program(
        encode(std::vector<Ins>{{.op = Opcode::dsx, .dst = to(1), .src = {t(0), none, none}}}),
        all_components());
    const auto compiled = jit::compile(program);
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(compiled->takes_differences());
    for (unsigned lane = 0; lane < lane_count; lane++)
        state_->temporary(0)[0].f[lane] = float(lane * lane);
    Batch how;
    how.compiled = compiled.get();
    how.quads = false;
    run(program, {}, *state_, how);
    EXPECT_EQ(state_->temporary(1)[0].f[5], 0);
    how.quads = true;
    run(program, {}, *state_, how);
    EXPECT_EQ(state_->temporary(1)[0].f[5], 25 - 16);
}

TEST_F(VivanteJit, BranchesAreInterpreted) {
    const Program program(encode(std::vector<Ins>{branch(1), unary(Opcode::mov, to(1), t(0))}),
                          all_components());
    EXPECT_FALSE(jit::compile(program));
}

TEST_F(VivanteJit, NothingIsCompiledWhereTheProcessorLacksAvx2) {
    const Program program(encode(std::vector<Ins>{unary(Opcode::mov, to(1), t(0))}),
                          all_components());
    EXPECT_TRUE(jit::compile(program));
    const processor::Portable portable;
    EXPECT_FALSE(jit::compile(program));
}

// ---- Memory ------------------------------------------------------------------

/// The permissions of the mapping at an address, such as "r-xp", and a list of all mappings that
/// are both writable and executable.
struct Maps {
    std::string at, writable_code;

    explicit Maps(const void* address) {
        std::ifstream maps("/proc/self/maps");
        for (std::string line; std::getline(maps, line);) {
            std::istringstream fields(line);
            uintptr_t begin = 0, end = 0;
            char dash = 0;
            std::string permissions;
            fields >> std::hex >> begin >> dash >> end >> permissions;
            const auto where = uintptr_t(address);
            if (where >= begin && where < end)
                at = permissions;
            if (permissions.find('w') != std::string::npos &&
                permissions.find('x') != std::string::npos)
                writable_code += line + "\n";
        }
    }
};

TEST_F(VivanteJit, CodeIsNeverWritableAndExecutable) {
    const std::string others = Maps(nullptr).writable_code; // for example, a sanitizer's
    const Program program(encode(std::vector<Ins>{binary(Opcode::mul, to(1), t(0), t(0))}),
                          all_components());
    const auto compiled = jit::compile(program);
    ASSERT_TRUE(compiled);
    const Maps maps(reinterpret_cast<const void*>(compiled->runs().front().function));
    EXPECT_EQ(maps.at, "r-xp");
    EXPECT_EQ(maps.writable_code, others);
}

TEST(VivanteCodeMemory, HoldsACopyAndGivesItBack) {
    const std::vector<uint8_t> bytes(5000, 0xC3);
    const uint8_t* where = nullptr;
    {
        jit::CodeMemory memory(bytes);
        if (!memory)
            GTEST_SKIP() << "this host has no memory for code";
        where = memory.data();
        EXPECT_EQ(std::memcmp(where, bytes.data(), bytes.size()), 0);
        EXPECT_GE(memory.bytes(), bytes.size());
        EXPECT_EQ(Maps(where).at, "r-xp");
        const jit::CodeMemory other = std::move(memory);
        EXPECT_EQ(other.data(), where);
    }
    EXPECT_NE(Maps(where).at, "r-xp");
    EXPECT_FALSE(jit::CodeMemory(std::span<const uint8_t>()));
}

} // namespace
} // namespace pixmill::vivante
