// Random programs, compared with a shader that runs one lane at a time, and random words.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "../../../../random_setting.hpp"
#include "assembler.hpp"
#include "scalar_shader.hpp"
#include "tests/processor.hpp"
#include "vivante/3d/sh/disassembler.hpp"
#include "vivante/3d/sh/jit/compiled_program.hpp"
#include "vivante/3d/sh/shader.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;

class Random {
public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    unsigned below(unsigned limit) { return unsigned(engine_() % limit); }
    bool chance(unsigned percent) { return below(100) < percent; }
    uint32_t word() { return uint32_t(engine_()); }

    /// Returns a random number: an edge case, or one of few values, so that many are equal.
    float number() {
        constexpr float special[] = {0,       -0.0f,    1,        -1,        0.5f,     2,
                                     1e-40f,  1e38f,    INFINITY, -INFINITY, NAN,      8388609,
                                     -1e-20f, 16777216, -1.5f,    3,         0x1p-126f};
        return chance(30) ? special[below(std::size(special))]
                          : float(int(below(2048)) - 1024) / 64;
    }

private:
    std::mt19937 engine_;
};

class Author {
public:
    explicit Author(Random& random, bool flow) : random_(random), flow_(flow) {}

    std::vector<Ins> program() {
        std::vector<Ins> code(2 + random_.below(30));
        for (size_t n = 0; n < code.size(); n++)
            code[n] = flow_ && random_.chance(25) ? jump(unsigned(code.size()), n) : other();
        return code;
    }

private:
    Src source() {
        constexpr unsigned groups[] = {0, 0, 0, 0, 2, 2, 1, 3, 4};
        Src s{true, groups[random_.below(std::size(groups))], random_.below(6),
              random_.chance(40) ? 0xE4 : random_.below(256)};
        s.reg = random_.chance(2) ? random_.below(512) : s.group == 1 ? random_.below(2) : s.reg;
        s.neg = random_.chance(20);
        s.abs = random_.chance(15);
        s.amode = random_.chance(6) ? 1 + random_.below(4) : 0;
        return random_.chance(2) ? none : s;
    }
    Dst destination() {
        Dst d = to(random_.below(6));
        d.mask = random_.chance(40) ? 0xF : random_.below(16);
        d.amode = random_.chance(4) ? 1 + random_.below(4) : 0;
        d.reg = random_.chance(2) ? random_.below(128) : d.reg;
        return random_.chance(2) ? nowhere : d;
    }
    Type type() {
        constexpr Type types[] = {Type::f32, Type::f32, Type::f32, Type::s32, Type::u32};
        return types[random_.below(std::size(types))];
    }
    /// Returns an instruction other than a jump. Even unused slots have operands.
    Ins other() {
        constexpr Opcode of_floats[] = {Opcode::mul,   Opcode::mad,   Opcode::dst,  Opcode::dp3,
                                        Opcode::dp4,   Opcode::rcp,   Opcode::rsq,  Opcode::sqrt,
                                        Opcode::frc,   Opcode::floor, Opcode::ceil, Opcode::sign,
                                        Opcode::movar, Opcode::mad,   Opcode::mul};
        constexpr Opcode of_any[] = {Opcode::mov, Opcode::add,     Opcode::select, Opcode::set,
                                     Opcode::cmp, Opcode::texkill, Opcode::nop};
        constexpr Opcode of_integers[] = {Opcode::imullo0, Opcode::imadlo0, Opcode::lshift,
                                          Opcode::bitwise_and, Opcode::bitwise_xor};
        Ins i;
        const unsigned kind = random_.below(20);
        if (kind < 10) {
            i.op = of_floats[random_.below(std::size(of_floats))];
        } else if (kind < 19) {
            i.op = of_any[random_.below(std::size(of_any))];
            i.type = type();
        } else {
            i.op = of_integers[random_.below(std::size(of_integers))];
            i.type = random_.chance(50) ? Type::s32 : Type::u32;
        }
        const bool kills = i.op == Opcode::texkill;
        i.dst = kills || i.op == Opcode::nop ? nowhere : destination();
        for (Src& s : i.src)
            s = source();
        i.cond = Condition(random_.below(16));
        if (kills && random_.chance(80))
            i.cond = Condition::lz;
        i.sat = i.op != Opcode::movar && random_.chance(10);
        return i;
    }
    /// Returns a jump. Few jumps go backward, so that most programs end.
    Ins jump(unsigned size, size_t at) {
        Ins i = branch(Condition(random_.below(16)), source(), source(),
                       random_.chance(15) ? random_.below(size + 3)
                                          : unsigned(at) + 1 + random_.below(6),
                       type());
        const unsigned kind = random_.below(10);
        if (kind == 0)
            i.op = Opcode::branch_any;
        if (kind == 1) {
            i.op = random_.chance(50) ? Opcode::call : Opcode::ret;
            i.cond = Condition::always;
        }
        return i;
    }

    Random& random_;
    bool flow_;
};

bool same(float a, float b) {
    return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b);
}

struct Inputs {
    explicit Inputs(Random& random) {
        for (auto& reg : temporaries)
            for (auto& component : reg)
                for (float& x : component)
                    x = random.number();
        for (auto& uniform : uniforms)
            for (float& x : uniform)
                x = random.number();
    }
    void put_into(ShaderState& state) const {
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (unsigned c = 0; c < 4; c++)
                state.temporary(reg)[c].f = temporaries[reg][c];
        for (unsigned lane = 0; lane < lane_count; lane++)
            state.face().f[lane] = float(lane % 3 == 0);
    }

    std::array<std::array<std::array<float, lane_count>, 4>, temporary_count> temporaries;
    Uniforms uniforms;
};

std::string listing(const std::vector<uint32_t>& words) {
    std::string text;
    for (size_t n = 0; n < words.size() / 4; n++)
        text += std::to_string(n) + " " + disassemble(decode(&words[4 * n])) + "\n";
    return text;
}

/// Returns the output components: all, or so few that most of the program is dead code.
Components some_components(Random& random) {
    Components some = all_components();
    if (random.chance(50))
        for (uint8_t& mask : some)
            mask = uint8_t(random.chance(20) ? random.below(16) : 0);
    return some;
}

/// The implementation that computes lanes.
enum class Way : uint8_t { portable, best, compiled };

/// Runs a random program on 64 lanes at once and lane by lane, and compares the results.
void compare(Random& random, ShaderState& state, bool flow, Way way, unsigned& ended,
             unsigned& compiled) {
    const std::vector<Ins> code = Author(random, flow).program();
    const Inputs inputs(random);
    inputs.put_into(state);
    const std::vector<uint32_t> words = encode(code);
    const Components outputs = some_components(random);
    const Program program(words, outputs);
    Batch how;
    how.quads = false;
    how.budget = 2000;
    const auto code_of_it = way == Way::compiled ? jit::compile(program) : nullptr;
    how.compiled = code_of_it.get();
    compiled += how.compiled != nullptr;
    how.live = random.chance(50) ? ~LaneMask(0) : LaneMask(random.word()) << 7 | 1;
    const Outcome outcome = run(program, inputs.uniforms, state, how);
    if (outcome.endless || outcome.killed == how.live)
        return;
    ended++;
    for (unsigned lane = 0; lane < lane_count; lane++) {
        if (!(how.live >> lane & 1))
            continue;
        ScalarShader scalar;
        std::copy_n(inputs.uniforms.begin(), scalar.u.size(), scalar.u.begin());
        scalar.face = float(lane % 3 == 0);
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (unsigned c = 0; c < 4; c++)
                scalar.t[reg][c] = inputs.temporaries[reg][c][lane];
        ASSERT_TRUE(scalar.run(code, 4000));
        ASSERT_EQ(scalar.killed, outcome.killed >> lane & 1) << lane << "\n" << listing(words);
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (unsigned c = 0; c < 4; c++)
                ASSERT_TRUE(!(outputs[reg] >> c & 1) ||
                            same(scalar.t[reg][c], state.temporary(reg)[c].f[lane]))
                    << "lane " << lane << " t" << reg << "."
                    << "xyzw"[c] << ": " << scalar.t[reg][c] << " and "
                    << state.temporary(reg)[c].f[lane] << "\n"
                    << listing(words);
    }
}

class RandomPrograms : public testing::TestWithParam<Way> {
protected:
    void SetUp() override {
        if (GetParam() == Way::compiled && !jit::can_compile())
            GTEST_SKIP() << "no compiler for this host, or in this build";
    }
    void play(bool flow, double usually_end) {
        unsigned ended = 0, compiled = 0;
        RandomCases cases(1000);
        for (const auto [seed, number] : cases) {
            Random random(uint32_t(2 * (seed * 1'000'003 + number) + flow));
            compare(random, *state_, flow, GetParam(), ended, compiled);
            ASSERT_FALSE(HasFatalFailure())
                << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
        }
        if (cases.only_one())
            return;
        const auto all = static_cast<double>(cases.played());
        EXPECT_GE(ended, least(usually_end * all));
        if (GetParam() == Way::compiled && !flow) {
            EXPECT_GE(compiled, least(0.9 * all));
        }
    }

    const processor::Portable portable_{GetParam() == Way::portable};
    const std::unique_ptr<ShaderState> state_ = std::make_unique<ShaderState>();
};

TEST_P(RandomPrograms, OfArithmeticAreThoseOfEachLane) {
    play(false, 0.8);
}

TEST_P(RandomPrograms, OfBranchesAreThoseOfEachLane) {
    play(true, 0.5);
}

/// The texel is the coordinate with its components rotated. Lanes that are not live get other
/// values.
class AnyTexturing : public Texturing {
public:
    void sample(const TextureRequest& request, Vector& texel) override {
        const Vector from = *request.coordinate;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < lane_count; lane++) {
                const float x = from[(c + request.sampler) % 4].f[lane];
                texel[c].f[lane] = request.live >> lane & 1 ? x : float(lane);
            }
    }
    void load(const LoadRequest&, Vector&) override {}
};

/// The temporaries of the live lanes after a run, and the outcome of the run.
struct Ran {
    std::vector<float> registers;
    Outcome outcome;
    bool is_compiled = false;

    Ran(const std::vector<uint32_t>& words, const Inputs& inputs, ShaderState& state, Batch how,
        Way way) {
        AnyTexturing texturing;
        how.texturing = &texturing;
        inputs.put_into(state);
        const Program program(words, all_components());
        const processor::Portable portable(way == Way::portable);
        const auto compiled = way == Way::compiled ? jit::compile(program) : nullptr;
        how.compiled = compiled.get();
        is_compiled = compiled != nullptr;
        outcome = run(program, inputs.uniforms, state, how);
        if (outcome.killed == how.live)
            return; // registers of killed lanes are not used
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (unsigned c = 0; c < 4; c++)
                for (unsigned lane = 0; lane < lane_count; lane++)
                    if (how.live >> lane & 1)
                        registers.push_back(state.temporary(reg)[c].f[lane]);
    }
    bool is(const Ran& other) const {
        return registers.size() == other.registers.size() &&
               !std::memcmp(registers.data(), other.registers.data(), 4 * registers.size()) &&
               outcome.killed == other.outcome.killed && outcome.endless == other.outcome.endless &&
               outcome.executed == other.outcome.executed;
    }
};

/// Returns random words, most of which have valid opcodes, conditions and registers.
std::vector<uint32_t> hostile_words(Random& random) {
    std::vector<uint32_t> words(4 * (1 + random.below(24)));
    for (uint32_t& word : words)
        word = random.word();
    if (random.chance(20))
        return words;
    for (size_t n = 0; n < words.size(); n += 4) {
        words[n] &= ~(1u << 15 | 0x70u << 16 | 0x400u); // clears a0.w, t16 and up, rare conditions
        words[n + 1] &= ~(0x1F8u << 12);                // limits registers to 0 to 7
        words[n + 2] &= ~(0x1F8u << 7 | uint32_t(random.chance(70)) << 16);
        words[n + 3] &= ~(0x1F8u << 4);
        if (random.chance(20)) // makes it a branch
            words[n] = (words[n] & ~0x3Fu) | 0x16;
        if (random.chance(50))
            words[n + 3] = (words[n + 3] & ~(0x7FFFu << 7)) | random.below(24) << 7;
    }
    return words;
}

// Every run must end, with results that do not depend on the processor. A sanitizer would find
// undefined behavior.
TEST(HostilePrograms, EndWithTheSameBytesOnAllProcessorsAndAsMachineCode) {
    Random any(3);
    const auto state = std::make_unique<ShaderState>();
    const Inputs inputs(any);
    unsigned endless = 0, branching = 0, compiled = 0;
    RandomCases cases(100000);
    for (const auto [seed, number] : cases) {
        Random random(uint32_t(seed * 1'000'003 + number));
        const std::vector<uint32_t> words = hostile_words(random);
        (void)listing(words);
        Batch how;
        how.quads = random.chance(50);
        how.live = random.chance(50) ? ~LaneMask(0) : LaneMask(random.word()) << random.below(32);
        how.budget = 300;
        const Ran best(words, inputs, *state, how, Way::best);
        const Ran portable(words, inputs, *state, how, Way::portable);
        ASSERT_TRUE(best.is(portable))
            << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
            << listing(words);
        const Ran code(words, inputs, *state, how, Way::compiled);
        ASSERT_TRUE(best.is(code)) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << listing(words);
        compiled += code.is_compiled;
        endless += best.outcome.endless;
        branching += Program(words, all_components()).traits().branches;
    }
    if (cases.only_one())
        return;
    const auto all = static_cast<double>(cases.played());
    EXPECT_GE(endless, least(0.001 * all));
    EXPECT_GE(branching, least(0.01 * all));
    if (jit::can_compile()) {
        EXPECT_GE(compiled, least(0.1 * all));
    }
}

std::string name_of(const testing::TestParamInfo<Way>& way) {
    constexpr const char* names[] = {"Portable", "Best", "Compiled"};
    return names[size_t(way.param)];
}
INSTANTIATE_TEST_SUITE_P(Loops, RandomPrograms,
                         testing::Values(Way::portable, Way::best, Way::compiled), name_of);

} // namespace
} // namespace pixmill::vivante
