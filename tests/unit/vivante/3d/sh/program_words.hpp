// Words of shader instructions (rnndb isa.xml), for tests that write programs.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::test::shader {

using Words = std::array<uint32_t, 4>;

enum Opcode : uint32_t {
    NOP = 0x00,
    ADD = 0x01,
    MAD = 0x02,
    MUL = 0x03,
    DP3 = 0x05,
    DP4 = 0x06,
    DSX = 0x07,
    DSY = 0x08,
    MOV = 0x09,
    MOVAR = 0x0A,
    RCP = 0x0C,
    RSQ = 0x0D,
    SELECT = 0x0F,
    SET = 0x10,
    EXP = 0x11,
    LOG = 0x12,
    FRC = 0x13,
    BRANCH = 0x16,
    TEXKILL = 0x17,
    TEXLD = 0x18,
    TEXLDB = 0x19,
    TEXLDD = 0x1A,
    TEXLDL = 0x1B,
    SQRT = 0x21,
    SIN = 0x22,
    COS = 0x23,
    FLOOR = 0x25,
    CEIL = 0x26,
    SIGN = 0x27,
    I2F = 0x2D,
    F2I = 0x2E,
    CMP = 0x31,
    LOAD = 0x32,
    STORE = 0x33,
    IMULLO0 = 0x3C,
    LSHIFT = 0x59,
    RSHIFT = 0x5A,
    OR = 0x5C,
    AND = 0x5D,
    XOR = 0x5E,
    NOT_BITS = 0x5F,
    DIV = 0x64,
    CONV = 0x72,
    DP2 = 0x73,
};

enum Condition : uint32_t { ALWAYS = 0, GT, LT, GE, LE, EQ, NE, NOT = 10, NZ };

constexpr uint32_t f32 = 0, s32 = 1, f16 = 4, u32 = 6;
constexpr uint32_t xyzw = 0xE4, xyyy = 0x54, xxxx = 0x00, yyyy = 0x55, zzzz = 0xAA, wwww = 0xFF;

enum Group : uint32_t { temporary = 0, internal = 1, uniform = 2, immediate = 7 };

struct Operand {
    bool used = false;
    uint32_t group = temporary, number = 0, swizzle = xyzw;
    bool negate = false, absolute = false;
    uint32_t address_mode = 0;
};

constexpr Operand t(uint32_t number, uint32_t swizzle = xyzw) {
    return {true, temporary, number, swizzle};
}
constexpr Operand u(uint32_t number, uint32_t swizzle = xyzw) {
    return {true, uniform, number, swizzle};
}
/// Returns operand i0.x, which is 1 in triangles with a positive area.
constexpr Operand face() {
    return {true, internal, 0, xxxx};
}

/// Returns an immediate of 20 bits. `kind` is 0 for the upper bits of a float, 1 for a signed
/// number, 2 for an unsigned one, 3 for a half float.
constexpr Operand immediate_bits(uint32_t value, uint32_t kind) {
    return {true,
            immediate,
            value & 0x1FF,
            value >> 9 & 0xFF,
            (value >> 17 & 1) != 0,
            (value >> 18 & 1) != 0,
            (value >> 19 & 1) | kind << 1};
}
constexpr Operand whole(int32_t value) {
    return immediate_bits(static_cast<uint32_t>(value) & 0xFFFFF, 1);
}

struct Instruction {
    Opcode opcode = NOP;
    uint32_t condition = ALWAYS, type = f32;
    bool saturate = false;
    uint32_t destination = 0, components = 15;
    std::array<Operand, 3> sources{}; ///< in the order of the opcode's slots
    uint32_t sampler = 0, sampler_swizzle = xyzw;
    uint32_t target = 0;
    uint32_t rounding = 0;
};

constexpr bool is_texture(Opcode opcode) {
    return opcode >= TEXLD && opcode <= TEXLDL;
}

constexpr bool writes(Opcode opcode) {
    return opcode != NOP && opcode != BRANCH && opcode != TEXKILL && opcode != STORE;
}

/// Encodes an instruction like Mesa 25 does, with PMODE set.
constexpr Words encode(const Instruction& i) {
    const auto& [a, b, c] = i.sources;
    const auto bit = [](bool value, unsigned at) { return uint32_t{value} << at; };
    Words w{};
    w[0] = (i.opcode & 63) | i.condition << 6 | bit(i.saturate, 11) | bit(writes(i.opcode), 12);
    if (writes(i.opcode))
        w[0] |= i.destination << 16;
    if (writes(i.opcode) || i.opcode == STORE)
        w[0] |= i.components << 23;
    w[1] = i.rounding;
    if (is_texture(i.opcode)) {
        w[0] |= i.sampler << 27;
        w[1] |= i.sampler_swizzle << 3;
    } else if (i.opcode != BRANCH && i.opcode != NOP && i.opcode != TEXKILL) {
        w[1] |= 1u << 2;
    }
    w[1] |= bit(a.used, 11) | a.number << 12 | (i.type >> 2) << 21;
    if (a.used)
        w[1] |= a.swizzle << 22 | bit(a.negate, 30) | bit(a.absolute, 31);
    w[2] = a.address_mode | a.group << 3 | (i.opcode >> 6) << 16 | (i.type & 3) << 30;
    if (b.used) {
        w[2] |= 1u << 6 | b.number << 7 | b.swizzle << 17 | bit(b.negate, 25) |
                bit(b.absolute, 26) | b.address_mode << 27;
        w[3] |= b.group;
    }
    if (c.used)
        w[3] |= 1u << 3 | c.number << 4 | c.swizzle << 14 | bit(c.negate, 22) |
                bit(c.absolute, 23) | c.address_mode << 25 | c.group << 28;
    if (i.opcode == BRANCH)
        w[3] |= i.target << 7;
    return w;
}

} // namespace pixmill::test::shader
