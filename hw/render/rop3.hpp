// Ternary raster operations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace pixmill::render {

/// A ternary raster operation; bit (dst + 2*src + 4*pattern) of the code
/// is the result, for each bit of the values. 0xCC copies, 0xF0 fills with
/// the pattern, 0xAA does nothing.
using Rop3 = uint8_t;

/// Whether the truth table depends on the operand.
constexpr bool uses_destination(Rop3 rop) {
    return (rop >> 1 & 0x55) != (rop & 0x55);
}
constexpr bool uses_source(Rop3 rop) {
    return (rop >> 2 & 0x33) != (rop & 0x33);
}
constexpr bool uses_pattern(Rop3 rop) {
    return rop >> 4 != (rop & 0x0F);
}

/// A raster operation whose pattern is known, as a polynomial over the bits:
///     result = constant ^ destination & D ^ source & S ^ both & D & S
/// Every one of the 256 operations is the same four terms.
struct RopTerms {
    uint32_t constant = 0, destination = 0, source = 0, both = 0;

    static constexpr RopTerms of(Rop3 rop, uint32_t pattern) {
        // The result where D and S are as given, for all bits at once.
        const auto row = [=](uint32_t d, uint32_t s) {
            const uint32_t clear = 0u - (rop >> (d + 2 * s) & 1);
            const uint32_t set = 0u - (rop >> (d + 2 * s + 4) & 1);
            return (clear & ~pattern) | (set & pattern);
        };
        const uint32_t none = row(0, 0), d = row(1, 0), s = row(0, 1), both = row(1, 1);
        return {none, none ^ d, none ^ s, none ^ d ^ s ^ both};
    }

    /// The operation with a source that is the same everywhere.
    constexpr RopTerms with_source(uint32_t s) const {
        return {constant ^ (source & s), destination ^ (both & s), 0, 0};
    }

    /// The terms as a byte sequence sees them that starts `bytes` later.
    constexpr RopTerms later(uint64_t bytes) const {
        const int bits = int(bytes % 4 * 8);
        return {std::rotr(constant, bits), std::rotr(destination, bits), std::rotr(source, bits),
                std::rotr(both, bits)};
    }
};

/// A raster operation whose pattern is a row of pixels: the same with eight terms, bit i of the
/// term's number telling whether D, S and P take part. Terms are all ones or 0.
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

} // namespace pixmill::render
