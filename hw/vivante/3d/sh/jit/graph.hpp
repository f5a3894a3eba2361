// The values that a run of micro-ops computes in a lane.
//
// The interpreter immediately turns every NaN that arithmetic produces into 0xFFFFFFFF. Machine
// code does so only before bits become visible, since arithmetic and comparisons treat all NaNs the
// same.
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

/// Index of a node in its graph.
using Value = uint32_t;

enum class Step : uint8_t {
    load,     ///< lanes `number` of the register file, at the start of the run
    uniform,  ///< float `number` of the uniforms, for all lanes
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
    compare,     ///< floats, with a Predicate
    square_root,
    round,      ///< with a RoundTo
    truncate,   ///< to an integer
    to_float,   ///< from an integer
    shift_left, ///< by `number`
    shift_right_signed,
    shift_left_by, ///< by b, like the two below
    shift_right_signed_by,
    shift_right_unsigned_by,
    integer_multiply, ///< low 32 bits
    integer_add,
    integer_subtract,
    integer_equal,
    integer_greater,
    pick,    ///< the sign of c is set ? b : a
    shuffle, ///< within each quad, with a Shuffle
    count,
};

/// Encoded as in VCMPPS.
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
/// Encoded as in VPERMILPS: two bits per lane.
enum class Shuffle : uint8_t {
    even_of_2 = 0xA0,
    odd_of_2 = 0xF5,
    low_of_4 = 0x44,
    high_of_4 = 0xEE
};
/// Encoded as in VROUNDPS.
enum class RoundTo : uint8_t { floor = 9, ceiling = 10 };

/// NaN bits of a value, compared with the bits that the interpreter computes.
enum class Nans : uint8_t {
    any,       ///< any bits, the same as in the interpreter
    canonical, ///< always 0xFFFFFFFF, both here and in the interpreter
    raw,       ///< any bits, but 0xFFFFFFFF in the interpreter
};

struct Node {
    Step step = Step::load;
    uint32_t number = 0; ///< an index, bits, a predicate, a shuffle or a shift count
    uint8_t count = 0;   ///< number of operands
    std::array<Value, 3> of{};
    Nans nans = Nans::any;
};

class Graph {
public:
    static constexpr size_t most_nodes = 1 << 14;

    Value uniform(uint32_t number) { return leaf(Step::uniform, number); }
    Value constant(uint32_t bits) { return leaf(Step::constant, bits); }
    Value constant(float value);
    /// Adds an arithmetic step. Its NaNs are raw.
    Value arithmetic(Step step, Value a, Value b);
    Value arithmetic(Step step, Value a);
    /// Add operations on bits.
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
    /// Returns `yes` where all bits of the mask are set, and `no` where none are set.
    Value pick(Value mask, Value yes, Value no);
    /// Returns the value with the NaN bits that the interpreter computes.
    Value exact(Value value);
    Nans nans(Value value) const { return nodes_[value].nans; }
    /// Overrides the NaN kind of a value, for callers that know the interpreter's bits.
    Value with_nans(Value value, Nans nans);

    /// Returns the current value of lanes `number` of the register file.
    Value at(uint16_t number);
    void set(uint16_t number, Value value);

    const std::vector<Node>& nodes() const { return nodes_; }
    /// Returns all lanes that were set, with their latest value.
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

/// True if lower() supports the loop.
bool can_lower(Loop loop);

/// Adds the operations of a loop to the graph.
void lower(Graph& graph, const LaneWork& work);

} // namespace pixmill::vivante::jit
