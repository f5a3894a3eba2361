// Generates a function for x86-64 with AVX2 from a graph of values.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graph.hpp"

namespace pixmill::vivante::jit {

/// Constants of all functions of a program, placed after their code. Each is repeated eight times
/// to fill a vector.
class ConstantPool {
public:
    /// The assembler must already be attached to its CodeHolder.
    explicit ConstantPool(asmjit::x86::Assembler& to) : to_(to), begin_(to.newLabel()) {}

    asmjit::x86::Mem operand(uint32_t bits);
    void emit();

private:
    asmjit::x86::Assembler& to_;
    asmjit::Label begin_;
    std::vector<uint32_t> bits_;
};

/// Emits one RunFunction. Values are kept in vector registers. If registers run out, the value
/// whose next use is furthest away is evicted (Belady), either to its final location in the
/// register file or to the stack.
class Emitter {
public:
    /// `live` lists the written lanes that are read after the run, in ascending order.
    Emitter(asmjit::x86::Assembler& to, ConstantPool& constants, const Graph& graph,
            std::vector<uint16_t> live);

    /// Emits the function. Returns false if it needs too much stack.
    bool emit();

private:
    using Register = asmjit::x86::Ymm;
    static constexpr unsigned register_count = 16;
    static constexpr unsigned nowhere = ~0u;
    static constexpr uint32_t never = ~0u;

    struct Place {
        unsigned reg = nowhere, slot = nowhere;
        std::vector<uint32_t> uses; ///< indices of nodes, ascending; nodes().size() for an output
        size_t used = 0;
        std::vector<uint16_t> outputs; ///< lanes to store the value in, unless already stored
    };
    struct Owner {
        Value value = 0;
        bool taken = false, pinned = false;
    };

    void find_uses();
    uint32_t next_use(Value v) const;
    bool is_dead(Value v) const { return next_use(v) == never; }
    bool in_memory(Value v) const;
    bool may_overwrite(uint16_t lanes) const;

    asmjit::x86::Mem home(uint16_t lanes) const;
    asmjit::x86::Mem memory(Value v);
    unsigned free_register();
    unsigned take_register(Value v);
    unsigned in_register(Value v);
    void evict(unsigned reg);
    void release(Value v);
    unsigned new_slot();

    void emit_body();
    void emit_node(Value v);
    void emit_step(const Node& node, unsigned to, const std::array<asmjit::Operand, 3>& from);
    void save_moved_loads();
    void write_outputs();

    asmjit::x86::Assembler& to_;
    ConstantPool& constants_;
    const Graph& graph_;
    const std::vector<uint16_t> live_;
    std::vector<Place> places_;
    std::unordered_map<uint16_t, Value> loads_; ///< values of load nodes, by lanes
    std::array<Owner, register_count> registers_{};
    unsigned slots_ = 0;
};

} // namespace pixmill::vivante::jit
