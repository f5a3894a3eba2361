// A bit field of a register or of a drawing state.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill {

/// Bits `high` to `low` of a word, where bit 0 is the least significant; 31 >= high >= low.
struct Field {
    static constexpr uint8_t unmasked = 32;

    const char* name; ///< the vendor's name
    uint8_t high;
    uint8_t low = high;
    /// If this bit is set in a written word, the field keeps its value (rnndb: the field's _MASK).
    uint8_t mask_bit = unmasked;

    constexpr uint32_t mask() const { return (0xFFFFFFFFu >> (31 - (high - low))) << low; }
    /// Extracts the field's value from `word`.
    constexpr uint32_t operator()(uint32_t word) const { return only(word) >> low; }
    /// Clears all bits of `word` outside the field.
    constexpr uint32_t only(uint32_t word) const { return word & mask(); }
    /// Shifts `value` into the field's position, truncated to its width.
    constexpr uint32_t put(uint32_t value) const { return value << low & mask(); }
    /// Returns a word with only the mask bit set, or 0 if the field has no mask bit.
    constexpr uint32_t protection() const { return mask_bit == unmasked ? 0 : 1u << mask_bit; }
};

/// Returns the union of the masks of `fields`.
template<class Fields>
constexpr uint32_t mask_of(const Fields& fields) {
    uint32_t mask = 0;
    for (const Field& field : fields)
        mask |= field.mask();
    return mask;
}

} // namespace pixmill
