// States of the 2D engine, with their masks, and the registers of the multi-source blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/vivante.h"
#include "vivante/offsets.hpp"
#include "vivante/state_row.hpp"

namespace pixmill::vivante {

/// Address range of the 2D states that have a row in the table.
constexpr uint32_t de_first = DE_SRC_ADDRESS;
constexpr uint32_t de_last = de_first + 4 * PIXMILL_VIVANTE_DE_DRAW_STATES - 1;

/// Returns the table in fields.hpp.
std::span<const StateRow> de_states();

/// Returns the address of the register of source `n` that corresponds to the 2D state `base`. The
/// register is in the block for eight sources if `eight` is set, else in the one for four.
uint32_t source_state(bool eight, unsigned n, uint32_t base);

/// Returns the row of the 2D state at `address`, or nullptr. A register of a multi-source block has
/// the row of the state that it corresponds to.
const StateRow* find_de_state(uint32_t address);

/// Clears, in a whole state space, the bits that 2D states do not have.
void mask_states(std::span<uint32_t> words);

} // namespace pixmill::vivante
