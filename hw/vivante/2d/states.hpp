// The states of the 2D engine: what a write changes, and those of the multi-source blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/vivante.h"
#include "vivante/offsets.hpp"
#include "vivante/state_row.hpp"

namespace pixmill::vivante {

/// The 2D states that have a row in the table: from de_first to de_last.
constexpr uint32_t de_first = DE_SRC_ADDRESS;
constexpr uint32_t de_last = de_first + 4 * PIXMILL_VIVANTE_DE_DRAW_STATES - 1;

/// The table of fields.hpp.
std::span<const StateRow> de_states();

/// The state of source `n` of a multi-source blit that corresponds to the 2D state `base`; of the
/// block for eight sources or of that for four.
uint32_t source_state(bool eight, unsigned n, uint32_t base);

/// The 2D state at `address`, or nullptr. Registers of the multi-source blocks have the entry of
/// the state that they correspond to.
const StateRow* find_de_state(uint32_t address);

/// Clears the bits that 2D states do not have, in a whole state space.
void mask_states(std::span<uint32_t> words);

} // namespace pixmill::vivante
