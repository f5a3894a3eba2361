// The programs that a core has run lately, decoded, and the hot ones as machine code.
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

/// When programs become machine code, where the host can have it.
enum class JitMode : uint8_t { hot, never, always };

/// A program, and how much it has been run.
class CachedProgram {
public:
    /// `if_named`: outputs where the program names t0.z as a destination.
    CachedProgram(std::span<const uint32_t> words, const Components& outputs,
                  const Components& if_named);

    bool is(std::span<const uint32_t> words, const Components& outputs,
            const Components& if_named) const;
    const Program& program() const { return program_; }
    /// Null: it is interpreted.
    const jit::CompiledProgram* compiled() const { return compiled_.get(); }
    /// It has been run for so many vertices or pixels more.
    void note(uint64_t lanes) { lanes_ += lanes; }
    /// Compiles it if it is time to, which is tried once. Whether it is compiled from now on.
    bool compile_if_due(JitMode mode);
    /// Memory that it takes, about.
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
    /// Both bound it; what a draw holds besides is two programs.
    static constexpr size_t most_programs = 64, most_bytes = 4 << 20;

    explicit ProgramCache(JitMode mode = JitMode::hot) : mode_(mode) {}

    /// The program of these words, see CachedProgram. Nothing is allocated if it is there. May
    /// throw std::bad_alloc.
    std::shared_ptr<CachedProgram> find(std::span<const uint32_t> words, const Components& outputs,
                                        const Components& if_named);
    /// Compiles a program of find()'s, if it is time to.
    void compile_if_due(CachedProgram& program) {
        if (program.compile_if_due(mode_))
            trim();
    }

    size_t size() const { return programs_.size(); }
    size_t bytes() const;

private:
    void trim();

    JitMode mode_;
    std::vector<std::shared_ptr<CachedProgram>> programs_; ///< what was asked for last is last
};

} // namespace pixmill::vivante
