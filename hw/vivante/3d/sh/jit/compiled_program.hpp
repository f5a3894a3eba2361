// Machine code of shader programs.
//
// A program without branches is a sequence of micro-ops. Consecutive micro-ops that the compiler
// supports are a run: a function that keeps in registers what the interpreter loads and stores for
// each micro-op. The interpreter executes all other micro-ops (texture sampling, kills, registers
// that a0 selects, most integer operations). Between runs, live values are in the register file.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "code_memory.hpp"
#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

class Program;

namespace jit {

/// Executes a run for all 64 lanes.
using RunFunction = void (*)(Lanes* file, const float* uniforms);

class CompiledProgram {
public:
    struct Run {
        size_t begin, end;     ///< range of micro-ops
        uint64_t instructions; ///< instructions that begin in it
        RunFunction function;
    };

    CompiledProgram(CodeMemory code, std::vector<Run> runs, bool differs)
        : code_(std::move(code)), runs_(std::move(runs)), takes_differences_(differs) {}

    /// Returns the runs in the order of their micro-ops.
    const std::vector<Run>& runs() const { return runs_; }
    /// True if runs compute derivatives, so lanes must be quads.
    bool takes_differences() const { return takes_differences_; }
    /// Memory usage.
    size_t bytes() const { return code_.bytes() + runs_.capacity() * sizeof(Run); }

private:
    CodeMemory code_;
    std::vector<Run> runs_;
    bool takes_differences_;
};

/// True if both this build and the processor support compiling.
bool can_compile();

/// Compiles a program. Machine code leaves the same bytes in the outputs as the interpreter.
/// Returns null if the program has branches or is too long, if executable memory cannot be
/// allocated, or if the host does not support compiling. May throw std::bad_alloc.
std::unique_ptr<CompiledProgram> compile(const Program& program);

} // namespace jit
} // namespace pixmill::vivante
