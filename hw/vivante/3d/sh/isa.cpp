// SPDX-License-Identifier: GPL-2.0-or-later
#include "isa.hpp"

#include <bit>
#include <span>

#include "common/field.hpp"
#include "vivante/3d/half.hpp"

namespace pixmill::vivante {

namespace {

// ---- Opcodes -----------------------------------------------------------------

struct Row {
    uint8_t opcode;
    OpcodeInfo info;
};

constexpr uint8_t s0 = 1, s1 = 2, s2 = 4;

// Names, slots and shapes: rnndb isa.xml and Mesa's etnaviv.xml. Integer instructions of a GC2000
// use component x of their operands (etna_viv doc/isa.md; Vivante's OpenCL kernels).
constexpr Row rows[] = {
    {0x00, {"nop", 0, ResultShape::nothing, Gate::none}},
    {0x01, {"add", s0 | s2, ResultShape::lane, Gate::none}},
    {0x02, {"mad", s0 | s1 | s2, ResultShape::lane, Gate::none}},
    {0x03, {"mul", s0 | s1, ResultShape::lane, Gate::none}},
    {0x04, {"dst", s0 | s1, ResultShape::lane, Gate::none}},
    {0x05, {"dp3", s0 | s1, ResultShape::dot, Gate::none}},
    {0x06, {"dp4", s0 | s1, ResultShape::dot, Gate::none}},
    {0x07, {"dsx", s0 | s2, ResultShape::lane, Gate::none}},
    {0x08, {"dsy", s0 | s2, ResultShape::lane, Gate::none}},
    {0x09, {"mov", s2, ResultShape::lane, Gate::none}},
    {0x0A, {"movar", s2, ResultShape::address, Gate::none}},
    {0x0B, {"movaf", s2, ResultShape::address, Gate::none}},
    {0x0C, {"rcp", s2, ResultShape::lane, Gate::none}},
    {0x0D, {"rsq", s2, ResultShape::lane, Gate::none}},
    {0x0E, {"litp", s0 | s1 | s2, ResultShape::lane, Gate::none}},
    {0x0F, {"select", s0 | s1 | s2, ResultShape::lane, Gate::none}},
    {0x10, {"set", s0 | s1, ResultShape::lane, Gate::none}},
    {0x11, {"exp", s2, ResultShape::broadcast, Gate::none}},
    {0x12, {"log", s2, ResultShape::broadcast, Gate::none}},
    {0x13, {"frc", s2, ResultShape::lane, Gate::none}},
    {0x14, {"call", 0, ResultShape::flow, Gate::none}},
    {0x15, {"ret", 0, ResultShape::flow, Gate::none}},
    {0x16, {"branch", s0 | s1, ResultShape::flow, Gate::none}},
    {0x17, {"texkill", s0 | s1, ResultShape::flow, Gate::none}},
    {0x18, {"texld", s0, ResultShape::texture, Gate::none}},
    {0x19, {"texldb", s0, ResultShape::texture, Gate::none}},
    {0x1A, {"texldd", s0 | s1 | s2, ResultShape::texture, Gate::none}},
    {0x1B, {"texldl", s0, ResultShape::texture, Gate::none}},
    {0x1C, {"texldpcf", s0 | s2, ResultShape::texture}},
    {0x1D, {"rep"}},
    {0x1E, {"endrep"}},
    {0x1F, {"loop"}},
    {0x20, {"endloop"}},
    {0x21, {"sqrt", s2, ResultShape::lane, Gate::has_sqrt_trig}},
    {0x22, {"sin", s2, ResultShape::lane, Gate::has_sqrt_trig}},
    {0x23, {"cos", s2, ResultShape::lane, Gate::has_sqrt_trig}},
    {0x24, {"branch_any", s0 | s1, ResultShape::flow, Gate::open_cl}},
    {0x25, {"floor", s2, ResultShape::lane, Gate::has_sign_floor_ceil}},
    {0x26, {"ceil", s2, ResultShape::lane, Gate::has_sign_floor_ceil}},
    {0x27, {"sign", s2, ResultShape::lane, Gate::has_sign_floor_ceil}},
    {0x28, {"addlo", s0 | s1 | s2, ResultShape::broadcast}},
    {0x29, {"mullo", s0 | s1 | s2, ResultShape::broadcast}},
    {0x2A, {"barrier", 0, ResultShape::nothing, Gate::open_cl}},
    {0x2B, {"swizzle", s0 | s1 | s2, ResultShape::lane}},
    {0x2C, {"i2i", s0 | s1, ResultShape::broadcast, Gate::open_cl}},
    {0x2D, {"i2f", s0, ResultShape::broadcast, Gate::open_cl}},
    {0x2E, {"f2i", s0, ResultShape::broadcast, Gate::open_cl}},
    {0x2F, {"f2irnd", s0, ResultShape::broadcast, Gate::open_cl}},
    {0x30, {"f2i7", s0, ResultShape::broadcast}},
    {0x31, {"cmp", s0 | s1 | s2, ResultShape::lane, Gate::open_cl}},
    {0x32, {"load", s0 | s1, ResultShape::lane}},
    {0x33, {"store", s0 | s1 | s2, ResultShape::lane}},
    {0x34, {"img_load_3d", s0 | s1, ResultShape::lane}},
    {0x35, {"img_store_3d", s0 | s1 | s2, ResultShape::lane}},
    {0x36, {"clamp0_max", s0 | s1, ResultShape::lane}},
    {0x37, {"nan", s0 | s1 | s2, ResultShape::lane}},
    {0x38, {"nextafter", s0 | s1 | s2, ResultShape::lane}},
    {0x39, {"roundeven", s2, ResultShape::lane}},
    {0x3A, {"roundaway", s2, ResultShape::lane}},
    {0x3B, {"iaddsat", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x3C, {"imullo0", s0 | s1, ResultShape::broadcast, Gate::open_cl}},
    {0x40, {"imulhi0", s0 | s1, ResultShape::broadcast, Gate::open_cl}},
    {0x44, {"idiv0", s0 | s1, ResultShape::broadcast}},
    {0x48, {"imod0", s0 | s1, ResultShape::broadcast}},
    {0x49, {"texelfetch", s0 | s1 | s2, ResultShape::texture}},
    {0x4C, {"imadlo0", s0 | s1 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x4E, {"imadlosat0", s0 | s1 | s2, ResultShape::broadcast}},
    {0x56, {"movai", s2, ResultShape::address}},
    {0x57, {"iabs", s2, ResultShape::lane, Gate::open_cl}},
    {0x58, {"leadzero", s2, ResultShape::broadcast, Gate::open_cl}},
    {0x59, {"lshift", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x5A, {"rshift", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x5B, {"rotate", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x5C, {"or", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x5D, {"and", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x5E, {"xor", s0 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x5F, {"not", s2, ResultShape::broadcast, Gate::open_cl}},
    {0x60, {"bit_extract", s0 | s1 | s2, ResultShape::lane}},
    {0x61, {"popcount", s2, ResultShape::lane}},
    {0x64, {"div", s1 | s2, ResultShape::lane}},
    {0x65, {"atom_add", s0 | s1 | s2, ResultShape::lane}},
    {0x66, {"atom_xchg", s0 | s1 | s2, ResultShape::lane}},
    {0x67, {"atom_cmp_xchg", s0 | s1 | s2, ResultShape::lane}},
    {0x68, {"atom_min", s0 | s1 | s2, ResultShape::lane}},
    {0x69, {"atom_max", s0 | s1 | s2, ResultShape::lane}},
    {0x6A, {"atom_or", s0 | s1 | s2, ResultShape::lane}},
    {0x6B, {"atom_and", s0 | s1 | s2, ResultShape::lane}},
    {0x6C, {"atom_xor", s0 | s1 | s2, ResultShape::lane}},
    {0x6D, {"bit_rev", s0, ResultShape::lane}},
    {0x6F, {"texldlpcf", s0 | s1 | s2, ResultShape::texture}},
    {0x72, {"conv", s0 | s1, ResultShape::lane}},
    {0x73, {"dp2", s0 | s1, ResultShape::dot}},
    {0x74, {"norm_dp2", s0, ResultShape::dot}},
    {0x75, {"norm_dp3", s0, ResultShape::dot}},
    {0x76, {"norm_dp4", s0, ResultShape::dot}},
    {0x79, {"img_load", s0 | s1, ResultShape::lane}},
    {0x7A, {"img_store", s0 | s1 | s2, ResultShape::lane}},
    {0x7F, {"extended", s0 | s2, ResultShape::lane}},
};

// Opcodes that HALTI2 adds or executes differently: integer instructions compute each component,
// except for multiplications and divisions.
constexpr Row halti2_rows[] = {
    {0x18, {"texld", s0 | s2, ResultShape::texture, Gate::none}},
    {0x19, {"texldb", s0 | s2, ResultShape::texture, Gate::none}},
    {0x2C, {"i2i", s0 | s1, ResultShape::lane, Gate::open_cl}},
    {0x2D, {"i2f", s0, ResultShape::lane, Gate::open_cl}},
    {0x2E, {"f2i", s0, ResultShape::lane, Gate::open_cl}},
    {0x2F, {"f2irnd", s0, ResultShape::lane, Gate::open_cl}},
    {0x32, {"load", s0 | s1, ResultShape::memory, Gate::open_cl}},
    {0x36, {"clamp0_max", s0 | s1, ResultShape::lane, Gate::halti2}},
    {0x3B, {"iaddsat", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x44, {"idiv0", s0 | s1, ResultShape::broadcast, Gate::open_cl}},
    {0x48, {"imod0", s0 | s1, ResultShape::broadcast, Gate::open_cl}},
    {0x4E, {"imadlosat0", s0 | s1 | s2, ResultShape::broadcast, Gate::open_cl}},
    {0x56, {"movai", s2, ResultShape::address, Gate::open_cl}},
    {0x58, {"leadzero", s2, ResultShape::lane, Gate::open_cl}},
    {0x59, {"lshift", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x5A, {"rshift", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x5B, {"rotate", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x5C, {"or", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x5D, {"and", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x5E, {"xor", s0 | s2, ResultShape::lane, Gate::open_cl}},
    {0x5F, {"not", s2, ResultShape::lane, Gate::open_cl}},
    {0x60, {"bit_extract", s0 | s1 | s2, ResultShape::lane, Gate::open_cl}},
    {0x61, {"popcount", s2, ResultShape::lane, Gate::open_cl}},
    {0x64, {"div", s1 | s2, ResultShape::lane, Gate::halti2}},
    {0x6D, {"bit_rev", s0, ResultShape::lane, Gate::open_cl}},
    {0x6F, {"texldlpcf", s0 | s1 | s2, ResultShape::texture, Gate::halti2}},
    {0x70, {"texldgpcf", s0 | s1 | s2, ResultShape::texture, Gate::halti2}},
    {0x72, {"conv", s0 | s1, ResultShape::lane, Gate::halti2}},
    {0x73, {"dp2", s0 | s1, ResultShape::dot, Gate::halti2}},
    {0x74, {"norm_dp2", s0, ResultShape::dot, Gate::halti2}},
    {0x75, {"norm_dp3", s0, ResultShape::dot, Gate::halti2}},
    {0x76, {"norm_dp4", s0, ResultShape::dot, Gate::halti2}},
    {0x77, {"norm_mul", s0 | s1, ResultShape::lane, Gate::halti2}},
};

// TEXLDB and TEXLDL take the level of detail from their second operand, not from coordinate w.
constexpr Row halti5_rows[] = {
    {0x19, {"texldb", s0 | s1 | s2, ResultShape::texture, Gate::none}},
    {0x1B, {"texldl", s0 | s1, ResultShape::texture, Gate::none}},
    {0x7F, {"extended", s0 | s2, ResultShape::lane, Gate::open_cl}},
};

constexpr size_t isa_count = size_t(ShaderIsa::count);

constexpr std::array<std::array<OpcodeInfo, 128>, isa_count> by_opcode = [] {
    std::array<std::array<OpcodeInfo, 128>, isa_count> all{};
    const auto add = [&](std::span<const Row> more, ShaderIsa from) {
        for (size_t isa = size_t(from); isa < isa_count; isa++)
            for (const Row& row : more)
                all[isa][row.opcode] = row.info;
    };
    add(rows, ShaderIsa::halti0);
    add(halti2_rows, ShaderIsa::halti2);
    add(halti5_rows, ShaderIsa::halti5);
    return all;
}();

// ---- Fields, by their word ---------------------------------------------------

constexpr Field opcode_low{"OPCODE", 5, 0}, condition{"COND", 10, 6}, saturate{"SAT", 11},
    dst_use{"DST_USE", 12}, dst_amode{"DST_AMODE", 15, 13}, dst_reg{"DST_REG", 22, 16},
    dst_comps{"DST_COMPS", 26, 23}, tex_id{"TEX_ID", 31, 27};
constexpr Field rmode{"RMODE", 1, 0}, tex_amode{"TEX_AMODE", 2, 0}, tex_swiz{"TEX_SWIZ", 10, 3},
    type_high{"TYPE_BIT2", 21};
constexpr Field opcode_high{"OPCODE_BIT6", 16}, type_low{"TYPE", 31, 30};
constexpr Field branch_target{"TARGET", 21, 7};
constexpr Field left_shift{"LEFT_SHIFT", 5, 3}; ///< of LOAD and STORE, in the place of TEX_SWIZ

/// Fields of an operand. They may be in different words.
struct SourceFields {
    unsigned word, group_word;
    Field use, reg, swizzle, negate, absolute;
    unsigned addressing_word;
    Field addressing, group;
};
constexpr SourceFields source_fields[] = {
    {1,
     2,
     {"USE", 11},
     {"REG", 20, 12},
     {"SWIZ", 29, 22},
     {"NEG", 30},
     {"ABS", 31},
     2,
     {"AMODE", 2, 0},
     {"RGROUP", 5, 3}},
    {2,
     3,
     {"USE", 6},
     {"REG", 15, 7},
     {"SWIZ", 24, 17},
     {"NEG", 25},
     {"ABS", 26},
     2,
     {"AMODE", 29, 27},
     {"RGROUP", 2, 0}},
    {3,
     3,
     {"USE", 3},
     {"REG", 12, 4},
     {"SWIZ", 21, 14},
     {"NEG", 22},
     {"ABS", 23},
     3,
     {"AMODE", 27, 25},
     {"RGROUP", 30, 28}},
};

Addressing addressing_of(uint32_t code) {
    return code <= uint32_t(Addressing::w) ? Addressing(code) : Addressing::direct;
}

Source decode_source(const uint32_t* words, const SourceFields& fields) {
    const uint32_t word = words[fields.word];
    return {.use = fields.use(word) != 0,
            .group = Group(fields.group(words[fields.group_word])),
            .reg = uint16_t(fields.reg(word)),
            .swizzle = Swizzle(fields.swizzle(word)),
            .negate = fields.negate(word) != 0,
            .absolute = fields.absolute(word) != 0,
            .addressing = addressing_of(fields.addressing(words[fields.addressing_word]))};
}

/// Decodes an immediate. Its 20 bits and its type take the place of all fields but USE and RGROUP.
void decode_immediate(const uint32_t* words, const SourceFields& fields, Type type,
                      Source& source) {
    const uint32_t word = words[fields.word],
                   mode = fields.addressing(words[fields.addressing_word]);
    const uint32_t bits = fields.reg(word) | fields.swizzle(word) << 9 | fields.negate(word) << 17 |
                          fields.absolute(word) << 18 | (mode & 1) << 19;
    const uint32_t values[] = {bits << 12, uint32_t(int32_t(bits << 12) >> 12), bits,
                               is_real(type) ? std::bit_cast<uint32_t>(from_half(bits))
                                             : bits & 0xFFFF};
    source = {.use = true, .group = Group::immediate, .value = values[mode >> 1]};
}

bool is_known(const Source& source, ShaderIsa isa) {
    return !source.use || source.group <= Group::full_temporary ||
           (source.is_immediate() && isa >= ShaderIsa::halti2);
}

} // namespace

const OpcodeInfo& opcode_info(uint8_t opcode, ShaderIsa isa) {
    return by_opcode[size_t(isa)][opcode & 127];
}

ResultShape Instruction::shape() const {
    const bool of_x = is(Opcode::add) && !is_real(type) && isa == ShaderIsa::halti0;
    return of_x ? ResultShape::broadcast : info().shape;
}

bool Instruction::is_split() const {
    return isa >= ShaderIsa::halti2 && rounding == Rounding::toward_zero &&
           (is(Opcode::log) || is(Opcode::sin) || is(Opcode::cos) || is(Opcode::div));
}

bool Instruction::is_known() const {
    bool known = info().gate != Gate::absent && uint8_t(condition) < condition_count;
    for (unsigned n = 0; n < 3; n++)
        if (info().slots >> n & 1)
            known = known && vivante::is_known(source[n], isa);
    return known;
}

Instruction decode(const uint32_t* words, ShaderIsa isa) {
    Instruction result;
    result.isa = isa;
    result.opcode = uint8_t(opcode_low(words[0]) | opcode_high(words[2]) << 6);
    result.condition = Condition(condition(words[0]));
    result.type = Type(type_low(words[2]) | type_high(words[1]) << 2);
    result.rounding = Rounding(rmode(words[1]));
    // DST_USE applies to temporaries only: Mesa 22 leaves it 0 when it writes an address.
    const bool address = result.info().shape == ResultShape::address;
    result.destination = {.use = address || dst_use(words[0]) != 0,
                          .reg = uint8_t(dst_reg(words[0])),
                          .mask = uint8_t(dst_comps(words[0])),
                          .addressing = addressing_of(dst_amode(words[0])),
                          .saturate = saturate(words[0]) != 0};
    for (unsigned n = 0; n < 3; n++) {
        Source& source = result.source[n];
        source = decode_source(words, source_fields[n]);
        if (source.is_immediate() && isa >= ShaderIsa::halti2)
            decode_immediate(words, source_fields[n], result.type, source);
    }
    if (result.info().shape == ResultShape::memory)
        result.left_shift = uint8_t(left_shift(words[1]));
    if (result.info().shape == ResultShape::texture)
        result.sampler = {.id = uint8_t(tex_id(words[0])),
                          .addressing = addressing_of(tex_amode(words[1])),
                          .swizzle = Swizzle(tex_swiz(words[1]))};
    if (result.info().shape == ResultShape::flow) {
        result.target = uint16_t(branch_target(words[3]));
        result.source[2] = {}; // the bits of SRC2 hold the target
    }
    return result;
}

} // namespace pixmill::vivante
