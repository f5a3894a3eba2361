// SPDX-License-Identifier: GPL-2.0-or-later
#include "emitter.hpp"

#include <algorithm>
#include <utility>

namespace pixmill::vivante::jit {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

namespace {

constexpr unsigned vector_bytes = 32, blocks = sizeof(Lanes) / vector_bytes;
/// 8 KiB of stack.
constexpr unsigned most_slots = 256;

/// Encoding of a step. Operands are registers, but one may be in memory.
struct StepInfo {
    enum class Immediate : uint8_t { no, yes };
    Inst::Id instruction = Inst::kIdNone;
    Immediate immediate = Immediate::no; ///< Node::number
    uint8_t from_memory = no_operand;    ///< the operand that may be in memory
    bool commutative = false;

    static constexpr uint8_t no_operand = 0xFF;
};

constexpr std::array<StepInfo, size_t(Step::count)> steps = [] {
    namespace I = Inst;
    using enum StepInfo::Immediate;
    constexpr uint8_t none = StepInfo::no_operand;
    std::array<StepInfo, size_t(Step::count)> all{};
    const auto add = [&](Step step, const StepInfo& info) { all[size_t(step)] = info; };
    add(Step::add, {I::kIdVaddps, no, 1, true});
    add(Step::subtract, {I::kIdVsubps, no, 1, false});
    add(Step::multiply, {I::kIdVmulps, no, 1, true});
    add(Step::divide, {I::kIdVdivps, no, 1, false});
    add(Step::minimum, {I::kIdVminps, no, 1, false});
    add(Step::maximum, {I::kIdVmaxps, no, 1, false});
    add(Step::bit_and, {I::kIdVandps, no, 1, true});
    add(Step::bit_or, {I::kIdVorps, no, 1, true});
    add(Step::bit_xor, {I::kIdVxorps, no, 1, true});
    add(Step::bit_and_not, {I::kIdVandnps, no, 1, false});
    add(Step::compare, {I::kIdVcmpps, yes, 1, false});
    add(Step::square_root, {I::kIdVsqrtps, no, 0, false});
    add(Step::round, {I::kIdVroundps, yes, 0, false});
    add(Step::truncate, {I::kIdVcvttps2dq, no, 0, false});
    add(Step::to_float, {I::kIdVcvtdq2ps, no, 0, false});
    add(Step::shift_left, {I::kIdVpslld, yes, none, false});
    add(Step::shift_right_signed, {I::kIdVpsrad, yes, none, false});
    add(Step::shift_left_by, {I::kIdVpsllvd, no, 1, false});
    add(Step::shift_right_signed_by, {I::kIdVpsravd, no, 1, false});
    add(Step::shift_right_unsigned_by, {I::kIdVpsrlvd, no, 1, false});
    add(Step::integer_multiply, {I::kIdVpmulld, no, 1, true});
    add(Step::integer_add, {I::kIdVpaddd, no, 1, true});
    add(Step::integer_subtract, {I::kIdVpsubd, no, 1, false});
    add(Step::integer_equal, {I::kIdVpcmpeqd, no, 1, true});
    add(Step::integer_greater, {I::kIdVpcmpgtd, no, 1, false});
    add(Step::pick, {I::kIdVblendvps, no, 1, false});
    add(Step::shuffle, {I::kIdVpermilps, yes, 0, false});
    return all;
}();

bool is_leaf(const Node& node) {
    return node.count == 0;
}

x86::Ymm ymm(unsigned number) {
    return x86::Ymm(number);
}

} // namespace

// ---- Constants ---------------------------------------------------------------

x86::Mem ConstantPool::operand(uint32_t bits) {
    const auto known = std::ranges::find(bits_, bits);
    const auto number = int32_t(known - bits_.begin());
    if (known == bits_.end())
        bits_.push_back(bits);
    return x86::ptr(begin_, number * int32_t(vector_bytes), vector_bytes);
}

void ConstantPool::emit() {
    to_.align(asmjit::AlignMode::kZero, vector_bytes);
    to_.bind(begin_);
    for (const uint32_t bits : bits_)
        to_.embedDataArray(asmjit::TypeId::kUInt32, &bits, 1, vector_bytes / sizeof bits);
}

// ---- Where values are --------------------------------------------------------

Emitter::Emitter(x86::Assembler& to, ConstantPool& constants, const Graph& graph,
                 std::vector<uint16_t> live)
    : to_(to), constants_(constants), graph_(graph), live_(std::move(live)),
      places_(graph.nodes().size()) {
    find_uses();
}

/// Finds the uses of all values. Works backwards, so that operands of unused values do not count as
/// used.
void Emitter::find_uses() {
    const auto end = uint32_t(graph_.nodes().size());
    for (const uint16_t lanes : live_) {
        Place& place = places_[graph_.written().at(lanes)];
        place.outputs.push_back(lanes);
        if (place.uses.empty())
            place.uses.push_back(end);
    }
    for (Value v = end; v-- > 0;) {
        const Node& node = graph_.nodes()[v];
        if (node.step == Step::load)
            loads_.emplace(uint16_t(node.number), v);
        if (!places_[v].uses.empty())
            for (unsigned n = 0; n < node.count; n++)
                places_[node.of[n]].uses.push_back(v);
    }
    for (Place& place : places_)
        std::ranges::reverse(place.uses);
}

uint32_t Emitter::next_use(Value v) const {
    const Place& place = places_[v];
    if (place.used < place.uses.size())
        return place.uses[place.used];
    return never;
}

/// True if the value can be read from memory, even if it is also in a register.
bool Emitter::in_memory(Value v) const {
    const Step step = graph_.nodes()[v].step;
    return places_[v].slot != nowhere || step == Step::load || step == Step::constant;
}

x86::Mem Emitter::home(uint16_t lanes) const {
    return x86::ptr(x86::rdi, int32_t(lanes * sizeof(Lanes)), vector_bytes);
}

x86::Mem Emitter::memory(Value v) {
    const Node& node = graph_.nodes()[v];
    if (places_[v].slot != nowhere)
        return x86::ptr(x86::rsp, int32_t(places_[v].slot * vector_bytes), vector_bytes);
    return node.step == Step::constant ? constants_.operand(node.number)
                                       : home(uint16_t(node.number));
}

unsigned Emitter::new_slot() {
    return slots_++;
}

/// True if the initial value of these lanes is no longer needed in the register file.
bool Emitter::may_overwrite(uint16_t lanes) const {
    const auto load = loads_.find(lanes);
    return load == loads_.end() || places_[load->second].slot != nowhere || is_dead(load->second);
}

// ---- Registers ---------------------------------------------------------------

/// Returns a free register. If there is none, evicts the value whose next use is furthest away.
unsigned Emitter::free_register() {
    unsigned best = nowhere;
    for (unsigned reg = 0; reg < register_count; reg++) {
        const Owner& owner = registers_[reg];
        if (!owner.taken)
            return reg;
        if (!owner.pinned &&
            (best == nowhere || next_use(owner.value) > next_use(registers_[best].value)))
            best = reg;
    }
    evict(best);
    return best;
}

unsigned Emitter::take_register(Value v) {
    const unsigned reg = free_register();
    registers_[reg] = {v, true, true};
    places_[v].reg = reg;
    return reg;
}

void Emitter::evict(unsigned reg) {
    const Value v = registers_[reg].value;
    Place& place = places_[v];
    const bool made_again = in_memory(v) || graph_.nodes()[v].step == Step::uniform;
    if (!is_dead(v) && !made_again) {
        const bool is_finished = next_use(v) == graph_.nodes().size();
        const bool goes_home = is_finished && std::ranges::all_of(place.outputs, [&](uint16_t at) {
                                   return may_overwrite(at);
                               });
        if (goes_home) {
            for (const uint16_t lanes : std::exchange(place.outputs, {}))
                to_.vmovaps(home(lanes), ymm(reg));
        } else {
            place.slot = new_slot();
            to_.vmovups(memory(v), ymm(reg));
        }
    }
    registers_[reg] = {};
    place.reg = nowhere;
}

/// Loads the value into a register and pins it there.
unsigned Emitter::in_register(Value v) {
    Place& place = places_[v];
    if (place.reg != nowhere) {
        registers_[place.reg].pinned = true;
        return place.reg;
    }
    const unsigned reg = take_register(v);
    const Node& node = graph_.nodes()[v];
    if (node.step == Step::uniform)
        to_.vbroadcastss(ymm(reg), x86::dword_ptr(x86::rsi, int32_t(node.number * sizeof(float))));
    else
        to_.vmovups(ymm(reg), memory(v));
    return reg;
}

/// Unpins a value after a use. Frees its register after the last use.
void Emitter::release(Value v) {
    const unsigned reg = places_[v].reg;
    if (reg == nowhere)
        return;
    registers_[reg].pinned = false;
    if (is_dead(v)) {
        registers_[reg] = {};
        places_[v].reg = nowhere;
    }
}

// ---- Steps -------------------------------------------------------------------

void Emitter::emit_step(const Node& node, unsigned to, const std::array<asmjit::Operand, 3>& from) {
    const StepInfo& info = steps[size_t(node.step)];
    std::array<asmjit::Operand, 6> all{};
    unsigned count = 0;
    all[count++] = ymm(to);
    for (unsigned n = 0; n < node.count; n++)
        all[count++] = from[n];
    if (info.immediate == StepInfo::Immediate::yes)
        all[count++] = asmjit::imm(node.number);
    to_.emitOpArray(info.instruction, all.data(), count);
}

void Emitter::emit_node(Value v) {
    Node node = graph_.nodes()[v];
    const StepInfo& info = steps[size_t(node.step)];
    // One operand may stay in memory if it is not needed in a register afterwards.
    const auto stays = [&](Value operand) {
        if (places_[operand].reg != nowhere || !in_memory(operand))
            return false;
        const Place& place = places_[operand];
        const bool last = place.used + 1 >= place.uses.size();
        return last || graph_.nodes()[operand].step == Step::constant;
    };
    if (info.commutative && stays(node.of[0]) && !stays(node.of[1]))
        std::swap(node.of[0], node.of[1]);
    const unsigned from_memory = info.from_memory;
    std::array<asmjit::Operand, 3> from{};
    for (unsigned n = 0; n < node.count; n++)
        if (n != from_memory || !stays(node.of[n]))
            from[n] = ymm(in_register(node.of[n]));
    for (unsigned n = 0; n < node.count; n++)
        if (from[n].isNone())
            from[n] = memory(node.of[n]);
    for (unsigned n = 0; n < node.count; n++)
        places_[node.of[n]].used++;
    for (unsigned n = 0; n < node.count; n++)
        release(node.of[n]);
    const unsigned to = take_register(v);
    emit_step(node, to, from);
    registers_[to].pinned = false;
}

// ---- The end -----------------------------------------------------------------

/// Saves initial values that are stored to other lanes, if their own lanes are about to be
/// overwritten.
void Emitter::save_moved_loads() {
    for (Value v = 0; v < places_.size(); v++) {
        const Node& node = graph_.nodes()[v];
        Place& place = places_[v];
        if (node.step != Step::load || place.outputs.empty() || place.slot != nowhere ||
            !std::ranges::binary_search(live_, node.number))
            continue;
        const unsigned reg = in_register(v);
        place.slot = new_slot();
        to_.vmovups(memory(v), ymm(reg));
        registers_[reg].pinned = false;
    }
}

void Emitter::write_outputs() {
    save_moved_loads();
    for (Value v = 0; v < places_.size(); v++) {
        if (places_[v].outputs.empty())
            continue;
        const unsigned reg = in_register(v);
        for (const uint16_t lanes : std::exchange(places_[v].outputs, {}))
            to_.vmovaps(home(lanes), ymm(reg));
        places_[v].used = places_[v].uses.size();
        release(v);
    }
}

void Emitter::emit_body() {
    for (Value v = 0; v < places_.size(); v++)
        if (!is_leaf(graph_.nodes()[v]) && !is_dead(v))
            emit_node(v);
    write_outputs();
}

bool Emitter::emit() {
    constexpr auto stack_bytes = int32_t(most_slots * vector_bytes);
    to_.sub(x86::rsp, stack_bytes);
    to_.mov(x86::ecx, blocks);
    const asmjit::Label loop = to_.newLabel();
    to_.bind(loop);
    emit_body();
    to_.add(x86::rdi, vector_bytes);
    to_.dec(x86::ecx);
    to_.jnz(loop);
    to_.add(x86::rsp, stack_bytes);
    to_.vzeroupper();
    to_.ret();
    return slots_ <= most_slots;
}

} // namespace pixmill::vivante::jit
