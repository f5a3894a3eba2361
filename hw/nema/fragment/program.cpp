// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compiles a program to row operations. Programs have no branches, so the compiler knows whether
// each register holds a row of pixels or a constant. It removes moves and arithmetic with 0 and 1,
// which leaves few row operations.
#include "program.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "nema/fields.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

namespace {

constexpr uint32_t zero = 0, one = 0xFFFFFFFF;

constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return word >> low & ((2u << (high - low)) - 1);
}

/// An instruction's fields.
struct Instruction {
    uint64_t word;
    // High word.
    bool end;
    uint32_t unit, alpha_to, color_to, a2, a0, r1, r2, r0, a1, color_op, alpha_op, tx_op;
    // Low word.
    uint32_t read_to, compare_a, compare, compare_b, predicate, image, modifier, memory_op;
    bool compares_alpha, at_texture;

    Instruction(uint32_t h, uint32_t l)
        : word(uint64_t(h) << 32 | l), end(h >> 31), unit(bits(h, 30, 28)),
          alpha_to(bits(h, 27, 26)), color_to(bits(h, 25, 24)), a2(bits(h, 23, 21)),
          a0(bits(h, 20, 19)), r1(bits(h, 18, 14)), r2(bits(h, 13, 11)), r0(bits(h, 10, 9)),
          a1(bits(h, 8, 5)), color_op(bits(h, 4, 2)), alpha_op(bits(h, 1, 0)), tx_op(bits(h, 4, 0)),
          read_to(bits(l, 28, 27)), compare_a(bits(l, 24, 22)), compare(bits(l, 21, 20)),
          compare_b(bits(l, 19, 17)), predicate(bits(l, 12, 10)), image(bits(l, 8, 7)),
          modifier(bits(l, 6, 4)), memory_op(bits(l, 2, 0)), compares_alpha(bits(l, 25, 25)),
          at_texture(bits(l, 3, 3)) {}
};

enum MemoryOp : uint32_t { no_access, read_conditional, pixel_out, read };
enum Unit : uint32_t { arithmetic, tx };
enum TxOp : uint32_t { tx_nop = 0, tx_and = 9, tx_yuv = 16 };
enum ColorOp : uint32_t {
    color_nop,
    color_mad,
    color_mov,
    color_add,
    color_none,
    color_msb,
    color_min,
    color_max
};
enum AlphaOp : uint32_t { alpha_nop, alpha_mov, alpha_mad, alpha_mul };
enum Compare : uint32_t { compare_none, compare_equal, compare_differs, compare_less };

/// Tracks which rows hold the four registers, and emits steps.
class Compiler {
public:
    Compiler(FragmentProgram& program, const FragmentSource& source)
        : program_(program), source_(source) {}

    void run();

private:
    using Value = uint16_t; ///< index of a row: a working row or a constant

    /// An operation on the color lanes or on alpha, with its operands.
    struct Lanes {
        RowOp op;
        Value a, b, c;
    };

    Value constant(uint32_t word);
    uint32_t word(Value value) const { return program_.value(value); }
    bool is(Value value, uint32_t w) const { return program_.constant(value) && word(value) == w; }
    Value new_row();
    void release_rows();
    Step& add(Step::Kind kind) {
        Step& step = program_.steps.emplace_back();
        step.kind = kind;
        return step;
    }
    void unsupported(Cause cause, uint64_t detail) {
        program_.unsupported.push_back({cause, detail});
    }

    Value compute(RowOp op, Value a, Value b, Value c);
    std::optional<Value> simplified(RowOp op, Value a, Value b, Value c);
    uint32_t evaluate(RowOp op, uint32_t a, uint32_t b, uint32_t c) const;
    Value unary(RowOp op, Value a) { return compute(op, a, a, a); }
    Value binary(RowOp op, Value a, Value b) { return compute(op, a, b, a); }
    Value merge(Value color, Value alpha) { return binary(RowOp::color_and_alpha, color, alpha); }

    Value register_or_constant(uint32_t code) const { return code < 4 ? t_[code] : c_[code - 4]; }
    Value r1(uint32_t code);
    Value a1(uint32_t code, bool spread);
    std::optional<Lanes> color_lanes(const Instruction& i);
    std::optional<Lanes> alpha_lanes(const Instruction& i);
    static bool multiplies_and_adds(const Lanes& lanes, uint32_t);
    Value result(const Lanes& lanes) { return compute(lanes.op, lanes.a, lanes.b, lanes.c); }
    bool cheap_to_merge(Value color, Value alpha) const;

    void prefetch();
    void instruction(const Instruction& i);
    void arithmetic_unit(const Instruction& i);
    void tx_unit(const Instruction& i);
    void kill(const Instruction& i);
    Value texels(uint32_t image, bool at_texture, Value skip);
    void read_texture(const Instruction& i, Value texel, Value skip);
    Value skipped(const Instruction& i);
    void pixel_output(const Instruction& i);
    void post_step(const Instruction& i);
    void set(uint32_t reg, Value value);
    void materialize_coordinates();
    void notice_unknown(const Instruction& i);

    FragmentProgram& program_;
    const FragmentSource& source_;
    std::array<Value, 4> t_{}, c_{};
    Value kill_ = 0;
    uint32_t used_ = 0;     ///< bit mask of working rows in use
    size_t first_step_ = 0; ///< first step of the current instruction

    /// Source of TXTY.
    enum class Coordinates : uint8_t { matrix, t1, rows } coordinates_ = Coordinates::matrix;
    std::vector<uint8_t> walks_; ///< post-steps not applied yet
    Walked x_, y_;
};

// ---- Rows and constants ----------------------------------------------------------

Compiler::Value Compiler::constant(uint32_t w) {
    auto& all = program_.constants;
    const auto found = std::find(all.begin(), all.end(), w);
    const auto index = size_t(found - all.begin());
    if (found == all.end())
        all.push_back(w);
    return Value(FragmentProgram::working_rows + index);
}

/// Allocates a working row. One instruction needs about a dozen rows at most.
Compiler::Value Compiler::new_row() {
    const auto row = Value(std::countr_one(used_));
    used_ |= 1u << row;
    return row;
}

/// Frees all rows except those that hold registers.
void Compiler::release_rows() {
    used_ = 0;
    for (const Value value : {t_[0], t_[1], t_[2], t_[3], kill_})
        if (!program_.constant(value))
            used_ |= 1u << value;
}

uint32_t Compiler::evaluate(RowOp op, uint32_t a, uint32_t b, uint32_t c) const {
    uint32_t out[8], x[8], y[8], z[8];
    std::fill_n(x, 8, a);
    std::fill_n(y, 8, b);
    std::fill_n(z, 8, c);
    row_kernels().op[size_t(op)](out, x, y, z, 8);
    return out[0];
}

/// Returns the result if it is a constant or can be computed by a simpler operation.
std::optional<Compiler::Value> Compiler::simplified(RowOp op, Value a, Value b, Value c) {
    const auto known = [&](Value v) { return program_.constant(v); };
    if (known(a) && known(b) && known(c))
        return constant(evaluate(op, word(a), word(b), word(c)));
    switch (op) {
    case RowOp::multiply:
        if (is(a, zero) || is(b, zero))
            return constant(zero);
        if (is(a, one))
            return b;
        if (is(b, one))
            return a;
        break;
    case RowOp::add:
        if (is(a, zero))
            return b;
        if (is(b, zero))
            return a;
        break;
    case RowOp::multiply_add:
        if (is(c, zero))
            return binary(RowOp::multiply, a, b);
        if (is(a, zero) || is(b, zero))
            return c;
        if (is(a, one))
            return binary(RowOp::add, b, c);
        if (is(b, one))
            return binary(RowOp::add, a, c);
        break;
    case RowOp::multiply_subtract:
        if (is(c, zero))
            return binary(RowOp::multiply, a, b);
        break;
    case RowOp::color_and_alpha:
        if (a == b)
            return a;
        break;
    case RowOp::choose:
        if (is(c, zero) || a == b)
            return a;
        if (is(c, one))
            return b;
        break;
    default:
        break;
    }
    return {};
}

Compiler::Value Compiler::compute(RowOp op, Value a, Value b, Value c) {
    if (const auto value = simplified(op, a, b, c))
        return *value;
    // Reuses values computed earlier in the instruction. Their rows stay allocated until its end.
    for (size_t i = first_step_; i < program_.steps.size(); i++) {
        const Step& s = program_.steps[i];
        if (s.kind == Step::Kind::compute && s.op == op && s.a == a && s.b == b && s.c == c)
            return s.out;
    }
    const Value out = new_row();
    Step& step = add(Step::Kind::compute);
    step.op = op;
    step.out = out;
    step.a = a;
    step.b = b;
    step.c = c;
    return out;
}

// ---- Operands ----------------------------------------------------------------------

Compiler::Value Compiler::r1(uint32_t code) {
    switch (code >> 2) {
    case 0:
        return t_[code];
    case 1:
        return unary(RowOp::spread_alpha, t_[code & 3]);
    case 2:
        return unary(RowOp::invert, t_[code & 3]);
    case 3:
        return unary(RowOp::invert, unary(RowOp::spread_alpha, t_[code & 3]));
    case 4:
        return c_[code & 3];
    case 5:
        return unary(RowOp::spread_alpha, c_[code & 3]);
    default:
        break;
    }
    constexpr RowOp of_t3[] = {RowOp::spread_red, RowOp::spread_green, RowOp::spread_blue,
                               RowOp::rotate_gbr, RowOp::rotate_brg};
    if (code < 29)
        return unary(of_t3[code - 24], t_[3]);
    return constant(code == 29 ? one : zero);
}

/// Returns operand A1. With `spread`, copies alpha to all lanes, to match operand R1.
Compiler::Value Compiler::a1(uint32_t code, bool spread) {
    if (code < 8) {
        const Value own = spread ? unary(RowOp::spread_alpha, t_[code & 3]) : t_[code & 3];
        return code < 4 ? own : unary(RowOp::invert, own);
    }
    constexpr RowOp of_t0[] = {RowOp::spread_blue, RowOp::spread_green, RowOp::spread_red};
    if (code < 11)
        return unary(of_t0[code - 8], t_[0]);
    if (code < 14)
        return unary(RowOp::spread_alpha, c_[code - 11]);
    return constant(code == 14 ? one : zero);
}

// ---- Arithmetic ----------------------------------------------------------------------

/// Expresses moves, sums and products as a * b + c, so that color and alpha can usually share one
/// operation.
std::optional<Compiler::Lanes> Compiler::color_lanes(const Instruction& i) {
    const Value none = constant(zero), all = constant(one);
    if (i.color_op == color_nop || i.color_op == color_none)
        return {};
    const Value b = r1(i.r1), c = register_or_constant(i.r2);
    switch (i.color_op) {
    case color_mad:
        return Lanes{RowOp::multiply_add, t_[i.r0], b, c};
    case color_mov:
        return Lanes{RowOp::multiply_add, b, all, none};
    case color_add:
        return Lanes{RowOp::multiply_add, b, all, c};
    case color_msb:
        return Lanes{RowOp::multiply_subtract, t_[i.r0], b, c};
    case color_min:
        return Lanes{RowOp::minimum, b, c, b};
    default:
        return Lanes{RowOp::maximum, b, c, b};
    }
}

std::optional<Compiler::Lanes> Compiler::alpha_lanes(const Instruction& i) {
    const Value none = constant(zero), all = constant(one);
    const bool spread = i.color_op != color_nop && (i.r1 >> 2 == 1 || i.r1 >> 2 == 3);
    switch (i.alpha_op) {
    case alpha_mov:
        return Lanes{RowOp::multiply_add, a1(i.a1, false), all, none};
    case alpha_mad:
        return Lanes{RowOp::multiply_add, t_[i.a0], a1(i.a1, spread), register_or_constant(i.a2)};
    case alpha_mul:
        return Lanes{RowOp::multiply_add, register_or_constant(i.a2), a1(i.a1, spread), none};
    default:
        return {};
    }
}

bool Compiler::cheap_to_merge(Value color, Value alpha) const {
    return color == alpha || (program_.constant(color) && program_.constant(alpha));
}

void Compiler::arithmetic_unit(const Instruction& i) {
    const auto color = color_lanes(i), alpha = alpha_lanes(i);
    const bool together = color && alpha && color->op == alpha->op &&
                          cheap_to_merge(color->a, alpha->a) + cheap_to_merge(color->b, alpha->b) +
                                  cheap_to_merge(color->c, alpha->c) >=
                              2;
    Value color_result = 0, alpha_result = 0;
    if (together) {
        color_result = alpha_result = compute(color->op, merge(color->a, alpha->a),
                                              merge(color->b, alpha->b), merge(color->c, alpha->c));
    } else {
        if (color)
            color_result = result(*color);
        if (alpha)
            alpha_result = result(*alpha);
    }
    if (color && alpha && i.color_to == i.alpha_to) {
        set(i.color_to, merge(color_result, alpha_result));
        return;
    }
    if (color)
        set(i.color_to, merge(color_result, t_[i.color_to]));
    if (alpha)
        set(i.alpha_to, merge(t_[i.alpha_to], alpha_result));
}

void Compiler::tx_unit(const Instruction& i) {
    switch (i.tx_op) {
    case tx_nop:
        break;
    case tx_and:
        set(i.color_to, binary(RowOp::conjunction, t_[i.r0], r1(i.r1)));
        break;
    case tx_yuv:
        set(i.color_to, merge(unary(RowOp::yuv_to_rgb, t_[0]), t_[i.color_to]));
        break;
    default:
        unsupported(Cause::tx_operation, i.word);
        break;
    }
}

void Compiler::set(uint32_t reg, Value value) {
    t_[reg] = value;
    if (reg == 1) { // T1 is also the texture coordinate
        coordinates_ = Coordinates::t1;
        walks_.clear();
    }
}

// ---- Compare and kill ------------------------------------------------------------------

void Compiler::kill(const Instruction& i) {
    constexpr RowOp ops[2][4] = {
        {RowOp::color_equal, RowOp::color_equal, RowOp::color_differs, RowOp::color_less},
        {RowOp::alpha_equal, RowOp::alpha_equal, RowOp::alpha_differs, RowOp::alpha_less}};
    if (i.compare != compare_none)
        kill_ = compute(ops[i.compares_alpha][i.compare], t_[i.compare_a & 3],
                        register_or_constant(i.compare_b), kill_);
}

// ---- Texels and coordinates --------------------------------------------------------------

/// Emits the steps that compute the texture coordinates, if they are still pending.
void Compiler::materialize_coordinates() {
    if (coordinates_ == Coordinates::matrix) {
        add(Step::Kind::interpolate);
    } else if (coordinates_ == Coordinates::t1) {
        Step& step = add(Step::Kind::take_t1);
        step.a = t_[1];
        step.c = constant(zero);
    }
    coordinates_ = Coordinates::rows;
    for (const uint8_t walk : walks_)
        add(Step::Kind::walk).walk = walk;
    walks_.clear();
}

/// Emits a step that reads texels for all pixels outside of the mask `skip`.
Compiler::Value Compiler::texels(uint32_t image, bool at_texture, Value skip) {
    const auto bit = uint8_t(1u << image);
    program_.reads |= bit;
    const bool interpolated = coordinates_ == Coordinates::matrix && walks_.empty();
    if (at_texture && !interpolated)
        materialize_coordinates();
    const Value out = new_row();
    Step& step = add(at_texture ? Step::Kind::read_texture : Step::Kind::read_screen);
    step.image = uint8_t(image);
    step.out = out;
    step.c = skip;
    step.interpolated = interpolated;
    step.walked_x = x_;
    step.walked_y = y_;
    if (at_texture || x_ != Walked{} || y_ != Walked{})
        program_.reads_elsewhere |= bit;
    return out;
}

void Compiler::prefetch() {
    constexpr uint8_t image[] = {1, 0, 2, 3};
    const uint32_t pointer = source_.code_pointer;
    if (code_pointer::prefetch(pointer))
        set(code_pointer::read_to(pointer),
            texels(image[code_pointer::image(pointer)], !code_pointer::at_screen(pointer),
                   program_.no_kill));
}

/// Returns a mask of the pixels for which READTEXC leaves its register unchanged.
Compiler::Value Compiler::skipped(const Instruction& i) {
    const Value none = constant(zero), all = constant(one);
    switch (i.modifier) {
    case 1:
        return compute(RowOp::alpha_equal, t_[0], all, none);
    case 2:
        return compute(RowOp::alpha_equal, t_[0], none, none);
    case 3:
        return compute(RowOp::alpha_extreme, t_[0], all, none);
    case 4: // "not background" skips all pixels: the model has no background
        return all;
    default:
        return none;
    }
}

void Compiler::read_texture(const Instruction& i, Value texel, Value skip) {
    if (i.read_to != 1 || is(skip, zero)) {
        set(i.read_to, compute(RowOp::choose, texel, t_[i.read_to], skip));
        return;
    }
    // Pixels that skip the read keep their coordinates.
    materialize_coordinates();
    t_[1] = compute(RowOp::choose, texel, t_[1], skip);
    Step& step = add(Step::Kind::take_t1);
    step.a = t_[1];
    step.c = skip;
}

void Compiler::pixel_output(const Instruction& i) {
    if (i.modifier & 1)
        unsupported(Cause::pixout_condition, i.word);
    if (is(kill_, one))
        return;
    const bool walked = x_ != Walked{} || y_ != Walked{};
    const Value pixel = merge(t_[i.color_to], t_[i.alpha_to]);
    program_.writes |= uint8_t(1u << i.image);
    program_.writes_elsewhere |= i.at_texture || walked;
    Step& step = add(i.at_texture ? Step::Kind::write_texture
                     : walked     ? Step::Kind::write_walked
                                  : Step::Kind::write_screen);
    step.image = uint8_t(i.image);
    step.a = pixel;
    step.kill = kill_;
    step.walked_x = x_;
    step.walked_y = y_;
}

void Compiler::post_step(const Instruction& i) {
    if (!i.modifier)
        return;
    if (i.at_texture) {
        walks_.push_back(uint8_t(i.modifier));
        return;
    }
    constexpr struct {
        int8_t x, y;
        uint8_t halve_x, halve_y;
    } steps[8] = {
        {},           {1, 0, 0, 0}, {0, 1, 0, 0}, {-1, 0, 0, 0}, {0, -1, 0, 0}, {-3, 1, 0, 0},
        {0, 0, 1, 1}, {0, 0, 1, 0}};
    const auto& step = steps[i.modifier];
    const auto take = [](Walked& coordinate, int add, uint8_t halve) {
        coordinate.offset = halve ? coordinate.offset / 2 : coordinate.offset + add;
        coordinate.halvings = uint8_t(coordinate.halvings + halve);
    };
    take(x_, step.x, step.halve_x);
    take(y_, step.y, step.halve_y);
}

// ---- The program ----------------------------------------------------------------------------

void Compiler::notice_unknown(const Instruction& i) {
    constexpr uint32_t flag_predicates = 1u << 1 | 1u << 2 | 1u << 5 | 1u << 6;
    if (flag_predicates >> i.predicate & 1)
        unsupported(Cause::predicate, i.word);
    if (i.unit > tx)
        unsupported(Cause::instruction_class, i.word);
    if (i.unit == arithmetic && i.color_op == color_none)
        unsupported(Cause::color_operation, i.word);
    if (i.memory_op > read)
        unsupported(Cause::memory_operation, i.word);
}

void Compiler::instruction(const Instruction& i) {
    first_step_ = program_.steps.size();
    notice_unknown(i);

    // Operands are read before the instruction writes any register.
    const bool reads = i.memory_op == read || i.memory_op == read_conditional;
    const Value skip = i.memory_op == read_conditional ? skipped(i) : constant(zero);
    const bool fetches = reads && !is(skip, one);
    const Value texel = fetches ? texels(i.image, i.at_texture, skip) : 0;
    if (i.memory_op == pixel_out && i.at_texture)
        materialize_coordinates();
    kill(i);

    if (i.unit == tx)
        tx_unit(i);
    else
        arithmetic_unit(i);
    if (fetches)
        read_texture(i, texel, skip);
    if (i.memory_op == pixel_out)
        pixel_output(i);
    if (i.memory_op == no_access || i.memory_op == read)
        post_step(i);
    release_rows();
}

void Compiler::run() {
    const Value none = constant(zero);
    for (unsigned i = 0; i < 4; i++)
        c_[i] = constant(source_.constants[i]);
    t_ = {source_.has_gradient ? FragmentProgram::color_row : constant(source_.color), none, none,
          none};
    kill_ = program_.no_kill = none;
    release_rows();
    prefetch();
    release_rows();

    // Slots wrap around and there are no jumps, so a program without an end flag in any slot never
    // ends. Such a program draws nothing.
    constexpr uint32_t slots = PIXMILL_NEMA_IMEM_WORDS / 2;
    uint32_t slot = code_pointer::slot(source_.code_pointer);
    for (unsigned count = 0; count < slots; count++, slot = (slot + 1) % slots) {
        const Instruction i(source_.imem[2 * slot + 1], source_.imem[2 * slot]);
        instruction(i);
        if (i.end)
            return;
    }
    unsupported(Cause::endless_program, source_.code_pointer);
    program_.steps.clear();
    program_.reads = program_.reads_elsewhere = program_.writes = 0;
    program_.writes_elsewhere = false;
}

} // namespace

void FragmentProgram::compile(const FragmentSource& source) {
    steps.clear();
    constants.clear();
    unsupported.clear();
    reads = reads_elsewhere = writes = 0;
    writes_elsewhere = false;
    Compiler(*this, source).run();
}

} // namespace pixmill::nema
