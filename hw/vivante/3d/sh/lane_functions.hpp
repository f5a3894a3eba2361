// Per-lane functions for the loops of lane_loops.hpp. They are inlined into functions for different
// instruction sets, and written so that the compiler vectorizes the loops.
//
// Arithmetic is IEEE 754 single precision, without fused or approximate operations, so every host
// computes the same bits. Every NaN that arithmetic produces becomes 0xFFFFFFFF, since hosts
// produce different NaNs and integer instructions can see their bits.
//
// Arithmetic and comparisons treat numbers below 2^-126 as signed zeros, and flush such results to
// zero. `Tiny` does this (flush_tiny.hpp); steps where it makes no difference skip it. Instructions
// that only move bits keep such numbers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "lane_loops.hpp"
#include "vivante/3d/half.hpp"

#define PIXMILL_INNER [[gnu::always_inline]] inline

namespace pixmill::vivante::inner {

// ---- Bits --------------------------------------------------------------------

PIXMILL_INNER uint32_t bits(float x) {
    return std::bit_cast<uint32_t>(x);
}
PIXMILL_INNER float real(uint32_t x) {
    return std::bit_cast<float>(x);
}
/// Returns all ones or 0. With masks instead of branches, loops are vectorized even for SSE2.
PIXMILL_INNER uint32_t mask(bool holds) {
    return -uint32_t(holds);
}
PIXMILL_INNER float pick(uint32_t mask, float yes, float no) {
    return real((bits(yes) & mask) | (bits(no) & ~mask));
}

constexpr uint32_t sign_bit = 0x80000000, nan_bits = 0xFFFFFFFF, one_bits = 0x3F800000,
                   infinity_bits = 0x7F800000, least_normal_bits = 0x00800000;

PIXMILL_INNER float canonical(float x) {
    return real(bits(x) | mask(x != x)); // nan_bits
}

/// For processors that flush operands and results themselves (FlushTiny).
struct TinyByProcessor {
    PIXMILL_INNER static float number(float x) { return x; }
    PIXMILL_INNER static float result(float x) { return x; }
    PIXMILL_INNER static float product(float a, float b) { return a * b; }
    PIXMILL_INNER static float quotient(float a, float b) { return a / b; }
};

/// Flushes in software, for processors that cannot, or that detect tiny results differently from
/// SSE.
struct TinyByLoops {
    PIXMILL_INNER static float number(float x) {
        const uint32_t tiny = mask((bits(x) & ~sign_bit) < least_normal_bits);
        return real(bits(x) & ~(tiny & ~sign_bit));
    }
    /// Flushes a sum or a reciprocal, where rounding never decides whether a result is tiny.
    PIXMILL_INNER static float result(float x) { return number(x); }
    /// Flushes a product, which is tiny if it is below 2^-126 after rounding to 24 bits with an
    /// unbounded exponent. Denormals have fewer bits, so this tests 2^24 times the product.
    PIXMILL_INNER static float product(float a, float b) {
        const float x = number(a), y = number(b), xy = x * y, larger = x * 0x1p24f * y;
        const uint32_t tiny = mask(larger < 0x1p-102f) & mask(larger > -0x1p-102f);
        return real(bits(xy) & ~(tiny & ~sign_bit));
    }
    /// Flushes a quotient in the same way. A number that is tiny only as a quotient has a divisor
    /// above 1, which can be made smaller without becoming tiny.
    PIXMILL_INNER static float quotient(float a, float b) {
        const float x = number(a), y = number(b), q = x / y;
        const uint32_t small = mask((bits(q) & ~sign_bit) < 2 * least_normal_bits);
        const float larger = x / (y * 0x1p-24f);
        const uint32_t tiny = small & mask(larger < 0x1p-102f) & mask(larger > -0x1p-102f);
        return real(bits(q) & ~(tiny & ~sign_bit));
    }
};

/// Floats of 2^23 or more have no fraction bits.
constexpr float two_to_23 = 8388608, round_magic = 12582912; // 2^23, 1.5 x 2^23
constexpr uint32_t two_to_23_bits = 0x4B000000, round_magic_bits = 0x4B400000;

/// Truncates toward zero.
PIXMILL_INNER float truncated(float x) {
    const uint32_t whole = mask((bits(x) & ~sign_bit) >= two_to_23_bits);
    return pick(whole, x, float(int32_t(real(bits(x) & ~whole))));
}
PIXMILL_INNER float with_sign_of(float x, float y) {
    return real(bits(x) | (bits(y) & sign_bit));
}
PIXMILL_INNER float floor_of(float x) {
    const float t = truncated(x);
    return with_sign_of(t - real(mask(t > x) & one_bits), x);
}

// ---- Conditions --------------------------------------------------------------

template<class Tiny, class Number>
PIXMILL_INNER Number operand(float x) {
    if constexpr (std::is_same_v<Number, float>)
        return Tiny::number(x);
    else
        return std::bit_cast<Number>(x);
}

template<class Tiny, class Number, Condition condition>
PIXMILL_INNER uint32_t compare(float x, float y) {
    const auto a = operand<Tiny, Number>(x), b = operand<Tiny, Number>(y);
    switch (condition) {
    case Condition::gt:
        return mask(a > b);
    case Condition::lt:
        return mask(a < b);
    case Condition::ge:
        return mask(a >= b);
    case Condition::le:
        return mask(a <= b);
    case Condition::eq:
        return mask(a == b);
    case Condition::ne:
        return mask(a != b);
    case Condition::bitwise_and:
        return mask((bits(x) & bits(y)) != 0);
    case Condition::bitwise_or:
        return mask((bits(x) | bits(y)) != 0);
    case Condition::bitwise_xor:
        return mask((bits(x) ^ bits(y)) != 0);
    case Condition::is_not:
        return mask(a == 0);
    case Condition::nz:
        return mask(a != 0);
    case Condition::gez:
        return mask(a >= 0);
    case Condition::gz:
        return mask(a > 0);
    case Condition::lez:
        return mask(a <= 0);
    case Condition::lz:
        return mask(a < 0);
    default:
        return ~0u;
    }
}

template<class Tiny, class Number, Condition condition>
struct Compare {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) {
        return real(compare<Tiny, Number, condition>(a, b));
    }
};

template<class Tiny, Condition condition>
struct Select {
    static constexpr unsigned sources = 3;
    PIXMILL_INNER static float apply(float a, float b, float c) {
        return pick(compare<Tiny, float, condition>(a, b), b, c);
    }
};

template<class Tiny, Condition condition>
struct Set {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) {
        return real(compare<Tiny, float, condition>(a, b) & one_bits);
    }
};

struct Pick {
    static constexpr unsigned sources = 3;
    PIXMILL_INNER static float apply(float a, float b, float c) { return pick(bits(a), b, c); }
};

struct One {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float a) { return real(bits(a) & one_bits); }
};

/// Computes the bits of the nearest integer.
struct ToAddress {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        constexpr float limit = 1 << 20;
        const float number = real(bits(x) & mask(x == x));
        const float low = pick(mask(number > -limit), number, -limit);
        const float clamped = pick(mask(low < limit), low, limit);
        return real(bits(clamped + round_magic) - round_magic_bits);
    }
};

// ---- Arithmetic --------------------------------------------------------------

struct Move {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) { return x; }
};

template<class Tiny>
struct MoveSaturated {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        const float low = real(bits(x) & mask(Tiny::number(x) > 0)); // a NaN becomes 0
        return pick(mask(low < 1), low, 1);
    }
};

template<class Tiny>
struct Add {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) {
        return canonical(Tiny::result(Tiny::number(a) + Tiny::number(b)));
    }
};

template<class Tiny>
struct Mul {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) { return canonical(Tiny::product(a, b)); }
};

template<class Tiny>
struct Mad {
    static constexpr unsigned sources = 3;
    PIXMILL_INNER static float apply(float a, float b, float c) {
        return canonical(Tiny::result(Tiny::product(a, b) + Tiny::number(c)));
    }
};

template<class Tiny>
struct Rcp {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        return canonical(Tiny::result(1 / Tiny::number(x)));
    }
};

template<class Tiny>
struct Divide {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) { return canonical(Tiny::quotient(a, b)); }
};

/// A NaN becomes 0.
template<class Tiny>
struct ClampToRange {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) {
        const float low = real(bits(a) & mask(Tiny::number(a) > 0));
        const float most = TinyByLoops::number(b); // no arithmetic follows that flushes it
        return canonical(pick(mask(low < most), low, most));
    }
};

template<class Tiny>
struct NormMul {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) {
        const uint32_t zero = mask(Tiny::number(a) == 0) | mask(Tiny::number(b) == 0);
        return real(bits(canonical(Tiny::product(a, b))) & ~zero);
    }
};

template<class Tiny>
struct Sqrt {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        return canonical(__builtin_sqrtf(Tiny::number(x)));
    }
};

template<class Tiny>
struct Rsq {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        return canonical(1 / __builtin_sqrtf(Tiny::number(x)));
    }
};

template<class Tiny>
struct Floor {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) { return canonical(floor_of(Tiny::number(x))); }
};

template<class Tiny>
struct Ceil {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        const float number = Tiny::number(x), t = truncated(number);
        return canonical(with_sign_of(t + real(mask(t < number) & one_bits), x));
    }
};

/// Computes the fraction. The result is limited to numbers below 1, since the fraction of tiny
/// negative numbers would round to 1.
template<class Tiny>
struct Frc {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        const float number = Tiny::number(x), fraction = number - floor_of(number);
        return canonical(pick(mask(fraction >= 1), real(one_bits - 1), fraction));
    }
};

template<class Tiny>
struct Sign {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        const float number = Tiny::number(x);
        return real((mask(number > 0) & one_bits) | (mask(number < 0) & (one_bits | sign_bit)));
    }
};

// ---- Functions ---------------------------------------------------------------
//
// Polynomials: minimax (Remez) in exact arithmetic, coefficients rounded to single precision.

/// 2^x. x = n + f, |f| <= 1/2; 2^f = 1 + f q(f), relative error of the polynomial 2^-28.9. 2^n is
/// split into two factors, so that only the product overflows or becomes tiny.
template<class Tiny>
struct Exp {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        constexpr float limit = 160; // far beyond the range of exponents
        const float low = pick(mask(x > -limit), Tiny::number(x), -limit),
                    c = pick(mask(low < limit), low, limit);
        const float shifted = c + round_magic, f = c - (shifted - round_magic);
        float q = 0x1.41fbc4p-13f;
        q = q * f + 0x1.5f3e52p-10f;
        q = q * f + 0x1.3b2d4cp-7f;
        q = q * f + 0x1.c6aee8p-5f;
        q = q * f + 0x1.ebfbdcp-3f;
        q = q * f + 0x1.62e430p-1f;
        const auto n = int32_t(bits(shifted) - round_magic_bits), half = n >> 1;
        const float power = Tiny::product((1 + f * q) * two_to(half), two_to(n - half));
        return pick(mask(x != x), real(nan_bits), power);
    }

private:
    PIXMILL_INNER static float two_to(int32_t n) { return real(uint32_t(n + 127) << 23); }
};

/// log2(x). x = m 2^e, m from sqrt(1/2) to sqrt(2); with s = (m - 1) / (m + 1),
/// log2(m) = s l(s^2), error of the polynomial 2^-28.9.
template<class Tiny>
struct Log {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        constexpr uint32_t sqrt_half = 0x3F3504F3;
        const float number = Tiny::number(x);
        const int32_t e = int32_t(bits(x) - sqrt_half) >> 23;
        const float m = real(bits(x) - (uint32_t(e) << 23));
        const float s = (m - 1) / (m + 1), u = s * s;
        float l = 0x1.ba1c3cp-2f;
        l = l * u + 0x1.27470ap-1f;
        l = l * u + 0x1.ec70e6p-1f;
        l = l * u + 0x1.715476p+1f;
        float result = float(e) + s * l;
        result = pick(mask(number == 0), real(infinity_bits | sign_bit), result);
        result = pick(mask(bits(x) == infinity_bits), x, result);
        return pick(mask(!(number >= 0)), real(nan_bits), result);
    }
};

/// sin((x + quarters) pi / 2). x = 4 k + q + f, |f| <= 1/2, all exact; absolute error of the
/// polynomials 2^-27.6.
template<class Tiny, uint32_t quarters>
struct Sine {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        const float number = Tiny::number(x), r = number - 4 * truncated(number * 0.25f);
        const float shifted = r + round_magic, f = r - (shifted - round_magic), u = f * f;
        const uint32_t quadrant = bits(shifted) + quarters;
        float s = -0x1.2d9bb8p-8f;
        s = s * u + 0x1.465ec6p-4f;
        s = s * u - 0x1.4abbbap-1f;
        s = s * u + 0x1.921fb6p+0f;
        float c = 0x1.da2bf4p-11f;
        c = c * u - 0x1.55c73ap-6f;
        c = c * u + 0x1.03c1e0p-2f;
        c = c * u - 0x1.3bd3ccp+0f;
        const float value = pick(-(quadrant & 1), 1 + c * u, s * f);
        return canonical(real(bits(value) ^ (quadrant & 2) << 30));
    }
};

// ---- Integers ----------------------------------------------------------------

template<auto Function>
struct Integer1 {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float a) { return real(Function(bits(a))); }
};
template<auto Function>
struct Integer2 {
    static constexpr unsigned sources = 2;
    PIXMILL_INNER static float apply(float a, float b) { return real(Function(bits(a), bits(b))); }
};
template<auto Function>
struct Integer3 {
    static constexpr unsigned sources = 3;
    PIXMILL_INNER static float apply(float a, float b, float c) {
        return real(Function(bits(a), bits(b), bits(c)));
    }
};

template<class Number>
PIXMILL_INNER uint32_t add_saturated(uint32_t a, uint32_t b) {
    using Limits = std::numeric_limits<Number>;
    const int64_t sum = int64_t(Number(a)) + Number(b);
    return uint32_t(std::clamp<int64_t>(sum, Limits::min(), Limits::max()));
}
template<class Wide, class Number>
PIXMILL_INNER uint32_t multiply_high(uint32_t a, uint32_t b) {
    return uint32_t(Wide(Number(a)) * Wide(Number(b)) >> 32);
}
template<class Number>
PIXMILL_INNER uint32_t shift_right(uint32_t a, uint32_t b) {
    return uint32_t(Number(a) >> (b & 31));
}
PIXMILL_INNER uint32_t integer_absolute(uint32_t a) {
    return a & sign_bit ? -a : a;
}
PIXMILL_INNER uint32_t integer_negate(uint32_t a) {
    return -a;
}
PIXMILL_INNER uint32_t leading_zeros(uint32_t a) {
    return uint32_t(std::countl_zero(a));
}
PIXMILL_INNER uint32_t bitwise_not(uint32_t a) {
    return ~a;
}
PIXMILL_INNER uint32_t integer_add(uint32_t a, uint32_t b) {
    return a + b;
}
PIXMILL_INNER uint32_t multiply_low(uint32_t a, uint32_t b) {
    return a * b;
}
PIXMILL_INNER uint32_t shift_left(uint32_t a, uint32_t b) {
    return a << (b & 31);
}
PIXMILL_INNER uint32_t rotate(uint32_t a, uint32_t b) {
    return std::rotl(a, int(b & 31));
}
PIXMILL_INNER uint32_t bitwise_or(uint32_t a, uint32_t b) {
    return a | b;
}
PIXMILL_INNER uint32_t bitwise_and(uint32_t a, uint32_t b) {
    return a & b;
}
PIXMILL_INNER uint32_t bitwise_xor(uint32_t a, uint32_t b) {
    return a ^ b;
}
PIXMILL_INNER uint32_t multiply_add_low(uint32_t a, uint32_t b, uint32_t c) {
    return a * b + c;
}
PIXMILL_INNER uint32_t multiply_add_saturated(uint32_t a, uint32_t b, uint32_t c) {
    const int64_t sum = int64_t(int32_t(a)) * int32_t(b) + int32_t(c);
    return uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
}
/// Divides toward zero. The quotient of the most negative number and -1 wraps.
template<class Number>
PIXMILL_INNER uint32_t divided(uint32_t a, uint32_t b) {
    const int64_t divisor = Number(b);
    return divisor ? uint32_t(int64_t(Number(a)) / divisor) : 0;
}
template<class Number>
PIXMILL_INNER uint32_t remainder(uint32_t a, uint32_t b) {
    const int64_t divisor = Number(b);
    return divisor ? uint32_t(int64_t(Number(a)) % divisor) : 0;
}
PIXMILL_INNER uint32_t integer_sign(uint32_t a) {
    return uint32_t(int32_t(a) >> 31) | uint32_t(int32_t(a) > 0);
}
PIXMILL_INNER uint32_t count_ones(uint32_t a) {
    return uint32_t(std::popcount(a));
}
PIXMILL_INNER uint32_t reverse_bits(uint32_t a) {
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0F0F0F0F) | (a & 0x0F0F0F0F) << 4;
    a = (a >> 8 & 0x00FF00FF) | (a & 0x00FF00FF) << 8;
    return a >> 16 | a << 16;
}
PIXMILL_INNER uint32_t find_lowest(uint32_t a) {
    return a ? uint32_t(std::countr_zero(a)) : ~0u;
}
template<class Number>
PIXMILL_INNER uint32_t find_highest(uint32_t a) {
    const uint32_t differs = std::is_signed_v<Number> ? a ^ uint32_t(int32_t(a) >> 31) : a;
    return 31 - uint32_t(std::countl_zero(differs)); // 0: 32 zeros, so ~0
}
template<class Number>
PIXMILL_INNER uint32_t extract(uint32_t a, uint32_t first, uint32_t width) {
    const uint32_t bits = a >> (first & 31), unused = 32 - std::min(width, 32u);
    return unused == 32 ? 0 : uint32_t(Number(bits << unused) >> unused);
}
PIXMILL_INNER uint32_t half_bits(uint32_t a) {
    return to_half(real(a));
}
PIXMILL_INNER uint32_t float_bits(uint32_t a) {
    return bits(from_half(a));
}

/// Converts to an integer with saturation. A NaN becomes the smallest or the largest integer,
/// depending on its sign (measured on a GC2000 by etna_viv's instruction verifier).
template<class Number>
PIXMILL_INNER uint32_t integer_of(float x) {
    using Limits = std::numeric_limits<Number>;
    constexpr auto above = float(uint64_t(Limits::max()) + 1); // a power of two
    if (x != x)
        return uint32_t(bits(x) & sign_bit ? Limits::min() : Limits::max());
    if (x >= above)
        return uint32_t(Limits::max());
    return x <= float(Limits::min()) ? uint32_t(Limits::min()) : uint32_t(Number(x));
}

template<class Number>
struct ToInteger {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) { return real(integer_of<Number>(x)); }
};
template<class Number>
struct RoundToInteger {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) {
        const uint32_t whole = mask(!((bits(x) & ~sign_bit) < two_to_23_bits));
        const float magic = with_sign_of(two_to_23, x), nearest = x + magic - magic;
        return real(integer_of<Number>(pick(whole, x, nearest)));
    }
};
template<class Number>
struct ToFloat {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) { return float(Number(bits(x))); }
};
template<class Number>
struct Narrow {
    static constexpr unsigned sources = 1;
    PIXMILL_INNER static float apply(float x) { return real(uint32_t(Number(bits(x)))); }
};

} // namespace pixmill::vivante::inner
