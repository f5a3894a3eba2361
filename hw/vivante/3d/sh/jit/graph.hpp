// What a run of micro-ops computes of a lane: values, each made once of others.
//
// NaNs: interpreted arithmetic makes each of them 0xFFFFFFFF at once. Here that is left until
// somebody sees the bits: arithmetic and comparisons do not tell one NaN from another.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "vivante/3d/sh/micro_ops.hpp"

namespace pixmill::vivante::jit {

/// Number of a node of its graph.
using Value = uint32_t;

enum class Step : uint8_t {
    load,     ///< Lanes `number` of the file, as the run has found them
    uniform,  ///< float `number`, for all lanes
    constant, ///< bits `number`
    add,
    subtract,
    multiply,
    divide,
    minimum, ///< a < b ? a : b
    maximum, ///< a > b ? a : b
    bit_and,
    bit_or,
    bit_xor,
    bit_and_not, ///< ~a & b
    compare,     ///< of floats, a Predicate
    square_root,
    round,      ///< a RoundTo
    truncate,   ///< to an integer
    to_float,   ///< of an integer
    shift_left, ///< by `number`
    shift_right_signed,
    integer_add,
    integer_subtract,
    integer_equal,
    integer_greater,
    pick,    ///< the sign of c is set ? b : a
    shuffle, ///< lanes of each quad, a Shuffle
    count,
};

/// As VCMPPS numbers them.
enum class Predicate : uint8_t {
    equal = 0,
    less = 1,
    less_or_equal = 2,
    unordered = 3,
    not_equal = 4,            ///< or unordered
    not_greater_or_equal = 9, ///< or unordered
    greater_or_equal = 13,
    greater = 14,
};
/// As VPERMILPS numbers them: two bits for each lane.
enum class Shuffle : uint8_t {
    even_of_2 = 0xA0,
    odd_of_2 = 0xF5,
    low_of_4 = 0x44,
    high_of_4 = 0xEE
};
/// As VROUNDPS numbers them.
enum class RoundTo : uint8_t { floor = 9, ceiling = 10 };

/// What NaNs of a value may be.
enum class Nans : uint8_t {
    any,       ///< as they are
    canonical, ///< 0xFFFFFFFF
    raw,       ///< anything in place of 0xFFFFFFFF
};

struct Node {
    Step step = Step::load;
    uint32_t number = 0; ///< a place, bits, a predicate or a shift
    uint8_t count = 0;   ///< of `of`
    std::array<Value, 3> of{};
    Nans nans = Nans::any;
};

class Graph {
public:
    static constexpr size_t most_nodes = 1 << 14;

    Value uniform(uint32_t number) { return leaf(Step::uniform, number); }
    Value constant(uint32_t bits) { return leaf(Step::constant, bits); }
    Value constant(float value);
    /// Arithmetic: of NaNs anything.
    Value arithmetic(Step step, Value a, Value b);
    Value arithmetic(Step step, Value a);
    /// Bits as they are.
    Value bits(Step step, Value a, Value b) { return make({step, 0, 2, {a, b, 0}, Nans::any}); }
    Value unary(Step step, Value a, uint32_t number = 0) {
        return make({step, number, 1, {a, 0, 0}, Nans::any});
    }
    Value compare(Predicate predicate, Value a, Value b) {
        return make({Step::compare, uint32_t(predicate), 2, {a, b, 0}, Nans::any});
    }
    Value round(RoundTo to, Value a) {
        return make({Step::round, uint32_t(to), 1, {a}, Nans::raw});
    }
    /// `yes` where all bits of the mask are set, `no` where none is.
    Value pick(Value mask, Value yes, Value no);
    /// The value with the NaNs that the interpreter makes.
    Value exact(Value value);
    Nans nans(Value value) const { return nodes_[value].nans; }
    /// The interpreter has no NaN here, or made it 0xFFFFFFFF, as is said.
    Value with_nans(Value value, Nans nans);

    /// The lanes `number` of the file as they are now.
    Value at(uint16_t number);
    void set(uint16_t number, Value value);

    const std::vector<Node>& nodes() const { return nodes_; }
    /// All that has been set, with the last value of each.
    const std::map<uint16_t, Value>& written() const { return written_; }
    bool too_large() const { return nodes_.size() > most_nodes; }

private:
    Value make(const Node& node);
    Value leaf(Step step, uint32_t number);

    std::vector<Node> nodes_;
    std::unordered_map<uint64_t, Value> leaves_;
    std::unordered_map<Value, Value> exact_;
    std::map<uint16_t, Value> written_;
};

/// Whether lower() knows the loop.
bool can_lower(Loop loop);

/// Adds what a loop does.
void lower(Graph& graph, const LaneWork& work);

} // namespace pixmill::vivante::jit
