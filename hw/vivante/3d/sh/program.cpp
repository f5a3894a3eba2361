// SPDX-License-Identifier: GPL-2.0-or-later
#include "program.hpp"

#include <algorithm>

#include "liveness.hpp"

namespace pixmill::vivante {

namespace {

constexpr unsigned high_uniforms = 128;

bool is_texkill(const Instruction& instruction) {
    return instruction.is(Opcode::texkill);
}

bool branches(const Instruction& instruction) {
    return has_effect(instruction) && instruction.shape() == ResultShape::flow &&
           !is_texkill(instruction);
}

} // namespace

/// `uniforms` is the number of uniforms that the core has.
void Program::note(const Instruction& instruction, unsigned uniforms) {
    Traits& t = traits_;
    if (!instruction.is_known()) {
        t.unknown_count++;
        t.unknown.set(instruction.opcode);
    }
    if (!has_effect(instruction))
        return;
    const Destination& to = instruction.destination;
    const uint8_t written = components_written(instruction);
    const auto name_temporary = [&](unsigned reg) {
        t.temporaries = std::max(t.temporaries, std::min(reg + 1, temporary_count));
    };
    const bool scatters = written && to.addressing != Addressing::direct;
    if (written)
        name_temporary(scatters ? temporary_count : to.reg);
    t.depth = t.depth || (written & 4 && to.reg == 0);
    t.kills = t.kills || is_texkill(instruction);
    t.branches = t.branches || branches(instruction);
    t.quads = t.quads || instruction.is(Opcode::dsx) || instruction.is(Opcode::dsy) ||
              instruction.is(Opcode::texld) || instruction.is(Opcode::texldb);
    t.addresses = t.addresses || scatters;
    t.loads = t.loads || instruction.shape() == ResultShape::memory;
    if (instruction.shape() == ResultShape::texture) {
        const bool indexed = instruction.sampler.addressing != Addressing::direct;
        t.addresses = t.addresses || indexed;
        const uint32_t named = indexed ? ~0u : 1u << instruction.sampler.id;
        t.samplers |= named & samplers_of(instruction.isa);
    }
    for (unsigned slot = 0; slot < 3; slot++) {
        const Source& source = instruction.source[slot];
        if (!components_read(instruction, slot))
            continue;
        const bool indexed = source.addressing != Addressing::direct;
        t.addresses = t.addresses || indexed;
        t.internals = t.internals || source.group == Group::internal;
        if (is_temporary(source))
            name_temporary(indexed ? temporary_count : source.reg);
        if (source.group == Group::uniform || source.group == Group::uniform_high) {
            const unsigned base = source.group == Group::uniform_high ? high_uniforms : 0;
            const unsigned end = indexed ? uniforms : base + source.reg + 1u;
            t.uniforms = std::max(t.uniforms, std::min(end, uniforms));
        }
    }
}

Program::Program(std::span<const uint32_t> words, const Components& outputs, ShaderIsa isa)
    : outputs_(outputs) {
    const size_t count =
        std::min<size_t>(words.size() / words_per_instruction, most_instructions_in_memory);
    std::vector<Instruction> code(count);
    for (size_t n = 0; n < count; n++) {
        code[n] = decode(words.data() + n * words_per_instruction, isa);
        note(code[n], uniforms_of(isa));
    }
    if (!traits_.branches)
        remove_dead_code(code, outputs);
    traits_.unwritten = unwritten(code, outputs);
    micro_ops_ = make_micro_ops(code, traits_.branches);
}

} // namespace pixmill::vivante
