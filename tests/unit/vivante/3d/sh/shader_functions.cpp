// Special values and accuracy of functions of a single number. Expected results are from IEEE 754
// if it defines them, otherwise from rnndb isa.xml and GLSL ES 1.00.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "shader_machine.hpp"
#include "tests/processor.hpp"
#include "vivante/3d/sh/jit/compiled_program.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;

constexpr float inf = INFINITY, nan = NAN;

class ShaderFunctions : public testing::TestWithParam<bool>, public ShaderMachine {
protected:
    const processor::Portable portable_{GetParam()};

    float of(const Ins& instruction, float x, float y = 0) {
        set(0, {x, x, x, x});
        set(1, {y, y, y, y});
        run({instruction});
        return get(2, 63)[0];
    }
    float of(Opcode op, float x) { return of(one(op, to(2, "x"), t(0, "x")), x); }

    /// Expects that `error` is at most `limit` in `count` runs of 64 arguments: first,
    /// first + step ...
    void sweep(Opcode op, float first, float step, unsigned count,
               const std::function<double(double, float)>& error, double limit) {
        const Program program(encode(std::vector<Ins>{one(op, to(2, "x"), t(0, "x"))}),
                              all_components());
        for (unsigned n = 0; n < count; n++) {
            for (unsigned lane = 0; lane < lane_count; lane++)
                lanes(0, 0)[lane] = first + step * float(n * lane_count + lane);
            vivante::run(program, uniforms, state(), how);
            // Each lane separately, even for EXP and LOG.
            for (unsigned lane = 0; lane < lane_count; lane++)
                ASSERT_LE(error(double(lanes(0, 0)[lane]), lanes(2, 0)[lane]), limit)
                    << lanes(0, 0)[lane] << " -> " << lanes(2, 0)[lane];
        }
    }
};

/// Returns the error in units in the last place of the exact result.
double ulps(double exact, float result) {
    const double next = std::nextafter(float(std::fabs(exact)), inf);
    const double unit = next - double(float(std::fabs(exact)));
    return std::fabs(double(result) - exact) / unit;
}

struct Special {
    Opcode op;
    float x, y;
};

constexpr uint32_t bits(float x) {
    return std::bit_cast<uint32_t>(x);
}

TEST_P(ShaderFunctions, SpecialValues) {
    constexpr float most = std::numeric_limits<float>::max();
    constexpr Special cases[] = {
        {Opcode::rcp, 0, inf},
        {Opcode::rcp, -0.0f, -inf},
        {Opcode::rcp, inf, 0},
        {Opcode::rcp, -inf, -0.0f},
        {Opcode::rcp, nan, nan},
        {Opcode::rcp, 1, 1},
        {Opcode::rcp, 0x1p-100f, 0x1p100f},
        {Opcode::rcp, -8, -0.125f},
        {Opcode::rsq, 0, inf},
        {Opcode::rsq, -0.0f, -inf},
        {Opcode::rsq, -1, nan},
        {Opcode::rsq, inf, 0},
        {Opcode::rsq, 1, 1},
        {Opcode::rsq, nan, nan},
        {Opcode::sqrt, -1, nan},
        {Opcode::sqrt, inf, inf},
        {Opcode::sqrt, 0, 0},
        {Opcode::sqrt, 9, 3},
        {Opcode::exp, -inf, 0},
        {Opcode::exp, inf, inf},
        {Opcode::exp, 128, inf},
        {Opcode::exp, 1e30f, inf},
        {Opcode::exp, -1e30f, 0},
        {Opcode::exp, -126, 0x1p-126f},
        {Opcode::exp, -127, 0},
        {Opcode::exp, nan, nan},
        {Opcode::exp, -0.0f, 1},
        {Opcode::log, 0, -inf},
        {Opcode::log, -0.0f, -inf},
        {Opcode::log, -1, nan},
        {Opcode::log, -inf, nan},
        {Opcode::log, inf, inf},
        {Opcode::log, nan, nan},
        {Opcode::log, 1, 0},
        {Opcode::log, 0x1p-126f, -126},
        {Opcode::sin, inf, nan},
        {Opcode::sin, -inf, nan},
        {Opcode::sin, nan, nan},
        {Opcode::cos, inf, nan},
        {Opcode::cos, nan, nan},
        {Opcode::cos, most, 1}, // a multiple of four quarter turns
        {Opcode::frc, -0x1p-30f, 0x1.fffffep-1f},
        {Opcode::frc, 1.25f, 0.25f},
        {Opcode::frc, -1.25f, 0.75f},
        {Opcode::frc, 16777216, 0},
        {Opcode::frc, 3, 0},
        {Opcode::frc, inf, nan},
        {Opcode::frc, -inf, nan},
        {Opcode::frc, nan, nan},
        {Opcode::floor, -1.5f, -2},
        {Opcode::floor, -0.0f, -0.0f},
        {Opcode::floor, 0.75f, 0},
        {Opcode::floor, -0.25f, -1},
        {Opcode::floor, -8388609, -8388609},
        {Opcode::floor, 8388607.5f, 8388607},
        {Opcode::floor, most, most},
        {Opcode::floor, -inf, -inf},
        {Opcode::floor, nan, nan},
        {Opcode::ceil, 1.25f, 2},
        {Opcode::ceil, -0.5f, -0.0f},
        {Opcode::ceil, 0x1p-126f, 1},
        {Opcode::ceil, -3, -3},
        {Opcode::ceil, inf, inf},
        {Opcode::ceil, nan, nan},
        {Opcode::sign, 0, 0},
        {Opcode::sign, -0.0f, 0},
        {Opcode::sign, 0x1p-126f, 1},
        {Opcode::sign, -inf, -1},
        {Opcode::sign, nan, 0},
    };
    for (const Special& c : cases) {
        const float y = of(c.op, c.x);
        if (c.y != c.y)
            EXPECT_EQ(bits(y), 0xFFFFFFFFu) << opcode_info(uint8_t(c.op)).name << " " << c.x;
        else
            EXPECT_EQ(bits(y), bits(c.y)) << opcode_info(uint8_t(c.op)).name << " " << c.x;
    }
}

TEST_P(ShaderFunctions, AreExactWhereTheirResultsAre) {
    for (int n = -126; n < 128; n++) {
        EXPECT_EQ(of(Opcode::exp, float(n)), std::ldexp(1.0f, n));
        EXPECT_EQ(of(Opcode::log, std::ldexp(1.0f, n)), float(n));
    }
    constexpr float quarters[] = {0, 1, 0, -1};
    for (int n = -41; n < 41; n++) {
        EXPECT_EQ(of(Opcode::sin, float(n)), quarters[n & 3]);
        EXPECT_EQ(of(Opcode::cos, float(n)), quarters[(n + 1) & 3]);
    }
    EXPECT_EQ(of(Opcode::sin, 1e9f), 0); // 10^9 quarter turns, a multiple of 4
    EXPECT_EQ(of(Opcode::cos, -8388611), -0.0f);
}

TEST_P(ShaderFunctions, ExpIsWithinTwoUnits) {
    const auto error = [](double x, float y) { return ulps(std::exp2(x), y); };
    sweep(Opcode::exp, -3, 0x1p-15f, 3000, error, 2);
    sweep(Opcode::exp, -125.9f, 0.00391f, 1000, error, 2);
}

TEST_P(ShaderFunctions, LogIsClose) {
    const auto absolute = [](double x, float y) { return std::fabs(std::log2(x) - double(y)); };
    sweep(Opcode::log, 0.5f, 0x1p-18f, 6000, absolute, 0x1p-21);
    const auto in_units = [](double x, float y) {
        return std::fabs(std::log2(x) - double(y)) / std::fmax(1, std::fabs(std::log2(x)));
    };
    sweep(Opcode::log, 1e-30f, 1.1e-30f, 500, in_units, 0x1p-22);
    sweep(Opcode::log, 3, 17.77f, 2000, in_units, 0x1p-22);
    sweep(Opcode::log, 0x1p-126f, 0x1p-127f, 20, in_units, 0x1p-22);
}

TEST_P(ShaderFunctions, SinAndCosAreClose) {
    const auto sine = [](double x, float y) { return std::fabs(std::sin(x * M_PI_2) - double(y)); };
    const auto cosine = [](double x, float y) {
        return std::fabs(std::cos(x * M_PI_2) - double(y));
    };
    for (const float first : {-4.5f, 1000.25f, -70000.0f}) {
        sweep(Opcode::sin, first, 0x1p-13f, 1200, sine, 0x1p-20);
        sweep(Opcode::cos, first, 0x1p-13f, 1200, cosine, 0x1p-20);
    }
}

TEST_P(ShaderFunctions, RootsAndReciprocalsAreClose) {
    const auto rsq = [](double x, float y) { return ulps(1 / std::sqrt(x), y); };
    const auto sqrt = [](double x, float y) { return ulps(std::sqrt(x), y); };
    const auto rcp = [](double x, float y) { return ulps(1 / x, y); };
    for (const auto& [first, step] :
         {std::pair{0.25f, 0x1p-16f}, {1e-20f, 3e-20f}, {5.f, 1234.f}}) {
        sweep(Opcode::rsq, first, step, 1000, rsq, 2);
        sweep(Opcode::sqrt, first, step, 1000, sqrt, 0.5001);
        sweep(Opcode::rcp, first, step, 1000, rcp, 0.5001);
    }
}

TEST_P(ShaderFunctions, SaturationKeepsWithinZeroAndOne) {
    Ins saturated = mov(to(2), t(0));
    saturated.sat = true;
    EXPECT_EQ(of(saturated, nan), 0);
    EXPECT_EQ(of(saturated, -0.5f), 0);
    EXPECT_EQ(of(saturated, inf), 1);
    EXPECT_EQ(of(saturated, 1), 1);
    EXPECT_EQ(of(saturated, 0x1.fffffep-1f), 0x1.fffffep-1f);
    EXPECT_EQ(of(saturated, 0x1p-126f), 0x1p-126f);
    EXPECT_EQ(bits(of(saturated, 0x1p-149f)), 0u);
    Ins function = one(Opcode::rcp, to(2), t(0));
    function.sat = true;
    EXPECT_EQ(of(function, 0.25f), 1);
}

TEST_P(ShaderFunctions, MovCopiesBits) {
    for (const uint32_t pattern : {0x7F800001u, 0xFFFFFFFFu, 0x00000001u, 0x80000000u})
        EXPECT_EQ(bits(of(mov(to(2), t(0)), std::bit_cast<float>(pattern))), pattern);
}

struct Tiny {
    Ins instruction;
    uint32_t x, y, result;
};

// Numbers below 2^-126 count as zero, as piglit's fs-underflow-*-compare-zero show, which pass on a
// GC2000. Expected values are calculated by hand: 0x00800000 is 2^-126, 0x00400000 is half of it,
// and 0x00000001 is 2^-149.
TEST_P(ShaderFunctions, NumbersBelowTheLeastNormalOneAreZeros) {
    constexpr uint32_t least = 0x00800000, half_of_it = 0x00400000, smallest = 0x00000001,
                       minus = 0x80000000, half = 0x3F000000, two = 0x40000000,
                       one_bits = 0x3F800000, infinity = 0x7F800000;
    const Src x = t(0), y = t(1);
    const Dst d = to(2);
    const Ins multiply = mul(d, x, y), plus = add(d, x, y);
    const Tiny cases[] = {
        // results
        {multiply, least, half, 0},
        {multiply, least | minus, half, minus},
        {multiply, 0x20000000, 0x1F800000, 0}, // 2^-63 * 2^-64
        {multiply, least, one_bits, least},
        // 2^-126 (1 - 2^-24) needs no rounding to 24 bits, and is too small.
        {multiply, 0x00FFFFFF, half, 0},
        {multiply, 0x00800001, 0x3F7FFFFE, least}, // (1 + 2^-23) (1 - 2^-23) = 1 - 2^-46
        {plus, 0x00C00000, least | minus, 0},      // 2^-126 (1.5 - 1)
        {plus, least, 0x00C00000 | minus, minus},
        {plus, least, least, 0x01000000},
        {one(Opcode::rcp, d, x), 0x7E800000, 0, least}, // 1 / 2^126
        {one(Opcode::rcp, d, x), 0x7E800001, 0, 0},
        {one(Opcode::rcp, d, x), 0xFF7FFFFF, 0, minus},
        {one(Opcode::exp, d, x), 0xC2FE0000, 0, 0}, // 2^-127
        {mad(d, x, y, y), least, half, half},
        // -2^-126 / 2 + 2^-126, where the product becomes zero before the sum.
        {mad(d, x, y, absolute(x)), least | minus, half, least},
        {Ins{Opcode::dp3, d, {x, y, none}}, 0x1FC00000, 0x1FC00000, 0}, // 3 times 1.5^2 * 2^-128
        // operands
        {plus, half_of_it, half_of_it, 0},
        {plus, smallest | minus, smallest | minus, minus},
        {multiply, smallest, 0x7F000000, 0}, // 2^-149 * 2^127
        {one(Opcode::rcp, d, x), smallest, 0, infinity},
        {one(Opcode::rcp, d, x), smallest | minus, 0, infinity | minus},
        {one(Opcode::rsq, d, x), smallest, 0, infinity},
        {one(Opcode::sqrt, d, x), half_of_it, 0, 0},
        {one(Opcode::sqrt, d, x), half_of_it | minus, 0, minus},
        {one(Opcode::log, d, x), half_of_it, 0, infinity | minus},
        {one(Opcode::log, d, x), half_of_it | minus, 0, infinity | minus},
        {one(Opcode::exp, d, x), smallest, 0, one_bits},
        {one(Opcode::sin, d, x), smallest, 0, 0},
        {one(Opcode::sign, d, x), half_of_it | minus, 0, 0},
        {one(Opcode::floor, d, x), half_of_it | minus, 0, minus},
        {one(Opcode::ceil, d, x), half_of_it, 0, 0},
        {one(Opcode::frc, d, x), half_of_it | minus, 0, 0},
        // comparisons
        {test::set(Condition::gz, d, x, y), smallest, 0, 0},
        {test::set(Condition::gt, d, x, y), half_of_it, smallest, 0},
        {test::set(Condition::eq, d, x, y), half_of_it, smallest | minus, one_bits},
        {test::set(Condition::nz, d, x, y), half_of_it, 0, 0},
        {test::set(Condition::lt, d, x, y), half_of_it, least, one_bits},
        // Moves must keep all bits.
        {mov(d, x), half_of_it, 0, half_of_it},
        {mov(d, -x), half_of_it, 0, half_of_it | minus},
        {select(Condition::le, d, x, y, x), two, half_of_it, two},
        {select(Condition::ge, d, x, y, x), two, half_of_it, half_of_it},
        {select(Condition::gt, d, x, y, y), two, half_of_it, half_of_it}, // uses another loop
        {test::set(Condition::bitwise_and, d, x, y), smallest, smallest, one_bits},
    };
    for (const Tiny& c : cases) {
        const auto result = [&] {
            const float a = std::bit_cast<float>(c.x), b = std::bit_cast<float>(c.y);
            return bits(of(c.instruction, a, b));
        };
        const auto what = std::string(opcode_info(uint8_t(c.instruction.op)).name) + " of " +
                          std::to_string(c.x) + ", " + std::to_string(c.y);
        EXPECT_EQ(result(), c.result) << what;
        const auto compiled =
            jit::compile(Program(encode(std::vector<Ins>{c.instruction}), all_components()));
        how.compiled = compiled.get();
        EXPECT_EQ(result(), c.result) << what << ", machine code";
        how.compiled = nullptr;
    }
}

// Integers and texels are not flushed to zero.
TEST_P(ShaderFunctions, TinyNumbersOfOthersStayNumbers) {
    Ins integers = add(to(2), t(0), t(1));
    integers.type = Type::u32;
    EXPECT_EQ(bits(of(integers, std::bit_cast<float>(1), std::bit_cast<float>(2))), 3u);

    struct Halving : Texturing {
        void sample(const TextureRequest& request, Vector& texel) override {
            for (unsigned c = 0; c < 4; c++)
                for (unsigned lane = 0; lane < lane_count; lane++)
                    texel[c].f[lane] = (*request.coordinate)[c].f[lane] * 0.5f;
        }
        void load(const LoadRequest&, Vector&) override {}
    } halving;
    how.texturing = &halving;
    volatile float least = 0x1p-126f; // prevents constant folding below
    const Ins fetch{Opcode::texld, to(2), {t(0), none, none}};
    EXPECT_EQ(of(fetch, least), 0x1p-127f);
    EXPECT_EQ(least * 0.5f, 0x1p-127f); // the run must restore the FP mode
}

struct Compared {
    Condition condition;
    float a, b;
    bool holds;
};

TEST_P(ShaderFunctions, Conditions) {
    constexpr Compared cases[] = {
        {Condition::always, 0, 1, true},       {Condition::gt, 2, 1, true},
        {Condition::gt, 1, 1, false},          {Condition::gt, nan, 1, false},
        {Condition::lt, 1, 2, true},           {Condition::lt, 2, nan, false},
        {Condition::ge, 1, 1, true},           {Condition::ge, nan, nan, false},
        {Condition::le, -1, -1, true},         {Condition::le, 0, -1, false},
        {Condition::eq, 0, -0.0f, true},       {Condition::eq, nan, nan, false},
        {Condition::ne, 1, 2, true},           {Condition::ne, nan, nan, true},
        {Condition::is_not, -0.0f, 5, true},   {Condition::is_not, 1, 0, false},
        {Condition::nz, -0.0f, 5, false},      {Condition::nz, 1, 0, true},
        {Condition::gez, -0.0f, 5, true},      {Condition::gez, -1, -2, false},
        {Condition::gz, 0, -1, false},         {Condition::gz, 1, 2, true},
        {Condition::lez, 0, -1, true},         {Condition::lez, 1, 2, false},
        {Condition::lz, -1, -2, true},         {Condition::lz, -0.0f, 1, false},
        {Condition::bitwise_and, 1, 2, false}, {Condition::bitwise_and, 1, 1.5f, true},
        {Condition::bitwise_or, 0, 0, false},  {Condition::bitwise_or, 0, 1, true},
        {Condition::bitwise_xor, 3, 3, false}, {Condition::bitwise_xor, 0, -0.0f, true},
    };
    uniforms[0] = {7, 7, 7, 7};
    for (const Compared& c : cases) {
        const auto code = unsigned(c.condition);
        EXPECT_EQ(of(test::set(c.condition, to(2), t(0), t(1)), c.a, c.b), float(c.holds)) << code;
        const float other = of(select(c.condition, to(2), t(0), t(1), u(0)), c.a, c.b);
        EXPECT_EQ(bits(other), bits(c.holds ? c.b : 7)) << code;
        of(kill(c.condition, t(0), t(1)), c.a, c.b);
        EXPECT_EQ(outcome.killed, c.holds ? ~LaneMask(0) : 0) << code;
    }
    // As Mesa computes a minimum: the result is a if b is NaN, and NaN if a is NaN.
    EXPECT_EQ(of(select(Condition::gt, to(2), t(0), t(1), t(0)), 3, nan), 3);
    EXPECT_TRUE(std::isnan(of(select(Condition::gt, to(2), t(0), t(1), t(0)), nan, 3)));
}

// Integers are compared by their type: 0xFFFFFFFF is -1 if signed, and above 5 if unsigned.
TEST_P(ShaderFunctions, ConditionsOfIntegers) {
    Ins less = test::set(Condition::lt, to(2), t(0), t(1));
    const float minus_one = std::bit_cast<float>(0xFFFFFFFF), five = std::bit_cast<float>(5);
    less.type = Type::s32;
    EXPECT_EQ(of(less, minus_one, five), 1);
    less.type = Type::u32;
    EXPECT_EQ(of(less, minus_one, five), 0);
}

struct Converted {
    Opcode op;
    Type type;
    uint32_t from, to;
};

// NaNs are converted as Vivante's OpenCL code for a GC2000 expects (etna_viv's instruction
// verifier).
TEST_P(ShaderFunctions, IntegersOfTheGC2000) {
    constexpr uint32_t two_and_half = 0x40200000, three_and_half = 0x40600000;
    constexpr Converted cases[] = {
        {Opcode::f2i, Type::s32, 0xFFC00000, 0x80000000},
        {Opcode::f2i, Type::s32, 0x7FC00000, 0x7FFFFFFF},
        {Opcode::f2i, Type::u32, 0xFFC00000, 0x00000000},
        {Opcode::f2i, Type::u32, 0x7FC00000, 0xFFFFFFFF},
        {Opcode::f2i, Type::s32, 0x4F000000, 0x7FFFFFFF}, // from 2^31
        {Opcode::f2i, Type::s32, 0xCF800000, 0x80000000}, // from -2^32
        {Opcode::f2i, Type::u32, 0x4F800000, 0xFFFFFFFF}, // from 2^32
        {Opcode::f2i, Type::u32, 0xBF800000, 0x00000000},
        {Opcode::f2i, Type::u32, 0x4F000000, 0x80000000},
        {Opcode::f2i, Type::s32, 0xC0700000, 0xFFFFFFFD}, // from -3.75
        {Opcode::f2i, Type::u8, 0x43960000, 0x000000FF},  // from 300
        {Opcode::f2i, Type::s8, 0xC3960000, 0xFFFFFF80},
        {Opcode::f2irnd, Type::s32, two_and_half, 2},
        {Opcode::f2irnd, Type::s32, three_and_half, 4},
        {Opcode::f2irnd, Type::s32, 0xC0600000, 0xFFFFFFFC},
        {Opcode::i2f, Type::s32, 0xFFFFFFFF, 0xBF800000},
        {Opcode::i2f, Type::u32, 0x80000000, 0x4F000000},
        {Opcode::i2i, Type::s8, 0x12345680, 0xFFFFFF80},
        {Opcode::i2i, Type::u16, 0x12345680, 0x00005680},
    };
    for (const Converted& c : cases) {
        Ins i{c.op, to(2), {t(0, "x"), none, none}};
        i.type = c.type;
        EXPECT_EQ(bits(of(i, std::bit_cast<float>(c.from))), c.to)
            << opcode_info(uint8_t(c.op)).name << " " << std::hex << c.from;
    }
}

struct OfTwo {
    Opcode op;
    Type type;
    uint32_t a, b, result;
};

TEST_P(ShaderFunctions, IntegerArithmetic) {
    constexpr OfTwo cases[] = {
        {Opcode::add, Type::u32, 0xFFFFFFFF, 3, 2},
        {Opcode::iaddsat, Type::s32, 0x7FFFFFFF, 1, 0x7FFFFFFF},
        {Opcode::iaddsat, Type::s32, 0x80000000, 0xFFFFFFFF, 0x80000000},
        {Opcode::iaddsat, Type::u32, 0xFFFFFFFF, 1, 0xFFFFFFFF},
        {Opcode::imulhi0, Type::s32, 0xFFFFFFFF, 2, 0xFFFFFFFF},
        {Opcode::imulhi0, Type::u32, 0xFFFFFFFF, 2, 1},
        {Opcode::lshift, Type::u32, 3, 33, 6},
        {Opcode::rshift, Type::s32, 0x80000000, 4, 0xF8000000},
        {Opcode::rshift, Type::u32, 0x80000000, 4, 0x08000000},
        {Opcode::rotate, Type::u32, 0x80000001, 4, 0x00000018},
        {Opcode::bitwise_or, Type::u32, 0xF0, 0x0F, 0xFF},
        {Opcode::bitwise_and, Type::u32, 0xF1, 0x0F, 0x01},
        {Opcode::bitwise_xor, Type::u32, 0xF1, 0x0F, 0xFE},
        {Opcode::bitwise_not, Type::u32, 0, 0x0F, 0xFFFFFFF0},
        {Opcode::leadzero, Type::u32, 0, 0x00010000, 15},
        {Opcode::leadzero, Type::u32, 0, 0, 32},
        {Opcode::iabs, Type::s32, 0, 0xFFFFFFFB, 5},
    };
    for (const OfTwo& c : cases) {
        const bool multiplies = c.op == Opcode::imulhi0;
        Ins i{
            c.op, to(2), {t(0, "x"), multiplies ? t(1, "x") : none, multiplies ? none : t(1, "x")}};
        i.type = c.type;
        EXPECT_EQ(bits(of(i, std::bit_cast<float>(c.a), std::bit_cast<float>(c.b))), c.result)
            << opcode_info(uint8_t(c.op)).name << " " << std::hex << c.a;
    }
    // The first component of each swizzle, y here, is used for all components.
    Ins all = add(to(2), t(0, "yzwx"), t(1, "yzwx"));
    all.type = Type::u32;
    const auto integer = [](uint32_t x) { return std::bit_cast<float>(x); };
    set(0, {integer(1), integer(2), integer(3), integer(4)});
    set(1, {integer(10), integer(20), integer(30), integer(40)});
    run({all});
    for (unsigned c = 0; c < 4; c++)
        EXPECT_EQ(bits(get(2)[c]), 22u);
}

TEST_P(ShaderFunctions, LightingVectors) {
    set(0, {1, 2, 3, 4});
    set(1, {5, 6, 7, 8});
    run({Ins{Opcode::dst, to(2), {t(0), t(1), none}}});
    EXPECT_EQ(get(2), (Value{1, 12, 3, 8}));
    set(3, {4, 0, 0, 0});
    const Ins litp{Opcode::litp, to(2), {t(0), t(1), t(3)}};
    run({litp});
    EXPECT_EQ(get(2), (Value{1, 6, 16, 1}));
    set(0, {1, -2, 3, 4});
    run({litp});
    EXPECT_EQ(get(2), (Value{1, 0, 16, 1}));
    set(1, {5, 6, 0, 8});
    run({litp});
    EXPECT_EQ(get(2), (Value{1, 0, 0, 1}));
    set(1, {5, 6, 7, 8});
    run({Ins{Opcode::litp, to(2), {none, t(1), t(3)}}});
    EXPECT_EQ(get(2), (Value{1, 6, 16, 1}));
}

INSTANTIATE_TEST_SUITE_P(Loops, ShaderFunctions, testing::Bool(),
                         [](const auto& portable) { return portable.param ? "Portable" : "Best"; });

} // namespace
} // namespace pixmill::vivante
