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
#include "lane_loops.hpp"
#include "texturing.hpp"

namespace pixmill::vivante {

inline constexpr unsigned temporary_count = 64, uniform_count = 256, sampler_count = 12,
                          most_instructions = 512;

/// Vectors of the register file that programs work on: the temporaries, and behind them what no
/// instruction names.
namespace vector_number {
inline constexpr uint16_t address = temporary_count, ///< a0, as integers
    internal = 65,                                   ///< i0
    constants = 66,                                  ///< 0, 1
    operands = 67,                                   ///< those of an instruction that are made
    condition = 70,                                  ///< bits where one holds
    result = 71,                                     ///< before it goes to a temporary
    divergent = 72, ///< a result of which only the active lanes count
    active = 73,    ///< x: bits where a lane is active
    count = 74;
} // namespace vector_number

/// A set of components for each temporary: bit 0 is x.
using Components = std::array<uint8_t, temporary_count>;

/// A step of an instruction. Most instructions are one.
struct MicroOp {
    enum class Kind : uint8_t {
        lanes,      ///< a loop
        derivative, ///< a loop over quads; all 0 where lanes are none
        gather,     ///< an operand that a0 chooses, into `to`
        scatter,    ///< `source` to a temporary that a0 chooses
        texture,
        branch,     ///< all active lanes
        branch_if,  ///< those whose condition.x holds
        branch_any, ///< those of which a component of the condition holds
        call,
        ret,
        kill,    ///< all active lanes
        kill_if, ///< those whose condition.x holds
    };
    Kind kind = Kind::lanes;
    bool first = false;                         ///< of its instruction
    Addressing addressing = Addressing::direct; ///< gather, scatter, texture
    Group group = Group::temporary;             ///< gather
    uint16_t base = 0;                          ///< gather, scatter: register; texture: sampler
    uint16_t target = 0;                        ///< of a branch or call: number of a MicroOp
    Lod lod = Lod::derivatives;
    /// Of the loop. Texture: `to` and the `at[0]` of sources begin vectors. Gather: its component
    /// c is component source[0].at[c] of the register. Scatter: source[0].
    LaneWork work;
};

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

private:
    void note(const Instruction& instruction);

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
