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
    VS_UNIFORM_BASE = 0x0864, ///< in vectors; HALTI1
    VS_ICACHE_CONTROL = 0x0868,
    VS_INST_ADDR = 0x086C,
    VS_NEWRANGE_LOW = 0x0874, ///< HALTI5, like all ranges but *_RANGE
    PS_NEWRANGE_LOW = 0x087C,
    ICACHE_INVALIDATE = 0x08B0,
    VS_HALTI5_RANGE_HIGH = 0x08BC,
    VS_HALTI5_INPUT = 0x08C0,  ///< eight words, in place of VS_INPUT
    VS_HALTI5_OUTPUT = 0x08E0, ///< eight words, in place of VS_OUTPUT
    VS_SAMPLER_BASE = 0x08A8,
    PS_END_PC = 0x1000,
    PS_OUTPUT_REG = 0x1004,
    PS_INPUT_COUNT = 0x1008,
    PS_CONTROL = 0x1010,
    PS_START_PC = 0x1018,
    PS_RANGE = 0x101C,
    PS_UNIFORM_BASE = 0x1024,
    PS_INST_ADDR = 0x1028,
    PS_OUTPUT_REG2 = 0x102C,
    PS_CONTROL_EXT = 0x1030,
    PS_SAMPLER_BASE = 0x1058,
    PS_HALTI5_RANGE_HIGH = 0x1090,
    VS_INST_MEM = 0x4000, ///< cores with one memory per stage
    VS_UNIFORMS = 0x5000,
    PS_INST_MEM = 0x6000, ///< cores with one memory per stage
    PS_UNIFORMS = 0x7000,
    SH_INST_MEM_MIRROR = 0x8000,  ///< of SH_INST_MEM
    SH_INST_MEM = 0xC000,         ///< shared by both stages
    SH_CONFIG = 0x15600,          ///< HALTI5
    SH_UNIFORMS = 0x30000,        ///< shared by both stages; HALTI1
    SH_UNIFORMS_MIRROR = 0x34000, ///< twice; HALTI5
};

namespace vs::output_count {
inline constexpr Field count{"COUNT", 7, 0};
inline constexpr Field output16_reg{"OUTPUT16_REG", 15, 8};
inline constexpr Field output17_reg{"OUTPUT17_REG", 23, 16};
} // namespace vs::output_count

namespace sh::config {
inline constexpr Field rtne_rounding{"RTNE_ROUNDING", 1}, dual16{"DUAL16", 2};
} // namespace sh::config

namespace vs::input_count {
inline constexpr Field count{"COUNT", 4, 0};
inline constexpr Field id_enable{"ID_ENABLE", 31}; ///< HALTI2
} // namespace vs::input_count

/// First and last instruction, both inclusive, in the memory that both stages share.
namespace sh::range {
inline constexpr Field low{"LOW", 15, 0};
inline constexpr Field high{"HIGH", 31, 16};
} // namespace sh::range

namespace vs::icache_control {
inline constexpr Field enable{"ENABLE", 0}, flush_vs{"FLUSH_VS", 4}, flush_ps{"FLUSH_PS", 5};
} // namespace vs::icache_control

namespace ps::control {
inline constexpr Field bypass{"BYPASS", 0};
inline constexpr Field saturate_rt[] = {
    {"SATURATE_RT0", 1}, {"SATURATE_RT1", 2}, {"SATURATE_RT2", 3}, {"SATURATE_RT3", 4}};
inline constexpr Field rt_count{"RT_COUNT", 10, 8}; ///< number of targets - 1
} // namespace ps::control

/// The field of target 0. Target n has bits 4 n to 4 n + 2.
namespace ps::control_ext {
inline constexpr Field mode{"OUTPUT_MODE0", 2, 0};
} // namespace ps::control_ext

} // namespace pixmill::vivante
