// A program of the shaders, decoded once for many runs.
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

inline constexpr unsigned most_instructions = 512;

/// A set of components for each temporary: bit 0 is x.
using Components = std::array<uint8_t, temporary_count>;

class Program {
public:
    /// Of the code as it is written, but for what is said to be of the micro-ops.
    struct Traits {
        /// Temporaries that the micro-ops may read, or leave as outputs, without having written
        /// them: inputs, and what whoever runs the program has to fill with 0. Inputs that are
        /// not among them nobody looks at.
        Components unwritten{};
        bool depth = false;         ///< names t0.z as a destination
        bool kills = false;         ///
        bool branches = false;      ///< also calls and returns
        bool quads = false;         ///< takes differences within quads: DSX, DSY, TEXLD, TEXLDB
        bool addresses = false;     ///< uses a0
        bool internals = false;     ///< reads i0
        uint32_t samplers = 0;      ///< a bit for each, by absolute number
        unsigned temporaries = 0;   ///< that it names: one more than the largest
        unsigned uniforms = 0;      ///< likewise; all of them where a0 chooses one
        unsigned unknown_count = 0; ///< instructions that a GC2000 does not have all of
        std::bitset<128> unknown;   ///< their opcodes
    };

    /// `words`: four for each instruction, the first one that of RANGE.LOW; what is beyond
    /// most_instructions does not count. `outputs`: what somebody reads afterwards; instructions
    /// that nothing comes of are left out where no branch makes that a question. A pixel shader
    /// whose depth counts has t0.z among them.
    Program(std::span<const uint32_t> words, const Components& outputs);

    const Traits& traits() const { return traits_; }
    std::span<const MicroOp> micro_ops() const { return micro_ops_; }
    /// What somebody reads afterwards.
    const Components& outputs() const { return outputs_; }

private:
    void note(const Instruction& instruction);

    Components outputs_;
    Traits traits_;
    std::vector<MicroOp> micro_ops_;
};

/// All temporaries, as where nobody has said what is read.
constexpr Components all_components() {
    Components all{};
    all.fill(0xF);
    return all;
}

} // namespace pixmill::vivante
