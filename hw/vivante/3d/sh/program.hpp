// A shader program, decoded once for many runs.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "isa.hpp"
#include "micro_ops.hpp"

namespace pixmill::vivante {

/// Size of the instruction memory, and limit for programs in guest memory.
inline constexpr unsigned most_instructions = 512, most_instructions_in_memory = 8192;

/// A bit mask of components for each temporary: bit 0 is x.
using Components = std::array<uint8_t, temporary_count>;

class Program {
public:
    /// Traits of the original code, before dead code is removed, except where micro-ops are
    /// mentioned.
    struct Traits {
        /// Components that the micro-ops may read, or leave as outputs, without having written
        /// them. These must be inputs, or be cleared before a run. Other inputs are never read.
        Components unwritten{};
        bool depth = false;         ///< names t0.z as a destination
        bool kills = false;         ///< has TEXKILL
        bool branches = false;      ///< has branches, calls or returns
        bool quads = false;         ///< computes differences within quads: DSX, DSY, TEXLD, TEXLDB
        bool addresses = false;     ///< uses a0
        bool internals = false;     ///< reads i0
        bool loads = false;         ///< has LOAD
        uint32_t samplers = 0;      ///< bit mask, by absolute number
        unsigned temporaries = 0;   ///< 1 + the largest number used
        unsigned uniforms = 0;      ///< 1 + the largest number used; all if a0 selects one
        unsigned unknown_count = 0; ///< instructions that the core does not support fully
        std::bitset<128> unknown;   ///< their opcodes
    };

    /// `words` has four words per instruction, starting with instruction RANGE.LOW; instructions
    /// beyond most_instructions_in_memory are ignored. `outputs` are the components that are read
    /// after a run, including t0.z for a pixel shader whose depth is used. Instructions that do not
    /// contribute to them are removed, unless there are branches.
    Program(std::span<const uint32_t> words, const Components& outputs,
            ShaderIsa isa = ShaderIsa::halti0);

    const Traits& traits() const { return traits_; }
    std::span<const MicroOp> micro_ops() const { return micro_ops_; }
    /// Components that are read after a run.
    const Components& outputs() const { return outputs_; }

private:
    void note(const Instruction& instruction, unsigned uniforms);

    Components outputs_;
    Traits traits_;
    std::vector<MicroOp> micro_ops_;
};

/// All components of all temporaries, for when outputs are not known.
constexpr Components all_components() {
    Components all{};
    all.fill(0xF);
    return all;
}

} // namespace pixmill::vivante
