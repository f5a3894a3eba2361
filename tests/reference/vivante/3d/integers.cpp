// SH: operations on integers, and conversions.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "shader.hpp"

#include <cmath>

namespace pixmill::reference::vivante_3d {

uint32_t to_integer(const Features& features, uint32_t bits_of_float, unsigned type, bool nearest) {
    const float x = real(bits_of_float);
    const bool negative = bits_of_float >> 31;
    const double least = is_signed(type) ? INT32_MIN : 0;
    const double most = is_signed(type) ? INT32_MAX : UINT32_MAX;
    double value = nearest ? std::nearbyint(double{x}) : std::trunc(double{x});
    if (std::isnan(x)) // as measured on a GC2000 and a GC3000 (etnaviv_verifyops.c)
        value = features.halti >= 2 ? 0 : negative ? least : most;
    value = std::clamp(value, least, most);
    return is_signed(type) ? static_cast<uint32_t>(static_cast<int32_t>(value))
                           : static_cast<uint32_t>(value);
}

namespace {

uint32_t to_float(uint32_t value, unsigned type) {
    return word(is_signed(type) ? static_cast<float>(static_cast<int32_t>(value))
                                : static_cast<float>(value));
}

int64_t as_signed(uint32_t value) {
    return static_cast<int32_t>(value);
}

/// Limits a sum or product to the range of a type.
uint32_t saturated(int64_t value, unsigned type) {
    const int64_t most = (int64_t{1} << (width_of(type) - 1)) - 1;
    return static_cast<uint32_t>(std::clamp(value, -most - 1, most));
}
uint32_t saturated(uint64_t value, unsigned type) {
    return static_cast<uint32_t>(std::min(value, largest(width_of(type))));
}

uint32_t quotient(uint32_t a, uint32_t b, unsigned type) {
    if (b == 0)
        return 0; // undocumented
    return is_signed(type) ? static_cast<uint32_t>(as_signed(a) / as_signed(b)) : a / b;
}

/// Returns `width` bits from bit `first`.
uint32_t extracted(uint32_t value, uint32_t first, uint32_t width, unsigned type) {
    const uint32_t rest = first < 32 ? value >> first : 0;
    if (width == 0)
        return 0;
    return width < 32 ? widened(rest, width, is_signed(type)) : rest;
}

uint32_t reversed(uint32_t value) {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; bit++)
        result |= (value >> bit & 1) << (31 - bit);
    return result;
}

/// Returns the number of the highest bit that is 1, or -1. In negative numbers, it is 0 instead.
uint32_t highest_bit(uint32_t value, unsigned type) {
    if (is_signed(type) && value >> 31)
        value = ~value;
    return 31 - static_cast<uint32_t>(std::countl_zero(value));
}

uint32_t lowest_bit(uint32_t value) {
    return value ? static_cast<uint32_t>(std::countr_zero(value)) : UINT32_MAX;
}

/// Widens an integer of `width` bits, and keeps those of the type.
uint32_t converted(uint32_t value, uint32_t width, unsigned type) {
    const bool narrow = width == 8 || width == 16;
    return widened(narrow ? widened(value, width, is_signed(type)) : value, type);
}

struct Products {
    uint64_t bits;

    Products(uint32_t a, uint32_t b, unsigned type)
        : bits(is_signed(type) ? static_cast<uint64_t>(as_signed(a) * as_signed(b))
                               : uint64_t{a} * b) {}
    uint32_t low() const { return static_cast<uint32_t>(bits); }
    uint32_t high() const { return static_cast<uint32_t>(bits >> 32); }
    uint32_t saturated_sum(uint32_t c, unsigned type) const {
        return is_signed(type) ? saturated(static_cast<int64_t>(bits) + as_signed(c), type)
                               : saturated(bits + c, type);
    }
};

/// Returns the result of one component, or nothing if it is no operation on integers.
std::optional<uint32_t> of_component(const Features& features, const Instruction& i,
                                     const std::array<uint32_t, 3>& source) {
    const uint32_t a = widened(source[0], i.type), b = widened(source[1], i.type),
                   c = widened(source[2], i.type);
    const auto count = static_cast<int>(c & 31);
    const Products products(a, b, i.type);
    switch (i.opcode) {
    case ADD:
        if (is_float(i.type))
            return std::nullopt;
        return a + c;
    case SIGN:
        if (is_float(i.type))
            return std::nullopt;
        return is_signed(i.type) && c >> 31 ? UINT32_MAX : c != 0;
    case I2I:
        return converted(source[0], i.sources[1].used ? source[1] : 32, i.type);
    case I2F:
        return to_float(a, i.type);
    case F2I:
        return to_integer(features, source[0], i.type, false);
    case F2IRND:
        return to_integer(features, source[0], i.type, i.rounding != 1);
    case IADDSAT:
        return is_signed(i.type) ? saturated(as_signed(a) + as_signed(c), i.type)
                                 : saturated(uint64_t{a} + c, i.type);
    case IMULLO0:
        return products.low();
    case IMULHI0:
        return products.high();
    case IMADLO0:
        return products.low() + c;
    case IMADLOSAT0:
        return products.saturated_sum(c, i.type);
    case IDIV0:
        return quotient(a, b, i.type);
    case IMOD0:
        return a - b * quotient(a, b, i.type);
    case IABS:
        return c >> 31 ? -c : c;
    case LEADZERO:
        return static_cast<uint32_t>(std::countl_zero(c));
    case POPCOUNT:
        return static_cast<uint32_t>(std::popcount(c));
    case BIT_REV:
        return reversed(a);
    case BIT_EXTRACT:
        return extracted(a, b, c, i.type);
    case LSHIFT:
        return a << count;
    case RSHIFT:
        return is_signed(i.type) ? static_cast<uint32_t>(static_cast<int32_t>(a) >> count)
                                 : a >> count;
    case ROTATE:
        return std::rotl(a, count);
    case OR:
        return a | c;
    case AND:
        return a & c;
    case XOR:
        return a ^ c;
    case NOT:
        return ~c;
    case EXTENDED:
        if (source[2] == 0x0B) // BIT_FINDLSB
            return lowest_bit(a);
        if (source[2] == 0x0C) // BIT_FINDMSB
            return highest_bit(a, i.type);
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

/// True if component x is computed for all. A GC2000 does so for all operations on integers.
bool is_scalar(const Features& features, unsigned opcode) {
    return features.halti < 2 || opcode == IMULLO0 || opcode == IMULHI0 || opcode == IDIV0 ||
           opcode == IMOD0;
}

} // namespace

bool compute_integer(const Features& features, const Instruction& i, const Operands& s,
                     Register& result) {
    const bool scalar = is_scalar(features, i.opcode);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned from = scalar ? 0 : c;
        const auto value = of_component(features, i, {s[0][from], s[1][from], s[2][from]});
        if (!value)
            return false;
        result[c] = i.opcode == I2F ? *value : widened(*value, i.type);
    }
    return true;
}

} // namespace pixmill::reference::vivante_3d
