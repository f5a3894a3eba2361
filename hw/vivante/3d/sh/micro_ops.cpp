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
    same(Opcode::dp2, Loop::dp2),
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
    same(Opcode::div, Loop::divide),
    same(Opcode::clamp0_max, Loop::clamp0_max),
    same(Opcode::norm_mul, Loop::norm_mul),
    {Opcode::iaddsat, Loop::integer_add_saturated, Loop::unsigned_add_saturated},
    same(Opcode::imullo0, Loop::multiply_low),
    {Opcode::imulhi0, Loop::multiply_high, Loop::unsigned_multiply_high},
    same(Opcode::imadlo0, Loop::multiply_add_low),
    same(Opcode::imadlosat0, Loop::multiply_add_saturated),
    {Opcode::idiv0, Loop::integer_divide, Loop::unsigned_divide},
    {Opcode::imod0, Loop::integer_remainder, Loop::unsigned_remainder},
    same(Opcode::iabs, Loop::integer_absolute),
    same(Opcode::leadzero, Loop::leading_zeros),
    same(Opcode::popcount, Loop::count_ones),
    same(Opcode::bit_rev, Loop::reverse_bits),
    {Opcode::bit_extract, Loop::extract, Loop::unsigned_extract},
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
    if (instruction.is(Opcode::texldl) || instruction.is(Opcode::texldlpcf))
        return Lod::given;
    const bool gradients = instruction.is(Opcode::texldd) || instruction.is(Opcode::texldgpcf);
    return gradients ? Lod::gradients : Lod::derivatives;
}

/// Returns the slot and component of the depth to compare, as 4 * slot + component. TEXLDGPCF has
/// it in the coordinate, since its other operands are gradients.
std::optional<unsigned> reference_of(const Instruction& instruction) {
    constexpr unsigned slot = 2, coordinate_w = 3;
    if (instruction.is(Opcode::texldgpcf))
        return coordinate_w;
    const bool has = instruction.info().slots >> slot & 1 && instruction.source[slot].use;
    return has && !instruction.is(Opcode::texldd) ? std::optional(4 * slot) : std::nullopt;
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
    Value narrowed(const Value& value, unsigned slot, uint8_t mask);
    uint16_t vector(unsigned slot);
    uint16_t gradient(uint16_t from, uint16_t neighbor, unsigned slot);

    void finish(Loop loop, std::span<const Value> values);
    void finish_integer(Loop loop, std::span<const Value> values);
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
    void add_split(Loop loop);
    void add_norm(Loop dot);
    void add_sign();
    void add_half();
    void add_extended();
    void add_load();
    void add_texture();
    void add_address();
    void add_flow();

    uint8_t mask() const { return instruction_->destination.mask; }
    bool is(Opcode opcode) const { return instruction_->is(opcode); }
    bool reads_x_alone() const {
        return instruction_->shape() == ResultShape::broadcast ||
               instruction_->shape() == ResultShape::memory || instruction_->is_split();
    }
    bool halti2() const { return instruction_->isa >= ShaderIsa::halti2; }
    /// True for the integer types of which HALTI2 computes only some bits.
    bool narrows() const { return halti2() && is_narrow(instruction_->type); }

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
    const bool is_dot = loop == Loop::dp2 || loop == Loop::dp3 || loop == Loop::dp4;
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
        else if ((high || source.group == Group::uniform) &&
                 uniform < uniforms_of(instruction_->isa)) {
            at = uint16_t(4 * uniform + from);
            value.uniform = true;
        }
    }
    return value;
}

/// Returns a number, as uniform 0 with all of its bits replaced.
Value number(uint32_t bits) {
    Value value{{}, true};
    value.operand.keep = 0;
    value.operand.flip = bits;
    return value;
}

/// Returns SRC`slot`, or 0 if the instruction does not use it.
Value Builder::value(unsigned slot) {
    const Source& source = instruction_->source[slot];
    if (!source.use)
        return {scalar_operand(zero_lanes)};
    if (source.is_immediate() && halti2())
        return number(source.value);
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
    const Source& source = instruction_->source[slot];
    if (source.is_immediate() && halti2())
        return lanes(raw, slot, mask);
    raw.operand.keep = ~0u;
    raw.operand.flip = 0;
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

/// Returns SRC`slot`, whose value is `value`, extended from the width of the type.
Value Builder::narrowed(const Value& value, unsigned slot, uint8_t mask) {
    if (!narrows())
        return value;
    const auto number = uint16_t(vector_number::operands + slot);
    emit_loop(Loop::narrow + instruction_->type, {&value, 1}, number, mask);
    return {vector_operand(number)};
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

/// Like finish(), but extends the result from the width of the type.
void Builder::finish_integer(Loop loop, std::span<const Value> values) {
    if (!narrows())
        return finish(loop, values);
    emit_loop(loop, values, vector_number::result, mask());
    const Value made{vector_operand(vector_number::result)};
    emit_loop(Loop::narrow + instruction_->type, {&made, 1}, vector_number::result, mask());
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
    const Value values[] = {narrowed(typed(0, mask), 0, mask), narrowed(typed(1, mask), 1, mask)};
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
            values[count++] = narrowed(integer(slot, read), slot, read);
        else if (loop <= Loop::last_of_any_form)
            values[count++] = value(slot);
        else
            values[count++] = lanes(value(slot), slot, read);
    }
    if (integers)
        finish_integer(loop, {values.data(), count});
    else
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
    const Value values[] = {real ? value(0) : narrowed(integer(0, mask()), 0, mask()),
                            real ? value(2) : narrowed(integer(2, mask()), 2, mask())};
    if (real)
        finish(Loop::add, values);
    else
        finish_integer(Loop::integer_add, values);
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

/// Emits a conversion. The instruction's type is that of the integer. On HALTI2 a NaN becomes 0
/// (etnaviv_verifyops.c on a GC3000).
void Builder::add_conversion(Loop loop) {
    const bool from_real = is(Opcode::f2i) || is(Opcode::f2irnd);
    Value from = from_real ? lanes(value(0), 0, mask()) : integer(0, mask());
    if (from_real && halti2()) {
        const Value both[] = {from, from};
        emit_loop(Loop::compare_f32 + Condition::eq, both, vector_number::condition, mask());
        const Value choice[] = {
            {vector_operand(vector_number::condition)}, from, {scalar_operand(zero_lanes)}};
        constexpr uint16_t numbers = vector_number::operands;
        emit_loop(Loop::pick, choice, numbers, mask());
        from = {vector_operand(numbers)};
    }
    finish(loop + instruction_->type, {&from, 1});
}

/// Emits a function whose result is the product of two components of the destination: the number in
/// the lowest one, and 1. Sources do not tell how hardware splits it. Angles are in units of pi.
void Builder::add_split(Loop loop) {
    constexpr uint16_t result = vector_number::result;
    const uint8_t low = mask() & uint8_t(-mask());
    std::array<Value, 2> values;
    size_t count = 0;
    for (unsigned slot = 1; slot < 3; slot++)
        if (instruction_->info().slots >> slot & 1)
            values[count++] = lanes(value(slot), slot, low);
    if (is(Opcode::sin) || is(Opcode::cos)) {
        const Value doubled[] = {values[0], number(0x40000000)}; // 2.0
        emit_loop(Loop::mul, doubled, vector_number::operands, low);
        values[0] = {vector_operand(vector_number::operands)};
    }
    emit_loop(loop, {values.data(), count}, result, low);
    const Value one{scalar_operand(one_lanes)};
    if (mask() != low)
        emit_loop(Loop::move, {&one, 1}, result, uint8_t(mask() ^ low));
    finish_with(result);
}

/// 1 / sqrt(s0 . s0)
void Builder::add_norm(Loop dot) {
    const Value both[] = {value(0), value(0)};
    emit_loop(dot, both, vector_number::result, mask());
    const Value made{vector_operand(vector_number::result)};
    finish(Loop::rsq, {&made, 1});
}

/// HALTI2 has the signs of integers.
void Builder::add_sign() {
    if (!halti2() || is_real(instruction_->type))
        return add_simple(Loop::sign);
    const Value from = narrowed(integer(2, mask()), 2, mask());
    finish_integer(Loop::integer_sign, {&from, 1});
}

/// CONV converts to the type of the instruction. The other type is in SRC1.
void Builder::add_half() {
    const bool narrow = instruction_->type == Type::f16;
    const Value from = lanes(value(0), 0, mask());
    finish(narrow ? Loop::to_half : Loop::from_half, {&from, 1});
}

/// Opcodes whose number is an immediate (Mesa's etnaviv.xml).
void Builder::add_extended() {
    constexpr uint32_t find_lsb = 0x0B, find_msb = 0x0C;
    const Source& number = instruction_->source[2];
    const Value from = narrowed(integer(0, mask()), 0, mask());
    if (number.is_immediate() && number.value == find_lsb)
        finish(Loop::find_lowest, {&from, 1});
    else if (number.is_immediate() && number.value == find_msb)
        finish(is_signed(instruction_->type) ? Loop::find_highest : Loop::unsigned_find_highest,
               {&from, 1});
}

/// Loads consecutive words into the components of the destination.
void Builder::add_load() {
    constexpr uint8_t x = 1;
    const Value base = lanes(integer(0, x), 0, x), offset = lanes(integer(1, x), 1, x);
    MicroOp& op = emit(MicroOp::Kind::load);
    op.base = instruction_->left_shift;
    op.type = instruction_->type;
    op.work.source[0].at.fill(base.operand.at[0]);
    op.work.source[1].at.fill(offset.operand.at[0]);
    op.work.to = 4 * vector_number::result;
    put_in_order(op.work, 0, mask());
    finish_with(vector_number::result);
}

/// On HALTI2 TEXLDD has the coordinates of neighbors instead of gradients (Mesa 26
/// etnaviv_nir_lower_texture.c).
uint16_t Builder::gradient(uint16_t from, uint16_t neighbor, unsigned slot) {
    const auto number = uint16_t(vector_number::operands + slot);
    Value here{vector_operand(uint16_t(from / 4))};
    here.operand.flip = sign_bit;
    const Value values[] = {{vector_operand(uint16_t(neighbor / 4))}, here};
    emit_loop(Loop::add, values, number, all_four);
    return uint16_t(4 * number);
}

void Builder::add_texture() {
    const Sampler& sampler = instruction_->sampler;
    const Destination& to = instruction_->destination;
    std::array<uint16_t, 3> from{};
    const Lod lod = lod_of(*instruction_);
    const bool reads_last = lod == Lod::gradients || instruction_->source[2].use;
    for (unsigned slot = 0; slot < 2u + reads_last; slot++)
        if (instruction_->info().slots >> slot & 1)
            from[slot] = vector(slot);
    if (lod == Lod::gradients && halti2())
        for (unsigned slot = 1; slot < 3; slot++)
            from[slot] = gradient(from[0], from[slot], slot);
    const auto destination = uint16_t(4 * to.reg);
    const bool straight = !has_branches_ && goes_straight(Loop::move) && mask() == all_four &&
                          sampler.swizzle == identity_swizzle &&
                          sampler.addressing == Addressing::direct &&
                          std::find(from.begin(), from.end(), destination) == from.end();
    MicroOp& op = emit(MicroOp::Kind::texture);
    op.addressing = sampler.addressing;
    op.base = sampler.id;
    op.lod = lod;
    op.level_apart = is(Opcode::texldlpcf) || (instruction_->isa >= ShaderIsa::halti5 &&
                                               (op.lod == Lod::bias || op.lod == Lod::given));
    if (const std::optional<unsigned> at = reference_of(*instruction_))
        op.reference = uint16_t(from[*at / 4] + *at % 4);
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

/// HALTI2 has integers in a0.
void Builder::add_address() {
    const Value from = halti2() ? integer(2, mask()) : lanes(value(2), 2, mask());
    emit_loop(halti2() ? Loop::move : Loop::to_address, {&from, 1}, vector_number::address, mask());
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
        if (is(row.opcode) && instruction_->is_split())
            return add_split(row.loop);
        else if (is(row.opcode))
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
    case Opcode::sign:
        return add_sign();
    case Opcode::conv:
        return add_half();
    case Opcode::norm_dp2:
        return add_norm(Loop::dp2);
    case Opcode::norm_dp3:
        return add_norm(Loop::dp3);
    case Opcode::norm_dp4:
        return add_norm(Loop::dp4);
    case Opcode::extended:
        return add_extended();
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
    case ResultShape::memory:
        return add_load();
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
    std::vector<uint32_t> begin;
    for (const Instruction& instruction : code) {
        begin.push_back(uint32_t(ops.size()));
        builder.add(instruction);
    }
    begin.push_back(uint32_t(ops.size()));
    for (MicroOp& op : ops)
        op.target = begin[std::min<size_t>(op.target, code.size())];
    return ops;
}

} // namespace pixmill::vivante
