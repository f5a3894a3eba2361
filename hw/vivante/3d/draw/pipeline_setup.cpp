// SPDX-License-Identifier: GPL-2.0-or-later
#include "pipeline_setup.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vivante/3d/pa/assembler.hpp"
#include "vivante/3d/pa/states.hpp"
#include "vivante/3d/sh/states.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t instruction_bytes = 16;

/// Wraps a register number at 64, the number of temporaries, since a byte of a state can hold
/// larger values.
uint8_t temporary(uint32_t byte) {
    return uint8_t(byte % temporary_count);
}

/// Returns byte `n` of the byte array that begins at state `first`.
uint8_t byte_of(const States& states, uint32_t first, unsigned n) {
    return uint8_t(states[first + n / 4 * 4] >> n % 4 * 8);
}

/// Location of a stage's instruction memory, and the states that select the program in it.
struct Window {
    uint32_t memory, bytes; ///< the whole instruction memory
    uint32_t range, start_pc, end_pc;
};
constexpr Window vs_unified{SH_INST_MEM, 0x2000, VS_RANGE, 0, 0};
constexpr Window ps_unified{SH_INST_MEM, 0x2000, PS_RANGE, 0, 0};
constexpr Window vs_own{VS_INST_MEM, 0x1000, 0, VS_START_PC, VS_END_PC};
constexpr Window ps_own{PS_INST_MEM, 0x1000, 0, PS_START_PC, PS_END_PC};

/// Returns the location of a program, truncated at the end of the instruction memory.
Stage::Code code_of(const States& states, const Window& window) {
    const uint32_t room = window.bytes / instruction_bytes;
    const uint64_t first =
        window.range ? sh::range::low(states[window.range]) : states[window.start_pc];
    const uint64_t end =
        window.range ? uint64_t(sh::range::high(states[window.range])) + 1 : states[window.end_pc];
    const uint64_t last = std::min<uint64_t>(end, room);
    if (first >= last)
        return {window.memory, 0};
    return {window.memory + uint32_t(first) * instruction_bytes,
            uint32_t(last - first) * (instruction_bytes / 4)};
}

Stage::Code program_code(const States& states, const Features3d& features, bool pixels) {
    if (pixels)
        return code_of(states, features.unified_instructions ? ps_unified : ps_own);
    return code_of(states, features.unified_instructions ? vs_unified : vs_own);
}

} // namespace

std::vector<uint32_t> program_words(const States& states, const Features3d& features, bool pixels) {
    const Stage::Code code = program_code(states, features, pixels);
    std::vector<uint32_t> words(code.count);
    for (uint32_t i = 0; i < code.count; i++)
        words[i] = states[code.address + 4 * i];
    return words;
}

void Stage::load(ProgramCache& programs, const States& states, Code code, const Components& outputs,
                 const Components& if_named) {
    words_.resize(code.count);
    for (size_t i = 0; i < words_.size(); i++)
        words_[i] = states[code.address + uint32_t(4 * i)];
    if (!program_ || !program_->is(words_, outputs, if_named)) {
        program_.reset();
        program_ = programs.find(words_, outputs, if_named);
    }
    programs.compile_if_due(*program_);
}

void Stage::load_uniforms(const States& states, uint32_t first) {
    for (unsigned u = 0; u < program().traits().uniforms; u++)
        for (unsigned c = 0; c < 4; c++)
            uniforms_[u][c] = states.real(first + 16 * u + 4 * c);
}

void PipelineSetup::decode(const States& states, const DrawCommand& what,
                           const Features3d& features) {
    command = what;
    indices = IndexSetup::decode(states, what.start, uint32_t(what.offset));
    fetch =
        FetchSetup::decode(states, vs::input_count::count(states[VS_INPUT_COUNT]), features.halti0);
    pa = PaSetup::decode(states, features);
    provoking_last = pa::system_mode::provoking_vertex_last(states[PA_SYSTEM_MODE]);
    ra = RaSetup::decode(states);
    decode_targets(states, features);
    decode_vertex_shader(states, features);
    decode_pixel_shader(states, features);
    te = te::TeSetup::decode(states, samplers());
}

uint32_t PipelineSetup::samplers() const {
    return vs.program().traits().samplers | ps.program().traits().samplers;
}

void PipelineSetup::decode_vertex_shader(const States& states, const Features3d& features) {
    const uint32_t count = states[VS_OUTPUT_COUNT], varyings = pa.varyings.count;
    for (unsigned slot = 0; slot < 16; slot++)
        vs_output[slot] = temporary(byte_of(states, VS_OUTPUT, slot));
    vs_output[16] = temporary(vs::output_count::output16_reg(count));
    vs_output[17] = temporary(vs::output_count::output17_reg(count));
    vs_inputs = {};
    for (unsigned a = 0; a < most_elements; a++) {
        vs_input[a] = temporary(byte_of(states, VS_INPUT, a));
        if (a < fetch.count)
            vs_inputs[vs_input[a]] = 0xF;
    }
    vs_point_size = vs::output_count::count(count) == varyings + 2;
    Components outputs{};
    for (unsigned slot = 0; slot < 1 + varyings + vs_point_size; slot++)
        outputs[vs_output[slot]] = 0xF;
    vs.load(programs, states, program_code(states, features, false), outputs);
    vs.load_uniforms(states, VS_UNIFORMS);
}

void PipelineSetup::decode_pixel_shader(const States& states, const Features3d& features) {
    const uint32_t control = states[PS_CONTROL];
    ps_bypass = ps::control::bypass(control);
    ps_inputs = {};
    const unsigned multisample_input = ra.samples > 1;
    std::fill_n(ps_inputs.begin(), 1 + ra.varyings.count + multisample_input, 0xF);
    Components outputs{};
    for (unsigned n = 0; n < most_targets; n++) {
        ps_output[n] = temporary(states[PS_OUTPUT_REG] >> 8 * n);
        if (n < pe.color.targets)
            outputs[ps_output[n]] = 0xF;
    }
    constexpr unsigned depth_register = 0, z = 1 << 2;
    Components depth_output{};
    depth_output[depth_register] = z;
    ps.load(programs, states, program_code(states, features, true), outputs, depth_output);
    ps.load_uniforms(states, PS_UNIFORMS);
    ps_writes_depth = ps.program().traits().depth && !ps_bypass;
}

void PipelineSetup::decode_targets(const States& states, const Features3d& features) {
    pe = PeSetup::decode(states, features);
    const TsSetup status = TsSetup::decode(states, features.tile_status_bits);
    const auto surface = [](const PeSurface& of, uint32_t bytes) {
        return Surface3d{of.layout, uint8_t(bytes), of.stride, of.address};
    };
    for (unsigned n = 0; n < most_targets; n++) {
        const ColorTarget& target = pe.color.target[n];
        draws_color[n] = n < pe.color.targets && target.format && target.is_written();
        if (!draws_color[n])
            continue;
        color[n] = surface(target.surface, target.format->bytes);
        color_status[n] = n == 0 ? status.color : TsSurface{};
    }
    draws_depth = pe.depth.reads || pe.depth.write;
    depth = surface(pe.depth.surface, pe.depth.d24s8 ? 4 : 2);
    depth_status = status.depth;
    shift_x = pe.samples > 1;
    shift_y = pe.samples > 2;
}

void PipelineSetup::log_unsupported(const States& states, Host& host) const {
    const uint32_t elements = vs::input_count::count(states[VS_INPUT_COUNT]);
    for (unsigned a = 0; a < fetch.count; a++)
        if (!fetch.element[a].type)
            host.guest_error(Cause::draw_vertices, fetch.element[a].code,
                             "vertex element %u of unknown type %u reads as 0, 0, 0, 1", a,
                             fetch.element[a].code);
    if (elements > most_elements)
        host.guest_error(Cause::draw_vertices, 0x100 | elements,
                         "%u vertex elements, but only 16 exist", elements);
    if (command.type < unsigned(PrimitiveType::points) ||
        command.type > unsigned(PrimitiveType::quads))
        host.guest_error(Cause::draw_primitive, command.type,
                         "primitives of unknown type %u, nothing drawn", command.type);
    for (const Stage* stage : {&vs, &ps})
        for (unsigned op = 0; stage->program().traits().unknown_count && op < 128; op++)
            if (stage->program().traits().unknown[op])
                host.guest_error(Cause::draw_program, op,
                                 "shader instruction 0x%02x, which the core does not have", op);
    const uint32_t used = samplers();
    for (unsigned s = 0; s < te::sampler_count; s++) {
        const te::SamplerError error = te.sampler[s].error;
        if (used >> s & 1 && error != te::SamplerError::none)
            host.guest_error(Cause::draw_texture, s << 8 | unsigned(error), "sampler %u: %s", s,
                             te::name(error));
    }
    for (unsigned n = 0; n < pe.color.targets; n++)
        if (pe.color.components && !pe.color.target[n].format)
            host.guest_error(Cause::draw_target, pe.color.target[n].code,
                             "render target %u of unknown format %u, not drawn", n,
                             pe.color.target[n].code);
}

} // namespace pixmill::vivante
