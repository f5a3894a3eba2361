// Opcodes, types and operands of instructions, for the parts of SH.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "engine.hpp"

#include <bit>

namespace pixmill::reference::vivante_3d {

enum Opcode : unsigned {
    NOP = 0x00,
    ADD = 0x01,
    MAD = 0x02,
    MUL = 0x03,
    DST = 0x04,
    DP3 = 0x05,
    DP4 = 0x06,
    DSX = 0x07,
    DSY = 0x08,
    MOV = 0x09,
    MOVAR = 0x0A,
    MOVAF = 0x0B,
    RCP = 0x0C,
    RSQ = 0x0D,
    LITP = 0x0E,
    SELECT = 0x0F,
    SET = 0x10,
    EXP = 0x11,
    LOG = 0x12,
    FRC = 0x13,
    CALL = 0x14,
    RET = 0x15,
    BRANCH = 0x16,
    TEXKILL = 0x17,
    TEXLD = 0x18,
    TEXLDB = 0x19,
    TEXLDD = 0x1A,
    TEXLDL = 0x1B,
    SQRT = 0x21,
    SIN = 0x22,
    COS = 0x23,
    BRANCH_ANY = 0x24,
    FLOOR = 0x25,
    CEIL = 0x26,
    SIGN = 0x27,
    I2I = 0x2C,
    I2F = 0x2D,
    F2I = 0x2E,
    F2IRND = 0x2F,
    CMP = 0x31,
    LOAD = 0x32,
    STORE = 0x33,
    CLAMP0_MAX = 0x36,
    IADDSAT = 0x3B,
    IMULLO0 = 0x3C,
    IMULHI0 = 0x40,
    IDIV0 = 0x44,
    IMOD0 = 0x48,
    TXF = 0x49,
    IMADLO0 = 0x4C,
    IMADLOSAT0 = 0x4E,
    MOVAI = 0x56,
    IABS = 0x57,
    LEADZERO = 0x58,
    LSHIFT = 0x59,
    RSHIFT = 0x5A,
    ROTATE = 0x5B,
    OR = 0x5C,
    AND = 0x5D,
    XOR = 0x5E,
    NOT = 0x5F,
    BIT_EXTRACT = 0x60,
    POPCOUNT = 0x61,
    DIV = 0x64,
    BIT_REV = 0x6D,
    TEXLDLPCF = 0x6F,
    TEXLDGPCF = 0x70,
    CONV = 0x72,
    DP2 = 0x73,
    NORM_DP2 = 0x74,
    NORM_DP3 = 0x75,
    NORM_DP4 = 0x76,
    NORM_MUL = 0x77,
    TG4 = 0x7D,
    EXTENDED = 0x7F, ///< SRC2 selects the operation
};

/* ---- Types -------------------------------------------------------------------------------- */

enum Type : unsigned { f32, s32, s8, u16, f16, s16, u32, u8 };

constexpr bool is_float(unsigned type) {
    return type == f32 || type == f16;
}
constexpr bool is_signed(unsigned type) {
    return type == s32 || type == s16 || type == s8;
}
constexpr unsigned width_of(unsigned type) {
    return type == s8 || type == u8 ? 8 : type == s16 || type == u16 || type == f16 ? 16 : 32;
}

/// Extends the low `width` bits of a word to 32 bits.
constexpr uint32_t widened(uint32_t value, unsigned width, bool with_sign) {
    const unsigned shift = 32 - width;
    return with_sign ? static_cast<uint32_t>(static_cast<int32_t>(value << shift) >> shift)
                     : value << shift >> shift;
}
/// Extends the low bits of an integer of this type. Floats keep their bits.
constexpr uint32_t widened(uint32_t value, unsigned type) {
    return is_float(type) ? value : widened(value, width_of(type), is_signed(type));
}

/* ---- Values ------------------------------------------------------------------------------- */

inline float real(uint32_t word) {
    return std::bit_cast<float>(word);
}
inline uint32_t word(float value) {
    return std::bit_cast<uint32_t>(value);
}

/// Converts an operand of an arithmetic instruction or comparison, flushing denormals to zero with
/// their sign.
inline float number(uint32_t bits_of_float) {
    const bool tiny = (bits_of_float >> 23 & 0xFF) == 0;
    return real(tiny ? bits_of_float & 0x80000000 : bits_of_float);
}

using Operands = std::array<Register, 3>;

inline Register broadcast(uint32_t value) {
    return {value, value, value, value};
}

template<typename F>
Register each(F function) {
    Register result;
    for (unsigned c = 0; c < 4; c++)
        result[c] = function(c);
    return result;
}

/* ---- integers.cpp ------------------------------------------------------------------------- */

/// Converts a float to an integer of this type, saturating. `nearest` rounds to even, otherwise the
/// fraction is cut off.
uint32_t to_integer(const Features& features, uint32_t bits_of_float, unsigned type, bool nearest);

/// Computes the operations on integers. Returns false for all others.
bool compute_integer(const Features& features, const Instruction& i, const Operands& s,
                     Register& result);

} // namespace pixmill::reference::vivante_3d
