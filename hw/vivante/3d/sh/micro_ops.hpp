// Micro-ops: the steps in which shader instructions are executed.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa.hpp"
#include "lane_loops.hpp"
#include "texturing.hpp"

namespace pixmill::vivante {

/// Largest numbers of any core.
inline constexpr unsigned temporary_count = 64, uniform_count = 512, sampler_count = 32;

/// Returns the number of uniforms that a stage can address.
constexpr unsigned uniforms_of(ShaderIsa isa) {
    return isa == ShaderIsa::halti0 ? 256 : uniform_count;
}
/// Returns a mask of the samplers that both stages can address.
constexpr uint32_t samplers_of(ShaderIsa isa) {
    return isa == ShaderIsa::halti0 ? 0xFFF : ~0u;
}

/// Vectors of the register file: the temporaries, followed by vectors that instructions cannot
/// name.
namespace vector_number {
inline constexpr uint16_t address = temporary_count, ///< a0, as integers
    internal = 65,                                   ///< i0
    constants = 66,                                  ///< 0, 1
    operands = 67,                                   ///< computed operands of an instruction
    condition = 70,                                  ///< all ones where a condition holds
    result = 71,                                     ///< before it is moved to a temporary
    divergent = 72, ///< a result that is valid only in active lanes
    active = 73,    ///< x: all ones where a lane is active
    count = 74;
} // namespace vector_number

/// A step of an instruction. Most instructions are a single step.
struct MicroOp {
    enum class Kind : uint8_t {
        lanes,      ///< a loop
        derivative, ///< a loop over quads; the result is 0 if lanes are not quads
        gather,     ///< reads the operand that a0 selects, into `to`
        scatter,    ///< writes `source` to the temporary that a0 selects
        texture,
        load,       ///< reads memory
        branch,     ///< all active lanes
        branch_if,  ///< lanes whose condition.x holds
        branch_any, ///< lanes for which any component of the condition holds
        call,
        ret,
        kill,    ///< all active lanes
        kill_if, ///< lanes whose condition.x holds
    };
    Kind kind = Kind::lanes;
    bool first = false;                         ///< the first step of its instruction
    Addressing addressing = Addressing::direct; ///< gather, scatter, texture
    Group group = Group::temporary;             ///< gather
    uint16_t base = 0;   ///< gather, scatter: register; texture: sampler; load: left shift
    uint32_t target = 0; ///< branch, call: index of a MicroOp
    Lod lod = Lod::derivatives;
    /// Texture: a bias or level is x of source[1], not w of the coordinate.
    bool level_apart = false;
    /// Texture: the Lanes with a depth to compare.
    std::optional<uint16_t> reference;
    Type type = Type::f32; ///< load
    /// The loop to execute, or the operands of other kinds: for texture, `to` and source[n].at[0]
    /// are the first Lanes of vectors; for load, source[0].at[0] and source[1].at[0] are Lanes; for
    /// gather, component c is component source[0].at[c] of the register; for scatter, source[0] is
    /// the value.
    LaneWork work;
};

/// Returns the steps of a program. Branch targets are converted to indices of steps.
std::vector<MicroOp> make_micro_ops(std::span<const Instruction> code, bool has_branches);

} // namespace pixmill::vivante
