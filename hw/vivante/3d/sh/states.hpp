// SH: states of the vertex and pixel shader stages, and their fields.
//
// Names and bits: rnndb state_3d.xml (VS, PS, SH).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

enum ShState : uint32_t {
    VS_END_PC = 0x0800,
    VS_OUTPUT_COUNT = 0x0804,
    VS_INPUT_COUNT = 0x0808,
    VS_OUTPUT = 0x0810, ///< four words
    VS_INPUT = 0x0820,  ///< four words
    VS_START_PC = 0x0838,
    VS_RANGE = 0x085C,
    PS_END_PC = 0x1000,
    PS_OUTPUT_REG = 0x1004,
    PS_INPUT_COUNT = 0x1008,
    PS_CONTROL = 0x1010,
    PS_START_PC = 0x1018,
    PS_RANGE = 0x101C,
    VS_INST_MEM = 0x4000, ///< cores with one memory per stage
    VS_UNIFORMS = 0x5000,
    PS_INST_MEM = 0x6000, ///< cores with one memory per stage
    PS_UNIFORMS = 0x7000,
    SH_INST_MEM = 0xC000, ///< shared by both stages
};

namespace vs::output_count {
inline constexpr Field count{"COUNT", 7, 0};
inline constexpr Field output16_reg{"OUTPUT16_REG", 15, 8};
inline constexpr Field output17_reg{"OUTPUT17_REG", 23, 16};
} // namespace vs::output_count

namespace vs::input_count {
inline constexpr Field count{"COUNT", 4, 0};
} // namespace vs::input_count

/// First and last instruction, both inclusive, in the memory that both stages share.
namespace sh::range {
inline constexpr Field low{"LOW", 15, 0};
inline constexpr Field high{"HIGH", 31, 16};
} // namespace sh::range

namespace ps::control {
inline constexpr Field bypass{"BYPASS", 0};
inline constexpr Field saturate_rt[] = {
    {"SATURATE_RT0", 1}, {"SATURATE_RT1", 2}, {"SATURATE_RT2", 3}, {"SATURATE_RT3", 4}};
inline constexpr Field rt_count{"RT_COUNT", 10, 8}; ///< number of targets - 1
} // namespace ps::control

} // namespace pixmill::vivante
