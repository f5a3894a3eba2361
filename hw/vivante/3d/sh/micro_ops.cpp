// SPDX-License-Identifier: GPL-2.0-or-later
#include "micro_ops.hpp"

#include <algorithm>

#include "liveness.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t sign_bit = 0x80000000;
constexpr uint8_t all_four = 0xF;
constexpr uint16_t zero_lanes = 4 * vector_number::constants, one_lanes = zero_lanes + 1,
                   face_lanes = 4 * vector_number::internal;
constexpr unsigned high_uniforms = 128;

constexpr Operand vector_operand(uint16_t number, Swizzle swizzle = identity_swizzle) {
    Operand operand;
    for (unsigned c = 0; c < 4; c++)
        operand.at[c] = uint16_t(4 * number + swizzled(swizzle, c));
    return operand;
}
constexpr Operand scalar_operand(uint16_t lanes) {
    return {.at = {lanes, lanes, lanes, lanes}};
}

/// An operand, and whether it is a uniform.
struct Value {
    Operand operand;
    bool uniform = false;

    bool is_modified() const { return operand.keep != ~0u || operand.flip != 0; }
    bool is_lanes() const { return !uniform && !is_modified(); }
};

// ---- Opcodes that are one loop ------------------------------------------------

struct Simple {
    Opcode opcode;
    Loop loop;
    Loop if_unsigned; ///< for unsigned types
};

constexpr Simple same(Opcode opcode, Loop loop) {
    return {opcode, loop, loop};
}

constexpr Simple simple[] = {
    same(Opcode::mad, Loop::mad),
    same(Opcode::mul, Loop::mul),
    same(Opcode::dp3, Loop::dp3),
    same(Opcode::dp4, Loop::dp4),
    same(Opcode::rcp, Loop::rcp),
    same(Opcode::rsq, Loop::rsq),
    same(Opcode::exp, Loop::exp),
    same(Opcode::log, Loop::log),
    same(Opcode::frc, Loop::frc),
    same(Opcode::sqrt, Loop::sqrt),
    same(Opcode::sin, Loop::sin),
    same(Opcode::cos, Loop::cos),
    same(Opcode::floor, Loop::floor),
    same(Opcode::ceil, Loop::ceil),
    same(Opcode::sign, Loop::sign),
    {Opcode::iaddsat, Loop::integer_add_saturated, Loop::unsigned_add_saturated},
    same(Opcode::imullo0, Loop::multiply_low),
    {Opcode::imulhi0, Loop::multiply_high, Loop::unsigned_multiply_high},
    same(Opcode::imadlo0, Loop::multiply_add_low),
    same(Opcode::iabs, Loop::integer_absolute),
    same(Opcode::leadzero, Loop::leading_zeros),
    same(Opcode::lshift, Loop::shift_left),
    {Opcode::rshift, Loop::shift_right, Loop::unsigned_shift_right},
    same(Opcode::rotate, Loop::rotate),
    same(Opcode::bitwise_or, Loop::bitwise_or),
    same(Opcode::bitwise_and, Loop::bitwise_and),
    same(Opcode::bitwise_xor, Loop::bitwise_xor),
    same(Opcode::bitwise_not, Loop::bitwise_not),
};

/// Conditions on floats for which SELECT and SET have a specialized loop.
struct Fast {
    Condition condition;
    Loop loop;
};
constexpr Fast fast_select[] = {
    {Condition::gt, Loop::select_gt},
    {Condition::lt, Loop::select_lt},
    {Condition::nz, Loop::select_nz},
};
constexpr Fast fast_set[] = {
    {Condition::gt, Loop::set_gt}, {Condition::lt, Loop::set_lt}, {Condition::ge, Loop::set_ge},
    {Condition::le, Loop::set_le}, {Condition::eq, Loop::set_eq}, {Condition::ne, Loop::set_ne},
};

const Loop* find(std::span<const Fast> loops, const Instruction& instruction) {
    for (const Fast& fast : loops)
        if (is_real(instruction.type) && fast.condition == instruction.condition)
            return &fast.loop;
    return nullptr;
}

Lod lod_of(const Instruction& instruction) {
    if (instruction.is(Opcode::texldb))
        return Lod::bias;
    if (instruction.is(Opcode::texldl))
        return Lod::given;
    return instruction.is(Opcode::texldd) ? Lod::gradients : Lod::derivatives;
}

/// True if writing the component would overwrite an operand of another pending component.
bool is_read(const LaneWork& work, unsigned sources, unsigned component, uint8_t pending) {
    for (unsigned n = 0; n < sources; n++)
        for (unsigned c = 0; c < 4; c++)
            if (c != component && (pending >> c & 1) && !(work.form >> n & 1) &&
                work.source[n].at[c] == work.to + component)
                return true;
    return false;
}

/// Orders components so that none is overwritten before it is read. Returns false if there is no
/// such order.
bool put_in_order(LaneWork& work, unsigned sources, uint8_t mask) {
    for (work.count = 0; mask; work.count++) {
        unsigned c = 0;
        while (c < 4 && (!(mask >> c & 1) || is_read(work, sources, c, mask)))
            c++;
        if (c == 4)
            return false;
        work.component[work.count] = uint8_t(c);
        mask &= uint8_t(~(1 << c));
    }
    return true;
}

/// Removes the components that a move would copy onto themselves.
void drop_unmoved(LaneWork& move) {
    unsigned kept = 0;
    for (unsigned n = 0; n < move.count; n++) {
        const uint8_t c = move.component[n];
        if (move.source[0].at[c] != move.to + c)
            move.component[kept++] = c;
    }
    move.count = uint8_t(kept);
}

// ---- From instructions to micro-ops ------------------------------------------

class Builder {
public:
    Builder(std::vector<MicroOp>& ops, bool has_branches)
        : ops_(ops), has_branches_(has_branches) {}

    void add(const Instruction& instruction);

private:
    MicroOp& emit(MicroOp::Kind kind);
    void emit_loop(Loop loop, std::span<const Value> values, uint16_t vector, uint8_t mask);
    void emit_ordered(Loop loop, std::span<const Value> values, uint16_t vector, uint8_t mask);

    Value value(unsigned slot);
    Value direct(const Source& source) const;
    Value lanes(const Value& value, unsigned slot, uint8_t mask, bool always = false);
    Value integer(unsigned slot, uint8_t mask);
    Value typed(unsigned slot, uint8_t mask);
    uint16_t vector(unsigned slot);

    void finish(Loop loop, std::span<const Value> values);
    void finish_with(uint16_t made);
    bool goes_straight(Loop loop) const;
    void compare(uint8_t mask);

    void add_lane();
    void add_simple(Loop loop);
    void add_mov();
    void add_add();
    void add_select();
    void add_set();
    void add_cmp();
    void add_dst();
    void add_litp();
    void add_derivative(Loop loop);
    void add_conversion(Loop loop);
    void add_texture();
    void add_address();
    void add_flow();

    uint8_t mask() const { return instruction_->destination.mask; }
    bool is(Opcode opcode) const { return instruction_->is(opcode); }
    bool reads_x_alone() const { return instruction_->shape() == ResultShape::broadcast; }

    std::vector<MicroOp>& ops_;
    bool has_branches_;
    bool first_ = true;
    const Instruction* instruction_ = nullptr;
};

MicroOp& Builder::emit(MicroOp::Kind kind) {
    MicroOp& op = ops_.emplace_back();
    op.kind = kind;
    op.first = first_;
    first_ = false;
    return op;
}

/// Emits a loop. `vector` must not be an operand unless the caller orders the components.
void Builder::emit_loop(Loop loop, std::span<const Value> values, uint16_t vector, uint8_t mask) {
    LaneWork& work = emit(MicroOp::Kind::lanes).work;
    work.loop = loop;
    work.to = uint16_t(4 * vector);
    bool modified = false;
    for (size_t n = 0; n < values.size(); n++) {
        work.source[n] = values[n].operand;
        work.form |= Form(values[n].uniform << n);
        modified = modified || values[n].is_modified();
    }
    if (modified)
        work.form |= modified_form;
    put_in_order(work, 0, mask);
}

void Builder::emit_ordered(Loop loop, std::span<const Value> values, uint16_t vector,
                           uint8_t mask) {
    emit_loop(loop, values, vector, mask);
    // A dot product reads all components of a lane before it writes any.
    const bool is_dot = loop == Loop::dp3 || loop == Loop::dp4;
    LaneWork& work = ops_.back().work;
    if (is_dot || put_in_order(work, unsigned(values.size()), mask)) {
        if (loop == Loop::move && work.form == 0)
            drop_unmoved(work);
        return;
    }
    work.to = 4 * vector_number::result;
    put_in_order(work, 0, mask);
    const Value made{vector_operand(vector_number::result)};
    emit_loop(Loop::move, {&made, 1}, vector, mask);
}

// ---- Operands ----------------------------------------------------------------

Value Builder::direct(const Source& source) const {
    Value value{scalar_operand(zero_lanes)};
    for (unsigned c = 0; c < 4; c++) {
        const unsigned from = swizzled(source.swizzle, reads_x_alone() ? 0 : c);
        uint16_t& at = value.operand.at[c];
        const bool high = source.group == Group::uniform_high;
        const unsigned uniform = source.reg + (high ? high_uniforms : 0);
        if (is_temporary(source) && source.reg < temporary_count)
            at = uint16_t(4 * source.reg + from);
        else if (source.group == Group::internal && source.reg == 0 && from == 0)
            at = face_lanes;
        else if ((high || source.group == Group::uniform) && uniform < uniform_count) {
            at = uint16_t(4 * uniform + from);
            value.uniform = true;
        }
    }
    return value;
}

/// Returns SRC`slot`, or 0 if the instruction does not use it.
Value Builder::value(unsigned slot) {
    const Source& source = instruction_->source[slot];
    if (!source.use)
        return {scalar_operand(zero_lanes)};
    Value result;
    if (source.addressing == Addressing::direct) {
        result = direct(source);
    } else {
        MicroOp& op = emit(MicroOp::Kind::gather);
        op.addressing = source.addressing;
        op.group = source.group == Group::uniform_high ? Group::uniform : source.group;
        op.base = uint16_t(source.reg + (source.group == Group::uniform_high ? high_uniforms : 0));
        op.work.to = uint16_t(4 * (vector_number::operands + slot));
        for (unsigned c = 0; c < 4; c++)
            op.work.source[0].at[c] = uint16_t(swizzled(source.swizzle, reads_x_alone() ? 0 : c));
        result.operand = vector_operand(uint16_t(vector_number::operands + slot));
    }
    result.operand.keep = source.absolute ? ~sign_bit : ~0u;
    result.operand.flip = source.negate ? sign_bit : 0;
    return result;
}

/// Returns the components `mask` of `value` as unmodified lanes. If `always` is set, copies even
/// those that already are.
Value Builder::lanes(const Value& value, unsigned slot, uint8_t mask, bool always) {
    if (value.is_lanes() && !always)
        return value;
    const auto number = uint16_t(vector_number::operands + slot);
    emit_loop(Loop::move, {&value, 1}, number, mask);
    return {vector_operand(number)};
}

/// Returns SRC`slot` of an integer instruction, where NEG and ABS work on two's complement numbers.
Value Builder::integer(unsigned slot, uint8_t mask) {
    Value raw = value(slot);
    raw.operand.keep = ~0u;
    raw.operand.flip = 0;
    const Source& source = instruction_->source[slot];
    const bool changed = source.use && (source.absolute || source.negate);
    const Value made = lanes(raw, slot, mask, changed);
    const auto number = uint16_t(vector_number::operands + slot);
    if (changed && source.absolute)
        emit_loop(Loop::integer_absolute, {&made, 1}, number, mask);
    if (changed && source.negate)
        emit_loop(Loop::integer_negate, {&made, 1}, number, mask);
    return made;
}

/// Returns SRC`slot`, interpreted by the instruction's type, as unmodified lanes.
Value Builder::typed(unsigned slot, uint8_t mask) {
    return is_real(instruction_->type) ? lanes(value(slot), slot, mask) : integer(slot, mask);
}

/// Returns the index of the first Lanes of a vector that holds SRC`slot`.
uint16_t Builder::vector(unsigned slot) {
    const Value operand = value(slot);
    const std::array<uint16_t, 4>& at = operand.operand.at;
    const bool whole = operand.is_lanes() && at[0] % 4 == 0 && at[1] == at[0] + 1 &&
                       at[2] == at[0] + 2 && at[3] == at[0] + 3;
    return whole ? at[0] : lanes(operand, slot, all_four, true).operand.at[0];
}

// ---- Results -----------------------------------------------------------------

/// True if `loop` may write the destination directly.
bool Builder::goes_straight(Loop loop) const {
    const Destination& to = instruction_->destination;
    return to.addressing == Addressing::direct && to.reg < temporary_count &&
           (!to.saturate || loop == Loop::move_saturated);
}

/// Emits a loop that computes the instruction's result.
void Builder::finish(Loop loop, std::span<const Value> values) {
    if (goes_straight(loop)) {
        emit_ordered(loop, values, instruction_->destination.reg, mask());
        return;
    }
    emit_loop(loop, values, vector_number::result, mask());
    finish_with(vector_number::result);
}

/// Stores the vector `made` as the instruction's result. Only floats are saturated.
void Builder::finish_with(uint16_t made) {
    const Destination& to = instruction_->destination;
    const Value value{vector_operand(made)};
    const bool clamps = to.saturate && is_real(instruction_->type);
    const Loop move = clamps ? Loop::move_saturated : Loop::move;
    if (to.addressing == Addressing::direct) {
        if (to.reg < temporary_count)
            emit_loop(move, {&value, 1}, to.reg, mask());
        return;
    }
    if (clamps)
        emit_loop(move, {&value, 1}, made, mask());
    MicroOp& op = emit(MicroOp::Kind::scatter);
    op.addressing = to.addressing;
    op.base = to.reg;
    op.work.source[0] = value.operand;
    put_in_order(op.work, 0, mask());
}

/// Evaluates the instruction's condition, for the components `mask`.
void Builder::compare(uint8_t mask) {
    const Type type = instruction_->type;
    const Loop loops = is_real(type)     ? Loop::compare_f32
                       : is_signed(type) ? Loop::compare_s32
                                         : Loop::compare_u32;
    const auto code = uint8_t(instruction_->condition);
    const Value values[] = {typed(0, mask), typed(1, mask)};
    emit_loop(loops + (code < condition_count ? code : uint8_t(Condition::always)), values,
              vector_number::condition, mask);
}

// ---- Opcodes -----------------------------------------------------------------

void Builder::add_simple(Loop loop) {
    std::array<Value, 3> values;
    size_t count = 0;
    const ResultShape shape = instruction_->shape();
    const uint8_t read = shape == ResultShape::dot ? all_four : mask();
    const bool integers = instruction_->info().gate == Gate::open_cl;
    for (unsigned slot = 0; slot < 3; slot++) {
        if (!(instruction_->info().slots >> slot & 1))
            continue;
        if (integers)
            values[count++] = integer(slot, read);
        else if (loop <= Loop::last_of_any_form)
            values[count++] = value(slot);
        else
            values[count++] = lanes(value(slot), slot, read);
    }
    finish(loop, {values.data(), count});
}

/// Copies bits.
void Builder::add_mov() {
    const bool real = is_real(instruction_->type);
    const Value from = real ? value(2) : integer(2, mask());
    finish(real && instruction_->destination.saturate ? Loop::move_saturated : Loop::move,
           {&from, 1});
}

void Builder::add_add() {
    const bool real = is_real(instruction_->type);
    const Value values[] = {real ? value(0) : integer(0, mask()),
                            real ? value(2) : integer(2, mask())};
    finish(real ? Loop::add : Loop::integer_add, values);
}

void Builder::add_select() {
    if (const Loop* const loop = find(fast_select, *instruction_)) {
        const Value values[] = {value(0), value(1), value(2)};
        finish(*loop, values);
        return;
    }
    compare(mask());
    const Value values[] = {
        {vector_operand(vector_number::condition)}, typed(1, mask()), typed(2, mask())};
    finish(Loop::pick, values);
}

void Builder::add_set() {
    if (const Loop* const loop = find(fast_set, *instruction_)) {
        const Value values[] = {value(0), value(1)};
        finish(*loop, values);
        return;
    }
    compare(mask());
    const Value condition{vector_operand(vector_number::condition)};
    finish(Loop::one, {&condition, 1});
}

void Builder::add_cmp() {
    compare(mask());
    const Value values[] = {
        {vector_operand(vector_number::condition)}, typed(2, mask()), {scalar_operand(zero_lanes)}};
    finish(Loop::pick, values);
}

/// (1, s0.y s1.y, s0.z, s1.w)
void Builder::add_dst() {
    const Value one{scalar_operand(one_lanes)}, s0 = value(0), s1 = value(1), both[] = {s0, s1};
    emit_loop(Loop::move, {&one, 1}, vector_number::result, 1);
    emit_loop(Loop::mul, both, vector_number::result, 2);
    emit_loop(Loop::move, {&s0, 1}, vector_number::result, 4);
    emit_loop(Loop::move, {&s1, 1}, vector_number::result, 8);
    finish_with(vector_number::result);
}

/// LITP computes (1, y, z, 1). y is s1.y and z is 2^s2.x, but each is 0 unless both s1.z and the
/// same component of s0 are positive.
void Builder::add_litp() {
    constexpr uint16_t condition = vector_number::condition, result = vector_number::result;
    constexpr uint8_t y = 2, z = 4;
    const Value zero{scalar_operand(zero_lanes)}, one{scalar_operand(one_lanes)};
    const Value s0 = instruction_->source[0].use ? lanes(value(0), 0, y | z) : one;
    const Value s1 = lanes(value(1), 1, y | z);
    Value s2 = lanes(value(2), 2, 1), s1_z = s1;
    s2.operand.at.fill(s2.operand.at[0]);
    s1_z.operand.at.fill(s1.operand.at[2]);

    const Loop is_positive = Loop::compare_f32 + Condition::gz;
    const auto zero_unless = [&](const Value& operand) {
        const Value test[] = {operand, zero};
        const Value choice[] = {{vector_operand(condition)}, {vector_operand(result)}, zero};
        emit_loop(is_positive, test, condition, y | z);
        emit_loop(Loop::pick, choice, result, y | z);
    };
    emit_loop(Loop::move, {&one, 1}, result, 9);
    emit_loop(Loop::move, {&s1, 1}, result, y);
    emit_loop(Loop::exp, {&s2, 1}, result, z);
    zero_unless(s0);
    zero_unless(s1_z);
    finish_with(result);
}

void Builder::add_derivative(Loop loop) {
    const unsigned slot = instruction_->source[0].use ? 0 : 2; // both slots have the same operand
    const Value from = lanes(value(slot), slot, mask());
    const size_t begin = ops_.size();
    finish(loop, {&from, 1});
    ops_[begin].kind = MicroOp::Kind::derivative;
}

/// Emits a conversion. The instruction's type is that of the integer.
void Builder::add_conversion(Loop loop) {
    const bool from_real = is(Opcode::f2i) || is(Opcode::f2irnd);
    const Value from = from_real ? lanes(value(0), 0, mask()) : integer(0, mask());
    finish(loop + instruction_->type, {&from, 1});
}

void Builder::add_texture() {
    const Sampler& sampler = instruction_->sampler;
    const Destination& to = instruction_->destination;
    std::array<uint16_t, 3> from{};
    for (unsigned slot = 0; slot < 3; slot++)
        if (instruction_->info().slots >> slot & 1)
            from[slot] = vector(slot);
    const auto destination = uint16_t(4 * to.reg);
    const bool straight = !has_branches_ && goes_straight(Loop::move) && mask() == all_four &&
                          sampler.swizzle == identity_swizzle &&
                          sampler.addressing == Addressing::direct &&
                          std::find(from.begin(), from.end(), destination) == from.end();
    MicroOp& op = emit(MicroOp::Kind::texture);
    op.addressing = sampler.addressing;
    op.base = sampler.id;
    op.lod = lod_of(*instruction_);
    op.work.to = straight ? destination : uint16_t(4 * vector_number::result);
    for (unsigned slot = 0; slot < 3; slot++)
        op.work.source[slot].at[0] = from[slot];
    if (straight)
        return;
    const Value texel{vector_operand(vector_number::result, sampler.swizzle)};
    if (goes_straight(Loop::move_saturated)) {
        emit_loop(to.saturate ? Loop::move_saturated : Loop::move, {&texel, 1}, to.reg, mask());
        return;
    }
    emit_loop(Loop::move, {&texel, 1}, vector_number::operands, mask());
    finish_with(vector_number::operands);
}

void Builder::add_address() {
    const Value from = lanes(value(2), 2, mask());
    emit_loop(Loop::to_address, {&from, 1}, vector_number::address, mask());
}

void Builder::add_flow() {
    using Kind = MicroOp::Kind;
    const bool always = instruction_->condition == Condition::always;
    const bool conditional = !always && !is(Opcode::call) && !is(Opcode::ret);
    const bool any = is(Opcode::branch_any);
    if (conditional)
        compare(any ? all_four : 1);
    if (is(Opcode::texkill))
        emit(conditional ? Kind::kill_if : Kind::kill);
    else if (is(Opcode::call) || is(Opcode::ret))
        emit(is(Opcode::call) ? Kind::call : Kind::ret);
    else
        emit(!conditional ? Kind::branch : any ? Kind::branch_any : Kind::branch_if);
    ops_.back().target = instruction_->target;
}

void Builder::add_lane() {
    const Type type = instruction_->type;
    for (const Simple& row : simple)
        if (is(row.opcode))
            return add_simple(is_real(type) || is_signed(type) ? row.loop : row.if_unsigned);
    switch (Opcode(instruction_->opcode)) {
    case Opcode::mov:
        return add_mov();
    case Opcode::add:
        return add_add();
    case Opcode::select:
        return add_select();
    case Opcode::set:
        return add_set();
    case Opcode::cmp:
        return add_cmp();
    case Opcode::dst:
        return add_dst();
    case Opcode::litp:
        return add_litp();
    case Opcode::dsx:
        return add_derivative(Loop::dsx);
    case Opcode::dsy:
        return add_derivative(Loop::dsy);
    case Opcode::i2i:
        return add_conversion(Loop::narrow);
    case Opcode::i2f:
        return add_conversion(Loop::to_float);
    case Opcode::f2i:
        return add_conversion(Loop::to_integer);
    case Opcode::f2irnd: {
        const bool truncates = instruction_->rounding == Rounding::toward_zero;
        return add_conversion(truncates ? Loop::to_integer : Loop::round_to_integer);
    }
    default:
        return;
    }
}

void Builder::add(const Instruction& instruction) {
    instruction_ = &instruction;
    first_ = true;
    if (!has_effect(instruction))
        return;
    switch (instruction.shape()) {
    case ResultShape::texture:
        return add_texture();
    case ResultShape::address:
        return add_address();
    case ResultShape::flow:
        return add_flow();
    default:
        return add_lane();
    }
}

} // namespace

std::vector<MicroOp> make_micro_ops(std::span<const Instruction> code, bool has_branches) {
    std::vector<MicroOp> ops;
    Builder builder(ops, has_branches);
    std::vector<uint16_t> begin;
    for (const Instruction& instruction : code) {
        begin.push_back(uint16_t(ops.size()));
        builder.add(instruction);
    }
    begin.push_back(uint16_t(ops.size()));
    for (MicroOp& op : ops)
        op.target = begin[std::min<size_t>(op.target, code.size())];
    return ops;
}

} // namespace pixmill::vivante
