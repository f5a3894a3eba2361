// Lowers the loops of lane_functions.hpp to steps with the same operations in the same order, which
// therefore compute the same bits.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <bit>
#include <span>

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
    bool is_changed(unsigned slot) const {
        const Operand& source = work_.source[slot];
        return (work_.form & modified_form) && (source.keep != ~0u || source.flip);
    }
    Value found(unsigned slot, unsigned component) const {
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

// ---- The table ---------------------------------------------------------------

constexpr std::array<Lower, size_t(Loop::count)> table = [] {
    std::array<Lower, size_t(Loop::count)> all{};
    const auto add = [&](Loop loop, Lower lower) { all[size_t(loop)] = lower; };
    add(Loop::move, lower_move);
    add(Loop::move_saturated, lower_move_saturated);
    add(Loop::add, lower_add);
    add(Loop::mul, lower_mul);
    add(Loop::mad, lower_mad);
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
    return all;
}();

} // namespace

bool can_lower(Loop loop) {
    return table[size_t(loop)] != nullptr;
}

void lower(Graph& graph, const LaneWork& work) {
    // Proceed component by component, like the loops. A dot product is computed once for all
    // components.
    const bool once = work.loop == Loop::dp3 || work.loop == Loop::dp4;
    Value made = 0;
    for (unsigned n = 0; n < work.count; n++) {
        const unsigned c = work.component[n];
        if (n == 0 || !once)
            made = table[size_t(work.loop)](graph, Operands(graph, work, c));
        graph.set(uint16_t(work.to + c), made);
    }
}

} // namespace pixmill::vivante::jit
