// Lowers the loops of lane_functions.hpp to steps with the same operations in the same order, which
// therefore compute the same bits.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "graph.hpp"

namespace pixmill::vivante::jit {

namespace {

constexpr uint32_t sign_bit = 0x80000000, one_bits = 0x3F800000, infinity_bits = 0x7F800000,
                   two_to_23_bits = 0x4B000000, round_magic_bits = 0x4B400000;
constexpr float round_magic = 12582912;

/// The operands of a loop, for one component.
class Operands {
public:
    Operands(Graph& graph, const LaneWork& work, unsigned component)
        : graph_(graph), work_(work), component_(component) {}

    /// Returns the operand for steps that treat all NaNs the same.
    Value number(unsigned slot) const { return changed(slot, found(slot, component_)); }
    Value number(unsigned slot, unsigned component) const {
        return changed(slot, found(slot, component));
    }
    /// Returns the operand for steps that preserve bits.
    Value bits(unsigned slot) const {
        const Value value = found(slot, component_);
        return is_changed(slot) ? changed(slot, graph_.exact(value)) : value;
    }
    /// Returns the operand for steps whose result depends on NaN bits.
    Value exact(unsigned slot) const { return graph_.exact(bits(slot)); }
    /// True if the operand is negated but not modified otherwise.
    bool is_negated(unsigned slot) const {
        return is_changed(slot) && work_.source[slot].keep == ~0u &&
               work_.source[slot].flip == sign_bit;
    }
    /// Returns the operand, without its negation if is_negated().
    Value unsigned_number(unsigned slot) const {
        return is_negated(slot) ? found(slot, component_) : number(slot);
    }

private:
    /// True if all bits of the operand are given.
    bool is_number(unsigned slot) const {
        return (work_.form & modified_form) && !work_.source[slot].keep;
    }
    bool is_changed(unsigned slot) const {
        const Operand& source = work_.source[slot];
        return (work_.form & modified_form) && !is_number(slot) &&
               (source.keep != ~0u || source.flip);
    }
    Value found(unsigned slot, unsigned component) const {
        if (is_number(slot))
            return graph_.constant(work_.source[slot].flip);
        const uint16_t at = work_.source[slot].at[component];
        return work_.form >> slot & 1 ? graph_.uniform(at) : graph_.at(at);
    }
    Value changed(unsigned slot, Value value) const {
        if (!is_changed(slot))
            return value;
        const Operand& source = work_.source[slot];
        if (source.keep != ~0u)
            value = graph_.bits(Step::bit_and, value, graph_.constant(source.keep));
        if (source.flip)
            value = graph_.bits(Step::bit_xor, value, graph_.constant(source.flip));
        return value;
    }

    Graph& graph_;
    const LaneWork& work_;
    const unsigned component_;
};

using Lower = Value (*)(Graph& g, const Operands& in);

// ---- Arithmetic --------------------------------------------------------------

/// Returns a + b, where the sign of either operand may be inverted.
Value sum(Graph& g, Value a, bool minus_a, Value b, bool minus_b) {
    if (minus_b && minus_a)
        a = g.bits(Step::bit_xor, a, g.constant(sign_bit));
    if (minus_b)
        return g.arithmetic(Step::subtract, a, b);
    return minus_a ? g.arithmetic(Step::subtract, b, a) : g.arithmetic(Step::add, a, b);
}

Value lower_move(Graph&, const Operands& in) {
    return in.bits(0);
}

/// A NaN becomes 0.
Value lower_move_saturated(Graph& g, const Operands& in) {
    const Value low = g.arithmetic(Step::maximum, in.number(0), g.constant(0.0f));
    return g.with_nans(g.arithmetic(Step::minimum, low, g.constant(1.0f)), Nans::canonical);
}

Value lower_add(Graph& g, const Operands& in) {
    return sum(g, in.unsigned_number(0), in.is_negated(0), in.unsigned_number(1), in.is_negated(1));
}

Value lower_mul(Graph& g, const Operands& in) {
    const Value product =
        g.arithmetic(Step::multiply, in.unsigned_number(0), in.unsigned_number(1));
    if (in.is_negated(0) == in.is_negated(1))
        return product;
    return g.with_nans(g.bits(Step::bit_xor, product, g.constant(sign_bit)), Nans::raw);
}

Value lower_mad(Graph& g, const Operands& in) {
    const Value product =
        g.arithmetic(Step::multiply, in.unsigned_number(0), in.unsigned_number(1));
    return sum(g, product, in.is_negated(0) != in.is_negated(1), in.unsigned_number(2),
               in.is_negated(2));
}

template<unsigned length>
Value lower_dot(Graph& g, const Operands& in) {
    const auto product = [&](unsigned c) {
        return g.arithmetic(Step::multiply, in.number(0, c), in.number(1, c));
    };
    Value sum = g.arithmetic(Step::add, product(0), product(1));
    for (unsigned c = 2; c < length; c++)
        sum = g.arithmetic(Step::add, sum, product(c));
    return sum;
}

Value lower_divide(Graph& g, const Operands& in) {
    return g.arithmetic(Step::divide, in.number(0), in.number(1));
}
Value lower_rcp(Graph& g, const Operands& in) {
    return g.arithmetic(Step::divide, g.constant(1.0f), in.number(0));
}
Value lower_sqrt(Graph& g, const Operands& in) {
    return g.arithmetic(Step::square_root, in.number(0));
}
Value lower_rsq(Graph& g, const Operands& in) {
    return g.arithmetic(Step::divide, g.constant(1.0f), lower_sqrt(g, in));
}

Value lower_floor(Graph& g, const Operands& in) {
    return g.round(RoundTo::floor, in.number(0));
}
Value lower_ceil(Graph& g, const Operands& in) {
    return g.round(RoundTo::ceiling, in.number(0));
}

Value lower_frc(Graph& g, const Operands& in) {
    const Value x = in.number(0);
    const Value fraction = g.arithmetic(Step::subtract, x, g.round(RoundTo::floor, x));
    // Step::minimum would not do, since it returns the other operand for a NaN.
    const Value whole = g.compare(Predicate::greater_or_equal, fraction, g.constant(1.0f));
    return g.pick(whole, g.constant(one_bits - 1), fraction);
}

Value lower_sign(Graph& g, const Operands& in) {
    const Value x = in.number(0), zero = g.constant(0.0f);
    const Value up =
        g.bits(Step::bit_and, g.compare(Predicate::greater, x, zero), g.constant(one_bits));
    const Value down =
        g.bits(Step::bit_and, g.compare(Predicate::less, x, zero), g.constant(one_bits | sign_bit));
    return g.with_nans(g.bits(Step::bit_or, up, down), Nans::canonical);
}

/// Returns the difference between neighboring pixels of a quad.
template<Shuffle near, Shuffle far>
Value lower_derivative(Graph& g, const Operands& in) {
    const Value x = in.number(0);
    return g.arithmetic(Step::subtract, g.unary(Step::shuffle, x, uint32_t(far)),
                        g.unary(Step::shuffle, x, uint32_t(near)));
}

// ---- Conditions --------------------------------------------------------------

Value is_zero(Graph& g, Value bits) {
    return g.bits(Step::integer_equal, bits, g.constant(0u));
}
Value inverted(Graph& g, Value mask) {
    return g.bits(Step::bit_xor, mask, g.constant(~0u));
}

template<Predicate predicate>
Value with_second(Graph& g, const Operands& in) {
    return g.compare(predicate, in.number(0), in.number(1));
}
template<Predicate predicate>
Value with_zero(Graph& g, const Operands& in) {
    return g.compare(predicate, in.number(0), g.constant(0.0f));
}
template<Step step>
Value of_bits(Graph& g, const Operands& in) {
    return inverted(g, is_zero(g, g.bits(step, in.exact(0), in.exact(1))));
}
Value always(Graph& g, const Operands&) {
    return g.constant(~0u);
}

constexpr Lower conditions[] = {
    always,
    with_second<Predicate::greater>,
    with_second<Predicate::less>,
    with_second<Predicate::greater_or_equal>,
    with_second<Predicate::less_or_equal>,
    with_second<Predicate::equal>,
    with_second<Predicate::not_equal>,
    of_bits<Step::bit_and>,
    of_bits<Step::bit_or>,
    of_bits<Step::bit_xor>,
    with_zero<Predicate::equal>,
    with_zero<Predicate::not_equal>,
    with_zero<Predicate::greater_or_equal>,
    with_zero<Predicate::greater>,
    with_zero<Predicate::less_or_equal>,
    with_zero<Predicate::less>,
};
static_assert(std::size(conditions) == condition_count);

template<Condition condition>
Value lower_select(Graph& g, const Operands& in) {
    return g.pick(conditions[size_t(condition)](g, in), in.bits(1), in.bits(2));
}
template<Condition condition>
Value lower_set(Graph& g, const Operands& in) {
    const Value mask = conditions[size_t(condition)](g, in);
    return g.with_nans(g.bits(Step::bit_and, mask, g.constant(one_bits)), Nans::canonical);
}
Value lower_pick(Graph& g, const Operands& in) {
    return g.pick(in.bits(0), in.bits(1), in.bits(2));
}
Value lower_one(Graph& g, const Operands& in) {
    return g.with_nans(g.bits(Step::bit_and, in.exact(0), g.constant(one_bits)), Nans::canonical);
}

Value lower_to_address(Graph& g, const Operands& in) {
    constexpr float limit = 1 << 20;
    const Value x = in.number(0);
    const Value number =
        g.bits(Step::bit_and, x, inverted(g, g.compare(Predicate::unordered, x, x)));
    const Value low = g.arithmetic(Step::maximum, number, g.constant(-limit));
    const Value clamped = g.arithmetic(Step::minimum, low, g.constant(limit));
    return g.bits(Step::integer_subtract, g.arithmetic(Step::add, clamped, g.constant(round_magic)),
                  g.constant(round_magic_bits));
}

// ---- Functions ---------------------------------------------------------------

/// ((c0 x + c1) x + c2) x ...
Value polynomial(Graph& g, Value x, std::span<const float> coefficients) {
    Value sum = g.constant(coefficients[0]);
    for (const float c : coefficients.subspan(1))
        sum = g.arithmetic(Step::add, g.arithmetic(Step::multiply, sum, x), g.constant(c));
    return sum;
}

Value absolute(Graph& g, Value x) {
    return g.bits(Step::bit_and, x, g.constant(~sign_bit));
}

/// x + 1.5 * 2^23, which has the nearest integer in its low bits, and the fraction of x.
struct Rounded {
    Value shifted, fraction;
};
Rounded rounded(Graph& g, Value x) {
    const Value magic = g.constant(round_magic);
    const Value shifted = g.arithmetic(Step::add, x, magic);
    const Value whole = g.arithmetic(Step::subtract, shifted, magic);
    return {shifted, g.arithmetic(Step::subtract, x, whole)};
}

Value lower_exp(Graph& g, const Operands& in) {
    constexpr float limit = 160;
    constexpr float q[] = {0x1.41fbc4p-13f, 0x1.5f3e52p-10f, 0x1.3b2d4cp-7f,
                           0x1.c6aee8p-5f,  0x1.ebfbdcp-3f,  0x1.62e430p-1f};
    const Value x = in.number(0);
    const Value low = g.arithmetic(Step::maximum, x, g.constant(-limit));
    const Value c = g.arithmetic(Step::minimum, low, g.constant(limit));
    const auto [shifted, f] = rounded(g, c);
    const Value n = g.bits(Step::integer_subtract, shifted, g.constant(round_magic_bits));
    const Value half = g.unary(Step::shift_right_signed, n, 1);
    const auto two_to = [&](Value power) {
        return g.unary(Step::shift_left, g.bits(Step::integer_add, power, g.constant(127u)), 23);
    };
    const Value fraction = g.arithmetic(Step::multiply, f, polynomial(g, f, q));
    Value power = g.arithmetic(Step::add, g.constant(1.0f), fraction);
    power = g.arithmetic(Step::multiply, power, two_to(half));
    power = g.arithmetic(Step::multiply, power, two_to(g.bits(Step::integer_subtract, n, half)));
    const Value nan = g.compare(Predicate::unordered, x, x);
    return g.with_nans(g.bits(Step::bit_or, power, nan), Nans::canonical);
}

Value lower_log(Graph& g, const Operands& in) {
    constexpr uint32_t sqrt_half = 0x3F3504F3;
    constexpr float l[] = {0x1.ba1c3cp-2f, 0x1.27470ap-1f, 0x1.ec70e6p-1f, 0x1.715476p+1f};
    const Value x = in.number(0), one = g.constant(1.0f);
    const Value e = g.unary(Step::shift_right_signed,
                            g.bits(Step::integer_subtract, x, g.constant(sqrt_half)), 23);
    const Value m = g.bits(Step::integer_subtract, x, g.unary(Step::shift_left, e, 23));
    const Value s = g.arithmetic(Step::divide, g.arithmetic(Step::subtract, m, one),
                                 g.arithmetic(Step::add, m, one));
    const Value u = g.arithmetic(Step::multiply, s, s);
    Value result = g.arithmetic(Step::add, g.unary(Step::to_float, e),
                                g.arithmetic(Step::multiply, s, polynomial(g, u, l)));
    result = g.pick(g.compare(Predicate::equal, x, g.constant(0.0f)),
                    g.constant(infinity_bits | sign_bit), result);
    const Value infinity = g.constant(infinity_bits);
    result = g.pick(g.bits(Step::integer_equal, x, infinity), infinity, result);
    // If x is NaN, so is the sum, but with arbitrary bits. Set all of them.
    const Value none = g.compare(Predicate::not_greater_or_equal, x, g.constant(0.0f));
    return g.with_nans(g.bits(Step::bit_or, result, none), Nans::canonical);
}

/// Truncates toward zero. -0.5 becomes 0.
Value truncated(Graph& g, Value x) {
    const Value whole =
        g.bits(Step::integer_greater, absolute(g, x), g.constant(two_to_23_bits - 1));
    const Value small = g.bits(Step::bit_and_not, whole, x);
    const Value made = g.unary(Step::to_float, g.unary(Step::truncate, small));
    return g.bits(Step::bit_or, g.bits(Step::bit_and, whole, x),
                  g.bits(Step::bit_and_not, whole, made));
}

template<uint32_t quarters>
Value lower_sine(Graph& g, const Operands& in) {
    constexpr float sine[] = {-0x1.2d9bb8p-8f, 0x1.465ec6p-4f, -0x1.4abbbap-1f, 0x1.921fb6p+0f};
    constexpr float cosine[] = {0x1.da2bf4p-11f, -0x1.55c73ap-6f, 0x1.03c1e0p-2f, -0x1.3bd3ccp+0f};
    const Value x = in.number(0);
    const Value turns = truncated(g, g.arithmetic(Step::multiply, x, g.constant(0.25f)));
    const Value r =
        g.arithmetic(Step::subtract, x, g.arithmetic(Step::multiply, g.constant(4.0f), turns));
    const auto [shifted, f] = rounded(g, r);
    const Value u = g.arithmetic(Step::multiply, f, f);
    const Value quadrant = g.bits(Step::integer_add, shifted, g.constant(quarters));
    const Value s = g.arithmetic(Step::multiply, polynomial(g, u, sine), f);
    const Value c = g.arithmetic(Step::add, g.constant(1.0f),
                                 g.arithmetic(Step::multiply, polynomial(g, u, cosine), u));
    const Value is_odd = g.unary(Step::shift_left, quadrant, 31); // as the sign bit
    const Value value = g.pick(is_odd, c, s);
    const Value sign =
        g.unary(Step::shift_left, g.bits(Step::bit_and, quadrant, g.constant(2u)), 30);
    return g.with_nans(g.bits(Step::bit_xor, value, sign), Nans::raw);
}

// ---- Integers ----------------------------------------------------------------

template<Step step>
Value lower_bits(Graph& g, const Operands& in) {
    return g.bits(step, in.exact(0), in.exact(1));
}
Value lower_not(Graph& g, const Operands& in) {
    return inverted(g, in.exact(0));
}
Value lower_multiply_add(Graph& g, const Operands& in) {
    return g.bits(Step::integer_add, lower_bits<Step::integer_multiply>(g, in), in.exact(2));
}

/// Returns all ones if the integer is negative, else 0.
Value signs(Graph& g, Value x) {
    return g.unary(Step::shift_right_signed, x, 31);
}

Value lower_integer_negate(Graph& g, const Operands& in) {
    return g.bits(Step::integer_subtract, g.constant(0u), in.exact(0));
}
Value lower_integer_absolute(Graph& g, const Operands& in) {
    const Value x = in.exact(0), sign = signs(g, x);
    return g.bits(Step::integer_subtract, g.bits(Step::bit_xor, x, sign), sign);
}
Value lower_integer_sign(Graph& g, const Operands& in) {
    const Value x = in.exact(0), positive = g.bits(Step::integer_greater, x, g.constant(0u));
    return g.bits(Step::bit_or, signs(g, x), g.bits(Step::bit_and, positive, g.constant(1u)));
}

/// Shifts by the low five bits of the second operand.
template<Step step>
Value lower_shift(Graph& g, const Operands& in) {
    return g.bits(step, in.exact(0), g.bits(Step::bit_and, in.exact(1), g.constant(31u)));
}

/// Exchanges the order of signed and unsigned integers.
template<bool is_signed>
Value ordered(Graph& g, Value x) {
    return is_signed ? x : g.bits(Step::bit_xor, x, g.constant(sign_bit));
}
template<bool is_signed>
Value is_greater(Graph& g, Value a, Value b) {
    return g.bits(Step::integer_greater, ordered<is_signed>(g, a), ordered<is_signed>(g, b));
}

template<bool is_signed, Condition condition>
Value lower_integer_compare(Graph& g, const Operands& in) {
    const Value a = in.exact(0), zero = g.constant(0u);
    switch (condition) {
    case Condition::gt:
        return is_greater<is_signed>(g, a, in.exact(1));
    case Condition::lt:
        return is_greater<is_signed>(g, in.exact(1), a);
    case Condition::ge:
        return inverted(g, is_greater<is_signed>(g, in.exact(1), a));
    case Condition::le:
        return inverted(g, is_greater<is_signed>(g, a, in.exact(1)));
    case Condition::eq:
        return g.bits(Step::integer_equal, a, in.exact(1));
    case Condition::ne:
        return inverted(g, g.bits(Step::integer_equal, a, in.exact(1)));
    case Condition::bitwise_and:
        return of_bits<Step::bit_and>(g, in);
    case Condition::bitwise_or:
        return of_bits<Step::bit_or>(g, in);
    case Condition::bitwise_xor:
        return of_bits<Step::bit_xor>(g, in);
    case Condition::is_not:
        return is_zero(g, a);
    case Condition::nz:
        return inverted(g, is_zero(g, a));
    case Condition::gez:
        return inverted(g, is_greater<is_signed>(g, zero, a));
    case Condition::gz:
        return is_greater<is_signed>(g, a, zero);
    case Condition::lez:
        return inverted(g, is_greater<is_signed>(g, a, zero));
    case Condition::lz:
        return is_greater<is_signed>(g, zero, a);
    default:
        return g.constant(~0u);
    }
}

/// Extends an integer from the width of a type.
template<Type type>
Value extended(Graph& g, Value x) {
    constexpr unsigned width = type == Type::s8 || type == Type::u8 ? 8 : 16;
    if constexpr (!is_narrow(type))
        return x;
    else if constexpr (!is_signed(type))
        return g.bits(Step::bit_and, x, g.constant((1u << width) - 1));
    else
        return g.unary(Step::shift_right_signed, g.unary(Step::shift_left, x, 32 - width),
                       32 - width);
}
template<Type type>
Value lower_narrow(Graph& g, const Operands& in) {
    return extended<type>(g, in.exact(0));
}

template<Type type>
Value lower_to_float(Graph& g, const Operands& in) {
    const Value x = extended<type>(g, in.exact(0));
    if constexpr (type != Type::u32)
        return g.unary(Step::to_float, x);
    // Both halves are exact, so the sum rounds once.
    const Value low16 = g.constant(0xFFFFu);
    const Value high = g.bits(Step::bit_and, g.unary(Step::shift_right_signed, x, 16), low16);
    const Value scaled =
        g.arithmetic(Step::multiply, g.unary(Step::to_float, high), g.constant(65536.0f));
    const Value low = g.unary(Step::to_float, g.bits(Step::bit_and, x, low16));
    return g.with_nans(g.arithmetic(Step::add, scaled, low), Nans::canonical);
}

/// Step::truncate makes 0x80000000 of NaNs and of numbers out of range.
Value lower_to_signed(Graph& g, const Operands& in) {
    const Value x = in.exact(0);
    const Value large = g.compare(Predicate::greater_or_equal, x, g.constant(0x1p31f));
    const Value made = g.pick(large, g.constant(~sign_bit), g.unary(Step::truncate, x));
    const Value of_nan = g.bits(Step::bit_xor, inverted(g, signs(g, x)), g.constant(sign_bit));
    return g.pick(g.compare(Predicate::unordered, x, x), of_nan, made);
}

Value lower_to_unsigned(Graph& g, const Operands& in) {
    const Value x = in.exact(0), half = g.constant(0x1p31f);
    const Value large = g.compare(Predicate::greater_or_equal, x, half);
    const Value rest = g.pick(large, g.arithmetic(Step::subtract, x, half), x);
    Value made = g.bits(Step::bit_xor, g.unary(Step::truncate, rest),
                        g.bits(Step::bit_and, large, g.constant(sign_bit)));
    made =
        g.bits(Step::bit_or, made, g.compare(Predicate::greater_or_equal, x, g.constant(0x1p32f)));
    made =
        g.bits(Step::bit_and_not, g.compare(Predicate::less_or_equal, x, g.constant(0.0f)), made);
    return g.pick(g.compare(Predicate::unordered, x, x), inverted(g, signs(g, x)), made);
}

// ---- The table ---------------------------------------------------------------

constexpr std::array<Lower, size_t(Loop::count)> table = [] {
    std::array<Lower, size_t(Loop::count)> all{};
    const auto add = [&](Loop loop, Lower lower) { all[size_t(loop)] = lower; };
    add(Loop::move, lower_move);
    add(Loop::move_saturated, lower_move_saturated);
    add(Loop::add, lower_add);
    add(Loop::mul, lower_mul);
    add(Loop::mad, lower_mad);
    add(Loop::dp2, lower_dot<2>);
    add(Loop::dp3, lower_dot<3>);
    add(Loop::dp4, lower_dot<4>);
    add(Loop::select_gt, lower_select<Condition::gt>);
    add(Loop::select_lt, lower_select<Condition::lt>);
    add(Loop::select_nz, lower_select<Condition::nz>);
    add(Loop::set_gt, lower_set<Condition::gt>);
    add(Loop::set_lt, lower_set<Condition::lt>);
    add(Loop::set_ge, lower_set<Condition::ge>);
    add(Loop::set_le, lower_set<Condition::le>);
    add(Loop::set_eq, lower_set<Condition::eq>);
    add(Loop::set_ne, lower_set<Condition::ne>);
    add(Loop::rcp, lower_rcp);
    add(Loop::rsq, lower_rsq);
    add(Loop::sqrt, lower_sqrt);
    add(Loop::exp, lower_exp);
    add(Loop::log, lower_log);
    add(Loop::sin, lower_sine<0>);
    add(Loop::cos, lower_sine<1>);
    add(Loop::frc, lower_frc);
    add(Loop::floor, lower_floor);
    add(Loop::ceil, lower_ceil);
    add(Loop::sign, lower_sign);
    add(Loop::dsx, lower_derivative<Shuffle::even_of_2, Shuffle::odd_of_2>);
    add(Loop::dsy, lower_derivative<Shuffle::low_of_4, Shuffle::high_of_4>);
    add(Loop::pick, lower_pick);
    add(Loop::one, lower_one);
    add(Loop::to_address, lower_to_address);
    for (size_t code = 0; code < condition_count; code++)
        add(Loop::compare_f32 + code, conditions[code]);
    [&]<size_t... code>(std::index_sequence<code...>) {
        (add(Loop::compare_s32 + code, lower_integer_compare<true, Condition(code)>), ...);
        (add(Loop::compare_u32 + code, lower_integer_compare<false, Condition(code)>), ...);
    }
    (std::make_index_sequence<condition_count>());
    [&]<size_t... type>(std::index_sequence<type...>) {
        (add(Loop::to_float + type, lower_to_float<Type(type)>), ...);
        (add(Loop::narrow + type, lower_narrow<Type(type)>), ...);
    }
    (std::make_index_sequence<8>());
    add(Loop::to_integer + Type::s32, lower_to_signed);
    add(Loop::to_integer + Type::u32, lower_to_unsigned);
    add(Loop::divide, lower_divide);
    add(Loop::integer_add, lower_bits<Step::integer_add>);
    add(Loop::multiply_low, lower_bits<Step::integer_multiply>);
    add(Loop::multiply_add_low, lower_multiply_add);
    add(Loop::integer_sign, lower_integer_sign);
    add(Loop::integer_absolute, lower_integer_absolute);
    add(Loop::integer_negate, lower_integer_negate);
    add(Loop::shift_left, lower_shift<Step::shift_left_by>);
    add(Loop::shift_right, lower_shift<Step::shift_right_signed_by>);
    add(Loop::unsigned_shift_right, lower_shift<Step::shift_right_unsigned_by>);
    add(Loop::bitwise_or, lower_bits<Step::bit_or>);
    add(Loop::bitwise_and, lower_bits<Step::bit_and>);
    add(Loop::bitwise_xor, lower_bits<Step::bit_xor>);
    add(Loop::bitwise_not, lower_not);
    return all;
}();

} // namespace

bool can_lower(Loop loop) {
    return table[size_t(loop)] != nullptr;
}

void lower(Graph& graph, const LaneWork& work) {
    // Proceed component by component, like the loops. A dot product is computed once for all
    // components.
    const bool once = work.loop == Loop::dp2 || work.loop == Loop::dp3 || work.loop == Loop::dp4;
    Value made = 0;
    for (unsigned n = 0; n < work.count; n++) {
        const unsigned c = work.component[n];
        if (n == 0 || !once)
            made = table[size_t(work.loop)](graph, Operands(graph, work, c));
        graph.set(uint16_t(work.to + c), made);
    }
}

} // namespace pixmill::vivante::jit
