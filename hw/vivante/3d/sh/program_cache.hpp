// Caches recently used programs: decoded, and hot ones as machine code.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "program.hpp"
#include "vivante/3d/sh/jit/compiled_program.hpp"

namespace pixmill::vivante {

/// Selects when programs are compiled, if the host supports it.
enum class JitMode : uint8_t { hot, never, always };

/// A program and its execution count.
class CachedProgram {
public:
    /// `if_named` are outputs only if the program names t0.z as a destination.
    CachedProgram(std::span<const uint32_t> words, const Components& outputs,
                  const Components& if_named, ShaderIsa isa = ShaderIsa::halti0);

    bool is(std::span<const uint32_t> words, const Components& outputs,
            const Components& if_named) const;
    const Program& program() const { return program_; }
    /// Returns null if the program is interpreted.
    const jit::CompiledProgram* compiled() const { return compiled_.get(); }
    /// Counts executions, in vertices or pixels.
    void note(uint64_t lanes) { lanes_ += lanes; }
    /// Compiles the program if it is hot. Tries this only once. Returns true on success.
    bool compile_if_due(JitMode mode);
    /// Approximate memory usage.
    size_t bytes() const;

private:
    std::vector<uint32_t> words_;
    Components outputs_, if_named_;
    Program program_;
    std::unique_ptr<jit::CompiledProgram> compiled_;
    uint64_t lanes_ = 0;
    bool tried_ = false;
};

class ProgramCache {
public:
    /// Limits of the cache. A draw may keep two more programs alive.
    static constexpr size_t most_programs = 64, most_bytes = 4 << 20;

    explicit ProgramCache(JitMode mode = JitMode::hot, ShaderIsa isa = ShaderIsa::halti0)
        : mode_(mode), isa_(isa) {}

    /// Returns the program with these words; see CachedProgram. Allocates memory only if the
    /// program is not cached. May throw std::bad_alloc.
    std::shared_ptr<CachedProgram> find(std::span<const uint32_t> words, const Components& outputs,
                                        const Components& if_named);
    /// Compiles a program that find() returned, once it is hot.
    void compile_if_due(CachedProgram& program) {
        if (program.compile_if_due(mode_))
            trim();
    }

    size_t size() const { return programs_.size(); }
    size_t bytes() const;

private:
    void trim();

    JitMode mode_;
    ShaderIsa isa_;
    std::vector<std::shared_ptr<CachedProgram>> programs_; ///< most recently used last
};

} // namespace pixmill::vivante
