// Encodes shader instructions of test programs. Bit positions are those of the 128-bit instruction
// in Mesa's etnaviv.xml. No code is shared with the decoder.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "vivante/3d/sh/isa.hpp"

namespace pixmill::vivante::test {

/// Returns the swizzle for up to four letters. The last letter is repeated: "xy" means xyyy.
constexpr unsigned swizzle_of(std::string_view letters) {
    unsigned code = 0;
    for (unsigned c = 0; c < 4; c++) {
        const char letter = letters[c < letters.size() ? c : letters.size() - 1];
        code |= (letter == 'w' ? 3 : unsigned(letter - 'x')) << 2 * c;
    }
    return code;
}

constexpr unsigned mask_of(std::string_view letters) {
    unsigned code = 0;
    for (const char letter : letters)
        code |= 1u << (letter == 'w' ? 3 : letter - 'x');
    return code;
}

struct Src {
    bool use = false;
    unsigned group = 0, reg = 0, swizzle = 0xE4;
    bool neg = false, abs = false;
    unsigned amode = 0;

    constexpr Src operator-() const {
        Src s = *this;
        s.neg = !s.neg;
        return s;
    }
    /// Returns the operand with a component of a0 added to its register. `a` is 1 for x to 4 for w.
    constexpr Src at(unsigned a) const {
        Src s = *this;
        s.amode = a;
        return s;
    }
};

constexpr Src t(unsigned reg, std::string_view letters = "xyzw") {
    return {true, 0, reg, swizzle_of(letters)};
}
constexpr Src u(unsigned reg, std::string_view letters = "xyzw") {
    return {true, 2, reg, swizzle_of(letters)};
}
constexpr Src absolute(Src s) {
    s.abs = true;
    return s;
}
inline constexpr Src none{};

struct Dst {
    bool use = true;
    unsigned reg = 0, mask = 0xF, amode = 0;
};

constexpr Dst to(unsigned reg, std::string_view letters = "xyzw") {
    return {true, reg, mask_of(letters)};
}
inline constexpr Dst nowhere{false, 0, 0};

struct Ins {
    Opcode op = Opcode::nop;
    Dst dst = nowhere;
    std::array<Src, 3> src{};
    Condition cond = Condition::always;
    Type type = Type::f32;
    bool sat = false;
    unsigned target = 0;
    unsigned tex = 0, tex_swizzle = 0xE4, tex_amode = 0;
    unsigned rmode = 0;
};

class Bits {
public:
    void set(unsigned high, unsigned low, uint64_t value) {
        for (unsigned bit = low; bit <= high; bit++)
            words[bit / 32] |= uint32_t(value >> (bit - low) & 1) << bit % 32;
    }
    std::array<uint32_t, 4> words{};
};

inline std::array<uint32_t, 4> encode(const Ins& i) {
    Bits b;
    const auto code = unsigned(i.op), type = unsigned(i.type);
    b.set(5, 0, code);
    b.set(80, 80, code >> 6);
    b.set(10, 6, unsigned(i.cond));
    b.set(11, 11, i.sat);
    b.set(12, 12, i.dst.use);
    b.set(15, 13, i.dst.amode);
    b.set(22, 16, i.dst.reg);
    b.set(26, 23, i.dst.mask);
    b.set(53, 53, type >> 2);
    b.set(95, 94, type);
    const bool texture = i.op >= Opcode::texld && i.op <= Opcode::texldl;
    if (texture) {
        b.set(31, 27, i.tex);
        b.set(34, 32, i.tex_amode);
        b.set(42, 35, i.tex_swizzle);
    } else {
        b.set(33, 32, i.rmode);
    }
    struct Place {
        unsigned use, reg, swizzle, amode, group;
    };
    constexpr Place places[] = {
        {43, 44, 54, 64, 67}, {70, 71, 81, 91, 96}, {99, 100, 110, 121, 124}};
    const bool flow = i.op == Opcode::call || i.op == Opcode::branch || i.op == Opcode::branch_any;
    for (unsigned n = 0; n < (flow ? 2 : 3); n++) {
        const Place& p = places[n];
        const Src& s = i.src[n];
        b.set(p.use, p.use, s.use);
        b.set(p.reg + 8, p.reg, s.reg);
        b.set(p.swizzle + 7, p.swizzle, s.swizzle);
        b.set(p.swizzle + 8, p.swizzle + 8, s.neg);
        b.set(p.swizzle + 9, p.swizzle + 9, s.abs);
        b.set(p.amode + 2, p.amode, s.amode);
        b.set(p.group + 2, p.group, s.group);
    }
    if (flow)
        b.set(117, 103, i.target);
    return b.words;
}

inline std::vector<uint32_t> encode(const std::vector<Ins>& code) {
    std::vector<uint32_t> words;
    for (const Ins& i : code)
        for (const uint32_t word : encode(i))
            words.push_back(word);
    return words;
}

// Shorthands for instructions, with the operands in the order of the opcode's slots.

inline Ins one(Opcode op, Dst dst, Src s2) {
    return {op, dst, {none, none, s2}};
}
inline Ins mov(Dst dst, Src s2) {
    return one(Opcode::mov, dst, s2);
}
inline Ins add(Dst dst, Src s0, Src s2) {
    return {Opcode::add, dst, {s0, none, s2}};
}
inline Ins mul(Dst dst, Src s0, Src s1) {
    return {Opcode::mul, dst, {s0, s1, none}};
}
inline Ins mad(Dst dst, Src s0, Src s1, Src s2) {
    return {Opcode::mad, dst, {s0, s1, s2}};
}
inline Ins dp3(Dst dst, Src s0, Src s1) {
    return {Opcode::dp3, dst, {s0, s1, none}};
}
inline Ins select(Condition cond, Dst dst, Src s0, Src s1, Src s2) {
    return {Opcode::select, dst, {s0, s1, s2}, cond};
}
inline Ins set(Condition cond, Dst dst, Src s0, Src s1) {
    return {Opcode::set, dst, {s0, s1, none}, cond};
}
inline Ins branch(unsigned target) {
    Ins i{Opcode::branch};
    i.target = target;
    return i;
}
inline Ins branch(Condition cond, Src s0, Src s1, unsigned target, Type type = Type::f32) {
    Ins i{Opcode::branch, nowhere, {s0, s1, none}, cond, type};
    i.target = target;
    return i;
}
inline Ins kill(Condition cond, Src s0, Src s1) {
    return {Opcode::texkill, nowhere, {s0, s1, none}, cond};
}

} // namespace pixmill::vivante::test
