// The state space that LOAD_STATE writes: who owns which range, names, masks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace pixmill::vivante {

/// What the front end does with a word for a state address.
enum class Owner : uint8_t {
    none,   ///< not documented: stored, logged
    alias,  ///< addresses of registers: no effect (galcore pads with such loads), but for the MMU's
    stored, ///< a block that only looks at the value when it works
    de,     ///< 2D drawing engine: masked writes, triggers
    gl,     ///< acted on by the front end
    dummy,  ///< discarded
};

/// The first of the 2D states.
constexpr uint32_t de_first = 0x1200;

Owner owner_of(uint32_t address);

/// A 2D state: which bits exist, and which of them a mask bit protects.
struct DeState {
    uint32_t address;
    const char* name;
    uint32_t mask; ///< bits that exist
    uint32_t reset = 0;
    /// Masked writes (rnndb MASKED/ENABLED): a written word with `mask` set leaves `bits` alone.
    struct Group {
        uint32_t bits = 0; ///< the fields
        uint32_t mask = 0; ///< the bit that protects them
    } groups[8] = {};
};

/// The table, for the documentation and for reset.
std::span<const DeState> de_states();

/// The state of source `n` of a multi-source blit that corresponds to the 2D state `base`; of the
/// block for eight sources or of that for four.
uint32_t source_state(bool eight, unsigned n, uint32_t base);

/// The 2D state at `address`, or nullptr. Registers of the multi-source blocks have the entry of
/// the state that they correspond to.
const DeState* find_de_state(uint32_t address);

/// Clears the bits that 2D states do not have, in a whole state space.
void mask_states(std::span<uint32_t> words);

/// The value of a state after `written` is loaded over `old`.
uint32_t merge(const DeState& state, uint32_t old, uint32_t written);

/// Name of a state for traces; a range name where it has none of its own.
const char* state_name(uint32_t address);

} // namespace pixmill::vivante
