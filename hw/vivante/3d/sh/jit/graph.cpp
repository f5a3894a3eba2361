// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph.hpp"

#include <bit>

namespace pixmill::vivante::jit {

namespace {

constexpr uint16_t zero_lanes = 4 * vector_number::constants, one_lanes = zero_lanes + 1;

/// Returns the kind of NaN that a constant is. Integers may have the bits of any NaN.
Nans nans_of(uint32_t bits) {
    const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
    return is_nan && bits != 0xFFFFFFFF ? Nans::any : Nans::canonical;
}

} // namespace

Value Graph::make(const Node& node) {
    nodes_.push_back(node);
    return Value(nodes_.size() - 1);
}

Value Graph::leaf(Step step, uint32_t number) {
    const uint64_t key = uint64_t(step) << 32 | number;
    const auto [place, fresh] = leaves_.try_emplace(key, Value(nodes_.size()));
    if (fresh)
        make({step, number, 0, {}, step == Step::constant ? nans_of(number) : Nans::any});
    return place->second;
}

Value Graph::constant(float value) {
    return constant(std::bit_cast<uint32_t>(value));
}

Value Graph::arithmetic(Step step, Value a, Value b) {
    return make({step, 0, 2, {a, b, 0}, Nans::raw});
}

Value Graph::arithmetic(Step step, Value a) {
    return make({step, 0, 1, {a, 0, 0}, Nans::raw});
}

Value Graph::pick(Value mask, Value yes, Value no) {
    if (nans(yes) == Nans::any || nans(no) == Nans::any) {
        yes = exact(yes);
        no = exact(no);
    }
    const bool any = nans(yes) == Nans::any || nans(no) == Nans::any;
    const bool raw = nans(yes) == Nans::raw || nans(no) == Nans::raw;
    return make({Step::pick,
                 0,
                 3,
                 {no, yes, mask},
                 any   ? Nans::any
                 : raw ? Nans::raw
                       : Nans::canonical});
}

Value Graph::exact(Value value) {
    if (nans(value) != Nans::raw)
        return value;
    if (const auto known = exact_.find(value); known != exact_.end())
        return known->second;
    const Value made = bits(Step::bit_or, value, compare(Predicate::unordered, value, value));
    exact_.emplace(value, with_nans(made, Nans::canonical));
    return made;
}

Value Graph::with_nans(Value value, Nans nans) {
    nodes_[value].nans = nans;
    return value;
}

Value Graph::at(uint16_t number) {
    if (const auto known = written_.find(number); known != written_.end())
        return known->second;
    if (number == zero_lanes || number == one_lanes)
        return constant(number == one_lanes ? 1.0f : 0.0f);
    return leaf(Step::load, number);
}

void Graph::set(uint16_t number, Value value) {
    written_.insert_or_assign(number, value);
}

} // namespace pixmill::vivante::jit
