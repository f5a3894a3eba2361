// What instructions of the shaders are made of when they run.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa.hpp"
#include "lane_loops.hpp"
#include "texturing.hpp"

namespace pixmill::vivante {

inline constexpr unsigned temporary_count = 64, uniform_count = 256, sampler_count = 12;

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

/// The steps of a program of at most 512 instructions; targets of branches become theirs.
std::vector<MicroOp> make_micro_ops(std::span<const Instruction> code, bool has_branches);

} // namespace pixmill::vivante
