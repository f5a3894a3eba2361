// Loops over 64 lanes that perform shader operations on a register file.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa.hpp"
#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

/// Loops up to `last_of_any_form` take operands of any Form; later loops take only unmodified
/// lanes.
enum class Loop : uint8_t {
    move,
    move_saturated,
    add,
    mul,
    mad,
    dp2,
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
    divide,
    clamp0_max, ///< to 0 .. source 1
    norm_mul,   ///< a product, which is 0 if either operand is
    to_half,    ///< half-precision bits in the low half
    from_half,
    frc,
    floor,
    ceil,
    sign,
    dsx,
    dsy,
    pick,       ///< source 1 where the bits of source 0 are set, else source 2
    one,        ///< 1.0 where the bits of source 0 are set, else 0
    to_address, ///< nearest integer, clamped beyond all register numbers; NaN: 0
    integer_add,
    integer_add_saturated,
    unsigned_add_saturated,
    multiply_low,
    multiply_high,
    unsigned_multiply_high,
    multiply_add_low,
    multiply_add_saturated,
    integer_divide, ///< by 0: 0, like the three below
    unsigned_divide,
    integer_remainder,
    unsigned_remainder,
    integer_sign,
    integer_absolute,
    integer_negate,
    leading_zeros,
    count_ones,
    reverse_bits,
    find_lowest,  ///< index of the lowest bit that is set; ~0 if there is none
    find_highest, ///< index of the highest bit that differs from the sign
    unsigned_find_highest,
    extract, ///< source 2 bits of source 0 from bit source 1 on
    unsigned_extract,
    shift_left,
    shift_right,
    unsigned_shift_right,
    rotate,
    bitwise_or,
    bitwise_and,
    bitwise_xor,
    bitwise_not,
    /// Set all ones where a condition holds, else 0. Add a Condition (below condition_count) to
    /// these.
    compare_f32,
    compare_s32 = compare_f32 + condition_count,
    compare_u32 = compare_s32 + condition_count,
    /// Conversions. Add the integer's Type to these; float types act as s32.
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

/// Location and modifiers of an operand.
struct Operand {
    /// For each component of the result: index of a Lanes in the register file, or of a float in
    /// the uniforms.
    std::array<uint16_t, 4> at{};
    uint32_t keep = ~0u; ///< bits to keep (ABS)
    uint32_t flip = 0;   ///< bits to invert afterwards (NEG)
};

/// Form of a loop's operands. Bit n: operand n is a uniform. Bit 3: `keep` and `flip` apply.
using Form = uint8_t;
inline constexpr Form modified_form = 8, form_count = 16;

struct LaneWork {
    Loop loop = Loop::move;
    Form form = 0;
    uint8_t count = 0; ///< components of the result
    /// The components of the result, ordered so that none is overwritten before it is read.
    std::array<uint8_t, 4> component{};
    uint16_t to = 0; ///< index of the Lanes of the result's x
    std::array<Operand, 3> source;
};

using LaneKernel = void (*)(const LaneWork& work, Lanes* file, const float* uniforms);

struct LaneKernels {
    std::array<std::array<LaneKernel, form_count>, size_t(Loop::count)> by_loop{};

    void run(const LaneWork& work, Lanes* file, const float* uniforms) const {
        by_loop[size_t(work.loop)][work.form](work, file, uniforms);
    }
};

/// Returns the fastest kernels for this processor. All compute the same bits. The caller must keep
/// a FlushTiny alive while they run.
const LaneKernels& lane_kernels();
#ifdef __x86_64__
const LaneKernels& baseline_lane_kernels();
const LaneKernels& avx2_lane_kernels();
#endif
/// Returns kernels that need no FlushTiny and run on any processor.
const LaneKernels& flushing_lane_kernels();

} // namespace pixmill::vivante
