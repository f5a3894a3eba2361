// SH: runs programs on 64 vertices or pixels at once.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "program.hpp"
#include "texturing.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/sh/jit/compiled_program.hpp"

namespace pixmill::vivante {

/// VS_UNIFORMS or PS_UNIFORMS, as floats; what is no number is a bit pattern.
using Uniforms = std::array<std::array<float, 4>, uniform_count>;

/// The registers of 64 lanes. Large (about 80 KiB): whoever runs programs keeps one for each
/// thread.
class ShaderState {
public:
    ShaderState();

    /// t0 to t63. Whoever runs a program fills its inputs, and Program::Traits::unwritten with 0.
    Vector& temporary(unsigned reg) { return file_[reg]; }
    const Vector& temporary(unsigned reg) const { return file_[reg]; }
    /// i0.x of pixels: 1.0 or 0.0, compared with a uniform that the driver sets.
    Lanes& face() { return file_[vector_number::internal][0]; }

    /// Makes room for what running `program` takes: afterwards a run needs no memory. May throw
    /// std::bad_alloc.
    void make_room(const Program& program) { waiting_.reserve(program.micro_ops().size() + 1); }

    /// Fills with 0 what the program may read or leave without having written it and what is not in
    /// `inputs`.
    void clear_unwritten(const Program& program, const Components& inputs);

private:
    friend class Machine;

    struct CallStack {
        uint8_t depth = 0;
        std::array<uint16_t, 16> back{}; ///< numbers of micro-ops
    };

    std::array<Vector, vector_number::count> file_;
    std::vector<LaneMask> waiting_; ///< lanes that go on at a micro-op, when the others get there
    std::array<CallStack, lane_count> calls_;
    LaneMask active_bits_ = 0; ///< what the vector `active` shows
};

/// An invocation that has not ended after so many instructions never will. Alone in
/// shader_budget.cpp: fuzzers link fewer, since these take 15 s under sanitizers.
uint64_t instruction_budget();

struct Batch {
    /// The lanes that somebody wants. Where lanes are quads, all of a quad run that has one.
    LaneMask live = ~LaneMask(0);
    bool quads = true; ///< lanes are pixels: neighbours make derivatives; else those are 0
    Texturing* texturing = nullptr; ///< null: texels are (0, 0, 0, 1), as of absent samplers
    /// The program's machine code; null: all of it is interpreted.
    const jit::CompiledProgram* compiled = nullptr;
    /// Instructions, whatever number of lanes executes each.
    uint64_t budget = instruction_budget();
    /// Looked at in branches; set: the run ends as it is.
    const std::atomic<bool>* interrupt = nullptr;
};

struct Outcome {
    LaneMask killed = 0;      ///< of the live ones
    bool endless = false;     ///< the budget was spent
    bool interrupted = false; ///< registers are as they were then
    uint64_t executed = 0;    ///< instructions; those without effect do not count
};

/// Runs `program` from its first instruction to where all lanes have left it. Divergent lanes join
/// where they meet: those with the lowest number of an instruction go first.
Outcome run(const Program& program, const Uniforms& uniforms, ShaderState& state,
            const Batch& batch);

} // namespace pixmill::vivante
