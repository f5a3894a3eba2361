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

/// The uniforms of a stage, as floats. Integers are bit patterns.
using Uniforms = std::array<std::array<float, 4>, uniform_count>;

/// The registers of 64 lanes. Large (about 80 KiB): use one per thread.
class ShaderState {
public:
    ShaderState();

    /// Returns a register, t0 to t63. Before a run, set the program's inputs and clear all other
    /// components in Program::Traits::unwritten.
    Vector& temporary(unsigned reg) { return file_[reg]; }
    const Vector& temporary(unsigned reg) const { return file_[reg]; }
    /// i0.x. It is 1.0 or 0.0 for pixels, which compare it with a uniform that the driver sets, and
    /// 0.0 for vertices.
    Lanes& face() { return file_[vector_number::internal][0]; }

    /// Reserves memory, so that running `program` does not allocate. May throw std::bad_alloc.
    void make_room(const Program& program) { waiting_.reserve(program.micro_ops().size() + 1); }

    /// Clears Program::Traits::unwritten, except for `inputs`.
    void clear_unwritten(const Program& program, const Components& inputs);

private:
    friend class Machine;

    struct CallStack {
        uint8_t depth = 0;
        std::array<uint32_t, 16> back{}; ///< indices of micro-ops
    };

    std::array<Vector, vector_number::count> file_;
    std::vector<LaneMask> waiting_; ///< for each micro-op: lanes that wait to continue there
    std::array<CallStack, lane_count> calls_;
    LaneMask active_bits_ = 0; ///< contents of the vector `active`
};

/// A shader is considered endless after this number of instructions. The function has its own file,
/// shader_budget.cpp, so that fuzzers can link a smaller budget.
uint64_t instruction_budget();

struct Batch {
    /// Lanes whose results are needed. If lanes are quads, all lanes of their quads run.
    LaneMask live = ~LaneMask(0);
    bool quads = true; ///< lanes are pixels and have derivatives; otherwise derivatives are 0
    bool kills = true; ///< TEXKILL kills; otherwise it has no effect
    /// If it is null, texels are (0, 0, 0, 1), as for absent samplers, and loads give 0.
    Texturing* texturing = nullptr;
    /// Machine code of the program; null to interpret it.
    const jit::CompiledProgram* compiled = nullptr;
    /// Maximum number of instructions to execute, regardless of the number of lanes.
    uint64_t budget = instruction_budget();
    /// Checked at branches; the run stops when it is set.
    const std::atomic<bool>* interrupt = nullptr;
};

struct Outcome {
    LaneMask killed = 0;      ///< live lanes that were killed
    bool endless = false;     ///< the budget is exhausted
    bool interrupted = false; ///< stopped by `interrupt`
    uint64_t executed = 0;    ///< instructions, except those without effect
};

/// Runs `program` from its first instruction until all lanes have ended. Divergent lanes
/// reconverge, because the lanes at the lowest instruction run first.
Outcome run(const Program& program, const Uniforms& uniforms, ShaderState& state,
            const Batch& batch);

} // namespace pixmill::vivante
