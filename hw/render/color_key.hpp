// Transparency by color keys.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "format.hpp"

namespace pixmill::render {

/// A range of pixel words in memory format. A word is inside if each of its fields is between those
/// of `low` and `high`, inclusive. Bits outside the fields are ignored.
struct ColorKey {
    struct Field {
        uint32_t mask = 0, low = 0, high = 0; ///< at the field's bit position
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
};

/// A ColorKey prepared for comparisons. A word is inside if (word & mask) - low is at most `span`
/// for each field, as unsigned numbers of the pixel's size.
struct KeyTest {
    struct Field {
        uint32_t mask = 0, low = 0, span = 0;
    };
    std::array<Field, 4> field;
    unsigned fields = 0; ///< number in use, at least 1

    constexpr KeyTest() : KeyTest(ColorKey()) {}
    explicit constexpr KeyTest(const ColorKey& key) {
        Field exact; // combines all fields that allow a single value
        bool never = false;
        for (const ColorKey::Field& f : key.fields) {
            never |= f.low > f.high;
            if (f.low == f.high)
                exact = {exact.mask | f.mask, exact.low | f.low, 0};
            else if (f.low || f.high != f.mask)
                field[fields++] = {f.mask, f.low, f.high - f.low};
        }
        if (exact.mask || !fields)
            field[fields++] = exact;
        if (never) {
            field[0] = {0, 1, 0};
            fields = 1;
        }
    }
};

} // namespace pixmill::render
