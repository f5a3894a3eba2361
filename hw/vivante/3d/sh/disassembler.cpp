// SPDX-License-Identifier: GPL-2.0-or-later
#include "disassembler.hpp"

#include <cstdio>

namespace pixmill::vivante {

namespace {

constexpr const char* condition_names[condition_count] = {
    "",   "gt",  "lt",  "ge", "le",  "eq", "ne",  "and",
    "or", "xor", "not", "nz", "gez", "gz", "lez", "lz",
};
constexpr const char* type_names[] = {"", "s32", "s8", "u16", "f16", "s16", "u32", "u8"};
constexpr const char* rounding_names[] = {"", "rtz", "rtne", "round3"};
constexpr const char* group_names[] = {"t", "i", "u", "u", "th"};
constexpr char components[] = "xyzw";
constexpr unsigned high_uniforms = 128;

std::string numbered(const char* prefix, unsigned number) {
    return prefix + std::to_string(number);
}

std::string opcode_name(const Instruction& instruction) {
    if (instruction.info().name)
        return instruction.info().name;
    char text[8];
    (void)std::snprintf(text, sizeof text, "op%02x", instruction.opcode);
    return text;
}

std::string condition_name(Condition condition) {
    const auto code = unsigned(condition);
    if (condition == Condition::selmsb)
        return "selmsb";
    return code < condition_count ? condition_names[code] : numbered("cond", code);
}

std::string suffix(const std::string& name) {
    return name.empty() ? name : "." + name;
}

std::string name_of(const Instruction& instruction) {
    const bool rounds = instruction.info().shape != ResultShape::texture;
    return opcode_name(instruction) + suffix(condition_name(instruction.condition)) +
           suffix(type_names[unsigned(instruction.type)]) +
           (instruction.destination.saturate ? ".sat" : "") +
           (rounds ? suffix(rounding_names[unsigned(instruction.rounding)]) : "");
}

std::string swizzle_name(Swizzle swizzle) {
    if (swizzle == identity_swizzle)
        return "";
    std::string text = ".";
    for (unsigned c = 0; c < 4; c++)
        text += components[swizzled(swizzle, c)];
    const bool same = text.find_first_not_of(text[1], 1) == std::string::npos;
    return same ? text.substr(0, 2) : text;
}

std::string mask_name(uint8_t mask) {
    if (mask == 0xF)
        return "";
    std::string text = ".";
    for (unsigned c = 0; c < 4; c++)
        text += mask >> c & 1 ? components[c] : '_';
    return text;
}

std::string index_name(Addressing addressing) {
    if (addressing == Addressing::direct)
        return "";
    return std::string("[a.") + components[unsigned(addressing) - unsigned(Addressing::x)] + "]";
}

std::string name_of(const Destination& destination, ResultShape shape) {
    if (!destination.use)
        return "void";
    const std::string reg = shape == ResultShape::address ? "a" : numbered("t", destination.reg);
    return reg + index_name(destination.addressing) + mask_name(destination.mask);
}

std::string register_name(const Source& source) {
    if (source.group > Group::full_temporary)
        return numbered("g", unsigned(source.group)) + numbered(":", source.reg);
    const unsigned base = source.group == Group::uniform_high ? high_uniforms : 0;
    return numbered(group_names[unsigned(source.group)], base + source.reg);
}

std::string immediate_name(uint32_t value) {
    char text[16];
    (void)std::snprintf(text, sizeof text, "0x%x", value);
    return text;
}

std::string name_of(const Source& source, ShaderIsa isa) {
    if (!source.use)
        return "void";
    if (isa >= ShaderIsa::halti2 && source.is_immediate())
        return immediate_name(source.value);
    const std::string plain =
        register_name(source) + index_name(source.addressing) + swizzle_name(source.swizzle);
    return (source.negate ? "-" : "") + (source.absolute ? "|" + plain + "|" : plain);
}

std::string name_of(const Sampler& sampler) {
    return numbered("tex", sampler.id) + index_name(sampler.addressing) +
           swizzle_name(sampler.swizzle);
}

/// Returns the operand slots to print: all slots of the opcode, or none if the instruction uses
/// none of them.
uint8_t shown_slots(const Instruction& instruction) {
    uint8_t used = 0;
    for (unsigned n = 0; n < 3; n++)
        used |= uint8_t(instruction.source[n].use << n);
    if (!instruction.info().name)
        return used;
    return used & instruction.info().slots ? instruction.info().slots : 0;
}

bool has_target(const Instruction& instruction) {
    return instruction.is(Opcode::branch) || instruction.is(Opcode::branch_any) ||
           instruction.is(Opcode::call);
}

} // namespace

std::string disassemble(const Instruction& instruction) {
    const ResultShape shape = instruction.info().shape;
    std::string operands;
    const auto append = [&](const std::string& text) {
        operands += (operands.empty() ? " " : ", ") + text;
    };
    if (instruction.destination.use ||
        (shape != ResultShape::nothing && shape != ResultShape::flow))
        append(name_of(instruction.destination, shape));
    if (shape == ResultShape::texture)
        append(name_of(instruction.sampler));
    for (unsigned n = 0; n < 3; n++)
        if (shown_slots(instruction) >> n & 1)
            append(name_of(instruction.source[n], instruction.isa));
    if (has_target(instruction))
        append(std::to_string(instruction.target));
    return name_of(instruction) + operands;
}

} // namespace pixmill::vivante
