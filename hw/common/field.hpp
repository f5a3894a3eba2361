// A bit field of a register or of a drawing state.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill {

/// Bits `high` to `low` of a word, as documents number them: high >= low, at most 31.
struct Field {
    static constexpr uint8_t unmasked = 32;

    const char* name; ///< the vendor's
    uint8_t high;
    uint8_t low = high;
    /// A written word that has this bit set leaves the field alone (rnndb: the field's _MASK).
    uint8_t mask_bit = unmasked;

    constexpr uint32_t mask() const { return (0xFFFFFFFFu >> (31 - (high - low))) << low; }
    /// The field's value in `word`.
    constexpr uint32_t operator()(uint32_t word) const { return only(word) >> low; }
    /// `word` with the field alone: the other bits are 0.
    constexpr uint32_t only(uint32_t word) const { return word & mask(); }
    /// `value`, as far as the field has room for it, in its place; the other bits are 0.
    constexpr uint32_t put(uint32_t value) const { return value << low & mask(); }
    /// The word with the mask bit alone; 0 if the field has none.
    constexpr uint32_t protection() const { return mask_bit == unmasked ? 0 : 1u << mask_bit; }
};

/// The bits that `fields` name.
template<class Fields>
constexpr uint32_t mask_of(const Fields& fields) {
    uint32_t mask = 0;
    for (const Field& field : fields)
        mask |= field.mask();
    return mask;
}

} // namespace pixmill
