// The decoded states of a draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "command.hpp"
#include "vivante/3d/fe/vertex_fetch.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/pa/pa.hpp"
#include "vivante/3d/pe/pe.hpp"
#include "vivante/3d/ra/ra.hpp"
#include "vivante/3d/sh/program_cache.hpp"
#include "vivante/3d/sh/shader.hpp"
#include "vivante/3d/states.hpp"
#include "vivante/3d/te/setup.hpp"
#include "vivante/3d/ts/surface3d.hpp"
#include "vivante/3d/ts/ts.hpp"
#include "vivante/host.hpp"

namespace pixmill::vivante {

/// A shader stage: its program and uniforms.
class Stage {
public:
    /// Location of a program in the state space or in guest memory.
    struct Code {
        uint32_t address;
        uint32_t count; ///< words
        bool in_memory = false;
    };
    /// Source of programs. If `memory` is null, programs in guest memory are empty.
    struct CodeSource {
        const States& states;
        Memory* memory;
    };
    /// Loads a program. For `outputs` see Program; those in `if_named` are added only if the
    /// program names t0.z as a destination.
    void load(ProgramCache& programs, const CodeSource& source, Code code,
              const Components& outputs, const Components& if_named = {});
    /// Location of uniforms in the state space. Others are 0.
    struct UniformWindow {
        uint32_t address;
        unsigned count; ///< vectors
    };
    void load_uniforms(const States& states, const UniformWindow& window);

    const Program& program() const { return program_->program(); }
    const jit::CompiledProgram* compiled() const { return program_->compiled(); }
    /// Counts executions (vertices or pixels) to find programs that are worth compiling.
    void note(uint64_t lanes) { program_->note(lanes); }
    const Uniforms& uniforms() const { return uniforms_; }

private:
    std::vector<uint32_t> words_; ///< scratch
    std::shared_ptr<CachedProgram> program_;
    Uniforms uniforms_{};
};

/// Returns the instructions of the pixel shader or the vertex shader, truncated at the end of the
/// instruction memory.
std::vector<uint32_t> program_words(const States& states, const Features3d& features, bool pixels,
                                    Memory* memory = nullptr);

struct PipelineSetup {
    ProgramCache programs;

    DrawCommand command;
    bool provoking_last = false;
    FetchSetup fetch;
    IndexSetup indices;

    Stage vs;
    static constexpr unsigned most_slots = most_outputs;
    std::array<uint8_t, most_elements> vs_input{}; ///< temporary of each attribute
    std::array<uint8_t, most_slots> vs_output{}; ///< temporaries of position, varyings, point size
    /// Components of temporaries that receive the vertex and the instance number, as 4 * register +
    /// component.
    std::optional<uint8_t> vertex_id, instance_id;
    Components vs_inputs{}; ///< components of temporaries that attributes and ids are loaded into
    std::optional<uint8_t> point_size_slot; ///< of vs_output

    PaSetup pa;
    RaSetup ra;
    te::TeSetup te; ///< without samplers that no program has

    Stage ps;
    Components ps_inputs{};
    bool ps_bypass = false;
    bool ps_writes_depth = false;
    std::array<uint8_t, most_targets> ps_output{};

    PeSetup pe;
    std::array<bool, most_targets> draws_color{}; ///< targets that are written
    std::array<Surface3d, most_targets> color;
    std::array<TsSurface, most_targets> color_status;
    bool draws_depth = false; ///< the PE reads or writes the depth surface
    Surface3d depth;
    TsSurface depth_status;
    /// Log2 of the samples per pixel in each direction.
    unsigned shift_x = 0, shift_y = 0;

    /// Programs that are in guest memory are read from `memory`, which may be null.
    void decode(const States& states, const DrawCommand& what, const Features3d& features,
                Memory* memory = nullptr);
    /// Returns a bit mask of the samplers that the programs have.
    uint32_t samplers() const;
    /// True if a program reads memory.
    bool loads() const { return vs.program().traits().loads || ps.program().traits().loads; }
    /// Logs settings that no modeled core supports.
    void log_unsupported(const States& states, const Features3d& features, Host& host) const;

private:
    void decode_ids(const States& states, const Features3d& features);
    void decode_vertex_shader(const States& states, const Features3d& features, Memory* memory);
    void decode_pixel_shader(const States& states, const Features3d& features, Memory* memory);
    void decode_targets(const States& states, const Features3d& features);
};

} // namespace pixmill::vivante
