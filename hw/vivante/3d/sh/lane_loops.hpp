// What shaders do with 64 lanes at once: loops over one or a few components of a register file.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa.hpp"
#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

/// Loops take operands in any form, or (behind `last_of_any_form`) only lanes as they are.
enum class Loop : uint8_t {
    move,
    move_saturated,
    add,
    mul,
    mad,
    dp3,
    dp4,
    select_gt,
    select_lt,
    select_nz,
    set_gt,
    set_lt,
    set_ge,
    set_le,
    set_eq,
    set_ne,
    last_of_any_form = set_ne,
    rcp,
    rsq,
    sqrt,
    exp,
    log,
    sin,
    cos,
    frc,
    floor,
    ceil,
    sign,
    dsx,
    dsy,
    pick,       ///< the bits of source 1 where those of source 0 are set, else of source 2
    one,        ///< 1.0 where the bits of source 0 are set, else 0
    to_address, ///< the nearest integer, as far as a register's number can need it; a NaN: 0
    integer_add,
    integer_add_saturated,
    unsigned_add_saturated,
    multiply_low,
    multiply_high,
    unsigned_multiply_high,
    multiply_add_low,
    integer_absolute,
    integer_negate,
    leading_zeros,
    shift_left,
    shift_right,
    unsigned_shift_right,
    rotate,
    bitwise_or,
    bitwise_and,
    bitwise_xor,
    bitwise_not,
    /// All bits where a condition holds, else 0: a Condition (below condition_count) is added.
    compare_f32,
    compare_s32 = compare_f32 + condition_count,
    compare_u32 = compare_s32 + condition_count,
    /// Conversions: a Type is added, of what is no float; the types of floats are taken for s32.
    to_integer = compare_u32 + condition_count,
    round_to_integer = to_integer + 8,
    to_float = round_to_integer + 8,
    narrow = to_float + 8, ///< to the type's width and back to 32 bits
    count = narrow + 8,
};

template<class Code>
constexpr Loop operator+(Loop base, Code code) {
    return Loop(unsigned(base) + unsigned(code));
}

/// Where a loop finds an operand.
struct Operand {
    /// For each component of the result: number of a Lanes in the register file, or of a float in
    /// the uniforms.
    std::array<uint16_t, 4> at{};
    uint32_t keep = ~0u; ///< bits that stay, ABS
    uint32_t flip = 0;   ///< bits that are inverted then, NEG
};

/// How the operands of a loop are to be read: bit n: operand n is a uniform; bit 3: `keep` and
/// `flip` count.
using Form = uint8_t;
inline constexpr Form modified_form = 8, form_count = 16;

struct LaneWork {
    Loop loop = Loop::move;
    Form form = 0;
    uint8_t count = 0; ///< components of the result
    /// They, in an order in which none is written before another one has been made of it.
    std::array<uint8_t, 4> component{};
    uint16_t to = 0; ///< number of the Lanes of the result's x
    std::array<Operand, 3> source;
};

using LaneKernel = void (*)(const LaneWork& work, Lanes* file, const float* uniforms);

struct LaneKernels {
    std::array<std::array<LaneKernel, form_count>, size_t(Loop::count)> by_loop{};

    void run(const LaneWork& work, Lanes* file, const float* uniforms) const {
        by_loop[size_t(work.loop)][work.form](work, file, uniforms);
    }
};

/// The fastest that the processor has. All compute the same bits; whoever runs them lets a
/// FlushTiny live meanwhile.
const LaneKernels& lane_kernels();
#ifdef __x86_64__
const LaneKernels& baseline_lane_kernels();
const LaneKernels& avx2_lane_kernels();
#endif
/// For any processor: these need no FlushTiny.
const LaneKernels& flushing_lane_kernels();

} // namespace pixmill::vivante
