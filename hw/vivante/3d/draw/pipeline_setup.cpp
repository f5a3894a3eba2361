// SPDX-License-Identifier: GPL-2.0-or-later
#include "pipeline_setup.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vivante/3d/guest_read.hpp"
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

/// Returns the location of instructions `first` to `end` - 1 after a state with their address.
/// An impossible range is empty.
Stage::Code code_in_memory(const States& states, uint32_t address, uint64_t first, uint64_t end) {
    constexpr uint64_t most = 1 << 20; // a longer range hangs the hardware
    if (first >= end || end > most)
        return {0, 0, true};
    const uint64_t count = std::min<uint64_t>(end - first, most_instructions_in_memory);
    return {uint32_t(states[address] + first * instruction_bytes),
            uint32_t(count * (instruction_bytes / 4)), true};
}

/// HALTI5 always has programs in memory. HALTI2 has them there if the instruction cache is enabled.
Stage::Code program_code(const States& states, const Features3d& features, bool pixels) {
    const uint32_t address = pixels ? PS_INST_ADDR : VS_INST_ADDR;
    if (features.halti5)
        return code_in_memory(states, address, states[pixels ? PS_NEWRANGE_LOW : VS_NEWRANGE_LOW],
                              states[pixels ? PS_HALTI5_RANGE_HIGH : VS_HALTI5_RANGE_HIGH]);
    if (features.halti2 && vs::icache_control::enable(states[VS_ICACHE_CONTROL])) {
        const uint32_t range = states[pixels ? PS_RANGE : VS_RANGE];
        return code_in_memory(states, address, sh::range::low(range), sh::range::high(range) + 1u);
    }
    if (pixels)
        return code_of(states, features.unified_instructions ? ps_unified : ps_own);
    return code_of(states, features.unified_instructions ? vs_unified : vs_own);
}

/// Returns the location of a stage's uniforms: `own`, or a part of the file that both stages share.
Stage::UniformWindow uniforms_at(const States& states, const Features3d& features, uint32_t own,
                                 uint32_t base) {
    if (!features.halti2)
        return {own, uniforms_of(ShaderIsa::halti0)};
    const uint32_t first = std::min(states[base], uint32_t(uniform_count));
    return {SH_UNIFORMS + 16 * first, uniform_count - first};
}

bool has_ids(const States& states, const Features3d& features) {
    return features.halti2 && vs::input_count::id_enable(states[VS_INPUT_COUNT]);
}

/// Returns the number of vertex elements. The ids are one more input.
uint32_t element_count(const States& states, const Features3d& features) {
    const uint32_t inputs = vs::input_count::count(states[VS_INPUT_COUNT]);
    return inputs - (inputs && has_ids(states, features));
}

} // namespace

namespace {

/// Reads the words of a program. Those that fault are 0, which does nothing.
void read_code(const Stage::CodeSource& source, const Stage::Code& code,
               std::vector<uint32_t>& words) {
    words.resize(code.count);
    if (!code.in_memory) {
        for (size_t i = 0; i < words.size(); i++)
            words[i] = source.states[code.address + uint32_t(4 * i)];
        return;
    }
    if (!source.memory)
        words.clear();
    else // the memory's owner finds out about faults
        (void)read_guest(*source.memory, code.address, std::as_writable_bytes(std::span(words)));
}

} // namespace

std::vector<uint32_t> program_words(const States& states, const Features3d& features, bool pixels,
                                    Memory* memory) {
    std::vector<uint32_t> words;
    read_code({states, memory}, program_code(states, features, pixels), words);
    return words;
}

void Stage::load(ProgramCache& programs, const CodeSource& source, Code code,
                 const Components& outputs, const Components& if_named) {
    read_code(source, code, words_);
    if (!program_ || !program_->is(words_, outputs, if_named)) {
        program_.reset();
        program_ = programs.find(words_, outputs, if_named);
    }
    programs.compile_if_due(*program_);
}

void Stage::load_uniforms(const States& states, const UniformWindow& window) {
    const unsigned count = program().traits().uniforms, some = std::min(count, window.count);
    for (unsigned u = 0; u < some; u++)
        for (unsigned c = 0; c < 4; c++)
            uniforms_[u][c] = states.real(window.address + 16 * u + 4 * c);
    for (unsigned u = some; u < count; u++)
        uniforms_[u] = {};
}

void PipelineSetup::decode(const States& states, const DrawCommand& what,
                           const Features3d& features, Memory* memory) {
    command = what;
    indices = IndexSetup::decode(states, what.start, uint32_t(what.offset));
    fetch = FetchSetup::decode(states, element_count(states, features), features);
    pa = PaSetup::decode(states, features);
    provoking_last = pa::system_mode::provoking_vertex_last(states[PA_SYSTEM_MODE]);
    ra = RaSetup::decode(states, features);
    decode_targets(states, features);
    decode_vertex_shader(states, features, memory);
    decode_pixel_shader(states, features, memory);
    const uint32_t of_pixels = ps.program().traits().samplers;
    te = te::TeSetup::decode(states, samplers(), features, ~of_pixels, memory);
}

uint32_t PipelineSetup::samplers() const {
    return vs.program().traits().samplers | ps.program().traits().samplers;
}

/// With ID_ENABLE, the input after the elements holds the vertex number in x and the instance
/// number in y (Mesa 25.0 etnaviv_shader.c). HALTI5 has a state that names the components.
void PipelineSetup::decode_ids(const States& states, const Features3d& features) {
    vertex_id.reset();
    instance_id.reset();
    if (!has_ids(states, features))
        return;
    if (features.halti5) {
        const uint32_t config = states[FE_HALTI5_ID_CONFIG];
        if (fe::id_config::vertex_enable(config))
            vertex_id = uint8_t(fe::id_config::vertex_reg(config));
        if (fe::id_config::instance_enable(config))
            instance_id = uint8_t(fe::id_config::instance_reg(config));
    } else if (fetch.count < most_elements) {
        vertex_id = uint8_t(4 * vs_input[fetch.count]);
        instance_id = uint8_t(*vertex_id + 1);
    }
    for (const auto& id : {vertex_id, instance_id})
        if (id)
            vs_inputs[*id / 4] |= uint8_t(1 << *id % 4);
}

void PipelineSetup::decode_vertex_shader(const States& states, const Features3d& features,
                                         Memory* memory) {
    const uint32_t count = states[VS_OUTPUT_COUNT], varyings = pa.varyings.count;
    const uint32_t outputs_at = features.halti5 ? VS_HALTI5_OUTPUT : VS_OUTPUT,
                   inputs_at = features.halti5 ? VS_HALTI5_INPUT : VS_INPUT;
    const unsigned in_bytes = features.halti5 ? most_slots : 16;
    for (unsigned slot = 0; slot < in_bytes; slot++)
        vs_output[slot] = temporary(byte_of(states, outputs_at, slot));
    if (!features.halti5) {
        vs_output[16] = temporary(vs::output_count::output16_reg(count));
        vs_output[17] = temporary(vs::output_count::output17_reg(count));
    }
    vs_inputs = {};
    for (unsigned a = 0; a < most_elements; a++) {
        vs_input[a] = temporary(byte_of(states, inputs_at, a));
        if (a < fetch.count)
            vs_inputs[vs_input[a]] = 0xF;
    }
    decode_ids(states, features);
    point_size_slot = point_size_output(states, features, varyings);
    Components outputs{};
    for (unsigned slot = 0; slot < 1 + varyings; slot++)
        outputs[vs_output[slot]] = 0xF;
    if (point_size_slot)
        outputs[vs_output[*point_size_slot]] = 0xF;
    vs.load(programs, {states, memory}, program_code(states, features, false), outputs);
    vs.load_uniforms(states, uniforms_at(states, features, VS_UNIFORMS, VS_UNIFORM_BASE));
}

void PipelineSetup::decode_pixel_shader(const States& states, const Features3d& features,
                                        Memory* memory) {
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
    ps.load(programs, {states, memory}, program_code(states, features, true), outputs,
            depth_output);
    ps.load_uniforms(states, uniforms_at(states, features, PS_UNIFORMS, PS_UNIFORM_BASE));
    ps_writes_depth = ps.program().traits().depth && !ps_bypass;
}

void PipelineSetup::decode_targets(const States& states, const Features3d& features) {
    pe = PeSetup::decode(states, features);
    const TsSetup status = TsSetup::decode(states, features);
    const auto surface = [](const PeSurface& of, uint32_t bytes) {
        return Surface3d{of.layout, uint8_t(bytes), of.stride, of.address};
    };
    for (unsigned n = 0; n < most_targets; n++) {
        const ColorTarget& target = pe.color.target[n];
        draws_color[n] = n < pe.color.targets && target.format && target.is_written();
        if (!draws_color[n])
            continue;
        color[n] = surface(target.surface, target.format->bytes);
        color_status[n] = n == 0 ? status.color : status.target[n];
    }
    draws_depth = pe.depth.reads || pe.depth.write;
    depth = surface(pe.depth.surface, pe.depth.d24s8 ? 4 : 2);
    depth_status = status.depth;
    shift_x = pe.samples > 1;
    shift_y = pe.samples > 2;
}

namespace {

/// Logs what programs in memory should not be. They are executed nevertheless.
void log_programs(const States& states, const Features3d& features, Host& host) {
    constexpr unsigned key = 0x100, dual = 0x103; // beyond the opcodes
    constexpr uint32_t alignment = 256;
    for (const bool pixels : {false, true}) {
        const Stage::Code code = program_code(states, features, pixels);
        if (code.in_memory && !code.count)
            host.guest_error(Cause::draw_program, key + pixels, "%s shader without instructions",
                             pixels ? "pixel" : "vertex");
        else if (code.in_memory && states[pixels ? PS_INST_ADDR : VS_INST_ADDR] % alignment)
            host.guest_error(Cause::draw_program, key + pixels,
                             "%s shader at 0x%08x, which is not a multiple of 256",
                             pixels ? "pixel" : "vertex",
                             states[pixels ? PS_INST_ADDR : VS_INST_ADDR]);
    }
    if (features.halti5 && sh::config::dual16(states[SH_CONFIG]))
        host.guest_error(Cause::draw_program, dual,
                         "shader with registers of 16 bits; its results have 32");
}

} // namespace

void PipelineSetup::log_unsupported(const States& states, const Features3d& features,
                                    Host& host) const {
    const uint32_t elements = element_count(states, features);
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
    log_programs(states, features, host);
    const uint32_t used = samplers();
    const unsigned existing = features.halti2 ? te::nte_bank.count : te::te_bank.count;
    for (unsigned s = 0; s < existing; s++) {
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
