// A second shader, for the tests. It executes one instruction of one lane at a time and follows
// the text of rnndb isa.xml and Mesa's etnaviv.xml. It shares no code with the model, and its
// instructions are not encoded in words.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assembler.hpp"

namespace pixmill::vivante::test {

class ScalarShader {
public:
    using Value = std::array<float, 4>;

    std::array<Value, 64> t{};
    std::array<Value, 256> u{};
    float face = 0;
    bool killed = false;
    unsigned executed = 0;

    /// Runs the program. Returns false if it does not end within `budget` instructions.
    bool run(const std::vector<Ins>& code, unsigned budget) {
        std::vector<unsigned> calls;
        for (unsigned pc = 0; pc < code.size();) {
            if (executed++ == budget)
                return false;
            const Ins& i = code[pc++];
            switch (i.op) {
            case Opcode::branch:
            case Opcode::branch_any:
                if (jumps(i))
                    pc = i.target;
                break;
            case Opcode::call:
                if (calls.size() == 16)
                    return true;
                calls.push_back(pc);
                pc = i.target;
                break;
            case Opcode::ret:
                if (calls.empty())
                    return true;
                pc = calls.back();
                calls.pop_back();
                break;
            case Opcode::texkill:
                killed = killed || holds(i, read(i, 0)[0], read(i, 1)[0]);
                break;
            default:
                write(i, result(i));
            }
        }
        return true;
    }

private:
    std::array<int, 4> a0_{};

    static uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
    static float real(uint32_t x) { return std::bit_cast<float>(x); }

    bool jumps(const Ins& i) const {
        const Value a = read(i, 0), b = read(i, 1);
        if (i.op == Opcode::branch)
            return holds(i, a[0], b[0]);
        bool any = false;
        for (unsigned c = 0; c < 4; c++)
            any = any || holds(i, a[c], b[c]);
        return any;
    }

    Value read(const Ins& i, unsigned slot) const {
        const Src& s = i.src[slot];
        Value from{}, to{};
        const int reg = int(s.reg) + (s.group == 3 ? 128 : 0) + (s.amode ? a0_[s.amode - 1] : 0);
        if (s.use && (s.group == 0 || s.group == 4) && reg >= 0 && reg < 64)
            from = t[unsigned(reg)];
        if (s.use && (s.group == 2 || s.group == 3) && reg >= 0 && reg < 256)
            from = u[unsigned(reg)];
        if (s.use && s.group == 1 && reg == 0)
            from = {face, 0, 0, 0};
        if (!s.use)
            return to;
        for (unsigned c = 0; c < 4; c++) {
            uint32_t word = bits(from[s.swizzle >> 2 * c & 3]);
            if (i.type == Type::f32) {
                word = s.abs ? word & 0x7FFFFFFF : word;
                word = s.neg ? word ^ 0x80000000 : word;
            } else {
                word = s.abs && int32_t(word) < 0 ? 0 - word : word;
                word = s.neg ? 0 - word : word;
            }
            to[c] = real(word);
        }
        return to;
    }

    /// Returns the operand of arithmetic and comparisons for x: numbers below 2^-126 are zero.
    static float seen(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.f, x) : x; }
    static Value seen(const Value& v) { return {seen(v[0]), seen(v[1]), seen(v[2]), seen(v[3])}; }
    /// Rounds to single precision as if exponents were unlimited. Results below 2^-126 are then
    /// zero.
    static float single(double exact) {
        const bool tiny = std::fabs(float(exact * 0x1p60)) < 0x1p-66f;
        return tiny ? std::copysign(0.f, float(exact)) : float(exact);
    }
    /// Calculated in double precision, where products of single-precision numbers are exact and
    /// sums are precise enough.
    static float product(float a, float b) { return single(double(a) * double(b)); }
    static float sum(float a, float b) { return single(double(a) + double(b)); }

    template<class Number>
    static bool compares(Condition cond, Number a, Number b) {
        switch (cond) {
        case Condition::gt:
            return a > b;
        case Condition::lt:
            return a < b;
        case Condition::ge:
            return a >= b;
        case Condition::le:
            return a <= b;
        case Condition::eq:
            return a == b;
        case Condition::ne:
            return !(a == b);
        case Condition::is_not:
            return a == 0;
        case Condition::nz:
            return !(a == 0);
        case Condition::gez:
            return a >= 0;
        case Condition::gz:
            return a > 0;
        case Condition::lez:
            return a <= 0;
        case Condition::lz:
            return a < 0;
        default:
            return true;
        }
    }

    static bool holds(const Ins& i, float a, float b) {
        switch (i.cond) {
        case Condition::bitwise_and:
            return (bits(a) & bits(b)) != 0;
        case Condition::bitwise_or:
            return (bits(a) | bits(b)) != 0;
        case Condition::bitwise_xor:
            return (bits(a) ^ bits(b)) != 0;
        default:
            if (i.type == Type::f32)
                return compares(i.cond, seen(a), seen(b));
            if (i.type == Type::s32)
                return compares(i.cond, int32_t(bits(a)), int32_t(bits(b)));
            return compares(i.cond, bits(a), bits(b));
        }
    }

    static float saturated(float x) { return !(seen(x) > 0) ? 0 : x < 1 ? x : 1; }

    void write(const Ins& i, Value v) {
        if (i.op == Opcode::nop || (!i.dst.use && i.op != Opcode::movar))
            return;
        if (i.op == Opcode::movar) {
            for (unsigned c = 0; c < 4; c++)
                if (i.dst.mask >> c & 1)
                    a0_[c] = !(v[c] == v[c])
                                 ? 0
                                 : int(std::nearbyint(std::fmin(std::fmax(v[c], -1e6f), 1e6f)));
            return;
        }
        const int reg = int(i.dst.reg) + (i.dst.amode ? a0_[i.dst.amode - 1] : 0);
        if (reg < 0 || reg >= 64)
            return;
        for (unsigned c = 0; c < 4; c++)
            if (i.dst.mask >> c & 1)
                t[unsigned(reg)][c] = i.sat && i.type == Type::f32 ? saturated(v[c]) : v[c];
    }

    /// Replaces any NaN by the one that arithmetic returns.
    static float arithmetic(float x) { return x == x ? x : real(0xFFFFFFFF); }

    static float fraction(float x) {
        const float f = x - std::floor(x);
        return f >= 1 ? 0x1.fffffep-1f : f;
    }

    Value result(const Ins& i) const {
        const Value a = read(i, 0), b = read(i, 1), c = read(i, 2);
        const Value x = seen(a), y = seen(b);
        const float dot3 = sum(sum(product(x[0], y[0]), product(x[1], y[1])), product(x[2], y[2]));
        Value v{};
        for (unsigned n = 0; n < 4; n++)
            v[n] = component(i, a, b, c, n, dot3);
        return v;
    }

    static float component(const Ins& i, const Value& a, const Value& b, const Value& c, unsigned n,
                           float dot3) {
        const float x = seen(a[n]), y = seen(b[n]), z = seen(c[n]);
        switch (i.op) {
        case Opcode::add:
            return i.type == Type::f32 ? arithmetic(sum(x, z)) : real(bits(a[0]) + bits(c[0]));
        case Opcode::mul:
            return arithmetic(product(x, y));
        case Opcode::mad:
            return arithmetic(sum(product(x, y), z));
        case Opcode::dst:
            return n == 0   ? 1
                   : n == 1 ? arithmetic(product(seen(a[1]), seen(b[1])))
                   : n == 2 ? a[2]
                            : b[3];
        case Opcode::dp3:
            return arithmetic(dot3);
        case Opcode::dp4:
            return arithmetic(sum(dot3, product(seen(a[3]), seen(b[3]))));
        case Opcode::mov:
        case Opcode::movar:
            return c[n];
        case Opcode::rcp:
            return arithmetic(single(1 / double(z)));
        case Opcode::rsq:
            return arithmetic(1 / std::sqrt(z));
        case Opcode::sqrt:
            return arithmetic(std::sqrt(z));
        case Opcode::select:
            return holds(i, a[n], b[n]) ? b[n] : c[n];
        case Opcode::set:
            return holds(i, a[n], b[n]) ? 1 : 0;
        case Opcode::cmp:
            return holds(i, a[n], b[n]) ? c[n] : 0;
        case Opcode::frc:
            return arithmetic(fraction(z));
        case Opcode::floor:
            return arithmetic(std::floor(z));
        case Opcode::ceil:
            return arithmetic(std::ceil(z));
        case Opcode::sign:
            return z > 0 ? 1 : z < 0 ? -1 : 0;
        case Opcode::imullo0:
            return real(bits(a[0]) * bits(b[0]));
        case Opcode::imadlo0:
            return real(bits(a[0]) * bits(b[0]) + bits(c[0]));
        case Opcode::lshift:
            return real(bits(a[0]) << (bits(c[0]) & 31));
        case Opcode::bitwise_and:
            return real(bits(a[0]) & bits(c[0]));
        case Opcode::bitwise_xor:
            return real(bits(a[0]) ^ bits(c[0]));
        default:
            return 0;
        }
    }
};

} // namespace pixmill::vivante::test
