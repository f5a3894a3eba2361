// Branches, calls, kills and addresses in lanes that diverge.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>

#include "shader_machine.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;

class ShaderFlow : public testing::Test, public ShaderMachine {
protected:
    ShaderFlow() {
        uniforms[0] = {0, 1, 2, 10};
        for (unsigned lane = 0; lane < lane_count; lane++)
            lanes(0, 0)[lane] = float(lane);
    }

    /// Expects t2.x of lane n to be `expected`(n).
    template<class Expected>
    void expect_lanes(Expected expected) {
        for (unsigned lane = 0; lane < lane_count; lane++)
            EXPECT_EQ(get(2, lane)[0], float(expected(lane))) << lane;
    }
};

constexpr Src zero = u(0, "x"), one_ = u(0, "y"), two = u(0, "z"), ten = u(0, "w");

TEST_F(ShaderFlow, IfAndElseWithinAQuad) {
    lanes(1, 0) = lanes(0, 0);
    for (float& x : lanes(1, 0))
        x = float(int(x) % 2);
    run({
        branch(Condition::is_not, t(1, "x"), none, 3, Type::u32),
        mov(to(2, "x"), ten),
        branch(4),
        mov(to(2, "x"), two),
        add(to(2, "x"), t(2), one_),
    });
    expect_lanes([](unsigned lane) { return lane % 2 ? 11 : 3; });
    EXPECT_EQ(outcome.executed, 5u); // each is executed in some lanes
}

// Lane n loops n times.
TEST_F(ShaderFlow, LoopsOfDifferentLength) {
    run({
        mov(to(2, "x"), zero),
        mov(to(3, "x"), t(0, "x")),
        branch(Condition::lez, t(3, "x"), none, 6),
        add(to(2, "x"), t(2), two),
        add(to(3, "x"), t(3), -one_),
        branch(2),
    });
    expect_lanes([](unsigned lane) { return 2 * lane; });
    EXPECT_EQ(outcome.executed, 2 + 4 * 63 + 1u);
}

// A loop with a break, which has min(lane, 10) iterations.
TEST_F(ShaderFlow, BreaksMeetAfterTheLoop) {
    run({
        mov(to(2, "x"), zero),
        mov(to(3, "x"), zero),
        branch(Condition::ge, t(3, "x"), t(0, "x"), 7),
        branch(Condition::ge, t(3, "x"), ten, 7),
        add(to(2, "x"), t(2), one_),
        add(to(3, "x"), t(3), one_),
        branch(2),
        add(to(2, "x"), t(2), ten),
    });
    expect_lanes([](unsigned lane) { return 10 + std::min(lane, 10u); });
}

TEST_F(ShaderFlow, CallsReturnToWhereEachLaneCameFrom) {
    Ins call{Opcode::call};
    call.target = 5;
    run({
        mov(to(2, "x"), zero),
        branch(Condition::gt, t(0, "x"), ten, 3),
        call,
        call,
        branch(7),
        add(to(2, "x"), t(2), one_),
        Ins{Opcode::ret},
        add(to(2, "x"), t(2), ten),
    });
    expect_lanes([](unsigned lane) { return lane > 10 ? 11 : 12; });
}

TEST_F(ShaderFlow, CallsDeeperThan16AndReturnsWithoutACallEnd) {
    Ins call{Opcode::call};
    call.target = 1;
    set(2, {});
    run({mov(to(2, "x"), zero), add(to(2, "x"), t(2), one_), call});
    expect_lanes([](unsigned) { return 17; });
    EXPECT_FALSE(outcome.endless);
    set(2, {});
    run({Ins{Opcode::ret}, mov(to(2, "x"), ten)});
    expect_lanes([](unsigned) { return 0; });
}

TEST_F(ShaderFlow, BranchAnyTestsAllComponents) {
    set(1, {0, 0, 5, 0});
    Ins any = branch(Condition::nz, t(1), none, 2);
    any.op = Opcode::branch_any;
    set(2, {});
    run({any, mov(to(2, "x"), ten)});
    expect_lanes([](unsigned) { return 0; });
    run({branch(Condition::nz, t(1), none, 2), mov(to(2, "x"), ten)});
    expect_lanes([](unsigned) { return 10; });
}

TEST_F(ShaderFlow, TargetsBeyondTheProgramEndIt) {
    for (const unsigned target : {2u, 3u, 512u, 32767u}) {
        set(2, {});
        run({branch(target), mov(to(2, "x"), ten)});
        expect_lanes([](unsigned) { return 0; });
        EXPECT_FALSE(outcome.endless);
    }
}

TEST_F(ShaderFlow, EndlessLoopsSpendTheBudget) {
    run({branch(0)});
    EXPECT_TRUE(outcome.endless);
    EXPECT_FALSE(outcome.interrupted);
    EXPECT_EQ(outcome.executed, (1u << 20) + 1);
    how.budget = 100;
    run({add(to(2), t(2), one_), branch(Condition::ge, t(0, "x"), u(5, "x"), 0)});
    EXPECT_TRUE(outcome.endless);
    EXPECT_LE(outcome.executed, 102u);
    run({mov(to(2), zero)});
    EXPECT_FALSE(outcome.endless);
}

TEST_F(ShaderFlow, InterruptsEndLoops) {
    const std::atomic<bool> interrupt{true};
    how.interrupt = &interrupt;
    run({branch(0)});
    EXPECT_TRUE(outcome.interrupted);
    EXPECT_FALSE(outcome.endless);
    EXPECT_EQ(outcome.executed, 1u);
}

TEST_F(ShaderFlow, KilledLanesGoOn) {
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(1, 0)[lane] = float(lane * lane);
    run({
        kill(Condition::lt, t(0, "x"), ten),
        Ins{Opcode::dsx, to(2, "x"), {t(1), none, t(1)}},
    });
    EXPECT_EQ(outcome.killed, (1u << 10) - 1);
    EXPECT_EQ(get(2, 10)[0], 21); // 11^2 - 10^2
    EXPECT_EQ(get(2, 8)[0], 17);  // also in a killed lane
    // A kill only affects the lanes that execute it.
    set(2, {});
    run({
        branch(Condition::ge, t(0, "x"), ten, 2),
        Ins{Opcode::texkill},
        mov(to(2, "x"), two),
    });
    EXPECT_EQ(outcome.killed, (1u << 10) - 1);
    expect_lanes([](unsigned) { return 2; });
}

TEST_F(ShaderFlow, TextureUnitsAreNotAskedForDeadQuads) {
    const Ins texld{Opcode::texld, to(2), {t(1), none, none}};
    run({kill(Condition::lt, t(0, "x"), ten), texld});
    ASSERT_EQ(texturing.asked.size(), 1u);
    EXPECT_EQ(texturing.asked[0].live, ~LaneMask(0xFF)); // two lanes of quad 2 are live
    texturing.asked.clear();
    how.live = 0x300; // the half of quad 2 that branches over the texture instruction
    run({branch(Condition::lt, t(0, "x"), ten, 2), texld, mov(to(3), t(2))});
    EXPECT_EQ(texturing.asked.size(), 1u);
    EXPECT_EQ(texturing.asked[0].live, 0xF00u);
    texturing.asked.clear();
    run({Ins{Opcode::texkill}, texld});
    EXPECT_TRUE(texturing.asked.empty());
}

TEST_F(ShaderFlow, TexelsGoToActiveLanesOnly) {
    set(1, {3, 4, 5, 6});
    set(2, {9, 9, 9, 9});
    Ins texld{Opcode::texld, to(2, "xw"), {t(1, "yzwx"), none, none}};
    texld.tex = 5;
    texld.tex_swizzle = swizzle_of("zyxw");
    run({branch(Condition::lt, t(0, "x"), ten, 2), texld});
    EXPECT_EQ(get(2, 9), (Value{9, 9, 9, 9}));
    EXPECT_EQ(get(2, 10), (Value{6, 9, 9, 5}));
}

// The texel is written to the register of the coordinate, or to another one.
TEST_F(ShaderFlow, TexelsMayReplaceTheirCoordinate) {
    set(1, {3, 4, 5, 6});
    run({Ins{Opcode::texld, to(1), {t(1), none, none}}});
    EXPECT_EQ(get(1), (Value{3, 4, 5, 0}));
    set(1, {3, 4, 5, 6});
    run({Ins{Opcode::texld, to(2), {-t(1, "yxz"), none, none}}});
    EXPECT_EQ(get(2), (Value{-4, -3, -5, 0}));
}

TEST_F(ShaderFlow, LanesChooseTheirSamplers) {
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(1, 0)[lane] = float(lane % 3) * 20; // samplers 2, 22 and 42, of which only 12 exist
    lanes(1, 0)[3] = -1;
    Ins texld{Opcode::texld, to(2), {t(0), none, none}};
    texld.tex = 2;
    texld.tex_amode = 1;
    run({one(Opcode::movar, to(0, "x"), t(1)), texld});
    EXPECT_EQ(get(2, 6), (Value{6, 0, 0, 2}));
    EXPECT_EQ(get(2, 3), (Value{3, 0, 0, 1}));
    EXPECT_EQ(get(2, 4), (Value{0, 0, 0, 1})); // sampler 22 does not exist
    EXPECT_EQ(texturing.asked.size(), 2u);
}

TEST_F(ShaderFlow, SamplersThatAreNotThereAreBlack) {
    Ins texld{Opcode::texld, to(2), {t(0), none, none}};
    texld.tex = 12;
    run({texld});
    EXPECT_EQ(get(2), (Value{0, 0, 0, 1}));
    EXPECT_TRUE(texturing.asked.empty());
    texld.tex = 0;
    how.texturing = nullptr;
    set(2, {});
    run({texld});
    EXPECT_EQ(get(2), (Value{0, 0, 0, 1}));
}

// Outside a register file, reads are 0 and writes are ignored.
TEST_F(ShaderFlow, AddressesOutsideOfAFileAreHarmless) {
    constexpr float far[] = {-1, 60, 1e30f, -INFINITY, NAN, 250};
    for (unsigned lane = 0; lane < lane_count; lane++)
        lanes(1, 0)[lane] = far[lane % std::size(far)];
    set(4, {4, 4, 4, 4});
    set(5, {5, 5, 5, 5});
    uniforms[4] = {40, 0, 0, 0};
    uniforms[5] = {50, 0, 0, 0};
    uniforms[255] = {255, 0, 0, 0};
    run({
        one(Opcode::movar, to(0, "x"), t(1)),
        mov(to(2, "x"), u(5, "x").at(1)),
        mov(to(3, "x"), t(5, "x").at(1)),
        Ins{Opcode::mov, {true, 8, 1, 1}, {none, none, ten}},
    });
    EXPECT_EQ(get(2, 0)[0], 40);
    EXPECT_EQ(get(3, 0)[0], 4);
    EXPECT_EQ(get(2, 1)[0], 0); // u65 does not exist
    EXPECT_EQ(get(3, 1)[0], 0); // t65 does not exist
    EXPECT_EQ(get(2, 2)[0], 0);
    EXPECT_EQ(get(2, 3)[0], 0);
    EXPECT_EQ(get(2, 4)[0], 50); // NaN counts as 0
    EXPECT_EQ(get(2, 5)[0], 255);
    EXPECT_EQ(get(7, 0)[0], 10);
    EXPECT_EQ(get(8, 4)[0], 10);
    for (unsigned reg = 4; reg < temporary_count; reg++)
        EXPECT_EQ(get(reg, 3)[0], reg < 6 ? float(reg) : 0) << reg;
}

TEST_F(ShaderFlow, RegistersBeyondAFileReadAsZero) {
    set(2, {9, 9, 9, 9});
    uniforms[128] = {128, 0, 0, 0};
    Src beyond = u(0), high = u(0);
    beyond.reg = 256;
    high.group = 3;
    run({mov(to(2, "x"), t(64)), mov(to(2, "y"), beyond), mov(to(2, "z"), high), mov(to(64), ten),
         mov(to(127), ten)});
    EXPECT_EQ(get(2), (Value{0, 0, 0, 9}));
    run({mov(to(2, "z"), Src{true, 3, 0, 0})});
    EXPECT_EQ(get(2)[2], 128);
}

// All operands must be read before the result is written, with any swizzle.
TEST_F(ShaderFlow, OperandsAreReadBeforeTheResultIsWritten) {
    const Value value{1, 2, 3, 4};
    for (unsigned swizzle = 0; swizzle < 256; swizzle++) {
        set(2, value);
        Src from = t(2);
        from.swizzle = swizzle;
        run({mad(to(2), t(2), t(2, "wzyx"), from)});
        for (unsigned c = 0; c < 4; c++)
            EXPECT_EQ(get(2)[c], value[c] * value[3 - c] + value[swizzle >> 2 * c & 3]);
    }
    set(2, value);
    run({Ins{Opcode::dp4, to(2), {t(2), t(2), none}}});
    EXPECT_EQ(get(2), (Value{30, 30, 30, 30}));
}

TEST_F(ShaderFlow, NoLiveLaneRunsNothing) {
    how.live = 0;
    run({branch(0)});
    EXPECT_EQ(outcome.executed, 0u);
    EXPECT_FALSE(outcome.endless);
}

} // namespace
} // namespace pixmill::vivante
