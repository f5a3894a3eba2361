// Fields of host interface registers whose only use is to define the writable bits. Sources: rnndb
// state_hi.xml, and the BB2D register manual of the AM57xx TRM (13.4).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"
#include "offsets.hpp"

namespace pixmill::vivante {

// CLOCK_CONTROL.
constexpr Field clock_stored[] = {{"CLK3D_DIS", 0},
                                  {"CLK2D_DIS", 1},
                                  clock_fscale,
                                  clock_fscale_load,
                                  {"DISABLE_RAM_CLK_GATING", 10},
                                  {"DISABLE_DEBUG_REGISTERS", 11},
                                  clock_soft_reset,
                                  {"ISOLATE_GPU", 19},
                                  clock_pixel_pipe,
                                  {"MULTI_PIPE_USE_SINGLE_AXI", 27, 24}};

// AXI_CONFIG.
constexpr Field axi_config[] = {
    {"AWID", 3, 0}, {"ARID", 7, 4}, {"AWCACHE", 11, 8}, {"ARCACHE", 15, 12}};

// POWER_CONTROLS.
constexpr Field power_controls[] = {{"ENABLE_MODULE_CLOCK_GATING", 0},
                                    {"DISABLE_STALL_MODULE_CLOCK_GATING", 1},
                                    {"DISABLE_STARVE_MODULE_CLOCK_GATING", 2},
                                    {"TURN_ON_COUNTER", 7, 4},
                                    {"TURN_OFF_COUNTER", 31, 16}};

// DEBUG_MEMORY.
constexpr Field debug_memory[] = {{"MAX_OUTSTANDING_READS", 7, 0},
                                  {"DISABLE_MINI_MMU_CACHE", 14},
                                  {"INTERLEAVE_BUFFER_LOW_LATENCY", 17},
                                  {"LIMIT_CONTROL", 19},
                                  {"FAST_CLEAR_BYPASS", 20},
                                  {"COMPRESSION_BYPASS", 21},
                                  {"DISABLE_STALL_READS", 22},
                                  {"DISABLE_WRITE_DATA_SPEED_UP", 23},
                                  {"ZCOMP_LIMIT", 29, 24},
                                  {"DONT_STALL_WRITES_ON_SAME_ADDRESS", 30}};

// Fields of PROFILE_CONFIG0 to 3, in which each byte selects a signal of one module. According to
// the manual, CONFIG0 and CONFIG1 have all four fields, CONFIG2 and CONFIG3 the first two.
constexpr Field profile_signals[] = {
    {"MODULE0", 3, 0}, {"MODULE1", 11, 8}, {"MODULE2", 19, 16}, {"MODULE3", 27, 24}};
constexpr Field profile_pair[] = {profile_signals[0], profile_signals[1]};

// BUS_CONFIG.
constexpr Field bus_config[] = {{"PEC", 0}, {"PEZ", 1}, {"FE", 3}, {"MMU", 5},
                                {"FC", 6},  {"TX", 7},  {"FCC", 8}};

/// Modules whose clock gating MODULE_CONTROLS can disable (AM57xx TRM).
constexpr Field gated_modules[] = {module_fe, module_de, module_pe, module_sh,
                                   module_pa, module_se, module_ra, module_tx};

/// Fields of MMU_SAFE_ADDRESS_CONFIG. The meaning of bits 15 and 31 is unknown.
constexpr Field safe_address_config[] = {
    {"NON_SEC_SAFE_ADDR_HIGH", 7, 0}, {"", 15}, {"SEC_SAFE_ADDR_HIGH", 23, 16}, {"", 31}};

} // namespace pixmill::vivante
