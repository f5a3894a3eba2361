// Transparency by colour.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "format.hpp"

namespace pixmill::render {

/// A range of pixel words as they are in memory. A word is inside if each of its fields is between
/// those of `low` and `high`, both included; bits outside of all fields are not looked at.
struct ColorKey {
    struct Field {
        uint32_t mask = 0, low = 0, high = 0; ///< in place
    };
    std::array<Field, 4> fields;

    constexpr ColorKey() = default;
    constexpr ColorKey(const Format& format, uint32_t low, uint32_t high) {
        const Channel channels[] = {format.alpha, format.red, format.green, format.blue};
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t mask = ((1u << channels[i].width) - 1) << channels[i].shift;
            fields[i] = {mask, low & mask, high & mask};
        }
    }

    /// The range is one colour.
    constexpr bool single() const {
        bool same = true;
        for (const Field& f : fields)
            same &= f.low == f.high;
        return same;
    }

    /// All fields are bytes of the word.
    constexpr bool bytes() const {
        bool all = true;
        for (const Field& f : fields)
            all &= f.mask == 0 || f.mask == 0xFF || f.mask == 0xFF00 || f.mask == 0xFF0000 ||
                   f.mask == 0xFF000000;
        return all;
    }

    constexpr bool inside(uint32_t raw) const {
        bool in = true;
        for (const Field& f : fields)
            in &= (raw & f.mask) >= f.low && (raw & f.mask) <= f.high;
        return in;
    }
};

} // namespace pixmill::render
