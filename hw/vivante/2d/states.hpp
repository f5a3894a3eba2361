// The states of the 2D engine: what a write changes, and those of the multi-source blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "common/field.hpp"
#include "pixmill/vivante.h"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

/// The 2D states that have a row in the table: from de_first to de_last.
constexpr uint32_t de_first = DE_SRC_ADDRESS;
constexpr uint32_t de_last = de_first + 4 * PIXMILL_VIVANTE_DE_DRAW_STATES - 1;

/// A field of a 2D state, and the bit that protects it: a written word with that bit set leaves
/// the field alone (rnndb MASKED/ENABLED).
struct DeBits : Field {
    static constexpr uint8_t unprotected = 32;
    uint8_t protection;

    constexpr DeBits() : DeBits("", 0) {}
    constexpr DeBits(const char* name_, uint8_t high_, uint8_t low_, uint8_t by = unprotected)
        : Field{name_, high_, low_}, protection(by) {}
    constexpr DeBits(const char* name_, uint8_t bit) : DeBits(name_, bit, bit) {}

    constexpr uint32_t protection_mask() const {
        return protection == unprotected ? 0 : 1u << protection;
    }
};

/// A 2D state. One without fields is a single value of 32 bits.
struct DeState {
    uint32_t address;
    const char* name;
    uint32_t reset;
    uint32_t mask; ///< bits that exist
    /// What each mask bit protects.
    struct Group {
        uint32_t bits = 0; ///< the fields
        uint32_t mask = 0; ///< the bit that protects them
    };

    constexpr DeState(uint32_t address_, const char* name_,
                      std::initializer_list<DeBits> fields = {}, uint32_t reset_ = 0)
        : address(address_), name(name_), reset(reset_),
          mask(fields.size() ? mask_of(fields) : 0xFFFFFFFF), field_count_(uint8_t(fields.size())) {
        std::ranges::copy(fields, fields_.begin());
        for (const DeBits& field : fields)
            if (const uint32_t by = field.protection_mask())
                group(by).bits |= field.mask();
    }

    constexpr std::span<const DeBits> fields() const { return {fields_.data(), field_count_}; }
    constexpr std::span<const Group> groups() const { return {groups_.data(), group_count_}; }

private:
    /// The group behind a mask bit.
    constexpr Group& group(uint32_t by) {
        for (uint8_t i = 0; i < group_count_; i++)
            if (groups_[i].mask == by)
                return groups_[i];
        groups_[group_count_].mask = by;
        return groups_[group_count_++];
    }

    uint8_t field_count_, group_count_ = 0;
    std::array<Group, 8> groups_{};
    std::array<DeBits, 16> fields_{};
};

/// The table of fields.hpp.
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

} // namespace pixmill::vivante
