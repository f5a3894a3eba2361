// Machine code for programs of the shaders.
//
// A straight program is micro-ops in a row. Those that the compiler knows, one behind the other,
// are a run: a function that keeps in registers what the interpreter loads and stores for each of
// them. Everything else (texels, kills, registers that a0 chooses, most integers) the interpreter
// does, in between: what is live there lies in the register file.
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

/// What a run does for all 64 lanes.
using RunFunction = void (*)(Lanes* file, const float* uniforms);

class CompiledProgram {
public:
    struct Run {
        size_t begin, end;     ///< micro-ops
        uint64_t instructions; ///< that begin there
        RunFunction function;
    };

    CompiledProgram(CodeMemory code, std::vector<Run> runs, bool differs)
        : code_(std::move(code)), runs_(std::move(runs)), takes_differences_(differs) {}

    /// In the order of their micro-ops.
    const std::vector<Run>& runs() const { return runs_; }
    /// Lanes must be quads: derivatives are within runs.
    bool takes_differences() const { return takes_differences_; }
    /// Memory that it takes.
    size_t bytes() const { return code_.bytes() + runs_.capacity() * sizeof(Run); }

private:
    CodeMemory code_;
    std::vector<Run> runs_;
    bool takes_differences_;
};

/// Whether this build and the processor can compile anything.
bool can_compile();

/// Machine code that leaves the bytes that the interpreter leaves in the outputs. Null where there
/// is none: the program has branches or is too long, the host has no memory, or cannot at all. May
/// throw std::bad_alloc.
std::unique_ptr<CompiledProgram> compile(const Program& program);

} // namespace jit
} // namespace pixmill::vivante
