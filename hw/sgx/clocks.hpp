// Clock gates of the units of a core and of the master bank.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {

struct Clock {
    uint32_t control; ///< offset of the register that gates the unit
    Field gate;       ///< field of `control`: 0 gated, 1 running, 2 automatic
    uint8_t status;   ///< the unit's bit in the status register
};
// clang-format off
inline constexpr Clock core_clocks[] = {
    {CLKGATECTL, {"ISP_CLKG", 1, 0}, 0},
    {CLKGATECTL, {"ISP2_CLKG", 3, 2}, 1},
    {CLKGATECTL, {"TSP_CLKG", 5, 4}, 2},
    {CLKGATECTL, {"TE_CLKG", 7, 6}, 3},
    {CLKGATECTL, {"MTE_CLKG", 9, 8}, 4},
    {CLKGATECTL, {"DPM_CLKG", 11, 10}, 5},
    {CLKGATECTL, {"VDM_CLKG", 13, 12}, 6},
    {CLKGATECTL, {"PDS_CLKG", 15, 14}, 7},
    {CLKGATECTL, {"IDXFIFO_CLKG", 17, 16}, 19},
    {CLKGATECTL, {"TA_CLKG", 19, 18}, 20},
    {CLKGATECTL, {"BIF_CORE_CLKG", 21, 20}, 24},
    {CLKGATECTL2, {"PBE_CLKG", 1, 0}, 8},
    {CLKGATECTL2, {"TCU_L2_CLKG", 3, 2}, 9},
    {CLKGATECTL2, {"UCACHEL2_CLKG", 5, 4}, 10},
    {CLKGATECTL2, {"USE0_CLKG", 7, 6}, 11},
    {CLKGATECTL2, {"ITR0_CLKG", 9, 8}, 12},
    {CLKGATECTL2, {"TEX0_CLKG", 11, 10}, 13},
    {CLKGATECTL2, {"USE1_CLKG", 15, 14}, 15},
    {CLKGATECTL2, {"ITR1_CLKG", 17, 16}, 16},
    {CLKGATECTL2, {"TEX1_CLKG", 19, 18}, 17},
    {CLKGATECTL2, {"DCU_L2_CLKG", 23, 22}, 21},
    {CLKGATECTL2, {"DCU1_L0L1_CLKG", 25, 24}, 23},
    {CLKGATECTL2, {"DCU0_L0L1_CLKG", 27, 26}, 22},
};
inline constexpr Clock master_clocks[] = {
    {MASTER_CLKGATECTL, {"CORE0_CLKG", 1, 0}, 0},
    {MASTER_CLKGATECTL, {"CORE1_CLKG", 3, 2}, 1},
    {MASTER_CLKGATECTL, {"CORE2_CLKG", 5, 4}, 2},
    {MASTER_CLKGATECTL, {"CORE3_CLKG", 7, 6}, 3},
    {MASTER_CLKGATECTL2, {"BIF_CLKG", 1, 0}, 0},
    {MASTER_CLKGATECTL2, {"DPM_CLKG", 3, 2}, 1},
    {MASTER_CLKGATECTL2, {"IPF_CLKG", 5, 4}, 2},
    {MASTER_CLKGATECTL2, {"VDM_CLKG", 7, 6}, 3},
    {MASTER_CLKGATECTL2, {"PTLA_CLKG", 9, 8}, 4},
};
// clang-format on

/// Returns the mask of the gate fields in the register at `control`.
constexpr uint32_t gates_of(std::span<const Clock> clocks, uint32_t control) {
    uint32_t gates = 0;
    for (const Clock& clock : clocks)
        gates |= clock.control == control ? clock.gate.mask() : 0;
    return gates;
}

/// Returns the status bits of the units that the register at `control` gates.
constexpr uint32_t units_of(std::span<const Clock> clocks, uint32_t control) {
    uint32_t units = 0;
    for (const Clock& clock : clocks)
        units |= clock.control == control ? 1u << clock.status : 0;
    return units;
}

/// Returns the status bits of the units that run after a write of `word` to `control`. Units are
/// always idle, so an automatic gate is closed.
constexpr uint32_t running(std::span<const Clock> clocks, uint32_t control, uint32_t word) {
    constexpr uint32_t on = 1;
    uint32_t status = 0;
    for (const Clock& clock : clocks) {
        if (clock.control == control && clock.gate(word) == on)
            status |= 1u << clock.status;
    }
    return status;
}

} // namespace pixmill::sgx
