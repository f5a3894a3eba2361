// Shader (SH) instructions. Names and codes: rnndb isa.xml and Mesa's etnaviv.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace pixmill::vivante {

/// Generations of the instruction set. A later one has all instructions of an earlier one, but may
/// execute them differently.
enum class ShaderIsa : uint8_t { halti0, halti2, halti5, count };

/// Opcodes that the model executes on some generation. opcode_info() also knows others.
enum class Opcode : uint8_t {
    nop = 0x00,
    add = 0x01,
    mad = 0x02,
    mul = 0x03,
    dst = 0x04,
    dp3 = 0x05,
    dp4 = 0x06,
    dsx = 0x07,
    dsy = 0x08,
    mov = 0x09,
    movar = 0x0A,
    movaf = 0x0B,
    rcp = 0x0C,
    rsq = 0x0D,
    litp = 0x0E,
    select = 0x0F,
    set = 0x10,
    exp = 0x11,
    log = 0x12,
    frc = 0x13,
    call = 0x14,
    ret = 0x15,
    branch = 0x16,
    texkill = 0x17,
    texld = 0x18,
    texldb = 0x19,
    texldd = 0x1A,
    texldl = 0x1B,
    sqrt = 0x21,
    sin = 0x22,
    cos = 0x23,
    branch_any = 0x24,
    floor = 0x25,
    ceil = 0x26,
    sign = 0x27,
    barrier = 0x2A,
    i2i = 0x2C,
    i2f = 0x2D,
    f2i = 0x2E,
    f2irnd = 0x2F,
    cmp = 0x31,
    load = 0x32,
    clamp0_max = 0x36,
    iaddsat = 0x3B,
    imullo0 = 0x3C,
    imulhi0 = 0x40,
    idiv0 = 0x44,
    imod0 = 0x48,
    imadlo0 = 0x4C,
    imadlosat0 = 0x4E,
    movai = 0x56,
    iabs = 0x57,
    leadzero = 0x58,
    lshift = 0x59,
    rshift = 0x5A,
    rotate = 0x5B,
    bitwise_or = 0x5C,
    bitwise_and = 0x5D,
    bitwise_xor = 0x5E,
    bitwise_not = 0x5F,
    bit_extract = 0x60,
    popcount = 0x61,
    div = 0x64,
    bit_rev = 0x6D,
    texldlpcf = 0x6F,
    texldgpcf = 0x70,
    conv = 0x72,
    dp2 = 0x73,
    norm_dp2 = 0x74,
    norm_dp3 = 0x75,
    norm_dp4 = 0x76,
    norm_mul = 0x77,
    extended = 0x7F,
};

/// Relation between an instruction's operands and its result.
enum class ResultShape : uint8_t {
    nothing,
    lane,      ///< each component separately
    broadcast, ///< from component x of the swizzled operands, for all components
    dot,       ///< from whole vectors, for all components
    address,   ///< into a0
    memory,    ///< component x of the operands is an address; consecutive words for the components
    texture,
    flow,
};

/// Feature that a core needs for an opcode, by Mesa's names.
enum class Gate : uint8_t {
    none,
    has_sign_floor_ceil,
    has_sqrt_trig,
    open_cl, ///< integers; GC2000 and later
    halti2,  ///< floats of HALTI2
    absent,  ///< only in newer cores, or unknown semantics: does nothing
};

struct OpcodeInfo {
    const char* name = nullptr; ///< Mesa's name; null if the opcode is unknown
    uint8_t slots = 0;          ///< bit n: SRCn is an operand
    ResultShape shape = ResultShape::nothing;
    Gate gate = Gate::absent;
};

/// `opcode` has 7 bits.
const OpcodeInfo& opcode_info(uint8_t opcode, ShaderIsa isa = ShaderIsa::halti0);

/// Codes 10 to 15 test SRC0 only.
enum class Condition : uint8_t {
    always,
    gt,
    lt,
    ge,
    le,
    eq,
    ne,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    is_not,
    nz,
    gez,
    gz,
    lez,
    lz,
    selmsb = 22, ///< newer cores
};
/// A GC2000 lacks conditions with this code or a higher one. In the model they always hold.
inline constexpr uint8_t condition_count = 16;

enum class Type : uint8_t { f32, s32, s8, u16, f16, s16, u32, u8 };

constexpr bool is_real(Type type) {
    return type == Type::f32 || type == Type::f16;
}
constexpr bool is_narrow(Type type) {
    return type == Type::s8 || type == Type::u8 || type == Type::s16 || type == Type::u16;
}
constexpr bool is_signed(Type type) {
    return type == Type::s32 || type == Type::s16 || type == Type::s8;
}

/// RGROUP. Groups without a name (5, 6) read as 0, as do immediates before HALTI2.
enum class Group : uint8_t {
    temporary,
    internal, ///< i0.x: the face
    uniform,
    uniform_high,   ///< u128 and up
    full_temporary, ///< in dual-16 programs; same as `temporary` here
    immediate = 7,
};

/// AMODE: the component of a0 that is added to a register or sampler number. Codes 5 to 7 act as
/// `direct`.
enum class Addressing : uint8_t { direct, x, y, z, w };

/// Two bits per component, with x lowest.
using Swizzle = uint8_t;
inline constexpr Swizzle identity_swizzle = 0xE4;
/// Returns the component, 0 to 3, that `component` is taken from.
constexpr unsigned swizzled(Swizzle swizzle, unsigned component) {
    return swizzle >> 2 * component & 3;
}

struct Destination {
    bool use = false;
    uint8_t reg = 0;  ///< 0 to 127
    uint8_t mask = 0; ///< DST_COMPS: bit 0 is x
    Addressing addressing = Addressing::direct;
    bool saturate = false;
};

struct Source {
    bool use = false;
    Group group = Group::temporary;
    uint16_t reg = 0; ///< 0 to 511, within the group
    Swizzle swizzle = identity_swizzle;
    bool negate = false;   ///< applied after `absolute`
    bool absolute = false; ///< applied after the swizzle
    Addressing addressing = Addressing::direct;
    uint32_t value = 0; ///< bits of an immediate

    bool is_immediate() const { return use && group == Group::immediate; }
};

struct Sampler {
    uint8_t id = 0; ///< 0 to 31; vertex shaders use 8 and up
    Addressing addressing = Addressing::direct;
    Swizzle swizzle = identity_swizzle; ///< applied to the texel
};

enum class Rounding : uint8_t { standard, toward_zero, to_nearest_even };

struct Instruction {
    uint8_t opcode = 0;
    Condition condition = Condition::always; ///< as encoded, 0 to 31
    Type type = Type::f32;
    Rounding rounding = Rounding::standard; ///< RMODE; only F2IRND and is_split() use it
    ShaderIsa isa = ShaderIsa::halti0;
    uint8_t left_shift = 0; ///< LOAD: of the second operand
    Destination destination;
    std::array<Source, 3> source;
    Sampler sampler;     ///< for texture instructions
    uint16_t target = 0; ///< CALL, BRANCH, BRANCH_ANY: index of an instruction

    const OpcodeInfo& info() const { return opcode_info(opcode, isa); }
    /// Returns the shape of the opcode, except that ADD on integers adds only component x on a
    /// GC2000.
    ResultShape shape() const;
    bool is(Opcode other) const { return opcode == uint8_t(other); }
    /// True for the form of LOG, SIN, COS and DIV that writes two numbers whose product is the
    /// result (HAS_FAST_TRANSCENDENTALS). It also measures angles in units of pi.
    bool is_split() const;
    /// True if the core supports every part of the instruction. In the model an unknown opcode does
    /// nothing, an unknown group reads as 0, and an unknown condition always holds.
    bool is_known() const;
};

inline constexpr unsigned words_per_instruction = 4;

/// `words` has words_per_instruction elements. Never fails.
Instruction decode(const uint32_t* words, ShaderIsa isa = ShaderIsa::halti0);

} // namespace pixmill::vivante
