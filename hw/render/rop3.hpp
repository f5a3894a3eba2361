// Ternary raster operations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::render {

/// A ternary raster operation. Bit (dst + 2*src + 4*pattern) of the code is the result for these
/// operand bits.
using Rop3 = uint8_t;

/// Operations that just return an operand.
inline constexpr Rop3 keep_destination = 0xAA, copy_source = 0xCC, copy_pattern = 0xF0;

/// True if the result depends on the operand.
constexpr bool uses_destination(Rop3 rop) {
    return (rop >> 1 & 0x55) != (rop & 0x55);
}
constexpr bool uses_source(Rop3 rop) {
    return (rop >> 2 & 0x33) != (rop & 0x33);
}
constexpr bool uses_pattern(Rop3 rop) {
    return rop >> 4 != (rop & 0x0F);
}

/// Returns `rop` with one operand fixed to 0. `weight` is that operand's weight in the index of the
/// truth table: 1 destination, 2 source, 4 pattern.
constexpr Rop3 without(Rop3 rop, unsigned weight) {
    unsigned result = 0;
    for (unsigned i = 0; i < 8; i++)
        result |= unsigned(rop >> (i & ~weight) & 1) << i;
    return Rop3(result);
}

/// A raster operation as a polynomial over bits: the sum of eight terms. Bits 0, 1 and 2 of a
/// term's index tell whether it is multiplied by D, S and P. Terms are all ones or 0.
struct RopPolynomial {
    uint32_t term[8] = {};

    static constexpr RopPolynomial of(Rop3 rop) {
        RopPolynomial p;
        for (unsigned i = 0; i < 8; i++)
            p.term[i] = 0u - (rop >> i & 1);
        for (unsigned operand = 1; operand < 8; operand *= 2)
            for (unsigned i = 0; i < 8; i++)
                if (i & operand)
                    p.term[i] ^= p.term[i ^ operand];
        return p;
    }
};

/// A raster operation on the bytes of a row of pixels in memory, with a known pattern:
///     result = constant ^ destination & D ^ source & S ^ both & D & S
/// Pixels of up to four bytes with a pattern of eight pixels repeat every 32 bytes. Two periods are
/// stored, so any byte of a period may be the first.
struct RopRow {
    static constexpr size_t period = 32;
    using Period = std::array<uint32_t, period / 4>;
    using Term = std::array<uint32_t, 2 * period / 4>;
    alignas(period) Term constant{}, destination{}, source{}, both{};

    static constexpr RopRow of(Rop3 rop, const Period& pattern) {
        const RopPolynomial k = RopPolynomial::of(rop);
        RopRow row;
        for (size_t i = 0; i < row.constant.size(); i++) {
            const uint32_t p = pattern[i % pattern.size()];
            row.constant[i] = k.term[0] ^ (k.term[4] & p);
            row.destination[i] = k.term[1] ^ (k.term[5] & p);
            row.source[i] = k.term[2] ^ (k.term[6] & p);
            row.both[i] = k.term[3] ^ (k.term[7] & p);
        }
        return row;
    }

    /// Sets the terms for a pattern that repeats the same word.
    constexpr void set(Rop3 rop, uint32_t word) {
        const RopPolynomial k = RopPolynomial::of(rop);
        constant.fill(k.term[0] ^ (k.term[4] & word));
        destination.fill(k.term[1] ^ (k.term[5] & word));
        source.fill(k.term[2] ^ (k.term[6] & word));
        both.fill(k.term[3] ^ (k.term[7] & word));
    }

    /// Treats `bits` of each source word as ones.
    constexpr void set_in_source(uint32_t bits) {
        for (size_t i = 0; bits && i < constant.size(); i++) {
            constant[i] ^= source[i] & bits;
            destination[i] ^= both[i] & bits;
            source[i] &= ~bits;
            both[i] &= ~bits;
        }
    }

    /// Returns the operation with the source fixed to `byte`.
    constexpr RopRow with_source(uint8_t byte) const {
        const uint32_t s = byte * 0x01010101u;
        RopRow row;
        for (size_t i = 0; i < row.constant.size(); i++) {
            row.constant[i] = constant[i] ^ (source[i] & s);
            row.destination[i] = destination[i] ^ (both[i] & s);
        }
        return row;
    }
};

} // namespace pixmill::render
